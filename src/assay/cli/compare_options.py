"""The options of ``assay compare``: those of ``assay agree`` that fit, and its own."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.agree_options import INTERVALS, OPTIONS
from assay.cli.output_options import Declared, printed, put
from assay.report.render import COMPARISON_FORMATS

MACHINE = tuple(name for name in COMPARISON_FORMATS if name != "terminal")
TAKEN = ("How intervals are made", "What is printed", "As a gate")
"""Headings of ``assay agree`` that are made anew here, or left out."""
CHANGED: dict[str, str] = {
    "--by": "Compare the groups that this column makes. May be repeated.",
    "--raters": "The raters to compare; in a wide table their columns.",
    "--cluster": "The document, prompt or the like that an item belongs to: clusters are drawn.",
}
GONE = ("--interpret",)

SIDES: tuple[str, tuple[Declared, ...]] = (
    "What is compared (one of: two files, --reference, --majority, --by)",
    (
        (
            ("--reference",),
            {"metavar": "RATER", "help": "Hold the other raters against this one, such as gold."},
        ),
        (
            ("--majority",),
            {
                "is_flag": True,
                "help": "Hold each two raters against the majority of all others; ties are out.",
            },
        ),
        (
            ("--names",),
            {"metavar": "A,B", "help": "What to call the two rounds; the files' names if omitted."},
        ),
        (
            ("--margin",),
            {
                "type": float,
                "metavar": "D",
                "help": "Is the first not worse than the second by D or more?",
            },
        ),
    ),
)

TESTS: tuple[str, tuple[Declared, ...]] = (
    "How sure it is",
    (
        (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
        (("--resamples",), {"type": int, "help": "How many resamples, 1000."}),
        (("--seed",), {"type": int, "help": "Where the random numbers start, 0."}),
        (
            ("--interval",),
            {
                "type": click.Choice(INTERVALS),
                "help": "Where the errors of groups come from; clusters need one that draws.",
            },
        ),
    ),
)


def _changed(declared: Declared) -> Declared:
    names, keywords = declared
    keywords = dict(keywords)
    if names[0] in CHANGED:
        keywords["help"] = CHANGED[names[0]]
    return names, keywords


def _sections() -> list[tuple[str, tuple[Any, ...]]]:
    kept = [
        (heading, tuple(_changed(row) for row in rows if row[0][0] not in GONE))
        for heading, rows in OPTIONS
        if heading not in TAKEN
    ]
    return [SIDES, *kept, TESTS, printed(COMPARISON_FORMATS)]


options = put(_sections())
"""Puts all options on the command."""
