"""Which files are read in batches, and how they are opened."""

from __future__ import annotations

import glob
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ReadingError, UsageError
from assay.ratings.columns import HEAD
from assay.ratings.headless import check_header
from assay.ratings.large.sources import (
    PER_BYTE,
    PER_ROW,
    ArrowBatches,
    Batches,
    ParquetBatches,
    QueryBatches,
    arrow,
    quoted_name,
    readable,
)
from assay.ratings.model import Note
from assay.ratings.sources.detect import find_format
from assay.ratings.sources.grid import About, Grid

MANY_ROWS = 5_000_000
"""Rows of Parquet from which it is read in batches."""
MANY_BYTES = 200_000_000
"""The same for text files and JSON lines."""
SHARE = 0.25
"""Of the machine's memory, for grouping rows that are not in order."""
SAMPLE = 1 << 18


def memory_option(given: int | str | None) -> int | None:
    """Bytes from a number or a text.

    >>> memory_option("1GB"), memory_option("512 MiB"), memory_option(4096)
    (1000000000, 536870912, 4096)
    """
    if given is None or isinstance(given, bool):
        return None
    if isinstance(given, int):
        bytes_ = given
    else:
        text = given.strip().lower().removesuffix("b")
        units = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12,
                 "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}  # fmt: skip
        digits = text.rstrip("kmgti ")
        unit = text[len(digits) :].strip()
        try:
            bytes_ = int(float(digits) * (units[unit] if unit else 1))
        except (ValueError, KeyError, OverflowError):
            bytes_ = 0
    if bytes_ < 1:
        raise UsageError(f"memory: a size such as 1GB or 512MB is needed, not {given!r}.")
    return bytes_


def default_memory() -> int:
    """A quarter of the machine's memory, or 2 GB where the system does not say."""
    if not hasattr(os, "sysconf"):
        return 2 * 10**9
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * SHARE)


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How a file is read, as given."""

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    sheet: str | int | None = None
    header: bool | None = None
    pattern: str = ""


def open_large(source: str | Path, memory: int | None, options: FileOptions) -> Batches | None:
    """The files of a path or a pattern in batches; None where they are read at once.

    Raises
    ------
    ReadingError
        If no file fits the pattern, or a format cannot be read in batches.
    """
    path = Path(source)
    pattern = not path.exists() and glob.has_magic(str(source))
    if not pattern and not path.is_file():
        return None
    if not pattern and memory is None and path.stat().st_size < MANY_BYTES // 20:
        return None
    paths = matching(str(source)) if pattern else [path]
    kind = options.format or find_format(paths[0], options.encoding)
    opener = OPENERS.get("text" if kind in ("csv", "tsv", "text") else kind)
    if opener is None:
        if pattern:
            raise ReadingError(
                f"{source}: a pattern is for Parquet, CSV, TSV and JSON lines; {paths[0]} is "
                f"read as {kind}.",
                code="unreadable",
            )
        return None
    if not pattern and not _is_large(path, kind, memory):
        return None
    arrow()
    if kind == "tsv" and options.delimiter is None:
        options = replace(options, delimiter="\t")
    return opener(paths, replace(options, pattern=str(source) if pattern else ""))


def matching(pattern: str) -> list[Path]:
    """The files that fit a pattern, in order of name."""
    found = sorted(Path(name) for name in glob.glob(pattern, recursive=True))  # noqa: PTH207
    found = [path for path in found if path.is_file()]
    if not found:
        raise ReadingError(f"{pattern}: no file fits this pattern.", code="no_such_file")
    return found


def _is_large(path: Path, kind: str, memory: int | None) -> bool:
    if kind == "parquet":
        import duckdb

        from assay.ratings.sources.duck import cursor, quoted

        query = f"SELECT num_rows FROM parquet_file_metadata({quoted(glob.escape(str(path)))})"
        try:
            (rows,) = cursor().execute(query).fetchone() or (0,)
        except duckdb.Error:
            return False  # said by the reader
        return bool(rows * PER_ROW > memory if memory is not None else rows >= MANY_ROWS)
    size = path.stat().st_size
    return size * PER_BYTE > memory if memory is not None else size >= MANY_BYTES


def _about(grid: Grid, paths: Sequence[Path], pattern: str, **more: Any) -> About:
    name = f"{pattern} ({len(paths):,} files)" if len(paths) > 1 else str(paths[0])
    return replace(grid.about, source=name, **more)


def _parquet(paths: Sequence[Path], options: FileOptions) -> Batches:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from assay.ratings.sources.frames import read_frame

    first = None
    for path in paths:
        with readable(path), pq.ParquetFile(path) as file:
            first = next((batch for batch in file.iter_batches(HEAD) if len(batch)), None)
        if first is not None:
            break
    if first is None:
        raise ReadingError(f"{paths[0]}: no rows.")
    grid = read_frame(pa.Table.from_batches([first]))
    notes = (Note("format", "read as Parquet"), *grid.about.notes)
    about = _about(grid, paths, options.pattern, format="parquet", notes=notes, row_offset=1)
    return ParquetBatches(paths, replace(grid, about=about), bool(options.pattern))


@contextmanager
def _head_of(path: Path) -> Iterator[Path]:
    """The first whole lines of a file, as a file that goes; errors name the file itself."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = _copied(path, folder)
        try:
            yield copy
        except AssayError as error:
            error.args = tuple(str(arg).replace(str(copy), str(path)) for arg in error.args)
            raise


