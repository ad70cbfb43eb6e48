"""Cases from bug reports of other tools: what comes out, where a wrong number came out once.

The cases are read in place. Each file says how its ratings are laid out; the names of what is
expected say which coefficient, metric or weights are meant.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import AssayError, DuplicateRatings, LabelError

CASES = (
    "alpha-four-metrics-with-gaps",
    "alpha-one-label-left-after-dropping-singletons",
    "alpha-zero-with-a-single-dissent",
    "booleans-from-two-sources",
    "duplicate-item-rater-rows",
    "fleiss-standard-error",
    "fleiss-table-read-two-ways",
    "fleiss-unequal-raters-per-item",
    "icc-agreement-or-consistency",
    "kappa-both-raters-one-label",
    "kappa-never-equal-is-not-minus-one",
    "kappa-one-constant-rater",
    "kappa-pairs-with-missing",
    "kappa-small-integer-tables",
    "kendall-w-with-ties",
    "labels-that-collide-when-hashed",
    "labels-that-look-missing",
    "missing-taken-as-a-label",
    "ratio-weights-at-zero",
    "same-looking-labels",
    "semicolon-decimal-comma-bom-utf16",
    "single-unit-many-raters",
    "spearman-ties-and-constant-judge",
    "weighted-kappa-text-scale",
    "weighted-kappa-unused-middle",
)


@pytest.fixture
def case(shared: Path) -> Callable[[str], dict[str, Any]]:
    def read(name: str) -> dict[str, Any]:
        found = json.loads((shared / "cases" / "reports" / f"{name}.json").read_text("utf-8"))
        return dict(found)

    return read


def ratings(given: dict[str, Any], **options: Any) -> Any:
    """Ratings of a case's input, by its layout."""
    if "raters" in given and isinstance(given["raters"], dict):
        return assay.read(given["raters"], **options)
    layout = given.get("layout")
    rows: list[list[Any]] = given.get("ratings") or given.get("scores") or []
    if "counts" in given:
        return assay.Counts(given["counts"], categories=given.get("categories"))
    if layout == "matrix_raters_by_items":
        return assay.from_lists(*rows, **options)
    return assay.from_lists(*zip(*rows, strict=True), **options)


METRICS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = ("linear", "quadratic", "ratio")
FUNCTIONS = {
    "krippendorff_alpha": assay.krippendorff_alpha,
    "alpha": assay.krippendorff_alpha,
    "percent_agreement": assay.percent_agreement,
    "cohen_kappa": assay.cohen_kappa,
    "unweighted": assay.cohen_kappa,
    "scott_pi": assay.scott_pi,
    "fleiss_kappa": assay.fleiss_kappa,
    "conger_kappa": assay.conger_kappa,
    "gwet_ac1": assay.gwet_ac,
    "gwet_ac2": assay.gwet_ac,
    "brennan_prediger": assay.brennan_prediger,
    "kendall_w": assay.kendall_w,
    "kendall_tau_b": assay.kendall_tau,
    "spearman": assay.spearman,
}


def coefficient(name: str, data: Any) -> assay.Estimate | None:
    """The estimate that a key such as alpha_ratio or krippendorff_alpha_nominal names."""
    if name in FUNCTIONS:
        return FUNCTIONS[name](data)
    for weights in ("linear", "quadratic"):
        if name == weights:
            return assay.cohen_kappa(data, weights=weights)
    stem, _, last = name.rpartition("_")
    if stem in ("alpha", "krippendorff_alpha") and last in METRICS:
        return assay.krippendorff_alpha(data, metric=last)
    if stem in ("gwet_ac2", "brennan_prediger") and last in WEIGHTS:
        return FUNCTIONS[stem](data, weights=last)
    return None


def check(got: assay.Estimate, expected: Any) -> None:
    """A value, a fraction, or undefined."""
    if not isinstance(expected, dict):
        assert got.value == pytest.approx(expected, rel=0, abs=1e-12)
    elif expected.get("undefined"):
        assert got.value is None
        assert got.undefined is not None
        assert len(got.undefined.reason) > 20
    else:
        assert got.value == pytest.approx(expected["value"], rel=0, abs=1e-14)
        if "fraction" in expected and got.exact is not None:
            assert got.exact == Fraction(expected["fraction"])


