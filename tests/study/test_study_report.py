"""``assay study analyse`` gives all that a paper needs of a study, and knows its design."""

from __future__ import annotations

import csv
import json
import random
import re
import socket
from collections import Counter
from dataclasses import replace

import pytest
from click.testing import CliRunner

from assay.cli.main import main
from assay.cli.study_analyse import analyse as command
from assay.report.heds import TODO
from assay.report.study.report import Wanted, analyse, parts_of
from assay.study.begin import begin
from assay.study.design import Dimension, Point, RaterSpec
from assay.study.store import Store
from study.designs import BETTER, TOGETHER, TOPIC, design, items

SYSTEMS = ("wren", "tapir", "ibex")
TONE = Dimension(
    "tone", "Tone", "How it sounds.", "How polite is <b>it</b>?", "likert",
    (Point(1, "rude"), Point(2, "neutral"), Point(3, "polite")),
)  # fmt: skip
KIND = replace(TOPIC, key="kind", points=(Point("none"), Point("cats"), Point("dogs")))
FLAWS = Dimension(
    "flaws", "Flaws", "", "What is wrong with it?", "labels",
    (Point("long"), Point("none"), Point("rude")),
)  # fmt: skip
RATERS = (RaterSpec("mai", "expert"), RaterSpec("lan", "expert"), RaterSpec("jo", "user"))


def answered(path, study):
    """Everybody has answered everything, alike but not equally; lan cannot judge now and then."""
    with Store(path) as store:
        for name, link in begin(store, study, by="me").links.raters.items():
            token, chance = link.rpartition("/")[2], random.Random(name)
            while (task := store.open_task(token)) is not None:
                for key in task.dimensions:
                    skip = name == "lan" and chance.random() < 0.1
                    value = None if skip else said(study.dimension(key), task, chance)
                    store.answer(token, task.id, key, value, expected=0, client="x", skip=skip)
    return path


def said(dimension, task, chance):
    own = random.Random(f"{task.item} {task.systems} {dimension.key}")

    def drawn():
        return 0.8 * own.random() + 0.2 * chance.random()

    if dimension.mechanism == "ab":
        return (*sorted(task.systems), "tie")[int(3 * drawn())]
    if dimension.mechanism == "rankme":
        return {system: round(100 * drawn()) for system in task.systems}
    if dimension.mechanism == "labels":
        return [point.value for point in dimension.points if drawn() < 0.5]
    return dimension.points[int(len(dimension.points) * drawn())].value


def made(systems=SYSTEMS, dimensions=(TONE, KIND, FLAWS, BETTER, TOGETHER), **more):
    study = design(
        6, 3, 2, systems=systems, dimensions=dimensions, repeats=0.3, strata=2,
        instructions="Read *first*.", consent="It is kept.",
        checks=items(2, systems, check=True, prefix="check", gold={"kind": "cats"}), **more,
    )  # fmt: skip
    return replace(study, raters=RATERS)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    return answered(tmp_path_factory.mktemp("outputs") / "study.db", made())


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    study = made((), (KIND, FLAWS))
    return answered(tmp_path_factory.mktemp("labels") / "study.db", study)


def run(*given):
    return CliRunner().invoke(main, ["study", *map(str, given)])


def analysed(path, *more):
    got = run("analyse", path, "--bootstrap", "100", *more)
    assert got.exit_code == 0, got.output
    return got.stdout


def test_the_ending_of_the_file_names_the_format(outputs, tmp_path):
    begins = {
        "html": "<!doctype html>", "csv": "report,dimension,system", "tex": "% Needs",
        "md": "**Best mean", "json": "{", "txt": "Best mean",
    }  # fmt: skip
    for ending, first in begins.items():
        file = tmp_path / f"o.{ending}"
        assert analysed(outputs, "--out", file) == ""
        assert file.read_text().startswith(first), ending
    refused = run("analyse", outputs, "--out", tmp_path / "o.docx")
    assert refused.exit_code == 2
    assert ".html (html)" in refused.stderr


def test_the_methods_know_the_design(outputs):
    text = analysed(outputs, "--methods")
    for part in (
        "3 raters (1 user and 2 experts) judged the outputs of 3 systems for 6 items",
        "(stratum 0 3, stratum 1 3)",
        "they read the instructions and gave their consent",
        "Each output, each comparison and each set of an item's outputs was given to 2 raters.",
        "(seed 1). Systems were not named.",
        "30.0 % of a rater's tasks were shown a second time.",
        "2 attention checks were shown to every rater",
        "tone, by a Likert scale (1 rude, 2 neutral, 3 polite): “How polite is <b>it</b>?”",
        "kind, by one label of none, cats, dogs: “About what?”",
        "better, by comparison of two outputs side by side (left, tie or right): “Which",
        "Krippendorff's alpha over outputs is",
        "better: 3 raters compared the outputs of 3 systems side by side",
        "flaws, each label: 3 raters rated 3 systems on 6 items for long, none and rude",
    ):
        assert part in text, part
    # The same stands in the table's file, so that nothing has to be put together by hand.
    for option in ("--latex", "--markdown"):
        assert "were shown a second time" in analysed(outputs, option)


