"""A study as data: what is rated, by whom, with which questions.

Everything is frozen; :func:`assay.study.design_read.read_design` makes a design from a file,
:mod:`assay.study.assign` gives its tasks out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = int | float | str
"""What an answer is: a number, a label, a system, or "tie"."""

Gold = Value | tuple[str, ...]
"""The right answer; several labels for the mechanism "labels"."""

MECHANISMS = ("likert", "interval", "magnitude", "rankme", "ab", "label", "labels")
"""The ways of asking, as they are typed in a design."""

KINDS = {
    "likert": "single",
    "interval": "single",
    "magnitude": "single",
    "label": "single",
    "labels": "single",
    "ab": "pair",
    "rankme": "all",
}
"""What a task shows under each mechanism: one output, two side by side, or all of an item."""

LANGUAGES = ("en", "vi", "zh")
"""The languages of the rating page."""

GROUPS = ("", "expert", "crowd", "user")
"""Who the raters are; "" where the design does not say."""

TIE = "tie"
NO_SYSTEM = ""
"""The one "system" of a study that labels items themselves."""

MAX_ITEMS = 100_000
MAX_SYSTEMS = 200
MAX_RATERS = 2_000
MAX_DIMENSIONS = 50
MAX_POINTS = 200
MAX_TEXT = 50_000
"""Characters of one text of an item."""
MAX_RATINGS = 1_000_000
"""Tasks of one study."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a Likert scale or a label: what is stored, and what the rater reads."""

    value: Value
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One question that is asked of an output, a pair or all outputs of an item.

    Attributes
    ----------
    key, title, definition, question
        Its name in the data, its name on the page, what it means, and the question word for word.
    mechanism
        One of :data:`MECHANISMS`.
    points
        The points of a Likert scale in the order shown, or the labels.
    low, high, step
        The ends of a range of numbers; ``high`` is None where it has none, ``step`` where any
        number is taken.
    slider
        Whether an interval is a slider, else a field for a number.
    reference
        What the reference counts as, for magnitude estimation and RankME.
    reference_system, reference_text
        The reference: the output of a system, which is then not rated itself, or a fixed text.
    allow_tie
        Whether a comparison may end in a tie.
    can_skip
        Whether "can't judge" is offered; it is stored apart from any value.
    """

    key: str
    title: str
    definition: str
    question: str
    mechanism: str
    points: tuple[Point, ...] = ()
    low: float | None = None
    high: float | None = None
    step: float | None = None
    slider: bool = False
    reference: float | None = None
    reference_system: str = ""
    reference_text: str = ""
    allow_tie: bool = True
    can_skip: bool = True

    @property
    def kind(self) -> str:
        """What a task of it shows: "single", "pair" or "all"."""
        return KINDS[self.mechanism]


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is rated: its context, and the outputs of the systems for it.

    A study that labels items themselves has one output under the name "". ``gold`` has the
    right answers by dimension where they are known; ``check`` marks an attention check.
    """

    key: str
    context: str
    outputs: Mapping[str, str]
    stratum: str = ""
    gold: Mapping[str, Gold] | None = None
    check: bool = False


@dataclass(frozen=True, slots=True)
class RaterSpec:
    """A rater as the design names one."""

    name: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Qualification:
    """A test that each rater takes before everything else, and what is needed to pass it.

    Attributes
    ----------
    items
        Items with right answers. All raters get them all; they are no data.
    share
        The least share of the questions with a right answer that has to be answered right.
    tolerance
        How far a number may be from the right one.
    """

    items: tuple[Item, ...]
    share: float = 0.8
    tolerance: float = 0.0

    @property
    def questions(self) -> int:
        """How many questions have a right answer."""
        return sum(len(item.gold or {}) for item in self.items)


@dataclass(frozen=True, slots=True)
class Design:
    """A whole study, before anyone has rated.

    Attributes
    ----------
    name, title, language
        Its name in files, the heading raters see, and the language of their page.
    seed
        All chance in the assignment comes from it.
    raters, per_item
        Who rates, and how many of them rate each output (or comparison).
    dimensions, items, systems
        What is asked, and of what.
    checks
        Attention checks: items that every rater gets, which are no data.
    qualification
        The test that comes before everything else, if there is one.
    repeats
        The share of each rater's tasks that are shown a second time.
    pilot, pilot_all
        How many items, taken at random, come before all others; whether all raters rate them.
    same_raters
        Whether the raters of an item rate all of its outputs, so that no difference between
        systems is one between raters.
    batch
        How many items a batch has at most, None where there are no batches. A rater gets whole
        batches, one after the other, so all outputs of an item: as with ``same_raters``.
    pairs, pairs_per_item
        Which comparisons are made; how many of them for an item, None for all.
    instructions, consent
        Plain text with blank lines between paragraphs.
    safe_html
        Whether texts of items may hold a safe subset of HTML; else they are shown as they are.
    comments
        Whether raters can leave a comment with an answer.
    """

    name: str
    title: str
    language: str
    seed: int
    raters: tuple[RaterSpec, ...]
    per_item: int
    dimensions: tuple[Dimension, ...]
    items: tuple[Item, ...]
    systems: tuple[str, ...] = ()
    checks: tuple[Item, ...] = ()
    repeats: float = 0.0
    pilot: int = 0
    pilot_all: bool = False
    same_raters: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
    pairs_per_item: int | None = None
    instructions: str = ""
    consent: str = ""
    safe_html: bool = False
    comments: bool = True
    batch: int | None = None
    qualification: Qualification | None = None
    source: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of tasks there are, in the order single, pair, all."""
        there = {dimension.kind for dimension in self.dimensions}
        return tuple(kind for kind in ("single", "pair", "all") if kind in there)

    def asked(self, kind: str, systems: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The keys of the dimensions that a task of this kind asks of these systems.

        A system is not asked about where it is itself the reference.
        """
        mine = (d for d in self.dimensions if d.kind == kind)
        return tuple(
            d.key for d in mine if not d.reference_system or d.reference_system not in systems
        )

    def dimension(self, key: str) -> Dimension:
        """The dimension of this name; KeyError if there is none."""
        for dimension in self.dimensions:
            if dimension.key == key:
                return dimension
        raise KeyError(key)
