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
Of an op of a room that has a contract.h (cuda/FAMILY/contract*.h)
  same       each variant of one of these two levels ensures what the others do of the predicates that stand there,
             and one at least, unless all of them start the same kernels; none of these names has another meaning
             in the room
Of an op whose launcher is proven
  launch     it starts no kernel but those that the prover saw, or that a launcher may start which is not read"""
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "proofs", "tools"))

import acsl
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


class Rooms:
    """Of each room of cuda/ that has a contract, the predicates that stand in its contract*.h."""

    def __init__(self, texts):
        """texts: {path: text} of the rooms' files."""
        self.texts, self.of = texts, {}
        for path, text in texts.items():
            if re.fullmatch(r"cuda/\w+/contract\w*\.h", path):
                for name in re.findall(r"\bpredicate (\w+)", text):
                    self.of.setdefault(path.split("/")[1], {})[name] = path

    @staticmethod
    def read(root):
        texts = {}
        for room in {os.path.dirname(p) for p in glob.glob(os.path.join(root, "cuda", "*", "contract*.h"))}:
            for path in sorted(glob.glob(os.path.join(room, "*.h")) + glob.glob(os.path.join(room, "*.cu"))):
                with open(path) as f:
                    texts[os.path.relpath(path, root)] = f.read()
        return Rooms(texts)

    def twins(self):
        """[(path, name)]: other definitions of a contract's names in its room."""
        return [(path, name) for path, text in sorted(self.texts.items())
                for name in re.findall(r"\bpredicate (\w+)", text)
                if self.of.get(path.split("/")[1], {}).get(name, path) != path]

    def ensured(self, contract, room):
        """The predicates of a room's contract that a kernel ensures of its outputs, as text with the premises
        before them, without arguments: variants name these as they like."""
        found, todo = set(), [((), clause) for clause in contract.ensures]
        while todo:
            premises, tree = todo.pop()
            if tree[0] == "binary" and tree[1] == "&&":
                todo += [(premises, part) for part in acsl.conjuncts(tree)]
            elif tree[0] == "binary" and tree[1] == "==>":
                todo.append((premises + (acsl.show(tree[2]),), tree[3]))
            elif tree[0] == "call" and tree[1] in self.of.get(room, {}) and tuple(tree[2]) == ("Pre", "Post"):
                found.add(" ==> ".join(premises + (tree[1],)))
        return found


