"""Self-checks and puzzles: data with one function each that says how it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.web.speech import Message, Speech

LETTERS = "abc"


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a self-check: options, which of them is right, and why."""

    text: Message
    options: tuple[Message, ...]
    right: str
    why: Message


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands: what was chosen, whether it is right, and the explanation."""

    name: str
    text: str
    options: tuple[tuple[str, str], ...]
    chosen: str
    right: str
    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Quiz:
    """A self-check as it stands."""

    questions: tuple[Asked, ...]
    right: int
    answered: int
    score: str


def asked(questions: Sequence[Question], answers: Sequence[str], speech: Speech) -> Quiz:
    """The self-check with its score; an explanation appears with its answer."""
    found = tuple(
        Asked(
            f"q{i + 1}",
            speech.say(question.text),
            tuple(zip(LETTERS, map(speech.say, question.options), strict=False)),
            answer,
            question.right,
            _verdict(question, answer, speech),
            speech.say(question.why) if answer else "",
        )
        for i, (question, answer) in enumerate(zip(questions, answers, strict=True))
    )
    right = sum(one.chosen == one.right for one in found)
    answered = sum(bool(one.chosen) for one in found)
    said = f"{right}/{len(found)}"
    if answered == 0:
        score = speech.say("{score}, not answered yet", score=said)
    elif answered < len(found):
        score = speech.many(
            "{score}, {n} still to answer",
            "{score}, {n} still to answer",
            len(found) - answered,
            score=said,
        )
    else:
        score = said
    return Quiz(found, right, answered, score)


def _verdict(question: Question, answer: str, speech: Speech) -> str:
    if not answer:
        return ""
    return speech.say("Right.") if answer == question.right else speech.say("Not so.")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A task to be solved by changing the state.

    Attributes
    ----------
    key
        In the address.
    goal, hint
        What is to be reached, and a push in its direction.
    solved
        Whether a view reaches it, decided on exact numbers.
    start
        The state to begin from, or None for wherever one is.
    """

    key: str
    goal: Message
    hint: Message
    solved: Callable[[Any], bool]
    start: Any = None


@dataclass(frozen=True, slots=True)
class Posed:
    """A puzzle as it stands."""

    key: str
    goal: str
    hint: str
    solved: bool


def posed(puzzles: Mapping[str, Puzzle], key: str, found: Any, speech: Speech) -> Posed | None:
    """The puzzle that is being solved, if one is."""
    puzzle = puzzles.get(key)
    if puzzle is None:
        return None
    said = speech.say
    return Posed(key, said(puzzle.goal), said(puzzle.hint), puzzle.solved(found))
