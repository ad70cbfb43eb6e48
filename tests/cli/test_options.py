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
from assay.report.render import FORMATS
from report import summaries


@pytest.fixture
def asked(monkeypatch):
    """Runs the command on a summary written by hand, and keeps what was passed on."""
    seen = {"summary": summaries.three()}

    def read(source, **chosen):
        seen["source"], seen["read"] = source, chosen
        return types.SimpleNamespace(categories=types.SimpleNamespace(texts=("lo", "hi")))

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
    assert run("agree", "x.csv", "--weights", file).exit_code == 0
    assert asked["agree"] == {"weights": [[1, 0.25], [0.5, 1]]}
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
