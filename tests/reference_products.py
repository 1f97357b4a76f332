"""The part of reference_values.py for products of matrices and what stands on them: linear, ffn, rope, attention."""
from mpmath import mpf, exp, log, sqrt, sin, cos

from reference_case import (DRAW, INF, LARGEST, NAN, ROWS, SOME, case, draws, f32, flat, gelu, gelu_d, more_rows, real,
                            softmax)


# ---- linear, whose bias may cancel; ffn; rope ----

def linear():
    for x in ROWS + more_rows(16):
        n, w = len(x), draws(len(x), -4, 4)
        r, v = real(x), real(w)
        dot = sum(a * b for a, b in zip(r, v))
        for b in (DRAW.choice(SOME), max(-LARGEST, min(LARGEST, f32(-dot)))) if abs(dot) < LARGEST else [1.0]:
            case("linear", [1, n, 1], [], [x, w, [b]], [[dot + mpf(b)]])
        case("linear", [n, 1, 2], [], [x, w[:1] + x[:1], [0.0, 1.0]],
             [flat([[a * v[0], a * r[0] + 1] for a in r])])
        case("linear_vjp", [n, 1, 1], [], [w, w[:1], x], [[a * v[0] for a in r], [dot], [sum(r)]])
        case("linear_vjp", [1, 1, n], [], [w[:1], w, x], [[dot], [a * v[0] for a in r], r])
    for x, y in (([INF, 1.0], INF), ([INF, -INF], NAN), ([1.0, NAN], NAN)):
        case("linear", [1, 2, 1], [], [x, [2.0, 2.0], [1.0]], [[y]])
        case("linear", [1, 1, 1], [], [[1.0], [1.0], x[:1]], [[2.0 if x[0] == 1.0 else INF]])


class Cancels(Exception):
    pass


def total(terms):
    terms = list(terms)
    if sum(map(abs, terms)) > 100 * abs(sum(terms)):
        raise Cancels
    return sum(terms)


def ffn_case(rows, n, hid, out):
    h, w1, w2, g = draws(rows * n, -2, 1), draws(n * hid, -2, 1), draws(hid * out, -3, 3), draws(rows * out, -3, 3)
    x, v, w, c = real(h), real(w1), real(w2), real(g)
    r, i, q, o = range(rows), range(n), range(hid), range(out)
    u = [total(x[k * n + j] * v[j * hid + m] for j in i) for k in r for m in q]
    a = [gelu(s) for s in u]
    y = [total(a[k * hid + m] * w[m * out + p] for m in q) for k in r for p in o]
    at, kept = [f32(s) for s in u], [f32(s) for s in a]
    du = [gelu_d(mpf(at[k * hid + m])) * total(c[k * out + p] * w[m * out + p] for p in o) for k in r for m in q]
    dh = [total(du[k * hid + m] * v[j * hid + m] for m in q) for k in r for j in i]
    dw1 = [total(x[k * n + j] * du[k * hid + m] for k in r) for j in i for m in q]
    dw2 = [total(mpf(kept[k * hid + m]) * c[k * out + p] for k in r) for m in q for p in o]
    case("ffn", [rows, n, hid, out], [], [h, w1, w2], [y, u, a])
    case("ffn_vjp", [rows, n, hid, out], [], [h, w1, w2, at, kept, g], [dh, dw1, dw2])


def ffn():
    """Terms that cancel more than a hundredfold are left out."""
    for size in ((1, 1, 1, 1), (1, 8, 1, 1), (1, 1, 8, 1), (1, 1, 1, 8), (5, 1, 1, 1), (2, 3, 2, 2), (3, 2, 4, 2)) * 4:
        try:
            ffn_case(*size)
        except Cancels:
            pass
    for x, u, a in ((INF, INF, INF), (-INF, -INF, NAN), (NAN, NAN, NAN), (0.0, 0.0, 0.0)):
        case("ffn", [1, 1, 1, 1], [], [[x], [1.0], [2.0]], [[2 * a], [u], [a]])
        case("ffn", [2, 1, 1, 1], [], [[x, 0.0], [1.0], [2.0]], [[2 * a, 0.0], [u, 0.0], [a, 0.0]])
    case("ffn_vjp", [1, 1, 1, 1], [], [[1.0], [2.0], [3.0], [NAN], [5.0], [7.0]], [[NAN], [NAN], [35.0]])
    case("ffn_vjp", [1, 1, 1, 1], [], [[1.0], [2.0], [3.0], [0.0], [5.0], [INF]], [[INF], [INF], [INF]])


