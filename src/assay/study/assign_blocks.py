"""Who rates which unit: equal loads, and raters who meet as evenly as the numbers allow.

Units are in classes (a system, a pair of systems, a stratum). Three things hold exactly, for
any numbers with k ≤ R: each unit has k different raters; the raters' loads differ by at most
1; so do their loads in each class. How often two raters share a unit is then made as even
as a search finds it: an even solution need not exist, and finding one is hard in general.

R: raters; k: ratings of a unit; q: what a rater still has to get of a class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

from assay.study.assign_random import Stream

ATTEMPTS = 60
"""Exchanges tried for each rating in the search for even overlap, and at most …"""
MOST_ATTEMPTS = 300_000

BLOCKS = 5_000
"""Up to so many blocks are all looked at; where there are more, some are grown …"""
SAMPLED = 20


def quotas(sizes: Sequence[int], k: int, raters: Sequence[int]) -> list[list[int]]:
    """How many units of each class each rater gets.

    The ratings of all classes stand in one row, and raters take them in turn: any stretch of
    the row, so each class and the whole, is shared out with differences of at most 1.

    >>> quotas([3, 2], 2, [0, 1, 2, 3])
    [[2, 2, 1, 1], [1, 1, 1, 1]]
    """
    out, at = [], 0
    for size in sizes:
        full, rest = divmod(size * k, len(raters))
        row = [full] * len(raters)
        for step in range(rest):
            row[raters[(at + step) % len(raters)]] += 1
        at += rest
        out.append(row)
    return out


class Overlap:
    """How many units each two raters share; ``of[a][b]`` = ``of[b][a]``."""

    __slots__ = ("of",)

    def __init__(self, raters: int) -> None:
        self.of = [[0] * raters for _ in range(raters)]

    def add(self, together: Sequence[int], sign: int = 1) -> None:
        """Count one unit more (or less) that these raters share."""
        for a in together:
            row = self.of[a]
            for b in together:
                if a != b:
                    row[b] += sign

    def even(self) -> bool:
        """Whether no two pairs differ by more than 1."""
        lowest, highest = self.range()
        return highest - lowest <= 1

    def range(self) -> tuple[int, int]:
        """The fewest and the most units that two raters share."""
        cells = [n for a, row in enumerate(self.of) for b, n in enumerate(row) if a < b]
        return (min(cells), max(cells)) if cells else (0, 0)


def deal(
    classes: Sequence[Sequence[int]], k: int, raters: int, stream: Stream, overlap: Overlap
) -> dict[int, list[int]]:
    """The raters of each unit.

    Parameters
    ----------
    classes
        The units of each class, by number, in the order in which they are given out.
    k, raters
        Ratings of a unit, and how many raters there are.
    stream, overlap
        Chance; and what the raters share already, which is added to.
    """
    order = stream.shuffled(range(raters))
    given: dict[int, list[int]] = {}
    for units, quota in zip(classes, quotas([len(c) for c in classes], k, order), strict=True):
        cyclic = len(units) - len(units) % raters if 1 < k < raters else 0
        for start in range(0, cyclic, raters):
            first = _first_block(order, k, stream, overlap.of)
            for unit, turn in zip(
                units[start : start + raters], stream.shuffled(range(raters)), strict=True
            ):
                given[unit] = sorted(order[(place + turn) % raters] for place in first)
                overlap.add(given[unit])
        left = [q - k * (cyclic // raters) for q in quota]
        for place in range(cyclic, len(units)):
            given[units[place]] = _pick(left, len(units) - place, k, stream, overlap.of)
            overlap.add(given[units[place]])
    _even_out(classes, given, k, stream, overlap)
    return given


def _first_block(
    order: Sequence[int], k: int, stream: Stream, shared: list[list[int]]
) -> tuple[int, ...]:
    """The block whose R turns around the circle of raters leave the overlap most even.

    Turning a block adds to each two raters as many units as the block has pairs at their
    distance. Where every distance comes equally often, which is a difference set, the turns
    are a balanced incomplete block design.
    """
    n = len(order)
    # How much raters at each distance share, over all places of the circle.
    met = [sum(shared[order[a]][order[(a + d) % n]] for a in range(n)) for d in range(n)]
    if math.comb(n - 1, k - 1) <= BLOCKS:
        blocks: Iterable[tuple[int, ...]] = ((0, *b) for b in combinations(range(1, n), k - 1))
    else:
        blocks = [_grown(met, k, stream) for _ in range(SAMPLED)]

    def cost(block: tuple[int, ...]) -> int:
        times = [0] * n
        for a in block:
            for b in block:
                times[a - b] += 1
        return sum(2 * met[d] * times[d] + n * times[d] ** 2 for d in range(1, n) if times[d])

    return min(blocks, key=cost)


def _grown(met: Sequence[int], k: int, stream: Stream) -> tuple[int, ...]:
    """A block that grows by the place whose distances to it are the rarest so far."""
    n = len(met)
    times = [2 * m // n for m in met]
    block = [0]
    while len(block) < k:
        able = stream.shuffled([x for x in range(1, n) if x not in block])
        # Its first place after 0 is left to chance, so that several blocks can be compared.
        best = able[0]
        if len(block) > 1:
            best = min(
                able, key=lambda x: sum(times[x - b] ** 2 + times[b - x] ** 2 for b in block)
            )
        for b in block:
            times[best - b] += 1
            times[b - best] += 1
        block.append(best)
    return tuple(block)


def _pick(
    quota: list[int], left: int, k: int, stream: Stream, shared: list[list[int]]
) -> list[int]:
    """The k raters of the next of ``left`` units; their quotas go down.

    A rater who needs all units that are left has to be among them. With those in, all others
    can be chosen freely: quotas never exceed the units left, so no choice leads nowhere.
    """
    chosen = [rater for rater, q in enumerate(quota) if q == left]
    able = [rater for rater, q in enumerate(quota) if 0 < q < left]
    if len(chosen) < k:
        able = stream.shuffled(able)
    while len(chosen) < k:
        # Those who have met the others least; among them who has most to come.
        best = min(able, key=lambda r: (sum(shared[r][c] for c in chosen), -quota[r]))
        able.remove(best)
        chosen.append(best)
    for rater in chosen:
        quota[rater] -= 1
    return sorted(chosen)


def _even_out(
    classes: Sequence[Sequence[int]],
    given: dict[int, list[int]],
    k: int,
    stream: Stream,
    overlap: Overlap,
) -> None:
    """Exchange raters between units of a class while that makes the overlap no less even.

    The sum of squares of the overlaps is what goes down: their sum is fixed, so it is least
    where they are most even. Exchanges that leave it as it is are made too, as a way on.
    """
    of = overlap.of
    open_ = [list(units) for units in classes if len(units) > 1]
    if not open_ or k < 2 or k == len(of) or overlap.even():
        return
    ends = [0]
    for units in open_:
        ends.append(ends[-1] + len(units))
    places = [units for units in open_ for _ in units]
    for attempt in range(min(ATTEMPTS * k * ends[-1], MOST_ATTEMPTS)):
        units = places[stream.below(len(places))]
        u, v = units[stream.below(len(units))], units[stream.below(len(units))]
        a, b = given[u][stream.below(k)], given[v][stream.below(k)]
        if a in given[v] or b in given[u]:
            continue
        if _change(of, a, b, given[u], given[v]) <= 0:
            for unit, out, into in ((u, a, b), (v, b, a)):
                overlap.add(given[unit], -1)
                given[unit] = sorted(into if r == out else r for r in given[unit])
                overlap.add(given[unit])
        if attempt % 256 == 0 and overlap.even():
            return


def _change(of: list[list[int]], a: int, b: int, at_u: list[int], at_v: list[int]) -> int:
    """Half of how the sum of squares changes when a leaves u for v, and b leaves v for u."""
    total = 0
    for x in at_u:
        if x != a and x not in at_v:
            # (a, x) meet once less, (b, x) once more: (n + 1)² − n² = 2n + 1.
            total += of[b][x] - of[a][x] + 1
    for y in at_v:
        if y != b and y not in at_u:
            total += of[a][y] - of[b][y] + 1
    return total
