"""Charts of the page on spans, as SVG with real text that fits any width without a script.

Horizontal places are in per cent of the width and vertical ones in pixels, so text keeps its
size on a phone. Numbers stand beside every mark; the table behind a chart is the page's matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from assay.report.numbers import count
from assay.report.spans_words import cause, limits, percent

ROW = 44
LEFT, RIGHT = 1.5, 98.5
"""Where 0 and 1 are, in per cent of the width."""


def text(x: str, y: float, said: str, *classes: str, anchor: str = "start", dx: int = 0) -> str:
    """A piece of text."""
    names = f' class="{" ".join(classes)}"' if classes else ""
    shift = f' dx="{dx}"' if dx else ""
    end = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y:g}"{shift}{end}{names}>{escape(said)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    """A line; x in per cent, y in pixels."""
    return f'<line class="{name}" x1="{x1:.2f}%" y1="{y1:g}" x2="{x2:.2f}%" y2="{y2:g}"/>'


def svg(height: float, label: str, body: Sequence[str], width: str = "100%") -> str:
    """A whole picture with its name for those who do not see it."""
    said = escape(label, quote=True)
    return (
        f'<svg role="img" aria-label="{said}" width="{width}" height="{height:g}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{said}</title>{"".join(body)}</svg>'
    )


def place(share: float) -> float:
    """Where a share from 0 to 1 is on the axis, in per cent of the width."""
    return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share))


def whiskers(rows: Sequence[tuple[str, str, Any]], label: str) -> str:
    """Dots with whiskers on one axis from 0 to 100: (name, remark, row of ``matches``).

    A row without a value has its name and a word in place of the dot.
    """
    body = []
    bottom = ROW * len(rows) + 6
    for i, (name, remark, row) in enumerate(rows):
        top = ROW * i
        body.append(
            f'<text x="0" y="{top + 16}"><tspan class="lead">{escape(name)}</tspan>'
            f'<tspan class="dim" dx="8">{escape(remark)}</tspan></text>'
        )
        body += _dot(row, top)
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        x = f"{place(share):.2f}%"
        body.append(text(x, bottom + 16, f"{100 * share:g}", "dim", anchor=anchor))
    return svg(bottom + 22, label, body)


def _dot(row: Any, top: float) -> list[str]:
    value, interval = row.get("f1"), row.get("interval")
    if value is None:
        return [text("100%", top + 16, "not defined", "dim", anchor="end")]
    said = f"{percent(value)} {limits(interval, '')}".strip()
    y = top + 30
    out = [text("100%", top + 16, said, anchor="end")]
    out.append(line(LEFT, y, RIGHT, y, "axis"))
    out += [line(place(x), y - 7, place(x), y + 7, "end") for x in (0.0, 0.5, 1.0)]
    if interval:
        low, high = place(interval["low"]), place(interval["high"])
        out.append(line(low, y, high, y, "whisker"))
        out += [line(x, y - 4, x, y + 4, "whisker") for x in (low, high)]
    return [*out, f'<circle class="dot" cx="{place(value):.2f}%" cy="{y}" r="5"/>']


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
