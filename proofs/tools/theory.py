"""The calculus behind the VJPs: compiles proofs/theory/*.v, the text of spec/ as WP has it (link.py) and
the theorems about it, proofs/link/*.v, with Coq, and has coqchk, which is a checker of its own, check
the result again. Run by prove.py, or by itself: theory.py [FILE...].

Refused: a file that does not compile, and by its text what Coq would take: Admitted, an axiom, an
option that weakens the kernel, a notation, a name that stands already in the library or in another
file. coqchk's list of axioms must be that of proofs/theory/axioms. A file whose text, and that of all
that it requires, is as it was is not compiled again: build/theory keeps the result."""
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import contracts
import link
import witnessed

ROOT = link.ROOT
SOURCES = os.path.join(ROOT, "proofs", "theory")
BUILD = os.path.join(ROOT, "build", "theory")
LIMIT = 300  # seconds a file

STATED = "Theorem|Lemma|Corollary|Fact|Remark|Proposition"
DEFINED = "Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Record|Structure|Class|Instance|" \
    "Example|Let|Ltac|Function|Program"
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Abort|Declare|Notation|Infix|"
    r"Reserved|Coercion|Canonical|Module|Include|Import|Export|Load|Redirect|Unset|Set|Obligation|"
    r"bypass_check|Extract|Opaque|Transparent|Strategy|Arguments|Primitive|Register|Context|"
    r"Existing|Hint|Create|Add|Universe|Constraint|Drop|Cd)\b")
# the only commands of those above that are let through, as whole sentences
ALLOWED = re.compile(r"^(Require Import [\w ]+|From (Coquelicot|Flocq|Theory) Require Import [\w ]+|"
                     r"Import ListNotations)$")


def missing_tools():
    """What to install, or nothing."""
    libraries = {"Coquelicot": "libcoq-coquelicot", "Flocq": "libcoq-flocq"}
    if shutil.which("coqc") and shutil.which("coqchk"):
        where = subprocess.run(["coqc", "-where"], capture_output=True, text=True).stdout.strip()
        absent = [package for name, package in libraries.items()
                  if not os.path.isdir(os.path.join(where, "user-contrib", name))]
    else:
        absent = ["coq"] + list(libraries.values())
    return "not installed: %s. Run: apt-get install --no-install-recommends %s" \
        % (" ".join(absent), " ".join(absent)) if absent else None


def bare(text):
    """Without comments and strings, lines kept."""
    out, depth, i = [], 0, 0
    while i < len(text):
        two = text[i:i + 2]
        if two == "(*":
            depth += 1
            i += 2
        elif two == "*)" and depth:
            depth -= 1
            i += 2
        else:
            if depth == 0 or text[i] == "\n":
                out.append(text[i])
            i += 1
    return re.sub(r'"[^"\n]*"', '""', "".join(out))


def sentences(text):
    """(line, sentence) for each sentence of Coq; they end in a point and a space."""
    found, start = [], 0
    for m in re.finditer(r"\.(?=\s|$)", text):
        sentence = text[start:m.start()]
        lead = len(sentence) - len(sentence.lstrip())
        found.append((text.count("\n", 0, start + lead) + 1, " ".join(sentence.split())))
        start = m.end()
    return found


