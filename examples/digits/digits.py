"""The digits of examples/digits in Python: digits.py DATA. get_digits.sh fetches it, PROOFMARK_BACKEND says where."""
import sys

import numpy as np
import proofmark

data = np.loadtxt(sys.argv[1], delimiter=",", dtype=np.float32)
kept = np.arange(len(data)) % 5 == 4
s = proofmark.Session()
x, y = s.tensor(data[~kept, :64] / 16), s.tensor(data[~kept, 64].astype(np.int64))
w = [s.randn(32, 64, stream=1) * 0.2, s.zeros(32), s.ones(32), s.zeros(32), s.randn(10, 32, stream=5) * 0.2,
     s.zeros(10)]
w = [p.detach().requires_grad_() for p in w]
m, v = ([s.zeros(*p.shape) for p in w] for _ in range(2))


def net(x):
    return s.linear(s.layer_norm(s.gelu(s.linear(x, w[0], w[1])), w[2], w[3])[0], w[4], w[5])


for t in range(1, 8 * (len(x) // 64) + 1):
    i = (t - 1) % (len(x) // 64) * 64
    loss = s.cross_entropy(net(x[i:i + 64]), y[i:i + 64])
    loss.backward()
    with s.no_grad():
        for p, a, b in zip(w, m, v):
            s.adamw_step(p, p.grad, a, b, lr=0.01, weight_decay=0.01, c1=1 / (1 - 0.9 ** t), c2=1 / (1 - 0.999 ** t),
                         out=[p, a, b])
            p.zero_grad()
right = net(s.tensor(data[kept, :64] / 16)).numpy().argmax(1) == data[kept, 64]
print("%s: loss %.4f, right of those kept back: %.1f%%" % (s.backend, loss.item(), 100 * right.mean()))
