"""From tag rows to spans, under a scheme and a convention for illegal rows, all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, one_of
from assay.spans.corpus import Ints, SpanSet, TagRows
from assay.spans.schemes import ALIASES, ILLEGAL, OPENS, PREFIXES, SAME_NAME, SCHEMES, Scheme

Mask = npt.NDArray[np.bool_]
Rules = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Illegal:
    """One illegal transition: where it arrives, and the two tags ("" at the edges)."""

    sentence: int
    position: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.before or 'start'}->{self.after or 'end'}"


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a row of tags says.

    Attributes
    ----------
    spans
        The spans under the convention.
    scheme, illegal
        The scheme and the convention.
    transitions
        Shape (illegal,): the unit (all sentences end to end) at which each illegal transition
        arrives; the number of units of the sentence past its start for an illegal end.
    at_end
        Shape (illegal,): whether the transition is that of the sentence's end.
    dropped
        Units that "discard" throws away (whatever the convention).
    rows
        The tag rows.
    """

    spans: SpanSet
    scheme: str
    illegal: str
    transitions: Ints
    at_end: Mask
    dropped: int
    rows: TagRows

    @property
    def n_illegal(self) -> int:
        return int(self.transitions.size)

    @cached_property
    def places(self) -> list[Illegal]:
        """Each illegal transition with its tags."""
        rows, offsets = self.rows, self.rows.text.offsets
        out = []
        for unit, ends in zip(self.transitions.tolist(), self.at_end.tolist(), strict=True):
            last = unit - 1 if ends else unit
            sentence = int(np.searchsorted(offsets, last, side="right")) - 1
            first = int(offsets[sentence])
            before = rows.tags[rows.codes[unit - 1]] if unit > first else ""
            after = "" if ends else rows.tags[rows.codes[unit]]
            out.append(Illegal(sentence, unit - first, before, after))
        return out


def parse_tags(
    rows: TagRows, *, suffix: bool = False
) -> tuple[npt.NDArray[np.int8], Ints, tuple[str, ...]]:
    """Prefix and type of each distinct tag, and the types.

    The type is all that follows the first separator (- or _), so types with hyphens survive.

    Raises
    ------
    InputError
        If a tag has no known prefix; with its sentence and position.

    Examples
    --------
    >>> prefixes, kinds, types = parse_tags(TagRows.of([["B-from-date", "I", "O", "U-x"]]))
    >>> prefixes.tolist(), kinds.tolist(), types
    ([1, 2, 0, 4], [1, 0, -1, 2], ('', 'from-date', 'x'))
    """
    split = [split_tag(tag, suffix=suffix) for tag in rows.tags]
    for code, parts in enumerate(split):
        if parts is None and (rows.codes == code).any():
            _unknown(rows, code, suffix)
    # A part of a file may know tags that it does not have.
    known = [parts or ("O", "") for parts in split]
    types = tuple(sorted({kind for prefix, kind in known if prefix != "O"}))
    place = {name: i for i, name in enumerate(types)}
    prefixes = np.array([PREFIXES.index(prefix) for prefix, _ in known], dtype=np.int8)
    kinds = np.array([-1 if p == "O" else place[k] for p, k in known], dtype=np.int64)
    return prefixes, kinds, types


def split_tag(tag: str, *, suffix: bool = False) -> tuple[str, str] | None:
    """A tag's canonical prefix and its type, or None if it has no known prefix."""
    if tag == "O":
        return "O", ""
    letter, kind = tag, ""
    found = [tag.index(mark) for mark in "-_" if mark in tag]
    if found and suffix:
        cut = max(tag.rindex(mark) for mark in "-_" if mark in tag)
        letter, kind = tag[cut + 1 :], tag[:cut]
    elif found:
        letter, kind = tag[: min(found)], tag[min(found) + 1 :]
    letter = ALIASES.get(letter, letter)
    if letter in ("B", "I", "E", "S"):
        return letter, kind
    return None


def _unknown(rows: TagRows, code: int, suffix: bool) -> None:
    tag = rows.tags[code]
    many = int(np.count_nonzero(rows.codes == code))
    such = f" ({many} such tags)" if rows.before is None else ""
    hint = ""
    if not suffix and split_tag(tag, suffix=True):
        hint = " If the prefix comes last, as in PER-B: --suffix."
    elif tag != tag.upper() and split_tag(tag.upper()):
        hint = " Prefixes are capital letters."
    raise InputError(
        f"{_first_place(rows, code)}: the tag {tag!r} has no known prefix{such}; expected O, or "
        f"B, I, E, S, L, U, M with a type, as in B-PER.{hint}",
        code="unknown_tag",
    )


