"""In the reading of lang/owned.h, where a race is a goal that fails: the contract of each kernel names the
owners of an array once, by one equation over its index, or over the row and the column that are its index,
so that there are such owners and a cell has one. Of an array without owners and without `reads` nothing is
granted. Of shared memory the head of a phase says it (lang/owned_framac.h), of an array that SHARED has made.

owners.py --self-test   each rule is broken once; each must be found
"""
import re
import sys

PREDICATE = re.compile(r"\bpredicate\s+(\w+)(?:\{[^}]*\})?\s*\(([^)]*)\)\s*=\s(.*?);[ \t]*"
                       r"(?=\n\s*\n|\n\s*\}|\s*\Z)", re.S)
KERNEL = re.compile(r"(?:/\*@((?:(?!\*/).)*)\*/\n)?^(?!static\b)\w[\w *]*?\b(\w+)\(([^;{}]*)\)\n\{", re.S | re.M)
# who owns a cell is said by no other words than these
RAW = re.compile(r"\b(owner|own_b|own_t|R|perm_r|perm_w|own_in|shown|is_shared)\(")
# and what is assumed of it, by no other than these: each speaks of a number that no other phase has, or of an
# array that is another each time
ASSUMED = {
    r"ensures is_shared(\old(s), \old(n))",
    r"ensures \forall integer k; 0 <= k < \old(n) ==> own_in(\old(s) + k, \result) == 32 * k",
    r"ensures \forall integer k; 0 <= k < \old(n) ==> own_in(\old(s) + k, \result) == -1",
    r"ensures \forall integer k; 0 <= k < \old(n) ==> own_in(\old(s) + k, \result) == k && "
    r"own_in(\old(s) + (\old(n) + k), \result) == k",
}
READS = {"reads", "reads_kind"}
APART = {"apart": (0, 2), "map_apart": (1, 2)}  # which arguments are arrays that overlap nowhere


def flat(text):
    return " ".join(text.split())


def parts(text):
    """Of an argument list, split at the commas outside of brackets."""
    found, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    return found + [text[start:].strip()]


def inside(text, at):
    """From `at`, just after an opening bracket, to the bracket that closes it."""
    depth = 1
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return text[at:i]
    return text[at:]


def predicates(logic):
    """{name: (its parameters, its text)}"""
    names = lambda parameters: [re.split(r"[\s*]+", p.strip())[-1] for p in parameters.split(",")]
    return {n: (names(p), flat(body)) for n, p, body in PREDICATE.findall(logic)}


def spoken_of(logic, lemma):
    """Whether a lemma of a unit says, through whatever predicates, who owns a cell."""
    text = re.search(r"\blemma %s\b(.*?);[ \t]*(?=\n\s*\n|\n\s*\}|\s*\Z)" % lemma, logic, re.S)
    known, seen, todo = predicates(logic), set(), [text[1] if text else ""]
    while todo:
        words = set(re.findall(r"\w+", todo.pop())) - seen
        seen |= words
        todo += [known[w][1] for w in words if w in known]
    return bool({"own_b", "own_t", "own_in", "is_shared"} & seen)


def one_equation(parameters, text):
    """Whether an own_ predicate is: for every index below n, owner(y+k, f(k), g(k)), and y is held; or the same
    for every row r and column c of so many, y+(ix(r,cols,0)+c), f(r,c), g(r,c): no two have one index."""
    y = re.escape(parameters[0])
    m = re.fullmatch(r"held\(%s, (\w+)\) && \(\\forall integer (\w+); 0 <= \2 < \1 ==> owner\(%s \+ \2, "
                     r"(?P<who>.*)\)\)" % (y, y), text)
    m = m or re.fullmatch(r"held\(%s, ix\((\w+), (\w+), 0\)\) && \(\\forall integer (\w+), integer (\w+); "
                          r"0 <= \3 < \1 ==> 0 <= \4 < \2 ==> owner\(%s \+ \(ix\(\3, \2, 0\) \+ \4\), "
                          r"(?P<who>.*)\)\)" % (y, y), text)
    if not m or not {m[1], m[2] if "ix(" in m[0][:m.start("who")] else m[1]} <= set(parameters):
        return False
    words = parts(m["who"])
    return len(words) == 2 and not re.search(r"\*\(|\[|\\at|\\old", m["who"]) and not RAW.search(m["who"])


