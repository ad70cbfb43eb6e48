"""The report on spans as Markdown tables (the GitHub dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.report.markdown import escape, grid
from assay.report.numbers import MINUS, count, counted, level, p_value
from assay.report.render import Summary, View, cautions
from assay.report.spans.systems import ordered, point_limits, points
from assay.report.spans.words import (
    CAUSES,
    MEASURES,
    MODES,
    SHORT,
    against,
    averages,
    cause,
    confusion,
    conventions,
    f_name,
    figure,
    form_words,
    greedy,
    how,
    illegal_line,
    marked,
    micro,
    modes,
    percent,
    short_names,
    shown_mode,
    soft,
    source_bits,
    type_name,
    typed,
    types,
)
from assay.report.spans.words import causes as found_causes

MOST_TYPES, MOST_FORMS = 20, 10


def markdown(summary: Summary, view: View) -> str:
    """The report; with ``view.full`` all types, all forms of error and the confusion of types."""
    if summary.get("parity"):
        return "\n".join(_parity(summary))
    lines: list[str] = []
    for section in SECTIONS:
        got = section(summary, view.full)
        lines += [*got, ""] if got else []
    return "\n".join(lines).strip()


def _headline(summary: Summary, _full: bool) -> list[str]:
    texts = [escape(text) for text in summary.get("headline") or () if text]
    if not texts:
        return []
    return [f"**{texts[0]}**", *(line for text in texts[1:] for line in ("", text))]


def _source(summary: Summary, _full: bool) -> list[str]:
    names = escape(against(summary))
    return [f"{names}: {', '.join(source_bits(summary))}. {escape(conventions(summary))}."]


def _figure_heads(summary: Summary) -> tuple[str, ...]:
    name = f_name(summary)
    return ("P", "R", name, f"{level(summary.get('level', 0.95))} interval of {name}")


def _counts(row: Any) -> tuple[str, ...]:
    return tuple(count(row.get(key)) for key in ("tp", "fp", "fn"))


def _systems(summary: Summary, _full: bool) -> list[str]:
    found = ordered(summary)
    if len(found) < 2:
        return []
    rows, names = [], short_names(summary)
    for one in found:
        row = micro(one, shown_mode(summary)) or one
        name = escape(names[one["name"]])
        rows.append((name, count(one.get("rank")), *figure(one), *_counts(row)))
    heads = ("System", "Rank", *_figure_heads(summary), "TP", "FP", "FN")
    lines = [f"### Systems ({shown_mode(summary)}, in %)", "", *grid(heads, rows)]
    pairs = [
        (
            f"{escape(names[c['a']])} {MINUS} {escape(names[c['b']])}",
            points(c.get("difference")),
            point_limits(c.get("interval")),
            *(_p(c.get(f"p_{key}")) for key in ("bootstrap", "randomisation", "adjusted")),
        )
        for c in summary.get("comparisons") or ()
    ]
    if pairs:
        heads = ("Pair", "Difference, points", "Interval", "p bootstrap", "p swap", "p, Holm")
        lines += ["", *grid(heads, pairs)]
    return lines


def _p(value: float | None) -> str:
    return p_value(value).replace("<", "\\<")


def _matching(summary: Summary, full: bool) -> list[str]:
    rows = []
    for mode in modes(summary, full):
        row = micro(summary, mode)
        if row is not None:
            rows.append((f"{mode}: {MODES[mode]}", *figure(row), *_counts(row)))
    if not rows:
        return []
    heads = ("Right if", *_figure_heads(summary), "TP", "FP", "FN")
    extra = [f"Soft credit: {soft(summary)}." if soft(summary) else "", greedy(summary)]
    tail = [line for text in extra if text for line in ("", text)]
    return ["### Ways of matching (in %)", "", *grid(heads, rows), *tail]


def _types(summary: Summary, full: bool) -> list[str]:
    mode = typed(summary)
    every = types(summary, mode)
    found = every if full else every[:MOST_TYPES]
    if not found:
        return []
    rows = [
        (escape(type_name(r["type"])), count(r.get("support")), *figure(r), *_counts(r))
        for r in (*found, *averages(summary, mode))
    ]
    heads = ("Type", "Gold", *_figure_heads(summary), "TP", "FP", "FN")
    lines = [f"### Types ({mode}, in %)", "", *grid(heads, rows)]
    return [*lines, *_more(every, found, "type")]


def _more(every: Sequence[Any], shown: Sequence[Any], one: str) -> list[str]:
    hidden = len(every) - len(shown)
    return ["", f"and {counted(hidden, 'more ' + one)}"] if hidden else []


def _semeval(summary: Summary, full: bool) -> list[str]:
    found = summary.get("semeval") or {}
    if not found:
        return []
    lines = ["### SemEval-2013 task 9 (in %)", "", *_measures("", found, summary)]
    for name, part in (summary.get("semeval_types") or {}).items() if full else ():
        lines += ["", *_measures(f"{escape(type_name(name))}, ", part, summary)]
    return lines


def _measures(prefix: str, found: Any, summary: Summary) -> list[str]:
    rows = [
        (
            f"{prefix}{name}: {what}",
            *(percent(found[name].get(key)) for key in ("precision", "recall", "f1")),
            *(count(found[name].get(key)) for key in SHORT),
        )
        for name, what in MEASURES.items()
        if name in found
    ]
    return grid(("Right if", "P", "R", f_name(summary), *map(str.capitalize, SHORT)), rows)


def _causes(summary: Summary, _full: bool) -> list[str]:
    found = found_causes(summary)
    if not found:
        return []
    rows = [
        (f"{cause(c['cause'])}: {CAUSES.get(c['cause'], '')}", count(c["fp"]), count(c["fn"]))
        for c in found
    ]
    fp, fn = (count(sum(c[key] for c in found)) for key in ("fp", "fn"))
    rows.append(("all", fp, fn))
    return ["### Causes", "", *grid(("Cause", "FP", "FN"), rows)]


def _forms(summary: Summary, full: bool) -> list[str]:
    every = list((summary.get("errors") or {}).get("surface") or ())
    found = every if full else every[:MOST_FORMS]
    if not found:
        return []
    lines = [r"### Most frequent errors, \[gold\] and (prediction)", ""]
    for form in found:
        sides = " → ".join(escape(side) for side in form_words(form) if side)
        lines.append(f"- {count(form['count'])}× {cause(form['cause'])}: {sides}")
        for example in (form.get("examples") or ())[: None if full else 1]:
            text = "".join(piece for piece, _ in marked(form, example))
            if text.strip("[]() "):
                lines.append(f"  - sentence {count(example['sentence'] + 1)}: {escape(text)}")
    return [*lines, *_more(every, found, "form")]


def _confusion(summary: Summary, full: bool) -> list[str]:
    rows, columns, counts = confusion(summary)
    if not full or not counts:
        return []
    body = [(escape(name), *map(count, row)) for name, row in zip(rows, counts, strict=True)]
    heads = ("Gold", *map(escape, columns))
    return ["### Types of gold against types of the prediction", "", *grid(heads, body)]


def _illegal(summary: Summary, _full: bool) -> list[str]:
    line = illegal_line(summary)
    return [f"Illegal tags: {line}."] if line else []


def _warnings(summary: Summary, _full: bool) -> list[str]:
    texts = [f"> **Warning:** {escape(one['message'])}" for one in cautions(summary)]
    return "\n>\n".join(texts).split("\n") if texts else []


def _foot(summary: Summary, _full: bool) -> list[str]:
    made = how(summary)
    return [f"Intervals: {escape('; '.join(made))}."] if made else []


def _parity(summary: Summary) -> list[str]:
    found = summary["parity"]
    text = str(found.get("text") or "")
    fence = "`" * max(3, 1 + max((len(run) for run in text.split("\n") if "`" in run), default=0))
    lines = [f"What {escape(found.get('as', ''))} prints:", "", f"{fence}text", text, fence]
    differences = [f"- {escape(one)}" for one in found.get("differences") or ()]
    return [*lines, "", *differences] if differences else lines


SECTIONS = (
    _headline,
    _source,
    _systems,
    _matching,
    _types,
    _causes,
    _forms,
    _semeval,
    _confusion,
    _illegal,
    _warnings,
    _foot,
)
