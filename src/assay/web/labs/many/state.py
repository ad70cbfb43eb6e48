"""The state of the lab: a table of items × labels, how often each item was given each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from assay.web.labs.kappa.state import names_checked
from assay.web.query import BadState, Query, listed, shortened, whole
from assay.web.speech import Message, lazy

T = TypeVar("T")
Rows = tuple[tuple[int, ...], ...]

MIN_ITEMS, MAX_ITEMS = 1, 30
MIN_LABELS, MAX_LABELS = 2, 8
MAX_COUNT = 999

FIRST: Rows = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Ten items, fourteen raters, five labels."""

QUESTIONS = ("q1", "q2", "q3")
ANSWERS = ("", "a", "b", "c")


def plain_names(n: int) -> tuple[str, ...]:
    """Names where nobody gave any: 1, 2, 3."""
    return tuple(str(k + 1) for k in range(n))


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the page depends on.

    Attributes
    ----------
    rows
        Items × labels: how many raters gave the item the label.
    labels, items
        Names; empty where all are 1, 2, 3 and so on.
    answers
        The three answers of the self-check, empty where not answered.
    puzzle
        The puzzle that is being tried, if one.
    """

    rows: Rows = FIRST
    labels: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    answers: tuple[str, str, str] = ("", "", "")
    puzzle: str = ""

    @property
    def q(self) -> int:
        """How many labels there are, used or not."""
        return len(self.rows[0])

    @property
    def label_names(self) -> tuple[str, ...]:
        return self.labels or plain_names(self.q)

    @property
    def item_names(self) -> tuple[str, ...]:
        return self.items or plain_names(len(self.rows))

    @property
    def ratings(self) -> int:
        return sum(map(sum, self.rows))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Ratings of each item."""
        return tuple(map(sum, self.rows))

    def query(self) -> dict[str, str]:
        """The canonical parameters."""
        return {
            "t": ";".join(",".join(map(str, row)) for row in self.rows),
            "labels": listed(self.labels),
            "items": listed(self.items),
            "puzzle": self.puzzle,
            **dict(zip(QUESTIONS, self.answers, strict=True)),
        }

    def table(self, rows: Rows) -> State:
        """The same page with another table of the same labels; names of items stay if they fit."""
        return replace(self, rows=rows, items=self.items if len(rows) == len(self.rows) else ())

    def with_cell(self, i: int, j: int, count: int) -> State:
        """The state with one cell changed, kept within bounds."""
        kept = min(max(count, 0), MAX_COUNT)
        row = tuple(kept if k == j else c for k, c in enumerate(self.rows[i]))
        return replace(self, rows=(*self.rows[:i], row, *self.rows[i + 1 :]))

    def with_item(self) -> State:
        """One item more, without a rating."""
        if len(self.rows) >= MAX_ITEMS:
            return self
        items = (*self.items, _free(self.items, len(self.items) + 1)) if self.items else ()
        return replace(self, rows=(*self.rows, (0,) * self.q), items=items)

    def without_item(self, i: int) -> State:
        """One item fewer."""
        if len(self.rows) <= MIN_ITEMS:
            return self
        return replace(self, rows=_cut(self.rows, i), items=_cut(self.items, i))

    def with_label(self) -> State:
        """One label more, that nobody used."""
        if self.q >= MAX_LABELS:
            return self
        labels = (*self.labels, _free(self.labels, self.q + 1)) if self.labels else ()
        return replace(self, rows=tuple((*row, 0) for row in self.rows), labels=labels)

    def without_label(self, j: int) -> State:
        """One label fewer, with its ratings."""
        if self.q <= MIN_LABELS:
            return self
        return replace(
            self, rows=tuple(_cut(row, j) for row in self.rows), labels=_cut(self.labels, j)
        )

    def swapped(self) -> State:
        """The first two labels exchanged everywhere."""
        names = self.label_names
        rows = tuple((row[1], row[0], *row[2:]) for row in self.rows)
        return replace(self, rows=rows, labels=_plain((names[1], names[0], *names[2:])))

    def repeated(self) -> State:
        """Every item twice, or the same state where that would be too many."""
        if 2 * len(self.rows) > MAX_ITEMS:
            return self
        return replace(self, rows=self.rows * 2, items=())

    def multiplied(self) -> State:
        """Every count twice: as many raters again, who said the same."""
        if not _doubles(self):
            return self
        return replace(self, rows=tuple(tuple(2 * c for c in row) for row in self.rows))

    def cleared(self) -> State:
        """The same size without a rating."""
        return replace(self, rows=tuple((0,) * self.q for _ in self.rows))


def _cut(parts: tuple[T, ...], k: int) -> tuple[T, ...]:
    return parts[:k] + parts[k + 1 :]


def _plain(names: tuple[str, ...]) -> tuple[str, ...]:
    """Nothing where the names are those that stand when none are given."""
    return () if names == plain_names(len(names)) else names


def _free(taken: Sequence[str], n: int) -> str:
    """The first number from n on that is no name yet."""
    while str(n) in taken:
        n += 1
    return str(n)


def named(given: Sequence[str], what: Message, n: int, *, distinct: bool) -> tuple[str, ...]:
    """Names read from an address or a form: trimmed, and a number where one is empty.

    Parameters
    ----------
    given
        The names, as many as there are things to name.
    what
        What they name, as a message says it.
    n
        How many are needed.
    distinct
        Whether no two may be the same.
    """
    if not given:
        return ()
    filled = [name.strip() or str(k + 1) for k, name in enumerate(given)]
    if distinct or len(filled) != n:
        return _plain(names_checked(filled, what, n))
    # Items of the same name do no harm, so each is checked alone.
    return _plain(tuple(names_checked([name], what, 1)[0] for name in filled))


