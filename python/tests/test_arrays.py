"""Arrays of other frameworks: by their protocols, of which doubles stand here, and by PyTorch itself where it is."""
import types

import numpy as np
import pytest

import proofmark
from proofmark._arrays import overlap, to_plain

X = np.array([[0, 1], [2, 2]], np.float32)


class Pack:
    """Speaks DLPack alone."""

    def __init__(self, a, device=1):
        self.a, self.device = a, device

    def __dlpack__(self, **_):
        return self.a.__dlpack__()

    def __dlpack_device__(self):
        return (self.device, 0)


class OnGpu:
    """Has the interface of CuPy's arrays, or of Numba's."""
    __cuda_array_interface__ = {"data": (4096, False)}
    nbytes = 16

    def __init__(self, a, way):
        setattr(self, way, lambda: a)


def test_protocols():
    for x in (X, X.tolist(), Pack(X), OnGpu(X, "get"), OnGpu(X, "copy_to_host"), memoryview(X)):
        np.testing.assert_array_equal(to_plain(x).data, X)
    a = X.copy()
    copy = to_plain(Pack(a))
    a[:] = 7
    np.testing.assert_array_equal(copy.data, X)
    np.testing.assert_array_equal(to_plain(X.T).data, X.T)
    np.testing.assert_array_equal(to_plain(X[::-1, ::-1]).data, X[::-1, ::-1])
    assert to_plain(np.float32(3)).data.shape == ()


def test_what_is_no_array():
    for x, words in [(object(), "no array of numbers"), ("a", "no array"), (np.array([1j]), "no array"),
                     (None, "no array")]:
        with pytest.raises(TypeError, match=words):
            to_plain(x)
    report = proofmark.check("neg", lambda a: Pack(-a, device=2), cases=1)
    if not {"cupy", "torch"} & installed():
        assert "y is a Pack that cannot be read: a Pack is on DLPack device 2" in str(report)


def installed():
    import importlib.util
    return {n for n in ("cupy", "torch") if importlib.util.find_spec(n)}


def test_overlap():
    a = np.zeros(8, np.float32)
    assert overlap(a, a[2:]) and overlap(a[::-2], a) and not overlap(a[:4], a[4:]) and not overlap(a, a.copy())
    assert not overlap(a[:0], a) and not overlap(a, object())
    assert overlap(OnGpu(X, "get"), OnGpu(X, "get"))


def test_outputs_by_protocol():
    for wrap in (Pack, lambda a: OnGpu(a, "get")):
        proofmark.check("neg", lambda a, w=wrap: w(-a), cases=20).assert_passed()
        assert not proofmark.check("neg", lambda a, w=wrap: w(a + 0), cases=20)


