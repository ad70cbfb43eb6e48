"""Everything that the page of the BIO lab shows, made from its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.report.addresses import MAX_TOKENS
from assay.spans.schemes import SCHEMES
from assay.web.labs.bio import words
from assay.web.labs.bio.exports import Copy, exports, without_file
from assay.web.labs.bio.figures import Figure, figures
from assay.web.labs.bio.marks import Chip, Column, chips, columns
from assay.web.labs.bio.moved import Moved, moved
from assay.web.labs.bio.others import Other, Scenario, others, scenarios
from assay.web.labs.bio.presets import PRESETS, empty
from assay.web.labs.bio.puzzles import PUZZLES, Solving
from assay.web.labs.bio.questions import QUESTIONS
from assay.web.labs.bio.scored import Line, Measure, Scored, scored
from assay.web.labs.bio.state import ILLEGAL, ZERO, Row, State
from assay.web.labs.bio.steps import StepView, steps
from assay.web.query import listed
from assay.web.quiz import Quiz, asked
from assay.web.speech import Speech


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another state: its words, the state (None: out of reach), and whether it holds."""

    title: str
    state: State | None
    current: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModeRow:
    """A way of matching: its name, what it asks for, and its line."""

    title: str
    about: str
    line: Line


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A measure of SemEval-2013: its name, what it asks for, ours and nervaluate's counts."""

    title: str
    about: str
    ours: Measure
    theirs: Scenario | None


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """An error: its kind in words, and the spans of both sides."""

    code: str
    kind: str
    gold: tuple[str, ...]
    pred: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """What happened at one token in both rows; the last is the sentence's end."""

    place: int
    token: str
    gold: StepView
    pred: StepView


@dataclass(frozen=True, slots=True)
class View:
    """What the template needs; its names are those of the page's sections."""

    columns: tuple[Column, ...]
    gold: tuple[Chip, ...]
    pred: tuple[Chip, ...]
    figures: tuple[Figure, ...]
    notices: tuple[str, ...]
    happened: str
    difference: str
    undefined: str
    moved: Moved | None
    illegal: tuple[Choice, ...]
    convention: str
    effect: str
    also: str
    switch: State
    modes: tuple[ModeRow, ...]
    measures: tuple[MeasureRow, ...]
    errors: tuple[ErrorRow, ...]
    others: tuple[Other, ...]
    steps: tuple[StepRow, ...]
    presets: tuple[Choice, ...]
    schemes: tuple[Choice, ...]
    types: str
    zero: tuple[Choice, ...]
    puzzles: tuple[Choice, ...]
    puzzle: Solving | None
    quiz: Quiz
    exports: tuple[Copy, ...]
    without_file: str

    def figure(self, name: str) -> Figure:
        """One of the figures, by its name."""
        return next(one for one in self.figures if one.name == name)


def view(state: State, before: State | None, speech: Speech) -> View:
    """The view of a state; ``before`` is the one seen last."""
    found = scored(state)
    shown = figures(state, before, speech)
    code, effect = words.convention(state, speech)
    read: dict[Row, tuple[StepView, ...]] = {
        "gold": steps(state, "gold", speech),
        "pred": steps(state, "pred", speech),
    }
    exact = found.line("exact", state.zero)
    puzzle = PUZZLES.get(state.puzzle)
    same = {measure.measure: measure for measure in scenarios(state, found)}
    return View(
        columns=tuple(columns(state, read, speech)),
        gold=chips(state, found, 0, speech),
        pred=chips(state, found, 1, speech),
        figures=shown,
        notices=tuple(_notices(state, before, speech)),
        happened=words.happened(found, speech),
        difference=words.difference(found.accuracy(state.zero), exact.f1, speech),
        undefined=_undefined(found, exact, speech),
        moved=moved(state, before, shown, speech),
        illegal=tuple(
            Choice(
                speech.say(words.ILLEGAL[name]),
                replace(state, illegal=name, fell=0),
                name == state.illegal,
            )
            for name in ILLEGAL
        ),
        convention=code,
        effect=effect,
        also=words.also(state, speech),
        switch=PRESETS["illegal"].state(state),
        modes=tuple(_modes(state, found, speech)),
        measures=tuple(
            MeasureRow(
                speech.say(words.MEASURES[one.name]),
                speech.say(words.ABOUT_MEASURES[one.name]),
                one,
                same.get(one.name),
            )
            for one in found.measures(state.zero)
        ),
        errors=tuple(_errors(found, speech)),
        others=others(state, found, speech),
        steps=tuple(
            StepRow(place, token, gold, pred)
            for place, (token, gold, pred) in enumerate(
                zip((*state.tokens, ""), read["gold"], read["pred"], strict=True)
            )
        ),
        presets=tuple(_presets(state, speech)),
        schemes=tuple(_schemes(state, speech)),
        types=listed(state.types),
        zero=tuple(
            Choice(
                speech.say(words.ZERO[name]), replace(state, zero=name, fell=0), name == state.zero
            )
            for name in ZERO
        ),
        puzzles=tuple(
            Choice(
                speech.say(one.goal),
                replace(state, puzzle="") if key == state.puzzle
                else replace(one.start, answers=state.answers),
                key == state.puzzle,
            )
            for key, one in PUZZLES.items()
        ),
        puzzle=None if puzzle is None else puzzle.solving(state, speech),
        quiz=asked(QUESTIONS, state.answers, speech),
        exports=exports(state, found, speech),
        without_file=without_file(state, speech),
    )  # fmt: skip


