"""GPT-2 and what came after it beside examples/gpt: a file of the shape, and what it says.

gpt_reference.py FILE KIND TEXT PROMPT N

KIND: F32, GPT-2 as PyTorch would write it; F16: with the names and the extra tensors of older files; rope: of rotary
positions, RMSNorm, SwiGLU and keys that two heads share. Writes FILE with drawn weights, and prints the loss of the
batch that the program draws first from the file TEXT (seed 1, two rows of CONTEXT bytes); then PROMPT and the N bytes
that follow it, each the most likely one, by more than f32 could move them. The forward pass, in f64, shares nothing
with the runtime: it is that of Radford et al. (2019), as transformers' GPT2Model computes it.
"""
import json
import struct
import sys

import numpy as np

LAYERS, HIDDEN, CONTEXT, VOCAB = 2, 20, 24, 256


def weights(rng, later):
    width, heads = (16, 4) if later else (8, 2)
    out = width // heads * (heads + 2 * (heads // 2 if later else heads))
    w = {"wte.weight": (VOCAB, width), "wpe.weight": (CONTEXT, width), "ln_f.weight": (width,), "ln_f.bias": (width,)}
    for i in range(LAYERS):
        w.update({"h.%d.%s" % (i, k): v for k, v in {
            "ln_1.weight": (width,), "ln_1.bias": (width,), "attn.c_attn.weight": (width, out),
            "attn.c_attn.bias": (out,), "attn.c_proj.weight": (width, width), "attn.c_proj.bias": (width,),
            "ln_2.weight": (width,), "ln_2.bias": (width,), "mlp.c_fc.weight": (width, HIDDEN * (1 + later)),
            "mlp.c_fc.bias": (HIDDEN * (1 + later),), "mlp.c_proj.weight": (HIDDEN, width),
            "mlp.c_proj.bias": (width,)}.items()})
    return {k: rng.normal(size=v).astype("f2") for k, v in w.items()
            if not (later and ("wpe" in k or ("ln_" in k and "bias" in k)))}


def write(path, tensors, dtype):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, t in tensors.items():
        raw = t.astype("<f4" if dtype == "F32" else "<f2").tobytes()
        header[name] = {"dtype": dtype, "shape": list(t.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def norm(x, w, name):
    if name + ".bias" not in w:  # RMSNorm (Zhang, Sennrich, 2019)
        return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + 1e-5) * w[name + ".weight"]
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".weight"] \
        + w[name + ".bias"]


def affine(x, w, name):
    return x @ w[name + ".weight"] + w[name + ".bias"]


def turned(x):
    """Rotary positions (Su et al., 2021), halves paired as in Llama: (heads, n, d)."""
    half = x.shape[-1] // 2
    at = np.arange(x.shape[1])[:, None] * 10000.0 ** (-np.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * np.cos(at) - b * np.sin(at), b * np.cos(at) + a * np.sin(at)], -1)


def attention(x, w, name, later):
    n, width = x.shape
    heads = 4 if later else 2
    keys, d = heads // (1 + later), width // heads
    y = affine(x, w, name + ".c_attn").reshape(n, -1, d).transpose(1, 0, 2)
    q, k, v = y[:heads], y[heads:heads + keys], y[heads + keys:]
    if later:
        q, k = turned(q), turned(k)
    k, v = (np.repeat(t, heads // keys, 0) for t in (k, v))
    s = np.where(np.tril(np.ones((n, n))) > 0, q @ k.transpose(0, 2, 1) / np.sqrt(d), -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return affine((p / p.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, width), w, name + ".c_proj")


def mlp(x, w, name, later):
    a = affine(x, w, name + ".c_fc")
    if later:  # SwiGLU (Shazeer, 2020)
        a = a[:, :HIDDEN] / (1 + np.exp(-a[:, :HIDDEN])) * a[:, HIDDEN:]
    else:
        a = 0.5 * a * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a ** 3)))
    return affine(a, w, name + ".c_proj")


def logits(tokens, w):
    later = "wpe.weight" not in w
    x = w["wte.weight"][tokens]
    if not later:
        x = x + w["wpe.weight"][:len(tokens)]
    for i in range(LAYERS):
        x = x + attention(norm(x, w, "h.%d.ln_1" % i), w, "h.%d.attn" % i, later)
        x = x + mlp(norm(x, w, "h.%d.ln_2" % i), w, "h.%d.mlp" % i, later)
    return norm(x, w, "ln_f") @ w["wte.weight"].T


def word(seed, place):
    """SplitMix64 (Steele, Lea, Flood, 2014), which has been called so often."""
    z = (seed * 0xD1342543DE82EF95 + (place + 1) * 0x9E3779B97F4A7C15) % 2 ** 64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2 ** 64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2 ** 64
    return z ^ z >> 31


def loss(text, w):
    rows = []
    for i in range(2):
        at = word(1, i) % (len(text) // 10 * 9 - CONTEXT)
        y = logits(list(text[at:at + CONTEXT]), w)
        y -= y.max(-1, keepdims=True)
        rows += list(np.log(np.exp(y).sum(-1)) - y[np.arange(CONTEXT), list(text[at + 1:at + CONTEXT + 1])])
    return np.mean(rows)


def main():
    path, dtype, prompt, n = sys.argv[1], sys.argv[2], sys.argv[4].encode(), int(sys.argv[5])
    with open(sys.argv[3], "rb") as f:
        text = f.read()
    later = dtype == "rope"
    w = weights(np.random.default_rng(30 if later else 63), later)
    written = dict(w)
    if dtype == "F16":
        written = {"transformer." + k: v for k, v in w.items()}
        written["lm_head.weight"] = w["wte.weight"]
        for i in range(LAYERS):
            written["transformer.h.%d.attn.bias" % i] = np.tril(np.ones((1, 1, CONTEXT, CONTEXT)))
            written["transformer.h.%d.attn.masked_bias" % i] = np.array(-1e4)
    write(path, written, "F32" if later else dtype)
    w = {k: v.astype("f8") for k, v in w.items()}
    tokens, least = list(prompt), np.inf
    for _ in range(n):
        y = logits(tokens, w)[-1]
        following, last = np.sort(y)[-2:]
        least = min(least, last - following)
        tokens.append(int(np.argmax(y)))
    if least < 0.1:
        sys.exit("gpt_reference.py: a draw of bytes that are as likely: %g apart" % least)
    print("%.6f" % loss(text, w))
    print("".join(chr(t) if t in (9, 10) or 32 <= t < 127 else "\\x%02x" % t for t in tokens))


if __name__ == "__main__":
    main()
