"""``plan``: how many items and raters a study needs, or how sure one of a given size will be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from assay.agreement.icc import FORMS
from assay.agreement.planning.answer import Answer, Wish, intraclass, labelled
from assay.agreement.planning.design import (
    PLANNED,
    TWO,
    agreement_of,
    drawn_from,
    kappa_of,
    value_of,
)
from assay.agreement.planning.intraclass import IccDesign
from assay.errors import DesignError, UsageError, one_of
from assay.estimate import Undefined, check_level
from assay.report.plan.input import Pilot, check_wish, exact, read_pilot, shares_of
from assay.report.plan.summary import summarise
from assay.report.rendered import Rendered

RATERS = (2, 3, 4, 5)
"""Where nobody says how many raters there are."""
MOST_RATERS = 100
MOST_LABELS = 50


@dataclass(frozen=True, eq=False, repr=False)
class PlanReport(Rendered):
    """What :func:`plan` returns.

    Attributes
    ----------
    answers
        One for each number of raters, fewest first.
    summary
        Everything as one plain dictionary, unrounded.
    """

    answers: tuple[Answer, ...]
    summary: dict[str, Any] = field(repr=False)

    @property
    def items(self) -> int | None:
        """The items of the first number of raters, or None where no number is enough."""
        return self.answers[0].items

    @property
    def width(self) -> float | None:
        """The mean width of the interval of so many items."""
        return self.answers[0].width


def plan(
    coefficient: str | None = None,
    *,
    value: float | None = None,
    agreement: float | None = None,
    shares: Mapping[str, Any] | Sequence[Any] | None = None,
    labels: int | Sequence[str] | None = None,
    raters: int | Sequence[int] | None = None,
    width: float | None = None,
    lower: float | None = None,
    items: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    pilot: Any = None,
    rater_share: float | None = None,
    simulations: int = 2000,
    seed: int = 0,
    **reading: Any,
) -> PlanReport:
    """How many items a study needs, for each number of raters; or what so many items give.

    Parameters
    ----------
    coefficient
        "cohen_kappa" (the default for two raters), "scott_pi", "fleiss_kappa" (the default
        for more), "krippendorff_alpha" (nominal), "gwet_ac", "brennan_prediger",
        "percent_agreement", or one of the six ICCs.
    value, agreement
        What is expected: the coefficient, or the share of pairs of ratings that agree.
    shares, labels
        How often each label is expected, ``{"safe": .95, "violation": .05}``; or a number of
        labels, or their names, that are equally frequent. An ICC needs neither.
    raters
        How many rate every item, or several numbers to compare.
    width, lower, items
        One of: the width that the interval should have on average; the value that its lower
        limit should lie above, with probability ``power``; the number of items, to be told
        what it gives (there ``lower`` may be given too).
    level
        Of the interval.
    pilot
        Ratings, or what :func:`assay.read` takes: value, shares and raters are taken from it,
        and studies of as many raters as it has are drawn from its items.
    rater_share
        For an ICC: the share of the variance that comes from raters who rate higher or lower
        than others; 0, or the pilot's.
    simulations, seed
        How many studies are drawn to check and correct the formula; 0 leaves it as it is.
    **reading
        Options of :func:`assay.read` for the pilot.

    Returns
    -------
    PlanReport

    Raises
    ------
    UsageError
        If what is asked for, or what is expected, is not said or makes no sense.

    Examples
    --------
    >>> import assay
    >>> found = assay.plan(value=0.7, labels=2, raters=2, width=0.2, simulations=0)
    >>> found.items
    196
    >>> assay.plan("icc_c_1", value=0.8, raters=[2, 3], width=0.2).answers[1].items
    38
    >>> assay.plan(value=0.5, labels=2, lower=0.6).answers[0].undefined.code
    'lower_above_value'
    """
    wish = check_wish(Wish(width, lower, items, check_level(level), power, simulations, seed))
    known = None if pilot is None else read_pilot(pilot, reading)
    if known is None and reading:
        raise UsageError(f"{', '.join(reading)}: of use with a pilot only.")
    numbers = _raters(raters, coefficient, known)
    name = coefficient or ("cohen_kappa" if numbers == (2,) else "fleiss_kappa")
    one_of(name, PLANNED, "coefficient")
    if name in TWO and numbers != (2,):
        said = ", ".join(map(str, numbers))
        raise DesignError(f"{name} is of two raters, not of {said}; use fleiss_kappa.")
    if name in FORMS:
        if shares is not None or labels is not None or agreement is not None:
            raise UsageError(
                f"{name} is of numbers: it is planned from its value, not from shares, labels or "
                "agreement."
            )
        answers, assumed = _numbers(name, value, numbers, rater_share, wish, known)
    else:
        if rater_share is not None:
            raise UsageError(f"rater_share: of use with an ICC, not with {name}.")
        answers, assumed = _labels(name, (value, agreement), (shares, labels), numbers, wish, known)
    summary = summarise(name, wish, answers, assumed)
    return PlanReport(answers, summary)


def _raters(
    raters: int | Sequence[int] | None, coefficient: str | None, pilot: Pilot | None
) -> tuple[int, ...]:
    if raters is None and pilot is not None:
        return (pilot.raters,)
    if raters is None:
        return (2,) if coefficient is None or coefficient in TWO else RATERS
    found = tuple(raters) if isinstance(raters, (Sequence, set)) else (raters,)
    bad = [r for r in found if isinstance(r, bool) or not isinstance(r, int)]
    if bad or not found or min(found) < 2 or max(found) > MOST_RATERS:
        raise UsageError(
            f"raters: whole numbers from 2 to {MOST_RATERS} are needed, not {raters!r}."
        )
    return tuple(sorted(set(found)))


def _labels(
    name: str,
    expected: tuple[Any, Any],
    said: tuple[Any, Any],
    numbers: tuple[int, ...],
    wish: Wish,
    pilot: Pilot | None,
) -> tuple[tuple[Answer, ...], dict[str, Any]]:
    value, agreement = expected
    if pilot is not None and (value is not None or agreement is not None or any(said)):
        raise UsageError(
            "pilot: value, agreement, shares and labels are taken from it; give one or the other."
        )
    if pilot is not None:
        return pilot.answers(name, numbers, wish)
    names, shares = shares_of(*said, most=MOST_LABELS)
    if (value is None) == (agreement is None):
        raise UsageError(
            "value or agreement: say what is expected, one of the two: the coefficient, or the "
            "share of pairs of ratings that agree. A pilot can say it too."
        )
    target, observed, kappa = _expected(name, value, agreement, shares)
    assumed = {
        "value": None if target is None else float(target),
        "agreement": None if isinstance(kappa, Undefined) else float(observed),
        "shares": dict(zip(names, map(float, shares), strict=True)),
        "model": None if isinstance(kappa, Undefined) else float(kappa),
        "pilot": None,
        "rater_share": None,
    }
    if isinstance(kappa, Undefined):
        known = None if target is None else float(target)
        return tuple(Answer(r, known, undefined=kappa) for r in numbers), assumed
    answers = tuple(
        labelled(name, drawn_from(name, names, shares, kappa, r, wish.seed), r, wish)
        for r in numbers
    )
    return answers, assumed


def _expected(
    name: str, value: Any, agreement: Any, shares: list[Fraction]
) -> tuple[Fraction | None, Fraction, Fraction | Undefined]:
    """The coefficient, the agreement, and the model's κ, or why there is none."""
    alone = len(shares) < 2
    if value is not None:
        target = exact(value, "value", low=-1)
        observed = target if alone else agreement_of(name, target, shares)
        return target, observed, kappa_of(observed, shares)
    observed = exact(agreement, "agreement", low=0)
    kappa = kappa_of(observed, shares)
    if alone or isinstance(kappa, Undefined):
        return None, observed, kappa
    return value_of(name, observed, shares), observed, kappa


