"""ops, cases, eval, judge: what the library says of data that is there."""
import itertools

import numpy as np
import pytest

import proofmark

X = np.array([[0, 1], [2, 2]], np.float32)
Y = np.array([[0.26894143, 0.7310586], [0.5, 0.5]], np.float32)


def test_ops():
    ops = proofmark.ops()
    assert len(ops) > 100 and all(name == op.name for name, op in ops.items())
    op = ops["layer_norm"]
    assert op.signature == "fn(x, gamma, beta, *, eps) -> y, mean, rstd"
    assert [t.name for t in op.inputs] == ["x", "gamma", "beta"] and op.attrs[0].name == "eps"
    assert op.inputs[1].shape == "(cols)" and op.sizes == ("rows", "cols") and op.untold == ()
    assert ops["sum_vjp"].signature == "fn(g, *, n) -> dx" and ops["sum_vjp"].is_vjp
    assert ops["gather_rows"].inputs[1].dtype == "int64"
    assert "minus_inf" in op.values and "ones" not in op.values and ops["fill"].values == ()
    assert "eps" in str(op) and "gamma" in str(op)
    for one in ops.values():
        assert one.meaning and one.policy and len(one.classes) == len(one.outputs) and str(one)


def test_cases():
    drawn = list(proofmark.cases("softmax", n=30, seed=3))
    again = list(proofmark.cases("softmax", n=30, seed=3))
    assert [c.line for c in drawn] == [c.line for c in again]
    assert len({c.line for c in drawn}) == 30 and len({c.values for c in drawn}) > 3
    assert [c.line for c in proofmark.cases("softmax", n=30, seed=4)] != [c.line for c in drawn]
    for c in drawn:
        x = c.inputs["x"]
        assert x.dtype == np.float32 and x.shape == (c.sizes["rows"], c.sizes["cols"]) == c.shapes["y"]
        assert not c.accumulate
        np.testing.assert_array_equal(proofmark.read_case(c.line).inputs["x"], x)
    c = next(proofmark.cases("clamp", lo=-1, hi=0.5))
    assert c.attrs == {"lo": -1.0, "hi": 0.5} and "clamp" in repr(c)
    assert all(c.values == "ties" for c in proofmark.cases("add", n=5, values="ties"))
    want = drawn[0].eval().want
    assert drawn[0].judge(want) and not drawn[0].judge(want + 1) and drawn[0].judge([want], arith="ieee")
    assert next(proofmark.cases("gather_rows")).inputs["idx"].dtype == np.int64


def test_every_op_has_a_right_answer():
    """The reference, rounded, passes on cases of each op, and is refused where it is far off."""
    for name in proofmark.ops():
        refused = 0
        for c in itertools.islice(proofmark.cases(name, seed=5), 4):
            want = c.eval("ieee").want
            want = want if isinstance(want, tuple) else (want,)
            with np.errstate(all="ignore"):
                outputs = [w.astype(np.float32) for w in want]
                wrong = [np.where(np.isfinite(o), o * np.float32(1.5) + 1, 0).astype(np.float32) for o in outputs]
            plain = [proofmark._check.plain("y", o, o.shape) for o in outputs]
            assert c.verdict(plain, "ieee").outcome != "FAIL", c.line
            refused += c.verdict([proofmark._check.plain("y", o, o.shape) for o in wrong], "ieee").outcome == "FAIL"
        assert refused, name


def test_eval():
    want, bound = proofmark.eval("softmax", X)
    assert want.dtype == np.float64 and want.shape == (2, 2) and (bound > 0).all() and (bound < 1e-6).all()
    np.testing.assert_allclose(want, Y, rtol=1e-7)
    want, bound = proofmark.eval("div", {"b": np.float32([3]), "a": np.float32([1])}, arith="ieee")
    assert want[0] == np.float32(1) / np.float32(3) and bound[0] == 0
    want, bound = proofmark.eval("layer_norm", (X, np.ones(2, "f4"), np.zeros(2, "f4")), eps=1e-3)
    assert len(want) == len(bound) == 3 and want[1].tolist() == [0.5, 2]
    assert proofmark.eval("fill", (), n=3, value=2).want.tolist() == [2, 2, 2]
    assert proofmark.eval("sum", np.ones((2, 3), "f4")).want == 6
    assert proofmark.eval("permute", np.zeros((2, 3, 4), "f4"), axes=(2, 0, 1)).want.shape == (4, 2, 3)
    assert proofmark.eval("broadcast_to", np.zeros((3, 1), "f4"), shape=(2, 3, 4)).want.shape == (2, 3, 4)
    assert proofmark.eval("softmax", np.zeros((2, 3, 4), "f2")).want.shape == (2, 3, 4)
    wide = np.asarray(X, dtype=np.float64)
    np.testing.assert_array_equal(proofmark.eval("softmax", wide).want, proofmark.eval("softmax", X).want)
    np.testing.assert_array_equal(proofmark.eval("softmax", X.T).want, proofmark.eval("softmax", X.T.copy()).want)


