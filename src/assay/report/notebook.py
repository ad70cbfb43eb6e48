"""The report as a notebook shows it: a table that follows the notebook's own colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from assay.report.layout import brief, told
from assay.report.names import gaps, methods, phrase, tested, title
from assay.report.numbers import coefficient, count, counted, interval, level, p_value, share
from assay.report.page_style import COLOURS
from assay.report.render import Summary, cautions, ordered, parts
from assay.report.terminal_main import scale_line

MOST = 12
LIGHT, DARK = (
    ";".join(f"--{name}:{COLOURS[theme][name]}" for name in ("accent", "warn"))
    for theme in ("light", "dark")
)
STYLE = f"""
.assay{{{LIGHT};--line:color-mix(in srgb,currentColor 18%,transparent);
font:14px/1.6 system-ui,"Noto Sans",sans-serif;max-width:60em;color:inherit}}
@media(prefers-color-scheme:dark){{.assay{{{DARK}}}}}
[data-jp-theme-light=true] .assay,.vscode-light .assay{{{LIGHT}}}
[data-jp-theme-light=false] .assay,.vscode-dark .assay{{{DARK}}}
"""
STYLE += """
.assay p{margin:.4em 0}.assay .lead{font-weight:600}.assay .quiet{opacity:.7}
.assay .wide{overflow-x:auto}
.assay table{border-collapse:collapse;color:inherit;font-size:inherit;
font-variant-numeric:tabular-nums;margin:.6em 0}
.assay th,.assay td{padding:.2em .8em;text-align:right;background:none;border:0;
border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
.assay th:first-child,.assay td:first-child{text-align:left;padding-left:0}
.assay thead th{color:var(--accent);font-weight:600}
.assay tbody th{font-weight:400}.assay tbody th.lead{font-weight:600}
.assay tbody th small{display:block;white-space:normal;min-width:16em;font-weight:400;opacity:.7}
.assay .warn b{color:var(--warn)}
"""


def notebook(summary: Summary) -> str:
    """The report as a fragment of HTML with its own small style sheet."""
    body = [_report(name, part) for name, part in parts(summary)]
    if "groups" in summary:
        body.append(_warnings(summary))
    return f'<div class="assay"><style>{STYLE}</style>{"".join(body)}</div>'


def _report(group: str | None, summary: Summary) -> str:
    out = [f"<h4>{escape(brief(group))}</h4>"] if group is not None else []
    for i, text in enumerate(filter(None, summary.get("headline") or ())):
        out.append(f"<p{' class=lead' if i == 0 else ''}>{escape(told(text))}</p>")
    out.append(f"<p class=quiet>{escape(_source(summary))}</p>")
    out += [_coefficients(summary), _interpretation(summary), _warnings(summary), _why(summary)]
    out += [_labels(summary), _raters(summary), _methods(summary)]
    return "".join(out)


def _why(summary: Summary) -> str:
    texts = (summary.get("diagnosis") or {}).get("why") or ()
    return f"<p><b>Why:</b> {escape(' '.join(map(told, texts)))}</p>" if texts else ""


def _source(summary: Summary) -> str:
    found = summary.get("source") or {}
    bits = [
        counted(found[key], noun)
        for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
        if found.get(key) is not None
    ]
    if found.get("missing"):
        bits.append(counted(found["missing"], "missing rating"))
    return f"{brief(found.get('name') or 'memory')}: {', '.join(bits)}; {scale_line(summary)}"


def _coefficients(summary: Summary) -> str:
    chosen, others, _ = ordered(summary)
    names = {c["name"] for c in chosen}
    limits = f"{level(summary.get('level', 0.95))} interval"
    headers = ("", "value", limits, "Po", "Pe", "SE", "p", "items")
    found = [c for c in (*chosen, *others) if c.get("value") is not None]
    rows = [_row(c, summary, c["name"] in names) for c in found]
    without = "".join(
        f"<p>{escape(titles)}: not defined, because {escape(told(why))}</p>"
        for titles, why in gaps((*chosen, *others), summary)
    )
    return _table(headers, rows) + without


def _table(headers: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in headers)
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _line(name: str, cells: Sequence[str]) -> str:
    figures = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{figures}</tr>'


def _labels(summary: Summary) -> str:
    found = list(summary.get("labels") or ())
    if not 1 <= len(found) <= MOST:
        return ""
    rows = [
        _line(
            brief(row["label"]),
            (
                count(row.get("count")),
                coefficient(row.get("specific_agreement")),
                coefficient(row.get("category_kappa")),
            ),
        )
        for row in found
    ]
    return _table(("label", "ratings", "specific agreement", "kappa of the label"), rows)


def _raters(summary: Summary) -> str:
    found = list(summary.get("raters") or ())[:MOST]
    names = [str(row["label"]) for row in summary.get("labels") or ()]
    if not found or not 1 <= len(names) <= MOST:
        return ""
    rows = [
        _line(
            brief(row["rater"]),
            (
                count(row["ratings"]),
                *(share(row["distribution"].get(n, 0), row["ratings"]) for n in names),
            ),
        )
        for row in found
    ]
    hidden = len(summary["raters"]) - len(found)
    tail = f"<p class=quiet>and {counted(hidden, 'more rater')}</p>" if hidden else ""
    return _table(("rater", "ratings", *map(brief, names)), rows) + tail


def _methods(summary: Summary) -> str:
    chosen = ordered(summary)[0]
    cited = list(dict.fromkeys(c["reference"] for c in chosen if c.get("reference")))
    listed = (("Intervals", methods(chosen, summary)), ("References", cited))
    return "".join(
        f"<p class=quiet>{word}: {escape('; '.join(texts))}</p>" for word, texts in listed if texts
    )


def _row(c: Any, summary: Summary, chosen: bool) -> str:
    known = f"<small>{escape(phrase(c['name']))}</small>" if chosen else ""
    mark = ' class="lead"' if chosen else ""
    cells = (
        coefficient(c["value"]),
        interval(c.get("interval")),
        coefficient(c.get("observed")),
        coefficient(c.get("expected")),
        coefficient(c.get("standard_error")),
        p_value(tested(c)),
        count(c.get("items")),
    )
    figures = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    name = escape(str(c.get("full_name") or c["name"]), quote=True)
    return (
        f'<tr><th scope="row"{mark} title="{name}">{escape(title(c, summary))}{known}</th>'
        f"{figures}</tr>"
    )


def _interpretation(summary: Summary) -> str:
    by_name = {c["name"]: c for c in summary.get("coefficients", ())}
    out = []
    for one in summary.get("interpretation") or ():
        c = by_name.get(one["coefficient"], {"name": one["coefficient"]})
        text = f"{title(c, summary)}: {one['band'].lower()} by {one['scale']}"
        if one.get("benchmark"):
            holds = level(one.get("level", 0.95))
            text += f"; with {holds} at least: {one['benchmark'].lower()}"
        out.append(f"<p>{escape(text)}</p>")
    return "".join(out)


def _warnings(summary: Summary) -> str:
    texts = [escape(told(one["message"])) for one in cautions(summary)]
    return "".join(f'<p class="warn"><b>Warning:</b> {text}</p>' for text in texts)
