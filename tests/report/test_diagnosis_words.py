"""The sentences of the diagnosis: true where they are said, silent where there is nothing."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.report.diagnosis_words import CEILING
from assay.report.render import FORMATS, render
from strategies import matrices

NUMBER = r"(−?\d[\d,]*\.?\d*)"


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


def main_of(summary):
    by_name = {c["name"]: c for c in summary["coefficients"]}
    return by_name[summary["chosen"][0]] if summary["chosen"] else None


def holds(text, summary):
    """Whether a sentence says what the figures of the summary say; None if it is unknown."""
    found, main = summary["diagnosis"], main_of(summary)
    if got := re.match(
        rf"Chance leaves {NUMBER} points .* win {NUMBER} of them: .* is {NUMBER}\.", text
    ):
        left, won, value = map(number, got.groups())
        return (
            abs(left - 100 * (1 - main["expected"])) < 0.06
            and abs(won - 100 * (main["observed"] - main["expected"])) < 0.06
            and abs(value - main["value"]) < 0.0006
            and abs(won / left - value) < 0.002 + 0.2 / left
            and main["value"] >= 0
        )
    if got := re.match(rf"Raters agree {NUMBER} points less than .* of {NUMBER} points", text):
        less, left = map(number, got.groups())
        return (
            main["value"] < 0
            and abs(less - 100 * (main["expected"] - main["observed"])) < 0.06
            and abs(left - 100 * (1 - main["expected"])) < 0.06
        )
    if got := re.match(
        rf"Without '(.*)' Krippendorff's alpha would be {NUMBER} instead of {NUMBER} "
        rf"\(a rise of {NUMBER}, standard error {NUMBER}\)",
        text,
    ):
        part = found["without_rater"]
        (one,) = [r for r in part["raters"] if r["rater"] == got[1]]
        said = [number(x) for x in got.groups()[1:]]
        known = [one["value"], part["value"], one["rise"], one["standard_error"]]
        best = max(r["rise"] for r in part["raters"] if r["stands_out"])
        return (
            one["stands_out"] and one["rise"] == best and one["rise"] > one["standard_error"]
            and all(abs(a - b) < 0.0006 for a, b in zip(said, known, strict=True))
        )  # fmt: skip
    if got := re.match(
        rf"Of {NUMBER} pairs? of ratings that differ, {NUMBER} \({NUMBER} %\) (?:is|are) "
        rf"'(.*)' against '(.*)', .* {NUMBER} %\.",
        text,
    ):
        total, pairs, share, a, b, chance = got.groups()
        table = found["table"]
        i, j = sorted((table["labels"].index(a), table["labels"].index(b)), reverse=True)
        apart = sum(n for k, row in enumerate(table["pairs"]) for n in row[:k])
        return (
            number(total) == apart
            and number(pairs) == table["pairs"][i][j]
            and abs(number(share) - 100 * table["pairs"][i][j] / apart) < 0.06
            and number(share) > number(chance)
        )
    if got := re.search(rf"no kappa above {NUMBER} was possible", text):
        return (
            abs(number(got[1]) - main["maximum"]) < 0.0006
            and main["value"] <= main["maximum"] < CEILING
        )
    if got := re.match(
        rf"With '(.*)' and '(.*)' taken as one label it would be {NUMBER}\. .*changes the question",
        text,
    ):
        (one,) = [m for m in found["merging"]["merges"] if m["sharp"]]
        return one["labels"] == [got[1], got[2]] and one["gain"] >= 0.1
    if got := re.match(
        r"Two ratings of one item are (\S+) apart, and any two ratings (\S+) ", text
    ):
        alpha = {c["name"]: c for c in summary["coefficients"]}["krippendorff_alpha"]
        within, across = float(got[1]), float(got[2])
        return abs(1 - within**2 / across**2 - alpha["value"]) < 0.02
    return None


def checked(summary):
    for text in summary["diagnosis"]["why"]:
        assert holds(text, summary) is True, text
    json.dumps(summary, allow_nan=False)


@given(rows=matrices(items=(1, 12), raters=(2, 4)))
@settings(max_examples=60, deadline=None)
def test_no_sentence_contradicts_the_figures(rows):
    checked(assay.agree(rows, layout="wide", scale="nominal").to_dict())


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_nor_where_there_is_much_to_say(seed):
    rand = random.Random(seed)
    labels = "abcd"[: rand.randint(2, 4)]
    share = [rand.random() ** 3 + 0.02 for _ in labels]
    noise = [rand.random() ** 2 for _ in range(rand.randint(2, 5))]
    rows = []
    for _ in range(rand.randint(20, 150)):
        (truth,) = rand.choices(labels, share)
        rows.append(
            [
                rand.choice(labels)
                if rand.random() < p
                else truth
                if rand.random() > 0.02
                else None
                for p in noise
            ]
        )
    summary = assay.agree(rows, layout="wide").to_dict()
    checked(summary)
    for form in FORMATS:
        render(summary, form, full=True)


@given(st.lists(st.lists(st.floats(0.5, 9.5).map(lambda x: round(x, 2)), min_size=3, max_size=3),
                min_size=4, max_size=9))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_nor_on_measurements(rows):
    summary = assay.agree(rows, layout="wide", scale="interval").to_dict()
    if abs(main_of(summary)["value"] if main_of(summary) else 0) < 0.95:
        checked(summary)
    assert summary["diagnosis"]["merging"] is None
    assert summary["diagnosis"]["swapped"] == []


@pytest.mark.parametrize(
    "rows", [[["a", "a"], ["b", "b"]], [["a", "a"]], [["a", None], [None, "b"]]]
)
def test_nothing_is_said_where_there_is_nothing_to_say(rows):
    found = assay.agree(rows, layout="wide").to_dict()["diagnosis"]
    assert found["why"] == []
    assert found["look"] == []
    assert found["items"]["hardest"] == []


def said(summary, start):
    return [text for text in summary["diagnosis"]["why"] if text.startswith(start)]


def test_a_rater_who_guesses_is_named_and_sent_to_the_guideline():
    rand = random.Random(1)
    rows = []
    for _ in range(200):
        truth = rand.choice("abc")
        rows.append([truth, truth, rand.choice("abc"), truth])
    summary = assay.agree(
        dict(zip(["ana", "bo", "cy", "di"], zip(*rows, strict=True), strict=True))
    )
    found = summary.to_dict()
    assert len(said(found, "Without 'cy'")) == 1
    assert [one["code"] for one in found["diagnosis"]["look"]] == ["rater"]
    checked(found)


def test_swapped_labels_are_data_too():
    table = assay.Table([[2, 40], [50, 3]], labels=["no", "yes"], raters=["ana", "bo"])
    found = assay.agree(table).to_dict()["diagnosis"]
    (one,) = found["swapped"]
    assert one["raters"] == ["ana", "bo"]
    assert one["before"] < 0 < one["after"]
    assert {x["label"]: x["as"] for x in one["taken_as"]} == {"no": "yes", "yes": "no"}
    assert [one["code"] for one in found["look"]] == ["swapped"]


def test_two_labels_nobody_can_tell_apart_are_named_with_the_warning():
    rand = random.Random(2)
    rows = [
        [t if t == "c" else rand.choice("ab") for _ in range(3)]
        for t in rand.choices("aabbc", k=300)
    ]
    summary = assay.agree(rows, layout="wide").to_dict()
    (text,) = said(summary, "With 'a' and 'b'")
    assert "changes the question" in text
    assert said(summary, "Of ")
    assert "confused" in [one["code"] for one in summary["diagnosis"]["look"]]
    checked(summary)


def test_what_is_too_large_is_said_and_left_out():
    rows = [
        [f"l{(7 * i) % 60}", f"l{(7 * i + (i % 5 == 0)) % 60}", f"l{(7 * i) % 60}"]
        for i in range(90)
    ]
    found = assay.agree(rows, layout="wide").to_dict()["diagnosis"]
    assert {one["part"] for one in found["left_out"]} == {"confused", "swapped"}
    assert found["confused"] == []
    table = assay.agree(assay.Table([[3, 1], [1, 3]])).to_dict()["diagnosis"]
    assert [one["part"] for one in table["left_out"]] == ["hardest"]


def test_the_terminal_has_one_paragraph_and_full_has_the_figures():
    rand = random.Random(4)
    rows = [[t, t, rand.choice("abc")] for t in rand.choices("abc", k=80)]
    report = assay.agree(rows, layout="wide")
    short, full = report.to_text(width=90), report.to_text(width=90, full=True)
    assert short.count("Why: ") == 1
    for head in ("Most confused labels", "Without a rater", "Two labels as one", "Hardest items"):
        assert head not in short
        assert head in full
    for one in report.summary["diagnosis"]["items"]["hardest"]:
        assert re.search(rf"^  {re.escape(one['item'])} ", full, re.MULTILINE)