def check_all(expected: dict[str, Any], data: Any) -> list[str]:
    """Every key that names a coefficient; the names that were checked."""
    done = []
    for name, value in expected.items():
        got = coefficient(name, data)
        if got is not None:
            check(got, value)
            done.append(name)
        elif name == "pairable_values":
            assert assay.krippendorff_alpha(data).ratings == value
    return done


def test_every_case_of_agreement_is_here(shared: Path) -> None:
    others = ("bradley-terry", "brat", "conll", "iob", "judge", "label-studio", "no-gold",
              "offsets", "one-gold", "prodigy", "span-", "tags", "two-pred", "win-rate",
              "wrong-boundary")  # fmt: skip
    found = {path.stem for path in (shared / "cases" / "reports").glob("*.json")}
    assert {name for name in found if not name.startswith(others)} == set(CASES)


PLAIN = [
    ("alpha-four-metrics-with-gaps", 4),
    ("alpha-one-label-left-after-dropping-singletons", 1),
    ("labels-that-collide-when-hashed", 3),
    ("missing-taken-as-a-label", 1),
    ("ratio-weights-at-zero", 3),
]


@pytest.mark.parametrize(("name", "checks"), PLAIN)
def test_plain(case: Callable[[str], Any], name: str, checks: int) -> None:
    found = case(name)
    assert len(check_all(found["expected"], ratings(found["input"]))) == checks


LISTED = [
    ("alpha-zero-with-a-single-dissent", ("first", "second")),
    ("kendall-w-with-ties", ("four_raters", "two_raters")),
    ("single-unit-many-raters", None),
]


@pytest.mark.parametrize(("name", "keys"), LISTED)
def test_lists_of_cases(
    case: Callable[[str], Any], name: str, keys: tuple[str, ...] | None
) -> None:
    found = case(name)
    given = found["input"]
    for index, one in enumerate(given["cases"]):
        key = keys[index] if keys else one["id"]
        data = ratings({"layout": given.get("layout"), **one})
        assert check_all(found["expected"][key], data), key


def test_what_remains_on_pairable_items(case: Callable[[str], Any]) -> None:
    found = case("alpha-one-label-left-after-dropping-singletons")
    data, expected = ratings(found["input"]), found["expected"]
    percent = assay.percent_agreement(data)
    assert percent.value == expected["percent_agreement_on_pairable_items"]
    alpha = assay.krippendorff_alpha(data)
    assert (alpha.items, alpha.ratings) == (
        expected["pairable_items"],
        expected["pairable_values"],
    )
    assert len(data.categories) == expected["labels_seen"]


def test_booleans(case: Callable[[str], Any]) -> None:
    found = case("booleans-from-two-sources")
    lists, expected = found["input"]["raters"], found["expected"]
    mapped = assay.read(lists, relabel="booleans")
    check(assay.cohen_kappa(mapped), expected["cohen_kappa_mapped"])
    unmapped = assay.read(lists)
    assert "no_common_label" in {note.code for note in unmapped.reading.notes}
    trap = found["input"]["trap_labels"]
    one = assay.read([("i", f"r{k}", label) for k, label in enumerate(trap)])
    assert len(one.categories) == expected["distinct_labels_in_trap_list"]["value"]


def test_duplicate_rows(case: Callable[[str], Any]) -> None:
    found = case("duplicate-item-rater-rows")
    rows = [tuple(row) for row in found["input"]["rows"]]
    expected = found["expected"]
    with pytest.raises(DuplicateRatings) as caught:
        assay.read(rows)
    as_lists = [[i, r, list(labels)] for i, r, labels in caught.value.conflicting]
    assert as_lists == expected["conflicting"]
    assert [[i, r, list(x)] for i, r, x in caught.value.identical] == expected["identical"]
    check(assay.cohen_kappa(assay.read(rows[:-3])), expected["cohen_kappa_without_the_last_3_rows"])
    for policy in ("first", "last"):
        got = assay.cohen_kappa(assay.read(rows, duplicates=policy))
        check(got, expected[f"if_policy_{policy}"])


