"""The page of many raters: first state, presets, sentences, puzzles, buttons."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.web.labs.many import State, edit, parse, view
from assay.web.labs.many.figures import NAMES
from assay.web.labs.many.presets import PRESETS
from assay.web.labs.many.puzzles import PUZZLES, QUESTIONS
from assay.web.query import BadState, Query
from assay.web.speech import english

ROWS = {preset.key: preset.rows for preset in PRESETS}


def shown(rows=None, before=None, **rest):
    state = State(**rest) if rows is None else State(rows, **rest)
    return view(state, before, english())


def values(rows):
    return {name: one.value for name, one in shown(rows).figures.items()}


def form(state, do="", **changed):
    """The form of the page as a browser sends it."""
    pairs = [("form", "1")]
    pairs += [("l", name) for name in state.label_names]
    pairs += [("i", name) for name in state.item_names]
    pairs += [
        ("c", changed.get(f"c-{i}-{j}", str(n)))
        for i, row in enumerate(state.rows)
        for j, n in enumerate(row)
    ]
    pairs += [(f"q{k + 1}", a) for k, a in enumerate(state.answers)]
    pairs += [("puzzle", state.puzzle), ("do", do)]
    return Query(pairs)


def test_first_state():
    """Ten items, fourteen raters: recomputed by several independent libraries."""
    first = shown()
    assert {name: one.value for name, one in first.figures.items()} == {
        "unanimous": Fraction(1, 10),
        "pairwise": Fraction(172, 455),
        "fleiss": Fraction(4211, 20059),
        "alpha": Fraction(21621, 100295),
        "ac1": Fraction(18469, 81861),
        "s": Fraction(81, 364),
    }
    kappa = first.figures["fleiss"]
    assert (round(kappa.low, 4), round(kappa.high, 4)) == (0.0010, 0.4189)
    rounded = {name: round(float(one.value), 4) for name, one in first.figures.items()}
    assert rounded == {
        "unanimous": 0.1,
        "pairwise": 0.3780,
        "fleiss": 0.2099,
        "alpha": 0.2156,
        "ac1": 0.2256,
        "s": 0.2225,
    }
    assert first.ratings == 140
    assert not first.unequal
    assert first.headline.startswith("On 1 of 10 items all raters agree, and 37.8")
    kappas = [round(float(label.kappa), 7) for label in first.labels]
    assert kappas == [0.2012821, 0.0796703, 0.1715976, 0.0303814, 0.5076567]
    assert [item.name for item in first.items if item.hardest] == ["8"]


def test_chance_is_the_librarys():
    """The terms on screen add up to the library's chance agreement."""
    for key in ("first", "skewed", "unequal", "dissent"):
        got = shown(ROWS[key])
        chance = {one.figure.name: one.figure.expected for one in got.chance}
        assert float(sum(label.fleiss_term for label in got.labels)) == pytest.approx(
            chance["fleiss"], abs=1e-15
        )
        assert float(sum(label.ac1_term for label in got.labels)) == pytest.approx(
            chance["ac1"], abs=1e-15
        )
        assert chance["s"] == 1 / len(got.labels)
        assert sum(label.share for label in got.labels) == 1


def test_all_agree():
    got = shown(ROWS["unanimous"])
    assert set(values(ROWS["unanimous"]).values()) == {1}
    assert all(one.bound for one in got.figures.values())
    assert got.headline.endswith("kappa is 1.")


def test_one_label_is_not_defined():
    got = shown(ROWS["one-label"])
    for name in ("fleiss", "alpha"):
        one = got.figures[name]
        assert one.value is None
        assert one.reason.startswith("only one label is in use")
        assert one.low is None
    assert got.figures["ac1"].value == got.figures["s"].value == 1
    assert "not defined" in got.headline


def test_spread_evenly():
    """Five labels, two ratings each: kappa is −1 / (r − 1) with r = 10."""
    assert values(ROWS["even"])["fleiss"] == Fraction(-1, 9)
    assert "by chance more would" in shown(ROWS["even"]).headline


