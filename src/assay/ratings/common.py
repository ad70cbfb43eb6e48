"""What assembling the four layouts has in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError, one_of
from assay.ratings.ids import Combined, Ids, at_rows, combine, fixed, joined_names, tidy
from assay.ratings.labels import LabelOptions, Resolved, resolve
from assay.ratings.model import Block, Note, Ratings, Reading
from assay.ratings.sources.grid import About, Cells, Encoded, Grid, Plan

Array = npt.NDArray[Any]

EMPTY_GROUP = "(empty)"
"""The group of the rows that name none."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The caller's choices that assembling needs."""

    labels: LabelOptions
    duplicates: str = "error"
    raters: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Items, or (group, item) pairs, with their names and groups."""

    codes: Array
    size: int
    names: Callable[[], Sequence[str]]
    group_names: tuple[str, ...]
    groups: Array | None
    clusters: Array | None = None
    cluster_names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The source, the plan and the choices that ratings are assembled from."""

    about: About
    plan: Plan
    choices: Choices
    notes: tuple[Note, ...]


def context_of(about: About, plan: Plan, choices: Choices, notes: Sequence[Note] = ()) -> Context:
    """Bundle what assembling needs to know."""
    return Context(about, plan, choices, tuple(notes))


def encode(
    grid: Grid, ids: Sequence[tuple[str, str]], cells: Sequence[str], in_order: bool
) -> tuple[Encoded, list[Ids]]:
    """Encode columns, with the names of the id columns trimmed.

    ``ids`` has each column's name and its part ("items", "raters", "groups", "frequencies").
    """
    encoded = grid.encode([name for name, _ in ids], cells, in_order=in_order)
    parts = [part for _, part in ids]
    return encoded, [tidy(c, part) for c, part in zip(encoded.ids, parts, strict=True)]


