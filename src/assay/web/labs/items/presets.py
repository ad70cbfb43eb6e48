"""Designs worth seeing."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.items.state import State
from assay.web.speech import Message, lazy


@dataclass(frozen=True, slots=True)
class Preset:
    """A design under a name, with what it shows."""

    key: str
    title: Message
    state: State
    shows: Message


PRESETS = (
    Preset(
        "first",
        lazy("A first plan"),
        State(),
        lazy("A hundred items look like many, and still leave kappa open by about 0.3."),
    ),
    Preset(
        "balanced",
        lazy("Balanced labels"),
        State(po=85, skew=50),
        lazy("Balanced labels give the narrowest interval for the same agreement."),
    ),
    Preset(
        "skewed",
        lazy("One label for 95 %"),
        State(po=95, skew=95),
        lazy(
            "Kappa rests on the few items with the rare label: for the same width far more items "
            "are needed."
        ),
    ),
    Preset(
        "near-perfect",
        lazy("Nearly perfect"),
        State(po=98, skew=50),
        lazy("Near 1 the interval is narrow, and it is cut off at 1 where items are few."),
    ),
    Preset(
        "chance",
        lazy("At chance"),
        State(po=None, kappa=0, skew=70),
        lazy(
            "At chance the interval is wide: few items can look like some agreement or like none."
        ),
    ),
    Preset(
        "perfect",
        lazy("They always agree"),
        State(po=100, skew=60),
        lazy(
            "Without a miss the error is 0, which says nothing; the interval is a bound from the "
            "number of items."
        ),
    ),
)
