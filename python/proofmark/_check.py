"""Checks a function on drawn cases: each run three times in the same memory, on other data in between."""
from __future__ import annotations

import inspect
import traceback
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import Maker, Plain, dtype_name, overlap, to_plain
from ._cases import Case, Verdict, draw_case, fields, given_case, read_case
from ._library import SHORT, ProofmarkError, call, text
from ._ops import Op, find
from ._report import Failure, Report

REAL = ("float32", "float64", "float16", "bfloat16")
HALVES = {"float16": (11, -24, 65504.0), "bfloat16": (8, -133, float.fromhex("0x1.fep127"))}  # digits, least, largest
DRAWN = ("values", "cotangent", "indices", "misaligned")  # what is no attribute, and may be fixed all the same
CONSTANT = ("zeros", "equal", "ones")  # classes of which other data may be the same


class Fault(Exception):
    """What a function did that no kernel may."""

    def __init__(self, what: str, more: str = "") -> None:
        super().__init__(what)
        self.more = more


class Ran(NamedTuple):
    """One run, as it is to be judged."""
    case: Case
    outputs: list[Optional[Plain]]


Run = Callable[[Case], Ran]


def accepted(fn: Callable[..., Any], op: Op) -> Optional[set[str]]:
    """The keywords that a function takes beside its inputs; None: any."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return set()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return {p.name for p in parameters[:] if p.kind is p.KEYWORD_ONLY} | \
        {p.name for p in positional[len(op.inputs):] if p.kind is p.POSITIONAL_OR_KEYWORD}


def fix(op: Op, takes: Optional[set[str]], fixed: Mapping[str, Any], also: Sequence[str] = ()) -> dict[str, Any]:
    """What is fixed of the draw: by the caller, and of an attribute that the function does not take its default."""
    known = [a.name for a in op.attrs] + list(op.sizes)
    for key in fixed:
        if key not in known and key not in DRAWN and key not in also:
            raise ProofmarkError("%s: %r is none of its attributes and sizes, %s" % (op.name, key, ", ".join(known)))
    found = dict(fixed, accumulate=0)
    for a in op.attrs:
        if takes is not None and a.name not in takes and a.name not in found:
            found[a.name] = int(a.default) if a.whole else a.default
    listed = any(a.name == "rank" for a in op.attrs)  # of any rank: sizes say what the shapes of its inputs do
    for name in op.untold:
        if takes is not None and name not in takes and name not in found and not listed:
            raise ProofmarkError("%s: no input says what %s is: the function must take it, %s, or fix it by %s=N"
                                 % (op.name, name, op.signature, name))
    return found


Types = Union[str, Any, Mapping[str, Any]]


def types(op: Op, dtype: Optional[Types]) -> dict[str, str]:
    """What is fixed of the types of tensors: by name, or one of every floating-point input."""
    tensors = {t.name: t for t in op.inputs + op.outputs}
    if dtype is None:
        return {}
    if not isinstance(dtype, Mapping):
        dtype = {t.name: dtype for t in op.inputs if t.dtype == "float32"}
    said = []
    for name, x in dtype.items():
        try:
            its = dtype_name(x)
        except TypeError:
            its = repr(x)
        if name not in tensors:
            raise ProofmarkError("dtype=%r: %s has no %r, but %s" % (dtype, op.name, name, ", ".join(tensors)))
        if its not in SHORT:
            raise ProofmarkError("dtype=%r: %s must be one of %s" % (dtype, its, ", ".join(SHORT)))
        said.append("%s:%s" % (name, SHORT[its]))
    return {"types": ":".join(said)} if said else {}


def strided(op: Op, strides: bool) -> dict[str, str]:
    """What is fixed so that rows of inputs lie apart."""
    if not strides:
        return {}
    names = [t.name for t in op.inputs if t.shape.count(", ") == 1 and set(t.shape[1:-1].split(", ")) <= set(op.sizes)]
    if not names:
        raise ProofmarkError("strides=True: %s has no input of rows, of two sizes" % op.name)
    return {"strided": ":".join(names)}


def keywords(case: Case, takes: Optional[set[str]]) -> dict[str, Any]:
    found = dict(case.attrs)
    found.update({k: v for k, v in case.sizes.items() if k in case.op.untold})
    return {k: v for k, v in found.items() if takes is None or k in takes}


def called(fn: Callable[..., Any], arguments: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The function's result; what it raises is a fault of its own, and not of whoever checks it."""
    try:
        return fn(*arguments, **kwargs)
    except KeyboardInterrupt:
        raise
    except BaseException as e:  # a SystemExit too
        more = "".join(traceback.format_exception(type(e), e, e.__traceback__.tb_next if e.__traceback__ else None))
        raise Fault("it raised %s: %s" % (type(e).__name__, str(e).strip().split("\n")[0][:200]), more[-2000:]) from e


