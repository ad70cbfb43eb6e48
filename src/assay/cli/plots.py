"""``--plot KIND=FILE`` of the reports that have pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from assay.cli.output import target
from assay.cli.output_options import Declared
from assay.errors import InputError, UsageError, one_of


def option(kinds: str) -> tuple[str, tuple[Declared, ...]]:
    """The heading and the option, with the kinds of pictures there are in words."""
    about = f"A picture as .svg or .png: {kinds}. Repeatable."
    return (
        "Pictures",
        ((("--plot",), {"metavar": "KIND=FILE", "multiple": True, "help": about}),),
    )


def pictures(given: Sequence[str], kinds: Iterable[str]) -> list[tuple[str, Path]]:
    """The kind of each picture, and its file.

    >>> pictures(("means=out.svg",), ["means"])  # doctest: +ELLIPSIS
    [('means', ...Path('out.svg'))]
    """
    out, known = [], list(kinds)
    for text in given:
        kind, sign, file = text.partition("=")
        if not sign or not file:
            raise UsageError(f"--plot {text}: KIND=FILE is needed, as in {known[0]}=report.svg.")
        one_of(kind, known, "--plot")
        out.append((kind, target(Path(file), "--plot")))
    return out


def draw(report: Any, asked: Iterable[tuple[str, Path]]) -> None:
    """Write the pictures of a report; of one with groups, a file for each group."""
    groups = getattr(report, "groups", None)
    for kind, file in asked:
        if not groups:
            report.plot(kind).save(file)
            continue
        for (name, part), own in zip(groups.items(), of_groups(file, groups), strict=True):
            try:
                part.plot(kind).save(own)
            except InputError as error:
                click.echo(f"no picture of {name}: {error}", err=True)


def of_groups(file: Path, groups: Iterable[str]) -> Iterator[Path]:
    """A name for the picture of each group.

    >>> [path.name for path in of_groups(Path("x.svg"), ["fluency", "A/B", "A B"])]
    ['x-fluency.svg', 'x-A_B.svg', 'x-A_B-2.svg']
    """
    taken: dict[str, int] = {}
    for group in groups:
        name = re.sub(r"[^\w.-]+", "_", group)[:60] or "_"
        taken[name] = taken.get(name, 0) + 1
        again = f"-{taken[name]}" if taken[name] > 1 else ""
        yield file.with_name(f"{file.stem}-{name}{again}{file.suffix}")
