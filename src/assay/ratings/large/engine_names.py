"""The first question to an engine: which rater gave which label how often.

The answer has a row a rater and label (and group). From then on labels are numbers, and what
differs in spelling only is one rater.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ReadingError, one_of
from assay.ratings.categories import Ints
from assay.ratings.common import EMPTY_GROUP, raters_left_out, rows_of, without_cluster
from assay.ratings.labels import key_of
from assay.ratings.large.engine_terms import (
    BLANK,
    ODD,
    Part,
    added,
    both,
    collected,
    either,
    in_order,
    one,
    part_of,
    values,
    whole,
)
from assay.ratings.large.rows import label_value, name_of
from assay.ratings.model import Note
from assay.ratings.sources.grid import Plan

if TYPE_CHECKING:
    import narwhals as nw

MOST_LABELS = 1000
"""The most distinct labels that an engine is asked to tell apart."""
MOST_CELLS = 4_000_000
"""The most rows that a question may bring back."""
DOUBTS = ["void", "nameless", "odd", "blank"]
"""What is asked of items' names only where some are anything but plain."""


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What one group of ratings came to; all of them where there are no groups.

    Attributes
    ----------
    raters
        Codes of those who have rows in it.
    table
        Shape (all raters, labels): how often each gave each.
    empty
        Rows without a label.
    """

    raters: list[int]
    table: Ints
    empty: int


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Ratings in an engine, with numbers for labels.

    Attributes
    ----------
    frame
        Columns :attr:`item`, ``rater`` (as in ``spelled``) and ``label``: 1, 2, …, or 0 where
        there is none.
    keys
        The columns of an item's name.
    by
        The column of its group, ``["group"]``, or none: an item in two groups is two items.
    labels, raters
        The raw labels, and the raters' names; their places are their codes.
    spelled
        The raters as the engine has them.
    groups
        What each group came to, by its name, in the order of the groups' numbers; one without a
        name where there are none.
    ordered
        Whether the column of labels says what order they have.
    clustered
        The name of the column of clusters, which is ``cluster`` in the frame; or nothing.
    """

    source: str
    frame: nw.LazyFrame[Any]
    keys: list[str]
    by: list[str]
    labels: list[Any]
    raters: list[str]
    spelled: list[Any]
    groups: dict[str, Tally]
    notes: tuple[Note, ...]
    ordered: bool = False
    clustered: str = ""

    @property
    def cluster(self) -> list[str]:
        """The column of clusters, or none."""
        return ["cluster"] if self.clustered else []

    @property
    def item(self) -> list[str]:
        """The columns that tell items apart."""
        return [*self.keys, *self.by]

    @property
    def ratings(self) -> int:
        """How many there are."""
        return sum(int(tally.table.sum()) for tally in self.groups.values())


def group_name(parts: Sequence[Any]) -> str:
    """What a group is called.

    >>> group_name(["fluency", None])
    'fluency / (empty)'
    """
    return " / ".join(name_of(part) or EMPTY_GROUP for part in parts)


def check_filled(lacking: Ints, rows: Ints, source: str, column: str) -> None:
    """Raise if some of these rows name no cluster."""
    if lacking.any():
        found = f"{int(lacking.sum()):,} of {rows_of(int(rows.sum()))}"
        raise without_cluster(source, column, found)


def too_many(source: str, what: str, most: int) -> ReadingError:
    """An answer would be larger than a reduction is."""
    return ReadingError(
        f"{source}: more than {most:,} different {what}, too many to ask an engine for. If that is "
        "because of a wrong column, name the right ones with item=, rater= and label=; else write "
        "the ratings to Parquet and read the file.",
        code="too_many_labels",
    )