def test_fleiss_errors(case: Callable[[str], Any]) -> None:
    found = case("fleiss-standard-error")
    expected = found["expected"]
    got = assay.fleiss_kappa(ratings(found["input"]))
    check(got, expected["fleiss_kappa"])
    null = got.tests[1]
    assert null.standard_error == pytest.approx(expected["se_null_fleiss_nee_landis"], abs=1e-12)
    assert null.statistic == pytest.approx(expected["z"], abs=1e-10)
    assert got.standard_error == pytest.approx(expected["se_gwet"], abs=1e-10)


def test_counts_or_labels(case: Callable[[str], Any]) -> None:
    found = case("fleiss-table-read-two-ways")
    tables, expected = found["input"]["tables"], found["expected"]
    for table, value in zip(tables, expected["as_counts"], strict=True):
        check(assay.fleiss_kappa(counts=table), value)
    raw = assay.fleiss_kappa(assay.read(tables[0], layout="wide"))
    check(raw, expected["as_raw_labels_first_table"])


def test_unequal_numbers_of_raters(case: Callable[[str], Any]) -> None:
    found = case("fleiss-unequal-raters-per-item")
    data, expected = ratings(found["input"]), found["expected"]
    check(assay.krippendorff_alpha(data), expected["krippendorff_alpha"])
    assert len(check_all(expected["estimator_gwet"], data)) == 4
    for key, name in (
        ("estimator_pooled", "pooled"),
        ("estimator_pair_weighted", "pair-weighted"),
        ("estimator_fleiss1981", "fleiss1981"),
    ):
        got = assay.fleiss_kappa(data, estimator=name)
        check(got, expected[key]["fleiss_kappa"])
    source = assay.agree(data).summary["source"]
    assert source["items"] == expected["items_with_two_or_more"] + expected["items_with_one"]
    assert source["items_with_one_rating"] == expected["items_with_one"]
    assert source["items_without_ratings"] == expected["items_empty"]


def test_icc_names(case: Callable[[str], Any]) -> None:
    found = case("icc-agreement-or-consistency")
    for one in found["input"]["cases"]:
        for title, value in found["expected"][one["id"]].items():
            form = title.lower().replace("(", "_").replace(",", "_").rstrip(")")
            form = form.replace("icc_1_1", "icc_1")
            got = assay.icc(ratings(one), form=form)
            assert got.value == pytest.approx(value, abs=1e-12)
            assert got.full_name.startswith(title)


def test_one_label(case: Callable[[str], Any]) -> None:
    found = case("kappa-both-raters-one-label")
    given, expected = found["input"], found["expected"]
    seen = assay.read(given["raters"])
    declared = assay.read(given["raters"], categories=given["declared_labels"])
    for data, key in ((declared, "with_declared_labels"), (seen, "with_seen_labels_only")):
        assert len(check_all(expected, data)) == 6
        assert len(check_all(expected[key], data)) == 2


def test_never_equal(case: Callable[[str], Any]) -> None:
    found = case("kappa-never-equal-is-not-minus-one")
    data = ratings(found["input"], categories=found["input"]["scale"])
    assert len(check_all(found["expected"], data)) == 3


def test_constant_rater(case: Callable[[str], Any]) -> None:
    found = case("kappa-one-constant-rater")
    data, expected = ratings(found["input"]), found["expected"]
    assert len(check_all(expected, data)) == 5
    skew = assay.skew(data)
    assert skew.pabak == Fraction(expected["pabak"]["fraction"])
    assert skew.maximum == expected["cohen_kappa_max"]["value"]
    test = assay.cohen_kappa(data).test(0.0)
    assert (test.statistic, test.p_value) == (None, None)
    assert test.undefined is not None
    assert "judge" in test.undefined.reason


