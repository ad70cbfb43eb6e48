"""Spreadsheets (xlsx, xls, xlsb, ods) through calamine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.errors import MissingExtra, ReadingError, one_of
from assay.ratings.model import Note
from assay.ratings.sources.grid import WHITE, About, ColumnGrid, Plan
from assay.ratings.sources.text import column_names

Rows = list[list[Any]]


def read_excel(path: Path, *, sheet: str | int | None = None) -> ColumnGrid:
    """Read one sheet, or one rater a sheet where all have the same two columns."""
    try:
        import python_calamine
    except ImportError:
        raise MissingExtra(
            "Excel files need python-calamine: pip install python-calamine"
        ) from None
    try:
        book = python_calamine.CalamineWorkbook.from_path(path)
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise ReadingError(f"{path}: not readable as a spreadsheet: {error}") from None
    names = list(book.sheet_names)
    if isinstance(sheet, int) and not isinstance(sheet, bool):
        if not 1 <= sheet <= len(names):
            raise ReadingError(f"{path}: sheet {sheet} of {len(names)}; sheets count from 1.")
        sheet = names[sheet - 1]
    if sheet is not None:
        names = [one_of(sheet, names, "sheet")]
    sheets = {n: _trimmed(book.get_sheet_by_name(n).to_python(skip_empty_area=True)) for n in names}
    filled = {n: rows for n, rows in sheets.items() if len(rows) > 1}
    if not filled:
        raise ReadingError(f"{path}: no sheet has a header and rows.")
    heads = {tuple(map(str, rows[0])) for rows in filled.values()}
    first = next(iter(filled))
    if len(filled) > 1 and len(heads) == 1 and len(next(iter(heads))) == 2:
        return _rater_a_sheet(path, filled)
    notes = [Note("format", "read as a spreadsheet")]
    if len(sheets) > 1:
        others = ", ".join(n for n in sheets if n != first)
        notes.append(Note("sheet", f"sheet: {first}; not read: {others} (--sheet names another)"))
    header, more = column_names(filled[first][0])
    body = filled[first][1:]
    about = About(
        source=str(path),
        format="excel",
        notes=(*notes, *more),
        row_offset=2,
        numbers_as_text=True,
    )
    columns = tuple([row[k] for row in body] for k in range(len(header)))
    return ColumnGrid(about, header, columns, len(body))


def _trimmed(rows: Rows) -> Rows:
    """Empty cells as None, without empty rows and columns at the end."""
    tidy = [[None if isinstance(c, str) and not c.strip(WHITE) else c for c in row] for row in rows]
    while tidy and all(c is None for c in tidy[-1]):
        tidy.pop()
    width = max((k + 1 for row in tidy for k, c in enumerate(row) if c is not None), default=0)
    return [(row + [None] * width)[:width] for row in tidy]


def _rater_a_sheet(path: Path, sheets: dict[str, Rows]) -> ColumnGrid:
    header, more = column_names(next(iter(sheets.values()))[0])
    item, label = header
    items, raters, labels = [], [], []
    for rater, rows in sheets.items():
        for row in rows[1:]:
            items.append(row[0])
            raters.append(rater)
            labels.append(row[1])
    note = Note("sheets", f"one rater a sheet: {', '.join(sheets)} (item: {item}; label: {label})")
    about = About(
        source=str(path),
        format="excel",
        notes=(Note("format", "read as a spreadsheet"), *more, note),
        numbers_as_text=True,
        plan=Plan("long", ("item",), "rater", "label"),
    )
    return ColumnGrid(about, ("item", "rater", "label"), (items, raters, labels), len(items))
