"""The command ``assay``: what it lists, and how it ends.

It ends with 0 when it did what was asked, with 2 on bad use or input, with 1 when a gate
(``--fail-under``) did not hold, with 130 on Ctrl-C. Nothing heavy is imported here.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from assay import __version__
from assay.cli.help import LazyGroup
from assay.errors import AssayError

COMMANDS = {
    "agree": ("assay.cli.agree:agree", "how far raters agree, from any table of ratings"),
    "compare": ("assay.cli.compare:compare", "two rounds, raters against gold, or groups"),
    "spans": ("assay.cli.spans:spans", "how good predicted tags or spans are, and what went wrong"),
    "evaluate": ("assay.cli.evaluate:evaluate", "which system is better, from ratings by people"),
    "plan": ("assay.cli.plan:plan", "how many items and raters a study needs"),
    "explain": ("assay.cli.explain:explain", "what a name in a report means"),
    "prefer": ("assay.cli.prefer:prefer", "which system wins comparisons, and how surely"),
    "study": ("assay.cli.study:study", "ask people: design, tasks, ratings"),
    "lab": ("assay.cli.lab:lab", "pages where every figure follows a changed number or tag"),
    "serve": ("assay.cli.lab:serve", "run these pages without opening a browser"),
    "example": ("assay.cli.example:example", "small files to try things on"),
    "completion": ("assay.cli.completion:completion", "the script that completes words by Tab"),
}

EXAMPLES = (
    ("assay example answers", "Get a small table: 120 answers, three raters."),
    ("assay agree answers.csv", "How far do its raters agree?"),
    ("assay agree --help", "All layouts, scales, weights and outputs."),
    ("assay example taggers", "Get gold tags and those of two taggers."),
    ("assay spans gold.conll tagger_a.conll tagger_b.conll", "Which tagger is better?"),
    ("assay lab", "Try things: why is kappa 0 when they agree on 90 %?"),
)


class Assay(LazyGroup):
    """The group, with one place where errors become a message and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; errors made on purpose have no traceback."""
        try:
            return super().invoke(ctx)
        except AssayError as error:
            from assay.report.layout import told

            click.echo(f"error: {told(error, 3000)} [{error.code}]", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            ctx.exit(130)
        except BrokenPipeError:
            # The reader closed the pipe (`| head`): what is left goes nowhere, in silence.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(141)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"error: {where}{error.strerror or error} [unreadable]", err=True)
            ctx.exit(2)


@click.group(
    cls=Assay,
    lazy=COMMANDS,
    examples=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", message="assay %(version)s")
def main() -> None:
    """assay: how far labels and human evaluations can be trusted."""


if __name__ == "__main__":
    main()
