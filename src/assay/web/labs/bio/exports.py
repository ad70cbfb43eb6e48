"""The pair as other people's programs and papers take it; canonical in every language."""

from __future__ import annotations

from assay.errors import InputError
from assay.report.numbers import fixed
from assay.spans.sources.columns import read_columns
from assay.spans.sources.load import Loaded
from assay.web.labs.bio.scored import Line, Scored
from assay.web.labs.bio.state import State
from assay.web.speech import Speech

Copy = tuple[str, str, str]
"""A name for the id, a title, and the text."""

FILE = "sentence.conll"
CITATION = (
    "Tjong Kim Sang, E. F. and De Meulder, F. (2003). Introduction to the CoNLL-2003 shared task: "
    "language-independent named entity recognition. CoNLL.\n"
)
"""Where precision, recall and F1 of whole entities became the measure."""


def exports(state: State, found: Scored, speech: Speech) -> tuple[Copy, ...]:
    """Everything that can be taken along; no file where it would be read as another sentence."""
    say = speech.say
    lines = [found.line(mode, state.zero) for mode in ("exact", "partial")]
    file = (
        ("command", say("Command line"), command(state)),
        ("conll", say("CoNLL block, as {file}", file=FILE), conll(state)),
    )
    return (
        ("python", "Python", python(state)),
        *(file if reads_back(state) else ()),
        ("latex", "LaTeX", latex(lines)),
        ("cite", say("Citation"), CITATION),
    )


def without_file(state: State, speech: Speech) -> str:
    """Why there is no file of columns and no command on it; "" where there is."""
    if not state.tokens:
        return speech.say(
            "There is no file and no command line for it: a file without tokens is not read."
        )
    if not reads_back(state):
        return speech.say(
            "There is no file and no command line for it: a token here, as -DOCSTART-, stands for "
            "something else in a file of columns."
        )
    return ""


def reads_back(state: State) -> bool:
    """Whether the library reads the pair's own rows from the file of columns."""
    if not state.tokens:
        return False
    loaded = Loaded(conll(state).encode(), FILE)
    try:
        (gold, pred), _, _ = read_columns(loaded, (None, None), separated=True)
    except InputError:
        return False
    return (gold.rows(), pred.rows()) == ([list(state.gold)], [list(state.pred)])


def python(state: State) -> str:
    """A program that prints the report on this pair."""
    return (
        "import assay\n\n"
        f"gold = {list(state.gold)}\n"
        f"pred = {list(state.pred)}\n"
        f"report = assay.score_spans([gold], [pred], scheme={state.scheme!r}, "
        f"illegal={state.illegal!r},\n"
        f"                           zero_division={state.zero!r}, bootstrap=0)\n"
        "print(report)\n"
    )


def command(state: State) -> str:
    """The command on a file with this pair in its last two columns."""
    return (
        f"assay spans {FILE} --format conll --scheme {state.scheme} --illegal {state.illegal} "
        f"--zero-division {state.zero} --bootstrap 0\n"
    )


def conll(state: State) -> str:
    """Token, gold and predicted tag, a line each."""
    rows = zip(state.tokens, state.gold, state.pred, strict=True)
    return "".join(f"{token} {gold} {pred}\n" for token, gold, pred in rows)


def latex(lines: list[Line]) -> str:
    """A row for a table: precision, recall and F1 in per cent."""
    out = ["% matching & precision & recall & F1"]
    for line in lines:
        shares = (line.precision, line.recall, line.f1)
        cells = " & ".join("--" if x is None else fixed(100 * x, 1, "-") for x in shares)
        out.append(rf"{line.mode} & {cells} \\")
    return "\n".join(out) + "\n"
