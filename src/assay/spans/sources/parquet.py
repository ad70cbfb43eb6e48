"""Parquet files with one row a sentence: as records, or column by column in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

import numpy as np

from assay.errors import InputError, ReadingError, UsageError, one_of
from assay.ratings.sources.duck import cursor, quoted
from assay.spans.corpus import TagRows
from assay.spans.sources.codes import Words, fingerprints
from assay.spans.sources.fields import PAD
from assay.spans.sources.load import NotInParts
from assay.spans.sources.records import TAGS, TOKENS
from assay.spans.sources.tag_columns import column_rows
from assay.spans.sources.texts import Tokens

MAGIC = b"PAR1"
PART = 1 << 14
"""Sentences in a part."""
_TEXTS = "VARCHAR[]"
_NUMBERS = ("TINYINT[]", "SMALLINT[]", "INTEGER[]", "BIGINT[]", "UTINYINT[]")


def is_parquet(path: Path, format: str | None = None) -> bool:  # noqa: A002
    """Whether a file is Parquet, by its first bytes unless the format is given."""
    if format is not None:
        return format == "parquet"
    try:
        with path.open("rb") as file:
            return file.read(4) == MAGIC
    except OSError:
        # Whoever reads it says why it cannot be read.
        return False


def n_rows(path: Path) -> int:
    """How many rows a file has, from its end."""
    with _reading(path):
        rows = cursor().execute(
            f"SELECT sum(num_rows) FROM parquet_file_metadata({_literal(path)})"
        )
        (found,) = rows.fetchone() or (0,)
    return int(found or 0)


def n_values(path: Path) -> int:
    """How many values the columns of a file have together: tags, tokens, ids."""
    with _reading(path):
        rows = cursor().execute(f"SELECT sum(num_values) FROM parquet_metadata({_literal(path)})")
        (found,) = rows.fetchone() or (0,)
    return int(found or 0)


def parquet_records(path: Path, columns: Sequence[Any] = ()) -> list[tuple[str, Any]]:
    """Each row as a record with where it stands; texts of tags in ``columns`` are split."""
    with _reading(path):
        kinds = _kinds(path)
        rows = cursor().execute(f"SELECT * FROM read_parquet({_literal(path)})").fetchall()
    if not rows:
        raise ReadingError(f"{path}: no rows; one row a sentence is needed.", code="empty")
    records = [dict(zip(kinds, row, strict=True)) for row in rows]
    for name in columns:
        if kinds.get(name) == "VARCHAR":
            for record in records:
                if record[name] is not None:
                    record[name] = record[name].split()
    return [(f"{path}, row {k}", record) for k, record in enumerate(records, 1)]


def parquet_parts(
    path: Path,
    *,
    column: str | int | None = None,
    token_column: str | int | None = None,
    tag_names: Sequence[str] | None = None,
    words: bool = True,
) -> Iterator[TagRows]:
    """Tag rows of one column, some sentences at a time; with tokens where ``words`` are wanted.

    Raises
    ------
    InputError
        If there is no column of tags.
    """
    with _reading(path):
        kinds = _kinds(path)
        tags = _tags(path, kinds, column)
        tokens = _tokens(kinds, tags, token_column) if words else None
        names = [tags] if tokens is None else [tags, tokens]
        before = 0
        for cells in _cells(path, names):
            if not len(cells[0]):
                continue
            rows = column_rows(cells[0], source=str(path), before=before, tag_names=tag_names)
            if tokens is not None:
                rows = _with_tokens(rows, cells[1], (tags, tokens))
            before += rows.text.n_sentences
            yield rows
    if not before:
        raise ReadingError(f"{path}: no rows; one row a sentence is needed.", code="empty")


def _literal(path: Path) -> str:
    # Signs of a pattern stand for themselves.
    return quoted(re.sub(r"([*?\[])", r"[\1]", str(path)))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if not path.is_file():
            raise ReadingError(f"{path}: there is no such file.", code="no_such_file") from None
        raise ReadingError(
            f"{path}: not readable as Parquet: {str(error).splitlines()[0]}"
        ) from None


def _kinds(path: Path) -> dict[str, str]:
    """The columns' types, by name."""
    query = f"DESCRIBE SELECT * FROM read_parquet({_literal(path)})"
    return {str(row[0]): str(row[1]) for row in cursor().execute(query).fetchall()}


