"""Spreadsheets (xlsx, xls, xlsb, ods) through calamine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import MissingExtra, ReadingError, one_of
from assay.ratings.model import Note
from assay.ratings.sources.grid import WHITE, About, ColumnGrid, Plan
from assay.ratings.sources.sniff import HEADS
from assay.ratings.sources.text import column_names, title_note
from assay.ratings.sources.xlsx import error_cells
from assay.ratings.words import ERROR_CELLS, squash

Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its rows from the header on, and what was done to them."""

    rows: Rows
    first: int
    """The number of the header's row."""
    titles: tuple[str, ...] = ()
    merged: int = 0
    errors: tuple[str, ...] = ()


def read_excel(path: Path, *, sheet: str | int | None = None, header: bool = True) -> ColumnGrid:
    """Read one sheet, or one rater a sheet where several have the same two columns."""
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
    broken = error_cells(path)
    sheets = {n: _sheet(book.get_sheet_by_name(n), broken.get(n, ()), header) for n in names}
    filled = {n: s for n, s in sheets.items() if len(s.rows) > (1 if header else 0)}
    if not filled:
        raise ReadingError(f"{path}: no sheet has a header and rows.")
    heads: dict[tuple[str, ...], list[str]] = {}
    for name, found in filled.items():
        heads.setdefault(tuple(map(str, found.rows[0])), []).append(name)
    alike = max(heads.items(), key=lambda pair: len(pair[1]))
    if header and len(alike[0]) == 2 and len(alike[1]) > 1:
        left = [n for n in sheets if n not in alike[1]]
        return _rater_a_sheet(path, {n: filled[n] for n in alike[1]}, left)
    first = next(iter(filled))
    taken = filled[first]
    notes = [Note("format", "read as a spreadsheet")]
    if len(sheets) > 1:
        others = ", ".join(n for n in sheets if n != first)
        notes.append(Note("sheet", f"sheet: {first}; not read: {others} (--sheet names another)"))
    notes += _said({first: taken})
    width = len(taken.rows[0])
    raw = taken.rows[0] if header else [f"column {k + 1}" for k in range(width)]
    head, more = column_names(raw)
    body = taken.rows[1:] if header else taken.rows
    about = About(
        source=str(path),
        format="excel",
        notes=(*notes, *more),
        row_offset=taken.first + (1 if header else 0),
        numbers_as_text=True,
        headless=not header,
    )
    columns = tuple([row[k] for row in body] for k in range(len(head)))
    return ColumnGrid(about, head, columns, len(body))


def _sheet(sheet: Any, broken: tuple[str, ...], header: bool) -> Sheet:
    """A sheet's rows: merged cells filled, errors and titles taken out."""
    rows: Rows = sheet.to_python(skip_empty_area=True)
    top, left = sheet.start or (0, 0)
    merged = 0
    for (r0, c0), (r1, c1) in getattr(sheet, "merged_cell_ranges", None) or ():
        if r0 < top or c0 < left or r0 - top >= len(rows) or c0 - left >= len(rows[r0 - top]):
            continue
        value = rows[r0 - top][c0 - left]
        if value == "":
            continue
        # A cell that was merged across holds one value; only one that was merged down repeats it.
        for r in range(r0 - top, min(r1 - top + 1, len(rows))):
            if r > r0 - top:
                for c in range(c0 - left, min(c1 - left + 1, len(rows[r]))):
                    rows[r][c] = value
                    merged += 1
    errors = list(broken)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if isinstance(cell, str) and cell.strip().lower() in ERROR_CELLS:
                row[c] = ""
                errors.append(f"row {r + top + 1}, column {c + left + 1}")
    rows = _trimmed(rows)
    skip, titles = _titles(rows) if header else (0, ())
    return Sheet(_trimmed(rows[skip:]), top + skip + 1, titles, merged, tuple(errors))


def _titles(rows: Rows) -> tuple[int, tuple[str, ...]]:
    """How many rows stand above the header, and what they say."""
    titles: list[str] = []
    for place, row in enumerate(rows):
        filled = [c for c in row if c is not None]
        if len(filled) > 1 or (filled and squash(filled[0]) in HEADS):
            return place, tuple(titles)
        titles += [str(c) for c in filled]
    return 0, ()


def _said(sheets: dict[str, Sheet]) -> list[Note]:
    """What was done to the cells of the sheets."""
    notes = []
    titles = [t for s in sheets.values() for t in s.titles]
    if titles:
        notes.append(title_note(titles, "header"))
    merged = sum(s.merged for s in sheets.values())
    if merged:
        message = f"cells merged with the one above hold its value: {merged:,}"
        notes.append(Note("merged_cells", message))
    errors = [
        place if len(sheets) == 1 else f"{name} {place}"
        for name, s in sheets.items()
        for place in s.errors
    ]
    if errors:
        shown = ", ".join(errors[:5]) + (", …" if len(errors) > 5 else "")
        message = (
            f"cells with an error such as #N/A, taken as empty: {len(errors):,} ({shown}); mend "
            "their formulas, or clear them"
        )
        notes.append(Note("error_cells", message, "warning"))
    return notes


def _trimmed(rows: Rows) -> Rows:
    """Empty cells as None, without empty rows and columns at the end."""
    tidy = [[None if isinstance(c, str) and not c.strip(WHITE) else c for c in row] for row in rows]
    while tidy and all(c is None for c in tidy[-1]):
        tidy.pop()
    width = max((k + 1 for row in tidy for k, c in enumerate(row) if c is not None), default=0)
    return [(row + [None] * width)[:width] for row in tidy]


def _rater_a_sheet(path: Path, sheets: dict[str, Sheet], left: list[str]) -> ColumnGrid:
    header, more = column_names(next(iter(sheets.values())).rows[0])
    item, label = header
    items, raters, labels = [], [], []
    for rater, sheet in sheets.items():
        for row in sheet.rows[1:]:
            items.append(row[0])
            raters.append(rater)
            labels.append(row[1])
    said = f"one rater a sheet: {', '.join(sheets)} (item: {item}; label: {label})"
    if left:
        said += f"; not read: {', '.join(left)}"
    note = Note("sheets", said, "warning" if left else "info")
    about = About(
        source=str(path),
        format="excel",
        notes=(Note("format", "read as a spreadsheet"), *_said(sheets), *more, note),
        numbers_as_text=True,
        plan=Plan("long", ("item",), "rater", "label"),
    )
    return ColumnGrid(about, ("item", "rater", "label"), (items, raters, labels), len(items))
