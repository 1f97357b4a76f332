"""Cases: an op at some sizes and attributes, with inputs; reference, bound and verdict on them."""
from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_int64, c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import Plain, as_numpy, encoded, to_plain
from ._library import DTYPES, LINE, OUTCOMES, RANK, CArray, CInfo, CVerdict, ProofmarkError, byref, call, lib, text
from ._ops import Op, find, ops

if TYPE_CHECKING:
    from ._report import Report

Outputs = Union[NDArray[Any], tuple[NDArray[Any], ...]]


class Evaluation(NamedTuple):
    """What is right. Of an op with several outputs each is a tuple.

    want: float64, over the reals, or where bits must be equal the float32 that is right.
    bound: how far from it a kernel may be; 0: not at all; infinite: nothing can be said."""
    want: Outputs
    bound: Outputs


@dataclass(frozen=True)
class Verdict:
    """On one set of outputs."""
    outcome: str  # "pass", "FAIL", or "suspect": the bound says nothing of most elements
    elements: int
    failed: int
    vacuous: int  # elements whose bound is so wide that it says nothing
    output: Optional[str]  # of the worst element
    index: tuple[int, ...]
    got: float
    want: float
    error: float
    bound: float
    text: str  # what `diffcheck judge` prints


def fields(values: Mapping[str, Any]) -> str:
    """As the library takes what is fixed: "rows=3 eps=1e-05 axes=1:0"."""
    said = []
    for key, value in values.items():
        if isinstance(value, str):
            word = value
        elif isinstance(value, (tuple, list)):
            word = ":".join(str(int(v)) for v in value)
        elif isinstance(value, (bool, np.bool_, int, np.integer)):
            word = str(int(value))
        else:
            word = repr(float(value))
        if any(c in word for c in " ,=\t\n"):
            raise ProofmarkError("%s=%r: is no value" % (key, value))
        said.append("%s=%s" % (key, word))
    return " ".join(said)


class Case:
    """Made by `cases`, `read_case` and `given_case`; frees what it holds by itself."""

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle
        info = CInfo()
        call("dcl_case_about", handle, byref(info))
        self.op: Op = list(ops().values())[info.op]
        self.seed: int = info.seed
        self.misaligned: int = info.misaligned
        self.accumulate: bool = bool(info.accumulate)
        self.values: str = info.values.decode()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and lib is not None:
            lib.dcl_case_free(self._handle)

    def __repr__(self) -> str:
        return "<proofmark case %s>" % self.line

    @property
    def line(self) -> str:
        """The case in a line, which `replay` and `diffcheck replay` take; of given inputs the sizes alone."""
        room = ctypes.create_string_buffer(LINE)
        call("dcl_case_line", self._handle, room)
        return room.value.decode()

    @property
    def sizes(self) -> dict[str, int]:
        found, n = {}, c_int64()
        for i, name in enumerate(self.op.sizes):
            call("dcl_case_size", self._handle, i, byref(n))
            found[name] = n.value
        return found

    @property
    def attrs(self) -> dict[str, Union[int, float]]:
        found: dict[str, Union[int, float]] = {}
        x = c_double()
        for i, a in enumerate(self.op.attrs):
            call("dcl_case_attr", self._handle, i, byref(x))
            found[a.name] = int(x.value) if a.whole else x.value
        return found

    def _tensor(self, t: int) -> tuple[tuple[int, ...], Optional[int]]:
        rank, shape, data = c_int(), (c_int64 * RANK)(), c_void_p()
        call("dcl_case_tensor", self._handle, t, byref(rank), shape, byref(data))
        return tuple(shape[:rank.value]), data.value

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Of every tensor, outputs too."""
        return {t.name: self._tensor(i)[0] for i, t in enumerate(self.op.inputs + self.op.outputs)}

    @property
    def dtypes(self) -> dict[str, str]:
        """Of every tensor, as types= in its line has it: "float32" and "int64" where that says nothing."""
        found, n = {}, c_int()
        for i, t in enumerate(self.op.inputs + self.op.outputs):
            call("dcl_case_type", self._handle, i, byref(n))
            found[t.name] = DTYPES[n.value]
        return found

    @property
    def gaps(self) -> dict[str, int]:
        """Of every tensor, the elements that are to lie between two of its rows."""
        found, n = {}, c_int()
        for i, t in enumerate(self.op.inputs + self.op.outputs):
            call("dcl_case_gap", self._handle, i, byref(n))
            found[t.name] = n.value
        return found

    @property
    def values_of(self) -> dict[str, NDArray[Any]]:
        """A copy of each input in float32 or int64, which hold its numbers whatever its type is."""
        found = {}
        for i, t in enumerate(self.op.inputs):
            shape, data = self._tensor(i)
            a = np.empty(shape, t.dtype)
            if a.size and data:
                ctypes.memmove(a.ctypes.data, data, a.nbytes)
            found[t.name] = a
        return found

    @property
    def plain(self) -> dict[str, Plain]:
        dtypes = self.dtypes
        return {n: encoded(a, dtypes[n]) for n, a in self.values_of.items()}

    @property
    def inputs(self) -> dict[str, NDArray[Any]]:
        """A copy of each input, of its type; bfloat16 is ml_dtypes'."""
        return {n: as_numpy(a) for n, a in self.plain.items()}

    def eval(self, arith: Optional[str] = None) -> Evaluation:
        """The reference, and how far from it a kernel of that arithmetic may be."""
        pairs = [[np.empty(self.shapes[t.name]) for t in self.op.outputs] for _ in range(2)]
        pointers = [(c_void_p * len(p))(*[a.ctypes.data for a in p]) for p in pairs]
        call("dcl_case_eval", self._handle, text(arith), *pointers)
        want, bound = pairs
        return Evaluation(want[0], bound[0]) if len(want) == 1 else Evaluation(tuple(want), tuple(bound))

    def judge(self, outputs: Any, arith: str = "cuda") -> Report:
        """Judges a kernel's outputs on this case: `judge`, of its inputs."""
        from ._check import judge_case
        return judge_case(self, outputs, arith)

    def verdict(self, outputs: Sequence[Optional[Plain]], arith: Optional[str] = None, blind: bool = True) -> Verdict:
        """On outputs that are read already, in the op's order; None: that one is not judged."""
        arrays = [CArray() if a is None else a.c(t.name) for a, t in zip(outputs, self.op.outputs)]
        v = CVerdict()
        call("dcl_case_judge", self._handle, text(arith), (CArray * len(arrays))(*arrays), len(arrays), blind, byref(v))
        name = self.op.outputs[v.output].name if v.output >= 0 else None
        index = tuple(int(i) for i in np.unravel_index(v.index, self.shapes[name])) if name is not None else ()
        return Verdict(OUTCOMES[v.outcome], v.elements, v.failed, v.vacuous, name, index, v.got, v.want, v.error,
                       v.bound, v.text.decode(errors="replace"))


