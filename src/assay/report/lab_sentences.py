"""Sentences by what their errors cost, and each in the BIO lab."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.report.addresses import MAX_TOKENS, bio_address
from assay.spans.corpus import Ints, TagRows, Text
from assay.spans.decode import scheme_named, split_tag
from assay.spans.score import Scores
from assay.spans.tokens import wrong_by_sentence

WORST = 10
"""Sentences of a report that have an address."""
TRIED = 1000
"""Sentences that are looked at for them, where the lab cannot hold the first ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """What each sentence's errors cost.

    Attributes
    ----------
    errors
        Shape (sentences,): false positives and false negatives of exact matching.
    wrong_tokens
        Shape (sentences,): tokens whose tags differ.
    """

    errors: Ints
    wrong_tokens: Ints

    @classmethod
    def of(cls, scores: Scores, gold: TagRows, pred: TagRows) -> Costs:
        """The costs of a prediction."""
        n = scores.n_sentences
        g, p = scores.pairing("exact").without(scores.gold, scores.pred)
        missed = np.bincount(scores.gold.sentence[g], minlength=n)
        spurious = np.bincount(scores.pred.sentence[p], minlength=n)
        return cls(missed + spurious, wrong_by_sentence(gold, pred))

    def order(self) -> Ints:
        """The sentences from the most errors down; then more wrong tokens; then as they come."""
        return np.lexsort((np.arange(self.errors.size), -self.wrong_tokens, -self.errors))


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """Two rows of tags a sentence, and how they are read.

    Attributes
    ----------
    text
        The words.
    gold, pred
        The tags.
    scheme, illegal, suffix
        As :func:`assay.spans.decode.decode` takes them.
    """

    text: Text
    gold: TagRows
    pred: TagRows
    scheme: str
    illegal: str = "open"
    suffix: bool = False

    def words(self, sentence: int) -> list[str]:
        """A sentence's tokens; their numbers, from 1, where the source has none."""
        if self.text.tokens is None:
            return [str(i + 1) for i in range(int(self.text.lengths[sentence]))]
        return list(self.text.tokens[sentence])

    def tags(self, side: TagRows, sentence: int) -> list[str]:
        """A sentence's tags as the lab writes them: B-PER, whatever stands between and where."""
        low, high = side.text.offsets[sentence : sentence + 2].tolist()
        letters = scheme_named(self.scheme).letters
        out = []
        for code in side.codes[low:high].tolist():
            prefix, kind = split_tag(side.tags[code], suffix=self.suffix) or ("O", "")
            out.append(letters[prefix] + (f"-{kind}" if kind else ""))
        return out

    def lab(self, sentence: int) -> tuple[list[str], list[str], list[str], str, str]:
        """What the lab needs of a sentence: the arguments of :func:`bio_address`."""
        gold, pred = self.tags(self.gold, sentence), self.tags(self.pred, sentence)
        return self.words(sentence), gold, pred, self.illegal, self.scheme

    def address(self, sentence: int) -> str | None:
        """Where the lab opens a sentence, or None where it cannot hold it."""
        return bio_address(*self.lab(sentence))


def worst(scores: Scores, rows: Tagged, most: int = WORST) -> list[dict[str, Any]]:
    """The sentences that cost most, of those with errors that the lab can hold."""
    if rows.text.tokens is None:
        return []
    costs = Costs.of(scores, rows.gold, rows.pred)
    order = costs.order()
    fits = (costs.errors[order] > 0) & (rows.text.lengths[order] <= MAX_TOKENS)
    out: list[dict[str, Any]] = []
    for k in order[fits][:TRIED].tolist():
        if len(out) == most:
            break
        found = rows.address(k)
        if found is not None:
            out.append(
                {
                    "number": k + 1,
                    "errors": int(costs.errors[k]),
                    "wrong_tokens": int(costs.wrong_tokens[k]),
                    "address": found,
                }
            )
    return out


def in_lab(sentences: Iterable[dict[str, Any]], rows: Tagged | None) -> None:
    """Say of sentences of a report where the lab opens each, or None where it cannot."""
    for one in sentences:
        known = rows is not None and rows.text.tokens is not None
        one["lab"] = rows.address(one["sentence"]) if rows is not None and known else None
