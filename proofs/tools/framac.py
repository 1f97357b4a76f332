"""Runs Frama-C on one translation unit and reads what it reports: the AST's functions, properties
and logic (survey), the goals of a proof run (prove). Shared by prove.py and mutate.py."""
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading

import owners

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "prove")
# What runs the proofs, where the machine is shared: PROVE_UNDER="nice -n 10".
UNDER = shlex.split(os.environ.get("PROVE_UNDER", ""))

# A reading is a layer's way to see spec/: its element type, its machine, its checks.
READINGS = {
    "ref": {"prelude": "ref/ref.h", "defines": [], "flags": ["-wp-definitions-terminate"]},
    "cuda": {"prelude": "cuda/lang/kernel.h", "defines": [],
             "flags": ["-machdep", "gcc_x86_64", "-warn-unsigned-overflow"]},
}
OWNED = "cuda/lang/owned.h"  # includes kernel.h, in the reading where a race is a goal that fails
WP_FLAGS = ["-wp-rte", "-warn-special-float", "none", "-wp-model", "Typed+real", "-wp-par", "1"]

# Warnings that say nothing about soundness. Any other fails the run.
HARMLESS = (
    "Missing terminates clause",      # a flag adds it: every function must end
    "Floating-point constant",        # the real model takes the literal as the real it denotes
    "Failed smoke-test",              # reported as a failed smoke test
    "No 'assigns' specification for function 'witness_",  # which nobody calls
)


def harmless(warning):
    """WP may assume that pointers do not reach the variables that stand for the grid's size, for
    copies on their way and for what a cluster has done: they exist in the prover's reading alone."""
    memory = "Memory model hypotheses" in warning
    assumed = re.findall(r"requires (.*?);", warning) if memory else []
    reading = (r"&(bdim_|gsize_|blocks_|pending_|slots_|early_slots_|early_|late_|newest_|fetched_|"
               r"joined_|put_|got_|mail_cluster_|stage_cells_|stage_room_|stage_|"
               r"stage_way_|stage_round_|stages_sent_|stages_met_|"
               r"stage_taken_|stage_part_|stage_cell_|"
               r"turn_cells_|turn_depth_|turn_room_|turn_|turns_sent_|turn_way_|turn_fetched_)\b")
    return any(h in warning for h in HARMLESS) or \
        bool(assumed) and all(re.search(reading, a) for a in assumed)


class Failure(Exception):
    """Frama-C could not do its work: a parse error, a bad option."""


class Unit:
    """A file under one reading. `source` is relative to the root; its translation unit is a file
    of one or two #include lines, so that the text that is proven is the text that is shipped."""

    def __init__(self, source, reading, defines=(), tag="", root=ROOT, extra=""):
        self.source, self.reading, self.root = source, reading, root
        self.defines = list(READINGS[reading]["defines"]) + list(defines)
        self.name = source + ("@" + tag if tag else "")
        self.stem = re.sub(r"\W", "_", self.name) + "_" + reading
        includes = [source]
        prelude = OWNED if "-DPM_OWNED" in self.defines else READINGS[reading]["prelude"]
        header = re.match(r"spec/|cuda/.*\.h$", source) and source != prelude
        if header and not self.owned():
            includes.insert(0, prelude)
        self.dir = os.path.join(root, "build", "prove")
        os.makedirs(self.dir, exist_ok=True)
        self.tu = os.path.join("build", "prove", self.stem + ".c")
        text = "".join('#include "%s"\n' % i for i in includes) + extra
        write_if_changed(os.path.join(root, self.tu), text)

    def owned(self):
        """Whether it brings lang/owned.h with it, another reading of the kernel language."""
        return OWNED in self.included(self.source)

    def path(self, suffix):
        return os.path.join(self.dir, self.stem + suffix)

    def cpp(self):
        return "-cpp-extra-args=" + " ".join(["-I."] + self.defines)

    def dependencies(self):
        """The repository's files that this unit reads."""
        return self.included(self.tu)

    def included(self, path):
        """The repository's files that a file of it reads."""
        cmd = ["gcc", "-D__FRAMAC__", "-I."] + self.defines + ["-MM", path]
        out = subprocess.run(cmd, cwd=self.root, capture_output=True, text=True)
        if out.returncode:
            raise Failure("%s: %s" % (self.name, out.stderr.strip()))
        words = out.stdout.replace("\\\n", " ").split(":", 1)[1].split()
        paths = {os.path.relpath(os.path.realpath(os.path.join(self.root, w)),
                                 os.path.realpath(self.root)) for w in words}
        return sorted(p for p in paths if not p.startswith("build/"))


def write_if_changed(path, text):
    try:
        with open(path) as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w") as f:
        f.write(text)


