"""PyTorch's time for each op and size that `diffcheck bench` asks about, on the same GPU.

usage: python3 peers.py '[{"op": "softmax", "size": {"rows": 8192, "cols": 1024}}, ...]' [--compile]

Writes one JSON object: torch, gpu, copy_GBs, f32_TFs and rows, each row an input row with
"eager_us" and "compiled_us" added, and "error" where one of them is missing. Median of 30 runs by
CUDA events, the L2 flushed before each, TF32 off; the same method as diffcheck's own timings.
"""
import json
import statistics
import sys

import torch
import torch.nn.functional as F

import peers_products
from peer import PEERS, index, peer, rand

aten = torch.ops.aten


def median_us(run, n=30, warm=5):
    for _ in range(warm):
        run()
    torch.cuda.synchronize()
    times = []
    for _ in range(n):
        FLUSH.zero_()
        FLUSH.sum()  # and clean: what was only written would be written back at the cost of run()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return statistics.median(times)


@peer
def add_bias(rows, cols):
    x, b = rand(rows, cols), rand(cols)
    return lambda: x + b


@peer
def add_bias_vjp(rows, cols):
    g = rand(rows, cols)
    return lambda: (g.clone(), g.sum(0))


@peer
def sum(n):
    x = rand(n)
    return lambda: x.sum()


@peer
def sum_vjp(n):
    g = rand()
    return lambda: g.expand(n).contiguous()


@peer
def mean(n):
    x = rand(n)
    return lambda: x.mean()


@peer
def mean_vjp(n):
    g = rand()
    return lambda: (g / n).expand(n).contiguous()


@peer
def sum_axis(outer, n, inner):
    x = rand(outer, n, inner)
    return lambda: x.sum(1)


@peer
def sum_axis_vjp(outer, n, inner):
    g = rand(outer, inner)
    return lambda: g.unsqueeze(1).expand(outer, n, inner).contiguous()


@peer
def mean_axis(outer, n, inner):
    x = rand(outer, n, inner)
    return lambda: x.mean(1)


@peer
def mean_axis_vjp(outer, n, inner):
    g = rand(outer, inner)
    return lambda: (g / n).unsqueeze(1).expand(outer, n, inner).contiguous()


@peer
def max_axis(outer, n, inner):
    x = rand(outer, n, inner)
    return lambda: x.amax(1)


@peer
def max_axis_vjp(outer, n, inner):
    x, g = rand(outer, n, inner), rand(outer, inner)
    y = x.amax(1)

    def run():  # what autograd runs for amax
        mask = x == y.unsqueeze(1)
        return (g / mask.sum(1)).unsqueeze(1) * mask

    return run


@peer
def softmax(rows, cols):
    x = rand(rows, cols)
    return lambda: torch.softmax(x, -1)


@peer
def softmax_vjp(rows, cols):
    y, g = torch.softmax(rand(rows, cols), -1), rand(rows, cols)
    return lambda: aten._softmax_backward_data(g, y, -1, torch.float32)


@peer
def sgd_step(n, lr=0.001):
    p, g = rand(n), rand(n)
    return lambda: torch.add(p, g, alpha=-lr)


def adam_tensors(n):
    return [[rand(n)], [rand(n)], [torch.zeros(n, device="cuda")], [torch.zeros(n, device="cuda")],
            [], [torch.ones((), device="cuda")]]


# PyTorch's fused steps work in place and count t themselves.
@peer
def adam_step(n, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8, **corrections):
    state = adam_tensors(n)
    return lambda: torch._fused_adam_(*state, lr=lr, beta1=beta1, beta2=beta2, weight_decay=0.0,
                                      eps=eps, amsgrad=False, maximize=False)


@peer
def adamw_step(n, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.01, **corrections):
    state = adam_tensors(n)
    return lambda: torch._fused_adamw_(*state, lr=lr, beta1=beta1, beta2=beta2,
                                       weight_decay=weight_decay, eps=eps, amsgrad=False,
                                       maximize=False)


@peer
def layer_norm(rows, cols, eps=1e-5):
    x, gamma, beta = rand(rows, cols), rand(cols), rand(cols)
    return lambda: aten.native_layer_norm(x, [cols], gamma, beta, eps)


@peer
def layer_norm_vjp(rows, cols):
    x, gamma, beta, g = rand(rows, cols), rand(cols), rand(cols), rand(rows, cols)
    _, mean, rstd = aten.native_layer_norm(x, [cols], gamma, beta, 1e-5)
    return lambda: aten.native_layer_norm_backward(g, x, [cols], mean, rstd, gamma, beta,
                                                   [True, True, True])


