"""Which pairs of raters come first: the lowest value, of those that share enough items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.numbers import count, counted
from assay.report.render import Summary

ENOUGH = 10
"""A pair that shares so many items is never put behind others for sharing few."""

Pair = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Pairs in the order of the report; the last ``few`` share fewer than ``least`` items."""

    pairs: Sequence[Pair]
    few: int
    least: int

    def remark(self) -> str:
        """What is said of pairs that share few items, or nothing if there are none."""
        if not self.few:
            return ""
        verb = "shares" if self.few == 1 else "share"
        last = "it comes last" if self.few == 1 else "they come last"
        return f"{counted(self.few, 'pair')} {verb} fewer than {self.least} items: {last}"


def kappa(pair: Pair) -> float | None:
    """The value by which pairs are ranked where labels are names."""
    value: float | None = pair.get("cohen_kappa")
    return value


def ranked(pairs: Sequence[Pair], value: Callable[[Pair], float | None] = kappa) -> Ranking:
    """The pairs from the lowest value up, those that share few items behind.

    Few is fewer than ten, or than half the median where that is less. The median is that of
    the shared items, each under the size of its pair: in a crowd most pairs share next to
    nothing, and their own median would say that this is enough.

    >>> crowd = [{"items": n, "cohen_kappa": k} for n, k in ((2, -1.0), (40, 0.5), (50, 0.4))]
    >>> [pair["items"] for pair in ranked(crowd).pairs], ranked(crowd).remark()
    ([50, 40, 2], '1 pair shares fewer than 10 items: it comes last')
    """
    least = min(ENOUGH, math.ceil(_median([pair.get("items") or 0 for pair in pairs]) / 2))

    def few(pair: Pair) -> bool:
        return (pair.get("items") or 0) < least

    def rank(pair: Pair) -> tuple[bool, bool, float]:
        got = value(pair)
        return few(pair), got is None, got or 0.0

    return Ranking(sorted(pairs, key=rank), sum(map(few, pairs)), least)


def _median(sizes: Sequence[float]) -> float:
    """The size of the pair in which the middle one of all shared items lies."""
    half, below = sum(sizes) / 2, 0.0
    for size in sorted(sizes):
        below += size
        if below >= half:
            return size
    return 0


def left_out(summary: Summary) -> str:
    """What is said of pairs that were too many to be listed in the summary."""
    hidden = summary.get("pairs_left_out") or 0
    if not hidden:
        return ""
    if summary.get("pairs"):
        return f"{counted(hidden, 'more pair')}: too many for the report"
    return f"{count(hidden)} pairs of raters: too many to be listed one by one"
