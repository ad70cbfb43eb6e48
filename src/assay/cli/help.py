"""Help that is grouped: options under headings, examples at the end, in plain words."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)


class Option(click.Option):
    """An option that knows the heading it stands under."""

    def __init__(self, *args: Any, section: str = "Other", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Command(click.Command):
    """A command whose help groups its options by their sections, then shows examples."""

    def __init__(self, *args: Any, examples: tuple[tuple[str, str], ...] = (), **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one list a section, in the order of first use."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                sections.setdefault(getattr(param, "section", "Other"), []).append(record)
        sections["Other"] = sections.pop("Other", [])
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records, col_max=26)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples."""
        write_examples(self.examples, formatter)


def write_examples(examples: tuple[tuple[str, str], ...], formatter: click.HelpFormatter) -> None:
    """Write (command, what it does) pairs so that a command can be copied whole."""
    if not examples:
        return
    with formatter.section("Examples"):
        for command, what in examples:
            formatter.write_text(what)
            formatter.write(f"{'':>{formatter.current_indent}}  {command}\n")


class LazyGroup(click.Group):
    """A group that imports a command when it is run, not when it is listed."""

    def __init__(
        self,
        *args: Any,
        lazy: dict[str, tuple[str, str]] | None = None,
        examples: tuple[tuple[str, str], ...] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy or {}
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order in which a person meets them."""
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.lazy[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in self.lazy.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples."""
        write_examples(self.examples, formatter)
