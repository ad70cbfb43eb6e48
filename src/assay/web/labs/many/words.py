"""What the page says of a table, finding first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assay.web.labs.many.figures import Numbers
from assay.web.labs.many.state import Rows, State
from assay.web.speech import Speech

SKEWED = Fraction(4, 5)
"""A label with this share of the ratings or more makes chance agreement high."""


def headline(state: State, found: Numbers, speech: Speech) -> str:
    """The finding, in one sentence."""
    say, values = speech.say, found.values()
    kappa, pairwise, unanimous = values["fleiss"], values["pairwise"], values["unanimous"]
    if not state.ratings:
        return say("There is no rating yet: type counts, or open one of the examples.")
    if pairwise is None or unanimous is None:
        return say("No item has two ratings, so nothing can be compared.")
    share = speech.percent(pairwise)
    if kappa is None:
        return say(
            "All agree, and all on one label: whether they could tell labels apart is not known, "
            "so Fleiss' kappa is not defined."
        )
    number = speech.number(kappa)
    compared = [share for share in found.items if share is not None]
    alone = len(compared) < len(found.items)
    if unanimous == 1 and alone:
        return speech.many(
            "All raters agree on the one item that has two ratings or more, and more than one "
            "label is in use: kappa is 1.",
            "All raters agree on each of the {n} items that have two ratings or more, and more "
            "than one label is in use: kappa is 1.",
            len(compared),
        )
    if unanimous == 1:
        return say("All raters agree on every item, and more than one label is in use: kappa is 1.")
    if kappa < 0:
        return say(
            "{share} of the pairs of ratings agree, and by chance more would: "
            "Fleiss' kappa is {kappa}.",
            share=share,
            kappa=number,
        )
    if kappa == 0:
        return say(
            "{share} of the pairs of ratings agree, exactly as many as by chance: "
            "Fleiss' kappa is 0.",
            share=share,
        )
    top = max((s for s in found.shares if s is not None), default=Fraction(0))
    if top >= SKEWED:
        return say(
            "{share} of the pairs of ratings agree, but one label has {top} of the ratings: "
            "Fleiss' kappa is {kappa}.",
            share=share,
            top=speech.percent(top),
            kappa=number,
        )
    unanimous_items = compared.count(Fraction(1))
    if alone:
        return speech.many(
            "On {unanimous} of {n} item with two ratings or more all raters agree, and {share} of "
            "the pairs of ratings do; beyond chance that is a Fleiss' kappa of {kappa}.",
            "On {unanimous} of {n} items with two ratings or more all raters agree, and {share} "
            "of the pairs of ratings do; beyond chance that is a Fleiss' kappa of {kappa}.",
            len(compared),
            unanimous=unanimous_items,
            share=share,
            kappa=number,
        )
    return speech.many(
        "On {unanimous} of {n} item all raters agree, and {share} of the pairs of ratings do; "
        "beyond chance that is a Fleiss' kappa of {kappa}.",
        "On {unanimous} of {n} items all raters agree, and {share} of the pairs of ratings do; "
        "beyond chance that is a Fleiss' kappa of {kappa}.",
        len(compared),
        unanimous=unanimous_items,
        share=share,
        kappa=number,
    )


def apart(found: Numbers, speech: Speech) -> str:
    """Why the four coefficients differ on this table, or that they do not."""
    values = found.values()
    numbers = [values[name] for name in ("fleiss", "alpha", "ac1", "s")]
    known = [value for value in numbers if value is not None]
    if len(known) < len(numbers):
        return ""
    gap = max(known) - min(known)
    if gap < Fraction(1, 20):
        return speech.say(
            "The four differ by {gap} at most: on this table it hardly matters what is called "
            "chance.",
            gap=speech.number(gap),
        )
    if _observed(found, speech) is not None:
        return speech.say(
            "The four differ by {gap} on the same ratings: they differ in what they call chance, "
            "and alpha also in how much each item counts.",
            gap=speech.number(gap),
        )
    return speech.say(
        "The four differ by {gap} on the same ratings: they differ in what they call chance.",
        gap=speech.number(gap),
    )


def _observed(found: Numbers, speech: Speech) -> tuple[str, str] | None:
    """Alpha's observed agreement and that of the others, as shown; None where they are one."""
    both = found.estimates["alpha"].observed, found.estimates["fleiss"].observed
    alpha, rest = (speech.number(one, 4) for one in both)
    return None if None in both or alpha == rest else (alpha, rest)


