"""Find which layout a table has, and which column plays which part.

Only names and the first rows are looked at. Where two layouts fit, nothing is guessed: an
:class:`~assay.errors.AmbiguousLayout` names them. What was found is said in notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import AmbiguousLayout, ReadingError, UsageError, one_of
from assay.ratings.categories import Label, label_text
from assay.ratings.columns import Column, columns_of, counts_fit, table_shape
from assay.ratings.labels import to_number
from assay.ratings.model import LAYOUTS, Note
from assay.ratings.sources.grid import Grid, Plan
from assay.ratings.words import (
    ASIDE_NAMES,
    ITEM_COLUMN,
    ITEM_NAMES,
    LABEL_NAMES,
    RATER_COLUMN,
    RATER_NAMES,
    WEAK_RATER_NAMES,
    squash,
)


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What the caller said about the layout; names are column names."""

    layout: str | None = None
    item: str | Sequence[str] | None = None
    rater: str | None = None
    label: str | None = None
    by: str | Sequence[str] | None = None
    frequency: str | None = None
    categories: tuple[Label, ...] | None = None


def find_plan(grid: Grid, options: LayoutOptions) -> Plan:
    """Decide the layout and the part of each column.

    Raises
    ------
    AmbiguousLayout
        If two layouts fit; ``options`` of the error names them.
    ReadingError
        If no layout fits, or a part has no column.
    """
    if options.layout is not None:
        one_of(options.layout, LAYOUTS, "layout")
    columns = columns_of(grid)
    by = _chosen(grid, options.by, "by")
    item = _chosen(grid, options.item, "item")
    rater = _one(grid, options.rater, "rater")
    label = _one(grid, options.label, "label")
    frequency = _one(grid, options.frequency, "frequency")
    taken = [*item, *by, *(c for c in (rater, label, frequency) if c is not None)]
    twice = [c for c in taken if taken.count(c) > 1]
    if twice:
        raise UsageError(f"column {twice[0]!r} is named for two parts; a column plays one.")
    if len(columns) == 1:
        raise ReadingError(
            f"{grid.about.source}: one column only ({grid.names[0]!r}); ratings need an item, a "
            "rater and a label, or a column a rater. If the columns are not split, give the "
            "separator with --delimiter."
        )
    start = Plan(options.layout or "", item, rater, label, (), by, frequency)
    free = [c for c in columns if c.name not in taken]
    layout = options.layout
    if layout is None:
        layout = _layout(grid, start, columns, free, options)
    notes = []
    if options.layout is None:
        notes.append(Note("layout", f"layout: {layout}"))
    plan = replace(start, layout=layout, notes=tuple(notes))
    if layout == "long":
        return _long(grid, plan, free)
    if layout == "table":
        return _table(grid, plan, columns)
    return _wide(grid, plan, columns, free)


def _chosen(grid: Grid, given: str | Sequence[str] | None, what: str) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        given = [given] if given in grid.names or "," not in given else given.split(",")
    return tuple(_one(grid, name, what) or "" for name in given)


def _one(grid: Grid, given: str | None, what: str) -> str | None:
    if given is None:
        return None
    name = str(given)
    if name not in grid.names:
        alike = [n for n in grid.names if squash(n) == squash(name)]
        if len(alike) == 1:
            return alike[0]
    return one_of(name, grid.names, what)


def _layout(
    grid: Grid, start: Plan, columns: list[Column], free: list[Column], options: LayoutOptions
) -> str:
    """The one layout that fits."""
    if start.rater or start.label:
        return "long"
    if start.frequency:
        return "wide"
    if _is_long(start, free):
        return "long"
    table = not start.item and not start.by and table_shape(columns) is not None
    item = _item_column(start, columns, free)
    rest = [c for c in free if c is not item and not _aside(c)]
    _refuse_transposed(grid, item, rest)
    counts = len(rest) > 1 and all(c.countable for c in rest) and counts_fit(rest)
    if counts and options.categories is not None:
        declared = {label_text(x) for x in options.categories}
        if {c.name for c in rest} <= declared:
            return "counts"
    # Names such as annotator_1 say that a column is a rater; counts do not fit then.
    named = bool(rest) and all(RATER_COLUMN.fullmatch(c.name) for c in rest)
    fits = [
        name
        for name, fit in (
            ("wide", len(rest) > 0),
            ("counts", counts and not named),
            ("table", table),
        )
        if fit
    ]
    if table and not _numbered(columns):
        return "table"
    if len(fits) > 1:
        raise AmbiguousLayout(_both_fit(grid, fits, rest), options=fits)
    if not fits:
        raise ReadingError(
            f"{grid.about.source}: no layout fits the columns {_names(c.name for c in columns)}. "
            "Name the parts with --item, --rater and --label, or the layout with --layout.",
            code="no_layout",
        )
    return fits[0]


