"""The address of the kappa lab: whatever a page shows comes back from it, and nothing breaks it."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from unicodedata import normalize
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.bands import SCALES
from assay.web.lab import LABS
from assay.web.labs.kappa import State, parse, view
from assay.web.labs.kappa.presets import FIRST, PRESETS
from assay.web.labs.kappa.puzzles import PUZZLES
from assay.web.labs.kappa.state import MAX_CELL, default_labels
from assay.web.query import MAX_ADDRESS, BadState, Query, address
from assay.web.speech import english

AWKWARD = [
    "a,b", "50 %", "%2C", "a+b", "R&D", "a;b", "a=b", "?", "#1", "'", '"', "<script>", "</script>",
    "không vi phạm", "违规", "👍🏽", "é", "e\u0301", "\\", "{x}", "{{ 7 * 7 }}", "a b", "/", "..",
]  # fmt: skip
NAME = (
    st.one_of(
        st.sampled_from(AWKWARD),
        st.text(
            st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=40
        ),
    )
    .map(partial(normalize, "NFC"))
    .filter(lambda name: len(name) <= 40)
)
WEIGHT = st.integers(0, 9_999).map(lambda w: F(w, 10_000))


def refused_or(read_it):
    """What is read; nothing if that is refused, with words."""
    try:
        return read_it()
    except BadState as error:
        said = english().say(error.message)
    assert said
    return None


@st.composite
def states(draw):
    """Any state that the page can show."""
    k = draw(st.integers(2, 8))
    cell = st.one_of(st.integers(0, 9), st.integers(0, MAX_CELL))
    cells = tuple(tuple(draw(cell) for _ in range(k)) for _ in range(k))
    names = st.lists(NAME, min_size=k, max_size=k, unique=True).map(tuple)
    weights = draw(st.sampled_from(("identity", "linear", "quadratic", "custom")))
    matrix: tuple = ()
    if weights == "custom":
        above = {(i, j): draw(WEIGHT) for i in range(k) for j in range(i + 1, k)}
        above = {(i, j): draw(WEIGHT) for i in range(k) for j in range(i)}
        matrix = tuple(
            tuple(above[max(i, j), min(i, j)] if i != j else F(1) for j in range(k))
            for i in range(k)
        )
    return State(
        cells,
        draw(st.one_of(st.just(default_labels(k)), names)),
        tuple(draw(st.lists(NAME, min_size=2, max_size=2, unique=True))),
        weights,
        matrix,
        draw(st.sampled_from(tuple(SCALES))),
        draw(st.sampled_from(("", "ask", "0.5", "-1", "-0.25"))),
        draw(st.sampled_from(("", *PUZZLES))),
        tuple(draw(st.sampled_from(("", "a", "b", "c"))) for _ in range(3)),
    )


def read(path):
    return parse(Query.of(path.partition("?")[2]))


@settings(max_examples=300)
@given(states())
def test_the_address_gives_the_state_back(state):
    path = LABS["kappa"].address(state)
    assert path.isascii()
    assert read(path) == state
    # However a browser encodes it, and with what other parameters.
    assert parse(Query.of(urlencode(state.query()))) == state
    assert read(LABS["kappa"].address(state, lang="vi")) == state
    assert LABS["kappa"].address(read(path)) == path


def test_the_first_state_has_the_shortest_address():
    assert parse(Query()) == FIRST.state
    assert LABS["kappa"].address(FIRST.state) == "/lab/kappa?t=3,47;53,897&labels=violation,safe"
    assert read("/lab/kappa?t=3,47;53,897") == State(FIRST.cells, ("1", "2"))
    assert read("/lab/kappa?t=0003,047;53,897").query()["t"] == "3,47;53,897"
    assert read("/lab/kappa?t=,;,").cells == ((0, 0), (0, 0))
    assert read("/lab/kappa?labels=a,b").labels == ("a", "b")


@pytest.mark.parametrize("key", PRESETS)
def test_presets_are_states_of_an_address(key):
    assert read(LABS["kappa"].address(PRESETS[key].state)) == PRESETS[key].state


NINE = ";".join([",".join("1" * 9)] * 9)

# (query, the field it is about, what its message has to name)
BAD = [
    ("t=3,47", "", ["1 × 1 table", "2 to 8"]),
    ("t=3,47,1;53,897", "", ["2 rows", "row 1 has 3 cells"]),
    ("t=3", "", ["1 × 1 table", "2 to 8"]),
    ("t=", "", ["1 × 1 table"]),
    (f"t={NINE}", "", ["9 × 9 table", "2 to 8"]),
    ("t=3,47;53", "", ["row 2 has 1 cells", "t=3,47;53,897"]),
    ("t=3,47;53,897;", "", ["3 rows"]),
    ("t=3,x;53,897", "c-0-1", ["Row 1, column 2", "“x”"]),
    ("t=3,-1;53,897", "c-0-1", ["Row 1, column 2", "“-1”"]),
    ("t=3,1.5;53,897", "c-0-1", ["“1.5”"]),
    ("t=3,1e3;53,897", "c-0-1", ["“1e3”"]),
    ("t=3,4;53,1000000000", "c-1-1", ["“1000000000”", "999,999,999"]),
    ("t=3,4;53,%D9%A3", "c-1-1", ["“٣”"]),
    ("t=3,4;53,%00", "c-1-1", ["Row 2, column 2"]),
    ("t=3,4;53," + "9" * 500, "c-1-1", ["999…”"]),
    ("t=3,4;53,<script>alert(1)</script>", "c-1-1", ["“<script>alert(1)</script>”"]),
    ("labels=a", "", ["labels", "2 names are needed", "there are 1"]),
    ("labels=a,b,c", "", ["there are 3"]),
    ("labels=a,", "", ["labels", "“”"]),
    ("labels=a,a", "", ["“a” is there twice"]),
    ("labels=a,+a", "", ["“a” is there twice"]),
    ("labels=a," + "b" * 41, "", ["1 to 40 characters", "bbb…”"]),
    ("labels=a,b%0Ac", "", ["“b\nc”"]),
    ("labels=a,b%E2%80%AEc", "", ["a name of 1 to 40"]),
    ("raters=A", "", ["raters", "there are 1"]),
    ("raters=A,A", "", ["raters", "“A” is there twice"]),
    ("weights=cubic", "", ["weights=cubic", "identity, linear, quadratic, custom"]),
    ("weights=custom", "", ["2 × 2 weights"]),
    ("weights=custom&w=1,0.5", "", ["2 × 2 weights"]),
    ("weights=custom&w=1,2;0,1", "w-0-1", ["row 1, column 2", "“2”"]),
    ("weights=custom&w=1,0;0,0.5", "w-1-1", ["row 2, column 2", "“0.5”"]),
    ("weights=custom&w=1,0.00001;0,1", "w-0-1", ["four decimals", "“0.00001”"]),
    ("weights=custom&w=1,0.5;0.2,1", "", ["same in both directions"]),
    ("weights=custom&w=1,nan;0,1", "w-0-1", ["“nan”"]),
    ("weights=custom&w=1,%C2%B2;0,1", "w-0-1", ["“²”"]),
    ("scale=mine", "", ["scale=mine", "landis-koch", "krippendorff"]),
    ("guess=2", "guess", ["−1 to 1", "“2”"]),
    ("guess=soon", "guess", ["“soon”"]),
    ("puzzle=none", "", ["puzzle=none"]),
    ("q1=d", "", ["q1=d"]),
    ("q3=aa", "", ["q3=aa"]),
    ("labels=a,%FF", "", ["UTF-8"]),
    ("t=" + "1," * MAX_ADDRESS, "", ["64,002 bytes", "32,000 are read"]),
    ("x&" * 1200, "", ["1,000 parameters"]),
]


@pytest.mark.parametrize(("query", "field", "words"), BAD, ids=[q[:30] for q, _, _ in BAD])
def test_bad_states_say_what_was_found(query, field, words):
    with pytest.raises(BadState) as caught:
        parse(Query.of(query))
    said = english().say(caught.value.message)
    for part in words:
        assert part in said, said
    assert caught.value.field == field
    assert len(said) < 400


TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
PIECE = st.one_of(
    TEXT,
    st.sampled_from(["1,2;3,4", "0,0;0,0", "a,b", "custom", "ask", "1,0.5;0.5,1", "%", "%zz", ","]),
    st.text(st.sampled_from("0123456789,;.-%&=+ "), max_size=40),
)
KEYS = ["t", "labels", "raters", "weights", "w", "scale", "guess", "puzzle", "q1", "form", "do",
        "paste", "l", "r", "c", "lang"]  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(KEYS), PIECE), max_size=12))
def test_any_address_is_a_page_or_a_clear_refusal(pairs):
    lab = LABS["kappa"]
    state = refused_or(lambda: lab.state(Query.of(urlencode(pairs))))
    if state is None:
        return
    assert read(address("/lab/kappa", state.query())) == state
    view(state, None, english())


@given(st.text(max_size=60))
def test_any_text_behind_the_question_mark(text):
    state = refused_or(lambda: parse(Query.of(text.encode("utf-8", "replace").decode())))
    if state is None:
        return
    assert parse(Query.of(urlencode(state.query()))) == state
