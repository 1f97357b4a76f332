"""Whether the theorems of proofs/link are about what the contracts in ref/ promise. Used by
theory.py.

A contract says of each output which function of spec/ it is; WP proves that of the C. A theorem
that is said to be linked must speak of these functions and of no other, in the order in which the
forward op's contract and the VJP's name them, output by output. What an argument of such a function
is, is read.

Of a bound the theorem says within_bound E V: the contract of bound_OP must give E for the output, and
that of ref_OP V, by the same functions of the same arguments (Claim)."""
import glob
import os
import re
import sys

import link
from definitions import closed, depth_split, unwrapped

# where an element is, reading it, a sum of two, for which contracts write +, and what is asked of windows
PLACES = {"rd", "ix", "ixt", "along", "Target", "Plus", "Placed", "ConvShape"}
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
        self.same = dict(re.findall(r"\blogic\s+\w+\s+%s\s*=\s*%s;" % (call, call), spec + self.ref))
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
        # of functions that share a name WP numbers each: L_f_1_
        text = " ".join(back.get(w, re.sub(r"_\d+_$", "", w[2:]) if w[:2] in ("L_", "P_") else "")
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


# ---------------------------------------------------------------- bounds

SEEN_AS_THEY_ARE = {"Z.of_nat", "Z.to_nat", "IZR", "W_real_of_int"}  # no function of spec/
STATES = {"M", "I", "ar", "A"}  # memory, which a contract names by its labels, and the arithmetic


def coq_term(text):
    """A term of Coq as (function, arguments): L_f M ar (L_g x) 0 is ("f", [("g", ["x"]), "0"]). What is
    no function of spec/ or ref/ is a string. None where this cannot be read."""
    tokens, at = re.findall(r"[\w'.]+|\S", text), 0

    def atom():
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "(":
            inner = quotient()
            at += 1
            return inner
        return token

    def application():
        parts = []
        while at < len(tokens) and tokens[at] not in ")/":
            parts.append(atom())
        head, rest = parts[0], [p for p in parts[1:] if isinstance(p, tuple) or p not in STATES]
        if len(parts) == 1 and not str(head).startswith("L_"):
            return head
        if head in SEEN_AS_THEY_ARE:
            return rest[0]
        if head in ("W_pair'e", "W_arith'h", "W_arith'h2"):
            return "." + head.partition("'")[2], rest
        if isinstance(head, str) and head.startswith("L_"):
            return head[2:], rest
        return " ".join(map(str, parts))

    def quotient():
        nonlocal at
        left = application()
        while at < len(tokens) and tokens[at] == "/":
            at += 1
            left = "rdiv", [left, application()]
        return left

    if re.search(r"[^\w'.()/\s]", text):
        return None
    return quotient()


def acsl_term(text):
    """The same of an expression of ACSL, without states."""
    text = unwrapped(re.sub(r"\{[\w,]*\}|\\old(?=\()", "", text))
    m = re.match(r"(\\?\w+)\(", text)
    inside = closed(text, m.end()) if m else ""
    rest = text[m.end() + len(inside) + 1:] if m else text
    if m and rest in ("", ".e"):
        term = m[1], [t for t in map(acsl_term, depth_split(inside, ","))
                       if isinstance(t, tuple) or t not in STATES]
        return (".e", [term]) if rest else term
    m = re.fullmatch(r"A\.(h2?)", text)
    return ("." + m[1], []) if m else " ".join(text.split())


def fits(term, said, meant):
    """Whether what a contract says is an instance of the theorem's term: its variables are `meant`."""
    if isinstance(term, tuple):
        return isinstance(said, tuple) and term[0] == said[0] and len(term[1]) == len(said[1]) and \
            all(fits(t, s, meant) for t, s in zip(term[1], said[1]))
    if re.fullmatch(r"[0-9.]+", term):
        return isinstance(said, str) and re.fullmatch(r"[0-9.]+", said) and float(said) == float(term)
    return meant.setdefault(term, said) == said


def claims(statement):
    """[(E, V)] of a theorem that ends with within_bound E V c, or with several of them; [] if not."""
    found = []
    for part in depth_split(depth_split(statement, "->")[-1].strip(" \n."), r"/\\"):
        m = re.fullmatch(r"\s*within_bound\s+(\(.*|\w+)", part, re.S)
        terms, rest = [], m[1].split("forall")[0] if m else ""
        while rest:
            first = rest[:len(closed(rest, 1)) + 2] if rest[0] == "(" else re.match(r"\S+", rest)[0]
            terms.append(coq_term(first))
            rest = rest[len(first):].strip()
        if len(terms) != 3 or None in terms:
            return []
        found.append(tuple(terms[:2]))
    return found


def outputs(ref, function):
    """{output: (hypotheses, index, what it is, ..)} of a contract's ensures, or None without a contract. An
    output that has no equation has None in place of all that. Last, whether it is said of all that is written."""
    m = re.search(r"/\*@((?:(?!\*/).)*)\*/\s*void\s+%s\s*\(([^()]*)\)" % function, ref, re.S)
    if not m:
        return None
    found = {}
    for clause in re.split(r"\b(?=ensures|assigns|requires|terminates)\b", m[1]):
        if not clause.startswith("ensures"):
            continue
        body = " ".join(clause[len("ensures"):].strip().rstrip(";").split())
        body = re.sub(r"^\\forall [^;]*; ", "", body)
        *hypotheses, said = [h.strip() for h in depth_split(body, "==>")]
        sides = depth_split(said, r"(?<![<>=!])==(?!>)")
        said = re.fullmatch(r"is_zero\((e_\w+\[.*\])\)", said)
        if said:
            sides = [said[1], "0.0"]
        output = re.fullmatch(r"(\w+)\[(.*)\]", sides[0].strip())
        whole = output and len(sides) == 2 and output[1] not in found and \
            len(depth_split(sides[1], r"&&|\|\||<|>")) == 1
        if not output and not re.search(r"\be_\w+", body):
            continue  # of what is kept on the way, not of a bound
        name = output[1] if output else re.findall(r"\be_\w+", body)[0]
        written = re.search(r"assigns[^;]*\b%s\[0 \.\. ([^;\]]*)-1\]" % name, m[1])
        everywhere = output and written and hypotheses == ["0 <= %s < %s" % (output[2], written[1])]
        found[name] = (hypotheses, output[2], acsl_term(sides[1]), everywhere) if whole else None
    return found


def check_bounds(rows):
    """[what is wrong] with the contracts of bounds, and with the linked rows of proofs/bounds, {op: row}."""
    text, errors = Link(), []
    ops = set(re.findall(r"\bOP\(\s*(\w+)", read("spec/ops.def")))
    for op in sorted(ops & set(re.findall(r"\bvoid\s+bound_(\w+)\s*\(", text.ref)) | set(rows)):
        if op not in rows:
            errors.append("%s: proofs/bounds does not say which theorem bound_%s has" % (op, op))
            continue
        bounds, values = outputs(text.ref, "bound_" + op), outputs(text.ref, "ref_" + op)
        if not bounds or not values:
            errors.append("%s: ref/ has no contract of the bound or of the op, of which %s speaks"
                          % (op, rows[op]["theorems"]))
            continue
        errors += ["%s: %s" % (op, e) for e in form_errors(op, rows[op]["theorems"], bounds, values)]
        if rows[op]["level"] == "linked":
            errors += ["%s: %s" % (op, e) for e in claim_errors(text, op, rows[op]["theorems"], bounds, values)]
    return errors


def value_of(output, values):
    """What ref_OP says of e_OUTPUT's output."""
    name = output[len("e_"):]
    return values.get(name) or values.get(name + "_next")


def form_errors(op, theorems, bounds, values):
    """Whether each bound is an equation, of the elements that the op's contract speaks of."""
    errors = []
    for output, bound in bounds.items():
        value = value_of(output, values)
        if bound is None or value is None:
            errors.append("%s has no equation in bound_%s, or none in ref_%s: %s speaks of one"
                          % (output, op, op, theorems))
        elif not bound[3] and (bound[1] != value[1] or not set(bound[0]) <= set(value[0])):
            errors.append("%s of bound_%s is said of other elements than those of ref_%s" % (output, op, op))
    return errors


def claim_errors(text, op, theorems, bounds, values):
    """Whether the contracts of a linked op say what its theorems speak of, and nothing else."""
    told = {t: claims(text.statements.get(t, "")) for t in theorems.split(", ")}
    errors = ["%s does not end with within_bound" % t for t, found in told.items() if not found]
    used = set()
    for output, bound in bounds.items():
        value = value_of(output, values)
        if bound is None or value is None:
            continue
        known = [(t, i) for t, found in told.items() for i, (e, v) in enumerate(found)
                 for meant in [{}] if fits(e, bound[2], meant) and fits(v, value[2], meant)]
        used |= set(known)
        if not known:
            errors.append("%s of bound_%s, or what it bounds, is not what %s speaks of" % (output, op, theorems))
    errors += ["%s speaks of a bound that the contracts in ref/ do not give" % t
               for t, found in told.items() for i in range(len(found)) if (t, i) not in used]
    return errors


def rows_of(table):
    with open(os.path.join(link.ROOT, "proofs", table)) as f:
        rows = [[w.strip() for w in line.split("|")] for line in f if line.strip() and line[0] != "#"]
    return {r[0]: {"level": r[1], "theorems": r[2]} for r in rows}


if __name__ == "__main__":
    wrong = check(rows_of("calculus")) + check_bounds(rows_of("bounds"))
    for e in wrong:
        print("contracts.py: " + e)
    sys.exit(1 if wrong else 0)
