"""Everything that the page of the kappa lab shows, made from its state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from markupsafe import Markup

from assay.agreement.labels import conditional_kappas, f1_scores
from assay.estimate import Estimate, Interval
from assay.report.bands import SCALES, band
from assay.web import terms
from assay.web.charts import Axis, Dot, Point, curve, strip
from assay.web.labs.kappa.curves import Step, Sweep, bias, prevalence
from assay.web.labs.kappa.edits import customised, relabelled
from assay.web.labs.kappa.exports import Copy, exports
from assay.web.labs.kappa.figures import (
    coefficients,
    relabelling,
    weighted_kappa,
    weights_of,
)
from assay.web.labs.kappa.measured import Measured, measured
from assay.web.labs.kappa.moved import Moved, moved
from assay.web.labs.kappa.presets import PRESETS
from assay.web.labs.kappa.puzzles import PUZZLES, QUESTIONS
from assay.web.labs.kappa.state import MAX_CELL, WEIGHTS, State, decimal
from assay.web.labs.kappa.verdict import advice, verdict, why_undefined, won
from assay.web.quiz import Posed, Quiz, asked, posed
from assay.web.speech import Speech

SHOWN = (
    "cohen_kappa",
    "scott_pi",
    "krippendorff_alpha",
    "gwet_ac",
    "brennan_prediger",
    "bangdiwala_b",
    "percent_agreement",
)
"""The coefficients side by side; the others equal one of these for two raters."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another state: its words, the state, and whether one is there."""

    title: str
    state: State
    current: bool


@dataclass(frozen=True, slots=True)
class Band:
    """One word of a scale: its limits, in numbers and in words."""

    word: str
    low: Fraction
    high: Fraction
    limits: str
    holds: bool


@dataclass(frozen=True, slots=True)
class LabelRow:
    """Agreement on one label."""

    label: str
    f1: Fraction | None
    a_given_b: Fraction | None
    b_given_a: Fraction | None
    conditional: Fraction | None


@dataclass(frozen=True, slots=True)
class Swapped:
    """Labels that look swapped: in words, and the state that reads them so."""

    said: str
    state: State


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess beside the value."""

    guessed: float
    said: str


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the template needs; its names are those of the page's sections."""

    figures: Measured
    interval: Interval | None
    no_interval: str
    hidden: bool
    guess: Guess | None
    why: str
    verdict: Markup
    won: str
    advice: str
    moved: Moved | None
    bands: tuple[Band, ...]
    band: str
    scale_source: str
    scales: tuple[Choice, ...]
    dots: tuple[Dot, ...]
    coefficients: tuple[Estimate, ...]
    labels: tuple[LabelRow, ...]
    weights: tuple[Choice, ...]
    weighted: Estimate | None
    matrix: tuple[tuple[float, ...], ...]
    prevalence: Sweep | None
    bias: Sweep | None
    swapped: Swapped | None
    presets: tuple[Choice, ...]
    puzzles: tuple[Choice, ...]
    puzzle: Posed | None
    quiz: Quiz
    exports: tuple[Copy, ...]
    strip: Markup
    most: int
    asking: State
    speech: Speech

    def weight(self, i: int, j: int) -> str:
        """A weight as it is typed."""
        return decimal(Fraction(self.matrix[i][j]).limit_denominator(10_000))

    def curve(self, sweep: Sweep, label: str, link: Callable[[State], str]) -> Markup:
        """Kappa along a sweep, as a chart whose dots open their tables."""
        number, percent = self.speech.number, self.speech.percent

        def point(step: Step) -> Point:
            kappa = None if step.kappa is None else float(step.kappa)
            said = f"{percent(step.share, 0)}: κ = {number(step.kappa)}"
            return Point(float(step.share), kappa, link(step.state) if step.link else "", said)

        across = Axis(tuple((x, percent(x, 0)) for x in (0.0, 0.5, 1.0)))
        up = Axis(tuple((y, number(y, 0)) for y in (-1.0, 0.0, 1.0)))
        steps = [point(step) for step in sweep.steps]
        return curve(steps, label, across=across, up=up, here=point(sweep.here))


