"""The figures on spans as a table for a paper: a ``tabular`` with the rules of booktabs."""

from __future__ import annotations

from typing import Any

from assay.report.latex import DASH, escape
from assay.report.numbers import count, level, p_value
from assay.report.render import Summary, View
from assay.report.spans.systems import ordered, point_limits, points
from assay.report.spans.words import (
    MODES,
    averages,
    conventions,
    f_name,
    figure,
    how,
    micro,
    modes,
    short_names,
    shown_mode,
    type_name,
    typed,
    types,
)

NOT_DEFINED = "not defined"


def latex(summary: Summary, view: View) -> str:
    """The types and averages, or the systems; with ``view.full`` the other modes, too."""
    several = len(summary.get("systems") or ()) > 1
    name = escape(level(summary.get("level", 0.95))).replace(" ", "~")
    first, last = ("System", "Rank") if several else ("Type", "$n$")
    lines = [
        "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}; text outside Latin-1",
        "% (Vietnamese, Chinese) needs XeLaTeX or LuaLaTeX with a font that has it.",
        "\\begin{tabular}{lrrrcr}",
        "\\toprule",
        f"{first} & P & R & {_f(summary)} & {name} interval & {last} \\\\",
        "\\midrule",
    ]
    lines += _systems(summary) if several else _types(summary)
    if view.full and not several:
        lines += ["\\midrule", *_modes(summary)]
    lines += ["\\bottomrule", "\\end{tabular}", *_comments(summary)]
    return "\n".join(lines)


def _f(summary: Summary) -> str:
    return f"$F_{{{f_name(summary)[1:]}}}$"


def _line(name: str, row: Any, last: str) -> str:
    shown = figure(row, DASH)
    f1 = NOT_DEFINED if row.get("f1") is None else shown.f1
    interval = "{" + shown.interval + "}"
    cells = (escape(name), shown.precision, shown.recall, f1, interval, last)
    return " & ".join(cells) + " \\\\"


def _support(row: Any) -> str:
    return count(row.get("support"), DASH).replace(",", "\\,")


def _types(summary: Summary) -> list[str]:
    mode = typed(summary)
    found = types(summary, mode)
    lines = [_line(type_name(row["type"]), row, _support(row)) for row in found]
    means = [_line(str(row["type"]), row, _support(row)) for row in averages(summary, mode)]
    return [*lines, *(["\\midrule"] if lines and means else []), *means]


def _modes(summary: Summary) -> list[str]:
    rows = ((mode, micro(summary, mode)) for mode in modes(summary, full=True))
    return [
        _line(f"{mode}: {MODES[mode]}", row, _support(row)) for mode, row in rows if row is not None
    ]


def _systems(summary: Summary) -> list[str]:
    names = short_names(summary)
    return [_line(names[one["name"]], one, count(one.get("rank"))) for one in ordered(summary)]


def _comments(summary: Summary) -> list[str]:
    """What the figures are, as comments."""
    bits = [f"in per cent; matching: {shown_mode(summary)}", conventions(summary)]
    bits += [f"interval: {method}" for method in how(summary)]
    names = short_names(summary)
    for c in summary.get("comparisons") or ():
        bits.append(
            f"{names[c['a']]} against {names[c['b']]}: {points(c.get('difference'), '-')} points "
            f"{point_limits(c.get('interval'), '-')}, p adjusted {p_value(c.get('p_adjusted'))}"
        )
    return [" ".join(f"% {bit}".split()) for bit in bits]