def test_one_dissent():
    got = values(ROWS["dissent"])
    assert got["alpha"] == 0
    assert got["pairwise"] == Fraction(23, 25)
    assert got["fleiss"] == Fraction(-1, 24)


def test_skewed_labels():
    got = values(ROWS["skewed"])
    assert got["ac1"] - got["fleiss"] > Fraction(1, 2)
    assert shown(ROWS["skewed"]).headline.startswith("89.0")


def test_unequal_numbers():
    """Items of 3, 3, 2, 4, 3, 1, 0 and 4 ratings; each convention has its own number."""
    got = shown(ROWS["unequal"])
    assert {name: one.value for name, one in got.figures.items()} == {
        "unanimous": Fraction(1, 2),
        "pairwise": Fraction(11, 18),
        "fleiss": Fraction(901, 2273),
        "alpha": Fraction(7, 20),
        "ac1": Fraction(2039, 4783),
        "s": Fraction(5, 12),
    }
    assert {name: value for name, _, value in got.estimators} == {
        "gwet": Fraction(901, 2273),
        "pooled": Fraction(1793, 4320),
        "pair-weighted": Fraction(79, 440),
        "fleiss1981": Fraction(2501, 9360),
    }
    assert got.sizes[0] == "Items have from 1 to 4 ratings."
    assert "1 item has one rating" in got.sizes[1]
    assert "1 item has no rating" in got.sizes[2]


def test_nothing_yet():
    got = view(State().cleared(), None, english())
    assert all(one.value is None and one.reason for one in got.figures.values())
    assert got.headline.startswith("There is no rating yet")
    assert got.hardest == got.apart == ""


def test_one_rating_an_item():
    got = shown(((1, 0), (0, 1)))
    assert all(one.value is None for one in got.figures.values())
    assert got.headline == "No item has two ratings, so nothing can be compared."


def test_one_item_has_no_interval():
    got = shown(((5, 1),))
    assert got.figures["alpha"].value == 0
    assert got.figures["fleiss"].value == Fraction(-1, 5)
    assert got.figures["fleiss"].no_interval.startswith("there is one item only")


def test_what_moved():
    before = State()
    now = before.with_cell(0, 0, 1)
    got = view(now, before, english())
    assert got.done == "Item 1, label 1: from 0 to 1."
    assert got.moved.startswith("Moved: ")
    assert "Fleiss' kappa 0.210 → " in got.moved
    assert got.figures["fleiss"].before == Fraction(4211, 20059)
    again = view(before, before, english())
    assert again.moved == again.done == ""
    assert not again.figures["fleiss"].moved


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.with_item(), "An item without a rating came or went: nothing else changed."),
        (lambda s: s.without_item(0), "An item went, with 14 ratings."),
        (lambda s: s.without_label(0), "A label went, with 20 ratings."),
        (lambda s: s.multiplied(), "Every rater is there twice now."),
    ],
)
def test_what_was_done(change, said):
    assert view(change(State()), State(), english()).done == said


def test_empty_item_moves_nothing():
    got = view(State().with_item(), State(), english())
    assert got.moved == "No figure moved."


def test_unused_label_moves_only_what_counts_labels():
    got = view(State().with_label(), State(), english())
    assert {name for name, one in got.figures.items() if one.moved} == {"ac1", "s"}
    assert got.done.startswith("A label that nobody used")


def test_changes_of_the_whole_table():
    swap, items, raters = shown().changes
    order = list(NAMES)
    assert all(swap.same)
    assert swap.narrower == pytest.approx(1.0)
    assert [n for n, same in zip(order, items.same, strict=True) if not same] == ["alpha"]
    # Σ over 2n items, divided by 2n(2n − 1) in place of n(n − 1).
    assert items.narrower == pytest.approx((9 / 19) ** 0.5)
    assert [n for n, same in zip(order, raters.same, strict=True) if same] == ["unanimous"]
    assert items.possible
    assert not shown(ROWS["skewed"]).changes[1].possible


SOLVED = {
    "below": ((5, 1), (6, 0), (6, 0)),
    "dissent": ((9, 1), (9, 0), (9, 0)),
    "apart": ROWS["skewed"],
    "split": ((29, 1), (1, 29), (29, 1)),
}