def test_brain_floats():
    """What ml_dtypes calls bfloat16, by its bits."""
    exp = np.exp(np.float32([0, 1, -3]))
    bits = exp.view(np.uint32)
    plain = to_plain(((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16))
    plain.dtype = "bfloat16"
    case = proofmark._cases.given_case("exp", np.float32([0, 1, -3]))
    verdict = case.verdict([plain])
    assert verdict.outcome == "pass" and "out=bf16" in verdict.text
    assert case.verdict([plain], "out=f32").outcome == "FAIL"
    assert abs(plain.wide[1] - np.e) < 0.01


@pytest.mark.parametrize("like", ["torch", "cupy"])
def test_a_framework_that_is_not_there(like):
    if like in installed():
        pytest.skip("%s is installed" % like)
    with pytest.raises(proofmark.ProofmarkError, match="%s is not installed" % like):
        proofmark.check("neg", lambda a: -a, like=like)


# ---- PyTorch ----

class Tensor:
    """As much of a torch tensor, on NumPy, as the package touches; the function that made it knows its gradient."""

    def __init__(self, a, back=None):
        self.a, self.back, self.device = a, back, "cpu"
        self.dtype, self.shape = a.dtype, a.shape

    def __getitem__(self, key):
        return Tensor(self.a[key])

    def reshape(self, *shape):
        return Tensor(self.a.reshape(*shape))

    def copy_(self, other):
        self.a[...] = other.a

    def detach(self):
        return Tensor(self.a)

    def cpu(self):
        return self

    def to(self, **_):
        return self

    def requires_grad_(self):
        return self

    def numpy(self):
        return self.a

    def data_ptr(self):
        return self.a.__array_interface__["data"][0]

    def numel(self):
        return self.a.size

    def element_size(self):
        return self.a.itemsize


@pytest.fixture
def torch(monkeypatch):
    """PyTorch where it is, else the double."""
    try:
        import torch as real
        return real
    except ImportError:
        pass

    def grad(ys, leaves, cotangents, allow_unused):
        assert allow_unused
        return [None if d is None else Tensor(d) for d in ys[0].back(cotangents[0].a)]
    double = types.ModuleType("torch")
    double.float32, double.int64, double.int16 = np.float32, np.int64, np.int16
    double.empty = lambda n, dtype, device: Tensor(np.empty(n, dtype))
    double.from_numpy = Tensor
    double.cuda = types.SimpleNamespace(is_available=lambda: False)
    double.autograd = types.SimpleNamespace(grad=grad)
    monkeypatch.setitem(__import__("sys").modules, "torch", double)
    return double


def softmax_of(torch, back=None):
    """A softmax on torch's tensors; its gradient is torch's own, or `back` of its output and a cotangent."""
    if not hasattr(torch, "nn"):
        def fn(x):
            e = np.exp(x.a - x.a.max(1, keepdims=True))
            y = (e / e.sum(1, keepdims=True)).astype(np.float32)
            own = back or (lambda y, g: y * (g - (y * g).sum(1, keepdims=True)))
            return Tensor(y, lambda g: [own(y.astype(np.float64), g.astype(np.float64)).astype(np.float32)])
        return fn
    if back is None:
        return lambda x: torch.softmax(x, 1)

    class Own(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = torch.softmax(x, 1)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return back(ctx.saved_tensors[0], g)
    return Own.apply


FEW = {"cases": 30, "values": "uniform", "cols": 7, "rows": 5}


@pytest.mark.filterwarnings("ignore")
def test_torch_forward(torch):
    proofmark.check("softmax", softmax_of(torch), like="torch", **FEW).assert_passed()
    wrong = proofmark.check("softmax", lambda x: x, like="torch", **FEW)
    assert "memory of its input x" in str(wrong) and "like='torch'" in wrong.replay


@pytest.mark.filterwarnings("ignore")
def test_gradient(torch):
    report = proofmark.check_grad("softmax", softmax_of(torch), **FEW)
    report.assert_passed()
    assert report.op == "softmax_vjp" and report.cases == 30 and report.elements == 60 * 35
    wrong = softmax_of(torch, lambda y, g: y * g)
    report = proofmark.check_grad("softmax", wrong, **FEW)
    assert not report and "first: dx[" in str(report) and "proofmark.check_grad('softmax', fn, replay=" in str(report)
    again = proofmark.check_grad("softmax", wrong, replay=report.failure.line)
    assert again.failure.what == report.failure.what


@pytest.mark.filterwarnings("ignore")
def test_gradient_along_an_axis(torch):
    """Whose inputs do not say which of their axes it is."""
    def mean(x):
        if hasattr(torch, "nn"):
            return x.mean(1)
        n = x.shape[1]
        return Tensor(x.a.mean(1, dtype=np.float32), lambda g: [np.repeat(g[:, None] / np.float32(n), n, 1)])
    for inner in (1, 3):
        proofmark.check_grad("mean_axis", mean, cases=8, arith="cuda,div=2", outer=5, n=7, inner=inner).assert_passed()


def test_a_tensor_is_copied(torch):
    a = X.copy()
    plain = to_plain(torch.from_numpy(a))
    a[:] = 7
    np.testing.assert_array_equal(plain.data, X)


@pytest.mark.filterwarnings("ignore")
def test_faults_of_a_gradient(torch):
    fn = softmax_of(torch)

    def apart(x):
        y = fn(x.detach())
        y.back = lambda g: [None]
        return y.requires_grad_()

    def mutates(x):
        y = fn(x)
        data = x.detach()
        data.copy_(fn(data))
        return y
    report = proofmark.check_grad("softmax", apart, **FEW)
    assert "no gradient reaches its input x" in str(report) or "it raised RuntimeError" in str(report)
    report = proofmark.check_grad("softmax", mutates, **FEW)
    assert "changed its input x" in str(report) or "it raised RuntimeError" in str(report)


def test_gradient_that_cannot_be_checked(torch):
    for arguments, options, words in [
            (("fill", abs), {}, "no gradient in the catalogue"),
            (("layer_norm", abs), {"outputs": ["y"]}, "takes mean, which outputs=['y'] leaves out"),
            (("softmax", abs), {"replay": "relu n=1"}, "is no case of softmax")]:
        with pytest.raises(proofmark.ProofmarkError) as caught:
            proofmark.check_grad(*arguments, **options)
        assert words in str(caught.value)
    report = proofmark.check_grad("softmax", lambda x: 3, **FEW)
    assert "y is a int, must be a tensor of torch" in str(report)