class Source:
    """A file of Coq: what it requires, states and defines."""

    def __init__(self, path, lenient=False):
        self.path, self.name = path, os.path.splitext(os.path.basename(path))[0]
        self.shown = os.path.relpath(path, ROOT)
        with open(path) as f:
            self.text = f.read()
        self.stated, self.defined, self.at, self.requires = {}, {}, [], []
        depth = 0
        for line, s in sentences(bare(self.text)):
            depth += s.startswith("Section ") - s.startswith("End ")
            if depth == 0 and re.match(r"(Variable|Hypothes[ie])s?\b", s):
                raise link.Bad("%s:%d: outside a section this is an axiom: %s" % (self.shown, line, s))
            m = re.match(r"From Theory Require Import (.*)", s)
            if m:
                self.requires += m[1].split()
            m = re.match(r"(?:#\[\w+\] ?|Local |Global )*(%s|%s) (\w[\w']*)(.*)" % (STATED, DEFINED), s)
            if m:
                self.at.append((line, m[2]))
                (self.stated if re.match(STATED, m[1]) else self.defined)[m[2]] = \
                    hashlib.sha256(s.encode()).hexdigest()[:12]
            m = re.match(r"(?:Variable|Variables|Hypothesis|Hypotheses) (.*)", s)
            for names in re.findall(r"(?:^|\()([\w' ]+?) ?:", m[1]) if m else ():
                self.defined.update((n, "") for n in names.split())  # they too could shadow
            bad = FORBIDDEN.search(s)
            if bad and not lenient and not ALLOWED.match(s):
                raise link.Bad("%s:%d: %s is refused, %s" % (self.shown, line, bad[1], self.near(line)))

    def near(self, line):
        """The lemma that a line belongs to."""
        names = [n for at, n in self.at if at <= line]
        return "in " + names[-1] if names else "at its head"


def coqc(directory, name):
    """None, or Coq's message (line, text)."""
    command = ["coqc", "-q", "-w", "none", "-R", ".", "Theory", name + ".v"]
    try:
        run = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return 0, "no end in %d s" % LIMIT
    if run.returncode == 0:
        return None
    said = run.stderr.strip()
    m = re.search(r"line (\d+),", said)
    text = " ".join(re.sub(r'^File "[^\n]*\n', "", said).split())
    return int(m[1]) if m else 0, text[:400]


def ordered(sources):
    """Each after what it requires."""
    done, out = set(), []

    def visit(name, path):
        if name in path:
            raise link.Bad("proofs/theory: %s require one another" % ", ".join(path))
        if name not in done:
            for r in sources[name].requires:
                if r not in sources:
                    raise link.Bad("%s: requires %s, which is no file of proofs/theory"
                              % (sources[name].shown, r))
                visit(r, path + [name])
            done.add(name)
            out.append(name)

    for name in sorted(sources):
        visit(name, [])
    return out


def keys_of(sources, order):
    version = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True).stdout
    keys = {}
    for name in order:
        text = version + sources[name].text + "".join(keys[r] for r in sources[name].requires)
        keys[name] = hashlib.sha256(text.encode()).hexdigest()
    return keys, version.split()[0]


def recorded(name):
    try:
        with open(os.path.join(BUILD, name)) as f:
            return f.read()
    except FileNotFoundError:
        return ""


def record(name, text):
    with open(os.path.join(BUILD, name), "w") as f:
        f.write(text)


def compile_all(sources, order, keys, jobs, tell):
    """Compiles what changed, `jobs` at a time, each after what it requires; tells of each. [what
    went wrong]"""
    errors, futures = [], {}

    def one(name):
        s = sources[name]
        if any(futures[r].result() for r in s.requires) or errors:
            return "skipped"
        if recorded(name + ".key") == keys[name] and os.path.exists(os.path.join(BUILD, name + ".vo")):
            return None
        record(name + ".key", "")
        record(name + ".v", s.text)
        wrong = coqc(BUILD, name)
        if wrong:
            what = "%s:%d: %s" % (s.shown, wrong[0], s.near(wrong[0]))
            if name in ("Meaning", "PairMeaning"):
                what += ", an equation of spec/ that proofs/link/realize%s does not fulfil" % (
                    "" if name == "Meaning" else "_pairs")
            errors.append("%s: %s" % (what, wrong[1]))
            return "failed"
        record(name + ".key", keys[name])
        return None

    def shown(name):
        state = one(name)
        s = sources[name]
        tell("%-34s %9s" % (s.shown, state or "%d/%d" % (len(s.stated), len(s.stated))))
        return state

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name in order:  # in this order none waits for one that is not yet begun
            futures[name] = pool.submit(shown, name)
    return errors


