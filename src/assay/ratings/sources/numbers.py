"""Encode numeric columns without sorting where the range is small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Codes, Ints
from assay.ratings.sources.grid import Cells

Array = npt.NDArray[Any]

CHUNK = 16_384
"""Rows at a time: a strided matrix is then read once from memory, then from the cache."""

SPAN = 32_767
"""The widest range of whole numbers that is coded by subtraction."""


def encode_numbers(columns: Sequence[Array], rows: int) -> Cells:
    """Encode numeric columns over their distinct values; NaN is empty.

    >>> cells = encode_numbers([np.array([1, 3, 3]), np.array([3, 5, 1])], 3)
    >>> cells.values.tolist(), cells.codes.tolist()
    ([1, 3, 5], [[0, 1, 1], [1, 2, 0]])
    """
    limits = _whole_range(columns, rows)
    if limits is None:
        return _by_sorting(columns, rows)
    low, high, floating = limits
    if high < low:
        return Cells(np.full((len(columns), rows), -1, dtype=np.int8), np.zeros(0))
    small = np.min_scalar_type(-(high - low + 1))
    codes = np.empty((len(columns), rows), dtype=small)
    for part in _chunks(rows):
        for slot, column in enumerate(columns):
            cells = column[part]
            if floating and cells.dtype.kind == "f":
                cells = np.where(np.isnan(cells), low - 1, cells)
            # Unsigned and narrow types would wrap, so they are widened first.
            wide = cells if cells.dtype == np.int64 else cells.astype(np.int64)
            np.subtract(wide, low, out=codes[slot, part], casting="unsafe")
    present = _present(codes, high - low + 1)
    values = np.flatnonzero(present) + low
    if not present.all():
        table = np.append(np.cumsum(present) - 1, -1).astype(small)
        codes = table[codes]
    return Cells(codes, values)


def _chunks(rows: int) -> Iterator[slice]:
    for start in range(0, rows, CHUNK):
        yield slice(start, min(start + CHUNK, rows))


def _whole_range(columns: Sequence[Array], rows: int) -> tuple[int, int, bool] | None:
    """(lowest, highest, whether any column is floating), or None if sorting is needed."""
    low, high, floating = 0, -1, False
    seen = False
    for part in _chunks(rows):
        for column in columns:
            cells = column[part]
            if cells.dtype.kind == "f":
                floating = True
                cells = cells[~np.isnan(cells)]
                if not np.isfinite(cells).all() or not (cells == np.rint(cells)).all():
                    return None
            if not cells.size:
                continue
            least, most = int(cells.min()), int(cells.max())
            low = min(low, least) if seen else least
            high = max(high, most) if seen else most
            seen = True
            if high - low > SPAN - 1 or max(abs(low), abs(high)) > 2**62:
                return None
    return low, high, floating


def _present(codes: Codes, size: int) -> npt.NDArray[np.bool_]:
    """Which of 0 … size − 1 occur; a prefix is enough where all of them do."""
    present = np.zeros(size, dtype=bool)
    for part in _chunks(codes.shape[1]):
        found = np.bincount(codes[:, part].ravel().astype(np.intp) + 1, minlength=size + 1)
        present |= found[1:] > 0
        if present.all():
            break
    return present


def _by_sorting(columns: Sequence[Array], rows: int) -> Cells:
    whole = all(c.dtype.kind in "iu" for c in columns)
    if whole and all(c.dtype == np.int64 for c in columns):
        together = np.concatenate(columns)
    elif whole and max(int(c.max(initial=0)) for c in columns) < 2**63:
        together = np.concatenate([c.astype(np.int64) for c in columns])
    else:
        together = np.concatenate([c.astype(np.float64) for c in columns])
    valid = None
    if together.dtype.kind == "f":
        together = together + 0.0  # minus zero is zero
        valid = ~np.isnan(together)
        if valid.all():
            valid = None
    values, inverse = np.unique(together if valid is None else together[valid], return_inverse=True)
    small = np.min_scalar_type(-max(len(values), 1))
    if valid is None:
        codes = inverse.astype(small)
    else:
        codes = np.full(len(together), -1, dtype=small)
        codes[valid] = inverse
    return Cells(codes.reshape(len(columns), rows), values)


def first_appearance(codes: Array, size: int) -> tuple[Codes, Ints]:
    """Renumber codes by first appearance; also the old code of each new one.

    >>> codes, order = first_appearance(np.array([2, 0, 2, -1]), 3)
    >>> codes.tolist(), order.tolist()
    ([0, 1, 0, -1], [2, 0])
    """
    first = np.full(size + 1, len(codes), dtype=np.int64)
    # Writing backwards leaves the first row of each code.
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    first = first[:size]
    used = int((first < len(codes)).sum())
    order = np.argsort(first, kind="stable")[:used]
    table = np.full(size + 1, -1, dtype=np.int32)
    table[order] = np.arange(used, dtype=np.int32)
    return table[codes], order
