"""Find a text file's encoding and separator from its first bytes."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ReadingError, UsageError
from assay.ratings.sources.grid import WHITE
from assay.ratings.words import ITEM_NAMES, LABEL_NAMES, RATER_NAMES, squash

HEADS = ITEM_NAMES | RATER_NAMES | LABEL_NAMES
TITLES = 20
"""So many lines of one cell at most are titles above a table."""

SAMPLE = 1 << 18
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class TextSample:
    """The beginning of a text file, decoded."""

    text: str
    encoding: str
    whole: bool
    """Whether ``text`` is the entire file."""


def read_sample(path: Path, encoding: str | None) -> TextSample:
    """Decode the beginning of a file.

    Raises
    ------
    ReadingError
        If the file is empty or binary, or is not in the encoding.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        whole = not file.read(1)
    if not head.strip(b"\x00 \t\r\n"):
        raise ReadingError(f"{path}: the file is empty; a header line and rows are needed.")
    found = encoding or find_encoding(head, path)
    try:
        decoder = codecs.getincrementaldecoder(found)()
    except LookupError:
        raise UsageError(
            f"encoding: {encoding!r} is not known; for example utf-8, utf-16, cp1252, latin-1."
        ) from None
    try:
        text = decoder.decode(head, final=whole)
    except UnicodeDecodeError as error:
        raise not_decodable(path, found, error.start, head[error.start : error.start + 1]) from None
    text = text.removeprefix("\ufeff")
    if whole and not text.strip(WHITE):
        raise ReadingError(f"{path}: the file is empty; a header line and rows are needed.")
    return TextSample(text, found, whole)


def find_encoding(head: bytes, path: Path) -> str:
    """The encoding by byte order mark or by the pattern of zero bytes; else UTF-8."""
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if b"\x00" in head:
        even, odd = head[0:4096:2].count(0), head[1:4096:2].count(0)
        half = min(len(head), 4096) // 2
        if odd > 0.4 * half and even < 0.05 * half:
            return "utf-16-le"
        if even > 0.4 * half and odd < 0.05 * half:
            return "utf-16-be"
        raise ReadingError(
            f"{path}: not a text file (zero byte at position {head.index(0)}); CSV, TSV, JSON "
            "lines, JSON, Parquet and Excel files are read."
        )
    return "utf-8"


def not_decodable(path: Path, encoding: str, position: int, byte: bytes) -> ReadingError:
    """The error for bytes that the encoding does not have."""
    return ReadingError(
        f"{path}: not {encoding.upper().removesuffix('-SIG')} (byte 0x{byte.hex()} at position "
        f"{position}); say which encoding it is, for example --encoding cp1252 or "
        "--encoding latin-1.",
        code="encoding",
    )


def separator_option(delimiter: str) -> str:
    """The separator that a person named: a character, or comma, semicolon, tab, pipe."""
    words = {word: sign for sign, word in SEPARATORS.items()} | {"pipe": "|", "\\t": "\t"}
    sign = words.get(delimiter.strip().lower() or delimiter, delimiter)
    if len(sign) != 1 or sign in '"\r\n':
        raise UsageError(f"delimiter: one character is needed (or 'tab'), not {delimiter!r}.")
    return sign


def records(text: str, separator: str, *, limit: int = 200) -> list[list[str]]:
    """The first records of a text, blank lines left out."""
    found = []
    csv.field_size_limit(1 << 27)
    for record in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        if record:
            found.append(record)
        if len(found) == limit:
            break
    return found


@dataclass(frozen=True, slots=True)
class Start:
    """What stands above the header of a text file."""

    skip: int = 0
    """Lines above the header."""
    titles: tuple[str, ...] = ()
    header: tuple[str, ...] = ()


def declared_separator(text: str) -> str | None:
    r"""The separator that a first line ``sep=;`` declares, as spreadsheets write it.

    >>> declared_separator("sep=;\nitem;a;b"), declared_separator("item;a;b")
    (';', None)
    """
    found = re.match(r"sep=(.)[ \t]*\r?\n", text, re.IGNORECASE)
    return found[1] if found else None


def find_start(text: str, separator: str, skip: int = 0) -> Start:
    r"""The header's record, below lines that are blank or hold one cell.

    >>> find_start("Our study\n\nitem,a,b\nq,1,2\n", ",")
    Start(skip=2, titles=('Our study',), header=('item', 'a', 'b'))
    """
    csv.field_size_limit(1 << 27)
    lines = io.StringIO(text, newline="")
    for _ in range(skip):
        next(lines, "")
    reader = csv.reader(lines, delimiter=separator)
    above: list[str] = []
    first: tuple[int, list[str]] | None = None
    before = skip
    for record in reader:
        filled = [cell.strip(WHITE) for cell in record if cell.strip(WHITE)]
        if first is None and filled:
            first = (before, record)
        if len(filled) > 1 or (filled and squash(filled[0]) in HEADS):
            return Start(before, tuple(above), tuple(record))
        above += filled
        before = skip + reader.line_num
        if len(above) > TITLES:
            break
    # No line holds two cells near the top: one column, whose first line is its name.
    return Start(first[0], (), tuple(first[1])) if first else Start(skip)


def find_separator(sample: TextSample) -> str:
    r"""The separator under which the records have equally many fields.

    >>> find_separator(TextSample("item;r1;r2\na;1,5;2,5\nb;1,0;2,0\n", "utf-8", True))
    ';'
    """
    best, score = ",", (0.0, 0, 0)
    for sign in SEPARATORS:
        rows = records(sample.text, sign)
        if not sample.whole and len(rows) > 1 and len(rows) < 200:
            rows = rows[:-1]  # cut off by the end of the sample
        titles = len(find_start(sample.text, sign).titles)
        rows = rows[titles:]
        if not rows or len(rows[0]) < 2:
            continue
        sizes = Counter(len(row) for row in rows)
        share = sizes[len(rows[0])] / len(rows)
        if (share, -titles, len(rows[0])) > score:
            best, score = sign, (share, -titles, len(rows[0]))
    return best
