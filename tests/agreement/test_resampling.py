"""Intervals by resampling: against other programs, plain loops, published values, and laws."""

from __future__ import annotations

import json
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from agreement.datasets import DISTRIB_6_RATERS, RAW_4_RATERS, wide
from agreement.reference import jackknife
from agreement.test_resampling_forms import CHOICES, LABELS, context, ratings
from assay.agreement.additive_forms import form_of
from assay.agreement.additive_units import Source
from assay.agreement.jackknife import finite, without_rater
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.replicates import Replicated
from assay.agreement.resampled import with_intervals
from assay.agreement.resampling import Settings, skewness
from assay.agreement.resampling_raters import Drawn, replicates_of_both
from assay.errors import UsageError
from assay.estimate import Estimate, NoError, PerfectBound, Symmetric
from assay.ratings.reductions import Reduced
from strategies import matrices


def intervals(here: Context, **choices: Any) -> dict[str, Estimate]:
    found = {name: entry(here) for name, entry in COEFFICIENTS.items()}
    return with_intervals(here, found, Settings(**choices))


# The jackknife of alpha over the pairable units, as given with the published data sets.
PUBLISHED = [
    (wide(RAW_4_RATERS), 0.14633),
    (assay.Counts(DISTRIB_6_RATERS), 0.08323),
]


@pytest.mark.parametrize(("data", "error"), PUBLISHED)
def test_published_jackknife_errors(data: Any, error: float) -> None:
    found = assay.resample("krippendorff_alpha", data, interval="jackknife")
    assert found.standard_error == pytest.approx(error, abs=6e-6)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("raters", [2, 4])
def test_jackknife_leaves_out_one_item_at_a_time(choice: str, raters: int) -> None:
    rows = ratings(21, raters, 0.0, items=16)
    here = context(rows, **CHOICES[choice])
    found = intervals(here, interval="jackknife")
    checked = 0
    for name, entry in COEFFICIENTS.items():
        if entry(here).value is None:
            continue

        def value(part: list[list[Any]], entry: Any = entry) -> float:
            return float(entry(context(part, **CHOICES[choice])))

        error = jackknife(value, rows)
        assert found[name].standard_error == pytest.approx(error, rel=1e-7), name
        interval = found[name].interval(0.9)
        assert interval is not None
        assert interval.method == "jackknife over items, t with 15 degrees of freedom"
        from scipy.special import stdtrit

        assert interval.high == pytest.approx(
            min(1.0, float(entry(here)) + float(stdtrit(15, 0.95)) * error), rel=1e-7
        )
        checked += 1
    assert checked >= 7


def test_jackknife_is_over_the_items_that_the_coefficient_uses() -> None:
    rows = [row for row in ratings(22, 3, 0.4, items=60) if any(x is not None for x in row)]
    pairable = [row for row in rows if sum(x is not None for x in row) >= 2]
    assert len(pairable) < len(rows)
    here = context(rows, scale="nominal")
    found = intervals(here, interval="jackknife")
    for name, used in (("krippendorff_alpha", pairable), ("gwet_ac", rows), ("fleiss_kappa", rows)):

        def value(part: list[list[Any]], name: str = name) -> float:
            return float(COEFFICIENTS[name](context(part, scale="nominal")))

        assert found[name].standard_error == pytest.approx(jackknife(value, used), rel=1e-9)


