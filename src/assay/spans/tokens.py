"""Tags compared token by token, as they are written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.spans.corpus import Ints, TagRows


class TokenCounts(NamedTuple):
    """Tokens, those with the same tag, those that either side marks, and the same of these."""

    tokens: int = 0
    right: int = 0
    marked: int = 0
    right_marked: int = 0

    def together(self, other: TokenCounts) -> TokenCounts:
        """These and another part's."""
        return TokenCounts(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def accuracy(self) -> float | None:
        """The share of tokens with the same tag, None where there are none."""
        return self.right / self.tokens if self.tokens else None

    @property
    def accuracy_of_marked(self) -> float | None:
        """The same of the tokens that either side marks."""
        return self.right_marked / self.marked if self.marked else None


def compare_tokens(gold: TagRows, pred: TagRows) -> TokenCounts:
    """Count tags that are equal as written, of all tokens and of those that either side marks.

    Examples
    --------
    >>> gold = TagRows.of([["B-PER", "I-PER", "O", "O"]])
    >>> compare_tokens(gold, TagRows.of([["B-PER", "O", "O", "O"]]))
    TokenCounts(tokens=4, right=3, marked=2, right_marked=1)
    """
    if not gold.codes.size:
        return TokenCounts()
    said = in_codes_of(gold, pred)
    same = gold.codes == said
    # Without an O in gold every token is marked.
    o = gold.tags.index("O") if "O" in gold.tags else -2
    marked = (gold.codes != o) | (said != o)
    return TokenCounts(same.size, int(same.sum()), int(marked.sum()), int((same & marked).sum()))


def in_codes_of(gold: TagRows, pred: TagRows) -> Ints:
    """Shape (units,): the tags of ``pred`` in the codes of ``gold``, −1 for tags it has not."""
    place = {tag: i for i, tag in enumerate(gold.tags)}
    codes = np.array([place.get(tag, -1) for tag in pred.tags], dtype=np.int64)
    return codes[pred.codes] if pred.codes.size else codes[:0]


def wrong_by_sentence(gold: TagRows, pred: TagRows) -> Ints:
    """Shape (sentences,): tokens whose tags differ as written.

    Examples
    --------
    >>> gold = TagRows.of([["B-PER", "O"], ["O"]])
    >>> wrong_by_sentence(gold, TagRows.of([["O", "B-PER"], ["O"]])).tolist()
    [2, 0]
    """
    wrong = np.flatnonzero(gold.codes != in_codes_of(gold, pred))
    sentence = np.searchsorted(gold.text.offsets, wrong, side="right") - 1
    return np.bincount(sentence, minlength=gold.text.n_sentences)
