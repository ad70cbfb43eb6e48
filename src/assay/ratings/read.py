"""``read``: from whatever holds ratings to :class:`~assay.ratings.model.Ratings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import ReadingError, UsageError, one_of
from assay.ratings import checks
from assay.ratings.categories import Label
from assay.ratings.common import Choices, context_of, plain_items
from assay.ratings.labels import Resolved, label_options, resolve
from assay.ratings.layout import LayoutOptions, find_plan
from assay.ratings.long import long_ratings
from assay.ratings.model import Ratings, Reading
from assay.ratings.sources.grid import About, Cells, ColumnGrid, Grid, Plan
from assay.ratings.sources.memory import (
    long_grid,
    mapping_grid,
    matrix_grid,
    record_grid,
    wide_grid,
)
from assay.ratings.tables import Counts, Table
from assay.ratings.tallies import (
    counts_ratings,
    from_cells,
    from_counts,
    header_labels,
    table_ratings,
)
from assay.ratings.wide import wide_ratings

ASSEMBLE = {
    "long": long_ratings,
    "wide": wide_ratings,
    "counts": counts_ratings,
    "table": table_ratings,
}


def read(
    source: Any,
    *,
    layout: str | None = None,
    format: str | None = None,  # noqa: A002
    item: str | Sequence[str] | None = None,
    rater: str | None = None,
    label: str | None = None,
    by: str | Sequence[str] | None = None,
    frequency: str | None = None,
    scale: str | None = None,
    order: Sequence[Label] | str | None = None,
    categories: Sequence[Label] | str | None = None,
    period: float | None = None,
    missing: Sequence[Label] | str = (),
    duplicates: str = "error",
    relabel: Mapping[Any, Any] | str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
) -> Ratings:
    """Read ratings from a file or from memory.

    Parameters
    ----------
    source
        A path (CSV, TSV, JSON lines, JSON, Parquet, a spreadsheet, or a folder with one file
        a rater), a pandas, Polars or PyArrow frame, a list of (item, rater, label) tuples, a
        list of records, a 2-D array of items × raters, a dict of rater → {item: label} or
        rater → labels, a :class:`Counts`, a :class:`Table` or a :class:`Ratings`.
    layout
        "long" (one rating a row), "wide" (one column a rater), "counts" (one column a
        label) or "table" (two raters, rows and columns are labels). Found where only one fits.
    format
        "csv", "tsv", "jsonl", "json", "parquet", "excel" or "folder"; found by content.
    item, rater, label
        Names of columns. Several item columns make one composite item.
    by
        One or several columns whose values split the ratings into groups.
    frequency
        In a wide table, the column that says how many items a row stands for.
    scale
        "nominal", "ordinal", "interval", "ratio" or "circular".
    order
        All labels from low to high.
    categories
        All labels that could have been given.
    period
        The length of a circular scale.
    missing
        Texts or numbers that mean that there is no rating. An empty cell always does.
    duplicates
        What to do where a rater rated an item twice: "error", "first" or "last".
    relabel
        A mapping from label to label, or "booleans" to make all spellings of true and false
        two labels.
    encoding, delimiter, decimal, sheet
        How to read a text file or a spreadsheet, where what is found is not right.

    Returns
    -------
    Ratings
        Its ``reading.notes`` say what was found, chosen, merged and left out.

    Raises
    ------
    ReadingError
        If the source cannot be read.
    AmbiguousLayout
        If more than one layout fits.
    DuplicateRatings
        If a rater rated an item more than once.
    LabelError
        If labels do not fit the scale or the declared labels.
    UsageError
        If an option has no such value.

    Examples
    --------
    >>> ratings = read({"ana": ["yes", "no", "no"], "bo": ["yes", "no", None]})
    >>> ratings.raters, ratings.n_items, ratings.n_ratings
    (('ana', 'bo'), 3, 5)
    >>> list(ratings.categories)
    ['no', 'yes']
    """
    one_of(duplicates, ("error", "first", "last"), "duplicates")
    labels = label_options(
        scale=scale,
        order=order,
        categories=categories,
        period=period,
        missing=missing,
        relabel=relabel,
    )
    choices = Choices(labels, duplicates)
    columns = LayoutOptions(layout, item, rater, label, by, frequency, labels.declared)
    if layout is not None:
        one_of(layout, ("long", "wide", "counts", "table"), "layout")
    if isinstance(source, (Ratings, Counts, Table)):
        _refuse_columns(source, columns)
        return _from_object(source, choices)
    if layout in ("counts", "table") and _is_matrix(source):
        made = Counts(source) if layout == "counts" else Table(source)
        return _from_object(_with_categories(made, choices), choices)
    if isinstance(source, (str, Path)):
        from assay.ratings.sources.detect import open_file

        grid: Grid = open_file(
            Path(source),
            format=format,
            encoding=encoding,
            delimiter=delimiter,
            decimal=decimal,
            sheet=sheet,
            item=item if isinstance(item, str) else None,
            label=label,
        )
    else:
        for what, given in (
            ("format", format),
            ("encoding", encoding),
            ("delimiter", delimiter),
            ("sheet", sheet),
        ):
            if given is not None:
                raise UsageError(f"{what}: only a file has one; the source is in memory.")
        grid = _grid(source, layout)
    if not grid.n_rows:
        raise ReadingError(f"{grid.about.source}: no rows; at least one rating is needed.")
    plan = grid.about.plan
    folder = grid.about.format == "folder"
    if plan is None or (not folder and (item or rater or label or by or frequency)):
        plan = find_plan(grid, columns)
    elif layout is not None and layout != plan.layout:
        raise UsageError(f"layout: this source is read as {plan.layout}; {layout!r} does not fit.")
    ratings = checks.checked(ASSEMBLE[plan.layout](grid, plan, choices))
    grid.release()
    return ratings


def from_lists(
    *lists: Any,
    raters: Sequence[str] | None = None,
    scale: str | None = None,
    order: Sequence[Label] | str | None = None,
    categories: Sequence[Label] | str | None = None,
    period: float | None = None,
    missing: Sequence[Label] | str = (),
    relabel: Mapping[Any, Any] | str | None = None,
) -> Ratings:
    """Ratings from one list of labels a rater, all in the same order of items.

    Parameters
    ----------
    lists
        Sequences, arrays or series of equal length; None or NaN where a rating is missing.
    raters
        The raters' names; 1, 2, … when omitted.
    scale, order, categories, period, missing, relabel
        As in :func:`read`.

    Examples
    --------
    >>> ratings = from_lists(["a", "b", "b"], ["a", "b", "a"], raters=["ana", "bo"])
    >>> ratings.n_items, ratings.n_raters
    (3, 2)
    """
    labels = label_options(
        scale=scale,
        order=order,
        categories=categories,
        period=period,
        missing=missing,
        relabel=relabel,
    )
    grid = wide_grid([_column(c) for c in lists], raters)
    if not lists:
        raise ReadingError("no lists of labels were given; one a rater is needed.")
    plan = grid.about.plan or Plan("wide", columns=grid.names)
    return checks.checked(wide_ratings(grid, plan, Choices(labels)))


def _column(values: Any) -> Any:
    if isinstance(values, (str, bytes)):
        raise ReadingError(f"a list of labels is needed for each rater, not the text {values!r}.")
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ReadingError(
            f"a list of labels is needed for each rater, not {values.ndim} dimensions."
        )
    return values if hasattr(values, "__len__") else list(values)


def _is_matrix(source: Any) -> bool:
    if isinstance(source, np.ndarray):
        return True
    return (
        isinstance(source, (list, tuple)) and bool(source) and isinstance(source[0], (list, tuple))
    )


def _with_categories(made: Counts | Table, choices: Choices) -> Counts | Table:
    declared = choices.labels.declared
    if declared is None:
        return made
    if isinstance(made, Counts):
        return Counts(made.counts, categories=declared)
    return Table(made.cells, labels=declared)


def _grid(source: Any, layout: str | None) -> ColumnGrid:
    """A grid over a source in memory."""
    from assay.ratings.sources.frames import is_frame, read_frame

    if isinstance(source, np.ndarray):
        return matrix_grid(source)
    if isinstance(source, Mapping):
        return mapping_grid(source)
    if is_frame(source):
        return read_frame(source)
    if hasattr(source, "__array__") and not isinstance(source, (list, tuple)):
        return matrix_grid(np.asarray(source))
    if isinstance(source, (bytes, bytearray)) or not hasattr(source, "__iter__"):
        raise ReadingError(
            f"a source of type {type(source).__name__} cannot be read; a path, a data frame, a "
            "list of (item, rater, label), a 2-D array or a dict of raters is needed."
        )
    rows = source if isinstance(source, (list, tuple)) else list(source)
    if not len(rows):
        raise ReadingError("the source is empty; at least one rating is needed.")
    if all(isinstance(row, Mapping) for row in rows):
        return record_grid(rows, About(source="records", row_word="record", row_offset=0))
    if any(isinstance(row, (str, bytes)) or not hasattr(row, "__len__") for row in rows):
        odd = next(
            k for k, row in enumerate(rows) if isinstance(row, str) or not hasattr(row, "__len__")
        )
        raise ReadingError(
            f"entry {odd} is {rows[odd]!r}; a list of (item, rater, label) tuples, of records, or "
            "of rows (items × raters) is needed."
        )
    triples = all(isinstance(row, tuple) and len(row) == 3 for row in rows)
    if layout == "long" or (triples and layout != "wide"):
        return long_grid(rows)
    return matrix_grid(rows)


def _refuse_columns(source: Any, given: LayoutOptions) -> None:
    for what in ("layout", "item", "rater", "label", "by", "frequency"):
        if getattr(given, what) is not None:
            raise UsageError(f"{what}: a {type(source).__name__} has no columns to choose from.")


def _from_object(source: Ratings | Counts | Table, choices: Choices) -> Ratings:
    about = About(source=type(source).__name__.lower(), row_offset=1)
    if isinstance(source, Counts):
        plan = Plan("counts")
        resolved = _declared(source.categories, choices, about, ordered=False)
        return checks.checked(
            from_counts(
                source.counts,
                resolved,
                plain_items(len(source.counts), source.items),
                context_of(about, plan, choices),
            )
        )
    if isinstance(source, Table):
        resolved = _declared(source.categories, choices, about, ordered=True)
        context = context_of(about, Plan("table"), choices)
        return checks.checked(from_cells(source.cells, resolved, source.raters, context))
    if choices.labels.plain and choices.labels.scale is None:
        return source
    return _again(source, choices)


def _declared(categories: Any, choices: Choices, about: About, *, ordered: bool) -> Resolved:
    given = choices.labels
    keeps = given.declared is None and categories.ordered
    return header_labels(list(categories), choices, about, ordered=ordered and keeps)


def _again(source: Ratings, choices: Choices) -> Ratings:
    """The same ratings with labels resolved anew."""
    given = choices.labels
    old = source.categories
    if given.declared is None and old.declared and not (given.relabel or given.missing):
        declared = tuple(old)
        given = (
            replace(given, order=declared) if old.ordered else replace(given, categories=declared)
        )
    values: Any = old.labels if isinstance(old.labels, np.ndarray) and given.plain else list(old)
    codes = np.concatenate([block.labels.reshape(1, -1) for block in source.blocks], axis=1)
    cells = Cells(codes, values, ordered=old.ordered and not old.numeric)
    resolved = resolve(cells, given, About())
    blocks = tuple(replace(b, labels=resolved.apply(b.labels)) for b in source.blocks)
    reading = Reading(
        source.reading.source,
        source.reading.layout,
        (*source.reading.notes, *resolved.notes),
    )
    scale = resolved.scale if given.scale is not None else source.scale or resolved.scale
    return replace(
        source,
        blocks=blocks,
        categories=resolved.categories,
        scale=scale,
        period=given.period if given.period is not None else source.period,
        reading=reading,
    )
