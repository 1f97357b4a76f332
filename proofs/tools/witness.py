"""Witnesses of contracts: for every op of the catalogue one concrete call of ref_OP, and of bound_OP where
it has one, in C that the prover reads. Used by prove.py.

Requires that contradict one another let a contract be proven of any text; a smoke test finds that only
where a prover sees it in the time that it gets. A witness is a function that requires nothing, fills
arrays of its own and calls: that the call meets the requires is a goal, and proven it says that there
is a state that meets them all. What a proven function calls needs none: that call is one. The call is
made from the op's row in spec/ops.def alone."""
import glob
import math
import os
import re
import subprocess

import framac
from framac import Failure, Unit

BOUNDED = "SCU"  # classes whose outputs have an error bound
# By their names in the catalogue; every other size is 2, every other attribute 0.5.
SIZES = {"n": 3, "rows": 3, "nb": 3}
ONES = ("multi_head",)  # functions of so many arrays that each has one element
SHAPES = {"d": (2, 3, 2), "x": (1, 3, 1)}  # of d0, d1 ..; x0, x1 .. is what is broadcast to them
AXES = (2, 0, 1)
# of a window over two axes: sizes, windows along them, taps, strides, paddings, dilations
WINDOW = {"size": (3, 2), "out": (4, 1), "kernel": (2, 2), "stride": (1, 1), "pad": (1, 0), "dilation": (1, 1)}
# of a convolution over such windows: images, groups, and channels of each on the sides of cells and outputs
CONV = {"batch": 1, "groups": 2, "in": 2, "out": 1}
ATTRIBUTES = {"ta": "1", "tb": "0", "affine": "1", "start": "1", "depth": "1", "stream": "5",
              "offset": "3", "eps": "1.0e-5", "lo": "-0.5", "hi": "1.5", "beta1": "0.875",
              "beta2": "0.75", "c1": "8.0", "c2": "4.0", "causal": "1", "masked": "1", "len": "1"}
JOINED = {"concat": "y", "concat_vjp": "g"}  # the tensor that has na + nb where its row says na
# what the harness calls besides: function, dims, inputs, outputs
OTHERS = (("ref_accumulate", ["n"], "v:f(n)", "out:f(n)"),
          ("bound_accumulate", ["n"], "old:f(n) v:f(n)", "e:f(n)"))
# what a function reads beside the inputs of its op, and writes beside its outputs, behind them
OF_Q, OF_K = "f(batch,heads,n,d)", "f(batch,kv_heads,n,d)"
PULLED = "go:{q} dq:{q} dk:{k} dv:{k}".format(q=OF_Q, k=OF_K)
MORE_READ = {"bound_multi_head_attention": "q:{q} k:{k} v:{k} o:{q}".format(q=OF_Q, k=OF_K),
             "bound_multi_head_attention_vjp": PULLED}
MORE_WRITTEN = {"ref_multi_head_attention_vjp": PULLED,
                "bound_multi_head_attention_vjp": re.sub(r"(\w+):", r"e_\1:", PULLED)}
ARITH = """  arith A = {
#define ULPS(name, undeclared) .k_##name = 2.0,
#include "spec/elementary.def"
    .u = 0x1p-24, .eta = 0x1p-150, .big = 0x1p127, .alpha = 1.0, .h = 3.0, .h2 = 3.0};
"""


def catalogue():
    """The rows of spec/ops.def, as the C preprocessor reads them."""
    if not os.path.exists(os.path.join(framac.ROOT, "spec", "ops.def")):
        return []  # then what ref/ declares is of no op
    run = subprocess.run(["gcc", "-E", "-P", "-x", "c", "-DOP(...)=@ROW (__VA_ARGS__)", "spec/ops.def"],
                         cwd=framac.ROOT, capture_output=True, text=True)
    if run.returncode:
        raise Failure("spec/ops.def: %s" % " ".join(run.stderr.split())[:300])
    ops = []
    for row in run.stdout.split("@ROW")[1:]:
        name = re.match(r"\s*\(\s*(\w+)\s*,", row)
        texts = ["".join(re.findall(r'"([^"]*)"', s)) for s in re.findall(r'(?:"[^"]*"\s*)+', row)]
        if not name or len(texts) != 6:
            raise Failure("spec/ops.def: not a row: %s" % " ".join(row.split())[:80])
        op = dict(zip(("classes", "inputs", "outputs", "dims", "attributes"), texts), name=name[1])
        ops.append(op)
    return ops


def split_family(names, stem):
    """Without the names that are the stem and a number, and whether there are such."""
    rest = [n for n in names if not re.fullmatch(stem + r"\d", n)]
    return rest, len(rest) < len(names)


def listed(values):
    return "{" + ", ".join(values) + "}"


