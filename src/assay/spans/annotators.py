"""Agreement of several annotators on spans, without a gold standard: F1 of each pair.

F1 does not change when the two sides are swapped, so each pair of annotators has one. The mean
over the pairs is the figure to report (Hripcsak and Rothschild 2005: as the number of positions
that nobody marks grows, kappa on spans approaches this mean).

References
----------
Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
information retrieval. Journal of the American Medical Informatics Association 12(3), 296-298.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.errors import UsageError, one_of
from assay.estimate import Interval
from assay.spans.corpus import Ints, SpanSet, shared_types
from assay.spans.figures import Convention, Floats, number
from assay.spans.match import match
from assay.spans.resample import Rows, percentile
from assay.spans.score import type_label

SYMMETRIC = ("exact", "partial")
"""The modes of pairwise F1."""


@dataclass(frozen=True, eq=False)
class Resampling:
    """How intervals are made: a percentile bootstrap over sentences or documents.

    Attributes
    ----------
    resamples
        How many; 0 for no intervals.
    seed, level
        Of the resampling, and of the intervals.
    groups
        Shape (sentences,): the document of each sentence, where documents are resampled.
    """

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    groups: Ints | None = None

    @property
    def method(self) -> str:
        """The method in words."""
        unit = "sentences" if self.groups is None else "documents"
        return f"percentile bootstrap over {unit}, {self.resamples} resamples"

    def rows(self, n_sentences: int) -> tuple[Ints, int]:
        """The row of each sentence in a table of counts, and the number of rows."""
        if self.groups is None:
            return np.arange(n_sentences), n_sentences
        return self.groups, int(self.groups.max(initial=-1)) + 1

    def draw(self, table: Ints) -> Floats | None:
        """Shape (resamples, columns): resampled totals, or None without anything to resample."""
        if not self.resamples or len(table) < 2:
            return None
        return Rows.of(table).resampled(self.resamples, self.seed)

    def interval(self, values: Floats | None) -> Interval | None:
        """The interval of resampled values; those that are not defined are left out."""
        if values is None:
            return None
        low, high = percentile(values, self.level)
        return None if np.isnan(low) else Interval(self.level, low, high, self.method)


@dataclass(frozen=True, slots=True)
class PairF1:
    """Two annotators' spans, matched: with ``a`` as gold, ``fp`` are ``b``'s spans alone.

    Attributes
    ----------
    a, b
        Which annotators, by number.
    tp, fp, fn
        Spans that both have, that only ``b`` has, that only ``a`` has.
    f1
        2 tp / (2 tp + fp + fn), or None where it is not defined.
    """

    a: int
    b: int
    tp: int
    fp: int
    fn: int
    f1: float | None


@dataclass(frozen=True, slots=True)
class MeanF1:
    """F1 of all pairs of annotators under one mode, for one type or all.

    Attributes
    ----------
    mode
        "exact" or "partial".
    type
        A type's name, or "micro" for all types together.
    mean
        The mean of the pairs whose F1 is defined, or None.
    interval
        Of the mean.
    pairs
        Every pair.
    """

    mode: str
    type: str
    mean: float | None
    interval: Interval | None
    pairs: tuple[PairF1, ...]

    def matrix(self, annotators: int) -> Floats:
        """Shape (annotators, annotators): F1 of each pair; 1 on the diagonal, NaN if undefined."""
        out = np.full((annotators, annotators), np.nan)
        np.fill_diagonal(out, 1.0)
        for pair in self.pairs:
            value = np.nan if pair.f1 is None else pair.f1
            out[pair.a, pair.b] = out[pair.b, pair.a] = value
        return out


def pairwise_f1(
    spans: Sequence[SpanSet],
    n_sentences: int,
    *,
    modes: Sequence[str] = SYMMETRIC,
    convention: Convention | None = None,
    resampling: Resampling | None = None,
) -> list[MeanF1]:
    """F1 of every pair of annotators, and the mean, over all types and for each type.

    Parameters
    ----------
    spans
        One set of spans an annotator, of the same sentences.
    n_sentences
        Sentences, with and without spans.
    modes
        "exact" (boundaries and type equal), "partial" (same type and a position shared).
    convention
        What F1 is where neither annotator has a span; 1 when omitted.
    resampling
        How intervals are made; none when omitted.

    Examples
    --------
    >>> ana = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 12, "ORG")])
    >>> bo = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 11, "ORG")])
    >>> cy = SpanSet.of([(0, 0, 3, "PER")])
    >>> exact, *_ = pairwise_f1([ana, bo, cy], 1, modes=["exact"])
    >>> [round(pair.f1, 3) for pair in exact.pairs], round(exact.mean, 3)
    ([0.5, 0.667, 0.667], 0.611)
    """
    if len(spans) < 2:
        raise UsageError(f"pairwise_f1: two annotators or more are needed, not {len(spans)}.")
    for mode in modes:
        one_of(mode, SYMMETRIC, "mode")
    convention = convention or Convention()
    resampling = resampling or Resampling(resamples=0)
    shared = shared_types(*spans)
    types = shared[0].types
    out = []
    for mode in modes:
        table = pair_table(shared, n_sentences, mode, resampling)
        drawn = resampling.draw(table)
        totals = table.sum(axis=0)
        for kind in (None, *range(len(types))):
            f1, counts = _scores(totals, len(shared), len(types), kind, convention)
            spread = None
            if drawn is not None:
                spread = _mean(_scores(drawn, len(shared), len(types), kind, convention)[0])
            mean = number(float(_mean(f1)))
            pairs = tuple(
                PairF1(a, b, int(tp), int(n_b - tp), int(n_a - tp), number(float(value)))
                for (a, b), value, (tp, n_a, n_b) in zip(
                    combinations(range(len(shared)), 2), f1, counts.T, strict=True
                )
            )
            interval = None if mean is None else resampling.interval(spread)
            out.append(
                MeanF1(
                    mode,
                    "micro" if kind is None else type_label(types[kind]),
                    mean,
                    interval,
                    pairs,
                )
            )
    return out


def pair_table(
    spans: Sequence[SpanSet], n_sentences: int, mode: str, resampling: Resampling
) -> Ints:
    """Shape (rows, columns): spans of each annotator and type, then pairs of each two and type."""
    t = len(spans[0].types)
    row, n_rows = resampling.rows(n_sentences)

    def counts(one: SpanSet, which: Ints | slice) -> Ints:
        code = row[one.sentence[which]] * t + one.type[which]
        return np.bincount(code, minlength=n_rows * t).reshape(n_rows, t)

    blocks = [counts(one, slice(None)) for one in spans]
    for a, b in combinations(spans, 2):
        blocks.append(counts(a, _paired(a, b, mode)))
    return np.concatenate(blocks, axis=1)


def _paired(a: SpanSet, b: SpanSet, mode: str) -> Ints:
    """Which spans of ``a`` have one of ``b``, the same number whichever comes first.

    Spans that overlap within a side can make the greedy rule find more pairs one way round; the
    way that finds more is taken.
    """
    found = match(a, b, mode)
    if mode == "exact" or not (a.overlapping or b.overlapping):
        return found.gold
    other = match(b, a, mode)
    return found.gold if len(found) >= len(other) else other.pred


def _scores(
    totals: Ints | Floats, annotators: int, types: int, kind: int | None, convention: Convention
) -> tuple[Floats, Floats]:
    """Shapes (…, pairs) and (3, …, pairs): F1, and tp, spans of a, spans of b."""
    blocks = totals.reshape(*totals.shape[:-1], -1, types) if types else totals[..., None, :]
    cells = blocks.sum(axis=-1) if kind is None else blocks[..., kind]
    if not types:
        pairs = annotators * (annotators - 1) // 2
        cells = np.zeros((*totals.shape[:-1], annotators + pairs))
    a, b = (np.array(side) for side in zip(*combinations(range(annotators), 2), strict=True))
    tp, n_a, n_b = cells[..., annotators:], cells[..., a], cells[..., b]
    return convention.figures(tp, n_a, n_b)[..., 2], np.stack([tp, n_a, n_b])


def _mean(f1: Floats) -> Floats:
    """The mean over pairs of what is defined; NaN where nothing is."""
    known = ~np.isnan(f1)
    count = known.sum(axis=-1)
    total = np.where(known, f1, 0.0).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
