"""Panels of plots: several drawings under one another, and axes that hold what is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.layout import brief
from assay.report.numbers import MINUS, count
from assay.report.plots import WIDTH
from assay.report.svg import Axis, Dot, svg, text

ROWS = 100
"""The most systems or raters of a panel; a sentence says how many are not drawn."""
NAME, REASON = 36, 88
"""Characters of a name beside figures, and of a reason on a line of its own."""
HEADING, GAP = 30, 22


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a picture: what it is of, its drawing, and its rows of the table."""

    name: str
    drawing: str
    rows: tuple[tuple[str, ...], ...]


def axis(low: float, high: float) -> Axis:
    """An axis with round ticks that holds both ends.

    >>> [said for _, said in axis(1.2, 4.9).ticks]
    ['1', '2', '3', '4', '5']
    >>> [said for _, said in axis(-0.3, 0.2).ticks]
    ['−0.3', '−0.2', '−0.1', '0', '0.1', '0.2']
    """
    if not high > low:
        # One value alone still needs a length to stand on.
        half = max(abs(low), 1.0) / 2
        low, high = low - half, high + half
    raw = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next(k for k in (1, 2, 5, 10) if k * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [k * step for k in range(first, last + 1)]
    return Axis(tuple((x, f"{x:.10g}".replace("-", MINUS)) for x in ticks))


def rank_axis(most: int) -> Axis:
    """Ranks from 1 to the last, with the best at the left."""
    step = max(1, math.ceil((most - 1) / 8))
    inner = [k for k in range(1, most, step) if most - k >= step / 2]
    ticks = sorted({1, *inner, max(2, most)})
    return Axis(tuple((float(k), str(k)) for k in ticks))


def stacked(panels: Sequence[Panel], label: str) -> str:
    """Panels under one another, each under its name where there are several."""
    body, y, across = [], 0.0, 0.0
    for panel in panels:
        if len(panels) > 1:
            body.append(text("0", y + 18, brief(panel.name, 60), "lead"))
            y += HEADING
        body.append(panel.drawing.replace("<svg ", f'<svg y="{y:g}" ', 1))
        height = _size(panel.drawing, "height")
        across = max(across, _size(panel.drawing, "width"))
        y += height + GAP
    width = f"{max(across, WIDTH):g}" if across > WIDTH else "100%"
    return svg(y - GAP, label, body, width)


def _size(drawing: str, name: str) -> float:
    found = drawing.split(f' {name}="', 1)[1].split('"', 1)[0]
    return 0.0 if found.endswith("%") else float(found)


def limits(got: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    """The ends of an interval."""
    return (None, None) if got is None else (got["low"], got["high"])


def spread(dots: Sequence[Dot], *more: float | None) -> Axis:
    """An axis that holds all dots with their whiskers."""
    ends = [x for dot in dots for x in (dot.value, dot.low, dot.high)]
    known = [x for x in (*ends, *more) if x is not None]
    return axis(min(known), max(known))


def remark(row: Mapping[str, Any], said: str) -> str:
    """What is beside a name, and why an interval is missing."""
    missing = "value" if row.get("undefined") else "interval"
    why = row.get("undefined") or row.get("no_interval")
    return said if not why else brief(f"{said}; no {missing}: {why['reason']}", REASON)


def rank_words(rank: float, low: float | None, high: float | None) -> str:
    """A rank and its range.

    >>> rank_words(1, 1, 3), rank_words(2, 2, 2), rank_words(1, None, None)
    ('1 (1 to 3)', '2 (2)', '1')
    """
    if low is None or high is None:
        return count(rank)
    return f"{count(rank)} ({count(low)}{'' if low == high else f' to {count(high)}'})"
