"""Writes tests/reference_values.tsv: what the reference functions must give, computed with 1200 bits.

    python3 tests/reference_values.py > tests/reference_values.tsv

Needs mpmath (PyPI; Debian's python3-mpmath). The test, test_reference.c, reads the table alone. A line is a
case: op, sizes, attributes, inputs, outputs, separated by tabs; a tensor is its elements with spaces between
them, and tensors are separated by semicolons. Numbers are hexadecimal; an output is the real value rounded to
double. The formulas are written here from the catalogue's meanings, not from ref/.
"""
import sys

from mpmath import mp, mpf, exp, log, log1p, sqrt, tanh, sin, cos, pi

from reference_case import (DRAW, FAR, INF, LARGEST, NAN, ROWS, SOME, around, case, draws, f32, flat, gelu,
                            gelu_d, more_rows, real, softmax, step)
from reference_attention import attention_vjp
from reference_multi_head import multi_head
from reference_products import attention, ffn, linear, rope
from reference_spectral import spectral
from reference_windows import convolutions, pools, smooth_pools

# ---- elementwise ----

WIDTH = 6  # elements a line


def each(op, f, inputs, attrs=()):
    """f: of an element's inputs and the attributes, all mpf, a tuple of outputs. inputs: a tuple an element."""
    for at in range(0, len(inputs), WIDTH):
        part = inputs[at:at + WIDTH]
        outs = [f(*real(x), *real(attrs)) for x in part]
        outs = [o if isinstance(o, tuple) else (o,) for o in outs]
        case(op, [len(part)], attrs, list(zip(*part)), list(zip(*outs)))


def kinds(op, rows, attrs=()):
    """rows: inputs and outputs of an element, written out: of what is not finite, and of 0."""
    ins, outs = [list(zip(*part)) for part in zip(*[(r[0], r[1]) for r in rows])]
    case(op, [len(rows)], attrs, ins, outs)


def of_a(op, *rows, attrs=()):
    kinds(op, [((a,), (y,)) for a, y in rows], attrs)


POSITIVE = [2.0**-149, 3 * 2.0**-140, f32(2.0**-126 - 2.0**-149), 2.0**-126, f32(1e-38), f32(1e-30), f32(1e-20),
            f32(1e-10), f32(1e-7), 2.0**-24, f32(1e-5), f32(1e-3), f32(0.1), 0.25, 0.5, f32(0.7), step(1.0, -1), 1.0,
            step(1.0), f32(1.3), 2.0, f32(3.7), 5.0, f32(6.3), 7.5, f32(9.01), 10.0, f32(13.9), f32(17.3), 20.0, 37.0,
            50.0, f32(87.33), f32(88.7), 89.0, f32(103.9), 104.0, 150.0, f32(1e3), f32(12345.678), f32(1e6), f32(1e10),
            f32(1e15), f32(1e20), f32(1e30), LARGEST]
SIGNED = [s * x for x in POSITIVE for s in (1, -1)]

def with_g(values, parts=1):
    return [(x, SOME[(i * 3 + k) % len(SOME)]) for i, x in enumerate(values) for k in range(parts)]


def sigmoid(a):
    return 1 / (1 + exp(-a)) if abs(a) < FAR else mpf(a > 0)


def softplus(a):
    return log1p(exp(a)) if abs(a) < FAR else max(a, mpf(0))


def silu_d(a):
    return sigmoid(a) * (1 + a * sigmoid(-a)) if abs(a) < FAR else mpf(a > 0)


