"""Writes the table of ops in README.md from what is built and proven here: proofs/results and the
kernel table of build/diffcheck.  status.py [--check]: --check only says whether it is up to date."""
import glob
import json
import os
import re
import subprocess
import sys

from coverage import BOUNDED, Tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- status.py writes this table -->\n", "<!-- to here -->\n"
LEVELS = ("value", "safe", "checked")


def goals():
    found = {}
    for path in glob.glob(os.path.join(ROOT, "proofs/results/*.json")):
        with open(path) as f:
            entry = json.load(f)
        if entry["reading"] == "ref":
            found.update(entry.get("functions", {}))
    return found


def kernels():
    """{op: {level: [variant]}}"""
    text = subprocess.run([os.path.join(ROOT, "build/diffcheck"), "list", "--kernels"],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines()[1:]:
        m = re.match(r"(\w+)\s+(\w+)\s+(?:proven: )?(%s)\b" % "|".join(LEVELS), line)
        if m:
            found.setdefault(m[1], {}).setdefault(m[3], []).append(m[2])
    return found


def table():
    proven, rows = goals(), kernels()

    def of(name):
        g = proven.get(name)
        return "%d of %d" % (g["proven"], g["goals"]) if g else "not proven"

    lines = ["| op | class | reference | bound | kernels |", "|---|---|---|---|---|"]
    for op in Tree(ROOT).ops:
        bound = "bits" if not set(op["classes"]) & set(BOUNDED) else of("bound_" + op["name"])
        levels = rows.get(op["name"], {})
        lines.append("| %s | %s | %s | %s | %s |" % (
            op["name"], op["classes"], of("ref_" + op["name"]), bound,
            "; ".join("%s: %s" % (l, ", ".join(levels[l])) for l in LEVELS if l in levels)))
    return "\n".join(lines) + "\n"


def main():
    path = os.path.join(ROOT, "README.md")
    with open(path) as f:
        text = f.read()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = text[:start] + "\n" + table() + "\n" + text[end:]
    if sys.argv[1:] == ["--check"]:
        if new != text:
            print("README.md: its table of ops is out of date: run python3 scripts/status.py")
        return 1 if new != text else 0
    with open(path, "w") as f:
        f.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
