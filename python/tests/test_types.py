"""Functions on other types than float32 and int64: halves, doubles, indices of 32 bits, masks."""
import importlib.util

import numpy as np
import pytest

import proofmark
from proofmark._arrays import Plain, dtype_name, encoded, to_plain
from test_arrays import torch  # noqa: F401


def softmax(x):
    """In float32, and rounded once."""
    if x.size == 0:
        return np.empty_like(x)
    with np.errstate(all="ignore"):
        a = x.astype(np.float32)
        e = np.exp(a - a.max(1, keepdims=True))
        return (e / e.sum(1, keepdims=True)).astype(x.dtype)


def low(x):
    """Adds up in the type itself."""
    if x.size == 0:
        return np.empty_like(x)
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(1, keepdims=True))
        return e / np.add.accumulate(e, axis=1, dtype=x.dtype)[:, -1:]


def test_halves():
    seen = []

    def fn(x):
        seen.append(x.dtype)
        return softmax(x)
    report = proofmark.check("softmax", fn, dtype="float16", cases=60)
    report.assert_passed()
    assert set(seen) == {np.dtype(np.float16)} and report.elements > 1000
    for dtype in (np.float16, {"x": "float16", "y": "float16"}):
        proofmark.check("softmax", softmax, dtype=dtype, cases=5).assert_passed()
    report = proofmark.check("softmax", low, dtype="float16")
    assert not report and "types=x:f16" in report.failure.line and "first: y[" in str(report)
    again = proofmark.replay(report.failure.line, low)
    assert again.failure.what == report.failure.what
    proofmark.replay(report.failure.line, softmax).assert_passed()


def test_what_is_cut_off():
    """An output that is rounded toward zero is off by up to a unit, where half of one is allowed."""
    def cut(x):
        y = softmax(x.astype(np.float32))
        h = y.astype(np.float16)
        with np.errstate(all="ignore"):
            return np.where(h.astype(np.float32) > y, np.nextafter(h, np.float16(0)), h)
    report = proofmark.check("softmax", cut, dtype="float16")
    assert not report and "elements are wrong" in str(report)


def test_the_type_that_was_said():
    def wide(x):
        return softmax(x.astype(np.float32))
    report = proofmark.check("softmax", wide, dtype="float16", cases=20)
    report.assert_passed()  # a wider output is as good
    report = proofmark.check("softmax", wide, dtype={"x": "float16", "y": "float16"})
    assert "y is of type float32, must be float16, as dtype= says" in str(report)
    report = proofmark.replay(report.failure.line, wide)
    assert "must be float16" in str(report)


def test_changed_inputs():
    def spoils(x):
        y = softmax(x)
        x[:1, :1] = 3
        return y
    assert "changed its input x" in str(proofmark.check("softmax", spoils, dtype="float16", values="uniform"))


def test_doubles():
    proofmark.check("mul", lambda a, b: a * b, dtype="float64", cases=60).assert_passed()
    assert not proofmark.check("mul", lambda a, b: a * b * (1 + 1e-7), dtype="float64")
    assert next(proofmark.cases("mul", types="a:f64")).inputs["a"].dtype == np.float64


def test_indices_and_masks():
    def gather(x, idx):
        assert idx.dtype == np.int32
        inside = (idx >= 0) & (idx < x.shape[0])
        if not x.shape[0]:
            return np.zeros((idx.size, x.shape[1]), np.float32)
        return np.where(inside[:, None], x[np.where(inside, idx, 0)], np.float32(0))
    proofmark.check("gather_rows", gather, dtype={"idx": "int32"}, cases=60).assert_passed()
    report = proofmark.check("gather_rows", lambda x, idx: x[idx % max(x.shape[0], 1)], dtype={"idx": "int32"},
                             indices="outside")
    assert not report

    def masked(test):
        def fn(x, mask):
            if x.size == 0:
                return np.empty_like(x)
            with np.errstate(all="ignore"):
                closed = test(mask)
                a = np.where(closed, np.float32(-np.inf), x)
                e = np.where(closed, np.float32(0), np.exp(a - a.max(1, keepdims=True)))
                return np.where(closed, np.float32(0), e / e.sum(1, keepdims=True)).astype(np.float32)
        return fn
    for dtype in ("bool", "uint8"):
        proofmark.check("masked_softmax", masked(lambda m: m != 0), dtype={"mask": dtype}, cases=60).assert_passed()
    proofmark.check("masked_softmax", masked(lambda m: m == 1), dtype={"mask": "bool"}, cases=60).assert_passed()
    assert not proofmark.check("masked_softmax", masked(lambda m: m == 1), dtype={"mask": "uint8"})