def elementwise():
    pairs = list(zip(draws(60), draws(60))) + [(x, DRAW.choice(SIGNED)) for x in SIGNED] + \
        [(x, -step(x, k)) for x in POSITIVE[1:-1:5] for k in (0, 1, -1)]
    trios = [(a, b, DRAW.choice(SOME)) for a, b in pairs]
    each("add", lambda a, b: a + b, pairs)
    each("sub", lambda a, b: a - b, pairs)
    each("mul", lambda a, b: a * b, pairs)
    each("mul_vjp", lambda a, b, g: (g * b, g * a), trios)
    each("div", lambda a, b: a / b, pairs)
    each("div_vjp", lambda a, b, g: (g / b, -g * a / b**2), trios)
    for c in (f32(0.1), f32(-1e20)):
        each("scale", lambda a, c: c * a, [(a,) for a in SIGNED[::3]], [c])
        each("scale_vjp", lambda a, c: c * a, [(a,) for a in SIGNED[1::4]], [c])
        each("axpy", lambda a, b, c: a + c * b, pairs[::2] + [(f32(-c * b), b) for b in draws(12, -8, 8)], [c])
        each("axpy_vjp", lambda g, c: (g, c * g), [(a,) for a in SIGNED[2::4]], [c])
    each("abs_vjp", lambda a, g: g * mp.sign(a), with_g(SIGNED[::9] + [0.0]))
    each("sqrt", sqrt, [(a,) for a in POSITIVE])
    each("sqrt_vjp", lambda y, g: g / (2 * y), with_g(POSITIVE))
    each("rsqrt", lambda a: 1 / sqrt(a), [(a,) for a in POSITIVE])
    each("rsqrt_vjp", lambda y, g: -g * y**3 / 2, with_g(SIGNED))
    each("reciprocal", lambda a: 1 / a, [(a,) for a in SIGNED])
    each("reciprocal_vjp", lambda y, g: -g * y**2, with_g(SIGNED))


def activation():
    ends = around(88.72284) + around(-87.33655) + around(-103.97208) + around(17.32868) + around(-16.6355)
    one = [(a,) for a in SIGNED + ends + draws(40, -3, 4)]
    tails = [(f32(-a),) for a in (5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12, 12.9, 13.5, 14, 14.05)]
    each("exp", exp, [a for a in one if a[0] < 700])
    each("log", log, [(a,) for a in POSITIVE + around(1, 6) + [f32(abs(x)) for x in draws(30, -126, 126)]])
    each("sigmoid", sigmoid, one)
    each("tanh", tanh, one + [(a,) for a in around(9.01091385)])
    each("softplus", softplus, one)
    each("silu", lambda a: a * sigmoid(a), one + tails)
    each("gelu", gelu, one + tails)
    each("exp_vjp", lambda y, g: g * y, with_g(POSITIVE))
    each("log_vjp", lambda a, g: g / a, with_g(POSITIVE))
    unit = [x for x in POSITIVE if x <= 1] + around(1, 4)[:5] + around(0.5)
    each("sigmoid_vjp", lambda y, g: g * y * (1 - y), with_g(unit, 2))
    each("tanh_vjp", lambda y, g: g * (1 - y * y), with_g(unit + [-y for y in unit], 2) + with_g([f32(3.5), f32(1e20)]))
    vjp = with_g([a for (a,) in one + tails])
    each("softplus_vjp", lambda a, g: g * sigmoid(a), vjp)
    each("silu_vjp", lambda a, g: g * silu_d(a), vjp + with_g(around(-1.2784645, 4)))
    each("gelu_vjp", lambda a, g: g * gelu_d(a), vjp + with_g(around(-0.7517916, 4)))
    for eps in (2.0**-20, f32(1e-30), 2.0**-149, 0.25):
        root = [(a,) for a in around(float(log(exp(1 - mpf(eps)) - 1)), 3)]
        each("safe_log", lambda a, e: log(softplus(a) + e), one[::2] + root, [eps])
        each("safe_log_vjp", lambda a, g, e: g * sigmoid(a) / (softplus(a) + e), vjp[::2], [eps])


# ---- what is not finite, and 0 ----

