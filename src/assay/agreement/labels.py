"""Agreement label by label: specific agreement, Fleiss' and conditional kappa, F1 and Jaccard.

References
----------
Cicchetti, D. V. and Feinstein, A. R. (1990). Journal of Clinical Epidemiology 43(6), 551-558.
(Specific agreement.)
Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Psychological Bulletin 86(5), 974-977.
(Kappa of a category and its error.)
Light, R. J. (1971). Psychological Bulletin 76(5), 365-377. (Conditional kappa.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Unpack

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.fleiss import z_test
from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.agreement.pool import Pool, count_of
from assay.agreement.weights import make_weights
from assay.estimate import Estimate, HypothesisTest, NoError, Undefined, undefined
from assay.ratings.reductions import Reduced


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What is known of one label.

    ``count`` is its number of ratings; ``specific`` the chance that another rater says the
    label too, given that one does; ``category`` Fleiss' kappa of the label against all others;
    ``conditional`` Cohen's kappa given that rater A said the label (two raters).
    """

    label: str
    count: Fraction
    specific: Fraction | None
    category: Fraction | None
    conditional: Fraction | None
    test: HypothesisTest | None


def label_rows(pool: Pool, cells: Cells | None) -> list[LabelRow]:
    """One row a category, from the pool and, for two raters, their table."""
    specific, category = specific_shares(pool), category_kappas(pool)
    given = [None] * pool.q if cells is None else conditional_kappas(cells)
    counts = np.zeros(pool.q, dtype=np.int64)
    for totals in pool.sizes.values():
        counts += totals.ratings
    error = category_error(pool)
    rows = []
    for k, text in enumerate(pool.categories.texts):
        # A label that was never compared has no kappa, whatever its share.
        kappa = None if specific[k] is None else category[k]
        test = None
        if error is not None and kappa is not None:
            test = z_test("Fleiss-Nee-Landis (1979), z", float(kappa), error)
        count = Fraction(int(counts[k]), pool.patterns.denominator)
        rows.append(LabelRow(text, count, specific[k], kappa, given[k], test))
    return rows


def specific_shares(pool: Pool) -> list[Fraction | None]:
    """Σ_i n_ij(n_ij − 1) / Σ_i n_ij(r_i − 1): None for a label in no item with two ratings."""
    agree, pairs = [0] * pool.q, [0] * pool.q
    for r, totals in pool.sizes.items():
        for k in np.flatnonzero(totals.ratings).tolist():
            agree[k] += int(totals.squares[k] - totals.ratings[k])
            pairs[k] += int(totals.ratings[k]) * (r - 1)
    return [Fraction(a, p) if p else None for a, p in zip(agree, pairs, strict=True)]


def category_kappas(pool: Pool) -> list[Fraction | None]:
    """Fleiss' kappa of each label against the rest: 1 − mean of x(n − x)/(n(n − 1)) over pq."""
    items = sum(s.items for r, s in pool.sizes.items() if r >= 2)
    shares = pool.mean_shares
    out: list[Fraction | None] = []
    for k in range(pool.q):
        p = Fraction(shares.numerators[k], shares.denominator) if shares.denominator else None
        if p is None or p in (0, 1) or not items:
            out.append(None)
            continue
        split = sum(
            (
                Fraction(r * int(s.ratings[k]) - int(s.squares[k]), r * (r - 1))
                for r, s in pool.sizes.items()
                if r >= 2
            ),
            Fraction(0),
        )
        out.append(1 - split / items / (p * (1 - p)))
    return out


def category_error(pool: Pool) -> float | None:
    """√(2 / (N n(n − 1))), under no agreement, where every item has n ratings."""
    n = pool.equal_sizes
    if n is None or n < 2:
        return None
    return sqrt(2.0 / (float(pool.n) * n * (n - 1)))


def conditional_kappas(cells: Cells) -> list[Fraction | None]:
    """(p_kk − p_k. p_.k) / (p_k. − p_k. p_.k): None where A never said k, or B always did."""
    n = cells.total
    rows, columns = cells.rows.tolist(), cells.columns.tolist()
    out: list[Fraction | None] = []
    for k, d in enumerate(cells.diagonal.tolist()):
        bottom = n * rows[k] - rows[k] * columns[k]
        out.append(Fraction(n * d - rows[k] * columns[k], bottom) if bottom else None)
    return out


def f1_scores(cells: Cells) -> list[Fraction | None]:
    """2 n_kk / (n_k. + n_.k): F1 with either rater as the reference, and Dice."""
    return _overlap(cells, lambda d, r, c: (2 * d, r + c))


def jaccard_scores(cells: Cells) -> list[Fraction | None]:
    """n_kk / (n_k. + n_.k − n_kk)."""
    return _overlap(cells, lambda d, r, c: (d, r + c - d))


def _overlap(
    cells: Cells, parts: Callable[[int, int, int], tuple[int, int]]
) -> list[Fraction | None]:
    found = [
        parts(d, r, c)
        for d, r, c in zip(
            cells.diagonal.tolist(), cells.rows.tolist(), cells.columns.tolist(), strict=True
        )
    ]
    return [Fraction(top, bottom) if bottom else None for top, bottom in found]


