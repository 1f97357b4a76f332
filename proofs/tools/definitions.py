"""Whether what a unit defines in its logic has a model: recursions end, and an axiom only defines.

definitions.py --self-test   plants recursions and axioms without a model; each must be refused

Symbols come in the order of the text, as Frama-C prints it (-no-unicode). A model is built symbol by
symbol in this order, if each is one of these:
  - defined by an expression over symbols before it;
  - defined by a recursion that counts down: n <= c ? .. : .. NAME(.., n - 1, ..) .., where neither the
    guard nor what it guards calls NAME, each call in the other branch has n less a positive constant and
    the same labels, and is given unchanged what the bound c mentions;
  - declared, and defined by one axiom: NAME(x, ..) == .., of distinct variables and no state, by such an
    expression or recursion; a hypothesis may say for which x. Of a pair, an equation for each member;
  - declared, and left open, or given one of the axioms of OPEN, word for word.
"""
import functools
import re
import sys

OPEN = {  # axiom: (its symbol, its text, a model)
    "aligned_off": ("aligned16", "\\forall float *p, integer o; aligned16(p) ==> o % 4 == 0 ==> "
                    "aligned16(p + o)", "every pointer"),
}
BINDER = re.compile(r"\\(?:forall|exists|let|lambda)\b")
WORD = re.compile(r"\\?[A-Za-z_]\w*")


def depth_split(text, separator):
    """Splits at the separator, a regular expression, outside all brackets."""
    parts, depth, start, i = [], 0, 0, 0
    pattern = re.compile(separator)
    while i < len(text):
        m = pattern.match(text, i) if depth == 0 else None
        if m:
            parts.append(text[start:i])
            start = i = m.end()
            continue
        depth += (text[i] in "([{") - (text[i] in ")]}")
        i += 1
    return parts + [text[start:]]


def closed(text, at):
    """From `at`, just after an opening bracket, to the bracket that closes it."""
    depth = 1
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return text[at:i]
    return text[at:]


def clause(text, at):
    """From `at` to the semicolon that is not a binder's."""
    pending = 0
    for m in re.compile(r";|" + BINDER.pattern).finditer(text, at):
        if m[0] != ";":
            pending += m[0] != "\\lambda"
        elif pending:
            pending -= 1
        else:
            return text[at:m.start()]
    return text[at:]


def unwrapped(text):
    """Without brackets around the whole."""
    text = text.strip()
    while text.startswith("(") and len(closed(text, 1)) == len(text) - 2:
        text = text[1:-1].strip()
    return text


def conditional(text):
    """(guard, then, else) of a conditional expression, or None. It binds weaker than all but binders."""
    head = depth_split(text, r"\?")
    if len(head) == 1 or BINDER.search(head[0]):
        return None
    guard, rest, open_ = head[0], text[len(head[0]) + 1:], 0
    depth = 0
    for i, c in enumerate(rest):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c == "?":
            open_ += 1
        if depth == 0 and c == ":":
            if not open_:
                return guard, rest[:i], rest[i + 1:]
            open_ -= 1
    return None


class Symbol:
    """What is declared: a function, a predicate, or a constant, which has no parameters."""

    def __init__(self, name, labels, typed, body, place):
        self.name, self.labels, self.body, self.place = name, labels, body, place
        self.parameters = names_of(typed)
        self.types = [re.sub(r"\s*\w+\s*$", "", t).strip() for t in depth_split(typed, ",")]
        self.axioms, self.twins = [], 0


def words(text):
    return set(WORD.findall(text))


def names_of(parameters):
    """int *a, integer n -> a, n. \\forall integer i, j binds both."""
    return [re.findall(r"\w+", p)[-1] for p in depth_split(parameters, ",") if p.strip()]


def labels_of(text):
    return [w.strip() for w in (text or "").split(",") if w.strip()]


HEAD = re.compile(r"\b(?:logic|predicate)\b")
DECLARED = re.compile(r"(?:logic\s+[\w\s*]*?|predicate\s+)\b(\w+)\s*(?:<[\w\s,]*>)?\s*(?:\{([\w\s,]*)\})?\s*"
                      r"(?:\(([^()]*)\))?\s*(?:reads\b[^;]*)?(=|;)")
AXIOM = re.compile(r"\baxiom\s+(\w+)\s*(?:\{([\w\s,]*)\})?\s*:\s")


