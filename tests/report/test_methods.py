"""The paragraph for a methods section: the numbers of the summary, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

import assay
from assay.report.methods import methods_text, paragraphs
from assay.report.numbers import fixed, percent
from assay.report.render import render
from report import summaries
from strategies import matrices


def test_the_example_reads_as_a_paper_would():
    report = assay.agree(
        {"mai": ["a", "b", "b", None], "jo": ["a", "b", "a", "b"], "pri": ["a", "b", "b", "b"]}
    )
    text = methods_text(report.summary)
    assert text.startswith(
        "Three raters labelled 4 items (11 ratings, 1 missing) with 2 labels (a, b); "
        "Krippendorff's alpha (nominal metric) was "
    )
    assert text.endswith(f"Computed with assay {assay.__version__}.")


@given(rows=matrices(items=(1, 9), raters=(2, 4)))
@settings(max_examples=60, deadline=None)
def test_the_numbers_are_those_of_the_summary(rows):
    summary = assay.agree(rows, layout="wide").to_dict()
    text = methods_text(summary)
    assert "None" not in text
    by_name = {c["name"]: c for c in summary["coefficients"]}
    chosen = [by_name[name] for name in summary["chosen"]]
    if not chosen:
        assert "not defined" in text or "is defined" in text
        return
    lead = chosen[0]
    assert f"was {fixed(lead['value'], 3)}" in text or f"was {percent(lead['value'])}" in text
    if lead["interval"]:
        low, high = (lead["interval"][end] for end in ("low", "high"))
        shown = percent if lead["name"] == "percent_agreement" else lambda x: fixed(x, 3)
        assert f"CI {shown(low)} to {shown(high)}" in text
    assert re.search(rf"\b{summary['source']['items']} items?\b", text)
    for c in chosen:
        value = percent(c["value"]) if "agreement" in c["name"] else fixed(c["value"], 3)
        assert value in text


@pytest.mark.parametrize("kind", ["two", "three", "many", "undefined", "groups"])
def test_markdown_and_latex_hold_it(kind):
    summary = getattr(summaries, kind)()
    found = paragraphs(summary)
    assert len(found) == len(summary.get("groups") or [1])
    for text in found:
        start = text.split(";")[0].split("(")[0].split(": ")[-1]
        assert start in render(summary, "latex")
        assert start in render(summary, "markdown")


def test_latex_escapes_it():
    summary = assay.agree({"a": ["50 %", "x_y", "x_y"], "b": ["50 %", "x_y", "50 %"]}).to_dict()
    text = render(summary, "latex")
    (line,) = [one for one in text.split("\n") if one.startswith("Two raters")]
    assert r"50 \%" in line
    assert r"x\_y" in line
    assert not re.search(r"(?<!\\)[%_&#]", line)


def test_counts_have_no_raters_to_be_named():
    text = methods_text(assay.agree(assay.Counts([[2, 1], [0, 3], [1, 2]])).to_dict())
    assert text.startswith("3 items (9 ratings) were rated with 2 labels")
