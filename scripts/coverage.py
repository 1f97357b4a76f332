"""Walks spec/ops.def and fails where an op lacks one of its parts, or a part has no op.

coverage.py [ROOT]        checks a tree
coverage.py --self-test   takes parts out of copies of this tree; each gap must be found
"""
import ast
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "proofs/tools"))
import kernels  # noqa: E402: of proofs/tools

BOUNDED = "SCU"  # classes whose outputs have an error bound
SHARED = {  # files that serve several families
    "spec": {"index", "real", "pair", "walk", "window"},
    "ref": {"ref", "pair", "accumulate", "math", "elementary", "walk", "lost", "hat", "log_sum_exp",
            "norm_pair", "halves", "logistic", "positive", "scalar", "attention_row", "attention_pair",
            "attention_apart", "attention_frames", "attention_vjp_frames", "view", "view_pair",
            "window", "lines", "spectral_wave", "multi_head_frames", "multi_head_products", "multi_head_pair",
            "multi_head_grads", "multi_head_grads_pair", "multi_head_grads_bound"},
}

PARTS = ("", "_bound", "_vjp", "_vjp_bound", "_smooth")  # of a family's files in ref/

# Forward ops without a VJP: they make values from nothing that could have a gradient, are the step
# that is taken along one, have the gradient of another op for an output, or serve no training.
NO_VJP = {"fill", "zeros", "ones", "rand_uniform", "rand_normal", "bernoulli",
          "sgd_step", "adam_step", "adamw_step", "cross_entropy_grad", "decode_sdpa"}


# of a kernel table: op, variant, level
ROW = re.compile(r'\{\s*"(\w+)"\s*,\s*"(\w+)"\s*,[^{}]*?\b(PM_(?:CHECKED|SAFE|VALUE|RACES))\b')


