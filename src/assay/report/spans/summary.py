"""The summary of a span report: one plain dictionary, unrounded, that every renderer reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.spans.causes import Causes
from assay.spans.corpus import Ints, SpanSet, Text
from assay.spans.decode import Decoded
from assay.spans.figures import Convention, Floats, number
from assay.spans.resample import Rows, percentile
from assay.spans.score import (
    TYPED,
    UNTYPED,
    Columns,
    Scores,
    mode_figures,
    semeval,
    semeval_figures,
    soft_credit,
    type_label,
)
from assay.spans.surface import forms, in_context

PLACES = 100
"""Illegal positions and sentences listed; all are counted."""
CONFUSED_TYPES = 200
"""Of more types, the confusion table lists those with the most errors."""
FIGURES = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one report."""

    convention: Convention
    level: float = 0.95
    resamples: int = 1000
    seed: int = 0
    groups: Ints | None = None
    examples: int = 20

    @property
    def method(self) -> str:
        unit = "sentences" if self.groups is None else "documents"
        return f"percentile bootstrap over {unit}, {self.resamples} resamples"


def matches(rows: Rows, columns: Columns, settings: Settings) -> list[dict[str, Any]]:
    """One entry for each mode and type, with bootstrap intervals.

    ``rows`` are the distinct rows of :meth:`assay.spans.score.Scores.table`.
    """
    convention = settings.convention
    totals = rows.totals
    drawn = None
    if settings.resamples and int(rows.times.sum()) > 1:
        drawn = rows.resampled(settings.resamples, settings.seed)
    out = []
    for mode in (*TYPED, *UNTYPED):
        point = mode_figures(totals, columns, mode, convention)
        spread = None if drawn is None else mode_figures(drawn, columns, mode, convention)
        counts = _counts(totals, columns, mode)
        for kind, figures in point.items():
            tp, gold, pred = counts[kind]
            entry: dict[str, Any] = {
                "mode": mode,
                "type": kind,
                "tp": tp,
                "fp": pred - tp,
                "fn": gold - tp,
                **{name: number(figures[k]) for k, name in enumerate(FIGURES)},
                "support": gold,
            }
            for k, name in enumerate(("precision_interval", "recall_interval", "interval")):
                entry[name] = _interval(figures[k], spread, kind, k, settings, gold)
            out.append(entry)
    return out


def _counts(totals: Ints, columns: Columns, mode: str) -> dict[str, tuple[int, int, int]]:
    gold, pred = totals[columns.gold].tolist(), totals[columns.pred].tolist()
    right = totals[columns.right(mode)].tolist()
    whole = (sum(right), sum(gold), sum(pred))
    out = {"micro": whole, "macro": whole, "weighted": whole}
    if mode in TYPED:
        each = zip(right, gold, pred, strict=True)
        out |= dict(zip(map(type_label, columns.types), each, strict=True))
    return out


def _interval(
    value: float,
    spread: dict[str, Floats] | None,
    kind: str,
    k: int,
    settings: Settings,
    support: int,
) -> dict[str, Any] | None:
    if spread is None or np.isnan(value):
        return None
    low, high = percentile(spread[kind][:, k], settings.level)
    if np.isnan(low):
        return None
    method = settings.method
    if low == high == 1.0 and support:
        # Resampling what is all right says nothing of what is not; an exact limit does.
        low = float(((1.0 - settings.level) / 2.0) ** (1.0 / support))
        method = "bound: exact binomial limit over the gold spans"
    return {"level": settings.level, "low": low, "high": high, "method": method}


def semeval_dict(
    totals: Ints, columns: Columns, convention: Convention
) -> dict[str, dict[str, Any]]:
    """The SemEval-2013 table of all types together, from totals of the table of counts."""
    out = {}
    for measure, counts in semeval(totals, columns).items():
        figures = semeval_figures(counts, convention)
        out[measure] = {
            **{name: int(value) for name, value in counts.items()},
            **{name: number(figures[k]) for k, name in enumerate(FIGURES)},
        }
    return out


def semeval_types(scores: Scores, convention: Convention) -> dict[str, dict[str, Any]]:
    """The SemEval table a type, in which only pairs of the type count.

    A gold span paired with another type is missed, and the prediction spurious for its own type,
    so that exchanging the sides exchanges precision and recall of every type.
    """
    pairs, kinds = scores.kinds
    t = len(scores.types)
    of_pair = scores.gold.type[pairs.gold]
    identical, boundary = (np.bincount(of_pair[kinds == k], minlength=t) for k in range(2))
    none = np.zeros(t, dtype=np.int64)
    columns = Columns(scores.types)
    totals = np.zeros((t, columns.width), dtype=np.int64)
    totals[:, columns.kinds] = np.stack([identical, boundary, none, none], axis=1)
    own = np.arange(t)
    totals[own, columns.gold.start + own] = np.bincount(scores.gold.type, minlength=t)
    totals[own, columns.pred.start + own] = np.bincount(scores.pred.type, minlength=t)
    return {
        name: semeval_dict(totals[k], columns, convention) for k, name in enumerate(scores.types)
    }


