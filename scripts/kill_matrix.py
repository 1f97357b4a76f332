#!/usr/bin/env python3
"""Which faults of tests/mutants diffcheck finds, and which the rules do by which other projects accept a kernel's
numbers (tests/rules/rules.c), on the same cases.

usage: kill_matrix.py [--cases N] [--jobs N] [--shard I/N] FOLDER
           builds each fault and keeps in FOLDER what the rules said; one that is there already is not built again
       kill_matrix.py --table FOLDER
           writes the table into docs/kill-matrix.md and a row a fault to docs/results/kill_matrix.tsv, of what is there

A fault is killed by a rule where, on some case, the rule accepts our kernel and not the faulty one; by
FlashAttention's, where the faulty kernel's largest error is more than twice our kernel's. A crash or a hang is
everybody's. Faults of ref/, which are bounds that are too wide, are no kernels and are left out.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

RULES = ["ggml", "llm.c", "assert_close", "KernelBench 1e-2", "KernelBench 1e-4"]
CLASSES = ["any", "uniform"]
SECONDS = 240


def faults():
    """(number, op, file, what, script), numbered as mutants.sh has them."""
    number = 0
    for line in open("tests/mutants"):
        if line.startswith("#") or not line.strip():
            continue
        number += 1
        op, file, what, script = line.rstrip("\n").split("|", 3)
        if not file.strip().startswith("ref/"):
            yield number, op.strip(), file.strip(), what.strip(), script[1:]


def say(program, op, cases, path):
    """Runs the rules of one op; the last line of each file is how that ended."""
    for of in CLASSES:
        with open(f"{path}.{of}.part", "w") as out:
            try:
                words = [program, op, of, str(cases)]
                done = subprocess.run(words, stdout=out, stderr=subprocess.DEVNULL, timeout=SECONDS)
                end = f"end {done.returncode}"
            except subprocess.TimeoutExpired:
                end = "end hang"
        with open(f"{path}.{of}.part", "a") as out:
            out.write(end + "\n")
        os.replace(f"{path}.{of}.part", f"{path}.{of}")


def build(fault, cases, folder):
    number, op, file, what, script = fault
    path = os.path.join(folder, str(number))
    if all(os.path.exists(f"{path}.{of}") for of in CLASSES):
        return
    tree = tempfile.mkdtemp()
    try:
        for name in "Makefile", "spec", "ref", "cuda", "diffcheck", "runtime", "tests/rules":
            subprocess.run(["cp", "-a", "--parents", name, tree], check=True)
        os.mkdir(f"{tree}/build")
        subprocess.run(["cp", "-a", "build/obj", "build/flags", f"{tree}/build"], check=True)
        flags = open(f"{tree}/build/flags").read().replace("-Werror", "")
        open(f"{tree}/build/flags", "w").write(flags)
        stat = os.stat("build/flags")
        os.utime(f"{tree}/build/flags", ns=(stat.st_atime_ns, stat.st_mtime_ns))
        subprocess.run(["sed", "-i", "-e", script, f"{tree}/{file}"], check=True)
        make = ["make", "-C", tree, "-s", "WERROR=", "build/rules"]
        made = subprocess.run(make, capture_output=True, text=True)
        if made.returncode:
            print(f"{number} {op}: does not build: {made.stderr[:200]}", file=sys.stderr)
            return
        say(f"{tree}/build/rules", op, cases, path)
        print(f"{number} {op}: {what}", flush=True)
    finally:
        shutil.rmtree(tree)


def read(path):
    """{(index, variant): (accepted, errors)} and how the program ended."""
    cases, end = {}, "0"
    for line in open(path):
        words = line.split()
        if words[0] == "end":
            end = words[1]
        else:
            verdicts, errors = words[2 : 3 + len(RULES)], words[3 + len(RULES) :]
            cases[words[0], words[1]] = verdicts, [float(e) if e != "-" else None for e in errors]
    return cases, end


def worse(errors, ours):
    """By FlashAttention's rule, for some output; where our own error is not a number, it says nothing."""
    return any(e is not None and math.isfinite(o) and not e <= 2 * o for e, o in zip(errors, ours))


