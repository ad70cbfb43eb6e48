"""Pieces of charts: SVG with real text, that fits any width without a script.

Horizontal places are in per cent of the width and vertical ones in pixels, so text keeps its
size on a phone. Looks come from classes; numbers stand beside every mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import east_asian_width

ROW = 44
SHORT = 20
"""Characters of a remark that fits beside its name, also on a phone."""
LEFT, RIGHT = 1.5, 98.5
"""Where an axis begins and ends, in per cent of the width."""


def text(x: str, y: float, said: str, *classes: str, anchor: str = "start", dx: int = 0) -> str:
    """A piece of text."""
    names = f' class="{" ".join(classes)}"' if classes else ""
    shift = f' dx="{dx}"' if dx else ""
    end = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y:g}"{shift}{end}{names}>{escape(said)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    """A line; x in per cent, y in pixels."""
    return f'<line class="{name}" x1="{x1:.2f}%" y1="{y1:g}" x2="{x2:.2f}%" y2="{y2:g}"/>'


def svg(
    height: float, label: str, body: Sequence[str], width: str = "100%", role: str = "img"
) -> str:
    """A whole picture with its name for those who do not see it; with links, a "group"."""
    said = escape(label, quote=True)
    return (
        f'<svg role="{role}" aria-label="{said}" width="{width}" height="{height:g}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{said}</title>{"".join(body)}</svg>'
    )


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis: (value, what is written there) from the lowest to the highest."""

    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Where a value is, in per cent of the width; beyond the ends it stays at them."""
        low, high = self.ticks[0][0], self.ticks[-1][0]
        share = (value - low) / (high - low)
        return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share))

    def written(self, y: float) -> list[str]:
        """The words under the axis."""
        last = len(self.ticks) - 1
        ends = {0: "start", last: "end"}
        return [
            text(f"{self.place(value):.2f}%", y, said, "dim", anchor=ends.get(i, "middle"))
            for i, (value, said) in enumerate(self.ticks)
        ]


@dataclass(frozen=True, slots=True)
class Dot:
    """One row of a chart of intervals.

    ``said`` is the value in words, or why there is none; ``ghost`` is where it was before.
    """

    name: str
    remark: str
    said: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    ghost: float | None = None


def intervals(dots: Sequence[Dot], axis: Axis, label: str) -> str:
    """Dots with whiskers, one a row, on one axis; a long remark has a line of its own."""
    body = []
    own_line = any(width(dot.remark) > SHORT for dot in dots)
    step = ROW + 24 if own_line else ROW
    bottom = step * len(dots) + 6
    for i, dot in enumerate(dots):
        top = step * i
        shift = 'x="0" dy="17"' if own_line else 'dx="8"'
        body.append(
            f'<text x="0" y="{top + 16}"><tspan class="lead">{escape(dot.name)}</tspan>'
            f'<tspan class="dim" {shift}>{escape(dot.remark)}</tspan></text>'
        )
        body.append(text("100%", top + 16, dot.said, anchor="end"))
        if dot.value is not None:
            body += _whisker(dot, dot.value, axis, top + step - 14)
    body += axis.written(bottom + 16)
    return svg(bottom + 22, label, body)


def width(said: str) -> int:
    """Characters of a text; those that are as wide as they are high count twice."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in said)


def _whisker(dot: Dot, value: float, axis: Axis, y: float) -> list[str]:
    out = [line(LEFT, y, RIGHT, y, "axis")]
    out += [line(axis.place(x), y - 7, axis.place(x), y + 7, "end") for x, _ in axis.ticks]
    if dot.ghost is not None:
        out.append(f'<circle class="ghost" cx="{axis.place(dot.ghost):.2f}%" cy="{y}" r="5"/>')
    if dot.low is not None and dot.high is not None:
        low, high = axis.place(dot.low), axis.place(dot.high)
        out.append(line(low, y, high, y, "whisker"))
        out += [line(x, y - 4, x, y + 4, "whisker") for x in (low, high)]
    return [*out, f'<circle class="dot" cx="{axis.place(value):.2f}%" cy="{y}" r="5"/>']
