"""The BIO lab's addresses, forms and bounds."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.addresses import MAX_TOKENS
from assay.spans.schemes import SCHEMES
from assay.web.labs.bio import State, edit, parse, state_of, view
from assay.web.labs.bio.presets import GOLD, SENTENCE, first_state
from assay.web.labs.bio.puzzles import PUZZLES
from assay.web.labs.bio.state import ILLEGAL, TYPES, ZERO, with_met
from assay.web.query import BadState, Query, address
from assay.web.speech import english


def of(**values: str) -> State:
    return parse(Query.of(urlencode(values)))


def sent(state: State, do: str = "", **fields: str) -> State:
    """What the page's form sends."""
    values = {k: v for k, v in state.query().items() if k != "fell"} | {"form": "1", "do": do}
    return edit(Query.of(urlencode(values | fields)))


def said(error) -> str:
    return english().say(error.value.message)


kinds = st.sampled_from(["PER", "from-date", "Đơn_vị", "a,b", "50%", ""])


@st.composite
def states(draw: st.DrawFn) -> State:
    scheme = draw(st.sampled_from(list(SCHEMES)))
    letters = [letter for p, letter in SCHEMES[scheme].letters.items() if p != "O"]
    tag = st.one_of(
        st.just("O"),
        st.tuples(st.sampled_from(letters), kinds).map(lambda p: "-".join(p) if p[1] else p[0]),
    )
    n = draw(st.one_of(st.integers(0, 12), st.just(MAX_TOKENS)))
    word = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8)
    word = word.filter(lambda w: w.split() == [w])
    tokens, gold, pred = (
        tuple(draw(st.lists(one, min_size=n, max_size=n))) for one in (word, tag, tag)
    )
    types = draw(st.sampled_from([TYPES, ("X",), ("a,b", "PER")]))
    room = 2 * (MAX_TOKENS - n)
    return State(
        tokens,
        gold,
        pred,
        draw(st.sampled_from(ILLEGAL)),
        scheme,
        draw(st.sampled_from(ZERO)),
        with_met(types, gold, pred),
        draw(st.sampled_from(["", *PUZZLES])),
        draw(st.tuples(*[st.sampled_from(["", "a", "b", "c"])] * 3)),
        0 if room else draw(st.integers(0, 99)),
        draw(st.integers(0, room)),
        draw(st.integers(0, 99)),
    )


@given(states())
def test_an_address_gives_its_state_back(state):
    back = parse(Query.of(address("/lab/bio", state.query()).partition("?")[2]))
    assert back == state


@given(states(), st.sampled_from(["gold", "pred"]), st.integers(0, 11))
def test_clicking_goes_round_and_back(state, row, place):
    if place >= len(state.tokens):
        return
    once = state.clicked(row, place)
    assert once.clicked(row, place, back=True).row(row) == state.row(row)
    turned = state
    for _ in state.cycle:
        turned = turned.clicked(row, place)
    assert turned.row(row) == state.row(row)
    assert sent(state, f"{row}.{place}") == replace(once, fell=0)
    assert parse(Query.of(urlencode(once.query()))) == once


@settings(max_examples=40)
@given(states(), states())
def test_every_state_has_a_page(state, before):
    page = view(state, before, english())
    assert len(page.columns) == len(state.tokens)
    assert len(page.steps) == len(state.tokens) + 1
    for figure in page.figures:
        assert (figure.value is None) == (figure.shown == "?")
    texts = [page.happened, page.difference, page.effect, *page.notices]
    texts += [step.said for row in page.steps for step in (row.gold, row.pred)]
    texts += [reason for other in page.others for reason in other.reasons]
    assert not [text for text in texts if "{" in text]


def test_the_cycle_of_a_click():
    state = State(("a",), ("O",), ("O",))
    seen = []
    for _ in range(7):
        state = sent(state, "pred.0")
        seen.append(state.pred[0])
    assert seen == ["B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC", "O"]
    assert sent(state, "gold.0.back").gold == ("I-LOC",)
    assert sent(replace(state, scheme="BILOU"), "gold.0.back").gold == ("U-LOC",)


def test_main_data_are_always_in_the_address():
    query = first_state().query()
    assert query["tokens"].split() == list(SENTENCE)
    assert query["gold"].split() == list(GOLD)
    assert query["illegal"] == "open"
    assert not any(query[name] for name in ("scheme", "types", "zero", "puzzle", "cut", "fell"))


