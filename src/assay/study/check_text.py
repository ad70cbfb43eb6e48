"""What a design will do, in lines for a terminal."""

from __future__ import annotations

import textwrap

from assay.study.check import Explained
from assay.study.gold import needed

WIDTH = 88
LABEL = 14


def told(found: Explained) -> str:
    """The explanation as text."""
    out = [f"{found.title} ({found.name}, {found.language})", ""]
    pilot = f"; {found.pilot} of them, taken at random, come first" if found.pilot else ""
    out += _row("items", f"{found.items:,}{pilot}")
    if found.systems:
        names = ", ".join(found.systems[:12]) + (", …" if len(found.systems) > 12 else "")
        out += _row("systems", f"{len(found.systems)}: {names}; raters never see these names")
    if found.checks:
        out += _row("checks", f"{found.checks}, shown to every rater")
    if found.qualification_pass is not None:
        least = needed(found.qualification_pass, found.qualification_questions)
        out += _row(
            "test",
            f"{found.qualification}, before everything else; {least} of "
            f"{found.qualification_questions} questions right to go on",
        )
    for one in found.asked:
        out += _row("asks", f"{one.dimension} ({one.mechanism}): {one.judgements:,} judgements")
    out += _row(
        "raters", f"{found.raters}; {found.per_item} of them rate each of {found.things:,} things"
    )
    if found.impossible:
        out += ["", "This cannot be done:"]
        return "\n".join(out + [line for why in found.impossible for line in _point(why)])
    out += _row("tasks", f"{found.tasks:,} in all, {_span(found.tasks_each)} a rater")
    out += _row(
        "judgements", f"{found.judgements:,} in all, {_span(found.judgements_each)} a rater"
    )
    low, high = (_time(hours) for hours in found.hours_each)
    each = low if low == high else f"{low} to {high}"
    out += _row(
        "time",
        f"{_time(found.hours)} in all, {each} a rater, at {found.seconds:g} seconds a judgement",
    )
    if found.batches:
        low, high = (_time(hours) for hours in found.batch_hours)
        out += _row(
            "batches",
            f"{found.batches:,} of {_span(found.batch_items)} items, {_span(found.batches_each)} a "
            f"rater; one takes {low if low == high else f'{low} to {high}'}",
        )
    if found.overlap is not None:
        out += _row("overlap", f"each two raters share {_span(found.overlap)} things")
    if found.remarks:
        out += ["", "To know:"]
        out += [line for remark in found.remarks for line in _point(remark)]
    return "\n".join(out)


def _span(ends: tuple[int, int]) -> str:
    """Two ends, or one number where they are the same.

    >>> _span((3, 4)), _span((5, 5))
    ('3 to 4', '5')
    """
    low, high = ends
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _time(hours: float) -> str:
    """Hours, or minutes where it is less than two hours.

    >>> _time(0.4), _time(2.25)
    ('24 minutes', '2.2 hours')
    """
    return f"{hours:.1f} hours" if hours >= 2 else f"{hours * 60:.0f} minutes"


def _row(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {label:<{LABEL}}",
        subsequent_indent=" " * (LABEL + 2),
    )


def _point(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  - ", subsequent_indent="    ")
