"""Agreement so far: the library's report on each dimension, and what it says of items and raters.

Nothing is computed here; the report is made anew where something was answered since.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError
from assay.study.design import Design, Dimension, Gold
from assay.study.store_records import Rated
from assay.web.study.tables import agreement_options, agreement_table, judged, unit

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
    known = judged(rows, dimension)
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
        tuple(_hard(one, known[str(one["item"])]) for one in hardest),
        tuple(
            Without(one["rater"], one["value"], one["rise"], one["stands_out"])
            for one in (diagnosis.get("without_rater") or {}).get("raters", ())
        ),
    )


def _hard(one: dict[str, Any], what: tuple[str, tuple[str, ...]]) -> Hard:
    given = tuple((str(g["rater"]), str(g["label"])) for g in one["given"])
    return Hard(str(one["item"]), given, *what)


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


def passed(value: Any, right: Gold) -> bool:
    """Whether an answer is the right one; labels in any order; "can't judge" is not.

    >>> passed(["b", "a"], ("a", "b")), passed(4, 4.0), passed(None, 4)
    (True, True, False)
    """
    if isinstance(value, list):
        return isinstance(right, tuple) and sorted(map(str, value)) == sorted(right)
    return bool(value == right)


def in_words(value: Any) -> str:
    """An answer as text."""
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return " + ".join(map(str, value)) or "∅"
    return f"{value:g}" if isinstance(value, float) else str(value)
