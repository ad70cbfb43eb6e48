"""Several systems on the same gold, in the terminal: their order, and how sure it is."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from assay.report.layout import GAP, Column, Row, clean, heading, paragraph, table
from assay.report.numbers import MINUS, count, fixed, level, p_value
from assay.report.render import Summary, View
from assay.report.spans.words import (
    against,
    f_name,
    limits,
    micro,
    percent,
    short_names,
    shown_mode,
)
from assay.report.terminal import WIDEST

MOST_COMPARISONS, MOST_DIFFERING = 10, 5


def ordered(summary: Summary) -> list[Any]:
    """The systems by rank."""
    return sorted(summary.get("systems") or (), key=lambda one: one.get("rank") or 0)


def points(difference: float | None, minus: str = MINUS) -> str:
    """A difference of two shares in percentage points, with its sign.

    >>> points(0.0123), points(-0.2), points(0.0)
    ('+1.2', '−20.0', '0.0')
    """
    if difference is None:
        return "–"
    text = fixed(100.0 * difference, 1, minus)
    return text if text.startswith(minus) or text == "0.0" else f"+{text}"


def point_limits(interval: Any, minus: str = MINUS) -> str:
    """The limits of a difference in percentage points.

    >>> point_limits({"low": -0.05, "high": 0.1})
    '[−5.0, +10.0]'
    """
    if not interval or interval.get("low") is None:
        return "–"
    return f"[{points(interval['low'], minus)}, {points(interval['high'], minus)}]"


def ranking(summary: Summary, view: View) -> list[Text]:
    """The systems, best first, then each pair of them."""
    found = ordered(summary)
    width = view.width or WIDEST
    if len(found) < 2:
        return []
    rows, names = [], short_names(summary)
    for one in found:
        row = micro(one, shown_mode(summary)) or one
        cells = (
            count(one.get("rank")),
            clean(names[one["name"]]),
            *(percent(one.get(key)) for key in ("precision", "recall", "f1")),
            limits(one.get("interval")),
            *(count(row.get(key)) for key in ("tp", "fp", "fn")),
        )
        rows.append(Row(cells, strong=one.get("rank") == 1))
    columns = [Column(""), Column("", False, 30), *map(Column, ("P", "R", f_name(summary)))]
    columns += [Column("interval"), *map(Column, ("TP", "FP", "FN"))]
    lines = heading(
        "Systems",
        width,
        f"{shown_mode(summary)}, in %; interval {level(summary.get('level', 0.95))}",
    )
    lines += table(columns, rows, width)
    lines += _comparisons(summary, view, width)
    text = f"What follows is about {clean(against(summary))}."
    return [*lines, Text(""), *paragraph(text, width, style="dim")]


def _comparisons(summary: Summary, view: View, width: int) -> list[Text]:
    every = list(summary.get("comparisons") or ())
    found = every if view.full else every[:MOST_COMPARISONS]
    if not found:
        return []
    names = short_names(summary)
    columns = [Column("", False, 60), Column("difference"), Column("interval")]
    columns += [Column("p bootstrap", extra=True), Column("p swap", extra=True), Column("p, Holm")]
    rows = [
        Row(
            (
                f"{clean(names[c['a']])} {MINUS} {clean(names[c['b']])}",
                points(c.get("difference")),
                point_limits(c.get("interval")),
                p_value(c.get("p_bootstrap")),
                p_value(c.get("p_randomisation")),
                p_value(c.get("p_adjusted")),
            ),
            below=_where(c),
        )
        for c in found
    ]
    aside = f"points of {f_name(summary)}; swap: outputs exchanged at random, corrected by Holm"
    lines = [Text(""), *heading("Differences", width, aside), *table(columns, rows, width)]
    if len(every) > len(found):
        text = f"and {len(every) - len(found)} more pairs: --full"
        lines += paragraph(text, width, GAP, style="dim")
    return lines


def _where(comparison: Any) -> str:
    """The sentences that make most of the difference."""
    found = (comparison.get("sentences") or ())[:MOST_DIFFERING]
    bits = [f"{count(s['sentence'] + 1)} ({count(s['a'])} against {count(s['b'])})" for s in found]
    return f"errors differ most in sentences {', '.join(bits)}" if bits else ""
