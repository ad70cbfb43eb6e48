"""``explain``: what a name in a report means, what it takes for granted, and its traps.

The texts are data: a table a name in ``explain_texts``, one file a kind.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from assay.errors import UsageError
from assay.report.rendered import Rendered

TEXTS = Path(__file__).parent / "explain_texts"
KINDS = {
    "coefficient": "Coefficients",
    "term": "Terms of a report",
    "interval": "Intervals",
    "weights": "Weights",
    "metric": "Metrics of Krippendorff's alpha",
    "estimator": "Estimators of Fleiss' kappa",
    "undefined": "Reasons why a number does not exist",
    "warning": "Warnings",
    "note": "Notes on reading a table",
    "span_note": "Notes on reading spans",
}
"""The kinds of entries, with the headings of their lists."""
FILES = {
    "coefficients": "coefficient",
    "terms": "term",
    "intervals": "interval",
    "choices": "",
    "undefined": "undefined",
    "warnings": "warning",
    "notes": "note",
    "span_notes": "span_note",
}
"""The files of texts, and the kind of their entries where all are of one."""
CODES = ("undefined", "warning", "note", "span_note")
"""Kinds whose names are codes, each with what to do about it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of one name; texts that do not apply are empty.

    Attributes
    ----------
    kind, name, title
        "coefficient", "term", "interval", …, the name as reports and options have it, and the
        name in words.
    says, formula
        The definition, in words and in signs.
    assumes, use, avoid, traps
        What it takes for granted, when it is right, when another is, and where people fall.
    do
        Of a code: what to do about it.
    reference
        Where it comes from.
    see
        Names that belong to it.
    also
        Other words by which it is found.
    method
        Of an interval: how the method begins that reports print.
    """

    kind: str
    name: str
    title: str
    says: str
    formula: str = ""
    assumes: str = ""
    use: str = ""
    avoid: str = ""
    traps: str = ""
    do: str = ""
    reference: str = ""
    see: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    method: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Rendered):
    """What :func:`explain` returns; prints as text.

    Attributes
    ----------
    entries
        One, or several where a name is used for several things; none for the list of names.
    summary
        The same as one plain dictionary.
    """

    entries: tuple[Entry, ...]
    summary: dict[str, Any] = field(repr=False)


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, by kind and then in the order of their files."""
    found = []
    for file, kind in FILES.items():
        for key, text in tomllib.loads((TEXTS / f"{file}.toml").read_text("utf-8")).items():
            found.append(_entry(key, text, kind))
    order = list(KINDS)
    return tuple(sorted(found, key=lambda entry: order.index(entry.kind)))


def _entry(key: str, text: Mapping[str, Any], kind: str) -> Entry:
    name = text.get("name", key)
    given = {
        field: tuple(value) if isinstance(value, list) else str(value).strip()
        for field, value in text.items()
        if field not in ("kind", "name", "title")
    }
    title = text.get("title", name.replace("_", " "))
    return Entry(text.get("kind", kind), name, title, **given)  # type: ignore[arg-type]


def entry_dict(entry: Entry) -> dict[str, Any]:
    """One entry as plain values."""
    pairs = asdict(entry).items()
    return {key: list(value) if isinstance(value, tuple) else value for key, value in pairs}


def plain(text: str) -> str:
    """A name for comparing: ``Fleiss-kappa``, ``fleiss_kappa`` and ``Fleiss' kappa`` are one.

    >>> plain("Fleiss' kappa"), plain("pair-weighted")
    ('fleiss kappa', 'pair weighted')
    """
    text = text.casefold().replace("'s", "").replace("\N{RIGHT SINGLE QUOTATION MARK}s", "")
    for sign in "'\N{RIGHT SINGLE QUOTATION MARK}":
        text = text.replace(sign, "")
    for sign in "_-":
        text = text.replace(sign, " ")
    return " ".join(text.split())


def find(name: str) -> tuple[Entry, ...]:
    """The entries of a name: by the name itself, else by title, other words, or a part of it.

    Raises
    ------
    UsageError
        If there is none, with the nearest.
    """
    wanted = plain(name)
    found = tuple(one for one in entries() if plain(one.name) == wanted)
    if not found:
        found = tuple(one for one in entries() if wanted in map(plain, (one.title, *one.also)))
    if not found:
        # One word of one name, such as "conger".
        parts = tuple(one for one in entries() if wanted in plain(one.name).split())
        found = parts if len({one.name for one in parts}) == 1 else ()
    if found:
        return found
    words = {plain(word): word for one in entries() for word in (*one.also, one.title, one.name)}
    near = difflib.get_close_matches(wanted, words, n=1)
    hint = f"; did you mean {words[near[0]]!r}?" if near else "."
    raise UsageError(f"explain: {name!r} is not known{hint} `assay explain` lists the names.")


def explain(name: str | None = None) -> Explanation:
    """What a name in a report means; without a name, the list of names.

    Parameters
    ----------
    name
        A coefficient, a term (``"Po"``, ``"ceiling"``), weights, a metric, an interval's
        method, or the code of a warning, a note or a reason; upper and lower case, ``_`` and
        ``-`` are the same.

    Returns
    -------
    Explanation

    Raises
    ------
    UsageError
        If the name is not known; the message has the nearest one.

    Examples
    --------
    >>> import assay
    >>> found = assay.explain("PABAK").entries[0]
    >>> found.kind, found.formula
    ('term', '(q Po − 1) / (q − 1), which is 2 Po − 1 for two labels')
    >>> assay.explain("kapa")
    Traceback (most recent call last):
    assay.errors.UsageError: explain: 'kapa' is not known; did you mean 'kappa'? \
`assay explain` lists the names.
    """
    import assay

    found = () if name is None else find(name)
    summary: dict[str, Any] = {"assay": assay.__version__, "kind": "explanation", "name": name}
    if name is None:
        summary["names"] = {
            kind: [one.name for one in entries() if one.kind == kind] for kind in KINDS
        }
    else:
        summary["entries"] = [entry_dict(one) for one in found]
    return Explanation(found, summary)
