"""A contingency table among the layouts: the same labels in rows and columns, and totals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.errors import ReadingError
from assay.ratings.categories import label_text
from assay.ratings.columns import Column
from assay.ratings.model import Note
from assay.ratings.numerals import comma_note, decided, has_comma, without_groups
from assay.ratings.sources.grid import Grid, Plan
from assay.ratings.words import GROUPS, TOTAL_NAMES, squash

Number = float | int | None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a contingency table holds: its labels, and which totals were told by their sums.

    ``wrong`` says why a row or column called total is none; then there is no table.
    """

    labels: tuple[str, ...]
    totals: tuple[str, ...] = ()
    wrong: str = ""


def table_shape(columns: Sequence[Column]) -> Shape | None:
    """The shape of a table whose rows and columns hold the same labels, else None.

    Totals stand at the end. They are told by arithmetic, not by their name: they are the sums.
    """
    if len(columns) < 3:
        return None
    rows = ["" if v is None else label_text(v) for v in columns[0].cells]
    heads = [c.name for c in columns[1:]]
    if len(set(rows)) < len(rows):
        return None
    inner = columns[1:]
    filled = [(c, n) for col in inner for c, n in zip(col.cells, col.numbers, strict=True)]
    if any(c is not None and (n is None or n < 0) for c, n in filled):
        return None
    cells = [[col.numbers[i] for col in inner] for i in range(len(rows))]
    across = _bad_row(cells)
    down = _bad_row([list(line) for line in zip(*cells, strict=True)])
    if sorted(rows) == sorted(heads):
        both = across is None and down is None and rows[-1] == heads[-1]
        if both and len(rows) > 2:
            return Shape(tuple(heads[:-1]), (f"row {rows[-1]}", f"column {heads[-1]}"))
        return Shape(tuple(heads)) if len(rows) > 1 else None
    extra_row = rows[-1] if rows[-1] not in heads else None
    extra_column = heads[-1] if heads[-1] not in rows else None
    left = rows[:-1] if extra_row is not None else rows
    top = heads[:-1] if extra_column is not None else heads
    if len(left) < 2 or sorted(left) != sorted(top):
        return None
    totals, wrong = [], ""
    # A column of totals is judged on the rows of labels, and the reverse; the corner on both.
    for what, extra, part in (
        ("row", extra_row, [list(line)[: len(rows)] for line in zip(*cells, strict=True)]),
        ("column", extra_column, cells),
    ):
        if extra is None:
            continue
        n = len(top) if what == "row" else len(left)
        bad = _bad_row(part[:n])
        if bad is None:
            totals.append(f"{what} {extra or '(no name)'}")
        elif squash(extra) in TOTAL_NAMES:
            other = (top if what == "row" else left)[bad]
            wrong = (
                f"the {what} {extra} does not hold the sums: at {other} it says "
                f"{_shown(part[bad][-1])}, and the cells add up to "
                f"{_shown(sum(v or 0 for v in part[bad][:-1]))}"
            )
        else:
            return None
    return Shape(tuple(top), tuple(totals), wrong)


def _shown(value: Number) -> str:
    return "nothing" if value is None else label_text(value)


def _bad_row(lines: Sequence[Sequence[Number]]) -> int | None:
    """The first line whose last cell is not the sum of the others; None if all are."""
    seen = False
    for place, line in enumerate(lines):
        *parts, last = line
        if last is None:
            continue
        seen = True
        total = sum(v or 0 for v in parts)
        if abs(total - last) > 1e-9 * max(1.0, abs(total)):
            return place
    return None if seen else 0


def table_plan(grid: Grid, plan: Plan, columns: Sequence[Column]) -> Plan:
    """Which rows and columns of a contingency table are its labels."""
    shape = table_shape(columns)
    if shape is None or shape.wrong:
        rows = ["" if v is None else label_text(v) for v in columns[0].cells]
        why = shape.wrong if shape else ""
        raise ReadingError(
            f"{grid.about.source}: not a contingency table: "
            + (
                f"{why}. If it is a label, it has to stand in rows and columns; else take the "
                f"totals out."
                if why
                else f"its first column holds {_few(rows)} and its first row "
                f"{_few([c.name for c in columns[1:]])}; both have to hold the same labels, and "
                "the cells numbers, 0 or more."
            ),
            code="not_a_table",
        )
    notes = list(plan.notes)
    if shape.totals:
        what = " and ".join(shape.totals)
        message = f"totals left out, told by their sums: {what}"
        notes.append(Note("totals_left_out", message, "warning"))
    note = Note("columns", f"rows: {columns[0].name or 'first rater'}; columns: second rater")
    return Plan("table", columns=shape.labels, notes=(*notes, note))


def _few(names: Sequence[str], limit: int = 8) -> str:
    shown = [n or "(no name)" for n in names]
    return ", ".join(shown[:limit]) + (", …" if len(shown) > limit else "")


def table_cells(grid: Grid, labels: Sequence[str]) -> tuple[list[list[Fraction]], list[Note]]:
    """The cells of a contingency table in the order of its labels, as exact fractions."""
    rows = grid.head(grid.n_rows)
    first = ["" if r[0] is None else label_text(r[0]).strip() for r in rows]
    picked: list[list[Any]] = []
    for head in labels:
        row = rows[first.index(head)]
        picked.append([row[grid.names.index(name)] for name in labels])
        for name, raw in zip(labels, picked[-1], strict=True):
            if raw is None or not str(raw).strip():
                raise ReadingError(
                    f"{grid.about.source}, {grid.about.place(first.index(head))}, column {name}: "
                    f"the cell {head} × {name} of the contingency table is empty. Write 0 if no "
                    "item fell there; a table with a cell that is not known cannot be used. For "
                    "labels of raters instead of counts: --layout wide.",
                    code="empty_cell",
                )
    texts = [raw.strip() for row in picked for raw in row if isinstance(raw, str)]
    about = grid.about
    comma = decided(texts, about.decimal_comma, about.separator, about.source)
    notes = []
    if comma and any(map(has_comma, texts)):
        said, level = comma_note(texts)
        notes.append(Note("decimal_comma", said, level))
    return [[_fraction(raw, comma) for raw in row] for row in picked], notes


def _fraction(raw: Any, comma: bool) -> Fraction:
    if not isinstance(raw, str):
        return Fraction(str(raw))
    text = without_groups(raw.strip(), comma=comma).replace("−", "-")
    if comma and (GROUPS.fullmatch(text) or "," in text):
        text = text.replace(".", "").replace(",", ".")
    return Fraction(text)
