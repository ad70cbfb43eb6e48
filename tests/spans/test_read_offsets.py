"""Offsets: what they count, what they quote, and how spans of characters become tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError, UsageError
from assay.spans.encode import encode
from assay.spans.read import Annotation, read_pair, read_spans


def spans(found: Annotation) -> list[tuple[int, int, int, str]]:
    assert found.spans is not None
    return found.spans.to_list()


def note(found: Annotation, code: str) -> str:
    (one,) = [n for n in found.notes if n.code == code]
    return one.message


def case(shared: Path, name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((shared / f"cases/reports/{name}.json").read_text("utf-8"))
    return read


def brat(folder: Path, ann: str, txt: str | None = None, name: str = "doc") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.ann"
    path.write_bytes(ann.encode())
    if txt is not None:
        path.with_suffix(".txt").write_bytes(txt.encode())
    return path


def test_the_reported_emoji(shared: Path) -> None:
    reported = case(shared, "offsets-in-utf16-units")
    text, expected = reported["input"]["text"], reported["expected"]
    right = [(0, *span) for span in expected["code_point_spans"]]
    for key in ("code_point_spans", "utf16_spans", "utf8_byte_spans"):
        regions = [
            {"start": a, "end": b, "label": k, "text": text[c:d]}
            for (a, b, k), (c, d, _) in zip(
                expected[key], expected["code_point_spans"], strict=True
            )
        ]
        found = read_spans([{"id": 5, "text": text, "spans": regions}])
        assert spans(found) == right
        said = [n.message for n in found.notes if n.code == "offset_unit"]
        assert ("UTF-16" in "".join(said)) == (key == "utf16_spans")
        assert ("bytes" in "".join(said)) == (key == "utf8_byte_spans")
    quoted = reported["input"].get("regions")
    assert spans(read_spans([{"text": text, "spans": quoted}])) == right


def test_offsets_that_nothing_fits() -> None:
    record = {
        "text": "Lea in Ghent",
        "spans": [{"start": 1, "end": 4, "label": "P", "text": "Lea"}],
    }
    with pytest.raises(InputError, match=r"sentence 1: P 1–4 quotes 'Lea'.*is 'ea '") as bad:
        read_spans([record])
    assert bad.value.code == "offsets"


def test_the_span_that_does_not_fit_is_named_under_the_unit_of_the_others() -> None:
    text = "🎈Lea in Ghent"
    region = {"start": 2, "end": 5, "label": "P", "text": "Lea"}
    place = {"start": 9, "end": 14, "label": "L", "text": "Ghent"}
    bad = {"start": 6, "end": 8, "label": "X", "text": "to"}
    with pytest.raises(InputError, match=r"sentence 2: X 6–8 quotes 'to'.*is 'in'"):
        read_spans([{"text": text, "spans": [region, place]}, {"text": text, "spans": [bad]}])


def test_the_unit_may_be_said() -> None:
    record = {"text": "🎈Lea", "label": [[2, 5, "P"]]}
    assert spans(read_spans([record], offsets="utf-16")) == [(0, 1, 4, "P")]
    # Without quoted text, offsets beyond the text are the only sign.
    assert spans(read_spans([record])) == [(0, 1, 4, "P")]
    with pytest.raises(InputError, match="outside the text, which has 4"):
        read_spans([record], offsets="code-points")
    with pytest.raises(InputError, match="outside the text"):
        read_spans([{"text": "🎈Lea", "label": [[1, 3, "P"]]}], offsets="utf-16")
    with pytest.raises(UsageError, match="offsets: 'utf16' is not known"):
        read_spans([record], offsets="utf16")


def test_brat_with_pieces(shared: Path, tmp_path: Path) -> None:
    reported = case(shared, "brat-discontinuous")
    path = brat(tmp_path, reported["input"]["ann"], reported["input"]["txt"])
    for source in (path, path.with_suffix(".txt"), tmp_path):
        found = read_spans(source)
        assert found.format == "brat"
        assert found.spans is not None
        expected = [(0, a, b, k) for (a, b), (_, k, _) in zip(
            reported["expected"]["envelopes"], reported["expected"]["entities"], strict=True
        )]  # fmt: skip
        assert spans(found) == sorted(expected)
        pieces = [tuple(map(tuple, p)) for _, _, p in reported["expected"]["entities"]]
        assert [found.spans.pieces(i) for i in range(3)] == pieces
        assert found.spans.overlapping
        assert note(found, "not_entities").endswith("relations 1")
        assert "several pieces: 2" in note(found, "split_spans")
    assert found.spans is not None
    with pytest.raises(InputError, match="one row of tags"):
        encode(found.spans, found.text)


@pytest.mark.parametrize("counted", ["\r\n", "\n"])
@pytest.mark.parametrize("written", ["\r\n", "\n"])
def test_line_ends_do_not_shift_spans(tmp_path: Path, counted: str, written: str) -> None:
    text = "Ana\nslept in\nRio"
    annotated = text.replace("\n", counted)
    start = annotated.index("Rio")
    ann = f"T1\tPER 0 3\tAna\nT2\tLOC {start} {start + 3}\tRio\n"
    found = read_spans(brat(tmp_path, ann.replace("\n", counted), text.replace("\n", written)))
    assert spans(found) == [(0, 0, 3, "PER"), (0, 13, 16, "LOC")]
    assert found.text.words(0, 0, 16) == text
    assert ("offset_unit" in [n.code for n in found.notes]) == (counted != written)


def test_a_folder_of_pairs(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold", tmp_path / "pred"
    brat(gold, "T1\tX 0 1\ta\n", "a b", "one")
    brat(gold / "more", "", "c d", "two")
    brat(pred / "more", "T1\tX 2 3\td\n#1\tAnnotatorNotes T1\tsure?\n", None, "two")
    brat(pred, "T9\tX 0 1\ta\n", None, "one")
    one, two = read_pair(gold, pred)
    assert list(one.text.names or ()) == ["more/two", "one"]
    assert spans(one) == [(1, 0, 1, "X")]
    assert spans(two) == [(0, 2, 3, "X"), (1, 0, 1, "X")]
    assert two.text.words(0, 2, 3) == "d"
    assert one.text.n_documents == 2
    assert "notes 1" in note(two, "not_entities")
    alone = read_spans(pred)
    assert "first: two.txt" in note(alone, "no_text")
    brat(pred, "", "e", "three")
    with pytest.raises(InputError, match=r"'three' of .*pred \('e'\) is not in .*gold.*--align"):
        read_pair(gold, pred)
    one, two = read_pair(gold, pred, align=True)
    assert one.text.n_sentences == 2
    assert "1 of 3" in note(two, "sentences_left_out")
    brat(pred, "T9\tX 1 2\ta\n", None, "one")
    with pytest.raises(InputError, match="quotes 'a'"):
        read_pair(gold, pred, align=True)


@pytest.mark.parametrize(
    "line", ["T1\tX 0\ta", "T1 X 0 1 a", "T1\tX 0 1,3 4\ta", "Q1\tX 0 1\ta", "T1\tX a b\ta"]
)
def test_lines_that_are_not_brat(tmp_path: Path, line: str) -> None:
    path = brat(tmp_path, f"T0\tX 0 1\ta\n{line}\n", "a b")
    with pytest.raises(InputError, match=r"doc.ann, line 2: not of the brat format"):
        read_spans(path)


def test_records_are_paired_by_name() -> None:
    gold = [{"id": i, "text": f"t{i}", "label": [[0, 1, "X"]]} for i in range(3)]
    pred = [{"id": i, "spans": [[0, 2, f"Y{i}"]]} for i in (2, 0, 1)]
    one, two = read_pair(gold, pred)
    assert [k for _, _, _, k in spans(two)] == ["Y0", "Y1", "Y2"]
    assert one.text.n_units == two.text.n_units == 6
    with pytest.raises(InputError, match=r"2 texts where gold has 3; the text '1' of gold"):
        read_pair(gold, pred[:2])
    other = [{**record, "text": f"t{record['id']}"} for record in pred]
    other[0]["text"] = "u2"
    with pytest.raises(InputError, match=r"differs from gold at character 1: 'u2', in gold"):
        read_pair(gold, other)
    one, two = read_pair(gold, other, align=True)
    assert one.text.n_sentences == 2
    assert "1 of 3" in note(two, "sentences_left_out")


@pytest.mark.parametrize("given", [True, False])
def test_the_reported_misalignment(shared: Path, given: bool) -> None:
    reported = case(shared, "span-inside-a-token")
    expected = reported["expected"]
    record = {"text": reported["input"]["text"], "spans": reported["input"]["spans"]}
    if given:
        record["tokens"] = reported["input"]["tokens"]
    found = read_spans([record])
    assert spans(found) == [(0, 4, 13, "DATE"), (0, 14, 17, "TITLE"), (0, 18, 25, "PER")]
    assert "1 (first: sentence 1" not in note(found, "spans_stripped")
    assert "1 (first: memory: sentence 1: TITLE 14–18)" in note(found, "spans_stripped")
    (said,) = [n for n in found.notes if n.code == "spans_inside_tokens"]
    assert "1 of 3" in said.message
    assert "DATE 4–13 starts inside token 1" in said.message
    assert said.level == ("warning" if given else "info")
    wide = read_spans([record], unit="token")
    assert wide.spans is not None
    assert encode(wide.spans, wide.text)[0] == expected["bio_expand"]
    for snap in ("drop", "inside"):
        less = read_spans([record], unit="token", snap=snap)
        assert less.spans is not None
        assert encode(less.spans, less.text)[0] == expected["bio_strict_without_misaligned"]
        assert "1 of 3" in note(less, "spans_inside_tokens")
    with pytest.raises(InputError, match="DATE 4–13 starts inside token 1") as bad:
        read_spans([record], unit="token", snap="error")
    assert bad.value.code == "span_inside_token"


def test_snapping_to_whole_tokens() -> None:
    record = {"text": "aaa bbb ccc ddd", "label": [[1, 10, "X"], [12, 15, "Y"]]}
    for snap, x in {"expand": (0, 3), "inside": (1, 2)}.items():
        assert spans(read_spans([record], unit="token", snap=snap)) == [
            (0, *x, "X"),
            (0, 3, 4, "Y"),
        ]
    with pytest.raises(UsageError, match="snap"):
        read_spans([record], unit="token", snap="nearest")


def test_tokens_of_gold_are_those_of_the_prediction() -> None:
    gold = [{"text": "Rio,", "tokens": ["Rio", ","], "spans": [[0, 3, "LOC"]]}]
    pred = [{"text": "Rio,", "spans": [[0, 3, "LOC"]]}]
    for one in read_pair(gold, pred, unit="token"):
        assert spans(one) == [(0, 0, 1, "LOC")]
        assert one.text.tokens is not None
        assert list(one.text.tokens[0]) == ["Rio", ","]


def test_tokens_and_characters_together() -> None:
    gold = [[("Ana", "B-PER"), ("slept", "O")]]
    pred = [{"text": "Ana slept", "label": [[0, 3, "PER"]]}]
    with pytest.raises(InputError, match="gold counts tokens, and pred characters; --unit token"):
        read_pair(gold, pred)
    _, two = read_pair(gold, pred, unit="token")
    assert spans(two) == [(0, 0, 1, "PER")]
    assert "tokens_differ" not in [n.code for n in two.notes]


def test_spans_of_nothing_are_counted() -> None:
    record = {"text": "a  b", "label": [[1, 3, "X"], [2, 2, "Y"], [0, 1, "Z"], [0, 1, "Z"]]}
    found = read_spans([record])
    assert spans(found) == [(0, 0, 1, "Z"), (0, 0, 1, "Z")]
    assert "left out: 2" in note(found, "spans_empty")
    assert "each of which counts: 1" in note(found, "spans_twice")
