"""Everything the page of how many items shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

from assay.agreement.planning.precision import MOST
from assay.estimate import Interval
from assay.web.charts import Axis, Point
from assay.web.labs.items.design import SIZES, WIDTHS, Design
from assay.web.labs.items.presets import PRESETS
from assay.web.labs.items.state import MAX_ITEMS, MIN_ITEMS, State
from assay.web.labs.many.estimates import reason
from assay.web.speech import Speech

ROUGH = 30
"""Below so many items, or with fewer than :data:`FEW` in a cell, the interval is rough."""
FEW = 5
BOUNDS = (Fraction(0), Fraction(2, 5), Fraction(3, 5), Fraction(4, 5))
"""Lower ends that are asked for."""


@dataclass(frozen=True, slots=True)
class Size:
    """The interval at one number of items."""

    n: int
    low: float | None
    high: float | None
    state: State
    current: bool

    @property
    def width(self) -> float | None:
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True)
class Need:
    """How many items a wish needs; ``state`` opens them where they fit on the page."""

    name: str
    wish: str
    n: int | None
    state: State | None
    said: str
    rough: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another state: its words, the state, and whether one is there."""

    title: str
    state: State
    current: bool


@dataclass(frozen=True, slots=True)
class View:
    """What the template shows."""

    headline: str
    shows: str
    moved: str
    kappa: Fraction | None
    agreement: Fraction
    chance: Fraction
    interval: Interval | None
    no_interval: str
    bound: bool
    before_width: float | None
    table: tuple[tuple[Fraction, ...], ...]
    sums: tuple[Fraction, Fraction]
    sizes: tuple[Size, ...]
    widths: tuple[Need, ...]
    bounds: tuple[Need, ...]
    doubling: str
    halving: str
    rough: tuple[str, ...]
    least: str
    presets: tuple[Choice, ...]
    other: Choice
    python: str
    across: Axis
    up: Axis
    up_width: Axis

    def intervals(self, link: Callable[[State], str], speech: Speech) -> list[Point]:
        """Points on the lower end, each of which opens its number of items."""
        return [
            Point(log10(one.n), one.low, link(one.state), self._said(one, speech))
            for one in self.sizes
        ]

    def width_points(self, link: Callable[[State], str], speech: Speech) -> list[Point]:
        """Points on the curve of widths."""
        return [
            Point(log10(one.n), one.width, link(one.state), self._said(one, speech))
            for one in self.sizes
        ]

    @property
    def band(self) -> list[tuple[float, float, float]]:
        """The interval around kappa along the sizes."""
        return [
            (log10(one.n), one.low, one.high)
            for one in self.sizes
            if one.low is not None and one.high is not None
        ]

    def here(self, *, width: bool) -> Point | None:
        """The present point."""
        for one in self.sizes:
            if one.current:
                return Point(log10(one.n), one.width if width else one.low)
        return None

    def _said(self, one: Size, speech: Speech) -> str:
        return speech.say(
            "{n} items: from {low} to {high}, width {width}",
            n=one.n,
            low=speech.number(one.low),
            high=speech.number(one.high),
            width=speech.number(one.width),
        )


def view(state: State, before: State | None, speech: Speech) -> View:
    """The page of a state; ``before`` is what was on screen last."""
    say = speech.say
    design = Design(state.agreement, state.share)
    now = design.estimate(state.n)
    interval = now.interval()
    sizes = _sizes(state, design)
    preset = next((one for one in PRESETS if one.state == state), None)
    was = None
    if before is not None and before != state:
        was = Design(before.agreement, before.share).interval(before.n)
    table = design.table(state.n)
    frequent, rare = (sum(row, Fraction(0)) for row in table)
    return View(
        headline=_headline(state, design.kappa, interval, speech),
        shows=say(preset.shows) if preset else "",
        moved=_moved(was, interval, speech),
        kappa=design.kappa,
        agreement=state.agreement,
        chance=state.chance,
        interval=interval,
        no_interval="" if interval else reason(now.why_no_interval(), speech),
        bound=state.agreement == 1,
        before_width=None if was is None else was.width,
        table=table,
        sums=(frequent, rare),
        sizes=sizes,
        widths=tuple(_width(state, design, width, speech) for width in WIDTHS),
        bounds=tuple(_bounds(state, design, speech)),
        doubling=_doubling(state, design, speech),
        halving=_halving(state, design, interval, speech),
        rough=tuple(_rough(state, table, speech)),
        least=_least(state, speech),
        presets=tuple(Choice(say(p.title), p.state, p is preset) for p in PRESETS),
        other=(
            Choice(say("Give kappa instead"), state.by_kappa(), False)
            if state.po is not None
            else Choice(say("Give the agreement instead"), state.by_agreement(), False)
        ),
        python=_python(design, state.n),
        across=_across(state, speech),
        up=_up(sizes, speech),
        up_width=_up_width(sizes, speech),
    )


def _sizes(state: State, design: Design) -> tuple[Size, ...]:
    out = []
    for n in sorted({*SIZES, state.n}):
        found = design.interval(n)
        out.append(
            Size(
                n,
                None if found is None else found.low,
                None if found is None else found.high,
                state.at(n),
                n == state.n,
            )
        )
    return tuple(out)


def _headline(
    state: State, kappa: Fraction | None, interval: Interval | None, speech: Speech
) -> str:
    if interval is None:
        return speech.say("This design has no interval for kappa.")
    values = {
        "n": state.n,
        "kappa": speech.number(kappa),
        "low": speech.number(interval.low),
        "high": speech.number(interval.high),
        "width": speech.number(interval.width),
    }
    return speech.say(
        "With {n} items, a kappa of {kappa} comes with a 95 % interval from {low} to {high}: "
        "{width} wide.",
        **values,
    )