def special():
    ln2 = log(mpf(2))
    of_a("exp", (NAN, NAN), (INF, INF), (-INF, 0.0), (0.0, 1.0))
    of_a("log", (NAN, NAN), (INF, INF), (-INF, NAN), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (1.0, 0.0))
    of_a("sigmoid", (NAN, NAN), (INF, 1.0), (-INF, 0.0), (0.0, 0.5), (-LARGEST, 0.0))
    of_a("tanh", (NAN, NAN), (INF, 1.0), (-INF, -1.0), (0.0, 0.0))
    of_a("softplus", (NAN, NAN), (INF, INF), (-INF, 0.0), (0.0, ln2))
    of_a("silu", (NAN, NAN), (INF, INF), (-INF, NAN), (0.0, 0.0), (LARGEST, LARGEST), (-LARGEST, 0.0))
    of_a("gelu", (NAN, NAN), (INF, INF), (-INF, NAN), (0.0, 0.0), (LARGEST, LARGEST), (-LARGEST, 0.0))
    of_a("safe_log", (NAN, NAN), (INF, INF), (-INF, -2 * ln2), (-LARGEST, -2 * ln2), attrs=[0.25])
    of_a("sqrt", (NAN, NAN), (INF, INF), (-1.0, NAN), (0.0, 0.0), (-0.0, 0.0))
    of_a("rsqrt", (NAN, NAN), (INF, 0.0), (-1.0, NAN), (0.0, INF))
    of_a("reciprocal", (NAN, NAN), (INF, 0.0), (0.0, INF), (-0.0, -INF))
    of_a("relu", (NAN, NAN), (INF, INF), (-INF, 0.0), (0.0, 0.0))
    of_a("neg", (NAN, NAN), (INF, -INF), (2.0, -2.0))
    of_a("abs", (NAN, NAN), (-INF, INF), (-2.0, 2.0), (0.0, 0.0))
    of_a("clamp", (NAN, NAN), (INF, 2.0), (-INF, -1.0), (0.5, 0.5), attrs=[-1.0, 2.0])
    for op in ("silu_vjp", "gelu_vjp"):
        kinds(op, [((NAN, 1.0), (NAN,)), ((0.0, 3.0), (1.5,)), ((f32(1e20), 3.0), (3.0,)), ((f32(-1e20), 3.0), (0.0,)),
                   ((LARGEST, -2.0), (-2.0,)), ((-LARGEST, 3.0), (0.0,)), ((1.0, NAN), (NAN,))])
    kinds("relu_vjp", [((NAN, 3.0), (3.0,)), ((0.0, 3.0), (0.0,)), ((1.0, NAN), (NAN,)), ((-1.0, INF), (0.0,))])
    kinds("abs_vjp", [((NAN, 3.0), (0.0,)), ((-INF, 3.0), (-3.0,)), ((0.0, 3.0), (0.0,))])
    kinds("clamp_vjp", [((NAN, 3.0), (0.0,)), ((-1.0, 3.0), (3.0,)), ((2.0, 3.0), (3.0,)), ((step(2.0), 3.0), (0.0,))],
          [-1.0, 2.0])
    kinds("div", [((1.0, 0.0), (INF,)), ((-1.0, 0.0), (-INF,)), ((0.0, 0.0), (NAN,)), ((1.0, INF), (0.0,))])
    kinds("add", [((INF, -INF), (NAN,)), ((INF, 1.0), (INF,)), ((1.0, NAN), (NAN,))])
    kinds("mul", [((INF, 0.0), (NAN,)), ((INF, -1.0), (-INF,))])
    two = [(NAN, 1.0), (1.0, NAN), (1.0, 1.0), (1.0, 2.0), (-INF, INF)]
    for op, best in (("maximum", max), ("minimum", min)):
        kinds(op, [((a, b), (NAN if a != a or b != b else best(a, b),)) for a, b in two])
        part = [((3.0, 3.0) if a != a or b != b else (1.5, 1.5) if a == b else (3.0, 0.0) if best(a, b) == a else
                 (0.0, 3.0)) for a, b in two]
        kinds(op + "_vjp", [((a, b, 3.0), p) for (a, b), p in zip(two, part)])
    for x, y, z in (([INF, 0.0], [NAN, NAN], [NAN, NAN]), ([-INF, -INF], [NAN, NAN], [NAN, NAN]),
                    ([-INF, 5.0], [0.0, 1.0], [-INF, 0.0]), ([NAN, 0.0], [NAN, NAN], [NAN, NAN])):
        case("softmax", [1, 2], [], [x], [y])
        case("log_softmax", [1, 2], [], [x], [z])
        case("masked_softmax", [1, 3], [], [x + [NAN], [0.0, 0.0, 1.0]], [y + [0.0]])
    case("masked_softmax", [1, 2], [], [[NAN, INF], [1.0, 1.0]], [[0.0, 0.0]])
    case("cross_entropy", [1, 2], [], [[-INF, 5.0], [0]], [[INF]])
    case("cross_entropy", [1, 2], [], [[-INF, 5.0], [1]], [[0.0]])
    case("cross_entropy_vjp", [1, 2], [], [[-INF, 5.0], [0], [3.0]], [[-3.0, 3.0]])
    case("cross_entropy", [0, 2], [], [[], []], [[NAN]])
    for x, y in (([INF, 1.0], INF), ([INF, -INF], NAN), ([1.0, NAN], NAN), ([-INF, -1.0], -INF)):
        case("sum", [2], [], [x], [[y]])
        case("mean", [2], [], [x], [[y]])
        case("sum_axis", [1, 2, 1], [], [x], [[y]])
        case("add_bias_vjp", [2, 1], [], [x], [x, [y]])
        case("matmul", [1, 2, 1], [0, 0, 1.0], [x, [2.0, 2.0]], [[y]])
        case("layer_norm", [1, 2], [1.0], [x, [1.0] * 2, [0.0] * 2], [[NAN] * 2, [y], [NAN]])
    case("rms_norm", [1, 2], [0, 1.0], [[INF, 1.0], [1.0, 1.0]], [[NAN, 0.0], [0.0]])
    case("rms_norm", [1, 2], [0, 1.0], [[1.0, NAN], [1.0, 1.0]], [[NAN, NAN], [NAN]])
    case("sum", [0], [], [[]], [[0.0]])
    case("mean", [0], [], [[]], [[NAN]])
    case("max_axis", [1, 3, 1], [], [[1.0, NAN, 2.0]], [[NAN]])
    case("max_axis", [1, 3, 1], [], [[-INF, INF, 2.0]], [[INF]])
    case("max_axis_vjp", [1, 3, 1], [], [[1.0, NAN, 2.0], [NAN], [3.0]], [[NAN] * 3])
    case("rms_norm_vjp", [1, 2], [0], [[1.0, 2.0], [1.0] * 2, [1.0], [INF, 0.0]], [[NAN, -INF], [0.0, 0.0]])


