"""Which form belongs to which coefficient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.agreement.additive import Form
from assay.agreement.additive_alpha import alpha_form
from assay.agreement.additive_pool import Agreeing, Fleiss1981, MeanShares, PooledShares
from assay.agreement.additive_ranks import Concordance, Moments, Spearman, Tau
from assay.agreement.additive_raters import Bangdiwala, Cohen, Conger, Icc, MeanOverPairs
from assay.agreement.additive_units import Units
from assay.agreement.brennan_prediger import weight_total
from assay.agreement.registry import Context
from assay.ratings.categories import Floats, Ints

IDENTIFIED = frozenset(
    {
        "cohen_kappa", "light_kappa", "conger_kappa", "bangdiwala_b", "icc_1", "icc_a_1",
        "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k", "kendall_w", "spearman", "pearson",
        "kendall_tau", "lin_ccc",
    }
)  # fmt: skip
"""Coefficients that need to know who gave which rating."""


def form_of(name: str, context: Context, source: Units) -> Form:
    """The form of a coefficient over the units of a source."""
    return _FORMS[name](name, context, source)


def _pool(context: Context, source: Units, **more: Any) -> MeanShares:
    return MeanShares(source.tally, source.times, context.weights, **more)


def _brennan(_: str, context: Context, source: Units) -> Form:
    q = context.pool.q
    flat = float(weight_total(context.pool)) / (q * q)
    return Agreeing(source.tally, source.times, context.weights, flat=flat)


def _gwet(_: str, context: Context, source: Units) -> Form:
    q = context.pool.q
    return _pool(context, source, ac=float(weight_total(context.pool)) / (q * max(1, q - 1)))


def _fleiss(_: str, context: Context, source: Units) -> Form:
    tally, times, weights = source.tally, source.times, context.weights
    if context.estimator == "fleiss1981":
        return Fleiss1981(tally, times, weights)
    if context.estimator == "gwet":
        return MeanShares(tally, times, weights)
    by_pairs = context.estimator == "pair-weighted"
    return PooledShares(tally, times, weights, by_pairs=by_pairs)


def _pairs(make: Callable[[Any, Any, Ints], Form], source: Units) -> Form:
    """One form for two raters, the mean of all pairs for more."""
    columns = source.rows.T
    if len(columns) == 2:
        return make(columns[0], columns[1], source.times)
    return MeanOverPairs(make, columns, source.times)


def _cohen(_: str, context: Context, source: Units) -> Form:
    weights, q = context.weights, source.q
    return _pairs(lambda x, y, times: Cohen(x, y, times, weights, q), source)


def _conger(_: str, context: Context, source: Units) -> Form:
    return Conger(source.tally, source.rows, source.times, context.weights)


def _values(context: Context) -> Floats:
    values = context.made.categories.numbers
    return np.zeros(max(1, context.made.q)) if values is None else values


def _correlation(name: str, context: Context, source: Units) -> Form:
    q, values = source.q, _values(context)
    if name == "spearman":
        return _pairs(lambda x, y, times: Spearman(x, y, times, q), source)
    if name == "kendall_tau":
        return _pairs(lambda x, y, times: Tau(x, y, times, context.made.categories), source)
    return _pairs(lambda x, y, times: Moments(name, x, y, times, values), source)


_FORMS: dict[str, Callable[[str, Context, Units], Form]] = {
    "percent_agreement": lambda _, c, s: Agreeing(s.tally, s.times, c.plain),
    "unanimous_agreement": lambda _, c, s: Agreeing(s.tally, s.times, c.plain, all_equal=True),
    "cohen_kappa": _cohen,
    "light_kappa": _cohen,
    "conger_kappa": _conger,
    "scott_pi": lambda _, c, s: _pool(c, s, paired=True),
    "fleiss_kappa": _fleiss,
    "brennan_prediger": _brennan,
    "gwet_ac": _gwet,
    "krippendorff_alpha": lambda _, c, s: alpha_form(s.tally, s.times, c.disagreement),
    "bangdiwala_b": lambda _, c, s: _pairs(lambda x, y, times: Bangdiwala(x, y, times, s.q), s),
    **dict.fromkeys(
        ("icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k"),
        lambda name, c, s: Icc(name, s.rows, s.times, _values(c)),
    ),
    "kendall_w": lambda _, c, s: Concordance(s.rows, s.times, s.q),
    **dict.fromkeys(("spearman", "pearson", "kendall_tau", "lin_ccc"), _correlation),
}
