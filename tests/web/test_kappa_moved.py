"""What the kappa lab says of a step: what was done, what it did to kappa, and what stayed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.web.labs.kappa import State, view
from assay.web.labs.kappa.edits import apply
from assay.web.labs.kappa.presets import FIRST, PRESETS
from assay.web.speech import english
from strategies import tables

STILL = "Kappa did not move by a single bit: "


def seen(state, before=None):
    """The view of a state, in English."""
    return view(state, before, english())


def step(state, do):
    """The sentence about a pressed button."""
    return seen(apply(state, do), state).moved


def to(before, after):
    return seen(after, before).moved


def of(cells, labels=("yes", "no")):
    return State(cells, labels)


def test_nothing_is_said_of_no_step():
    assert seen(FIRST.state).moved is None
    assert to(FIRST.state, FIRST.state) is None
    # Another scale is no step of the table.
    assert to(FIRST.state, State(FIRST.cells, FIRST.labels, scale="fleiss")) is None


def test_the_ghost_is_of_the_last_figures():
    got = seen(apply(FIRST.state, "add.0.0"), FIRST.state)
    assert got.moved.before.kappa == F(4, 1004)
    assert got.moved.before.po == F(9, 10)
    kappa = next(dot for dot in got.dots if dot.ghost is not None)
    assert kappa.name == "Cohen's kappa"
    assert kappa.ghost == float(F(4, 1004))
    # Where there was no value, there is no ghost.
    got = seen(apply(PRESETS["one-label"].state, "add.0.0"), PRESETS["one-label"].state)
    assert all(dot.ghost is None for dot in got.dots)


def test_a_cell():
    moved = step(FIRST.state, "add.0.1")
    assert moved.what == "violation / safe: 47 → 48."
    assert moved.sums == ()
    now = apply(FIRST.state, "add.0.1")
    by = seen(now).figures.kappa - F(4, 1004)
    assert moved.effect == f"Kappa moved by {english().number(by, 3, sign=True)}."
    assert step(FIRST.state, "take.1.1").effect == "Kappa moved by less than 0.0005."


def test_some_cells_are_named_and_many_are_counted():
    before = PRESETS["three"].state
    assert to(before, replace(before, cells=((71, 7, 1), (5, 9, 0), (2, 3, 4)))).what == (
        "safe / safe: 70 → 71, sensitive / sensitive: 8 → 9."
    )
    many = replace(before, cells=((71, 8, 2), (6, 9, 0), (2, 3, 4)))
    assert to(before, many).what == "5 cells changed."


def test_a_label_more():
    moved = step(FIRST.state, "more")
    assert moved.what == "Added the label “3”, which nobody has used."
    assert moved.effect == STILL + "an unused label adds 0 to Po and 0 to Pe."


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (((70, 7, 1), (5, 8, 0), (2, 3, 4)), "10 items went with it"),
        (((70, 7, 0), (5, 8, 0), (0, 0, 1)), "1 item went with it"),
        (((70, 7, 0), (5, 8, 0), (0, 0, 0)), "0 items went with it, so nothing changed"),
    ],
)
def test_a_label_less(cells, words):
    state = State(cells, ("safe", "sensitive", "violation"))
    moved = step(state, "fewer")
    assert moved.what == f"Removed the label “violation”; {words}."
    if words.startswith("0"):
        assert moved.effect == "Kappa is exactly as before."


def test_twice_the_size():
    moved = step(FIRST.state, "double")
    assert moved.what == "Doubled every cell."
    assert moved.effect == STILL + "the shares are the same; only the interval is narrower."
    assert moved.sums == (
        ("n", "1,000", "2,000"),
        ("row sums", "50 · 950", "100 · 1,900"),
        ("column sums", "56 · 944", "112 · 1,888"),
    )
    narrow = seen(apply(FIRST.state, "double")).interval
    wide = seen(FIRST.state).interval
    assert narrow.high - narrow.low < wide.high - wide.low


def test_labels_swapped():
    moved = step(FIRST.state, "swap")
    assert moved.what == "Put the labels in another order, for both raters."
    assert moved.effect.startswith(STILL)
    assert moved.sums[1] == ("row sums", "50 · 950", "950 · 50")
    turned = of(((897, 53), (47, 3)), FIRST.labels)
    assert to(FIRST.state, turned).what == "Exchanged labels, for both raters at once."


def test_raters_swapped():
    moved = step(FIRST.state, "transpose")
    assert moved.what == "The raters changed places."
    assert moved.effect == STILL + "kappa treats both raters alike."
    assert moved.sums[1:] == (
        ("row sums", "50 · 950", "56 · 944"),
        ("column sums", "56 · 944", "50 · 950"),
    )


def test_into_and_out_of_what_is_not_defined():
    assert step(FIRST.state, "clear").effect == "Kappa was 0.004, and is not defined now."
    empty = apply(FIRST.state, "clear")
    assert step(empty, "add.0.0").effect == "Kappa is not defined, as before."
    one = apply(empty, "add.0.0")
    assert step(one, "add.1.1").effect == "Kappa is defined now."
    assert step(empty, "more").effect == "Kappa is not defined, as before."


def test_other_names():
    assert to(FIRST.state, State(FIRST.cells, ("bad", "good"))).what == "Renamed labels."
    assert to(FIRST.state, PRESETS["reviews"].state).what == "Another table."
    assert to(FIRST.state, PRESETS["three"].state).what == "Another table."


@given(tables(size=(2, 3)), tables(size=(2, 3)), st.booleans())
def test_what_is_said_of_kappa_is_so(one, two, same):
    before, after = (
        State(tuple(map(tuple, rows)), ("a", "b", "c")[: len(rows)]) for rows in (one, two)
    )
    if same:
        after = replace(before, cells=tuple(tuple(3 * n for n in row) for row in before.cells))
    got = seen(after, before)
    if got.moved is None:
        assert after.cells == before.cells
        return
    was, now = got.moved.before.kappa, got.figures.kappa
    effect = got.moved.effect
    stayed = effect.startswith((STILL, "Kappa is exactly", "Kappa is not defined, as before"))
    assert stayed == (was == now)
    if got.moved.sums:
        assert was == now
    if effect.startswith("Kappa moved by less"):
        assert 0 < abs(now - was) < F(1, 2000)
