"""Writes what is proven and measured, from what is built and proven here (proofs/results and the kernel
table of build/diffcheck) and from the newest run on a GPU (docs/results): docs/STATUS.md has a row an
op, README.md a row a family, docs/results/measured.json what diffcheck explain says of that run,
docs/SPEED.md the times (speed.py).
status.py [--check]: --check only says whether all are up to date."""
import glob
import json
import os
import re
import subprocess
import sys

import levels
import speed
from coverage import BOUNDED, Tree

import claims  # of proofs/tools, where coverage and levels look too
import statements

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- status.py writes this table -->\n", "<!-- to here -->\n"
LEVELS = ("races", "value", "safe", "checked")
SAID = {"proven: value, races": "races", "proven: value": "value", "proven: memory": "safe", "checked": "checked"}


def goals():
    found = {}
    for path in glob.glob(os.path.join(ROOT, "proofs/results/*.json")):
        with open(path) as f:
            entry = json.load(f)
        if entry["reading"] == "ref":
            found.update(entry.get("functions", {}))
    return found


def theory(table):
    """{op: its row of a table of theorems}, of those proven: "ops" of proofs/calculus, "bounds"."""
    try:
        with open(os.path.join(ROOT, "proofs/results/theory.json")) as f:
            return json.load(f).get(table, {})
    except FileNotFoundError:
        return {}


def theorem(rows, name):
    row = rows.get(name, {"level": "not proven"})
    return row["level"] + (": " + row["theorems"].split(",")[0] if row.get("theorems") else "")


def kernels():
    """{op: {level: [variant]}}"""
    text = subprocess.run([os.path.join(ROOT, "build/diffcheck"), "list", "--kernels"],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines()[1:]:
        m = re.match(r"(\w+)\s+(\w+)\s+(%s)\s" % "|".join(SAID), line)
        if m:
            found.setdefault(m[1], {}).setdefault(SAID[m[3]], []).append(m[2])
    return found


def measured():
    """{op: its check of the newest run on a GPU}, where and when."""
    runs = sorted(glob.glob(os.path.join(ROOT, "docs/results/*/checks.jsonl")), key=date_of)
    if not runs:
        return {}, {}
    found, where = {}, dict(about(runs[-1]), folder=os.path.basename(os.path.dirname(runs[-1])))
    with open(runs[-1]) as f:
        for event in map(json.loads, f):
            if event["event"] == "op":
                found[event["op"]] = {"verdict": event["verdict"], "cases": event["cases"],
                                      "compared": event["compared"],
                                      "ratio": round((event["worst"] or {}).get("ratio") or 0, 3)}
    return found, where


def about(checks):
    """Date, commit and device, as gpu_check.sh wrote them beside."""
    with open(os.path.join(os.path.dirname(checks), "about.txt")) as f:
        rows = [line.split(None, 1) for line in f]
    return {r[0]: r[1].strip() for r in rows if len(r) > 1 and r[0] in ("date", "commit", "device")}


def date_of(checks):
    return about(checks).get("date", "")


def bits(row):
    """Runs whose bits were those of the simulator."""
    if row is None:
        return "not run"
    return "%d runs" % row["compared"] if row["verdict"] == "pass" else row["verdict"]


def of(found, names):
    """Goals proven of all goals of these functions."""
    have = [found.get(n) for n in names]
    if None in have:
        return "not proven"
    return "%d of %d" % (sum(g["proven"] for g in have), sum(g["goals"] for g in have))


def bounded(op):
    return bool(set(op["classes"]) & set(BOUNDED))


def by_level(rows):
    return "; ".join("%s: %s" % (l, ", ".join(rows[l])) for l in LEVELS if l in rows)


def by_op(ops, proven, rows, seen):
    lines = ["| op | class | reference | calculus | bound | kernels | GPU = sim | err/bound |",
             "|---|---|---|---|---|---|---|---|"]
    gradients, bounds = theory("ops"), theory("bounds")
    for op in ops:
        name = op["name"]
        run = seen.get(name)
        lines.append("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            name, op["classes"], of(proven, ["ref_" + name]),
            theorem(gradients, name) if name.endswith("_vjp") else "",
            "%s; %s" % (of(proven, ["bound_" + name]), theorem(bounds, name)) if bounded(op)
            else "bits", by_level(rows.get(name, {})),
            bits(run), "" if run is None else "%.3g" % run["ratio"] if bounded(op) else "exact"))
    return "\n".join(lines) + "\n"


def asked():
    """{kernel: (parts of its requires that the simulator asks of a launch, all of them)}"""
    with open(os.path.join(ROOT, "cuda/sim/requires.cpp")) as f:
        text = f.read()
    found = {}
    for m in re.finditer(r"^bool check_(\w+)\(.*?^}", text, re.S | re.M):
        checked, listed = m[0].count("  REQUIRES("), len(re.findall(r"^   \*   ", m[0], re.M))
        found[m[1]] = checked, checked + listed
    same = re.findall(r'^    \{"(\w+)", .*?\bcheck_(\w+)\b', text, re.M)  # kernels of one contract
    return {name: found[of] for name, of in same}


