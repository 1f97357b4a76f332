"""Mutation check of the proofs: a fault in the code must leave a goal unproven. Run through
mutate.sh. A row of proofs/mutants names a file, a function, and a change of its text."""
import argparse
import fnmatch
import glob
import json
import os
import re
import shutil
import time

import framac
from framac import Failure, Unit, complain, say
from prove import PACK, RESULTS, read_table, row_for

TABLE = os.path.join(framac.ROOT, "proofs", "mutants")
SECONDS = 3  # a goal's time limit; a function that needs more gets its unit's


class Mutant:
    def __init__(self, number, line):
        parts = [p.strip() for p in line.split("|", 2)]
        change = parts[2].split("=>", 1) if len(parts) == 3 else []
        if len(change) != 2:
            raise Failure("proofs/mutants: not FILE | FUNCTION | OLD => NEW: %s" % line)
        self.number = number
        self.source, _, self.file = (p.strip() for p in parts[0].partition(":"))
        self.function, _, self.anchor = (p.strip() for p in parts[1].partition(":"))
        self.file, self.anchor = self.file or self.source, self.anchor or self.function
        self.old, self.new = change[0].strip(), change[1].strip()
        self.name = "%s %s: %s => %s" % (self.source, self.function, self.old, self.new)


def read_mutants():
    with open(TABLE) as f:
        lines = [line.strip() for line in f]
    lines = [line for line in lines if line and not line.startswith("#")]
    return [Mutant(i, line) for i, line in enumerate(lines)]


def body_of(text, function):
    """Where the function's body stands: from its { to the } that closes it."""
    for m in re.finditer(r"(?<!\w)%s\s*\(" % re.escape(function), text):
        depth, i = 1, m.end()
        while i < len(text) and depth:
            depth += (text[i] == "(") - (text[i] == ")")
            i += 1
        # the body may stand behind an #if that leaves only a declaration, or in a macro
        brace = re.match(r"(?:\s*#[^\n]*\n|\s*;(?=\s*#))*(?:\s|\\\n)*\{", text[i:])
        if not brace:
            continue
        start, depth, i = i + brace.end(), 1, i + brace.end()
        while i < len(text) and depth:
            depth += (text[i] == "{") - (text[i] == "}")
            i += 1
        return start, i
    raise Failure("it defines no function %s" % function)


def mutate(text, mutant):
    """The text with the change made at its first place in the function's code; annotations are
    not code."""
    if mutant.old == mutant.new:
        raise Failure("the change changes nothing")
    start, end = body_of(text, mutant.anchor)
    body = text[start:end]
    hidden = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: re.sub(r"[^\n]", "\0", m[0]), body, flags=re.S)
    at = hidden.find(mutant.old)
    if at < 0:
        raise Failure("its code has no %r" % mutant.old)
    return text[:start + at] + mutant.new + text[start + at + len(mutant.old):]


def copy_tree(to):
    shutil.rmtree(to, ignore_errors=True)
    for layer in ("spec", "ref", "cuda"):
        source = os.path.join(framac.ROOT, layer)
        for folder, _, names in os.walk(source):
            into = os.path.join(to, layer, os.path.relpath(folder, source))
            for name in names:
                if name.endswith((".h", ".c", ".cu", ".def", ".inc")):
                    os.makedirs(into, exist_ok=True)
                    shutil.copy(os.path.join(folder, name), os.path.join(into, name))


def unit_of(table, source, function, root, tag=""):
    """The unit that proves a function, and its row."""
    reading = "cuda" if source.startswith("cuda/") else "ref"
    rows = [r for r in table if r.kind == "functions" and fnmatch.fnmatch(source, r.pattern) and
            r.proves(function)]
    if not rows:
        raise Failure("no unit proves it")
    return Unit(source, reading, rows[-1].defines, tag, root=root), rows[-1]


def prove(table, source, functions, root, seconds, cache, tag="", first=False):
    unit, row = unit_of(table, source, functions[0], root, tag)
    return framac.prove(unit, functions, cache=cache, mode="replay", first_failure=first,
                        provers=row.provers, timeout=min(seconds, row.seconds), options=row.options)


def baseline(table, mutants, cache, pool):
    """Seconds a goal for each function, at which its own text proves; 0 where it does not."""
    groups = {}
    for m in mutants:
        _, row = unit_of(table, m.source, m.function, framac.ROOT, "base")
        group = groups.setdefault((m.source, id(row)), (row, []))[1]
        if m.function not in group:
            group.append(m.function)
    limits = {}

    def work(item):
        (source, _), (row, functions) = item
        for seconds in (SECONDS, row.seconds):
            rest = [f for f in functions if not limits.get((source, f))]
            if rest:
                run = prove(table, source, rest, framac.ROOT, seconds, cache, "base")
                for f in rest:
                    proven, total = run.goals.get(f, [0, 0])
                    limits[source, f] = seconds if proven == total > 0 else 0

    for error in pool.map(work, list(groups.items())):
        if isinstance(error, Failure):
            raise error
    return limits


