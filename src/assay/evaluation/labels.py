"""Values of one dimension: which are the same, on which scale, and metrics as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from assay.errors import InputError, LabelError, one_of
from assay.evaluation.table import Remark
from assay.ratings.categories import Categories, Floats, Ints
from assay.ratings.labels import LabelOptions, label_options, resolve
from assay.ratings.numerals import comma_in, to_number
from assay.ratings.sources.grid import WHITE, About, Cells, Grid

ON = ("nominal", "ordinal", "interval", "ratio")
"""The scales that a dimension can be on."""

FURTHEST = 1e100
"""Squares of numbers beyond this, or all nearer to 0 than one over it, are ill held by floats."""

LIKERT = 11
"""Whole numbers that lie no farther apart than the points 0 to 10 are points of a scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The labels of one dimension: codes with −1 where there is none."""

    categories: Categories
    labels: Ints
    scale: str
    remarks: tuple[Remark, ...]


Declared = Mapping[str, LabelOptions]
"""What was said of each dimension's values."""


def declared(
    names: Sequence[str], *, scale: object, order: object, categories: object, missing: object
) -> Declared:
    """What was said of each of these dimensions; a mapping says something of some of them.

    >>> made = declared(["a", "b"], scale={"a": "ratio"}, order="x,y", categories=None, missing=())
    >>> made["a"].scale, made["b"].scale, made["b"].order
    ('ratio', None, ('x', 'y'))
    """
    for what, given in (("scale", scale), ("order", order), ("categories", categories)):
        for name in given if isinstance(given, Mapping) else ():
            one_of(name, names, f"{what}: the dimension")
    return {
        name: label_options(
            scale=_own(scale, name),
            order=_own(order, name),
            categories=_own(categories, name),
            missing=missing,
        )
        for name in names
    }


def check_declared(scale: object, order: object, categories: object, missing: object) -> None:
    """Refuse what is wrong for any dimension, before a file is read."""
    for one in scale.values() if isinstance(scale, Mapping) else (scale,):
        if one is not None:
            one_of(one, ON, "scale")
    for one in order.values() if isinstance(order, Mapping) else (order,):
        label_options(order=one, missing=missing)
    for one in categories.values() if isinstance(categories, Mapping) else (categories,):
        label_options(categories=one)


def _own(given: Any, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else given


def resolved(cells: Cells, options: LabelOptions, about: About) -> Values:
    """The labels of one row of cells, and the scale they are on."""
    codes = cells.codes[0]
    used = np.unique(codes[codes >= 0])
    recode = np.full(len(cells.values) + 1, -1, dtype=np.int64)
    recode[used] = np.arange(len(used))
    values = (
        cells.values[used]
        if isinstance(cells.values, np.ndarray)
        else [cells.values[int(u)] for u in used]
    )
    own = recode[codes]
    ordered = cells.ordered
    if ordered:
        # A source that declares an order declares all its labels, used or not.
        values, own = list(cells.values), codes.astype(np.int64)
    got = resolve(Cells(own[None, :], values, ordered), options, about)
    labels = got.apply(own).astype(np.int64)
    remarks = [Remark(n.code, n.message, n.level) for n in got.notes]
    scale, said = _scale(got.categories, options)
    return Values(got.categories, labels, scale, (*remarks, *said))


def _scale(categories: Categories, options: LabelOptions) -> tuple[str, list[Remark]]:
    """The scale that was declared, or the one that the values suggest, with a remark."""
    if options.scale is not None:
        return options.scale, []
    numbers = categories.numbers
    if options.order is not None or (numbers is None and categories.ordered):
        return "ordinal", []
    if numbers is None:
        if not len(categories):
            return "nominal", []
        text = "values are names without an order, so there are no means; --order gives one"
        return "nominal", [Remark("names_only", text, "warning")]
    if (numbers % 1 != 0).any():
        return "interval", []  # the reader's own note says so
    if float(numbers.max() - numbers.min()) < LIKERT:
        text = (
            f"whole numbers from {numbers.min():g} to {numbers.max():g}: agreement is on an "
            "ordinal scale, and means take the points as equally far apart; --scale says otherwise"
        )
        return "ordinal", [Remark("scale_chosen", text)]
    text = (
        f"numbers from {numbers.min():g} to {numbers.max():g}: the scale is taken as interval; "
        "--scale says otherwise"
    )
    return "interval", [Remark("scale_chosen", text)]


def check_range(values: Values, name: str, about: About) -> None:
    """Refuse numbers whose squares, and the squares of these, are beyond what floats hold.

    Raises
    ------
    InputError
        If the largest number is too large or too small.
    """
    numbers = values.categories.numbers
    if values.scale == "nominal" or numbers is None or not len(numbers):
        return
    top = float(np.abs(numbers).max())
    if top == 0.0 or 1.0 / FURTHEST <= top <= FURTHEST:
        return
    raise InputError(
        f"{about.source}: {name}: the largest value is {top:g} (without its sign), and numbers are "
        f"taken where it is from {1.0 / FURTHEST:g} to {FURTHEST:g}; write the values in another "
        "unit, such as their logarithms or a power of ten times as much.",
        code="out_of_range",
    )


def numbers_of(grid: Grid, column: str, what: str) -> Floats:
    """A column of numbers, NaN where a cell is empty.

    Raises
    ------
    LabelError
        If a cell is no number.
    """
    cells = grid.encode((), [column], in_order=True).cells
    raw = cells.values.tolist() if isinstance(cells.values, np.ndarray) else list(cells.values)
    texts = [v.strip(WHITE) for v in raw if isinstance(v, str)]
    comma = grid.about.decimal_comma
    if comma is None:
        comma = comma_in(texts)
    table = np.full(len(raw) + 1, nan)
    for code, value in enumerate(raw):
        text = value.strip(WHITE) if isinstance(value, str) else value
        if text == "":
            continue
        number = to_number(text, comma=comma) if isinstance(text, str) else value
        if number is None or isinstance(number, bool):
            row, _ = cells.first_places(code, 1)[0]
            raise LabelError(
                f"{grid.about.source}: metric {what}, {grid.about.place(row)}: {value!r} is no "
                "number; each cell of a metric is a number or empty."
            )
        table[code] = float(number)
    out: Floats = table[cells.codes[0]]
    return out
