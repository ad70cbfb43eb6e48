"""Every coefficient as a function of multiplicities, against calling it on the drawn items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import wide
from assay.agreement.additive import Additive, grouped
from assay.agreement.additive_forms import IDENTIFIED, form_of
from assay.agreement.additive_units import Source
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.resampling import draws
from assay.agreement.resampling_raters import replicates_of_both
from assay.ratings.reductions import Reduced

LABELS = [1, 2, 3, 5]


def ratings(seed: int, raters: int, missing: float, items: int = 25) -> list[list[Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, items)
    kept = random.random((items, raters)) < 0.6
    codes = np.where(kept, truth[:, None], random.integers(0, 4, (items, raters)))
    gone = random.random((items, raters)) < missing
    return [
        [None if g else LABELS[k] for k, g in zip(row, lost, strict=True)]
        for row, lost in zip(codes.tolist(), gone.tolist(), strict=True)
    ]


def context(rows: list[list[Any]], **choices: Any) -> Context:
    """The choices on rows, the labels declared so that a draw without one changes no scale."""
    found = wide(rows, categories=LABELS)
    return Context(Reduced.of(found), **choices)


DESIGNS = {
    "two raters": (1, 2, 0.0),
    "two raters, gaps": (2, 2, 0.25),
    "three raters": (3, 3, 0.0),
    "four raters, gaps": (4, 4, 0.35),
}
CHOICES: dict[str, dict[str, Any]] = {
    "nominal": {"scale": "nominal"},
    "ordinal, linear": {"scale": "ordinal", "weights": "linear"},
    "ordinal": {"scale": "ordinal", "estimator": "pooled"},
    "interval, quadratic": {"scale": "interval", "weights": "quadratic", "metric": "interval"},
    "interval": {"scale": "interval", "estimator": "pair-weighted"},
    "ratio, radical": {"scale": "ratio", "weights": "radical", "estimator": "pooled"},
    "ratio": {"scale": "ratio", "estimator": "fleiss1981"},
    "circular": {"scale": "circular", "weights": "circular"},
    "function": {"scale": "interval", "metric": lambda a, b: abs(a - b) ** 0.5},
}


def same(found: float, estimate: assay.Estimate) -> None:
    if estimate.value is None:
        assert np.isnan(found), (estimate.name, found, estimate.undefined)
    else:
        assert found == pytest.approx(estimate.value, abs=1e-10), estimate.name


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("choice", CHOICES)
def test_a_draw_is_the_coefficient_of_the_drawn_items(design: str, choice: str) -> None:
    rows = ratings(*DESIGNS[design])
    rows = [row for row in rows if any(x is not None for x in row)]
    here = context(rows, **CHOICES[choice])
    source = Source(here.made, "items")
    times = np.ones(len(rows), dtype=np.int64)
    ((_, drawn),) = draws(times, 6, 11, 1)
    # A draw of a few items, too, so that labels are missing and values undefined.
    few = np.zeros((4, len(rows)))
    few[np.arange(4), np.arange(4)] = 1
    few[1, 7] = few[2, 3] = 2
    for name, entry in COEFFICIENTS.items():
        if entry(here).value is None:  # does not suit, or ICC of an incomplete table
            continue
        form = form_of(name, here, source)
        same(form.value, entry(here))
        for w in (*drawn, *few):
            some = [row for row, k in zip(rows, w, strict=True) for _ in range(int(k))]
            same(float(form.values(w[None])[0]), entry(context(some, **CHOICES[choice])))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", ["multisets", "rows"])
def test_distinct_units_with_multiplicities_are_the_items(design: str, kind: str) -> None:
    here = context(ratings(*DESIGNS[design], items=200), scale="interval", weights="linear")
    units, items = Source(here.made, kind), Source(here.made, "items")
    assert len(units.times) < len(items.times)
    assert units.times.sum() == len(items.times)
    for name, entry in COEFFICIENTS.items():
        if entry.refusal(here) is not None or (kind == "multisets" and name in IDENTIFIED):
            continue
        one, other = form_of(name, here, units), form_of(name, here, items)
        assert one.value == pytest.approx(other.value, abs=1e-12, nan_ok=True)
        # The same value without one, as often as there are such items.
        each = np.repeat(one.without_one(), one.times)
        left = other.without_one()[other.times > 0]
        assert np.sort(each) == pytest.approx(np.sort(left), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("choice", CHOICES)
def test_groups_of_items_are_drawn_together(choice: str) -> None:
    rows = ratings(5, 3, 0.2, items=30)
    rows = [row for row in rows if any(x is not None for x in row)]
    here = context(rows, **CHOICES[choice])
    source = Source(here.made, "items")
    from scipy.sparse import coo_array

    group = np.arange(len(rows)) % 7
    members = coo_array((np.ones(len(rows)), (group, np.arange(len(rows))))).tocsr()
    ((_, drawn),) = draws(np.ones(7, dtype=np.int64), 5, 3, 1)
    for name, entry in COEFFICIENTS.items():
        if entry(here).value is None:  # does not suit, or ICC of an incomplete table
            continue
        form = form_of(name, here, source)
        clusters = grouped(form, members)
        assert isinstance(clusters, Additive) is isinstance(form, Additive)
        for w in drawn:
            some = [row for row, g in zip(rows, group, strict=True) for _ in range(int(w[g]))]
            same(float(clusters.values(w[None])[0]), entry(context(some, **CHOICES[choice])))


def test_many_labels_take_the_other_routes() -> None:
    """Ranks of many values: not additive, and the same numbers."""
    random = np.random.default_rng(6)
    base = random.normal(size=150)
    rows = [[round(x + e, 3) for e in random.normal(size=2)] for x in base]
    found = assay.read(rows, layout="wide", scale="interval")
    here = Context(Reduced.of(found), scale="interval", metric="ordinal")
    assert here.made.q > 200
    for kind in ("rows", "items"):
        source = Source(here.made, kind)
        ((_, drawn),) = draws(source.times, 3, 5, 1)
        for name in ("krippendorff_alpha", "spearman", "kendall_tau", "pearson", "kendall_w"):
            form = form_of(name, here, source)
            same(form.value, COEFFICIENTS[name](here))
            for w in drawn:
                values = here.made.categories.numbers
                assert values is not None
                some = [
                    [float(values[k]) for k in row]
                    for row, times in zip(source.rows, w, strict=True)
                    for _ in range(int(times))
                ]
                part = assay.read(some, layout="wide", scale="interval")
                there = Context(Reduced.of(part), scale="interval", metric="ordinal")
                same(float(form.values(w[None])[0]), COEFFICIENTS[name](there))


def test_large_tables_are_sparse_and_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ratings(8, 4, 0.3, items=60)
    plain = {}
    for limit in (None, 10):
        if limit is not None:
            monkeypatch.setattr("assay.agreement.additive.DENSE", limit)
        for choice in CHOICES:
            here = context(rows, **CHOICES[choice])
            for name, entry in COEFFICIENTS.items():
                if entry.refusal(here) is not None:
                    continue
                source = Source(here.made, "rows" if name in IDENTIFIED else "multisets")
                form = form_of(name, here, source)
                if isinstance(form, Additive):
                    assert hasattr(form.features, "toarray") <= (limit is not None)
                found = np.append(form.without_one(), form.value)
                if limit is None:
                    plain[choice, name] = found
                assert found == pytest.approx(plain[choice, name], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("size", [1, 40, 2000])
def test_draws_have_the_multinomial_distribution(size: int) -> None:
    """Both ways of drawing: each unit's mean and variance are those of n draws."""
    times = np.array([1, 0, 2, 3, 4], dtype=np.int64) * size
    n = int(times.sum())
    found = np.concatenate([drawn for _, drawn in draws(times, 4000, 1, 1)])
    share = times / n
    assert (found.sum(axis=1) == n).all()
    spread = np.sqrt(n * share * (1 - share))
    assert np.abs(found.mean(axis=0) - times).max() < 4.5 * spread.max() / np.sqrt(4000)
    assert found.std(axis=0) == pytest.approx(spread, rel=0.06)


