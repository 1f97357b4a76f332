"""The C of cuda/math/elementary.h as Gappa reads it: a function is run on arguments of which only a range is
known. Integers, bit patterns and branches are worked out, so they must not depend on more than what
is supposed; floats become Gappa's definitions, each value v with its roundings and as Mv without."""
import functools
import itertools
import re
from fractions import Fraction

FUNCTION = (r"^DEV \w+ %s\(([^)]*)\)\s*\{(.*?)^\}"
            r"|^DEV \w+ %s\(([^)]*)\) \{(.*?)\}$")
TOKEN = re.compile(r"\s*(\d+\.\d*(?:[eE][-+]?\d+)?f?|0[xX][0-9a-fA-F]+[uUlL]*"
                   r"|\d+(?:[eE][-+]?\d+f?|[uUlL]*)"
                   r"|\w+|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:,;(){}\[\]])")
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"],
          ["+", "-"], ["*", "/", "%"]]
TYPES = ("float", "unsigned", "int", "uint32_t", "uint64_t", "int64_t", "const")
INFINITE = Fraction(2) ** 128  # for comparisons alone


class Bad(Exception):
    """A text that cannot be read as it should."""


@functools.lru_cache(8)
def preprocessed(source):
    """The text as the simulator compiles it, without comments, and its constants."""
    text = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    lines, keep = [], []
    for line in text.split("\n"):
        word = line.split()[:2]
        if word[:1] in (["#ifdef"], ["#ifndef"]):
            keep.append((word[1] == "PM_SIM") == (word[0] == "#ifdef"))
        elif word[:1] == ["#else"]:
            keep[-1] = not keep[-1]
        elif word[:1] == ["#endif"]:
            keep.pop()
        elif all(keep):
            lines.append(line)
    text = "\n".join(lines)
    return text, dict(re.findall(r"^#define (PM_\w+) (-?[\d.]\S*)$", text, re.M))


def rounded(v):
    """A real number as the nearest float, ties to even; without a largest exponent."""
    if v == 0:
        return Fraction(0)
    a, e = abs(v), -149
    while a >= Fraction(2) ** (e + 24):
        e += 1
    n = a / Fraction(2) ** e
    whole = n.numerator // n.denominator
    rest = n - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)
    return (1 if v > 0 else -1) * whole * Fraction(2) ** e


