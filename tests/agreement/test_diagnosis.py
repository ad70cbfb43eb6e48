"""The diagnosis: every figure by a second route, a plain loop or the library on changed data."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import isclose, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.agreement import diagnosis_items, diagnosis_raters
from assay.agreement.cells import Cells
from assay.agreement.diagnosis_items import measure, spread_of_items
from assay.agreement.diagnosis_labels import (
    GAIN,
    confused,
    confused_cells,
    merged,
    merges,
    sharp,
    together,
)
from assay.agreement.diagnosis_raters import MAX_RATERS, RISE
from assay.agreement.registry import COEFFICIENTS, Context, chosen
from assay.errors import LabelError
from assay.ratings.reductions import Reduced
from strategies import matrices

NAMES = "abcdefghijkl"


def without_each(context) -> Any:
    """The entries, or the reason for none."""
    return diagnosis_raters.without_each(context)


def hardest(context) -> Any:
    """The items, or the reason for none."""
    return diagnosis_items.hardest(context)


def context_of(rows, *, layout="wide", scale="nominal", **more):
    ratings = assay.read(rows, layout=layout, categories=more.pop("categories", None))
    return Context(Reduced.of(ratings), scale=scale, **more)


def named(rows):
    """Items × raters as long triples, in which who did not rate is absent."""
    return [
        (f"i{i}", NAMES[r], label)
        for i, row in enumerate(rows)
        for r, label in enumerate(row)
        if label is not None
    ]


def alpha(rows, **options):
    """Alpha of rows as the library gives it, or None."""
    kept = [row for row in rows if any(x is not None for x in row)]
    if not kept:
        return None
    labels = sorted({x for row in rows for x in row if x is not None})
    return assay.krippendorff_alpha(
        assay.read(kept, layout="wide", categories=options.pop("labels", labels)), **options
    ).value


def pairable(row):
    return sum(x is not None for x in row) >= 2


@pytest.mark.parametrize("how", [{}, {"scale": "interval"}, {"scale": "ordinal"},
                                 {"weights": "linear"}, {"scale": "ratio"}])  # fmt: skip
@given(rows=matrices(items=(3, 8), raters=(3, 4)))
@settings(max_examples=12, deadline=None)
def test_agreement_without_a_rater_is_that_of_the_others(how, rows):
    raters = len(rows[0])
    labels = sorted({x for row in rows for x in row if x is not None})
    if len(labels) < 2:
        return
    context = context_of(rows, categories=labels, **how)
    found = without_each(context)
    option = {"weights": "linear"} if "weights" in how else {"metric": how.get("scale", "nominal")}
    whole = alpha(rows, labels=labels, **option)
    if not context.made.sizes or len(context.made.raters) < raters:
        return
    assert [one.rater for one in found] == list(context.made.raters)
    for g, one in enumerate(found):
        without = [[x for h, x in enumerate(row) if h != g] for row in rows]
        value = alpha(without, labels=labels, **option)
        assert (one.value is None) == (value is None)
        if value is None or whole is None:
            assert one.rise is None
            continue
        assert isclose(one.value, value, abs_tol=1e-9)
        assert isclose(one.rise, value - whole, abs_tol=1e-9)
        # The jackknife: each item that says something is left out once.
        moves = []
        for i, row in enumerate(rows):
            if pairable(row):
                rest, others = (r[:i] + r[i + 1 :] for r in (rows, without))
                moves.append((alpha(others, labels=labels, **option),
                              alpha(rest, labels=labels, **option)))  # fmt: skip
        if len(moves) < 3 or any(None in move for move in moves):
            assert one.standard_error is None
            assert not one.stands_out
            continue
        differences = np.array([a - b for a, b in moves])
        n = len(moves)
        error = sqrt((n - 1) / n * float(((differences - differences.mean()) ** 2).sum()))
        assert isclose(one.standard_error, error, rel_tol=1e-6, abs_tol=1e-9)
        if one.stands_out:
            assert one.rise >= RISE
            assert one.rise > one.standard_error


@given(rows=matrices(items=(3, 8), raters=(3, 4)))
@settings(max_examples=40, deadline=None)
def test_sparse_ratings_give_the_same_as_a_grid(rows):
    if not named(rows):
        return
    long = context_of(named(rows), layout="long")
    if len(long.made.raters) < len(rows[0]):
        return
    wide = context_of(rows)
    order = [NAMES.index(name) for name in long.made.raters]
    grid = without_each(wide)
    for a, b in zip(without_each(long), [grid[g] for g in order], strict=True):
        assert (a.value is None) == (b.value is None)
        if a.value is not None:
            assert isclose(a.value, b.value, abs_tol=1e-12)
        assert a.stands_out == b.stands_out


def crowd(noise, items=200, seed=3, labels="abc"):
    """Raters who each err with their own probability."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, len(labels), items)
    rows = []
    for t in truth:
        wrong = [random.random() < p for p in noise]
        rows.append([labels[random.integers(len(labels)) if w else t] for w in wrong])
    return rows


