"""Rules of the kernel text that neither compiler nor prover enforces (cuda/lang/kernel.h states them).

lint_kernels.py [FILE...]   the kernel files of cuda/
lint_kernels.py --self-test each rule is broken once; each must be found

In every kernel file:
  flow      no return, break, continue or goto in the body of a thread loop
  uniform   shuffles, UNIFORM and what waits for copies (async_copy.h, row_buffer.h, async_ring.h,
            bulk_ring.h) only outside thread loops: every thread takes part
  thread    AT, REG and the names of cells, buffers and rings have the variable of the innermost
            thread loop, or a parameter
  bare      a thread's register is used through AT, REG, a shuffle, UNIFORM, or handed on whole
  vector    no cast to a vector type: LD4 and ST4 carry the alignment
  library   no library math (cuda/math/elementary.h has it) and no atomics: the bits would differ
  unused    each function is named by something beside itself: what nothing calls is not checked either
In a file that proofs/units names, moreover:
  raw       no CUDA built-in outside the vocabulary
  shared    shared memory is reached through LD and ST alone
A line that says "lint-ok RULE: reason" is excused from that rule. Who may include whom is checked by
lint_layers.py, which runs with this.
"""
import collections
import glob
import os
import re
import sys

import lint_layers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOOPS = ("PHASE|OPEN_PHASE|EACH_THREAD|EACH_TEAM_THREAD|TEAMS|BLOCK_TEAMS|EACH_GRID_THREAD|GROWS|GCOLS|"
         "BROWS|BCOLS|GPLANES|PROWS|PCOLS|GTILE_ROWS|GTILE_COLS|THREAD_ROWS|PHASE_ROWS|THREAD_COLS")
# whose variable is a thread of the block
ONE_THREAD = ("PHASE", "OPEN_PHASE", "EACH_THREAD", "EACH_TEAM_THREAD")
VOCABULARY = ("cuda/sim/", "cuda/lang/kernel.h", "cuda/lang/kernel_framac.h", "cuda/launch.h",
              "cuda/host/backend", "cuda/host/check", "cuda/host/table.h")
MATH = r"exp|exp2|expm1|log|log2|log10|log1p|tanh|sinh|cosh|sin|cos|tan|erf|erfc|pow|rsqrt|cbrt"


COMMENT = r"/\*.*?\*/|//[^\n]*"


def hide(pattern, text):
    """What the pattern matches replaced by blanks; positions stay."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


def blank(text):
    """Comments, strings and macro definitions replaced by blanks."""
    text = hide(COMMENT + r"|\"(?:\\.|[^\"\\\n])*\"", text)
    return hide(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", text)


def close(text, at):
    """The position after the bracket that closes the one at `at`."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    opening, closing = text[at], pairs[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    return len(text)


def statement(text, at):
    """The position after the statement at `at`: a block, a loop or if with its own, or up to ;"""
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at:at + 1] == "{":
        return close(text, at)
    m = re.compile(r"(?:UNROLL\s+)?(?:for|while|if|%s)\s*\(" % LOOPS).match(text, at)
    if m:
        end = statement(text, close(text, m.end() - 1))
        other = re.compile(r"\s*else\b").match(text, end)
        return statement(text, other.end()) if other else end
    end = text.find(";", at)
    return len(text) if end < 0 else end + 1


def arguments(text, at):
    """Of the call whose opening bracket is at `at`."""
    inside, parts, depth, start = text[at + 1:close(text, at) - 1], [], 0, 0
    for i, c in enumerate(inside):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(inside[start:i].strip())
            start = i + 1
    return parts + [inside[start:].strip()]