def test_a_mixed_model_and_other_ratings_where_they_are_asked_for(outputs):
    plain = json.loads(analysed(outputs, "--json"))
    asked = json.loads(analysed(outputs, "--json", "--mixed", "--also", "counting"))
    assert plain["evaluate"]["mixed"] is None
    assert {one["dimension"] for one in asked["evaluate"]["mixed"]} == {
        one["dimension"] for one in asked["evaluate"]["dimensions"]
    }
    (found,) = asked["prefer"]["better"]["also"]
    wins = {
        one["system"]: one["wins"] + one["ties"] / 2 for one in asked["prefer"]["better"]["systems"]
    }
    assert {one["system"]: one["score"] for one in found["scores"]} == wins


def test_the_datasheet_is_filled_in_from_the_design(outputs, tmp_path):
    analysed(outputs, "--heds", tmp_path / "heds.md")
    text = (tmp_path / "heds.md").read_text()
    answers = dict(re.findall(r"^- (.*)\n  (.*)$", text.partition("### Tone")[0], re.MULTILINE))
    assert answers["How many evaluators took part?"] == "3 raters (1 user and 2 experts)"
    assert "“Read \\*first\\*.”" in answers["How were they found, trained and instructed?"]
    assert answers["Did evaluators meet an output again?"].startswith("yes: 30.0 %")
    assert (
        "attention checks" in answers["How was quality assured: qualification, checks, exclusions?"]
    )
    tone = text.partition("### Tone")[2].partition("###")[0]
    assert "Tone: How it sounds." in tone
    assert "“How polite is \\<b\\>it\\</b\\>?”" in tone
    assert "1 rude, 2 neutral, 3 polite" in tone
    assert "relative, two outputs side by side" in text.partition("### Better")[2]
    assert "of each label: long: Krippendorff's alpha" in text.partition("### Flaws")[2]
    # What only people know is left to them.
    for question in ("Was the experiment registered before it was run?",):
        assert answers[question] == TODO
    assert text.count(TODO) > 20


def test_every_answer_is_in_the_raw_file(outputs, tmp_path):
    analysed(outputs, "--raw", tmp_path / "raw.csv")
    with (tmp_path / "raw.csv").open(newline="", encoding="utf-8") as file:
        raw = list(csv.DictReader(file))
    with Store(outputs) as store:
        rows = store.ratings()
    assert len(raw) == len(rows)
    assert Counter(row["use"] for row in raw) == Counter(
        "check" if r.check else "cannot judge" if r.kind == "skip" else "repeat" if r.repeat
        else "yes" for r in rows
    )  # fmt: skip
    assert {(row["rater"], row["group"]) for row in raw} == {(r.name, r.group) for r in RATERS}
    sets = [json.loads(row["value"]) for row in raw if row["dimension"] == "flaws" and row["value"]]
    assert all(set(one) <= {"long", "none", "rude"} for one in sets)


def test_the_csv_has_the_figures_of_all_reports(outputs, labels):
    for path in (outputs, labels):
        document = json.loads(analysed(path, "--json"))
        rows = list(csv.DictReader(analysed(path, "--csv").splitlines()))
        want: Counter[str] = Counter()
        if document["evaluate"]:
            want["evaluate"] = len(document["evaluate"]["systems"])
        for one in document["prefer"].values():
            want["prefer"] += len(one["systems"]) + len(one["pairs"])
        for one in document["agree"].values():
            want["agree"] += len(one["coefficients"])
        for one in document["labels"].values():
            want["labels"] += len(one["systems"])
        assert Counter(row["report"] for row in rows if not row["label"]) == want
        shares = Counter(
            (one["system"], one["dimension"], said["label"], str(said["count"]))
            for found in (document["evaluate"] or {"systems": []},)
            for one in found["systems"]
            for said in one["shares"]
            if one["dimension"] in ("kind", "flaws")
        )
        assert shares == Counter(
            (row["system"], row["dimension"], row["label"], row["count"])
            for row in rows
            if row["label"] and row["report"] == "evaluate"
        )
        assert {r["dimension"] for r in rows if r["report"] == "labels"} == {
            "flaws: long", "flaws: none", "flaws: rude",
        }  # fmt: skip