def test_the_one_who_guesses_stands_out_and_nobody_else():
    found = without_each(context_of(crowd([0.1, 0.1, 0.9, 0.1])))
    assert [one.stands_out for one in found] == [False, False, True, False]
    assert found[2].rise > 0.2


def test_somebody_stands_out_among_equals_as_rarely_as_the_level_says():
    found = [without_each(context_of(crowd([0.3] * 4, seed=seed))) for seed in range(60)]
    assert sum(any(one.stands_out for one in each) for each in found) <= 6


def test_two_raters_and_too_many_have_no_entry():
    assert without_each(context_of([["a", "b"], ["a", "a"]])) == []
    many = [["a"] * (MAX_RATERS + 1), ["b"] * (MAX_RATERS + 1)]
    assert "computed for up to" in without_each(context_of(many))


@given(rows=matrices(items=(1, 9), raters=(2, 5)))
@settings(max_examples=60, deadline=None)
def test_confused_labels_by_a_plain_loop(rows):
    context = context_of(rows)
    made = context.made
    texts = made.categories.texts
    found = confused(made, together(made)) if made.sizes else []
    pairs: Any = Counter()
    used: Any = Counter()
    per_item = []
    for row in rows:
        labels = [str(x) for x in row if x is not None]
        if len(labels) < 2:
            continue
        used.update(labels)
        here = Counter(tuple(sorted(p)) for p in combinations(labels, 2) if p[0] != p[1])
        pairs += here
        per_item.append(here)
    total = pairs.total()
    if not total or len(used) < 3:
        assert found == []
        return
    n = used.total()
    possible = (n * n - sum(c * c for c in used.values())) / 2
    for one in found:
        key = tuple(sorted(texts[k] for k in one.labels))
        share = pairs[key] / total
        assert one.pairs == pairs[key]
        assert isclose(one.share, share)
        assert isclose(one.by_chance, used[key[0]] * used[key[1]] / possible)
        spread = sum((here[key] - share * here.total()) ** 2 for here in per_item)
        assert isclose(one.standard_error, sqrt(spread) / total, abs_tol=1e-12)
        if one.stands_out:
            assert one.share > one.by_chance
    surplus = [one.share - one.by_chance for one in found]
    assert surplus == sorted(surplus, reverse=True)


@given(rows=matrices(items=(1, 9), raters=(2, 2), missing=False))
@settings(max_examples=60, deadline=None)
def test_confused_cells_lie_above_chance_exactly(rows):
    made = Reduced.of(assay.read(rows, layout="wide"))
    cells = Cells.of_two(made, "two")
    texts = [str(x) for x in made.categories.texts]
    table = Counter((str(a), str(b)) for a, b in rows)
    first, second = Counter(str(a) for a, _ in rows), Counter(str(b) for _, b in rows)
    n = len(rows)
    above = {
        pair: count for pair, count in table.items()
        if pair[0] != pair[1] and Fraction(first[pair[0]] * second[pair[1]], n) < count
    }  # fmt: skip
    found = {}
    for one in confused_cells(cells):
        a, b = (texts[k] for k in one.labels)
        found[a, b] = one.items, one.by_chance
        left = (1 - first[a] / n) * (1 - second[b] / n)
        residual = (table[a, b] - first[a] * second[b] / n) / sqrt(
            first[a] * second[b] / n * left or 1
        )
        if one.stands_out:
            assert residual > 1.6
    assert set(found) <= set(above)
    assert len(found) == min(3, len(above))
    for pair, (items, chance) in found.items():
        assert items == above[pair]
        assert isclose(chance, first[pair[0]] * second[pair[1]] / n)


@pytest.mark.parametrize("name", ["cohen_kappa", "fleiss_kappa", "krippendorff_alpha"])
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_a_merge_is_the_coefficient_of_relabelled_ratings(name, data):
    two = name == "cohen_kappa"
    rows = data.draw(
        matrices(items=(3, 9), raters=(2, 2) if two else (3, 3), missing=name[0] == "k")
    )
    context = context_of(rows)
    main = COEFFICIENTS[name](context)
    if main.value is None:
        return
    texts = context.made.categories.texts
    for one in merges(context, main):
        a, b = (texts[k] for k in one.labels)
        read = {a: a, b: a}
        joined = [[None if x is None else read.get(str(x), str(x)) for x in row] for row in rows]
        again: Any = getattr(assay, name)(assay.read(joined, layout="wide"))
        assert isclose(one.value, again.value, abs_tol=1e-9)
        assert isclose(one.gain, again.value - main.value, abs_tol=1e-9)
        assert isclose(float(merged(context, name, one.labels)), again.value, abs_tol=1e-12)


