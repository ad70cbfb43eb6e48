"""Bootstrap of strengths and ranks: comparisons, items or raters drawn with replacement.

Only counts are drawn: how often each distinct pair and outcome occurs again, or how often each
distinct group of comparisons (an item's, a rater's) does. A draw in which wins no longer link
the systems has no strengths; such draws are counted and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import UsageError, one_of
from assay.estimate import Interval, Undefined
from assay.preference.bradley_terry import (
    BradleyTerry,
    maximise,
    model_of,
    normalised,
    problem_of,
)
from assay.preference.connected import all_connected, recedes
from assay.preference.counts import PairCounts
from assay.preference.model import Comparisons, Ints
from assay.preference.newton import inverse_information

Floats = npt.NDArray[np.float64]

UNITS = ("comparisons", "items", "raters")
LEAST = 100
SPARSE = 8
"""With fewer comparisons a cell than this, comparisons are drawn one by one."""
NEAR = 1e-10
"""Draws are fitted until wins observed and expected differ by less, per comparison."""

CHUNK_CELLS = 1 << 22
"""Resamples are fitted together as long as their tables have no more cells than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """Log strengths in the resamples that have them.

    Attributes
    ----------
    logs
        Shape (resamples with strengths, systems); NaN for systems without one.
    shares
        The same as strengths that sum to 1 in each part.
    unit, clusters
        What was drawn, and how many there are of it.
    resamples, undefined, seed
        How many were drawn, and in how many of them there are no strengths.
    """

    logs: Floats
    shares: Floats
    unit: str
    clusters: int
    resamples: int
    undefined: int
    seed: int

    @property
    def method(self) -> str:
        return (
            f"percentile bootstrap over {self.unit}, {self.resamples} resamples, seed {self.seed}"
        )

    def interval(self, system: int, level: float) -> Interval | None:
        """The percentile interval of a strength; None if fewer than two draws have one."""
        values = self.shares[:, system]
        if len(values) < 2 or np.isnan(values).any():
            return None
        low, high = np.quantile(values, [(1.0 - level) / 2.0, (1.0 + level) / 2.0]).tolist()
        return Interval(level, low, high, self.method, self.resamples, self.undefined)


def check_unit(unit: str | None, comparisons: Comparisons) -> str:
    """What is drawn: as asked for, else items where they are known, else comparisons."""
    if unit is None:
        return "comparisons" if comparisons.item is None else "items"
    one_of(unit, UNITS, "resample")
    column = {"items": comparisons.item, "raters": comparisons.rater}.get(unit)
    if unit != "comparisons" and column is None:
        raise UsageError(f"resample: {unit} cannot be drawn, since no column names them.")
    return unit


