"""The pictures of a report as files, and as objects that show themselves in a notebook.

A picture on a page takes its colours from the page. One that stands alone carries them: the
classes of its marks are put into attributes, so that any program that reads SVG draws it alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from assay.errors import InputError, MissingExtra, UsageError, one_of
from assay.report.charts import PICTURES, Picture, confusion_picture
from assay.report.page_style import COLOURS
from assay.report.render import Summary

WIDTH = 720
"""Pixels of a picture that fits any width on a page."""
HEAD, ROW, MARGIN = 24, 19, 16
FONT = 'font-family="system-ui, Noto Sans, DejaVu Sans, sans-serif" font-size="13"'
# Where a font lacks a sign, as Noto Sans lacks the minus, resvg sets the whole text in another.
DRAWN = FONT.replace("system-ui, Noto Sans, DejaVu Sans", "DejaVu Sans, Noto Sans")
CLASS = re.compile(r' class="([^"]*)"')
LETTERS = 100
"""Characters of a line of the caption."""


def _looks(theme: str) -> dict[str, str]:
    """What each class of the style sheet is as attributes."""
    c = COLOURS[theme]
    return {
        "dim": f'fill="{c["quiet"]}"',
        "lead": 'font-weight="600"',
        "tiny": 'font-size="10"',
        "axis": f'stroke="{c["line"]}"',
        "end": f'stroke="{c["quiet"]}"',
        "whisker": f'stroke="{c["accent"]}" stroke-width="2"',
        "dot": f'fill="{c["accent"]}"',
        "bar": f'fill="{c["accent"]}"',
        "cell": f'fill="{c["bad"]}"',
        "same": f'fill="{c["good"]}" stroke="{c["ink"]}"',
        "tie": f'fill="{c["good"]}"',
        "under": f'fill="{c["bad"]}" stroke="{c["bad"]}" stroke-dasharray="3 2"',
        "part": f'fill="{c["accent"]}"',
    }


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """A picture of a report: shown by a notebook, saved as SVG or PNG.

    Attributes
    ----------
    kind
        "intervals", "means", "strengths" and so on: which there are, the report says.
    title
        What is to be seen.
    caption
        How it was made.
    svg
        The picture as it stands alone, with its title, caption and colours.
    heads, rows
        The same as a table: a name first, then figures as they are printed.

    Examples
    --------
    >>> import assay
    >>> report = assay.agree({"ana": ["a", "b", "b", "a"], "bo": ["a", "b", "a", "a"]})
    >>> report.plot("confusion")
    <Plot confusion: ana and bo agree on 3 of 4 items; most apart where ana says b and bo a (1)>
    """

    kind: str
    title: str
    caption: str
    svg: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return f"<Plot {self.kind}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path, *, scale: float = 2.0) -> Path:
        """Write the picture; the file's ending says how: .svg or .png.

        Parameters
        ----------
        path
            Where to; what is there is replaced.
        scale
            Of a PNG: pixels for each pixel of the SVG.

        Returns
        -------
        Path

        Raises
        ------
        UsageError
            If the ending is another, or the file cannot be written.
        MissingExtra
            If a PNG is asked for and what draws it is not installed
            (``pip install assay[plots]``).
        """
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in (".svg", ".png"):
            raise UsageError(
                f"{path.name}: a plot is written as .svg or .png, not as {ending or 'nothing'}."
            )
        data = self.svg.encode() if ending == ".svg" else self.png(scale=scale)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}.", code="unwritable") from None
        return path

    def png(self, *, scale: float = 2.0) -> bytes:
        """The picture as PNG.

        Raises
        ------
        MissingExtra
            If what draws it is not installed.
        UsageError
            If the picture would be larger than any screen.
        """
        try:
            import resvg_py
        except ImportError:
            raise MissingExtra(
                "a PNG is drawn by resvg, which is not installed: pip install 'assay[plots]'. "
                "SVG needs nothing."
            ) from None
        width = float(re.search(r'width="([\d.]+)"', self.svg)[1])  # type: ignore[index]
        if not 0 < scale * width <= 20_000:
            raise UsageError(f"scale: {scale:g} makes a picture of {scale * width:,.0f} pixels.")
        drawn = self.svg.replace(FONT, DRAWN)
        return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=round(scale * width)))


def plot(
    summary: Summary, kind: str, raters: tuple[str, str] | None = None, *, theme: str = "light"
) -> Plot:
    """A picture of a summary.

    Parameters
    ----------
    summary
        Of one report, not of groups.
    kind
        "intervals": all coefficients on one axis; "confusion": the table of two raters; "matrix":
        kappa of every two raters; "distribution": how often each rater used each label; "items":
        how many items have which agreement.
    raters
        For "confusion": whose table; else that of the pair that agrees least.
    theme
        "light" or "dark".

    Raises
    ------
    UsageError
        If there is no such picture, or the summary has groups.
    InputError
        If there is nothing to draw.
    """
    one_of(kind, PICTURES, "plot")
    one_of(theme, COLOURS, "theme")
    if raters is not None and kind != "confusion":
        raise UsageError("raters: only the confusion plot is of two raters.")
    if summary.get("groups") is not None:
        names = ", ".join(str(group["group"]) for group in summary["groups"])
        raise UsageError(
            "this report has groups, each with its own pictures: "
            f"report.groups[GROUP].plot({kind!r}), with GROUP one of {names}."
        )
    found = confusion_picture(summary, raters) if raters else PICTURES[kind](summary)
    if found is None:
        raise InputError(f"plot: {NOTHING[kind]}", code="nothing_to_draw")
    return alone(found, theme)


NOTHING = {
    "intervals": "no coefficient is defined, so there is no interval to draw.",
    "confusion": "no two raters (or not those) have a table of up to 30 labels to draw.",
    "matrix": "a matrix needs 3 to 60 named raters who share items.",
    "distribution": "nobody knows who gave which label, so raters have no distribution to draw.",
    "items": "no item has two ratings, so there is no agreement to draw.",
}


def alone(picture: Picture, theme: str = "light") -> Plot:
    """A picture of a page as one that needs no page."""
    c = COLOURS[theme]
    inner = re.search(r"<svg([^>]*)>(?:<title>.*?</title>)?(.*)</svg>", picture.svg, re.DOTALL)
    if inner is None:
        raise ValueError("a picture is an SVG element")
    size = dict(re.findall(r'\b(width|height)="([\d.]+)"', inner[1]))
    width = float(size.get("width", WIDTH))
    looks = _looks(theme)

    def attributes(found: re.Match[str]) -> str:
        return "".join(f" {looks[name]}" for name in found[1].split() if name in looks)

    body = CLASS.sub(attributes, inner[2])
    title, caption = (_lines(text, width) for text in (picture.finding, picture.caption))
    top = MARGIN + HEAD * len(title) + 8
    height = float(size["height"])
    foot = top + height + 20
    total = foot + ROW * len(caption) + MARGIN
    heading = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + 16 + HEAD * i}" font-size="16" font-weight="600">'
        f"{escape(line)}</text>"
        for i, line in enumerate(title)
    )
    small = "".join(
        f'<text x="{MARGIN}" y="{foot + ROW * i:g}" fill="{c["quiet"]}">{escape(line)}</text>'
        for i, line in enumerate(caption)
    )
    whole = max(width, MIN_WIDTH) + 2 * MARGIN
    said = escape(picture.finding, quote=True)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{said}" '
        f'width="{whole:g}" height="{total:g}" viewBox="0 0 {whole:g} {total:g}" {FONT} '
        f'fill="{c["ink"]}"><title>{said}</title>'
        f'<rect width="{whole:g}" height="{total:g}" fill="{c["ground"]}"/>{heading}'
        # Per cents are of this part, which is as wide as the drawing.
        f'<svg x="{MARGIN}" y="{top:g}" width="{width:g}" height="{height:g}" '
        f'overflow="visible">{body}</svg>{small}</svg>'
    )
    return Plot(picture.kind, picture.finding, picture.caption, svg, picture.heads, picture.rows)


MIN_WIDTH = 480


def _lines(text: str, width: float) -> list[str]:
    from assay.report.layout import wrap

    return wrap(text, int(max(width, MIN_WIDTH) / 7.6))
