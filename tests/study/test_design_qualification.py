"""The test before everything else in a design: how it is read, what is refused, what it costs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from assay.errors import ReadingError
from assay.study.check import explain
from assay.study.check_text import told
from assay.study.design_read import read_design
from assay.study.gold import needed, passed
from study.designs import QUALITY, design, qualification
from study.files import ASK, TABLE, TOP, made

# Lines 6 to 11 of the file.
TEST = (
    '[qualification]\nfile = "test.csv"\nkey = "id"\ncontext = "text"\nsystems = ["a", "b"]\n'
    "gold.fluency = 'right'\n"
)
ROWS = "id,text,a,b,right\nt1,One,A1,B1,5\nt2,Two,A2,,2\n"
CHECKS = '[checks]\nfile = "items.csv"\nkey = "text"\noutput = "a"\ngold.fluency = "a"\n'
BY_A = "mechanism = 'magnitude'\nreference = 10\nreference_system = 'a'\n"

MISTAKES = [
    (TEST.replace("gold.fluency = 'right'\n", "") + ASK, ROWS, 6,
     "qualification.gold: test.csv, row 1: test item 't1' has no right answer; name its column"),
    (TEST + ASK, ROWS.replace(",2\n", ",\n"), 11, "row 2: test item 't2' has no right answer"),
    (TEST + ASK, "id,text,a,b,right\n", 7, "qualification.file: "),
    (TEST.replace("test.csv", "tests.csv") + ASK, ROWS, 7, "Did you mean test.csv?"),
    (TEST.replace("fluency", "fluecy") + ASK, ROWS, 11, "did you mean 'fluency'?"),
    (TEST + ASK, ROWS.replace(",2\n", ",9\n"), 11, "test.csv, row 2: '9': one of 1, 2, 3, 4, 5"),
    (TEST + ASK, ROWS.replace("t2", "q2"), 8, "'q2' is the key of an item as well"),
    (TEST + "pass = 1.2\n" + ASK, ROWS, 12, "pass: a share from 0 to 1 is needed, not 1.2"),
    (TEST + "pass = -0.1\n" + ASK, ROWS, 12, "pass: a share from 0 to 1 is needed, not -0.1"),
    (TEST + "pass = '4 of 5'\n" + ASK, ROWS, 12, "qualification.pass: a number is needed"),
    (TEST + "tolerance = -1\n" + ASK, ROWS, 12, "tolerance: a number of 0 or more is needed"),
    (TEST + "tolerance = 1\n" + ASK + "mechanism = 'ab'\n", ROWS.replace("5\n", "a\n").replace(
        ",2\n", ",tie\n").replace("A2,,", "A2,B2,"), 12, "no right answer of the test is a number"),
    (TEST + "least = 1\n" + ASK, ROWS, 12, "qualification.least: there is no such field"),
    # Its one output is the reference, of which that is not asked.
    (TEST + ASK + BY_A, ROWS, 7, "test item 't2': nothing it can show asks fluency"),
    (TEST + ASK + "mechanism = 'ab'\n", ROWS.replace("5\n", "a\n").replace(",2\n", ",a\n"), 7,
     "test item 't2': fluency compares two systems, and it has not the outputs of two"),
]  # fmt: skip


@pytest.mark.parametrize(("rest", "rows", "line", "what"), MISTAKES)
def test_a_test_that_could_not_be_passed_or_failed_is_refused(tmp_path, rest, rows, line, what):
    path = made(tmp_path, TOP + TABLE + rest, test_csv=rows)
    with pytest.raises(ReadingError) as caught:
        read_design(path)
    message = str(caught.value)
    assert what in message
    assert message.startswith(f"{path}, line {line}: ")


def test_a_key_of_a_check_is_refused(tmp_path):
    checks = '[checks]\nfile = "checks.csv"\nsystems = ["a"]\ngold.fluency = "right"\n'
    path = made(tmp_path, TOP + TABLE + TEST + checks + ASK, test_csv=ROWS,
                checks_csv="id,a,right\nt1,x,5\n")  # fmt: skip
    with pytest.raises(
        ReadingError, match=r"line 8: qualification\.key: 't1' is the key of a check"
    ):
        read_design(path)


def test_what_is_read(tmp_path):
    got = read_design(made(tmp_path, TOP + TABLE + TEST + ASK, test_csv=ROWS)).qualification
    assert got is not None
    assert [(i.key, i.context, dict(i.outputs), i.gold, i.check) for i in got.items] == [
        ("t1", "One", {"a": "A1", "b": "B1"}, {"fluency": 5}, False),
        ("t2", "Two", {"a": "A2"}, {"fluency": 2}, False),
    ]
    assert (got.share, got.tolerance, got.questions) == (0.8, 0.0, 2)
    more = TEST + "pass = 0.5\ntolerance = 1\n"
    got = read_design(made(tmp_path, TOP + TABLE + more + ASK, test_csv=ROWS)).qualification
    assert got is not None
    assert (got.share, got.tolerance) == (0.5, 1.0)
    plain = read_design(made(tmp_path, TOP + TABLE + ASK))
    assert plain.qualification is None


def test_check_says_how_many_and_adds_their_time():
    study = design(10, 4, 2, dimensions=(QUALITY,), repeats=0.1)
    tested = replace(study, qualification=qualification(5, gold={"quality": 5}))
    without, found = explain(study, seconds=36), explain(tested, seconds=36)
    assert found.judgements - without.judgements == found.tasks - without.tasks == 20
    assert found.hours - without.hours == pytest.approx(20 / 100)
    assert found.hours_each[0] - without.hours_each[0] == pytest.approx(5 / 100)
    # Two raters share no more for having taken the same test.
    assert found.overlap == without.overlap
    assert (found.qualification, found.qualification_pass, without.qualification_pass) == (
        5, 0.8, None,
    )  # fmt: skip
    lines = [" ".join(line.split()) for line in told(found).splitlines()]
    assert "test 5, before everything else; 4 of 5 questions right to go on" in lines
    assert "test" not in told(without)


def test_a_test_that_everybody_passes_is_remarked_on():
    study = design(qualification=qualification(1, gold={"quality": 5}, share=0.0))
    assert any("pass = 0" in remark for remark in explain(study).remarks)


@pytest.mark.parametrize("questions", [1, 2, 3, 5, 7, 20])
def test_what_is_needed_is_the_least_that_reaches_the_share(questions):
    for share in [0, 0.1, 0.3, 0.55, 0.6, 0.8, 0.95, 1]:
        want = min(
            n for n in range(questions + 1) if Fraction(n, questions) >= Fraction(str(share))
        )
        assert needed(share, questions) == want


@pytest.mark.parametrize(
    ("value", "right", "tolerance", "want"),
    [
        (4, 5, 0, False), (4, 5, 1, True), (3, 5, 1, False), (0.3, 0.2, 0.1, True),
        (None, 1, 1, False), ("a", "b", 1, False), ("a", "a", 1, True),
        (["b", "a"], ("a", "b"), 1, True),
        ({"x": 1, "y": 2}, 1, 1, True), ({"x": 1, "y": 3}, 1, 1, False),
    ],
)  # fmt: skip
def test_a_number_may_be_so_far_away(value, right, tolerance, want):
    assert passed(value, right, tolerance) is want
