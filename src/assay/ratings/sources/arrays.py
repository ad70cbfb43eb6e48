"""Encode one column held in memory, whatever library holds it.

Lists, NumPy arrays, pandas and Polars series and Arrow arrays are each encoded by their own
machinery; only distinct values are looked at one by one.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError
from assay.ratings.categories import Codes
from assay.ratings.sources.grid import Cells, IdColumn
from assay.ratings.sources.numbers import encode_numbers, first_appearance

Array = npt.NDArray[Any]


def library(column: Any) -> str:
    """Name the package that a column's type comes from ("numpy", "pandas", "polars")."""
    return type(column).__module__.partition(".")[0]


def to_list(column: Any) -> list[Any]:
    """The cells as Python values; None where empty."""
    if isinstance(column, np.ma.MaskedArray):
        return [None if m else v for v, m in zip(column.data.tolist(), _mask(column), strict=True)]
    if library(column) == "pyarrow":
        return list(column.to_pylist())
    if library(column) == "pandas":
        missing = column.isna().tolist()
        cells = column.tolist()
        return [None if m else v for v, m in zip(cells, missing, strict=True)]
    cells = column.tolist() if hasattr(column, "tolist") else None
    if cells is None:
        cells = column.to_list() if hasattr(column, "to_list") else list(column)
    return [None if is_empty(v) else v for v in cells]


def take(column: Any, rows: Array) -> Any:
    """The cells at ``rows``."""
    if library(column) == "pandas":
        return column.iloc[rows]
    if library(column) == "pyarrow":
        return column.take(rows)
    if isinstance(column, np.ndarray) or library(column) == "polars":
        return column[rows]
    return [column[int(r)] for r in rows]


def is_empty(value: Any) -> bool:
    """None, NaN and the libraries' own missing values."""
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")


def _mask(column: np.ma.MaskedArray[Any, Any]) -> list[bool]:
    return [bool(m) for m in np.ma.getmaskarray(column)]


def as_numbers(column: Any) -> Array | None:
    """The column as a numeric array with NaN for missing, or None if it is not numeric."""
    origin = library(column)
    if isinstance(column, np.ma.MaskedArray):
        if column.dtype.kind not in "iuf":
            return None
        filled = np.array(column.data, dtype=np.float64)
        filled[np.ma.getmaskarray(column)] = np.nan
        return filled
    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "iuf" else None
    if origin == "pandas":
        kind = getattr(column.dtype, "kind", "O")
        if kind not in "iuf" or str(column.dtype) == "category":
            return None
        if column.isna().any():
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return _numeric(column.to_numpy())
    if origin == "polars":
        return _numeric(column.to_numpy()) if column.dtype.is_numeric() else None
    if origin == "pyarrow":
        import pyarrow.types as types

        plain = types.is_integer(column.type) or types.is_floating(column.type)
        if not plain:
            return None
        if hasattr(column, "combine_chunks") and column.num_chunks != 1:
            column = column.combine_chunks()
        elif hasattr(column, "chunk"):
            column = column.chunk(0)
        return _numeric(column.to_numpy(zero_copy_only=False))
    kinds = set(map(type, column))
    if kinds and kinds <= {int, float, type(None)} and kinds != {type(None)}:
        if type(None) in kinds:
            return np.array([np.nan if v is None else v for v in column], dtype=np.float64)
        return _numeric(np.array(column))
    return None


def _numeric(array: Any) -> Array | None:
    values = np.asarray(array)
    return values if values.dtype.kind in "iuf" else None


def distinct(column: Any) -> tuple[Codes, list[Any], bool]:
    """Codes (−1 where empty), the distinct values, and whether their order means something."""
    origin = library(column)
    if origin == "pandas":
        return _pandas(column)
    if origin == "polars":
        return _polars(column)
    if origin == "pyarrow":
        return _arrow(column)
    if isinstance(column, np.ndarray) and column.dtype.kind == "b" and not np.ma.isMA(column):
        seen = [v for v in (False, True) if (column == v).any()]
        codes = column.astype(np.int8)
        return (codes if len(seen) == 2 else codes * np.int8(0)), list(seen), False
    if isinstance(column, np.ndarray) and column.dtype.kind == "U" and not np.ma.isMA(column):
        values, inverse = np.unique(column, return_inverse=True)
        return inverse.reshape(-1).astype(np.int32), values.tolist(), False
    return (*_objects(to_list(column) if origin == "numpy" else column), False)