def rope():
    """Terms that cancel more than a hundredfold are left out."""
    for seq, heads, half, base, offset in ((3, 2, 2, 10000.0, 0), (2, 1, 3, 10000.0, 511), (4, 1, 1, 0.5, 7),
                                           (2, 2, 4, 500000.0, 100), (5, 1, 2, 1.0, 0), (3, 1, 2, f32(1e-3), 1),
                                           (2, 1, 3, 10000.0, 131071), (2, 1, 2, f32(1e-3), 999999),
                                           (1, 1, 4, 500000.0, 2**32 + 17), (1, 2, 3, 10000.0, 2**53 - 1)):
        for table in (0, 1):
            freq = draws(half, -6, 0)
            for op, way in (("rope", 1), ("rope_vjp", -1)):
                x, y = [], []
                for p in [offset + s for s in range(seq) for _ in range(heads)]:
                    row, turned = rope_row(half, way * p, [mpf(f) if table else mpf(base)**(-mpf(i) / half)
                                                           for i, f in enumerate(freq)])
                    x, y = x + row, y + turned
                case(op, [1, seq, heads, 2 * half], [table, base, offset],
                     [x, freq] if op == "rope" else [freq, x], [y])
    case("rope", [1, 1, 1, 2], [1, 1.0, 0], [[INF, 1.0], [1.0]], [[INF, NAN]])
    case("rope", [1, 1, 1, 2], [1, 1.0, 1], [[1.0, NAN], [1.0]], [[NAN, NAN]])


def rope_row(half, position, freq):
    x, y = [None] * (2 * half), [None] * (2 * half)
    for i, f in enumerate(freq):
        c, s = cos(position * f), sin(position * f)
        while True:
            a, b = draws(2, -20, 20)
            first, second = mpf(a) * c - mpf(b) * s, mpf(b) * c + mpf(a) * s
            if all(100 * abs(y) >= abs(p) + abs(q) for y, p, q in ((first, a * c, b * s), (second, b * c, a * s))):
                break
        x[i], x[half + i], y[i], y[half + i] = a, b, first, second
    return x, y


# ---- attention: of weighed values, and of logarithms, that cancel more than a hundredfold none is in the table ----

def attended(q, keys, values):
    """Of a query and the keys that are open to it: the output, lse, and whether nothing cancels much."""
    d = len(q)
    if not keys:
        return [mpf(0)] * d, -INF, True
    scores = [sum((mpf(a) * mpf(b) for a, b in zip(q, k)), mpf(0)) / (sqrt(d) if d else 1) for k in keys]
    weights, m = softmax(scores), max(scores)
    y = [sum(w * mpf(v[c]) for w, v in zip(weights, values)) for c in range(d)]
    lse = m + log(sum(exp(s - m) for s in scores))
    mild_y = all(100 * abs(y[c]) >= sum(abs(w * v[c]) for w, v in zip(weights, values)) for c in range(d))
    return y, lse, mild_y and (100 * abs(lse) >= max(map(abs, scores)) or d == 0)


def a_query(d, power, keys, values):
    while True:
        q = draws(d, -3, power)
        y, lse, fits = attended(q, keys, values)
        if fits:
            return q, y, lse


def heads_of(n, rows, d, power):
    return [[draws(d, -3, power) for _ in range(rows)] for _ in range(n)]


def whole(heads):
    return [x for rows in heads for x in flat(rows)]