def test_mixed():
    """Data of float16, statistics and parameters of float32."""
    def norm(x, gamma, beta, *, eps):
        assert (x.dtype, gamma.dtype, beta.dtype) == (np.float16, np.float32, np.float32)
        a = x.astype(np.float64)
        with np.errstate(all="ignore"):
            mean = a.mean(1)
            rstd = 1 / np.sqrt(((a - mean[:, None]) ** 2).mean(1) + eps)
            y = (a - mean[:, None]) * rstd[:, None] * gamma + beta
            return y.astype(np.float16), mean.astype(np.float32), rstd.astype(np.float32)
    options = {"dtype": {"x": "float16", "y": "float16"}, "values": "uniform", "cols": 9, "rows": 4, "cases": 20}
    proofmark.check("layer_norm", norm, **options).assert_passed()

    def halves(*args, **kwargs):
        return tuple(a.astype(np.float16).astype(np.float32) if a.ndim == 1 else a for a in norm(*args, **kwargs))
    report = proofmark.check("layer_norm", halves, **options)
    assert not report and report.failure.verdict.output in ("mean", "rstd")


@pytest.mark.skipif(not importlib.util.find_spec("ml_dtypes"), reason="ml_dtypes is not installed")
def test_brain_floats():
    import ml_dtypes
    bf16 = ml_dtypes.bfloat16
    proofmark.check("softmax", softmax, dtype="bfloat16", cases=60).assert_passed()
    assert not proofmark.check("softmax", low, dtype="bfloat16")
    proofmark.check("softmax", softmax, dtype={"x": bf16, "y": bf16}, cases=5).assert_passed()
    proofmark.check("neg", lambda a: -a, dtype="bfloat16", like=np.array, cases=20).assert_passed()


@pytest.mark.skipif(bool(importlib.util.find_spec("ml_dtypes")), reason="ml_dtypes is installed")
def test_brain_floats_that_numpy_has_not():
    with pytest.raises(proofmark.ProofmarkError, match="ml_dtypes is not installed"):
        proofmark.check("softmax", softmax, dtype="bfloat16")


def test_bits():
    """Of bfloat16, and back."""
    x = np.float32([0, -0.0, 1, -2.5, 3e38, 1e-40, np.inf, -np.inf]).view(np.uint32) & np.uint32(0xffff0000)
    x = x.view(np.float32)
    a = encoded(x, "bfloat16")
    assert a.dtype == "bfloat16" and a.data.dtype == np.int16
    np.testing.assert_array_equal(a.wide, x.astype(np.float64))
    assert np.isnan(encoded(np.float32([np.nan]), "bfloat16").wide).all()
    assert encoded(x[:1].reshape(()), "bfloat16").data.shape == ()
    assert [dtype_name(t) for t in ("bfloat16", np.float16, bool, np.dtype("i4"))] \
        == ["bfloat16", "float16", "bool", "int32"]
    assert isinstance(to_plain(np.float16([1])), Plain)


@pytest.mark.filterwarnings("ignore")
def test_torch(torch):  # noqa: F811
    if not hasattr(torch, "nn"):
        torch.float16 = np.float16
        fn = lambda a: torch.from_numpy(-a.a)  # noqa: E731
    else:
        fn = lambda a: -a  # noqa: E731
        proofmark.check("softmax", lambda x: torch.softmax(x.float(), 1).to(x.dtype), like="torch",
                        dtype=torch.bfloat16, cases=30).assert_passed()
        proofmark.check_grad("silu", torch.nn.functional.silu, dtype="float64", cases=20, arith="fast").assert_passed()
    proofmark.check("neg", fn, like="torch", dtype="float16", cases=30).assert_passed()


@pytest.mark.parametrize("dtype, words", [
    ("float8", "float8 must be one of float32"), ({"z": "float16"}, "softmax has no 'z', but x, y"),
    ({"x": "int32"}, "x holds numbers, must be f32"), ({"x": "bool"}, "x holds numbers"), (object(), "must be one of")])
def test_types_that_are_none(dtype, words):
    with pytest.raises(proofmark.ProofmarkError) as caught:
        proofmark.check("softmax", softmax, dtype=dtype)
    assert words in str(caught.value)
