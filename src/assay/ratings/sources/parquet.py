"""Parquet files through DuckDB."""

from __future__ import annotations

import re
from pathlib import Path

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
        kinds = [str(row[1]) for row in described]
        select = ", ".join(
            f'"{name.replace(chr(34), chr(34) * 2)}"{_cast(kind)} AS c{i}'
            for i, (name, kind) in enumerate(zip(raw, kinds, strict=True))
        )
        connection.execute(
            f"CREATE TEMP TABLE cells AS SELECT {select} FROM read_parquet({literal})"
        )
    except duckdb.Error as error:
        raise ReadingError(
            f"{path}: not readable as Parquet: {str(error).splitlines()[0]}"
        ) from None
    (rows,) = connection.execute("SELECT count(*) FROM cells").fetchone() or (0,)
    if not rows:
        raise ReadingError(f"{path}: no rows.")
    names, notes = column_names(raw)
    about = About(
        source=str(path),
        format="parquet",
        notes=(Note("format", "read as Parquet"), *notes),
    )
    return DuckGrid(about, names, connection, rows)


def _cast(kind: str) -> str:
    if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")):
        return "::DOUBLE"
    if kind.startswith(("ENUM", "UUID")):
        return "::VARCHAR"
    return ""
