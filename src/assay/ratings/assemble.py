"""From a grid and a plan to ratings: the four layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, ReadingError
from assay.ratings.build import (
    constant_row_sum,
    count_block,
    dense_block,
    is_dense,
    small_type,
    sparse_blocks,
)
from assay.ratings.duplicates import refuse, settle
from assay.ratings.ids import Combined, Ids, combine, joined_names, tidy
from assay.ratings.labels import LabelOptions, Resolved, resolve, to_number
from assay.ratings.model import (
    Block,
    Label,
    Note,
    Ratings,
    Reading,
    label_text,
)
from assay.ratings.sources.grid import About, Cells, Encoded, Grid, Plan

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Choices:
    """The caller's choices that assembling needs."""

    labels: LabelOptions
    duplicates: str = "error"


def assemble(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    """Encode the grid as the plan says.

    Raises
    ------
    ReadingError
        If an item or a rater has no name.
    DuplicateRatings
        If a rater rated an item more than once.
    """
    make = {"long": _long, "wide": _wide, "counts": _counts, "table": _table}[plan.layout]
    return make(grid, plan, choices)


def _without_empty_rows(
    grid: Grid, plan: Plan, columns: Sequence[str], what: str
) -> tuple[Grid, Plan]:
    """Drop rows that are empty throughout; refuse rows that lack only a name."""
    smaller, gone = grid.drop_empty_rows()
    for column in columns:
        rows = smaller.rows_where_empty(column, 5)
        if rows:
            # Numbers of lines are those of the source, so they are asked of the whole grid.
            rows = grid.rows_where_empty(column, 5) if not gone else rows
            places = ", ".join(grid.about.place(r) for r in rows)
            about = "" if not gone else " (not counting rows that are empty throughout)"
            raise ReadingError(
                f"{grid.about.source}: no {what} in {places}{about}; column {column or '(first column)'!r} is empty "
                f"there. Each row needs its {what}.",
                code=f"empty_{what}",
            )
    note = Note("empty_rows", f"rows left out because they are empty: {gone:,}")
    return smaller, plan.with_notes(note)


def _encode(
    grid: Grid, ids: Sequence[str], cells: Sequence[str], in_order: bool
) -> tuple[Encoded, list[Ids]]:
    encoded = grid.encode(ids, cells, in_order=in_order)
    return encoded, [tidy(column, "ids") for column in encoded.ids]


def _named_groups(columns: list[Ids]) -> list[Ids]:
    """Groups with an empty cell become a group of their own."""
    return [_with_empty(column) if column.empty else column for column in columns]


def _with_empty(column: Ids) -> Ids:
    names = [*column.names(), "(empty)"]
    codes = np.where(column.codes < 0, column.size, column.codes).astype(np.int32)
    return Ids(codes, column.size + 1, lambda: names, column.notes)


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """Items, or (group, item) pairs, with their names and groups."""

    codes: Array
    size: int
    names: Callable[[], Sequence[str]]
    group_names: tuple[str, ...]
    groups: Array | None


def _items(items: list[Ids], groups: list[Ids]) -> _Items:
    if not groups:
        got = combine(items)
        return _Items(got.codes, got.size, joined_names(items, got.parts), (), None)
    grouped = combine(groups)
    group_names = tuple(joined_names(groups, grouped.parts)())
    own: Combined = combine(items)
    pair = combine(
        [
            Ids(grouped.codes, grouped.size, lambda: group_names),
            Ids(own.codes, own.size, joined_names(items, own.parts)),
        ]
    )
    names = joined_names(items, tuple(part[pair.parts[1]] for part in own.parts))
    return _Items(pair.codes, pair.size, names, group_names, pair.parts[0].astype(np.int32))


def _places(grid: Grid, cells: Sequence[str], code_of: Callable[[Cells], int]) -> str:
    encoded = grid.encode((), cells, in_order=True)
    code = code_of(encoded.cells)
    where = [
        grid.about.place(r) + (f", column {cells[c]}" if len(cells) > 1 else "")
        for r, c in encoded.cells.first_places(code)
    ]
    return f" ({'; '.join(where)}, …)" if where else ""


def _resolve(grid: Grid, encoded: Encoded, cells: Sequence[str], choices: Choices) -> Resolved:
    def where(code: int) -> str:
        wanted = encoded.cells.values[code]
        return _places(grid, cells, lambda found: list(found.values).index(wanted))

    return resolve(encoded.cells, choices.labels, grid.about, where)


def _long(grid: Grid, plan: Plan, choices: Choices, again: bool = False) -> Ratings:
    label = plan.label or ""
    wanted = [*plan.item, plan.rater or "", *plan.by]
    encoded, ids = _encode(grid, wanted, [label], again)
    k = len(plan.item)
    for what, columns, names in (
        ("item", ids[:k], plan.item),
        ("rater", ids[k : k + 1], (plan.rater or "",)),
    ):
        if any(column.empty for column in columns):
            smaller, plan = _without_empty_rows(grid, plan, names, what)
            return _long(smaller, plan, choices, again)
    items = _items(ids[:k], _named_groups(ids[k + 1 :]))
    rater = ids[k]
    resolved = _resolve(grid, encoded, [label], choices)
    notes = [n for column in ids for n in column.notes]
    return _from_long(
        items,
        rater,
        resolved.apply(encoded.cells.codes[0]),
        resolved,
        _context(grid, plan, choices, notes),
        in_order=again or not hasattr(grid, "connection"),
        again=partial(_long, grid, plan, choices, True),
    )


@dataclass(frozen=True, slots=True)
class _Context:
    about: About
    plan: Plan
    choices: Choices
    notes: tuple[Note, ...]


def _context(grid: Grid, plan: Plan, choices: Choices, notes: Sequence[Note] = ()) -> _Context:
    return _Context(grid.about, plan, choices, tuple(notes))


def _from_long(
    items: _Items,
    rater: Ids,
    labels: Array,
    resolved: Resolved,
    context: _Context,
    *,
    in_order: bool,
    again: Callable[[], Ratings],
) -> Ratings:
    """Blocks from one rating a row; repeats are refused or settled in the source's order."""
    notes = list(context.notes)
    raters = list(rater.names())
    raters += [n for n in context.plan.rater_names or () if n not in set(raters)]
    item_codes, rater_codes = items.codes, rater.codes
    missing = int(np.count_nonzero(labels < 0)) if labels.min(initial=0) < 0 else 0
    if missing:
        rated = labels >= 0
        item_codes, rater_codes, labels = item_codes[rated], rater_codes[rated], labels[rated]
    for attempt in (1, 2):
        if is_dense(len(raters), items.size, len(labels)):
            block, repeated = dense_block(item_codes, rater_codes, labels, items.size, len(raters))
            blocks: tuple[Block, ...] = (block,)
        else:
            blocks, repeated = sparse_blocks(
                item_codes, rater_codes, labels, items.size, len(raters)
            )
        if not repeated or attempt == 2:
            break
        if not in_order:
            return again()
        repeats = (item_codes, rater_codes, labels)
        if context.choices.duplicates == "error":
            raise refuse(*repeats, items.names(), raters, resolved.categories, context.about.source)
        kept, note = settle(*repeats, context.choices.duplicates, len(raters))
        notes.append(note)
        item_codes, rater_codes, labels = item_codes[kept], rater_codes[kept], labels[kept]
    return _finish(blocks, items, raters, resolved, context, notes, missing)


def _finish(
    blocks: tuple[Block, ...],
    items: _Items,
    raters: Sequence[str],
    resolved: Resolved,
    context: _Context,
    notes: Sequence[Note],
    missing: int,
    denominator: int = 1,
) -> Ratings:
    reading = Reading(
        context.about.source,
        context.plan.layout,
        (*context.about.notes, *context.plan.notes, *notes, *resolved.notes),
    )
    if missing:
        note = Note("missing_cells", f"empty cells, taken as missing ratings: {missing:,}")
        reading = reading.with_notes(note)
    return Ratings(
        blocks,
        resolved.categories,
        tuple(raters),
        resolved.scale,
        context.choices.labels.period,
        reading,
        items.names,
        items.group_names,
        items.groups,
        denominator,
    )


def _row_names(count: int) -> Callable[[], Sequence[str]]:
    return partial(_numbered, count)


def _numbered(count: int) -> list[str]:
    return [str(k + 1) for k in range(count)]


def _wide(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    if plan.transposed:
        return _transposed(grid, plan, choices)
    extra = (plan.frequency,) if plan.frequency else ()
    wanted = [*plan.item, *plan.by, *extra]
    encoded, ids = _encode(grid, wanted, plan.columns, True)
    k, m = len(plan.item), len(plan.item) + len(plan.by)
    if any(column.empty for column in ids[:k]):
        smaller, plan = _without_empty_rows(grid, plan, plan.item, "item")
        return _wide(smaller, plan, choices)
    cells, weights = encoded.cells, None
    notes = [n for column in ids for n in column.notes]
    if extra:
        weights, used, more = _weights(grid, plan, ids[m])
        notes += more
        if not used.all():
            cells = replace(cells, codes=cells.codes[:, used])
            ids = [replace(column, codes=column.codes[used]) for column in ids]
        encoded = replace(encoded, cells=cells)
    rows = cells.codes.shape[1]
    own = ids[:k] or [Ids(np.arange(rows, dtype=np.int32), rows, _row_names(rows))]
    items = _items(own, _named_groups(ids[k:m]))
    resolved = _resolve(grid, encoded, plan.columns, choices)
    labels = resolved.apply(cells.codes)
    names = plan.rater_names or plan.columns
    context = _context(grid, plan, choices, notes)
    if items.size < rows and weights is None:
        # An item in several rows: each rater rated it more than once.
        n = len(plan.columns)
        flat = replace(items, codes=np.repeat(items.codes, n))
        who = Ids(np.tile(np.arange(n, dtype=np.int32), rows), n, lambda: names)
        spread = labels.T.reshape(-1)
        return _from_long(flat, who, spread, resolved, context, in_order=True, again=_never)
    if items.size < rows:
        raise ReadingError(
            f"{grid.about.source}: an item stands in several rows, and there is a frequency "
            "column; with frequencies each row is a pattern of labels, so name no item column."
        )
    missing = int(np.count_nonzero(labels < 0)) if labels.min(initial=0) < 0 else 0
    values = resolved.categories.labels
    if isinstance(values, tuple) and resolved.categories.numeric:
        values = np.array(values)
    if isinstance(values, np.ndarray) and weights is None and not missing:
        total = constant_row_sum(labels, values)
        if total is not None:
            message = (
                f"every row adds up to {total}, as in a table of counts; if the columns are "
                "labels and the cells say how many raters gave them: --layout counts"
            )
            notes.append(Note("looks_like_counts", message, "warning"))
    block = Block(labels, weights=weights)
    ratings = _finish(
        (block,), items, names, resolved, context, notes[len(context.notes) :], missing
    )
    if not missing and weights is None:
        # All slots are filled, so the sizes are known without counting.
        ratings.__dict__["sizes"] = {len(names): rows} if rows else {}
    return ratings


def _never() -> Ratings:
    raise InputError("rows are in order already")


def _weights(grid: Grid, plan: Plan, column: Ids) -> tuple[Array, Array, list[Note]]:
    """How many items each row stands for, and which rows stand for any."""
    if column.empty:
        rows = np.flatnonzero(column.codes < 0)[:5]
        places = ", ".join(grid.about.place(int(r)) for r in rows)
        raise ReadingError(f"{grid.about.source}: no frequency in {places}.")
    counts: list[int] = []
    for text in column.names():
        number = to_number(text, comma=grid.about.decimal_comma is not False)
        if number is None or number < 0 or number != int(number):
            row = int(np.flatnonzero(column.codes == len(counts))[0])
            raise ReadingError(
                f"{grid.about.source}, {grid.about.place(row)}: the frequency is {text!r}; a whole "
                "number, 0 or more, is needed."
            )
        counts.append(int(number))
    weights = np.array(counts, dtype=np.int64)[column.codes]
    used = weights > 0
    notes = [
        Note("frequency", f"rows stand for {int(weights.sum()):,} items (column {plan.frequency})")
    ]
    if not used.all():
        gone = int(np.count_nonzero(~used))
        message = f"rows of frequency 0 left out, with labels found only there: {gone:,}"
        notes.append(Note("frequency_zero", message))
    return weights[used], used, notes


def _transposed(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    encoded, ids = _encode(grid, [plan.rater or ""], plan.columns, True)
    rater = ids[0]
    if rater.empty:
        smaller, plan = _without_empty_rows(grid, plan, [plan.rater or ""], "rater")
        return _transposed(smaller, plan, choices)
    resolved = _resolve(grid, encoded, plan.columns, choices)
    labels = resolved.apply(encoded.cells.codes)
    n, rows = labels.shape
    items = _Items(np.repeat(np.arange(n), rows), n, lambda: plan.columns, (), None)
    who = Ids(np.tile(rater.codes, n), rater.size, rater.names)
    context = _context(grid, plan, choices, rater.notes)
    return _from_long(
        items, who, labels.reshape(-1), resolved, context, in_order=True, again=_never
    )


def header_labels(
    names: Sequence[Label], choices: Choices, about: About, *, ordered: bool
) -> Resolved:
    """Labels that name columns: declared, in their order (numbers by value)."""
    cells = Cells(np.arange(len(names), dtype=np.int64)[None, :], list(names))
    found = resolve(cells, replace(choices.labels, scale=None), about)
    given = choices.labels
    if given.declared is None and not given.missing:
        categories = found.categories
        table = found.table
        if not categories.numeric:
            texts: list[Label] = []
            for code in (table if table is not None else np.arange(len(names)))[: len(names)]:
                if code >= 0 and categories[int(code)] not in texts:
                    texts.append(categories[int(code)])
            if ordered:
                given = replace(given, order=tuple(texts))
            else:
                given = replace(given, categories=tuple(texts))
        else:
            given = replace(given, categories=tuple(categories))
    return resolve(cells, given, about)


def _counts(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    encoded, ids = _encode(grid, [*plan.item, *plan.by], plan.columns, True)
    k = len(plan.item)
    if any(column.empty for column in ids[:k]):
        smaller, plan = _without_empty_rows(grid, plan, plan.item, "item")
        return _counts(smaller, plan, choices)
    cells = encoded.cells
    comma = grid.about.decimal_comma is not False
    parsed = [
        to_number(v.strip(), comma=comma) if isinstance(v, str) else v for v in list(cells.values)
    ]
    for code, value in enumerate(parsed):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or value is None or value < 0 or value != int(value):
            row, column = cells.first_places(code, 1)[0]
            raise ReadingError(
                f"{grid.about.source}, {grid.about.place(row)}, column {plan.columns[column]}: the "
                f"count is {cells.values[code]!r}; a whole number, 0 or more, is needed (how many "
                "raters gave the label). For one label a cell: --layout wide.",
                code="bad_count",
            )
    table = np.array([*(int(v or 0) for v in parsed), 0], dtype=np.int64)
    counts = table[cells.codes.T]
    empty = int(np.count_nonzero(cells.codes < 0))
    notes = [n for column in ids for n in column.notes]
    if empty:
        notes.append(Note("empty_counts", f"empty cells, taken as a count of 0: {empty:,}"))
    resolved = header_labels(plan.columns, choices, replace(grid.about, typed=False), ordered=False)
    rows = len(counts)
    own = ids[:k] or [Ids(np.arange(rows, dtype=np.int32), rows, _row_names(rows))]
    items = _items(own, _named_groups(ids[k:]))
    if items.size < rows:
        raise ReadingError(
            f"{grid.about.source}: an item stands in several rows of counts; give each item one "
            "row, or name the column that tells them apart with --by."
        )
    return from_counts(counts, resolved, items, _context(grid, plan, choices, notes))


def from_counts(
    counts: npt.NDArray[np.int64], resolved: Resolved, items: _Items, context: _Context
) -> Ratings:
    """Ratings without raters from items × header columns."""
    k = len(resolved.categories)
    merged = np.zeros((len(counts), k), dtype=np.int64)
    codes = resolved.table if resolved.table is not None else np.arange(counts.shape[1])
    for j in range(counts.shape[1]):
        if codes[j] >= 0:
            merged[:, codes[j]] += counts[:, j]
    return _finish((count_block(merged, k),), items, (), resolved, context, context.notes, 0)


def plain_items(count: int, names: Sequence[str] | None = None) -> _Items:
    """Items 1, 2, …, or with the names given."""
    given = _row_names(count) if names is None else partial(list, [str(n) for n in names])
    return _Items(np.arange(count), count, given, (), None)


def context_of(about: About, plan: Plan, choices: Choices) -> _Context:
    return _Context(about, plan, choices, ())


def from_cells(
    cells: Sequence[Sequence[Fraction]],
    resolved: Resolved,
    raters: tuple[str, str],
    context: _Context,
) -> Ratings:
    """Two raters from a contingency table: a weighted column for each cell above 0."""
    codes = resolved.table if resolved.table is not None else np.arange(len(cells))
    found = [
        (int(codes[i]), int(codes[j]), value)
        for i, row in enumerate(cells)
        for j, value in enumerate(row)
        if value > 0
    ]
    denominator = lcm(*(value.denominator for _, _, value in found)) if found else 1
    labels = np.array([[i for i, _, _ in found], [j for _, j, _ in found]])
    weights = np.array([int(v * denominator) for _, _, v in found], dtype=np.int64)
    block = Block(
        labels.reshape(2, -1).astype(small_type(len(resolved.categories))), weights=weights
    )
    items = plain_items(len(found))
    return _finish((block,), items, raters, resolved, context, context.notes, 0, denominator)


def _table(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    rows = grid.head(grid.n_rows)
    first = ["" if r[0] is None else label_text(r[0]).strip() for r in rows]
    comma = grid.about.decimal_comma is not False
    cells = []
    for head in plan.columns:
        row = rows[first.index(head)]
        line = []
        for name in plan.columns:
            raw = row[grid.names.index(name)]
            text = str(raw).strip()
            if comma and to_number(text) is None:
                text = text.replace(",", ".")
            line.append(Fraction(text) if isinstance(raw, str) else Fraction(str(raw)))
        cells.append(line)
    resolved = header_labels(plan.columns, choices, replace(grid.about, typed=False), ordered=True)
    names = _table_raters(grid.names[0])
    return from_cells(cells, resolved, names, _context(grid, plan, choices))


def _table_raters(corner: str) -> tuple[str, str]:
    """The raters' names from the corner, if it says "ana \\ bo" or "ana/bo"."""
    for sign in ("\\", "/", "|", " vs ", " x ", "×"):
        left, _, right = corner.partition(sign)
        if left.strip() and right.strip() and left.strip() != right.strip():
            return left.strip(), right.strip()
    return "rows", "columns"