def coded(frame: nw.LazyFrame[Any], plan: Plan, wanted: Sequence[str] | None, source: str) -> Coded:
    """Ask who used which label, and number the labels.

    Raises
    ------
    ReadingError
        If a row names no item or no rater, or labels are too many to tell apart.
    """
    items = [part_of(frame, name, source) for name in plan.item]
    by = [part_of(frame, name, source) for name in plan.by]
    rater, label = (part_of(frame, name or "", source) for name in (plan.rater, plan.label))
    keys, groups = [f"item{k}" for k in range(len(items))], [f"by{k}" for k in range(len(by))]
    in_cluster = [part_of(frame, name, source) for name in [plan.cluster] if name]
    answer = frame.select(
        rater.value.alias("rater"),
        label.value.alias("label"),
        *(part.value.alias(name) for part, name in zip(by, groups, strict=True)),
        *_doubts(items).values(),
        *(one(part.nameless).alias("apart") for part in in_cluster),
    )
    apart = ["apart"] if in_cluster else []
    found = _asked(answer, groups, ["suspect", *apart], source)
    (suspect,) = whole(found, "suspect")
    void = no_item = odd = blank = np.zeros(len(found), dtype=np.int64)
    if suspect.any():
        found = _asked(answer, groups, [*DOUBTS, *apart], source)
        void, no_item, odd, blank = whole(found, *DOUBTS)
    (n,) = whole(found, "rows")
    whos, whats = values(found, "rater"), values(found, "label")
    of_group: list[tuple[Any, ...]] = [()] * len(n)
    if groups:
        of_group = list(zip(*(values(found, name) for name in groups), strict=True))
    no_rater = np.array([name_of(who) is None for who in whos], dtype=bool)
    no_label = np.array([label_value(what) is None for what in whats], dtype=bool)
    gone = int(void[no_rater & no_label].sum())  # rows that are empty throughout
    for part, column, rows in (
        ("item", ", ".join(plan.item), int(no_item.sum()) - gone),
        ("rater", plan.rater, int(n[no_rater].sum()) - gone),
    ):
        if rows:
            raise ReadingError(
                f"{source}: no {part} in {rows:,} of {rows_of(int(n.sum()))}; column {column} "
                f"is empty there. Each row needs its {part}.",
                code=f"empty_{part}",
            )
    notes = []
    if gone:
        notes.append(Note("empty_rows", f"rows left out because they are empty: {gone:,}"))
        frame = frame.filter(~either(part.nameless for part in items))
    if odd.any():
        message = (
            "some items have names with characters beyond ASCII, which the engine compares as they "
            "stand: one name in two Unicode forms would be two items"
        )
        notes.append(Note("names_as_they_stand", message))
    spelled = _spellings(whos)
    notes += _merged_raters(spelled)
    chosen, more = _chosen(sorted(spelled), wanted)
    notes += more
    raw: dict[Hashable, Any] = {key_of(v): v for v in label.declared} or _labels(whats)
    if len(raw) > MOST_LABELS:
        raise too_many(source, "labels", MOST_LABELS)
    if plan.cluster:
        read = set(chosen)
        mine = np.array([name_of(who) in read for who in whos], dtype=bool)
        check_filled(whole(found, "apart")[0][mine], n[mine], source, plan.cluster)
    if wanted is not None:
        frame = frame.filter(rater.value.is_in([who for name in chosen for who in spelled[name]]))
    names = [part.trimmed if blank.any() else part.value for part in items]
    numbers = [one(label.value == what, k + 1) for k, what in enumerate(raw.values())]
    tallies = _tallies(whos, whats, of_group, n, chosen, raw)
    frame = frame.select(
        *(name.alias(key) for name, key in zip(names, keys, strict=True)),
        _as_first(rater, spelled).alias("rater"),
        added(numbers).alias("label"),
        *([_group(by, of_group, list(tallies), source).alias("group")] if by else []),
        *(part.trimmed.alias("cluster") for part in in_cluster),
    )
    return Coded(
        source,
        frame,
        keys,
        ["group"] if by else [],
        [label_value(what) for what in raw.values()],
        chosen,
        [spelled[name][0] for name in chosen],
        tallies,
        tuple(notes),
        bool(label.declared),
        plan.cluster or "",
    )


def _doubts(items: Sequence[Part]) -> dict[str, nw.Expr]:
    """1 where an item's name asks for care, for each reason; and for any at all."""
    return {
        "suspect": one(either(part.suspect for part in items)).alias("suspect"),
        "void": one(both(part.nameless for part in items)).alias("void"),
        "nameless": one(either(part.nameless for part in items)).alias("nameless"),
        "odd": added([part.has(ODD) for part in items]).alias("odd"),
        "blank": added([part.has(BLANK) for part in items]).alias("blank"),
    }