def test_draws_do_not_depend_on_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for times in (np.ones(30, np.int64), np.array([500, 3, 200])):
        whole = np.concatenate([d for _, d in draws(times, 200, 9, 1)])
        with monkeypatch.context() as patch:
            patch.setattr("assay.agreement.resampling.WORK", 300)
            parts = [d for _, d in draws(times, 200, 9, 1)]
        assert len(parts) > 1
        assert (np.concatenate(parts) == whole).all()


def crowd(raters: int, items: int, each: int = 3) -> Context:
    """Every item has ratings of a few of many raters."""
    random = np.random.default_rng(7)
    rows: list[list[Any]] = [[None] * raters for _ in range(items)]
    for row in rows:
        truth = random.integers(0, 4)
        for who in random.permutation(raters)[:each]:
            row[who] = LABELS[truth if random.random() < 0.6 else random.integers(0, 4)]
    return context(rows, scale="interval")


MANY = ["conger_kappa", "light_kappa", "spearman", "pearson", "kendall_tau"]


@pytest.mark.parametrize("name", MANY)
def test_a_crowd_costs_its_ratings_and_not_its_cells(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    here = crowd(12, 300)
    plain = form_of(name, here, Source(here.made, "rows"))
    monkeypatch.setattr("assay.agreement.additive.DENSE", 0)
    monkeypatch.setattr("assay.agreement.additive.SPARSE", 2)
    monkeypatch.setattr("assay.agreement.additive_raters.SPARSE", 2)
    monkeypatch.setattr("assay.agreement.additive_raters.KEPT", 0)
    sparse = form_of(name, here, Source(here.made, "rows"))
    monkeypatch.undo()
    assert sparse.cost < plain.cost / 3
    (_, drawn), *_ = draws(plain.times, 20, 0, plain.width)
    # Sums of whole numbers are the same in any order; values of Pearson's are no whole numbers.
    about = 1e-12 if name == "pearson" else 0.0
    assert sparse.value == pytest.approx(plain.value, abs=about, rel=0)
    assert sparse.values(drawn) == pytest.approx(plain.values(drawn), abs=about, rel=0, nan_ok=True)
    assert sparse.without_one() == pytest.approx(plain.without_one(), abs=1e-12, nan_ok=True)


def test_raters_of_a_crowd_are_drawn_over_what_they_share(monkeypatch: pytest.MonkeyPatch) -> None:
    here = crowd(8, 200)
    source = Source(here.made, "rows")
    plain = replicates_of_both(["light_kappa"], here, source, 100, 0)["light_kappa"]
    monkeypatch.setattr("assay.agreement.additive_raters.SPARSE", 2)
    monkeypatch.setattr("assay.agreement.additive_raters.KEPT", 0)
    shared = replicates_of_both(["light_kappa"], here, source, 100, 0)["light_kappa"]
    assert np.array_equal(plain, shared, equal_nan=True)
