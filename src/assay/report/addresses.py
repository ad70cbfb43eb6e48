"""The addresses at which the web pages open a pair of raters or a sentence.

An address holds all that its page shows, so it can be made wherever the numbers are. What a
page cannot hold has no address: a page that showed another table would be worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias
from unicodedata import category, normalize
from urllib.parse import urlencode

Number: TypeAlias = int | float | Fraction
Table: TypeAlias = Sequence[Sequence[Number]]

LOCAL = "http://127.0.0.1:8000"
"""Where the pages are while ``assay serve`` runs as it is."""

MAX_ADDRESS = 32_000
"""Bytes of an address, beyond which it is not read at all."""
MAX_NAME = 40
"""Characters of a label's or a rater's name."""
MIN_LABELS, MAX_LABELS = 2, 8
MAX_CELL = 999_999_999
"""The largest count in a cell of a table."""
MAX_TOKENS = 40
MAX_TOKEN = 60
"""Characters of a token or a tag."""
READINGS = ("open", "discard")
"""Of illegal tags, those that the page knows."""

NAMELESS = ("A", "B")
"""What raters are called whom nobody named."""


def listed(names: Iterable[str]) -> str:
    """Names as one parameter: with commas between them and none inside.

    >>> listed(["a", "b, c", "50 %"])
    'a,b%2C c,50 %25'
    """
    return ",".join(name.replace("%", "%25").replace(",", "%2C") for name in names)


def address(path: str, query: Mapping[str, str]) -> str:
    """The canonical address of a state: parameters in a fixed order, empty ones left out.

    >>> address("/lab/kappa", {"t": "3,47;53,897", "labels": "a b,c", "lang": ""})
    '/lab/kappa?t=3,47;53,897&labels=a+b,c'
    """
    given = {name: value for name, value in query.items() if value}
    if not given:
        return path
    return f"{path}?{urlencode(given, safe=',;:')}"


def cells_text(table: Iterable[Iterable[Number]]) -> str:
    """A table as a parameter: rows with semicolons, cells with commas between them.

    >>> cells_text([[3, 47], [53, 897]])
    '3,47;53,897'
    """
    return ";".join(",".join(str(int(cell)) for cell in row) for row in table)


def kappa_address(
    table: Table, labels: Sequence[str], raters: Sequence[str] = NAMELESS
) -> str | None:
    """The address of a table of two raters in the kappa lab; None where it cannot hold it.

    Parameters
    ----------
    table
        Shape (labels, labels): rows for the first rater.
    labels
        Their names. One that neither rater used is left out, unless fewer than two remain.
    raters
        The two names.

    Notes
    -----
    The names that a page gives by itself, 1, 2, … and A, B, are not part of the address.

    Examples
    --------
    >>> kappa_address([[3, 0, 47], [0, 0, 0], [53, 0, 897]], ["bad", "odd", "fine"])
    '/lab/kappa?t=3,47;53,897&labels=bad,fine'
    >>> kappa_address([[0.5, 1], [2, 3]], ["a", "b"]) is None
    True
    """
    return kappa_or_why(*in_use(table, labels), raters)[0]


def _kappa(table: Table, labels: Sequence[str], raters: Sequence[str]) -> str:
    # As the page writes them: names that look the same are the same.
    labels, raters = ([normalize("NFC", name) for name in names] for names in (labels, raters))
    numbered = [str(i + 1) for i in range(len(labels))]
    query = {
        "t": cells_text(table),
        "labels": listed(labels) if list(labels) != numbered else "",
        "raters": listed(raters) if tuple(raters) != NAMELESS else "",
    }
    return address("/lab/kappa", query)


def in_use(table: Table, labels: Sequence[str]) -> tuple[list[list[Number]], list[str]]:
    """The table of the labels that either rater used, and of the first others up to two.

    >>> in_use([[0, 0, 0], [0, 4, 0], [0, 0, 0]], ["a", "b", "c"])
    ([[0, 0], [0, 4]], ['a', 'b'])
    """
    places = [(k, m) for k, row in enumerate(table) for m, n in enumerate(row) if n]
    used = {k for place in places for k in place}
    spare = [k for k in range(len(labels)) if k not in used]
    keep = sorted([*used, *spare[: max(0, MIN_LABELS - len(used))]])
    return [[table[k][m] for m in keep] for k in keep], [labels[k] for k in keep]


def kappa_or_why(
    table: Table, labels: Sequence[str], raters: Sequence[str]
) -> tuple[str | None, str]:
    """The address of a table as it is; or None, and a word for why the lab cannot hold it.

    "few_labels", "many_labels", "fractions", "large_cells", "names" or "long".

    >>> kappa_or_why([[1, 2], [3, 4]], ["a", "b" * 41], ["A", "B"])
    (None, 'names')
    """
    why = _misfit([cell for row in table for cell in row], labels, raters)
    if why:
        return None, why
    made = _kappa(table, labels, raters)
    return (None, "long") if _too_long(made) else (made, "")


def _misfit(cells: Sequence[Number], labels: Sequence[str], raters: Sequence[str]) -> str:
    if len(labels) < MIN_LABELS:
        return "few_labels"
    if len(labels) > MAX_LABELS:
        return "many_labels"
    if any(cell < 0 or cell != int(cell) for cell in cells):
        return "fractions"
    if any(cell > MAX_CELL for cell in cells):
        return "large_cells"
    return "" if all(map(is_name, (*labels, *raters))) else "names"


def is_name(text: str) -> bool:
    """Whether a page takes a text as a name: some characters on one line, and not too many.

    >>> is_name("50 % sure"), is_name(""), is_name("x" * 41), is_name("a" + chr(10) + "b")
    (True, False, False, False)
    """
    return 0 < len(text) <= MAX_NAME and text == text.strip() and text.isprintable()


def bio_address(
    tokens: Sequence[str],
    gold: Sequence[str],
    pred: Sequence[str],
    illegal: str = "open",
    scheme: str = "BIO",
) -> str | None:
    """The address of a sentence with two rows of tags in the BIO lab; None where it cannot hold it.

    Parameters
    ----------
    tokens, gold, pred
        The words, and a tag for each.
    illegal, scheme
        How the tags are read; a page reads illegal ones in two ways, "open" and "discard".

    Examples
    --------
    >>> bio_address(["Ana", "slept"], ["B-PER", "O"], ["O", "O"])
    '/lab/bio?tokens=Ana+slept&gold=B-PER+O&pred=O+O&illegal=open'
    >>> bio_address(["Ana Lee"], ["O"], ["O"]) is None
    True
    """
    if not tokens or not len(tokens) == len(gold) == len(pred) or len(tokens) > MAX_TOKENS:
        return None
    if illegal not in READINGS or not all(map(is_word, (*tokens, *gold, *pred))):
        return None
    rows = {"tokens": tokens, "gold": gold, "pred": pred}
    query = {name: " ".join(row) for name, row in rows.items()}
    other = {} if scheme == "BIO" else {"scheme": scheme}
    made = address("/lab/bio", query | {"illegal": illegal} | other)
    return None if _too_long(made) else made


def is_word(text: str) -> bool:
    """Whether a text is one word to a page, which splits sentences at white space.

    >>> is_word("Nẵng"), is_word("5 km"), is_word("")
    (True, False, False)
    """
    return len(text) <= MAX_TOKEN and text.split() == [text] and is_plain(text)


def is_plain(text: str) -> bool:
    """Whether a text has no control characters, and nothing that could not be sent."""
    return not any(category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text)


def _too_long(made: str) -> bool:
    """Whether an address could not be read once the page has added to it, as the language."""
    return len(made) > MAX_ADDRESS - 100
