"""What a reader sees: terminal, Markdown, LaTeX, CSV, HTML, methods, datasheet, raw ratings."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from rich.cells import cell_len

import assay
from assay.report.evaluate.cells import grid, won
from assay.report.evaluate.figures import decimals
from evaluation.studies import study

ROWS = study(9, items=20)


@pytest.fixture(scope="module")
def report() -> assay.EvaluationReport:
    return assay.evaluate([*ROWS, *ROWS[:9]])


def cells(report: assay.EvaluationReport) -> dict[tuple[str, str], dict]:
    return {(r["system"], r["dimension"]): r for r in report.summary["systems"]}


def test_the_summary_is_plain_json(report: assay.EvaluationReport) -> None:
    assert json.loads(report.to_json()) == json.loads(json.dumps(report.to_dict()))


@pytest.mark.parametrize("width", [24, 60, 88, 100])
@pytest.mark.parametrize("full", [False, True])
def test_the_terminal_fits(report: assay.EvaluationReport, width: int, full: bool) -> None:
    text = report.to_text(width=width, full=full)
    assert max(map(cell_len, text.splitlines())) <= width


def test_the_finding_comes_first(report: assay.EvaluationReport) -> None:
    first, second = report.to_text(width=100).splitlines()[:2]
    assert first == "s2 has the best mean on both dimensions."
    assert second.startswith("3 systems, 20 items, 4 raters, ")
    assert "alpha" in second
    assert len(report.to_text(width=100).splitlines()) <= 40


def test_one_dimension_says_mean_interval_and_whom_it_beats() -> None:
    one = assay.evaluate([r for r in ROWS if r["dimension"] == "fluency"])
    rows = {r["system"]: r for r in one.summary["systems"]}
    top = rows["s2"]
    first = one.summary["headline"][0]
    limits = top["interval"]
    assert first.startswith(
        f"s2 has the highest mean fluency: {top['mean_macro']:.2f} (95 % interval "
        f"{limits['low']:.2f} to {limits['high']:.2f}); "
    )
    assert "Wilcoxon signed-rank, Holm, 0.05" in first


def test_every_mean_is_in_every_table(report: assay.EvaluationReport) -> None:
    texts = {
        "text": report.to_text(width=100),
        "markdown": report.to_markdown(),
        "latex": report.to_latex(),
        "html": report.to_html(),
    }
    for row in report.summary["systems"]:
        half = (row["interval"]["high"] - row["interval"]["low"]) / 2
        for name, text in texts.items():
            assert f"{row['mean_macro']:.2f}" in text, name
            assert f"{half:.2f}" in text, name


def test_latex_has_the_best_in_bold_and_agreement_last(report: assay.EvaluationReport) -> None:
    text = report.to_latex()
    lines = [line for line in text.splitlines() if line.endswith("\\\\")]
    best = {
        d: max((r for r in report.summary["systems"] if r["dimension"] == d),
               key=lambda r: r["mean_macro"])
        for d in ("fluency", "coverage")
    }  # fmt: skip
    for row in best.values():
        (line,) = [line for line in lines if line.startswith(f"{row['system']} ")]
        assert f"\\textbf{{{row['mean_macro']:.2f}}} $\\pm$" in line
    assert text.count("\\textbf") == 2
    assert lines[0] == "System & fluency & coverage \\\\"
    assert lines[-2].startswith("Krippendorff's $\\alpha$ & 0.")
    for line in lines:
        assert line.count("&") == 2
    assert "\\textsuperscript{a}" in text


def test_letters_are_those_of_the_summary(report: assay.EvaluationReport) -> None:
    systems, dimensions, table = grid(report.summary)
    for key, row in cells(report).items():
        assert table[key].letters == row["letters"]
        assert table[key].best == (row["rank"] == 1)
    assert systems[0] == "s2"
    assert dimensions == ["fluency", "coverage"]


def test_csv_is_unrounded(report: assay.EvaluationReport) -> None:
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert len(rows) == 6
    for row in rows:
        other = cells(report)[row["system"], row["dimension"]]
        assert float(row["mean_macro"]) == other["mean_macro"]
        assert float(row["interval_low"]) == other["interval"]["low"]
        assert float(row["z_micro"]) == other["z_micro"]


def test_csv_has_the_shares_of_labels() -> None:
    given = {"ours": ["ok", "ok", "bad"], "theirs": ["bad", "bad", "bad"]}
    found = [
        {"item": f"q{k}", "system": system, "dimension": "verdict", "rater": "r1", "value": value}
        for system, values in given.items()
        for k, value in enumerate(values)
    ]
    rows = list(csv.DictReader(io.StringIO(assay.evaluate(found).to_csv())))
    labels = [(row["system"], row["label"], row["count"], row["share"]) for row in rows]
    assert sorted(one for one in labels if one[1]) == [
        ("ours", "bad", "1", str(1 / 3)), ("ours", "ok", "2", str(2 / 3)),
        ("theirs", "bad", "3", "1.0"), ("theirs", "ok", "0", "0.0"),
    ]  # fmt: skip
    assert [row["ratings"] for row in rows if not row["label"]] == ["3", "3"]


class Tags(HTMLParser):
    """Whether every element that is opened is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_is_closed_and_escaped() -> None:
    rows = [r | {"system": f"<{r['system']}> & co"} for r in ROWS]
    page = assay.evaluate(rows).to_html()
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    assert "<s0> & co" in parser.texts
    assert "<s0>" not in page
    assert "<script" not in page


