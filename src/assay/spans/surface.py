"""The words behind errors: which forms go wrong how, with examples in context."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from assay.spans.causes import CAUSES, Causes
from assay.spans.corpus import Fragments, SpanSet, Text

Key = tuple[str, str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of error by its words: what stood there and what was said.

    ``examples`` are (gold span, predicted span) numbers, None where there is none.
    """

    cause: str
    gold_type: str | None
    pred_type: str | None
    gold_text: str | None
    pred_text: str | None
    count: int
    examples: tuple[tuple[int | None, int | None], ...]


def span_text(spans: SpanSet, index: int, text: Text) -> str:
    """A span's words, with … between its pieces."""
    sentence = int(spans.sentence[index])
    return " … ".join(text.words(sentence, a, b) for a, b in spans.pieces(index))


def forms(causes: Causes, text: Text, *, most: int = 20, examples: int = 3) -> list[Form]:
    """The most frequent kinds of error by their words, most frequent first.

    Parameters
    ----------
    causes
        The errors.
    text
        The sentences; without tokens only types are told apart.
    most, examples
        How many forms, and how many examples of each.
    """
    gold, pred = causes.scores.gold, causes.scores.pred
    groups: dict[Key, list[tuple[int | None, int | None]]] = defaultdict(list)

    def add(cause: int, g: int | None, p: int | None) -> None:
        key = (
            CAUSES[cause],
            None if g is None else gold.types[gold.type[g]],
            None if p is None else pred.types[pred.type[p]],
            None if g is None else span_text(gold, g, text),
            None if p is None else span_text(pred, p, text),
        )
        groups[key].append((g, p))

    for g in np.flatnonzero(causes.of_gold > 0).tolist():
        about = int(causes.about_gold[g])
        add(int(causes.of_gold[g]), g, about if about >= 0 else None)
    # Every other error with a prediction is told from its gold span.
    for p in np.flatnonzero(causes.of_pred == CAUSES.index("spurious")).tolist():
        add(CAUSES.index("spurious"), None, p)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), str(item[0])))
    return [Form(*key, len(where), tuple(where[:examples])) for key, where in ordered[:most]]


def in_context(
    sentence: int, pieces: Fragments, text: Text, width: int = 6
) -> tuple[str, str, str]:
    """Words before, of and after a span, at most ``width`` units on each side."""
    if text.tokens is None:
        return "", "", ""
    width = width if text.unit == "token" else 8 * width
    start, stop = pieces[0][0], pieces[-1][1]
    length = int(text.lengths[sentence])
    left = text.words(sentence, max(0, start - width), start)
    right = text.words(sentence, stop, min(length, stop + width))
    before = "… " if start > width else ""
    after = " …" if stop + width < length else ""
    return before + left, text.words(sentence, start, stop), right + after
