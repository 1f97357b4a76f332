"""Error bounds of cuda/math/elementary.h: Gappa proves the rounding, Sollya that a polynomial is near to its
function, Z3 what is done to bits. Run by prove.py, or by itself: floats.py [FILE...].

A file of proofs/float is Gappa's input with lines of its own, which start with @@:
  @@text FUNCTION [without NAME...] [at NAME...] [over FUNCTION...]   the text of a function of
        cuda/math/elementary.h and of those that it calls, run by ctext.py, with its roundings; each of its
        values v also as Mv without them. The theorem says what is named after `without`: a float v,
        and Mv, which is any real; so do the result and what goes by pointer of each function named
        after `over`. What is named after `at` keeps its rounding in Mv too. The last value of a
        variable has its plain name, an argument that is assigned to is NAME_in, the result is
        called result; where it is one rounding, last is what is rounded. Of a structure these are
        result_MEMBER and last_MEMBER.
  @@suppose NAME LOW HIGH      the value lies in this range, which may decide a branch; it is a
        hypothesis of each theorem
  @@fix NAME VALUE             the value is this integer, of 2^23 to 2^24; |what is rounded to it -
        VALUE| <= 1/2 is a hypothesis. Of a function of bits: it returns VALUE
  @@exact NAME EXPRESSION      MNAME is this
  @@fold                       a value whose range leaves one float is that constant
  @@near NAME VALUE FUNCTION LOW HIGH KIND BOUND   Sollya certifies that the polynomial MVALUE, or
        VALUE if that is an expression of such, in its one free variable, named after KIND as
        `absolute:r` or `relative:r`, is within BOUND of FUNCTION on [LOW, HIGH], where
        the others are 0. $NAME
        stands for BOUND in what follows.
  @@sure EXPRESSION LOW HIGH BOUND   Sollya certifies that |EXPRESSION| <= BOUND for x in
        [LOW, HIGH]
  @@apart LOW HIGH BOUND       the floats of [2^LOW, 2^HIGH] are that far from multiples of pi/2
  @@each NAME VALUE...         the part is proven once for each value of $NAME; A..B is every
        integer
  @@when CONDITION             only where it holds of these values, in Python
  @@bits FUNCTION HYPOTHESIS -> CONCLUSION    Z3 proves it of the function's one expression, result,
        for every word u; both are C
  @@tamper FUNCTION OLD NEW    with this change of its text something in the file must fail. Without
        such a line, a change of the last constant of each function of @@text by 2^-14 of itself
  @@part                       what follows is proven by itself
  @@fact NAME FORMULA          $NAME is FORMULA, in every file. As a hypothesis it must be a
        conclusion somewhere
  @@known NAME FORMULA         a fact of mathematics, which needs no proof here
Each { } that starts and ends a line is a theorem; definitions and hints are common to a part.
$[ ] is worked out, exactly: of numbers, values of @@each, pow2(n), fl(v), v rounded to a float,
min, max, abs and NAME_ULPS, the ulps that math.h declares for NAME and a half. $PM_NAME is a
constant of math.h. 1.5b-24 is 1.5 * 2^-24, which Gappa would not read.
Every constant is as math.h has it, so the text that is proven is the text that is compiled."""
import concurrent.futures
import fnmatch
import glob
import itertools
import os
import re
import shutil
import subprocess
import sys
import threading
from fractions import Fraction

import ctext
from ctext import Bad

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXT = os.path.join(ROOT, "cuda", "math", "elementary.h")
LIMIT = 20 # seconds of processor time for a question: a busy machine must not make it fail
ANSWERS = {} # of Gappa, Sollya and Z3, by what they were asked
ASKED = threading.Lock()


def tool(command, text):
    """What a prover says; None when its time is over. Nothing is asked twice."""
    with ASKED:
        key = (command[0], text)
        first = key not in ANSWERS
        answer = ANSWERS.setdefault(key, concurrent.futures.Future())
    if first:
        try:
            limited = ["sh", "-c", 'ulimit -t %d; exec "$@"' % LIMIT, "sh"] + command
            run = subprocess.run(limited, input=text, capture_output=True, text=True,
                                 timeout=10 * LIMIT)
            over = run.returncode < 0
            answer.set_result(None if over else (run.returncode, (run.stdout + run.stderr).strip()))
        except subprocess.TimeoutExpired:
            answer.set_result(None)
    return answer.result()


