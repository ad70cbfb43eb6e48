"""What a design file may not say, and how each mistake is named."""

from __future__ import annotations

import pytest

from assay.errors import ReadingError
from assay.study.design_read import read_design
from study.files import ASK, TABLE, TOP, made

MISTAKES = [
    # what the file holds, the line, and what is said
    ("", None, "name: is needed, a text in quotes"),
    ("nam = 'x'\n" + TABLE + ASK, None, "did you mean 'nam' to be it?"),
    ("name = 'a b'\n" + TABLE + ASK, 1, "name: 'a b': letters, digits"),
    ("name = 3\n", 1, "name: a text in quotes is needed, not 3"),
    ("name = 'x'\ntitle = [\n", 3, "not TOML"),
    (TOP + ASK, None, "items: is needed, a table"),
    (TOP + "pillot = 1\n" + TABLE + ASK, 2, "no such field; did you mean 'pilot'?"),
    (TOP + "language = 'eng'\n" + TABLE + ASK, 2, "language: 'eng' is not known; did you mean"),
    (TOP + "repeats = 2\n" + TABLE + ASK, 2, "repeats: a share from 0 to 1 is needed, not 2"),
    (TOP + "repeats = nan\n" + TABLE + ASK, 2, "a finite number is needed"),
    (TOP + "seed = true\n" + TABLE + ASK, 2, "seed: a whole number is needed, not true"),
    (TOP + "raters = 0\n" + TABLE + ASK, 2, "raters: a whole number from 1 to 2,000"),
    (TOP + "raters = []\n" + TABLE + ASK, 2, "raters: is empty"),
    (TOP + "raters = 'mai'\n" + TABLE + ASK, 2, "a number or a list of names is needed"),
    (TOP + "raters = [\n'm',\n'm']\n" + TABLE + ASK, 4, "raters[2]: 'm' is named twice"),
    (TOP + "pairs = [['a', 'c']]\n" + TABLE + ASK, 2, "pairs[1]: 'c' is not known"),
    (TOP + "pairs = [['a', 'b'],\n['b', 'a']]\n" + TABLE + ASK, 3, "pairs[2]: b and a: two diff"),
    (TOP.replace("trial", "x" * 61) + TABLE + ASK, 1, "at most 60"),
    (TOP + "raters = [\"m\\nn\"]\n" + TABLE + ASK, 2, "raters[1]: 'm\\nn' has a line break"),
    (TOP + "title = 'a\\u2028b'\n".replace("'", '"') + TABLE + ASK, 2, "has a line break"),
    (TOP + f"raters = ['{'m' * 101}']\n" + TABLE + ASK, 2, "raters[1]: has 101 characters; at"),
    (TOP + "seed = 1\n" + TABLE + ASK + "low = 1\n\nlow = 2", 11,
     "dimensions[1].low: is there already, on line 9"),
    (TOP + "seed = 1\nseed = [\n2]\n", 3, "seed: is there already, on line 2; each stands once"),
    (TOP + TABLE + "[items]\n", 6, "items: is there already, on line 2"),
    ("a = " + "1" * 5000, None, "a number has too many digits"),
    ("a = " + "[" * 5000, None, "brackets in brackets"),
    (TOP + "pairs = [['a', 'b']]\n" + TABLE + ASK, 2, "only comparisons have it"),
    (TOP + "pairs_per_item = 2\n" + TABLE + ASK, 2, "only comparisons have it"),
    (TOP + "pilot_all = true\n" + TABLE + ASK, 2, "there is no pilot; say how many"),
    (TOP + TABLE + "outputs = 'text'\n" + ASK, 5, "outputs are in columns"),
    (TOP + TABLE.replace('systems = ["a", "b"]', 'outputs = "a"') + ASK, 5,
     "items.csv, row 1: a record {system: text} is needed, not 'A1'"),
    (TOP + '[items]\nfile = "items.csv"\n' + ASK, 2, "a rater would see nothing of item 'q1'"),
    (TOP + '[items]\nfile = "items.csv"\n[systems.a]\nfile = "items.csv"\n' + ASK, 4,
     "systems.a.output: is needed"),
    (TOP + '[items]\nfile = "items.csv"\n[systems.a]\nfile = "items.csv"\noutput = "a"\n'
     'systems = ["a"]\n' + ASK, 7, "a system's table has only file, key, output"),
    (TOP + "pairs = [['a']]\n" + TABLE + ASK, 2, "the names of two systems are needed"),
    (TOP + TABLE, None, "dimensions: a [[dimensions]] table is needed"),
    (TOP + TABLE.replace("items.csv", "item.csv") + ASK, 3, "Did you mean items.csv?"),
    (TOP + TABLE.replace('"text"', '"txt"') + ASK, 4, "no column 'txt'; did you mean 'text'?"),
    (TOP + TABLE.replace('"b"', '"c"') + ASK, 5, "items.systems[2]: items.csv has no column 'c'"),
    (TOP + TABLE + "key = 'idd'\n" + ASK, 6, "items.key: items.csv has no column 'idd'; did you"),
    (TOP + TABLE + "system = 'a'\noutput = 'b'\n" + ASK, 5, "one of the three"),
    (TOP + TABLE + "gold.fluency = 'txt'\n" + ASK, 6, "items.gold.fluency: items.csv has no"),
    (TOP + TABLE + "gold.fluncy = 'right'\n" + ASK, 6, "did you mean 'fluency'?"),
    (TOP + TABLE + "gold.fluency = 'a'\n" + ASK, 6, "items.csv, row 1: 'A1': one of 1, 2, 3, 4, 5"),
    (TOP + TABLE + ASK + ASK, 8, "dimensions[2].key: 'fluency' is the key of an earlier"),
    (TOP + TABLE + ASK.replace("fluency", "fluncy"), 7, "'fluncy' is not known; did you mean"),
    (TOP + TABLE + ASK + "mechanism = 'likrt'\n", 8, "did you mean 'likert'?"),
    (TOP + TABLE + ASK + "points = ['x']\n", 8, "a choice needs at least 2"),
    (TOP + TABLE + ASK + "points = [\n1,\n1]\n", 10, "dimensions[1].points[2]: 1 is there already"),
    (TOP + TABLE + ASK + "points = [{wording = 'x'}]\n", 8, "points[1].value: is needed"),
    (TOP + TABLE + ASK + "points = [nan, 2, inf]\n", 8, "points[1]: a finite number is needed"),
    (TOP + TABLE + ASK + f"points = [1, {10**400}]\n", 8, "points[2]: a finite number is needed"),
    (TOP + TABLE + ASK + "points = [1,\n{value = inf}]\n", 9, "points[2].value: a finite number"),
    (TOP + f"repeats = {10**400}\n" + TABLE + ASK, 2, "repeats: a finite number is needed"),
    (TOP + TABLE + ASK + "points = ['no',\n'no']\n", 9, "'no' is what an earlier one reads as"),
    (TOP + TABLE + ASK + "points = [{value = 5, wording = '3'},\n3]\n", 9, "'3' is what an earl"),
    (TOP + TABLE + ASK + "low = 1\npoints = [1, 2]\n", 8, "low: points say already which"),
    (TOP + TABLE + ASK + "mechanism = 'ab'\nlow = 1\n", 9,
     "only likert, interval, magnitude and rankme have it, and this is ab"),
    (TOP + TABLE + ASK + "mechanism = 'magnitude'\nlow = -5\nhigh = -1\n", 9, "low: is -5;"),
    (TOP + TABLE + ASK + "points = [[1]]\n", 8, "a wording or {value = …, wording = …} is needed"),
    (TOP + TABLE + ASK + "allow_tie = true\n", 8, "only ab has it, and this is likert"),
    (TOP + TABLE + ASK + "low = 5\nhigh = 1\n", 9, "from 5 to 1 in steps of 1 is no scale"),
    (TOP + TABLE + ASK + "mechanism = 'interval'\n", 6, "an interval needs low and high"),
    (TOP + TABLE + ASK + "mechanism = 'interval'\nlow = 2\nhigh = 1\n", 10, "is 1, which is not"),
    (TOP + TABLE + ASK + "mechanism = 'interval'\nlow = 2\nhigh = 3\nstep = 4\n", 11, "step: 4"),
    (TOP + TABLE + ASK + "mechanism = 'magnitude'\n", 6, "the number that the reference"),
    (TOP + TABLE + ASK + "mechanism = 'magnitude'\nreference = 1\n", 6, "the reference is needed"),
    (TOP + TABLE + ASK + "mechanism = 'rankme'\nslider = true\n", 9, "only interval has it"),
    (TOP + TABLE + ASK + "mechanism = 'label'\n", 6, "the labels are needed"),
    (TOP + TABLE + ASK + "colour = 1\n", 8, "dimensions[1].colour: there is no such field"),
    (TOP + TABLE + "[[dimensions]]\nkey = '1'\nquestion = '?'\nmechanism = 'ab'\n", 7, "a letter"),
    (TOP + TABLE + "[[dimensions]]\nkey = 'x'\nmechanism = 'ab'\n", 6, "question: is needed"),
    (TOP + '[items]\nfile = "items.csv"\n' + ASK + "mechanism = 'ab'\n", 6, "ab compares systems"),
    (TOP + TABLE + "[checks]\nfile = 'items.csv'\noutput = 'a'\n" + ASK, 6, "has no right answer"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "what"), MISTAKES)
