"""Pieces of a summary as plain values."""

from __future__ import annotations

from typing import Any

from assay.estimate import Interval


def interval_dict(interval: Interval | None) -> dict[str, Any] | None:
    """An interval as plain values; of a bootstrap, with its resamples."""
    if interval is None:
        return None
    out = {
        "level": interval.level,
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
    }
    if interval.resamples is None:
        return out
    return out | {"resamples": interval.resamples, "undefined_resamples": interval.undefined}
