"""``assay example``: tables that come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from assay.cli.help import Command
from assay.errors import UsageError, one_of

EXAMPLES = {
    "answers": (
        "answers.csv",
        (
            "120 chatbot answers judged ok, minor or violation by three raters; one is "
            "stricter, most answers are ok, a few cells are empty"
        ),
    ),
}


@click.command(
    cls=Command,
    examples=(
        ("assay example", "List the examples."),
        ("assay example answers", "Copy answers.csv into this folder."),
    ),
)
@click.argument("name", required=False)
def example(name: str | None) -> None:
    """List the examples, or copy the one called NAME into this folder.

    A file that is already there is never overwritten.
    """
    if name is None:
        for key, (_, what) in EXAMPLES.items():
            click.echo(click.wrap_text(f"{key}: {what}", 78, "", "  "))
        click.echo("\nTo get one: assay example answers")
        return
    key = one_of(name.removesuffix(".csv"), EXAMPLES, "example")
    source = EXAMPLES[key][0]
    target = Path(source)
    try:
        with target.open("xb") as file:
            file.write(files("assay").joinpath("examples", source).read_bytes())
    except FileExistsError:
        raise UsageError(
            f"{source} is already in this folder; move it away, or use it: assay agree {source}",
            code="file_exists",
        ) from None
    click.echo(f"{source} is here now. Try: assay agree {source}")
