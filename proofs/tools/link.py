"""The link from spec/ to Coq: the logic functions of the specifications as Coq definitions, in WP's
own words. Used by theory.py.

WP hands its provers a goal with the definitions that it speaks of; Why3 prints the same for Coq. The
goal of proofs/link/carrier.c names the functions of spec/ that a theorem is about. Of what is printed
this script keeps the definitions and, of the axioms, the equations that define a function; it drops
all the rest (laws of the memory model, lemmas, the goal). A function that is defined by an equation
is a Parameter and an Axiom there: here it becomes the Definition that proofs/link/realize gives, and
the Axiom, word for word, a Lemma that Coq has to prove of it. So the file has no axiom, and a formula
that changes in spec/ changes in Coq, or has a Lemma fail.

The error pairs have a goal of their own, proofs/link/pairs.c, with proofs/link/realize_pairs: there
the structs of C are Coq's records, and each node is realized by the node that the theorems of
proofs/theory are about."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "theory")
LINK = os.path.join(ROOT, "proofs", "link")
# WP's words for pointers and its hyperbolic functions; renamed, for the library has such names
WORDS = ("addr", "base", "offset", "shift", "real_of_int", "sinh", "cosh", "tanh")
HEAD = """(* Written by proofs/tools/link.py from what WP says of spec/ (proofs/link/carrier.c) and from
   proofs/link/realize. Do not edit. *)
Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Max Realize.
Open Scope R_scope.

"""

PAIRS_HEAD = HEAD.replace("carrier.c", "pairs.c").replace("link/realize.", "link/realize_pairs.") \
    .replace("Sums Max Realize", "Sums Max Realize Scalar Round Nodes NodesOfFunctions FloatSum "
             "SumNodes MeanSquare NormNodes RowNodes Logistic GeluNodes Meaning ActivationOps")
# the structs of spec/pair.h by one of their members, as they have no tag; Why3 numbers their types
STRUCTS = {"eta": "arith", "v": "pair"}
TAGGED = r"(?:window|conv_shape)"  # those that have one: it stands behind the number
CALLED = r"\b(?:[LP]_\w+|if_term\w*)"  # functions and predicates; WP's names for a choice between two terms
IN_STRUCT = re.compile(r"(?:Eq)?S\d+(_%s)?$|F\d+_\w+$" % TAGGED)


class Bad(Exception):
    """What is refused; the text says why."""


def exported(carrier):
    """The text of a carrier's goal as Why3 prints it for Coq."""
    config = os.environ.get("WHY3CONFIG") or run(["bash", "proofs/why3.sh"]).strip()
    goal, own = (os.path.join(BUILD, n) for n in ("goal.v", "why3.conf"))
    with open(config) as f:
        text = f.read()
    with open(own, "w") as f:
        f.write(text + '\n[prover]\nname = "Print"\nversion = "1"\ncommand = "cp %%f %s"\n'
                'driver = "coq"\neditor = ""\nin_place = false\ninteractive = false\n'
                'shortcut = "print"\n' % goal)
    if os.path.exists(goal):
        os.remove(goal)
    said = run(["frama-c", "-cpp-extra-args=-I.", "proofs/link/" + carrier, "-no-unicode", "-wp",
                "-wp-model", "Typed+real", "-wp-prover", "print", "-wp-prop", "carrier", "-wp-cache",
                "none", "-wp-timeout", "5"], WHY3CONFIG=own)
    if not os.path.exists(goal):
        raise Bad("proofs/link/" + carrier + ": WP made no goal: " + " ".join(said.split())[-300:])
    with open(goal) as f:
        return f.read()