def _asked(
    answer: nw.LazyFrame[Any], groups: Sequence[str], told: Sequence[str], source: str
) -> nw.DataFrame[Any]:
    """How often each rater gave each label, with some doubts about the items' names."""
    import narwhals as nw

    sums = answer.group_by("rater", "label", *groups).agg(
        nw.len().alias("rows"), nw.col(*told).sum()
    )
    found = collected(sums, MOST_CELLS)
    if found is None:
        raise too_many(source, "labels of raters", MOST_CELLS)
    return found


def _group(
    by: Sequence[Part], raw: Sequence[tuple[Any, ...]], names: Sequence[str], source: str
) -> nw.Expr:
    """A group's number."""
    distinct = set(raw)
    if len(distinct) > MOST_LABELS:
        raise too_many(source, "groups", MOST_LABELS)
    code = {name: k for k, name in enumerate(names)}
    return added(
        [
            one(
                both(
                    part.nameless if name_of(value) is None else part.value == value
                    for part, value in zip(by, row, strict=True)
                ),
                code[group_name(row)],
            )
            for row in sorted(distinct, key=in_order)
            if code.get(group_name(row))
        ]
    )


def _spellings(raw: Sequence[Any]) -> dict[str, list[Any]]:
    """Each name with all that stands for it."""
    out: dict[str, list[Any]] = {}
    for value in sorted({v for v in raw if name_of(v) is not None}, key=str):
        out.setdefault(name_of(value) or "", []).append(value)
    return out


def _merged_raters(spelled: dict[str, list[Any]]) -> list[Note]:
    merged = [" = ".join(map(ascii, same)) for same in spelled.values() if len(same) > 1]
    if not merged:
        return []
    message = (
        "raters that differ only in outer white space, Unicode form or type were merged: "
        + "; ".join(merged[:8])
        + (f"; and {len(merged) - 8} more" if len(merged) > 8 else "")
    )
    return [Note("raters_merged", message)]


def _as_first(part: Part, spelled: dict[str, list[Any]]) -> nw.Expr:
    """A name in its first spelling."""
    import narwhals as nw

    found = part.value
    for same in spelled.values():
        if len(same) > 1:
            found = nw.when(part.value.is_in(same)).then(nw.lit(same[0])).otherwise(found)
    return found


def _chosen(names: list[str], wanted: Sequence[str] | None) -> tuple[list[str], list[Note]]:
    """The raters to read."""
    if wanted is None:
        return names, []
    kept = {one_of(name, names, "raters") for name in wanted}
    left = [name for name in names if name not in kept]
    notes = [raters_left_out(left)] if left else []
    return [name for name in names if name in kept], notes


def _labels(raw: Sequence[Any]) -> dict[Hashable, Any]:
    """The distinct labels as the engine has them, in order."""
    first: dict[Hashable, Any] = {}
    for what in raw:
        value = label_value(what)
        if value is not None:
            first.setdefault(key_of(value), what)
    return dict(sorted(first.items(), key=lambda pair: in_order([pair[1]])))


def _tallies(
    whos: Sequence[Any],
    whats: Sequence[Any],
    groups: Sequence[tuple[Any, ...]],
    n: Ints,
    raters: Sequence[str],
    raw: dict[Hashable, Any],
) -> dict[str, Tally]:
    """What each group came to."""
    rater_code = {name: k for k, name in enumerate(raters)}
    label_code = {key: k for k, key in enumerate(raw)}
    tables: dict[str, Ints] = {}
    present: dict[str, set[int]] = {}
    missing: dict[str, int] = {}
    for who, what, group, rows in zip(whos, whats, groups, n.tolist(), strict=True):
        row, value = rater_code.get(name_of(who) or ""), label_value(what)
        if row is None:
            continue
        name = group_name(group)
        table = tables.get(name)
        if table is None:
            table = tables[name] = np.zeros((len(raters), len(raw)), dtype=np.int64)
        present.setdefault(name, set()).add(row)
        if value is None:
            missing[name] = missing.get(name, 0) + rows
        else:
            table[row, label_code[key_of(value)]] += rows
    return {
        name: Tally(sorted(present[name]), tables[name], missing.get(name, 0))
        for name in sorted(tables)
    }
