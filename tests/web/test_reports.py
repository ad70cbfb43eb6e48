"""Reports as pages: of files that are sent, with links into the labs; and in files."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import httpx
import numpy as np
import pytest

import assay
from assay.report.spans.style import STYLE
from assay.web.app import make_app

EXAMPLES = Path(assay.__file__).parent / "examples"
ANSWERS = (EXAMPLES / "answers.csv").read_bytes()
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FOUND = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .map(one => `${one.id}: ${one.nodes.map(node => node.target.join(" ")).slice(0, 3)}`)"""
VIEWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def app():
    return make_app()


def sent(within, app, parts, **fields):
    """Send files (field, name, bytes); the page that the answer leads to."""
    given = [(field, (name, data)) for field, name, data in parts]
    answer = within(app, "/report", "POST", files=given, data=fields)
    assert answer.status_code == 303, answer.text
    return within(app, answer.headers["location"])


def test_a_file_of_ratings_becomes_the_report(within, app):
    page = sent(within, app, [("file", "answers.csv", ANSWERS)])
    assert page.status_code == 200
    summary = assay.agree(EXAMPLES / "answers.csv").to_dict()
    assert "<title>answers.csv – assay</title>" in page.text
    for text in summary["headline"]:
        assert text.replace("'", "&#x27;") in page.text
    for pair in summary["pairs"]:
        href = pair["lab"].replace("&", "&amp;")
        assert f'href="{href}"' in page.text
        assert within(app, pair["lab"]).status_code == 200
    assert "/tmp" not in page.text
    # The policy of the pages allows neither.
    assert "<style" not in page.text
    assert "style=" not in page.text
    assert '<link rel="stylesheet" href="/report.css">' in page.text