class File:
    def __init__(self, name, text, proven):
        self.name, self.errors = name, []
        self.raw, self.text, self.proven = text, blank(text), proven
        self.loops = []  # (from, to, macro, variable)
        for m in re.finditer(r"\b(%s)\s*\(" % LOOPS, self.text):
            start = close(self.text, m.end() - 1)
            self.loops.append((start, statement(self.text, start), m[1],
                               arguments(self.text, m.end() - 1)[0]))

    def complain(self, at, rule, words):
        line = self.raw[self.raw.rfind("\n", 0, at) + 1:].split("\n", 1)[0]
        if re.search(r"lint-ok %s: \w" % rule, line):
            return
        self.errors.append("%s:%d: %s: %s" % (self.name, self.text.count("\n", 0, at) + 1, rule,
                                              words))

    def around(self, at):
        return [l for l in self.loops if l[0] <= at < l[1]]

    def functions(self):
        """(from, to, signature) of each function body at the outermost level."""
        at = 0
        while True:
            at = self.text.find("{", at)
            if at < 0:
                return
            end = close(self.text, at)
            head = self.text[max(self.text.rfind("}", 0, at), self.text.rfind(";", 0, at)) + 1:at]
            if re.search(r"extern\s*$|namespace\s*\w*\s*$", head):
                at += 1
                continue
            if ")" in head:
                yield at, end, head
            at = end

    def check(self):
        t = self.text
        for start, end, macro, _ in self.loops:
            for m in re.finditer(r"\b(return|break|continue|goto)\b", t[start:end]):
                self.complain(start + m.start(), "flow", "%s in the body of %s" % (m[1], macro))
        for m in re.finditer(r"\b(SHFL_XOR|SHFL_DOWN|SHFL_DOWN_D|UNIFORM|TEAM_XOR|TEAM_UNIFORM|copy_wait|"
                             r"slots_send|slots_wait_but_newest|slots_wait_all|stages_meet|BULK_WAIT|"
                             r"ring_send|ring_wait)\s*\(", t):
            if self.around(m.start()):
                self.complain(m.start(), "uniform", "%s inside a thread loop" % m[1])
        for m in re.finditer(r"\(\s*(?:const\s+)?(?:float[24]|u?int[24]|double2|longlong2)\s*\*\s*\)"
                             r"|\breinterpret_cast\s*<", t):
            self.complain(m.start(), "vector", "a cast; LD4 and ST4 carry the alignment")
        for m in re.finditer(r"(?<![\w.])(?:(?:__)?(?:%s)f?|__fdividef|__frcp_\w+|atomic\w+)\s*\("
                             % MATH, t):
            self.complain(m.start(), "library", m[0].rstrip("( "))
        if self.proven:
            for m in re.finditer(r"\b(__\w*sync\w*|threadIdx|blockIdx|blockDim|gridDim|__shared__|"
                                 r"__ldg|__stcs|__ldcs|extern\s+__)\b", t):
                self.complain(m.start(), "raw", "%s: not in the vocabulary" % m[1])
        for start, end, head in self.functions():
            self.threads(start, end, head)
            if self.proven:
                self.memory(start, end)
        return self.errors

    def threads(self, start, end, head):
        t = self.text
        parameters = set(re.findall(r"\b(?:int|unsigned|idx)\s+(\w+)\s*"
                                    r"(?=[,)]|PHASE_FN|TEAM_FN|GHOST_PARAMS)", head))
        for m in re.finditer(r"\b(AT|REG|TEAM_REG|CELL_(?:FETCH[14]|BLANK[14]|TAKE)|PLAIN_(?:STORE|LOAD)|"
                             r"BUFFER_(?:FETCH[14]|SET1|LOAD|STORE)|BULK_LOAD|"
                             r"RING_(?:FETCH[14]|BLANK1|LOAD))\s*\(",
                             t[start:end]):
            at = start + m.start()
            index = arguments(t, start + m.end() - 1)[-1]
            inside = [l[3] for l in self.around(at) if l[2] in ONE_THREAD]
            if index != inside[-1] if inside else index not in parameters:
                self.complain(at, "thread", "%s of %s, which is not the thread variable" % (m[1], index))
        whole = head + t[start:end]
        names = {a[1] for m in re.finditer(r"\b(?:PRIVATE[KS]?|PER_THREAD(?:K|_OF)?)\s*\(", whole)
                 for a in [arguments(whole, m.end() - 1)] if len(a) == 2}
        for v in names:
            for m in re.finditer(r"(?<!\.)\b%s\b" % re.escape(v), t[start:end]):  # no member
                at = start + m.start()
                before, after = t[:at].rstrip(), t[at + len(v):].lstrip()
                if not (before[-1] in "(," and
                        re.match(r"[,)]|GHOST_ARGS|IN_PHASE|IN_TEAM", after)):
                    self.complain(at, "bare", "%s is a register of each thread" % v)

    def memory(self, start, end):
        t = self.text
        for m in re.finditer(r"\bSHARED\s*\(", t[start:end]):
            s = arguments(t, start + m.end() - 1)[1]
            for use in re.finditer(r"(?<![&\w])%s\s*\[|\*\s*\(?\s*%s\b" % (s, s), t[start:end]):
                self.complain(start + use.start(), "shared", "%s is reached without LD or ST" % s)


