"""Estimates with the intervals that were asked for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from assay.agreement import resampling
from assay.agreement.additive import Form, grouped
from assay.agreement.additive_forms import IDENTIFIED, form_of
from assay.agreement.additive_units import Source
from assay.agreement.inputs import Data, Options, reduced
from assay.agreement.jackknife import (
    RaterSpread,
    finite,
    jackknifed,
    moved,
    over_raters,
    with_raters,
)
from assay.agreement.pool import SINGLE_ITEM
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.replicates import Both
from assay.agreement.resampling import TOO_LARGE, Settings, bootstrapped, replicates
from assay.agreement.resampling_raters import replicates_of_both, why_not
from assay.errors import InputError, UsageError, one_of
from assay.estimate import Estimate, NoError, Uncertainty, Undefined
from assay.ratings.crowd import ROWS_NOT_KEPT
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced


class Drawing:
    """The units that are drawn, for one set of ratings."""

    def __init__(self, context: Context, settings: Settings) -> None:
        self.context = context
        self.settings = settings
        ratings = context.made.ratings
        self.clustered = isinstance(ratings, Ratings) and ratings.has_clusters
        self.column = ratings.cluster_column if isinstance(ratings, Ratings) else ""
        self._members: dict[str, Any] = {}

    @cached_property
    def multisets(self) -> Source:
        return Source(self.context.made, "multisets")

    @cached_property
    def rows(self) -> Source:
        return Source(self.context.made, "rows")

    def members(self, units: Source) -> Any:
        """Shape (clusters, units): items of each cluster, clusters in order of name."""
        if units.kind not in self._members:
            self._members[units.kind] = self._made_of(units)
        return self._members[units.kind]

    def _made_of(self, units: Source) -> Any:
        from scipy.sparse import coo_array

        ratings, held = self.context.made.ratings, self.context.made.members
        if not isinstance(ratings, Ratings) or held is None:
            raise UsageError("there is no column of clusters.")
        found, which = np.unique(held.clusters, return_inverse=True)
        names = [ratings.cluster_names[int(k)] for k in found]
        place = np.empty(len(names), dtype=np.int64)
        place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        unit = np.zeros(int(units.items.max(initial=-1)) + 1, dtype=np.int64)
        unit[units.items] = units.of_columns
        entries = (place[which.ravel()], unit[held.columns])
        shape = (len(names), units.times.size)
        return coo_array((held.times.astype(np.float64), entries), shape).tocsr()

    def form(self, name: str) -> Form:
        """The coefficient over the units that are drawn."""
        units = self.rows if name in IDENTIFIED else self.multisets
        form = form_of(name, self.context, units)
        return grouped(form, self.members(units)) if self.clustered else form

    def what(self, form: Form) -> str:
        """The units in words."""
        if not self.clustered:
            return "items"
        return f"{form.times.size:,} clusters ({self.column})"


def with_intervals(
    context: Context, estimates: dict[str, Estimate], settings: Settings
) -> dict[str, Estimate]:
    """The estimates with intervals as the settings say."""
    if settings.plain:
        return estimates
    changed: dict[str, Uncertainty | None]
    if settings.interval == "analytic":
        changed = {n: e.uncertainty for n, e in estimates.items() if e.value is not None}
        if settings.population is not None:
            changed = {n: _finite(estimates[n], settings.population) for n in changed}
    else:
        changed = dict(_drawn(context, estimates, settings))
    if settings.raters_sampled:
        changed = {
            name: _with_raters(name, context, uncertainty) for name, uncertainty in changed.items()
        }
    out = {
        name: replace(e, uncertainty=changed[name]) if name in changed else e
        for name, e in estimates.items()
    }
    return {name: _noted(e, settings) for name, e in out.items()}


def _finite(estimate: Estimate, population: int) -> Uncertainty | None:
    plain = moved(estimate.uncertainty)
    if plain is None:
        if population < estimate.items:
            raise UsageError(
                f"population: {population:,} items cannot hold the {estimate.items:,} rated."
            )
        return estimate.uncertainty
    return finite(plain, float(estimate.items), population)


def _noted(estimate: Estimate, settings: Settings) -> Estimate:
    """What an option could not change is said."""
    if estimate.value is None or settings.interval != "analytic":
        return estimate
    if settings.population is None or moved(estimate.uncertainty) is not None:
        return estimate
    if isinstance(estimate.uncertainty, NoError):
        return estimate
    note = "the interval rests on no standard error and is not corrected for the population"
    return replace(estimate, notes=(*estimate.notes, note))


def _with_raters(
    name: str, context: Context, uncertainty: Uncertainty | None
) -> Uncertainty | None:
    plain = moved(uncertainty)
    if uncertainty is None or isinstance(uncertainty, NoError):
        return uncertainty
    if plain is None:
        return NoError(
            Undefined(
                "no_rater_variance",
                "the raters' variance is added to a standard error, and this interval rests on "
                f"none ({uncertainty.method})",
            )
        )
    ratings = context.made.ratings
    if not isinstance(ratings, Ratings):
        return NoError(Undefined("no_rater_variance", "it is not known who gave which rating"))

    def compute(part: Ratings) -> Estimate:
        return COEFFICIENTS[name](context.on(Reduced(part)))

    if ratings.crowd is not None:
        return NoError(Undefined("rows_not_kept", ROWS_NOT_KEPT))
    found = over_raters(name, ratings, compute)
    if not isinstance(found, RaterSpread):
        return NoError(found)
    added = with_raters(plain, found)
    return Both(added, uncertainty.tests) if isinstance(uncertainty, Both) else added


def _drawn(
    context: Context, estimates: dict[str, Estimate], settings: Settings
) -> dict[str, Uncertainty]:
    """The uncertainty of each coefficient with a value."""
    drawing = Drawing(context, settings)
    names = [name for name, e in estimates.items() if e.value is not None]
    if context.made.denominator != 1:
        why = Undefined(
            "parts_of_items", "the table has decimal cells, and parts of items cannot be drawn"
        )
        return dict.fromkeys(names, NoError(why))
    forms: dict[str, Form] = {}
    out: dict[str, Uncertainty] = {}
    for name in names:
        try:
            form = drawing.form(name)
        except InputError as error:
            if error.code not in ("too_large", "rows_not_kept"):
                raise
            out[name] = NoError(Undefined(error.code, str(error)))
            continue
        if work_of(form, settings) > resampling.MOST_WORK:
            out[name] = NoError(TOO_LARGE)
            continue
        if int(form.times.sum()) < 2:
            out[name] = NoError(_SINGLE_CLUSTER if drawing.clustered else SINGLE_ITEM)
            continue
        forms[name] = form
    if settings.resample == "items-raters":
        out |= _both(drawing, forms, estimates)
    elif settings.interval == "jackknife":
        for name, form in forms.items():
            what = drawing.what(form)
            out[name] = jackknifed(form, estimates[name], what, settings.population)
    else:
        values = replicates(forms, settings.resamples, settings.seed)
        for name, form in forms.items():
            analytic = estimates[name].uncertainty
            what = drawing.what(form)
            out[name] = bootstrapped(form, values[name], settings, what, analytic)
    return {name: _tested(found, estimates[name]) for name, found in out.items()}


def work_of(form: Form, settings: Settings) -> float:
    """About how many multiplications an interval takes."""
    draws = 0.0 if settings.interval == "jackknife" else form.cost * settings.resamples
    left = form.cost_without_one if settings.interval in ("bca", "jackknife") else 0.0
    return draws + left


def _both(
    drawing: Drawing, forms: dict[str, Form], estimates: dict[str, Estimate]
) -> dict[str, Uncertainty]:
    if drawing.clustered:
        raise UsageError("resample: 'items-raters' draws items; it does not go with clusters.")
    context, settings = drawing.context, drawing.settings
    refused = {name: why for name in forms if (why := why_not(name, context)) is not None}
    out: dict[str, Uncertainty] = {name: NoError(why) for name, why in refused.items()}
    left = [name for name in forms if name not in refused]
    if left:
        found = replicates_of_both(left, context, drawing.rows, settings.resamples, settings.seed)
        for name in left:
            analytic = estimates[name].uncertainty
            out[name] = bootstrapped(
                forms[name], found[name], settings, "items and raters", analytic
            )
    return out


def _tested(found: Uncertainty, estimate: Estimate) -> Uncertainty:
    """P-values stay those of the analytic error."""
    if found is estimate.uncertainty:
        return found
    return Both(found, estimate.uncertainty)


_SINGLE_CLUSTER = Undefined(
    "single_cluster", "there is one cluster only, and the error between clusters needs two"
)


def resample(
    name: str,
    data: Data = None,
    other: Data = None,
    *,
    interval: str = "bootstrap",
    resamples: int = 1000,
    seed: int = 0,
    resample: str = "items",
    population: int | None = None,
    raters_sampled: bool = False,
    scale: str | None = None,
    weights: Any = "identity",
    metric: Any = None,
    estimator: str = "gwet",
    **options: Unpack[Options],
) -> Estimate:
    """One coefficient with an interval by resampling.

    :func:`assay.agree` does the same for all of them. Where the ratings were read with
    ``cluster=``, clusters are drawn, else items.

    Parameters
    ----------
    name
        The coefficient's stable name, such as ``"krippendorff_alpha"``.
    data, other
        As in the coefficient's own function.
    interval
        ``"bootstrap"`` (percentile), ``"bca"``, ``"jackknife"`` or ``"analytic"``.
    resamples, seed
        The same seed gives the same interval, whatever the order of the items.
    resample
        ``"items"``, or ``"items-raters"`` to draw raters, too (percentile only).
    population
        The number of items that these were drawn from, for the finite-population correction of
        analytic and jackknife errors.
    raters_sampled
        Add the raters' jackknife variance to an analytic or jackknife error.
    scale, weights, metric, estimator
        As in :func:`assay.agree`.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Examples
    --------
    >>> import assay
    >>> kappa = resample("cohen_kappa", assay.Table([[40, 9], [6, 45]]), interval="bca")
    >>> interval = kappa.interval()
    >>> interval.method
    'bootstrap of items, BCa, 1,000 resamples, seed 0'
    >>> kappa.value == assay.cohen_kappa(table=[[40, 9], [6, 45]]).value
    True
    """
    one_of(name, COEFFICIENTS, "coefficient")
    settings = Settings(interval, resamples, seed, resample, population, raters_sampled)
    made = reduced(data, other, **options)
    ratings = made.ratings
    known = ratings if isinstance(ratings, Ratings) else None
    context = Context(
        made,
        scale=scale or (known.scale if known else None) or "nominal",
        weights=weights,
        metric=metric,
        estimator=estimator,
        period=known.period if known else None,
    )
    estimate = COEFFICIENTS[name](context)
    return with_intervals(context, {name: estimate}, settings)[name]
