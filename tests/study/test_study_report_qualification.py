"""What the report on a study says of the test before everything else, and where it is left out."""

from __future__ import annotations

import csv
import io

import pytest

from assay.report.study.report import Wanted, analyse, parts_of
from assay.study.begin import begin
from assay.study.store import Store
from study.designs import QUALITY, TOGETHER, design, qualification


def reported(path, study, *picks):
    """The report after each rater has taken the test: so many of its tasks are answered right."""
    with Store(path) as store:
        for link, right in zip(
            begin(store, study, by="me").links.raters.values(), picks, strict=True
        ):
            token = link.rpartition("/")[2]
            while (seen := store.visit(token)).task is not None:
                task = seen.task
                if task.qualification:
                    value = 5 if right > 0 else 1
                    right -= 1
                else:
                    value = 1 + task.id % 5
                for key in task.dimensions:
                    given = dict.fromkeys(task.systems, value) if key == "together" else value
                    store.answer(token, task.id, key, given, expected=0, client="x")
        rows = store.ratings()
        states = [one.state for one in store.standings()]
    return analyse(study, rows, parts_of(study, rows, Wanted(None)), "study.db"), states


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    test = qualification(5, gold={"quality": 5})
    study = design(4, 3, 2, qualification=test)
    return reported(tmp_path_factory.mktemp("q") / "study.db", study, 5, 4, 3)


def test_it_has_a_table_of_its_own(told):
    report, states = told
    assert states == ["passed", "passed", "refused"]
    rows = [(o["rater"], o["answers"], o["right"]) for o in report.summary["qualification"]]
    assert rows == [("rater 1", 5, 5), ("rater 2", 5, 4), ("rater 3", 5, 3)]
    assert report.summary["gold"] == report.summary["checks"] == []
    assert report.summary["design"]["qualification"] == {
        "items": 5, "questions": 5, "pass": 0.8, "needed": 4, "tolerance": 0.0,
    }  # fmt: skip
    text = str(report)
    assert "Qualification test" in text
    assert "rater 3  quality          5      3   60.0 %" in text


def test_it_enters_no_other_number(told):
    report, _ = told
    assert report.summary["collected"]["raters"] == 2
    rows = list(csv.DictReader(io.StringIO(report.to_raw())))
    uses = {row["use"] for row in rows if row["item"].startswith("test")}
    assert uses == {"qualification"}
    data = [row for row in rows if row["use"] == "yes"]
    found = report.summary["evaluate"]["source"]
    assert (found["ratings"], found["items"], found["raters"]) == (len(data), 4, 2)


def test_the_methods_and_the_datasheet_say_how_it_was(told):
    report, _ = told
    want = (
        "Before everything else each rater took a qualification test of 5 items, which are not "
        "among the data: 4 of its 5 questions had to be answered right; 2 of 3 raters did."
    )
    assert want in report.methods()
    assert "exclusions" in report.to_heds()
    assert "qualification, exclusions" not in report.to_heds()


def test_a_question_on_several_outputs_is_one(tmp_path):
    """The table of the report and the decision of the store count alike."""
    test = qualification(2, gold={"together": 5.0}, share=1.0, tolerance=1.0)
    study = design(3, 2, 2, dimensions=(QUALITY, TOGETHER), qualification=test)
    report, states = reported(tmp_path / "study.db", study, 2, 1)
    assert states == ["passed", "refused"]
    rows = [(o["dimension"], o["answers"], o["right"]) for o in report.summary["qualification"]]
    assert rows == [("together", 2, 2), ("together", 2, 1)]
    assert "numbers up to 1 away; 1 of 2 raters did" in report.methods()
