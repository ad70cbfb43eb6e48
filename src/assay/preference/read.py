"""From whatever holds comparisons to :class:`~assay.preference.model.Comparisons`.

Files, frames and objects are opened by the readers of ratings; here columns get their parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import ReadingError, UsageError, one_of
from assay.preference.again import marked, repeated
from assay.preference.model import Comparisons, Ints, Named
from assay.preference.notes import repeats_note
from assay.preference.winner import meanings_of, read_winners
from assay.ratings.ids import Ids, combine, joined_names, tidy
from assay.ratings.model import Note
from assay.ratings.sources.grid import Grid
from assay.ratings.words import ITEM_NAMES, RATER_NAMES, squash

SIDE_NAMES: tuple[tuple[str, str], ...] = (
    ("left", "right"),
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
    ("system1", "system2"),
    ("model1", "model2"),
    ("first", "second"),
    ("a", "b"),
)
"""Usual names of the two columns of systems."""

REPEAT_NAMES = frozenset({"repeat", "is_repeat", "repeated"})
QUESTION_NAMES = frozenset({"dimension", "criterion", "criteria", "aspect", "question"})
"""Columns that tell questions apart which are about the same two outputs."""
MANY = 0.1
"""With a larger share of repeats that no column marks, they may be something else."""

WINNER_NAMES = ("winner", "preference", "preferred", "verdict", "outcome", "choice", "label")


@dataclass(frozen=True, slots=True)
class Parts:
    """Which column plays which part."""

    left: str
    right: str
    winner: str
    rater: str | None
    item: tuple[str, ...]
    by: tuple[str, ...]
    repeat: str | None
    question: tuple[str, ...]
    notes: tuple[Note, ...]


def read_comparisons(
    source: Any,
    *,
    left: str | None = None,
    right: str | None = None,
    winner: str | None = None,
    rater: str | None = None,
    item: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    repeat: str | None = None,
    values: Mapping[str, str] | None = None,
    winner_as: str | None = None,
    **reading: Any,
) -> Comparisons:
    """Read comparisons from a file or from memory.

    Parameters
    ----------
    source
        A path, a data frame, records, a dict of columns, or a list of (left, right, winner) or
        (left, right, winner, rater); or comparisons that were read before.
    left, right, winner, rater, item, by
        Names of columns. Several item columns make one composite item; ``by`` splits into
        groups. Usual names are found, and said.
    repeat
        The column that says which rows repeat an earlier question to the same rater.
    values
        What values of the winner column mean: "left", "right", "tie" or "missing".
    winner_as
        "sides" or "names", where the winners could be read as both.
    **reading
        ``format``, ``encoding``, ``delimiter``, ``decimal``, ``sheet``, ``header``: as in
        :func:`assay.read`.

    Raises
    ------
    ReadingError
        If the source cannot be read, or a row's winner or systems make no sense.
    InputError
        If the winner column can be read in two ways.
    """
    if isinstance(source, Comparisons):
        return source
    grid = open_grid(source, reading)
    if not grid.n_rows:
        raise ReadingError(f"{grid.about.source}: no rows; at least one comparison is needed.")
    parts = find_parts(grid, left, right, winner, rater, item, by, repeat)
    made = _assembled(grid, parts, meanings_of(values), winner_as)
    grid.release()
    return made


def open_grid(source: Any, reading: Mapping[str, Any]) -> Grid:
    """Open a source as a grid of columns, with the readers of ratings."""
    known = ("format", "encoding", "delimiter", "decimal", "sheet", "header")
    for name in reading:
        one_of(name, known, "option")
    if isinstance(source, (str, Path)):
        from assay.ratings.headless import check_header
        from assay.ratings.sources.detect import open_file

        grid = open_file(Path(source), **reading)
        return check_header(grid) if reading.get("header") is None else grid
    if reading:
        raise UsageError(f"{', '.join(reading)}: only a file has these; the source is in memory.")
    from assay.ratings.sources.anything import grid_of
    from assay.ratings.sources.grid import About
    from assay.ratings.sources.memory import record_grid

    tuples = isinstance(source, list) and bool(source) and isinstance(source[0], tuple)
    if tuples:
        names = ("left", "right", "winner", "rater")
        odd = next((k for k, row in enumerate(source) if len(row) != len(source[0])), None)
        if odd is not None or len(source[0]) not in (3, 4):
            raise ReadingError(
                f"entry {odd or 0} is {source[odd or 0]!r}; tuples of (left, right, winner), or "
                "all of (left, right, winner, rater), are needed."
            )
        records = [dict(zip(names, row, strict=False)) for row in source]
        return record_grid(records, About(source="tuples", row_word="entry", row_offset=0))
    return grid_of(source, "wide")


def find_parts(
    grid: Grid,
    left: str | None,
    right: str | None,
    winner: str | None,
    rater: str | None,
    item: str | Sequence[str] | None,
    by: str | Sequence[str] | None,
    repeat: str | None,
) -> Parts:
    """Decide which column is what; only names are looked at."""
    known = {squash(name): name for name in reversed(grid.names)}
    notes: list[Note] = []

    def told(part: str, name: str) -> str:
        notes.append(Note("column_found", f"{part}: column {name}"))
        return name

    if left is None and right is None:
        pair = next((p for p in SIDE_NAMES if set(p) <= set(known)), None)
        if pair is not None:
            left, right = (told(w, known[p]) for w, p in zip(("left", "right"), pair, strict=True))
    if winner is None:
        name = next((w for w in WINNER_NAMES if w in known), None)
        winner = None if name is None else told("winner", known[name])
    lacking = [n for n, v in (("left", left), ("right", right), ("winner", winner)) if v is None]
    if left is None or right is None or winner is None:
        raise ReadingError(
            f"{grid.about.source}: which column is {' and which '.join(lacking)}? The columns are "
            f"{', '.join(grid.names[:12])}. Name them with --left, --right and --winner.",
            code="no_layout",
        )
    left, right, winner = (
        _column(grid, name, part)
        for name, part in ((left, "left"), (right, "right"), (winner, "winner"))
    )
    split = _columns(grid, by, "by")
    items = _columns(grid, item, "item")
    who = None if rater is None else _column(grid, rater, "rater")
    free = [n for n in grid.names if n not in (left, right, winner, who, *split, *items)]
    if who is None:
        found = [n for n in free if squash(n) in RATER_NAMES]
        who = told("rater", found[0]) if len(found) == 1 else None
    if not items:
        found = [n for n in free if squash(n) in ITEM_NAMES and n != who]
        items = (told("item", found[0]),) if len(found) == 1 else ()
    if repeat is not None:
        repeat = _column(grid, repeat, "repeat")
    else:
        found = [n for n in free if squash(n) in REPEAT_NAMES and n not in (who, *items)]
        repeat = told("repeat", found[0]) if len(found) == 1 else None
    used = [who, repeat]
    taken = [left, right, winner, *items, *split, *(name for name in used if name is not None)]
    twice = [name for name in taken if taken.count(name) > 1]
    if twice:
        raise UsageError(f"column {twice[0]!r} is named for two parts; a column plays one.")
    others = tuple(n for n in free if squash(n) in QUESTION_NAMES and n not in taken)
    return Parts(left, right, winner, who, items, split, repeat, others, tuple(notes))


def _column(grid: Grid, name: str, part: str) -> str:
    if name not in grid.names:
        alike = [n for n in grid.names if squash(n) == squash(name)]
        if len(alike) == 1:
            return alike[0]
    return one_of(name, grid.names, part)


def _columns(grid: Grid, given: str | Sequence[str] | None, part: str) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        given = [given] if given in grid.names else given.split(",")
    return tuple(_column(grid, name.strip(), part) for name in given)


def _assembled(
    grid: Grid, parts: Parts, meanings: dict[str, int | None], reading: str | None
) -> Comparisons:
    """Encode the columns and put them together."""
    names = [parts.left, parts.right, parts.winner, *parts.item, *parts.by]
    names += [parts.rater] if parts.rater else []
    whats = {**dict.fromkeys(parts.item, "items"), **dict.fromkeys(parts.by, "groups")}
    whats[parts.rater or ""] = "raters"
    encoded = grid.encode(names, (), in_order=True)
    columns = [tidy(c, whats.get(n, "systems")) for c, n in zip(encoded.ids, names, strict=True)]
    empty = [(c.codes < 0) for c in columns]
    blank = np.logical_and.reduce(empty)
    rows = np.flatnonzero(~blank)
    for name, gone in zip(names, empty, strict=True):
        part = "winner" if name == parts.winner else ""
        bad = np.flatnonzero(gone & ~blank)
        if bad.size and part != "winner" and name not in parts.by:
            shown = ", ".join(grid.about.place(int(r)) for r in bad[:5])
            raise ReadingError(
                f"{grid.about.source}, column {name}: empty in {shown}"
                f"{', …' if bad.size > 5 else ''}; each comparison needs it.",
                code="empty_cell",
            )
    notes = [*grid.about.notes, *parts.notes, *(n for c in columns for n in c.notes)]
    if blank.any():
        gone_rows = int(np.count_nonzero(blank))
        notes.append(Note("empty_rows", f"rows left out because they are empty: {gone_rows:,}"))
    systems, left, right = _systems(columns[0], columns[1])
    # Rows that are empty throughout have a system of code −1; they go before winners are read.
    won = read_winners(
        columns[2].codes[rows].astype(np.int64),
        list(columns[2].names()),
        left[rows],
        right[rows],
        systems,
        columns=(parts.left, parts.right),
        meanings=meanings,
        reading=reading,
        where=f"{grid.about.source}, column {parts.winner}",
        row=lambda r: grid.about.place(int(rows[r])),
    )
    notes += won.notes
    selves = (left[rows] == right[rows]) & won.known
    if selves.any():
        many = int(np.count_nonzero(selves))
        message = f"left out, a system compared with itself: {many:,}"
        notes.append(Note("system_with_itself", message, "warning"))
    k = len(parts.item)
    place = 3 + k
    groups = columns[place : place + len(parts.by)]
    group_names, group_codes = _groups(groups)
    whole = Comparisons(
        systems,
        left[rows],
        right[rows],
        won.outcome,
        _named([columns[-1]], rows) if parts.rater else None,
        _named(columns[3:place], rows) if k else None,
        grid.about.source,
        tuple(notes),
    )
    kept = won.known & ~selves
    if not kept.any():
        raise ReadingError(
            f"{grid.about.source}: no comparison is left that has a winner or a tie."
        )
    made = whole if kept.all() else whole.take(kept)
    if groups:
        made = replace(made, group_names=group_names, groups=group_codes[rows][kept])
    return _with_repeats(made, grid, parts, rows[kept])


def _with_repeats(made: Comparisons, grid: Grid, parts: Parts, rows: Ints) -> Comparisons:
    """The comparisons with those marked that repeat an earlier one, and a note of them."""
    names = [*parts.question, *([parts.repeat] if parts.repeat else [])]
    columns = list(grid.encode(names, (), in_order=True).ids)
    marks = None
    if parts.repeat:
        said = columns.pop()
        where = f"{grid.about.source}, column {parts.repeat}"
        marks = marked(list(said.names()), said.codes, where)[rows]
    other = np.zeros(made.n, dtype=np.int64)
    for codes in (*(c.codes[rows] + 1 for c in columns), made.groups):
        if codes is not None:
            other = other * (int(codes.max(initial=0)) + 1) + codes
    again = repeated(made, other, marks)
    if again is None or not again.any():
        return replace(made, repeats=again)
    many = int(np.count_nonzero(again))
    level = "warning" if marks is None and many > MANY * made.n else "info"
    return replace(made, repeats=again, notes=(*made.notes, repeats_note(many, level)))


def _systems(left: Ids, right: Ids) -> tuple[tuple[str, ...], Ints, Ints]:
    """One sorted list of systems for both columns."""
    names = sorted({*left.names(), *right.names()})
    number = {name: k for k, name in enumerate(names)}
    tables = [
        np.array([*(number[n] for n in side.names()), -1], dtype=np.int64) for side in (left, right)
    ]
    return tuple(names), tables[0][left.codes], tables[1][right.codes]


def _named(columns: list[Ids], rows: Ints) -> Named:
    """One column of items or raters at some rows."""
    joined = combine(columns)
    names = joined_names(columns, joined.parts)
    whole = len(rows) == len(joined.codes)
    made = Named(joined.codes.astype(np.int64), joined.size, names)
    return made if whole else made.take(np.isin(np.arange(len(joined.codes)), rows))


def _groups(columns: list[Ids]) -> tuple[tuple[str, ...], Ints]:
    """The groups' names, and each row's; an empty cell is a group of its own."""
    if not columns:
        return (), np.zeros(0, dtype=np.int64)
    from assay.ratings.common import named_groups

    full = named_groups(columns)
    joined = combine(full)
    return tuple(joined_names(full, joined.parts)()), joined.codes.astype(np.int64)
