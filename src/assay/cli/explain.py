"""``assay explain``: what a name in a report means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.output import format_for, wants_color, write
from assay.cli.output_options import printed, put
from assay.errors import UsageError
from assay.report.render import EXPLAIN_FORMATS

EXAMPLES = (
    ("assay explain", "All names."),
    ("assay explain krippendorff_alpha", "A coefficient."),
    ("assay explain ceiling", "A word of a report."),
    ("assay explain one_label_used", "Why a number does not exist, and what to do."),
)


HEADING, ROWS = printed(EXPLAIN_FORMATS)
OPTIONS = ((HEADING, tuple(row for row in ROWS if row[0] != ("--full",))),)
"""Those of every report, but for ``--full``: nothing is left out."""


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("name", nargs=-1)
@put(OPTIONS)
def explain(name: tuple[str, ...], **given: Any) -> None:
    """Say what NAME means: definition, formula, when to use it, its traps.

    NAME is a coefficient, a word of a report, weights, a metric, an interval's method, or the
    code of a warning, a note or a reason. Without it, all names are listed.
    """
    asked = [kind for kind in EXPLAIN_FORMATS if kind != "terminal" and given[kind]]
    kind = format_for(asked + ([given["to"]] if given["to"] else []), given["out"], EXPLAIN_FORMATS)
    words = " ".join(name)
    if words and Path(words).is_file():
        raise UsageError(
            f"explain: {words} is a file, and a name is needed. `assay agree {words} --full` says "
            "which coefficient suits it, and why."
        )
    from assay.report.explain import explain as compute
    from assay.report.render import render

    summary = compute(words or None).to_dict()
    color = given["out"] is None and kind == "terminal" and wants_color()
    write(render(summary, kind, color=color), kind, given["out"])
