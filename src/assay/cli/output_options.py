"""The options that say what is printed and where, the same for every report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

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
