"""Whether contracts state what the catalogue says. Of the reference and of the bound of each op in
spec/ops.def:

  outputs   each tensor that is written has its equation, over all of its elements (the clause's variables
            count them in row-major order), with no premise before it, of what was there before the call
  assigns   these tensors, whole, and nothing else
  requires  sizes that a tensor may have, whole tensors that may be read or written, outputs that lie apart

Of each launched kernel of a level above `checked`: it has a contract, all goals of which are proven; each
tensor that it writes has such an equation, and those of a variant of level value name, for each output of
the op, the functions of spec/ that the reference's contract names. What departs from that is listed, with
the reason, in the tables of proofs/statements."""
import itertools
import os
import re
import sys

import acsl
import framac
import witness
from witness import BOUNDED

LIMITS = {0x3fffffffffffffff, 0x0fffffffffffffff}  # of a tensor's elements: spec/index.h, cuda/lang/kernel.h
TABLE = os.path.join(framac.ROOT, "proofs", "statements")


def listed():
    """{section: {(name, text): reason}} of proofs/statements: [section], then NAME: TEXT # REASON."""
    found, section = {s: {} for s in ("names", "shapes", "premises", "after", "requires", "kernels")}, None
    if not os.path.exists(TABLE):
        return found
    with open(TABLE) as f:
        for line in f:
            line = line.strip()
            head = re.fullmatch(r"\[(\w+)\]", line)
            if head:
                section = found.setdefault(head[1], {})
            elif line and not line.startswith("#"):
                fact, _, reason = line.partition(" # ")
                name, _, text = fact.partition(": ")
                if section is None or not text or not reason:
                    raise framac.Failure("proofs/statements: not NAME: TEXT # REASON: " + line)
                for n in name.split(","):
                    section[n, " ".join(text.split())] = reason
    return found


# ---- sizes and places: polynomials in the dims


def poly(tree, defined):
    """{sorted names: coefficient}; what is no sum or product is a name of its own."""
    if tree[0] == "num":
        try:
            return {(): int(tree[1].rstrip("uUlL"), 0)} if int(tree[1].rstrip("uUlL"), 0) else {}
        except ValueError:
            pass
    if tree[0] == "call" and tree[1] in ("ix", "mul"):
        a = [poly(t, defined) for t in tree[3]]
        return plus(times(a[0], a[1]), a[2]) if tree[1] == "ix" else times(a[0], a[1])
    if tree[0] == "call" and tree[1] in defined and defined[tree[1]].kind == "logic integer" and \
       re.fullmatch(r"[\w\s().,+*\-]*", defined[tree[1]].body or "?"):
        return poly(called(tree, defined), defined)
    if tree[0] == "call" and tree[1] in defined and defined[tree[1]].kind == "logic integer" and defined[tree[1]].body:
        branch = decided(called(tree, defined), defined)
        if branch:
            return poly(branch, defined)
    if tree[0] == "binary" and tree[1] in "+-*":
        a, b = poly(tree[2], defined), poly(tree[3], defined)
        return times(a, b) if tree[1] == "*" else plus(a, b if tree[1] == "+" else times(b, {(): -1}))
    if tree[0] == "at" and tree[2] in ("Pre", "Old", "Here"):
        return poly(tree[1], defined)
    if tree[0] == "cast":
        return poly(tree[2], defined)
    text = re.sub(r"\{[\w,]*\}|\s", "", acsl.show(tree))
    return {(text,): 1}


def called(tree, defined):
    """The body of what is called, of these arguments."""
    return acsl.substitute(defined[tree[1]].tree(), dict(zip(defined[tree[1]].parameters, tree[3])), {})


def decided(tree, defined):
    """The branch of a choice whose test compares numbers."""
    if tree[0] != "if" or tree[1][0] != "binary" or tree[1][1] not in ("==", "!="):
        return None
    a, b = poly(tree[1][2], defined), poly(tree[1][3], defined)
    if not set(a) | set(b) <= {()}:
        return None
    return tree[2] if (a == b) == (tree[1][1] == "==") else tree[3]


def plus(a, b):
    found = dict(a)
    for m, k in b.items():
        found[m] = found.get(m, 0) + k
    return {m: k for m, k in found.items() if k}


