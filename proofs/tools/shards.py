"""A proof run that is dealt out: each shard proves its part of the jobs and writes what it found to a file, and
a merge takes these in place of proving, and goes on as any run does: table, manifest, claims, results.

A job's hash (task.py) is of its text, its command line and the provers' versions, so that what was proven of
another tree, or by other provers, is no part of a merge. A file is somebody's word, as proofs/recorded.txt is: a
merge is for those who started its shards."""
import argparse
import json
import os
import re

import framac
import recorded
import task
from framac import Failure, Run

KIND = "proof shard of kind 1"


def number(text):
    """I/N, of argparse."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    i, n = map(int, found.groups()) if found else (0, 0)
    if not 1 <= i <= n:
        raise argparse.ArgumentTypeError("'%s': must be I/N, as 2/8, with I from 1 to N" % text)
    return i, n


def deal(sizes, n):
    """For each size which of n hands it goes to: the largest first, each to the hand that has the least. A
    size that is not known counts as the largest that is."""
    most = max([s for s in sizes if s != float("inf")], default=1)
    held, hands = [0] * n, [0] * len(sizes)
    for k in sorted(range(len(sizes)), key=lambda k: -min(sizes[k], most)):
        hands[k] = held.index(min(held))
        held[hands[k]] += min(sizes[k], most) + 1
    return hands


def of(jobs, shard):
    """The jobs of a shard: by the goals that each had when it was last proven. The order that they are dealt
    in is that of their names."""
    i, n = shard
    ordered = sorted(jobs, key=recorded.label)
    mine = {recorded.label(j) for j, hand in zip(ordered, deal([recorded.size(j) for j in ordered], n))
            if hand == i - 1}
    return [j for j in jobs if recorded.label(j) in mine]


def floats_of(names, shard):
    i, n = shard
    return set(sorted(names)[i - 1::n])


def write(path, shard, jobs, done, floats, cache):
    """`floats`: those that were proven; `cache`: the folder of answers, of which it takes what was asked for."""
    runs = {recorded.label(d): d[4] for d in done if not isinstance(d[4], Failure)}
    digests = dict(zip(map(recorded.label, jobs), task.digests(jobs)))
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    pack = path + ".answers"
    framac.pack_cache(cache, pack, False)
    with open(pack) as f:
        answers = f.read()
    os.remove(pack)
    text = json.dumps({"kind": KIND, "shard": shard[0], "of": shard[1], "floats": sorted(floats),
                       "jobs": {name: {"digest": digests[name], "run": vars(run)}
                                for name, run in runs.items()}, "answers": answers}, indent=1)
    framac.write_if_changed(path, text)


def read(paths):
    """All shards of one run, in their order. A Failure names the file and what is wrong."""
    parts = []
    for path in paths:
        try:
            with open(path) as f:
                part = json.load(f)
            good = part["kind"] == KIND and 1 <= part["shard"] <= part["of"] and \
                all(set(vars(Run())) <= set(j["run"]) for j in part["jobs"].values())
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
            raise Failure("%s: is no shard of a proof run: %s" % (path, e or type(e).__name__)) from e
        if not good:
            raise Failure("%s: is no shard of a proof run, or one of other scripts" % path)
        parts.append((part["shard"], path, part))
    parts.sort(key=lambda p: p[:2])
    of_first = parts[0][2]["of"]
    for (i, path, part), (before, other, _) in zip(parts, [(0, "", None)] + parts):
        if part["of"] != of_first:
            raise Failure("%s: is shard %d/%d, and %s is one of %d" % (path, i, part["of"], parts[0][1], of_first))
        if i == before:
            raise Failure("%s: is shard %d/%d, as %s is" % (path, i, of_first, other))
    absent = sorted(set(range(1, of_first + 1)) - {i for i, _, _ in parts})
    if absent:
        raise Failure("shard %d/%d is missing: its file must be given too" % (absent[0], of_first))
    return [part for _, _, part in parts]


def floats_proven(parts):
    return {name for part in parts for name in part["floats"]}


def unpack(parts, cache):
    for k, part in enumerate(parts):
        pack = os.path.join(framac.BUILD, "answers-of-%d" % k)
        with open(pack, "w") as f:
            f.write(part["answers"])
        framac.unpack_cache(pack, cache)
        os.remove(pack)


def take(jobs, parts):
    """What the shards found of each job, as run_jobs has it; a Failure in its place where no shard has it, or of
    another text."""
    found = {name: job for part in parts for name, job in part["jobs"].items()}
    done = []
    for job, digest in zip(jobs, task.digests(jobs)):
        name, run = recorded.label(job), Run()
        has = found.get(name)
        if has is None:
            run = Failure("%s: no shard has proven it: the one that it is of says why" % name)
        elif has["digest"] != digest:
            run = Failure("%s: its shard proved another text of it, or had other provers" % name)
        else:
            vars(run).update(has["run"])
        done.append(job[:4] + (run,))
    return done


def self_test():
    """Dealing alone: that all is dealt, evenly, and the same each time."""
    sizes = [7, 1, float("inf"), 3, 3, 9, 0, 2] * 5
    for n in (1, 2, 3, 40, 100):
        hands = deal(sizes, n)
        assert hands == deal(sizes, n) and set(hands) <= set(range(n)) and len(hands) == len(sizes)
        held = [sum(min(s, 9) + 1 for s, h in zip(sizes, hands) if h == k) for k in range(n)]
        assert max(held) - min(held) <= 10, (n, held)
    assert sorted(sum((list(floats_of("abcde", (i, 3))) for i in (1, 2, 3)), [])) == list("abcde")


if __name__ == "__main__":
    self_test()
    print("shards: what is dealt out is all there, and even")
