"""Designs for tests: strategies, and a plain one."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from assay.study.assign_limits import impossible
from assay.study.assign_units import units_of
from assay.study.design import Design, Dimension, Item, Point, Qualification, RaterSpec

POINTS = tuple(Point(k) for k in range(1, 6))
QUALITY = Dimension("quality", "Quality", "", "How good is it?", "likert", POINTS)
LENGTH = Dimension("length", "Length", "", "How long is it?", "interval", low=0, high=100)
BETTER = Dimension("better", "Better", "", "Which is better?", "ab")
TOGETHER = Dimension("together", "Together", "", "How good is each?", "rankme", low=0)
TOPIC = Dimension("topic", "Topic", "", "About what?", "label", (Point("a"), Point("b")))


def people(count: int) -> tuple[RaterSpec, ...]:
    return tuple(RaterSpec(f"rater {k + 1}") for k in range(count))


def items(count: int, systems=("a", "b"), *, strata=1, check=False, prefix="q", gold=None):
    names = systems or ("",)
    return tuple(
        Item(
            f"{prefix}{k}", f"context {k}", {s: f"output {s} of {k}" for s in names},
            f"stratum {k % strata}" if strata > 1 else "", gold, check,
        )
        for k in range(count)
    )  # fmt: skip


def design(count=6, raters=3, k=2, *, systems=("a", "b"), dimensions=(QUALITY,), **more) -> Design:
    strata = more.pop("strata", 1)
    return Design(
        more.pop("name", "trial"), "A trial", "en", more.pop("seed", 1), people(raters), k,
        tuple(dimensions), items(count, systems, strata=strata), tuple(systems), **more,
    )  # fmt: skip


def qualification(count, systems=("a", "b"), *, gold, share=0.8, tolerance=0.0):
    """A test of so many items with the same right answers."""
    if not count:
        return None
    return Qualification(items(count, systems, prefix="test", gold=gold), share, tolerance)


@st.composite
def designs(
    draw: st.DrawFn, *, kinds=(QUALITY, BETTER, TOGETHER), together=None, most=12, batches=False
):
    """Any possible design of small size; with batches where they are asked for."""
    raters = draw(st.integers(1, 7))
    k = draw(st.integers(1, raters))
    asked = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3, unique=True))
    least = 2 if {BETTER, TOGETHER} & set(asked) else 1
    systems = tuple("abcd"[: draw(st.integers(least, 4))])
    count = draw(st.integers(1, most))
    gold = {"quality": 5, "better": "tie", "together": 1}
    made = design(
        count, raters, k, systems=systems, dimensions=asked,
        seed=draw(st.integers(0, 10**6)),
        strata=draw(st.integers(1, 3)),
        repeats=draw(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])),
        pilot=draw(st.integers(0, count)),
        pilot_all=draw(st.booleans()),
        same_raters=draw(st.booleans()) if together is None else together,
        pairs_per_item=draw(st.one_of(st.none(), st.integers(1, 3))),
        checks=items(draw(st.integers(0, 3)), systems, check=True, prefix="check", gold=gold),
        batch=draw(st.integers(1, count + 1)) if batches else None,
        qualification=qualification(draw(st.integers(0, 3)), systems, gold=gold),
    )  # fmt: skip
    # Where batches are so large that somebody would get none, the design is refused.
    assume(not (batches and impossible(made, units_of(made), raters)))
    return made
