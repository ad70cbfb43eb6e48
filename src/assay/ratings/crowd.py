"""What is kept of raters and items where ratings are reduced as they are read.

Ratings of any number end as patterns (:mod:`assay.ratings.patterns`). Who gave which rating is
kept for few raters as rows, and else as each rater's counts and the tables of pairs of raters;
of the items, the names of a few of each pattern, and of clusters, how many items of each pattern
they have.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from assay.ratings.categories import Ints
from assay.ratings.pairs import PairTables

ROWS_NOT_KEPT = (
    "it rests on who gave which rating of every item, and of so many ratings by so many raters "
    "only counts and the tables of pairs are kept; choose a few raters with raters="
)

Multiset = tuple[int, ...]
"""The label codes of an item, sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Raters of whom counts and tables are kept, and not who gave which rating of an item.

    Attributes
    ----------
    counts
        Shape (raters, q): each rater's label counts.
    pairs
        The tables of all pairs of raters that share items; None where they were left out.
    no_pairs
        Why they were.
    """

    counts: Ints
    pairs: PairTables | None
    no_pairs: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """How many items of each cluster are in each column of the blocks.

    Attributes
    ----------
    clusters, columns, times
        Shape (entries,): a cluster's code, a column's number as in
        :attr:`~assay.ratings.model.Block.items`, and how many items.
    """

    clusters: Ints
    columns: Ints
    times: Ints


@dataclass(frozen=True, slots=True, order=True)
class Example:
    """An item by name, with who gave it which label."""

    item: str
    ratings: tuple[tuple[str, int], ...]


class Examples(Protocol):
    """Names of items, by what they were given."""

    def of(self, patterns: Iterable[Multiset], most: int) -> list[Example]:
        """The first ``most`` items, by name, that were given one of these multisets."""
