"""``agree``: every coefficient that suits the ratings, and the summary that is rendered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.correlation import limits_of_agreement, pair_value
from assay.agreement.diagnosis import Finding, findings, groups_differ
from assay.agreement.fleiss import ESTIMATORS
from assay.agreement.labels import f1_scores, jaccard_scores, label_rows
from assay.agreement.marginals import cochran_q, marginal_tests, as_dict
from assay.agreement.metrics import METRICS
from assay.agreement.pool import count_of
from assay.agreement.registry import COEFFICIENTS, NUMERIC, RANKED, Context, chosen
from assay.agreement.skew import skew_of
from assay.agreement.weights import check_order
from assay.errors import LabelError, one_of
from assay.estimate import Estimate, Undefined, check_level
from assay.ratings.model import Label, Ratings
from assay.ratings.read import read
from assay.ratings.reductions import Reduced
from assay.report.headline import headline, spanning
from assay.report.render import render

SHOWN_LABELS = 1000
"""Labels beyond this are counted but not listed."""
CONFUSION_LABELS = 30
TESTED_PAIRS = 1000
"""Beyond this many pairs of raters, marginal tests and correlations a pair are left out."""


@dataclass(frozen=True, eq=False)
class AgreementReport:
    """What :func:`agree` returns; prints, and shows itself in a notebook, as a table.

    Attributes
    ----------
    coefficients
        Every coefficient by name; one that does not suit is undefined, ``not_applicable``.
    groups
        With ``by``: the report of each group.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.

    Examples
    --------
    >>> import assay
    >>> report = assay.agree({"ana": ["a", "b", "b", "a"], "bo": ["a", "b", "a", "a"]})
    >>> report["cohen_kappa"].exact
    Fraction(1, 2)
    >>> report["icc_1"].undefined.code
    'not_applicable'
    """

    ratings: Ratings
    coefficients: dict[str, Estimate]
    summary: dict[str, Any] = field(repr=False)
    groups: dict[str, AgreementReport] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Estimate:
        one_of(name, COEFFICIENTS, "coefficient")
        return self.coefficients[name]

    def to_dict(self) -> dict[str, Any]:
        """The summary: plain values only, unrounded."""
        return self.summary

    def to_json(self) -> str:
        """The summary as JSON."""
        return render(self.summary, "json")

    def to_markdown(self) -> str:
        """Tables for a README or an issue tracker."""
        return render(self.summary, "markdown")

    def to_latex(self) -> str:
        """A booktabs table for a paper."""
        return render(self.summary, "latex")

    def to_csv(self) -> str:
        """One row a coefficient, unrounded."""
        return render(self.summary, "csv")

    def to_text(self, *, width: int | None = None, full: bool = False) -> str:
        """The terminal report without colour."""
        return render(self.summary, "terminal", width=width, color=False, full=full)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from assay.report.notebook import notebook

        return notebook(self.summary)


def agree(
    data: Any,
    *,
    scale: str | None = None,
    order: Sequence[Label] | str | None = None,
    categories: Sequence[Label] | str | None = None,
    period: float | None = None,
    weights: Any = "identity",
    metric: Any = None,
    estimator: str = "gwet",
    level: float = 0.95,
    interpret: str | None = None,
    **reading: Any,
) -> AgreementReport:
    """Every agreement coefficient that suits the ratings, with intervals and warnings.

    Parameters
    ----------
    data
        Anything that :func:`assay.read` takes, or ratings that it returned.
    scale
        "nominal", "ordinal", "interval", "ratio" or "circular"; nominal when omitted, but
        interval for numbers with a decimal part.
    order, categories
        The label set; ``order`` also says that it is ordered, lowest first.
    period
        The length of a circular scale.
    weights
        For all weighted coefficients; identity on every scale unless asked for.
    metric
        For Krippendorff's alpha, in place of the scale's own.
    estimator
        For Fleiss' kappa: "gwet", "pooled", "pair-weighted" or "fleiss1981".
    level
        Of the intervals.
    interpret
        A verbal scale to show beside the intervals, such as "landis-koch".
    **reading
        Options of :func:`assay.read`: ``layout=``, ``item=``, ``by=``, ….

    Returns
    -------
    AgreementReport

    Raises
    ------
    InputError
        If the data cannot be read, or labels do not fit the scale.
    UsageError
        If an option has a value that does not exist.

    Examples
    --------
    >>> import assay
    >>> report = assay.agree(assay.Table([[3, 47], [53, 897]], labels=["bad", "fine"]))
    >>> kappa = report["cohen_kappa"]
    >>> round(kappa.value, 3), kappa.observed
    (0.004, 0.9)
    """
    check_level(level)
    one_of(estimator, ESTIMATORS, "estimator")
    if isinstance(metric, str):
        one_of(metric, METRICS, "metric")
    options = {
        "scale": scale, "order": order, "categories": categories, "period": period, **reading,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    ratings = data if isinstance(data, Ratings) and not given else read(data, **given)
    settings = {
        "weights": weights,
        "metric": metric,
        "estimator": estimator,
        "level": level,
        "interpret": interpret,
    }
    if not ratings.group_names:
        return _one(ratings, settings)
    groups = {name: _one(ratings.group(name), settings) for name in ratings.group_names}
    return _grouped(ratings, groups, level)


def _grouped(
    ratings: Ratings, groups: dict[str, AgreementReport], level: float
) -> AgreementReport:
    import assay

    shares = {}
    for name, report in groups.items():
        total = report.summary["source"]["ratings"]
        rows = report.summary["labels"]
        if total and len(rows) <= 50:
            shares[name] = {row["label"]: row["count"] / total for row in rows}
    found = groups_differ(shares)
    notes = [_note(n) for n in ratings.reading.notes]
    summary = {
        "assay": assay.__version__,
        "level": level,
        "source": {
            "name": ratings.reading.source, "layout": ratings.reading.layout, "notes": notes,
        },
        "groups": [{"group": name, **report.summary} for name, report in groups.items()],
        "warnings": [
            {"code": n.code, "message": n.message}
            for n in ratings.reading.notes
            if n.level == "warning"
        ]
        + ([] if found is None else [_finding(found)]),
    }  # fmt: skip
    return AgreementReport(ratings, {}, summary, groups)


def _one(ratings: Ratings, settings: dict[str, Any]) -> AgreementReport:
    scale = ratings.scale or "nominal"
    if scale == "ordinal":
        check_order(ratings.categories, "ordinal results")
    elif scale not in ("nominal",) and not ratings.categories.numeric and len(ratings.categories):
        texts = ", ".join(ratings.categories.texts[:6])
        raise LabelError(
            f"scale: {scale} needs labels that are numbers, and these are texts ({texts}); use "
            "ordinal with an order, or nominal."
        )
    made = Reduced.of(ratings)
    context = Context(
        made,
        scale=scale,
        weights=settings["weights"],
        metric=settings["metric"],
        estimator=settings["estimator"],
        period=ratings.period,
    )
    estimates = {name: entry(context) for name, entry in COEFFICIENTS.items()}
    summary = _summary(ratings, context, estimates, settings)
    return AgreementReport(ratings, estimates, summary)


def _summary(
    ratings: Ratings, context: Context, estimates: dict[str, Estimate], settings: dict[str, Any]
) -> dict[str, Any]:
    import assay

    level = settings["level"]
    made = context.made
    incomplete = len({r for r in made.sizes if r}) > 1
    names = [n for n in chosen(context, incomplete) if estimates[n].undefined is None]
    found = findings(context, estimates, level)
    main = next((estimates[n] for n in names if n != "percent_agreement"), None)
    wide = spanning(main, level)
    if wide is not None:
        found.append(wide)
    warnings = [
        {"code": n.code, "message": n.message}
        for n in ratings.reading.notes
        if n.level == "warning"
    ]
    categories = ratings.categories
    few = len(categories) <= SHOWN_LABELS
    return {
        "assay": assay.__version__,
        "level": level,
        "weights": context.weights.name,
        "estimator": settings["estimator"],
        "headline": headline(context, estimates, names, level),
        "source": _source(ratings, made),
        "scale": {
            "kind": context.scale,
            "declared_kind": ratings.scale is not None,
            "categories": list(categories.texts if few else categories[:SHOWN_LABELS]),
            "declared": categories.declared,
            "ordered": categories.ordered,
            "count": len(categories),
        },
        "chosen": names,
        "coefficients": [coefficient_dict(e, level) for e in estimates.values()],
        "labels": _labels(context) if few else [],
        "raters": _raters(made) if few else _raters(made, distribution=False),
        "pairs": _pairs(context),
        "marginal_tests": _overall_tests(context),
        "interpretation": _interpretation(estimates, names, settings["interpret"]),
        "warnings": [*warnings, *(_finding(f) for f in found)],
    }


def _note(note: Any) -> dict[str, str]:
    return {"code": note.code, "level": note.level, "message": note.message}


def _finding(finding: Finding) -> dict[str, str]:
    return {"code": finding.code, "message": finding.message}


def _why(reason: Undefined | None) -> dict[str, str] | None:
    return None if reason is None else {"code": reason.code, "reason": reason.reason}


def _count(value: Fraction) -> int | float:
    return count_of(value)


def _source(ratings: Ratings, made: Reduced) -> dict[str, Any]:
    sizes = {r: Fraction(n, made.denominator) for r, n in ratings.sizes.items()}
    items = sum((n for r, n in sizes.items() if r), Fraction(0))
    known = len(made.raters)
    missing = known * (items + sizes.get(0, Fraction(0))) - made.n_ratings if known else None
    return {
        "name": ratings.reading.source,
        "layout": ratings.reading.layout,
        "items": _count(items),
        "raters": known or ratings.n_raters,
        "ratings": _count(made.n_ratings),
        "items_with_one_rating": _count(sizes.get(1, Fraction(0))),
        "items_without_ratings": _count(sizes.get(0, Fraction(0))),
        "missing": None if missing is None else _count(missing),
        "notes": [_note(n) for n in ratings.reading.notes],
    }


def coefficient_dict(estimate: Estimate, level: float) -> dict[str, Any]:
    """One estimate as plain values, unrounded."""
    interval = estimate.interval(level)
    return {
        "name": estimate.name,
        "full_name": estimate.full_name,
        "value": estimate.value,
        "undefined": _why(estimate.undefined),
        "observed": estimate.observed,
        "expected": estimate.expected,
        "standard_error": estimate.standard_error,
        "interval": None
        if interval is None
        else {
            "level": interval.level,
            "low": interval.low,
            "high": interval.high,
            "method": interval.method,
        },
        "no_interval": None
        if interval is not None or estimate.undefined is not None
        else _why(estimate.why_no_interval()),
        "p_value": estimate.p_value,
        "tests": [as_dict(t) for t in estimate.tests],
        "maximum": estimate.maximum,
        "items": estimate.items,
        "raters": estimate.raters,
        "ratings": estimate.ratings,
        "convention": estimate.convention,
        "reference": estimate.reference,
        "notes": list(estimate.notes),
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _labels(context: Context) -> list[dict[str, Any]]:
    cells = context.cells if context.raters == 2 else None
    out = []
    for row in label_rows(context.unweighted, cells):
        test = row.test
        out.append(
            {
                "label": row.label,
                "count": _count(row.count),
                "specific_agreement": _number(row.specific),
                "conditional_kappa": _number(row.conditional),
                "category_kappa": _number(row.category),
                "standard_error": None if test is None else test.standard_error,
                "z": None if test is None else test.statistic,
                "p_value": None if test is None else test.p_value,
            }
        )
    return out


def _raters(made: Reduced, *, distribution: bool = True) -> list[dict[str, Any]]:
    if not made.raters:
        return []
    texts = made.categories.texts if distribution else ()
    out = []
    for name, row in zip(made.raters, made.rater_counts, strict=True):
        counts = [_count(Fraction(n, made.denominator)) for n in row.tolist()] if texts else []
        out.append(
            {
                "rater": name,
                "ratings": _count(Fraction(int(row.sum()), made.denominator)),
                "distribution": dict(zip(texts, counts, strict=True)),
            }
        )
    return out


def _pairs(context: Context) -> list[dict[str, Any]]:
    made = context.made
    if len(made.raters) < 2:
        return []
    few = len(made.pairs) <= TESTED_PAIRS and made.q <= SHOWN_LABELS
    return [
        _pair(Cells.of_pair(made.pairs, i, made), context, few) for i in range(len(made.pairs))
    ]


def _pair(cells: Cells, context: Context, tested: bool) -> dict[str, Any]:
    kappa = cohen(cells, context.weights)
    plain = kappa if context.weights.identity else cohen(cells, context.plain)
    interval = kappa.interval()
    found = skew_of(cells)
    texts = cells.categories.texts if tested else ()
    used = np.flatnonzero(cells.rows + cells.columns).tolist() if tested else []
    f1, overlap = (f1_scores(cells), jaccard_scores(cells)) if tested else ([], [])
    limits = limits_of_agreement(cells) if tested and context.scale in NUMERIC else None
    return {
        "raters": list(cells.raters),
        "items": _count(cells.items),
        "cohen_kappa": kappa.value,
        "undefined": _why(kappa.undefined),
        "standard_error": kappa.standard_error,
        "interval": None if interval is None else [interval.low, interval.high],
        "observed": kappa.observed,
        "expected": kappa.expected,
        "maximum": plain.maximum,
        "pabak": _number(found.pabak),
        "prevalence_index": _number(found.prevalence_index),
        "bias_index": _number(found.bias_index),
        "labels": [
            {"label": texts[k], "f1": _number(f1[k]), "jaccard": _number(overlap[k])}
            for k in used
        ],
        "marginal_tests": [as_dict(t) for t in marginal_tests(cells)] if tested else [],
        "confusion": _confusion(cells, used) if tested and len(used) <= CONFUSION_LABELS else None,
        "correlations": _correlations(cells, context.scale) if tested else {},
        "bland_altman": None
        if limits is None
        else {"mean": limits.mean, "sd": limits.sd, "low": limits.low, "high": limits.high},
    }


def _confusion(cells: Cells, used: list[int]) -> dict[str, Any]:
    table = cells.dense()[np.ix_(used, used)]
    counts = [[_count(Fraction(n, cells.denominator)) for n in row] for row in table.tolist()]
    return {"labels": [cells.categories.texts[k] for k in used], "counts": counts}


def _correlations(cells: Cells, scale: str) -> dict[str, float | None]:
    suits = {
        "spearman": RANKED, "kendall_tau": RANKED, "pearson": NUMERIC, "lin_ccc": NUMERIC,
    }  # fmt: skip
    out: dict[str, float | None] = {}
    for name, scales in suits.items():
        if scale not in scales or (scales is NUMERIC and not cells.categories.numeric):
            out[name] = None
            continue
        got = pair_value(cells, name)
        out[name] = None if isinstance(got, Undefined) else float(got)
    return out


def _overall_tests(context: Context) -> list[dict[str, Any]]:
    """Cochran's Q where raters gave one of two labels."""
    made = context.made
    if len(made.raters) < 2 or made.q > 2:
        return []
    used = np.flatnonzero(made.rater_counts.sum(axis=0))
    if used.size != 2 or made.matrix.weights.sum() == 0 or made.denominator != 1:
        return []
    return [as_dict(cochran_q(made.matrix, int(used[1])))]


def _interpretation(
    estimates: dict[str, Estimate], names: list[str], scale: str | None
) -> list[dict[str, Any]] | None:
    if scale is None:
        return None
    from assay.report.bands import interpretation

    out = []
    for name in names:
        estimate = estimates[name]
        if estimate.value is None or name == "percent_agreement":
            continue
        value = estimate.exact if estimate.exact is not None else estimate.value
        got = interpretation(name, value, estimate.standard_error, scale)
        out.append(got)
    return out

