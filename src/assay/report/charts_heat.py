"""A heat map: a number in every cell, and its depth of colour only to find it faster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, cos, radians, sin

from rich.cells import cell_len

from assay.report.layout import brief
from assay.report.page_style import WIDEST
from assay.report.svg import text

REM = 16
CELL, HEIGHT, SMALL = 44, 30, 23
"""Pixels of a cell: the least width, its height, and both where there are many."""
LETTER = 7.2
"""Pixels of a letter of 13."""
NAME, TURNED = 16, 20
"""Cells of a name at the side, and of one that is turned above a column."""
ANGLE = 40
FLAT = 350
"""Pixels that a picture on a phone may have."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes
    ----------
    said
        What is written in it.
    depth
        From 0 to 1: how deep its colour is.
    kind
        The class of its colour: "same", "cell", "tie", "under" or "part".
    strong
        Whether the number is set in bold.
    """

    said: str
    depth: float = 0.0
    kind: str = "part"
    strong: bool = False


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell | None]],
    label: str,
    *,
    small: bool = False,
) -> str:
    """Cells under their columns and beside their rows; None leaves a place empty.

    The picture is as wide as it has to be, a whole number of rem; ``small`` makes one that
    holds many rows and shrinks to the page.
    """
    longest = max((cell_len(c.said) for row in cells for c in row if c), default=1)
    width = SMALL if small else max(CELL, ceil(longest * LETTER) + 14)
    height = SMALL if small else HEIGHT
    letter = LETTER * 10 / 13 if small else LETTER
    size = ("tiny",) if small else ()
    names = [brief(name, NAME) for name in rows]
    heads = [brief(name, TURNED) for name in columns]
    side = ceil(max((cell_len(name) for name in names), default=0) * letter) + 12
    if not small:
        # Wider cells spare turned names, while all of them fit a phone.
        level = max((ceil(cell_len(name) * letter) for name in heads), default=0) + 10
        width = max(width, level) if level * len(heads) <= FLAT - side else width
    flat = all(cell_len(name) * letter <= width - 4 for name in heads)
    slant = 0.0 if flat else max(cell_len(name) for name in heads) * letter
    top = 24 if flat else ceil(slant * sin(radians(ANGLE))) + 16
    body = []
    for j, name in enumerate(heads):
        x = side + width * j + width / 2
        classes = ("dim", *size)
        if flat:
            body.append(text(f"{x:g}", top - 8, name, *classes, anchor="middle"))
        else:
            body.append(
                f'<text class="{" ".join(classes)}" transform="translate({x:g} {top - 6}) '
                f'rotate(-{ANGLE})">{escape(name)}</text>'
            )
    for i, name in enumerate(names):
        y = top + height * i
        body.append(text("0", y + height / 2 + 4, name, "dim", *size))
        for j, cell in enumerate(cells[i]):
            if cell is not None:
                body += _cell(cell, side + width * j, y, width, height, size)
    # A turned name reaches beyond the last column.
    across = side + width * len(heads) + (0 if flat else max(0.0, slant * cos(radians(ANGLE)) - 4))
    down = top + height * len(names) + 2
    return _picture(across, down, label, body, whole=small)


def _cell(
    cell: Cell, x: float, y: float, width: float, height: float, size: tuple[str, ...]
) -> list[str]:
    inset = 1 if width > SMALL else 0.5
    depth = 0.03 + 0.47 * min(1.0, max(0.0, cell.depth))
    classes = (*(("lead",) if cell.strong else ()), *size)
    box = (
        f'<rect class="{cell.kind}" x="{x + inset:g}" y="{y + inset:g}" '
        f'width="{width - 2 * inset:g}" height="{height - 2 * inset:g}" '
        f'fill-opacity="{depth:.3f}"/>'
    )
    return [
        box,
        text(f"{x + width / 2:g}", y + height / 2 + 4, cell.said, *classes, anchor="middle"),
    ]


def _picture(across: float, down: float, label: str, body: Sequence[str], *, whole: bool) -> str:
    """An SVG with a size of its own, in a class of the style sheet that has it."""
    rem = min(WIDEST, max(4, ceil(across / REM)))
    width = max(rem * REM, ceil(across))
    said = escape(label, quote=True)
    name = "whole" if whole and rem > 46 else f"w{rem}"
    return (
        f'<svg role="img" aria-label="{said}" class="{name}" width="{width}" '
        f'height="{ceil(down)}" viewBox="0 0 {width} {ceil(down)}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{said}</title>{"".join(body)}</svg>'
    )
