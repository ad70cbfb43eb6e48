"""Definitions written out plainly, in fractions, as slow as they are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

Rows = list[list[Any]]
Distance = Callable[[Any, Any], Fraction]


def pairable(rows: Rows) -> Rows:
    """The ratings of the items that have two or more."""
    given = [[x for x in row if x is not None] for row in rows]
    return [row for row in given if len(row) >= 2]


def ordinal(values: list[Any]) -> Distance:
    """Krippendorff's: ranks between two values, half of the two counted."""
    count = Counter(values)

    def distance(a: Any, b: Any) -> Fraction:
        low, high = min(a, b), max(a, b)
        between = sum(n for v, n in count.items() if low <= v <= high)
        return (between - Fraction(count[low] + count[high], 2)) ** 2 if a != b else Fraction(0)

    return distance


def metric(name: str, values: list[Any]) -> Distance:
    """δ² of a metric."""
    if name == "ordinal":
        return ordinal(values)
    return {
        "nominal": lambda a, b: Fraction(a != b),
        "interval": lambda a, b: (Fraction(a) - Fraction(b)) ** 2,
        "ratio": lambda a, b: (
            ((Fraction(a) - Fraction(b)) / (Fraction(a) + Fraction(b))) ** 2
            if a != b
            else Fraction(0)
        ),
    }[name]


def alpha(rows: Rows, name: str) -> Fraction | None:
    """Krippendorff's alpha by going through all pairs; None where it is 0 / 0."""
    items = pairable(rows)
    values = [x for row in items for x in row]
    n = len(values)
    if not n:
        return None
    distance = metric(name, values)
    observed = sum(
        (distance(a, b) / (len(row) - 1) for row in items for a, b in permutations(row, 2)),
        Fraction(0),
    )
    expected = sum((distance(a, b) for a, b in permutations(values, 2)), Fraction(0))
    if expected == 0:
        return None
    return 1 - (observed / n) / (expected / (n * (n - 1)))


def share_agreeing(row: list[Any]) -> Fraction:
    pairs = list(combinations(row, 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


def observed(rows: Rows) -> Fraction:
    """The mean share of agreeing pairs over items with two ratings or more."""
    items = pairable(rows)
    return sum((share_agreeing(row) for row in items), Fraction(0)) / len(items)


def mean_shares(rows: Rows, labels: list[Any]) -> list[Fraction]:
    """The mean over items with a rating of the items' label shares."""
    items = [[x for x in row if x is not None] for row in rows]
    items = [row for row in items if row]
    return [
        sum((Fraction(row.count(label), len(row)) for row in items), Fraction(0)) / len(items)
        for label in labels
    ]


def kappa(po: Fraction, pe: Fraction) -> Fraction | None:
    return None if pe == 1 else (po - pe) / (1 - pe)


def fleiss(rows: Rows, labels: list[Any]) -> Fraction | None:
    return kappa(observed(rows), sum((p * p for p in mean_shares(rows, labels)), Fraction(0)))


def gwet_ac(rows: Rows, labels: list[Any]) -> Fraction | None:
    q = len(labels)
    spread = sum((p * (1 - p) for p in mean_shares(rows, labels)), Fraction(0))
    return kappa(observed(rows), spread / (q - 1)) if q > 1 else None


def conger(rows: Rows, labels: list[Any]) -> Fraction | None:
    """p_e over ordered pairs of raters, each rater's shares over what that rater rated."""
    columns = [[x for x in column if x is not None] for column in zip(*rows, strict=True)]
    shares = [
        [Fraction(column.count(label), len(column)) for label in labels]
        for column in columns
        if column
    ]
    pairs = list(permutations(shares, 2))
    pe = sum((sum((a * b for a, b in zip(p, r, strict=True)), Fraction(0)) for p, r in pairs),
             Fraction(0)) / len(pairs)  # fmt: skip
    return kappa(observed(rows), pe)


def cohen(pairs: list[tuple[Any, Any]], weight: Callable[[Any, Any], Fraction]) -> Fraction | None:
    """Weighted kappa of pairs of labels."""
    n = len(pairs)
    po = sum((weight(a, b) for a, b in pairs), Fraction(0)) / n
    pe = sum((weight(a, b) for a, _ in pairs for _, b in pairs), Fraction(0)) / (n * n)
    return kappa(po, pe)


def anova(rows: list[list[Fraction]]) -> dict[str, Fraction]:
    """Sums of squares and mean squares of items × raters, as sums of squared differences."""
    n, k = len(rows), len(rows[0])
    grand = sum((x for row in rows for x in row), Fraction(0)) / (n * k)
    means = [sum(row, Fraction(0)) / k for row in rows]
    columns = [sum(column, Fraction(0)) / n for column in zip(*rows, strict=True)]
    ssr = k * sum(((m - grand) ** 2 for m in means), Fraction(0))
    ssc = n * sum(((c - grand) ** 2 for c in columns), Fraction(0))
    sse = sum(
        ((rows[i][j] - means[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k)),
        Fraction(0),
    )
    return {
        "rows": ssr / (n - 1),
        "columns": ssc / (k - 1),
        "error": sse / ((n - 1) * (k - 1)),
        "within": (ssc + sse) / (n * (k - 1)),
    }


def jackknife(statistic: Callable[[Rows], float], rows: Rows) -> float:
    """The standard error from leaving out one item at a time."""
    n = len(rows)
    values = [statistic(rows[:i] + rows[i + 1 :]) for i in range(n)]
    mean = sum(values) / n
    return float((sum((v - mean) ** 2 for v in values) * (n - 1) / n) ** 0.5)
