"""Which column of a table plays which part, and tables with several ratings in a row.

In a name, ``{k}`` stands for a number: ``team{k}`` with ``inf{k}`` reads the columns team1, team2,
… and inf1, inf2, … of each row as so many ratings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import AmbiguousLayout, ReadingError, UsageError, one_of
from assay.ratings.sources.grid import Grid
from assay.ratings.words import ITEM_NAMES, LABEL_NAMES, RATER_NAMES, squash

SYSTEM_NAMES = frozenset(
    {"system", "systems", "system_id", "system_name", "model", "model_id", "model_name", "team"}
)
DIMENSION_NAMES = frozenset(
    {"dimension", "criterion", "criteria", "aspect", "quality_criterion", "dimension_name"}
)
USUAL = {
    "item": ITEM_NAMES,
    "system": SYSTEM_NAMES,
    "dimension": DIMENSION_NAMES,
    "rater": RATER_NAMES,
    "value": LABEL_NAMES,
}
NO_COLUMN = {"item": "no_item_column", "value": "no_label_column"}
K = "{k}"
Names = str | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Part:
    """The columns of one rating in each row: of one ``k``, or the only one."""

    item: tuple[str, ...]
    system: str | None
    rater: str | None
    dimension: str | None
    values: tuple[str, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """What is read: the parts, the names of the value columns' dimensions and of the metrics.

    ``found`` says which columns were found by their names.
    """

    parts: tuple[Part, ...]
    dimensions: tuple[str, ...]
    metrics: tuple[str, ...]
    found: tuple[tuple[str, str], ...] = ()


def find_columns(
    grid: Grid,
    *,
    item: Names = None,
    system: str | None = None,
    dimension: str | None = None,
    rater: str | None = None,
    value: Names = None,
    metric: Names = None,
) -> Columns:
    """The columns that were named, and those that can be found by their usual names.

    Raises
    ------
    ReadingError
        If there is no column of items or values.
    AmbiguousLayout
        If several columns may be meant.
    UsageError
        If a column does not exist, or plays two parts.
    """
    values, metrics = listed(value, grid), listed(metric, grid)
    items = listed(item, grid)
    given = [*items, *values, *metrics, *(n for n in (system, dimension, rater) if n)]
    numbers = _numbers(grid, given)
    found: list[tuple[str, str]] = []

    def look(what: str, name: str | None) -> str | None:
        if name is not None:
            return name
        usual = [n for n in grid.names if squash(n) in USUAL[what] and n not in given]
        if len(usual) > 1:
            raise AmbiguousLayout(
                f"{grid.about.source}: {' and '.join(usual)} may be the column of the {what}; say "
                f"which with --{what} ({what}=… in Python).",
                options=usual,
            )
        if usual:
            given.append(usual[0])
            found.append((what, usual[0]))
            return usual[0]
        return None

    if not items:
        only = look("item", None)
        items = () if only is None else (only,)
    rater = look("rater", rater)
    system = look("system", system)
    # Several columns of values are dimensions themselves.
    dimension = look("dimension", dimension) if len(values) < 2 else dimension
    if not values:
        only = look("value", None)
        values = () if only is None else (only,)
    for what, names in (("item", items), ("value", values)):
        if not names:
            raise ReadingError(
                f"{grid.about.source}: no column of {what}s was found among "
                f"{', '.join(grid.names[:12])}; name it with --{what} ({what}=… in Python).",
                code=NO_COLUMN[what],
            )
    if dimension is not None and len(values) > 1:
        raise UsageError(
            f"dimension: {dimension!r} names a dimension a row, and {len(values)} columns of "
            "values are dimensions already; give one or the other."
        )
    twice = [name for name in given if given.count(name) > 1]
    if twice:
        raise UsageError(f"column {twice[0]!r} is named for two parts; a column plays one.")
    parts = tuple(
        Part(
            tuple(_at(n, k, grid, "item") for n in items),
            None if system is None else _at(system, k, grid, "system"),
            None if rater is None else _at(rater, k, grid, "rater"),
            None if dimension is None else _at(dimension, k, grid, "dimension"),
            tuple(_at(n, k, grid, "value") for n in values),
            tuple(_at(n, k, grid, "metric") for n in metrics),
        )
        for k in numbers
    )
    return Columns(parts, tuple(map(plain, values)), tuple(map(plain, metrics)), tuple(found))


def listed(given: Names, grid: Grid) -> tuple[str, ...]:
    """Names from a list, or from a text with commas that is no column's name itself."""
    if given is None:
        return ()
    if isinstance(given, str):
        whole = given in grid.names or "," not in given
        return (given,) if whole else tuple(part.strip() for part in given.split(","))
    return tuple(map(str, given))


def plain(name: str) -> str:
    """A dimension's name from that of its column.

    >>> plain("informativeness{k}"), plain("Answer.S{k}_fluency"), plain("fluency")
    ('informativeness', 'Answer.S fluency', 'fluency')
    """
    if K not in name:
        return name
    return " ".join(part.strip(" _.-") for part in name.split(K)).strip() or name


def _numbers(grid: Grid, given: Sequence[str]) -> list[str]:
    """The numbers that ``{k}`` stands for; one empty text where there is none."""
    patterns = [name for name in given if K in name and name not in grid.names]
    if not patterns:
        return [""]
    found: list[set[str]] = []
    for pattern in patterns:
        before, _, after = pattern.partition(K)
        if K in after:
            raise UsageError(f"{pattern}: {K} stands for one number, and occurs once in a name.")
        rule = re.compile(rf"{re.escape(before)}(\d+){re.escape(after)}")
        found.append({m[1] for n in grid.names if (m := rule.fullmatch(n))})
        if not found[-1]:
            one_of(pattern.replace(K, "1"), grid.names, f"{pattern}, with a number for {K}")
    every = set.union(*found)
    lacking = {k: p for p, have in zip(patterns, found, strict=True) for k in every - have}
    if lacking:
        k, pattern = min(lacking.items(), key=lambda pair: int(pair[0]))
        raise ReadingError(
            f"{grid.about.source}: there is no column {pattern.replace(K, k)}, and other columns "
            f"have the number {k}; each number needs all of {', '.join(patterns)}."
        )
    return sorted(every, key=int)


def _at(name: str, k: str, grid: Grid, what: str) -> str:
    """A column's name for one ``k``."""
    if k and K in name and name not in grid.names:
        name = name.replace(K, k)
    if name not in grid.names:
        alike = [n for n in grid.names if squash(n) == squash(name)]
        if len(alike) == 1:
            return alike[0]
    return one_of(name, grid.names, what)