@peer
def rms_norm(rows, cols, affine=1, eps=1e-5):
    x, gamma = rand(rows, cols), rand(cols) if affine else None
    return lambda: F.rms_norm(x, [cols], gamma, eps)


@peer
def rms_norm_vjp(rows, cols, affine=1):
    x, gamma, g = rand(rows, cols), rand(cols) if affine else None, rand(rows, cols)
    rstd = torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)

    def run():
        hat, pulled = x * rstd, g * gamma if affine else g
        dx = rstd * (pulled - hat * (pulled * hat).mean(-1, keepdim=True))
        return (dx, (g * hat).sum(0)) if affine else dx

    return run


@peer
def mse_loss(n):
    a, t = rand(n), rand(n)
    return lambda: F.mse_loss(a, t)


@peer
def mse_loss_vjp(n):
    a, t, g = rand(n), rand(n), rand()

    def run():
        da = aten.mse_loss_backward(g, a, t, 1)
        return da, -da

    return run


@peer
def cross_entropy(rows, cols):
    x, target = rand(rows, cols), index(cols, rows)
    return lambda: F.cross_entropy(x, target)


@peer
def cross_entropy_vjp(rows, cols):
    x, target, g = rand(rows, cols), index(cols, rows), rand()

    def run():
        y = torch.log_softmax(x, -1)
        _, weight = aten.nll_loss_forward(y, target, None, 1, -100)
        dy = aten.nll_loss_backward(g, y, target, None, 1, -100, weight)
        return aten._log_softmax_backward_data(dy, y, -1, torch.float32)

    return run


@peer
def cross_entropy_grad(rows, cols):
    x, target, one = rand(rows, cols), index(cols, rows), torch.ones((), device="cuda")

    def run():
        y = torch.log_softmax(x, -1)
        loss, weight = aten.nll_loss_forward(y, target, None, 1, -100)
        dy = aten.nll_loss_backward(one, y, target, None, 1, -100, weight)
        return loss, aten._log_softmax_backward_data(dy, y, -1, torch.float32)

    return run


@peer
def log_softmax(rows, cols):
    x = rand(rows, cols)
    return lambda: torch.log_softmax(x, -1)


@peer
def log_softmax_vjp(rows, cols):
    y, g = torch.log_softmax(rand(rows, cols), -1), rand(rows, cols)
    return lambda: aten._log_softmax_backward_data(g, y, -1, torch.float32)


# PyTorch has no kernel of its own for it on CUDA: what its users write, a mask of one byte.
@peer
def masked_softmax(rows, cols):
    x, blocked = rand(rows, cols), rand(rows, cols) > 0
    return lambda: torch.softmax(x.masked_fill(blocked, float("-inf")), -1)


@peer
def masked_softmax_vjp(rows, cols):
    blocked = rand(rows, cols) > 0
    y = torch.softmax(rand(rows, cols).masked_fill(blocked, float("-inf")), -1)
    g = rand(rows, cols)
    return lambda: aten._softmax_backward_data(g, y, -1, torch.float32).masked_fill(blocked, 0.0)


@peer
def batch_norm(n, channels, size, eps=1e-5):
    x, gamma, beta = rand(n, channels, size), rand(channels), rand(channels)
    return lambda: aten.native_batch_norm(x, gamma, beta, None, None, True, 0.1, eps)


@peer
def batch_norm_vjp(n, channels, size):
    x, gamma, beta = rand(n, channels, size), rand(channels), rand(channels)
    g = rand(n, channels, size)
    _, mean, rstd = aten.native_batch_norm(x, gamma, beta, None, None, True, 0.1, 1e-5)
    return lambda: aten.native_batch_norm_backward(g, x, gamma, None, None, mean, rstd, True, 1e-5,
                                                   [True, True, True])


@peer
def transpose2d(rows, cols):
    x = rand(rows, cols)
    return lambda: x.t().contiguous()


@peer
def transpose2d_vjp(rows, cols):
    g = rand(cols, rows)
    return lambda: g.t().contiguous()


def sizes_of(letter, sizes):
    plain = range(8) if letter == "p" else [1] * 8
    return [sizes.get(letter + str(i), plain[i]) for i in range(int(sizes.get("rank", 8)))]


@peer
def permute(**sizes):
    x, axes = rand(*sizes_of("d", sizes)), sizes_of("p", sizes)
    return lambda: x.permute(axes).contiguous()


@peer
def permute_vjp(**sizes):
    shape, axes = sizes_of("d", sizes), sizes_of("p", sizes)
    g = rand(*[shape[a] for a in axes])
    back = sorted(range(len(axes)), key=lambda e: axes[e] % len(axes))
    return lambda: g.permute(back).contiguous()


