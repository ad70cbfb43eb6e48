"""Guesses, puzzles, questions, weights, swapped labels, exports and pasted tables."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.web.labs.kappa import State, edit, parse, view
from assay.web.labs.kappa.edits import apply, customised
from assay.web.labs.kappa.exports import tex
from assay.web.labs.kappa.paste import MAX_PASTE, pasted
from assay.web.labs.kappa.presets import FIRST, PRESETS
from assay.web.labs.kappa.puzzles import PUZZLES, QUESTIONS
from assay.web.labs.kappa.state import MAX_CELL, default_labels
from assay.web.query import BadState, Query
from assay.web.speech import english
from strategies import tables


def form(state, do="", **changed):
    """The page's form as a browser sends it; ``changed`` are fields by name and place."""
    pairs = [("form", "1"), ("weights", state.weights), ("scale", state.scale)]
    pairs += [("puzzle", state.puzzle), ("guess", state.guess)]
    pairs += [("r", name) for name in state.raters] + [("l", name) for name in state.labels]
    pairs += [
        ("c", changed.get(f"c{i}{j}", str(n)))
        for i, row in enumerate(state.cells)
        for j, n in enumerate(row)
    ]
    pairs += [
        ("w", changed.get(f"w{i}{j}", str(float(w))))
        for i, row in enumerate(state.matrix)
        for j, w in enumerate(row)
        if i < j
    ]
    pairs += [(f"q{i + 1}", one) for i, one in enumerate(state.answers) if one]
    return Query([*pairs, ("do", do)])


def shown(state):
    return view(state, None, english())


def of(cells, **rest):
    return State(cells, default_labels(len(cells)), **rest)


# Buttons and fields


@given(tables(size=(2, 8)))
def test_a_form_sent_as_it_is_changes_nothing(rows):
    state = of(tuple(map(tuple, rows)), weights="linear", scale="regier", answers=("a", "", "c"))
    assert edit(form(state)) == state
    assert edit(form(customised(state))) == customised(state)


def test_plus_and_minus_stay_within_bounds():
    state = FIRST.state
    assert apply(state, "add.1.0").cells == ((3, 47), (54, 897))
    assert apply(state, "take.0.0").cells == ((2, 47), (53, 897))
    empty = apply(state, "clear")
    assert apply(empty, "take.0.0") == empty
    full = replace(state, cells=((MAX_CELL, 0), (0, 0)))
    assert apply(full, "add.0.0") == full
    with pytest.raises(BadState):
        apply(full, "double")


def test_a_typed_cell_and_a_button_at_once():
    assert edit(form(FIRST.state, "add.0.0", c00="10", c01=" ")).cells == ((11, 0), (53, 897))


@pytest.mark.parametrize("do", ["add.2.0", "add.0", "add.-1.0", "add.0.0.0", "nothing", "double.1"])
def test_buttons_that_are_not_there(do):
    with pytest.raises(BadState) as caught:
        apply(FIRST.state, do)
    assert do in english().say(caught.value.message)


def test_labels_come_and_go_within_bounds():
    state = FIRST.state
    for k in range(3, 9):
        state = apply(state, "more")
        assert (state.k, state.labels[-1]) == (k, str(k))
        assert len(set(state.labels)) == k
    with pytest.raises(BadState, match="are the most"):
        apply(state, "more")
    for _ in range(6):
        state = apply(state, "fewer")
    assert state == FIRST.state
    with pytest.raises(BadState, match="are the fewest"):
        apply(state, "fewer")
    # A name in use is not given again.
    assert apply(State(FIRST.cells, ("3", "4")), "more").labels == ("3", "4", "5")


@pytest.mark.parametrize(
    ("place", "text", "field"),
    [("c01", "4x", "c-0-1"), ("c11", "-3", "c-1-1"), ("c00", "1.5", "c-0-0"),
     ("c10", "1000000000", "c-1-0"), ("c10", "٣", "c-1-0")],
)  # fmt: skip
def test_a_bad_cell_names_itself(place, text, field):
    with pytest.raises(BadState) as caught:
        edit(form(FIRST.state, **{place: text}))
    said = english().say(caught.value.message)
    assert caught.value.field == field
    assert f"“{text}”" in said
    assert f"Row {int(place[1]) + 1}, column {int(place[2]) + 1}" in said
    assert "999,999,999" in said


