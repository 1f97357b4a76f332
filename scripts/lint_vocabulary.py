"""Whether tests/vocabulary.cu comes by every name of cuda/lang/ that nvcc reads: a primitive that it does
not use could do less than it says, for nvcc alone, and no proof would show it.

lint_vocabulary.py               checks this tree
lint_vocabulary.py --self-test   a name that is not used, and an excuse for one that is

  unused   a macro or device function of cuda/lang/*.h that the test does not use; names that end in _
           are parts of others
  excuse   a name of EXCUSED that the test uses, or that is gone
"""
import glob
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEST = ("tests/vocabulary.cu", "tests/vocabulary.h", "tests/vocabulary_copies.h",
        "tests/vocabulary_products.h")
EXCUSED = {
    "LAUNCHER": "a launcher's name", "ENTRY": "a launcher's head", "KERNEL": "used by all", "DEV": "used by all",
    "RESTRICT": "a promise of the kernel's to the compiler", "PER_THREAD": "a type", "PER_THREADK": "a type",
    "PHASE_FN": "the prover's alone", "IN_PHASE": "the prover's alone", "GHOST_PARAMS": "the prover's alone",
    "GHOST_ARGS": "the prover's alone", "CELLS_PARAM": "a type", "PLAIN_CELLS_PARAM": "a type",
    "ROW_BUFFER_PARAM": "a type", "copy_async": "CELL_FETCH1",
    "copy_bulk": "BULK_COPY", "arrival_open": "BULK_RING_OPEN", "arrival_close": "BULK_SEND",
    "arrival_await": "BULK_WAIT", "barrier_await": "BULK_WAIT", "exchange_begin": "exchange_open",
    "BUFFER_COLS": "a size", "BUFFER_VEC4S": "a size",
    "THREAD_FN": "the prover's alone", "IN_THREAD": "the prover's alone", "IN_GRID_THREAD": "the prover's alone",
    "IN_GRID": "the prover's alone", "BLOCK_FN": "the prover's alone", "IN_BLOCK": "the prover's alone",
    "IN_BLOCK_OF": "the prover's alone", "IN_ONE_BLOCK": "the prover's alone", "IN_THREAD_OF": "the prover's alone",
    "IN_PHASE_OF": "the prover's alone", "LDG_OWN": "LDG", "LD4_OWN": "LD4",
    "WITH_WHOLE": "the host's", "WITH_EVICT_LAST": "the host's",
    "shared_at": "pipe_copy", "tile_descriptor": "wgmma",
    "IDX_LIM": "a size", "MAXB": "a size", "KMAX": "a size",
}


def nvcc_reads(text):
    """The text without what is Frama-C's or the simulator's alone."""
    out, stack = [], []  # of each #if: whether nvcc reads this branch
    for line in text.splitlines():
        m = re.match(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*(.*)", line)
        if not m:
            if all(stack):
                out.append(line)
        elif m[1] == "endif":
            stack.pop()
        elif m[1] == "else":
            stack[-1] = not stack[-1]
        elif m[1] == "elif":  # the simulator's, behind the prover's
            stack[-1] = "PM_SIM" not in m[2] and not stack[-1]
        else:
            if re.match(r"!defined __FRAMAC__ \|\| ", m[2]):  # the prover's too, where it reads launchers
                stack.append(True)
            else:
                stack.append(m[1] == "ifndef" or not re.search(r"__FRAMAC__|PM_SIM|PM_RACE", m[2]))
    return "\n".join(out)


def check(root=ROOT, excused=None):
    excused = EXCUSED if excused is None else excused
    names, errors = {}, []
    used = ""
    for path in TEST:
        with open(os.path.join(root, path)) as f:
            used += re.sub(r'/\*.*?\*/|"[^"\n]*"', " ", f.read(), flags=re.S)
    headers = glob.glob(os.path.join(root, "cuda/lang/*.h"))
    for path in sorted(h for h in headers if not h.endswith("_framac.h")):
        with open(path) as f:
            text = nvcc_reads(re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S))
        found = re.findall(r"^[ \t]*#[ \t]*define (\w+)", text, re.M)
        found += re.findall(r"^DEV [\w ]*?[ *](\w+)\(", text, re.M)
        for n in found:
            if not n.endswith("_") and not n.startswith("PM_"):
                names.setdefault(n, os.path.relpath(path, root))
    for n, path in sorted(names.items()):
        if bool(re.search(r"\b%s\b" % n, used)) == (n in excused) and n not in ("KERNEL", "DEV"):
            errors.append("%s: %s: %s" % (path, "excuse" if n in excused else "unused", n))
    errors += ["lint_vocabulary.py: excuse: %s is gone" % n for n in sorted(set(excused) - set(names))]
    return len(names), errors


def self_test():
    cases = [("good", "both", {}, None), ("unused", "LDX", {}, "a.h: unused: LDX"),
             ("unused, of the host's", "both(float);\n#if !defined __FRAMAC__ || defined LAUNCHES\nDEV float LDY", {},
              "a.h: unused: LDY"),
             ("excuse", "both", {"LDG": "x"}, "a.h: excuse: LDG"), ("excuse", "both", {"LDQ": "x"}, "LDQ is gone")]
    for what, extra, excused, message in cases:
        with tempfile.TemporaryDirectory() as root:
            for path in TEST:
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w") as f:
                    f.write("/* LDX */ both(LDG(p), hidden);\n")
            os.makedirs(os.path.join(root, "cuda/lang"))
            with open(os.path.join(root, "cuda/lang/a.h"), "w") as f:
                f.write("#ifdef __FRAMAC__\n#define LDF(p) p\n#else\n#define LDG(p) LD_(p)\n#define LD_(p) p\n"
                        "#ifdef PM_SIM\nDEV float only_sim(int);\n#endif\n#endif\nDEV float %s(float *p);\n" % extra)
            _, errors = check(root, excused)
        if not any(message in e for e in errors) if message else errors:
            raise SystemExit("vocabulary lint self-test: %s: got %s" % (what, errors))
    print("vocabulary lint self-test: %d faults planted, %d found" % (len(cases) - 1, len(cases) - 1))


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    n, wrong = check()
    for e in wrong:
        print("vocabulary: " + e)
    print("vocabulary: %d names of cuda/lang, %d errors" % (n, len(wrong)))
    sys.exit(1 if wrong else 0)
