"""The page on agreement: whole, self-contained, escaped, with every number that it promises."""

from __future__ import annotations

import copy
import re
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.report.addresses import LOCAL
from assay.report.charts_order import clustered
from assay.report.html import body
from assay.report.layout import brief
from assay.report.numbers import coefficient, count, percent
from assay.report.render import View, render
from assay.report.terminal_diagnosis import signed
from report import summaries

KINDS = ("two", "three", "many", "undefined", "groups")
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


def crowd(raters, items=60, q=3, seed=0):
    random = np.random.default_rng(seed)
    truth = random.integers(0, q, items)
    wrong = random.random((items, raters)) < 0.3
    labels = np.where(wrong, random.integers(0, q, (items, raters)), truth[:, None])
    return assay.agree(
        {f"rater {g + 1}": [f"label {k}" for k in labels[:, g]] for g in range(raters)}
    )


@pytest.fixture(scope="module")
def three():
    return crowd(3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("full", [False, True])
def test_the_page_is_whole_and_needs_nothing(kind, full):
    text = render(getattr(summaries, kind)(), "html", full=full)
    found = page(text)
    assert text.startswith("<!doctype html>")
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(found.tags)
    names = {name for name, _ in found.attributes}
    assert not {name for name in names if name.startswith("on")} | ({"src", "style"} & names)
    assert "url(" not in text
    assert "@import" not in text
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(picture)


@pytest.mark.parametrize("raters", [2, 3, 12, 50])
def test_every_picture_has_its_table_and_its_name(raters):
    text = crowd(raters).to_html()
    found = page(text)
    pictures = re.findall(r"<figure.*?</figure>(.{0,40})", text, re.DOTALL)
    assert len(pictures) >= 4
    assert all(after.startswith("<details><summary>As a table") for after in pictures)
    named = [value for name, value in found.attributes if name == "aria-label"]
    assert len(named) == text.count("<svg ")
    assert all(named)
    # The headings go down one step at a time.
    levels = [int(tag[1]) for tag in found.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_every_number_of_the_summary_is_there(three):
    summary, found = three.summary, page(three.to_html())
    text = " ".join(found.text)
    for c in summary["coefficients"]:
        if c["value"] is None:
            continue
        for key in ("value", "observed", "expected", "standard_error"):
            if c[key] is not None:
                assert coefficient(c[key]) in text
        for said in (c["full_name"], c["convention"], c["reference"], c["interval"]["method"]):
            assert said in text
    for row in summary["labels"]:
        assert {coefficient(row["specific_agreement"]), count(row["count"])} <= set(found.text)
    for row in summary["raters"]:
        for n in row["distribution"].values():
            assert percent(n / row["ratings"]) in found.text
    for pair in summary["pairs"]:
        assert coefficient(pair["cohen_kappa"]) in found.text
        for line in pair["confusion"]["counts"]:
            assert set(map(count, line)) <= set(found.text)
    diagnosis = summary["diagnosis"]
    for text_ in diagnosis["why"]:
        assert text_ in text
    for one in diagnosis["without_rater"]["raters"]:
        assert {coefficient(one["value"]), signed(one["rise"])} <= set(found.text)
    for one in diagnosis["merging"]["merges"]:
        assert coefficient(one["value"]) in found.text
    for one in diagnosis["items"]["hardest"]:
        assert one["item"] in found.text
    for one in diagnosis["items"]["distribution"]:
        assert count(one["items"]) in found.text
    for line in diagnosis["table"]["pairs"]:
        assert set(map(count, line)) <= set(found.text)


def test_labels_of_the_hardest_items_stand_side_by_side(three):
    text = three.to_html()
    rows = three.summary["diagnosis"]["items"]["hardest"]
    for one in rows:
        (line,) = re.findall(rf'<tr><th scope="row">{one["item"]}</th>(.*?)</tr>', text)
        cells = [(bool(odd), label) for odd, label in
                 re.findall(r'<td class="label( odd)?">(.*?)</td>', line)]  # fmt: skip
        given_ = [x["label"] for x in one["given"]]
        assert [label for _, label in cells] == given_
        usual = max(set(given_), key=given_.count)
        if given_.count(usual) > 1:
            assert [odd for odd, _ in cells] == [label != usual for label in given_]
        else:
            assert not any(odd for odd, _ in cells)


def test_what_comes_from_the_data_is_escaped():
    evil = '"><script>alert(1)</script>'
    report = assay.agree(
        {
            evil: [evil, "b", "c", "a", "a"],
            "x<y": ["a", "b", evil, "c", "a"],
            "&amp;": list("abcab"),
        }
    )
    summary = copy.deepcopy(report.summary)
    summary["source"]["name"] = evil
    summary["source"]["notes"] = [{"code": "x", "level": "info", "message": evil}]
    summary["warnings"] = [{"code": "x", "message": evil}]
    for text in (render(summary, "html", full=True), body(summary, View(served=True))):
        found = page(text)
        assert "script" not in found.tags
        assert any("alert(1)" in piece for piece in found.text)
        assert "&amp;" in found.text
        assert not any(
            value and "alert" in value for name, value in found.attributes if name == "class"
        )


def test_links_lead_to_the_labs_and_say_when(three):
    text = three.to_html()
    links = [value for name, value in page(text).attributes if name == "href"]
    paths = [pair["lab"] for pair in three.summary["pairs"]]
    assert links
    assert set(links) <= {LOCAL + path for path in paths}
    assert text.count("(while <code>assay serve</code> runs)") == len(links)
    served = body(three.summary, View(served=True))
    links = [value for name, value in page(served).attributes if name == "href"]
    assert set(links) == set(paths)
    assert "assay serve" not in served


def test_groups_stand_side_by_side_and_each_has_its_report():
    text = render(summaries.groups(), "html")
    found = page(text)
    names = [str(one["group"]) for one in summaries.groups()["groups"]]
    assert {brief(name) for name in names} <= set(found.text)
    assert text.count("The whole report</summary>") == len(names)


def test_a_matrix_of_many_shrinks_and_has_its_numbers_below():
    report = crowd(50, items=40)
    text = report.to_html()
    (matrix,) = re.findall(r'<svg[^>]*class="whole".*?</svg>', text, re.DOTALL)
    assert matrix.count("<rect") == 50 * 49
    table = text.split(matrix)[1].split("</table>")[0]
    kappas = {coefficient(pair["cohen_kappa"]) for pair in report.summary["pairs"]}
    assert kappas <= set(re.findall(r"<td>(.*?)</td>", table))


@given(st.integers(3, 9).flatmap(lambda n: st.lists(
    st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=n, max_size=n)))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_order_of_a_matrix_is_one_of_its_rows(rows):
    n = len(rows)
    distances = [[0 if i == j else rows[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]
    assert sorted(clustered(distances)) == list(range(n))


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_is_that_of_scipy(seed):
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    random = np.random.default_rng(seed)
    points = random.random((12, 3))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    order = clustered(distances.tolist())
    tree = linkage(squareform(distances, checks=False), "average")
    # Whatever the tree holds together stands together in the order.
    for k in range(2, 12):
        groups = fcluster(tree, k, "maxclust")[order]
        assert sum(a != b for a, b in pairwise(groups)) == len(set(groups)) - 1
