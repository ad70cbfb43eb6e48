"""``assay example``: files that come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import click

from assay.cli.help import Command
from assay.errors import UsageError, one_of


class Example(NamedTuple):
    """Files, what they hold, and the command to try on them."""

    files: tuple[str, ...]
    about: str
    command: str


EXAMPLES = {
    "answers": Example(
        ("answers.csv",),
        (
            "120 chatbot answers judged ok, minor or violation by three raters; one is "
            "stricter, most answers are ok, a few cells are empty"
        ),
        "assay agree answers.csv",
    ),
    "taggers": Example(
        ("gold.conll", "tagger_a.conll", "tagger_b.conll"),
        (
            "40 sentences with people, organisations, places and works, and the tags of two "
            "taggers; the one with more tokens right finds fewer of the names"
        ),
        "assay spans gold.conll tagger_a.conll tagger_b.conll",
    ),
    "summaries": Example(
        ("summaries.csv",),
        (
            "24 texts summarised by three systems, each rated for fluency and coverage by three "
            "of four raters, who met twelve summaries again; and an automatic metric"
        ),
        "assay evaluate summaries.csv --value fluency,coverage --metric overlap",
    ),
    "comparisons": Example(
        ("comparisons.csv",),
        (
            "60 prompts, each with the answers of two of four systems, compared by three raters; "
            "the sides are balanced, and every fifth comparison is a tie"
        ),
        "assay prefer comparisons.csv",
    ),
}


@click.command(
    cls=Command,
    examples=(
        ("assay example", "List the examples."),
        ("assay example answers", "Copy answers.csv into this folder."),
        ("assay example taggers", "Copy gold.conll, tagger_a.conll and tagger_b.conll."),
    ),
)
@click.argument("name", required=False)
def example(name: str | None) -> None:
    """List the examples, or copy the one called NAME into this folder.

    A file that is already there is never overwritten.
    """
    if name is None:
        for key, one in EXAMPLES.items():
            click.echo(click.wrap_text(f"{key}: {one.about}", 78, "", "  "))
        click.echo("\nTo get one: assay example answers")
        return
    chosen = EXAMPLES[one_of(name.removesuffix(".csv"), EXAMPLES, "example")]
    there = [source for source in chosen.files if Path(source).exists()]
    if there:
        raise UsageError(
            f"{there[0]} is already in this folder; move it away, or use it: {chosen.command}",
            code="file_exists",
        )
    for source in chosen.files:
        with Path(source).open("xb") as file:
            file.write(files("assay").joinpath("examples", source).read_bytes())
    verb = "is" if len(chosen.files) == 1 else "are"
    click.echo(f"{', '.join(chosen.files)} {verb} here now. Try: {chosen.command}")