@peer
def swap_adjacent(depth, **sizes):
    x = rand(*sizes_of("d", sizes))
    return lambda: x.transpose(depth, depth + 1).contiguous()


@peer
def swap_adjacent_vjp(depth, **sizes):
    g = rand(*sizes_of("d", sizes)).transpose(depth, depth + 1).contiguous()
    return lambda: g.transpose(depth, depth + 1).contiguous()


@peer
def broadcast_to(**sizes):
    x, shape = rand(*sizes_of("x", sizes)), sizes_of("d", sizes)
    return lambda: x.expand(shape).clone(memory_format=torch.contiguous_format)


@peer
def broadcast_to_vjp(**sizes):
    g, shape = rand(*sizes_of("d", sizes)), sizes_of("x", sizes)
    return lambda: g.sum_to_size(shape)


def pooled(name, back, lines, rank=2, **sizes):
    """PyTorch has pools of ranks 1 to 3, and averages of no dilated windows."""
    n, k, s, p, d = ([sizes.get(c + str(e), int(c != "p")) for e in range(int(rank))] for c in "nkspd")
    more = {"dilation": d, "return_indices": True} if name == "max_pool" else {}
    if not more and d != [1] * len(d):
        raise ValueError("PyTorch has no average of such windows")
    f, x = getattr(F, "%s%dd" % (name, rank)), rand(1, lines, *n).requires_grad_(back)
    if not back:
        return lambda: f(x, k, s, p, **more)
    y = f(x, k, s, p, **more)
    y = y[0] if more else y
    g = torch.randn_like(y)
    return lambda: torch.autograd.grad(y, x, g, retain_graph=True)


def smooth_pooled(back, lines, rank=2, beta=1.0, **sizes):
    """What one writes with PyTorch, which has no such pool: windows laid out, then logsumexp. Of rank 2."""
    if rank != 2:
        raise ValueError("PyTorch lays out windows of rank 2 alone")
    n, k, s, p, d = ([sizes.get(c + str(e), int(c != "p")) for e in range(2)] for c in "nkspd")
    x = rand(1, lines, *n).requires_grad_(back)
    f = lambda: torch.logsumexp(beta * F.unfold(x, k, d, p, s).view(lines, k[0] * k[1], -1), 1) / beta
    if not back:
        return f
    y, g = f(), torch.randn_like(f())
    return lambda: torch.autograd.grad(y, x, g, retain_graph=True)


