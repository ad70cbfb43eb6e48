"""Open a file by what it contains, never by its name alone."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ReadingError, UsageError, one_of
from assay.ratings.sources.grid import Grid
from assay.ratings.sources.sniff import read_sample

FORMATS = ("csv", "tsv", "jsonl", "json", "parquet", "excel", "folder")
OLE = bytes.fromhex("d0cf11e0a1b11ae1")


def find_format(path: Path, encoding: str | None = None) -> str:
    """The kind of a file by its first bytes: text, jsonl, json, parquet or excel."""
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(OLE):
        return "excel"
    if head.startswith(b"PK\x03\x04"):
        return "excel"
    if head.startswith(b"\x1f\x8b"):
        raise ReadingError(f"{path}: compressed with gzip; decompress it first (gunzip).")
    text = read_sample(path, encoding).text.lstrip()
    if text.startswith("{"):
        first = text.partition("\n")[0].strip()
        try:
            json.loads(first)
        except RecursionError:
            return "json"
        except json.JSONDecodeError:
            # A record over several lines, or a first line that is damaged.
            return "jsonl" if len(first) > 1 and '":' in first and "\n{" in text else "json"
        return "jsonl" if "\n" in text.strip() or not _nested(first) else "json"
    if text.startswith("["):
        return "json"
    return "text"


def _nested(line: str) -> bool:
    content = json.loads(line)
    return all(isinstance(v, (dict, list)) for v in content.values())


def open_file(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
    item: str | None = None,
    label: str | None = None,
    header: bool | None = None,
) -> Grid:
    """Open a file or a folder as a grid.

    Raises
    ------
    ReadingError
        If it does not exist or cannot be read.
    """
    if format is not None:
        one_of(format, FORMATS, "format")
    if not path.exists():
        near = ""
        if path.parent.is_dir():
            import difflib

            names = [p.name for p in path.parent.iterdir()]
            close = difflib.get_close_matches(path.name, names, n=1)
            near = f" Did you mean {close[0]}?" if close else ""
        raise ReadingError(f"{path}: there is no such file.{near}", code="no_such_file")
    if not path.is_file() and not path.is_dir():
        return _copied(
            path,
            format=format,
            encoding=encoding,
            delimiter=delimiter,
            decimal=decimal,
            sheet=sheet,
            item=item,
            label=label,
            header=header,
        )
    try:
        if path.is_dir():
            from assay.ratings.sources.folder import read_folder

            def inner(file: Path) -> Grid:
                return open_file(
                    file,
                    encoding=encoding,
                    delimiter=delimiter,
                    decimal=decimal,
                    sheet=sheet,
                    header=header,
                )

            return read_folder(path, inner, item=item, label=label, encoding=encoding)
        kind = format or find_format(path, encoding)
        if kind == "folder":
            raise ReadingError(f"{path}: not a folder.")
        if kind != "excel" and sheet is not None:
            raise UsageError("sheet: only spreadsheets have sheets.")
        if kind == "parquet":
            from assay.ratings.sources.parquet import read_parquet

            return read_parquet(path)
        if kind == "excel":
            from assay.ratings.sources.excel import read_excel

            return read_excel(path, sheet=sheet, header=header is not False)
        if kind == "jsonl":
            from assay.ratings.sources.records import read_json_lines

            return read_json_lines(path, encoding=encoding)
        if kind == "json":
            from assay.ratings.sources.records import read_json

            return read_json(path, encoding=encoding)
        from assay.ratings.sources.text import read_text

        return read_text(
            path,
            encoding=encoding,
            delimiter=delimiter or ("\t" if kind == "tsv" else None),
            decimal=decimal,
            header=header is not False,
        )
    except PermissionError:
        raise ReadingError(f"{path}: no permission to read it.") from None


def _copied(path: Path, **options: Any) -> Grid:
    """A grid over a pipe, which is read once: through a copy that goes when it is read."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = Path(folder) / "pipe"
        try:
            with path.open("rb") as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target)
        except OSError as error:
            raise ReadingError(f"{path}: not readable: {error.strerror}.") from None
        try:
            grid: Any = open_file(copy, **options)
        except AssayError as error:
            error.args = tuple(str(arg).replace(str(copy), str(path)) for arg in error.args)
            raise
        made: Grid = replace(grid, about=replace(grid.about, source=str(path)))
        return made
