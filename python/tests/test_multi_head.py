"""check of an attention with its projections that gives y alone: the right one passes, wrong ones are found."""
import numpy as np
import pytest

import proofmark


def split(x, w):
    return (x @ w.reshape(len(w), w.shape[1] * w.shape[2])).reshape(*x.shape[:2], *w.shape[1:]).transpose(0, 2, 1, 3)


def attention(x, wq, wk, wv, wo, mask, causal, masked, scaled=True, aligned=True):
    (batch, n, width), (_, heads, d), group = x.shape, wq.shape, wq.shape[1] // max(1, wk.shape[1])
    seen = mask == 0 if masked else np.ones((n, n), bool)
    if causal:
        seen = seen & np.tril(np.ones((n, n), bool), 0 if aligned else 1)
    with np.errstate(all="ignore"):
        q, k, v = split(x, wq), np.repeat(split(x, wk), group, 1), np.repeat(split(x, wv), group, 1)
        s = q @ k.transpose(0, 1, 3, 2) * np.float32(1 / np.sqrt(d) if d and scaled else 1)
        s = np.where(seen, s, np.float32(-np.inf))
        e = np.where(seen, np.exp(s - s.max(3, keepdims=True, initial=-np.inf)), np.float32(0))
        o = np.where(seen.any(1)[:, None], e @ v / e.sum(3, keepdims=True), np.float32(0))
        return o.transpose(0, 2, 1, 3).reshape(batch, n, heads * d) @ wo.reshape(heads * d, width)


def test_right():
    proofmark.check("multi_head_attention", attention, outputs=["y"], cases=60).assert_passed()


@pytest.mark.parametrize("wrong", ({"scaled": False}, {"aligned": False}))
def test_wrong(wrong):
    report = proofmark.check("multi_head_attention", lambda *given, **how: attention(*given, **how, **wrong),
                             outputs=["y"], cases=60)
    assert report.outcome == "FAIL"
