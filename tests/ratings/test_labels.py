"""The identity and order of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay import from_lists, read
from assay.errors import LabelError, UsageError
from ratings.helpers import codes, note, write


def wide(folder: Path, pairs: list[tuple[str, str]], **options: Any) -> Any:
    rows = "".join(f"t{k},{a},{b}\n" for k, (a, b) in enumerate(pairs))
    return read(write(folder, "item,x,y\n" + rows), **{"layout": "wide", **options})


def test_texts_that_look_missing_are_labels(tmp_path: Path) -> None:
    got = wide(tmp_path, [("NA", "None"), ("", "yes"), ("yes", "NA")])
    assert list(got.categories) == ["NA", "None", "yes"]
    assert note(got, "missing_lookalikes").level == "warning"
    assert "NA (2 cells)" in note(got, "missing_lookalikes").message
    assert note(got, "missing_cells").message.endswith(": 1")


@pytest.mark.parametrize("missing", ["NA,None", ("NA", "None"), ["None", "NA"]])
def test_declared_missing(tmp_path: Path, missing: Any) -> None:
    got = wide(tmp_path, [("NA", "None"), ("yes", "NA")], missing=missing)
    assert list(got.categories) == ["yes"]
    assert got.sizes == {0: 1, 1: 1}
    assert "NA (2 cells)" in note(got, "missing_lookalikes").message
    assert note(got, "items_without_ratings").message.endswith(": 1")
    assert note(got, "items_with_one_rating").message.endswith(": 1")


def test_missing_number() -> None:
    got = read([[1, 99], [2, 2]], missing=99)
    assert list(got.categories) == [1, 2]
    assert got.n_ratings == 3


def test_missing_that_does_not_occur() -> None:
    assert "missing_unused" in codes(read([["a", "b"]], missing="NA"))


def test_white_space_and_unicode_forms_merge(tmp_path: Path) -> None:
    got = wide(tmp_path, [("cafe\u0301", "caf\u00e9"), ("bar\u00a0", "bar"), (" bar", "bar")])
    assert list(got.categories) == ["bar", "caf\u00e9"]
    said = note(got, "labels_merged").message
    assert "'cafe\\u0301'" in said
    assert "'bar\\xa0'" in said
    assert "3 cells changed" in said


def test_trimmed_without_merging(tmp_path: Path) -> None:
    assert note(wide(tmp_path, [(" a", " a")]), "labels_trimmed").message.endswith("2 cells")


def test_case_is_kept_and_said(tmp_path: Path) -> None:
    got = wide(tmp_path, [("Yes", "yes"), ("no", "no")])
    assert list(got.categories) == ["Yes", "no", "yes"]
    assert note(got, "labels_differ_by_case").level == "warning"


def test_numbers_order_by_value(tmp_path: Path) -> None:
    got = wide(tmp_path, [("10", "2"), ("1", "2.0")])
    assert list(got.categories) == [1, 2, 10]
    assert note(got, "numbers_merged").message.endswith("2 = 2.0")
    assert got.scale is None


def test_decimals_are_interval(tmp_path: Path) -> None:
    got = wide(tmp_path, [("1.5", "2"), ("1", "2.0")])
    assert got.scale == "interval"
    assert "scale_from_decimals" in codes(got)


def test_leading_zeros_stay_texts(tmp_path: Path) -> None:
    got = wide(tmp_path, [("01", "1"), ("10", "02")])
    assert list(got.categories) == ["01", "1", "02", "10"]
    assert note(got, "leading_zeros").level == "warning"


def test_number_texts_among_texts(tmp_path: Path) -> None:
    got = wide(tmp_path, [("1", "10"), ("2", "x")])
    assert list(got.categories) == ["1", "2", "10", "x"]
    assert "x (1 cell)" in note(got, "numbers_and_texts").message


def test_long_digits_are_not_rounded_together(tmp_path: Path) -> None:
    got = wide(tmp_path, [("12345678901234567", "12345678901234568")])
    assert len(got.categories) == 2


def test_typed_labels_are_four() -> None:
    trap = [True, 1, 1.0, "1", "True"]
    got = from_lists(trap, trap)
    assert len(got.categories) == 4
    assert "mixed_label_types" in codes(got)


def test_booleans_in_several_spellings(tmp_path: Path) -> None:
    got = wide(tmp_path, [("TRUE", "true"), ("False", "false")])
    assert "relabel booleans" in note(got, "mixed_booleans").message
    assert "no_common_label" in codes(got)
    mapped = wide(tmp_path, [("TRUE", "true"), ("False", "false")], relabel="booleans")
    assert list(mapped.categories) == [False, True]
    assert "relabelled" in codes(mapped)
    assert "mixed_booleans" not in codes(mapped)


def test_one_spelling_of_booleans_is_quiet(tmp_path: Path) -> None:
    assert "mixed_booleans" not in codes(wide(tmp_path, [("TRUE", "FALSE")]))


def test_relabel_mapping(tmp_path: Path) -> None:
    got = wide(tmp_path, [("y", "yes"), ("n", "no")], relabel={"y": "yes", "n": "no", "m": "x"})
    assert list(got.categories) == ["no", "yes"]
    assert note(got, "relabel_unused").message.endswith("'m'")


def test_relabel_to_numbers(tmp_path: Path) -> None:
    got = wide(tmp_path, [("low", "high")], relabel={"low": 1, "high": 3}, scale="ratio")
    assert list(got.categories) == [1, 3]
    assert got.categories.numeric


def test_spreadsheet_dates(tmp_path: Path) -> None:
    got = wide(tmp_path, [("2-Jan", "1-2"), ("Jan-02", "1-2")])
    assert "2-Jan (1 cell)" in note(got, "spreadsheet_dates").message


def test_ordered_words_are_suggested(tmp_path: Path) -> None:
    got = wide(tmp_path, [("low", "high"), ("medium", "low")])
    assert "--order low,medium,high" in note(got, "ordered_words").message
    assert got.scale is None


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio", "circular"])
def test_texts_without_order_are_refused(tmp_path: Path, scale: str) -> None:
    with pytest.raises(LabelError, match="texts: high, low, medium") as caught:
        wide(tmp_path, [("low", "high"), ("medium", "low")], scale=scale)
    assert caught.value.code == "no_order"


def test_lookalike_among_numbers_is_hinted(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="--missing NA"):
        wide(tmp_path, [("1", "NA"), ("2", "3")], scale="ordinal")


@pytest.mark.parametrize("order", ["low,medium,high", ["low", "medium", "high"]])
def test_order(tmp_path: Path, order: Any) -> None:
    got = wide(tmp_path, [("low", "high")], scale="ordinal", order=order)
    assert list(got.categories) == ["low", "medium", "high"]
    assert got.categories.ordered
    assert got.categories.declared
    assert note(got, "categories_unused").message.endswith("medium")


def test_order_of_numbers_from_text(tmp_path: Path) -> None:
    got = wide(tmp_path, [("1", "3")], scale="ordinal", order="1,2,3")
    assert list(got.categories) == [1, 2, 3]


def test_order_against_the_numbers_uses_places() -> None:
    got = read([[1, 3], [3, 2]], scale="ordinal", order=[3, 1, 2])
    assert list(got.categories) == ["3", "1", "2"]
    assert note(got, "order_over_values").level == "warning"


def test_unknown_label_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(
        LabelError, match=r"'high'.*2 cells \(line 2, column y; line 3, column x"
    ) as e:
        wide(tmp_path, [("low", "high"), ("high", "low")], categories="low,medium")
    assert e.value.code == "unknown_label"


def test_declared_categories_are_kept(tmp_path: Path) -> None:
    got = wide(tmp_path, [("a", "b")], categories="b,a,c")
    assert list(got.categories) == ["b", "a", "c"]
    assert got.categories.declared
    assert not got.categories.ordered


def test_categories_that_look_missing(tmp_path: Path) -> None:
    got = wide(tmp_path, [("1", "NA"), ("2", "2")], categories="1,2,NA")
    assert list(got.categories) == ["1", "2", "NA"]


def test_ratio_refuses_negative_numbers() -> None:
    with pytest.raises(LabelError, match="-1 occurs"):
        read([[-1, 2], [3, 3]], scale="ratio")


def test_infinite_labels_are_refused() -> None:
    with pytest.raises(LabelError, match="infinite"):
        read([[float("inf"), 1.0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "ordnal"}, "did you mean 'ordinal'"),
        ({"order": "a,a"}, "listed twice"),
        ({"order": []}, "empty"),
        ({"scale": "circular", "period": -1}, "above 0"),
        ({"relabel": "bools"}, "did you mean 'booleans'"),
        ({"relabel": 3}, "relabel"),
        ({"order": "a,b", "categories": "a,c"}, "only in categories: c; only in order: b"),
        ({"duplicates": "mean"}, "duplicates"),
        ({"layout": "lang"}, "did you mean 'long'"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read([["a", "b"], ["b", "b"]], **options)


def test_circular_words_with_an_order() -> None:
    days = ["mon", "tue", "wed"]
    got = read([["mon", "wed"]], scale="circular", order=days, period=7)
    assert got.period == 7.0
    assert "positions_used" in codes(got)
