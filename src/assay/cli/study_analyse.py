"""``assay study analyse``: what the answers of a study show."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.output import format_for, wants_color, write, write_file
from assay.cli.output_options import HEDS, METHODS, extra, printed, put
from assay.cli.plots import option, pictures
from assay.cli.prefer import OTHERS
from assay.cli.progress import Watch
from assay.errors import ReadingError
from assay.report.render import STUDY_FORMATS

OPTIONS = (
    (
        "What is computed",
        (
            (
                ("--bootstrap",),
                {
                    "type": click.IntRange(0),
                    "default": 1000,
                    "show_default": True,
                    "help": "Resamples for the intervals of comparisons; 0: none.",
                },
            ),
            (("--mixed",), {"is_flag": True, "help": "A mixed model of ratings, too."}),
            (
                ("--also",),
                {
                    "type": click.Choice(OTHERS),
                    "multiple": True,
                    "help": "Another rating of comparisons, by evalica. Repeatable.",
                },
            ),
        ),
    ),
    printed(STUDY_FORMATS),
    option(
        "those of assay evaluate, such as means=FILE or fluency:means=FILE, and of a dimension of "
        "comparisons or labels those of assay prefer or agree, such as better:strengths=FILE"
    ),
    (
        "For the paper",
        (METHODS, HEDS, extra("raw", "Write every answer as CSV, also those that do not count.")),
    ),
)
SQLITE = b"SQLite format 3\0"


@click.command(
    cls=Command,
    examples=(
        ("assay study analyse trial.db", "All that assay evaluate and assay prefer print."),
        ("assay study analyse trial.db --latex --out table.tex", "The tables for a paper."),
        ("assay study analyse trial.db --methods", "The text for its methods section."),
        (
            "assay study analyse trial.db --heds datasheet.md --raw answers.csv",
            "A draft of the datasheet, and every answer for readers who ask.",
        ),
        ("assay study analyse trial.db --json", "Everything, unrounded."),
        (
            "assay study analyse trial.db --plot means=means.svg --plot better:ranks=ranks.svg",
            "Pictures: of the ratings, and of the comparisons on the dimension better.",
        ),
    ),
)
@click.argument("database")
@put(OPTIONS)
def analyse(database: str, **given: Any) -> None:
    """Say what the answers in DATABASE show, so far or at the end.

    DATABASE is what assay study serve has filled. What was said of outputs of systems one by
    one is reported as by assay evaluate, comparisons as by assay prefer, labels of items without
    systems as by assay agree, each on the scale that the design says; and how often raters gave
    the right answer where the design has it. Attention checks, the qualification test and "can't
    judge" are left out.
    """
    out = given["out"]
    asked = [name for name in STUDY_FORMATS if name != "terminal" and given[name]]
    asked += [given["to"]] if given["to"] else []
    kind = format_for(asked, out, STUDY_FORMATS, methods=given["methods"])
    with Watch(("reading", "computing", "writing")) as watch:
        watch.step("reading")
        from assay.report.study.report import Wanted, parts_of
        from assay.report.study.report import analyse as compute
        from assay.report.study.report import pictures as known

        design, rows = _read(database)
        wanted = Wanted(given["bootstrap"] or None, given["mixed"], given["also"])
        parts = parts_of(design, rows, wanted)
        plots = pictures(given["plot"], known(parts)) if given["plot"] and parts else []
        watch.step("computing")
        # An address may end in options, and these in a password.
        source = Path(database.partition("?")[0]).name
        report = compute(design, rows, parts, source)
        watch.step("writing")
        text = _rendered(report, kind, given)
        for picture, file in plots:
            report.plot(picture).save(file)
        if given["heds"]:
            write_file(report.to_heds().rstrip("\n"), given["heds"], "--heds")
        if given["raw"]:
            write_file(report.to_raw(), given["raw"], "--raw")
    write(text, kind, out)


def _rendered(report: Any, kind: str, given: dict[str, Any]) -> str:
    from assay.report.render import render

    if given["methods"]:
        return str(report.methods())
    color = given["out"] is None and kind == "terminal" and wants_color()
    return render(report.summary, kind, color=color, full=given["full"])


def _read(database: str) -> tuple[Any, Any]:
    """The design and all answers."""
    from assay.study.design_stored import design_of
    from assay.study.store import Store

    _is_study(database)
    with Store(database, existing=True) as store:
        return design_of(store.design()), store.ratings()


def _is_study(database: str) -> None:
    """Refuse a file that is no database at all, and say what it may be for."""
    path = Path(database.removeprefix("sqlite:///"))
    if path.is_dir():
        raise ReadingError(
            f"{path}: a folder; name the file in it that assay study serve has filled, such as "
            "trial.db.",
            code="no_study",
        )
    if not path.is_file():
        return
    with path.open("rb") as file:
        begins = file.read(len(SQLITE))
    if begins in (SQLITE, b""):
        return
    name = shlex.quote(str(path))
    hint = (
        f"a table of ratings is for assay evaluate {name}, one of comparisons for assay prefer "
        f"{name}, and labels of items for assay agree {name}"
    )
    if path.suffix == ".toml":
        kept = shlex.quote(str(path.with_suffix(".db")))
        hint = f"the answers to a design are beside it: assay study analyse {kept}"
    raise ReadingError(
        f"{path}: no database of a study, which assay study serve makes; {hint}.",
        code="no_study",
    )
