"""The puzzles and the questions of the kappa lab."""

from __future__ import annotations

from fractions import Fraction

from assay.web.labs.kappa.measured import Measured
from assay.web.quiz import Puzzle, Question
from assay.web.speech import lazy

TENTH = Fraction(1, 10)


def _zero_at_90(got: Measured) -> bool:
    return got.po is not None and got.po >= 1 - TENTH and got.kappa == 0


def _below_zero_at_90(got: Measured) -> bool:
    return got.po is not None and got.po >= 1 - TENTH and got.kappa is not None and got.kappa < 0


def _high_and_skewed(got: Measured) -> bool:
    if not got.n or got.kappa is None or got.kappa < Fraction(4, 5):
        return False
    each = (r + c for r, c in zip(got.rows, got.columns, strict=True))
    return max(each) >= 2 * got.n * (1 - TENTH)


def _low_ceiling(got: Measured) -> bool:
    return (
        got.kappa_max is not None and got.kappa_max < Fraction(1, 2) and got.kappa == got.kappa_max
    )


def _half_without_half(got: Measured) -> bool:
    return (
        got.kappa is not None and got.kappa < 0 and got.po is not None and got.po > Fraction(1, 2)
    )


PUZZLES = {
    puzzle.key: puzzle
    for puzzle in (
        Puzzle(
            "zero-at-90",
            lazy("Make kappa exactly 0 while the raters agree on 90 % or more."),
            lazy("Chance has to explain every agreement. Look at what a constant rater does."),
            _zero_at_90,
        ),
        Puzzle(
            "below-zero-at-90",
            lazy("Make kappa negative while the raters agree on 90 % or more."),
            lazy("Let both call nearly everything the same, and never agree on the rest."),
            _below_zero_at_90,
        ),
        Puzzle(
            "high-and-skewed",
            lazy("Reach a kappa of 0.8 although one label has 90 % of all ratings."),
            lazy("Few items have the rare label, so nearly all of those must be agreed on."),
            _high_and_skewed,
        ),
        Puzzle(
            "low-ceiling",
            lazy("Reach the ceiling of kappa where that ceiling is below 0.5."),
            lazy("Let one rater say the first label far more often, and leave one corner empty."),
            _low_ceiling,
        ),
        Puzzle(
            "more-than-half",
            lazy("Agree on more than half of the items, and still do worse than chance."),
            lazy("The more one label dominates, the more agreement chance alone gives."),
            _half_without_half,
        ),
    )
}

QUESTIONS = (
    Question(
        lazy("What opens the gap between 90 % agreement and a kappa of 0.004 in the first table?"),
        (
            lazy("1,000 items are too few."),
            lazy("Nearly every answer is “safe”, so chance alone gives 90 % agreement."),
            lazy("The raters disagree on purpose."),
        ),
        "b",
        lazy(
            "Each rater says “safe” about 95 times in 100, so two who never look at the text "
            "agree on 0.95 × 0.944 + 0.05 × 0.056 = 89.96 % of it. Of the agreement that chance "
            "leaves open, next to nothing is reached. More items would make the same kappa surer."
        ),
    ),
    Question(
        lazy("What does a negative kappa mean?"),
        (
            lazy("The raters agree less often than their habits alone would make them."),
            lazy("The computation went wrong."),
            lazy("There are more disagreements than agreements."),
        ),
        "a",
        lazy(
            "Below 0, something makes them differ: a criterion read backwards, two versions of the "
            "guideline, two columns swapped. It needs no majority of disagreements: 90 % "
            "agreement can be less than chance gives."
        ),
    ),
    Question(
        lazy("Kappa is 0.30 on one data set and 0.75 on another. Which was labelled better?"),
        (
            lazy("The second."),
            lazy("The first, for its labels are harder."),
            lazy("The two numbers alone cannot say."),
        ),
        "c",
        lazy(
            "Kappa depends on how often each label occurs. The same skill gives a low kappa where "
            "one label is rare and a higher one where labels are balanced. Compare the tables, the "
            "ceilings and each label's agreement."
        ),
    ),
)
