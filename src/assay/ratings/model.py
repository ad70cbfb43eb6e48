"""The data model: ratings as coded blocks, with the names that the codes stand for.

A rating is (item, rater, label). However it was read, it ends as one small set of integer
arrays, and every coefficient is a function of reductions of those arrays
(:mod:`assay.ratings.reductions`). Values here are frozen; nothing alters ratings in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, one_of
from assay.ratings.categories import Categories, Codes, Ints, Label
from assay.ratings.crowd import Crowd, Examples, Members

if TYPE_CHECKING:
    from assay.ratings.tables import Counts

SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
LAYOUTS = ("long", "wide", "counts", "table")


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


_COUNTING = ("items_with_one_rating", "items_without_ratings", "missing_cells")


@dataclass(frozen=True, eq=False, repr=False)
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
    cluster_column, cluster_names, clusters
        Where the ratings were read with ``cluster``: the column's name, the clusters' names, and
        each item's cluster.
    members
        In place of ``clusters`` where items were reduced as they were read: how many items of
        each cluster are in each column of the blocks.
    denominator
        A block column with weight w stands for w / denominator items (1 but for tables with
        decimal cells, which are kept as exact fractions).
    crowd
        Where the blocks do not say who gave which rating, though raters are known: what is
        kept of them.
    examples
        Where items were reduced as they were read: the names of some.
    parts
        Where groups were told apart as they were read: the ratings of each.

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
    cluster_column: str = ""
    cluster_names: Sequence[str] = ()
    clusters: Codes | None = None
    members: Members | None = None
    crowd: Crowd | None = None
    examples: Examples | None = None
    parts: Mapping[str, Ratings] | None = None

    def __post_init__(self) -> None:
        if self.scale is not None:
            one_of(self.scale, SCALES, "scale")

    def __repr__(self) -> str:
        scale = f", {self.scale} scale" if self.scale else ""
        groups = f", {len(self.group_names)} groups" if self.group_names else ""
        return (
            f"Ratings({self.n_items:,} items, {self.n_raters:,} raters, {self.n_ratings:,} ratings"
            f"; {self.reading.layout} layout{scale}, labels {', '.join(self.categories.texts[:8])}"
            f"{', …' if len(self.categories) > 8 else ''}{groups})"
        )

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
        """Ratings, over :attr:`denominator`."""
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

    @property
    def has_clusters(self) -> bool:
        """Whether it is known which items belong together."""
        return self.clusters is not None or self.members is not None

    def group(self, name: str) -> Ratings:
        """The ratings of one group (a dimension or a subgroup)."""
        if name not in self.group_names:
            raise InputError(
                f"group {name!r} is not among {', '.join(self.group_names) or 'none'}; "
                "read the data with by=COLUMN."
            )
        if self.parts is not None:
            return self.parts[name]
        if self.groups is None:
            return self
        code = self.group_names.index(name)
        blocks = []
        for block in self.blocks:
            items = np.arange(block.n) if block.items is None else block.items
            kept = block.take(self.groups[items] == code)
            if kept.n:
                blocks.append(kept)
        # Notes that count items speak of the whole file.
        kept_notes = tuple(n for n in self.reading.notes if n.code not in _COUNTING)
        part = replace(
            self,
            blocks=tuple(blocks),
            group_names=(),
            groups=None,
            reading=replace(self.reading, notes=kept_notes),
        )
        return part.compact()

    def compact(self) -> Ratings:
        """Without raters who rated nothing, and without labels nobody used or declared."""
        if self.crowd is not None:
            return self
        used = np.zeros(len(self.categories), dtype=bool)
        present = np.zeros(len(self.raters), dtype=bool)
        for block in self.blocks:
            used |= (
                np.bincount(block.labels.ravel().astype(np.intp) + 1, minlength=len(used) + 1)[1:]
                > 0
            )
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
            categories = categories.take(np.flatnonzero(used))
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

    def to_counts(self) -> Counts:
        """Items × categories; who gave which rating is lost.

        Raises
        ------
        InputError
            If the ratings come from a table with decimal cells.

        Examples
        --------
        >>> import assay
        >>> counts = assay.read({"ana": ["x", "y"], "bo": ["x", "x"]}).to_counts()
        >>> counts.counts.tolist()
        [[2, 0], [1, 1]]
        >>> assay.read(counts).n_ratings
        4
        """
        from assay.ratings.convert import to_counts

        return to_counts(self)

    def to_rows(self) -> list[tuple[str, str, Label]]:
        """The long table: (item, rater, label), one rating each.

        Examples
        --------
        >>> import assay
        >>> assay.read({"ana": ["x", "y"], "bo": ["x", "x"]}).to_rows()[:2]
        [('1', 'ana', 'x'), ('1', 'bo', 'x')]
        """
        from assay.ratings.convert import to_rows

        return list(to_rows(self))

    def with_scale(self, scale: str | None, *, period: float | None = None) -> Ratings:
        """The same ratings on another scale; the period is kept unless another is given."""
        return replace(self, scale=scale, period=self.period if period is None else period)
