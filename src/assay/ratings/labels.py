"""The identity of labels: which raw values are the same label, in which order.

Only the distinct values pass through here, never the cells. A label is compared by value:
texts after NFC and trimming, numbers by number, booleans as booleans; no text equals a
number. What was merged, and what a person should look at, is said in notes.
"""

from __future__ import annotations

import datetime
import math
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import LabelError, UsageError, one_of
from assay.ratings import label_notes
from assay.ratings.categories import Categories, Label, label_text
from assay.ratings.label_notes import Found, cells_of
from assay.ratings.label_order import arrange, check_scale
from assay.ratings.model import SCALES, Note
from assay.ratings.numerals import (
    EXACT,
    all_plain,
    comma_in,
    comma_note,
    has_comma,
    to_number,
    unclear,
)
from assay.ratings.relabel import rename
from assay.ratings.sources.grid import WHITE, About, Cells
from assay.ratings.words import GROUPS, LEADING_ZERO


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """What the caller said about labels."""

    scale: str | None = None
    order: tuple[Label, ...] | None = None
    categories: tuple[Label, ...] | None = None
    period: float | None = None
    missing: tuple[Label, ...] = ()
    relabel: Mapping[Label, Label] | str | None = None

    @property
    def plain(self) -> bool:
        """Whether nothing but the scale was said."""
        return not (self.order or self.categories or self.missing or self.relabel)

    @property
    def declared(self) -> tuple[Label, ...] | None:
        return self.categories if self.categories is not None else self.order


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """Categories, and for each raw value its category's code (−1: missing).

    ``table`` has one entry more than there are values, −1, so that ``table[codes]`` keeps
    empty cells empty; it is None where raw codes are the categories' codes already.
    """

    categories: Categories
    table: npt.NDArray[np.int64] | None
    scale: str | None
    notes: tuple[Note, ...]
    declared_missing: int = 0
    """Cells whose labels were declared missing."""

    def apply(self, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Category codes of cells, in the narrowest type that holds them."""
        small = np.min_scalar_type(-max(len(self.categories), 1))
        coded: npt.NDArray[Any] = codes if self.table is None else self.table.astype(small)[codes]
        return coded if coded.dtype == small else coded.astype(small)


def sequence_option(value: object, what: str) -> tuple[Label, ...]:
    """A list of labels from a list or a text with commas.

    >>> sequence_option("low, medium,high", "order")
    ('low', 'medium', 'high')
    """
    if isinstance(value, str):
        return tuple(part.strip(WHITE) for part in value.split(","))
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (bool, int, float)):
        return (value,)
    if isinstance(value, (Sequence, set, frozenset)):
        return tuple(sorted(value, key=str) if isinstance(value, (set, frozenset)) else value)
    raise UsageError(f"{what}: a list of labels, or a text with commas, is needed, not {value!r}.")


def label_options(
    *,
    scale: str | None = None,
    order: object = None,
    categories: object = None,
    period: object = None,
    missing: object = (),
    relabel: Mapping[Any, Any] | str | None = None,
) -> LabelOptions:
    """Check what the caller said about labels."""
    if scale is not None:
        one_of(scale, SCALES, "scale")
    number = isinstance(period, (int, float)) and not isinstance(period, bool)
    if period is not None and not (number and 0 < float(str(period)) < math.inf):
        raise UsageError(f"period: a number above 0 is needed, not {period!r}.")
    if relabel is not None and not isinstance(relabel, Mapping):
        one_of(relabel, ["booleans"], "relabel")
    lists: dict[str, tuple[Label, ...] | None] = {}
    for what, given in (("order", order), ("categories", categories)):
        lists[what] = None if given is None else sequence_option(given, what)
        labels = lists[what] or ()
        keys = [key_of(x) for x in labels]
        if given is not None and (not keys or len(set(keys)) < len(keys)):
            repeated = [label_text(x) for x in labels if keys.count(key_of(x)) > 1]
            raise UsageError(
                f"{what}: each label is listed once; "
                + (f"{repeated[0]!r} is listed twice." if repeated else "the list is empty.")
            )
    return LabelOptions(
        scale,
        lists["order"],
        lists["categories"],
        None if period is None else float(str(period)),
        sequence_option(missing, "missing"),
        relabel,
    )


def key_of(label: object) -> Hashable:
    """What decides whether two labels are the same.

    >>> len({key_of(x) for x in (True, 1, 1.0, "1", "True")})
    4
    """
    if isinstance(label, (bool, np.bool_)):
        return ("boolean", bool(label))
    if isinstance(label, str):
        return ("text", label)
    return ("number", label)


def clean(text: str) -> str:
    r"""NFC, without outer white space.

    >>> clean(" cafe\u0301\u00a0") == "caf\u00e9"
    True
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.strip(WHITE)


def resolve(
    cells: Cells,
    options: LabelOptions,
    about: About,
    where: Callable[[int], str] = lambda code: "",
) -> Resolved:
    """Decide which raw values are which label.

    Parameters
    ----------
    cells
        The coded columns; only their distinct values and counts are used.
    options
        What the caller declared.
    about
        The source: whether cells carry types, whether decimal commas may occur.
    where
        Names the first places of a raw value, for messages.

    Raises
    ------
    LabelError
        A label outside the declared ones, or labels that do not fit the scale.
    """
    if isinstance(cells.values, np.ndarray) and options.plain:
        return _numbers_only(cells.values, options)
    if options.plain and not cells.ordered and all_plain(list(cells.values)):
        return _many_numbers(cells, options)
    raw = cells.values.tolist() if isinstance(cells.values, np.ndarray) else list(cells.values)
    counts = cells.counts().tolist()
    found = [
        _found(k, value, count) for k, (value, count) in enumerate(zip(raw, counts, strict=True))
    ]
    if not cells.ordered:
        found = [f for f in found if f.count]
    notes: list[Note] = []
    if options.relabel is not None:
        notes += rename(found, options.relabel, key_of, clean)
    gone, more = _set_missing(found, options.missing)
    notes += more
    notes += label_notes.dates(found)
    notes += label_notes.booleans(found)
    live = [f for f in found if f.live]
    for_text = options.declared is not None and any(
        isinstance(x, str) and to_number(clean(x), comma=about.decimal_comma is not False) is None
        for x in options.declared
    )
    if about.typed:
        if about.numbers_as_text:
            notes += _numbers_as_text(live)
        notes += label_notes.mixed_types(live)
    elif not for_text:
        notes += _read_numbers(live, about)
    notes += label_notes.merged(live)
    # Who lists a label such as "none" among the labels has said that it is one.
    named = {key_of(x) for x in options.declared or ()}
    notes += label_notes.looks_missing([f for f in live if key_of(f.label) not in named])
    notes += label_notes.case(live)
    notes += label_notes.inner_space(live)
    observed: dict[Hashable, Label] = {}
    for f in live:
        if f.count or cells.ordered:
            observed.setdefault(key_of(f.label), f.label)
    hint = list(observed.values()) if cells.ordered else None
    categories, more = arrange(
        list(observed.values()), options.order, options.categories, key_of, hint
    )
    notes += more
    position = {key_of(label): code for code, label in enumerate(categories)}
    texts = {label_text(label): code for code, label in enumerate(categories)}
    table = np.full(len(raw) + 1, -1, dtype=np.int64)
    for f in live:
        code = position.get(key_of(f.label), texts.get(label_text(f.label)))
        if code is None:
            if not f.count:
                continue
            shown = ", ".join(categories.texts[:12])
            raise LabelError(
                f"label {label_text(f.label)!r} is not among the declared ones ({shown}); it "
                f"stands in {cells_of(f.count)}{where(f.code)}. Add it to --categories or "
                "--order, or declare it missing with --missing.",
                code="unknown_label",
            )
        table[f.code] = code
    scale, more = check_scale(categories, options.scale)
    return Resolved(categories, table, scale, (*notes, *more), gone)


def means_missing(value: Label, options: LabelOptions) -> bool:
    """Whether a raw label was declared missing, perhaps under another name.

    >>> means_missing(" n/a ", label_options(missing=["n/a"]))
    True
    """
    one = [_found(0, value, 1)]
    if isinstance(options.relabel, Mapping):
        rename(one, options.relabel, key_of, clean)
    _set_missing(one, options.missing)
    return not one[0].live


def _many_numbers(cells: Cells, options: LabelOptions) -> Resolved:
    """Many distinct plain numbers, or texts that are: all at once."""
    raw = np.array(list(map(float, cells.values))) + 0.0  # minus zero is zero
    present = cells.counts() > 0
    values, inverse = np.unique(raw[present], return_inverse=True)
    table = np.full(len(raw) + 1, -1, dtype=np.int64)
    table[:-1][present] = inverse.reshape(-1)
    notes: list[Note] = []
    if len(values) < np.count_nonzero(present):
        times = np.bincount(table[:-1][present])
        spelled = [
            " = ".join(str(cells.values[int(k)]) for k in np.flatnonzero(table[:-1] == code))
            for code in np.flatnonzero(times > 1)[:8]
        ]
        message = f"one number in several spellings: {'; '.join(spelled)}"
        notes.append(Note("numbers_merged", message))
    if (values == np.rint(values)).all():
        values = values.astype(np.int64)
    categories = Categories(values)
    scale, more = check_scale(categories, options.scale)
    return Resolved(categories, table, scale, (*notes, *more))


def _numbers_only(values: npt.NDArray[Any], options: LabelOptions) -> Resolved:
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise LabelError("a label is infinite; a finite number is needed, or missing (NaN).")
        if (values == np.rint(values)).all() and np.abs(values).max(initial=0) < EXACT:
            values = values.astype(np.int64)
    categories = Categories(values)
    scale, notes = check_scale(categories, options.scale)
    return Resolved(categories, None, scale, tuple(notes))


def _found(code: int, value: Any, count: int) -> Found:
    if isinstance(value, str):
        text = clean(value)
        return Found(code, value, text, count, live=bool(text))
    if isinstance(value, (datetime.date, datetime.time)):
        text = value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
        return Found(code, value, text, count, date=True)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise LabelError(f"a label is {value!r}; a finite number is needed, or None.")
        value = int(value) if value.is_integer() and abs(value) < EXACT else value
    return Found(code, value, value, count)


def _set_missing(found: list[Found], missing: Sequence[Label]) -> tuple[int, list[Note]]:
    """Take labels as missing; how many cells, and the notes."""
    wanted = {label_text(clean(m) if isinstance(m, str) else m) for m in missing}
    numbers = {n for n in (to_number(w, comma=True) for w in wanted) if n is not None}
    gone: list[Found] = []
    for f in found:
        if not f.live:
            continue
        text = label_text(f.label)
        if text in wanted or (not isinstance(f.label, bool) and to_number(text) in numbers):
            f.live = False
            gone.append(f)
    return sum(f.count for f in gone), label_notes.declared_missing(gone, wanted)


def _read_numbers(live: list[Found], about: About) -> list[Note]:
    """Turn texts into numbers where all of them are numbers."""
    texts = [f for f in live if isinstance(f.label, str)]
    if not texts or len(texts) < len(live):
        return []
    written = [str(f.label) for f in texts]
    comma = comma_in(written) if about.decimal_comma is None else about.decimal_comma
    numbers = [to_number(text, comma=comma) for text in written]
    if comma:
        # Beside decimal commas, a point that separates no thousands is no part of a number.
        points = [t for t in written if "." in t and not GROUPS.fullmatch(t)]
        numbers = [None if t in points else n for t, n in zip(written, numbers, strict=True)]
    mixed = label_notes.mixed_decimals(texts) if None in numbers else []
    if all(n is not None for n in numbers):
        for f, number in zip(texts, numbers, strict=True):
            if number is not None:
                f.label = number
        if comma and any(map(has_comma, written)):
            said, level = comma_note(written)
            if about.separator == "," and about.decimal_comma is None:
                said += "; if such cells are texts or lists of labels: --decimal ."
                level = "warning"
            return [Note("decimal_comma", said, level)]
        grouped = [t for t in written if comma and "." in t]
        if grouped:
            value = to_number(grouped[0], comma=True)
            said = f"decimal comma, as declared: {grouped[0]} is read as {value}"
            return [Note("decimal_comma", said, "warning")]
        points = [t for t in written if "." in t]
        open_ = about.decimal_comma is None and about.separator not in ("", ",")
        if points and open_ and all(unclear(t, about.separator) for t in points):
            said = (
                f"{points[0]} is read as {to_number(points[0])}, with decimals; if its point "
                "separates thousands: --decimal ,"
            )
            return [Note("thousands_or_decimals", said, "warning")]
        return []
    return [*mixed, *label_notes.not_numbers(texts, numbers, LEADING_ZERO)]


def _numbers_as_text(live: list[Found]) -> list[Note]:
    typed = [f for f in live if not isinstance(f.label, (str, bool))]
    texts = [f for f in live if isinstance(f.label, str)]
    numbers = [to_number(str(f.label)) for f in texts]
    if not typed or not texts or not any(n is not None for n in numbers):
        return []
    changed = 0
    for f, number in zip(texts, numbers, strict=True):
        if number is not None:
            f.label = number
            changed += f.count
    if not changed:
        return []
    return [
        Note(
            "numbers_as_text",
            f"{cells_of(changed)} hold a number stored as text among number cells; read as numbers",
        )
    ]
