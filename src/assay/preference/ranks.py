"""Ranks with intervals, and runs of systems that the data do not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.preference.bradley_terry import BradleyTerry
from assay.preference.resample import Resampled

MOST = 300
"""Beyond this many systems, pairs are not told apart one by one."""

SAME = 1e-9
"""Log strengths nearer than this are one strength in another order of additions."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranks inside the parts.

    Attributes
    ----------
    ranks
        For each system 1 + the number of stronger ones in its part; None without a strength.
    intervals
        For each system the lowest and highest rank at the level; None without resamples.
    differences
        For two systems by number: the interval of the first's log strength minus the other's.
    clusters
        Longest runs of the ranking in which no two systems are told apart.
    """

    ranks: tuple[int | None, ...]
    intervals: tuple[tuple[int, int] | None, ...]
    differences: dict[tuple[int, int], tuple[float, float]]
    clusters: tuple[tuple[int, ...], ...] | None


def ranked(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Ranks along the last axis, 1 for the largest; equal values share the best rank.

    >>> ranked(np.array([0.2, 0.5, 0.2, -1.0])).tolist()
    [2, 1, 2, 4]
    """
    rising = np.sort(values, axis=-1)
    if values.ndim == 1:
        above = len(values) - np.searchsorted(rising, values + SAME, side="right")
        return np.asarray(above + 1, dtype=np.int64)
    return np.stack([ranked(row) for row in values])


def rank(fitted: BradleyTerry, resampled: Resampled | None, level: float) -> Ranking:
    """Rank the systems, part by part."""
    k = len(fitted.systems)
    ranks: list[int | None] = [None] * k
    intervals: list[tuple[int, int] | None] = [None] * k
    differences: dict[tuple[int, int], tuple[float, float]] = {}
    clusters: list[tuple[int, ...]] = []
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    logs = np.array([np.nan if x is None else x for x in fitted.log_strengths])
    usable = resampled is not None and len(resampled.logs) > 1
    few = k <= MOST
    for part in fitted.parts.members:
        there = np.array([s for s in part if not np.isnan(logs[s])], dtype=np.int64)
        if not len(there):
            continue
        for s, r in zip(there.tolist(), ranked(logs[there]).tolist(), strict=True):
            ranks[s] = r
        if resampled is None or not usable:
            continue
        drawn = resampled.logs[:, there]
        places = ranked(drawn)
        low = np.quantile(places, tails[0], axis=0, method="lower")
        high = np.quantile(places, tails[1], axis=0, method="higher")
        for s, x, y in zip(there.tolist(), low.tolist(), high.tolist(), strict=True):
            intervals[s] = (int(x), int(y))
        if few:
            order = there[np.lexsort((there, -logs[there]))].tolist()
            place = {s: n for n, s in enumerate(there.tolist())}
            for n, s in enumerate(order[:-1]):
                others = order[n + 1 :]
                gaps = drawn[:, [place[s]]] - drawn[:, [place[o] for o in others]]
                for o, x, y in zip(others, *np.quantile(gaps, tails, axis=0).tolist(), strict=True):
                    differences[s, o] = (x, y)
            clusters += runs(order, differences)
    made = tuple(clusters) if usable and few else None
    return Ranking(tuple(ranks), tuple(intervals), differences, made)


def runs(
    order: Sequence[int], differences: dict[tuple[int, int], tuple[float, float]]
) -> list[tuple[int, ...]]:
    """Longest runs of an order in which every difference's interval holds 0.

    >>> told = {(0, 1): (-1, 1), (1, 2): (-1, 1), (0, 2): (0.5, 2)}
    >>> runs([0, 1, 2], told)
    [(0, 1), (1, 2)]
    """
    out: list[tuple[int, ...]] = []
    start, reach = 0, 0
    for end in range(len(order)):
        begin = start
        for other in range(end - 1, start - 1, -1):
            low, high = differences[order[other], order[end]]
            if not low <= 0.0 <= high:
                begin = other + 1
                break
        if begin > start:
            out.append(tuple(order[start:reach]))
            start = begin
        reach = end + 1
    return [*out, tuple(order[start:reach])]
