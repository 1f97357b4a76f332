#!/usr/bin/env python3
"""torch_check.py [-n CASES] [--compile] [OP...]: PyTorch's own kernels on the GPU against the proven reference, forward
and, by its autograd, backward, through the Python package (PYTHONPATH has to lead to it); with --compile what
torch.compile makes of them. One line a check on standard output; exit status 1 if one fails."""
import argparse
import concurrent.futures
import os
import subprocess
import sys

import proofmark
import torch
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = False



def flat(found):
    y, mean, rstd = found
    return y, mean.reshape(-1), rstd.reshape(-1)


def rms_norm(x, gamma, *, affine, eps):
    y, rstd = torch.ops.aten._fused_rms_norm(x, x.shape[1:], gamma if affine else None, eps)
    return y, rstd.reshape(-1)


def avg_pool(x, *, k0, k1, s0, s1, p0, p1, **_):
    """Of rank 2, without dilation, which PyTorch has not; nor an output of no elements."""
    out = [(n + 2 * p - k) // s + 1 if n + 2 * p >= k else 0
           for n, k, s, p in zip(x.shape[1:], (k0, k1), (s0, s1), (p0, p1))]
    if 0 in out or x.numel() == 0:
        return x.new_zeros((x.shape[0], *out)) + 0 * x.sum()
    return F.avg_pool2d(x[None], (k0, k1), (s0, s1), (p0, p1))[0]