def read(logic):
    """(symbols in order, axioms [(name, labels, text)], what could not be read)"""
    symbols, axioms, errors = [], [], []
    for m in HEAD.finditer(logic):
        d = DECLARED.match(logic, m.start())
        if d is None:
            errors.append("this declaration cannot be read: " +
                          " ".join(logic[m.start():m.start() + 60].split()))
            continue
        body = " ".join(clause(logic, d.end()).split()) if d[4] == "=" else None
        symbols.append(Symbol(d[1], labels_of(d[2]), d[3] or "", body, m.start()))
    errors += ["the inductive definition %s: that its cases have a model is not checked" % n
               for n in re.findall(r"\binductive\s+(\w+)", logic)]
    for m in AXIOM.finditer(logic):
        axioms.append((m[1], labels_of(m[2]), " ".join(clause(logic, m.end()).split())))
    return symbols, axioms, errors


class Recursion:
    """Of one symbol: whether each call of it in `body` counts down. `wrong` says what does not."""

    def __init__(self, name, labels, parameters, body):
        self.name, self.labels, self.parameters = name, labels, parameters
        self.wrong, self.ways = None, None  # what every call so far counts down, and to which bound
        self.call = re.compile(r"(?<!\\)\b%s\b\s*(?:\{([\w\s,]*)\})?\s*(\()?" % name)
        if self.calls(body):
            self.descend(body, [])

    def calls(self, text):
        return self.call.search(text) is not None

    def refuse(self, why):
        self.wrong = self.wrong or why

    def descend(self, text, bounds):
        """`bounds`: (n, c) of the guards n <= c that do not hold here."""
        text = unwrapped(text)
        if not self.calls(text):
            return
        parts = conditional(text)
        if parts is None:
            return self.leaf(text, bounds)
        guard, then, other = parts
        self.descend(guard, bounds)
        m = re.fullmatch(r"(\w+)\s*<=?\s*([^<>=!&|^]+)", unwrapped(guard))
        new = [(m[1], m[2])] if m and m[1] in self.parameters and m[1] not in words(m[2]) else []
        self.descend(then, bounds)
        self.descend(other, bounds + new)

    def leaf(self, text, bounds):
        if not bounds:
            # a conditional may stand within an expression: look into the brackets that hold calls
            for m in re.finditer(r"\(", text):
                inside = closed(text, m.end())
                if conditional(inside) and self.calls(inside):
                    rest = text[:m.start()] + text[m.end() + len(inside) + 1:]
                    self.bound_again(text[:m.start()])
                    self.descend(inside, bounds)
                    return self.descend(rest, bounds)
            return self.refuse("it is called where no guard n <= c has failed")
        self.bound_again(text)
        for m in self.call.finditer(text):
            arguments = [unwrapped(a) for a in depth_split(closed(text, m.end()), ",")] if m[2] else []
            if labels_of(m[1]) != self.labels and (m[1] or len(self.labels) > 1):
                self.refuse("it is called at other labels")
            given = dict(zip(self.parameters, arguments))
            ways = {b for b in bounds if len(given) == len(arguments) and self.counts(given, *b)}
            self.ways = ways if self.ways is None else self.ways & ways
            if not self.ways:
                self.refuse("%s counts no guarded argument down, or not the one of other calls" %
                            (self.name + "(" + ", ".join(arguments) + ")"))
        return None

    def bound_again(self, text):
        """A variable of a binder must not have a parameter's name."""
        for m in BINDER.finditer(text):
            bound = re.split(r"=" if m[0] == "\\let" else r";", text[m.end():], maxsplit=1)[0]
            if set(names_of(bound)) & set(self.parameters):
                self.refuse("a binder has the name of a parameter")

    @staticmethod
    def counts(arguments, n, c):
        down = re.fullmatch(r"%s\s*-\s*[1-9][0-9]*" % n, arguments[n])
        return bool(down) and all(arguments[w] == w for w in words(c) if w in arguments)


@functools.lru_cache(None)
def recursion_error(name, labels, parameters, body):
    """Why a symbol that `body` defines has perhaps no value, or None."""
    return Recursion(name, list(labels), list(parameters), body).wrong


@functools.lru_cache(None)
def equations(text):
    """(names bound, hypotheses, [(what is defined, sign, by what)]) of an axiom."""
    bound, hypotheses = [], []
    while True:
        text = unwrapped(text)
        m = re.match(r"\\forall\s+([^;]*);", text)
        if m:
            bound += names_of(m[1])
            text = text[m.end():]
            continue
        parts = depth_split(text, r"(?<!<)==>")
        if len(parts) == 1:
            break
        hypotheses.append(parts[0])
        text = text[len(parts[0]) + 3:]
    # Frama-C prints f(x).v in two ways
    text = re.sub(r"\(\\let (\w+) = ((?:[^();]|\([^();]*\))*); \1\.(\w+)\)", r"\2.\3", text)
    members = depth_split(text, r"&&")
    if all(re.match(r"[\w]+\([^()]*\)\.\w+ == ", m.strip()) for m in members):
        return bound, hypotheses, [split_equation(m) for m in members]
    return bound, hypotheses, [split_equation(text)]


