"""The continuum that several annotators marked: their sentences laid end to end.

Krippendorff's coefficients for unitizing compare stretches of one line of positions (tokens or
characters). A span of several pieces counts as one stretch a piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, UsageError
from assay.spans.corpus import Ints, SpanSet, shared_types


@dataclass(frozen=True, eq=False)
class Stretches:
    """What one annotator marked, sorted by place.

    Attributes
    ----------
    start, stop
        Shape (stretches,): half-open places on the continuum.
    type
        Shape (stretches,): their types' codes.
    """

    start: Ints
    stop: Ints
    type: Ints

    @property
    def size(self) -> Ints:
        """How many positions each holds."""
        return self.stop - self.start

    def take(self, keep: npt.NDArray[np.bool_]) -> Stretches:
        """Some of them."""
        return Stretches(self.start[keep], self.stop[keep], self.type[keep])

    def first_overlap(self) -> int | None:
        """Where the first position is that two of them share, or None."""
        shared = np.flatnonzero(self.start[1:] < np.maximum.accumulate(self.stop)[:-1])
        return int(self.start[shared[0] + 1]) if shared.size else None

    def gaps(self, length: int) -> Ints:
        """Sizes of what lies between them, from the start of the continuum to its end."""
        edges = np.concatenate([[0], self.stop]), np.concatenate([self.start, [length]])
        size: Ints = edges[1] - edges[0]
        return size[size > 0]


@dataclass(frozen=True, eq=False)
class Continuum:
    """Texts laid end to end, and what each annotator marked on them.

    Attributes
    ----------
    lengths
        Shape (sentences,): positions in each sentence.
    names
        The annotators.
    types
        What the type codes stand for.
    marked
        One entry an annotator.
    """

    lengths: Ints
    names: tuple[str, ...]
    types: tuple[str, ...]
    marked: tuple[Stretches, ...]

    @classmethod
    def of(
        cls,
        spans: Sequence[SpanSet],
        lengths: Ints | Sequence[int],
        names: Sequence[str] | None = None,
    ) -> Continuum:
        """Lay the sentences end to end.

        Raises
        ------
        InputError
            If a span reaches past the end of its sentence.
        """
        sizes = np.asarray(lengths, dtype=np.int64)
        titles = tuple(names) if names is not None else tuple(str(i + 1) for i in range(len(spans)))
        if len(titles) != len(spans):
            raise UsageError(f"names: {len(titles)} names for {len(spans)} annotators.")
        shared = shared_types(*spans) if spans else ()
        types = shared[0].types if shared else ()
        for name, one in zip(titles, shared, strict=True):
            _check(name, one, sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        return cls(sizes, titles, types, tuple(_stretches(one, offsets) for one in shared))

    @property
    def length(self) -> int:
        """Positions of the whole continuum."""
        return int(self.lengths.sum())

    @property
    def annotators(self) -> int:
        return len(self.marked)

    def sentence_of(self, place: int) -> int:
        """The sentence in which a position lies."""
        return int(np.searchsorted(np.cumsum(self.lengths), place, side="right"))


def _check(name: str, spans: SpanSet, sizes: Ints) -> None:
    if not len(spans):
        return
    if int(spans.sentence.max()) >= sizes.size:
        raise InputError(
            f"{name}: a span in sentence {int(spans.sentence.max()) + 1}, and the text has "
            f"{sizes.size}."
        )
    past = np.flatnonzero(spans.stop > sizes[spans.sentence])
    if past.size:
        k = int(past[0])
        sentence = int(spans.sentence[k])
        raise InputError(
            f"{name}: sentence {sentence + 1}: {spans.types[int(spans.type[k])]} from "
            f"{int(spans.start[k])} to {int(spans.stop[k])} reaches past its end, at "
            f"{int(sizes[sentence])}."
        )


def _stretches(spans: SpanSet, offsets: Ints) -> Stretches:
    base = offsets[spans.sentence]
    start, stop, kind = base + spans.start, base + spans.stop, spans.type
    if spans.fragments:
        whole = np.ones(len(spans), dtype=bool)
        whole[list(spans.fragments)] = False
        pieces = np.array(
            [
                (int(base[i]) + a, int(base[i]) + b, int(kind[i]))
                for i, parts in spans.fragments.items()
                for a, b in parts
            ],
            dtype=np.int64,
        ).reshape(-1, 3)
        start = np.concatenate([start[whole], pieces[:, 0]])
        stop = np.concatenate([stop[whole], pieces[:, 1]])
        kind = np.concatenate([kind[whole], pieces[:, 2]])
    order = np.lexsort((kind, stop, start))
    return Stretches(start[order], stop[order], kind[order])
