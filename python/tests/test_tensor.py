"""Tensors on the reference and on the simulator."""
import gc
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import proofmark
from proofmark import _tensor

X = np.float32([[1, -2, 3], [0.5, 0, -1]])


@pytest.fixture(params=["ref", "sim", "shadow:sim"])
def s(request):
    with proofmark.Session(request.param) as session:
        assert session.backend == request.param
        yield session


def test_there_and_back(s):
    for a, dtype in [(X, "float32"), (X.astype(np.float64), "float32"), ([1, 2], "int64"), (True, "int64"),
                     (np.uint8([3]), "int64"), (X[:, ::2], "float32"), (np.zeros((0, 3), np.float32), "float32")]:
        t = s.tensor(a)
        assert t.dtype == dtype and t.shape == np.shape(a)
        np.testing.assert_array_equal(t.numpy(), np.asarray(a, dtype))
    half = s.tensor(X, dtype="float16")
    assert half.dtype == "float16" and half.numpy().dtype == np.float16
    np.testing.assert_array_equal(np.asarray(s.tensor(X)), X)
    np.testing.assert_array_equal(np.from_dlpack(s.tensor(X)), X)
    assert float(s.tensor(2.5)) == 2.5 and len(s.tensor(X)) == 2
    assert repr(s.tensor([7])) == "tensor([7], int64 on %s)" % s.backend


def test_ops_by_name(s):
    y = s.softmax(s.tensor(X))
    assert proofmark.judge("softmax", X, y.numpy())
    y, mean, rstd = s.layer_norm(s.tensor(X), s.ones(3), s.zeros(3), eps=1e-5)
    assert y.shape == (2, 3) and mean.shape == rstd.shape == (2,)
    np.testing.assert_array_equal(s.permute(s.tensor(X), axes=(1, 0)).numpy(), X.T)
    np.testing.assert_array_equal((s.tensor(X) @ s.tensor(X.T)).numpy(), X @ X.T)
    np.testing.assert_array_equal(s.mean_axis(s.tensor(X), axis=1).shape, (2,))
    t = s.tensor(X)
    np.testing.assert_array_equal(((t + t) * 0.5 - (-t) / t).numpy(), X + np.where(X == 0, np.nan, 1))
    assert s.sgd_step(t, s.tensor(X), lr=0.5, out=t) is t
    np.testing.assert_array_equal(t.numpy(), X * 0.5)


def test_multi_head_attention(s):
    r = np.random.default_rng(1)
    draw = lambda *shape: r.normal(size=shape).astype(np.float32)
    x, wq, wk, wv, wo = draw(2, 3, 4), draw(4, 8), draw(4, 4), draw(4, 4), draw(8, 5)
    mask = np.float32([[0, 1, 0], [0, 0, 1], [0, 0, 0]])

    def heads(w, n):
        return (x @ w).reshape(2, 3, n, 2).transpose(0, 2, 1, 3)

    q, k, v = heads(wq, 4), heads(wk, 2).repeat(2, 1), heads(wv, 2).repeat(2, 1)
    p = np.exp(q @ k.transpose(0, 1, 3, 2) / np.sqrt(2)) * (1 - mask) * np.tril(np.ones((3, 3)))
    want = ((p / p.sum(-1, keepdims=True)) @ v).transpose(0, 2, 1, 3).reshape(2, 3, 8) @ wo
    t = s.tensor(x, requires_grad=True)
    y = s.multi_head_attention(t, *map(s.tensor, (wq, wk, wv, wo)), heads=4, kv_heads=2, mask=s.tensor(mask),
                               causal=True)
    np.testing.assert_allclose(y.numpy(), want, rtol=1e-4, atol=1e-5)
    s.sum(y).backward()
    assert t.grad.shape == x.shape and np.isfinite(t.grad.numpy()).all()
    with pytest.raises(proofmark.ProofmarkError, match="size 0 of wo is 8: it must be 4"):
        s.multi_head_attention(t, *map(s.tensor, (wk, wk, wv, wo)), heads=2)


