"""Pools, for reference_values.py: windows by their meaning in the catalogue, axis by axis."""
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


def reads(axes):
    """For each output the cell that each tap reads, None where that is padding."""
    sizes, kernels = [a[0] for a in axes], [a[1] for a in axes]
    found = []
    for t in indices([outputs(*a) for a in axes]):
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
