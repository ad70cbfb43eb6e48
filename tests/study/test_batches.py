"""Batches of any sizes: what is in them, who gets them, in which order, and what moves."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DesignError, ReadingError
from assay.study.assign import assignments
from assay.study.assign_again import reassign
from assay.study.assign_batches import batched, met_in
from assay.study.assign_limits import impossible
from assay.study.assign_order import repeated
from assay.study.assign_random import Stream
from assay.study.assign_units import units_of
from assay.study.check import explain
from assay.study.check_text import told
from assay.study.design_read import read_design
from study.designs import BETTER, QUALITY, TOGETHER, design, designs, items


def firsts(tasks):
    return [t for t in tasks if not (t.repeat or t.apart)]


def of_rater(tasks, rater):
    return [t for t in tasks if t.rater == rater]


def spread_of(counts, keys):
    values = [counts.get(key, 0) for key in keys]
    return max(values, default=0) - min(values, default=0)


def stretches(tasks):
    """The batches of a rater's line, one after the other."""
    return [batch for batch, _ in groupby(tasks, key=lambda t: t.batch)]


# What is in a batch.


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from("xyz")), max_size=60),
    st.integers(1, 20),
    st.integers(0, 99),
)
def test_batches_are_few_and_even_in_size_and_in_strata(rows, most, seed):
    got = batched(rows, most, Stream(seed))
    pilot = {number for number, row in zip(got, rows, strict=True) if row[0]}
    rest = set(got) - pilot
    assert not pilot & {number for number, row in zip(got, rows, strict=True) if not row[0]}
    assert sorted(got and set(got)) == list(range(1, len(set(got)) + 1))
    assert max(pilot, default=0) < min(rest, default=99)
    for part, first in ((pilot, True), (rest, False)):
        own = [row for row in rows if row[0] is first]
        # As few as the size allows, counted without the division that made them.
        assert (len(part) - 1) * most < len(own) <= len(part) * most or not own
        sizes = Counter(number for number in got if number in part)
        assert spread_of(sizes, part) <= 1
        for stratum in "xyz":
            mixed = Counter(
                number
                for number, row in zip(got, rows, strict=True)
                if number in part and row[1] == stratum
            )
            assert spread_of(mixed, part) <= 1


@given(designs(batches=True))
@settings(max_examples=150)
def test_a_batch_is_rated_as_a_whole_by_the_same_raters(study):
    tasks = firsts(assignments(study))
    units = units_of(study)
    of_item = {unit.item: unit.batch for unit in units}
    assert all(task.batch == of_item[task.item] for task in tasks)
    assert max(Counter(of_item.values()).values()) <= study.batch
    who = defaultdict(set)
    for task in tasks:
        who[task.unit].add(task.rater)
    of_batch = defaultdict(set)
    for unit in units:
        raters = who[unit.item, unit.kind, tuple(sorted(unit.systems))]
        of_batch[unit.batch].add(frozenset(raters))
        everybody = unit.pilot and study.pilot_all
        assert len(raters) == (len(study.raters) if everybody else study.per_item)
    assert all(len(sets) == 1 for sets in of_batch.values())


@given(designs(batches=True))
@settings(max_examples=150)
def test_raters_get_the_same_number_of_batches_also_of_the_longer_ones(study):
    tasks = firsts(assignments(study))
    raters = range(len(study.raters))
    taken = {(t.rater, t.batch) for t in tasks}
    assert spread_of(Counter(rater for rater, _ in taken), raters) <= 1
    units = Counter(unit.batch for unit in units_of(study))
    pilot = {unit.batch for unit in units_of(study) if unit.pilot}
    for size, first in {(units[b], b in pilot) for b in units}:
        own = Counter(r for r, b in taken if (units[b], b in pilot) == (size, first))
        assert spread_of(own, raters) <= 1
    # One batch more is all that a rater can have more than another, things of one size each.
    if len(set(units.values())) == 1:
        assert spread_of(Counter(t.rater for t in tasks), raters) <= next(iter(units.values()))


