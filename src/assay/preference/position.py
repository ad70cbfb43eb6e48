"""Whether the side decides: left wins among decided comparisons, and pairs asked both ways."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from assay.estimate import Undefined
from assay.preference.counts import PairCounts
from assay.preference.model import LEFT, RIGHT, TIE, Comparisons, Ints
from assay.preference.shares import Result, Share
from assay.preference.sign import binomial_p

TEST = "exact two-sided binomial test of the share 1/2"
NOT_BOTH = Undefined(
    "no_both_orders", "no two systems were compared in both orders by one rater on one item"
)


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Left and right wins of all comparisons, with the test that both are as frequent.

    ``left`` counts left's wins, ties and losses. In a design that does not balance the sides,
    a better system may simply stand on the left more often; :attr:`balanced` asks the same of
    the pairs that were shown in both orders, each order with the same weight.
    """

    left: Result
    p_value: float | None
    balanced: float | None
    pairs_in_both_orders: int

    def share(self, level: float = 0.95) -> Share:
        """Left wins among decided comparisons."""
        return self.left.share("ties_excluded", level)


def position_bias(counts: PairCounts) -> PositionBias:
    """Position bias of counts.

    >>> from assay.preference.read import read_comparisons
    >>> both = [("a", "b", "left"), ("b", "a", "left"), ("a", "b", "left"), ("b", "a", "tie")]
    >>> found = position_bias(PairCounts.of(read_comparisons(both)))
    >>> found.left.wins, found.left.losses, found.p_value, found.balanced
    (3, 0, 0.25, 1.0)
    """
    left = int(counts.a_left[:, 0].sum() + counts.b_left[:, 2].sum())
    right = int(counts.a_left[:, 2].sum() + counts.b_left[:, 0].sum())
    ties = int(counts.table[:, 1].sum())
    p = binomial_p(np.array([left]), np.array([left + right]))[0]
    both = (counts.a_left[:, [0, 2]].sum(1) > 0) & (counts.b_left[:, [0, 2]].sum(1) > 0)
    return PositionBias(
        Result(left, ties, right),
        None if np.isnan(p) else float(p),
        _balanced(counts, np.flatnonzero(both)),
        int(np.count_nonzero(both)),
    )


def _balanced(counts: PairCounts, rows: Ints) -> float | None:
    """The mean share of left wins of a pair's two orders, weighted by its decided comparisons."""
    if not len(rows):
        return None
    first, second = counts.a_left[rows], counts.b_left[rows]
    one, two = first[:, 0] + first[:, 2], second[:, 0] + second[:, 2]
    shares = (first[:, 0] / one + second[:, 2] / two) / 2.0
    return float((shares * (one + two)).sum() / (one + two).sum())


@dataclass(frozen=True, slots=True)
class BothOrders:
    """What came of asking the same rater about the same pair in both orders.

    Attributes
    ----------
    both, one
        Questions (rater, item, pair) that were asked in both orders, and in one only.
    consistent
        Of ``both``: the same outcome in both orders.
    flips_to_left, flips_to_right
        The two systems changed places and the winner too: the side won both times.
    to_tie
        A winner in one order, a tie in the other.
    agreed
        Outcomes by the rule that different answers are a tie, from the pair's first system.
    pairs
        The same for each pair of systems by number.
    left, decided
        Over these questions: decided comparisons, and those that left won.
    undefined
        Why there is nothing to say.
    """

    both: int
    one: int
    consistent: int
    flips_to_left: int
    flips_to_right: int
    to_tie: int
    left: int
    decided: int
    pairs: dict[tuple[int, int], Result]
    undefined: Undefined | None = None

    @property
    def consistency(self) -> Fraction | None:
        return Fraction(self.consistent, self.both) if self.both else None


def both_orders(comparisons: Comparisons) -> BothOrders:
    """Pairs asked in both orders: how often the answer stays.

    A question is an item with two systems, and a rater where raters are known. Where it was
    asked more than once in an order, the first time counts.

    >>> from assay.preference.read import read_comparisons
    >>> rows = [("a", "b", "left", 1), ("b", "a", "right", 1), ("a", "b", "left", 2),
    ...         ("b", "a", "left", 2)]
    >>> columns = ("left", "right", "winner", "item")
    >>> found = both_orders(read_comparisons([dict(zip(columns, row)) for row in rows]))
    >>> found.both, found.consistent, found.flips_to_left, str(found.consistency)
    (2, 1, 1, '1/2')
    """
    if comparisons.item is None:
        why = Undefined("no_items", "no column names the items, so no question occurs twice")
        return BothOrders(0, 0, 0, 0, 0, 0, 0, 0, {}, why)
    k = len(comparisons.systems)
    swapped = comparisons.left > comparisons.right
    question = question_of(comparisons)
    key = question * 2 + swapped
    _, first = np.unique(key, return_index=True)
    first = first[np.argsort(key[first], kind="stable")]
    asked = question[first]
    twice = np.flatnonzero(asked[1:] == asked[:-1])
    # Sorted by question, then by order: the first has the smaller system on the left.
    one, two = first[twice], first[twice + 1]
    if not len(twice):
        return BothOrders(0, len(np.unique(question)), 0, 0, 0, 0, 0, 0, {}, NOT_BOTH)
    x, y = comparisons.outcome[one], comparisons.outcome[two]
    same = x == -y
    to_left, to_right = (x == LEFT) & (y == LEFT), (x == RIGHT) & (y == RIGHT)
    verdict = np.where(same, x, TIE)
    pair = comparisons.pair[one]
    results = {}
    for code in np.unique(pair):
        mine = verdict[pair == code]
        results[int(code) // k, int(code) % k] = Result(
            *(int(np.count_nonzero(mine == o)) for o in (LEFT, TIE, RIGHT))
        )
    sides = np.concatenate((x, y))
    return BothOrders(
        len(twice),
        len(np.unique(question)) - len(twice),
        int(same.sum()),
        int(to_left.sum()),
        int(to_right.sum()),
        int(len(twice) - same.sum() - to_left.sum() - to_right.sum()),
        int(np.count_nonzero(sides == LEFT)),
        int(np.count_nonzero(sides != TIE)),
        results,
    )


def question_of(comparisons: Comparisons) -> Ints:
    """Shape (comparisons,): a number for the item, the two systems and, if known, the rater."""
    k = len(comparisons.systems)
    if comparisons.item is None:
        raise ValueError("a question needs an item")
    unit = comparisons.item.codes * (k * k) + comparisons.pair
    if comparisons.rater is not None:
        _, unit = np.unique(unit, return_inverse=True)
        unit = unit.reshape(-1).astype(np.int64) * comparisons.rater.size + comparisons.rater.codes
    return np.asarray(unit)
