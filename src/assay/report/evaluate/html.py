"""An evaluation as a page, and as a notebook shows it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assay.report.evaluate.cells import Cell, below, grid, lettered
from assay.report.evaluate.figures import decimals, mean
from assay.report.evaluate.mixed import differences as mixed_pairs
from assay.report.evaluate.mixed import sentences, variances
from assay.report.evaluate.rows import Table, metrics, pairs, raters, shares, unordered
from assay.report.evaluate.words import Summary, methods, said
from assay.report.layout import brief, told
from assay.report.notebook import STYLE
from assay.report.numbers import coefficient, level
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
    return f'<div class="assay"><style>{STYLE}</style>{sections(summary, full=full)}</div>'


def sections(summary: Summary, *, full: bool) -> str:
    """The finding, the tables, and how they were made; ``full`` has every pair and rater."""
    out = []
    for i, text in enumerate(filter(None, summary["headline"])):
        out.append(f"<p{' class=lead' if i == 0 else ''}>{escape(told(text))}</p>")
    out.append(_means(summary))
    tables = [table for _, table in shares(summary, unordered(summary))]
    if full:
        made = (pairs(summary), mixed_pairs(summary), variances(summary), metrics(summary))
        tables += [found for found in made if found]
    out += map(_plain, tables)
    out += [f"<p>{escape(told(text))}</p>" for text in sentences(summary)]
    out += map(_plain, raters(summary) if full else ())
    out += [
        f"<p class=warn><b>warning:</b> {escape(told(text))}</p>"
        for text in said(summary["warnings"], len(summary["dimensions"]))
    ]
    out.append(f"<p class=quiet>{escape(methods(summary))}</p>")
    return "".join(out)


def _plain(table: Table) -> str:
    return _table(
        table.heads, [[row[0], *map(escape, row[1:])] for row in table.rows], table.caption
    )


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
        f"<div class=wide tabindex=0><table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _means(summary: Summary) -> str:
    systems, dimensions, cells = grid(summary)
    if not dimensions:
        return ""
    places = decimals(summary)
    rows = [
        [brief(name), *(_set(cells.get((name, d)), places[d]) for d in dimensions)]
        for name in systems
    ]
    rows += [[name, *(coefficient(v) for v in values)] for name, values in below(summary)]
    caption = (
        f"Means over items ± half of the {level(summary['level'])} interval; the best in bold."
    )
    said = " ".join([caption, *map(told, lettered(summary))])
    return _table(["System", *map(brief, dimensions)], rows, said)


def _set(cell: Cell | None, digits: int) -> str:
    if cell is None or cell.value is None:
        return mean(None, digits)
    half = "" if cell.half is None else f" ± {mean(cell.half, digits)}"
    text = f"{mean(cell.value, digits)}{half}"
    text = f"<b>{text}</b>" if cell.best else text
    return f"{text} <sup>{escape(cell.letters)}</sup>" if cell.letters else text
