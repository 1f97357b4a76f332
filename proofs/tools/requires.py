"""Each kernel's requires as C++ that a launch on the simulator runs: cuda/sim/requires.cpp, from the
contracts as Frama-C reads them. A conjunct is expanded to parts, predicates put by their definitions;
a part is checked, or listed with the reason why it is not. Nothing else may become of it."""
import argparse
import collections
import copy
import os
import re

import acsl
import framac
import kernels
from framac import Failure

OUT = "cuda/sim/requires.cpp"
STALE = OUT + " is out of date: run proofs/tools/requires.py --write"

# What a launch says of itself, by the name that the prover's reading has for it.
LAUNCH = ("bdim_", "blocks_", "gsize_", "slots_", "turn_cells_", "stage_cells_")

# Why a part that mentions a name cannot be checked. A name that is neither here nor known fails.
PERMISSION = "permission, of the prover's discipline alone"
CLUSTER = "what the blocks of a cluster will tell each other"
UNKNOWN = "no number that is known stands for it"
VALUES = "values of tensors over the reals, which an earlier launch left or the case has"
REASONS = {"R": PERMISSION, "W": PERMISSION, "CW": PERMISSION, "own_b": PERMISSION, "own_t": PERMISSION,
           "dealt": PERMISSION, "team_block": PERMISSION, "team_first": PERMISSION,
           "Came": CLUSTER, "Lowest": UNKNOWN, "Mark": UNKNOWN,
           "*float": VALUES, "*double": VALUES}

# Parameters of the specification alone, which a launch does not pass: the value that it means.
GHOSTS = {("vjp_regs", "halves"): "CENTERED != 0 ? 2 : 1",
          ("norm_vjp_strips", "halves"): "CENTERED != 0 ? 2 : 1",
          # the least that there can be, which does where any does
          ("cross_entropy_split_out", "chunk"): "(cols + 4 * pieces - 1) / (4 * pieces) * 4",
          ("permute_walk_vec4", "m"): "rows <= 0 ? 0 : Walk(w, rows - 1, w.n) + len",
          ("permute_walk_scalar", "m"): "rows <= 0 ? 0 : Walk(w, rows - 1, w.n) + len"}

KINDS = {"int": ("i", "num"), "idx": ("l", "num"), "uint64_t": ("u", "num"), "float": ("f", "real"),
         "double": ("d", "real")}
SIZES = {"float": 4, "double": 8, "idx": 8, "int": 4}


class Cannot(Exception):
    """A part that is not checked; args[0] says why."""