def gappa(text):
    """None, or why Gappa does not prove it."""
    answer = tool(["gappa", "-Wno-dichotomy-failure", "-Echange-threshold=0.001"], text)
    if not answer:
        return "no proof in %d s" % LIMIT
    said = "\n".join(line for line in answer[1].split("\n")
                     if not re.match("Warning: (renaming|no need|maximum number of iter"
                                     "|.* yet it is unbound)", line))
    # A hint that Gappa cannot check is a warning, and would be an axiom.
    return said or "exit %d" % answer[0] if answer[0] or said else None


def sollya(definitions, value, function, low, high, kind, bound):
    """Whether Sollya certifies |value - function| <= bound (or relative) on [low, high]."""
    measure, _, variable = kind.partition(":")
    text = ["prec = 200!; verbosity = 0!;", "procedure rnd(a) { return round(a, SG, RN); };"]
    value = value if re.search(r"\W", value) else "M" + value
    known = {"M" + name for name, _, _ in definitions} | {"rnd"}
    for name, _, exact in definitions:
        if exact is None or exact == name or name == variable: # one of the free variables
            exact = "x" if name == variable else "0"
        for free in re.findall(r"[A-Za-z_]\w*", re.sub(r"\d+b-?\d+", "", exact)):
            if free not in known and free != "x":
                text.append("%s = %s;" % (free, "x" if free == variable else "0"))
                known.add(free)
        text.append("M%s = %s;" % (name, re.sub(r"(\d+)b(-?\d+)", r"(\1*2^(\2))", exact)))
        if "M" + name == value:
            break
    text.append("s = supnorm(%s, %s, [%s; %s], %s, 2^(-10));"
                % (value, function, low, high, measure))
    text.append('if (sup(s) <= %s) then print("certified") else print("found", sup(s));'
                % bound.replace("1b", "1*2^"))
    text.append("quit;")
    answer = tool(["sollya"], "\n".join(text))
    return "no answer in %d s" % LIMIT if not answer else None if answer[1] == "certified" else \
        answer[1] or "no answer"


def within(expression, low, high, bound):
    """Whether Sollya certifies |expression in x| <= bound on [low, high]."""
    power = lambda v: re.sub(r"([\d.]+)b(-?\d+)", r"(\1*2^(\2))", v)
    answer = tool(["sollya"], "prec = 200!; verbosity = 0!;\nr = evaluate(%s, [%s; %s]);\n"
                  'if (sup(abs(r)) <= %s) then print("certified") else print("found", r);\nquit;'
                  % (expression, power(low), power(high), power(bound)))
    return None if answer and answer[1] == "certified" else answer and answer[1] or "no answer"


def distance(low, high):
    """How near a float of [2^low, 2^high], other than 0, comes to a multiple of pi/2 that is not 0:
    for x = m 2^e the nearest m < 2^24 is the denominator of a convergent of 2^e / (pi/2)."""
    half_pi = Fraction("1.57079632679489661923132169163975144209858469968755")
    nearest = []
    for e in range(low - 23, high - 22):
        alpha = rest = Fraction(2) ** e / half_pi
        above, last_above, below, last_below = 1, 0, 0, 1
        while rest and below < 2 ** 24:
            whole = rest.numerator // rest.denominator
            above, last_above = whole * above + last_above, above
            below, last_below = whole * below + last_below, below
            if above and below < 2 ** 24:
                nearest.append(abs(alpha * below - above) * half_pi)
            rest = rest - whole and 1 / (rest - whole)
    return min(nearest)


def number(match):
    """1.5b-24 in decimal, exactly."""
    whole, fraction, power = match.groups()
    digits, places, power = whole + fraction, len(fraction), int(power)
    return "%de-%d" % (int(digits) * 5 ** power, places + power)


def calculated(code, names):
    """An expression of Python, of fractions."""
    code = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?(?:e-?\d+)?)", r"F('\1')", code)
    known = {"F": Fraction, "pow2": lambda n: Fraction(2) ** int(n), "min": min, "max": max,
             "abs": abs, "fl": ctext.rounded}
    known.update((n, v) for n, v in names.items() if isinstance(v, Fraction))
    return eval(code, {"__builtins__": {}}, known)


