"""The foot of the terminal report: conventions, warnings, reading notes, references."""

from __future__ import annotations

import re

from rich.text import Text

from assay.report.layout import ACCENT, GAP, WARNING, heading, paragraph, told, wrap
from assay.report.names import methods, title
from assay.report.numbers import level
from assay.report.render import Summary, cautions, ordered

# What the line of the source says already.
DEGREES = re.compile(r" with [\w -]+ degrees(?: of freedom)?")
SAID = ("format", "layout", "missing_cells", "items_with_one_rating", "items_without_ratings")


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
        rows = wrap(mark + told(one["message"]), width, "", GAP)
        lines.append(Text.assemble((mark, f"bold {WARNING}"), rows[0][len(mark) :]))
        lines += [Text(row) for row in rows[1:]]
    return lines


def foot(summary: Summary, width: int, full: bool) -> list[Text]:
    """How the data were read, how intervals were made, where the definitions come from."""
    chosen, others, _ = ordered(summary)
    found = [*chosen, *others] if full else chosen[:3]
    notes = (summary.get("source") or {}).get("notes") or ()
    read = [
        told(one["message"])
        for one in notes
        if one.get("level") != "warning" and (full or one.get("code") not in SAID)
    ]
    made = [told(text if full else DEGREES.sub("", text)) for text in methods(found, summary)]
    cited = list(dict.fromkeys(told(c["reference"]) for c in found if c.get("reference")))
    if not full:
        cited = list(dict.fromkeys(map(authors, cited)))
    listed = (("Reading", read), ("Intervals", made), ("References", cited))
    return [line for word, texts in listed if texts for line in _listed(word, texts, width, full)]


def authors(reference: str) -> str:
    """The names and the year of a reference, by which ``--full`` lists the whole.

    >>> authors("Fleiss (1971), Psychological Bulletin 76(5), 378-382")
    'Fleiss (1971)'
    """
    found = re.match(r".{1,60}?\b\d{4}[a-z]?\b\)?", reference)
    return found[0] if found else reference


def _listed(word: str, texts: list[str], width: int, full: bool) -> list[Text]:
    """A heading with a line each if ``full``, else one quiet paragraph after its word."""
    if full:
        body = [line for text in texts for line in paragraph(text, width, GAP, GAP * 2)]
        return [*heading(word, width), *body]
    rows = wrap(f"{word}: {'; '.join(texts)}", width, "", GAP)
    mark = len(word) + 1
    first = Text.assemble((rows[0][:mark], f"bold {ACCENT}"), (rows[0][mark:], "dim"))
    return [first, *(Text(row, "dim") for row in rows[1:])]
