"""Which column plays which part, once the layout is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.errors import ReadingError, UsageError
from assay.ratings.columns import Column
from assay.ratings.model import Note
from assay.ratings.sources.grid import Grid, Plan
from assay.ratings.words import (
    ASIDE_NAMES,
    ITEM_NAMES,
    LABEL_NAMES,
    RATER_COLUMN,
    RATER_NAMES,
    squash,
)


def few(names: Any, limit: int = 8) -> str:
    """The first names of a list, for a message."""
    shown = [n or "(no name)" for n in names]
    return ", ".join(shown[:limit]) + (", …" if len(shown) > limit else "")


def item_name(name: str, columns: Sequence[Column]) -> bool:
    """Whether a column is called as items usually are; "no" beside "yes" is a label."""
    word = squash(name)
    if word == "no" and any(squash(c.name) in ("yes", "y", "ja", "oui", "maybe") for c in columns):
        return False
    return word in ITEM_NAMES


def item_column(start: Plan, columns: list[Column], free: list[Column]) -> Column | None:
    """The item column of a wide or counts table."""
    if start.item:
        return next(c for c in columns if c.name == start.item[0])
    if not free:
        return None
    first = free[0]
    if first.name == "" or item_name(first.name, columns):
        return first
    own = {str(v) for v in first.filled}
    others = {str(v) for c in free[1:] for v in c.filled}
    # A first column that repeats the others' labels, or holds little else, is a rater.
    shared = own & others
    labels = (first.repeats and shared) or 2 * len(shared) >= len(own)
    by_name = RATER_COLUMN.fullmatch(first.name) and squash(first.name) not in RATER_NAMES
    if not first.numeric and len(free) > 1 and not labels and not by_name:
        return first
    named = [c for c in free[1:] if item_name(c.name, columns) and not c.repeats]
    return named[0] if len(named) == 1 else None


def is_aside(column: Column) -> bool:
    """Whether a column is neither a rater's nor a label's, by its name or its texts."""
    return squash(column.name) in ASIDE_NAMES or column.free_text or not column.filled


def long_plan(grid: Grid, plan: Plan, free: list[Column]) -> Plan:
    """The parts of a long table."""
    if plan.frequency:
        raise UsageError(
            "frequency: a long table has one rating a row, which stands for itself; only a wide "
            "table or one of counts has a frequency column (a row standing for many items)."
        )
    names = [c.name for c in free]
    item, rater, label = plan.item, plan.rater, plan.label
    if not item:
        item = (_by_name(grid, names, ITEM_NAMES, "item"),)
        names.remove(item[0])
    if rater is None:
        rater = _by_name(grid, names, RATER_NAMES, "rater")
        names.remove(rater)
    if label is None:
        known = [n for n in names if squash(n) in LABEL_NAMES]
        left = [c.name for c in free if c.name in names and not is_aside(c)]
        if len(known) == 1:
            label = known[0]
        elif len(left) == 1:
            label = left[0]
        else:
            raise ReadingError(
                f"{grid.about.source}: a long table (item: {', '.join(item)}; rater: {rater}), but "
                f"which column holds the label? Candidates: {few(known or left or names)}. "
                "Name it with --label.",
                code="no_label_column",
            )
        names.remove(label)
    parts = f"item: {', '.join(item)}; rater: {rater}; label: {label}"
    notes = [*plan.notes, Note("columns", f"columns: {parts}{_by(plan)}"), *_unused(names)]
    return replace(plan, item=item, rater=rater, label=label, notes=tuple(notes))


def _by(plan: Plan) -> str:
    groups = f"; groups by: {', '.join(plan.by)}" if plan.by else ""
    return groups + (f"; clusters: {plan.cluster}" if plan.cluster else "")


def _by_name(grid: Grid, names: list[str], usual: frozenset[str], what: str) -> str:
    found = [n for n in names if squash(n) in usual]
    exact = [n for n in found if squash(n) == what]
    if len(found) == 1 or exact or (found and what == "item"):
        return (exact or found)[0]
    if found:
        raise ReadingError(
            f"{grid.about.source}: which column is the {what}? Candidates: {few(found)}. Name "
            f"it with --{what}."
        )
    if len(names) == 1 or (what == "item" and names):
        return names[0]
    raise ReadingError(
        f"{grid.about.source}: no column is named as the {what}; there are {few(names)}. Name "
        f"it with --{what}.",
        code=f"no_{what}_column",
    )


def _unused(names: Sequence[str]) -> list[Note]:
    if not names:
        return []
    return [Note("columns_not_used", f"columns not used: {few(names, 20)}")]


def odd_numbers(columns: Sequence[Column]) -> list[Column]:
    """Columns of numbers beside raters who write words and share them with each other."""
    filled = [c for c in columns if c.filled]
    words = [c for c in filled if not c.numeric]
    numbers = [c for c in filled if c.numeric]
    if len(words) < 2 or not numbers:
        return []
    own = {c.name: {str(v) for v in c.filled} for c in filled}
    shared = [c for c in words if any(own[c.name] & own[d.name] for d in words if d.name != c.name)]
    if len(shared) < len(words):
        return []
    return [
        c
        for c in numbers
        if not any(own[c.name] & own[d.name] for d in words) and not RATER_COLUMN.fullmatch(c.name)
    ]


def _left_out(plan: Plan, aside: Sequence[Column], odd: Sequence[Column]) -> list[Note]:
    """Which columns are no raters (or labels), and why where the name does not say it."""
    long = [c.name for c in aside if c.free_text and squash(c.name) not in ASIDE_NAMES]
    notes = _unused([c.name for c in aside if c.name not in long])
    way = "; if one is a rater, name all raters with --raters" if plan.layout == "wide" else ""
    if long:
        message = (
            f"columns not used, because their texts are long and hardly repeat: {few(long, 20)}"
        )
        notes.append(Note("columns_not_used", message + way, "warning" if way else "info"))
    if odd:
        message = (
            "columns not used, because they hold numbers that no rater uses, beside raters who "
            f"use words: {few((c.name for c in odd), 20)}"
        )
        notes.append(Note("columns_not_used", message + way, "warning"))
    return notes


def wide_plan(
    grid: Grid,
    plan: Plan,
    columns: list[Column],
    free: list[Column],
    chosen: Sequence[str] | None = None,
) -> Plan:
    """The parts of a wide table or a table of counts; ``chosen`` names the raters' columns."""
    if plan.label:
        raise UsageError(f"label: a {plan.layout} table has no label column; its cells count.")
    if plan.rater:
        if plan.layout == "counts":
            raise UsageError("rater: a table of counts has no raters.")
        if plan.cluster:
            raise UsageError("cluster: where rows are raters, no column can name items' clusters.")
        used = [c.name for c in free if not (c.free_text or squash(c.name) in ASIDE_NAMES)]
        note = Note("transposed", f"rows are raters (column {plan.rater}), columns are items")
        return replace(plan, columns=tuple(used), transposed=True, notes=(*plan.notes, note))
    item = item_column(plan, columns, [c for c in free if c.name not in (chosen or ())])
    rest = [c for c in free if c is not item]
    notes: list[Note] = []
    if chosen is not None:
        used = [c.name for c in rest if c.name in chosen]
        notes += _unused([c.name for c in rest if c.name not in used])
    else:
        # A rater who rated nothing is still a column, unless it has no name either.
        kept = [
            c
            for c in rest
            if not is_aside(c) or (not c.filled and not c.name.startswith("column "))
        ]
        odd = odd_numbers(kept) if plan.layout == "wide" else []
        used = [c.name for c in kept if c not in odd]
        notes += _left_out(plan, [c for c in rest if c not in kept and c.filled], odd)
    if not used:
        raise ReadingError(
            f"{grid.about.source}: no column of ratings beside {few(c.name for c in columns)}."
        )
    names = plan.item or ((item.name,) if item else ())
    part = "raters" if plan.layout == "wide" else "labels"
    shown = f"items: {', '.join(n or '(first column)' for n in names) or 'rows'}"
    if plan.frequency:
        shown += f"; frequency: {plan.frequency}"
    found = Note("columns", f"columns: {shown}; {part}: {few(used)}{_by(plan)}")
    notes = [*plan.notes, found, *notes]
    if plan.layout == "wide" and len(used) > 10 and len(columns[0].cells) * 3 < len(used):
        notes.append(
            Note(
                "looks_transposed",
                f"{len(columns[0].cells)} rows and {len(used)} columns: rows are taken as items "
                "and columns as raters; if it is the other way round: --layout wide --rater COLUMN",
                "warning",
            )
        )
    return replace(plan, item=names, columns=tuple(used), notes=tuple(notes))