class Call:
    """A function whose body is one call."""

    def __init__(self, function, dims, attributes, inputs, outputs, joined=None):
        self.function, self.lines, self.arguments = function, [], []
        self.sizes, self.joined = {}, joined
        self.counts = {}  # elements of tensors, by the last letter of their names, where dims do not say them
        ranked = False
        if dims[:1] == ["lines"]:
            self.window("w")
            dims = ["lines"]
            attributes = [a for a in attributes if not re.fullmatch(r"rank|[spd]\d", a)]
        if dims[:2] == ["batch", "groups"]:
            self.conv("transpose" in function)
            dims, attributes = [], []
        for stem in ("x", "d"):
            dims, there = split_family(dims, stem)
            if there:
                self.shape(stem)
                ranked = True
        attributes, axes = split_family(attributes, "p")
        if axes:
            self.array("idx", "axes", map(str, AXES))
            self.product("CountPermuted((idx *)shape_d,(idx *)axes,%d)", [SHAPES["d"][a] for a in AXES])
        for name in dims:
            self.sizes[name] = 1 if any(part in function for part in ONES) else SIZES.get(name, 2)
            self.arguments.append(str(self.sizes[name]))
        if "lines" in dims:
            self.arguments.append("w")
        self.arguments += [ATTRIBUTES.get(a, "0.5") for a in attributes if not ranked or a != "rank"]
        taken = re.findall(r"(\w+):", outputs)  # an error has the name of what it is of
        self.tensors(inputs + " " + re.sub(r"(\w+):", lambda m: "kept_" * (m[1] in taken) + m[0],
                                           MORE_READ.get(function, "")))
        if function.startswith("bound_"):
            self.lines.append(ARITH)
            self.arguments.append("A")
        self.tensors(outputs + " " + MORE_WRITTEN.get(function, ""))

    def shape(self, stem):
        extents = SHAPES[stem]
        self.sizes.update(("%s%d" % (stem, d), extents[d] if d < len(extents) else 1) for d in range(8))
        self.arguments.append(str(len(extents)))
        self.array("idx", "shape_" + stem, map(str, extents))
        self.product("Count((idx *)shape_%s,%%d)" % stem, extents)

    def conv(self, transposed):
        """The shape c, likewise; a transposed one reads outputs and writes cells."""
        self.window("c.w", "  conv_shape c = {over, %s};\n" % ", ".join(map(str, CONV.values())))
        self.arguments.append("c")
        images = self.count("ix(c.batch,c.groups,0)", CONV["batch"], CONV["groups"])
        taps, size = self.sizes["Taps"], {}
        for side, channels, length in ((0, "in", "Cells"), (1, "out", "Outs")):
            n, m = CONV[channels], self.sizes[length]
            self.lines.append("  //@ assert Channels(%d,c) == %d && Length(%d,c) == %d;\n" % (side, n, side, m))
            all_of = self.count("ChannelCount(%d,c)" % side, CONV["groups"], n)
            lines = self.count("LineCount(%d,c)" % side, images, n)
            size[side] = self.count("Elements(%d,c)" % side, lines, m)
            self.count("ix(Channels(%d,c),c.w.taps,0)" % side, n, taps)
            self.count("ix(c.batch,Length(%d,c),0)" % side, CONV["batch"], m)
            size["b%d" % side] = all_of
        kernels = self.count("Kernels(c)", self.count("ix(c.groups,c.out,0)", CONV["groups"], CONV["out"]),
                             CONV["in"])
        self.counts = {"w": self.count("Weights(c)", kernels, taps), "b": size["b%d" % (not transposed)],
                       "x": size[int(transposed)], "y": size[int(not transposed)]}
        self.counts["g"] = self.counts["y"]
        self.lines.append("  //@ assert ConvShape(c);\n")

    def count(self, term, a, b):
        """Asserts that the term, a product of two sizes, is what they make."""
        self.lines.append("  //@ assert ix(%d,%d,0) == %d;\n" % (a, b, a * b))
        self.lines.append("  //@ assert %s == %d;\n" % (term, a * b))
        return a * b

    def window(self, name, then=""):
        """The window w, called by that name, which is asserted to be one step by step."""
        counts = {"Cells": "size", "Outs": "out", "Taps": "kernel"}
        self.sizes.update((count, math.prod(WINDOW[field])) for count, field in counts.items())
        fields = [str(len(WINDOW["size"]))] + [str(self.sizes[count]) for count in counts] + \
            [listed(map(str, values)) for values in WINDOW.values()]
        self.lines.append("  window %s = %s;\n%s" % ("over" if then else name, listed(fields), then))
        for count, field in counts.items():
            self.product("%s(%s,%%d)" % (count, name), WINDOW[field][::-1], True)
        for n, o, k, s, p, d in zip(*WINDOW.values()):
            self.lines.append("  //@ assert Span(%d,%d) == %d;\n" % (k, d, (k - 1) * d))
            self.lines.append("  //@ assert Windows(%d,%d,%d,%d,%d) == %d;\n" % (n, k, s, p, d, o))

    def product(self, count, extents, first=False):
        """Asserts the elements of a tensor dim by dim: for the provers too many steps at once. first: what a
        dim is multiplied by stands behind it."""
        total = 1
        self.lines.append("  //@ assert %s == 1;\n" % count % 0)
        for d, extent in enumerate(extents):
            both = (extent, total) if first else (total, extent)
            self.lines.append("  //@ assert ix(%d,%d,0) == %d;\n" % (*both, total * extent))
            total *= extent
            self.lines.append("  //@ assert %s == %d;\n" % (count % (d + 1), total))

    def array(self, scalar, name, values):
        values = list(values)
        self.lines.append("  %s %s[%d] = %s;\n" % (scalar, name, len(values), listed(values)))
        self.arguments.append(name)

    def tensors(self, text):
        for name, dtype, shape in re.findall(r"(\w+):(\w+)\(([^()]*)\)", text):
            count = 1
            if shape.startswith("lines,"):
                shape = "lines,%s" % ("Cells" if "x" in name else "Outs")
            if self.counts:
                count = self.counts[name[-1]]
                shape = ""
            for size in re.findall(r"\w+", re.sub(r"@\w+", "", shape)):
                count *= self.sizes[size] + (self.sizes["nb"] if (name, size) == (self.joined, "na") else 0)
            if dtype == "i64":  # in range of any size
                self.array("int64_t", name, [str((i + 1) % 2) for i in range(count)])
            else:
                self.array("double", name, [str(0.5 + 0.25 * i) for i in range(count)])

    def text(self):
        return "\nvoid witness_%s(void)\n{\n%s  %s(%s);\n}\n" % (
            self.function, "".join(self.lines), self.function, ", ".join(self.arguments))