def claims(text, known, names, errors):
    """[(reads or own, pointer)], and (apart, two pointers), that a contract makes of the names, through the
    predicates that it is made of."""
    found = []
    bare = re.sub(r"\b(\w+)(?:\{[^}]*\})?\s*\(", r"\1(", text)
    if RAW.search(bare):
        errors.append("says of its own who owns a cell: %s" % flat(bare[RAW.search(bare).start():][:60]))
    for m in re.finditer(r"\b(\w+)\(", bare):
        name, args = m[1], parts(inside(bare, m.end()))
        if name in READS or name.startswith("own_") and not RAW.match(m[0]):
            target = names.get(args[0])
            if target:
                found.append(("own" if name.startswith("own_") else "reads", target))
            else:
                errors.append("%s of %s, which is no parameter as it stands" % (name, args[0]))
        elif name in APART:
            found.append(("apart", frozenset(names.get(args[i], "") for i in APART[name])))
        elif name in known:
            parameters, body = known[name]
            inner = {p: names[a] for p, a in zip(parameters, args) if a in names}
            found += claims(body, known, inner, errors)
    return found


def check(ast):
    """What is wrong, of a unit's text as Frama-C prints it, and {kernel: [its outputs]} of what is not."""
    texts = re.findall(r"/\*@(.*?)\*/", ast, re.S)
    known, errors, owned = predicates("\n".join(texts)), [], {}
    for name, (parameters, text) in known.items():
        if name.startswith("own_") and not one_equation(parameters, text):
            errors.append("%s: not of the form held(y, n) && (\\forall integer k; 0 <= k < n ==> owner(y + k, .., "
                          "..)), so that it might contradict itself" % name)
        if name in READS and re.search(r"\b(owner|own_\w+)\(", text):
            errors.append("%s: says that somebody owns what all may read" % name)
    for m in re.finditer(r"\b(axiom|ensures|admit)\b([^\0]*?);\s*(?=(?:requires|assigns|ensures|terminates|axiom|"
                         r"lemma|logic|predicate|behavior)\b|\}|\0)", "\0".join(texts) + "\0"):
        said = "%s %s" % (m[1], flat(m[2]))
        if (RAW.search(m[2]) or re.search(r"\bown_\w+\s*\(", m[2])) and said not in ASSUMED:
            errors.append("assumed: who owns a cell: %s" % said[:90])
    for contract, name, parameters in KERNEL.findall(ast):
        pointers = re.findall(r"float(?: const)? \*(?:const )?(\w+)", parameters)
        wrong, requires = [], " ".join(re.findall(r"\brequires\b(.*?);\s*(?=requires|assigns|ensures|terminates|$)",
                                                  contract, re.S))
        made = claims(requires, known, {p: p for p in pointers}, wrong)
        for p in pointers:
            kinds = [k for k, target in made if target == p]
            if len(kinds) > 1:
                wrong.append("%s is said more than once to be of: %s" % (p, ", ".join(kinds)))
        of = {kind: {target for k, target in made if k == kind} for kind in ("own", "reads", "apart")}
        wrong += ["%s has owners, and may overlap %s" % (p, q) for p in sorted(of["own"])
                  for q in sorted((of["own"] | of["reads"]) - {p}) if frozenset((p, q)) not in of["apart"]]
        errors += ["%s: %s" % (name, w) for w in wrong]
        if not wrong:
            owned[name] = [p for k, p in made if k == "own"]
    return errors, owned


