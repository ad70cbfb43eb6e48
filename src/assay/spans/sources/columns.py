"""Whole files of columns, read block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import TagRows, Text
from assay.spans.sources.conll import Block, Vocabulary, cut, parse_block
from assay.spans.sources.fields import Ints
from assay.spans.sources.layout import Column, Layout, find_layout
from assay.spans.sources.load import Loaded
from assay.spans.sources.texts import ColumnTokens, Names, Tokens


@dataclass(slots=True)
class Gathering:
    """Blocks of one file put together.

    ``line`` and ``documents`` say how many of them come before, and ``marked`` that a document
    begins at the first sentence.
    """

    layout: Layout
    columns: tuple[Column, ...]
    blocks: list[Block] = field(default_factory=list)
    starts: list[Ints] = field(default_factory=list)
    stops: list[Ints] = field(default_factory=list)
    line: int = 0
    documents: int = 0
    marked: bool = False

    def add(self, data: bytes, begin: int, end: int) -> Block:
        """Read one more block of the text."""
        block = parse_block(data[begin:end], self.layout, self.columns, first_line=self.line)
        self.line += block.n_lines
        self.blocks.append(block)
        self.starts.append(block.start + begin)
        self.stops.append(block.stop + begin)
        return block

    def rows(self, data: bytes) -> tuple[TagRows, ...]:
        """The tag rows of each column."""
        blocks = self.blocks
        text = self.text(data)
        out = []
        for k in range(len(self.columns)):
            seen = Vocabulary()
            codes = [seen.renumber(block.codes[k], block.tags[k]) for block in blocks]
            out.append(TagRows(np.concatenate(codes), seen.tags, text, self.layout.source))
        return tuple(out)

    def text(self, data: bytes) -> Text:
        """The sentences."""
        blocks, layout = self.blocks, self.layout
        lengths = np.concatenate([block.lengths for block in blocks])
        sizes = [block.lengths.size for block in blocks]
        base = np.cumsum([0, *sizes]).tolist()
        tokens = None
        if layout.token is not None:
            keys = [block.keys for block in blocks if block.keys is not None]
            cells = ColumnTokens(
                data,
                np.concatenate(self.starts),
                np.concatenate(self.stops),
                layout,
                tuple(layout.place(column) for column in self.columns),
            )
            tokens = Tokens([cells], keys=np.concatenate(keys))
        known = {
            base[i] + sentence: name
            for i, block in enumerate(blocks)
            for sentence, name in block.names.items()
        }
        marks = np.concatenate([block.marks + base[i] for i, block in enumerate(blocks)])
        return Text(
            lengths,
            tokens,
            self._documents(marks, lengths.size),
            "token",
            Names(known, lengths.size) if known else None,
            np.concatenate([block.lines for block in blocks]) + 1,
        )

    def _documents(self, marks: Ints, n: int) -> Ints | None:
        """Each sentence's document, numbered without gaps; None without marks."""
        marked, self.marked = self.marked, bool((marks >= n).any())
        if not marks.size and not self.documents:
            return None
        begins = np.zeros(n, dtype=bool)
        begins[marks[marks < n]] = True
        if n and marked:
            begins[0] = True
        # The first sentence of the file is in document 0, with a mark before it or not.
        if n and not self.documents:
            begins[0] = True
        numbers = self.documents - 1 + np.cumsum(begins)
        self.documents = int(numbers[-1]) + 1 if n else self.documents
        return numbers.astype(np.int64)

    def notes(self) -> list[Note]:
        """What the reading report says of the lines."""
        notes = []
        comments = sum(block.comments for block in self.blocks)
        if comments:
            notes.append(Note("comments", f"comment lines (#) left out: {comments}"))
        odd = [block.odd for block in self.blocks if block.odd]
        if odd:
            notes.append(
                Note(
                    "columns_differ",
                    f"{self.layout.source}, line {odd[0][0]}: {odd[0][1]} columns where others "
                    f"have {self.layout.width}",
                    "warning",
                )
            )
        untagged = sum(block.untagged for block in self.blocks)
        if untagged:
            notes.append(
                Note(
                    "untagged",
                    f"tokens without {self.columns[0]}= in MISC, taken as O: {untagged}",
                )
            )
        return notes


