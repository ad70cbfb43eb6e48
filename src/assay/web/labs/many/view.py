"""Everything the page of many raters shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.web.charts import Dot
from assay.web.labs.many import words
from assay.web.labs.many.estimates import Figure, figure, moves
from assay.web.labs.many.figures import CORRECTED, NAMES, Numbers, estimates, estimators, numbers
from assay.web.labs.many.presets import PRESETS, opened
from assay.web.labs.many.puzzles import PUZZLES, QUESTIONS
from assay.web.labs.many.state import (
    MAX_COUNT,
    MAX_ITEMS,
    MAX_LABELS,
    MIN_ITEMS,
    MIN_LABELS,
    State,
)
from assay.web.quiz import Posed, Quiz, asked, posed
from assay.web.speech import Message, Speech, lazy
from assay.web.terms import CHANCE as REMARK
from assay.web.terms import COEFFICIENTS

REMARKS: dict[str, Message] = {
    "unanimous": lazy("items on which all agree"),
    "pairwise": lazy("pairs of ratings that agree, on the mean item"),
    **{name: REMARK[NAMES[name]] for name in CORRECTED},
}
"""What stands beside a name in the chart."""

FORMULAS: dict[str, Message] = {
    "gwet": lazy("shares of labels: the mean of the items' shares, single ratings included"),
    "pooled": lazy("shares of labels: pooled over the ratings of items with two or more"),
    "pair-weighted": lazy(
        "agreeing pairs over all pairs, so that items with more ratings weigh more"
    ),
    "fleiss1981": lazy("Fleiss (1981), as Stata prints it"),
}
"""The formulas for Fleiss' kappa where items differ in their number of ratings."""

