"""A mark on a function, of which pytest_plugin makes tests."""
from __future__ import annotations

from typing import Any, Callable, TypeVar, Union

from ._ops import Op, find

F = TypeVar("F", bound=Callable[..., Any])


def kernel(op: Union[str, Op], **options: Any) -> Callable[[F], F]:
    """Under pytest the function becomes tests of that op, one a class of values; it stays what it is otherwise.

        @proofmark.kernel("softmax", arith="triton", like="torch")
        def softmax(x): ...

    options: those of `check`; cases is of each class, 25 where it is not given. A second mark adds another op."""
    name = find(op).name

    def mark(fn: F) -> F:
        marks = getattr(fn, "__proofmark__", ())
        fn.__proofmark__ = ((name, options),) + marks  # type: ignore[attr-defined]
        return fn

    return mark


__all__ = ["kernel"]
