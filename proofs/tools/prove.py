"""Proves every function and lemma, prints a table, checks the manifest. Run through prove.sh."""
import argparse
import concurrent.futures
import fnmatch
import functools
import glob
import json
import os
import re
import shutil
import sys
import time

import base
import claims
import floats
import framac
import launched
import manifest
import owners
import probes
import recorded
import requires
import shards
import statements
import task
import theory
import witness
from framac import Failure, Survey, Unit, complain, say

RESULTS = os.path.join(framac.ROOT, "proofs", "results")
PACK = os.path.join(framac.ROOT, "proofs", "cache.txt")
ALLOWED_OPTIONS = ("-wp-fct-timeout", "-wp-split", "-wp-no-let", "-wp-prenex")


class Row:
    """One row of proofs/units."""

    def __init__(self, line):
        words = line.split()
        self.pattern, self.kind = words[0], words[1]
        if self.kind not in ("functions", "lemmas", "witnesses", "trusted"):
            raise Failure("proofs/units: unknown kind %s" % self.kind)
        self.provers, self.seconds = (words[2], int(words[3])) if len(words) > 3 else ("", 0)
        self.defines, self.options, self.tag, self.functions = [], [], "", None
        rest = words[4:]
        while rest:
            word = rest.pop(0)
            if word.startswith("-D"):
                self.defines.append(word)
            elif word.startswith("tag="):
                self.tag = word[4:]
            elif word.startswith("fct="):
                self.functions = word[4:].split(",")
            elif word in ALLOWED_OPTIONS:
                self.options.append(word)
                if rest and not rest[0].startswith("-"):
                    self.options.append(rest.pop(0))
            else:
                raise Failure("proofs/units: %s: option %s is not allowed" % (words[0], word))

    def proves(self, function):
        return self.functions is None or any(fnmatch.fnmatch(function, p) for p in self.functions)


def read_table():
    with open(os.path.join(framac.ROOT, "proofs", "units")) as f:
        lines = [line.split("#")[0].strip() for line in f]
    rows, exact = [Row(line) for line in lines if line], set()
    for row in rows:
        key = (row.pattern, row.kind, row.tag)
        if "*" not in row.pattern and key in exact:
            raise Failure("proofs/units: %s has two rows of kind %s%s, of which the first would say "
                          "nothing" % (row.pattern, row.kind, row.tag and ", tag " + row.tag))
        exact.add(key)
    return rows


def row_for(table, source, kind):
    fit = [r for r in table if r.kind == kind and fnmatch.fnmatch(source, r.pattern)]
    return fit[-1] if fit else None


@functools.lru_cache(None)
def stated(what, path):
    """Names of the lemmas, or of the axioms, in the text of a file."""
    with open(os.path.join(framac.ROOT, path)) as f:
        return set(re.findall(r"\b%s\s+(\w+)" % what, f.read()))


def files(pattern):
    return sorted(os.path.relpath(p, framac.ROOT)
                  for p in glob.glob(os.path.join(framac.ROOT, pattern)))