# ---- rows ----

def log_softmax(x):
    m = max(x)
    k = x.index(m)
    rest = sum(exp(v - m) for i, v in enumerate(x) if i != k)
    return [v - m - log1p(rest) for v in x]


def mean(x):
    return sum(x, mpf(0)) / len(x)


def alike(rows):
    """The rows, stacked where they are of one length."""
    lengths = sorted({len(r) for r in rows})
    return [[r for r in rows if len(r) == n] for n in lengths]


def mild(r):
    """Sums by index and over broadcast axes are added up one by one, as they come: of these the table holds what
    does not cancel more than a thousandfold."""
    return 1000 * abs(sum(r)) >= sum(abs(v) for v in r)


def by_index(x, r, n):
    case("broadcast_to_vjp", [1] * 8 + [n] + [1] * 7, [1], [x], [[sum(r)]])
    case("gather_rows_vjp", [1, 1, n], [], [[0] * n, x], [[sum(r)]])
    case("gather_vjp", [1, n], [], [[0] * n, x], [[sum(r)]])
    if n > 1:
        case("scatter_add_rows", [1, 1, n - 1], [], [x[:1], [0] * (n - 1), x[1:]], [[sum(r)]])
        case("scatter_add", [1, n - 1], [], [x[:1], [0] * (n - 1), x[1:]], [[sum(r)]])


