"""Light's kappa: the mean of Cohen's kappa over all pairs of raters.

The error is the linearised one: each pair's kappa moves with an item as in Fleiss, Cohen and
Everitt (1969), and an item's moves are averaged over the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any, Unpack

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen, parts
from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.agreement.pool import LINEARISED, count_of, error_or_reason, plural
from assay.agreement.weights import Weights, make_weights
from assay.errors import DesignError
from assay.estimate import Estimate, NoError, Uncertainty, Undefined, undefined
from assay.ratings.reductions import Reduced

REFERENCE = "Light (1971), Psychological Bulletin 76(5), 365-377"
EXACT_PAIRS = 2_000
ERROR_PAIRS = 5_000
"""The most pairs whose mean is kept exact, and whose error is computed."""
WORK = 200_000_000
"""The most cell look-ups done for the error."""


def light_kappa(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """The mean of the pairwise Cohen's kappas of all raters.

    Undefined, with the pair named, if one of them is. :func:`assay.pairwise` gives each pair's.

    Parameters
    ----------
    data, other
        Ratings with a rater for each; or two parallel sequences.
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Raises
    ------
    DesignError
        If it is not known who gave which rating.

    Examples
    --------
    >>> ratings = {"x": ["a", "b", "b"], "y": ["a", "b", "a"], "z": ["a", "b", "b"]}
    >>> light_kappa(ratings).exact
    Fraction(3, 5)
    """
    made = reduced(data, other, **options)
    need_raters(made, "light_kappa")
    return light(made, make_weights(weights, made.categories))


def light(made: Reduced, weights: Weights) -> Estimate:
    """Light's kappa from the pair tables."""
    pairs = made.pairs
    if len(made.raters) < 2:
        raise DesignError("light_kappa needs two raters or more.")
    if len(pairs) > 0 and pairs.totals.size and weights.identity:
        kappas: list[Fraction | None] = [k.kappa for k in pair_kappas(made)]
        values: list[Any] = list(kappas)
    else:
        values = [parts(Cells.of_pair(pairs, i, made), weights).kappa for i in range(len(pairs))]
    return _combine(made, weights, values)


@dataclass(frozen=True, slots=True)
class PairKappa:
    """One pair's exact agreement, chance agreement and kappa (None where chance is 1)."""

    total: int
    agree: int
    chance: int

    @property
    def kappa(self) -> Fraction | None:
        bottom = self.total * self.total - self.chance
        return Fraction(self.total * self.agree - self.chance, bottom) if bottom else None


def pair_kappas(made: Reduced) -> list[PairKappa]:
    """Unweighted kappa of every pair that shares items, in whole numbers, all at once."""
    pairs = made.pairs
    rows, columns = pairs.marginals()
    big = int(pairs.totals.max(initial=0)) > 3_000_000_000
    if big:
        chance = [
            sum(r * c for r, c in zip(x, y, strict=True))
            for x, y in zip(rows.tolist(), columns.tolist(), strict=True)
        ]
    else:
        chance = (rows * columns).sum(axis=1).tolist()
    agree = pairs.sum(np.where(pairs.a == pairs.b, pairs.n, 0)).tolist()
    totals = pairs.totals.tolist()
    return [PairKappa(n, a, c) for n, a, c in zip(totals, agree, chance, strict=True)]


def _combine(made: Reduced, weights: Weights, values: list[Any]) -> Estimate:
    name = "light_kappa"
    full = f"Light's kappa, mean of pairwise Cohen's kappas, {weights.describe()}"
    raters = len(made.raters)
    wanted = raters * (raters - 1) // 2
    items = made.items()
    rest: dict[str, Any] = {
        "items": count_of(items),
        "raters": raters,
        "ratings": count_of(made.n_ratings),
        "reference": REFERENCE,
        "convention": f"{plural(wanted, 'pair')}, each on the items that both rated",
    }
    if not rest["ratings"]:
        return undefined(name, full, "no_ratings", "there are no ratings", **rest)
    if len(values) < wanted:
        a, b = _missing_pair(made)
        reason = f"'{a}' and '{b}' rated no item in common, so their kappa does not exist"
        return undefined(name, full, "no_shared_items", reason, **rest)
    for index, value in enumerate(values):
        if value is None:
            cells = Cells.of_pair(made.pairs, index, made)
            why = cohen(cells, weights).undefined
            a, b = cells.raters
            return undefined(
                name, full, why.code if why else "one_label_used",
                f"the kappa of '{a}' and '{b}' is not defined: {why}", **rest,
            )  # fmt: skip
    # The common denominator of thousands of kappas would have thousands of digits.
    exact: Any = None
    if len(values) <= EXACT_PAIRS:
        exact = sum(values[1:], values[0]) / len(values)
    number = fsum(map(float, values)) / len(values) if exact is None else float(exact)
    return Estimate(
        name,
        full,
        number,
        exact=exact if isinstance(exact, Fraction) else None,
        uncertainty=_uncertainty(made, weights, number),
        **rest,
    )


def _missing_pair(made: Reduced) -> tuple[str, str]:
    found = {tuple(pair) for pair in made.pairs.raters.tolist()}
    for g in range(len(made.raters)):
        for h in range(g + 1, len(made.raters)):
            if (g, h) not in found:
                return made.raters[g], made.raters[h]
    raise AssertionError("every pair shares items")


def _uncertainty(made: Reduced, weights: Weights, value: float) -> Uncertainty:
    n = float(made.items())
    pairs = made.pairs
    if n <= 1:
        return NoError(Undefined("single_item", "there is one item only"))
    work = len(pairs) * sum(block.n for block in made.blocks)
    if (
        made.crowd is not None
        or len(pairs) > ERROR_PAIRS
        or work > WORK
        or any(block.raters is not None for block in made.blocks)
        or made.q > 200
    ):
        return NoError(
            Undefined(
                "no_error",
                f"the linearised error over {len(pairs)} pairs is not computed for this design",
            )
        )
    moves = [_moves(Cells.of_pair(pairs, i, made), weights, n) for i in range(len(pairs))]
    total = 0.0
    for block in made.blocks:
        item = np.zeros(block.n)
        for (g, h), move in zip(pairs.raters.tolist(), moves, strict=True):
            item += move[block.labels[g], block.labels[h]]
        times = np.ones(block.n) if block.weights is None else block.weights / made.denominator
        total += float((times * (item / len(pairs)) ** 2).sum())
    error = float(np.sqrt(total / (n * (n - 1.0))))
    if error < 1e-12 and value == 1.0:
        return NoError(Undefined("degenerate_error", "every pair of raters agrees throughout"))
    return error_or_reason(value, error, LINEARISED, df=n - 1.0)


def _moves(cells: Cells, weights: Weights, n: float) -> Any:
    """Shape (q + 1, q + 1): how an item with labels (a, b) moves kappa; 0 where one is missing."""
    q = cells.q
    got = parts(cells, weights)
    po, pe = float(got.observed), float(got.expected)
    p, r = cells.rows / cells.total, cells.columns / cells.total
    w = np.eye(q) if weights.identity else weights.matrix
    inner = w * (1.0 - pe) - ((w @ r)[:, None] + (w @ p)[None, :]) * (1.0 - po)
    out = np.zeros((q + 1, q + 1))
    out[:-1, :-1] = (inner - (po * pe - 2.0 * pe + po)) / (1.0 - pe) ** 2
    return out * (n / float(cells.items))