def formula(found: Numbers, speech: Speech) -> str:
    """What the four coefficients have in common, and where they part."""
    two = _observed(found, speech)
    if two is None:
        return speech.say(
            "All four are (Po − Pe) / (1 − Pe), from the same Po: what they call chance, Pe, "
            "makes the difference."
        )
    return speech.say(
        "All four are (Po − Pe) / (1 − Pe). Alpha's Po is {alpha}, that of the others {po}: in "
        "alpha, items with more ratings count more. The other difference is what they call "
        "chance, Pe.",
        alpha=two[0],
        po=two[1],
    )


def hardest(state: State, found: Numbers, speech: Speech) -> str:
    """Which items the raters agree on least."""
    known = [share for share in found.items if share is not None]
    if not known or min(known) == max(known):
        return ""
    least = min(known)
    names = [n for n, share in zip(state.item_names, found.items, strict=True) if share == least]
    shown = speech.listed(names[:3])
    if len(names) > 3:
        shown = speech.say("{names} and {n} more", names=shown, n=len(names) - 3)
    return speech.say(
        "Hardest: {names}, where {share} of the pairs agree.",
        names=shown,
        share=speech.percent(least),
    )


def sizes(state: State, speech: Speech) -> Sequence[str]:
    """How many ratings items have, and what is left out."""
    say, many, given = speech.say, speech.many, state.sizes
    rated = [r for r in given if r]
    if not rated:
        return ()
    out = []
    if len(set(rated)) == 1:
        out.append(many("Every item has {n} rating.", "Every item has {n} ratings.", rated[0]))
    else:
        out.append(
            say(
                "Items have from {low} to {high} ratings.",
                low=min(rated),
                high=max(rated),
            )
        )
    single, none = given.count(1), given.count(0)
    if single:
        out.append(
            many(
                "{n} item has one rating: it adds to the shares of labels for Fleiss' kappa and "
                "AC1, and to nothing else.",
                "{n} items have one rating: they add to the shares of labels for Fleiss' kappa "
                "and AC1, and to nothing else.",
                single,
            )
        )
    if none:
        out.append(
            many(
                "{n} item has no rating and counts nowhere.",
                "{n} items have no rating and count nowhere.",
                none,
            )
        )
    return out


def changed(before: State, now: State, speech: Speech) -> str:
    """What was done to the table, in a few words; empty where nothing was."""
    say = speech.say
    old, new = before.rows, now.rows
    if old == new:
        return ""
    if len(old) == len(new) and len(old[0]) == len(new[0]):
        cells = [
            (i, j)
            for i, (a, b) in enumerate(zip(old, new, strict=True))
            for j, (x, y) in enumerate(zip(a, b, strict=True))
            if x != y
        ]
        if len(cells) == 1:
            i, j = cells[0]
            return say(
                "Item {item}, label {label}: from {before} to {now}.",
                item=now.item_names[i],
                label=now.label_names[j],
                before=old[i][j],
                now=new[i][j],
            )
    if _without_zeros(old) == _without_zeros(new):
        if len(old[0]) != len(new[0]):
            return say(
                "A label that nobody used came or went: only AC1 and S, which count labels, move."
            )
        return say("An item without a rating came or went: nothing else changed.")
    if sorted(_turned(old)) == sorted(_turned(new)):
        return say("Labels changed places, and nothing else.")
    if sorted(old * 2) == sorted(new):
        return say("Every item is there twice now.")
    if new == tuple(tuple(2 * n for n in row) for row in old):
        return say("Every rater is there twice now.")
    went = sum(map(sum, old)) - sum(map(sum, new))
    if len(old) == len(new) + 1 and _one_left_out(old, new):
        return speech.many(
            "An item went, with {n} rating.", "An item went, with {n} ratings.", went
        )
    if len(old[0]) == len(new[0]) + 1 and _one_left_out(_turned(old), _turned(new)):
        return speech.many(
            "A label went, with {n} rating.", "A label went, with {n} ratings.", went
        )
    return say("Another table.")


def _turned(rows: Rows) -> Rows:
    return tuple(zip(*rows, strict=True))


def _without_zeros(rows: Rows) -> Rows:
    kept = tuple(row for row in rows if any(row))
    return tuple(column for column in _turned(kept) if any(column))


def _one_left_out(old: Rows, new: Rows) -> bool:
    return any(old[:i] + old[i + 1 :] == new for i in range(len(old)))
