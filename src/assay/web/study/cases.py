"""What a manager decides on: an item with its texts, what raters said, and what they noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.study.design import Dimension
from assay.study.store_records import Rated
from assay.study.tables import first_answers, judged, unit_name
from assay.web.study.decide import in_words
from assay.web.study.figures import Agreement, Hard
from assay.web.study.rate_view import text_of
from assay.web.study.site import Site


@dataclass(frozen=True, slots=True)
class Case:
    """A unit with all that a decision on it needs to see; ``outputs`` are named by system."""

    dimension: Dimension
    hard: Hard
    context: Any
    outputs: tuple[tuple[str, Any], ...]
    comments: tuple[tuple[str, str], ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What a decision on it is kept under."""
        return self.dimension.key, self.hard.item, self.hard.systems


def hardest(site: Site, rows: Sequence[Rated], found: Sequence[Agreement]) -> list[list[Case]]:
    """The hardest items of each dimension that has any."""
    return [[_case(site, rows, one.dimension, hard) for hard in one.hardest] for one in found
            if one.hardest]  # fmt: skip


def of_item(site: Site, rows: Sequence[Rated], item: str) -> list[Case]:
    """Everything that was judged of one item, whether raters differ on it or not."""
    mine = [row for row in rows if row.item == item]
    return [
        _case(site, mine, dimension, hard)
        for dimension in site.design.dimensions
        for hard in _units(mine, dimension)
    ]


def _units(rows: Sequence[Rated], dimension: Dimension) -> list[Hard]:
    said: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    units = judged(rows, dimension)
    for (name, rater), row in first_answers(rows, dimension).items():
        given = said.setdefault(units[name], {})
        if dimension.mechanism == "rankme":
            given.setdefault(rater, {})[row.system] = row.value
        else:
            given[rater] = row.value
    return [
        Hard(
            unit_name(item, systems),
            tuple((rater, in_words(value)) for rater, value in given.items()),
            item,
            systems,
        )
        for (item, systems), given in said.items()
    ]


def _case(site: Site, rows: Sequence[Rated], dimension: Dimension, hard: Hard) -> Case:
    item, design = site.items[hard.item], site.design
    shown = set(hard.systems)
    noted = {
        (row.rater, row.comment): None
        for row in rows
        if row.comment and row.item == hard.item and _shown(row) <= shown
    }
    return Case(
        dimension,
        hard,
        text_of(design, item.context),
        tuple((one, text_of(design, item.outputs.get(one, ""))) for one in hard.systems),
        tuple(noted),
    )


def _shown(row: Rated) -> set[str]:
    return {row.system or ""} if row.left is None else {row.left, row.right or ""}