@pytest.mark.parametrize("key", PUZZLES)
def test_puzzles_can_be_solved(key):
    assert shown(SOLVED[key], puzzle=key).puzzle.solved
    assert not shown(puzzle=key).puzzle.solved
    assert shown().puzzle is None


def test_self_check():
    got = shown().quiz
    assert got.score == "0/3, not answered yet"
    assert not any(one.why for one in got.questions)
    right = tuple(question.right for question in QUESTIONS)
    done = shown(answers=right).quiz
    assert (done.right, done.score) == (3, "3/3")
    assert all(one.why for one in done.questions)


def test_presets_open_and_are_marked():
    for link in shown().presets:
        assert parse(Query(link.state.query().items())) == link.state
        current = [p.key for p in view(link.state, None, english()).presets if p.current]
        assert current == [link.key]


def test_program_runs():
    """The program on screen gives the figures on screen."""
    state = State(ROWS["skewed"], labels=("a's", "b"))
    text = view(state, None, english()).python.replace("print(", "found.append(")
    found: list = []
    exec(text, {"found": found})
    assert [one.exact for one in found] == [
        values(ROWS["skewed"])[name] for name in ("fleiss", "alpha", "ac1", "s")
    ]


@pytest.mark.parametrize(
    ("do", "after"),
    [
        ("", lambda s: s),
        ("add.1.0", lambda s: s.with_cell(1, 0, 1)),
        ("take.0.4", lambda s: s.with_cell(0, 4, 13)),
        ("take.0.0", lambda s: s),
        ("item", lambda s: s.with_item()),
        ("noitem.3", lambda s: s.without_item(3)),
        ("label", lambda s: s.with_label()),
        ("nolabel.2", lambda s: s.without_label(2)),
        ("swap", lambda s: s.swapped()),
        ("items2", lambda s: s.repeated()),
        ("raters2", lambda s: s.multiplied()),
        ("clear", lambda s: s.cleared()),
    ],
)
def test_buttons(do, after):
    assert edit(form(State(), do)) == after(State())


def test_form_keeps_the_rest():
    state = State(ROWS["dissent"], ("x", "y"), ("p", "q", "r", "s", "p"), ("a", "", "c"), "split")
    assert edit(form(state)) == state
    assert edit(form(state, "item")).items == ("p", "q", "r", "s", "p", "6")
    assert edit(form(state, "label")).labels == ("x", "y", "3")
    assert edit(form(state, **{"c-0-1": " 7 "})).rows[0] == (5, 7)
    assert edit(form(state, **{"c-0-1": ""})).rows[0] == (5, 0)
    assert edit(form(state, "swap")).labels == ("y", "x")


FULL = State(((999, 0),) * 30)
WIDE = State(((1,) * 8,))


@pytest.mark.parametrize(
    ("state", "do", "said"),
    [
        (FULL, "add.0.0", "A cell holds up to 999, and this one is full."),
        (FULL, "item", "The table has 30 items already, the most that fit here."),
        (FULL, "items2", "Every item twice would be more than 30 items."),
        (FULL, "raters2", "Every rater twice would put more than 999 into a cell."),
        (FULL, "nolabel.0", "Only 2 labels are left, the fewest a table can have."),
        (WIDE, "label", "The table has 8 labels already, the most that fit here."),
        (WIDE, "noitem.0", "This is the last item: a table needs one at least."),
    ],
)
def test_a_button_at_its_limit_says_so(state, do, said):
    with pytest.raises(BadState) as caught:
        edit(form(state, do))
    assert english().say(caught.value.message) == said


def test_bounds_hold():
    assert view(FULL, None, english()).figures["alpha"].value is None
    empty = State().cleared()
    assert edit(form(empty, "raters2")) == empty
    assert edit(form(empty, "take.0.0")) == empty
    assert edit(form(FULL, "add.0.1")).rows[0] == (999, 1)


