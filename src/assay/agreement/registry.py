"""The coefficients, as data: adding one to every report takes one line here.

Each has a stable name, what it needs of the design and of the scale, and how it is computed
from a :class:`Context` that holds the reductions once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.agreement.bangdiwala import bangdiwala
from assay.agreement.brennan_prediger import brennan
from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.conger import conger
from assay.agreement.correlation import correlation
from assay.agreement.disagreement import Disagreement
from assay.agreement.fleiss import fleiss
from assay.agreement.gwet import gwet
from assay.agreement.icc import FORMS, all_icc
from assay.agreement.kendall import concordance
from assay.agreement.krippendorff import alpha
from assay.agreement.light import light
from assay.agreement.metrics import make_metric
from assay.agreement.percent import percent, unanimous
from assay.agreement.pool import Pool
from assay.agreement.scott import scott
from assay.agreement.weights import Weights, make_weights
from assay.errors import InputError, UsageError
from assay.estimate import Estimate, Undefined, undefined
from assay.ratings.reductions import Reduced


class Context:
    """One set of ratings under the choices of one report.

    Parameters
    ----------
    made
        The reductions.
    scale
        The scale that holds: "nominal" where nobody declared one.
    weights, metric, estimator, period
        As in :func:`assay.agree`.
    """

    def __init__(
        self,
        made: Reduced,
        *,
        scale: str,
        weights: Any = "identity",
        metric: Any = None,
        estimator: str = "gwet",
        period: float | None = None,
    ) -> None:
        self.made = made
        self.choices = {
            "scale": scale, "weights": weights, "metric": metric, "estimator": estimator,
            "period": period,
        }  # fmt: skip
        self.scale = scale
        self.metric = metric
        self.estimator = estimator
        self.period = period
        self.weights: Weights = make_weights(weights, made.categories, period=period)
        self.plain: Weights = make_weights("identity", made.categories)

    def on(self, made: Reduced) -> Context:
        """The same choices on other ratings."""
        return Context(made, **self.choices)

    @property
    def raters(self) -> int | None:
        """The number of raters, or None where nobody knows who rated what."""
        return len(self.made.raters) or None

    @cached_property
    def pool(self) -> Pool:
        return Pool(self.made.patterns, self.weights, self.made.categories)

    @cached_property
    def unweighted(self) -> Pool:
        if self.weights.identity:
            return self.pool
        return Pool(self.made.patterns, self.plain, self.made.categories)

    @cached_property
    def cells(self) -> Cells:
        """The two raters' table."""
        return Cells.of_two(self.made, "two raters")

    @cached_property
    def icc(self) -> dict[str, Estimate]:
        return all_icc(self.made)

    @cached_property
    def disagreement(self) -> Disagreement:
        """The metric of Krippendorff's alpha."""
        metric, weights = self.metric, None
        if metric is None and not self.weights.identity:
            weights = self.weights
        elif metric is None:
            metric = self.scale
        period = self.period
        return make_metric(self.made, metric, weights=weights, period=period)

    def alpha(self) -> Estimate:
        return alpha(self.made, self.disagreement)


