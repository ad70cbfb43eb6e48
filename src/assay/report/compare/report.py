"""``compare``: raters against a reference, two rounds, or groups, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assay.agreement.compare import Choice, Difference, differences, exact_mcnemar
from assay.agreement.compare_match import Against, Rounds, against, rounds, table_of
from assay.agreement.fleiss import ESTIMATORS
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.resampling import FEWEST, MOST, whole
from assay.agreement.strata import Strata, strata
from assay.agreement.weights import check_order
from assay.errors import LabelError, UsageError, one_of
from assay.estimate import check_level
from assay.ratings.categories import Categories
from assay.ratings.model import Ratings
from assay.ratings.read import read
from assay.report.agreement import agree
from assay.report.compare.summary import grouped_summary, paired_summary
from assay.report.rendered import Tabular


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport(Tabular):
    """What :func:`compare` returns; prints, and exports, as a table.

    Attributes
    ----------
    pairs
        For raters and rounds: each two sides, with the differences by coefficient.
    strata
        For groups: each coefficient's homogeneity and pooled value.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.
    """

    pairs: dict[tuple[str, str], dict[str, Difference]]
    strata: dict[str, Strata]
    summary: dict[str, Any] = field(repr=False)


def compare(
    first: Any,
    second: Any = None,
    *,
    reference: str | None = None,
    majority: bool = False,
    raters: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
    margin: float | None = None,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    interval: str = "analytic",
    weights: Any = "identity",
    metric: Any = None,
    estimator: str = "gwet",
    **reading: Any,
) -> ComparisonReport:
    """Compare raters with a reference, two rounds of rating, or groups of items.

    Give one of three things. Two sources are two rounds (or two guidelines, two teams) on the
    same items, matched by the items' names: how far do the raters of each agree? One source with
    ``reference`` or ``majority`` compares raters (or judges) with each other: who is nearer to
    the reference? One source with ``by`` compares groups: is agreement the same in all?

    Parameters
    ----------
    first, second
        Anything that :func:`assay.read` takes, or ratings that it returned.
    reference
        The rater that the others are held against.
    majority
        Hold each two raters against the most frequent label of all others; ties are left out.
    raters
        Which raters to compare; all but the reference when omitted.
    by
        The column with the groups.
    names
        What to call the two rounds.
    margin
        For a test that the first is not worse than the second by this much or more.
    resamples, seed
        Of the paired bootstrap and of exchanging the sides.
    level
        Of the intervals; also that of the one-sided limit for a margin.
    interval
        For groups: where their standard errors come from, as in :func:`assay.agree`.
    weights, metric, estimator
        As in :func:`assay.agree`.
    **reading
        Options of :func:`assay.read`, for both sources: ``item=``, ``scale=``, ``cluster=``, ….

    Returns
    -------
    ComparisonReport

    Raises
    ------
    DesignError
        If the sides share no item, or it is not known who gave which rating.
    UsageError
        If the options do not say one of the three.

    Examples
    --------
    >>> import assay
    >>> gold, a, b = list("aabbabba"), list("aabbabaa"), list("abababab")
    >>> report = assay.compare({"gold": gold, "a": a, "b": b}, reference="gold", seed=1)
    >>> found = report.pairs["a", "b"]["cohen_kappa"]
    >>> found.first.value, found.second.value, found.value
    (0.75, 0.0, 0.75)
    """
    check_level(level)
    one_of(estimator, ESTIMATORS, "estimator")
    whole("resamples", resamples, FEWEST, MOST)
    whole("seed", seed, 0)
    kind = _kind(second, reference, majority, by, margin, names)
    choices = {"weights": weights, "metric": metric, "estimator": estimator}
    settings = {**choices, "level": level, "resamples": resamples, "seed": seed, "margin": margin}
    if kind == "groups":
        return _groups(first, by, interval, settings, raters, reading)
    if interval != "analytic":
        raise UsageError(
            "interval: raters and rounds are compared by paired resampling; groups alone take "
            "another error."
        )
    choice = Choice(level, resamples, seed, _margin(margin))
    if kind == "raters":
        if reference is not None and raters is not None and not isinstance(first, Ratings):
            # Other columns are not raters, and their labels none.
            reading["raters"] = [*raters, reference]
        return _raters(_read(first, reading), raters, reference, choices, settings, choice)
    if raters is not None:
        reading["raters"] = raters
    return _rounds(first, second, names, choices, settings, choice, reading)


def _margin(margin: Any) -> float | None:
    if margin is None:
        return None
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 <= margin < 1:
        raise UsageError(f"margin: a number from 0 to below 1 is needed, not {margin!r}.")
    return float(margin)


def _kind(
    second: Any,
    reference: str | None,
    majority: bool,
    by: Any,
    margin: float | None,
    names: Any,
) -> str:
    asked = {
        "two sources": second is not None,
        "reference": reference is not None,
        "majority": majority,
        "by": by is not None,
    }
    found = [name for name, given in asked.items() if given]
    if len(found) != 1:
        raise UsageError(
            f"compare: one of two sources, reference, majority or by is needed, not "
            f"{' and '.join(found) or 'none'}. Two sources: two rounds on the same items; "
            "reference or majority: raters with each other; by: groups of items."
        )
    if by is not None and margin is not None:
        raise UsageError("margin: non-inferiority is of two sides on the same items, not groups.")
    if names is not None and second is None:
        raise UsageError("names: they are those of two rounds.")
    if second is not None:
        return "rounds"
    return "groups" if by is not None else "raters"


def _context(ratings: Ratings, choices: dict[str, Any]) -> Context:
    from assay.ratings.reductions import Reduced

    scale = ratings.scale or "nominal"
    if scale == "ordinal" or (scale == "circular" and not ratings.categories.numeric):
        check_order(ratings.categories, f"{scale} results")
    elif scale != "nominal" and not ratings.categories.numeric and len(ratings.categories):
        raise LabelError(f"scale: {scale} needs labels that are numbers.")
    return Context(Reduced.of(ratings), scale=scale, period=ratings.period, **choices)


def _raters(
    ratings: Ratings,
    raters: Sequence[str] | None,
    reference: str | None,
    choices: dict[str, Any],
    settings: dict[str, Any],
    choice: Choice,
) -> ComparisonReport:
    if ratings.group_names:
        raise UsageError("by: raters are compared over all items; choose a group first.")
    wanted = list(raters) if raters is not None else [r for r in ratings.raters if r != reference]
    table = table_of(ratings)
    found: list[Against] = against(ratings, wanted, reference, table)
    context = _context(ratings, choices)
    pairs = {}
    parts = []
    for one in found:
        made = differences(one.pairing, context, choice)
        pairs[one.first, one.second] = {d.name: d for d in made}
        parts.append((one, made, exact_mcnemar(one.pairing)))
    summary = paired_summary(ratings, None, context, settings, parts, reference)
    return ComparisonReport(pairs, {}, summary)


def _rounds(
    first: Any,
    second: Any,
    names: tuple[str, str] | None,
    choices: dict[str, Any],
    settings: dict[str, Any],
    choice: Choice,
    reading: dict[str, Any],
) -> ComparisonReport:
    one, other = (_read(x, reading) for x in (first, second))
    if one.group_names or other.group_names:
        raise UsageError("by: two rounds are compared over all their shared items.")
    one, other = _same_labels(one, other)
    found: Rounds = rounds(one, other)
    context = _context(one, choices)
    made = differences(found.pairing, context, choice)
    called = names or _called(one, other)
    summary = paired_summary(one, other, context, settings, [(found, made, None)], None, called)
    return ComparisonReport({called: {d.name: d for d in made}}, {}, summary)


def _read(source: Any, reading: dict[str, Any]) -> Ratings:
    return source if isinstance(source, Ratings) and not reading else read(source, **reading)


def _called(one: Ratings, other: Ratings) -> tuple[str, str]:
    from pathlib import PurePath

    names = [PurePath(r.reading.source).name for r in (one, other)]
    return ("first", "second") if names[0] == names[1] else (names[0], names[1])


def _same_labels(one: Ratings, other: Ratings) -> tuple[Ratings, Ratings]:
    """Both on one set of labels: declared the same, or all that occur on either side."""
    a, b = one.categories, other.categories
    scale = one.scale or other.scale
    if (one.scale or scale) != (other.scale or scale):
        raise LabelError(f"the first is on a {one.scale} scale and the second on a {other.scale}.")
    one, other = one.with_scale(scale), other.with_scale(scale)
    if a.texts == b.texts:
        return one, other
    if a.declared and b.declared:
        raise LabelError(
            f"the two declare different labels: {', '.join(a.texts[:6])}, and "
            f"{', '.join(b.texts[:6])}."
        )
    if a.declared or b.declared:
        known = a if a.declared else b
        key = "order" if known.ordered and not known.numeric else "categories"
        options: dict[str, Any] = {key: list(known)}
    else:
        union = {text: label for c in (a, b) for text, label in zip(c.texts, c, strict=True)}
        numeric = a.numeric and b.numeric
        labels = sorted(union.values()) if numeric else [union[t] for t in sorted(union)]
        options = {"categories": labels}
    return tuple(read(r, scale=scale, **options) for r in (one, other))  # type: ignore[return-value]


def _groups(
    data: Any,
    by: Any,
    interval: str,
    settings: dict[str, Any],
    raters: Sequence[str] | None,
    reading: dict[str, Any],
) -> ComparisonReport:
    chosen = {**reading, "by": by} | ({} if raters is None else {"raters": raters})
    ratings = read(data, **chosen)
    if interval == "analytic" and ratings.has_clusters:
        raise UsageError("cluster: clusters are drawn with interval='jackknife' or 'bootstrap'.")
    # One set of labels for all groups, or coefficients that count labels would differ by that.
    own = ratings.categories
    labels = Categories(own.labels, declared=True, ordered=own.ordered, texts=own.texts)
    keys = ("weights", "metric", "estimator", "level", "resamples", "seed")
    report = agree(
        replace(ratings, categories=labels), interval=interval, **{k: settings[k] for k in keys}
    )
    if len(report.groups) < 2:
        raise UsageError(f"by: there are not two groups to compare, but {len(report.groups)}.")
    found = {
        name: strata(name, {group: part[name] for group, part in report.groups.items()})
        for name in COEFFICIENTS
        if any(
            (why := part[name].undefined) is None or why.code != "not_applicable"
            for part in report.groups.values()
        )
    }
    summary = grouped_summary(report, found, settings, declared=own.declared)
    return ComparisonReport({}, found, summary)
