"""Counts that add up over parts of a corpus, on one machine or many.

A part is scored as usual and only its distinct rows of counts are kept; what is held does not
depend on how many parts there are, but on how many different rows of counts occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from assay.errors import UsageError
from assay.spans.causes import Causes
from assay.spans.corpus import Ints, TagRows
from assay.spans.decode import decode
from assay.spans.resample import Rows
from assay.spans.score import TYPED, UNTYPED, Columns, Scores
from assay.spans.tokens import TokenCounts, compare_tokens

MOST = 100
"""Sentences that are listed."""
PENDING = 1 << 13
"""Rows of parts that wait, at least, before equal ones are merged."""


class Costly(NamedTuple):
    """A sentence with errors: how many, where it stands, and its name where it has one."""

    cost: int
    sentence: int
    fp: int
    fn: int
    name: str | None = None

    @property
    def place(self) -> tuple[int, str, int]:
        """What these are sorted by: most errors first, then by name, then as they stand."""
        return -self.cost, self.name or "", self.sentence


@dataclass(slots=True)
class Tally:
    """What has been counted so far.

    Parts add up in whatever way they are cut and taken together; only the numbers of sentences
    depend on which part comes first.

    Attributes
    ----------
    scheme, illegal, suffix
        How tags are read; see :func:`assay.spans.decode.decode`.
    sentences, right_sentences, tokens
        Sums for the accuracies.
    n_illegal, dropped, causes
        For gold and prediction; causes as false positives and false negatives.
    worst
        The sentences that cost most; the first by name, or by place without names, of those
        that cost the same.

    Examples
    --------
    >>> rows = [TagRows.of([["B-A", "O"]]), TagRows.of([["B-A", "I-A"]])]
    >>> one, two = Tally("BIO").add(*rows), Tally("BIO").add(*rows[::-1])
    >>> both = one.merge(two)
    >>> both.sentences, both.types, both.worst[1]
    (2, ('A',), Costly(cost=2, sentence=1, fp=1, fn=1, name=None))
    """

    scheme: str
    illegal: str = "open"
    suffix: bool = False
    sentences: int = 0
    tokens: TokenCounts = field(default_factory=TokenCounts)
    right_sentences: int = 0
    n_illegal: list[int] = field(default_factory=lambda: [0, 0])
    dropped: list[int] = field(default_factory=lambda: [0, 0])
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    worst: list[Costly] = field(default_factory=list)
    _merged: tuple[tuple[str, ...], Rows] = field(default_factory=lambda: ((), _none()))
    _waiting: list[tuple[tuple[str, ...], Rows]] = field(default_factory=list)

    @property
    def types(self) -> tuple[str, ...]:
        """The types seen so far, sorted."""
        self._settle()
        return self._merged[0]

    @property
    def rows(self) -> Rows:
        """The distinct rows of counts over them."""
        self._settle()
        return self._merged[1]

    @property
    def columns(self) -> Columns:
        """What the columns of the rows are."""
        return Columns(self.types)

    def add(self, gold: TagRows, pred: TagRows, *, named: bool = False) -> Tally:
        """Count one part more: the same sentences on both sides.

        ``named`` says that each sentence has a name of its own, by which the worst are listed.

        Raises
        ------
        InputError
            If a tag is unknown, or not of the scheme.
        """
        sides = [
            decode(rows, scheme=self.scheme, illegal=self.illegal, suffix=self.suffix)
            for rows in (gold, pred)
        ]
        for k, side in enumerate(sides):
            self.n_illegal[k] += side.n_illegal
            self.dropped[k] += side.dropped
        scores = Scores.of(sides[0].spans, sides[1].spans, gold.text.n_sentences)
        self._wait(scores.types, Rows.of(scores.table()).narrow())
        self.tokens = self.tokens.together(compare_tokens(gold, pred))
        causes = Causes(scores)
        for cause, of_pred, of_gold in causes.counts():
            self.causes[cause, "fp"] += of_pred
            self.causes[cause, "fn"] += of_gold
        names = gold.text.names if named else None
        self._keep(_worst(*causes.cost(), self._least(), self.sentences, names))
        self.right_sentences += scores.right_sentences()
        self.sentences += gold.text.n_sentences
        return self

    def merge(self, other: Tally) -> Tally:
        """Add what was counted of other sentences, which are numbered after these.

        Raises
        ------
        UsageError
            If the tags were read differently.
        """
        for name in ("scheme", "illegal", "suffix"):
            one, two = getattr(self, name), getattr(other, name)
            if one != two:
                raise UsageError(
                    f"tally: {name} is {one!r} here and {two!r} in the other part; counts add up "
                    "only where the tags are read in the same way."
                )
        for own, theirs in ((self.n_illegal, other.n_illegal), (self.dropped, other.dropped)):
            own[:] = [a + b for a, b in zip(own, theirs, strict=True)]
        for key, times in other.causes.items():
            self.causes[key] += times
        for types, rows in (other._merged, *other._waiting):
            self._wait(types, rows)
        self.tokens = self.tokens.together(other.tokens)
        self._keep([w._replace(sentence=self.sentences + w.sentence) for w in other.worst])
        self.right_sentences += other.right_sentences
        self.sentences += other.sentences
        return self

    def __getstate__(self) -> dict[str, Any]:
        self._settle()
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def _least(self) -> int:
        """What a sentence has to cost to be among the worst."""
        return self.worst[-1].cost if len(self.worst) == MOST else 1

    def _keep(self, found: list[Costly]) -> None:
        self.worst = sorted((*self.worst, *found), key=lambda w: w.place)[:MOST]

    def _wait(self, types: tuple[str, ...], rows: Rows) -> None:
        """Rows are merged when as many wait as there are, so that each is seen a few times."""
        self._waiting.append((types, rows))
        waiting = sum(len(rows.rows) for _, rows in self._waiting)
        if waiting > max(PENDING, len(self._merged[1].rows)):
            self._settle()

    def _settle(self) -> None:
        if not self._waiting:
            return
        parts = [self._merged, *self._waiting]
        types = tuple(sorted({name for own, _ in parts for name in own}))
        new = Columns(types)
        same = [Rows(relaid(rows.rows, Columns(own), new), rows.times) for own, rows in parts]
        self._merged = types, same[0].together(*same[1:]).narrow()
        self._waiting = []


def _none() -> Rows:
    return Rows(np.zeros((0, Columns(()).width), np.int8), np.zeros(0, np.int64))


def _worst(
    fp: Ints, fn: Ints, least: int, before: int, names: Sequence[str] | None
) -> list[Costly]:
    """The sentences of a part with at least so many errors, no more than are listed."""
    cost = fp + fn
    if np.count_nonzero(cost >= least) > MOST:
        least = max(least, int(np.partition(cost, -MOST)[-MOST]))
    found = [
        Costly(int(cost[k]), before + k, int(fp[k]), int(fn[k]), names[k] if names else None)
        for k in np.flatnonzero(cost >= least).tolist()
    ]
    return sorted(found, key=lambda w: w.place)[:MOST]


def relaid(rows: Ints, old: Columns, new: Columns) -> Ints:
    """Rows of counts over other types (a superset), with 0 for the new ones.

    Examples
    --------
    >>> relaid(np.ones((1, Columns(("b",)).width), int), Columns(("b",)), Columns(("a", "b")))
    array([[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]])
    """
    if old.types == new.types:
        return rows
    out = np.zeros((len(rows), new.width), dtype=rows.dtype)
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
