"""What the prover reads is what nvcc reads, and the simulator reads it too.

lint_readings.py            compares the readings of every file of cuda/, and of ref/ those of prover and gcc
lint_readings.py --write    writes proofs/vocabulary.lock anew
lint_readings.py --self-test faults of each kind are planted; each must be found

Each .cu is read as nvcc, as the simulator and as the simulator's build that finds races; each unit of
proofs/units as the prover, with its own -D (reading.py). Then, item by item:
  equal     what nvcc compiles of a file is what the prover reads of it, where the file is a unit in that
            unit, and what the simulator compiles; a macro that is used in it stands for the same
  contract  a contract, and a definition or lemma in an annotation, is the same in all units
  inside    no conditional that readings decide differently stands inside a function or its contract
  unread    a function of the device is read by the prover, where the prover reads the file
  alone     nothing is there for the prover alone
  word      what the prover reads has no word whose meaning is a compiler's own, and no header but stdint.h and stddef.h
  hidden    nothing outside of the vocabulary redefines a word that the vocabulary is made of
  test      a condition names what was defined before it, or what the readings differ in
  place     a listed place is there, and its readings do differ
  lock      what differs in a listed place is word for word what proofs/vocabulary.lock has
PLACES and DECLARED list where readings may differ. proofs/vocabulary.lock has their text, a reading each, and is to be
read in review as what is trusted: the prover reads the first text, the machine runs the other.
"""
import fnmatch
import glob
import os
import re
import sys
import textwrap

import reading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCK = "proofs/vocabulary.lock"
PLACES = [  # file, names of its items, why the readings may differ there
    ("cuda/lang/*", "*", "the vocabulary: SOUNDNESS.md, Trusted contracts"),
    ("cuda/sim/sim.h", "*", "the vocabulary: CUDA's built-ins on the CPU"),
    ("cuda/sim/wgmma.h", "*", "of the simulator alone: what wgmma adds up"),
    ("cuda/product/fast.cu", "has_wgmma", "a question to the device"),
    ("cuda/sim/launched.h", "*", "of the simulator alone: what a launch is asked"),
    ("cuda/collective/team.h", "TEAM_FN IN_TEAM IN_TEAM_OF EACH_TEAM_THREAD IN_TEAM_THREAD TEAM_REG BLOCK_TEAM "
     "WARP_TEAM TEAMS TEAM_XOR TEAM_UNIFORM team_of_ team_reg_ teams_ team_xor_ team_uniform_ "
     "\"../lang/owned_rows.h\"", "the vocabulary of teams"),
    ("cuda/collective/team_block.h", "TEAMS_FN IN_TEAMS TEAMS_EACH BLOCK_TEAMS TEAM_PART", "likewise"),
    ("cuda/collective/cluster_sum.h", "FIRST_WARP OPEN_PHASE", "the barrier of such a phase is the exchange's"),
    ("cuda/norm/cluster_slice.h", "PRIVATES PER_THREAD_OF", "registers of a thread, as PRIVATEK's"),
    ("cuda/batch_norm/share.h", "SHARE_CELLS", "an array of cells, one behind the other in shared memory"),
    ("cuda/collective/block_sum.h", "ONE_WARP one_warp_", "proven for any value"),
    ("cuda/collective/block_sum.h", "larger", "one instruction"),
    ("cuda/math/elementary.h", "*", "trusted contracts, of exp and its like"),
    ("cuda/math/fused.h", "*", "a trusted contract, of one instruction"),
    ("cuda/math/turn.h", "*", "one instruction, a fused multiply-add of f64"),
    ("cuda/math/neg_inf.h", "lowest", "a trusted contract"),
    ("cuda/random/philox.h", "philox_xor philox_times", "trusted contracts; one instruction each"),
    ("cuda/lse/exp_term.h", "loss_exp loss_term exp_term", "trusted contracts"),
    ("cuda/softmax/warp.cu", "pad_exp", "a trusted contract"),
    ("cuda/softmax/masked_mark.h", "MARK mark is_mark unmarked is_minus_zero larger_unmarked", "trusted contracts"),
    ("cuda/loss/targets.h", "refuse_status", "a trusted contract"),
    ("cuda/map/map.h", "MAP_CALL[01] MAP_KIND[012] MAP_K[012] MAP_CALLED MAP_DONE_",
     "one proof for all instances: SOUNDNESS.md"),
    ("cuda/map/map_proof.h", "*", "likewise"),
    ("cuda/attention/problem.h", "larger in_place", "one instruction; and what holds a comparison where it stands"),
    ("cuda/activation/activation.cu", "MAP_BOUNDS", "launch bounds"),
    ("cuda/lse/online.h", "ONLINE_BOUNDS", "launch bounds"),
    ("cuda/lse/online_masked.h", "MASKED_BOUNDS", "launch bounds"),
    ("cuda/activation/activation.cu", "SELDOM", "how often a branch is taken, for the compiler"),
    ("cuda/launch.h", "PM_MEMORY PM_NAME", "the prover's memory is typed, of floats: a variant's name is a number"),
    ("cuda/host/check.h", "PM_FORMAT pm_aligned16", "a trusted contract"),
    ("cuda/host/check.cu", "FAIL", "the words of a message"),
    ("cuda/host/check.cu", "overflows ADDRESS address_ ADDRESSES addresses_", "trusted contracts"),
    ("cuda/host/table.h", "PM_TABLE PM_FAMILY", "no strings, and no table of them"),
    ("cuda/host/device.h", "device_blocks", "host code: the simulator has few multiprocessors"),
    ("cuda/host/table.cu", "pm_launched", "host code: the simulator keeps its own errors"),
]
# Functions whose body only their own unit shows to the prover: others call them by their contract.
DECLARED = {"cuda/collective/block_sum.h": "block_sum", "cuda/collective/block_max.h": "block_max",
            "cuda/collective/team.h": "team_max team_sum"}