@given(designs(batches=True))
@settings(max_examples=150)
def test_a_rater_meets_one_batch_after_the_other(study):
    tasks = assignments(study)
    for rater in range(len(study.raters)):
        line = of_rater(tasks, rater)
        own = [t for t in line if not t.qualification]
        # The test comes before all batches.
        tested = line[: len(line) - len(own)]
        assert all(t.qualification and t.batch is None for t in tested)
        met = stretches(own)
        assert len(met) == len(set(met))
        # Somebody without work has the checks, which are then in no batch.
        assert set(met) == ({t.batch for t in firsts(own)} or {None} if own else set())
        stages = [t.pilot for t in firsts(own)]
        assert stages == sorted(stages, reverse=True)
        # What comes again, and checks, are as many and as far off as without batches.
        first = {t.unit: t for t in firsts(own)}
        second = [t for t in own if t.repeat]
        assert len(second) == repeated(len(first), study.repeats)
        assert all(
            t.order - first[t.unit].order > len(first) // 2 or len(first) == 1 for t in second
        )
        assert sum(t.check for t in own) == len(study.checks) * len(study.kinds)


def test_the_order_of_batches_and_within_them_is_each_raters_own():
    study = design(40, 4, 4, systems=("a",), batch=5)
    lines = [of_rater(assignments(study), r) for r in range(4)]
    assert len({tuple(stretches(line)) for line in lines}) == 4
    within = {tuple(t.item for t in line if t.batch == 1) for line in lines}
    assert len(within) == 4


def test_the_batches_follow_from_the_seed():
    study = design(20, 3, 2, batch=4)
    assert assignments(study) == assignments(study)
    other = [u.batch for u in units_of(replace(study, seed=2))]
    assert other != [u.batch for u in units_of(study)]


@given(
    st.lists(st.one_of(st.none(), st.integers(1, 4)), max_size=20),
    st.one_of(st.none(), st.integers(1, 4)),
    st.sets(st.integers(1, 4)),
)
def test_whatever_the_line_a_batch_is_met_once(own, before, over):
    got = met_in(own, before, over if before is not None else ())
    met = [batch for batch, _ in groupby(got)]
    assert len(met) == len(set(met))
    if before is not None and got:
        # What is over does not come back, but the batch that is under way goes on.
        assert not set(got) & (over - {before})
    named = [one for one in own if one is not None]
    assert all(one in named or one == before for one in got)


# What cannot be done.


def test_batches_that_leave_somebody_without_work_are_refused():
    study = design(30, 8, 2, batch=15)
    with pytest.raises(DesignError, match=r"4 of 8 raters would get none\. Ask for 9 or fewer"):
        assignments(study)
    assert {t.rater for t in assignments(replace(study, batch=9))} == set(range(8))
    with pytest.raises(DesignError, match="batch is 0; a batch needs at least one item"):
        assignments(replace(study, batch=0))
    assert explain(replace(study, batch=0)).impossible


@given(st.integers(1, 30), st.integers(1, 12), st.integers(1, 40), st.data())
def test_the_largest_batch_that_reaches_everybody_is_named(count, raters, size, data):
    k = data.draw(st.integers(1, raters))
    study = design(
        count, raters, k, systems=("a",), batch=size, pilot=data.draw(st.integers(0, count))
    )

    def works(batch):
        made = replace(study, batch=batch)
        return not impossible(made, units_of(made), raters)

    said = " ".join(impossible(study, units_of(study), raters))
    sizes = [batch for batch in range(1, size + 1) if works(batch)]
    if said:
        assert f"Ask for {sizes[-1]}" in said
        assert {t.rater for t in assignments(replace(study, batch=sizes[-1]))} == set(range(raters))
    else:
        idle = set(range(raters)) - {t.rater for t in assignments(study)}
        # Nobody is idle, or would be with the smallest batches as well.
        assert not idle or count * k < raters


# What the design file and the check say.

