"""``read``: from whatever holds ratings to :class:`~assay.ratings.model.Ratings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import ReadingError, UsageError, one_of
from assay.ratings import checks
from assay.ratings.categories import Label
from assay.ratings.common import Choices
from assay.ratings.headless import check_header
from assay.ratings.labels import label_options, sequence_option
from assay.ratings.large.open import FileOptions, from_dataset, memory_option, open_large
from assay.ratings.large.read import fits_batches, large_ratings
from assay.ratings.layout import LayoutOptions, find_plan
from assay.ratings.long import long_ratings
from assay.ratings.model import Ratings
from assay.ratings.objects import from_object, is_matrix, refuse_columns, with_categories
from assay.ratings.sources.grid import Grid, Plan
from assay.ratings.sources.memory import wide_grid
from assay.ratings.tables import Counts, Table
from assay.ratings.tallies import counts_ratings, table_ratings
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
    cluster: str | None = None,
    raters: Sequence[str] | str | None = None,
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
    header: bool | None = None,
    memory: int | str | None = None,
    pairs: bool = True,
    progress: Callable[[str, int, int | None], None] | None = None,
) -> Ratings:
    """Read ratings from a file or from memory.

    Parameters
    ----------
    source
        A path (CSV, TSV, JSON lines, JSON, Parquet, a spreadsheet, or a folder with one file
        a rater), a pattern of paths such as ``"part-*.parquet"``, a pandas, Polars or PyArrow
        frame, a frame in an engine, which does the grouping (lazy Polars, DuckDB, Spark, Dask,
        Ibis), a PyArrow dataset, a list of (item, rater, label) tuples, a list of records, a
        2-D array of items × raters, a dict of rater → {item: label} or rater → labels, a
        :class:`Counts`, a :class:`Table` or a :class:`Ratings`.
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
        In a wide table or one of counts, the column that says how many items a row stands
        for.
    cluster
        The column that says which document, prompt or other cluster an item belongs to.
        Resampling then draws clusters.
    raters
        The raters to read: their columns in a wide table, their names elsewhere.
    scale
        "nominal", "ordinal", "interval", "ratio" or "circular".
    order
        All labels from low to high.
    categories
        All labels that could have been given.
    period
        The length of a circular scale. It is kept for a scale that is chosen later.
    missing
        Texts or numbers that mean that there is no rating. An empty cell always does.
    duplicates
        What to do where a rater rated an item twice: "error", "first" or "last".
    relabel
        A mapping from label to label, or "booleans" to make all spellings of true and false
        two labels: true/false in any case, and yes/no, y/n, t/f and 1/0 where several occur.
    encoding, delimiter, decimal, sheet
        How to read a text file or a spreadsheet, where what is found is not right.
    header
        Whether the first line of a text file or a spreadsheet holds the columns' names;
        without one they are called "column 1", "column 2" and so on. None: it does, and a
        first line that looks like ratings is refused.
    memory
        How much memory a file may take, such as ``"1GB"``. A long table that would take more is
        read in batches, and rows that are not in order of items are dealt to temporary files;
        a quarter of the machine's memory when omitted.
    pairs
        Whether tables of all pairs of raters are made where a table is read in batches and has
        too many raters to keep who gave which rating; they take the most time.
    progress
        Called in batches with what is under way, the rows done, and the rows in all where it is
        known.

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
    chosen = None if raters is None else tuple(map(str, sequence_option(raters, "raters")))
    choices = Choices(labels, duplicates, chosen)
    columns = LayoutOptions(
        layout, item, rater, label, by, frequency, labels.declared, chosen, cluster
    )
    if layout is not None:
        one_of(layout, ("long", "wide", "counts", "table"), "layout")
    if isinstance(source, (Ratings, Counts, Table)):
        refuse_columns(source, columns)
        return from_object(source, choices)
    if layout in ("counts", "table") and is_matrix(source):
        made = Counts(source) if layout == "counts" else Table(source)
        return from_object(with_categories(made, choices), choices)
    limit = memory_option(memory)
    held = None
    if isinstance(source, (str, Path)):
        held = open_large(
            source, limit, FileOptions(format, encoding, delimiter, decimal, sheet, header)
        )
    if held is not None and (limit is not None or fits_batches(held, columns)):
        return large_ratings(held, columns, choices, memory=limit, pairs=pairs, progress=progress)
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
            header=header,
        )
        if header is None:
            grid = check_header(grid)
    else:
        for what, given in (
            ("format", format),
            ("encoding", encoding),
            ("delimiter", delimiter),
            ("sheet", sheet),
            ("header", header),
        ):
            if given is not None:
                raise UsageError(f"{what}: only a file has one; the source is in memory.")
        from assay.ratings.sources.anything import grid_of
        from assay.ratings.sources.frames import is_dataset, lazy_frame

        engine = lazy_frame(source)
        if engine is not None:
            from assay.ratings.large.engine import engine_ratings

            return engine_ratings(engine, columns, choices, pairs=pairs)
        if is_dataset(source):
            return large_ratings(
                from_dataset(source), columns, choices, memory=limit, pairs=pairs, progress=progress
            )
        grid = grid_of(source, layout)
    if not grid.n_rows:
        raise ReadingError(f"{grid.about.source}: no rows; at least one rating is needed.")
    plan = grid.about.plan
    folder = grid.about.format == "folder"
    if folder and cluster:
        raise UsageError("cluster: a folder with one file a rater has no such column.")
    if plan is None or (not folder and (item or rater or label or by or frequency or cluster)):
        plan = find_plan(grid, columns)
    elif layout is not None and layout != plan.layout:
        raise UsageError(f"layout: this source is read as {plan.layout}; {layout!r} does not fit.")
    elif chosen is not None and plan.layout == "wide":
        kept = tuple(one_of(name, plan.columns, "raters") for name in chosen)
        plan = replace(plan, columns=tuple(c for c in plan.columns if c in kept))
    ratings = checks.checked(
        ASSEMBLE[plan.layout](grid, plan, choices),
        given=plan.layout == "wide" and grid.about.format == "memory",
    )
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