def view(state: State, before: State | None, speech: Speech) -> View:
    """The view of a state; ``before`` is the one seen last."""
    got = measured(state)
    every = coefficients(state) if state.n else {}
    kappa = every.get("cohen_kappa")
    interval = None if kappa is None else kappa.interval()
    step = moved(state, before, got, speech)
    ordered = state.weights != "identity"
    weights = weights_of(state)
    plain = kappa or weighted_kappa(replace(state, weights="identity"), got.cells)
    bands = tuple(_bands(state, got, speech))
    return View(
        figures=got,
        interval=interval,
        no_interval=_no_interval(kappa, speech),
        hidden=state.guess == "ask",
        guess=_guess(state, got, speech),
        why=why_undefined(state, got, speech),
        verdict=verdict(state, got, interval, speech),
        won=won(got, speech),
        advice=advice(got, speech),
        moved=step,
        bands=bands,
        band=next((one.word for one in bands if one.holds), ""),
        scale_source=SCALES[state.scale].source,
        scales=tuple(
            Choice(one.title, replace(state, scale=key), key == state.scale)
            for key, one in SCALES.items()
        ),
        dots=tuple(_dot(name, every, step, speech) for name in SHOWN) if every else (),
        coefficients=tuple(every[name] for name in SHOWN) if every else (),
        labels=_labels(state, got),
        weights=tuple(_weights(state, speech)),
        weighted=weighted_kappa(state, got.cells) if ordered and state.n else None,
        matrix=tuple(map(tuple, weights.matrix.tolist())),
        prevalence=prevalence(state),
        bias=bias(state),
        swapped=_swapped(state, speech),
        presets=tuple(_presets(state, speech)),
        puzzles=tuple(
            Choice(
                speech.say(one.goal),
                replace(state, puzzle=key if key != state.puzzle else ""),
                key == state.puzzle,
            )
            for key, one in PUZZLES.items()
        ),
        puzzle=posed(PUZZLES, state.puzzle, got, speech),
        quiz=asked(QUESTIONS, state.answers, speech),
        exports=exports(state, weighted_kappa(state, got.cells) if ordered else plain, speech),
        strip=_strip(bands, got, speech),
        most=MAX_CELL,
        asking=replace(state, guess="ask"),
        speech=speech,
    )


def _strip(bands: tuple[Band, ...], got: Measured, speech: Speech) -> Markup:
    value = None if got.kappa is None else float(got.kappa)
    ticks = tuple((x, speech.number(x, 0)) for x in (-1.0, 0.0, 1.0))
    return strip(
        [(float(one.low), float(one.high), one.holds) for one in bands],
        value,
        Axis(ticks),
        speech.say("The bands of the scale, with this kappa marked"),
    )


def _no_interval(kappa: Estimate | None, speech: Speech) -> str:
    """Why there is no interval where there is a value."""
    if kappa is None or kappa.value is None:
        return ""
    why = kappa.why_no_interval()
    if why is None:
        return ""
    if why.code == "constant_rater":
        return speech.say("no interval: with a constant rater, kappa is 0 for every such table")
    if why.code == "single_item":
        return speech.say("no interval: one item says nothing about others")
    return speech.say("no interval: its error is not defined here")


def _guess(state: State, got: Measured, speech: Speech) -> Guess | None:
    if state.guess in ("", "ask"):
        return None
    guessed = float(state.guess)
    if got.kappa is None:
        return Guess(guessed, speech.say("Kappa is not defined here, so no guess can be right."))
    off = abs(guessed - float(got.kappa))
    shown = {"guess": speech.number(guessed, 2), "off": speech.number(off, 3)}
    if off < 0.05:
        said = speech.say("You guessed {guess}, which is off by {off}: close.", **shown)
        return Guess(guessed, said)
    if guessed > got.kappa:
        return Guess(guessed, speech.say("You guessed {guess}: {off} too high.", **shown))
    return Guess(guessed, speech.say("You guessed {guess}: {off} too low.", **shown))