DEFINED = re.compile(r"^(?:template <[^\n]*> )?(?:DEV|static inline)\b[\w \t\n*]*?\b(\w+)\s*\(", re.M)


def unused(texts):
    """Of the files' texts, by name: the functions that none of them names where it defines nothing."""
    bare = {name: hide(COMMENT, text) for name, text in texts.items()}
    words = collections.Counter(w for text in bare.values() for w in re.findall(r"\w+", text))
    found = [(name, m) for name, text in bare.items() for m in DEFINED.finditer(text)]
    defined = collections.Counter(m[1] for _, m in found)
    return ["%s:%d: unused: nothing calls %s" % (name, bare[name].count("\n", 0, m.start()) + 1, m[1])
            for name, m in found if words[m[1]] == defined[m[1]]]


def proven_files():
    try:
        with open(os.path.join(ROOT, "proofs/units")) as f:
            return {line.split()[0] for line in f if re.match(r"cuda/\S*\s+functions\b", line)}
    except FileNotFoundError:
        return set()


def cuda_files():
    return glob.glob(os.path.join(ROOT, "cuda", "**", "*.*"), recursive=True)


def kernel_files():
    found = [os.path.relpath(p, ROOT) for p in cuda_files() if p.endswith((".cu", ".cuh", ".h"))]
    return sorted(p for p in found if not p.startswith(VOCABULARY))


