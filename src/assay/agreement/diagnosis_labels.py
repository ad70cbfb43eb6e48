"""Which labels raters confuse, and what taking two labels as one would do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.registry import COEFFICIENTS, Context
from assay.estimate import Estimate
from assay.ratings.categories import Floats, Ints
from assay.ratings.model import Block, Ratings
from assay.ratings.patterns import Patterns
from assay.ratings.reductions import Reduced

MAX_LABELS = 50
MERGED_LABELS = 20
"""The most labels of which every two are merged."""
GAIN = 0.1
"""A merge that gains less is not worth a sentence."""
MERGED = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
SURE = 0.05
LISTED = 5
CELLS = 3
"""Confused labels that are listed, and cells of a pair of raters."""


@dataclass(frozen=True, slots=True)
class Confused:
    """Two labels that raters of one item give.

    Attributes
    ----------
    labels
        Their codes.
    pairs
        Pairs of ratings of one item that are these two.
    share
        That as a share of all pairs of ratings that differ.
    by_chance
        The share if ratings that differ fell as often on two labels as the labels are used.
    standard_error
        Of the share, over items.
    stands_out
        Whether the share is above that by more than its error explains (where it is all, by
        more than so many items would give by chance); the level makes up for looking at every
        two labels.
    """

    labels: tuple[int, int]
    pairs: Fraction
    share: float
    by_chance: float
    standard_error: float
    stands_out: bool


@dataclass(frozen=True, slots=True)
class Merge:
    """Two labels taken as one, and the coefficient that would give."""

    labels: tuple[int, int]
    value: float
    gain: float


def together(made: Reduced) -> Ints:
    """Shape (q, q): pairs of ratings of one item by their labels, both orders, × denominator."""
    out = np.zeros((made.q, made.q), dtype=np.int64)
    for r, totals in made.patterns.by_size.items():
        if r >= 2:
            out += made.patterns.coincidences(r) - np.diag(totals.ratings)
    return out


def confused(made: Reduced, counts: Ints) -> list[Confused]:
    """Pairs of labels by how much more often they differ than chance gives, at least two."""
    apart = np.triu(counts, 1)
    total = int(apart.sum())
    rows, columns = np.nonzero(apart)
    used = np.flatnonzero(counts.sum(axis=0))
    # With two labels there is one way to differ, and nothing to be compared.
    if not total or used.size < 3:
        return []
    totals = sum(
        (s.ratings for r, s in made.patterns.by_size.items() if r >= 2), np.zeros(made.q, np.int64)
    )
    of_all = int(totals.sum())
    possible = (of_all**2 - sum(int(t) ** 2 for t in totals)) / 2
    chance = totals[rows] * (totals[columns] / possible)
    share = apart[rows, columns] / total
    order = np.lexsort((columns, rows, chance - share))[:LISTED]
    tries = used.size * (used.size - 1) // 2
    patterns = made.patterns.pairable()
    return [
        _confused(patterns, (int(rows[i]), int(columns[i])), total, float(chance[i]), tries)
        for i in order.tolist()
    ]


def _confused(
    patterns: Patterns, labels: tuple[int, int], total: int, chance: float, tries: int
) -> Confused:
    from scipy.special import ndtri

    counted = [np.zeros(len(patterns), dtype=np.int64) for _ in range(2)]
    for out, code in zip(counted, labels, strict=True):
        mine = patterns.labels == code
        out[patterns.owner[mine]] = patterns.counts[mine]
    here = counted[0] * counted[1]
    apart = (patterns.sizes**2 - patterns.sum(patterns.counts**2)) // 2
    pairs = int((here * patterns.multiplicity).sum())
    share = pairs / total
    spread = float((patterns.weight * (here - share * apart) ** 2).sum())
    error = sqrt(spread) / (total / patterns.denominator)
    if pairs == total:
        # All of them: no error between items, but each item could have fallen elsewhere.
        far = chance ** float(patterns.weight[apart > 0].sum()) < SURE / tries
    else:
        far = share - chance > error * float(ndtri(1.0 - SURE / tries)) and error > 0.0
    count = Fraction(pairs, patterns.denominator)
    return Confused(labels, count, share, chance, error, far)


@dataclass(frozen=True, slots=True)
class ConfusedCell:
    """A cell off the diagonal of two raters' table that is above what chance gives.

    Attributes
    ----------
    labels
        Codes of the first rater's label and of the second's.
    items, by_chance
        How many items are in it, and how many would be if the raters knew nothing of each other.
    stands_out
        Whether its adjusted residual (Haberman 1973) says so, at a level that makes up for
        looking at every cell.
    """

    labels: tuple[int, int]
    items: Fraction
    by_chance: float
    stands_out: bool


def confused_cells(cells: Cells) -> list[ConfusedCell]:
    """Cells off the diagonal above what chance gives, the largest surplus first."""
    off = cells.a != cells.b
    if not off.any():
        return []
    a, b, n = cells.a[off], cells.b[off], cells.n[off]
    rows, columns = cells.rows[a], cells.columns[b]
    chance = rows * (columns / cells.total)
    order = np.lexsort((b, a, chance - n))[:CELLS]
    sure = _sure(cells)
    out = []
    for i in order.tolist():
        # Whole numbers decide, so that equality is never a surplus.
        if int(n[i]) * cells.total <= int(rows[i]) * int(columns[i]):
            continue
        left = (1.0 - rows[i] / cells.total) * (1.0 - columns[i] / cells.total)
        error = sqrt(float(chance[i] * left) / cells.denominator)
        surplus = float(n[i] - chance[i]) / cells.denominator
        out.append(
            ConfusedCell(
                (int(a[i]), int(b[i])),
                Fraction(int(n[i]), cells.denominator),
                float(chance[i]) / cells.denominator,
                surplus > sure * error > 0.0,
            )
        )
    return out


def _sure(cells: Cells) -> float:
    """The quantile that a residual has to pass."""
    from scipy.special import ndtri

    tries = np.count_nonzero(cells.rows) * np.count_nonzero(cells.columns)
    return float(ndtri(1.0 - SURE / max(1, int(tries))))


def merges(context: Context, main: Estimate) -> list[Merge]:
    """Every two labels in use taken as one, the largest gain first."""
    if not mergeable(context, main):
        return []
    used = np.flatnonzero(_used(context.made))
    if not 3 <= used.size <= MERGED_LABELS or main.value is None:
        return []
    values = _values(context, main.name)
    found = []
    for a, b in combinations(used.tolist(), 2):
        value = values[a, b]
        if np.isfinite(value):
            found.append(Merge((a, b), float(value), float(value) - main.value))
    return sorted(found, key=lambda one: (-one.gain, one.labels))


def mergeable(context: Context, main: Estimate) -> bool:
    """Whether merging is a question here: names as labels, and no weights between them."""
    return (
        context.scale == "nominal"
        and context.weights.identity
        and context.metric in (None, "nominal")
        and main.name in MERGED
        and (main.name != "fleiss_kappa" or context.estimator == "gwet")
    )


def _used(made: Reduced) -> Ints:
    out = np.zeros(made.q, dtype=np.int64)
    out[made.patterns.labels] = 1
    return out


def _values(context: Context, name: str) -> Floats:
    """Shape (q, q): the coefficient with two labels taken as one, NaN where it has no value."""
    made = context.made
    if name == "cohen_kappa":
        table, n = context.cells.dense(), context.cells.total
        rows, columns = context.cells.rows, context.cells.columns
        observed = (context.cells.agreeing + table + table.T) / n
        crossed = np.outer(rows / n, columns / n)
        expected = float(np.trace(crossed)) + crossed + crossed.T
        return _beyond(observed, expected)
    if name == "fleiss_kappa":
        pool = context.unweighted
        added = np.zeros((made.q, made.q))
        for r in (r for r in made.patterns.by_size if r >= 2):
            added += 2.0 * made.patterns.coincidences(r) / (r * (r - 1))
        shares = pool.mean_shares.floats
        items = float(pool.n2) * made.denominator
        return _beyond(
            float(pool.observed) + added / items,
            float(shares @ shares) + 2.0 * np.outer(shares, shares),
        )
    within, totals = np.zeros((made.q, made.q)), np.zeros(made.q)
    for r, sums in made.patterns.by_size.items():
        if r >= 2:
            alone = np.diag(sums.ratings)
            within += (made.patterns.coincidences(r) - alone) / (r - 1) / made.denominator
            totals += sums.ratings / made.denominator
    n = totals.sum()
    same = float(np.trace(within)) + 2.0 * within
    spread = n**2 - float(totals @ totals) - 2.0 * np.outer(totals, totals)
    with np.errstate(divide="ignore", invalid="ignore"):
        out = 1.0 - (n - 1.0) * (n - same) / spread
    return np.where(spread > 1e-9 * n**2, out, np.nan)


def _beyond(observed: Floats, expected: Floats) -> Floats:
    left = 1.0 - expected
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(left > 1e-9, (observed - expected) / left, np.nan)


def merged(context: Context, name: str, labels: tuple[int, int]) -> Estimate:
    """The coefficient of the ratings with the second label read as the first."""
    made = context.made
    ratings = made.ratings
    if not isinstance(ratings, Ratings):
        raise TypeError("labels are merged in ratings, not in counts")
    a, b = labels
    blocks = tuple(
        Block(
            np.where(block.labels == b, block.labels.dtype.type(a), block.labels),
            block.raters,
            block.items,
            block.weights,
        )
        for block in made.blocks
    )
    other = Context(
        Reduced(
            replace(ratings, blocks=blocks)
            if ratings.crowd is None
            else replace(ratings, blocks=blocks, raters=(), crowd=None)
        ),
        scale="nominal",
        metric=context.metric,
        estimator=context.estimator,
    )
    return COEFFICIENTS[name](other)


def sharp(context: Context, main: Estimate, found: list[Merge], level: float) -> Merge | None:
    """The merge that raises the coefficient sharply, or None.

    By :data:`GAIN` or more, and so that the interval excludes the value as it is; the level
    makes up for the choice of the best of all merges.
    """
    if not found or found[0].gain < GAIN or main.value is None:
        return None
    interval = merged(context, main.name, found[0].labels).interval(
        1.0 - (1.0 - level) / len(found)
    )
    return found[0] if interval is not None and interval.low > main.value else None
