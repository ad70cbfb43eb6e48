"""The pages of many raters, ordered labels, how many items: as programs and browsers get them."""

from __future__ import annotations

import re
from html import unescape

import pytest

from assay.web.lab import LABS
from assay.web.labs import items, many, ordered
from assay.web.labs.items.presets import PRESETS as DESIGNS
from assay.web.labs.many.presets import PRESETS as COUNTS
from assay.web.labs.ordered.presets import PRESETS as TABLES
from assay.web.pages import page
from assay.web.query import BadState, Query, address
from assay.web.speech import english

MODULES = {"many": many, "ordered": ordered, "items": items}
ODD = "<script>alert(1)</script>{x}%s\"'&"

STATES = {
    **{("many", p.key): many.State(p.rows, p.labels) for p in COUNTS},
    ("many", "empty"): many.State().cleared(),
    ("many", "one item"): many.State(((5, 1),)),
    ("many", "no pairs"): many.State(((1, 0), (0, 1)), ("a", "b"), ("x", "y")),
    ("many", "full"): many.State(((999,) * 8,) * 30, puzzle="below", answers=("a", "b", "c")),
    ("many", "odd"): many.State(((1, 2), (3, 4)), (ODD, "b"), (ODD, ODD)),
    **{("ordered", p.key): ordered.State(p.cells, p.labels) for p in TABLES},
    ("ordered", "empty"): ordered.State(((0, 0), (0, 0)), ("a", "b")),
    ("ordered", "ratio"): ordered.State(((3, 1), (1, 3)), ("-1", "1"), weights="ratio"),
    ("ordered", "odd"): ordered.State(((1, 2), (3, 4)), (ODD, "b"), (ODD, "B")),
    ("ordered", "wide"): ordered.State(((10**9 - 1,) * 8,) * 8, tuple("abcdefgh")),
    **{("items", p.key): p.state for p in DESIGNS},
    ("items", "no error"): items.State(po=0, skew=50),
    ("items", "few"): items.State(n=2, po=99, skew=99),
    ("items", "most"): items.State(n=100_000, po=None, kappa=-1, skew=99),
}

FIGURES = {
    "many": {"items", "ratings", "unanimous", "pairwise", "fleiss", "alpha", "ac1", "s"},
    "ordered": {
        "n", "po", "pe", "percent", "ac2", "icc", "ccc",
        *(f"kappa-{name}" for name in (
            "identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar",
        )),
        *(f"alpha-{name}" for name in ("nominal", "ordinal", "interval")),
    },
    "items": {
        "n", "po", "pe", "kappa", "low", "width", "needed-0.1", "needed-0.2", "needed-0.3",
    },
}  # fmt: skip


def html(name, state, before=None, problem=None):
    lab = LABS[name]
    return str(
        page(
            f"{name}.html",
            english(),
            lab=lab,
            state=state,
            view=lab.view(state, before, english()),
            current=lab.address(state),
            link=lab.address,
            in_language=lambda code: address(lab.path, state.query() | {"lang": code}),
            asked={},
            problem=problem,
            pasted="",
            heading=lab.heading(state),
        )
    )


@pytest.mark.parametrize("key", STATES, ids=" ".join)
def test_every_figure_is_there_once(key):
    name, state = key[0], STATES[key]
    found = re.findall(r'data-figure="([^"]+)" data-value="([^"]*)"', html(name, state))
    names = [one for one, _ in found]
    assert len(names) == len(set(names))
    assert set(names) >= FIGURES[name]
    shown = LABS[name].view(state, None, english())
    if name != "items":
        for one in shown.figures.values():
            expected = "" if one.value is None else repr(float(one.value))
            assert dict(found)[one.name] == expected


@pytest.mark.parametrize("key", STATES, ids=" ".join)
def test_nothing_that_the_policy_forbids(key):
    text = html(key[0], STATES[key])
    assert " style=" not in text
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)
    assert not re.search(r"\son[a-z]+=", text)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("key", STATES, ids=" ".join)
def test_no_number_that_is_none(key):
    text = re.sub(r"<[^>]*>", " ", html(key[0], STATES[key]))
    assert not re.search(r"\b(nan|None|inf|Fraction|Undefined)\b", text)


@pytest.mark.parametrize("key", STATES, ids=" ".join)
def test_every_link_opens(key):
    name = key[0]
    text = html(name, STATES[key])
    links = re.findall(rf'href="(/lab/{name}\?[^"]+)"', text)
    assert links
    for href in links:
        MODULES[name].parse(Query.of(unescape(href).partition("?")[2]))


