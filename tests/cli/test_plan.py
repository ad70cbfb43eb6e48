"""``assay plan``: options in, a report out."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import assay
from assay.agreement.planning.design import PLANNED
from assay.cli.main import main
from assay.cli.plan import COEFFICIENTS, numbers, shares
from assay.errors import UsageError


def run(*args):
    return CliRunner().invoke(main, ["plan", *map(str, args)], prog_name="assay")


def test_the_command_is_the_function():
    got = run(
        "--agreement", ".93", "--shares", "safe=.9,violation=.1", "--raters", "2-3", "--width",
        ".2", "--level", ".9", "--simulations", "100", "--seed", "3", "--json",
    )  # fmt: skip
    assert got.exit_code == 0, got.output
    want = assay.plan(
        agreement=0.93, shares={"safe": 0.9, "violation": 0.1}, raters=[2, 3], width=0.2,
        level=0.9, simulations=100, seed=3,
    )  # fmt: skip
    assert json.loads(got.stdout) == json.loads(want.to_json())


def test_a_pilot_from_a_file(tmp_path):
    path = tmp_path / "first.csv"
    path.write_text("item,ana,bo\n" + "".join(f"{i},{i % 3},{(i // 2) % 3}\n" for i in range(30)))
    got = run("--pilot", path, "--width", ".4", "--simulations", 0, "--layout", "wide")
    assert got.exit_code == 0, got.output
    assert "as in the pilot" in got.stdout
    assert "first.csv" in got.stdout


def test_output_goes_to_a_file(tmp_path):
    out = tmp_path / "plan.md"
    got = run("--value", ".7", "--labels", 2, "--width", ".2", "--simulations", 0, "--out", out)
    assert (got.exit_code, got.stdout) == (0, "")
    assert out.read_text("utf-8").startswith("**196 items, 2 raters")
    wrong = run("--value", ".7", "--labels", 2, "--width", ".2", "--out", tmp_path / "plan.tex")
    assert wrong.exit_code == 2


def test_bad_use_ends_with_2():
    got = run("--labels", 2)
    assert got.exit_code == 2
    assert "[bad_use]" in got.stderr


def test_the_help_names_what_there_is():
    assert set(COEFFICIENTS) == set(PLANNED)
    text = run("--help").stdout
    assert "--pilot" in text
    assert "assay plan --pilot answers.csv --width 0.1" in text


@pytest.mark.parametrize("text", ["", "two", "5-2", "2-", "1.5"])
def test_numbers_of_raters_that_are_none(text):
    with pytest.raises(UsageError, match="--raters"):
        numbers(text)


@pytest.mark.parametrize("text", ["safe", "safe=.5,safe=.5"])
def test_shares_that_are_none(text):
    with pytest.raises(UsageError, match="--shares"):
        shares(text)


def test_a_label_may_hold_a_comma_or_a_sign():
    assert shares('"a, b=.5",x=y=.5') == {"a, b": ".5", "x=y": ".5"}


def test_all_labels_are_shown_in_full():
    options = ("--value", ".6", "--labels", 12, "--items", 50, "--simulations", 0)
    assert "and 4 more" in run(*options).stdout
    assert "12 8.3 %" in run(*options, "--full").stdout
    assert "did you mean 'cohen_kappa'?" in run("--coefficient", "cohen", *options).stderr