def missing():
    """Functions proven, by proofs/results, that no mutant attacks."""
    rows, wanted = read_mutants(), set()
    for name in os.listdir(RESULTS) if os.path.isdir(RESULTS) else ():
        with open(os.path.join(RESULTS, name)) as f:
            entry = json.load(f)
        wanted |= {(entry["source"].partition("@")[0], n) for n in entry.get("functions", ())}
    wanted = {(source, f) for source, f in wanted
              if not any(m.source == source and fnmatch.fnmatch(f, m.function) for m in rows)}
    return ["%s: no mutant of the function %s" % pair for pair in sorted(wanted)]


def expand(mutants):
    """A row for a template's functions: the first of them, in order of their names."""
    for m in mutants:
        if "*" in m.function:
            names = set()
            for path in glob.glob(os.path.join(RESULTS, m.source.replace("/", "_") + "*.json")):
                with open(path) as f:
                    entry = json.load(f)
                if entry["source"].split("@")[0] == m.source:
                    names |= set(entry.get("functions", ()))
            fit = fnmatch.filter(sorted(names), m.function)
            if not fit:
                raise Failure("%s: no function of proofs/results fits" % m.name)
            m.function = fit[0]
    return mutants


def choose(mutants, args):
    if args.functions:
        mutants = [m for m in mutants
                   if any(fnmatch.fnmatch(m.function, p) or fnmatch.fnmatch(m.source, p)
                          for p in args.functions)]
    if args.part:
        part, parts = (int(n) for n in args.part.split("/"))
        mutants = [m for m in mutants if m.number % parts == part % parts]
    if args.today:
        mutants = [m for m in mutants if m.number % args.today == time.localtime().tm_yday
                   % args.today]
    return mutants


def main():
    p = argparse.ArgumentParser(prog="mutate.sh", description="Seeds faults into the proven "
                                "functions; each must leave a goal unproven.")
    p.add_argument("functions", nargs="*", metavar="FUNCTION|FILE", help="only these (patterns)")
    p.add_argument("--part", metavar="K/N", help="every Nth mutant, from the Kth")
    p.add_argument("--today", type=int, metavar="N", help="the Nth part that is today's turn")
    p.add_argument("--jobs", type=int, default=2, help="mutants at a time (2)")
    args = p.parse_args()
    start = time.time()
    cache = os.path.join(framac.BUILD, "cache")
    framac.unpack_cache(PACK, cache)
    table, pool = read_table(), framac.Pool(args.jobs)
    errors = missing()
    mutants = expand(choose(read_mutants(), args))
    limits = baseline(table, mutants, cache, pool)
    work_dir = os.path.join(framac.ROOT, "build", "mutants")
    count = [0]

    def work(m):
        began = time.time()
        seconds = limits[m.source, m.function]
        tree = os.path.join(work_dir, str(m.number))
        try:
            if not seconds:
                raise Failure("its own text is not proven")
            copy_tree(tree)
            path = os.path.join(tree, m.file)
            with open(path) as f:
                text = f.read()
            with open(path, "w") as f:
                f.write(mutate(text, m))
            try:
                run = prove(table, m.source, [m.function], tree, seconds, cache, first=True)
                # a warning fails prove.sh as well: of what overflows for sure WP has no goal
                broken = (run.unproved + run.warnings + [""])[0]
            except Failure:
                if not m.source.startswith("cuda/"):
                    raise
                broken = "it does not parse"  # a missing barrier is a type error
        except Failure as error:
            return "%s: %s" % (m.name, error)
        finally:
            shutil.rmtree(tree, ignore_errors=True)
        count[0] += 1
        complain("[%3d/%d] %4.0f s  %s: %s" % (count[0], len(mutants), time.time() - began, m.name,
                                               broken or "NOTHING BROKE"))
        return "" if broken else "%s: survived, every goal is still proven" % m.name

    found = pool.map(work, mutants)
    survived = [f if isinstance(f, str) else str(f) for f in found if f]
    for e in errors + survived:
        complain("mutate.sh: " + e)
    say("%d of %d mutants broke a goal, %.0f s" % (len(mutants) - len(survived), len(mutants),
                                                   time.time() - start))
    return 1 if errors or survived else 0


if __name__ == "__main__":
    framac.run_program("mutate.sh", main)
