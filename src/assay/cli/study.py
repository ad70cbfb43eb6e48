"""``assay study``: from a design to the table in the paper."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from assay.cli.help import Command, LazyGroup, Option
from assay.cli.output import write
from assay.errors import UsageError

COMMANDS = {
    "new": ("assay.cli.study:new", "write a commented design file to begin with"),
    "check": ("assay.cli.study:check", "say what a design will do: loads, hours, overlap"),
    "serve": ("assay.cli.study_serve:serve", "ask people in the browser; prints their links"),
    "analyse": ("assay.cli.study_analyse:analyse", "say what the answers show"),
    "demo": ("assay.cli.study_demo:demo", "a small study to try all of this on"),
}

MECHANISMS = ("likert", "interval", "magnitude", "rankme", "ab", "label", "labels")
LANGUAGES = ("en", "vi", "zh")

EXAMPLES = (
    ("assay study new trial --mechanism ab", "Write trial.toml and trial-items.csv."),
    ("assay study check trial.toml", "What will it do, and how long will it take?"),
    ("assay study serve trial.toml", "Ask people: a link for each rater, one for you."),
    ("assay study analyse trial.db", "What do the answers show?"),
)


@click.group(cls=LazyGroup, lazy=COMMANDS, examples=EXAMPLES)
def study() -> None:
    """Ask people: from a design in a file to the table in the paper."""


@click.command(
    cls=Command,
    examples=(
        ("assay study new", "Write study.toml and study-items.csv: ratings on a Likert scale."),
        ("assay study new trial --mechanism ab", "Comparisons of two systems."),
        ("assay study new nhan --mechanism label --language vi", "Labels, in Vietnamese."),
    ),
)
@click.argument("name", default="study")
@click.option(
    "--mechanism",
    cls=Option,
    section="What is asked",
    type=click.Choice(MECHANISMS),
    default="likert",
    show_default=True,
    help="How people answer.",
)
@click.option(
    "--language",
    cls=Option,
    section="What is asked",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Of the rating page and the words of the ready-made dimensions.",
)
def new(name: str, mechanism: str, language: str) -> None:
    """Write a commented design file and a small table of items.

    Both work as they are: put your own items, systems and questions in. A file that is already
    there is never overwritten.
    """
    from assay.study.design_new import new_design
    from assay.study.design_read import NAME, NAME_RULE

    target = Path(name.removesuffix(".toml") + ".toml")
    if not NAME.fullmatch(target.stem):
        raise UsageError(f"NAME: {target.stem!r}: {NAME_RULE}.")
    table = target.with_name(f"{target.stem}-items.csv")
    for path in (target, table):
        if path.exists():
            raise UsageError(
                f"{path} is already there; move it away, or choose another name.",
                code="file_exists",
            )
    design, items = new_design(target.stem, mechanism, language)
    for path, text in ((target, design), (table, items)):
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}.", code="unwritable") from None
    again = shlex.join(["assay", "study", "check", str(target)])
    click.echo(f"{target} and {table} are there now. Try: {again}")


@click.command(
    cls=Command,
    examples=(
        ("assay study check trial.toml", "What it will do."),
        ("assay study check trial.toml --raters 5 --seconds 45", "With five raters, slower ones."),
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--raters",
    cls=Option,
    section="What if",
    type=click.IntRange(1, 2000),
    help="How many raters, instead of those of the design.",
)
@click.option(
    "--seconds",
    cls=Option,
    section="What if",
    type=click.FloatRange(0.1, 3600),
    default=20,
    show_default=True,
    help="How long a judgement takes.",
)
@click.option(
    "--json", "as_json", cls=Option, section="What is printed", is_flag=True, help="As JSON."
)
def check(file: Path, raters: int | None, seconds: float, as_json: bool) -> None:
    """Say what the design in FILE will do, without doing it.

    Items, systems, judgements, the load of a rater, hours, how many things two raters share,
    and what is impossible and why. It ends with 2 where something is impossible.
    """
    from assay.study.check import explain
    from assay.study.check_text import told
    from assay.study.design_read import read_design

    found = explain(read_design(file), raters, seconds)
    if as_json:
        write(json.dumps(found.to_dict(), ensure_ascii=False, indent=2), "json", None)
    else:
        write(told(found), "terminal", None)
    if found.impossible:
        click.get_current_context().exit(2)
