"""The coefficients as CSV (RFC 4180): one row each, unrounded, numbers as machines write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.csv_text import csv_text
from assay.report.render import Summary, View, parts

PLAIN = (
    "name",
    "full_name",
    "value",
    "observed",
    "expected",
    "standard_error",
    "p_value",
    "maximum",
    "items",
    "raters",
    "ratings",
    "convention",
    "reference",
)
NESTED = (
    ("interval_level", "interval", "level"),
    ("interval_low", "interval", "low"),
    ("interval_high", "interval", "high"),
    ("interval_method", "interval", "method"),
    ("undefined_code", "undefined", "code"),
    ("undefined_reason", "undefined", "reason"),
)
COLUMNS = (*PLAIN[:6], *(name for name, _, _ in NESTED), *PLAIN[6:])


def tables_csv(summary: Summary, _view: View) -> str:
    """All coefficients, also those without a value; with groups a first column names them."""
    found = parts(summary)
    named = "groups" in summary
    rows: list[list[Any]] = [[*(["group"] if named else []), *COLUMNS]]
    for group, part in found:
        for c in part.get("coefficients", ()):
            row = _fields(c)
            rows.append([*([group] if named else []), *(row[name] for name in COLUMNS)])
    return csv_text(rows)


def _fields(c: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: c.get(name) for name in PLAIN}
    for name, outer, inner in NESTED:
        row[name] = (c.get(outer) or {}).get(inner)
    return row
