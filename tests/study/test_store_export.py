"""The long table: as rows, as files, and read back by the analyses."""

from __future__ import annotations

import csv
import json
import random

import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.errors import UsageError
from assay.study.store_errors import StoreUnreachable
from study.stores import Job, filled

ITEMS, SYSTEMS, RATERS = 12, ("base", "large"), ("ana", "ben", "chi")


@pytest.fixture
def rated(tmp_path, open_store):
    """A study with every mechanism, its answers by chance, and what was answered."""
    chance = random.Random(5)
    tasks, said = [], {}
    for r in range(len(RATERS)):
        order = 0
        for k in range(ITEMS):
            for system in SYSTEMS:
                tasks.append(Job(r, order, f"q{k}", (system,), ("fluency", "coverage")))
                order += 1
            pair = SYSTEMS if chance.random() < 0.5 else SYSTEMS[::-1]
            tasks.append(Job(r, order, f"q{k}", pair, ("better",), kind="pair"))
            tasks.append(Job(r, order + 1, f"q{k}", SYSTEMS, ("overall",), kind="all"))
            order += 2
        tasks.append(Job(r, order, "attention", ("base",), ("fluency",), check=True))
    store = open_store(tmp_path / "study.db")
    tokens = filled(store, tasks, *RATERS)
    for number, task in enumerate(tasks, 1):
        for name in task.dimensions:
            level = 2 + 2 * (task.systems[0] == "large")
            value = {
                "fluency": level + chance.choice([-1, 0, 0, 1]),
                "coverage": chance.randint(1, 5),
                "better": chance.choice(["large", "large", "base", "tie"]),
                "overall": {s: chance.randint(0, 100) for s in SYSTEMS},
            }[name]
            saved = (RATERS[task.rater], task.item, task.systems, name, task.check)
            said[saved] = value
            store.answer(tokens[task.rater], number, name, value, expected=0, client="c")
    return store, said


def expected(said):
    """Rows of ratings of outputs, made without the store."""
    for (rater, item, systems, name, check), value in said.items():
        if name != "better" and not check:
            for system in systems:
                one = value[system] if isinstance(value, dict) else value
                yield {"item": item, "system": system, "dimension": name, "rater": rater,
                       "value": one}  # fmt: skip


