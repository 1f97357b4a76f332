"""Makes the edits of proofs/planted, one at a time, in a copy of the tree; the check that a row names must
refuse each, with a line that has the row's name.

planted.py [--today N] [PATTERN...]   PATTERN: part of a row; N: of N parts the one whose turn it is today"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

import framac
import recorded

ROWS = os.path.join(framac.ROOT, "proofs", "planted")
COMMANDS = {"claims": ["python3", "proofs/tools/claims.py"], "statement": ["python3", "proofs/tools/statements.py"]}


class Row:
    def __init__(self, line):
        parts = [p.strip() for p in line.split(" | ", 5)]
        if len(parts) != 6 or parts[0] not in COMMANDS or " => " not in parts[5]:
            raise framac.Failure("proofs/planted: not a row: " + line)
        self.check, self.unit, self.file, self.name, self.what = parts[:5]
        self.old, self.new = (p.replace("<nl>", "\n") for p in parts[5].split(" => ", 1))
        self.line = line


def rows():
    with open(ROWS) as f:
        return [Row(line) for line in f.read().splitlines() if line and not line.startswith("#")]


def copy_of_tree(folder):
    """Copies of what the checks read; a link would lead them back to this tree."""
    for name in ("spec", "ref", "cuda", "proofs/tools"):
        shutil.copytree(os.path.join(framac.ROOT, name), os.path.join(folder, name))
    for name in ("claims", "statements", "units"):
        shutil.copy(os.path.join(framac.ROOT, "proofs", name), os.path.join(folder, "proofs"))


def refused(row, tree):
    """None, or why the row's edit was not refused as it must be."""
    path, text = os.path.join(tree, row.file), ""
    if os.path.exists(path):
        with open(path) as f:
            text = f.read()
    if row.old not in text:
        return "%s has no such text any more" % row.file
    with open(path, "w") as f:
        f.write(text.replace(row.old, row.new, 1))
    run = subprocess.run(COMMANDS[row.check] + [row.unit], cwd=tree, capture_output=True, text=True,
                         env=dict(os.environ, PWD=tree))
    with open(path, "w") as f:
        f.write(text)
    if run.returncode == 0:
        return "passed"
    said = [line for line in run.stdout.splitlines() if row.name in line]
    return None if said else "refused for another reason: " + (run.stdout + run.stderr).strip()[-400:]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("patterns", nargs="*", metavar="PATTERN")
    p.add_argument("--today", type=int, default=0, metavar="N")
    args = p.parse_args()
    chosen = [r for r in rows() if not args.patterns or any(t in r.line for t in args.patterns)]
    if args.today:
        chosen = [r for i, r in enumerate(chosen) if i % args.today == time.localtime().tm_yday % args.today]
    tree, missed = tempfile.mkdtemp(), 0
    try:
        copy_of_tree(tree)
        for r in chosen:
            why = refused(r, tree)
            missed += why is not None
            print("%-9s %-34s %-24s %s%s" % (r.check, r.file, r.name, r.what, "" if why is None else ": " + why.upper()
                                             if why == "passed" else ": " + why), flush=True)
    finally:
        shutil.rmtree(tree)
    print("planted: %d edits, %d refused by the check that they name" % (len(chosen), len(chosen) - missed))
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    framac.run_program("planted.py", main)
