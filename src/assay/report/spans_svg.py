"""Charts of the page on spans; the table behind a chart is the page's matter."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from assay.report.numbers import count
from assay.report.spans_words import cause, limits, percent
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


CELL, SIDE, HEAD = 50, 80, 30


def heat(rows: Sequence[str], columns: Sequence[str], counts: Any, label: str) -> str:
    """A confusion table: depth of colour by the share of the row, the number in each cell."""
    head = HEAD if all(len(name) <= 9 for name in columns) else 100
    body = []
    for j, name in enumerate(columns):
        x, y = SIDE + CELL * j + CELL / 2, head - 8
        if head == HEAD:
            body.append(text(f"{x:g}", y, name, "dim", anchor="middle"))
        else:
            turned = f'<text class="dim" transform="translate({x:g} {y}) rotate(-40)">'
            body.append(f"{turned}{escape(_cut(name, 18))}</text>")
    for i, name in enumerate(rows):
        y = head + CELL * i
        body.append(text("0", y + CELL / 2 + 5, _cut(name, 10), "dim"))
        total = sum(counts[i]) or 1
        for j, n in enumerate(counts[i]):
            if i == len(rows) - 1 and j == len(columns) - 1:
                continue
            x = SIDE + CELL * j
            depth = 0.04 + 0.46 * n / total
            kind = "cell same" if i == j else "cell"
            body.append(
                f'<rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" '
                f'height="{CELL - 2}" fill-opacity="{depth:.3f}"/>'
            )
            lead = ("lead",) if n and i != j else ()
            body.append(
                text(f"{x + CELL / 2:g}", y + CELL / 2 + 5, count(n), *lead, anchor="middle")
            )
    size = SIDE + CELL * len(columns)
    picture = svg(head + CELL * len(rows), label, body, width=str(size))
    return picture.replace("<svg ", f'<svg style="width:{size}px" ', 1)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
