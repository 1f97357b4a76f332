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
  nest      a thread's body, and a function that a thread calls (PHASE_FN, THREAD_FN), has no thread loop
  variable  the variable of a thread loop is not assigned, and its address is not taken
  hidden    what says which thread runs in which phase (mb_, mt_, first_, ph_) is not named: loops declare it
  diverge   no return before a shuffle or a barrier, or before a call of what has one
  await     in a kernel that LAUNCH_AFTER starts nothing touches global memory before await_launches()
  unused    each function is named by something beside itself: what nothing calls is not checked either
In a file that proofs/units names, moreover:
  raw       no CUDA built-in outside the vocabulary
  shared    shared memory is reached through LD and ST alone, in a phase or in a function that takes
            PHASE_FN
In a file that is read with lang/owned.h, where a race is a goal that fails:
  own       memory is reached through the vocabulary alone: no [] but in &s[i], no *, no ->
A line that says "lint-ok RULE: reason" is excused from that rule. Who may include whom is checked by
lint_layers.py, which runs with this.
"""
import collections
import glob
import os
import re
import subprocess
import sys

import lint_layers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOOPS = ("PHASE|PHASE_OF|OPEN_PHASE|EACH_THREAD|EACH_OWNER|EACH_TEAM_THREAD|TEAMS|BLOCK_TEAMS|EACH_GRID_THREAD|"
         "GROWS|GCOLS|BROWS|BCOLS|GPLANES|PROWS|PCOLS|GTILE_ROWS|GTILE_COLS|THREAD_ROWS|PHASE_ROWS|THREAD_COLS")
# whose variable is a thread of the block
ONE_THREAD = ("PHASE", "PHASE_OF", "OPEN_PHASE", "EACH_THREAD", "EACH_OWNER", "EACH_TEAM_THREAD")
# whose body is that of one thread
BODIES = ONE_THREAD + ("EACH_GRID_THREAD", "GCOLS", "THREAD_COLS", "GTILE_COLS")
# what all threads of a warp or a block meet in, and what touches global memory
MEETS = (r"__sync\w*|__shfl\w*|__ballot\w*|__any\w*|__all\w*|SHFL_XOR|SHFL_DOWN|SHFL_DOWN_D|TEAM_XOR|PHASE|PHASE_OF|"
         r"PHASE_ROWS|exchange_open|exchange_join|bulk_ring_meet|block_or|warp_or")
GLOBAL = (r"LDG(?:_OWN)?|STG|LD4(?:_OWN)?|ST4|LDI|load4_streaming|store4_streaming|load_now\w*|atomic\w+|"
          r"\w+_FETCH[14]|BULK_COPY")
VOCABULARY = ("cuda/sim/", "cuda/lang/kernel.h", "cuda/lang/kernel_framac.h", "cuda/lang/owned", "cuda/launch.h",
              "cuda/host/backend", "cuda/host/check", "cuda/host/table.h")
# of which the prover reads contracts alone: arithmetic, whose functions write to variables of who calls
ARITHMETIC = ("cuda/math/elementary.h",)
MATH = r"exp|exp2|expm1|log|log2|log10|log1p|tanh|sinh|cosh|sin|cos|tan|erf|erfc|pow|rsqrt|cbrt"


COMMENT = r"/\*.*?\*/|//[^\n]*"


def hide(pattern, text):
    """What the pattern matches replaced by blanks; positions stay."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


def blank(text):
    """Comments, strings and macro definitions replaced by blanks; so is a declaration's end where the body
    follows behind an #else."""
    text = re.sub(r";(?=\s*\n#else)", " ", text)
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


def name_of(head):
    """The function's name: what stands before the last brackets of its head."""
    end, depth = head.rfind(")"), 0
    for at in range(end, -1, -1):
        depth += (head[at] == ")") - (head[at] == "(")
        if depth == 0:
            m = re.search(r"(\w+)\s*$", head[:at])
            return m[1] if m else ""
    return ""


def dereferences(text):
    """Where memory is reached by brackets, a star or an arrow."""
    for m in re.finditer(r"[\w)\]]\s*\[|->|\*(?=\s*[\w(&*])", text):
        before = text[:m.start()].rstrip()
        if re.search(r"(?<!&)&\s*\w*$", before) and m[0][-1] == "[":  # the address alone
            continue
        if m[0][0] != "*" or not re.search(r"[\w)\]]$", before) or re.search(r"\b(return|else)$", before):
            yield m.start()


