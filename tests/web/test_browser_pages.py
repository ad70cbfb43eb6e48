"""Every page in a browser: for all eyes, hands, sizes and languages, and without a network."""

from __future__ import annotations

from importlib.resources import files
from urllib.parse import urlsplit

import pytest

from assay.web.lab import LABS
from assay.web.speech import LANGUAGES

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LAB_PATHS = [lab.path for lab in LABS.values()]
PATHS = ["/", *LAB_PATHS]
# Pages that are errors, and states that show other parts of a lab.
MORE = [
    "/nothing", "/lab/kappa?t=x", "/lab/kappa?t=0,0;0,0", "/lab/kappa?t=0,0;0,120&guess=ask",
    "/lab/kappa?t=20,30;30,20&puzzle=low-ceiling&q1=a&q2=b&q3=c&guess=0.5",
    "/lab/kappa?t=2,40,1;38,3,0;1,2,13&weights=custom&w=1,0.5,0;0.5,1,0.5;0,0.5,1",
]  # fmt: skip
# As much as a page can hold.
NINES, LONG = (
    ",".join(["999999999"] * 8),
    ",".join(f"{i}+a+very+long+name+of+a+label" for i in "01234567"),
)
MORE.append(f"/lab/kappa?t={';'.join([NINES] * 8)}&labels={LONG}&raters={LONG[:34]}a,b")