def split_equation(text):
    """A == B or A <==> B, of which the sign binds weakest, as (A, sign, B); else None."""
    for sign in (r"<==>", r"(?<![<=!>])==(?!>)"):
        parts = depth_split(text, sign)
        if len(parts) == 2:
            left, right = (p.strip() for p in parts)
            if sign != "<==>" and unwrapped(right) == right and \
               len(depth_split(right, r"&&|\|\||\^\^|==>|!=|<|>|\?")) > 1:
                return None  # a == b && c
            return left, sign if sign == "<==>" else "==", right
        if len(parts) > 2:
            return None
    return None


def axiom_error(labels, text, named, last):
    """Why an axiom is not the definition of one symbol, or None."""
    bound, hypotheses, parts = equations(text)
    if None in parts:
        return "it is not NAME(..) == .."
    members, symbol, right = set(), None, []
    for left, sign, by in parts:
        if sign == "<==>":
            left = re.sub(r"\s*==\s*\\true$", "", left)
        m = re.fullmatch(r"(\w+)\s*(?:\(([^()]*)\)(\.\w+)?)?", left)
        if not m or m[1] not in named or m[3] in members or symbol not in (None, (m[1], m[2])):
            return "it is not NAME(..) == .. of one symbol that is declared here"
        symbol = m[1], m[2]
        members.add(m[3])
        right.append(by)
    if len(members) > 1 and None in members:
        return "it defines a pair, and its member"
    name, arguments = symbol[0], [a.strip() for a in (symbol[1] or "").split(",") if a.strip()]
    named[name].axioms.append(text)
    if named[name].twins:
        return "two symbols have the name %s" % name
    if labels or named[name].labels:
        return "it speaks of a state"
    if len(set(arguments)) != len(arguments) or set(arguments) != set(bound):
        return "%s is not given the variables, each once" % name
    if any(re.search(r"\b%s\b" % name, h) for h in hypotheses):
        return "a hypothesis mentions %s" % name
    later = sorted(w for h in hypotheses + right for w in words(h)
                   if w not in bound and w != name and last.get(w, -1) > named[name].place)
    if later:
        return "%s comes after %s" % (later[0], name)
    for by in right:
        wrong = recursion_error(name, (), tuple(arguments), by)
        if wrong:
            return "its right side calls %s: %s" % (name, wrong)
    return None


def errors(logic):
    """[what has no model for sure]"""
    symbols, axioms, found = read(logic)
    named, first, last = {}, {}, {}
    for s in symbols:  # a name may stand for two, of arguments of other types
        twin = named.setdefault(s.name, s)
        if twin is not s and twin.types == s.types:
            found.append("%s is declared twice" % s.name)
        twin.twins += twin is not s
        first.setdefault(s.name, s.place)
        last[s.name] = s.place
    for s in symbols:
        if s.body is None:
            continue
        wrong = recursion_error(s.name, tuple(s.labels), tuple(s.parameters), s.body)
        if wrong:
            found.append("the recursive definition %s does not count down to a bound: %s" % (s.name, wrong))
        found += ["the definition %s uses %s, which comes after it" % (s.name, w)
                  for w in sorted(words(s.body) - set(s.parameters)) if first.get(w, -1) > s.place]
    for name, labels, text in axioms:
        if name in OPEN:
            symbol, expected, _ = OPEN[name]
            if text != expected or symbol not in named:
                found.append("the axiom %s is not the one that definitions.py allows: %s" % (name, text))
            else:
                named[symbol].axioms.append(text)
            continue
        wrong = axiom_error(labels, text, named, last)
        if wrong:
            found.append("the axiom %s defines nothing: %s" % (name, wrong))
    found += ["%s is defined twice" % s.name for s in symbols if len(s.axioms) + (s.body is not None) > 1]
    return found


