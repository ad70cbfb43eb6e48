"""An order of raters in which those who agree stand together: average linkage, then its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf


def clustered(distances: Sequence[Sequence[float | None]]) -> list[int]:
    """The order of the leaves of an average-linkage tree.

    Parameters
    ----------
    distances
        A symmetric matrix; None where two have none, which is taken as the mean of all.

    Notes
    -----
    Two groups are as far apart as their members are on average (UPGMA; Sokal and Michener
    1958). Where two groups meet, they are turned so that the nearest ends touch. Ties are
    broken by the order given.

    Examples
    --------
    >>> clustered([[0, 9, 1, 8], [9, 0, 9, 2], [1, 9, 0, 9], [8, 2, 9, 0]])
    [2, 0, 3, 1]
    """
    n = len(distances)
    known = [d for i, row in enumerate(distances) for d in row[:i] if d is not None]
    mean = sum(known) / len(known) if known else 0.0
    apart = [[mean if d is None else float(d) for d in row] for row in distances]
    between = {(i, j): apart[i][j] for i in range(n) for j in range(i)}
    groups = {i: [i] for i in range(n)}
    while len(groups) > 1:
        best, pair = inf, (0, 0)
        for key, distance in between.items():
            # A rounding error is no reason to prefer one of two equal pairs.
            if distance < best - 1e-12:
                best, pair = distance, key
        i, j = pair
        a, b = groups[j], groups[i]
        for k in groups:
            if k not in pair:
                near, far = (_key(k, j), _key(k, i))
                total = len(a) * between[near] + len(b) * between.pop(far)
                between[near] = total / (len(a) + len(b))
        del between[pair], groups[i]
        groups[j] = _joined(a, b, apart)
    return next(iter(groups.values()), [])


def _key(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a > b else (b, a)


def _joined(a: list[int], b: list[int], apart: Sequence[Sequence[float]]) -> list[int]:
    """Two rows end to end, each turned as brings the nearest ends together."""
    ways = [(x, y) for x in (a, a[::-1]) for y in (b, b[::-1])]
    x, y = min(ways, key=lambda way: apart[way[0][-1]][way[1][0]])
    return [*x, *y]
