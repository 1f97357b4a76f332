"""Probes: goals that must fail, and would be provable if the axioms contradicted one another. Used by
prove.py.

Of each unit that has axioms of its own: falsehood itself, and falsehood beside terms. The provers
instantiate an axiom at terms that they have, so each symbol that the unit's axioms speak of is there at
variables and at small numbers, below predicates of which nothing is known.

probes.py --self-test [N]   plants axioms that have no model, or the Nth part of them that is today's: the
                            check of the text (definitions.py) must refuse each, and the probes find
                            those that PLANTED says they do
"""
import os
import shutil
import sys
import tempfile
import time

import definitions
import framac

PROVERS, SECONDS = "cvc5,z3", 2
NAMES = ["probe_false", "probe_terms"]
RESULTS = ("real", "integer", "pair", "boolean", "predicate")
NUMBERS = {"real": ("0.0", "1.0", "2.0", "-1.0"), "integer": ("0", "1", "2", "-1")}


def terms(symbol, variables):
    """Applications of a symbol. `variables`: {type: names}, to which it adds what it needs."""
    given = []
    for number, t in enumerate(symbol.types):
        have = variables.setdefault(t, [])
        mine = symbol.types[:number].count(t)
        while len(have) <= mine:
            have.append("v%d_%d" % (list(variables).index(t), len(have)))
        given.append(have[mine])
    found = ["%s(%s)" % (symbol.name, ", ".join(given))] if given else [symbol.name]
    if symbol.types and set(symbol.types) <= set(NUMBERS):
        found += ["%s(%s)" % (symbol.name, ", ".join(NUMBERS[t][k] for t in symbol.types))
                  for k in range(4)]
        found.append("%s(%s)" % (symbol.name, ", ".join(
            NUMBERS[t][(k + 1) % 4] for k, t in enumerate(symbol.types))))
    return list(dict.fromkeys(found))


def goals(logic, axioms):
    """The text of the goals NAMES of a unit, whose own axioms have these texts."""
    symbols, _, _ = definitions.read(logic)
    spoken, variables, hypotheses = definitions.words(" ".join(axioms)), {}, []
    have = {s.result for s in symbols} | {t for s in symbols for t in s.types}
    for s in symbols:
        if s.name in spoken and not s.labels and s.result in RESULTS:
            for term in terms(s, variables):
                hypotheses.append("(%s || seen_integer(0)) ==>" % term if s.result == "predicate" else
                                  "seen_integer(%s ? 1 : 0) ==>" % term if s.result == "boolean" else
                                  "seen_%s(%s) ==>" % (s.result, term))
    seen = ["real", "integer"] + ["pair"] * ("pair" in have)
    text = "/*@ axiomatic Seen {\n%s} */\n" % "".join(
        "  predicate seen_%s(%s x) reads \\nothing;\n" % (t, t) for t in seen)
    bound = ", ".join("%s %s" % (t, n) for t, names in variables.items() for n in names)
    text += "/*@ check lemma probe_false: \\false; */\n"
    return text + "/*@ check lemma probe_terms: %s\n  %s \\false; */\n" % (
        "\\forall " + bound + ";" if bound else "", "\n  ".join(hypotheses))


