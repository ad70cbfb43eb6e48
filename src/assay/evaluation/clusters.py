"""Letters: systems that share one are not shown to differ.

Reference
---------
Piepho, H.-P. (2004). Journal of Computational and Graphical Statistics 13(2), 456-466.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import ascii_lowercase


def letters(order: Sequence[int], differ: Collection[tuple[int, int]]) -> dict[int, str]:
    """The letters of each system, by inserting the differences and absorbing what is contained.

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
    groups = [frozenset(order)]
    for i, j in differ:
        split: list[frozenset[int]] = []
        for group in groups:
            split += [group - {i}, group - {j}] if i in group and j in group else [group]
        groups = _largest(split)
    place = {system: k for k, system in enumerate(order)}
    ranked = sorted(groups, key=lambda group: sorted(place[s] for s in group))
    return {
        system: "".join(_letter(k) for k, group in enumerate(ranked) if system in group)
        for system in order
    }


def _largest(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """The groups that no other one contains, each once."""
    once = list(dict.fromkeys(groups))
    return [g for g in once if g and not any(g < other for other in once)]


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