def test_missing_pairs(case: Callable[[str], Any]) -> None:
    found = case("kappa-pairs-with-missing")
    data, expected = ratings(found["input"]), found["expected"]
    kappa = assay.cohen_kappa(data)
    check(kappa, expected["cohen_kappa_complete_pairs"])
    assert kappa.items == expected["items_used_complete_pairs"]
    assert "both" in kappa.convention
    check(assay.conger_kappa(data), expected["cohen_kappa_available_margins_gwet"])
    check(assay.krippendorff_alpha(data), expected["krippendorff_alpha_nominal"])


def test_small_integer_types(case: Callable[[str], Any]) -> None:
    found = case("kappa-small-integer-tables")
    for one in found["input"]["tables"]:
        table = assay.Table(np.array(one["counts"], dtype=one["dtype"]))
        assert check_all(found["expected"][one["dtype"]], table)


def test_labels_that_look_missing(case: Callable[[str], Any], tmp_path: Path) -> None:
    found = case("labels-that-look-missing")
    expected = found["expected"]
    path = tmp_path / "labels.csv"
    path.write_text(found["input"]["content"], "utf-8")
    data = assay.read(path)
    kappa = assay.cohen_kappa(data)
    check(kappa, expected["cohen_kappa"])
    assert kappa.items == expected["items_used"]
    assert sorted(data.categories.texts) == sorted(expected["labels"])
    assert any("NA" in note.message for note in data.reading.notes)
    dropped = assay.read(path, missing=["NA", "None", "null", "n/a", "nan"])
    check(assay.cohen_kappa(dropped), expected["kappa_after_default_pandas"])


def test_labels_that_look_the_same(case: Callable[[str], Any]) -> None:
    found = case("same-looking-labels")
    data, expected = ratings(found["input"]), found["expected"]["normalised"]
    assert len(data.categories) == expected["labels"]
    assert len(check_all(expected, data)) == 2
    assert any(note.level == "warning" or "merged" in note.message for note in data.reading.notes)


def test_encodings(case: Callable[[str], Any], tmp_path: Path) -> None:
    found = case("semicolon-decimal-comma-bom-utf16")
    expected = found["expected"]
    for number, content in enumerate(found["input"]["files_base64"].values()):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(base64.b64decode(content))
        data = assay.read(path)
        assert data.n_ratings == expected["rows"]
        check(assay.krippendorff_alpha(data, metric="interval"), expected["alpha_interval"])


def test_ties_and_a_constant_judge(case: Callable[[str], Any]) -> None:
    found = case("spearman-ties-and-constant-judge")
    expected = found["expected"]
    pairs = found["input"]["pairs_judge_human"]
    for (a, b), value in zip(pairs, expected["spearman"], strict=True):
        check(assay.spearman(a, b), value)
    check(assay.pearson(*pairs[-1]), expected["pearson_last"])


def test_order_of_words(case: Callable[[str], Any]) -> None:
    found = case("weighted-kappa-text-scale")
    given, expected = found["input"], found["expected"]
    assert len(check_all(expected, assay.read(given["raters"], order=given["label_order"]))) == 3
    for weights in ("linear", "quadratic"):
        with pytest.raises(LabelError) as caught:
            assay.cohen_kappa(assay.read(given["raters"]), weights=weights)
        assert caught.value.code == "no_order"


def test_unused_middle(case: Callable[[str], Any]) -> None:
    found = case("weighted-kappa-unused-middle")
    given, expected = found["input"], found["expected"]
    data = ratings(given, categories=given["scale"])
    for weights in ("linear", "quadratic"):
        got = assay.cohen_kappa(data, weights=weights)
        check(got, expected[f"{weights}_scale_1_4"])
    assert len(check_all(expected, data)) == 2


def test_negative_values_have_no_ratio(case: Callable[[str], Any]) -> None:
    lists = case("ratio-weights-at-zero")["input"]["raters"]
    lists = {name: [-x for x in values] for name, values in lists.items()}
    for call in (
        lambda: assay.krippendorff_alpha(lists, metric="ratio"),
        lambda: assay.gwet_ac(lists, weights="ratio"),
    ):
        with pytest.raises(AssayError, match="0 and above"):
            call()
