"""What a reader should know about intervals that were resampled or corrected."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.agreement.diagnosis import Finding
from assay.agreement.registry import short_title
from assay.estimate import Estimate, Interval
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced

FEW_CLUSTERS = 20


def how_made(ratings: Ratings, settings: dict[str, Any]) -> dict[str, Any]:
    """The options behind the intervals, as plain values."""
    drawing = settings["drawing"]
    drawn = drawing.interval in ("bootstrap", "bca")
    clustered = ratings.has_clusters and drawing.interval != "analytic"
    return {
        "made_by": drawing.interval,
        "resamples": drawing.resamples if drawn else None,
        "seed": drawing.seed if drawn else None,
        "resample": drawing.resample if drawn else None,
        "cluster": ratings.cluster_column if clustered else None,
        "population": drawing.population,
        "raters_sampled": drawing.raters_sampled,
        "p_values": "analytic",
    }


def about_intervals(
    ratings: Ratings, estimates: dict[str, Estimate], names: list[str], settings: dict[str, Any]
) -> list[Finding]:
    """Warnings on the chosen coefficients' intervals."""
    drawing = settings["drawing"]
    found = []
    if ratings.has_clusters and drawing.interval == "analytic":
        found.append(
            Finding(
                "clusters_not_used",
                f"items are in clusters ({ratings.cluster_column}), and analytic errors take them "
                "as independent: intervals may be too narrow. Draw clusters with --interval "
                "bootstrap, bca or jackknife.",
            )
        )
    members = Reduced.of(ratings).members
    if members is not None and drawing.interval != "analytic":
        count = np.unique(members.clusters).size
        if count < FEW_CLUSTERS:
            found.append(
                Finding(
                    "few_clusters",
                    f"{count} clusters ({ratings.cluster_column}): intervals from fewer than "
                    f"{FEW_CLUSTERS} clusters are rough, and most often too narrow.",
                )
            )
    lost = []
    for name in names:
        interval = estimates[name].interval(settings["level"])
        if isinstance(interval, Interval) and interval.undefined and interval.resamples:
            share = interval.undefined / interval.resamples
            lost.append(f"{short_title(estimates[name])} {100 * share:.1f} %")
    if lost:
        found.append(
            Finding(
                "undefined_resamples",
                f"resamples in which there is no value, left out of the interval: {'; '.join(lost)}"
                "; the interval holds for data on which the coefficient exists.",
            )
        )
    return found
