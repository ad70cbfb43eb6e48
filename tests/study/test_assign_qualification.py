"""The test before everything else in an assignment: whole, first, and shown to some purpose."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from assay.study.assign import assignments
from study.designs import BETTER, LENGTH, QUALITY, design, designs, qualification


@given(designs())
def test_the_test_comes_to_everyone_whole_and_before_all_else(study):
    tasks = assignments(study)
    there = study.qualification.items if study.qualification else ()
    want = {(item.key, kind) for item in there for kind in study.kinds}
    for rater in range(len(study.raters)):
        own = [t for t in tasks if t.rater == rater]
        test = [t for t in own if t.qualification]
        assert own[: len(test)] == test
        assert {(t.item, t.kind) for t in test} == want
        assert len(test) == len(want)
        assert not any(t.check or t.repeat or t.pilot for t in test)
    # Nothing else is given out otherwise for its sake.
    plain = assignments(replace(study, qualification=None))
    assert [replace(t, order=0) for t in tasks if not t.qualification] == [
        replace(t, order=0) for t in plain
    ]


def test_raters_take_the_test_in_orders_of_their_own():
    study = design(4, 6, 2, qualification=qualification(6, gold={"quality": 5}))
    orders = {
        tuple(t.item for t in assignments(study) if t.rater == rater and t.qualification)
        for rater in range(6)
    }
    assert len(orders) == 6


def test_an_output_that_is_asked_about_is_shown_where_the_right_answer_is_known():
    """The reference is not rated on its dimension: that output would ask nothing of it."""
    against = replace(LENGTH, mechanism="magnitude", reference=100.0, reference_system="a")
    study = design(2, 8, 2, dimensions=(against, QUALITY), qualification=qualification(3, gold={
        "length": 50.0, "quality": 5,
    }))  # fmt: skip
    test = [t for t in assignments(study) if t.qualification]
    assert {t.systems for t in test} == {("b",)}
    assert {t.dimensions for t in test} == {("length", "quality")}
    named = design(
        2, 8, 2, systems=("a", "b", "c"), dimensions=(BETTER,),
        qualification=qualification(3, ("a", "b", "c"), gold={"better": "c"}),
    )  # fmt: skip
    shown = {t.unit[2] for t in assignments(named) if t.qualification}
    assert shown == {("a", "c"), ("b", "c")}
