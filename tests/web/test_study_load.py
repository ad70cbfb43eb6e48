"""Fifty raters at once, and two servers on one database, as real processes over HTTP."""

from __future__ import annotations

import csv
import io
import json
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from assay.study.store import Store
from assay.web.serve import _listen
from study.conftest import postgres, postgres_server  # noqa: F401
from web.studies import Form
from web.test_study_commands import DESIGN, folder, running  # noqa: F401

RATERS, ANSWERS = 50, 5


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """The address of an empty database, one kind after the other."""
    if request.param == "sqlite":
        return str(tmp_path / "shared.db")
    return request.getfixturevalue("postgres")


def rate(link):
    """Answer with what the page sends, each form twice at once as a double click does."""
    with httpx.Client(trust_env=False, timeout=60) as client, ThreadPoolExecutor(2) as pool:
        form = Form(client.get(link).text)
        client.post(urlsplit(link)._replace(path=form.action).geturl(), data=form.fields)
        for k in range(ANSWERS):
            form = Form(client.get(link).text)
            sent = form.fields | {"v0": f"p{k}"}
            for got in pool.map(lambda _, s=sent: client.post(link, data=s), range(2)):
                assert got.status_code == 303, got.text
    return Counter(range(1, ANSWERS + 1))


def test_fifty_raters_at_once_lose_and_double_nothing(folder, database):  # noqa: F811
    names = [f"person {k}" for k in range(RATERS)]
    text = DESIGN.replace('["mai", "jonas"]', json.dumps(names)).replace(
        "per_item = 2", "per_item = 50"
    )
    (folder / "trial.toml").write_text(text)
    command = ("serve", "trial.toml", "--database", database)
    with running(*command, raters=RATERS) as (_, links, _said), ThreadPoolExecutor(RATERS) as pool:
        links.pop("(manager)")
        assert len(links) == RATERS
        said = dict(zip(links, pool.map(rate, links.values()), strict=True))
    with Store(database, existing=True) as store:
        rows = store.ratings(history=True)
    kept = {name: Counter(row.value for row in rows if row.rater == name) for name in links}
    assert kept == said
    assert {row.revision for row in rows} == {1}


def test_two_servers_on_one_database(folder, database):  # noqa: F811
    """What one has saved the other shows; the same form sent to both is saved once."""
    command = ("serve", "trial.toml", "--database", database)
    with running(*command) as (one, links, _said), running(*command) as (two, none, _more):
        assert none == {}
        paths = {name: urlsplit(link).path for name, link in links.items()}
        with httpx.Client(trust_env=False, timeout=60) as client, ThreadPoolExecutor(2) as pool:
            form = Form(client.get(one + paths["mai"]).text)
            client.post(one + form.action, data=form.fields)
            for k in range(12):
                page = client.get((one, two)[k % 2] + paths["mai"])
                assert f"{k} of 12 saved" in page.text
                sent = Form(page.text).fields | {"v0": "p1"}
                places = (one + paths["mai"], two + paths["mai"])
                both = pool.map(lambda at, s=sent: client.post(at, data=s).status_code, places)
                assert list(both) == [303, 303]
            # The manager of the one closes; the other takes nothing any more.
            csrf = Form(client.get(two + paths["(manager)"]).text).fields["csrf"]
            other = Form(client.get(two + paths["jonas"]).text)
            client.post(two + other.action, data=other.fields)
            waiting = Form(client.get(one + paths["jonas"]).text).fields | {"v0": "p0"}
            got = client.post(f"{two}{paths['(manager)']}/close", data={"csrf": csrf})
            assert got.status_code == 303
            assert client.post(one + paths["jonas"], data=waiting).status_code == 409
            manager = client.get(one + paths["(manager)"]).text
            assert "12 of 24 tasks are done." in manager
            taken = client.get(f"{one}{paths['(manager)']}/export.csv?table=ratings").text
    rows = list(csv.DictReader(io.StringIO(taken)))
    assert len(rows) == 12
    assert {(row["rater"], row["value"], row["revision"]) for row in rows} == {("mai", "2", "1")}


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_pages_do_not_wait_for_an_acknowledgement(host):
    """asyncio turns Nagle's algorithm off only for sockets that say they are TCP."""
    try:
        made = _listen(host, 0)
    except OSError:
        pytest.skip(f"no {host} here")
    with made:
        assert made.proto == socket.IPPROTO_TCP
