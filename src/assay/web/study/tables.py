"""What was collected, as the tables that the library reads: of ratings and of comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay.study.design import Design, Dimension
from assay.study.store_records import ANSWER, Rated

SCALES = {
    "likert": "ordinal",
    "interval": "interval",
    "magnitude": "ratio",
    "rankme": "interval",
    "ab": "nominal",
    "label": "nominal",
    "labels": "nominal",
}
"""The scale that answers of a mechanism are on."""


def counted(rows: Iterable[Rated], dimension: Dimension) -> list[Rated]:
    """The answers on a dimension that are data: no attention checks, no "can't judge"."""
    return [
        row
        for row in rows
        if row.dimension == dimension.key and row.kind == ANSWER and not row.check
    ]


def unit(row: Rated) -> str:
    """What was judged: an item, with the system or the two systems."""
    if row.left is not None:
        return unit_name(row.item, sorted((row.left, row.right or "")))
    return unit_name(row.item, [row.system or ""])


def unit_name(item: str, systems: Sequence[str]) -> str:
    """An item with its systems.

    >>> unit_name("q1", ["a", "b"]), unit_name("q1", [""])
    ('q1 · a / b', 'q1')
    """
    return f"{item} · {' / '.join(systems)}" if any(systems) else item


def judged(rows: Iterable[Rated], dimension: Dimension) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What was judged on a dimension, by name: the item, and all systems shown with the question.

    RankME's one answer is on several systems: it is decided as a whole.
    """
    mine = counted(rows, dimension)
    together: dict[int, set[str]] = {}
    for row in mine:
        shown = (row.system or "",) if row.left is None else (row.left, row.right or "")
        together.setdefault(row.task, set()).update(shown)
    return {unit(row): (row.item, tuple(sorted(together[row.task]))) for row in mine}


def agreement_table(rows: Iterable[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """One rating a row, of each rater and unit the first: agreement is between raters."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in counted(rows, dimension):
        value = row.value
        if isinstance(value, list):
            value = " + ".join(sorted(map(str, value))) or "∅"
        key = (unit(row), row.rater)
        if not row.repeat or key not in found:
            found[key] = {"item": key[0], "rater": key[1], "value": value}
    return list(found.values())


def agreement_options(dimension: Dimension) -> dict[str, Any]:
    """How a dimension's answers are to be read."""
    chosen: dict[str, Any] = {"layout": "long", "scale": SCALES[dimension.mechanism]}
    if dimension.mechanism == "likert":
        chosen["order"] = [point.value for point in dimension.points]
    return chosen


def systems_table(rows: Sequence[Rated], design: Design) -> list[dict[str, Any]]:
    """Numbers given to outputs of systems, in the order in which they were given."""
    out = []
    for dimension in design.dimensions:
        if dimension.mechanism in ("likert", "interval", "magnitude", "rankme"):
            out += [
                {
                    "item": row.item,
                    "system": row.system,
                    "dimension": row.dimension,
                    "rater": row.rater,
                    "value": row.value,
                }
                for row in counted(rows, dimension)
                if row.system
            ]
    return out


def comparisons_table(rows: Sequence[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """Comparisons of two systems; the winner is a system, or a tie."""
    return [
        {
            "item": row.item,
            "left": row.left,
            "right": row.right,
            "rater": row.rater,
            "winner": row.value,
        }
        for row in counted(rows, dimension)
    ]
