"""ACSL as Frama-C prints it: terms and predicates as trees, contracts as clauses, definitions by name.

A tree is a tuple: its first word says what it is.
  ("id", name)  ("num", text)  ("call", f, labels, [arguments])  ("at", tree, label)  ("deref", p)
  ("field", tree, name)  ("index", array, tree)  ("range", from, to)  ("unary", op, tree)
  ("binary", op, left, right)  ("chain", [trees], [ops]) of comparisons  ("if", c, a, b)
  ("let", name, tree, body)  ("forall" or "exists", [(type, name)], body)  ("cast", type, tree)
"""
import collections
import re

TOKEN = re.compile(r"\s*(?:(\\?[A-Za-z_]\w*)|((?:0[xX][\da-fA-F]+(?:\.[\da-fA-F]*)?(?:[pP][-+]?\d+)?|"
                   r"\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+)[fFuUlL]*)|"
                   r"(<==>|==>|-->|<-->|&&|\|\||\^\^|\.\.\.?|==|!=|<=|>=|<<|>>|->|[-+*/%&|^~!<>?:;,.(){}\[\]=])|"
                   r"(\"(?:\\.|[^\"\\])*\"))")
COMPARE = ("==", "!=", "<=", ">=", "<", ">")
BINARY = [("<==>", "<-->"), ("==>",), ("||",), ("^^",), ("&&",), ("|", "-->"), ("^",), ("&",), COMPARE,
          ("<<", ">>"), ("+", "-"), ("*", "/", "%")]
TYPES = {"integer", "real", "boolean", "float", "double", "int", "unsigned", "char", "short", "long", "size_t",
         "idx", "uint64_t", "int64_t", "uint32_t", "int32_t", "float4", "scalar", "const"}


class Bad(Exception):
    """Not what Frama-C prints, as far as is known here."""


def tokens(text):
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Bad("cannot read: " + text[at:at + 40])
        found.append(m[0].strip())
        at = m.end()
    return found


class Parser:
    def __init__(self, text):
        self.t, self.i = tokens(text), 0

    def peek(self, ahead=0):
        return self.t[self.i + ahead] if self.i + ahead < len(self.t) else ""

    def take(self, want=None):
        token = self.peek()
        if want is not None and token != want:
            raise Bad("expected %s before: %s" % (want, " ".join(self.t[self.i:self.i + 8])))
        self.i += 1
        return token

    def expression(self):
        word = self.peek()
        if word in ("\\forall", "\\exists"):
            self.take()
            names, binder = [], []
            while True:
                token = self.take()
                if token in (",", ";"):
                    kind = " ".join(binder[:-1]) or names[-1][0]
                    names.append((kind, binder[-1]))
                    binder = []
                    if token == ";":
                        return word[1:], names, self.expression()
                elif not token:
                    raise Bad("a list of names that does not end")
                else:
                    binder.append(token)
        if word == "\\let":
            self.take()
            name = self.take()
            self.take("=")
            value = self.expression()
            self.take(";")
            return "let", name, value, self.expression()
        if re.match(r"[A-Za-z_]\w*$", word) and self.peek(1) == ":" and self.labels_here:
            self.take(), self.take()
            return self.expression()
        test = self.binary(0)
        if self.peek() != "?":
            return test
        self.take()
        yes = self.unlabelled()
        self.take(":")
        return "if", test, yes, self.expression()

    labels_here = True

    def unlabelled(self):
        """The branch of a conditional: NAME: in it ends the branch."""
        kept, self.labels_here = self.labels_here, False
        tree = self.expression()
        self.labels_here = kept
        return tree

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        ops = BINARY[level]
        left = self.binary(level + 1)
        if ops is COMPARE:
            terms, found = [left], []
            while self.peek() in ops:
                found.append(self.take())
                terms.append(self.operand(level + 1))
            if len(found) > 1:
                return "chain", terms, found
            return ("binary", found[0], terms[0], terms[1]) if found else left
        if ops == ("==>",):  # to the right
            if self.peek() == "==>":
                self.take()
                return "binary", "==>", left, self.operand(level)
            return left
        while self.peek() in ops:
            op = self.take()
            left = "binary", op, left, self.operand(level + 1)
        return left

    def operand(self, level):
        """What stands behind an operator: a quantifier may, without brackets."""
        if self.peek() in ("\\forall", "\\exists", "\\let"):
            return self.expression()
        return self.binary(level)

    def unary(self):
        word = self.peek()
        if word in ("!", "-", "+", "~", "&"):
            self.take()
            return "unary", word, self.unary()
        if word == "*":
            self.take()
            return "deref", self.unary()
        if word == "(" and self.is_cast():
            self.take()
            kind = []
            while self.peek() != ")":
                kind.append(self.take())
            self.take()
            return "cast", " ".join(kind), self.unary()
        return self.postfix(self.primary())

    def is_cast(self):
        i = 1
        while re.match(r"\w+$", self.peek(i)) or self.peek(i) == "*":
            i += 1
        first = self.peek(1)
        known = first in TYPES or first in ("struct", "enum")
        return self.peek(i) == ")" and i > 1 and known

    def primary(self):
        word = self.take()
        if word == "(":
            kept, self.labels_here = self.labels_here, True
            tree = self.expression()
            if self.peek() in ("..", "..."):
                self.take()
                tree = "range", tree, self.expression()
            self.labels_here = kept
            self.take(")")
            return tree
        if re.match(r"[\d.]", word):
            return "num", word
        if not re.match(r"\\?\w", word):
            raise Bad("unexpected %s before: %s" % (word, " ".join(self.t[self.i:self.i + 8])))
        labels = []
        if self.peek() == "{":
            self.take()
            while self.peek() != "}":
                labels.append(self.take())
            self.take()
            labels = [l for l in labels if l != ","]
        if self.peek() != "(":
            return ("call", word, labels, []) if labels else ("id", word)
        self.take()
        arguments = []
        kept, self.labels_here = self.labels_here, True
        while self.peek() != ")":
            arguments.append(self.expression())
            if self.peek() in ("..", "..."):
                self.take()
                arguments[-1] = "range", arguments[-1], self.expression()
            if self.peek() == ",":
                self.take()
        self.take()
        self.labels_here = kept
        if word == "\\old":
            return "at", arguments[0], "Old"
        if word == "\\at":
            return "at", arguments[0], arguments[1][1]
        return "call", word, labels, arguments

    def postfix(self, tree):
        while self.peek() in (".", "->", "["):
            op = self.take()
            if op == "[":
                tree = "index", tree, self.expression()
                self.take("]")
            else:
                tree = "field", tree if op == "." else ("deref", tree), self.take()
        return tree