def test_a_form_with_missing_cells():
    pairs = [pair for pair in form(FIRST.state).pairs if pair != ("c", "897")]
    with pytest.raises(BadState) as caught:
        edit(Query(pairs))
    assert english().say(caught.value.message) == "The form holds 3 cells for 2 labels."


# A guess


@pytest.mark.parametrize(
    ("guess", "words"),
    [("0.5", "0.496 too high"), ("-0.5", "0.504 too low"), ("0", "close"),
     ("−0,04", "close"), ("1", "0.996 too high")],
)  # fmt: skip
def test_a_guess_beside_the_value(guess, words):
    state = parse(Query([("guess", guess)]))
    got = shown(state)
    assert words in got.guess.said
    assert not got.hidden


def test_a_guess_where_there_is_no_value():
    got = shown(replace(PRESETS["one-label"].state, guess="0.5"))
    assert "not defined" in got.guess.said


def test_hidden_until_guessed():
    got = shown(shown(FIRST.state).asking)
    assert got.hidden
    assert got.guess is None


@pytest.mark.parametrize("guess", ["2", "-1.01", "x", "nan", "inf", "0.123456789", "1e400"])
def test_no_guess(guess):
    with pytest.raises(BadState) as caught:
        parse(Query([("guess", guess)]))
    assert guess in english().say(caught.value.message)
    assert caught.value.field == "guess"


# Puzzles

SOLVED = {
    "zero-at-90": ((0, 0), (3, 97)),
    "below-zero-at-90": ((0, 4), (4, 92)),
    "high-and-skewed": ((18, 1), (1, 180)),
    "low-ceiling": ((10, 60), (0, 30)),
    "more-than-half": ((0, 4), (4, 92)),
}


@pytest.mark.parametrize("key", PUZZLES)
def test_puzzles_can_be_solved_and_are_not_at_first(key):
    first = shown(replace(FIRST.state, puzzle=key))
    assert first.puzzle.key == key
    assert not first.puzzle.solved
    assert first.puzzle.hint
    solved = shown(of(SOLVED[key], puzzle=key))
    assert solved.puzzle.solved
    assert [one.current for one in solved.puzzles] == [other == key for other in PUZZLES]
    # The link of the one that is being solved puts it away.
    by_key = dict(zip(PUZZLES, solved.puzzles, strict=True))
    assert by_key[key].state.puzzle == ""


@given(tables(size=(2, 3)))
def test_puzzles_are_decided_on_exact_numbers(rows):
    state = of(tuple(map(tuple, rows)))
    got = shown(state).figures
    solved = {key: one.solved(got) for key, one in PUZZLES.items()}
    nine = got.po is not None and got.po >= F(9, 10)
    assert solved["zero-at-90"] == (nine and got.kappa == 0)
    assert solved["below-zero-at-90"] == (nine and got.kappa is not None and got.kappa < 0)
    share = max(map(sum, zip(got.rows, got.columns, strict=True)))
    assert solved["high-and-skewed"] == (
        got.kappa is not None and got.kappa >= F(4, 5) and share >= F(9, 10) * 2 * got.n
    )
    assert solved["low-ceiling"] == (
        got.kappa is not None and got.kappa == got.kappa_max and got.kappa_max < F(1, 2)
    )
    assert solved["more-than-half"] == (
        got.kappa is not None and got.kappa < 0 and got.po > F(1, 2)
    )


def test_nothing_is_solved_on_an_empty_table():
    empty = shown(apply(FIRST.state, "clear")).figures
    assert not any(one.solved(empty) for one in PUZZLES.values())


# Three questions


