"""Comma-, semicolon-, tab- and bar-separated text through DuckDB."""

from __future__ import annotations

import codecs
import mmap
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import ReadingError, UsageError
from assay.ratings.model import Note
from assay.ratings.sources.duck import DuckGrid, cursor, quoted
from assay.ratings.sources.grid import WHITE, About
from assay.ratings.sources.sniff import (
    SEPARATORS,
    Start,
    TextSample,
    declared_separator,
    find_separator,
    find_start,
    not_decodable,
    read_sample,
    records,
    separator_option,
)

UNCLOSED = "unterminated quote"
"""What DuckDB says of a quoted field that does not end as one."""
BROKEN = "invalid state"
"""What it says where a line does not end as the lines before; or it takes that for a quote."""


def read_text(
    path: Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    sample: TextSample | None = None,
    header: bool = True,
) -> DuckGrid:
    """Read a separated text file into a grid.

    Parameters
    ----------
    header
        Whether the first line holds the columns' names.

    Raises
    ------
    ReadingError
        If the file is empty, has a header only, is ragged, or is not in the encoding.
    """
    if decimal not in (None, ".", ","):
        raise UsageError(f"decimal: '.' or ',' is needed, not {decimal!r}.")
    sample = sample or read_sample(path, encoding)
    declared = declared_separator(sample.text)
    separator = separator_option(delimiter or declared or "") if delimiter or declared else ""
    separator = separator or find_separator(sample)
    above = 1 if declared else 0
    if header:
        start = find_start(sample.text, separator, above)
        raw = list(start.header)
    else:
        first = records(sample.text, separator, limit=2)[above:]
        start = Start(above)
        raw = [f"column {k + 1}" for k in range(len(first[0]) if first else 0)]
    if not raw:
        raise ReadingError(f"{path}: the file is empty; a header line and rows are needed.")
    notes = [Note("format", f"read as {_kind(separator)}")]
    if sample.encoding != "utf-8":
        shown = sample.encoding.upper().removesuffix("-SIG")
        mark = " with a byte order mark" if sample.encoding in ("utf-8-sig", "utf-16") else ""
        notes.append(Note("encoding", f"encoding {shown}{mark}"))
    if start.titles:
        notes.append(title_note(start.titles, "header"))
    names, more = column_names(raw)
    notes += more
    connection = cursor()
    with _utf8(path, sample.encoding) as readable:
        try:
            _load(connection, path, readable, separator, len(raw), header, start.skip)
        except ReadingError as error:
            # Tab files are often written without quoting.
            if error.code != "quotes" or separator != "\t":
                raise
            _load(connection, path, readable, separator, len(raw), header, start.skip, "")
            notes.append(Note("quotes_literal", 'double quotes (") are taken literally'))
    (rows,) = connection.execute("SELECT count(*) FROM cells").fetchone() or (0,)
    if not rows:
        raise ReadingError(
            f"{path}: a header ({', '.join(names[:8])}) but no rows; at least one row is needed."
        )
    comma = decimal == "," if decimal else None
    about = About(
        source=str(path),
        format="text",
        typed=False,
        notes=tuple(notes),
        decimal_comma=comma,
        row_word="line",
        row_offset=start.skip + (2 if header else 1),
        separator=separator,
        headless=not header,
    )
    return DuckGrid(about, names, connection, rows)


def _kind(separator: str) -> str:
    if separator == ",":
        return "CSV"
    return "TSV" if separator == "\t" else f"CSV, separator: {SEPARATORS.get(separator, separator)}"


def column_names(raw: Sequence[object]) -> tuple[tuple[str, ...], list[Note]]:
    """Trimmed, distinct column names; a nameless column is called by its place."""
    names: list[str] = []
    repeated = []
    for place, cell in enumerate(raw, 1):
        name = str(cell if cell is not None else "").strip(WHITE) or (
            "" if place == 1 else f"column {place}"
        )
        if name in names:
            repeated.append(name)
            number = 2
            while f"{name} ({number})" in names:
                number += 1
            name = f"{name} ({number})"
        names.append(name)
    if not repeated:
        return tuple(names), []
    shown = ", ".join(dict.fromkeys(repeated))
    message = (
        f"several columns have the same name ({shown}); the later ones are called "
        f"{repeated[0]!r} with (2), (3), … behind it"
    )
    return tuple(names), [Note("duplicate_columns", message, "warning")]


def title_note(titles: Sequence[str], what: str) -> Note:
    """What is said of lines above the header."""
    shown = "; ".join(t if len(t) <= 40 else t[:39] + "…" for t in titles[:5])
    more = f"; and {len(titles) - 5} more" if len(titles) > 5 else ""
    return Note("title_rows", f"lines above the {what} left out: {shown}{more}", "warning")