def _first_place(rows: TagRows, code: int) -> str:
    """Where a tag first stands, counted from the start of the source."""
    unit = int(np.flatnonzero(rows.codes == code)[0])
    sentence = int(np.searchsorted(rows.text.offsets, unit, side="right")) - 1
    position = unit - int(rows.text.offsets[sentence])
    line = ""
    if rows.text.lines is not None:
        line = f" (line {int(rows.text.lines[sentence]) + position})"
    elif rows.text.names is not None:
        line = f" ({rows.text.names[sentence]})"
    number = sentence + (rows.before or 0) + 1
    return f"{rows.source}: sentence {number}, token {position + 1}{line}"


def table(rules: Rules) -> Mask:
    """Shape (previous, prefix, same type): whether a rule matches."""
    out = np.zeros((len(PREFIXES), len(PREFIXES), 2), dtype=bool)
    for before, after, kind in rules:
        i, j = PREFIXES.index(before), PREFIXES.index(after)
        if kind != "other":
            out[i, j, 1] = True
        if kind != "same":
            out[i, j, 0] = True
    return out


_OPENS = table(OPENS)
_LAST_TYPE = table((*OPENS[: 2 * len("OBIES")], *((p, n, "any") for p in "OES" for n in "IE")))


def _legal(rules: Scheme) -> Mask:
    """Shape as of :func:`table`: where a span may open, and the one before it may end."""
    closes = table(rules.closes)
    closes[PREFIXES.index("O")] = True
    return np.asarray(table(rules.opens) & closes)


def scheme_named(name: str) -> Scheme:
    """The scheme called ``name``, by any of its names."""
    name = SAME_NAME.get(name.upper(), name.upper())
    return SCHEMES[one_of(name, SCHEMES, "scheme")]


def _rows(given: Any) -> TagRows:
    """Tag rows from themselves, from lists of tags, or of what was read."""
    if isinstance(given, TagRows):
        return given
    if hasattr(given, "rows") and hasattr(given, "spans"):
        if given.rows is None:
            raise InputError("decode: spans were read here, and no tags; take its .spans.")
        return _rows(given.rows)
    return TagRows.of(given)


def decode(
    rows: TagRows | Sequence[Sequence[str]] | Any,
    *,
    scheme: str = "BIO",
    illegal: str = "open",
    suffix: bool = False,
) -> Decoded:
    """The spans of tag rows.

    Parameters
    ----------
    rows
        The tags: lists of them, one a sentence, or what :func:`assay.read_spans` returned.
    scheme
        "BIO" (IOB2), "IOB1", "IOE1", "IOE2", "BIOES", "BILOU", "BMES" or "IO".
    illegal
        How illegal transitions are read: "open", "discard" or "last-type".
    suffix
        Whether the prefix comes last, as in PER-B.

    Raises
    ------
    InputError
        If a tag has no known prefix, or one that the scheme does not have.

    Examples
    --------
    >>> rows = [["B-PER", "I-ORG", "I-ORG"]]
    >>> decode(rows).spans.to_list()
    [(0, 0, 1, 'PER'), (0, 1, 3, 'ORG')]
    >>> strict = decode(rows, illegal="discard")
    >>> strict.spans.to_list(), strict.n_illegal, strict.dropped
    ([(0, 0, 1, 'PER')], 1, 2)
    """
    one_of(illegal, ILLEGAL, "illegal")
    rules = scheme_named(scheme)
    rows = _rows(rows)
    prefixes, kinds, types = parse_tags(rows, suffix=suffix)
    _check_letters(rows, prefixes, rules)
    n = rows.codes.size
    offsets = rows.text.offsets
    first = np.zeros(n + 1, dtype=bool)
    first[offsets[:-1][rows.text.lengths > 0]] = True
    events = _events(rows.codes, prefixes, kinds, first, rules, illegal)
    # The last unit of each sentence, where a span may be cut off.
    last = offsets[1:][rows.text.lengths > 0] - 1
    ending = prefixes[rows.codes[last]]
    cut = last[(ending > 0) & ~table(rules.closes)[ending, 0, 0]]
    arrive = np.flatnonzero(events & (BAD_OPEN | BAD_CLOSE))
    # A sentence's end comes before the start of the next.
    transitions = np.concatenate([cut + 1, arrive])
    ends = np.concatenate([np.ones(cut.size, bool), np.zeros(arrive.size, bool)])
    order = np.argsort(transitions, kind="stable")
    start, stop = _edges(events, STARTS, first)
    a, b = _edges(events, OPENED, first) if illegal == "last-type" else (start, stop)
    badly_closed = np.zeros(n + 1, dtype=bool)
    badly_closed[arrive] = events[arrive] & BAD_CLOSE > 0
    cut_off = np.zeros(n + 1, dtype=bool)
    cut_off[cut + 1] = True
    wrong = (events[a] & BAD_OPEN > 0) | badly_closed[b] | cut_off[b]
    dropped = int((b - a)[wrong].sum())
    if illegal == "discard":
        start, stop = start[~wrong], stop[~wrong]
    kind = kinds[rows.codes[stop - 1 if illegal == "last-type" else start]]
    sentence = np.searchsorted(offsets, start, side="right") - 1
    base = offsets[sentence]
    spans = SpanSet(sentence, start - base, stop - base, kind, types)
    return Decoded(spans, rules.name, illegal, transitions[order], ends[order], dropped, rows)