def fourier(back, whole, rows, n):
    """back: from bins to points; whole: as irfft and its VJP weigh bins. A VJP is PyTorch's own, of a spectrum as
    two reals a bin."""
    ahead = lambda x: torch.view_as_real(torch.fft.rfft(x))
    inverse = lambda z: torch.fft.irfft(torch.view_as_complex(z), n)
    f, own = (inverse, back) if whole else (ahead, not back)
    x, z = rand(rows, n), rand(rows, n // 2 + 1, 2)
    if own:
        return lambda: f(z if back else x)
    x, g = (z, x) if whole else (x, z)
    x.requires_grad_(True)
    y = f(x)
    return lambda: torch.autograd.grad(y, x, g, retain_graph=True)


def spectral(back, grid, width, modes):
    x, w = rand(grid, width), torch.complex(*(rand(modes, width, width) for _ in range(2)))

    def mixed(x, w):
        v = torch.einsum("ki,kio->ko", torch.fft.rfft(x, dim=0)[:modes], w)
        return torch.fft.irfft(v, grid, dim=0)

    if not back:
        return lambda: mixed(x, w)
    x.requires_grad_(True), w.requires_grad_(True)
    y, g = mixed(x, w), rand(grid, width)
    return lambda: torch.autograd.grad(y, (x, w), g, retain_graph=True)


@peer
def gather_rows(rows, cols, k):
    x, idx = rand(rows, cols), index(rows, k)
    return lambda: F.embedding(idx, x)


@peer
def gather_rows_vjp(rows, cols, k):
    idx, g = index(rows, k), rand(k, cols)
    return lambda: aten.embedding_dense_backward(g, idx, rows, -1, False)


@peer
def scatter_add_rows(rows, cols, k):
    x, idx, u = rand(rows, cols), index(rows, k), rand(k, cols)
    return lambda: x.index_add(0, idx, u)


@peer
def scatter_add_rows_vjp(rows, cols, k):
    idx, g = index(rows, k), rand(rows, cols)
    return lambda: (g.clone(), g[idx])


@peer
def gather(n, k=1):
    x, idx = rand(n), index(n, k)
    return lambda: torch.index_select(x, 0, idx)


@peer
def gather_vjp(n, k=1):
    idx, g = index(n, k), rand(k)
    return lambda: torch.zeros(n, device="cuda").index_add_(0, idx, g)


@peer
def scatter_add(n, k=1):
    x, idx, u = rand(n), index(n, k), rand(k)
    return lambda: x.index_add(0, idx, u)


@peer
def scatter_add_vjp(n, k=1):
    idx, g = index(n, k), rand(n)
    return lambda: (g.clone(), torch.index_select(g, 0, idx))


def one_row(f):
    """The form with one index in place of k."""
    return lambda rows, cols: f(rows, cols, 1)


FORMS = {
    "gather_row": one_row(gather_rows), "gather_row_vjp": one_row(gather_rows_vjp),
    "scatter_add_row": one_row(scatter_add_rows),
    "scatter_add_row_vjp": one_row(scatter_add_rows_vjp),
    "gather_scalar": gather, "gather_scalar_vjp": gather_vjp,
    "scatter_add_scalar": scatter_add, "scatter_add_scalar_vjp": scatter_add_vjp,
}


@peer
def concat(outer, na, nb, inner):
    a, b = rand(outer, na, inner), rand(outer, nb, inner)
    return lambda: torch.cat((a, b), 1)


@peer
def concat_vjp(outer, na, nb, inner):
    g = rand(outer, na + nb, inner)
    return lambda: (g[:, :na].contiguous(), g[:, na:].contiguous())


@peer
def slice(outer, n, inner, len, start=0):
    x = rand(outer, n, inner)
    return lambda: x[:, start:start + len].contiguous()


@peer
def slice_vjp(outer, n, inner, len, start=0):
    g, shape = rand(outer, len, inner), (outer, n, inner)
    return lambda: aten.slice_backward(g, shape, 1, start, start + len, 1)


@peer
def write_rows(rows, cols, k, start=0):
    x, u = rand(rows, cols), rand(k, cols)
    return lambda: aten.slice_scatter(x, u, 0, start, start + k)


@peer
def write_rows_vjp(rows, cols, k, start=0):
    g, none = rand(rows, cols), torch.zeros(k, cols, device="cuda")
    return lambda: (aten.slice_scatter(g, none, 0, start, start + k), g[start:start + k].clone())


def map1(f):
    """Of one tensor."""
    def sized(n, **attrs):
        a = rand(n).abs() + 0.1
        return lambda: f(a, **attrs)
    return sized


def map2(f):
    """Of two tensors: two inputs, or one and the cotangent."""
    def sized(n, **attrs):
        a, b = rand(n).abs() + 0.1, rand(n)
        return lambda: f(a, b, **attrs)
    return sized


def map3(f):
    """Of two inputs and the cotangent."""
    def sized(n):
        a, b, g = rand(n), rand(n).abs() + 0.1, rand(n)
        return lambda: f(a, b, g)
    return sized


def halves(a, b, g):
    """The gradients of maximum (minimum has them exchanged): a tie's is split."""
    tie, da = a == b, a > b
    return torch.where(tie, g / 2, g * da), torch.where(tie, g / 2, g * ~da)


MAPS = {
    "sub": map2(torch.sub), "sub_vjp": map1(lambda g: (g.clone(), -g)),
    "mul": map2(torch.mul), "mul_vjp": map3(lambda a, b, g: (b * g, a * g)),
    "div": map2(lambda a, b: b / a), "div_vjp": map3(lambda a, b, g: (g / b, -g * a / (b * b))),
    "scale": map1(lambda a, c: a * c), "scale_vjp": map1(lambda g, c: g * c),
    "axpy": map2(lambda a, b, c: torch.add(a, b, alpha=c)),
    "axpy_vjp": map1(lambda g, c: (g.clone(), g * c)),
    "neg": map1(torch.neg), "neg_vjp": map1(torch.neg),
    "abs": map1(torch.abs), "abs_vjp": map2(lambda a, g: g * torch.sign(a)),
    "sqrt": map1(torch.sqrt), "sqrt_vjp": map2(lambda y, g: g / (2 * y)),
    "rsqrt": map1(torch.rsqrt), "rsqrt_vjp": map2(lambda y, g: -0.5 * g * y * y * y),
    "reciprocal": map1(torch.reciprocal), "reciprocal_vjp": map2(lambda y, g: -g * y * y),
    "clamp": map1(lambda a, lo, hi: torch.clamp(a, lo, hi)),
    "clamp_vjp": map2(lambda a, g, lo, hi: torch.where((a >= lo) & (a <= hi), g, 0)),
    "maximum": map2(torch.maximum), "maximum_vjp": map3(halves),
    "minimum": map2(torch.minimum), "minimum_vjp": map3(halves),
    "relu": map1(torch.relu), "relu_vjp": map2(lambda a, g: aten.threshold_backward(g, a, 0)),
    "add": map2(torch.add), "add_vjp": map1(lambda g: (g.clone(), g.clone())),
    "exp": map1(torch.exp), "exp_vjp": map2(torch.mul), "log": map1(torch.log), "log_vjp": map2(lambda a, g: g / a),
    "sigmoid": map1(torch.sigmoid), "sigmoid_vjp": map2(lambda y, g: aten.sigmoid_backward(g, y)),
    "tanh": map1(torch.tanh), "tanh_vjp": map2(lambda y, g: aten.tanh_backward(g, y)),
    "softplus": map1(F.softplus), "softplus_vjp": map2(lambda a, g: aten.softplus_backward(g, a, 1, 20)),
    "silu": map1(F.silu), "silu_vjp": map2(lambda a, g: aten.silu_backward(g, a)),
    "gelu": map1(lambda a: F.gelu(a, approximate="tanh")),
    "gelu_vjp": map2(lambda a, g: aten.gelu_backward(g, a, approximate="tanh")),
    "safe_log": map1(lambda a, eps: torch.log(F.softplus(a) + eps)),
    "safe_log_vjp": map2(lambda a, g, eps: g * torch.sigmoid(a) / (F.softplus(a) + eps)),
    "copy": map1(torch.clone), "copy_vjp": map1(torch.clone),
    "fill": lambda n, value=0: lambda: torch.full((n,), value, device="cuda"),
    "zeros": lambda n: lambda: torch.zeros(n, device="cuda"), "ones": lambda n: lambda: torch.ones(n, device="cuda"),
    "rand_uniform": lambda n, **seed: lambda: torch.rand(n, device="cuda"),
    "rand_normal": lambda n, **seed: lambda: torch.randn(n, device="cuda"),
    "avg_pool": lambda **of: pooled("avg_pool", False, **of),
    "avg_pool_vjp": lambda **of: pooled("avg_pool", True, **of),
    "max_pool": lambda **of: pooled("max_pool", False, **of),
    "max_pool_vjp": lambda **of: pooled("max_pool", True, **of),
    "smooth_max_pool": lambda **of: smooth_pooled(False, **of),
    "smooth_max_pool_vjp": lambda **of: smooth_pooled(True, **of),
    "rfft": lambda **of: fourier(False, False, **of), "rfft_vjp": lambda **of: fourier(True, False, **of),
    "irfft": lambda **of: fourier(True, True, **of), "irfft_vjp": lambda **of: fourier(False, True, **of),
    "spectral_conv1d": lambda **of: spectral(False, **of),
    "spectral_conv1d_vjp": lambda **of: spectral(True, **of),
    "bernoulli": lambda n, p=0.5, **seed: lambda: torch.empty(n, device="cuda").bernoulli_(p),
}


def main():
    global FLUSH
    asked = json.loads(sys.argv[1])
    compiled = "--compile" in sys.argv[2:]
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    FLUSH = torch.empty(64 << 20, dtype=torch.int32, device="cuda")

    src, dst = rand(1 << 28), rand(1 << 28)
    copy_us = median_us(lambda: dst.copy_(src))
    del src, dst
    a, b = rand(8192, 8192), rand(8192, 8192)
    gemm_us = median_us(lambda: a @ b, 8)
    del a, b

    peers = {**MAPS, **FORMS, **peers_products.MAPS, **PEERS}
    for row in asked:
        try:
            if row["op"] not in peers:
                raise LookupError("peers.py has nothing for it")
            run = peers[row["op"]](**row["size"])
            row["eager_us"] = median_us(run)
            if compiled:
                row["compiled_us"] = median_us(torch.compile(run, dynamic=False))
        except Exception as error:  # one op that PyTorch cannot run does not end the others
            row["error"] = " ".join(repr(error).split())[:200]
        run = None
        torch.cuda.empty_cache()
    json.dump({"torch": torch.__version__, "gpu": torch.cuda.get_device_name(),
               "copy_GBs": 2 * 4 * (1 << 28) / copy_us / 1e3,
               "f32_TFs": 2 * 8192**3 / gemm_us / 1e6, "rows": asked}, sys.stdout)


if __name__ == "__main__":
    main()
