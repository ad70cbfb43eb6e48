"""A file of tags in chunks of whole sentences, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError
from assay.spans.corpus import TagRows
from assay.spans.sources.columns import Gathering, chosen_column, taken_by_tags
from assay.spans.sources.conll import last_break
from assay.spans.sources.jsonl import json_lines, looks_like_json
from assay.spans.sources.layout import Layout, find_layout
from assay.spans.sources.load import Loaded, NotInParts, pieces
from assay.spans.sources.open import Options, open_records
from assay.spans.sources.parquet import is_parquet, n_rows, parquet_parts
from assay.spans.sources.rows import looks_like_rows, read_rows

SAMPLE = 1 << 14


@dataclass(slots=True)
class Meter:
    """How much of a file has been read: bytes, or rows of a Parquet file."""

    done: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    def counting(self, source: Iterator[bytes]) -> Iterator[bytes]:
        """The same pieces, counted as they are taken."""
        for piece in source:
            self.done += len(piece)
            yield piece


def chunks(
    path: Path, options: Options, size: int, meter: Meter, *, words: bool = True
) -> Iterator[TagRows]:
    """Tag rows of a file, some whole sentences at a time.

    ``words`` says whether tokens are wanted where they cost time to read.

    Raises
    ------
    InputError
        If the file has no tags, or is of a format that is read as a whole only.
    """
    if is_parquet(path, options.format):
        meter.total = n_rows(path)
        (column,) = options.columns
        for rows in parquet_parts(
            path,
            column=column,
            token_column=options.token_column,
            tag_names=options.tag_names,
            words=words,
        ):
            meter.done += rows.text.n_sentences
            yield rows
        return
    head = next(pieces(path, options.encoding, size=SAMPLE), b"")
    if not head.strip():
        raise InputError(
            f"{path}: the file is empty, or begins with blank lines; tags are needed.", code="empty"
        )
    meter.total = path.stat().st_size
    source = meter.counting(pieces(path, options.encoding, size=size))
    kind = _format(path, head, options)
    if kind == "conll":
        yield from _columns(path, options, head, source)
    elif kind in ("rows", "jsonl"):
        yield from _lines(path, replace(options, format=kind), source)
    else:
        raise NotInParts(
            f"{path}: files of the format {kind} are read as a whole, not in a stream."
        )


def format_of(path: Path, options: Options) -> str:
    """What a file is: "conll", "conllu", "rows", "jsonl" or "parquet"."""
    if is_parquet(path, options.format):
        return "parquet"
    head = next(pieces(path, options.encoding, size=SAMPLE), b"")
    kind = _format(path, head, options)
    return "conllu" if kind == "conll" and _layout(path, head, options).conllu else kind


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
                raise NotInParts(
                    f"{path}: only tags are read in a stream, not spans; without --stream the "
                    "file is read as a whole."
                )
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
