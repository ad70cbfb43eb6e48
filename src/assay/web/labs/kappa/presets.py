"""Tables worth seeing, each with what it shows."""

from __future__ import annotations

from dataclasses import dataclass

from assay.web.labs.kappa.state import Row, State
from assay.web.speech import Message, lazy


@dataclass(frozen=True, slots=True)
class Preset:
    """A table by name."""

    key: str
    title: Message
    cells: tuple[Row, ...]
    labels: tuple[str, ...]
    raters: tuple[str, str] = ("A", "B")

    @property
    def state(self) -> State:
        return State(self.cells, self.labels, self.raters)


PRESETS = {
    one.key: one
    for one in (
        Preset(
            "chatbot",
            lazy("1,000 chatbot answers"),
            ((3, 47), (53, 897)),
            ("violation", "safe"),
        ),
        Preset("negative", lazy("Worse than chance"), ((20, 30), (30, 20)), ("yes", "no")),
        Preset("independent", lazy("Two independent raters"), ((25, 25), (25, 25)), ("yes", "no")),
        Preset(
            "constant",
            lazy("One rater always says one label"),
            ((60, 40), (0, 0)),
            ("safe", "violation"),
        ),
        Preset(
            "judge",
            lazy("A judge that always says “no problem”"),
            ((0, 0), (3, 97)),
            ("problem", "no problem"),
            ("judge", "people"),
        ),
        Preset(
            "three",
            lazy("Three labels"),
            ((70, 7, 1), (5, 8, 0), (2, 3, 4)),
            ("safe", "sensitive", "violation"),
        ),
        Preset(
            "reviews", lazy("Sentiment of 100 reviews"), ((45, 10), (15, 30)),
            ("positive", "negative"),
        ),
        Preset("pictures", lazy("Fifty pictures"), ((20, 5), (10, 15)), ("yes", "no")),
        Preset("one-label", lazy("Both use only one label"), ((0, 0), (0, 120)), ("yes", "no")),
    )
}  # fmt: skip

FIRST = PRESETS["chatbot"]
