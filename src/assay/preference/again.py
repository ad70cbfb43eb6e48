"""Which comparisons only repeat an earlier one of the same rater.

A repeat says how far raters agree with themselves, and nothing new of the systems. It can be told
where the rater and the item are known: the same two systems on the same sides again. The two
sides changed are no repeat, since asking in both orders is how a preference for a side is taken
out; but a column may say of any row that it is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError
from assay.preference.model import Comparisons, Ints

Bools = npt.NDArray[np.bool_]

MARKS = {"": 0, "no": 0, "false": 0, "f": 0, "n": 0, "yes": 1, "true": 1, "t": 1, "y": 1}
"""What a column of repeats may hold beside numbers, of which those above the lowest are marks."""


def marked(names: Sequence[str], codes: Ints, where: str) -> Bools:
    """Which rows a column calls repeats; an empty cell (code −1) is none.

    >>> marked(["0", "1", "yes"], np.array([0, 1, -1, 2, 0]), "a.csv").tolist()
    [False, True, False, True, False]
    """
    values = []
    for name in names:
        text = str(name).strip().lower()
        try:
            values.append(float(MARKS.get(text, text)))
        except ValueError:
            raise ReadingError(
                f"{where}: {name!r} does not say whether a row is a repeat; 0 and 1, yes "
                "and no, or the number of the time (1, 2, …) do."
            ) from None
    lowest = min([*values, *([0.0] if (codes < 0).any() else [])], default=0.0)
    return np.array([*(value > lowest for value in values), False])[codes]


def repeated(comparisons: Comparisons, other: Ints, marks: Bools | None) -> Bools | None:
    """Which comparisons repeat an earlier one, or None where that cannot be told.

    Parameters
    ----------
    other
        Shape (comparisons,): a number for what else makes a question, such as the dimension.
    marks
        Which rows a column calls repeats. One whose first answer is not there counts as such.
    """
    told = comparisons.item is not None and comparisons.rater is not None
    if not told and marks is None:
        return None
    key = comparisons.pair
    columns = [None if c is None else c.codes for c in (comparisons.item, comparisons.rater)]
    for codes in (*columns, other):
        if codes is not None:
            # Numbers are made small again, so that their product stays one.
            _, key = np.unique(key, return_inverse=True)
            key = key.reshape(-1) * (int(codes.max(initial=0)) + 1) + codes
    flagged = np.zeros(comparisons.n, dtype=bool) if marks is None else marks
    # Rows that are called repeats come after the others.
    order = np.argsort(flagged, kind="stable")
    out = np.zeros(comparisons.n, dtype=bool)
    if told:
        swapped = comparisons.left > comparisons.right
        out[order] = _later((key * 2 + swapped)[order])
    later = np.zeros(comparisons.n, dtype=bool)
    later[order] = _later(key[order])
    return np.asarray(out | (flagged & later))


def _later(key: Ints) -> Bools:
    """Which entries have an equal one before them.

    >>> _later(np.array([3, 1, 3])).tolist()
    [False, False, True]
    """
    _, first = np.unique(key, return_index=True)
    out = np.ones(len(key), dtype=bool)
    out[first] = False
    return out
