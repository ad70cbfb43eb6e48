"""Whatever is written is read again; the fast way over blocks equals the plain one over lines."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.spans.align import agreeing
from assay.spans.read import read_pair, read_spans
from assay.spans.sources.codes import distinct, fingerprints_of, number
from assay.spans.sources.fields import PAD, split_block, split_line
from assay.spans.sources.offsets import Ruler
from assay.spans.stream import stream_pairs

LETTERS = st.characters(blacklist_categories=["Cs"], blacklist_characters="\t\n\r \x00\ufeff")
WORDS = st.text(LETTERS, min_size=1, max_size=20).filter(
    lambda w: not w.startswith(("#", "-DOCSTART-", "{", "["))
)
TAGS = st.sampled_from(["O", "B-PER", "I-PER", "B-a-very-long-type-name", "I-Đà", "B-X_Y"])
SENTENCES = st.lists(
    st.lists(st.tuples(WORDS, TAGS), min_size=1, max_size=6), min_size=1, max_size=8
)
BLANK = st.sampled_from(["", " ", "\t", " \t "])


@settings(deadline=None)
@given(
    SENTENCES,
    st.sampled_from(["\t", " ", "  ", " \t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.lists(BLANK, min_size=1, max_size=3),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
)
def test_columns_round_trip(
    sentences: list[list[tuple[str, str]]],
    separator: str,
    end: str,
    blanks: list[str],
    encoding: str,
    last: bool,
) -> None:
    rows = [end.join(f"{w}{separator}{t}" for w, t in row) + end for row in sentences]
    content = "".join(blank + end for blank in blanks).join(rows)
    content = content if last else content.removesuffix(end)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.conll"
        path.write_bytes(content.encode(encoding))
        found = read_spans(path, format="conll", token_column=1)
        assert found.rows is not None
        assert found.rows.rows() == [[t for _, t in row] for row in sentences]
        assert found.text.tokens is not None
        assert [list(row) for row in found.text.tokens] == [[w for w, _ in r] for r in sentences]
        again = []
        stream = stream_pairs(path, path, format="conll", token_column=1, chunk=37)
        for one, _ in stream:
            again += one.rows()
        assert again == found.rows.rows()
        assert stream.notes == ()


@settings(deadline=None)
@given(SENTENCES)
def test_records_round_trip(sentences: list[list[tuple[str, str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        lines = [{"tokens": [w for w, _ in r], "tags": [t for _, t in r]} for r in sentences]
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        pairs = read_pair([list(row) for row in sentences], path)
    assert [note.code for one in pairs for note in one.notes] == ["format", "format"]
    assert pairs[0].rows is not None
    assert pairs[1].rows is not None
    assert pairs[0].rows.rows() == pairs[1].rows.rows()


@given(st.text("ab\u00e9 \t\r\n", max_size=60), st.booleans())
def test_blocks_are_their_lines(text: str, tabs: bool) -> None:
    block = text.encode() + b"\n"
    fields = split_block(block, tabs)
    lines = block.split(b"\n")[:-1]
    assert fields.width.size == len(lines)
    for i, line in enumerate(lines):
        found = fields.of(i)
        assert found == split_line(line, tabs)
        assert block[int(fields.lines[i]) :].startswith(line)


@given(st.lists(st.text("abé", max_size=30), max_size=40))
def test_distinct_fields(values: list[str]) -> None:
    cells = [value.encode() for value in values]
    length = np.array([len(cell) for cell in cells], dtype=np.int64)
    codes, first = distinct(b"".join(cells) + PAD, np.cumsum(length) - length, length)
    assert len(first) == len(set(cells))
    for i, a in enumerate(cells):
        assert cells[first[codes[i]]] == a


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50))
def test_numbers_of_values(values: list[int]) -> None:
    array = np.array(values, dtype=np.uint64)
    codes, first = number(array)
    assert (array[first[codes]] == array).all() if values else not first.size
    assert len(first) == len(set(values))


def test_numbers_of_more_values_than_the_table_has() -> None:
    array = np.random.default_rng(1).integers(0, 2**63, 20_000).astype(np.uint64)
    codes, first = number(array)
    assert (array[first[codes]] == array).all()
    assert len(first) == np.unique(array).size


@given(SENTENCES, SENTENCES)
def test_fingerprints_are_equal_for_equal_sentences(
    one: list[list[tuple[str, str]]], two: list[list[tuple[str, str]]]
) -> None:
    rows = [[w for w, _ in row] for row in one + two]
    keys = fingerprints_of(rows).tolist()
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            assert (a == b) == (keys[i] == keys[j])


@given(st.lists(st.integers(0, 5), max_size=30), st.lists(st.integers(0, 5), max_size=30))
def test_aligned_sentences_agree(one: list[int], two: list[int]) -> None:
    place = agreeing(np.array(one, np.uint64), np.array(two, np.uint64)).tolist()
    used = [j for j in place if j >= 0]
    assert len(set(used)) == len(used)
    for i, j in enumerate(place):
        assert j < 0 or one[i] == two[j]
    same = agreeing(np.array(one, np.uint64), np.array(one, np.uint64))
    assert same.tolist() == list(range(len(one)))


@given(st.text("aé€🎈\r\n", max_size=30), st.sampled_from(["code-points", "utf-16", "bytes"]))
def test_offsets_in_every_unit(text: str, unit: str) -> None:
    codec = {"utf-16": ("utf-16-le", 2), "bytes": ("utf-8", 1), "code-points": ("utf-32-le", 4)}
    name, size = codec[unit]
    ruler = Ruler(text, unit)
    for i in range(len(text) + 1):
        if 0 < i < len(text) and text[i - 1 : i + 1] == "\r\n":
            continue
        plain = len(text[:i].replace("\r\n", "\n"))
        assert ruler.position(len(text[:i].encode(name)) // size) == plain
    assert ruler.position(-1) is None
    assert ruler.position(len(text.encode(name)) // size + 1) is None