def times(a, b):
    found = {}
    for m, k in a.items():
        for n, l in b.items():
            both = tuple(sorted(m + n))
            found[both] = found.get(both, 0) + k * l
    return {m: k for m, k in found.items() if k}


def product(factors):
    whole = {(): 1}
    for f in factors:
        whole = times(whole, f)
    return whole


# ---- the parts of a contract


def area(tree, defined):
    """(pointer, elements) of p + (0 .. n - 1); of p alone or p + 0 it is one."""
    if tree[0] == "deref":
        tree = tree[1]
    if tree[0] == "binary" and tree[1] == "+" and tree[2][0] == "id":
        if tree[3][0] == "range" and poly(tree[3][1], defined) == {}:
            return tree[2][1], plus(poly(tree[3][2], defined), {(): 1})
        if poly(tree[3], defined) == {}:
            return tree[2][1], {(): 1}
    return (tree[1], {(): 1}) if tree[0] == "id" else (None, None)


class Contract:
    """head: the function's, as Frama-C prints it; clauses: [(kind, text)]; defined: what stands in them."""

    def __init__(self, head, clauses, defined):
        self.function, self.defined = re.search(r"(\w+)\(", head)[1], defined
        inside = head[head.index("(") + 1:head.rindex(")")]
        self.pointers = set(re.findall(r"\*\s*(?:\w+\s+)*?(\w+)\s*(?:,|$)", inside))
        self.requires, self.ensures, self.assigns, self.others = [], [], [], []
        for kind, clause in clauses:
            if kind == "assigns":
                if clause != "\\nothing":
                    self.assigns += acsl.parse("f(%s)" % clause)[3]
            elif kind in ("requires", "ensures"):
                getattr(self, kind).append(acsl.parse(clause))
            elif kind != "terminates" or clause != "\\true":
                self.others.append(kind)

    @staticmethod
    def of(survey, function):
        head, text = survey.contracts()[function]
        return Contract(head, acsl.clauses(text), acsl.definitions_of(survey))

    def predicates_unfolded(self, tree, here="Here"):
        stop = {n for n, d in self.defined.items() if d.kind != "predicate"} | {"is_zero"}
        return acsl.unfold(acsl.without_old(tree), self.defined, stop, here)

    def written(self):
        """({pointer: elements}, [places that are no whole tensor])."""
        whole, odd = {}, []
        for place in self.assigns:
            pointer, n = area(place, self.defined)
            if pointer is None or place[0] != "deref":
                odd.append(acsl.show(place))
            else:
                whole[pointer] = n
        return whole, odd

    def equations(self):
        """[(pointer, elements or None, premises, right side)] of the clauses that give cells a value."""
        found = []
        for clause in self.ensures:
            for part in acsl.conjuncts(self.predicates_unfolded(clause, "Post")):
                found += self.equation(part)
        return found

    def equation(self, tree, names=(), premises=()):
        names, premises = list(names), list(premises)
        while tree[0] == "forall" or tree[0] == "binary" and tree[1] == "==>":
            if tree[0] == "forall":
                names += [n for _, n in tree[1]]
                tree = tree[2]
            else:
                premises += acsl.conjuncts(tree[2])
                tree = tree[3]
        if tree[0] == "at" and tree[2] in ("Post", "Here"):
            return self.equation(tree[1], names, premises)
        if tree[0] == "binary" and tree[1] == "&&":
            return [e for t in acsl.conjuncts(tree) for e in self.equation(t, names, premises)]
        left, right = None, ("num", "0")
        if tree[0] == "call" and tree[1] == "is_zero":
            left = tree[3][0]
        elif tree[0] == "binary" and tree[1] == "==":
            left, right = tree[2], tree[3]
        if left and left[0] == "at" and left[2] in ("Post", "Here"):
            left = left[1]
        if left and left[0] == "call" and left[1] == "rd":
            left = "deref", ("binary", "+", left[3][0], left[3][1])
        if not left or left[0] != "deref":
            return []
        place = poly(left[1], self.defined)
        pointer = [m[0] for m, k in place.items() if len(m) == 1 and k == 1 and m[0] in self.pointers]
        if len(pointer) != 1:
            return []
        place.pop((pointer[0],))
        ranges, rest = self.ranges(names, premises)
        n = self.either_way(place, names, ranges) or self.row_major(place, names, ranges)
        return [(pointer[0], n, [acsl.show(p) for p in rest], right)]

    def ranges(self, names, premises):
        found, rest = {}, []
        for p in premises:
            if p[0] == "chain" and p[2] == ["<=", "<"] and p[1][1][0] == "id" and p[1][1][1] in names and \
               poly(p[1][0], self.defined) == {} and p[1][1][1] not in found:
                found[p[1][1][1]] = poly(p[1][2], self.defined)
            else:
                rest.append(p)
        said = lambda p: p[0] == "binary" and p[1] == "<" and p[2][0] == "id" and \
            found.get(p[2][1], None) == poly(p[3], self.defined)  # once more
        return found, [p for p in rest if not said(p)]

    def either_way(self, place, names, ranges):
        """Elements of an (m, n) matrix that may lie transposed, ixt(t,m,n,i,j) of spec/matmul.h, or of as many
        of them as a first variable says, one behind the other."""
        form = r"ixt\((\w+),(\w+),(\w+),(\w+),(\w+)\)"
        found = [re.fullmatch(form, k[0]) for k, n in place.items() if len(k) == 1 and n == 1]
        found = [m for m in found if m]
        if len(found) != 1 or names[-2:] != [found[0][4], found[0][5]]:
            return None
        m, rest = found[0], {k: n for k, n in place.items() if k != (found[0][0],)}
        at = times({(names[0],): 1}, times({(m[2],): 1}, {(m[3],): 1})) if len(names) == 3 else {}
        if len(names) > 3 or set(names) != set(ranges) or rest != at:
            return None
        whole = ranges.get(m[4]) == {(m[2],): 1} and ranges.get(m[5]) == {(m[3],): 1}
        return product(ranges[v] for v in names) if whole else None

    @staticmethod
    def row_major(place, names, ranges):
        """How many cells the variables count through, each once and in order; None if they do not."""
        if set(names) != set(ranges):
            return None
        if not names:
            return {(): 1} if place == {} else None
        for order in itertools.permutations(names):
            at = {}
            for v in order:
                at = plus(times(at, ranges[v]), {(v,): 1})
            if at == place:
                return product(ranges[v] for v in order)
        return None


