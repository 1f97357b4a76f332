"""Pools and convolutions, for reference_values.py: windows by their meaning in the catalogue, axis by axis."""
import itertools
import math

NAN, INF = float("nan"), float("inf")

# size, kernel, stride, padding, dilation of each axis
WINDOWS = [
    [(7, 3, 2, 1, 1)],
    [(5, 2, 3, 1, 2)],
    [(3, 4, 1, 2, 1)],
    [(1, 1, 7, 0, 3)],
    [(4, 3, 1, 1, 1), (3, 2, 2, 0, 1)],
    [(5, 2, 2, 1, 1), (4, 3, 5, 1, 2)],
    [(2, 2, 1, 0, 1), (3, 2, 1, 1, 1), (2, 1, 2, 0, 4)],
    [(2, 1, 1, 0, 1)] * 2 + [(1, 2, 1, 1, 1)] * 2 + [(1, 1, 1, 0, 1)] * 3 + [(3, 2, 1, 0, 1)],
]


def outputs(n, k, s, p, d):
    reach = d * (k - 1) + 1
    return 0 if n < 1 or n + 2 * p < reach else (n + 2 * p - reach) // s + 1


def indices(counts):
    return list(itertools.product(*map(range, counts)))


def position(index, counts):
    at = 0
    for i, n in zip(index, counts):
        at = at * n + i
    return at


def reads(axes, counts=None):
    """For each output the cell that each tap reads, None where that is padding. counts: of outputs, along each axis."""
    sizes, kernels = [a[0] for a in axes], [a[1] for a in axes]
    found = []
    for t in indices(counts or [outputs(*a) for a in axes]):
        cells = []
        for u in indices(kernels):
            c = [i * s + v * d - p for i, v, (_, _, s, p, d) in zip(t, u, axes)]
            cells.append(position(c, sizes) if all(0 <= x < n for x, n in zip(c, sizes)) else None)
        found.append(cells)
    return found


def call(lines, axes):
    """(sizes, attributes)"""
    whole = axes + [(1, 1, 1, 0, 1)] * (8 - len(axes))
    n, k, s, p, d = zip(*whole)
    return [lines, *n, *k], [float(v) for v in (len(axes), *s, *p, *d)]


def greatest(row, cells):
    """(value, number of its tap) of the first of the largest cells: NaN above all, padding below."""
    best, tap = -INF, -1
    for u, c in enumerate(cells):
        if c is not None and (tap < 0 or row[c] > best or (row[c] != row[c] and best == best)):
            best, tap = row[c], u
    return best, float(tap)


def pools(case, draw, exact):
    """case: writes a line; draw: a number; exact: a number of many bits."""
    for axes in WINDOWS:
        for lines in (1, 2):
            sizes, attrs = call(lines, axes)
            cells, found = math.prod(a[0] for a in axes), reads(axes)
            taps = math.prod(a[1] for a in axes)
            x = [draw() for _ in range(lines * cells)]
            rows = [x[i * cells:(i + 1) * cells] for i in range(lines)]
            mean = [sum((exact(r[c]) for c in window if c is not None), exact(0)) / taps
                    for r in rows for window in found]
            case("avg_pool", sizes, attrs, [x], [mean])
            top = [greatest(r, window) for r in rows for window in found]
            case("max_pool", sizes, attrs, [x], [[v for v, _ in top], [u for _, u in top]])
            g = [draw() for _ in top]
            dx, picked = [exact(0)] * len(x), [exact(0)] * len(x)
            for i in range(lines):
                for t, window in enumerate(found):
                    at = i * len(found) + t
                    for u, c in enumerate(window):
                        if c is not None:
                            dx[i * cells + c] += exact(g[at]) / taps
                            picked[i * cells + c] += exact(g[at]) if top[at][1] == u else 0
            case("avg_pool_vjp", sizes, attrs, [g], [dx])
            case("max_pool_vjp", sizes, attrs, [[u for _, u in top], g], [picked])
    # ties, NaN, infinities, padding alone
    sizes, attrs = call(1, [(6, 2, 2, 0, 1)])
    case("max_pool", sizes, attrs, [[1.0, 1.0, NAN, 2.0, -INF, -INF]], [[1.0, NAN, -INF], [0.0, 0.0, 0.0]])
    case("max_pool", sizes, attrs, [[3.0, NAN, NAN, NAN, INF, NAN]], [[NAN, NAN, NAN], [1.0, 0.0, 1.0]])
    case("avg_pool", sizes, attrs, [[INF, 1.0, INF, -INF, NAN, 2.0]], [[INF, NAN, NAN]])
    case("max_pool_vjp", sizes, attrs, [[1.0, 5.0, -1.0], [2.0, 3.0, NAN]], [[0.0, 2.0, 0.0, 0.0, 0.0, 0.0]])


