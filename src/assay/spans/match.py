"""One-to-one matching of gold and predicted spans, under every mode.

Every mode pairs each span with at most one of the other side, so FP is always predicted − TP
and FN gold − TP. Spans may overlap, nest or have gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, one_of
from assay.spans.corpus import Fragments, Ints, SpanSet

MODES = {
    "exact": "boundaries and type equal",
    "partial": "same type and a unit shared; identical pairs first, then the largest overlap",
    "boundaries": "boundaries equal, any type",
    "overlap": "a unit shared, any type; identical pairs first, then the largest overlap",
    "partial-optimal": "same type and a unit shared; as many pairs as can be",
    "overlap-optimal": "a unit shared, any type; as many pairs as can be",
}


@dataclass(frozen=True, eq=False)
class Pairing:
    """Which gold span goes with which predicted span.

    Attributes
    ----------
    gold, pred
        Shape (pairs,): indices into the two span sets.
    """

    gold: Ints
    pred: Ints

    def __len__(self) -> int:
        return int(self.gold.size)

    def together(self, *others: Pairing) -> Pairing:
        """These pairs and those of others."""
        return Pairing(
            np.concatenate([self.gold, *(o.gold for o in others)]),
            np.concatenate([self.pred, *(o.pred for o in others)]),
        )

    def without(self, gold: SpanSet, pred: SpanSet) -> tuple[Ints, Ints]:
        """Indices of the gold and the predicted spans that no pair has."""
        g, p = np.ones(len(gold), bool), np.ones(len(pred), bool)
        g[self.gold] = False
        p[self.pred] = False
        return np.flatnonzero(g), np.flatnonzero(p)


def _keys(
    spans: SpanSet, shapes: dict[Fragments, int], *columns: npt.NDArray[Any]
) -> list[npt.NDArray[Any]]:
    """Columns that are equal exactly for equal spans; pieces count where there are several."""
    shape = np.zeros(len(spans), dtype=np.int64)
    for index, pieces in spans.fragments.items():
        shape[index] = shapes.setdefault(pieces, len(shapes) + 1)
    return [spans.sentence, *columns, shape]


def _joined(gold: list[npt.NDArray[Any]], pred: list[npt.NDArray[Any]]) -> tuple[Ints, Ints]:
    """One number a row, the same for equal rows of both sides."""
    n = gold[0].size
    both = [np.concatenate([g, p]) for g, p in zip(gold, pred, strict=True)]
    code = both[0]
    for column in both[1:]:
        low = int(column.min(initial=0))
        span = int(column.max(initial=0)) - low + 1
        if int(code.max(initial=0)) >= (1 << 62) // max(span, 1):
            _, code = np.unique(code, return_inverse=True)
        if int(code.max(initial=0)) >= (1 << 62) // max(span, 1):
            _, column = np.unique(column, return_inverse=True)
            low, span = 0, int(column.max(initial=0)) + 1
        code = code * span + (column - low)
    return code[:n], code[n:]


def _equal(gold: Ints, pred: Ints) -> Pairing:
    """Pairs of equal numbers, the first with the first, one-to-one."""
    g, p = np.argsort(gold, kind="stable"), np.argsort(pred, kind="stable")
    a, b = gold[g], pred[p]
    # The k-th copy of a number on one side goes with the k-th on the other.
    rank_a = np.arange(a.size) - np.searchsorted(a, a)
    rank_b = np.arange(b.size) - np.searchsorted(b, b)
    place = np.searchsorted(b, a) + rank_a
    inside = np.minimum(place, max(b.size - 1, 0))
    hit = (place < b.size) & (b[inside] == a) if b.size else np.zeros(a.size, bool)
    hit &= rank_b[inside] == rank_a if b.size else hit
    order = np.argsort(g[hit], kind="stable")
    return Pairing(g[hit][order], p[place[hit]][order])


def identical(gold: SpanSet, pred: SpanSet) -> Pairing:
    """Pairs with the same boundaries and type."""
    shapes: dict[Fragments, int] = {}
    return _equal(
        *_joined(
            _keys(gold, shapes, gold.start, gold.stop, gold.type),
            _keys(pred, shapes, pred.start, pred.stop, pred.type),
        )
    )


def same_boundaries(gold: SpanSet, pred: SpanSet) -> Pairing:
    """Pairs with the same boundaries, those of the same type first."""
    first = identical(gold, pred)
    return _then(first, gold, pred, _only_boundaries)


def _only_boundaries(gold: SpanSet, pred: SpanSet) -> Pairing:
    shapes: dict[Fragments, int] = {}
    return _equal(
        *_joined(
            _keys(gold, shapes, gold.start, gold.stop), _keys(pred, shapes, pred.start, pred.stop)
        )
    )


def _then(
    first: Pairing,
    gold: SpanSet,
    pred: SpanSet,
    rule: Callable[[SpanSet, SpanSet], Pairing],
) -> Pairing:
    """``first``, then ``rule`` on what it left."""
    g, p = first.without(gold, pred)
    rest = rule(gold.take(g), pred.take(p))
    return first.together(Pairing(g[rest.gold], p[rest.pred]))


@dataclass(frozen=True, eq=False)
class Overlaps:
    """All pairs of spans that share a unit: indices and how many units they share."""

    gold: Ints
    pred: Ints
    size: Ints


def overlaps(gold: SpanSet, pred: SpanSet) -> Overlaps:
    """Every gold and predicted span of one sentence that share a unit."""
    none = np.zeros(0, dtype=np.int64)
    if not len(gold) or not len(pred):
        return Overlaps(none, none, none)
    # All sentences end to end, with room between them.
    width = int(max(gold.stop.max(), pred.stop.max())) + 1
    a, b = gold.sentence * width + gold.start, gold.sentence * width + gold.stop
    c, d = pred.sentence * width + pred.start, pred.sentence * width + pred.stop
    # Starts are sorted; where predictions nest, stops are not, so their running maximum is.
    low = np.searchsorted(np.maximum.accumulate(d), a, side="right")
    high = np.searchsorted(c, b, side="left")
    counts = np.maximum(high - low, 0)
    g = np.repeat(np.arange(len(gold)), counts)
    ends = np.cumsum(counts)
    p = np.arange(int(ends[-1])) - np.repeat(ends - counts, counts) + np.repeat(low, counts)
    size = np.minimum(b[g], d[p]) - np.maximum(a[g], c[p])
    keep = size > 0
    g, p, size = g[keep], p[keep], size[keep]
    if gold.fragments or pred.fragments:
        for k, (i, j) in enumerate(zip(g.tolist(), p.tolist(), strict=True)):
            if i in gold.fragments or j in pred.fragments:
                size[k] = shared_units(gold.pieces(i), pred.pieces(j))
        keep = size > 0
        g, p, size = g[keep], p[keep], size[keep]
    return Overlaps(g, p, size)


def shared_units(one: tuple[tuple[int, int], ...], two: tuple[tuple[int, int], ...]) -> int:
    """Units that two spans of several pieces share."""
    return sum(max(0, min(b, d) - max(a, c)) for a, b in one for c, d in two)


def _greedy(found: Overlaps) -> Pairing:
    """The largest overlap first; ties by the leftmost gold, then the leftmost prediction."""
    order = np.lexsort((found.pred, found.gold, -found.size))
    used_gold: set[int] = set()
    used_pred: set[int] = set()
    pairs = []
    for g, p in zip(found.gold[order].tolist(), found.pred[order].tolist(), strict=True):
        if g not in used_gold and p not in used_pred:
            used_gold.add(g)
            used_pred.add(p)
            pairs.append((g, p))
    made = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Pairing(made[:, 0], made[:, 1])


def _most(found: Overlaps, n_gold: int, n_pred: int) -> Pairing:
    """As many pairs as can be (maximum bipartite matching)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not found.gold.size:
        return Pairing(found.gold, found.pred)
    graph = csr_array(
        (np.ones(found.gold.size, np.int8), (found.gold, found.pred)), shape=(n_gold, n_pred)
    )
    match = maximum_bipartite_matching(graph, perm_type="column")
    gold = np.flatnonzero(match >= 0)
    return Pairing(gold, match[gold].astype(np.int64))


