"""The options that every report has: what is printed and where, and a gate on its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from assay.cli.gate import BOUNDS
from assay.cli.help import Decorated, Option
from assay.report.render import Format

Declared = tuple[tuple[str, ...], dict[str, Any]]


def printed(formats: Mapping[str, Format]) -> tuple[str, tuple[Declared, ...]]:
    """The heading and the options for reports of these formats."""
    return (
        "What is printed",
        (
            (("--full",), {"is_flag": True, "help": "Leave nothing out."}),
            *(
                ((f"--{name}",), {"is_flag": True, "help": f"{formats[name].help}."})
                for name in formats
                if name != "terminal"
            ),
            (
                ("--to",),
                {"type": click.Choice(tuple(formats)), "help": "The same by the format's name."},
            ),
            (
                ("--out",),
                {
                    "type": click.Path(path_type=Path, dir_okay=False),
                    "help": "Write to a file; its ending names the format.",
                },
            ),
        ),
    )


def extra(name: str, about: str) -> Declared:
    """An option that writes something beside the report into a file of its own."""
    return (f"--{name}",), {"type": click.Path(path_type=Path, dir_okay=False), "help": about}


METHODS: Declared = (
    ("--methods",),
    {"is_flag": True, "help": "Print the methods paragraph instead."},
)
HEDS = extra("heds", "Write a draft of the HEDS 3.0 datasheet, in Markdown.")


def gate(metavar: str, about: str) -> tuple[str, tuple[Declared, ...]]:
    """The heading and the options of a gate on figures written like ``metavar``."""
    return (
        "As a gate",
        (
            (("--fail-under",), {"metavar": metavar, "multiple": True, "help": about}),
            (
                ("--bound",),
                {
                    "type": click.Choice(BOUNDS),
                    "default": "value",
                    "help": "Compare the value, or the lower limit of its interval.",
                },
            ),
        ),
    )


def put(
    sections: Sequence[tuple[str, Sequence[Declared]]],
) -> Callable[[Decorated], Decorated]:
    """A decorator that puts all options on a command, in their order."""

    def options(function: Decorated) -> Decorated:
        for section, rows in reversed(sections):
            for names, keywords in reversed(rows):
                decorate: Callable[[Decorated], Decorated] = click.option(
                    *names, cls=Option, section=section, **keywords
                )
                function = decorate(function)
        return function

    return options
