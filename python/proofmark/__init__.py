"""Proofmark: is a kernel right? Checked element by element against a proven reference, within an error bound
that is computed from the inputs, in place of a tolerance that someone guessed.

    >>> import proofmark
    >>> print(proofmark.check("softmax", fn, arith="cuda", cases=200))

`ops` says what there is, `check` draws hostile cases for a function, `judge` has a verdict on outputs that are
there already, `eval` the reference and the bound, `cases` the drawn cases themselves; `kernel` makes tests of a
function for pytest. `Session` and `tensor` are a small framework on the reference itself, on the kernels, or on these
in its shadow. docs/python.md begins at the beginning."""
from ._cases import Case, Evaluation, Verdict, cases, eval, read_case
from ._check import check, judge, replay
from ._grad import check_grad
from ._kernel import kernel
from ._library import ProofmarkError
from ._ops import Attr, Op, Tensor, ops
from ._report import Failure, Report
from ._runtime import Diverged
from ._tensor import Finding, Kernel, Session, Shadow, tensor

__version__ = "1.0"
__all__ = ["Attr", "Case", "Diverged", "Evaluation", "Failure", "Finding", "Kernel", "Op", "ProofmarkError", "Report",
           "Session", "Shadow", "Tensor", "Verdict", "cases", "check", "check_grad", "eval", "judge", "kernel", "ops",
           "read_case", "replay", "tensor"]
