"""The data model of spans: tag rows as codes, and spans as sorted integer columns.

A text is a list of sentences (or any other segments); positions count tokens or characters from
the start of the sentence. Spans are half-open here (``start`` to ``stop``, one past the last);
reports show the last unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError

Ints = npt.NDArray[np.int64]
Fragments = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Text:
    """What was annotated: sentences of tokens, in documents.

    Attributes
    ----------
    lengths
        Shape (sentences,): units in each sentence.
    tokens
        Each sentence's tokens (for ``unit`` "character": its characters as one string), or
        None where they are not known.
    documents
        Shape (sentences,): each sentence's document, numbered from 0.
    unit
        "token" or "character".
    names, lines
        Where each sentence came from, for messages: its id, and the line it starts on.
    """

    lengths: Ints
    tokens: Sequence[Sequence[str]] | None = None
    documents: Ints | None = None
    unit: str = "token"
    names: Sequence[str] | None = None
    lines: Ints | None = None

    @property
    def n_sentences(self) -> int:
        return int(self.lengths.size)

    @property
    def n_units(self) -> int:
        return int(self.lengths.sum())

    @cached_property
    def offsets(self) -> Ints:
        """Shape (sentences + 1,): where each sentence starts if all are laid end to end."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    @property
    def n_documents(self) -> int:
        if self.documents is None:
            return 1 if self.n_sentences else 0
        return int(self.documents.max(initial=-1)) + 1

    def words(self, sentence: int, start: int, stop: int) -> str:
        """The text of some units of a sentence, "" where it is not known."""
        if self.tokens is None:
            return ""
        # A sentence is asked for many times in a row, and may have to be cut up to be read.
        last = self.__dict__.get("_last")
        if last is None or last[0] != sentence:
            last = self.__dict__["_last"] = (sentence, self.tokens[sentence])
        part = last[1][start:stop]
        return part if isinstance(part, str) else " ".join(part)


@dataclass(frozen=True, eq=False)
class TagRows:
    """One row of tags a sentence, as codes.

    Attributes
    ----------
    codes
        Shape (units,): the code of each tag, all sentences end to end.
    tags
        What the codes stand for, as written.
    text
        The sentences.
    source
        The file's name or "memory", for messages.
    before
        How many sentences of the source come before these, for messages; None if these are all.
    """

    codes: npt.NDArray[Any]
    tags: tuple[str, ...]
    text: Text
    source: str = "memory"
    before: int | None = None

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[str]],
        *,
        tokens: Sequence[Sequence[str]] | None = None,
        source: str = "memory",
    ) -> TagRows:
        """From lists of tags, one a sentence.

        Raises
        ------
        InputError
            If a tag is not text, or tokens and tags differ in number.

        Examples
        --------
        >>> rows = TagRows.of([["B-PER", "I-PER", "O"], ["O"]])
        >>> rows.tags, rows.codes.tolist()
        (('B-PER', 'I-PER', 'O'), [0, 1, 2, 2])
        """
        if isinstance(rows, str) or str in set(map(type, rows)):
            raise InputError(
                "tags: a list of sentences is needed, each a list of tags; for one sentence give "
                "[[...]]."
            )
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        seen: dict[Any, int] = _Numbering(count().__next__)
        codes = np.fromiter(
            map(seen.__getitem__, chain.from_iterable(rows)), np.int32, int(lengths.sum())
        )
        for tag, code in seen.items():
            if not isinstance(tag, str):
                place = int(np.flatnonzero(codes == code)[0])
                sentence = int(np.searchsorted(np.cumsum(lengths), place, side="right"))
                raise InputError(f"tags: sentence {sentence + 1}: {tag!r} is not a text.")
        if tokens is not None:
            if len(tokens) != len(rows):
                raise InputError(
                    f"tags: {len(rows)} sentences of tags for {len(tokens)} of tokens."
                )
            for i, (row, words) in enumerate(zip(rows, tokens, strict=True)):
                if len(row) != len(words):
                    raise InputError(
                        f"tags: sentence {i + 1} has {len(row)} tags for {len(words)} tokens."
                    )
        return cls(codes, tuple(seen), Text(lengths, tokens), source)

    def rows(self) -> list[list[str]]:
        """The tags as lists, one a sentence."""
        flat = [self.tags[code] for code in self.codes.tolist()]
        ends = self.text.offsets.tolist()
        return [flat[a:b] for a, b in pairwise(ends)]


class _Numbering(dict[Any, int]):
    """Numbers keys in the order they first come."""

    def __init__(self, next_number: Any) -> None:
        super().__init__()
        self._next = next_number

    def __missing__(self, key: Any) -> int:
        self[key] = number = self._next()
        return int(number)


