"""The table as other people's programs and papers take it; canonical in every language."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterable, Sequence

from assay.agreement.cohen import REFERENCE, WEIGHTED
from assay.estimate import Estimate
from assay.report.numbers import fixed
from assay.web.labs.kappa.state import State
from assay.web.speech import Speech

Copy = tuple[str, str, str]
"""A name for the id, a title, and the text."""


def exports(state: State, kappa: Estimate, speech: Speech) -> tuple[Copy, ...]:
    """Everything that can be taken along."""
    say = speech.say
    return (
        ("python", "Python", _python(state)),
        ("command", say("Command line"), _command(state)),
        ("latex", "LaTeX", _latex(state, kappa)),
        ("cite", say("Citation"), f"{REFERENCE if state.weights == 'identity' else WEIGHTED}.\n"),
    )


def _python(state: State) -> str:
    weights = ""
    if state.weights == "custom":
        weights = f", weights={[[float(w) for w in row] for row in state.matrix]}"
    elif state.weights != "identity":
        weights = f', weights="{state.weights}"'
    return (
        "import assay\n\n"
        f"table = assay.Table({[list(row) for row in state.cells]},\n"
        f"                    labels={list(state.labels)}, raters={state.raters})\n"
        f"print(assay.cohen_kappa(table{weights}))\n"
        "print(assay.agree(table))\n"
    )


END = "END-OF-TABLE"


def _command(state: State) -> str:
    """The table as a file in the command itself; weights of one's own would need another."""
    weights = ""
    if state.weights in ("linear", "quadratic"):
        order = shlex.quote(_csv([state.labels]).strip())
        weights = f" --weights {state.weights} --order {order}"
    rows = zip(state.labels, state.cells, strict=True)
    table = _csv([("", *state.labels), *((label, *row) for label, row in rows)])
    return f"assay agree - --format csv --layout table{weights} <<'{END}'\n{table}{END}\n"


def _csv(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _latex(state: State, kappa: Estimate) -> str:
    heads = " & ".join(map(tex, state.labels))
    lines = [
        rf"\begin{{tabular}}{{l{'r' * state.k}}}",
        rf"{tex(state.raters[0])} $\downarrow$ {tex(state.raters[1])} $\rightarrow$ & {heads} \\",
        r"\hline",
    ]
    for label, row in zip(state.labels, state.cells, strict=True):
        lines.append(rf"{tex(label)} & {' & '.join(map(str, row))} \\")
    lines += [r"\end{tabular}", f"% {kappa.full_name}"]
    if kappa.value is None:
        return "\n".join([*lines, r"$\kappa$ is not defined.", ""])
    said = rf"$\kappa = {fixed(kappa.value, 3, '-')}$"
    interval = kappa.interval()
    if interval is not None:
        low, high = fixed(interval.low, 3, "-"), fixed(interval.high, 3, "-")
        said += rf" (95\,\% CI $[{low}, {high}]$, $n = {state.n}$)"
    return "\n".join([*lines, said, ""])


ESCAPES = str.maketrans({c: f"\\{c}" for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip


def tex(text: str) -> str:
    """A name as LaTeX takes it."""
    return text.translate(ESCAPES)
