"""The two lines that open a report: how often raters agree, and what that is worth."""

from __future__ import annotations

from assay.agreement.diagnosis import Finding
from assay.agreement.pool import plural
from assay.agreement.registry import NUMERIC, Context, short_title
from assay.estimate import Estimate
from assay.report.bands import SCALES, band
from assay.report.numbers import fixed


def headline(
    context: Context, estimates: dict[str, Estimate], names: list[str], level: float
) -> list[str]:
    """Two lines in plain words, chosen from the numbers.

    ``names`` are the coefficients that suit the design, defined or not, best first.
    """
    percent = estimates["percent_agreement"]
    if percent.value is None:
        return [f"Agreement is not defined, because {percent.undefined}.", ""]
    items = plural(context.made.items(2), "item")
    who = {None: "Raters", 2: "Two raters"}.get(context.raters, f"{context.raters} raters")
    share = f"{100 * percent.value:.1f} %"
    main = estimates[names[0]]
    if context.scale in NUMERIC:
        where = f"{who}, {items}"
        return [f"{where}: {_sentence(main, level)}", f"Ratings are exactly equal in {share}."]
    if context.raters == 2:
        first = f"{who} agree on {share} of {items}."
    else:
        first = f"{who} agree in {share} of the pairs of ratings of {items}."
    return [first, _sentence(main, level)]


_CORRELATIONS = {"icc_a_1", "icc_c_1", "icc_1", "lin_ccc", "pearson"}


def _sentence(main: Estimate, level: float) -> str:
    """The value, how sure, and what chance alone would give."""
    title = short_title(main)
    if main.value is None:
        return f"{title} is not defined, because {main.undefined}."
    if main.name.startswith("icc"):
        title = f"the intraclass correlation {title}"
    interval = main.interval(level)
    value, sure, chance = fixed(main.value, 3), "", ""
    if interval is not None:
        low, high = (fixed(x, 3) for x in (interval.low, interval.high))
        sure = f" ({100 * level:g} % interval {low} to {high})"
    counted = "unweighted" in main.full_name or "nominal" in main.full_name or "AC1" in title
    if main.observed is not None and main.expected is not None and counted:
        chance = f"; by chance alone {100 * main.expected:.1f} % would agree"
    return f"{title} is {value}{sure}{chance}."


def spanning(main: Estimate | None, level: float) -> Finding | None:
    """A finding if the interval spans three of the Landis-Koch bands or more."""
    interval = None if main is None else main.interval(level)
    if main is None or interval is None:
        return None
    scale = SCALES["cicchetti-sparrow" if main.name in _CORRELATIONS else "landis-koch"]
    words = list(scale.words)
    low, high = (words.index(band(x, scale)) for x in (interval.low, interval.high))
    if low - high < 2:
        return None
    return Finding(
        "wide_interval",
        f"the interval of {short_title(main)} reaches from {fixed(interval.low, 2)} to "
        f"{fixed(interval.high, 2)}, over {low - high + 1} bands of {scale.title}: more items "
        "would say which holds.",
    )