def shadows(sources, key):
    """Names that stand in two files, or in the library too: a theorem could speak of the wrong one."""
    errors, home = [], {}
    for s in sources.values():
        for n in list(s.stated) + list(s.defined):
            if n in home:
                if s.stated.get(n) or s.defined.get(n):
                    errors.append("%s: %s stands in %s too" % (s.shown, n, home[n]))
            home[n] = s.shown
    if recorded("names.key") != key:
        libraries = {line for s in sources.values() for _, line in sentences(bare(s.text))
                     if ALLOWED.match(line) and "Theory" not in line}
        libraries = sorted(libraries, key=lambda l: ("Import List" in l, "From" in l, l))
        record("Names.v", "".join(l + ".\n" for l in libraries) +
               "".join("Locate %s.\n" % n for n in sorted(home)))
        run = subprocess.run(["coqc", "-q", "-w", "none", "Names.v"], cwd=BUILD, capture_output=True,
                             text=True)
        if run.returncode:
            return ["proofs/theory: Coq does not look up the names: " + run.stderr.strip()[-200:]]
        for name in sorted(home):
            if "No object of basename %s\n" % name not in run.stdout:
                errors.append("%s: the name %s stands in Coq's library" % (home[name], name))
        record("names.key", "" if errors else key)
    return errors


def allowed_axioms():
    with open(os.path.join(SOURCES, "axioms")) as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    return [r[0] for r in rows if len(r) == 1], [r[1] for r in rows if r[0] == "sealed"]


def check(order, key):
    """coqchk on every file. ([axiom], [what went wrong])"""
    axioms, sealed = allowed_axioms()
    said = recorded("coqchk.out")
    if recorded("coqchk.key") != key:
        command = ["coqchk", "-silent", "-o", "-R", ".", "Theory"]
        for name in order:
            command += ["-norec", "Theory." + name]
        run = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
        if run.returncode:
            return [], ["coqchk: " + " ".join((run.stdout + run.stderr).split())[-400:]]
        said = run.stdout + run.stderr
        record("coqchk.out", said)
    parts = {m[1]: m[2] for m in re.finditer(r"\* ([^:\n]*):(.*?)(?=\n\* |\Z)", said, re.S)}
    if "Axioms" not in parts or len(parts) < 4:
        return [], ["coqchk: no summary that this script can read"]
    errors = ["coqchk: %s: %s" % (what, " ".join(rest.split())) for what, rest in parts.items()
              if what not in ("Theory", "Axioms") and rest.strip() != "<none>"]
    found = [a for a in parts["Axioms"].split() if a.rpartition(".")[0] not in sealed]
    errors += ["coqchk: the axiom %s is used and not listed in proofs/theory/axioms" % a
               for a in sorted(set(found) - set(axioms))]
    errors += ["proofs/theory/axioms lists %s, which nothing uses" % a
               for a in sorted(set(axioms) - set(found))]
    record("coqchk.key", "" if errors else key)
    return sorted(found), errors


def catalogue(sources, table, without):
    """Rows of proofs/TABLE, {op: ..}, whose theorems the sources state, and [what is wrong]. A row of the
    level `without` has none."""
    found, errors = {}, []
    try:
        with open(os.path.join(ROOT, "proofs", table)) as f:
            lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        lines = []
    for line in lines:
        row = [w.strip() for w in line.split("|")]
        if len(row) != 5 or row[1] not in ("linked", "stated", without) or row[0] in found:
            errors.append("proofs/%s: not a row, or a second one: %s" % (table, line))
            continue
        op, level, theorems, files, note = row
        found[op] = {"level": level, "theorems": theorems, "files": files, "note": note}
        stated = [n for f in files.split(", ") if f for n in sources[os.path.basename(f)].stated
                  if f.startswith("link/") or level == "stated"] \
            if all(os.path.basename(f) in sources for f in files.split(", ") if f) else []
        if level == "none" and not note:
            errors.append("proofs/%s: %s has neither a theorem nor a reason" % (table, op))
        errors += ["proofs/%s: %s: %s states no theorem %s" % (table, op, files, n)
                   for n in theorems.split(", ") if level != without and n not in stated]
    return found, errors