def named(result: Any, names: Sequence[str], every: Sequence[str]) -> dict[str, Any]:
    """The outputs that a function returned, by name."""
    if isinstance(result, Mapping):
        if set(result) != set(names):
            raise Fault("it returned %s, must be %s" % (", ".join(map(str, result)), ", ".join(names)))
        return dict(result)
    if not isinstance(result, (tuple, list)):
        result = (result,)
    if len(result) != len(names):
        raise Fault("it returned %d arrays, must be %d: %s" % (len(result), len(names), ", ".join(names)),
                    "outputs= names those that a function returns, where it is not all of %s" % ", ".join(every)
                    if len(result) < len(names) else "")
    return dict(zip(names, result))


def plain(name: str, x: Any, shape: tuple[int, ...], dtype: str = "float32") -> Plain:
    """An output on the host, of the right shape and of floating-point numbers; of that type where it is not float32."""
    if x is None:
        raise Fault("%s is None, must be an array" % name)
    try:
        a = to_plain(x)
    except (TypeError, ValueError, ImportError, RuntimeError, BufferError) as e:
        raise Fault("%s is a %s that cannot be read: %s" % (name, type(x).__name__, e)) from e
    if a.dtype not in REAL:
        raise Fault("%s is of type %s, must be %s or %s" % (name, a.dtype, ", ".join(REAL[:-1]), REAL[-1]))
    if dtype not in ("float32", a.dtype):
        raise Fault("%s is of type %s, must be %s, as dtype= says" % (name, a.dtype, dtype))
    if [n for n in a.data.shape if n != 1] != [n for n in shape if n != 1]:
        raise Fault("%s has the shape %s, must have %s" % (name, tuple(a.data.shape), shape))
    return a


