"""``assay study serve``, ``analyse`` and ``demo`` as processes, as people run them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import httpx
import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.study.store import Store
from web.studies import Form

DESIGN = """
name = "trial"
raters = ["mai", "jonas"]
per_item = 2
consent = "It is kept."
[items]
file = "items.csv"
systems = ["wrenmodel", "tapirmodel"]
context = "question"
[[dimensions]]
use = "fluency"
mechanism = "likert"
"""
ITEMS = "id,question,wrenmodel,tapirmodel\n" + "".join(
    f"q{k},ask {k},say {k},tell {k}\n" for k in range(6)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trial.toml").write_text(DESIGN)
    (tmp_path / "items.csv").write_text(ITEMS)
    return tmp_path


@contextmanager
def running(*command, stop=signal.SIGINT, raters=0):
    """A server in a process of its own; gives its address, its links, and what it said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "assay", "study", *command, "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    said: list[str] = []
    try:
        for line in child.stdout:
            said.append(line)
            match = re.match(r"assay: (\S+)/ ", line)
            if match:
                base = match[1]
                break
        else:
            raise AssertionError(child.stderr.read())
        said.append(child.stdout.readline())
        links: dict[str, str] = {}
        if "printed only now" in said[-1]:
            count = raters or len(RATERS.get(command[0], ("mai", "jonas")))
            while len(links) < count + 1:
                name, link = child.stdout.readline().rsplit(maxsplit=1)
                links[name.strip()] = link
        yield base, links, said
    finally:
        child.send_signal(stop)
        child.wait(timeout=20)
        said.append(child.stderr.read())
        child.stdout.close()
        child.stderr.close()


RATERS = {"demo": ("you", "mai", "jonas", "lan")}


def answer(client, link, count, choices=(0, 1, 2, 3, 4)):
    """Answer tasks by the page's own forms."""
    page = client.get(link)
    form = Form(page.text)
    if form.action.endswith("/consent"):
        client.post(form.action, data=form.fields)
    for k in range(count):
        form = Form(client.get(link).text)
        got = client.post(form.action, data=form.fields | {"v0": f"p{choices[k % len(choices)]}"})
        assert got.status_code == 303, got.text


def test_a_study_goes_on_where_it_was_after_being_killed(folder):
    with running("serve", "trial.toml", stop=signal.SIGKILL) as (base, links, _):
        assert set(links) == {"(manager)", "mai", "jonas"}
        assert all(link.startswith(base) for link in links.values())
        with httpx.Client(base_url=base, trust_env=False) as client:
            answer(client, links["mai"], 5)
    raw = b"".join(path.read_bytes() for path in folder.glob("trial.db*"))
    assert not [link for link in links.values() if link.rpartition("/")[2].encode() in raw]
    with running("serve", "trial.toml") as (base, again, said):
        assert again == {}
        assert "still hold" in said[-1]
        with httpx.Client(base_url=base, trust_env=False) as client:
            path = links["mai"].partition("/rate/")[2]
            assert "5 of 12 saved" in client.get(f"/rate/{path}").text
            # The labs, and uploads, are not part of what raters can reach.
            assert [client.get(p).status_code for p in ("/lab/kappa", "/report")] == [404, 404]
            assert client.get("/").status_code == 200
    with Store(folder / "trial.db") as store:
        assert [row.revision for row in store.ratings(history=True)] == [1] * 5


def test_a_server_killed_in_a_stream_of_answers_loses_nothing_it_confirmed(folder):
    (folder / "items.csv").write_text(
        "id,question,wrenmodel,tapirmodel\n" + "".join(f"q{k},ask,say,tell\n" for k in range(60))
    )
    confirmed: dict[str, int] = {}

    def stream(base, name, link):
        with httpx.Client(base_url=base, trust_env=False) as client, suppress(httpx.HTTPError):
            form = Form(client.get(link).text)
            client.post(form.action, data=form.fields)
            while True:
                form = Form(client.get(link).text)
                got = client.post(form.action, data=form.fields | {"v0": "p1"})
                confirmed[name] = confirmed.get(name, 0) + (got.status_code == 303)

    with running("serve", "trial.toml", stop=signal.SIGKILL) as (base, links, _):
        names = ("mai", "jonas")
        threads = [Thread(target=stream, args=(base, n, links[n]), daemon=True) for n in names]
        for thread in threads:
            thread.start()
        while len(confirmed) < 2 or min(confirmed.values()) < 8:
            time.sleep(0.01)
    for thread in threads:
        thread.join(20)
    with Store(folder / "trial.db") as store:
        rows = store.ratings(history=True)
    assert {row.revision for row in rows} == {1}
    for name in names:
        kept = sum(row.rater == name for row in rows)
        # The last one may have been saved without its confirmation getting through.
        assert confirmed[name] <= kept <= confirmed[name] + 1
        assert kept < 120


