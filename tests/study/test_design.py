"""Reading designs: what is taken, and what a design will do."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ReadingError
from assay.study.assign import assignments
from assay.study.check import explain
from assay.study.check_text import told
from assay.study.design import KINDS, LANGUAGES, MECHANISMS, Point
from assay.study.design_lines import line_at, lines_of
from assay.study.design_new import new_design
from assay.study.design_read import read_design
from assay.study.dimensions import ready, worded_points
from study.designs import BETTER, QUALITY, design, items
from study.files import ASK, ITEMS, TABLE, TOP, made


def test_a_short_design(tmp_path):
    got = read_design(made(tmp_path, TOP + TABLE + ASK))
    assert (got.name, got.title, got.language, got.per_item) == ("trial", "trial", "en", 3)
    assert got.systems == ("a", "b")
    assert [r.name for r in got.raters] == ["rater 1", "rater 2", "rater 3"]
    first = got.items[0]
    assert (first.key, first.context, dict(first.outputs)) == (
        "q1", "One", {"a": "A1", "b": "B1"},
    )  # fmt: skip
    (fluency,) = got.dimensions
    assert fluency.question == "How fluent is the text?"
    assert fluency.points == worded_points("en")


def test_everything_that_can_be_said(tmp_path):
    text = """\
name = "all"
title = "All"
language = "vi"
seed = 9
per_item = 2
repeats = 0.25
pilot = 1
pilot_all = true
same_raters = true
pairs = [["b", "a"]]
pairs_per_item = 1
instructions = "Read."
consent = "Yes."
safe_html = true
comments = false

[[raters]]
name = "mai"
group = "expert"
[[raters]]
name = "jonas"

[items]
file = "items.csv"
key = "id"
context = ["id", "text"]
systems = ["a", "b"]
stratum = "text"
gold.tone = "right"

[checks]
file = "checks.csv"
context = "text"
output = "a"
gold.tone = "right"

[[dimensions]]
key = "tone"
title = "Tone"
definition = "What it sounds like."
question = "Polite?"
mechanism = "likert"
points = [{value = 1, wording = "no"}, {value = 2.5}, {value = 5, wording = "yes"}]
can_skip = false

[[dimensions]]
use = "quality"
mechanism = "ab"
allow_tie = false