class Checker:
    """The text of one kernel's checker. `shared` has the functions that all of them call."""

    def __init__(self, kernel, logic, shared):
        self.kernel, self.logic, self.shared = kernel, logic, shared
        self.head = kernels.read_head(kernel)
        self.types = {n: self.type_of(t) for t, n in self.head}
        self.ghosts = {}
        for name in kernel.ghosts:
            if (kernel.name, name) not in GHOSTS:
                raise Failure("%s: %s: GHOSTS of requires.py has no value for the parameter %s"
                              % (kernel.path, kernel.name, name))
            self.ghosts[name] = acsl.parse(GHOSTS[kernel.name, name])
        self.said = set()  # what two conjuncts ask for is asked once
        self.lines, self.listed, self.conjuncts, self.checked, self.parts = [], {}, 0, 0, 0
        for tree in kernels.requires_of(kernel):
            for conjunct in acsl.conjuncts(tree):
                self.conjuncts += 1
                self.expand(acsl.substitute(conjunct, kernel.known, {}), [], acsl.show(conjunct))

    @staticmethod
    def type_of(text):
        if "*" in text:
            return "*" + text.replace("*", "").strip().replace("scalar", "float")
        if text in ("integer", "long", "unsigned long", "unsigned int", "uint32_t") or text in KINDS:
            return KINDS[text][1] if text in KINDS else "num"
        return "real" if text == "real" else text

    def body_of(self, tree):
        """The body of a predicate with its arguments put in, or None."""
        if tree[0] not in ("id", "call") or tree[1] in self.types or tree[1] in LAUNCH:
            return None
        d = self.logic.definition(tree[1])
        if not d or d.body is None or d.kind != "bool" or tree[1] in acsl.names_of(d.body):
            return None
        return acsl.substitute(d.body, dict(zip((n for _, n in d.params), tree[3] if tree[0] == "call" else [])), {})

    def expand(self, tree, guards, said):
        if tree[:2] == ("binary", "&&"):
            self.expand(tree[2], guards, said)
            self.expand(tree[3], guards, said)
        elif tree[:2] == ("binary", "==>"):
            self.expand(tree[3], guards + [tree[2]], said)
        elif tree[0] == "if":
            self.expand(tree[2], guards + [tree[1]], said)
            self.expand(tree[3], guards + [("unary", "!", tree[1])], said)
        elif tree[0] == "let":
            self.expand(acsl.substitute(tree[3], {tree[1]: tree[2]}, {}), guards, said)
        elif self.body_of(tree) is not None:
            why = self.hidden(tree)
            if why:
                self.parts += 1
                self.listed.setdefault(why, []).append(acsl.show(under(guards, tree)))
            else:
                self.expand(self.body_of(tree), guards, said)
        else:
            self.part(tree, guards, said)

    def hidden(self, tree):
        """The one reason for which no part of a predicate can be checked, or None."""
        inner = Checker.__new__(Checker)
        inner.__dict__.update(self.__dict__, said=set(), lines=[], listed={}, checked=0, parts=0)
        inner.expand(self.body_of(tree), [], "")
        return next(iter(inner.listed)) if not inner.checked and len(inner.listed) == 1 else None

    def part(self, tree, guards, said):
        self.parts += 1
        whole = under(guards, tree)
        text, known = acsl.show(whole), self.shared.known()
        try:
            code, kind = self.code(whole, {})
            if kind != "bool":
                raise Failure("%s: %s: no condition: %s" % (self.kernel.path, self.kernel.name, text))
        except Cannot as why:
            self.shared.forget(known)
            self.listed.setdefault(why.args[0], []).append(text)
            return
        self.checked += 1
        seen = [n for _, n in self.head if n in acsl.names_of(whole) and self.types[n] in ("num", "real")]
        seen += [n for n in LAUNCH if n in acsl.names_of(whole)]
        words = said if said == text else "%s: %s" % (said, text)
        if code not in self.said:
            self.lines.append("  REQUIRES(%s,\n           %s%s)" % (
                code, quoted(words), "".join(", " + n for n in seen)))
        self.said.add(code)

    # ------------------------------------------------------------------ terms and predicates as C++

    def cannot(self, name):
        if name in REASONS:
            raise Cannot(REASONS[name])
        raise Failure("%s: %s: requires.py cannot say %s in C++: give it a reason in REASONS"
                      % (self.kernel.path, self.kernel.name, name))

    def code(self, tree, env):
        """(C++, type): num, real, bool, *T or the name of a struct."""
        return getattr(self, "code_" + tree[0])(tree, env)

    def number(self, tree, env):
        code, kind = self.code(tree, env)
        if kind not in ("num", "real"):
            raise Failure("%s: %s: no number: %s" % (self.kernel.path, self.kernel.name, acsl.show(tree)))
        return code, kind

    def code_num(self, tree, env):
        if re.fullmatch(r"0x[0-9a-fA-F]+|\d+", tree[1]):
            return tree[1], "num"
        return tree[1] + "L", "real"

    def code_id(self, tree, env):
        name = tree[1]
        if name in env:
            return name, env[name]
        if name in LAUNCH:
            return name, "num"
        if name in self.types:
            return name, self.types[name]
        if name in self.logic.enums:
            return self.code(acsl.parse(self.logic.enums[name]), {})
        if name in ("\\true", "\\false"):
            return name[1:], "bool"
        if name == "\\null":
            return "ptr()", "*"
        d = self.logic.definition(name)
        if d is None or d.body is None:
            self.cannot(name)
        return self.code(d.body, {})

    def code_unary(self, tree, env):
        code, kind = self.code(tree[2], env)
        return "%s%s" % (tree[1], code), kind

    def code_deref(self, tree, env):
        return self.load(*self.code(tree[1], env))

    def code_cast(self, tree, env):
        """Of integers that the type holds, as the prover has shown."""
        return self.code(tree[2], env)

    def load(self, code, kind):
        if kind not in ("*idx", "*int"):
            self.cannot(kind)
        return "load%d(%s)" % (8 * SIZES[kind[1:]], code), "num"

    def code_binary(self, tree, env):
        op, a, b = tree[1:]
        if op in acsl.COMPARE:
            return self.code_chain(("chain", [a, b], [op]), env)
        x, s = self.code(a, env)
        y, t = self.code(b, env)
        if op in ("&&", "||"):
            return "(%s %s %s)" % (x, op, y), "bool"
        if op == "==>":
            return "(!%s || %s)" % (x, y), "bool"
        if op == "<==>":
            return "(%s == %s)" % (x, y), "bool"
        if "num" not in (s, t) and "real" not in (s, t):
            raise Failure("%s: no numbers: %s" % (self.kernel.name, acsl.show(tree)))
        if s.startswith("*") or t.startswith("*"):
            return "(%s %s %s)" % (x, op, y), s if s.startswith("*") else t
        if "real" in (s, t):
            return "(%s %s %s)" % (real(x, s), op, real(y, t)), "real"
        return "(%s %s %s)" % (x, op, y), "num"

    def code_chain(self, tree, env):
        terms = [self.code(t, env) for t in tree[1]]
        said = []
        for (x, s), op, (y, t) in zip(terms, tree[2], terms[1:]):
            mixed = {s, t} == {"num", "real"}
            said.append("%s %s %s" % (real(x, s) if mixed else x, op, real(y, t) if mixed else y))
        return "(%s)" % " && ".join(said), "bool"

    def code_if(self, tree, env):
        c, _ = self.code(tree[1], env)
        x, s = self.code(tree[2], env)
        y, t = self.code(tree[3], env)
        if {s, t} == {"num", "real"}:
            x, y, s = real(x, s), real(y, t), "real"
        return "(%s ? %s : %s)" % (c, x, y), s

    def code_let(self, tree, env):
        return self.code(acsl.substitute(tree[3], {tree[1]: tree[2]}, {}), env)

    def code_field(self, tree, env):
        code, kind = self.code(tree[1], env)
        for ctype, name, size in self.logic.fields(kind):
            if name == tree[2]:
                inner = self.type_of(ctype)
                said = "%s.%s" % (code, name)
                return ("num(%s)" % said if inner == "num" and not size else said), "[" + inner if size else inner
        raise Failure("%s: %s has no %s" % (self.kernel.name, kind, tree[2]))

    def code_index(self, tree, env):
        code, kind = self.code(tree[1], env)
        at, _ = self.code(tree[2], env)
        if kind.startswith("["):
            return "num(%s[at(%s)])" % (code, at), kind[1:]
        return self.load("(%s + %s)" % (code, at), kind)

    def code_forall(self, tree, env):
        """Over a range of integers, which the premise says."""
        (kind, name), rest = tree[1][0], tree[1][1:]
        body = ("forall", rest, tree[2]) if rest else tree[2]
        bounds = tree[2][2] if tree[2][:2] == ("binary", "==>") else None
        if kind != "integer":
            raise Failure("%s: a quantifier over no integers: %s" % (self.kernel.name, acsl.show(tree)))
        if not bounds or bounds[0] != "chain" or len(bounds[1]) != 3 or bounds[1][1] != ("id", name):
            inner, _ = self.code(body, dict(env, **{name: "num"}))
            return "for_some([&](num %s) { return %s; })" % (name, inner), "bool"
        (low, _, high), (below, above) = bounds[1:]
        low, high = self.number(low, env)[0], self.number(high, env)[0]
        inner, _ = self.code(body if rest else tree[2][3], dict(env, **{name: "num"}))
        low = low if below == "<=" else "(%s + 1)" % low
        high = high if above == "<" else "(%s + 1)" % high
        return "for_all(%s, %s, [&](num %s) { return %s; })" % (low, high, name, inner), "bool"

    def code_exists(self, tree, env):
        raise Failure("%s: requires.py does not know \\exists: %s" % (self.kernel.name, acsl.show(tree)))

    def span(self, tree, env):
        """The bytes that a set of cells takes: p + (a .. b), or the cell at p."""
        low = high = ("num", "0")
        if tree[:2] == ("binary", "+") and tree[3][0] == "range":
            low, high, tree = tree[3][1], tree[3][2], tree[2]
        p, kind = self.code(tree, env)
        if not kind.startswith("*"):
            raise Failure("%s: no pointer: %s" % (self.kernel.name, acsl.show(tree)))
        return "span(%s, %s, %s)" % (p, self.number(low, env)[0], self.number(high, env)[0])

    def code_call(self, tree, env):
        name, args = tree[1], tree[3]
        if name in ("\\valid", "\\valid_read"):
            return "has(%s)" % self.span(args[0], env), "bool"
        if name == "\\separated":
            spans = [self.span(a, env) for a in args]
            pairs = ["apart(%s, %s)" % (a, b) for i, a in enumerate(spans) for b in spans[i + 1:]]
            return "(%s)" % " && ".join(pairs), "bool"
        if name == "aligned16":
            return "aligned16(%s)" % self.code(args[0], env)[0], "bool"
        d = self.logic.definition(name)
        if name in REASONS or d is None or d.body is None:
            self.cannot(name)
        codes = [self.code(a, env) for a in args]
        passed = [real(c, k) if self.type_of(t) == "real" else c for (c, k), (t, _) in zip(codes, d.params)]
        return "%s(%s)" % (self.function(d), ", ".join(passed)), self.type_of(d.kind)

    def function(self, d):
        """The C++ function of a definition; others have met it under this name, or another of it."""
        head = ", ".join("%s %s" % (cpp(self.type_of(t)), n) for t, n in d.params)
        key = (d.name, head, acsl.show(d.body))
        if key not in self.shared.names:
            count = sum(k[0] == d.name for k in self.shared.names)
            name = d.name + ("_%d" % (count + 1) if count else "")
            self.shared.names[key] = name
            code, kind = self.code(d.body, {n: self.type_of(t) for t, n in d.params})
            kind = self.type_of(d.kind)
            self.shared.functions.append("%s %s(%s)\n{\n  return %s;\n}\n" % (
                cpp(kind), name, head, code))
            self.shared.heads.append("%s %s(%s);" % (cpp(kind), name, head))
        return self.shared.names[key]

    # ------------------------------------------------------------------ the whole

    def signature(self):
        """A letter a parameter that a launch passes, as kind_of of launched.h has them."""
        said = ""
        for t, n in self.head:
            if n in self.kernel.constants or n in self.ghosts:
                continue
            kind = self.type_of(t)
            said += "p" if kind.startswith("*") else KINDS[t][0] if t in KINDS else "s"
        return said

    def structs(self):
        """Bytes of the structs that a launch passes."""
        kinds = [self.type_of(t) for t, n in self.head if n not in self.kernel.constants]
        return " + ".join("sizeof(%s)" % k for k in kinds if k not in ("num", "real") and k[0] != "*") or "0"

    def text(self, name):
        given, constant, passed = [], 0, 0
        for t, n in self.head:
            kind = self.type_of(t)
            if n in self.kernel.constants:
                value = "l.constant(%d)" % constant
                constant += 1
            elif n in self.ghosts:
                value = self.code(self.ghosts[n], {})[0]
            else:
                self.shared.struct(self, kind)
                plain = {"idx": "int64_t"}.get(t, t)
                value = "l.pointer(%d, %d)" % (passed, SIZES[kind[1:]]) if kind.startswith("*") else \
                    "l.get<%s>(%d)" % (plain if kind in ("num", "real") else kind, passed)
                passed += 1
            given.append((n, "  const %s %s = %s;\n" % (cpp(kind), n, value)))
        used, lines = set(re.findall(r"\w+", "".join(self.lines))), []
        given.sort(key=lambda g: g[0] in self.ghosts)  # which are made of others
        for n, line in reversed(given):
            if n in used:
                used |= set(re.findall(r"\w+", line))
                lines.insert(0, line)
        for why, texts in sorted(self.listed.items()):
            lines.append("  /* not checked, %s:\n%s */\n" % (why, "\n".join("   *   " + t for t in texts)))
        return "bool %s(const launched &l)\n{\n%s%s\n  return true;\n}\n" % (
            name, "".join(lines), "\n".join(self.lines))


