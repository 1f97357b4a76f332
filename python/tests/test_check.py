"""check, replay: what is right passes, and what is wrong, or cheats, is a failed report and never an exception."""
import numpy as np
import pytest

import proofmark


def softmax(x):
    if x.size == 0:
        return np.empty_like(x)
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)


def failed(op, fn, *words, **options):
    report = proofmark.check(op, fn, **{"cases": 60, **options})
    assert report.outcome == "FAIL" and not report
    with pytest.raises(AssertionError) as caught:
        report.assert_passed()
    for word in words:
        assert word in str(caught.value)
    return report


def test_right():
    report = proofmark.check("softmax", softmax, cases=60)
    report.assert_passed()
    assert report and report.outcome == "pass" and report.cases == 60 and report.runs == 180
    assert report.elements > 0 and 0 < report.largest < 1 and report.replay == ""
    assert "softmax: pass" in str(report) and len(report.by_values) > 5


@pytest.mark.parametrize("op,fn", [
    ("add", lambda a, b: a + b),
    ("div", lambda a, b: a / b),
    ("exp", lambda a: np.exp(a)),
    ("exp", lambda a: np.exp(a.astype(np.float64))),
    ("scale", lambda a, c: a * np.float32(c)),
    ("clamp", lambda a, *, lo, hi: np.where(a < np.float32(lo), np.float32(lo),
                                            np.where(a > np.float32(hi), np.float32(hi), a))),
    ("sum", lambda x: np.sum(x, dtype=np.float32)),
    ("sum_vjp", lambda g, n: np.full(n, g, np.float32)),
    ("add_vjp", lambda g: (g.copy(), g.copy())),
    ("mul_vjp", lambda a, b, g: {"db": g * a, "da": g * b}),
    ("matmul", lambda a, b: a @ b),
    ("transpose2d", lambda x: np.array(x.T, order="F")),
    ("permute", lambda x, **k: x.transpose([k["p%d" % i] for i in range(k["rank"])]).copy()),
    ("fill", lambda n, value: np.full(n, value, np.float32)),
])
def test_right_in_many_ways(op, fn):
    with np.errstate(all="ignore"):
        proofmark.check(op, fn, cases=40).assert_passed()


def test_one_of_several_outputs():
    def layer_norm(x, gamma, beta, eps):
        x = x.astype(np.float64)
        with np.errstate(all="ignore"):
            d = x - x.mean(1, keepdims=True) if x.shape[1] else x
            return d / np.sqrt((d * d).mean(1, keepdims=True) + eps) * gamma + beta if x.shape[1] else x
    proofmark.check("layer_norm", layer_norm, outputs=["y"], cases=40).assert_passed()
    failed("layer_norm", layer_norm, "returned 1 arrays, must be 3", "outputs= names")
    failed("layer_norm", lambda *a, **k: layer_norm(*a, **k) * 1.001, "elements are wrong", outputs="y")


def test_what_a_failure_says():
    report = failed("softmax", lambda x: softmax(x) * np.float32(1.001), "softmax: FAIL", "rows=", "cols=", "seed ",
                    "first: y[", "worst: y[", "want", "bound", "proofmark.replay('softmax rows=")
    f = report.failure
    assert f.sizes["rows"] > 0 and f.verdict.failed > 0 and f.verdict.error > f.verdict.bound
    again = proofmark.replay(f.line, lambda x: softmax(x) * np.float32(1.001))
    assert again.failure.line == f.line and again.failure.verdict == f.verdict
    proofmark.replay(f.line, softmax).assert_passed()
    assert eval(report.replay, {"proofmark": proofmark, "fn": softmax})


def test_the_first_element_that_is_wrong():
    def last(a):
        y = a.copy()
        y[5:] += 1
        return y
    assert "first: y[5] =" in str(failed("neg", lambda a: -last(a), n=9, values="uniform"))

    def far(a):
        y = -a
        y[63] = 12345
        return y
    for seed in range(3):  # NaN and infinities, which are right, before it
        failed("neg", far, "first: y[63] = 12345,", n=64, values="special", seed=seed)


