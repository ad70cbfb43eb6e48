"""``evaluate``: what ratings of systems say about the systems, the raters and themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.corrections import CORRECTIONS
from assay.errors import UsageError, one_of
from assay.estimate import check_level
from assay.evaluation.columns import Names
from assay.evaluation.paired import TESTS, ZEROS
from assay.evaluation.read import Labels, Scale, read_systems
from assay.evaluation.table import SystemRatings
from assay.ratings.categories import Label
from assay.ratings.model import Note
from assay.report.agreement import AgreementReport, agree
from assay.report.evaluate.summary import summarise
from assay.report.rendered import Tabular

if TYPE_CHECKING:
    from assay.report.plots import Plot


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationReport(Tabular):
    """What :func:`evaluate` returns; prints, and shows itself in a notebook, as a table.

    Attributes
    ----------
    ratings
        The ratings as they were read.
    agreement
        The :class:`assay.AgreementReport` of each dimension.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.

    Examples
    --------
    >>> import assay
    >>> rows = [
    ...     {"item": i, "system": s, "rater": r, "score": v}
    ...     for s, values in (("old", (2, 3, 3, 2)), ("new", (4, 4, 5, 3)))
    ...     for i, v in enumerate(values)
    ...     for r in ("ana", "bo")
    ... ]
    >>> report = assay.evaluate(rows, value="score")
    >>> [(one["system"], one["mean_macro"]) for one in report.summary["systems"]]
    [('old', 2.5), ('new', 4.0)]
    """

    ratings: SystemRatings
    agreement: dict[str, AgreementReport]
    summary: dict[str, Any] = field(repr=False)

    def to_html(self) -> str:
        """A page with all tables."""
        from assay.report.render import render

        return render(self.summary, "html")

    def methods(self) -> str:
        """A paragraph for a paper that says how the numbers were made, with the numbers."""
        from assay.report.evaluate.words import methods

        return methods(self.summary)

    def to_heds(self) -> str:
        """A draft of the human evaluation datasheet, in Markdown."""
        from assay.report.evaluate.heds import datasheet

        return datasheet(self.summary)

    def to_raw(self) -> str:
        """Every rating as CSV, also those that were left out, which say so."""
        from assay.report.evaluate.raw import raw_csv

        return raw_csv(self.ratings)

    def plot(self, kind: str, dimension: str | None = None, *, theme: str = "light") -> Plot:
        """A picture that shows itself in a notebook and can be saved as SVG or PNG.

        Parameters
        ----------
        kind
            "means", "ranks", "distribution" (values by system), "raters" (severity) or "usage"
            (values by rater).
        dimension
            Only this one; else all, one under another.
        theme
            "light" or "dark".

        Raises
        ------
        UsageError
            If there is no such picture or dimension.
        InputError
            If there is nothing to draw.
        """
        from assay.report.evaluate.plots import plot

        return plot(self.summary, kind, dimension, theme=theme)

    def _repr_html_(self) -> str:
        from assay.report.evaluate.html import fragment

        return fragment(self.summary)


def evaluate(
    data: Any,
    *,
    item: Names = None,
    system: str | None = None,
    dimension: str | None = None,
    rater: str | None = None,
    value: Names = None,
    metric: Names = None,
    scale: Scale = None,
    order: Labels = None,
    categories: Labels = None,
    missing: Sequence[Label] | str = (),
    repeats: str = "first",
    first: int | None = None,
    lower_better: Sequence[str] | str = (),
    test: str = "wilcoxon",
    correction: str = "holm",
    alpha: float = 0.05,
    zeros: str = "wilcox",
    ddof: int = 1,
    mixed: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    **reading: Any,
) -> EvaluationReport:
    """Means, z-scores, tests between systems, agreement and raters of a human evaluation.

    Parameters
    ----------
    data
        A path, a data frame, a list of records or a dict of columns: one rating a row, one
        row with a value column for each dimension, or several ratings in a row.
    item, system, dimension, rater, value
        Names of columns; found where a column has a usual name. Several value columns are
        one dimension each. ``{k}`` stands for a number: ``system="team{k}"`` with
        ``value="inf{k}"`` reads the columns team1, inf1, team2, inf2, ….
    metric
        Columns with an automatic metric, or a judge's scores, to correlate with the people's.
    scale
        "nominal", "ordinal", "interval" or "ratio", or a mapping of dimensions to these; chosen
        from the values where nothing is said.
    order
        The labels from low to high, or a mapping of dimensions to such lists.
    categories
        All labels, used or not, or a mapping of dimensions to such lists.
    missing
        As in :func:`assay.read`.
    repeats
        Which rating of the same rater, item, system and dimension counts, "first" or "last".
        The others say how far raters agree with themselves; they enter no mean.
    first
        Only the first so many ratings of each output, in the order of the source.
    lower_better
        Dimensions on which a lower value is better.
    test
        Which of "wilcoxon", "sign", "permutation" and "t" decides what is significant; all
        four are in the summary.
    correction
        "holm", "benjamini_hochberg", "bonferroni" or "none", over the pairs of systems of one
        dimension.
    alpha
        The level of significance.
    zeros
        What the signed-rank test does with equal means: "wilcox", "pratt" or "zsplit".
    ddof
        Of the standard deviation in z-scores: 1 divides by n − 1, 0 by n.
    mixed
        Whether to fit a linear mixed model to each dimension as well: systems fixed, items and
        raters random and crossed.
    resamples, seed
        Of the permutation test where it is not exact.
    level
        Of the intervals.
    **reading
        ``format=``, ``encoding=``, ``delimiter=``, ``decimal=``, ``sheet=``, ``header=``: as in
        :func:`assay.read`.

    Returns
    -------
    EvaluationReport

    Raises
    ------
    InputError
        If the data cannot be read.
    UsageError
        If an option has a value that does not exist.
    """
    check_level(level)
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"alpha: a number between 0 and 1 is needed (0.05), not {alpha!r}.")
    one_of(test, TESTS, "test")
    one_of(correction, CORRECTIONS, "correction")
    one_of(zeros, ZEROS, "zeros")
    if ddof not in (0, 1):
        raise UsageError(f"ddof: 0 or 1 is needed, not {ddof!r}.")
    if resamples < 1:
        raise UsageError(f"resamples: 1 or more are needed, not {resamples!r}.")
    ratings = read_systems(
        data,
        item=item,
        system=system,
        dimension=dimension,
        rater=rater,
        value=value,
        metric=metric,
        scale=scale,
        order=order,
        categories=categories,
        missing=missing,
        repeats=repeats,
        first=first,
        **reading,
    )
    names = [d.name for d in ratings.dimensions]
    lower = [lower_better] if isinstance(lower_better, str) else list(lower_better)
    for name in lower:
        one_of(name, names, "lower_better")
    notes = tuple(Note(r.code, r.message, r.level) for r in ratings.remarks)
    agreement = {
        d.name: agree(d.to_ratings(ratings.source, notes), level=level) for d in ratings.dimensions
    }
    settings = {
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "zeros": zeros,
        "ddof": ddof,
        "mixed": bool(mixed),
        "repeats": repeats,
        "first": first,
        "resamples": resamples,
        "seed": seed,
        "lower_better": lower,
    }
    summary = summarise(ratings, agreement, settings, level)
    return EvaluationReport(ratings, agreement, summary)
