"""Other ratings: against plain loops, linear algebra, our own models, and the library itself."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.cli.prefer import OTHERS
from assay.errors import MissingExtra, UsageError
from assay.preference.counts import PairCounts
from assay.preference.others import METHODS, Rated, rate
from assay.report.prefer.also import ABOUT
from assay.report.render import render
from conftest import lacking
from preference import comparing


@pytest.fixture(autouse=True)
def library() -> Any:
    try:
        return importlib.import_module("evalica")
    except ImportError:
        return lacking("evalica is not installed: pip install 'assay[test]'")


def rated(rows: Sequence[Sequence[Any]], method: str) -> Rated:
    comparisons = comparing.read(rows)
    return rate(comparisons, PairCounts.of(comparisons), method)


def scores(rows: Sequence[Sequence[Any]], method: str) -> dict[str, float]:
    systems = comparing.read(rows).systems
    return dict(zip(systems, rated(rows, method).scores, strict=True))


def firsts(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Without what a rater was asked again, in the order of the rows."""
    met: dict[Any, Any] = {}
    for left, right, winner, *who in rows:
        met.setdefault((left, right, *who), (left, right, winner, *who))
    return list(met.values())


def elo(rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    """One comparison after another."""
    out = dict.fromkeys((name for row in rows for name in row[:2]), 1000.0)
    for left, right, winner, *_ in rows:
        expected = 1.0 / (1.0 + 10.0 ** ((out[right] - out[left]) / 400.0))
        step = 4.0 * ({"left": 1.0, "tie": 0.5, "right": 0.0}[winner] - expected)
        out[left] += step
        out[right] -= step
    return out


def counting(rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    out = dict.fromkeys((name for row in rows for name in row[:2]), 0.0)
    for (one, _), (win, tie, _) in comparing.counted(rows).items():
        out[one] += win + tie / 2
    return out


def average_win_rate(rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for (one, _), (win, tie, lose) in comparing.counted(rows).items():
        found.setdefault(one, []).append((win + tie / 2) / (win + tie + lose))
    return {name: sum(values) / len(values) for name, values in found.items()}


def pagerank(rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    """The stationary distribution as the solution of a linear system."""
    names = sorted({name for row in rows for name in row[:2]})
    k, place = len(names), {name: n for n, name in enumerate(names)}
    lost = np.zeros((k, k))
    for (one, other), (_, tie, lose) in comparing.counted(rows).items():
        lost[place[one], place[other]] = lose + tie / 2
    steps = np.array([row / row.sum() if row.sum() else np.full(k, 1 / k) for row in lost])
    found = np.linalg.solve(np.eye(k) - 0.85 * steps.T, np.full(k, 0.15 / k))
    return dict(zip(names, found, strict=True))


def newman(rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    """Newman's iteration is for Davidson's model; on the library's scale the mean log is 0."""
    fit = assay.bradley_terry(comparing.read(rows), model="davidson")
    return {n: float(np.exp(x)) for n, x in zip(fit.systems, fit.log_strengths, strict=True)}


@pytest.mark.parametrize("loop", [elo, counting, average_win_rate, pagerank, newman])
@pytest.mark.parametrize("seed", range(3))
def test_by_another_route(loop, seed):
    rows = comparing.dense(seed)
    expected = loop(rows)
    found = scores(rows, loop.__name__)
    if loop is newman:  # whose scale is free
        mean = np.mean(np.log(list(found.values())))
        found = {name: float(np.exp(np.log(x) - mean)) for name, x in found.items()}
    assert found == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_against_the_library_on_names(method, library):
    """We hand over codes; names, in any order, give the same."""
    rows, sides = comparing.dense(7), library.Winner
    winner = dict(zip(("left", "right", "tie"), (sides.X, sides.Y, sides.Draw), strict=True))
    left, right, won = zip(*(row[:3] for row in rows), strict=True)
    got = getattr(library, method)(
        list(left), list(right), [winner[one] for one in won], **METHODS[method].settings
    )
    expected = {str(name): float(score) for name, score in got.scores.items()}
    found = scores(rows, method)
    assert found == pytest.approx(expected, rel=1e-9)
    best = min(zip(rated(rows, method).ranks, found, strict=True))
    assert best == (1, got.scores.index[0])


@pytest.mark.parametrize("method", METHODS)
def test_only_elo_depends_on_the_order(method):
    rows = comparing.dense(2)
    turned = scores(rows[::-1], method) == pytest.approx(scores(rows, method), rel=1e-9)
    assert turned != METHODS[method].ordered


@pytest.mark.parametrize("method", METHODS)
def test_who_wins_more_is_ahead(method):
    """The way round: a score that grows with losses would be noticed here."""
    games = [("a", "b"), ("b", "c"), ("a", "c")] * 3 + [("b", "a"), ("c", "b"), ("c", "a")]
    rows = [(left, right, "left") for left, right in games]
    assert rated(rows, method).ranks == (1, 2, 3)


def test_equal_scores_share_a_rank():
    rows = [("a", "b", "tie"), ("a", "c", "left"), ("b", "c", "left"), ("c", "a", "tie")]
    assert rated(rows, "counting").ranks == (1, 2, 3)
    assert rated(rows[:3], "counting").ranks == (1, 1, 3)


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("between_parts", [("a", "b", "left"), ("b", "c", "left")]),
        ("no_decided_comparison", [("a", "b", "tie"), ("b", "c", "tie")]),
    ],
)
def test_newman_needs_what_a_likelihood_needs(code, rows):
    found = rated(rows, "newman")
    assert found.undefined is not None
    assert found.undefined.code == code
    assert not found.scores
    assert rated(rows, "elo").undefined is None


def test_an_iteration_that_does_not_settle_is_said(monkeypatch):
    monkeypatch.setattr("assay.preference.others.LIMIT", 1)
    found = rated(comparing.dense(1), "newman")
    assert found.undefined is not None
    assert found.undefined.code == "not_converged"


def test_what_the_command_offers_is_what_there_is():
    assert tuple(METHODS) == OTHERS
    assert set(METHODS) == set(ABOUT)


def test_unknown_methods_and_a_library_that_is_absent(monkeypatch):
    rows = comparing.records(comparing.dense(1))
    # The library's eigenvector method ranks by losses and is not taken over.
    with pytest.raises(UsageError, match="also: 'eigen' is not known"):
        assay.prefer(rows, also="eigen")
    monkeypatch.setitem(sys.modules, "evalica", None)
    with pytest.raises(MissingExtra, match=r"assay\[rankings\]"):
        assay.prefer(rows, also="elo")
    assert assay.prefer(rows, bootstrap=None).summary["also"] is None


@pytest.fixture(scope="module")
def report():
    rows = comparing.records(comparing.dense(4))
    return assay.prefer(rows, bootstrap=None, also=["elo", "pagerank", "elo"])


def test_the_summary_has_each_method_once_in_the_order_of_strength(report):
    first, second = report.summary["also"]
    assert (first["method"], second["method"]) == ("elo", "pagerank")
    assert first["depends_on_order"]
    assert not second["depends_on_order"]
    expected = elo(firsts(comparing.dense(4)))
    assert {one["system"]: one["score"] for one in first["scores"]} == pytest.approx(expected)
    order = [one["system"] for one in report.summary["strengths"]]
    assert [one["system"] for one in first["scores"]] == order
    ranks = {one["system"]: one["rank"] for one in report.summary["strengths"]}
    for method in (first, second):
        others = [s["system"] for s in method["scores"] if s["rank"] != ranks[s["system"]]]
        assert method["differs"] == others


def test_every_form_shows_it(report):
    best = report.summary["also"][0]["scores"][0]
    shown = f"{best['score']:.1f} ({best['rank']})"
    for text in (str(report), report.to_markdown(), report.to_html()):
        assert shown in text
        assert "depends on the order of the comparisons" in " ".join(text.split())
    assert "Elo (k = 4, in the order of the data); PageRank" in report.methods()
    without = assay.prefer(comparing.records(comparing.dense(4)), bootstrap=None)
    assert "Elo" not in str(without) + without.to_markdown() + without.to_html()


def test_islands_are_not_ordered_in_silence():
    rows = [("a", "b", "left"), ("b", "a", "left"), ("c", "d", "left"), ("c", "d", "left")]
    report = assay.prefer(comparing.records(rows), bootstrap=None, also="elo")
    assert report.summary["also"][0]["differs"] is None
    assert "rests on nothing" in " ".join(str(report).split())


def test_repeats_count_once_and_groups_have_their_own(tmp_path):
    rows = [row for row in comparing.dense(5) if {*row[:2]} <= {"ant", "bee", "cat"}]
    once = firsts(rows)
    assert len(once) < len(rows)
    report = assay.prefer(comparing.records(rows), bootstrap=None, also="elo")
    assert report.summary["source"]["repeats"] == len(rows) - len(once)
    found = {one["system"]: one["score"] for one in report.summary["also"][0]["scores"]}
    assert found == pytest.approx(elo(once))
    path = tmp_path / "games.csv"
    lines = [",".join((*row, "xy"[n % 2])) for n, row in enumerate(once)]
    path.write_text("\n".join(["left,right,winner,rater,item,part", *lines]))
    got = CliRunner().invoke(
        main,
        ["prefer", str(path), "--by", "part", "--also", "elo", "--bootstrap", "0", "--json"],
    )
    assert got.exit_code == 0, got.output
    for n, group in enumerate(json.loads(got.stdout)["groups"]):
        found = {one["system"]: one["score"] for one in group["also"][0]["scores"]}
        assert found == pytest.approx(elo(once[n::2]))


def also(rows: Sequence[Sequence[Any]], *methods: str, **options: Any) -> Any:
    return assay.prefer(comparing.records(rows), bootstrap=None, also=methods, **options)


def test_csv_has_two_columns_a_method_for_systems(report):
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert list(rows[0])[-4:] == ["elo", "elo_rank", "pagerank", "pagerank_rank"]
    for method in report.summary["also"]:
        name = method["method"]
        found = {row["system"]: row for row in rows if row["kind"] == "system"}
        for one in method["scores"]:
            assert float(found[one["system"]][name]) == one["score"]
            assert int(found[one["system"]][f"{name}_rank"]) == one["rank"]
        assert not any(row[name] for row in rows if row["kind"] == "pair")
    assert "elo" not in also(comparing.dense(4)).to_csv()


@pytest.mark.parametrize("full", [False, True])
def test_latex_has_a_table_of_them(report, full):
    text = render(report.summary, "latex", full=full)
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == 2
    second = text.split("\\end{tabular}")[1]
    assert "System & Bradley-Terry & Elo & PageRank \\\\" in second
    first, other = report.summary["also"]
    for row in report.summary["strengths"]:
        elo_of, rank_of = (
            next(one for one in method["scores"] if one["system"] == row["system"])
            for method in (first, other)
        )
        line = f"{row['system']} & {row['rank']} & {elo_of['score']:.1f} ({elo_of['rank']}) & "
        assert f"{line}{rank_of['score']:.3f} ({rank_of['rank']}) \\\\" in second
    assert also(comparing.dense(4)).to_latex().count("\\begin{tabular}") == 1


def test_a_method_that_some_groups_lack_has_gaps_in_the_tables():
    rows = [row | {"part": "all"} for row in comparing.records(comparing.dense(4))]
    rows += [row | {"part": "two"} for row in rows if {row["left"], row["right"]} == {"ant", "bee"}]
    report = assay.prefer(rows, by="part", bootstrap=None, also=["pagerank", "counting"])
    two = report.to_latex().split("\\emph{two}")[-1]
    assert re.search(r"ant & [12] & -- & ", two)
    assert "% PageRank: not defined, because" in two
    cells = [
        row["pagerank"]
        for row in csv.DictReader(io.StringIO(report.to_csv()))
        if row["group"] == "two"
    ]
    assert set(cells) == {""}


ELEVEN = [("a", "b", "left")] * 11 + [("b", "a", "left")]


def test_pagerank_does_not_count_losses_to_one_opponent():
    """What it says of two systems is the same at 11 : 1 and at 1 : 11, so it says nothing."""
    for rows in (ELEVEN, ELEVEN[::-11], [("a", "b", "left")] * 3):
        found = rated(rows, "pagerank")
        assert found.undefined is not None
        assert found.undefined.code == "one_opponent"
    report = also(ELEVEN, "pagerank")
    assert "Ranks differ" not in str(report)
    assert "how often each wins does not count" in " ".join(str(report).split())


def test_systems_with_one_opponent_are_named_with_pagerank():
    rows = [*ELEVEN, ("b", "c", "left"), ("c", "b", "left")]
    more = [*rows, *[("c", "b", "left")] * 2, *[("b", "c", "left")] * 2]
    spread = scores(rows, "pagerank"), scores(more, "pagerank")
    assert spread[0]["a"] > spread[1]["a"]  # b hands on more to c, a to none but b
    text = " ".join(str(also(rows, "pagerank")).split())
    assert "where it met one other only (a and c)" in text
    joined = [*rows, ("a", "c", "left"), ("c", "a", "left")]
    assert "met one other only" not in str(also(joined, "pagerank"))
    assert "met one other only" not in str(also(rows, "elo"))


def test_newman_without_ties_says_that_there_are_strengths():
    found = rated(ELEVEN, "newman")
    assert found.undefined is not None
    assert found.undefined.code == "not_converged"
    assert "Strengths exist" in found.undefined.reason
    fit = assay.bradley_terry(comparing.read(ELEVEN), model="davidson")
    assert fit.tie_parameter == 0
    assert fit.strengths == pytest.approx((11 / 12, 1 / 12))
    tied = rated([*ELEVEN, ("a", "b", "tie")], "newman")
    assert tied.undefined is None
