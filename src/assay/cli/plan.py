"""``assay plan``: how many items and raters a study needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.agree import listed
from assay.cli.help import Command
from assay.cli.output import format_for, wants_color, write
from assay.cli.output_options import Declared, printed, put
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import PLAN_FORMATS

COEFFICIENTS = (
    "cohen_kappa",
    "scott_pi",
    "fleiss_kappa",
    "krippendorff_alpha",
    "gwet_ac",
    "brennan_prediger",
    "percent_agreement",
    "icc_1",
    "icc_a_1",
    "icc_c_1",
    "icc_1_k",
    "icc_a_k",
    "icc_c_k",
)

EXAMPLES = (
    (
        "assay plan --value 0.7 --labels 3 --width 0.2",
        "Two raters, three equally frequent labels, kappa around .7: how many items?",
    ),
    (
        "assay plan --agreement 0.93 --shares safe=.9,violation=.1 --raters 2-5 --width 0.2",
        "One label is frequent; is it cheaper to add raters?",
    ),
    (
        "assay plan --coefficient gwet_ac --value 0.8 --labels 4 --raters 3 --lower 0.667",
        "AC1's lower limit should pass .667.",
    ),
    ("assay plan --pilot answers.csv --width 0.1", "As in a first round of ratings."),
    (
        "assay plan --coefficient icc_a_1 --value 0.75 --rater-share 0.05 --raters 2-6 --items 50",
        "What do 50 items give?",
    ),
)


def completed(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The coefficients that begin so, for the shell.

    >>> completed(None, None, "icc_a")
    ['icc_a_1', 'icc_a_k']
    """
    return [name for name in COEFFICIENTS if name.startswith(begun)]


OPTIONS: tuple[tuple[str, tuple[Declared, ...]], ...] = (
    (
        "What is wanted (one of the three)",
        (
            (("--width",), {"type": float, "help": "How wide the interval may be on average."}),
            (("--lower",), {"type": float, "help": "What the interval's lower limit should pass."}),
            (("--items",), {"type": int, "help": "How many items there are: what do they give?"}),
            (
                ("--power",),
                {"type": float, "help": "How probably the lower limit passes --lower, 0.8."},
            ),
            (("--level",), {"type": float, "help": "The level of the interval, 0.95."}),
        ),
    ),
    (
        "What is expected",
        (
            (
                ("--coefficient",),
                {
                    "metavar": "NAME",
                    "shell_complete": completed,
                    "help": "cohen_kappa, fleiss_kappa, krippendorff_alpha, gwet_ac, icc_a_1, …; "
                    "cohen_kappa for two raters and fleiss_kappa for more if omitted.",
                },
            ),
            (("--value",), {"type": str, "metavar": "NUMBER", "help": "The coefficient."}),
            (
                ("--agreement",),
                {"type": str, "metavar": "SHARE", "help": "Or: the share of pairs that agree."},
            ),
            (
                ("--shares",),
                {"metavar": "A=.9,B=.1", "help": "How often each label is given."},
            ),
            (("--labels",), {"type": int, "help": "Or: so many labels, equally frequent."}),
            (
                ("--raters",),
                {"metavar": "R|R-R|R,R", "help": "How many rate every item, or which numbers."},
            ),
            (
                ("--rater-share",),
                {
                    "type": float,
                    "help": "ICC: the share of variance from raters who rate higher or lower, 0.",
                },
            ),
            (
                ("--pilot",),
                {
                    "type": click.Path(path_type=Path, dir_okay=True),
                    "help": "A file of ratings that says all this.",
                },
            ),
            (
                ("--scale",),
                {
                    "type": click.Choice(("nominal", "ordinal", "interval", "ratio", "circular")),
                    "help": "Of the pilot's labels.",
                },
            ),
            (("--order",), {"metavar": "A,B,C", "help": "The pilot's labels, lowest first."}),
            (
                ("--layout",),
                {
                    "type": click.Choice(("long", "wide", "counts", "table")),
                    "help": "Of the pilot's file, where more than one reading fits.",
                },
            ),
        ),
    ),
    (
        "How it is checked",
        (
            (
                ("--simulations",),
                {"type": int, "help": "Studies drawn for each number of items, 2000; 0: none."},
            ),
            (("--seed",), {"type": int, "help": "Of the drawing, 0."}),
        ),
    ),
    printed(PLAN_FORMATS),
)

GIVEN = (
    "width",
    "lower",
    "items",
    "power",
    "level",
    "coefficient",
    "value",
    "agreement",
    "labels",
    "rater_share",
    "pilot",
    "scale",
    "layout",
    "simulations",
    "seed",
)


@click.command(cls=Command, examples=EXAMPLES)
@put(OPTIONS)
def plan(**given: Any) -> None:
    """Say how many items and raters a study needs.

    Give what is wanted (a width, a lower limit, or a number of items) and what is expected (a
    coefficient's value, or agreement, with the shares of the labels; or a pilot). The answer is
    checked on drawn studies.
    """
    asked = [name for name in PLAN_FORMATS if name != "terminal" and given[name]]
    kind = format_for(asked + ([given["to"]] if given["to"] else []), given["out"], PLAN_FORMATS)
    chosen = {name: given[name] for name in GIVEN if given[name] is not None}
    if given["raters"] is not None:
        chosen["raters"] = numbers(given["raters"])
    if given["shares"] is not None:
        chosen["shares"] = shares(given["shares"])
    if given["order"] is not None:
        chosen["order"] = listed(given["order"])
    with Watch(("planning", "writing")) as watch:
        from assay.report.plan.report import plan as compute
        from assay.report.render import render

        summary = compute(**chosen).to_dict()
        watch.step("writing")
        color = given["out"] is None and kind == "terminal" and wants_color()
        text = render(summary, kind, color=color, full=given["full"])
    write(text, kind, given["out"])


def numbers(text: str) -> list[int]:
    """Numbers of raters: one, several, or from one to another.

    >>> numbers("3"), numbers("2-5"), numbers("2,4")
    ([3], [2, 3, 4, 5], [2, 4])
    """
    out: list[int] = []
    for part in text.split(","):
        first, sign, last = part.strip().partition("-")
        try:
            out += range(int(first), int(last if sign else first) + 1)
        except ValueError:
            out = []
            break
        if len(out) > 100:
            break
    if not out:
        raise UsageError(f"--raters {text}: numbers are needed, as in 3, 2-5 or 2,4.")
    return out


def shares(text: str) -> dict[str, str]:
    """Labels and their shares.

    >>> shares('safe=.95,violation=.05')
    {'safe': '.95', 'violation': '.05'}
    """
    out = {}
    for part in listed(text):
        name, sign, share = part.rpartition("=")
        if not sign or name in out:
            raise UsageError(
                f"--shares {text}: LABEL=SHARE is needed for each label, once: safe=.95,other=.05."
            )
        out[name] = share.strip()
    return out
