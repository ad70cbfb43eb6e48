"""The options of ``assay spans``, under the headings that its help shows."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.output_options import gate, printed, put
from assay.report.render import SPAN_FORMATS
from assay.report.spans.words import MODES
from assay.spans.schemes import ILLEGAL, SAME_NAME, SCHEMES

MACHINE = tuple(name for name in SPAN_FORMATS if name != "terminal")
OFFSETS = ("code-points", "utf-16", "bytes")
SNAPS = ("expand", "inside", "drop", "error")
PARITY = ("seqeval", "seqeval-strict", "conlleval", "nervaluate")


def place(text: str) -> int | str:
    """A column by its number (from 1, or from the end below 0) or by its name.

    >>> place("-1"), place("ner")
    (-1, 'ner')
    """
    try:
        return int(text)
    except ValueError:
        return text


COLUMN: dict[str, Any] = {"type": place, "metavar": "COLUMN"}

# (heading, ((names, click's keywords), …))
OPTIONS: tuple[tuple[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]], ...] = (
    (
        "How the files are read (found by itself where only one reading fits)",
        (
            (
                ("--format",),
                {"metavar": "NAME", "help": "conll, rows, jsonl, json, parquet or brat."},
            ),
            (
                ("--column",),
                COLUMN | {"help": "The column with the tags: its number from 1, -1 for the last."},
            ),
            (
                ("--gold-column",),
                COLUMN | {"help": "The same for gold only, or in one file with both."},
            ),
            (("--pred-column",), COLUMN | {"help": "The same for the prediction."}),
            (("--token-column",), COLUMN | {"help": "The column with the words."}),
            (
                ("--tag-names",),
                {
                    "metavar": "O,B-PER,…",
                    "help": "What tags that are numbers stand for, from 0.",
                },
            ),
            (("--encoding",), {"metavar": "NAME", "help": "Such as utf-8, utf-16 or latin-1."}),
            (
                ("--unit",),
                {
                    "type": click.Choice(("token", "character")),
                    "help": "What spans with character offsets are counted in.",
                },
            ),
            (
                ("--offsets",),
                {
                    "type": click.Choice(OFFSETS),
                    "help": "What character offsets count, if not what fits the quoted texts.",
                },
            ),
            (
                ("--inclusive",),
                {"is_flag": True, "help": "A span's end is its last token, not one past it."},
            ),
            (
                ("--stream",),
                {
                    "is_flag": True,
                    "help": "Read files of tags in chunks, as is done by itself where they do not "
                    "fit into --memory; leaves out what needs the words.",
                },
            ),
            (
                ("--memory",),
                {
                    "metavar": "SIZE",
                    "help": "How much memory reading may take, such as 2GB, before files are read "
                    "in chunks; a quarter of the machine's if not given.",
                },
            ),
            (
                ("--align",),
                {
                    "is_flag": True,
                    "help": "Where the sides differ in sentences or tokens, score the "
                    "sentences that agree and count the rest.",
                },
            ),
            (
                ("--snap",),
                {
                    "type": click.Choice(SNAPS),
                    "help": "What a span that ends inside a token becomes where tokens are "
                    "counted: wider, narrower, nothing, or an error.",
                },
            ),
        ),
    ),
    (
        "What the tags mean",
        (
            (
                ("--scheme",),
                {
                    "type": click.Choice((*SCHEMES, *SAME_NAME), case_sensitive=False),
                    "metavar": "NAME",
                    "help": f"The scheme, if not the one found from all files together: "
                    f"{', '.join((*SCHEMES, *SAME_NAME))}.",
                },
            ),
            (
                ("--illegal",),
                {
                    "type": click.Choice(ILLEGAL),
                    "help": "How a tag that the scheme does not allow is read: it opens a "
                    "span; what it opens is dropped; or the last tag's type wins.",
                },
            ),
            (
                ("--suffix",),
                {"is_flag": True, "help": "The prefix comes last, as in PER-B."},
            ),
        ),
    ),
    (
        "What is computed",
        (
            (
                ("--mode",),
                {
                    "type": click.Choice(tuple(MODES)),
                    "help": "The way of matching by which types are listed and systems ranked; "
                    "exact if not given. All ways are in every report.",
                },
            ),
            (
                ("--zero-division",),
                {
                    "type": click.Choice(("1", "0", "undefined")),
                    "help": "What precision without predictions and recall without gold are.",
                },
            ),
            (("--beta",), {"type": float, "help": "The weight of recall in F, 1."}),
            (
                ("--bootstrap",),
                {
                    "type": click.IntRange(min=0),
                    "metavar": "N",
                    "help": "Resamples for intervals and comparisons, 1000; 0 for none.",
                },
            ),
            (
                ("--by",),
                {
                    "type": click.Choice(("sentence", "document")),
                    "help": "What is resampled.",
                },
            ),
            (("--seed",), {"type": int, "help": "Of the resampling, 0."}),
            (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
        ),
    ),
    (
        "What is compared",
        (
            (
                ("--annotators",),
                {
                    "is_flag": True,
                    "help": "The files are annotators of one text: no gold, but agreement.",
                },
            ),
            (
                ("--gamma",),
                {
                    "is_flag": True,
                    "help": "Of annotators also gamma, by the extra of that name; slow.",
                },
            ),
            (
                ("--as", "as_"),
                {
                    "type": click.Choice(PARITY),
                    "help": "Print what this scorer prints, and why it differs.",
                },
            ),
        ),
    ),
    printed(SPAN_FORMATS),
    gate(
        "FIGURE=VALUE",
        "Exit with 1 if it is below VALUE: exact.micro.f1=0.8, "
        "partial.PER.recall=0.9, token_accuracy=0.95. Repeatable.",
    ),
)

options = put(OPTIONS)
"""Puts all of :data:`OPTIONS` on a command."""
