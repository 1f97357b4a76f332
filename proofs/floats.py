"""Error bounds of cuda/math.h: Gappa proves the rounding, Sollya that a polynomial is near to its
function. Run by prove.py, or by itself: floats.py [FILE...].

A file of proofs/float is Gappa's input with lines of its own, which start with @@:
  @@text FUNCTION [without NAME...] [at NAME...]   the straight-line text of a function of
        cuda/math.h, with its roundings; each of its values v also as Mv without them. Assignments
        to what is named after `without` are left out: the theorem says what these are. What is
        named after `at` keeps its rounding in Mv too. The last value of a variable has its plain
        name, an argument that is assigned to is NAME_in, the result is called result.
  @@near NAME VALUE FUNCTION LOW HIGH KIND BOUND   Sollya certifies that the polynomial MVALUE in its
        one free variable, named after KIND as `absolute:r` or `relative:r`, is within BOUND of
        FUNCTION on [LOW, HIGH], with low = 0. $NAME stands for BOUND in what follows.
  @@each NAME VALUE...                the whole file is proven once for each value of $NAME
Each { } that starts and ends a line is a theorem; definitions and hints are common to all.
  1.5b-24 is 1.5 * 2^-24, which Gappa would not read.
Every literal is as math.h has it, so the text that is proven is the text that is compiled."""
import ast
import fnmatch
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEXT = os.path.join(ROOT, "cuda", "math.h")


class Bad(Exception):
    """A file that cannot be read as it should."""


def function_text(name, source):
    """Statements [(variable, expression)] of a straight-line function; `result` is what it returns."""
    found = re.search(r"^DEV float %s\(([^)]*)\)\n\{\n(.*?)^\}" % name, source, re.M | re.S)
    if not found:
        raise Bad("math.h has no function %s" % name)
    body = re.sub(r"/\*.*?\*/", "", found.group(2), flags=re.S)
    body = re.sub(r"#define.*", "", body)
    pointers = re.findall(r"\*(\w+)", found.group(1))
    for p in pointers:
        body = re.sub(r"(^|[=,(;{])(\s*)\*%s\b" % p, r"\1\2%s" % p, body, flags=re.M)
    out = []
    for statement in body.split(";"):
        statement = statement.strip()
        if not statement:
            continue
        if re.fullmatch(r"return \w+", statement):
            continue
        if statement.startswith("return "):
            statement = "result = " + statement[7:]
        statement = re.sub(r"^(float|unsigned) ", "", statement)
        for part in split_commas(statement):
            if "=" in part:
                name_, _, expression = part.partition("=")
                out.append((name_.strip(), " ".join(expression.split())))
    return out


def split_commas(text):
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def expression(text, names, rounded):
    """An expression of C for Gappa; an operation is rounded once, a literal to a float."""
    text = re.sub(r"\b(PM_LN2)\b", lambda m: constants()[m.group(1)], text)
    tree = ast.parse(re.sub(r"(\d)f\b", r"\1", text), mode="eval").body
    rnd = "rnd(%s)" if rounded else "(%s)"

    def of(e):
        if isinstance(e, ast.Constant):
            literal = ast.get_source_segment(source, e)
            return literal if float(literal) in (0.25, 0.5, 1, 2) else "rnd(%s)" % literal
        if isinstance(e, ast.Name):
            return names.get(e.id, e.id)
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            return "(-%s)" % of(e.operand) if not isinstance(e.operand, ast.Constant) else \
                "rnd(-%s)" % ast.get_source_segment(source, e.operand)
        if isinstance(e, ast.BinOp):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(e.op)]
            return rnd % ("%s %s %s" % (of(e.left), sign, of(e.right)))
        if isinstance(e, ast.Call) and e.func.id == "PM_FMA":
            a, b, c = (of(x) for x in e.args)
            return rnd % ("%s * %s + %s" % (a, b, c))
        raise Bad("cannot read %s" % text)

    source = re.sub(r"(\d)f\b", r"\1", text)
    return of(tree)


def constants():
    with open(TEXT) as f:
        return dict(re.findall(r"#define (PM_LN2) (\S+)", f.read()))


def translate(name, without, at, source):
    """Gappa's definitions for a function, and the exact ones alone, in order."""
    statements = [s for s in function_text(name, source) if s[0] not in without]
    last = {v: i for i, (v, _) in enumerate(statements)}
    lines, exact, now = [], [], {}
    for i, (v, e) in enumerate(statements):
        new = v if last[v] == i else "%s_%d" % (v, i)
        for name_ in re.findall(r"[a-z_]\w*", e):
            if name_ in last and name_ not in now:
                now[name_] = name_ + "_in" # an argument that is assigned to later
        plain = {k: n if n in at or n.endswith("_in") else "M" + n for k, n in now.items()}
        value = expression(e, plain, False)
        lines.append("%s = %s;" % (new, expression(e, now, True)))
        exact.append(("M" + new, value))
        now[v] = new
    return lines + ["%s = %s;" % x for x in exact], exact


