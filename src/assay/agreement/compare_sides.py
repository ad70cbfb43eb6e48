"""The two sides of a comparison: units with both sides' labels, and how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.agreement.additive import Tally
from assay.agreement.additive_units import distinct
from assay.ratings.categories import Floats, Ints
from assay.ratings.model import Block, Ratings
from assay.ratings.patterns import Patterns, patterns_of_columns
from assay.ratings.reductions import Reduced


class Fixed:
    """Units given as rows of labels; what a form is made from.

    Parameters
    ----------
    rows
        Shape (units, columns): label codes, −1 where there is none; a column a rater, or the
        labels in any order where raters are not known.
    times
        Shape (units,): items of each unit.
    like
        Ratings with the categories and the scale.
    raters
        The columns' names, or none.
    """

    def __init__(self, rows: Any, times: Ints, like: Ratings, raters: tuple[str, ...]) -> None:
        self.rows, self.times, self.raters = rows, times, raters
        self.q = len(like.categories)
        self.made = Reduced(
            replace(
                like,
                blocks=(Block(np.ascontiguousarray(rows.T), weights=times),),
                raters=raters,
                item_names=None,
                group_names=(),
                groups=None,
                clusters=None,
            )
        )

    @cached_property
    def patterns(self) -> Patterns:
        return patterns_of_columns(self.rows.T, self.times, self.q, 1)

    @cached_property
    def tally(self) -> Tally:
        return Tally.of(self.patterns)


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two sides with the same units.

    Attributes
    ----------
    left, right
        The sides, over the same items in the same order.
    times
        Shape (units,): items of each.
    like
        Ratings with the categories and the scale.
    members
        Shape (clusters, units), where clusters are drawn.
    column
        The clusters' column.
    """

    left: Fixed
    right: Fixed
    times: Ints
    like: Ratings
    members: Any = None
    column: str = ""

    @property
    def items(self) -> int:
        """Items on both sides."""
        return int(self.times.sum())

    @property
    def same_raters(self) -> bool:
        """Whether both sides have the same raters, so that their labels can be exchanged."""
        return self.left.raters == self.right.raters

    @property
    def drawn_times(self) -> Ints:
        """How many there are of what is drawn."""
        if self.members is None:
            return self.times
        return np.ones(self.members.shape[0], dtype=np.int64)

    @property
    def units(self) -> int:
        """How many items or clusters can be drawn."""
        return int(self.drawn_times.sum())

    @property
    def unit(self) -> str:
        """What is drawn, one of it."""
        return "item" if self.members is None else "cluster"

    @property
    def what(self) -> str:
        """What is drawn, in words."""
        if self.members is None:
            return "items"
        return f"{self.units:,} clusters ({self.column})"

    def spread(self, drawn: Floats) -> Floats:
        """Draws of clusters as draws of the items in them."""
        return drawn if self.members is None else np.asarray(drawn @ self.members)

    def turned(self) -> Pairing:
        """The same with the sides exchanged."""
        return replace(self, left=self.right, right=self.left)

    def stacked(self) -> Fixed:
        """The units of the left side, then those of the right."""
        width = max(self.left.rows.shape[1], self.right.rows.shape[1])
        rows = np.concatenate([_wide(side.rows, width) for side in (self.left, self.right)])
        names = self.left.raters if self.same_raters else ()
        return Fixed(rows, np.concatenate([self.times, self.times]), self.like, names)


def after(left: Any, right: Any) -> bool:
    """Whether one table comes after another, in an order that knows nothing of their names."""
    return bool((left.shape[1], left.tobytes()) > (right.shape[1], right.tobytes()))


def _wide(rows: Any, width: int) -> Any:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=-1)


def pairing_of(
    left: Any,
    right: Any,
    like: Ratings,
    raters: tuple[tuple[str, ...], tuple[str, ...]],
    clusters: tuple[str, Sequence[str]] | None = None,
) -> Pairing:
    """A pairing from two tables of rows over the same items.

    Parameters
    ----------
    left, right
        Shape (items, columns): label codes, −1 where there is none.
    like
        Ratings with the categories and the scale.
    raters
        The names of the columns of either side.
    clusters
        The column of clusters and each item's cluster.
    """
    n, cut = len(left), left.shape[1]
    both = np.concatenate([left.astype(np.int64), right.astype(np.int64)], axis=1)
    members, column = None, ""
    if clusters is None:
        # The columns' order decides that of the units, and must not depend on the sides' names.
        turned = after(both[:, :cut], both[:, cut:])
        order = np.arange(both.shape[1])
        order = np.concatenate([order[cut:], order[:cut]]) if turned else order
        rows, times = distinct(both[:, order], np.ones(n, np.int64), len(like.categories))
        rows = rows[:, np.argsort(order)]
    else:
        from scipy.sparse import coo_array

        column, names = clusters
        known = sorted(set(names))
        place = {name: k for k, name in enumerate(known)}
        at = [place[name] for name in names]
        members = coo_array((np.ones(n), (at, np.arange(n))), (len(known), n)).tocsr()
        rows, times = both, np.ones(n, np.int64)
    sides = (
        Fixed(rows[:, :cut], times, like, raters[0]),
        Fixed(rows[:, cut:], times, like, raters[1]),
    )
    return Pairing(*sides, times, like, members, column)
