"""The sections of the page on spans that show what went wrong, and where."""

from __future__ import annotations

from html import escape

from assay.report.numbers import count, counted, level
from assay.report.page import details, grid, scrolling
from assay.report.render import Summary, View
from assay.report.spans.marked import LEGEND, colours, sentence
from assay.report.spans.svg import bars, heat, whiskers
from assay.report.spans.words import (
    CAUSES,
    averages,
    cause,
    confusion,
    f_name,
    figure,
    form_words,
    illegal_line,
    marked,
    percent,
    type_name,
    typed,
    types,
)
from assay.report.spans.words import causes as found_causes

MOST_TYPES, MOST_FORMS, MOST_SENTENCES, MOST_CELLS, MOST_PLACES = 12, 10, 10, 12, 10


def type_chart(summary: Summary, view: View) -> str:
    """F of each type with its interval; the finding is the highest and the lowest."""
    mode = typed(summary)
    every = types(summary, mode)
    found = every if view.full else every[:MOST_TYPES]
    if not found:
        return ""
    name = f_name(summary)
    known = sorted((r for r in found if r.get("f1") is not None), key=lambda r: r["f1"])
    title = f"{mode} {name} of each type"
    if len(known) > 1 and known[0]["f1"] < known[-1]["f1"]:
        best, worst = known[-1], known[0]
        title = (
            f"{type_name(best['type'])} is found best ({percent(best['f1'])}), "
            f"{type_name(worst['type'])} least ({percent(worst['f1'])})"
        )
    chart = whiskers(
        [(type_name(r["type"]), f"{count(r.get('support'))} in gold", r) for r in found],
        f"{mode} {name} of each type, in per cent",
    )
    rows = [
        (
            type_name(r["type"]),
            "",
            count(r.get("support")),
            *figure(r),
            *(count(r.get(key)) for key in ("tp", "fp", "fn")),
        )
        for r in (*every, *averages(summary, mode))
    ]
    sure = level(summary.get("level", 0.95))
    heads = ("Type", "gold", "P", "R", name, f"{sure} interval", "TP", "FP", "FN")
    hidden = len(every) - len(found)
    more = f" {counted(hidden, 'more type')} in the table." if hidden else ""
    caption = f"{mode} {name} in %, dots, with {sure} intervals, whiskers.{more}"
    table = details(grid(heads, rows, strong={"micro"}))
    return _figure(title, chart, caption, table)


def _figure(title: str, chart: str, caption: str, table: str) -> str:
    return (
        f"<section><h2>{escape(title)}</h2><figure>{chart}"
        f"<figcaption>{escape(caption)}</figcaption></figure>{table}</section>"
    )


def causes(summary: Summary, _view: View) -> str:
    """Bars of the causes; they add up to all false positives and false negatives."""
    found = found_causes(summary)
    if not found:
        return ""
    fp, fn = sum(c["fp"] for c in found), sum(c["fn"] for c in found)
    first = max(found, key=lambda c: c["fp"] + c["fn"])
    share = (first["fp"] + first["fn"]) / (fp + fn)
    title = f"Most frequent cause of errors: {cause(first['cause'])} ({percent(share)} %)"
    caption = (
        f"Each of the {count(fp)} false positives (FP, filled) and {count(fn)} false negatives "
        "(FN, outlined) of exact matching has one cause."
    )
    rows = [
        (cause(c["cause"]), CAUSES.get(c["cause"], ""), count(c["fp"]), count(c["fn"]))
        for c in found
    ]
    rows.append(("all", "", count(fp), count(fn)))
    table = details(grid(("Cause", "FP", "FN"), rows, strong={"all"}))
    return _figure(title, bars(found, "Errors by cause"), caption, table)


def confused(summary: Summary, _view: View) -> str:
    """The heat map of the types of gold against those of the prediction."""
    rows, columns, counts = confusion(summary)
    if not counts or not any(map(any, counts)):
        return ""
    table = grid(
        ("Gold", *columns),
        [(name, "", *map(count, row)) for name, row in zip(rows, counts, strict=True)],
    )
    title = "Which types are taken for which"
    if len(rows) > MOST_CELLS:
        return f"<section><h2>{title}</h2>{table}</section>"
    chart = heat(rows, columns, counts, "Types of gold in rows, of the prediction in columns")
    caption = (
        "Gold in rows, prediction in columns, spans paired as in the SemEval table; colour by the "
        "share of the row, the same type outlined."
    )
    return _figure(title, scrolling(chart), caption, details(table))


def frequent(summary: Summary, view: View) -> str:
    """The most frequent errors by their words, with examples in context."""
    every = list((summary.get("errors") or {}).get("surface") or ())
    found = every if view.full else every[:MOST_FORMS]
    if not found:
        return ""
    items = []
    for form in found:
        sides = " → ".join(escape(side) for side in form_words(form) if side)
        said = (
            f'<p><span class="n">{count(form["count"])}×</span> {cause(form["cause"])}: {sides}</p>'
        )
        for example in (form.get("examples") or ())[: None if view.full else 1]:
            text = "".join(
                f'<span class="mark">{sign}</span>' if sign else escape(piece)
                for piece, sign in marked(form, example)
            )
            if text:
                where = f"sentence {count(example['sentence'] + 1)}"
                said += f'<p class="quiet">{where}: {text}</p>'
        items.append(f"<li>{said}</li>")
    hidden = len(every) - len(found)
    more = f'<p class="quiet">and {counted(hidden, "more form")}</p>' if hidden else ""
    return (
        '<section><h2>Most frequent errors</h2><p class="quiet">[gold], (prediction)</p>'
        f'<ul class="forms">{"".join(items)}</ul>{more}</section>'
    )


def marked_sentences(summary: Summary, view: View) -> str:
    """The sentences with the most errors, gold above and prediction below."""
    listed = (summary.get("errors") or {}).get("sentences") or ()
    every = [one for one in listed if one.get("cost")]
    found = every if view.full else every[:MOST_SENTENCES]
    if not found:
        return ""
    source = summary.get("source") or {}
    unit = str(source.get("unit", "token"))
    colour = colours([str(name) for name in source.get("types") or ()])
    body = "".join(sentence(one, colour, unit, served=view.served) for one in found)
    hidden = len(every) - len(found)
    more = f'<p class="quiet">and {counted(hidden, "more sentence")} with errors</p>'
    return (
        "<section><h2>The sentences with the most errors</h2>"
        f'<p class="quiet">Gold above the words, prediction below; [first, last] '
        f"{unit}, counted from 0.</p>{LEGEND}{body}"
        f"{more if hidden else ''}</section>"
    )


def illegal(summary: Summary, view: View) -> str:
    """Where the scheme does not allow the tag that stands there."""
    said = illegal_line(summary)
    if not said:
        return ""
    unit = str((summary.get("source") or {}).get("unit", "token"))
    rows = []
    for side, word in (("gold", "gold"), ("pred", "prediction")):
        places = (summary.get("illegal_places") or {}).get(side) or ()
        for one in places if view.full else places[:MOST_PLACES]:
            around = one.get("context") or {}
            left, text, right = (str(around.get(k) or "") for k in ("left", "text", "right"))
            words = " ".join(filter(None, (left, f"[{text}]" if text else "", right)))
            rows.append(
                (
                    f"{word}, sentence {count(one['sentence'] + 1)}",
                    words,
                    count(one["position"] + 1),
                    str(one.get("before") or "start"),
                    str(one.get("after")),
                )
            )
    table = grid(("", unit, "after", "tag"), rows) if rows else ""
    return f"<section><h2>Illegal tags</h2><p>{escape(said)}</p>{table}</section>"