SOUND = """
axiomatic Ix {
  logic integer ix(integer i, integer n, integer j)
    reads \\nothing;

  axiom ix_def: \\forall integer i, integer n, integer j; ix(i, n, j) == i * n + j;
  }
axiomatic Open { logic real Erf(real x) reads \\nothing; predicate R(float *p) reads \\nothing; }
logic struct pair p_make(real v, real e) reads \\nothing;
axiom p_make_def: \\forall real v, real e;
  (\\let tmp = p_make(v, e); tmp.v) == v && (\\let tmp = p_make(v, e); tmp.e) == e;
predicate far(real x) reads \\nothing;
axiom far_def: \\forall real x; far(x) == \\true <==> 2.0 < x || x == 1.0;
logic real least(real x) reads \\nothing;
axiom least_def: \\forall real x; 0.0 <= x ==> least(x) == (x < 1.0? 1.0: x);
logic real Sum{L}(scalar *x, integer n) = n <= 0? 0.0: Sum(x, n - 1) + *(x + (n - 1));
logic integer Digit{L}(idx *s, integer n, integer k, integer d) =
  (n <= 0? 0: (d == n - 1? *(s + (n - 1)): Digit{L}(s, n - 1, ix(k, n, 0), d)));
logic real From{L}(scalar *x, integer a, integer n) = n <= a? 0.0: From(x, a, n - 1) + *(x + n);
logic integer tree(integer m, integer n) = n == 7? 0: 1 + (n < 1? m: tree(n + m, n - 1) + tree(m, n - 2));
logic integer Top{L}(scalar *a, integer n) =
  n <= 1? 0: (*(a + Top(a, n - 1)) < *(a + (n - 1))? n - 1: Top(a, n - 1));
predicate above(integer n) = 0 < n;
predicate above(integer n, integer m) = n < m;
predicate All{L}(idx *s, integer n) = n <= 0 || (n <= 0? \\true: All(s, n - 1));
"""
PLANTED = [  # (what, its text, the message)
    ("a call in the base", "logic integer f(integer n) = n <= 0? f(n - 1) + 1: 0;", "no guard"),
    ("a call in both branches", "logic integer f(integer n) = n <= 0? f(n - 1): f(n - 1) + 1;", "no guard"),
    ("a call in the guard", "logic integer f(integer n) = n <= f(n - 1)? 0: f(n - 1) + 1;", "no guard"),
    ("a call in the guard alone", "predicate f(integer n) = !f(n - 1)? \\true: \\false;", "no guard"),
    ("a call that counts up", "logic integer f(integer n) = n <= 0? 0: f(n + 1) + 1;", "counts no"),
    ("a call that stands", "logic integer f(integer n) = n <= 0? 0: f(n) + 1;", "counts no"),
    ("less nothing", "logic integer f(integer n) = n <= 0? 0: f(n - 0) + 1;", "counts no"),
    ("less what may be negative", "logic integer f(integer n, integer k) = n <= 0? 0: f(n - k, k) + 1;",
     "counts no"),
    ("one good call, one bad", "logic integer f(integer n) = n <= 0? 0: f(n - 1) + f(n + 1) + 1;", "counts no"),
    ("no guard", "logic integer f(integer n) = f(n - 1) + 1;", "no guard"),
    ("a guard the other way", "logic integer f(integer n) = n >= 0? 0: f(n - 1) + 1;", "no guard"),
    ("an equality for a guard", "logic integer f(integer n) = n == 0? 0: f(n - 1) + 1;", "no guard"),
    ("a guard that is half a bound", "logic integer f(integer n) = n <= 0 && n != -4? 0: f(n - 1) + 1;",
     "no guard"),
    ("a bound that counts down too", "logic integer f(integer n, integer c) = n <= c? 0: f(n - 1, c - 1) + 1;",
     "counts no"),
    ("a bound that moves by itself", "logic integer f(integer n) = n <= n - 1? 0: f(n - 1) + 1;", "no guard"),
    ("another argument than the guarded", "logic integer f(integer n, integer m) = n <= 0? 0: f(m, n - 1) + 1;",
     "counts no"),
    ("a call in an inner base", "logic integer f(integer n, integer m) = "
     "m == 0? (n <= 0? f(n - 1, m) + 1: 0): 0;", "no guard"),
    ("two calls, each with its own count", "logic integer f(integer m, integer n) = "
     "m <= 0? 0: (n <= 0? 0: f(m - 1, n + 5) + f(m + 5, n - 1) + 1);", "or not the one"),
    ("a call beside the conditional", "logic integer f(integer n) = f(n - 1) + (n <= 0? 0: f(n - 1)) + 1;",
     "no guard"),
    ("a call beside it, behind", "logic integer f(integer n) = (n <= 0? 0: f(n - 1)) + f(n - 1) + 1;",
     "no guard"),
    ("a variable of the same name", "logic integer f(integer n) = n <= 0? 0: (\\let n = 9; f(n - 1)) + 1;",
     "binder"),
    ("a quantifier of the same name",
     "predicate f(integer n) = n <= 0? \\false: (\\forall integer n; !f(n - 1));", "binder"),
    ("a predicate in its base", "predicate f(integer n) = n <= 0? !f(n - 1): \\true;", "no guard"),
    ("a predicate without end", "predicate f{L}(idx *s, integer n) = !f(s, n);", "no guard"),
    ("another state", "logic integer f{L1, L2}(idx *s, integer n) = n <= 0? 0: f{L2, L1}(s, n - 1);", "labels"),
    ("a constant of itself", "logic integer c = c + 1;", "no guard"),
    ("two that call one another", "logic integer g(integer n) reads \\nothing;\n"
     "logic integer f(integer n) = g(n) + 1;\naxiom g_def: \\forall integer n; g(n) == f(n);",
     "f comes after g"),
    ("a definition that uses a later one", "logic integer f(integer n) = g(n) + 1;\n"
     "logic integer g(integer n) = f(n);", "g, which comes after"),
    ("a false law", "axiom bad: \\forall real x; Erf(x) * Erf(x) <= 0.0;", "defines nothing"),
    ("a false law of a defined symbol", "axiom bad: \\forall integer i; ix(i, i, 0) <= 0;", "defines nothing"),
    ("a second equation", "axiom bad: \\forall integer i, integer n, integer j; ix(i, n, j) == i;", "twice"),
    ("an equation of what is defined", "axiom bad: \\forall real x; far(x) <==> x < 0.0;", "twice"),
    ("an equation of a definition", "axiom bad: \\forall integer m, integer n; tree(m, n) == 3;", "twice"),
    ("an equation without solution", "logic real f(real x) reads \\nothing;\n"
     "axiom bad: \\forall real x; f(x) == f(x) + 1.0;", "calls f"),
    ("an equation with two variables for one", "logic real f(real x) reads \\nothing;\n"
     "axiom bad: \\forall real x, real y; f(x) == y;", "not given the variables"),
    ("a variable twice", "logic real f(real x, real y) reads \\nothing;\n"
     "axiom bad: \\forall real x; f(x, x) == 1.0;", "not given the variables"),
    ("an argument that is no variable", "logic real f(integer n) reads \\nothing;\n"
     "axiom bad: \\forall integer n; f(2 * n) == 1.0;", "not given the variables"),
    ("a hypothesis about what it defines", "logic real f(real x) reads \\nothing;\n"
     "axiom bad: \\forall real x; f(x) == 1.0 ==> f(x) == 2.0;", "hypothesis"),
    ("two members of one name", "logic struct pair f(real v) reads \\nothing;\n"
     "axiom bad: \\forall real v; (\\let t = f(v); t.v) == 1.0 && (\\let t = f(v); t.v) == 2.0;",
     "of one symbol"),
    ("an equation and more", "logic real f(real x) reads \\nothing;\n"
     "axiom bad: \\forall real x; f(x) == 1.0 && Erf(x) == 2.0;", "defines nothing"),
    ("a function of the state without one", "logic real f(scalar *x) reads \\nothing;\n"
     "axiom bad{L}: \\forall scalar *x; f(x) == *x;", "state"),
    ("falsehood", "axiom bad: \\false;", "defines nothing"),
    ("an implication", "axiom bad: \\forall float *p; R(p) ==> \\false;", "defines nothing"),
    ("everything allowed", "axiom aligned_off: \\forall float *p; R(p);", "definitions.py allows"),
    ("an inductive predicate", "inductive P(integer n) { case c: \\forall integer n; !P(n) ==> P(n); }",
     "inductive"),
    ("two of a name", "predicate above(integer k) = k < 0;", "declared twice"),
    ("an equation of two of a name", "logic real f(real x) reads \\nothing;\n"
     "logic real f(real x, real y) reads \\nothing;\naxiom bad: \\forall real x; f(x) == 1.0;", "two symbols"),
    ("what cannot be read", "logic real (*f)(real x) = 1.0;", "cannot be read"),
]


def self_test():
    wrong = ["good text: " + e for e in errors(SOUND)]
    for what, text, message in PLANTED:
        said = errors(SOUND + text + "\n")
        if not any(message in e for e in said):
            wrong.append("%s: got %s" % (what, said))
    for w in wrong:
        print("definitions self-test: " + w)
    print("definitions self-test: %d planted, %d refused" % (len(PLANTED), len(PLANTED) - len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test())
