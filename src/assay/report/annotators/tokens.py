"""Agreement of several annotators position by position: kappa and alpha over tags and types.

Every annotator gives every position (token or character) one label. Without O, the positions
are those that at least one annotator marked (rule "any", O stays a label for the others) or
those that all marked (rule "all"): the truth about the spans is between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.agreement.cohen import cohen_kappa
from assay.agreement.fleiss import fleiss_kappa
from assay.agreement.krippendorff import krippendorff_alpha
from assay.estimate import Estimate, Undefined, undefined
from assay.ratings.categories import Categories
from assay.ratings.model import Block, Ratings
from assay.report.summary import coefficient_dict
from assay.spans.annotators import Resampling
from assay.spans.corpus import Ints, TagRows
from assay.spans.figures import Floats
from assay.spans.unitizing_continuum import Continuum, Stretches

OUTSIDE = "O"


@dataclass(frozen=True, eq=False)
class Labels:
    """One label a position and annotator.

    Attributes
    ----------
    codes
        Shape (annotators, positions).
    names
        What the codes stand for; code 0 is O.
    """

    codes: Ints
    names: tuple[str, ...]

    def take(self, keep: npt.NDArray[np.bool_]) -> Labels:
        """Some of the positions."""
        return Labels(self.codes[:, keep], self.names)

    def ratings(self, annotators: Sequence[str]) -> Ratings:
        """The same as ratings of the positions by the annotators."""
        block = Block(self.codes.astype(np.int32))
        categories = Categories(self.names)
        return Ratings((block,), categories, tuple(annotators), scale="nominal").compact()


def type_labels(continuum: Continuum) -> Labels:
    """The type at each position; several types at one position are one label, as in A+B."""
    names = [OUTSIDE, *(kind or "(no type)" for kind in continuum.types)]
    rows = [_painted(one, continuum.length, names) for one in continuum.marked]
    return Labels(np.stack(rows), tuple(names))


def _painted(one: Stretches, length: int, names: list[str]) -> Ints:
    """The code of each position; sets of types that are new are added to ``names``."""
    out = np.zeros(length, dtype=np.int64)
    place = _places(one)
    kind = np.repeat(one.type, one.size) + 1
    if one.first_overlap() is None:
        out[place] = kind
        return out
    marks = np.unique(np.stack([place, kind], axis=1), axis=0)
    where, first, many = np.unique(marks[:, 0], return_index=True, return_counts=True)
    out[where] = marks[first, 1]
    for at, start, n in zip(where[many > 1], first[many > 1], many[many > 1], strict=True):
        name = "+".join(names[k] for k in marks[start : start + n, 1])
        if name not in names:
            names.append(name)
        out[at] = names.index(name)
    return out


def _places(one: Stretches) -> Ints:
    """Every position of every stretch."""
    size = one.size
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(one.start, size) + within


def written_labels(rows: Sequence[TagRows]) -> Labels:
    """The tags as written."""
    names = list(dict.fromkeys([OUTSIDE, *(tag for one in rows for tag in one.tags)]))
    number = {tag: i for i, tag in enumerate(names)}
    codes = [np.array([number[t] for t in one.tags] or [0])[one.codes] for one in rows]
    return Labels(np.stack(codes).astype(np.int64), tuple(names))


def bio_labels(continuum: Continuum) -> Labels | Undefined:
    """BIO tags of the spans, or why they have none."""
    names = [OUTSIDE]
    for kind in continuum.types:
        tail = f"-{kind}" if kind else ""
        names += [f"B{tail}", f"I{tail}"]
    codes = np.zeros((continuum.annotators, continuum.length), dtype=np.int64)
    for row, title, one in zip(codes, continuum.names, continuum.marked, strict=True):
        if one.first_overlap() is not None:
            return Undefined(
                "overlapping_spans",
                f"{title} has spans that share positions, which one row of tags cannot say",
            )
        row[_places(one)] = 2 * np.repeat(one.type, one.size) + 2
        row[one.start] = 2 * one.type + 1
    return Labels(codes, tuple(names))


def token_rows(
    tags: Labels | Undefined,
    types: Labels,
    annotators: Sequence[str],
    lengths: Ints,
    resampling: Resampling,
) -> list[dict[str, Any]]:
    """Kappa and alpha over tags, over types, and over types without O by both rules."""
    marked = types.codes > 0
    everywhere = np.ones(types.codes.shape[1], dtype=bool)
    out = []
    for what, rule, labels, keep in (
        ("tags", None, tags, everywhere),
        ("types", None, types, everywhere),
        ("without_o", "any", types, np.logical_or.reduce(marked)),
        ("without_o", "all", types, np.logical_and.reduce(marked)),
    ):
        for estimate, spread in _coefficients(labels, keep, annotators, lengths, resampling):
            got = coefficient_dict(estimate, resampling.level)
            interval = resampling.interval(spread) if estimate.defined else None
            row: dict[str, Any] = {"what": what, "rule": rule, "positions": int(keep.sum())}
            for key in ("name", "full_name", "value", "undefined", "observed", "expected"):
                row[key] = got[key]
            row["interval"] = None
            if interval is not None:
                row["interval"] = {
                    "level": interval.level,
                    "low": interval.low,
                    "high": interval.high,
                    "method": interval.method,
                }
            out.append(row)
    return out


def _coefficients(
    labels: Labels | Undefined,
    keep: npt.NDArray[np.bool_],
    annotators: Sequence[str],
    lengths: Ints,
    resampling: Resampling,
) -> list[tuple[Estimate, Floats | None]]:
    """Each estimate with its resampled values."""
    two = len(annotators) == 2
    kappa = ("cohen_kappa", "Cohen's kappa") if two else ("fleiss_kappa", "Fleiss' kappa")
    names = (kappa, ("krippendorff_alpha", "Krippendorff's alpha, nominal"))
    why = labels if isinstance(labels, Undefined) else None
    if why is None and not keep.any():
        why = Undefined("no_positions", "there is no such position")
    if isinstance(labels, Undefined) or why is not None:
        code, reason = ("", "") if why is None else (why.code, why.reason)
        return [(undefined(name, full, code, reason), None) for name, full in names]
    chosen = labels.take(keep)
    ratings = chosen.ratings(annotators)
    estimates = (
        cohen_kappa(ratings) if two else fleiss_kappa(ratings),
        krippendorff_alpha(ratings, metric="nominal"),
    )
    sentence = np.repeat(np.arange(lengths.size), lengths)[keep]
    row, n_rows = resampling.rows(lengths.size)
    drawn = None
    if resampling.resamples and n_rows > 1:
        drawn = resampling.draw(_table(chosen, row[sentence], n_rows))
    if drawn is None:
        return [(one, None) for one in estimates]
    resampled = _resampled(drawn, len(annotators), len(chosen.names))
    return [(one, resampled[one.name]) for one in estimates]


def _table(labels: Labels, row: Ints, n_rows: int) -> Ints:
    """Shape (rows, columns): positions, agreeing ordered pairs, positions a annotator and label."""
    m, n = labels.codes.shape
    k = len(labels.names)
    same = np.zeros(n, dtype=np.int64)
    for i in range(m):
        for j in range(i + 1, m):
            same += 2 * (labels.codes[i] == labels.codes[j])
    alike = np.bincount(row, weights=same, minlength=n_rows).astype(np.int64)
    blocks = [np.bincount(row, minlength=n_rows)[:, None], alike[:, None]]
    blocks += [
        np.bincount(row * k + codes, minlength=n_rows * k).reshape(n_rows, k)
        for codes in labels.codes
    ]
    return np.concatenate(blocks, axis=1)


def _resampled(drawn: Floats, m: int, k: int) -> dict[str, Floats]:
    """The coefficients of complete ratings from resampled sums; NaN where not defined."""
    n, same = drawn[:, 0], drawn[:, 1]
    counts = drawn[:, 2:].reshape(-1, m, k)
    pooled = counts.sum(axis=1)
    ratings = n * m
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = same / (ratings * (m - 1))
        cohen = (counts[:, 0] * counts[:, 1]).sum(axis=-1) / n**2
        fleiss = (pooled**2).sum(axis=-1) / ratings**2
        alpha = (pooled * (pooled - 1)).sum(axis=-1) / (ratings * (ratings - 1))
        chance = {"cohen_kappa": cohen, "fleiss_kappa": fleiss, "krippendorff_alpha": alpha}
        # A draw in which chance alone agrees fully has no value.
        return {
            name: np.where(pe < 1.0 - 1e-12, (observed - pe) / (1.0 - pe), np.nan)
            for name, pe in chance.items()
        }
