"""``assay evaluate``: from ratings of systems to the table in the paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.cli.agree import listed
from assay.cli.help import Command
from assay.cli.incoming import DASH, NAME, on_disk
from assay.cli.output import format_for, wants_color, write, write_file
from assay.cli.output_options import HEDS, METHODS, Declared, extra, printed, put
from assay.cli.plots import draw, option, pictures
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import EVALUATION_FORMATS

T = TypeVar("T")

TESTS = ("wilcoxon", "sign", "permutation", "t")
CORRECTIONS = ("holm", "benjamini_hochberg", "bonferroni", "none")
COLUMN = {"metavar": "COLUMN"}

EXAMPLES = (
    ("assay evaluate ratings.csv", "Columns item, system, dimension, rater, value, found by name."),
    (
        "assay evaluate study.csv --item prompt --system model --value fluency,adequacy",
        "One column a dimension.",
    ),
    (
        "assay evaluate batch.csv --item doc --system 'team{k}' --value 'score{k}'",
        "Several systems in a row: team1, score1, team2, score2, ….",
    ),
    ("assay evaluate ratings.csv --latex --out table.tex", "The table for a paper."),
    ("assay evaluate ratings.csv --methods", "The paragraph for a paper."),
    (
        "assay evaluate ratings.csv --mixed",
        "Also a mixed model, for differences beyond these items and raters.",
    ),
    (
        "assay evaluate ratings.csv --metric bleu --metric judge_score",
        "How well do a metric and a judge follow the people?",
    ),
    (
        "assay evaluate ratings.csv --heds datasheet.md --raw ratings_raw.csv",
        "A draft of the datasheet, and every rating for readers who ask.",
    ),
)

OPTIONS: tuple[tuple[str, tuple[Declared, ...]], ...] = (
    (
        "Which column is what (found where a name is usual; {k} stands for a number)",
        (
            (("--item",), {**COLUMN, "help": "The item; several with commas make one."}),
            (("--system",), {**COLUMN, "help": "The system that made the output."}),
            (("--dimension",), {**COLUMN, "help": "What was rated, such as fluency."}),
            (("--rater",), {**COLUMN, "help": "Who rated."}),
            (
                ("--value",),
                {**COLUMN, "help": "The rating; several with commas are a dimension each."},
            ),
            (
                ("--metric",),
                {**COLUMN, "multiple": True, "help": "A metric to correlate. Repeatable."},
            ),
        ),
    ),
    (
        "What the values mean",
        (
            (
                ("--scale",),
                {
                    "metavar": "SCALE",
                    "multiple": True,
                    "help": "nominal, ordinal, interval or ratio; of one dimension: "
                    "fluency=interval. Repeatable; chosen from the values if omitted.",
                },
            ),
            (
                ("--order",),
                {
                    "metavar": "A,B,C",
                    "multiple": True,
                    "help": "Worded points from low to high; of one dimension: tone=rude,polite. "
                    "Repeatable.",
                },
            ),
            (("--categories",), {"metavar": "A,B,C", "help": "All points, used or not."}),
            (
                ("--missing",),
                {"metavar": "TEXT", "multiple": True, "help": "A text that means: no rating."},
            ),
            (
                ("--lower-better",),
                {
                    "metavar": "NAME",
                    "multiple": True,
                    "help": "A dimension on which a lower value is better. Repeatable.",
                },
            ),
        ),
    ),
    (
        "Which ratings count",
        (
            (
                ("--repeats",),
                {
                    "type": click.Choice(("first", "last")),
                    "help": "Of a rater's ratings of one output; the others are intra-rater data.",
                },
            ),
            (("--first",), {"type": int, "help": "Only the first so many of each output."}),
        ),
    ),
    (
        "What is computed",
        (
            (
                ("--test",),
                {"type": click.Choice(TESTS), "help": "What decides, wilcoxon if omitted."},
            ),
            (
                ("--correction",),
                {"type": click.Choice(CORRECTIONS), "help": "For the pairs of systems, holm."},
            ),
            (("--alpha",), {"type": float, "help": "The level of significance, 0.05."}),
            (
                ("--zeros",),
                {
                    "type": click.Choice(("wilcox", "pratt", "zsplit")),
                    "help": "Equal means in the signed-rank test: left out, ranked, or split.",
                },
            ),
            (
                ("--ddof",),
                {"type": click.Choice(("0", "1")), "help": "z-scores divide by n − 1 (1) or n."},
            ),
            (
                ("--mixed",),
                {
                    "is_flag": True,
                    "help": "Also a linear mixed model: items and raters as random effects.",
                },
            ),
            (
                ("--resamples",),
                {"type": int, "help": "Of the permutation test where not exact, 10000."},
            ),
            (("--seed",), {"type": int, "help": "Of these, 0."}),
            (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
        ),
    ),
    (
        "How the file is read",
        (
            (
                ("--format",),
                {"metavar": "NAME", "help": "csv, tsv, json, jsonl, parquet or excel."},
            ),
            (("--encoding",), {"metavar": "NAME", "help": "Such as utf-8, utf-16 or latin-1."}),
            (("--delimiter",), {"metavar": "SIGN", "help": "The sign between two cells."}),
            (("--decimal",), {"metavar": "SIGN", "help": "The decimal sign: . or ,"}),
            (
                ("--header/--no-header",),
                {"default": None, "help": "Whether the first row names the columns."},
            ),
            (("--sheet",), {"metavar": "NAME", "help": "The sheet of a workbook."}),
        ),
    ),
    printed(EVALUATION_FORMATS),
    option(
        "means, ranks, distribution (values by system), raters (severity) or usage (values by "
        "rater)"
    ),
    (
        "For the paper",
        (
            METHODS,
            HEDS,
            extra("raw", "Write every rating as CSV, also those that do not count."),
        ),
    ),
)

GIVEN = (
    *("item", "system", "dimension", "rater", "value", "repeats", "first", "test"),
    *("correction", "alpha", "zeros", "resamples", "seed", "level", "format", "encoding"),
    *("delimiter", "decimal", "sheet", "header"),
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@put(OPTIONS)
def evaluate(file: Path, **given: Any) -> None:
    """Say what the ratings of systems in FILE show.

    FILE is a table with a rating a row, with a column a dimension, or with several ratings in
    a row; - is standard input. The report gives each system's mean with its interval, tests
    between systems with correction, agreement of the raters, and what to look at.
    """
    asked = [name for name in EVALUATION_FORMATS if name != "terminal" and given[name]]
    asked += [given["to"]] if given["to"] else []
    kind = format_for(asked, given["out"], EVALUATION_FORMATS, methods=given["methods"])
    plots = _pictures(given["plot"])
    with Watch(("reading", "writing")) as watch, on_disk(file) as path:
        watch.step("reading")
        report = _compute(path, given)
        watch.step("writing")
        if file == DASH:
            _rename(report.summary, str(path))
        text = _rendered(report, kind, given)
        draw(report, plots)
        if given["heds"]:
            write_file(report.to_heds().rstrip("\n"), given["heds"], "--heds")
        if given["raw"]:
            write_file(report.to_raw(), given["raw"], "--raw")
    write(text, kind, given["out"])


def _pictures(given: tuple[str, ...]) -> list[tuple[str, Path]]:
    if not given:
        return []
    from assay.report.evaluate.plots import PICTURES

    return pictures(given, PICTURES)


def _compute(path: Path, given: dict[str, Any]) -> Any:
    from assay.report.evaluate.report import evaluate as compute

    chosen = {name: given[name] for name in GIVEN if given[name] is not None}
    if given["scale"]:
        chosen["scale"] = each("--scale", given["scale"], str)
    if given["order"]:
        chosen["order"] = each("--order", given["order"], listed)
    if given["categories"] is not None:
        chosen["categories"] = listed(given["categories"])
    for name in ("missing", "metric", "lower_better"):
        if given[name]:
            chosen[name] = list(given[name])
    if given["mixed"]:
        chosen["mixed"] = True
    if given["ddof"] is not None:
        chosen["ddof"] = int(given["ddof"])
    return compute(path, **chosen)


def each(option: str, given: tuple[str, ...], read: Callable[[str], T]) -> T | dict[str, T]:
    """One value for all dimensions, or a value for each dimension that is named.

    >>> each("--scale", ("ratio",), str), each("--scale", ("fluency=interval", "tone=nominal"), str)
    ('ratio', {'fluency': 'interval', 'tone': 'nominal'})
    """
    if len(given) == 1 and "=" not in given[0]:
        return read(given[0])
    out: dict[str, T] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or name in out:
            raise UsageError(
                f"{option} {text}: DIMENSION=VALUE is needed, each dimension once; a value alone "
                "is for all dimensions and is given once."
            )
        out[name] = read(value)
    return out


def _rendered(report: Any, kind: str, given: dict[str, Any]) -> str:
    from assay.report.render import render

    if given["methods"]:
        return str(report.methods())
    color = given["out"] is None and kind == "terminal" and wants_color()
    return render(report.summary, kind, color=color, full=given["full"])


def _rename(summary: dict[str, Any], path: str) -> None:
    """Call a copy of standard input by its name."""
    for part in (summary, *summary["agreement"]):
        part["source"]["name"] = NAME
        for note in part["source"]["notes"]:
            note["message"] = note["message"].replace(path, NAME)
