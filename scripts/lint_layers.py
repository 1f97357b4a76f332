"""Who may include whom in cuda/: rooms stand on floors, and an include goes down, never up or across.

lint_layers.py               checks this tree
lint_layers.py --self-test   each rule is broken once; each must be found

  up       a room includes itself and rooms of lower floors: FLOORS from the ground up, then families
  across   families are one floor and never include one another
  host     host/ (arguments, back ends, picking a variant) only from launchers: never from sim, lang,
           math, collective
  door     from outside cuda/ only the files that stand in cuda/ itself are included; by tests and
           scripts host/, lang/, math/, collective/, random/ and sim/ too
  missing  each family of spec/ops.def has its door, cuda/FAMILY/FAMILY.cu, and each room a floor
  debt     an include that is excused in DEBTS is there
"""
import glob
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLOORS = ("sim", "lang", "math", "collective", "map sum row product window", "lse")
DEBTS = {}  # (who, whom): what would pay it. A debt may only go
TESTS_TOO = ("host", "lang", "math", "collective", "random", "sim")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)


def families(root):
    with open(os.path.join(root, "spec/ops.def")) as f:
        return sorted(set(re.findall(r"^OP\(\s*\w+\s*,\s*(\w+)", f.read(), re.M)))


def room_of(path):
    """"softmax" of cuda/softmax/warp.cu, "" of cuda/launch.h, None outside cuda/."""
    parts = path.split("/")
    return None if parts[0] != "cuda" else parts[1] if len(parts) > 2 else ""


class Layers:
    def __init__(self, root, debts):
        self.root, self.debts, self.errors, self.seen = root, debts, [], set()
        self.families = families(root)
        self.floors = {r: i for i, rooms in enumerate(FLOORS) for r in rooms.split()}
        self.floors.update({f: len(FLOORS) for f in self.families})

    def includes(self):
        """(file, line, what it includes) for each include of a file of cuda/."""
        for path in sorted(glob.glob(os.path.join(self.root, "**", "*.*"), recursive=True)):
            who = os.path.relpath(path, self.root)
            if not who.endswith((".h", ".c", ".cu", ".cuh", ".cpp")) or who.startswith("build"):
                continue
            with open(path, errors="replace") as f:
                text = f.read()
            for m in INCLUDE.finditer(text):
                for base in (os.path.dirname(who), ""):  # as compilers look for it, with -I.
                    whom = os.path.normpath(os.path.join(base, m[1]))
                    if os.path.exists(os.path.join(self.root, whom)):
                        if whom.startswith("cuda/"):
                            yield who, text.count("\n", 0, m.start()) + 1, whom
                        break

    def broken(self, who, whom):
        """The rule that an include breaks, or nothing."""
        a, b = room_of(who), room_of(whom)
        if a is None:
            tests = who.startswith(("tests/", "scripts/", "docs/")) and b in TESTS_TOO
            return None if b == "" or tests else "door"
        if a == b or b == "" or a == "host" and b in ("sim", "lang", "math"):
            return None
        if b == "host":
            return "host" if a in ("sim", "lang", "math", "collective") else None
        if (a, b) == ("lang", "sim"):  # kernel.h's reading by the simulator
            return None
        if a not in self.floors or b not in self.floors:
            return "missing"
        if a in self.families and b in self.families:
            return "across"
        return None if self.floors[b] < self.floors[a] else "up"

    def check(self):
        n = 0
        for who, line, whom in self.includes():
            n += 1
            rule = self.broken(who, whom)
            if rule and (who, whom) in self.debts:
                self.seen.add((who, whom))
            elif rule:
                self.errors.append("%s:%d: %s: includes %s" % (who, line, rule, whom))
        for debt in sorted(set(self.debts) - self.seen):
            self.errors.append("%s: debt: does not include %s any more" % debt)
        for f in self.families:
            if not os.path.exists(os.path.join(self.root, "cuda/%s/%s.cu" % (f, f))):
                self.errors.append("cuda/%s/%s.cu: missing: a family's door has its name" % (f, f))
        return n


def check(root=ROOT, debts=None):
    layers = Layers(root, DEBTS if debts is None else debts)
    n = layers.check()
    if not n:
        layers.errors.append("cuda: missing: no include was found")
    for e in layers.errors:
        print("layers: " + e)
    print("layers: %d includes of cuda/, %d debts, %d errors" % (n, len(layers.debts),
                                                               len(layers.errors)))
    return 1 if layers.errors else 0


TREE = {
    "spec/ops.def": 'OP(norm, norm, norm, "E")\nOP(loss, loss, loss, "E")\n',
    "cuda/launch.h": "",
    "cuda/sim/sim.h": "",
    "cuda/host/check.h": '#include "../lang/kernel.h"\n',
    "cuda/lang/kernel.h": '#include "../sim/sim.h"\n',
    "cuda/row/regs.h": '#include "../lang/kernel.h"\n',
    "cuda/lse/online.h": '#include "../row/regs.h"\n',
    "cuda/norm/norm.cu": '#include "../launch.h"\n#include "../host/check.h"\n',
    "cuda/norm/plan.h": '#include "../lse/online.h"\n',
    "cuda/loss/loss.cu": '#include "../row/regs.h"\n',
    "tests/test.c": '#include "../cuda/host/check.h"\n',
    "diffcheck/a.c": '#include "../cuda/launch.h"\n',
}
BROKEN = [  # (rule, file, what is put in)
    ("up", "cuda/lang/kernel.h", "../row/regs.h"),
    ("up", "cuda/row/regs.h", "../lse/online.h"),
    ("up", "cuda/row/regs.h", "cuda/norm/plan.h"),
    ("across", "cuda/loss/loss.cu", "../norm/plan.h"),
    ("host", "cuda/lang/kernel.h", "../host/check.h"),
    ("door", "diffcheck/a.c", "../cuda/norm/plan.h"),
    ("door", "diffcheck/a.c", "../cuda/sim/sim.h"),
    ("door", "tests/test.c", "../cuda/norm/plan.h"),
    ("missing", "cuda/attic/a.h", "../lang/kernel.h"),
    ("missing", "spec/ops.def", None),
]


def self_test():
    found = 0
    for rule, path, what in [(None, "cuda/launch.h", None)] + BROKEN + [("debt", "cuda/launch.h", None)]:
        tree = dict(TREE)
        if what:
            tree[path] = tree.get(path, "") + '#include "%s"\n' % what
        elif rule == "missing":
            tree[path] += 'OP(conv, conv, conv, "E")\n'
        with tempfile.TemporaryDirectory() as root:
            for name, text in tree.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w") as f:
                    f.write(text)
            layers = Layers(root, {("cuda/lse/online.h", "cuda/loss/loss.cu"): "x"} if rule == "debt" else {})
            layers.check()
        if not any(": %s: " % rule in e for e in layers.errors) if rule else layers.errors:
            raise SystemExit("layers self-test: %s: got %s" % (rule or "good text", layers.errors))
        found += rule is not None
    print("layers self-test: %d faults planted, %d found" % (found, found))


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else check())
