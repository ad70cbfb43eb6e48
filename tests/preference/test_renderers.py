"""What a report on comparisons shows, in each of its formats."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from rich.cells import cell_len

import assay
from assay.errors import UsageError
from assay.report.heds import TODO
from assay.report.prefer.methods import methods
from assay.report.prefer.rows import SHOWN
from assay.report.render import PREFERENCE_FORMATS, render
from preference import comparing

TWO = [
    {"left": a, "right": b, "winner": w, "item": i // 3, "rater": "uvw"[i % 3], "dimension": d}
    for d in ("fluency", "facts")
    for i, (a, b, w) in enumerate(
        [("new", "old", "left"), ("old", "new", "right"), ("new", "old", "tie"),
         ("old", "new", "left"), ("new", "old", "left"), ("old", "new", "right")] * 8
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    islands = [*comparing.dense(1, k=3), ("dog", "eel", "left", "x", "1"),
               ("eel", "dog", "left", "x", "2"), ("dog", "ant", "left", "x", "3")]  # fmt: skip
    rows = comparing.records(comparing.dense(2))
    many = [
        {"left": f"s{a}", "right": f"s{b}", "winner": w}
        for a in range(20)
        for b in range(20)
        if a != b
        for w in ("left", "tie")
    ]
    return {
        "two": assay.prefer(TWO, bootstrap=200),
        "groups": assay.prefer(TWO, by="dimension", bootstrap=200),
        "five": assay.prefer(rows, bootstrap=200, ties="davidson"),
        "islands": assay.prefer(comparing.records(islands), bootstrap=200),
        "many": assay.prefer(many, bootstrap=None),
        "ties": assay.prefer([("x", "y", "tie")] * 3, bootstrap=None, ties="rao-kupper"),
    }


NAMES = ("two", "groups", "five", "islands", "many", "ties")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", PREFERENCE_FORMATS)
@pytest.mark.parametrize("full", [False, True])
def test_every_format_holds_every_report(
    reports: dict[str, Any], name: str, kind: str, full: bool
) -> None:
    summary = reports[name].to_dict()
    text = render(summary, kind, width=80, full=full)
    assert text
    assert "None" not in text
    assert not re.search(r"\b(nan|inf)\b", text, re.IGNORECASE)
    assert render(json.loads(json.dumps(summary)), kind, width=80, full=full) == text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_text_fits_the_screen(reports: dict[str, Any], name: str, width: int) -> None:
    text = reports[name].to_text(width=width, full=True)
    assert max(map(cell_len, text.splitlines())) <= width


@pytest.mark.parametrize("name", ["two", "five", "islands"])
def test_the_common_case_is_one_screen(reports: dict[str, Any], name: str) -> None:
    assert len(reports[name].to_text(width=100).splitlines()) <= 50


def test_headlines(reports: dict[str, Any]) -> None:
    first, second = reports["two"].summary["headline"]
    assert first.startswith("new wins 66.7 %, ties 16.7 % and loses 16.7 % of 96 comparisons with")
    assert "alpha of the raters" in second
    assert "the left side wins" in second
    best = reports["five"].summary["strengths"][0]["system"]
    assert reports["five"].summary["headline"][0].startswith(f"{best} is the strongest of 5")
    assert "fall into 2 parts" in reports["islands"].summary["headline"][0]
    assert "all are ties" in reports["ties"].to_text()


def test_what_is_left_out_is_said(reports: dict[str, Any]) -> None:
    text = reports["many"].to_text(width=100)
    assert f"{20 - SHOWN} more: --full" in text
    assert len(re.findall(r"\n  s\d", text)) == SHOWN
    assert "more: --full" not in reports["many"].to_text(width=100, full=True)
    assert "5 more systems are not shown" in reports["many"].to_markdown()
    assert "; 190 pairs: --full" in text
    assert "190 pairs are not shown" in reports["many"].to_markdown()
    full = render(reports["many"].summary, "terminal", full=True, width=100)
    assert "--full" not in full
    few = reports["many"].summary | {"pairs_left_out": 3}
    for kind in ("terminal", "markdown", "html"):
        shown = " ".join(render(few, kind, full=True, width=100).split())
        assert "3 more pairs with the fewest comparisons are not listed." in shown


def test_other_ratings_say_how_many_are_not_shown(reports: dict[str, Any]) -> None:
    summary = reports["many"].to_dict()
    scores = [{"system": s["system"], "score": 1.0, "rank": 1} for s in summary["strengths"]]
    one: dict[str, Any] = {
        "method": "counting",
        "full_name": "Number of wins",
        "ties": "half",
        "settings": {},
    }
    one |= {"library": "evalica", "scores": scores, "differs": None, "undefined": None}
    text = render(summary | {"also": [one]}, "terminal", width=100)
    assert text.split("Other ratings")[1].count("5 more: --full") == 1


def test_equal_strengths_are_not_one_strongest() -> None:
    games = [("a", "b"), ("b", "c"), ("a", "c")]
    ties = [(*pair, "tie") for pair in games] * 4
    for bootstrap in (None, 100):
        first, _ = assay.prefer(ties, bootstrap=bootstrap).summary["headline"]
        assert first == "a, b and c are equally strong in 12 comparisons."
    rows = [("a", "b", "tie"), *((w, "c", who) for w in "ab" for who in ("left", "left", "right"))]
    first, _ = assay.prefer(rows, bootstrap=None).summary["headline"]
    assert first == ("a and b are equally strong, and the strongest of 3 systems in 7 comparisons.")
    first, _ = assay.prefer(rows * 2, bootstrap=100).summary["headline"]
    assert first.endswith(", not told apart from c.")


def test_verbs_and_separators_suit_their_counts(reports: dict[str, Any]) -> None:
    rows = [
        {"left": a, "right": b, "winner": "left" if a == "x" else "right", "item": "1"}
        for a, b in (("x", "y"), ("y", "x"))
    ]
    text = " ".join(assay.prefer(rows, bootstrap=None).to_text().split())
    assert "1 of 1 question keeps its answer (100.0 %); 0 go to the left both times" in text
    rows[1]["winner"] = "left"
    text = " ".join(assay.prefer(rows, bootstrap=None).to_text().split())
    assert "0 of 1 question keep their answer (0.0 %); 1 goes to the left both times" in text
    assert "0 are a tie one way" in text
    one = assay.prefer([("x", "y", "left"), ("x", "y", "tie")], bootstrap=None)
    assert "of 1 decided comparison [" in one.to_text()
    assert "of which 1 was a tie." in one.methods()
    summary = reports["five"].summary
    summary = summary | {"sign_test": summary["sign_test"] | {"tests": 1274}}
    assert "over 1,274 pairs" in methods(summary)


def test_islands_are_told(reports: dict[str, Any]) -> None:
    text = reports["islands"].to_text(width=100)
    assert "dog and eel" in text
    assert "warning: no one scale holds all systems" in text
    document = reports["islands"].summary
    assert sorted(map(len, document["components"])) == [2, 3]
    assert document["component_order"] == [{"above": 1, "below": 0}]


def test_latex_is_the_table_of_papers(reports: dict[str, Any]) -> None:
    lines = reports["groups"].to_latex().splitlines()
    rows = [line for line in lines if line.startswith(("fluency", "facts")) and "&" in line]
    assert rows[0].startswith("fluency: new vs. old & 66.7$^{*}$ & 16.7 & 16.7 & 48 & ")
    assert all(row.count("&") == 7 for row in rows)
    systems = reports["five"].to_latex()
    assert systems.count("\\\\") == 7  # a head, five systems, agreement
    assert "Agreement: $\\kappa$" in systems
    pairs = render(reports["five"].summary, "latex", full=True)
    assert pairs.count(" vs. ") == 10


def test_rows_of_latex_are_seen_from_one_system() -> None:
    rows = [{"left": "a", "right": "b", "winner": w, "dimension": d}
            for d, winners in (("one", "ABBB"), ("two", "AAAB")) for w in winners]  # fmt: skip
    report = assay.prefer(rows, by="dimension", bootstrap=None)
    first = {name: r.summary["pairs"][0]["systems"][0] for name, r in report.groups.items()}
    assert first == {"one": "b", "two": "a"}
    text = report.to_latex()
    assert "one: b vs. a & 75.0 & 0.0 & 25.0 & 4" in text
    assert "two: b vs. a & 25.0 & 0.0 & 75.0 & 4" in text


def test_csv_has_a_row_a_system_and_one_a_pair(reports: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(reports["five"].to_csv())))
    assert [r["kind"] for r in rows] == ["system"] * 5 + ["pair"] * 10
    assert sum(float(r["strength"]) for r in rows[:5]) == pytest.approx(1.0)
    by_name = {one["system"]: one for one in reports["five"].summary["systems"]}
    for row in rows[:5]:
        assert float(row["ties_half"]) == by_name[row["system"]]["ties_half"]["value"]
    grouped = list(csv.DictReader(io.StringIO(reports["groups"].to_csv())))
    assert {r["group"] for r in grouped} == {"fluency", "facts"}


def test_names_are_made_safe() -> None:
    rows = [("a\x1b[31m_&|", "b\n<i>", "left"), ("a\x1b[31m_&|", "b\n<i>", "right")]
    report = assay.prefer(rows, bootstrap=None)
    assert "\x1b" not in report.to_text()
    assert "\x1b" not in report.to_markdown()
    assert "<i>" not in report.to_markdown().replace("\\<i\\>", "")
    assert "\\_\\&\\textbar{}" in report.to_latex()


def test_warnings() -> None:
    def codes(rows: Any, **options: Any) -> set[str]:
        found = assay.prefer(rows, **({"bootstrap": None} | options)).summary["warnings"]
        return {one["code"] for one in found}

    left = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "right"), ("x", "y", "left")] * 20
    assert codes(left) >= {"position_bias"}
    assert "position_bias" not in codes([("x", "y", "left"), ("y", "x", "right")] * 30)
    arena = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "left")] * 20
    assert codes(arena) >= {"one_side_wins_all"}
    fixed = [("x", "y", "left"), ("x", "y", "left"), ("x", "y", "right")] * 40
    assert codes(fixed) == {"unbalanced_sides"}
    assert "shown both ways" in assay.prefer(fixed, bootstrap=None).to_text()
    few = [row | {"item": i % 4} for i, row in enumerate(comparing.records(comparing.dense(1)))]
    assert codes(few, bootstrap=100) >= {"few_units", "repeated_items"}
    rare = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "left")]
    assert "resamples_without_strengths" in codes(rare, bootstrap=100)


def test_unknown_formats_are_named(reports: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="html"):
        render(reports["two"].summary, "pdf")


def test_no_figure_is_cut(reports: dict[str, Any]) -> None:
    rows = [("a", "b", "left")] * 40 + [("b", "a", "right")]
    text = assay.prefer(rows, bootstrap=None).to_text(width=120)
    assert "100.0 % [91.4, 100.0]" in text
    assert "…" not in text


def test_the_note_on_p_is_where_p_is(reports: dict[str, Any]) -> None:
    systems = reports["five"].to_latex()
    assert "% p:" not in systems
    assert "% strengths:" in systems
    assert "% p:" in render(reports["five"].summary, "latex", full=True)
    assert "% p:" in reports["groups"].to_latex()


def test_methods_have_the_numbers_put_in(reports: dict[str, Any]) -> None:
    summary = reports["five"].summary
    text = reports["five"].methods()
    source = summary["source"]
    for said in (
        f"{source['comparisons']} comparisons", f"{source['ties']} were ties", "Davidson",
        "200 resamples", "Holm", "95 % interval", "Krippendorff's alpha",
    ):  # fmt: skip
        assert said in text, said
    assert "  " not in text
    assert reports["groups"].methods().startswith("fluency: 3 raters")
    assert "Strengths" not in reports["ties"].methods()
    assert "95 \\%" in reports["five"].to_latex()


def test_the_datasheet_has_what_the_comparisons_tell(reports: dict[str, Any]) -> None:
    made = [("x", "y", "left", "ana", 1), ("x", "y", "tie", "ana", 2), ("y", "x", "left", "bo", 1)]
    names = ("left", "right", "winner", "rater", "item")
    rows = [dict(zip(names, row, strict=True)) for row in (*made, made[0])]
    text = assay.prefer(rows, bootstrap=None).to_heds()
    for question, said in (
        ("Which systems were evaluated?", "2 systems: x, y"),
        ("How many outputs were evaluated?", "4 comparisons of two outputs, for 2 items"),
        ("How many evaluators took part?", "2 raters"),
        ("How much did each of them rate?", "1 to 3 comparisons a rater"),
        ("Did evaluators meet an output again?", "1 comparison repeats an earlier one"),
        ("Agreement of evaluators with themselves?", "the same answer to 100.0 % of 1 question"),
        ("Which scale or list of answers?", f"left, right or tie {TODO}"),
        ("Did an ethics committee approve the experiment?", TODO),
    ):
        assert f"- {question}\n  {said}" in text, question
    assert "### The comparison" in text
    groups = reports["groups"].to_heds()
    for name in reports["groups"].groups:
        assert f"### {name}" in groups
    without = assay.prefer([("x", "y", "left"), ("y", "x", "left")], bootstrap=None).to_heds()
    assert f"- How many evaluators took part?\n  {TODO}" in without
    assert "left or right; no tie was given" in without


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_whole(reports: dict[str, Any], name: str) -> None:
    page = reports[name].to_html()
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    assert "<script" not in page
    summary = reports[name].summary
    for part in summary.get("groups", [summary]):
        for row in part["strengths"]:
            assert row["strength"] is None or f"{row['strength']:.3f}" in page
        for row in part["systems"]:
            assert f"{100 * row['win_share']:.1f} %" in page
    assert "For a methods section" in page


def test_names_on_the_page_are_text() -> None:
    page = assay.prefer([("<b>x</b>", "y & z", "left")] * 3, bootstrap=None).to_html()
    assert "<b>x" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


class Tags(HTMLParser):
    """Whether every element that is opened is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