GOOD = """
KERNEL void k(float *y, const float *x, int n)
{
  SHARED(float, s, 32);
  PRIVATE(float, v);
  PRIVATE(float, w);
  PHASE(t) { AT(v, t) = LDG(x + t); ST(&s[t], AT(v, t)); }
  SHFL_XOR(w, v, 1);
  reduce(v, s);
  float m = UNIFORM(v), old = atomicMax(y, 1); // lint-ok library: a maximum has no order
  hand_on(w, v GHOST_ARGS(x));
  EACH_THREAD(t) if (t < n) STG(y + t, m * AT(w, t));
}
DEV float one(PER_THREAD(float, v), int t) { return AT(v, t); }
DEV void all(PER_THREAD(float, v), int m TEAM_FN) { EACH_TEAM_THREAD(l) AT(v, l) = AT(v, l) * (float)m; }
"""
BROKEN = [  # (rule, what to replace, by what)
    ("flow", "if (t < n) STG", "{ if (t >= n) return; } STG"),
    ("flow", "{ AT(v, t) = LDG(x + t);", "{ for (;;) break; AT(v, t) = LDG(x + t);"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ SHFL_XOR(w, v, 1); AT(v, t) = LDG(x + t);"),
    ("uniform", "m * AT(w, t)", "UNIFORM(v) * AT(w, t)"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ copy_wait(); AT(v, t) = LDG(x + t);"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ TEAM_XOR(w, v, 1); AT(v, t) = LDG(x + t);"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ slots_send(LATE); AT(v, t) = LDG(x + t);"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ BULK_WAIT(on, 0, 0); AT(v, t) = LDG(x + t);"),
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ ring_wait(0, 1); AT(v, t) = LDG(x + t);"),
    ("uniform", "EACH_TEAM_THREAD(l) AT(v, l) =", "EACH_TEAM_THREAD(l) AT(v, l) = TEAM_UNIFORM(v) +"),
    ("thread", "EACH_TEAM_THREAD(l) AT(v, l)", "EACH_TEAM_THREAD(l) AT(v, m)"),
    ("thread", "m * AT(w, t)", "m * TEAM_REG(w, 0, 0, t + 1)"),
    ("thread", "m * AT(w, t)", "m * CELL_TAKE(w, 0, 0, t + 1)"),
    ("thread", "m * AT(w, t)", "m * BUFFER_LOAD(w, 0, 0, t + 1)"),
    ("thread", "m * AT(w, t)", "m * BULK_LOAD(w, 0, n, 0, 0, t + 1)"),
    ("thread", "m * AT(w, t)", "m * RING_LOAD(w, 0, n, 0, 0, t + 1)"),
    ("thread", "m * AT(w, t)", "m * AT(w, t + 1)"),
    ("thread", "m * AT(w, t)", "m * AT(w, n)"),
    ("thread", "{ return AT(v, t); }", "{ return AT(v, 0); }"),
    ("bare", "m * AT(w, t)", "m * w"),
    ("bare", "float m = UNIFORM(v),", "float m = v,"),
    ("shared", "ST(&s[t], AT(v, t));", "s[t] = AT(v, t);"),
    ("shared", "ST(&s[t], AT(v, t));", "*(s + t) = AT(v, t);"),
    ("vector", "LDG(x + t)", "*(const float4 *)(x + t)"),
    ("library", "LDG(x + t)", "expf(LDG(x + t))"),
    ("library", "STG(y + t, m", "atomicAdd(y + t, m"),
    ("library", "lint-ok library: a maximum has no order", "lint-ok library"),
    ("raw", "SHFL_XOR(w, v, 1);", "__syncthreads();"),
    ("raw", "{ return AT(v, t); }", "{ return AT(v, t) + threadIdx.x; }"),
]


def self_test():
    errors = File("good", GOOD, True).check()
    if errors:
        raise SystemExit("kernel lint self-test: complains of good text: %s" % errors)
    for rule, old, new in BROKEN:
        text = GOOD.replace(old, new, 1)
        errors = File("bad", text, True).check()
        if text == GOOD or not any(": %s: " % rule in e for e in errors):
            raise SystemExit("kernel lint self-test: %s: not found in: %s" % (rule, new))
    calls = {"a.h": "DEV int once(int a)\n{\n}\n/* twice(1) */\n", "a.cu": "static inline int\ntwice(int a)\n"}
    for name, text, left in (("a.cu", "#define F once(2)", 1), ("a.cu", "int b = once(twice(1));", 0)):
        errors = unused({**calls, name: calls[name] + text})
        if len(errors) != left:
            raise SystemExit("kernel lint self-test: unused: %s with %s" % (errors, text))
    planted = len(BROKEN) + 1
    print("kernel lint self-test: %d faults planted, %d found" % (planted, planted))
    lint_layers.self_test()


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files, proven, errors = sys.argv[1:] or kernel_files(), proven_files(), []
    texts = {}
    for path in [os.path.join(ROOT, f) for f in files] + cuda_files():
        with open(path) as f:
            texts[os.path.relpath(path, ROOT)] = f.read()
    for name in files:
        errors += File(name, texts[os.path.normpath(name)], name in proven).check()
    errors += [e for e in unused(texts) if e.split(":")[0] in files]
    for e in errors:
        print("kernel lint: " + e)
    print("kernel lint: %d files, %d of them proven, %d errors"
          % (len(files), len(set(files) & proven), len(errors)))
    return 1 if lint_layers.check() or errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
