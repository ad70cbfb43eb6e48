"""Gold and predictions in chunks of whole sentences, for files larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from assay.errors import InputError, UsageError
from assay.ratings.model import Note
from assay.spans.align import Annotation, Difference, different, first_difference, tokens_differ
from assay.spans.corpus import TagRows, Text
from assay.spans.sources.chunks import Meter, chunks, format_of
from assay.spans.sources.layout import Column
from assay.spans.sources.open import FORMATS, Options
from assay.spans.sources.patterns import Files, called, matching, paired
from assay.spans.sources.texts import Tokens, keys_of

CHUNK = 1 << 20
Progress = Callable[[int, int | None], None]
"""Called with the sentences that are done, and about how many there are."""


@dataclass(slots=True)
class PairStream:
    """Chunks of gold and predicted tag rows of the same sentences.

    Iterate over it; :attr:`notes`, :attr:`n_sentences` and :attr:`n_tokens` are of what has been
    read. The memory that it needs does not depend on the length of the files.
    """

    files: tuple[tuple[Path, Path], ...]
    options: tuple[Options, Options]
    chunk: int = CHUNK
    progress: Progress | None = None
    n_sentences: int = 0
    n_tokens: int = 0
    n_differing: int = 0
    _first: Note | None = field(default=None)

    def __iter__(self) -> Iterator[tuple[TagRows, TagRows]]:
        self.n_sentences = self.n_tokens = self.n_differing = 0
        self._first = None
        sizes = [gold.stat().st_size if gold.is_file() else 0 for gold, _ in self.files]
        read, whole = 0, sum(sizes)
        for (gold, pred), size in zip(self.files, sizes, strict=True):
            one = _FilePair(gold, pred, self.options, self.chunk)
            for rows in one:
                self.n_sentences += rows[0].text.n_sentences
                self.n_tokens += int(rows[0].codes.size)
                yield rows
                self._tell((read + one.meter.share * size) / whole if whole else 0.0)
            self.n_differing += one.n_differing
            self._first = self._first or one.first
            read += size

    @property
    def names(self) -> tuple[str, str]:
        """What gold and prediction are called."""
        gold, pred = zip(*self.files, strict=True)
        if gold == pred:
            columns = (options.columns[0] for options in self.options)
            one, two = (f"{called(gold)}:{column}" for column in columns)
            return one, two
        return called(gold), called(pred)

    @property
    def format(self) -> str:
        """What gold is: "conll", "conllu", "rows", "jsonl" or "parquet"."""
        return format_of(self.files[0][0], self.options[0])

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on several files, and on tokens that differ, where some do."""
        notes = []
        if len(self.files) > 1:
            about = f"{len(self.files)} files a side, one after the other: {self.names[0]}"
            notes.append(Note("files", about))
        if self._first is not None:
            message = self._first.message
            message = message.replace(": 0, the first", f": {self.n_differing}, the first")
            notes.append(replace(self._first, message=message))
        return tuple(notes)

    def _tell(self, share: float) -> None:
        if self.progress is not None:
            total = max(self.n_sentences, round(self.n_sentences / share)) if share else None
            self.progress(self.n_sentences, total)


@dataclass(slots=True)
class _FilePair:
    """One file of gold and one of predictions."""

    gold: Path
    pred: Path
    options: tuple[Options, Options]
    chunk: int
    meter: Meter = field(default_factory=Meter)
    n_sentences: int = 0
    n_differing: int = 0
    first: Note | None = None

    def __iter__(self) -> Iterator[tuple[TagRows, TagRows]]:
        words = self.gold != self.pred
        sides = [
            _Side(chunks(path, options, self.chunk, meter, words=words))
            for path, options, meter in zip(
                (self.gold, self.pred), self.options, (self.meter, Meter()), strict=True
            )
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
            yield gold, pred

    def _check(self, gold: TagRows, pred: TagRows) -> None:
        where = first_difference(gold.text, pred.text)
        if where is None:
            return
        one, two = _annotation(self.gold, gold), _annotation(self.pred, pred)
        if where.structural is not None:
            raise different(one, two, where, self.n_sentences)
        if self.first is None:
            self.first = tokens_differ(one, two, where, 0, self.n_sentences)
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
    gold: Files,
    pred: Files | None = None,
    *,
    format: str | None = None,  # noqa: A002
    gold_column: Column | None = None,
    pred_column: Column | None = None,
    token_column: Column | None = None,
    encoding: str | None = None,
    tag_names: Sequence[str] | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> PairStream:
    r"""Read files of tags side by side, in chunks of whole sentences.

    Parameters
    ----------
    gold, pred
        Files of columns, of one tag row a line, of JSON lines with tags, or Parquet files; a
        pattern such as ``part-*.conll``, or a list of files. The files of the two sides go
        together as their names are sorted. Without ``pred``, gold and predictions are columns
        of the same files.
    chunk
        About how many bytes of each file are in memory at a time.
    progress
        Called after each chunk with the sentences that are done, and about how many there are.
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
    UsageError
        If there are not as many files on both sides.

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
    if format is not None and format not in FORMATS:
        raise UsageError(f"format: {format!r} is none of {', '.join(FORMATS)}.")
    if pred is None:
        first = matching(gold)[0]
        own = Options(format, (gold_column,), token_column, encoding, tag_names)
        gold_column, pred_column = _both(first, own, gold_column, pred_column)
    one, two = (
        Options(format, (column,), token_column, encoding, tag_names)
        for column in (gold_column, pred_column)
    )
    files = paired(gold, gold if pred is None else pred)
    return PairStream(files, (one, two), chunk, progress)


def _both(
    path: Path, options: Options, gold: Column | None, pred: Column | None
) -> tuple[Column, Column]:
    """The columns of gold and predictions in the same file."""
    kind = format_of(path, options)
    if kind == "rows":
        raise InputError(
            f"{path}: one row of tags a line; gold and prediction are two files. Name the other "
            "file too.",
            code="one_column",
        )
    named = kind in ("jsonl", "parquet")
    usual: tuple[Column, Column] = ("gold", "pred") if named else (-2, -1)
    return usual[0] if gold is None else gold, usual[1] if pred is None else pred


class _Side:
    """One file: what has been read of it and not yet been given out."""

    __slots__ = ("_chunks", "_rows")

    def __init__(self, found: Iterator[TagRows]) -> None:
        self._chunks = found
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
