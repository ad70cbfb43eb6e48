"""Decoding: against seqeval and an independent rule on every short row, and between schemes."""

from __future__ import annotations

import itertools
import random
import warnings
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from assay.errors import InputError
from assay.spans.corpus import TagRows
from assay.spans.decode import Decoded, decode
from assay.spans.encode import encode
from assay.spans.schemes import SCHEMES
from assay.spans.score import Scores
from strategies import tag_rows

seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling")
classes = pytest.importorskip("seqeval.scheme")

Found = list[set[tuple[str, int, int]]]
THREE = ("PER", "ORG", "LOC")


@cache
def every(letters: str, types: tuple[str, ...], n: int) -> tuple[tuple[str, ...], ...]:
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in types)]
    return tuple(itertools.product(tags, repeat=n))


def chance(letters: str, types: tuple[str, ...], seed: int = 3) -> list[tuple[str, ...]]:
    """Longer rows, some of them mostly O."""
    rng = random.Random(seed)
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in types)]
    return [
        tuple(rng.choice(tags + ["O"] * (k % 7)) for _ in range(rng.randrange(1, 40)))
        for k in range(250)
    ]


def spans_of(rows, scheme: str = "BIO", illegal: str = "open") -> Found:
    return by_row(decode(TagRows.of(rows), scheme=scheme, illegal=illegal), len(rows))


def by_row(found: Decoded, n: int) -> Found:
    out: Found = [set() for _ in range(n)]
    for sentence, start, stop, kind in found.spans.to_list():
        out[sentence].add((kind, start, stop))
    assert sum(map(len, out)) == len(found.spans)
    return out


def default(rows) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            {(kind, a, b + 1) for kind, a, b in seqeval.get_entities(list(row))} for row in rows
        ]


def strict(rows, scheme: str) -> Found:
    rules = getattr(classes, scheme)
    return [
        {(e.tag, e.start, e.end) for e in classes.Tokens(list(row), rules).entities} for row in rows
    ]


def chunks(row) -> set[tuple[str, int, int]]:
    """The rule of the CoNLL evaluation for B, I and O, written down token by token."""
    out: set[tuple[str, int, int]] = set()
    start: int | None = None
    kind = ""
    for i, tag in enumerate([*row, "O"]):
        now = tag[2:]
        if start is not None and (tag == "O" or tag[0] == "B" or now != kind):
            out.add((kind, start, i))
            start = None
        if tag != "O" and start is None:
            start, kind = i, now
    return out


@pytest.mark.parametrize(
    ("types", "n", "legal"),
    [(THREE, 1, 4), (THREE, 2, 19), (THREE, 3, 91), (THREE, 4, 436), (("A", "B"), 5, 571)],
)
def test_every_short_row_of_bio(types, n, legal):
    rows = every("BI", types, n)
    assert len(rows) == (2 * len(types) + 1) ** n
    opened, dropped = spans_of(rows), spans_of(rows, illegal="discard")
    assert opened == default(rows) == [chunks(row) for row in rows]
    assert dropped == strict(rows, "IOB2")
    found = decode(TagRows.of(rows))
    illegal = Counter(place.sentence for place in found.places)
    assert len(rows) - len(illegal) == legal
    # The two conventions part exactly on the illegal rows.
    assert {i for i, (a, b) in enumerate(zip(opened, dropped, strict=True)) if a != b} == {*illegal}
    # As many illegal transitions as spans that an I opened.
    assert sum(illegal.values()) == found.n_illegal
    for i, (a, b) in enumerate(zip(opened, dropped, strict=True)):
        assert b <= a
        assert illegal[i] == len(a - b)
    lost = sum(
        stop - start for a, b in zip(opened, dropped, strict=True) for _, start, stop in a - b
    )
    assert lost == found.dropped == decode(TagRows.of(rows), illegal="discard").dropped


def test_transitions_and_dropped_tokens_are_two_counts():
    counts = [decode(TagRows.of([row])) for row in every("BI", THREE, 3)]
    assert sum(found.n_illegal != found.dropped for found in counts) == 36


@pytest.mark.parametrize("types", [THREE, ("X-Y", "X-Z"), ("a",)])
def test_longer_rows_of_bio(types):
    rows = chance("BI", types)
    assert spans_of(rows) == default(rows) == [chunks(row) for row in rows]
    assert spans_of(rows, illegal="discard") == strict(rows, "IOB2")


