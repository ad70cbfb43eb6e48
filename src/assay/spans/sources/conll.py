"""One token a line in columns: CoNLL files of any number of columns, and CoNLL-U."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.spans.sources.codes import Words, distinct, fingerprints, words
from assay.spans.sources.fields import Fields, Ints, split_block
from assay.spans.sources.layout import DOCSTART, Column, Layout

_BREAK = re.compile(rb"\n[ \t\r]*\n")
_NAME = re.compile(rb"#\s*(?:sent_id|sentence_id|id)\b\s*[=:]?\s*(\S+)")
_DOCUMENT = re.compile(rb"#\s*(?:newdoc|begin document)\b")
_START = int.from_bytes(DOCSTART[:8], "little")
BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Block:
    """Whole sentences of a file.

    Attributes
    ----------
    codes, tags
        For each column asked for: the code of every token's tag, and what the codes stand for.
    lengths, lines, start, stop
        Shape (sentences,): tokens; line of the first token from 0; first byte, and past the last.
    marks
        Shape (marks,): before which sentence a document begins.
    names
        Sentence to its id, where comments give one.
    keys
        Shape (sentences,): fingerprints of the tokens, or None without tokens.
    comments, n_lines
        How many lines are comments, and how many there are.
    odd
        Line number, and number of columns, of the first line with another number of columns.
    untagged
        Tokens without the key asked for in MISC.
    """

    codes: tuple[Ints, ...]
    tags: tuple[tuple[str, ...], ...]
    lengths: Ints
    lines: Ints
    start: Ints
    stop: Ints
    marks: Ints
    names: dict[int, str]
    keys: Words | None
    comments: int
    n_lines: int
    odd: tuple[int, int] | None
    untagged: int


def cut(data: bytes, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Where to cut the text into blocks of whole sentences."""
    begin = 0
    while begin < len(data):
        found = _BREAK.search(data, begin + size)
        end = found.end() if found else len(data)
        yield begin, end
        begin = end


def last_break(data: bytes) -> int:
    """Where the last whole sentence of a text ends, 0 if no sentence does."""
    at = len(data)
    while at > 0:
        begin = data.rfind(b"\n", 0, at)
        if begin < 0:
            return 0
        # A blank line ends at this newline if nothing but blanks is before it in its line.
        before = data.rfind(b"\n", 0, begin)
        if before >= 0 and not data[before + 1 : begin].strip(b" \t\r"):
            return begin + 1
        at = begin
    return 0


def parse_block(
    block: bytes, layout: Layout, columns: Sequence[Column], *, first_line: int = 0
) -> Block:
    """Read a block of whole sentences.

    Raises
    ------
    InputError
        If a line has another number of columns than the layout says.
    """
    places = tuple(layout.place(column) for column in columns)
    fields = split_block(block, layout.tabs)
    width = fields.width
    n_lines = width.size
    data_line = width > 0
    full = np.flatnonzero(data_line)
    breaks = ~data_line
    head = words(fields.data, *fields.column(full, 0))
    comments = full[(head & np.uint64(255)) == ord("#")]
    marks: list[int] = []
    notes: dict[int, str] = {}
    for line in full[head == np.uint64(_START)].tolist():
        if fields.of(line)[0].startswith(DOCSTART):
            marks.append(line)
            data_line[line], breaks[line] = False, True
    kept = np.ones(comments.size, dtype=bool)
    for i, line in enumerate(comments.tolist()):
        if layout.is_token(fields.of(line), places):
            kept[i] = False
            continue
        text = fields.line(line)
        if found := _NAME.match(text):
            notes[line] = found[1].decode("utf-8", "replace")
        if _DOCUMENT.match(text):
            marks.append(line)
    comments = comments[kept]
    data_line[comments] = False
    if layout.conllu:
        data_line[full[_not_words(head)]] = False
    at = np.flatnonzero(data_line)
    odd = _check_widths(fields, at, layout, places, first_line)
    begins = _sentences(at, np.flatnonzero(breaks))
    lengths = np.diff(begins, append=at.size)
    found_codes, found_tags, untagged = [], [], 0
    for place in places:
        codes, tags, missing = _column(fields, at, place)
        found_codes.append(codes)
        found_tags.append(tags)
        untagged += missing
    keys = None
    if layout.token is not None:
        same = layout.token == 0 and at.size == full.size
        where = fields.column(at, layout.token)
        keys = fingerprints(fields.data, *where, lengths, first=head if same else None)
    lines = at[begins]
    last = at[begins + lengths - 1]
    stop = np.append(fields.lines[1:], len(block))[last]
    before = np.searchsorted(lines, np.array(sorted(marks), dtype=np.int64))
    names = {}
    for line, name in notes.items():
        sentence = int(np.searchsorted(lines, line))
        if sentence < lines.size:
            names[sentence] = name
    return Block(
        tuple(found_codes), tuple(found_tags), lengths, lines + first_line, fields.lines[lines],
        stop, before, names, keys, int(comments.size), n_lines, odd, untagged,
    )  # fmt: skip