def resample(
    comparisons: Comparisons,
    counts: PairCounts,
    fitted: BradleyTerry,
    *,
    unit: str,
    resamples: int,
    seed: int,
) -> Resampled | Undefined:
    """Fit ``resamples`` draws of the data; of one unit alone nothing can be drawn."""
    if isinstance(resamples, bool) or resamples < LEAST:
        raise UsageError(f"bootstrap: a whole number from {LEAST} is needed, not {resamples!r}.")
    rng = np.random.default_rng(seed)
    clusters, drawn = _drawer(comparisons, counts, unit, rng)
    if clusters < 2:
        return Undefined(
            "single_unit", f"there is one of {unit} only, and resampling it gives it again"
        )
    start = np.array([[0.0 if x is None else x for x in fitted.log_strengths]])
    gone = np.array([x is None for x in fitted.log_strengths])
    within = fitted.parts.of
    tie = fitted.tie_parameter or None
    known = np.full(1, 0.0 if tie is None else np.log(tie))
    whole = problem_of(counts, fitted.parts, counts.table[None].astype(np.float64), fitted.model)
    borrowed = None
    if not gone.all():
        borrowed = inverse_information(model_of(whole, fitted.model), start, known)
    logs, undefined = [], 0
    cells = max(counts.k * counts.k, 3 * len(counts.a), 1)
    at_once = max(1, min(resamples, CHUNK_CELLS // cells))
    for first in range(0, resamples, at_once):
        tables = drawn(min(at_once, resamples - first))
        ok = _fits(tables, counts, fitted)
        undefined += int(np.count_nonzero(~ok))
        for rows, made in _problems(tables[ok], counts, fitted) if not gone.all() else ():
            like = bool(made.tied.any()) or tie is None
            solution = maximise(
                made,
                fitted.model,
                np.repeat(start, len(rows), axis=0),
                np.repeat(known, len(rows)),
                tolerance=NEAR,
                polish=False,
                borrowed=borrowed if like else None,
            )
            undefined += int(np.count_nonzero(~solution.converged))
            logs.append(solution.strengths[solution.converged])
    stacked = np.concatenate(logs) if logs else np.zeros((0, counts.k))
    shares = normalised(stacked, within) if len(stacked) else stacked.copy()
    stacked[:, gone] = np.nan
    shares[:, gone] = np.nan
    return Resampled(stacked, shares, unit, clusters, resamples, undefined, seed)


def _problems(
    tables: Floats, counts: PairCounts, fitted: BradleyTerry
) -> Iterator[tuple[Ints, Any]]:
    """Draws with and without ties apart, since a model of ties is another one without them."""
    made = problem_of(counts, fitted.parts, tables, fitted.model)
    tied = made.tied.sum(axis=1) > 0
    for rows in (np.flatnonzero(tied), np.flatnonzero(~tied)):
        if len(rows):
            yield rows, made.part(rows)


def _fits(tables: Floats, counts: PairCounts, fitted: BradleyTerry) -> npt.NDArray[np.bool_]:
    """Which draws have finite strengths in all parts that the data have."""
    won, tied, lost = (tables[:, :, c] > 0 for c in range(3))
    wins = np.zeros((len(tables), counts.k, counts.k), dtype=bool)
    ties = np.zeros_like(wins)
    wins[:, counts.a, counts.b], wins[:, counts.b, counts.a] = won, lost
    ties[:, counts.a, counts.b] = ties[:, counts.b, counts.a] = tied
    ok = all_connected(wins if fitted.model == "drop" else wins | ties, fitted.parts.of)
    if fitted.model in ("half", "drop"):
        return ok
    inside = fitted.parts.of[:, None] == fitted.parts.of[None, :]
    # A pair with wins both ways settles it; only draws without one need the longer look.
    both = (won & lost & (fitted.parts.of[counts.a] == fitted.parts.of[counts.b])).any(axis=1)
    for r in np.flatnonzero(ok & ~both):
        w, t = wins[r] & inside, ties[r] & inside
        ok[r] = w.any() and (not t.any() or not recedes(w, t))
    return ok


def _drawer(
    comparisons: Comparisons, counts: PairCounts, unit: str, rng: np.random.Generator
) -> tuple[int, Any]:
    """How many units there are, and a function that draws tables of shape (times, pairs, 3)."""
    pairs = len(counts.a)
    if unit == "comparisons":
        flat = counts.table.reshape(-1)
        used = np.flatnonzero(flat)
        share = flat[used] / counts.n
        # Whichever is less work: a draw a cell, or a draw a comparison.
        each = np.repeat(used, flat[used]) if counts.n < SPARSE * len(used) else None

        def draw(times: int) -> Floats:
            out = np.zeros((times, 3 * pairs))
            if each is None:
                out[:, used] = rng.multinomial(counts.n, share, size=times)
            else:
                for row in out:
                    row += np.bincount(each[rng.integers(counts.n, size=counts.n)], None, 3 * pairs)
            return out.reshape(times, pairs, 3)

        return counts.n, draw
    column = comparisons.item if unit == "items" else comparisons.rater
    if column is None:
        raise UsageError(f"resample: {unit} cannot be drawn, since no column names them.")
    k = counts.k
    swapped = comparisons.left > comparisons.right
    result = np.where(swapped, 1 + comparisons.outcome, 1 - comparisons.outcome)
    cell = np.searchsorted(counts.a * k + counts.b, comparisons.pair) * 3 + result
    pattern, times_seen = _patterns(column.codes, cell, 3 * pairs)
    total = int(times_seen.sum())
    chance = times_seen / total

    def draw_clusters(times: int) -> Floats:
        chosen = rng.multinomial(total, chance, size=times).astype(np.float64)
        return np.asarray((pattern.T @ chosen.T).T).reshape(times, pairs, 3)

    return total, draw_clusters


def _patterns(cluster: Ints, cell: Ints, cells: int) -> tuple[Any, Ints]:
    """The distinct groups of comparisons, as sparse counts of cells, and how often each occurs."""
    from scipy.sparse import csr_array, vstack

    order = np.lexsort((cell, cluster))
    cluster, cell = cluster[order], cell[order]
    begin = np.flatnonzero(np.diff(cluster, prepend=-1))
    size = np.diff(begin, append=len(cluster))
    found, often = [], []
    for n in np.unique(size):
        rows = cell[begin[size == n][:, None] + np.arange(n)]
        distinct, times = np.unique(rows, axis=0, return_counts=True)
        at = np.arange(len(distinct) + 1) * n
        ones = np.ones(distinct.size)
        made = csr_array((ones, distinct.reshape(-1), at), shape=(len(distinct), cells))
        found.append(made)
        often.append(times)
    return vstack(found, format="csr"), np.concatenate(often).astype(np.int64)
