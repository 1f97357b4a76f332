"""Whether the level of each row in the kernel table is one that it has earned.

levels.py               checks the tree
levels.py --self-test   raises levels, takes away what they rest on; each must be found

proofs/launches says which __global__ functions each variant's launcher starts, as the simulator saw it;
proofs/claims has their contracts (proofs/prove.sh compares both with the text), proofs/results what was
proven. A level above `checked` asks of each of these functions
  contract   one in proofs/claims
  goals      all of its goals proven, and of each of those some
and the level `value` of them moreover
  value      an equation for every element of what each writes (proofs/statements lists what else a contract
             may say), and, for each function of spec/ that the contract of ref_OP gives an output by, that
             function in theirs
and the level `races` besides
  races      owners of all that each writes, in proofs/results
Of an op whose launcher is proven
  launch     it starts no kernel but those that the prover saw, or that a launcher may start which is not read"""
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "proofs", "tools"))

import claims
import statements
from coverage import Tree


def launches(root):
    found = {}
    with open(os.path.join(root, "proofs", "launches")) as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                found[words[0], words[1]] = words[2:]
    return found


def proven(root):
    """{function of cuda/: whether all its goals, at least one, are proven, in both readings where it has two}"""
    found = {}
    for path in glob.glob(os.path.join(root, "proofs/results/*.json")):
        with open(path) as f:
            entry = json.load(f)
        if entry.get("reading") == "cuda":
            for name, g in entry.get("functions", {}).items():
                found[name] = found.get(name, True) and g["proven"] == g["goals"] > 0
    return found


def owned(root):
    """Kernels, as the prover calls them, of which races are goals (proofs/tools/owners.py)."""
    found = set()
    for path in glob.glob(os.path.join(root, "proofs/results/*.json")):
        with open(path) as f:
            found |= set(json.load(f).get("owners", {}))
    return found


def launchers(root):
    """{op: kernels that its launcher starts, itself or by what it calls}, of launchers all of whose goals are
    proven: among them that each launch meets what its kernel requires. Of a launcher of another unit that
    it calls and that is not proven (the prover has its contract alone), its name stands for what that starts."""
    found = {}
    for path in glob.glob(os.path.join(root, "proofs/results/*.json")):
        with open(path) as f:
            entry = json.load(f)
        for function, kernels in entry.get("launches", {}).items():
            goals = entry["functions"][function]
            if goals["proven"] == goals["goals"] > 0:
                found[function] = kernels
    return resolved(found)


def resolved(found):
    """The kernels of each launcher that no other calls, by the launchers of other units that it calls."""
    def kernels(names):
        return sorted(set().union(*([k] if k not in found else kernels(found[k]) for k in names)))

    inner = set().union(*found.values())
    return {f[len("launch_"):]: kernels(names) for f, names in found.items() if f not in inner}


def launched(started, proven_launchers):
    """Kernels of which every launch is proven: those of each op one of whose variants starts it, where the
    proof has seen all kernels of that variant."""
    known = {}
    for (op, _), kernels in started.items():
        whole = set(kernels) <= set(proven_launchers.get(op, ()))
        for kernel in kernels:
            known[kernel] = known.get(kernel, True) and whole
    return {kernel for kernel, all_known in known.items() if all_known}


class Check:
    def __init__(self, rows, started, results, kernels, owners, launches):
        self.rows, self.started, self.results, self.kernels, self.owners = rows, started, results, kernels, owners
        self.launches = launches
        self.errors, self.count = [], 0

    def run(self):
        for op, variant, level in self.rows:
            started = self.started.get((op, variant), [])
            if not started:
                self.complain(op, variant, "launch", "proofs/launches has no kernel of it")
            if level != "PM_CHECKED":
                for kernel in started:
                    self.kernel(op, variant, level, kernel)
                if level in ("PM_VALUE", "PM_RACES"):
                    self.value(op, variant, started)
        for op, variant in sorted(set(self.started) - {r[:2] for r in self.rows}):
            self.complain(op, variant, "launch", "proofs/launches has it, the kernel table does not")
        for op in sorted(self.launches):
            variants = [v for o, v, _ in self.rows if o == op]
            if not variants:
                self.complain(op, "-", "launch", "its launcher is proven, and it is no op of the kernel table")
            if any(k.startswith("launch_") for k in self.launches[op]):
                continue
            seen = {k for (o, _), kernels in self.started.items() if o == op for k in kernels}
            for kernel in sorted(seen - set(self.launches[op])):
                self.complain(op, ", ".join(variants), "launch", "its launcher is proven, and starts %s, of which the "
                              "proof knows nothing" % kernel)
        for kernel in sorted(set(self.kernels.homes) - {k for ks in self.started.values() for k in ks}):
            self.errors.append("%s: %s: launch: no variant starts it" % (self.kernels.homes[kernel][1], kernel))
        return self.errors

    def complain(self, op, variant, rule, text):
        self.errors.append("%s %s: %s: %s" % (op, variant, rule, text))

    def kernel(self, op, variant, level, kernel):
        self.count += 1
        if self.kernels.contract(kernel) is None:
            self.complain(op, variant, "contract", "its level is %s, and %s has none" % (level, kernel))
        elif not all(map(self.results.get, [self.kernels.homes.get(kernel, (kernel,))[0],
                                            *self.kernels.instances(kernel)])):
            self.complain(op, variant, "goals", "its level is %s, and proofs/results does not have all goals "
                          "of %s" % (level, kernel))
        elif level in ("PM_VALUE", "PM_RACES"):
            if level == "PM_RACES" and self.kernels.homes.get(kernel, (kernel,))[0] not in self.owners:
                self.complain(op, variant, "races", "its level is %s, and proofs/results names no owners of what "
                              "%s writes" % (level, kernel))
            for pointer in self.kernels.unsaid(kernel):
                self.complain(op, variant, "value", "the contract of %s gives no value to all of %s"
                              % (kernel, pointer))

    def value(self, op, variant, started):
        have = [k for k in started if self.kernels.contract(k)]
        said = set().union(*(self.kernels.functions(k) for k in have)) if have else set()
        for name in sorted(self.kernels.promised(op) - said):
            if not any(self.kernels.excused(k, name) for k in started):
                self.complain(op, variant, "value", "ref_%s gives %s, %s say nothing of it"
                              % (op, name, ", ".join(started)))