def row_ops():
    rows = ROWS + more_rows(16) + more_rows(6, -30, 30)
    for x in rows:
        r = real(x)
        n = len(x)
        g = draws(n, -4, 4)
        dot = real(g)
        case("softmax", [1, n], [], [x], [softmax(r)])
        case("log_softmax", [1, n], [], [x], [log_softmax(r)])
        y = [f32(v) for v in softmax(r)]
        for h in (g, [1.0] * n, [f32(0.1)] * n):
            s = sum(a * b for a, b in zip(real(h), real(y)))
            out = [b * (a - s) for a, b in zip(real(h), real(y))]
            case("softmax_vjp", [1, n], [], [y, h], [out])
            case("masked_softmax_vjp", [1, n], [], [y, h], [[v if b else mpf(0) for v, b in zip(out, y)]])
            z = [max(f32(v), -LARGEST) for v in log_softmax(r)]
            case("log_softmax_vjp", [1, n], [], [z, h], [[a - exp(b) * sum(real(h)) for a, b in zip(real(h), real(z))]])
        mask = [float(i % 3 == 1) for i in range(n)]
        some = softmax([v for v, b in zip(r, mask) if not b])
        case("masked_softmax", [1, n], [], [x, mask], [[mpf(0) if b else some.pop(0) for b in mask]])
        for t in {0, n // 2, n - 1}:
            loss = -log_softmax(r)[t]
            rest = [v for i, v in enumerate(softmax(r)) if i != t]
            dx = [-sum(rest, mpf(0)) if i == t else v for i, v in enumerate(softmax(r))]
            case("cross_entropy", [1, n], [], [x, [t]], [[loss]])
            case("cross_entropy_vjp", [1, n], [], [x, [t], [f32(0.3)]], [[mpf(f32(0.3)) * v for v in dx]])
            case("cross_entropy_grad", [1, n], [], [x, [t]], [[loss], dx])
        case("sum", [n], [], [x], [[sum(r)]])
        case("mean", [n], [], [x], [[mean(r)]])
        case("add_bias_vjp", [n, 1], [], [x], [x, [sum(r)]])
        if mild(r):
            by_index(x, r, n)
        case("matmul", [1, n, 1], [0, 0, f32(0.7)], [x, g], [[mpf(f32(0.7)) * sum(a * b for a, b in zip(r, dot))]])
        case("matmul_vjp", [n, 1, n], [0, 0, f32(-1.3)], [g, x, flat([[a] * n for a in g])],
             [[mpf(f32(-1.3)) * a * sum(r) for a in dot],
              [mpf(f32(-1.3)) * sum(a * a for a in dot)] * n])
        case("bmm", [2, 1, n, 1], [0, 0, 1.0], [x + g, g + g], [[sum(a * b for a, b in zip(v, dot)) for v in (r, dot)]])
        case("bmm_vjp", [1, n, 1, n], [0, 0, -2.0], [g, x, flat([[a] * n for a in g])],
             [[-2 * a * sum(r) for a in dot], [-2 * sum(a * a for a in dot)] * n])
        t = [f32(v + DRAW.uniform(-1, 1)) for v in x]
        d = [a - b for a, b in zip(r, real(t))]
        case("mse_loss", [n], [], [x, t], [[mean([v * v for v in d])]])
        case("mse_loss_vjp", [n], [], [x, t, [f32(1.7)]], [[2 * mpf(f32(1.7)) * v / n for v in d],
                                                          [-2 * mpf(f32(1.7)) * v / n for v in d]])
        case("mean_vjp", [n], [], [x[:1]], [[r[0] / n] * n])
    for stack in alike(rows):
        x, k, n = flat(stack), len(stack), len(stack[0])
        turned = [stack[i][j] for j in range(n) for i in range(k)]
        case("sum_axis", [k, n, 1], [], [x], [[sum(real(r)) for r in stack]])
        case("mean_axis", [1, n, k], [], [turned], [[mean(real(r)) for r in stack]])
        case("mean_axis_vjp", [k, n, 1], [], [[r[0] for r in stack]], [flat([[mpf(r[0]) / n] * n for r in stack])])
        case("max_axis_vjp", [k, n, 1], [], [x, [max(r) for r in stack], [f32(0.3)] * k],
             [flat([[mpf(f32(0.3)) / r.count(max(r)) if a == max(r) else mpf(0) for a in r] for r in stack])])
        case("cross_entropy", [k, n], [], [x, [n - 1] * k], [[mean([-log_softmax(real(r))[n - 1] for r in stack])]])
        case("add_bias", [k, n], [], [x, stack[0]], [flat([[a + b for a, b in zip(real(r), real(stack[0]))]
                                                         for r in stack])])
        case("scatter_add_row", [k, n], [], [x, [k - 1], stack[0]],
             [real(flat(stack[:-1])) + [a + b for a, b in zip(real(stack[-1]), real(stack[0]))]])
    case("gather_row_vjp", [2, 2], [], [[1], [f32(0.1), f32(0.2)]], [[mpf(0), mpf(0), f32(0.1), f32(0.2)]])
    case("gather_scalar_vjp", [3], [], [[1], [f32(0.1)]], [[mpf(0), f32(0.1), mpf(0)]])
    case("scatter_add_scalar", [2], [], [[1.0, f32(1e10)], [1], [f32(0.1)]], [[mpf(1), mpf(f32(1e10)) + mpf(f32(0.1))]])


# ---- normalizations ----

def stats(x, eps, centered=True):
    m = mean(x) if centered else mpf(0)
    return m, 1 / sqrt(mean([(v - m)**2 for v in x]) + eps)


def norm_dx(x, gamma, m, r, g, centered=True):
    G = [a * b for a, b in zip(g, gamma)]
    h = [(v - m) * r for v in x]
    c = mean([a * b for a, b in zip(G, h)])
    b = mean(G) if centered else mpf(0)
    return [r * (a - b - k * c) for a, k in zip(G, h)], [a * k for a, k in zip(g, h)]


def norms():
    rows = [r for r in ROWS if len(r) > 1] + more_rows(12) + more_rows(4, -30, 30) + \
        [[f32(1e-20), f32(-3e-20)], [100.0, f32(100.5), f32(99.5), 100.0], [f32(1e7), f32(1e7 + 1), f32(1e7 + 3)]]
    for i, x in enumerate(rows):
        eps = (f32(1e-5), f32(1e-12), 2.0**-149, 1.0)[i % 4]
        n, r = len(x), real(x)
        gamma, beta, g = draws(n, -2, 2), draws(n, -2, 2), draws(n, -2, 2)
        a, b, w = real(gamma), real(beta), real(g)
        m, s = stats(r, mpf(eps))
        case("layer_norm", [1, n], [eps], [x, gamma, beta],
             [[(v - m) * s * p + q for v, p, q in zip(r, a, b)], [m], [s]])
        case("layer_norm", [1, n], [eps], [x, gamma, [0.0] * n], [[(v - m) * s * p for v, p in zip(r, a)], [m], [s]])
        case("batch_norm", [1, 1, n], [eps], [x, gamma[:1], beta[:1]],
             [[(v - m) * s * a[0] + b[0] for v in r], [m], [s]])
        case("batch_norm", [n, 1, 1], [eps], [x, gamma[:1], beta[:1]],
             [[(v - m) * s * a[0] + b[0] for v in r], [m], [s]])
        q = stats(r, mpf(eps), False)[1]
        case("rms_norm", [1, n], [1, eps], [x, gamma], [[v * q * p for v, p in zip(r, a)], [q]])
        case("rms_norm", [1, n], [0, eps], [x, gamma], [[v * q for v in r], [q]])
        m, s, q = f32(m), f32(min(s, mpf(LARGEST))), f32(min(q, mpf(LARGEST)))
        dx, dg = norm_dx(r, a, mpf(m), mpf(s), w)
        case("layer_norm_vjp", [1, n], [], [x, gamma, [m], [s], g], [dx, dg, g])
        case("layer_norm_vjp", [n, 1], [], [x, gamma[:1], [m] * n, [s] * n, g],
             [[-a[0] * w[i] * (r[i] - mpf(m))**2 * mpf(s)**3 for i in range(n)], [sum(dg)], [sum(w)]])
        dx, _ = norm_dx(r, a, mpf(0), mpf(q), w, False)
        case("rms_norm_vjp", [1, n], [1], [x, gamma, [q], g], [dx, [u * v * mpf(q) for u, v in zip(w, r)]])
        dx, dg = norm_dx(r, [a[0]] * n, mpf(m), mpf(s), w)
        case("batch_norm_vjp", [1, 1, n], [], [x, gamma[:1], [m], [s], g], [dx, [sum(dg)], [sum(w)]])
        case("batch_norm_vjp", [n, 1, 1], [], [x, gamma[:1], [m], [s], g], [dx, [sum(dg)], [sum(w)]])


# ---- optimizers ----

def adamw(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2):
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    return p * (1 - lr * decay) - lr * c1 * m / (sqrt(c2 * v) + eps), m, v


def optimizers():
    n = 40
    data = list(zip(draws(n), draws(n), draws(n), [abs(x) for x in draws(n)])) + \
        list(zip(draws(n, -8, 2), draws(n, -8, 2), draws(n, -8, 2), [abs(x) for x in draws(n, -12, 2)])) + \
        [(1.0, 2.0**-149, 0.0, 0.0), (1.0, f32(1e20), f32(-1e20), f32(3e38)), (0.0, f32(1e-30), f32(1e-30), 2.0**-149)]
    for lr in (f32(1e-3), 1.0):
        each("sgd_step", lambda p, g, lr: p - lr * g,
             [d[:2] for d in data] + [(f32(lr * x), x) for x in draws(6, -3, 3)], [lr])
    for lr, b1, b2, eps, t in ((f32(1e-3), f32(0.9), f32(0.999), f32(1e-8), 1), (0.125, 0.5, f32(0.99), 2.0**-40, 7)):
        c1, c2 = f32(1 / (1 - b1**t)), f32(1 / (1 - b2**t))
        each("adam_step", lambda *x: adamw(*x[:8], 0, *x[8:]), data, [lr, b1, b2, eps, c1, c2])
        each("adamw_step", adamw, data, [lr, b1, b2, eps, f32(0.01), c1, c2])


# ---- random numbers: Philox4x32-10 and Box-Muller ----

def philox(seed, counter):
    c = [counter & 0xffffffff, counter >> 32, 0, 0]
    k = [seed & 0xffffffff, seed >> 32]
    for _ in range(10):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xffffffff, (a >> 32) ^ c[3] ^ k[1], a & 0xffffffff]
        k = [(k[0] + 0x9E3779B9) & 0xffffffff, (k[1] + 0xBB67AE85) & 0xffffffff]
    return c


def word(seed, i):
    return philox(seed, i // 4)[i % 4]


def normal(seed, i):
    even = i // 2 * 2
    u, v = word(seed, even) // 256, word(seed, even + 1) // 256
    angle = 2 * pi * mpf(v) / 2**24
    return sqrt(-2 * log(mpf(u + 1) / 2**24)) * (cos(angle) if i % 2 == 0 else sin(angle))


def random_numbers():
    for seed, offset in ((0, 0), (12345678901, 17), (2**40 + 5, 2**33 + 1)):
        case("rand_normal", [64], [seed, offset], [], [[normal(seed, offset + i) for i in range(64)]])


for values in (elementwise, activation, special, row_ops, norms, optimizers, random_numbers, linear, rope, attention):
    values()
pools(case, lambda: f32(DRAW.gauss(0, 1)), mpf)
ffn()
attention_vjp()
convolutions(case, lambda: f32(DRAW.gauss(0, 1)), mpf)
spectral(case, lambda: f32(DRAW.gauss(0, 1)), mpf, NAN, INF)
smooth_pools(case, lambda: f32(DRAW.gauss(0, 1)), f32, mp)
multi_head()
sys.stdout.flush()
