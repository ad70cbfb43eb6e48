"""The report on spans as one page: charts, tables behind them, and marked text.

The page needs no script and nothing from elsewhere; whatever comes from the data is escaped.
"""

from __future__ import annotations

from html import escape
from typing import Any

from assay.report.numbers import count, level, p_value
from assay.report.page import details, document, fragment, grid
from assay.report.render import Summary, View, cautions
from assay.report.spans.page import (
    causes,
    confused,
    frequent,
    illegal,
    marked_sentences,
    type_chart,
)
from assay.report.spans.style import STYLE
from assay.report.spans.svg import whiskers
from assay.report.spans.systems import ordered, point_limits, points
from assay.report.spans.words import (
    MEASURES,
    MODES,
    SHORT,
    against,
    conventions,
    f_name,
    figure,
    greedy,
    how,
    illegal_line,
    limits,
    micro,
    modes,
    percent,
    short_names,
    shown_mode,
    soft,
    source_bits,
)


def html(summary: Summary, view: View) -> str:
    """One whole page."""
    return document(f"{against(summary)}: spans", STYLE, body(summary, view))


def notebook(summary: Summary) -> str:
    """The same as a fragment that stands in a notebook."""
    return fragment(STYLE, body(summary, View()))


def body(summary: Summary, view: View) -> str:
    """What is on the page, without its frame."""
    if summary.get("parity"):
        return _parity(summary)
    return "\n".join(filter(None, (section(summary, view) for section in SECTIONS)))


def _head(summary: Summary, _view: View) -> str:
    texts = [escape(text) for text in summary.get("headline") or () if text]
    first = f"<h1>{texts[0]}</h1>" if texts else "<h1>Spans</h1>"
    rest = "".join(f"<p>{text}</p>" for text in texts[1:])
    source = escape(f"{against(summary)}: {', '.join(source_bits(summary))}")
    return (
        f'<header><p class="brand">assay · spans</p>{first}{rest}'
        f'<p class="quiet">{source}<br>{escape(conventions(summary))}</p></header>'
    )


def _key_figures(summary: Summary, _view: View) -> str:
    """The four figures that a reader compares, then what to look at before trusting them."""
    unit = (summary.get("source") or {}).get("unit", "token")
    cards = []
    if summary.get("token_accuracy") is not None:
        known = summary.get("token_accuracy_without_o")
        without = "" if known is None else f"{percent(known)} % where either side marks one"
        cards.append((f"{unit}s right", f"{percent(summary['token_accuracy'])} %", without))
    for mode in ("exact", "partial"):
        row = micro(summary, mode)
        if row is not None:
            value = "not defined" if row.get("f1") is None else f"{percent(row['f1'])} %"
            cards.append((f"{mode} {f_name(summary)}", value, limits(row.get("interval"), "")))
    found = summary.get("illegal") or {}
    cards.append(("illegal tags", count(sum(found.values())), illegal_line(summary)))
    body = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(more)}</small></dd></div>"
        for name, value, more in cards
    )
    warned = "".join(
        f'<p class="warn"><b>Warning:</b> {escape(one["message"])}</p>' for one in cautions(summary)
    )
    return f'<dl class="figures">{body}</dl>{warned}'


def _counts(row: Any) -> tuple[str, ...]:
    return tuple(count(row.get(key)) for key in ("tp", "fp", "fn"))


