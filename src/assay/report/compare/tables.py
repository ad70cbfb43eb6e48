"""A comparison as Markdown, LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.csv_text import csv_text
from assay.report.compare.terminal import homogeneity, methods, shown
from assay.report.compare.words import limits, signed
from assay.report.latex import DASH, escape
from assay.report.layout import brief, told
from assay.report.markdown import escape as safe
from assay.report.names import title
from assay.report.numbers import coefficient, count, interval, p_value
from assay.report.render import Summary, View, cautions

COLUMNS = (
    "first", "second", "name", "full_name", "items", "first_value", "second_value", "difference",
    "interval_level", "interval_low", "interval_high", "interval_method", "p_value", "p_method",
    "p_bootstrap", "p_swap", "p_adjusted", "margin", "lower", "non_inferior",
    "undefined_code", "undefined_reason",
)  # fmt: skip
GROUP_COLUMNS = (
    "name", "full_name", "group", "value", "standard_error", "interval_level", "interval_low",
    "interval_high", "interval_method", "statistic", "df", "p_value", "left_out",
)  # fmt: skip


def markdown(summary: Summary, view: View) -> str:
    """Tables for a README."""
    lines = [safe(told(text)) for text in summary.get("headline") or ()]
    if summary["of"] == "groups":
        for s in shown(summary["strata"], summary, view.full):
            rows = [
                [v["group"], coefficient(v["value"]), interval(v["interval"])]
                for v in [*s["values"], {"group": "pooled", **s["pooled"]}]
            ]
            lines += ["", f"**{safe(title(s, summary))}**", ""]
            lines += _table(("Group", "Value", "Interval"), rows)
            lines += ["", safe(f"{homogeneity(s)}.")]
    for one in summary.get("comparisons") or ():
        names = f"**{safe(one['first'])} − {safe(one['second'])}**"
        lines += ["", f"{names}, {count(one['items'])} items", ""]
        heads = ("Coefficient", one["first"], one["second"], "Difference", "Interval", "p")
        lines += _table(heads, _rows(one, summary, view.full))
    for caution in cautions(summary):
        lines += ["", f"> **Warning:** {safe(told(caution['message']))}"]
    return "\n".join([*lines, "", safe("; ".join(methods(summary))) + "."])


def _rows(one: Any, summary: Summary, full: bool) -> list[list[str]]:
    rows = []
    right = one["accuracy"]
    if right:
        cells = [coefficient(right[k]) for k in ("first", "second")]
        cells += [signed(right["difference"]), "–", p_value(right["p_value"])]
        rows.append(["Equal to the reference (exact McNemar)", *cells])
    for d in shown(one["differences"], summary, full):
        cells = [coefficient(d[k]["value"], missing="not defined") for k in ("first", "second")]
        cells += [signed(d["difference"]), limits(d["interval"]), p_value(d["p_value"])]
        rows.append([title(d, summary), *cells])
    return rows


def _table(heads: Sequence[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(safe(brief(h)) for h in heads) + " |"]
    lines.append("|---" + "|---:" * (len(heads) - 1) + "|")
    return lines + ["| " + " | ".join(safe(brief(c)) for c in row) + " |" for row in rows]


def latex(summary: Summary, view: View) -> str:
    """A booktabs table for a paper."""
    grouped = summary["of"] == "groups"
    heads = ["Group", "Value", "Interval"] if grouped else [
        "Coefficient", "First", "Second", "Difference", "Interval", "$p$",
    ]  # fmt: skip
    lines = [
        "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}.",
        f"\\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
        "\\toprule",
        " & ".join(heads) + " \\\\",
    ]
    blocks: list[tuple[str, list[list[str]]]] = []
    if grouped:
        for s in shown(summary["strata"], summary, view.full):
            rows = [
                [v["group"], coefficient(v["value"]), interval(v["interval"])]
                for v in [*s["values"], {"group": "pooled", **s["pooled"]}]
            ]
            blocks.append((f"{title(s, summary)}; {homogeneity(s)}", rows))
    for one in summary.get("comparisons") or ():
        name = f"{one['first']} − {one['second']}, {count(one['items'])} items"
        blocks.append((name, _rows(one, summary, view.full)))
    for name, rows in blocks:
        text = _tex(brief(name, 120))
        lines += ["\\midrule", f"\\multicolumn{{{len(heads)}}}{{l}}{{\\emph{{{text}}}}} \\\\"]
        lines += [" & ".join("{" + _tex(c) + "}" for c in row) + " \\\\" for row in rows]
    lines += ["\\bottomrule", "\\end{tabular}"]
    return "\n".join([*lines, *(f"% {' '.join(told(m).split())}" for m in methods(summary))])


def _tex(text: str) -> str:
    if text == "–":
        return DASH
    # Escaping trims a text, so the sign stands for a word of its own meanwhile.
    return escape(text.replace("χ²", "chisquared")).replace("chisquared", r"$\chi^2$")


def compared_csv(summary: Summary, _view: View) -> str:
    """One row a coefficient and pair, or a coefficient and group; unrounded."""
    rows: list[Any] = []
    if summary["of"] == "groups":
        rows.append(GROUP_COLUMNS)
        for s in summary["strata"]:
            for v in [*s["values"], {"group": "(pooled)", **s["pooled"], "left_out": None}]:
                test = s["homogeneity"] if v["group"] == "(pooled)" else {}
                ends = v["interval"] or {}
                rows.append(
                    [
                        s["name"], s["full_name"], v["group"], v["value"], v["standard_error"],
                        *(ends.get(k) for k in ("level", "low", "high", "method")),
                        *(test.get(k) for k in ("statistic", "df", "p_value")),
                        (v["left_out"] or {}).get("reason"),
                    ]
                )  # fmt: skip
        return csv_text(rows)
    rows.append(COLUMNS)
    for one in summary["comparisons"]:
        for d in one["differences"]:
            ends, limit = d["interval"] or {}, d["non_inferiority"] or {}
            why = d["undefined"] or {}
            rows.append(
                [
                    one["first"], one["second"], d["name"], d["full_name"], one["items"],
                    d["first"]["value"], d["second"]["value"], d["difference"],
                    *(ends.get(k) for k in ("level", "low", "high", "method")),
                    *(d[k] for k in ("p_value", "p_method", "p_bootstrap", "p_swap", "p_adjusted")),
                    *(limit.get(k) for k in ("margin", "lower", "holds")),
                    why.get("code"), why.get("reason"),
                ]
            )  # fmt: skip
    return csv_text(rows)
