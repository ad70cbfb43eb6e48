"""Hypothesis strategies for ratings."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Rows = list[list[Any]]


@st.composite
def matrices(
    draw: st.DrawFn,
    *,
    labels: st.SearchStrategy[Any] | None = None,
    items: tuple[int, int] = (1, 9),
    raters: tuple[int, int] = (2, 4),
    missing: bool = True,
) -> Rows:
    """Items × raters; None where a rating is missing."""
    label = st.integers(1, 4) if labels is None else labels
    cell = st.one_of(label, label, label, st.none()) if missing else label
    width = draw(st.integers(*raters))
    row = st.lists(cell, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=items[0], max_size=items[1]))


@st.composite
def tables(
    draw: st.DrawFn, *, size: tuple[int, int] = (2, 4), cells: st.SearchStrategy[Any] | None = None
) -> Rows:
    """Two raters' contingency tables with at least one item."""
    cell = st.integers(0, 12) if cells is None else cells
    k = draw(st.integers(*size))
    table = draw(
        st.lists(st.lists(cell, min_size=k, max_size=k), min_size=k, max_size=k).filter(
            lambda rows: any(any(row) for row in rows)
        )
    )
    return [list(row) for row in table]


@st.composite
def counts(draw: st.DrawFn, *, raters: int | None = None) -> Rows:
    """Items × categories; every row adds up to ``raters`` where that is given."""
    q = draw(st.integers(2, 4))
    if raters is None:
        row = st.lists(st.integers(0, 4), min_size=q, max_size=q)
        return draw(st.lists(row, min_size=1, max_size=9))
    picks = st.lists(st.integers(0, q - 1), min_size=raters, max_size=raters)
    rows = draw(st.lists(picks, min_size=1, max_size=9))
    return [[row.count(k) for k in range(q)] for row in rows]
