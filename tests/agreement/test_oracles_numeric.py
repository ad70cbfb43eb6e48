"""Published values for numeric ratings: ICC, Kendall's W, Bland-Altman, Lin."""

from __future__ import annotations

import pytest

import assay
from agreement.datasets import ANXIETY, MINI, SHROUT_FLEISS, WRIGHT, printed, wide
from assay.agreement.icc import anova
from assay.ratings.reductions import Reduced

SHROUT_FLEISS_FORMS = [
    ("icc_1", ".1657418"),
    ("icc_a_1", ".2897638"),
    ("icc_c_1", ".7148407"),
    ("icc_1_k", ".4427971"),
    ("icc_a_k", ".6200505"),
    ("icc_c_k", ".9093155"),
]


@pytest.mark.parametrize(("form", "value"), SHROUT_FLEISS_FORMS)
def test_six_forms(form: str, value: str) -> None:
    assert assay.icc(SHROUT_FLEISS, form=form).value == printed(value)


def test_mean_squares() -> None:
    made = Reduced.of(wide(SHROUT_FLEISS))
    got = anova(made, made.matrix)
    found = [float(x) for x in (got.rows, got.columns, got.error, got.within)]
    assert found == [printed(x) for x in ("11.2416667", "32.4861111", "1.0194444", "6.2638889")]


INTERVALS = [
    ("Shrout-Fleiss", "icc_a_1", ".0187865", ".7610844"),
    # The average form by Spearman-Brown from the single one's bounds.
    ("Shrout-Fleiss", "icc_a_k", ".0711368", ".9272320"),
    ("anxiety", "icc_a_1", "-.0389106", ".4935739"),
]
NUMERIC = {"Shrout-Fleiss": SHROUT_FLEISS, "anxiety": ANXIETY}


@pytest.mark.parametrize(("data", "form", "low", "high"), INTERVALS)
def test_intervals(data: str, form: str, low: str, high: str) -> None:
    interval = assay.icc(NUMERIC[data], form=form).interval()
    assert (interval.low, interval.high) == (printed(low), printed(high))


@pytest.mark.parametrize(
    ("form", "value"), [("icc_a_1", ".1979983"), ("icc_1", ".175022"), ("icc_c_1", ".216049")]
)
def test_anxiety(form: str, value: str) -> None:
    assert assay.icc(ANXIETY, form=form).value == printed(value)


def test_the_f_test_has_exact_degrees_of_freedom() -> None:
    test = assay.icc(ANXIETY, form="icc_a_1").test()
    assert test.statistic == printed("1.82677")
    assert test.df == (19.0, 38.0)
    assert test.p_value == printed(".056201")


def test_kendall_w_is_corrected_for_ties() -> None:
    got = assay.kendall_w(ANXIETY)
    assert got.value == printed(".539657")
    test = got.test()
    assert (test.statistic, test.df) == (printed("30.7604"), 19)
    assert test.p_value == printed(".042883")
    assert "ties" in got.full_name


def test_means_over_pairs_of_raters() -> None:
    assert assay.spearman(ANXIETY).value == printed(".310000")
    assert assay.pearson(ANXIETY).value == printed(".221506")


@pytest.mark.parametrize(
    ("weights", "value", "z"),
    [("quadratic", ".296765", "1.3405"), ("identity", ".119497", "1.1638")],
)
def test_kappa_of_the_first_two(weights: str, value: str, z: str) -> None:
    a, b = [row[0] for row in ANXIETY], [row[1] for row in ANXIETY]
    got = assay.cohen_kappa(a, b, weights=weights)
    assert (got.value, got.test().statistic) == (printed(value), printed(z))


def test_bland_altman() -> None:
    got = assay.bland_altman(WRIGHT, MINI)
    assert (got.mean, got.sd) == (printed("-2.117647"), printed("38.765130"))
    assert (got.low, got.high) == (printed("-78.0973"), printed("73.8620"))
    assert got.items == 17
    # Limits at 2 SD, as some print them.
    assert got.mean - 2 * got.sd == printed("-79.6479")
    assert got.mean + 2 * got.sd == printed("75.4126")


def test_lin() -> None:
    got = assay.lin_ccc(WRIGHT, MINI)
    assert got.value == printed(".9427424")
    assert "over n" in got.full_name
