"""Krippendorff's alpha for unitizing: agreement on where spans are, and of which type.

Two definitions: the family of 2016 (:mod:`assay.spans.unitizing_family`) and that of 1995 and
2004 (:mod:`assay.spans.unitizing_2004`). Sentences are laid end to end in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from assay.estimate import Interval, Undefined
from assay.spans.annotators import Resampling
from assay.spans.corpus import Ints, SpanSet
from assay.spans.unitizing_2004 import REFERENCE as REFERENCE_2004
from assay.spans.unitizing_2004 import expected_2004, observed_2004
from assay.spans.unitizing_continuum import Continuum
from assay.spans.unitizing_family import FAMILY, REFERENCE, Ratio, family_table, ratios

FULL_NAMES = {
    "u_alpha": "u-alpha, spans and gaps",
    "u_alpha_binary": "|u-alpha, marked or not",
    "cu_alpha": "cu-alpha, types where two annotators marked",
    "ku_alpha": "ku-alpha, one type where two annotators marked",
    "alpha_u_2004": "alpha for unitizing (1995, 2004), boundaries type by type",
}


@dataclass(frozen=True, slots=True)
class Unitized:
    """One coefficient of unitizing.

    Attributes
    ----------
    name
        A key of :data:`FULL_NAMES`.
    type
        The type it is about, or None for all.
    value, exact
        1 − observed / expected, as a float and as a fraction; or None.
    undefined
        Why there is no value, or None.
    observed, expected
        Disagreement: shares of positions in the family of 2016, squared distances over L² in
        that of 2004.
    coverage
        The share of positions (ku-alpha: of those marked with the type) it rests on, or None.
    interval
        Of the value, or None.
    """

    name: str
    type: str | None
    value: float | None
    exact: Fraction | None = None
    undefined: Undefined | None = None
    observed: float | None = None
    expected: float | None = None
    coverage: float | None = None
    interval: Interval | None = None

    @property
    def full_name(self) -> str:
        """The name in words."""
        return FULL_NAMES[self.name]

    @property
    def reference(self) -> str:
        """Where the definition comes from."""
        return REFERENCE_2004 if self.name == "alpha_u_2004" else REFERENCE


def unitizing(
    spans: Sequence[SpanSet],
    lengths: Ints | Sequence[int],
    *,
    names: Sequence[str] | None = None,
    resampling: Resampling | None = None,
) -> list[Unitized]:
    """Every coefficient of unitizing, over all types and for each.

    Parameters
    ----------
    spans
        One set of spans an annotator, of the same sentences.
    lengths
        Shape (sentences,): positions (tokens or characters) in each sentence.
    names
        The annotators', for reasons; 1, 2, … when omitted.
    resampling
        How intervals are made; none when omitted. The definition of 2004 has none, as its
        expectation does not add up over sentences.

    Raises
    ------
    InputError
        If a span reaches past its sentence.

    Examples
    --------
    >>> ana = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 12, "ORG")])
    >>> bo = SpanSet.of([(0, 0, 3, "PER"), (0, 6, 11, "ORG")])
    >>> found = {(one.name, one.type): one for one in unitizing([ana, bo], [17])}
    >>> found["u_alpha", None].exact
    Fraction(1101, 1207)
    >>> found["cu_alpha", None].value
    1.0
    """
    continuum = Continuum.of(spans, lengths, names)
    resampling = resampling or Resampling(resamples=0)
    return [*_family(continuum, resampling), *_of_2004(continuum)]


def _refusal(continuum: Continuum) -> Undefined | None:
    if continuum.annotators < 2:
        return Undefined(
            "one_annotator", f"two annotators are needed, and there are {continuum.annotators}"
        )
    if not continuum.length:
        return Undefined("no_text", "the text has no positions")
    if not any(one.start.size for one in continuum.marked):
        return Undefined("no_spans", "nobody marked a span")
    return None


def _overlap(continuum: Continuum, kind: int | None = None) -> Undefined | None:
    """Why spans that share positions rule a coefficient out, or None."""
    for name, one in zip(continuum.names, continuum.marked, strict=True):
        stretches = one if kind is None else one.take(one.type == kind)
        place = stretches.first_overlap()
        if place is not None:
            what = "spans" if kind is None else f"spans of type '{continuum.types[kind]}'"
            return Undefined(
                "overlapping_spans",
                f"{name} has {what} that share positions (first in sentence "
                f"{continuum.sentence_of(place) + 1}), and the definition asks for one value a "
                "position",
            )
    return None


def _family(continuum: Continuum, resampling: Resampling) -> list[Unitized]:
    types = continuum.types
    why = _refusal(continuum) or _overlap(continuum)
    if why is not None:
        keys = [(name, None) for name in FAMILY[:3]] + [(FAMILY[3], kind) for kind in types]
        return [Unitized(name, kind, None, undefined=why) for name, kind in keys]
    table = family_table(continuum, *resampling.rows(continuum.lengths.size))
    m, k = continuum.annotators, len(types)
    totals = np.array(table.sum(axis=0).tolist(), dtype=object)
    drawn = resampling.draw(table)
    exact = [one.whole() for one in ratios(totals, m, k)]
    spread: list[Ratio | None] = [None] * len(exact)
    if drawn is not None:
        spread = [*ratios(drawn, m, k)]
    return [
        _unitized(one, other, types, resampling) for one, other in zip(exact, spread, strict=True)
    ]


def _unitized(
    one: Ratio, spread: Ratio | None, types: tuple[str, ...], resampling: Resampling
) -> Unitized:
    kind = None if one.type is None else types[one.type]
    coverage = None
    if one.name in ("cu_alpha", "ku_alpha"):
        coverage = float(Fraction(one.covered, one.covers)) if one.covers else 0.0
    value = one.exact()
    if value is None:
        return Unitized(one.name, kind, None, undefined=_reason(one, kind), coverage=coverage)
    return Unitized(
        one.name,
        kind,
        float(value),
        value,
        observed=float(Fraction(one.observed, one.of)),
        expected=float(Fraction(one.expected, one.expected_of)),
        coverage=coverage,
        interval=None if spread is None else resampling.interval(spread.floats()),
    )


def _reason(one: Ratio, kind: str | None) -> Undefined:
    if one.name in ("cu_alpha", "ku_alpha") and not one.of:
        what = "no span" if kind is None else f"no span of type '{kind}'"
        return Undefined(
            "no_shared_positions", f"{what} shares a position with another annotator's span"
        )
    if one.name in ("cu_alpha", "ku_alpha"):
        where = "where two annotators marked there is one type only"
    elif one.name == "u_alpha_binary":
        where = "every position is marked"
    else:
        where = "every position is marked with one type"
    return Undefined(
        "one_category_used", f"{where}: expected disagreement is 0, and 1 - Do / De is 0 / 0"
    )


def _of_2004(continuum: Continuum) -> list[Unitized]:
    name = "alpha_u_2004"
    why = _refusal(continuum)
    if why is not None:
        return [Unitized(name, kind, None, undefined=why) for kind in (None, *continuum.types)]
    each: list[Unitized] = []
    observed, expected = Fraction(0), Fraction(0)
    stopped: Undefined | None = None
    for code, kind in enumerate(continuum.types):
        why = _overlap(continuum, code)
        if why is not None:
            stopped = stopped or why
            each.append(Unitized(name, kind, None, undefined=why))
            continue
        marked = [one.take(one.type == code) for one in continuum.marked]
        if not any(one.start.size for one in marked):
            why = Undefined("no_spans", f"nobody marked a span of type '{kind}'")
            each.append(Unitized(name, kind, None, undefined=why))
            continue
        parts = (
            observed_2004(marked, continuum.length),
            expected_2004(marked, continuum.length),
        )
        observed, expected = observed + parts[0], expected + parts[1]
        each.append(_alpha_2004(kind, *parts))
    if stopped is not None:
        return [Unitized(name, None, None, undefined=stopped), *each]
    return [_alpha_2004(None, observed, expected), *each]


def _alpha_2004(kind: str | None, observed: Fraction, expected: Fraction) -> Unitized:
    name = "alpha_u_2004"
    if not expected:
        why = Undefined(
            "no_variance",
            "spans of one position that leave no gap can only agree: expected disagreement is 0",
        )
        return Unitized(name, kind, None, undefined=why)
    value = 1 - observed / expected
    return Unitized(
        name, kind, float(value), value, observed=float(observed), expected=float(expected)
    )
