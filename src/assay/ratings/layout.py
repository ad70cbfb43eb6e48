"""Find which layout a table has, and which column plays which part.

Only names and the first rows are looked at. Where two layouts fit, nothing is guessed: an
:class:`~assay.errors.AmbiguousLayout` names them. What was found is said in notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.errors import AmbiguousLayout, ReadingError, UsageError, one_of
from assay.ratings.categories import Label, label_text
from assay.ratings.columns import Column, columns_of, counts_fit
from assay.ratings.crossed import table_plan, table_shape
from assay.ratings.model import LAYOUTS, Note
from assay.ratings.numerals import to_number
from assay.ratings.parts import few, is_aside, item_column, long_plan, wide_plan
from assay.ratings.sources.grid import Grid, Plan
from assay.ratings.words import (
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
    raters: tuple[str, ...] | None = None
    cluster: str | None = None


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
    cluster = _one(grid, options.cluster, "cluster")
    taken = [*item, *by, *(c for c in (rater, label, frequency, cluster) if c is not None)]
    twice = [c for c in taken if taken.count(c) > 1]
    if twice:
        raise UsageError(f"column {twice[0]!r} is named for two parts; a column plays one.")
    if len(columns) == 1:
        raise ReadingError(
            f"{grid.about.source}: one column only ({grid.names[0]!r}); ratings need an item, a "
            "rater and a label, or a column a rater. If the columns are not split, give the "
            "separator with --delimiter."
        )
    start = Plan(options.layout or "", item, rater, label, (), by, frequency, cluster=cluster)
    free = [c for c in columns if c.name not in taken]
    layout = options.layout
    if layout is None:
        layout = _layout(grid, start, columns, free, options)
    notes = []
    if options.layout is None:
        notes.append(Note("layout", f"layout: {layout}"))
    plan = replace(start, layout=layout, notes=tuple(notes))
    if options.raters is not None and layout in ("counts", "table"):
        raise UsageError(f"raters: a {layout} table has no columns of raters to choose from.")
    if layout == "long":
        return long_plan(grid, plan, free)
    if layout == "table":
        for what, given in (
            ("item", item), ("rater", rater), ("label", label), ("by", by), ("cluster", cluster),
        ):  # fmt: skip
            if given:
                raise UsageError(f"{what}: a contingency table has no {what} column.")
        if frequency:
            raise UsageError("frequency: a contingency table has no such column.")
        return table_plan(grid, plan, columns)
    chosen = None
    if options.raters is not None and not rater:
        chosen = [_one(grid, name, "raters") or "" for name in options.raters]
    plan, free = _indexed(grid, plan, columns, free)
    return wide_plan(grid, plan, columns, free, chosen)


def _indexed(
    grid: Grid, plan: Plan, columns: list[Column], free: list[Column]
) -> tuple[Plan, list[Column]]:
    """A data frame's index as the items of a wide table, never as a rater."""
    index = [c for c in columns if c.name in grid.about.index]
    if not index:
        return plan, free
    others = [c for c in free if c not in index]
    named = any(squash(c.name) in ITEM_NAMES and not c.repeats for c in others)
    keys = list(zip(*(c.cells for c in index), strict=True))
    whole = None not in {cell for key in keys for cell in key}
    if plan.item or named or len(set(keys)) < len(keys) or not whole:
        return plan, others
    return replace(plan, item=tuple(c.name for c in index)), others


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
    for column, kind in grid.about.unreadable:
        if name == column:
            raise ReadingError(
                f"{grid.about.source}, column {name}: its cells are {kind}; one text, number or "
                f"boolean a cell is needed. Name another column with --{what}, or unpack the "
                "values first.",
                code="nested",
            )
    if name not in grid.names:
        if grid.about.headless and name.isdecimal() and f"column {name}" in grid.names:
            return f"column {name}"
        alike = [n for n in grid.names if squash(n) == squash(name)]
        if len(alike) == 1:
            return alike[0]
    return one_of(name, grid.names, what)


def _layout(
    grid: Grid, start: Plan, columns: list[Column], free: list[Column], options: LayoutOptions
) -> str:
    """The one layout that fits."""
    if start.rater or start.label or _is_long(start, free):
        return "long"
    if options.raters is not None:
        return "wide"
    parts = start.item or start.by or start.frequency or start.cluster
    shape = None if parts else table_shape(columns)
    if shape is not None and not _numbered(columns):
        return "table"
    indexed, free = _indexed(grid, start, columns, free)
    item = item_column(indexed, columns, free)
    rest = [c for c in free if c is not item and not is_aside(c)]
    _refuse_transposed(grid, item, rest)
    counts = len(rest) > 1 and all(c.countable for c in rest) and counts_fit(rest)
    declared = {label_text(x) for x in options.categories or ()}
    # Declared labels that name the columns say that cells are counts.
    labels = counts and bool(rest) and {c.name for c in rest} <= declared
    if start.frequency:
        return "counts" if labels else "wide"
    # Names such as annotator_1 say that a column is a rater; counts do not fit then.
    named = bool(rest) and all(RATER_COLUMN.fullmatch(c.name) for c in rest)
    fits = [
        name
        for name, fit in (
            ("wide", len(rest) > 0 and not labels),
            ("counts", counts and not named),
            ("table", shape is not None and not shape.wrong),
        )
        if fit
    ]
    if len(fits) > 1:
        raise AmbiguousLayout(_both_fit(grid, fits, rest), options=fits)
    if not fits:
        raise ReadingError(
            f"{grid.about.source}: no layout fits the columns {few(c.name for c in columns)}. "
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
        f"{grid.about.source}: the columns {few(c.name for c in rest)} hold whole numbers, so "
        f"more than one layout fits: {'; '.join(meaning[f] for f in fits)}. Say which: "
        f"{' or '.join(ways)} (layout={fits[0]!r} in Python)."
    )


def _is_long(start: Plan, free: list[Column]) -> bool:
    raters = [c for c in free if squash(c.name) in RATER_NAMES]
    items = [c for c in free if squash(c.name) in ITEM_NAMES]
    if not raters or not (items or start.item):
        return False
    if all(squash(c.name) in WEAK_RATER_NAMES for c in raters):
        labels = [c for c in free if squash(c.name) in LABEL_NAMES]
        return bool(labels) and (not items or items[0].repeats or len(free) == 3)
    return True


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
            f"({few(str(v) for v in item.filled)}) and the columns items "
            f"({few(c.name for c in rest)}). To read it so: --layout wide --rater "
            f"{item.name or '(name the first column)'}; or transpose the file.",
            code="transposed_table",
        )
