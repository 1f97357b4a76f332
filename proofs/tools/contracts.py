"""Whether the theorems of proofs/link are about what the contracts in ref/ promise. Used by
theory.py.

A contract says of each output which function of spec/ it is; WP proves that of the C. A theorem
that is said to be linked must speak of these functions and of no other, in the order in which the
forward op's contract and the VJP's name them, output by output. What an argument of such a function
is, is read."""
import glob
import os
import re

import link

# where an element is, reading it, and a sum of two, for which contracts write +
PLACES = {"rd", "ix", "ixt", "along", "Target", "Plus"}
CALL = r"(\\?\w+)\s*(?:\{[\w,]*\})?\("
BUILTIN = {"\\exp": "exp", "\\log": "ln", "\\tanh": "W_tanh"}


def read(pattern):
    texts = []
    for path in sorted(glob.glob(os.path.join(link.ROOT, pattern))):
        with open(path) as f:
            texts.append(f.read())
    return "\n".join(texts)


class Link:
    def __init__(self):
        spec = re.sub(r"//[^\n]*", "", read("spec/*.h"))
        self.ref = re.sub(r"//[^\n]*", "", read("ref/*.h"))
        self.names = set(re.findall(r"\b(?:logic\s+\w+|predicate)\s+(\w+)\s*[({]", spec))
        # a function that is another one with fewer arguments; WP knows the other
        call = r"(\w+)\{L\}\([^()]*\)"
        self.same = dict(re.findall(r"\blogic\s+\w+\s+%s\s*=\s*%s;" % (call, call), spec))
        named = read("proofs/link/carrier.c")
        self.same.update(re.findall(r"\b(of_\w+)\([\w,]*\) == (\w+)\(", named))
        coq = re.sub(r"\(\*.*?\*\)", "", read("proofs/link/*.v"), flags=re.S)
        self.definitions = dict(re.findall(r"^Definition (\w+)(.*?\.)\n", coq, re.S | re.M))
        self.statements = dict(re.findall(
            r"^(?:Theorem|Corollary) (\w+)(.*?\.)\s*\n\s*Proof\b", coq, re.S | re.M))

    def promised(self, op):
        """Of each clause on an output of ref_OP, in the order of its parameters, the functions that
        the output is, and all that the clause names. None without a contract."""
        m = re.search(r"/\*@((?:(?!\*/).)*)\*/\s*void\s+ref_%s\s*\(([^()]*)\)" % op,
                      self.ref, re.S)
        if not m:
            return None
        found, order = [], re.findall(r"(\w+)(?:,|$)", m[2])
        for clause in re.split(r"\b(?=ensures|assigns|requires|terminates)\b", m[1]):
            if clause.startswith("ensures"):
                said = clause.rpartition("==>")[2].partition("==")
                output = re.match(r"\s*(\w+)\[", said[0])
                found.append((order.index(output[1]) if output and output[1] in order else 0,
                              self.functions(said[2] or said[0], CALL),
                              self.functions(clause, CALL)))
        return [found[1:] for found in sorted(found, key=lambda f: f[0])]

    def functions(self, text, pattern=r"([\w']+)"):
        names = [self.same.get(n, n) for n in re.findall(pattern, text)]
        return [n for n in names if n in self.names - PLACES or n in BUILTIN]

    def told(self, theorem):
        """The functions of spec/ that a theorem's statement speaks of, in order."""
        def words(text):
            for w in re.findall(r"[\w']+", text):
                if w in self.definitions:
                    yield from words(self.definitions[w])
                yield w

        back = {coq: name for name, coq in BUILTIN.items()}
        text = " ".join(back.get(w, w[2:] if w[:2] in ("L_", "P_") else "")
                        for w in words(self.statements.get(theorem, "")))
        return self.functions(text, r"(\\?\w+)")


def check(rows):
    """[what is wrong] with the linked rows of proofs/calculus, {op: row}."""
    text, errors = Link(), []
    for op, row in rows.items():
        if row["level"] != "linked":
            continue
        forward, vjp = text.promised(op[:-len("_vjp")]), text.promised(op)
        if forward is None or vjp is None:
            errors.append("%s: ref/ has no contract of the op or of its VJP" % op)
            continue
        theorem = row["theorems"].split(", ")[0]
        told, outputs = text.told(theorem), forward + vjp
        for n in sorted({n for names, _ in outputs for n in names} - set(told)):
            errors.append("%s: the contract in ref/ speaks of %s, %s does not" % (op, n, theorem))
        for n in sorted(set(told) - {n for _, named in outputs for n in named}):
            errors.append("%s: %s speaks of %s, the contract in ref/ does not" % (op, theorem, n))
        rest = iter(told)
        for names, _ in outputs:
            if names and names[0] in told and names[0] not in rest:
                errors.append("%s: %s has %s at another place than the contracts in ref/"
                              % (op, theorem, names[0]))
    return errors