def _bands(state: State, got: Measured, speech: Speech) -> Iterator[Band]:
    """The words of the scale from the lowest, with adjoining marks."""
    scale = SCALES[state.scale]
    held = "" if got.kappa is None else band(got.kappa, scale)
    low = Fraction(-1)
    for word, mark in reversed(scale.bands):
        above = [m for _, m in scale.bands if m is not None and (mark is None or m > mark)]
        low = Fraction(-1) if mark is None else mark
        high = min(above, default=Fraction(1))
        limits = (
            speech.say("below {high}", high=speech.number(high, 2))
            if mark is None
            else f"{_mark(low, speech)}–{_mark(high, speech)}"
        )
        yield Band(speech.say(terms.BANDS[word]), low, high, limits, word == held)


def _mark(mark: Fraction, speech: Speech) -> str:
    return speech.number(mark, 2 if (100 * mark).denominator == 1 else 3)


def _dot(name: str, every: dict[str, Estimate], step: Moved | None, speech: Speech) -> Dot:
    estimate = every[name]
    title = speech.say(terms.COEFFICIENTS[name])
    remark = speech.say(terms.CHANCE[name])
    if estimate.value is None:
        return Dot(title, remark, speech.say("not defined"))
    interval = estimate.interval()
    said = speech.number(estimate.value)
    ghost = None
    if name == "cohen_kappa" and step is not None and step.before.kappa is not None:
        ghost = float(step.before.kappa)
    if interval is None:
        return Dot(title, remark, said, estimate.value, ghost=ghost)
    low, high = interval.low, interval.high
    said = speech.say(
        "{value} ({low} to {high})", value=said, low=speech.number(low), high=speech.number(high)
    )
    return Dot(title, remark, said, estimate.value, low, high, ghost)


def _labels(state: State, got: Measured) -> tuple[LabelRow, ...]:
    """Specific agreement is F1 with either rater as the reference."""
    shares = zip(
        state.labels, f1_scores(got.cells), conditional_kappas(got.cells), got.terms, strict=True
    )
    return tuple(
        LabelRow(
            label,
            f1,
            Fraction(term.observed, term.column) if term.column else None,
            Fraction(term.observed, term.row) if term.row else None,
            conditional,
        )
        for label, f1, conditional, term in shares
    )


def _weights(state: State, speech: Speech) -> Iterator[Choice]:
    for name in WEIGHTS:
        current = name == state.weights
        if name == "custom":
            to = state if current else customised(state)
        else:
            to = replace(state, weights=name, matrix=())
        yield Choice(speech.say(terms.WEIGHTS[name]), to, current)


def _swapped(state: State, speech: Speech) -> Swapped | None:
    found = relabelling(state)
    if found is None:
        return None
    pairs = speech.listed(
        speech.say("“{old}” as “{new}”", old=state.labels[m], new=state.labels[k])
        for m, k in found.moved
    )
    said = speech.say(
        "Labels look swapped: reading {rater}'s {pairs} would give a kappa of {after} instead of "
        "{before}. Ask {rater} before changing anything.",
        rater=state.raters[1],
        pairs=pairs,
        after=speech.number(found.after.value),
        before=speech.number(found.before.value),
    )
    return Swapped(said, relabelled(state, found.taken_as))


def _presets(state: State, speech: Speech) -> Iterator[Choice]:
    """The presets; what is being guessed, solved and answered stays."""
    for preset in PRESETS.values():
        to = replace(
            preset.state,
            scale=state.scale,
            puzzle=state.puzzle,
            answers=state.answers,
            guess="ask" if state.guess else "",
        )
        same = (to.cells, to.labels) == (state.cells, state.labels)
        yield Choice(speech.say(preset.title), to, same)