def worked_out(text, names):
    """The text with its $NAME and $[ ]."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(r"\$%s\b" % name, lambda m: str(names[name]), text)

    def of(m):
        return ctext.exactly(Fraction(calculated(m.group(1), names)))

    text = re.sub(r"\$\[(.*?)\]", of, text)
    return re.sub(r"(\d+)\.(\d+)b-(\d+)", number, text)


def needed(text, rest):
    """The definitions in text that rest speaks of."""
    lines, names, out = text.split("\n"), set(re.findall(r"[A-Za-z_]\w*", rest)), []
    for line in reversed(lines):
        m = re.match(r"([A-Za-z_]\w*) = ", line)
        if not m or m.group(1) in names:
            out.append(line)
            if m:
                names |= set(re.findall(r"[A-Za-z_]\w*", line))
    return "\n".join(reversed(out))


class Part:
    """What stands between two @@part, for one choice of the values of @@each."""

    def __init__(self, lines, names, source):
        self.source, self.errors, self.definitions = source, [], []
        self.options = {"suppose": {}, "fix": {}, "exact": {}, "fold": "@@fold" in lines}
        self.names, out = names, []
        lines = [line if line.startswith(("@@near", "@@sure")) else worked_out(line, names)
                 for line in lines]
        near = dict(line.split()[1::6] for line in lines if line.startswith("@@near"))
        for line in lines:
            words = line.split()
            if line.startswith("@@suppose"):
                low, high = (self.fraction(w) for w in words[2:])
                self.options["suppose"][words[1]] = (low, high)
            elif line.startswith("@@fix"):
                self.options["fix"][words[1]] = self.fraction(words[2])
            elif line.startswith("@@exact"):
                self.options["exact"][words[1]] = " ".join(words[2:])
        hypotheses = []
        for line in lines:
            words = line.split()
            if line.startswith("@@text"):
                more, new = self.text(words)
                out += more
                hypotheses += new
            elif line.startswith("@@near"):
                name, value, function, low, high, kind, bound = words[1:]
                wrong = sollya(self.definitions, value, function, low, high, kind, bound)
                if wrong:
                    self.errors.append("%s is not within %s of %s: %s"
                                       % (value, bound, function, wrong))
            elif line.startswith("@@sure"):
                wrong = within(*words[1:])
                if wrong:
                    self.errors.append("%s is not within %s: %s" % (words[1], words[4], wrong))
            elif line.startswith("@@apart"):
                found = distance(int(words[1]), int(words[2]))
                if found < Fraction(words[3]):
                    self.errors.append("a float is as near as %g" % found)
            elif line.startswith("@@bits"):
                wrong = bits(line[7:], source)
                if wrong:
                    self.errors.append("%s: %s" % (words[1], wrong))
            elif not line.startswith("@@"):
                out.append(line)
        text = worked_out("\n".join(out) + "\n", near)
        self.count = sum(line.startswith("@@bits") for line in lines)
        goals = re.findall(r"^\{.*?\}$", text, re.M | re.S)
        blank = re.sub(r"^\{.*?\}$", "@@goal", text, flags=re.M | re.S)
        first, _, hints = blank.partition("@@goal")
        hints = hints.replace("@@goal", "")
        self.goals = []
        for goal in goals:
            goal = self.under(hypotheses, goal)
            self.goals.append(needed(first, goal + hints) + goal + hints)
        self.count += len(goals)

    @staticmethod
    def under(hypotheses, goal):
        left, arrow, right = goal[1:-1].rpartition("->")
        return "{ %s -> %s }" % (" /\\ ".join(hypotheses + [left] * bool(arrow)), right) \
            if hypotheses or arrow else goal

    @staticmethod
    def fraction(text):
        m = re.fullmatch(r"(-?\d+)b(-?\d+)", text)
        return Fraction(m.group(1)) * Fraction(2) ** int(m.group(2)) if m else Fraction(text)

    def text(self, words):
        named = {"without": [], "at": [], "over": []}
        for word in words[2:]:
            if word in named:
                group = named[word]
            else:
                group.append(word)
        exact = dict(self.options["exact"], **{n: n for n in named["at"]})
        run = ctext.Run(self.source, self.options["suppose"], self.options["fix"],
                        named["without"], exact, named["over"], self.options["fold"])
        run.start(words[1])
        definitions, hypotheses = run.definitions()
        self.definitions += definitions
        lines = ["%s = %s;" % (n, r) for n, r, _ in definitions]
        lines += ["M%s = %s;" % (n, e) for n, _, e in definitions if e not in (None, "M" + n)]
        return lines, hypotheses

    def wrong(self):
        """What is not proven; it stops at the first."""
        if self.errors:
            return self.errors[:1]
        for i, goal in enumerate(self.goals):
            said = gappa(goal)
            if said:
                at = ", ".join("%s = %s" % (n, v) for n, v in self.names.items()
                               if isinstance(v, Fraction) and not n.endswith("_ULPS"))
                return ["theorem %d%s: %s" % (i + 1, at and " for " + at, said)]
        return []


def smt(text, params):
    """A C expression of words for Z3."""
    def of(e):
        if e[0] == "num":
            return "#x%08x" % (int(e[1].rstrip("uU"), 0) & 0xffffffff)
        if e[0] == "name":
            return e[1]
        if e[0] == "un":
            return "(%s %s)" % ({"~": "bvnot", "-": "bvneg", "!": "not"}[e[1]], of(e[2]))
        names = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor",
                 "<<": "bvshl", ">>": "bvlshr", "<": "bvult", "<=": "bvule", ">": "bvugt",
                 ">=": "bvuge", "==": "=", "!=": "distinct", "&&": "and", "||": "or"}
        return "(%s %s %s)" % (names[e[1]], of(e[2]), of(e[3]))
    return of(ctext.Parser(text).expression() if isinstance(text, str) else text)


def bits(line, source):
    name, _, claim = line.partition(" ")
    hypothesis, _, conclusion = claim.partition("->")
    params, _, body = ctext.Run(source).function(name)
    if len(body) != 1 or body[0][0] != "return":
        raise Bad("%s is not one expression" % name)
    text = ["(declare-const %s (_ BitVec 32))" % p for p in params]
    text += ["(define-const result (_ BitVec 32) %s)" % smt(body[0][1], params),
             "(assert %s)" % smt(hypothesis, params), "(assert (not %s))" % smt(conclusion, params),
             "(check-sat)"]
    answer = tool(["z3", "-in"], "\n".join(text))
    return None if answer and answer[1] == "unsat" else "not proven: %s" % (answer and answer[1])


class Facts:
    """What the files call by a name, and which theorems use and prove it."""

    def __init__(self):
        self.known, self.used, self.proven = {}, {}, set()

    def read(self, path, lines):
        for line in lines:
            if line.startswith(("@@fact", "@@known")):
                kind, name, formula = line.split(None, 2)
                self.known[name] = "(" + formula + ")"
                if kind == "@@known":
                    self.proven.add(name)
        for goal in re.findall(r"^\{.*?\}$", "\n".join(lines), re.M | re.S):
            left, _, right = goal.rpartition("->")
            self.proven |= set(re.findall(r"\$([A-Z]\w*)", right)) & set(self.known)
            for name in set(re.findall(r"\$([A-Z]\w*)", left)) & set(self.known):
                self.used.setdefault(name, path)

    def errors(self):
        return ["%s: $%s is used, and proven nowhere" % (path, name)
                for name, path in sorted(self.used.items()) if name not in self.proven]


def expand(values):
    out = []
    for v in values:
        m = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", v)
        out += range(int(m.group(1)), int(m.group(2)) + 1) if m else [v]
    return [Fraction(v) for v in out]


def ulps(source):
    """What $NAME stands for because math.h says so."""
    known = {name + "_ULPS": Fraction(k) + Fraction(1, 2)
             for name, k in re.findall(r"^#define PM_K_(\w+) (\S+)", source, re.M)}
    for name, value in ctext.preprocessed(source)[1].items():
        if value.endswith("f"):
            known[name] = ctext.exactly(ctext.rounded(Fraction(value[:-1])))
    return known


def prove(path, source, facts):
    """Proves one file. Returns (theorems, [what went wrong])."""
    with open(path) as f:
        lines = f.read().split("\n")
    parts, here = [], []
    for line in lines + ["@@part"]:
        if line.startswith("@@part"):
            parts.append(here)
            here = []
        else:
            here.append(line)
    todo, declared = [], ulps(source)
    for here in parts:
        each = [line.split()[1:] for line in here if line.startswith("@@each")]
        when = [line[7:] for line in here if line.startswith("@@when")]
        rest = [line for line in here
                if not line.startswith(("@@each", "@@fact", "@@known", "@@when", "@@tamper"))]
        if not any(line.startswith(("{", "@@bits")) for line in rest):
            if any(line and line[0] != "#" for line in rest):
                raise Bad("%s: a part without a theorem" % path)
            continue
        for values in itertools.product(*(expand(e[1:]) for e in each)):
            names = dict(facts.known, **declared, **{e[0]: v for e, v in zip(each, values)})
            if all(calculated(condition, names) for condition in when):
                todo.append((rest, names))
    if not todo:
        raise Bad("%s has no theorem" % path)
    count, errors = 0, []

    def one(job):
        if errors:
            return 0, []
        part = Part(*job, source)
        return part.count, part.wrong()

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, wrong in pool.map(one, todo):
            count += n
            errors += wrong
    return count, errors


def mutants(path, source):
    """The text with one constant of a function that the file speaks of changed by 2^-14 of itself,
    for each function, or as the file's @@tamper lines have it: (what, text)."""
    with open(path) as f:
        lines = f.read()
    changes = [(n, o, w) for n, o, w in re.findall(r"^@@tamper (\w+) (\S+) (\S+)$", lines, re.M)]
    for name in sorted(set(re.findall(r"^@@text (\w+)", lines, re.M)) - {c[0] for c in changes}):
        changes.append((name, None, None))
    for name, old, new in changes:
        at = re.search(r"^DEV \w+ %s\(" % name, source, re.M).start()
        end = re.compile(r"\}$", re.M).search(source, at).start()
        if old is None:
            literals = [m.group(0) for m in re.finditer(r"-?\d+\.\d+(e[-+]?\d+)?f", source[at:end])
                        if float(m.group(0)[:-1]) not in (0.25, 0.5, 1, 2)]
            if not literals:
                continue
            old = literals[-1]
            new = "%.9gf" % (float(old[:-1]) * (1 + 2.0 ** -14))
        if old not in source[at:end]:
            raise Bad("%s: %s has no %s" % (path, name, old))
        body = source[at:end].replace(old, new)
        yield "%s of %s" % (old, name), source[:at] + body + source[end:]


