"""What a check has found, in words."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from ._cases import Case, Verdict


@dataclass(frozen=True)
class Failure:
    """The case on which a function failed first."""
    line: str  # the case, for replay
    values: str  # the class of its values
    sizes: dict[str, int]
    attrs: dict[str, float]
    seed: int
    what: str  # in a line
    text: str  # in more of them
    verdict: Optional[Verdict] = None  # where elements were judged


@dataclass
class Report:
    """The outcome of check, replay or judge: true where all is well; print it, or `assert_passed()`."""
    op: str
    arith: str
    asked: int  # cases
    cases: int = 0  # cases that were run
    runs: int = 0  # calls of the function
    elements: int = 0
    vacuous: int = 0  # elements whose bound is so wide that it says nothing
    largest: float = 0.0  # error over bound of what passed
    by_values: dict[str, int] = field(default_factory=dict)  # cases, by class of values
    failure: Optional[Failure] = None
    how: str = ""  # how the failure is shown again
    text: str = ""  # of judge: what the library says

    @property
    def outcome(self) -> str:
        """"pass", "FAIL", or "suspect": nothing was judged, or of most elements the bound says nothing."""
        if self.failure is not None:
            return "FAIL"
        return "suspect" if self.elements == 0 or 2 * self.vacuous > self.elements else "pass"

    def __bool__(self) -> bool:
        return self.outcome == "pass"

    @property
    def replay(self) -> str:
        """Python that shows the failure again; "" where there is none."""
        return "" if self.failure is None else self.how

    def __str__(self) -> str:
        counts = "%d of %d cases, %d runs, %d elements" % (self.cases, self.asked, self.runs, self.elements)
        if self.vacuous:
            counts += ", %.1f%% of them vacuous" % (100 * self.vacuous / self.elements)
        lines = ["%s: %s  arith %s: %s" % (self.op, self.outcome, self.arith, counts)]
        if self.failure is not None:
            f = self.failure
            shape = ", ".join("%s=%s" % (k, v) for k, v in list(f.sizes.items()) + list(f.attrs.items()))
            lines += ["  " + f.what] + ["  " + line for line in f.text.splitlines()]
            drawn = "; values %s, seed %d" % (f.values, f.seed) if self.how else ""
            lines += ["  case: %s at %s%s" % (self.op, shape, drawn)]
            lines += ["  again: " + self.how] if self.how else []
        elif self.outcome == "suspect":
            lines += ["  no element was judged" if self.elements == 0 else
                      "  on most elements the bound is too wide to tell right from wrong: "
                      "say what the kernel's arithmetic is, by arith="]
        else:
            lines[0] += "; largest error %.3g of its bound" % self.largest
        return "\n".join(lines)

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:  # notebooks
        printer.text(str(self))  # type: ignore[attr-defined]

    def assert_passed(self) -> None:
        """Raises AssertionError, with all of the report, where it is no pass."""
        if not self:
            raise AssertionError(str(self))

    # ---- for those who make one ----

    def add(self, v: Verdict) -> None:
        self.elements += v.elements
        self.vacuous += v.vacuous
        if v.outcome != "FAIL" and v.bound > 0 and v.error >= 0:
            self.largest = max(self.largest, v.error / v.bound)

    def fail(self, case: Case, what: str, text: str = "", verdict: Optional[Verdict] = None) -> None:
        self.failure = Failure(case.line, case.values, case.sizes, dict(case.attrs), case.seed, what, text, verdict)