class Plan:
    """Everything that has to be proven. `work` holds the jobs: (unit, row, functions, lemmas, owner
    of the result)."""

    def __init__(self, table, pool):
        self.table = table
        self.trusted_files = [s for s in files("ref/*.c") if row_for(table, s, "trusted")]
        units = [Unit(s, "ref") for s in files("spec/*.h") + files("ref/*.h") + files("ref/*.c")]
        self.kernel_rows, self.lemma_rows = {}, set()
        for row in table:
            if "*" not in row.pattern and row.pattern.startswith("cuda/"):
                unit = Unit(row.pattern, "cuda", row.defines, row.tag)
                if row.kind == "functions":
                    self.kernel_rows[unit.name] = row
                else:
                    self.lemma_rows.add(unit.name)
                if unit.name not in (u.name for u in units):  # a row for each kind
                    units.append(unit)
        self.surveys = self.survey(pool, units)
        kernels = [s for s in self.surveys if s.unit.reading == "cuda"]
        if kernels:
            seen = sorted({d for s in kernels for d in s.deps})
            shared = [d for d in seen if re.fullmatch(r"spec/.*\.h|cuda/lang/kernel\.h", d)]
            have = {s.unit.source for s in kernels}
            self.surveys += self.survey(pool, [Unit(d, "cuda") for d in shared if d not in have])
        self.assign_functions()
        self.assign_lemmas()
        self.assign_witnesses(pool)

    @staticmethod
    def survey(pool, units):
        found = pool.map(Survey, units)
        broken = [s for s in found if isinstance(s, Failure)]
        if broken:
            raise Failure("\n".join(str(b) for b in broken))
        return found

    def assign_functions(self):
        """A function belongs to the smallest header that defines it, or else to its .c file. Another
        header's function of the same name, which the file does not see, is another one; and so is that of
        a header that is proven in the other reading of the kernel language, if it reads another way."""
        self.functions, self.unclaimed, headers_of = [], {}, {}
        headers = [s for s in self.surveys if s.unit.source.endswith((".h", ".cuh"))]
        for s in sorted(headers, key=lambda s: (len(s.deps), s.unit.name)):
            for f in s.defined:
                headers_of.setdefault((s.unit.reading, f), []).append(s)
        wanted, claimed = set(), set()
        for s in self.surveys:
            unit = s.unit
            owner = lambda f: next((h for h in headers_of.get((unit.reading, f), ())
                                    if h.unit.source in s.deps and self.reads_alike(h, s, f)), s)
            own = [f for f in s.defined if owner(f) is s]
            if unit.reading == "cuda":
                self.unclaimed[unit.name] = [f for f in own if not s.contract(f)]
                own = [f for f in own if s.contract(f)]
            row = self.kernel_rows.get(unit.name) or row_for(self.table, unit.source, "functions")
            if unit.source in self.trusted_files:
                continue
            wanted |= {(unit.source, f) for f in own}
            if row is not None and row.functions is not None:
                unknown = [p for p in row.functions if not fnmatch.filter(s.defined, p)]
                if unknown:
                    raise Failure("proofs/units: %s defines no function %s"
                                  % (unit.name, ", ".join(sorted(unknown))))
                own = [f for f in own if row.proves(f)]
            if own and row is not None:
                claimed |= {(unit.source, f) for f in own}
                self.functions.append((s, row, own))
        self.unassigned = sorted(wanted - claimed)

    @staticmethod
    def reads_alike(header, survey, function):
        if header.owned == survey.owned:
            return True
        if header.owned:  # there permissions say who owns, and are no symbols
            return False
        text = header.definition(function)
        if text is None or text != survey.definition(function):
            return False
        called = set(re.findall(r"\b(\w+)\(", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))
        known = called & set(header.defined + header.declared)
        return all(header.promise(f) == survey.promise(f) for f in known)

    def assign_lemmas(self):
        """A lemma is proven once a reading, in the smallest unit that sees it, or in one that a
        row of kind lemmas names: it may show lemmas that only proofs of others need. One about
        permissions is proven where they are symbols, so that it holds where they say who owns."""
        self.lemma_home = {}  # (reading, file, lemma) -> survey
        order = lambda s: (s.unit.name not in self.lemma_rows, len(s.deps), s.unit.name)
        symbolic = {self.key(s, "lemma", n) for s in self.surveys if not s.owned for n in s.lemmas}
        for s in sorted(self.surveys, key=order):
            for n in s.lemmas:
                key = self.key(s, "lemma", n)
                if not (s.owned and key in symbolic and owners.spoken_of(s.logic, n)):
                    self.lemma_home.setdefault(key, s)
        groups = {}
        for (reading, owner, n), s in self.lemma_home.items():
            groups.setdefault((reading, owner, s.unit.name), (s, []))[1].append(n)
        self.lemmas = []
        for (reading, owner, _), (s, names) in sorted(groups.items()):
            row = row_for(self.table, owner, "lemmas")
            if row is None:
                raise Failure("proofs/units: no row of kind lemmas for %s" % owner)
            self.lemmas.append((s, row, names, owner))

    def assign_witnesses(self, pool):
        self.witnesses, found = [], witness.units()
        for s, (unit, calls) in zip(self.survey(pool, [u for u, _ in found]), found):
            row = row_for(self.table, unit.source, "witnesses")
            if row is None:
                raise Failure("proofs/units: no row of kind witnesses for %s" % unit.source)
            s.calls = calls
            self.witnesses.append((s, row, sorted(calls), unit.source))

    @staticmethod
    def key(survey, what, name):
        """(reading, file that states it, name)"""
        for d in survey.deps:
            if name in stated(what, d):
                return survey.unit.reading, d, name
        return survey.unit.reading, survey.unit.source, name

    def probes(self):
        """Units of goals that must fail, as a prover can show them only if the axioms contradict one
        another: of each unit that has axioms of its own, of others with which axioms meet that no
        unit has together besides, and those of proofs/probes."""
        home, seen, whole = [], set(), {}
        for s in sorted(self.surveys, key=lambda s: (s.unit.reading != "ref", len(s.deps))):
            texts = frozenset(text for _, text in s.axioms.values())
            whole.setdefault(texts, s)
            own = texts - seen
            seen |= own
            if own:
                home.append((s, own))
        homes = {s.unit.stem for s, _ in home}
        home += [(s, texts) for texts, s in whole.items() if s.unit.stem not in homes and
                 not any(texts < others for others in whole)]
        units = []
        for s, axioms in home:
            goals = probes.goals(s.logic, sorted(axioms))
            unit = Unit(s.unit.source, s.unit.reading, s.unit.defines, s.unit.name.partition("@")[2]
                        + "probes", extra=goals)
            unit.probed = s.ast + goals
            units.append((unit, probes.NAMES))
        for source in files("proofs/probes/*.c"):
            unit = Unit(source, "ref")
            survey = Survey(unit)
            unit.probed = survey.ast
            units.append((unit, survey.checks))
        return units