def _not_words(head: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Ranges (1-2) and empty nodes (1.1) of CoNLL-U, by the first bytes of their numbers."""
    letters = head.astype("<u8").view(np.uint8).reshape(-1, 8)
    return np.asarray(((letters == ord("-")) | (letters == ord("."))).any(axis=1))


def _sentences(at: Ints, breaks: Ints) -> Ints:
    """Where each sentence begins among the tokens."""
    begins = np.searchsorted(at, breaks)
    begins = np.concatenate([np.zeros(1, dtype=np.int64), begins])
    fresh = np.ones(begins.size, dtype=bool)
    fresh[1:] = np.diff(begins) > 0
    begins = begins[fresh]
    return begins[begins < at.size]


def _check_widths(
    fields: Fields,
    at: Ints,
    layout: Layout,
    places: tuple[int | str, ...],
    first_line: int,
) -> tuple[int, int] | None:
    """The first line with another number of columns, where lines may differ."""
    width = fields.width[at]
    if (width == layout.width).all():
        return None
    odd = at[np.flatnonzero(width != layout.width)]
    need = max(max(p + 1 if p >= 0 else -p for p in (*ints(places), layout.token or 0)), 1)
    if layout.loose:
        short = odd[fields.width[odd] < need]
        if not short.size:
            return first_line + int(odd[0]) + 1, int(fields.width[odd[0]])
        odd = short
    line = int(odd[0])
    found = fields.line(line).decode("utf-8", "replace")
    kind = "separated by tabs" if layout.tabs else "separated by white space"
    hint = " A token may contain blanks only where tabs separate the columns."
    if layout.tabs and found.endswith("\t") and fields.width[line] < layout.width:
        hint = " The line ends with a tab: its last cell is empty."
    elif layout.tabs and "\t" not in found.strip():
        hint = " This line has no tab."
    raise InputError(
        f"{layout.source}, line {first_line + line + 1}: {int(fields.width[line])} "
        f"{'column' if fields.width[line] == 1 else 'columns'} where the other lines have "
        f"{layout.width} ({kind}): {found[:60]!r}.{hint} If lines differ on purpose, say which "
        "column holds the tag, for example --column -1.",
        code="ragged",
    )


def ints(places: Sequence[int | str]) -> list[int]:
    """Those of the places that are positions."""
    return [place for place in places if isinstance(place, int)]


def _column(fields: Fields, at: Ints, place: int | str) -> tuple[Ints, tuple[str, ...], int]:
    """Codes, tags and the number of tokens without one."""
    key = None
    if isinstance(place, str):
        key = re.compile(rf"(?:^|\|){re.escape(place)}=([^|]*)")
        place = -1
    start, length = fields.column(at, place)
    codes, first = distinct(fields.data, start, length)
    begin, size = start[first].tolist(), length[first].tolist()
    tags = [
        fields.data[i : i + n].decode("utf-8", "surrogatepass")
        for i, n in zip(begin, size, strict=True)
    ]
    if key is None:
        return codes, tuple(tags), 0
    found = [key.search(tag) for tag in tags]
    absent = np.array([m is None for m in found], dtype=bool)
    missing = int(np.bincount(codes, minlength=len(tags))[absent].sum()) if tags else 0
    return codes, tuple(m[1] if m else "O" for m in found), missing


class Vocabulary:
    """The tags of all blocks of a file, numbered in the order they first come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._next = count()

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags by number."""
        return tuple(self._numbers)

    def renumber(self, codes: Ints, tags: tuple[str, ...]) -> npt.NDArray[np.int32]:
        """A block's codes as the file's."""
        known = self._numbers
        # The block's own numbers follow no order, so they are numbered by where they first come.
        if any(tag not in known for tag in tags):
            first = np.zeros(len(tags), dtype=np.int64)
            # Of several assignments the last one stays: backwards, that of the first place.
            first[codes[::-1]] = np.arange(codes.size)[::-1]
            for code in np.argsort(first).tolist():
                if tags[code] not in known:
                    known[tags[code]] = next(self._next)
        table = np.array([known[tag] for tag in tags], dtype=np.int32)
        return np.asarray(table[codes]) if codes.size else np.zeros(0, dtype=np.int32)
