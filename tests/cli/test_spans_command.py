"""``assay spans`` in process: what it passes on, what it prints, how it ends."""

from __future__ import annotations

import json
import shlex
import sys
import types
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from assay.cli import spans as module
from assay.cli.example import EXAMPLES
from assay.cli.gate import Gate
from assay.cli.main import main
from assay.cli.spans_gate import failures, parse
from assay.cli.spans_options import MACHINE
from assay.errors import InputError, UsageError
from report import span_summaries as summaries


@pytest.fixture
def asked(monkeypatch):
    """Runs the command on a summary written by hand, and keeps what was passed on."""
    seen: dict[str, Any] = {"summary": summaries.one()}

    def score_spans(gold, *preds, **chosen):
        seen["files"], seen["chosen"] = [str(gold), *map(str, preds)], chosen
        if "raise" in seen:
            raise seen["raise"]
        return types.SimpleNamespace(to_dict=lambda: seen["summary"])

    def annotator_agreement(files, **chosen):
        seen["files"], seen["agreed"] = list(map(str, files)), chosen
        return types.SimpleNamespace(to_dict=lambda: {"kind": "annotators", "warnings": []})

    modules: dict[str, dict[str, Any]] = {
        "assay.report.spans.report": {"score_spans": score_spans},
        "assay.report.annotators.report": {"annotator_agreement": annotator_agreement},
    }
    for name, parts in modules.items():
        monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(**parts))
    return seen


def run(*args, **more):
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="assay", **more)


def test_only_what_was_given_is_passed_on(asked):
    got = run("spans", "gold.conll", "a.conll")
    assert got.exit_code == 0, got.output
    assert asked["files"] == ["gold.conll", "a.conll"]
    assert asked["chosen"] == {}


def test_one_file_may_hold_both(asked):
    assert run("spans", "both.conll", "--gold-column", "-2").exit_code == 0
    assert asked["files"] == ["both.conll"]
    assert asked["chosen"] == {"gold_column": -2}


EVERYTHING = """
    spans g p q --format conll --column 4 --pred-column ner --token-column 2 --encoding utf-16
    --unit character --offsets bytes --inclusive --align --snap expand --scheme iob1
    --illegal discard --suffix --mode partial
    --zero-division undefined --beta .5 --bootstrap 200 --by document --seed 7 --level .9
"""


def test_everything_that_was_given_is_passed_on(asked):
    got = run(*shlex.split(EVERYTHING))
    assert got.exit_code == 0, got.output
    assert asked["chosen"] == {
        "format": "conll",
        "gold_column": 4,
        "pred_column": "ner",
        "token_column": 2,
        "encoding": "utf-16",
        "unit": "character",
        "offsets": "bytes",
        "inclusive": True,
        "align": True,
        "snap": "expand",
        "scheme": "IOB1",
        "illegal": "discard",
        "suffix": True,
        "mode": "partial",
        "zero_division": "undefined",
        "beta": 0.5,
        "bootstrap": 200,
        "by": "document",
        "seed": 7,
        "level": 0.9,
    }


@pytest.mark.parametrize("form", MACHINE)
def test_every_format_by_option_name_and_ending(asked, tmp_path, form):
    by_option = run("spans", "g", "p", f"--{form}")
    assert by_option.exit_code == 0
    assert run("spans", "g", "p", "--to", form).stdout == by_option.stdout
    ending = {"markdown": "md", "latex": "tex"}.get(form, form)
    target = tmp_path / f"report.{ending}"
    got = run("spans", "g", "p", "--out", target)
    assert got.exit_code == 0
    assert got.stdout == ""
    assert target.read_bytes().decode().replace("\r\n", "\n").strip() == (
        by_option.stdout.replace("\r\n", "\n").strip()
    )


def test_json_is_all_of_standard_output_and_warnings_are_elsewhere(asked):
    got = run("spans", "g", "p", "--json")
    assert json.loads(got.stdout) == asked["summary"]
    assert got.stderr == "warning: 2 tokens differ, first in sentence 4, token 2\n"
    assert got.exit_code == 0


