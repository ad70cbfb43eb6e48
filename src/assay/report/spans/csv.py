"""Every figure on spans as CSV (RFC 4180): one row a system, mode and type, unrounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.csv_text import csv_text
from assay.report.render import Summary, View

PLAIN = ("mode", "type", "tp", "fp", "fn", "support", "precision", "recall", "f1")
INTERVALS = (
    ("precision", "precision_interval"),
    ("recall", "recall_interval"),
    ("f1", "interval"),
)
COLUMNS = (
    "system",
    *PLAIN,
    *(f"{name}_{end}" for name, _ in INTERVALS for end in ("low", "high")),
    "interval_level",
    "interval_method",
)


def spans_csv(summary: Summary, _view: View) -> str:
    """All modes and types, of each system; what is not defined is empty."""
    return csv_text([COLUMNS, *([name, *_cells(row)] for name, row in _all(summary))])


def _all(summary: Summary) -> Iterator[tuple[str, Any]]:
    systems = summary.get("systems") or ()
    if systems:
        yield from ((one["name"], row) for one in systems for row in one.get("matches") or ())
        return
    name = (summary.get("source") or {}).get("pred") or ""
    yield from ((name, row) for row in summary.get("matches") or ())


def _cells(row: Any) -> list[Any]:
    main = row.get("interval") or {}
    limits = [(row.get(key) or {}).get(end) for _, key in INTERVALS for end in ("low", "high")]
    return [*(row.get(key) for key in PLAIN), *limits, main.get("level"), main.get("method")]
