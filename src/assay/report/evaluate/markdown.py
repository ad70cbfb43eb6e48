"""An evaluation as Markdown: the table of a paper, the comparisons, the methods paragraph."""

from __future__ import annotations

from assay.report.evaluate.cells import alphas, grid, one_ways, won
from assay.report.evaluate.lines import LEVELS, METRICS, several
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, mean, methods, of, said
from assay.report.markdown import escape, sentence
from assay.report.markdown import grid as rows_of
from assay.report.numbers import coefficient, count, interval, level, p_value, percent
from assay.report.render import View

PAIRS = 30
"""Of more pairs of systems, the whole list is left to ``full`` and to JSON."""


def markdown(summary: Summary, view: View) -> str:
    """The evaluation as Markdown; ``view.full`` adds every pair and every rater."""
    first, *rest = [sentence(text) for text in summary["headline"] if text]
    lines = [f"**{first}**", ""]
    lines += [line for text in rest for line in (text, "")]
    lines += [*_means(summary), ""]
    if view.full or len(summary["comparisons"]) <= PAIRS:
        lines += _pairs(summary)
    lines += _metrics(summary)
    if view.full:
        lines += _raters(summary)
    warned = said(summary["warnings"], len(summary["dimensions"]))
    lines += [f"> **Warning:** {sentence(text)}\n" for text in warned]
    lines += ["**Methods.** " + sentence(methods(summary))]
    return "\n".join(lines).strip()


def _means(summary: Summary) -> list[str]:
    systems, dimensions, cells = grid(summary)
    rows = []
    for name in systems:
        row = [escape(name)]
        for dimension in dimensions:
            cell = cells.get((name, dimension))
            if cell is None or cell.value is None:
                row.append("–")
                continue
            half = "" if cell.half is None else f" ± {mean(cell.half)}"
            text = f"{mean(cell.value)}{half}"
            text = f"**{text}**" if cell.best else text
            row.append(f"{text} {cell.letters}".rstrip())
        rows.append(row)
    rows.append(["Krippendorff's alpha", *(coefficient(a) for a in alphas(summary))])
    icc = one_ways(summary)
    if icc is not None:
        rows.append(["ICC(1)", *(coefficient(v) for v in icc)])
    limits = level(summary["level"])
    caption = (
        f"Means over items ± half of the {limits} interval; the best in bold. Systems that share a "
        "letter are not shown to differ."
    )
    return [*rows_of(["System", *map(escape, dimensions)], rows), "", caption]


def _pairs(summary: Summary) -> list[str]:
    if not summary["comparisons"]:
        return []
    heads = ["Pair", "Difference", "Interval", "p", "Cliff's δ", "Win", "Tie", "Lose"]
    rows = []
    for pair, w in zip(summary["comparisons"], won(summary["comparisons"]), strict=True):
        limits = pair["interval"]
        where = f"{escape(pair['dimension'])}: " if several(summary) else ""
        n = w["wins"] + w["ties"] + w["losses"]
        rows.append(
            [
                f"{where}{escape(pair['a'])} − {escape(pair['b'])}",
                mean(pair["mean_difference"]),
                "–" if limits is None else f"{mean(limits['low'])} to {mean(limits['high'])}",
                p_value(pair["p_decisive"]).replace("<", "\\<")
                + ("\\*" if pair["significant"] else ""),
                coefficient(pair["effects"]["cliffs_delta"]),
                *(percent(w[k] / n if n else None) for k in ("wins", "ties", "losses")),
            ]
        )
    settings = summary["settings"]
    test, correction = TESTS[settings["test"]], CORRECTIONS[settings["correction"]]
    caption = f"p: {test}, corrected: {correction}; \\* below {settings['alpha']:g}."
    return [*rows_of(heads, rows), "", caption, ""]


def _metrics(summary: Summary) -> list[str]:
    if not summary["metrics"]:
        return []
    rows = [
        [
            escape(m["metric"]) + (f" ({escape(m['dimension'])})" if several(summary) else ""),
            LEVELS[m["level"]],
            METRICS[m["coefficient"]],
            coefficient(m["value"]),
            interval(m["interval"]),
            count(m["used"]),
        ]
        for m in summary["metrics"]
    ]
    return [*rows_of(["Metric", "Level", "Coefficient", "Value", "Interval", "n"], rows), ""]


def _raters(summary: Summary) -> list[str]:
    heads = ["Rater", "Ratings", "Mean", "SD", "Severity", "r with others", "Lowest", "Highest"]
    lines = []
    for dimension in summary["dimensions"]:
        rows = [
            [
                escape(r["rater"]),
                count(r["ratings"]),
                mean(r["mean"]),
                mean(r["standard_deviation"]),
                mean(r["severity"]),
                coefficient(r["correlation"]),
                percent(r["share_low"]),
                percent(r["share_high"]),
            ]
            for r in of(summary, "raters", dimension["dimension"])
        ]
        if rows:
            lines += [f"Raters, {escape(dimension['dimension'])}:", "", *rows_of(heads, rows), ""]
    return lines