def run(command, **more):
    try:
        done = subprocess.run(command, cwd=ROOT, env=dict(os.environ, PWD=ROOT, **more),
                              capture_output=True, text=True)
    except FileNotFoundError:
        raise Bad("not installed: frama-c. Run: apt-get install --no-install-recommends "
                         "frama-c-base")
    if done.returncode:
        lines = [l for l in (done.stdout + done.stderr).splitlines() if "rror" in l] or \
            [done.stderr[-300:]]
        raise Bad("%s: %s" % (command[0], " ".join(lines)[:400]))
    return done.stdout


def chunks(text):
    """(kind, name, text) of each sentence at the left margin."""
    text = text[:text.index("(* Why3 goal *)")]
    found = re.findall(r"^(Parameter|Axiom|Definition|Inductive|Fixpoint) ([\w']+)(.*?\.)\n(?=\n|Axiom|\Z)",
                       text, re.S | re.M)
    return [(kind, name, "%s %s%s" % (kind, name, rest)) for kind, name, rest in found]


def stated_axioms():
    """Names of the axioms in spec/, in ref/ and in the carriers."""
    names = set()
    for folder in ("spec", "ref", os.path.join("proofs", "link")):
        for name in os.listdir(os.path.join(ROOT, folder)):
            if name.endswith((".h", ".c")):
                with open(os.path.join(ROOT, folder, name)) as f:
                    names |= set(re.findall(r"\baxiom\s+(\w+)", f.read()))
    return names


def realizations(table):
    """{name: (definition, proof or "")} of a table of proofs/link."""
    with open(os.path.join(LINK, table)) as f:
        text = re.sub(r"^#.*\n", "", f.read(), flags=re.M)
    found = {}
    for name, body, _, proof in re.findall(r"^@(\w+)\n(.*?)(\n--\n(.*?))?(?=\n*^@|\Z)", text,
                                           re.S | re.M):
        if name in found:
            raise Bad("proofs/link/%s: %s twice" % (table, name))
        found[name] = body.strip(), proof.strip()
    return found


def struct_names(text):
    """Records and their members by the names that C has for them, for Why3's numbers."""
    text = re.sub(r"\bF\d+_(%s)_(?=\w)" % TAGGED, r"W_\1'", text)
    for old, new in (("EqS", "'eq"), ("S", "'mk"), ("S", "")):
        text = re.sub(r"\b%s\d+_(%s)%s\b" % (old, TAGGED, "1" if new == "'mk" else ""), r"W_\1" + new, text)
    for number in sorted(set(re.findall(r"\bF(\d+)_", text))):
        name = [n for member, n in STRUCTS.items()
                if re.search(r"\bF%s_%s\b" % (number, member), text)]
        if len(name) != 1:
            raise Bad("proofs/link: a struct that link.py does not know")
        for old, new in (("EqS%s", "'eq"), ("S%s1", "'mk"), ("S%s", "")):
            text = re.sub(r"\b%s\b" % old % number, "W_%s%s" % (name[0], new), text)
        text = re.sub(r"\bF%s_(?=\w)" % number, "W_%s'" % name[0], text)
    return text


def renamed(text):
    text = struct_names(text)
    text = re.sub(r"\bBuiltIn\.IZR\b", "IZR", text)
    text = re.sub(r"(?<![\w.])eqb\b", "Z.eqb", text)  # of integers; of anything else it does not compile
    return re.sub(r"(?<![\w.'])(%s)(?=('mk)?\b(?!'))" % "|".join(WORDS), r"W_\1", text)


def owners(parts):
    """{name of an equation: the function that it defines}, in the order of the text. An equation of an
    axiom defines the function in it that none before has defined."""
    axioms, known, found = stated_axioms(), set(), {}
    declared = {name for kind, name, _ in parts if kind == "Parameter"}
    for kind, name, text in parts:
        own = re.match(r"(L_\w+?|if_term\d*)('def|_def)$", name)
        if kind == "Axiom" and own and own[1] in declared:
            found[name] = own[1]
        elif kind == "Axiom" and name.startswith("Q_") and name[2:] in axioms:
            speaks = [n for n in re.findall(r"\bL_\w+", text) if n in declared]
            if speaks:
                found[name] = ([n for n in speaks if n not in known] + speaks[-1:])[0]
        known.add(found.get(name))
    return found