FOUND = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .map(one => `${one.id}: ${one.nodes.map(node => node.target.join(" ") + " | "
    + (node.any[0]?.message ?? node.all[0]?.message ?? "")).slice(0, 3).join("; ")}`)"""


def ok(page, path, statuses=(200,)):
    answer = page.goto(path)
    assert answer.status in statuses, path


@pytest.fixture
def quiet(opened):
    """A page where nothing is under way when it is looked at."""
    with opened(reduced_motion="reduce") as (page, errors):
        yield page
        assert [one for one in errors if "status of 40" not in one] == []


SIDEWAYS = """() => {
  const most = document.documentElement.clientWidth, page = document.documentElement.scrollWidth;
  const held = (one) => {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  if (page <= most) return [];
  return [`${page} > ${most}`, ...[...document.querySelectorAll("body *")]
    .filter(one => one.getBoundingClientRect().right > most + 1 && !held(one))
    .slice(0, 4).map(one => one.outerHTML.slice(0, 80))];
}"""


def looked_at(page, views):
    """What axe finds at some (width, scheme), and whether anything is wider than the window."""
    page.evaluate(AXE)
    for width, scheme in views:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(SIDEWAYS) == [], (page.url, width)
        assert page.evaluate(FOUND) == [], (page.url, width, scheme)
    # 200 % of a window with 640 pixels.
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(SIDEWAYS) == [], page.url


ALL = ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"))


@pytest.mark.parametrize("path", PATHS)
def test_for_all_eyes(quiet, path):
    """Axe finds nothing, and no page scrolls sideways: at a desk and on a phone, light and dark."""
    ok(quiet, f"{path}?lang=en")
    looked_at(quiet, ALL)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
@pytest.mark.parametrize("path", PATHS)
def test_for_all_eyes_in_other_languages(quiet, path, code):
    """Colours are those of the English page; widths and texts are not."""
    ok(quiet, f"{path}?lang={code}")
    looked_at(quiet, ((390, "light"),))


@pytest.mark.parametrize("path", MORE)
def test_for_all_eyes_in_other_states(quiet, path):
    ok(quiet, path, (200, 400, 404))
    looked_at(quiet, ((1280, "light"), (390, "dark")))


def test_for_all_eyes_in_a_list_of_pairs(quiet, tmp_path):
    file = tmp_path / "votes.csv"
    file.write_text("item,ana,bo,cy\n1,x,x,y\n2,y,x,y\n3,y,,y\n4,x,x,x\n")
    ok(quiet, "/lab/kappa")
    quiet.set_input_files("#file", file)
    quiet.click("#upload-form button")
    quiet.wait_for_url("**/open/*")
    looked_at(quiet, ALL)


@pytest.mark.parametrize("path", LAB_PATHS)
def test_large_letters_stay_on_the_page(quiet, path):
    """Twice as large, as people set them in their browser."""
    ok(quiet, path)
    quiet.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    assert quiet.evaluate(SIDEWAYS) == []


@pytest.mark.parametrize("path", LAB_PATHS)
def test_the_keyboard_reaches_everything(quiet, path):
    """Every control comes up by Tab, and shows that it does."""
    ok(quiet, path)
    quiet.evaluate(
        """() => {
          window.seen = new Set(); window.unseen = [];
          document.addEventListener("focusin", ({target}) => {
            window.seen.add(target);
            const outlined = (one) => one && getComputedStyle(one).outlineStyle !== "none";
            const shows = outlined(target) || outlined(target.closest(".cell"))
              || target.querySelector(".step");
            if (!shows) window.unseen.push(target.outerHTML.slice(0, 120));
          });
        }"""
    )
    missed = """() => [...document.querySelectorAll(
        "a[href], button, input, textarea, select, summary, [tabindex='0']")]
      .filter(one => one.checkVisibility() && one.type !== "hidden" && one.type !== "radio"
        && !one.disabled && one.tabIndex >= 0 && !window.seen.has(one))
      .map(one => one.outerHTML.slice(0, 120))"""
    total = len(quiet.evaluate(missed))
    assert total > 20
    for _ in range(total + 25):
        quiet.keyboard.press("Tab")
    assert quiet.evaluate(missed) == []
    assert quiet.evaluate("window.unseen") == []
    # The order is that of the page.
    assert quiet.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count() == 0


def first_button(page):
    """A button of the form that does something to the state."""
    return page.locator("button[name=do]:not([aria-disabled]):visible").first


@pytest.mark.parametrize("path", LAB_PATHS)
def test_a_button_changes_the_page_in_place(page, path):
    ok(page, path)
    page.evaluate("window.stayed = true")
    before = page.url
    target = first_button(page)
    name = target.get_attribute("id")
    assert name
    target.click()
    page.wait_for_function("before => location.href !== before", arg=before)
    assert page.evaluate("window.stayed === true")
    assert page.evaluate("document.activeElement.id") == name
    assert "do=" not in page.url
    assert "form=" not in page.url
    page.go_back()
    page.wait_for_function("before => location.href === before", arg=before)


@pytest.mark.parametrize("path", LAB_PATHS)
def test_a_button_works_without_scripts(plain, path):
    ok(plain, path)
    before = plain.url
    first_button(plain).click()
    plain.wait_for_url(lambda url: url != before)
    assert urlsplit(plain.url).path == path
    assert "do=" not in plain.url
    assert "form=" not in plain.url
    plain.reload()
    assert plain.locator("[data-figure]").count() > 0


@pytest.mark.parametrize("path", LAB_PATHS)
def test_a_link_to_an_example_works_in_place(page, path):
    ok(page, path)
    page.evaluate("window.stayed = true")
    links = page.locator("main nav.choices a[hx-get]:not([aria-current])")
    assert links.count() > 0
    target = links.first
    name, href = target.get_attribute("id"), target.get_attribute("href")
    target.click()
    page.wait_for_function("href => location.pathname + location.search === href", arg=href)
    assert page.evaluate("window.stayed === true")
    assert page.evaluate("document.activeElement.id") == name


@pytest.mark.parametrize("path", PATHS)
def test_without_motion_and_spoken(quiet, path):
    """Nothing moves; and a live region is there from the first, so that a change is spoken."""
    ok(quiet, path)
    moving = """() => [...document.querySelectorAll("*")].filter(one => {
      const style = getComputedStyle(one);
      return style.transitionDuration.split(",").some(t => parseFloat(t) > 0)
        || style.animationName !== "none";
    }).map(one => one.outerHTML.slice(0, 80))"""
    assert quiet.evaluate(moving) == []
    assert path == "/" or quiet.locator("[aria-live=polite]").count() > 0


@pytest.mark.parametrize("path", LAB_PATHS)
def test_on_paper(quiet, path):
    ok(quiet, path)
    # What is folded away on screen stays so.
    figures = quiet.locator("[data-figure]:visible")
    before = figures.count()
    assert before > 0
    quiet.emulate_media(media="print", color_scheme="dark")
    assert figures.count() == before
    assert quiet.locator("nav.labs").is_hidden()
    assert quiet.locator("h1").is_visible()
    # Black on white, whatever the screen was.
    style = "getComputedStyle(document.body)"
    assert quiet.evaluate(f"{style}.backgroundColor") == "rgb(255, 255, 255)"
    ink = quiet.evaluate(f"{style}.color").strip("rgb()").split(",")
    assert sum(map(int, ink)) < 200


@pytest.mark.parametrize("path", PATHS)
def test_without_a_network(opened, server, path):
    """Nothing is asked of any other machine, and nothing is missing."""
    ours, others = urlsplit(server).netloc, []
    with opened() as (page, errors):

        def only_ours(route):
            if urlsplit(route.request.url).netloc == ours:
                route.continue_()
            else:
                others.append(route.request.url)
                route.abort()

        page.route("**/*", only_ours)
        ok(page, path)
        page.wait_for_load_state("load")
        assert others == []
        assert errors == []


@pytest.mark.parametrize("path", PATHS)
def test_the_page_without_scripts_is_whole(plain, path):
    ok(plain, path)
    assert plain.locator("h1").is_visible()
    for form in plain.locator("form").all():
        assert form.locator("button:visible").count() > 0
