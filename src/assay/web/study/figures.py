"""Agreement so far: the library's report on each dimension, and what it says of items and raters.

Nothing is computed here; the report is made anew where something was answered since.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError
from assay.study.design import Design, Dimension
from assay.study.gold import on_gold, passed
from assay.study.store_records import Rated
from assay.study.tables import (
    agreement_options,
    agreement_table,
    first_answers,
    judged,
    unit,
)

HARDEST = 8


@dataclass(frozen=True, slots=True)
class Hard:
    """A unit that raters differ on, with what each said."""

    name: str
    given: tuple[tuple[str, str], ...]
    item: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """What a dimension's coefficient would be without a rater, and how much higher."""

    rater: str
    value: float | None
    rise: float | None
    stands_out: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """A dimension so far; ``value`` is None where it is not defined yet."""

    dimension: Dimension
    ratings: int
    units: int
    shared: int
    value: float | None
    low: float | None
    high: float | None
    percent: float | None
    hardest: tuple[Hard, ...]
    without: tuple[Without, ...]


_kept: dict[tuple[str, str], tuple[object, Agreement]] = {}
_lock = threading.Lock()


def agreement(design: Design, rows: Sequence[Rated], where: str) -> list[Agreement]:
    """Every dimension, as it stands; ``where`` tells studies apart."""
    out = []
    for dimension in design.dimensions:
        mine = [row for row in rows if row.dimension == dimension.key]
        state = (len(mine), max((row.rating for row in mine), default=0))
        with _lock:
            kept = _kept.get((where, dimension.key))
        if kept is None or kept[0] != state:
            kept = state, _of(dimension, mine)
            with _lock:
                _kept[where, dimension.key] = kept
        out.append(kept[1])
    return out


def _of(dimension: Dimension, rows: Sequence[Rated]) -> Agreement:
    from assay.report.agreement import agree

    table = agreement_table(rows, dimension)
    units: dict[str, int] = {}
    for row in table:
        units[row["item"]] = units.get(row["item"], 0) + 1
    shared = sum(count > 1 for count in units.values())
    nothing = Agreement(dimension, len(table), len(units), shared, *(None,) * 4, (), ())
    if not shared:
        return nothing
    try:
        report = agree(table, **agreement_options(dimension))
    except AssayError:
        return nothing
    alpha, percent = report["krippendorff_alpha"], report["percent_agreement"]
    between = alpha.interval(0.95)
    diagnosis = report.summary.get("diagnosis") or {}
    known, said = judged(rows, dimension), first_answers(rows, dimension)
    hardest = (diagnosis.get("items") or {}).get("hardest", ())[:HARDEST]
    return Agreement(
        dimension,
        len(table),
        len(units),
        shared,
        alpha.value,
        None if between is None else between.low,
        None if between is None else between.high,
        percent.value,
        tuple(_hard(one, known[str(one["item"])], said) for one in hardest),
        tuple(
            Without(one["rater"], one["value"], one["rise"], one["stands_out"])
            for one in (diagnosis.get("without_rater") or {}).get("raters", ())
        ),
    )


def _hard(
    one: dict[str, Any],
    what: tuple[str, tuple[str, ...]],
    said: Mapping[tuple[str, str], Rated],
) -> Hard:
    name, raters = str(one["item"]), [str(given["rater"]) for given in one["given"]]
    return Hard(name, tuple((r, in_words(said[name, r].value)) for r in raters), *what)


@dataclass(frozen=True, slots=True)
class Failed:
    """An attention check that was answered otherwise than expected."""

    rater: str
    check: str
    dimension: str
    given: str
    right: str


def checks(design: Design, rows: Sequence[Rated]) -> tuple[list[Failed], dict[str, int]]:
    """The checks that failed, and how many each rater has answered."""
    gold = {item.key: item.gold or {} for item in design.checks}
    failed: list[Failed] = []
    answered: dict[str, int] = {}
    for row in rows:
        right = gold.get(row.item, {}).get(row.dimension) if row.check else None
        if right is None:
            continue
        answered[row.rater] = answered.get(row.rater, 0) + 1
        if not passed(row.value, right):
            failed.append(
                Failed(row.rater, unit(row), row.dimension, in_words(row.value), in_words(right))
            )
    return failed, answered


def right_answers(design: Design, rows: Sequence[Rated]) -> dict[str, tuple[int, int]]:
    """Of each rater's answers on ordinary items with a right answer: how many are right, of all."""
    found: dict[str, tuple[int, int]] = {}
    for one in on_gold(design, rows):
        right, answers = found.get(one.rater, (0, 0))
        found[one.rater] = right + one.right, answers + one.answers
    return found


def in_words(value: Any) -> str:
    """An answer as text."""
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return " + ".join(map(str, value)) or "∅"
    return f"{value:g}" if isinstance(value, float) else str(value)
