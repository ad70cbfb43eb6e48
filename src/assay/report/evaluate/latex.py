r"""The table of an evaluation as papers print it: a ``tabular`` with the rules of booktabs."""

from __future__ import annotations

from assay.report.evaluate.cells import Cell, below, grid, lettered
from assay.report.evaluate.figures import decimals, mean
from assay.report.evaluate.mixed import differences, sentences, variances
from assay.report.evaluate.rows import shares, unordered
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, methods
from assay.report.latex import DASH, MINUS, NEEDS, escape
from assay.report.layout import brief
from assay.report.numbers import coefficient, level
from assay.report.render import View


def latex(summary: Summary, _view: View) -> str:
    """Systems × dimensions, then shares of labels, then the paragraph on methods."""
    lines = [*NEEDS, *_means(summary)]
    for _, table in shares(summary, unordered(summary)):
        heads = [escape(head) for head in table.heads]
        rows = [[escape(cell).replace(" \\%", "") for cell in row] for row in table.rows]
        caption = table.caption.replace("shares of", "per cent of")
        lines += ["", *_tabular(heads, [rows]), "% " + " ".join(caption.split())]
    for found in (differences(summary), variances(summary)):
        if found is not None:
            heads = [escape(head) for head in found.heads]
            rows = [[escape(cell) for cell in row] for row in found.rows]
            lines += ["", *_tabular(heads, [rows]), "% " + " ".join(found.caption.split())]
    lines += ["% " + " ".join(text.split()) for text in sentences(summary)]
    # The blank line ends the table's paragraph; the sentences are text for the methods section.
    return "\n".join([*lines, "", escape(methods(summary)), ""]).rstrip()


def _tabular(heads: list[str], parts: list[list[list[str]]]) -> list[str]:
    """A table of cells that are LaTeX already, with a rule above each part."""
    lines = [f"\\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}", "\\toprule"]
    lines.append(" & ".join(heads) + " \\\\")
    for rows in parts:
        lines += ["\\midrule", *(" & ".join(row) + " \\\\" for row in rows)]
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _means(summary: Summary) -> list[str]:
    """Mean ± interval, best in bold, letters, agreement in the last rows."""
    systems, dimensions, cells = grid(summary)
    if not dimensions:
        return []
    places = decimals(summary)
    rows = [
        [escape(brief(name)), *(_set(cells.get((name, d)), places[d]) for d in dimensions)]
        for name in systems
    ]
    agreed = [
        [name.replace("alpha", "$\\alpha$"), *(coefficient(v, MINUS, DASH) for v in values)]
        for name, values in below(summary)
    ]
    settings = summary["settings"]
    limits, test = level(summary["level"]), TESTS[settings["test"]]
    corrected = CORRECTIONS[settings["correction"]]
    said = (
        f"Means over items, plus or minus half of the {limits} interval (t over items).",
        "Best in bold.",
        *lettered(summary),
        f"Tests: {test}, corrected: {corrected}, {settings['alpha']:g}.",
    )
    heads = ["System", *(escape(brief(d)) for d in dimensions)]
    return [*_tabular(heads, [rows, agreed]), *("% " + " ".join(text.split()) for text in said)]


def _set(cell: Cell | None, digits: int) -> str:
    if cell is None or cell.value is None:
        return DASH
    value = mean(cell.value, digits, MINUS)
    value = f"\\textbf{{{value}}}" if cell.best else value
    half = "" if cell.half is None else f" $\\pm$ {mean(cell.half, digits, MINUS)}"
    letters = f"\\textsuperscript{{{escape(cell.letters)}}}" if cell.letters else ""
    return f"{value}{half}{letters}"
