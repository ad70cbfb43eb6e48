"""Tables to look for, and three questions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assay.web.quiz import Puzzle, Question
from assay.web.speech import lazy

Values = Mapping[str, Fraction | float | None]


def _least(values: Values, name: str, bound: Fraction) -> bool:
    value = values[name]
    return value is not None and value >= bound


def _apart(values: Values) -> bool:
    ac1, kappa = values["ac1"], values["fleiss"]
    return ac1 is not None and kappa is not None and ac1 - kappa >= Fraction(1, 2)


def _below(values: Values) -> bool:
    kappa = values["fleiss"]
    return kappa is not None and kappa < 0 and _least(values, "pairwise", Fraction(2, 3))


PUZZLES = {
    puzzle.key: puzzle
    for puzzle in (
        Puzzle(
            "below",
            lazy("Make Fleiss' kappa fall below 0 while two thirds of the pairs of ratings agree."),
            lazy(
                "Chance agreement has to be above two thirds too: one label has nearly all ratings."
            ),
            _below,
        ),
        Puzzle(
            "dissent",
            lazy("Make alpha exactly 0 while at least 90 % of the pairs agree."),
            lazy("A single rating that differs from all others, in the whole table, is enough."),
            lambda v: v["alpha"] == 0 and _least(v, "pairwise", Fraction(9, 10)),
        ),
        Puzzle(
            "apart",
            lazy("Bring AC1 and Fleiss' kappa at least 0.5 apart, with AC1 above."),
            lazy("AC1's chance agreement shrinks with skewed labels, Fleiss' grows."),
            _apart,
        ),
        Puzzle(
            "split",
            lazy("Leave no item unanimous, and still make Fleiss' kappa at least 0.5."),
            lazy("With many raters, one who differs on every item costs little."),
            lambda v: v["unanimous"] == 0 and _least(v, "fleiss", Fraction(1, 2)),
        ),
    )
}

QUESTIONS = (
    Question(
        lazy("Three raters become thirty, just as careful. What happens to unanimous agreement?"),
        (
            lazy("It stays"),
            lazy("It falls"),
            lazy("It rises"),
        ),
        "b",
        lazy(
            "The more raters, the likelier one of them differs. Unanimous agreement can only be "
            "compared at equal numbers of raters; pairwise agreement does not depend on it."
        ),
    ),
    Question(
        lazy("Four of five ratings are “no problem” on every item. Why is Fleiss' kappa below 0?"),
        (
            lazy("The raters are careless"),
            lazy("There are too few items"),
            lazy("Every item looks the same"),
        ),
        "c",
        lazy(
            "Kappa asks whether ratings of one item are more alike than ratings of different "
            "items. If every item gets the same mix, knowing the item tells nothing."
        ),
    ),
    Question(
        lazy("Every item is put into the table a second time. What moves?"),
        (
            lazy("All coefficients rise"),
            lazy("The intervals become narrower"),
            lazy("Nothing"),
        ),
        "b",
        lazy(
            "Shares and agreement stay, so kappa, AC1 and S stay to the last bit; only alpha moves "
            "a little, by its correction for few ratings. The interval takes copies for new "
            "evidence and shrinks, which is why copies must never be counted as items."
        ),
    ),
)
