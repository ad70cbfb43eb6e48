"""Assignments of any size: what is balanced, what is hidden, what comes when."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DesignError
from assay.study.assign import assignments
from assay.study.assign_blocks import Overlap, deal, quotas
from assay.study.assign_limits import impossible, without_overlap
from assay.study.assign_order import repeated, spread, with_repeats
from assay.study.assign_random import Stream
from assay.study.assign_sides import Rotation, swapped
from assay.study.assign_units import pairs_of, units_of
from study.designs import BETTER, LENGTH, QUALITY, TOGETHER, TOPIC, design, designs, items


def firsts(tasks):
    return [t for t in tasks if not (t.repeat or t.apart)]


def spread_of(counts, keys):
    """The largest difference, counting those that come not at all."""
    values = [counts.get(key, 0) for key in keys]
    return max(values, default=0) - min(values, default=0)


@given(designs())
@settings(max_examples=150)
def test_every_unit_has_its_ratings_by_different_raters(study):
    tasks = assignments(study)
    who = defaultdict(list)
    for task in firsts(tasks):
        who[task.unit].append(task.rater)
    units = units_of(study)
    assert len({(u.item, u.kind, tuple(sorted(u.systems))) for u in units}) == len(units)
    for unit in units:
        raters = who.pop((unit.item, unit.kind, tuple(sorted(unit.systems))))
        everybody = unit.pilot and study.pilot_all
        assert (
            len(raters) == len(set(raters)) == (len(study.raters) if everybody else study.per_item)
        )
    assert not who


@given(designs(together=False))
@settings(max_examples=150)
def test_loads_differ_by_at_most_one_in_all_and_for_each_system(study):
    tasks = firsts(assignments(study))
    raters = range(len(study.raters))
    assert spread_of(Counter(t.rater for t in tasks), raters) <= 1
    for what in {(t.kind, t.unit[2]) for t in tasks}:
        own = Counter(t.rater for t in tasks if (t.kind, t.unit[2]) == what)
        assert spread_of(own, raters) <= 1


@given(designs(together=True))
def test_the_raters_of_an_item_rate_all_of_it(study):
    who = defaultdict(set)
    for task in firsts(assignments(study)):
        who[task.item, task.kind, task.unit[2]].add(task.rater)
    of_item = defaultdict(set)
    for (item, _, _), raters in who.items():
        of_item[item].add(frozenset(raters))
    assert all(len(sets) == 1 for sets in of_item.values())


@given(designs(kinds=(QUALITY,), together=True))
def test_with_the_same_raters_everyone_has_the_same_number_of_items(study):
    pilot = study.pilot if study.pilot_all else 0
    seen = defaultdict(set)
    for task in firsts(assignments(study)):
        seen[task.rater].add(task.item)
    numbers = [len(seen[r]) for r in range(len(study.raters))]
    assert max(numbers) - min(numbers) <= 1
    assert sum(numbers) == pilot * len(study.raters) + (len(study.items) - pilot) * study.per_item


@given(designs(kinds=(BETTER, QUALITY)))
@settings(max_examples=150)
def test_sides_are_balanced_everywhere_at_once(study):
    tasks = [t for t in firsts(assignments(study)) if t.kind == "pair"]
    order = study.systems.index
    for of in (
        lambda t: (t.rater, t.unit[2]),
        lambda t: t.rater,
        lambda t: t.unit,
        lambda t: t.unit[2],
    ):
        balance: Counter = Counter()
        for task in tasks:
            balance[of(task)] += 1 if order(task.left) < order(task.right) else -1
        assert all(abs(n) <= 1 for n in balance.values())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 5)), max_size=60))
def test_sides_by_themselves(rows):
    """Also where a rater meets a unit several times, which assignments never do."""
    keys = [(r, p, (p, u)) for r, p, u in rows]
    got = swapped(keys, Stream(5))
    for of in (lambda k: k[:2], lambda k: k[0], lambda k: k[2], lambda k: k[1]):
        balance: Counter = Counter()
        for key, turned in zip(keys, got, strict=True):
            balance[of(key)] += 1 if turned else -1
        assert all(abs(n) <= 1 for n in balance.values())


@given(designs())
def test_orders_are_complete_and_the_pilot_comes_first(study):
    tasks = assignments(study)
    for rater in range(len(study.raters)):
        own = [t for t in tasks if t.rater == rater]
        assert [t.order for t in own] == list(range(len(own)))
        stages = [t.pilot for t in firsts(own)]
        assert stages == sorted(stages, reverse=True)
    piloted = {t.item for t in tasks if t.pilot}
    assert len(piloted) <= study.pilot
    if study.kinds == ("single",):
        assert len(piloted) == study.pilot


@given(designs())
def test_repeats_are_so_many_come_far_later_and_the_other_way_round(study):
    tasks = assignments(study)
    for rater in range(len(study.raters)):
        own = [t for t in tasks if t.rater == rater]
        first = {t.unit: t for t in firsts(own)}
        second = [t for t in own if t.repeat]
        assert len(second) == repeated(len(first), study.repeats)
        assert len({t.unit for t in second}) == len(second)
        for task in second:
            before = first[task.unit]
            assert task.order - before.order > len(first) // 2 or len(first) == 1
            assert task.systems == before.systems[::-1]


@given(designs())
def test_checks_come_to_everyone_once_and_spread(study):
    tasks = assignments(study)
    kinds = len(study.kinds)
    for rater in range(len(study.raters)):
        own = [t for t in tasks if t.rater == rater and not t.qualification]
        checks = [t for t in own if t.check]
        assert len(checks) == kinds * len(study.checks)
        others = len(own) - len(checks)
        gap = math.ceil(others / len(checks)) if checks else 0
        places = [t.order - own[0].order for t in checks]
        assert all(b - a <= 2 * gap + 1 for a, b in pairwise(places))
        if 0 < len(checks) <= others:
            assert places[0] > 0
            assert all(b - a > 1 for a, b in pairwise(places))


@given(designs(kinds=(TOGETHER,)))
def test_outputs_shown_together_stand_in_each_place_equally_often(study):
    tasks = firsts(assignments(study))
    for rater in range(len(study.raters)):
        own = [t.systems for t in tasks if t.rater == rater]
        assert all(sorted(systems) == sorted(study.systems) for systems in own)
        for place in range(len(study.systems)):
            stood = Counter(systems[place] for systems in own)
            assert spread_of(stood, study.systems) <= 1


@given(designs())
def test_the_same_seed_gives_the_same_tasks_and_another_seed_others(study):
    assert assignments(study) == assignments(study)
    if len(study.items) > 8 and study.per_item < len(study.raters):
        other = replace(study, seed=study.seed + 1)
        assert assignments(other) != assignments(study)


def test_an_assignment_is_the_same_on_every_machine():
    """The digest of one plan: no version of Python or hash seed may change it."""
    study = design(
        9, 4, 2, systems=("a", "b", "c"), dimensions=(QUALITY, BETTER, TOGETHER), repeats=0.2,
        pilot=3, checks=items(1, ("a", "b", "c"), check=True, gold={"quality": 1}),
    )  # fmt: skip
    text = "\n".join(
        f"{t.rater} {t.order} {t.item} {t.systems} {t.repeat} {t.check}" for t in assignments(study)
    )
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "6a0167b4ee013ef1"


def test_comparisons_that_are_not_all_made_come_equally_often():
    study = design(11, 3, 1, systems=tuple("abcde"), dimensions=(BETTER,), pairs_per_item=3)
    units = units_of(study)
    assert Counter(u.item for u in units) == dict.fromkeys([f"q{k}" for k in range(11)], 3)
    assert spread_of(Counter(u.systems for u in units), pairs_of(study)) <= 1
    named = replace(study, pairs=(("c", "a"), ("c", "e")), pairs_per_item=None)
    assert Counter(u.systems for u in units_of(named)) == {("c", "a"): 11, ("c", "e"): 11}


def test_items_without_some_output_are_left_out_where_it_is_needed():
    study = design(2, 2, 1, systems=("a", "b", "c"), dimensions=(QUALITY, BETTER))
    lacking = replace(study.items[0], outputs={"a": "x", "c": "z"})
    units = units_of(replace(study, items=(lacking, study.items[1])))
    assert [u.systems for u in units if u.item == "q0"] == [("a",), ("c",), ("a", "c")]


def test_the_reference_is_not_rated():
    against = replace(LENGTH, mechanism="magnitude", reference=100.0, reference_system="a")
    units = units_of(design(1, 2, 1, dimensions=(against, QUALITY)))
    assert [(u.systems, u.dimensions) for u in units] == [
        (("a",), ("quality",)), (("b",), ("length", "quality")),
    ]  # fmt: skip
    ranked = replace(TOGETHER, reference=100.0, reference_system="b")
    (one,) = units_of(design(1, 2, 1, systems=("a", "b", "c"), dimensions=(ranked,)))
    assert one.systems == ("a", "c")


def test_a_study_without_systems():
    tasks = assignments(design(4, 2, 2, systems=(), dimensions=(TOPIC,)))
    assert {t.systems for t in tasks} == {("",)}
    assert len(tasks) == 8


# Overlap.


@pytest.mark.parametrize(
    ("units", "k", "raters", "shared"),
    [(7, 3, 7, 1), (13, 4, 13, 1), (21, 5, 21, 1), (12, 3, 9, 1), (30, 3, 10, 2), (10, 2, 5, 1)],
)
def test_where_a_block_design_exists_it_is_found(units, k, raters, shared):
    """Projective planes of order 2, 3, 4, the affine plane of order 3, and two others."""
    for seed in range(5):
        overlap = Overlap(raters)
        deal([list(range(units))], k, raters, Stream(seed), overlap)
        assert overlap.range() == (shared, shared)


def overlap_of(tasks, raters):
    who = defaultdict(set)
    for task in firsts(tasks):
        who[task.unit].add(task.rater)
    counts = Counter(p for s in who.values() for p in combinations(sorted(s), 2))
    values = [counts[p] for p in combinations(range(raters), 2)]
    return min(values), max(values)


@given(st.integers(3, 12), st.data())
@settings(max_examples=60)
def test_no_two_raters_share_nothing_where_there_is_room(raters, data):
    """With three times the least number of units there is always a way; it has to be found."""
    k = data.draw(st.integers(2, raters))
    least = math.ceil(raters * math.ceil((raters - 1) / (k - 1)) / k)
    units = data.draw(st.integers(3 * least, 3 * least + 20))
    tasks = assignments(design(units, raters, k, systems=("a",)))
    lowest, highest = overlap_of(tasks, raters)
    assert lowest > 0
    # Loads of raters who differ by one force some difference; more than that is the search's.
    assert highest - lowest <= 3


@given(st.integers(2, 5), st.integers(2, 3), st.integers(1, 5))
@settings(max_examples=60)
def test_the_bound_of_the_overlap_is_right(raters, k, units):
    """Where it says that some pair must share nothing, brute force finds no way either."""
    if k > raters:
        return
    blocks = list(combinations(range(raters), k))
    pairs = set(combinations(range(raters), 2))
    reach: set[frozenset] = {frozenset()}
    for _ in range(units):
        reach = {met | set(combinations(b, 2)) for met in reach for b in blocks}
    if without_overlap(units, k, raters):
        assert pairs not in reach


def test_the_count_of_the_overlap_is_that_of_the_units():
    overlap = Overlap(5)
    given_ = deal([list(range(8)), list(range(8, 20))], 3, 5, Stream(2), overlap)
    counts = Counter(p for who in given_.values() for p in combinations(who, 2))
    assert all(overlap.of[a][b] == overlap.of[b][a] == counts[a, b]
               for a, b in combinations(range(5), 2))  # fmt: skip


@given(st.lists(st.integers(0, 9), max_size=6), st.integers(1, 9), st.data())
def test_quotas_are_even_in_each_class_and_in_all(sizes, raters, data):
    k = data.draw(st.integers(1, raters))
    rows = quotas(sizes, k, Stream(1).shuffled(range(raters)))
    for size, row in zip(sizes, rows, strict=True):
        assert sum(row) == size * k
        assert max(row) - min(row) <= 1
    totals = [sum(row[r] for row in rows) for r in range(raters)]
    assert max(totals) - min(totals) <= 1


# Parts.


@given(st.integers(0, 40), st.data())
def test_repeats_by_themselves(n, data):
    count = data.draw(st.integers(0, n))
    rows = with_repeats(range(n), count, Stream(data.draw(st.integers(0, 99))))
    assert [task for task, again in rows if not again] == list(range(n))
    assert sum(again for _, again in rows) == count
    at = {task: place for place, (task, again) in enumerate(rows) if not again}
    for place, (task, again) in enumerate(rows):
        if again:
            assert place - at[task] > n // 2 or n == 1


@given(st.integers(0, 30), st.integers(0, 12))
def test_spread_keeps_everything_in_order(n, more):
    rows = spread(list(range(n)), [-k - 1 for k in range(more)], Stream(n))
    assert [r for r in rows if r >= 0] == list(range(n))
    assert [r for r in rows if r < 0] == [-k - 1 for k in range(more)]


def test_the_stream_is_even():
    """Chi-square of 60,000 throws of a die: 20.5 is passed once in a thousand."""
    stream = Stream(11)
    thrown = Counter(stream.below(6) for _ in range(60_000))
    assert sum((thrown[k] - 10_000) ** 2 / 10_000 for k in range(6)) < 20.5
    orders = Counter(tuple(stream.shuffled("abc")) for _ in range(6_000))
    assert len(orders) == 6
    assert sum((n - 1_000) ** 2 / 1_000 for n in orders.values()) < 20.5


def test_streams_of_different_purposes_differ():
    draws = {
        tuple(Stream(1, *purpose).below(2**32) for _ in range(1))
        for purpose in ((), ("a",), ("ab",), ("a", "b"), ("a", "b", ""), ("b", "a"))
    }
    assert len(draws) == 6
    with pytest.raises(ValueError, match="not 0"):
        Stream(1).below(0)


def test_a_rotation_uses_each_order_once():
    turn = Rotation(4)
    systems = ("a", "b", "c", "d")
    got = [turn.next(systems) for _ in range(8)]
    assert len(set(got[:4])) == 4
    for place in range(4):
        assert sorted(row[place] for row in got[:4]) == sorted(systems)


# What cannot be done.


@pytest.mark.parametrize(
    ("study", "what"),
    [
        (design(3, 2, 3), "per_item is 3, but there are only 2 raters"),
        (design(3, 1, 2), "there is only 1 rater"),
        (design(3, 0, 1), "there are no raters"),
        (design(3, 2, 0), "at least one rating"),
        (design(3, 2, 1, pilot=4), "pilot is 4, but there are 3 items"),
        (design(3, 2, 1, systems=("a",), dimensions=(BETTER,)), "two systems that are to be"),
        (design(3, 2, 1, systems=("a",), dimensions=(TOGETHER,)), "rated together, as together"),
        (design(0, 2, 1), "no item has an output"),
    ],
)
def test_what_cannot_be_done_is_said(study, what):
    with pytest.raises(DesignError, match=what) as caught:
        assignments(study)
    assert caught.value.code == "impossible_design"


def test_too_many_ratings_are_refused():
    units = units_of(design(1, 2, 2, systems=("a",))) * 500_001
    assert "1,000,000" in " ".join(impossible(design(1, 2, 2), units, 2))
