"""``--plot KIND=FILE`` of the reports that have pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from assay.cli.output_options import Declared
from assay.errors import UsageError, one_of


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
        out.append((kind, Path(file)))
    return out


def draw(report: Any, asked: Iterable[tuple[str, Path]]) -> None:
    """Write the pictures of a report."""
    for kind, file in asked:
        report.plot(kind).save(file)
