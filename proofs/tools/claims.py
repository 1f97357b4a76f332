"""Every claim in normal form, as proofs/claims holds it, so that one that changes shows in review, and in
the output of CI:

  contract    of the reference and the bound of each op, of each kernel, of each function that is trusted, as
              Frama-C prints it
  meaning     each predicate and logic function that these speak of, and each that those do
  axiom       each axiom
  theorem     what Coq says that each theorem of proofs/calculus and proofs/bounds states, hypotheses of its
              section included, and the definitions that stand in it

prove.sh --check compares, prove.sh --claims writes. What the text means is not asked here: statements.py
compares contracts with the catalogue."""
import difflib
import os
import re
import subprocess
import sys

import acsl
import framac
import kernels as known
import theory

LOCK = os.path.join(framac.ROOT, "proofs", "claims")
HEAD = """# What is claimed, in normal form: written by proofs/prove.sh --claims, compared by --check
# (proofs/tools/claims.py). A line that changes here is a claim that changes.
"""


def kernels():
    """{name of a __global__ function: (what the prover calls it, its file)}; instances of cuda/map/map.h are
    proven as one, for the functions NAME_f0 and NAME_f1 of each."""
    return {k.name: (k.function, k.path) for k in known.find(framac.ROOT)}


def spoken_of(homes):
    """The functions of cuda/ whose contracts are claims."""
    return {f for f, _ in homes.values()} | {"%s_f%d" % (k, i) for k, (f, _) in homes.items() if f != k for i in (0, 1)}


def of_contract(survey, function):
    head, text = survey.contracts()[function]
    return [head] + ["%s %s" % c for c in acsl.clauses(text)]


class Claims:
    """{what: [lines]}"""

    def __init__(self, surveys, trusted_files, trusted=None):
        """trusted: the functions whose contracts are, where the surveys do not tell since they are of some units
        alone; what a unit only declares may be another's to define."""
        self.found, self.meanings = {}, {}
        homes = kernels()
        claimed = spoken_of(homes)
        defined = {(s.unit.reading, f) for s in surveys for f in s.defined
                   if s.unit.source not in trusted_files}
        for s in surveys:
            reading = s.unit.reading
            for f in s.defined:
                op = reading == "ref" and re.match(r"(ref|bound)_", f)
                kernel = reading == "cuda" and f in claimed
                if f in s.contracts() and (op or kernel or s.unit.source in trusted_files):
                    self.add("contract", f, s, of_contract(s, f))
            for f in s.declared:
                instance = f in homes and homes[f][0] != f  # of map.h's text, by its contract: launched.py
                if f in s.contracts() and (reading, f) not in defined and not instance and \
                   (trusted is None or f in trusted):
                    self.add("trusted", f, s, of_contract(s, f))
            for name, (_, text) in s.axioms.items():
                self.add("axiom", name, s, [" ".join(text.split())])
        for (name, where), text in self.meanings.items():
            self.found["meaning %s (%s)" % (name, where)] = [text]

    def add(self, kind, name, survey, lines):
        """A claim, and what it speaks of. The prover reads a header once in each unit, and in ref/ as in
        cuda/: what says the same there is one claim."""
        key = "%s %s" % (kind, name)
        plain = [re.sub(r"\bfloat\b", "double", l) for l in lines]
        for n in range(1, 99):
            place = key if n == 1 else "%s, again (%s)" % (key, survey.unit.name)
            have = self.found.setdefault(place, lines)
            if [re.sub(r"\bfloat\b", "double", l) for l in have] == plain:
                break
        self.speak(survey, " ".join(lines))

    def speak(self, survey, text):
        defined = acsl.definitions_of(survey)
        if not hasattr(survey, "spoken_"):
            survey.spoken_ = set()
        for name in sorted(set(re.findall(r"\w+", text)) & set(defined) - survey.spoken_):
            survey.spoken_.add(name)
            d = defined[name]
            said = re.sub(r"\bfloat\b", "double", d.text())
            home = [p for p in survey.deps if name in stated_in(p)] or [survey.unit.source]
            self.meanings.setdefault((name, home[0]), said)
            if self.meanings[name, home[0]] != said:  # an option of the unit makes it another one
                self.meanings[name, survey.unit.name] = said
            self.speak(survey, d.text())

    def add_theorems(self, names, sources):
        """names: of theorems; sources: the compiled files of Coq, {name: theory.Source}."""
        text = "".join("From Theory Require Import %s.\n" % s for s in sorted(sources)) + \
            "Set Printing Width 1000.\n" + "".join("Check %s.\n" % n for n in sorted(names))
        theory.record("Claims.v", text)
        run = subprocess.run(["coqc", "-q", "-w", "none", "-R", ".", "Theory", "Claims.v"], cwd=theory.BUILD,
                             capture_output=True, text=True)
        if run.returncode:
            raise framac.Failure("claims.py: Coq does not know a theorem: " + run.stderr.strip()[-300:])
        bodies = {}
        for s in sources.values():
            for _, sentence in theory.sentences(theory.bare(s.text)):
                m = re.match(r"(?:#\[\w+\] ?|Local |Global )*(?:%s) (\w[\w']*)" % theory.DEFINED, sentence)
                if m and not sentence.startswith("Ltac"):
                    bodies[m[1]] = sentence
        spoken = set()

        def speak(words):
            for w in sorted(set(re.findall(r"\w[\w']*", words)) & set(bodies) - spoken):
                spoken.add(w)
                self.found["coq " + w] = [bodies[w]]
                speak(bodies[w])

        for name, stated in re.findall(r"^(\S+)\n\s+: (.*?)(?=^\S+\n\s+: |\Z)", run.stdout, re.S | re.M):
            self.found["theorem " + name] = [" ".join(stated.split())]
            speak(stated)
        lost = [n for n in names if "theorem " + n not in self.found]
        if lost:
            raise framac.Failure("claims.py: Coq does not say what %s states" % ", ".join(lost))

    def text(self):
        return HEAD + "".join("\n%s\n%s" % (what, "".join("  %s\n" % l for l in lines))
                              for what, lines in sorted(self.found.items()))


