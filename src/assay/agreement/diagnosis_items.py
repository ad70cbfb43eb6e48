"""How far the ratings of each item agree, and the items on which they agree least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.agreement.registry import NUMERIC, Context
from assay.ratings.categories import Floats
from assay.ratings.crowd import Examples
from assay.ratings.model import Block, Ratings
from assay.ratings.patterns import Patterns, multisets

HARDEST = 10
MAX_ITEMS = 1_000_000
"""The most items of which the names are looked up."""
WORK = 400_000_000
"""The most pairs of ratings that are looked at for the hardest items."""
SIDE_BY_SIDE = 200
"""The most ratings of one item that are listed."""
BINS = 10
PIECE = 1 << 16
"""Items that are looked at at a time."""

AGREEMENT, DISTANCE = "agreement", "distance"


@dataclass(frozen=True, slots=True)
class Hard:
    """An item, its figure, and what it was given.

    Attributes
    ----------
    item
        Its name.
    figure
        In the measure of :func:`measure`.
    ratings
        (rater or None where nobody knows, label's code).
    """

    item: str
    figure: float
    ratings: tuple[tuple[str | None, int], ...]


@dataclass(frozen=True, slots=True)
class Bin:
    """Items whose figure lies from ``low`` to ``high``; equal where it is one value."""

    low: float
    high: float
    items: Fraction


def measure(context: Context) -> str:
    """What is said of an item.

    "agreement", the share of its pairs of ratings that agree (weighted as the report is); or,
    where labels lie on a line, "distance", the root of the mean squared distance of two of its
    ratings: in the labels' own unit, in steps where they are ordered only.
    """
    on_a_line = context.scale == "ordinal" or (
        context.scale in NUMERIC and context.made.categories.numeric
    )
    return DISTANCE if on_a_line and context.weights.identity else AGREEMENT


def _places(context: Context) -> Floats:
    """A place on the line for each label."""
    categories = context.made.categories
    if context.scale == "ordinal":
        return np.arange(len(categories), dtype=np.float64)
    return np.asarray(categories.numbers, dtype=np.float64)


def spread_of_items(context: Context) -> list[Bin]:
    """How many items have which figure, from the lowest; for items of two ratings or more."""
    p = context.made.patterns
    two = p.sizes >= 2
    if not two.any():
        return []
    if measure(context) == DISTANCE:
        figures = _pattern_distance(p, _places(context))[two]
    else:
        figures = context.pool.item_observed[two]
    weights = p.multiplicity[two]
    # Figures that differ by rounding only are one.
    _, first, inverse = np.unique(np.round(figures, 12), return_index=True, return_inverse=True)
    values = figures[first]
    if values.size <= BINS + 1:
        counts = _whole(inverse, weights, values.size)
        edges = [(v, v) for v in values.tolist()]
    else:
        top = 1.0 if measure(context) == AGREEMENT else float(values[-1])
        cuts = np.linspace(min(0.0, float(values[0])), top, BINS + 1)
        where = np.clip(np.searchsorted(cuts, values, side="right") - 1, 0, BINS - 1)
        counts = _whole(where[inverse], weights, BINS)
        edges = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
    return [
        Bin(low, high, Fraction(n, p.denominator))
        for (low, high), n in zip(edges, counts, strict=True)
    ]


def _whole(where: npt.NDArray[Any], weights: npt.NDArray[Any], size: int) -> list[int]:
    out = np.zeros(size, dtype=np.int64)
    np.add.at(out, where.ravel(), weights)
    return [int(n) for n in out]


def _pattern_distance(p: Patterns, places: Floats) -> Floats:
    x = places[p.labels]
    # The mean is taken out first: squares of years would lose the difference of two years.
    mean = p.sum(p.counts * x) / p.sizes
    square = p.sum(p.counts * (x - mean[p.owner]) ** 2)
    return np.asarray(np.sqrt(2.0 * square / np.maximum(p.sizes - 1, 1)))


def hardest(context: Context, most: int = HARDEST) -> list[Hard] | str:
    """The items on which raters agree least, ties in the order of the items; or why none.

    Items on which all ratings are equal are none of them.
    """
    ratings = context.made.ratings
    if not isinstance(ratings, Ratings) or ratings.reading.layout == "table":
        return "a contingency table does not say which items are in its cells"
    if ratings.examples is not None:
        return _of_patterns(context, ratings.examples, most)
    if any(block.weights is not None for block in ratings.blocks):
        return "rows that stand for several items do not say which"
    if sum(block.n for block in ratings.blocks) > MAX_ITEMS:
        return f"there are more than {MAX_ITEMS:,} items"
    if sum(b.n * b.labels.shape[0] * (b.labels.shape[0] - 1) // 2 for b in ratings.blocks) > WORK:
        return "there are too many pairs of ratings"
    low = measure(context) == AGREEMENT
    bins = spread_of_items(context)
    if not bins:
        return []
    # Figures that differ by rounding only are ties, in whatever unit they are.
    unit = bins[-1].high or 1.0
    worst = (bins[0].low if low else -bins[-1].high) / unit
    found: list[tuple[float, int, float, Block, int]] = []
    for block, numbers, ordered in _pieces(ratings.blocks):
        figures = _agreement(block, context) if low else _distance(block, _places(context))
        apart = (figures < 1.0) if low else (figures > 0.0)
        rank = np.round((figures if low else -figures) / unit, 12)
        found += [
            (float(rank[i]), int(numbers[i]), float(figures[i]), block, i)
            for i in _least(np.where(apart, rank, np.nan), numbers, most)
        ]
        # Later items cannot be worse than the worst, nor come before these.
        if ordered and sum(one[0] <= worst + 1e-9 for one in found) >= most:
            break
    found.sort(key=lambda one: one[:2])
    names = ratings.items if found else ()
    return [
        Hard(str(names[number]), figure, _side_by_side(block, i, ratings.raters))
        for _, number, figure, block, i in found[:most]
    ]


def _of_patterns(context: Context, examples: Examples, most: int) -> list[Hard]:
    """The hardest items where few names are kept: the worst patterns, ties by name."""
    p = context.made.patterns
    low = measure(context) == AGREEMENT
    figures = context.pool.item_observed if low else _pattern_distance(p, _places(context))
    starts = np.append(p.starts, p.labels.size)
    many = np.diff(starts) > 1
    apart = np.flatnonzero((p.sizes >= 2) & (figures < 1.0 if low else figures > 0.0) & many)
    rank = np.round((figures if low else -figures) / (np.abs(figures).max(initial=0.0) or 1.0), 12)
    found: list[Hard] = []
    for level in np.unique(rank[apart]).tolist():
        same = apart[rank[apart] == level]
        figure_of = dict(zip(multisets(p.take(same)), figures[same].tolist(), strict=True))
        for one in examples.of(figure_of, most - len(found)):
            codes = tuple(sorted(code for _, code in one.ratings))
            found.append(Hard(one.item, figure_of[codes], one.ratings[:SIDE_BY_SIDE]))
        if len(found) >= most:
            break
    return found


def _pieces(blocks: Sequence[Block]) -> Iterator[tuple[Block, npt.NDArray[Any], bool]]:
    """The items a piece at a time, their numbers, and whether all later ones come later."""
    for block in blocks:
        numbers = np.arange(block.n) if block.items is None else block.items
        ordered = len(blocks) == 1 and bool((np.diff(numbers) > 0).all())
        for start in range(0, block.n, PIECE):
            part = slice(start, start + PIECE)
            who = None if block.raters is None else block.raters[:, part]
            yield Block(block.labels[:, part], who), numbers[part], ordered


def _least(rank: Floats, numbers: npt.NDArray[Any], most: int) -> list[int]:
    """The columns with the lowest ranks, NaN left out, ties by number."""
    known = np.flatnonzero(np.isfinite(rank))
    if known.size > most:
        edge = np.partition(rank[known], most - 1)[most - 1]
        known = known[rank[known] <= edge]
    order = np.lexsort((numbers[known], rank[known]))[:most]
    return [int(i) for i in known[order]]


def _agreement(block: Block, context: Context) -> Floats:
    """Shape (items,): the share of agreeing pairs; NaN for fewer than two ratings."""
    labels, weights = block.labels, context.weights
    size = (labels >= 0).sum(axis=0)
    agreeing = np.zeros(block.n)
    if context.made.q <= labels.shape[0] and weights.identity:
        for k in range(context.made.q):
            n = (labels == k).sum(axis=0)
            agreeing += n * (n - 1) / 2
    else:
        for s, t in combinations(range(labels.shape[0]), 2):
            both = (labels[s] >= 0) & (labels[t] >= 0)
            if weights.identity:
                agreeing += both & (labels[s] == labels[t])
            else:
                agreeing += both * weights.matrix[labels[s], labels[t]]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size >= 2, np.minimum(agreeing / (size * (size - 1) / 2), 1.0), np.nan)


def _distance(block: Block, places: Floats) -> Floats:
    """Shape (items,): the root mean squared distance of two ratings."""
    given = block.labels >= 0
    size = given.sum(axis=0)
    x = np.where(given, np.append(places, 0.0)[block.labels], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = x.sum(axis=0) / size
        square = np.where(given, (x - mean) ** 2, 0.0).sum(axis=0)
        out = np.sqrt(2.0 * square / (size - 1))
    equal = np.where(given, block.labels, -1).max(axis=0) == np.where(
        given, block.labels, np.iinfo(block.labels.dtype).max
    ).min(axis=0)
    return np.where(size >= 2, np.where(equal, 0.0, out), np.nan)


def _side_by_side(
    block: Block, item: int, raters: Sequence[str]
) -> tuple[tuple[str | None, int], ...]:
    out = []
    for slot in np.flatnonzero(block.labels[:, item] >= 0).tolist():
        who = slot if block.raters is None else int(block.raters[slot, item])
        out.append((who, int(block.labels[slot, item])))
    if raters:
        out.sort()
    return tuple((raters[who] if raters else None, code) for who, code in out[:SIDE_BY_SIDE])
