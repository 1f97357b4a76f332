"""Tensors and a tape on the proven reference, the simulator, a GPU, or in the shadow of the reference."""
from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from ctypes import byref, c_char_p, c_double, c_int, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import to_plain
from ._library import ProofmarkError
from ._ops import find
from ._runtime import DTYPES, RANK, CAttention, CAttr, CGraph, CKernel, CPropagated, CReport, CSession, CShadow, \
    run

_HERE = os.path.dirname(os.path.abspath(__file__))
_files: dict[str, bytes] = {}  # the runtime keeps the pointers

Shape = Union[int, Sequence[int]]


def _place() -> tuple[bytes, int]:
    """File and line of the program that called: where the shadow says that a step was."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        frame = frame.f_back
    name = frame.f_code.co_filename
    return _files.setdefault(name, name.encode(errors="replace")), frame.f_lineno


def _shape(shape: Shape) -> tuple[int, Any]:
    sizes = [shape] if isinstance(shape, int) else [int(n) for n in shape]
    if len(sizes) > RANK:
        raise ProofmarkError("shape %r: has %d axes, must have 0 to %d" % (tuple(sizes), len(sizes), RANK))
    return len(sizes), (c_int64 * max(len(sizes), 1))(*sizes)


def _host(data: Any, dtype: Optional[str]) -> tuple[int, NDArray[Any]]:
    """Numbers as ops take them, float32 or int64, or as they are where a type is named."""
    plain = to_plain(data)
    a, kind = plain.data, plain.dtype
    if dtype is None:
        dtype = "int64" if a.dtype.kind in "iub" and kind != "bfloat16" else "float32"
    if dtype not in DTYPES or dtype == "bfloat16" and kind != "bfloat16":
        raise ProofmarkError("dtype=%r: must be of %s" % (dtype, ", ".join(DTYPES)))
    if kind == "bfloat16" and dtype != "bfloat16":
        a = plain.wide
    if dtype != "bfloat16":
        if dtype == "int64" and a.dtype == np.uint64 and a.size and int(a.max()) > np.iinfo(np.int64).max:
            raise ProofmarkError("%d is no int64" % a.max())
        with np.errstate(all="ignore"):
            a = a.astype(dtype)
    return DTYPES.index(dtype), np.ascontiguousarray(a).reshape(plain.data.shape)


@dataclass(frozen=True)
class Finding:
    """An element that was outside of its bound, in the shadow of the reference."""
    op: str
    tensor: str
    variant: str
    step: int
    element: int  # flat, row-major
    value: float
    want: float
    bound: float  # 0: every bit counts
    file: str
    line: int
    replay: str  # a command


@dataclass(frozen=True)
class Shadow:
    """What the shadow has seen."""
    steps: int
    looked_at: int
    diverged: int
    first: Optional[Finding]


@dataclass(frozen=True)
class Kernel:
    """A kernel that runs in place of ours."""
    op: str
    name: str
    ran: int
    left: int


@dataclass(frozen=True)
class Propagated:
    """What rounding can have done to the end of a graph, to first order."""
    device: float  # by kernels of that arithmetic
    reference: float  # by the reference, which rounds each element to float32
    calls: int
    elements: int
    unbounded: int  # elements of which no bound says anything
    op: str  # the call that device has most from
    share: float
    file: str
    line: int


class Session:
    """A back end, and the tensors that are on it.

    >>> s = proofmark.Session("sim")
    >>> y = s.softmax(s.tensor(x))

    backend: "ref" (the proven reference), "sim" (the kernels on the CPU), "cuda", "shadow", "shadow:sim" or
        "shadow:cuda"; None: what PROOFMARK_BACKEND says, or else "ref".

    Every op of `ops()` is a method: inputs in their order, then attributes by name, as `ops()[op].signature` has them;
    one that is left out has its default. Of several outputs it gives a tuple. `out=` writes to tensors that are
    there, where the op allows that: `s.sgd_step(p, g, lr=0.1, out=p)`."""

    def __init__(self, backend: Optional[str] = None) -> None:
        self._handle = c_void_p()
        run("pmr_open", None if backend is None else backend.encode(), byref(self._handle))
        name, device = c_char_p(), c_char_p()
        run("pmr_backend", self._handle, byref(name), byref(device))
        self.backend = (name.value or b"").decode()
        self.device = (device.value or b"").decode()

    def close(self) -> None:
        """Releases all that is on it; its tensors are of no use afterwards."""
        handle, self._handle = self._handle, c_void_p()
        if handle:
            run("pmr_close", handle)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and sys is not None and not sys.is_finalizing():
            with contextlib.suppress(ProofmarkError):
                self.close()

    def __repr__(self) -> str:
        return "proofmark.Session(%r)  # %s" % (self.backend, self.device or "closed")

    # ---- tensors ----

    def tensor(self, data: Any, dtype: Optional[str] = None, requires_grad: bool = False) -> Tensor:
        """A copy of an array (NumPy, DLPack, __cuda_array_interface__, a list): float32, whole numbers int64."""
        kind, a = _host(data, dtype)
        rank, shape = _shape(a.shape)
        t = self._made("pmr_from_host", kind, rank, shape, a.ctypes.data)
        return t.requires_grad_() if requires_grad else t

    def zeros(self, *shape: int) -> Tensor:
        return self._made("pmr_zeros", *_shape(shape))

    def ones(self, *shape: int) -> Tensor:
        return self._made("pmr_ones", *_shape(shape))

    def rand(self, *shape: int, stream: int = 0) -> Tensor:
        """Uniform in [0, 1); the same numbers on every back end for one stream."""
        return self._made("pmr_rand", stream, *_shape(shape))

    def randn(self, *shape: int, stream: int = 0) -> Tensor:
        """Normal numbers, likewise."""
        return self._made("pmr_randn", stream, *_shape(shape))

    def _made(self, name: str, *arguments: Any) -> Tensor:
        out = c_void_p()
        run(name, self._handle, *arguments, byref(out))
        return Tensor(self, out)

    # ---- ops ----

    def call(self, op: str, *inputs: Tensor, out: Union[None, Tensor, Sequence[Tensor]] = None,
             **attrs: Any) -> Any:
        """An op by its name."""
        about = find(op)
        for i, t in enumerate(inputs):
            if not isinstance(t, Tensor):
                raise ProofmarkError("%s: input %d is a %s, must be a tensor: s.tensor(..) makes one"
                                     % (op, i, type(t).__name__))
        given = [] if out is None else [out] if isinstance(out, Tensor) else list(out)
        if len(given) > len(about.outputs):
            raise ProofmarkError("%s: has %d outputs, and out= has %d" % (op, len(about.outputs), len(given)))
        n = len(about.outputs)
        made = (c_void_p * n)(*[t._handle for t in given], *[None] * (n - len(given)))
        pairs: list[tuple[bytes, float]] = []
        for key, value in attrs.items():
            for v in value if isinstance(value, (tuple, list)) else (value,):
                pairs.append((key.encode(), float(v)))
        listed = (CAttr * (len(pairs) + 1))(*[CAttr(k, v) for k, v in pairs], CAttr(None, 0))
        file, line = _place()
        run("pmr_call_at", file, line, self._handle, op.encode(),
            (c_void_p * max(len(inputs), 1))(*[t._handle for t in inputs]), len(inputs), listed, made, n)
        results = tuple(given) + tuple(Tensor(self, c_void_p(made[i])) for i in range(len(given), n))
        return results[0] if n == 1 else results

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            find(name)
        except ProofmarkError as e:
            raise AttributeError("Session has no %r, and %s" % (name, e)) from None
        return functools.partial(self.call, name)

    def multi_head_attention(self, x: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor, *, heads: int,
                             kv_heads: int = 0, source: Optional[Tensor] = None, mask: Optional[Tensor] = None,
                             causal: bool = False) -> Tensor:
        """x (batch, n, width) through wq (width, heads d), wk and wv (width, kv_heads d) and wo (heads d, out); keys
        and values are of `source`, or else of x; a key is blocked where mask (n, m) is not 0. Several steps: matmul,
        permute and sdpa."""
        out = c_void_p()
        given = [None if t is None else t._handle for t in (x, source, wq, wk, wv, wo, mask)]
        run("pmr_multi_head_attention_at", *_place(), self._handle, byref(CAttention(heads, kv_heads, causal)), *given,
            byref(out))
        return Tensor(self, out)

    @contextlib.contextmanager
    def no_grad(self) -> Iterator[None]:
        """What is called meanwhile is not on the tape."""
        run("pmr_no_grad", self._handle, 1)
        try:
            yield
        finally:
            run("pmr_no_grad", self._handle, 0)

    def keep_inputs(self, on: bool = True) -> None:
        """Calls on the tape hold all of their inputs from now on, which error_bound reads."""
        run("pmr_keep_inputs", self._handle, int(on))

    @contextlib.contextmanager
    def record(self) -> Iterator[Program]:
        """Steps are computed, and written down to be computed again:

        >>> with s.record() as step:
        ...     loss = s.cross_entropy(net(x), y)
        ...     loss.backward()
        ...     update()
        >>> x.put(more); step.run(); loss.item()

        Tensors that are there at the end are read and written where they are; all other memory is planned and allocated
        once. Attributes are those that were written down."""
        run("pmr_session_begin", self._handle)
        program = Program(self)
        try:
            yield program
        except BaseException:
            run("pmr_session_end", self._handle, None)
            raise
        run("pmr_session_end", self._handle, byref(program._handle))
        about = CSession()
        run("pmr_session_about", program._handle, byref(about))
        program.steps, program.planned, program.unplanned = about.steps, about.planned, about.unplanned

    # ---- kernels of others ----

    def use_kernels(self, path: Union[str, os.PathLike[str]]) -> None:
        """The kernels that this file describes run from now on in place of ours, where they may (docs/runtime.md)."""
        run("pmr_kernels", self._handle, os.fsencode(path))

    @property
    def kernels(self) -> list[Kernel]:
        """Those, with the steps that each ran, and the steps of its op that it was not for."""
        found: list[Kernel] = []
        about = CKernel()
        with contextlib.suppress(ProofmarkError):
            while True:
                run("pmr_kernel_about", self._handle, len(found), byref(about))
                found.append(Kernel(about.op.decode(), about.kernel.decode(), about.ran, about.left))
        return found

    # ---- what is held, and the shadow ----

    def sync(self) -> None:
        run("pmr_sync", self._handle)

    def usage(self) -> tuple[int, int]:
        """Handles that are live, and bytes of the device's memory."""
        handles, held = c_int64(), c_int64()
        run("pmr_usage", self._handle, byref(handles), byref(held))
        return handles.value, held.value

    def watch(self, every: int = 0, ops: Sequence[str] = (), seconds: float = 0, go_on: bool = False,
              folder: Optional[str] = None) -> None:
        """Which steps the shadow looks at (one in `every`, of these ops, for so many seconds in all), and whether it
        only notes what is wrong; a case is written to `folder`."""
        names = " ".join(find(o).name for o in ops).encode() or None
        run("pmr_shadow_set", self._handle,
            byref(CShadow(every, names, seconds, go_on, None if folder is None else os.fsencode(folder))))

    @property
    def shadow(self) -> Shadow:
        r = CReport()
        run("pmr_shadow_about", self._handle, byref(r))
        f = r.first
        first = Finding(f.op.decode(), f.tensor.decode(), f.variant.decode(), f.step, f.element, f.value, f.want,
                        f.bound, (f.file or b"").decode(errors="replace"), f.line, f.replay.decode(errors="replace"))
        return Shadow(r.steps, r.looked_at, r.diverged, first if r.diverged else None)