def _numbered(columns: list[Column]) -> bool:
    """Whether the labels of a table may as well be the numbers of items."""
    first = columns[0]
    if squash(first.name) in ITEM_NAMES:
        return first.numeric
    return first.name == "" and list(first.numbers) == list(range(len(first.numbers)))


def _both_fit(grid: Grid, fits: Sequence[str], rest: Sequence[Column]) -> str:
    meaning = {
        "wide": "wide (one column a rater; cells are labels)",
        "counts": "counts (one column a label; cells are how many raters gave it)",
        "table": "table (two raters; rows and columns are labels)",
    }
    ways = [f"--layout {name}" for name in fits]
    return (
        f"{grid.about.source}: the columns {_names(c.name for c in rest)} hold whole numbers, so "
        f"more than one layout fits: {'; '.join(meaning[f] for f in fits)}. Say which: "
        f"{' or '.join(ways)} (layout={fits[0]!r} in Python)."
    )


def _names(names: Any, limit: int = 8) -> str:
    shown = [n or "(no name)" for n in names]
    return ", ".join(shown[:limit]) + (", …" if len(shown) > limit else "")


def _is_long(start: Plan, free: list[Column]) -> bool:
    raters = [c for c in free if squash(c.name) in RATER_NAMES]
    items = [c for c in free if squash(c.name) in ITEM_NAMES]
    if not raters or not (items or start.item):
        return False
    if all(squash(c.name) in WEAK_RATER_NAMES for c in raters):
        labels = [c for c in free if squash(c.name) in LABEL_NAMES]
        return bool(labels) and (not items or items[0].repeats or len(free) == 3)
    return True


def _item_column(start: Plan, columns: list[Column], free: list[Column]) -> Column | None:
    """The item column of a wide or counts table."""
    if start.item:
        return next(c for c in columns if c.name == start.item[0])
    if not free:
        return None
    first = free[0]
    if first.name == "" or squash(first.name) in ITEM_NAMES:
        return first
    own = {str(v) for v in first.filled}
    others = {str(v) for c in free[1:] for v in c.filled}
    # A first column that repeats the others' labels, or holds nothing else, is a rater.
    labels = (first.repeats and own & others) or own <= others
    by_name = RATER_COLUMN.fullmatch(first.name) and squash(first.name) not in RATER_NAMES
    if not first.numeric and len(free) > 1 and not labels and not by_name:
        return first
    named = [c for c in free[1:] if squash(c.name) in ITEM_NAMES and not c.repeats]
    return named[0] if len(named) == 1 else None


def _aside(column: Column) -> bool:
    return squash(column.name) in ASIDE_NAMES or column.free_text or not column.filled


def _refuse_transposed(grid: Grid, item: Column | None, rest: list[Column]) -> None:
    if item is None or len(rest) < 2:
        return
    of_raters = squash(item.name) in RATER_NAMES or (
        bool(item.filled) and all(RATER_COLUMN.fullmatch(str(v)) for v in item.filled)
    )
    of_items = all(ITEM_COLUMN.fullmatch(c.name) or to_number(c.name) is not None for c in rest)
    if of_raters and (of_items or len(rest) > len(item.cells)):
        raise ReadingError(
            f"{grid.about.source}: the table looks transposed: the rows are raters "
            f"({_names(str(v) for v in item.filled)}) and the columns items "
            f"({_names(c.name for c in rest)}). To read it so: --layout wide --rater "
            f"{item.name or '(name the first column)'}; or transpose the file.",
            code="transposed_table",
        )


def _long(grid: Grid, plan: Plan, free: list[Column]) -> Plan:
    if plan.frequency:
        raise UsageError(
            "frequency: only a wide table has a frequency column (a row of labels standing for "
            "many items)."
        )
    names = [c.name for c in free]
    item, rater, label = plan.item, plan.rater, plan.label
    if not item:
        item = (_by_name(grid, names, ITEM_NAMES, "item"),)
        names.remove(item[0])
    if rater is None:
        rater = _by_name(grid, names, RATER_NAMES, "rater")
        names.remove(rater)
    if label is None:
        known = [n for n in names if squash(n) in LABEL_NAMES]
        left = [c.name for c in free if c.name in names and not _aside(c)]
        if len(known) == 1:
            label = known[0]
        elif len(left) == 1:
            label = left[0]
        else:
            raise ReadingError(
                f"{grid.about.source}: a long table (item: {', '.join(item)}; rater: {rater}), but "
                f"which column holds the label? Candidates: {_names(known or left or names)}. "
                "Name it with --label.",
                code="no_label_column",
            )
        names.remove(label)
    parts = f"item: {', '.join(item)}; rater: {rater}; label: {label}"
    notes = [*plan.notes, Note("columns", f"columns: {parts}{_by(plan)}"), *_unused(names)]
    return replace(plan, item=item, rater=rater, label=label, notes=tuple(notes))


