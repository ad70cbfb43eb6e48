"""Where a report goes: standard output or a file, in an encoding that can hold it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from assay.cli.incoming import DASH
from assay.errors import UsageError
from assay.report.render import FORMATS, Format

PLAIN = str.maketrans(
    {
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{RIGHTWARDS ARROW}": ">",
        "\N{DOWNWARDS ARROW}": "v",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    }
)


def wants_color() -> bool:
    """Whether standard output may carry colour: NO_COLOR, FORCE_COLOR, else a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def format_for(
    asked: list[str],
    out: Path | None,
    formats: Mapping[str, Format] = FORMATS,
    *,
    methods: bool = False,
) -> str:
    """The one format that was asked for, by option or by the file's ending.

    The paragraph on methods is text, whatever a file is called.

    >>> format_for([], Path("report.md")), format_for(["csv"], None), format_for([], None)
    ('markdown', 'csv', 'terminal')
    """
    names = list(dict.fromkeys(asked))
    if methods:
        if names:
            raise UsageError(f"--methods prints a paragraph, and --{names[0]} another format.")
        return "terminal"
    if len(names) > 1:
        raise UsageError(f"one format at a time, not {' and '.join(names)}.")
    if names:
        return names[0]
    ending = out.suffix.lower() if out else ""
    if not ending:
        return "terminal"
    for name, form in formats.items():
        if ending in form.endings:
            return name
    known = [f"{e} ({name})" for name, form in formats.items() for e in form.endings]
    raise UsageError(
        f"--out {out}: no format of this report ends in {ending}; the endings are "
        f"{', '.join(known)}. Use one of them, or name the format with --to."
    )


def write(text: str, kind: str, out: Path | None) -> None:
    """Write a report. Files and piped data are UTF-8; a terminal gets what it can show."""
    if out is not None and out != DASH:
        write_file(text, out, "--out")
        return
    if kind != "terminal" and not sys.stdout.isatty():
        click.echo((text + "\n").encode(), nl=False)
        return
    click.echo(showable(text, getattr(sys.stdout, "encoding", None) or "utf-8"), color=True)


def write_file(text: str, out: Path, option: str) -> None:
    """Write into the file that an option names."""
    try:
        target(out, option).write_bytes((text + "\n").encode())
    except OSError as error:
        raise UsageError(f"{option} {out}: {error.strerror}.", code="unwritable") from None


def target(out: Path, option: str) -> Path:
    """The file that an option names, unless the command reads it."""
    if out == DASH:
        raise UsageError(f"{option} -: standard output has the report; name a file.")
    context = click.get_current_context(silent=True)
    given = [] if context is None else [
        context.params.get(p.name or "") for p in context.command.params
        if isinstance(p, click.Argument)
    ]  # fmt: skip
    for read in (each for one in given for each in (one if isinstance(one, tuple) else [one])):
        # The database of a study may also be an address.
        path = Path(read.removeprefix("sqlite:///")) if isinstance(read, str) else read
        # A folder that is read holds a file for each rater.
        if isinstance(path, Path) and any(_same(out, p) for p in (path, path / out.name)):
            raise UsageError(
                f"{option} {out}: the command reads this file, and it would be lost; name another."
            )
    return out


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def showable(text: str, encoding: str) -> str:
    r"""The text, with what ``encoding`` does not have put in other signs.

    >>> showable("−0.1 … 好", "ascii")
    '-0.1 ... \\u597d'
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    return text
