"""Systems on the same gold: against brute-force bootstrap and randomisation, and Holm's rule."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corrections import holm
from assay.errors import InputError, UsageError
from assay.report.spans.report import score_spans
from assay.spans.compare import Comparison, compare
from assay.spans.corpus import SpanSet
from assay.spans.figures import Convention
from assay.spans.resample import Rows
from assay.spans.score import Scores

multitest = pytest.importorskip("statsmodels.stats.multitest")


def systems(n: int, *chances: float, seed: int = 0) -> list[tuple[str, Scores]]:
    """Systems that find each of some gold spans with a chance."""
    rng = np.random.default_rng(seed)
    gold = [(k, 2 * j, 2 * j + 1, "A") for k in range(n) for j in range(int(rng.integers(0, 4)))]
    out = []
    for name, chance in zip("abcdef", chances, strict=False):
        pred = [span for span in gold if rng.random() < chance]
        pred += [(k, 9, 10, "A") for k in range(n) if rng.random() < 0.2]
        out.append((name, Scores.of(SpanSet.of(gold), SpanSet.of(pred), n)))
    return out


def table_of(scores: Scores, mode: str = "exact") -> np.ndarray:
    pairs = scores.pairing(mode)
    n = scores.n_sentences
    where = (scores.gold.sentence[pairs.gold], scores.gold.sentence, scores.pred.sentence)
    return np.stack([np.bincount(x, minlength=n) for x in where], axis=1)


def f1(totals: np.ndarray) -> np.ndarray:
    return 2 * totals[..., 0] / (totals[..., 1] + totals[..., 2])


def one(found: list[Comparison]) -> Comparison:
    (only,) = found
    return only


def ends(found: Comparison) -> tuple[float, float]:
    assert found.interval is not None
    return found.interval.low, found.interval.high


def test_the_difference_and_the_worst_sentences():
    gold = [(0, 0, 1, "A"), (1, 0, 1, "A"), (2, 0, 1, "A"), (2, 2, 3, "A")]
    a = Scores.of(SpanSet.of(gold), SpanSet.of(gold[:2]), 3)
    b = Scores.of(SpanSet.of(gold), SpanSet.of([gold[0], *gold[2:]]), 3)
    found = one(compare([("a", a), ("b", b)]))
    assert found.difference == pytest.approx(2 / 3 - 6 / 7)
    assert found.sentences == ((2, 2, 0), (1, 0, 1))
    assert one(compare([("a", a), ("b", b)], most=1)).sentences == ((2, 2, 0),)


def test_equal_systems():
    scores = systems(30, 0.7)[0][1]
    found = one(compare([("a", scores), ("b", scores)]))
    assert (found.difference, found.p_bootstrap, found.p_randomisation) == (0.0, 1.0, 1.0)
    assert (ends(found), found.sentences) == ((0.0, 0.0), ())


@pytest.mark.parametrize("chances", [(0.8, 0.6), (0.7, 0.72)])
def test_the_paired_bootstrap_is_that_of_brute_force(chances):
    pair = systems(50, *chances, seed=3)
    found = one(compare(pair, resamples=4000, seed=2))
    a, b = (table_of(scores) for _, scores in pair)
    picks = np.random.default_rng(8).integers(0, 50, (4000, 50))
    spread = f1(a[picks].sum(axis=1)) - f1(b[picks].sum(axis=1))
    assert found.difference == pytest.approx(f1(a.sum(axis=0)) - f1(b.sum(axis=0)))
    want = np.quantile(spread, [0.025, 0.975])
    assert ends(found) == pytest.approx(tuple(want), abs=0.012)
    p = min(1.0, 2 * min((spread <= 0).mean(), (spread >= 0).mean()))
    assert found.p_bootstrap == pytest.approx(p, abs=0.04)


@pytest.mark.parametrize(("chances", "seed"), [((0.9, 0.5), 1), ((0.7, 0.6), 2), ((0.6, 0.6), 4)])
def test_randomisation_is_that_of_all_swaps(chances, seed):
    """Few sentences, so that every way of swapping the systems' outputs can be tried."""
    pair = systems(10, *chances, seed=seed)
    a, b = (table_of(scores) for _, scores in pair)
    observed = abs(f1(a.sum(axis=0)) - f1(b.sum(axis=0)))
    swaps = np.array(list(itertools.product([False, True], repeat=10)))[..., None]
    one_side = np.where(swaps, b, a).sum(axis=1)
    other = np.where(swaps, a, b).sum(axis=1)
    exact = (np.abs(f1(one_side) - f1(other)) >= observed - 1e-12).mean()
    found = one(compare(pair, resamples=20_000, seed=5))
    assert found.p_randomisation == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("mode", ["exact", "partial", "overlap", "boundaries"])
def test_any_mode(mode):
    gold = [(k, 0, 3, "A") for k in range(20)]
    near = [(k, 0, 2, "A") for k in range(20)]
    other = [(k, 0, 3, "B") for k in range(20)]
    pair = [
        (n, Scores.of(SpanSet.of(gold), SpanSet.of(p), 20))
        for n, p in zip("xy", (near, other), strict=True)
    ]
    want = {"exact": 0.0, "partial": 1.0, "overlap": 0.0, "boundaries": -1.0}
    assert one(compare(pair, mode=mode)).difference == want[mode]


