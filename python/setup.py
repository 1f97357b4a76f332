"""Builds the libraries with the checkout's Makefile and puts them into the package; the rest is in pyproject.toml."""
import glob
import os
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class BuildLibrary(build_py):
    def run(self):
        super().run()
        build = os.environ.get("PROOFMARK_BUILD", "build")
        subprocess.run(["make", "-j%d" % (os.cpu_count() or 1), "-C", CHECKOUT, "-s", "--no-print-directory",
                        "B=" + build, "library"], check=True)
        target = os.path.join(self.build_lib, "proofmark")
        self.mkpath(target)
        shutil.copy(os.path.join(CHECKOUT, build, "libdiffcheck.so"), target)
        runtime, = glob.glob(os.path.join(CHECKOUT, build, "libproofmark.so.*"))
        shutil.copy(runtime, os.path.join(target, "libproofmark.so"))


class PlatformWheel(bdist_wheel):
    """Of any Python 3, but of this machine: the library is no extension module."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=WithLibrary, cmdclass={"build_py": BuildLibrary, "bdist_wheel": PlatformWheel})