def _notices(state: State, before: State | None, speech: Speech) -> Iterator[str]:
    """What the page did to the sentence."""
    if state.cut:
        yield speech.many(
            "{n} token more was given and left out: this page takes one sentence of up to {most}.",
            "{n} tokens more were given and left out: this page takes one sentence of up to "
            "{most}.",
            state.cut,
            most=MAX_TOKENS,
        )
    if state.further:
        yield speech.many(
            "{n} token of further sentences was left out: this page takes one sentence.",
            "{n} tokens of further sentences were left out: this page takes one sentence.",
            state.further,
        )
    if state.fell:
        yield speech.many(
            "{n} tag fell off, because its token is gone.",
            "{n} tags fell off, because their tokens are gone.",
            state.fell,
        )
    if before is not None and before.scheme != state.scheme and not scored(before).legal:
        yield speech.say(
            "The illegal tags were rewritten as they were read under “{convention}”; the rows are "
            "legal now.",
            convention=before.illegal,
        )


def _undefined(found: Scored, exact: Line, speech: Speech) -> str:
    """What the convention for empty denominators decides here."""
    gold, pred = found.spans
    if gold and pred:
        return ""
    if not gold and not pred:
        if exact.f1 is None:
            return speech.say(words.UNDEFINED["f1"])
        return speech.say(
            "Neither row has a span, so every figure of spans is 0 divided by 0: the value is a "
            "convention."
        )
    line = "recall" if not gold else "precision"
    if (exact.recall if not gold else exact.precision) is None:
        return speech.say(words.UNDEFINED[line])
    if not gold:
        return speech.say(
            "Gold has no span, so recall is 0 divided by 0: its value is a convention."
        )
    return speech.say(
        "Nothing was predicted, so precision is 0 divided by 0: its value is a convention."
    )


def _modes(state: State, found: Scored, speech: Speech) -> Iterator[ModeRow]:
    """Each way of matching; pairing as many as can be only where it pairs more."""
    lines = {line.mode: line for line in found.lines(state.zero)}
    for mode, line in lines.items():
        greedy = lines.get(mode.removesuffix("-optimal"))
        if mode.endswith("-optimal") and greedy is not None and greedy.tp == line.tp:
            continue
        yield ModeRow(speech.say(words.MODES[mode]), speech.say(words.ABOUT_MODES[mode]), line)


def _errors(found: Scored, speech: Speech) -> Iterator[ErrorRow]:
    for error in found.errors:
        kind = words.kind_of(error)
        yield ErrorRow(
            error.kind,
            speech.say(words.KINDS[kind]),
            tuple(words.span_name(span, speech) for span in error.gold),
            tuple(words.span_name(span, speech) for span in error.pred),
        )


def _presets(state: State, speech: Speech) -> Iterator[Choice]:
    for preset in PRESETS.values():
        to = preset.state(state)
        same = (to.tokens, to.gold, to.pred) == (state.tokens, state.gold, state.pred)
        yield Choice(speech.say(preset.title), to, same)
    to = empty(state)
    yield Choice(speech.say("clear the tags"), to, to == replace(state, puzzle="", fell=0))


def _schemes(state: State, speech: Speech) -> Iterator[Choice]:
    for name in SCHEMES:
        to = state.rewritten(name)
        note = "" if to else speech.say("two spans of one type touch, which it cannot write")
        yield Choice(name, to, name == state.scheme, note)
