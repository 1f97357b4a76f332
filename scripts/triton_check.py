#!/usr/bin/env python3
"""triton_check.py [-n CASES]: a softmax and a layer norm in Triton, of the kind that its tutorials teach, against the
proven reference through the Python package; and the same with a fault each, which must fail. One line a check on
standard output; exit status 1 if one is not as it must be."""
import argparse
import sys

import proofmark
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_row(y, x, cols, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    """A row a program: its maximum and the sum of its exponentials block by block, then the quotients."""
    at = tl.program_id(0).to(tl.int64) * cols
    lane = tl.arange(0, BLOCK)
    most = tl.full([BLOCK], float("-inf"), tl.float32)
    for start in range(0, cols, BLOCK):
        v = tl.load(x + at + start + lane, mask=start + lane < cols, other=float("-inf"))
        most = tl.maximum(most, v, propagate_nan=tl.PropagateNan.ALL)
    shift = tl.max(most, 0) if SHIFT else 0.0
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        v = tl.load(x + at + start + lane, mask=start + lane < cols, other=float("-inf"))
        total += tl.exp(v - shift)
    of = tl.sum(total, 0)
    for start in range(0, cols, BLOCK):
        inside = start + lane < cols
        v = tl.load(x + at + start + lane, mask=inside, other=float("-inf"))
        tl.store(y + at + start + lane, tl.exp(v - shift) / of, mask=inside)


@triton.jit
def layer_norm_row(y, mean, rstd, x, gamma, beta, cols, eps, TWO_PASS: tl.constexpr, BLOCK: tl.constexpr):
    """A row a program: its mean, its variance about the mean, then each element."""
    row = tl.program_id(0).to(tl.int64)
    at = row * cols
    lane = tl.arange(0, BLOCK)
    s = tl.zeros([BLOCK], tl.float32)
    q = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        v = tl.load(x + at + start + lane, mask=start + lane < cols, other=0.0)
        s += v
        q += v * v
    m = tl.sum(s, 0) / cols
    if TWO_PASS:
        q = tl.zeros([BLOCK], tl.float32)
        for start in range(0, cols, BLOCK):
            inside = start + lane < cols
            v = tl.load(x + at + start + lane, mask=inside, other=0.0)
            d = tl.where(inside, v - m, 0.0)
            q += d * d
        variance = tl.sum(q, 0) / cols
    else:
        variance = tl.sum(q, 0) / cols - m * m
    r = 1 / tl.sqrt(variance + eps)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    for start in range(0, cols, BLOCK):
        inside = start + lane < cols
        v = tl.load(x + at + start + lane, mask=inside, other=0.0)
        g = tl.load(gamma + start + lane, mask=inside, other=0.0)
        b = tl.load(beta + start + lane, mask=inside, other=0.0)
        tl.store(y + at + start + lane, (v - m) * r * g + b, mask=inside)


def softmax(x, shift=True):
    y = torch.empty_like(x)
    if x.numel():
        softmax_row[(x.shape[0],)](y, x, x.shape[1], SHIFT=shift, BLOCK=1024)
    return y


def layer_norm(x, gamma, beta, *, eps, two_pass=True):
    y, mean, rstd = torch.empty_like(x), x.new_empty(x.shape[0]), x.new_empty(x.shape[0])
    if x.shape[0]:
        layer_norm_row[(x.shape[0],)](y, mean, rstd, x, gamma, beta, x.shape[1], eps, TWO_PASS=two_pass, BLOCK=1024)
    return y, mean, rstd


CHECKS = [
    ("softmax", "right", softmax),
    ("softmax", "no shift", lambda x: softmax(x, False)),
    ("layer_norm", "right", layer_norm),
    ("layer_norm", "variance in one pass",
     lambda x, gamma, beta, *, eps: layer_norm(x, gamma, beta, eps=eps, two_pass=False)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, metavar="CASES")
    words = parser.parse_args()
    print("Triton %s, %s, %d cases each" % (triton.__version__, torch.cuda.get_device_name(), words.n))
    bad = 0
    for op, what, f in CHECKS:
        report = proofmark.check(op, f, cases=words.n, arith="triton", like="torch", device="cuda")
        wrong = bool(report) != (what == "right")
        bad += wrong
        text = "; ".join(w.strip() for w in str(report).split("\n")[:2])
        print("%-10s %-21s %s%s" % (op, what, text, "   <- not as it must be" if wrong else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