def test_the_tape(s):
    a = s.tensor(X, requires_grad=True)
    loss = s.sum(a * a)
    loss.backward()
    np.testing.assert_array_equal(a.grad.numpy(), 2 * X)
    loss.backward()
    np.testing.assert_array_equal(a.grad.numpy(), 4 * X)
    a.zero_grad()
    (a[1:].reshape(3) * 3).backward(s.tensor([1, 2, 4.0]))
    np.testing.assert_array_equal(a.grad.numpy(), [[0, 0, 0], [3, 6, 12]])
    with s.no_grad():
        b = a * a
    with pytest.raises(proofmark.ProofmarkError, match="(?i)gradient|tape"):
        s.sum(b).backward()
    with pytest.raises(proofmark.ProofmarkError):
        s.sum(a.detach()).backward()


def test_what_is_refused(s):
    t = s.tensor(X)
    for wrong, words in [(lambda: s.linear(t, t), "linear"), (lambda: s.relu(X), "must be a tensor"),
                         (lambda: s.relu(t, slope=1), "slope"), (lambda: s.relu(t, out=[t, t]), "out="),
                         (lambda: t[0], "slices"), (lambda: t[::2], "slices"), (lambda: t.reshape(4), "4"),
                         (lambda: t.put(X.T), "shape"), (lambda: t.item(), "element"),
                         (lambda: s.zeros(*[1] * 9), "9 axes"), (lambda: s.tensor(X, dtype="complex64"), "complex64"),
                         (lambda: s.tensor(np.uint64([2 ** 63])), "9223372036854775808"),
                         (lambda: proofmark.Session("gpu"), "gpu")]:
        with pytest.raises(proofmark.ProofmarkError) as caught:
            wrong()
        assert words in str(caught.value)
    with pytest.raises(AttributeError, match="sofmax"):
        s.sofmax
    with pytest.raises(TypeError):
        t + "1"
    with proofmark.Session("ref") as other, pytest.raises(proofmark.ProofmarkError):
        other.relu(t)
    np.testing.assert_array_equal(t.numpy(), X)


def test_what_is_let_go(s):
    before = s.usage()
    for _ in range(3):
        t = s.softmax(s.tensor(X))
        t[:1].detach()
    del t
    gc.collect()
    assert s.usage() == before
    late = proofmark.Session("ref").tensor(X)  # its session lives as long
    np.testing.assert_array_equal(late.numpy(), X)
    late.session.close()
    with pytest.raises(proofmark.ProofmarkError):
        late.numpy()


def test_steps_again(s):
    x, w = s.tensor(X), s.tensor([[1.0, 2, 3]], requires_grad=True)
    with s.record() as step:
        loss = s.mean(s.linear(x, w, s.zeros(1)))
        loss.backward()
        with s.no_grad():
            s.sgd_step(w, w.grad, lr=0.5, out=w)
        w.zero_grad()
    assert step.steps >= 6 and 0 < step.planned < step.unplanned
    np.testing.assert_array_equal(w.numpy(), [[1, 2, 3] - 0.5 * X.mean(0)])
    assert not step.graph and step.why_no_graph == "it has not run yet"
    x.put(-X)
    step.run()
    assert step.graph == (s.backend == "cuda"), step.why_no_graph
    np.testing.assert_array_equal(w.numpy(), [[1, 2, 3]])
    assert loss.item() == -(X @ ([1, 2, 3] - 0.5 * X.mean(0))).mean().astype(np.float32)
    with pytest.raises(proofmark.ProofmarkError, match="no step"):
        with s.record():
            pass
    with pytest.raises(KeyError):
        with s.record():
            raise KeyError
    with s.record() as other:
        s.relu(x)
    other.run()


def test_the_shadow(tmp_path):
    with proofmark.Session("shadow:sim") as s:
        s.watch(every=2)
        t = s.tensor(X)
        for _ in range(4):
            t = s.relu(t)
        seen = s.shadow
        assert (seen.steps, seen.looked_at, seen.diverged, seen.first) == (4, 2, 0, None)
        s.watch(ops=["softmax"], go_on=True, folder=tmp_path)
        with pytest.raises(proofmark.ProofmarkError, match="sofmax"):
            s.watch(ops=["sofmax"])
    with proofmark.Session("ref") as s, pytest.raises(proofmark.ProofmarkError):
        s.shadow