def draw_case(op: Union[str, Op], index: int, seed: int = 1, **fixed: Any) -> Case:
    """Case number `index` under a seed."""
    handle = c_void_p()
    if not 0 <= seed < 2 ** 64 or not 0 <= index < 2 ** 63:
        raise ProofmarkError("seed=%r, case %r: must be whole numbers from 0 to 2^64-1" % (seed, index))
    call("dcl_case_draw", text(find(op).name), text(fields(fixed)), seed, index, byref(handle))
    return Case(handle)


def read_case(line: str) -> Case:
    """The case of a line that a report or diffcheck has printed."""
    handle = c_void_p()
    call("dcl_case_read", text(line), byref(handle))
    return Case(handle)


def given_case(op: Union[str, Op], inputs: Any, **attrs: Any) -> Case:
    """A case of inputs of one's own: a sequence in the op's order, a mapping by name, or the one array."""
    op = find(op)
    names = [t.name for t in op.inputs]
    if isinstance(inputs, Mapping):
        strange = [k for k in inputs if k not in names] + [k for k in names if k not in inputs]
        if strange:
            raise ProofmarkError("%s: inputs are %s, and %r is given amiss" % (op.name, ", ".join(names), strange[0]))
        inputs = [inputs[n] for n in names]
    elif not isinstance(inputs, (tuple, list)):
        inputs = [inputs]
    if len(inputs) != len(names):
        raise ProofmarkError("%s: has %d inputs (%s), and %d are given"
                             % (op.name, len(names), ", ".join(names), len(inputs)))
    plain = [to_plain(a) for a in inputs]
    arrays = (CArray * max(len(plain), 1))(*[a.c(n) for a, n in zip(plain, names)])
    handle = c_void_p()
    call("dcl_case_given", text(op.name), arrays, len(plain), text(fields(attrs)), byref(handle))
    return Case(handle)


def cases(op: Union[str, Op], n: int = 200, seed: int = 1, **fixed: Any) -> Iterator[Case]:
    """n drawn cases of an op, the same every time: shapes and values that kernels stumble over.

    fixed: sizes, attributes, and classes (values="ties", cotangent=.., indices=..) that are not to be drawn. Gradients
    are to be returned, not added to what is there: accumulate=1 draws the others."""
    op = find(op)
    fixed.setdefault("accumulate", 0)
    for i in range(n):
        yield draw_case(op, i, seed, **fixed)


def eval(op: Union[str, Op], inputs: Any, arith: Optional[str] = None, **attrs: Any) -> Evaluation:
    """The proven reference of an op on inputs, and its error bound for kernels of an arithmetic.

    >>> proofmark.eval("softmax", x).want
    Right is what lies within `bound` of `want`, or is the same infinity, or NaN where that is."""
    return given_case(op, inputs, **attrs).eval(arith)


__all__ = ["Case", "Evaluation", "Verdict", "cases", "draw_case", "eval", "given_case", "read_case"]
