"""The mixed model of an evaluation as plain values, and its tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.corrections import CORRECTIONS, corrected
from assay.evaluation.mixed import LEVELS, METHOD, MixedModel, mixed_model
from assay.evaluation.table import Dimension
from assay.report.evaluate.figures import decimals, mean, span
from assay.report.evaluate.rows import Table, pair_name, several
from assay.report.evaluate.words import CORRECTIONS as NAMES
from assay.report.evaluate.words import Summary, listing
from assay.report.layout import brief
from assay.report.numbers import coefficient, count, level, p_value, percent

EFFECTS = {"item": "items", "rater": "raters", "residual": "residual"}


def mixed_rows(made: Dimension, settings: Mapping[str, Any], at: float) -> dict[str, Any]:
    """The model of one dimension, with corrections over its pairs of systems."""
    found = mixed_model(made)
    reason = found.undefined
    return {
        "dimension": made.name,
        "method": METHOD,
        "ratings": found.ratings,
        "items": found.levels.get("item"),
        "raters": found.levels.get("rater"),
        "random": list(found.random),
        "left_out": [
            {"effect": name, "code": why.code, "reason": why.reason} for name, why in found.left_out
        ],
        "variances": [
            {"effect": name, "variance": value, "share": found.shares[name]}
            for name, value in found.variances.items()
        ],
        "log_likelihood": found.log_likelihood,
        "differences": _differences(made, found, settings, at),
        "notes": [{"code": one.code, "message": one.message} for one in found.remarks],
        "undefined": None if reason is None else {"code": reason.code, "reason": reason.reason},
    }


def _differences(
    made: Dimension, found: MixedModel, settings: Mapping[str, Any], at: float
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for one in found.differences:
        limits = one.interval(at)
        rows.append(
            {
                "a": made.system_names[one.first],
                "b": made.system_names[one.second],
                "difference": one.value,
                "standard_error": one.standard_error,
                "interval": {
                    "level": limits.level,
                    "low": limits.low,
                    "high": limits.high,
                    "method": limits.method,
                },
                "statistic": one.statistic,
                "p_value": one.p_value,
            }
        )
    plain = [row["p_value"] for row in rows]
    for method in CORRECTIONS:
        for row, p in zip(rows, corrected(plain, method), strict=True):
            if method != "none":
                row[method] = p
            if method == settings["correction"]:
                row["p_decisive"] = p
                row["significant"] = p is not None and p < settings["alpha"]
    return rows


def differences(summary: Summary) -> Table | None:
    """Every pair of systems under the model: difference, error, interval, p."""
    found = [one for one in summary["mixed"] or () if one["differences"]]
    if not found:
        return None
    places = decimals(summary)
    rows = []
    for model in found:
        digits = places[model["dimension"]]
        rows += [
            (
                pair_name({"dimension": model["dimension"], **one}, summary),
                mean(one["difference"], digits),
                mean(one["standard_error"], digits + 1),
                span(one["interval"], digits),
                coefficient(one["statistic"]),
                p_value(one["p_decisive"]) + ("*" if one["significant"] else ""),
            )
            for one in model["differences"]
        ]
    settings = summary["settings"]
    return Table(
        ("Pair", "Difference", "SE", "Interval", "z", "p"),
        rows,
        f"Mixed model: differences between systems, {level(summary['level'])} intervals. p: Wald, "
        f"corrected: {NAMES[settings['correction']]}; * below {settings['alpha']:g}.",
    )


def variances(summary: Summary) -> Table | None:
    """What items, raters and the rest add to the variance of a rating, and their shares."""
    found = [one for one in summary["mixed"] or () if one["variances"]]
    if not found:
        return None
    rows = []
    for model in found:
        where = f"{brief(model['dimension'], 20)}: " if several(summary) else ""
        levels = {"item": model["items"], "rater": model["raters"], "residual": model["ratings"]}
        for one in model["variances"]:
            name = where + EFFECTS[one["effect"]]
            share = percent(one["share"])
            shown = f"{one['variance']:#.3g}".removesuffix(".")
            rows.append((name, count(levels[one["effect"]]), shown, share))
    caption = (
        "Mixed model: variances of a rating, and their shares. The residual holds all that "
        "is not the same for every system: items and raters that suit one of them, and chance."
    )
    return Table(("Effect", "n", "Variance", "Share"), rows, caption)


def sentences(summary: Summary) -> list[str]:
    """What is not in a model, what to know about it, and where there is none."""
    about: dict[str, list[str]] = {}
    for model in summary["mixed"] or ():
        texts = [
            f"without {LEVELS[one['effect']]}, because {one['reason']}"
            for one in model["left_out"]
            if not model["undefined"]
        ]
        texts += [one["message"] for one in model["notes"]]
        if model["undefined"]:
            texts = [f"not defined, because {model['undefined']['reason']}"]
        for text in texts:
            about.setdefault(text, []).append(model["dimension"])
    every = len(summary["dimensions"])
    return [
        f"Mixed model{f' of {listing(names)}' if len(names) < every else ''}: {text}."
        for text, names in about.items()
    ]