def attention():
    shapes = ((1, 1, 1, 1, 1, 1, 0), (1, 1, 1, 2, 5, 3, 1), (2, 4, 2, 3, 4, 2, 0), (1, 6, 1, 4, 3, 5, 1),
              (1, 2, 2, 3, 9, 8, 2), (2, 1, 1, 5, 2, 4, 2), (1, 1, 1, 2, 17, 1, 3), (1, 2, 1, 3, 0, 2, 0),
              (1, 1, 1, 2, 3, 0, 0))
    for batch, heads, kv_heads, nq, nk, d, power in shapes:
        k, v = (heads_of(batch * kv_heads, nk, d, p) for p in (power, 4))
        for causal in (0, 1):
            for masked in (0, 1):
                mask = [[DRAW.choice((0.0, 0.0, 1.0, -2.0)) for _ in range(nk)] for _ in range(nq)]
                q, y, lse = [], [], []
                for z in range(batch * heads):
                    own = z // (heads // kv_heads)
                    for i in range(nq):
                        seen = [j for j in range(nk) if (not causal or j <= i + nk - nq) and
                                (not masked or mask[i][j] == 0)]
                        query, out, log_sum = a_query(d, power, [k[own][j] for j in seen], [v[own][j] for j in seen])
                        q, y, lse = q + query, y + out, lse + [log_sum]
                case("sdpa", [batch, heads, kv_heads, nq, nk, d], [causal, masked],
                     [q, whole(k), whole(v), flat(mask)], [y, lse])
        for count in sorted({0, nk // 2, nk}):
            q, y = [], []
            for z in range(batch * heads):
                own = z // (heads // kv_heads)
                query, out, _ = a_query(d, power, k[own][:count], v[own][:count])
                q, y = q + query, y + out
            seen = lambda x: whole([rows[:count] + [[NAN] * d] * (nk - count) for rows in x])
            case("decode_sdpa", [batch, heads, kv_heads, nk, d], [count], [q, seen(k), seen(v)], [y])
    what_attention_gives()


def what_attention_gives():
    """Of what is not finite, open and blocked: one query, d = 1, scores q k."""
    for ks, vs, mask, y, lse in (([1.0, NAN], [2.0, 3.0], [0.0, 0.0], NAN, NAN),
                                 ([NAN, 1.0], [3.0, 2.0], [0.0, 0.0], NAN, NAN),
                                 ([1.0, NAN], [2.0, NAN], [0.0, 1.0], 2.0, 1.0),
                                 ([INF, 1.0], [INF, 2.0], [NAN, 0.0], 2.0, 1.0),
                                 ([INF, 1.0], [2.0, 3.0], [0.0, 0.0], NAN, NAN),
                                 ([-INF, 1.0], [3.0, 2.0], [0.0, 0.0], 2.0, 1.0),
                                 ([1.0, -INF], [2.0, 3.0], [0.0, 0.0], 2.0, 1.0),
                                 ([-INF, -INF], [2.0, 3.0], [0.0, 0.0], NAN, NAN),
                                 ([1.0, 1.0], [INF, 2.0], [0.0, 0.0], INF, 1 + log(mpf(2))),
                                 ([1.0, 1.0], [INF, -INF], [0.0, 0.0], NAN, 1 + log(mpf(2))),
                                 ([1.0, -INF], [2.0, INF], [0.0, 0.0], NAN, 1.0),
                                 ([1.0, 1.0], [2.0, NAN], [0.0, 0.0], NAN, 1 + log(mpf(2))),
                                 ([NAN, INF], [2.0, NAN], [1.0, NAN], 0.0, -INF)):
        case("sdpa", [1, 1, 1, 1, 2, 1], [0, 1], [[1.0], ks, vs, mask], [[y], [lse]])
        if mask == [0.0, 0.0]:
            case("decode_sdpa", [1, 1, 1, 2, 1], [2], [[1.0], ks, vs], [[y]])
    case("sdpa", [1, 1, 1, 2, 1, 1], [0, 0], [[NAN, 1.0], [1.0], [2.0], [1.0, 1.0]], [[NAN, 2.0], [NAN, 1.0]])
