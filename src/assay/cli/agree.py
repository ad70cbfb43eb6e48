"""``assay agree``: from a table of ratings to a report."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import click

from assay.cli.agree_options import MACHINE, options
from assay.cli.gate import check_bound, failures, parse
from assay.cli.help import Command
from assay.cli.incoming import named, on_disk
from assay.cli.matrix import Matrix, weights
from assay.cli.output import format_for, wants_color, write
from assay.cli.plots import draw, pictures
from assay.cli.progress import Watch
from assay.cli.serving import show_report
from assay.errors import UsageError

READ = (
    "layout",
    "format",
    "item",
    "rater",
    "label",
    "frequency",
    "cluster",
    "encoding",
    "delimiter",
    "decimal",
    "sheet",
    "duplicates",
    "scale",
    "period",
    "memory",
)
INTERVAL = ("level", "interval", "resamples", "seed", "resample", "population")
COMPUTE = ("metric", "estimator", "interpret", *INTERVAL)

PLOTS = ("intervals", "confusion", "matrix", "distribution", "items")

EXAMPLES = (
    ("assay agree answers.csv", "From a file, as it is."),
    ("assay agree votes.csv --item post --rater who --label vote", "Name the columns."),
    (
        "assay agree essays.xlsx --scale ordinal --order low,medium,high --weights quadratic",
        "Ordered words: say the order; count near misses as half right.",
    ),
    (
        "assay agree answers.csv --raters mai,priya",
        "Two of the raters; names with a comma in double quotes.",
    ),
    ("assay agree scores.jsonl --by dimension --scale interval", "One report a dimension."),
    (
        "assay agree answers.csv --interval bca --cluster document",
        "Items of one document are alike: draw documents, not items.",
    ),
    ("assay agree answers.csv --latex --out table.tex", "A table for a paper."),
    ("assay agree answers.csv --out report.html", "A page with charts, to read and to send."),
    (
        "assay agree answers.csv --fail-under krippendorff_alpha=0.667 --bound lower",
        "A gate: exit with 1 if alpha may be below .667.",
    ),
    ("assay agree 'votes-*.parquet' --memory 1GB", "Files of any size, as one table."),
    ("zcat votes.tsv.gz | assay agree - --format tsv --json", "From a pipe, to a program."),
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@options
@click.pass_context
def agree(ctx: click.Context, /, file: Path, **given: Any) -> None:
    """Measure how far the raters in FILE agree.

    FILE is a table of ratings (CSV, TSV, Excel, Parquet, JSON, JSON Lines), a quoted pattern
    of several, a folder with one file a rater, or - for standard input. The report gives the
    agreement that was observed, the agreement that chance alone would give, the coefficients
    that suit the data with their intervals, and what to look at before trusting them.

    It ends with 0 when done, 1 when a gate did not hold, 2 on bad use or input.
    """
    gates = [parse(text) for text in given["fail_under"]]
    check_bound(given["bound"], gates)
    asked = [name for name in MACHINE if given[name]] + ([given["to"]] if given["to"] else [])
    kind = format_for(asked, given["out"])
    check_clusters(given)
    plots = pictures(given["plot"], PLOTS)
    if given["serve"] and asked and given["out"] is None:
        raise UsageError(
            f"--serve shows the report in the browser; --{asked[0]} beside it needs --out FILE."
        )
    matrix = weights(given["weights"]) if given["weights"] else None
    steps = ("reading", "grouping", "computing", "writing")
    with Watch(steps) as watch, on_disk(file) as path:
        watch.step("reading")
        ratings = named(_read(path, given, watch), file, path)
        watch.step("computing")
        report = _compute(ratings, matrix, given)
        summary = report.to_dict()
        watch.step("writing")
        text = _rendered(summary, kind, given)
        draw(report, plots)
    if not given["serve"] or given["out"] is not None:
        write(text, kind, given["out"])
    broken = failures(summary, gates, given["bound"])
    for sentence in broken:
        click.echo(f"failed: {sentence}", err=True)
    if given["serve"]:
        show_report(summary, port=given["port"], browser=not given["no_browser"])
    if broken:
        ctx.exit(1)


def _read(file: Path, given: dict[str, Any], watch: Watch) -> Any:
    from assay.ratings.read import read

    def told(what: str, done: int, total: int | None) -> None:
        if what != watch.now:
            watch.step(what)
        watch.count(done, total)

    chosen = {name: given[name] for name in READ if given[name] is not None}
    for name in ("order", "categories", "raters"):
        if given[name] is not None:
            chosen[name] = listed(given[name])
    for name in ("by", "missing"):
        if given[name]:
            chosen[name] = list(given[name])
    if given["header"] is not None:
        chosen["header"] = given["header"]
    if given["relabel"]:
        chosen["relabel"] = relabelling(given["relabel"])
    if given["no_pairs"]:
        chosen["pairs"] = False
    return read(file, progress=told, **chosen)


def _compute(ratings: Any, matrix: str | Matrix | None, given: dict[str, Any]) -> Any:
    from assay.report.agreement import agree as compute

    chosen = {name: given[name] for name in COMPUTE if given[name] is not None}
    if given["raters_sampled"]:
        chosen["raters_sampled"] = True
    if isinstance(matrix, Matrix):
        chosen["weights"] = matrix.fitted(ratings.categories)
    elif matrix is not None:
        chosen["weights"] = matrix
    return compute(ratings, **chosen)


def _rendered(summary: Any, kind: str, given: dict[str, Any]) -> str:
    from assay.report.render import render

    color = given["out"] is None and kind == "terminal" and wants_color()
    return render(summary, kind, color=color, full=given["full"])


def check_clusters(given: dict[str, Any]) -> None:
    """Raise if clusters were named and nothing draws them."""
    if given["cluster"] and (given["interval"] or "analytic") == "analytic":
        raise UsageError(
            "--cluster: analytic errors take items as independent; clusters are drawn with "
            "--interval bootstrap, bca or jackknife."
        )


def listed(text: str) -> list[str]:
    """Labels from a list with commas; quotes keep a comma in a label.

    >>> listed('low, medium,"high, very"')
    ['low', 'medium', 'high, very']
    """
    row = next(csv.reader([text], skipinitialspace=True), [])
    return [cell.strip() for cell in row]


def relabelling(given: tuple[str, ...]) -> str | dict[str, str]:
    """What ``--relabel`` means: a rule by name, or a mapping.

    >>> relabelling(("booleans",)), relabelling(("y=yes", "n=no"))
    ('booleans', {'y': 'yes', 'n': 'no'})
    """
    if given == ("booleans",):
        return "booleans"
    out = {}
    for text in given:
        old, sign, new = text.partition("=")
        if not sign:
            raise UsageError(f"--relabel {text}: FROM=TO is needed, or 'booleans' alone.")
        out[old] = new
    return out
