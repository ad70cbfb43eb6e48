"""``assay completion``: the script by which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from assay.cli.help import Command

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Command,
    examples=(
        (
            'eval "$(assay completion bash)"',
            "bash: put this line into ~/.bashrc (zsh the same, into ~/.zshrc).",
        ),
        (
            "assay completion fish > ~/.config/fish/completions/assay.fish",
            "fish: write the script once.",
        ),
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL (bash, zsh or fish)."""
    found = get_completion_class(shell)
    root = ctx.find_root().command
    if found is not None:
        script = found(root, {}, "assay", "_ASSAY_COMPLETE")
        click.echo(script.source_template % script.source_vars())
