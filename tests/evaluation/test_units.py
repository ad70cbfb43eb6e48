"""The unit of values is a matter of writing: nothing between systems or raters depends on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.evaluation.flips import whole
from assay.evaluation.paired import paired_tests
from assay.evaluation.wins import wins

UNITS = (3e-99, 1e-90, 1e-12, 1e-10, 1e-9, 1e-3, 0.1, 1e6, 1e12, 1e90, 1e99)


def rows(unit: float, *, offset: float = 0.0) -> list[dict[str, Any]]:
    """Twenty items of two systems by three raters; some means are equal."""
    rng = np.random.default_rng(3)
    return [
        {
            "item": f"i{i}",
            "system": f"s{s}",
            "rater": f"r{r}",
            "value": (offset + float(np.clip(round(3 + 0.6 * s + rng.normal()), 1, 5))) * unit,
            "metric": (10 * s + i + r * 0.0) * unit,
        }
        for i in range(20)
        for s in range(2)
        for r in range(3)
    ]


def study(unit: float) -> dict[str, Any]:
    report = assay.evaluate(rows(unit), scale="interval", metric="metric", mixed=True, level=0.9)
    return report.summary


def near(one: float | None, other: float | None) -> bool:
    return one == other or one == pytest.approx(other, rel=1e-6, abs=1e-9)


ONE = study(1.0)


@pytest.mark.parametrize("unit", UNITS)
def test_tests_and_effects_do_not_depend_on_the_unit(unit: float) -> None:
    got, there = study(unit)["comparisons"][0], ONE["comparisons"][0]
    for name, test in there["tests"].items():
        assert got["tests"][name]["p_value"] == pytest.approx(test["p_value"], rel=1e-6)
        assert got["tests"][name]["method"] == test["method"]
    assert got["effects"] == pytest.approx(there["effects"], rel=1e-6)
    assert got["wins"] == there["wins"]
    assert got["mean_difference"] == pytest.approx(there["mean_difference"] * unit)


@pytest.mark.parametrize("unit", UNITS)
def test_coefficients_do_not_depend_on_the_unit(unit: float) -> None:
    got = study(unit)
    one, other = got["one_way"][0], ONE["one_way"][0]
    assert one["value"] == pytest.approx(other["value"], rel=1e-6)
    assert one["interval"]["low"] == pytest.approx(other["interval"]["low"])
    for mine, its in zip(
        got["agreement"][0]["coefficients"], ONE["agreement"][0]["coefficients"], strict=True
    ):
        assert near(mine["value"], its["value"]), mine["id"]
        assert (mine["interval"] is None) == (its["interval"] is None)
        if its["interval"] is not None:
            assert mine["interval"]["low"] == pytest.approx(its["interval"]["low"], rel=1e-6)
    for mine, its in zip(got["raters"], ONE["raters"], strict=True):
        assert mine["correlation"] == pytest.approx(its["correlation"], rel=1e-6)
    for mine, its in zip(got["metrics"], ONE["metrics"], strict=True):
        assert near(mine["value"], its["value"])
    model, its = got["mixed"][0], ONE["mixed"][0]
    assert model["differences"][0]["statistic"] == pytest.approx(its["differences"][0]["statistic"])


def test_ratings_of_an_output_that_never_differ_in_any_unit() -> None:
    for unit in (1e-12, 1.0 / 3.0, 1e12):
        data = [
            {"item": i, "system": "s", "rater": r, "value": (i + 1) * unit}
            for i in range(5)
            for r in "abc"
        ]
        got = assay.evaluate(data, scale="interval").summary["one_way"][0]
        assert got["value"] == 1.0


@pytest.mark.parametrize("unit", [0.1, 0.001, 1e-11, np.pi])
def test_means_that_are_equal_everywhere_are_no_differences(unit: float) -> None:
    """Only rounding is left: it must not become differences in a unit of its own."""
    given = {"a": (1, 2, 6), "b": (2, 3, 4), "c": (6, 1, 2)}
    data = [
        {"item": i, "system": s, "rater": r, "value": (i + v) * unit}
        for i in range(8)
        for s, values in given.items()
        for r, v in enumerate(values)
    ]
    for pair in assay.evaluate(data, scale="interval").summary["comparisons"]:
        assert pair["tests"]["wilcoxon"]["undefined"]["code"] == "no_variance"
        assert pair["wins"][1]["ties"] == 8


def test_unrelated_values_added_in_another_order_are_ties() -> None:
    rng = np.random.default_rng(0)
    data = []
    for i in range(10):
        values = rng.normal(size=3)
        for s, order in (("a", (0, 1, 2)), ("b", (2, 0, 1)), ("c", (1, 2, 0))):
            for r in range(3):
                value = float(values[order[r]])
                data.append({"item": i, "system": s, "rater": r, "value": value})
    for pair in assay.evaluate(data, scale="interval").summary["comparisons"]:
        assert pair["tests"]["sign"]["undefined"]["code"] == "no_variance"


def test_random_choices_of_signs_are_those_of_another_unit() -> None:
    d = np.random.default_rng(1).normal(0.3, 1, 40)
    for unit in (1e-30, 1e-7, 3.0, 1e20):
        got, its = paired_tests(d * unit)["permutation"], paired_tests(d)["permutation"]
        assert got.p_value == its.p_value
        assert "random" in got.method


def test_differences_in_steps() -> None:
    d = np.array([7 / 3, -13 / 3, 11 / 3, 0.0])
    for unit in (1.0, 0.001, 1e-20, 7e15):
        assert whole(np.round(d / 4, 9) * 4 * unit).tolist() == [7, -13, 11, 0]  # type: ignore[union-attr]
    assert whole(np.array([1.0, np.pi, np.sqrt(2.0)])) is None
    assert whole(np.zeros(2)).tolist() == [0, 0]  # type: ignore[union-attr]


def test_wins_of_large_numbers() -> None:
    thirds = np.array([[0.1 + 0.2, 0.3], [1.0, 2.0]])
    assert wins("items", thirds * 1e9, 0, 1).ties == 1
    assert wins("items", thirds * 1e-12, 0, 1).losses == 1


@pytest.mark.parametrize("unit", [1e-310, 1e-200, 1e120, 1e300])
def test_numbers_whose_squares_no_float_holds_are_refused(unit: float) -> None:
    with pytest.raises(InputError, match="largest value is") as caught:
        assay.evaluate(rows(unit), scale="interval", mixed=True)
    assert caught.value.code == "out_of_range"
    report = assay.evaluate(rows(unit), scale="nominal")
    assert report.summary["systems"][0]["shares"]
    zeros = [{**row, "value": 0.0} for row in rows(1.0)]
    assert assay.evaluate(zeros).summary["systems"][0]["mean_macro"] == 0.0