class Tree:
    def __init__(self, root):
        self.root, self.errors, self.parts, self.variants = root, [], 0, set()
        self.ops = self.catalogue()
        self.families = sorted({op["family"] for op in self.ops})
        self.names = {op["name"] for op in self.ops}

    def catalogue(self):
        """The rows as the C preprocessor reads them."""
        text = self.preprocess("spec/ops.def", ["-x", "c", "-P", "-DOP(...)=@ROW (__VA_ARGS__)"])
        ops = []
        for row in text.split("@ROW")[1:]:
            m = re.match(r'\s*\(\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*"(\w*)"'
                         r'((?:\s*,\s*(?:"[^"]*"\s*)+){5})\)', row)
            if not m:
                raise SystemExit("coverage: a row of spec/ops.def has no name, family, forward and "
                                 "classes: %s" % row.strip()[:60])
            ops.append(dict(zip(("name", "family", "forward", "classes"), m.groups())))
            dims, attributes = re.findall(r',\s*((?:"[^"]*"\s*)+)', m[5])[2:4]
            ops[-1]["sizes"] = re.findall(r"\w+", dims + attributes)
        if not ops:
            raise SystemExit("coverage: spec/ops.def has no row")
        return ops

    def preprocess(self, path, flags):
        r = subprocess.run(["gcc", "-E", "-I."] + flags + [path], cwd=self.root,
                           capture_output=True, text=True)
        if r.returncode:
            at_fault = [line for line in r.stderr.splitlines() if "error:" in line]
            self.errors.append("the preprocessor fails on %s: %s" % (path, " ".join(at_fault)))
        return r.stdout

    def read(self, path):
        try:
            with open(os.path.join(self.root, path)) as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def stems(self, pattern):
        return {os.path.splitext(os.path.basename(p))[0]
                for p in glob.glob(os.path.join(self.root, pattern))}

    def need(self, there, what):
        self.parts += 1
        if not there:
            self.errors.append(what)

    # -- one layer each

    def specs(self):
        for family in self.families:
            path = "spec/%s.h" % family
            self.need(self.read(path), "%s is missing" % path)
            for layer in ("ref/%s.h" % family,):
                self.need('#include "../%s"' % path in self.read(layer),
                          "%s does not include %s" % (layer, path))
        self.no_stranger("spec/*.h", SHARED["spec"] | {f + part for f in self.families for part in ("_vjp", "_smooth")})

    def references(self):
        results = {}
        for path in glob.glob(os.path.join(self.root, "proofs/results/*.json")):
            with open(path) as f:
                entry = json.load(f)
            if entry.get("reading") == "ref":
                results.update(entry.get("functions", {}))
        for op in self.ops:
            wanted = ["ref_" + op["name"]]
            if set(op["classes"]) & set(BOUNDED):
                wanted.append("bound_" + op["name"])
            header, source = ("ref/%s.%s" % (op["family"], e) for e in "hc")
            text = "".join(self.read("ref/%s%s.c" % (op["family"], part)) for part in PARTS)
            contracts = self.contracts(op["family"])
            if op["name"] == "copy":  # of use to every family, so not with its own
                header, source = "ref/accumulate.h", "ref/accumulate.c"
                text, contracts = self.read(source), self.read(header)
            for f in wanted:
                contract = r"/\*@(?:(?!\*/).)*\bensures\b(?:(?!\*/).)*\*/\s*void\s+%s\s*\(" % f
                self.need(re.search(contract, contracts, re.S),
                          "%s has no contract in %s" % (f, header))
                self.need(re.search(r"\b%s\s*\([^;{}]*\)\s*\{" % f, text),
                          "%s is not defined in %s" % (f, source))
                r = results.get(f, {})
                self.need(r.get("goals", 0) > 0 and r["goals"] == r.get("proven"),
                          "%s is not proven in proofs/results" % f)
        bounds = {op["name"] for op in self.ops if set(op["classes"]) & set(BOUNDED)}
        for family in self.families:
            for kind, name in re.findall(r"\bvoid\s+(ref|bound)_(\w+)\s*\(", self.contracts(family)):
                self.need(name in (self.names if kind == "ref" else bounds),
                          "ref/%s.h: %s_%s has no op" % (family, kind, name))
        self.no_stranger("ref/*.[ch]", SHARED["ref"] | {f + part for f in self.families for part in PARTS})

    def contracts(self, family):
        """A family's headers: its own, and those of an op or of gradients that stand apart."""
        return "".join(self.read("ref/%s%s.h" % (family, part)) for part in ("", "_vjp", "_smooth"))

    def kernel_rows(self):
        """[(op, variant, level)] of the kernel tables."""
        return [row for family in self.families for row in ROW.findall(self.own_text(door(family)))]

    def kernels(self):
        """The .cu files as the simulator's compiler reads them, macros expanded."""
        launch = self.read("cuda/launch.h")
        launchers = set(re.findall(r"\bLAUNCHER\((\w+),", launch.split("define PM_LAUNCHERS")[-1]))
        for name in sorted(self.names ^ launchers):
            self.need(False, "%s stands in only one of cuda/launch.h and spec/ops.def" % name)
        for family in self.families:
            path = door(family)
            text = self.own_text(path) if self.read(path) else ""
            ops = {op["name"] for op in self.ops if op["family"] == family}
            defined = set(re.findall(r"\bpm_sim_(\w+)\s*\([^;{}]*\)\s*\{", text))
            rows = ROW.findall(text)
            self.variants |= {(name, variant) for name, variant, _ in rows}
            for name in sorted(ops):
                self.need(name in defined, "%s has no launcher in %s" % (name, path))
                self.need(name in {r[0] for r in rows}, "%s has no kernel row in %s" % (name, path))
            for name in sorted((defined & launchers | {r[0] for r in rows}) - ops):
                self.need(False, "%s: %s is no op of this family" % (path, name))
            for name, f in self.map_instances(path):
                self.need(proven_map(self.cuda_results(path), name, f),
                          "%s: %s_%s is not proven in proofs/results" % (path, name, f))
        listed = re.search(r"define\s+PM_FAMILIES\(F\)((?:.*\\\n)*.*)", self.read("cuda/host/table.h"))
        self.need(listed and sorted(re.findall(r"F\((\w+)\)", listed[1])) == self.families,
                  "PM_FAMILIES of cuda/host/table.h does not list the families of spec/ops.def")
        for stem in sorted(self.stems("cuda/*/*.cu")):
            self.need("PM_FAMILY(" not in self.read(door(stem)) or stem in self.families,
                      "%s is a family without an op" % door(stem))

    def launches(self):
        """proofs/launches: every variant, and every __global__ function, by which one that none starts is
        found; what a launch requires is asked by cuda/sim/requires.cpp, which knows them all."""
        rows = [line.split() for line in self.read("proofs/launches").splitlines()]
        listed, started = {tuple(row[:2]) for row in rows}, {k for row in rows for k in row[2:]}
        for name, variant in sorted(self.variants ^ listed):
            self.need(False, "%s %s stands in only one of the kernel table and proofs/launches" % (name, variant))
        for row in rows:
            self.need(row[2:], "proofs/launches: %s starts no kernel" % " ".join(row))
        there = {k.name: k.path for k in kernels.find(self.root)}
        asked = set(re.findall(r'^    \{"(\w+)", ', self.read("cuda/sim/requires.cpp"), re.M))
        for name in sorted(there):
            self.need(name in started, "%s: proofs/launches has no launcher that starts %s" % (there[name], name))
            self.need(name in asked, "%s: cuda/sim/requires.cpp does not know %s" % (there[name], name))
        for name in sorted((started | asked) - set(there)):
            self.need(False, "%s of proofs/launches or cuda/sim/requires.cpp is no KERNEL of cuda/" % name)

    def map_instances(self, path):
        """(kernel, f0 or f1) for each function of one element that an instance of map.h takes."""
        found = []
        for block in re.split(r'#include "\.\./map/map\.h"', self.read(path))[:-1]:
            name = re.findall(r"#define MAP_NAME (\w+)", block)
            for f in re.findall(r"#define MAP_F([01])\b", block):
                found.append((name[-1], "f" + f))
        return found

    def cuda_results(self, path):
        text = self.read("proofs/results/%s.json" % path.replace("/", "_"))
        return json.loads(text).get("functions", {}) if text else {}

    def own_text(self, path):
        """Preprocessed, system headers left out."""
        keep, out = True, []
        for line in self.preprocess(path, ["-x", "c++", "-DPM_SIM"]).splitlines():
            m = re.match(r'# \d+ "([^"]*)"', line)
            if m:
                keep = not m[1].startswith(("/", "<"))
            elif keep:
                out.append(line)
        return "\n".join(out)

    def harness(self):
        for op in self.ops:
            path = "diffcheck/ops/%s.c" % op["family"]
            self.need(re.search(r"\bconst\s+dc_glue\s+dc_glue_%s\s*=" % op["name"],
                                self.read(path)), "%s has no glue in %s" % (op["name"], path))
        for stem in sorted(self.stems("diffcheck/ops/*.c")):
            for name in re.findall(r"\bconst\s+dc_glue\s+dc_glue_(\w+)\s*=",
                                   self.read("diffcheck/ops/%s.c" % stem)):
                self.need(any(op["name"] == name and op["family"] == stem for op in self.ops),
                          "diffcheck/ops/%s.c: dc_glue_%s has no op" % (stem, name))
        self.no_stranger("diffcheck/ops/*.c", set())

    def peers(self):
        """Each op is timed beside PyTorch, by a function that takes its dims and attributes."""
        path, known = "diffcheck/commands/peers.py", {}
        for node in ast.parse(self.read(path)).body + ast.parse(self.read("diffcheck/commands/peers_products.py")).body:
            if isinstance(node, ast.FunctionDef):
                if any(getattr(d, "id", "") == "peer" for d in node.decorator_list):
                    known[node.name] = node.args
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                known.update((k.value, None) for k in node.value.keys)
        for op in self.ops:
            name, args = op["name"], known.pop(op["name"], ())
            self.need(args != (), "%s has no peer in %s" % (name, path))
            if args:
                takes = [a.arg for a in args.args]
                needs = takes[:len(takes) - len(args.defaults)]
                self.need(set(needs) <= set(op["sizes"]) and
                          (args.kwarg or set(op["sizes"]) <= set(takes)),
                          "%s: %s does not take %s" % (path, name, " ".join(op["sizes"])))
        for name in sorted(known):
            self.need(False, "%s: %s is no op of spec/ops.def" % (path, name))

    def rows(self):
        """Each VJP has a forward op of its family, each forward op a VJP, or none by NO_VJP."""
        for op in self.ops:
            if op["name"] in NO_VJP:
                continue
            other = op["forward"] if op["name"].endswith("_vjp") else op["name"] + "_vjp"
            self.need(any(o["name"] == other and o["family"] == op["family"] for o in self.ops),
                      "spec/ops.def: %s has no %s in its family" % (op["name"], other))
            self.need(op["classes"], "spec/ops.def: %s has no accuracy class" % op["name"])

    def theorems(self, table, wanted, what, without):
        """Each of these ops has a row in proofs/TABLE, with theorems that stand where the row says;
        `without` is the level that has none."""
        rows = {}
        for line in self.read("proofs/" + table).splitlines():
            row = [w.strip() for w in line.split("|")]
            if len(row) == 5 and not line.startswith("#"):
                rows[row[0]] = row
        for name in sorted(wanted):
            self.need(name in rows, "%s has no row in proofs/%s" % (name, table))
        for name in sorted(set(rows) - wanted):
            self.need(False, "proofs/%s: %s is no %s of spec/ops.def" % (table, name, what))
        for name, level, theorems, files, _ in rows.values():
            text = "".join(self.read("proofs/%s.v" % f) for f in files.split(", "))
            for theorem in theorems.split(", ") if level != without else ():
                self.need(re.search(r"^(Theorem|Corollary) %s\b" % theorem, text, re.M),
                          "%s: %s has no theorem %s" % (name, files, theorem))

    def no_stranger(self, pattern, shared):
        for stem in sorted(self.stems(pattern) - set(self.families) - shared):
            self.need(False, "%s: %s is no family of spec/ops.def" % (pattern, stem))

    def check(self):
        self.rows()
        self.specs()
        self.references()
        self.kernels()
        self.launches()
        self.harness()
        self.peers()
        self.theorems("calculus", {op["name"] for op in self.ops if op["name"].endswith("_vjp")},
                      "VJP", "none")
        self.theorems("bounds", {op["name"] for op in self.ops if set(op["classes"]) & set(BOUNDED)},
                      "op with a bound", "derived")
        return self.errors


