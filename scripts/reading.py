"""What one reading sees of a file: a small preprocessor that follows the repository's includes and decides
its conditionals, but expands no macro. lint_readings.py compares the readings by it.

A file becomes items: a macro, an include, a function, another declaration, an annotation of its own. The
text of an item is its tokens without comments. A name that is a macro, and not of the vocabulary, has the
definitions that it stands for at this place with it, so that equal texts expand to equal texts."""
import bisect
import os
import re

TOKEN = re.compile(r"""(?P<gap>[ \t\f\r\v]+)
|(?P<line>\n)
|(?P<comment>/\*.*?\*/|//[^\n]*)
|(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
|(?P<string>[A-Za-z0-9_]*"(?:\\.|[^"\\\n])*")
|(?P<char>'(?:\\.|[^'\\\n])*')
|(?P<name>\\?[A-Za-z_]\w*)
|(?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|\#\#|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
""", re.X | re.S)
LOGIC = re.compile(r"\\?[A-Za-z_]\w*|\.?[0-9](?:[eEpP][+-]|\w|\.(?!\.))*|==>|<==>|[<>=!]=|&&|\|\||\.\.|->|\S")
NAME = re.compile(r"[A-Za-z_]\w*")
CONTRACT = {"requires", "assigns", "ensures", "behavior", "terminates", "exits", "decreases", "allocates",
            "frees", "admit", "check", "assumes", "complete", "disjoint"}
GLOBAL = {"predicate", "logic", "lemma", "axiom", "axiomatic", "inductive", "type", "global", "volatile"}
DEVICE = {"__device__", "__global__", "__constant__", "__shared__", "DEV", "KERNEL", "asm", "__asm__"}


class Refused(Exception):
    """A text that this preprocessor does not read, since compilers may read it in different ways."""


def splice(text):
    """Joins continued lines; where they were joined."""
    joins, parts, at, size = [], [], 0, 0
    for m in re.finditer(r"\\[ \t]*\n", text):
        parts.append(text[at:m.start()])
        size += m.start() - at
        joins.append(size)
        at = m.end()
    return "".join(parts) + text[at:], joins


def logic_tokens(comment):
    """Of an annotation: /*@ ... */ or //@ ..."""
    inside = comment[3:-2] if comment.startswith("/*") else comment[3:]
    return [t for t in LOGIC.findall(re.sub(r"//[^\n]*", " ", inside)) if t != "@"]


def lines_of(path, text):
    """[(line number, directive or None, tokens)]. An annotation is a token of its own: a list."""
    if re.search(r"<:|:>|<%|%>|%:|\?\?[=/'()!<>-]", re.sub(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"", "", text, flags=re.S)):
        raise Refused("%s: a digraph or trigraph" % path)
    text, joins = splice(text)
    found, tokens, at, line, first = [], [], 0, 1, 1

    def finish():
        if tokens and tokens[0] == "#":
            words = [t for t in tokens if isinstance(t, str)]
            found.append((first, words[1] if len(words) > 1 else "", words[2:]))
        elif tokens:
            found.append((first, None, tokens[:]))
        tokens.clear()

    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Refused("%s:%d: reads nowhere alike: %s" % (path, line, text[at:at + 12].split("\n")[0]))
        kind, word, at = m.lastgroup, m[0], m.end()
        if kind == "line":
            finish()
            line += 1
            first = line + bisect.bisect_right(joins, at)
            continue
        if kind == "comment":
            line += word.count("\n")
            if re.match(r"/[*/]@", word):
                tokens.append(logic_tokens(word))
        elif kind == "string" and word.split('"')[0] not in ("", "L"):
            raise Refused("%s:%d: a string that C and C++ read differently: %s" % (path, line, word))
        elif kind != "gap":
            # f(x) after a macro's name is its parameters only where no blank stands between them
            if word == "(" and text[m.start() - 1:m.start()].isspace() and len(tokens) == 3 and \
               tokens[:2] == ["#", "define"]:
                tokens.append("")
            tokens.append(word)
    finish()
    return found