def sdpa(q, k, v, mask, **_):
    """Without its log-sum-exp, which PyTorch has in another form for each of its kernels."""
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True), torch.logsumexp(
        q @ k.repeat_interleave(q.shape[1] // k.shape[1], 1).mT / q.shape[3] ** 0.5, 3)


FORWARD = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "neg": torch.neg, "abs": torch.abs,
    "scale": lambda a, *, c: a * c, "axpy": lambda a, b, *, c: torch.add(a, b, alpha=c),
    "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "reciprocal": torch.reciprocal,
    "clamp": lambda a, *, lo, hi: torch.clamp(a, lo, hi), "maximum": torch.maximum, "minimum": torch.minimum,
    "relu": torch.relu, "exp": torch.exp, "log": torch.log, "sigmoid": torch.sigmoid, "tanh": torch.tanh,
    "softplus": F.softplus, "silu": F.silu, "gelu": lambda a: F.gelu(a, approximate="tanh"),
    "add_bias": lambda x, b: x + b, "sum": torch.sum, "mean": torch.mean,
    "sum_axis": lambda x: x.sum(1), "mean_axis": lambda x: x.mean(1), "max_axis": lambda x: x.amax(1),
    "softmax": lambda x: torch.softmax(x, 1), "log_softmax": lambda x: torch.log_softmax(x, 1),
    "layer_norm": lambda x, gamma, beta, *, eps: flat(torch.native_layer_norm(x, x.shape[1:], gamma, beta, eps)),
    "mse_loss": F.mse_loss, "cross_entropy": F.cross_entropy,
    "transpose2d": lambda x: x.t().clone(memory_format=torch.contiguous_format),  # contiguous() may be x itself
    "matmul": lambda a, b, *, ta, tb, alpha: alpha * ((a.t() if ta else a) @ (b.t() if tb else b)),
    "bmm": lambda a, b, *, ta, tb, alpha: alpha * torch.bmm(a.mT if ta else a, b.mT if tb else b),
    "linear": F.linear,
    "gather_rows": lambda x, idx: x.index_select(0, idx) if len(x) else x.new_zeros((len(idx), x.shape[1])),
    "copy": torch.clone, "rms_norm": rms_norm, "avg_pool": avg_pool, "sdpa": sdpa,
    "concat": lambda a, b, *, outer, na, nb, inner: torch.cat([a, b], 1),
    "slice": lambda x, *, start, len: torch.narrow(x, 1, start, len).clone(),
    "batch_norm": lambda x, gamma, beta, *, eps: torch.native_batch_norm(x, gamma, beta, None, None, True, 0.0, eps),
    "scatter_add_rows": lambda x, idx, u: x.index_add(0, idx, u) if len(x) else x.clone(),
    "scatter_add": lambda x, idx, u: x.index_add(0, idx, u) if len(x) else x.clone(),
    "gather": lambda x, idx: x.index_select(0, idx) if len(x) else x.new_zeros(len(idx)),
}
# What else the gradient needs than its first output is returned by these too.
BACKWARD = ["add", "sub", "mul", "div", "scale", "neg", "sqrt", "rsqrt", "reciprocal", "clamp", "exp", "log", "sigmoid",
            "tanh", "softplus", "silu", "gelu", "add_bias", "sum", "mean", "sum_axis", "mean_axis", "softmax",
            "log_softmax", "layer_norm", "mse_loss", "matmul", "bmm", "linear", "avg_pool", "concat", "slice"]

# A device-side assertion ends all that a process may do on the GPU: each check has its own.
INSIDE = {"indices": "random"}  # what is outside asserts
FIXED = {"gather_rows": INSIDE, "cross_entropy": INSIDE, "gather": INSIDE, "scatter_add": {**INSIDE, "unordered": True},
         "scatter_add_rows": {**INSIDE, "unordered": True}, "sdpa": {"causal": 0, "masked": 0, "misaligned": 0},
         "avg_pool": {"rank": 2, "d0": 1, "d1": 1}}
# On tensors that begin an element past 16 bytes its sdpa is "CUDA error: misaligned address", which ends the process.
# A tensor over a number is that tensor times the number's reciprocal.
ARITH = {("mean", "gradient"): "cuda,div=2", ("mean_axis", "gradient"): "cuda,div=2"}
# What fails, and is a fault: it must fail as long as it is there.
THEIRS_COMPILED = {
    ("layer_norm", "forward"): "the variance of a row with an infinity is infinite and rstd 0, where it is NaN",
}
THEIRS = {
    ("div", "gradient"): "db = -g ((a / b) / b) overflows where g a / b^2 does not",
    ("gelu", "gradient"): "0 times infinity where tanh is 1 and its argument's slope has overflowed",
}


def one(job):
    """Whether the outcome is what it must be, and a line about it."""
    op, way, cases, compiled = job
    f = torch.compile(FORWARD[op], dynamic=True) if compiled else FORWARD[op]
    arith = ARITH.get((op, way), "cuda") + (",ftz=on" if compiled else "")  # as Triton compiles tanh
    how = {"cases": cases, "arith": arith, "device": "cuda", **FIXED.get(op, {})}
    try:
        if way == "gradient":
            report = proofmark.check_grad(op, f, **how)
        else:
            report = proofmark.check(op, f, like="torch", **how)
    except Exception as e:
        return False, "%-13s %-8s %s: %s" % (op, way, type(e).__name__, str(e).split("\n")[0])
    line = "%-13s %-8s %s" % (op, way, "; ".join(w.strip() for w in str(report).split("\n")[:3]))
    theirs = (THEIRS_COMPILED if compiled else THEIRS).get((op, way))
    return bool(report) != bool(theirs), line + ("; known: " + theirs if theirs else "")


def apart(job):
    """The same from a process of its own, which may die of it."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", *map(str, job)], capture_output=True,
                          text=True)
    lines = done.stdout.strip().split("\n")
    if done.returncode not in (0, 1) or not lines[-1]:
        return False, "%-13s %-8s its process ended with %d: %s" % (*job[:2], done.returncode, done.stderr[-200:])
    return done.returncode == 0, lines[-1]


def main():
    if sys.argv[1:2] == ["--one"]:
        op, way, cases, compiled = sys.argv[2:]
        good, line = one((op, way, int(cases), compiled == "True"))
        print(line)
        return 0 if good else 1
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, metavar="CASES")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("ops", nargs="*", metavar="OP", default=sorted(FORWARD))
    args = parser.parse_args()
    unknown = [o for o in args.ops if o not in FORWARD]
    if unknown:
        parser.error("no such op here: %s" % ", ".join(unknown))
    jobs = [(o, "forward", args.n, args.compile) for o in args.ops]
    jobs += [(o, "gradient", args.n, args.compile) for o in args.ops if o in BACKWARD]
    print("PyTorch %s, %s, %s, %d cases each" % (torch.__version__, "compiled" if args.compile else "eager",
                                                 torch.cuda.get_device_name(), args.n))
    with concurrent.futures.ThreadPoolExecutor(min(12, os.cpu_count() or 1)) as pool:
        results = list(pool.map(apart, jobs))
    for good, line in results:
        print(line if good else line + "   <- not as it must be")
    bad = sum(1 for good, _ in results if not good)
    print("%d checks, %d not as they must be" % (len(results), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
