"""Published values for any number of raters: Fleiss, Gwet, Conger, Light, Krippendorff."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import assay
from agreement.datasets import (
    DIST_4_CATEGORIES,
    DISTRIB_6_RATERS,
    ENCYCLOPAEDIA_ALPHA,
    FLEISS_1971,
    FLEISS_1971_COUNTS,
    FOURTEEN_RATERS,
    KRIPPENDORFF_2018,
    KRIPPENDORFF_A,
    KRIPPENDORFF_B,
    KRIPPENDORFF_C,
    RAW_4_RATERS,
    TEN_BY_THREE,
    VARYING_RATERS,
    WARRENS_2010,
    printed,
    wide,
)

FUNCTIONS: dict[str, Any] = {
    "fleiss": assay.fleiss_kappa,
    "conger": assay.conger_kappa,
    "light": assay.light_kappa,
    "ac": assay.gwet_ac,
    "bp": assay.brennan_prediger,
    "alpha": assay.krippendorff_alpha,
    "percent": assay.percent_agreement,
}

DATA: dict[str, Any] = {
    "Fleiss 1971": wide(FLEISS_1971),
    "Fleiss 1971, counts": assay.Counts(FLEISS_1971_COUNTS),
    "fourteen raters": assay.Counts(FOURTEEN_RATERS),
    "Gwet, raw 4 raters": wide(RAW_4_RATERS),
    "Gwet, 6 raters": assay.Counts(DISTRIB_6_RATERS),
    "Gwet, 4 categories": assay.Counts(DIST_4_CATEGORIES),
    "Stata, varying raters": assay.Counts(VARYING_RATERS),
    "Warrens 2010": wide(WARRENS_2010),
    "ten by three": wide(TEN_BY_THREE),
    "Krippendorff A": assay.from_lists(*KRIPPENDORFF_A),
    "Krippendorff B": assay.from_lists(*KRIPPENDORFF_B),
    "Krippendorff C": assay.read(KRIPPENDORFF_C),
    "Krippendorff 2018": assay.read(KRIPPENDORFF_2018),
    "encyclopaedia, alpha": assay.read(ENCYCLOPAEDIA_ALPHA),
}

# (data, coefficient, value, observed, expected, standard error)
ESTIMATES = [
    ("Fleiss 1971", "fleiss", "0.4302445201", "0.5555556", "0.2199383", "0.0541989355"),
    ("Fleiss 1971", "bp", "0.4444444444", "0.5555556", "0.2", "0.0551228"),
    ("Fleiss 1971", "conger", "0.4418085403", "0.5555556", None, "0.0507944"),
    ("Fleiss 1971", "light", "0.4594121444", None, None, None),
    ("Fleiss 1971", "ac", "0.4478845158", "0.5555556", "0.1950154", "0.0556621"),
    ("Fleiss 1971", "alpha", "0.4334098283", None, None, None),
    ("Fleiss 1971, counts", "fleiss", "0.4302445201", "0.5555556", "0.2199383", "0.0541989355"),
    ("Fleiss 1971, counts", "ac", "0.4478845158", "0.5555556", "0.1950154", "0.0556621"),
    ("Fleiss 1971, counts", "alpha", "0.4334098283", None, None, None),
    ("fourteen raters", "fleiss", "0.2099307044", "0.3780220", "0.2127551", "0.0923711"),
    ("fourteen raters", "bp", "0.2225274725", "0.3780220", "0.2", None),
    ("fourteen raters", "ac", "0.2256142", "0.3780220", None, "0.0933241"),
    ("fourteen raters", "alpha", "0.2155741", None, None, None),
    ("Gwet, raw 4 raters", "ac", "0.77544407", "0.8181818", "0.1903212", "0.14294995"),
    ("Gwet, raw 4 raters", "fleiss", "0.76116928", "0.8181818", "0.2387153", "0.15301920"),
    ("Gwet, raw 4 raters", "conger", "0.76281744", "0.8181818", "0.2334252", "0.14916815"),
    ("Gwet, raw 4 raters", "bp", "0.77272727", "0.8181818", "0.2", "0.14471662"),
    ("Gwet, raw 4 raters", "alpha", "0.74342105", None, None, "0.14547872"),
    ("Gwet, raw 4 raters", "percent", "0.8181818", "0.8181818", None, "0.12561"),
    ("Gwet, 6 raters", "ac", "0.44480073", None, None, "0.08418757"),
    ("Gwet, 6 raters", "fleiss", "0.41392650", None, None, "0.08119291"),
    ("Gwet, 6 raters", "bp", "0.43888889", None, None, "0.08312142"),
    ("Gwet, 6 raters", "alpha", "0.42043843", None, None, "0.0811929"),
    ("Gwet, 4 categories", "ac", "0.35189032", None, None, "0.11259822"),
    ("Gwet, 4 categories", "fleiss", "0.34618609", None, None, "0.11767334"),
    ("Gwet, 4 categories", "alpha", "0.35708298", None, None, None),
    ("Gwet, 4 categories", "bp", "0.35", None, None, None),
    ("Stata, varying raters", "fleiss", "0.5619696", None, None, "0.1270526"),
    ("Stata, varying raters", "alpha", "0.5527950", None, None, None),
    ("Warrens 2010", "bp", "0.8357", None, None, None),
    ("Warrens 2010", "fleiss", "0.8323", None, None, None),
    ("Warrens 2010", "conger", "0.8326", None, None, None),
    # Printed as .8324; the mean of scikit-learn's 28 kappas on these rows is .83227 too.
    ("Warrens 2010", "light", "0.8323", None, None, None),
    ("ten by three", "alpha", "0.072", None, None, None),
    ("Krippendorff A", "alpha", "0.0952381", None, None, None),
    ("Krippendorff B", "alpha", "0.6919643", None, None, None),
    ("Krippendorff C", "alpha", "0.7434211", None, None, None),
    # The lone last rating belongs to rater B here and to C in Gwet's layout of the same data:
    # alpha is the same, Conger's kappa is not.
    ("Krippendorff C", "conger", "0.76207", None, None, None),
    ("Krippendorff 2018", "alpha", "0.234375", None, None, None),
    ("encyclopaedia, alpha", "alpha", "0.6913580", None, None, None),
]


@pytest.mark.parametrize(("data", "name", "value", "po", "pe", "error"), ESTIMATES)
def test_estimates(
    data: str, name: str, value: str, po: str | None, pe: str | None, error: str | None
) -> None:
    got = FUNCTIONS[name](DATA[data])
    assert got.value == printed(value)
    assert po is None or got.observed == printed(po)
    assert pe is None or got.expected == printed(pe)
    assert error is None or got.standard_error == printed(error)


# (data, coefficient, 95 % interval, degrees of freedom of its t)
INTERVALS = [
    ("Fleiss 1971", "fleiss", "0.3193953", "0.5410938", 29),
    ("fourteen raters", "fleiss", "0.0009727", "0.4188887", 9),
    ("fourteen raters", "ac", "0.0145004", "0.4367279", 9),
    ("Gwet, raw 4 raters", "ac", "0.46081", "1", 11),
    ("Gwet, raw 4 raters", "fleiss", "0.42438", "1", 11),
    ("Gwet, raw 4 raters", "conger", "0.43450", "1", 11),
    ("Gwet, raw 4 raters", "bp", "0.45421", "1", 11),
    ("Gwet, raw 4 raters", "alpha", "0.423", "1", 11),
    ("Gwet, raw 4 raters", "percent", "0.542", "1", 11),
    ("Gwet, 6 raters", "ac", "0.2642364", "0.6253651", 14),
    ("Gwet, 6 raters", "fleiss", "0.2397850", "0.5880680", 14),
]


@pytest.mark.parametrize(("data", "name", "low", "high", "df"), INTERVALS)
def test_intervals(data: str, name: str, low: str, high: str, df: int) -> None:
    got = FUNCTIONS[name](DATA[data])
    interval = got.interval()
    assert interval.level == 0.95
    assert (interval.low, interval.high) == (printed(low), printed(high))
    assert got.test().df == df


# Two-sided; a tool that prints half of these prints one-sided ones.
P_VALUES = [
    ("ac", "2.0872e-4"),
    ("fleiss", "4.1917e-4"),
    ("conger", "3.3671e-4"),
    ("bp", "2.3756e-4"),
    ("alpha", "3.4e-4"),
]


@pytest.mark.parametrize(("name", "p"), P_VALUES)
def test_p_values_are_two_sided(name: str, p: str) -> None:
    got = FUNCTIONS[name](DATA["Gwet, raw 4 raters"])
    assert got.p_value == printed(p)


def test_p_value_of_percent_agreement() -> None:
    got = FUNCTIONS["percent"](DATA["Gwet, raw 4 raters"])
    assert got.p_value / 2 == printed("2.17e-5")


# Gwet's weights on the same data: AC2 with its error, and alpha (1 - w as its distance).
WEIGHTED = [
    ("quadratic", ".91400", ".10396", ".84911"),
    ("linear", ".85874", ".11733", ".80038"),
    ("ordinal", ".89894", ".10690", ".83364"),
    ("radical", ".81981", ".12836", ".77198"),
    ("ratio", ".85737", ".12207", ".79740"),
    ("circular", ".83020", ".13265", ".78998"),
    ("bipolar", ".90037", ".10582", ".83499"),
]


@pytest.mark.parametrize(("weights", "ac2", "error", "alpha"), WEIGHTED)
def test_weights(weights: str, ac2: str, error: str, alpha: str) -> None:
    data = DATA["Gwet, raw 4 raters"]
    got = assay.gwet_ac(data, weights=weights)
    assert (got.value, got.standard_error) == (printed(ac2), printed(error))
    assert assay.krippendorff_alpha(data, weights=weights).value == printed(alpha)


# Krippendorff (2011) C and E, with the disagreements printed as means over the coincidences,
# and the encyclopaedia's example.
METRICS = [
    ("Krippendorff C", "nominal", "0.7434211"),
    ("Krippendorff C", "ordinal", "0.8153875"),
    ("Krippendorff C", "interval", "0.8491071"),
    ("Krippendorff C", "ratio", "0.7974028"),
    ("encyclopaedia, alpha", "nominal", "0.6913580"),
    ("encyclopaedia, alpha", "ordinal", "0.8067214"),
    ("encyclopaedia, alpha", "interval", "0.8108449"),
    ("encyclopaedia, alpha", "ratio", "0.8089437"),
]


@pytest.mark.parametrize(("data", "metric", "value"), METRICS)
def test_alpha_by_metric(data: str, metric: str, value: str) -> None:
    assert assay.krippendorff_alpha(DATA[data], metric=metric).value == printed(value)


def test_observed_and_expected_disagreement() -> None:
    from assay.agreement.metrics import make_metric
    from assay.ratings.reductions import Reduced

    made = Reduced.of(DATA["Krippendorff C"])
    expected = {
        "nominal": (".2", ".7794872"),
        "interval": (".4333333", "2.8717949"),
        "ratio": (".0224327", ".1107257"),
    }
    for name, (observed, chance) in expected.items():
        metric = make_metric(made, name)
        assert float(metric.observed) == printed(observed)
        assert float(metric.expected) == printed(chance)
    # Ordinal: ours are on doubled ranks, so four times the printed ones.
    metric = make_metric(made, "ordinal")
    assert float(metric.observed) / 4 == printed("47.275")
    assert float(metric.expected) / 4 == printed("256.0769231")


EXACT = [
    ("Krippendorff A", Fraction(2, 21)),
    ("Krippendorff C", Fraction(113, 152)),
]


@pytest.mark.parametrize(("data", "value"), EXACT)
def test_alpha_in_fractions(data: str, value: Fraction) -> None:
    assert assay.krippendorff_alpha(DATA[data]).exact == value


def test_who_gave_a_lone_rating_matters_to_conger_alone() -> None:
    ours, gwets = DATA["Krippendorff C"], DATA["Gwet, raw 4 raters"]
    assert assay.krippendorff_alpha(ours).exact == assay.krippendorff_alpha(gwets).exact
    assert assay.fleiss_kappa(ours).exact == assay.fleiss_kappa(gwets).exact
    assert assay.gwet_ac(ours).exact == assay.gwet_ac(gwets).exact
    assert assay.conger_kappa(ours).value == printed("0.76207")
    assert assay.conger_kappa(gwets).value == printed("0.76282")


# Fleiss, Nee and Landis (1979).
NULL_ERRORS = [
    ("Fleiss 1971", "0.0243739321", "17.652"),
    ("fourteen raters", "0.0169651", "12.374"),
]


@pytest.mark.parametrize(("data", "error", "z"), NULL_ERRORS)
def test_the_null_error_is_beside_the_linearised_one(data: str, error: str, z: str) -> None:
    got = assay.fleiss_kappa(DATA[data])
    linearised, null = got.tests
    assert null.method.startswith("Fleiss-Nee-Landis (1979)")
    assert (null.null, null.standard_error, null.statistic) == (0.0, printed(error), printed(z))
    assert linearised.standard_error == got.standard_error
    assert got.standard_error > 2 * null.standard_error
    assert got.interval().width > 2 * 1.96 * 2 * null.standard_error


CATEGORIES = [
    (
        "Fleiss 1971",
        ".2447552 .2447552 .5200000 .4711273 .5661178",
        "0.0471405",
        "5.192 5.192 11.031 9.994 12.009",
    ),
    ("fourteen raters", ".2012821 .0796703 .1715976 .0303814 .5076567", ".0331497", None),
]


@pytest.mark.parametrize(("data", "kappas", "error", "z"), CATEGORIES)
def test_kappa_of_each_category(data: str, kappas: str, error: str, z: str | None) -> None:
    got = list(assay.category_kappa(DATA[data]).values())
    assert [k.value for k in got] == [printed(x) for x in kappas.split()]
    tests = [k.tests[0] for k in got]
    assert all(t.standard_error == printed(error) for t in tests)
    if z is not None:
        assert [t.statistic for t in tests] == [printed(x) for x in z.split()]


# 25 subjects with two to five raters: four estimators, each right for its definition.
ESTIMATORS = [
    ("gwet", ".56197"),
    ("pooled", ".55988"),
    ("pair-weighted", ".54501"),
    ("fleiss1981", ".54155"),
]


@pytest.mark.parametrize(("estimator", "value"), ESTIMATORS)
def test_four_estimators(estimator: str, value: str) -> None:
    got = assay.fleiss_kappa(DATA["Stata, varying raters"], estimator=estimator)
    assert got.value == printed(value)
    assert estimator in got.full_name


def test_the_form_that_stata_prints() -> None:
    got = assay.fleiss_kappa(DATA["Stata, varying raters"], estimator="fleiss1981")
    assert got.value == printed("0.5415450")
    null = got.tests[1]
    assert (null.standard_error, null.statistic) == (printed(".102623"), printed("5.277"))


def test_three_lists() -> None:
    lists = ("122122113122", "121212323231", "122133321231")
    got = assay.fleiss_kappa(assay.from_lists(*([int(c) for c in one] for one in lists)))
    null = got.tests[1]
    assert got.value == printed(".0978520")
    assert null.standard_error == printed(".1202043")
    assert (null.statistic, null.p_value) == (printed(".81405"), printed(".41562"))


def test_rows_with_frequencies() -> None:
    found = [(0, 0, 8), (0, 1, 2), (1, 1, 17), (1, 2, 3), (2, 1, 5), (2, 2, 15)]
    records = [{"a": a, "b": b, "n": n} for a, b, n in found]
    got = assay.fleiss_kappa(assay.read(records, layout="wide", frequency="n"))
    null = got.tests[1]
    assert got.value == printed(".6823380")
    assert (null.standard_error, null.statistic) == (printed(".1043509"), printed("6.53888"))
    assert got.items == 50


@pytest.mark.parametrize("estimator", ["gwet", "pooled", "pair-weighted"])
def test_a_null_error_is_given_only_where_it_is_known(estimator: str) -> None:
    varying = assay.fleiss_kappa(DATA["Stata, varying raters"], estimator=estimator)
    assert [test.method for test in varying.tests] == [varying.test().method]
    equal = assay.fleiss_kappa(DATA["fourteen raters"], estimator=estimator)
    assert equal.tests[1].standard_error == printed("0.0169651")
