"""Texts whose tokens are cut out of the file when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.sources.codes import Words, fingerprints_of
from assay.spans.sources.fields import Ints
from assay.spans.sources.layout import Layout

Places = tuple[int | str, ...]


class Tokens(Sequence[Sequence[str]]):
    """Sentences of tokens, or texts of characters, some of several parts taken in an order."""

    __slots__ = ("_ends", "_order", "_parts", "keys")

    def __init__(
        self,
        parts: Sequence[Sequence[Sequence[str]]],
        *,
        keys: Words | None = None,
        order: Ints | None = None,
    ) -> None:
        self._parts = list(parts)
        self._ends = np.cumsum([len(part) for part in self._parts], dtype=np.int64)
        self._order = order
        self.keys = keys

    def __len__(self) -> int:
        if self._order is not None:
            return int(self._order.size)
        return int(self._ends[-1]) if self._parts else 0

    @overload
    def __getitem__(self, index: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[str]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        if self._order is not None:
            index = int(self._order[index])
        part = int(np.searchsorted(self._ends, index, side="right"))
        return self._parts[part][index - (int(self._ends[part - 1]) if part else 0)]

    def __iter__(self) -> Iterator[Sequence[str]]:
        if self._order is None:
            for part in self._parts:
                yield from part
        else:
            for index in range(len(self)):
                yield self[index]

    def take(self, which: Ints) -> Tokens:
        """Only some of the sentences, in this order."""
        order = which if self._order is None else self._order[which]
        return Tokens(
            self._parts, keys=None if self.keys is None else self.keys[which], order=order
        )


@dataclass(frozen=True, slots=True)
class ColumnTokens(Sequence[Sequence[str]]):
    """The tokens of a file of columns, as bytes and the places of its sentences."""

    data: bytes
    start: Ints
    stop: Ints
    layout: Layout
    places: Places = (-1,)

    def __len__(self) -> int:
        return int(self.start.size)

    @overload
    def __getitem__(self, index: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[str]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        part = self.data[int(self.start[index]) : int(self.stop[index])]
        return self.layout.tokens(part, self.places)


class Names(Sequence[str]):
    """Sentences' names: those of the file, else their number."""

    __slots__ = ("_known", "_size")

    def __init__(self, known: dict[int, str], size: int) -> None:
        self._known = known
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(index)
        index %= self._size
        return self._known.get(index, str(index + 1))


def keys_of(text: Text) -> Words | None:
    """Fingerprints of the sentences' tokens; None where the tokens are not known."""
    if text.tokens is None:
        return None
    if isinstance(text.tokens, Tokens) and text.tokens.keys is not None:
        return text.tokens.keys
    if text.unit == "character":
        return fingerprints_of([row] if isinstance(row, str) else row for row in text.tokens)
    return fingerprints_of(text.tokens)


def take_text(text: Text, which: Ints) -> Text:
    """Only some of the sentences, in this order."""
    tokens = text.tokens
    if tokens is not None:
        tokens = (tokens if isinstance(tokens, Tokens) else Tokens([tokens])).take(which)
    documents = text.documents
    if documents is not None:
        _, documents = np.unique(documents[which], return_inverse=True)
        documents = documents.astype(np.int64)
    return Text(
        text.lengths[which],
        tokens,
        documents,
        text.unit,
        None if text.names is None else [text.names[i] for i in which.tolist()],
        None if text.lines is None else text.lines[which],
    )


def take_rows(rows: TagRows, which: Ints) -> TagRows:
    """The tags of only some of the sentences, in this order."""
    if which.size == rows.text.n_sentences and (which == np.arange(which.size)).all():
        return rows
    lengths = rows.text.lengths[which]
    ends = np.cumsum(lengths)
    units = np.arange(int(lengths.sum())) + np.repeat(
        rows.text.offsets[which] - (ends - lengths), lengths
    )
    return replace(rows, codes=rows.codes[units], text=take_text(rows.text, which))


def take_spans(spans: SpanSet, which: Ints, size: int) -> SpanSet:
    """The spans of only some of the ``size`` sentences, in this order."""
    place = np.full(size, -1, dtype=np.int64)
    place[which] = np.arange(which.size)
    kept = spans.take(place[spans.sentence] >= 0)
    return replace(kept, sentence=place[kept.sentence]).sorted()


def join_texts(texts: Sequence[Text]) -> Text:
    """Texts one after the other; each is a document at least."""
    if len(texts) == 1:
        return texts[0]
    tokens: Tokens | None = None
    if all(text.tokens is not None for text in texts):
        found = [keys_of(text) for text in texts]
        keys = np.concatenate([k for k in found if k is not None])
        tokens = Tokens([text.tokens for text in texts if text.tokens is not None], keys=keys)
    documents, n = [], 0
    for text in texts:
        own = np.zeros(text.n_sentences, np.int64) if text.documents is None else text.documents
        documents.append(own + n)
        n += int(own.max(initial=-1)) + 1
    names: list[str] | None = None
    if any(text.names is not None for text in texts):
        names = []
        for text in texts:
            names += text.names or [str(i + 1) for i in range(text.n_sentences)]
    return Text(
        np.concatenate([text.lengths for text in texts]),
        tokens,
        np.concatenate(documents),
        texts[0].unit,
        names,
        None,
    )


def join_rows(parts: Sequence[TagRows], source: str) -> TagRows:
    """Tag rows of several files one after the other."""
    if len(parts) == 1:
        return parts[0]
    number: dict[str, int] = {}
    codes = []
    for part in parts:
        table = [number.setdefault(tag, len(number)) for tag in part.tags]
        codes.append(np.array(table, dtype=np.int32)[part.codes])
    return TagRows(
        np.concatenate(codes), tuple(number), join_texts([part.text for part in parts]), source
    )