def soft_dict(scores: Scores, convention: Convention) -> dict[str, dict[str, float | None]]:
    """Half and overlap-weighted credit."""
    return {
        name: {n: number(figures[k]) for k, n in enumerate(FIGURES)}
        for name, figures in soft_credit(scores, convention).items()
    }


def greedy_differs(totals: Ints, columns: Columns) -> dict[str, int]:
    """By how many pairs the best matching exceeds the greedy one."""
    return {
        mode: int(
            totals[columns.right(f"{mode}-optimal")].sum() - totals[columns.right(mode)].sum()
        )
        for mode in ("partial", "overlap")
    }


def illegal_dict(decoded: Decoded | None, text: Text) -> list[dict[str, Any]]:
    """The first illegal transitions, with their words."""
    if decoded is None:
        return []
    out = []
    for place in decoded.places[:PLACES]:
        stop = min(place.position + 1, int(text.lengths[place.sentence]))
        left, word, right = in_context(place.sentence, ((max(0, stop - 1), stop),), text)
        out.append(
            {
                "sentence": place.sentence,
                "position": place.position,
                "before": place.before,
                "after": place.after,
                "context": {"left": left, "text": word, "right": right},
            }
        )
    return out


def errors_dict(scores: Scores, text: Text, settings: Settings) -> dict[str, Any]:
    """Causes, type confusion, forms and sentences by cost."""
    causes = Causes(scores)
    gold, pred = scores.gold, scores.pred
    fp, fn = causes.cost()
    cost = fp + fn
    order = np.lexsort((np.arange(cost.size), -cost))
    worst = [k for k in order[:PLACES].tolist() if cost[k]]
    return {
        "causes": [{"cause": c, "fp": a, "fn": b} for c, a, b in causes.counts()],
        "confusion": _confusion(causes),
        "surface": [
            {
                "cause": form.cause,
                "gold_type": form.gold_type,
                "pred_type": form.pred_type,
                "gold_text": form.gold_text,
                "pred_text": form.pred_text,
                "count": form.count,
                "examples": [_example(scores, text, *pair) for pair in form.examples],
            }
            for form in forms(causes, text, most=settings.examples)
        ],
        "sentences": [
            {
                "sentence": k,
                "name": None if text.names is None else text.names[k],
                "cost": int(cost[k]),
                "fp": int(fp[k]),
                "fn": int(fn[k]),
                "tokens": _words(text, k),
                "gold": _spans(gold, k),
                "pred": _spans(pred, k),
            }
            for k in worst
        ],
    }


def _confusion(causes: Causes) -> dict[str, Any]:
    """Gold type by predicted type; of very many types, those most often confused."""
    labels, counts = list(causes.scores.types), causes.confusion()
    if len(labels) > CONFUSED_TYPES:
        wrong = counts.sum(axis=0)[:-1] + counts.sum(axis=1)[:-1] - 2 * np.diag(counts)[:-1]
        keep = np.sort(np.argsort(-wrong, kind="stable")[:CONFUSED_TYPES])
        group = np.full(len(labels) + 1, keep.size)
        group[keep] = np.arange(keep.size)
        group[-1] = keep.size + 1
        folded = np.zeros((keep.size + 2, keep.size + 2), dtype=np.int64)
        np.add.at(folded, (group[:, None], group[None, :]), counts)
        labels, counts = [*(labels[k] for k in keep.tolist()), "(other types)"], folded
    return {"labels": labels, "rows": "gold", "columns": "pred", "counts": counts.tolist()}


def _words(text: Text, sentence: int) -> list[str]:
    if text.tokens is None:
        return []
    return list(text.tokens[sentence])


def _spans(spans: SpanSet, sentence: int) -> list[list[Any]]:
    low, high = np.searchsorted(spans.sentence, [sentence, sentence + 1])
    return [
        [int(spans.start[i]), int(spans.stop[i]), spans.types[spans.type[i]]]
        for i in range(int(low), int(high))
    ]


def _example(scores: Scores, text: Text, g: int | None, p: int | None) -> dict[str, Any]:
    side, index = (scores.gold, g) if g is not None else (scores.pred, p)
    if index is None:
        return {}
    sentence = int(side.sentence[index])
    left, words, right = in_context(sentence, side.pieces(index), text)
    return {"sentence": sentence, "left": left, "text": words, "right": right}