@dataclass(frozen=True, eq=False)
class SpanSet:
    """The spans of one annotator or system, sorted by sentence, start, stop and type.

    Attributes
    ----------
    sentence, start, stop, type
        Shape (spans,): where it is (half-open), and its type's code.
    types
        What the type codes stand for; "" for tags without a type.
    fragments
        Of the spans that are not one piece: index of the span to its pieces.
    """

    sentence: Ints
    start: Ints
    stop: Ints
    type: Ints
    types: tuple[str, ...]
    fragments: dict[int, Fragments] = field(default_factory=dict)

    @classmethod
    def of(cls, spans: Sequence[tuple[int, int, int, str] | tuple[int, Fragments, str]]) -> SpanSet:
        """From (sentence, start, stop, type), or (sentence, pieces, type) for split spans.

        Examples
        --------
        >>> found = SpanSet.of([(0, 4, 5, "LOC"), (0, 0, 2, "PER")])
        >>> found.to_list()
        [(0, 0, 2, 'PER'), (0, 4, 5, 'LOC')]
        """
        rows = []
        for span in spans:
            if len(span) == 4:
                sentence, start, stop, kind = span
                pieces: Fragments = ((start, stop),)
            else:
                sentence, pieces, kind = span
                pieces = tuple(sorted((int(a), int(b)) for a, b in pieces))
            for a, b in pieces:
                if not 0 <= a < b:
                    raise InputError(
                        f"spans: sentence {sentence + 1}: {kind} from {a} to {b} is empty or "
                        "backwards; start must be below stop."
                    )
            rows.append((sentence, pieces[0][0], pieces[-1][1], kind, pieces))
        types = tuple(sorted({row[3] for row in rows}))
        code = {name: i for i, name in enumerate(types)}
        rows.sort(key=lambda r: (r[0], r[1], r[2], code[r[3]], r[4]))
        columns = np.array([(s, a, b, code[k]) for s, a, b, k, _ in rows], dtype=np.int64).reshape(
            -1, 4
        )
        split = {i: row[4] for i, row in enumerate(rows) if len(row[4]) > 1}
        where, first, last, kinds = (columns[:, k].copy() for k in range(4))
        return cls(where, first, last, kinds, types, split)

    def __len__(self) -> int:
        return int(self.sentence.size)

    @property
    def used(self) -> set[str]:
        """The types that spans have; ``types`` may hold others, as of tags that were dropped."""
        there = np.bincount(self.type, minlength=len(self.types)) > 0
        return {name for name, used in zip(self.types, there.tolist(), strict=True) if used}

    @cached_property
    def overlapping(self) -> bool:
        """Whether two of the spans share a unit."""
        same = self.sentence[1:] == self.sentence[:-1]
        return bool((same & (self.start[1:] < self.stop[:-1])).any())

    def with_types(self, types: tuple[str, ...]) -> SpanSet:
        """The same spans over another vocabulary that has their types, sorted again."""
        if types == self.types:
            return self
        place = {name: i for i, name in enumerate(types)}
        codes = np.array([place.get(name, -1) for name in self.types], dtype=np.int64)
        changed = replace(self, type=codes[self.type] if len(self) else self.type, types=types)
        return changed.sorted()

    def sorted(self) -> SpanSet:
        """In the canonical order."""
        order = np.lexsort((self.type, self.stop, self.start, self.sentence))
        if (order == np.arange(order.size)).all():
            return self
        back = {int(old): new for new, old in enumerate(order)}
        split = {back[i]: pieces for i, pieces in self.fragments.items()}
        return SpanSet(
            self.sentence[order],
            self.start[order],
            self.stop[order],
            self.type[order],
            self.types,
            split,
        )

    def pieces(self, index: int) -> Fragments:
        """The pieces of one span."""
        return self.fragments.get(index, ((int(self.start[index]), int(self.stop[index])),))

    def take(self, keep: npt.NDArray[Any]) -> SpanSet:
        """Only some of the spans (a mask or increasing indices)."""
        kept = np.flatnonzero(keep) if keep.dtype == bool else keep
        split = {}
        if self.fragments:
            new = {int(old): i for i, old in enumerate(kept)}
            split = {new[i]: p for i, p in self.fragments.items() if i in new}
        return SpanSet(
            self.sentence[kept], self.start[kept], self.stop[kept], self.type[kept],
            self.types, split,
        )  # fmt: skip

    def to_list(self) -> list[tuple[int, int, int, str]]:
        """(sentence, start, stop, type) of each span."""
        columns = (self.sentence, self.start, self.stop, self.type)
        return [
            (s, a, b, self.types[k])
            for s, a, b, k in zip(*(c.tolist() for c in columns), strict=True)
        ]


def shared_types(*sets: SpanSet) -> tuple[SpanSet, ...]:
    """The same span sets over one sorted vocabulary: the types that any of their spans has."""
    types = tuple(sorted({name for one in sets for name in one.used}))
    return tuple(one.with_types(types) for one in sets)