class File:
    def __init__(self, name, text, proven, owned=False):
        self.name, self.errors, self.owned = name, [], owned
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
                             r"buffer_send|buffer_wait_but_newest|buffer_wait_all|bulk_ring_meet|BULK_WAIT|"
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
        self.nesting()
        for start, end, head in self.functions():
            self.threads(start, end, head)
            if re.search(r"\b(?:PHASE_FN|THREAD_FN)\b", head):
                for loop in self.loops:
                    if start <= loop[0] < end:
                        self.complain(loop[0], "nest", "%s in a function that a thread calls" % loop[2])
            if self.proven:
                self.memory(start, end, "PHASE_FN" in head)
            if self.owned and re.search(r"\b(?:DEV|KERNEL)\b", head):
                for at in dereferences(t[start:end]):
                    self.complain(start + at, "own", "memory is reached outside of the vocabulary")
        return self.errors

    def nesting(self):
        t = self.text
        for start, end, macro, v in self.loops:
            for inner in self.loops:
                if macro in BODIES and start < inner[0] <= end:
                    self.complain(inner[0], "nest", "%s in the body of %s" % (inner[2], macro))
            v = re.escape(v)
            for m in re.finditer(r"\b%s\s*(?:(?:[-+*/%%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*%s\b|"
                                 r"[(,=]\s*&\s*%s\b" % (v, v, v), t[start:end]):
                self.complain(start + m.start(), "variable", "the variable of %s is changed" % macro)
        hidden = r"\b(?:mb_|mt_|ph_|first_|\w+_(?:grid|row_of|col_of|brow_of|lane|team)_)\b"
        for m in re.finditer(hidden, t) if not self.name.startswith("cuda/lang/") else ():
            self.complain(m.start(), "hidden", "%s is for loops to declare" % m[0])

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

    def memory(self, start, end, in_phase):
        t = self.text
        for m in re.finditer(r"\b(LD|ST|LD_SHARED4|ST_SHARED4|STS4)\s*\(", t[start:end]):
            if not in_phase and not any("PHASE" in loop[2] for loop in self.around(start + m.start())):
                self.complain(start + m.start(), "shared", "%s outside of a phase" % m[1])
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


class Calls:
    """Which function calls which: where all threads meet, and what touches global memory, and when."""

    def __init__(self, files):
        self.files, self.bodies = files, {}
        for f in files:
            for start, end, head in f.functions():
                if re.search(r"\b(?:DEV|KERNEL)\b", head) and name_of(head):  # a macro's has none
                    self.bodies.setdefault(name_of(head), []).append((f, start, end, head))
        by_name = {f.name: f for f in files}
        self.sees = {f.name: self.included(f, by_name) for f in files}
        self.meets = self.reaching(r"\b(?:%s)\s*\(" % MEETS)
        self.touches = self.reaching(r"\b(?:%s)\s*\(" % GLOBAL, dereferences)
        self.awaits = self.reaching(r"\bawait_launches\s*\(")

    @staticmethod
    def included(f, by_name):
        """The names of the files that a file includes, itself among them."""
        found, todo = set(), [f.name]
        while todo:
            name = todo.pop()
            if name not in found and name in by_name:
                found.add(name)
                todo += [os.path.normpath(os.path.join(os.path.dirname(name), m[1]))
                         for m in lint_layers.INCLUDE.finditer(by_name[name].raw)]
        return found

    def seen(self, f, name):
        return [b for b in self.bodies.get(name, ()) if b[0].name in self.sees[f.name]]

    def reaching(self, pattern, also=lambda text: ()):
        """The functions whose text has it, or the call of such a function, as a pattern of these calls."""
        names, pattern = set(), re.compile(pattern)
        calls = {n: {w for f, s, e, _ in found for w in re.findall(r"\b(\w+)\s*\(", f.text[s:e])}
                 for n, found in self.bodies.items()}
        for n, found in self.bodies.items():
            if any(pattern.search(f.text[s:e]) or any(also(f.text[s:e])) for f, s, e, _ in found):
                names.add(n)
        while True:
            more = {n for n, called in calls.items() if called & names} - names
            if not more:
                return re.compile("|".join([pattern.pattern] + ["\\b%s\\s*\\(" % n for n in sorted(names)]))
            names |= more

    def check(self):
        for found in self.bodies.values():
            for f, start, end, _ in found:
                for m in re.finditer(r"\breturn\b[^;]*;", f.text[start:end]):
                    if self.meets.search(f.text, start + m.end(), end):
                        self.complain(f, start + m.start(), "diverge", "a return, and then %s"
                                      % self.meets.search(f.text, start + m.end(), end)[0].rstrip("( "))
        launched = {}
        for f in self.files:
            for m in re.finditer(r"\bLAUNCH_AFTER\s*\(\s*\(?\s*(\w+)", hide(COMMENT, f.raw)):
                launched.setdefault(m[1], (f, m.start()))
        for name, (f, at) in sorted(launched.items()):
            kernels = [b for b in self.seen(f, name) if re.search(r"\bKERNEL\b", b[3])]
            if not kernels and not f.name.endswith("dependent_launch.h"):  # which defines the macro
                self.complain(f, at, "await", "no kernel %s" % name)
            for kernel, start, end, _ in kernels:
                self.waits(kernel, start, end, name)

    @staticmethod
    def complain(f, at, rule, words):
        f.complain(at, rule, words)

    def waits(self, f, start, end, name):
        """Nothing from `start` to where the launches before are done touches global memory."""
        m = self.awaits.search(f.text, start, end)
        if not m:
            return self.complain(f, start, "await", "%s is launched by LAUNCH_AFTER and does not wait" % name)
        callee, stop = m[0].rstrip("( "), close(f.text, m.end() - 1)
        for touch in self.touches.finditer(f.text, start, m.start()):
            self.complain(f, touch.start(), "await", "%s: %s before await_launches" % (name, touch[0].rstrip("( ")))
        for at in dereferences(f.text[start:m.start()]):
            self.complain(f, start + at, "await", "%s: memory before await_launches" % name)
        for touch in self.touches.finditer(f.text, m.end(), stop):
            self.complain(f, touch.start(), "await", "%s: %s before await_launches" % (name, touch[0].rstrip("( ")))
        for inner, s, e, _ in self.seen(f, callee) if callee != "await_launches" else ():
            self.waits(inner, s, e, name)