def two_alike(seed=0, items=300):
    """Three labels, of which raters cannot tell two apart."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    return [
        ["abc"[t] if t == 2 else "ab"[random.integers(2)] for _ in range(3)] for t in truth
    ]  # fmt: skip


def test_a_sharp_merge_is_found_and_no_other():
    context = context_of(two_alike())
    main = COEFFICIENTS["fleiss_kappa"](context)
    found = merges(context, main)
    best = sharp(context, main, found, 0.95)
    assert best is found[0]
    assert [context.made.categories.texts[k] for k in best.labels] == ["a", "b"]
    assert best.gain > 0.3


@pytest.mark.parametrize("seed", range(8))
def test_no_merge_is_sharp_where_errors_fall_anywhere(seed):
    context = context_of(crowd([0.3] * 3, seed=seed))
    main = COEFFICIENTS["fleiss_kappa"](context)
    found = merges(context, main)
    best = sharp(context, main, found, 0.95)
    assert best is None or best.gain >= GAIN


def figure_of(row, kind, weights=None):
    given_ = [x for x in row if x is not None]
    if len(given_) < 2:
        return None
    pairs = list(combinations(given_, 2))
    if kind == "agreement":
        return sum(a == b for a, b in pairs) / len(pairs)
    return sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))


@pytest.mark.parametrize("scale", ["nominal", "interval"])
@given(rows=matrices(items=(1, 14), raters=(2, 5)))
@settings(max_examples=60, deadline=None)
def test_hardest_items_and_the_distribution_by_a_plain_loop(scale, rows):
    context = context_of(rows, scale=scale)
    kind = measure(context)
    if not context.made.q:
        return
    assert kind == ("agreement" if scale == "nominal" else "distance")
    figures = {str(i + 1): figure_of(row, kind) for i, row in enumerate(rows)}
    known = {item: x for item, x in figures.items() if x is not None}
    bins = spread_of_items(context)
    assert sum(one.items for one in bins) == len(known)
    for bin_ in bins:
        inside = [x for x in known.values() if bin_.low - 1e-9 <= x <= bin_.high + 1e-9]
        if bin_.low == bin_.high:
            assert len(inside) == bin_.items
    sign = 1 if kind == "agreement" else -1
    equal = 1.0 if kind == "agreement" else 0.0
    apart = [(item, x) for item, x in known.items() if not isclose(x, equal, abs_tol=1e-12)]
    expected = sorted(apart, key=lambda one: (round(sign * one[1], 9), int(one[0])))[:10]
    found = hardest(context)
    assert [one.item for one in found] == [item for item, _ in expected]
    texts = context.made.categories.texts
    for one, (item, x) in zip(found, expected, strict=True):
        assert isclose(one.figure, x, abs_tol=1e-9)
        given_ = [str(v) for v in rows[int(item) - 1] if v is not None]
        assert [texts[code] for _, code in one.ratings] == given_


def test_hardest_items_need_items():
    made = Reduced.of(assay.read(assay.Table([[3, 1], [2, 4]])))
    assert "does not say which items" in hardest(Context(made, scale="nominal"))


def test_counts_have_items_but_no_raters():
    made = Reduced.of(assay.read(assay.Counts([[2, 1], [3, 0]], categories=["x", "y"])))
    (one,) = hardest(Context(made, scale="nominal"))
    assert one.item == "1"
    assert sorted(one.ratings) == [(None, 0), (None, 0), (None, 1)]


def test_ordered_words_are_steps_apart():
    ratings = assay.read([["low", "high"], ["low", "mid"]], layout="wide",
                         order=["low", "mid", "high"], scale="ordinal")  # fmt: skip
    found = hardest(Context(Reduced.of(ratings), scale="ordinal"))
    assert [(one.item, one.figure) for one in found] == [("1", 2.0), ("2", 1.0)]


@given(rows=matrices(items=(2, 10), raters=(2, 4)))
@settings(max_examples=60, deadline=None)
def test_nothing_here_is_an_exception(rows):
    try:
        context = context_of(rows)
    except LabelError:
        return
    incomplete = len({r for r in context.made.sizes if r}) > 1
    main = COEFFICIENTS[chosen(context, incomplete)[0]](context)
    without_each(context)
    found = merges(context, main)
    assert sharp(context, main, found, 0.95) is None or found[0].gain >= GAIN


@pytest.mark.parametrize("scale", ["nominal", "interval"])
def test_many_items_are_looked_at_in_pieces_with_the_same_result(scale, monkeypatch):
    rows = crowd([0.3, 0.3, 0.3], items=500, labels=[1, 2, 3, 4])
    context = context_of(rows, scale=scale)
    whole = hardest(context)
    for size in (1, 7, 100):
        monkeypatch.setattr("assay.agreement.diagnosis_items.PIECE", size)
        assert hardest(context) == whole
