"""One job of a proof run: what is asked of Frama-C for it, how its answer is read, and a hash of both."""
import hashlib
import inspect
import io
import os
import re
import subprocess
import textwrap
import tokenize

import framac
import manifest
import probes as probing
from framac import Failure


def of(plan, probes):
    """All jobs: (kind, survey or unit, owner of the result, names, row)."""
    jobs = [("functions", s, s.unit.name, names, row) for s, row, names in plan.functions]
    jobs += [("lemmas", s, owner, names, row) for s, row, names, owner in plan.lemmas]
    jobs += [("witnesses", s, owner, names, row) for s, row, names, owner in plan.witnesses]
    # the longest first, as their text tells
    jobs.sort(key=lambda j: (j[0] != "functions", -len(j[1].ast)))
    return jobs + [("probes", u, u.name, names, None) for u, names in probes]


def unit_of(job):
    return job[1] if job[0] == "probes" else job[1].unit


def asked(job):
    """What framac.prove is asked: the names and limits, and the same for the smoke tests, or None."""
    kind, _, _, names, row = job
    if kind == "probes":
        return {"lemmas": names, "provers": probing.PROVERS, "timeout": probing.SECONDS}, None
    how = {"lemmas" if kind == "lemmas" else "functions": names, "provers": row.provers,
           "timeout": row.seconds, "options": row.options}
    if kind == "witnesses":
        return dict(how, calls=True), None
    return how, dict(how, provers="cvc4s", smoke=True) if kind == "functions" else None


def attempt(job, cache, mode, smoke_mode, tick):
    """Proves a job. None where mode is "offline" and the cache does not answer for all. Without smoke_mode
    no smoke tests."""
    kind, _, owner, names, _ = job
    how, smoke = asked(job)
    run = framac.prove(unit_of(job), cache=cache, mode=mode, tick=tick, **how)
    strange = sorted(set(run.goals) - set(names)) if kind == "lemmas" else []
    if strange:  # WP picks properties by their names, whatever they are
        raise Failure("%s: an annotation of %s has the name of a lemma" % (owner, ", ".join(strange)))
    if mode == "offline" and run.unproved and kind != "probes":
        tick(-len(run.unproved), 0)
        return None
    if smoke and smoke_mode:
        found = framac.prove(unit_of(job), cache=cache, mode=smoke_mode, **smoke)
        run.smoke_passed, run.smoke_failed = found.smoke_passed, found.smoke_failed
    return run


def statements(source):
    """The text of Python, or of a shell script, without comments: a word more in one proves nothing anew."""
    if source.startswith("#!/bin/bash"):
        return re.sub(r"(?m)^\s*#.*\n|\s+#\s.*$", "", source)
    out, last = [], tokenize.NEWLINE
    for t in tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline):
        if t.type in (tokenize.COMMENT, tokenize.NL):
            continue
        starts = last in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        if not (t.type == tokenize.STRING and starts):  # what a function says of itself
            out.append(tokenize.tok_name[t.type] if t.type in (tokenize.INDENT, tokenize.DEDENT) else t.string)
        last = t.type
    return " ".join(out)


def judges():
    """The text of all that builds a command line, reads what Frama-C says, and finds fault with it."""
    parts = [framac.Unit.cpp, framac.prove, framac.command, framac.environment, framac.read_rows,
             framac.read_report, framac.goal_owner, framac.harmless, framac.Run, manifest.goal_errors, asked,
             attempt]
    with open(os.path.join(framac.ROOT, "proofs", "why3.sh")) as f:
        texts = [inspect.getsource(p) for p in parts] + [f.read()]
    return [statements(t) for t in texts] + [framac.HARMLESS, framac.GOAL.pattern, framac.TIME.pattern]


def tools():
    """Versions of Frama-C and of the provers, and what judges their answers."""
    version = subprocess.run(["frama-c", "-version"], capture_output=True, text=True).stdout.strip()
    with open(os.environ["WHY3CONFIG"]) as f:
        lines = [line.strip() for line in f]
    provers = [line for line in lines if line.startswith(("name", "version", "alternative"))]
    with open(os.path.join(framac.ROOT, "proofs", "cvc5.drv")) as f:
        return repr((version, provers, f.read(), judges()))


def digests(jobs):
    """A hash for each job of everything that its goals and their verdicts depend on."""
    common, found = tools(), []
    for job in jobs:
        kind, s, _, names, _ = job
        text = s.probed if kind == "probes" else s.ast
        ordered = lambda how: {k: sorted(v) if k in ("functions", "lemmas") else v for k, v in how.items()}
        commands = [framac.command(unit_of(job).reading, **ordered(how)) for how in asked(job) if how]
        parts = (common, kind, sorted(names), commands, text)
        found.append(hashlib.sha256(repr(parts).encode()).hexdigest())
    return found