def by_kernel():
    """A row a __global__ function; the instances of cuda/map/map.h are two, for one output and for two."""
    tables = statements.listed()
    known = statements.Kernels(claims.read(), claims.kernels(), tables)
    results, owners, launch = levels.proven(ROOT), levels.owned(ROOT), asked()
    called = levels.launched(levels.launches(ROOT), levels.launchers(ROOT))
    rows = {}
    for name, (function, path) in known.homes.items():
        rows.setdefault((path, function), []).append(name)
    lines = ["| kernel | file | contract | value | races | launch |", "|---|---|---|---|---|---|"]
    for (path, function), names in sorted(rows.items()):
        c, many = known.contract(names[0]), len(names) > 1
        if c is None or not results.get(function):
            contract, value = "none", ""
        else:
            whole = c.ensures and not known.unsaid(names[0])
            told = {t for n, t in tables["kernels"] if n in (names[0], function)} & set(c.written()[0])
            contract = "proven"
            value = "" if not c.ensures else "proven; listed: %s" % ", ".join(sorted(told)) if told else \
                "proven" if whole else "part"
        checks = [launch.get(n, (0, 0)) for n in names if n not in called]
        done = len(names) - len(checks)
        started = ["proven" + (" of %d ops" % done if checks else "")] * bool(done)
        started += ["%d of %d" % (sum(k for k, _ in checks), sum(n for _, n in checks))] * bool(checks)
        lines.append("| %s | %s | %s | %s | %s | %s |" % (
            "%s, %d ops" % (function, len(names)) if many else names[0], path, contract, value,
            "proven" if function in owners else "tested",
            "; ".join(started) if contract != "none" else ""))
    return "\n".join(lines) + "\n"


KERNELS = """
# Kernel by kernel
Each `__global__` function. *contract*: whether it has one all of whose goals are proven; then memory and
overflow are. *value*: whether that contract gives a value to every element that it writes (what it says
of an output in place of that stands in `proofs/statements`). *races*: *proven* where an owner of each
cell is a goal (`cuda/lang/owned.h`), else tested on the simulator. *launch*: *proven* where every launch
of it is a call that meets its requires, by the proof of the launchers; else how many parts of its requires
the simulator asks of every launch, of all; `cuda/sim/requires.cpp` says why the others are not.

"""


def by_family(ops, proven, rows):
    lines = ["| family | ops | reference | bounds | kernels |", "|---|---|---|---|---|"]
    for family in dict.fromkeys(op["family"] for op in ops):
        own = [op for op in ops if op["family"] == family]
        names = [op["name"] for op in own]
        bounds = ["bound_" + op["name"] for op in own if bounded(op)]
        count = [(l, sum(len(rows.get(n, {}).get(l, [])) for n in names)) for l in LEVELS]
        lines.append("| %s | %s | %s | %s | %s |" % (
            family, " ".join(n + ("*" if n + "_vjp" in names else "") for n in names
                             if not n.endswith("_vjp")),
            of(proven, ["ref_" + n for n in names]), of(proven, bounds) if bounds else "bits",
            ", ".join("%d %s" % (n, l) for l, n in count if n)))
    return "\n".join(lines) + "\n"


STATUS = """# What is proven and measured, op by op
Goals of the reference and of its error bound, proven by WP, and the kernels by level: *value*
(memory, overflow and the real-valued result over the whole grid are proven of the text that nvcc
compiles), *races* (all that, and that no two threads race), *safe* (memory and overflow alone),
*checked* (tested only); races are tested for every kernel, on the simulator. *calculus*: the theorem that a VJP is the
gradient, *linked* if it speaks of WP's text of `spec/`, *stated* if of the same formula written
again in Coq. *bound*: goals, and the theorem that it is a bound, likewise; *derived* on paper where
there is none.
[SOUNDNESS.md](../SOUNDNESS.md) says what rests on what.

*GPU = sim*: runs in which a kernel had the same bits on the GPU as on the simulator, all that were
compared. *err/bound*: the largest error of any element over its bound, 1 being the most that
passes; *exact* where bits are compared with the reference. Both from
[%(folder)s](results/%(folder)s): %(device)s, %(date)s, commit %(commit)s.
`scripts/status.py` writes this page.

"""


def main():
    ops, proven, rows = Tree(ROOT).ops, goals(), kernels()
    with open(os.path.join(ROOT, "README.md")) as f:
        text = f.read()
    seen, where = measured()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    pages = {"README.md": text[:start] + "\n" + by_family(ops, proven, rows) + "\n" + text[end:],
             "docs/SPEED.md": speed.page(ROOT),
             "docs/STATUS.md": STATUS % where + by_op(ops, proven, rows, seen) + KERNELS + by_kernel(),
             "docs/results/measured.json": json.dumps(
                 {"measured": seen, **where}, indent=1, sort_keys=True) + "\n"}
    stale = 0
    for name, page in pages.items():
        path = os.path.join(ROOT, name)
        old = ""
        if os.path.exists(path):
            with open(path) as f:
                old = f.read()
        if old == page:
            continue
        if sys.argv[1:] == ["--check"]:
            print("%s is out of date: run python3 scripts/status.py" % name)
            stale = 1
            continue
        with open(path, "w") as f:
            f.write(page)
    return stale


if __name__ == "__main__":
    sys.exit(main())
