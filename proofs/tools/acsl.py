"""ACSL as Frama-C prints it: terms and predicates as trees, and the definitions of a unit.

A tree is a tuple: ("num", text), ("name", text), ("call", name, [args]), ("bin", op, a, b),
("un", op, a), ("if", c, a, b), ("chain", [a, op, b, op, c]), ("field", a, name), ("index", a, b),
("range", a, b), ("all" or "some", [(type, name)], body), ("let", name, a, body)."""
import re

TOKEN = re.compile(r"\s*(?:(\d+\.\d[\w.+-]*|0x[0-9a-fA-F]+|\d+|\\?[A-Za-z_]\w*)"
                   r"|(<==>|==>|\.\.|->|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[-+*/%<>!&|^~?:;,.(){}\[\]=]))")
COMPARE = ("<", "<=", ">", ">=", "==", "!=")
# from the loosest to the tightest, above comparisons and below them
LOOSE = (("<==>",), ("==>",), ("||",), ("^^",), ("&&",), ("|",), ("^",), ("&",))
TIGHT = (("<<", ">>"), ("+", "-"), ("*", "/", "%"))
CAST = re.compile(r"(long|int|integer|real|double|float|idx|unsigned int|unsigned long|uint64_t|uint32_t)")


class Unread(Exception):
    """Text that this module cannot read."""


class Parser:
    def __init__(self, text, at=0):
        self.text, self.at, self.ahead = text, at, None

    def token(self):
        if self.ahead is None:
            m = TOKEN.match(self.text, self.at)
            self.ahead = (m[1] or m[2], m.end()) if m else ("", len(self.text))
        return self.ahead[0]

    def take(self, expected=None):
        token = self.token()
        if expected is not None and token != expected:
            raise Unread("'%s' where '%s' was due: ..%s" % (token, expected, self.text[self.at:self.at + 60]))
        self.at, self.ahead = self.ahead[1], None
        return token

    def maybe(self, token):
        return self.token() == token and bool(self.take())

    def expression(self):
        token = self.token()
        if token in ("\\forall", "\\exists"):
            self.take()
            binders = self.binders(";")
            self.take(";")
            return ("all" if token == "\\forall" else "some", binders, self.expression())
        if token == "\\let":
            self.take()
            name = self.take()
            self.take("=")
            value = self.expression()
            self.take(";")
            return ("let", name, value, self.expression())
        c = self.loose(0)
        if self.maybe("?"):
            a = self.expression()
            self.take(":")
            return ("if", c, a, self.expression())
        return c

    def loose(self, level):
        if level == len(LOOSE):
            return self.compare()
        a = self.loose(level + 1)
        if self.token() == "==>" and level == 1:  # to the right
            self.take()
            quantified = self.token() in ("\\forall", "\\exists", "\\let")
            return ("bin", "==>", a, self.expression() if quantified else self.loose(level))
        while self.token() in LOOSE[level]:
            op = self.take()
            quantified = self.token() in ("\\forall", "\\exists", "\\let")
            a = ("bin", op, a, self.expression() if quantified else self.loose(level + 1))
        return a

    def compare(self):
        parts = [self.tight(0)]
        while self.token() in COMPARE:
            parts += [self.take(), self.tight(0)]
        return parts[0] if len(parts) == 1 else ("chain", parts)

    def tight(self, level):
        if level == len(TIGHT):
            return self.unary()
        a = self.tight(level + 1)
        while self.token() in TIGHT[level]:
            a = ("bin", self.take(), a, self.tight(level + 1))
        return a

    def unary(self):
        token = self.token()
        if token in ("-", "!", "*", "&", "~"):
            self.take()
            return ("un", token, self.unary())
        return self.postfix(self.primary())

    def primary(self):
        if self.maybe("("):
            m = re.match(r"\s*%s\s*\)" % CAST.pattern, self.text[self.at:])
            if m:
                self.at, self.ahead = self.at + m.end(), None
                return ("call", "(" + m[1] + ")", [self.unary()])
            a = self.expression()
            if self.maybe(".."):
                a = ("range", a, self.expression())
            self.take(")")
            return a
        token = self.take()
        if re.match(r"\d", token):
            return ("num", token)
        if not re.match(r"\\?[A-Za-z_]", token):
            raise Unread("'%s': ..%s" % (token, self.text[self.at:self.at + 60]))
        if self.token() == "{":  # labels: a checker sees one state
            while self.take() != "}":
                pass
        if not self.maybe("("):
            return ("name", token)
        args = []
        while not self.maybe(")"):
            args.append(self.expression())
            if self.token() != ")":
                self.take(",")
        return args[0] if token == "\\at" else ("call", token, args)

    def postfix(self, a):
        while self.token() in (".", "->", "["):
            if self.take() == "[":
                a = ("index", a, self.expression())
                self.take("]")
            else:
                a = ("field", a, self.take())
        return a

    def binders(self, end):
        """integer i, float *p"""
        found, words = [], []
        while True:
            token = self.token()
            if token in (",", end):
                if words:
                    kind = " ".join(w for w in words[:-1] if w not in ("const", "struct", "enum"))
                    found.append((kind or found[-1][0], words[-1]))
                words = []
                if token == end:
                    return found
            elif not token:
                raise Unread("a list that does not end: " + self.text[self.at:self.at + 60])
            else:
                words.append(token)
            self.take()


