"""What is asked of an engine, in narwhals' terms: names, labels as codes, whole numbers.

Every expression here means the same on every engine that narwhals knows, so that nothing above
has to ask which one it is. All sums are of 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import MissingExtra, ReadingError
from assay.ratings.categories import Ints
from assay.ratings.sources.arrays import is_empty
from assay.ratings.sources.grid import WHITE

if TYPE_CHECKING:
    import narwhals as nw

SUSPECT = "^[^!-~]|[^!-~]$|[^ -~]"
"""Anything but plain ASCII without white space at either end."""
ODD = "[^ -~]"
"""A character beyond plain ASCII."""
BLANK = f"^[{WHITE}]|[{WHITE}]$"
"""White space at either end."""
OUTER = f"^[{WHITE}]+|[{WHITE}]+$"

ENGINES = {
    "dask": ("Dask frame", "dask"),
    "duckdb": ("DuckDB relation", "scale"),
    "ibis": ("Ibis table", "ibis"),
    "polars": ("Polars lazy frame", ""),
    "pyspark": ("Spark frame", "spark"),
    "pyspark[connect]": ("Spark frame", "spark"),
    "sqlframe": ("SQLFrame frame", "scale"),
}
"""What a frame of each engine is called, and the extra with all that brings its results back."""


def engine_of(frame: nw.LazyFrame[Any]) -> str:
    """What a frame is called in notes and errors.

    Raises
    ------
    MissingExtra
        If what brings its results back is not installed.
    """
    name, extra = ENGINES.get(frame.implementation.value, ("lazy frame", "scale"))
    if extra and extra != "dask":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise MissingExtra(
                f'the results of a {name} come as PyArrow tables: pip install "assay[{extra}]"'
            ) from None
    return name


def fetched(frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """The rows of a result."""
    options: dict[str, Any] = {}
    if frame.implementation.is_polars():
        import polars as pl

        # As it comes, and not all at once: faster, and in less memory.
        options = {"engine": "streaming"} if hasattr(pl.Config, "set_engine_affinity") else {}
    return frame.collect(**options)


def collected(frame: nw.LazyFrame[Any], most: int) -> nw.DataFrame[Any] | None:
    """The rows of a result, or None where there are more than ``most``."""
    found = fetched(frame.head(most + 1))
    return None if len(found) > most else found


def whole(found: nw.DataFrame[Any], *names: str) -> list[Ints]:
    """Columns of whole numbers."""
    return [np.asarray(found.get_column(name).to_numpy()).astype(np.int64) for name in names]


def values(found: nw.DataFrame[Any], name: str) -> list[Any]:
    """The cells of a column; None where empty."""
    return [None if is_empty(v) else v for v in found.get_column(name).to_list()]


def in_order(row: Sequence[Any]) -> tuple[Any, ...]:
    """What puts rows of one table in order, whatever an engine's order is; empty cells first."""
    return tuple(
        (v is not None, v if isinstance(v, (int, float)) else 0, "" if v is None else str(v))
        for v in row
    )


def one(condition: nw.Expr, value: int = 1) -> nw.Expr:
    """``value`` where the condition holds, else 0."""
    import narwhals as nw

    return nw.when(condition).then(nw.lit(value)).otherwise(nw.lit(0)).cast(nw.Int64)


def added(terms: Sequence[nw.Expr]) -> nw.Expr:
    """The sum of many terms, as a tree that is not deep."""
    import narwhals as nw

    if not terms:
        return nw.lit(0).cast(nw.Int64)
    found = list(terms)
    while len(found) > 1:
        pairs = [found[k] + found[k + 1] for k in range(0, len(found) - 1, 2)]
        found = pairs + found[len(found) // 2 * 2 :]
    return found[0]


def either(conditions: Iterable[nw.Expr]) -> nw.Expr:
    """Whether one of several conditions holds."""
    return reduce(or_, conditions)


def both(conditions: Iterable[nw.Expr]) -> nw.Expr:
    """Whether all of several conditions hold."""
    return reduce(and_, conditions)


@dataclass(frozen=True, slots=True)
class Part:
    """A column of names or labels, as it is read everywhere.

    Attributes
    ----------
    name
        The column's.
    kind
        "text", "float" or "other".
    value
        Its cells: categories as texts, decimals as floats.
    declared
        All values in order, where the column's type says so.
    duckdb
        Whether it is DuckDB that is asked.
    """

    name: str
    kind: str
    value: nw.Expr
    declared: tuple[str, ...] = ()
    duckdb: bool = False

    @property
    def empty(self) -> nw.Expr:
        """Whether a cell is empty: null or NaN."""
        import narwhals as nw

        found = self.value.is_null()
        if self.kind == "float":
            if self.duckdb:
                # It answers isnan() from the least and the greatest value that a Parquet file
                # tells, which leave NaN out; as a text it is nan or -nan.
                return found | self.value.cast(nw.String).str.ends_with("nan")
            return found | self.value.is_nan()
        return found

    @property
    def nameless(self) -> nw.Expr:
        """Whether a cell holds no name: empty, or white space alone."""
        if self.kind != "text":
            return self.empty
        return self.empty | (self.trimmed == "")

    @property
    def suspect(self) -> nw.Expr:
        """Whether a name is empty, or may have to be trimmed or put in another form."""
        if self.kind != "text":
            return self.empty
        return self.empty | (self.value == "") | self.value.str.contains(SUSPECT)

    @property
    def trimmed(self) -> nw.Expr:
        """A name without outer white space."""
        return self.value.str.replace_all(OUTER, "") if self.kind == "text" else self.value

    def has(self, pattern: str) -> nw.Expr:
        """1 where a text has this in it, else 0."""
        import narwhals as nw

        if self.kind != "text":
            return nw.lit(0).cast(nw.Int64)
        return one(~self.value.is_null() & self.value.str.contains(pattern))


def part_of(frame: nw.LazyFrame[Any], name: str, source: str) -> Part:
    """The column ``name`` of a frame."""
    import narwhals as nw

    kind = frame.collect_schema()[name]
    column = nw.col(name)
    if isinstance(kind, (nw.List, nw.Struct, nw.Array)):
        raise ReadingError(
            f"{source}, column {name}: its cells are {kind}; one text, number or boolean a cell "
            "is needed. Name another column, or unpack the values first.",
            code="nested",
        )
    if isinstance(kind, nw.Enum):
        return Part(name, "text", column.cast(nw.String), tuple(kind.categories))
    if isinstance(kind, nw.Categorical):
        return Part(name, "text", column.cast(nw.String))
    if isinstance(kind, nw.Decimal):
        return Part(name, "float", column.cast(nw.Float64))
    if isinstance(kind, (nw.String, nw.Object)):
        return Part(name, "text", column)
    if kind.is_float():
        return Part(name, "float", column, duckdb=_is_duckdb(frame))
    return Part(name, "other", column)


def _is_duckdb(frame: nw.LazyFrame[Any]) -> bool:
    """Whether a frame is DuckDB's, or DuckDB's by way of Ibis."""
    if frame.implementation.is_duckdb():
        return True
    return frame.implementation.is_ibis() and bool(frame.to_native().get_backend().name == "duckdb")
