"""The part of peers.py for products of matrices and what stands on them: linear, ffn, convolutions, rope, attention."""
import torch
import torch.nn.functional as F

from peer import factor, peer, rand


@peer
def bmm(m, k, n, ta=0, tb=0, alpha=1, **batch):
    a, b = factor(m, k, ta, *batch.values()), factor(k, n, tb, *batch.values())
    return (lambda: a @ b) if alpha == 1 else (lambda: (a @ b) * alpha)


@peer
def bmm_vjp(m, k, n, ta=0, tb=0, alpha=1, **batch):
    a, b, g = (factor(*of, *batch.values()) for of in ((m, k, ta), (k, n, tb), (m, n, 0)))

    def run():
        da = b @ g.mT if ta else g @ b.mT
        db = g.mT @ a if tb else a.mT @ g
        return (da, db) if alpha == 1 else (da * alpha, db * alpha)

    return run


@peer
def linear(rows, out, vjp=0, **of):
    x, w, b, g = rand(rows, of["in"]), rand(out, of["in"]), rand(out), rand(rows, out)
    return (lambda: (g @ w, g.mT @ x, g.sum(0))) if vjp else lambda: F.linear(x, w, b)


@peer
def ffn(rows, hidden, out, vjp=0, **of):
    h, w1, w2, g = rand(rows, of["in"]), rand(of["in"], hidden), rand(hidden, out), rand(rows, out)
    u, a = h @ w1, F.gelu(h @ w1, approximate="tanh")
    pulled = lambda du: (du @ w1.mT, h.mT @ du, a.mT @ g)
    return ((lambda: pulled(torch.ops.aten.gelu_backward(g @ w2.mT, u, approximate="tanh"))) if vjp else
            lambda: F.gelu(h @ w1, approximate="tanh") @ w2)


def convolved(transposed, back, batch, groups, out, rank=2, **of):
    """PyTorch has convolutions of ranks 1 to 3."""
    n, k, s, p, d, o = ([of.get(c + str(e), int(c not in "po")) for e in range(int(rank))] for c in "nkspdo")
    into = of["in"]
    f = getattr(F, "conv%s%dd" % ("_transpose" if transposed else "", rank))
    shape = (groups * into, out) if transposed else (groups * out, into)
    x, w, b = rand(batch, groups * into, *n), rand(*shape, *k), rand(groups * out)
    more = (s, p, o, groups, d) if transposed else (s, p, d, groups)
    if not back:
        return lambda: f(x, w, b, *more)
    g = torch.randn_like(f(x, w, b, *more))
    asked = (g, x, w, [groups * out], s, p, d, transposed, o, groups, [True] * 3)
    return lambda: torch.ops.aten.convolution_backward(*asked)


def turned(back, batch, seq, heads, head_dim, table=1, base=10000, pos_offset=0):
    """As models do it: cosines and sines of f32 angles are there."""
    x, half, step = rand(batch, seq, heads, head_dim), head_dim // 2, torch.arange(seq, device="cuda")
    f = rand(half) if table else base ** (-torch.arange(half, device="cuda") / half)
    t = torch.outer((pos_offset + step).float(), f).repeat(1, 2)[None, :, None, :]
    c, s = t.cos(), -t.sin() if back else t.sin()
    return lambda: x * c + torch.cat((-x[..., half:], x[..., :half]), 3) * s


def attention(batch, heads, kv_heads, nq, nk, d, causal, masked):
    """q, k, v, and the keyword arguments that say what is open: PyTorch's is_causal aligns the first query with
    the first key, ours the last with the last."""
    q, k, v = rand(batch, heads, nq, d), rand(batch, kv_heads, nk, d), rand(batch, kv_heads, nk, d)
    how = {"enable_gqa": heads != kv_heads}
    if causal and nq == nk and not masked:
        how["is_causal"] = True
    elif causal or masked:
        seen = rand(nq, nk) > 0 if masked else torch.ones_like(rand(nq, nk), dtype=torch.bool)
        how["attn_mask"] = seen.tril(nk - nq) if causal else seen
    return q, k, v, how


@peer
def sdpa(batch, heads, kv_heads, nq, nk, d, causal=0, masked=0):
    q, k, v, how = attention(batch, heads, kv_heads, nq, nk, d, causal, masked)
    return lambda: F.scaled_dot_product_attention(q, k, v, **how)


@peer
def sdpa_vjp(batch, heads, kv_heads, nq, nk, d, causal=0, masked=0):
    q, k, v, how = attention(batch, heads, kv_heads, nq, nk, d, causal, masked)
    inputs = [x.requires_grad_() for x in (q, k, v)]
    y, g = F.scaled_dot_product_attention(q, k, v, **how), rand(batch, heads, nq, d)
    return lambda: torch.autograd.grad(y, inputs, g, retain_graph=True)


@peer
def decode_sdpa(batch, heads, kv_heads, capacity, d, len=0):
    q, k, v, how = attention(batch, heads, kv_heads, 1, capacity, d, 0, 0)
    k, v = k[:, :, :len], v[:, :, :len]
    return lambda: F.scaled_dot_product_attention(q, k, v, **how)


def with_projections(batch, heads, kv_heads, n, width, d, causal=0, masked=0):
    """Inputs of which x, wq, wk, wv and wo are first, and what attention with these projections is of them."""
    *_, how = attention(batch, heads, kv_heads, n, n, d, causal, masked)
    x, wq, wk, wv, wo = (rand(batch, n, width), rand(width, heads * d), rand(width, kv_heads * d),
                         rand(width, kv_heads * d), rand(heads * d, width))

    def run():
        q, k, v = ((x @ w).view(batch, n, -1, d).transpose(1, 2) for w in (wq, wk, wv))
        o = F.scaled_dot_product_attention(q, k, v, **how)
        return o.transpose(1, 2).reshape(batch, n, heads * d) @ wo
    return (x, wq, wk, wv, wo), run


@peer
def multi_head_attention(**of):
    return with_projections(**of)[1]


@peer
def multi_head_attention_vjp(**of):
    inputs, run = with_projections(**of)
    for x in inputs:
        x.requires_grad_()
    y = run()
    g = rand(*y.shape)
    return lambda: torch.autograd.grad(y, inputs, g, retain_graph=True)


MAPS = {
    "conv": lambda **of: convolved(False, False, **of),
    "conv_vjp": lambda **of: convolved(False, True, **of),
    "conv_transpose": lambda **of: convolved(True, False, **of),
    "conv_transpose_vjp": lambda **of: convolved(True, True, **of),
    "matmul": lambda **of: bmm(**of), "matmul_vjp": lambda **of: bmm_vjp(**of),
    "ffn_vjp": lambda **of: ffn(vjp=1, **of), "linear_vjp": lambda **of: linear(vjp=1, **of),
    "rope": lambda **of: turned(0, **of), "rope_vjp": lambda **of: turned(1, **of),
}
