"""The command line in process: what it passes on, what it prints, how it ends."""

from __future__ import annotations

import json
import shlex
import sys
import types

import pytest
from click.testing import CliRunner

from assay.cli import agree as module
from assay.cli.agree_options import ESTIMATORS, INTERPRET, LAYOUTS, SCALES
from assay.cli.gate import failures, parse
from assay.cli.main import COMMANDS, main
from assay.cli.matrix import load, weights
from assay.errors import AmbiguousLayout, ReadingError, UsageError
from assay.ratings.categories import Categories
from assay.report.render import FORMATS
from report import summaries


@pytest.fixture
def asked(monkeypatch):
    """Runs the command on a summary written by hand, and keeps what was passed on."""
    seen = {"summary": summaries.three()}

    def read(source, **chosen):
        chosen.pop("progress")  # how far it is, for the bar
        seen["source"], seen["read"] = source, chosen
        return types.SimpleNamespace(categories=Categories(["lo", "hi"]))

    def compute(ratings, **chosen):
        seen["agree"] = chosen
        return types.SimpleNamespace(to_dict=lambda: seen["summary"])

    monkeypatch.setitem(sys.modules, "assay.ratings.read", types.SimpleNamespace(read=read))
    monkeypatch.setitem(sys.modules, "assay.report.agreement", types.SimpleNamespace(agree=compute))
    return seen


def run(*args, **more):
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="assay", **more)


EVERYTHING = """
    agree x.csv --layout long --format csv --item i --rater r --label l --by d --by e
    --raters 'ana,"bo, jr"' --no-header
    --frequency n --scale ordinal --period 24 --order lo,hi --categories 'lo,hi,"a, b"'
    --missing NA --missing '' --duplicates last --relabel Lo=lo --relabel H=hi=er
    --encoding utf-16 --delimiter ';' --decimal , --sheet S --weights quadratic
    --metric interval --estimator pooled --level .9 --interpret regier
"""


def test_only_what_was_given_is_passed_on(asked):
    assert run("agree", "x.csv").exit_code == 0
    assert asked["read"] == {}
    assert asked["agree"] == {}


def test_everything_that_was_given_is_passed_on(asked):
    got = run(*shlex.split(EVERYTHING))
    assert got.exit_code == 0, got.output
    assert asked["read"] == {
        "layout": "long",
        "format": "csv",
        "item": "i",
        "rater": "r",
        "label": "l",
        "by": ["d", "e"],
        "frequency": "n",
        "raters": ["ana", "bo, jr"],
        "header": False,
        "scale": "ordinal",
        "period": 24.0,
        "order": ["lo", "hi"],
        "categories": ["lo", "hi", "a, b"],
        "missing": ["NA", ""],
        "duplicates": "last",
        "relabel": {"Lo": "lo", "H": "hi=er"},
        "encoding": "utf-16",
        "delimiter": ";",
        "decimal": ",",
        "sheet": "S",
    }
    assert asked["agree"] == {
        "weights": "quadratic",
        "metric": "interval",
        "estimator": "pooled",
        "level": 0.9,
        "interpret": "regier",
    }


def test_booleans_are_a_rule_by_name(asked):
    run("agree", "x.csv", "--relabel", "booleans")
    assert asked["read"] == {"relabel": "booleans"}
    got = run("agree", "x.csv", "--relabel", "booleans", "--relabel", "a=b")
    assert got.exit_code == 2
    assert "FROM=TO" in got.stderr


@pytest.mark.parametrize("kind", [f for f in FORMATS if f != "terminal"])
def test_formats_by_flag_by_name_and_by_ending_are_the_same(asked, tmp_path, kind):
    flag = run("agree", "x.csv", f"--{kind}")
    named = run("agree", "x.csv", "--to", kind)
    assert (flag.exit_code, flag.stderr) == (0, "")
    assert flag.stdout_bytes == named.stdout_bytes
    out = tmp_path / f"report{FORMATS[kind].endings[0]}"
    quiet = run("agree", "x.csv", "--out", out)
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert out.read_bytes().split() == flag.stdout_bytes.split()


def test_json_is_all_there_is_on_standard_output(asked):
    got = run("agree", "x.csv", "--json")
    assert json.loads(got.stdout) == asked["summary"]
    assert got.stderr == ""


