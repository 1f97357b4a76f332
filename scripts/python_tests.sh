#!/bin/bash
# python_tests.sh [PYTEST ARGUMENT...]: the Python package as it is installed: its wheel is built, laid into
# build/python without network, and tested from there; then docs/python.md, command by command.
set -eu
cd "$(dirname "$0")/.."
export PYTHONDONTWRITEBYTECODE=1
# Debian's own has Debian's packages, whichever comes first in PATH.
for python in python3 /usr/bin/python3 none; do
  $python -c 'import setuptools, numpy, pip, pytest, wheel' 2>/dev/null && break
done
if [ $python = none ]; then
  echo "python_tests.sh: no Python has numpy, pip, pytest, setuptools, wheel: run scripts/setup.sh test" >&2
  exit 2
fi
make -s --no-print-directory library
rm -rf build/wheel build/python python/build python/*.egg-info
log=build/python.log
pip() { $python -m pip --disable-pip-version-check -q "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; }
pip wheel --no-index --no-deps --no-build-isolation -w build/wheel ./python
pip install --no-index --no-deps --target build/python build/wheel/proofmark-*.whl
rm -rf python/build python/*.egg-info
mkdir -p build/python/path
ln -sf "$(command -v $python)" build/python/path/python3
export CHECKOUT=$PWD PYTHONPATH=$PWD/build/python PATH=$PWD/build/python/path:$PATH
unset PROOFMARK_LIBRARY
python3 -m pytest -q --no-header -p no:cacheprovider python/tests "$@"
[ $# -gt 0 ] || python3 scripts/doc_commands.py docs/python.md
