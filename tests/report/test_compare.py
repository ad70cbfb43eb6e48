"""What a comparison looks like: every format, the words, the exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.report.compare.words import paired_headline
from assay.report.render import COMPARISON_FORMATS, render

Record = dict[str, Any]


def records(seed: int, right: dict[str, float], items: range = range(60)) -> list[Record]:
    random = np.random.default_rng(seed)
    out = []
    for i in range(200):
        gold = "xyz"[int(random.integers(0, 3))]
        for rater, p in {"gold": 1.0, **right}.items():
            said = gold if random.random() < p else "xyz"[int(random.integers(0, 3))]
            row = {"item": f"i{i}", "rater": rater, "label": said, "kind": "abc"[i % 3]}
            if i in items:
                out.append({**row, "doc": f"d{i // 4}"})
    return out


def written(path: Path, rows: list[Record]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    two = {"a": 0.9, "b": 0.6}
    names = {"item": "item", "rater": "rater", "label": "label", "resamples": 200}
    return {
        "raters": assay.compare(records(1, two), reference="gold", margin=0.05, **names),
        "majority": assay.compare(records(2, {**two, "c": 0.8, "d": 0.5}), majority=True, **names),
        "rounds": assay.compare(
            records(3, two, range(50)), records(3, {"a": 0.7, "b": 0.5}, range(10, 60)),
            cluster="doc", raters=["a", "b"], names=("before", "after"), **names,
        ),
        "groups": assay.compare(records(4, two), by="kind", raters=["a", "b"], **names),
        "undefined": assay.compare(
            {"r": ["x"] * 5, "s": ["x"] * 5, "g": ["x"] * 5}, reference="g", resamples=100
        ),
    }  # fmt: skip


KINDS = ("raters", "majority", "rounds", "groups", "undefined")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", COMPARISON_FORMATS)
@pytest.mark.parametrize("full", [False, True])
def test_every_format(reports: dict[str, Any], kind: str, form: str, full: bool) -> None:
    summary = reports[kind].to_dict()
    before = json.dumps(summary)
    text = render(summary, form, full=full)
    assert text
    assert json.dumps(summary) == before
    assert not re.search(r"\b(nan|None|inf)\b", text)
    if form == "json":
        assert json.loads(text) == summary
    if form == "latex":
        assert text.count("{") == text.count("}")
        assert all(line.isascii() for line in text.splitlines() if not line.startswith("%"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [40, 60, 100])
def test_it_fits_the_screen(reports: dict[str, Any], kind: str, width: int) -> None:
    text = reports[kind].to_text(width=width, full=True)
    assert max(map(len, text.splitlines())) <= width


def test_csv_has_every_figure_unrounded(reports: dict[str, Any]) -> None:
    report = reports["raters"]
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    found = {row["name"]: row for row in rows}
    for name, d in report.pairs["a", "b"].items():
        row = found[name]
        if d.value is None:
            assert row["undefined_code"]
            continue
        assert float(row["difference"]) == d.value
        assert float(row["interval_low"]) == d.interval.low
        assert float(row["p_swap"]) == d.p_swap
        assert float(row["lower"]) == d.non_inferiority.lower
    groups = list(csv.DictReader(io.StringIO(reports["groups"].to_csv())))
    pooled = [r for r in groups if r["group"] == "(pooled)" and r["name"] == "cohen_kappa"]
    assert float(pooled[0]["value"]) == reports["groups"].strata["cohen_kappa"].pooled.value
    assert float(pooled[0]["df"]) == 2


def test_the_headline_says_who_and_how_sure(reports: dict[str, Any]) -> None:
    first, second, third = reports["raters"].summary["headline"]
    assert first.startswith("On 60 items, 'a' equals 'gold' in ")
    assert "exact McNemar, p" in first
    assert second.startswith("Cohen's kappa is ")
    assert "for 'b': a difference of +" in second
    assert third.startswith("'a' is less than 0.050 below 'b': the one-sided 95 % lower limit is +")
    (only,) = reports["rounds"].summary["headline"]
    assert only.startswith("On 40 shared items, Cohen's kappa is ")
    several = reports["majority"].summary
    apart = [c for c in several["comparisons"] if c["accuracy"]["p_adjusted"] < 0.05]
    assert apart
    assert several["headline"][0].startswith(f"{len(apart)} of 10 pairs of raters differ in how ")
    assert several["headline"][1].startswith("Most 'gold' (")
    test, pooled = reports["groups"].summary["headline"]
    assert "3 groups (χ² = " in test
    assert pooled.startswith("Pooled it is 0.")
    assert reports["undefined"].summary["headline"] == [
        "On 5 items, 'r' equals 'g' in 100.0 % and 's' in 100.0 % (exact McNemar, p = 1.000).",
        "No coefficient exists on both sides.",
    ]


def test_a_margin_that_is_not_shown(reports: dict[str, Any]) -> None:
    summary = reports["raters"].to_dict()
    changed = json.loads(json.dumps(summary))
    for d in changed["comparisons"][0]["differences"]:
        if d["non_inferiority"]:
            d["non_inferiority"]["holds"] = False
    assert "'a' is not shown to be less than 0.050 below 'b'" in paired_headline(changed)[2]


def test_rounds_say_what_they_share(reports: dict[str, Any]) -> None:
    (one,) = reports["rounds"].summary["comparisons"]
    assert (one["first"], one["second"], one["items"]) == ("before", "after", 40)
    assert one["first_only"]["count"] == one["second_only"]["count"] == 10
    assert (one["cluster"], one["clusters"]) == ("doc", 11)
    codes = {w["code"] for w in reports["rounds"].summary["warnings"]}
    assert "items_of_one_side" in codes
    kappa = next(d for d in one["differences"] if d["name"] == "cohen_kappa")
    assert kappa["interval"]["method"].startswith("paired bootstrap of 11 clusters (doc)")
    assert kappa["p_method"].startswith("sides exchanged at random cluster by cluster")


def test_several_pairs_are_corrected(reports: dict[str, Any]) -> None:
    found = reports["majority"].summary["comparisons"]
    p = [c["accuracy"]["p_value"] for c in found]
    adjusted = [c["accuracy"]["p_adjusted"] for c in found]
    assert all(a >= b for a, b in zip(adjusted, p, strict=True))
    assert min(adjusted) == pytest.approx(min(1.0, min(p) * len(p)))
    assert "no_majority" in {w["code"] for w in reports["majority"].summary["warnings"]}
    assert "p, Holm" in reports["majority"].to_text(width=100)


def test_a_named_reference_is_no_surprise(reports: dict[str, Any]) -> None:
    assert "counted as a rater" not in reports["raters"].to_text()


def test_groups_on_the_same_items_are_said() -> None:
    rows = [
        {"item": f"i{i}", "rater": r, "label": "xy"[(i + k) % 2], "aspect": a}
        for i in range(10) for a in "pq" for k, r in enumerate("rs")
    ]  # fmt: skip
    report = assay.compare(rows, by="aspect")
    warnings = {w["code"]: w["message"] for w in report.summary["warnings"]}
    assert "10 items are in more than one group" in warnings["groups_share_items"]


def test_rows_without_names_are_said() -> None:
    report = assay.compare(
        [["x", "y"], ["x", "x"], ["y", "y"]], [["x", "x"], ["x", "x"], ["y", "x"]]
    )
    assert "matched_by_row" in {w["code"] for w in report.summary["warnings"]}


def test_few_shared_items_are_said() -> None:
    rows = [(f"i{i}", r, "xy"[i % 2]) for i in range(10) for r in "rs"]
    report = assay.compare(rows, rows)
    assert "few_items" in {w["code"] for w in report.summary["warnings"]}


def test_every_key_of_the_document_is_documented(reports: dict[str, Any]) -> None:
    from test_docs import keys, page

    text = page("json.md")
    found = {key for report in reports.values() for key in keys(report.to_dict())}
    assert len(found) > 60
    assert {key for key in found if f"`{key}`" not in text} == set()


# On the command line.


def run(*words: Any) -> Any:
    return CliRunner().invoke(main, ["compare", *map(str, words)])


def test_two_files(tmp_path: Path) -> None:
    one = written(tmp_path / "one.csv", records(5, {"a": 0.9, "b": 0.8}))
    other = written(tmp_path / "two.csv", records(5, {"a": 0.6, "b": 0.6}))
    names = ("--item", "item", "--rater", "rater", "--label", "label")
    done = run(one, other, *names, "--raters", "a,b", "--json", "--seed", 4)
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert (document["kind"], document["of"], document["seed"]) == ("comparison", "rounds", 4)
    assert document["comparisons"][0]["first"] == "one.csv"
    library = assay.compare(one, other, item="item", rater="rater", label="label",
                            raters=["a", "b"], seed=4)  # fmt: skip
    assert document == library.to_dict()
    named = run(one, other, *names, "--raters", "a,b", "--names", "new,old")
    assert "new − old" in named.output


def test_raters_and_groups(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", records(6, {"a": 0.9, "b": 0.7, "c": 0.7}))
    names = ("--item", "item", "--rater", "rater", "--label", "label")
    done = run(path, *names, "--reference", "gold", "--raters", "a,b", "--margin", 0.1)
    assert done.exit_code == 0, done.output
    assert "Equal to the reference" in done.output
    assert "not inferior by 0.100: holds" in done.output
    out = tmp_path / "table.tex"
    assert run(path, *names, "--majority", "--raters", "a,b", "--out", out).exit_code == 0
    assert "\\toprule" in out.read_text()
    done = run(path, *names, "--by", "kind", "--raters", "a,b,c", "--interval", "jackknife",
               "--cluster", "doc", "--weights", "identity")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "One value in all groups" in done.output
    assert "jackknife over" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a.csv",), "one of two sources"),
        (("a.csv", "a.csv", "a.csv"), "one or two files"),
        (("a.csv", "--reference", "nobody"), "not known"),
        (("a.csv", "a.csv", "--names", "one"), "two names"),
        (("a.csv", "--by", "kind", "--cluster", "doc"), "cluster"),
        (("missing.csv", "--majority"), "missing.csv"),
    ],
)
def test_bad_use_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "a.csv", records(7, {"a": 0.9, "b": 0.7}))
    done = run(*words, "--item", "item", "--rater", "rater", "--label", "label")
    assert done.exit_code == 2
    assert message in done.output


def test_agree_takes_the_options_of_intervals(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", records(8, {"a": 0.9, "b": 0.7, "c": 0.7}))
    names = ["--item", "item", "--rater", "rater", "--label", "label", "--raters", "a,b,c"]

    def agree(*words: Any) -> Any:
        return CliRunner().invoke(main, ["agree", str(path), *names, *map(str, words)])

    done = agree("--interval", "bca", "--cluster", "doc", "--resamples", 300, "--seed", 2, "--json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert document["intervals"] == {
        "made_by": "bca", "resamples": 300, "seed": 2, "resample": "items", "cluster": "doc",
        "population": None, "raters_sampled": False, "p_values": "analytic",
    }  # fmt: skip
    method = document["coefficients"][0]["interval"]["method"]
    assert method == "bootstrap of 15 clusters (doc), BCa, 300 resamples, seed 2"
    assert "few_clusters" in {w["code"] for w in document["warnings"]}
    for words in (("--raters-sampled",), ("--population", 200), ("--interval", "jackknife"),
                  ("--interval", "bootstrap", "--resample", "items-raters")):  # fmt: skip
        done = agree(*words)
        assert done.exit_code == 0, done.output
    assert "p-values and intervals of pairs of raters: analytic" in " ".join(done.output.split())
    done = agree("--cluster", "doc")
    assert done.exit_code == 2
    assert "--interval" in done.output
    gate = agree("--interval", "bootstrap", "--bound", "lower", "--fail-under", "fleiss_kappa=0.99")
    assert gate.exit_code == 1
