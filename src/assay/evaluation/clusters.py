"""Letters: systems that share one are not shown to differ.

Reference
---------
Piepho, H.-P. (2004). Journal of Computational and Graphical Statistics 13(2), 456-466.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import ascii_lowercase

MOST = 200
"""The most letters. Where a few differences are in no order, there can be 3^(n/3) of them."""


def letters(order: Sequence[int], differ: Collection[tuple[int, int]]) -> dict[int, str] | None:
    """The letters of each system; None if more than :data:`MOST` would be needed.

    A letter is a largest set of systems of which no two differ. Systems are inserted one by one
    and sets that others contain are absorbed, so that there are never more sets than at the end.

    Parameters
    ----------
    order
        The systems, best first; earlier ones get earlier letters.
    differ
        Pairs of systems that differ significantly, in either order.

    Examples
    --------
    >>> letters([2, 0, 1], {(2, 1)})
    {2: 'a', 0: 'ab', 1: 'b'}
    """
    place = {system: k for k, system in enumerate(order)}
    # Sets of places as the bits of a number.
    alike = [(1 << k) - 1 for k in range(len(order))]
    for i, j in differ:
        low, high = sorted((place[i], place[j]))
        alike[high] &= ~(1 << low)
    groups: list[int] = []
    for k, near in enumerate(alike):
        joined = {group & near for group in groups} or {0}
        largest = [g for g in joined if not any(g != h and g & h == g for h in joined)]
        groups = [g for g in groups if g & ~near] + [g | 1 << k for g in largest]
        if len(groups) > MOST:
            return None
    members = sorted([k for k in range(len(order)) if group >> k & 1] for group in groups)
    out = dict.fromkeys(order, "")
    for number, group in enumerate(members):
        for k in group:
            out[order[k]] += _letter(number)
    return out


def _letter(k: int) -> str:
    """A … z, then (27), (28), ….

    >>> _letter(0), _letter(26)
    ('a', '(27)')
    """
    return ascii_lowercase[k] if k < len(ascii_lowercase) else f"({k + 1})"


def rank_range(
    order: Sequence[int], differ: Collection[tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """The ranks that a system may have: behind all that are better, ahead of all worse.

    >>> rank_range([2, 0, 1], {(2, 1)})
    {2: (1, 2), 0: (1, 3), 1: (2, 3)}
    """
    place = {system: k for k, system in enumerate(order)}
    better = dict.fromkeys(order, 0)
    worse = dict.fromkeys(order, 0)
    for i, j in differ:
        first, second = (i, j) if place[i] < place[j] else (j, i)
        worse[first] += 1
        better[second] += 1
    return {s: (1 + better[s], len(order) - worse[s]) for s in order}
