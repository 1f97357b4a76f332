"""libproofmark through ctypes: runtime/proofmark.h has what each function does."""
from __future__ import annotations

import ctypes
import functools
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_void_p
from typing import Any

from ._library import ProofmarkError, load

RANK = 8
STATUS = ("ok", "invalid", "handle", "in-use", "no-memory", "no-device", "device", "gradient", "diverged", "file")
# By pmr_dtype.
DTYPES = ("float32", "int32", "int64", "uint8", "float16", "bfloat16", "float64")


class Diverged(ProofmarkError):
    """In the shadow of the reference: an element is outside of its bound. The text has op, step and element, and the
    line of the program that called the op."""


class CAttr(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class CShadow(ctypes.Structure):
    _fields_ = [("every", c_int64), ("ops", c_char_p), ("seconds", c_double), ("go_on", c_int), ("folder", c_char_p)]


class CFinding(ctypes.Structure):
    _fields_ = [("op", ctypes.c_char * 32), ("tensor", ctypes.c_char * 16), ("variant", ctypes.c_char * 32),
                ("step", c_int64), ("element", c_int64), ("value", c_double), ("want", c_double), ("bound", c_double),
                ("file", c_char_p), ("line", c_int), ("replay", ctypes.c_char * 512)]


class CReport(ctypes.Structure):
    _fields_ = [("steps", c_int64), ("looked_at", c_int64), ("diverged", c_int64), ("first", CFinding)]


class CSession(ctypes.Structure):
    _fields_ = [("steps", c_int64), ("planned", c_int64), ("unplanned", c_int64)]


class CAttention(ctypes.Structure):
    _fields_ = [("heads", c_int64), ("kv_heads", c_int64), ("causal", c_int)]


class CGraph(ctypes.Structure):
    _fields_ = [("graph", c_int64), ("captured", c_int64), ("why", ctypes.c_char * 512)]


class CPropagated(ctypes.Structure):
    _fields_ = [("device", c_double), ("reference", c_double), ("calls", c_int64), ("elements", c_int64),
                ("unbounded", c_int64), ("op", ctypes.c_char * 32), ("share", c_double), ("file", c_char_p),
                ("line", c_int)]


class CKernel(ctypes.Structure):
    _fields_ = [("op", ctypes.c_char * 32), ("kernel", ctypes.c_char * 32), ("ran", c_int64), ("left", c_int64)]


_SHAPE = [c_int, POINTER(c_int64)]
_OUT = [POINTER(c_void_p)]
_PLACE = [c_char_p, c_int]
_ARGUMENTS: dict[str, list[Any]] = {
    "pmr_open": [c_char_p] + _OUT,
    "pmr_close": [c_void_p],
    "pmr_backend": [c_void_p, POINTER(c_char_p), POINTER(c_char_p)],
    "pmr_sync": [c_void_p],
    "pmr_usage": [c_void_p, POINTER(c_int64), POINTER(c_int64)],
    "pmr_from_host": [c_void_p, c_int] + _SHAPE + [c_void_p] + _OUT,
    "pmr_to_host": [c_void_p, c_int, c_void_p, c_int64],
    "pmr_put": [c_void_p, c_int, c_void_p, c_int64],
    "pmr_item": [c_void_p, POINTER(c_double)],
    "pmr_zeros": [c_void_p] + _SHAPE + _OUT,
    "pmr_ones": [c_void_p] + _SHAPE + _OUT,
    "pmr_rand": [c_void_p, c_int64] + _SHAPE + _OUT,
    "pmr_randn": [c_void_p, c_int64] + _SHAPE + _OUT,
    "pmr_about": [c_void_p, POINTER(c_int), POINTER(c_int), POINTER(c_int64)],
    "pmr_release": [c_void_p],
    "pmr_reshape_at": _PLACE + [c_void_p] + _SHAPE + _OUT,
    "pmr_rows_at": _PLACE + [c_void_p, c_int64, c_int64] + _OUT,
    "pmr_detach": [c_void_p] + _OUT,
    "pmr_call_at": _PLACE + [c_void_p, c_char_p, POINTER(c_void_p), c_int, POINTER(CAttr), POINTER(c_void_p), c_int],
    "pmr_multi_head_attention_at": _PLACE + [c_void_p, POINTER(CAttention)] + [c_void_p] * 7 + _OUT,
    "pmr_requires_grad": [c_void_p, c_int],
    "pmr_no_grad": [c_void_p, c_int],
    "pmr_keep_inputs": [c_void_p, c_int],
    "pmr_backward": [c_void_p, c_void_p],
    "pmr_error_bound": [c_void_p, c_char_p, POINTER(CPropagated)],
    "pmr_grad": [c_void_p] + _OUT,
    "pmr_zero_grad": [c_void_p],
    "pmr_session_begin": [c_void_p],
    "pmr_session_end": [c_void_p] + _OUT,
    "pmr_session_run": [c_void_p],
    "pmr_session_about": [c_void_p, POINTER(CSession)],
    "pmr_session_graph": [c_void_p, POINTER(CGraph)],
    "pmr_session_release": [c_void_p],
    "pmr_session_attr": [c_void_p, c_char_p, c_char_p, c_double],
    "pmr_kernels": [c_void_p, c_char_p],
    "pmr_kernel_about": [c_void_p, c_int, POINTER(CKernel)],
    "pmr_shadow_set": [c_void_p, POINTER(CShadow)],
    "pmr_shadow_about": [c_void_p, POINTER(CReport)],
}


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """Loaded when it is first needed: checking kernels takes none of it."""
    lib = load("libproofmark.so", "PROOFMARK_RUNTIME", _ARGUMENTS)
    lib.pmr_error.restype = c_char_p
    return lib


def run(name: str, *arguments: Any) -> None:
    """Calls a function that gives a status; a bad one is raised with the library's words."""
    lib = library()
    status = getattr(lib, name)(*arguments)
    if status:
        words = (lib.pmr_error() or b"").decode(errors="replace")
        kind = STATUS[status] if 0 <= status < len(STATUS) else ""
        raise MemoryError(words) if kind == "no-memory" else Diverged(words) if kind == "diverged" \
            else ProofmarkError(words)


__all__ = ["CAttention", "CAttr", "CGraph", "CKernel", "CPropagated", "CReport", "CSession", "CShadow", "DTYPES",
           "Diverged", "RANK", "library", "run"]
