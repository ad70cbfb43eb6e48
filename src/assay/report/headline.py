"""The two lines that open a report: how often raters agree, and what that is worth."""

from __future__ import annotations

from assay.agreement.diagnosis import Finding
from assay.agreement.pool import number_text, plural
from assay.agreement.registry import Context
from assay.estimate import Estimate
from assay.report.bands import SCALES, band


def headline(
    context: Context, estimates: dict[str, Estimate], names: list[str], level: float
) -> list[str]:
    """Two lines in plain words, chosen from the numbers."""
    made = context.made
    items = made.items(2)
    percent = estimates["percent_agreement"]
    if percent.value is None:
        return ["Agreement is not defined, because " + str(percent.undefined) + ".", ""]
    who = "Two raters" if context.raters == 2 else f"{context.raters} raters"
    if context.raters is None:
        who = "Raters"
    share = f"{100 * percent.value:.1f} %"
    if context.raters == 2:
        first = f"{who} agree on {share} of {number_text(items)} items."
    else:
        first = f"{who} agree in {share} of the pairs of ratings of {plural(items, 'item')}."
    main = next((estimates[n] for n in names if n != "percent_agreement"), None)
    if main is None or main.value is None:
        kappa = estimates["cohen_kappa" if context.raters == 2 else "fleiss_kappa"]
        reason = kappa.undefined or estimates["krippendorff_alpha"].undefined
        title = kappa.full_name.split(",")[0].split(" (")[0]
        return [first, f"{title} is not defined: {reason}."]
    return [first, _second(main, level)]


def _second(main: Estimate, level: float) -> str:
    title = main.full_name.split(",")[0].split(" (")[0]
    if main.name.startswith("icc"):
        title = "The intraclass correlation " + main.full_name.split(", two")[0].split(", one")[0]
    interval = main.interval(level)
    value = f"{main.value:.3f}".replace("-", "\u2212")
    sure = ""
    if interval is not None:
        low, high = (f"{x:.3f}".replace("-", "\u2212") for x in (interval.low, interval.high))
        sure = f" ({100 * level:g} % interval {low} to {high})"
    chance = ""
    if main.observed is not None and main.expected is not None and main.expected < 1:
        chance = f"; by chance alone {100 * main.expected:.1f} % would agree"
        if main.full_name.startswith("Weighted") or "metric" in main.full_name:
            chance = ""
    return f"{title} is {value}{sure}{chance}."


def spanning(main: Estimate | None, level: float) -> Finding | None:
    """A finding if the interval spans three of the Landis-Koch bands or more."""
    interval = None if main is None else main.interval(level)
    if main is None or interval is None:
        return None
    words = list(SCALES["landis-koch"].words)
    low, high = words.index(band(interval.low)), words.index(band(interval.high))
    if low - high < 2:
        return None
    return Finding(
        "wide_interval",
        f"the interval of {main.full_name.split(',')[0]} reaches from {interval.low:.2f} to "
        f"{interval.high:.2f}, over {low - high + 1} bands of Landis and Koch: more items would "
        "say which holds.",
    )
