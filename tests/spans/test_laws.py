"""Laws over all 117,649 pairs of rows of three tokens, under both conventions."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from assay.spans.causes import CAUSES, Causes
from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.decode import decode
from assay.spans.figures import Convention
from assay.spans.score import TYPED, UNTYPED, Scores, mode_figures, semeval

TAGS = ("O", *(f"{letter}-{kind}" for kind in ("PER", "ORG", "LOC") for letter in "BI"))
ROWS = np.array(list(itertools.product(range(7), repeat=3)))
N = len(ROWS)
MODES = (*TYPED, *UNTYPED)


@dataclass(frozen=True)
class Lab:
    """All pairs under one convention: each a sentence, gold row × N + predicted row."""

    scores: Scores
    table: np.ndarray
    illegal: np.ndarray

    def figures(self, mode: str, zero: str = "1") -> dict[str, np.ndarray]:
        return mode_figures(self.table, self.scores.columns, mode, Convention(zero))

    def counts(self, mode: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        c = self.scores.columns
        return tuple(self.table[:, s].sum(axis=1) for s in (c.right(mode), c.gold, c.pred))


def swapped(values: np.ndarray) -> np.ndarray:
    """The value of each pair's mirror image."""
    return values.reshape(N, N, *values.shape[1:]).swapaxes(0, 1).reshape(values.shape)


@pytest.fixture(scope="module", params=["open", "discard"])
def lab(request) -> Lab:
    return made(request.param)


def made(convention: str) -> Lab:
    text = Text(np.full(N * N, 3))
    gold = TagRows(np.repeat(ROWS, N, axis=0).ravel(), TAGS, text)
    pred = TagRows(np.tile(ROWS, (N, 1)).ravel(), TAGS, text)
    sides = [decode(rows, illegal=convention) for rows in (gold, pred)]
    scores = Scores.of(sides[0].spans, sides[1].spans, N * N)
    alone = decode(TagRows(ROWS.ravel(), TAGS, Text(np.full(N, 3))))
    illegal = np.bincount([place.sentence for place in alone.places], minlength=N)
    return Lab(scores, scores.table(), illegal)


def test_there_are_117649_pairs(lab):
    assert len(lab.table) == 117_649
    assert np.count_nonzero(lab.illegal == 0) == 91


@pytest.mark.parametrize("mode", MODES)
def test_counts(lab, mode):
    right, gold, pred = lab.counts(mode)
    pairs = lab.scores.pairing(mode)
    g, p = pairs.without(lab.scores.gold, lab.scores.pred)
    fn = np.bincount(lab.scores.gold.sentence[g], minlength=N * N)
    fp = np.bincount(lab.scores.pred.sentence[p], minlength=N * N)
    assert np.array_equal(fp, pred - right)
    assert np.array_equal(fn, gold - right)
    assert (fp >= 0).all()
    assert (fn >= 0).all()
    assert np.array_equal(right, np.bincount(lab.scores.gold.sentence[pairs.gold], minlength=N * N))


@pytest.mark.parametrize("mode", MODES)
def test_identical_rows_score_one_everywhere(lab, mode):
    same = np.arange(N) * (N + 1)
    for values in lab.figures(mode).values():
        assert (values[same] == 1.0).all()
    unknown = lab.figures(mode, "undefined")["micro"][same]
    assert (np.isnan(unknown) | (unknown == 1.0)).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("zero", ["1", "0", "undefined"])
def test_swapping_the_rows_swaps_precision_and_recall(lab, mode, zero):
    for name, values in lab.figures(mode, zero).items():
        if name == "weighted":
            continue
        assert np.array_equal(values, swapped(values)[:, [1, 0, 2]], equal_nan=True), name


def test_more_lenient_is_never_less(lab):
    f1 = {mode: lab.figures(mode)["micro"][:, 2] for mode in MODES}
    assert (f1["partial"] >= f1["exact"]).all()
    assert (f1["partial-optimal"] >= f1["partial"]).all()
    assert (f1["overlap"] >= f1["partial"]).all()
    assert (f1["overlap-optimal"] >= f1["overlap"]).all()
    assert (f1["boundaries"] >= f1["exact"]).all()
    assert (f1["overlap"] >= f1["boundaries"]).all()
    # Rows of three tokens are too short for the greedy rule to lose a pair of one type.
    assert (f1["partial"] == f1["partial-optimal"]).all()


def test_f1_is_what_precision_and_recall_say(lab):
    right, gold, pred = lab.counts("exact")
    p, r, f = lab.figures("exact")["micro"].T
    assert np.allclose(f[right > 0], (2 * p * r / np.where(p + r, p + r, 1))[right > 0])
    assert np.array_equal(f == 1.0, (right == gold) & (right == pred))
    assert np.array_equal(p[pred == 0], np.ones((pred == 0).sum()))
    assert np.array_equal(r[gold == 0], np.ones((gold == 0).sum()))


def test_semeval_adds_up(lab):
    table = semeval(lab.table, lab.scores.columns)
    _, gold, pred = lab.counts("exact")
    for counts in table.values():
        paired = counts["correct"] + counts["incorrect"] + counts["partial"]
        assert np.array_equal(paired + counts["missed"], gold)
        assert np.array_equal(paired + counts["spurious"], pred)
        assert np.array_equal(counts["missed"], swapped(counts["spurious"]))
        assert min(int(x.min()) for x in counts.values()) >= 0
    assert np.array_equal(table["strict"]["correct"], lab.counts("exact")[0])
    assert np.array_equal(table["type"]["correct"], lab.counts("partial")[0])
    assert (table["exact"]["correct"] <= lab.counts("boundaries")[0]).all()
    paired = table["strict"]["correct"] + table["strict"]["incorrect"]
    assert (paired <= lab.counts("overlap-optimal")[0]).all()


def test_causes_add_up_in_every_pair(lab):
    causes = Causes(lab.scores)
    right, gold, pred = lab.counts("exact")
    fp, fn = causes.cost()
    assert np.array_equal(fp, pred - right)
    assert np.array_equal(fn, gold - right)
    mirror = {"missed": "spurious", "spurious": "missed", "split": "merged", "merged": "split"}

    def by_cause(which: np.ndarray, sentence: np.ndarray) -> dict[str, np.ndarray]:
        return {
            name: np.bincount(sentence[which == k], minlength=N * N)
            for k, name in enumerate(CAUSES)
        }

    of_gold = by_cause(causes.of_gold, lab.scores.gold.sentence)
    of_pred = by_cause(causes.of_pred, lab.scores.pred.sentence)
    for name in CAUSES:
        assert np.array_equal(of_gold[name], swapped(of_pred[mirror.get(name, name)])), name
    for name in ("right", "boundary", "type", "boundary_and_type"):
        assert np.array_equal(of_gold[name], of_pred[name])
    assert not of_gold["spurious"].any()
    assert not of_pred["missed"].any()


def test_legal_rows_score_the_same_under_both_conventions():
    one, two = made("open"), made("discard")
    legal = (one.illegal == 0)[:, None] & (one.illegal == 0)[None, :]
    assert np.count_nonzero(legal) == 91**2
    # Discarding can drop a type; the columns of both are those of the same three types.
    assert one.scores.types == two.scores.types == ("LOC", "ORG", "PER")
    assert np.array_equal(one.table[legal.ravel()], two.table[legal.ravel()])
    assert isinstance(one.scores.gold, SpanSet)
    assert not np.array_equal(one.table, two.table)
