"""Which systems can stand on one scale: the strongly connected parts of "beats".

Strengths of two systems exist together if each can be reached from the other by going from
winner to loser (Ford 1957). A tie goes both ways where it counts as half a win for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.preference.model import Ints

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """The parts in which strengths exist.

    Attributes
    ----------
    of
        Shape (systems,): each system's part; larger parts first, then by system.
    members
        The systems of each part.
    above
        Pairs (winner, loser) of parts that met: all wins go one way.
    linked
        Whether all systems hang together by comparisons at all.
    """

    of: Ints
    members: tuple[tuple[int, ...], ...]
    above: tuple[tuple[int, int], ...]
    linked: bool


def components(beats: Bools) -> Components:
    """The parts of a graph; ``beats[i, j]`` where i won against j or tied, once or more.

    >>> found = components(np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]], dtype=bool))
    >>> found.members, found.above, found.linked
    (((0, 1), (2,)), ((0, 1),), True)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array(beats)
    _, raw = connected_components(graph, directed=True, connection="strong")
    whole, _ = connected_components(graph, directed=False)
    parts = [np.flatnonzero(raw == c) for c in np.unique(raw)]
    parts.sort(key=lambda part: (-len(part), int(part[0])))
    of = np.empty(len(beats), dtype=np.int64)
    for number, part in enumerate(parts):
        of[part] = number
    i, j = np.nonzero(beats)
    across = np.unique(of[i] * len(parts) + of[j])
    above = [(int(x) // len(parts), int(x) % len(parts)) for x in across]
    return Components(
        of,
        tuple(tuple(int(s) for s in part) for part in parts),
        tuple((x, y) for x, y in above if x != y),
        bool(whole <= 1),
    )


def all_connected(beats: Bools, within: Ints) -> Bools:
    """Which graphs of a stack are strongly connected within each part.

    Parameters
    ----------
    beats
        Shape (graphs, systems, systems).
    within
        Shape (systems,): each system's part; edges between parts are not looked at.
    """
    together = within[:, None] == within[None, :]
    ok = np.ones(len(beats), dtype=bool)
    size = np.bincount(within)
    first = np.array([int(np.flatnonzero(within == c)[0]) for c in range(len(size))])
    for edges in (beats, beats.transpose(0, 2, 1)):
        inside = (edges & together).astype(np.float32)
        seen = np.zeros((len(beats), len(within)), dtype=bool)
        seen[:, first] = True
        while True:
            step = np.matmul(seen[:, None, :].astype(np.float32), inside)[:, 0] > 0
            more = seen | step
            if (more == seen).all():
                break
            seen = more
        ok &= seen.all(axis=1)
    return ok


def recedes(wins: Bools, ties: Bools) -> bool:
    """Whether a model with a parameter for ties has no largest likelihood.

    Let the differences of log strengths and the width of ties all grow. The likelihood never
    falls, and so has no maximum, if there are numbers u with u_i − u_j ≥ 1 wherever i won
    against j and |u_i − u_j| ≤ 1 wherever they tied: the rules of a shortest path.

    >>> none = np.zeros((2, 2), dtype=bool)
    >>> one = np.array([[False, True], [False, False]])
    >>> recedes(one, one | one.T), recedes(one | one.T, one | one.T)
    (True, False)
    """
    if (wins & wins.T).any():
        return False
    k = len(wins)
    # u_j ≤ u_i + cost[i, j]: −1 where i won against j, 1 where they tied.
    cost = np.where(ties, 1.0, np.inf)
    cost[wins] = -1.0
    u = np.zeros(k)
    for _ in range(k + 1):
        lower = np.minimum(u, (u[:, None] + cost).min(axis=0))
        if (lower == u).all():
            return True
        u = lower
    return False
