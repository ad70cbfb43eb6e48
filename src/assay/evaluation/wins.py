"""How often one system is rated above another: wins, ties and losses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.evaluation.table import Dimension
from assay.evaluation.unit import rounded, unit_of
from assay.ratings.categories import Floats, Ints


@dataclass(frozen=True, slots=True)
class Wins:
    """Wins, ties and losses of the first system, and its win rate by each convention for ties.

    Attributes
    ----------
    basis
        "ratings": each rater's two ratings of an item; "items": the two means of an item.
    """

    basis: str
    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        """How many comparisons."""
        return self.wins + self.ties + self.losses

    @property
    def ties_excluded(self) -> float | None:
        """The share of wins among wins and losses."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None

    @property
    def ties_half(self) -> float | None:
        """Wins and half of the ties over all."""
        return (self.wins + self.ties / 2) / self.n if self.n else None

    @property
    def ties_lost(self) -> float | None:
        """Wins over all: a tie counts as no win."""
        return self.wins / self.n if self.n else None


def sides(made: Dimension) -> dict[str, Floats]:
    """What is compared: shape (places, systems) a basis, NaN where a place has no value.

    A place is a rater's item for "ratings" (absent where raters are unknown), an item for "items".
    """
    values = made.values
    if values is None:
        return {}
    width = len(made.system_names)
    units = made.units
    out = {}
    if made.raters is not None:
        place = made.items.astype(np.int64) * len(made.rater_names) + made.raters
        out["ratings"] = _table(place, made.systems, values, width)
    out["items"] = _table(units.items, units.systems, units.means(values), width)
    return out


def _table(places: Ints, systems: Ints, values: Floats, width: int) -> Floats:
    _, rows = np.unique(places, return_inverse=True)
    rows = rows.reshape(-1)
    table = np.full((int(rows.max(initial=-1)) + 1, width), np.nan)
    table[rows, systems] = values
    return table


def wins(basis: str, table: Floats, a: int, b: int, *, higher: bool = True) -> Wins:
    """Of system ``a`` over ``b``; with ``higher`` False the lower value wins.

    >>> wins("items", np.array([[2.0, 1.0], [1.0, 1.0], [1.0, np.nan]]), 0, 1)
    Wins(basis='items', wins=1, ties=1, losses=0)
    """
    gap = table[:, a] - table[:, b]
    # In the unit of the ratings: means that differ in the last bit are ties.
    gap = rounded(gap[~np.isnan(gap)], 9, unit_of(table)) * (1.0 if higher else -1.0)
    above, below = int(np.count_nonzero(gap > 0)), int(np.count_nonzero(gap < 0))
    return Wins(basis, above, len(gap) - above - below, below)
