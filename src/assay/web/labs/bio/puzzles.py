"""Puzzles: a goal that the page can check, and where to start from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from assay.web.labs.bio.presets import GOLD, SENTENCE, put
from assay.web.labs.bio.scored import scored
from assay.web.labs.bio.state import State
from assay.web.speech import Message, Speech, lazy

HIGH = 0.9


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that has to hold."""

    text: Message
    holds: Callable[[State], bool]


@dataclass(frozen=True, slots=True)
class Solving:
    """A puzzle as it stands; ``conditions`` are in words, each with whether it holds."""

    key: str
    goal: str
    hint: str
    solved: bool
    lesson: str
    conditions: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle.

    Attributes
    ----------
    key
        In the address.
    goal, hint, lesson
        What is to be reached, a push in its direction, and what was to be learnt.
    start
        The state to start from, with the puzzle on.
    conditions
        All of them hold where it is solved.
    """

    key: str
    goal: Message
    hint: Message
    lesson: Message
    start: State
    conditions: tuple[Condition, ...]

    def solving(self, state: State, speech: Speech) -> Solving:
        """The puzzle as a state has it."""
        say = speech.say
        holding = tuple((say(one.text), one.holds(state)) for one in self.conditions)
        solved = all(holds for _, holds in holding)
        return Solving(self.key, say(self.goal), say(self.hint), solved, say(self.lesson), holding)


def exact(state: State, illegal: str | None = None) -> float | None:
    """Exact F1, by the state's own convention for empty denominators."""
    return scored(state, illegal).line("exact", state.zero).f1


def changed(one: State, two: State) -> int | None:
    """Tags that differ, None where the sentences are not as long."""
    if one.tokens != two.tokens:
        return None
    pairs = zip((*one.gold, *one.pred), (*two.gold, *two.pred), strict=True)
    return sum(a != b for a, b in pairs)


def accuracy(state: State) -> float:
    """Token accuracy, 0 where it is not defined."""
    return scored(state).accuracy(state.zero) or 0.0


def gold_spans(state: State) -> int:
    """How many spans gold has."""
    return len(scored(state).spans[0])


def found_none(state: State) -> bool:
    """Whether exact F1 is 0, and there was something to find."""
    return gold_spans(state) > 0 and exact(state) == 0.0


def _start(name: str, *pred: tuple[int, str], gold: tuple[str, ...] = GOLD) -> State:
    return replace(State(SENTENCE, gold, put(gold, *pred)), puzzle=name)


ONE_CLICK = _start("click", (9, "O"))
# An organisation and the place behind it, with nothing between them.
NEIGHBOURS = ("O",) * 6 + ("B-ORG", "I-ORG", "I-ORG", "I-ORG", "B-LOC", "I-LOC") + ("O",) * 5

PUZZLES = {
    puzzle.key: puzzle
    for puzzle in (
        Puzzle(
            "click",
            lazy("With one click, change exact F1 and not token accuracy."),
            lazy("A token that is wrong can be wrong in more than one way."),
            lazy(
                "Token accuracy counts a wrong tag once, whatever it says. Span F1 asks what spans "
                "the tag makes: an O only tears the organisation apart, another B or I is a span "
                "of its own on top."
            ),
            ONE_CLICK,
            (
                Condition(
                    lazy("One tag differs from the start, and nothing else."),
                    lambda s: (
                        changed(ONE_CLICK, s) == 1
                        and (s.illegal, s.scheme) == (ONE_CLICK.illegal, ONE_CLICK.scheme)
                    ),
                ),
                Condition(
                    lazy("Token accuracy is what it was at the start."),
                    lambda s: scored(s).tokens[:2] == scored(ONE_CLICK).tokens[:2],
                ),
                Condition(
                    lazy("Exact F1 is not what it was at the start."),
                    lambda s: exact(s) != exact(ONE_CLICK),
                ),
            ),
        ),
        Puzzle(
            "nothing",
            lazy("Bring exact F1 to 0 with token accuracy above 90 %."),
            lazy("The two spans touch. What if one of them took a token from the other?"),
            lazy(
                "One tag on the border of two spans spoils both of them, and exact matching gives "
                "nothing for what is nearly right."
            ),
            _start("nothing", gold=NEIGHBOURS),
            (
                Condition(
                    lazy("Token accuracy is above 90 %."), lambda s: accuracy(s) > HIGH
                ),
                Condition(
                    lazy("Gold has a span, and exact F1 is 0."), found_none
                ),
            ),
        ),
        Puzzle(
            "discard",
            lazy("Make “discard” score higher than “open”."),
            lazy("“Discard” throws away what an illegal tag opens. When is that a good riddance?"),
            lazy(
                "A span that an illegal tag opened, and that the other row does not have, is "
                "thrown away under “discard”: one error fewer. Throwing away what was wrong pays."
            ),
            _start("discard"),
            (
                Condition(
                    lazy("Exact F1 under “discard” is higher than under “open”."),
                    lambda s: (exact(s, "discard") or 0.0) > (exact(s, "open") or 0.0),
                ),
            ),
        ),
        Puzzle(
            "nearly",
            lazy("Bring exact F1 to 0 and keep partial F1 at 100 %."),
            lazy("Every span has to be found, and none of them whole."),
            lazy(
                "Partial matching counts an overlap of the right type as found, however small. "
                "From 0 to 100 %: all the difference is in what counts as a hit."
            ),
            _start("nearly"),
            (
                Condition(lazy("Gold has a span, and exact F1 is 0."), found_none),
                Condition(
                    lazy("Partial F1 is 100 %."),
                    lambda s: scored(s).line("partial", s.zero).f1 == 1.0,
                ),
            ),
        ),
    )
}  # fmt: skip