def _of_type(found: Overlaps, gold: SpanSet, pred: SpanSet) -> Overlaps:
    same = gold.type[found.gold] == pred.type[found.pred]
    return Overlaps(found.gold[same], found.pred[same], found.size[same])


def partial(gold: SpanSet, pred: SpanSet) -> Pairing:
    """Same type and a unit shared, greedily after the identical pairs."""
    return _then(
        identical(gold, pred), gold, pred, lambda g, p: _greedy(_of_type(overlaps(g, p), g, p))
    )


def overlap(gold: SpanSet, pred: SpanSet) -> Pairing:
    """A unit shared whatever the type, greedily after the identical pairs."""
    return _then(identical(gold, pred), gold, pred, lambda g, p: _greedy(overlaps(g, p)))


def partial_optimal(gold: SpanSet, pred: SpanSet) -> Pairing:
    """Same type and a unit shared, as many pairs as can be."""
    return _most(_of_type(overlaps(gold, pred), gold, pred), len(gold), len(pred))


def overlap_optimal(gold: SpanSet, pred: SpanSet) -> Pairing:
    """A unit shared whatever the type, as many pairs as can be."""
    return _most(overlaps(gold, pred), len(gold), len(pred))


def by_kind(gold: SpanSet, pred: SpanSet) -> Pairing:
    """Identical pairs, then the same type by overlap, then any overlap.

    The pairing behind the SemEval-2013 table and the causes of errors.
    """
    return _then(partial(gold, pred), gold, pred, lambda g, p: _greedy(overlaps(g, p)))


_MATCHERS: dict[str, Callable[[SpanSet, SpanSet], Pairing]] = {
    "exact": identical,
    "partial": partial,
    "boundaries": same_boundaries,
    "overlap": overlap,
    "partial-optimal": partial_optimal,
    "overlap-optimal": overlap_optimal,
}


def match(gold: SpanSet, pred: SpanSet, mode: str = "exact") -> Pairing:
    """Pair gold and predicted spans.

    Parameters
    ----------
    gold, pred
        Spans over the same types (see :func:`assay.spans.corpus.shared_types`).
    mode
        One of ``exact partial boundaries overlap partial-optimal overlap-optimal``.

    Raises
    ------
    InputError
        If the two sets do not share their vocabulary of types.

    Examples
    --------
    >>> gold = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 12, "ORG")])
    >>> pred = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 11, "ORG")])
    >>> len(match(gold, pred, "exact")), len(match(gold, pred, "partial"))
    (1, 2)
    """
    one_of(mode, _MATCHERS, "mode")
    if gold.types != pred.types:
        raise InputError("match: the two sides have different types; use shared_types() first.")
    return _MATCHERS[mode](gold, pred)