def test_rows_hold_what_was_answered(rated):
    store, said = rated
    columns = ("item", "system", "dimension", "rater", "value")
    found = [
        {name: getattr(row, name) for name in columns}
        for row in store.ratings()
        if row.left is None and not row.check
    ]
    key = json.dumps
    assert sorted(found, key=key) == sorted(expected(said), key=key)
    compared = {
        (row.rater, row.item, (row.left, row.right)): row.value
        for row in store.ratings()
        if row.left is not None
    }
    assert compared == {
        (rater, item, systems): value
        for (rater, item, systems, name, _), value in said.items()
        if name == "better"
    }


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_evaluate_reads_the_file(rated, tmp_path, ending):
    store, said = rated
    path = store.export(tmp_path / f"out.{ending}")
    settings = {"rater": "rater", "value": "value", "item": "item", "system": "system"}
    from_file = assay.evaluate(path, dimension="dimension", **settings).to_dict()
    direct = assay.evaluate(list(expected(said)), dimension="dimension", **settings).to_dict()
    assert len(from_file["systems"]) == 6
    by_file = {(s["system"], s["dimension"]): s["mean_micro"] for s in from_file["systems"]}
    by_hand = {(s["system"], s["dimension"]): s["mean_micro"] for s in direct["systems"]}
    assert by_file == by_hand
    for name in ("fluency", "overall"):
        values = [
            r["value"] for r in expected(said) if (r["system"], r["dimension"]) == ("large", name)
        ]
        assert by_file["large", name] == pytest.approx(sum(values) / len(values))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_evaluate_reads_the_file_without_being_told_its_columns(rated, tmp_path, ending):
    store, said = rated
    path = store.export(tmp_path / f"out.{ending}")
    done = CliRunner().invoke(main, ["evaluate", str(path), "--json"])
    assert done.exit_code == 0, done.output
    found = {(s["system"], s["dimension"]): s for s in json.loads(done.stdout)["systems"]}
    assert len(found) == 6
    for (system, name), one in found.items():
        values = [
            r["value"] for r in expected(said) if (r["system"], r["dimension"]) == (system, name)
        ]
        assert one["mean_micro"] == pytest.approx(sum(values) / len(values))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_decisions_are_written_with_what_was_seen(rated, tmp_path, ending):
    import duckdb

    store, said = rated
    both = list(SYSTEMS)
    store.adjudicate("q1", "coverage", 4, systems=["base"], cause="slip", by="m", note='a "b",\nü')
    store.adjudicate("q1", "overall", {"base": 3, "large": 9}, systems=both, cause="other", by="m")
    store.adjudicate("q1", "coverage", 2, systems=["base"], cause="other", by="m")
    path = store.export(tmp_path / f"out.{ending}", table="decisions")
    if ending == "csv":
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
    elif ending == "jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    else:
        relation = duckdb.read_parquet(str(path))
        rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    assert list(rows[0]) == [
        *("item", "systems", "dimension", "value", "cause", "note", "by", "at", "answers"),
    ]
    by_name = {row["dimension"]: row for row in rows}
    assert len(rows) == 2
    assert str(by_name["coverage"]["value"]) == "2"
    assert json.loads(by_name["overall"]["value"]) == {"base": 3, "large": 9}
    assert json.loads(by_name["overall"]["systems"]) == both
    seen = {one["rater"]: one["value"] for one in json.loads(by_name["coverage"]["answers"])}
    assert seen == {r: said[r, "q1", ("base",), "coverage", False] for r in RATERS}
    every = store.export(tmp_path / f"all.{ending}", table="decisions", history=True)
    assert every.stat().st_size > path.stat().st_size


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_prefer_reads_the_file(rated, tmp_path, ending):
    store, said = rated
    path = store.export(tmp_path / f"out.{ending}", table="comparisons")
    report = assay.prefer(path, left="left", right="right", winner="winner", rater="rater")
    wins = [v for (*_, name, _), v in said.items() if name == "better"]
    document = report.to_dict()
    strengths = {one["system"]: one["strength"] for one in document["strengths"]}
    share = (wins.count("large") + wins.count("tie") / 2) / len(wins)
    assert strengths["large"] == pytest.approx(share)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_agree_reads_the_file(rated, tmp_path, ending):
    store, said = rated
    path = store.export(tmp_path / f"out.{ending}")
    columns = ["--item", "item", "--rater", "rater", "--label", "value"]
    by = ["--by", "dimension", "--by", "system"]
    done = CliRunner().invoke(main, ["agree", str(path), *columns, *by, "--json"])
    assert done.exit_code == 0, done.output
    triples = [
        (r["item"], r["rater"], r["value"])
        for r in expected(said)
        if (r["dimension"], r["system"]) == ("coverage", "large")
    ]
    direct = assay.agree(triples).to_dict()["coefficients"]
    groups = json.loads(done.stdout)["groups"]
    assert len(groups) == 6
    (found,) = [g for g in groups if "coverage" in g["group"] and "large" in g["group"]]
    by_name = {c["name"]: c["value"] for c in found["coefficients"]}
    assert by_name == {c["name"]: c["value"] for c in direct}


def test_files_have_the_columns_that_are_documented(rated, tmp_path):
    store, _ = rated
    rows = {}
    for table in ("ratings", "comparisons", "all"):
        path = store.export(tmp_path / f"{table}.csv", table=table)
        with path.open(newline="") as file:
            rows[table] = list(csv.DictReader(file))
    per_rater = ITEMS * (2 * 2 + 2)
    assert len(rows["ratings"]) == 3 * per_rater
    assert len(rows["comparisons"]) == 3 * ITEMS
    assert len(rows["all"]) == 3 * (per_rater + ITEMS)
    assert list(rows["ratings"][0])[:5] == ["item", "system", "dimension", "rater", "value"]
    assert list(rows["comparisons"][0])[:6] == [
        *("item", "left", "right", "dimension", "rater", "winner"),
    ]
    with_checks = store.export(tmp_path / "checks.csv", checks=True)
    assert len(with_checks.read_text().splitlines()) == 1 + 3 * per_rater + 3


