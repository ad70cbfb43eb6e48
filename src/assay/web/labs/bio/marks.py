"""The sentence with its tags, and the spans: what carries colours and borders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.spans.decode import split_tag
from assay.web.labs.bio import words
from assay.web.labs.bio.scored import Scored
from assay.web.labs.bio.state import ROW_NAMES, Row, State
from assay.web.labs.bio.steps import StepView
from assay.web.speech import Speech

COLOURS = 7
"""Types have this many colours, in the order of the tag set, and then again from the first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tag that can be clicked.

    Attributes
    ----------
    row, place, tag
        Where it is, and what it says.
    colour
        Of its type, −1 for O.
    illegal, dropped
        Whether the step to it is illegal, and whether it is thrown away.
    next, previous
        What a click makes of it, in either direction.
    label, back
        What the tag and the small button before it are called: all of it in words.
    """

    row: str
    place: int
    tag: str
    colour: int
    illegal: bool
    dropped: bool
    next: str
    previous: str
    label: str
    back: str


@dataclass(frozen=True, slots=True)
class Column:
    """A token with its two tags, and whether these differ."""

    place: int
    token: str
    gold: Cell
    pred: Cell
    differs: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A span.

    Attributes
    ----------
    kind, text, first, last
        Its type as said, its words, and its first and last token.
    colour
        Of its type.
    border
        "solid", "dashed" or "dotted".
    words
        What the border means here.
    """

    kind: str
    text: str
    first: int
    last: int
    colour: int
    border: str
    words: str


def _colour(state: State, kind: str) -> int:
    return state.types.index(kind) % COLOURS


def columns(
    state: State, read: dict[Row, tuple[StepView, ...]], speech: Speech
) -> Iterator[Column]:
    """Each token with its tags; ``read`` is what happened at them."""
    for place, token in enumerate(state.tokens):
        gold = _cell(state, "gold", place, read["gold"][place], speech)
        pred = _cell(state, "pred", place, read["pred"][place], speech)
        yield Column(place, token, gold, pred, gold.tag != pred.tag)


def _cell(state: State, row: Row, place: int, step: StepView, speech: Speech) -> Cell:
    tag = state.row(row)[place]
    onward, back = state.turns(tag)
    parts = split_tag(tag)
    colour = -1 if parts is None or tag == "O" else _colour(state, parts[1])
    where = {"row": ROW_NAMES[row], "n": place, "token": state.tokens[place]}
    label = speech.say(
        "{tag}: {row}, token {n} “{token}”; a click makes it {next}", tag=tag, next=onward, **where
    )
    behind = speech.say("Back to {tag}: {row}, token {n} “{token}”", tag=back, **where)
    dropped = step.action == "dropped"
    return Cell(row, place, tag, colour, not step.legal, dropped, onward, back, label, behind)


def chips(state: State, found: Scored, side: int, speech: Speech) -> tuple[Chip, ...]:
    """The spans of one side (0 is gold), with what the other side has of them."""
    spans, others = found.spans[side], found.spans[1 - side]
    out = []
    for (first, last, kind), (how, partner) in zip(spans, found.pairs[side], strict=True):
        if how == "same":
            border, said = "solid", speech.say("the same span is in the other row")
        elif how == "partial":
            border = "dashed"
            said = speech.say(
                "paired with {span} of the other row, which it overlaps",
                span=words.span_name(others[partner], speech),
            )
        else:
            border, said = "dotted", speech.say("not paired")
        text = " ".join(state.tokens[first : last + 1])
        name = words.type_name(kind, speech)
        out.append(Chip(name, text, first, last, _colour(state, kind), border, said))
    return tuple(out)