class _Held:
    """What a session's handle is of; it is given back with the last that refers to it."""
    _release: str

    def __init__(self, session: Session, handle: c_void_p) -> None:
        self.session, self._handle = session, handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and sys is not None and not sys.is_finalizing() and self.session._handle:
            with contextlib.suppress(ProofmarkError):
                run(self._release, self._handle)


class Program(_Held):
    """Steps of a session, to be computed again: what `record` gives."""
    _release = "pmr_session_release"

    def __init__(self, session: Session) -> None:
        super().__init__(session, c_void_p())
        self.steps = self.planned = self.unplanned = 0  # bytes of its own memory, and without sharing

    def run(self) -> None:
        run("pmr_session_run", self._handle)

    @property
    def graph(self) -> bool:
        """Whether the last run was one launch of a graph, as on a GPU; `why_no_graph` is why not."""
        return not self.why_no_graph

    @property
    def why_no_graph(self) -> str:
        about = CGraph()
        run("pmr_session_graph", self._handle, byref(about))
        return about.why.decode(errors="replace")

    def set(self, op: str, **attrs: float) -> None:
        """From now on every step of that op has these attributes: `program.set("adamw_step", c1=.., c2=..)`."""
        for name, value in attrs.items():
            run("pmr_session_attr", self._handle, op.encode(), name.encode(), value)


