"""Arrays of any framework, to NumPy and back."""
from __future__ import annotations

import importlib
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._library import DTYPES, RANK, CArray, ProofmarkError


class Plain:
    """An array on the host, row-major, with the type that its numbers had where they came from."""

    def __init__(self, data: NDArray[Any], dtype: Optional[str] = None) -> None:
        self.dtype = dtype or data.dtype.name
        self.data = np.ascontiguousarray(data).reshape(data.shape)

    @property
    def wide(self) -> NDArray[Any]:
        """Its values in float64."""
        data = self.data
        if self.dtype == "bfloat16":
            data = (data.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
        return data.astype(np.float64)

    def c(self, name: str) -> CArray:
        """As the library takes it; lives as long as this."""
        if self.dtype not in DTYPES:
            raise ProofmarkError("%s: is of type %s, which no op has" % (name, self.dtype))
        if self.data.ndim > RANK:
            raise ProofmarkError("%s: has %d axes, must have 0 to %d" % (name, self.data.ndim, RANK))
        shape = tuple(self.data.shape) + (0,) * (RANK - self.data.ndim)
        return CArray(DTYPES.index(self.dtype), self.data.ndim, shape, self.data.ctypes.data)


def dtype_name(x: Any) -> str:
    """Of what a caller means by a dtype: "float16", np.float16, torch.bfloat16."""
    if isinstance(x, str):
        return x
    name = str(x)
    return name[6:] if name.startswith("torch.") else np.dtype(x).name


def numpy_dtype(name: str) -> np.dtype[Any]:
    """NumPy's own; of bfloat16 that of ml_dtypes, which registers it there."""
    if name != "bfloat16":
        return np.dtype(name)
    try:
        return np.dtype(importlib.import_module("ml_dtypes").bfloat16)
    except ImportError as e:
        raise ProofmarkError("dtype='bfloat16': NumPy has no such type, and ml_dtypes is not installed here: install "
                             "it, or say like=\"torch\"") from e


def encoded(a: NDArray[Any], dtype: str) -> Plain:
    """An input as its type has it: of bfloat16 the bits. Its numbers are such as that type has."""
    if dtype != "bfloat16":
        return Plain(a.astype(dtype))
    bits = (np.ascontiguousarray(a, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    nan = np.isnan(a)
    bits[nan] |= np.uint16(0x40)
    return Plain(bits.view(np.int16).reshape(a.shape), "bfloat16")


def as_numpy(a: Plain) -> NDArray[Any]:
    """The array itself."""
    return a.data.view(numpy_dtype("bfloat16")) if a.dtype == "bfloat16" else a.data


def _from_dlpack(x: Any) -> NDArray[Any]:
    device = int(x.__dlpack_device__()[0])
    if device in (1, 3):  # the host's, or its pinned memory
        host: NDArray[Any] = np.from_dlpack(x)
        return host
    for name, get in (("cupy", lambda m: m.from_dlpack(x).get()),
                      ("torch", lambda m: m.from_dlpack(x).cpu().numpy())):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        brought: NDArray[Any] = get(module)  # type: ignore[no-untyped-call]
        return brought
    raise TypeError("a %s is on DLPack device %d: bringing it here takes CuPy or PyTorch, or return it on the host"
                    % (type(x).__name__, device))


def to_plain(x: Any) -> Plain:
    """A copy on the host of whatever array it is, whoever changes that one afterwards."""
    if hasattr(x, "detach") and hasattr(x, "cpu"):  # PyTorch
        x = x.detach().cpu()
        if str(x.dtype) == "torch.bfloat16":
            module = importlib.import_module("torch")
            return Plain(x.contiguous().view(module.int16).numpy().copy(), "bfloat16")
        return Plain(x.numpy().copy())
    if hasattr(x, "__cuda_array_interface__"):
        get = getattr(x, "get", None) or getattr(x, "copy_to_host", None)  # CuPy, Numba
        if get is not None:
            x = get()
        elif hasattr(x, "__dlpack__"):
            x = _from_dlpack(x)
        else:
            x = importlib.import_module("cupy").asarray(x).get()
    elif not isinstance(x, (np.ndarray, np.generic)) and not hasattr(x, "__array__") and hasattr(x, "__dlpack__"):
        x = _from_dlpack(x)
    a = np.array(x, order="C")
    if a.dtype.name == "bfloat16":  # ml_dtypes, as JAX has it
        return Plain(a.view(np.int16), "bfloat16")
    if a.dtype.kind not in "biuf":
        raise TypeError("a %s is no array of numbers" % type(x).__name__)
    return Plain(a)


def span(x: Any) -> Optional[tuple[int, int]]:
    """The addresses that an array's elements lie between; None: they are not to be known, or there are none."""
    if isinstance(x, np.ndarray):
        first, last = np.lib.array_utils.byte_bounds(x) if hasattr(np.lib, "array_utils") else np.byte_bounds(x)
    elif hasattr(x, "data_ptr"):
        first = x.data_ptr()
        last = first + x.numel() * x.element_size()
    elif hasattr(x, "__cuda_array_interface__") and hasattr(x, "nbytes"):
        first = x.__cuda_array_interface__["data"][0]
        last = first + x.nbytes
    else:
        return None
    return (first, last) if last > first and (not isinstance(x, np.ndarray) or x.size) else None


def overlap(a: Any, b: Any) -> bool:
    """Whether two arrays are known to share memory."""
    s, t = span(a), span(b)
    return s is not None and t is not None and s[0] < t[1] and t[0] < s[1]


class Maker:
    """Makes a function's inputs: memory that is filled anew for each run, at the same addresses where the
    framework allows that."""

    def __init__(self, like: Union[str, Callable[[NDArray[Any]], Any]], device: Any = None) -> None:
        self.like, self.module, self.device = like, None, device
        if callable(like) or like == "numpy":
            return
        if like not in ("torch", "cupy"):
            raise ProofmarkError("like=%r: must be \"numpy\", \"torch\", \"cupy\", or a function of a NumPy array"
                                 % (like,))
        try:
            self.module = importlib.import_module(like)
        except ImportError as e:
            raise ProofmarkError("like=%r: %s is not installed here" % (like, like)) from e
        if like == "torch" and device is None:
            self.device = "cuda" if self.module.cuda.is_available() else "cpu"

    def room(self, a: Plain, offset: int, gap: int = 0) -> tuple[Any, Any]:
        """Memory for an array such as a, that begins `offset` elements past where memory begins, and what is between
        its rows, `gap` elements, or None."""
        if callable(self.like):
            if gap:
                raise ProofmarkError("strides: like= a function, makes its own memory, and no rows that lie apart")
            return None, None
        rows, cols = a.data.shape if gap else (1, a.data.size)
        n = rows * (cols + gap)
        if self.like == "torch":
            dtype = getattr(self.module, a.dtype)
            base = self.module.empty(n + offset, dtype=dtype, device=self.device)  # type: ignore[union-attr]
        else:
            base = (self.module or np).empty(n + offset, dtype=numpy_dtype(a.dtype))
        if not gap:
            return base[offset:].reshape(a.data.shape), None
        both = base[offset:].reshape((rows, cols + gap))
        return both[:, :cols], both[:, cols:]

    def fill(self, room: Any, a: Plain) -> Any:
        """The array to pass, with a's elements."""
        if callable(self.like):
            return self.like(as_numpy(a).copy())
        if self.like == "torch":
            source = self.module.from_numpy(a.data.copy())  # type: ignore[union-attr]
            room.copy_(source.view(room.dtype) if a.dtype == "bfloat16" else source)
        elif self.like == "cupy":
            room[...] = self.module.asarray(as_numpy(a))  # type: ignore[union-attr]
        else:
            room[...] = as_numpy(a)
        return room