def test_tags_stay_by_position():
    state = of(tokens="a b c", gold="B-PER", pred="O O I-LOC")
    assert state.gold == ("B-PER", "O", "O")
    longer = sent(state, "sentence", tokens="x b c d")
    assert longer.gold == ("B-PER", "O", "O", "O")
    assert longer.pred == ("O", "O", "I-LOC", "O")
    assert longer.fell == 0
    shorter = sent(longer, "sentence", tokens="x")
    assert (shorter.gold, shorter.pred, shorter.fell) == (("B-PER",), ("O",), 6)
    notices = view(shorter, longer, english()).notices
    assert notices == ("6 tags fell off, because their tokens are gone.",)
    assert parse(Query.of(urlencode(shorter.query()))).fell == 6
    assert sent(shorter, "gold.0").fell == 0


def test_a_long_sentence_is_cut_and_it_is_said():
    state = of(tokens=" ".join("a" * 43), gold="O " * 42 + "B-PER", pred="B-PER")
    assert len(state.tokens) == len(state.gold) == len(state.pred) == 40
    assert (state.cut, state.fell) == (3, 0)
    assert view(state, None, english()).notices[0].startswith("3 tokens more were given")
    assert sent(state, "pred.1").cut == 3
    assert sent(state, "sentence", tokens="a b").cut == 0


FULL = " ".join("a" * MAX_TOKENS)


@pytest.mark.parametrize(
    ("values", "cut", "fell"),
    [
        ({"cut": "999", "fell": "77"}, 0, 46),
        ({"cut": "999", "fell": "12"}, 0, 12),
        ({"tokens": "a", "cut": "999", "fell": "77"}, 0, 77),
        ({"tokens": "a", "fell": "79"}, 0, 78),
        ({"tokens": FULL, "cut": "999", "fell": "77"}, 999, 0),
    ],
)
def test_an_address_cannot_claim_what_no_edit_can_have_done(values, cut, fell):
    state = of(**values)
    assert (state.cut, state.fell) == (cut, fell)
    assert len(view(state, None, english()).notices) == (cut > 0) + (fell > 0)
    assert parse(Query.of(urlencode(state.query()))) == state


def test_tags_without_words():
    assert of(gold="B-PER O", pred="O").tokens == ("w0", "w1")


def test_an_empty_sentence_has_an_address():
    empty = of(tokens="")
    assert empty.tokens == ()
    assert parse(Query.of(urlencode(empty.query()))) == empty
    assert sent(first_state(), "sentence", tokens="").tokens == ()


def test_types():
    state = of(tokens="a b", gold="B-X I-X", pred="O B-Y", types="PER")
    assert state.types == ("PER", "X", "Y")
    assert sent(state, "types", types="LOC, ORG LOC").types == ("LOC", "ORG", "X", "Y")
    assert of(tokens="a", gold="B", pred="O").types == ("", *TYPES)
    assert of(tokens="a", types="").types == TYPES


def test_another_scheme_keeps_the_spans():
    state = first_state()
    for scheme in SCHEMES:
        other = state.rewritten(scheme)
        assert other is not None
        assert parse(Query.of(urlencode(other.query()))) == other
        old, new = view(state, None, english()), view(other, state, english())
        assert [c.border for c in new.pred] == [c.border for c in old.pred]
        assert new.figure("exact-f1").value == old.figure("exact-f1").value
    touching = of(tokens="a b", gold="B-PER B-PER", pred="O O")
    assert touching.rewritten("IO") is None
    page = view(touching, None, english())
    assert next(c for c in page.schemes if c.title == "IO").state is None
    assert of(scheme="BIOES").gold[:3] == ("B-PER", "I-PER", "E-PER")


def test_rewriting_illegal_rows_is_said():
    state = of(tokens="a b", gold="O I-PER", pred="O O")
    legal = state.rewritten("BIOES")
    assert legal is not None
    page = view(legal, state, english())
    assert "legal now" in page.notices[0]


PASTES = {
    "B-PER I-PER O\nB-PER O O": (("w0", "w1", "w2"), "B-PER I-PER O", "B-PER O O"),
    "Ana Ruiz slept\nB-PER I-PER O\nB-PER O O": (
        ("Ana", "Ruiz", "slept"), "B-PER I-PER O", "B-PER O O",
    ),
    "Ana\tNN\tB-PER\tO\r\nslept\tVB\tO\tO\r\n": (("Ana", "slept"), "B-PER O", "O O"),
    "B-PER O\nO O\nO B-LOC\nO O": (("w0", "w1", "w2", "w3"), "B-PER O O O", "O O B-LOC O"),
    "-DOCSTART- -X- O O\n\nAna B-PER O\n": (("Ana",), "B-PER", "O"),
}  # fmt: skip


