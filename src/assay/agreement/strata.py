"""One coefficient in several groups: is it the same in all, and what is it over all.

With κ_g and its standard error s_g in group g and weights w_g = 1/s_g², the pooled value is
Σ w_g κ_g / Σ w_g with error 1/√Σ w_g, and Σ w_g (κ_g − pooled)² is χ² with one degree of freedom
less than there are groups, if all groups have one value.

References
----------
Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley, section 13.1.
Donner, A., Eliasziw, M. and Klar, N. (1996). Testing the homogeneity of kappa statistics.
Biometrics 52(1), 176-183. (Where groups are small, χ² of this kind is too large.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from assay.agreement.jackknife import lowest
from assay.estimate import Estimate, HypothesisTest, Symmetric, Undefined

REFERENCE = "Fleiss (1981), Statistical Methods for Rates and Proportions, 2nd ed., section 13.1"
METHOD = "chi-squared, groups weighted by their inverse variances"
POOLED = "groups weighted by their inverse variances, normal quantile"


@dataclass(frozen=True, slots=True)
class Strata:
    """A coefficient over groups.

    Attributes
    ----------
    estimates
        Each group's estimate.
    left_out
        Groups without a value or a standard error, and why.
    homogeneity
        The test that all groups have one value.
    pooled
        The value over the groups that are not left out, with its error, or why there is none.
    """

    name: str
    estimates: dict[str, Estimate]
    left_out: dict[str, Undefined]
    homogeneity: HypothesisTest
    pooled: Symmetric | Undefined


def strata(name: str, estimates: Mapping[str, Estimate]) -> Strata:
    """Homogeneity and the pooled value of one coefficient.

    Examples
    --------
    >>> from assay.estimate import Estimate, Symmetric
    >>> groups = {
    ...     "a": Estimate("k", "k", 0.6, uncertainty=Symmetric(0.6, 0.1, "m")),
    ...     "b": Estimate("k", "k", 0.3, uncertainty=Symmetric(0.3, 0.2, "m")),
    ... }
    >>> found = strata("k", groups)
    >>> round(found.pooled.value, 3), round(found.homogeneity.statistic, 3)
    (0.54, 1.8)
    """
    left_out: dict[str, Undefined] = {}
    used: list[tuple[float, float]] = []
    for group, estimate in estimates.items():
        error = estimate.standard_error
        if estimate.undefined is not None:
            left_out[group] = estimate.undefined
        elif not error:
            left_out[group] = _no_error(estimate)
        else:
            used.append((float(estimate), 1.0 / error**2))
    if len(used) < 2:
        found = "no group has" if not used else "one group alone has"
        why = Undefined("too_few_groups", f"{found} a value with a standard error")
        test = HypothesisTest(METHOD, None, None, None, None, None, why)
        return Strata(name, dict(estimates), left_out, test, why)
    total = sum(w for _, w in used)
    mean = sum(w * x for x, w in used) / total
    statistic = sum(w * (x - mean) ** 2 for x, w in used)
    df = float(len(used) - 1)
    from scipy.special import chdtrc

    test = HypothesisTest(METHOD, None, None, statistic, df, float(chdtrc(df, statistic)))
    pooled = Symmetric(mean, 1.0 / sqrt(total), POOLED, low=lowest(name, mean))
    return Strata(name, dict(estimates), left_out, test, pooled)


def _no_error(estimate: Estimate) -> Undefined:
    why = estimate.why_no_interval()
    if why is not None:
        return why
    return Undefined(
        "no_error",
        "its interval rests on no standard error, which a weight needs; the jackknife has one",
    )
