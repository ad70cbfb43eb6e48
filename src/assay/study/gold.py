"""Right answers, where the design knows them, and how often each rater gave them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.study.design import TIE, Design, Gold
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


def known_of(design: Design, *, checks: bool = False) -> Known:
    """What a design knows of its items, or of its attention checks, and of its raters."""
    items = ((item.key, item.gold) for item in (design.checks if checks else design.items))
    return known(items, ((rater.name, rater.group) for rater in design.raters))


def known_stored(design: Mapping[str, Any]) -> Known:
    """The same of a design as it is stored, checks included; one may be kept that says nothing."""

    def records(name: str) -> list[Mapping[str, Any]]:
        found = design.get(name)
        return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []

    items = (*records("items"), *records("checks"))
    return known(
        ((one["key"], one.get("gold")) for one in items if "key" in one),
        ((one["name"], one.get("group", "")) for one in records("raters") if "name" in one),
    )


def passed(value: Any, right: Gold) -> bool:
    """Whether an answer is the right one; labels in any order; "can't judge" is not.

    >>> passed(["b", "a"], ("a", "b")), passed(4, 4.0), passed(None, 4)
    (True, True, False)
    """
    if isinstance(value, list):
        return isinstance(right, tuple) and sorted(map(str, value)) == sorted(right)
    return bool(value == right)


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


def on_gold(design: Design, rows: Iterable[Rated], *, checks: bool = False) -> list[OnGold]:
    """How raters did on items with right answers, where "can't judge" is no answer.

    With ``checks`` on attention checks, which are never among the items, and which "can't judge"
    does not pass.
    """
    there = known_of(design, checks=checks)
    counts: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        right = there.of(row)
        skipped = row.kind != ANSWER and not checks
        if right is None or skipped or row.check != checks or row.repeat:
            continue
        one = counts.setdefault((row.dimension, row.rater), [0, 0])
        one[0] += 1
        one[1] += passed(row.value, right)
    return [
        OnGold(rater, there.groups.get(rater, ""), dimension, *count)
        for key in (one.key for one in design.dimensions)
        for (dimension, rater), count in counts.items()
        if dimension == key
    ]
