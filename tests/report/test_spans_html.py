"""The page on spans: well formed, self-contained, escaped, readable without colour or script."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from assay.report.render import render
from assay.report.spans.html import notebook
from assay.report.spans.marked import pairing, sentence
from assay.report.spans.svg import heat, whiskers
from report import span_summaries as summaries

KINDS = ("one", "several", "empty", "characters", "parity")
VOID = {"meta", "br", "wbr", "rect", "line", "circle"}


class Page(HTMLParser):
    """Checks that tags close in order, and gathers what is there."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def page(text):
    found = Page()
    found.feed(text)
    found.close()
    assert found.open == []
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("full", [False, True])
def test_the_page_is_whole_and_needs_nothing(kind, full):
    text = render(getattr(summaries, kind)(), "html", full=full)
    found = page(text)
    assert text.startswith("<!doctype html>")
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)
    names = {name for name, _ in found.attributes}
    assert not {name for name in names if name.startswith("on")} | ({"src", "href"} & names)
    assert "url(" not in text
    assert "@import" not in text
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(picture)


def test_what_comes_from_the_data_is_escaped():
    given = summaries.characters()
    evil = '"><script>alert(1)</script>'
    given["headline"] = [evil, evil]
    given["source"]["pred"] = given["source"]["gold"] = evil
    given["source"]["types"] = [evil]
    given["warnings"] = [{"code": "x", "message": evil}]
    given["errors"]["surface"][0] |= {"gold_text": evil, "gold_type": evil}
    given["errors"]["sentences"][0]["gold"][0][2] = evil
    given["errors"]["confusion"]["labels"][0] = evil
    given["matches"][3]["type"] = evil
    for text in (render(given, "html", full=True), notebook(given)):
        assert "script" not in page(text).tags
        assert not any(
            value and "alert" in value for n, value in page(text).attributes if n == "class"
        )


def test_the_numbers_of_the_charts_are_there_as_text():
    found = page(render(summaries.one(), "html"))
    text = " ".join(found.text)
    for said in ("74.1 [61.7, 86.4]", "8 FP", "8 FN", "PER is found best (74.1)", "(missed)"):
        assert said in text
    assert "Most frequent cause of errors: boundary (44.4 %)" in text
    assert found.tags.count("details") == 3


def test_a_type_without_a_value_says_so():
    chart = whiskers([("X", "0 in gold", {"f1": None, "interval": None})], "F1")
    assert "not defined" in chart
    assert "<circle" not in chart


def test_the_heat_map_has_a_number_in_every_cell_but_the_corner():
    counts = [[3, 1], [2, 0]]
    chart = heat(
        ["a long type's name", "(spurious)"], ["a long type's name", "(missed)"], counts, ""
    )
    assert chart.count("<rect") == 3
    assert chart.count('class="same"') == 1


def test_borders_follow_the_matching():
    gold = [[0, 3, "PER"], [6, 12, "ORG"], [15, 17, "LOC"]]
    pred = [[0, 3, "PER"], [6, 11, "ORG"], [11, 12, "LOC"], [15, 17, "LOC"]]
    assert pairing(gold, pred) == (
        ["solid", "dashed", "solid"],
        ["solid", "dashed", "dotted", "solid"],
    )
    assert pairing(list(reversed(gold)), pred)[0] == ["solid", "dashed", "solid"]
    assert pairing([], []) == ([], [])


def test_a_sentence_is_there_in_words_too():
    (first, *_) = summaries.one()["errors"]["sentences"]
    text = sentence(first, {"LOC": "c3"}, "token")
    assert "Gold: PER “Jonas” [0, 0], LOC “Sound of Vell” [3, 5]" in text
    assert "prediction: PER “Jonas” [0, 0], LOC “Sound of” [3, 4]" in text
    assert text.count(" dashed") >= 5


def test_nested_spans_lie_in_rows_and_long_sentences_are_cut():
    (first, _) = summaries.characters()["errors"]["sentences"]
    text = sentence(first, {}, "character")
    rows = {piece.count('class="m gold') for piece in text.split('class="u"')[1:]}
    assert rows == {2}
    long = first | {"tokens": ["x"] * 500, "gold": [[0, 400, "PER"]], "pred": []}
    assert "380 more tokens are not shown" in sentence(long, {}, "token")
