"""The summary of an evaluation: one plain dictionary, unrounded, that every renderer reads."""

from __future__ import annotations

from typing import Any

from assay.estimate import Interval, Undefined
from assay.evaluation.one_way import one_way
from assay.evaluation.systems import SystemMeans, system_means
from assay.evaluation.table import Dimension, Remark, SystemRatings
from assay.report.agreement import AgreementReport
from assay.report.evaluate.mixed import mixed_rows
from assay.report.evaluate.pairs import comparisons, ranks
from assay.report.evaluate.raters import intra_rater, metric_rows, rater_rows
from assay.report.evaluate.remarks import remarks
from assay.report.summary import coefficient_dict

SHOWN_LABELS = 50
"""Beyond so many different values, numbers have no shares, and names those that were given."""


def summarise(
    ratings: SystemRatings,
    agreement: dict[str, AgreementReport],
    settings: dict[str, Any],
    level: float,
) -> dict[str, Any]:
    """Everything a report shows, as plain values."""
    import assay
    from assay.report.evaluate.words import headline

    systems, pairs = [], []
    for made in ratings.dimensions:
        rows = system_means(made, settings["ddof"])
        higher = made.name not in settings["lower_better"]
        found = comparisons(made, rows, settings, level, higher=higher)
        places = ranks(made, rows, found, higher=higher)
        systems += [_system(made, row, places.get(row.system), level) for row in rows]
        pairs += found
    raters = [row for made in ratings.dimensions for row in rater_rows(made, level)]
    metrics, scored = metric_rows(ratings, level)
    source = _source(ratings)
    summary: dict[str, Any] = {
        "assay": assay.__version__,
        "kind": "evaluation",
        "level": level,
        "headline": [],
        "source": source,
        "settings": settings,
        "dimensions": [_dimension(made, settings) for made in ratings.dimensions],
        "systems": systems,
        "comparisons": pairs,
        "mixed": [mixed_rows(made, settings, level) for made in ratings.dimensions]
        if settings["mixed"]
        else None,
        "agreement": [{"dimension": name, **report.summary} for name, report in agreement.items()],
        "one_way": [
            {"dimension": made.name, **coefficient_dict(one_way(made), level)}
            for made in ratings.dimensions
        ],
        "intra_rater": [row for made in ratings.dimensions for row in intra_rater(made, level)],
        "raters": raters,
        "metrics": metrics,
    }
    said = [*ratings.remarks, *remarks(ratings, summary, scored)]
    source["notes"] = [_remark(r) for r in said if r.level != "warning"]
    summary["warnings"] = [_remark(r) for r in said if r.level == "warning"]
    summary["headline"] = headline(summary)
    return summary


def _remark(one: Remark) -> dict[str, str | None]:
    return {
        "code": one.code,
        "level": one.level,
        "dimension": one.dimension,
        "message": one.message,
    }


def _source(ratings: SystemRatings) -> dict[str, Any]:
    every = ratings.dimensions
    return {
        "name": ratings.source,
        "rows": ratings.rows,
        "items": len({i for d in every for i in d.items.tolist()}),
        "systems": len({s for d in every for s in d.systems.tolist()}),
        "system_names": list(ratings.system_names) if ratings.has_systems else [],
        "raters": _raters(every),
        "ratings": sum(d.n for d in every),
        "repeats": sum(d.repeats.n for d in every if d.repeats),
        "cut": sum(d.cut.n for d in every if d.cut),
        "missing": sum(d.missing for d in every),
        "notes": [],
    }


def _raters(every: tuple[Dimension, ...]) -> int | None:
    if any(d.raters is None for d in every):
        return None
    return len({r for d in every if d.raters is not None for r in d.raters.tolist()})


def _dimension(made: Dimension, settings: dict[str, Any]) -> dict[str, Any]:
    counts = made.units.counts()
    points = made.points
    few = len(made.categories) <= SHOWN_LABELS
    return {
        "dimension": made.name,
        "scale": made.scale,
        "scale_declared": made.declared,
        "better": "lower" if made.name in settings["lower_better"] else "higher",
        "labels": list(made.categories.texts) if few else [],
        "lowest": None if points is None or not len(points) else float(points.min()),
        "highest": None if points is None or not len(points) else float(points.max()),
        "ratings": made.n,
        "outputs": made.units.size,
        "ratings_per_output": {
            "least": int(counts.min()),
            "mean": float(counts.mean()),
            "most": int(counts.max()),
        },
        "repeats": 0 if made.repeats is None else made.repeats.n,
        "cut": 0 if made.cut is None else made.cut.n,
        "missing": made.missing,
    }


def why(reason: Undefined | None) -> dict[str, str] | None:
    """A reason as plain values."""
    return None if reason is None else {"code": reason.code, "reason": reason.reason}


def _limits(got: Interval | Undefined) -> dict[str, Any] | None:
    if isinstance(got, Undefined):
        return None
    return {"level": got.level, "low": got.low, "high": got.high, "method": got.method}


def _system(
    made: Dimension, row: SystemMeans, place: dict[str, Any] | None, level: float
) -> dict[str, Any]:
    limits = row.macro.interval(level)
    return {
        "system": made.system_names[row.system],
        "dimension": made.name,
        "ratings": row.ratings,
        "items": row.items,
        "raters": row.raters,
        "mean_micro": row.micro,
        "mean_macro": row.macro.value,
        "mean_raters": row.macro_raters,
        "undefined": why(row.macro.undefined),
        "standard_error": row.macro.standard_error,
        "interval": _limits(limits),
        "no_interval": why(limits) if isinstance(limits, Undefined) else None,
        "median": row.median,
        "standard_deviation": row.standard_deviation,
        "z_micro": row.z_micro,
        "z_macro": row.z_macro.value,
        "z_interval": _limits(row.z_macro.interval(level)),
        "z_ratings": row.z_ratings,
        "no_z": why(row.no_z),
        **(place or dict.fromkeys(("rank", "rank_low", "rank_high", "letters", "no_letters"))),
        "shares": _shares(made, row),
    }


def _shares(made: Dimension, row: SystemMeans) -> list[dict[str, Any]]:
    """How often each label was given; of many names, which may be free text, only those given."""
    many = len(made.categories) > SHOWN_LABELS
    if many and made.points is not None:
        return []
    return [
        {"label": label, "count": count, "share": share}
        for label, count, share in zip(
            made.categories.texts, row.counts.tolist(), row.shares.tolist(), strict=True
        )
        if count or not many
    ]
