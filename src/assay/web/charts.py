"""Charts of the labs, as markup: drawn here, coloured by the style sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from markupsafe import Markup

from assay.report import svg
from assay.report.svg import Axis, Dot

__all__ = ["COEFFICIENT", "Axis", "Dot", "Point", "curve", "intervals", "strip"]

COEFFICIENT = Axis(((-1.0, "−1"), (0.0, "0"), (1.0, "1")))
"""The axis of every coefficient of agreement."""

HEIGHT = 200
"""Pixels of a curve's plotting area."""


def intervals(dots: Sequence[Dot], label: str, axis: Axis = COEFFICIENT) -> Markup:
    """Dots with whiskers, one a row, on one axis."""
    return Markup(svg.intervals(dots, axis, label))


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve.

    Attributes
    ----------
    x, y
        Where it is; ``y`` None leaves a gap.
    href
        What a click opens; points without are part of the line only.
    said
        What the link says.
    """

    x: float
    y: float | None
    href: str = ""
    said: str = ""


def curve(
    points: Sequence[Point],
    label: str,
    *,
    across: Axis,
    up: Axis,
    here: Point | None = None,
    band: Sequence[tuple[float, float, float]] = (),
) -> Markup:
    """A line through points that can be opened, with the present one marked.

    ``band`` is a shaded range around it: (x, low, high).
    """
    bottom = 12 + HEIGHT

    def place(y: float) -> float:
        low, high = up.ticks[0][0], up.ticks[-1][0]
        return bottom - HEIGHT * min(1.0, max(0.0, (y - low) / (high - low)))

    body = []
    for value, said in up.ticks:
        y = place(value)
        body.append(svg.line(svg.LEFT, y, svg.RIGHT, y, "axis"))
        body.append(svg.text("0", y - 4, said, "dim"))
    shapes = "".join(_pieces(points, across, place))
    if band:
        edge = [(across.place(x), place(high)) for x, _, high in band]
        edge += [(across.place(x), place(low)) for x, low, _ in reversed(band)]
        shapes = f'<polygon class="band" points="{_listed(edge)}"/>{shapes}'
    # Per cents are no coordinates of a line: an inner picture is stretched to the width.
    body.append(
        f'<svg x="0" y="0" width="100%" height="{bottom}" viewBox="0 0 100 {bottom}" '
        f'preserveAspectRatio="none" aria-hidden="true">{shapes}</svg>'
    )
    body += [
        _link(point, across.place(point.x), place(point.y))
        for point in points
        if point.href and point.y is not None
    ]
    if here is not None and here.y is not None:
        x, y = across.place(here.x), place(here.y)
        body.append(f'<circle class="here" cx="{x:.2f}%" cy="{y:.1f}" r="7"/>')
    body += across.written(bottom + 20)
    return Markup(svg.svg(bottom + 28, label, body, role="group"))


def _pieces(
    points: Sequence[Point], across: Axis, place: Callable[[float], float]
) -> Iterator[str]:
    """The line, broken where there is no value."""
    for there, piece in groupby(points, key=lambda point: point.y is not None):
        if there:
            places = [(across.place(p.x), place(p.y)) for p in piece if p.y is not None]
            yield f'<polyline class="line" points="{_listed(places)}"/>'


def _listed(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.1f}" for x, y in places)


def _link(point: Point, x: float, y: float) -> str:
    href, said = escape(point.href, quote=True), escape(point.said, quote=True)
    return (
        f'<a href="{href}" hx-get="{href}" hx-target="body" hx-swap="innerMorph" '
        f'hx-push-url="true" aria-label="{said}"><title>{said}</title>'
        f'<circle class="step" cx="{x:.2f}%" cy="{y:.1f}" r="5"/>'
        f'<circle class="touch" cx="{x:.2f}%" cy="{y:.1f}" r="12"/></a>'
    )


def strip(
    bands: Sequence[tuple[float, float, bool]], value: float | None, axis: Axis, label: str
) -> Markup:
    """A scale's bands side by side (from, to, whether it is the one), with a value marked."""
    body = []
    for low, high, holds in bands:
        x, width = axis.place(low), axis.place(high) - axis.place(low)
        held = " held" if holds else ""
        body.append(
            f'<rect class="part{held}" x="{x:.2f}%" y="14" width="{width:.2f}%" height="16"/>'
        )
    if value is not None:
        x = axis.place(value)
        body.append(f'<circle class="here" cx="{x:.2f}%" cy="22" r="7"/>')
    body += axis.written(50)
    return Markup(svg.svg(56, label, body))