def sollya(exact, value, function, low, high, kind, bound):
    """Whether Sollya certifies |value - function| <= bound (or relative) on [low, high]."""
    measure, _, variable = kind.partition(":")
    text = ["prec = 200!; verbosity = 0!;", "procedure rnd(a) { return round(a, SG, RN); };", "low = 0; low_in = 0;"]
    for name, e in exact:
        text.append("%s = %s;" % (name, re.sub(r"\b%s\b" % variable, "x", e)))
        if name == "M" + value:
            break
    text.append("s = supnorm(%s, %s, [%s; %s], %s, 2^(-10));"
                % ("M" + value, function, low, high, measure))
    text.append('if (sup(s) <= %s) then print("certified") else print("found", sup(s));'
                % bound.replace("1b", "1*2^"))
    text.append("quit;")
    try:
        run = subprocess.run(["sollya"], input="\n".join(text), capture_output=True, text=True,
                             timeout=60)
    except subprocess.TimeoutExpired:
        return "no answer in 60 s"
    said = run.stdout.strip() + run.stderr.strip()
    return None if said == "certified" else said or "no answer"


def number(match):
    """1.5b-24 in decimal, exactly."""
    digits, places, power = match.group(1) + match.group(2), len(match.group(2)), int(match.group(3))
    return "%de-%d" % (int(digits) * 5 ** power, places + power)


def prove(path, source):
    """Proves one file. Returns (theorems, [what went wrong])."""
    with open(path) as f:
        lines = f.read().split("\n")
    each, values, errors, exact, out = None, [""], [], [], []
    for line in lines:
        words = line.split()
        if line.startswith("@@text"):
            named = {"without": [], "at": []}
            for word in words[2:]:
                if word in named:
                    group = named[word]
                else:
                    group.append(word)
            text, more = translate(words[1], named["without"], named["at"], source)
            out += text
            exact += more
        elif line.startswith("@@near"):
            name, value, function, low, high, kind, bound = words[1:]
            wrong = sollya(exact, value, function, low, high, kind, bound)
            if wrong:
                errors.append("%s is not within %s of %s: %s" % (value, bound, function, wrong))
            out.append("#$ %s %s" % (name, bound))
        elif line.startswith("@@each"):
            each, values = words[1], words[2:]
        else:
            out.append(line)
    text = "\n".join(out) + "\n"
    for name, bound in re.findall(r"^#\$ (\w+) (\S+)$", text, re.M):
        text = text.replace("$" + name, bound)
    text = re.sub(r"(\d+)\.(\d+)b-(\d+)", number, text)
    if not re.search(r"^\{", text, re.M):
        raise Bad("%s has no theorem" % path)
    goals = re.findall(r"^\{.*?\}$", text, re.M | re.S)
    blank = re.sub(r"^\{.*?\}$", "@@goal", text, flags=re.M | re.S)
    first, _, hints = blank.partition("@@goal")
    for value in values:
        for i, goal in enumerate(goals):
            if errors:
                break
            mine = first + goal + hints.replace("@@goal", "")
            wrong = gappa(mine.replace("$" + each, value) if each else mine)
            if wrong:
                errors.append("theorem %d%s: %s" % (
                    i + 1, " for %s = %s" % (each, value) if each else "", wrong))
    return len(values) * len(goals), errors


def gappa(text):
    """None, or why Gappa does not prove it."""
    try:
        run = subprocess.run(["gappa", "-Wno-dichotomy-failure"],
                             input=text, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "no proof in 60 s"
    said = (run.stdout + run.stderr).strip()
    proven = run.returncode == 0 and "Error" not in said and " in " not in said
    return None if proven else "\n".join(line for line in said.split("\n")
                                         if not line.startswith("Warning"))


def mutants(path, source):
    """The text with one constant of a function that the file speaks of changed by 2^-14 of itself,
    for each function."""
    with open(path) as f:
        names = re.findall(r"^@@text (\w+)", f.read(), re.M)
    for name in names:
        at = re.search(r"^DEV float %s\(" % name, source, re.M).start()
        end = source.index("\n}", at)
        literals = [m for m in re.finditer(r"-?\d+\.\d+(e[-+]?\d+)?f", source[at:end])
                    if float(m.group(0)[:-1]) not in (0.25, 0.5, 1, 2)]
        if literals:
            m = literals[-1]
            value = "%.9gf" % (float(m.group(0)[:-1]) * (1 + 2.0 ** -14))
            yield name, source[:at + m.start()] + value + source[at + m.end():]


def files():
    return sorted(glob.glob(os.path.join(ROOT, "proofs", "float", "*.gappa")))


def check(path):
    """(theorems, errors) of a file and its probes."""
    with open(TEXT) as f:
        source = f.read()
    try:
        count, errors = prove(path, source)
        for name, text in mutants(path, source):
            if not errors and not prove(path, text)[1]:
                errors.append("a changed constant of %s is proven too" % name)
    except (Bad, FileNotFoundError) as error:
        return 0, [str(error)]
    return count, errors


def report(patterns):
    """Proves the files that one of the patterns names, all without one; prints a line each. Returns
    what went wrong."""
    wrong = []
    for path in files():
        name = os.path.relpath(path, ROOT)
        if patterns and not any(fnmatch.fnmatch(name, p) for p in patterns):
            continue
        count, errors = check(path)
        print("%-34s %9s" % (name, "%d/%d" % (0 if errors else count, count)), flush=True)
        wrong += ["%s: %s" % (name, e) for e in errors]
    return wrong


if __name__ == "__main__":
    found = report(sys.argv[1:])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
