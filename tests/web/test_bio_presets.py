"""The BIO lab's view: every preset's figures, what it says about them, and the puzzles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from assay.spans.schemes import SCHEMES
from assay.web.labs.bio import State, parse, view
from assay.web.labs.bio.presets import GOLD, PRESETS, SENTENCE, first_state
from assay.web.labs.bio.puzzles import PUZZLES
from assay.web.labs.bio.questions import QUESTIONS
from assay.web.labs.bio.state import Row
from assay.web.query import Query
from assay.web.speech import english

# Preset, convention: token accuracy; TP, FP, FN and F1 of exact matching; the same of partial.
FIGURES = [
    ("off", "open", (16, 17), (2, 2, 1, (4, 7)), (3, 1, 0, (6, 7))),
    ("off", "discard", (16, 17), (2, 2, 1, (4, 7)), (3, 1, 0, (6, 7))),
    ("perfect", "open", (17, 17), (3, 0, 0, (1, 1)), (3, 0, 0, (1, 1))),
    ("perfect", "discard", (17, 17), (3, 0, 0, (1, 1)), (3, 0, 0, (1, 1))),
    ("type", "open", (15, 17), (2, 1, 1, (2, 3)), (2, 1, 1, (2, 3))),
    ("type", "discard", (15, 17), (2, 1, 1, (2, 3)), (2, 1, 1, (2, 3))),
    ("missed", "open", (11, 17), (2, 0, 1, (4, 5)), (2, 0, 1, (4, 5))),
    ("missed", "discard", (11, 17), (2, 0, 1, (4, 5)), (2, 0, 1, (4, 5))),
    ("illegal", "open", (16, 17), (2, 1, 1, (2, 3)), (3, 0, 0, (1, 1))),
    ("illegal", "discard", (16, 17), (2, 0, 1, (4, 5)), (2, 0, 1, (4, 5))),
]


def preset(name: str, illegal: str = "open") -> State:
    return replace(PRESETS[name].state(), illegal=illegal)


def shown(state: State, before: State | None = None):
    return view(state, before, english())


def line(state: State, mode: str = "exact"):
    return next(row.line for row in shown(state).modes if row.line.mode == mode)


@pytest.mark.parametrize(("name", "illegal", "accuracy", "exact", "partial"), FIGURES)
def test_figures(name, illegal, accuracy, exact, partial):
    page = shown(preset(name, illegal))
    assert page.figure("token-accuracy").value == float(Fraction(*accuracy))
    for mode, (tp, fp, fn, f1) in (("exact", exact), ("partial", partial)):
        found = line(preset(name, illegal), mode)
        assert (found.tp, found.fp, found.fn) == (tp, fp, fn)
        assert found.f1 == page.figure(f"{mode}-f1").value == float(Fraction(*f1))


def test_the_first_state():
    assert parse(Query()) == first_state() == preset("off")
    assert len(SENTENCE) == 17
    found = line(first_state())
    assert (found.precision, found.recall) == (0.5, 2 / 3)
    found = line(first_state(), "partial")
    assert (found.precision, found.recall) == (0.75, 1.0)
    page = shown(first_state())
    assert page.figure("token-accuracy").shown == "94.1\u202f%"
    assert page.figure("exact-f1").shown == "57.1\u202f%"
    assert page.figure("partial-f1").shown == "85.7\u202f%"
    assert page.happened == "One span cut short, one spurious; 2 gold spans are right."
    assert "37.0 percentage points above exact F1" in page.difference
    assert page.difference.startswith("Token accuracy is the larger")
    chips = [(chip.kind, chip.first, chip.last, chip.border) for chip in page.pred]
    assert chips == [
        ("PER", 0, 2, "solid"),
        ("ORG", 6, 10, "dashed"),
        ("LOC", 11, 11, "dotted"),
        ("LOC", 15, 16, "solid"),
    ]
    assert page.gold[1].border == "dashed"
    assert page.gold[1].text == "Đại học Kiến trúc Đà Nẵng"
    assert "ORG [6,10]" in page.gold[1].words


def test_the_larger_is_named_whichever_it_is():
    assert shown(preset("missed")).difference.startswith("Exact F1 is the larger: 15.3 percentage")
    assert "both" in shown(preset("perfect")).difference


def test_the_last_i_of_the_organisation_gives_the_first_state():
    assert preset("perfect").clicked("pred", 11) == first_state()


def test_a_click_inside_the_organisation():
    state = preset("perfect").clicked("pred", 9)
    assert state.pred[9] == "B-LOC"
    assert line(state).f1 == 0.5
    assert len(shown(state).pred) == 5
    strict = replace(state, illegal="discard")
    assert line(strict).f1 == float(Fraction(4, 7))
    assert len(shown(strict).pred) == 4


def test_a_click_on_the_first_tag_of_the_organisation():
    state = preset("perfect").clicked("pred", 6)
    assert state.pred[6] == "I-ORG"
    page = shown(state, preset("perfect"))
    assert page.figure("exact-f1").value == 1.0
    assert page.figure("exact-f1").was == ""
    assert page.figure("illegal-pred").value == 1
    assert page.figure("dropped-pred").value == 6
    strict = shown(replace(state, illegal="discard"))
    assert [chip.kind for chip in strict.pred] == ["PER", "LOC"]
    assert strict.figure("exact-f1").value == 0.8
    assert strict.errors[0].code == "missed"


def test_illegal_positions_and_tokens_are_counted_apart():
    state = State(("a", "b", "c"), ("O",) * 3, ("O", "I-PER", "I-PER"))
    page = shown(state)
    assert page.figure("illegal-pred").value == 1
    assert page.figure("dropped-pred").value == 2
    assert page.figure("illegal-gold").value == page.figure("dropped-gold").value == 0


@pytest.mark.parametrize("name", [n for n in PRESETS if n != "illegal"])
def test_on_legal_rows_the_switch_changes_nothing(name):
    page = shown(preset(name))
    assert page.convention == "legal"
    assert "can change nothing" in page.effect
    assert page.switch == preset("illegal")
    strict = shown(preset(name, "discard"))
    assert [row.line for row in page.modes] == [row.line for row in strict.modes]


def test_discard_can_raise_the_score():
    state = State(("a", "b"), ("B-PER", "O"), ("B-PER", "I-ORG"), illegal="discard")
    page = shown(state)
    assert page.convention == "higher"
    assert "66.7\u202f%" in page.effect
    assert "100.0\u202f%" in page.effect
    assert line(state).f1 == 1.0
    assert line(replace(state, illegal="open")).f1 == 2 / 3


def test_in_the_illegal_preset_discard_raises_exact_and_lowers_partial():
    page = shown(preset("illegal"))
    assert page.convention == "higher"
    assert page.also.startswith("Partial F1 falls from 100.0\u202f% to 80.0\u202f%")
    assert page.errors[0].kind == "boundary: cut short"


def test_discard_can_lower_the_score():
    assert shown(preset("perfect").clicked("pred", 6)).convention == "lower"


def test_the_switch_may_move_no_f1():
    row = ("I-PER", "O")
    page = shown(State(("a", "b"), row, row))
    assert page.convention == "counts"


def test_every_convention_for_zero():
    state = State(("a", "b"), ("O", "O"), ("O", "O"))
    for zero, value in (("1", 1.0), ("0", 0.0), ("undefined", None)):
        page = shown(replace(state, zero=zero))
        assert page.figure("exact-f1").value == value
        assert page.undefined
        assert page.figure("token-accuracy").value == 1.0
    assert page.figure("exact-f1").shown == "?"
    assert "because neither row has a span" in page.figure("exact-f1").note


def test_an_empty_sentence():
    for zero, value in (("1", 1.0), ("0", 0.0), ("undefined", None)):
        page = shown(State((), (), (), zero=zero))
        assert page.figure("token-accuracy").value == value
        assert page.figure("exact-f1").value == value
    assert "nothing to compare" in page.difference


def test_nothing_predicted():
    page = shown(State(("a",), ("B-PER",), ("O",), zero="undefined"))
    assert page.modes[0].line.precision is None
    assert "nothing was predicted" in page.undefined


def test_what_moved_is_said():
    page = shown(preset("off"), preset("perfect"))
    assert page.moved.what == ("Prediction, token 11 “Nẵng”: I-ORG became B-LOC.",)
    assert "exact span F1 from 100.0\u202f% to 57.1\u202f%" in page.moved.effect
    assert page.figure("exact-f1").was == "100.0\u202f%"
    same = shown(preset("off", "discard"), preset("off"))
    assert same.moved.effect == (
        "Token accuracy, exact and partial F1 and the number of illegal tags stay."
    )
    assert "now “discard”" in same.moved.what[0]
    assert shown(preset("off"), preset("off")).moved is None
    many = shown(preset("missed"), preset("perfect"))
    assert many.moved.what == ("6 tags changed.",)


def test_another_sentence_moves_the_figures_by_what_they_were():
    old = preset("off")
    two = State(("a", "b"), ("B-PER", "O"), ("O", "O"))
    page = shown(two, old)
    assert page.moved.what == ("The sentence is another one.",)
    assert page.moved.effect == (
        "Token accuracy from 94.1\u202f% to 50.0\u202f%, exact span F1 from 57.1\u202f% to "
        "0.0\u202f%, partial span F1 from 85.7\u202f% to 0.0\u202f%."
    )
    assert page.figure("token-accuracy").was == "94.1\u202f%"
    one = State(("a",), ("B-PER",), ("B-PER",))
    assert shown(one, preset("perfect")).moved.effect == ""


@pytest.mark.parametrize(
    ("n", "said"), [(1, "1 of 1 token has the right tag"), (2, "2 of 2 tokens have the right tag")]
)
def test_one_token_is_one(n, said):
    page = shown(State(("a",) * n, ("O",) * n, ("O",) * n))
    assert page.figure("token-accuracy").note == said


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_on_illegal_tags_hold_for_every_scheme(scheme):
    """A span may be illegal by its end, and an illegal tag need be no I."""
    letter = next(letter for p, letter in SCHEMES[scheme].letters.items() if p != "O")
    row = (f"{letter}-PER", "O")
    page = shown(State(("a", "b"), row, row, illegal="discard", scheme=scheme))
    texts = [page.effect, *(choice.title for choice in page.illegal)]
    texts += [reason for other in page.others for reason in other.reasons]
    assert not [text for text in texts if "illegal I" in text or "read as B" in text]
    kept = [len(shown(State(("a", "b"), row, row, i, scheme)).gold) for i in ("open", "discard")]
    illegal = page.figure("illegal-gold").value
    assert kept == [1, 0 if illegal else 1]


def test_a_reason_of_conlleval_stands_only_where_it_changes_the_spans():
    def reasons(gold: str, illegal: str = "discard") -> list[str]:
        row = tuple(gold.split())
        tokens = tuple("w" * len(row))
        page = shown(State(tokens, row, row, illegal, "BIOES"))
        return list(next(other for other in page.others if other.key == "conlleval").reasons)

    (one,) = reasons("B-PER E-PER O I-LOC")
    assert "what an illegal tag opens or ends" in one
    assert [r for r in reasons("S-PER S-PER", "open") if "touching spans" in r]
    (one,) = reasons("S-PER I-PER", "open")
    assert one.startswith("It opens no span at an S")


def test_each_token_is_explained():
    page = shown(preset("illegal", "discard"))
    assert len(page.steps) == 18
    assert page.steps[7].pred.illegal == "Illegal in BIO: I-ORG after O."
    assert page.steps[7].pred.said.startswith("Thrown away")
    assert [step.pred.action for step in page.steps[7:12]] == ["dropped"] * 5
    assert page.steps[12].gold.closes == "Closes ORG [6,11]."
    assert page.steps[17].gold.closes == "Closes LOC [15,16]."
    assert [column.pred.dropped for column in page.columns[6:13]] == [False, *[True] * 5, False]
    assert [column.place for column in page.columns if column.differs] == [6]


def test_what_other_scorers_say():
    state = preset("illegal")
    found = {other.key: other for other in shown(state).others}
    assert found["seqeval"].same
    assert found["conlleval"].same
    assert not found["seqeval-strict"].same
    assert (found["seqeval-strict"].pred, found["seqeval-strict"].f1) == (2, 0.8)
    assert "throws away" in found["seqeval-strict"].reasons[0]
    strict = {other.key: other for other in shown(replace(state, illegal="discard")).others}
    assert strict["seqeval-strict"].same
    for key in ("seqeval", "conlleval", "nervaluate"):
        assert not strict[key].same
        assert strict[key].f1 == 2 / 3
        assert "keeps what an illegal tag opens" in strict[key].reasons[0]
    assert "processed 17 tokens with 3 phrases" in found["conlleval"].text


def test_other_scorers_print_0_for_nothing():
    page = shown(State(("a",), ("B-PER",), ("O",)))
    for other in page.others:
        assert other.precision == 0.0
        assert not other.same
        assert "nothing to divide by" in other.reasons[0]


def test_a_scorer_that_stops():
    page = shown(State(("a",), ("S-PER",), ("S-PER",), scheme="BIOES"))
    found = {other.key: other for other in page.others}
    assert found["nervaluate"].gold is None
    assert "S-PER" in found["nervaluate"].reasons[0]
    assert page.measures[0].theirs is None


def test_semeval_counts():
    rows = {row.ours.name: row.ours for row in shown(first_state()).measures}
    five = {
        name: (r.correct, r.incorrect, r.partial, r.missed, r.spurious) for name, r in rows.items()
    }
    assert five == {
        "strict": (2, 1, 0, 0, 1),
        "exact": (2, 1, 0, 0, 1),
        "partial": (2, 0, 1, 0, 1),
        "type": (3, 0, 0, 0, 1),
    }


ANSWERS: dict[str, tuple[Row, int, bool]] = {
    "click": ("pred", 9, False),
    "nothing": ("pred", 10, True),
    "discard": ("pred", 12, True),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_puzzles_start_unsolved(name):
    start = PUZZLES[name].start
    page = shown(start)
    assert start.puzzle == name
    assert not page.puzzle.solved
    assert page.puzzle.goal in [choice.title for choice in page.puzzles if choice.current]


@pytest.mark.parametrize("name", ANSWERS)
def test_puzzles_that_one_click_solves(name):
    row, place, back = ANSWERS[name]
    start = PUZZLES[name].start
    assert shown(start.clicked(row, place, back=back)).puzzle.solved
    clicks = [start.clicked(row, k, back=b) for k in range(17) for b in (False, True)]
    assert sum(shown(state).puzzle.solved for state in clicks) < len(clicks)


def test_the_one_click_moves_f1_and_not_accuracy():
    start = PUZZLES["click"].start
    page = shown(start.clicked("pred", 9), start)
    assert page.figure("token-accuracy").was == ""
    assert page.figure("exact-f1").was == "57.1\u202f%"
    assert page.figure("exact-f1").value == 0.5


def test_every_span_nearly_right():
    pred = list(GOLD)
    pred[2] = pred[11] = pred[16] = "O"
    state = replace(PUZZLES["nearly"].start, pred=tuple(pred))
    page = shown(state)
    assert page.puzzle.solved
    assert page.figure("exact-f1").value == 0.0
    assert page.figure("partial-f1").value == 1.0


def test_a_puzzle_is_left_by_its_own_link():
    start = PUZZLES["click"].start
    current = next(choice for choice in shown(start).puzzles if choice.current)
    assert current.state == replace(start, puzzle="")


def test_the_self_check():
    quiz = shown(first_state()).quiz
    assert quiz.score == "0/3, not answered yet"
    assert not any(one.why for one in quiz.questions)
    right = tuple(question.right for question in QUESTIONS)
    assert shown(replace(first_state(), answers=right)).quiz.score == "3/3"
    wrong = replace(first_state(), answers=("a", "", ""))
    assert shown(wrong).quiz.questions[0].verdict == "Not so."


def test_the_self_check_is_true():
    spans = shown(State(("a", "b", "c"), ("O",) * 3, ("B-PER", "I-PER", "B-PER")))
    assert len(spans.pred) == 2
    gold = ("B-PER", *["I-PER"] * 5, *["O"] * 14)
    page = shown(State(tuple("abcdefghijklmnopqrst"), gold, (*gold[:5], "O", *gold[6:])))
    assert page.figure("token-accuracy").value == 0.95
    assert page.figure("exact-f1").value == 0.0
    missed = line(preset("missed"))
    assert (missed.precision, missed.recall, missed.f1) == (1.0, 2 / 3, 0.8)