def _pandas(column: Any) -> tuple[Codes, list[Any], bool]:
    import pandas

    if isinstance(column.dtype, pandas.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        return codes, column.cat.categories.tolist(), bool(column.cat.ordered)
    if isinstance(column.dtype, pandas.BooleanDtype) or column.dtype.kind == "b":
        codes = column.astype("Int8").fillna(-1).to_numpy(dtype=np.int8)
        return codes, [False, True], False
    if pandas.api.types.infer_dtype(column, skipna=True) in ("string", "empty"):
        codes, values = pandas.factorize(column)
        return codes, list(values), False
    return (*_objects(to_list(column)), False)


def _polars(column: Any) -> tuple[Codes, list[Any], bool]:
    import polars

    if isinstance(column.dtype, polars.Enum):
        codes = column.to_physical().cast(polars.Int32).fill_null(-1).to_numpy()
        return codes, column.dtype.categories.to_list(), True
    if column.dtype in (polars.String, polars.Categorical):
        values = column.unique(maintain_order=True).drop_nulls().cast(polars.String)
        if len(values) == 0:
            return np.full(len(column), -1, dtype=np.int8), [], False
        coded = column.cast(polars.String).cast(polars.Enum(values)).to_physical()
        codes = coded.cast(polars.Int32).fill_null(-1).to_numpy()
        return codes, values.to_list(), False
    return (*_objects(column.to_list()), False)


def _arrow(column: Any) -> tuple[Codes, list[Any], bool]:
    import pyarrow.types as types

    ordered = types.is_dictionary(column.type) and column.type.ordered
    if ordered and types.is_string(column.type.value_type):
        if hasattr(column, "unify_dictionaries"):
            column = column.unify_dictionaries().combine_chunks()
        column = column.chunk(0) if hasattr(column, "chunk") else column
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, column.dictionary.to_pylist(), True
    if types.is_string(column.type) or types.is_large_string(column.type):
        coded = column.dictionary_encode()
        if hasattr(coded, "combine_chunks"):
            coded = coded.combine_chunks()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, coded.dictionary.to_pylist(), False
    return (*_objects(column.to_pylist()), False)


def _objects(column: Sequence[Any]) -> tuple[Codes, list[Any]]:
    kinds = set(map(type, column))
    keys: Sequence[Any] = column
    if not kinds <= {str, type(None)}:
        column = [None if is_empty(v) else _plain(v) for v in column]
        # True, 1 and 1.0 are equal to Python but not the same label.
        keys = [v if v is None or type(v) is str else (type(v) is bool, v) for v in column]
    table: dict[Any, int] = {}
    values: list[Any] = []
    for key, value in zip(keys, column, strict=True) if keys is not column else ():
        if key is not None and key not in table:
            table[key] = len(values)
            values.append(value)
    if keys is column:
        values = [v for v in dict.fromkeys(column) if v is not None]
        table = {v: k for k, v in enumerate(values)}
    table[None] = -1
    return np.fromiter(map(table.__getitem__, keys), dtype=np.int32, count=len(keys)), values


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (datetime.date, datetime.datetime, datetime.time)):
        return value
    if hasattr(value, "value") and isinstance(value.value, (str, bool, int, float)):
        return value.value  # an Enum member
    shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:59] + "…"
    raise ReadingError(
        f"a cell holds {shown} ({type(value).__name__}); one text, number or boolean a cell is "
        "needed. Name another column with --label (label=… in Python), or unpack the nested "
        "values first.",
        code="nested",
    )


def encode_ids(column: Any) -> IdColumn:
    """Encode names by first appearance."""
    numbers = as_numbers(column)
    codes: Codes
    if numbers is not None:
        cells = encode_numbers([numbers], len(numbers))
        codes, values = cells.codes[0], np.asarray(cells.values).tolist()
    else:
        codes, values, _ = distinct(column)
    codes, order = first_appearance(codes, len(values))
    names = [values[int(k)] for k in order]
    return IdColumn(codes, len(names), _constant(names))


def _constant(names: Sequence[Any]) -> Callable[[], Sequence[Any]]:
    return lambda: names


def encode_cells(columns: Sequence[Any], rows: int) -> Cells:
    """Encode columns over one list of distinct values."""
    numbers = [as_numbers(c) for c in columns]
    if columns and all(n is not None for n in numbers):
        return encode_numbers([n for n in numbers if n is not None], rows)
    parts = []
    for column, number in zip(columns, numbers, strict=True):
        if number is None:
            parts.append(distinct(column))
        else:
            cells = encode_numbers([number], rows)
            parts.append((cells.codes[0], np.asarray(cells.values).tolist(), False))
    if len(parts) == 1:
        return Cells(parts[0][0][None, :], parts[0][1], parts[0][2])
    table: dict[Any, int] = {}
    union: list[Any] = []
    remaps: list[Array] = []
    for _, values, _ in parts:
        places: list[int] = []
        for value in values:
            key = value if type(value) is str else (type(value) is bool, value)
            if key not in table:
                table[key] = len(union)
                union.append(value)
            places.append(table[key])
        remaps.append(np.array([*places, -1]))
    small = np.min_scalar_type(-max(len(union), 1))
    codes = np.empty((len(parts), rows), dtype=small)
    for slot, ((own, _, _), remap) in enumerate(zip(parts, remaps, strict=True)):
        codes[slot] = remap.astype(small)[own]
    same = all(values == parts[0][1] for _, values, _ in parts)
    return Cells(codes, union, bool(parts) and same and all(part[2] for part in parts))
