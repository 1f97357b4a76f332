"""Checks the gradient that PyTorch's autograd has of a function."""
from __future__ import annotations

import importlib
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import Maker
from ._cases import Case, draw_case, fields, given_case, read_case
from ._check import (Fault, Memory, Ran, Run, accepted, check_names, called, fix, keywords, named, one_case,
                     plain, shrink, unchanged)
from ._library import ProofmarkError, call, text
from ._ops import Op, find, ops
from ._report import Report

COTANGENTS = ("uniform", "ties", "integers", "wide")


def _attrs(vjp: Op, case: Case) -> dict[str, Any]:
    """What the gradient's op is told, beside its inputs."""
    known = {**case.sizes, **case.attrs}
    return {n: known[n] for n in [a.name for a in vjp.attrs] + list(vjp.untold) if n in known}


def _axis(vjp: Op) -> dict[str, int]:
    """Inputs of an op along an axis are read as along the first; drawn ones are along n of (outer, n, inner)."""
    return {"axis": 1} if "outer" in vjp.sizes else {}


def cotangent(vjp: Op, case: Case) -> NDArray[Any]:
    """Drawn for the case: the same whenever it is."""
    known = {**_attrs(vjp, case), **{n: case.sizes[n] for n in vjp.sizes if n in case.sizes}}
    line = "%s %s cotangent=%s seed=%d" % (vjp.name, fields(known), COTANGENTS[case.seed % len(COTANGENTS)], case.seed)
    return read_case(line).inputs["g"]


def backward(torch: Any, fn: Callable[..., Any], op: Op, vjp: Op, takes: Optional[set[str]], names: Sequence[str],
             memory: Memory) -> Run:
    """Runs a function and autograd, and takes what the gradient's op has as inputs from where autograd has it: the
    function's own inputs and outputs."""

    def run(case: Case) -> Ran:
        inputs, shapes = case.inputs, case.shapes
        arrays = memory.hold(inputs)
        leaves = {t.name: arrays[t.name].detach().requires_grad_() if t.dtype == "float32" else arrays[t.name]
                  for t in op.inputs}
        found = named(called(fn, list(leaves.values()), keywords(case, takes)), names, [t.name for t in op.outputs])
        y = found[op.outputs[0].name]
        if not hasattr(y, "detach"):
            raise Fault("%s is a %s, must be a tensor of torch" % (op.outputs[0].name, type(y).__name__))
        outputs = {n: plain(n, x, shapes[n]) for n, x in found.items()}
        g = cotangent(vjp, case)
        wanted = [t.name[1:] for t in vjp.outputs]
        cot = torch.from_numpy(g.copy()).to(device=y.device, dtype=y.dtype).reshape(y.shape)
        grads = called(torch.autograd.grad, [[y], [leaves[n] for n in wanted], [cot]], {"allow_unused": True})
        for n, d in zip(wanted, grads):
            if d is None:
                raise Fault("no gradient reaches its input %s" % n)
        unchanged(arrays, inputs)
        known: dict[str, Any] = {**inputs, "g": g}
        known.update({n: a.data if a.dtype != "bfloat16" else found[n] for n, a in outputs.items()})
        try:
            back = given_case(vjp, {t.name: known[t.name] for t in vjp.inputs}, **_attrs(vjp, case),
                              **_axis(vjp))
        except ProofmarkError as e:
            raise Fault("its outputs are no inputs of %s: %s" % (vjp.name, e)) from e
        return Ran(back, [plain("d" + n, d, back.shapes["d" + n]) for n, d in zip(wanted, grads)])

    return run


def check_grad(op: Union[str, Op], fn: Callable[..., Any], *, arith: str = "cuda", cases: int = 200, seed: int = 1,
               device: Any = None, outputs: Optional[Sequence[str]] = None, unordered: bool = False,
               tries: int = 60, replay: Optional[str] = None, **fixed: Any) -> Report:
    """Checks the gradient of a function of torch's tensors, as autograd has it, against the proven one.

    Arguments are those of `check`; `replay` is the line of one case, in place of drawn ones. The gradient is that of
    the op's first output under a drawn cotangent; what else the op's gradient is computed from (softmax: y) is what the
    function itself has returned, so `fn` must return that: layer_norm's needs y, mean and rstd.

    A second function for the gradient needs no torch: `check("softmax_vjp", fn)`."""
    op = find(op)
    if op.name + "_vjp" not in ops():
        raise ProofmarkError("check_grad: %s has no gradient in the catalogue" % op.name)
    vjp = ops()[op.name + "_vjp"]
    call("dcl_arith_check", text(arith))
    names = check_names(op, outputs)
    for t in vjp.inputs:
        if t.name != "g" and t.name not in [x.name for x in op.inputs] + names:
            raise ProofmarkError("check_grad: %s takes %s, which outputs=%r leaves out" % (vjp.name, t.name, outputs))
    if op.outputs[0].name not in names:
        raise ProofmarkError("check_grad: outputs=%r leaves out %s, whose gradient it is"
                             % (outputs, op.outputs[0].name))
    takes, maker = accepted(fn, op), Maker("torch", device)
    drawn = {} if replay else fix(op, takes, fixed)
    report = Report(vjp.name, arith, 1 if replay else cases)

    def make(case: Case) -> Run:
        return backward(importlib.import_module("torch"), fn, op, vjp, takes, names, Memory(maker, case))

    for i in range(report.asked):
        case = read_case(replay) if replay else draw_case(op, i, seed, **drawn)
        if case.op != op:
            raise ProofmarkError("replay=%r: is no case of %s" % (replay, op.name))
        one_case(case, make(case), arith, unordered, report)
        if report.failure is not None:
            shrink(report, make, unordered, drawn, 0 if replay else tries)
            report.how = "proofmark.check_grad(%r, fn, replay=%r, arith=%r)" % (op.name, report.failure.line, arith)
            break
    return report