def door(family):
    """The file of the launchers and of the kernel table."""
    return "cuda/%s/%s.cu" % (family, family)


def proven_map(functions, name, f):
    r = functions.get("%s_%s" % (name, f), {})
    return r.get("goals", 0) > 0 and r["goals"] == r.get("proven")


LAYERS = ("spec", "ref", "cuda", "diffcheck", "proofs")


def edit(path, change):
    with open(path) as f:
        text = f.read()
    new = change(text)
    if new == text:
        raise SystemExit("coverage self-test: the fault for %s changed nothing" % path)
    with open(path, "w") as f:
        f.write(new)


def faults(tree):
    """(what must be reported, how to break a copy of the tree)"""
    op = next(o for o in tree.ops if o["name"] == "matmul_vjp")
    name, family = op["name"], op["family"]

    def at(path, change):
        return lambda root: edit(os.path.join(root, path), change)

    def without(pattern, to="gone"):
        return lambda text: re.sub(pattern, to, text)

    results = "proofs/results/ref_%s.c.json" % family

    def unprove(text):
        entry = json.loads(text)
        entry["functions"]["bound_" + name]["proven"] -= 1
        return json.dumps(entry)

    return [
        ("spec/%s.h is missing" % family,
         lambda root: os.remove(os.path.join(root, "spec/%s.h" % family))),
        ("ref_%s has no contract" % name,
         at("ref/%s.h" % family, lambda t: re.sub(r"\*/(\s*void\s+ref_%s\b)" % name,
                                                  r"*/ int between; \1", t))),
        ("ref_%s is not defined" % name,
         at("ref/%s.c" % family, without(r"\bref_%s\b" % name, "ref_other"))),
        ("bound_%s has no contract" % name,
         at("ref/%s.h" % family, without(r"\bbound_%s\b" % name, "bound_other"))),
        ("bound_other has no op",
         at("ref/%s.h" % family, without(r"\bbound_%s\b" % name, "bound_other"))),
        ("bound_%s is not proven" % name, at(results, unprove)),
        ("%s has no launcher" % name,
         at(door(family), without(r"LAUNCHER\(%s\)" % name, "LAUNCHER(other)"))),
        ("%s has no kernel row" % name,
         at(door(family), without(r'"%s"' % name, '"other"'))),
        ("other is no op of this family",
         at(door(family), without(r'"%s"' % name, '"other"'))),
        ("%s has no glue" % name,
         at("diffcheck/ops/%s.c" % family, without(r"dc_glue_%s\b" % name, "dc_glue_other"))),
        ("dc_glue_other has no op",
         at("diffcheck/ops/%s.c" % family, without(r"dc_glue_%s\b" % name, "dc_glue_other"))),
        ("%s has no peer" % name,
         at("diffcheck/commands/peers_products.py", without(r'"%s": lambda [^"\n]*,' % name, ""))),
        ("does not take rows cols",
         at("diffcheck/commands/peers.py", without(r"cross_entropy\(rows, cols", "cross_entropy(rows"))),
        ("other is no op of spec", at("diffcheck/commands/peers.py", without('"softplus"', '"other"'))),
        ("stranger is no family", lambda root: open(os.path.join(root, "ref/stranger.c"), "w")),
        ("sum_vjp_map_f0 is not proven",
         at("proofs/results/cuda_reduce_reduce.cu.json", without(r'"sum_vjp_map_f0"', '"other"'))),
        ("%s has no row in proofs/calculus" % name, at("proofs/calculus", without(name, "other_vjp"))),
        ("other_vjp is no VJP", at("proofs/calculus", without(name, "other_vjp"))),
        ("has no theorem matmul_vjp_correct",
         at("proofs/link/MatmulOps.v", without("Theorem matmul_vjp_correct"))),
        ("axpy has no row in proofs/bounds", at("proofs/bounds", without("(?m)^axpy ", "other "))),
        ("other is no op with a bound", at("proofs/bounds", without("(?m)^axpy ", "other "))),
        ("has no theorem axpy_bound", at("proofs/link/BoundOps.v", without("Theorem axpy_bound"))),
        ("softmax regs stands in only one", at("proofs/launches", without("(?m)^softmax regs ", "softmax other "))),
        ("proofs/launches has no launcher that starts softmax_regs",
         at("proofs/launches", without(r"\bsoftmax_regs\b", ""))),
        ("softmax regs starts no kernel", at("proofs/launches", without(r"\bsoftmax_regs\b", ""))),
        ("requires.cpp does not know softmax_regs",
         at("cuda/sim/requires.cpp", without(r'\{"softmax_regs"', '{"other"'))),
        ("other of proofs/launches or cuda/sim/requires.cpp is no KERNEL",
         at("cuda/sim/requires.cpp", without(r'\{"softmax_regs"', '{"other"'))),
        ("PM_FAMILIES", at("cuda/host/table.h", without(r"F\(%s\)" % family, ""))),
        ("only one of cuda/launch.h", at("cuda/launch.h", without(r"LAUNCHER\(%s," % name,
                                                                  "LAUNCHER(other,"))),
        ("new_op is not defined",
         at("spec/ops.def", lambda t: t + 'OP(new_op, %s, new_op, "E", "", "", "", "", "")\n'
            % family)),
    ]


