"""From files to what the labs can open."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from itertools import combinations
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import AssayError, DesignError, InputError, UsageError
from assay.report.addresses import bio_address, kappa_address
from assay.web import sources, uploads
from assay.web.labs import bio, kappa
from assay.web.query import BadState, Query, address
from assay.web.sources import (
    LISTED,
    bio_of_files,
    kappa_of_file,
    kappa_of_text,
    pairs_of,
    sentences_of,
)
from assay.web.speech import english
from assay.web.uploads import plain_name, saved
from strategies import tables

EXAMPLES = Path(assay.__file__).parent / "examples"
RATINGS = EXAMPLES / "answers.csv"
GOLD, PRED = EXAMPLES / "gold.conll", EXAMPLES / "tagger_a.conll"


def sent(path):
    return [(path.name, path.read_bytes())]


def state(module, path):
    """The state that a lab reads from an address, which has to be the canonical one."""
    base, _, query = path.partition("?")
    found = module.parse(Query.of(query))
    assert address(base, found.query()) == path
    return found


NAMES = (
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=40)
    # Names that look the same are the same, in one way of writing them.
    .map(partial(normalize, "NFC"))
    .filter(lambda name: len(name) <= 40)
)


@given(tables(size=(2, 8)), st.data())
def test_the_kappa_lab_reads_what_the_report_writes(table, data):
    labels = data.draw(st.lists(NAMES, min_size=len(table), max_size=len(table), unique=True))
    raters = data.draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    # Cells above 0, so that every label is in use.
    full = [[cell + 1 for cell in row] for row in table]
    path = kappa_address(full, labels, raters)
    assert path is not None
    found = state(kappa, path)
    assert [list(row) for row in found.cells] == full
    assert (list(found.labels), list(found.raters)) == (labels, raters)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=9)


@given(st.lists(st.tuples(WORDS, *[st.sampled_from(["O", "B-A", "I-A", "I-%,"])] * 2), min_size=1))
def test_the_bio_lab_reads_what_the_report_writes(rows):
    tokens, gold, pred = map(list, zip(*rows[:40], strict=True))
    path = bio_address(tokens, gold, pred, "discard")
    assert path is not None
    found = state(bio, path)
    assert [list(row) for row in (found.tokens, found.gold, found.pred)] == [tokens, gold, pred]
    assert found.illegal == "discard"


def test_the_report_and_the_lab_write_the_same_address():
    for one in assay.score_spans(GOLD, PRED, bootstrap=0).to_dict()["lab"]:
        assert bio_of_files(GOLD, PRED, one["number"]) == one["address"]


def test_pairs_of_a_file_are_those_of_its_report_lowest_first():
    report = assay.agree(RATINGS).to_dict()["pairs"]
    found = pairs_of(sent(RATINGS))
    assert (found.name, found.more) == ("answers.csv", 0)
    assert [pair.kappa.value for pair in found.pairs] == sorted(p["cohen_kappa"] for p in report)
    by_raters = {tuple(pair["raters"]): pair for pair in report}
    for pair in found.pairs:
        same = by_raters[pair.raters]
        assert (pair.items, pair.kappa.value) == (same["items"], same["cohen_kappa"])
        assert (pair.address, pair.reason) == (same["lab"], None)
        shown = state(kappa, pair.address)
        assert assay.cohen_kappa(table=shown.cells).value == pair.kappa.value


def test_notes_of_the_reader_come_along_without_a_folder():
    found = pairs_of(sent(RATINGS))
    expected = assay.read(RATINGS).reading.notes
    assert [note.message for note in found.notes] == [note.message for note in expected]
    text = "item,ana,bo\n1,x,x\n2,,y\n3,y,y\n"
    notes = pairs_of([("gaps.csv", text.encode())]).notes
    assert any("missing" in note.code for note in notes)


def test_several_files_are_one_a_rater():
    files = [
        ("ana.csv", b"item,label\n1,x\n2,y\n3,y\n"),
        ("bo.csv", b"item,label\n1,x\n2,x\n3,y\n"),
    ]
    found = pairs_of(files)
    assert [pair.raters for pair in found.pairs] == [("ana", "bo")]
    assert found.pairs[0].address == "/lab/kappa?t=1,0;1,1&labels=x,y&raters=ana,bo"
    assert found.name == "ana.csv, bo.csv"


def test_more_than_two_hundred_pairs_are_counted(monkeypatch):
    names = [f"r{i:02d}" for i in range(25)]
    rows = [[str((i * (k + 1) + k) % 3) for k in range(25)] for i in range(30)]
    text = "\n".join(
        [",".join(["item", *names]), *(",".join([f"i{i}", *row]) for i, row in enumerate(rows))]
    )
    found = pairs_of([("many.csv", text.encode())])
    assert (len(found.pairs), found.more) == (LISTED, 300 - LISTED)
    values = [pair.kappa.value for pair in found.pairs]
    every = assay.pairwise({name: [row[k] for row in rows] for k, name in enumerate(names)})
    assert len(every) == len(list(combinations(names, 2)))
    # Those with the lowest kappa, of the defined ones.
    assert values == sorted(e.value for e in every.values() if e.value is not None)[:LISTED]


def test_a_pair_that_does_not_fit_says_why():
    lines = ["item,ana,bo", *(f"{i},l{i},l{i}" for i in range(9))]
    (pair,) = pairs_of([("wide.csv", "\n".join(lines).encode())]).pairs
    assert pair.address is None
    assert pair.kappa.value == 1.0
    assert pair.reason is not None
    assert "More than 8 labels" in english().say(pair.reason)
    long = "x" * 41
    (pair,) = pairs_of([("long.csv", f"item,ana,bo\n1,{long},y\n2,y,y\n".encode())]).pairs
    assert pair.reason is not None
    assert "longer than 40 characters" in english().say(pair.reason)


def test_every_reason_has_its_words():
    whys = {"few_labels", "many_labels", "fractions", "large_cells", "names", "long"}
    assert set(sources.MISFITS) == whys
    for message in sources.MISFITS.values():
        assert "{" not in english().say(message)


def test_counts_do_not_say_who():
    with pytest.raises(DesignError, match="who gave which rating"):
        pairs_of([("c.csv", b"item,yes,no\n1,3,0\n2,1,2\n")], layout="counts")


@pytest.mark.parametrize("name", ["x.csv", "x.xlsx", "x.parquet", "x.json", "x.jsonl", "x", ".."])
@pytest.mark.parametrize(
    "data", [b"a,b\n", b"\x00\xff\xfe", b"PAR1 no PAR1", b"PK\x03\x04 no", b"{{{", b"\n\n", b"[[1"]
)
def test_what_cannot_be_read_is_an_error_of_ours_without_a_folder(name, data):
    for call in (pairs_of, sentences_of):
        message = ""
        try:
            call([(name, data)])
        except AssayError as error:
            message = str(error)
        assert tempfile.gettempdir() not in message


def test_files_are_gone_afterwards(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pairs_of(sent(RATINGS))
    found = sentences_of(sent(GOLD), sent(PRED))
    with pytest.raises(AssayError):
        pairs_of([("x.csv", b"a,b\n")])
    assert list(tmp_path.iterdir()) == []
    # What was found needs them no more.
    assert found.sentences[0].tokens


def test_uploads_are_bounded(monkeypatch):
    with pytest.raises(BadState, match="missing, or empty"):
        pairs_of([])
    with pytest.raises(BadState, match="missing, or empty"):
        pairs_of([("x.csv", b"")])
    with pytest.raises(BadState, match="missing, or empty"):
        sentences_of([], sent(PRED))
    monkeypatch.setattr(uploads, "MAX_UPLOAD", len(GOLD.read_bytes()) + 10)
    with pytest.raises(BadState) as caught:
        sentences_of(sent(GOLD), sent(PRED))
    assert "2 files with 1 MB" in english().say(caught.value.message)
    monkeypatch.setattr(uploads, "MAX_FILES", 1)
    with pytest.raises(BadState):
        pairs_of([("a.csv", b"x"), ("b.csv", b"x")])


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("../../up.csv", "up.csv"),
        ("C:\\data\\votes.csv", "votes.csv"),
        ("a\x00b\n.csv", "ab.csv"),
        ("", "file"),
        ("...", "file"),
        ("x" * 300 + ".csv", "x" * 56 + ".csv"),
        ("đánh giá.csv", "đánh giá.csv"),
    ],
)
def test_names_of_files_are_made_safe(name, plain):
    assert plain_name(name) == plain
    with saved([(name, b"x"), (name, b"y")]) as disk:
        (folder,) = disk.paths
        written = sorted(path.name for path in folder.iterdir())
        assert sorted([plain, f"2 {plain}"]) == written
        assert folder.parent == Path(disk.root)


def test_sentences_of_two_files():
    found = sentences_of(sent(GOLD), sent(PRED))
    report = assay.score_spans(GOLD, PRED, bootstrap=0)
    exact = report.figure("exact")
    assert (found.gold, found.pred, found.scheme) == ("gold.conll", "tagger_a.conll", "BIO")
    assert (found.tp, found.fp, found.fn, found.f1) == tuple(
        exact[key] for key in ("tp", "fp", "fn", "f1")
    )
    source = report.to_dict()["source"]
    assert (found.total, found.more) == (source["sentences"], 0)
    assert found.token_accuracy == report.to_dict()["token_accuracy"]
    costs = [(one.errors, one.wrong_tokens, -one.number) for one in found.sentences]
    assert costs == sorted(costs, reverse=True)
    assert sum(one.errors for one in found.sentences) == exact["fp"] + exact["fn"]
    assert found.with_errors == sum(one.errors > 0 for one in found.sentences)
    assert {one.f1 for one in found.sentences if not one.errors} == {1.0}
    rows = [assay.read_spans(path).rows.rows() for path in (GOLD, PRED)]
    for one in found.sentences:
        shown = state(bio, one.address)
        assert shown.tokens == one.tokens
        assert [list(shown.gold), list(shown.pred)] == [side[one.number - 1] for side in rows]
        alone = assay.score_spans([shown.gold], [shown.pred], scheme="BIO", bootstrap=0)
        assert one.f1 == alone.figure("exact")["f1"]


def test_more_than_two_hundred_sentences_are_counted():
    lines = "".join(f"w{i}\t{'B-A' if i == 207 else 'O'}\n\n" for i in range(210))
    found = sentences_of([("g.conll", lines.encode())], [("p.conll", b"w\tO\n\n" * 210)])
    assert (len(found.sentences), found.more, found.total) == (LISTED, 10, 210)
    assert (found.sentences[0].number, found.with_errors) == (208, 1)
    assert "tokens_differ" in {note.code for note in found.notes}


def test_one_file_with_both_columns():
    text = b"Ana\tB-PER\tO\nslept\tO\tO\n"
    found = sentences_of([("both.conll", text)])
    assert (found.fn, found.sentences[0].tokens) == (1, ("Ana", "slept"))
    with pytest.raises(InputError):
        sentences_of([("one.conll", b"Ana\tB-PER\n")])


def test_two_files_of_one_name_are_told_apart():
    found = sentences_of([("x.conll", b"a\tO\n")], [("x.conll", b"a\tO\n")])
    assert (found.gold, found.pred) == ("gold/x.conll", "pred/x.conll")


def test_spans_of_characters_become_tags():
    gold = {"text": "Ana met Bo Li", "label": [[0, 3, "PER"], [8, 13, "PER"]]}
    pred = {"text": "Ana met Bo Li", "label": [[0, 3, "PER"], [8, 10, "PER"]]}
    found = sentences_of(
        [("g.jsonl", json.dumps(gold).encode())], [("p.jsonl", json.dumps(pred).encode())]
    )
    (one,) = found.sentences
    shown = state(bio, one.address)
    assert shown.gold == ("B-PER", "O", "B-PER", "I-PER")
    assert shown.pred == ("B-PER", "O", "B-PER", "O")
    assert (found.tp, found.fp, found.fn) == (1, 1, 1)


def test_tags_without_words_get_numbers():
    found = sentences_of([("g.tags", b"B-A I-A O\n")], [("p.tags", b"B-A O O\n")])
    assert found.sentences[0].tokens == ("1", "2", "3")


def test_a_long_sentence_is_cut_by_the_lab():
    rows = "".join(f"w{i}\tB-A\n" for i in range(50)).encode()
    (one,) = sentences_of([("g.conll", rows)], [("p.conll", rows)]).sentences
    assert len(one.tokens) == 50
    shown = state(bio, one.address)
    assert (len(shown.tokens), shown.cut) == (40, 10)


def test_a_tag_that_is_too_long_says_so():
    tag = "B-" + "x" * 70
    (one,) = sentences_of([("g.conll", f"a\t{tag}\n".encode())], [("p.conll", b"a\tO\n")]).sentences
    assert one.address is None
    assert one.reason is not None
    assert "72 characters" in english().say(one.reason)


@pytest.mark.parametrize(
    "text", ["3 47; 53 897", "3,47;53,897", "3\t47\n53\t897\n", " 3, 47 ;\r\n53   897;"]
)
def test_a_table_as_typed(text):
    assert kappa_of_text(text) == "/lab/kappa?t=3,47;53,897"


@given(tables(size=(2, 8), cells=st.integers(0, 999_999_999)))
def test_any_table_as_typed_is_the_table_of_the_lab(table):
    text = "; ".join(" ".join(map(str, row)) for row in table)
    assert [list(row) for row in state(kappa, kappa_of_text(text)).cells] == table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "0 rows"),
        ("1 2", "1 rows"),
        (";".join(["1"] * 9), "9 rows"),
        ("1 2; 3", "row 2 has 1 cells"),
        ("1 2; 3 x", "row 2, column 2 is 'x'"),
        ("1 2; -3 4", "row 2, column 1 is '-3'"),
        ("1.5 2; 3 4", "row 1, column 1 is '1.5'"),
        ("1 2; 3 1000000000", "999,999,999"),
        ("1 2; 3 ٣", "row 2, column 2"),
    ],
)
def test_a_table_that_is_none_says_where(text, said):
    with pytest.raises(UsageError) as caught:
        kappa_of_text(text)
    assert said in str(caught.value)


def test_two_raters_of_a_file_in_either_order():
    cells = {
        order: state(kappa, kappa_of_file(RATINGS, order))
        for order in (("mai", "priya"), ("priya", "mai"))
    }
    one, two = cells.values()
    assert (one.raters, two.raters) == (("mai", "priya"), ("priya", "mai"))
    assert one.cells == tuple(zip(*two.cells, strict=True))
    known = {p.raters: p.address for p in pairs_of(sent(RATINGS)).pairs}
    assert kappa_of_file(RATINGS, ("mai", "priya")) == known["mai", "priya"]


def test_of_two_raters_none_has_to_be_named(tmp_path):
    file = tmp_path / "two.csv"
    file.write_text("item,ana,bo\n1,x,x\n2,y,x\n3,y,y\n")
    assert kappa_of_file(file) == "/lab/kappa?t=1,0;1,1&labels=x,y&raters=ana,bo"


def test_raters_that_are_not_there_are_named(tmp_path):
    with pytest.raises(UsageError, match=r"3 raters.*mai, jonas, priya"):
        kappa_of_file(RATINGS)
    with pytest.raises(UsageError, match="did you mean 'priya'"):
        kappa_of_file(RATINGS, ("mai", "prija"))
    with pytest.raises(UsageError, match="twice"):
        kappa_of_file(RATINGS, ("mai", "mai"))
    file = tmp_path / "apart.csv"
    file.write_text("item,rater,label\n1,ana,x\n1,cy,x\n2,bo,y\n2,cy,x\n")
    with pytest.raises(InputError, match="no item in common"):
        kappa_of_file(file, ("ana", "bo"))
    with pytest.raises(AssayError):
        kappa_of_file(tmp_path / "absent.csv")


def test_a_pair_of_a_file_that_does_not_fit_is_refused(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text("item,ana,bo\n" + "".join(f"{i},l{i},l{i}\n" for i in range(9)))
    with pytest.raises(InputError, match="More than 8 labels"):
        kappa_of_file(file)


def test_a_sentence_of_two_files():
    rows = [assay.read_spans(path).rows.rows() for path in (GOLD, PRED)]
    shown = state(bio, bio_of_files(GOLD, PRED, 17))
    assert [list(shown.gold), list(shown.pred)] == [side[16] for side in rows]
    assert state(bio, bio_of_files(GOLD, PRED, 17, illegal="discard")).illegal == "discard"
    worst = sentences_of(sent(GOLD), sent(PRED)).sentences[0]
    assert bio_of_files(GOLD, PRED) == worst.address


@pytest.mark.parametrize("number", [0, -1, 41, 10**9])
def test_a_sentence_that_is_not_there_names_the_range(number):
    with pytest.raises(UsageError, match="sentences 1 to 40"):
        bio_of_files(GOLD, PRED, number)