def _copied(path: Path, folder: str) -> Path:
    copy = Path(folder) / "head"
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        if file.read(1):
            cut = max(head.rfind(b"\n"), head.rfind(b"\r"))
            head = head[: cut + 1] or head
    copy.write_bytes(head)
    return copy


def _text(paths: Sequence[Path], options: FileOptions) -> Batches:
    from assay.ratings.sources.text import explained, read_text, scan

    header = options.header is not False
    with _head_of(paths[0]) as head:
        grid = read_text(
            head,
            encoding=options.encoding,
            delimiter=options.delimiter,
            decimal=options.decimal,
            header=header,
        )
        if options.header is None:
            check_header(grid)
    for note in grid.about.notes:
        if note.code == "encoding" and "UTF-8" not in note.message:
            raise ReadingError(
                f"{paths[0]}: {note.message}; in batches only UTF-8 is read. Convert it first, "
                "as with: iconv -f ENCODING -t UTF-8.",
                code="encoding",
            )
    about = _about(grid, paths, options.pattern)
    grid = replace(grid, about=about)
    skip = about.row_offset - (2 if header else 1)
    literal = any(note.code == "quotes_literal" for note in about.notes)
    query = scan(paths, about.separator, len(grid.names), header, skip, "" if literal else '"')

    def select(columns: Sequence[str]) -> str:
        wanted = ", ".join(f"c{grid.names.index(name)}" for name in columns)
        return f"SELECT {wanted} FROM ({query}))"

    size = sum(path.stat().st_size for path in paths)
    return QueryBatches(
        grid,
        select,
        lambda text: explained(paths[0], text, about.separator),
        size // 24,
        size * PER_BYTE,
        bool(options.pattern),
    )


def _json_lines(paths: Sequence[Path], options: FileOptions) -> Batches:
    from assay.ratings.sources.duck import quoted
    from assay.ratings.sources.records import read_json_lines

    with _head_of(paths[0]) as copy:
        lines = copy.read_bytes().splitlines(keepends=True)
        copy.write_bytes(b"".join(itertools.islice(lines, HEAD)))
        grid = read_json_lines(copy, encoding=options.encoding)
    about = _about(grid, paths, options.pattern)
    grid = replace(grid, about=about)
    files = ", ".join(quoted(glob.escape(str(path))) for path in paths)

    def select(columns: Sequence[str]) -> str:
        kinds = ", ".join(f"{quoted(name)}: 'JSON'" for name in columns)
        item, *rest = (quoted_name(name) for name in columns)
        # An item is compared by its text; a rater and a label by their value and type.
        text = f"CASE WHEN json_type({item}) = 'VARCHAR' THEN {item} ->> '$' "
        text += f"WHEN {item} IS NOT NULL THEN chr(1) || {item}::VARCHAR END AS item"
        parts = ", ".join([text, *(f"{name}::VARCHAR" for name in rest)])
        return (
            f"SELECT {parts} FROM read_json([{files}], format='newline_delimited', "
            f"columns={{{kinds}}}, maximum_object_size=100000000)"
        )

    def explain(text: str) -> ReadingError:
        return ReadingError(
            f"{about.source}: not readable as JSON lines: {text.splitlines()[0]}. Each line has "
            'to be one record such as {"item": "q1", "rater": "ana", "label": "yes"}.',
            code="malformed_record",
        )

    size = sum(path.stat().st_size for path in paths)
    return QueryBatches(
        grid, select, explain, size // 48, size * PER_BYTE, bool(options.pattern), json=True
    )


def from_dataset(dataset: Any) -> Batches:
    """A PyArrow dataset."""
    from assay.ratings.sources.frames import read_frame

    grid = read_frame(dataset.head(HEAD))
    return ArrowBatches(dataset, replace(grid, about=replace(grid.about, source="dataset")))


OPENERS: dict[str, Callable[[Sequence[Path], FileOptions], Batches]] = {
    "parquet": _parquet,
    "text": _text,
    "jsonl": _json_lines,
}
