"""A column that says how many items a row stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError
from assay.ratings.ids import Ids
from assay.ratings.model import Note
from assay.ratings.numerals import EXACT, decided, to_number, without_groups
from assay.ratings.sources.grid import Grid

Array = npt.NDArray[Any]

LARGEST = 1 << 60
"""So many items are counted exactly."""


def weights_of(grid: Grid, frequency: str, column: Ids) -> tuple[Array, Array, list[Note]]:
    """How many items each row stands for, and which rows stand for any."""
    about = grid.about
    if column.empty:
        rows = np.flatnonzero(column.codes < 0)[:5]
        places = ", ".join(about.place(int(r)) for r in rows)
        raise ReadingError(f"{about.source}: no frequency in {places}.")
    texts = list(column.names())
    comma = about.decimal_comma is True
    if not about.typed:
        where = f"{about.source}, column {frequency}"
        comma = decided(texts, about.decimal_comma, about.separator, where)
    counts: list[int] = []
    for text in texts:
        number = to_number(without_groups(text, comma=comma), comma=comma)
        if number is None or number < 0 or number != int(number) or number > EXACT:
            row = int(np.flatnonzero(column.codes == len(counts))[0])
            raise ReadingError(
                f"{about.source}, {about.place(row)}: the frequency is {text!r}; a whole "
                f"number, 0 or more, is needed (up to {EXACT:,}).",
                code="bad_count",
            )
        counts.append(int(number))
    times = np.bincount(column.codes, minlength=len(counts)).tolist()
    total = sum(n * times[k] for k, n in enumerate(counts))
    if total >= LARGEST:
        raise ReadingError(
            f"{about.source}: the frequencies add up to {total:,}; below {LARGEST:,} they are "
            "counted exactly. Divide all of them by a common factor.",
            code="bad_count",
        )
    weights = np.array(counts, dtype=np.int64)[column.codes]
    used = weights > 0
    notes = [Note("frequency", f"rows stand for {total:,} items (column {frequency})")]
    if not used.all():
        gone = int(np.count_nonzero(~used))
        message = f"rows of frequency 0 left out, with labels found only there: {gone:,}"
        notes.append(Note("frequency_zero", message))
    return weights[used], used, notes