def read_owned():
    """The files of cuda/ that Frama-C reads where lang/owned.h is, but for the vocabulary."""
    found = set()
    for source in sorted(proven_files()):
        out = subprocess.run(["gcc", "-D__FRAMAC__", "-I.", "-MM", "-x", "c", source], cwd=ROOT, capture_output=True,
                             text=True)
        names = {os.path.normpath(w) for w in out.stdout.replace("\\\n", " ").partition(":")[2].split()}
        if "cuda/lang/owned.h" in names:
            found |= names
    return {n for n in found if n.startswith("cuda/") and not n.startswith(VOCABULARY + ARITHMETIC)}


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
    ("uniform", "{ AT(v, t) = LDG(x + t);", "{ buffer_send(LATE); AT(v, t) = LDG(x + t);"),
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
    ("shared", "{ AT(v, t) = LDG(x + t); ST(&s[t], AT(v, t)); }", "AT(v, t) = LDG(x + t); ST(&s[0], m);"),
    ("shared", "EACH_THREAD(t) if (t < n) STG(y", "EACH_THREAD(t) if (t < n) ST(s"),
    ("hidden", "ST(&s[t], AT(v, t));", "int ph_ = 0; ST(&s[t], AT(v, t));"),
    ("nest", "ST(&s[t], AT(v, t));", "EACH_THREAD(u) ST(&s[u], AT(v, u));"),
    ("variable", "ST(&s[t], AT(v, t));", "t++; ST(&s[t], AT(v, t));"),
    ("variable", "ST(&s[t], AT(v, t));", "t = 0; ST(&s[t], AT(v, t));"),
    ("variable", "ST(&s[t], AT(v, t));", "next(v, &t); ST(&s[t], AT(v, t));"),
]
OWNED = """
DEV float twice(const float *x, idx k) { return 2 * LDG(x + k); }
DEV void cell(idx r, idx c, idx n, const float *x, float *y THREAD_FN)
{
  idx k = at2(n, n, r, c);
  STG(y + k, twice(x, k));
}
KERNEL void cells(idx m, idx n, const float *x, float *y)
{
  idx half = n / 2, all = 2 * half;
  await_launches();
  GROWS(r, m, n) {
    GCOLS(c, n) cell(r, c, n, x, y IN_GRID(r, c));
  }
}
DEV void to_all(PER_THREAD(float, v), PER_THREAD(float, w)) { SHFL_XOR(w, v, 1); }
DEV float first(PER_THREAD(float, v), int n)
{
  PRIVATE(float, w);
  float none = 0.0f;
  to_all(v, w);
  return n ? UNIFORM(w) : none;
}
DEV void later(idx m, idx n, const float *x, float *y) { await_launches(); }
DEV int passed(idx n) { return n ? 1 : 0; }
KERNEL void spread(idx m, idx n, const float *x, float *y) { later(m, n, x, y); }
static void launch(float *x, float *y) { LAUNCH_AFTER((cells), 1, 32, 0, 4, 8, x, y); }
static void then(float *x, float *y) { LAUNCH_AFTER(spread, 1, 32, 0, 4, 8, x, y); }
"""
BROKEN_OWNED = [
    ("own", "STG(y + k, twice(x, k));", "y[k] = twice(x, k);"),
    ("own", "STG(y + k, twice(x, k));", "*(y + k) = twice(x, k);"),
    ("own", "STG(y + k, twice(x, k));", "if (n) STG(y + k, 0.0f); else *y = 1.0f;"),
    ("own", "return 2 * LDG(x + k);", "return 2 * *x;"),
    ("own", "return 2 * LDG(x + k);", "return *x;"),
    ("own", "return 2 * LDG(x + k);", "return ((pair *)x)->a;"),
    ("hidden", "idx k = at2(n, n, r, c);", "idx mt_ = 0, k = at2(n, n, r, c);"),
    ("hidden", "idx half = n / 2, all = 2 * half;", "idx c_col_of_ = n;"),
    ("hidden", "idx half = n / 2, all = 2 * half;", "idx r_brow_of_ = 1;"),
    ("hidden", "idx half = n / 2, all = 2 * half;", "int t_lane_ = 1;"),
    ("hidden", "idx half = n / 2, all = 2 * half;", "idx first_ = n;"),
    ("hidden", "idx half = n / 2, all = 2 * half;", "idx r_team_ = n;"),
    ("nest", "STG(y + k, twice(x, k));", "EACH_THREAD(t) STG(y + t, twice(x, k));"),
    ("nest", "GCOLS(c, n) cell", "GCOLS(c, n) GCOLS(d, n) cell"),
    ("variable", "GCOLS(c, n) cell(r, c, n, x, y IN_GRID(r, c));", "GCOLS(c, n) { c /= 2; cell(r, c, n, x, y); }"),
    ("diverge", "float none = 0.0f;", "float none = 0.0f; if (n) return none;"),
    ("await", "await_launches();\n  GROWS", "GROWS"),
    ("await", "idx half = n / 2, all = 2 * half;", "float a = LDG(x);"),
    ("await", "idx half = n / 2, all = 2 * half;", "float a = twice(x, n);"),
    ("await", "idx half = n / 2, all = 2 * half;", "float a = x[n];"),
    ("await", "{ later(m, n, x, y); }", "{ STG(y, 0.0f); later(m, n, x, y); }"),
    ("await", "{ later(m, n, x, y); }", "{ later(m, LDI(n), x, y); }"),
    ("await", "{ await_launches(); }\nDEV int passed", "{ STG(y, 0.0f); await_launches(); }\nDEV int passed"),
    ("await", "LAUNCH_AFTER((cells)", "LAUNCH_AFTER((sells)"),
]