def test_hostile_names_are_harmless() -> None:
    rows = [r | {"system": f"{r['system']}|*\x1b[31m_x_\n$"} for r in ROWS]
    report = assay.evaluate(rows)
    assert "\x1b" not in report.to_text()
    assert "\x1b" not in report.to_latex()
    for line in report.to_markdown().splitlines():
        if line.startswith("| s"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 4


def test_methods_have_the_numbers_put_in(report: assay.EvaluationReport) -> None:
    text = report.methods()
    source = report.summary["source"]
    for said in (
        "4 raters rated 3 systems on 20 items",
        f"{source['ratings']} ratings in all",
        "values from 1 to 5",
        "(9 ratings)",
        "Holm",
        "Wilcoxon signed-rank test",
        "Student's t",
        "divisor n − 1",
        "95 %",
    ):
        assert said in text, said
    assert "  " not in text
    other = assay.evaluate(ROWS, test="permutation", correction="bonferroni", ddof=0).methods()
    assert "permutation test" in other
    assert "Bonferroni" in other
    assert "divisor n)" in other
    assert "more than once" not in other


def test_methods_are_in_markdown_and_latex(report: assay.EvaluationReport) -> None:
    assert "4 raters rated 3 systems" in report.to_markdown()
    # In LaTeX it is a paragraph, with its signs as LaTeX takes them.
    (text,) = [line for line in report.to_latex().splitlines() if line.startswith("4 raters")]
    assert "95 \\%" in text
    assert "n $-$ 1" in text


def test_the_datasheet_has_what_the_data_tell_and_marks_the_rest(
    report: assay.EvaluationReport,
) -> None:
    text = report.to_heds()
    for said in (
        "## 1. ", "## 2. ", "## 3. ", "## 4. ", "## 5. ", "### fluency", "### coverage",
        "3 systems: s0, s1, s2", "4 raters", "60 outputs: 20 items of 3 systems",
        "9 ratings repeat an earlier one",
    ):  # fmt: skip
        assert said in text, said
    assert text.count("**TO DO**") > 20
    assert report.methods() in text
    without = assay.evaluate([{k: v for k, v in r.items() if k != "rater"} for r in ROWS])
    assert "How many evaluators took part?\n  **TO DO**" in without.to_heds()


def test_raw_ratings_are_all_ratings_in_order() -> None:
    rows = [*ROWS, *ROWS[:9]]
    raw = list(csv.DictReader(io.StringIO(assay.evaluate(rows).to_raw())))
    key = ("item", "system", "dimension", "rater", "value")
    for name in ("fluency", "coverage"):
        ours = [tuple(r[k] for k in key) for r in raw if r["dimension"] == name]
        theirs = [tuple(str(r[k]) for k in key) for r in rows if r["dimension"] == name]
        assert ours == theirs
    assert [r["use"] for r in raw].count("repeat") == 9


def test_a_basis_of_wins_that_covers_little_is_not_shown() -> None:
    pair = {
        "wins": [
            {"basis": "ratings", "wins": 1, "ties": 0, "losses": 0},
            {"basis": "items", "wins": 2, "ties": 1, "losses": 0},
        ]
    }
    assert won([pair])[0]["basis"] == "items"
    pair["wins"][0]["wins"] = 3
    assert won([pair])[0]["basis"] == "ratings"


def test_many_dimensions_and_many_systems_still_print() -> None:
    rows = study(1, systems=12, dimensions=tuple("abcdef"), items=6)
    text = assay.evaluate(rows).to_text(width=80)
    assert max(map(cell_len, text.splitlines())) <= 80


def test_names_only_show_their_shares() -> None:
    rows = [r | {"value": "yes" if r["value"] > 3 else "no"} for r in ROWS]
    report = assay.evaluate(rows)
    text = report.to_text(width=100)
    assert "Shares: fluency" in text
    assert "not defined" in report.to_text() or "No dimension has means" in text
    for page in (text, report.to_markdown(), report.to_html()):
        for row in report.summary["systems"]:
            for one in row["shares"]:
                assert f"{100 * one['share']:.1f} %" in page
                assert f"{100 * one['share']:.1f}" in report.to_latex()
        assert "Means over items" not in page
        assert "all outputs" not in page
        assert "Krippendorff" in page
    assert report.to_latex().count("\\begin{tabular}{lrrr}") == 2
    for rater in report.summary["raters"]:
        assert f"{rater['ratings']}</td><td>" in report.to_html()
    assert "Raters: fluency" in report.to_text(full=True)
    report.to_heds()


def test_many_names_have_the_most_frequent_in_columns() -> None:
    words = [f"w{k}" for k in range(20) for _ in range(20 - k)]
    rows = [{"item": i, "system": "s", "value": word} for i, word in enumerate(words)]
    text = assay.evaluate(rows).to_markdown()
    assert "| w9 | 10 others |" in text
    assert f"| {100 * 55 / 210:.1f} % |" in text


def test_names_beside_numbers_have_tables_of_their_own() -> None:
    rows = [r | {"value": "yes" if r["value"] > 3 else "no"} if r["dimension"] == "coverage" else r
            for r in ROWS]  # fmt: skip
    report = assay.evaluate(rows)
    assert "| System | fluency |" in report.to_markdown()
    assert "coverage: shares of the ratings of each system" in report.to_markdown()
    assert "Shares: coverage" in report.to_text()


def test_metrics_and_raters_are_on_the_page() -> None:
    report = assay.evaluate([r | {"bleu": k % 7} for k, r in enumerate(ROWS)], metric="bleu")
    page = report.to_html()
    assert "Correlation of metrics" in page
    assert page.count("Kendall") == len(report.summary["metrics"]) / 3
    assert "Raters: fluency." in page


@pytest.mark.parametrize(("factor", "digits"), [(0.001, 5), (0.1, 3), (1, 2), (20, 1), (300, 0)])
def test_means_have_the_decimals_that_their_intervals_carry(factor: float, digits: int) -> None:
    rows = [r | {"value": factor * r["value"]} for r in study(4, gaps=0) if r["rater"] < "r2"]
    report = assay.evaluate(rows, scale="interval")
    row = report.summary["systems"][0]
    places = decimals(report.summary)
    assert places["fluency"] == digits
    half = (row["interval"]["high"] - row["interval"]["low"]) / 2
    # Two significant digits, for the system in the middle.
    assert 0.3 < half * 10 ** (digits - 1) < 30
    said = f"{row['mean_macro']:.{digits}f}"
    for text in (report.to_text(), report.to_markdown(), report.to_latex(), report.to_html()):
        assert said in text
    assert said in report.plot("means").svg


def test_six_dimensions_say_that_intervals_have_no_room() -> None:
    report = assay.evaluate(study(1, systems=3, dimensions=("alphabet", *"bcdef"), items=9))
    wide, narrow = report.to_text(width=100), report.to_text(width=72)
    assert ("±" in wide) == ("± half" in wide)
    assert "±" not in narrow
    assert "without room for 95 % intervals" in narrow


def test_a_name_that_begins_as_an_option_of_a_row_does_not_end_the_table() -> None:
    report = assay.evaluate([r | {"system": f"[{r['system']}]*"} for r in ROWS])
    rows = [line for line in report.to_latex().splitlines() if line.endswith("\\\\")]
    assert not [line for line in rows if line.startswith(("[", "*"))]
    assert any(line.startswith("{[}s2]{*} & ") for line in rows)


def test_the_empty_set_is_a_sign_of_latex() -> None:
    from assay.report.latex import escape

    assert escape("∅") == "$\\emptyset$"


def test_a_notebook_shows_tables(report: assay.EvaluationReport) -> None:
    assert report._repr_html_().count("<table>") == 1
