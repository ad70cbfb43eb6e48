"""Counts that add up over parts of a corpus, for files larger than memory.

A part is scored as usual and only its distinct rows of counts are kept; what is held does not
depend on how many parts there are, but on how many different rows of counts occur.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from assay.spans.causes import Causes
from assay.spans.corpus import Ints, TagRows
from assay.spans.decode import decode
from assay.spans.resample import Rows
from assay.spans.score import TYPED, UNTYPED, Columns, Scores
from assay.spans.tokens import TokenCounts, compare_tokens


@dataclass(slots=True)
class Tally:
    """What has been counted so far.

    Attributes
    ----------
    scheme, illegal, suffix
        How tags are read; see :func:`assay.spans.decode.decode`.
    types, rows
        The types seen so far, and the distinct rows of counts over them.
    sentences, right_sentences, tokens
        Sums for the accuracies.
    n_illegal, dropped, causes
        For gold and prediction; causes as false positives and false negatives.
    worst
        (cost, sentence, fp, fn) of the sentences that cost most.
    """

    scheme: str
    illegal: str = "open"
    suffix: bool = False
    types: tuple[str, ...] = ()
    rows: Rows = field(
        default_factory=lambda: Rows(
            np.zeros((0, Columns(()).width), np.int64), np.zeros(0, np.int64)
        )
    )
    sentences: int = 0
    tokens: TokenCounts = field(default_factory=TokenCounts)
    right_sentences: int = 0
    n_illegal: list[int] = field(default_factory=lambda: [0, 0])
    dropped: list[int] = field(default_factory=lambda: [0, 0])
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    worst: list[tuple[int, int, int, int]] = field(default_factory=list)

    @property
    def columns(self) -> Columns:
        """What the columns of the rows are."""
        return Columns(self.types)

    def add(self, gold: TagRows, pred: TagRows, *, most: int = 100) -> None:
        """Count one part: the same sentences on both sides."""
        sides = [
            decode(rows, scheme=self.scheme, illegal=self.illegal, suffix=self.suffix)
            for rows in (gold, pred)
        ]
        for k, side in enumerate(sides):
            self.n_illegal[k] += side.n_illegal
            self.dropped[k] += side.dropped
        scores = Scores.of(sides[0].spans, sides[1].spans, gold.text.n_sentences)
        self._merge(scores)
        self.tokens = self.tokens.together(compare_tokens(gold, pred))
        causes = Causes(scores)
        for cause, of_pred, of_gold in causes.counts():
            self.causes[cause, "fp"] += of_pred
            self.causes[cause, "fn"] += of_gold
        fp, fn = causes.cost()
        cost = fp + fn
        top = np.argsort(-cost, kind="stable")[:most]
        self.worst += [
            (int(cost[k]), self.sentences + int(k), int(fp[k]), int(fn[k])) for k in top if cost[k]
        ]
        self.worst = sorted(self.worst, key=lambda w: (-w[0], w[1]))[:most]
        self.right_sentences += scores.right_sentences()
        self.sentences += gold.text.n_sentences

    def _merge(self, scores: Scores) -> None:
        part = Rows.of(scores.table())
        types = tuple(sorted({*self.types, *scores.types}))
        old = Rows(relaid(self.rows.rows, self.columns, Columns(types)), self.rows.times)
        new = Rows(relaid(part.rows, scores.columns, Columns(types)), part.times)
        self.types = types
        self.rows = old.together(new)


def relaid(rows: Ints, old: Columns, new: Columns) -> Ints:
    """Rows of counts over other types (a superset), with 0 for the new ones.

    Examples
    --------
    >>> relaid(np.ones((1, Columns(("b",)).width), int), Columns(("b",)), Columns(("a", "b")))
    array([[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]])
    """
    out = np.zeros((len(rows), new.width), dtype=np.int64)
    place = [new.types.index(name) for name in old.types]
    pairs = [(old.gold, new.gold), (old.pred, new.pred)]
    pairs += [(old.right(mode), new.right(mode)) for mode in TYPED]
    for before, after in pairs:
        for k, where in enumerate(place):
            out[:, after.start + where] = rows[:, before.start + k]
    for mode in UNTYPED:
        out[:, new.right(mode)] = rows[:, old.right(mode)]
    out[:, new.kinds] = rows[:, old.kinds]
    return out
