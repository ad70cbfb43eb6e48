"""Other ways to rate systems from the same comparisons, by the library evalica.

None of them is a likelihood with intervals as Bradley and Terry's is; they are given beside it for
readers who know them. evalica also has an eigenvector method. It is not offered, since up to
version 0.4.2 its score grows with losses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from assay.errors import MissingExtra, one_of
from assay.estimate import Undefined
from assay.preference.connected import components
from assay.preference.counts import PairCounts
from assay.preference.model import LEFT, RIGHT, TIE, Comparisons
from assay.preference.ranks import ranked

HALF = "a tie as half a win for each"
LIMIT = 10_000
"""The most steps of Newman's iteration."""
TWO = (
    "one of two systems that loses at all hands all that it has on to the other, so that how "
    "often each wins does not count"
)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to rate: its name in words, what a tie is, what the library is told.

    ``ordered`` says whether the result depends on the order of the comparisons.
    """

    full_name: str
    ties: str
    settings: Mapping[str, float] = field(default_factory=dict)
    ordered: bool = False


METHODS: dict[str, Method] = {
    "elo": Method(
        "Elo", HALF, {"initial": 1000.0, "base": 10.0, "scale": 400.0, "k": 4.0}, ordered=True
    ),
    "counting": Method("Number of wins", HALF),
    "average_win_rate": Method("Win rate, mean over opponents", HALF),
    # A step shrinks the error by the damping at least, so that 1000 of them leave nothing.
    "pagerank": Method("PageRank", HALF, {"damping": 0.85, "tolerance": 1e-12, "limit": 1000}),
    "newman": Method(
        "Newman", "a probability of a tie, as Davidson's", {"tolerance": 1e-10, "limit": LIMIT}
    ),
}


@dataclass(frozen=True, slots=True)
class Rated:
    """What a method gives: a score and a rank for each system, or why there are none.

    Attributes
    ----------
    method
        The key in :data:`METHODS`.
    version
        Of evalica.
    scores, ranks
        In the order of the systems; the highest score has rank 1, equal scores share it.
    """

    method: str
    version: str
    scores: tuple[float, ...] = ()
    ranks: tuple[int, ...] = ()
    undefined: Undefined | None = None


def check_methods(methods: Sequence[str]) -> tuple[str, ...]:
    """The methods asked for, each once; an error where one is not known or evalica is absent."""
    asked = tuple(dict.fromkeys(one_of(name, METHODS, "also") for name in methods))
    if asked:
        _library()
    return asked


def rate(comparisons: Comparisons, counts: PairCounts, method: str) -> Rated:
    """Rate the systems.

    Parameters
    ----------
    comparisons
        In the order in which they were made, as far as that is known: Elo depends on it.
    counts
        The same comparisons, counted.
    """
    library = _library()
    told = METHODS[method]
    version = str(library.__version__)
    if not counts.n:
        return Rated(method, version, undefined=Undefined("no_comparison", "nothing was compared"))
    if method == "newman":
        gap = _no_scale(counts)
        if gap is not None:
            return Rated(method, version, undefined=gap)
    if method == "pagerank" and counts.k == 2:
        return Rated(method, version, undefined=Undefined("one_opponent", TWO))
    sides = library.Winner
    named = {LEFT: sides.X, TIE: sides.Draw, RIGHT: sides.Y}
    winners = [named[outcome] for outcome in comparisons.outcome.tolist()]
    run = getattr(library, method)
    got = run(comparisons.left.tolist(), comparisons.right.tolist(), winners, **told.settings)
    scores = got.scores.reindex(range(counts.k)).to_numpy(dtype=np.float64)
    if method == "newman" and (got.iterations >= LIMIT or not np.isfinite(scores).all()):
        return Rated(method, version, undefined=_unsettled(counts))
    return Rated(method, version, tuple(scores.tolist()), tuple(ranked(scores).tolist()))


def _no_scale(counts: PairCounts) -> Undefined | None:
    """Why a likelihood with strengths and ties has no maximum, seen from who beat whom."""
    if not counts.wins.any():
        return Undefined("no_decided_comparison", "all comparisons are ties")
    if len(components((counts.wins + counts.ties) > 0).members) > 1:
        return Undefined("between_parts", "wins do not link all systems both ways")
    return None


def _unsettled(counts: PairCounts) -> Undefined:
    """What is known where the iteration does not end; strengths may exist all the same."""
    text = f"the library's iteration had not settled after {LIMIT:,} steps"
    if not counts.ties.any():
        text += (
            "; without ties it can go to and fro between two answers. Strengths exist, and are "
            "those of the model davidson (--ties davidson), with nu = 0"
        )
    return Undefined("not_converged", text)


def _library() -> Any:
    try:
        return import_module("evalica")
    except ImportError:
        raise MissingExtra(
            "ratings beside Bradley-Terry's (also) need evalica, the optional extra 'rankings': "
            "pip install 'assay[rankings]' (or pip install evalica)"
        ) from None