def reported(root, want, break_it):
    """The errors of a copy of this tree with one fault; want is to be among them."""
    with tempfile.TemporaryDirectory() as copy:
        for layer in LAYERS:
            shutil.copytree(os.path.join(root, layer), os.path.join(copy, layer))
        break_it(copy)
        errors = Tree(copy).check()
    if not any(want in e for e in errors):
        raise SystemExit("coverage self-test: \"%s\" was not reported; got %s" % (want, errors))


def self_test(root):
    tree = Tree(root)
    if tree.check():
        raise SystemExit("coverage self-test: this tree has gaps of its own; mend those first")
    planted = faults(tree)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # most of it waits for the preprocessor
        for done in [pool.submit(reported, root, *fault) for fault in planted]:
            done.result()
    print("coverage self-test: %d faults planted, %d found" % (len(planted), len(planted)))


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if sys.argv[1:] == ["--self-test"]:
        return self_test(root)
    tree = Tree(sys.argv[1] if len(sys.argv) > 1 else root)
    for e in tree.check():
        print("coverage: " + e)
    print("coverage: %d ops of %d families, %d parts, %d missing"
          % (len(tree.ops), len(tree.families), tree.parts, len(tree.errors)))
    return 1 if tree.errors else 0


if __name__ == "__main__":
    sys.exit(main())
