"""Right answers, where the design knows them, and how often each rater gave them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.study.design import TIE, Design
from assay.study.store_records import ANSWER, Rated


@dataclass(frozen=True, slots=True)
class Known:
    """What a design knows beside the answers: right ones by item and dimension, raters' groups."""

    gold: Mapping[tuple[str, str], Any]
    groups: Mapping[str, str]

    def of(self, row: Rated) -> Any:
        """The right answer to what a row answers; None where it is not known.

        That some system is the best says nothing of a comparison between two others.
        """
        right = self.gold.get((row.item, row.dimension))
        elsewhere = row.left is not None and right not in (row.left, row.right, TIE)
        return None if elsewhere else right


def known(
    items: Iterable[tuple[str, Mapping[str, Any] | None]], raters: Iterable[tuple[str, str]]
) -> Known:
    """From the keys of items with their right answers, and the names of raters with their groups.

    >>> known([("q1", {"fluency": 4}), ("q2", None)], [("mai", "expert")]).gold
    {('q1', 'fluency'): 4}
    """
    gold = {(key, what): right for key, own in items for what, right in (own or {}).items()}
    return Known(gold, dict(raters))


ITEMS, CHECKS, TEST = "gold", "checks", "qualification"
"""Where right answers are known: of ordinary items, attention checks, the test before all else."""


def known_of(design: Design, of: str = ITEMS) -> Known:
    """What a design knows of its items, checks or test, and of its raters."""
    test = design.qualification
    tables = {ITEMS: design.items, CHECKS: design.checks, TEST: test.items if test else ()}
    items = ((item.key, item.gold) for item in tables[of])
    return known(items, ((rater.name, rater.group) for rater in design.raters))


def known_stored(design: Mapping[str, Any]) -> Known:
    """The same of a design as it is stored, with checks and the test; one may say nothing."""

    def records(name: str, table: Any = design) -> list[Mapping[str, Any]]:
        found = table.get(name) if isinstance(table, Mapping) else None
        return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []

    tested = records("items", design.get("qualification"))
    items = (*records("items"), *records("checks"), *tested)
    return known(
        ((one["key"], one.get("gold")) for one in items if "key" in one),
        ((one["name"], one.get("group", "")) for one in records("raters") if "name" in one),
    )


def passed(value: Any, right: Any, tolerance: float = 0.0) -> bool:
    """Whether an answer is the right one; labels in any order; "can't judge" is not.

    A number may be ``tolerance`` away; of several outputs each has to be right.

    >>> passed(["b", "a"], ("a", "b")), passed(4, 4.0), passed(None, 4), passed(3, 4, 1)
    (True, True, False, True)
    """
    if isinstance(value, dict):
        return all(passed(one, right, tolerance) for one in value.values())
    if isinstance(value, list):
        return isinstance(right, tuple | list) and sorted(map(str, value)) == sorted(right)
    if tolerance and isinstance(value, int | float) and isinstance(right, int | float):
        # As decimal numbers: 0.3 is 0.1 away from 0.2, whatever a computer makes of them.
        away = abs(Decimal(repr(value)) - Decimal(repr(right)))
        return away <= Decimal(repr(tolerance))
    return bool(value == right)


def needed(share: float, questions: int) -> int:
    """How many right answers of so many are the least that a share asks for.

    >>> needed(0.8, 5), needed(0.55, 20), needed(0.5, 3), needed(0, 3)
    (4, 11, 2, 0)
    """
    # A quotient of whole numbers is rounded as the share was when it was read; a product is not:
    # 0.55 × 20 is more than 11.
    able = range(questions + 1)
    return next((right for right in able if questions and right / questions >= share), questions)


@dataclass(frozen=True, slots=True)
class OnGold:
    """A rater's first answers on a dimension where the right one is known, and how many are."""

    rater: str
    group: str
    dimension: str
    answers: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.answers


def on_gold(design: Design, rows: Iterable[Rated], of: str = ITEMS) -> list[OnGold]:
    """How raters did on items with right answers, where "can't judge" is no answer.

    Or on attention checks, or in the test, which are never among the items, and where "can't
    judge" is an answer that is not right. In the test a question on several outputs is one.
    """
    there, test = known_of(design, of), design.qualification
    tolerance = test.tolerance if test and of == TEST else 0.0
    counts: dict[tuple[str, str], dict[int, bool]] = {}
    for row in rows:
        right = there.of(row)
        skipped = row.kind != ANSWER and of == ITEMS
        elsewhere = (row.check, row.qualification) != (of == CHECKS, of == TEST)
        if right is None or skipped or elsewhere or row.repeat:
            continue
        one = counts.setdefault((row.dimension, row.rater), {})
        question = row.rating if of == TEST else len(one)
        one[question] = one.get(question, True) and passed(row.value, right, tolerance)
    return [
        OnGold(rater, there.groups.get(rater, ""), dimension, len(said), sum(said.values()))
        for key in (one.key for one in design.dimensions)
        for (dimension, rater), said in counts.items()
        if dimension == key
    ]
