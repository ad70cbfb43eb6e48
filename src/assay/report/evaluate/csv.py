"""An evaluation as CSV (RFC 4180): one row a system and dimension, unrounded."""

from __future__ import annotations

from assay.csv_text import csv_text
from assay.report.evaluate.words import Summary
from assay.report.render import View

PLAIN = (
    "system",
    "dimension",
    "ratings",
    "items",
    "raters",
    "mean_micro",
    "mean_macro",
    "mean_raters",
    "median",
    "standard_deviation",
    "standard_error",
    "z_micro",
    "z_macro",
    "z_ratings",
    "rank",
    "rank_low",
    "rank_high",
    "letters",
)
NESTED = (
    ("interval_level", "interval", "level"),
    ("interval_low", "interval", "low"),
    ("interval_high", "interval", "high"),
    ("interval_method", "interval", "method"),
    ("undefined_code", "undefined", "code"),
    ("undefined_reason", "undefined", "reason"),
    ("no_z_code", "no_z", "code"),
    ("no_z_reason", "no_z", "reason"),
)


def evaluate_csv(summary: Summary, _view: View) -> str:
    """All systems on all dimensions, also where there is no mean."""
    rows = [[*PLAIN, *(name for name, _, _ in NESTED)]]
    for row in summary["systems"]:
        cells = [row[name] for name in PLAIN]
        rows.append(cells + [(row[outer] or {}).get(inner) for _, outer, inner in NESTED])
    return csv_text(rows)
