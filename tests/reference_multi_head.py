"""The part of reference_values.py for multi_head_attention and its gradient, from the formulas of the catalogue.

Rows are lists: of heads side by side, or of one head. No sum is in the table that cancels more than a hundredfold."""
from mpmath import mpf

from reference_attention import forward, gradients
from reference_case import DRAW, INF, NAN, case, draws, f32, flat

SHAPES = ((1, 1, 1, 1, 1, 1), (2, 2, 1, 3, 4, 2), (1, 4, 2, 5, 3, 3), (1, 3, 3, 4, 7, 1), (3, 2, 2, 2, 5, 2))
SMALL = ((1, 1, 1, 1, 1, 1), (1, 1, 1, 2, 1, 1), (1, 2, 1, 1, 2, 1), (2, 1, 1, 1, 2, 1), (1, 1, 1, 2, 2, 1))


def positive(n):
    return [abs(x) for x in draws(n, -2, 1)]


def signed(rows, signs):
    """A matrix whose columns have these signs: with a positive x no sum of a product cancels."""
    return [[sign * x for sign, x in zip(signs, positive(len(signs)))] for _ in range(rows)]


def turned(a):
    return [list(column) for column in zip(*a)]


def product(a, b):
    return [[sum((mpf(x) * mpf(y) for x, y in zip(row, column)), mpf(0)) for column in zip(*b)] for row in a]


def sizes(a):
    return [[abs(mpf(x)) for x in row] for row in a]


def split(rows, batch, heads, d):
    """A row of d for each head and position, heads before positions."""
    n = len(rows) // batch
    return [rows[b * n + i][h * d:(h + 1) * d] for b in range(batch) for h in range(heads) for i in range(n)]


def joined(rows, batch, heads):
    n = len(rows) // (batch * heads)
    return [[x for h in range(heads) for x in rows[(b * heads + h) * n + i]] for b in range(batch) for i in range(n)]


def drawn_mask(n):
    return [[DRAW.choice((0.0, 0.0, 1.0, -2.0)) for _ in range(n)] for _ in range(n)]


def values(shape, causal, masked):
    batch, heads, kv_heads, n, width, d = shape
    group, signs = heads // kv_heads, [DRAW.choice((1, -1)) for _ in range(kv_heads * d)]
    of_q = [signs[h // group * d + c] for h in range(heads) for c in range(d)]
    x, mask = [positive(width) for _ in range(batch * n)], drawn_mask(n)
    wq, wk, wv = signed(width, of_q), signed(width, signs), signed(width, signs)
    wo = [[sign * y for y in row] for sign, row in
          zip(of_q, signed(heads * d, [DRAW.choice((1, -1)) for _ in range(width)]))]
    q, k, v = (split(product(x, w), batch, count, d) for w, count in ((wq, heads), (wk, kv_heads), (wv, kv_heads)))
    o, lse = forward([batch, heads, kv_heads, n, n, d], causal, masked, q, k, v, mask)
    case("multi_head_attention", list(shape), [causal, masked], [flat(w) for w in (x, wq, wk, wv, wo, mask)],
         [flat(product(joined(o, batch, heads), wo)), flat(q), flat(k), flat(v), flat(o), lse])


def what_it_gives():
    """One row, one head and one column: what is not finite, and a row that is blocked."""
    size, one = [1, 1, 1, 1, 1, 1], [1.0]
    for flags, x, wv, wo, mask, outputs in (
            ([0, 0], [2.0], one, [3.0], [1.0], [[6.0], [2.0], [2.0], [2.0], [2.0], [4.0]]),
            ([1, 1], [2.0], one, [3.0], [1.0], [[0.0], [2.0], [2.0], [2.0], [0.0], [-INF]]),
            ([0, 0], one, [INF], [3.0], [0.0], [[INF], [1.0], [1.0], [INF], [INF], [1.0]]),
            ([0, 0], one, one, [NAN], [0.0], [[NAN], [1.0], [1.0], [1.0], [1.0], [1.0]])):
        case("multi_head_attention", size, flags, [x, one, one, wv, wo, mask], outputs)


def pulled(shape, causal, masked, x, wq, wk, wv, wo, mask, kept, g):
    """The gradients, each with what its terms' magnitudes add up to."""
    batch, heads, kv_heads, n, width, d = shape
    q, k, v, o, lse = kept
    go = split(product(g, turned(wo)), batch, heads, d)
    found = gradients([batch, heads, kv_heads, n, n, d], causal, masked, q, k, v, mask, o, lse, go)
    counts = (heads, kv_heads, kv_heads)
    rows = lambda part: [joined([part[i:i + d] for i in range(0, len(part), d)], batch, count) if part else []
                         for part, count in zip(part, counts)]
    both = []
    for parts, of, a, b in ((rows([s.value for s in found]), lambda m: m, x, g),
                            (rows([s.terms for s in found]), sizes, sizes(x), sizes(g))):
        through = [product(part, turned(of(w))) for part, w in zip(parts, (wq, wk, wv))]
        dx = [sum(together) for together in zip(*map(flat, through))]
        both.append([dx] + [flat(product(turned(a), part)) for part in parts] +
                    [flat(product(turned(of(joined(o, batch, heads))), b))])
    return both


def gradient(shape, causal, masked):
    batch, heads, kv_heads, n, width, d = shape
    matrix = lambda rows, cols: [draws(cols, -2, 1) for _ in range(rows)]
    mask = drawn_mask(n)
    while True:
        x, g = matrix(batch * n, width), matrix(batch * n, width)
        wq, wk, wv, wo = (matrix(a, b) for a, b in ((width, heads * d), (width, kv_heads * d), (width, kv_heads * d),
                                                    (heads * d, width)))
        q, k, v = (split([[f32(y) for y in row] for row in product(x, w)], batch, count, d)
                   for w, count in ((wq, heads), (wk, kv_heads), (wv, kv_heads)))
        o, lse = forward([batch, heads, kv_heads, n, n, d], causal, masked, q, k, v, mask)
        kept = q, k, v, [[f32(y) for y in row] for row in o], [f32(y) for y in lse]
        value, terms = pulled(shape, causal, masked, x, wq, wk, wv, wo, mask, kept, g)
        if all(100 * abs(a) >= b for of, by in zip(value, terms) for a, b in zip(of, by)):
            break
    case("multi_head_attention_vjp", list(shape), [causal, masked],
         [flat(w) for w in (x, wq, wk, wv, wo, mask)] + [flat(y) for y in kept[:4]] + [kept[4], flat(g)], value)


def multi_head():
    for shape in SHAPES:
        for causal, masked in ((0, 0), (1, 0), (0, 1), (1, 1)):
            values(shape, causal, masked)
    what_it_gives()
    for shape in SMALL:
        for causal, masked in ((0, 0), (1, 0), (0, 1), (1, 1)):
            gradient(shape, causal, masked)
