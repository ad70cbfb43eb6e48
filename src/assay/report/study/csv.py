"""The report on a study as one CSV: the rows of its parts, with the columns of all of them."""

from __future__ import annotations

import csv
import io

from assay.csv_text import csv_text
from assay.report.render import Summary, View, render
from assay.report.study.text import reports

FIRST = ("report", "dimension")


def study_csv(summary: Summary, _view: View) -> str:
    """``report`` says which one a row is of; columns that its report does not have are empty."""
    rows: list[dict[str, str]] = []
    columns = dict.fromkeys(FIRST)
    for kind, name, found in reports(summary):
        for row in csv.DictReader(io.StringIO(render(found, "csv"), newline="")):
            columns |= dict.fromkeys(row)
            # The dimensions of a report on each of several labels are these labels.
            own = ": ".join(filter(None, (name, row.pop("dimension", ""))))
            rows.append({"report": kind, "dimension": own, **row})
    return csv_text([tuple(columns), *([row.get(name) for name in columns] for row in rows)])
