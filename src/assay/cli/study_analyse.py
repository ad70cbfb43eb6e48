"""``assay study analyse``: what the answers of a study show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command, Option
from assay.cli.output import format_for, wants_color, write
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import PREFERENCE_FORMATS

FORMATS = {name: PREFERENCE_FORMATS[name] for name in ("terminal", "json", "markdown", "latex")}


@click.command(
    cls=Command,
    examples=(
        ("assay study analyse trial.db", "All that assay evaluate and assay prefer print."),
        ("assay study analyse trial.db --latex --out table.tex", "The tables for a paper."),
        ("assay study analyse trial.db --json", "Everything, unrounded."),
    ),
)
@click.argument("database")
@click.option(
    "--bootstrap",
    cls=Option,
    section="What is computed",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Resamples for the intervals of comparisons; 0: none.",
)
@click.option(
    "--full", cls=Option, section="What is printed", is_flag=True, help="Leave nothing out."
)
@click.option("--json", cls=Option, section="What is printed", is_flag=True, help="As JSON.")
@click.option("--markdown", cls=Option, section="What is printed", is_flag=True, help="Markdown.")
@click.option("--latex", cls=Option, section="What is printed", is_flag=True, help="Tables.")
@click.option(
    "--out",
    cls=Option,
    section="What is printed",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to a file; its ending names the format.",
)
def analyse(database: str, bootstrap: int, full: bool, out: Path | None, **asked: bool) -> None:
    """Say what the answers in DATABASE show, so far or at the end.

    DATABASE is what assay study serve has filled. Numbers given to outputs of systems are
    reported as by assay evaluate, comparisons as by assay prefer, labels of items without
    systems as by assay agree. Attention checks and "can't judge" are left out.
    """
    kind = format_for([name for name, given in asked.items() if given], out, FORMATS)
    with Watch(("reading", "computing", "writing")) as watch:
        watch.step("reading")
        name, parts = _read(database)
        if not parts:
            raise UsageError(f"{name}: nobody has answered anything yet.", code="no_answers")
        watch.step("computing")
        found = [(what, compute(part, bootstrap)) for what, compute, part in parts]
        watch.step("writing")
        text = _rendered(name, found, kind, full, color=out is None)
    write(text, kind, out)


def _read(database: str) -> tuple[str, list[tuple[str, Any, Any]]]:
    """The study's name, and each part of its answers with what computes it."""
    from assay.study.store import Store
    from assay.web.study.site import design_of

    with Store(database, existing=True) as store:
        design, rows = design_of(store.design()), store.ratings()
    return design.name, list(_parts(design, rows))


def _parts(design: Any, rows: Any) -> Iterator[tuple[str, Any, Any]]:
    from assay.web.study.tables import (
        agreement_options,
        agreement_table,
        comparisons_table,
        systems_table,
    )

    table = systems_table(rows, design)
    if table:
        yield "", _evaluate, table
    rated = {row["dimension"] for row in table}
    for dimension in design.dimensions:
        if dimension.key in rated:
            continue
        if dimension.mechanism == "ab":
            compared = comparisons_table(rows, dimension)
            if compared:
                yield dimension.key, _prefer, compared
            continue
        labels = agreement_table(rows, dimension)
        if labels:
            yield dimension.key, _agree, (labels, agreement_options(dimension))


def _evaluate(table: Any, _: int) -> Any:
    from assay.report.evaluate.report import evaluate

    return evaluate(
        table, item="item", system="system", dimension="dimension", rater="rater", value="value"
    ).to_dict()


def _prefer(table: Any, bootstrap: int) -> Any:
    from assay.report.prefer.report import prefer

    return prefer(
        table, item="item", left="left", right="right", rater="rater", winner="winner",
        winner_as="names", bootstrap=bootstrap or None,
    ).to_dict()  # fmt: skip


def _agree(part: Any, _: int) -> Any:
    from assay.report.agreement import agree

    table, options = part
    return agree(table, **options).to_dict()


def _rendered(
    name: str, found: list[tuple[str, Any]], kind: str, full: bool, *, color: bool
) -> str:
    from assay.report.render import render

    if kind == "json":
        document: dict[str, Any] = {"study": name, "evaluate": None, "prefer": {}, "agree": {}}
        for what, summary in found:
            if not what:
                document["evaluate"] = summary
            else:
                part = "prefer" if summary.get("kind") == "preference" else "agree"
                document[part][what] = summary
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    mark = {"markdown": "# {}\n\n", "latex": "% {}\n", "terminal": "{}\n\n"}[kind]
    return "\n\n".join(
        (mark.format(what) if what else "")
        + render(summary, kind, color=color and kind == "terminal" and wants_color(), full=full)
        for what, summary in found
    )
