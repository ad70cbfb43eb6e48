r"""The table of an evaluation as papers print it: a ``tabular`` with the rules of booktabs."""

from __future__ import annotations

from assay.report.evaluate.cells import Cell, alphas, grid, one_ways
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, mean, methods
from assay.report.latex import DASH, MINUS, escape
from assay.report.layout import brief
from assay.report.numbers import coefficient, level
from assay.report.render import View


def latex(summary: Summary, _view: View) -> str:
    """Systems × dimensions: mean ± interval, best in bold, letters, agreement in the last row."""
    systems, dimensions, cells = grid(summary)
    lines = [
        "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}; text outside Latin-1",
        "% (Vietnamese, Chinese) needs XeLaTeX or LuaLaTeX with a font that has it.",
        f"\\begin{{tabular}}{{l{'r' * len(dimensions)}}}",
        "\\toprule",
        " & ".join(["System", *(escape(brief(d)) for d in dimensions)]) + " \\\\",
        "\\midrule",
    ]
    for name in systems:
        row = [escape(brief(name))]
        row += [_set(cells.get((name, dimension))) for dimension in dimensions]
        lines.append(" & ".join(row) + " \\\\")
    lines.append("\\midrule")
    shown = [coefficient(a, MINUS, DASH) for a in alphas(summary)]
    lines.append(" & ".join(["Krippendorff's $\\alpha$", *shown]) + " \\\\")
    icc = one_ways(summary)
    if icc is not None:
        shown = [coefficient(v, MINUS, DASH) for v in icc]
        lines.append(" & ".join(["ICC(1)", *shown]) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    settings = summary["settings"]
    limits, test = level(summary["level"]), TESTS[settings["test"]]
    corrected = CORRECTIONS[settings["correction"]]
    said = (
        f"Means over items, plus or minus half of the {limits} interval (t over items).",
        "Best in bold; systems that share a letter are not shown to differ",
        f"({test}, corrected: {corrected}, {settings['alpha']:g}).",
        f"Methods: {methods(summary)}",
    )
    lines += ["% " + " ".join(text.split()) for text in said]
    return "\n".join(lines)


def _set(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return DASH
    value = mean(cell.value, MINUS)
    value = f"\\textbf{{{value}}}" if cell.best else value
    half = "" if cell.half is None else f" $\\pm$ {mean(cell.half, MINUS)}"
    letters = f"\\textsuperscript{{{escape(cell.letters)}}}" if cell.letters else ""
    return f"{value}{half}{letters}"