def test_documents_are_resampled_and_swapped_as_a_whole():
    pair = systems(60, 0.8, 0.6, seed=6)
    alone = one(compare(pair))
    groups = np.repeat(np.arange(3), 20)
    found = one(compare(pair, groups=groups))
    assert found.difference == pytest.approx(alone.difference)
    # Three documents can be swapped in eight ways, in two of which the difference is as large.
    assert found.p_randomisation >= 0.2
    assert found.interval != alone.interval
    # Each sentence a document of its own is the same as no documents.
    assert one(compare(pair, groups=np.arange(60))) == alone


def test_reproducible_and_mirrored():
    pair = systems(40, 0.8, 0.6, seed=9)
    found = one(compare(pair, seed=3))
    assert found == one(compare(pair, seed=3))
    back = one(compare(pair[::-1], seed=3))
    assert back.difference == pytest.approx(-found.difference)
    assert back.p_randomisation == pytest.approx(found.p_randomisation, abs=0.05)
    assert back.sentences == tuple((k, b, a) for k, a, b in found.sentences)


def test_several_systems_are_corrected_for():
    found = compare(systems(80, 0.8, 0.7, 0.6, 0.6, seed=2))
    assert [(c.a, c.b) for c in found] == list(itertools.combinations("abcd", 2))
    p_values = [c.p_randomisation for c in found]
    want = multitest.multipletests(p_values, method="holm")[1]
    assert [c.p_adjusted for c in found] == pytest.approx(list(want))


@given(st.lists(st.floats(0.0, 1.0), max_size=8))
@settings(max_examples=25, deadline=None)
def test_holm_is_that_of_statsmodels(p_values):
    want = list(multitest.multipletests(p_values, method="holm")[1]) if p_values else []
    assert holm(np.array(p_values, dtype=float)) == pytest.approx(want)


def test_holm_leaves_out_what_is_not_defined():
    found = holm(np.array([0.03, np.nan, 0.01]))
    assert found[0] == pytest.approx(0.03)
    assert np.isnan(found[1])
    assert found[2] == pytest.approx(0.02)


def test_nothing_to_compare():
    """No number is made up where F is not defined, or where there is nothing to resample."""
    none = SpanSet.of([])
    some = SpanSet.of([(0, 0, 1, "A")])
    empty = [("a", Scores.of(none, none, 5)), ("b", Scores.of(none, some, 5))]
    found = one(compare(empty, convention=Convention("undefined")))
    assert found.interval is None
    assert all(
        np.isnan(x)
        for x in (found.difference, found.p_bootstrap, found.p_randomisation, found.p_adjusted)
    )
    assert one(compare(empty)).difference == 1.0
    single = [("a", Scores.of(some, some, 1)), ("b", Scores.of(some, none, 1))]
    found = one(compare(single))
    assert found.difference == 1.0
    assert found.interval is None
    assert np.isnan(found.p_bootstrap)
    nothing = [("a", Scores.of(none, none, 0)), ("b", Scores.of(none, none, 0))]
    assert one(compare(nothing)).difference == 0.0
    with pytest.raises(InputError, match="different numbers of sentences"):
        compare([("a", Scores.of(none, none, 1)), ("b", Scores.of(none, none, 2))])
    with pytest.raises(UsageError, match="at least 100"):
        compare(empty, resamples=10)


def test_the_report_ranks_and_has_no_nan():
    gold = [["B-A", "O"], ["O", "O"], ["B-A", "B-A"]]
    good, bad = gold, [["O", "O"], ["O", "B-A"], ["B-A", "O"]]
    found = score_spans(gold, bad, good, names=("bad", "good"), bootstrap=200).to_dict()
    assert [(row["name"], row["rank"]) for row in found["systems"]] == [("good", 1), ("bad", 2)]
    (pair,) = found["comparisons"]
    assert pair["difference"] == pytest.approx(-0.6)
    assert pair["sentences"][0] == {"sentence": 0, "a": 1, "b": 0}
    nothing = [["O", "O"]] * 3
    found = score_spans(nothing, nothing, bad, bootstrap=200, zero_division="undefined").to_dict()
    (pair,) = found["comparisons"]
    assert pair["difference"] is pair["interval"] is pair["p_adjusted"] is None


def test_names_are_as_many_as_systems():
    gold = [["B-A", "O"]]
    with pytest.raises(UsageError, match="1 names for 2 predictions"):
        score_spans(gold, gold, gold, names=("a",), bootstrap=0)
    with pytest.raises(UsageError, match="different names"):
        score_spans(gold, gold, gold, names=("a", "a"), bootstrap=0)


def test_the_order_of_the_systems_decides_nothing() -> None:
    rng = np.random.default_rng(3)
    gold = [(k, 0, 1, "A") for k in range(60)]
    found = {name: [s for s in gold if rng.random() < p] for name, p in (("a", 0.8), ("b", 0.6))}
    systems = [
        (name, Scores.of(SpanSet.of(gold), SpanSet.of(spans), 60)) for name, spans in found.items()
    ]
    (one,), (two,) = compare(systems), compare(systems[::-1])
    assert one.difference == -two.difference
    assert (one.p_bootstrap, one.p_randomisation) == (two.p_bootstrap, two.p_randomisation)
    assert one.interval is not None
    assert two.interval is not None
    assert (one.interval.low, one.interval.high) == (-two.interval.high, -two.interval.low)


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(UsageError, match="seed"):
        Rows.of(np.ones((3, 1), dtype=np.int64)).resampled(100, seed)
