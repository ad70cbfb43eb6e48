"""Small studies for the tests of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.study.store import Store
from assay.study.store_records import TaskLike


@dataclass(frozen=True, slots=True)
class Job:
    """A task as the assignment gives it."""

    rater: int
    order: int
    item: str
    systems: tuple[str, ...] = ("base",)
    dimensions: tuple[str, ...] = ("fluency",)
    repeat: int = 0
    check: bool = False
    kind: str = "single"
    pilot: bool = False
    batch: int | None = None
    qualification: bool = False


DESIGN = {
    "name": "pilot",
    "seed": 7,
    "dimensions": [
        {"key": "fluency", "mechanism": "likert"},
        {"key": "coverage", "mechanism": "likert"},
        {"key": "better", "mechanism": "ab"},
        {"key": "overall", "mechanism": "rankme"},
    ],
}


def jobs(raters: int, items: int, **same: Any) -> list[Job]:
    """Every rater rates every item."""
    return [Job(r, k, f"q{k}", **same) for r in range(raters) for k in range(items)]


def filled(store: Store, tasks: Sequence[TaskLike], *names: str) -> list[str]:
    """Put a study in, with its raters; returns their tokens."""
    store.create(DESIGN, tasks, by="me")
    return [store.add_rater(name, by="me").token for name in names]