def test_labels_of_outputs_have_shares_for_each_system(outputs):
    document = json.loads(analysed(outputs, "--json"))
    with Store(outputs) as store:
        rows = [r for r in store.ratings() if r.kind == "answer" and not r.check and not r.repeat]
    for system in SYSTEMS:
        (kind,) = (
            one for one in document["evaluate"]["systems"]
            if (one["system"], one["dimension"]) == (system, "kind")
        )  # fmt: skip
        given = Counter(r.value for r in rows if (r.dimension, r.system) == ("kind", system))
        assert {s["label"]: s["count"] for s in kind["shares"]} == {
            name: given[name] for name in ("none", "cats", "dogs")
        }
        sets = [r.value for r in rows if (r.dimension, r.system) == ("flaws", system)]
        for one in document["labels"]["flaws"]["systems"]:
            if one["system"] == system:
                yes = sum(one["dimension"] in chosen for chosen in sets)
                assert one["shares"][0] == {
                    "label": "yes", "count": yes, "share": pytest.approx(yes / len(sets)),
                }  # fmt: skip
    again = {one["dimension"] for one in document["evaluate"]["intra_rater"]}
    assert {"tone", "kind", "flaws", "together"} == again
    assert {one["dimension"] for one in document["labels"]["flaws"]["intra_rater"]} == {
        "long", "none", "rude",
    }  # fmt: skip
    text = analysed(outputs)
    for title in ("Shares: kind", "flaws: each label", "Shares: long", "Attention checks"):
        assert title in text


def test_items_without_systems_say_how_far_raters_agree_with_themselves(labels, tmp_path):
    document = json.loads(analysed(labels, "--json"))
    assert document["evaluate"] is None
    assert set(document["agree"]) == {"kind", "flaws"}
    with Store(labels) as store:
        again = [r for r in store.ratings() if r.repeat and not r.check and r.kind == "answer"]
    pairs = Counter(r.dimension for r in again)
    assert {
        one["dimension"]: one["pairs"] for one in document["intra_rater"]
    }.keys() == pairs.keys()
    assert "The same rater again" in analysed(labels)
    assert f"On {pairs['kind']} repeated outputs raters gave" in analysed(labels, "--methods")
    analysed(labels, "--heds", tmp_path / "heds.md")
    assert f"{pairs['kind']} repeated outputs, alpha" in (tmp_path / "heds.md").read_text()


def test_nothing_is_advised_that_cannot_be_done_here(outputs, labels):
    mine = {name for option in command.params for name in option.opts}
    for path in (outputs, labels):
        for more in ((), ("--full",), ("--markdown",), ("--latex",)):
            text = analysed(path, *more)
            assert "look missing" not in text
            assert set(re.findall(r"(?<![-\w])--[a-z][a-z-]*", text)) <= mine


def test_the_page_has_every_part_and_runs_nothing(outputs, labels):
    page = analysed(outputs, "--html")
    titles = re.findall(r"<h2>(.*?)</h2>", page)
    assert titles == [
        "Ratings", "better", "flaws: each label", "Attention checks", "How it was asked",
        "For a methods section",
    ]  # fmt: skip
    assert "How polite is &lt;b&gt;it&lt;/b&gt;?" in page
    assert page.count("<svg") > 4
    assert not re.search(r"<script|src=|href=|@import|url\(", page)
    assert "<h2>kind</h2>" in analysed(labels, "--html")


def test_pictures_of_labels(outputs, tmp_path):
    asked = {"flaws: long:distribution": "a.svg", "kind:confusion": "b.svg", "tone:means": "c.svg"}
    analysed(outputs, *(f"--plot={kind}={tmp_path / file}" for kind, file in asked.items()))
    assert all("<svg" in (tmp_path / file).read_text() for file in asked.values())


def test_a_report_prints_itself(outputs):
    study = made()
    with Store(outputs) as store:
        rows = store.ratings()
    report = analyse(study, rows, parts_of(study, rows, Wanted(None)), "study.db")
    assert str(report).startswith("Best means")
    assert report.to_html().startswith("<!doctype html>")
    assert json.loads(report.to_json())["study"] == "trial"


@pytest.mark.parametrize("name", ["mix table.csv", "trial.toml"])
def test_a_file_that_is_no_database_is_told_where_it_belongs(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("item,system,value\na,b,1\n")
    got = run("analyse", name)
    want = {
        "mix table.csv": "assay evaluate 'mix table.csv'",
        "trial.toml": "assay study analyse trial.db",
    }
    assert got.exit_code == 2
    assert want[name] in got.stderr
    assert "a folder" in run("analyse", ".").stderr


def test_the_database_is_never_written_over(outputs):
    before = outputs.read_bytes()
    for address in (str(outputs), f"sqlite:///{outputs}"):
        for option in ("--raw", "--heds"):
            got = run("analyse", address, option, outputs)
            assert (got.exit_code, "it would be lost" in got.stderr) == (2, True)
        assert run("analyse", address, "--to", "json", "--out", outputs).exit_code == 2
    assert outputs.read_bytes() == before


def test_a_demo_whose_port_is_taken_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        got = run("demo", "my demo", "--port", taken.getsockname()[1])
    assert got.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_demo_does_not_touch_what_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my demo"
    folder.mkdir()
    (folder / "demo.toml").write_text("mine")
    got = run("demo", folder.name, "--port", 0)
    assert (got.exit_code, "name another folder" in got.stderr) == (2, True)
    assert (folder / "demo.toml").read_text() == "mine"
    (folder / "demo.db").touch()
    got = run("demo", folder.name)
    assert "assay study serve 'my demo/demo.toml' --new-links" in got.stderr
    (tmp_path / "file").touch()
    assert "[unwritable]" in run("demo", "file", "--port", 0).stderr