def test_odd_texts_and_lists_survive_every_format(tmp_path, open_store):
    import duckdb

    store = open_store(tmp_path / "study.db")
    comment = 'one "quoted",\nnext line; hữu ích 好'
    (ana,) = filled(store, [Job(0, 0, "q,0", ("",)), Job(0, 1, "q1", ())], "ana, with comma")
    store.answer(ana, 1, "fluency", ["z", "ü"], expected=0, client="c", comment=comment)
    store.answer(ana, 2, "fluency", expected=0, client="c", skip=True)
    with store.export(tmp_path / "out.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["item"], first["rater"], first["comment"]) == ("q,0", "ana, with comma", comment)
    assert json.loads(first["value"]) == ["z", "ü"]
    assert (first["system"], second["value"], second["kind"]) == ("", "", "skip")
    lines = store.export(tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["comment"] == comment
    assert json.loads(lines[1])["value"] is None
    path = store.export(tmp_path / "out.parquet")
    found = duckdb.read_parquet(str(path)).select("comment", "value", "kind").fetchall()
    assert found == [(comment, '["z", "ü"]', "answer"), ("", None, "skip")]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_line_ends_and_quotes_inside_a_text_survive_csv(tmp_path, open_store, end):
    """Alone in its field, a line end has no other sign beside it that would have it quoted."""
    comments = [f"one{end}two", f'a "{end}" b', f"{end}"]
    store = open_store(tmp_path / "study.db")
    tasks = [Job(r, k, f"q{end}{k}") for r in range(2) for k in range(3)]
    ana, ben = filled(store, tasks, "ana", "ben")
    for k, comment in enumerate(comments):
        store.answer(ana, k + 1, "fluency", k, expected=0, client="c", comment=comment)
        store.answer(ben, k + 4, "fluency", k, expected=0, client="c")
    path = store.export(tmp_path / "out.csv")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    kept = [row.comment for row in store.ratings()]
    assert [row["comment"] for row in rows] == kept
    assert {row["item"] for row in rows} == {f"q{end}{k}" for k in range(3)}
    assert any(end in comment for comment in kept)
    columns = {"item": "item", "rater": "rater", "label": "value"}
    read = assay.read(path, **columns)
    direct = assay.read(store.export(tmp_path / "out.parquet"), **columns)
    assert read.raters == direct.raters
    assert sorted(read.to_rows()) == sorted(direct.to_rows())
    assert read.n_ratings == 6


def test_revisions_can_be_written_too(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    (ana,) = filled(store, [Job(0, 0, "q")], "ana")
    store.answer(ana, 1, "fluency", 1, expected=0, client="1")
    store.answer(ana, 1, "fluency", 2, expected=1, client="2")
    store.undo(ana, 1, "fluency", expected=2, client="3")
    rows = store.export(tmp_path / "all.jsonl", history=True).read_text().splitlines()
    assert [(json.loads(r)["revision"], json.loads(r)["value"]) for r in rows] == [
        (1, 1), (2, 2), (3, 1)
    ]  # fmt: skip


def test_an_empty_study_is_a_file_with_a_header(tmp_path, open_store):
    import duckdb

    store = open_store(tmp_path / "study.db")
    filled(store, [Job(0, 0, "q")], "ana")
    assert len(store.export(tmp_path / "out.csv").read_text().splitlines()) == 1
    path = store.export(tmp_path / "out.parquet")
    assert duckdb.read_parquet(str(path)).fetchall() == []


def test_a_file_is_written_whole_or_not_at_all(rated, tmp_path, monkeypatch):
    store, _ = rated
    path = tmp_path / "out.csv"
    path.write_text("the old one")
    with pytest.raises(UsageError, match="no kind of file"):
        store.export(tmp_path / "out.xyz")
    with pytest.raises(UsageError, match="did you mean 'csv'"):
        store.export(path, format="cvs")
    with pytest.raises(StoreUnreachable) as told:
        store.export(tmp_path / "nowhere" / "out.csv")
    assert told.value.code == "unwritable"

    def broken(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.study.store_export._csv", broken)
    with pytest.raises(Exception, match="No space left"):
        store.export(path)
    assert path.read_text() == "the old one"
    assert sorted(p.name for p in tmp_path.glob("*out*")) == ["out.csv"]