def _by(plan: Plan) -> str:
    return f"; groups by: {', '.join(plan.by)}" if plan.by else ""


def _by_name(grid: Grid, names: list[str], usual: frozenset[str], what: str) -> str:
    found = [n for n in names if squash(n) in usual]
    exact = [n for n in found if squash(n) == what]
    if len(found) == 1 or exact or (found and what == "item"):
        return (exact or found)[0]
    if found:
        raise ReadingError(
            f"{grid.about.source}: which column is the {what}? Candidates: {_names(found)}. Name "
            f"it with --{what}."
        )
    if len(names) == 1 or (what == "item" and names):
        return names[0]
    raise ReadingError(
        f"{grid.about.source}: no column is named as the {what}; there are {_names(names)}. Name "
        f"it with --{what}.",
        code=f"no_{what}_column",
    )


def _unused(names: Sequence[str]) -> list[Note]:
    if not names:
        return []
    return [Note("columns_not_used", f"columns not used: {_names(names, 20)}")]


def _wide(grid: Grid, plan: Plan, columns: list[Column], free: list[Column]) -> Plan:
    if plan.label:
        raise UsageError(f"label: a {plan.layout} table has no label column; its cells count.")
    if plan.rater:
        if plan.layout == "counts":
            raise UsageError("rater: a table of counts has no raters.")
        used = [c.name for c in free if not (c.free_text or squash(c.name) in ASIDE_NAMES)]
        note = Note("transposed", f"rows are raters (column {plan.rater}), columns are items")
        return replace(plan, columns=tuple(used), transposed=True, notes=(*plan.notes, note))
    item = _item_column(plan, columns, free)
    rest = [c for c in free if c is not item]
    used = [c.name for c in rest if not _aside(c)]
    # A rater who rated nothing is still a rater, unless the column has no name either.
    used = [
        c.name
        for c in rest
        if c.name in used or (not c.filled and not c.name.startswith("column "))
    ]
    if not used:
        raise ReadingError(
            f"{grid.about.source}: no column of ratings beside {_names(c.name for c in columns)}."
        )
    names = plan.item or ((item.name,) if item else ())
    part = "raters" if plan.layout == "wide" else "labels"
    shown = f"items: {', '.join(n or '(first column)' for n in names) or 'rows'}"
    if plan.frequency:
        shown += f"; frequency: {plan.frequency}"
    notes = [*plan.notes, Note("columns", f"columns: {shown}; {part}: {_names(used)}{_by(plan)}")]
    notes += _unused([c.name for c in rest if c.name not in used and c.filled])
    if plan.layout == "wide" and len(used) > 10 and len(columns[0].cells) * 3 < len(used):
        notes.append(
            Note(
                "looks_transposed",
                f"{len(columns[0].cells)} rows and {len(used)} columns: rows are taken as items "
                "and columns as raters; if it is the other way round: --layout wide --rater COLUMN",
                "warning",
            )
        )
    return replace(plan, item=names, columns=tuple(used), notes=tuple(notes))


def _table(grid: Grid, plan: Plan, columns: list[Column]) -> Plan:
    for what, given in (("item", plan.item), ("rater", plan.rater), ("label", plan.label)):
        if given:
            raise UsageError(f"{what}: a contingency table has no {what} column.")
    if plan.by or plan.frequency:
        raise UsageError("by, frequency: a contingency table has no such columns.")
    shape = table_shape(columns)
    if shape is None:
        rows = ["" if v is None else label_text(v) for v in columns[0].cells]
        raise ReadingError(
            f"{grid.about.source}: not a contingency table: its first column holds "
            f"{_names(rows)} and its first row {_names(c.name for c in columns[1:])}; both have to "
            "hold the same labels, and the cells numbers, 0 or more.",
            code="not_a_table",
        )
    notes = list(plan.notes)
    if len(shape[1]) < len(columns) - 1 or len(shape[1]) < len(columns[0].cells):
        notes.append(Note("totals_left_out", "the row or column of totals is left out"))
    note = Note("columns", f"rows: {columns[0].name or 'first rater'}; columns: second rater")
    return replace(plan, columns=tuple(shape[1]), notes=(*notes, note))