class Progress:
    """A line a finished job; on a terminal also one that counts goals."""

    def __init__(self, jobs):
        self.jobs, self.done, self.goals, self.total = jobs, 0, 0, 0
        self.start, self.tty = time.time(), sys.stderr.isatty()

    def tick(self, done, scheduled):
        self.goals, self.total = self.goals + done, self.total + scheduled
        if self.tty:
            sys.stderr.write("\r%5d of %5d goals, %d of %d jobs, %.0f s " % (
                self.goals, self.total, self.done, self.jobs, time.time() - self.start))
            sys.stderr.flush()

    def finish(self, text):
        self.done += 1
        if self.tty:
            sys.stderr.write("\r\033[K")
        complain("[%3d/%d] %4.0f s  %s" % (self.done, self.jobs, time.time() - self.start, text))


def tell(text):
    """A line among those that count."""
    say(("\r\033[K" if sys.stderr.isatty() else "") + text)


def spared(args):
    """Whether what is recorded need not be proven again."""
    return args.changed or args.today > 0 or bool(args.merge)


def run_jobs(plan, probed, args, have, cache, pool):
    """Proves everything, or what is today's part and what has changed. Returns all jobs, and
    [(kind, survey or unit, owner, names, Run or Failure)]."""
    jobs = task.of(plan, probed)
    if args.units:
        jobs = [j for j in jobs if any(fnmatch.fnmatch(j[2].split("@")[0], p) for p in args.units)]
    if args.merge:
        return jobs, shards.take(jobs, args.merge)
    if args.shard:
        jobs = shards.of(jobs, args.shard)
    known, todo = recorded.take(jobs, have, args.today, args.fresh) if spared(args) else ([], jobs)
    # those whose turn it is to be proven as if for the first time, by provers that are asked again
    fresh = {job[:3] for job in jobs if recorded.turn_fresh(job, args.fresh)}
    progress = Progress(len(todo))

    def work(job, mode=None):
        """Proves one job; None where mode is "offline" and the cache does not answer for all."""
        kind, s, owner, names, _ = job
        start, asked = time.time(), "rebuild" if job[:3] in fresh else "update"
        try:
            run = task.attempt(job, cache, mode or asked, "" if args.units else asked, progress.tick)
            if run is None:
                return None
        except Failure as error:
            progress.finish("%s %s: FAILED" % (owner, kind))
            return kind, s, owner, names, error
        run.wall = time.time() - start
        proven = sum(g[0] for g in run.goals.values())
        total = sum(g[1] for g in run.goals.values())
        progress.finish("%s %s: %d/%d in %.0f s" % (owner, kind, proven, total, run.wall))
        return kind, s, owner, names, run

    # WP sleeps between the goals that it answers from the cache, so there more jobs run at once.
    # What needs a prover then gets a core for itself. A probe's failure says nothing when it is
    # only not in the cache, so probes always may ask. What asks anyway starts beside those that
    # only look, the job of most goals first, or it would end alone on one core.
    asks = lambda job: args.cold or job[0] == "probes" or job[:3] in fresh
    asking = [job for job in todo if asks(job)]
    if not args.cold:
        asking.sort(key=lambda job: -recorded.size(job))
    looking = [job for job in todo if not asks(job)]
    with concurrent.futures.ThreadPoolExecutor(1) as aside:
        asked = aside.submit(pool.map, work, asking)
        offline = lambda job: work(job, "offline")
        done = framac.Pool(2 * args.jobs + 1).map(offline, looking)
        rest = asked.result()
    rest += pool.map(work, [job for job, result in zip(looking, done) if result is None])
    return jobs, known + [result for result in done if result is not None] + rest