class Item:
    """kind: define, undef, include, pragma, code, logic. `text` is for comparing, `plain` for people.
    An annotated function has its contract and the annotations of its body apart from its C text."""

    def __init__(self, kind, name, path, line, text, plain, contract="", names=(), split=0, device=False, head=""):
        self.kind, self.name, self.path, self.line = kind, name, path, line
        self.text, self.plain, self.contract, self.names = text, plain, contract, frozenset(names)
        self.split, self.device, self.head = split, device, head  # head: a function's declaration


class Frame:
    """One inclusion of a file: its items, and what is being read."""

    def __init__(self, path):
        self.path, self.items = path, []
        self.depth, self.tokens, self.line, self.contract, self.split = 0, [], 0, [], 0


class Reading:
    """One reading of one translation unit. `read` gives a file's text or None; opaque(path, name) says that
    this macro of that file is the vocabulary's; sensitive are the names that readings differ in."""

    def __init__(self, read, defines, sensitive, opaque, cache):
        self.read, self.sensitive, self.opaque, self.cache = read, sensitive, opaque, cache
        self.macros, self.known = {}, set()
        self.done, self.closures = [], {}
        for d in defines:
            name, _, value = d.partition("=")
            self.macros[name] = (None, (value or "1",), "")

    # -- conditionals

    def truth(self, path, line, words):
        """Whether a condition holds. It may name what the repository defines and what readings differ in."""
        words, out, at = self.expand(words), [], 0
        while at < len(words):
            w = words[at]
            if w == "defined":
                name = words[at + 2] if words[at + 1:at + 2] == ["("] else words[at + 1]
                at += 4 if words[at + 1] == "(" else 2
                self.may_test(path, line, name)
                out.append(str(int(name in self.macros)))
                continue
            if NAME.fullmatch(w):
                self.may_test(path, line, w)
                w = "0"
            out.append({"&&": " and ", "||": " or ", "!": " not ", "/": "//"}.get(w, w))
            at += 1
        text = "".join(out)
        if not re.fullmatch(r"(?:\d+[uUlL]*|and|or|not|[-+*/%()<>=!]|\s)+", text):
            raise Refused("%s:%d: a condition that this lint does not read: %s" % (path, line, " ".join(words)))
        return bool(eval(re.sub(r"(\d+)[uUlL]+", r"\1", text), {"__builtins__": {}}))

    def expand(self, words):
        """Macros without parameters, but behind `defined`."""
        out, after = [], False
        for w in words:
            macro = self.macros.get(w)
            if macro and not after and macro[0] is None and w not in macro[1]:
                out += self.expand(list(macro[1]))
            else:
                out.append(w)
            after = w == "defined" or (after and w == "(")
        return out

    def may_test(self, path, line, name):
        if name not in self.sensitive and name not in self.macros and name not in self.cache["defined"]:
            raise Refused("%s:%d: a condition on %s, which nothing in the repository defines" % (path, line, name))

    # -- a file

    def include(self, path):
        text = self.read(path)
        if text is None:
            raise Refused("%s: no such file" % path)
        if path not in self.cache["lines"]:
            self.cache["lines"][path] = lines_of(path, text)
        frame = Frame(path)
        live, live_in = [], []  # of each open conditional: [taken now, taken before]; whether readings part there
        for line, directive, tokens in self.cache["lines"][path]:
            on, parted = all(l[0] for l in live), 0
            if directive in ("if", "ifdef", "ifndef"):
                live_in.append(line if on and set(tokens) & self.sensitive else 0)
                value = on and self.tested(path, line, directive, tokens)
                live.append([value, value or not on])
            elif directive in ("elif", "else"):
                if not live:
                    raise Refused("%s:%d: #%s without #if" % (path, line, directive))
                outer = all(l[0] for l in live[:-1])
                value = outer and not live[-1][1] and (directive == "else" or self.truth(path, line, tokens))
                live[-1] = [value, live[-1][1] or value]
            elif directive == "endif":
                if not live:
                    raise Refused("%s:%d: #endif without #if" % (path, line))
                live.pop()
                parted = live_in.pop()
            elif on and directive is not None:
                self.directive(frame, line, directive, tokens)
            elif on:
                self.text(frame, line, tokens)
            if directive in ("if", "ifdef", "ifndef", "elif", "else"):
                parted = live_in[-1]
            if parted and (frame.tokens or frame.contract):
                frame.split = line
        if live or frame.depth:
            raise Refused("%s: an #if or a bracket is left open" % path)
        self.finish(frame)
        self.done.append(frame)

    def tested(self, path, line, directive, tokens):
        if directive == "if":
            return self.truth(path, line, tokens)
        self.may_test(path, line, tokens[0])
        return (tokens[0] in self.macros) == (directive == "ifdef")

    def directive(self, frame, line, directive, tokens):
        path = frame.path
        if directive == "include":
            target = "".join(tokens)
            if not re.fullmatch(r'"[^"]+"|<[^>]+>', target):
                raise Refused("%s:%d: an include of what a macro says" % (path, line))
            frame.items.append(Item("include", target, path, line, target, "#include " + target))
            if target[0] == '"':
                near = os.path.normpath(os.path.join(os.path.dirname(path), target[1:-1]))
                self.include(near if self.read(near) is not None else os.path.normpath(target[1:-1]))
        elif directive == "define":
            name, rest = tokens[0], tokens[1:]
            parameters = None
            if rest[:1] == ["("]:
                end = rest.index(")")
                parameters, rest = tuple(rest[1:end]), rest[end + 1:]
            rest = [w for w in rest if w]
            self.macros[name] = (parameters, tuple(rest), path)
            self.closures = {}
            plain = "#define %s%s %s" % (name, "" if parameters is None else "(%s)" % " ".join(parameters),
                                         " ".join(rest))
            frame.items.append(Item("define", name, path, line, plain, plain, names=NAME.findall(" ".join(rest))))
        elif directive == "undef":
            self.macros.pop(tokens[0], None)
            self.closures = {}
            frame.items.append(Item("undef", tokens[0], path, line, "", "#undef " + tokens[0]))
        elif directive == "pragma":
            text = " ".join(tokens)
            if frame.tokens:
                frame.tokens.append("#pragma " + text)
            else:
                frame.items.append(Item("pragma", text, path, line, text, "#pragma " + text))
        elif directive == "error":
            raise Refused("%s:%d: #error" % (path, line))
        elif directive:
            raise Refused("%s:%d: the directive #%s" % (path, line, directive))

    # -- items

    def text(self, frame, line, tokens):
        for t in tokens:
            if isinstance(t, list):
                self.annotation(frame, line, t)
                continue
            if not frame.tokens:
                frame.line = line
            frame.tokens.append(t)
            if t in "([{":
                frame.depth += 1
            elif t in ")]}":
                frame.depth -= 1
                if frame.depth < 0:  # of extern "C" or a namespace
                    frame.depth, frame.tokens = 0, []
                elif frame.depth == 0 and t == "}" and is_function(frame.tokens):
                    self.finish(frame)
            elif t == ";" and frame.depth == 0:
                self.finish(frame)
            if t == "{" and frame.depth == 1 and opens_scope(frame.tokens):
                frame.depth, frame.tokens = 0, []

    def annotation(self, frame, line, words):
        if frame.tokens:  # of a body
            return
        if words and words[0] in GLOBAL or words[:2] == ["check", "lemma"]:
            chunk = []
            for w in words + ["lemma"]:
                if w in GLOBAL and chunk and chunk[-1] not in ("check", "admit"):
                    name = logic_name(chunk) if chunk[0] == "logic" else \
                        next((c for c in chunk[1:] if NAME.fullmatch(c) and c not in GLOBAL), "")
                    frame.items.append(Item("logic", chunk[0] + " " + name, frame.path, line, self.marked(chunk),
                                            " ".join(chunk)))
                    chunk = []
                chunk.append(w)
        elif words and words[0] in CONTRACT:
            frame.contract += words
            frame.line = line
        elif words and words[0] == "ghost":
            frame.contract += words

    def finish(self, frame):
        tokens = frame.tokens
        if tokens and tokens != [";"]:
            names = {t for t in tokens if NAME.fullmatch(t)}
            meant = names | {w for n in names if n in self.macros for d in self.closure(n) for w in d[2]}
            head = tokens[:tokens.index("{")] + [";"] if "{" in tokens else tokens
            frame.items.append(Item("code", item_name(tokens), frame.path, frame.line, self.marked(tokens),
                                    " ".join(tokens), self.marked(frame.contract), names, frame.split,
                                    bool(meant & DEVICE), self.marked(head)))
        frame.tokens, frame.contract, frame.split = [], [], 0

    def closure(self, name):
        """The definitions that a name stands for here, but those of the vocabulary."""
        found, todo = set(), [name]
        if name in self.closures:
            return self.closures[name]
        while todo:
            n = todo.pop()
            macro = self.macros.get(n)
            if macro and not self.opaque(macro[2], n):
                entry = (n, macro[0], macro[1])
                if entry not in found:
                    found.add(entry)
                    todo += [w for w in macro[1] if NAME.fullmatch(w)]
        self.closures[name] = frozenset(found)
        return self.closures[name]

    def marked(self, tokens):
        """The tokens, and behind them what the macros among them stand for."""
        used = set()
        for t in set(tokens):
            if t in self.macros:
                used |= self.closure(t)
        return " ".join(tokens) + "".join(sorted(" \x00%s=%s" % (n, (p, " ".join(b))) for n, p, b in used))


