"""Parquet files through DuckDB."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.errors import ReadingError
from assay.ratings.model import Note
from assay.ratings.sources.duck import DuckGrid, cursor, quoted
from assay.ratings.sources.grid import About
from assay.ratings.sources.text import column_names


def read_parquet(path: Path) -> DuckGrid:
    """Read a Parquet file into a grid; cells keep their types."""
    import duckdb

    connection = cursor()
    literal = quoted(re.sub(r"([*?\[])", r"[\1]", str(path)))
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({literal})").fetchall()
        raw = [str(row[0]) for row in described]
        kinds = [_nested(str(row[1])) for row in described]
        unreadable = tuple((n, k) for n, k in zip(raw, kinds, strict=True) if k)
        flat = [(str(n), str(t)) for (n, t, *_), k in zip(described, kinds, strict=True) if not k]
        if len(flat) < 2 and unreadable:
            shown = "; ".join(f"{name}: {kind}" for name, kind in unreadable[:8])
            raise ReadingError(
                f"{path}: a table of one text, number or boolean a cell is needed, but columns "
                f"hold more ({shown}). Unpack them first: one row for each rating.",
                code="nested",
            )
        select = ", ".join(_cast(name, kind) + f" AS c{i}" for i, (name, kind) in enumerate(flat))
        connection.execute(
            f"CREATE TEMP TABLE cells AS SELECT {select} FROM read_parquet({literal})"
        )
        # Not in the SELECT: there DuckDB answers isnan() from the least and the greatest value
        # that the file tells, which leave NaN out.
        for i, (_, kind) in enumerate(flat):
            if kind in ("DOUBLE", "FLOAT"):
                connection.execute(f"UPDATE cells SET c{i} = NULL WHERE isnan(c{i})")
        orders = _orders(path, _metadata(connection, literal), [name for name, _ in flat])
    except duckdb.Error as error:
        raise ReadingError(
            f"{path}: not readable as Parquet: {str(error).splitlines()[0]}"
        ) from None
    (rows,) = connection.execute("SELECT count(*) FROM cells").fetchone() or (0,)
    if not rows:
        raise ReadingError(f"{path}: no rows.")
    names, more = column_names([name for name, _ in flat])
    notes = [Note("format", "read as Parquet"), *more]
    if unreadable:
        shown = ", ".join(f"{name} ({kind})" for name, kind in unreadable[:12])
        notes.append(Note("columns_not_used", f"columns not used: {shown}"))
    about = About(
        source=str(path),
        format="parquet",
        notes=tuple(notes),
        unreadable=unreadable,
        orders=orders,
    )
    return DuckGrid(about, names, connection, rows)


def _nested(kind: str) -> str:
    """What a column's cells hold where that is not one value, else an empty text."""
    if kind.endswith("]"):
        return "lists"
    for start, word in (("STRUCT", "records"), ("MAP", "maps"), ("UNION", "unions")):
        if kind.startswith(start):
            return word
    return "bytes" if kind.startswith(("BLOB", "BIT")) else ""


def _cast(name: str, kind: str) -> str:
    column = '"' + name.replace('"', '""') + '"'
    if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")):
        return f"{column}::DOUBLE"
    if kind.startswith(("ENUM", "UUID", "INTERVAL", "JSON")):
        return f"{column}::VARCHAR"
    return column


def _metadata(connection: Any, literal: str) -> dict[bytes, bytes]:
    query = f"SELECT key, value FROM parquet_kv_metadata({literal})"
    return dict(connection.execute(query).fetchall())


def _orders(
    path: Path, metadata: dict[bytes, bytes], names: Sequence[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The order of labels in columns that were written as ordered categories.

    Whether there are any is read off the metadata, so that PyArrow is loaded for them only.
    """
    try:
        pandas = json.loads(metadata.get(b"pandas", b"{}")).get("columns", [])
        schema = base64.b64decode(metadata.get(b"ARROW:schema", b""))
    except (ValueError, AttributeError):
        return ()
    ordered = any((c.get("metadata") or {}).get("ordered") is True for c in pandas)
    if not ordered and b"_PL_ENUM_VALUES" not in schema:
        return ()
    try:
        import pyarrow.parquet
        import pyarrow.types
    except ImportError:
        return ()
    found = []
    for field in pyarrow.parquet.read_schema(path):
        kind = field.type
        if field.name not in names or not pyarrow.types.is_dictionary(kind) or not kind.ordered:
            continue
        column = pyarrow.parquet.read_table(path, columns=[field.name]).column(0)
        values = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
        if values and all(isinstance(v, str) for v in values):
            found.append((field.name, tuple(values)))
    return tuple(found)
