"""The manager's page and the analysis say the same of the same answers."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from unicodedata import normalize

import pytest
from click.testing import CliRunner

from assay.cli.main import main
from assay.study.begin import begin
from assay.study.design import Dimension, Point, RaterSpec
from assay.study.gold import on_gold
from assay.study.store import Store
from assay.web.study.figures import agreement, right_answers
from study.designs import BETTER, TOGETHER, TOPIC, design

SYSTEMS = ("a", "b", "c")
RANGED = Dimension("ranged", "Ranged", "", "How good is it?", "interval", low=0, high=10)
ODD = tuple(Point(value) for value in (-1, 0, 2.5))
POINTS = Dimension("points", "Points", "", "How good is it?", "likert", ODD)
RATIO = Dimension("ratio", "Ratio", "", "How much better?", "magnitude", low=0, reference=100)
ASKED = (RANGED, POINTS, RATIO, BETTER, TOGETHER)


def answered(path, study, chance):
    """A store in which everybody has answered everything, by chance but alike."""
    with Store(path) as store:
        tokens = [p.rpartition("/")[2] for p in begin(store, study, by="me").links.raters.values()]
        for token in tokens:
            while (task := store.open_task(token)) is not None:
                for name in task.dimensions:
                    value = said(study.dimension(name), task, chance)
                    store.answer(token, task.id, name, value, expected=0, client="x")
    return path


def said(dimension, task, chance):
    def near(system):
        return random.Random(f"{task.item} {system}").gauss(3, 1) + chance.gauss(0, 0.7)

    if dimension.mechanism == "ab":
        left, right = map(near, task.systems)
        return "tie" if abs(left - right) < 0.3 else task.systems[left < right]
    if dimension.mechanism == "rankme":
        return {system: round(20 * near(system)) for system in task.systems}
    value = near(task.systems[0])
    if dimension.points:
        place = max(0, min(len(dimension.points) - 1, int(value) - 2))
        return dimension.points[place].value
    if dimension.mechanism == "magnitude":
        return max(1, round(100 * value / 3))
    return max(1, min(5, round(value)))


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    study = design(10, 4, 3, systems=SYSTEMS, dimensions=ASKED, repeats=0.2)
    return answered(tmp_path_factory.mktemp("s") / "study.db", study, random.Random(3)), study


def analysed(path, *more):
    got = CliRunner().invoke(main, ["study", "analyse", str(path), "--bootstrap", "0", *more])
    assert got.exit_code == 0, got.output
    return got.stdout


def test_the_page_and_the_analysis_agree(database):
    path, study = database
    with Store(path) as store:
        shown = {one.dimension.key: one for one in agreement(study, store.ratings(), "here")}
    document = json.loads(analysed(path, "--json"))
    parts = {part["dimension"]: part for part in document["evaluate"]["agreement"]}
    parts["better"] = document["prefer"]["better"]["agreement"]
    assert shown.keys() == parts.keys() == {one.key for one in ASKED}
    for key, part in parts.items():
        (alpha,) = (c for c in part["coefficients"] if c["name"] == "krippendorff_alpha")
        assert alpha["value"] is not None
        assert shown[key].value == alpha["value"], key
        assert (shown[key].low, shown[key].high) == (
            alpha["interval"]["low"],
            alpha["interval"]["high"],
        )
    scales = {d["dimension"]: d["scale"] for d in document["evaluate"]["dimensions"]}
    assert scales == {
        "ranged": "interval", "points": "ordinal", "ratio": "ratio", "together": "interval",
    }  # fmt: skip
    assert "--scale" not in analysed(path)
    # What raters said of a comparison is shown by the systems' names.
    said = {label for hard in shown["better"].hardest for _, label in hard.given}
    assert said <= {*SYSTEMS, "tie"}
    assert said & set(SYSTEMS)


def test_comparisons_asked_again_count_once_as_in_the_export(tmp_path):
    """A repeat has its sides swapped, so nothing but its column says that it is one."""
    study = design(10, 4, 3, systems=SYSTEMS, dimensions=(BETTER,), repeats=0.5)
    path = answered(tmp_path / "study.db", study, random.Random(2))
    with Store(path) as store:
        (shown,) = agreement(study, store.ratings(), "here")
        repeats = sum(row.repeat for row in store.ratings())
        file = store.export(tmp_path / "comparisons.csv", table="comparisons")
    mine = json.loads(analysed(path, "--json"))["prefer"]["better"]
    got = CliRunner().invoke(main, ["prefer", str(file), "--bootstrap", "0", "--json"])
    assert got.exit_code == 0, got.output
    direct = json.loads(got.stdout)
    assert mine["source"]["repeats"] == direct["source"]["repeats"] == repeats > 5
    for name in ("strengths", "intra_rater"):
        assert mine[name] == direct[name], name
    assert mine["agreement"]["coefficients"] == direct["agreement"]["coefficients"]
    (alpha,) = (c for c in mine["agreement"]["coefficients"] if c["name"] == "krippendorff_alpha")
    assert shown.value == alpha["value"]


def test_names_in_any_form_of_unicode_are_found_again(tmp_path):
    """Files of one kind of machine write Vietnamese in another form than the library keeps."""
    study = design(6, 2, 2, dimensions=(BETTER, RANGED))
    items = [replace(item, key=normalize("NFD", f"mục {item.key}\u3000")) for item in study.items]
    raters = (RaterSpec(normalize("NFD", "Nguyễn")), RaterSpec("lan"))
    study = replace(study, items=tuple(items), raters=raters)
    path = answered(tmp_path / "study.db", study, random.Random(1))
    with Store(path) as store:
        shown = agreement(study, store.ratings(), "names")
    assert all(one.hardest for one in shown)
    assert {rater for one in shown for rater, _ in one.hardest[0].given} == {"Nguyễn", "lan"}


def test_labels_of_items_are_reported_on_the_page_as_in_the_analysis(tmp_path):
    study = design(8, 3, 2, systems=(), dimensions=(TOPIC,))
    path = answered(tmp_path / "study.db", study, random.Random(1))
    with Store(path) as store:
        (shown,) = agreement(study, store.ratings(), "labels")
    part = json.loads(analysed(path, "--json"))["agree"]["topic"]
    (alpha,) = (c for c in part["coefficients"] if c["name"] == "krippendorff_alpha")
    assert shown.value == alpha["value"]


def test_pictures_of_an_analysis(database, tmp_path):
    path, _ = database
    files = {
        "means": "all.svg", "ratio:means": "one.svg", "better:ranks": "ranks.svg",
        "strengths": "strengths.svg",
    }  # fmt: skip
    analysed(path, *(f"--plot={kind}={tmp_path / file}" for kind, file in files.items()))
    drawn = {kind: (tmp_path / file).read_text() for kind, file in files.items()}
    assert "points" in drawn["means"]
    assert "points" not in drawn["ratio:means"]
    assert all("<svg" in text for text in drawn.values())
    # Ratings and comparisons both have ranks, so one has to say whose.
    refused = CliRunner().invoke(main, ["study", "analyse", str(path), "--plot", "ranks=x.svg"])
    assert refused.exit_code == 2
    assert "better:ranks" in refused.stderr


def test_right_answers_of_ordinary_items_are_counted(tmp_path):
    study = design(6, 2, 2, systems=("a", "b"), dimensions=(POINTS, BETTER), repeats=0.5)
    gold: dict[str, int | str] = {"points": 0, "better": "a"}
    items = [replace(item, gold=gold if k < 3 else None) for k, item in enumerate(study.items)]
    raters = (RaterSpec("mai", "expert"), RaterSpec("lan"))
    study = replace(study, items=tuple(items), raters=raters)
    with Store(tmp_path / "study.db") as store:
        links = begin(store, study, by="me").links.raters
        for name, link in links.items():
            token, turn = link.rpartition("/")[2], 0
            while (task := store.open_task(token)) is not None:
                key = task.dimensions[0]
                value = {"points": 0 if name == "mai" else -1, "better": "a"}[key]
                skip = name == "lan" and key == "better" and (turn := turn + 1) == 1
                store.answer(
                    token, task.id, key, None if skip else value, expected=0, client="x", skip=skip
                )
        rows = store.ratings()
        skipped = sum(
            r.kind == "skip" and r.item in ("q0", "q1", "q2") and not r.repeat for r in rows
        )
        found = {(one.rater, one.group, one.dimension): one for one in on_gold(study, rows)}
        # Two outputs and one comparison for each of three items; what comes again counts once.
        counts = {key: (one.right, one.answers) for key, one in found.items()}
        assert counts == {
            ("mai", "expert", "points"): (6, 6),
            ("lan", "", "points"): (0, 6),
            ("mai", "expert", "better"): (3, 3),
            ("lan", "", "better"): (3 - skipped, 3 - skipped),
        }
        assert right_answers(study, rows)["mai"] == (9, 9)
        for which, ending in (("ratings", "jsonl"), ("all", "csv"), ("comparisons", "parquet")):
            path = store.export(tmp_path / f"{which}.{ending}", table=which)
            if ending == "jsonl":
                lines = [json.loads(line) for line in path.read_text().splitlines()]
                assert {(r["rater"], r["group"]) for r in lines} == {("mai", "expert"), ("lan", "")}
                assert {(r["item"], r["gold"]) for r in lines if r["item"] in ("q0", "q5")} == {
                    ("q0", 0), ("q5", None),
                }  # fmt: skip
    text = analysed(tmp_path / "study.db")
    assert "Right answers" in text
    assert "mai (expert)" in text
    document = json.loads(analysed(tmp_path / "study.db", "--json"))
    assert document["gold"][0] == {
        "rater": "mai", "group": "expert", "dimension": "points", "answers": 6, "right": 6,
        "share": 1.0,
    }  # fmt: skip
    assert "| lan | points | 6 | 0 | 0.0 % |" in analysed(tmp_path / "study.db", "--markdown")


def test_the_right_system_of_an_item_says_nothing_of_two_others(tmp_path):
    study = design(2, 2, 2, systems=SYSTEMS, dimensions=(BETTER,))
    study = replace(study, items=tuple(replace(i, gold={"better": "a"}) for i in study.items))
    path = answered(tmp_path / "study.db", study, random.Random(1))
    with Store(path) as store:
        assert [one.answers for one in on_gold(study, store.ratings())] == [4, 4]