def named_theorems():
    """Those that proofs/calculus and proofs/bounds name, and the files of Coq by name."""
    paths = glob.glob(os.path.join(SOURCES, "*.v")) + glob.glob(os.path.join(ROOT, "proofs", "link", "*.v"))
    sources = {s.name: s for s in map(Source, paths)}
    rows = [r for table, without in (("calculus", "none"), ("bounds", "derived"))
            for r in catalogue(sources, table, without)[0].values() if r["level"] != without]
    return {n for r in rows for n in r["theorems"].split(", ")}, sources


def instances():
    """{name: file} of what proofs/link/*Witnesses.v define."""
    paths = glob.glob(os.path.join(ROOT, "proofs", "link", "*Witnesses.v"))
    return {name: s.name for s in map(Source, sorted(paths)) for name in s.defined}


def report(patterns=(), jobs=2, tell=print):
    """Checks the files that one of the patterns names, and what they require; all without a pattern.
    Tells a line each. Returns ([what went wrong], the text of proofs/results/theory.json or None)."""
    paths = sorted(glob.glob(os.path.join(SOURCES, "*.v"))) + \
        sorted(glob.glob(os.path.join(ROOT, "proofs", "link", "*.v")))
    fits = lambda p: any(fnmatch.fnmatch(os.path.relpath(p, ROOT), x) for x in patterns)
    if not paths or patterns and not any(map(fits, paths)):
        return [], None
    why = missing_tools()
    if why:
        return [why], None
    os.makedirs(BUILD, exist_ok=True)
    try:
        if os.path.exists(os.path.join(ROOT, "proofs", "link", "carrier.c")):
            written = os.path.join(BUILD, "written")
            os.makedirs(written, exist_ok=True)
            texts = {"Meaning": link.meaning()}
            texts["PairMeaning"] = link.meaning_of_pairs(texts["Meaning"])
            texts["Instances"] = witnessed.instances(instances())
            for name, text in texts.items():
                paths.append(os.path.join(written, name + ".v"))
                with open(paths[-1], "w") as f:
                    f.write(text)
        sources = {}
        for s in map(Source, paths):
            if s.name in sources:
                raise link.Bad("%s: %s has this name too" % (s.shown, sources[s.name].shown))
            sources[s.name] = s
        order = ordered(sources)
        keys, version = keys_of(sources, order)
        if patterns:
            wanted = {os.path.splitext(os.path.basename(p))[0] for p in paths if fits(p)}
            for name in reversed(order):
                if name in wanted:
                    wanted |= set(sources[name].requires)
            order = [n for n in order if n in wanted]
        with open(os.path.join(SOURCES, "axioms")) as f:
            whole = hashlib.sha256(("".join(keys.values()) + f.read()).encode()).hexdigest()
        errors = shadows(sources, whole) or compile_all(sources, order, keys, jobs, tell)
        if errors or patterns:
            return errors, None
        axioms, wrong = check(order, whole)
        ops, bad = catalogue(sources, "calculus", "none")
        bounds, bad_bounds = catalogue(sources, "bounds", "derived")
        unproven, whole, without = witnessed.check(instances())
        wrong += bad + bad_bounds + contracts.check(ops) + contracts.check_bounds(bounds) + unproven
    except link.Bad as error:
        return [str(error)], None
    tell("coqchk: refused" if wrong else
         "%-34s %9s  axioms of the classical reals, and no other" % ("coqchk", len(axioms)))
    tell("%-34s %9d  with an instance, so that their hypotheses hold together; %d without "
         "(proofs/unwitnessed)" % ("linked theorems", whole, without))
    found = {"source": "proofs/theory", "reading": "coq", "coq": version, "axioms": axioms,
             "theorems": {s.name: s.stated for s in sources.values()},
             "ops": ops, "bounds": bounds,
             "definitions": {s.name: s.defined for s in sources.values()}}
    return wrong, json.dumps(found, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    wrong, _ = report(sys.argv[1:])
    for e in wrong:
        print("theory.py: " + e, file=sys.stderr)
    sys.exit(1 if wrong else 0)
