"""The library's own names, in the reader's language: coefficients and words of scales."""

from __future__ import annotations

from assay.web.speech import Message, lazy

COEFFICIENTS: dict[str, Message] = {
    "percent_agreement": lazy("Percent agreement"),
    "unanimous_agreement": lazy("Unanimous agreement"),
    "cohen_kappa": lazy("Cohen's kappa"),
    "light_kappa": lazy("Light's kappa"),
    "conger_kappa": lazy("Conger's kappa"),
    "scott_pi": lazy("Scott's pi"),
    "fleiss_kappa": lazy("Fleiss' kappa"),
    "brennan_prediger": lazy("Brennan-Prediger S"),
    "gwet_ac": lazy("Gwet's AC1"),
    "krippendorff_alpha": lazy("Krippendorff's alpha"),
    "bangdiwala_b": lazy("Bangdiwala's B"),
}

CHANCE: dict[str, Message] = {
    "percent_agreement": lazy("chance is not taken out"),
    "cohen_kappa": lazy("chance: each rater's own habits"),
    "scott_pi": lazy("chance: the habits of both together"),
    "fleiss_kappa": lazy("chance: the habits of all together"),
    "brennan_prediger": lazy("chance: all labels equally likely"),
    "gwet_ac": lazy("chance: only on items that are hard to tell"),
    "krippendorff_alpha": lazy("chance: two ratings drawn from all of them"),
    "bangdiwala_b": lazy("areas of squares in the agreement chart"),
    "conger_kappa": lazy("chance: each rater's own habits"),
    "light_kappa": lazy("mean of Cohen's kappa over pairs"),
}
"""What each coefficient takes for chance."""

BANDS: dict[str, Message] = {
    "Almost perfect": lazy("Almost perfect"),
    "Substantial": lazy("Substantial"),
    "Moderate": lazy("Moderate"),
    "Fair": lazy("Fair"),
    "Slight": lazy("Slight"),
    "Poor": lazy("Poor"),
    "Excellent": lazy("Excellent"),
    "Fair to good": lazy("Fair to good"),
    "Very good": lazy("Very good"),
    "Good": lazy("Good"),
    "Questionable": lazy("Questionable"),
    "Unacceptable": lazy("Unacceptable"),
    "Reliable": lazy("Reliable"),
    "Tentative conclusions": lazy("Tentative conclusions"),
    "Unreliable": lazy("Unreliable"),
}

WEIGHTS: dict[str, Message] = {
    "identity": lazy("none (labels without an order)"),
    "linear": lazy("linear"),
    "quadratic": lazy("quadratic"),
    "ordinal": lazy("ordinal"),
    "radical": lazy("radical"),
    "ratio": lazy("ratio"),
    "custom": lazy("your own"),
}
