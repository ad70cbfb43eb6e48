"""What the page shows is what the library finds: pairs of rows of three tokens, and exports.

The laws themselves are tested over all pairs in tests/spans/test_laws.py.
"""

from __future__ import annotations

import itertools
import random
import shlex
from collections import Counter

import pytest
from click.testing import CliRunner

from assay.cli.main import main
from assay.spans.decode import decode
from assay.spans.figures import Convention
from assay.spans.score import Scores
from assay.web.labs.bio import State, view
from assay.web.labs.bio.exports import command, conll, python
from assay.web.labs.bio.presets import PRESETS, first_state
from assay.web.labs.bio.scored import scored
from assay.web.labs.bio.words import COUNTED, KINDS, kind_of
from assay.web.speech import english

TAGS = ("O", *(f"{letter}-{kind}" for kind in ("PER", "ORG", "LOC") for letter in "BI"))
ROWS = list(itertools.product(TAGS, repeat=3))
PAIRS = random.Random(3).choices(list(itertools.product(ROWS, ROWS)), k=150)


def exact_f1(state: State, illegal: str | None = None) -> float:
    f1 = scored(state, illegal).line("exact", state.zero).f1
    assert f1 is not None
    return f1


SWITCHES = pytest.mark.parametrize("illegal", ["open", "discard"])


def states(illegal: str, pairs=PAIRS) -> list[State]:
    return [State(("a", "b", "c"), gold, pred, illegal) for gold, pred in pairs]


@SWITCHES
def test_the_page_shows_what_the_library_finds(illegal):
    gold, pred = (
        decode([pair[k] for pair in PAIRS], illegal=illegal).spans for k in range(2)
    )  # fmt: skip
    whole = Scores.of(gold, pred, len(PAIRS))
    table, c = whole.table(), whole.columns
    for row, state in zip(table, states(illegal), strict=True):
        page = view(state, None, english())
        for line in (one.line for one in page.modes):
            right, n_gold, n_pred = (
                int(row[part].sum()) for part in (c.right(line.mode), c.gold, c.pred)
            )
            assert (line.tp, line.fp, line.fn) == (right, n_pred - right, n_gold - right)
            expected = Convention().figures(right, n_gold, n_pred)
            assert [line.precision, line.recall, line.f1] == expected.tolist()
        assert (len(page.gold), len(page.pred)) == (n_gold, n_pred)
        borders = Counter(chip.border for chip in page.pred)
        exact, partial = page.modes[0].line, page.modes[1].line
        assert borders["solid"] == exact.tp
        assert borders["solid"] + borders["dashed"] == partial.tp
        assert (partial.f1 or 0.0) >= (exact.f1 or 0.0)


@SWITCHES
def test_errors_are_the_false_ones(illegal):
    for state in states(illegal):
        found = scored(state)
        line = found.line("exact", "1")
        gold = [span for error in found.errors for span in error.gold]
        pred = [span for error in found.errors for span in error.pred]
        assert (len(gold), len(pred)) == (line.fn, line.fp)
        assert len(set(gold)) == len(gold)
        assert len(set(pred)) == len(pred)
        assert set(gold) <= set(found.spans[0])
        assert set(pred) <= set(found.spans[1])
        kinds = {kind_of(error) for error in found.errors}
        assert kinds <= set(KINDS)
        assert set(KINDS) == set(COUNTED)


@SWITCHES
def test_identical_rows_score_1_everywhere(illegal):
    for state in states(illegal, [(row, row) for row in ROWS]):
        found = scored(state)
        assert {line.f1 for line in found.lines("1")} == {1.0}
        assert {one.f1 for one in found.measures("1")} == {1.0}
        assert found.accuracy("1") == 1.0
        assert found.errors == []


@SWITCHES
def test_swapping_the_rows_swaps_precision_and_recall(illegal):
    for one, two in zip(
        states(illegal), states(illegal, [(p, g) for g, p in PAIRS]), strict=True
    ):  # fmt: skip
        for a, b in zip(scored(one).lines("1"), scored(two).lines("1"), strict=True):
            assert (a.precision, a.recall, a.f1) == (b.recall, b.precision, b.f1)


def test_the_sentence_on_the_switch_never_contradicts_the_figures():
    for state in states("open"):
        page = view(state, None, english())
        a, b = (exact_f1(state, illegal) for illegal in ("open", "discard"))
        legal = not (page.figure("illegal-gold").value or page.figure("illegal-pred").value)
        assert (page.convention == "legal") == legal
        if a != b:
            assert page.convention == ("higher" if b > a else "lower")
            shown = [english().percent(f1) for f1 in (a, b)]
            assert all(one in page.effect for one in shown)


EXPORTED = [first_state(), PRESETS["illegal"].state(), *states("discard", PAIRS[:3])]


BARE = ("O",)
UNREADABLE = [
    State((), (), ()),
    State(("-DOCSTART-",), BARE, BARE),
    State(("a", "-DOCSTART-x"), ("B-PER", "O"), ("O", "O")),
]


@pytest.mark.parametrize("state", [*EXPORTED, *UNREADABLE, State(("#",), BARE, BARE)])
def test_a_command_is_offered_where_it_reads_the_same_rows(state, tmp_path, monkeypatch):
    page = view(state, None, english())
    offered = {key for key, _, _ in page.exports}
    assert offered - {"command", "conll"} == {"python", "latex", "cite"}
    assert bool(page.without_file) == (state in UNREADABLE) == ("command" not in offered)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sentence.conll").write_text(conll(state))
    ran = CliRunner().invoke(main, [*shlex.split(command(state))[1:], "--json"])
    whole = f'"tokens": {len(state.tokens)}'
    assert (ran.exit_code == 0 and whole in ran.output) == ("command" in offered)
    exec(python(state), {})


@pytest.mark.parametrize("state", EXPORTED)
def test_exports_run_and_print_the_same_figures(state, capsys, tmp_path, monkeypatch):
    f1 = exact_f1(state)
    exec(python(state), {})
    assert f"{100 * f1:.1f}" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sentence.conll").write_text(conll(state))
    ran = CliRunner().invoke(main, [*shlex.split(command(state))[1:], "--json"])
    assert ran.exit_code == 0, ran.output
    assert f'"f1": {f1!r}' in ran.output