def read_columns(
    loaded: Loaded,
    columns: Sequence[Column | None],
    *,
    token_column: Column | None = None,
    separated: bool = False,
) -> tuple[tuple[TagRows, ...], tuple[Note, ...], str]:
    """The tag rows of some columns, notes, and the format's name.

    Parameters
    ----------
    loaded
        The file.
    columns
        Positions from 1 or from the end, or names; None for the last (CoNLL-U: NER in MISC), and
        for the last two if there are several.
    token_column
        The column of tokens, where it is not the first.
    separated
        Whether two columns are gold and prediction, so that neither may be the tokens'.

    Raises
    ------
    InputError
        If the lines do not fit, or a column does not exist.
    """
    loose = any(column is not None for column in columns)
    layout = find_layout(loaded.data, loaded.source, token_column=token_column, loose=loose)
    usual: list[Column | None] = [None] if len(columns) == 1 else [-2, *[-1] * (len(columns) - 1)]
    chosen = tuple(
        chosen_column(column if column is not None else other, layout)
        for column, other in zip(columns, usual, strict=True)
    )
    if separated:
        _two_tags(layout, chosen)
    if token_column is None and taken_by_tags(layout, chosen):
        layout = layout.without_tokens()
    gathering = Gathering(layout, chosen)
    for begin, end in cut(loaded.data):
        gathering.add(loaded.data, begin, end)
    rows = gathering.rows(loaded.data)
    _check_keys(gathering, loaded)
    notes = (_format_note(layout, chosen), *gathering.notes())
    return rows, notes, "conllu" if layout.conllu else "conll"


def chosen_column(column: Column | None, layout: Layout) -> Column:
    """The column asked for, else that of the tags."""
    if column is not None:
        return column
    if layout.conllu:
        return "NER"
    return layout.names.index("NER") + 1 if "NER" in layout.names else -1


def taken_by_tags(layout: Layout, chosen: Sequence[Column]) -> bool:
    """Whether the column of tokens holds tags, as it was asked for."""
    taken = {p % layout.width for p in map(layout.place, chosen) if isinstance(p, int)}
    return layout.token in taken


def _two_tags(layout: Layout, chosen: tuple[Column, ...]) -> None:
    """Refuse the columns of tokens and tags as gold and prediction."""
    if layout.width == 1 or (layout.width == 2 and layout.token == 0 and chosen[0] == -2):
        raise InputError(
            f"{layout.source}: one column of tags; gold and prediction are two columns of one "
            "file, or two files. Name the other file too.",
            code="one_column",
        )


def _check_keys(gathering: Gathering, loaded: Loaded) -> None:
    """Refuse a key of MISC that no token has."""
    total = sum(int(block.lengths.sum()) for block in gathering.blocks)
    keys = [c for c in gathering.columns if isinstance(c, str) and c not in gathering.layout.names]
    if keys and sum(block.untagged for block in gathering.blocks) == total * len(keys):
        import re

        seen = sorted({k.decode() for k in re.findall(rb"[\t|](\w+)=", loaded.data[:65536])})
        raise InputError(
            f"{loaded.source}: CoNLL-U without {keys[0]}= in the column MISC; there are "
            f"{', '.join(seen) or 'no keys'}. Name the key or the column of the tags, for example "
            "--column NE or --column 5.",
            code="no_tags",
        )


def _format_note(layout: Layout, chosen: tuple[Column, ...]) -> Note:
    kind = "CoNLL-U" if layout.conllu else "columns"
    by = "tabs" if layout.tabs else "white space"
    where = " and ".join(
        str(p % layout.width + 1) if isinstance(p := layout.place(c), int) else p for c in chosen
    )
    tokens = "no tokens" if layout.token is None else f"tokens in column {layout.token + 1}"
    if layout.width == 1:
        return Note("format", "read as one tag a line, without tokens")
    return Note(
        "format",
        f"read as {kind} ({layout.width}, separated by {by}): tags in column {where}, {tokens}",
    )