def is_function(tokens):
    """Whether the bracket that just closed at the outermost level ends a function's body."""
    depth = 0
    for i in range(len(tokens) - 1, -1, -1):
        depth += (tokens[i] in ")]}") - (tokens[i] in "([{")
        if depth == 0:
            before = tokens[:i]
            return ")" in before and "=" not in outer(before) and before[0] not in ("typedef",) and \
                not (before[0] in ("struct", "union", "enum", "class") and "(" not in outer(before))
    return False


def outer(tokens):
    """The tokens outside all brackets, an opening bracket as itself."""
    found, depth = [], 0
    for t in tokens:
        if depth == 0:
            found.append(t)
        depth += (t in "([{") - (t in ")]}")
    return found


def opens_scope(tokens):
    return tokens[0] == "namespace" or (tokens[0] == "extern" and len(tokens) == 3 and tokens[1] == '"C"')


def logic_name(chunk):
    end = next((i for i, w in enumerate(chunk) if w in ("(", "=", "reads", ";", "{")), len(chunk))
    names = [w for w in chunk[:end] if NAME.fullmatch(w)]
    return names[-1] if names else ""


def item_name(tokens):
    """What a declaration declares; of an enum without a name, its first constant."""
    body = next((i for i, t in enumerate(tokens) if t in ("{", "=")), len(tokens))
    head = tokens[:body]
    while head[:1] == ["template"] and "<" in head:  # its parameters name nothing
        depth = at = 0
        for at, t in enumerate(head):
            depth += (t == "<") - (t == ">")
            if t == ">" and depth == 0:
                break
        head = head[at + 1:]
    calls = [i for i, t in enumerate(head) if t == "(" and i and
             depth_at(head, i) == 0 and head[i - 1] not in ("__attribute__", "alignas")]
    if calls:
        end = calls[-1]
        start = end - 1
        if head[start] == ")":  # a name made by a macro: MAP_(f0)(..)
            start = calls[-2] - 1 if len(calls) > 1 else start
        return "".join(head[start:end])
    names = [t for t in outer(head) if NAME.fullmatch(t)]
    if tokens[0] == "typedef":
        names = [t for t in outer(tokens) if NAME.fullmatch(t)]
    if names[-1:] == ["enum"] and len(tokens) > body + 1:
        return "enum " + tokens[body + 1]
    return names[-1] if names else " ".join(tokens[:3])


def depth_at(tokens, at):
    return sum((t in "([{") - (t in ")]}") for t in tokens[:at])