def exactly(v):
    """A number whose denominator is a power of two, or of ten, for Gappa."""
    d = v.denominator
    if d & (d - 1) == 0:
        return "%db-%d" % (v.numerator, d.bit_length() - 1) if d > 1 else str(v.numerator)
    k = 0
    while 10 ** k % d:
        k += 1
        if k > 400:
            raise Bad("%s has no exact decimal" % v)
    return "%de-%d" % (v.numerator * 10 ** k // d, k)


class Int:
    def __init__(self, value, bits=32, signed=False):
        value &= (1 << bits) - 1
        self.value = value - (1 << bits) if signed and value >> (bits - 1) else value
        self.bits, self.signed = bits, signed


class Flt:
    """A float: Gappa's term and its exact one; what is known of its range, (low, high)."""

    def __init__(self, term, exact, span=None):
        self.term, self.exact, self.span, self.root = term, exact, span, term

    def const(self):
        return self.span[0] if self.span and self.span[0] == self.span[1] else None


class Bits:
    """The bit pattern of a float that is not constant."""

    def __init__(self, of):
        self.of = of


def constant(v):
    return Flt(exactly(v), exactly(v), (v, v)) if v >= 0 else \
        Flt("(-%s)" % exactly(-v), "(-%s)" % exactly(-v), (v, v))


def as_float(bits):
    e, m = bits >> 23 & 255, bits & 0x7fffff
    if e == 255:
        if m:
            raise Bad("a NaN as a constant")
        return -INFINITE if bits >> 31 else INFINITE
    v = Fraction(m + (1 << 23 if e else 0)) * Fraction(2) ** (max(e, 1) - 150)
    return -v if bits >> 31 else v


def as_bits(v):
    a, e = abs(v), 1
    while a >= Fraction(2) ** (e - 126):
        e += 1
    m = a / Fraction(2) ** (e - 150)
    if m.denominator != 1 or e > 254:
        raise Bad("%s is no float" % v)
    sign = 0x80000000 if v < 0 else 0
    return sign | ((e << 23) + int(m) - (1 << 23) if m >= 1 << 23 else int(m))


class Parser:
    def __init__(self, text):
        self.t, at = [], 0
        text = text.strip()
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise Bad("cannot read: %s" % text[at:at + 30])
            self.t.append(m.group(1))
            at = m.end()
        self.i = 0

    def peek(self, k=0):
        return self.t[self.i + k] if self.i + k < len(self.t) else ""

    def take(self, want=None):
        if want and self.peek() != want:
            around = " ".join(self.t[max(0, self.i - 9):self.i + 9])
            raise Bad("%s, not %s, in %s" % (want, self.peek(), around))
        self.i += 1
        return self.t[self.i - 1]

    def expression(self):
        c = self.binary(0)
        if self.peek() != "?":
            return c
        self.take()
        a = self.expression()
        self.take(":")
        return ("?", c, a, self.expression())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        a = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            op = self.take()
            a = ("op", op, a, self.binary(level + 1))
        return a

    def unary(self):
        if self.peek() in ("-", "!", "~", "*", "&"):
            return ("un", self.take(), self.unary())
        if self.peek() == "(" and self.peek(1) in TYPES:
            self.take()
            kind = self.take()
            self.take(")")
            return ("cast", kind, self.unary())
        if self.peek() == "(":
            self.take()
            e = self.expression()
            self.take(")")
            return e
        word = self.take()
        if word[0].isdigit():
            return ("num", word)
        if self.peek() == "(":
            self.take()
            args = []
            while self.peek() != ")":
                args.append(self.expression())
                if self.peek() == ",":
                    self.take()
            self.take(")")
            return ("call", word, args)
        return ("name", word)

    def statements(self):
        out = []
        while self.peek() and self.peek() != "}":
            out += self.statement()
        return out

    def statement(self):
        word = self.peek()
        if word == "{":
            self.take()
            out = self.statements()
            self.take("}")
            return out
        if word == "if":
            self.take()
            self.take("(")
            c = self.expression()
            self.take(")")
            yes, no = self.statement(), []
            if self.peek() == "else":
                self.take()
                no = self.statement()
            return [("if", c, yes, no)]
        if word == "return":
            self.take()
            e = self.expression()
            self.take(";")
            return [("return", e)]
        if self.peek(2) == "=" and self.peek(3) == "{":
            return [self.structure()]
        kind = None
        while self.peek() in TYPES:
            kind = self.take()
        out = []
        while True:
            if self.peek() == "*":
                self.take()
            name = self.take()
            if self.peek() == "=":
                self.take()
                out.append(("set", name, self.expression()))
            elif self.peek() == "+":
                self.take()
                self.take("=")
                out.append(("set", name, ("op", "+", ("name", name), self.expression())))
            elif not kind:
                raise Bad("not a statement: %s" % name)
            if self.peek() != ",":
                break
            self.take()
        self.take(";")
        return out

    def structure(self):
        """KIND NAME = {VALUE, ...};"""
        kind, name = self.take(), self.take()
        self.take("=")
        self.take("{")
        values = [self.expression()]
        while self.peek() == ",":
            self.take()
            values.append(self.expression())
        self.take("}")
        self.take(";")
        return ("make", kind, name, values)


@functools.lru_cache(256)
def function(text, name):
    """(parameters, which are pointers, statements)"""
    m = re.search(FUNCTION % (name, name), text, re.M | re.S)
    if not m:
        raise Bad("math.h has no function %s" % name)
    heads, body = (m.group(1), m.group(2)) if m.group(2) is not None else (m.group(3), m.group(4))
    heads = [h.split() for h in heads.split(",") if h.strip() != "void"]
    names, pointers = [h[-1].lstrip("*") for h in heads], ["*" in h[-1] for h in heads]
    return names, pointers, Parser(body).statements()


def members(text, kind):
    """The names of a structure's members, floats all of them."""
    m = re.search(r"^typedef struct \w+ \{([^}]*)\} %s;" % kind, text, re.M)
    lines = m.group(1).split(";")[:-1] if m else []
    if not lines or not all(line.split()[0] == "float" for line in lines):
        raise Bad("math.h has no structure %s of floats" % kind)
    return [name for line in lines for name in re.findall(r"\w+", line)[1:]]


class Run:
    """A function run on arguments of which only ranges are known.
    supposed: {variable: (low, high)}; fixed: {variable: value}, known to be the constant; without:
    variables that stand for themselves; exact: {variable: its exact counterpart}; over: functions
    that are not run, what they give being any floats; fold: whether a rounding that its operands'
    ranges leave one value is that constant."""

    def __init__(self, source, supposed=None, fixed=None, without=(), exact=None, over=(),
                 fold=False):
        self.text, self.defines = preprocessed(source)
        self.supposed, self.fixed = supposed or {}, fixed or {}
        self.without, self.exact, self.over = without, exact or {}, over
        self.fold, self.lines, self.hypotheses, self.used = fold, [], [], {}
        self.met = set()

    def function(self, name):
        return function(self.text, name)

    # Names. A variable of the function itself has its own name, one of a function that it calls
    # is FUNCTION_VARIABLE without the pm_; the last of several values is plain, others have _1, ..
    def define(self, scope, variable, value):
        """Assigns; a value of floats gets a name of its own."""
        path = scope["prefix"] + variable
        if path in self.fixed:
            self.met.add(path)
            v = self.fixed[path]
            if not isinstance(value, Flt) or not 2 ** 23 <= v < 2 ** 24 or v.denominator != 1:
                raise Bad("%s cannot be fixed at %s" % (path, v))
            if value.const() is not None:
                raise Bad("%s is not to be fixed: it is %s" % (path, value.const()))
            # v is a float whose neighbours are at v +- 1
            self.hypotheses.append("|%s - %s| <= 0.5" % (value.unrounded, exactly(v)))
            scope["names"][variable] = constant(v)
            return
        if isinstance(value, Flt) and (value.const() is None or path.startswith("result")):
            number = self.used[path] = self.used.get(path, 0) + 1
            if any("%s_%d" % (path, number) in known
                   for known in (self.supposed, self.exact, self.without)):
                path = "%s_%d" % (path, number)
            key = "\0%s%s\0%d\0" % (scope["prefix"], variable, number)
            if path in self.without:
                self.met.add(path)
                self.lines.append((key, "rnd(%s_)" % key, self.exact.get(path)))
            else:
                ideal = value.exact
                if path in self.exact:
                    self.met.add(path)
                    ideal = self.exact[path]
                self.lines.append((key, value.term, ideal))
            last = getattr(value, "unrounded", None)
            root = value.root if "(" not in value.term and path not in self.without else key
            value = Flt(key, "M" + key, None if path in self.without else value.span)
            value.root = root
            if last and path not in self.without:
                value.unrounded = last
            if path in self.supposed:
                self.met.add(path)
                value.span = self.supposed[path]
                self.hypotheses.append("%s in [%s, %s]" % (key, *(exactly(b) for b in value.span)))
        scope["names"][variable] = value

    def start(self, name):
        """Runs the function on its own arguments."""
        params, pointers, body = self.function(name)
        scope = {"prefix": "", "names": {}, "result": None}
        for p, pointer in zip(params, pointers):
            if not pointer:
                key = p + ("_in" if re.search(r"\('set', '%s'" % p, repr(body)) else "")
                v = Flt(key, "M" + key)
                ideal = self.exact.get(key, key) if key not in self.without else None
                self.lines.append((key, "rnd(%s_)" % key, ideal))
                self.met.add(key)
                if key in self.supposed:
                    v.span = self.supposed[key]
                    if v.span[0] == v.span[1]:
                        v = constant(v.span[0])
                        self.lines.pop()
                    else:
                        self.hypotheses.append("%s in [%s, %s]" % (key, *map(exactly, v.span)))
                scope["names"][p] = v
        self.block(scope, body)
        result = scope["result"]
        for member, v in result.items() if isinstance(result, dict) else [("", result)]:
            end = "_" + member if member else ""
            last = getattr(v, "unrounded", None)
            if last:
                self.lines.append(("last" + end, last, None))
            if v:
                self.define(scope, "result" + end, v)
        for known in (self.supposed, self.fixed, self.exact, self.without, self.over):
            for path in known:
                if path not in self.met:
                    raise Bad("%s has no %s" % (name, path))

    def definitions(self):
        """[(name, with roundings, exact)], and the hypotheses."""
        def plain(text):
            return re.sub("\0(\\w+)\0(\\d+)\0", lambda m: m.group(1)
                          if int(m.group(2)) == self.used[m.group(1)]
                          else m.group(1) + "_" + m.group(2), text)
        return ([(plain(n), plain(r), e and plain(e)) for n, r, e in self.lines],
                [plain(h) for h in self.hypotheses])

    def block(self, scope, body):
        for s in body:
            if scope["result"] is not None:
                return
            if s[0] == "set":
                self.define(scope, s[1], self.value(scope, s[2]))
            elif s[0] == "if":
                self.block(scope, s[2] if self.truth(scope, s[1]) else s[3])
            elif s[0] == "make":
                names = members(self.text, s[1])
                if len(names) != len(s[3]):
                    raise Bad("%s has not %d members" % (s[1], len(s[3])))
                scope["names"][s[2]] = dict(zip(names, (self.value(scope, e) for e in s[3])))
            else:
                scope["result"] = self.value(scope, s[1])

    def truth(self, scope, e):
        v = self.value(scope, e)
        if isinstance(v, bool):
            return v
        if isinstance(v, Int):
            return v.value != 0
        raise Bad("a branch on a float")

    def value(self, scope, e):
        return getattr(self, "v_" + {"?": "choice"}.get(e[0], e[0]))(scope, *e[1:])

    def v_num(self, scope, text):
        if re.match(r"0[xX]|\d+[uUlL]*$", text):
            digits = text.rstrip("uUlL")
            return Int(int(digits, 0), 64 if "ll" in text.lower() else 32, "u" not in text.lower())
        return constant(rounded(Fraction(text.rstrip("f"))))

    def v_name(self, scope, name):
        if name in scope["names"]:
            return scope["names"][name]
        if name in self.defines:
            return self.v_num(scope, self.defines[name])
        raise Bad("what is %s?" % name)

    def v_choice(self, scope, c, a, b):
        return self.value(scope, a if self.truth(scope, c) else b)

    def v_cast(self, scope, kind, e):
        v = self.value(scope, e)
        if kind == "float" and isinstance(v, Int):
            return constant(rounded(Fraction(v.value)))
        if isinstance(v, Int):
            return Int(v.value, 64 if "64" in kind else 32, kind in ("int", "int64_t"))
        raise Bad("a cast to %s" % kind)

    def v_un(self, scope, op, e):
        if op == "!":
            return not self.truth(scope, e)
        v = self.value(scope, e)
        if op == "*":
            return v
        if op == "-" and isinstance(v, Flt):
            if v.const() is not None:
                return constant(-v.const())
            return Flt("(-%s)" % v.term, "(-%s)" % v.exact, v.span and (-v.span[1], -v.span[0]))
        if isinstance(v, Int):
            return Int(-v.value if op == "-" else ~v.value, v.bits, v.signed)
        raise Bad("operator %s" % op)

    def rounding(self, term, exact, operands, of):
        """of(operands), rounded; it is monotone in each, or bilinear."""
        if any(v.span and INFINITE in (abs(v.span[0]), abs(v.span[1])) for v in operands):
            raise Bad("a sum or product of an infinity")
        if all(v.const() is not None for v in operands):
            return constant(rounded(of(*(v.const() for v in operands))))
        v = Flt("rnd(%s)" % term, "(%s)" % exact)
        if all(o.span for o in operands):
            ends = [rounded(of(*c)) for c in itertools.product(*(o.span for o in operands))]
            if min(ends) == max(ends) and (not min(ends) or self.fold and abs(min(ends)) < INFINITE):
                return constant(min(ends))
            if min(ends) < max(ends) and max(abs(e) for e in ends) < INFINITE:
                v.span = min(ends), max(ends)
        v.unrounded = term
        return v

    def v_op(self, scope, op, a, b):
        if op in ("&&", "||"):
            left = self.truth(scope, a)
            return self.truth(scope, b) if left == (op == "&&") else left
        x, y = self.value(scope, a), self.value(scope, b)
        if isinstance(x, Flt) and isinstance(y, Flt):
            return self.floats(op, x, y)
        if isinstance(x, Int) and isinstance(y, Int):
            return self.integers(op, x, y)
        if isinstance(x, Bits) and isinstance(y, Int):
            return self.bits(op, x.of, y)
        raise Bad("operator %s" % op)

    def floats(self, op, x, y):
        if op in ("<", ">", "<=", ">=", "==", "!="):
            if x.root == y.root:
                return op in ("<=", ">=", "==")
            if not x.span or not y.span:
                raise Bad("%s %s %s is not supposed" % (x.term, op, y.term))
            (a, b), (c, d) = x.span, y.span
            test = {"<": (b < c, a >= d), ">": (a > d, b <= c), "<=": (b <= c, a > d),
                    ">=": (a >= d, b < c), "==": (a == b == c == d, b < c or d < a)}
            yes, no = test["==" if op == "!=" else op]
            if not yes and not no:
                raise Bad("%s %s %s is not known" % (x.term, op, y.term))
            return yes != (op == "!=")
        if op == "-" and x.root == y.root:
            return constant(Fraction(0))
        if op == "+" and x.root == y.root:
            return self.floats("*", constant(Fraction(2)), x)
        # Of -0 these would be 0; no theorem speaks of the sign of zero.
        if op in "+-" and y.const() == 0 or op in "*/" and y.const() == 1:
            return x
        if op == "-" and x.const() == 0:
            return Flt("(-%s)" % y.term, "(-%s)" % y.exact, y.span and (-y.span[1], -y.span[0]))
        if op == "+" and x.const() == 0 or op == "*" and x.const() == 1:
            return y
        # Of a divisor without a range Gappa has to know that it is not 0.
        if op == "/" and y.span and y.span[0] <= 0 <= y.span[1]:
            raise Bad("a quotient by what may be 0: %s" % y.term)
        of = {"+": lambda p, q: p + q, "-": lambda p, q: p - q, "*": lambda p, q: p * q,
              "/": lambda p, q: p / q}[op]
        return self.rounding("%s %s %s" % (x.term, op, y.term), "%s %s %s" % (x.exact, op, y.exact),
                             [x, y], of)

    def integers(self, op, x, y):
        if op in ("<<", ">>"):
            return Int(x.value << y.value if op == "<<" else x.value >> y.value, x.bits, x.signed)
        bits = max(x.bits, y.bits)
        signed = all(v.signed or v.bits < bits for v in (x, y))
        p, q = Int(x.value, bits, signed).value, Int(y.value, bits, signed).value
        if op in ("<", ">", "<=", ">=", "==", "!="):
            return {"<": p < q, ">": p > q, "<=": p <= q, ">=": p >= q, "==": p == q,
                    "!=": p != q}[op]
        result = {"+": p + q, "-": p - q, "*": p * q, "&": p & q, "|": p | q, "^": p ^ q}[op]
        return Int(result, bits, signed)

    def bits(self, op, f, y):
        """Of a float whose sign, and for a change of exponent whose binades, are known."""
        k = Int(y.value, 32, True).value >> 23
        if op in ("+", "-") and y.value & 0x7fffff == 0 and k == 0:
            return Bits(f)
        if op == "|" and y.value == 0:
            return Bits(f)
        if not f.span or f.span[0] < 0 < f.span[1]:
            raise Bad("the sign of %s is not known" % f.term)
        negative = f.span[0] < 0
        if op == "&" and y.value == 0x80000000:
            return Int(0x80000000 if negative else 0)
        if op == "&" and y.value == 0x7fffffff:
            return Bits(self.v_un_of(f) if negative else f)
        if op == ">>" and y.value == 31:
            return Int(1 if negative else 0)
        if op == "|" and y.value == 0x80000000 and not negative:
            return Bits(self.v_un_of(f))
        if op in ("+", "-") and y.value & 0x7fffff == 0:
            two = Fraction(2) ** (k if op == "+" else -k)
            span = sorted(abs(v) for v in f.span)
            for s in (1, two):
                if span[0] * s < Fraction(2) ** -126 or span[1] * s >= INFINITE:
                    raise Bad("%s leaves the normal numbers" % f.term)
            scaled = ["(%s * %s)" % (v, exactly(two)) for v in (f.term, f.exact)]
            return Bits(Flt(*scaled, (f.span[0] * two, f.span[1] * two)))
        raise Bad("operator %s on the bits of %s" % (op, f.term))

    def any_float(self):
        self.used["any"] = self.used.get("any", 0) + 1
        return Flt("rnd(any_%d_)" % self.used["any"], None)

    @staticmethod
    def v_un_of(f):
        return Flt("(-%s)" % f.term, "(-%s)" % f.exact, (-f.span[1], -f.span[0]))

    def v_call(self, scope, name, args):
        if name in ("__float_as_uint", "__uint_as_float"):
            v = self.value(scope, args[0])
            if name == "__float_as_uint":
                return Bits(v) if v.const() is None else Int(as_bits(v.const()))
            return v.of if isinstance(v, Bits) else constant(as_float(v.value))
        if name == "PM_FMA":
            a, b, c = (self.value(scope, e) for e in args)
            if a.const() == 0 or b.const() == 0:
                return c
            if c.const() == 0:
                return self.floats("*", a, b)
            return self.rounding("%s * %s + %s" % (a.term, b.term, c.term),
                                 "%s * %s + %s" % (a.exact, b.exact, c.exact), [a, b, c],
                                 lambda p, q, r: p * q + r)
        params, pointers, body = self.function(name)
        fixed = self.fixed.get(name[3:])
        if fixed is not None:
            self.met.add(name[3:])
            return Int(int(fixed))
        inner = {"prefix": name[3:] + "_", "names": {}, "result": None}
        if name in self.over:
            self.met.add(name)
            for pointer, e in zip(pointers, args):
                if pointer:
                    self.define(scope, e[2][1] if e[0] == "un" else e[1], self.any_float())
            self.define(inner, "result", self.any_float())
            return inner["names"]["result"]
        out = {}
        for p, pointer, e in zip(params, pointers, args):
            if pointer:
                out[p] = e[2][1] if e[0] == "un" else e[1]
                if out[p] in scope["names"]:
                    inner["names"][p] = scope["names"][out[p]]
            else:
                v = self.value(scope, e)
                if isinstance(v, Flt) and "(" in v.term:
                    self.define(inner, p, v)
                else:
                    inner["names"][p] = v
        self.block(inner, body)
        for p, variable in out.items():
            if p in inner["names"]:
                self.define(scope, variable, inner["names"][p])
        v = inner["result"]
        if isinstance(v, Flt) and "(" in v.term:
            self.define(inner, "result", v)
            return inner["names"]["result"]
        return v
