"""What files take in memory when they are read as a whole, before they are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.spans.sources.parquet import is_parquet, n_values

PER_BYTE = 8
"""Memory that a byte of columns or JSON lines takes, at the most that was measured."""
PER_VALUE = 40
"""The same of a tag, token or id of a Parquet file."""


def memory_needed(paths: Iterable[Path], format: str | None = None) -> int:  # noqa: A002
    """About how many bytes of memory files take that are read as a whole; 0 of what is no file."""
    needed = 0
    for path in paths:
        if path.is_file():
            size = path.stat().st_size
            parquet = is_parquet(path, format)
            needed += n_values(path) * PER_VALUE if parquet else size * PER_BYTE
    return needed


def spoken(size: float) -> str:
    """A size in words.

    >>> spoken(1_234_567_890), spoken(25_000_000), spoken(900)
    ('1.2 GB', '25 MB', '0.9 kB')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:.2g} {name}" if size < 100 * unit else f"{size / unit:.0f} {name}"
    return f"{size / 1e3:.2g} kB"