def parse(query: Query) -> State:
    """The state of an address."""
    text = query.one("t")
    rows = _rows(text) if text else FIRST
    return _dressed(query, rows, query.names("labels") or [], query.names("items") or [])


def _rows(text: str) -> Rows:
    lines = [line.split(",") for line in text.split(";")]
    q = len(lines[0])
    _within(lazy("items"), len(lines), MIN_ITEMS, MAX_ITEMS)
    _within(lazy("labels"), q, MIN_LABELS, MAX_LABELS)
    for i, cells in enumerate(lines):
        if len(cells) != q:
            raise BadState(
                lazy(
                    "Counts of item {i}: {found}; of item 1: {first}. Every item needs one for "
                    "each label, as in t=3,0;1,2.",
                    i=i + 1,
                    found=len(cells),
                    first=q,
                )
            )
    return tuple(
        tuple(_count(cell, i, j) for j, cell in enumerate(cells)) for i, cells in enumerate(lines)
    )


def _count(text: str, i: int, j: int, field: str = "") -> int:
    """A cell; an empty one is 0."""
    if not text.strip():
        return 0
    try:
        return whole(text, "t", 0, MAX_COUNT)
    except BadState:
        raise BadState(
            lazy(
                "Item {i}, label {j}: a whole number from 0 to {most} is needed, not “{found}”.",
                i=i + 1, j=j + 1, most=MAX_COUNT, found=shortened(text),
            ),
            field=field,
        ) from None  # fmt: skip


def _dressed(query: Query, rows: Rows, labels: Sequence[str], items: Sequence[str]) -> State:
    from assay.web.labs.many.puzzles import PUZZLES

    answers = tuple(query.choice(name, ANSWERS, "") for name in QUESTIONS)
    return State(
        rows,
        named(labels, lazy("Labels"), len(rows[0]), distinct=True),
        named(items, lazy("Items"), len(rows), distinct=False),
        (answers[0], answers[1], answers[2]),
        query.choice("puzzle", ("", *PUZZLES), ""),
    )


def edit(query: Query) -> State:
    """The state after the form was sent: its fields, then the button."""
    labels, items, cells = query.all("l"), query.all("i"), query.all("c")
    n, q = len(items), len(labels)
    _within(lazy("items"), n, MIN_ITEMS, MAX_ITEMS)
    _within(lazy("labels"), q, MIN_LABELS, MAX_LABELS)
    if len(cells) != n * q:
        raise BadState(
            lazy("The form holds {found} counts for {n} items and {q} labels.",
                 found=len(cells), n=n, q=q)
        )  # fmt: skip
    rows = tuple(
        tuple(_count(cells[i * q + j], i, j, f"c-{i}-{j}") for j in range(q)) for i in range(n)
    )
    return pressed(_dressed(query, rows, labels, items), query.one("do"))


def _within(what: Message, found: int, low: int, high: int) -> None:
    if not low <= found <= high:
        raise BadState(
            lazy(
                "Number of {what}: {found}; {low} to {high} fit on this page. For more, use a "
                "file and assay agree, on the command line.",
                found=found,
                what=what,
                low=low,
                high=high,
            )
        )


LIMITS: dict[str, Message] = {
    "add": lazy("A cell holds up to {most}, and this one is full.", most=MAX_COUNT),
    "item": lazy("The table has {most} items already, the most that fit here.", most=MAX_ITEMS),
    "noitem": lazy("This is the last item: a table needs one at least."),
    "label": lazy("The table has {most} labels already, the most that fit here.", most=MAX_LABELS),
    "nolabel": lazy("Only {least} labels are left, the fewest a table can have.", least=MIN_LABELS),
    "items2": lazy("Every item twice would be more than {most} items.", most=MAX_ITEMS),
    "raters2": lazy("Every rater twice would put more than {most} into a cell.", most=MAX_COUNT),
}
"""Why a button can do no more."""


def _moved(state: State, after: State, button: str) -> State:
    """The state after a button, which says why where it is at its limit."""
    if after == state:
        raise BadState(LIMITS[button])
    return after


def _doubles(state: State) -> bool:
    return 2 * max(map(max, state.rows)) <= MAX_COUNT


def pressed(state: State, button: str) -> State:
    """The state after a button; none is none, and an unknown one is refused."""
    what, *where = button.split(".")
    at = [int(part) for part in where if part.isascii() and part.isdigit() and len(part) < 4]
    n, q = len(state.rows), state.q
    match what, at:
        case "", []:
            return state
        case "add", [i, j] if i < n and j < q:
            return _moved(state, state.with_cell(i, j, state.rows[i][j] + 1), "add")
        case "take", [i, j] if i < n and j < q:
            return state.with_cell(i, j, state.rows[i][j] - 1)
        case "item", []:
            return _moved(state, state.with_item(), what)
        case "noitem", [i] if i < n:
            return _moved(state, state.without_item(i), what)
        case "label", []:
            return _moved(state, state.with_label(), what)
        case "nolabel", [j] if j < q:
            return _moved(state, state.without_label(j), what)
        case "swap", []:
            return state.swapped()
        case "items2", []:
            return _moved(state, state.repeated(), what)
        case "raters2", []:
            return state.multiplied() if _doubles(state) else _moved(state, state, what)
        case "clear", []:
            return state.cleared()
    raise BadState(lazy("do={found} is no button of this page.", found=shortened(button)))
