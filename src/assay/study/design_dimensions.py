"""The dimensions of a design file."""

from __future__ import annotations

import re
from typing import Any

from assay.study.design import (
    MAX_DIMENSIONS,
    MAX_POINTS,
    MECHANISMS,
    TIE,
    Dimension,
    Gold,
    Point,
    Value,
)
from assay.study.design_fields import Fields, shown
from assay.study.dimensions import Ready, ready, worded_points

KEY = re.compile(r"[^\W\d]\w*")
LONG = 5_000
"""Characters of a definition or a question."""

SCALED = ("interval", "magnitude", "rankme")
RANGE = ("low", "high", "step")


def read_dimensions(
    fields: Fields, language: str, systems: tuple[str, ...]
) -> tuple[Dimension, ...]:
    """All dimensions of the file, at least one."""
    tables = fields.each("dimensions", MAX_DIMENSIONS)
    if not tables:
        fields.wrong("dimensions", "a [[dimensions]] table is needed for each thing that is asked.")
    found: dict[str, Dimension] = {}
    for table in tables:
        one = _dimension(table, language, systems)
        if one.key in found:
            table.wrong("key", f"{one.key!r} is the key of an earlier dimension as well.")
        found[one.key] = one
    together = {d.reference_system for d in found.values() if d.kind == "all"}
    if len(together) > 1:
        fields.wrong("dimensions", "all dimensions of RankME need the same reference_system.")
    return tuple(found.values())


def _dimension(table: Fields, language: str, systems: tuple[str, ...]) -> Dimension:
    words: Ready | None = None
    known = ready(language)
    if "use" in table.table:
        words = known[table.one_of("use", known)]
    table.taken.add("use")
    mechanism = table.one_of("mechanism", MECHANISMS, "likert" if words else "", needed=not words)
    key = table.text("key", words.key if words else "", needed=not words, most=60)
    if not KEY.fullmatch(key):
        table.wrong("key", f"{key!r}: letters, digits and _ are taken, a letter first.")
    title = table.text("title", words.title if words else key)
    definition = table.text("definition", words.definition if words else "", most=LONG, lines=True)
    asks = words.asks(mechanism) if words else ""
    question = table.text("question", asks, needed=not words, most=LONG, lines=True)
    points = _points(table, mechanism, language, words is not None)
    low, high, step = _range(table, mechanism)
    if not systems and mechanism in ("ab", "rankme"):
        table.wrong("mechanism", f"{mechanism} compares systems, and [items] names none.")
    reference, system, text = _reference(table, mechanism, systems)
    tie: bool = table.get("allow_tie", bool, True)
    slider: bool = table.get("slider", bool, False)
    _only(table, mechanism, "allow_tie", ("ab",))
    _only(table, mechanism, "slider", ("interval",))
    if slider and high is None:
        table.wrong("slider", "a slider needs low and high.")
    skip: bool = table.get("can_skip", bool, True)
    table.done()
    return Dimension(
        key, title, definition, question, mechanism, points, low, high, step, slider,
        reference, system, text, tie and mechanism == "ab", skip,
    )  # fmt: skip


def _only(table: Fields, mechanism: str, key: str, mechanisms: tuple[str, ...]) -> None:
    if key in table.table and mechanism not in mechanisms:
        *others, last = mechanisms
        whose = f"{', '.join(others)} and {last} have" if others else f"{last} has"
        table.wrong(key, f"only {whose} it, and this is {mechanism}.")


def _points(table: Fields, mechanism: str, language: str, worded: bool) -> tuple[Point, ...]:
    _only(table, mechanism, "points", ("likert", "label", "labels"))
    if mechanism not in ("likert", "label", "labels"):
        return ()
    raw: list[Any] = table.get("points", list, [])
    if not raw:
        if mechanism == "likert" and any(key in table.table for key in RANGE):
            return _plain(table)
        if mechanism == "likert" and worded:
            return worded_points(language)
        what = "points" if mechanism == "likert" else "labels"
        table.wrong("points", f'the {what} are needed, as in points = ["poor", "good"].')
    if len(raw) > MAX_POINTS:
        table.wrong("points", f"has {len(raw)} entries; at most {MAX_POINTS} are taken.")
    inner = table.inside("points")
    found: list[Point] = []
    for place, entry in enumerate(raw):
        point = _point(inner, place, entry, mechanism)
        if any(point.value == other.value for other in found):
            inner.wrong(place, f"{shown(point.value)} is there already; each value comes once.")
        if any(_read(point) == _read(other) for other in found):
            inner.wrong(place, f"{shown(_read(point))} is what an earlier one reads as; raters "
                        "could not tell them apart.")  # fmt: skip
        found.append(point)
    if len(found) < 2:
        table.wrong("points", "has 1 entry; a choice needs at least 2.")
    return tuple(found)


def _read(point: Point) -> str:
    """What a rater reads."""
    return point.wording or str(point.value)


