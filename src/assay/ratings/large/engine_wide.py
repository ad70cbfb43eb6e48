"""One item a row in an engine: equal rows are counted there, and read with their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ReadingError
from assay.ratings.checks import checked
from assay.ratings.common import Choices, rows_of
from assay.ratings.crowd import Example, Multiset
from assay.ratings.ids import id_text
from assay.ratings.large.engine_examples import AT_ONCE, TIES
from assay.ratings.large.engine_names import MOST_CELLS, check_filled, too_many
from assay.ratings.large.engine_terms import (
    both,
    collected,
    either,
    fetched,
    in_order,
    one,
    part_of,
    values,
    whole,
)
from assay.ratings.large.rows import name_of
from assay.ratings.large.sums import UNITS
from assay.ratings.model import Note, Ratings
from assay.ratings.sources.frames import read_frame
from assay.ratings.sources.grid import About, Grid, Plan
from assay.ratings.tallies import counts_ratings, table_ratings
from assay.ratings.wide import wide_ratings

if TYPE_CHECKING:
    import narwhals as nw

TIMES = "(items)"
"""The column that says how many items a row stands for."""


def counted_rows(
    frame: nw.LazyFrame[Any], grid: Grid, about: About, plan: Plan, choices: Choices
) -> Ratings:
    """Ratings of a table with one item a row, or of a contingency table that is all in ``grid``.

    ``about`` is what is said of the table.

    Raises
    ------
    ReadingError
        If an item stands in several rows, or too many rows differ.
    """
    import narwhals as nw

    if plan.layout == "table":
        return table_ratings(grid, plan, choices)
    items = [part_of(frame, name, about.source) for name in plan.item]
    parts = [part_of(frame, name, about.source) for name in plan.columns]
    # A cluster is told apart as a group is, but an item has one row all the same.
    own = [*plan.by, *([plan.cluster] if plan.cluster else [])]
    by = [part_of(frame, name, about.source) for name in own]
    notes: list[Note] = []
    names = [f"c{k}" for k in range(len(parts))]
    groups = [f"by{k}" for k in range(len(by))]
    frame = frame.select(
        *(part.value.alias(name) for part, name in zip(by, groups, strict=True)),
        *(part.value.alias(f"item{k}") for k, part in enumerate(items)),
        *(
            # The order that a type declares is the reader's business.
            (nw.col(part.name) if part.declared else part.value).alias(name)
            for part, name in zip(parts, names, strict=True)
        ),
    )
    if items:
        frame, notes = _checked_items(frame, len(items), names, groups, plan, about.source)
    answer = frame.group_by([*groups, *names]).agg(nw.len().alias("n"))
    most = MOST_CELLS if plan.cluster else UNITS
    found = collected(answer, most)
    if found is None:
        raise too_many(about.source, "rows", most)
    if plan.cluster:
        (n,) = whole(found, "n")
        lacking = np.array([name_of(v) is None for v in values(found, groups[-1])], dtype=bool)
        check_filled(n * lacking, n, about.source, plan.cluster)
    rows = [values(found, name) for name in (*groups, *names)]
    places = sorted(range(len(found)), key=lambda k: in_order([row[k] for row in rows]))
    shown = found.select(*groups, *names, nw.col("n").cast(nw.Int64))[places]
    called = dict(zip((*groups, *names), (*own, *plan.columns), strict=True))
    kept = read_frame(shown.rename({**called, "n": TIMES}).to_native())
    kept = replace(kept, about=replace(about, notes=(*about.notes, *notes)))
    read = wide_ratings if plan.layout == "wide" else counts_ratings
    ratings = read(kept, replace(plan, item=(), frequency=TIMES), choices)
    said = tuple(note for note in ratings.reading.notes if note.code != "frequency")
    ratings = checked(replace(ratings, reading=replace(ratings.reading, notes=said)), given=False)
    if not items or plan.layout != "wide" or plan.by:
        return ratings
    raw = [tuple(row[k] for row in rows[len(by) :]) for k in places]
    return replace(ratings, examples=AskedRows(frame, len(items), raw, ratings))


def _checked_items(
    frame: nw.LazyFrame[Any],
    items: int,
    cells: Sequence[str],
    groups: Sequence[str],
    plan: Plan,
    source: str,
) -> tuple[nw.LazyFrame[Any], list[Note]]:
    """The frame without rows that are empty throughout, if each item has one row."""
    import narwhals as nw

    names = [part_of(frame, f"item{k}", source) for k in range(items)]
    keys = [name.name for name in names]
    trimmed = frame.select(*(name.trimmed.alias(name.name) for name in names), *groups, *cells)
    nameless = either(name.nameless for name in names)
    void = both(part_of(frame, cell, source).empty for cell in cells) & nameless
    told = ["nameless", "void"]
    asked = trimmed.select(*keys, *groups, one(nameless).alias(told[0]), one(void).alias(told[1]))
    each = asked.group_by([*keys, *groups[: len(plan.by)]]).agg(
        nw.len().alias("rows"), nw.col(told).sum()
    )
    most = fetched(
        each.select(
            one((nw.col("rows") > 1) & (nw.col("nameless") == 0)).sum().alias("repeated"),
            nw.col("nameless", "void").sum(),
        )
    )
    repeated, no_item, gone = (int(n[0]) for n in whole(most, "repeated", "nameless", "void"))
    column = ", ".join(plan.item)
    if repeated:
        raise ReadingError(
            f"{source}: {repeated:,} items of column {column} stand in several rows. In an engine "
            "a wide table has one row an item; turn it into one rating a row (unpivot), or name "
            "another item column with item=.",
            code="item_repeated",
        )
    if no_item > gone:
        raise ReadingError(
            f"{source}: no item in {rows_of(no_item - gone)}; column {column} is empty there. "
            "Each row needs its item.",
            code="empty_item",
        )
    if not gone:
        return trimmed, []
    note = Note("empty_rows", f"rows left out because they are empty: {gone:,}")
    return trimmed.filter(~nameless), [note]


class AskedRows:
    """Names of items by what they were given, from a table with one item a row.

    Parameters
    ----------
    frame
        Columns ``item0``, … and ``c0``, …, one a rater.
    items
        How many columns name an item.
    raw
        The distinct rows, in the order of the ratings' columns.
    ratings
        What was made of them.
    """

    def __init__(
        self, frame: nw.LazyFrame[Any], items: int, raw: Sequence[tuple[Any, ...]], ratings: Ratings
    ) -> None:
        self._frame = frame
        self._keys = [f"item{k}" for k in range(items)]
        self._raw = raw
        self._labels = ratings.blocks[0].labels
        self._raters = ratings.raters

    def of(self, patterns: Iterable[Multiset], most: int) -> list[Example]:
        """The first ``most`` items, by name, that were given one of these multisets."""
        wanted = set(patterns)
        columns = self._labels.T.tolist()
        first: dict[tuple[Any, ...], int] = {}
        for k, row in enumerate(self._raw):  # items of several clusters have equal rows
            first.setdefault(row, k)
        chosen = (k for k in first.values() if _multiset(columns[k]) in wanted)
        found: list[tuple[tuple[Any, ...], int]] = []
        while some := list(islice(chosen, AT_ONCE)):
            place = {self._raw[k]: k for k in some}
            alike = self._frame.filter(either(self._is(row) for row in place))
            best = fetched(alike.sort(self._keys).head(TIES))
            cells = [values(best, f"c{k}") for k in range(len(self._raw[0]))]
            items = zip(*(values(best, key) for key in self._keys), strict=True)
            found += zip(items, (place[row] for row in zip(*cells, strict=True)), strict=True)
        found.sort(key=lambda pair: in_order(pair[0]))
        return [
            Example(
                " / ".join(map(id_text, item)),
                tuple((r, c) for r, c in zip(self._raters, columns[k], strict=True) if c >= 0),
            )
            for item, k in found[:most]
        ]

    def _is(self, row: tuple[Any, ...]) -> nw.Expr:
        """Whether the cells are these."""
        import narwhals as nw

        parts = [part_of(self._frame, f"c{k}", "") for k in range(len(row))]
        return both(
            part.empty if value is None else nw.col(part.name) == value
            for part, value in zip(parts, row, strict=True)
        )


def _multiset(codes: Sequence[int]) -> Multiset:
    return tuple(sorted(code for code in codes if code >= 0))
