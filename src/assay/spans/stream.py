"""Gold and predictions in chunks of whole sentences, for files larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.align import Annotation, Difference, different, first_difference, tokens_differ
from assay.spans.corpus import TagRows, Text
from assay.spans.sources.columns import Gathering, chosen_column, taken_by_tags
from assay.spans.sources.conll import last_break
from assay.spans.sources.jsonl import json_lines, looks_like_json
from assay.spans.sources.layout import Column, Layout, find_layout
from assay.spans.sources.load import Loaded, one_path, pieces
from assay.spans.sources.open import Options, open_records
from assay.spans.sources.rows import looks_like_rows, read_rows
from assay.spans.sources.texts import Tokens, keys_of

CHUNK = 1 << 20
SAMPLE = 1 << 14


@dataclass(slots=True)
class PairStream:
    """Chunks of gold and predicted tag rows of the same sentences.

    Iterate over it; :attr:`notes`, :attr:`n_sentences` and :attr:`n_tokens` are of what has been
    read. The memory that it needs does not depend on the length of the files.
    """

    gold: Path
    pred: Path
    options: tuple[Options, Options]
    chunk: int = CHUNK
    n_sentences: int = 0
    n_tokens: int = 0
    n_differing: int = 0
    _first: Note | None = field(default=None)

    def __iter__(self) -> Iterator[tuple[TagRows, TagRows]]:
        self.n_sentences = self.n_tokens = self.n_differing = 0
        self._first = None
        sides = [
            _Side(path, options, self.chunk)
            for path, options in zip((self.gold, self.pred), self.options, strict=True)
        ]
        while True:
            gold, pred = (side.filled() for side in sides)
            if gold is None or pred is None:
                if gold is not None or pred is not None:
                    raise self._too_few(gold, pred)
                return
            n = min(gold.text.n_sentences, pred.text.n_sentences)
            gold, pred = (replace(side.take(n), before=self.n_sentences) for side in sides)
            self._check(gold, pred)
            self.n_sentences += n
            self.n_tokens += int(gold.codes.size)
            yield gold, pred

    @property
    def format(self) -> str:
        """What gold is: "conll", "conllu", "rows" or "jsonl"."""
        head = next(pieces(self.gold, self.options[0].encoding, size=SAMPLE), b"")
        kind = _format(self.gold, head, self.options[0])
        if kind == "conll" and _layout(self.gold, head, self.options[0]).conllu:
            return "conllu"
        return kind

    @property
    def notes(self) -> tuple[Note, ...]:
        """A note on tokens that differ, where some do."""
        if self._first is None:
            return ()
        message = self._first.message.replace(": 0, the first", f": {self.n_differing}, the first")
        return (replace(self._first, message=message),)

    def _check(self, gold: TagRows, pred: TagRows) -> None:
        where = first_difference(gold.text, pred.text)
        if where is None:
            return
        one, two = _annotation(self.gold, gold), _annotation(self.pred, pred)
        if where.structural is not None:
            raise different(one, two, where, self.n_sentences)
        if self._first is None:
            self._first = tokens_differ(one, two, where, 0, self.n_sentences)
        g, p = keys_of(gold.text), keys_of(pred.text)
        if g is None or p is None or gold.text.tokens is None or pred.text.tokens is None:
            return
        for i in np.flatnonzero(g != p).tolist():
            pairs = zip(gold.text.tokens[i], pred.text.tokens[i], strict=True)
            self.n_differing += sum(a != b for a, b in pairs)

    def _too_few(self, gold: TagRows | None, pred: TagRows | None) -> InputError:
        """One side has ended before the other."""
        some = gold or pred
        empty = TagRows(np.zeros(0, np.int32), (), Text(np.zeros(0, np.int64)))
        one = _annotation(self.gold, gold or empty)
        two = _annotation(self.pred, pred or empty)
        if some is None:
            return InputError(f"{self.gold}: no sentences.")
        return different(one, two, Difference(0, 0, 0), self.n_sentences)


def _annotation(path: Path, rows: TagRows) -> Annotation:
    kind = "conll" if rows.text.lines is not None else "rows"
    return Annotation(path.name, rows.text, replace(rows, source=str(path)), None, (), kind)


def stream_pairs(
    gold: str | Path,
    pred: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    gold_column: Column | None = None,
    pred_column: Column | None = None,
    token_column: Column | None = None,
    encoding: str | None = None,
    tag_names: tuple[str, ...] | None = None,
    chunk: int = CHUNK,
) -> PairStream:
    r"""Read two files of tags side by side, in chunks of whole sentences.

    Parameters
    ----------
    gold, pred
        Files of columns, of one tag row a line, or of JSON lines with tags.
    chunk
        About how many bytes of each file are in memory at a time.
    format, gold_column, pred_column, token_column, encoding, tag_names
        As in :func:`assay.spans.read.read_pair`.

    Returns
    -------
    PairStream
        Iterating over it gives pairs of :class:`assay.spans.corpus.TagRows`; each time, the files
        are read from the beginning. Documents are numbered through the whole file; sentences'
        numbers begin anew in each chunk, which knows how many come before.

    Raises
    ------
    InputError
        While iterating, if the files do not have the same sentences.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "gold.conll"
    ...     _ = path.write_text("Ana B-PER\nslept O\n\nRio B-LOC\n")
    ...     stream = stream_pairs(path, path)
    ...     print(sum(gold.text.n_sentences for gold, pred in stream), stream.n_tokens)
    2 3
    """
    both = tuple(
        Options(format, (column,), token_column, encoding, tag_names)
        for column in (gold_column, pred_column)
    )
    return PairStream(one_path(gold), one_path(pred), (both[0], both[1]), chunk)


class _Side:
    """One file: what has been read of it and not yet been given out."""

    __slots__ = ("_chunks", "_rows")

    def __init__(self, path: Path, options: Options, size: int) -> None:
        self._chunks = _chunks(path, options, size)
        self._rows: TagRows | None = None

    def filled(self) -> TagRows | None:
        """The sentences that are there, more of them being read if there are none."""
        while self._rows is None:
            rows = next(self._chunks, None)
            if rows is None:
                return None
            if rows.text.n_sentences:
                self._rows = rows
        return self._rows

    def take(self, n: int) -> TagRows:
        """Give out the first ``n`` sentences."""
        rows = self._rows
        if rows is None:
            raise InputError("spans: no sentences are left.")
        self._rows = _part(rows, n, rows.text.n_sentences)
        return _part(rows, 0, n) or rows


def _part(rows: TagRows, begin: int, end: int) -> TagRows | None:
    """Some sentences in a row, None if there are none."""
    if begin == end:
        return None
    text = rows.text
    if end - begin == text.n_sentences:
        return rows
    some = slice(begin, end)
    a, b = int(text.offsets[begin]), int(text.offsets[end])
    tokens = text.tokens
    if tokens is not None:
        tokens = tokens if isinstance(tokens, Tokens) else Tokens([tokens])
        tokens = tokens.take(np.arange(begin, end))
    part = Text(
        text.lengths[some],
        tokens,
        None if text.documents is None else text.documents[some],
        text.unit,
        None if text.names is None else text.names[some],
        None if text.lines is None else text.lines[some],
    )
    return replace(rows, codes=rows.codes[a:b], text=part)


def _chunks(path: Path, options: Options, size: int) -> Iterator[TagRows]:
    """Tag rows of a file, some whole sentences at a time."""
    head = next(pieces(path, options.encoding, size=SAMPLE), b"")
    if not head.strip():
        raise InputError(
            f"{path}: the file is empty, or begins with blank lines; tags are needed.", code="empty"
        )
    source = pieces(path, options.encoding, size=size)
    kind = _format(path, head, options)
    if kind == "conll":
        yield from _columns(path, options, head, source)
    elif kind in ("rows", "jsonl"):
        yield from _lines(path, replace(options, format=kind), source)
    else:
        raise InputError(f"{path}: files of the format {kind} are not read in a stream.")


def _format(path: Path, head: bytes, options: Options) -> str:
    if options.format is not None:
        return options.format
    if looks_like_json(head):
        return "jsonl"
    named = any(isinstance(c, int) and c != -1 for c in options.columns)
    return "rows" if not named and looks_like_rows(head, str(path)) else "conll"


def _layout(path: Path, head: bytes, options: Options) -> Layout:
    loose = options.columns[0] is not None
    return find_layout(head, str(path), token_column=options.token_column, loose=loose)


def _columns(
    path: Path, options: Options, head: bytes, source: Iterator[bytes]
) -> Iterator[TagRows]:
    (column,) = options.columns
    layout = _layout(path, head, options)
    chosen = (chosen_column(column, layout),)
    if options.token_column is None and taken_by_tags(layout, chosen):
        layout = layout.without_tokens()
    line = documents = 0
    marked = False
    for block in _blocks(source, last_break):
        gathering = Gathering(layout, chosen, line=line, documents=documents, marked=marked)
        gathering.add(block, 0, len(block))
        rows = gathering.rows(block)[0]
        line, marked = gathering.line, gathering.marked
        documents = max(gathering.documents, min(rows.text.n_sentences, 1))
        yield rows


def _lines(path: Path, options: Options, source: Iterator[bytes]) -> Iterator[TagRows]:
    line = 1
    blocks = _blocks(source, _filled if options.format == "rows" else _lines_end)
    block = next(blocks, b"")
    while block:
        after = next(blocks, b"")
        loaded = Loaded(block, str(path))
        if options.format == "rows":
            # Blank lines at the end of the file are nothing.
            if not block.strip():
                return
            yield read_rows(loaded, ends=not after)[0]
        elif block.strip():
            records = json_lines(loaded, first_line=line)
            opened = open_records(records, str(path), "jsonl", "JSON lines", options)
            if not opened.rows:
                raise InputError(f"{path}: only tags are read in a stream, not spans.")
            yield opened.rows[0]
        line += block.count(b"\n")
        block = after


def _lines_end(data: bytes) -> int:
    """Where the last whole line ends."""
    return data.rfind(b"\n") + 1


def _filled(data: bytes) -> int:
    r"""Where the last whole line that is not blank ends; blank lines go with the one after them.

    >>> _filled(b"O\nO O\n\n\nO"), _filled(b"O\n \n"), _filled(b"\n\n")
    (6, 2, 0)
    """
    n = len(data[: _lines_end(data)].rstrip())
    return data.index(b"\n", n) + 1 if n else 0


def _blocks(source: Iterator[bytes], end: Callable[[bytes], int]) -> Iterator[bytes]:
    """The text in blocks that end where ``end`` says that the last whole sentence ends."""
    held = b""
    for piece in source:
        held += piece
        at = end(held)
        if at:
            yield held[:at]
            held = held[at:]
    if held:
        yield held
