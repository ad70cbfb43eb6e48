"""The data model: ratings as coded blocks, with the names that the codes stand for.

A rating is (item, rater, label). However it was read, it ends as one small set of integer
arrays, and every coefficient is a function of reductions of those arrays
(:mod:`assay.ratings.reductions`). Values here are frozen; nothing alters ratings in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, one_of

Label: TypeAlias = str | bool | int | float
"""A label as a person wrote it. Text "1", number 1 and boolean True are three labels."""

Codes: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
LAYOUTS = ("long", "wide", "counts", "table")


def label_text(label: Label) -> str:
    """The text under which a label is shown and exported.

    >>> [label_text(x) for x in ("yes", True, 3, 3.0, 2.5)]
    ['yes', 'true', '3', '3', '2.5']
    """
    if isinstance(label, str):
        return label
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if float(label).is_integer():
        return str(int(label))
    return repr(float(label))


@dataclass(frozen=True, slots=True)
class Note:
    """One line of a reading report: a stable ``code`` and a sentence.

    ``level`` is "info" for what was found and chosen, "warning" for what a person should
    look at before trusting the numbers.
    """

    code: str
    message: str
    level: str = "info"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the ratings were read: source, layout, and what was chosen, merged or left out."""

    source: str = "memory"
    layout: str = "long"
    notes: tuple[Note, ...] = ()

    def with_notes(self, *notes: Note) -> Reading:
        return replace(self, notes=(*self.notes, *notes))