def test_new_links_end_the_old_ones_and_a_changed_design_is_said(folder):
    with running("serve", "trial.toml", "--database", "other.db") as (_, old, _said):
        pass
    (folder / "trial.toml").write_text(DESIGN.replace("It is kept.", "It is kept for a year."))
    with running("serve", "trial.toml", "--database", "other.db", "--new-links") as at:
        base, new, said = at
        with httpx.Client(base_url=base, trust_env=False) as client:
            for name, link in old.items():
                kind, token = link.split("/")[-2:]
                assert client.get(f"/{kind}/{token}").status_code == 404
                assert client.get(new[name]).status_code == 200
    assert "it goes on as it began" in said[-1]


def test_no_link_is_lost_where_the_place_is_taken(folder):
    with running("serve", "trial.toml", "--database", "a.db") as (base, _, _said):
        port = base.rpartition(":")[2]
        got = CliRunner().invoke(main, ["study", "serve", "trial.toml", "--port", port])
    assert got.exit_code == 2
    assert not (folder / "trial.db").exists()


def test_analyse_prints_what_evaluate_and_prefer_print(folder):
    with running("demo", "tried") as (base, links, _):
        with httpx.Client(base_url=base, trust_env=False) as client:
            welcome = client.get(links["you"]).text
            assert "33 of 36 saved" not in welcome  # consent comes first
            assert "3 tasks are waiting" in welcome
            answer(client, links["you"], 3, (3, 4, 2))
            assert "All is done" in client.get(links["you"]).text
            systems = ("lantern", "harbour", "pebble")
            assert not [name for name in systems if name in client.get(links["mai"]).text]
        with Store(folder / "tried" / "demo.db") as store:
            store.export("ratings.csv", table="ratings")
            store.export("compared.csv", table="comparisons")
    run = CliRunner()
    got = json.loads(run.invoke(main, ["study", "analyse", "tried/demo.db", "--json"]).stdout)
    names = {"item": "item", "rater": "rater"}
    want = assay.evaluate(
        "ratings.csv", system="system", dimension="dimension", value="value", **names
    ).summary
    for key in ("systems", "comparisons", "intra_rater", "headline"):
        assert got["evaluate"][key] == json.loads(json.dumps(want[key])), key
    other = assay.prefer("compared.csv", winner="winner", winner_as="names", **names).summary
    for key in ("strengths", "win_matrix", "position_bias"):
        assert got["prefer"]["better"][key] == json.loads(json.dumps(other[key])), key
    shares = {one["system"]: one["strength"] for one in other["strengths"]}
    assert all(shares.values())
    assert sum(shares.values()) == pytest.approx(1)
    text = run.invoke(main, ["study", "analyse", "tried/demo.db"], env={"COLUMNS": "88"}).stdout
    assert run.invoke(main, ["study", "analyse", "tried/demo.db", "--out", "t.tex"]).exit_code == 0
    text += (folder / "t.tex").read_text()
    # The tutorial shows what comes of the same answers.
    tutorial = (Path(__file__).parents[2] / "docs/study/tutorial.md").read_text()
    shown = re.findall(r"```(?:text|latex)\n(.*?)\n```", tutorial, re.DOTALL)
    printed = [part for part in shown if not part.startswith("assay study")]
    assert len(printed) == 3
    assert not [part for part in printed if part not in text]
    again = run.invoke(main, ["study", "demo", "tried"])
    assert again.exit_code == 2
    assert "--new-links" in again.stderr


def test_labels_of_items_are_reported_as_agreement(folder):
    from assay.study.assign import assignments
    from assay.study.design_new import new_design
    from assay.study.design_read import read_design

    text, items = new_design("marks", "labels")
    (folder / "marks.toml").write_text(text)
    (folder / "marks-items.csv").write_text(items)
    design = read_design(folder / "marks.toml")
    [asked] = design.dimensions
    with Store(folder / "marks.db") as store:
        store.create(design, assignments(design), by="test")
        for seat in design.raters:
            token = store.add_rater(seat.name, by="test").token
            while (task := store.open_task(token)) is not None:
                chosen = [asked.points[int(task.item[-1]) % 2].value]
                store.answer(token, task.id, asked.key, chosen, expected=0, client="c")
    got = CliRunner().invoke(main, ["study", "analyse", "marks.db", "--json"])
    found = json.loads(got.stdout)
    assert found["evaluate"] is None
    assert found["agree"][asked.key]["coefficients"][0]["value"] == 1


@pytest.mark.parametrize("name", ["nothing.db", "empty.db"])
def test_analyse_without_answers_says_so(folder, name):
    Store(folder / "empty.db").close_connections()
    got = CliRunner().invoke(main, ["study", "analyse", name])
    assert got.exit_code == 2
    assert "Traceback" not in got.output
