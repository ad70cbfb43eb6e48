"""Scott's pi: two raters, chance from the pooled marginals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from assay.agreement.fleiss import fleiss
from assay.agreement.inputs import Data, Options, pool_of
from assay.agreement.pool import Pool
from assay.estimate import Estimate

REFERENCE = "Scott (1955), Public Opinion Quarterly 19(3), 321-325"
NAME = "scott_pi"


def scott_pi(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """Scott's pi of two raters, on the items that both rated.

    p_e = Σ p_j² with p_j the share of label j among the ratings of both raters together.

    Parameters
    ----------
    data, other
        Ratings of two raters or a table; or two parallel sequences of labels.
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Examples
    --------
    >>> scott_pi(["a", "b"], ["b", "a"]).value
    -1.0
    """
    return scott(pool_of(data, other, weights=weights, two_raters=NAME, **options))


def scott(pool: Pool) -> Estimate:
    """Scott's pi of a pool of two raters."""
    both = Pool(pool.patterns.pairable(), pool.weights, pool.categories)
    estimate = fleiss(both, "gwet")
    full = f"Scott's pi, pooled marginals on shared items, {pool.weights.describe()}"
    return replace(
        estimate.named(NAME, full), convention="items that both raters rated", reference=REFERENCE,
        raters=2, other_tests=(),
    )  # fmt: skip