def same_bits(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """NaN being NaN."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind != "f":
        return False
    return bool(np.all((np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b)))))


def unchanged(arrays: Mapping[str, Any], before: Mapping[str, Plain]) -> None:
    for name, x in arrays.items():
        after, was = to_plain(x), before[name]
        if not same_bits(after.data.reshape(was.data.shape), was.data):
            now, then = after.wide.reshape(-1), was.wide.reshape(-1)
            i = int(np.argmax((now != then) & ~(np.isnan(now) & np.isnan(then))))
            raise Fault("it changed its input %s: element %d was %r and is %r"
                        % (name, i, then[i].item(), now[i].item()))


class Memory:
    """A case's inputs as the function gets them."""

    def __init__(self, maker: Maker, case: Case) -> None:
        self.maker = maker
        gaps = case.gaps
        rooms = {n: maker.room(a, case.misaligned >> i & 1, gaps[n]) for i, (n, a) in enumerate(case.plain.items())}
        self.rooms = {n: room for n, (room, _) in rooms.items()}
        self.between = {n: gap for n, (_, gap) in rooms.items() if gap is not None}
        self.was: dict[str, Plain] = {}

    def hold(self, inputs: Mapping[str, Plain]) -> dict[str, Any]:
        for n, gap in self.between.items():
            gap[...] = float("nan") if inputs[n].dtype in REAL else 1
            self.was[n] = to_plain(gap)
        return {n: self.maker.fill(self.rooms[n], a) for n, a in inputs.items()}

    def unchanged(self) -> None:
        for n, gap in self.between.items():
            if not same_bits(to_plain(gap).data, self.was[n].data):
                raise Fault("it wrote between the rows of its input %s" % n)


def forward(fn: Callable[..., Any], op: Op, takes: Optional[set[str]], names: Sequence[str], memory: Memory) -> Run:
    """Runs a function that gives an op's outputs."""

    def run(case: Case) -> Ran:
        inputs, shapes, dtypes = case.plain, case.shapes, case.dtypes
        arrays = memory.hold(inputs)
        found = named(called(fn, list(arrays.values()), keywords(case, takes)), names, [t.name for t in op.outputs])
        for out, x in found.items():
            for name, a in arrays.items():
                if overlap(x, a):
                    raise Fault("its output %s is memory of its input %s, must be its own: return a copy"
                                % (out, name))
        outputs = {n: plain(n, x, shapes[n], dtypes[n]) for n, x in found.items()}
        unchanged(arrays, inputs)
        memory.unchanged()
        return Ran(case, [outputs.get(t.name) for t in op.outputs])

    return run


def other_data(case: Case) -> Case:
    """The same sizes, attributes and class under another seed."""
    words = [w for w in case.line.split() if not w.startswith("seed=")]
    if case.values in CONSTANT:
        words = [w for w in words if not w.startswith("values=")]
    return read_case(" ".join(words + ["seed=%d" % ((case.seed + 0x51ED2701) % 2 ** 32)]))


def half_unit(dtype: str, magnitude: NDArray[Any]) -> NDArray[Any]:
    """What rounding to the type may be off by; infinite where it may overflow."""
    digits, least, largest = HALVES[dtype]
    exponent = np.frexp(np.where(np.isfinite(magnitude), magnitude, 0))[1]
    half: NDArray[Any] = np.ldexp(0.5, np.maximum(exponent - digits, least))
    return np.where(magnitude + half <= largest, half, np.inf)


def first_wrong(ran: Ran, arith: str) -> str:
    """The first element, of the outputs in their order, that is not right; judge names the worst."""
    wants, bounds = [x if isinstance(x, tuple) else (x,) for x in ran.case.eval(arith)]
    for t, a, want, bound in zip(ran.case.op.outputs, ran.outputs, wants, bounds):
        if a is None:
            continue
        if a.dtype in HALVES and "out=" not in arith:
            bound = bound + half_unit(a.dtype, np.abs(want) + bound)
        got = a.wide.reshape(want.shape)
        with np.errstate(all="ignore"):
            fine = (np.abs(got - want) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want)) | np.isinf(bound)
            fine |= (bound == 0) & (got.astype(np.float32) == want)  # of float64, which may be nearer
        if not fine.all():
            at = tuple(int(i) for i in np.unravel_index(int(np.argmin(fine)), want.shape))
            return "first: %s[%s] = %.9g, want %.9g, bound %.3g" \
                % (t.name, ",".join(map(str, at)), got[at], want[at], bound[at])
    return ""


def judged(ran: Ran, arith: str, report: Report) -> Verdict:
    v = ran.case.verdict(ran.outputs, arith, blind=False)
    report.add(v)
    return v


def one_case(case: Case, run: Run, arith: str, unordered: bool, report: Report) -> None:
    """Its data, other data at the same addresses, its data again."""
    first: Optional[Ran] = None
    report.cases += 1
    report.by_values[case.values] = report.by_values.get(case.values, 0) + 1
    for k, data in enumerate((case, other_data(case), case)):
        where = ("", "on other data of the same sizes, in the same memory: ", "run again: ")[k]
        report.runs += 1
        try:
            ran = run(data)
        except Fault as e:
            report.fail(data, where + str(e), e.more)
            return
        if k == 2 and not unordered and first is not None:
            for t, a, b in zip(case.op.outputs, first.outputs, ran.outputs):
                if a is not None and b is not None and not same_bits(a.data, b.data):
                    report.fail(case, "run again: %s is not what it was on the same data" % t.name,
                                "unordered=True is for a kernel whose bits may change from run to run")
                    return
            return
        v = judged(ran, arith, report)
        if v.outcome == "FAIL":
            said = v.text.splitlines()
            lines = [first_wrong(ran, arith)] + [w.replace("wrong: ", "worst: ", 1) for w in said if w[:6] == "wrong:"]
            report.fail(data, where + "%d of %d elements are wrong" % (v.failed, v.elements),
                        "\n".join([w for w in lines if w] + [w for w in said if w.startswith("right for")]), v)
            return
        first = ran if k == 0 else first


