"""The part of reference_values.py for the gradient of attention, from its formula as the catalogue has it."""
from mpmath import mpf, exp, log, sqrt

from reference_case import DRAW, case, draws, f32, flat

SHAPES = ((1, 1, 1, 1, 1, 1, 0), (1, 1, 1, 2, 3, 2, 1), (1, 2, 1, 2, 2, 1, 0), (2, 1, 1, 1, 3, 2, 1),
          (1, 4, 2, 1, 2, 2, 2), (1, 2, 1, 2, 0, 2, 0), (1, 1, 1, 2, 3, 0, 0), (1, 1, 1, 3, 2, 1, 0))


def dot(a, b):
    return sum((mpf(x) * mpf(y) for x, y in zip(a, b)), mpf(0))


def size(a, b):
    return sum((abs(mpf(x) * mpf(y)) for x, y in zip(a, b)), mpf(0))


class Sums:
    """A tensor of sums, and beside each what its terms' magnitudes add up to."""
    def __init__(self, n):
        self.value, self.terms = [mpf(0)] * n, [mpf(0)] * n

    def add(self, at, weight, weight_size, row):
        for c, x in enumerate(row):
            self.value[at + c] += weight * x
            self.terms[at + c] += weight_size * abs(mpf(x))

    def mild(self):
        return all(100 * abs(x) >= m for x, m in zip(self.value, self.terms))


def gradients(shape, causal, masked, q, k, v, mask, y, lse, g):
    batch, heads, kv_heads, nq, nk, d = shape
    dq, dk, dv = Sums(len(q) * d), Sums(len(k) * d), Sums(len(k) * d)
    scale = 1 / sqrt(mpf(d)) if d else mpf(1)
    for row in range(batch * heads * nq):
        i, first = row % nq, row // nq // (heads // kv_heads) * nk
        for j in range(nk):
            if (causal and j > i + nk - nq) or (masked and mask[i][j] != 0):
                continue
            key = first + j
            p = exp(scale * dot(q[row], k[key]) - lse[row])
            pull = dot(g[row], v[key]) - dot(g[row], y[row])
            wide = size(g[row], v[key]) + size(g[row], y[row]) if pull else mpf(0)
            dq.add(row * d, scale * p * pull, scale * p * wide, k[key])
            dk.add(key * d, scale * p * pull, scale * p * wide, q[row])
            dv.add(key * d, p, p, g[row])
    return dq, dk, dv


def forward(shape, causal, masked, q, k, v, mask):
    """y and lse, which the gradient is given in f32."""
    batch, heads, kv_heads, nq, nk, d = shape
    y, lse = [], []
    for row in range(batch * heads * nq):
        i, first = row % nq, row // nq // (heads // kv_heads) * nk
        seen = [first + j for j in range(nk)
                if not (causal and j > i + nk - nq) and not (masked and mask[i][j] != 0)]
        e = [exp(dot(q[row], k[j]) / (sqrt(mpf(d)) if d else 1)) for j in seen]
        y.append([sum((w * mpf(v[j][c]) for w, j in zip(e, seen)), mpf(0)) / sum(e) if seen else 0.0
                  for c in range(d)])
        lse.append(log(sum(e)) if seen else -float("inf"))
    return y, lse


def attention_vjp():
    rows_of = lambda n, d, power: [draws(d, -3, power) for _ in range(n)]
    for *shape, power in SHAPES:
        batch, heads, kv_heads, nq, nk, d = shape
        for causal in (0, 1):
            for masked in (0, 1):
                mask = [[DRAW.choice((0.0, 0.0, 1.0, -2.0)) for _ in range(nk)] for _ in range(nq)]
                while True:
                    q, g = (rows_of(batch * heads * nq, d, p) for p in (power, 2))
                    k, v = (rows_of(batch * kv_heads * nk, d, p) for p in (power, 2))
                    y, lse = forward(shape, causal, masked, q, k, v, mask)
                    y, lse = [[f32(x) for x in row] for row in y], [f32(x) for x in lse]
                    found = gradients(shape, causal, masked, q, k, v, mask, y, lse, g)
                    if all(x.mild() for x in found):
                        break
                case("sdpa_vjp", shape, [causal, masked],
                     [flat(q), flat(k), flat(v), flat(mask), flat(y), lse, flat(g)], [x.value for x in found])