class Check:
    def __init__(self, rows, started, results, kernels, owners, launches, rooms):
        self.rows, self.started, self.results, self.kernels, self.owners = rows, started, results, kernels, owners
        self.launches, self.rooms = launches, rooms
        self.errors, self.count, self.ops = [], 0, 0

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
        self.same()
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

    def same(self):
        """Whether an op's variants ensure the same of the contract of their room."""
        valued = {}
        for op, variant, level in self.rows:
            kernels = self.started.get((op, variant), [])
            rooms = {self.kernels.homes[k][1].split("/")[1] for k in kernels if k in self.kernels.homes}
            rooms &= set(self.rooms.of)
            if level in ("PM_VALUE", "PM_RACES") and rooms:
                valued.setdefault(op, {})[variant] = kernels, rooms
        for op, variants in sorted(valued.items()):
            if len({tuple(sorted(kernels)) for kernels, _ in variants.values()}) == 1:
                continue
            self.ops += 1
            said = {variant: set().union(*(self.rooms.ensured(self.kernels.contract(k), room) for k in kernels
                                           for room in rooms if self.kernels.contract(k)))
                    for variant, (kernels, rooms) in variants.items()}
            whole = set().union(*said.values())
            for variant, (kernels, rooms) in variants.items():
                for text in sorted(whole - said[variant]):
                    self.complain(op, variant, "same", "another variant ensures %s; %s do not"
                                  % (text, ", ".join(kernels)))
                if not said[variant]:
                    self.complain(op, variant, "same", "%s ensure no predicate of cuda/%s/contract*.h"
                                  % (", ".join(kernels), "|".join(sorted(rooms))))
        for path, name in self.rooms.twins():
            self.errors.append("%s: same: %s has its meaning in %s"
                               % (path, name, self.rooms.of[path.split("/")[1]][name]))

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
    check = Check(rows, started, results, kernels, owners, launchers(ROOT), Rooms.read(ROOT))
    errors = check.run()
    errors += ["proofs/statements: [kernels] %s: %s excuses nothing" % fact for fact in tables["kernels"]
               if ("kernels",) + fact not in kernels.used]
    for e in errors:
        print("levels: " + e)
    print("levels: %d variants, %d kernels of theirs with a level, %d ops with one contract for all variants, "
          "%d errors" % (len(rows), check.count, check.ops, len(errors)))
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
    rooms, same = Rooms.read(ROOT), (rows, started, results, kernels)
    told = lambda kernel, old, new: (rows, started, results, again(
        {**bare, "contract " + kernel: [l.replace(old, new) for l in bare["contract " + kernel]]}))
    plants += [
        ("a variant that ensures a predicate of its own", "softmax cluster: same: .* soft_rows",
         told("softmax_cluster", "soft_rows", "rows_soft")),
        ("a variant that ensures it under a premise of its own", "log_softmax warp: same: .* soft_rows",
         told("softmax_warp", "ensures soft_rows", "ensures 0 < \\old(rows) ==> soft_rows")),
        ("a variant that leaves a predicate out", "layer_norm stream: same: .* rstd_rows",
         told("norm_stream", "rstd_rows", "rstds")),
        ("what was before the call, for what is after it", "masked_softmax regs: same: .* masked_rows",
         told("masked_softmax_regs", "masked_rows{Pre, Post}", "masked_rows{Pre, Pre}")),
    ]
    plants = [plant + (launchers(ROOT), rooms) for plant in plants]
    bereft = Rooms({**rooms.texts, "cuda/loss/contract.h": ""})
    twin = Rooms({**rooms.texts, "cuda/softmax/regs.cu": "/*@ predicate soft_rows{L0,L}(float *y) = \\true; */"})
    plants += [
        ("an op of a room with a contract that has none", "cross_entropy warp: same: .* no predicate",
         same, launchers(ROOT), bereft),
        ("a second meaning of a contract's name", "softmax/regs.cu: same: soft_rows", same, launchers(ROOT), twin),
        ("a launcher that starts what the proof has not", "add_bias .*launch: its launcher", same,
         {"add_bias": ["add_bias_vec4"]}, rooms),
        ("a proven launcher of an op of five rows that starts what the proof has not", "softmax .*launch: its launcher",
         same, {"softmax": started[soft]}, rooms),
        ("a proven launcher of no op", "softmax_regs -: launch: ", same, {"softmax_regs": started[soft]}, rooms),
    ]
    of_two = {("add", "vec4"): ["a"], ("sub", "vec4"): ["a"]}
    if launched(of_two, {"add": ["a"]}) or launched(of_two, {"add": ["a"], "sub": ["a"]}) != {"a"}:
        raise SystemExit("levels self-test: a kernel that two ops launch")
    if resolved({"launch_o": ["launch_i", "launch_x"], "launch_i": ["k"]}) != {"o": ["k", "launch_x"]} or \
       launched({("o", "v"): ["k", "l"], ("o", "w"): ["m"]}, {"o": ["k", "m", "launch_x"]}) != {"m"}:
        raise SystemExit("levels self-test: a launcher that calls one that is not read")
    missed = 0
    for what, message, given, starts, read in plants:
        found = Check(*given, owners, starts, read).run()
        if not any(re.search(message, e) for e in found):
            missed += 1
            print("levels self-test: %s was not found" % what)
    print("levels self-test: %d faults planted, %d found" % (len(plants), len(plants) - missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