def test_one_format_at_a_time(asked):
    got = run("agree", "x.csv", "--json", "--csv")
    assert got.exit_code == 2
    assert "one format at a time" in got.stderr


def test_an_error_is_a_sentence_with_its_code_and_no_traceback(asked, monkeypatch):
    def refuse(*args):
        raise AmbiguousLayout("counts or wide? Say --layout.")

    monkeypatch.setattr(module, "_read", refuse)
    got = run("agree", "x.csv", "--json")
    assert got.exit_code == 2
    assert got.stdout == ""
    assert got.stderr == "error: counts or wide? Say --layout. [ambiguous_layout]\n"


def test_ctrl_c_is_quiet(asked, monkeypatch):
    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_read", stop)
    got = run("agree", "x.csv")
    assert (got.exit_code, got.output) == (130, "")


def test_a_folder_that_does_not_exist_for_out(asked, tmp_path):
    got = run("agree", "x.csv", "--out", tmp_path / "no" / "report.md")
    assert got.exit_code == 2
    assert "[unwritable]" in got.stderr


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["krippendorff_alpha=0.4"], 0, ""),
        (["krippendorff_alpha=0.667"], 1, "krippendorff_alpha is 0.441, below 0.667"),
        (["krippendorff_alpha=0.4", "--bound", "lower"], 1, "the lower 95 % limit of kripp"),
        (["krippendorff_alpha=0.44123456789"], 0, ""),
        (["krippendorff_alpha=0.44123456790"], 1, "is 0.44123456789, below 0.44123456790"),
        (["cohen_kappa=0.1"], 1, "is not defined, because it is for two raters, there are 3"),
        (["kripendorff_alpha=0.667"], 2, "did you mean 'krippendorff_alpha'"),
        (["krippendorff_alpha"], 2, "NAME=VALUE is needed"),
        (["krippendorff_alpha=nan"], 2, "NAME=VALUE is needed"),
    ],
)
def test_gate(asked, args, code, words):
    got = run("agree", "x.csv", "--json", "--fail-under", *args)
    assert got.exit_code == code
    assert words in got.stderr
    if code < 2:
        assert json.loads(got.stdout)


def test_gate_on_groups_and_without_an_interval():
    given = summaries.groups()
    got = failures(given, [parse("krippendorff_alpha=0.4"), parse("gwet_ac=0.5")], "value")
    want = "all 240 ratings are 'safe': expected agreement is 1; at least 0.400 was asked for"
    assert got == [f"relevance: krippendorff_alpha is not defined, because {want}"]
    assert "has no interval" in failures(given, [parse("bangdiwala_b=0.1")], "lower")[1]