def test_judge():
    report = proofmark.judge("softmax", X, Y)
    assert report and report.elements == 4 and report.text.startswith("softmax: pass\n")
    report.assert_passed()
    report = proofmark.judge("softmax", X, Y * 1.001)
    f = report.failure
    assert not report and f.verdict.output == "y" and f.verdict.index in {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert f.verdict.failed == 4 and "wrong: y[" in str(report) and report.replay == ""
    np.testing.assert_allclose(f.verdict.got, Y[f.verdict.index] * 1.001, rtol=1e-6)
    assert not proofmark.judge("softmax", X, np.full((2, 2), np.nan))
    assert "would have passed" in proofmark.judge("sum", np.ones(5000, "f4"), np.float32(5000)).text
    assert proofmark.judge("masked_softmax", (X, np.zeros((2, 2), bool)), Y)
    assert proofmark.judge("matmul", (X, X), X @ X, arith="ieee,height=sequential", alpha=1)
    wide = proofmark.judge("exp", np.float32([1]), [2.718281828459045])
    assert wide and wide.largest < 1e-6
    want, bound = proofmark.eval("exp", np.float32([1]))
    off = proofmark.judge("exp", np.float32([1]), want + bound / 4)
    assert off and abs(off.largest - 0.25) < 0.01
    assert proofmark.judge("exp", np.float32([1]), np.float16([np.e]))
    assert not proofmark.judge("exp", np.float32([1]), np.float16([np.e]), arith="out=f32")


@pytest.mark.parametrize("arguments,attrs,words", [
    (("softmax", [X, X], Y), {}, "has 1 inputs (x), and 2 are given"),
    (("softmax", {"z": X}, Y), {}, "'z' is given amiss"),
    (("softmax", X, Y[:1]), {}, "has the shape (1, 2)"),
    (("softmax", X, [Y, Y]), {}, "returned 2 arrays"),
    (("softmax", X.astype(int), Y), {}, "int64"),
    (("softmax", np.float64([[0.1]]), Y[:1, :1]), {}, "must be a float32"),
    (("softmax", X, Y), {"eps": 1}, "softmax takes"),
    (("layer_norm", [X, X[0], X[0]], [X, X[0], X[0]]), {"eps": -1}, "eps=-1"),
    (("add", [X, X[0]], X), {}, "add"),
    (("fill", (), X), {}, "no input says what n is"),
    (("softmax", np.zeros((1,) * 9, "f4"), Y), {}, "9 axes"),
    (("gather_rows", [X, np.float32([0])], X), {}, "an integer type"),
    (("nothing", X, Y), {}, "unknown"),
])
def test_wrong_use(arguments, attrs, words):
    with pytest.raises(proofmark.ProofmarkError) as caught:
        proofmark.judge(*arguments, **attrs)
    assert words in str(caught.value)


def test_too_big():
    with pytest.raises(proofmark.ProofmarkError, match="MiB|overflow"):
        next(proofmark.cases("softmax", rows=2 ** 40, cols=2 ** 20))


def test_cases_give_their_memory_back():
    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * 4096
    before = resident()
    for seed in range(60):  # of 4 MB each
        proofmark.read_case("neg n=1000000 seed=%d" % seed)
    assert resident() - before < 100e6


def test_threads():
    """Errors are each thread's own, and cases may be judged side by side."""
    from concurrent.futures import ThreadPoolExecutor

    def one(i):
        with pytest.raises(proofmark.ProofmarkError, match="eps%d" % i):
            proofmark.eval("softmax", X, **{"eps%d" % i: 1})
        return bool(proofmark.judge("softmax", X, Y))
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(one, range(40)))
