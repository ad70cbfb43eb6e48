"""``assay compare``: two rounds, raters against a reference, or groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.agree import READ, listed, relabelling
from assay.cli.compare_options import MACHINE, options
from assay.cli.help import Command
from assay.cli.incoming import on_disk
from assay.cli.matrix import Matrix, weights
from assay.cli.output import format_for, wants_color, write
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import COMPARISON_FORMATS

CHOSEN = (
    "reference", "margin", "level", "resamples", "seed", "interval", "metric", "estimator",
)  # fmt: skip

EXAMPLES = (
    (
        "assay compare round1.csv round2.csv",
        "Two rounds on the same items: did agreement change?",
    ),
    (
        "assay compare judged.csv --reference gold --raters judge_a,judge_b",
        "Two judges against gold: which is nearer?",
    ),
    (
        "assay compare judged.csv --reference gold --raters cheap,dear --margin 0.05",
        "Is the first not worse than the second by .05 or more?",
    ),
    ("assay compare votes.csv --majority", "Each rater against the majority of the others."),
    ("assay compare answers.csv --by language", "Is agreement the same in all languages?"),
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@options
def compare(files: tuple[Path, ...], **given: Any) -> None:
    """Compare two rounds of rating, raters with a reference, or groups of items.

    FILES is one table of ratings, or two with the same items, matched by the items' names.
    For every coefficient the report gives both values, their difference with its interval,
    and a paired test; for groups, a test that all have one value, and the pooled one.

    It ends with 0 when done, 2 on bad use or input.
    """
    if len(files) > 2:
        raise UsageError(f"one or two files are compared, not {len(files)}.")
    asked = [name for name in MACHINE if given[name]] + ([given["to"]] if given["to"] else [])
    kind = format_for(asked, given["out"], COMPARISON_FORMATS)
    matrix = weights(given["weights"]) if given["weights"] else None
    with Watch(("comparing", "writing")) as watch:
        watch.step("comparing")
        with on_disk(files[0]) as path:
            summary = _compared((path, *files[1:]), matrix, given)
        watch.step("writing")
        text = _rendered(summary, kind, given)
    write(text, kind, given["out"])


def _compared(files: tuple[Path, ...], matrix: str | Matrix | None, given: dict[str, Any]) -> Any:
    from assay.report.compare.report import compare as compute

    chosen = {name: given[name] for name in (*READ, *CHOSEN) if given[name] is not None}
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
    if given["majority"]:
        chosen["majority"] = True
    if given["names"] is not None:
        names = listed(given["names"])
        if len(names) != 2:
            raise UsageError(f"--names {given['names']}: two names with a comma are needed.")
        chosen["names"] = (names[0], names[1])
    if isinstance(matrix, Matrix):
        raise UsageError("--weights: a comparison takes weights by name.")
    if matrix is not None:
        chosen["weights"] = matrix
    return compute(*files, **chosen).to_dict()


def _rendered(summary: Any, kind: str, given: dict[str, Any]) -> str:
    from assay.report.render import render

    color = given["out"] is None and kind == "terminal" and wants_color()
    return render(summary, kind, color=color, full=given["full"])
