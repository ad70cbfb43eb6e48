"""Two long parallel sequences as counts of pairs of labels, without a column of items.

Which item is which is lost, so this serves coefficients, which do not ask. Integers are counted
here; strings in Polars or Arrow by their own library's grouping.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Label
from assay.ratings.model import Ratings
from assay.ratings.read import read

LONG = 100_000
"""Shorter sequences are read as any others."""

CODES = 256
CHUNK = 1 << 15
Pairs = tuple[list[Any], list[Any], list[int]]


def paired(
    a: Any,
    b: Any,
    *,
    categories: Sequence[Label] | None = None,
    order: Sequence[Label] | None = None,
) -> Ratings | None:
    """The ratings of two raters from distinct pairs, or None where this way does not serve.

    Examples
    --------
    >>> a = np.arange(200_000) % 3
    >>> paired(a, a[::-1]).n_ratings
    400000
    >>> paired([1, 2], [1, 3]) is None
    True
    """
    if not (hasattr(a, "__len__") and hasattr(b, "__len__")) or len(a) != len(b) or len(a) < LONG:
        return None
    found = _of_integers(a, b) if isinstance(a, np.ndarray) else _of_frames(a, b)
    if found is None:
        return None
    left, right, times = found
    columns = {"A": left, "B": right, "n": times}
    return read(columns, layout="wide", frequency="n", categories=categories, order=order)


def _of_integers(a: Any, b: Any) -> Pairs | None:
    """Pairs of small whole numbers, in one pass over both arrays."""
    if not isinstance(b, np.ndarray) or a.ndim != 1 or b.ndim != 1:
        return None
    if a.dtype.kind not in "iu" or b.dtype.kind not in "iu":
        return None
    step = max(1, a.size // 1000)
    # What the whole range is shows in a sample; every chunk is held against it.
    seen = np.concatenate([a[::step], b[::step]]).astype(np.int64)
    low, high = int(seen.min()), int(seen.max())
    q = high - low + 1
    if q * q > CODES or max(-low, high) >= 1 << 57:
        return None
    codes = np.empty(a.size, dtype=np.uint8)
    buffer = np.empty(CHUNK, dtype=np.int64)
    for start in range(0, a.size, CHUNK):
        x, y = a[start : start + CHUNK], b[start : start + CHUNK]
        if min(x.min(), y.min()) < low or max(x.max(), y.max()) > high:
            return None
        code = buffer[: x.size]
        np.multiply(x, q, out=code, casting="unsafe")
        code += y.astype(np.int64, copy=False)
        if low:
            code -= low * (q + 1)
        codes[start : start + CHUNK] = code
    counts = _count(codes)[: q * q]
    used = np.flatnonzero(counts)
    first, second = np.divmod(used, q)
    return (first + low).tolist(), (second + low).tolist(), counts[used].tolist()


def _count(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """How often each code occurs; two neighbours are counted at a time."""
    even = codes.size - codes.size % 2
    both = codes[:even].view(np.uint16)
    total = np.zeros(CODES * CODES, dtype=np.int64)
    for start in range(0, both.size, 8 * CHUNK):
        total += np.bincount(both[start : start + 8 * CHUNK], minlength=CODES * CODES)
    square = total.reshape(CODES, CODES)
    single = square.sum(axis=0) + square.sum(axis=1)
    single[codes[even:]] += 1  # the last of an odd number
    return np.asarray(single)


def _of_frames(a: Any, b: Any) -> Pairs | None:
    """Pairs of strings of Polars or Arrow, grouped by the library that holds them."""
    kind = type(a).__module__.partition(".")[0]
    if kind != type(b).__module__.partition(".")[0]:
        return None
    if kind == "polars":
        import polars as pl

        if not isinstance(a, pl.Series) or a.dtype != pl.String or b.dtype != pl.String:
            return None
        counted = pl.DataFrame({"a": a, "b": b}).group_by(["a", "b"]).len().sort("a", "b")
        return counted["a"].to_list(), counted["b"].to_list(), counted["len"].to_list()
    if kind == "pyarrow":
        import pyarrow as pa

        if not all(pa.types.is_string(x.type) or pa.types.is_large_string(x.type) for x in (a, b)):
            return None
        grouped = pa.table({"a": a, "b": b}).group_by(["a", "b"]).aggregate([([], "count_all")])
        ordered = grouped.sort_by([("a", "ascending"), ("b", "ascending")])
        first, second, times = (ordered[name].to_pylist() for name in ("a", "b", "count_all"))
        return first, second, times
    return None
