"""What several sources are to each other, and lists from Python: sides, names, unused options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.spans.corpus import SpanSet, Text
from assay.spans.read import read_pair, read_spans


def counts(gold: Any, pred: Any, **choices: Any) -> tuple[int, int, int]:
    exact = assay.score_spans(gold, pred, **choices).figure("exact")
    return exact["tp"], exact["fp"], exact["fn"]


def notes(found: Any) -> list[dict[str, str]]:
    return list(found.summary["source"]["notes"])


ONE_SIDE: list[Any] = [
    [["B-PER", "O"]],
    [[("a", "B-PER"), ("b", "O")]],
    [[(0, 1, "A")]],
    assay.TagRows.of([["B-A"]]),
    read_spans([["B-A"]]),
]


@pytest.mark.parametrize("gold", ONE_SIDE)
def test_gold_alone_is_refused(gold: Any) -> None:
    with pytest.raises(UsageError, match="gold and at least one prediction are needed"):
        assay.score_spans(gold)


def test_one_source_of_both_is_taken(tmp_path: Path) -> None:
    both = tmp_path / "both.conll"
    both.write_text("a B-X O\nb O O\n")
    assert len(read_pair(both)) == 2
    assert len(read_pair([{"tokens": ["a"], "gold": ["B-X"], "pred": ["O"]}])) == 2
    lists = tmp_path / "lists.json"
    lists.write_text('[["B-X"], ["O"]]')
    with pytest.raises(UsageError, match="gold and at least one prediction"):
        read_pair(lists)


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ([[]], [[(0, 1, "A")]], (0, 1, 0)),
        ([[(0, 1, "A")]], [[]], (0, 0, 1)),
        ([[], [(0, 1, "A")]], [[(0, 5, "B")], []], (0, 1, 1)),
        ([[(0, 1, "A")]], [[(0, 1, "A"), (7, 9, "A")]], (1, 1, 0)),
    ],
)
def test_triples_with_an_empty_side(gold: Any, pred: Any, expected: tuple[int, int, int]) -> None:
    assert counts(gold, pred) == expected
    one, two = read_pair(gold, pred)
    reach = [max((s[1] for s in (*g, *p)), default=0) for g, p in zip(gold, pred, strict=True)]
    assert one.text.lengths.tolist() == two.text.lengths.tolist() == reach


def test_split_spans_in_lists() -> None:
    split = [[(((0, 2), (4, 5)), "A")]]
    assert counts(split, [[[[[4, 5], [0, 2]], "A"], (0, 1, "B")]]) == (1, 1, 0)
    assert counts(split, [[(0, 5, "A")]]) == (0, 1, 1)
    assert counts([[(((0, 2), (2, 5)), "A")]], [[(0, 5, "A")]]) == (1, 0, 0)
    found = read_spans(split)
    assert found.spans is not None
    assert found.spans.pieces(0) == ((0, 2), (4, 5))
    last = read_spans([[(((0, 1), (4, 4)), "A")]], inclusive=True)
    assert last.spans is not None
    assert last.spans.pieces(0) == ((0, 2), (4, 5))
    with pytest.raises(InputError, match="A 2–0, 4–5 is empty or backwards"):
        read_spans([[(((2, 0), (4, 5)), "A")]])


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / run / "pred.conll" for run in ("runA", "runB")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("a\tB-X\nb\tO\n")
    gold = tmp_path / "gold.conll"
    gold.write_text("a\tB-X\nb\tO\n")
    found = assay.score_spans(gold, *paths)
    assert list(found.scores) == ["runA/pred.conll", "runB/pred.conll"]
    agreed = assay.annotator_agreement([str(path) for path in paths])
    assert agreed.to_dict()["annotators"][0]["name"] == "runA/pred.conll"
    assert [one.name for one in read_pair(gold, gold)] == ["gold.conll", "gold.conll"]


def test_options_without_effect_are_said() -> None:
    tags = [["O", "B-A"]]
    found = assay.score_spans(tags, tags, snap="expand", offsets="bytes", inclusive=True)
    said = [n["message"] for n in notes(found) if n["code"] == "option_unused"]
    assert [m.split()[2] for m in said] == ["offsets", "snap", "inclusive"]
    text = [{"text": "Ana met", "label": [[0, 2, "PER"]]}]
    for choices, unused in (
        ({"offsets": "bytes", "inclusive": True}, []),
        ({"snap": "inside"}, ["snap"]),
        ({"snap": "inside", "unit": "token"}, []),
    ):
        codes = [n for n in read_spans(text, **choices).notes if n.code == "option_unused"]
        assert [n.message.split()[2] for n in codes] == unused
    assert "option_unused" not in {n["code"] for n in notes(assay.score_spans(tags, tags))}


def test_spans_that_snapping_makes_identical_are_said() -> None:
    text = [{"text": "abc def", "label": [[0, 2, "A"], [1, 3, "A"], [0, 1, "B"]]}]
    said = {n.code: n.message for n in read_spans(text, unit="token").notes}
    assert "each of which counts: 1 (first: memory: sentence 1: A 0–1)" in said["spans_twice"]
    assert "spans_twice" not in {n.code for n in read_spans(text).notes}


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ([0.0, 7.0, "PER"], "'label' .*its start is 0.0, and a whole number"),
        (["0", "7", "PER"], "'label' .*its start is '0', and a whole number"),
        ([0, "7", "PER"], "'label'.*its end is '7', and a whole number"),
        ([0, 7], "'label' .*it has no label"),
        ([0, 7, None], "'label'.*its label is null"),
        ([0, 7, True], "'label'.*its label is true, and a text"),
        ({"start": 0, "end": 7, "label": True}, "its label is true"),
        ({"start": 0, "end": 7, "label": None}, "its label is null"),
        ({"start": 0, "end": 7, "label": []}, "it has no label"),
        ({"start": 0, "end": 7}, "it has no label"),
        ({"start": 0, "label": "A"}, "it has no end"),
        ({"start": None, "end": 7, "label": "A"}, "its start is null"),
        (None, "'label' .*entry 1 of 1 is null, and a tag"),
    ],
)
def test_an_unfit_field_is_named(label: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_spans([{"text": "Ana slept", "label": [label]}])


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ([{"tokens": ["a", "b"], "tags": ["O", None]}], "'tags' .*entry 2 of 2 is null"),
        ([{"tokens": ["a"], "tags": {"a": 1}}], "'tags' .*dict found, and a list"),
        ([{"text": "a", "label": ["O", [0, 1, "A"]]}], "'label' .*tags and spans are mixed"),
        ([["O", None]], "sentence 1: .*entry 2 of 2 is null"),
        ([[("a", None)]], "sentence 1: .*is no span|neither"),
        ([[(0.0, 1.0, "A")]], "sentence 1: .*its start is 0.0"),
        ([["O"], [("a", "O")]], "do not go together"),
    ],
)
def test_what_is_unfit_is_said(source: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_spans(source)


def test_options_are_refused_in_the_callers_name() -> None:
    with pytest.raises(UsageError, match=r"^score_spans, the option: 'colum'"):
        assay.score_spans([["O"]], [["O"]], colum=1)
    with pytest.raises(UsageError, match=r"^annotator_agreement, the option: 'colum'"):
        assay.annotator_agreement(["a.conll", "b.conll"], colum=1)


def test_zero_division_as_a_number() -> None:
    for value in (0, 1):
        exact = assay.score_spans([["O"]], [["O"]], zero_division=value).figure("exact")
        assert exact["f1"] == value
    with pytest.raises(UsageError, match="zero_division: '2'"):
        assay.score_spans([["O"]], [["O"]], zero_division=2)


def test_decode_and_encode_take_lists() -> None:
    rows = [["B-A", "I-A", "O"], []]
    expected = [["B-A", "L-A", "O"], []]
    read = read_spans(rows)
    for given in (rows, read, assay.TagRows.of(rows)):
        assert assay.decode(given).spans.to_list() == [(0, 0, 2, "A")]
        assert assay.encode(given, scheme="BILOU") == expected
    decoded = assay.decode(rows)
    assert assay.encode(decoded, scheme="BILOU") == expected
    assert assay.encode(decoded.spans, [["a", "b", "c"], []], scheme="BILOU") == expected
    assert assay.encode(decoded.spans, read.text) == rows
    triples = read_spans([[(0, 1, "A")]])
    assert assay.encode(triples) == [["B-A"]]
    with pytest.raises(InputError, match=r"spans were read here.*\.spans"):
        assay.decode(triples)
    with pytest.raises(UsageError, match="how long its sentences are"):
        assay.encode(SpanSet.of([(0, 0, 1, "A")]))
    with pytest.raises(InputError, match="A up to 3 reaches beyond the text"):
        assay.encode(SpanSet.of([(0, 0, 3, "A")]), [["a"]])
    assert isinstance(read.text, Text)


def test_rows_with_blank_lines_between(tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"
    path.write_text("O O B-PER\n\nB-PER O O\n")
    found = read_spans(path)
    assert found.rows is not None
    assert [row for row in found.rows.rows() if row] == [["O", "O", "B-PER"], ["B-PER", "O", "O"]]
    path.write_text("O O B-PER\nO O O\n\nB-PER O O\n")
    with pytest.raises(InputError, match="--format rows or --format conll"):
        read_spans(path)
    assert len(read_pair(path, gold_column=2, pred_column=3)) == 2
    rows = read_spans(path, format="rows").rows
    assert rows is not None
    assert rows.rows()[1] == ["O", "O", "O"]


def test_warnings_name_their_file(tmp_path: Path) -> None:
    path = tmp_path / "data.conll"
    path.write_text("a X O\nb O\nc X O\n")
    said = {n.code: n.message for n in read_spans(path, column=-1).notes}
    assert said["columns_differ"].startswith(f"{path}, line 2: 2 columns where others have 3")
    path = tmp_path / "data.jsonl"
    path.write_text('{"tags": ["O"], "answer": "reject"}\n{"tags": ["O"]}\n')
    said = {n.code: n.message for n in read_spans(path).notes}
    assert said["records_skipped"].startswith("data.jsonl: records answered")


@pytest.mark.parametrize(
    ("content", "line"), [("a\t\nb\tO\n", 1), ("a\tO\nb\t\n", 2), ("a\tO\n# c\nb\t\nc\tO\n", 3)]
)
def test_an_empty_cell_is_blamed_on_its_line(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "data.conll"
    path.write_text(content)
    with pytest.raises(InputError, match=f"line {line}: 1 column .*its last cell is empty"):
        read_spans(path)
