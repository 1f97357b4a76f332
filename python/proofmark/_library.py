"""libdiffcheck through ctypes: diffcheck/library/libdiffcheck.h has what each function does."""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_int64, c_uint, c_uint64, c_void_p
from typing import Any, Optional

RANK, SHAPE, LINE, TEXT = 8, 400, 1024, 4096
VERSION = 1
OUTCOMES = ("pass", "FAIL", "suspect")
# By dcl_dtype, and what calls of a kernel and cases have for it.
DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64",
          "uint8", "uint16", "uint32", "uint64", "bool")
SHORT = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "bool": "bool"}


class ProofmarkError(ValueError):
    """Something was asked for that cannot be: the text names it, its value and the rule."""


class COp(ctypes.Structure):
    _fields_ = [(n, c_char_p) for n in ("name", "family", "forward", "meaning", "policy", "classes")] + \
        [(n, c_int) for n in ("is_vjp", "n_in", "n_out", "n_sizes", "n_attrs", "has_values")]


class CTensor(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("shape", c_char * SHAPE), ("dtype", c_int)]


class CAttr(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("whole", c_int), ("usual", c_double), ("least", c_double), ("most", c_double)]


class CArray(ctypes.Structure):
    _fields_ = [("dtype", c_int), ("rank", c_int), ("shape", c_int64 * RANK), ("data", c_void_p)]


class CInfo(ctypes.Structure):
    _fields_ = [("op", c_int), ("seed", c_uint64), ("misaligned", c_uint), ("accumulate", c_int),
                ("values", c_char_p), ("cotangent", c_char_p)]


class CVerdict(ctypes.Structure):
    _fields_ = [("outcome", c_int), ("elements", c_int64), ("failed", c_int64), ("vacuous", c_int64),
                ("output", c_int), ("index", c_int64), ("got", c_double), ("want", c_double),
                ("error", c_double), ("bound", c_double), ("text", c_char * TEXT)]


_ARGUMENTS: dict[str, list[Any]] = {
    "dcl_op_about": [c_int, POINTER(COp)],
    "dcl_tensor_about": [c_int, c_int, POINTER(CTensor)],
    "dcl_attr_about": [c_int, c_int, POINTER(CAttr)],
    "dcl_size_about": [c_int, c_int, POINTER(c_char_p), POINTER(c_int)],
    "dcl_arith_check": [c_char_p],
    "dcl_case_draw": [c_char_p, c_char_p, c_uint64, c_int64, POINTER(c_void_p)],
    "dcl_case_read": [c_char_p, POINTER(c_void_p)],
    "dcl_case_given": [c_char_p, POINTER(CArray), c_int, c_char_p, POINTER(c_void_p)],
    "dcl_case_about": [c_void_p, POINTER(CInfo)],
    "dcl_case_size": [c_void_p, c_int, POINTER(c_int64)],
    "dcl_case_attr": [c_void_p, c_int, POINTER(c_double)],
    "dcl_case_tensor": [c_void_p, c_int, POINTER(c_int), POINTER(c_int64), POINTER(c_void_p)],
    "dcl_case_type": [c_void_p, c_int, POINTER(c_int)],
    "dcl_case_gap": [c_void_p, c_int, POINTER(c_int)],
    "dcl_case_line": [c_void_p, c_char_p],
    "dcl_case_eval": [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_void_p)],
    "dcl_case_judge": [c_void_p, c_char_p, POINTER(CArray), c_int, c_int, POINTER(CVerdict)],
}


def load(file: str, variable: str, arguments: dict[str, list[Any]]) -> ctypes.CDLL:
    """A shared library: what an environment variable names, or the one of the package."""
    path = os.environ.get(variable) or os.path.join(os.path.dirname(__file__), file)
    try:
        found = ctypes.CDLL(path)
    except OSError as e:
        raise ImportError("proofmark: %s; `pip install` of the checkout's python/ builds the library, or "
                          "%s says where `make library` has put it" % (e, variable)) from e
    for name, types in arguments.items():
        getattr(found, name).argtypes = types
    return found


def _load() -> ctypes.CDLL:
    lib = load("libdiffcheck.so", "PROOFMARK_LIBRARY", _ARGUMENTS)
    if lib.dcl_version() != VERSION:
        raise ImportError("proofmark: %s is version %d of the library, must be %d: build it anew"
                          % (lib._name, lib.dcl_version(), VERSION))
    lib.dcl_error.restype = lib.dcl_values_name.restype = c_char_p
    lib.dcl_values_name.argtypes = [c_int]
    lib.dcl_case_free.argtypes = [c_void_p]
    lib.dcl_case_free.restype = None
    return lib


lib = _load()


def call(name: str, *arguments: Any) -> None:
    """Calls a function that gives a status; a bad one is raised with the library's words."""
    status = getattr(lib, name)(*arguments)
    if status:
        text = (lib.dcl_error() or b"").decode(errors="replace")
        raise MemoryError(text) if status == 3 else ProofmarkError(text)


def text(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else value.encode()


__all__ = ["COp", "CTensor", "CAttr", "CArray", "CInfo", "CVerdict", "ProofmarkError", "byref", "call", "lib", "load",
           "text"]
