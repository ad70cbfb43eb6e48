"""Why each false positive and false negative is one: causes that add up.

Spans that are right are set aside. Then, among the wrong ones:

- split: two or more predictions of one type cover parts of one gold span of that type, and
  touch no other gold span of it. The gold span is one false negative, they are the false
  positives.
- merged: the mirror image, one prediction over two or more gold spans of its type.
- What is left is paired by largest overlap, the same type first: each pair is one false negative
  and one false positive, by boundary (same type), type (same boundaries) or both.
- What stays alone is missed or spurious.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.spans.corpus import Ints, SpanSet
from assay.spans.match import Overlaps, by_kind, overlaps
from assay.spans.score import Scores, difference

CAUSES = ("right", "boundary", "type", "boundary_and_type", "split", "merged", "missed", "spurious")
"""The first four are the ways in which a pair of spans differs."""


@dataclass(frozen=True, eq=False)
class Causes:
    """The errors of one prediction.

    Attributes
    ----------
    scores
        The spans.
    """

    scores: Scores

    @cached_property
    def _assigned(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Each gold and predicted span's cause, and the other side's span it is about (or −1)."""
        gold, pred = self.scores.gold, self.scores.pred
        g_cause = np.full(len(gold), CAUSES.index("missed"))
        p_cause = np.full(len(pred), CAUSES.index("spurious"))
        g_about, p_about = np.full(len(gold), -1), np.full(len(pred), -1)
        exact = self.scores.pairing("exact")
        g_cause[exact.gold] = p_cause[exact.pred] = 0
        g_about[exact.gold], p_about[exact.pred] = exact.pred, exact.gold
        touching = _of_one_type(gold, pred)
        halves = _one_to_many(touching.gold, touching.pred, g_cause, p_cause)
        parts = _one_to_many(touching.pred, touching.gold, p_cause, g_cause)
        for name, (g, p) in (("split", halves), ("merged", parts[::-1])):
            g_cause[g] = p_cause[p] = CAUSES.index(name)
            g_about[g], p_about[p] = p, g
        g = np.flatnonzero(g_cause == CAUSES.index("missed"))
        p = np.flatnonzero(p_cause == CAUSES.index("spurious"))
        rest = by_kind(gold.take(g), pred.take(p))
        kinds = difference(gold.take(g), pred.take(p), rest)
        g, p = g[rest.gold], p[rest.pred]
        g_cause[g] = p_cause[p] = kinds
        g_about[g], p_about[p] = p, g
        return g_cause, p_cause, g_about, p_about

    @property
    def of_gold(self) -> Ints:
        """Shape (gold spans,): index into CAUSES."""
        return self._assigned[0]

    @property
    def of_pred(self) -> Ints:
        """Shape (predicted spans,): index into CAUSES."""
        return self._assigned[1]

    @property
    def about_gold(self) -> Ints:
        """Shape (gold spans,): the predicted span that the error is about, or −1."""
        return self._assigned[2]

    @property
    def about_pred(self) -> Ints:
        """Shape (predicted spans,): the gold span that the error is about, or −1."""
        return self._assigned[3]

    def counts(self) -> list[tuple[str, int, int]]:
        """(cause, false positives, false negatives), which add up to FP and FN.

        Examples
        --------
        >>> gold = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 12, "ORG"), (0, 15, 17, "LOC")])
        >>> pred = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 11, "ORG"), (0, 11, 12, "LOC"),
        ...                    (0, 15, 17, "LOC")])
        >>> found = Causes(Scores.of(gold, pred, 1)).counts()
        >>> [row for row in found if row[1] or row[2]]
        [('boundary', 1, 1), ('spurious', 1, 0)]
        """
        fp = np.bincount(self.of_pred, minlength=len(CAUSES))
        fn = np.bincount(self.of_gold, minlength=len(CAUSES))
        rows = zip(CAUSES[1:], fp[1:].tolist(), fn[1:].tolist(), strict=True)
        return list(rows)

    def confusion(self) -> Ints:
        """Shape (types + 1, types + 1): gold type by predicted type.

        The last column holds gold spans that nothing was paired with, the last row predictions
        that nothing was paired with.
        """
        gold, pred = self.scores.gold, self.scores.pred
        pairs, _ = self.scores.kinds
        t = len(gold.types)
        g, p = pairs.without(gold, pred)
        row = [gold.type[pairs.gold], gold.type[g], np.full(p.size, t)]
        column = [pred.type[pairs.pred], np.full(g.size, t), pred.type[p]]
        cell = np.concatenate(row) * (t + 1) + np.concatenate(column)
        return np.bincount(cell, minlength=(t + 1) ** 2).reshape(t + 1, t + 1)

    def cost(self) -> tuple[Ints, Ints]:
        """Shape (sentences,) each: false positives and false negatives of each sentence."""
        n = self.scores.n_sentences
        fp = np.bincount(self.scores.pred.sentence[self.of_pred > 0], minlength=n)
        fn = np.bincount(self.scores.gold.sentence[self.of_gold > 0], minlength=n)
        return fp, fn


def _of_one_type(gold: SpanSet, pred: SpanSet) -> Overlaps:
    found = overlaps(gold, pred)
    same = gold.type[found.gold] == pred.type[found.pred]
    return Overlaps(found.gold[same], found.pred[same], found.size[same])


def _one_to_many(one: Ints, many: Ints, one_cause: Ints, many_cause: Ints) -> tuple[Ints, Ints]:
    """Edges from each wrong span to two or more wrong ones that touch nothing else."""
    touched = np.bincount(many, minlength=many_cause.size)
    keep = (touched[many] == 1) & (one_cause[one] > 0) & (many_cause[many] > 0)
    one, many = one[keep], many[keep]
    several = np.bincount(one, minlength=one_cause.size) >= 2
    return one[several[one]], many[several[one]]
