"""A pair of tag rows under one convention, scored by the library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from assay.spans.causes import CAUSES, Causes
from assay.spans.corpus import Ints, TagRows
from assay.spans.decode import Decoded, decode
from assay.spans.figures import Convention, number
from assay.spans.score import MEASURES, Scores, semeval, semeval_figures
from assay.spans.tokens import TokenCounts, compare_tokens
from assay.web.labs.bio.state import State

Span = tuple[int, int, str]
"""First and last token, and type."""

MODES = ("exact", "partial", "boundaries", "overlap", "partial-optimal", "overlap-optimal")


@dataclass(frozen=True, slots=True)
class Line:
    """Counts and figures of one way of matching; None where a figure is not defined."""

    mode: str
    tp: int
    fp: int
    fn: int
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the SemEval-2013 table."""

    name: str
    correct: int
    incorrect: int
    partial: int
    missed: int
    spurious: int
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Error:
    """One error: what kind, and the spans that it is about.

    Attributes
    ----------
    kind
        "boundary", "type", "boundary_and_type", "split", "merged", "missed" or "spurious".
    gold, pred
        Spans of each side; several of one side where a span was split or spans were merged.
    """

    kind: str
    gold: tuple[Span, ...]
    pred: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Scored:
    """What both rows say, and how they compare."""

    rows: tuple[TagRows, TagRows]
    gold: Decoded
    pred: Decoded
    scores: Scores
    tokens: TokenCounts

    @cached_property
    def totals(self) -> Ints:
        return np.asarray(self.scores.table().sum(axis=0))

    @property
    def legal(self) -> bool:
        """Whether both rows are."""
        return not self.gold.n_illegal + self.pred.n_illegal

    @cached_property
    def spans(self) -> tuple[list[Span], list[Span]]:
        """The spans of the gold and of the predicted row."""
        gold, pred = self.scores.gold, self.scores.pred
        return (
            [(a, b - 1, kind) for _, a, b, kind in gold.to_list()],
            [(a, b - 1, kind) for _, a, b, kind in pred.to_list()],
        )

    def accuracy(self, zero: str) -> float | None:
        """The share of tokens with the same tag."""
        return number(float(Convention(zero).share(self.tokens.right, self.tokens.tokens)))

    def line(self, mode: str, zero: str) -> Line:
        """One way of matching."""
        c = self.scores.columns
        right, gold, pred = (
            int(self.totals[part].sum()) for part in (c.right(mode), c.gold, c.pred)
        )
        figures = Convention(zero).figures(right, gold, pred).tolist()
        return Line(mode, right, pred - right, gold - right, *map(number, figures))

    def lines(self, zero: str) -> list[Line]:
        """Every way of matching."""
        return [self.line(mode, zero) for mode in MODES]

    def measures(self, zero: str) -> list[Measure]:
        """The SemEval-2013 table."""
        table = semeval(self.totals, self.scores.columns)
        out = []
        for name in MEASURES:
            counts = table[name]
            five = (
                int(counts[k]) for k in ("correct", "incorrect", "partial", "missed", "spurious")
            )
            figures = semeval_figures(counts, Convention(zero)).tolist()
            out.append(Measure(name, *five, *map(number, figures)))
        return out

    @cached_property
    def pairs(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Of each gold and each predicted span: how it is paired, and with which.

        "same" with an equal span, "partial" with one of its type, "alone" (−1) with none.
        """
        out = tuple([("alone", -1)] * len(side) for side in self.spans)
        for mode, name in (("partial", "partial"), ("exact", "same")):
            found = self.scores.pairing(mode)
            for g, p in zip(found.gold.tolist(), found.pred.tolist(), strict=True):
                out[0][g], out[1][p] = (name, p), (name, g)
        return out[0], out[1]

    @cached_property
    def errors(self) -> list[Error]:
        """Every error, from left to right; their spans are the false ones of exact matching."""
        causes = Causes(self.scores)
        sides: list[list[tuple[str, int]]] = [
            [(CAUSES[cause], about) for cause, about in zip(of.tolist(), on.tolist(), strict=True)]
            for of, on in (
                (causes.of_gold, causes.about_gold),
                (causes.of_pred, causes.about_pred),
            )
        ]
        gold, pred = self.spans
        found: list[Error] = []
        for g, (kind, about) in enumerate(sides[0]):
            if kind == "missed":
                found.append(Error(kind, (gold[g],), ()))
            elif kind == "split":
                parts = [pred[p] for p, said in enumerate(sides[1]) if said == ("split", g)]
                found.append(Error(kind, (gold[g],), tuple(parts)))
            elif kind not in ("right", "merged"):
                found.append(Error(kind, (gold[g],), (pred[about],)))
        for p, (kind, _) in enumerate(sides[1]):
            if kind == "spurious":
                found.append(Error(kind, (), (pred[p],)))
            elif kind == "merged":
                parts = [gold[g] for g, said in enumerate(sides[0]) if said == ("merged", p)]
                found.append(Error(kind, tuple(parts), (pred[p],)))
        return sorted(found, key=lambda e: ((*e.gold, *e.pred)[0][:2], e.kind))

    def summary(self, zero: str) -> dict[str, Any]:
        """What the reasons of other scorers' differences are judged by."""
        return {
            "convention": self.gold.illegal,
            "scheme": self.gold.scheme,
            "illegal": {"gold": self.gold.n_illegal, "pred": self.pred.n_illegal},
            "zero_division": zero,
        }


def scored(state: State, illegal: str | None = None) -> Scored:
    """A state's pair of rows, under its convention or another."""
    return _scored(state.gold, state.pred, state.scheme, illegal or state.illegal)


@lru_cache(maxsize=256)
def _scored(gold: tuple[str, ...], pred: tuple[str, ...], scheme: str, illegal: str) -> Scored:
    rows = TagRows.of([list(gold)]), TagRows.of([list(pred)])
    one, two = (decode(side, scheme=scheme, illegal=illegal) for side in rows)
    scores = Scores.of(one.spans, two.spans, 1)
    return Scored(rows, one, two, scores, compare_tokens(*rows))
