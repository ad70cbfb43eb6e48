"""Aligned text: columns that fit, and what happens when they do not.

Widths are terminal cells, so Chinese labels and combining marks line up. A table that is
too wide for the screen is not cut: it becomes one short block per row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from assay.report.numbers import NOTHING

GAP = "  "
FINE = "\N{NO-BREAK SPACE}"
"""Keeps two words on one line; printed as a blank."""
LONGEST = 60
"""The widest that a name may be in running text."""
QUOTED = re.compile(r"""(?<!\w)'[^']{100,}'(?!\w)|(?<!\w)"[^"]{100,}"(?!\w)|[^\s'"]{100,}""")
"""What in a long sentence is a long name: between quotes, or without a blank."""
ACCENT = "cyan"
WARNING = "yellow"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, whether it is a figure, and the widest it may be.

    An ``extra`` column goes below its row where the screen is too narrow for all.
    """

    header: str
    figure: bool = True
    limit: int | None = None
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells, with a phrase that may be set under it."""

    cells: tuple[str, ...]
    strong: bool = False
    below: str = ""


def clean(text: object) -> str:
    r"""A name made safe to print: control and bidirectional characters become escapes.

    >>> clean("a\x1b[31m\nb"), clean("")
    ('a\\x1b[31m\\nb', '(empty)')
    """
    raw = str(text)
    if raw.isprintable() and raw:
        return raw
    return "".join(_visible(c) for c in raw) or "(empty)"


def brief(text: object, width: int = LONGEST) -> str:
    """A name for a page: safe to print, and not longer than a reader takes in.

    >>> brief("x" * 20_000, 9)
    'xxxx…xxxx'
    """
    return shorten(clean(text), width)


def told(text: object, most: int = 1200) -> str:
    """A sentence for a page; names in it that are texts of their own are shortened.

    >>> told("only 'mai' said '" + "and so on " * 2000 + "' (1 time).")
    "only 'mai' said 'and so on and so on and so on…d so on and so on and so on ' (1 time)."
    """
    safe = clean(text)
    if len(safe) > most // 3:
        safe = QUOTED.sub(lambda found: shorten(found[0], LONGEST), safe)
    return shorten(safe, most)


def _visible(character: str) -> str:
    if character.isprintable() or character == "\N{IDEOGRAPHIC SPACE}":
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")


def shorten(text: str, width: int) -> str:
    """A name in at most ``width`` cells; the middle goes, since endings tell names apart.

    >>> shorten("policy_violation_severe", 15)
    'policy_…_severe'
    """
    if len(text) <= 4 * width and cell_len(text) <= width:
        return text
    left = width // 2
    # No more characters than could fit, so that a long text costs no more than a short one.
    head, tail = text[: 2 * left], text[-2 * width :]
    while cell_len(head) > left:
        head = head[:-1]
    while cell_len(tail) > width - 1 - cell_len(head):
        tail = tail[1:]
    return f"{head}…{tail}"


def pad(text: str, width: int, right: bool) -> str:
    """Text filled with blanks to ``width`` cells."""
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Text broken at blanks, with a start for the first line and for the others.

    >>> wrap("one two three", 9, "- ")
    ['- one two', '  three']
    """
    rest = " " * cell_len(first) if rest is None else rest
    text = re.sub(r"(?<=\d) (?=%)|(?<=[=<]) (?=[.\d])|(?<=\bp) (?=[=<])", FINE, text)
    lines, line, start = [], "", first
    for word in text.split(" "):
        room = width - cell_len(start)
        while cell_len(word) > room and cell_len(word) > 0:
            if line:
                lines.append(start + line)
                line, start = "", rest
                room = width - cell_len(start)
                continue
            taken = max(1, _fitting(word, room))
            lines.append(start + word[:taken])
            word, start = word[taken:], rest
            room = width - cell_len(start)
        joined = f"{line} {word}" if line else word
        if cell_len(joined) > room:
            lines.append(start + line)
            line, start = word, rest
        else:
            line = joined
    if line or not lines:
        lines.append(start + line)
    return [one.replace(FINE, " ").rstrip() for one in lines]


def _fitting(word: str, room: int) -> int:
    used = 0
    for i, character in enumerate(word):
        used += cell_len(character)
        if used > room:
            return i
    return len(word)


def paragraph(
    text: str, width: int, first: str = "", rest: str | None = None, style: str = ""
) -> list[Text]:
    """Wrapped text as lines of one style."""
    return [Text(line, style) for line in wrap(text, width, first, rest)]


def heading(text: str, width: int, aside: str = "") -> list[Text]:
    """A section's title, with a quiet remark beside it or, where it is narrow, below."""
    style = f"bold {ACCENT}"
    title = Text(text, style)
    if not aside:
        return [title]
    if cell_len(text) + 2 + cell_len(aside) <= width:
        return [Text.assemble((text, style), (GAP + aside, "dim"))]
    return [title, *paragraph(aside, width, GAP, style="dim")]