def reached(parts, defines, goal):
    """The functions and predicates that the goal speaks of, and those in turn."""
    says = {}
    for _, name, text in parts:
        says.setdefault(defines.get(name, name), []).append(text)
    seen, todo = set(), re.findall(CALLED, goal)
    while todo:
        name = todo.pop()
        if name not in seen and name in says:
            seen.add(name)
            todo += re.findall(CALLED, " ".join(says[name]))
    return seen


def meaning(carrier="carrier.c", table="realize", head=HEAD, known=()):
    """The text of Meaning.v, or of another carrier's file, which has not what is `known` already."""
    goal = exported(carrier)
    parts, rows = chunks(goal), realizations(table)
    defines = owners(parts)
    wanted = reached(parts, defines, goal[goal.index("(* Why3 goal *)"):])
    first = lambda name: name in WORDS or bool(IN_STRUCT.match(name))  # these rest on nothing else
    parts.sort(key=lambda part: not first(part[1]))
    declared = {name: text for kind, name, text in parts if kind == "Parameter"}
    out, used, unfolds = [head], set(), []
    raw = rows.pop("records", ("", ""))[0]

    def define(name):
        """A parameter by its row, after those that the row speaks of."""
        if name in used or name in known:
            return
        if name not in rows:
            raise Bad("proofs/link/%s: no definition of %s, which proofs/link/%s speaks of"
                      % (table, name, carrier))
        body, proof = rows[name]
        if name not in defines.values() and proof != "free":
            raise Bad("proofs/link: WP says nothing of %s, so a theorem could not either" % name)
        used.add(name)
        for n in re.findall(CALLED, body):
            if n in declared:
                define(n)
        unfolds.append(name)
        out.append(re.sub(r"^Parameter %s\s*:(.*)\.$" % name,
                          lambda m: "Definition %s :%s :=\n  %s." % (name, m[1], body),
                          declared[name], flags=re.S))

    def proof_of(name, text):
        """What its row says, or the tactic of its table."""
        if rows[name][1]:
            return rows[name][1]
        if table == "realize":
            opaque = ", ".join(n for n in ("L_rmul", "L_rdiv") if n in used)
            return "%srealize %s." % (
                "cbv zeta; intros; unfold %s; " % opaque if opaque else "", name)
        speaks = [n for n in reversed(unfolds) if re.search(r"\b%s\b" % n, text)]
        node = re.search(r"\bp_\w+", rows[name][0]) if name.startswith("L_p_") else None
        return "cbv zeta; intros; unfold %s; %snode_eq." % (
            ", ".join(speaks), "unfold %s; " % node[0] if node else "")

    for kind, name, text in parts:
        if raw and not first(name):
            out.append(raw)
            raw = ""
        if name in known or "W_" + name in known:
            continue
        if kind in ("Definition", "Inductive") and (first(name) or name in wanted):
            out.append(text)
        elif kind == "Parameter" and name in wanted and not name.startswith("P_"):
            define(name)
        elif kind == "Axiom" and defines.get(name) in wanted and defines[name] not in known:
            out.append(re.sub(r"^Axiom", "Lemma", text) +
                       "\nProof. %s Qed." % proof_of(defines[name], text))
    for name in sorted(set(rows) - used):
        raise Bad("proofs/link/%s: %s is in no goal" % (table, name))
    return renamed("\n\n".join(out)) + "\n"


def meaning_of_pairs(text):
    """The text of PairMeaning.v, which goes on from that of Meaning.v."""
    known = set(re.findall(r"^(?:Definition|Lemma|Inductive|Fixpoint) ([\w']+)", text, re.M))
    return meaning("pairs.c", "realize_pairs", PAIRS_HEAD, known)