FILE = """\
name = "trial"
raters = 3
per_item = 2
batch = 2
[items]
file = "items.csv"
key = "id"
systems = ["a"]
[[dimensions]]
use = "quality"
mechanism = "likert"
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        rows = "".join(f"q{k},A{k}\n" for k in range(5))
        (tmp_path / "items.csv").write_text(f"id,a\n{rows}", encoding="utf-8")
        path = tmp_path / "trial.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_field_is_read(written):
    got = read_design(written(FILE))
    assert (got.batch, got.same_raters) == (2, True)
    none = read_design(written(FILE.replace("batch = 2\n", "")))
    assert (none.batch, none.same_raters) == (None, False)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("batch = 0", "line 4: batch: a whole number from 1 to 100,000 is needed, not 0"),
        ("batch = 1.5", "line 4: batch: a whole number is needed, not 1.5"),
        ("batch = true", "line 4: batch: a whole number is needed, not true"),
        ("batch = 2\nsame_raters = false", "line 5: same_raters: a batch is rated as a whole"),
    ],
)
def test_what_a_batch_cannot_be_is_said(written, line, what):
    with pytest.raises(ReadingError, match=what) as caught:
        read_design(written(FILE.replace("batch = 2", line)))
    assert caught.value.code == "bad_design"


def test_the_check_counts_batches_and_their_hours():
    study = design(10, 3, 2, batch=4, repeats=0.25, checks=items(
        1, check=True, prefix="check", gold={"quality": 3}
    ))  # fmt: skip
    found = explain(study, seconds=36)
    assert (found.batches, found.batch_items, found.batches_each) == (3, (3, 4), (2, 2))
    # By hand: judgements of each rater in each batch, a hundredth of an hour each.
    hours = Counter((t.rater, t.batch) for t in assignments(study))
    assert found.batch_hours == pytest.approx(
        (min(hours.values()) / 100, max(hours.values()) / 100)
    )
    assert sum(hours.values()) / 100 == pytest.approx(found.hours)
    assert "batches       3 of 3 to 4 items, 2 a rater; one takes" in told(found)
    without = explain(replace(study, batch=None))
    assert (without.batches, without.batch_hours) == (0, (0.0, 0.0))
    assert "  batches " not in told(without)


def test_raters_who_share_nothing_are_explained_by_the_number_of_batches():
    found = explain(design(12, 4, 2, batch=4))
    assert "3 batches with 2 ratings each are too few" in " ".join(found.remarks)


# Raters who leave, join and come back.


@st.composite
def changes(draw: st.DrawFn):
    study = draw(designs(kinds=(QUALITY, BETTER, TOGETHER), batches=True))
    tasks = assignments(study)
    count = len(study.raters)
    reached = [draw(st.integers(0, len(of_rater(tasks, r)))) for r in range(count)]
    done = [t for t in tasks if t.order < reached[t.rater]]
    leaving = draw(st.sets(st.integers(0, count - 1), max_size=count))
    joining = list(range(count, count + draw(st.integers(1 if len(leaving) == count else 0, 3))))
    return study, tasks, done, leaving, joining


def lasting(study, tasks, done, got, away):
    """What holds after any change."""
    fixed = set(done)
    assert fixed <= set(got.tasks)
    assert all(t in fixed for t in got.tasks if t.rater in away)
    seen = Counter((t.rater, t.unit) for t in firsts(got.tasks))
    assert all(n == 1 for n in seen.values())
    before, after = (
        Counter(t.unit for t in firsts(rows) if not (t.pilot and study.pilot_all))
        for rows in (tasks, got.tasks)
    )
    assert after + Counter(t.unit for t in got.unplaced) == before
    for rater in {t.rater for t in got.tasks} - away:
        own = of_rater(got.tasks, rater)
        # A check that somebody answered who had no other work was in no batch.
        assert all(t.batch is not None or t.apart for t in own)
        assert [t.order for t in own] == list(range(len(own)))
        met = stretches([t for t in own if t.batch is not None])
        assert len(met) == len(set(met))
        checks = Counter((t.item, t.kind) for t in own if t.check)
        assert all(n == 1 for n in checks.values())
        assert len(checks) == len(study.checks) * len(study.kinds)


@given(changes())
@settings(max_examples=200)
def test_what_holds_after_any_change(change):
    study, tasks, done, leaving, joining = change
    got = reassign(study, tasks, done, leaving=leaving, joining=joining)
    lasting(study, tasks, done, got, leaving)
    for unit in {t.unit for t in got.unplaced}:
        have = {t.rater for t in firsts(got.tasks) if t.unit == unit}
        assert have >= (set(range(len(study.raters))) | set(joining)) - leaving


@given(changes(), st.data())
@settings(max_examples=150)
def test_who_comes_back_is_asked_nothing_again(change, data):
    study, tasks, done, leaving, joining = change
    first = reassign(study, tasks, done, leaving=leaving, joining=joining)
    # Those who stayed go on meanwhile.
    count = len(study.raters) + len(joining)
    reached = {r: data.draw(st.integers(0, len(of_rater(first.tasks, r)))) for r in range(count)}
    later = [t for t in first.tasks if t in set(done) or t.order < reached[t.rater]]
    back = {data.draw(st.sampled_from(sorted(leaving)))} if leaving else set()
    away = leaving - back
    got = reassign(study, first.tasks, later, leaving=away, returning=back)
    lasting(study, first.tasks, later, got, away)
    if not back:
        assert set(later) <= set(got.tasks)


def test_a_newcomer_gets_whole_batches():
    study = design(60, 4, 2, systems=("a",), batch=5)
    tasks = assignments(study)
    done = [t for t in tasks if t.order < 7]
    got = reassign(study, tasks, done, joining=[4])
    own = Counter(t.batch for t in of_rater(got.tasks, 4))
    # Six batches each, two of them begun: of sixteen that may move, each has a fifth or so.
    assert set(own.values()) == {5}
    assert len(own) in (3, 4)
    # What somebody has begun stays.
    for rater in range(4):
        begun = {t.batch for t in done if t.rater == rater}
        for batch in begun:
            assert sum(t.batch == batch for t in of_rater(got.tasks, rater)) == 5


def test_batches_of_a_leaver_stay_together():
    study = design(60, 4, 1, systems=("a",), batch=5)
    tasks = assignments(study)
    done = [t for t in tasks if t.rater == 0 and t.order < 6]
    got = reassign(study, tasks, done, leaving=[0])
    moved = {t.unit: t for t in firsts(got.tasks) if t.rater}
    for batch in {t.batch for t in of_rater(tasks, 0)[6:]}:
        now = [moved[t.unit] for t in of_rater(tasks, 0)[6:] if t.batch == batch]
        assert {(t.rater, t.batch) for t in now} == {(now[0].rater, batch)}


def test_a_small_rest_is_met_in_another_batch():
    study = design(60, 4, 1, systems=("a",), batch=5)
    tasks = assignments(study)
    mine = of_rater(tasks, 0)
    got = reassign(study, tasks, mine[:14], leaving=[0])
    (rest,) = [t for t in firsts(got.tasks) if t.rater and t.unit == mine[14].unit]
    assert rest.batch != mine[14].batch
    assert sum(t.batch == rest.batch for t in of_rater(got.tasks, rest.rater)) == 6


def test_where_no_whole_batch_is_left_a_newcomer_gets_items_in_a_batch_of_their_own():
    study = design(12, 3, 1, batch=4)
    tasks = assignments(study)
    done = [t for t in tasks if t.order < 2]
    got = reassign(study, tasks, done, joining=[3])
    own = of_rater(got.tasks, 3)
    # Each has begun the only batch they have: two of eight things are done, items stay whole.
    assert len(own) > 0
    assert {t.batch for t in own} == {4}
    assert all(n == 2 for n in Counter(t.item for t in own).values())


def test_nothing_moves_without_a_reason():
    study = design(20, 4, 2, batch=3)
    tasks = assignments(study)
    got = reassign(study, tasks, tasks[:7])
    assert (got.tasks, got.moved, got.unplaced) == (tasks, 0, ())