def parse(text):
    p = Parser(text)
    tree = p.expression()
    if p.peek():
        raise Bad("left over: " + " ".join(p.t[p.i:p.i + 8]))
    return tree


LEVELS = {op: i for i, ops in enumerate(BINARY) for op in ops}


def show(tree, above=-1):
    """The tree as ACSL, with the brackets that it needs behind an operator of the level `above`."""
    kind = tree[0]
    if kind in ("id", "num"):
        return tree[1]
    if kind == "call":
        labels = "{%s}" % ",".join(tree[2]) if tree[2] else ""
        return "%s%s(%s)" % (tree[1], labels, ", ".join(map(show, tree[3])))
    if kind == "at":
        return "\\at(%s, %s)" % (show(tree[1]), tree[2])
    if kind == "deref":
        return "*" + show(tree[1], TIGHTEST)
    if kind == "field":
        return "%s.%s" % (show(tree[1], TIGHTEST), tree[2])
    if kind == "index":
        return "%s[%s]" % (show(tree[1], TIGHTEST), show(tree[2]))
    if kind == "range":
        return "(%s .. %s)" % (show(tree[1]), show(tree[2]))
    if kind == "unary":
        return tree[1] + show(tree[2], TIGHTEST)
    if kind == "cast":
        return "(%s)%s" % (tree[1], show(tree[2], TIGHTEST))
    level = -1
    if kind == "binary":
        level, op = LEVELS[tree[1]], tree[1]
        left, right = (level + 1, level) if op == "==>" else (level + (op in COMPARE), level + 1)
        text = "%s %s %s" % (show(tree[2], left), op, show(tree[3], right))
    elif kind == "chain":
        level = LEVELS["<"]
        terms = [show(t, level + 1) for t in tree[1]]
        text = terms[0] + "".join(" %s %s" % pair for pair in zip(tree[2], terms[1:]))
    elif kind == "if":
        text = "%s ? %s : %s" % (show(tree[1], 0), show(tree[2]), show(tree[3]))
    elif kind == "let":
        text = "\\let %s = %s; %s" % (tree[1], show(tree[2]), show(tree[3]))
    else:
        text = "\\%s %s; %s" % (kind, ", ".join("%s %s" % b for b in tree[1]), show(tree[2]))
    return "(%s)" % text if level < above else text


