"""Gold and predictions: the same sentences, or where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import InputError, UsageError
from assay.spans.corpus import shared_types
from assay.spans.decode import decode
from assay.spans.match import match
from assay.spans.read import Annotation, read_pair, read_spans
from assay.spans.stream import stream_pairs

PUBLISHED = {
    "arcada": (47.40, 34.57, 39.98),
    "flytxt": (47.92, 31.97, 38.35),
    "sjtu_adapt": (50.21, 33.83, 40.42),
    "uh_ritual": (57.54, 32.90, 41.86),
}

GOLD = "a\tO\nb\tB-X\n\nc\tO\n\nd\tO\ne\tO\n"


def write(folder: Path, content: str, name: str) -> Path:
    path = folder / name
    path.write_text(content, "utf-8", newline="")
    return path


def tags(found: Annotation) -> list[list[str]]:
    assert found.rows is not None
    return found.rows.rows()


def figures(tp: int, n_gold: int, n_pred: int) -> tuple[float, float, float]:
    return (
        round(100 * tp / n_pred, 2),
        round(100 * tp / n_gold, 2),
        round(200 * tp / (n_gold + n_pred), 2),
    )


@pytest.mark.parametrize("team", PUBLISHED)
def test_published_figures(shared: Path, team: str) -> None:
    folder = shared / "data" / "wnut17"
    gold, pred = read_pair(folder / "gold.conll", folder / f"{team}.conll")
    assert gold.rows is not None
    assert pred.rows is not None
    assert gold.text.n_sentences == 1287
    one, two = shared_types(decode(gold.rows).spans, decode(pred.rows).spans)
    assert figures(len(match(one, two)), len(one), len(two)) == PUBLISHED[team]
    assert [n.code for n in pred.notes] == ["format"]


@pytest.mark.parametrize("chunk", [1 << 12, 1 << 15, 1 << 22])
def test_published_figures_in_a_stream(shared: Path, chunk: int) -> None:
    folder = shared / "data" / "wnut17"
    stream = stream_pairs(folder / "gold.conll", folder / "arcada.conll", chunk=chunk)
    tp = n_gold = n_pred = 0
    for gold, pred in stream:
        one, two = shared_types(decode(gold).spans, decode(pred).spans)
        tp, n_gold, n_pred = tp + len(match(one, two)), n_gold + len(one), n_pred + len(two)
    assert figures(tp, n_gold, n_pred) == PUBLISHED["arcada"]
    assert (stream.n_sentences, stream.n_tokens, stream.notes) == (1287, 23394, ())


def test_two_columns_of_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a NN B-X O\nb NN I-X B-X\n\nc NN O O\n", "both.conll")
    gold, pred = read_pair(path)
    assert tags(gold) == [["B-X", "I-X"], ["O"]]
    assert tags(pred) == [["O", "B-X"], ["O"]]
    assert gold.text.tokens is not None
    assert list(gold.text.tokens[0]) == ["a", "b"]
    assert (gold.name, pred.name) == ("both.conll:gold", "both.conll:pred")
    again, other = read_pair(path, gold_column=-1, pred_column=3)
    assert (tags(again), tags(other)) == (tags(pred), tags(gold))
    same = read_pair(path, path, gold_column=3, pred_column=4)
    assert [tags(one) for one in same] == [tags(gold), tags(pred)]
    three = read_pair(path, gold_column=3, pred_column=[4, 3])
    assert [tags(one) for one in three] == [tags(gold), tags(pred), tags(gold)]
    with pytest.raises(UsageError, match="pred_column"):
        read_pair(path, path, pred_column=[3, 4])


def test_two_columns_without_tokens(tmp_path: Path) -> None:
    gold, pred = read_pair(write(tmp_path, "B-X O\nI-X B-X\n\nO O\n", "both.conll"))
    assert tags(gold) == [["B-X", "I-X"], ["O"]]
    assert tags(pred) == [["O", "B-X"], ["O"]]
    assert gold.text.tokens is None


def test_one_file_with_one_column_of_tags(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one column of tags") as bad:
        read_pair(write(tmp_path, GOLD, "gold.conll"))
    assert bad.value.code == "one_column"


def test_gold_and_prediction_in_one_record(tmp_path: Path) -> None:
    lines = (
        '{"tokens": ["a", "b"], "gold": ["B-X", "O"], "pred": ["O", "O"], "other": ["O", "I-X"]}\n'
    )
    path = write(tmp_path, lines, "both.jsonl")
    assert [tags(one) for one in read_pair(path)] == [[["B-X", "O"]], [["O", "O"]]]
    _, pred = read_pair(path, pred_column="other")
    assert tags(pred) == [["O", "I-X"]]


def test_what_was_read_before(tmp_path: Path) -> None:
    gold = write(tmp_path, GOLD, "gold.conll")
    one, two = read_pair(read_spans(gold), gold)
    assert (one.name, one.notes) == (two.name, two.notes)
    assert tags(one) == tags(two)
    one, two = read_pair(read_spans([["O"]]), read_spans([[(0, 1, "X")]]))
    assert (one.name, two.name) == ("gold", "pred")
    assert one.text.lengths.tolist() == two.text.lengths.tolist() == [1]
    records = [{"text": "ab", "label": [[0, 1, "X"]]}]
    one, two = read_pair(read_spans(records), records)
    assert one.unit == two.unit == "character"
    with pytest.raises(InputError, match="counts characters and was read before"):
        read_pair(read_spans(records), records, unit="token")
    with pytest.raises(InputError, match="gold counts tokens, and pred characters"):
        read_pair([["O"]], read_spans(records))


def test_separators_and_formats_may_differ(tmp_path: Path) -> None:
    gold = write(tmp_path, GOLD, "gold.conll")
    records = (
        '{"tokens": ["a", "b"], "tags": ["O", "O"]}\n{"words": ["c"], "tokens": ["c"], '
        '"tags": ["B-X"]}\n\n{"tokens": ["d", "e"], "tags": ["O", "O"]}\n'
    )
    others = [
        write(tmp_path, GOLD.replace("\t", "  ").replace("\n", "\r\n"), "blanks.conll"),
        write(tmp_path, records, "records.jsonl"),
        [[("a", "O"), ("b", "O")], [("c", "O")], [("d", "O"), ("e", "O")]],
        [["O", "O"], ["B-X"], ["O", "O"]],
    ]
    found = read_pair(gold, *others)
    assert all(note.code == "format" for one in found for note in one.notes)
    assert len(found) == 5


@pytest.mark.parametrize(
    ("pred", "message"),
    [
        ("a\tO\nb\tO\n\nc\tO\n", r"2 sentences where .* has 3; sentence 3 of .*line 6.*'d e'"),
        (
            "a\tO\nb\tO\n\nd\tO\ne\tO\n",
            r"sentence 2, token 1: 'd' \(line 4\), in gold.conll 'c' \(line 4\); sentence 2 has 2",
        ),
        (GOLD + "\nf\tO\n", r"4 sentences where .* has 3; sentence 4 of .*pred.conll \(line 9\)"),
        (
            "a\tO\n\nc\tO\n\nd\tO\ne\tO\n",
            r"sentence 1, token 2: none \(the sentence has ended\), in gold.conll 'b' \(line 2\)",
        ),
        (
            "a\tO\nx\tO\nb\tO\n\nc\tO\n\nd\tO\ne\tO\n",
            r"sentence 1, token 2: 'x' \(line 2\), in gold.conll 'b' \(line 2\)",
        ),
        (
            "A\tO\nb\tO\n\nc\tO\n\nd\tO\n",
            r"sentence 1, token 1: 'A' .*; sentence 3 has 1 tokens, in gold.conll 2",
        ),
    ],
)
def test_other_lengths(tmp_path: Path, pred: str, message: str) -> None:
    one, two = write(tmp_path, GOLD, "gold.conll"), write(tmp_path, pred, "pred.conll")
    with pytest.raises(InputError, match=message) as bad:
        read_pair(one, two)
    assert bad.value.code == "lengths_differ"
    assert "--align" in str(bad.value)
    for chunk in (1, 16, 1 << 20):
        with pytest.raises(InputError, match=r"sentence \d.* (token 1|token 2|past the end)"):
            list(stream_pairs(one, two, chunk=chunk))


def test_other_lengths_without_tokens() -> None:
    with pytest.raises(InputError, match="sentence 2 has 1 tags, in gold 2"):
        read_pair([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(InputError, match="1 sentences where gold has 2"):
        read_pair([["O"], ["O", "O"]], [["O"]])
    with pytest.raises(InputError, match="tokens are not known"):
        read_pair([["O"], ["O", "O"]], [["O"]], align=True)


def test_tokens_that_differ_are_said(tmp_path: Path) -> None:
    gold = write(tmp_path, GOLD, "gold.conll")
    other = GOLD.replace("b\t", "B\t").replace("e\t", "international-organisation\t")
    pred = write(tmp_path, other, "pred.conll")
    found = read_pair(gold, pred)[1]
    (note,) = [n for n in found.notes if n.code == "tokens_differ"]
    assert note.level == "warning"
    assert (
        "differ from gold.conll: 2, the first in sentence 1, token 2: 'B' (line 2)" in note.message
    )
    for chunk in (4, 1 << 20):
        stream = stream_pairs(gold, pred, chunk=chunk)
        assert sum(one.text.n_sentences for one, _ in stream) == 3
        (note,) = stream.notes
        assert "differ from gold.conll: 2, the first in sentence 1, token 2" in note.message


def test_order_of_tokens_counts(tmp_path: Path) -> None:
    gold, pred = [[("a", "O"), ("b", "O")]], [[("b", "O"), ("a", "O")]]
    assert [n.code for n in read_pair(gold, pred)[1].notes] == ["format", "tokens_differ"]


def test_align_keeps_the_sentences_that_agree(tmp_path: Path) -> None:
    gold = write(tmp_path, "a\tO\n\nb\tB-X\n\nb\tI-X\n\nc\tO\n\nb\tO\n\nd\tB-Y\n", "gold.conll")
    pred = write(tmp_path, "a\tB-X\n\nb\tO\n\nc\tB-Z\n\nb\tI-X\n\nx\tO\n\nd\tO\n", "pred.conll")
    one, two = read_pair(gold, pred, align=True)
    assert tags(one) == [["O"], ["B-X"], ["O"], ["O"], ["B-Y"]]
    assert tags(two) == [["B-X"], ["O"], ["B-Z"], ["I-X"], ["O"]]
    assert list(one.text.names or ()) == ["1", "2", "4", "5", "6"]
    assert one.text.lines is not None
    assert one.text.lines.tolist() == [1, 3, 7, 9, 11]
    for found in (one, two):
        (note,) = [n for n in found.notes if n.code == "sentences_left_out"]
        assert "1 of 6" in note.message
    assert "first: sentence 5, 'x'" in note.message
    same = read_pair(gold, gold, align=True)
    assert [n.code for n in same[1].notes] == ["format"]
    with pytest.raises(InputError, match="no sentence has the same tokens"):
        read_pair(gold, [[("z", "O")]], align=True)


def test_align_finds_shuffled_sentences() -> None:
    rows = [[(f"w{i}", "O"), ("x", f"B-T{i}")] for i in range(50)]
    gold, pred = read_pair(rows, rows[::-1], align=True)
    assert tags(gold) == tags(pred)


def test_align_takes_what_all_predictions_have() -> None:
    rows = [[(w, "O")] for w in "abcd"]
    found = read_pair(rows, rows[1:], rows[:3], align=True)
    assert [one.text.n_sentences for one in found] == [2, 2, 2]
    assert all([list(t) for t in one.text.tokens or ()] == [["b"], ["c"]] for one in found)


def test_folders_of_files(tmp_path: Path) -> None:
    for side in ("gold", "pred"):
        (tmp_path / side).mkdir()
        write(tmp_path / side, "a O\n", "1.conll")
        write(tmp_path / side, "b B-X\n\nc O\n", "2.conll")
    gold, _ = read_pair(tmp_path / "gold", tmp_path / "pred")
    assert gold.text.documents is not None
    assert gold.text.documents.tolist() == [0, 1, 1]


def test_streams_of_rows_and_records(tmp_path: Path) -> None:
    rows = "O B-X\n\nB-X\n" * 40
    records = '{"tags": ["O", "O"]}\n{"tags": []}\n{"tags": ["B-X"]}\n' * 40
    one, two = write(tmp_path, rows, "rows.txt"), write(tmp_path, records, "records.jsonl")
    for chunk in (7, 100, 1 << 20):
        stream = stream_pairs(one, two, chunk=chunk)
        found = [row for gold, _ in stream for row in gold.rows()]
        assert found == [["O", "B-X"], [], ["B-X"]] * 40
        assert stream.n_sentences == 120
    bad = write(tmp_path, records + "{\n", "bad.jsonl")
    with pytest.raises(InputError, match="line 121: not JSON"):
        list(stream_pairs(one, bad, chunk=50))
    ended = write(tmp_path, rows + "O\n", "more.txt")
    with pytest.raises(InputError, match="sentence 121 of"):
        list(stream_pairs(ended, two, chunk=50))


def test_streams_number_documents_through(tmp_path: Path) -> None:
    path = write(tmp_path, "-DOCSTART- O\n\na O\n\nb O\n\n" * 30, "gold.conll")
    found: list[int] = []
    for gold, _ in stream_pairs(path, path, chunk=64):
        assert gold.text.documents is not None
        found += gold.text.documents.tolist()
    assert found == [i // 2 for i in range(60)]
