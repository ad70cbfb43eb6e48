"""Adjudication: the manager decides an item that raters differ on, and says why they did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assay.study.design import TIE, Design, Dimension
from assay.study.store_manage import CAUSES
from assay.study.store_records import Adjudication
from assay.study.tables import judged, unit_name
from assay.web.speech import Message, Speech, lazy
from assay.web.study.answers import COMMENT_LONG, MAX_COMMENT, options, read
from assay.web.study.framed import Call

REASONS: dict[str, Message] = {
    "ambiguous_item": lazy("the item is ambiguous"),
    "guideline_gap": lazy("the guidelines leave it open"),
    "slip": lazy("a slip"),
    "other": lazy("another cause"),
}
"""The causes of a decision in words."""

UNDECIDED = lazy("Nothing was decided: the final value and a cause are needed.")
NO_UNIT = lazy("Nothing was decided: nobody has judged this.")


@dataclass(frozen=True, slots=True)
class Sent:
    """A decision that was not taken, to be shown again as it was sent."""

    key: tuple[str, str, tuple[str, ...]]
    picked: tuple[str, ...]
    none: bool
    cause: str
    note: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as the page lists it."""

    name: str
    title: str
    value: str
    cause: Message | str
    note: str
    at: str


def decide(call: Call, by: str) -> dict[str, Any] | None:
    """Keep a decision; what was wrong with it where it was not taken."""
    form, store = call.form, call.site.store
    named = form.one("dimension")
    dimension = next((one for one in call.site.design.dimensions if one.key == named), None)
    item, systems = form.one("item"), tuple(form.all("system"))
    if dimension is None or (item, systems) not in judged(store.ratings(), dimension).values():
        return {"status": 422, "problem": NO_UNIT}
    # A final value is one: "can't judge" decides nothing.
    said = read(replace(dimension, can_skip=False), systems, 0, form)
    cause, note = form.one("cause"), form.one("note").strip()
    problem = said.problem
    if cause not in CAUSES or (problem and not any(said.picked)):
        problem = UNDECIDED
    elif len(note) > MAX_COMMENT:
        problem = COMMENT_LONG
    if problem:
        sent = Sent((named, item, systems), said.picked, said.none, cause, note)
        return {"status": 422, "problem": problem, "sent": sent}
    store.adjudicate(item, named, said.value, systems=systems, cause=cause, note=note, by=by)
    return None


def choices(dimension: Dimension, systems: tuple[str, ...], speech: Speech) -> list[Any]:
    """The options of a final value: each field's value and its words; none for numbers."""
    if dimension.mechanism == "ab":
        words = [speech.say("Tie: neither is better") if one == TIE else one
                 for one in options(dimension, systems)]  # fmt: skip
    else:
        words = [
            f"{one.value} · {one.wording}" if one.wording else str(one.value)
            for one in dimension.points
        ]
    return [(f"p{k}", word) for k, word in enumerate(words)]


def decided(design: Design, made: Iterable[Adjudication]) -> dict[Any, Decided]:
    """The decisions by dimension, item and systems, the newest first."""
    titles = {one.key: one.title for one in design.dimensions}
    return {
        (one.dimension, one.item, one.systems): Decided(
            unit_name(one.item, one.systems),
            titles.get(one.dimension, one.dimension),
            in_words(one.value),
            REASONS.get(one.cause, one.cause),
            one.note,
            one.at,
        )
        for one in sorted(made, key=lambda one: -one.id)
    }


def in_words(value: Any) -> str:
    """A final value as text, also one of several systems.

    >>> in_words({"a": 70, "b": 52.5}), in_words(["long", "rude"]), in_words([])
    ('a: 70 · b: 52.5', 'long + rude', '∅')
    """
    if isinstance(value, dict):
        return " · ".join(f"{system}: {in_words(one)}" for system, one in value.items())
    if isinstance(value, list):
        return " + ".join(map(str, value)) or "∅"
    return str(value)