def _numbers(
    name: str,
    value: Any,
    numbers: tuple[int, ...],
    rater_share: Any,
    wish: Wish,
    pilot: Pilot | None,
) -> tuple[tuple[Answer, ...], dict[str, Any]]:
    if (value is None) == (pilot is None):
        raise UsageError("value: say which ICC is expected, or give a pilot; one of the two.")
    share = 0.0 if rater_share is None else float(exact(rater_share, "rater_share", low=0))
    about = None
    if pilot is not None:
        estimate, found = pilot.intraclass(name)
        about = pilot.about(estimate)
        if estimate.value is None:
            why = estimate.undefined
            return tuple(Answer(r, undefined=why) for r in numbers), _assumed(None, share, about)
        value, share = estimate.value, found if rater_share is None else share
    number = float(exact(value, "value", low=-1))
    assumed = _assumed(number, share, about)
    if not 0.0 <= number < 1.0:
        why = Undefined(
            "impossible_agreement",
            f"an ICC of {number:g} is no share of variance to plan for: from 0 to below 1 is",
        )
        return tuple(Answer(r, number, undefined=why) for r in numbers), assumed
    designs = (
        IccDesign(name, number, r, share, wish.level, wish.simulations or 2000, wish.seed)
        for r in numbers
    )
    return tuple(intraclass(one, wish) for one in designs), assumed


def _assumed(value: float | None, share: float, pilot: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "value": value, "agreement": None, "shares": None, "model": None, "pilot": pilot,
        "rater_share": share,
    }  # fmt: skip
