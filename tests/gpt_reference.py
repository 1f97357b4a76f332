"""GPT-2 beside examples/gpt: a file of its shape, as PyTorch would write it, and what it says.

gpt_reference.py FILE DTYPE TEXT PROMPT N   DTYPE: F32, or F16: with the names and the extra tensors of older files

Writes FILE with drawn weights, and prints the N bytes that follow PROMPT, each the most likely one, by a
forward pass in f64 that shares nothing with the runtime: from Radford et al. (2019), as transformers' GPT2Model
computes it. Each stands above the next likely one by more than f32 could move them.
Before them stands the loss of the batch that the program draws first from the file TEXT (seed 1, two rows).
"""
import json
import struct
import sys

import numpy as np

LAYERS, HEADS, WIDTH, HIDDEN, CONTEXT, VOCAB = 2, 2, 8, 20, 24, 256


def weights(rng):
    w = {"wte.weight": (VOCAB, WIDTH), "wpe.weight": (CONTEXT, WIDTH), "ln_f.weight": (WIDTH,), "ln_f.bias": (WIDTH,)}
    for i in range(LAYERS):
        w.update({"h.%d.%s" % (i, k): v for k, v in {
            "ln_1.weight": (WIDTH,), "ln_1.bias": (WIDTH,), "attn.c_attn.weight": (WIDTH, 3 * WIDTH),
            "attn.c_attn.bias": (3 * WIDTH,), "attn.c_proj.weight": (WIDTH, WIDTH), "attn.c_proj.bias": (WIDTH,),
            "ln_2.weight": (WIDTH,), "ln_2.bias": (WIDTH,), "mlp.c_fc.weight": (WIDTH, HIDDEN),
            "mlp.c_fc.bias": (HIDDEN,), "mlp.c_proj.weight": (HIDDEN, WIDTH), "mlp.c_proj.bias": (WIDTH,)}.items()})
    return {k: rng.normal(size=v).astype("f2") for k, v in w.items()}


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
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".weight"] \
        + w[name + ".bias"]


def affine(x, w, name):
    return x @ w[name + ".weight"] + w[name + ".bias"]


def attention(x, w, name):
    n, d = len(x), WIDTH // HEADS
    q, k, v = (t.reshape(n, HEADS, d).transpose(1, 0, 2) for t in np.split(affine(x, w, name + ".c_attn"), 3, axis=-1))
    s = np.where(np.tril(np.ones((n, n))) > 0, q @ k.transpose(0, 2, 1) / np.sqrt(d), -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return affine((p / p.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, WIDTH), w, name + ".c_proj")


def logits(tokens, w):
    x = w["wte.weight"][tokens] + w["wpe.weight"][:len(tokens)]
    for i in range(LAYERS):
        x = x + attention(norm(x, w, "h.%d.ln_1" % i), w, "h.%d.attn" % i)
        a = affine(norm(x, w, "h.%d.ln_2" % i), w, "h.%d.mlp.c_fc" % i)
        a = 0.5 * a * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a ** 3)))
        x = x + affine(a, w, "h.%d.mlp.c_proj" % i)
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
    w = weights(np.random.default_rng(63))
    written = dict(w)
    if dtype == "F16":
        written = {"transformer." + k: v for k, v in w.items()}
        written["lm_head.weight"] = w["wte.weight"]
        for i in range(LAYERS):
            written["transformer.h.%d.attn.bias" % i] = np.tril(np.ones((1, 1, CONTEXT, CONTEXT)))
            written["transformer.h.%d.attn.masked_bias" % i] = np.array(-1e4)
    write(path, written, dtype)
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
