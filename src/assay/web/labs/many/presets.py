"""Tables worth seeing."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.many.state import FIRST, Rows, State
from assay.web.speech import Message, lazy


@dataclass(frozen=True, slots=True)
class Preset:
    """A table under a name."""

    key: str
    title: Message
    rows: Rows
    labels: tuple[str, ...] = ()


PRESETS = (
    Preset("first", lazy("Fourteen raters, ten items"), FIRST),
    Preset(
        "unanimous",
        lazy("All agree on every item"),
        ((5, 0, 0), (0, 5, 0), (5, 0, 0), (0, 0, 5), (0, 5, 0), (5, 0, 0)),
    ),
    Preset("one-label", lazy("All agree, always on one label"), ((5, 0, 0),) * 6),
    Preset("even", lazy("Ratings spread evenly"), ((2, 2, 2, 2, 2),) * 6),
    Preset(
        "dissent", lazy("One dissenting rating"), ((5, 0), (3, 0), (4, 0), (4, 0), (4, 1))
    ),
    Preset(
        "skewed",
        lazy("Skewed labels"),
        ((5, 0),) * 15 + ((4, 1),) * 4 + ((2, 3),),
        ("no problem", "problem"),
    ),
    Preset(
        "unequal",
        lazy("Unequal numbers of raters"),
        (
            (3, 0, 0), (1, 2, 0), (0, 2, 0), (2, 1, 1),
            (0, 0, 3), (0, 1, 0), (0, 0, 0), (1, 1, 2),
        ),
    ),
)  # fmt: skip


def opened(preset: Preset, state: State) -> State:
    """The state of a preset; answers and puzzle stay as they are."""
    return State(preset.rows, preset.labels, (), state.answers, state.puzzle)
