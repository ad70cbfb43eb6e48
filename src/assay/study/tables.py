"""What was collected, as the tables that the library reads: of ratings and of comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Any

from assay.ratings.ids import id_text
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
    """The answers on a dimension that are data: no checks, not the test, no "can't judge"."""
    return [
        row
        for row in rows
        if row.dimension == dimension.key and row.kind == ANSWER and not row.apart
    ]


def unit(row: Rated) -> str:
    """What was judged: an item, with the system or the two systems."""
    if row.left is not None:
        return unit_name(row.item, sorted((row.left, row.right or "")))
    return unit_name(row.item, [row.system or ""])


def unit_name(item: str, systems: Sequence[str]) -> str:
    """An item with its systems, as the library reads such a name.

    >>> unit_name("q1", ["a", "b"]), unit_name("q1", [""])
    ('q1 · a / b', 'q1')
    """
    return id_text(f"{item} · {' / '.join(systems)}" if any(systems) else item)


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


def first_answers(rows: Iterable[Rated], dimension: Dimension) -> dict[tuple[str, str], Rated]:
    """Of each unit and rater the first answer: agreement is between raters."""
    found: dict[tuple[str, str], Rated] = {}
    for row in counted(rows, dimension):
        key = (unit(row), id_text(row.rater))
        if not row.repeat or key not in found:
            found[key] = row
    return found


def agreement_table(rows: Sequence[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """One rating a row, of the first answers, with the labels that agreement is computed on."""
    labels = _sides(rows, dimension) if dimension.mechanism == "ab" else {}
    found = []
    for (name, rater), row in first_answers(rows, dimension).items():
        value = labels.get(row.rating, row.value)
        found.append({"item": name, "rater": rater, "value": as_label(value)})
    return found


def as_label(value: Any) -> Any:
    """A set of labels as one label, which is the same in any order; anything else as it is.

    >>> as_label(["long", "wrong"]), as_label(["wrong", "long"]), as_label([]), as_label(4)
    ('{long, wrong}', '{long, wrong}', '{}', 4)
    """
    return f"{{{', '.join(sorted(map(str, value)))}}}" if isinstance(value, list) else value


def _sides(rows: Sequence[Rated], dimension: Dimension) -> dict[int, str]:
    """What ``assay prefer`` takes the answers for, by number: first, tie or second."""
    from assay.preference.raters import LABELS, labels_of
    from assay.preference.read import read_comparisons

    table = comparisons_table(rows, dimension)
    if not table:
        return {}
    made = read_comparisons(table, **COMPARED)
    _, labels, _ = labels_of(made.firsts())
    mine: Iterable[Rated] = counted(rows, dimension)
    if made.repeats is not None:
        mine = compress(mine, ~made.repeats)
    return {row.rating: LABELS[label] for row, label in zip(mine, labels, strict=True)}


COMPARED: dict[str, Any] = {
    "item": "item", "left": "left", "right": "right", "rater": "rater", "winner": "winner",
    "winner_as": "names", "repeat": "repeat",
}  # fmt: skip
"""How :func:`comparisons_table` is to be read."""


RATED = ("item", "dimension", "rater", "value")
YES_NO: dict[str, Any] = {"scale": "nominal", "categories": ("yes", "no")}
"""How it is read whether a label was among those chosen."""


def systems_options(design: Design, table: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How :func:`systems_table` is to be read: each dimension on the scale of the design."""
    there = {row["dimension"] for row in table}
    mine = {d.key: agreement_options(d) for d in design.dimensions if d.key in there}
    return {
        **as_columns(table),
        **{
            what: {key: options[what] for key, options in mine.items() if what in options}
            for what in ("scale", "order", "categories")
        },
    }


def as_columns(table: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of a table of ratings; items without systems have no column of these."""
    named = {name: name for name in RATED}
    return named | ({"system": "system"} if any("system" in row for row in table) else {})


def agreement_options(dimension: Dimension) -> dict[str, Any]:
    """How a dimension's answers are to be read."""
    chosen: dict[str, Any] = {"layout": "long", "scale": SCALES[dimension.mechanism]}
    named = {"likert": "order", "label": "categories"}.get(dimension.mechanism)
    if named:
        chosen[named] = [point.value for point in dimension.points]
    return chosen


def systems_table(rows: Sequence[Rated], design: Design) -> list[dict[str, Any]]:
    """What was said of outputs of systems one by one, in the order in which it was said."""
    mine = (row for one in design.dimensions for row in rated_table(rows, one))
    return [row for row in mine if "system" in row]


def rated_table(rows: Sequence[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """What was said on a dimension; of comparisons nothing, which have a table of their own."""
    if dimension.mechanism == "ab":
        return []
    return [_rated(row, row.dimension, as_label(row.value)) for row in counted(rows, dimension)]


def labels_table(rows: Sequence[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """Where several labels may be chosen: of each label whether it was, as its own dimension."""
    mine = counted(rows, dimension)
    return [
        _rated(row, str(label), "yes" if label in row.value else "no")
        for label in several(dimension)
        for row in mine
    ]


def several(dimension: Dimension) -> list[Any]:
    """The labels of a dimension of which more than one may be chosen."""
    return [point.value for point in dimension.points if dimension.mechanism == "labels"]


def _rated(row: Rated, dimension: str, value: Any) -> dict[str, Any]:
    return {
        "item": row.item,
        **({"system": row.system} if row.system else {}),
        "dimension": dimension,
        "rater": row.rater,
        "value": value,
    }


def comparisons_table(rows: Sequence[Rated], dimension: Dimension) -> list[dict[str, Any]]:
    """Comparisons of two systems; the winner is a system, or a tie."""
    return [
        {
            "item": row.item,
            "left": row.left,
            "right": row.right,
            "rater": row.rater,
            "winner": row.value,
            "repeat": row.repeat,
        }
        for row in counted(rows, dimension)
    ]
