"""Who may ask, from where, and what every answer carries."""

from __future__ import annotations

import dataclasses
from typing import Any
from urllib.parse import urlsplit

import pytest

from assay.web import app as application
from assay.web.app import make_app
from assay.web.guard import HEADERS, LOOPBACK, Guard, host_name
from assay.web.lab import LABS

RATINGS = {"file": ("votes.csv", b"item,ana,bo\n1,x,x\n2,y,x\n3,y,y\n")}


def guarded(answer):
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], name


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.2", "",
             "[::2]", "127.0.0.1.evil.example", "evil.example#localhost", "10.0.0.1"],
)  # fmt: skip
def test_a_strange_host_is_refused(http, host):
    for path in ("/", "/lab/kappa", "/static/lab.js", "/nothing"):
        answer = http.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert "does not go by the name" in answer.text
        assert "<" not in answer.text
        guarded(answer)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1:1", "[::1]", "[::1]:8000"])
def test_our_hosts_are_known_with_any_port(http, host):
    assert http.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1:x", "[::1", "localhost:80/evil?x", "localhost@evil"])
def test_a_host_that_is_none_breaks_nothing(http, host):
    assert http.get("/lab/kappa", headers={"Host": host}).status_code in (200, 400, 403)


def test_added_names(within):
    app = make_app({*LOOPBACK, "notes.lan"})
    assert within(app, "/", headers={"Host": "notes.lan:8000"}).status_code == 200
    assert within(app, "/", headers={"Host": "other.lan"}).status_code == 403


def test_a_server_for_all_addresses_takes_any_address_and_no_name(within):
    app = make_app(any_address=True)
    for host in ("192.168.1.7", "192.168.1.7:8000", "[fe80::1]:8000", "localhost"):
        assert within(app, "/", headers={"Host": host}).status_code == 200, host
    for host in ("evil.example", "192.168.1.7.evil.example", "1", "0x7f.1", "[evil]"):
        assert within(app, "/", headers={"Host": host}).status_code == 403, host
    guard = Guard(app, LOOPBACK)
    assert not guard.knows("192.168.1.7")


def test_names_of_hosts():
    assert host_name("a.b:80") == "a.b"
    assert host_name("[fe80::1]:80") == "[fe80::1]"
    assert host_name("") == ""


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Origin": "http://OTHER"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "SELF"},
    ],
)
def test_a_file_from_another_site_is_refused_and_not_kept(within, monkeypatch, headers):
    app: Any = make_app()
    kept = app.app.state.opened
    sent = {k: v.replace("SELF", "http://127.0.0.1") for k, v in headers.items()}
    answer = within(app, "/open/kappa", "POST", files=RATINGS, headers=sent)
    assert answer.status_code == 403
    assert "nothing was done" in answer.text
    guarded(answer)
    assert len(kept) == 0
    # The same from here is taken.
    here = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    assert within(app, "/open/kappa", "POST", files=RATINGS, headers=here).status_code == 303
    assert len(kept) == 1


def test_a_client_that_is_no_browser_may_send(within):
    app = make_app()
    assert within(app, "/open/kappa", "POST", files=RATINGS).status_code == 303
    none = {"Sec-Fetch-Site": "none"}
    assert within(app, "/open/kappa", "POST", files=RATINGS, headers=none).status_code == 303


def test_origins_are_compared_with_their_ports(http, server):
    ours = urlsplit(server).netloc
    answer = http.post("/open/kappa", files=RATINGS, headers={"Origin": f"http://{ours}"})
    assert answer.status_code == 303
    answer = http.post("/open/kappa", files=RATINGS, headers={"Origin": "http://127.0.0.1"})
    assert answer.status_code == 403


def test_looking_is_allowed_from_anywhere(http):
    """A link on another page may lead here; what it shows is for the reader alone."""
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"}
    answer = http.get("/lab/kappa", headers=headers)
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    guarded(answer)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("GET", "/lab/kappa", 200), ("GET", "/static/assay.css", 200),
     ("GET", "/lab/kappa?t=x", 400), ("GET", "/nothing", 404), ("DELETE", "/", 405),
     ("GET", "/lab/kappa?form=1&l=a&l=b&r=A&r=B&c=1&c=1&c=1&c=1", 303),
     ("HEAD", "/", 200), ("OPTIONS", "/lab/kappa", 405)],
)  # fmt: skip
def test_every_answer_is_guarded(http, method, path, status):
    answer = http.request(method, path)
    assert answer.status_code == status
    guarded(answer)


def test_our_own_mistake_is_a_page_without_a_trace(within, monkeypatch):
    """Not even the words of the error are shown."""
    broken = dataclasses.replace(LABS["kappa"])
    secret = "the secret of line 7"

    def view(*_):
        raise RuntimeError(secret)

    monkeypatch.setattr(application, "LABS", {"kappa": Broken(broken, view)})
    answer = within(make_app(), "/lab/kappa")
    assert answer.status_code == 500
    assert "by a mistake of the program" in answer.text
    for part in (secret, "Traceback", "RuntimeError", ".py"):
        assert part not in answer.text
    guarded(answer)
    assert answer.headers["content-type"].startswith("text/html")


class Broken:
    """A lab whose view fails."""

    def __init__(self, lab, view):
        self._lab, self.view = lab, view

    def __getattr__(self, name):
        return getattr(self._lab, name)
