"""``annotator_agreement``: one report of several annotators of one text, without gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from assay.errors import InputError, one_of
from assay.estimate import Interval, check_level
from assay.report.annotators.read import Annotated, annotated
from assay.report.annotators.tokens import bio_labels, token_rows, type_labels, written_labels
from assay.report.annotators.words import headline
from assay.report.rendered import Rendered
from assay.spans.annotators import MeanF1, Resampling, pairwise_f1
from assay.spans.corpus import Text
from assay.spans.figures import Convention
from assay.spans.unitizing import Unitized, unitizing
from assay.spans.unitizing_continuum import Continuum


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorReport(Rendered):
    """What :func:`annotator_agreement` returns; prints, and shows itself in a notebook.

    Attributes
    ----------
    f1
        Pairwise F1 by mode and type.
    unitizing
        Krippendorff's coefficients of unitizing.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.
    """

    f1: list[MeanF1]
    unitizing: list[Unitized]
    summary: dict[str, Any] = field(repr=False)


def annotator_agreement(
    annotations: Mapping[str, Any] | Sequence[Any],
    *,
    names: Sequence[str] | None = None,
    text: Text | None = None,
    scheme: str | None = None,
    illegal: str = "open",
    suffix: bool = False,
    zero_division: str = "1",
    bootstrap: int = 1000,
    by: str = "sentence",
    seed: int = 0,
    level: float = 0.95,
    gamma: bool | Mapping[str, Any] = False,
    **reading: Any,
) -> AnnotatorReport:
    """How well several annotators of one text agree on its spans, without a gold standard.

    Parameters
    ----------
    annotations
        One source an annotator, in a list or under their names: tag rows (lists of lists of
        tags), files, spans with ``text``, or what :func:`assay.spans.read.read_pair` returns.
    names
        The annotators'; the files' or 1, 2, … when omitted.
    text
        The sentences, where only spans are given.
    scheme, illegal, suffix
        How tags are read, as in :func:`assay.report.spans.report.score_spans`.
    zero_division
        What F1 is where neither of two annotators has a span: "1", "0" or "undefined".
    bootstrap
        Resamples for intervals; 0 for none.
    by
        What is resampled: "sentence" or "document".
    seed, level
        Of the resampling, and of the intervals.
    gamma
        Whether to compute gamma as well (needs the extra ``gamma``); or its options, as in
        :func:`assay.spans.gamma.gamma`.
    **reading
        Options of :func:`assay.spans.read.read_pair`, for files.

    Raises
    ------
    InputError
        If the annotators' texts differ, or a tag is unknown.
    UsageError
        If there are fewer than two annotators, or an option has no such value.
    MissingExtra
        If gamma is asked for and its library is not installed.

    Examples
    --------
    >>> report = annotator_agreement(
    ...     {
    ...         "ana": [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"]],
    ...         "bo": [["B-PER", "I-PER", "O", "O"], ["O", "B-LOC"]],
    ...     }
    ... )
    >>> exact = report.to_dict()["f1"][0]
    >>> exact["mode"], exact["type"], exact["mean"]
    ('exact', 'micro', 0.8)
    """
    check_level(level)
    one_of(by, ("sentence", "document"), "by")
    found = annotated(
        annotations, names=names, text=text, scheme=scheme, illegal=illegal, suffix=suffix,
        **reading,
    )  # fmt: skip
    groups = None
    if by == "document":
        groups = found.text.documents
        if groups is None or found.text.n_documents < 2:
            raise InputError(
                "by: the source has one document only, and documents cannot be resampled; use "
                "sentences."
            )
    resampling = Resampling(bootstrap, seed, level, groups)
    convention = Convention(zero_division)
    lengths = found.text.lengths
    f1 = pairwise_f1(
        found.spans, found.text.n_sentences, convention=convention, resampling=resampling
    )
    units = unitizing(found.spans, lengths, names=found.names, resampling=resampling)
    summary = {
        **_head(found, level),
        "scheme": found.scheme or None,
        "scheme_detected": scheme is None,
        "convention": illegal,
        "zero_division": zero_division,
        "f1": [_f1_dict(one, found.names) for one in f1],
        "tokens": _tokens(found, resampling),
        "unitizing": [_unitized_dict(one) for one in units],
        "gamma": _gamma(found, gamma),
        "warnings": _warnings(found, resampling),
    }
    summary["headline"] = headline(summary)
    return AnnotatorReport(f1, units, summary)


def _head(found: Annotated, level: float) -> dict[str, Any]:
    import assay

    text = found.text
    kinds = sorted({kind for one in found.spans for kind in one.types})
    return {
        "assay": assay.__version__,
        "kind": "annotators",
        "level": level,
        "headline": [],
        "source": {
            "unit": text.unit,
            "documents": text.n_documents,
            "sentences": text.n_sentences,
            "tokens": text.n_units,
            "spans": sum(map(len, found.spans)),
            "types": kinds,
            "notes": list(found.notes),
        },
        "annotators": [
            {
                "name": name,
                "spans": len(one),
                "types": dict(
                    zip(
                        one.types,
                        np.bincount(one.type, minlength=len(one.types)).tolist(),
                        strict=True,
                    )
                ),
                "illegal": 0 if tags is None else tags.n_illegal,
            }
            for name, one, tags in zip(found.names, found.spans, found.decoded, strict=True)
        ],
    }


def _interval(got: Interval | None) -> dict[str, Any] | None:
    if got is None:
        return None
    return {"level": got.level, "low": got.low, "high": got.high, "method": got.method}


def _f1_dict(one: MeanF1, names: Sequence[str]) -> dict[str, Any]:
    return {
        "mode": one.mode,
        "type": one.type,
        "mean": one.mean,
        "interval": _interval(one.interval),
        "pairs": [
            {
                "a": names[p.a], "b": names[p.b], "f1": p.f1, "tp": p.tp, "fp": p.fp, "fn": p.fn,
            }
            for p in one.pairs
        ],
    }  # fmt: skip


def _unitized_dict(one: Unitized) -> dict[str, Any]:
    return {
        "name": one.name,
        "full_name": one.full_name,
        "category": one.type,
        "value": one.value,
        "undefined": None
        if one.undefined is None
        else {"code": one.undefined.code, "reason": one.undefined.reason},
        "interval": _interval(one.interval),
        "observed": one.observed,
        "expected": one.expected,
        "coverage": one.coverage,
        "reference": one.reference,
    }


def _tokens(found: Annotated, resampling: Resampling) -> list[dict[str, Any]]:
    lengths = found.text.lengths
    continuum = Continuum.of(found.spans, lengths, found.names)
    rows = found.rows
    tags = bio_labels(continuum) if rows is None else written_labels(rows)
    return token_rows(tags, type_labels(continuum), found.names, lengths, resampling)


def _gamma(found: Annotated, asked: bool | Mapping[str, Any]) -> dict[str, Any] | None:
    if asked is False:
        return None
    from assay.spans.gamma import REFERENCE, gamma

    options = {} if asked is True else dict(asked)
    got = gamma(found.spans, found.text.lengths, names=found.names, **options)
    return {**asdict(got), "reference": REFERENCE}


def _warnings(found: Annotated, resampling: Resampling) -> list[dict[str, str]]:
    out = [
        {"code": n["code"], "message": n["message"]} for n in found.notes if n["level"] == "warning"
    ]
    for name, one, tags in zip(found.names, found.spans, found.decoded, strict=True):
        if not len(one):
            out.append({"code": "no_spans", "message": f"{name} marked nothing."})
        if tags is not None and tags.n_illegal:
            many = f"{tags.n_illegal} illegal {'tag' if tags.n_illegal == 1 else 'tags'}"
            out.append(
                {"code": "illegal_tags", "message": f"{name} has {many}, read as '{tags.illegal}'."}
            )
    rows = resampling.rows(found.text.n_sentences)[1]
    if resampling.resamples and rows < 2:
        what = "sentence" if resampling.groups is None else "document"
        message = f"There is one {what} only, so there are no intervals."
        out.append({"code": "no_intervals", "message": message})
    return out