@pytest.mark.parametrize("name", ["cohen_kappa", "krippendorff_alpha", "gwet_ac", "spearman"])
@pytest.mark.parametrize("kind", ["percentile", "BCa"])
def test_bootstrap_intervals_are_those_of_scipy(name: str, kind: str) -> None:
    """The same resampled values, made by another program, give the same interval."""
    stats = pytest.importorskip("scipy.stats")
    here = context(ratings(23, 2, 0.0, items=40), scale="ordinal", weights="linear")
    form = form_of(name, here, Source(here.made, "items"))

    def statistic(*index: Any) -> float:
        chosen = np.asarray(index[0]).astype(int)
        return float(form.values(np.bincount(chosen, minlength=40)[None].astype(float))[0])

    peer = stats.bootstrap(
        (np.arange(40),), statistic, n_resamples=500, vectorized=False, method=kind,
        confidence_level=0.9, rng=np.random.default_rng(4),
    )  # fmt: skip
    acceleration = skewness(form, "items") if kind == "BCa" else None
    assert acceleration is None or isinstance(acceleration, float)
    replicates = np.sort(peer.bootstrap_distribution)
    ours = Replicated(form.value, replicates, "", 500, 0, acceleration).interval(0.9)
    assert isinstance(ours, assay.Interval)
    theirs = peer.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert np.std(replicates, ddof=1) == pytest.approx(peer.standard_error)


def test_bca_and_percentile_share_their_resamples() -> None:
    data = ratings(24, 3, 0.1, items=50)
    one, other = (assay.agree(wide(data), interval=k, seed=5) for k in ("bootstrap", "bca"))
    for name in ("fleiss_kappa", "krippendorff_alpha", "gwet_ac"):
        assert one[name].standard_error == other[name].standard_error
        assert one[name].interval() != other[name].interval()


@pytest.mark.parametrize("interval", ["bootstrap", "bca", "jackknife"])
def test_the_order_of_items_and_raters_does_not_matter(interval: str) -> None:
    random = np.random.default_rng(25)
    rows = ratings(25, 3, 0.2, items=40)
    triples = [
        (f"item {i}", f"rater {g}", x)
        for i, row in enumerate(rows)
        for g, x in enumerate(row)
        if x is not None
    ]
    shuffled = [triples[k] for k in random.permutation(len(triples))]
    settings: dict[str, Any] = {"scale": "interval", "interval": interval, "resamples": 300}
    reports = [assay.agree(data, **settings) for data in (triples, shuffled)]
    seen = 0
    for name in COEFFICIENTS:
        a, b = (report[name].interval() for report in reports)
        assert (a is None) == (b is None)
        if a is not None and b is not None:
            assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-12)
            seen += 1
    assert seen > 8
    # Whole numbers add up to the same last bit.
    for name in ("percent_agreement", "fleiss_kappa", "gwet_ac"):
        assert reports[0][name].interval() == reports[1][name].interval()


def test_the_seed_decides() -> None:
    data = wide(ratings(26, 2, 0.0))
    found = [assay.resample("cohen_kappa", data, seed=k).interval() for k in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert found[0] is not None
    assert found[0].method == "bootstrap of items, percentile, 1,000 resamples, seed 1"


def test_one_coefficient_is_the_same_as_in_the_report() -> None:
    data = wide(ratings(27, 3, 0.0))
    report = assay.agree(data, interval="bca", resamples=200)
    for name in ("conger_kappa", "fleiss_kappa", "krippendorff_alpha"):
        alone = assay.resample(name, data, interval="bca", resamples=200)
        assert alone.interval() == report[name].interval()


def test_any_level_from_the_same_replicates() -> None:
    kappa = assay.resample("cohen_kappa", wide(ratings(28, 2, 0.0, items=60)))
    levels = [kappa.interval(level) for level in (0.5, 0.8, 0.95, 0.99)]
    lows = [i.low for i in levels if i]
    highs = [i.high for i in levels if i]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)
    assert len(lows) == 4


def test_p_values_stay_analytic() -> None:
    data = wide(ratings(29, 2, 0.0))
    plain = assay.agree(data)
    for interval in ("bootstrap", "bca", "jackknife"):
        other = assay.agree(data, interval=interval, resamples=200)
        for name in ("cohen_kappa", "gwet_ac", "krippendorff_alpha"):
            assert other[name].test() == plain[name].test()
            assert other[name].interval() != plain[name].interval()
            assert other[name].value == plain[name].value


