"""Rounding and verbal scales."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.report import bands, numbers


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (Fraction(-1, 10**9), "Poor"),
        (Fraction(0), "Slight"),
        (Fraction(1, 5), "Slight"),
        (Fraction(205, 1000), "Fair"),
        (Fraction(1, 5) + Fraction(1, 10**30), "Fair"),
        (Fraction(2, 5), "Fair"),
        (Fraction(3, 5), "Moderate"),
        (Fraction(4, 5), "Substantial"),
        (0.4, "Fair"),
        (0.8, "Substantial"),
        (0.8000001, "Almost perfect"),
        (1, "Almost perfect"),
    ],
)
def test_landis_koch_is_closed_at_the_mark_below(value, word):
    assert bands.band(value, "landis-koch") == word


@pytest.mark.parametrize(
    ("scale", "value", "word"),
    [
        ("fleiss", "0.75", "Fair to good"),
        ("fleiss", "0.4", "Fair to good"),
        ("fleiss", "0.3999", "Poor"),
        ("altman", "0.2", "Poor"),
        ("altman", "0.8", "Good"),
        ("cicchetti-sparrow", "0.4", "Fair"),
        ("cicchetti-sparrow", "0.595", "Fair"),
        ("cicchetti-sparrow", "0.75", "Excellent"),
        ("regier", "0.2", "Questionable"),
        ("regier", "0.199", "Unacceptable"),
        ("krippendorff", "0.667", "Tentative conclusions"),
        ("krippendorff", "0.6669", "Unreliable"),
        ("krippendorff", "0.8", "Reliable"),
    ],
)
def test_marks_of_the_other_scales(scale, value, word):
    assert bands.band(Fraction(value), scale) == word
    assert bands.band(float(value), scale) == word


def test_an_unknown_scale_is_named_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'landis-koch'"):
        bands.band(0.5, "landis")


def test_benchmark_of_gwets_example():
    """Gwet's AC1 of his four raters, .77544 with error .14295 (irrCAC prints these)."""
    got = bands.benchmark(0.77544, 0.14295, "landis-koch")
    want = (0.39674, 0.88336, 0.99542, 0.99997, 1, 1)
    assert got.cumulative == pytest.approx(want, abs=5e-6)
    assert got.band == "Moderate"
    assert bands.band(0.77544, "landis-koch") == "Substantial"


@given(
    st.floats(-1, 1),
    st.floats(0, 5, allow_subnormal=False),
    st.sampled_from(sorted(bands.SCALES)),
)
def test_benchmark_is_a_distribution(value, error, scale):
    got = bands.benchmark(value, error, scale)
    assert all(0 <= p <= 1 for p in got.probabilities)
    assert got.cumulative[-1] == pytest.approx(1)
    assert list(got.cumulative) == sorted(got.cumulative)
    assert got.band in got.words


def test_benchmark_without_error_is_the_band_itself():
    assert bands.benchmark(0.8, 0.0).band == "Substantial"


@given(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from(sorted(bands.SCALES)))
def test_a_higher_value_never_has_a_lower_band(a, b, scale):
    words = bands.SCALES[scale].words
    low, high = sorted((a, b))
    assert words.index(bands.band(low, scale)) >= words.index(bands.band(high, scale))


def test_no_negative_zero_and_the_right_minus():
    assert numbers.coefficient(-0.0004) == "0.000"
    assert numbers.coefficient(-0.0923) == "\N{MINUS SIGN}0.092"
    assert numbers.fixed(-0.0923, 3, "-") == "-0.092"


@given(st.floats(0, 1))
def test_a_p_value_is_never_printed_as_zero(p):
    assert numbers.p_value(p) not in (".000", "0.000")


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_two_different_numbers_are_told_apart(a, b):
    if a != b:
        x, y = numbers.apart(a, b)
        assert x != y


def test_every_coefficient_has_a_title_and_a_phrase():
    from assay.agreement.registry import COEFFICIENTS
    from assay.report.names import NAMES

    assert set(NAMES) == set(COEFFICIENTS)