def files():
    return sorted(glob.glob(os.path.join(ROOT, "proofs", "float", "*.gappa")))


def check(path, facts):
    """(theorems, errors) of a file and its probes."""
    with open(TEXT) as f:
        source = f.read()
    try:
        count, errors = prove(path, source, facts)
        for name, text in mutants(path, source):
            if not errors:
                try:
                    if not prove(path, text, facts)[1]:
                        errors.append("%s changed is proven too" % name)
                except Bad:
                    pass
    except (Bad, FileNotFoundError) as error:
        return 0, [str(error)]
    return count, errors


def name_of(path):
    return os.path.relpath(path, ROOT)


def report(patterns, known=()):
    """Proves the files that one of the patterns names, all without one, but for those that are
    known to be proven; prints a line each. Returns what went wrong, and the names of those proven.
    """
    wrong, proven, facts = [], set(), Facts()
    absent = [name for name in ("gappa", "sollya", "z3") if not shutil.which(name)]
    if absent and files():
        return ["not installed: %s. Run: apt-get install --no-install-recommends %s"
                % (" ".join(absent), " ".join(absent))], proven
    for path in files():
        with open(path) as f:
            facts.read(name_of(path), f.read().split("\n"))
    for path in files():
        name = name_of(path)
        if name in known:
            print("%-34s  recorded" % name, flush=True)
            continue
        if patterns and not any(fnmatch.fnmatch(name, p) for p in patterns):
            continue
        count, errors = check(path, facts)
        print("%-34s %9s" % (name, "%d/%d" % (0 if errors else count, count)), flush=True)
        wrong += ["%s: %s" % (name, e) for e in errors]
        if not errors:
            proven.add(name)
    return wrong + facts.errors(), proven


if __name__ == "__main__":
    found, _ = report(sys.argv[1:])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