def reads_after(tree):
    """Whether a right side speaks of memory as it is after the call."""
    if tree[0] == "at" and tree[2] in ("Pre", "Old"):
        return False
    if tree[0] in ("deref", "index") or tree[0] == "call" and set(tree[2]) - {"Pre", "Old"}:
        return True
    return any(map(reads_after, acsl.parts(tree)))


# ---- the catalogue


class Op:
    def __init__(self, name, classes, inputs, outputs, called, dims):
        self.name, self.classes = name, classes
        self.sides = None  # of a convolution's shape c: what is read and what is written
        if dims.split()[:2] == ["batch", "groups"]:
            self.sides = [["c.in", "c.w.cells"], ["c.out", "c.w.outs"]]
            if "transpose" in name:
                self.sides.reverse()
        self.inputs, self.outputs = self.tensors(inputs, called), self.tensors(outputs, called)

    def convolved(self, name):
        """The dims of its tensor of that name."""
        (near, read), (far, written) = self.sides
        return {"x": ["c.batch", "c.groups", near, read], "w": ["c.groups", near, far, "c.w.taps"],
                "b": ["c.groups", far]}.get(name[-1], ["c.batch", "c.groups", far, written])

    def tensors(self, text, called):
        """[(name in C, elements)]; those of a shape of any rank are None."""
        found = []
        for name, shape in re.findall(r"(\w+):\w+\(([^()]*)\)", text):
            shape = shape.split("@")[0]
            dims = [d for d in re.split(r"[,*]", shape) if d]
            if dims[:1] == ["lines"]:  # of a window w, which says how many there are in a line
                dims = ["lines", "w.cells" if "x" in name else "w.outs"]
            if self.sides:
                dims = self.convolved(name)
            any_rank = len(dims) == 8
            found.append((called.get(name, name), None if any_rank else product(sum_of(d) for d in dims)))
        return found


def sum_of(dim):
    return {(): int(dim)} if dim.isdigit() else {(n,): 1 for n in dim.split("+")}


