"""Position bias, pairs asked both ways, and the raters' agreement, against plain loops."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from scipy import stats

import assay
from assay.preference.counts import PairCounts
from assay.preference.position import both_orders, position_bias
from assay.preference.raters import ratings_of, repeats, why_no_agreement
from assay.preference.read import read_comparisons
from preference import comparing


@given(comparing.rows())
def test_left_wins(rows: list[comparing.Row]) -> None:
    found = position_bias(PairCounts.of(comparing.read(rows)))
    left = sum(row[2] == "left" for row in rows)
    right = sum(row[2] == "right" for row in rows)
    assert (found.left.wins, found.left.losses) == (left, right)
    if left + right:
        assert found.p_value == pytest.approx(stats.binomtest(left, left + right).pvalue)
        assert found.share().value == Fraction(left, left + right)
    else:
        assert found.p_value is None
        assert found.share().undefined.code == "no_decided_comparison"  # type: ignore[union-attr]
    orders: dict[Any, list[list[int]]] = defaultdict(lambda: [[], []])
    for a, b, winner, *_ in rows:
        if winner != "tie":
            orders[tuple(sorted((a, b)))][a > b].append(winner == "left")
    both = [x for x in orders.values() if all(x)]
    assert found.pairs_in_both_orders == len(both)
    if both:
        weights = [len(one) + len(two) for one, two in both]
        shares = [
            (Fraction(sum(one), len(one)) + Fraction(sum(two), len(two))) / 2 for one, two in both
        ]
        expected = sum(w * s for w, s in zip(weights, shares, strict=True)) / sum(weights)
        assert found.balanced == pytest.approx(float(expected), abs=1e-12)
    else:
        assert found.balanced is None


@given(comparing.rows())
def test_both_orders(rows: list[comparing.Row]) -> None:
    asked: dict[Any, dict[bool, str]] = defaultdict(dict)
    for a, b, winner, rater, item in rows:
        asked[item, rater, *sorted((a, b))].setdefault(a > b, winner)
    both = [x for x in asked.values() if len(x) == 2]
    found = both_orders(comparing.read(rows))
    assert (found.both, found.one) == (len(both), len(asked) - len(both))
    turned = {"left": "right", "right": "left", "tie": "tie"}
    assert found.consistent == sum(x[False] == turned[x[True]] for x in both)
    assert found.flips_to_left == sum(x[False] == x[True] == "left" for x in both)
    assert found.flips_to_right == sum(x[False] == x[True] == "right" for x in both)
    parts = found.consistent + found.flips_to_left + found.flips_to_right + found.to_tie
    assert parts == found.both
    assert sum(r.n for r in found.pairs.values()) == found.both
    assert (found.undefined is None) == bool(both)


@given(comparing.rows())
def test_labels_of_agreement(rows: list[comparing.Row]) -> None:
    """A label says who won; first is who stood on the left more often, then by name."""
    comparisons = comparing.read(rows)
    units: dict[Any, list[comparing.Row]] = defaultdict(list)
    for row in rows:
        units[row[4], *sorted(row[:2])].append(row)
    expected: dict[Any, list[Any]] = defaultdict(list)
    for key, mine in units.items():
        _, a, b = key
        on_left = sum(row[0] == a for row in mine) - sum(row[0] == b for row in mine)
        first = a if on_left >= 0 else b
        seen = set()
        for row in mine:
            if row[3] not in seen:
                seen.add(row[3])
                won = comparing.winner_of(row)
                label = "tie" if won is None else "first" if won == first else "second"
                expected[key].append((row[3], label))
    found: dict[str, list[Any]] = defaultdict(list)
    for name, rater, given_label in ratings_of(comparisons).to_rows():
        found[name].append((rater, given_label))
    as_sorted = sorted(sorted(x) for x in expected.values())
    assert sorted(sorted(x) for x in found.values()) == as_sorted


def test_alpha_by_hand() -> None:
    """Nominal alpha over pairs of answers to one unit, in plain loops."""
    rows = comparing.dense(8, k=3, n=150)
    comparisons = comparing.read(rows)
    units = defaultdict(list)
    for item, _, label in ratings_of(comparisons).to_rows():
        units[item].append(label)
    paired = [x for x in units.values() if len(x) > 1]
    n = sum(map(len, paired))
    observed = (
        sum(2 * sum(a != b for a, b in combinations(x, 2)) / (len(x) - 1) for x in paired) / n
    )
    counts = [sum(x.count(label) for x in paired) for label in ("first", "tie", "second")]
    expected = sum(a * b for i, a in enumerate(counts) for j, b in enumerate(counts) if i != j)
    alpha = 1 - observed / (expected / (n * (n - 1)))
    report = assay.prefer(comparing.records(rows), bootstrap=None).to_dict()
    found = {c["name"]: c for c in report["agreement"]["coefficients"]}
    assert found["krippendorff_alpha"]["value"] == pytest.approx(alpha, abs=1e-12)


def test_sides_change_nothing_for_agreement() -> None:
    """Whoever saw the pair the other way round agrees if they prefer the same system."""
    rows = [("x", "y", "left", "ana", "1"), ("y", "x", "right", "bo", "1"),
            ("x", "y", "tie", "ana", "2"), ("y", "x", "tie", "bo", "2"),
            ("x", "y", "right", "ana", "3"), ("y", "x", "left", "bo", "3")]  # fmt: skip
    made = ratings_of(comparing.read(rows))
    assert assay.krippendorff_alpha(made).value == 1.0


@given(comparing.rows())
def test_repeats(rows: list[comparing.Row]) -> None:
    questions: dict[Any, list[comparing.Row]] = defaultdict(list)
    for row in rows:
        questions[row[4], row[3], *sorted(row[:2])].append(row)
    again = [x for x in questions.values() if len(x) > 1]
    found = repeats(comparing.read(rows))
    assert found.questions == len(again)
    assert found.equal == sum(len({comparing.winner_of(r) for r in x}) == 1 for x in again)
    assert found.swapped == sum(len({r[0] for r in x}) > 1 for x in again)
    assert (found.undefined is None) == bool(again)
    if again:
        assert found.alpha is not None


def test_what_is_not_known_is_said() -> None:
    rows = comparing.records(comparing.dense(1, n=50))
    bare = read_comparisons([{k: r[k] for k in ("left", "right", "winner")} for r in rows])
    assert why_no_agreement(bare).code == "no_items"  # type: ignore[union-attr]
    assert both_orders(bare).undefined.code == "no_items"  # type: ignore[union-attr]
    assert repeats(bare).undefined.code == "no_items"  # type: ignore[union-attr]
    no_rater = read_comparisons([{k: v for k, v in r.items() if k != "rater"} for r in rows])
    assert why_no_agreement(no_rater).code == "no_raters"  # type: ignore[union-attr]
    assert repeats(no_rater).undefined.code == "no_raters"  # type: ignore[union-attr]
    one = read_comparisons([r | {"rater": "ana"} for r in rows])
    assert why_no_agreement(one).code == "one_rater"  # type: ignore[union-attr]
    document = assay.prefer(bare, bootstrap=None).to_dict()
    assert document["agreement"]["undefined"]["code"] == "no_items"
    assert document["intra_rater"]["value"] is None