def test_a_warning_is_said_once_where_report_and_errors_share_a_screen(asked, monkeypatch):
    lines = []
    monkeypatch.setattr("click.echo", lambda text, err=False: lines.append(text))
    for same_screen, said in ((True, 0), (False, 1)):
        screen = types.SimpleNamespace(isatty=lambda same_screen=same_screen: same_screen)
        monkeypatch.setattr(module, "sys", types.SimpleNamespace(stdout=screen, stderr=screen))
        lines.clear()
        module._warn(asked["summary"], "terminal", None)
        assert len(lines) == said
    module._warn(asked["summary"], "html", Path("x.html"))
    assert len(lines) == 2


def test_an_error_ends_with_two_and_no_report(asked):
    asked["raise"] = InputError("p.conll: sentence 3 has 5 tokens, gold 6.", code="lengths_differ")
    got = run("spans", "g", "p")
    assert got.exit_code == 2
    assert got.stdout == ""
    assert got.stderr == "error: p.conll: sentence 3 has 5 tokens, gold 6. [lengths_differ]\n"


def test_another_scorer_is_asked_for_by_name(asked):
    asked["summary"] = summaries.parity()
    got = run("spans", "g", "p", "--as", "conlleval")
    assert asked["chosen"] == {"parity": "conlleval"}
    assert got.stdout.startswith(asked["summary"]["parity"]["text"])
    several = run("spans", "g", "p", "q", "--as", "conlleval")
    assert several.exit_code == 2
    assert run("spans", "g", "p", "--as", "conleval").exit_code == 2


def test_annotators_are_compared_without_gold(asked):
    got = run("spans", "--annotators", "a", "b", "c", "--json", "--scheme", "BIO", "--seed", 3)
    assert got.exit_code == 0, got.output
    assert asked["files"] == ["a", "b", "c"]
    assert asked["agreed"] == {"scheme": "BIO", "seed": 3}
    got = run("spans", "--annotators", "a", "b", "--json", "--gamma", "--column", 3)
    assert asked["agreed"] == {"gamma": True, "gold_column": 3, "pred_column": 3}
    assert run("spans", "a", "b", "--gamma").exit_code == 2
    assert run("spans", "--annotators", "a", "b", "--mode", "exact").exit_code == 2
    assert run("spans", "--annotators", "a").exit_code == 2
    assert run("spans", "--annotators", "a", "b", "--as", "seqeval").exit_code == 2
    assert run("spans", "--annotators", "a", "b", "--fail-under", "exact.micro.f1=1").exit_code == 2


def test_a_file_is_needed():
    assert run("spans").exit_code == 2


@pytest.mark.parametrize(
    ("text", "name", "least"),
    [
        ("exact.micro.f1=0.8", "exact.micro.f1", 0.8),
        ("partial.a.b=c.recall=.5", "partial.a.b=c.recall", 0.5),
        ("sentence_accuracy=1", "sentence_accuracy", 1.0),
        ("exact..precision=1", "exact..precision", 1.0),
    ],
)
def test_gates_are_read(text, name, least):
    assert parse(text) == Gate(name, least)


