"""The page of ordered labels: presets with their exact figures, the trial, misread scales."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.agreement.weights import WEIGHTS
from assay.web.labs.ordered import State, edit, parse, view
from assay.web.labs.ordered.presets import PRESETS
from assay.web.labs.ordered.state import numbers, spread
from assay.web.query import BadState, Query
from assay.web.speech import english

BY_KEY = {preset.key: preset for preset in PRESETS}


def shown(key, **rest):
    preset = BY_KEY[key]
    return view(State(preset.cells, preset.labels, **rest), None, english())


def kappas(page):
    return {name: page.figures[f"kappa-{name}"].value for name in WEIGHTS}


def form(state, do="", **changed):
    pairs = [("form", "1"), ("weights", state.weights), ("far", str(state.far))]
    pairs += [("r", name) for name in state.raters]
    pairs += [("l", name) for name in state.labels]
    pairs += [
        ("c", changed.get(f"c-{i}-{j}", str(n)))
        for i, row in enumerate(state.cells)
        for j, n in enumerate(row)
    ]
    return Query([*pairs, ("do", do)])


def test_first_state():
    page = shown("first")
    got = kappas(page)
    assert got["identity"] == Fraction(1679, 3879)
    assert got["linear"] == Fraction(4071, 6721)
    assert got["quadratic"] == Fraction(212, 289)
    assert got["ordinal"] == Fraction(14671, 21171)
    assert got["radical"] == pytest.approx(0.5217769441, abs=1e-9)
    assert page.figures["alpha-ordinal"].value == Fraction(94124333, 126150000)
    assert page.figures["alpha-interval"].value == Fraction(6068, 8257)
    assert page.figures["percent"].value == Fraction(56, 100)
    assert [one.items for one in page.distances] == [56, 37, 6, 0, 1]
    assert sum(one.lost for one in page.distances) == 1
    assert page.headline == (
        "They differ on 44 of 100 items, on 37 of them by one step. If every miss is as bad, "
        "kappa is 0.433; under quadratic weights it is 0.734."
    )
    assert page.reversal
    assert page.wrong == ()


def test_costs_of_a_step():
    """One of four steps costs all, a quarter, a sixteenth, a tenth, a half."""
    page = shown("first")
    cost = dict(zip(WEIGHTS, page.distances[1].costs, strict=True))
    assert cost["identity"] == (1, 1)
    assert cost["linear"] == (Fraction(1, 4), Fraction(1, 4))
    assert cost["quadratic"] == (Fraction(1, 16), Fraction(1, 16))
    assert cost["ordinal"] == (Fraction(1, 10), Fraction(1, 10))
    assert cost["radical"] == (0.5, 0.5)
    assert cost["ratio"] == (Fraction(1, 36), Fraction(1, 4))
    for one in page.distances[4].costs[:6]:
        assert one == (1, 1)
    assert [len(row) for row in page.matrix] == [5] * 5
    assert page.matrix[0][1].weight == Fraction(3, 4)


def test_near_and_far_misses_look_the_same_without_weights():
    near, far = shown("near"), shown("far")
    assert (near.rows, near.columns) == (far.rows, far.columns)
    for name in ("kappa-identity", "percent", "alpha-nominal"):
        assert near.figures[name].value == far.figures[name].value
    assert near.figures["kappa-identity"].value == Fraction(473, 633)
    assert near.figures["kappa-quadratic"].value == Fraction(31, 33)
    assert far.figures["kappa-quadratic"].value == Fraction(2, 3)
    assert "never by more than one step" in near.headline


def test_a_scale_in_words():
    page = shown("text")
    got = kappas(page)
    assert (got["identity"], got["linear"], got["quadratic"]) == (
        Fraction(1, 11),
        Fraction(8, 43),
        Fraction(2, 7),
    )
    (wrong,) = page.wrong
    assert "(high, low, medium)" in wrong.said
    assert [row[2] for row in wrong.rows] == [Fraction(1, 11), Fraction(2, 47), 0]
    assert not page.valued
    assert not page.reversal  # ratios know which end is 0


def test_a_label_that_nobody_used():
    page = shown("unused")
    got = kappas(page)
    assert (got["linear"], got["quadratic"]) == (Fraction(6, 11), Fraction(17, 26))
    assert page.figures["alpha-ordinal"].value == Fraction(1423, 1936)
    assert page.figures["alpha-interval"].value == Fraction(56, 83)
    (wrong,) = page.wrong
    assert wrong.said.startswith("Nobody used 3.")
    assert [row[2] for row in wrong.rows] == [Fraction(19, 43), Fraction(17, 29), Fraction(8, 11)]


def test_two_labels():
    page = shown("two")
    assert "every weight gives 0.490" in page.headline
    assert page.trial is None


def test_one_label_is_not_defined():
    page = shown("one-label")
    assert set(kappas(page).values()) == {None}
    assert page.headline.startswith("Kappa is not defined: only one label")
    assert page.squares == ""
    assert page.figures["ac2"].value == 1


def test_empty_table():
    page = view(State(((0, 0), (0, 0)), ("a", "b")), None, english())
    assert page.headline.startswith("There is no item yet")
    assert all(one.value is None and one.reason for one in page.figures.values())
    assert page.distances[0].share is None


def test_all_agree():
    page = view(State(((3, 0, 0), (0, 4, 0), (0, 0, 5)), ("1", "2", "3")), None, english())
    assert page.headline.startswith("They agree on all 12 items")
    assert set(kappas(page).values()) == {1}
    assert page.trial is None
    assert all(one.lost is None for one in page.distances)


def test_quadratic_kappa_is_a_correlation():
    for key in ("first", "near", "far", "text", "unused"):
        figures = shown(key).figures
        assert figures["ccc"].value == figures["kappa-quadratic"].value
        assert abs(figures["icc"].value - figures["ccc"].value) < Fraction(1, 20)
    assert "(0.7355)" in shown("first").squares


def test_trial():
    page = shown("first")
    assert page.trial is not None
    assert page.trial.more is not None
    rows = {row.title: row for row in page.trial.rows}
    assert (page.trial.moved, page.trial.steps) == (5, 4)
    assert rows["Percent agreement"].change == 0
    changed = {title: abs(row.change) for title, row in rows.items()}
    assert max(changed, key=lambda title: changed[title]) == "Weighted kappa, quadratic"
    assert "Weighted kappa, quadratic notices most" in page.trial.said
    assert "Percent agreement not at all" in page.trial.said
    assert page.trial.more.far == 6
    assert page.trial.fewer.far == 4
    still = shown("first", far=0).trial
    assert all(row.change == 0 for row in still.rows)
    assert still.said == ""
    assert still.fewer.far == 0
    most = shown("first", far=999).trial
    assert most.moved == 37
    assert most.more.far == 37
    applied = edit(form(State(), "apply"))
    assert applied.apart(4) == 6
    assert applied.apart(1) == 32


def test_spread():
    cells = ((1, 2, 0), (3, 1, 1), (0, 0, 1))
    assert spread(cells, 1) == (((1, 2, 0), (2, 1, 1), (1, 0, 1)), 1)
    assert spread(cells, 99) == (((1, 0, 3), (0, 1, 0), (3, 0, 1)), 6)
    assert spread(((1, 2), (3, 4)), 5) == (((1, 2), (3, 4)), 0)


def test_ratio_weights_of_negative_labels():
    page = view(State(((3, 1), (1, 3)), ("-1", "1"), weights="ratio"), None, english())
    assert page.figures["kappa-ratio"].value is None
    assert page.figures["kappa-ratio"].reason.startswith("ratios need labels of 0 and above")
    assert page.figures["kappa-linear"].value == Fraction(1, 2)
    assert page.matrix == ()
    assert page.figures["ac2"].value is None


def test_labels_that_are_numbers_count_by_value():
    even = view(State(labels=("1", "2", "3", "4", "5")), None, english())
    steep = view(State(labels=("1", "2", "4", "8", "16")), None, english())
    assert steep.valued
    assert steep.figures["kappa-linear"].value != even.figures["kappa-linear"].value
    assert steep.figures["kappa-ordinal"].value == even.figures["kappa-ordinal"].value
    costs = steep.distances[1].costs[WEIGHTS.index("linear")]
    assert costs == (Fraction(1, 15), Fraction(8, 15))
    assert numbers(("5", "4.5", "−1")) == (5, 4.5, -1)
    assert numbers(("1", "1.0")) is None
    assert numbers(("1", "x")) is None


def test_numbers_out_of_order_are_no_words():
    cells = ((5, 1, 0), (1, 5, 1), (0, 1, 5))
    page = view(State(cells, ("1", "3", "2")), None, english())
    assert page.counted.startswith("The labels are numbers, but out of order")
    assert page.wrong == ()
    assert not page.valued
    ordered = view(State(cells, ("1", "2", "3")), None, english())
    assert ordered.counted.startswith("The labels are numbers, and their values are used")
    words = view(State(cells, ("a", "c", "b")), None, english())
    assert words.counted.startswith("The labels are words in the order of the table")
    assert "(a, b, c)" in words.wrong[0].said


def test_every_weight_that_is_defined():
    """Ratio weights are none for labels below 0, and the sentence leaves them out."""
    cells = ((1, 2), (3, 4))
    page = view(State(cells, ("-1", "1"), weights="ratio"), None, english())
    assert "every weight but ratio, which these labels do not allow, gives −0.087" in page.headline
    assert "every weight gives −0.087" in view(State(cells, ("1", "2")), None, english()).headline


def test_one_item():
    one = view(State(((1, 0, 0), (0, 0, 0), (0, 0, 0)), ("1", "2", "3")), None, english())
    assert one.headline.startswith("Kappa is not defined")
    miss = view(State(((0, 1, 0), (0, 0, 0), (0, 0, 0)), ("1", "2", "3")), None, english())
    assert miss.headline.startswith("They differ on 1 of 1 item, never by more than one step.")
    far = view(State(((0, 0, 1), (0, 0, 0), (0, 0, 0)), ("1", "2", "3")), None, english())
    assert far.headline.startswith("They differ on 1 of 1 item, on 0 of them by one step.")


@pytest.mark.parametrize(
    ("k", "do", "said"),
    [(8, "more", "8 labels are the most"), (2, "fewer", "2 labels are the few")],
)
def test_limits_are_said(k, do, said):
    state = State(((1,) * k,) * k, tuple("abcdefgh"[:k]))
    with pytest.raises(BadState) as caught:
        edit(form(state, do))
    assert english().say(caught.value.message).startswith(said)


def test_what_moved():
    before = State()
    page = view(edit(form(before, "add.0.4")), before, english())
    assert page.moved.startswith("Moved: Cohen's kappa 0.433 → ")
    assert page.figures["kappa-quadratic"].before == Fraction(212, 289)
    same = view(State(far=7), before, english())
    assert same.moved == ""


def test_presets_and_weights_are_links():
    page = view(State(), None, english())
    assert [one.current for one in page.presets] == [True] + [False] * 6
    trial = page.trial
    assert trial is not None
    links = [one.state for one in (*page.presets, *page.weights)]
    for state in (*links, trial.more, trial.fewer):
        assert state is not None
        assert parse(Query(state.query().items())) == state


def test_buttons_of_the_table():
    state = State(weights="radical", far=3)
    assert edit(form(state)) == state
    assert edit(form(state, "add.0.1")).cells[0][1] == 6
    assert edit(form(state, "swap")).labels == ("5", "4", "3", "2", "1")
    assert edit(form(state, "transpose")).cells[1][0] == 5
    assert edit(form(state, "fewer")).k == 4
    assert edit(form(state, "more")).labels[-1] == "6"
    assert edit(form(state, "clear")).n == 0
    assert edit(form(state, "add.0.1")).weights == "radical"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("weights=cubic", "weights=cubic is not known; one of: identity, linear"),
        ("far=1000", "a whole number from 0 to 999"),
        ("t=1,2;3", "row 2 has 1 cells"),
        ("t=1,2;3,x", "Row 2, column 2"),
        ("t=1", "A 1 × 1 table does not fit here"),
        ("t=1,2;3,4&labels=a", "2 names are needed"),
        ("t=1,2;3,4&labels=e%CC%81,%C3%A9", "“é” is there twice"),
    ],
)
def test_bad_addresses(query, said):
    with pytest.raises(BadState) as caught:
        parse(Query.of(query))
    assert said in english().say(caught.value.message)


def test_largest_table():
    most = State(((999_999_999,) * 8,) * 8, tuple("12345678"))
    assert view(most, None, english()).figures["kappa-identity"].value == 0


def test_program_runs():
    state = State(BY_KEY["text"].cells, BY_KEY["text"].labels)
    page = view(state, None, english())
    found: list = []
    exec(page.python.replace("print(", "found.append("), {"found": found})
    assert [one.exact for one in found] == [
        page.figures[name].value for name in ("kappa-linear", "ac2", "alpha-ordinal")
    ]
