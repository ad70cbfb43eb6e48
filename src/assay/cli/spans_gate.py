"""``assay spans --fail-under MODE.TYPE.FIGURE=VALUE``: a score as a gate in a build."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.cli.gate import Gate
from assay.errors import UsageError, one_of
from assay.report.numbers import apart, fixed, level
from assay.report.spans.words import MODES, short_names

FIGURES = ("precision", "recall", "f1")
WHOLE = ("token_accuracy", "token_accuracy_without_o", "sentence_accuracy")
LIMITS = {"precision": "precision_interval", "recall": "recall_interval", "f1": "interval"}


def parse(text: str) -> Gate:
    """A gate from MODE.TYPE.FIGURE=VALUE, or from one of the accuracies.

    A type may hold dots and equal signs.

    >>> parse("exact.micro.f1=0.8"), parse("token_accuracy=0.95")
    (Gate(name='exact.micro.f1', least=0.8), Gate(name='token_accuracy', least=0.95))
    """
    name, _, number = text.rpartition("=")
    try:
        least = float(number)
    except ValueError:
        least = math.nan
    name = name.strip()
    if not name or not math.isfinite(least):
        raise UsageError(
            f"--fail-under {text}: MODE.TYPE.FIGURE=VALUE is needed, such as exact.micro.f1=0.8."
        )
    if name not in WHOLE:
        mode, _, figure = split(name)
        if not figure:
            raise UsageError(
                f"--fail-under {text}: MODE.TYPE.FIGURE=VALUE is needed, such as "
                f"exact.micro.f1=0.8, or one of: {', '.join(WHOLE)}."
            )
        one_of(mode, MODES, "--fail-under, the way of matching")
        one_of(figure, FIGURES, "--fail-under, the figure")
    return Gate(name, least)


def split(name: str) -> tuple[str, str, str]:
    """Mode, type and figure of a gate's name.

    >>> split("exact.org.eu.f1"), split("exact.micro")
    (('exact', 'org.eu', 'f1'), ('exact.micro', '', ''))
    """
    mode, first, rest = name.partition(".")
    kind, last, figure = rest.rpartition(".")
    return (mode, kind, figure) if first and last else (name, "", "")


def failures(summary: Mapping[str, Any], gates: Sequence[Gate], bound: str) -> list[str]:
    """A sentence for each gate that does not hold, of each system; none if all do."""
    out = []
    for who, part in _parts(summary):
        for gate in gates:
            why = _failure(part, gate, bound)
            if why:
                out.append(f"{who}{why}")
    return out


def _parts(summary: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    systems = summary.get("systems") or ()
    if not systems:
        yield "", summary
        return
    names = short_names(summary)
    for one in systems:
        yield f"{names[one['name']]}: ", one


def _failure(part: Mapping[str, Any], gate: Gate, bound: str) -> str | None:
    least = f"at least {fixed(gate.least, 3, '-')} was asked for"
    if gate.name in WHOLE:
        found = {"value": part.get(gate.name)} if gate.name in part else None
    else:
        found = _entry(part, gate.name)
    if found is None:
        return f"{gate.name} is not in the report; {least}"
    if found["value"] is None:
        return f"{gate.name} is not defined here; {least}"
    interval = found.get("interval")
    if bound == "lower" and not interval:
        return f"{gate.name} has no interval; {least} of its lower limit"
    value = found["value"] if bound == "value" or not interval else interval["low"]
    if value >= gate.least:
        return None
    shown, limit = apart(value, gate.least, "-")
    what = gate.name
    if bound == "lower" and interval:
        what = f"the lower {level(interval['level'])} limit of {gate.name}"
    return f"{what} is {shown}, below {limit}"


def _entry(part: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """The value and interval of one figure of one mode and type."""
    mode, kind, figure = split(name)
    for row in part.get("matches") or ():
        if row["mode"] == mode and row["type"] == kind:
            return {"value": row.get(figure), "interval": row.get(LIMITS[figure])}
    return None