def test_weights_from_files(asked, tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("1,0.5\n0.5,1\n")
    assert load(file).along(("lo", "hi")) == [[1, 0.5], [0.5, 1]]
    file.write_text("hi,lo\n1,0.5\n0.25,1\n")
    assert load(file).along(("lo", "hi")) == [[1, 0.25], [0.5, 1]]
    file.write_text(",hi,lo\nhi,1,0.5\nlo,0.25,1\n")
    assert load(file).along(("lo", "hi")) == [[1, 0.25], [0.5, 1]]
    with pytest.raises(UsageError, match="no row for 'other'"):
        load(file).along(("lo", "other"))
    file.write_text("1,0.25\n0.5,1\n")
    assert run("agree", "x.csv", "--weights", file).exit_code == 0
    assert asked["agree"] == {"weights": [[1, 0.25], [0.5, 1]]}
    file.write_text(",hi,lo\nhi,1,0.5\nlo,0.5,1\n")
    assert run("agree", "x.csv", "--weights", file).exit_code == 0
    assert asked["agree"]["weights"].matrix.tolist() == [[1, 0.5], [0.5, 1]]
    file = tmp_path / "w.json"
    file.write_text('{"labels": ["hi", "lo"], "weights": [[1, 0.5], [0.5, 1]]}')
    assert load(file).labels == ("hi", "lo")
    file.write_text("[[1, 2], [3]]")
    with pytest.raises(ReadingError, match="square"):
        load(file)
    file.write_text("{")
    with pytest.raises(ReadingError, match="not a matrix"):
        load(file)
    with pytest.raises(ReadingError, match="no such file"):
        weights("nothing.csv")
    with pytest.raises(UsageError, match="did you mean 'quadratic'"):
        weights("quadratc")


NESTED = {"hi": {"hi": 1, "lo": 0.5}, "lo": {"lo": 1, "hi": 0.5}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("w.json", json.dumps(NESTED)),
        ("w.json", json.dumps({"weights": NESTED})),
        ("w.csv", ";hi;lo\nhi;1;0,5\nlo;0,5;1\n"),
        ("w.csv", "hi;lo\n1,0;0,5\n0,5;1,0\n"),
        ("w.tsv", "\thi\tlo\nhi\t1\t0,5\nlo\t0,5\t1\n"),
        ("w.csv", 'hi,lo\n1,"0,5"\n"0,5",1\n'),
    ],
)
def test_ways_to_write_a_matrix(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    assert load(file).along(("lo", "hi")) == [[1, 0.5], [0.5, 1]]
    assert load(file).labels == ("hi", "lo")


def test_a_matrix_in_numbers_with_decimal_commas_has_no_labels(tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("1,0;0,5\n0,5;1,0\n")
    assert load(file).labels is None
    assert load(file).rows == ((1, 0.5), (0.5, 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"hi": {"hi": 1}, "lo": {"hi": 0.5, "lo": 1}}', "row 'hi' has .*and one number for each"),
        ('{"hi": 1, "lo": 2}', "row 'hi' has 1"),
        ('{"labels": ["a", "a"], "weights": [[1, 0], [0, 1]]}', "a label has two rows: a, a"),
    ],
)
def test_a_matrix_that_cannot_be_is_refused(tmp_path, text, words):
    file = tmp_path / "w.json"
    file.write_text(text)
    with pytest.raises(ReadingError, match=words):
        load(file)


@pytest.mark.parametrize("command", ["agree x.csv", "spans g.conll p.conll"])
def test_a_file_ending_that_is_not_known_is_refused(asked, tmp_path, command):
    got = run(*command.split(), "--out", tmp_path / "t.pdf")
    assert (got.exit_code, got.stdout) == (2, "")
    assert "no format of this report ends in .pdf; the endings are .txt (terminal), " in got.stderr
    assert ".tex (latex)" in got.stderr
    assert "name the format with --to" in got.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_format_by_name_goes_into_a_file_of_any_ending(asked, tmp_path):
    assert run("agree", "x.csv", "--to", "json", "--out", tmp_path / "t.html").exit_code == 0
    assert json.loads((tmp_path / "t.html").read_text("utf-8")) == asked["summary"]
    assert run("agree", "x.csv", "--out", tmp_path / "report").exit_code == 0
    assert (tmp_path / "report").read_text("utf-8").startswith(asked["summary"]["headline"][0])


@pytest.mark.parametrize("command", ["agree x.csv", "spans g.conll p.conll"])
def test_a_bound_without_a_gate_is_refused(asked, command):
    got = run(*command.split(), "--bound", "lower")
    assert (got.exit_code, got.stdout) == (2, "")
    assert "--bound lower says what --fail-under compares" in got.stderr


def test_a_message_with_a_label_that_is_a_text_stays_short(asked, monkeypatch):
    def refuse(*args):
        raise ReadingError(f"the label '{'so on ' * 9000}' does not fit; say --missing.")

    monkeypatch.setattr(module, "_read", refuse)
    got = run("agree", "x.csv")
    assert len(got.stderr) < 200
    assert got.stderr.endswith("does not fit; say --missing. [unreadable]\n")


def test_example_is_listed_and_copied_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "answers" in run("example").output
    assert run("example", "answers").exit_code == 0
    assert (tmp_path / "answers.csv").read_text().startswith("item,")
    again = run("example", "answers")
    assert again.exit_code == 2
    assert "already in this folder" in again.stderr
    assert run("example", "answer").exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    got = run("completion", shell)
    assert got.exit_code == 0
    assert "_ASSAY_COMPLETE" in got.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command):
    got = run(command, "--help", terminal_width=100)
    assert got.exit_code == 0
    assert "Examples:" in got.output
    assert f"assay {command}" in got.output.split("Examples:")[1]


def test_the_choices_are_those_of_the_library():
    from assay.cli.matrix import WEIGHTS
    from assay.ratings import model
    from assay.report import bands

    assert SCALES == model.SCALES
    assert LAYOUTS == model.LAYOUTS
    assert list(INTERPRET) == list(bands.SCALES)
    assert len(WEIGHTS) == 8
    assert len(ESTIMATORS) == 4