def catalogue(tables):
    called = {name: text for name, text in tables["names"]}
    return [Op(op["name"], op["classes"], op["inputs"], op["outputs"], called, op["dims"])
            for op in witness.catalogue()]


ANY_RANK = ("Count(shape,rank)", "Count(x_shape,x_rank)", "CountPermuted(shape,axes,rank)")


class Check:
    """The contract of one function beside one row. Names of tensors are those of the row, but for what
    proofs/statements says under [names]."""

    def __init__(self, contract, op, tables, errors):
        self.c, self.op, self.tables, self.errors, self.used = contract, op, tables, errors, set()
        self.later = {}  # an output, and the outputs by which it is given as they are afterwards

    def complain(self, rule, text):
        self.errors.append("%s: %s: %s" % (self.c.function, rule, text))

    def excused(self, section, text):
        for name in (self.c.function, "*"):
            if (name, text) in self.tables.get(section, {}):
                self.used.add((section, name, text))
                return True
        return False

    def fits(self, n, want):
        return n == want if want is not None else n is not None and len(n) == 1 and \
            next(iter(n)) in [(a,) for a in ANY_RANK]

    def run(self, outputs):
        read, written = (self.op.tensors(more.get(self.c.function, ""), {})
                         for more in (witness.MORE_READ, witness.MORE_WRITTEN))
        outputs = {**outputs, **dict(written)}
        sizes = {**dict(self.op.inputs), **dict(read), **outputs}
        for name, text in self.tables["shapes"]:
            tensor, *dims = text.split()
            if name == self.c.function:
                self.used.add(("shapes", name, text))
                n = product(sum_of(d) for d in dims)
                sizes[tensor] = n
                if tensor in outputs:
                    outputs[tensor] = n
        written, odd = self.c.written()
        for place in odd:
            self.complain("assigns", "%s is no whole tensor" % place)
        for name in sorted(set(outputs) - set(written)):
            self.complain("assigns", "the output %s is not among what it assigns" % name)
        for name in sorted(set(written) - set(outputs)):
            self.complain("assigns", "%s is no output of the op" % name)
        for name, n in written.items():
            if name in outputs and not self.fits(n, outputs[name]):
                self.complain("assigns", "%s has other elements than the catalogue gives it" % name)
        self.outputs(outputs)
        for clause in self.c.requires:
            for atom in acsl.conjuncts(self.unfolded(clause)):
                self.required(atom, sizes, outputs)
        for kind in self.c.others:
            self.complain("clause", "%s has no place in a statement" % kind)
        return self.used

    def outputs(self, outputs):
        said = {}
        for pointer, n, premises, right in self.c.equations():
            if pointer not in outputs:
                continue
            premises = [p for p in premises if not self.excused("premises", p)]
            if premises:
                self.complain("outputs", "%s has its value only where %s" % (pointer, " and ".join(premises)))
            elif n is None or not self.fits(n, outputs[pointer]):
                self.complain("outputs", "the equation of %s does not count through its elements" % pointer)
            elif reads_after(right) and not self.afterwards(pointer, right, outputs):
                self.complain("outputs", "the value of %s is given by memory as it is afterwards" % pointer)
            else:
                said[pointer] = said.get(pointer, 0) + 1
        for name in sorted(set(outputs) - set(said)):
            if not any(e.startswith(self.c.function + ": outputs: ") and name in e for e in self.errors):
                self.complain("outputs", "nothing is said of %s" % name)

    def afterwards(self, pointer, right, outputs):
        """Whether an output may be given by memory as it is after the call: by outputs that proofs/statements
        names under [after], which have equations of their own that do not lead back to it."""
        of = sorted(set(acsl.names_of(right)) & set(outputs))
        self.later[pointer] = of
        reached, ahead = set(), list(of)
        while ahead:
            name = ahead.pop()
            if name not in reached:
                reached.add(name)
                ahead += self.later.get(name, [])
        return pointer not in reached and self.excused("after", "%s of %s" % (pointer, " ".join(of) or "inputs"))

    def unfolded(self, tree):
        keep = {n for n, d in self.c.defined.items() if d.kind != "predicate"}
        return acsl.unfold(acsl.without_old(tree), self.c.defined, keep)

    def required(self, atom, sizes, outputs):
        while atom[0] == "at":
            atom = atom[1]
        atom = decided(atom, self.c.defined) or atom
        if atom[0] == "binary" and atom[1] == "&&":
            for a in acsl.conjuncts(atom):
                self.required(a, sizes, outputs)
            return
        if not (self.is_size(atom) or self.is_tensor(atom, sizes) or self.is_apart(atom, sizes, outputs)):
            text = acsl.show(atom)
            if not self.excused("requires", text):
                self.complain("requires", "%s is not in the vocabulary, and not in proofs/statements" % text)

    def is_size(self, atom):
        """0 <= n, n <= limit, 0 <= n <= limit, of a product of sizes."""
        terms = atom[1] if atom[0] == "chain" else [atom[2], atom[3]] if atom[0] == "binary" else []
        ops = atom[2] if atom[0] == "chain" else [atom[1]]
        if not terms or set(ops) != {"<="}:
            return False
        values = [poly(t, self.c.defined) for t in terms]
        constant = lambda v: set(v) <= {()}
        if not constant(values[0]):
            values.insert(0, {})
        if not constant(values[-1]):
            values.append({(): min(LIMITS)})
        middle = values[1:-1]
        plain = all(k > 0 for m in middle for k in m.values()) and \
            all(re.fullmatch(r"[\w.]+|Count\w*\([\w,]*\)", n) for m in middle for names in m for n in names)
        return values[0] == {} and values[-1].get((), 0) in LIMITS and len(middle) == 1 and plain

    def is_tensor(self, atom, sizes):
        if atom[0] != "call" or atom[1] not in ("\\valid", "\\valid_read"):
            return False
        pointer, n = area(atom[3][0], self.c.defined)
        if pointer in sizes:
            return self.fits(n, sizes[pointer])
        return pointer in ("shape", "x_shape", "axes") and n in ({("rank",): 1}, {("x_rank",): 1})

    def is_apart(self, atom, sizes, outputs):
        if atom[0] != "call" or atom[1] != "\\separated":
            return False
        areas = [area(a, self.c.defined) for a in atom[3]]
        known = all(p in sizes and self.fits(n, sizes[p]) or p in ("shape", "x_shape", "axes") for p, n in areas)
        return known and any(p in outputs for p, _ in areas)


