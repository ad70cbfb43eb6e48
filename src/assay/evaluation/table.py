"""The data model of an evaluation: ratings of systems' outputs, one dimension at a time.

A rating is (item, system, dimension, rater, value). What was read is held in integer arrays,
one entry a rating, in the order of the source. Statistics are functions of one
:class:`Dimension`; they never see a file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.evaluation.flips import whole as steps_of
from assay.ratings.build import dense_block, is_dense, small_type, sparse_blocks
from assay.ratings.categories import Categories, Floats, Ints
from assay.ratings.model import Block, Note, Ratings, Reading

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Remark:
    """A stable code and a sentence: what was chosen, left out, or should be looked at.

    ``dimension`` says which one it is about, where it is about one.
    """

    code: str
    message: str
    level: str = "info"
    dimension: str | None = None


@dataclass(frozen=True, eq=False)
class Dimension:
    """The ratings of one dimension, in the order of the source.

    Attributes
    ----------
    name
        What was rated, such as "fluency".
    scale
        "nominal", "ordinal", "interval" or "ratio".
    declared
        Whether somebody said so; else it was chosen from the values.
    categories
        What the codes in ``labels`` stand for.
    items, systems, raters, labels
        Shape (ratings,): codes. ``raters`` is None where nobody said who rated.
    item_names, system_names, rater_names
        What the codes stand for, over all dimensions.
    metrics
        Shape (ratings,) each: the metric's value on the row, NaN where it is empty.
    repeats
        Ratings that repeat an earlier one of the same rater, item and system (or that an
        earlier one was chosen over); None where raters are unknown.
    cut
        Ratings beyond the first so many of an output, where that was asked for.
    missing
        Rows without a value.
    """

    name: str
    scale: str
    declared: bool
    categories: Categories
    items: Ints
    systems: Ints
    raters: Ints | None
    labels: Ints
    item_names: tuple[str, ...]
    system_names: tuple[str, ...]
    rater_names: tuple[str, ...]
    metrics: dict[str, Floats] = field(default_factory=dict)
    repeats: Dimension | None = None
    cut: Dimension | None = None
    missing: int = 0
    order: Ints | None = None
    """Each rating's place in the source."""

    @property
    def n(self) -> int:
        """How many ratings."""
        return len(self.labels)

    @property
    def points(self) -> Floats | None:
        """What each label counts as, its number or its place in a declared order; else None."""
        if self.scale == "nominal":
            return None
        if self.categories.numbers is not None:
            return self.categories.numbers
        return self.categories.positions + 1.0 if self.categories.ordered else None

    @cached_property
    def values(self) -> Floats | None:
        """Each rating as a number, or None where labels are only names."""
        points = self.points
        return None if points is None else points[self.labels]

    @cached_property
    def steps(self) -> tuple[Ints, float] | None:
        """Each rating as a whole number, and how many of them are 1; None where there is no step.

        Means of whole numbers that are equal are so to the last bit.
        """
        points = self.points
        if points is None:
            return None
        scaled = self.categories.scaled
        if scaled is not None:
            whole, one = scaled[0], float(scaled[1])
        else:
            found = steps_of(points)
            if found is None:
                return None
            whole, one = found, float(found @ found) / float(found @ points)
        if int(np.abs(whole).max(initial=0)) * self.n >= 1 << 53:
            return None
        return whole[self.labels], one

    @cached_property
    def units(self) -> Units:
        """The rated outputs, which are items × systems."""
        width = max(len(self.system_names), 1)
        key = self.items.astype(np.int64) * width + self.systems
        found, codes = np.unique(key, return_inverse=True)
        return Units(codes.reshape(-1), found // width, found % width)

    def take(self, rows: Ints | Mask) -> Dimension:
        """Only some of the ratings."""
        return replace(
            self,
            items=self.items[rows],
            systems=self.systems[rows],
            raters=None if self.raters is None else self.raters[rows],
            labels=self.labels[rows],
            metrics={name: column[rows] for name, column in self.metrics.items()},
            order=None if self.order is None else self.order[rows],
            repeats=None,
            cut=None,
        )

    def unit_name(self, unit: int) -> str:
        """An output's name, for messages."""
        item = self.item_names[int(self.units.items[unit])]
        if len(self.system_names) < 2:
            return item
        return f"{item} / {self.system_names[int(self.units.systems[unit])]}"

    def to_ratings(self, source: str = "memory", notes: tuple[Note, ...] = ()) -> Ratings:
        """The ratings as agreement takes them: what is rated is an output, an item × system."""
        codes, n = self.units.codes, self.units.size
        labels = self.labels.astype(small_type(len(self.categories)))
        blocks: tuple[Block, ...]
        if self.raters is None:
            blocks = (Block(slots(codes, labels, n)),)
        elif is_dense(len(self.rater_names), n, len(labels)):
            blocks = (dense_block(codes, self.raters, labels, n, len(self.rater_names))[0],)
        else:
            blocks = sparse_blocks(codes, self.raters, labels, n, len(self.rater_names))[0]
        return Ratings(
            blocks,
            self.categories,
            () if self.raters is None else self.rater_names,
            self.scale,
            None,
            Reading(source, "long", notes),
            [self.unit_name(u) for u in range(n)],
        ).compact()


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The rated outputs of a dimension.

    ``codes`` has each rating's unit; ``items`` and ``systems`` each unit's item and system.
    """

    codes: Ints
    items: Ints
    systems: Ints

    @property
    def size(self) -> int:
        return len(self.items)

    def counts(self) -> Ints:
        """Ratings a unit."""
        return np.bincount(self.codes, minlength=self.size)

    def means(self, values: Floats) -> Floats:
        """The mean of each unit's ratings."""
        return np.bincount(self.codes, values, self.size) / np.maximum(self.counts(), 1)


def slots(codes: Ints, labels: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """Shape (slots, units): the first, second, … rating of each unit, −1 where there is none."""
    rank = occurrence(codes)
    table = np.full((int(rank.max(initial=-1)) + 1, n), -1, dtype=labels.dtype)
    table[rank, codes] = labels
    return table


def occurrence(codes: Ints) -> Ints:
    """How many earlier entries have the same code.

    >>> occurrence(np.array([3, 1, 3, 3, 1])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    rank = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    out = np.empty(len(codes), dtype=np.int64)
    out[order] = rank
    return out


@dataclass(frozen=True, eq=False)
class SystemRatings:
    """A whole evaluation: its dimensions, its names, and how it was read."""

    dimensions: tuple[Dimension, ...]
    item_names: tuple[str, ...]
    system_names: tuple[str, ...]
    rater_names: tuple[str, ...]
    has_systems: bool
    metrics: tuple[str, ...] = ()
    source: str = "memory"
    remarks: tuple[Remark, ...] = ()
    rows: int = 0

    @property
    def has_raters(self) -> bool:
        """Whether it is known who gave which rating."""
        return bool(self.rater_names)

    def __getitem__(self, name: str) -> Dimension:
        return next(d for d in self.dimensions if d.name == name)