def _tags(path: Path, kinds: dict[str, str], column: str | int | None) -> str:
    if isinstance(column, int):
        raise UsageError(
            f"column: {column} is a position; {path} has columns with names: {', '.join(kinds)}."
        )
    if column is not None:
        return one_of(column, kinds, "column")
    for name in TAGS:
        if kinds.get(name) == _TEXTS or kinds.get(name) in _NUMBERS:
            return name
    # Records in a list may be spans.
    kind = NotInParts if any("STRUCT" in kind for kind in kinds.values()) else InputError
    raise kind(
        f"{path}: no column of tags under a usual name ({', '.join(TAGS[:4])}, …), each a list of "
        f"texts; there are {', '.join(f'{n} ({k})' for n, k in kinds.items())}. Other names: "
        "--column.",
        code="no_tags",
    )


def _tokens(kinds: dict[str, str], tags: str, column: str | int | None) -> str | None:
    if isinstance(column, str):
        return one_of(column, kinds, "token_column")
    return next((n for n in TOKENS if kinds.get(n) == _TEXTS and n != tags), None)


def _cells(path: Path, names: Sequence[str]) -> Iterator[Sequence[Any]]:
    """The columns in parts: as arrays of PyArrow where it is installed, else as lists."""
    chosen = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    query = f"SELECT {chosen} FROM read_parquet({_literal(path)})"
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        rows = cursor().execute(query)
        while found := rows.fetchmany(PART):
            yield list(zip(*found, strict=True))
        return
    relation = cursor().sql(query)
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    for batch in read(PART):
        yield batch.columns


def _with_tokens(rows: TagRows, cells: Any, names: tuple[str, str]) -> TagRows:
    """The tags with their tokens, one each."""
    tokens = (
        Tokens([ArrowTokens(cells)], keys=_keys(cells, rows))
        if hasattr(cells, "flatten") and not cells.null_count
        else Tokens([[list(cell) if cell is not None else [] for cell in cells]])
    )
    lengths = tokens_in(cells)
    for k in np.flatnonzero(lengths != rows.text.lengths)[:1].tolist():
        raise InputError(
            f"{rows.source}: sentence {(rows.before or 0) + k + 1}: {rows.text.lengths[k]} tags "
            f"in {names[0]!r} for {lengths[k]} tokens in {names[1]!r}; one tag a token is needed.",
            code="lengths_differ",
        )
    return replace(rows, text=replace(rows.text, tokens=tokens))


def tokens_in(cells: Any) -> Any:
    """Shape (sentences,): how many tokens each cell holds."""
    if hasattr(cells, "flatten"):
        import pyarrow.compute as pc

        return pc.fill_null(pc.list_value_length(cells), 0).to_numpy(zero_copy_only=False)
    return np.array([0 if cell is None else len(cell) for cell in cells], dtype=np.int64)


def _keys(cells: Any, rows: TagRows) -> Words | None:
    """Fingerprints of the tokens, from their bytes."""
    import pyarrow as pa

    flat = cells.flatten().cast(pa.large_string())
    if flat.null_count or len(flat) != rows.codes.size:
        return None
    _, ends, data = flat.buffers()
    at = np.frombuffer(ends, np.int64)[flat.offset : flat.offset + len(flat) + 1]
    held = b"" if data is None else data.to_pybytes()
    return fingerprints(held + PAD, at[:-1], np.diff(at), rows.text.lengths)


@dataclass(frozen=True, slots=True)
class ArrowTokens(Sequence[Sequence[str]]):
    """Sentences of tokens that PyArrow holds, made into texts when they are asked for."""

    cells: Any

    def __len__(self) -> int:
        return len(self.cells)

    @overload
    def __getitem__(self, index: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[str]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return [str(token) for token in self.cells[index].as_py()]
