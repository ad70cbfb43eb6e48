"""Why other libraries print other numbers: (oracle, quantity, library) → who is right, and why.

Names may have ``*``. A pattern that no longer meets a difference makes ``conformance.py`` fail.
"""

from __future__ import annotations

TABLE_ERROR = (
    "irrCAC's functions for a two-rater table divide the variance by n, its functions for items "
    "× raters by n − 1, so that one library has two errors for the same data. Ours are over n − "
    "1 everywhere, the second. Either is right for large n; only one of them is consistent."
)
VARYING = (
    "statsmodels' function assumes that every item has the same number of ratings and stops at "
    "any other table. That is correct, and not an answer; four estimators are in use and each "
    "has its name [here](conventions.md#fleiss-estimators)."
)
ALPHA_ERROR = (
    "irrCAC for Python linearises alpha with the agreement that already holds the small-sample "
    "correction, and takes the degrees of freedom from the items with two ratings or more. The "
    "delta method asks for the agreement without the correction, as in irrCAC for R (.145479), "
    "and ours is that; the degrees of freedom are a convention, and ours are R's. The two "
    "errors differ by less than either does from the jackknife's, .1463."
)
ONE_SIDED = (
    "irrCAC for Python doubles the tail for every coefficient but Brennan-Prediger, whose "
    "p-value is that of a one-sided test, half of what stands beside the others. Ours is "
    "two-sided and right."
)
TWO_ORDINALS = (
    "Two things called ordinal. Krippendorff's metric counts the ratings that lie between two "
    "labels; irrCAC's ordinal weights use positions. Both are right, for what they are: ours "
    "here is Krippendorff's own, as in krippendorff, and `--weights ordinal` gives irrCAC's "
    "number."
)
ONE_LABEL = (
    "All ratings are one label, and the coefficient is 0 / 0. A nan does not say why, and an "
    "error stops the run; that there is no number is right, and ours comes with the reason."
)
NOTHING = (
    "No span is left on either side, and F1 is 0 / 0. Ours is 1 by default, so that a "
    "prediction that equals gold never scores 0; `--zero-division 0` gives theirs. A choice, "
    "and no error."
)
STOPS = (
    "nervaluate reads tags with a type and of BIO alone, and stops at others. Ours and seqeval "
    "read them, and agree."
)

REASONS: dict[tuple[str, str, str], str] = {
    ("abstractors", "error of *", "irrCAC"): TABLE_ERROR,
    ("diagnosis", "error of AC1", "irrCAC"): TABLE_ERROR,
    ("Gwet, raw 4 raters", "Fleiss' kappa", "statsmodels"): VARYING,
    ("Gwet, raw 4 raters", "Brennan-Prediger", "statsmodels"): VARYING,
    ("Stata, varying raters", "Fleiss' kappa*", "statsmodels"): VARYING,
    ("Gwet, raw 4 raters", "error of alpha", "irrCAC"): ALPHA_ERROR,
    ("Gwet, raw 4 raters", "lower limit, alpha", "irrCAC"): ALPHA_ERROR,
    ("Gwet, raw 4 raters", "p-value of alpha", "irrCAC"): ALPHA_ERROR,
    ("Gwet, raw 4 raters", "p-value of Brennan-Prediger", "irrCAC"): ONE_SIDED,
    ("*", "alpha, ordinal", "irrCAC"): TWO_ORDINALS,
    ("5 × the same label", "*", "scikit-learn"): ONE_LABEL,
    ("5 × the same label", "*", "statsmodels"): ONE_LABEL,
    ("5 × the same label", "*", "krippendorff"): ONE_LABEL,
    ("5 × the same label", "*", "irrCAC"): ONE_LABEL,
    ("S9: *", "F1, *", "seqeval"): NOTHING,
    ("S9: *", "F1, *", "nervaluate"): NOTHING,
    ("S12: *", "F1, discard", "seqeval"): NOTHING,
    ("S13: *", "F1, discard", "seqeval"): NOTHING,
    ("S25: *", "F1, open", "nervaluate"): STOPS,
    ("S26: *", "F1, open", "nervaluate"): STOPS,
    ("S27: *", "F1, open", "nervaluate"): STOPS,
}

NOT_COMPARED = (
    "statsmodels takes a matrix of weights as disagreements, so it was given 1 − w. Counts of "
    "labels were given to irrCAC as rows of labels in order, since its module for counts is not "
    "in the Python version; none of the coefficients asked there depends on who gave which "
    "label. Numbers without a library beside them are those that none of these offers. What "
    "libraries in other languages print is in [Why is this not what X prints?](differences.md)."
)
