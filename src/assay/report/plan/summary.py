"""The summary of a plan: one plain dictionary, unrounded, that every renderer reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.agreement.diagnosis import FEW_ITEMS, Finding
from assay.agreement.icc import FORMS
from assay.agreement.planning.answer import Answer, Wish
from assay.agreement.registry import COEFFICIENTS
from assay.report.numbers import coefficient as shown
from assay.report.numbers import count, counted, percent
from assay.report.numbers import level as said_level
from assay.report.summary import finding_dict

HELD = 0.03
"""An interval that holds the value so much less often than its level is warned of."""
GAPS = 0.01
"""A share of studies without an interval that is warned of."""
SMALL_PILOT = 0.3
"""A pilot whose own interval is wider than this says little."""


def title_of(name: str) -> str:
    """The coefficient as a sentence has it."""
    if name == "gwet_ac":
        return "Gwet's AC1"
    if name in FORMS:
        return COEFFICIENTS[name].title
    title = COEFFICIENTS[name].title
    return title[0].lower() + title[1:] if name == "percent_agreement" else title


def summarise(
    name: str, wish: Wish, answers: Sequence[Answer], assumed: dict[str, Any]
) -> dict[str, Any]:
    """Everything a plan shows, as plain values."""
    import assay

    return {
        "assay": assay.__version__,
        "kind": "plan",
        "coefficient": name,
        "title": title_of(name),
        "headline": headline(name, wish, answers),
        "wish": {
            "width": wish.width,
            "lower": wish.lower,
            "items": wish.items,
            "level": wish.level,
            "power": wish.power if wish.lower is not None and wish.items is None else None,
        },
        "assumed": assumed,
        "simulations": wish.simulations,
        "seed": wish.seed,
        "answers": [answer_dict(one) for one in answers],
        "warnings": [finding_dict(one) for one in findings(wish, answers, assumed)],
    }


def answer_dict(one: Answer) -> dict[str, Any]:
    """One answer as plain values."""
    why = one.undefined
    return {
        "raters": one.raters,
        "items": one.items,
        "ratings": None if one.items is None else one.items * one.raters,
        "formula_items": one.formula_items,
        "value": one.value,
        "width": one.width,
        "width_error": one.width_error,
        "low": one.low,
        "high": one.high,
        "passed": one.passed,
        "passed_error": one.passed_error,
        "covered": one.covered,
        "without_interval": one.without,
        "simulations": one.simulations,
        "method": one.method,
        "reference": one.reference,
        "undefined": None if why is None else {"code": why.code, "reason": why.reason},
    }


def headline(name: str, wish: Wish, answers: Sequence[Answer]) -> list[str]:
    """The finding in two lines."""
    title, level = title_of(name), said_level(wish.level)
    found = [one for one in answers if one.items is not None]
    if not found:
        why = answers[0].undefined
        return [f"Not possible, because {why}.", ""]
    first = found[0]
    who = f"{counted(first.items or 0, 'item')}, {first.raters} raters"
    if wish.lower is not None and wish.items is None:
        one = (
            f"{who}: the lower limit of {title} is above {shown(wish.lower)} in "
            f"{percent(first.passed)} of studies."
        )
    else:
        one = f"{who}: the {level} interval of {title} is {shown(first.width)} wide on average."
    return [one, _second(wish, first, found)]


def _second(wish: Wish, first: Answer, found: Sequence[Answer]) -> str:
    if wish.items is not None and wish.lower is not None:
        share = percent(first.passed)
        return f"Its lower limit lies above {shown(wish.lower)} in {share} of such studies."
    if len(found) > 1 and wish.items is None:
        others = ", ".join(f"{count(x.items)} with {x.raters}" for x in found[1:])
        return f"More raters need fewer items: {others}."
    if len(found) > 1:
        others = ", ".join(f"{shown(x.width)} with {x.raters}" for x in found[1:])
        return f"With more raters on the same items it is narrower: {others}."
    if first.low is None or first.high is None:
        return ""
    return f"An estimate of {shown(first.value)} then has the interval {_limits(first)}."


def _limits(one: Answer) -> str:
    return f"{shown(one.low)} to {shown(one.high)}"


def findings(wish: Wish, answers: Sequence[Answer], assumed: dict[str, Any]) -> Iterator[Finding]:
    """What to look at before trusting a plan."""
    found = [one for one in answers if one.items is not None]
    few = [one for one in found if (one.items or 0) < FEW_ITEMS]
    if few:
        who = _who(few)
        yield Finding(
            "few_items",
            f"{who}: fewer than {FEW_ITEMS} items, from which errors are rough; one item more or "
            "less changes much.",
        )
    low = [one for one in found if one.covered is not None and one.covered < wish.level - HELD]
    if low:
        worst = min(low, key=lambda one: one.covered or 0.0)
        yield Finding(
            "interval_too_short",
            f"{_who(low)}: the {said_level(wish.level)} interval holds the value in "
            f"{percent(worst.covered)} of such studies only; it is shorter than it should be, and "
            "more items are needed to be as sure as it says.",
        )
    without = [one for one in found if (one.without or 0.0) > GAPS]
    if without:
        worst = max(without, key=lambda one: one.without or 0.0)
        yield Finding(
            "studies_without_interval",
            f"{_who(without)}: in {percent(worst.without)} of the studies there is no interval, "
            "mostly because one label is all that occurs; they are not in the mean width.",
        )
    pilot = assumed.get("pilot")
    if pilot and pilot["low"] is not None and pilot["high"] - pilot["low"] > SMALL_PILOT:
        yield Finding(
            "small_pilot",
            f"the pilot's own interval reaches from {shown(pilot['low'])} to "
            f"{shown(pilot['high'])}, and the plan takes {shown(pilot['value'])} as true; plan "
            "with both ends too (--value).",
        )


def _who(found: Sequence[Answer]) -> str:
    return ", ".join(str(one.raters) for one in found) + " raters"
