"""Reported cases: tags, files and spans that other tools got wrong, and published figures."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.report.spans.report import score_spans
from assay.spans.corpus import SpanSet, TagRows
from assay.spans.decode import decode
from assay.spans.figures import Convention
from assay.spans.match import match
from assay.spans.parity import parity_of
from assay.spans.read import read_pair
from assay.spans.score import Scores, mode_figures, semeval, semeval_figures

# Figures of exact matching as (tp, fp, fn, precision, recall, F1); None where not defined.
Figures = tuple[int, int, int, float | None, float | None, float | None]


def told(gold, pred, kind: str = "micro", **options) -> Figures:
    options = {"zero_division": "undefined", "bootstrap": 0, **options}
    found = score_spans(gold, pred, **options).figure("exact", kind)
    return tuple(found[k] for k in ("tp", "fp", "fn", "precision", "recall", "f1"))


def close(got: Figures, want: Figures) -> bool:
    return all(
        a is b if a is None or b is None else math.isclose(a, b)
        for a, b in zip(got, want, strict=True)
    )


FOOD = [["O", "B-Food", "I-Food", "I-Food", "O", "B-City", "I-City"], ["O", "O", "O"]]
SHIFTED = [["O", "B-Food", "I-Food", "I-Food", "O", "O", "B-City"], ["O", "O", "O"]]
MISSED = [["O", "B-Food", "I-Food", "I-Food", "O", "O", "O"], ["O", "O", "O"]]
DEVICE = [["B-Dev", "I-Dev", "O"], ["O", "B-Dev", "O"]]
DANGLING = [["I-Dev", "I-Dev", "O"], ["O", "I-Dev", "I-Dev"]]
ADJACENT = [["B-M", "E-M", "B-M", "E-M"], ["S-M", "O", "B-M", "E-M"]]
MERGED = [["B-M", "I-M", "I-M", "E-M"], ["S-M", "O", "B-M", "E-M"]]
BARE = [["B", "I", "O", "B"], ["O", "B", "I", "I"]]
BARE_SAID = [["B", "I", "O", "O"], ["O", "B", "I", "O"]]
DATES = [["B-from-date", "I-from-date", "O", "B-to-date"]]
DATES_SAID = [["B-from-date", "I-from-date", "O", "B-from-date"]]
NONE = [["O", "O", "O", "O"]]
TWO = [["B-LOC", "I-LOC", "O", "B-PER"]]


@pytest.mark.parametrize(
    ("gold", "pred", "options", "want"),
    [
        (FOOD, SHIFTED, {}, (1, 1, 1, 0.5, 0.5, 0.5)),
        (FOOD, MISSED, {}, (1, 0, 1, 1.0, 0.5, 2 / 3)),
        (DEVICE, DANGLING, {}, (1, 1, 1, 0.5, 0.5, 0.5)),
        (DEVICE, DANGLING, {"illegal": "discard"}, (0, 0, 2, None, 0.0, 0.0)),
        (ADJACENT, MERGED, {}, (2, 1, 2, 2 / 3, 1 / 2, 4 / 7)),
        (ADJACENT, MERGED, {"illegal": "discard"}, (2, 1, 2, 2 / 3, 1 / 2, 4 / 7)),
        (BARE, BARE_SAID, {}, (1, 1, 2, 1 / 2, 1 / 3, 2 / 5)),
        (DATES, DATES_SAID, {}, (1, 1, 1, 0.5, 0.5, 0.5)),
        (NONE, TWO, {}, (0, 2, 0, 0.0, None, 0.0)),
        (NONE, NONE, {}, (0, 0, 0, None, None, None)),
        (NONE, TWO, {"zero_division": "1"}, (0, 2, 0, 0.0, 1.0, 0.0)),
        (NONE, NONE, {"zero_division": "1"}, (0, 0, 0, 1.0, 1.0, 1.0)),
    ],
)
def test_exact_figures(gold, pred, options, want):
    assert close(told(gold, pred, **options), want)
    # The mirror image: precision and recall, and the two kinds of error, change places.
    tp, fp, fn, p, r, f = want
    assert close(told(pred, gold, **options), (tp, fn, fp, r, p, f))


def test_figures_of_each_type():
    for pred in (SHIFTED, MISSED):
        assert told(FOOD, pred, "Food")[-1] == 1.0
        assert told(FOOD, pred, "City")[-1] == 0.0
    summary = score_spans(FOOD, MISSED, bootstrap=0).to_dict()
    assert summary["source"]["sentences"] == 2
    assert summary["sentence_accuracy"] == 0.5
    assert score_spans(DATES, DATES_SAID, bootstrap=0).to_dict()["source"]["types"] == [
        "from-date",
        "to-date",
    ]


def test_averages_without_gold():
    """No number is made of nothing, and nothing fails."""
    report = score_spans(NONE, TWO, bootstrap=0, zero_division="undefined")
    assert report.figure("exact", "macro")["precision"] == 0.0
    assert report.figure("exact", "macro")["recall"] is None
    assert report.figure("exact", "weighted")["f1"] is None
    empty = score_spans(NONE, NONE, bootstrap=0, zero_division="undefined").to_dict()
    assert all(row["f1"] is None for row in empty["matches"])
    assert json.loads(json.dumps(empty, allow_nan=False)) == empty


def test_token_accuracy():
    """Of all tokens, and of those that one side marks at least."""
    found = score_spans([["B-A", "O", "O", "O"]], [["B-B", "O", "I-A", "O"]], bootstrap=0).to_dict()
    assert found["token_accuracy"] == 0.5
    assert found["token_accuracy_without_o"] == 0.0
    found = score_spans(BARE, BARE_SAID, bootstrap=0).to_dict()
    assert found["token_accuracy"] == 6 / 8
    assert found["token_accuracy_without_o"] == 4 / 6
    found = score_spans(NONE, NONE, bootstrap=0).to_dict()
    assert (found["token_accuracy"], found["token_accuracy_without_o"]) == (1.0, None)
    # A side without a single O.
    found = score_spans([["B-A", "I-A"]], [["O", "I-A"]], bootstrap=0).to_dict()
    assert found["token_accuracy"] == found["token_accuracy_without_o"] == 0.5


def test_illegal_places_are_named():
    summary = score_spans(DEVICE, DANGLING, bootstrap=0).to_dict()
    assert summary["illegal"] == {"gold": 0, "pred": 2}
    assert summary["dropped"] == {"gold": 0, "pred": 4}
    places = summary["illegal_places"]["pred"]
    assert [(p["sentence"], p["position"], p["before"], p["after"]) for p in places] == [
        (0, 0, "", "I-Dev"),
        (1, 1, "O", "I-Dev"),
    ]
    assert [str(p) for p in decode(TagRows.of(DANGLING)).places] == ["start->I-Dev", "O->I-Dev"]


def test_one_gold_span_in_two_pieces():
    gold = SpanSet.of([(0, 4, 7, "ORG"), (0, 8, 16, "ORG")])
    pred = SpanSet.of([(0, 4, 7, "ORG"), (0, 8, 11, "ORG"), (0, 11, 16, "ORG")])
    scores = Scores.of(gold, pred, 1)
    totals = scores.table().sum(axis=0)
    found = mode_figures(totals, scores.columns, "exact", Convention())["micro"]
    assert found.tolist() == pytest.approx([1 / 3, 1 / 2, 2 / 5])
    table = semeval(totals, scores.columns)
    assert {k: int(v) for k, v in table["partial"].items()} == {
        "correct": 1,
        "incorrect": 0,
        "partial": 1,
        "missed": 0,
        "spurious": 1,
        "possible": 2,
        "actual": 3,
    }
    assert semeval_figures(table["partial"], Convention()).tolist() == pytest.approx(
        [1 / 2, 3 / 4, 3 / 5]
    )
    assert len(scores.pairing("partial")) == 2


def test_two_predictions_on_one_gold_span():
    """The counts of x do not depend on whether y is looked at."""
    gold = SpanSet.of([(0, 3, 6, "x")])
    both = SpanSet.of([(0, 3, 8, "y"), (0, 3, 8, "x")])
    only = SpanSet.of([(0, 3, 8, "x")])
    for pred in (both, only):
        scores = Scores.of(gold, pred, 1)
        found = scores.kinds[0]
        (pair,) = zip(found.gold.tolist(), found.pred.tolist(), strict=True)
        assert scores.pred.types[scores.pred.type[pair[1]]] == "x"
        assert len(match(scores.gold, scores.pred, "exact")) == 0
    table = semeval(Scores.of(gold, both, 1).table().sum(axis=0), Scores.of(gold, both, 1).columns)
    assert (table["type"]["correct"], table["type"]["missed"], table["type"]["spurious"]) == (
        1,
        0,
        1,
    )


def test_a_split_span_is_its_pieces():
    gold = SpanSet.of([(0, ((0, 6), (17, 21)), "Term"), (0, 11, 21, "Term")])
    whole = SpanSet.of([(0, 0, 21, "Term"), (0, 11, 21, "Term")])
    assert gold.overlapping
    assert Scores.of(gold, gold, 1).right_sentences() == 1
    scores = Scores.of(gold, whole, 1)
    assert len(scores.pairing("exact")) == 1
    assert len(scores.pairing("partial")) == 2


def test_unknown_tags_stop_with_their_place():
    with pytest.raises(InputError, match=r"sentence 2, token 1.*'TEAM' has no known prefix"):
        score_spans([["O"], ["O"]], [["O"], ["TEAM"]])


PUBLISHED = {
    "arcada": (47.40, 34.57, 39.98),
    "flytxt": (47.92, 31.97, 38.35),
    "sjtu_adapt": (50.21, 33.83, 40.42),
    "uh_ritual": (57.54, 32.90, 41.86),
}


@pytest.fixture(scope="module")
def wnut(shared: Path) -> dict[str, Any]:
    folder = shared / "data" / "wnut17"
    if not folder.is_dir():
        pytest.skip("the WNUT files are absent")
    return {name: read_pair(folder / "gold.conll", folder / f"{name}.conll") for name in PUBLISHED}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_figures_of_wnut(wnut, name):
    gold, pred = (side.rows for side in wnut[name])
    scores = Scores.of(decode(gold).spans, decode(pred).spans, gold.text.n_sentences)
    totals = scores.table().sum(axis=0)
    found = mode_figures(totals, scores.columns, "exact", Convention())["micro"]
    assert tuple(round(100 * float(x), 2) for x in found) == PUBLISHED[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_other_scorers_on_wnut(wnut, name):
    """The same figures from the parity code, and the scorers' own text where they are there."""
    gold, pred = (side.rows for side in wnut[name])
    p, r, f = PUBLISHED[name]
    text = parity_of("conlleval", gold, pred, {})["text"].splitlines()
    assert text[1].endswith(f"precision: {p:6.2f}%; recall: {r:6.2f}%; FB1: {f:6.2f}")
    rows = gold.rows(), pred.rows()
    metrics = pytest.importorskip("seqeval.metrics")
    classes = pytest.importorskip("seqeval.scheme")
    assert parity_of("seqeval", gold, pred, {})["text"] == metrics.classification_report(*rows)
    assert parity_of("seqeval-strict", gold, pred, {"scheme": "BIO"})[
        "text"
    ] == metrics.classification_report(*rows, mode="strict", scheme=classes.IOB2)
    evaluator = pytest.importorskip("nervaluate.evaluator")
    types = sorted({tag[2:] for row in rows[0] + rows[1] for tag in row if tag != "O"})
    theirs = evaluator.Evaluator(*rows, tags=types, loader="list").summary_report()
    assert parity_of("nervaluate", gold, pred, {})["text"].startswith(theirs)
