"""Files of columns: separators, line ends, comments, documents, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import InputError, ReadingError, UsageError
from assay.spans.corpus import SpanSet
from assay.spans.decode import decode
from assay.spans.read import Annotation, read_pair, read_spans

CONLLU = """\
# newdoc id = d1
# sent_id = s1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
2.1\tvacío\t_\t_\t_\t_\t_\t_\t_\t_
3\tRío\tRío\tPROPN\t_\t_\t1\tobl\t_\tNER=B-LOC|X=1
4\tTinto\tTinto\tPROPN\t_\t_\t3\tflat\t_\tX=1|NER=I-LOC

# newdoc id = d2
# sent_id = s2
1\tSí\tsí\tINTJ\t_\t_\t0\troot\t_\tNER=O
"""


def write(folder: Path, content: str | bytes, name: str = "gold.conll") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def tags(found: Annotation) -> list[list[str]]:
    assert found.rows is not None
    return found.rows.rows()


def spans(found: Annotation) -> SpanSet:
    assert found.rows is not None
    return decode(found.rows).spans


def tokens(found: Annotation) -> list[list[str]]:
    assert found.text.tokens is not None
    return [list(row) for row in found.text.tokens]


def codes(found: Annotation) -> list[str]:
    return [note.code for note in found.notes]


@pytest.mark.parametrize("variant", ["as is", "CRLF and BOM", "blanks"])
def test_the_reported_file(shared: Path, tmp_path: Path, variant: str) -> None:
    case = json.loads((shared / "cases/reports/conll-file-separators.json").read_text("utf-8"))
    content: str = case["input"]["content"]
    if variant == "CRLF and BOM":
        content = "\ufeff" + content.replace("\n", "\r\n")
    if variant == "blanks":
        content = content.replace("\n\t\n", "\n  \n").replace("\t", " ")
    found = read_spans(write(tmp_path, content))
    expected = case["expected"]
    assert found.text.n_documents == expected["documents"]
    assert found.text.lengths.tolist() == expected["sentences"]
    assert found.text.n_units == expected["tokens"]
    flat = [(i, a, b, kind) for i, row in enumerate(expected["spans"]) for kind, a, b in row]
    assert spans(found).to_list() == flat
    assert tokens(found)[0] == ["New", "Delhi", ":", "India"]
    assert tokens(found)[-1] == ["Rio"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_are_found(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "Đà B-LOC\nNẵng I-LOC\n\n😂 O\n".encode(encoding))
    found = read_spans(path)
    assert tokens(found) == [["Đà", "Nẵng"], ["😂"]]
    assert tags(found) == [["B-LOC", "I-LOC"], ["O"]]
    assert "encoding" in codes(found)


def test_an_encoding_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, "Zoë B-PER\n".encode("latin-1"))
    with pytest.raises(ReadingError, match=r"not UTF-8 .byte 0xeb at position 2.*latin-1"):
        read_spans(path)
    assert tokens(read_spans(path, encoding="latin-1")) == [["Zoë"]]
    with pytest.raises(UsageError, match="encoding: 'latin-x' is not known"):
        read_spans(path, encoding="latin-x")


def test_a_byte_that_is_not_utf8_far_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "é O\n".encode() * 60_000 + b"\xff O\n")
    with pytest.raises(ReadingError, match="byte 0xff at position 300000"):
        read_spans(path)


def test_tabs_let_tokens_hold_blanks(tmp_path: Path) -> None:
    path = write(tmp_path, "New  York\tB-LOC\n \u3000 x\tO \n   \nRio \tB-LOC\r\n")
    found = read_spans(path)
    assert tokens(found) == [["New  York", "\u3000 x"], ["Rio"]]
    assert tags(found) == [["B-LOC", "O"], ["B-LOC"]]


def test_tabs_let_columns_be_empty(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "a\t\tB-X\nb\tNN\tO\t\n\n\t\nc\t \tO\n"))
    assert tokens(found) == [["a", "b"], ["c"]]
    assert tags(found) == [["B-X", "O"], ["O"]]
    assert tokens(read_spans(write(tmp_path, "\tB-X\nb\tO\n"))) == [["", "b"]]


def test_blanks_that_look_like_letters_do_not_separate(tmp_path: Path) -> None:
    """No-break and ideographic blanks, form feeds and odd line ends belong to tokens."""
    token = "a\u00a0b\u2028c\x0cd\u0085\x1ce"
    found = read_spans(write(tmp_path, f"{token} B-X\nf O\n"))
    assert tokens(found) == [[token, "f"]]


def test_runs_of_tabs_where_columns_are_padded(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "a\t\tO\nlonger\tB-X\nb\t\t O\n"))
    assert tags(found) == [["O", "B-X", "O"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n\n", "\n \t \n"])
def test_line_ends(tmp_path: Path, end: str, last: str) -> None:
    content = ("\n\na O\nb B-X\n\n\n \nc I-X" + last).replace("\n", end)
    found = read_spans(write(tmp_path, content.encode()))
    assert tokens(found) == [["a", "b"], ["c"]]
    assert found.text.lines is not None
    assert found.text.lines.tolist() == [3, 8]


def test_comments_are_not_tokens(tmp_path: Path) -> None:
    content = (
        "# id = first\na\tO\n# in between\n#\tO\n#tag\tB-X\n\n#FORMAT\nb\tO\n\n# sent_id = third\n"
        "c\tO\n"
    )
    found = read_spans(write(tmp_path, content))
    assert tokens(found) == [["a", "#", "#tag"], ["b"], ["c"]]
    assert list(found.text.names or ()) == ["first", "2", "third"]
    (note,) = [n for n in found.notes if n.code == "comments"]
    assert note.message.endswith(": 4")


def test_comments_between_blanks_are_known_by_their_tag(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "# newdoc\n#begin document\na O\n# O\n#x B-Y\n# id\n"))
    assert tokens(found) == [["a", "#", "#x"]]
    assert tags(found) == [["O", "O", "B-Y"]]


def test_a_file_of_hash_signs_alone(tmp_path: Path) -> None:
    assert tokens(read_spans(write(tmp_path, "#\tO\n#\tO\n"))) == [["#", "#"]]


def test_documents_begin_at_their_marks(tmp_path: Path) -> None:
    content = "a O\n-DOCSTART- O\nb O\n\nc O\n\n-DOCSTART- O\n\n-DOCSTART-\n\nd O\n-DOCSTART- O\n"
    found = read_spans(write(tmp_path, content))
    assert tokens(found) == [["a"], ["b"], ["c"], ["d"]]
    assert found.text.documents is not None
    assert found.text.documents.tolist() == [0, 1, 1, 2]


def test_one_tag_a_line(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "B-X\nI-X\n\nO\n# comment\nO\n"))
    assert tags(found) == [["B-X", "I-X"], ["O", "O"]]
    assert found.text.tokens is None


def test_columns_by_position_and_name(tmp_path: Path) -> None:
    content = "# global.columns = ID FORM NER EXTRA\n1\ta\tB-X\tB-Y\n2\tb\tO\tO\n\n1\tc\tO\tI-Y\n"
    path = write(tmp_path, content)
    for column in (None, 3, -2, "NER"):
        assert tags(read_spans(path, column=column)) == [["B-X", "O"], ["O"]]
    assert tags(read_spans(path, column=-1)) == [["B-Y", "O"], ["I-Y"]]
    assert tokens(read_spans(path)) == [["a", "b"], ["c"]]
    assert tokens(read_spans(path, token_column="ID")) == [["1", "2"], ["1"]]
    with pytest.raises(InputError, match=r"no column 5; the file has 4"):
        read_spans(path, column=5)
    with pytest.raises(InputError, match=r"no column is called 'POS'.*ID, FORM, NER, EXTRA"):
        read_spans(path, column="POS")
    with pytest.raises(InputError, match="no column 0"):
        read_spans(path, token_column=0)


def test_running_numbers_are_not_tokens(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "1\tAda\tB-PER\tO\n2\tslept\tO\tO\n\n1\tSo\tO\tO\n"))
    assert tokens(found) == [["Ada", "slept"], ["So"]]


def test_conllu(tmp_path: Path) -> None:
    path = write(tmp_path, CONLLU)
    found = read_spans(path)
    assert found.format == "conllu"
    assert tokens(found) == [["vamos", "nos", "Río", "Tinto"], ["Sí"]]
    assert tags(found) == [["O", "O", "B-LOC", "I-LOC"], ["O"]]
    assert list(found.text.names or ()) == ["s1", "s2"]
    assert found.text.n_documents == 2
    (note,) = [n for n in found.notes if n.code == "untagged"]
    assert note.message.endswith(": 2")
    with pytest.raises(InputError, match="without NE= in the column MISC; there are NER, Space"):
        read_spans(path, column="NE")
    assert tags(read_spans(path, column="UPOS"))[0][0] == "VERB"


def test_lines_of_another_width(tmp_path: Path) -> None:
    path = write(tmp_path, "a NN O\nb NN O\n\nc B-X\n")
    with pytest.raises(InputError, match=r"line 4: 2 columns where the other lines have 3") as bad:
        read_spans(path)
    assert bad.value.code == "ragged"
    found = read_spans(path, column=-1)
    assert tags(found) == [["O", "O"], ["B-X"]]
    assert tokens(found) == [["a", "b"], ["c"]]
    (note,) = [n for n in found.notes if n.code == "columns_differ"]
    assert note.level == "warning"
    with pytest.raises(InputError, match="line 4: 2 columns"):
        read_spans(path, column=3)
    with pytest.raises(InputError, match=r"line 2.*This line has no tab"):
        read_spans(write(tmp_path, "a\tO\nb O\nNew York\tO\n"))
    with pytest.raises(InputError, match=r"line 2: 3 columns.*only where tabs separate"):
        read_spans(write(tmp_path, "a O\nNew York O\nc O\n"))


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_an_empty_file(tmp_path: Path, content: str) -> None:
    with pytest.raises(ReadingError, match="the file is empty"):
        read_spans(write(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x1f\x8b\x08\x00", "gunzip"),
        (b"PK\x03\x04xx", "zip"),
        (b"a O\nb\x00 O\n", "zero byte"),
        (b"-DOCSTART- O\n\n", "no tokens"),
    ],
)
def test_what_is_no_file_of_columns(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_spans(write(tmp_path, content))


def test_a_file_that_is_absent(tmp_path: Path) -> None:
    write(tmp_path, "a O\n")
    with pytest.raises(ReadingError, match=r"no such file. Did you mean gold.conll"):
        read_spans(tmp_path / "gold.conl")


def test_rows_of_tags(tmp_path: Path) -> None:
    found = read_spans(write(tmp_path, "O B-X I-X\n\nB-X\tO\n\n\n", "tags.txt"))
    assert tags(found) == [["O", "B-X", "I-X"], [], ["B-X", "O"]]
    assert found.format == "rows"
    assert "empty_lines" in codes(found)
    one = read_spans(write(tmp_path, "O B-X I-X"))
    assert tags(one) == [["O", "B-X", "I-X"]]
    suffix = read_spans(write(tmp_path, "O X-B X-I\nO"))
    assert tags(suffix) == [["O", "X-B", "X-I"], ["O"]]
    with pytest.raises(InputError, match="two files"):
        read_pair(tmp_path / "tags.txt")


def test_a_long_tag_and_many_tags(tmp_path: Path) -> None:
    names = [f"{p}-creative-work-of-art-{i % 700}" for i in range(6000) for p in "BI"]
    path = write(tmp_path, "".join(f"w{i} {name}\n" for i, name in enumerate(names)))
    found = read_spans(path)
    assert tags(found) == [names]
    assert found.rows is not None
    assert found.rows.tags[:2] == ("B-creative-work-of-art-0", "I-creative-work-of-art-0")


def test_files_of_several_blocks(tmp_path: Path) -> None:
    """Numbers of lines, names and tokens are right beyond the first block."""
    n = 30_000
    content = "".join(f"# id = s{i}\nw{i} B-T{i % 7}\nx O\n\n" for i in range(n))
    found = read_spans(write(tmp_path, content))
    assert found.text.n_sentences == n
    assert found.text.lines is not None
    assert found.text.names is not None
    for i in (0, 1, n // 2, n - 1):
        assert found.text.lines[i] == 4 * i + 2
        assert found.text.names[i] == f"s{i}"
        assert tokens(read_spans([[(f"w{i}", "O"), ("x", "O")]]))[0] == list(
            (found.text.tokens or [])[i]
        )
    assert tags(found)[n - 1] == [f"B-T{(n - 1) % 7}", "O"]


def test_several_files_are_documents(tmp_path: Path) -> None:
    folder = tmp_path / "gold"
    folder.mkdir()
    write(folder, "a O\n\nb B-X\n", "2.conll")
    write(folder, "c I-Y\n", "1.conll")
    found = read_spans(folder)
    assert tokens(found) == [["c"], ["a"], ["b"]]
    assert tags(found) == [["I-Y"], ["O"], ["B-X"]]
    assert found.text.documents is not None
    assert found.text.documents.tolist() == [0, 1, 1]
    listed = read_spans([folder / "2.conll", folder / "1.conll"])
    assert tags(listed) == [["O"], ["B-X"], ["I-Y"]]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadingError, match="no files"):
        read_spans(tmp_path / "empty")


def test_the_content_is_not_a_name() -> None:
    with pytest.raises(InputError, match="not its content"):
        read_spans("a O\nb O\n")
