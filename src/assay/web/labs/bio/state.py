"""What the BIO lab's page depends on: a sentence, two rows of tags, and how they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.errors import InputError
from assay.report.addresses import MAX_TOKEN, MAX_TOKENS
from assay.spans.corpus import TagRows
from assay.spans.decode import decode, split_tag
from assay.spans.encode import encode
from assay.spans.schemes import SCHEMES
from assay.web.query import BadState, listed, shortened
from assay.web.speech import lazy

MOST_TYPES = 30
TYPES = ("PER", "ORG", "LOC")
ROWS = ("gold", "pred")
ILLEGAL = ("open", "discard")
ZERO = ("1", "0", "undefined")

ROW_NAMES = {"gold": lazy("Gold"), "pred": lazy("Prediction")}

Row = Literal["gold", "pred"]
Tags = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A sentence with a gold and a predicted row of tags, as long as each other.

    Attributes
    ----------
    tokens, gold, pred
        As written.
    illegal, scheme, zero
        The conventions: for illegal sequences, of the tags, and for empty denominators.
    types
        What a click goes through; the types that tags have are always among them.
    puzzle
        The name of the one that is being solved, or "".
    answers
        To the questions of the self-check, "" where there is none yet.
    cut
        Tokens that were left out because there were too many.
    fell
        Tags that fell off in the last edit, because their tokens are gone.
    further
        Tokens of further sentences that were pasted and left out.
    """

    tokens: tuple[str, ...]
    gold: Tags
    pred: Tags
    illegal: str = "open"
    scheme: str = "BIO"
    zero: str = "1"
    types: tuple[str, ...] = TYPES
    puzzle: str = ""
    answers: tuple[str, ...] = ("", "", "")
    cut: int = 0
    fell: int = 0
    further: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", with_met(self.types, self.gold, self.pred))

    def query(self) -> dict[str, str]:
        """The canonical parameters; what follows from the others is left out."""
        known = self.types == with_met(TYPES, self.gold, self.pred)
        return {
            # A blank stands for a sentence without tokens: an empty value would be left out.
            "tokens": " ".join(self.tokens) or " ",
            "gold": " ".join(self.gold),
            "pred": " ".join(self.pred),
            "illegal": self.illegal,
            "scheme": "" if self.scheme == "BIO" else self.scheme,
            "types": "" if known else listed(self.types),
            "zero": "" if self.zero == "1" else self.zero,
            "puzzle": self.puzzle,
            **{f"q{k}": answer for k, answer in enumerate(self.answers, 1)},
            "cut": str(self.cut or ""),
            "fell": str(self.fell or ""),
            "further": str(self.further or ""),
        }

    def possible(self) -> State:
        """The state with what it says of the last edit bounded by what an edit can have done.

        Tokens are left out only of a sentence that fills the page, and a row loses no more tags
        than there is room for.
        """
        room = len(ROWS) * (MAX_TOKENS - len(self.tokens))
        return replace(self, cut=0 if room else self.cut, fell=min(self.fell, room))

    def row(self, row: Row) -> Tags:
        """One of the two rows."""
        return self.gold if row == "gold" else self.pred

    def with_tags(self, row: Row, tags: Tags) -> State:
        """Another row of tags, as long as this."""
        return replace(self, gold=tags) if row == "gold" else replace(self, pred=tags)

    @property
    def cycle(self) -> Tags:
        """The tags that a click goes through, from O on."""
        letters = [letter for p, letter in SCHEMES[self.scheme].letters.items() if p != "O"]
        return ("O", *(written(letter, kind) for kind in self.types for letter in letters))

    def turns(self, tag: str) -> tuple[str, str]:
        """The tags after and before one in the cycle."""
        cycle = self.cycle
        now = {split_tag(one): k for k, one in enumerate(cycle)}[split_tag(tag)]
        return cycle[(now + 1) % len(cycle)], cycle[now - 1]

    def clicked(self, row: Row, place: int, *, back: bool = False) -> State:
        """After a click on a tag: the next of the cycle, or the one before."""
        tags = self.row(row)
        turned = self.turns(tags[place])[1 if back else 0]
        changed = (*tags[:place], turned, *tags[place + 1 :])
        return replace(self.with_tags(row, changed), fell=0)

    def rewritten(self, scheme: str) -> State | None:
        """The same spans in another scheme; None where it cannot tell them apart."""
        if scheme == self.scheme:
            return self
        rows = []
        for tags in (self.gold, self.pred):
            spans = decode(TagRows.of([tags]), scheme=self.scheme, illegal=self.illegal)
            try:
                rows.append(tuple(encode(spans, scheme=scheme)[0]))
            except InputError:
                return None
        return replace(self, gold=rows[0], pred=rows[1], scheme=scheme, fell=0)


def written(letter: str, kind: str) -> str:
    """A tag.

    >>> written("B", "PER"), written("I", "")
    ('B-PER', 'I')
    """
    return f"{letter}-{kind}" if kind else letter


def with_met(types: Iterable[str], *rows: Sequence[str]) -> tuple[str, ...]:
    """Types, then those that only tags have, in the order in which they come.

    Tags without a type come first.

    >>> with_met(["PER"], ["O", "B-LOC"], ["I-PER", "B-ORG"])
    ('PER', 'LOC', 'ORG')
    """
    met = [parts for row in rows for tag in row if (parts := split_tag(tag)) and tag != "O"]
    found = dict.fromkeys([*types, *(kind for _, kind in met)])
    return tuple(sorted(found, key=bool))


def check_row(row: Row, tags: Sequence[str], scheme: str) -> None:
    """Every tag is one of the scheme, and not too long.

    Raises
    ------
    BadState
        With the row, the position, what was found and what the scheme allows.
    """
    letters = SCHEMES[scheme].letters
    for place, tag in enumerate(tags):
        if len(tag) > MAX_TOKEN:
            raise BadState(
                lazy(
                    "{row}, token {n} (counted from 0): the tag “{tag}” has {length} characters; "
                    "{most} are the most.",
                    row=ROW_NAMES[row],
                    n=place,
                    tag=shortened(tag),
                    length=len(tag),
                    most=MAX_TOKEN,
                ),
                field="paste",
            )
        parts = split_tag(tag)
        if parts is None or parts[0] not in letters:
            raise BadState(
                lazy(
                    "{row}, token {n} (counted from 0): “{tag}” is not a tag of {scheme}, which "
                    "has O, and {letters} with a type, as in {example}.",
                    row=ROW_NAMES[row],
                    n=place,
                    tag=tag,
                    scheme=scheme,
                    letters=", ".join(letter for p, letter in letters.items() if p != "O"),
                    example=written(letters.get("B", letters["I"]), "PER"),
                ),
                field="paste",
            )