def under(guards, tree):
    for g in reversed(guards):
        tree = ("binary", "==>", g, tree)
    return tree


def real(code, kind):
    return "real_of(%s)" % code if kind == "num" else code


def cpp(kind):
    return "ptr" if kind.startswith("*") else kind


def quoted(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


class Shared:
    def __init__(self):
        self.names, self.functions, self.heads, self.structs = {}, [], [], {}

    def known(self):
        return dict(self.names), len(self.functions)

    def forget(self, known):
        """Functions that were begun for a part that cannot be checked."""
        self.names = known[0]
        del self.functions[known[1]:], self.heads[known[1]:]

    def struct(self, checker, kind):
        if kind in ("num", "real", "bool") or kind.startswith("*") or kind in self.structs:
            return
        body = ""
        for t, n, size in checker.logic.fields(kind):
            inner = checker.type_of(t)
            self.struct(checker, inner)
            plain = {"idx": "int64_t"}.get(t, t)
            if size:
                size = "[%s]" % (size if size.isdigit() else eval_size(checker, size))
            body += "  %s %s%s;\n" % (plain if inner in ("num", "real") else inner, n, size)
        self.structs[kind] = "struct %s {\n%s};\n" % (kind, body)


def eval_size(checker, text):
    """A constant of the AST: names of enumerators, and arithmetic."""
    while re.search(r"[A-Za-z_]", text):
        text = re.sub(r"[A-Za-z_]\w*", lambda m: checker.logic.enums[m[0]], text)
    if not re.fullmatch(r"[\d\s()+*/-]+", text):
        raise Failure("%s: no constant: %s" % (checker.kernel.name, text))
    return str(int(eval(text.replace("/", "//"))))  # digits and operators alone


HEAD = """/* Written by proofs/tools/requires.py: each kernel's requires, as Frama-C reads them, in C++.
 * launched.cpp asks check_KERNEL of each launch; `make prove` compares this text with the contracts.
 *
%s
 *
 * A conjunct stands here as the parts that its predicates have. What is listed and not checked is so
 * for one of these reasons:
%s */
#include "requires.h"

namespace pm_sim_ {
namespace {

"""


def generate(surveys, root=framac.ROOT):
    """The text of requires.cpp, and a line that counts."""
    found, shared, logics = kernels.find(root), Shared(), {}
    kernels.attach(found, surveys)
    checkers, rows, texts, reasons = [], [], {}, collections.Counter()
    for k in found:
        if k.survey is None:
            rows.append("    {%s, NULL, 0, 0, NULL}," % quoted(k.name))
            continue
        logic = logics.setdefault(k.survey.unit.name, acsl.Logic(k.survey))
        c = Checker(k, logic, shared)
        listed = sum(map(len, c.listed.values()))
        if c.checked + listed != c.parts or len(c.lines) != len(c.said):
            raise Failure("%s: %s: %d parts, of which %d are checked and %d listed"
                          % (k.path, k.name, c.parts, c.checked, listed))
        for why, those in c.listed.items():
            reasons[why] += len(those)
        checkers.append(c)
        body = c.text("%s")
        name = texts.setdefault(body, "check_" + k.name)  # instances may share it
        rows.append("    {%s, %s, %d, %s, %s}," % (quoted(k.name), quoted(c.signature()), len(k.constants),
                                                  c.structs(), name))
    strangers = {name for name, _ in GHOSTS} - {k.name for k in found}
    if strangers:
        raise Failure("requires.py: GHOSTS names no kernel: " + ", ".join(sorted(strangers)))
    texts = [body.replace("%s", name, 1) for body, name in texts.items()]
    count = lambda what: sum(getattr(c, what) for c in checkers)
    summary = ("%d kernels; %d of them have a contract, of %d conjuncts in %d parts: %d are checked, %d listed"
               % (len(found), len(checkers), count("conjuncts"), count("parts"), count("checked"),
                  sum(reasons.values())))
    why = "\n".join(" *   %d: %s" % (n, w) for w, n in sorted(reasons.items()))
    text = HEAD % (" * " + summary + ".", why)
    text += "\n".join(list(shared.structs.values()) + shared.heads + [""] + shared.functions + texts)
    text += "\n} // namespace\n\nconst requires_row requires_rows[] = {\n%s\n};\n" % "\n".join(rows)
    text += "const int n_requires = %d;\n\n} // namespace pm_sim_\n" % len(rows)
    return text, summary


def errors(surveys, committed=None):
    """What is wrong with the committed text; for prove.py."""
    if not any(s.unit.reading == "cuda" for s in surveys):  # the self-test's small tree
        return []
    if committed is None:
        with open(os.path.join(framac.ROOT, OUT)) as f:
            committed = f.read()
    return [] if committed == generate(surveys)[0] else [STALE]


def self_test():
    """Faults in contracts and in the committed text: each must be found. Returns those that are not."""
    surveys = [framac.Survey(framac.Unit("cuda/bias/bias.cu", "cuda"))]
    text, _ = generate(surveys)

    def contract(old, new):
        other = copy.copy(surveys[0])
        other.contracts_ = None  # what was read of the text as it is
        other.__dict__.pop("definitions_", None)
        other.ast, other.logic = (t.replace(old, new) for t in (other.ast, other.logic))
        if other.ast == surveys[0].ast:
            raise Failure("requires.py --self-test: the fault for %s changed nothing" % old)
        return lambda: errors([other], text)

    grid = "requires ix(rows, cols, 0) <= gsize_;"
    faults = [
        ("a contract for fewer rows", STALE, contract(grid, grid + " requires rows <= 1024;")),
        ("a requirement that is gone", STALE, contract(grid, "")),
        ("a predicate that says less", STALE, contract("0 <= n <= 0x0fffffffffffffff", "0 <= n")),
        ("a contract that is gone", STALE, contract(grid, grid + " } */ void other(int); /*@ {")),
        ("a name of which nothing is known", "add_bias_scalar: requires.py cannot say Unheard",
         contract(grid, "requires Unheard(x);")),
        ("a requirement behind assigns", "requirements that do not come first",
         contract(grid, "assigns \\nothing; " + grid)),
        ("a quantifier over pointers", "a quantifier over no integers",
         contract(grid, "requires \\forall float *q; q != x;")),
        ("a checker with a condition less", STALE,
         lambda: errors(surveys, re.sub(r"  REQUIRES\(.*\n.*\n", "", text, count=1))),
        ("a condition that is another", STALE, lambda: errors(surveys, text.replace("<= gsize_)", "<= gsize_ + 1)"))),
        ("a kernel that it does not know", STALE,
         lambda: errors(surveys, re.sub(r".*\"add_bias_vec4\", .*\n", "", text))),
    ]
    missed = [] if not errors(surveys, text) else ["the text as it is"]
    for what, words, attempt in faults:
        try:
            found = attempt()
        except Failure as failure:
            found = [str(failure)]
        if not any(words in e for e in found):
            missed.append("%s: %s" % (what, "; ".join(found) or "nothing was found"))
    framac.say("requires.py self-test: %d faults, %d missed" % (len(faults), len(missed)))
    return missed


def main():
    p = argparse.ArgumentParser(prog="requires.py", description=__doc__)
    p.add_argument("--check", action="store_true", help="whether %s is up to date" % OUT)
    p.add_argument("--write", action="store_true", help="write it")
    p.add_argument("--self-test", action="store_true", help="plant faults: each must be found")
    args = p.parse_args()
    if args.self_test:
        wrong = self_test()
    else:
        import prove  # which asks errors() of this module
        surveys = prove.Plan(prove.read_table(), framac.Pool(2)).surveys
        text, summary = generate(surveys)
        framac.say(summary)
        if args.write:
            framac.write_if_changed(os.path.join(framac.ROOT, OUT), text)
        wrong = errors(surveys) if args.check else []
    for e in wrong:
        framac.complain("requires.py: " + e)
    return 1 if wrong else 0


if __name__ == "__main__":
    framac.run_program("requires.py", main)