def smaller(case: Case, fixed: Mapping[str, Any]) -> Iterator[Case]:
    """The same case with one of its sizes less."""
    words = case.line.split()
    for i, word in enumerate(words):
        key, _, value = word.partition("=")
        if key == "gap":
            yield read_case(" ".join(words[:i] + words[i + 1:]))
        if key not in case.op.sizes or key in fixed:
            continue
        for n in sorted({1, int(value) // 2, int(value) - 1}):
            if 1 <= n < int(value):
                try:
                    yield read_case(" ".join(words[:i] + ["%s=%d" % (key, n)] + words[i + 1:]))
                except ProofmarkError:  # sizes that hang together
                    pass


def alike(a: Failure, b: Failure) -> bool:
    """Whether both have wrong elements, or did the same wrong thing."""
    return a.verdict is not None and b.verdict is not None or \
        a.verdict is b.verdict and a.what.split(":")[0] == b.what.split(":")[0]


def shrink(report: Report, make: Callable[[Case], Run], unordered: bool, fixed: Mapping[str, Any], tries: int) -> None:
    """Puts a case with smaller sizes, which fails alike, in the failure's place, as long as there is one."""
    found = True
    while found and tries > 0:
        assert report.failure is not None
        found = False
        for case in smaller(read_case(report.failure.line), fixed):
            one = Report(report.op, report.arith, 1)
            one_case(case, make(case), report.arith, unordered, one)
            tries -= 1
            if one.failure is not None and alike(report.failure, one.failure):
                report.failure, found = one.failure, True
                break
            if tries <= 0:
                break


def how_again(report: Report, name: str, options: Mapping[str, Any]) -> str:
    assert report.failure is not None
    said = ["%r" % report.failure.line, "fn"] + ["%s=%r" % (k, v) for k, v in options.items() if v is not None]
    return "proofmark.%s(%s)" % (name, ", ".join(said))


def check_names(op: Op, outputs: Optional[Sequence[str]]) -> list[str]:
    every = [t.name for t in op.outputs]
    names = every if outputs is None else [outputs] if isinstance(outputs, str) else list(outputs)
    for n in names:
        if n not in every or names.count(n) > 1:
            raise ProofmarkError("outputs=%r: must be of %s, each once" % (outputs, ", ".join(every)))
    if not names:
        raise ProofmarkError("outputs=%r: names none" % (outputs,))
    return names


def check(op: Union[str, Op], fn: Callable[..., Any], *, arith: str = "cuda", cases: int = 200, seed: int = 1,
          like: Union[str, Callable[[NDArray[Any]], Any]] = "numpy", device: Any = None,
          dtype: Optional[Types] = None, outputs: Optional[Sequence[str]] = None, unordered: bool = False,
          strides: bool = False, tries: int = 60, **fixed: Any) -> Report:
    """Checks a function against the proven reference of an op, on drawn cases, until one fails.

    fn: called as `ops()[op].signature` says: the inputs in their order, then as keywords the attributes, and the
        sizes that no input has. An attribute that it does not take has its default. It returns an array, or
        several in their order or by name, in float32, float64, float16 or bfloat16.
    arith: what its arithmetic is known to be, as `--arith` has it: "cuda", "triton,height=pairwise".
    like: what it takes: "numpy", "torch", "cupy", or a function that makes its arrays of NumPy's.
    device: of torch: the GPU where there is one.
    dtype: what its floating-point inputs are of: "float16", "bfloat16", "float64"; or, by name, what tensors are of:
        {"x": "bfloat16", "y": "bfloat16", "idx": "int32", "mask": "bool"}. Inputs are then such numbers, and an
        output that is named must be of its type.
    outputs: the names of those outputs that it returns, where that is not all.
    unordered: its bits may change from run to run.
    strides: inputs of two sizes are slices of wider ones, whose rows lie further apart than they are long.
    tries: how often it may run to make the sizes of a failing case small; 0: the failure is as it was drawn.
    fixed: sizes, attributes, and classes (values="ties", cotangent=, indices=) that are not to be drawn.

    Each case runs three times in the same memory, with other data in between; inputs are compared afterwards."""
    op = find(op)
    call("dcl_arith_check", text(arith))
    if cases < 1:
        raise ProofmarkError("cases=%r: must be 1 or more" % (cases,))
    takes, names = accepted(fn, op), check_names(op, outputs)
    drawn, maker = {**fix(op, takes, fixed), **types(op, dtype), **strided(op, strides)}, Maker(like, device)
    report = Report(op.name, arith, cases)

    def make(case: Case) -> Run:
        return forward(fn, op, takes, names, Memory(maker, case))

    for i in range(cases):
        case = draw_case(op, i, seed, **drawn)
        one_case(case, make(case), arith, unordered, report)
        if report.failure is not None:
            shrink(report, make, unordered, drawn, tries)
            report.how = how_again(report, "replay", again(arith, like, outputs, unordered))
            break
    return report


def again(arith: str, like: Any, outputs: Any, unordered: bool) -> dict[str, Any]:
    return {"arith": arith, "like": None if like == "numpy" else like, "outputs": outputs,
            "unordered": unordered or None}


def replay(line: str, fn: Callable[..., Any], *, arith: str = "cuda",
           like: Union[str, Callable[[NDArray[Any]], Any]] = "numpy", device: Any = None,
           outputs: Optional[Sequence[str]] = None, unordered: bool = False) -> Report:
    """Checks a function on the one case of a line that a report has printed."""
    call("dcl_arith_check", text(arith))
    case = read_case(line)
    if case.accumulate:
        raise ProofmarkError("replay: accumulate=1: a function returns its gradients, and adds them to nothing")
    op = case.op
    takes, names = accepted(fn, op), check_names(op, outputs)
    report = Report(op.name, arith, 1)
    run = forward(fn, op, takes, names, Memory(Maker(like, device), case))
    one_case(case, run, arith, unordered, report)
    if report.failure is not None:
        report.how = how_again(report, "replay", again(arith, like, outputs, unordered))
    return report


def judge(op: Union[str, Op], inputs: Any, outputs: Any, arith: str = "cuda", **attrs: Any) -> Report:
    """Judges outputs that a kernel has given on inputs: arrays of any framework.

    inputs, outputs: a sequence in the op's order, a mapping by name, or the one array there is.
    attrs: attributes, and sizes that no input has; axis=, axes=, shape= where the op is on any axis.
    The report's text ends with what this data does not show: wrong answers that would have passed."""
    return judge_case(given_case(op, inputs, **attrs), outputs, arith)


def judge_case(case: Case, outputs: Any, arith: str) -> Report:
    """judge, of a case that there is."""
    names = [t.name for t in case.op.outputs]
    report = Report(case.op.name, arith, 1, cases=1)
    shapes = case.shapes
    try:
        found = named(outputs, names, names)
        arrays: list[Optional[Plain]] = [plain(n, found[n], shapes[n]) for n in names]
    except Fault as e:
        raise ProofmarkError("%s: outputs: %s" % (case.op.name, e)) from None
    v = case.verdict(arrays, arith)
    report.add(v)
    report.text = v.text
    if v.outcome == "FAIL":
        report.fail(case, "%d of %d elements are wrong" % (v.failed, v.elements),
                    "\n".join(v.text.splitlines()[1:]), v)
    return report


__all__ = ["check", "replay", "judge", "fields", "Fault", "Ran", "Memory"]
