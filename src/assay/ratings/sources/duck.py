"""A grid in DuckDB: cells stay in the engine, codes come out.

The module keeps one private database in memory for the process; each grid has a cursor of
its own with temporary tables, which go when the grid and its lazily fetched names go.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.ratings.sources.grid import WHITE, About, Cells, Encoded, IdColumn

if TYPE_CHECKING:
    import duckdb

_LOCK = threading.Lock()
_DATABASE: list[Any] = []
SHORT = 24
"""Up to so many distinct values are looked up in a list."""

GROUP = 40
"""Label columns joined in one query."""


def cursor() -> duckdb.DuckDBPyConnection:
    """A cursor of its own on the process's private database."""
    import duckdb

    with _LOCK:
        if not _DATABASE:
            _DATABASE.append(duckdb.connect(":memory:"))
        made: duckdb.DuckDBPyConnection = _DATABASE[0].cursor()
    return made


def quoted(text: str) -> str:
    """A text as SQL writes it.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def _trim(expression: str) -> str:
    return f"trim(nfc_normalize({expression}), {quoted(WHITE)})"


def fetch_column(connection: Any, query: str) -> list[Any]:
    """One column without NULLs as Python values."""
    (column,) = connection.execute(query).fetchnumpy().values()
    if column.dtype.kind in "OiufbU":
        values: list[Any] = np.asarray(column).tolist()
        return values
    return [value for (value,) in connection.execute(query).fetchall()]


class LazyNames:
    """The distinct names of one column, fetched from the engine when first needed."""

    def __init__(self, connection: Any, query: str) -> None:
        self._connection = connection
        self._query = query
        self._names: list[Any] | None = None

    def __call__(self) -> list[Any]:
        if self._names is None:
            self._names = fetch_column(self._connection, self._query)
            self._connection = None
        return self._names

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (partial, (list, self()))


def _position(values: Sequence[Any], column: str) -> str | None:
    """The place of a cell in a short list of texts; quicker than a join."""
    if len(values) > SHORT or not all(isinstance(v, str) and "\x00" not in v for v in values):
        return None
    listed = ", ".join(map(quoted, values))
    return f"coalesce(list_position([{listed}]::VARCHAR[], cells.{column}), 0) - 1"


class _IdTable:
    """The distinct names of a column, each with its first row, as a table in the engine."""

    def __init__(self, connection: Any, column: str) -> None:
        self.connection = connection
        self.name = f"id_{column}"
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {self.name} AS SELECT {column} AS v, "
            f"min(rowid)::INTEGER AS m FROM cells WHERE {column} IS NOT NULL GROUP BY {column}"
        )
        self.names = LazyNames(connection, f"SELECT v FROM {self.name} ORDER BY m")
        # ASCII without outer blanks needs no look at single names.
        text = "v::VARCHAR"
        plain = f"strlen({text}) = length({text}) AND {text} >= '!' AND ({text})[-1] >= '!'"
        query = f"SELECT count(*), bool_and({plain}) FROM {self.name}"
        self.size, clean = connection.execute(query).fetchone()
        self.clean = clean is not False
        place = _position(self.names(), column) if self.size <= SHORT else None
        self.dense = place is not None
        self.code = place or f"coalesce({self.name}.m, -1)"
        self.join = "" if place else f"LEFT JOIN {self.name} ON cells.{column} = {self.name}.v"

    def column(self, codes: npt.NDArray[Any], n_rows: int) -> IdColumn:
        """The coded column; ``codes`` are first rows unless they are dense already."""
        if self.dense:
            return IdColumn(codes.astype(np.int32), self.size, self.names, self.clean)
        known = np.zeros(n_rows + 1, dtype=bool)
        known[codes] = True
        known[-1] = False
        dense = np.cumsum(known, dtype=np.int32) - np.int32(1)
        dense[-1] = -1
        return IdColumn(dense[codes], self.size, self.names, self.clean)


@dataclass(frozen=True, slots=True, eq=False)
class DuckGrid:
    """A temporary table ``cells`` with columns c0, c1, … all of them text or typed."""

    about: About
    names: tuple[str, ...]
    connection: Any
    n_rows: int

    def _c(self, name: str) -> str:
        return f"c{self.names.index(name)}"

    def head(self, limit: int) -> list[tuple[Any, ...]]:
        columns = ", ".join(f"c{i}" for i in range(len(self.names)))
        query = f"SELECT {columns} FROM cells WHERE rowid < {limit} ORDER BY rowid"
        rows: list[tuple[Any, ...]] = self.connection.execute(query).fetchall()
        return rows

    def encode(
        self, ids: Sequence[str], cells: Sequence[str], *, in_order: bool = False
    ) -> Encoded:
        columns = [self._c(name) for name in cells]
        declared = {dict(self.about.orders).get(name) for name in cells}
        known = declared.pop() if len(declared) == 1 else None
        values = self._label_values(columns, known or ())
        small = np.min_scalar_type(-max(len(values), 1))
        kind = {1: "TINYINT", 2: "SMALLINT", 4: "INTEGER", 8: "BIGINT"}[small.itemsize]
        tables = [_IdTable(self.connection, self._c(name)) for name in ids]
        # Joins do not keep the order of rows; it is restored where it is needed.
        sorting = in_order or len(columns) > GROUP
        codes = np.empty((len(columns), self.n_rows), dtype=small)
        coded: list[IdColumn] = []
        for start in range(0, max(len(columns), 1), GROUP):
            wanted, joined = (["cells.rowid AS r"] if sorting else []), []
            for table in tables if start == 0 else ():
                wanted.append(f"{table.code} AS {table.name}")
                joined.append(table.join)
            part = columns[start : start + GROUP]
            for c in part:
                code = _position(values, c)
                if code is None:
                    code = f"coalesce(l{c}.k, -1)"
                    joined.append(f"LEFT JOIN labels l{c} ON cells.{c} = l{c}.v")
                wanted.append(f"({code})::{kind} AS l{c}")
            query = f"SELECT {', '.join(wanted)} FROM cells {' '.join(joined)}"
            found = self.connection.execute(query).fetchnumpy()
            order: Any = slice(None)
            if sorting and (np.diff(found["r"]) < 0).any():
                order = np.argsort(found["r"], kind="stable")
            for slot, c in enumerate(part, start):
                codes[slot] = found[f"l{c}"][order]
            if start == 0:
                coded = [t.column(np.asarray(found[t.name])[order], self.n_rows) for t in tables]
        return Encoded(tuple(coded), Cells(codes, values, known is not None))

    def _label_values(self, columns: Sequence[str], order: Sequence[str]) -> list[Any]:
        """Make the table ``labels`` of distinct values, and return them in order of code.

        ``order`` holds all values where the source declares their order.
        """
        if not columns:
            return []
        if order:
            rows = ", ".join(f"({quoted(v)}, {k}::INTEGER)" for k, v in enumerate(order))
            source = f"SELECT * FROM (VALUES {rows}) AS known(v, k)"
        else:
            union = " UNION ".join(f"SELECT DISTINCT {c} AS v FROM cells" for c in columns)
            source = (
                "SELECT v, (row_number() OVER (ORDER BY v) - 1)::INTEGER AS k "
                f"FROM ({union}) WHERE v IS NOT NULL"
            )
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE labels AS {source}")
        return fetch_column(self.connection, "SELECT v FROM labels ORDER BY k")

    def release(self) -> None:
        self.connection.execute("DROP TABLE IF EXISTS cells; DROP TABLE IF EXISTS labels")

    def rows_where_empty(self, column: str, limit: int) -> list[int]:
        c = self._c(column)
        query = (
            f"SELECT rowid FROM cells WHERE {c} IS NULL OR {_trim(c + '::VARCHAR')} = '' "
            f"ORDER BY rowid LIMIT {limit}"
        )
        return [int(r) for (r,) in self.connection.execute(query).fetchall()]

    def drop_empty_rows(self) -> tuple[DuckGrid, int]:
        some = " OR ".join(f"c{i} IS NOT NULL" for i in range(len(self.names)))
        self.connection.execute(
            f"CREATE TEMP TABLE kept AS SELECT * FROM cells WHERE {some} ORDER BY rowid"
        )
        (left,) = self.connection.execute("SELECT count(*) FROM kept").fetchone()
        self.connection.execute("DROP TABLE cells; ALTER TABLE kept RENAME TO cells")
        return replace(self, n_rows=left), self.n_rows - left