TIGHTEST = 99


def rebuild(tree, f):
    """The tree with f applied to each of its parts."""
    if tree[0] in ("forall", "exists"):
        return tree[0], tree[1], f(tree[2])
    return tuple(f(p) if isinstance(p, tuple) else
                 [f(q) if isinstance(q, tuple) else q for q in p] if isinstance(p, list) else p for p in tree)


def parts(tree):
    """The trees that a tree is made of."""
    for p in tree[2:] if tree[0] in ("forall", "exists") else tree[1:]:
        yield from (q for q in (p if isinstance(p, list) else [p]) if isinstance(q, tuple))


def walk(tree):
    yield tree
    for p in parts(tree):
        yield from walk(p)


def names_of(tree):
    """Names and functions that a tree mentions, but those that it binds."""
    own = {tree[1]} if tree[0] in ("id", "call") else set()
    found = own.union(*map(names_of, parts(tree)))
    return found - {n for _, n in tree[1]} if tree[0] in ("forall", "exists") else found


def conjuncts(tree):
    if tree[0] == "binary" and tree[1] == "&&":
        return conjuncts(tree[2]) + conjuncts(tree[3])
    return [tree]


def substitute(tree, names, labels):
    """Names by trees, labels by labels. A bound name hides one outside."""
    if tree[0] == "id":
        return names.get(tree[1], tree)
    if tree[0] in ("forall", "exists"):
        bound = [n for _, n in tree[1]]
        inner = {n: t for n, t in names.items() if n not in bound}
        taken = {w[1] for t in inner.values() for w in walk(t) if w[0] == "id"}
        fresh = {n: n if n not in taken else n + "_" for n in bound}
        inner.update({n: ("id", m) for n, m in fresh.items() if m != n})
        return tree[0], [(kind, fresh[n]) for kind, n in tree[1]], substitute(tree[2], inner, labels)
    if tree[0] == "let":
        inner = {n: t for n, t in names.items() if n != tree[1]}
        return "let", tree[1], substitute(tree[2], names, labels), substitute(tree[3], inner, labels)
    if tree[0] == "at":
        return "at", substitute(tree[1], names, labels), labels.get(tree[2], tree[2])
    if tree[0] == "call":
        return ("call", tree[1], [labels.get(l, l) for l in tree[2]],
                [substitute(a, names, labels) for a in tree[3]])
    return rebuild(tree, lambda t: substitute(t, names, labels))


def without_old(tree):
    """Parameters are what they were: \\old(p) of a name is p."""
    if tree[0] == "at" and tree[1][0] == "id" and tree[2] in ("Old", "Pre"):
        return tree[1]
    return rebuild(tree, without_old)


def stateless(tree):
    """Without labels and \\at: for who sees one state."""
    if tree[0] == "at":
        return stateless(tree[1])
    if tree[0] == "call":
        return ("call", tree[1], [], [stateless(a) for a in tree[3]]) if tree[3] else ("id", tree[1])
    return rebuild(tree, stateless)


CLAUSE = re.compile(r"\b(requires|ensures|assigns|terminates|exits|decreases|behavior|frees|allocates|assumes|"
                    r"disjoint|complete)\b")


def clauses(contract):
    """[(kind, text)] of a contract, in order."""
    found, at = [], 0
    while True:
        m = CLAUSE.search(contract, at)
        if not m:
            return found
        end = m.end()
        depth = 0
        quantifiers = 0
        while end < len(contract):
            c = contract[end]
            depth += (c in "([{") - (c in ")]}")
            binder = re.match(r"\\(?:forall|exists|let)\b", contract[end:])
            quantifiers += binder is not None
            if c == ";":
                if quantifiers == 0 and depth == 0:
                    break
                quantifiers -= 1
            end += 1
        found.append((m[1], " ".join(contract[m.end():end].split())))
        at = end + 1


class Definition:
    """A logic function or predicate of a unit."""

    def __init__(self, kind, name, labels, parameters, body):
        self.kind, self.name, self.labels, self.body = kind, name, labels, body
        self.parameters = [re.findall(r"\w+", p)[-1] for p in parameters if p.strip()]
        self.types = [" ".join(p.split()) for p in parameters if p.strip()]
        self.tree_ = None

    def tree(self):
        if self.tree_ is None:
            self.tree_ = parse(self.body)
        return self.tree_

    def text(self):
        return "%s %s%s(%s)%s" % (self.kind, self.name, "{%s}" % ",".join(self.labels) if self.labels else "",
                                  ", ".join(self.types), " = " + " ".join(self.body.split()) if self.body else "")


