"""The foot of the terminal report: conventions, warnings, reading notes, references."""

from __future__ import annotations

from rich.text import Text

from assay.report.layout import ACCENT, GAP, WARNING, clean, heading, paragraph, wrap
from assay.report.names import title
from assay.report.numbers import level
from assay.report.render import Summary, cautions, ordered


def interpretation(summary: Summary, width: int, _full: bool) -> list[Text]:
    """The words of the verbal scale that was asked for, attributed."""
    found = summary.get("interpretation") or ()
    if not found:
        return []
    by_name = {c["name"]: c for c in summary.get("coefficients", ())}
    lines = heading("In words", width, "a convention of its authors, not a result")
    for one in found:
        c = by_name.get(one["coefficient"], {"name": one["coefficient"]})
        text = f"{title(c, summary)}: {one['band'].lower()} by {one['scale']}"
        if one.get("benchmark"):
            text += f"; with {level(one.get('level', 0.95))} at least: {one['benchmark'].lower()}"
        lines += paragraph(text, width, GAP, GAP * 2)
    return lines


def warnings(summary: Summary, width: int, _full: bool) -> list[Text]:
    """One paragraph a warning, marked by the word as well as by colour."""
    lines: list[Text] = []
    for one in cautions(summary):
        mark = "warning: "
        rows = wrap(mark + clean(one["message"]), width, "", GAP)
        lines.append(Text.assemble((mark, f"bold {WARNING}"), rows[0][len(mark) :]))
        lines += [Text(row) for row in rows[1:]]
    return lines


def notes(summary: Summary, width: int, full: bool) -> list[Text]:
    """How the data were read: one paragraph, or a line each if ``full``."""
    found = (summary.get("source") or {}).get("notes") or ()
    texts = [clean(one["message"]) for one in found if one.get("level") != "warning"]
    if not texts:
        return []
    shown = texts if full else ["; ".join(texts)]
    lines = [
        line for text in shown for line in paragraph(text, width, GAP, GAP * 2 if full else GAP)
    ]
    return [*heading("How it was read", width), *lines]


def references(summary: Summary, width: int, full: bool) -> list[Text]:
    """Where the definitions come from, each once."""
    chosen, others, _ = ordered(summary)
    found = [*chosen, *others] if full else chosen[:4]
    texts = list(dict.fromkeys(c["reference"] for c in found if c.get("reference")))
    if not texts:
        return []
    if full:
        body = [line for text in texts for line in paragraph(clean(text), width, GAP, GAP * 2)]
        return [*heading("References", width), *body]
    rows = wrap(f"References: {'; '.join(map(clean, texts))}", width, "", GAP)
    word = "References:"
    first = Text.assemble((word, f"bold {ACCENT}"), (rows[0][len(word) :], "dim"))
    return [first, *(Text(row, "dim") for row in rows[1:])]