def parse(text):
    p = Parser(text)
    tree = p.expression()
    if p.token():
        raise Unread("'%s' after %s" % (p.token(), text[:p.at][-80:]))
    return tree


class Definition:
    """A predicate or logic function: its type, parameters [(type, name)], and its body, or None."""

    def __init__(self, name, kind, params, body):
        self.name, self.kind, self.params, self.body = name, kind, params, body


class Logic:
    """The definitions that a unit's annotations have, looked up by name."""

    def __init__(self, survey):
        self.text, self.known = survey.logic, {}
        self.axioms = [t for _, t in survey.axioms.values()]
        self.structs = {}
        for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", survey.ast, re.M | re.S):
            self.structs[name] = body
        self.types = dict(re.findall(r"^typedef struct (\w+) (\w+);", survey.ast, re.M))
        self.types = {alias: of for of, alias in self.types.items()}
        self.enums = {}
        for body in re.findall(r"^enum \w+ \{(.*?)^\};", survey.ast, re.M | re.S):
            last = "-1"
            for item in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(","):
                name, _, value = (s.strip() for s in item.partition("="))
                last = value or "%s + 1" % last
                self.enums[name] = "(%s)" % last

    def fields(self, struct):
        """[(C type, name, elements or "")] of a struct."""
        body = self.structs[self.types.get(struct, struct)]
        return [(" ".join(t.replace("struct ", "").split()), n, size)
                for t, n, size in re.findall(r"^\s*([\w ]+?)\s*\b(\w+)\s*(?:\[(.*?)\])?\s*;", body, re.M)]

    def definition(self, name):
        if name not in self.known:
            self.known[name] = self.find(name)
        return self.known[name]

    def find(self, name):
        m = re.search(r"\b(?:(predicate)|logic\s+([\w\s]+?[\s*]+?))\s*\b%s\b\s*(?:\{[^}]*\})?" % name, self.text)
        if not m:
            return None
        p, params = Parser(self.text, m.end()), []
        if p.maybe("("):
            params = p.binders(")")
            p.take(")")
        body = p.expression() if p.maybe("=") else self.axiom(name, params)
        return Definition(name, "bool" if m[1] else " ".join(m[2].split()), params, body)

    def axiom(self, name, params):
        """The body that an axiom gives: \\forall ..; name(..) == body."""
        head = ("call", name, None)
        for text in self.axioms:
            if not re.search(r"\b%s\b" % name, text):
                continue
            tree = parse(text)
            binders, tree = (tree[1], tree[2]) if tree[0] == "all" else ([], tree)
            if tree[0] == "chain" and len(tree[1]) == 3 and tree[1][1] == "==":
                left, body = tree[1][0], tree[1][2]
            elif tree[:2] == ("bin", "<==>"):
                left, body = tree[2], tree[3]
            else:
                continue
            named = left == ("name", name) and not params
            if named or left[:2] == head[:2] and left[2] == [("name", n) for _, n in binders]:
                return rename(body, dict(zip((n for _, n in binders), (("name", n) for _, n in params))))
        return None


