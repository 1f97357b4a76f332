"""pytest: every function with `@proofmark.kernel` becomes tests, one a class of values."""
from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import pytest

CASES = 25  # of a class, where nothing is said


class KernelTest(pytest.Item):
    """The cases of an op in one class of values."""

    def __init__(self, *, fn: Callable[..., Any], op: str, options: dict[str, Any], **of_pytest: Any) -> None:
        super().__init__(**of_pytest)
        self.fn, self.op, self.options = fn, op, options

    def runtest(self) -> None:
        from . import check
        check(self.op, self.fn, **self.options).assert_passed()

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, AssertionError):  # the report has all there is to say
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        return self.path, None, self.name


def _tests(collector: Any, name: str, fn: Callable[..., Any], marks: Any) -> Iterator[KernelTest]:
    from ._ops import find
    for op, given in marks:
        base = name if len(marks) == 1 else "%s-%s" % (name, op)
        options = dict({"cases": CASES}, **given)
        classes = () if "values" in options else find(op).values
        for values in classes:
            yield KernelTest.from_parent(collector, name="%s[%s]" % (base, values), fn=fn, op=op,
                                         options=dict(options, values=values))
        if not classes:
            yield KernelTest.from_parent(collector, name="%s[%s]" % (base, options.get("values", "all")), fn=fn, op=op,
                                         options=options)


def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Optional[list[KernelTest]]:
    marks = getattr(obj, "__proofmark__", None)
    if not isinstance(marks, tuple) or not callable(obj) or isinstance(obj, type):
        return None
    return list(_tests(collector, name, obj, marks))