def of_units(units):
    """[what differs] of what these units claim, and nothing of others: for the self-test. A contract that went
    from its file is missed, a name that another unit means differently is not."""
    surveys = [framac.Survey(framac.Unit(u, "ref" if u.startswith(("ref/", "spec/")) else "cuda")) for u in units]
    have = read()
    trusted = {what.split()[1] for what in have if what.startswith("trusted ")}
    found = Claims(surveys, ["ref/math.c"], trusted)
    homes = spoken_of(kernels())
    mine = {f for s in surveys for f in s.defined}
    keep = lambda what: what in found.found or re.match(r"contract (\w+)$", what) and what.split()[1] in mine and \
        (what.split()[1] in homes or re.match("(ref|bound)_", what.split()[1]))
    apart = lambda what: what.startswith("meaning ") and what not in have and \
        any(h.startswith(what.split(" (")[0] + " (") for h in have)
    return compare(found, {w: l for w, l in have.items() if keep(w)}, apart)


texts = {}


def stated_in(path):
    """Names that a file gives a meaning."""
    if path not in texts:
        with open(os.path.join(framac.ROOT, path)) as f:
            texts[path] = set(re.findall(r"\b(?:predicate|logic\s+[\w\s*]*?)\s*(\w+)\s*(?=[{(;=]|reads)", f.read()))
    return texts[path]


def read():
    try:
        with open(LOCK) as f:
            lines = f.read().splitlines()
    except FileNotFoundError:
        return {}
    found, here = {}, None
    for line in lines:
        if line.startswith("  "):
            here.append(line[2:])
        elif line and not line.startswith("#"):
            here = found.setdefault(line, [])
    return found


def compare(claims, have=None, apart=lambda what: False):
    """[what differs]: the claim, and its lines before and now."""
    have, found = read() if have is None else have, claims.found
    errors = []
    for what in sorted(set(have) | set(found)):
        before, now = have.get(what), found.get(what)
        if before == now or apart(what):
            continue
        if before is None:
            said = "is new: " + cut(now[0])
        elif now is None:
            said = "is gone: " + cut(before[0])
        else:
            lines = [l for l in difflib.ndiff(before, now) if l[0] in "-+"]
            said = "changed:" + "".join("\n    " + cut(l) for l in lines[:6])
        errors.append("proofs/claims: %s %s" % (what, said))
    if errors:
        errors.append("proofs/claims: if these %d are meant, prove.sh --claims writes them" % len(errors))
    return errors


def cut(line):
    return line if len(line) <= 300 else line[:300] + " .."


if __name__ == "__main__":
    wrong = of_units(sys.argv[1:])
    for e in wrong:
        print("claims.py: " + e)
    sys.exit(1 if wrong else 0)