# Macros that an inclusion is instantiated by: what each stands for is compared where it is defined.
INSTANCES = {"MAP_*": r".*", "ONE_WARP": r"0|1|one_warp_", "LOOP_*": r".*", "SUM_OF": r".*",
             # of the prover, who reads lang/owned.h in place of kernel.h
             "PM_OWNED": r"(?:)", "PM_LANG_KERNEL_H": r"(?:)"}
CALLED = {"W"}  # macros with parameters, of annotations, whose names without ( are variables of kernels too
UNPROVEN = {  # headers of kernels that no unit reads, for a .cu whose other kernels are proven
    "cuda/bias/tiles.h": "add_bias_vjp by tiles", "cuda/shape/squares.h": "permute by squares",
    "cuda/sum/any_axes.h": "sums over axes anywhere", "cuda/host/device.h": "of gather, scatter and matmul",
}
UNIT_DEFINES = {  # the -D of proofs/units: what they show to one unit is checked as below
    "PROVE_BLOCK": "the body of block_sum, and what only its proof needs", "PROVE_BLOCK_MAX": "of block_max",
    "PROVE_TEAM": "of team_max and team_sum", "LANES_LEMMAS": "lemmas that other units do without",
    "ONCE_LEMMAS": "likewise", "PM_OWNED": "the reading of lang/owned.h, beside that of lang/kernel.h",
    "PROVE_LAUNCHERS": "launchers",
}
READINGS = {"prover": ("__FRAMAC__",), "nvcc": ("__cplusplus=201703L", "__CUDACC__"),
            "simulator": ("__cplusplus=201703L", "PM_SIM"), "races": ("__cplusplus=201703L", "PM_SIM", "PM_RACE")}
DEFINES_OF_MAKE = {"_GNU_SOURCE", "PM_SIM", "PM_RACE"}
PRAGMAS = r"unroll( \d+)?|GCC visibility (push \( hidden \)|pop)"
KEYWORDS = set("if else for while do switch case default return break continue goto sizeof int float double char "
               "long short unsigned signed void const static inline extern struct union enum typedef volatile "
               "register auto bool true false".split())


class Files:
    """The texts of a tree, or of one that a test makes up."""

    def __init__(self, texts=None):
        self.texts, self.have = texts, {}

    def read(self, path):
        if self.texts is not None:
            return self.texts.get(path)
        if path not in self.have:
            try:
                with open(os.path.join(ROOT, path)) as f:
                    self.have[path] = f.read()
            except OSError:
                self.have[path] = None
        return self.have[path]

    def names(self, pattern):
        if self.texts is not None:
            return sorted(n for n in self.texts if fnmatch.fnmatch(n, pattern))
        found = glob.glob(os.path.join(ROOT, pattern), recursive=True)
        return sorted(os.path.relpath(p, ROOT) for p in found)


