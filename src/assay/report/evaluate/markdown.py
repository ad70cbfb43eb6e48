"""An evaluation as Markdown: the table of a paper, the comparisons, the methods paragraph."""

from __future__ import annotations

from assay.report.evaluate.cells import Cell, below, grid, lettered
from assay.report.evaluate.figures import decimals, mean
from assay.report.evaluate.mixed import differences as mixed_pairs
from assay.report.evaluate.mixed import sentences, variances
from assay.report.evaluate.rows import Table, metrics, pairs, raters, shares, unordered
from assay.report.evaluate.words import Summary, methods, said
from assay.report.markdown import escape, sentence
from assay.report.markdown import grid as rows_of
from assay.report.numbers import coefficient, level
from assay.report.render import View

PAIRS = 30
"""Of more pairs of systems, the whole list is left to ``full`` and to JSON."""


def markdown(summary: Summary, view: View) -> str:
    """The evaluation as Markdown; ``view.full`` adds every pair and every rater."""
    first, *rest = [sentence(text) for text in summary["headline"] if text]
    lines = [f"**{first}**", ""]
    lines += [line for text in rest for line in (text, "")]
    lines += _means(summary)
    tables = [table for _, table in shares(summary, unordered(summary))]
    few = view.full or len(summary["comparisons"]) <= PAIRS
    made = (
        pairs(summary) if few else None,
        mixed_pairs(summary) if few else None,
        variances(summary),
        metrics(summary),
    )
    tables += [found for found in made if found]
    lines += [line for table in tables for line in _table(table)]
    lines += [f"{sentence(text)}\n" for text in sentences(summary)]
    lines += [line for table in (raters(summary) if view.full else ()) for line in _table(table)]
    warned = said(summary["warnings"], len(summary["dimensions"]))
    lines += [f"> **Warning:** {sentence(text)}\n" for text in warned]
    lines += ["**Methods.** " + sentence(methods(summary))]
    return "\n".join(lines).strip()


def _table(table: Table) -> list[str]:
    rows = [[escape(cell) for cell in row] for row in table.rows]
    return [*rows_of([*map(escape, table.heads)], rows), "", sentence(table.caption), ""]


def _means(summary: Summary) -> list[str]:
    systems, dimensions, cells = grid(summary)
    if not dimensions:
        return []
    places = decimals(summary)
    rows = [
        [escape(name), *(_set(cells.get((name, d)), places[d]) for d in dimensions)]
        for name in systems
    ]
    rows += [[name, *(coefficient(v) for v in values)] for name, values in below(summary)]
    caption = (
        f"Means over items ± half of the {level(summary['level'])} interval; the best in bold."
    )
    told = " ".join([caption, *map(sentence, lettered(summary))])
    return [*rows_of(["System", *map(escape, dimensions)], rows), "", told, ""]


def _set(cell: Cell | None, digits: int) -> str:
    if cell is None or cell.value is None:
        return mean(None, digits)
    half = "" if cell.half is None else f" ± {mean(cell.half, digits)}"
    text = f"{mean(cell.value, digits)}{half}"
    return f"{f'**{text}**' if cell.best else text} {cell.letters}".rstrip()