@pytest.mark.parametrize("text", PASTES)
def test_pasted(text):
    state = sent(first_state(), "paste", paste=text)
    tokens, gold, pred = PASTES[text]
    assert (state.tokens, " ".join(state.gold), " ".join(state.pred)) == (tokens, gold, pred)


def test_only_the_first_pasted_sentence_is_taken():
    state = sent(first_state(), "paste", paste="a O O\nb O O\n\nc B-PER O\n")
    assert (state.tokens, state.cut, state.further) == (("a", "b"), 0, 1)
    (said,) = view(state, None, english()).notices
    assert said == "1 token of further sentences was left out: this page takes one sentence."
    assert sent(state, "pred.1").further == 1
    assert sent(state, "sentence", tokens="a b c").further == 0


@pytest.mark.parametrize(
    "text",
    [
        "B-PER, I-PER, O\nO, O, O",
        "B-PER,I-PER,O\nO,O,O",
        "Ana Ruiz slept\nB-PER, I-PER, O\nO O O",
        "Ana B-PER, O,\nslept O, O,",
        "B-PER, O\nO O",
    ],
)
def test_commas_between_pasted_tags_are_named(text):
    with pytest.raises(BadState) as error:
        sent(first_state(), "paste", paste=text)
    assert error.value.field == "paste"
    assert "commas between them, as in “" in said(error)


def test_a_comma_elsewhere_is_no_comma_between_tags():
    state = sent(first_state(), "paste", paste="It is I,\nO O B-a,b\nO O O")
    assert (state.tokens, state.gold) == (("It", "is", "I,"), ("O", "O", "B-a,b"))


def test_a_pasted_scheme_is_found():
    assert sent(first_state(), "paste", paste="U-PER O\nO O").scheme == "BILOU"


@pytest.mark.parametrize("text", ["", "just words here\nand more", "Ana B-PER\nslept O", "a O X-1"])
def test_what_cannot_be_pasted(text):
    with pytest.raises(BadState) as error:
        sent(first_state(), "paste", paste=text)
    assert error.value.field == "paste"


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({"gold": "O X-PER"}, ("Gold, token 1", "“X-PER”", "BIO", "B, I")),
        ({"tokens": "a", "pred": "PER"}, ("Prediction, token 0", "“PER”", "B-PER")),
        ({"tokens": "a", "pred": "S-PER"}, ("“S-PER”", "BIO")),
        ({"tokens": "a", "gold": "B-PER", "scheme": "IOE1"}, ("IOE1", "I, E", "I-PER")),
        ({"tokens": "a", "gold": f"B-{'x' * 70}"}, ("72 characters", "60")),
        ({"tokens": f"a {'b' * 61}"}, ("Token 1", "61 characters", "60")),
        ({"illegal": "keep"}, ("illegal", "open, discard")),
        ({"scheme": "XYZ"}, ("scheme", "BIOES")),
        ({"puzzle": "no"}, ("puzzle",)),
        ({"cut": "-1"}, ("cut",)),
        ({"types": "a" * 41}, ("40",)),
        ({"types": ",".join(f"t{i}" for i in range(31))}, ("31", "30")),
    ],
)
def test_bad_states(values, parts):
    with pytest.raises(BadState) as error:
        of(**values)
    assert all(part in said(error) for part in parts), said(error)


def test_an_address_that_could_not_be_read_back():
    tags = " ".join(f"B-{chr(0x4E00 + i)}{'字' * 55}" for i in range(20))
    tokens = " ".join("词" * 59 for _ in range(40))
    with pytest.raises(BadState) as error:
        state_of(tokens.split(), tags.split(), tags.split())
    assert "bytes" in said(error)


@pytest.mark.parametrize("do", ["gold.17", "pred.9999", "gold.-1", "fly", "gold", "gold.1.forth"])
def test_bad_buttons(do):
    with pytest.raises(BadState):
        sent(first_state(), do)


def test_a_sentence_of_a_corpus():
    state = state_of(["New York", "x" * 99, "z"], ["B-LOC", "O"], ["O"] * 9, "last-type")
    assert state.tokens[0] == "New_York"
    assert len(state.tokens[1]) == 60
    assert (state.gold, state.pred) == (("B-LOC", "O", "O"), ("O",) * 3)
    assert state.illegal == "open"
    assert len(state_of(["a"] * 99, ["O"] * 99, ["O"] * 99, scheme="BIOES").tokens) == 40


def test_control_characters_are_refused():
    with pytest.raises(BadState) as caught:
        parse(Query([("tokens", "a \x00b"), ("gold", "O O"), ("pred", "O O")]))
    assert "Token 1" in english().say(caught.value.message)
