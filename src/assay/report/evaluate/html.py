"""An evaluation as a page, and as a notebook shows it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assay.report.evaluate.cells import Cell, alphas, grid, one_ways, won
from assay.report.evaluate.lines import several
from assay.report.evaluate.words import Summary, mean, methods, of, said
from assay.report.layout import brief, told
from assay.report.notebook import STYLE
from assay.report.numbers import coefficient, count, level, p_value, percent
from assay.report.render import View

PAGE = "body{margin:2em auto;max-width:62em;padding:0 1em}"


def html(summary: Summary, _view: View) -> str:
    """A whole page without a script."""
    title = escape(told(summary["headline"][0]))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{PAGE}</style></head>\n<body>"
        f"{fragment(summary, full=True)}</body></html>"
    )


def fragment(summary: Summary, *, full: bool = False) -> str:
    """The tables with their own small style sheet."""
    out = []
    for i, text in enumerate(filter(None, summary["headline"])):
        out.append(f"<p{' class=lead' if i == 0 else ''}>{escape(told(text))}</p>")
    out.append(_means(summary))
    if full:
        out += [_pairs(summary), _raters(summary)]
    out += [
        f"<p class=warn><b>warning:</b> {escape(told(text))}</p>"
        for text in said(summary["warnings"], len(summary["dimensions"]))
    ]
    out.append(f"<p class=quiet>{escape(methods(summary))}</p>")
    return f'<div class="assay"><style>{STYLE}</style>{"".join(out)}</div>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """A table; cells are HTML already, heads and the first cells are text."""
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{cell}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f"<div class=wide><table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _means(summary: Summary) -> str:
    systems, dimensions, cells = grid(summary)
    rows = [
        [brief(name), *(_set(cells.get((name, dimension))) for dimension in dimensions)]
        for name in systems
    ]
    rows.append(["Krippendorff's alpha", *(coefficient(a) for a in alphas(summary))])
    icc = one_ways(summary)
    if icc is not None:
        rows.append(["ICC(1)", *(coefficient(v) for v in icc)])
    caption = (
        f"Means over items ± half of the {level(summary['level'])} interval; the best in bold; "
        "systems that share a letter are not shown to differ."
    )
    return _table(["System", *map(brief, dimensions)], rows, caption)


def _set(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return "–"
    half = "" if cell.half is None else f" ± {mean(cell.half)}"
    text = f"{mean(cell.value)}{half}"
    text = f"<b>{text}</b>" if cell.best else text
    return f"{text} <sup>{escape(cell.letters)}</sup>" if cell.letters else text


def _pairs(summary: Summary) -> str:
    rows = []
    pairs = summary["comparisons"]
    for pair, w in zip(pairs, won(pairs) if pairs else (), strict=True):
        limits = pair["interval"]
        n = w["wins"] + w["ties"] + w["losses"]
        where = f"{brief(pair['dimension'])}: " if several(summary) else ""
        rows.append(
            [
                f"{where}{brief(pair['a'])} − {brief(pair['b'])}",
                mean(pair["mean_difference"]),
                "–" if limits is None else f"{mean(limits['low'])} to {mean(limits['high'])}",
                escape(p_value(pair["p_decisive"])) + ("*" if pair["significant"] else ""),
                coefficient(pair["effects"]["cliffs_delta"]),
                *(percent(w[k] / n if n else None) for k in ("wins", "ties", "losses")),
            ]
        )
    if not rows:
        return ""
    heads = ["Pair", "Difference", "Interval", "p", "Cliff's δ", "Win", "Tie", "Lose"]
    return _table(heads, rows, "Differences between systems, p corrected for their number.")


def _raters(summary: Summary) -> str:
    out = []
    for dimension in summary["dimensions"]:
        rows = [
            [
                brief(r["rater"]),
                count(r["ratings"]),
                mean(r["mean"]),
                mean(r["severity"]),
                coefficient(r["correlation"]),
                percent(r["share_low"]),
                percent(r["share_high"]),
            ]
            for r in of(summary, "raters", dimension["dimension"])
        ]
        if rows:
            heads = ["Rater", "Ratings", "Mean", "Severity", "r with others", "Lowest", "Highest"]
            out.append(_table(heads, rows, f"Raters: {brief(dimension['dimension'])}"))
    return "".join(out)