def test_made_small():
    """The smallest sizes that fail; those that are fixed stay."""
    def wrong_from_five(x):
        y = softmax(x)
        y[:, 4:] *= 1.001
        return y
    f = failed("softmax", wrong_from_five, cases=200, values="uniform").failure
    assert f.sizes == {"rows": 1, "cols": 5}
    assert failed("softmax", wrong_from_five, rows=7, values="uniform").failure.sizes == {"rows": 7, "cols": 5}
    drawn = failed("softmax", wrong_from_five, tries=0, values="uniform").failure
    assert drawn.sizes["rows"] * drawn.sizes["cols"] > 5

    def raises_where_wrong(x):
        if x.shape[1] < 9:
            raise ValueError("too small")
        return x + 1
    report = proofmark.replay("softmax rows=1 cols=20", raises_where_wrong)
    maker = proofmark._arrays.Maker("numpy")

    def shrink(report, fn, tries):
        def make(case):
            return proofmark._check.forward(fn, case.op, set(), ["y"], proofmark._check.Memory(maker, case))
        proofmark._check.shrink(report, make, False, {}, tries)
    shrink(report, raises_where_wrong, 60)
    assert report.failure.sizes["cols"] == 9 and report.failure.verdict is not None

    calls = []

    def at_one_shape(x):
        calls.append(x.shape)
        return x + 1 if x.shape == (20, 30) else softmax(x)
    report = proofmark.replay("softmax rows=20 cols=30", at_one_shape)
    shrink(report, at_one_shape, 2)
    assert len(calls) == 1 + 2 * 3 and report.failure.sizes == {"rows": 20, "cols": 30}


# ---- cheats ----

class Cached:
    """Computes once for a key."""

    def __init__(self, key):
        self.key, self.known = key, {}

    def __call__(self, x):
        key = self.key(x)
        if key not in self.known:
            self.known[key] = softmax(x)
        return self.known[key]


class Counting:
    """Computes every third call."""

    def __init__(self):
        self.calls, self.last = 0, None

    def __call__(self, x):
        self.calls += 1
        if self.calls % 3 == 1 or self.last.shape != x.shape:
            self.last = softmax(x)
        return self.last


def mutates(x):
    y = softmax(x)
    x *= 2
    return y


def changing():
    state = np.random.default_rng(1)

    def fn(x):
        y = softmax(x)
        return y * (1 + (state.random(y.shape) < 0.5) * np.float32(6e-8)).astype(np.float32)
    return fn


