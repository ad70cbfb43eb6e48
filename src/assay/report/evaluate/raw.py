"""Every rating as CSV, for readers who ask for them: also those that entered no mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.csv_text import csv_text
from assay.evaluation.table import Dimension, SystemRatings

COLUMNS = ("item", "system", "dimension", "rater", "value", "use")


def raw_csv(ratings: SystemRatings) -> str:
    """One row a rating in the order of the source.

    ``use`` is "yes", "repeat" (the same rater again) or "beyond first".
    """
    rows: list[tuple[str, ...]] = [COLUMNS]
    for made in ratings.dimensions:
        rows += [row for _, row in sorted(_rows(made), key=lambda pair: pair[0])]
    return csv_text(rows)


def _rows(made: Dimension) -> Iterator[tuple[int, tuple[str, ...]]]:
    for use, part in (("yes", made), ("repeat", made.repeats), ("beyond first", made.cut)):
        if part is None:
            continue
        places = np.arange(part.n) if part.order is None else part.order
        for k in range(part.n):
            rater = "" if part.raters is None else part.rater_names[int(part.raters[k])]
            yield (
                int(places[k]),
                (
                    part.item_names[int(part.items[k])],
                    part.system_names[int(part.systems[k])],
                    part.name,
                    rater,
                    part.categories.texts[int(part.labels[k])],
                    use,
                ),
            )