HEAD = re.compile(r"\b(logic\s+[\w\s*]*?|predicate\s+|inductive\s+)(\w+)\s*(?:\{([^}]*)\})?\s*(?:\(|(?==)|(?=;)|"
                  r"(?=\s*reads\b))")


def definitions(logic):
    """{name: Definition} of the printed logic of a unit."""
    found = {}
    for m in HEAD.finditer(logic):
        at, parameters = m.end(), []
        if logic[at - 1:at] == "(":
            depth, start = 1, at
            while depth:
                depth += (logic[at] in "([{") - (logic[at] in ")]}")
                if logic[at] == "," and depth == 1 or depth == 0:
                    parameters.append(logic[start:at])
                    start = at + 1
                at += 1
        rest = re.compile(r"\s*(?:reads\s+[^;=]*?)?(=)?").match(logic, at)
        if not rest[1]:
            body = ""
        else:
            end, depth, quantifiers = rest.end(), 0, 0
            while end < len(logic):
                c = logic[end]
                depth += (c in "([{") - (c in ")]}")
                if c == "\\" and re.match(r"\\(?:forall|exists|let)\b", logic[end:end + 8]):
                    quantifiers += 1
                if c == ";":
                    if not quantifiers and depth <= 0:
                        break
                    quantifiers -= 1
                end += 1
            body = logic[rest.end():end]
        labels = [l.strip() for l in (m[3] or "").split(",") if l.strip()]
        found[m[2]] = Definition(" ".join(m[1].split()), m[2], labels, parameters, body)
    return found


def definitions_of(survey):
    """Of a unit, read once."""
    if not hasattr(survey, "definitions_"):
        survey.definitions_ = definitions(survey.logic)
    return survey.definitions_


# A predicate or logic function as one state sees it: its type, parameters [(type, name)], and its body, or None.
Meaning = collections.namedtuple("Meaning", "name kind params body")


class Logic:
    """The definitions that a unit's annotations have, looked up by name, and its structs and enumerators."""

    def __init__(self, survey):
        self.defined, self.known = definitions_of(survey), {}
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
        d = self.defined.get(name)
        if not d:
            return None
        params = [typed(text) for text in d.types]
        body = stateless(d.tree()) if d.body else self.axiom(name, params)
        return Meaning(name, "bool" if d.kind == "predicate" else d.kind.removeprefix("logic "), params, body)

    def axiom(self, name, params):
        """The body that an axiom gives: \\forall ..; name(..) == body."""
        for text in self.axioms:
            if not re.search(r"\b%s\b" % name, text):
                continue
            tree = stateless(parse(text))
            binders, tree = (tree[1], tree[2]) if tree[0] == "forall" else ([], tree)
            if tree[0] != "binary" or tree[1] not in ("==", "<==>"):
                continue
            left, body = tree[2:]
            said = [("id", n) for _, n in binders]
            if left == ("id", name) and not params or left[:2] == ("call", name) and left[3] == said:
                return substitute(body, dict(zip((n for _, n in binders), (("id", n) for _, n in params))), {})
        return None


def typed(text):
    """(type, name) of a parameter, as Frama-C prints it."""
    words = re.findall(r"\w+|\*", text)
    return " ".join(w for w in words[:-1] if w not in ("const", "struct", "enum")), words[-1]


def unfold(tree, defined, stop=frozenset(), here="Here", depth=0):
    """Calls of predicates and logic functions replaced by what they are, but those named in `stop`, those
    without a body and recursive ones."""
    if depth > 40:
        raise Bad("a definition that does not end")
    if tree[0] == "call" and tree[1] in defined and tree[1] not in stop and defined[tree[1]].body:
        d = defined[tree[1]]
        body = d.tree()
        if any(w[0] == "call" and w[1] == d.name for w in walk(body)):
            return rebuild(tree, lambda t: unfold(t, defined, stop, here, depth))
        given = tree[2] or [here] * len(d.labels)
        labels = dict(zip(d.labels, given))
        if len(d.labels) == 1:
            labels.setdefault("Here", given[0])
        names = dict(zip(d.parameters, tree[3]))
        return unfold(substitute(body, names, labels), defined, stop, labels.get(d.labels[0], here)
                      if d.labels else here, depth + 1)
    return rebuild(tree, lambda t: unfold(t, defined, stop, here, depth))