def _point(inner: Fields, place: int, entry: Any, mechanism: str) -> Point:
    if isinstance(entry, dict):
        one = Fields(inner.source, inner.lines, entry, (*inner.path, place))
        wording = one.text("wording", most=LONG, lines=True)
        value: Value = (
            one.text("value", needed=True)
            if mechanism != "likert"
            else _tidy(one.get("value", float, needed=True))
        )
        one.done()
        return Point(value, wording)
    if isinstance(entry, str) and entry.strip():
        # Words alone: a scale counts from 1, a label is its own value.
        word = entry.strip()
        inner.bounded(place, word, LONG, lines=mechanism == "likert")
        return Point(place + 1, word) if mechanism == "likert" else Point(word, "")
    if mechanism == "likert" and type(entry) in (int, float):
        return Point(_tidy(inner.finite(place, entry)))
    return inner.wrong(
        place, f"a wording or {{value = …, wording = …}} is needed, not {shown(entry)}."
    )


def _tidy(value: float) -> Value:
    return int(value) if value.is_integer() else value


def _plain(table: Fields) -> tuple[Point, ...]:
    """A Likert scale without words: low, low + step, … high."""
    low, high = table.whole("low", 1, -1000, 1000), table.whole("high", 5, -1000, 1000)
    step = table.whole("step", 1, 1, 1000)
    values = range(low, high + 1, step)
    if high <= low or values[-1] != high or len(values) > MAX_POINTS:
        table.wrong("high", f"from {low} to {high} in steps of {step} is no scale.")
    return tuple(Point(value) for value in values)


def _range(table: Fields, mechanism: str) -> tuple[float | None, float | None, float | None]:
    low, high, step = (table.number(key) for key in RANGE)
    if mechanism not in SCALED:
        for key in RANGE:
            _only(table, mechanism, key, ("likert", *SCALED))
            if key in table.table and table.table.get("points"):
                table.wrong(key, "points say already which there are: one or the other.")
        return None, None, None
    if low is None:
        if mechanism == "interval":
            table.wrong("low", "an interval needs low and high.")
        low = 0.0
    if mechanism == "magnitude" and low < 0:
        table.wrong("low", f"is {low:g}; magnitude takes numbers above 0, as a ratio needs them.")
    if high is None and mechanism == "interval":
        table.wrong("high", "an interval needs low and high.")
    if high is not None and high <= low:
        table.wrong("high", f"is {high:g}, which is not above low, {low:g}.")
    if step is not None and (step <= 0 or (high is not None and step > high - low)):
        table.wrong("step", f"{step:g} does not fit between low and high.")
    return low, high, step


def _reference(
    table: Fields, mechanism: str, systems: tuple[str, ...]
) -> tuple[float | None, str, str]:
    for key in ("reference", "reference_system", "reference_text"):
        _only(table, mechanism, key, ("magnitude", "rankme"))
    value = table.number("reference")
    system, text = (
        table.text("reference_system"),
        table.text("reference_text", most=LONG, lines=True),
    )
    if mechanism not in ("magnitude", "rankme"):
        return None, "", ""
    if value is None and (mechanism == "magnitude" or system or text):
        table.wrong("reference", "is needed: the number that the reference counts as, such as 100.")
    if value is not None and value <= 0:
        table.wrong("reference", f"a number above 0 is needed, not {value:g}.")
    if system and text:
        table.wrong("reference_text", "the reference is a system or a text, not both.")
    if system:
        table.known("reference_system", system, systems)
    if mechanism == "magnitude" and not (system or text):
        table.wrong("reference_system", "the reference is needed: this, or reference_text.")
    return value, system, text


def gold_of(dimension: Dimension, value: Any, systems: tuple[str, ...]) -> Gold:
    """The right answer as a dimension stores it.

    Raises
    ------
    ValueError
        If the dimension has no such answer; the message says which it has.
    """
    text = str(value).strip()
    if dimension.mechanism == "ab":
        allowed = [*systems, TIE] if dimension.allow_tie else list(systems)
        if text not in allowed:
            raise ValueError(f"one of {', '.join(allowed)} is needed")
        return text
    if dimension.mechanism == "labels":
        parts = value if isinstance(value, list) else text.split("|")
        chosen = tuple(str(part).strip() for part in parts if str(part).strip())
        wrong = [part for part in chosen if part not in {p.value for p in dimension.points}]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is none of its labels (several are joined by |)")
        return chosen
    if dimension.points:
        for point in dimension.points:
            if text in (str(point.value), point.wording) or _number(text) == point.value:
                return point.value
        raise ValueError(f"one of {', '.join(str(p.value) for p in dimension.points)} is needed")
    number = _number(text)
    low, high = dimension.low, dimension.high
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        ends = f" from {low:g}" if low is not None else ""
        ends += f" to {high:g}" if high is not None else ""
        raise ValueError(f"a number{ends} is needed")
    return number


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value - value == 0 else None