def test_the_bootstrap_test_counts_replicates() -> None:
    found = Replicated(0.3, np.array([-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]), "m", 9)
    assert found.test(0.0).p_value == pytest.approx(2 * (2 + 1) / 10)
    assert found.test(9.0).p_value == pytest.approx(2 * (0 + 1) / 10)


def test_undefined_resamples_are_counted_and_said() -> None:
    rows = [["a", "a"]] * 10 + [["b", "a"], ["a", "b"]]
    report = assay.agree(wide(rows), interval="bootstrap")
    interval = report["cohen_kappa"].interval()
    assert interval is not None
    # Both of the two items missing from 12 draws of 12.
    share = (10 / 12) ** 12
    assert interval.undefined / 1000 == pytest.approx(share, abs=4 * sqrt(share / 1000))
    assert f"{interval.undefined} without a value left out" in interval.method
    warnings = {w["code"]: w["message"] for w in report.summary["warnings"]}
    assert f"Cohen's kappa {interval.undefined / 10:.1f} %" in warnings["undefined_resamples"]
    (entry,) = [c for c in report.summary["coefficients"] if c["name"] == "cohen_kappa"]
    assert entry["interval"]["undefined_resamples"] == interval.undefined
    assert entry["interval"]["resamples"] == 1000


def test_an_interval_needs_half_of_the_resamples() -> None:
    # A value needs both of the two items that differ: in 40 % of the resamples.
    rows = [[1, 2], [2, 1]] + [[1, 1]] * 20
    lost = assay.resample("pearson", rows, scale="interval")
    assert lost.value is not None
    why = lost.why_no_interval()
    assert why is not None
    assert why.code == "undefined_resamples"
    found = int(why.reason.split("not defined in ")[1].split(" of")[0])
    assert found / 1000 == pytest.approx(1 - (1 - (21 / 22) ** 22) ** 2, abs=0.05)


def test_without_one_item_there_may_be_no_value() -> None:
    rows = [["a", "a"]] * 10 + [["b", "a"]]
    for interval in ("jackknife", "bca"):
        why = assay.resample("krippendorff_alpha", wide(rows), interval=interval).why_no_interval()
        assert why is not None
        assert why.code == "undefined_without_one"
        assert "1 of 11" in why.reason


@pytest.mark.parametrize("interval", ["bootstrap", "bca", "jackknife"])
def test_full_agreement_keeps_its_bound(interval: str) -> None:
    rows = [["a", "a"], ["b", "b"]] * 20
    report = assay.agree(wide(rows), interval=interval, resamples=200)
    plain = assay.agree(wide(rows))
    for name in ("cohen_kappa", "percent_agreement", "krippendorff_alpha"):
        assert isinstance(report[name].uncertainty, PerfectBound)
        assert report[name].interval() == plain[name].interval()


def test_one_item_has_no_error() -> None:
    found = assay.resample("percent_agreement", wide([["a", "b"]]))
    assert found.value == 0.0
    why = found.why_no_interval()
    assert why is not None
    assert why.code == "single_item"


def test_parts_of_items_are_not_drawn() -> None:
    found = assay.resample("cohen_kappa", table=[[1.5, 2], [0.5, 3]])
    why = found.why_no_interval()
    assert why is not None
    assert why.code == "parts_of_items"


def test_a_table_is_its_items() -> None:
    table = [[8, 3], [2, 9]]
    a, b = zip(*[(i, j) for i in range(2) for j in range(2) for _ in range(table[i][j])],
               strict=True)  # fmt: skip
    for interval in ("bootstrap", "bca", "jackknife"):
        one = assay.resample("cohen_kappa", table=table, interval=interval).interval()
        other = assay.resample("cohen_kappa", a, b, interval=interval).interval()
        assert one == other


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = wide(ratings(30, 3, 0.0, items=50), categories=LABELS)
    monkeypatch.setattr("assay.agreement.resampling.MOST_WORK", 1e5)
    report = assay.agree(data, scale="ordinal", interval="bootstrap")
    why = report["kendall_tau"].why_no_interval()
    assert why is not None
    assert why.code == "too_large"
    assert assay.agree(data, interval="jackknife")["fleiss_kappa"].interval() is not None