@pytest.mark.parametrize(
    ("scheme", "letters", "theirs"),
    [("BIOES", "BIES", "IOBES"), ("BILOU", "BILU", "BILOU"), ("IOE2", "IE", "IOE2")],
)
@pytest.mark.parametrize("long", [False, True])
def test_schemes_with_ends(scheme, letters, theirs, long):
    types = ("A", "B")
    rows = chance(letters, types) if long else every(letters, types, 4)
    assert long or len(rows) == (len(types) * len(letters) + 1) ** 4
    # The default mode does not know L and U; the letters of BIOES say the same.
    known = [[t.replace("L-", "E-").replace("U-", "S-") for t in row] for row in rows]
    assert spans_of(rows, scheme) == default(known)
    assert spans_of(rows, scheme, "discard") == strict(rows, theirs)
    found = decode(TagRows.of(rows), scheme=scheme)
    bad = {place.sentence for place in found.places}
    dropped = spans_of(rows, scheme, "discard")
    for i, (a, b) in enumerate(zip(spans_of(rows, scheme), dropped, strict=True)):
        assert b <= a
        assert (i in bad) == (a != b)


def test_iob1_agrees_on_every_legal_row():
    """Strict IOB1 of seqeval starts a span at the I after a B that nothing of its type precedes."""
    rows = every("BI", ("A", "B"), 5)
    assert spans_of(rows, "IOB1") == default(rows)
    ours, theirs = spans_of(rows, "IOB1", "discard"), strict(rows, "IOB1")
    bad = {place.sentence for place in decode(TagRows.of(rows), scheme="IOB1").places}
    apart = {i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b}
    assert len(rows) - len(bad) == 571
    assert apart <= bad
    assert len(apart) == 902
    assert spans_of([["B-PER", "I-PER"]], "IOB1", "discard") == [set()]
    assert strict([["B-PER", "I-PER"]], "IOB1") == [{("PER", 1, 2)}]


def test_ioe1_and_the_spans_that_seqeval_does_not_find():
    """Strict IOE1 of seqeval starts no span at an E, unless after an E of its type."""
    rows = every("IE", ("A", "B"), 5)
    assert spans_of(rows, "IOE1") == default(rows)
    ours, theirs = spans_of(rows, "IOE1", "discard"), strict(rows, "IOE1")
    bad = {place.sentence for place in decode(TagRows.of(rows), scheme="IOE1").places}
    assert len(rows) - len(bad) == 571
    for i in set(range(len(rows))) - bad:
        assert theirs[i] <= ours[i]
        for kind, start, stop in ours[i] - theirs[i]:
            assert stop - start == 1
            assert rows[i][start] == f"E-{kind}"
            assert start == 0 or rows[i][start - 1] != f"E-{kind}"


# Rows, spans under "open", under "discard", illegal transitions and dropped tokens, "last-type".
TABLE = [
    ("B-PER I-ORG I-ORG", "PER01 ORG13", "PER01", 1, 2, "ORG03"),
    ("O I-PER B-PER", "PER12 PER23", "PER23", 1, 1, "PER12 PER23"),
    ("B-PER I-ORG I-PER", "PER01 ORG12 PER23", "PER01", 2, 2, "PER03"),
    ("O I-PER I-PER", "PER13", "", 1, 2, "PER13"),
    ("B-PER I-PER I-ORG", "PER02 ORG23", "PER02", 1, 1, "ORG03"),
    ("I-PER B-PER I-PER", "PER01 PER13", "PER13", 1, 1, "PER01 PER13"),
    ("I-PER I-ORG I-LOC", "PER01 ORG12 LOC23", "", 3, 3, "LOC03"),
    ("B-PER B-PER I-PER", "PER01 PER13", "PER01 PER13", 0, 0, "PER01 PER13"),
]


@pytest.mark.parametrize(("row", "opened", "dropped", "illegal", "lost", "last"), TABLE)
def test_rows_by_hand(row, opened, dropped, illegal, lost, last):
    def said(convention: str) -> str:
        found = decode(TagRows.of([row.split()]), illegal=convention)
        assert (found.n_illegal, found.dropped) == (illegal, lost)
        return " ".join(f"{kind}{a}{b}" for _, a, b, kind in found.spans.to_list())

    assert [said(c) for c in ("open", "discard", "last-type")] == [opened, dropped, last]


def last_type(row) -> set[tuple[str, int, int]]:
    """An I goes on with any open span; the last tag names it."""
    out: set[tuple[str, int, int]] = set()
    start: int | None = None
    for i, tag in enumerate([*row, "O"]):
        if start is not None and tag[0] in "OB":
            out.add((row[i - 1][2:], start, i))
            start = None
        if tag != "O" and start is None:
            start = i
    return out


