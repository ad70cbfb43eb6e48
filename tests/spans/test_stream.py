"""Reports of files in chunks: the same as those of the whole, and where their errors are."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import assay
from assay.errors import InputError
from assay.spans.corpus import TagRows
from assay.spans.decode import decode, detect_scheme
from assay.spans.detect import Written, scheme_of
from assay.spans.schemes import SCHEMES

LETTERS = ("BI", "BI", "I", "IE", "BIES", "BILU", "BMES", "BE", "ES")
LEFT_OUT = {"surface", "sentences", "confusion"}


def write(folder: Path, rows: list[list[str]], name: str) -> Path:
    path = folder / name
    path.write_text("\n\n".join("\n".join(f"w {tag}" for tag in row) for row in rows) + "\n")
    return path


def chance(rng: random.Random, n: int, letters: str, lengths: list[int]) -> list[list[str]]:
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in "AB"[:n])]
    return [[rng.choice([*tags, "O"]) for _ in range(size)] for size in lengths]


def same(gold: Path, pred: Path, **choices) -> str:
    """The scheme, once it is sure that both ways give the same."""
    whole = assay.score_spans(gold, pred, bootstrap=100, **choices).to_dict()
    parts = assay.stream_spans(gold, pred, bootstrap=100, chunk=9, **choices).to_dict()
    for name in ("scheme", "scheme_detected", "illegal", "dropped", "matches", "warnings"):
        assert whole[name] == parts[name], name
    for name in ("token_accuracy", "token_accuracy_without_o", "sentence_accuracy", "semeval"):
        assert whole[name] == parts[name], name
    for name in ("format", "sentences", "tokens", "gold_spans", "pred_spans", "types"):
        assert whole["source"][name] == parts["source"][name], name
    return str(parts["scheme"])


def test_the_scheme_is_that_of_the_whole_file(tmp_path: Path) -> None:
    rows = [["I-A"], ["I-A", "B-A"]]
    gold, pred = (write(tmp_path, rows, name) for name in ("gold.conll", "pred.conll"))
    assert same(gold, pred) == "IOB1"
    assert same(gold, write(tmp_path, [["I-A"], ["B-A", "I-A"]], "bio.conll")) == "BIO"
    late = [["B-A"], ["O"], ["B-A", "E-A"]]
    one = write(tmp_path, late, "late.conll")
    assert same(one, write(tmp_path, [["O"], ["O"], ["B-A", "L-A"]], "other.conll")) == "BILOU"


@pytest.mark.parametrize("seed", range(200))
def test_chance_files_in_chunks(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    lengths = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 9))]
    letters = rng.choice(LETTERS)
    sides = [
        chance(
            rng, rng.randrange(1, 3), rng.choice((letters, letters, rng.choice(LETTERS))), lengths
        )
        for _ in range(2)
    ]
    gold, pred = (write(tmp_path, rows, f"{k}.conll") for k, rows in enumerate(sides))
    found = same(gold, pred, illegal=("open", "discard")[seed % 2])
    assert found == detect_scheme(*map(TagRows.of, sides))


def test_illegal_transitions_add_up() -> None:
    rng = random.Random(7)
    for letters, schemes in (
        ("BI", ("BIO", "IOB1")),
        ("IE", ("IOE1", "IOE2")),
        ("BIES", ("BIOES",)),
    ):
        rows = chance(rng, 2, letters, [rng.randrange(0, 6) for _ in range(60)])
        whole, parts = Written().add(TagRows.of(rows)), Written()
        for k in range(0, 60, 7):
            parts.add(TagRows.of(rows[k : k + 7]))
        assert whole.pairs == parts.pairs
        for scheme in schemes:
            assert whole.illegal(scheme) == decode(TagRows.of(rows), scheme=scheme).n_illegal > 0
        assert scheme_of(parts) in SCHEMES
    assert scheme_of() == scheme_of(Written()) == "BIO"


def test_many_different_tags() -> None:
    rows = [[f"{letter}-{k}" for letter in "BI"] for k in range(1500)]
    found = Written().add(TagRows.of(rows))
    assert (found.illegal("BIO"), found.illegal("IOB1"), len(found.tags)) == (0, 1500, 3000)


def test_places_in_errors_count_from_the_start(tmp_path: Path) -> None:
    rows = [["O", "B-A"]] * 30
    gold = write(tmp_path, rows, "gold.conll")
    for tag, said, choices in (
        ("X-A", r"sentence 26, token 2 \(line 77\): the tag 'X-A' has no known prefix; ", {}),
        ("X-A", r"sentence 26, token 2 \(line 77\): the tag 'X-A' has no", {"scheme": "BIO"}),
        ("E-A", r"sentence 26, token 2 \(line 77\): the tag 'E-A' is not of", {"scheme": "BIO"}),
    ):
        bad = write(tmp_path, [*rows[:25], ["O", tag], *rows[:4]], "bad.conll")
        for chunk in (9, 100, 1 << 20):
            with pytest.raises(InputError, match=said):
                assay.stream_spans(gold, bad, chunk=chunk, **choices)
            with pytest.raises(InputError, match=said):
                assay.stream_spans(bad, gold, chunk=chunk, **choices)
        if not choices:
            said = said.replace("; ", r" \(1 such tags\); ")
        with pytest.raises(InputError, match=said):
            assay.score_spans(gold, bad, **choices)


def test_rows_of_tags_in_chunks(tmp_path: Path) -> None:
    gold, bad = tmp_path / "gold.txt", tmp_path / "bad.txt"
    gold.write_text("O B-A\nO\n" * 20)
    bad.write_text("O B-A\nO\n" * 19 + "O B-A\nTEAM\n")
    assert same(gold, gold) == "BIO"
    with pytest.raises(InputError, match=r"bad\.txt: sentence 40, token 1: the tag 'TEAM'"):
        assay.stream_spans(gold, bad, chunk=9, format="rows")
    gold.write_text("O B-A\n\n \n\nO\n" * 5 + "\n" * 30)
    bad.write_text("O O\n\n\n\nB-A\n" * 5)
    assert same(gold, bad) == same(bad, gold) == "BIO"


def test_the_format_is_that_of_the_file(tmp_path: Path) -> None:
    records = tmp_path / "gold.jsonl"
    records.write_text('{"tags": ["O", "B-A"]}\n' * 3)
    found = assay.stream_spans(records, records, bootstrap=0).summary["source"]["format"]
    assert found == "jsonl"
    columns = tmp_path / "gold.conllu"
    columns.write_text("1\ta\ta\tX\t_\t_\t0\troot\t_\tNER=B-A\n\n" * 3)
    assert same(columns, columns) == "BIO"
    found = assay.stream_spans(columns, columns, bootstrap=0).summary["source"]["format"]
    assert found == "conllu"


@pytest.mark.parametrize("chunk", [9, 1 << 20])
def test_differing_sentences_are_not_to_be_aligned(tmp_path: Path, chunk: int) -> None:
    gold = write(tmp_path, [["O"], ["O", "O"], ["O"]], "gold.conll")
    for rows, said in (
        ([["O"], ["O"], ["O"]], "sentence 2 has 1 tokens, in gold.conll 2"),
        ([["O"], ["O", "O"]], "sentence 3 of .*line 6.* is past the end of"),
    ):
        pred = write(tmp_path, rows, "pred.conll")
        with pytest.raises(InputError, match="--align"):
            assay.score_spans(gold, pred)
        with pytest.raises(InputError, match=said) as caught:
            assay.stream_spans(gold, pred, chunk=chunk)
        assert "--align" not in str(caught.value)
