"""How means are printed: with as many decimals as their intervals can carry.

One choice for each dimension, the same in every table: two significant digits of half of the
interval's width, in the middle of the systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any

from assay.report.numbers import MINUS, NOTHING, fixed
from assay.report.render import Summary

USUAL, MOST = 2, 6
"""Decimals where there is no interval, and the most there can be."""


def decimals(summary: Summary) -> dict[str, int]:
    """How many decimals the means of each dimension have.

    >>> half = {"system": "a", "dimension": "length", "interval": {"low": 0.0, "high": 7.2}}
    >>> decimals({"dimensions": [{"dimension": "length"}], "systems": [half]})
    {'length': 1}
    """
    widths: dict[str, list[float]] = {d["dimension"]: [] for d in summary["dimensions"]}
    for row in summary["systems"]:
        half = half_width(row["interval"])
        if half and row["dimension"] in widths:
            widths[row["dimension"]].append(half)
    return {name: _digits(sorted(found)) for name, found in widths.items()}


def half_width(limits: Mapping[str, Any] | None) -> float | None:
    """Half of an interval's width."""
    return None if limits is None else (limits["high"] - limits["low"]) / 2.0


def _digits(widths: list[float]) -> int:
    if not widths:
        return USUAL
    return min(MOST, max(0, 1 - floor(log10(widths[len(widths) // 2]))))


def mean(value: float | None, digits: int, minus: str = MINUS, missing: str = NOTHING) -> str:
    """A mean rating, or a difference of means.

    >>> mean(4.2149, 2), mean(-0.25, 1), mean(None, 2)
    ('4.21', '−0.2', '–')
    """
    return missing if value is None else fixed(value, digits, minus)


def span(limits: Mapping[str, Any] | None, digits: int) -> str:
    """The two ends of an interval of a mean.

    >>> span({"low": -0.5, "high": 1.25}, 1), span(None, 1)
    ('−0.5 to 1.2', '–')
    """
    if limits is None:
        return NOTHING
    return f"{mean(limits['low'], digits)} to {mean(limits['high'], digits)}"
