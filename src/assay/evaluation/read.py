"""From whatever holds ratings of systems to :class:`~assay.evaluation.table.SystemRatings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import ReadingError, UsageError, one_of
from assay.evaluation.columns import Columns, Names, find_columns
from assay.evaluation.labels import check_declared, check_range, declared, numbers_of, resolved
from assay.evaluation.table import Dimension, Remark, SystemRatings, occurrence
from assay.ratings.categories import Floats, Ints, Label
from assay.ratings.headless import check_header
from assay.ratings.ids import combine, joined_names, tidy
from assay.ratings.sources.grid import Cells, Grid

Scale = str | Mapping[str, str] | None
Labels = Sequence[Label] | str | Mapping[str, Sequence[Label] | str] | None

ALL = "all outputs"
"""The one system of a table that names none."""


@dataclass(frozen=True, slots=True, eq=False)
class Stacked:
    """All ratings of a table as columns of one length, in the order of the source."""

    items: Ints
    systems: Ints
    raters: Ints | None
    dimensions: Ints
    names: dict[str, tuple[str, ...]]
    cells: tuple[Cells, ...]
    """The values: one for all, or one a value column with codes of shape (1, ratings)."""
    metrics: dict[str, Floats]
    notes: tuple[Remark, ...]


def read_systems(
    source: Any,
    *,
    item: Names = None,
    system: str | None = None,
    dimension: str | None = None,
    rater: str | None = None,
    value: Names = None,
    metric: Names = None,
    scale: Scale = None,
    order: Labels = None,
    categories: Labels = None,
    missing: Sequence[Label] | str = (),
    repeats: str = "first",
    first: int | None = None,
    format: str | None = None,  # noqa: A002
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
    header: bool | None = None,
) -> SystemRatings:
    """Read ratings of systems from a file or from memory.

    Parameters
    ----------
    source
        A path, a data frame, a list of records, or a dict of columns.
    item, system, dimension, rater, value, metric
        Names of columns; found where a column has a usual name, but for ``metric``. Several
        value columns are one dimension each. ``{k}`` in a name stands for a number.
    scale
        "nominal", "ordinal", "interval" or "ratio", or a mapping of dimensions to these; chosen
        from the values where nothing is said.
    order
        The labels from low to high, or a mapping of dimensions to such lists.
    categories
        All labels, used or not, or a mapping of dimensions to such lists.
    missing
        As in :func:`assay.read`.
    repeats
        Which rating of the same rater, item, system and dimension counts: "first" or "last".
        The others are intra-rater data.
    first
        Take only the first so many ratings of each output.
    format, encoding, delimiter, decimal, sheet, header
        As in :func:`assay.read`.
    """
    one_of(repeats, ("first", "last"), "repeats")
    if first is not None and (type(first) is not int or first < 1):
        raise UsageError(f"first: a whole number of 1 or more is needed, not {first!r}.")
    check_declared(scale, order, categories, missing)
    grid = _grid(source, format, encoding, delimiter, decimal, sheet, header)
    grid, empty = grid.drop_empty_rows()
    if not grid.n_rows:
        raise ReadingError(f"{grid.about.source}: no rows; at least one rating is needed.")
    columns = find_columns(
        grid,
        item=item,
        system=system,
        dimension=dimension,
        rater=rater,
        value=value,
        metric=metric,
    )
    remarks = [Remark(n.code, n.message, n.level) for n in grid.about.notes]
    if empty:
        remarks.append(Remark("empty_rows", f"rows left out because they are empty: {empty:,}"))
    if columns.found:
        shown = ", ".join(f"{what} {name!r}" for what, name in columns.found)
        remarks.append(Remark("columns_found", f"columns found by their names: {shown}"))
    stacked = _stack(grid, columns, " (not counting rows that are empty)" if empty else "")
    remarks += stacked.notes
    dimensions = []
    said = declared(
        stacked.names["dimension"], scale=scale, order=order, categories=categories, missing=missing
    )
    for code, (name, options) in enumerate(said.items()):
        rows = np.flatnonzero(stacked.dimensions == code)
        cells = stacked.cells[min(code, len(stacked.cells) - 1)]
        # Several value columns stand below one another, each as long as its cells.
        own = rows % cells.codes.shape[1]
        got = resolved(Cells(cells.codes[:, own], cells.values, cells.ordered), options, grid.about)
        check_range(got, name, grid.about)
        remarks += [replace(r, dimension=name) for r in got.remarks]
        rated = got.labels >= 0
        kept = rows[rated]
        if not len(kept):
            text = "no ratings, so the dimension is left out"
            remarks.append(Remark("empty_dimension", text, "warning", name))
            continue
        made = Dimension(
            name,
            got.scale,
            options.scale is not None or options.order is not None,
            got.categories,
            stacked.items[kept],
            stacked.systems[kept],
            None if stacked.raters is None else stacked.raters[kept],
            got.labels[rated],
            stacked.names["item"],
            stacked.names["system"],
            stacked.names["rater"],
            {m: column[kept] for m, column in stacked.metrics.items()},
            missing=int(len(rows) - len(kept)),
            order=kept,
        )
        dimensions.append(_shortened(_settled(made, repeats), first))
    grid.release()
    if not dimensions:
        raise ReadingError(f"{grid.about.source}: no ratings: every value is missing.")
    return SystemRatings(
        tuple(dimensions),
        stacked.names["item"],
        stacked.names["system"],
        stacked.names["rater"],
        columns.parts[0].system is not None,
        columns.metrics,
        grid.about.source,
        tuple({(r.message, r.dimension): r for r in remarks}.values()),
        grid.n_rows,
    )


def _grid(
    source: Any,
    format: str | None,  # noqa: A002
    encoding: str | None,
    delimiter: str | None,
    decimal: str | None,
    sheet: str | int | None,
    header: bool | None,
) -> Grid:
    if isinstance(source, (str, Path)):
        from assay.ratings.sources.detect import open_file

        grid = open_file(
            Path(source),
            format=format,
            encoding=encoding,
            delimiter=delimiter,
            decimal=decimal,
            sheet=sheet,
            header=header,
        )
        return check_header(grid) if header is None else grid
    given = {
        "format": format, "encoding": encoding, "delimiter": delimiter, "sheet": sheet,
        "header": header,
    }  # fmt: skip
    for what, value in given.items():
        if value is not None:
            raise UsageError(f"{what}: only a file has one; the source is in memory.")
    from assay.ratings.sources.anything import grid_of

    return grid_of(source, None)


def _stack(grid: Grid, columns: Columns, aside: str) -> Stacked:
    """Encode all parts, and put them below one another, row by row of the source."""
    parts, rows = columns.parts, grid.n_rows
    notes: list[Remark] = []
    k, d = len(parts), len(columns.dimensions)
    values = [grid.encode((), [p.values[j] for p in parts], in_order=True).cells for j in range(d)]
    # Shape (parts, rows): whether a place has a value in some dimension.
    filled = np.any([cells.codes >= 0 for cells in values], axis=0)
    out: dict[str, list[Ints]] = {"item": [], "system": [], "rater": [], "dimension": []}
    known: dict[str, dict[str, int]] = {name: {} for name in out}
    absent = np.zeros((k, rows), dtype=bool)
    for place, part in enumerate(parts):
        for what, named in (
            ("item", part.item),
            ("system", (part.system,)),
            ("rater", (part.rater,)),
            ("dimension", (part.dimension,)),
        ):
            present = tuple(n for n in named if n is not None)
            if not present:
                continue
            codes, names, more = _ids(grid, present, what)
            notes += more
            lacking = (codes < 0) & (filled[place] | (k == 1))
            _refuse_empty(grid, present[0], what, lacking, aside)
            absent[place] |= codes < 0
            table = [known[what].setdefault(n, len(known[what])) for n in names]
            out[what].append(np.array([*table, -1], dtype=np.int64)[codes])
    for what, fallback in (("system", ALL), ("dimension", columns.dimensions[0])):
        if not out[what]:
            known[what] = {fallback: 0}
            out[what] = [np.zeros(rows, dtype=np.int64)] * k
    # Row by row, part by part: transpose (parts, rows), then once a value column.
    kept = ~absent.T.reshape(-1)
    gone = int(absent.sum())
    if gone:
        text = f"places left out because they have neither an item nor a value: {gone:,}"
        notes.append(Remark("empty_places", text))
    flat = {what: np.stack(found).T.reshape(-1)[kept] for what, found in out.items() if len(found)}
    cells = tuple(
        Cells(one.codes.T.reshape(1, -1)[:, kept], one.values, one.ordered) for one in values
    )
    metrics = {
        name: np.stack([numbers_of(grid, p.metrics[m], name) for p in parts]).T.reshape(-1)[kept]
        for m, name in enumerate(columns.metrics)
    }
    n = int(kept.sum())
    dims = flat["dimension"] if d == 1 else np.repeat(np.arange(d), n)
    if d > 1:
        known["dimension"] = {name: j for j, name in enumerate(columns.dimensions)}
    return Stacked(
        np.tile(flat["item"], d),
        np.tile(flat["system"], d),
        np.tile(flat["rater"], d) if "rater" in flat else None,
        dims,
        {what: tuple(table) for what, table in known.items()},
        cells,
        {name: np.tile(column, d) for name, column in metrics.items()},
        tuple(notes),
    )


EMPTY = {"rater": "empty_rater"}
PLURAL = {"item": "items", "rater": "raters", "system": "groups", "dimension": "groups"}


def _ids(grid: Grid, columns: Sequence[str], what: str) -> tuple[Ints, Sequence[str], list[Remark]]:
    """Codes (−1: empty) and names of one column, or of several together."""
    found = [tidy(c, PLURAL[what]) for c in grid.encode(columns, (), in_order=True).ids]
    notes = [Remark(n.code, n.message, n.level) for one in found for n in one.notes]
    if len(found) == 1:
        return found[0].codes.astype(np.int64), found[0].names(), notes
    empty = np.any([one.codes < 0 for one in found], axis=0)
    # combine() takes no empty cells, so these rows are given some name and taken out again.
    whole = [replace(one, codes=np.maximum(one.codes, 0)) for one in found]
    both = combine(whole)
    names = joined_names(whole, both.parts)()
    return np.where(empty, -1, both.codes), names, notes


def _refuse_empty(grid: Grid, column: str, what: str, empty: Any, aside: str) -> None:
    rows = np.flatnonzero(empty)
    if not len(rows):
        return
    places = ", ".join(grid.about.place(int(r)) for r in rows[:5])
    hint = ""
    if what == "system" and {"left", "right"} <= set(grid.names):
        hint = (
            " Rows with left and right are comparisons of two systems: give a table of ratings "
            "alone, and the comparisons to `assay prefer`."
        )
    more = f" and {len(rows) - 5:,} more" if len(rows) > 5 else ""
    raise ReadingError(
        f"{grid.about.source}: no {what} in {places}{more}{aside}; column {column!r} is empty "
        f"there. Each rating needs its {what}.{hint}",
        code=EMPTY.get(what, "empty_item"),
    )


def _settled(made: Dimension, keep: str) -> Dimension:
    """The one rating of each rater and output that counts, and the others as repeats."""
    if made.raters is None:
        return made
    key = made.units.codes * len(made.rater_names) + made.raters
    seen = occurrence(key) if keep == "first" else occurrence(key[::-1])[::-1]
    again = seen > 0
    if not again.any():
        return made
    return replace(made.take(~again), repeats=made.take(again))


def _shortened(made: Dimension, first: int | None) -> Dimension:
    """Only the first ratings of each output, and the others apart."""
    if first is None:
        return made
    beyond = occurrence(made.units.codes) >= first
    if not beyond.any():
        return made
    return replace(made.take(~beyond), repeats=made.repeats, cut=made.take(beyond))
