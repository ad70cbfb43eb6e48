"""The options of ``assay agree``, under the headings that its help shows."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.output_options import gate, printed, put
from assay.report.render import FORMATS

LAYOUTS = ("long", "wide", "counts", "table")
SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
ESTIMATORS = ("gwet", "pooled", "pair-weighted", "fleiss1981")
INTERPRET = ("landis-koch", "fleiss", "altman", "cicchetti-sparrow", "regier", "krippendorff")
MACHINE = tuple(name for name in FORMATS if name != "terminal")

# (heading, ((names, click's keywords), …))
OPTIONS: tuple[tuple[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]], ...] = (
    (
        "How the table is laid out (found by itself where only one reading fits)",
        (
            (
                ("--layout",),
                {
                    "type": click.Choice(LAYOUTS),
                    "help": "long: one rating a row; wide: one column a rater; counts: one "
                    "column a label; table: two raters' contingency table.",
                },
            ),
            (("--item",), {"metavar": "COLUMN", "help": "The column that names the item."}),
            (("--rater",), {"metavar": "COLUMN", "help": "The column that names the rater."}),
            (
                ("--raters",),
                {"metavar": "A,B,C", "help": "Only these raters; in a wide table their columns."},
            ),
            (("--label",), {"metavar": "COLUMN", "help": "The column with the label."}),
            (
                ("--by",),
                {
                    "metavar": "COLUMN",
                    "multiple": True,
                    "help": "One report for each value of this column. May be repeated.",
                },
            ),
            (
                ("--frequency",),
                {"metavar": "COLUMN", "help": "How many items a row stands for."},
            ),
        ),
    ),
    (
        "How the file is read",
        (
            (
                ("--format",),
                {"metavar": "NAME", "help": "csv, tsv, json, jsonl, parquet, excel or folder."},
            ),
            (("--encoding",), {"metavar": "NAME", "help": "Such as utf-8, utf-16 or latin-1."}),
            (("--delimiter",), {"metavar": "SIGN", "help": "The sign between two cells."}),
            (("--decimal",), {"metavar": "SIGN", "help": "The decimal sign: . or ,"}),
            (
                ("--header/--no-header",),
                {
                    "default": None,
                    "help": "Whether the first row names the columns, where that is not plain.",
                },
            ),
            (("--sheet",), {"metavar": "NAME", "help": "The sheet of a workbook."}),
            (
                ("--missing",),
                {
                    "metavar": "TEXT",
                    "multiple": True,
                    "help": "A text that means: no rating. Empty cells always do. Repeatable.",
                },
            ),
            (
                ("--relabel",),
                {
                    "metavar": "FROM=TO",
                    "multiple": True,
                    "help": "Read label FROM as TO; 'booleans' takes yes/true/1 and no/false/0 "
                    "as one. Repeatable.",
                },
            ),
            (
                ("--duplicates",),
                {
                    "type": click.Choice(("error", "first", "last")),
                    "help": "Where a rater rated an item twice: refuse, or keep one.",
                },
            ),
        ),
    ),
    (
        "What the labels mean",
        (
            (
                ("--scale",),
                {
                    "type": click.Choice(SCALES),
                    "help": "nominal: names; ordinal: an order; interval, ratio: numbers; "
                    "circular: hours, angles.",
                },
            ),
            (
                ("--order",),
                {
                    "metavar": "A,B,C",
                    "help": "The labels from lowest to highest. One that has a comma "
                    "stands in double quotes: 'no,\"yes, partly\",yes'.",
                },
            ),
            (
                ("--categories",),
                {
                    "metavar": "A,B,C",
                    "help": "All labels that could be given, used or not; written as in --order.",
                },
            ),
            (("--period",), {"type": float, "help": "The length of a circular scale, 24."}),
        ),
    ),
    (
        "What is computed",
        (
            (
                ("--weights",),
                {
                    "metavar": "NAME|FILE",
                    "help": "How near two labels are: identity, linear, quadratic, ordinal, "
                    "radical, ratio, circular, bipolar, or a CSV or JSON matrix with the labels "
                    "as its first row and column.",
                },
            ),
            (
                ("--metric",),
                {
                    "type": click.Choice(SCALES),
                    "help": "The distance in Krippendorff's alpha, if not that of the scale.",
                },
            ),
            (
                ("--estimator",),
                {
                    "type": click.Choice(ESTIMATORS),
                    "help": "Fleiss' kappa where items differ in the number of ratings.",
                },
            ),
            (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
            (
                ("--interpret",),
                {
                    "type": click.Choice(INTERPRET),
                    "help": "Add the words of a verbal scale, with its authors' names.",
                },
            ),
        ),
    ),
    printed(FORMATS),
    gate("NAME=VALUE", "Exit with 1 if the coefficient is below VALUE. Repeatable."),
)

options = put(OPTIONS)
"""Puts all of :data:`OPTIONS` on a command."""