def self_test():
    def lint(text, owned):
        f = File("text.cu", text, True, owned)
        Calls([f]).check()
        return f.check()

    for good, owned, broken in ((GOOD, False, BROKEN), (OWNED, True, BROKEN_OWNED)):
        if lint(good, owned):
            raise SystemExit("kernel lint self-test: complains of good text: %s" % lint(good, owned))
        plant(good, broken, lambda text: lint(text, owned))
    calls = {"a.h": "DEV int once(int a)\n{\n}\n/* twice(1) */\n", "a.cu": "static inline int\ntwice(int a)\n"}
    for name, text, left in (("a.cu", "#define F once(2)", 1), ("a.cu", "int b = once(twice(1));", 0)):
        errors = unused({**calls, name: calls[name] + text})
        if len(errors) != left:
            raise SystemExit("kernel lint self-test: unused: %s with %s" % (errors, text))
    planted = len(BROKEN) + len(BROKEN_OWNED) + 1
    print("kernel lint self-test: %d faults planted, %d found" % (planted, planted))
    lint_layers.self_test()


def plant(good, broken, lint):
    for rule, old, new in broken:
        text = good.replace(old, new, 1)
        errors = lint(text)
        if text == good or not any(": %s: " % rule in e for e in errors):
            raise SystemExit("kernel lint self-test: %s: not found in: %s" % (rule, new))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files, proven, errors = sys.argv[1:] or kernel_files(), proven_files(), []
    texts = {}
    for path in [os.path.join(ROOT, f) for f in files] + cuda_files():
        with open(path) as f:
            texts[os.path.relpath(path, ROOT)] = f.read()
    owned = read_owned()
    names = sorted(set(map(os.path.normpath, files)) | set(kernel_files()))
    read = [File(name, texts[name], name in proven, name in owned) for name in names]
    Calls(read).check()
    for f in read:
        errors += f.check() if f.name in set(map(os.path.normpath, files)) else []
    errors += [e for e in unused(texts) if e.split(":")[0] in files]
    for e in errors:
        print("kernel lint: " + e)
    print("kernel lint: %d files, %d of them proven, %d errors"
          % (len(files), len(set(files) & proven), len(errors)))
    return 1 if lint_layers.check() or errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