def test_many_pairs_are_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    here = context(ratings(30, 4, 0.2, items=50), scale="ordinal", weights="linear")
    found = []
    for kept in (1_000_000, 0):
        monkeypatch.setattr("assay.agreement.additive_raters.KEPT", kept)
        made = intervals(here, interval="bca", resamples=200)
        found.append([made[n].interval() for n in ("light_kappa", "spearman", "kendall_tau")])
    assert found[0] == found[1]
    assert None not in found[0]


# Any design.


@given(
    rows=matrices(labels=st.sampled_from([1, 2, 3]), raters=(1, 4)),
    scale=st.sampled_from(["nominal", "ordinal", "interval", "circular"]),
    interval=st.sampled_from(["bootstrap", "bca", "jackknife"]),
)
@settings(max_examples=40, deadline=None)
def test_any_design_has_an_interval_or_a_reason(rows: Any, scale: str, interval: str) -> None:
    report = assay.agree(wide(rows), scale=scale, interval=interval, resamples=100)
    json.dumps(report.summary, allow_nan=False)
    for one in report.coefficients.values():
        if one.value is None:
            continue
        found = one.interval()
        assert (found is None) != (one.why_no_interval() is None)
        if found is not None:
            assert found.low <= found.high
            assert found.width > 1e-13
            assert one.standard_error is None or one.standard_error >= 0


# A population of known size, and raters as a sample.


def test_finite_population() -> None:
    data = wide(ratings(31, 3, 0.0, items=40))
    plain = assay.agree(data)
    half = assay.agree(data, population=80)
    for name in ("fleiss_kappa", "gwet_ac", "krippendorff_alpha", "percent_agreement"):
        error = plain[name].standard_error
        assert error is not None
        assert half[name].standard_error == pytest.approx(error * sqrt(0.5))
        interval = half[name].interval()
        assert interval is not None
        assert interval.method.endswith("corrected for a population of 80 items")
    whole = assay.agree(data, population=40)["fleiss_kappa"].why_no_interval()
    assert whole is not None
    assert whole.code == "whole_population"
    with pytest.raises(UsageError, match="39 items cannot hold the 40"):
        assay.agree(data, population=39)
    jack = [assay.agree(data, interval="jackknife", population=n) for n in (None, 160)]
    first, second = (report["gwet_ac"].standard_error for report in jack)
    assert first is not None
    assert second == pytest.approx(first * sqrt(0.75))


def test_finite_population_is_that_of_a_peer() -> None:
    raw = pytest.importorskip("irrCAC.raw")
    pandas = pytest.importorskip("pandas")
    rows = ratings(32, 4, 0.0, items=30)
    peer = raw.CAC(pandas.DataFrame(rows), N=100, digits=12)
    ours = assay.agree(wide(rows, categories=LABELS), population=100)
    for name, theirs in (("gwet_ac", peer.gwet()), ("fleiss_kappa", peer.fleiss())):
        assert ours[name].standard_error == pytest.approx(theirs["est"]["se"], abs=1e-9)


def test_what_has_no_standard_error_is_not_corrected() -> None:
    report = assay.agree(wide(ratings(33, 3, 0.0)), scale="interval", population=1000)
    assert any("not corrected for the population" in n for n in report["icc_a_1"].notes)
    assert not report["gwet_ac"].notes


