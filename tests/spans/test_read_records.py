"""JSON and lists: tokens with tags, texts with spans, under the names that tools use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.spans.corpus import TagRows
from assay.spans.decode import decode
from assay.spans.read import Annotation, read_pair, read_spans

TEXT = "Ana met Bo in Rio"
SPANS = [(0, 0, 3, "PER"), (0, 8, 10, "PER"), (0, 14, 17, "LOC")]


def lines(folder: Path, *records: Any, name: str = "data.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), "utf-8")
    return path


def tags(found: Annotation) -> list[list[str]]:
    assert found.rows is not None
    return found.rows.rows()


def spans(found: Annotation) -> list[tuple[int, int, int, str]]:
    assert found.spans is not None
    return found.spans.to_list()


@pytest.mark.parametrize(
    "record",
    [
        {"tokens": ["a", "b"], "tags": ["B-X", "O"]},
        {"tokens": ["a", "b"], "ner_tags": ["B-X", "O"], "tags": ["NN", "NN"]},
        {"words": ["a", "b"], "labels": ["B-X", "O"], "text": "a b"},
        {"id": 7, "tokens": ["a", "b"], "label": ["B-X", "O"]},
        [["a", "B-X"], ["b", "O"]],
    ],
)
@pytest.mark.parametrize("how", ["lines", "list", "memory"])
def test_tokens_and_tags(tmp_path: Path, record: Any, how: str) -> None:
    other: Any = [["c", "I-X"]]
    if isinstance(record, dict):
        cells = {"B-X": "I-X", "a": "c"}
        other = {
            key: [cells[v[0]]] if isinstance(v, list) and v[0] in cells else v
            for key, v in record.items()
        }
    source: Any = [record, other]
    if how == "lines":
        source = lines(tmp_path, record, other)
    elif how == "list":
        source = tmp_path / "data.json"
        source.write_text(json.dumps([record, other], indent=1), "utf-8")
    found = read_spans(source)
    assert tags(found) == [["B-X", "O"], ["I-X"]]
    assert found.text.tokens is not None
    assert [list(row) for row in found.text.tokens] == [["a", "b"], ["c"]]


def test_tags_alone(tmp_path: Path) -> None:
    rows = [["O", "B-X"], [], ["I-X"]]
    assert tags(read_spans(rows)) == rows
    assert tags(read_spans(lines(tmp_path, *rows))) == rows
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows), "utf-8")
    assert tags(read_spans(path)) == rows
    assert tags(read_spans(tuple(map(tuple, rows)))) == rows
    assert tags(read_spans(TagRows.of(rows))) == rows
    assert tags(read_spans([np.array(["O", "B-X"]).tolist()])) == [["O", "B-X"]]


def test_columns_of_lists(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"tokens": [["a"], ["b"]], "ner_tags": [[1], [0]]}), "utf-8")
    assert tags(read_spans(path, tag_names=["O", "B-X"])) == [["B-X"], ["O"]]


def test_numbers_need_their_names(tmp_path: Path) -> None:
    path = lines(tmp_path, {"tokens": ["a", "b"], "ner_tags": [1, 0]})
    assert tags(read_spans(path, tag_names=["O", "B-X"])) == [["B-X", "O"]]
    with pytest.raises(InputError, match=r"line 1, token 1: the tag is the number 1; give") as bad:
        read_spans(path)
    assert bad.value.code == "tag_names"
    with pytest.raises(InputError, match=r"the number 1, and the 1 names given"):
        read_spans(path, tag_names=["O"])
    with pytest.raises(InputError, match=r"sentence 2, token 1: the tag is the number -100"):
        read_spans([[0], [-100]], tag_names=["O"])


def test_fields_by_name(tmp_path: Path) -> None:
    path = lines(tmp_path, {"forms": ["a"], "mine": ["B-X"], "tokens": ["z"], "tags": ["O"]})
    found = read_spans(path, column="mine", token_column="forms")
    assert tags(found) == [["B-X"]]
    assert found.text.words(0, 0, 1) == "a"
    with pytest.raises(InputError, match=r"in a field 'yours'; there are forms, mine"):
        read_spans(path, column="yours")
    with pytest.raises(UsageError, match="column: 2 is a position"):
        read_spans(path, column=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"tokens": ["a"], "tags": ["O"]}\n{"tokens": ["a"', "line 2: not JSON"),
        ('{"tokens": ["a"], "tags": ["O"]}\n\n{"tokens": ["a"]}\n', "line 3: no list in .*'tags'"),
        ('{"tokens": ["a", "b"], "tags": ["O"]}\n', "line 1: 1 tags for 2 tokens"),
        ('{"tokens": ["a"], "tags": ["O"]}\n7\n', "line 2: int found"),
        ('{"tokens": ["a"]}\n{"tokens": ["b"]}\n', "line 1: neither tags nor spans"),
        ('{"text": "a", "label": [[0, 1, "X"]]}\n{"label": []}\n', "line 2: no text in"),
        ('{"text": "a", "label": [[0, 1, "X"]]}\n{"text": "b", "label": 3}\n', "no list of spans"),
        ('{"text": "ab", "spans": [{"start": 0, "label": "X"}]}\n', "line 1: not a span"),
        ('{"text": "ab", "label": [[1, 0, "X"]]}\n', "line 1: X 1–0 ends before it starts"),
        ('{"text": "ab", "label": [[0, 3, "X"]]}\n', "X 0–3 is outside the text, which has 2"),
        ('{"tokens": ["a"], "spans": [[0, 2, "X"]]}\n', "X 0–2 reaches beyond the 1 tokens"),
        ('{"tokens": ["a"], "spans": [[0, 0, "X"]]}\n', "empty or backwards.*--inclusive"),
        ('{"text": "ab", "tokens": ["b", "a"], "label": []}\n', "'a' is not in the text after"),
    ],
)
def test_malformed_records(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        read_spans(path)


@pytest.mark.parametrize(
    "record",
    [
        {"text": TEXT, "label": [[0, 3, "PER"], [8, 10, "PER"], [14, 17, "LOC"]]},
        {"text": TEXT, "labels": [[0, 3, "PER"], [14, 17, "LOC"], [8, 10, "PER"]], "Comments": []},
        {"data": TEXT, "entities": [[a, b, k] for _, a, b, k in SPANS]},
        {
            "text": TEXT,
            "entities": [
                {"id": i, "label": k, "start_offset": a, "end_offset": b}
                for i, (_, a, b, k) in enumerate(SPANS)
            ],
            "relations": [],
        },
        {
            "text": TEXT,
            "tokens": [{"text": w, "start": 0, "end": 3, "id": 0} for w in ["Ana"]],
            "spans": [{"start": a, "end": b, "label": k, "token_start": 0} for _, a, b, k in SPANS],
            "answer": "accept",
        },
        {"text": TEXT, "ents": [{"start": a, "end": b, "type": k} for _, a, b, k in SPANS]},
        [TEXT, {"entities": [[a, b, k] for _, a, b, k in SPANS]}],
    ],
)
def test_texts_and_spans(tmp_path: Path, record: Any) -> None:
    for source in (lines(tmp_path, record), [record]):
        found = read_spans(source)
        assert found.unit == "character"
        assert spans(found) == SPANS
        assert found.text.words(0, 14, 17) == "Rio"
        assert found.text.lengths.tolist() == [len(TEXT)]


def test_records_that_were_not_accepted(tmp_path: Path) -> None:
    record = {"text": "a", "spans": [], "answer": "accept"}
    path = lines(tmp_path, record, {**record, "answer": "reject"}, {**record, "answer": "ignore"})
    found = read_spans(path)
    assert found.text.n_sentences == 1
    (note,) = [n for n in found.notes if n.code == "records_skipped"]
    assert note.message.endswith(": 2")
    with pytest.raises(InputError, match="all 1 records"):
        read_spans([{**record, "answer": "reject"}])


def test_spans_that_count_tokens(tmp_path: Path) -> None:
    path = lines(tmp_path, {"tokens": ["Ana", "Bo", "ran"], "spans": [[0, 2, "PER"]]})
    found = read_spans(path)
    assert (found.unit, spans(found)) == ("token", [(0, 0, 2, "PER")])
    assert found.text.words(0, 0, 2) == "Ana Bo"
    path = lines(tmp_path, {"tokenized_text": ["Ana", "Bo", "ran"], "ner": [[0, 1, "PER"]]})
    assert spans(read_spans(path, inclusive=True)) == [(0, 0, 2, "PER")]
    gold, pred = read_pair([[(0, 2, "PER")], []], [[{"start": 0, "end": 3, "label": "PER"}], []])
    assert spans(pred) == [(0, 0, 3, "PER")]
    assert gold.text.lengths.tolist() == pred.text.lengths.tolist() == [3, 0]
    _, pred = read_pair([["B-X", "O"]], [[(0, 1, "X")]])
    assert pred.text.lengths.tolist() == [2]
    with pytest.raises(InputError, match=r"sentence 1: a span ends at 3, past the 2 tokens"):
        read_pair([["B-X", "O"]], [[(0, 3, "X")]])


def test_label_studio(tmp_path: Path) -> None:
    def region(start: int, end: int, text: str, *labels: str) -> dict[str, Any]:
        value = {"start": start, "end": end, "text": text, "labels": list(labels)}
        return {"id": "x", "from_name": "ner", "type": "labels", "value": value}

    other = {"from_name": "ok", "type": "choices", "value": {"choices": ["yes"]}}
    task = {
        "id": 7,
        "data": {"text": "🎈Ana in Rio"},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {"result": [region(2, 5, "Ana", "PER", "HUMAN"), region(9, 12, "Rio", "LOC"), other]},
            {"result": []},
        ],
        "predictions": [{"result": []}],
    }
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task, {"id": 8, "data": {"text": "b"}, "annotations": []}]))
    found = read_spans(path)
    assert found.format == "label-studio"
    assert spans(found) == [(0, 1, 4, "HUMAN"), (0, 1, 4, "PER"), (0, 8, 11, "LOC")]
    assert list(found.text.names or ()) == ["7"]
    notes = {n.code: n for n in found.notes}
    assert "UTF-16" in notes["offset_unit"].message
    for part in ("cancelled annotations: 1", "predictions: 1", "other results: 1", "without an"):
        assert part in notes["left_out"].message


def test_tags_of_the_reported_cases(shared: Path) -> None:
    folder = shared / "cases" / "reports"
    case = json.loads((folder / "tags-without-type-and-hyphen-in-type.json").read_text("utf-8"))
    for one in case["input"]["cases"]:
        for found in read_pair(one["gold"], one["pred"]):
            side = "gold_spans" if found.name == "gold" else "pred_spans"
            flat = [
                (i, a, b, kind)
                for i, row in enumerate(case["expected"][one["id"]][side])
                for kind, a, b in row
            ]
            assert found.rows is not None
            assert decode(found.rows).spans.to_list() == flat


def test_what_is_no_source() -> None:
    with pytest.raises(UsageError, match="int found"):
        read_spans(3)
    with pytest.raises(InputError, match="no sentences"):
        read_spans([])
    with pytest.raises(UsageError, match="did you mean 'conll'"):
        read_spans([["O"]], format="conl")
    with pytest.raises(InputError, match="no characters; --unit token"):
        read_spans([["O"]], unit="character")