def test_last_type_on_every_row():
    rows = every("BI", THREE, 4)
    assert spans_of(rows, illegal="last-type") == [last_type(row) for row in rows]


def test_last_type_with_ends():
    rows = [["B-A", "I-B", "E-C"], ["S-A", "I-B", "E-A"], ["E-A", "E-B", "B-A"], ["B-A", "S-B"]]
    assert spans_of(rows, "BIOES", "last-type") == [
        {("C", 0, 3)},
        {("A", 0, 1), ("A", 1, 3)},
        {("A", 0, 1), ("B", 1, 2), ("A", 2, 3)},
        {("A", 0, 1), ("B", 1, 2)},
    ]


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "IO"])
def test_conversion_keeps_spans_and_is_legal(scheme):
    rows = TagRows.of(every("BI", THREE, 4))
    kept = decode(rows, illegal="discard").spans
    written = TagRows.of(encode(kept, rows.text, scheme=scheme))
    for illegal in ("open", "discard", "last-type"):
        back = decode(written, scheme=scheme, illegal=illegal)
        assert back.n_illegal == back.dropped == 0
        assert back.spans.to_list() == kept.to_list()
    again = encode(back.spans, rows.text, scheme="BIO")
    assert decode(TagRows.of(again)).spans.to_list() == kept.to_list()


@given(rows=tag_rows(sides=2))
def test_conversion_keeps_the_score(rows):
    gold, pred = (decode(TagRows.of(side), illegal="discard").spans for side in rows)
    text = TagRows.of(rows[0]).text
    first = Scores.of(gold, pred, len(rows[0])).table()
    for scheme in ("IOB1", "IOE1", "IOE2", "BIOES", "BILOU", "BMES"):
        sides = [TagRows.of(encode(one, text, scheme=scheme)) for one in (gold, pred)]
        again = [decode(side, scheme=scheme).spans for side in sides]
        assert np.array_equal(Scores.of(again[0], again[1], len(rows[0])).table(), first)


def test_io_keeps_spans_that_do_not_touch_their_like():
    rows = TagRows.of([["B-A", "I-A", "B-B", "O", "B-A"]])
    written = encode(decode(rows).spans, rows.text, scheme="IO")
    assert written == [["I-A", "I-A", "I-B", "O", "I-A"]]
    assert (
        decode(TagRows.of(written), scheme="IO", illegal="discard").spans.to_list()
        == decode(rows).spans.to_list()
    )
    touching = TagRows.of([["B-A", "B-A"]])
    with pytest.raises(InputError, match="two A spans touch at token 2"):
        encode(decode(touching).spans, touching.text, scheme="IO")


@given(rows=tag_rows(letters="BIES"))
def test_sentences_do_not_touch_each_other(rows):
    (side,) = rows
    for illegal in ("open", "discard", "last-type"):
        together = decode(TagRows.of(side), scheme="BIOES", illegal=illegal)
        alone = [decode(TagRows.of([row]), scheme="BIOES", illegal=illegal) for row in side]
        assert by_row(together, len(side)) == [by_row(one, 1)[0] for one in alone]
        assert together.dropped == sum(one.dropped for one in alone)
        where = [(p.sentence, p.position, str(p)) for p in together.places]
        assert where == [(i, p.position, str(p)) for i, one in enumerate(alone) for p in one.places]


def test_places_name_both_tags():
    rows = TagRows.of([["B-A", "I-A"], [], ["I-B", "O", "E-A"]])
    places = decode(rows, scheme="BIOES").places
    assert [(p.sentence, p.position, str(p)) for p in places] == [
        (0, 2, "I-A->end"),
        (2, 0, "start->I-B"),
        (2, 1, "I-B->O"),
        (2, 2, "O->E-A"),
    ]


@pytest.mark.parametrize("scheme", list(SCHEMES))
def test_the_conventions_agree_on_legal_rows_and_only_there(scheme):
    letters = "".join(SCHEMES[scheme].letters.values()).replace("O", "")
    rows = every(letters, ("A", "B"), 4 if len(letters) > 2 else 5)
    bad = {place.sentence for place in decode(TagRows.of(rows), scheme=scheme).places}
    opened, dropped, last = (
        spans_of(rows, scheme, illegal) for illegal in ("open", "discard", "last-type")
    )
    for i, (a, b, c) in enumerate(zip(opened, dropped, last, strict=True)):
        assert (a == b) == (i not in bad)
        assert i in bad or a == c