# What happens at a unit, as bits.
STARTS, OPENED, INSIDE, BAD_OPEN, BAD_CLOSE = (np.uint8(1 << k) for k in range(5))
"""A span starts; one would start under "open"; the unit is in a span; an illegal opening; an
illegal closing of the span before."""

PAIRS = 1 << 22
"""Up to this many pairs of tags, events are looked up by pair."""


def _events(
    codes: npt.NDArray[Any],
    prefixes: npt.NDArray[np.int8],
    kinds: Ints,
    first: Mask,
    rules: Scheme,
    illegal: str,
) -> npt.NDArray[np.uint8]:
    """Shape (units,): what happens at each unit, from its tag and the one before."""
    # One more tag stands for what comes before a sentence.
    edge = prefixes.size
    prefixes, kinds = np.append(prefixes, np.int8(0)), np.append(kinds, -1)
    before = np.empty(codes.size, dtype=np.int32)
    before[1:] = codes[:-1]
    before[first[: codes.size]] = edge
    if (edge + 1) ** 2 > PAIRS:
        return what_happens(prefixes, kinds, before, codes, rules, illegal)
    one, two = np.divmod(np.arange((edge + 1) ** 2), edge + 1)
    known = what_happens(prefixes, kinds, one, two, rules, illegal)
    before *= edge + 1
    before += codes
    return known[before]


def what_happens(
    prefixes: npt.NDArray[np.int8],
    kinds: Ints,
    before: npt.NDArray[Any],
    now: npt.NDArray[Any],
    rules: Scheme,
    illegal: str,
) -> npt.NDArray[np.uint8]:
    """The events at a tag that follows another, for arrays of both."""
    p, q = prefixes[before], prefixes[now]
    same = (kinds[before] == kinds[now]).astype(np.int8)
    inside = q > 0
    opens = _OPENS if illegal != "last-type" else _LAST_TYPE | (_OPENS & _legal(rules))
    starts, opened = opens[p, q, same] & inside, _OPENS[p, q, same] & inside
    bad_open = opened & ~table(rules.opens)[p, q, same]
    bad_close = (p > 0) & (opened | ~inside) & ~table(rules.closes)[p, q, same]
    out = np.zeros(p.size, dtype=np.uint8)
    for bit, mask in zip(
        (STARTS, OPENED, INSIDE, BAD_OPEN, BAD_CLOSE),
        (starts, opened, inside, bad_open, bad_close),
        strict=True,
    ):
        out[mask] |= bit
    return out


def _edges(events: npt.NDArray[np.uint8], opening: np.uint8, first: Mask) -> tuple[Ints, Ints]:
    """First and past-the-last unit of each span."""
    n = events.size
    starts = events & opening > 0
    start = np.flatnonzero(starts)
    # A span ends before the next start, the next O, or the next sentence.
    breaks = np.ones(n + 1, dtype=bool)
    breaks[:n] = starts | (events & INSIDE == 0) | first[:n]
    at = np.flatnonzero(breaks)
    place = np.cumsum(breaks)  # breaks up to and with a unit; the next is the span's end
    return start, at[place[start]]


def _check_letters(rows: TagRows, prefixes: npt.NDArray[np.int8], rules: Scheme) -> None:
    for code, prefix in enumerate(prefixes.tolist()):
        if PREFIXES[prefix] not in rules.letters and (rows.codes == code).any():
            raise InputError(
                f"{_first_place(rows, code)}: the tag {rows.tags[code]!r} is not of the scheme "
                f"{rules.name} ({' '.join(rules.letters.values())}); another one: --scheme "
                f"{'BIOES' if PREFIXES[prefix] in 'ES' else 'BIO'}.",
                code="wrong_scheme",
            )


def detect_scheme(*sides: TagRows, suffix: bool = False) -> str:
    """The scheme that the tags of all sides together are written in.

    Letters decide where they can. B, I, O may be BIO or IOB1, and I, E, O IOE2 or IOE1: the
    second only if every side that has spans has fewer illegal transitions under it, so the order
    of the sides does not matter. Rows with no B are taken as BIO, which reads them as IO does
    unless the convention is to discard.
    """
    from assay.spans.detect import Written, scheme_of

    return scheme_of(*(Written(suffix).add(rows) for rows in sides))