CHANCE: dict[str, tuple[Message, str]] = {
    "fleiss": (
        lazy("Two ratings drawn from all of them: the shares of labels, squared and added."),
        "Σ p²",
    ),
    "alpha": (
        lazy(
            "The same, but the first rating is not put back, and only ratings that have a "
            "partner are drawn from."
        ),
        "Σ m(m − 1) / n(n − 1)",
    ),
    "ac1": (
        lazy("Raters guess on hard items only, and hard items are few where labels are skewed."),
        "Σ p(1 − p) / (q − 1)",
    ),
    "s": (lazy("Whoever guesses takes every label equally often, used or not."), "1 / q"),
}
"""What each coefficient calls chance, in words and as a formula."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the table, with its share of agreeing pairs."""

    index: int
    name: str
    cells: tuple[int, ...]
    size: int
    agreement: Fraction | None
    hardest: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A column: its ratings, its share, and what it adds to agreement by chance."""

    index: int
    name: str
    count: int
    share: Fraction | None
    specific: Fraction | None
    kappa: Fraction | None
    fleiss_term: Fraction | None
    ac1_term: Fraction | None


@dataclass(frozen=True, slots=True)
class Chance:
    """A coefficient's way from the same observed agreement to its value."""

    figure: Figure
    supposes: str
    formula: str


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the whole table, and which figures it leaves alone."""

    title: str
    why: str
    do: str
    possible: bool
    same: tuple[bool, ...]
    after: tuple[Fraction | float | None, ...]
    narrower: float | None

    @property
    def cells(self) -> tuple[tuple[bool, Fraction | float | None], ...]:
        """For each figure: whether it stays, and its value after the change."""
        return tuple(zip(self.same, self.after, strict=True))


@dataclass(frozen=True, slots=True)
class Link:
    """A state under a name."""

    key: str
    title: str
    state: State
    current: bool


@dataclass(frozen=True, slots=True)
class View:
    """What the template shows."""

    headline: str
    done: str
    moved: str
    items: tuple[Item, ...]
    labels: tuple[Label, ...]
    ratings: int
    figures: dict[str, Figure]
    dots: tuple[Dot, ...]
    apart: str
    formula: str
    hardest: str
    sizes: Sequence[str]
    unequal: bool
    chance: tuple[Chance, ...]
    estimators: tuple[tuple[str, str, Fraction | float | None], ...]
    changes: tuple[Change, ...]
    presets: tuple[Link, ...]
    quiz: Quiz
    puzzle: Posed | None
    puzzles: tuple[Link, ...]
    python: str
    more_items: bool
    fewer_items: bool
    more_labels: bool
    fewer_labels: bool
    most: int
    bounds: str


def view(state: State, before: State | None, speech: Speech) -> View:
    """The page of a state; ``before`` is what was on screen last."""
    say = speech.say
    found = numbers(state.rows)
    old = estimates(before.rows) if before is not None and before.rows != state.rows else None
    shown = {
        name: figure(
            name,
            say(COEFFICIENTS[full]),
            found.estimates[name],
            old[name] if old else None,
            speech,
            say(REMARKS[name]),
            sum(map(bool, found.counts)),
        )
        for name, full in NAMES.items()
    }
    rated = {size for size in state.sizes if size}
    unequal = len(rated) > 1
    return View(
        headline=words.headline(state, found, speech),
        done=words.changed(before, state, speech) if before is not None else "",
        moved=moves(list(shown.values()), speech) if old else "",
        items=_items(state, found),
        labels=_labels(state, found),
        ratings=state.ratings,
        figures=shown,
        dots=tuple(one.dot(speech) for one in shown.values()),
        apart=words.apart(found, speech),
        formula=words.formula(found, speech),
        hardest=words.hardest(state, found, speech),
        sizes=words.sizes(state, speech),
        unequal=unequal,
        chance=tuple(
            Chance(shown[name], say(CHANCE[name][0]), CHANCE[name][1]) for name in CORRECTED
        ),
        estimators=tuple(
            (name, say(FORMULAS[name]), value) for name, value in estimators(state.rows).items()
        )
        if unequal
        else (),
        changes=_changes(state, found, speech),
        presets=_presets(state, speech),
        quiz=asked(QUESTIONS, state.answers, speech),
        puzzle=posed(PUZZLES, state.puzzle, found.values(), speech),
        puzzles=tuple(
            Link(key, say(puzzle.goal), replace(state, puzzle=key), key == state.puzzle)
            for key, puzzle in PUZZLES.items()
        ),
        python=_python(state),
        more_items=len(state.rows) < MAX_ITEMS,
        fewer_items=len(state.rows) > MIN_ITEMS,
        more_labels=state.q < MAX_LABELS,
        fewer_labels=state.q > MIN_LABELS,
        most=MAX_COUNT,
        bounds=say(
            "This page takes {few} to {items} items, {low} to {high} labels, and counts up to "
            "{most}.",
            few=MIN_ITEMS,
            items=MAX_ITEMS,
            low=MIN_LABELS,
            high=MAX_LABELS,
            most=MAX_COUNT,
        ),
    )


def _items(state: State, found: Numbers) -> tuple[Item, ...]:
    known = [share for share in found.items if share is not None]
    least = min(known) if known and min(known) < max(known) else None
    return tuple(
        Item(i, name, row, sum(row), share, share is not None and share == least)
        for i, (name, row, share) in enumerate(
            zip(state.item_names, state.rows, found.items, strict=True)
        )
    )


def _labels(state: State, found: Numbers) -> tuple[Label, ...]:
    return tuple(
        Label(
            j,
            name,
            found.counts[j],
            share,
            found.specific[j],
            found.kappas[j],
            None if share is None else share * share,
            None if share is None else share * (1 - share) / (state.q - 1),
        )
        for j, (name, share) in enumerate(zip(state.label_names, found.shares, strict=True))
    )


def _changes(state: State, found: Numbers, speech: Speech) -> tuple[Change, ...]:
    say = speech.say
    doubled = tuple(tuple(2 * c for c in row) for row in state.rows)
    tried = (
        (
            say("Two labels change places"),
            say("Names of labels mean nothing here, so no figure moves by even one bit."),
            "swap",
            state.swapped().rows,
        ),
        (
            say("Every item twice"),
            say(
                "Shares and agreement stay; only alpha moves, by its correction for few ratings. "
                "The intervals narrow as if the copies were new items."
            ),
            "items2",
            state.rows * 2,
        ),
        (
            say("Every rater twice"),
            say(
                "A rating always agrees with its own copy, so pairs agree more often. That is no "
                "new agreement: this is not an invariance."
            ),
            "raters2",
            doubled,
        ),
    )
    now = found.values()
    out = []
    for title, why, do, rows in tried:
        later = numbers(rows)
        values = later.values()
        out.append(
            Change(
                title,
                why,
                do,
                _possible(state, do),
                tuple(values[name] == now[name] for name in NAMES),
                tuple(values[name] for name in NAMES),
                _narrower(found, later),
            )
        )
    return tuple(out)


def _possible(state: State, do: str) -> bool:
    if do == "items2":
        return 2 * len(state.rows) <= MAX_ITEMS
    return do != "raters2" or 2 * max(map(max, state.rows)) <= MAX_COUNT


def _narrower(now: Numbers, later: Numbers) -> float | None:
    """The standard error of Fleiss' kappa after the change, over that before."""
    error = now.estimates["fleiss"].standard_error
    after = later.estimates["fleiss"].standard_error
    return after / error if error and after is not None else None


def _presets(state: State, speech: Speech) -> tuple[Link, ...]:
    out = []
    for preset in PRESETS:
        there = opened(preset, state)
        out.append(Link(preset.key, speech.say(preset.title), there, there.rows == state.rows))
    empty = state.cleared()
    out.append(Link("clear", speech.say("Clear all"), empty, empty.rows == state.rows))
    return tuple(out)


def _python(state: State) -> str:
    """The same computation as a program."""
    rows = ",\n    ".join(str(list(row)) for row in state.rows)
    names = f", categories={list(state.labels)!r}" if state.labels else ""
    return (
        "import assay\n\n"
        f"counts = assay.Counts([\n    {rows},\n]{names})\n"
        "print(assay.fleiss_kappa(counts))\n"
        "print(assay.krippendorff_alpha(counts))\n"
        "print(assay.gwet_ac(counts))\n"
        "print(assay.brennan_prediger(counts))\n"
    )
