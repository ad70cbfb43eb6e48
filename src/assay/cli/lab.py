"""``assay lab`` and ``assay serve``: the pages on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.cli.help import Command, Option
from assay.cli.serving import HOST, PORT, opening, run
from assay.errors import UsageError, one_of

LABS = ("kappa", "bio", "many", "ordered", "items")

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _place(command: Decorated) -> Decorated:
    """The options of where to listen."""
    for flag, rest in (
        ("--allow-host", {"multiple": True, "metavar": "NAME", "help": "A further name that the "
         "pages may be asked for by; needed beside --host when it is not this machine alone."}),
        ("--port", {"type": click.IntRange(0, 65535), "default": PORT, "show_default": True,
                    "help": "Where to listen; 0 takes a free port."}),
        ("--host", {"default": HOST, "show_default": True, "help": "What to listen on. Anything "
                    "but this machine itself lets others in: there is no password."}),
    ):  # fmt: skip
        command = click.option(flag, cls=Option, section="Where", **rest)(command)
    return command


@click.command(
    cls=Command,
    examples=(
        ("assay serve", "Run the pages; open the address that is printed."),
        ("assay serve --port 0", "On any free port."),
    ),
)
@_place
def serve(host: str, port: int, allow_host: tuple[str, ...]) -> None:
    """Run the pages on this machine until Ctrl-C.

    Nothing is sent anywhere, and nothing is kept when it ends.
    """
    run(host, port, allow_host, lambda at: click.echo(f"assay: {at}/ (Ctrl-C stops it)"))


@click.command(
    cls=Command,
    examples=(
        ("assay lab", "All labs."),
        ('assay lab kappa --table "3 47; 53 897"', "Two raters, from a table."),
        ("assay lab kappa answers.csv --raters mai jonas", "Two raters of a file."),
        ("assay lab bio gold.conll tagger_a.conll --sentence 17", "A sentence of two files."),
        ("assay lab bio gold.conll tagger_a.conll", "The sentence with the most errors."),
    ),
)
@click.argument("name", required=False, metavar="[kappa|bio|many|ordered|items]")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--table", cls=Option, section="What", metavar="ROWS", help='A table, as in "3 47; 53 897".'
)
@click.option(
    "--raters", cls=Option, section="What", nargs=2, metavar="A B", help="Two raters of the file."
)
@click.option(
    "--sentence",
    cls=Option,
    section="What",
    type=click.IntRange(1),
    metavar="N",
    help="Which sentence, counted from 1; else the one with the most errors.",
)
@click.option(
    "--layout",
    cls=Option,
    section="What",
    metavar="NAME",
    help="The layout of the file of ratings, if more than one fits; see assay agree --help.",
)
@click.option("--no-browser", cls=Option, section="Where", is_flag=True, help="Open no browser.")
@_place
def lab(
    name: str | None,
    files: tuple[Path, ...],
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    no_browser: bool,
    **given: Any,
) -> None:
    """Open a lab in the browser: pages where every figure follows a changed number or tag.

    NAME is one of them, else the list of all is opened. kappa takes a table or a file of
    ratings, bio a file of gold tags and one of predictions.
    """
    path = _address(name, files, given)

    run(host, port, allow_host, opening(path, browser=not no_browser))


def _address(name: str | None, files: tuple[Path, ...], given: dict[str, Any]) -> str:
    """The page to be opened."""
    if name is None:
        _unused(given, "a lab's name, as in assay lab kappa")
        return "/"
    one_of(name, LABS, "lab")
    if name == "kappa":
        return _kappa(files, given)
    if name == "bio":
        return _bio(files, given)
    _unused(given, f"another lab than {name}")
    if files:
        raise UsageError(f"assay lab {name} takes no file; kappa and bio do.")
    return f"/lab/{name}"


def _unused(given: dict[str, Any], needs: str) -> None:
    for option, value in given.items():
        if value:
            raise UsageError(f"--{option} needs {needs}.")


def _kappa(files: tuple[Path, ...], given: dict[str, Any]) -> str:
    from assay.web.sources import kappa_of_file, kappa_of_text

    _unused({"sentence": given["sentence"]}, "assay lab bio")
    if given["table"] is not None:
        _unused({k: given[k] for k in ("raters", "layout")}, "a file in place of --table")
        if files:
            raise UsageError("A table or a file is needed, not --table and a file.")
        return kappa_of_text(given["table"])
    if len(files) > 1:
        raise UsageError(f"assay lab kappa: one file of ratings is needed, not {len(files)}.")
    if files:
        return kappa_of_file(files[0], given["raters"] or None, layout=given["layout"])
    _unused({k: given[k] for k in ("raters", "layout")}, "a file of ratings")
    return "/lab/kappa"


def _bio(files: tuple[Path, ...], given: dict[str, Any]) -> str:
    from assay.web.sources import bio_of_files

    _unused({k: given[k] for k in ("table", "raters", "layout")}, "assay lab kappa")
    if len(files) > 2:
        raise UsageError(f"assay lab bio: gold and one prediction are needed, not {len(files)}.")
    if files:
        return bio_of_files(files[0], files[1] if files[1:] else None, given["sentence"])
    _unused({"sentence": given["sentence"]}, "files of gold and predicted tags")
    return "/lab/bio"
