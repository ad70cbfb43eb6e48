"""The BIO lab on a phone: every line says which row is which, and every table fits."""

from __future__ import annotations

import pytest

from assay.web.lab import LABS
from assay.web.labs.bio.presets import PRESETS, first_state
from assay.web.labs.bio.puzzles import PUZZLES

LAB = LABS["bio"]
HARD = {
    "first": first_state(),
    "discard": PRESETS["illegal"].state().clicked("gold", 0),
    "puzzle": PUZZLES["nothing"].start,
}


@pytest.mark.parametrize("width", [390, 1280])
def test_each_line_of_tokens_names_both_rows(opened, width):
    with opened(width=width) as (page, errors):
        page.goto(LAB.address(first_state()))
        # For each line of tokens (by its top): the names that are seen left of all its tags.
        lines = page.evaluate("""() => {
          const lines = new Map();
          for (const li of document.querySelectorAll(".tokens li")) {
            const top = li.getBoundingClientRect().top;
            const line = lines.get(top) ?? { edge: 1e9, names: [] };
            lines.set(top, line);
            for (const tag of li.querySelectorAll(".tag"))
              line.edge = Math.min(line.edge, tag.getBoundingClientRect().left);
            for (const who of li.querySelectorAll(".who")) {
              const box = who.getBoundingClientRect();
              const tag = who.parentNode.querySelector(".tag").getBoundingClientRect();
              line.names.push([who.innerText.trim(), box.left >= 0 && box.right <= line.edge + 1,
                box.top < tag.bottom && box.bottom > tag.top, who.scrollWidth <= box.width + 1]);
            }
          }
          return [...lines.values()].map((line) => line.names);
        }""")
        assert len(lines) == (4 if width == 390 else 1)
        short = "pred." if width == 390 else "prediction"
        for names in lines:
            assert {name for name, *_ in names} == {"gold", short}
            assert all(all(rest) for _, *rest in names)
        assert errors == []


@pytest.mark.parametrize("code", ["en", "vi", "zh"])
@pytest.mark.parametrize("name", HARD)
def test_no_table_is_cut_off_on_a_phone(opened, name, code):
    with opened(width=390, height=844) as (page, errors):
        page.goto(LAB.address(HARD[name], lang=code))
        page.locator("#steps summary").click()
        tables = page.locator(".wide").evaluate_all(
            "all => all.map((one) => [one.clientWidth, one.scrollWidth])"
        )
        assert len(tables) >= 4
        assert all(seen >= whole for seen, whole in tables), tables
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert errors == []


def test_the_sign_of_unequal_tags_has_one_font(opened):
    with opened() as (page, _):
        page.goto(LAB.address(first_state()))
        fonts = page.locator(".hints .mark, .tokens .differs .mark").evaluate_all(
            "all => all.map((one) => getComputedStyle(one).fontFamily)"
        )
        assert len(fonts) == 2
        assert len(set(fonts)) == 1
