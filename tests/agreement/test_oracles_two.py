"""Published values for two raters: kappas with both errors, ceilings, and what explains them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import assay
from agreement.datasets import (
    ABSTRACTORS,
    COHEN_1968_WEIGHTS,
    DIAGNOSIS,
    FCE_WEIGHTS,
    TWO_RATERS,
    printed,
)

# (table, kappa, error, null error, ceiling, linear, quadratic)
KAPPAS = [
    ("Cohen 1960, p. 37", "-.092308", ".056641", ".070249", ".846154", ".022727", ".134328"),
    ("Cohen 1960, p. 45", ".491525", ".051002", ".051979", ".830508", ".473684", ".454545"),
    ("Fleiss-Cohen-Everitt 1969", ".428571", ".053711", ".055512", ".904762", ".492308", ".566667"),
    ("Fleiss-Levin-Paik 18.1", ".676471", ".087703", ".076187", ".852941", ".722222", ".755319"),
    ("Feinstein-Cicchetti 1990", ".699519", ".071394", ".099819", ".939904", None, None),
    ("Feinstein-Cicchetti, paradox 1", ".318182", ".133457", ".097383", ".772727", None, None),
    ("Feinstein-Cicchetti, paradox 2a", ".130435", ".098662", ".097608", ".782609", None, None),
    ("Feinstein-Cicchetti, paradox 2b", ".259259", ".077160", ".083148", ".444444", None, None),
    ("Agresti, carcinoma", ".493006", ".056743", ".050139", ".622702", ".648810", ".783822"),
    ("encyclopaedia", ".400000", ".126996", ".138564", ".8", None, None),
    ("Artstein-Poesio 1", ".347826", ".095008", None, None, None, None),
    ("Artstein-Poesio 2", ".801325", ".051973", None, None, None, None),
    ("Gwet 2008", ".615385", ".336811", ".291903", ".615385", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("table", "kappa", "error", "null", "top", "linear", "quadratic"), KAPPAS)
def test_cohen(
    table: str,
    kappa: str,
    error: str,
    null: str | None,
    top: str | None,
    linear: str | None,
    quadratic: str | None,
) -> None:
    cells = TWO_RATERS[table]
    got = assay.cohen_kappa(table=cells)
    assert got.value == printed(kappa)
    assert got.standard_error == printed(error)
    test = got.test(0.0)
    if null is not None:
        # The null error is for the test of 0 only, never for the interval.
        assert test.standard_error == printed(null)
        assert test.statistic == pytest.approx(got.value / test.standard_error, rel=1e-12)
    interval = got.interval()
    if interval.high < 1:
        assert interval.width == pytest.approx(2 * 1.959963984540054 * got.standard_error)
    assert top is None or got.maximum == printed(top)
    for weights, value in (("linear", linear), ("quadratic", quadratic)):
        if value is not None:
            assert assay.cohen_kappa(table=cells, weights=weights).value == printed(value)


WEIGHTED = [
    ("Cohen 1960, p. 45", COHEN_1968_WEIGHTS, ".347826", ".075504", ".059720"),
    ("Fleiss-Cohen-Everitt 1969", FCE_WEIGHTS, ".507070", ".056994", ".065336"),
]


@pytest.mark.parametrize(("table", "weights", "kappa", "error", "null"), WEIGHTED)
def test_custom_weights(table: str, weights: Any, kappa: str, error: str, null: str) -> None:
    got = assay.cohen_kappa(table=TWO_RATERS[table], weights=weights)
    assert (got.value, got.standard_error) == (printed(kappa), printed(error))
    assert got.test(0.0).standard_error == printed(null)
    assert got.maximum is None


# (table, function, value, standard error): Gwet's errors, over n - 1. The sources print two of
# these with n.
OTHERS = [
    ("abstractors", "cohen_kappa", ".7964094", ".05891072"),
    ("abstractors", "scott_pi", ".7962397", ".05935224"),
    ("abstractors", "gwet_ac", ".8493305", ".04343519"),
    ("abstractors", "brennan_prediger", ".835", ".04716991"),
    ("abstractors", "percent_agreement", ".89", ".03144660"),
    ("abstractors", "krippendorff_alpha", ".7972585", ".05935224"),
    ("abstractors", "bangdiwala_b", ".8059604", ".05449465"),
    ("diagnosis", "cohen_kappa", ".43150078", ".04596918"),
    ("diagnosis", "scott_pi", ".43034056", None),
    ("diagnosis", "gwet_ac", ".45615764", ".0435476"),
    ("diagnosis", "brennan_prediger", ".44992526", None),
    ("diagnosis", "krippendorff_alpha", ".43161782", None),
    ("Feinstein-Cicchetti 1990", "gwet_ac", ".700748", None),
    ("Feinstein-Cicchetti, paradox 1", "gwet_ac", ".808", None),
    ("Feinstein-Cicchetti, paradox 2a", "gwet_ac", ".266055", None),
    ("Feinstein-Cicchetti, paradox 2b", "gwet_ac", ".207921", None),
    ("encyclopaedia", "gwet_ac", ".405941", None),
    ("Artstein-Poesio 1", "scott_pi", ".340659", None),
    ("Artstein-Poesio 1", "brennan_prediger", ".4", None),
    ("Artstein-Poesio 1", "krippendorff_alpha", ".343956", None),
    ("Artstein-Poesio 2", "scott_pi", ".799532", None),
    ("Artstein-Poesio 2", "brennan_prediger", ".82", None),
    ("Artstein-Poesio 2", "krippendorff_alpha", ".800535", None),
    ("Gwet 2008", "scott_pi", ".607843", None),
    ("Gwet 2008", "gwet_ac", ".865772", None),
]
TABLES = TWO_RATERS | {"abstractors": ABSTRACTORS, "diagnosis": DIAGNOSIS}


@pytest.mark.parametrize(("table", "name", "value", "error"), OTHERS)
def test_other_coefficients(table: str, name: str, value: str, error: str | None) -> None:
    got = getattr(assay, name)(table=TABLES[table])
    assert got.value == printed(value)
    assert error is None or got.standard_error == printed(error)


def test_chance_agreement_of_ac1() -> None:
    assert assay.gwet_ac(table=TWO_RATERS["Gwet 2008"]).expected == printed(".255")


@pytest.mark.parametrize(("weights", "value"), [("linear", ".406811"), ("quadratic", ".383186")])
def test_weighted_diagnosis(weights: str, value: str) -> None:
    assert assay.cohen_kappa(table=DIAGNOSIS, weights=weights).value == printed(value)


def test_weights_between_dialogue_acts() -> None:
    # Artstein and Poesio (2008): "Chck" is half as far from the other two.
    weights = [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]]
    cells = TWO_RATERS["Artstein-Poesio 2"]
    assert assay.krippendorff_alpha(table=cells, weights=weights).value == printed(".8156")
    assert assay.cohen_kappa(table=cells, weights=weights).value == printed(".8163")


# (table, prevalence index, bias index, PABAK)
INDICES = [
    ("Feinstein-Cicchetti 1990", "-.05", ".03", ".70"),
    ("Feinstein-Cicchetti, paradox 1", ".75", ".05", ".70"),
    ("Feinstein-Cicchetti, paradox 2a", ".30", "-.10", ".20"),
    ("Feinstein-Cicchetti, paradox 2b", "-.10", ".30", ".20"),
]


@pytest.mark.parametrize(("table", "prevalence", "bias", "pabak"), INDICES)
def test_indices(table: str, prevalence: str, bias: str, pabak: str) -> None:
    got = assay.skew(table=TWO_RATERS[table])
    assert got.prevalence_index == Fraction(prevalence)
    assert got.bias_index == Fraction(bias)
    assert got.pabak == Fraction(pabak)
    assert float(got.maximum) == assay.cohen_kappa(table=TWO_RATERS[table]).maximum
    assert float(got.pabak) == assay.brennan_prediger(table=TWO_RATERS[table]).value


def test_specific_agreement() -> None:
    got = assay.specific_agreement(table=TWO_RATERS["Feinstein-Cicchetti, paradox 1"])
    assert [x.value for x in got.values()] == [printed(".9143"), printed(".40")]


def test_null_errors_never_widen_an_interval() -> None:
    # The error of Cohen (1960), sqrt(po(1 - po) / n) / (1 - pe), is .162305 here.
    got = assay.cohen_kappa(table=[[80, 10], [5, 5]])
    assert got.standard_error == printed(".133457")
    assert got.interval().low == pytest.approx(got.value - 1.959964 * 0.133457, abs=1e-5)


def test_declared_categories_decide() -> None:
    # A scale 1 to 5 of which 3 is never used: positions are the labels' values, declared or
    # not; AC1 and Brennan-Prediger depend on how many categories there are.
    a, b = [1, 2, 4, 5, 1, 2, 4, 5], [1, 2, 4, 5, 2, 1, 5, 4]
    quadratic = [
        assay.cohen_kappa(a, b, weights="quadratic", **options).exact
        for options in ({}, {"categories": [1, 2, 3, 4, 5]})
    ]
    assert quadratic[0] == quadratic[1]
    wide = [assay.brennan_prediger(a, b, **o).exact for o in ({}, {"categories": range(1, 6)})]
    assert wide == [Fraction(1, 3), Fraction(3, 8)]
    ac = [assay.gwet_ac(a, b, **o).value for o in ({}, {"categories": [1, 2, 3, 4, 5]})]
    assert ac == [printed(".3333"), printed(".3846")]
    names = [assay.gwet_ac(a, b, **o).full_name for o in ({}, {"categories": [1, 2, 3, 4, 5]})]
    assert "4 categories" in names[0]
    assert "5 categories" in names[1]


def test_quadratic_on_a_sparse_scale() -> None:
    # .80 is what positions among the labels seen would give, .90 what the values give.
    a, b = [1, 2, 4, 5, 1, 2, 4, 5], [1, 2, 4, 5, 2, 1, 5, 4]
    got = assay.cohen_kappa(a, b, weights="quadratic", categories=[1, 2, 3, 4, 5])
    assert got.value == printed(".90")
    as_positions = assay.cohen_kappa(
        [str(x) for x in "abcdabcd"], list("abcdbadc"), weights="quadratic", order=list("abcd")
    )
    assert as_positions.value == printed(".80")


def test_decimals_in_a_table() -> None:
    got = assay.cohen_kappa(table=[[1.1, 1.2], [3.23, 4.78]])
    assert got.observed == printed("0.5703200776")
    assert got.expected == printed("0.5443172421")
    assert got.value == printed("0.0570634614")
    assert got.standard_error == printed(".283901")
    assert got.items == pytest.approx(10.31)
    flat = assay.brennan_prediger(table=[[1.1, 1.2], [3.23, 4.78]])
    assert flat.value == printed("0.1406402")


def test_five_equal_labels() -> None:
    a = [1] * 5
    for function in (assay.cohen_kappa, assay.scott_pi, assay.fleiss_kappa, assay.conger_kappa,
                     assay.krippendorff_alpha):  # fmt: skip
        got = function(a, a, categories=[1, 2])
        assert got.value is None
        assert got.undefined.code == "one_label_used"
    for function in (assay.gwet_ac, assay.brennan_prediger):
        got = function(a, a, categories=[1, 2])
        assert got.value == 1.0
        # No z of 1e15 and no zero width: the error is degenerate, and a bound is given.
        assert got.test().statistic is None
        assert got.test().undefined.code == "no_variance"
        assert got.interval().low < 0.8
        assert got.interval().high == 1.0
        assert "exact binomial" in got.interval().method
    assert assay.percent_agreement(a, a).value == 1.0
