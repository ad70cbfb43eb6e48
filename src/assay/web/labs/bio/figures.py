"""The figures that lead the page, with what they were before."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.bio.scored import Scored, scored
from assay.web.labs.bio.state import State
from assay.web.labs.bio.words import UNDEFINED
from assay.web.speech import Speech


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes
    ----------
    name, title
        In ``data-figure``, and on screen.
    value, shown
        Unrounded (None where it is not defined), and as it is shown.
    note
        What it is made of, or why it is not defined.
    was
        What was shown before, "" where it did not move.
    """

    name: str
    title: str
    value: float | int | None
    shown: str
    note: str
    was: str


def figures(state: State, before: State | None, speech: Speech) -> tuple[Figure, ...]:
    """Token accuracy, exact and partial F1, then the counts of illegal tags."""
    now = _made(state, scored(state), speech)
    if before is None:
        return tuple(Figure(*one, "") for one in now)
    old = _made(before, scored(before), speech)
    return tuple(
        Figure(*one, was[3] if was[2] != one[2] else "") for one, was in zip(now, old, strict=True)
    )


Made = tuple[str, str, float | int | None, str, str]


def _made(state: State, found: Scored, speech: Speech) -> list[Made]:
    say = speech.say
    accuracy = found.accuracy(state.zero)
    n, right = found.tokens.tokens, found.tokens.right
    fraction = speech.many(
        "{right} of {n} token has the right tag",
        "{right} of {n} tokens have the right tag",
        n,
        right=right,
    )
    out: list[Made] = [
        (
            "token-accuracy",
            say("token accuracy"),
            accuracy,
            speech.percent(accuracy),
            say(UNDEFINED["accuracy"]) if accuracy is None else fraction,
        )
    ]
    for mode, title in (("exact", say("exact span F1")), ("partial", say("partial span F1"))):
        line = found.line(mode, state.zero)
        made = say("2 × {tp} / (2 × {tp} + {fp} + {fn})", tp=line.tp, fp=line.fp, fn=line.fn)
        if line.f1 is None:
            made = say(UNDEFINED["f1"])
        elif not line.tp + line.fp + line.fn:
            made = say("neither row has a span: by convention")
        out.append((f"{mode}-f1", title, line.f1, speech.percent(line.f1), made))
    for row, read, title, lost in (
        ("gold", found.gold, say("illegal tags in gold"), say("tokens at stake in gold")),
        (
            "pred",
            found.pred,
            say("illegal tags in the prediction"),
            say("tokens at stake in the prediction"),
        ),
    ):
        out.append((f"illegal-{row}", title, read.n_illegal, speech.count(read.n_illegal), ""))
        out.append((f"dropped-{row}", lost, read.dropped, speech.count(read.dropped), ""))
    return out
