"""An explanation as text for a terminal and as Markdown; and all of them as one page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from assay.report.explain import CODES, KINDS, entries, entry_dict
from assay.report.layout import GAP, flow, heading, paragraph
from assay.report.render import Summary, View
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width

PARTS = (
    ("assumes", "Takes for granted"),
    ("use", "When"),
    ("avoid", "When not"),
    ("traps", "Traps"),
    ("do", "What to do"),
    ("reference", "Reference"),
)
"""The parts of an entry after its definition and its formula."""

SINGULAR = {
    "coefficient": "coefficient",
    "term": "term of a report",
    "interval": "interval",
    "weights": "weights",
    "metric": "metric of Krippendorff's alpha",
    "estimator": "estimator of Fleiss' kappa",
    "undefined": "reason why a number does not exist",
    "warning": "warning",
    "note": "note on reading a table",
    "span_note": "note on reading spans",
}


def terminal(summary: Summary, view: View) -> str:
    """The explanation as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    if summary["name"] is None:
        return paint(_names(summary, width), view.color)
    lines: list[Text] = []
    for one in summary["entries"]:
        lines += [*([Text("")] if lines else []), *_entry(one, width)]
    return paint(lines, view.color)


def _names(summary: Summary, width: int) -> list[Text]:
    lines = paragraph("assay explain NAME says what a name in a report means.", width, style="bold")
    for kind, names in summary["names"].items():
        lines += [Text(""), *heading(KINDS[kind], width)]
        lines += [Text(line) for line in flow(names, width)]
    return lines


def _entry(one: Mapping[str, Any], width: int) -> list[Text]:
    lines = heading(one["title"], width, f"{one['name']}, {SINGULAR[one['kind']]}")
    lines += paragraph(one["says"], width, GAP, GAP)
    if one["formula"]:
        lines += [Text("")]
        for row in one["formula"].splitlines():
            lines += paragraph(row, width, GAP * 2, GAP * 3)
    for key, word in PARTS:
        if one[key]:
            lines += [Text(""), *heading(word, width), *paragraph(one[key], width, GAP, GAP)]
    if one["see"]:
        lines += [Text(""), *heading("See", width), *paragraph(", ".join(one["see"]), width, GAP)]
    return lines


def markdown(summary: Summary, _view: View) -> str:
    """The explanation as Markdown."""
    if summary["name"] is None:
        return "\n\n".join(
            f"## {KINDS[kind]}\n\n" + ", ".join(f"`{name}`" for name in names)
            for kind, names in summary["names"].items()
        )
    return "\n\n".join("\n".join(written(one, "##")) for one in summary["entries"])


def written(one: Mapping[str, Any], level: str) -> list[str]:
    """One entry in Markdown, without a line at its end."""
    from assay.report.markdown import sentence

    name = f"`{one['name']}`"
    if one["kind"] in CODES:
        return [f"{name}", f": {sentence(one['says'])} {sentence(one['do'])}"]
    lines = [f"{level} {sentence(one['title'])}", "", f"{name}. {sentence(one['says'])}"]
    if one["formula"]:
        lines += ["", "```text", *one["formula"].splitlines(), "```"]
    for key, word in PARTS:
        if one[key]:
            lines += ["", f"**{word}.** {sentence(one[key])}"]
    return lines


def reference() -> str:
    """Every entry as one page of Markdown: sections by kind."""
    lines: list[str] = []
    for kind, title in KINDS.items():
        lines += [f"## {title}", ""]
        for one in entries():
            if one.kind == kind:
                lines += [*written(entry_dict(one), "###"), ""]
    return "\n".join(lines)