def table(columns: Sequence[Column], rows: Sequence[Row], width: int) -> list[Text]:
    """Rows under their headers if they fit into ``width`` cells, else :func:`blocks`."""
    heads, *cut = [
        [
            shorten(cell, column.limit) if column.limit else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        for cells in ([column.header for column in columns], *(row.cells for row in rows))
    ]
    sizes = [max(map(cell_len, cells)) for cells in zip(heads, *cut, strict=True)]
    if len(GAP) + sum(sizes) + len(GAP) * (len(sizes) - 1) > width:
        return _narrower(columns, rows, width)

    def line(cells: Iterable[str]) -> str:
        padded = [
            pad(c, s, column.figure) for c, s, column in zip(cells, sizes, columns, strict=True)
        ]
        return (GAP + GAP.join(padded)).rstrip()

    out = []
    if any(heads):
        out.append(Text(line(heads), "dim"))
    for row, cells in zip(rows, cut, strict=True):
        out.append(Text(line(cells), "bold" if row.strong else ""))
        out += paragraph(row.below, width, GAP * 2, style="dim") if row.below else []
    return out


def _narrower(columns: Sequence[Column], rows: Sequence[Row], width: int) -> list[Text]:
    """The table with its extra columns below the rows, or blocks if that does not help."""
    if not any(column.extra for column in columns):
        return blocks(columns, rows, width)
    slim = [
        Row(
            tuple(cell for c, cell in zip(columns, row.cells, strict=True) if not c.extra),
            row.strong,
            "; ".join(filter(None, [_named(columns, row), row.below])),
        )
        for row in rows
    ]
    kept = [column for column in columns if not column.extra]
    return table(kept, slim, width)


def _named(columns: Sequence[Column], row: Row) -> str:
    """The extra cells with their headers."""
    return ", ".join(
        f"{column.header}{FINE}{cell}"
        for column, cell in zip(columns, row.cells, strict=True)
        if column.extra and cell not in ("", NOTHING)
    )


def blocks(columns: Sequence[Column], rows: Sequence[Row], width: int) -> list[Text]:
    """One block per row: its name, then its figures with their headers, wrapped."""
    out = []
    for row in rows:
        style = "bold" if row.strong else ""
        out += paragraph(row.cells[0], width, GAP, GAP * 2, style=style)
        pairs = [
            f"{column.header} {cell}".strip()
            for column, cell in zip(columns[1:], row.cells[1:], strict=True)
            if cell
        ]
        out += [Text(line) for line in flow(pairs, width, GAP * 2)]
        out += paragraph(row.below, width, GAP * 2, style="dim") if row.below else []
    return out


def flow(pieces: Iterable[str], width: int, indent: str = GAP, gap: str = GAP) -> list[str]:
    """Pieces side by side; one is broken only if it is wider than the screen.

    >>> flow(["120 items", "3 raters", "351 ratings"], 24)
    ['  120 items  3 raters', '  351 ratings']
    """
    lines: list[str] = []
    for piece in pieces:
        joined = f"{lines[-1]}{gap}{piece}" if lines else ""
        if lines and cell_len(joined) <= width:
            lines[-1] = joined
        else:
            whole = indent + piece
            fits = cell_len(whole) <= width
            lines += [whole] if fits else wrap(piece, width, indent)
    return lines