def table():
    """[(op, variant, level)] of every family."""
    return Tree(ROOT).kernel_rows()


def main():
    tables = statements.listed()
    kernels = statements.Kernels(claims.read(), claims.kernels(), tables)
    rows, started, results, owners = table(), launches(ROOT), proven(ROOT), owned(ROOT)
    if sys.argv[1:] == ["--self-test"]:
        return self_test(rows, started, results, kernels, owners)
    check = Check(rows, started, results, kernels, owners, launchers(ROOT))
    errors = check.run()
    errors += ["proofs/statements: [kernels] %s: %s excuses nothing" % fact for fact in tables["kernels"]
               if ("kernels",) + fact not in kernels.used]
    for e in errors:
        print("levels: " + e)
    print("levels: %d variants, %d kernels of theirs with a level, %d errors"
          % (len(rows), check.count, len(errors)))
    return 1 if errors or not rows else 0


def self_test(rows, started, results, kernels, owners):
    """(what is planted, the message)"""
    weak = next(r for r in rows if r[2] == "PM_CHECKED")
    safe = next(r for r in rows if r[2] == "PM_SAFE")
    soft = ("softmax", "regs")
    bare = dict(kernels.lock)
    lines = bare["contract softmax_regs"]
    without = lambda word: {**bare, "contract softmax_regs": [l for l in lines if not l.startswith(word)]}
    part = [l.replace("\\old(rows)", "1") if l.startswith("ensures") else l for l in lines]
    other = [l.replace("soft_rows", "normed_rows") if l.startswith("ensures") else l for l in lines]
    again = lambda lock: statements.Kernels(lock, kernels.homes, kernels.tables)
    raised = lambda row, level: [r if r != row else row[:2] + (level,) for r in rows]
    plants = [
        ("a level of a kernel without a contract", r"contract: its level is PM_SAFE",
         (raised(weak, "PM_SAFE"), started, results, kernels)),
        ("a level raised to value", r"value: ", (raised(safe, "PM_VALUE"), started, results, kernels)),
        ("a kernel's rows gone from proofs/units", "goals: its level is PM_RACES",
         (rows, started, {k: v for k, v in results.items() if k != "softmax_regs"}, kernels)),
        ("a goal that is not proven", "goals: ", (rows, started, {**results, "softmax_regs": False}, kernels)),
        ("a contract gone", "softmax regs: contract: ", (rows, started, results, again(
            {k: v for k, v in bare.items() if k != "contract softmax_regs"}))),
        ("ensures gone", "softmax regs: value: ", (rows, started, results, again(without("ensures")))),
        ("an equation of some rows", "softmax regs: value: ",
         (rows, started, results, again({**bare, "contract softmax_regs": part}))),
        ("another launched kernel", "softmax regs: ",
         (rows, {**started, soft: ["sum_blocks"]}, results, kernels)),
        ("a level raised to races", "softmax shared: races: ",
         (raised(("softmax", "shared", "PM_VALUE"), "PM_RACES"), started, results, kernels)),
        ("a variant that starts nothing", "softmax regs: launch: ",
         (rows, {**started, soft: []}, results, kernels)),
        ("a variant that is gone", "softmax regs: launch: ",
         ([r for r in rows if r[:2] != soft], started, results, kernels)),
    ]
    plants = [plant + (launchers(ROOT),) for plant in plants]
    same = (rows, started, results, kernels)
    plants += [
        ("a launcher that starts what the proof has not", "add_bias .*launch: its launcher", same,
         {"add_bias": ["add_bias_vec4"]}),
        ("a proven launcher of an op of five rows that starts what the proof has not", "softmax .*launch: its launcher",
         same, {"softmax": started[soft]}),
        ("a proven launcher of no op", "softmax_regs -: launch: ", same, {"softmax_regs": started[soft]}),
    ]
    of_two = {("add", "vec4"): ["a"], ("sub", "vec4"): ["a"]}
    if launched(of_two, {"add": ["a"]}) or launched(of_two, {"add": ["a"], "sub": ["a"]}) != {"a"}:
        raise SystemExit("levels self-test: a kernel that two ops launch")
    if resolved({"launch_o": ["launch_i", "launch_x"], "launch_i": ["k"]}) != {"o": ["k", "launch_x"]} or \
       launched({("o", "v"): ["k", "l"], ("o", "w"): ["m"]}, {"o": ["k", "m", "launch_x"]}) != {"m"}:
        raise SystemExit("levels self-test: a launcher that calls one that is not read")
    missed = 0
    for what, message, given, starts in plants:
        found = Check(*given, owners, starts).run()
        if not any(re.search(message, e) for e in found):
            missed += 1
            print("levels self-test: %s was not found" % what)
    print("levels self-test: %d faults planted, %d found" % (len(plants), len(plants) - missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
