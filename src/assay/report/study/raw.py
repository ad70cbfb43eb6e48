"""Every answer of a study as CSV, for readers who ask: also those that do not count."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from assay.csv_text import csv_text
from assay.study.design import Design
from assay.study.store_records import SKIP, Rated

COLUMNS = ("item", "system", "left", "right", "dimension", "rater", "group", "value", "use")


def raw_csv(design: Design, rows: Sequence[Rated]) -> str:
    """One row an answer, dimension by dimension, in the order in which raters gave them.

    ``value`` is a number, a label, several labels as a JSON list, the system that won, or "tie";
    ``use`` is "yes", "repeat" (shown to the rater before), "check" (an attention check),
    "qualification" (the test that comes first) or "cannot judge".
    """
    return csv_text(_rows(design, rows))


def _rows(design: Design, rows: Sequence[Rated]) -> Iterator[Sequence[object]]:
    groups = {rater.name: rater.group for rater in design.raters}
    yield COLUMNS
    for key in (one.key for one in design.dimensions):
        for row in rows:
            if row.dimension != key:
                continue
            value = row.value
            if isinstance(value, list):
                value = json.dumps(value, ensure_ascii=False)
            group = groups.get(row.rater, "")
            where = (row.item, row.system, row.left, row.right)
            yield (*where, key, row.rater, group, value, use(row))


def use(row: Rated) -> str:
    """Whether an answer counts, or why it does not."""
    if row.qualification:
        return "qualification"
    if row.check:
        return "check"
    if row.kind == SKIP:
        return "cannot judge"
    return "repeat" if row.repeat else "yes"
