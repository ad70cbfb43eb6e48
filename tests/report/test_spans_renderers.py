"""Every renderer of spans, on summaries written by hand."""

from __future__ import annotations

import copy
import csv
import io
import json
import re

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len

from assay.errors import UsageError
from assay.report.render import SPAN_FORMATS, render
from assay.report.spans.words import CAUSES, MODES, marked, short_names
from assay.spans.causes import CAUSES as FOUND_CAUSES
from assay.spans.match import MODES as MATCHED
from report import span_summaries as summaries

KINDS = ("one", "several", "empty", "characters", "parity")
NUMBER = re.compile(r"(?<![\w.])−?\d+\.\d(?![\w.])")


def summary(kind):
    return getattr(summaries, kind)()


def test_the_words_are_those_of_the_scorer():
    assert set(MODES) == set(MATCHED)
    assert set(CAUSES) == set(FOUND_CAUSES) - {"right"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", SPAN_FORMATS)
@pytest.mark.parametrize("full", [False, True])
def test_every_format_takes_every_summary_and_leaves_it_alone(kind, form, full):
    given = summary(kind)
    before = copy.deepcopy(given)
    text = render(given, form, width=80, full=full)
    assert text
    assert not text.endswith("\n")
    assert given == before
    if form != "json" and kind != "parity":
        assert not re.search(r"\b(None|nan|NaN|True|False)\b", text)


@pytest.mark.parametrize("kind", KINDS[:-1])
@pytest.mark.parametrize("width", [100, 80, 60, 40, 24])
@pytest.mark.parametrize("full", [False, True])
def test_terminal_stays_inside_its_width(kind, width, full):
    for line in render(summary(kind), width=width, full=full).split("\n"):
        assert cell_len(line) <= width, line
        assert line == line.rstrip()


@pytest.mark.parametrize("kind", ["one", "several"])
@pytest.mark.parametrize("full", [False, True])
def test_no_figure_is_lost_where_it_is_narrow(kind, full):
    wide = render(summary(kind), width=100, full=full)
    narrow = render(summary(kind), width=44, full=full)
    assert sorted(NUMBER.findall(wide)) == sorted(NUMBER.findall(narrow))


def test_the_common_case_has_the_finding_first_and_little_more_than_a_screen():
    lines = render(summaries.one(), width=100).split("\n")
    assert lines[0] == summaries.one()["headline"][0]
    assert len(lines) <= 64


def test_plain_text_has_no_escape_codes_and_no_boxes():
    for kind in KINDS:
        text = render(summary(kind), width=80, color=False, full=True)
        assert "\x1b" not in text
        assert not re.search("[─-╿]", text)


def test_colour_adds_codes_and_nothing_else():
    plain = render(summaries.several(), width=80, color=False)
    colored = render(summaries.several(), width=80, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
    codes = {c for m in re.findall(r"\x1b\[([0-9;]*)m", colored) for c in m.split(";")}
    assert codes <= {"0", "1", "2", "36", "33"}


def test_the_figures_of_the_terminal():
    text = render(summaries.one(), width=100)
    assert re.search(r"exact +55\.8 +58\.5 +57\.1 +\[44\.8, 69\.5\] +24 +19 +17", text)
    assert "tagger_a.conll against gold.conll" in text
    assert "BIO as detected; open: an illegal tag opens a span; 0/0 is 1" in text
    assert 'Illegal tags  0 in gold, 3 in the prediction; "discard" would drop 7 tokens' in text
    assert "The bridge at [(Old Mill) Lane] is open" in text
    assert "3× boundary: LOC [Old Mill Lane] → LOC (Old Mill)" in text
    assert "1 more pair under partial than the largest overlap first" in text
    assert "warning: 2 tokens differ" in text
    assert re.search(r"all +19 +17", text)


def test_optimal_modes_only_where_they_differ_or_all_is_asked_for():
    text = render(summaries.one(), width=100)
    assert "partial-optimal" in text
    assert "overlap-optimal" not in text
    assert "overlap-optimal" in render(summaries.one(), width=100, full=True)


def test_the_mode_asked_for_is_the_one_of_the_types():
    given = summaries.one() | {"mode": "partial"}
    assert "Types  partial" in render(given, width=100)
    given["mode"] = "overlap"
    text = render(given, width=100)
    assert "Types  exact" in text
    assert "Under overlap a type is not looked at" in text


def test_systems_are_ranked_and_told_apart():
    given = summaries.several()
    assert list(short_names(given).values()) == ["a/out.conll", "b/out.conll"]
    text = render(given, width=100)
    assert text.index("1  b/out.conll") < text.index("2  a/out.conll")
    assert re.search(r"a/out\.conll − b/out\.conll +−25\.5 +\[−40\.0, −10\.0\]", text)
    assert "errors differ most in sentences 10 (3 against 0)" in text
    assert "What follows is about a/out.conll against gold.conll." in text


def test_names_cannot_write_to_the_terminal():
    given = summaries.one()
    given["errors"]["surface"][0]["gold_text"] = "Old\x1b[2J\u202eLane"
    given["illegal_places"]["pred"][0]["after"] = "I-\x1b]0;x"
    given["source"]["pred"] = "a\x1b[31m.conll"
    text = render(given, width=100, full=True)
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("gold", "pred", "shown"),
    [
        ("b c", "b", "a [(b) c] d b"),
        ("b", "a b", "(a [b]) c d b"),
        ("b c", "b c", "a [(b c)] d b"),
        ("b c", None, "a [b c] d b"),
        ("b c", "c d", "a [b (c] d) b"),
    ],
)
def test_an_example_is_marked_where_its_spans_are(gold, pred, shown):
    words = ["a", "b", "c", "d", "b"]
    size = len(gold.split())
    example = {"left": "a", "text": gold, "right": " ".join(words[1 + size :])}
    given = {"gold_text": gold, "pred_text": pred}
    assert "".join(piece for piece, _ in marked(given, example)) == shown


def test_what_another_scorer_prints_is_not_touched():
    given = summaries.parity()
    text = render(given, width=40)
    shown = f"```text\n{given['parity']['text']}\n```"
    assert text.startswith(given["parity"]["text"] + "\n\n")
    assert "What differs\n  from assay's own figures" in render(given, width=36)
    assert "None: conlleval reads" in text
    given["parity"]["differences"] = []
    assert "Nothing differs from assay's own figures" in render(given, width=80)
    assert shown in render(given, "markdown")


def test_json_is_the_summary_unrounded():
    given = summaries.several()
    assert json.loads(render(given, "json")) == given


def test_csv_rows_read_back_unrounded():
    rows = list(csv.DictReader(io.StringIO(render(summaries.several(), "csv"), newline="")))
    assert {row["system"] for row in rows} == {"runs/a/out.conll", "runs/b/out.conll"}
    first = next(r for r in rows if (r["mode"], r["type"]) == ("exact", "micro"))
    assert float(first["f1"]) == 48 / (48 + 19 + 17)
    assert first["interval_method"] == summaries.METHOD
    undefined = list(csv.DictReader(io.StringIO(render(summaries.empty(), "csv"), newline="")))
    assert {row["f1"] for row in undefined} == {""}


def test_markdown_has_whole_tables():
    for kind in KINDS:
        text = render(summary(kind), "markdown", full=True)
        page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
        for table in re.findall(r"<table>(.*?)</table>", page, re.DOTALL):
            widths = {
                len(re.findall(r"<t[hd]", r)) for r in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
            }
            assert len(widths) == 1
        assert not re.search(r"^\|", re.sub("<[^>]+>", "", page), re.MULTILINE)
        assert "<b>" not in page


def test_latex_has_six_columns_in_every_row():
    for kind in KINDS:
        text = render(summary(kind), "latex", full=True)
        body = text.split("\\toprule")[1].split("\\bottomrule")[0]
        for line in body.strip().split("\n"):
            if line.endswith("\\\\"):
                assert len(re.findall(r"(?<!\\)&", line)) == 5, line
        assert "\\begin{tabular}{lrrrcr}" in text
    assert "b/out.conll & 91.2 & 75.6 & 82.7" in render(summaries.several(), "latex")
    assert "not defined" in render(summaries.empty(), "latex")


def test_a_format_that_spans_do_not_have_is_named():
    with pytest.raises(UsageError, match="did you mean 'html'"):
        render(summaries.one(), "htlm")
    with pytest.raises(UsageError, match="kind of summary"):
        render(summaries.one() | {"kind": "spam"})