def calls():
    """(op, Call) for each function that somebody from outside calls."""
    for op in catalogue():
        outputs = re.findall(r"\w+:\w+\([^()]*\)", op["outputs"])
        bounded = [o for o, c in zip(outputs, op["classes"]) if c in BOUNDED]
        for kind, written in (("ref", outputs), ("bound", bounded)):
            if written:
                yield op["name"], Call(
                    "%s_%s" % (kind, op["name"]), op["dims"].split(), op["attributes"].split(),
                    op["inputs"], " ".join(written), JOINED.get(op["name"]))
    for function, dims, inputs, outputs in OTHERS:
        yield None, Call(function, dims, [], inputs, outputs)


def units():
    """Of each header of ref/ the unit of its witnesses, with {witness: what it calls}."""
    declared, found, wrong = {}, {}, []
    for path in sorted(glob.glob(os.path.join(framac.ROOT, "ref", "*.h"))):
        with open(path) as f:
            for name in re.findall(r"\bvoid\s+((?:ref|bound)_\w+)\s*\(", f.read()):
                declared[name] = os.path.relpath(path, framac.ROOT)
    unseen = set(declared)
    for op, call in calls():
        unseen.discard(call.function)
        if call.function in declared:
            found.setdefault(declared[call.function], []).append(call)
        elif op:
            wrong.append("the op %s has no witness: no header of ref/ declares %s" % (op, call.function))
    wrong += ["%s: %s has no witness: it is of no op of spec/ops.def" % (declared[f], f) for f in sorted(unseen)]
    if wrong:
        raise Failure("\n".join(wrong))
    return [(Unit(header, "ref", tag="witness", extra="".join(c.text() for c in own)),
             {"witness_" + c.function: c.function for c in own}) for header, own in sorted(found.items())]


def errors(owner, calls_of, run):
    """What is wrong with the witnesses of a header."""
    found = []
    for name, function in sorted(calls_of.items()):
        asked = [r for r in run.rows if r["function"] == function and r["kind"] == "precondition"]
        proven, total = run.goals.get(name, [0, 0])
        if not total or not run.recorded and not asked:
            found.append("%s: %s has no witness: nothing that it requires was to be proven of its call"
                         % (owner, function))
        elif proven < total:
            found.append("%s: %s has no witness: its requires, of the call that its op's row in spec/ops.def "
                         "makes (proofs/tools/witness.py), have %d unproven of %d goals: %s" % (
                             owner, function, total - proven, total,
                             " ".join(g for g in run.unproved if g.startswith(name + "_call_") or
                                      g.startswith(name + "_assert"))))
        else:
            found += ["%s:%d: %s has no witness: that its call meets this was not proven: %s"
                      % (r["file"], r["line"], function, r["text"]) for r in asked if r["status"] != "Valid"]
    return found