@pytest.mark.parametrize(
    "text",
    ["f1=0.8", "exact.micro=0.8", "exact.micro.f1", "exact.micro.f1=x", "exact.micro.f1=nan",
     "exakt.micro.f1=1", "exact.micro.f2=1", "=1"],
)  # fmt: skip
def test_gates_that_mean_nothing_are_refused(text):
    with pytest.raises(UsageError, match="--fail-under"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "bound", "code", "said"),
    [
        ("exact.micro.f1=0.57", "value", 0, ""),
        ("exact.micro.f1=0.58", "value", 1, "exact.micro.f1 is 0.571, below 0.580"),
        ("exact.micro.f1=0.5", "lower", 1, "the lower 95 % limit of exact.micro.f1 is 0.448"),
        ("exact.micro.recall=0.4", "lower", 0, ""),
        ("token_accuracy=0.95", "value", 1, "token_accuracy is 0.941, below 0.950"),
        ("token_accuracy=0.5", "lower", 1, "token_accuracy has no interval"),
        ("exact.NOBODY.f1=0.1", "value", 1, "exact.NOBODY.f1 is not in the report"),
    ],
)
def test_a_gate_decides_how_it_ends(asked, text, bound, code, said):
    got = run("spans", "g", "p", "--fail-under", text, "--bound", bound)
    assert got.exit_code == code
    assert got.stdout.startswith("94.1 %")
    assert said in got.stderr
    assert ("failed: " in got.stderr) == bool(code)


def test_a_gate_holds_for_every_system():
    broken = failures(summaries.several(), [Gate("exact.micro.f1", 0.6)], "value")
    assert broken == ["a/out.conll: exact.micro.f1 is 0.571, below 0.600"]


def test_a_gate_does_not_hold_where_nothing_is_defined():
    broken = failures(summaries.empty(), [Gate("exact.micro.f1", 0.0)], "value")
    assert broken == ["exact.micro.f1 is not defined here; at least 0.000 was asked for"]


def test_the_taggers_are_copied_together_and_never_over_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = EXAMPLES["taggers"].files
    Path(files[1]).write_text("mine", "utf-8")
    refused = run("example", "taggers")
    assert refused.exit_code == 2
    assert f"{files[1]} is already in this folder" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == [files[1]]
    Path(files[1]).unlink()
    got = run("example", "taggers")
    assert got.exit_code == 0
    assert EXAMPLES["taggers"].command in got.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)
    assert "taggers: 40 sentences" in run("example").stdout


def test_the_choices_are_those_of_the_library():
    from assay.spans.figures import ZERO_DIVISION
    from assay.spans.match import MODES
    from assay.spans.parity import SCORERS
    from assay.spans.sources.offsets import UNITS
    from assay.spans.sources.snap import SNAPS

    options = {parameter.name: parameter for parameter in module.spans.params}
    for name, known in (
        ("mode", MODES),
        ("zero_division", ZERO_DIVISION),
        ("snap", SNAPS),
        ("offsets", UNITS),
        ("as_", SCORERS),
    ):
        kind = options[name].type
        assert isinstance(kind, click.Choice)
        assert set(kind.choices) == set(known)


def test_standard_input_is_one_of_the_files(tmp_path: Path) -> None:
    content = "a\tB-X\nb\tO\n\nc\tO\n"
    gold = tmp_path / "gold.conll"
    gold.write_text(content)
    for files in (["-", str(gold)], [str(gold), "-"], [str(gold), "-", "--annotators"]):
        done = CliRunner().invoke(main, ["spans", *files, "--json"], input=content)
        assert done.exit_code == 0, done.output
        assert "standard input" in done.stdout
        assert "assay-" not in done.stdout
    done = CliRunner().invoke(main, ["spans", str(gold), "-"], input="a\tO\n")
    assert done.exit_code == 2
    assert "standard input: 1 sentence" in " ".join(done.stderr.split())
    done = CliRunner().invoke(main, ["spans", "-", "-"], input=content)
    assert done.exit_code == 2
    assert "can be read once" in done.stderr


def test_out_needs_a_known_ending(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text("a\tB-X\n")
    out = tmp_path / "r.xyz"
    done = CliRunner().invoke(main, ["spans", str(gold), str(gold), "--out", str(out)])
    assert done.exit_code == 2
    assert "ends in .xyz" in done.stderr
    assert not out.exists()


def test_a_stream_has_no_inclusive_ends(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["spans", "a", "b", "--stream", "--inclusive"])
    assert done.exit_code == 2
    assert "--stream does not go with --inclusive" in done.stderr