def bounded(op, tables):
    """The tensors of bound_OP: an error for each output of a class that has one."""
    called = {name: text for name, text in tables["names"]}
    names = {n: called.get("e_" + n, "e_" + n) for n, _ in op.outputs}
    return {names[n]: size for (n, size), c in zip(op.outputs, op.classes) if c in BOUNDED}


def of_references(surveys, tables, errors, only=None):
    """What is wrong with the contracts of ref/ (of `only` these functions) goes to errors; returns the lines of
    the tables in use."""
    own, used = {}, {("names", n, t) for n, t in tables["names"]}
    for s in surveys:
        if s.unit.reading == "ref" and s.unit.source.endswith(".c"):
            for f in s.defined:
                own.setdefault(f, s)
    for op in catalogue(tables):
        for f, outputs in (("ref_" + op.name, dict(op.outputs)), ("bound_" + op.name, None)):
            if outputs is None and not set(op.classes) & set(BOUNDED):
                continue
            if only is not None and f not in only:
                continue
            if f not in own or not own[f].contract(f):
                errors.append("%s: the op %s has no such contract in ref/" % (f, op.name))
                continue
            c = Contract.of(own[f], f)
            used |= Check(c, op, tables, errors).run(bounded(op, tables) if outputs is None else outputs)
    return used


def errors(surveys):
    """[what is wrong]; a tree without a catalogue, as the self-test's, states nothing of ops."""
    if not os.path.exists(os.path.join(framac.ROOT, "spec", "ops.def")):
        return []
    tables, found = listed(), []
    used = of_references(surveys, tables, found)
    for section, facts in tables.items():
        for name, text in facts:
            if section != "kernels" and (section, name, text) not in used:
                found.append("proofs/statements: [%s] %s: %s excuses nothing" % (section, name, text))
    return found


# ---- kernels, as proofs/claims has their contracts


def opposite(a, b):
    if {"!" + a, "!(%s)" % a} & {b} or {"!" + b, "!(%s)" % b} & {a}:
        return True
    return " != " in a and a.replace(" != ", " == ") == b or " == " in a and a.replace(" == ", " != ") == b