@pytest.mark.parametrize(
    ("answers", "score"),
    [(("", "", ""), "0/3, not answered yet"), (("b", "", ""), "1/3, 2 still to answer"),
     (("a", "a", ""), "1/3, 1 still to answer"), (("b", "a", "c"), "3/3"),
     (("a", "b", "a"), "0/3"), (("b", "b", "c"), "2/3")],
)  # fmt: skip
def test_score(answers, score):
    quiz = shown(replace(FIRST.state, answers=answers)).quiz
    assert quiz.score == score
    for question, given_answer in zip(quiz.questions, answers, strict=True):
        assert bool(question.why) == bool(given_answer)
        assert question.verdict == (
            "" if not given_answer else "Right." if given_answer == question.right else "Not so."
        )


def test_the_explanation_has_the_right_numbers():
    """What the first answer's explanation says in numbers is what the first table gives."""
    got = shown(FIRST.state).figures
    text = QUESTIONS[0].why.text
    safe = next(one for one in got.terms if one.label == "safe")
    assert f"{safe.row / 1000:g} × {safe.column / 1000:g}" in text
    bad = next(one for one in got.terms if one.label == "violation")
    assert f"{bad.row / 1000:g} × {bad.column / 1000:g}" in text
    assert f"{float(100 * got.pe):.2f}" in text


# Weights


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weights_by_their_formula(weights):
    state = replace(PRESETS["three"].state, weights=weights)
    got = shown(state)
    power = 1 if weights == "linear" else 2
    w = [[1 - (abs(i - j) / 2) ** power for j in range(3)] for i in range(3)]
    assert got.matrix == tuple(map(tuple, w))
    n, rows, columns = state.n, state.rows, state.columns
    po = sum(w[i][j] * state.cells[i][j] for i in range(3) for j in range(3)) / n
    pe = sum(w[i][j] * rows[i] * columns[j] for i in range(3) for j in range(3)) / n**2
    assert got.weighted.value == pytest.approx((po - pe) / (1 - pe), abs=1e-12)
    assert [one.current for one in got.weights] == [
        name == weights for name in ("identity", "linear", "quadratic", "custom")
    ]


def test_labels_without_an_order_have_no_weights():
    assert shown(FIRST.state).weighted is None


def test_own_weights_begin_with_those_in_force():
    linear = replace(PRESETS["three"].state, weights="linear")
    own = customised(linear)
    assert own.weights == "custom"
    half, none = F(1, 2), F(0)
    assert own.matrix == ((F(1), half, none), (half, F(1), half), (none, half, F(1)))
    assert value_of(own) == value_of(linear)
    typed = edit(form(own, w01="0,25"))
    assert typed.matrix[0][1] == typed.matrix[1][0] == F(1, 4)
    assert value_of(typed) != value_of(own)
    # The address holds them exactly.
    assert parse(Query(list(typed.query().items()))) == typed
    # They go with their labels, and a label that nobody has used moves nothing.
    assert apply(typed, "swap").matrix[2][1] == F(1, 4)
    assert apply(typed, "transpose").matrix[0][1] == F(1, 4)
    assert apply(typed, "more").matrix[3] == (F(0), F(0), F(0), F(1))
    assert apply(apply(typed, "more"), "fewer") == typed
    for do in ("swap", "transpose", "more", "double"):
        assert value_of(apply(typed, do)) == pytest.approx(value_of(typed), abs=1e-15)
    with pytest.raises(BadState, match="weights for"):
        edit(Query([pair for pair in form(typed).pairs if pair != ("w", "0.25")]))


def value_of(state):
    """Weighted kappa, which is there."""
    weighted = shown(state).weighted
    assert weighted is not None
    return weighted.value


@pytest.mark.parametrize("text", ["x", "1.5", "-0.5", "0.12345", "½", "1e-1", "", "."])
def test_no_weight(text):
    own = customised(replace(PRESETS["three"].state, weights="linear"))
    with pytest.raises(BadState) as caught:
        edit(form(own, w01=text))
    assert caught.value.field == "w-0-1"
    assert "row 1, column 2" in english().say(caught.value.message)


# Labels that look swapped


