"""Charts of the page on spans; the table behind a chart is the page's matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.report import charts_heat
from assay.report.charts_heat import Cell
from assay.report.numbers import count
from assay.report.spans.words import cause, limits, percent
from assay.report.svg import Axis, Dot, intervals, svg, text

SHARES = Axis(((0.0, "0"), (0.5, "50"), (1.0, "100")))


def whiskers(rows: Sequence[tuple[str, str, Any]], label: str) -> str:
    """Dots with whiskers on one axis from 0 to 100: (name, remark, row of ``matches``).

    A row without a value has its name and a word in place of the dot.
    """
    return intervals([_dot(*row) for row in rows], SHARES, label)


def _dot(name: str, remark: str, row: Any) -> Dot:
    value, interval = row.get("f1"), row.get("interval")
    if value is None:
        return Dot(name, remark, "not defined")
    said = f"{percent(value)} {limits(interval, '')}".strip()
    low, high = (interval["low"], interval["high"]) if interval else (None, None)
    return Dot(name, remark, said, value, low, high)


def bars(rows: Sequence[Any], label: str) -> str:
    """Causes as pairs of bars: false positives filled, false negatives outlined."""
    most = max((max(row["fp"], row["fn"]) for row in rows), default=0) or 1
    body = []
    step = 60
    for i, row in enumerate(rows):
        top = step * i
        body.append(text("0", top + 14, cause(row["cause"]), "lead"))
        for k, key in enumerate(("fp", "fn")):
            y = top + 21 + 16 * k
            width = 78.0 * row[key] / most
            if row[key]:
                inset = 1 if key == "fn" else 0
                body.append(
                    f'<rect class="{key}" x="{inset}" y="{y + inset}" '
                    f'width="{width:.2f}%" height="{12 - 2 * inset}"/>'
                )
            said = f"{count(row[key])} {key.upper()}"
            body.append(text(f"{width:.2f}%", y + 11, said, dx=8 if row[key] else 0))
    return svg(step * len(rows), label, body)


def heat(rows: Sequence[str], columns: Sequence[str], counts: Any, label: str) -> str:
    """A confusion table: depth of colour by the share of the row, the number in each cell."""
    cells: list[list[Cell | None]] = []
    for i, row in enumerate(counts):
        total = sum(row) or 1
        cells.append(
            [
                Cell(count(n), n / total, "same" if i == j else "cell", bool(n) and i != j)
                for j, n in enumerate(row)
            ]
        )
    # Neither missed nor spurious is nothing.
    cells[-1][-1] = None
    return charts_heat.heat(rows, columns, cells, label)