def test_raters_as_a_sample() -> None:
    rows = ratings(34, 4, 0.1, items=50)
    data = wide(rows, categories=LABELS)
    plain, both = assay.agree(data), assay.agree(data, raters_sampled=True)
    for name in ("fleiss_kappa", "gwet_ac", "conger_kappa", "krippendorff_alpha"):
        values = []
        for g in range(4):
            part = [row[:g] + row[g + 1 :] for row in rows]
            values.append(float(COEFFICIENTS[name](context(part, scale="nominal"))))
        mean = sum(values) / 4
        variance = 3 / 4 * sum((v - mean) ** 2 for v in values)
        items = plain[name].standard_error
        assert items is not None
        assert both[name].standard_error == pytest.approx(sqrt(items**2 + variance), rel=1e-9)
        found = both[name].uncertainty
        assert isinstance(found, Symmetric)
        n = 49 if name != "krippendorff_alpha" else (plain[name].uncertainty.df)
        df = (items**2 + variance) ** 2 / (items**4 / n + variance**2 / 3)
        assert found.df == pytest.approx(df, rel=1e-9)
        assert f"t with {df:.1f} degrees of freedom" in found.method
        assert found.method.count("degrees of freedom") == 1


def test_raters_as_a_sample_beside_the_jackknife() -> None:
    data = wide(ratings(35, 4, 0.0, items=40))
    jack = assay.agree(data, interval="jackknife")
    both = assay.agree(data, interval="jackknife", raters_sampled=True)
    plain = assay.agree(data)
    for name in ("gwet_ac", "light_kappa"):
        a, b = jack[name].standard_error, both[name].standard_error
        assert a is not None
        assert b is not None
        assert b > a
        assert both[name].test() == plain[name].test()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"a": [1, 2, 1, 2], "b": [1, 2, 2, 2]}, "nobody can be left out"),
        (assay.Counts([[2, 1], [3, 0], [0, 3], [1, 2]]), "not known who gave"),
        ({"a": [1, 1, 1, 1], "b": [1, 1, 1, 1], "c": [1, 2, 1, 2]}, "without 'c' fleiss_kappa is"),
    ],
)
def test_raters_that_cannot_be_left_out(data: Any, reason: str) -> None:
    why = assay.agree(data, raters_sampled=True)["fleiss_kappa"].why_no_interval()
    assert why is not None
    assert why.code == "no_rater_variance"
    assert reason in why.reason


def test_leaving_out_a_rater_of_a_sparse_design() -> None:
    random = np.random.default_rng(36)
    triples = [
        (f"i{i}", f"r{g}", int(random.integers(1, 4)))
        for i in range(3000)
        for g in random.choice(900, 3, replace=False)
    ]
    data = assay.read(triples)
    assert data.blocks[0].raters is not None
    for g in (0, 450, len(data.raters) - 1):
        name = data.raters[g]
        part = without_rater(data, g)
        again = assay.read([t for t in triples if t[1] != name])
        assert sorted(part.to_rows()) == sorted(again.to_rows())
        here, there = (Context(Reduced.of(x), scale="nominal") for x in (part.compact(), again))
        for coefficient in ("conger_kappa", "krippendorff_alpha"):
            one, other = (COEFFICIENTS[coefficient](c).value for c in (here, there))
            assert one == pytest.approx(other, abs=1e-12)


# Items and raters drawn together.


def test_a_rater_drawn_twice_is_not_compared_with_themselves() -> None:
    rows = ratings(41, 3, 0.2, items=20)
    here = context(rows, scale="nominal", weights="linear")
    source = Source(here.made, "items")
    v = np.array([2, 0, 1])
    drawn: Any = Drawn(source, v.astype(float))
    who = [g for g in range(3) for _ in range(int(v[g]))]
    shares, sizes = [], []
    for row in [r for r in rows if any(x is not None for x in r)]:
        pairs = [
            (row[g], row[h])
            for i, g in enumerate(who)
            for j, h in enumerate(who)
            if i != j and g != h and row[g] is not None and row[h] is not None
        ]
        gap = [1 - abs(a - b) / 4 for a, b in pairs]
        shares.append(sum(gap) / len(gap) if gap else 0.0)
        sizes.append(sum(1 for g in who if row[g] is not None))
    assert drawn.tally.shared(here.weights) == pytest.approx(shares)
    assert drawn.tally.sizes == pytest.approx(sizes)


