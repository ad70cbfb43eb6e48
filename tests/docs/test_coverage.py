"""The simulation of coverage is right, and the sentences about it say what its tables say."""

from __future__ import annotations

import importlib.util
import re
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.agreement.registry import COEFFICIENTS, Context
from assay.ratings.reductions import Reduced

ROOT = Path(__file__).resolve().parents[2]


def benchmark(name: str, known_as: str) -> Any:
    """A file of ``benchmarks`` as a module; a library of test runners is called coverage, too."""
    spec = importlib.util.spec_from_file_location(known_as, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[known_as] = module
    spec.loader.exec_module(module)
    return module


populations = benchmark("populations", "populations")
measured = benchmark("coverage", "coverage_of_intervals")

LABELS = [
    (group, design)
    for group, (_, designs) in measured.GROUPS.items()
    for design in designs
    if isinstance(design.population, populations.Labels) and len(design.population.says) < 10
]


def expected(population: Any, total: int = 10**12) -> Context:
    """The population as one huge study: every row of labels as often as is expected."""
    raters, _, q = population.says.shape
    m = population.missing
    records = []
    for row in product([None, *range(q)] if m else range(q), repeat=raters):
        chance = population.states.copy()
        for g, label in enumerate(row):
            chance = chance * (m if label is None else (1 - m) * population.says[g, :, label])
        record: dict[str, object] = {
            f"r{g}": None if label is None else label + 1 for g, label in enumerate(row)
        }
        if any(label is not None for label in row):
            records.append(record | {"n": round(total * float(chance.sum()))})
    data = assay.read(
        [r for r in records if r["n"]],
        layout="wide",
        frequency="n",
        raters=[f"r{g}" for g in range(raters)],
        scale=population.scale,
        categories=list(range(1, q + 1)),
    )
    metric = "ordinal" if population.scale == "ordinal" else None
    return Context(Reduced(data), scale=population.scale, weights=population.weights, metric=metric)


@pytest.mark.parametrize(("group", "design"), LABELS, ids=lambda x: getattr(x, "about", str(x)))
def test_the_true_value_is_what_the_library_finds_in_the_population(
    group: str, design: Any
) -> None:
    context = expected(design.population)
    names = measured.suited(measured.GROUPS[group][0], design)
    assert names
    for name in names:
        found = COEFFICIENTS[name](context).value
        assert found == pytest.approx(design.population.truth(name), abs=1e-8), name


@pytest.mark.parametrize("shape", ["normal", "heavy", "skewed"])
def test_the_true_value_of_scores_is_that_of_a_very_large_study(shape: str) -> None:
    population = populations.Scores(0.6, (0.0, 0.3, -0.3), shape=shape)
    (context,) = population.studies(40_000, 1, 7)
    for name in ("icc_a_1", "icc_c_1", "icc_a_k", "krippendorff_alpha", "pearson"):
        found = COEFFICIENTS[name](context).value
        assert found == pytest.approx(population.truth(name), abs=0.015), name
    two = populations.Scores(0.6, (0.0, 0.5), shape=shape)
    (context,) = two.studies(40_000, 1, 7)
    assert COEFFICIENTS["lin_ccc"](context).value == pytest.approx(two.truth("lin_ccc"), abs=0.015)


def test_the_true_value_of_sampled_raters_is_that_of_very_many() -> None:
    population = populations.Scores(0.6, (0.3, -0.3) * 150, sampled=True)
    (context,) = population.studies(3_000, 1, 7)
    found = COEFFICIENTS["icc_a_1"](context).value
    assert found == pytest.approx(population.truth("icc_a_1"), abs=0.02)
    with pytest.raises(KeyError):
        population.truth("lin_ccc")


def test_the_intervals_are_those_of_the_library() -> None:
    names = ["fleiss_kappa", "light_kappa", "gwet_ac"]
    design = measured.GROUPS["several raters"][1][1]
    (context,) = design.population.studies(40, 1, [3])
    got = {
        (name, method): uncertainty
        for name, method, uncertainty in measured.uncertainties(context, names, 200, 5)
    }
    assert len(got) == len(names) * len(measured.METHODS)
    for (name, method), uncertainty in got.items():
        drawn = {} if method in ("analytic", "jackknife") else {"resamples": 200, "seed": 5}
        want = assay.resample(name, context.made.ratings, interval=method, **drawn).interval()
        assert uncertainty is not None
        assert uncertainty.interval(0.95) == want, (name, method)


def test_counting() -> None:
    from assay.estimate import Interval, Undefined

    cell = measured.Cell(0.5, studies=4, undefined=1)
    cell.add("bca", Interval(0.95, 0.4, 0.6, "m"))
    cell.add("bca", Interval(0.95, 0.51, 0.6, "m"))
    cell.add("bca", Undefined("no", "none"))
    assert cell.coverage("bca") == 50.0
    assert cell.coverage("analytic") is None
    design = measured.GROUPS["two raters"][1][0]
    lines = measured.table(("scott_pi",), [(design, {"scott_pi": cell})])
    assert [line.split(" | ")[-1] for line in lines[2:]] == [
        "0.500 |", "– |", "– |", "**50.0** (1) |", "– |", "1 |",
    ]  # fmt: skip


def test_a_normal_case_is_covered() -> None:
    """A population for which the intervals are known to be exact."""
    design = measured.Design("normal", 30, populations.Scores(0.6, (0.0, 0.0)))
    cells = measured.measure(design, ("icc_c_1",), 400, 100, [4, 4])
    assert set(cells) == {"icc_c_1"}
    found = cells["icc_c_1"].coverage("analytic")
    assert found is not None
    assert 92.0 < found < 98.0


Key = tuple[str, str, int, str, str]
"""Group, design, items, coefficient, method."""


def parsed() -> dict[Key, float]:
    out: dict[Key, float] = {}
    text = measured.PAGE.read_text("utf-8").partition(measured.BEGIN)[2].partition(measured.END)[0]
    for section in text.split("\n## ")[2:]:
        title, _, body = section.partition("\n")
        heads: list[str] = []
        design, items = "", 0
        for line in body.splitlines():
            cells = [c.strip() for c in line[1:-1].split("|")]
            if len(cells) < 4 or cells[0].startswith("---"):
                continue
            if cells[0] == "design":
                heads = cells[3:]
                continue
            if cells[0]:
                design, items = cells[0], int(cells[1])
            for head, cell in zip(heads, cells[3:], strict=True):
                number = re.match(r"(?:\*\*)?([\d.]+)", cell)
                if cells[2] in measured.WORDS.values() and number:
                    out[title.lower(), design, items, head, cells[2]] = float(number[1])
    return out


TABLES = parsed()
PLAIN = ("two raters", "several raters")


def some(
    group: str | tuple[str, ...] = "", design: str = "", items: int = 0, head: str = "",
    method: str = "",
) -> list[float]:  # fmt: skip
    """Coverages of the page, chosen by parts of their names."""
    groups = (group,) if isinstance(group, str) else group
    found = [
        value
        for (g, d, n, h, m), value in TABLES.items()
        if any(part in g for part in groups)
        and re.search(design, d)
        and (not items or n == items)
        and re.fullmatch(head or ".*", h)
        and (not method or m == method)
    ]
    assert found, (group, design, items, head, method)
    return found


def low(found: list[float]) -> float:
    return min(found)


def test_the_page_has_every_design() -> None:
    for group, (_, designs) in measured.GROUPS.items():
        rows = {(d, n) for g, d, n, _, _ in TABLES if g == group}
        assert rows == {(design.about, design.items) for design in designs}


def test_two_hundred_items_are_enough_for_all() -> None:
    assert low(some(items=200)) >= 92.0
    usual = [v for (_, d, n, _, _), v in TABLES.items() if n == 200 and "missing" not in d
             and "fixed" not in d]  # fmt: skip
    assert max(usual) <= 97.5


def test_fifty_items_in_the_middle() -> None:
    found = some(PLAIN, r"even labels|other habits", 50, method="analytic")
    assert 92.8 <= low(found) <= max(found) <= 96.0


def test_twenty_items() -> None:
    kappas = "(?!Unanimous).*"
    assert low(some(PLAIN, items=20, head=kappas, method="BCa")) >= 92.8
    assert low(some(PLAIN, items=20, head=kappas, method="bootstrap")) == pytest.approx(89.5, abs=1)
    for method in measured.WORDS.values():
        cells = some(items=20, method=method)
        assert 0.3 <= sum(v < 92.5 for v in cells) / len(cells) <= 0.6


def test_bca_is_best_with_few_items_and_the_percentile_bootstrap_worst() -> None:
    page = measured.PAGE.read_text("utf-8")
    for items in (20, 50):
        middle = {m: np.median(some(items=items, method=m)) for m in measured.WORDS.values()}
        assert min(middle, key=lambda m: middle[m]) == "bootstrap"

    def narrow(method: str, **which: Any) -> int:
        return sum(v < 92.5 for v in some(method=method, **which))

    both = {m: narrow(m, items=50) for m in ("BCa", "bootstrap")}
    count = len(some(items=50, method="BCa"))
    said = f"under 92.5 % in {both['bootstrap']} of {count} cells, BCa in {both['BCa']}."
    assert said in " ".join(page.split())
    for items in (20, 50):
        labels = {
            m: narrow(m, group=(*PLAIN, "ordered"), items=items) for m in measured.WORDS.values()
        }
        assert labels["BCa"] < min(n for m, n in labels.items() if m != "BCa"), labels


def test_skewed_labels_and_nearly_full_agreement() -> None:
    hard, weak = "9 in 10|high", "Fleiss|Conger|Light|alpha"
    every = "Percent|Unanimous|BP|AC"
    held = some("two raters", hard, 50, f"{every}|Cohen|Scott|alpha", "BCa")
    held += some("several", hard, 50, every, "BCa") + some("several", "high", 50, weak, "BCa")
    assert 94 <= low(held) <= max(held) <= 99
    assert low(some(PLAIN, hard, 50, method="bootstrap")) == pytest.approx(86, abs=0.5)
    assert max(some("two raters", "high", 50, "B")) < 91
    assert some("several", "9 in 10", 50, "Fleiss", "BCa") == [pytest.approx(90, abs=0.5)]
    for method in measured.WORDS.values():
        assert max(some("several", "9 in 10", 50, "Fleiss|Conger|Light|alpha", method)) < 92
    assert some("two raters", "9 in 10", 50, "Cohen", "analytic") == [pytest.approx(89, abs=0.5)]
    assert some("several", "9 in 10", 50, "Fleiss", "analytic") == [pytest.approx(85, abs=0.5)]
    flat = some("two raters", "9 in 10", 50, "AC|BP", "analytic")
    assert 88 <= low(flat) <= max(flat) <= 89


def test_gaps() -> None:
    found = some(PLAIN, "missing", head="Percent|AC|BP", method="analytic")
    assert max(found) == 99.8
    for method in ("jackknife", "BCa"):
        cells = some(PLAIN, "missing", head="Percent|AC|BP", method=method)
        assert 93.5 <= low(cells) <= max(cells) <= 96


def test_ordered_labels() -> None:
    few = [v for n in (20, 50) for v in some("ordered", "even labels", n, "AC")]
    assert 71.5 <= low(few) <= max(few) <= 92.5
    tau = some("ordered", head="tau-b", method="analytic")
    assert 78.5 <= low(tau) <= max(tau) <= 80
    assert low(some("ordered", items=50, head="tau-b", method="BCa")) >= 94


def test_scores() -> None:
    normal = some("numbers", "no shifts", head="ICC.*", method="analytic")
    assert 94 <= low(normal) <= max(normal) <= 96
    hard = "heavy|skewed"
    assert low(some("numbers", hard, head="ICC.*", method="analytic")) == 82.7
    assert low(some("numbers", hard, head="ICC.*", method="jackknife")) == 91.3
    other = [v for m in ("bootstrap", "BCa", "jackknife")
             for v in some("numbers", "other ones", head=r"ICC\(A,1\)", method=m)]  # fmt: skip
    assert 88 <= low(other) <= max(other) <= 92.5
    assert low(some("numbers", "other ones", head="ICC.*", method="analytic")) >= 94
    fixed = some("numbers", "2 raters, fixed", head=r"ICC\(A.*", method="analytic")
    assert 97.5 <= low(fixed) <= max(fixed) == 99.8
    held = some("numbers", "fixed (shifts|, high|, low)", head=r"ICC\(A.*", method="jackknife")
    assert low(held) >= 94