def rename(tree, names):
    """The tree with other trees in place of names."""
    if isinstance(tree, list):
        return [rename(t, names) for t in tree]
    if not isinstance(tree, tuple):
        return tree
    if tree[0] == "name":
        return names.get(tree[1], tree)
    if tree[0] in ("all", "some"):
        inner = {k: v for k, v in names.items() if k not in [n for _, n in tree[1]]}
        return (tree[0], tree[1], rename(tree[2], inner))
    if tree[0] == "let":
        inner = {k: v for k, v in names.items() if k != tree[1]}
        return ("let", tree[1], rename(tree[2], names), rename(tree[3], inner))
    if tree[0] == "field":
        return ("field", rename(tree[1], names), tree[2])
    if tree[0] == "call":
        return ("call", tree[1], rename(tree[2], names))
    return (tree[0],) + tuple(rename(t, names) if isinstance(t, (tuple, list)) else t for t in tree[1:])


def names_of(tree):
    """Names and functions that a tree mentions."""
    if isinstance(tree, list):
        return set().union(*map(names_of, tree)) if tree else set()
    if not isinstance(tree, tuple):
        return set()
    if tree[0] == "name":
        return {tree[1]}
    if tree[0] in ("all", "some"):
        return names_of(tree[2]) - {n for _, n in tree[1]}
    if tree[0] == "field":
        return names_of(tree[1])
    own = {tree[1]} if tree[0] == "call" else set()
    return own.union(*(names_of(t) for t in tree[1:]))


LEVELS = {op: i for i, ops in enumerate(LOOSE + (COMPARE,) + TIGHT) for op in ops}


def show(tree, above=-1):
    """A tree in words, as ACSL."""
    kind = tree[0]
    if kind in ("num", "name"):
        return tree[1]
    if kind == "call":
        if tree[1].startswith("("):
            return tree[1] + show(tree[2][0], 99)
        return "%s(%s)" % (tree[1], ", ".join(show(a) for a in tree[2]))
    if kind == "field":
        return "%s.%s" % (show(tree[1], 99), tree[2])
    if kind == "index":
        return "%s[%s]" % (show(tree[1], 99), show(tree[2]))
    if kind == "un":
        return tree[1] + show(tree[2], 99)
    if kind == "range":
        return "(%s .. %s)" % (show(tree[1]), show(tree[2]))
    if kind == "bin":
        level = LEVELS[tree[1]]
        left = level + 1 if tree[1] == "==>" else level
        text = "%s %s %s" % (show(tree[2], left), tree[1], show(tree[3], level if tree[1] == "==>" else level + 1))
    elif kind == "chain":
        level = LEVELS["<"]
        text = " ".join(p if isinstance(p, str) else show(p, level + 1) for p in tree[1])
    else:
        level = -1
        if kind == "if":
            text = "%s ? %s : %s" % (show(tree[1], 0), show(tree[2]), show(tree[3]))
        elif kind == "let":
            text = "\\let %s = %s; %s" % (tree[1], show(tree[2]), show(tree[3]))
        else:
            text = "\\%s %s; %s" % ("forall" if kind == "all" else "exists",
                                    ", ".join("%s %s" % b for b in tree[1]), show(tree[2]))
        return "(%s)" % text if above > -1 else text
    return "(%s)" % text if level < above else text