def test_its_style_sheet_is_that_of_a_file(within, app):
    answer = within(app, "/report.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.text == STYLE


def test_the_colours_are_those_of_the_labs():
    from assay.report.page_style import COLOURS

    css = (Path(assay.__file__).parent / "web" / "static" / "assay.css").read_text("utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    for theme, block in (("light", light), ("dark", dark)):
        known = dict(re.findall(r"--(\w+): (#\w+)", block))
        names = {"good": "same", "bad": "other"}
        assert {k: known[names.get(k, k)] for k in COLOURS[theme]} == COLOURS[theme]


def test_gold_and_prediction_become_the_report_with_each_sentence_in_its_lab(within, app):
    parts = [(side, f"{name}.conll", (EXAMPLES / f"{name}.conll").read_bytes())
             for side, name in (("gold", "gold"), ("pred", "tagger_a"))]  # fmt: skip
    page = sent(within, app, parts)
    links = re.findall(r'<a href="(/lab/bio[^"]*)">Sentence (\d+)', page.text)
    assert len(links) == page.text.count('<div class="sentence">') > 0
    for href, _ in links:
        lab = within(app, href.replace("&amp;", "&"))
        assert lab.status_code == 200
    assert "style=" not in page.text
    summary = assay.score_spans(EXAMPLES / "gold.conll", EXAMPLES / "tagger_a.conll").to_dict()
    assert [int(n) for _, n in links] == [
        one["sentence"] + 1 for one in summary["errors"]["sentences"][: len(links)]
    ]


@pytest.mark.parametrize(
    ("parts", "fields", "said"),
    [
        ([("file", "x.csv", b"")], {}, "A file is missing, or empty"),
        ([], {}, "A file is missing, or empty"),
        ([("file", "x.csv", b"item,a,b\n1,x,y\n")], {"scale": "interval"}, "labels"),
        ([("file", "x.csv", b"item,a,b\n1,x,y\n")], {"layout": "nonsense"}, "layout"),
        ([("gold", "g.conll", b"Ana\tQ-PER\n")], {}, "["),
    ],
)
def test_what_cannot_be_read_is_said_on_the_form(within, app, parts, fields, said):
    given = [(field, (name, data)) for field, name, data in parts] or {"none": (None, b"x")}
    answer = within(app, "/report", "POST", files=given, data=fields)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    (alert,) = re.findall(r'role="alert".*?</p>', answer.text, re.DOTALL)
    assert said in alert
    assert "/tmp" not in answer.text
    assert 'action="/report"' in answer.text


def test_an_order_of_labels_is_taken(within, app):
    data = b"item,a,b\n1,low,high\n2,mid,mid\n3,low,mid\n4,high,high\n"
    page = sent(
        within, app, [("file", "x.csv", data)], scale="ordinal", order="low, mid, high",
        layout="wide",
    )  # fmt: skip
    assert "ordinal scale" in page.text
    assert "low &lt; mid &lt; high" in page.text


def test_what_is_in_a_file_is_escaped(within, app):
    data = b"item,a,b\n1,<script>x</script>,b\n2,b,b\n3,<b>,<b>\n"
    page = sent(within, app, [("file", '<img src="x">.csv', data)])
    assert "<script>x" not in page.text
    assert "&lt;script&gt;x" in page.text
    assert "<img" not in page.text


def test_a_report_that_is_gone_says_so(within, app):
    answer = within(app, "/report/nothing")
    assert answer.status_code == 404
    assert "not kept any more" in answer.text


def looked_at(page):
    page.evaluate(AXE)
    for width, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (width, wide)
        assert page.evaluate(FOUND) == [], (width, scheme)


def test_the_pages_of_the_server_in_a_browser(page, tmp_path):
    """Sent by hand, read in light and dark, and followed into a lab."""
    path = tmp_path / "answers.csv"
    path.write_bytes(ANSWERS)
    page.goto("/report")
    looked_at(page)
    page.set_input_files("#file", path)
    page.get_by_role("button", name="Make the report").first.click()
    page.wait_for_url("**/report/*")
    looked_at(page)
    page.get_by_role("link", name="Open this pair in the kappa lab").first.click()
    page.wait_for_url("**/lab/kappa?*")
    assert page.locator('[data-figure="kappa"]').first.is_visible()


def test_spans_in_a_browser(page):
    page.goto("/report")
    page.set_input_files("#gold", EXAMPLES / "gold.conll")
    page.set_input_files("#pred", EXAMPLES / "tagger_a.conll")
    page.get_by_role("button", name="Make the report").nth(1).click()
    page.wait_for_url("**/report/*")
    looked_at(page)
    page.get_by_role("link", name="in the BIO lab").first.click()
    page.wait_for_url("**/lab/bio?*")


def crowd(raters, items=50):
    random = np.random.default_rng(raters)
    truth = random.integers(0, 4, items)
    wrong = random.random((items, raters)) < 0.3
    labels = np.where(wrong, random.integers(0, 4, (items, raters)), truth[:, None])
    return {f"rater {g + 1}": [f"label {k}" for k in labels[:, g]] for g in range(raters)}


@pytest.mark.parametrize("raters", [3, 12, 50])
def test_the_page_of_a_file_in_a_browser(browser, tmp_path, raters):
    path = tmp_path / "report.html"
    path.write_text(assay.agree(crowd(raters)).to_html(), encoding="utf-8")
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("console", lambda one: errors.extend([one.text] if one.type == "error" else []))
    page.on("request", lambda one: errors.extend([one.url] if one.url != path.as_uri() else []))
    page.goto(path.as_uri())
    looked_at(page)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("h1").is_visible()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    context.close()
    assert background == "rgb(255, 255, 255)"
    assert errors == []


def test_agree_serves_its_report():
    child = subprocess.Popen(
        [sys.executable, "-m", "assay", "agree", str(EXAMPLES / "answers.csv"), "--serve",
         "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        line = child.stdout.readline()
        address = line.split()[1]
        assert re.match(r"http://127\.0\.0\.1:\d+/report/\S+$", address), line
        with httpx.Client(trust_env=False) as client:
            answer = client.get(address)
        assert answer.status_code == 200
        assert "Krippendorff&#x27;s alpha is 0.548" in answer.text
    finally:
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=20)
    assert child.returncode == 0
    assert "Stopped." in said
