"""Counts of parts add up to those of the whole, whatever the parts are."""

from __future__ import annotations

import pickle
import random
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import InputError, UsageError
from assay.report.spans.summary import Settings, matches
from assay.spans.corpus import TagRows
from assay.spans.counting import Counted, How, count, packed, settled, unpacked
from assay.spans.detect import Written
from assay.spans.figures import Convention
from assay.spans.resample import Rows
from assay.spans.tally import MOST, Tally

TAGS = ("O", "O", "B-A", "I-A", "B-B", "I-B", "B-", "I-C")
SENTENCE = st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from(TAGS)), max_size=6)


def sides(sentences, first=0):
    """Gold and predicted rows, each sentence named by its place."""
    from dataclasses import replace

    out = []
    for k in (0, 1):
        rows = TagRows.of([[pair[k] for pair in one] for one in sentences])
        names = [f"s{first + i:05d}" for i in range(len(sentences))]
        out.append(replace(rows, text=replace(rows.text, names=names)))
    return out


def tally_of(sentences, first=0, **how):
    tally = Tally("BIO", **how)
    if sentences:
        tally.add(*sides(sentences, first), named=True)
    return tally


def plain(tally: Tally, *, places: bool = True):
    """All that a report takes from a tally; intervals included."""
    settings = Settings(Convention("1", 1.0), 0.95, 100, 3)
    return {
        "types": tally.types,
        "matches": matches(tally.rows, tally.columns, settings),
        "totals": tally.rows.totals.tolist(),
        "sums": (tally.sentences, tally.right_sentences, tally.tokens),
        "sides": (tally.n_illegal, tally.dropped),
        "causes": {key: n for key, n in tally.causes.items() if n},
        "worst": [w if places else w._replace(sentence=0) for w in tally.worst],
    }


@given(
    st.lists(SENTENCE, max_size=30),
    st.lists(st.integers(0, 30), max_size=5),
    st.randoms(use_true_random=False),
    st.sampled_from(("open", "discard", "last-type")),
)
def test_parts_in_any_grouping_and_order(sentences, cuts, rng, illegal) -> None:
    whole = tally_of(sentences, illegal=illegal)
    edges = [0, *sorted(min(c, len(sentences)) for c in cuts), len(sentences)]
    parts = [tally_of(sentences[a:b], a, illegal=illegal) for a, b in pairwise(edges)]
    copies = pickle.loads(pickle.dumps(parts))
    shuffled = pickle.loads(pickle.dumps(parts))
    # In order, any two neighbours first.
    while len(copies) > 1:
        k = rng.randrange(len(copies) - 1)
        copies[k : k + 2] = [copies[k].merge(copies[k + 1])]
    assert plain(copies[0]) == plain(whole)
    # In any order everything is the same but the places of sentences.
    rng.shuffle(shuffled)
    total = shuffled[0]
    for part in shuffled[1:]:
        total = total.merge(part)
    assert plain(total, places=False) == plain(whole, places=False)


@given(st.lists(SENTENCE, min_size=1, max_size=20), st.integers(0, 20))
def test_tags_as_written_add_up(sentences, cut) -> None:
    whole = Written().add(sides(sentences)[0])
    parts = [part for part in (sentences[:cut], sentences[cut:]) if part]
    merged = Written()
    for part in parts:
        merged.merge(Written().add(sides(part)[0]))
    assert merged.pairs == whole.pairs
    assert merged.tags == whole.tags


@given(st.lists(SENTENCE, min_size=1, max_size=20), st.lists(st.integers(0, 20), max_size=4))
def test_counting_finds_the_scheme_of_all_parts(sentences, cuts) -> None:
    edges = [0, *sorted(min(c, len(sentences)) for c in cuts), len(sentences)]
    parts = [sides(sentences[a:b]) for a, b in pairwise(edges) if a < b]

    def one(how: How) -> Counted:
        return count([tuple(sides(sentences))], how)

    def many(how: How) -> Counted:
        found = count((), how)
        for part in parts:
            found = found.merge(unpacked(packed(partial(count, [tuple(part)], how))))
        return found

    a, b = settled(one, How()), settled(many, How())
    assert (a[0].scheme, a[1].scheme) == (b[0].scheme, b[1].scheme)
    assert plain(a[1]) == plain(b[1])


def test_worst_sentences_are_the_first_by_name() -> None:
    wrong = [[("B-A", "O")]] * (3 * MOST)
    whole = tally_of(wrong)
    assert [w.name for w in whole.worst] == [f"s{k:05d}" for k in range(MOST)]
    parts = [tally_of(wrong[k : k + 7], k) for k in range(0, len(wrong), 7)]
    random.Random(3).shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total.merge(part)
    assert [w.name for w in total.worst] == [w.name for w in whole.worst]


def test_many_distinct_rows_are_merged_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    table = rng.integers(0, 200, (3000, 9))
    whole = Rows.of(table)
    parts = [Rows.of(table[k : k + 100]).narrow() for k in range(0, 3000, 100)]
    assert parts[0].rows.dtype == np.int16
    merged = parts[0].together(*parts[1:])
    assert merged.totals.tolist() == whole.totals.tolist() == table.sum(axis=0).tolist()
    expected = whole.resampled(200, 1)
    monkeypatch.setattr("assay.spans.resample.BLOCK", 128)
    assert (merged.resampled(200, 1) == expected).all()
    assert int(merged.times.sum()) == 3000


def test_tallies_of_other_readings_do_not_add_up() -> None:
    with pytest.raises(UsageError, match="scheme is 'BIO' here and 'IOB1' in the other part"):
        Tally("BIO").merge(Tally("IOB1"))


def test_errors_travel_as_they_are() -> None:
    def fails() -> Counted:
        raise InputError("partition 2: broken", code="unknown_tag")

    with pytest.raises(InputError, match="partition 2: broken") as caught:
        unpacked(packed(fails))
    assert caught.value.code == "unknown_tag"


def test_no_sentences_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences were found"):
        settled(lambda how: count((), how), How())


def test_a_scheme_that_shows_late_is_counted_anew(tmp_path) -> None:
    rows = [["B-A", "I-A"]] * 50 + [["B-A", "E-A"], ["S-B"]]
    path = tmp_path / "late.conll"
    path.write_text("\n\n".join("\n".join(f"w {tag}" for tag in row) for row in rows) + "\n")
    calls: list[tuple[int, int | None]] = []
    parts = assay.stream_spans(path, path, chunk=64, progress=lambda *at: calls.append(at))
    whole = assay.score_spans(path, path)
    assert parts.summary["scheme"] == whole.summary["scheme"] == "BIOES"
    assert parts.summary["illegal"] == whole.summary["illegal"]
    # Told of twice from the beginning, since all was read twice.
    assert [done for done, _ in calls].count(52) == 2
    assert calls[-1] == (52, 52)
