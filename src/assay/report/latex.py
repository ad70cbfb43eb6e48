r"""The coefficients as a table for a paper: a ``tabular`` with the rules of booktabs."""

from __future__ import annotations

from assay.report.layout import brief, told
from assay.report.methods import paragraphs
from assay.report.names import title
from assay.report.numbers import MINUS as MINUS_SIGN
from assay.report.numbers import coefficient, count, interval, level
from assay.report.render import Summary, View, ordered, parts

MINUS = "$-$"
DASH = "--"
NEEDS = (
    "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}; text outside Latin-1",
    "% (Vietnamese, Chinese) needs XeLaTeX or LuaLaTeX with a font that has it.",
)
"""What every table begins with."""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "\N{MINUS SIGN}": MINUS,
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{EMPTY SET}": r"$\emptyset$",
    # Behind the end of a row, these would be taken for a length and for the starred command.
    "[": "{[}",
    "*": "{*}",
}


def escape(text: object) -> str:
    r"""A name that LaTeX sets as it is.

    >>> print(escape("50 % of R&D_x"))
    50 \% of R\&D\_x
    """
    flat = " ".join(str(text).split())
    return "".join(SPECIAL.get(c, c if c.isprintable() else "?") for c in flat)


def latex(summary: Summary, view: View) -> str:
    """The chosen coefficients, or all that are defined with ``view.full``."""
    name = escape(level(summary.get("level", 0.95))).replace(" ", "~")
    lines = [
        *NEEDS,
        "\\begin{tabular}{lrcrrr}",
        "\\toprule",
        f"Coefficient & Value & {name} interval & $P_o$ & $P_e$ & $n$ \\\\",
    ]
    for group, part in parts(summary):
        lines.append("\\midrule")
        if group is not None:
            lines += [f"\\multicolumn{{6}}{{l}}{{\\emph{{{escape(brief(group))}}}}} \\\\"]
        lines += _rows(part, view.full)
    lines += ["\\bottomrule", "\\end{tabular}"]
    # The blank line ends the table's paragraph; the sentences are text for the methods section.
    lines += ["", *map(escape, paragraphs(summary, MINUS_SIGN)), "", *_comments(summary)]
    return "\n".join(lines)


def _rows(summary: Summary, full: bool) -> list[str]:
    chosen, others, _ = ordered(summary)
    shown = [*chosen, *others] if full else chosen
    return [
        " & ".join(
            (
                escape(title(c, summary)),
                coefficient(c.get("value"), MINUS, "not defined"),
                "{" + interval(c.get("interval"), MINUS, DASH) + "}",
                coefficient(c.get("observed"), MINUS, DASH),
                coefficient(c.get("expected"), MINUS, DASH),
                count(c.get("items"), DASH).replace(",", "\\,"),
            )
        )
        + " \\\\"
        for c in shown
    ]


def _comments(summary: Summary) -> list[str]:
    """What the numbers are, as comments: full names, methods, reasons, references."""
    lines = []
    for group, part in parts(summary):
        where = f"{brief(group)}: " if group else ""
        for c in ordered(part)[0]:
            bits = [str(c.get("full_name") or c["name"])]
            if c.get("undefined"):
                bits.append(f"not defined, because {told(c['undefined']['reason'])}")
            if c.get("interval"):
                bits.append(f"interval: {c['interval']['method']}")
            bits += [c["reference"]] if c.get("reference") else []
            lines.append(" ".join(f"% {where}{'; '.join(bits)}".split()))
    return lines
