"""The library's estimates as a page shows them: with reasons in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.estimate import Estimate, Undefined
from assay.web.charts import Dot
from assay.web.speech import Message, Speech, lazy

REASONS: dict[str, Message] = {
    "no_ratings": lazy("there is no rating yet"),
    "no_shared_items": lazy("no item has two ratings, so nothing can be compared"),
    "one_label_used": lazy(
        "only one label is in use: agreement by chance is then certain, and the coefficient "
        "is 0 / 0"
    ),
    "one_label_paired": lazy(
        "only one label has a rating with a partner on its item: among those, agreement by "
        "chance is certain, and the coefficient is 0 / 0"
    ),
    "no_variance": lazy(
        "the labels in use count as equal, so agreement by chance is certain and the "
        "coefficient is 0 / 0"
    ),
    "too_few_ratings": lazy("expected disagreement needs more than one rating that has a pair"),
    "single_item": lazy("there is one item only, and how far items differ needs two"),
    "degenerate_error": lazy(
        "every item says the same, so the standard error is 0 and tells nothing of other items"
    ),
    "constant_rater": lazy(
        "one rater never changes the label, so kappa is 0 for every table with these totals"
    ),
    "negative_labels": lazy("ratios need labels of 0 and above, and one is below"),
    "no_error": lazy("no formula for its standard error is known"),
}
OTHER = lazy("it is not defined for this table")


def reason(why: Undefined | None, speech: Speech, labels: int = 1) -> str:
    """Why there is no number, in words; empty where there is one.

    With several ``labels`` in use, one label only can be that of the ratings that are compared.
    """
    if why is None:
        return ""
    code = "one_label_paired" if why.code == "one_label_used" and labels > 1 else why.code
    return speech.say(REASONS.get(code, OTHER))


@dataclass(frozen=True, slots=True)
class Figure:
    """One estimate on the page.

    Attributes
    ----------
    name, title
        Of the attribute that programs read, and on screen.
    value
        Exact where the library's is; None with a ``reason``.
    low, high
        The 95 % interval; None with the reason in ``no_interval``.
    observed, expected
        The two parts, where the coefficient has them.
    before
        The last value on screen, where it was another.
    bound
        Whether the interval is a bound in place of one, since all items are unanimous.
    """

    name: str
    title: str
    value: Fraction | float | None
    reason: str
    low: float | None
    high: float | None
    no_interval: str
    observed: float | None
    expected: float | None
    before: Fraction | float | None
    moved: bool
    bound: bool
    remark: str = ""

    @property
    def width(self) -> float | None:
        """Of the interval."""
        return None if self.low is None or self.high is None else self.high - self.low

    def dot(self, speech: Speech, digits: int = 3) -> Dot:
        """Its row in a chart of intervals."""
        if self.value is None:
            return Dot(self.title, self.remark, speech.say("not defined"))
        if self.low is None or self.high is None:
            said = speech.number(self.value, digits)
        else:
            said = speech.say(
                "{value} ({low} to {high})",
                value=speech.number(self.value, digits),
                low=speech.number(self.low, digits),
                high=speech.number(self.high, digits),
            )
        ghost = float(self.before) if self.before is not None else None
        return Dot(self.title, self.remark, said, float(self.value), self.low, self.high, ghost)


def exact(estimate: Estimate) -> Fraction | float | None:
    """The value, as a fraction where that is known."""
    return estimate.exact if estimate.exact is not None else estimate.value


def figure(
    name: str,
    title: str,
    now: Estimate,
    before: Estimate | None,
    speech: Speech,
    remark: str = "",
    labels: int = 1,
) -> Figure:
    """An estimate, and how it moved; ``labels`` are those in use."""
    value = exact(now)
    interval = now.interval()
    then = None if before is None else exact(before)
    moved = before is not None and then != value
    return Figure(
        name=name,
        title=title,
        value=value,
        reason=reason(now.undefined, speech, labels),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        no_interval="" if interval or value is None else reason(now.why_no_interval(), speech),
        observed=now.observed,
        expected=now.expected,
        before=then if moved else None,
        moved=moved,
        bound=interval is not None and interval.method.startswith("bound"),
        remark=remark,
    )


def moves(figures: list[Figure], speech: Speech) -> str:
    """Which figures moved, and how; that none did is said too."""
    say = speech.say
    said = [
        say(
            "{title} {before} → {now}",
            title=one.title,
            before=speech.number(one.before),
            now=speech.number(one.value),
        )
        for one in figures
        if one.moved
    ]
    return say("Moved: {what}.", what=speech.listed(said)) if said else say("No figure moved.")