def smooth_pools(case, draw, f32, mp):
    """ln(sum of exp(beta v)) / beta as it stands: with 1200 bits no pivot is needed."""
    def pool(beta, row, window):
        v = [mp.mpf(0 if c is None else row[c]) for c in window]
        return mp.log(mp.fsum(mp.exp(beta * a) for a in v)) / beta

    for number, axes in enumerate(WINDOWS):
        found, cells = reads(axes), math.prod(a[0] for a in axes)
        for lines, beta in ((2, 1.0), (1, (-2.5, 30.0, -0.015625, 1000.0)[number % 4])):
            sizes, attrs = call(lines, axes)
            x = [f32(draw() * (1, 20)[number % 2]) for _ in range(lines * cells)]
            rows = [x[i * cells:(i + 1) * cells] for i in range(lines)]
            y = [pool(beta, r, window) for r in rows for window in found]
            case("smooth_max_pool", sizes, attrs + [beta], [x], [y])
            near, g = [f32(float(v)) for v in y], [draw() for _ in y]
            dx = [mp.mpf(0)] * len(x)
            for i in range(lines):
                for t, window in enumerate(found):
                    at = i * len(found) + t
                    for c in window:
                        if c is not None:
                            weight = mp.exp(beta * (mp.mpf(rows[i][c]) - mp.mpf(near[at])))
                            dx[i * cells + c] += mp.mpf(g[at]) * weight
            case("smooth_max_pool_vjp", sizes, attrs + [beta], [x, near, g], [dx])
    # infinities, NaN, and what a product with beta would overflow by
    sizes, attrs = call(1, [(6, 2, 2, 0, 1)])
    case("smooth_max_pool", sizes, attrs + [1.0], [[INF, 1.0, -INF, -INF, NAN, 2.0]], [[INF, -INF, NAN]])
    case("smooth_max_pool", sizes, attrs + [-1.0], [[INF, 1.0, -INF, 3.0, INF, INF]], [[1.0, -INF, INF]])
    big = f32(3e38)
    case("smooth_max_pool", sizes, attrs + [1000.0], [[big, -big, big, 1.0, -big, 2.0]], [[big, big, 2.0]])
    case("smooth_max_pool_vjp", sizes, attrs + [1.0],
         [[INF, 1.0, -INF, 2.0, big, -big], [INF, 2.0, big], [2.0, 3.0, 5.0]], [[2.0, 0.0, 0.0, 3.0, 5.0, 0.0]])


# batch, groups, channels of a group that are read and written, axes
CONVOLVED = [
    (1, 1, 1, 1, [(7, 3, 2, 1, 1)]),
    (2, 1, 2, 3, [(5, 2, 3, 1, 2)]),
    (1, 3, 1, 1, [(3, 4, 1, 5, 1)]),
    (2, 2, 2, 1, [(4, 3, 1, 1, 1), (3, 2, 2, 0, 1)]),
    (1, 2, 1, 2, [(5, 2, 2, 1, 1), (4, 3, 5, 1, 2)]),
    (1, 1, 2, 2, [(2, 2, 1, 0, 1), (3, 2, 1, 1, 1), (2, 1, 2, 0, 4)]),
    (1, 1, 1, 2, [(2, 1, 1, 0, 1)] * 2 + [(1, 2, 1, 1, 1)] * 2 + [(1, 1, 1, 0, 1)] * 3 + [(3, 2, 1, 0, 1)]),
    (1, 1, 1, 1, [(2, 4, 1, 0, 1)]),  # no window fits
]
# likewise; an axis has an output padding as well
TRANSPOSED = [
    (1, 1, 1, 1, [(4, 3, 2, 1, 1, 1)]),
    (2, 1, 2, 3, [(3, 2, 3, 1, 2, 2)]),
    (1, 3, 1, 1, [(3, 2, 1, 0, 4, 3)]),  # past the stride: what is added has a window of its own, which is not there
    (2, 2, 2, 1, [(3, 3, 1, 1, 1, 0), (2, 2, 2, 0, 1, 1)]),
    (1, 2, 1, 2, [(2, 2, 2, 1, 1, 1), (2, 3, 2, 1, 2, 0), (1, 2, 1, 0, 1, 0)]),
]