def whole_by_cases(cases):
    """Whether these lists of premises leave no case out: [p] and [not p] do not."""
    cases = {frozenset(c) for c in cases}
    while frozenset() not in cases:
        joined = {a - {p} for a in cases for b in cases for p in a
                  if any(opposite(p, q) and a - {p} == b - {q} for q in b)}
        if joined <= cases:
            return False
        cases |= joined
    return True


class Kernels:
    """lock: {claim: [lines]} of proofs/claims; homes: {kernel: (what the prover calls it, its file)}."""

    def __init__(self, lock, homes, tables):
        self.lock, self.homes, self.tables, self.used = lock, homes, tables, set()
        self.contracts, self.contexts, self.meanings = {}, {}, {}
        for what, lines in lock.items():
            m = re.fullmatch(r"meaning (\w+) \((.*)\)", what)
            if m:
                self.meanings.setdefault(m[1], {})[m[2]] = lines[0]
        self.of_spec = {n for n, homes in self.meanings.items() if any(h.startswith("spec/") for h in homes)}

    def contract(self, kernel):
        function, path = self.homes.get(kernel, (kernel, ""))
        lines = self.lock.get("contract " + function)
        if lines and (function, path) not in self.contracts:
            self.contracts[function, path] = Contract(lines[0], [tuple(l.split(" ", 1)) for l in lines[1:]],
                                                      self.defined(path))
        return self.contracts.get((function, path))

    def instances(self, kernel):
        """Of an instance of cuda/map/map.h, the functions that it is made of."""
        if self.homes.get(kernel, (kernel,))[0] == kernel:
            return []
        return [f for f in (kernel + "_f0", kernel + "_f1") if "contract " + f in self.lock]

    def defined(self, path):
        """A name that units mean differently: as the kernel's own file, or one of its room, does."""
        if path not in self.contexts:
            near = lambda home: (home == path, home.split("@")[0] == path,
                                 os.path.dirname(home) == os.path.dirname(path), home)
            self.contexts[path] = acsl.definitions(
                "".join(homes[max(homes, key=near)] + ";\n" for homes in self.meanings.values()))
        return self.contexts[path]

    def excused(self, kernel, text):
        for name in (kernel, self.homes.get(kernel, (kernel,))[0]):
            if (name, text) in self.tables["kernels"]:
                self.used.add(("kernels", name, text))
                return True
        return False

    def unsaid(self, kernel):
        """What a kernel writes and does not give a value, as text."""
        c = self.contract(kernel)
        given, found = c.equations(), []
        for pointer, n in c.written()[0].items():
            cases = [premises for p, m, premises, right in given
                     if p == pointer and m == n and not reads_after(right)]
            if not whole_by_cases(cases) and not self.excused(kernel, pointer):
                found.append(pointer)
        return found

    def functions(self, kernel):
        """Those of spec/ that its equations speak of."""
        found = set()
        for c in map(self.contract, [kernel] + self.instances(kernel)):
            found |= self.spoken((w for clause in c.ensures for w in acsl.walk(clause)), c.defined)
        return found

    def spoken(self, words, defined, seen=None):
        seen, found = seen if seen is not None else set(), set()
        for w in words:
            if w[0] != "call" or w[1] in seen:
                continue
            seen.add(w[1])
            if w[1].startswith("\\") or w[1] in self.of_spec:
                found.add(w[1])
            elif w[1] in defined and defined[w[1]].body:
                found |= self.spoken(acsl.walk(defined[w[1]].tree()), defined, seen)
        return found

    def promised(self, op):
        """Functions of spec/ by which the reference's contract gives the outputs their values."""
        c = self.contract("ref_" + op)
        return {w[1] for e in c.equations() for w in acsl.walk(e[3])
                if w[0] == "call" and (w[1] in self.of_spec or w[1].startswith("\\")) and w[1] not in PLACES}


PLACES = {"ix", "ixt", "rd", "along", "At3", "Count", "\\old"}


def main(units):
    """What is wrong with the contracts of ref/ in these units."""
    surveys = [framac.Survey(framac.Unit(u, "ref")) for u in units]
    tables, found = listed(), []
    of_references(surveys, tables, found, {f for s in surveys for f in s.defined})
    for e in found:
        print("statements.py: " + e)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
