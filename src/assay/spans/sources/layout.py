"""How a file of columns is laid out: its separator, its columns, and which lines are no tokens."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise

from assay.errors import InputError
from assay.spans.decode import split_tag
from assay.spans.sources.fields import split_line

DOCSTART = b"-DOCSTART-"
CONLLU = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_ID = re.compile(rb"\d+([-.]\d+)?")
_SAMPLE = 1 << 14

Column = int | str


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read the lines.

    Attributes
    ----------
    source
        The file's name, for messages.
    tabs
        Whether fields are separated by single tabs (and may hold blanks), or by white space.
    width
        The number of columns of nearly all lines.
    token
        The place of the column of tokens, from 0, or None.
    names
        The columns' names where the file gives them.
    conllu
        Whether it is CoNLL-U, with ranges and empty nodes.
    loose
        Whether lines may have another number of columns than most.
    """

    source: str
    tabs: bool
    width: int
    token: int | None
    names: tuple[str, ...] = ()
    conllu: bool = False
    loose: bool = False

    def place(self, column: Column) -> int | str:
        """A column by position from 0 (negative: from the end), or a key of MISC.

        Raises
        ------
        InputError
            If there is no such column.
        """
        if isinstance(column, str):
            if column in self.names:
                return self.names.index(column)
            if self.conllu:
                return column
            known = f": {', '.join(self.names)}" if self.names else " without names"
            raise InputError(
                f"{self.source}: no column is called {column!r}; the file has {self.width} "
                f"columns{known}. Positions count from 1, or from the end as −1."
            )
        if column == 0 or not -self.width <= column <= self.width:
            raise InputError(
                f"{self.source}: there is no column {column}; the file has {self.width}, counted "
                "from 1, or from the end as −1."
            )
        return column - 1 if column > 0 else column

    def without_tokens(self) -> Layout:
        """The same lines, without a column of tokens."""
        return replace(self, token=None)

    def is_data(self, fields: list[bytes], places: tuple[int | str, ...] = (-1,)) -> bool:
        """Whether a line is a token's, and no comment, document mark or range."""
        if not fields or fields[0].startswith(DOCSTART):
            return False
        if fields[0].startswith(b"#"):
            return self.is_token(fields, places)
        return not (self.conllu and not fields[0].isdigit())

    def is_token(self, fields: list[bytes], places: tuple[int | str, ...]) -> bool:
        """Whether a line that begins with # is a token's and no comment."""
        if self.conllu or len(fields) != self.width or self.width == 1:
            return False
        if self.tabs:
            return True
        for place in places:
            if isinstance(place, int):
                tag = fields[place].decode("utf-8", "replace")
                if not (split_tag(tag) or split_tag(tag, suffix=True)):
                    return False
        return True

    def tokens(self, block: bytes, places: tuple[int | str, ...] = (-1,)) -> list[str]:
        """The tokens of one sentence's lines."""
        if self.token is None:
            return []
        rows = (split_line(line, self.tabs) for line in block.split(b"\n"))
        return [
            row[self.token].decode("utf-8", "surrogatepass")
            for row in rows
            if self.is_data(row, places)
        ]


def find_layout(
    head: bytes, source: str, *, token_column: Column | None = None, loose: bool = False
) -> Layout:
    """The layout, by the first lines.

    Raises
    ------
    InputError
        If no line has a token, or a token column that does not exist was asked for.
    """
    lines = [line for line in head[:_SAMPLE].split(b"\n") if line.strip()]
    if len(head) >= _SAMPLE and len(lines) > 1:
        lines.pop()
    data = [line for line in lines if not line.startswith((b"#", DOCSTART))]
    data = data or [line for line in lines if not line.startswith(DOCSTART)]
    if not data:
        raise InputError(f"{source}: no tokens; only document marks and blank lines.")
    tabs = sum(b"\t" in line.strip() for line in data) * 2 >= len(data)
    widths = Counter(len(split_line(line, tabs)) for line in data)
    if tabs and len(widths) > 1:
        runs = Counter(len(split_line(line, False)) for line in data)
        if len(runs) == 1:
            tabs, widths = False, runs
    # Of numbers that are equally frequent the larger: an empty last cell is no column.
    width = max(widths, key=lambda n: (widths[n], n))
    rows = [row for row in (split_line(line, tabs) for line in data) if len(row) == width]
    conllu = tabs and width == 10 and all(_ID.fullmatch(row[0]) for row in rows)
    names: tuple[str, ...] = CONLLU if conllu else ()
    for line in lines:
        if line.startswith(b"# global.columns"):
            names = tuple(line.decode("utf-8", "replace").partition("=")[2].split())
            break
    names = names if len(names) == width else ()
    layout = Layout(source, tabs, width, None, names, conllu, loose)
    if token_column is not None:
        place = layout.place(token_column)
        if isinstance(place, str):
            raise InputError(f"{source}: no column is called {token_column!r}.")
        token: int | None = place % width
    else:
        token = _token_place(rows, width, conllu, names)
    return Layout(source, tabs, width, token, names, conllu, loose)


def _token_place(
    rows: list[list[bytes]], width: int, conllu: bool, names: tuple[str, ...]
) -> int | None:
    """The first column, but the second after running numbers, and none where all are tags."""
    if "FORM" in names:
        return names.index("FORM")
    if width == 1:
        return None
    if conllu or (width > 2 and _numbered([row[0] for row in rows])):
        return 1
    return None if width == 2 and _all_tags([row[0] for row in rows]) else 0


def _numbered(column: list[bytes]) -> bool:
    """Whether a column counts tokens, from 0 or 1, anew for each sentence."""
    if not all(cell.isdigit() and len(cell) < 6 for cell in column):
        return False
    numbers = [int(cell) for cell in column]
    low = numbers[0]
    if low not in (0, 1):
        return False
    return all(b in (low, a + 1) for a, b in pairwise(numbers))


def _all_tags(column: list[bytes]) -> bool:
    """Whether a column holds tags; one of nothing but the word "I" holds tokens."""
    texts = [cell.decode("utf-8", "replace") for cell in column]
    return not {"I"}.issuperset(texts) and all(
        split_tag(text) or split_tag(text, suffix=True) for text in texts
    )
