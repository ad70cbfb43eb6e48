"""Raters of comparisons: their answers as labels, for the coefficients of agreement.

A unit is an item with two systems, in whichever order they were shown. Its labels are "first",
"tie" and "second"; first is the system that stood on the left more often in that unit, and of
two that did equally often, the one whose name comes first. Where all raters saw one order, the
labels are those that they gave.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from assay.agreement.krippendorff import krippendorff_alpha
from assay.estimate import Estimate, Undefined
from assay.preference.model import Comparisons, Ints
from assay.preference.position import question_of
from assay.ratings.build import dense_block, is_dense, small_type, sparse_blocks
from assay.ratings.categories import Categories
from assay.ratings.model import Block, Ratings, Reading
from assay.ratings.tables import Counts

LABELS = ("first", "tie", "second")
UNIT = (
    "an item with two systems in either order; labels first, tie, second, where first stood on "
    "the left more often"
)


def why_no_agreement(comparisons: Comparisons) -> Undefined | None:
    """Why raters cannot be compared, or None if they can."""
    if comparisons.item is None:
        return Undefined(
            "no_items", "no column names the items, so it is not known who judged the same"
        )
    if comparisons.rater is None:
        return Undefined("no_raters", "no column names the raters")
    if comparisons.rater.size < 2:
        return Undefined("one_rater", "one rater only; agreement needs two or more")
    return None


def labels_of(comparisons: Comparisons) -> tuple[Ints, Ints, int]:
    """Each comparison's unit and label (0 first, 1 tie, 2 second), and the number of units."""
    if comparisons.item is None:
        raise ValueError("units need items")
    k = len(comparisons.systems)
    key = comparisons.item.codes * (k * k) + comparisons.pair
    units, unit = np.unique(key, return_inverse=True)
    unit = unit.reshape(-1).astype(np.int64)
    swapped = comparisons.left > comparisons.right
    turned = np.bincount(unit, np.where(swapped, 1, -1), len(units)) > 0
    as_shown = swapped == turned[unit]
    label = 1 - np.where(as_shown, 1, -1) * comparisons.outcome.astype(np.int64)
    return unit, label, len(units)


def ratings_of(comparisons: Comparisons) -> Ratings:
    """The comparisons as ratings; of a rater's repeats of a unit the first in the source.

    >>> from assay.preference.read import read_comparisons
    >>> rows = [("x", "y", "left", 1, "ana"), ("y", "x", "right", 1, "bo")]
    >>> columns = ("left", "right", "winner", "item", "rater")
    >>> made = ratings_of(read_comparisons([dict(zip(columns, row)) for row in rows]))
    >>> made.n_items, [label for _, _, label in made.to_rows()]
    (1, ['first', 'first'])
    """
    if comparisons.rater is None or comparisons.item is None:
        raise ValueError("ratings need items and raters")
    unit, label, size = labels_of(comparisons)
    raters = comparisons.rater.size
    _, first = np.unique(unit * raters + comparisons.rater.codes, return_index=True)
    unit, who, label = unit[first], comparisons.rater.codes[first], label[first]
    label = label.astype(small_type(len(LABELS)))
    blocks: tuple[Block, ...]
    if is_dense(raters, size, len(label)):
        blocks = (dense_block(unit, who, label, size, raters)[0],)
    else:
        blocks = sparse_blocks(unit, who, label, size, raters)[0]
    made = Ratings(
        blocks,
        Categories(LABELS, texts=LABELS),
        tuple(comparisons.rater.names),
        "nominal",
        reading=Reading(comparisons.source, "long"),
    )
    return made.compact()


@dataclass(frozen=True, slots=True)
class Repeats:
    """What raters said who met the same two systems on the same item again.

    Attributes
    ----------
    questions
        How many (rater, item, pair) were answered twice or more.
    equal
        Those whose answers are all equal.
    swapped
        Those that were asked in both orders.
    alpha
        Krippendorff's nominal alpha, with a question for a unit and its answers for ratings.
    """

    questions: int
    equal: int
    swapped: int
    alpha: Estimate | None
    undefined: Undefined | None = None

    @property
    def share(self) -> Fraction | None:
        return Fraction(self.equal, self.questions) if self.questions else None


def repeats(comparisons: Comparisons) -> Repeats:
    """Agreement of raters with themselves, from questions that they met again."""
    if comparisons.item is None or comparisons.rater is None:
        what = "items" if comparisons.item is None else "raters"
        why = Undefined(f"no_{what}", f"no column names the {what}")
        return Repeats(0, 0, 0, None, why)
    _, label, _ = labels_of(comparisons)
    questions, place = np.unique(question_of(comparisons), return_inverse=True)
    place = place.reshape(-1)
    table = np.bincount(place * 3 + label, minlength=3 * len(questions)).reshape(-1, 3)
    swapped = comparisons.left > comparisons.right
    turned = np.bincount(place, swapped, len(questions))
    asked = table.sum(axis=1)
    again = asked > 1
    if not again.any():
        why = Undefined("no_repeats", "no rater met the same two systems on the same item again")
        return Repeats(0, 0, 0, None, why)
    alpha = krippendorff_alpha(counts=Counts(table[again], categories=list(LABELS)))
    mixed = (turned > 0) & (turned < asked)
    return Repeats(
        int(again.sum()),
        int(np.count_nonzero(table[again].max(axis=1) == asked[again])),
        int(np.count_nonzero(mixed)),
        alpha,
    )