def test_swapped_labels_are_found_and_read_so():
    state = State(((2, 40, 1), (38, 3, 0), (1, 2, 13)), ("cat", "dog", "bird"), ("Ana", "Bo"))
    got = shown(state)
    assert got.swapped is not None
    for part in ("Bo", "“cat” as “dog”", "“dog” as “cat”", "Ask Bo"):
        assert part in got.swapped.said
    again = shown(got.swapped.state)
    assert got.swapped.state.cells == ((40, 2, 1), (3, 38, 0), (2, 1, 13))
    assert apply(state, "relabel") == got.swapped.state
    assert english().number(again.figures.kappa) in got.swapped.said
    assert again.swapped is None
    assert apply(again.asking, "relabel").cells == again.asking.cells


def test_labels_that_are_as_they_should_be():
    for key in ("chatbot", "three", "reviews", "pictures", "one-label"):
        assert shown(PRESETS[key].state).swapped is None
    assert shown(apply(FIRST.state, "clear")).swapped is None


# To take along


def texts(state):
    return {name: text for name, _, text in shown(state).exports}


def ran(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "export", "exec"), {})
    return out.getvalue()


@pytest.mark.parametrize("key", PRESETS)
def test_python_runs_and_gives_the_same(key):
    state = PRESETS[key].state
    said = ran(texts(state)["python"])
    table = assay.Table(state.cells, labels=state.labels, raters=state.raters)
    assert str(assay.cohen_kappa(table)) in said


@pytest.mark.parametrize("weights", ["linear", "quadratic", "custom"])
def test_python_with_weights(weights):
    state = replace(PRESETS["three"].state, weights="linear")
    state = customised(state) if weights == "custom" else replace(state, weights=weights)
    said = ran(texts(state)["python"])
    assert f"{shown(state).weighted.value:.3f}" in said


def test_python_of_an_empty_table_runs():
    """No value, said so; no error of the library either."""
    code = texts(apply(FIRST.state, "clear"))["python"]
    with contextlib.suppress(assay.errors.AssayError):
        ran(code)


def test_nothing_in_a_name_becomes_code():
    names = ("'); import os; ('", '"""', "\\", "{x}")
    state = State(tuple((i, 1, 2, 3) for i in range(4)), names, ("a'b", 'c"d'))
    code = texts(state)["python"]
    seen: dict = {}
    exec(compile(re.sub(r"print\(.*\)", "", code), "export", "exec"), seen)
    assert tuple(seen["table"].categories) == names


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@pytest.mark.parametrize("labels", [("a", "b", "c"), ('say "x"', "b, or c", "$HOME 'é' %s")])
def test_the_command_prints_the_figure(weights, labels):
    state = State(((5, 2, 1), (3, 4, 2), (1, 1, 9)), labels, weights=weights)
    command = texts(state)["command"].replace("assay agree -", "assay agree - --json", 1)
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["coefficients"]
    kappa = next(one["value"] for one in found if one["name"] == "cohen_kappa")
    assert kappa == assay.cohen_kappa(table=state.cells, weights=weights).value


def test_grouped_numbers_are_read_as_the_page_prints_them():
    assert edit(form(FIRST.state, c11="1,897")).cells[1][1] == 1897
    with pytest.raises(BadState):
        edit(form(FIRST.state, c11="1.897"))


@pytest.mark.parametrize(("do", "k", "words"), [("fewer", 2, "2 labels are the fewest"),
                                                ("more", 8, "8 labels are the most")])  # fmt: skip
def test_buttons_at_their_limits(do, k, words):
    with pytest.raises(BadState) as caught:
        apply(of(((1,) * k,) * k), do)
    assert words in english().say(caught.value.message)


def test_names_that_look_the_same_are_the_same():
    with pytest.raises(BadState) as caught:
        parse(Query([("t", "1,2;3,4"), ("labels", "e\u0301,\u00e9")]))
    assert "there twice" in english().say(caught.value.message)


def test_latex():
    text = texts(FIRST.state)["latex"]
    assert r"violation & 3 & 47 \\" in text
    assert r"$\kappa = 0.004$" in text
    assert r"$n = 1000$" in text
    assert "not defined" in texts(PRESETS["one-label"].state)["latex"]
    assert tex("50 % & {x}_\\") == r"50 \% \& \{x\}\_\textbackslash{}"


