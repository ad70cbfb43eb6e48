"""Comparisons as coded arrays: which two systems, on which side, and who won.

A comparison is (left, right, winner), with the rater and the item where they are known. All
that follows is a function of small tables of counts (:mod:`assay.preference.counts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.preference.notes import notes_of_group
from assay.ratings.model import Note

Ints = npt.NDArray[np.int64]

LEFT, TIE, RIGHT = 1, 0, -1
"""The outcomes of a comparison."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A column of raters or items: codes from 0, and their names, fetched when needed."""

    codes: Ints
    size: int
    fetch: Callable[[], Sequence[str]]

    @property
    def names(self) -> Sequence[str]:
        return self.fetch()

    def take(self, rows: npt.NDArray[np.bool_]) -> Named:
        """The column at some rows, with the names that occur there."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return Named(codes.reshape(-1), len(used), lambda: [self.names[k] for k in used])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparisons:
    """Comparisons of two systems each: what :func:`assay.prefer` reads.

    Attributes
    ----------
    systems
        The systems' names, sorted.
    left, right
        Shape (comparisons,): the systems' codes; never equal.
    outcome
        Shape (comparisons,): 1 where left won, −1 where right won, 0 for a tie.
    rater, item
        Who compared, and what the systems were compared on; None where nobody said.
    source, notes
        Where they come from, and what was found, chosen and left out.
    group_names, groups
        The groups' names, and each comparison's group, where they were read with ``by``.
    repeats
        Shape (comparisons,): whether it only repeats an earlier one of the same rater; None
        where that cannot be told.

    Examples
    --------
    >>> from assay.preference.read import read_comparisons
    >>> read_comparisons([("new", "old", "left"), ("old", "new", "tie")])
    Comparisons(2 comparisons of 2 systems; 1 tie)
    """

    systems: tuple[str, ...]
    left: Ints
    right: Ints
    outcome: npt.NDArray[np.int8]
    rater: Named | None = None
    item: Named | None = None
    source: str = "memory"
    notes: tuple[Note, ...] = ()
    group_names: tuple[str, ...] = ()
    groups: Ints | None = field(default=None)
    repeats: npt.NDArray[np.bool_] | None = None

    def __repr__(self) -> str:
        ties = int(np.count_nonzero(self.outcome == TIE))
        return (
            f"Comparisons({self.n:,} comparison{'s' * (self.n != 1)} of {len(self.systems):,} "
            f"systems; {ties:,} tie{'s' * (ties != 1)})"
        )

    @property
    def n(self) -> int:
        """How many comparisons there are."""
        return len(self.left)

    @property
    def pair(self) -> Ints:
        """The unordered pair of each comparison, as one number."""
        low, high = np.minimum(self.left, self.right), np.maximum(self.left, self.right)
        return low * len(self.systems) + high

    def take(self, rows: npt.NDArray[np.bool_]) -> Comparisons:
        """Some of the comparisons, with the systems, raters and items that occur in them."""
        k = len(self.systems)
        both = np.concatenate((self.left[rows], self.right[rows]))
        used, codes = np.unique(both, return_inverse=True)
        codes = codes.reshape(-1)
        half = len(both) // 2
        whole = len(used) == k
        return replace(
            self,
            systems=self.systems if whole else tuple(self.systems[s] for s in used),
            left=codes[:half],
            right=codes[half:],
            outcome=self.outcome[rows],
            rater=None if self.rater is None else self.rater.take(rows),
            item=None if self.item is None else self.item.take(rows),
            group_names=(),
            groups=None,
            repeats=None if self.repeats is None else self.repeats[rows],
        )

    def firsts(self) -> Comparisons:
        """The comparisons that count: without repeats."""
        if self.repeats is None or not self.repeats.any():
            return self
        return self.take(~self.repeats)

    def group(self, name: str) -> Comparisons:
        """The comparisons of one group (a dimension or a subgroup)."""
        if self.groups is None or name not in self.group_names:
            raise InputError(
                f"group {name!r} is not among {', '.join(self.group_names) or 'none'}; "
                "read the comparisons with by=COLUMN."
            )
        made = self.take(self.groups == self.group_names.index(name))
        again = 0 if made.repeats is None else int(np.count_nonzero(made.repeats))
        return replace(made, notes=notes_of_group(made.notes, again))