NUMERIC = ("interval", "ratio")
RANKED = ("ordinal", *NUMERIC)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One entry of a report.

    Attributes
    ----------
    name, title
        Stable key and short title.
    compute
        From a context to an estimate.
    needs
        "anyone" (interchangeable raters), "raters" (identified), or "two".
    scales
        The scales it suits; None for all.
    """

    name: str
    title: str
    compute: Callable[[Context], Estimate]
    needs: str = "anyone"
    scales: tuple[str, ...] | None = None

    def refusal(self, context: Context) -> Undefined | None:
        """Why the coefficient does not suit the design or the scale, or None."""
        raters = context.raters
        reason = ""
        if self.needs != "anyone" and raters is None:
            reason = "needs to know who gave which rating, and counts do not say it"
        elif self.needs == "two" and raters != 2:
            reason = f"is defined for two raters, and there are {raters}"
        elif self.needs == "raters" and raters == 1:
            reason = "needs two raters or more, and there is one"
        elif self.scales is not None and context.scale not in self.scales:
            kind = " or ".join([", ".join(self.scales[:-1]), self.scales[-1]])
            reason = f"is for {kind} scales, and this one is {context.scale}"
        elif self.scales == NUMERIC and not context.made.categories.numeric and context.made.q:
            reason = "needs labels that are numbers"
        return Undefined("not_applicable", f"{self.title} {reason}") if reason else None

    def __call__(self, context: Context) -> Estimate:
        """The estimate; undefined as ``not_applicable`` where it does not suit."""
        why = self.refusal(context)
        if why is not None:
            return Estimate(self.name, self.title, None, why)
        try:
            return self.compute(context)
        except (UsageError, InputError) as error:
            if error.code not in ("too_many_labels", "too_many_pairs", "rows_not_kept"):
                raise
            return undefined(self.name, self.title, error.code, str(error))


def _correlation(name: str) -> Callable[[Context], Estimate]:
    return lambda c: correlation(c.made, name)


def _icc(name: str) -> Callable[[Context], Estimate]:
    return lambda c: c.icc[name]


COEFFICIENTS: dict[str, Coefficient] = {
    entry.name: entry
    for entry in (
        Coefficient("percent_agreement", "Percent agreement", lambda c: percent(c.unweighted)),
        Coefficient(
            "unanimous_agreement", "Unanimous agreement", lambda c: unanimous(c.unweighted)
        ),
        Coefficient("cohen_kappa", "Cohen's kappa", lambda c: cohen(c.cells, c.weights), "two"),
        Coefficient("light_kappa", "Light's kappa", lambda c: light(c.made, c.weights), "raters"),
        Coefficient("conger_kappa", "Conger's kappa", lambda c: conger(c.made, c.pool), "raters"),
        Coefficient("scott_pi", "Scott's pi", lambda c: scott(c.pool), "two"),
        Coefficient("fleiss_kappa", "Fleiss' kappa", lambda c: fleiss(c.pool, c.estimator)),
        Coefficient("brennan_prediger", "Brennan-Prediger", lambda c: brennan(c.pool)),
        Coefficient("gwet_ac", "Gwet's AC", lambda c: gwet(c.pool)),
        Coefficient("krippendorff_alpha", "Krippendorff's alpha", lambda c: c.alpha()),
        Coefficient("bangdiwala_b", "Bangdiwala's B", lambda c: bangdiwala(c.cells), "two"),
        *(
            Coefficient(name, full.partition("), ")[0] + ")", _icc(name), "raters", NUMERIC)
            for name, full in FORMS.items()
        ),
        Coefficient("kendall_w", "Kendall's W", lambda c: concordance(c.made), "raters", RANKED),
        Coefficient("spearman", "Spearman's rho", _correlation("spearman"), "raters", RANKED),
        Coefficient("pearson", "Pearson's r", _correlation("pearson"), "raters", NUMERIC),
        Coefficient("kendall_tau", "Kendall's tau", _correlation("kendall_tau"), "raters", RANKED),
        Coefficient("lin_ccc", "Lin's concordance", _correlation("lin_ccc"), "two", NUMERIC),
    )
}


def short_title(estimate: Estimate) -> str:
    """The name that fits in a sentence."""
    if estimate.name == "gwet_ac":
        return estimate.full_name.split(",")[0]
    if estimate.full_name.startswith("Weighted"):
        return "Weighted kappa"
    return COEFFICIENTS[estimate.name].title


def chosen(context: Context, incomplete: bool) -> list[str]:
    """The coefficients that suit the design best, most suitable first."""
    raters = context.raters
    names: list[str]
    if context.scale in NUMERIC:
        names = ["krippendorff_alpha", "icc_a_1", "icc_c_1"]
        if raters == 2:
            names = ["icc_a_1", "lin_ccc", "krippendorff_alpha", "pearson"]
        if incomplete or raters is None:
            names = ["krippendorff_alpha"]
    elif context.scale == "circular":
        names = ["krippendorff_alpha"]
    elif context.scale == "ordinal":
        names = ["krippendorff_alpha", "gwet_ac", "kendall_w"]
        if raters == 2:
            names = ["krippendorff_alpha", "cohen_kappa", "gwet_ac", "spearman"]
    elif raters == 2:
        names = ["cohen_kappa", "krippendorff_alpha", "gwet_ac"]
    elif incomplete:
        names = ["krippendorff_alpha", "gwet_ac", "fleiss_kappa"]
    else:
        names = ["fleiss_kappa", "krippendorff_alpha", "gwet_ac"]
    return [*names, "percent_agreement"]