def specific_agreement(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> dict[str, Estimate]:
    """For each label, the chance that a second rating of an item is the label, if one is.

    Parameters
    ----------
    data, other
        Ratings, counts or a table; or two parallel sequences of labels.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Examples
    --------
    >>> found = specific_agreement(table=[[80, 10], [5, 5]], categories=["yes", "no"])
    >>> {label: round(x.value, 4) for label, x in found.items()}
    {'yes': 0.9143, 'no': 0.4}
    """
    pool = _plain_pool(reduced(data, other, **options))
    return _estimates(pool, "specific_agreement", "Specific agreement", specific_shares(pool))


def category_kappa(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> dict[str, Estimate]:
    """For each label, Fleiss' kappa of the label against all others.

    Examples
    --------
    >>> found = category_kappa([["a", "a", "b"], ["b", "b", "b"], ["c", "c", "c"]])
    >>> {label: str(x.exact) for label, x in found.items()}
    {'a': '5/14', 'b': '11/20', 'c': '1'}
    """
    pool = _plain_pool(reduced(data, other, **options))
    error = category_error(pool)
    found = _estimates(pool, "category_kappa", "Fleiss' kappa of one label", category_kappas(pool))
    if error is None:
        return found
    out = {}
    for label, one in found.items():
        if one.value is not None:
            test = z_test("Fleiss-Nee-Landis (1979), z", one.value, error)
            one = Estimate(
                one.name, one.full_name, one.value, exact=one.exact, items=one.items,
                raters=one.raters, ratings=one.ratings, other_tests=(test,),
            )  # fmt: skip
        out[label] = one
    return out


def conditional_kappa(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> dict[str, Estimate]:
    """For each label, how much more often than by chance B agrees when A says the label.

    Examples
    --------
    >>> found = conditional_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> {label: str(x.exact) for label, x in found.items()}
    {'a': '1/3', 'b': '1'}
    """
    return _two("conditional_kappa", "Conditional kappa given the first rater's label",
                conditional_kappas, data, other, options)  # fmt: skip


def f1(data: Data = None, other: Data = None, **options: Unpack[Options]) -> dict[str, Estimate]:
    """F1 of each label between two raters; the mean over pairs that use it for more.

    F1 is the same whichever rater is the reference, and equals Dice's coefficient.

    Examples
    --------
    >>> {k: str(x.exact) for k, x in f1(["a", "a", "b"], ["a", "b", "b"]).items()}
    {'a': '2/3', 'b': '2/3'}
    """
    return _over_pairs("f1", "F1 (Dice)", f1_scores, data, other, options)


def jaccard(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> dict[str, Estimate]:
    """Jaccard's index of each label between two raters; the mean over pairs for more.

    Examples
    --------
    >>> {k: str(x.exact) for k, x in jaccard(["a", "a", "b"], ["a", "b", "b"]).items()}
    {'a': '1/2', 'b': '1/2'}
    """
    return _over_pairs("jaccard", "Jaccard index", jaccard_scores, data, other, options)


def _plain_pool(made: Reduced) -> Pool:
    return Pool(made.patterns, make_weights(None, made.categories), made.categories)


_UNUSED = Undefined("no_ratings", "the label occurs in no pair of ratings")
_ALL = Undefined("one_label_used", "all ratings are this label: expected agreement is 1")
_NEVER_FIRST = Undefined(
    "constant_rater",
    "the first rater never says the label, or the second always does, on the shared items",
)
_NO_ERROR = NoError(Undefined("no_error", "no analytic error is given for a single label"))


def _estimates(
    pool: Pool, name: str, full: str, values: list[Fraction | None]
) -> dict[str, Estimate]:
    out = {}
    used = pool.labels_used
    for k, (text, value) in enumerate(zip(pool.categories.texts, values, strict=True)):
        title = f"{full} '{text}'"
        counted: dict[str, Any] = pool.counted()
        if value is None:
            why = _ALL if used == [k] else _NEVER_FIRST if k in used else _UNUSED
            if why is _NEVER_FIRST and name != "conditional_kappa":
                why = _UNUSED
            out[text] = Estimate(name, title, None, why, **counted)
        else:
            out[text] = Estimate(
                name, title, float(value), exact=value, uncertainty=_NO_ERROR, **counted
            )
    return out


def _two(
    name: str,
    full: str,
    compute: Callable[[Cells], list[Fraction | None]],
    data: Data,
    other: Data,
    options: Options,
) -> dict[str, Estimate]:
    made = reduced(data, other, **options)
    cells = Cells.of_two(made, name)
    return _estimates(_plain_pool(made), name, full, compute(cells))


def _over_pairs(
    name: str,
    full: str,
    compute: Callable[[Cells], list[Fraction | None]],
    data: Data,
    other: Data,
    options: Options,
) -> dict[str, Estimate]:
    made = reduced(data, other, **options)
    need_raters(made, name)
    found = [compute(Cells.of_pair(made.pairs, i, made)) for i in range(len(made.pairs))]
    out = {}
    for k, text in enumerate(made.categories.texts):
        values = [row[k] for row in found if row[k] is not None]
        title = f"{full} of '{text}'" + (", mean over pairs" if len(found) > 1 else "")
        if not values:
            out[text] = undefined(name, title, _UNUSED.code, _UNUSED.reason)
            continue
        mean = sum((v for v in values if v is not None), Fraction(0)) / len(values)
        out[text] = Estimate(
            name, title, float(mean), exact=mean, uncertainty=_NO_ERROR,
            items=count_of(made.items()), raters=len(made.raters),
            ratings=count_of(made.n_ratings),
        )  # fmt: skip
    return out