@contextmanager
def _utf8(path: Path, encoding: str) -> Iterator[Path]:
    """The file itself if DuckDB reads its encoding, else a temporary copy in UTF-8."""
    if encoding.lower().replace("_", "-") in ("utf-8", "utf-8-sig", "utf8", "ascii"):
        yield path
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = Path(folder) / "utf-8.csv"
        with path.open("rb") as source, copy.open("w", encoding="utf-8", newline="") as target:
            position, mark = 0, "\ufeff"
            while chunk := source.read(1 << 20):
                try:
                    text = decoder.decode(chunk)
                except UnicodeDecodeError as error:
                    at = position + error.start
                    byte = error.object[error.start : error.start + 1]
                    raise not_decodable(path, encoding, at, byte) from None
                target.write(text.removeprefix(mark))
                position, mark = position + len(chunk), ""
            try:
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                raise not_decodable(path, encoding, position, b"") from None
        yield copy


def scan(
    paths: Sequence[Path],
    separator: str,
    width: int,
    header: bool,
    skip: int = 0,
    quote: str = '"',
) -> str:
    """The query that reads text files as columns c0, c1, …, without its closing bracket."""
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(width))
    # DuckDB takes a path as a pattern; brackets keep special characters literal.
    literals = ", ".join(quoted(re.sub(r"([*?\[])", r"[\1]", str(path))) for path in paths)
    return (
        f"SELECT * FROM read_csv([{literals}], "
        f"delim={quoted(separator)}, quote={quoted(quote)}, escape={quoted(quote)}, "
        f"header={str(header).lower()}, skip={skip}, "
        f"auto_detect=false, columns={{{columns}}}, nullstr=''"
    )


def _load(
    connection: Any,
    path: Path,
    readable: Path,
    separator: str,
    width: int,
    header: bool,
    skip: int = 0,
    quote: str = '"',
) -> None:
    import duckdb

    query = f"CREATE TEMP TABLE cells AS {scan([readable], separator, width, header, skip, quote)}"
    try:
        try:
            connection.execute(f"{query})")
        except duckdb.Error as error:
            if "maximum line size" not in str(error).lower():
                raise
            # Large buffers slow small files down, so they are used only where needed.
            connection.execute(f"{query}, max_line_size=100000000)")
    except duckdb.Error as error:
        if not re.search(f"{UNCLOSED}|{BROKEN}", str(error), re.IGNORECASE):
            raise explained(path, str(error), separator) from None
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            copy = Path(folder) / "lines.csv"
            if not _same_ends(readable, copy, separator, quote):
                raise explained(path, str(error), separator) from None
            _load(connection, path, copy, separator, width, header, skip, quote)


def _same_ends(source: Path, target: Path, separator: str, quote: str) -> bool:
    """Copy a file with a newline behind every line; False if all its lines end so already.

    Quoted fields are copied as they are; a quote begins one only where a field begins.
    """
    edge = re.escape(separator.encode()[-1:])
    field = b"(?:\\A\xef\xbb\xbf|(?<![^\r\n" + edge + b']))"[^"]*(?:""[^"]*)*"|'
    ends = re.compile((field if quote else b"") + b"(\r\n?)")
    start = 0
    with (
        source.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text,
        target.open("wb") as copy,
    ):
        for found in ends.finditer(text):
            if found[1]:
                copy.write(text[start : found.start()] + b"\n")
                start = found.end()
        copy.write(text[start:])
    return start > 0


def explained(path: Path, message: str, separator: str) -> ReadingError:
    """What an error of DuckDB says of a text file."""
    line = re.search(r"on Line: (\d+)", message)
    where = f"{path}, line {line[1]}" if line else str(path)
    if "unicode" in message.lower():
        position, byte = _first_bad_byte(path)
        return not_decodable(path, "utf-8", position, byte)
    fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if fields:
        name = SEPARATORS.get(separator, repr(separator))
        return ReadingError(
            f"{where}: {fields[2]} fields where the header has {fields[1]} (separator: {name}). A "
            'field that contains the separator has to stand in double quotes ("…"); another '
            "separator is set by --delimiter.",
            code="ragged",
        )
    if UNCLOSED in message.lower():
        return ReadingError(
            f'{where}: a field begins with a double quote (") that is not closed; close it, or '
            'write a quote inside a quoted field twice ("").',
            code="quotes",
        )
    if BROKEN in message.lower():
        return ReadingError(
            f"{where}: some lines end in CR LF and others in LF; write the file anew with one of "
            "both (dos2unix does)."
        )
    return ReadingError(f"{where}: not readable as separated text: {message.splitlines()[0]}")


def _first_bad_byte(path: Path) -> tuple[int, bytes]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    position = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            held = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                return position - held + error.start, error.object[error.start : error.start + 1]
            position += len(chunk)
    return position, b""
