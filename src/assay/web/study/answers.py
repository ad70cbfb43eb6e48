"""From the fields of a rater's form to answers, and back to what is shown as chosen.

Fields are numbered: the form of a task names neither systems nor the values that are stored.
``v0`` is the answer to the first question (``p2``: its third option), ``v0.1`` that on the
second output, ``s0`` "can't judge", ``n0`` "none of these", ``r0`` the revision the page had
seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from assay.study.design import TIE, Dimension
from assay.study.store_records import ANSWER, SKIP, Current
from assay.web.speech import Message, lazy
from assay.web.study.fields import Fields

CHOICE = ("likert", "label", "ab")
"""One of several options, each a radio button."""
MAX_COMMENT = 5_000
LONGEST = 40
"""Characters of a number."""

MISSING = lazy("Please answer this, or say that you can’t judge.")
NEEDED = lazy("Please answer this.")
COMMENT_LONG = lazy(
    "The comment is too long: at most {most} characters are kept.", most=MAX_COMMENT
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a form, or the store, says on one question.

    ``picked`` are options (``p0``, …) or the texts of numbers; ``value`` is what would be
    stored, None with ``skip`` or with a ``problem``.
    """

    picked: tuple[str, ...] = ()
    skip: bool = False
    none: bool = False
    value: Any = None
    problem: Message | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is chosen or written at all."""
        return not (self.skip or self.none or any(self.picked))


def options(dimension: Dimension, systems: tuple[str, ...]) -> tuple[Any, ...]:
    """The values behind the options of a question, in the order shown."""
    if dimension.mechanism == "ab":
        middle = (TIE,) if dimension.allow_tie else ()
        return (systems[0], *middle, systems[1])
    return tuple(point.value for point in dimension.points)


def read(dimension: Dimension, systems: tuple[str, ...], place: int, form: Fields) -> Said:
    """What the form says on the question in this place."""
    if dimension.mechanism in CHOICE:
        return _choice(dimension, systems, form.one(f"v{place}"))
    skip = dimension.can_skip and bool(form.one(f"s{place}"))
    if dimension.mechanism == "labels":
        return _several(
            dimension, systems, form.all(f"v{place}"), skip, bool(form.one(f"n{place}"))
        )
    if dimension.mechanism == "rankme":
        texts = tuple(form.one(f"v{place}.{k}").strip() for k in range(len(systems)))
    else:
        texts = (form.one(f"v{place}").strip(),)
    return _numbers(dimension, systems, texts, skip)


def _missing(dimension: Dimension) -> Message:
    return MISSING if dimension.can_skip else NEEDED


def _choice(dimension: Dimension, systems: tuple[str, ...], picked: str) -> Said:
    if picked == "skip" and dimension.can_skip:
        return Said(("skip",), skip=True)
    values = options(dimension, systems)
    place = _place(picked, len(values))
    if place is None:
        return Said(problem=_missing(dimension))
    return Said((picked,), value=values[place])


def _place(picked: str, count: int) -> int | None:
    number = picked[1:]
    if not (picked.startswith("p") and number.isascii() and number.isdigit() and len(number) < 5):
        return None
    return int(number) if int(number) < count else None


def _several(
    dimension: Dimension, systems: tuple[str, ...], picked: list[str], skip: bool, none: bool
) -> Said:
    values = options(dimension, systems)
    places = sorted({p for one in picked if (p := _place(one, len(values))) is not None})
    said = tuple(f"p{place}" for place in places)
    if skip + none + bool(places) > 1:
        why = lazy("Choose labels, or none of these, or that you can’t judge: only one of them.")
        return Said(said, skip, none, problem=why)
    if skip:
        return Said(skip=True)
    if not places and not none:
        return Said(problem=_missing(dimension))
    return Said(said, none=none, value=[values[place] for place in places])


def _numbers(
    dimension: Dimension, systems: tuple[str, ...], texts: tuple[str, ...], skip: bool
) -> Said:
    if skip:
        if any(texts):
            why = lazy("There is a number, and “can’t judge” as well: only one of them.")
            return Said(texts, skip=True, problem=why)
        return Said(texts, skip=True)
    if not any(texts):
        return Said(texts, problem=_missing(dimension))
    values: list[int | float] = []
    for text in texts:
        value = number_of(dimension, text)
        if isinstance(value, Message):
            return Said(texts, problem=value)
        values.append(value)
    if dimension.mechanism == "rankme":
        return Said(texts, value=dict(zip(systems, values, strict=True)))
    return Said(texts, value=values[0])


def number_of(dimension: Dimension, text: str) -> int | float | Message:
    """A number that the dimension takes, or why it takes none."""
    if not text:
        return lazy("A number is missing.")
    try:
        value = Decimal(text.replace(",", ".").replace("−", "-"))
    except InvalidOperation:
        value = Decimal("NaN")
    if len(text) > LONGEST or not value.is_finite() or abs(value.adjusted()) > LONGEST:
        return lazy("“{given}” is not a number.", given=text[:LONGEST])
    low, high, step = (
        None if one is None else Decimal(repr(one))
        for one in (dimension.low, dimension.high, dimension.step)
    )
    # A ratio to the reference: nothing is 0 times as good, and no ratio could be formed.
    if dimension.mechanism == "magnitude" and value <= 0:
        return lazy("A number above 0 is needed.")
    if low is not None and high is not None and not low <= value <= high:
        return lazy("A number from {low} to {high} is needed.", low=_plain(low), high=_plain(high))
    if (low is not None and value < low) or (high is not None and value > high):
        return lazy("A number of {low} or more is needed.", low=_plain(low or Decimal(0)))
    if step is not None and (value - (low or 0)) % step:
        return lazy("Numbers go in steps of {step} here.", step=_plain(step))
    return int(value) if value == value.to_integral_value() else float(value)


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def stored(dimension: Dimension, systems: tuple[str, ...], current: Current) -> Said:
    """What the store holds on a question, as a form would say it."""
    if current.kind == SKIP:
        return Said(("skip",) if dimension.mechanism in CHOICE else (), skip=True)
    if current.kind != ANSWER:
        return Said()
    value = current.value
    if dimension.mechanism in (*CHOICE, "labels"):
        known = options(dimension, systems)
        chosen = value if dimension.mechanism == "labels" else [value]
        picked = tuple(f"p{known.index(one)}" for one in chosen if one in known)
        return Said(picked, none=value == [], value=value)
    texts = [value.get(s) for s in systems] if isinstance(value, dict) else [value]
    return Said(tuple("" if one is None else f"{one}" for one in texts), value=value)


def same(said: Said, comment: str, current: Current) -> bool:
    """Whether the store holds this very answer."""
    if current.comment != comment:
        return False
    if said.skip:
        return current.kind == SKIP
    return current.kind == ANSWER and bool(current.value == said.value)