@pytest.mark.parametrize("choice", CHOICES)
def test_each_rater_drawn_once_is_the_coefficient(choice: str) -> None:
    here = context(ratings(42, 4, 0.15, items=30), **CHOICES[choice])
    source = Source(here.made, "rows")
    drawn: Any = Drawn(source, np.ones(4))
    for name in ("percent_agreement", "fleiss_kappa", "gwet_ac", "brennan_prediger",
                 "krippendorff_alpha"):  # fmt: skip
        entry = COEFFICIENTS[name]
        if entry(here).value is not None:
            assert form_of(name, here, drawn).value == pytest.approx(float(entry(here)))


def test_two_of_three_raters_drawn_are_those_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resample with raters 1, 1, 3 is the ratings of 1 and 3, for means over pairs."""
    rows = ratings(43, 3, 0.0, items=40)
    here = context(rows, scale="ordinal", weights="quadratic", metric="nominal")
    source = Source(here.made, "items")
    once = np.ones((100, 40))

    def all_items(*_: Any) -> Any:
        yield slice(0, 100), once

    monkeypatch.setattr("assay.agreement.resampling_raters.draws", all_items)
    names = ["percent_agreement", "brennan_prediger", "light_kappa", "conger_kappa", "spearman",
             "kendall_tau", "krippendorff_alpha"]  # fmt: skip
    from assay.agreement.resampling_raters import rater_draws

    v = rater_draws(3, 100, 0)
    assert {tuple(row) for row in v.tolist()} >= set(permutations([2, 1, 0]))
    found = replicates_of_both(names, here, source, 100, 0)
    for b, row in enumerate(v.tolist()):
        there = [g for g in range(3) if row[g]]
        if len(there) == 1:
            assert all(np.isnan(found[name][b]) for name in names)
            continue
        if len(there) == 3 or sorted(row) != [0, 1, 2]:
            continue
        pair = context(
            [[r[g] for g in there] for r in rows],
            scale="ordinal", weights="quadratic", metric="nominal",
        )  # fmt: skip
        for name in names[:-1]:
            assert found[name][b] == pytest.approx(float(COEFFICIENTS[name](pair))), name


def test_raters_widen_the_interval() -> None:
    """One careless rater among four: with other raters, agreement would be another."""
    random = np.random.default_rng(44)
    truth = random.integers(0, 3, 150)
    rows = []
    for t in truth.tolist():
        good = [t if random.random() < 0.9 else int(random.integers(0, 3)) for _ in range(3)]
        rows.append([*good, int(random.integers(0, 3))])
    one = assay.agree(wide(rows), interval="bootstrap", resamples=400)
    both = assay.agree(wide(rows), interval="bootstrap", resamples=400, resample="items-raters")
    for name in ("fleiss_kappa", "light_kappa", "gwet_ac", "conger_kappa"):
        a, b = one[name].interval(), both[name].interval()
        assert a is not None
        assert b is not None
        assert b.width > 2 * a.width
        assert b.method.startswith("bootstrap of items and raters, percentile, 400 resamples")
    why = both["unanimous_agreement"].why_no_interval()
    assert why is not None
    assert why.code == "no_rater_resampling"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"interval": "boot"}, "did you mean"),
        ({"interval": "bootstrap", "resamples": 99}, "from 100 to"),
        ({"interval": "bootstrap", "resamples": True}, "whole number"),
        ({"interval": "bootstrap", "seed": -1}, "seed"),
        ({"interval": "bca", "population": 100}, "population"),
        ({"population": 0}, "population"),
        ({"interval": "bca", "raters_sampled": True}, "raters_sampled"),
        ({"interval": "bca", "resample": "items-raters"}, "percentile"),
        ({"resample": "items-raters"}, "interval='bootstrap'"),
        ({"resample": "raters"}, "not known"),
    ],
)
def test_settings_that_do_not_go_together(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assay.agree({"a": [1, 2], "b": [1, 2]}, **settings)


def test_finite_needs_an_error() -> None:
    plain = Symmetric(0.5, 0.1, "m", 9.0)
    assert isinstance(finite(plain, 10, 10), NoError)
