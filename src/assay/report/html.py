"""The report on agreement as one page: the finding, the charts, and how every number was made.

The page needs no script and nothing from elsewhere; whatever comes from the data is escaped.
"""

from __future__ import annotations

from html import escape
from pathlib import PurePath
from typing import Any

from assay.report.charts import FROM_CHANCE, WHOLE
from assay.report.html_coefficients import coefficients, guidance, key_figures
from assay.report.html_diagnosis import confused, hardest, items, look, merging, without_rater
from assay.report.html_pairs import confusions, labels, matrix, pairs, shares
from assay.report.layout import brief, told
from assay.report.methods import paragraphs
from assay.report.names import title
from assay.report.numbers import coefficient, count, counted, interval, level, source_bits
from assay.report.page import details, document, figure, fragment, plain_grid, section
from assay.report.page_style import PLAIN
from assay.report.render import Summary, View, cautions, ordered, parts
from assay.report.svg import Dot, intervals
from assay.report.terminal_main import scale_line


def html(summary: Summary, view: View) -> str:
    """One whole page."""
    return document(f"{source_name(summary)}: agreement", PLAIN, body(summary, view))


def notebook(summary: Summary) -> str:
    """The same as a fragment that stands in a notebook."""
    return fragment(PLAIN, body(summary, View()))


def body(summary: Summary, view: View) -> str:
    """What is on the page, without its frame."""
    if summary.get("groups") is not None:
        return _groups(summary, view)
    return "\n".join(filter(None, (_head(summary), *_sections(summary, view, 2))))


def source_name(summary: Summary) -> str:
    """The file's name without its folders."""
    found = (summary.get("source") or {}).get("name") or "memory"
    return brief(PurePath(str(found)).name)


def _sections(summary: Summary, view: View, depth: int) -> list[str]:
    return [part(summary, view, depth) for part in SECTIONS]


def _head(summary: Summary) -> str:
    texts = [escape(told(text)) for text in summary.get("headline") or () if text]
    first = f"<h1>{texts[0]}</h1>" if texts else "<h1>Agreement</h1>"
    return (
        f'<header><p class="brand">assay · agreement</p>{first}{_told(summary, texts[1:])}</header>'
    )


def _told(summary: Summary, texts: list[str]) -> str:
    """The rest of the finding, why it is so, what it rests on."""
    rest = "".join(f'<p class="lead">{text}</p>' for text in texts)
    why = [told(text) for text in (summary.get("diagnosis") or {}).get("why") or ()]
    reason = f'<p class="reason">{escape(" ".join(why))}</p>' if why else ""
    return f'{rest}{reason}<p class="quiet">{_source(summary)}</p>'


def _source(summary: Summary) -> str:
    found = summary.get("source") or {}
    bits = ", ".join(source_bits(found))
    return f"{escape(source_name(summary))}: {bits}<br>{escape(scale_line(summary))}"


def _warnings(summary: Summary, _view: View, _depth: int) -> str:
    return "".join(
        f'<p class="warn"><b>Warning:</b> {escape(told(one["message"]))}</p>'
        for one in cautions(summary)
    )


def _interpretation(summary: Summary, _view: View, depth: int) -> str:
    by_name = {c["name"]: c for c in summary.get("coefficients", ())}
    said = ""
    for one in summary.get("interpretation") or ():
        c = by_name.get(one["coefficient"], {"name": one["coefficient"]})
        text = f"{title(c, summary)}: {one['band'].lower()} by {one['scale']}"
        if one.get("benchmark"):
            holds = level(one.get("level", 0.95))
            text += f"; with {holds} at least: {one['benchmark'].lower()}"
        source = f"{one.get('source', '')} {one.get('closure', '')}".strip()
        said += f"<p>{escape(text)}</p>"
        said += details(f'<p class="quiet">{escape(source)}</p>', "The scale") if source else ""
    note = '<p class="quiet">A convention of its authors, not a result.</p>' if said else ""
    return section("In words", said, note, depth=depth)


