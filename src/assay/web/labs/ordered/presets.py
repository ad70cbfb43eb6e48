"""Tables worth seeing."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.kappa.state import Row, default_labels
from assay.web.labs.ordered.state import FIRST, State
from assay.web.speech import Message, lazy


@dataclass(frozen=True, slots=True)
class Preset:
    """A table under a name, with what it shows."""

    key: str
    title: Message
    shows: Message
    cells: tuple[Row, ...]
    labels: tuple[str, ...]


PRESETS = (
    Preset(
        "first",
        lazy("A hundred texts, 1 to 5"),
        lazy("Most misses are one step: the more a weight forgives them, the higher kappa."),
        FIRST,
        default_labels(5),
    ),
    Preset(
        "near",
        lazy("Near misses"),
        lazy(
            "Every miss is one step. The next table has the same totals and as many misses: "
            "unweighted kappa cannot tell the two apart."
        ),
        (
            (20, 4, 0, 0, 0),
            (4, 28, 4, 0, 0),
            (0, 4, 32, 4, 0),
            (0, 0, 4, 28, 4),
            (0, 0, 0, 4, 20),
        ),
        default_labels(5),
    ),
    Preset(
        "far",
        lazy("Rare but far misses"),
        lazy(
            "Same totals, same agreement, same unweighted kappa as “Near misses”, but some "
            "misses go from one end of the scale to the other."
        ),
        (
            (20, 0, 0, 0, 4),
            (0, 28, 4, 4, 0),
            (0, 4, 32, 4, 0),
            (0, 4, 4, 28, 0),
            (4, 0, 0, 0, 20),
        ),
        default_labels(5),
    ),
    Preset(
        "text",
        lazy("A scale in words"),
        lazy(
            "Low, medium, high: in alphabetical order high stands beside low, and weighted kappa "
            "is of another scale."
        ),
        ((1, 1, 1), (1, 1, 1), (0, 2, 2)),
        ("low", "medium", "high"),
    ),
    Preset(
        "unused",
        lazy("A label in the middle that nobody used"),
        lazy("Nobody said 3. Where it is left out, 2 and 4 become neighbours and kappa rises."),
        ((2, 1, 0, 0), (0, 1, 0, 1), (0, 0, 0, 0), (0, 1, 0, 2)),
        default_labels(4),
    ),
    Preset(
        "two",
        lazy("Two labels only"),
        lazy("With two labels there is one distance, so every weight gives the same kappa."),
        ((45, 10), (15, 30)),
        ("no", "yes"),
    ),
    Preset(
        "one-label",
        lazy("Both use only one label"),
        lazy("Nothing is known of how far apart they would be."),
        ((0, 0, 0), (0, 60, 0), (0, 0, 0)),
        default_labels(3),
    ),
)


def opened(preset: Preset, state: State) -> State:
    """The state of a preset; what is looked at stays."""
    return State(preset.cells, preset.labels, weights=state.weights, far=state.far)
