"""A task as its rater sees it: nothing here names a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.study.design import Design, Dimension, Item, Value
from assay.study.store_records import OPEN, OpenTask
from assay.web.speech import Message, Speech
from assay.web.study.answers import Said, stored
from assay.web.study.safe import safe

AB_KEYS = ("a", "t", "b")


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: its field's value, its words, the number before them, its key."""

    value: str
    words: str
    number: str
    key: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Output:
    """A text that is rated, and what it is called on the page."""

    name: str
    text: Any


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a task."""

    place: int
    dimension: Dimension
    options: tuple[Option, ...]
    numbers: tuple[tuple[str, str, str], ...]
    """Fields for numbers: name, what it is of, what is in it."""
    bounds: str
    reference: Any
    reference_value: str
    skip: bool
    none: bool
    revision: int
    problem: Message | None
    there: str
    """What the store holds already, in words; "" for nothing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A task on the page."""

    task: int
    context: Any
    outputs: tuple[Output, ...]
    questions: tuple[Question, ...]
    begun: bool
    """Whether any question is answered, or all of them are: ``complete``."""
    complete: bool
    comment: str
    problem: Message | None


def text_of(design: Design, text: str) -> Any:
    """A text of an item: as it is, or with a few tags where the design allows them."""
    return safe(text) if design.safe_html else text


def shown(
    design: Design,
    item: Item,
    task: OpenTask,
    speech: Speech,
    *,
    said: Mapping[str, Said] | None = None,
    comment: str | None = None,
    problem: Message | None = None,
) -> Shown:
    """The task with the answers of the store, or with those of a form that was not taken."""
    names = _names(task, speech)
    dimensions = [design.dimension(key) for key in task.dimensions]
    questions = tuple(
        _question(design, item, task, place, one, names, speech, said)
        for place, one in enumerate(dimensions)
    )
    outputs = tuple(
        Output(name, text_of(design, item.outputs.get(system, "")))
        for name, system in zip(names, task.systems, strict=True)
    )
    if comment is None:
        comment = next((one.comment for one in task.answers.values() if one.comment), "")
    return Shown(
        task.id,
        text_of(design, item.context),
        tuple(one for one in outputs if one.text),
        questions,
        any(one.kind != OPEN for one in task.answers.values()),
        task.answered,
        comment,
        problem,
    )


def _names(task: OpenTask, speech: Speech) -> list[str]:
    say = speech.say
    if task.kind == "pair":
        return [say("Text {letter}", letter=letter) for letter in "AB"]
    if task.kind == "all":
        return [say("Text {n}", n=k + 1) for k in range(len(task.systems))]
    return [say("Text to judge")] * len(task.systems)


def _question(
    design: Design,
    item: Item,
    task: OpenTask,
    place: int,
    one: Dimension,
    names: list[str],
    speech: Speech,
    sent: Mapping[str, Said] | None,
) -> Question:
    current = task.answers[one.key]
    kept = stored(one, task.systems, current)
    said = sent[one.key] if sent is not None else kept
    choices = _options(one, said.picked, names, speech)
    numbers: tuple[tuple[str, str, str], ...] = ()
    if one.mechanism == "rankme":
        texts = said.picked or ("",) * len(task.systems)
        numbers = tuple(
            (f"v{place}.{k}", name, text)
            for k, (name, text) in enumerate(zip(names, texts, strict=True))
        )
    elif one.mechanism in ("interval", "magnitude"):
        numbers = ((f"v{place}", one.title, said.picked[0] if said.picked else ""),)
    reference = one.reference_text or item.outputs.get(one.reference_system, "")
    return Question(
        place,
        one,
        choices,
        numbers,
        _bounds(one, speech),
        text_of(design, reference) if reference else "",
        "" if one.reference is None else plain(one.reference),
        said.skip,
        said.none,
        current.revision,
        said.problem if sent is not None else None,
        _in_words(kept, _options(one, kept.picked, names, speech), speech),
    )


def _options(
    one: Dimension, picked: tuple[str, ...], names: list[str], speech: Speech
) -> tuple[Option, ...]:
    if one.mechanism == "ab":
        words = [names[0], speech.say("Tie: neither is better"), names[1]]
        keys = list(AB_KEYS)
        if not one.allow_tie:
            del words[1], keys[1]
        numbers = [""] * len(words)
    else:
        words = [point.wording or str(point.value) for point in one.points]
        # Where several can be chosen, 0 is "none of these".
        keys = _digits([point.value for point in one.points], named=one.mechanism != "labels")
        worded = one.mechanism == "likert"
        numbers = [str(p.value) if worded and p.wording else "" for p in one.points]
    return tuple(
        Option(f"p{k}", word, number, key, f"p{k}" in picked)
        for k, (word, number, key) in enumerate(zip(words, numbers, keys, strict=True))
    )


def _digits(values: Sequence[Value], *, named: bool) -> list[str]:
    """The key of each option: the number it is named by where all are whole, else its place.

    >>> _digits([3, 2, 1], named=True), _digits([9, 10.0, 11], named=True)
    (['3', '2', '1'], ['9', '', ''])
    >>> _digits(["cats", "dogs"], named=True), _digits([-1, 0], named=True)
    (['1', '2'], ['1', '2'])
    """
    names = [value if isinstance(value, str) else plain(value) for value in values]
    if named and all(name.isascii() and name.isdigit() for name in names):
        return [name if len(name) == 1 else "" for name in names]
    return [str(place) if place < 10 else "" for place in range(1, len(names) + 1)]


def _bounds(one: Dimension, speech: Speech) -> str:
    """What numbers are taken, in words."""
    if one.mechanism == "magnitude":
        return speech.say("A number above 0.")
    if one.low is None:
        return ""
    if one.high is None:
        return speech.say("A number of {low} or more.", low=plain(one.low))
    return speech.say("A number from {low} to {high}.", low=plain(one.low), high=plain(one.high))


def _in_words(kept: Said, options: tuple[Option, ...], speech: Speech) -> str:
    if kept.skip:
        return speech.say("can’t judge")
    if kept.none:
        return speech.say("none of these")
    if options:
        return speech.listed(one.words for one in options if one.chosen)
    return speech.listed(kept.picked)


def plain(number: float) -> str:
    """A number without a decimal part that says nothing.

    >>> plain(100.0), plain(0.5)
    ('100', '0.5')
    """
    return f"{number:g}" if abs(number) < 1e6 else f"{number:.15g}"