# (what, the header of spec/ that gets it, its text, whether the probes find it)
PLANTED = [
    ("a false law", "real.h", r"axiom bad: \forall real x; rmul(x,x) <= 0.0;", True),
    ("a member exchanged", "pair.h", r"axiom bad: \forall real v, e; p_make(v,e).v == e;", True),
    ("what another family refutes", "real.h", r"axiom bad: \forall real x; Sigmoid(x) == 2.0;", True),
    ("an equation without solution", "real.h", r"logic real pf(real x) reads \nothing;"
     r" axiom bad: \forall real x; pf(x) == pf(x) + 1.0;", True),
    ("a law that holds of ranges alone", "index.h",
     r"axiom bad: \forall integer i, j, k, l, n; ix(i,n,j) == ix(k,n,l) ==> i == k;", True),
    ("a quotient off by one", "walk.h",
     r"axiom bad: \forall integer k, n; 0 < n ==> n * quo(k,n) + rem(k,n) == k + 1;", True),
    ("a witness that is none", "real.h", r"axiom bad: \exists real x; rmul(x,x) < 0.0;", True),
    ("a quotient by 0", "real.h", r"axiom bad: \forall real x; rmul(rdiv(x,0.0),0.0) == x;", True),
    ("two that overlap", "real.h", r"logic real pf(real x) reads \nothing;"
     r" axiom bad1: \forall real x; 0.5 < x ==> pf(x) == 1.0;"
     r" axiom bad2: \forall real x; x < 1.5 ==> pf(x) == rmul(x,x) + 2.0;", True),
    ("two that call one another", "index.h", r"logic integer pg(integer n) reads \nothing;"
     r" logic integer pf(integer n) = n <= 0 ? 0 : pg(n) + 1;"
     r" axiom bad: \forall integer n; pg(n) == pf(n) + 1;", True),
    ("a chain of eight steps", "real.h", r"logic real pf(real x) reads \nothing;"
     r" axiom bad1: \forall real x; pf(x + 1.0) == pf(x) + 1.0; axiom bad2: pf(0.0) == 0.0;"
     r" axiom bad3: pf(8.0) == 9.0;", True),
    ("two that meet at ix(3,5,2) alone", "index.h", r"logic real pf(integer k) reads \nothing;"
     r" axiom bad1: pf(17) == 1.0; axiom bad2: \forall integer i, j; pf(ix(i,5,j)) == 2.0;", False),
    ("a monotone function that falls", "real.h",
     r"axiom bad: \forall real x, y; x < y ==> Softplus(y) < Softplus(x);", False),
    ("a sum of any numbers", "real.h", r"axiom bad{L}: \forall scalar *x, integer n; 0.0 <= Sum{L}(x,n);",
     False),
    ("one value in every state", "real.h", r"logic real pf(scalar *x) reads \nothing;"
     r" axiom bad{L}: \forall scalar *x; pf(x) == x[0];", False),
]


def probe(root, header, text):
    """(whether the text is refused, the probes that were proven) of a plant in a tree of its own."""
    for folder in ("spec", "ref"):
        shutil.copytree(os.path.join(framac.ROOT, folder), os.path.join(root, folder))
    path = os.path.join(root, "spec", header)
    with open(path) as f:
        old = f.read()
    with open(path, "w") as f:
        f.write(old[:old.rindex("#endif")] + "/*@ axiomatic Planted { %s } */\n#endif\n" % text)
    survey = framac.Survey(framac.Unit("spec/" + header, "ref", root=root))
    own = [t for n, (_, t) in survey.axioms.items() if n.startswith("bad")]
    unit = framac.Unit("spec/" + header, "ref", tag="probes", root=root, extra=goals(survey.logic, own))
    run = framac.prove(unit, lemmas=NAMES, provers=PROVERS, timeout=SECONDS, mode="none")
    return bool(definitions.errors(survey.logic)), [n for n in NAMES if run.goals.get(n, [0])[0]]


def self_test(part):
    day, failed, asked, found = time.localtime().tm_yday, 0, 0, 0
    for number, (what, header, text, expected) in enumerate(PLANTED):
        if number % part != day % part:
            continue
        with tempfile.TemporaryDirectory() as root:
            refused, proven = probe(root, header, text)
        asked, found = asked + 1, found + bool(proven)
        if not refused or expected and not proven:
            failed += 1
        print("%-34s text %s, probes: %s" % (what, "refused" if refused else "PASSED", ", ".join(proven) or
                                             ("nothing, and should" if expected else "nothing")), flush=True)
    print("probes self-test: of %d axioms without a model the provers find %d; %d wrong" % (asked, found, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] != ["--self-test"]:
        sys.exit(__doc__)
    framac.run_program("probes.py", lambda: self_test(int(sys.argv[2]) if len(sys.argv) > 2 else 1))