[[dimensions]]
use = "overall"
mechanism = "magnitude"
reference = 100
reference_text = "So."
high = 1000
step = 0.5
"""
    checks = "id,text,a,right\nc1,Say no,A,no\n"
    got = read_design(made(tmp_path, text, checks_csv=checks))
    assert [(r.name, r.group) for r in got.raters] == [("mai", "expert"), ("jonas", "")]
    assert (got.seed, got.repeats, got.pilot, got.pilot_all, got.same_raters) == (
        9, 0.25, 1, True, True,
    )  # fmt: skip
    assert (got.pairs, got.pairs_per_item) == ((("b", "a"),), 1)
    assert (got.instructions, got.consent, got.safe_html, got.comments) == (
        "Read.", "Yes.", True, False,
    )  # fmt: skip
    tone, quality, overall = got.dimensions
    assert tone.points == (Point(1, "no"), Point(2.5, ""), Point(5, "yes"))
    assert not tone.can_skip
    assert (quality.question, quality.allow_tie) == ("Văn bản nào có chất lượng tốt hơn?", False)
    assert (overall.reference, overall.reference_text, overall.low, overall.high, overall.step) == (
        100, "So.", 0, 1000, 0.5,
    )  # fmt: skip
    assert got.items[0].context == "id: q1\n\ntext: One"
    assert got.items[0].stratum == "One"
    assert [i.gold for i in got.items] == [{"tone": 5}, None, {"tone": 1}]
    (check,) = got.checks
    assert (check.gold, check.check, dict(check.outputs)) == ({"tone": 1}, True, {"": "A"})
    assert assignments(got)


def test_outputs_in_rows_in_records_and_in_files_of_their_own_are_the_same(tmp_path):
    rows = "id,text,model,answer\n" + "".join(
        f"q{k},{t},{s},{s.upper()}{k}\n"
        for k, t in ((1, "One"), (2, "Two"), (3, "Three"))
        for s in "ab"
    )
    records = "\n".join(
        json.dumps({"id": f"q{k}", "text": t, "answers": {"a": f"A{k}", "b": f"B{k}"}})
        for k, t in ((1, "One"), (2, "Two"), (3, "Three"))
    )
    own = {
        f"{s}_jsonl": "\n".join(
            json.dumps({"id": f"q{k}", "answer": f"{s.upper()}{k}"}) for k in (3, 1, 2)
        )
        for s in "ab"
    }
    wide = read_design(made(tmp_path, TOP + TABLE + ASK))
    start = '[items]\ncontext = "text"\nfile = '
    in_rows = f'{start}"rows.csv"\nsystem = "model"\noutput = "answer"\n'
    in_records = f'{start}"records.jsonl"\noutputs = "answers"\n'
    apart = start + '"items.csv"\n' + "".join(
        f'[systems.{s}]\nfile = "{s}.jsonl"\noutput = "answer"\n' for s in "ab"
    )  # fmt: skip
    for table in (in_rows, in_records, apart):
        path = made(tmp_path, TOP + table + ASK, rows_csv=rows, records_jsonl=records, **own)
        assert read_design(path) == wide


def test_labels_without_systems(tmp_path):
    text = TOP + '[items]\nfile = "items.csv"\ncontext = "text"\ngold.topic = "right"\n' + (
        '[[dimensions]]\nkey = "topic"\nquestion = "?"\nmechanism = "labels"\n'
        'points = ["1", "5", {value = "x", wording = "else"}]\n'
    )  # fmt: skip
    got = read_design(made(tmp_path, text))
    assert got.systems == ()
    assert [i.gold for i in got.items] == [{"topic": ("5",)}, None, {"topic": ("1",)}]
    assert {t.systems for t in assignments(got)} == {("",)}


def test_outputs_may_be_missing_where_the_design_says_so(tmp_path):
    table = TABLE + "allow_missing = true\n"
    rows = "id,text,a,b\nq1,x,1,\nq2,x,1,2\n"
    got = read_design(made(tmp_path, TOP + table + ASK, items=rows))
    assert [sorted(i.outputs) for i in got.items] == [["a"], ["a", "b"]]


def test_no_file_and_no_text(tmp_path):
    path = made(tmp_path, TOP)
    with pytest.raises(ReadingError, match=r"Did you mean 'trial\.toml'") as caught:
        read_design(tmp_path / "trail.toml")
    assert caught.value.code == "no_such_file"
    path.write_bytes(b'name = "x"\ntitle = "\xff"\n')
    with pytest.raises(ReadingError, match="line 2: not UTF-8"):
        read_design(path)
    path.write_bytes(b"#" * (4 * 1024 * 1024 + 1))
    with pytest.raises(ReadingError, match="larger than 4"):
        read_design(path)


def test_lines_are_counted_in_files_of_every_kind(tmp_path):
    text = '\ufeff# é\r\nname = "x"\r\nseed = 1.5\r\n'
    path = tmp_path / "x.toml"
    path.write_bytes((text + TABLE + ASK).encode())
    (tmp_path / "items.csv").write_text(ITEMS)
    with pytest.raises(ReadingError, match=r"line 3: seed: a whole number is needed, not 1\.5"):
        read_design(path)


# Lines.

TRICKY = '''\
a = """
b = 1
""\\" [c]
"""
"d.e".'f' = ['x # no', # yes
  "]", [1,
  2], { g = "}" }]
[h]
i = \'\'\'
[j]\'\'\'\'
[[k.l]]
m = 1
[[k.l]]
[k.l.n]
o = 2024-01-01 # c
'''


def test_lines_of_a_tricky_file():
    found = lines_of(TRICKY)
    want = {
        ("a",): 1, ("d.e",): 5, ("d.e", "f"): 5, ("d.e", "f", 0): 5, ("d.e", "f", 1): 6,
        ("d.e", "f", 2): 6, ("d.e", "f", 2, 0): 6, ("d.e", "f", 2, 1): 7, ("d.e", "f", 3): 7,
        ("d.e", "f", 3, "g"): 7, ("h",): 8, ("h", "i"): 9, ("k",): 11, ("k", "l"): 11,
        ("k", "l", 0): 11, ("k", "l", 0, "m"): 12, ("k", "l", 1): 13, ("k", "l", 1, "n"): 14,
        ("k", "l", 1, "n", "o"): 15,
    }  # fmt: skip
    assert found == want
    assert line_at(found, ("h", "i", 3)) == 9
    assert line_at(found, ("z",)) is None


@given(st.lists(st.sampled_from(["# c", "", "x{} = 1", "x{} = '''\ny = 2\n'''", "x{} = [1,\n 2]"])))
def test_lines_are_where_a_search_finds_them(parts):
    text = "\n".join(part.format(k) for k, part in enumerate(parts))
    rows = text.split("\n")
    found = {path[0]: line for path, line in lines_of(text).items() if len(path) == 1}
    names = [f"x{k}" for k, part in enumerate(parts) if part.startswith("x")]
    assert found == {
        n: next(i for i, r in enumerate(rows, 1) if r.startswith(f"{n} =")) for n in names
    }


# Ready-made words, new files.


def test_the_languages_have_the_same_dimensions():
    first = ready("en")
    assert len(first) == 16
    for language in LANGUAGES:
        words = ready(language)
        assert list(words) == list(first)
        for key, one in words.items():
            assert one.groups == first[key].groups
            texts = (one.title, one.definition, one.question, one.compare, one.together)
            assert all(texts)
            assert len(set(texts)) == 5
            if language != "en":
                assert not set(texts) & {first[key].question, first[key].definition}
        assert [p.value for p in worded_points(language)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_new_design_works_as_it_is(tmp_path, mechanism, language):
    text, rows = new_design("trial", mechanism, language)
    (tmp_path / "trial.toml").write_text(text, "utf-8")
    (tmp_path / "trial-items.csv").write_text(rows, "utf-8")
    got = read_design(tmp_path / "trial.toml")
    assert got.kinds == (KINDS[mechanism],)
    assert got.language == language
    assert not explain(got).impossible
    assert all(len(line) <= 100 for line in text.splitlines())


def test_what_a_new_file_shows_as_possible_is(tmp_path):
    """Each setting that stands behind a # on a line of its own is one that is known."""
    import re

    from assay.study.design import Design, Dimension, Qualification

    known = set(Design.__dataclass_fields__) | set(Dimension.__dataclass_fields__)
    known |= set(Qualification.__dataclass_fields__) | {"pass"}
    known |= {"file", "key", "context", "stratum", "output", "system", "gold", "wording", "value"}
    for mechanism in MECHANISMS:
        text, _ = new_design("trial", mechanism)
        shown = set(re.findall(r"^# (\w+)(?:\.\w+)? = ", text, re.MULTILINE))
        assert shown
        assert shown <= known


