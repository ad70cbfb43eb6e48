"""Tag schemes as data: which prefixes exist, where spans open and end, what is legal.

Prefixes are written O, B, I, E, S here; L and M are other names for E and I, U and W for S.
Each scheme lists between which tags a span may open and close, as (previous prefix, prefix, type)
with type "same", "other" or "any". Every other opening or closing is illegal.

How an illegal row is read is a convention. "open" reads every row by one table of openings, the
rules of the CoNLL-2000 evaluation extended to E and S. "discard" throws away the spans that
"open" opened or closed against the scheme's rules. "last-type" lets an I or E that may not open
a span continue whatever span is open, which then has the last tag's type. All three read a legal
row alike.

References
----------
Tjong Kim Sang, E. F. and Veenstra, J. (1999). Representing text chunks. EACL 1999.
Tjong Kim Sang, E. F. and Buchholz, S. (2000). Introduction to the CoNLL-2000 shared task.
"""

from __future__ import annotations

from dataclasses import dataclass

PREFIXES = "OBIES"
ALIASES = {"L": "E", "M": "I", "U": "S", "W": "S"}

ILLEGAL = ("open", "discard", "last-type")


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way of writing spans as tags.

    Attributes
    ----------
    name
        As asked for.
    letters
        The letters it is written with, for those of the prefixes O, B, I, E, S that it has.
    opens
        (previous, prefix, type) at which a span may open. O stands for the start, too.
    closes
        (prefix, next, type) between which a span may end. O stands for the end, too.
    """

    name: str
    letters: dict[str, str]
    opens: tuple[tuple[str, str, str], ...]
    closes: tuple[tuple[str, str, str], ...]


def _each(previous: str, now: str, kind: str = "any") -> tuple[tuple[str, str, str], ...]:
    return tuple((p, n, kind) for p in previous for n in now)


_BIOES = {
    "opens": _each("OBIES", "BS"),
    "closes": _each("ES", "OBIES"),
}

SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "BIO",
            {"O": "O", "B": "B", "I": "I"},
            opens=_each("OBI", "B"),
            closes=_each("BI", "OBI"),
        ),
        Scheme(
            "IOB1",
            {"O": "O", "B": "B", "I": "I"},
            opens=(*_each("O", "I"), *_each("BI", "I", "other"), *_each("BI", "B", "same")),
            closes=_each("BI", "OBI"),
        ),
        Scheme(
            "IOE1",
            {"O": "O", "I": "I", "E": "E"},
            opens=_each("OIE", "IE"),
            closes=(*_each("I", "O"), *_each("I", "IE", "other"), *_each("E", "IE", "same")),
        ),
        Scheme(
            "IOE2",
            {"O": "O", "I": "I", "E": "E"},
            opens=_each("OIE", "IE"),
            closes=_each("E", "OIE"),
        ),
        Scheme("BIOES", {p: p for p in PREFIXES}, **_BIOES),
        Scheme("BILOU", {"O": "O", "B": "B", "I": "I", "E": "L", "S": "U"}, **_BIOES),
        Scheme("BMES", {"O": "O", "B": "B", "I": "M", "E": "E", "S": "S"}, **_BIOES),
        Scheme(
            "IO",
            {"O": "O", "I": "I"},
            opens=_each("OI", "I"),
            closes=_each("I", "OI"),
        ),
    )
}

SAME_NAME = {"IOB2": "BIO", "IOBES": "BIOES", "BMEWO": "BMES", "IOB": "IOB1"}
"""Other names that people use."""

# Where "open" begins a span, in every scheme: (previous, prefix, type). It goes on everywhere
# else, and ends where the next begins, at O, and with the sentence.
OPENS: tuple[tuple[str, str, str], ...] = (
    *_each("OBIES", "BS"),
    *_each("OES", "IE"),
    *_each("BI", "IE", "other"),
)
