"""``assay prefer``: from a table of comparisons to strengths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.incoming import DASH, NAME, on_disk
from assay.cli.output import format_for, wants_color, write, write_file
from assay.cli.output_options import HEDS, METHODS, extra, printed, put
from assay.cli.plots import draw, option, pictures
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import PREFERENCE_FORMATS

EXAMPLES = (
    ("assay prefer battles.csv", "From a file with columns left, right and winner."),
    (
        "assay prefer arena.jsonl --left model_a --right model_b --winner winner --rater judge",
        "Name the columns.",
    ),
    (
        "assay prefer battles.csv --item id,prompt --ties davidson --bootstrap 2000",
        "A model of ties; items are drawn for the intervals.",
    ),
    ("assay prefer battles.csv --also elo --also pagerank", "Other ratings beside the strengths."),
    ("assay prefer battles.csv --by dimension", "One report a dimension."),
    ("assay prefer battles.csv --value model_1=left --value skip=missing", "Say what values mean."),
    ("assay prefer battles.csv --latex --out table.tex", "A table for a paper."),
    ("assay prefer battles.csv --out page.html --raw raw.csv", "A page, and every comparison."),
)

COLUMN = {"metavar": "COLUMN"}
OTHERS = ("elo", "counting", "average_win_rate", "pagerank", "newman")

# (heading, ((names, click's keywords), …))
OPTIONS: tuple[tuple[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]], ...] = (
    (
        "Which columns there are (usual names are found)",
        (
            (("--left",), COLUMN | {"help": "The column of one system."}),
            (("--right",), COLUMN | {"help": "The column of the other."}),
            (
                ("--winner",),
                COLUMN | {"help": "left, right, tie; A, B; 1, 2, 0; 1, -1, 0; or the system."},
            ),
            (("--rater",), COLUMN | {"help": "The column of who compared."}),
            (
                ("--item",),
                COLUMN
                | {"multiple": True, "help": "The column of what was compared on. Repeatable."},
            ),
            (
                ("--by", "--dimension"),
                COLUMN | {"multiple": True, "help": "One report for each value of it. Repeatable."},
            ),
            (
                ("--repeat",),
                COLUMN | {"help": "The column that marks what a rater was asked again."},
            ),
            (
                ("--value",),
                {
                    "metavar": "TEXT=MEANING",
                    "multiple": True,
                    "help": "What a winner's value means: left, right, tie or missing. Repeatable.",
                },
            ),
            (
                ("--winner-as",),
                {
                    "type": click.Choice(("sides", "names")),
                    "help": "Where systems are called as sides may be, such as A and B.",
                },
            ),
        ),
    ),
    (
        "How the file is read",
        (
            (("--format",), {"metavar": "NAME", "help": "csv, tsv, json, jsonl, parquet, excel."}),
            (("--encoding",), {"metavar": "NAME", "help": "Such as utf-8, utf-16 or latin-1."}),
            (("--delimiter",), {"metavar": "SIGN", "help": "The sign between two cells."}),
            (("--sheet",), {"metavar": "NAME", "help": "The sheet of a workbook."}),
            (
                ("--header/--no-header",),
                {"default": None, "help": "Whether the first row names the columns."},
            ),
        ),
    ),
    (
        "What is computed",
        (
            (
                ("--ties",),
                {
                    "type": click.Choice(("half", "drop", "davidson", "rao-kupper")),
                    "help": "half: half a win for each (the default); drop: left out; two models.",
                },
            ),
            (
                ("--also",),
                {
                    "type": click.Choice(OTHERS),
                    "multiple": True,
                    "help": "Another rating beside the strengths, by evalica. Repeatable.",
                },
            ),
            (
                ("--bootstrap",),
                {"type": int, "help": "Resamples for intervals and ranks, 1000; 0: none."},
            ),
            (
                ("--resample",),
                {
                    "type": click.Choice(("items", "comparisons", "raters")),
                    "help": "What is drawn; items where they are known.",
                },
            ),
            (("--seed",), {"type": int, "help": "Of the drawing, 0."}),
            (("--level",), {"type": float, "help": "The level of intervals, 0.95."}),
        ),
    ),
    printed(PREFERENCE_FORMATS),
    option("strengths, ranks, results (wins, ties, losses), matrix or raters"),
    (
        "For the paper",
        (
            METHODS,
            HEDS,
            extra("raw", "Write every comparison as CSV, also repeats, which do not count."),
        ),
    ),
)

READ = (
    "left", "right", "winner", "rater", "repeat", "winner_as", "format", "encoding", "delimiter",
    "sheet", "header",
)  # fmt: skip
COMPUTE = ("ties", "resample", "seed", "level")


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@put(OPTIONS)
def prefer(file: Path, **given: Any) -> None:
    """Say which system wins the comparisons in FILE, and how surely.

    FILE is a table with one comparison of two systems a row (CSV, TSV, Excel, Parquet, JSON,
    JSON Lines), or - for standard input. The report gives the systems' strengths and ranks
    with intervals, shares of wins, ties and losses, whether a side is preferred, and how far
    the raters agree.
    """
    asked = [name for name in PREFERENCE_FORMATS if name != "terminal" and given[name]]
    names = asked + ([given["to"]] if given["to"] else [])
    kind = format_for(names, given["out"], PREFERENCE_FORMATS, methods=given["methods"])
    plots = _pictures(given["plot"])
    with Watch(("reading", "computing", "writing")) as watch, on_disk(file) as path:
        watch.step("reading")
        comparisons = _read(path, file, given)
        watch.step("computing")
        from assay.report.prefer.report import prefer as compute
        from assay.report.render import render

        chosen = {name: given[name] for name in COMPUTE if given[name] is not None}
        if given["also"]:
            chosen["also"] = given["also"]
        if given["bootstrap"] is not None:
            chosen["bootstrap"] = given["bootstrap"] or None
        report = compute(comparisons, **chosen)
        summary = report.to_dict()
        watch.step("writing")
        color = given["out"] is None and kind == "terminal" and wants_color()
        text = render(summary, kind, color=color, full=given["full"])
        text = report.methods() if given["methods"] else text
        draw(report, plots)
        if given["heds"]:
            write_file(report.to_heds().rstrip("\n"), given["heds"], "--heds")
        if given["raw"]:
            write_file(report.to_raw(), given["raw"], "--raw")
    write(text, kind, given["out"])


def _pictures(given: tuple[str, ...]) -> list[tuple[str, Path]]:
    if not given:
        return []
    from assay.report.prefer.plots import PICTURES

    return pictures(given, PICTURES)


def _read(path: Path, file: Path, given: dict[str, Any]) -> Any:
    from assay.preference.read import read_comparisons

    chosen = {name: given[name] for name in READ if given[name] is not None}
    for name in ("item", "by"):
        if given[name]:
            chosen[name] = given[name][0] if len(given[name]) == 1 else given[name]
    made = read_comparisons(path, values=meanings(given["value"]), **chosen)
    if file != DASH:
        return made
    notes = tuple(replace(n, message=n.message.replace(str(path), NAME)) for n in made.notes)
    return replace(made, source=NAME, notes=notes)


def meanings(given: tuple[str, ...]) -> dict[str, str]:
    """What ``--value`` says.

    >>> meanings(("1=left", "no answer=missing"))
    {'1': 'left', 'no answer': 'missing'}
    """
    out = {}
    for text in given:
        value, sign, meaning = text.rpartition("=")
        if not sign or not value:
            raise UsageError(
                f"--value {text}: TEXT=MEANING is needed, with left, right, tie or missing."
            )
        out[value] = meaning.strip()
    return out
