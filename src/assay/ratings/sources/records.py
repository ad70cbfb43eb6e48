"""JSON: one record a line, or one list of records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import ReadingError
from assay.ratings.model import Note
from assay.ratings.sources.grid import About, ColumnGrid
from assay.ratings.sources.memory import mapping_grid, record_grid
from assay.ratings.sources.sniff import not_decodable, read_sample


def read_json_lines(path: Path, *, encoding: str | None = None) -> ColumnGrid:
    """Read JSON lines; the grid's rows are the lines."""
    found = read_sample(path, encoding).encoding
    records: list[Mapping[str, Any]] = []
    numbers: list[int] = []
    try:
        with path.open(encoding=found) as file:
            for number, line in enumerate(file, 1):
                text = line.strip().removeprefix("\ufeff")
                if not text:
                    continue
                records.append(_record(text, f"{path}, line {number}"))
                numbers.append(number)
    except UnicodeDecodeError as error:
        byte = error.object[error.start : error.start + 1]
        raise not_decodable(path, found, error.start, byte) from None
    return _grid(
        path,
        records,
        "JSON lines",
        "line" if numbers == list(range(1, len(numbers) + 1)) else "record",
    )


def _record(text: str, where: str) -> Mapping[str, Any]:
    try:
        record = json.loads(text)
    except RecursionError:
        raise _too_deep(where) from None
    except json.JSONDecodeError as error:
        shown = text if len(text) <= 60 else text[:57] + "…"
        raise ReadingError(
            f"{where}: not JSON ({error.msg} at column {error.colno}): {shown}. Each line has to "
            'be one record such as {"item": "q1", "rater": "ana", "label": "yes"}.',
            code="malformed_record",
        ) from None
    return _mapping(record, where)


def _too_deep(where: str) -> ReadingError:
    return ReadingError(
        f"{where}: lists or records are nested too deeply to be ratings; a list of flat records "
        "is needed, with fields for item, rater and label.",
        code="nested",
    )


def _mapping(record: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(record, dict):
        raise ReadingError(
            f"{where}: {type(record).__name__} found; a record with fields for item, rater "
            "and label is needed.",
            code="malformed_record",
        )
    return record


def read_json(path: Path, *, encoding: str | None = None) -> ColumnGrid:
    """Read a JSON file: a list of records, or rater → {item: label}."""
    found = read_sample(path, encoding).encoding
    try:
        content = json.loads(path.read_text(encoding=found).removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        byte = error.object[error.start : error.start + 1]
        raise not_decodable(path, found, error.start, byte) from None
    except RecursionError:
        raise _too_deep(str(path)) from None
    except json.JSONDecodeError as error:
        raise ReadingError(
            f"{path}, line {error.lineno}, column {error.colno}: not JSON ({error.msg}).",
            code="malformed_record",
        ) from None
    if isinstance(content, dict):
        if not content:
            raise ReadingError(
                f"{path}: an empty record ({{}}); a list of records, rater → {{item: label}}, or "
                "column name → cells is needed."
            )
        try:
            grid = mapping_grid(content)
        except ReadingError as error:
            raise ReadingError(f"{path}: {error}", code=error.code) from None
        about = About(source=str(path), format="json", plan=grid.about.plan)
        about = replace(about, notes=(*_note("JSON"), *grid.about.notes))
        return ColumnGrid(about, grid.names, grid.columns, grid.n_rows)
    if not isinstance(content, list):
        raise ReadingError(f"{path}: a list of records is needed, not a {type(content).__name__}.")
    records = [_mapping(r, f"{path}, record {k}") for k, r in enumerate(content, 1)]
    return _grid(path, records, "JSON", "record")


def _note(kind: str) -> tuple[Note, ...]:
    return (Note("format", f"read as {kind}"),)


def _grid(path: Path, records: list[Mapping[str, Any]], kind: str, word: str) -> ColumnGrid:
    if not records:
        raise ReadingError(f"{path}: no records.")
    if not any(records):
        raise ReadingError(f"{path}: the records are empty; fields for item, rater and label.")
    about = About(source=str(path), format="json", notes=_note(kind), row_word=word, row_offset=1)
    return record_grid(records, about)