GOOD = """
/*@
predicate R(float *p) = own_b(p) == -1;

*/
/*@
predicate reads{L}(float *x, integer n) =
  0 <= n <= 9 && \\valid_read(x + (0 .. n - 1)) && perm_r(x, n);

*/
/*@
predicate own_quads{L}(float *y, integer n) =
  held(y, n) && (\\forall integer k; 0 <= k < n ==> owner(y + k, k / 4, -1));

*/
/*@
predicate own_rows{L}(float *y, integer rows, integer cols) =
  held(y, ix(rows, cols, 0)) &&
  (\\forall integer r, integer c;
     0 <= r < rows ==> 0 <= c < cols ==> owner(y + (ix(r, cols, 0) + c), r, c % 32));

*/
/*@ ensures is_shared(\\old(s), \\old(n));
    assigns \\nothing; */
void share_(float *s, int n);

/*@ requires is_shared(s, n);
    ensures
      \\forall integer k;
        0 <= k < \\old(n) ==> own_in(\\old(s) + k, \\result) == 32 * k;
    assigns \\nothing;
 */
int leaders_(float *s, int n);

/*@ requires is_shared(s, 2 * n);
    ensures
      \\forall integer k;
        0 <= k < \\old(n) ==>
        own_in(\\old(s) + k, \\result) == k &&
        own_in(\\old(s) + (\\old(n) + k), \\result) == k;
    assigns \\nothing;
 */
int pairs_(float *s, int n);

/*@
predicate size{L}
  (float *a, float *b, integer n) =
  reads(a, n) && apart(a, n, b, n);

*/
static void one(float *y, idx mb_, idx mt_)
{
}

/*@ requires size(x, y, n) && 0 <= n;
    requires own_quads(y, n);
    ensures same{Pre, Post}(y, n);
    assigns *(y + (0 .. n - 1)); */
void good(float const *x, float *y, idx n)
{
}
"""
BROKEN = [  # (what is found, what to replace, by what)
    ("good: y is said more than once", "&& 0 <= n;", "&& reads(y, n);"),
    ("good: y is said more than once", "&& 0 <= n;", "&& own_quads(y, n);"),
    ("good: y is said more than once", "apart(a, n, b, n)", "own_quads(b, n)"),
    ("good: own_quads of y + 1", "own_quads(y, n)", "own_quads(y + 1, n)"),
    ("good: y has owners, and may overlap x", "&& apart(a, n, b, n)", ""),
    ("good: y has owners, and may overlap x", "apart(a, n, b, n)", "apart(a, n, a, n)"),
    ("good: says of its own", "&& 0 <= n;", "&& owner(y, 0, 0);"),
    ("good: says of its own", "apart(a, n, b, n)", "R(b)"),
    ("own_quads: not of the form", "0 <= k < n ==>", "0 <= k ==>"),
    ("own_quads: not of the form", "owner(y + k, k / 4, -1)", "owner(y + k, 0, -1) && owner(y + k, 1, -1)"),
    ("own_quads: not of the form", "owner(y + k, k / 4, -1)", "owner(y + k / 2, k, -1)"),
    ("own_quads: not of the form", "owner(y + k, k / 4, -1)", "owner(y + k, own_b(y), -1)"),
    ("own_rows: not of the form", "y + (ix(r, cols, 0) + c), r", "y + (ix(c, cols, 0) + r), r"),
    ("own_rows: not of the form", "y + (ix(r, cols, 0) + c), r", "y + (ix(r, rows, 0) + c), r"),
    ("own_rows: not of the form", "0 <= c < cols", "0 <= c <= cols"),
    ("own_rows: not of the form", "ix(rows, cols, 0)", "ix(rows, 7, 0)"),
    ("own_rows: not of the form", "r, c % 32)", "r, own_t(y))"),
    ("good: says of its own", "&& 0 <= n;", "&& is_shared(y, n);"),
    ("good: says of its own", "&& 0 <= n;", "&& perm_w(x, n);"),
    ("assumed: who owns", "is_shared(\\old(s), \\old(n))", "is_shared(\\old(s), 32)"),
    ("assumed: who owns", "== 32 * k", "== 0 * k"),
    ("assumed: who owns", "own_in(\\old(s) + k, \\result)", "own_in(\\old(s) + k, 7)"),
    ("assumed: who owns", "+ (\\old(n) + k), \\result)", "+ (\\old(n) - k), \\result)"),
    ("assumed: who owns", "ensures same{Pre, Post}(y, n)", "ensures own_quads(y, n)"),
    ("assumed: who owns", "ensures same{Pre, Post}(y, n)",
     "ensures \\forall integer k; 0 <= k ==> owner(y + k, 0, 0)"),
    ("assumed: who owns", "/*@\npredicate R(", "/*@ axiomatic A { axiom a: own_b(0) == 0; } */\n/*@\npredicate R("),
    ("reads: says that somebody", "&& perm_r(x, n)", "&& owner(x, 0, 0)"),
]


def self_test():
    errors, owned = check(GOOD)
    if errors or owned != {"good": ["y"]}:
        raise SystemExit("owners self-test: complains of good text: %s %s" % (errors, owned))
    for what, old, new in BROKEN:
        text = GOOD.replace(old, new, 1)
        errors, _ = check(text)
        if text == GOOD or not any(e.startswith(what) for e in errors):
            raise SystemExit("owners self-test: %s: not found with: %s: %s" % (what, new, errors))
    print("owners self-test: %d faults planted, %d found" % (len(BROKEN), len(BROKEN)))


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        raise SystemExit("owners.py --self-test")
    self_test()
