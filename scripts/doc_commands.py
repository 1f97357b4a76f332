"""Runs what a page of docs/ says: its files are written, its commands run, in a folder of their own.

doc_commands.py [PAGE...]      pages (default: those of PAGES), with build/ first in PATH
doc_commands.py --build DIR    with that folder in place of build/
doc_commands.py --self-test    each rule is broken once; each must be found

A block ```LANGUAGE NAME is a file. In a block ```sh a line `$ COMMAND` is run by a shell; `   # exit N` at its
end is its exit status, 0 where it says nothing; each line below it, up to the next command, is found in what
it prints. A block that is neither, or a page without a command, is an error.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ["docs/your-kernel.md", "docs/machines.md"]
BLOCK = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
SECONDS = 300


def commands(text):
    """(command, exit status, lines that it prints) of a block."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            command, status = re.fullmatch(r"\$ (.*?)(?:   # exit (\d+))?", line).groups()
            found.append((command, int(status or 0), []))
        elif found and line.strip():
            found[-1][2].append(line.strip())
        elif line.strip():
            raise ValueError("%r: stands before the first command" % line)
    return found


def run(command, status, lines, folder, path):
    """What is wrong with one command."""
    try:
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                              env=dict(os.environ, PATH=path), check=False)
    except subprocess.TimeoutExpired:
        return ["%s: takes more than %d s" % (command, SECONDS)]
    said = done.stdout.decode(errors="replace")
    errors = [] if done.returncode == status else \
        ["%s: exit %d, not %d; it said:\n%s" % (command, done.returncode, status, said)]
    return errors + ["%s: does not say %r, but:\n%s" % (command, line, said)
                     for line in lines if line not in said]


def check(text, build):
    """(errors, commands run) of a page."""
    errors, n = [], 0
    path = os.pathsep.join([build, os.environ.get("PATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        for language, name, body in BLOCK.findall(text):
            if name and os.path.basename(name) != name:
                errors.append("%s: a file stands in the folder itself" % name)
            elif name:
                with open(os.path.join(folder, name), "w") as f:
                    f.write(body)
            elif language == "sh":
                for command, status, lines in commands(body):
                    n += 1
                    errors += run(command, status, lines, folder, path)
            else:
                errors.append("a block of %s has no name, and is no command" % language)
    if not n:
        errors.append("no command was found")
    return errors, n


BROKEN = [  # (what is found, page)
    ("exit 3, not 0", "```sh\n$ exit 3\n```\n"),
    ("exit 0, not 1", "```sh\n$ true   # exit 1\n```\n"),
    ("does not say 'b'", "```sh\n$ echo a\nb\n```\n"),
    ("no command", "words\n"),
    ("has no name", "```c\nint a;\n```\n```sh\n$ true\n```\n"),
    ("in the folder itself", "```c ../a.c\nint a;\n```\n```sh\n$ true\n```\n"),
]
GOOD = "```c a.c\nint a;\n```\nwords\n```sh\n$ cat a.c\nint a;\n$ ls b   # exit 2\n```\n"


def self_test():
    errors, n = check(GOOD, ".")
    if errors or n != 2:
        raise SystemExit("doc_commands self-test: complains of a good page: %s" % errors)
    for what, page in BROKEN:
        if not any(what in e for e in check(page, ".")[0]):
            raise SystemExit("doc_commands self-test: not found: %s" % what)
    print("doc_commands self-test: %d faults planted, %d found" % (len(BROKEN), len(BROKEN)))


def main():
    arguments, build = sys.argv[1:], os.path.join(ROOT, "build")
    if arguments == ["--self-test"]:
        return self_test()
    if arguments[:1] == ["--build"]:
        build, arguments = os.path.abspath(arguments[1]), arguments[2:]
    errors, n = [], 0
    for page in arguments or PAGES:
        with open(os.path.join(ROOT, page)) as f:
            found, run_here = check(f.read(), build)
        errors += ["%s: %s" % (page, e) for e in found]
        n += run_here
    for e in errors:
        print("docs: " + e)
    print("docs: %d commands, %d errors" % (n, len(errors)))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