def _systems(summary: Summary, _view: View) -> str:
    found = ordered(summary)
    if len(found) < 2:
        return ""
    names, mode = short_names(summary), shown_mode(summary)
    chart = whiskers(
        [(f"{one['rank']}. {names[one['name']]}", "", one) for one in found],
        f"{mode} {f_name(summary)} of each system with its interval",
    )
    rows = [
        (names[one["name"]], "", *figure(one), *_counts(micro(one, mode) or one)) for one in found
    ]
    sure = level(summary.get("level", 0.95))
    heads = ("System", "P", "R", f_name(summary), f"{sure} interval", "TP", "FP", "FN")
    best = names[found[0]["name"]]
    out = f"<section><h2>{escape(best)} comes first by {mode} {f_name(summary)}</h2>"
    out += f"<figure>{chart}<figcaption>In %, with {sure} intervals.</figcaption></figure>"
    out += details(grid(heads, rows))
    pairs = [
        (
            f"{names[c['a']]} − {names[c['b']]}",
            _differing(c),
            points(c.get("difference")),
            point_limits(c.get("interval")),
            *(p_value(c.get(f"p_{key}")) for key in ("bootstrap", "randomisation", "adjusted")),
        )
        for c in summary.get("comparisons") or ()
    ]
    if pairs:
        columns = ("Pair", "points", "interval", "p bootstrap", "p swap", "p, Holm")
        out += f"<h3>Differences</h3>{grid(columns, pairs)}"
        out += (
            '<p class="quiet">p swap: the outputs exchanged at random, sentence by sentence; '
            "Holm corrects it for several pairs."
            f"</p><p>What follows is about {escape(against(summary))}.</p>"
        )
    return f"{out}</section>"


def _differing(comparison: Any) -> str:
    """The sentences on which two systems differ most."""
    found = [count(s["sentence"] + 1) for s in (comparison.get("sentences") or ())[:5]]
    return f"most in sentences {', '.join(found)}" if found else ""


def _matching(summary: Summary, view: View) -> str:
    rows = []
    for mode in modes(summary, view.full):
        row = micro(summary, mode)
        if row is not None:
            rows.append((mode, MODES[mode], *figure(row), *_counts(row)))
    if not rows:
        return ""
    sure = level(summary.get("level", 0.95))
    heads = ("", "P", "R", f_name(summary), f"{sure} interval", "TP", "FP", "FN")
    texts = [f"Soft credit: {soft(summary)}." if soft(summary) else "", greedy(summary)]
    tail = "".join(f'<p class="quiet">{escape(text)}</p>' for text in texts if text)
    table = grid(heads, rows, strong={shown_mode(summary)})
    return f"<section><h2>Ways of matching</h2>{table}{tail}</section>"


def _semeval(summary: Summary, view: View) -> str:
    found = summary.get("semeval") or {}
    if not found:
        return ""
    out = f"<section><h2>SemEval-2013 task 9</h2>{_measures(found, summary)}"
    for name, part in (summary.get("semeval_types") or {}).items() if view.full else ():
        out += f"<h3>{escape(str(name))}</h3>{_measures(part, summary)}"
    return f"{out}</section>"


def _measures(found: Any, summary: Summary) -> str:
    rows = [
        (
            name,
            what,
            *(percent(found[name].get(key)) for key in ("precision", "recall", "f1")),
            *(count(found[name].get(key)) for key in SHORT),
        )
        for name, what in MEASURES.items()
        if name in found
    ]
    return grid(("", "P", "R", f_name(summary), *SHORT), rows)


def _foot(summary: Summary, _view: View) -> str:
    notes = (summary.get("source") or {}).get("notes") or ()
    bits = [str(one["message"]) for one in notes if one.get("level") != "warning"]
    bits = list(dict.fromkeys(bits))
    bits += [f"Intervals: {text}" for text in how(summary)]
    bits.append(f"Made by assay {summary.get('assay', '')}")
    said = "".join(f"<p>{escape(bit)}.</p>".replace("..", ".") for bit in bits)
    return f'<section><div class="quiet">{said}</div></section>'


def _parity(summary: Summary) -> str:
    found = summary["parity"]
    name = escape(str(found.get("as", "")))
    out = f'<header><p class="brand">assay · spans</p><h1>What {name} prints</h1></header>'
    out += f'<pre tabindex="0">{escape(str(found.get("text") or ""))}</pre>'
    differences = "".join(f"<li>{escape(one)}</li>" for one in found.get("differences") or ())
    if differences:
        out += f"<h2>What differs from assay's own figures</h2><ul>{differences}</ul>"
    return out


SECTIONS = (
    _head,
    _key_figures,
    _systems,
    _matching,
    type_chart,
    causes,
    confused,
    frequent,
    marked_sentences,
    illegal,
    _semeval,
    _foot,
)
