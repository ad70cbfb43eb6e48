"""A draft of the datasheet of a table of ratings: what they tell, and what is to do."""

from __future__ import annotations

from pathlib import PurePath

from assay.report.evaluate.words import Summary, alpha, listing, lower, methods, of
from assay.report.heds import TODO, agreed, sheet, systems
from assay.report.markdown import escape
from assay.report.numbers import coefficient, count, counted


def datasheet(summary: Summary) -> str:
    """The draft of a table of ratings."""
    names = [one["dimension"] for one in summary["dimensions"]]
    criteria = [(name, rated(summary, name)) for name in names]
    return sheet(from_ratings(summary), criteria, methods(summary), "the ratings")


def from_ratings(summary: Summary) -> dict[str, str]:
    """What ratings tell of outputs and evaluators."""
    source = summary["source"]
    file = escape(PurePath(source["name"]).name)
    outputs = max(d["outputs"] for d in summary["dimensions"])
    per = [d["ratings_per_output"] for d in summary["dimensions"]]
    least, most = min(p["least"] for p in per), max(p["most"] for p in per)
    each = str(least) if least == most else f"{least} to {most}"
    loads = [r["ratings"] for r in summary["raters"]]
    out = {
        "resources": (
            f"{TODO} (the ratings of each rater: `assay evaluate … --raw ratings.csv`; "
            f"they were read from {file})"
        ),
        "outputs": counted(outputs, "output"),
        "per_output": f"{each} on each criterion",
    }
    if source["system_names"]:
        out["systems"] = systems(source["system_names"])
        out["outputs"] += (
            f": {counted(source['items'], 'item')} of {counted(source['systems'], 'system')}"
        )
    if loads:
        out["load"] = f"{count(min(loads))} to {count(max(loads))} ratings a rater and dimension"
    if source["raters"] is not None:
        out["raters"] = counted(source["raters"], "rater")
        out["repeats"] = "no rater met an output again"
    if source["repeats"]:
        out["repeats"] = (
            f"{counted(source['repeats'], 'rating')} repeat an earlier one of the same rater"
        )
    return out


def rated(summary: Summary, name: str) -> dict[str, str]:
    """What ratings tell of a criterion."""
    (one,) = of(summary, "dimensions", name)
    scale = f"{one['scale']} scale"
    if one["lowest"] is not None:
        scale += f"; values from {one['lowest']:g} to {one['highest']:g} were used"
    if one["labels"] and len(one["labels"]) <= 11:
        scale += f" ({', '.join(escape(x) for x in one['labels'])})"
    if name in lower(summary):
        scale += "; lower is better"
    means = any(r["mean_macro"] is not None for r in of(summary, "systems", name))
    return {
        "scale": f"{scale} {TODO}: the points as worded",
        "results": f"{'means over items' if means else 'shares of labels'}; see below",
        "tests": "see below" if of(summary, "comparisons", name) else "none",
        "agreement": agreed(alpha(summary, name)),
        "own": again(summary, name),
    }


def again(summary: Summary, name: str) -> str:
    """How far raters agree with themselves on a criterion."""
    found = [
        f"{one['pairs']} repeated outputs, alpha "
        + coefficient(next(c["value"] for c in one["coefficients"]
                           if c["name"] == "krippendorff_alpha"))
        for one in of(summary, "intra_rater", name)
    ]  # fmt: skip
    return listing(found) or "not measured"
