"""``--fail-under NAME=VALUE``: a report as a gate in a build."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import UsageError, one_of
from assay.report.names import NAMES
from assay.report.numbers import apart, fixed, level
from assay.report.render import parts

BOUNDS = ("value", "lower")


@dataclass(frozen=True, slots=True)
class Gate:
    """A coefficient and the least it has to be."""

    name: str
    least: float


def parse(text: str) -> Gate:
    """A gate from NAME=VALUE.

    >>> parse("krippendorff_alpha=0.667")
    Gate(name='krippendorff_alpha', least=0.667)
    """
    name, sign, number = text.partition("=")
    one_of(name.strip(), NAMES, "--fail-under")
    try:
        least = float(number)
    except ValueError:
        least = math.nan
    if not sign or not math.isfinite(least):
        raise UsageError(f"--fail-under {text}: NAME=VALUE is needed, such as {name}=0.667.")
    return Gate(name.strip(), least)


def check_bound(bound: str, gates: Sequence[object]) -> None:
    """Raise if a bound was chosen and nothing is compared with it."""
    if bound != "value" and not gates:
        raise UsageError(
            f"--bound {bound} says what --fail-under compares; give --fail-under NAME=VALUE too."
        )


def failures(summary: Mapping[str, Any], gates: Sequence[Gate], bound: str) -> list[str]:
    """A sentence for each gate that does not hold; none if all do."""
    out = []
    for group, part in parts(summary):
        found = {c["name"]: c for c in part.get("coefficients", ())}
        for gate in gates:
            why = _failure(found.get(gate.name), gate, bound)
            if why:
                out.append(f"{group}: {why}" if group is not None else why)
    return out


def _failure(c: Mapping[str, Any] | None, gate: Gate, bound: str) -> str | None:
    if c is None:
        return f"{gate.name} is not in the report"
    least = f"at least {fixed(gate.least, 3, '-')} was asked for"
    if c.get("value") is None:
        why = (c.get("undefined") or {}).get("reason", "no reason was given")
        return f"{gate.name} is not defined, because {why}; {least}"
    if bound == "lower" and not c.get("interval"):
        why = (c.get("no_interval") or {}).get("reason", "no error is known for it")
        return f"{gate.name} has no interval, because {why}; {least} of its lower limit"
    value = c["interval"]["low"] if bound == "lower" else c["value"]
    if value >= gate.least:
        return None
    shown, limit = apart(value, gate.least, "-")
    what = gate.name
    if bound == "lower":
        what = f"the lower {level(c['interval']['level'])} limit of {gate.name}"
    return f"{what} is {shown}, below {limit}"
