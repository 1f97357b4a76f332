"""The manifest: what Frama-C was asked is compared with what the sources hold, so that nothing is
assumed in silence. Every function returns a list of messages, empty when all is well."""
import os
import re

import definitions
import framac
import kernels
import launched
import witness
from framac import Failure

SOUNDNESS = os.path.join(framac.ROOT, "SOUNDNESS.md")


def soundness(section):
    """Names listed in a section of SOUNDNESS.md: the rows that begin with | `name` |."""
    names, inside = set(), False
    try:
        with open(SOUNDNESS) as f:
            for line in f:
                if line.startswith("#"):
                    inside = line.strip("# \n").lower() == section.lower()
                m = re.match(r"\|\s*`(\w+)`\s*\|", line)
                if inside and m:
                    names.add(m[1])
    except FileNotFoundError:
        pass
    return names


def goal_errors(done):
    """Goals that are not proven, functions and lemmas without goals, probes that hold."""
    errors = []
    for kind, s, owner, names, run in done:
        if isinstance(run, Failure):
            continue
        if kind == "probes":
            for n in names:
                proven, total = run.goals.get(n, [0, 0])
                must_hold = n.startswith("control_")
                if total != 1:
                    errors.append("%s: probe %s was not scheduled" % (owner, n))
                elif proven and not must_hold:
                    errors.append("%s: probe %s is proven: the axioms contradict one another"
                                  % (owner, n))
                elif must_hold and not proven:
                    errors.append("%s: the control %s is not proven" % (owner, n))
            continue
        errors += ["%s: %s" % (owner, w) for w in run.warnings]
        if kind == "witnesses":
            errors += witness.errors(owner, s.calls, run)
            continue
        for n in names:
            proven, total = run.goals.get(n, [0, 0])
            what = "lemma" if kind == "lemmas" else "function"
            if total == 0:
                errors.append("%s: no goal was scheduled for the %s %s" % (owner, what, n))
            elif proven < total:
                errors.append("%s: %s %s has %d unproven of %d goals: %s" % (
                    owner, what, n, total - proven, total,
                    " ".join(g for g in run.unproved if g == n or g.startswith(n + "_"))))
        errors += ["%s: smoke test %s: a contract or an invariant contradicts itself, or code is "
                   "dead" % (owner, n) for n in run.smoke_failed]
        for r in run.rows:
            whole = run.goals.get(r["function"], [0, 1])
            if kind == "functions" and r["function"] in names and whole[0] == whole[1] and \
               r["kind"] not in ("precondition", "behavior assumption", "behavior") and \
               r["status"] != "Valid":
                errors.append("%s:%d: %s: %s is %s: %s" % (
                    r["file"], r["line"], r["function"], r["kind"],
                    "admitted" if r["status"] == "Considered valid" else r["status"].lower(),
                    r["text"]))
    return errors


def controls(done):
    return sum(n.startswith("control_") for d in done if d[0] == "probes" for n in d[3])


# WP 25 takes 1e300 for 13/10: it reads the digits around the e where a mantissa has no point and
# the exponent no sign. 1.0e300, 1e-6 and 0x1p100 it reads well.
MISREAD = re.compile(r"(?<![\w.])[0-9]+[eE]\+?[0-9]+[fFlL]?\b")


def errors(plan, done):
    """Everything that the sources hold and the proof run did not cover."""
    found = ["%s: the function %s is in no unit" % pair for pair in plan.unassigned]
    axioms, trusted = soundness("Axioms"), soundness("Trusted contracts")
    if not axioms or not trusted:
        found.append("SOUNDNESS.md needs the sections Axioms and Trusted contracts, with rows "
                     "| `name` | ...")
    proven = {(d[1].unit.reading, d[2], n) for d in done
              if d[0] == "lemmas" and not isinstance(d[4], Failure)
              for n, g in d[4].goals.items() if g[0] == g[1] > 0}
    defined = {"ref": set(), "cuda": set()}
    for s in plan.surveys:
        if s.unit.source not in plan.trusted_files:
            defined[s.unit.reading] |= set(s.defined)
    used_axioms, used_trusted, instances = set(), set(), kernels.instances(framac.ROOT)
    found += launched.instance_errors(plan.surveys, instances)
    for s in plan.surveys:
        unit, reading = s.unit, s.unit.reading
        used_axioms |= set(s.axioms) | set(s.inductive)
        found += ["%s: %s" % (unit.name, e) for e in definitions.errors(s.logic)]
        found += ["%s: admitted: %s" % (unit.name, " ".join(a.split())) for a in s.admits]
        found += ["%s: WP misreads the constant %s: give its mantissa a point" % (unit.name, c)
                  for c in set(MISREAD.findall(s.ast + s.logic))]
        found += ["%s: the clause %s hides goals" % (unit.name, m) for m in
                  re.findall(r"assumes \\false|terminates \\false", s.logic)]
        found += ["%s: calls %s, which has no contract" % (unit.name, f) for f in s.bare]
        for n in s.lemmas:
            if plan.key(s, "lemma", n) not in proven:
                found.append("%s: the lemma %s is not proven" % (plan.key(s, "lemma", n)[1], n))
        kinds = {}
        for r in s.rows:
            kinds.setdefault(r["function"], []).append(r)
        if unit.source in plan.trusted_files:
            used_trusted |= set(s.defined) - defined[reading]
            continue
        for f in s.declared:
            if f in instances:
                continue  # of the text that map_proof.h proves
            if f not in defined[reading]:
                used_trusted.add(f)
            elif any(not r["file"].endswith((".h", ".cuh")) for r in kinds.get(f, [])):
                found.append("%s: the contract of %s is not in a header" % (unit.name, f))
        found += contract_errors(s)
        found += ["%s: %s" % (unit.name, e) for e in s.owner_errors]
    found += ["the axiom %s is not listed in SOUNDNESS.md, section Axioms" % n
              for n in sorted(used_axioms - axioms)]
    found += ["SOUNDNESS.md lists the axiom %s, which does not exist" % n
              for n in sorted(axioms - used_axioms)]
    found += ["the contract of %s is trusted and not listed in SOUNDNESS.md, section Trusted "
              "contracts" % n for n in sorted(used_trusted - trusted)]
    found += ["SOUNDNESS.md lists %s as trusted, which it is not" % n
              for n in sorted(trusted - used_trusted)]
    return sorted(set(found))


def contract_errors(survey):
    """A function of the reference says what it writes and what it computes; a kernel's at least
    what it writes, where it has a contract. Where it has none, nothing is claimed of it."""
    found = []
    for f in survey.defined:
        text = survey.contract(f)
        if survey.unit.reading == "cuda" and not text:
            continue
        if "assigns" not in text:
            found.append("%s: the function %s has no contract with assigns" % (survey.unit.name, f))
        elif survey.unit.reading == "ref" and "ensures" not in text:
            found.append("%s: the contract of %s ensures nothing" % (survey.unit.name, f))
    return found