def _methods(summary: Summary, _view: View, depth: int) -> str:
    text = "\n\n".join(paragraphs(summary))
    cited = list(
        dict.fromkeys(told(c["reference"]) for c in ordered(summary)[0] if c.get("reference"))
    )
    listed = "".join(f"<li>{escape(one)}</li>" for one in cited)
    references = f"<h{depth + 1}>References</h{depth + 1}><ul>{listed}</ul>" if listed else ""
    return section(
        "For a methods section",
        f'<pre class="wrap" tabindex="0">{escape(text)}</pre>',
        references,
        depth=depth,
    )


def _foot(summary: Summary, _view: View, depth: int) -> str:
    notes = (summary.get("source") or {}).get("notes") or ()
    bits = [told(one["message"]) for one in notes if one.get("level") != "warning"]
    said = "".join(f"<li>{escape(bit)}</li>" for bit in dict.fromkeys(bits))
    made = f'<p class="quiet">Made by assay {escape(str(summary.get("assay", "")))}.</p>'
    listed = f"<ul>{said}</ul>" if said else ""
    return section("How the data were read", listed, made, depth=depth)


SECTIONS = (
    key_figures,
    _warnings,
    coefficients,
    guidance,
    _interpretation,
    confused,
    labels,
    confusions,
    matrix,
    pairs,
    shares,
    without_rater,
    items,
    hardest,
    merging,
    look,
    _methods,
    _foot,
)
"""The sections in order: each takes (summary, view, level of its heading) and gives HTML."""


def _groups(summary: Summary, view: View) -> str:
    """The groups side by side on one axis, then each with its own sections."""
    found = parts(summary)
    head = (
        '<header><p class="brand">assay · agreement</p>'
        f"<h1>{counted(len(found), 'group')}, each with its own agreement</h1>"
        f'<p class="quiet">{escape(source_name(summary))}</p></header>'
    )
    out = [
        head,
        _warnings(summary, view, 2),
        _side_by_side(summary),
    ]
    out += [group(str(name), part, view) for name, part in found]
    return "\n".join(filter(None, out))


def group(name: str, summary: Summary, view: View) -> str:
    """One of several sets of ratings, as a section of a page."""
    texts = [escape(told(text)) for text in summary.get("headline") or () if text]
    inner = details("".join(_sections(summary, view, 3)), "The whole report")
    return f"<section><h2>{escape(brief(name))}</h2>{_told(summary, texts)}{inner}</section>"


def _side_by_side(summary: Summary) -> str:
    found = parts(summary)
    lead: Any = next((ordered(part)[0][0] for _, part in found if ordered(part)[0]), None)
    if lead is None:
        return ""
    rows, dots = [], []
    for name, part in found:
        c: dict[str, Any] = next((c for c in part["coefficients"] if c["name"] == lead["name"]), {})
        got = c.get("interval") or {}
        value = c.get("value")
        said = (
            "not defined"
            if value is None
            else f"{coefficient(value)} {interval(got or None, missing='')}"
        )
        label = brief(name, 24)
        dots.append(Dot(label, "", said.strip(), value, got.get("low"), got.get("high")))
        rows.append(
            (
                brief(name),
                coefficient(value),
                interval(c.get("interval")),
                coefficient(c.get("observed")),
                coefficient(c.get("expected")),
                count(c.get("items")),
            )
        )
    lows = [x for dot in dots for x in (dot.value, dot.low) if x is not None]
    axis = WHOLE if min(lows, default=0.0) < 0 else FROM_CHANCE
    name, sure = title(lead), level(summary.get("level", 0.95))
    table = plain_grid(("group", "value", f"{sure} interval", "Po", "Pe", "items"), rows)
    return section(
        f"{name} of each group",
        figure(intervals(dots, axis, f"{name} of each group"), f"With {sure} intervals."),
        details(table),
    )
