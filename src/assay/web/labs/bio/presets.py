"""The sentences that are one click away, each for what it shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from assay.web.labs.bio.state import State
from assay.web.speech import Message, lazy

TEXT = "Nguyễn Văn An làm việc tại Đại học Kiến trúc Đà Nẵng ở thành phố Đà Nẵng"
TAGS = "B-PER I-PER I-PER O O O B-ORG I-ORG I-ORG I-ORG I-ORG I-ORG O O O B-LOC I-LOC"
SENTENCE = tuple(TEXT.split())
GOLD = tuple(TAGS.split())


def put(tags: tuple[str, ...], *changes: tuple[int, str]) -> tuple[str, ...]:
    """A row of tags with some of them changed."""
    out = list(tags)
    for place, tag in changes:
        out[place] = tag
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Preset:
    """A prediction on the sentence, and what it shows."""

    name: str
    title: Message
    pred: tuple[str, ...]

    def state(self, like: State | None = None) -> State:
        """The preset, under the conventions of the page that it is opened from."""
        if like is None:
            return State(SENTENCE, GOLD, self.pred)
        return State(
            SENTENCE, GOLD, self.pred, illegal=like.illegal, zero=like.zero, answers=like.answers
        )


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("off", lazy("one token off"), put(GOLD, (11, "B-LOC"))),
        Preset("perfect", lazy("perfect"), GOLD),
        Preset(
            "type",
            lazy("right boundaries, wrong type"),
            put(GOLD, (15, "B-ORG"), (16, "I-ORG")),
        ),
        Preset(
            "missed",
            lazy("organisation missed"),
            put(GOLD, *((place, "O") for place in range(6, 12))),
        ),
        Preset("illegal", lazy("illegal sequence"), put(GOLD, (6, "O"))),
    )
}


@cache
def first_state() -> State:
    """The state of an address without parameters."""
    return PRESETS["off"].state()


def empty(like: State) -> State:
    """The sentence of a page with no tag on it."""
    nothing = ("O",) * len(like.tokens)
    return replace(like, gold=nothing, pred=nothing, puzzle="", fell=0)
