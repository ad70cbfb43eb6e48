"""Every error of assay, in one tree.

AssayError
├── InputError            the data cannot be taken as they are
│   ├── ReadingError      a file or object cannot be read (where, what was found)
│   ├── AmbiguousLayout   more than one reading of a table fits
│   ├── DuplicateRatings  one rater rated one item more than once
│   ├── LabelError        labels do not fit the scale asked for
│   └── DesignError       a coefficient was asked of data it is not made for
├── UsageError            an option or argument has a value that does not exist
└── MissingExtra          an optional dependency is needed

A message says what is wrong, where, what was found, and what to do. ``code`` is stable
and may be matched on; it is the same word in the library, the terminal and the documents.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AssayError(Exception):
    """The root of all errors that assay raises on purpose."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class InputError(AssayError, ValueError):
    """The data cannot be taken as they are."""

    code = "bad_input"


class ReadingError(InputError):
    """A file or an object cannot be read as ratings."""

    code = "unreadable"


class AmbiguousLayout(InputError):
    """Two layouts fit a table; the caller has to choose among ``options``."""

    code = "ambiguous_layout"

    def __init__(self, message: str, *, options: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.options = tuple(options)


class DuplicateRatings(InputError):
    """The same rater rated the same item more than once.

    ``conflicting`` and ``identical`` hold ``(item, rater, [labels in file order])``: the
    first few pairs whose repeats differ, and the first few whose repeats are equal.
    """

    code = "duplicate_ratings"

    def __init__(
        self,
        message: str,
        *,
        conflicting: Iterable[tuple[str, str, list[object]]] = (),
        identical: Iterable[tuple[str, str, list[object]]] = (),
    ) -> None:
        super().__init__(message)
        self.conflicting = list(conflicting)
        self.identical = list(identical)


class LabelError(InputError):
    """The labels do not fit the scale, the order or the categories asked for."""

    code = "bad_labels"


class DesignError(InputError):
    """A coefficient was asked of data it is not defined for."""

    code = "not_applicable"


class UsageError(AssayError, ValueError):
    """An option or argument has a value that does not exist."""

    code = "bad_use"


class MissingExtra(AssayError, ImportError):
    """An optional dependency is needed; the message names the extra."""

    code = "missing_extra"


class ReadingWarning(UserWarning):
    """What a person should look at before trusting numbers from data read in passing."""


def one_of(value: object, allowed: Iterable[str], what: str) -> str:
    """Return ``value`` if it is among ``allowed``, else raise with the nearest match.

    >>> one_of("linear", ["linear", "quadratic"], "weights")
    'linear'
    >>> one_of("quadratc", ["linear", "quadratic"], "weights")
    Traceback (most recent call last):
    assay.errors.UsageError: weights: 'quadratc' is not known; did you mean 'quadratic'? \
One of: linear, quadratic.
    """
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise UsageError(f"{what}: {value!r} is not known{hint} One of: {', '.join(names)}.")