@pytest.mark.parametrize("fn,words", [
    (lambda x: np.zeros_like(x), "elements are wrong"),
    (lambda x: np.full_like(x, 1 / max(x.shape[-1], 1)), "elements are wrong"),
    (Cached(lambda x: x.shape), "on other data of the same sizes"),
    (Cached(lambda x: (x.shape, x.__array_interface__["data"][0])), "on other data of the same sizes"),
    (Counting(), "on other data of the same sizes"),
    (lambda x: softmax(np.abs(x)), "elements are wrong"),
    (lambda x: np.where(np.arange(x.shape[0])[:, None] < x.shape[0] // 2, softmax(x), 0), "elements are wrong"),
    (lambda x: softmax(x) if x.shape[1] % 4 == 0 else np.zeros_like(x), "elements are wrong"),
    (lambda x: np.full_like(x, np.nan), "y[0,0] = nan"),
    (mutates, "changed its input x: element"),
    (changing(), "run again: y is not what it was"),
    (lambda x: x, "memory of its input x"),
    (lambda x: x[:, ::-1], "memory of its input x"),
])
def test_cheats(fn, words):
    failed("softmax", fn, words, cases=200)


def test_cached_where_values_are_few():
    """Zeros have no other zeros: other data are of another class there."""
    known = {}

    def exp(a):
        return known.setdefault(a.shape, np.exp(a)).copy()
    failed("exp", exp, "on other data of the same sizes", values="zeros")


def test_a_zero_of_another_sign():
    """The sign is free, but not from run to run."""
    calls = [0]

    def fn(x):
        calls[0] += 1
        y = softmax(x)
        return np.where(y == 0, np.float32(-0.0 if calls[0] % 3 == 0 else 0.0), y)
    failed("softmax", fn, "run again: y is not what it was", values="huge", rows=4, cols=8)


def test_unordered():
    """Bits that change within the bound are a fault only of a kernel that is not declared so."""
    failed("softmax", changing(), "unordered=True")
    proofmark.check("softmax", changing(), unordered=True, cases=60).assert_passed()


def test_what_is_no_answer():
    def raises(x):
        raise RuntimeError("no such kernel\nmore of it")

    def leaves(x):
        raise SystemExit(3)

    failed("softmax", raises, "it raised RuntimeError: no such kernel", "in raises")
    failed("softmax", leaves, "it raised SystemExit: 3")
    failed("softmax", lambda x: None, "y is None")
    failed("softmax", lambda x: "words", "y is a str")
    failed("softmax", lambda x: object(), "y is a object")
    failed("softmax", lambda x: softmax(x).astype(int), "of type int64, must be float32")
    failed("softmax", lambda x: softmax(x) + 0j, "no array of numbers")
    failed("softmax", lambda x: softmax(x).reshape(-1), "has the shape (", rows=2, cols=3)
    failed("softmax", lambda x: softmax(x)[:-1], "has the shape (2, 3), must have (3, 3)", rows=3, cols=3)
    failed("softmax", lambda x: [softmax(x)] * 2, "returned 2 arrays, must be 1: y")
    failed("softmax", lambda x: {"z": softmax(x)}, "returned z, must be y")
    failed("softmax", lambda: 1, "it raised TypeError")

    def interrupted(x):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        proofmark.check("softmax", interrupted)


def test_halves():
    def half(x):
        return softmax(x).astype(np.float16)
    proofmark.check("softmax", half, cases=40).assert_passed()
    failed("softmax", half, "elements are wrong", arith="cuda,out=f32")


def test_nothing_judged():
    report = proofmark.check("softmax", lambda x: np.empty_like(x), rows=0, cases=5)
    assert report.outcome == "suspect" and not report
    with pytest.raises(AssertionError, match="no element was judged"):
        report.assert_passed()


@pytest.mark.parametrize("arguments,options,words", [
    (("sofmax", softmax), {}, "did you mean softmax"),
    (("softmax", softmax), {"arith": "cuda,heigth=1"}, "heigth"),
    (("softmax", lambda: 1), {"arith": "slow"}, "slow"),
    (("softmax", softmax), {"cases": 0}, "cases=0"),
    (("softmax", softmax), {"like": "numppy"}, "like='numppy'"),
    (("softmax", softmax), {"row": 3}, "'row' is none of its attributes and sizes"),
    (("softmax", softmax), {"rows": "3 cols=2"}, "is no value"),
    (("softmax", softmax), {"values": "odd"}, "values=odd"),
    (("softmax", softmax), {"outputs": ["z"]}, "must be of y"),
    (("softmax", softmax), {"outputs": []}, "names none"),
    (("softmax", softmax), {"seed": -1}, "seed=-1"),
    (("sum_vjp", lambda g: g), {}, "the function must take it"),
])
def test_wrong_use(arguments, options, words):
    with pytest.raises(proofmark.ProofmarkError) as caught:
        proofmark.check(*arguments, **options)
    assert words in str(caught.value)


def test_wrong_replay():
    for line, words in [("", "empty"), ("softmax rows=1", "cols is missing"),
                        ("softmax_vjp rows=1 cols=1 accumulate=1", "accumulate=1")]:
        with pytest.raises(proofmark.ProofmarkError, match=words):
            proofmark.replay(line, softmax)


def test_misaligned():
    """A third of the cases begin an element past where memory does, as slices do."""
    seen = set()

    def fn(x):
        seen.add(x.__array_interface__["data"][0] % 16)
        return softmax(x)
    proofmark.check("softmax", fn, rows=8, cols=64).assert_passed()
    assert len(seen) > 1 and all(a % 4 == 0 for a in seen)


def test_like_a_function():
    class Mine:
        def __init__(self, a):
            self.a = a

        def __array__(self, dtype=None):
            return self.a
    proofmark.check("softmax", lambda x: Mine(softmax(x.a)), like=Mine, cases=20).assert_passed()
    report = proofmark.check("softmax", lambda x: Mine(mutates(x.a)), like=Mine, cases=20)
    assert "changed its input" in str(report)


def test_strides():
    seen = []

    def fn(x):
        seen.append((x.strides[0] // 4 - x.shape[1], x.flags.c_contiguous))
        return softmax(x)
    report = proofmark.check("softmax", fn, cases=60, strides=True)
    report.assert_passed()
    assert {0, 1, 64} <= {gap for gap, _ in seen} and any(not dense for _, dense in seen)
    seen.clear()
    proofmark.check("softmax", fn, cases=20).assert_passed()
    assert {gap for gap, _ in seen} == {0}
    with pytest.raises(proofmark.ProofmarkError, match="relu has no input of rows"):
        proofmark.check("relu", lambda a: a, strides=True)
    with pytest.raises(proofmark.ProofmarkError, match="strides: like= a function"):
        proofmark.check("softmax", softmax, strides=True, like=np.asfortranarray)


def test_strides_not_heeded():
    """It takes rows for dense ones; and it writes between them."""
    def deaf(x):
        return softmax(np.lib.stride_tricks.as_strided(x, x.shape, (x.shape[1] * x.itemsize, x.itemsize)))

    def between(x):
        if x.shape[0] > 1 and x.shape[1] and x.strides[0] > x.shape[1] * 4:
            np.lib.stride_tricks.as_strided(x, (1, x.shape[1] + 1), x.strides)[0, -1] = 3
        return softmax(x)
    for fn, words in ((deaf, "elements are wrong"), (between, "it wrote between the rows of its input x")):
        report = failed("softmax", fn, words, strides=True, values="uniform")
        assert "gap=x:" in report.replay
        assert proofmark.replay(report.failure.line, fn).failure.what == report.failure.what
        proofmark.replay(report.failure.line, softmax).assert_passed()
