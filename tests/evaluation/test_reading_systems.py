"""Tables of ratings of systems: layouts that say the same, and what is refused or counted."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import assay
from assay.errors import AmbiguousLayout, InputError, LabelError, ReadingError, UsageError
from assay.evaluation.read import ALL, read_systems
from evaluation.studies import study, to_csv

ROWS = study(3)
KEY = ("item", "system", "rater")


def wide() -> list[dict]:
    """One row an item, system and rater; a column a dimension."""
    out: dict[tuple, dict] = {}
    for r in ROWS:
        key = tuple(r[k] for k in KEY)
        out.setdefault(key, dict(zip(KEY, key, strict=True)))[r["dimension"]] = r["value"]
    return [{**dict.fromkeys(("fluency", "coverage")), **row} for row in out.values()]


def side_by_side() -> list[dict]:
    """One row an item and rater; three systems in a row, in an order of their own."""
    out: dict[tuple, dict] = {}
    for r in ROWS:
        row = out.setdefault((r["item"], r["rater"]), {"doc": r["item"], "rater": r["rater"]})
        k = (int(r["system"][1]) + int(r["item"][1:])) % 3 + 1
        row[f"team{k}"] = r["system"]
        row[f"{r['dimension']}{k}"] = r["value"]
    names = [f"{n}{k}" for k in (1, 2, 3) for n in ("team", "fluency", "coverage")]
    return [{**dict.fromkeys(names), **row} for row in out.values()]


def values(report: assay.EvaluationReport) -> dict:
    return {
        (r["dimension"], r["system"]): (r["ratings"], round(r["mean_macro"], 12), r["z_macro"])
        for r in report.summary["systems"]
    }


def close(one: dict, other: dict) -> bool:
    return one.keys() == other.keys() and all(
        one[k] == pytest.approx(other[k], abs=1e-9) for k in one
    )


@pytest.fixture(scope="module")
def expected() -> dict:
    return values(assay.evaluate(ROWS))


def test_a_file_a_frame_and_columns(tmp_path: Path, expected: dict) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(to_csv(ROWS))
    frame = pd.DataFrame(ROWS)
    for source in (path, str(path), frame, frame.to_dict("list")):
        assert close(values(assay.evaluate(source)), expected)


def test_a_column_a_dimension(expected: dict) -> None:
    for value in ("fluency,coverage", ["fluency", "coverage"]):
        assert close(values(assay.evaluate(wide(), value=value)), expected)


def test_several_systems_in_a_row(tmp_path: Path, expected: dict) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(to_csv(side_by_side()))
    for source in (side_by_side(), path):
        got = assay.evaluate(
            source, item="doc", system="team{k}", value=["fluency{k}", "coverage{k}"]
        )
        assert close(values(got), expected)


def test_a_single_dimension_has_its_columns_name() -> None:
    got = read_systems(wide(), value="fluency")
    assert [d.name for d in got.dimensions] == ["fluency"]


def test_without_systems_there_is_one() -> None:
    rows = [{"item": r["item"] + r["system"], **{k: r[k] for k in ("rater", "value")}}
            for r in ROWS if r["dimension"] == "fluency"]  # fmt: skip
    got = read_systems(rows)
    assert got.system_names == (ALL,)
    assert not got.has_systems


def test_several_item_columns_make_one() -> None:
    rows = [r | {"doc": r["item"][:1], "part": r["item"][1:]} for r in ROWS]
    for r in rows:
        del r["item"]
    got = read_systems(rows, item=["doc", "part"])
    assert len(got.item_names) == 12


def test_order_of_rows_decides_only_what_is_first() -> None:
    ours = assay.evaluate(ROWS).summary["systems"]
    theirs = assay.evaluate(ROWS[::-1]).summary["systems"]
    key = ("system", "dimension", "mean_macro", "z_micro")
    assert sorted(
        tuple(r[k] if isinstance(r[k], str) else round(r[k], 9) for k in key) for r in ours
    ) == sorted(
        tuple(r[k] if isinstance(r[k], str) else round(r[k], 9) for k in key) for r in theirs
    )


def test_the_first_ratings_of_each_output() -> None:
    rows = [{k: v for k, v in r.items() if k != "rater"} for r in ROWS]
    seen: dict[tuple, int] = {}
    kept = []
    for r in rows:
        key = (r["item"], r["system"], r["dimension"])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 2:
            kept.append(r)
    got = assay.evaluate(rows, first=2)
    other = assay.evaluate(kept)
    for a, b in zip(got.summary["systems"], other.summary["systems"], strict=True):
        assert (a["ratings"], a["mean_macro"]) == (b["ratings"], b["mean_macro"])
    assert got.summary["source"]["cut"] == len(rows) - len(kept)
    assert "beyond_first" in {n["code"] for n in got.summary["source"]["notes"]}


def test_missing_values_are_counted(tmp_path: Path) -> None:
    rows = [dict(r) for r in ROWS]
    rows[0]["value"], rows[1]["value"] = "", "NA"
    path = tmp_path / "gaps.csv"
    path.write_text(to_csv(rows))
    summary = assay.evaluate(path, missing=["NA"]).summary
    assert summary["source"]["missing"] == 2
    assert summary["source"]["ratings"] == len(ROWS) - 2
    assert "missing_values" in {n["code"] for n in summary["source"]["notes"]}


def test_dimensions_of_numbers_and_of_names(tmp_path: Path) -> None:
    rows = [dict(r) for r in ROWS]
    for r in rows:
        if r["dimension"] == "coverage":
            r["value"] = "yes" if r["value"] > 2 else "no"
    path = tmp_path / "mixed.csv"
    path.write_text(to_csv(rows))
    report = assay.evaluate(path)
    scales = {d["dimension"]: d["scale"] for d in report.summary["dimensions"]}
    assert scales == {"fluency": "ordinal", "coverage": "nominal"}
    assert report.summary["systems"][0]["mean_macro"] is not None


def test_scales_are_chosen_and_said() -> None:
    rows = [r | {"value": r["value"] * 20} for r in ROWS]
    got = read_systems(rows)
    assert {d.scale for d in got.dimensions} == {"interval"}
    assert {r.code for r in got.remarks} >= {"scale_chosen"}
    assert {d.scale for d in read_systems(rows, scale="ratio").dimensions} == {"ratio"}


def test_an_empty_dimension_is_said() -> None:
    rows = [*wide()]
    for r in rows:
        r["style"] = None
    got = read_systems(rows, value=["fluency", "style"])
    assert [d.name for d in got.dimensions] == ["fluency"]
    assert "empty_dimension" in {r.code for r in got.remarks}


def test_places_with_neither_item_nor_value_are_counted() -> None:
    rows = [
        {"who": "a", "text1": "x", "score1": 1, "text2": None, "score2": None},
        {"who": "b", "text1": "y", "score1": 2, "text2": "x", "score2": 3},
    ]
    got = read_systems(rows, item="text{k}", value="score{k}", rater="who")
    assert got.dimensions[0].n == 3
    assert any(r.code == "empty_places" and r.message.endswith(": 1") for r in got.remarks)


@pytest.mark.parametrize(
    ("change", "kind", "match"),
    [
        ({"item": None}, ReadingError, "no item in record 0"),
        ({"rater": ""}, ReadingError, "no rater in record 0"),
        ({"system": None}, ReadingError, "no system in record 0"),
    ],
)
def test_a_rating_without_a_name_is_an_error(change: dict, kind: type, match: str) -> None:
    with pytest.raises(kind, match=match):
        read_systems([ROWS[0] | change, *ROWS[1:]])


@pytest.mark.parametrize(
    ("options", "kind", "match"),
    [
        ({"item": "itme"}, UsageError, "did you mean 'item'"),
        ({"value": "score{k}"}, UsageError, "score"),
        ({"value": "value", "item": "value"}, UsageError, "two parts"),
        ({"value": ["value", "rater"], "rater": "dimension", "dimension": "system"}, UsageError,
         "dimensions already"),
        ({"value": "v{k}{k}"}, UsageError, "once in a name"),
        ({"order": ["1", "2"]}, LabelError, "not among the declared"),
        ({"encoding": "utf-8"}, UsageError, "in memory"),
    ],
)  # fmt: skip
def test_what_is_refused(options: dict, kind: type, match: str) -> None:
    with pytest.raises(kind, match=match):
        read_systems(ROWS, **options)


def test_columns_that_are_not_found_or_several() -> None:
    with pytest.raises(ReadingError, match="no column of values"):
        read_systems([{"item": "a", "rater": "p", "wow": 1}])
    with pytest.raises(ReadingError, match="no column of items"):
        read_systems([{"rater": "p", "value": 1}])
    with pytest.raises(AmbiguousLayout, match="model and system"):
        read_systems([{"item": "a", "model": "x", "system": "y", "value": 1}])
    with pytest.raises(ReadingError, match="no column score2"):
        read_systems(
            [{"item": "a", "team1": "x", "team2": "y", "score1": 1}],
            system="team{k}", value="score{k}",
        )  # fmt: skip
    with pytest.raises(InputError):
        read_systems([])
    with pytest.raises(ReadingError, match="every value is missing"):
        read_systems([{"item": "a", "value": None}, {"item": "b", "value": None}])


def test_a_lone_value_far_from_the_others_is_said() -> None:
    rows = [r | {"value": r["value"] * 20} for r in study(1, dimensions=("fluency",))]
    assert "lone_value" not in {w["code"] for w in assay.evaluate(rows).summary["warnings"]}
    rows[3]["value"] = 1000
    (said,) = [w for w in assay.evaluate(rows).summary["warnings"] if w["code"] == "lone_value"]
    assert "the value 1000" in said["message"]


def test_lines_are_named_and_empty_rows_counted(tmp_path: Path) -> None:
    path = tmp_path / "holes.csv"
    path.write_text("item,system,rater,value\na,x,p,1\n,,,\n,x,q,2\n")
    with pytest.raises(ReadingError, match="not counting rows that are empty") as caught:
        read_systems(path)
    assert caught.value.code == "empty_item"
    path.write_text("item,system,rater,value\na,x,p,1\n,,,\na,x,q,2\n")
    got = read_systems(path)
    assert got.dimensions[0].n == 2
    assert any(r.code == "empty_rows" and r.message.endswith(": 1") for r in got.remarks)
    path.write_text("item,system,rater,value\na,x,p,1\n,x,q,2\n")
    with pytest.raises(ReadingError, match="line 3"):
        read_systems(path)


def test_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "comma.csv"
    path.write_text("item;system;rater;value;bleu\na;x;p;1,5;0,25\nb;x;p;2,5;0,5\n")
    report = assay.evaluate(path, metric="bleu")
    assert report.summary["systems"][0]["mean_macro"] == 2.0
    assert report.summary["metrics"][0]["used"] == 2


@pytest.mark.parametrize("points", [127, 128, 129, 32_767, 32_768])
def test_any_number_of_different_values(points: int) -> None:
    items = points // 2 + 1
    rows = [{"item": k % items, "rater": "ab"[k // items], "value": k + 0.5} for k in range(points)]
    (made,) = read_systems(rows).dimensions
    ratings = made.to_ratings()
    assert len(ratings.categories) == points
    assert ratings.n_ratings == points


def test_a_table_with_comparisons_says_where_they_go() -> None:
    rows = [
        {"item": 1, "system": "s", "rater": "a", "value": 3, "left": None, "right": None},
        {"item": 1, "system": None, "rater": "a", "value": "left", "left": "s", "right": "t"},
    ]
    with pytest.raises(ReadingError, match="comparisons to `assay prefer`"):
        read_systems(rows)
