"""What the page says of an ordered table, finding first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assay.web.labs.many.estimates import Figure
from assay.web.labs.ordered.state import State, written_as_numbers
from assay.web.speech import Speech


def headline(state: State, figures: Mapping[str, Figure], speech: Speech) -> str:
    """The finding, in one sentence."""
    say, n = speech.say, state.n
    plain, quadratic = figures["kappa-identity"], figures["kappa-quadratic"]
    if not n:
        return say("There is no item yet: type counts, or open one of the examples.")
    if plain.value is None:
        return say("Kappa is not defined: {reason}.", reason=plain.reason)
    misses = n - state.apart(0)
    many = speech.many
    if not misses:
        return many(
            "They agree on the one item, so no weight has anything to forgive.",
            "They agree on all {n} items, so no weight has anything to forgive.",
            n,
        )
    values = {
        "misses": misses,
        "near": state.apart(1),
        "plain": speech.number(plain.value),
        "quadratic": speech.number(quadratic.value),
    }
    if state.k == 2 and figures["kappa-ratio"].value is None:
        return many(
            "They differ on {misses} of {n} item, and two labels can only be one step apart: "
            "every weight but ratio, which these labels do not allow, gives {plain}.",
            "They differ on {misses} of {n} items, and two labels can only be one step apart: "
            "every weight but ratio, which these labels do not allow, gives {plain}.",
            n,
            **values,
        )
    if state.k == 2:
        return many(
            "They differ on {misses} of {n} item, and two labels can only be one step apart: "
            "every weight gives {plain}.",
            "They differ on {misses} of {n} items, and two labels can only be one step apart: "
            "every weight gives {plain}.",
            n,
            **values,
        )
    if state.apart(1) == misses:
        return many(
            "They differ on {misses} of {n} item, never by more than one step. If every miss is "
            "as bad, kappa is {plain}; under quadratic weights it is {quadratic}.",
            "They differ on {misses} of {n} items, never by more than one step. If every miss is "
            "as bad, kappa is {plain}; under quadratic weights it is {quadratic}.",
            n,
            **values,
        )
    return many(
        "They differ on {misses} of {n} item, on {near} of them by one step. If every miss is as "
        "bad, kappa is {plain}; under quadratic weights it is {quadratic}.",
        "They differ on {misses} of {n} items, on {near} of them by one step. If every miss is as "
        "bad, kappa is {plain}; under quadratic weights it is {quadratic}.",
        n,
        **values,
    )


def counted(state: State, valued: bool, speech: Speech) -> str:
    """How far apart the labels stand, and why."""
    if valued:
        return speech.say(
            "The labels are numbers, and their values are used: give them other names, and "
            "distances change."
        )
    if written_as_numbers(state.labels):
        return speech.say(
            "The labels are numbers, but out of order, so their values are not used: each is one "
            "step from the next, in the order of the table. Put them in order, and their values "
            "count."
        )
    return speech.say(
        "The labels are words in the order of the table, each one step from the next."
    )


def squares(figures: Mapping[str, Figure], valued: bool, speech: Speech) -> str:
    """Quadratic weighted kappa beside the ICC and Lin's concordance."""
    kappa, icc, lin = (figures[k].value for k in ("kappa-quadratic", "icc", "ccc"))
    if kappa is None or icc is None or lin is None:
        return ""
    text = speech.say(
        "Kappa with quadratic weights is {kappa}. It is Lin's concordance of the same numbers "
        "({lin}), and close to the intraclass correlation ICC(A,1) ({icc}), which divides by n − 1 "
        "where kappa divides by n.",
        kappa=speech.number(kappa, 4),
        lin=speech.number(lin, 4),
        icc=speech.number(icc, 4),
    )
    if not valued:
        text += " " + speech.say("The labels are counted 1, 2, 3 and so on.")
    return text


def noticed(rows: tuple[tuple[str, Fraction | float | None], ...], speech: Speech) -> str:
    """Which coefficient moved most, and which least, in a trial; rows are (title, change)."""
    known = [(abs(float(change)), title) for title, change in rows if change is not None]
    if not known or not any(change for change, _ in known):
        return ""
    (low, least), (high, most) = min(known), max(known)
    values = {
        "most": most,
        "by": speech.number(high),
        "least": least,
        "only": speech.number(low),
    }
    if low == 0:
        return speech.say("{most} notices most (by {by}), {least} not at all.", **values)
    return speech.say("{most} notices most (by {by}), {least} least (by {only}).", **values)
