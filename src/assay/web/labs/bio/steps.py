"""Reading a row, step by step, in words."""

from __future__ import annotations

from dataclasses import dataclass

from assay.spans import explain
from assay.spans.decode import split_tag
from assay.web.labs.bio.state import Row, State
from assay.web.labs.bio.words import span_name, type_name
from assay.web.speech import Message, Speech, lazy

OPENS: dict[str, Message] = {
    "begin": lazy("{letter} opens a span of type {kind}."),
    "at_start": lazy("{letter} at the start opens a span of type {kind}."),
    "after_outside": lazy("{letter} after O opens a span of type {kind}."),
    "after_end": lazy("{letter} behind a finished span opens one of type {kind}."),
    "other_type": lazy("{letter} after another type opens a span of type {kind}."),
}
DROPPED: dict[str, Message] = {
    "opening": lazy("Thrown away, as if it were O: this tag must not open a span."),
    "goes_on": lazy("Thrown away, too: it goes on with what was thrown away."),
    "closing": lazy("Thrown away: its span does not end as {scheme} asks."),
}


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of one row.

    Attributes
    ----------
    tag, action
        The tag ("" at the end), and what became of it, as in :mod:`assay.spans.explain`.
    rule
        The name of the rule.
    legal
        Whether the scheme allows it.
    said, closes, illegal
        What happened, which span it closes ("" for none), and what is illegal about it ("" where
        nothing is).
    """

    tag: str
    action: str
    rule: str
    legal: bool
    said: str
    closes: str
    illegal: str


def steps(state: State, row: Row, speech: Speech) -> tuple[StepView, ...]:
    """Every step of a row, and the sentence's end."""
    found = explain.steps(state.row(row), scheme=state.scheme, illegal=state.illegal)
    return tuple(_said(step, state, speech) for step in found)


def _said(step: explain.Step, state: State, speech: Speech) -> StepView:
    say = speech.say
    parts = split_tag(step.tag) if step.tag else None
    kind = type_name(parts[1], speech) if parts else ""
    letter = step.tag.partition("-")[0]
    if step.action == "opens":
        said = say(OPENS[step.rule].text, letter=letter, kind=kind)
    elif step.action == "continues":
        said = say("{letter} goes on with the span of type {kind}.", letter=letter, kind=kind)
    elif step.action == "dropped":
        why = step.dropped_for
        if why == "opening" and step.rule == "goes_on":
            why = "goes_on"
        said = say(DROPPED[why].text, scheme=state.scheme)
    elif step.action == "end":
        said = say("The sentence ends.")
    else:
        said = say("O is outside every span.")
    closes = ""
    if step.closes is not None:
        start, stop, type_ = step.closes
        closes = say("Closes {span}.", span=span_name((start, stop - 1, type_), speech))
    return StepView(
        step.tag, step.action, step.rule, step.legal, said, closes, _illegal(step, state, speech)
    )


def _illegal(step: explain.Step, state: State, speech: Speech) -> str:
    """Which step between two tags the scheme does not allow."""
    if step.legal:
        return ""
    if not step.tag:
        return speech.say(
            "Illegal in {scheme}: the sentence must not end after {before}.",
            scheme=state.scheme,
            before=step.before,
        )
    if not step.before:
        return speech.say(
            "Illegal in {scheme}: {tag} at the start.", scheme=state.scheme, tag=step.tag
        )
    return speech.say(
        "Illegal in {scheme}: {tag} after {before}.",
        scheme=state.scheme,
        tag=step.tag,
        before=step.before,
    )
