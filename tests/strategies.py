"""Hypothesis strategies for ratings and for spans."""

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


@st.composite
def tag_rows(
    draw: st.DrawFn,
    *,
    letters: str = "BI",
    types: tuple[str, ...] = ("A", "B"),
    sides: int = 1,
    sentences: tuple[int, int] = (1, 4),
    tokens: tuple[int, int] = (0, 7),
) -> list[list[list[str]]]:
    """Rows of tags, legal or not, of the same sentences on each side."""
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in types)]
    lengths = draw(st.lists(st.integers(*tokens), min_size=sentences[0], max_size=sentences[1]))
    return [
        [draw(st.lists(st.sampled_from(tags), min_size=n, max_size=n)) for n in lengths]
        for _ in range(sides)
    ]


@st.composite
def any_spans(
    draw: st.DrawFn,
    *,
    sentences: int = 2,
    size: int = 7,
    most: int = 6,
    types: tuple[str, ...] = ("A", "B"),
    split: bool = True,
) -> list[tuple[Any, ...]]:
    """Spans that may touch, nest, overlap, come twice, or have gaps; in any order."""
    sentence, kind = st.integers(0, sentences - 1), st.sampled_from(types)
    edges = st.lists(st.integers(0, size), min_size=2, max_size=2, unique=True).map(sorted)
    whole = st.tuples(sentence, edges, kind).map(lambda x: (x[0], x[1][0], x[1][1], x[2]))
    if not split:
        return draw(st.lists(whole, max_size=most))
    four = st.lists(st.integers(0, size + 1), min_size=4, max_size=4, unique=True).map(sorted)
    gap = st.tuples(sentence, four, kind).map(
        lambda x: (x[0], ((x[1][0], x[1][1]), (x[1][2], x[1][3])), x[2])
    )
    return draw(st.lists(st.one_of(whole, whole, gap), max_size=most))
