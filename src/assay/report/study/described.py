"""What a design asked and what came in, as plain values for the report on a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from assay.study.design import Design, Qualification
from assay.study.gold import needed
from assay.study.store_records import ANSWER, Rated

TOLD = (
    "title", "language", "seed", "per_item", "same_raters", "batch", "repeats", "pilot",
    "pilot_all", "pairs_per_item", "instructions", "consent", "safe_html", "comments",
)  # fmt: skip
"""What a report has from the design as it stands there."""


def described(design: Design) -> dict[str, Any]:
    """The design without the texts of its items."""
    return {
        **{name: getattr(design, name) for name in TOLD},
        "systems": list(design.systems),
        "pairs": [list(pair) for pair in design.pairs],
        "items": len(design.items),
        "strata": _counts(item.stratum for item in design.items),
        "contexts": sum(bool(item.context) for item in design.items),
        "checks": len(design.checks),
        "qualification": _test(design.qualification),
        "raters": len(design.raters),
        "groups": _counts(rater.group for rater in design.raters),
        "dimensions": [
            {**asdict(one), "points": [asdict(point) for point in one.points], "kind": one.kind}
            for one in design.dimensions
        ],
    }


def _test(test: Qualification | None) -> dict[str, Any] | None:
    """The test before everything else; ``needed`` is the least number of right answers."""
    if test is None:
        return None
    return {
        "items": len(test.items),
        "questions": test.questions,
        "pass": test.share,
        "needed": needed(test.share, test.questions),
        "tolerance": test.tolerance,
    }


def _counts(names: Iterable[str]) -> dict[str, int]:
    """How many there are of each; nothing where nothing is said of any."""
    found = Counter(names)
    return dict(found) if set(found) != {""} else {}


def collected(design: Design, rows: Sequence[Rated]) -> dict[str, Any]:
    """Who has answered how much, and when; attention checks and the test are apart."""
    mine = [row for row in rows if not row.apart]
    given = [row for row in mine if row.kind == ANSWER]
    groups = {rater.name: rater.group for rater in design.raters}
    people = dict.fromkeys(row.rater for row in mine)
    times = sorted(row.at for row in rows)
    return {
        "raters": len(people),
        "groups": _counts(groups.get(name, "") for name in people),
        "answers": len(given),
        "repeats": sum(bool(row.repeat) for row in given),
        "cannot_judge": len(mine) - len(given),
        "first_at": times[0] if times else None,
        "last_at": times[-1] if times else None,
    }