def print_table(done):
    say("%-34s %9s %8s  %s" % ("", "goals", "seconds", "provers"))
    sums = {}
    order = lambda d: (d[1].unit.reading != "ref", d[2], d[0] != "functions")
    for kind, s, owner, names, run in sorted((d for d in done if d[0] != "probes"), key=order):
        if isinstance(run, Failure):
            continue
        say("%s: %s%s" % (owner, kind, " (%s)" % s.unit.reading if kind == "lemmas" else ""))
        for name in names:
            proven, total = run.goals.get(name, [0, 0])
            by = ", ".join("%s %d" % (re.sub(r":.*?(:|$)", r" \1", p).strip().replace(" :", " "), n)
                           for p, n in sorted(run.provers.get(name, {}).items()))
            say("  %-32s %9s %8.1f  %s%s" % (name, "%d/%d" % (proven, total),
                                             run.seconds.get(name, 0.0), by,
                                             "" if proven == total > 0 else "  UNPROVEN"))
            entry = sums.setdefault((s.unit.reading, kind), [0, 0, 0, 0.0])
            for i, v in enumerate((1, proven, total, run.seconds.get(name, 0.0))):
                entry[i] += v
    say("")
    for (reading, kind), (count, proven, total, seconds) in sorted(sums.items()):
        say("%-34s %9s %8.1f  %d %s" % ("%s, %s" % (reading, kind), "%d/%d" % (proven, total),
                                        seconds, count, kind))
    whole = [sum(e[i] for e in sums.values()) for i in range(4)]
    say("%-34s %9s %8.1f" % ("total", "%d/%d" % (whole[1], whole[2]), whole[3]))


def results_of(done):
    """What is committed: goals proven and total, no times, no provers."""
    found = {}
    for kind, s, owner, _, run in done:
        if kind == "probes" or isinstance(run, Failure):
            continue
        suffix = "@cuda" if s.unit.reading == "cuda" and owner.startswith("spec/") else ""
        entry = found.setdefault(owner.replace("/", "_") + suffix + ".json",
                                 {"source": owner, "reading": s.unit.reading})
        entry.setdefault(kind, {}).update(
            {n: {"proven": g[0], "goals": g[1]} for n, g in run.goals.items()})
        owned = {n: outputs for n, outputs in s.owners.items() if n in run.goals and outputs}
        if kind == "functions" and owned:  # races are among their goals
            entry["owners"] = owned
        starts = {n: started for n, started in launched.of(s).items() if n in run.goals}
        if kind == "functions" and starts:  # what these kernels require is among their goals
            entry["launches"] = starts
    return {name: json.dumps(entry, indent=1, sort_keys=True) + "\n"
            for name, entry in found.items()}


def write_results(found):
    os.makedirs(RESULTS, exist_ok=True)
    for name in os.listdir(RESULTS):
        if name not in found:
            os.remove(os.path.join(RESULTS, name))
    for name, text in found.items():
        framac.write_if_changed(os.path.join(RESULTS, name), text)


def compare_results(found):
    errors = []
    have = set(os.listdir(RESULTS)) if os.path.isdir(RESULTS) else set()
    for name in sorted(have | set(found)):
        if name not in have:
            errors.append("proofs/results/%s is missing: run make prove and commit it" % name)
        elif name not in found:
            errors.append("proofs/results/%s: its source is no longer proven" % name)
        else:
            with open(os.path.join(RESULTS, name)) as f:
                if f.read() != found[name]:
                    errors.append("proofs/results/%s differs from this run's goals: run make prove "
                                  "and look at the change" % name)
    return errors