def killers(faulty, ours):
    """Who kills, of diffcheck, RULES and FlashAttention."""
    cases, end = faulty
    if end not in ("0", "2"):
        return [True] * (len(RULES) + 2)
    kills = [False] * (len(RULES) + 2)
    for key, (verdicts, errors) in cases.items():
        kills[0] |= verdicts[0] == "0"
        if key not in ours:
            continue
        for r in range(1, len(RULES) + 1):
            kills[r] |= verdicts[r] == "0" and ours[key][0][r] == "1"
        kills[-1] |= worse(errors, ours[key][1])
    return kills


def judged(folder, of):
    """(fault, killers) of each fault in the folder, and {op: what was said of our own kernel}."""
    ours, list_of = {}, []
    for fault in faults():
        path = os.path.join(folder, f"{fault[0]}.{of}")
        if not os.path.exists(path):
            continue
        op = fault[1]
        if op not in ours:
            ours[op], end = read(os.path.join(folder, f"{op}.{of}"))
            if end != "0":
                sys.exit(f"{op}: our own kernel ends with {end}")
        list_of.append((fault, killers(read(path), ours[op])))
    return list_of, ours


def table(folder):
    """The lines of the page, and those of the file of single faults."""
    names = ["diffcheck", *RULES, "FlashAttention"]
    found = {of: judged(folder, of) for of in CLASSES}
    lines = [
        "| rule | faults found, all classes of values | uniform values alone |"
        " our kernels' cases refused, of all | of uniform |",
        "|---|---|---|---|---|",
    ]
    for i, name in enumerate(names):
        cells = [f"{sum(k[i] for _, k in found[of][0])} of {len(found[of][0])}" for of in CLASSES]
        for of in CLASSES:
            said = [v for cases in found[of][1].values() for v, _ in cases.values()]
            cells.append(f"{sum(v[i] == '0' for v in said)} of {len(said)}" if i <= len(RULES) else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    alive = [f"{f[0]} ({f[1]}: {f[3]})" for f, k in found["any"][0] if not k[0]]
    lines += ["", f"Not found by diffcheck on these cases: {'; '.join(alive) or 'none'}."]
    rows = ["\t".join(["fault", "op", "what", "values", *names])]
    for of in CLASSES:
        for f, kills in found[of][0]:
            rows.append("\t".join([str(f[0]), f[1], f[3], of, *("01"[k] for k in kills)]))
    return lines, rows


def write(folder):
    lines, rows = table(folder)
    with open("docs/results/kill_matrix.tsv", "w") as out:
        out.write("\n".join(rows) + "\n")
    page = open("docs/kill-matrix.md").read()
    begin, end = "<!-- kill_matrix.py -->\n", "<!-- end -->"
    before, after = page.split(begin)[0], page.split(end)[1]
    with open("docs/kill-matrix.md", "w") as out:
        out.write(before + begin + "\n".join(lines) + "\n" + end + after)
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--table", action="store_true")
    words = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if words.table:
        write(words.folder)
        return
    os.makedirs(words.folder, exist_ok=True)
    subprocess.run(["make", "-s", "build/rules"], check=True)
    shard, of = map(int, words.shard.split("/"))
    mine = [f for f in faults() if f[0] % of == shard % of]
    with ThreadPoolExecutor(words.jobs) as pool:
        for op in sorted({f[1] for f in mine}):
            if not os.path.exists(f"{words.folder}/{op}.{CLASSES[-1]}"):
                pool.submit(say, "build/rules", op, words.cases, f"{words.folder}/{op}")
        list(pool.map(lambda f: build(f, words.cases, os.path.abspath(words.folder)), mine))


if __name__ == "__main__":
    main()