def _moved(was: Interval | None, now: Interval | None, speech: Speech) -> str:
    if was is None or now is None or was.width == now.width:
        return ""
    return speech.say(
        "The width went from {before} to {now}.",
        before=speech.number(was.width),
        now=speech.number(now.width),
    )


def _need(state: State, name: str, wish: str, n: int | None, speech: Speech) -> Need:
    if n is None:
        said = speech.say("more than {most} items", most=MOST)
    else:
        said = speech.many("{n} item", "{n} items", n)
    fits = n is not None and MIN_ITEMS <= n <= MAX_ITEMS
    there = state.at(n) if fits and n is not None else None
    return Need(name, wish, n, there, said, n is not None and n < ROUGH)


def _width(state: State, design: Design, width: Fraction, speech: Speech) -> Need:
    wish = speech.say("interval no wider than {width}", width=speech.number(width, 1))
    return _need(state, f"needed-{float(width)}", wish, design.needed(width), speech)


def _bounds(state: State, design: Design, speech: Speech) -> list[Need]:
    kappa = design.kappa
    out = []
    for bound in BOUNDS:
        if kappa is not None and kappa > bound:
            wish = (
                speech.say("interval above {bound}", bound=speech.number(bound, 1))
                if bound
                else speech.say("interval above 0, which is chance")
            )
            n = design.needed_above(bound)
            out.append(_need(state, f"above-{float(bound)}", wish, n, speech))
    return out


def _doubling(state: State, design: Design, speech: Speech) -> str:
    once, twice = design.interval(state.n), design.interval(2 * state.n)
    if once is None or twice is None or not twice.width:
        return ""
    factor = once.width / twice.width
    values = {
        "n": 2 * state.n,
        "before": speech.number(once.width),
        "now": speech.number(twice.width),
        "factor": speech.number(factor, 2),
    }
    if state.agreement == 1:
        return speech.say(
            "Twice as many items, {n}, take the width from {before} to {now}, by a factor of "
            "{factor}: without a miss it is a bound, which shrinks about in proportion.",
            **values,
        )
    if abs(factor * factor - 2) < 1e-9:
        return speech.say(
            "Twice as many items, {n}, take the width from {before} to {now}: divided by √2. Half "
            "the width takes four times the items.",
            **values,
        )
    return speech.say(
        "Twice as many items, {n}, take the width from {before} to {now}, by a factor of "
        "{factor}: less than √2, since the interval is cut off at the end of the scale.",
        **values,
    )


def _halving(state: State, design: Design, interval: Interval | None, speech: Speech) -> str:
    """How many items half the present width takes."""
    if interval is None:
        return speech.say("This design has no interval, so there is no width to show.")
    if not interval.width:
        return ""
    half = interval.width / 2
    # The last bit of a width must not ask for one item more.
    n = design.needed(Fraction(half) * Fraction(10**12 + 1, 10**12))
    # At most about four times the items of the page, which the search reaches.
    if n is None:
        return ""
    return speech.many(
        "Half the width, {width}, takes {n} item: {factor} times as many.",
        "Half the width, {width}, takes {n} items: {factor} times as many.",
        n,
        width=speech.number(half),
        factor=speech.number(Fraction(n, state.n), 1),
    )


def _rough(state: State, table: tuple[tuple[Fraction, ...], ...], speech: Speech) -> list[str]:
    out = []
    if state.n < ROUGH:
        out.append(
            speech.say(
                "The interval is that of large samples; below about {n} items it is rough.",
                n=ROUGH,
            )
        )
    rare = table[1][1]
    if rare < FEW and state.agreement < 1:
        out.append(
            speech.say(
                "Both are expected to say the rare label on {count} items only: the interval leans "
                "on those, and is rough.",
                count=speech.number(rare, 1),
            )
        )
    return out


def _least(state: State, speech: Speech) -> str:
    if state.agreement != state.least:
        return ""
    return speech.say(
        "That is the least they can agree on with these labels: each says the rare label only "
        "where the other does not."
    )


def _across(state: State, speech: Speech) -> Axis:
    """Numbers of items, on a scale where doubling is the same step everywhere."""
    first, last = min(SIZES[0], state.n), max(SIZES[-1], state.n)
    inner = [n for n in (100, 1000, 10_000) if 2 * first < n < last / 2]
    return Axis(tuple((log10(n), speech.count(n)) for n in (first, *inner, last)))


def _up(sizes: tuple[Size, ...], speech: Speech) -> Axis:
    lowest = min((one.low for one in sizes if one.low is not None), default=0.0)
    start = min(0, floor(2 * lowest))
    return Axis(tuple((k / 2, speech.number(k / 2, 1)) for k in range(start, 3)))


def _up_width(sizes: tuple[Size, ...], speech: Speech) -> Axis:
    widest = max((one.width for one in sizes if one.width is not None), default=1.0)
    step = 0.25 if widest <= 1 else 0.5
    count = max(1, -floor(-widest / step))
    return Axis(tuple((k * step, speech.number(k * step, 2)) for k in range(count + 1)))


def _python(design: Design, n: int) -> str:
    """The same computation as a program."""
    rows = ", ".join("[" + ", ".join(f'"{cell}"' for cell in row) + "]" for row in design.table(n))
    return (
        "import assay\n\n"
        f"table = assay.Table([{rows}])\n"
        "kappa = assay.cohen_kappa(table)\n"
        "print(kappa, kappa.interval().width)\n"
    )
