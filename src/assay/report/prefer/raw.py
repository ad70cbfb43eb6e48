"""Every comparison as CSV, for readers who ask for them: also repeats, which say so."""

from __future__ import annotations

from collections.abc import Iterator

from assay.csv_text import csv_text
from assay.preference.model import LEFT, RIGHT, TIE, Comparisons

WINNER = {LEFT: "left", TIE: "tie", RIGHT: "right"}


def raw_csv(comparisons: Comparisons) -> str:
    """One row a comparison in the order of the source, without those that have no winner.

    Columns of items, groups and raters are there where they are known; ``use`` is "yes" or
    "repeat" (the same rater was asked again).
    """
    return csv_text(_rows(comparisons))


def _rows(made: Comparisons) -> Iterator[list[str]]:
    named = {
        name: [column.names[k] for k in column.codes.tolist()]
        for name, column in (("item", made.item), ("rater", made.rater))
        if column is not None
    }
    if made.groups is not None:
        named["group"] = [made.group_names[k] for k in made.groups.tolist()]
    sides = [[made.systems[k] for k in side.tolist()] for side in (made.left, made.right)]
    won = [WINNER[k] for k in made.outcome.tolist()]
    again = [False] * made.n if made.repeats is None else made.repeats.tolist()
    use = ["repeat" if one else "yes" for one in again]
    yield [*named, "left", "right", "winner", "use"]
    for row in zip(*named.values(), *sides, won, use, strict=True):
        yield list(row)