class Categories(Sequence[Label]):
    """The labels that codes 0, 1, … stand for, in order.

    Parameters
    ----------
    labels
        All text, all numbers, or mixed. A numeric array is taken without a copy.
    declared
        Whether the user declared this list (else it is what was observed).
    ordered
        Whether the order means something: numbers, or an order that was declared.
    texts
        How the labels are shown; made from the labels when omitted.
    """

    __slots__ = ("__dict__", "declared", "labels", "ordered")

    def __init__(
        self,
        labels: Sequence[Label] | npt.NDArray[Any],
        *,
        declared: bool = False,
        ordered: bool | None = None,
        texts: Sequence[str] | None = None,
        numbers: npt.NDArray[Any] | None = None,
    ) -> None:
        self.labels: tuple[Label, ...] | npt.NDArray[Any] = (
            labels if isinstance(labels, np.ndarray) else tuple(labels)
        )
        self.declared = declared
        if texts is not None:
            self.__dict__["texts"] = tuple(texts)
        if numbers is not None:
            self.__dict__["numbers"] = np.asarray(numbers, dtype=np.float64)
        self.ordered = self.numeric if ordered is None else ordered

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        label = self.labels[index]
        return label.item() if isinstance(label, np.generic) else label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Categories) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        shown = ", ".join(self.texts[:8]) + (", …" if len(self) > 8 else "")
        return f"Categories({shown})"

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each label as text."""
        return tuple(label_text(label) for label in self)

    @cached_property
    def numbers(self) -> Floats | None:
        """The labels' values where all of them are numbers, else None."""
        if isinstance(self.labels, np.ndarray) and self.labels.dtype.kind in "iuf":
            return self.labels.astype(np.float64)
        if len(self) and all(
            isinstance(x, (int, float)) and not isinstance(x, bool) for x in self.labels
        ):
            return np.array([float(x) for x in self.labels], dtype=np.float64)
        return None

    @property
    def numeric(self) -> bool:
        """Whether every label is a number."""
        return self.numbers is not None

    @cached_property
    def scaled(self) -> tuple[Ints, int] | None:
        """The values as integers over one denominator, exactly, or None.

        >>> Categories([1.5, 2.0, 2.25]).scaled
        (array([150, 200, 225]), 100)
        """
        values = self.numbers
        if values is None:
            return None
        for digits in range(10):
            factor = 10**digits
            scaled = np.rint(values * factor)
            if np.abs(scaled).max(initial=0.0) >= 2.0**53:
                return None
            if np.array_equal(scaled / factor, values):
                return scaled.astype(np.int64), factor
        return None

    @cached_property
    def positions(self) -> Floats:
        """Where each label stands: its value if labels are numbers, else 0, 1, 2 and so on."""
        if self.numbers is not None:
            return self.numbers
        return np.arange(len(self), dtype=np.float64)

    @property
    def exact_positions(self) -> list[Fraction] | None:
        """:attr:`positions` as fractions, where that is exact."""
        if self.numbers is None:
            return [Fraction(k) for k in range(len(self))]
        if self.scaled is None:
            return None
        values, denominator = self.scaled
        return [Fraction(int(v), denominator) for v in values]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A group of items with their ratings in slots.

    Attributes
    ----------
    labels
        Shape (slots, items): the label's code, −1 where a slot is empty.
    raters
        Shape (slots, items): who gave the rating; None where slot s is rater s.
    items
        Shape (items,): each column's number in :attr:`Ratings.items`; None for 0, 1, ….
    weights
        Shape (items,): how many items a column stands for; None for one each.
    """

    labels: Codes
    raters: Codes | None = None
    items: Codes | None = None
    weights: Ints | None = None

    @property
    def n(self) -> int:
        return int(self.labels.shape[1])

    def take(self, columns: npt.NDArray[Any]) -> Block:
        """The block with only ``columns`` (indices or a mask)."""
        items = np.arange(self.n) if self.items is None else self.items
        return Block(
            self.labels[:, columns],
            None if self.raters is None else self.raters[:, columns],
            items[columns],
            None if self.weights is None else self.weights[columns],
        )


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by raters: what :func:`assay.read` returns.

    Attributes
    ----------
    blocks
        The coded ratings.
    categories
        What the label codes stand for.
    raters
        The raters' names; empty where the source has no rater identity (counts).
    scale
        "nominal", "ordinal", "interval", "ratio", "circular", or None where nobody said.
    period
        The length of a circular scale, else None.
    reading
        How the ratings were read.
    group_names, groups
        Where the ratings were read with ``by``: the groups' names, and each item's group.
    denominator
        A block column with weight w stands for w / denominator items (1 but for tables with
        decimal cells, which are kept as exact fractions).

    Examples
    --------
    >>> import assay
    >>> ratings = assay.read([("i1", "ana", "yes"), ("i1", "bo", "no"), ("i2", "ana", "no")])
    >>> ratings.n_items, ratings.n_raters, ratings.n_ratings
    (2, 2, 3)
    """

    blocks: tuple[Block, ...]
    categories: Categories
    raters: tuple[str, ...] = ()
    scale: str | None = None
    period: float | None = None
    reading: Reading = field(default_factory=Reading)
    item_names: Callable[[], Sequence[str]] | Sequence[str] | None = None
    group_names: tuple[str, ...] = ()
    groups: Codes | None = None
    denominator: int = 1

    def __post_init__(self) -> None:
        if self.scale is not None:
            one_of(self.scale, SCALES, "scale")

    @cached_property
    def items(self) -> Sequence[str]:
        """The items' names, by number."""
        names = self.item_names
        if names is None:
            return [str(i + 1) for i in range(sum(block.n for block in self.blocks))]
        return names() if callable(names) else names

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many items have 0, 1, 2, … ratings."""
        out: dict[int, int] = {}
        for block in self.blocks:
            per_item = (block.labels >= 0).sum(axis=0)
            found = np.zeros(block.labels.shape[0] + 1, dtype=np.int64)
            np.add.at(found, per_item, 1 if block.weights is None else block.weights)
            for size, count in enumerate(found.tolist()):
                if count:
                    out[size] = out.get(size, 0) + count
        return dict(sorted(out.items()))

    @property
    def n_items(self) -> int:
        """Items with at least one rating."""
        return sum(count for size, count in self.sizes.items() if size)

    @property
    def n_ratings(self) -> int:
        return sum(size * count for size, count in self.sizes.items())

    @property
    def n_raters(self) -> int:
        """Raters by name; without names, the largest number of ratings of an item."""
        if self.raters:
            return len(self.raters)
        return max(self.sizes, default=0)

    @property
    def has_raters(self) -> bool:
        """Whether it is known who gave which rating."""
        return bool(self.raters)

    def group(self, name: str) -> Ratings:
        """The ratings of one group (a dimension or a subgroup)."""
        if self.groups is None or name not in self.group_names:
            raise InputError(
                f"group {name!r} is not among {', '.join(self.group_names) or 'none'}; "
                "read the data with by=COLUMN."
            )
        code = self.group_names.index(name)
        blocks = []
        for block in self.blocks:
            items = np.arange(block.n) if block.items is None else block.items
            kept = block.take(self.groups[items] == code)
            if kept.n:
                blocks.append(kept)
        part = replace(self, blocks=tuple(blocks), group_names=(), groups=None)
        return part.compact()

    def compact(self) -> Ratings:
        """Without raters who rated nothing, and without labels nobody used or declared."""
        used = np.zeros(len(self.categories), dtype=bool)
        present = np.zeros(len(self.raters), dtype=bool)
        for block in self.blocks:
            used |= np.bincount(block.labels.ravel() + 1, minlength=len(used) + 1)[1:] > 0
            if not self.raters:
                continue
            if block.raters is None:
                present[: block.labels.shape[0]] |= (block.labels >= 0).any(axis=1)
            else:
                given = block.raters[block.labels >= 0]
                present |= np.bincount(given, minlength=len(present)) > 0
        categories = self.categories
        relabel = np.arange(len(categories))
        if not categories.declared and not used.all():
            relabel = np.cumsum(used) - 1
            kept = np.flatnonzero(used)
            numbers = categories.numbers
            categories = Categories(
                [categories[i] for i in kept],
                ordered=categories.ordered,
                texts=[categories.texts[i] for i in kept],
                numbers=None if numbers is None else numbers[kept],
            )
        rerater = np.cumsum(present) - 1
        blocks = []
        for block in self.blocks:
            table = np.append(relabel, -1).astype(block.labels.dtype)
            labels = table[block.labels]
            raters = block.raters
            if raters is None:
                if self.raters:
                    labels = labels[present[: labels.shape[0]]]
            else:
                raters = rerater.astype(raters.dtype)[raters]
            blocks.append(Block(labels, raters, block.items, block.weights))
        names = tuple(n for n, here in zip(self.raters, present, strict=True) if here)
        return replace(self, blocks=tuple(blocks), categories=categories, raters=names)

    def with_scale(self, scale: str | None, *, period: float | None = None) -> Ratings:
        """The same ratings on another scale."""
        return replace(self, scale=scale, period=period)


def _fractions(cells: Any, what: str) -> tuple[tuple[Fraction, ...], ...]:
    rows = cells.tolist() if isinstance(cells, np.ndarray) else cells
    out = []
    for i, row in enumerate(rows):
        line = []
        for j, cell in enumerate(row):
            where = f"{what}: row {i + 1}, column {j + 1}"
            try:
                value = Fraction(repr(cell)) if isinstance(cell, float) else Fraction(str(cell))
            except (ValueError, ZeroDivisionError):
                raise InputError(f"{where} is {cell!r}; a non-negative number is needed.") from None
            if value < 0:
                raise InputError(f"{where} is {cell!r}; counts cannot be negative.")
            line.append(value)
        out.append(tuple(line))
    return tuple(out)


class Table:
    """A two-rater contingency table: rows are rater A's labels, columns rater B's.

    Cells are non-negative and taken as exact fractions, so decimals are allowed and no
    integer type can overflow.

    Parameters
    ----------
    cells
        k × k numbers.
    labels
        The k labels, in the order of rows and columns; 1, 2, … when omitted.
    raters
        The names of the row rater and of the column rater.

    Raises
    ------
    InputError
        If the table is not square, or a cell is not a non-negative number.

    Examples
    --------
    >>> Table([[20, 5], [10, 15]], labels=["yes", "no"]).n
    Fraction(50, 1)
    """

    __slots__ = ("categories", "cells", "raters", "reading")

    def __init__(
        self,
        cells: Sequence[Sequence[Any]] | npt.NDArray[Any],
        *,
        labels: Sequence[Label] | Categories | None = None,
        raters: tuple[str, str] = ("A", "B"),
        reading: Reading | None = None,
    ) -> None:
        self.cells = _fractions(cells, "table")
        k = len(self.cells)
        for i, row in enumerate(self.cells):
            if len(row) != k:
                raise InputError(
                    f"table: {k} rows, but row {i + 1} has {len(row)} cells; a contingency "
                    "table is square, with the same labels in rows and columns."
                )
        if isinstance(labels, Categories):
            self.categories = labels
        else:
            given = list(range(1, k + 1)) if labels is None else list(labels)
            # Declared: a table states its label set, used or not.
            self.categories = Categories(
                given, declared=True, ordered=None if labels is None else True
            )
        if len(self.categories) != k:
            raise InputError(f"table: {k} rows but {len(self.categories)} labels.")
        self.raters = raters
        self.reading = reading or Reading(layout="table")

    @property
    def n(self) -> Fraction:
        """The number of items."""
        return sum((c for row in self.cells for c in row), Fraction(0))


class Counts:
    """Items × categories: how many raters put each item into each category.

    Parameters
    ----------
    counts
        Shape (items, categories), non-negative whole numbers.
    categories
        The labels of the columns; 1, 2, … when omitted.

    Raises
    ------
    InputError
        If the rows differ in length or a cell is not a non-negative whole number.

    Examples
    --------
    >>> import assay
    >>> counts = assay.Counts([[3, 0], [1, 2]], categories=["yes", "no"])
    >>> assay.fleiss_kappa(counts).exact
    Fraction(1, 4)
    """

    __slots__ = ("categories", "counts", "items")

    def __init__(
        self,
        counts: Sequence[Sequence[Any]] | npt.NDArray[Any],
        *,
        categories: Sequence[Label] | Categories | None = None,
        items: Sequence[str] | None = None,
    ) -> None:
        lengths = {len(row) for row in counts}
        if len(lengths) > 1:
            raise InputError(f"counts: rows differ in length ({sorted(lengths)}).")
        values = np.asarray(counts)
        if values.ndim != 2:
            values = values.reshape(len(values), -1)
        if values.dtype.kind not in "iufb" or (
            values.size and not np.array_equal(values, np.rint(values.astype(np.float64)))
        ):
            raise InputError(
                "counts: every cell is the number of raters, a whole number; for one "
                "label a cell use a matrix of items × raters instead."
            )
        if values.size and values.min() < 0:
            i, j = np.argwhere(values < 0)[0]
            raise InputError(f"counts: row {i + 1}, column {j + 1} is {values[i, j]}, below 0.")
        self.counts: Ints = values.astype(np.int64)
        q = self.counts.shape[1]
        if isinstance(categories, Categories):
            self.categories = categories
        else:
            given = list(range(1, q + 1)) if categories is None else list(categories)
            self.categories = Categories(given, declared=True)
        if len(self.categories) != q:
            raise InputError(f"counts: {q} columns but {len(self.categories)} categories.")
        self.items = items


LabelMap: TypeAlias = Mapping[Label, Label]
