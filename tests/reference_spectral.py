"""The part of reference_values.py for Fourier transforms, by the definition. Sums that cancel more than a
hundredfold are left out: angles are f64's."""
from mpmath import cos, mpf, pi, sin

LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 30)


class Cancels(Exception):
    pass


def total(terms):
    """Their sum: 0 where all of them are."""
    s, sizes = sum(terms, mpf(0)), sum((abs(t) for t in terms), mpf(0))
    if sizes > 100 * abs(s):
        raise Cancels
    return s


def wave(part, n, jk):
    """Cosine or sine of jk/n turns; 0 where it is."""
    quarters = 4 * (jk % n)
    if quarters % (2 * n) == (0 if part else n):
        return mpf(0)
    return (sin if part else cos)(2 * pi * (jk % n) / n)


def edge(n, k):
    return k in (0, n - k)


def ahead(x, n, k, part):
    if part and edge(n, k):
        return mpf(0)
    return (-1) ** part * total([x[j] * wave(part, n, j * k) for j in range(n)])


def weighed(g, n, k, part):
    return ahead(g, n, k, part) * (1 if edge(n, k) else 2) / n


def back(z, n, j, fold):
    """z: pairs, of the bins that there are."""
    terms = []
    for k, (re, im) in enumerate(z):
        w = 2 if fold and not edge(n, k) else 1
        terms += [w * re * wave(0, n, j * k)] + ([] if edge(n, k) else [-w * im * wave(1, n, j * k)])
    return total(terms) / (n if fold else 1)


def pairs(v):
    return list(zip(v[::2], v[1::2]))


def transforms(case, draw, exact, n, rows):
    bins = range(n // 2 + 1)
    x = [[draw() for _ in range(n)] for _ in range(rows)]
    z = [[draw() for _ in range(2 * len(bins))] for _ in range(rows)]
    ex, ez = [[exact(v) for v in r] for r in x], [[exact(v) for v in r] for r in z]
    flat = lambda a: [v for r in a for v in r]
    for op, f in (("rfft", ahead), ("irfft_vjp", weighed)):
        case(op, [rows, n], [], [flat(x)], [[f(r, n, k, part) for r in ex for k in bins for part in (0, 1)]])
    for op, fold in (("rfft_vjp", 0), ("irfft", 1)):
        case(op, [rows, n], [], [flat(z)], [[back(pairs(r), n, j, fold) for r in ez for j in range(n)]])


def product(a, b, conj):
    ai = -a[1] if conj else a[1]
    return total([a[0] * b[0], -ai * b[1]]), total([a[0] * b[1], ai * b[0]])


def summed(parts):
    return total([p[0] for p in parts]), total([p[1] for p in parts])


def conv(case, draw, exact, n, width, modes):
    c, ks = range(width), range(modes)
    x, g = ([[draw() for _ in c] for _ in range(n)] for _ in range(2))
    wre, wim = ([draw() for _ in range(modes * width * width)] for _ in range(2))
    w = lambda k, i, o: (exact(wre[(k * width + i) * width + o]), exact(wim[(k * width + i) * width + o]))
    column = lambda f, a, k, i: tuple(f([exact(r[i]) for r in a], n, k, part) for part in (0, 1))
    flat = lambda a: [v for r in a for v in r]
    zx = [[column(ahead, x, k, i) for i in c] for k in ks]
    zg = [[column(weighed, g, k, i) for i in c] for k in ks]
    v = [[summed([product(w(k, i, o), zx[k][i], 0) for i in c]) for o in c] for k in ks]
    d = [[summed([product(w(k, i, o), zg[k][o], 1) for o in c]) for i in c] for k in ks]
    y = [back([v[k][o] for k in ks], n, j, 1) for j in range(n) for o in c]
    dx = [back([d[k][i] for k in ks], n, j, 0) for j in range(n) for i in c]
    dw = [product(zx[k][i], zg[k][o], 1) for k in ks for i in c for o in c]
    case("spectral_conv1d", [n, width, modes], [], [flat(x), wre, wim], [y])
    case("spectral_conv1d_vjp", [n, width, modes], [], [flat(x), wre, wim, flat(g)],
         [dx, [a for a, _ in dw], [b for _, b in dw]])


def spectral(case, draw, exact, nan, inf):
    def tried(make, *sizes):
        for _ in range(12):
            try:
                return make(case, draw, exact, *sizes)
            except Cancels:
                pass

    for n in LENGTHS:
        for rows in (1, 2):
            tried(transforms, n, rows)
    for n, width, modes in ((1, 1, 1), (1, 2, 1), (2, 1, 2), (3, 1, 2), (4, 1, 3), (4, 2, 1), (5, 1, 1), (6, 1, 4),
                            (8, 1, 2)):
        tried(conv, n, width, modes)
    case("spectral_conv1d", [2, 1, 0], [], [[1.0, 2.0], [], []], [[0.0, 0.0]])
    case("spectral_conv1d", [1, 1, 1], [], [[3.0], [2.0], [inf]], [[nan]])
    case("rfft", [1, 4], [], [[1.0, 2.0, 4.0, 8.0]], [[15.0, 0.0, -3.0, 6.0, -5.0, 0.0]])
    case("rfft", [2, 1], [], [[inf, nan]], [[inf, 0.0, nan, 0.0]])
    case("irfft", [1, 2], [], [[3.0, nan, 1.0, inf]], [[2.0, 1.0]])
    case("rfft_vjp", [1, 2], [], [[3.0, nan, 1.0, inf]], [[4.0, 2.0]])
    case("irfft_vjp", [1, 2], [], [[3.0, -1.0]], [[1.0, 0.0, 2.0, 0.0]])
    case("irfft", [1, 3], [], [[3.0, nan, nan, 1.0]], [[nan, nan, nan]])
