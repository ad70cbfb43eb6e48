"""A two-rater coefficient for every pair of raters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from assay.agreement.bangdiwala import bangdiwala
from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.correlation import pair_correlation
from assay.agreement.inputs import Data, Options, need_numbers, need_raters, reduced
from assay.agreement.weights import Weights, check_order, make_weights
from assay.errors import one_of
from assay.estimate import Estimate

_COMPUTE: dict[str, Callable[[Cells, Weights], Estimate]] = {
    "cohen_kappa": cohen,
    "bangdiwala_b": lambda cells, weights: bangdiwala(cells),
    "spearman": lambda cells, weights: pair_correlation(cells, "spearman"),
    "kendall_tau": lambda cells, weights: pair_correlation(cells, "kendall_tau"),
    "pearson": lambda cells, weights: pair_correlation(cells, "pearson"),
    "lin_ccc": lambda cells, weights: pair_correlation(cells, "lin_ccc"),
}


def pairwise(
    data: Data = None,
    other: Data = None,
    *,
    coefficient: str = "cohen_kappa",
    weights: Any = "identity",
    **options: Unpack[Options],
) -> dict[tuple[str, str], Estimate]:
    """One coefficient for every pair of raters that share an item.

    Parameters
    ----------
    data, other
        Ratings with a rater for each.
    coefficient
        "cohen_kappa", "bangdiwala_b", "spearman", "kendall_tau", "pearson" or "lin_ccc".
    weights
        For kappa; see :func:`assay.make_weights`.
    **options
        ``categories=``, ``order=``: see :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    dict
        From the two raters' names to the estimate.

    Examples
    --------
    >>> ratings = {"x": ["a", "b", "b"], "y": ["a", "b", "a"], "z": ["a", "b", "b"]}
    >>> {" ".join(pair): str(e.exact) for pair, e in pairwise(ratings).items()}
    {'x y': '2/5', 'x z': '1', 'y z': '2/5'}
    """
    one_of(coefficient, _COMPUTE, "coefficient")
    made = reduced(data, other, **options)
    need_raters(made, "pairwise")
    if coefficient in ("spearman", "kendall_tau"):
        check_order(made.categories, "ranks")
    if coefficient in ("pearson", "lin_ccc"):
        need_numbers(made.categories, coefficient)
    w = make_weights(weights, made.categories)
    out = {}
    for index in range(len(made.pairs)):
        cells = Cells.of_pair(made.pairs, index, made)
        out[cells.raters] = _COMPUTE[coefficient](cells, w)
    return out