def test_citation():
    assert "Cohen" in texts(FIRST.state)["cite"]
    assert "1960" in texts(FIRST.state)["cite"]


# A table that was pasted


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("3\t47\n53\t897", ("1", "2")),
        ("3\t47\r\n53\t897\r\n", ("1", "2")),
        ("\tyes\tno\nyes\t3\t47\nno\t53\t897", ("yes", "no")),
        ("A \\ B\tyes\tno\nyes\t3\t47\nno\t53\t897", ("yes", "no")),
        ("yes\tno\n3\t47\n53\t897", ("yes", "no")),
        ("yes\t3\t47\nno\t53\t897", ("yes", "no")),
        (",yes,no\nyes,3,47\nno,53,897\n", ("yes", "no")),
        ("3;47\n53;897", ("1", "2")),
        ("3 47\n53 897", ("1", "2")),
        ("\n\n3,47\n\n53,897\n\n", ("1", "2")),
        ("\t1\t2\n1\t3\t47\n2\t53\t897", ("1", "2")),
        ("x\t2\n3\t47\n53\t897", ("x", "2")),
        ("\t0\t5\n0\t3\t47\n5\t53\t897", ("0", "5")),
    ],
)
def test_pasted(text, labels):
    state = pasted(text)
    assert (state.cells, state.labels) == (FIRST.cells, labels)
    assert edit(Query([("paste", text)])) == state


def test_an_empty_cell_is_zero():
    assert pasted("3\t\n\t7").cells == ((3, 0), (0, 7))
    assert pasted("\t1\t2\n3\t4\t5\n6\t7\t8").cells == ((0, 1, 2), (3, 4, 5), (6, 7, 8))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Nothing was pasted"),
        (" \n\t\n", "Nothing was pasted"),
        ("3", "1 × 1 table does not fit"),
        ("3\t4\n5", "row 2 has 1 cells"),
        ("3\t4\n5\t6\n7\t8", "3 rows, but row 1 has 2 cells"),
        ("3\tx\n5\t6\n", "1 × 1 table does not fit"),
        ("3\t47\nno\t53", "“no”"),
        ("\t1\t2\nyes\t3\t47\nno\t53\t897", "differ"),
        ("1\t2\n3\t-4", "“-4”"),
        ("1\t2\n3\t4.5", "“4.5”"),
        ("\tyes\tno\nyes\t1\t2\nmaybe\t3\t4", "differ"),
        ("\tyes\tyes\nyes\t1\t2\nyes\t3\t4", "there twice"),
        ("\n".join("\t".join("1" * 9) for _ in range(9)), "9 × 9 table does not fit"),
        ("abc", "No number"),
        ("1 000\t5\n6\t1.0", "“1 000”"),
        ("\ta\tb\tsum\na\t1\t2\t3\nb\t3\t4\t7\nsum\t4\t6\t10", "sums of the others"),
        ("1" * (MAX_PASTE + 1), "4,001 characters"),
    ],
)
def test_what_cannot_be_pasted(text, words):
    with pytest.raises(BadState) as caught:
        pasted(text)
    assert words in english().say(caught.value.message)


@given(st.text(st.sampled_from("0123 \t\n,;.-xé"), max_size=60))
def test_any_text_is_a_table_or_a_clear_refusal(text):
    said = ""
    try:
        state = pasted(text)
    except BadState as error:
        state, said = None, english().say(error.message)
    if state is None:
        assert said
    else:
        assert parse(Query(list(state.query().items()))) == state


def test_what_is_hidden_stays_hidden_while_the_table_changes():
    hidden = replace(FIRST.state, guess="ask")
    typed = form(hidden, c00="4")
    sent = Query([*typed.pairs, ("guess", "")])
    assert edit(sent).guess == "ask"
    assert edit(Query([*typed.pairs, ("guess", "0.5")])).guess == "0.5"
    assert apply(hidden, "show").guess == ""
    assert apply(replace(hidden, guess="0.5"), "show").guess == "0.5"
