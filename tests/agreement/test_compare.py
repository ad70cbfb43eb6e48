"""Two sides on the same items: against plain loops, other programs, and laws."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import wide
from agreement.test_resampling_forms import CHOICES, LABELS, ratings
from assay.agreement.compare import (
    Choice,
    _exchanges,
    binomial_test,
    differences,
    exact_mcnemar,
)
from assay.agreement.compare_match import against, majority, rounds, table_of
from assay.agreement.compare_sides import Pairing
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.resampling import draws
from assay.agreement.strata import strata
from assay.corrections import corrected
from assay.errors import DesignError, InputError, LabelError, UsageError
from assay.estimate import Estimate, NoError, Symmetric, Undefined
from assay.ratings.categories import Categories
from assay.ratings.reductions import Reduced

CATEGORIES = Categories(LABELS, declared=True)
Rows = list[list[Any]]


def triples(rows: Rows, names: str = "abcd") -> list[tuple[str, str, Any]]:
    return [
        (f"i{i:03}", names[g], x)
        for i, row in enumerate(rows)
        for g, x in enumerate(row)
        if x is not None
    ]


def two(seed: int, raters: int, missing: float, items: int = 30) -> tuple[Rows, Rows]:
    one, other = (ratings(seed + k, raters, missing, items) for k in (0, 100))
    kept = [i for i in range(items) if any(one[i]) and any(other[i])]
    return [one[i] for i in kept], [other[i] for i in kept]


def paired(one: Rows, other: Rows, names: tuple[str, str] = ("abcd", "abcd")) -> Pairing:
    a, b = (
        assay.read(triples(rows, who), categories=LABELS)
        for rows, who in zip((one, other), names, strict=True)
    )
    found = rounds(a, b)
    assert not found.first_only
    assert not found.second_only
    return found.pairing


def context(like: assay.Ratings, **choices: Any) -> Context:
    return Context(Reduced.of(like), **choices)


def value(rows: Rows, name: str, choices: dict[str, Any]) -> float:
    found = COEFFICIENTS[name](context(wide(rows, categories=LABELS), **choices)).value
    return float("nan") if found is None else found


def labels(side: Any, times: Any) -> Rows:
    """The rows of one side, each as often as it was drawn."""
    table = [[None if k < 0 else LABELS[k] for k in row] for row in side.rows.tolist()]
    return [row for row, k in zip(table, times, strict=True) for _ in range(int(k))]


@pytest.mark.parametrize("choice", ["nominal", "ordinal, linear", "interval"])
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (3, 0.2)])
def test_intervals_and_tests_by_plain_loops(choice: str, raters: int, missing: float) -> None:
    choices = CHOICES[choice]
    pairing = paired(*two(61, raters, missing))
    found = differences(pairing, context(pairing.like, **choices), Choice(0.9, 40, 7))
    by_name = {d.name: d for d in found}
    names = ["percent_agreement", "gwet_ac", "krippendorff_alpha", "conger_kappa"]
    names += ["cohen_kappa", "spearman"] if raters == 2 else []
    names = [n for n in names if by_name[n].value is not None] if "spearman" in by_name else [
        n for n in names if n != "spearman"
    ]  # fmt: skip
    ((_, drawn),) = draws(pairing.times, 40, 7, 1)
    ((_, moved),) = _exchanges(pairing, 40, 7, 1)
    for name in names:
        d = by_name[name]
        loop = np.array(
            [
                value(labels(pairing.left, w), name, choices)
                - value(labels(pairing.right, w), name, choices)
                for w in drawn
            ]
        )
        assert d.interval is not None
        known = loop[~np.isnan(loop)]
        assert d.interval.undefined == 40 - known.size
        ends = np.quantile(known, [0.05, 0.95])
        assert (d.interval.low, d.interval.high) == pytest.approx(tuple(ends), abs=1e-9)
        side = min((known <= 1e-12).sum(), (known >= -1e-12).sum())
        assert d.p_bootstrap == pytest.approx(min(1.0, 2 * (side + 1) / (known.size + 1)))
        gaps = []
        for f in moved:
            stay = pairing.times - f
            first = labels(pairing.left, stay) + labels(pairing.right, f)
            second = labels(pairing.left, f) + labels(pairing.right, stay)
            gaps.append(abs(value(first, name, choices) - value(second, name, choices)))
        assert d.value is not None
        beyond = sum(1 for g in gaps if not g < abs(d.value) - 1e-12)
        assert d.p_swap == pytest.approx((beyond + 1) / 41)
        assert d.p_value == d.p_swap


def test_exchanging_is_near_the_exact_test() -> None:
    """All 2^7 ways of exchanging seven items."""
    one, other = two(62, 2, 0.0, items=7)
    pairing = paired(one, other)
    choices = CHOICES["nominal"]
    found = {
        d.name: d
        for d in differences(pairing, context(pairing.like, **choices), Choice(0.9, 20_000, 1))
    }
    for name in ("percent_agreement", "gwet_ac", "fleiss_kappa"):
        d = found[name]
        assert d.value is not None
        beyond = 0
        for flips in product((0, 1), repeat=7):
            first = [b if f else a for f, a, b in zip(flips, one, other, strict=True)]
            second = [a if f else b for f, a, b in zip(flips, one, other, strict=True)]
            gap = abs(value(first, name, choices) - value(second, name, choices))
            beyond += not gap < abs(d.value) - 1e-12
        exact = beyond / 2**7
        assert d.p_swap == pytest.approx(
            exact, abs=4 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-4
        )


@pytest.mark.parametrize("raters", [(2, 2), (3, 3), (2, 3)])
@pytest.mark.parametrize("choice", ["nominal", "interval, quadratic", "circular"])
def test_naming_the_sides_the_other_way_round_changes_the_sign(
    raters: tuple[int, int], choice: str
) -> None:
    one, _ = two(63, raters[0], 0.1)
    other, _ = two(64, raters[1], 0.1)
    n = min(len(one), len(other))
    names = ("abcd", "abcd") if raters[0] == raters[1] else ("abcd", "wxyz")
    there = paired(one[:n], other[:n], names)
    back = paired(other[:n], one[:n], names[::-1])
    made = [
        differences(p, context(p.like, **CHOICES[choice]), Choice(0.95, 200, 3, 0.1))
        for p in (there, back)
    ]
    seen = 0
    for d, e in zip(*made, strict=True):
        assert d.name == e.name
        assert (d.first.value, d.second.value) == (e.second.value, e.first.value)
        if d.value is None or e.value is None:
            assert d.value is e.value
            continue
        assert d.value == pytest.approx(-e.value, abs=1e-12)
        assert d.p_swap == e.p_swap
        assert d.p_bootstrap == e.p_bootstrap
        if d.interval is not None and e.interval is not None:
            assert d.interval.low == pytest.approx(-e.interval.high, abs=1e-12)
            seen += 1
    assert seen > 4


def test_the_order_of_items_does_not_matter() -> None:
    one, other = two(65, 3, 0.1)
    shuffle = np.random.default_rng(1).permutation(len(one)).tolist()
    a, b = triples(one), triples(other)
    reports = [
        assay.compare(x, y, categories=LABELS, resamples=200)
        for x, y in ((a, b), ([a[k % len(a)] for k in range(len(a) - 1, -1, -1)], b[::-1]))
    ]
    assert shuffle
    first, second = (next(iter(r.pairs.values())) for r in reports)
    for name, d in first.items():
        e = second[name]
        if d.interval is not None and e.interval is not None:
            assert (d.interval.low, d.interval.high, d.p_swap) == pytest.approx(
                (e.interval.low, e.interval.high, e.p_swap), abs=1e-12
            )


def test_equal_judges_are_rarely_told_apart() -> None:
    """Under no difference, p below .05 comes about once in twenty."""
    random = np.random.default_rng(8)
    low = 0
    for seed in range(120):
        gold = random.integers(0, 3, 50)
        judges = [np.where(random.random(50) < 0.7, gold, random.integers(0, 3, 50)) for _ in "ab"]
        data = wide([[LABELS[k] for k in row] for row in np.stack([gold, *judges], axis=1)],
                    categories=LABELS)  # fmt: skip
        (found,) = against(data, data.raters[1:], data.raters[0])
        made = differences(found.pairing, context(data, scale="nominal"), Choice(0.95, 199, seed))
        kappa = next(d for d in made if d.name == "cohen_kappa")
        assert kappa.p_swap is not None
        low += kappa.p_swap < 0.05
    # 6 are expected; 14 or more have a chance below 1 in 300.
    assert low <= 13


def test_a_better_judge_is_found() -> None:
    random = np.random.default_rng(9)
    gold = random.integers(0, 3, 300)
    a, b = (np.where(random.random(300) < p, gold, random.integers(0, 3, 300)) for p in (0.9, 0.7))
    data = {"gold": gold.tolist(), "a": a.tolist(), "b": b.tolist()}
    report = assay.compare(data, reference="gold", margin=0.05)
    for name in ("cohen_kappa", "gwet_ac", "krippendorff_alpha", "percent_agreement"):
        d = report.pairs["a", "b"][name]
        assert d.value is not None
        assert d.value > 0.1
        assert d.interval is not None
        assert d.interval.low > 0
        assert d.p_value is not None
        assert d.p_value < 0.01
        assert d.non_inferiority is not None
        assert d.non_inferiority.holds
        low = d.interval.low
        assert low <= d.non_inferiority.lower <= d.value
    back = assay.compare(data, reference="gold", raters=["b", "a"], margin=0.05)
    worse = back.pairs["b", "a"]["cohen_kappa"].non_inferiority
    assert worse is not None
    assert not worse.holds
    assert worse.p_value > 0.9


def test_sides_are_the_coefficients_of_two_columns() -> None:
    rows = ratings(66, 3, 0.15, items=60)
    data = wide(rows, categories=LABELS)
    names = data.raters
    (found,) = against(data, names[:2], names[2])
    whole = [row for row in rows if None not in row]
    assert found.pairing.items == len(whole)
    assert found.left_out == len([r for r in rows if any(r)]) - len(whole)
    made = differences(found.pairing, context(data, scale="ordinal", weights="linear"), Choice())
    for d in made:
        for g, side in ((0, d.first), (1, d.second)):
            part = wide([[row[g], row[2]] for row in whole], categories=LABELS)
            there = COEFFICIENTS[d.name](context(part, scale="ordinal", weights="linear"))
            assert side.value == pytest.approx(there.value)


def test_clusters_are_drawn_and_exchanged_whole() -> None:
    rows = ratings(67, 3, 0.0, items=24)
    records = [
        {"item": i, "rater": g, "label": x, "doc": f"d{int(i[1:]) % 6}"}
        for i, g, x in triples(rows)
    ]
    data = assay.read(records, item="item", rater="rater", label="label", cluster="doc",
                      categories=LABELS)  # fmt: skip
    (found,) = against(data, ("a", "b"), "c")
    pairing = found.pairing
    assert (pairing.units, pairing.what) == (6, "6 clusters (doc)")
    assert pairing.members.sum(axis=1).tolist() == [4.0] * 6
    choices = CHOICES["nominal"]
    made = {d.name: d for d in differences(pairing, context(data, **choices), Choice(0.9, 100, 2))}
    ((_, drawn),) = draws(np.ones(6, np.int64), 100, 2, 1)
    loop = []
    for v in drawn:
        times = v @ pairing.members
        loop.append(
            value(labels(pairing.left, times), "gwet_ac", choices)
            - value(labels(pairing.right, times), "gwet_ac", choices)
        )
    interval = made["gwet_ac"].interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(loop, [0.05, 0.95])))
    assert "6 clusters (doc)" in interval.method
    for _, moved in _exchanges(pairing, 50, 2, 1):
        by_cluster = moved @ pairing.members.T
        assert set(np.unique(by_cluster)) == {0.0, 4.0}


def test_identical_sides_have_no_difference() -> None:
    rows = ratings(68, 2, 0.0)
    pairing = paired(rows, rows)
    for d in differences(pairing, context(pairing.like, scale="nominal"), Choice()):
        if d.value is None:
            continue
        assert d.value == 0.0
        assert d.interval is None
        assert d.no_interval is not None
        assert d.no_interval.code == "degenerate_error"
        assert d.p_swap == 1.0
        assert d.p_bootstrap == 1.0


def test_one_item_has_values_and_no_test() -> None:
    pairing = paired([[1, 2]], [[1, 1]])
    found = {
        d.name: d for d in differences(pairing, context(pairing.like, scale="nominal"), Choice())
    }
    d = found["percent_agreement"]
    assert d.value == -1.0
    assert d.no_interval is not None
    assert d.no_interval.code == "single_item"
    assert d.p_value is None
    assert found["fleiss_kappa"].value is None
    assert found["fleiss_kappa"].undefined is not None


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.agreement.resampling.MOST_WORK", 4e4)
    pairing = paired(*two(72, 2, 0.0))
    here = context(pairing.like, scale="ordinal")
    made = {d.name: d for d in differences(pairing, here, Choice())}
    refused = [d for d in made.values() if d.no_interval and d.no_interval.code == "too_large"]
    assert {d.name for d in refused} >= {"kendall_tau", "spearman"}
    for d in refused:
        assert d.first.value is not None
        assert d.second.value is not None
        assert d.value == d.first.value - d.second.value
        assert d.p_value is None


# The exact test of who is right.


@pytest.mark.parametrize(("one", "other"), [(0, 5), (3, 3), (7, 2), (0, 0), (40, 21), (1, 0)])
def test_binomial(one: int, other: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    p = stats.binomtest(one, one + other, 0.5).pvalue if one + other else 1.0
    assert binomial_test(one, other) == pytest.approx(p)


def test_exact_mcnemar_is_that_of_a_peer() -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    data = wide(ratings(69, 3, 0.0, items=80), categories=LABELS)
    (found,) = against(data, data.raters[:2], data.raters[2])
    ours = exact_mcnemar(found.pairing)
    both = ours.first_right - ours.first_only
    neither = ours.items - both - ours.first_only - ours.second_only
    peer = tables.mcnemar([[both, ours.first_only], [ours.second_only, neither]], exact=True)
    assert ours.p_value == pytest.approx(peer.pvalue)
    right = [sum(row[g] == row[2] for row in ratings(69, 3, 0.0, items=80)) for g in (0, 1)]
    assert [ours.first_right, ours.second_right] == right


def test_holm() -> None:
    multi = pytest.importorskip("statsmodels.stats.multitest")
    p = [0.001, 0.2, 0.03, 0.03, 0.9]
    assert corrected(p) == pytest.approx(list(multi.multipletests(p, method="holm")[1]))


# The majority of the others.


def test_majority() -> None:
    rows = np.array([[0, 0, 1], [1, 2, -1], [-1, -1, -1], [2, 2, 2], [1, -1, -1]])
    found, ties = majority(rows, CATEGORIES)
    assert found.tolist() == [0, -1, -1, 2, 1]
    assert ties == 1


def test_against_the_majority_of_the_others() -> None:
    rows = ratings(70, 5, 0.2, items=50)
    data = wide(rows, categories=LABELS)
    found = against(data, data.raters, None)
    assert len(found) == 10
    one = found[0]
    names = list(data.raters)
    g, h = names.index(one.first), names.index(one.second)
    expected, ties = [], 0
    for row in rows:
        others = [x for k, x in enumerate(row) if k not in (g, h) and x is not None]
        counts = sorted((others.count(x) for x in set(others)), reverse=True)
        if len(counts) > 1 and counts[0] == counts[1]:
            ties += 1
        elif counts and row[g] is not None and row[h] is not None:
            top = max(set(others), key=others.count)
            expected.append((row[g], top, row[h], top))
    assert one.ties == ties
    sides = np.concatenate([one.pairing.left.rows, one.pairing.right.rows], axis=1)
    seen = [
        tuple(LABELS[k] for k in row)
        for row, times in zip(sides.tolist(), one.pairing.times.tolist(), strict=True)
        for _ in range(times)
    ]
    assert sorted(seen) == sorted(expected)


# Groups.


def with_error(x: float, error: float) -> Estimate:
    return Estimate("k", "k", x, uncertainty=Symmetric(x, error, "m"))


def test_homogeneity_is_that_of_a_peer() -> None:
    meta = pytest.importorskip("statsmodels.stats.meta_analysis")
    values, errors = [0.61, 0.35, 0.48, 0.72], [0.08, 0.11, 0.05, 0.14]
    groups = {str(k): with_error(*pair) for k, pair in enumerate(zip(values, errors, strict=True))}
    ours = strata("k", groups)
    peer = meta.combine_effects(np.array(values), np.array(errors) ** 2)
    assert isinstance(ours.pooled, Symmetric)
    assert ours.pooled.value == pytest.approx(peer.mean_effect_fe)
    assert ours.pooled.standard_error == pytest.approx(peer.sd_eff_w_fe)
    assert ours.homogeneity.statistic == pytest.approx(peer.q)
    assert ours.homogeneity.df == 3


def test_two_groups_are_compared_by_z() -> None:
    found = strata("k", {"a": with_error(0.6, 0.1), "b": with_error(0.3, 0.2)})
    z = (0.6 - 0.3) / (0.1**2 + 0.2**2) ** 0.5
    assert found.homogeneity.statistic == pytest.approx(z * z)
    from scipy.special import ndtr

    assert found.homogeneity.p_value == pytest.approx(2 * float(ndtr(-z)))


def test_groups_without_an_error_are_left_out() -> None:
    nothing = Estimate("k", "k", None, Undefined("one_label_used", "all are 'a'"))
    certain = Estimate("k", "k", 1.0, uncertainty=NoError(Undefined("degenerate_error", "0")))
    some = {"a": with_error(0.5, 0.1), "b": with_error(0.6, 0.1), "c": nothing, "d": certain}
    found = strata("k", some)
    assert {k: why.code for k, why in found.left_out.items()} == {
        "c": "one_label_used",
        "d": "degenerate_error",
    }
    assert found.homogeneity.df == 1
    alone = strata("k", {"a": with_error(0.5, 0.1), "c": nothing})
    assert isinstance(alone.pooled, Undefined)
    assert alone.pooled.code == "too_few_groups"
    assert alone.homogeneity.p_value is None


def test_groups_are_measured_on_all_labels() -> None:
    """A label that one group lacks counts there, too, where labels are counted."""
    rows = [(f"a{i}", g, x, "one") for i in range(20) for g, x in (("p", "xy"[i % 2]), ("q", "x"))]
    rows += [(f"b{i}", g, "xyz"[i % 3], "two") for i in range(20) for g in "pq"]
    records = [dict(zip(("item", "rater", "label", "kind"), r, strict=True)) for r in rows]
    report = assay.compare(records, by="kind")
    estimates = report.strata["brennan_prediger"].estimates
    assert all("3 categories" in e.full_name for e in estimates.values())


# What is refused.


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda d: assay.compare(d), UsageError, "one of two sources"),
        (lambda d: assay.compare(d, d, reference="a"), UsageError, "two sources and reference"),
        (lambda d: assay.compare(d, reference="z"), UsageError, "not known"),
        (lambda d: assay.compare(d, reference="a", raters=["a", "b"]), UsageError, "is one of"),
        (lambda d: assay.compare(d, reference="a", raters=["b"]), UsageError, "two or more"),
        (lambda d: assay.compare(d, majority=True, raters=["b", "b"]), UsageError, "different"),
        (lambda d: assay.compare(d, majority=True, margin=1.5), UsageError, "margin"),
        (lambda d: assay.compare(d, majority=True, names=("a", "b")), UsageError, "names"),
        (lambda d: assay.compare(d, majority=True, interval="bca"), UsageError, "interval"),
        (lambda d: assay.compare(d, majority=True, resamples=5), UsageError, "resamples"),
        (
            lambda d: assay.compare(assay.Counts([[1, 2], [2, 1]]), majority=True),
            DesignError,
            "who gave",
        ),
        (
            lambda d: assay.compare(assay.Table([[1, 2], [2, 1]]), assay.Table([[1, 1], [1, 1]])),
            InputError,
            "item by item",
        ),
        (lambda d: assay.compare({"a": [1, 2], "b": [1, 2]}, majority=True), DesignError, "nobody"),
    ],
)
def test_what_is_refused(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call({"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": ["x", "x", "y"]})


def test_rounds_that_share_nothing() -> None:
    with pytest.raises(DesignError, match="share no item") as e:
        assay.compare([("a", "r", 1), ("a", "s", 1)], [("b", "r", 1), ("b", "s", 2)])
    assert e.value.code == "no_shared_items"


def test_rounds_on_different_labels() -> None:
    one = assay.read([("a", "r", "x"), ("a", "s", "y")], categories=["x", "y"])
    other = assay.read([("a", "r", "x"), ("a", "s", "z")], categories=["x", "z"])
    with pytest.raises(LabelError, match="different labels"):
        assay.compare(one, other)
    free = [("a", "r", "x"), ("a", "s", "z"), ("b", "r", "z"), ("b", "s", "z")]
    plain = [("a", "r", "x"), ("a", "s", "y"), ("b", "r", "y"), ("b", "s", "y")]
    report = assay.compare(plain, free)
    assert report.summary["scale"]["categories"] == ["x", "y", "z"]
    with pytest.raises(LabelError, match="scale"):
        assay.compare(one.with_scale("ordinal"), other.with_scale("nominal"))


def test_an_item_in_two_clusters() -> None:
    def part(cluster: str) -> assay.Ratings:
        rows = [{"item": "a", "rater": r, "label": r, "doc": cluster} for r in "rs"]
        return assay.read(rows, item="item", rater="rater", label="label", cluster="doc")

    with pytest.raises(InputError, match="one") as e:
        assay.compare(part("d1"), part("d2"))
    assert e.value.code == "cluster_varies"


def test_counts_are_compared_without_raters() -> None:
    one = assay.Counts([[3, 0], [1, 2], [0, 3], [2, 1]], categories=["x", "y"], items=list("abcd"))
    other = assay.Counts([[2, 1], [0, 3], [3, 0]], categories=["x", "y"], items=list("bca"))
    report = assay.compare(one, other)
    (pair,) = report.pairs.values()
    assert "conger_kappa" not in pair
    d = pair["percent_agreement"]
    assert d.first.value == pytest.approx(7 / 9)
    assert d.second.value == pytest.approx(7 / 9)
    (entry,) = report.summary["comparisons"]
    assert entry["first_only"] == {"count": 1, "items": ["d"]}
    assert table_of(assay.read(one)).names == ["a", "b", "c", "d"]
