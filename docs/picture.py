"""The terminal picture of the README: the real output of the main job, as an SVG."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.style import Style

PATH = Path(__file__).parent / "_static" / "terminal.svg"
COMMAND = "assay agree answers.csv"
COLUMNS = 88

SIZE, LEADING, ADVANCE, MARGIN = 14, 20, 8.4, 16
INK, GROUND, RULE = "#202424", "#fdfdfc", "#d9d9d4"
# The eight colours of a terminal, dark enough for this ground: 3 is amber, 6 teal.
PALETTE = ["202424", "a03c00", "2f6b2f", "9a5b00", "0a58a0", "6e3c82", "0b6e6e", "5a6060"]
FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'


def _attributes(style: Style) -> str:
    """What a terminal style is in SVG; the picture brings its own ground and ink."""
    from rich.color import parse_rgb_hex
    from rich.terminal_theme import TerminalTheme

    ground, ink, *colours = (parse_rgb_hex(code) for code in (GROUND[1:], INK[1:], *PALETTE))
    theme = TerminalTheme(ground, ink, [(c.red, c.green, c.blue) for c in colours])
    out = []
    if style.color is not None and not style.color.is_default:
        out.append(f'fill="{style.color.get_truecolor(theme).hex}"')
    if style.dim:
        out.append('opacity="0.65"')
    if style.bold:
        out.append('font-weight="bold"')
    if style.italic:
        out.append('font-style="italic"')
    return " ".join(out)


def draw() -> str:
    """Run the command and draw what it prints."""
    from rich.console import Console
    from rich.style import Style
    from rich.text import Text

    from run_examples import shell, workplace

    with workplace():
        printed = shell(COMMAND, FORCE_COLOR="1", COLORTERM="truecolor", COLUMNS=str(COLUMNS))
    shown = [Text(f"$ {COMMAND}", style=Style(bold=True)), Text()]
    for line in Text.from_ansi(printed).split("\n"):
        # A line longer than the screen goes on below, as in a terminal.
        shown += line.divide(range(COLUMNS, len(line.plain), COLUMNS))
    console = Console(width=COLUMNS, color_system="truecolor")

    texts = []
    for row, line in enumerate(shown):
        if not line.plain.strip():
            continue
        parts = []
        for segment in line.render(console):
            how = _attributes(segment.style) if isinstance(segment.style, Style) else ""
            body = escape(segment.text, quote=False)
            parts.append(f"<tspan {how}>{body}</tspan>" if how else body)
        y = MARGIN + SIZE + row * LEADING
        length = f"{len(line.plain) * ADVANCE:g}"
        texts.append(f'<text x="{MARGIN}" y="{y}" textLength="{length}">{"".join(parts)}</text>')

    width = f"{2 * MARGIN + COLUMNS * ADVANCE:g}"
    height = 2 * MARGIN + len(shown) * LEADING
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="assay-title">'
    )
    ground = (
        f'<rect x="0.5" y="0.5" width="{float(width) - 1:g}" height="{height - 1}" rx="6" '
        f'fill="{GROUND}" stroke="{RULE}"/>'
    )
    title = f'<title id="assay-title">What "{COMMAND}" prints in a terminal</title>'
    style = f"<style>text {{ font: {SIZE}px {FONT}; fill: {INK}; white-space: pre }}</style>"
    return "\n".join([head, title, style, ground, *texts, "</svg>", ""])