def test_an_attribute_later(s):
    x = s.tensor(X)
    with s.record() as step:
        y = s.scale(x, c=2.0)
    step.set("scale", c=3.0)
    step.run()
    np.testing.assert_array_equal(y.numpy(), 3 * X)
    with pytest.raises(proofmark.ProofmarkError, match="'k' is none"):
        step.set("scale", k=1)
    with pytest.raises(proofmark.ProofmarkError, match="no step"):
        step.set("axpy", c=1)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_kernels_of_others(tmp_path):
    (tmp_path / "k.c").write_text("void twice(float *y, const float *a, long n)\n"
                                  "{ for (long i = 0; i < n; i++) y[i] = 2 * a[i] + (n > 4); }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "libk.so", "k.c"], cwd=tmp_path, check=True)
    (tmp_path / "k.kernel").write_text("kernel: mine\nop: scale\nlibrary: libk.so\ncall: twice(y, a, i64 n)\n"
                                       "set: c=2\n")
    with proofmark.Session("shadow:sim") as s:
        s.use_kernels(tmp_path / "k.kernel")
        x = s.tensor(X[0])
        np.testing.assert_array_equal(s.scale(x, c=2.0).numpy(), 2 * X[0])
        np.testing.assert_array_equal(s.scale(x, c=3.0).numpy(), 3 * X[0])
        with pytest.raises(proofmark.Diverged, match=r"scale \(mine on sim\): y\[0\] is 3, must be 2"):
            s.scale(s.tensor(X), c=2.0)
        assert s.kernels == [proofmark.Kernel("scale", "mine", 2, 1)]
        with pytest.raises(proofmark.ProofmarkError, match="second one of scale"):
            s.use_kernels(tmp_path / "k.kernel")
    with proofmark.Session("ref") as s, pytest.raises(proofmark.ProofmarkError, match="runs none"):
        s.use_kernels(tmp_path / "k.kernel")


def test_the_caller_is_known(monkeypatch):
    seen = []
    monkeypatch.setattr(_tensor, "run", lambda name, *a: seen.append(a[:2]) if name == "pmr_call_at" else None)
    s = object.__new__(proofmark.Session)
    s._handle, s.backend = None, ""
    s.call("relu", object.__new__(type("T", (_tensor.Tensor,), {"_handle": None})))
    assert os.path.samefile(seen[0][0], __file__) and "s.call" in \
        pathlib.Path(__file__).read_text().splitlines()[seen[0][1] - 1]


def test_the_default(monkeypatch):
    monkeypatch.setenv("PROOFMARK_BACKEND", "sim")
    _tensor.default_session.cache_clear()
    t = proofmark.tensor(X)
    assert t.session.backend == "sim" and proofmark.tensor(1).session is t.session
    _tensor.default_session.cache_clear()


def test_the_digits(tmp_path):
    """Ten patterns with noise on them are told apart."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 10, 650)
    x = np.clip(rng.integers(0, 17, (10, 64))[y] + rng.integers(-3, 4, (650, 64)), 0, 16)
    np.savetxt(tmp_path / "digits.csv", np.column_stack([x, y]), fmt="%d", delimiter=",")
    program = pathlib.Path(__file__).parents[2] / "examples" / "digits" / "digits.py"
    said = subprocess.run([sys.executable, str(program), str(tmp_path / "digits.csv")], capture_output=True, text=True,
                          env=dict(os.environ, PROOFMARK_BACKEND="sim"), check=True).stdout
    assert said.startswith("sim: loss 0.") and float(said.split()[-1][:-1]) > 95


def test_rounding_to_the_end(s):
    s.keep_inputs()
    a = s.tensor([1, -2, 3.0], requires_grad=True)
    r = s.sum(a * 0.3).error_bound("ieee,height=2")
    size = sum(abs(x) * float(np.float32(0.3)) for x in (1, -2, 3.0)) * 2.0 ** -24
    assert r.device == pytest.approx(3 * size, rel=1e-4) and r.calls == 2 and r.op == "sum"
    with pytest.raises(proofmark.ProofmarkError, match="must have 1"):
        (a * 2).error_bound()