class Tensor(_Held):
    """An array on a session's back end. `numpy()` brings it here; + - * / are of one shape, and * with a number too."""

    __array_priority__ = 100
    _release = "pmr_release"

    def __init__(self, session: Session, handle: c_void_p) -> None:
        super().__init__(session, handle)
        dtype, rank, shape = c_int(), c_int(), (c_int64 * RANK)()
        run("pmr_about", handle, byref(dtype), byref(rank), shape)
        self.dtype = DTYPES[dtype.value]
        self.shape: tuple[int, ...] = tuple(shape[:rank.value])

    # ---- on the host ----

    def numpy(self) -> NDArray[Any]:
        """A copy; of bfloat16 as float32, which has every one of them."""
        dtype = "float32" if self.dtype == "bfloat16" else self.dtype
        a = np.empty(self.shape, dtype)
        run("pmr_to_host", self._handle, DTYPES.index(dtype), a.ctypes.data, a.size)
        return a

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a tensor of proofmark is copied to the host")
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def __dlpack__(self, **how: Any) -> Any:
        return self.numpy().__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def item(self) -> float:
        value = c_double()
        run("pmr_item", self._handle, byref(value))
        return value.value

    def __float__(self) -> float:
        return self.item()

    def put(self, data: Any) -> Tensor:
        """New values, in place."""
        kind, a = _host(data, None if self.dtype in ("float32", "int64") else self.dtype)
        if a.shape != self.shape:
            raise ProofmarkError("put: the shape is %r, must be %r" % (a.shape, self.shape))
        run("pmr_put", self._handle, kind, a.ctypes.data, a.size)
        return self

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a tensor of no axes has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return "tensor(%s, %s on %s)" % (np.array2string(self.numpy(), separator=", "), self.dtype,
                                         self.session.backend)

    # ---- the tape ----

    def requires_grad_(self, on: bool = True) -> Tensor:
        run("pmr_requires_grad", self._handle, int(on))
        return self

    def backward(self, cotangent: Optional[Tensor] = None) -> None:
        """Adds the gradient of this to that of every tensor that keeps one."""
        run("pmr_backward", self._handle, None if cotangent is None else cotangent._handle)

    def error_bound(self, arith: Optional[str] = None) -> Propagated:
        """Of one element, made on the tape: how far rounding may have brought it from the real value, to first order;
        docs/runtime.md says what that promises. arith: in place of what our kernels declare (docs/arith.md)."""
        r = CPropagated()
        run("pmr_error_bound", self._handle, None if arith is None else arith.encode(), byref(r))
        return Propagated(r.device, r.reference, r.calls, r.elements, r.unbounded, r.op.decode(), r.share,
                          (r.file or b"").decode(errors="replace"), r.line)

    @property
    def grad(self) -> Tensor:
        out = c_void_p()
        run("pmr_grad", self._handle, byref(out))
        return Tensor(self.session, out)

    def zero_grad(self) -> None:
        run("pmr_zero_grad", self._handle)

    def detach(self) -> Tensor:
        out = c_void_p()
        run("pmr_detach", self._handle, byref(out))
        return Tensor(self.session, out)

    # ---- views ----

    def reshape(self, *shape: int) -> Tensor:
        out = c_void_p()
        run("pmr_reshape_at", *_place(), self._handle, *_shape(shape), byref(out))
        return Tensor(self.session, out)

    def __getitem__(self, key: Any) -> Tensor:
        """Rows: `t[i:k]`."""
        if not isinstance(key, slice) or key.step not in (None, 1) or not self.shape:
            raise ProofmarkError("%r: a tensor has slices of its first axis alone, t[2:5]; the ops have the others"
                                 % (key,))
        start, stop, _ = key.indices(self.shape[0])
        out = c_void_p()
        run("pmr_rows_at", *_place(), self._handle, start, max(stop - start, 0), byref(out))
        return Tensor(self.session, out)

    # ---- arithmetic ----

    def _with(self, op: str, other: Any) -> Any:
        return self.session.call(op, self, other) if isinstance(other, Tensor) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Any:
        return self._with("sub", other)

    def __mul__(self, other: Any) -> Any:
        return self.session.call("scale", self, c=other) if isinstance(other, (int, float)) \
            else self._with("mul", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with("div", other)

    def __matmul__(self, other: Any) -> Any:
        return self._with("matmul", other)

    def __neg__(self) -> Any:
        return self.session.call("neg", self)


@functools.lru_cache(maxsize=None)
def default_session() -> Session:
    """The one of `tensor`, opened as PROOFMARK_BACKEND says."""
    return Session()


def tensor(data: Any, dtype: Optional[str] = None, requires_grad: bool = False) -> Tensor:
    """A tensor of the session that PROOFMARK_BACKEND names; `t.session` has the ops."""
    return default_session().tensor(data, dtype, requires_grad)


__all__ = ["Finding", "Program", "Propagated", "Session", "Shadow", "Tensor", "default_session", "tensor"]
