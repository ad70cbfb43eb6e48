"""The sentences of the kappa lab that depend on the numbers."""

from __future__ import annotations

from fractions import Fraction

from markupsafe import Markup

from assay.estimate import Interval
from assay.web.labs.kappa.measured import Measured
from assay.web.labs.kappa.state import State
from assay.web.speech import Speech

FEW = 5
"""Items below which a large-sample interval is rough."""
SKEWED = Fraction(4, 5)
"""Chance agreement above this leaves little to be won."""


def why_undefined(state: State, got: Measured, speech: Speech) -> str:
    """Why kappa does not exist, or ""."""
    if got.empty:
        return speech.say("Not defined: the table is empty, so there is nothing to agree on.")
    if got.kappa is None:
        label = state.labels[got.one_label or 0]
        return speech.say(
            "Not defined: both raters said “{label}” every time. Chance agreement is 1, and "
            "(Po − Pe) / (1 − Pe) is 0 / 0. Other programs print 0, 1 or NaN here; each is a "
            "convention, not a result.",
            label=label,
        )
    return ""


def verdict(state: State, got: Measured, interval: Interval | None, speech: Speech) -> Markup:
    """One sentence on what this table shows."""
    markup = speech.markup
    if got.po is None or got.pe is None:
        return markup("Fill in the table: rows are one rater's labels, columns the other's.")
    if got.kappa is None:
        return markup(
            "They agree on <b>everything</b>, and nothing can be learned from it: with one label "
            "in use, agreement cannot be told from chance."
        )
    percent = speech.percent
    constant = got.constant()
    if constant:
        rater, label = constant[0]
        return markup(
            "“{rater}” says “{label}” <b>every time</b>. Whatever the other says, the agreement is "
            "what chance gives, and kappa is exactly 0.",
            rater=state.raters[rater],
            label=state.labels[label],
        )
    if got.kappa == 1:
        return markup("They agree on <b>every item</b>, with more than one label in use.")
    if got.kappa == 0:
        return markup(
            "They agree on <b>exactly as many</b> items as two raters who never look at the text "
            "and keep these habits."
        )
    if got.kappa < 0:
        if interval is not None and interval.high < 0 and _few(got):
            return markup(
                "They agree <b>less than by chance</b>. The interval lies below 0 too, but where "
                "chance gives fewer than {few} agreements on a label it is rough, and this may "
                "be an accident.",
                few=FEW,
            )
        if interval is not None and interval.high < 0:
            return markup(
                "They agree <b>less than by chance</b>, and not by accident: the whole interval is "
                "below 0. Something makes them differ."
            )
        if interval is None:
            return markup("They agree <b>less than by chance</b>.")
        return markup(
            "They agree <b>less than by chance</b>. The interval reaches above 0, so it may be an "
            "accident of these items."
        )
    if got.pe > SKEWED:
        top = max(range(state.k), key=lambda i: got.rows[i] + got.columns[i])
        share = Fraction(got.rows[top] + got.columns[top], 2 * got.n)
        every = all(one.observed for one in got.terms if one.row or one.column)
        if got.kappa >= Fraction(3, 5) and every:
            return markup(
                "{share} of the ratings are “{label}”, so chance alone gives {pe} agreement; they "
                "agree on the <b>rare labels</b> too, and that is what kappa counts.",
                share=percent(share),
                label=state.labels[top],
                pe=percent(got.pe),
            )
        return markup(
            "{share} of the ratings are “{label}”, so chance alone gives <b>{pe}</b> agreement. "
            "Only {left} were left to be won.",
            share=percent(share),
            label=state.labels[top],
            pe=percent(got.pe),
            left=percent(1 - got.pe),
        )
    if got.kappa_max is not None and got.kappa_max < SKEWED and got.kappa == got.kappa_max:
        return markup(
            "They use the labels at <b>different rates</b>, and agree as far as those allow: kappa "
            "cannot be above {top} here.",
            top=speech.number(got.kappa_max, 4),
        )
    if got.kappa_max is not None and got.kappa_max < SKEWED:
        return markup(
            "They use the labels at <b>different rates</b>, so kappa could not be above "
            "{top} here, however well they agreed.",
            top=speech.number(got.kappa_max, 4),
        )
    return markup(
        "Of the agreement that chance leaves open, they reach <b>{share}</b>.",
        share=percent(got.kappa),
    )


def _few(got: Measured) -> bool:
    """Whether chance agreement on a label in use is of a handful of items."""
    return any(
        one.chance is not None and one.chance < FEW for one in got.terms if one.row or one.column
    )


def won(got: Measured, speech: Speech) -> str:
    """Kappa in one sentence: of what was to be won, how much was."""
    if got.po is None or got.pe is None or got.kappa is None:
        return ""
    top, bottom = speech.number(got.po - got.pe, 4), speech.number(1 - got.pe, 4)
    if got.po < got.pe:
        return speech.say(
            "Of the {bottom} that were to be won, nothing was: {lost} of chance's own were lost.",
            bottom=bottom,
            lost=speech.number(got.pe - got.po, 4),
        )
    if got.po == got.pe:
        return speech.say("Of the {bottom} that were to be won, nothing was won.", bottom=bottom)
    return speech.say(
        "Of the {bottom} that were to be won, {top} were won.", bottom=bottom, top=top
    )


def advice(got: Measured, speech: Speech) -> str:
    """What to do about a negative kappa, or ""."""
    if got.kappa is None or got.kappa >= 0:
        return ""
    return speech.say(
        "The usual causes of a kappa below 0: a criterion read backwards, two versions of the "
        "guideline, two columns swapped. Read the guideline again before computing again."
    )