@pytest.mark.parametrize("key", [k for k in STATES if k[0] != "items"], ids=" ".join)
def test_the_form_on_the_page_is_the_state(key):
    """What a browser would send is the state on screen."""
    name, state = key[0], STATES[key]
    text = html(name, state)
    assert MODULES[name].edit(sent(text)) == state


@pytest.mark.parametrize("key", [k for k in STATES if k[0] == "items"], ids=" ".join)
def test_the_form_of_a_design_is_the_state(key):
    assert items.edit(sent(html("items", STATES[key]))) == STATES[key]


def sent(text):
    fields = re.findall(r"<input\b[^>]*>", text)
    pairs = []
    for field in fields:
        named = re.search(r'\bname="([^"]*)"', field)
        value = re.search(r'\bvalue="([^"]*)"', field)
        if named is None or value is None or ('type="radio"' in field and "checked" not in field):
            continue
        pairs.append((named[1], unescape(value[1])))
    return Query(pairs)


@pytest.mark.parametrize("name", MODULES)
def test_every_button_works(name):
    text = html(name, MODULES[name].State())
    buttons = set(re.findall(r'name="do" value="([^"]+)"', text))
    assert len(buttons) >= 2
    for do in buttons:
        MODULES[name].edit(Query([*sent(text).pairs, ("do", do)]))


@pytest.mark.parametrize("name", ["many", "ordered"])
def test_what_was_typed_is_escaped(name):
    text = html(name, STATES[name, "odd"])
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_focus_stays_where_it_was():
    def ids(state):
        return re.findall(r'<(?:button|a|input|summary)[^>]*\sid="([^"]+)"', html("many", state))

    assert ids(many.State()) == ids(many.State().with_cell(3, 3, 1))


WRONG = {
    "many": ("c-0-1", [("l", "a"), ("l", "b"), ("i", "1"), ("c", "0"), ("c", "x")]),
    "ordered": (
        "c-1-0",
        [("r", "A"), ("r", "B"), ("l", "a"), ("l", "b"), *(("c", x) for x in "12x4")],
    ),
    "items": ("n", [("n", "0")]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_beside_the_form(name):
    field, pairs = WRONG[name]
    with pytest.raises(BadState) as caught:
        MODULES[name].edit(Query(pairs))
    assert caught.value.field == field
    text = html(name, MODULES[name].State(), None, caught.value)
    assert 'role="alert"' in text
    assert re.search(rf'id="{field}"[^>]*aria-invalid="true"', text)


def off(text):
    """Ids of what is at its limit."""
    marked = re.findall(r'<(?:button|a)\b[^>]*aria-disabled="true"[^>]*>', text)
    return {name for one in marked for name in re.findall(r'\sid="([^"]+)"', one)}


def test_buttons_at_their_limits_stay():
    """Focus is not lost with a button that goes; it is marked instead."""
    full = html("many", STATES["many", "full"])
    assert {"do-item", "do-label", "do-items2", "do-raters2", "do-add.29.7"} <= off(full)
    assert not {"do-noitem.0", "do-nolabel.0", "do-take.0.0"} & off(full)
    assert off(html("many", many.State(((5, 1),)))) == {
        "do-noitem.0",
        "do-nolabel.0",
        "do-nolabel.1",
    }
    assert off(html("many", many.State(((5, 0), (1, 1))))) == {
        "do-take.0.1", "do-nolabel.0", "do-nolabel.1",
    }  # fmt: skip


def test_limits_of_an_ordered_table():
    assert off(html("ordered", ordered.State(((3, 0), (1, 3)), ("a", "b")))) == {
        "do-take.0.1", "do-fewer",
    }  # fmt: skip
    wide = off(html("ordered", STATES["ordered", "wide"]))
    assert {"do-more", "do-add.7.7"} <= wide
    assert "do-fewer" not in wide
    assert "far-fewer" in off(html("ordered", ordered.State(far=0)))
    assert "far-more" in off(html("ordered", ordered.State(far=37)))
    assert not {"far-fewer", "far-more"} & off(html("ordered", ordered.State(far=36)))


def test_curves_are_explained():
    text = html("items", items.State(n=20))
    assert "The axis is logarithmic: from 100 to 200 items is as far as from 1,000 to 2,000" in text
    assert items.view(items.State(n=20), None, english()).halving in text


def test_hardest_item_is_said_in_words():
    text = html("many", many.State())
    assert text.count("(hardest)") == 1


def test_weights_are_shaded_and_numbered():
    text = html("ordered", ordered.State())
    assert text.count('<td class="w10">1</td>') == 5
    assert text.count('<td class="w7">0.750</td>') == 8
