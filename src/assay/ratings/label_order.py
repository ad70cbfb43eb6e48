"""The order of labels, and whether they fit the scale asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from assay.errors import LabelError, UsageError
from assay.ratings.categories import Categories, Label, label_text
from assay.ratings.model import Note
from assay.ratings.words import LOOKS_MISSING, ORDERED_WORDS

Key = Callable[[object], Hashable]


def _value(label: Label) -> float | None:
    """What a label is worth in sorting: also number-like texts sort by value."""
    if isinstance(label, bool):
        return None
    if isinstance(label, (int, float)):
        return float(label)
    try:
        return float(label.replace(",", ".")) if label[:1] in "+-.0123456789" else None
    except ValueError:
        return None


def _sorting(label: Label) -> tuple[int, float, str]:
    value = _value(label)
    if isinstance(label, bool):
        return (2, float(label), "")
    return (1, 0.0, str(label)) if value is None else (0, value, str(label))


def _is_number(label: Label) -> bool:
    return isinstance(label, (int, float)) and not isinstance(label, bool)


def arrange(
    observed: Sequence[Label],
    order: Sequence[Label] | None,
    declared: Sequence[Label] | None,
    key: Key,
    hint: Sequence[Label] | None = None,
) -> tuple[Categories, list[Note]]:
    """Put labels in order: the declared one, else by number, else alphabetical.

    ``hint`` is an order that the source itself declares (an ordered data-frame type).
    """
    if order is None and hint is not None and declared is None:
        return Categories(hint, declared=True, ordered=True), [
            Note("order_from_source", f"order declared by the source: {_list(hint)}")
        ]
    if order is None and declared is None:
        return Categories(sorted(observed, key=_sorting)), []
    given = list(order if order is not None else declared or ())
    if order is not None and declared is not None:
        given = _both(order, declared, key)
    labels = _as_observed(given, observed)
    notes: list[Note] = []
    if order is not None and all(map(_is_number, labels)):
        values = [float(label) for label in labels]
        if values != sorted(values):
            labels = [label_text(label) for label in labels]
            notes.append(
                Note(
                    "order_over_values",
                    "the declared order is not the order of the numbers, so labels are taken by "
                    "their place in it and their values are not used",
                    "warning",
                )
            )
    seen = {label_text(x) for x in observed}
    unused = [label_text(x) for x in labels if label_text(x) not in seen]
    if unused:
        notes.append(
            Note("categories_unused", f"declared labels that nobody used: {', '.join(unused[:12])}")
        )
    return Categories(labels, declared=True, ordered=True if order is not None else None), notes


def _both(order: Sequence[Label], declared: Sequence[Label], key: Key) -> list[Label]:
    places = {key(x) for x in order}
    absent = [label_text(x) for x in declared if key(x) not in places]
    extra = [label_text(x) for x in order if key(x) not in {key(y) for y in declared}]
    if absent or extra:
        raise UsageError(
            "order and categories name different labels: "
            + "; ".join(
                part
                for part in (
                    f"only in categories: {', '.join(absent)}" if absent else "",
                    f"only in order: {', '.join(extra)}" if extra else "",
                )
                if part
            )
            + ". Give the order alone; it names the categories too."
        )
    return list(order)


def _as_observed(given: Sequence[Label], observed: Sequence[Label]) -> list[Label]:
    """The declared labels in the types that the data have."""
    by_text: dict[str, list[Label]] = {}
    for label in observed:
        by_text.setdefault(label_text(label), []).append(label)
    numeric = bool(observed) and all(map(_is_number, observed))
    out: list[Label] = []
    for label in given:
        text = label_text(label)
        same = [x for x in by_text.get(text, ()) if type(x) is type(label)]
        if same or len(by_text.get(text, ())) == 1:
            out.append((same or by_text[text])[0])
            continue
        value = _value(label) if isinstance(label, str) and (numeric or not observed) else None
        if value is not None:
            number: Label = int(value) if value.is_integer() else value
            label = next((x for x in observed if numeric and x == number), number)
        out.append(label)
    return out


def _list(labels: Sequence[Label]) -> str:
    return ", ".join(label_text(x) for x in labels[:12]) + (", …" if len(labels) > 12 else "")


def suggest_order(texts: Sequence[str]) -> list[str] | None:
    """The usual order of a set of scale words, if it is one.

    >>> suggest_order(["high", "Low", "medium"])
    ['Low', 'medium', 'high']
    """
    words = {t.casefold(): t for t in texts}
    if len(words) < 3 or len(words) < len(texts):
        return None
    for family in ORDERED_WORDS:
        if words.keys() <= set(family):
            return [words[w] for w in family if w in words]
    return None


def check_scale(categories: Categories, scale: str | None) -> tuple[str | None, list[Note]]:
    """Return the scale, if the labels fit it.

    Raises
    ------
    LabelError
        With code ``no_order`` where texts have no order, else ``bad_labels``.
    """
    values = categories.numbers
    if scale is None:
        if values is not None and (values % 1 != 0).any():
            note = "numbers with decimals: the scale is taken as interval; --scale says otherwise"
            return "interval", [Note("scale_from_decimals", note)]
        order = (
            None if categories.ordered or categories.numeric else suggest_order(categories.texts)
        )
        if order:
            note = (
                f"the labels {', '.join(order)} look ordered; to use their order: "
                f"--scale ordinal --order {','.join(order)}"
            )
            return None, [Note("ordered_words", note)]
        return None, []
    if scale == "nominal" or not len(categories):
        return scale, []
    if scale == "ratio" and values is not None and (values < 0).any():
        worst = categories.texts[int(values.argmin())]
        raise LabelError(
            f"a ratio scale has no negative numbers, but the label {worst} occurs; use "
            "--scale interval."
        )
    if values is not None or (categories.ordered and scale in ("ordinal", "circular")):
        if values is None and scale == "circular":
            note = (
                "labels are texts; their places 0, 1, 2, … in the declared order are their values"
            )
            return scale, [Note("positions_used", note)]
        return scale, []
    order = suggest_order(categories.texts)
    example = ",".join(order or categories.texts[:6])
    what = (
        "needs an order"
        if scale == "ordinal"
        else "needs numbers"
        if scale in ("interval", "ratio")
        else "needs numbers or an order"
    )
    strange = [t for t in categories.texts if _value(t) is None]
    if 0 < len(strange) < len(categories) and all(t.casefold() in LOOKS_MISSING for t in strange):
        hint = f"If {', '.join(strange)} means missing: --missing {','.join(strange)}."
    elif scale in ("interval", "ratio"):
        hint = "Use relabel to give each label a number."
    else:
        hint = (
            f"Give it from low to high, for example --order {example} "
            f"(order={(order or list(categories.texts[:6]))!r} in Python)."
        )
    raise LabelError(
        f"scale {scale} {what}, but the labels are texts: {_list(tuple(categories))}. "
        f"The alphabet is not an order of labels. {hint}",
        code="no_order",
    )
