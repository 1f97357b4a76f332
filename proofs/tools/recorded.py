"""What the last full run proved. proofs/recorded.txt has one line a job: a hash of everything that
its goals depend on, which are the text as Frama-C sees it (annotations and all headers, without
comments), the names to prove, the provers, their limits and versions, and WP's options. Where the
hash is still the same, so are the goals, and a replay would only find the same answers again. No
path is part of it, since none is part of a goal: a file that moves takes its proofs along."""
import hashlib
import json
import os
import subprocess
import time
import zlib

import floats
import framac
import probes
from framac import Run

FILE = os.path.join(framac.ROOT, "proofs", "recorded.txt")
RESULTS = os.path.join(framac.ROOT, "proofs", "results")


def tools():
    """Versions of Frama-C and of the provers, and the options of every run."""
    version = subprocess.run(["frama-c", "-version"], capture_output=True, text=True).stdout.strip()
    with open(os.environ["WHY3CONFIG"]) as f:
        lines = [line.strip() for line in f]
    provers = [line for line in lines if line.startswith(("name", "version", "alternative"))]
    with open(os.path.join(framac.ROOT, "proofs", "cvc5.drv")) as f:
        readings = [(name, r["defines"], r["flags"]) for name, r in sorted(framac.READINGS.items())]
        return repr((version, provers, framac.WP_FLAGS, readings, f.read()))


def digests(jobs):
    """A hash for each job of prove.run_jobs."""
    common, found = tools(), []
    for kind, s, _, names, row in jobs:
        how = (row.provers, row.seconds, row.options) if row else (probes.PROVERS, probes.SECONDS)
        text = s.probed if kind == "probes" else s.ast
        parts = (common, kind, sorted(names), how, text)
        found.append(hashlib.sha256(repr(parts).encode()).hexdigest())
    return found


def label(job):
    kind, s, owner = job[:3]
    unit = s if kind == "probes" else s.unit
    return "%s %s %s" % (kind, unit.stem, owner)


def read():
    if not os.path.exists(FILE):
        return {}
    with open(FILE) as f:
        rows = (line.split(" ", 1) for line in f)
        return {name.strip(): digest for digest, name in rows}


def float_label(name):
    return "float " + name


def float_digests():
    """A hash for each file of proofs/float. One may use what another proves, so it is of all."""
    if not floats.files():
        return {}
    whole = hashlib.sha256()
    for path in [floats.TEXT, floats.__file__, floats.ctext.__file__] + floats.files():
        with open(path, "rb") as f:
            whole.update(f.read())
    for tool in ("gappa", "sollya", "z3"):
        run = subprocess.run([tool, "--version"], capture_output=True, stdin=subprocess.DEVNULL)
        whole.update(run.stdout + run.stderr)
    return {floats.name_of(path): whole.hexdigest() for path in floats.files()}


def turn(name, parts):
    """Whether it is today's turn of one part in so many; with none it never is."""
    return parts > 0 and zlib.crc32(name.encode()) % parts == time.localtime().tm_yday % parts


def known_floats(parts):
    """The files of proofs/float that are recorded and not in today's part."""
    have = read()
    return {name for name, digest in float_digests().items()
            if have.get(float_label(name)) == digest and not turn(name, parts)}


def write(jobs, sound, proven_floats):
    """Records the jobs of which `sound` says that nothing is wrong with them."""
    rows = ["%s %s\n" % (d, label(j)) for j, d in zip(jobs, digests(jobs)) if sound(j)]
    rows += ["%s %s\n" % (d, float_label(n)) for n, d in float_digests().items()
             if n in proven_floats]
    framac.write_if_changed(FILE, "".join(sorted(rows, key=lambda r: r.split(" ", 1)[1])))


def goals_of(job):
    """Goals by name from proofs/results, or None where a name has none or one was not proven."""
    kind, s, owner, names, _ = job
    if kind == "probes":
        return {n: [int(n.startswith("control_")), 1] for n in names}
    suffix = "@cuda" if s.unit.reading == "cuda" and owner.startswith("spec/") else ""
    path = os.path.join(RESULTS, owner.replace("/", "_") + suffix + ".json")
    if not os.path.exists(path):
        return None
    with open(path) as f:
        entry = json.load(f).get(kind, {})
    goals = {n: [entry[n]["proven"], entry[n]["goals"]] for n in names if n in entry}
    whole = len(goals) == len(names) and all(p == g > 0 for p, g in goals.values())
    return goals if whole else None


def size(job):
    """How many goals a job had when it was last proven; endless where that is not known."""
    goals = goals_of(job)
    return sum(total for _, total in goals.values()) if goals else float("inf")


def turn_fresh(job, parts):
    """Whether it is a job's turn to be proven from clean, of one part in so many."""
    return turn("fresh " + label(job), parts)


def take(jobs, parts, fresh=0):
    """Splits the jobs: results of those that are recorded and not in today's parts, and the rest."""
    have, done, rest = read(), [], []
    for job, digest in zip(jobs, digests(jobs)):
        name = label(job)
        asked = turn(name, parts) or turn_fresh(job, fresh) or have.get(name) != digest
        goals = None if asked else goals_of(job)
        if goals is None:
            rest.append(job)
            continue
        run = Run()
        run.goals, run.recorded = goals, True
        run.provers = {n: {"recorded": g[0]} for n, g in goals.items()}
        done.append(job[:4] + (run,))
    return done, rest