def dims(batch, groups, into, out, axes):
    """(sizes, attributes)"""
    whole = axes + [(1, 1, 1, 0, 1) + (0,) * (len(axes[0]) - 5)] * (8 - len(axes))
    n, k, *attributes = zip(*whole)
    return [batch, groups, into, out, *n, *k], [float(v) for v in (len(axes), *sum(attributes, ()))]


def products(batch, groups, near, far, found, taps):
    """Of each product of a convolution: element on the side of cells and on that of outputs, weight."""
    return [((n, g, i, c), (n, g, o, t), ((g * far + o) * near + i) * taps + u)
            for n in range(batch) for g in range(groups) for o in range(far) for i in range(near)
            for t, window in enumerate(found) for u, c in enumerate(window) if c is not None]


def convolutions(case, draw, exact):
    """As pools; of a transposed one the sides are turned."""
    for turned, shapes in ((False, CONVOLVED), (True, TRANSPOSED)):
        for batch, groups, into, out, axes in shapes:
            sizes, attrs = dims(batch, groups, into, out, axes)
            if turned:
                spread = [((m - 1) * s - 2 * p + d * (k - 1) + 1 + o, k, s, p, d) for m, k, s, p, d, o in axes]
                found = reads(spread, [a[0] for a in axes])
            else:
                spread, found = axes, reads(axes)
            cells, taps = math.prod(a[0] for a in spread), math.prod(a[1] for a in axes)
            near, far = (out, into) if turned else (into, out)
            met = products(batch, groups, near, far, found, taps)
            at = lambda e, count, length: ((e[0] * groups + e[1]) * count + e[2]) * length + e[3]
            met = [(at(c, near, cells), at(t, far, len(found)), u) for c, t, u in met]
            met = [(t, c, u) if turned else (c, t, u) for c, t, u in met]
            lines = batch * groups
            n_x, n_y = (far * len(found), near * cells) if turned else (near * cells, far * len(found))
            n_x, n_y, line = lines * n_x, lines * n_y, cells if turned else len(found)
            x, g = [draw() for _ in range(n_x)], [draw() for _ in range(n_y)]
            w, b = [draw() for _ in range(groups * into * out * taps)], [draw() for _ in range(groups * out)]
            y = [exact(b[e // line % (groups * out)]) for e in range(n_y)]
            dx, dw = [exact(0)] * n_x, [exact(0)] * len(w)
            for i, o, u in met:
                y[o] += exact(x[i]) * exact(w[u])
                dx[i] += exact(g[o]) * exact(w[u])
                dw[u] += exact(g[o]) * exact(x[i])
            db = [sum((exact(v) for e, v in enumerate(g) if e // line % (groups * out) == c), exact(0))
                  for c in range(groups * out)]
            name = "conv_transpose" if turned else "conv"
            case(name, sizes, attrs, [x, w, b], [y])
            case(name + "_vjp", sizes, attrs, [x, w, g], [dx, dw, db])
    # what is not finite stays in the windows that read it; terms that cancel leave what is small
    sizes, attrs = dims(1, 1, 1, 1, [(5, 2, 1, 0, 1)])
    case("conv", sizes, attrs, [[INF, 1.0, NAN, 2.0, 3.0], [1.0, -1.0], [0.5]], [[INF, NAN, NAN, -0.5]])
    case("conv", sizes, attrs, [[2.0**60, 2.0**60, 1.0, 2.0**-60, 0.0], [1.0, -1.0], [2.0**-30]],
         [[2.0**-30, 2.0**60, 1 - exact(2)**-60 + exact(2)**-30, exact(2)**-60 + exact(2)**-30]])