def test_a_mistake_is_named_with_its_line(tmp_path, text, line, what):
    path = made(tmp_path, text)
    with pytest.raises(ReadingError) as caught:
        read_design(path)
    message = str(caught.value)
    assert what in message
    assert message.startswith(f"{path}, line {line}: " if line else f"{path}: ")


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ("id,text,a,b\nq1,x,1,2\nq1,x,1,2\n", "row 2: 'q1' is the id of an earlier row"),
        ("id,text,a,b\nq1,x,1,\n", "row 1: item 'q1' has no output of b"),
        ("id,text,a,b\n,x,1,2\n", "row 1 has no id"),
        ("id,text,a,b\nq1," + "x" * 50_001 + ",1,2\n", "a text of 50,001 characters"),
    ],
)
def test_a_mistake_in_the_items_is_named_with_its_row(tmp_path, rows, what):
    with pytest.raises(ReadingError, match=r"items\.csv, row") as caught:
        read_design(made(tmp_path, TOP + TABLE + ASK, items=rows))
    assert what in str(caught.value)


def test_an_end_alone_makes_a_scale(tmp_path):
    """It is not put aside for the five worded points."""
    got = read_design(made(tmp_path, TOP + TABLE + ASK + "high = 7\n"))
    assert [(p.value, p.wording) for p in got.dimensions[0].points] == [
        (k, "") for k in range(1, 8)
    ]


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ('"just a string"', "row 2: a record {system: text} is needed, not 'just a string'"),
        ('["x"]', "row 2: a record {system: text} is needed, not a list"),
        ('{"a": ["x"], "b": "y"}', "row 2: a text is needed, not a list"),
        ('{"a": "x"}', "row 2: item 'q2' has no output of b"),
    ],
)
def test_outputs_in_records_are_records_of_texts(tmp_path, cells, what):
    rows = '{"id": "q1", "outs": {"a": "x", "b": "y"}}\n{"id": "q2", "outs": ' + cells + "}\n"
    table = '[items]\nfile = "items.jsonl"\noutputs = "outs"\n'
    with pytest.raises(ReadingError) as caught:
        read_design(made(tmp_path, TOP + table + ASK, items_jsonl=rows))
    assert what in str(caught.value)


