"""What reference_values.py and reference_products.py share: how a case is written, numbers to draw, formulas."""
import random
import struct

from mpmath import mp, mpf, exp, sqrt, tanh, pi

mp.prec = 1200
INF, NAN = float("inf"), float("nan")
LARGEST = float.fromhex("0x1.fffffep127")
DRAW = random.Random(37)


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def step(x, k=1):
    """The k-th f32 after x, away from 0."""
    bits = struct.unpack("I", struct.pack("f", x))[0]
    return struct.unpack("f", struct.pack("I", bits + k))[0]


def around(x, k=2):
    x = f32(x)
    return [step(x, j) for j in range(-k, k + 1)]


def text(x):
    if isinstance(x, int):
        return str(x)
    x = float(x)
    if x != x or x in (INF, -INF):
        return {"nan": "nan", "inf": "inf", "-inf": "-inf"}[str(x) if x == x else "nan"]
    h = x.hex()
    mantissa, power = h.split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + "p" + str(int(power))


def tensor(t):
    return " ".join(text(x) for x in t)


def case(op, sizes, attrs, inputs, outputs):
    print("\t".join([op, " ".join(map(str, sizes)), tensor(attrs), ";".join(map(tensor, inputs)),
                     ";".join(map(tensor, outputs))]))


def real(t):
    return [mpf(x) if isinstance(x, float) else x for x in t]


SOME = [1.0, -1.5, f32(1e-3), f32(-1e20), f32(3e38), f32(-1e-30), 2.0**-149]


def draws(n, least=-40, most=40):
    return [f32(DRAW.choice((1, -1)) * DRAW.uniform(1, 2) * 2.0**DRAW.randint(least, most)) for _ in range(n)]


FAR = 10000  # from here on a sigmoid is 0 or 1 in double, and more


def gelu_in(a):
    return sqrt(2 / pi) * (a + mpf("0.044715") * a**3)


def gelu(a):
    return a / 2 * (1 + tanh(gelu_in(a))) if abs(a) < FAR else max(a, mpf(0))


def gelu_d(a):
    slope = sqrt(2 / pi) * (1 + 3 * mpf("0.044715") * a**2)
    return (1 + tanh(gelu_in(a))) / 2 + a / 2 * slope / mp.cosh(gelu_in(a))**2 if abs(a) < FAR else mpf(a > 0)


def softmax(x):
    m = max(x)
    e = [exp(v - m) for v in x]
    return [v / sum(e) for v in e]


ROWS = [[1.0], [f32(0.3), f32(-0.7)], [50.0, 0.0, -20.0], [0.0, 87.0, 3.0], [f32(1e4), f32(1e4 + 1), f32(1e4 + 7)],
        [f32(1e30), 1.0, f32(-1e30)], [LARGEST, -LARGEST], [2.0**-149, 2.0**-130, -(2.0**-149)], [7.0, 7.0, 7.0],
        [f32(-88.5), f32(15.25), f32(15.125), f32(-3.9)], [16777216.0, 1.0, -16777216.0, f32(1e-3)],
        [1.0, step(1.0), 1.0], [f32(-1e20), f32(-1e20), 0.0], [f32(0.1), f32(0.2), f32(0.15)]]


def more_rows(n, least=-6, most=6):
    return [draws(DRAW.randint(2, 9), least, most) for _ in range(n)]


def flat(rows):
    return [v for r in rows for v in r]
