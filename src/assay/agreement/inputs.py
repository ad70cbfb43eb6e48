"""What the coefficient functions accept, turned into reductions in one place."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeAlias, TypedDict, Unpack

from assay.agreement.pool import Pool
from assay.agreement.weights import make_weights
from assay.errors import DesignError, LabelError, ReadingWarning, UsageError
from assay.ratings.categories import Categories, Label
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced
from assay.ratings.tables import Counts, Table

Data: TypeAlias = Any
"""Ratings, Counts, Table, one of two parallel sequences, or whatever :func:`assay.read` takes."""


class Options(TypedDict, total=False):
    """The keywords that every coefficient function takes beside its own."""

    counts: Data
    table: Data
    categories: Sequence[Label] | None
    order: Sequence[Label] | None


MIXED = frozenset({"mixed_label_types", "mixed_booleans"})
MISREAD = MIXED | {"looks_like_counts", "read_as_triples", "few_rows_many_columns"}
"""Notes that a call is warned of, since its numbers may be of something else."""


def reduced(
    data: Data = None,
    other: Data = None,
    *,
    counts: Data = None,
    table: Data = None,
    categories: Sequence[Label] | None = None,
    order: Sequence[Label] | None = None,
) -> Reduced:
    """The reductions of whatever a coefficient function was called with.

    Parameters
    ----------
    data
        A :class:`~assay.Ratings`, :class:`~assay.Counts` or :class:`~assay.Table`; or anything
        that :func:`assay.read` takes: a frame, a file, (item, rater, label) triples, a matrix
        of items × raters, a dict of rater to labels.
    other
        With two parallel sequences, the second rater's labels.
    counts
        Items × categories, how many raters chose each; the columns' labels in ``categories``.
    table
        A two-rater contingency table; its labels in ``categories``.
    categories, order
        The label set; ``order`` also says that it is ordered, lowest first.

    Raises
    ------
    UsageError
        If nothing, or more than one kind of input, is given.
    """
    given = [
        name
        for name, value in (("data", data), ("counts", counts), ("table", table))
        if value is not None
    ]
    if len(given) != 1 or (other is not None and data is None):
        what = " and ".join(given) or "nothing"
        raise UsageError(
            f"one kind of input is needed, and {what} was given: two parallel sequences, "
            "Ratings, counts=ITEMS×CATEGORIES, or table=CONTINGENCY TABLE."
        )
    from assay.ratings.paired import paired
    from assay.ratings.read import from_lists, read

    if other is not None and any(isinstance(x, (Mapping, Set)) for x in (data, other)):
        raise UsageError("two sequences are needed, in the same order of items, not sets or dicts.")
    labels = order if order is not None else categories
    if labels is not None and (counts is not None or table is not None):
        if order is not None and categories is not None:
            raise UsageError("order and categories: give one of the two; an order is a label set.")
        ordered = True if order is not None else None
        names = Categories(list(labels), declared=True, ordered=ordered)
        if len(set(names.texts)) < len(names):
            raise UsageError("categories: each label is listed once; a label is listed twice.")
        if counts is not None and not isinstance(counts, Counts):
            return Reduced(Counts(counts, categories=names))
        if table is not None and not isinstance(table, Table):
            return Reduced.of(read(Table(table, labels=list(labels))))
    if counts is not None:
        data = counts if isinstance(counts, Counts) else Counts(counts)
    if table is not None:
        data = table if isinstance(table, Table) else Table(table)
    if isinstance(data, Counts) and labels is None:
        return Reduced(data)

    if isinstance(data, Ratings) and categories is None and order is None:
        return Reduced.of(data)
    if other is not None:
        known = paired(data, other, categories=categories, order=order)
        ratings = known or from_lists(data, other, categories=categories, order=order)
    else:
        ratings = read(data, categories=categories, order=order)
    # What was read in passing has nobody to show its reading report to.
    doubts = MISREAD if other is None else MIXED
    for note in ratings.reading.notes:
        if note.code in doubts:
            warnings.warn(f"{note.message} [{note.code}]", ReadingWarning, stacklevel=_outside())
    return Reduced.of(ratings)


def _outside() -> int:
    """How many frames up the first one outside of assay is, as ``warnings.warn`` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("assay."):
        level, frame = level + 1, frame.f_back
    return level


def pool_of(
    data: Data = None,
    other: Data = None,
    *,
    weights: Any = "identity",
    two_raters: str = "",
    **options: Unpack[Options],
) -> Pool:
    """The pool of interchangeable raters of a call, checked for a two-rater coefficient."""
    made = reduced(data, other, **options)
    if two_raters:
        need_two_raters(made, two_raters)
    return Pool(made.patterns, make_weights(weights, made.categories), made.categories)


def need_raters(made: Reduced, name: str) -> None:
    """Raise unless it is known who gave which rating."""
    if not made.raters and made.sizes:
        raise DesignError(
            f"{name} needs to know who gave which rating, and a counts table does not say it; "
            "give ratings with a rater for each, or use fleiss_kappa or krippendorff_alpha."
        )


def need_two_raters(made: Reduced, name: str) -> None:
    """Raise unless there are exactly two raters."""
    found = len(made.raters)
    if not made.raters and max(made.sizes, default=0) <= 2:
        return
    if found != 2:
        raise DesignError(
            f"{name} is defined for two raters, and {found or 'more than two'} were found; use "
            "fleiss_kappa, conger_kappa, light_kappa or krippendorff_alpha, or choose two raters."
        )


def need_numbers(categories: Categories, what: str) -> None:
    """Raise unless every label is a number."""
    if categories.numbers is None and len(categories):
        texts = ", ".join(categories.texts[:6])
        raise LabelError(f"{what} need labels that are numbers, and these are texts ({texts}).")