def parts_of(plan: Plan, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """The columns of items, ``more`` columns, and those of groups, each with its part."""
    return [*((n, "items") for n in plan.item), *more, *((n, "groups") for n in plan.by)]


def of_raters(
    encoded: Encoded, ids: list[Ids], rater: int, wanted: Sequence[str] | None
) -> tuple[Encoded, list[Ids], list[Note]]:
    """Only the rows of the raters asked for; ``rater`` is their column's place in ``ids``."""
    if wanted is None:
        return encoded, ids, []
    names = list(ids[rater].names())
    codes = [names.index(one_of(name, names, "raters")) for name in wanted]
    rows = np.flatnonzero(np.isin(ids[rater].codes, codes))
    left = [n for k, n in enumerate(names) if k not in set(codes)]
    cells = replace(encoded.cells, codes=encoded.cells.codes[:, rows])
    notes = [raters_left_out(left)] if left else []
    return replace(encoded, cells=cells), [at_rows(c, rows) for c in ids], notes


def raters_left_out(names: Sequence[str]) -> Note:
    """That these raters were not asked for."""
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return Note("raters_left_out", f"raters left out, as asked: {shown}")


def named_groups(columns: list[Ids]) -> list[Ids]:
    """Groups with an empty cell become a group of their own."""
    return [_with_empty(column) if column.empty else column for column in columns]


def check_groups(names: Sequence[str], source: str) -> None:
    """Raise if two groups have one name, as an empty cell and the text (empty) would.

    Raises
    ------
    ReadingError
        If they do.
    """
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ReadingError(
            f"{source}: {names.count(twice[0])} groups are called {twice[0]!r}; write their "
            "columns (--by) so that they differ.",
            code="groups_alike",
        )


def _with_empty(column: Ids) -> Ids:
    names = [*column.names(), EMPTY_GROUP]
    codes = np.where(column.codes < 0, column.size, column.codes).astype(np.int32)
    return Ids(codes, column.size + 1, fixed(names), column.notes)


def items_of(items: list[Ids], groups: list[Ids]) -> Items:
    """Number the items; with groups, an item in two groups is two items."""
    if not groups:
        got = combine(items)
        return Items(got.codes, got.size, joined_names(items, got.parts), (), None)
    grouped = combine(groups)
    group_names = tuple(joined_names(groups, grouped.parts)())
    check_groups(group_names, "groups")
    own: Combined = combine(items)
    pair = combine(
        [
            Ids(grouped.codes, grouped.size, fixed(group_names)),
            Ids(own.codes, own.size, joined_names(items, own.parts)),
        ]
    )
    names = joined_names(items, tuple(part[pair.parts[1]] for part in own.parts))
    return Items(pair.codes, pair.size, names, group_names, pair.parts[0].astype(np.int32))


def in_clusters(items: Items, plan: Plan, ids: Sequence[Ids], about: About) -> Items:
    """The items with their clusters, from the last of the columns read, if one was named.

    Raises
    ------
    ReadingError
        If a row names no cluster, or an item is in two.
    """
    if not plan.cluster:
        return items
    column = ids[-1]
    if column.empty:
        rows = np.flatnonzero(column.codes < 0)
        share = f"{len(rows):,} of {rows_of(column.codes.size)}"
        raise without_cluster(about.source, plan.cluster, share)
    found = np.full(items.size, -1, dtype=column.codes.dtype)
    found[items.codes[::-1]] = column.codes[::-1]
    apart = np.flatnonzero(found[items.codes] != column.codes)
    if apart.size:
        row = int(apart[0])
        item, names = int(items.codes[row]), column.names()
        one, other = (str(names[int(k)]) for k in (found[item], column.codes[row]))
        raise in_two_clusters(about.source, plan.cluster, items.names()[item], one, other)
    return replace(items, clusters=found, cluster_names=[str(n) for n in column.names()])


def rows_of(count: int) -> str:
    """So many rows, in words.

    >>> rows_of(1), rows_of(2000)
    ('1 row', '2,000 rows')
    """
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def without_cluster(source: str, column: str, rows: str) -> ReadingError:
    """Some rows name no cluster; ``rows`` says which, such as "2 of 9 rows"."""
    return ReadingError(
        f"{source}, column {column}: no cluster in {rows}. Each item needs its cluster.",
        code="empty_cluster",
    )


def in_two_clusters(source: str, column: str, item: str, one: str, other: str) -> ReadingError:
    """The rows of an item name two clusters."""
    return ReadingError(
        f"{source}, column {column}: item {item!r} is in two clusters, {one!r} and {other!r}; an "
        "item belongs to one.",
        code="cluster_varies",
    )


def plain_items(count: int, names: Sequence[str] | None = None) -> Items:
    """Items 1, 2, …, or with the names given."""
    given = row_names(count) if names is None else partial(list, [str(n) for n in names])
    return Items(np.arange(count), count, given, (), None)


def row_names(count: int) -> Callable[[], Sequence[str]]:
    """Names 1, 2, … for rows without an item column."""
    return partial(Numbered, count)


class Numbered(Sequence[str]):
    """The names 1, 2, …, each made when it is asked for: a million rows need none of them."""

    __slots__ = ("_count",)

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        found = range(1, self._count + 1)[index]
        return str(found) if isinstance(found, int) else [str(k) for k in found]


def _places(grid: Grid, cells: Sequence[str], code_of: Callable[[Cells], int]) -> str:
    encoded = grid.encode((), cells, in_order=True)
    code = code_of(encoded.cells)
    where = [
        grid.about.place(r) + (f", column {cells[c]}" if len(cells) > 1 else "")
        for r, c in encoded.cells.first_places(code)
    ]
    return f" ({'; '.join(where)}, …)" if where else ""


def resolve_cells(grid: Grid, encoded: Encoded, cells: Sequence[str], choices: Choices) -> Resolved:
    """Resolve labels, with the places of a label ready for messages."""

    def where(code: int) -> str:
        wanted = encoded.cells.values[code]
        return _places(grid, cells, lambda found: list(found.values).index(wanted))

    return resolve(encoded.cells, choices.labels, grid.about, where)


def without_empty_rows(
    grid: Grid, plan: Plan, columns: Sequence[str], what: str
) -> tuple[Grid, Plan]:
    """Drop rows that are empty throughout; refuse rows that lack only a name."""
    smaller, gone = grid.drop_empty_rows()
    for column in columns:
        rows = smaller.rows_where_empty(column, 5)
        if rows:
            # Numbers of lines are those of the source, so they are asked of the whole grid.
            rows = grid.rows_where_empty(column, 5) if not gone else rows
            shown = column or "(first column)"
            places = ", ".join(grid.about.place(r) for r in rows)
            about = "" if not gone else " (not counting rows that are empty throughout)"
            raise ReadingError(
                f"{grid.about.source}: no {what} in {places}{about}; column {shown!r} is empty "
                f"there. Each row needs its {what}.",
                code=f"empty_{what}",
            )
    note = Note("empty_rows", f"rows left out because they are empty: {gone:,}")
    return smaller, plan.with_notes(note)


def finish(
    blocks: tuple[Block, ...],
    items: Items,
    raters: Sequence[str],
    resolved: Resolved,
    context: Context,
    notes: Sequence[Note],
    missing: int,
    denominator: int = 1,
) -> Ratings:
    """Put blocks, names and notes together."""
    reading = Reading(
        context.about.source,
        context.plan.layout,
        (*context.about.notes, *context.plan.notes, *notes, *resolved.notes),
    )
    # Cells that were declared missing have a note of their own.
    empty = missing - resolved.declared_missing
    if empty > 0:
        note = Note("missing_cells", f"empty cells, taken as missing ratings: {empty:,}")
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
        context.plan.cluster or "",
        items.cluster_names,
        items.clusters,
    )


def encode_rows(grid: Grid, plan: Plan) -> tuple[Grid, Plan, Encoded, list[Ids]]:
    """The cells and id columns of a table with one row an item, without its empty rows."""
    wanted = parts_of(plan)
    if plan.frequency:
        wanted.append((plan.frequency, "frequencies"))
    if plan.cluster:
        wanted.append((plan.cluster, "clusters"))
    encoded, ids = encode(grid, wanted, plan.columns, True)
    if any(column.empty for column in ids[: len(plan.item)]):
        smaller, plan = without_empty_rows(grid, plan, plan.item, "item")
        return encode_rows(smaller, plan)
    return grid, plan, encoded, ids
