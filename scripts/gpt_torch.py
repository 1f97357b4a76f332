#!/usr/bin/env python3
"""A GPT of the shape of examples/gpt in PyTorch, and how long a training step of it takes, eager and compiled, in
float32 without TF32: what `gpt --every 1` is measured beside (scripts/gpu_check.sh, part gpt).

usage: gpt_torch.py LAYERS HEADS WIDTH CONTEXT BATCH
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (
            part.view(b, t, self.heads, c // self.heads).transpose(1, 2)
            for part in self.qkv(self.before(x)).split(c, dim=2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.gelu(self.up(self.after(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, layers, heads, width, context):
        super().__init__()
        self.token, self.place = nn.Embedding(256, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = nn.LayerNorm(width)

    def forward(self, tokens, targets):
        x = self.token(tokens) + self.place.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        logits = self.last(x) @ self.token.weight.T
        return F.cross_entropy(logits.view(-1, 256), targets.reshape(-1))


def main():
    layers, heads, width, context, batch = map(int, sys.argv[1:6])
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    tokens = torch.randint(256, (batch, context + 1), device="cuda")
    for name in "eager", "compiled":
        model = Gpt(layers, heads, width, context).cuda()
        step_of = torch.compile(model) if name == "compiled" else model
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)

        def step():
            loss = step_of(tokens[:, :-1], tokens[:, 1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss

        for _ in range(3):
            step()
        times = []
        for _ in range(10):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            step().item()
            times.append(time.perf_counter() - begin)
        weights = sum(p.numel() for p in model.parameters())
        print(f"PyTorch {torch.__version__} {name}: {weights} weights, {1e3 * sorted(times)[5]:.1f} ms a step")


if __name__ == "__main__":
    main()
