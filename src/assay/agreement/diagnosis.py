"""What a reader should know before quoting a number: one warning a finding.

Each finding is decided from counts or from an estimate with its interval; nothing is said where
there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.pool import number_text, plural
from assay.agreement.registry import Context, short_title
from assay.agreement.weights import make_weights
from assay.estimate import Estimate
from assay.ratings.categories import Ints
from assay.ratings.reductions import Reduced

FEW_ITEMS = 30
SKEW = 0.8
"""Expected agreement above this leaves little for agreement to win."""
SWAP_GAIN = 0.2
SWAP_LABELS = 50
SWAP_PAIRS = 100
"""The most pairs of raters that are tried."""
GROUP_GAP = 0.1
"""Half the sum of absolute differences of label shares between two groups."""

CAUSES = (
    "The usual causes are a criterion read backwards, two versions of the guideline, or two "
    "columns swapped: read the guideline again before computing again."
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A stable code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Relabelling:
    """Labels of the second rater that look swapped.

    Attributes
    ----------
    taken_as
        Shape (labels,): what each of the second rater's labels would be read as.
    moved
        (label, what it would be read as), of those that change and are in use.
    before, after
        Kappa as it is, and with the labels read so.
    """

    taken_as: tuple[int, ...]
    moved: tuple[tuple[int, int], ...]
    before: Estimate
    after: Estimate

    def finding(self, cells: Cells) -> Finding:
        """As a warning."""
        texts = cells.categories.texts
        pairs = ", ".join(f"'{texts[m]}' as '{texts[k]}'" for m, k in self.moved[:4])
        return Finding(
            "labels_look_swapped",
            f"labels look swapped: with {pairs} for '{cells.raters[1]}', its kappa with "
            f"'{cells.raters[0]}' would be {float(self.after):.3f} instead of "
            f"{signed(float(self.before))}.",
        )


def signed(value: float) -> str:
    """Three decimals, with a minus sign that is one."""
    return f"{value:.3f}".replace("-", "\N{MINUS SIGN}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def findings(
    context: Context,
    estimates: dict[str, Estimate],
    main: Estimate,
    level: float,
    swaps: Sequence[Swapped] | None = None,
) -> list[Finding]:
    """All findings on one set of ratings; ``main`` is the coefficient that suits it best.

    ``swaps`` is what :func:`swapped` gives, where that is known already.
    """
    return [
        *_skewed(context, estimates),
        *_raters(context),
        *_below_chance(main, level),
        *(one.finding() for one in (swapped(context) if swaps is None else swaps)),
        *_sizes(context),
        *_degenerate(estimates),
    ]


KAPPAS = ("cohen_kappa", "fleiss_kappa")


def main_kappa(estimates: dict[str, Estimate]) -> Estimate | None:
    """Cohen's kappa for two raters, else Fleiss'."""
    for name in KAPPAS:
        found = estimates[name]
        if found.expected is not None:
            return found
    return None


def _skewed(context: Context, estimates: dict[str, Estimate]) -> Iterator[Finding]:
    kappa = main_kappa(estimates)
    if kappa is None or kappa.value is None or kappa.expected is None or kappa.expected <= SKEW:
        return
    if not context.weights.identity or context.scale != "nominal":
        return
    shares = context.unweighted.mean_shares
    top = int(np.argmax(shares.floats))
    label = context.made.categories.texts[top]
    yield Finding(
        "skewed_labels",
        f"{_percent(shares.floats[top])} of the ratings are '{label}', so "
        f"{_percent(kappa.expected)} agreement is expected by chance and few "
        "disagreements pull kappa down; read kappa with AC1, the ceiling and each label's F1.",
    )


def _raters(context: Context) -> Iterator[Finding]:
    made = context.made
    if len(made.raters) < 2 or made.q > 1000:
        return
    counts = made.rater_counts
    used = np.count_nonzero(counts.sum(axis=0))
    if used > 1:
        constant = np.flatnonzero(np.count_nonzero(counts, axis=1) == 1).tolist()
        said = [(g, int(np.argmax(counts[g]))) for g in constant]
        if said:
            each = _listed(
                f"'{made.raters[g]}' ('{made.categories.texts[k]}' {_times(made, counts[g, k])})"
                for g, k in said
            )
            yield Finding(
                "constant_rater",
                f"one label and nothing else was used by {each}; agreement with a constant "
                "rater is all chance.",
            )
    if made.q > 50 or used < 2 or context.scale not in ("nominal", "ordinal"):
        return
    alone = np.flatnonzero((counts > 0).sum(axis=0) == 1).tolist()
    if alone:
        each = _listed(
            f"'{made.categories.texts[k]}' by '{made.raters[g]}' ({_times(made, counts[g, k])})"
            for k, g in ((k, int(np.argmax(counts[:, k]))) for k in alone)
        )
        yield Finding("label_of_one_rater", f"used by one rater alone: {each}.")


def _times(made: Reduced, count: int) -> str:
    n = Fraction(int(count), made.denominator)
    return plural(n, "time")


def _listed(parts: Iterable[str], most: int = 5) -> str:
    every = list(parts)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest


def _below_chance(main: Estimate, level: float) -> Iterator[Finding]:
    if main.value is None or main.value >= 0:
        return
    interval = main.interval(level)
    if interval is not None and interval.high < 0:
        yield Finding(
            "systematic_disagreement",
            f"{short_title(main)} and its interval lie below 0: raters agree less than by chance. "
            + CAUSES,
        )
    else:
        yield Finding(
            "below_zero",
            f"{short_title(main)} is below 0, which may be chance, for its interval reaches above. "
            + CAUSES,
        )


@dataclass(frozen=True, slots=True)
class Swapped:
    """A pair of raters and the relabelling of the second under which they agree far better."""

    cells: Cells
    relabelling: Relabelling

    def finding(self) -> Finding:
        """As a warning."""
        return self.relabelling.finding(self.cells)

    def as_dict(self) -> dict[str, Any]:
        """As plain values, unrounded."""
        texts = self.cells.categories.texts
        return {
            "raters": list(self.cells.raters),
            "before": self.relabelling.before.value,
            "after": self.relabelling.after.value,
            "taken_as": [{"label": texts[m], "as": texts[k]} for m, k in self.relabelling.moved],
        }


def swapped(context: Context) -> list[Swapped]:
    """The pairs of raters whose labels look swapped; none where there are too many to try."""
    made = context.made
    if context.scale != "nominal" or len(made.raters) < 2:
        return []
    if made.too_many_pairs or len(made.pairs) > SWAP_PAIRS:
        return []
    if not 2 <= made.q <= SWAP_LABELS:
        return []
    out = []
    for index in range(len(made.pairs)):
        cells = Cells.of_pair(made.pairs, index, made)
        found = best_relabelling(cells)
        if found is not None:
            out.append(Swapped(cells, found))
    return out


def best_relabelling(cells: Cells) -> Relabelling | None:
    """The relabelling of the second rater that agrees most, if it changes kappa sharply."""
    table = cells.dense()
    # A relabelling can only help where some off-diagonal cell beats its diagonal.
    if (table.max(axis=1) <= np.diag(table)).all():
        return None
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    moved = [(k, m) for k, m in zip(rows.tolist(), columns.tolist(), strict=True) if k != m]
    if not moved:
        return None
    plain = make_weights("identity", cells.categories)
    before = cohen(cells, plain)
    back: Ints = np.empty(cells.q, dtype=np.int64)
    back[columns] = rows
    after = cohen(
        Cells(cells.a, back[cells.b], cells.n, cells.categories, cells.raters, cells.denominator),
        plain,
    )
    if before.value is None or after.value is None or after.value - before.value < SWAP_GAIN:
        return None
    # The best of q! relabellings is good by chance; the level makes up for the choice.
    tries = factorial(min(int(np.count_nonzero(table.sum(axis=0) + table.sum(axis=1))), 12))
    interval = after.interval(1.0 - 0.05 / tries)
    if interval is None or interval.low <= before.value:
        return None
    used = tuple((m, k) for k, m in moved if table[k].sum() or table[:, m].sum())
    return Relabelling(tuple(back.tolist()), used, before, after)


def _sizes(context: Context) -> Iterator[Finding]:
    made = context.made
    pairable, all_items = made.items(2), made.items(1)
    if 0 < pairable < FEW_ITEMS:
        yield Finding(
            "few_items",
            f"{plural(pairable, 'item')} with two ratings or more: errors from fewer than "
            f"{FEW_ITEMS} items are rough.",
        )
    single = all_items - pairable
    if pairable and single > all_items / 10:
        yield Finding(
            "many_single_ratings",
            f"{number_text(single)} of {number_text(all_items)} items have one rating: the "
            "linearised standard errors of kappa and AC count them as items without agreement "
            "and are larger than a jackknife over items would give.",
        )


def _degenerate(estimates: dict[str, Estimate]) -> Iterator[Finding]:
    found = estimates["percent_agreement"]
    if found.value == 1.0 and found.items > 1:
        yield Finding(
            "perfect_agreement",
            "all ratings of every item agree, so standard errors are 0 and say nothing about "
            "other items; in place of an interval of no width an exact bound is given.",
        )


def groups_differ(shares: dict[str, dict[str, float]]) -> Finding | None:
    """Groups whose label distributions differ, so that their kappas have different ceilings."""
    names = list(shares)
    worst, which = 0.0, ("", "")
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            labels = set(shares[a]) | set(shares[b])
            gap = sum(abs(shares[a].get(k, 0.0) - shares[b].get(k, 0.0)) for k in labels) / 2
            if gap > worst:
                worst, which = gap, (a, b)
    if worst <= GROUP_GAP:
        return None
    return Finding(
        "groups_differ",
        f"the groups' label distributions differ (most '{which[0]}' and '{which[1]}': "
        f"{_percent(worst)} of the ratings would have to change); their kappas have different "
        "expected agreement and ceilings and are not to be compared as they stand.",
    )
