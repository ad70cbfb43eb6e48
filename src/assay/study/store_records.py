"""What the store gives and takes, as plain frozen records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

ANSWER, SKIP, OPEN = "answer", "skip", "open"
"""What a revision says: a value, that the rater cannot judge, or (undone) nothing."""


class TaskLike(Protocol):
    """What the store needs to know of an assigned task; see :mod:`assay.study.assign`."""

    @property
    def rater(self) -> int:
        """The rater's seat, counted from 0."""

    @property
    def order(self) -> int:
        """The place in this rater's order."""

    @property
    def item(self) -> str: ...

    @property
    def kind(self) -> str:
        """What is shown of the systems: "single", "pair" or "all"."""

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order shown: none, one, left and right, or all."""

    @property
    def dimensions(self) -> tuple[str, ...]: ...

    @property
    def repeat(self) -> int: ...

    @property
    def check(self) -> bool: ...

    @property
    def pilot(self) -> bool: ...

    @property
    def batch(self) -> int | None:
        """The number of the batch that it is shown in; None where there are no batches."""

    @property
    def qualification(self) -> bool:
        """Whether it is of the test, whose tasks have the first places of a rater's order."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A task as it is in the plan; ``answered`` says that it has to stay where it is.

    Of a task whose open questions were given to somebody else, ``dimensions`` are those that
    were answered before. ``rest`` are the open questions of one that was answered in part.
    """

    id: int
    rater: int
    order: int
    item: str
    kind: str
    systems: tuple[str, ...]
    dimensions: tuple[str, ...]
    repeat: int
    check: bool
    pilot: bool
    qualification: bool
    answered: bool
    batch: int | None = None
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as a rater's page sends it.

    ``expected`` is the revision the page had seen (0: none yet); ``client`` is a key the page
    made for this one act, the same when it is sent again.
    """

    dimension: str
    value: Any = None
    expected: int = 0
    client: str = ""
    seconds: float | None = None
    comment: str = ""
    skip: bool = False


@dataclass(frozen=True, slots=True)
class Current:
    """The newest revision of the answer to one question; revision 0 is none."""

    dimension: str
    revision: int = 0
    kind: str = OPEN
    value: Any = None
    comment: str = ""
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A confirmation: this revision is on the disk.

    ``repeated`` says that it was there before, because the same act had been sent already.
    """

    task: int
    dimension: str
    revision: int
    kind: str
    value: Any
    at: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task as its rater may see it, with this rater's own answers so far."""

    id: int
    position: int
    item: str
    kind: str
    systems: tuple[str, ...]
    dimensions: tuple[str, ...]
    repeat: int
    check: bool
    pilot: bool
    qualification: bool = False
    answers: dict[str, Current] = field(default_factory=dict)

    @property
    def sides(self) -> tuple[str, str] | None:
        """Left and right, where two systems are compared."""
        return (self.systems[0], self.systems[1]) if self.kind == "pair" else None

    @property
    def answered(self) -> bool:
        """Whether every question has an answer or a "can't judge"."""
        return all(self.answers[name].kind != OPEN for name in self.dimensions)


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater, and how far they are; ``tasks`` and ``done`` are without those of the test."""

    id: int
    seat: int
    name: str | None
    joined_at: str | None
    consented_at: str | None
    left_at: str | None
    tasks: int
    done: int


@dataclass(frozen=True, slots=True)
class Batches:
    """How many batches a rater has and has done; of the next one, what is open, and if all is."""

    all: int
    done: int
    waiting: int
    fresh: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a rater stands with the test that comes before everything else.

    Attributes
    ----------
    rater
        Their number.
    tasks, done
        How many tasks it has, and how many of them are answered.
    right, questions, needed
        How many questions they answered right, of how many with a right answer, and the least
        that passes.
    qualified_at, refused_at
        When they were let in, and when they were found not to pass; both where they were let in
        anyway.
    """

    rater: int
    tasks: int
    done: int
    right: int
    questions: int
    needed: int
    qualified_at: str | None
    refused_at: str | None

    @property
    def state(self) -> str:
        """Either "open" (nothing is decided), "passed", "refused" or "let_in"."""
        if self.refused_at is not None:
            return "refused" if self.qualified_at is None else "let_in"
        return "open" if self.qualified_at is None else "passed"

    @property
    def due(self) -> bool:
        """Whether all is answered and nothing decided."""
        return self.state == "open" and self.done == self.tasks


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new rater and the token of their link, which is shown only this once."""

    id: int
    seat: int
    name: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pace:
    """A line of the manager's table: how far and how fast one rater is, without the test."""

    id: int
    seat: int
    name: str | None
    left_at: str | None
    tasks: int
    done: int
    questions: int
    answered: int
    skipped: int
    seconds: float
    first_at: str | None
    last_at: str | None
    batches: int = 0
    batches_done: int = 0


@dataclass(frozen=True, slots=True)
class Rated:
    """A row of the long table. ``system`` or ``left`` and ``right`` are None where not asked."""

    item: str
    system: str | None
    dimension: str
    rater: str
    value: Any
    left: str | None
    right: str | None
    seconds: float | None
    revision: int
    at: str
    kind: str
    repeat: int
    check: bool
    pilot: bool
    comment: str
    task: int
    rating: int
    batch: int | None = None
    qualification: bool = False

    @property
    def apart(self) -> bool:
        """Whether it is no data: an attention check, or of the test."""
        return self.check or self.qualification


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What became of the open tasks of somebody who left.

    ``given`` pairs the new tasks with their raters; ``dropped`` were of use from this rater
    only (repeats, attention checks); ``kept`` wait for somebody who has not seen the item.
    """

    given: tuple[tuple[int, int], ...]
    dropped: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A decision on an item: what is taken to be right, why the raters differed, by whom.

    ``provenance`` holds the answers that were seen when it was made.
    """

    id: int
    item: str
    systems: tuple[str, ...]
    dimension: str
    value: Any
    cause: str
    note: str
    by: str
    at: str
    provenance: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One act of a manager."""

    id: int
    at: str
    by: str
    act: str
    detail: dict[str, Any]
