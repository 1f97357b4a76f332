"""What the last full run proved. proofs/recorded.txt has one line a job: a hash of everything that
its goals depend on, which are the text as Frama-C sees it (annotations and all headers, without
comments), the names to prove, the command line, the provers' versions, and the text of the scripts that
read what they say (task.py). Where the hash is still the same, so are the goals, and a replay would only
find the same answers again. No path is part of it, since none is part of a goal: a file that moves takes
its proofs along.

A check takes the records of the commit that a change is compared with (base.py), for a line of the change
itself is only somebody's word: `have` is what read() made of that file."""
import hashlib
import json
import os
import subprocess
import time
import zlib

import floats
import framac
import task
from framac import Run

FILE = os.path.join(framac.ROOT, "proofs", "recorded.txt")
# the first line of the file: what its hashes are of. A base whose file has another is no base
KIND = "# hashes of kind 2: text, names, command line, provers, scripts"
RESULTS = os.path.join(framac.ROOT, "proofs", "results")


def label(job):
    return "%s %s %s" % (job[0], task.unit_of(job).stem, job[2])


def read(text=None):
    """The hash of each job: of a file's text, or of the working tree's."""
    if text is None:
        if not os.path.exists(FILE):
            return {}
        with open(FILE) as f:
            text = f.read()
    rows = (line.split(" ", 1) for line in text.splitlines() if not line.startswith("#"))
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


def known_floats(parts, have):
    """The files of proofs/float that are recorded and not in today's part."""
    return {name for name, digest in float_digests().items()
            if have.get(float_label(name)) == digest and not turn(name, parts)}


def proven(jobs, sound, proven_floats):
    """The records of the jobs of which `sound` says that nothing is wrong with them."""
    found = {label(j): d for j, d in zip(jobs, task.digests(jobs)) if sound(j)}
    found.update({float_label(n): d for n, d in float_digests().items() if n in proven_floats})
    return found


def write(found):
    rows = ["%s %s\n" % (found[name], name) for name in sorted(found)]
    framac.write_if_changed(FILE, KIND + "\n" + "".join(rows))


def unfounded(found, have):
    """Errors: lines that neither the base has nor what this run found. The next change would be checked
    against them."""
    return ["proofs/recorded.txt: the hash of %s is neither the base's nor what this run has proven: run "
            "proofs/prove.sh --changed" % name for name, digest in sorted(read().items())
            if digest not in (have.get(name), found.get(name))]


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


def changed(jobs, have):
    """[(label, hash, goals that it had)] of the jobs that are not recorded."""
    return [(label(j), d, size(j)) for j, d in zip(jobs, task.digests(jobs)) if have.get(label(j)) != d]


def goals_in(rest):
    """How many goals those of changed() had, as far as that is known; probes are no claims."""
    return sum(goals for name, _, goals in rest if goals != float("inf") and not name.startswith("probes "))


def believed(rest, own, most, seed):
    """The records in `own`, a change's, of those of changed() that a check of so large a change does not replay: it
    takes `most` goals, in an order that `seed` decides, and all whose goals are not known."""
    order = lambda job: hashlib.sha256((seed + job[0]).encode()).hexdigest()
    found, replayed = {}, 0
    for name, digest, goals in sorted(rest, key=order):
        if own.get(name) == digest and replayed + goals > most and goals != float("inf"):
            found[name] = digest
        elif goals != float("inf"):
            replayed += goals
    return found


def take(jobs, have, parts, fresh=0):
    """Splits the jobs: results of those that are recorded and not in today's parts, and the rest."""
    done, rest = [], []
    for job, digest in zip(jobs, task.digests(jobs)):
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
