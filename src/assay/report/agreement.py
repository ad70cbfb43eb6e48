"""``agree``: every coefficient that suits the ratings, as one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.agreement.diagnosis import groups_differ
from assay.agreement.fleiss import ESTIMATORS
from assay.agreement.metrics import METRICS
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.resampled import with_intervals
from assay.agreement.resampling import Settings
from assay.agreement.weights import check_order
from assay.errors import LabelError, UsageError, one_of
from assay.estimate import Estimate, check_level
from assay.ratings.categories import Label
from assay.ratings.model import Ratings
from assay.ratings.read import read
from assay.ratings.reductions import Reduced
from assay.ratings.tables import Counts, Table
from assay.report.render import render
from assay.report.rendered import Tabular
from assay.report.summary import finding_dict, note_dict, summarise

if TYPE_CHECKING:
    from assay.report.plots import Plot


@dataclass(frozen=True, eq=False, repr=False)
class AgreementReport(Tabular):
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
        if self.groups:
            raise UsageError(
                f"this report has groups, each with its own {name}: report.groups[GROUP][{name!r}]"
                f", with GROUP one of {', '.join(self.groups)}."
            )
        return self.coefficients[name]

    def to_html(self) -> str:
        """The report as one page that needs nothing else: to open, send and print."""
        return render(self.summary, "html")

    def plot(
        self, kind: str, raters: tuple[str, str] | None = None, *, theme: str = "light"
    ) -> Plot:
        """A picture that shows itself in a notebook and can be saved as SVG or PNG.

        Parameters
        ----------
        kind
            "intervals", "confusion", "matrix", "distribution" or "items".
        raters
            For "confusion": the two; else those who agree least.
        theme
            "light" or "dark".

        Raises
        ------
        UsageError
            If there is no such picture, or the report has groups.
        InputError
            If there is nothing to draw.
        """
        from assay.report.plots import plot

        return plot(self.summary, kind, raters, theme=theme)

    def _repr_html_(self) -> str:
        from assay.report.notebook import notebook

        return notebook(self.summary)


def agree(
    data: Any = None,
    other: Any = None,
    *,
    counts: Any = None,
    table: Any = None,
    scale: str | None = None,
    order: Sequence[Label] | str | None = None,
    categories: Sequence[Label] | str | None = None,
    period: float | None = None,
    weights: Any = "identity",
    metric: Any = None,
    estimator: str = "gwet",
    level: float = 0.95,
    interpret: str | None = None,
    interval: str = "analytic",
    resamples: int = 1000,
    seed: int = 0,
    resample: str = "items",
    population: int | None = None,
    raters_sampled: bool = False,
    **reading: Any,
) -> AgreementReport:
    """Every agreement coefficient that suits the ratings, with intervals and warnings.

    Parameters
    ----------
    data, other
        Anything that :func:`assay.read` takes, or ratings that it returned; or two parallel
        sequences of labels.
    counts, table
        Items × categories, or a two-rater contingency table, in place of ``data``.
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
    interval
        How intervals are made: "analytic", "bootstrap" (percentile), "bca" or "jackknife". The
        p-values stay analytic. Where ratings are read with ``cluster=``, clusters are drawn.
    resamples, seed
        Of the bootstrap. The same seed gives the same interval, whatever the order of items.
    resample
        What the bootstrap draws: "items", or "items-raters".
    population
        The number of items that these are a sample of, for the finite-population correction of
        analytic and jackknife errors.
    raters_sampled
        Take the raters as a sample, too: their jackknife variance is added.
    **reading
        Options of :func:`assay.read`: ``layout=``, ``item=``, ``by=``, ``cluster=``, ….

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
    drawing = Settings(interval, resamples, seed, resample, population, raters_sampled)
    if reading.get("cluster") is not None and interval == "analytic":
        raise UsageError(
            "cluster: analytic errors take items as independent; clusters are drawn with "
            "interval='bootstrap', 'bca' or 'jackknife' (--interval on the command line)."
        )
    options = {
        "scale": scale, "order": order, "categories": categories, "period": period, **reading,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    data = _one_input(data, other, counts, table, given)
    ratings = data if isinstance(data, Ratings) and not given else read(data, **given)
    settings = {
        "weights": weights,
        "metric": metric,
        "estimator": estimator,
        "level": level,
        "interpret": interpret,
        "drawing": drawing,
    }
    if not ratings.group_names:
        return _one(ratings, settings)
    groups = {name: _one(ratings.group(name), settings) for name in ratings.group_names}
    return _grouped(ratings, groups, level)


def _one_input(data: Any, other: Any, counts: Any, table: Any, given: dict[str, Any]) -> Any:
    """The one kind of input that a call has."""
    kinds = {"data": data, "counts": counts, "table": table}
    named = [name for name, value in kinds.items() if value is not None]
    if len(named) != 1 or (other is not None and data is None):
        raise UsageError(
            f"agree: one kind of input is needed, not {' and '.join(named) or 'none'}: ratings, "
            "two sequences, counts=, or table=."
        )
    labels = given.get("order") or given.get("categories")
    if counts is not None:
        return counts if isinstance(counts, Counts) else Counts(counts, categories=labels)
    if table is not None:
        return table if isinstance(table, Table) else Table(table, labels=labels)
    if other is None:
        return data
    return {"A": data, "B": other}


def _grouped(ratings: Ratings, groups: dict[str, AgreementReport], level: float) -> AgreementReport:
    import assay

    shares = {}
    for name, report in groups.items():
        total = report.summary["source"]["ratings"]
        rows = report.summary["labels"]
        if total and len(rows) <= 50:
            shares[name] = {row["label"]: row["count"] / total for row in rows}
    found = groups_differ(shares)
    notes = [note_dict(n) for n in ratings.reading.notes]
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
        + ([] if found is None else [finding_dict(found)]),
    }  # fmt: skip
    return AgreementReport(ratings, {}, summary, groups)


def _one(ratings: Ratings, settings: dict[str, Any]) -> AgreementReport:
    scale = ratings.scale or "nominal"
    if scale == "ordinal":
        check_order(ratings.categories, "ordinal results")
    elif scale == "circular" and not ratings.categories.numeric:
        check_order(ratings.categories, "circular results")
    elif scale != "nominal" and not ratings.categories.numeric and len(ratings.categories):
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
    estimates = with_intervals(context, estimates, settings["drawing"])
    summary = summarise(ratings, context, estimates, settings)
    return AgreementReport(ratings, estimates, summary)
