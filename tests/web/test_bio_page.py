"""The BIO lab's page: figures for programs, words for people, and nothing typed that runs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from assay.web.lab import LABS
from assay.web.labs.bio import State, parse, view
from assay.web.labs.bio.presets import PRESETS, first_state
from assay.web.labs.bio.puzzles import PUZZLES
from assay.web.pages import page
from assay.web.query import BadState, Query, address
from assay.web.speech import english

LAB = LABS["bio"]
ODD = State(
    ("<script>alert(1)</script>", "\"'&", "{n}", "%s"),
    ("B-<b>", "I-<b>", "O", "B-{x}"),
    ("B-<b>", "O", "I-{x}", "O"),
)
STATES = {
    **{name: preset.state() for name, preset in PRESETS.items()},
    **{f"puzzle {name}": puzzle.start for name, puzzle in PUZZLES.items()},
    "discard": replace(PRESETS["illegal"].state(), illegal="discard"),
    "empty": State((), (), ()),
    "undefined": State(("a",), ("O",), ("O",), zero="undefined"),
    "bioes": State(("a",), ("S-X",), ("B-X",), scheme="BIOES", fell=1, further=2),
    "bare": State(("a", "b"), ("B", "I"), ("I", "O"), types=("", "PER")),
    "odd": ODD,
}


def html(state: State, before: State | None = None, problem: BadState | None = None) -> str:
    return str(
        page(
            "bio.html",
            english(),
            lab=LAB,
            state=state,
            view=view(state, before, english()),
            current=LAB.address(state),
            link=LAB.address,
            in_language=lambda code: address(LAB.path, state.query() | {"lang": code}),
            asked={},
            problem=problem,
            pasted="",
            heading=LAB.heading(state),
        )
    )


def figures(text: str) -> dict[str, str]:
    found = re.findall(r'data-figure="([^"]+)" data-value="([^"]*)"', text)
    assert len({name for name, _ in found}) == len(found)
    return dict(found)


@pytest.mark.parametrize("name", STATES)
def test_every_figure_is_there_for_programs(name):
    state = STATES[name]
    text = html(state, first_state())
    found = figures(text)
    shown = view(state, None, english())
    for one in shown.figures:
        value = one.value
        assert found[one.name] == ("" if value is None else repr(value))
    for row in shown.modes:
        for part in ("precision", "recall", "f1"):
            value = getattr(row.line, part)
            assert found[f"{row.line.mode}-{part}"] == ("" if value is None else repr(value))
        assert found[f"{row.line.mode}-tp"] == str(row.line.tp)
    assert set(found) >= {
        "token-accuracy", "exact-f1", "partial-f1", "illegal-gold", "illegal-pred",
    }  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_nothing_that_the_policy_forbids(name):
    text = html(STATES[name])
    assert " style=" not in text
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)
    assert not re.search(r"\son[a-z]+=", text)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_what_was_typed_is_escaped():
    text = html(ODD)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "B-<b>" not in text


def test_every_button_and_link_of_the_page_works():
    text = html(first_state())
    for href in re.findall(r'href="(/lab/bio\?[^"]+)"', text):
        parse(Query.of(href.partition("?")[2].replace("&amp;", "&")))
    pressed = set(re.findall(r'name="do" value="([^"]+)"', text))
    rows = [
        f"{row}.{k}{back}" for row in ("gold", "pred") for k in range(17) for back in ("", ".back")
    ]
    assert pressed == {*rows, "sentence", "types"}  # fmt: skip


def test_focus_stays_where_it_was():
    def ids(state: State) -> list[str]:
        return re.findall(r'<(?:button|a|input|summary)[^>]*\sid="([^"]+)"', html(state))

    assert ids(first_state()) == ids(first_state().clicked("pred", 4))


def test_what_is_wrong_is_said_beside_the_form():
    with pytest.raises(BadState) as error:
        parse(Query([("tokens", "x" * 61)]))
    text = html(first_state(), None, error.value)
    assert 'role="alert">Token 0' in text
    assert 'aria-invalid="true"' in text


def test_every_button_of_a_tag_has_a_name_of_its_own():
    text = html(first_state())
    names = re.findall(r'<button class="(?:back|said)"[^>]*aria-label="([^"]+)"', text)
    assert len(set(names)) == len(names) == 4 * 17
    assert "Back to B-ORG: Prediction, token 7 “học”" in names


def test_every_line_of_tokens_can_say_which_row_is_which():
    text = html(first_state())
    assert text.count('<span class="short">gold</span>') == 17
    assert text.count('<span class="short">pred.</span>') == 17


def test_why_there_is_no_command_is_said():
    text = html(State(("-DOCSTART-",), ("O",), ("O",)))
    assert "There is no file and no command line for it" in text
    assert 'id="copy-command"' not in text
    assert "no command line" not in html(first_state())


def test_differences_do_not_show_by_colour_alone():
    text = html(PRESETS["illegal"].state())
    assert text.count("the tags differ") == 1
    assert 'title="illegal here"' in text
    for border in ("solid", "dashed", "dotted"):
        assert f'class="chip {border}"' in text
    assert "paired with ORG [7,11] of the other row" in text