def test_a_blank_output_without_a_context_is_no_task(tmp_path):
    table = '[items]\nfile = "items.jsonl"\nsystems = ["a"]\n'
    path = made(tmp_path, TOP + table + ASK, items_jsonl='{"id": "q1", "a": " "}\n')
    with pytest.raises(ReadingError, match=r"would see nothing of item 'q1'.*output of a"):
        read_design(path)
    path.write_text(TOP + table + 'context = "id"\n' + ASK)
    assert read_design(path).items[0].outputs == {"a": " "}


def test_a_table_in_another_encoding(tmp_path):
    table = TABLE + 'delimiter = "\\t"\n'
    path = made(tmp_path, TOP + table + ASK)
    (tmp_path / "items.csv").write_bytes("id\ttext\ta\tb\nq1\tè\tx\ty\n".encode("cp1252"))
    with pytest.raises(ReadingError, match='encoding = "cp1252" or encoding = "latin-1"') as caught:
        read_design(path)
    assert "--" not in str(caught.value)
    path.write_text(TOP + table + 'encoding = "cp1252"\n' + ASK)
    assert read_design(path).items[0].context == "è"


def test_a_database_is_told_from_a_design(tmp_path):
    path = tmp_path / "trial.db"
    path.write_bytes(b"SQLite format 3\x00" + bytes(100))
    with pytest.raises(ReadingError, match=r"a database, not a design.*assay study analyse"):
        read_design(path)