def environment(unit):
    """Frama-C finds its way by PWD, not by the directory that it runs in."""
    return dict(os.environ, PWD=unit.root)


def machine_flags(unit):
    flags = READINGS[unit.reading]["flags"]
    return flags[:2] if flags[0] == "-machdep" else []


def failure_text(output):
    lines = output.splitlines()
    for i, line in enumerate(lines):
        if re.search(r"User Error|user error|Fatal|fatal error|syntax error|aborted", line):
            return " ".join(s.strip() for s in lines[i:i + 3])
    return " ".join(s.strip() for s in lines[-3:])


def remove(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


def read_rows(path):
    """Frama-C's own list of the properties of code: (file, function, kind, status, text)."""
    rows = []
    with open(path) as f:
        for line in f.read().splitlines()[1:]:
            r = line.split("\t")
            if len(r) == 7 and r[2].isdigit():
                rows.append({"file": os.path.join(r[0], r[1]), "line": int(r[2]), "function": r[3],
                             "kind": r[4], "status": r[5], "text": r[6]})
            elif rows:  # a property that is printed over several lines
                rows[-1]["text"] += " " + line.strip()
    return rows


class Survey:
    """What the AST of a unit holds."""

    def __init__(self, unit):
        self.unit = unit
        metrics, rows, ast = (unit.path(".%d.%s" % (os.getpid(), e))
                              for e in ("metrics.json", "ast.csv", "ast.c"))
        cmd = ["frama-c"] + machine_flags(unit) + [
            unit.cpp(), unit.tu, "-no-unicode", "-metrics", "-metrics-output", metrics,
            "-then", "-no-metrics", "-report-csv", rows, "-report-untried",
            "-then", "-print", "-ocode", ast]
        out = subprocess.run(cmd, cwd=unit.root, env=environment(unit), capture_output=True,
                             text=True)
        if out.returncode or not os.path.exists(ast):
            raise Failure("%s: %s" % (unit.name, failure_text(out.stdout + out.stderr)))
        with open(metrics) as f:
            m = json.load(f)
        names = lambda key: [n for entry in m[key] for n in entry]
        self.defined = names("defined-functions")
        self.declared = names("specified-only-functions")
        self.bare = names("undefined-functions")
        self.rows = read_rows(rows)
        with open(ast) as f:
            self.ast = f.read()
        for p in (metrics, rows, ast):
            remove(p)
        self.logic = "\n".join(re.findall(r"/\*@(.*?)\*/", self.ast, re.S))
        axiom = r"\baxiom (\w+(?:\{[^}]*\})?):\s(.*?);\s*(?=\n\s*\n|\n\s*\}|$)"
        self.axioms = dict(re.findall(axiom, self.logic, re.S))
        self.axioms = {n.split("{")[0]: (n, t) for n, t in self.axioms.items()}
        self.inductive = re.findall(r"\binductive (\w+)", self.logic)
        self.lemmas = re.findall(r"(?<!check )\blemma (\w+)", self.logic)
        self.checks = re.findall(r"\bcheck lemma (\w+)", self.logic)
        self.admits = re.findall(r"\badmit\b[^;]*", self.logic)
        self.deps = unit.dependencies()
        self.contracts_ = None
        self.owned = OWNED in self.deps
        self.owner_errors, self.owners = owners.check(self.ast) if self.owned else ([], {})

    def contracts(self):
        """{function: (its head, its contract)}, of those defined here and of those only declared."""
        if self.contracts_ is None:
            self.contracts_ = {}
            for m in re.finditer(r"/\*@((?:[^*]|\*(?!/))*)\*/", self.ast):
                head = HEAD.match(self.ast, m.end())
                if head and CONTRACT.match(m[1]):
                    self.contracts_[head[2]] = " ".join(head[1].split()), m[1]
        return self.contracts_

    def definition(self, function):
        """A function that is defined here, with its contract, as Frama-C prints it."""
        m = re.search(r"(?:^/\*@(?:(?!\*/).)*\*/\n)?^[\w *]*\b%s\([^;{}]*\)\n\{.*?^\}$" % function,
                      self.ast, re.S | re.M)
        return m and m[0]

    def promise(self, function):
        """The contract of a function that is declared or defined here."""
        return self.contracts().get(function, (None, None))[1]

    def contract(self, function):
        """The contract of a function that is defined here, or nothing."""
        return self.contracts().get(function, ("", ""))[1] if function in self.defined else ""


HEAD = re.compile(r"\s*([^;{}/()]*?\b(\w+)\([^;{}]*\))\s*[;{]")
CONTRACT = re.compile(r"\s*(requires|terminates|assigns|ensures|behavior|exits)\b")

GOAL = re.compile(r"\[wp\] \[(?P<by>[^\]]+)\] (?P<what>Goal|Smoke-test) (?P<name>\S+)"
                  r"(?: : (?P<verdict>\w+)(?P<rest>.*))?")
TIME = re.compile(r"\((?:Qed:)?([\d.]+)(ms|s)\)")


class Run:
    """One proof run: goals per function or lemma, and everything that is not in order."""

    def __init__(self):
        self.goals = {}        # function or lemma -> [proven, total]
        self.provers = {}      # function or lemma -> {prover: goals}
        self.seconds = {}      # function or lemma -> prover seconds, as first measured
        self.unproved = []     # goal names
        self.warnings = []
        self.rows = []
        self.smoke_passed, self.smoke_failed = 0, []
        self.stopped = False
        self.recorded = False  # not run: taken from proofs/recorded.txt


# What leaves only the smoke tests.
OTHER_GOALS = "".join(",-@" + c for c in "assigns invariant variant terminates ensures exits "
                                         "assert requires".split())


run_number = itertools.count()


def command(reading, functions=(), lemmas=(), provers="cvc4,cvc5,z3", timeout=8, options=(), smoke=False,
            calls=False):
    """What decides goals and verdicts of Frama-C's command line: all of it but paths, -D and the cache.
    calls: of the functions that they meet the requires of what they call, and no more."""
    words = ["-no-unicode", "-wp"] + WP_FLAGS + READINGS[reading]["flags"]
    words += ["-wp-prover", provers, "-wp-timeout", str(timeout)]
    if functions:
        fewer = OTHER_GOALS if smoke else ",-@terminates" if calls else ""
        words += ["-wp-prop=-@lemma" + fewer, "-wp-fct", ",".join(functions)]
    else:
        words += ["-wp-prop=" + ",".join(lemmas)]
    if smoke:
        words += ["-wp-smoke-tests", "-wp-smoke-timeout", "1", "-wp-no-smoke-dead-call"]
    return words + list(options)


def prove(unit, functions=(), lemmas=(), cache=None, mode="update", first_failure=False, tick=None,
          smoke=False, **how):
    """Proves the given functions, or the given lemmas. Returns a Run; raises Failure.
    how: as command's. first_failure: stop at the first goal that no prover proves."""
    kind = "smoke" if smoke else "calls" if how.get("calls") else "functions" if functions else "lemmas"
    mark = "%s.%d.%d" % (kind, os.getpid(), next(run_number))  # a unit may run twice at a time
    report, rows = (unit.path(".%s.%s" % (mark, e)) for e in ("json", "csv"))
    cmd = UNDER + ["frama-c", unit.cpp(), unit.tu]
    cmd += command(unit.reading, functions, lemmas, smoke=smoke, **how)
    cmd += ["-wp-report-json", report, "-wp-cache", mode] + (["-wp-cache-dir", cache] if cache else [])
    cmd += ["-then", "-report-csv", rows, "-report-untried"]
    with open(unit.path(".%s.log" % kind), "w") as log:
        log.write(shlex.join(cmd) + "\n")
        run, output = Run(), []
        child = subprocess.Popen(cmd, cwd=unit.root, env=environment(unit), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, start_new_session=True)
        children.add(child)
        warning, warned = False, []
        for line in child.stdout:
            log.write(line)
            output.append(line)
            if warning and line.startswith(" "):
                warned[-1] += " " + line.strip()
            warning = warning and line.startswith(" ")
            if "Warning:" in line:
                warning = True
                warned.append(line.strip())
            m = re.match(r"\[wp\] (\d+) goals? scheduled", line)
            if m and tick:
                tick(0, int(m[1]))
            m = GOAL.match(line)
            if not m:
                continue
            if tick:
                tick(1, 0)
            if m["what"] == "Smoke-test":
                if m["by"] == "Passed":
                    run.smoke_passed += 1
                else:
                    run.smoke_failed.append(m["name"])
                continue
            seconds = sum(float(v) * (0.001 if u == "ms" else 1.0)
                          for v, u in TIME.findall(m["rest"] or ""))
            owner = goal_owner(m["name"], functions or lemmas)
            run.seconds[owner] = run.seconds.get(owner, 0.0) + seconds
            if m["verdict"] != "Valid":
                run.unproved.append(re.sub(r"^typed_real_(check_)?(lemma_)?", "", m["name"]))
                if first_failure:
                    run.stopped = True
                    stop(child)
                    break
        child.wait()
        children.discard(child)
    if run.stopped:
        return run
    text = "".join(output)
    if child.returncode or not os.path.exists(report):
        raise Failure("%s: %s" % (unit.name, failure_text(text)))
    run.warnings = [w for w in warned if not harmless(w)]
    run.warnings += re.findall(r".*(?:User Error|not tried).*", text)
    read_report(run, report)
    run.rows = read_rows(rows)
    for p in (report, rows):
        remove(p)
    return run


children = set()


def stop(child):
    """Ends a Frama-C that we started, with its provers."""
    try:
        os.killpg(child.pid, 15)
    except ProcessLookupError:
        pass


def stop_all():
    for child in list(children):
        stop(child)


def run_program(name, main):
    """Exits with main()'s status. A failure is one line; a signal ends the provers too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except Failure as failure:
        complain("%s: %s" % (name, failure))
        sys.exit(1)
    finally:
        stop_all()


def goal_owner(goal, names):
    rest = re.sub(r"^typed_real_(check_)?(lemma_)?", "", goal)
    fit = [n for n in names if rest == n or rest.startswith(n + "_")]
    return max(fit, key=len) if fit else rest


def read_report(run, path):
    """WP's JSON report: per function, then per property, goals by prover."""
    with open(path) as f:
        report = json.load(f) or {}  # null where no goal but smoke tests was scheduled
    sections = dict(report.get("wp:functions", {}))
    for block in report.get("wp:axiomatics", {}).values():
        for name, entry in block.items():
            if name != "wp:section":
                sections[re.sub(r"^(check_)?lemma_", "", name)] = {name: entry}
    for owner, properties in sections.items():
        for name, entry in properties.items():
            if name == "wp:section" or "wp_smoke" in name:
                continue
            for prover, n in entry.items():
                if prover == "wp:main":
                    total = run.goals.setdefault(owner, [0, 0])
                    total[0] += n.get("valid", 0)
                    total[1] += n.get("total", 0)
                elif n.get("valid"):
                    by = run.provers.setdefault(owner, {})
                    by[prover] = by.get(prover, 0) + n["valid"]


class Pool:
    """A few jobs at a time."""

    def __init__(self, jobs):
        self.slots = threading.Semaphore(jobs)

    def map(self, work, items):
        results, threads = [None] * len(items), []

        def job(i, item):
            try:
                results[i] = work(item)
            except Exception as error:  # carried to the caller's thread
                results[i] = error
            finally:
                self.slots.release()

        for i, item in enumerate(items):
            self.slots.acquire()
            t = threading.Thread(target=job, args=(i, item), daemon=True)
            t.start()
            threads.append(t)
        for t in threads:
            t.join()
        for r in results:
            if isinstance(r, Exception) and not isinstance(r, Failure):
                raise r
        return results


LONG_AGO = (0, 10 ** 9)  # ns, read and written: a reading moves the first, under relatime too


def set_aside(directory):
    """Makes every answer look as if nobody had asked for it since long ago, so that pack_cache can tell
    what is asked for from now on. Frama-C cannot: its -wp-cache cleanup knows only what one process
    asked for. Returns whether a reading leaves a trace on this file system; else nothing is done."""
    probe = os.path.join(directory, "probe.%d" % os.getpid())
    write_if_changed(probe, "read me")
    os.utime(probe, ns=LONG_AGO)
    with open(probe) as f:
        f.read()
    seen = was_asked(os.stat(probe))
    remove(probe)
    if seen:
        for entry in os.scandir(directory):
            os.utime(entry.path, ns=LONG_AGO)
    return seen


def was_asked(status):
    return (status.st_atime_ns, status.st_mtime_ns) != LONG_AGO


def pack_cache(directory, pack, everything):
    """proofs/cache.txt holds the provers' answers, one a line: the hash of a goal, the answer. It takes
    up what was asked for since set_aside, and keeps what it has, unless the run asked for everything:
    what that did not ask for is of texts that are gone, and goes."""
    have, lines = set() if everything else set(pack_names(pack)), []
    for name in sorted(os.listdir(directory)):
        if name.endswith(".json"):
            path = os.path.join(directory, name)
            if not was_asked(os.stat(path)) and name[:-5] not in have:
                if everything:
                    remove(path)
                continue
            with open(path) as f:
                text = f.read().strip()
            try:
                json.loads(text)
            except ValueError:  # cut short: a prover run that was stopped
                continue
            lines.append("%s %s\n" % (name[:-5], " ".join(text.split())))
    write_if_changed(pack, "".join(lines))


def pack_names(pack):
    if not os.path.exists(pack):
        return []
    with open(pack) as f:
        return [line.split(" ", 1)[0] for line in f]


def unpack_cache(pack, directory):
    os.makedirs(directory, exist_ok=True)
    if not os.path.exists(pack):
        return
    have = set(os.listdir(directory))
    with open(pack) as f:
        for line in f:
            name, _, text = line.partition(" ")
            if re.fullmatch(r"[0-9a-f]{32}", name) and name + ".json" not in have:
                with open(os.path.join(directory, name + ".json"), "w") as out:
                    out.write(text)


def say(text):
    print(text, flush=True)


def complain(text):
    print(text, file=sys.stderr, flush=True)
