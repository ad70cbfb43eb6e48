"""The options of ``assay agree``, under the headings that its help shows."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.output_options import gate, printed, put
from assay.cli.serving import PORT
from assay.report.render import FORMATS

LAYOUTS = ("long", "wide", "counts", "table")
SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
ESTIMATORS = ("gwet", "pooled", "pair-weighted", "fleiss1981")
INTERVALS = ("analytic", "bootstrap", "bca", "jackknife")
INTERPRET = ("landis-koch", "fleiss", "altman", "cicchetti-sparrow", "regier", "krippendorff")
MACHINE = tuple(name for name in FORMATS if name != "terminal")

INTERVAL_OPTIONS: tuple[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = (
    "How intervals are made",
    (
        (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
        (
            ("--interval",),
            {
                "type": click.Choice(INTERVALS),
                "help": "analytic; bootstrap: quantiles of resampled values; bca: the same, "
                "corrected for bias and skewness; jackknife: one left out at a time.",
            },
        ),
        (("--resamples",), {"type": int, "help": "How many resamples, 1000."}),
        (("--seed",), {"type": int, "help": "Where the random numbers start, 0."}),
        (
            ("--resample",),
            {
                "type": click.Choice(("items", "items-raters")),
                "help": "What a bootstrap draws: items, or items and raters.",
            },
        ),
        (
            ("--population",),
            {
                "type": int,
                "metavar": "N",
                "help": "Items in the population that these are a sample of: errors shrink.",
            },
        ),
        (
            ("--raters-sampled",),
            {
                "is_flag": True,
                "help": "The raters are a sample, too: add their jackknife variance.",
            },
        ),
    ),
)

PICTURES: tuple[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = (
    "Pictures and pages",
    (
        (
            ("--plot",),
            {
                "metavar": "KIND=FILE",
                "multiple": True,
                "help": "A picture as .svg or .png: intervals, confusion (of the pair that agrees "
                "least), matrix, distribution or items. Repeatable.",
            },
        ),
        (
            ("--serve",),
            {
                "is_flag": True,
                "help": "Show the report in the browser, with links into the labs, until Ctrl-C.",
            },
        ),
        (
            ("--port",),
            {
                "type": click.IntRange(0, 65535),
                "default": PORT,
                "show_default": True,
                "help": "Where --serve listens; 0 takes a free port.",
            },
        ),
        (("--no-browser",), {"is_flag": True, "help": "With --serve: open no browser."}),
    ),
)

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
            (
                ("--cluster",),
                {
                    "metavar": "COLUMN",
                    "help": "The document, prompt or the like that an item belongs to; with "
                    "--interval, clusters are drawn in place of items.",
                },
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
            (
                ("--memory",),
                {
                    "metavar": "SIZE",
                    "help": "Such as 1GB: a file that would take more is read in batches, and "
                    "rows not in order of items go through temporary files; a quarter of the "
                    "machine's memory.",
                },
            ),
            (
                ("--no-pairs",),
                {
                    "is_flag": True,
                    "help": "In batches, leave out pairs of raters, which take the most time.",
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
            (
                ("--interpret",),
                {
                    "type": click.Choice(INTERPRET),
                    "help": "Add the words of a verbal scale, with its authors' names.",
                },
            ),
        ),
    ),
    INTERVAL_OPTIONS,
    printed(FORMATS),
    PICTURES,
    gate("NAME=VALUE", "Exit with 1 if the coefficient is below VALUE. Repeatable."),
)

options = put(OPTIONS)
"""Puts all of :data:`OPTIONS` on a command."""