def claimed(plan):
    found = claims.Claims(plan.surveys, plan.trusted_files)
    found.add_theorems(*theory.named_theorems())
    return found


def write_claims(plan):
    wrong, calculus = theory.report(tell=tell)
    wrong += statements.errors(plan.surveys)
    for e in wrong:
        complain("prove.sh: " + e)
    if calculus:
        found = claimed(plan)
        framac.write_if_changed(claims.LOCK, found.text())
        say("proofs/claims: %d claims" % len(found.found))
    return 1 if wrong else 0


def main():
    p = argparse.ArgumentParser(prog="prove.sh", description="Proves the reference and the kernel "
                                "text, prints a table, and checks that nothing was left out.")
    p.add_argument("units", nargs="*", metavar="FILE", help="prove only these sources (patterns "
                   "allowed); the manifest is then not checked")
    p.add_argument("--cold", action="store_true", help="ask the provers again for every goal")
    p.add_argument("--check", action="store_true", help="compare with proofs/results and write "
                   "nothing there")
    p.add_argument("--changed", action="store_true", help="replay only units whose text is not in "
                   "proofs/recorded.txt")
    p.add_argument("--today", type=int, default=0, metavar="N", help="replay the Nth part of the units that "
                   "is today's turn, and every unit whose text is not in proofs/recorded.txt")
    p.add_argument("--fresh", type=int, default=0, metavar="N", help="prove the Nth part of the units that "
                   "is today's turn from clean: the provers are asked again")
    p.add_argument("--most", type=int, default=0, metavar="N", help="of a change of more goals than these replay N, "
                   "as the commit's hash chooses them, and believe its proofs/recorded.txt of the others")
    p.add_argument("--shard", type=shards.number, metavar="I/N", help="prove the Ith of N parts of all units, "
                   "and write what was found to build/shards/I-of-N.json; the manifest is then not checked")
    p.add_argument("--merge", nargs="+", metavar="SHARD", help="take what the files of all shards say in place of "
                   "proving, and go on as any run")
    p.add_argument("--jobs", type=int, default=0, help="units proven at a time (2; with --cold 3, as "
                   "Frama-C does not keep two cores busy with two)")
    p.add_argument("--claims", action="store_true", help="prove nothing, write what is claimed to "
                   "proofs/claims")
    p.add_argument("--list", action="store_true", help="list what would be proven")
    args = p.parse_args()
    args.jobs = args.jobs or (3 if args.cold else 2)
    if args.shard and (args.units or args.check or args.merge or args.claims or args.list):
        p.error("--shard: proves all units, and goes with neither FILE, --check, --merge, --claims nor --list")
    if args.merge and (args.units or args.cold or spared(argparse.Namespace(**dict(vars(args), merge=None)))):
        p.error("--merge: proves nothing, and goes with neither FILE, --cold, --changed nor --today")
    start = time.time()
    args.merge = shards.read(args.merge) if args.merge else None
    pool = framac.Pool(args.jobs)
    cache, pack = os.path.join(framac.BUILD, "cache"), PACK
    commit, lines = base.records() if args.check else ("", "")
    have = recorded.read(lines if commit else None)
    if commit:
        say("checked against %s: its proofs/recorded.txt and cache.txt are taken" % commit[:12])
        cache, pack = (os.path.join(framac.BUILD, n) for n in ("cache-of-base", "cache-of-base.txt"))
        os.makedirs(framac.BUILD, exist_ok=True)
        framac.write_if_changed(pack, base.text(commit, "proofs/cache.txt"))
    elif args.check:
        say("there is no commit to check against, or none whose records are of this kind: recorded.txt and "
            "cache.txt of this tree are taken")
    if args.cold:
        shutil.rmtree(cache, ignore_errors=True)
        os.makedirs(cache)
    else:
        framac.unpack_cache(pack, cache)
    writes = not (args.units or args.check or args.list or args.claims or args.shard)
    traced = (writes or args.shard) and framac.set_aside(cache)
    if args.merge:
        shards.unpack(args.merge, cache)
    plan = Plan(read_table(), pool)
    if args.list:
        for s, row, names in plan.functions:
            say("%s functions (%s, %d s): %s" % (s.unit.name, row.provers, row.seconds,
                                                 " ".join(names)))
        for kind, rows in (("lemmas", plan.lemmas), ("witnesses", plan.witnesses)):
            for s, row, names, owner in rows:
                say("%s %s, %s (%s, %d s): %s" % (owner, kind, s.unit.reading, row.provers, row.seconds,
                                                  " ".join(names)))
        return 0
    if args.claims:
        return write_claims(plan)
    probed = [] if args.units else plan.probes()
    rest = recorded.changed(task.of(plan, probed), have) if commit else []
    many = recorded.goals_in(rest)
    if many > base.MOST:
        say("%d goals are of texts that have changed, more than the %d that a check asks the provers for again: "
            "the answers of this tree's cache.txt are taken" % (many, base.MOST))
        framac.unpack_cache(PACK, cache)
    if 0 < args.most < many:
        known = recorded.believed(rest, recorded.read(), args.most, base.git("rev-parse", "HEAD"))
        have.update(known)
        say("%d units of these are believed as this tree's recorded.txt has them: their turn comes by the day"
            % len(known))
    # Coq needs a core for two minutes where nothing is compiled yet, and no answer of the provers
    with concurrent.futures.ThreadPoolExecutor(1) as aside:
        compiled = aside.submit(lambda: ([], None)) if args.shard else \
            aside.submit(theory.report, args.units, max(1, args.jobs // 2), tell)
        jobs, done = run_jobs(plan, probed, args, have, cache, pool)
    print_table(done)
    for name, functions in sorted(plan.unclaimed.items()):
        if functions and not (args.units or args.shard):
            say("%s: no contract, nothing is proven of %s" % (name, " ".join(functions)))
    errors = [str(d[4]) for d in done if isinstance(d[4], Failure)]
    errors += manifest.goal_errors(done)
    known = shards.floats_proven(args.merge) if args.merge else \
        recorded.known_floats(args.today, have) if spared(args) else set()
    if args.shard:
        every = {floats.name_of(path) for path in floats.files()}
        known |= every - shards.floats_of(every, args.shard)
    found, proven_floats = floats.report(args.units, known)
    errors += found
    found, calculus = compiled.result()
    errors += found
    if args.shard:
        path = os.path.join(framac.ROOT, "build", "shards", "%d-of-%d.json" % args.shard)
        shards.write(path, args.shard, jobs, done, proven_floats, cache)
        say("%s: %d jobs, %d files of proofs/float" % (os.path.relpath(path, framac.ROOT), len(jobs),
                                                        len(proven_floats)))
    elif not args.units:
        errors += manifest.errors(plan, done)
        errors += statements.errors(plan.surveys)
        errors += claims.compare(claimed(plan)) if calculus else []
        errors += requires.errors(plan.surveys)
        found = results_of(done)
        if calculus:
            found["theory.json"] = calculus
        wrong = {(d[0], d[1], d[2]) for d in done
                 if isinstance(d[4], Failure) or manifest.goal_errors([d])}
        records = recorded.proven(jobs, lambda job: job[:3] not in wrong, proven_floats | known)
        if args.check:
            errors += compare_results(found)
            errors += recorded.unfounded(records, have) if commit else []
        else:
            write_results(found)
            framac.pack_cache(cache, PACK, traced and not spared(args) and not errors)
            recorded.write(records)
        run = [d for d in done if isinstance(d[4], Failure) or not d[4].recorded]
        passed = sum(d[4].smoke_passed for d in run if not isinstance(d[4], Failure))
        if args.merge:
            say("%d jobs as %d shards have proven them" % (len(done), len(args.merge)))
        elif spared(args):
            say("%d of %d jobs replayed; the others have the text that was proven"
                % (len(run), len(done)))
        if args.fresh:
            say("%d of them from clean, without recorded answers"
                % sum(recorded.turn_fresh(job, args.fresh) for job in jobs))
        say("%d axiom probes and %d smoke tests failed as they must"
            % (sum(len(d[3]) for d in run if d[0] == "probes") - manifest.controls(run), passed))
    for e in errors:
        complain("prove.sh: " + e)
    say("%s, %.0f s" % ("%d errors" % len(errors) if errors else "all proven", time.time() - start))
    return 1 if errors else 0


if __name__ == "__main__":
    framac.run_program("prove.sh", main)
