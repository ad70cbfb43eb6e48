"""An evaluation as CSV (RFC 4180): one row a system and dimension, unrounded.

Where values are names, which have no means, one row more for each label a system was given.
"""

from __future__ import annotations

from assay.csv_text import csv_text
from assay.report.evaluate.rows import unordered
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
LABEL = ("label", "count", "share")


def evaluate_csv(summary: Summary, _view: View) -> str:
    """All systems on all dimensions, also where there is no mean."""
    names = set(unordered(summary))
    rows: list[list[object]] = [[*PLAIN, *(name for name, _, _ in NESTED), *LABEL]]
    for row in summary["systems"]:
        cells = [row[name] for name in PLAIN]
        nested = [(row[outer] or {}).get(inner) for _, outer, inner in NESTED]
        rows.append([*cells, *nested, *([None] * len(LABEL))])
        if row["dimension"] in names:
            blank = [None] * (len(PLAIN) - 2 + len(NESTED))
            rows += [
                [row["system"], row["dimension"], *blank, *(one[name] for name in LABEL)]
                for one in row["shares"]
            ]
    return csv_text(rows)
