"""Scores of predicted spans against gold spans, from counts a sentence.

All figures come from one table of whole numbers: for each sentence and type the gold spans, the
predicted spans and those paired under each mode. Tables of parts of a corpus add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.spans.corpus import Ints, SpanSet, shared_types
from assay.spans.figures import Convention, Floats
from assay.spans.match import Pairing, by_kind, match

TYPED = ("exact", "partial", "partial-optimal")
"""Modes in which both spans of a pair have the same type."""
UNTYPED = ("boundaries", "overlap", "overlap-optimal")

MEASURES = ("strict", "exact", "partial", "type")
"""Of the SemEval-2013 task 9 table."""

KINDS = ("identical", "boundary", "type", "boundary_and_type")
"""How the two spans of a pair differ."""


@dataclass(frozen=True, eq=False)
class Columns:
    """What each column of the table of counts is.

    For t types: gold spans a type, predicted spans a type, pairs a type in each of the typed
    modes, pairs in each of the untyped modes, pairs of each kind, and credit in units.
    """

    types: tuple[str, ...]

    @property
    def t(self) -> int:
        return len(self.types)

    @property
    def gold(self) -> slice:
        return slice(0, self.t)

    @property
    def pred(self) -> slice:
        return slice(self.t, 2 * self.t)

    def right(self, mode: str) -> slice:
        """Pairs under a mode: one column a type, or one in all."""
        if mode in TYPED:
            start = (2 + TYPED.index(mode)) * self.t
            return slice(start, start + self.t)
        start = (2 + len(TYPED)) * self.t + UNTYPED.index(mode)
        return slice(start, start + 1)

    @property
    def kinds(self) -> slice:
        start = (2 + len(TYPED)) * self.t + len(UNTYPED)
        return slice(start, start + len(KINDS))

    @property
    def width(self) -> int:
        return (2 + len(TYPED)) * self.t + len(UNTYPED) + len(KINDS)


def difference(gold: SpanSet, pred: SpanSet, pairs: Pairing) -> Ints:
    """Shape (pairs,): how the two spans of each pair differ, as an index into KINDS."""
    same_type = gold.type[pairs.gold] == pred.type[pairs.pred]
    same_place = (gold.start[pairs.gold] == pred.start[pairs.pred]) & (
        gold.stop[pairs.gold] == pred.stop[pairs.pred]
    )
    if gold.fragments or pred.fragments:
        for k, (i, j) in enumerate(zip(pairs.gold.tolist(), pairs.pred.tolist(), strict=True)):
            if gold.pieces(i) != pred.pieces(j):
                same_place[k] = False
    return np.where(same_type, np.where(same_place, 0, 1), np.where(same_place, 2, 3)).astype(
        np.int64
    )


@dataclass(frozen=True, eq=False)
class Scores:
    """Gold and predicted spans of the same sentences, paired and counted.

    Attributes
    ----------
    gold, pred
        The spans, over the same types.
    n_sentences
        Sentences, with and without spans.
    """

    gold: SpanSet
    pred: SpanSet
    n_sentences: int

    @classmethod
    def of(cls, gold: SpanSet, pred: SpanSet, n_sentences: int) -> Scores:
        """Scores of spans over any types."""
        gold, pred = shared_types(gold, pred)
        return cls(gold, pred, n_sentences)

    @property
    def types(self) -> tuple[str, ...]:
        """Types in gold or prediction."""
        return self.gold.types

    @cached_property
    def columns(self) -> Columns:
        return Columns(self.types)

    def pairing(self, mode: str) -> Pairing:
        """The pairs under one mode."""
        found = self.__dict__.setdefault("_pairings", {})
        if mode not in found:
            found[mode] = match(self.gold, self.pred, mode)
        return found[mode]  # type: ignore[no-any-return]

    @cached_property
    def kinds(self) -> tuple[Pairing, Ints]:
        """The pairs behind the SemEval table, and how each differs (index into KINDS)."""
        pairs = by_kind(self.gold, self.pred)
        return pairs, difference(self.gold, self.pred, pairs)

    def totals(self, *modes: str) -> dict[str, tuple[Ints, Ints, Ints]]:
        """For each mode: pairs, gold and predicted spans, one number a type or one in all."""
        t = len(self.types)
        gold = np.bincount(self.gold.type, minlength=t)
        pred = np.bincount(self.pred.type, minlength=t)
        out = {}
        for mode in modes:
            pairs = self.pairing(mode)
            if mode in TYPED:
                right = np.bincount(self.gold.type[pairs.gold], minlength=t)
                out[mode] = (right, gold, pred)
            else:
                out[mode] = (
                    np.array([len(pairs)]), np.array([gold.sum()]), np.array([pred.sum()]),
                )  # fmt: skip
        return out

    def table(self, *, every: bool = True, groups: Ints | None = None) -> Ints:
        """Shape (sentences, columns): all counts, or only those of exact matching.

        Parameters
        ----------
        every
            Whether to fill the columns of all modes; the rest are 0 otherwise.
        groups
            Shape (sentences,): add sentences up by this number (documents).
        """
        c = self.columns
        n = self.n_sentences if groups is None else int(groups.max(initial=-1)) + 1
        out = np.zeros((n, c.width), dtype=np.int64)

        def add(sentence: Ints, column: Any) -> None:
            row = sentence if groups is None else groups[sentence]
            flat = np.bincount(row * c.width + column, minlength=n * c.width)
            out.reshape(-1)[:] += flat

        add(self.gold.sentence, c.gold.start + self.gold.type)
        add(self.pred.sentence, c.pred.start + self.pred.type)
        for mode in TYPED + UNTYPED if every else ("exact",):
            pairs = self.pairing(mode)
            start = c.right(mode).start
            kind = self.gold.type[pairs.gold] if mode in TYPED else 0
            add(self.gold.sentence[pairs.gold], start + kind)
        if every:
            pairs, kind = self.kinds
            add(self.gold.sentence[pairs.gold], c.kinds.start + kind)
        return out

    def right_sentences(self) -> int:
        """Sentences whose spans are all right and where none is missing or spurious."""
        pairs = self.pairing("exact")
        wrong = np.zeros(self.n_sentences, dtype=bool)
        g, p = pairs.without(self.gold, self.pred)
        wrong[self.gold.sentence[g]] = True
        wrong[self.pred.sentence[p]] = True
        return int(self.n_sentences - np.count_nonzero(wrong))


AVERAGES = ("micro", "macro", "weighted")


def type_label(name: str) -> str:
    """A type's name in reports, where micro, macro and weighted are averages.

    >>> type_label("PER"), type_label("micro")
    ('PER', 'micro (type)')
    """
    return f"{name} (type)" if name in AVERAGES else name


def mode_figures(
    totals: Ints | Floats, columns: Columns, mode: str, convention: Convention
) -> dict[str, Floats]:
    """Precision, recall and F of one mode from (resampled) totals of shape (…, columns).

    Keys are "micro", and for typed modes "macro", "weighted" and each type's name.
    """
    gold, pred = totals[..., columns.gold], totals[..., columns.pred]
    right = totals[..., columns.right(mode)]
    out = {"micro": convention.figures(right.sum(axis=-1), gold.sum(axis=-1), pred.sum(axis=-1))}
    if mode in TYPED:
        each = convention.figures(right, gold, pred)
        out["macro"] = convention.mean(each)
        # Without gold spans there is nothing to weight by, and all spans together stand for it.
        none = (gold.sum(axis=-1) == 0)[..., None]
        alone = np.where(none, out["micro"], convention.mean(each, gold))
        out["weighted"] = np.where(np.isnan(convention.empty) & none, np.nan, alone)
        for k, name in enumerate(columns.types):
            out[type_label(name)] = each[..., k, :]
    return out


def semeval(totals: Ints, columns: Columns) -> dict[str, dict[str, Any]]:
    """The SemEval-2013 table: for each measure its five counts.

    Of the pairs, strict counts as correct those equal in boundaries and type, exact those equal
    in boundaries, type those equal in type; the others are incorrect. Partial counts equal
    boundaries as correct and other overlaps as partial.
    """
    identical, boundary, kind, both = (
        totals[..., columns.kinds.start + k] for k in range(len(KINDS))
    )
    paired = identical + boundary + kind + both
    gold, pred = totals[..., columns.gold].sum(axis=-1), totals[..., columns.pred].sum(axis=-1)
    correct = {
        "strict": identical,
        "exact": identical + kind,
        "partial": identical + kind,
        "type": identical + boundary,
    }
    none = identical * 0
    return {
        measure: {
            "correct": correct[measure],
            "incorrect": none if measure == "partial" else paired - correct[measure],
            "partial": paired - correct[measure] if measure == "partial" else none,
            "missed": gold - paired,
            "spurious": pred - paired,
            "possible": gold,
            "actual": pred,
        }
        for measure in MEASURES
    }


def semeval_figures(counts: dict[str, Any], convention: Convention) -> Floats:
    """Precision, recall and F of one SemEval measure; partial pairs earn half."""
    credit = counts["correct"] + 0.5 * counts["partial"]
    return convention.figures(credit, counts["possible"], counts["actual"])


def soft_credit(scores: Scores, convention: Convention) -> dict[str, Floats]:
    """Credit for partial pairs: a half, or the share of units that agree.

    Under "overlap" a pair earns shared / predicted units of precision and shared / gold units of
    recall, and F is their harmonic mean.
    """
    pairs = scores.pairing("partial")
    gold, pred = scores.gold, scores.pred
    exact = len(scores.pairing("exact"))
    half = exact + 0.5 * (len(pairs) - exact)
    shared = np.minimum(gold.stop[pairs.gold], pred.stop[pairs.pred]) - np.maximum(
        gold.start[pairs.gold], pred.start[pairs.pred]
    )
    size_gold = (gold.stop - gold.start)[pairs.gold]
    size_pred = (pred.stop - pred.start)[pairs.pred]
    if gold.fragments or pred.fragments:
        from assay.spans.match import shared_units

        for k, (i, j) in enumerate(zip(pairs.gold.tolist(), pairs.pred.tolist(), strict=True)):
            one, two = gold.pieces(i), pred.pieces(j)
            shared[k] = shared_units(one, two)
            size_gold[k] = sum(b - a for a, b in one)
            size_pred[k] = sum(b - a for a, b in two)
    p = float(convention.share((shared / size_pred).sum(), len(pred)))
    r = float(convention.share((shared / size_gold).sum(), len(gold)))
    square = convention.beta**2
    f = float(convention.share((1 + square) * p * r, square * p + r)) if p + r else 0.0
    if not len(pairs) and len(gold) + len(pred):
        f = 0.0
    return {
        "half": convention.figures(half, len(gold), len(pred)),
        "overlap": np.array([p, r, f]),
    }
