"""Which output stands left, and in which order several stand: balanced, and by chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from assay.study.assign_random import Stream


def swapped(keys: Sequence[tuple[Hashable, Hashable, Hashable]], stream: Stream) -> list[bool]:
    """Whether each comparison is shown the other way round.

    ``keys`` has the rater, the pair of systems and the unit of each comparison, in the order in
    which raters meet them. Both ways come equally often, up to 1, for each rater and pair, for
    each rater, for each unit and for each pair at the same time: comparisons are matched in
    twos, within the smallest of these sets first, once by rater and once by unit. Each then has
    at most two partners that must differ from it, and such chains (or rings, which are even
    because the two matchings alternate) can always be coloured.

    >>> both = [("mai", "ab", 1), ("mai", "ab", 2), ("jo", "ab", 1), ("jo", "ab", 2)]
    >>> swapped(both, Stream(3, "sides"))
    [True, False, False, True]
    """
    count = len(keys)
    of_rater = _partners([((r, p), r) for r, p, _ in keys])
    of_unit = _partners([((u, p), p) for _, p, u in keys])
    side: list[bool | None] = [None] * count
    for start in range(count):
        if side[start] is not None:
            continue
        side[start] = bool(stream.below(2))
        todo = [start]
        while todo:
            here = todo.pop()
            for partner in (of_rater[here], of_unit[here]):
                if partner >= 0 and side[partner] is None:
                    side[partner] = not side[here]
                    todo.append(partner)
    return [bool(one) for one in side]


def _partners(groups: Sequence[tuple[Hashable, Hashable]]) -> list[int]:
    """Match places in twos within their small group, those left over within the large one."""
    partner = [-1] * len(groups)
    for size in (0, 1):
        waiting: dict[Hashable, int] = {}
        for place, group in enumerate(groups):
            if partner[place] >= 0:
                continue
            other = waiting.pop(group[size], -1)
            if other < 0:
                waiting[group[size]] = place
            else:
                partner[place], partner[other] = other, place
    return partner


class Rotation:
    """The order of outputs that are shown together, for one rater.

    The first S lists of S systems are the S rotations of a random order, in random order, the
    next S those of another: each system stands in each place equally often, up to 1.

    >>> turn = Rotation(1, "mai")
    >>> sorted(turn.next(("a", "b", "c"))[0] for _ in range(3))
    ['a', 'b', 'c']
    """

    def __init__(self, seed: int, *purpose: object) -> None:
        self._stream = Stream(seed, "rotation", *purpose)
        self._waiting: defaultdict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)

    def next(self, systems: tuple[str, ...]) -> tuple[str, ...]:
        """The order of the next list of these systems."""
        waiting = self._waiting[systems]
        if not waiting:
            order = tuple(self._stream.shuffled(systems))
            turns = [order[k:] + order[:k] for k in range(len(order))]
            waiting += self._stream.shuffled(turns)
        return waiting.pop()