# What it will do.


def test_the_explanation_counts_what_is_given_out():
    study = design(10, 4, 2, dimensions=(QUALITY, BETTER), repeats=0.2,
                   checks=items(1, check=True, gold={"quality": 1}))  # fmt: skip
    tasks = assignments(study)
    got = explain(study, seconds=36)
    assert got.overlap is not None
    assert got.tasks == len(tasks)
    assert got.things == 30
    assert got.judgements == sum(len(t.dimensions) for t in tasks)
    assert {a.dimension: a.judgements for a in got.asked} == {
        key: sum(key in t.dimensions for t in tasks) for key in ("quality", "better")
    }
    assert got.hours == pytest.approx(got.judgements / 100)
    own = [sum(t.rater == r for t in tasks) for r in range(4)]
    assert got.tasks_each == (min(own), max(own))
    assert json.loads(json.dumps(got.to_dict()))["overlap"] == list(got.overlap)


def test_the_explanation_says_what_cannot_be_done_and_what_will_not_be_known():
    got = explain(design(4, 2, 3))
    assert (got.tasks, got.remarks) == (0, ())
    assert "This cannot be done" in told(got)
    alone = explain(design(4, 1, 1))
    assert alone.overlap is None
    assert "one rater cannot be compared" in " ".join(alone.remarks)
    once = told(explain(design(9, 3, 1)))
    assert "rated once" in " ".join(once.split())
    few = " ".join(told(explain(design(1, 8, 2, systems=("a",)))).split())
    assert "too few for each of the 28 pairs" in few
    assert "nothing is shown twice" in few


def test_a_pilot_that_is_too_large_is_all_that_is_wrong():
    (why,) = explain(design(2, 3, 2, pilot=5)).impossible
    assert why == "pilot is 5, but there are 2 items to take it from."


def test_settings_without_effect_are_said():
    study = design(3, 3, 2, dimensions=(BETTER,), pairs_per_item=9, repeats=0.01)
    said = " ".join(explain(study).remarks)
    assert "pairs_per_item is 9, but an item has no more than 1; all are compared." in said
    assert "nothing is shown twice" in said
    assert "repeats = 0.01 of so few tasks is none." in said
    one = design(3, 3, 2, systems=("a",), same_raters=True)
    assert "same_raters changes nothing" in " ".join(explain(one).remarks)


def test_no_system_is_called_like_a_tie(tmp_path):
    text = TOP + TABLE.replace('"b"', '"tie"') + ASK
    path = made(tmp_path, text, items=ITEMS.replace(",b,", ",tie,"))
    with pytest.raises(ReadingError, match="give it another name"):
        read_design(path)
