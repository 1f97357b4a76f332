"""The catalogue: what ops there are, and what a kernel of each takes and gives."""
from __future__ import annotations

import functools
from ctypes import c_char_p, c_int
from dataclasses import dataclass
from typing import Union

from ._library import CAttr, COp, CTensor, ProofmarkError, byref, call, lib


@dataclass(frozen=True)
class Tensor:
    """An input or an output."""
    name: str
    shape: str  # in words, "(rows, cols)"
    dtype: str  # "float32" or "int64"


@dataclass(frozen=True)
class Attr:
    """An attribute: a whole number, or a float32 number."""
    name: str
    whole: bool
    default: float
    least: float
    most: float


@dataclass(frozen=True)
class Op:
    """An op of the catalogue; print it to see how a function for it is called."""
    name: str
    family: str
    forward: str  # of a gradient, the op that it is of
    meaning: str
    policy: str  # what is asked of NaN, infinities and zeros
    classes: str  # a letter an output: E exact, R rounded correctly, others within a bound
    is_vjp: bool
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    sizes: tuple[str, ...]
    untold: tuple[str, ...]  # sizes that no input's shape says: a function takes them like attributes
    attrs: tuple[Attr, ...]
    values: tuple[str, ...]  # classes of values that its inputs are drawn from
    number: int

    @property
    def signature(self) -> str:
        """How a function for it is called: "fn(x, gamma, beta, *, eps) -> y, mean, rstd"."""
        extra = [a.name for a in self.attrs] + list(self.untold)
        taken = [t.name for t in self.inputs] + (["*"] + extra if extra else [])
        return "fn(%s) -> %s" % (", ".join(taken), ", ".join(t.name for t in self.outputs))

    def __str__(self) -> str:
        lines = ["%s: %s" % (self.name, self.meaning), "  " + self.signature]
        lines += ["  %-8s %s, %s" % (t.name, t.shape, t.dtype) for t in self.inputs + self.outputs]
        lines += ["  %-8s %s from %.9g to %.9g, %.9g where nothing is said"
                  % (a.name, "whole number" if a.whole else "number", a.least, a.most, a.default) for a in self.attrs]
        return "\n".join(lines + ["  " + self.policy])


def _one(i: int, values: tuple[str, ...]) -> Op:
    c = COp()
    call("dcl_op_about", i, byref(c))
    tensors, attrs, sizes, untold = [], [], [], []
    for t in range(c.n_in + c.n_out):
        ct = CTensor()
        call("dcl_tensor_about", i, t, byref(ct))
        tensors.append(Tensor(ct.name.decode(), ct.shape.decode(), "int64" if ct.dtype else "float32"))
    for a in range(c.n_attrs):
        ca = CAttr()
        call("dcl_attr_about", i, a, byref(ca))
        attrs.append(Attr(ca.name.decode(), bool(ca.whole), ca.usual, ca.least, ca.most))
    for s in range(c.n_sizes):
        name, told = c_char_p(), c_int()
        call("dcl_size_about", i, s, byref(name), byref(told))
        sizes.append((name.value or b"").decode())
        if not told.value:
            untold.append(sizes[-1])
    return Op(c.name.decode(), c.family.decode(), c.forward.decode(), c.meaning.decode(), c.policy.decode(),
              c.classes.decode(), bool(c.is_vjp), tuple(tensors[:c.n_in]), tuple(tensors[c.n_in:]), tuple(sizes),
              tuple(untold), tuple(attrs), values if c.has_values else (), i)


@functools.lru_cache(maxsize=None)
def ops() -> dict[str, Op]:
    """Every op by its name."""
    values: list[str] = []
    while True:
        name = lib.dcl_values_name(len(values))
        if name is None:
            break
        values.append(name.decode())
    found = (_one(i, tuple(values)) for i in range(lib.dcl_n_ops()))
    return {op.name: op for op in found}


def find(op: Union[str, Op]) -> Op:
    """The op of that name."""
    if isinstance(op, Op):
        return op
    if op not in ops():
        import difflib
        near = difflib.get_close_matches(str(op), ops(), 1)
        raise ProofmarkError("op %r: unknown%s; proofmark.ops() has them all"
                             % (op, "; did you mean %s?" % near[0] if near else ""))
    return ops()[op]
