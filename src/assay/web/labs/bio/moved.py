"""What changed since the state that was seen last, and which figures noticed."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.bio.figures import Figure
from assay.web.labs.bio.state import ROW_NAMES, State
from assay.web.labs.bio.words import capital
from assay.web.speech import Speech

MOST = 3
"""Of more changed tags, only the number is said."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The last step: what was done, and what it did to the figures ("" where that is nothing)."""

    what: tuple[str, ...]
    effect: str


def moved(
    state: State, before: State | None, figures: tuple[Figure, ...], speech: Speech
) -> Moved | None:
    """The step from one state to the next, None where nothing that counts has changed."""
    if before is None:
        return None
    what = _what(state, before, speech)
    if not what:
        return None
    say = speech.say
    parts = [
        say("{figure} from {before} to {now}", figure=one.title, before=one.was, now=one.shown)
        for one in figures
        if one.was and not one.name.startswith("dropped")
    ]
    if not parts and state.tokens != before.tokens:
        # Equal figures of different sentences are no figures that stayed.
        return Moved(what, "")
    if not parts:
        return Moved(
            what,
            say("Token accuracy, exact and partial F1 and the number of illegal tags stay."),
        )
    return Moved(what, say("{moves}.", moves=capital(speech.listed(parts))))


def _what(state: State, before: State, speech: Speech) -> tuple[str, ...]:
    """What was done, a sentence a change."""
    say = speech.say
    if state.tokens != before.tokens:
        return (say("The sentence is another one."),)
    if state.scheme != before.scheme:
        return (
            say(
                "The rows were rewritten from {before} to {now}, span by span.",
                before=before.scheme,
                now=state.scheme,
            ),
        )
    pairs = {"gold": (before.gold, state.gold), "pred": (before.pred, state.pred)}
    changes = [
        (row, place, old, new)
        for row, (was, now) in pairs.items()
        for place, (old, new) in enumerate(zip(was, now, strict=True))
        if old != new
    ]
    if len(changes) > MOST:
        return (speech.many("{n} tag changed.", "{n} tags changed.", len(changes)),)
    said = [
        say(
            "{row}, token {n} “{token}”: {old} became {new}.",
            row=ROW_NAMES[row],
            n=place,
            token=state.tokens[place],
            old=old,
            new=new,
        )
        for row, place, old, new in changes
    ]
    if before.illegal != state.illegal:
        said.append(
            say(
                "The convention for illegal tags is now “{now}”, no longer “{before}”.",
                now=state.illegal,
                before=before.illegal,
            )
        )
    if before.zero != state.zero:
        said.append(say("The convention for 0 divided by 0 is another one."))
    return tuple(said)
