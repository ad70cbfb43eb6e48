"""Spearman's ρ, Pearson's r, Kendall's τ-b and Lin's concordance, for two raters or over pairs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

from assay.agreement.cells import Cells
from assay.agreement.correlation_error import correlation_error
from assay.agreement.correlation_values import pair_value
from assay.agreement.inputs import Data, Options, need_numbers, need_raters, reduced
from assay.agreement.pool import count_of, plural
from assay.agreement.weights import check_order
from assay.estimate import Estimate, NoError, Undefined, undefined
from assay.ratings.reductions import Reduced

REFERENCES = {
    "spearman": "Spearman (1904), American Journal of Psychology 15(1), 72-101",
    "pearson": "Pearson (1895), Proceedings of the Royal Society of London 58, 240-242",
    "kendall_tau": "Kendall (1945), Biometrika 33(3), 239-251",
    "lin_ccc": "Lin (1989), Biometrics 45(1), 255-268",
}
FULL = {
    "spearman": "Spearman's rho on mid-ranks",
    "pearson": "Pearson's r",
    "kendall_tau": "Kendall's tau-b",
    "lin_ccc": "Lin's concordance correlation, variances over n",
}


def spearman(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Spearman's rank correlation, the mean over pairs for more than two raters.

    Parameters
    ----------
    data, other
        Two parallel sequences; or ratings with an order of labels.
    **options
        ``order=``, ``categories=``: see :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        For two raters with a Bonett-Wright interval; :func:`assay.pairwise` gives each pair's.

    Raises
    ------
    LabelError
        If labels have no order.

    Examples
    --------
    >>> spearman([5, 4, 4, 4, 4], [2, 3, 3, 3, 3]).value
    -1.0
    """
    return _public("spearman", data, other, options)


def pearson(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Pearson's correlation of numeric ratings, the mean over pairs for more than two raters.

    Examples
    --------
    >>> pearson([1, 2, 3], [2, 4, 6]).value
    1.0
    """
    return _public("pearson", data, other, options)


def kendall_tau(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Kendall's τ-b, which takes ties into account; the mean over pairs for more raters.

    Examples
    --------
    >>> round(kendall_tau([9, 3, 2, 9, 3], [2, 5, 8, 2, 1]).value, 4)
    -0.4714
    """
    return _public("kendall_tau", data, other, options)


def lin_ccc(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Lin's concordance: how close pairs of numeric ratings lie to the line of equality.

    Variances are over n, as Lin defined them.

    Examples
    --------
    >>> lin_ccc([1, 2, 3], [2, 3, 4]).exact
    Fraction(4, 7)
    """
    return _public("lin_ccc", data, other, options)


def _public(name: str, data: Data, other: Data, options: Options) -> Estimate:
    made = reduced(data, other, **options)
    need_raters(made, name)
    if name in ("spearman", "kendall_tau"):
        check_order(made.categories, "ranks")
    else:
        need_numbers(made.categories, FULL[name])
    return correlation(made, name)


def correlation(made: Reduced, name: str) -> Estimate:
    """One of the four, for two raters or as the mean over pairs."""
    raters = len(made.raters)
    full, reference = FULL[name], REFERENCES[name]
    if raters == 2:
        return pair_correlation(Cells.of_two(made, name), name)
    full = f"{full}, mean over pairs of raters"
    wanted = raters * (raters - 1) // 2
    rest: dict[str, Any] = {
        "items": count_of(made.items()),
        "raters": raters,
        "ratings": count_of(made.n_ratings),
        "reference": reference,
        "convention": f"{plural(wanted, 'pair')}, each on the items that both rated",
    }
    if not made.sizes:
        return undefined(name, full, "no_ratings", "there are no ratings", **rest)
    if raters < 2:
        return undefined(
            name, full, "no_shared_items", "two raters are needed, and there is one", **rest
        )
    if len(made.pairs) < wanted:
        reason = f"{wanted - len(made.pairs)} of {wanted} pairs of raters share no item"
        return undefined(name, full, "no_shared_items", reason, **rest)
    found = []
    for index in range(wanted):
        cells = Cells.of_pair(made.pairs, index, made)
        one = pair_value(cells, name)
        if isinstance(one, Undefined):
            a, b = cells.raters
            reason = f"the value of '{a}' and '{b}' is not defined: {one}"
            return undefined(name, full, one.code, reason, **rest)
        found.append(float(one))
    why = Undefined("no_error", "no analytic error is known for a mean over pairs of raters")
    value = sum(found) / wanted
    return Estimate(name, full, value, uncertainty=NoError(why), **rest)


def pair_correlation(cells: Cells, name: str) -> Estimate:
    """The estimate for one pair of raters, with interval and test."""
    rest: dict[str, Any] = {
        "items": count_of(cells.items),
        "raters": 2,
        "ratings": count_of(2 * cells.items),
        "reference": REFERENCES[name],
        "convention": "items that both raters rated",
    }
    got = pair_value(cells, name)
    if isinstance(got, Undefined):
        return Estimate(name, FULL[name], None, got, **rest)
    value = float(got)
    exact = got if isinstance(got, Fraction) else None
    uncertainty = correlation_error(cells, name, value)
    return Estimate(name, FULL[name], value, exact=exact, uncertainty=uncertainty, **rest)