def units(text):
    """(source, tag, -D words) of the kernel units of proofs/units, as the prover takes them."""
    found = {}
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words and words[0].startswith("cuda/") and "*" not in words[0]:
            tag = next((w[4:] for w in words if w.startswith("tag=")), "")
            found.setdefault((words[0], tag), [w[2:] for w in words[4:] if w.startswith("-D")])
    return [(source, tag, defines) for (source, tag), defines in found.items()]


def is_instance(name):
    """The pattern of what it may stand for, or None."""
    return next((value for i, value in INSTANCES.items() if fnmatch.fnmatchcase(name, i)), None)


class Lint:
    def __init__(self, files, places, declared, unproven, defines):
        self.files, self.errors, self.unproven, self.unit_defines = files, [], unproven, defines
        self.declared = {(path, name) for path, names in declared.items() for name in names.split()}
        self.places = [(path, name) for path, names, _ in places for name in names.split()]
        self.units = units(files.read("proofs/units") or "")
        self.trusted = set(re.findall(r"^(\S+)\s+trusted\b", files.read("proofs/units") or "", re.M))
        self.cache = {}
        self.differing = {d.split("=")[0] for ds in [u[2] for u in self.units] + list(READINGS.values()) for d in ds}
        self.differing.add("READING_KERNELS")  # spec/: what kernel_framac.h tells it
        self.items = {}   # path -> (kind, name) -> reading -> {text: item}
        self.own = {}     # path -> (kind, name) -> {text: item}: the prover's, in the unit that the file is
        self.stated = {}  # (path, name) -> unit -> texts: contracts, and what annotations define
        self.order = {}   # path -> reading -> the orders in which inclusions have their items
        self.includes = {}  # .cu -> files that nvcc reads for it
        self.lock, self.met, self.found_unproven = {}, set(), set()

    def complain(self, where, rule, words):
        error = "%s: %s: %s" % (where, rule, words)
        if error not in self.errors:
            self.errors.append(error)

    def place(self, path, name):
        for row in self.places:
            if fnmatch.fnmatch(path, row[0]) and fnmatch.fnmatchcase(name, row[1]):
                return row
        return None

    def opaque(self, path, name):
        return is_instance(name) is not None or self.place(path, name) is not None

    # -- reading

    def read(self, what, starts, defines):
        r = reading.Reading(self.files.read, defines, self.differing, self.opaque, is_instance, self.cache)
        try:
            for start in starts:
                r.include(start)
        except reading.Refused as refused:
            self.complain(what, "test", str(refused))
        return r.done

    def brings_owned(self, source, seen=()):
        """Whether a header includes lang/owned.h, which comes before kernel.h (framac.Unit.owned)."""
        if source == "cuda/lang/owned.h":
            return True
        found = re.findall(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', self.files.read(source) or "", re.M)
        paths = {os.path.normpath(os.path.join(os.path.dirname(source), f)) for f in found} - set(seen)
        return any(p.startswith("cuda/") and self.brings_owned(p, (*seen, source)) for p in paths)

    def read_all(self):
        for source, tag, defines in self.units:
            unit = source + ("@" + tag if tag else "")
            starts = [source]
            if source.endswith(".h") and source != "cuda/lang/kernel.h" and not self.brings_owned(source):
                starts.insert(0, "cuda/lang/kernel.h")
            for frame in self.read(unit, starts, list(READINGS["prover"]) + defines):
                self.keep("prover", frame, unit, frame.path == source)
        for source in self.files.names("cuda/*/*.cu"):
            if source.startswith("cuda/host/backend_"):
                continue
            for name in ("nvcc", "simulator", "races"):
                for frame in self.read(source, [source], READINGS[name]):
                    self.keep(name, frame, source, False)
        for source in self.files.names("ref/*.[ch]") + self.files.names("spec/*.h"):
            starts = ["ref/ref.h", source] if source.startswith("spec/") else [source]
            for frame in self.read(source, starts, READINGS["prover"]):
                self.keep("prover", frame, source, frame.path == source)
            for frame in self.read(source, [source], ()) if source.endswith(".c") else ():
                self.keep("nvcc", frame, source, False)

    def keep(self, name, frame, unit, own):
        items = self.items.setdefault(frame.path, {})
        for item in frame.items:
            if name == "prover" and (item.kind == "logic" or item.contract or item.text.endswith("}")):
                text = item.text if item.kind == "logic" else item.contract
                self.stated.setdefault((frame.path, item.name), {}).setdefault(unit, {})[text] = item
            if item.kind == "logic":
                continue
            key = (item.kind, item.name)
            items.setdefault(key, {}).setdefault(name, {}).setdefault(item.text, item)
            if own:
                self.own.setdefault(frame.path, {}).setdefault(key, {}).setdefault(item.text, item)
        if name == "nvcc":
            self.includes.setdefault(unit, set()).add(frame.path)
        order = tuple((i.kind, i.name, i.text) for i in frame.items if i.kind != "logic")
        reads = self.order.setdefault(frame.path, {})
        reads.setdefault(name, set()).add(order)
        if own:
            reads.setdefault("own", set()).add(order)

    # -- comparing

    def check(self):
        self.read_all()
        words = self.vocabulary()
        for path in sorted(self.items):
            read = {name for by in self.items[path].values() for name in by}
            for key in sorted(self.items[path]) if path.startswith(("cuda/", "ref/")) else ():
                self.compare(path, key, self.items[path][key], read, words)
        self.check_unread()
        for (path, name), by in sorted(self.stated.items()):
            first = min(by)
            item = next(iter(by[first].values()))
            if item.kind == "logic" and self.place(path, name) and "lemma" not in name.split(" ")[0]:
                self.lock[(path, "logic", name)] = {"prover": {t: i for u in by.values() for t, i in u.items()}}
            for unit in sorted(by):
                if set(by[unit]) != set(by[first]) and (item.kind == "logic" or not self.place(path, name)):
                    self.complain("%s:%d" % (path, item.line), "contract", "%s says in %s what it does not in %s"
                                  % (name, unit, first))
        for path in sorted(self.order):
            self.compare_order(path, self.order[path])
        self.check_build()
        for row in sorted((set(self.places) | self.declared) - self.met):
            self.complain("PLACES", "place", "no reading differs in %s, %s" % row)
        for path in sorted(set(self.unproven) - self.found_unproven):
            self.complain("UNPROVEN", "place", "%s has no kernels of that kind" % path)
        return self.errors

    def check_unread(self):
        """A file that nvcc reads for a proven .cu, and no unit reads, has no function of the device."""
        proven = {u[0] for u in self.units}
        for path in sorted({p for source in proven & set(self.includes) for p in self.includes[source]}):
            by = [(key[1], r) for key, r in self.items[path].items()]
            devices = [n for n, r in by if any(i.device for i in r.get("nvcc", {}).values())]
            if devices and not any("prover" in r for _, r in by) and not path.startswith("cuda/lang/"):
                self.found_unproven.add(path)
                if path not in self.unproven:
                    self.complain(path, "unread", "no unit of proofs/units reads %s" % ", ".join(devices))

    def vocabulary(self):
        """The words that the listed places are made of; and of their names, those of the prover's reading
        alone and those of nvcc's alone."""
        words, names, macros, self.spoken = set(KEYWORDS), {"prover": set(), "nvcc": set()}, set(), set()
        for path, items in self.items.items():
            read = {r for by in items.values() for r in by}
            for (kind, name), by in items.items():
                if path.startswith("cuda/lang/") and kind in ("define", "code") and (
                        "prover" in by or any(i.device for r in by.values() for i in r.values())):
                    self.spoken.add(name)
                if kind in ("define", "code") and self.place(path, name) and \
                   self.sides(path, (kind, name), by, read)[2]:
                    words |= {w for r in by for i in by[r].values() for w in i.names} | {name}
                    macros |= {name} if kind == "define" else set()
                    for r in names:
                        if r in by:
                            names[r].add(name)
        self.one_sided = {m for m in macros & (names["prover"] ^ names["nvcc"]) if not is_instance(m)}
        return {w for w in words if not is_instance(w)}

    def sides(self, path, key, by, read):
        """The texts of an item by reading; those that are proven; and whether readings differ."""
        texts = {r: set(by.get(r, ())) for r in READINGS}
        own = self.own.get(path, {}).get(key)
        proven = set(own) if own else texts["prover"]
        differ = any(texts[r] != texts["nvcc"] for r in read if r != "prover")
        return texts, proven, differ or ("prover" in read and proven != texts["nvcc"])

    def compare(self, path, key, by, read, words):
        (kind, name), row = key, self.place(path, key[1])
        texts, proven, differ = self.sides(path, key, by, read)
        some = next(i for r in by for i in by[r].values())
        where = "%s:%d" % (path, some.line)
        if kind == "pragma" and not re.fullmatch(PRAGMAS, name):
            self.complain(where, "test", "the pragma %s" % name)
        if row:
            if differ:
                self.met.add(row)
                self.lock[(path, kind, name)] = by
            return
        if path.startswith("cuda/") and name in (words if kind in ("define", "undef") else
                                                 self.spoken if kind == "code" else ()):
            self.complain(where, "hidden", "%s is a word of the vocabulary" % name)
        for item in by.get("nvcc", {}).values() if kind == "define" and is_instance(name) else ():
            if not re.fullmatch(is_instance(name), item.plain.split(" ", 2)[2]):
                self.complain(where, "hidden", "%s stands for what no proof has: %s" % (name, item.plain))
        for item in (i for items in by.values() for i in items.values()):
            if item.split and (path, name) in self.declared:
                self.met.add((path, name))
            elif item.split:
                self.complain("%s:%d" % (path, item.split), "inside", "the readings of %s part here" % name)
            if kind == "code" and texts["prover"]:
                for w in item.names & self.one_sided:
                    if w in CALLED and not re.search(r"\b%s \(" % w, item.text):
                        continue
                    self.complain(where, "equal", "%s uses %s, which not both readings have" % (name, w))
        if texts["prover"]:
            for word in foreign_words(by["prover"]) if path not in self.trusted else ():
                self.complain(where, "word", "%s has %s, which each compiler reads in its own way" % (name, word))
        for other in ("simulator", "races") if path.startswith("cuda/") else ():
            if texts["nvcc"] != texts[other]:
                self.complain(where, "equal", "%s is not to the %s what it is to nvcc%s" % (
                    name, "simulator" if other == "simulator" else "simulator that finds races",
                    difference(texts["nvcc"], texts[other])))
        if "prover" in read:
            self.compare_prover(where, kind, name, texts, proven, by)

    def compare_prover(self, where, kind, name, texts, proven, by):
        heads = {i.head for r in ("nvcc", "prover") for t, i in by.get(r, {}).items() if r == "nvcc" or t in proven}
        compiler = "gcc" if where.startswith("ref/") else "nvcc"
        extra, alone = texts["nvcc"] - proven, proven - texts["nvcc"] - heads
        if not proven or (kind == "undef" and not texts["prover"]):
            if any(i.device for i in by.get("nvcc", {}).values()) or (kind == "define" and is_instance(name)):
                self.complain(where, "unread", "the prover does not read %s" % name)
        elif extra and kind != "include":
            self.complain(where, "equal", "%s is to %s another text than is proven%s" % (
                name, compiler, difference(proven, texts["nvcc"])))
        elif alone:
            self.complain(where, "alone", "%s does not read %s" % (compiler, name))
        for text in texts["prover"] - proven - heads:
            self.complain(where, "equal", "%s is another text in other units than in its own%s" % (
                name, difference(proven, {text})))

    def compare_order(self, path, by):
        """Macros that are defined more than once mean what the last definition says. What both readings have
        they have in one order; an instance of map.h is proven by parts, and has no order."""
        ours = by.get("own", by.get("prover", ()))
        if not ours or path == "cuda/map/map.h" or not path.startswith(("cuda/", "ref/")):
            return
        known = {i for order in ours for i in order if not self.place(path, i[1])}
        for order in by.get("nvcc", ()):
            met = [i for i in order if i in known]
            if not any(met == [i for i in o if i in set(met)] for o in ours):
                self.complain(path, "equal", "nvcc reads its items in another order than the prover")

    def check_build(self):
        """No -D of the Makefile and of proofs/units but those that are known."""
        given = {(u[0], d) for u in self.units for d in u[2]}
        for source, word in sorted(given):
            if word not in self.unit_defines:
                self.complain("proofs/units: " + source, "test", "-D%s is not listed" % word)
        for word in sorted(set(self.unit_defines) - {d for _, d in given}):
            self.complain("UNIT_DEFINES", "place", "no unit has -D%s" % word)
        build = self.files.read("Makefile") or ""
        for word in re.findall(r"(?<![\w-])-[DU]\s*(\w+)|[ \t](-include|-imacros|--pre-include)\b", build):
            if word[1] or word[0] not in DEFINES_OF_MAKE:
                self.complain("Makefile", "test", "%s changes what a compiler reads" % (word[0] or word[1]))

    # -- the lock

    def locked(self):
        """The lock's text: of each item in a listed place its text in each reading."""
        named = {}
        for (path, kind, name), by in sorted(self.lock.items()):
            for r in READINGS:
                for item in by.get(r, {}).values():
                    shown = (readable(item.contract) if r == "prover" and item.contract else "") + item.plain
                    where = named.setdefault(name if kind != "undef" else "#undef " + name, {})
                    where.setdefault((path, shown), []).append(r)
        out = []
        for name in sorted(named):
            out.append("\n" + name)
            last = None
            for (path, text), readers in sorted(named[name].items(), key=lambda e: (e[1][0] != "prover", e[0])):
                if (path, readers) != last:
                    out.append("  %s, %s" % (path, " and ".join(readers)))
                last = path, readers
                out += textwrap.wrap(text, 110, initial_indent="    ", subsequent_indent="      ",
                                     break_long_words=False, break_on_hyphens=False)
        return HEAD + "\n".join(out) + "\n"


HEAD = """# What is trusted to be one thing in all readings: the places where the prover, nvcc and the simulator read
# different texts. Written by scripts/lint_readings.py --write; a change here is a change of what is trusted.
"""


def foreign_words(items):
    """A character is an int in C alone; names with _ and headers of the compiler's are its own."""
    found = set()
    for i in items.values():
        words = i.plain.split(" ") if i.kind == "code" else i.names if i.kind == "define" else ()
        found |= {w for w in words if re.match(r"'|_[_A-Z]", w) and w != "__VA_ARGS__"}
        if i.kind == "include" and i.name[0] == "<" and i.name not in ("<stdint.h>", "<stddef.h>"):
            found.add(i.name)
    return found


def readable(contract):
    return "/*@ %s */ " % contract.split(" \x00")[0]


def difference(one, other):
    """Where the first text that only one side has parts from its likeliest counterpart."""
    a, b = sorted(one - other), sorted(other - one)
    if not a or not b:
        return ""
    a, b = a[0].split(" "), b[0].split(" ")
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    show = lambda t: " ".join(t[at:at + 6]).replace("\x00", "where ") or "(its end)"
    return ": %s / %s" % (show(a), show(b))


def entries(text):
    """The lock by name."""
    found, name = {}, ""
    for line in text.splitlines():
        if line.startswith(" "):
            found[name].append(line)
        elif line and not line.startswith("# "):
            name = line
            found[name] = []
    return found


def compare_lock(lint):
    have, want = entries(lint.files.read(LOCK) or ""), entries(lint.locked())
    for name in sorted(set(have) | set(want)):
        if have.get(name) != want.get(name):
            what = "is not in" if name not in have else "is not what is in" if name in want else "is gone, but in"
            lint.complain(name, "lock", "%s %s: %s (--write, and let the change be reviewed)" % (
                what, LOCK, next((l.strip() for l in want.get(name, ()) if l[:4] == "    " and
                                  l not in have.get(name, ())), "")))


def main():
    if sys.argv[1:] == ["--self-test"]:
        import test_readings
        return test_readings.self_test()
    lint = Lint(Files(), PLACES, DECLARED, UNPROVEN, UNIT_DEFINES)
    lint.check()
    if sys.argv[1:] == ["--write"]:
        with open(os.path.join(ROOT, LOCK), "w") as f:
            f.write(lint.locked())
    else:
        compare_lock(lint)
    for e in lint.errors:
        print("readings: " + e)
    print("readings: %d files in %d units, %d places where readings differ, %d errors"
          % (len(lint.items), len(lint.units), len(lint.lock), len(lint.errors)))
    return 1 if lint.errors or not lint.items else 0


if __name__ == "__main__":
    sys.exit(main())