def test_names_that_look_the_same():
    """Composed or not, a letter is one: labels may not share it, and items may."""
    state = parse(Query.of("t=1,2;3,4&labels=e%CC%81,b&items=e%CC%81,%C3%A9"))
    assert state.labels == ("é", "b")
    assert state.items == ("é", "é")
    with pytest.raises(BadState, match="is there twice"):
        edit(form(State(((1, 2),), ("e\u0301", "\u00e9"))))


def test_observed_agreement_is_compared_as_shown():
    """Alpha weighs items by their ratings, so its Po is another where they differ."""
    differ = shown(((999, 999), (999, 0)))
    assert differ.formula.startswith(
        "All four are (Po − Pe) / (1 − Pe). Alpha's Po is 0.6665, that of the others 0.7499:"
    )
    assert differ.apart.endswith("in what they call chance, and alpha also in how much each item "
                                 "counts.")  # fmt: skip
    for rows in (ROWS["first"], ((14, 0), (0, 1)), ((1, 0), (0, 1))):
        assert "from the same Po" in shown(rows).formula
    assert shown().apart.startswith("The four differ by 0.016 at most")


def test_one_label_that_can_be_compared():
    """Two labels are used, and only one of them by ratings that have a partner."""
    got = shown(((14, 0), (0, 1)))
    assert got.figures["alpha"].reason.startswith("only one label has a rating with a partner")
    assert got.figures["fleiss"].value == 1
    alone = shown(((14, 0), (1, 0)))
    assert alone.figures["alpha"].reason.startswith("only one label is in use")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (((14, 0), (0, 1)), "All raters agree on the one item that has two ratings or more,"),
        (((2, 0), (0, 2), (1, 0)), "All raters agree on each of the 2 items that have two ratings"),
        (((2, 0), (0, 2), (0, 0)), "All raters agree on each of the 2 items that have two ratings"),
        (((2, 0), (0, 2)), "All raters agree on every item, and"),
        (
            ((5, 1, 0), (0, 0, 1), (0, 1, 0)),
            "On 0 of 1 item with two ratings or more all raters agree,",
        ),
        (((3, 1), (0, 2), (0, 1)), "On 1 of 2 items with two ratings or more all raters agree,"),
        (((3, 1), (0, 4)), "On 1 of 2 items all raters agree,"),
    ],
)
def test_which_items_all_agree_on(rows, said):
    assert shown(rows).headline.startswith(said)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("t=1,2;3", "Counts of item 2: 1; of item 1: 2."),
        ("t=1,-2", "Item 1, label 2: a whole number from 0 to 999 is needed, not “-2”."),
        ("t=1,1000", "not “1000”"),
        ("t=1", "Number of labels: 1; 2 to 8 fit"),
        ("t=" + ";".join(["1,2"] * 31), "Number of items: 31; 1 to 30 fit"),
        ("t=1,2,3,4,5,6,7,8,9", "Number of labels: 9"),
        ("t=1,2&labels=a", "Labels: 2 names are needed"),
        ("t=1,2&labels=a,a", "“a” is there twice"),
        ("t=1,2&labels=a," + "b" * 41, "1 to 40 characters"),
        ("t=1,2&items=a%0Ab", "1 to 40 characters"),
        ("t=1,2&labels=e%CC%81,%C3%A9", "“é” is there twice"),
        ("q1=d", "q1=d is not known"),
        ("puzzle=x", "puzzle=x is not known"),
    ],
)
def test_bad_addresses(query, said):
    with pytest.raises(BadState) as caught:
        parse(Query.of(query))
    assert said in english().say(caught.value.message)


def test_bad_forms():
    with pytest.raises(BadState) as caught:
        edit(form(State(), **{"c-2-3": "many"}))
    assert caught.value.field == "c-2-3"
    for do in ("add", "add.0", "add.10.0", "add.0.9", "noitem.99", "swap.1", "<b>"):
        with pytest.raises(BadState, match="no button"):
            edit(form(State(), do))
    with pytest.raises(BadState, match="The form holds"):
        edit(Query([("l", "a"), ("l", "b"), ("i", "1"), ("c", "1")]))
    with pytest.raises(BadState, match="fit on this page"):
        edit(Query([("form", "1")]))
