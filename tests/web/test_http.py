"""The pages over HTTP: what is answered, in which language, and that nothing typed is trusted."""

from __future__ import annotations

import re
import socket
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.web.app import make_app
from assay.web.lab import LABS
from assay.web.query import MAX_ADDRESS
from assay.web.speech import LANGUAGES

FORM = [("form", "1"), ("r", "A"), ("r", "B"), ("l", "violation"), ("l", "safe"),
        ("c", "3"), ("c", "47"), ("c", "53"), ("c", "897")]  # fmt: skip
RATINGS = b"item,ana,bo,cy\n1,x,x,y\n2,y,x,y\n3,y,y,y\n4,x,x,x\n"
NASTY = ["<script>alert(1)</script>", '"onmouseover="alert(1)', "'><img src=x onerror=alert(1)>"]
PAGES = ["/", *(lab.path for lab in LABS.values())]


class Read(HTMLParser):
    """What of a page matters here: its tags, and its text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.ids = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_data(self, data):
        self.text.append(data)

    def attributes(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]

    def by_id(self, name):
        return next(attrs for _, attrs in self.tags if attrs.get("id") == name)

    @property
    def figures(self):
        return {a["data-figure"]: a["data-value"] for _, a in self.tags if "data-figure" in a}


def sent(more=(), **changed):
    """The address that the kappa form asks for."""
    return f"/lab/kappa?{urlencode([*FORM, *more])}"


def problem(answer):
    found = re.search(r'class="problem" role="alert"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert found, answer.text[:500]
    return unescape(found[1])


def kept_plain(markup):
    """Nothing on a page needs more than the content policy allows, or comes from elsewhere."""
    page = Read(markup)
    assert "style" not in [tag for tag, _ in page.tags]
    for tag, attrs in page.tags:
        for name, value in attrs.items():
            assert name != "style", (tag, attrs)
            assert not name.startswith("on"), (tag, attrs)
            assert not name.startswith("hx-on"), (tag, attrs)
            if name in ("href", "src", "action", "hx-get", "hx-post"):
                assert re.match(r"/(?!/)|#", value or ""), (tag, attrs)
        if tag == "script":
            assert attrs.get("src"), attrs
    assert len(page.ids) == len(set(page.ids)), [i for i in page.ids if page.ids.count(i) > 1]
    return page


@pytest.mark.parametrize("path", PAGES)
def test_every_page(http, path):
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'self';")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "private, no-cache"
    page = kept_plain(answer.text)
    html = page.attributes("html")[0]
    assert html["lang"] == answer.headers["content-language"] == "en"
    assert "h1" in [tag for tag, _ in page.tags]
    assert "StrictUndefined" not in answer.text
    # The files of the page and its links are there; of links to states, some of each kind.
    targets = {a.get("src") or a.get("href", "#") for _, a in page.tags if {"src", "href"} & {*a}}
    there = sorted(one for one in targets if one.startswith("/"))
    states = [one for one in there if "?" in one]
    for target in {*there} - {*states} | {*states[::7]}:
        assert http.get(target).status_code == 200, target


@pytest.mark.parametrize("name", LABS)
def test_a_lab_is_reproduced_by_its_own_links(http, name):
    """Links of presets and languages lead to states whose page names itself as canonical."""
    page = Read(http.get(LABS[name].path).text)
    links = [a for a in page.attributes("a") if a.get("href", "").startswith(LABS[name].path + "?")]
    assert len(links) > 3
    for one in links[:6]:
        answer = http.get(one["href"])
        assert answer.status_code == 200, one
        kept_plain(answer.text)


@pytest.mark.parametrize("name", LABS)
def test_the_form_without_scripts_leads_to_an_address(http, name):
    """What a browser would send of the page's form comes back as an address of the same state."""
    page = Read(http.get(LABS[name].path).text)
    pairs = []
    for tag, attrs in page.tags:
        if tag == "input" and attrs.get("name") and attrs.get("type") not in ("radio", "file"):
            pairs.append((attrs["name"], attrs.get("value", "")))
        if tag == "input" and attrs.get("type") == "radio" and "checked" in attrs:
            pairs.append((attrs["name"], attrs["value"]))
    assert ("form", "1") in pairs
    answer = http.get(f"{LABS[name].path}?{urlencode(pairs)}")
    assert answer.status_code == 303
    target = answer.headers["location"]
    assert "form=" not in target
    assert "do=" not in target
    again = http.get(target)
    assert again.status_code == 200
    assert Read(again.text).figures == page.figures


def test_figures_of_the_first_page(http):
    figures = Read(http.get("/lab/kappa").text).figures
    assert figures["n"] == "1000"
    assert float(figures["po"]) == 0.9
    assert float(figures["pe"]) == 0.8996
    assert float(figures["kappa"]) == 4 / 1004
    assert float(figures["po-max"]) == 0.994
    assert float(figures["kappa-max"]) == 944 / 1004
    undefined = Read(http.get("/lab/kappa?t=0,0;0,9").text).figures
    assert (undefined["po"], undefined["kappa"], undefined["kappa-max"]) == ("1.0", "", "")


# The form


def test_a_form_leads_to_the_canonical_address(http):
    answer = http.get(sent([("do", "add.0.1")]))
    assert answer.status_code == 303
    assert answer.headers["location"] == "/lab/kappa?t=3,48;53,897&labels=violation,safe"


def test_a_form_sent_by_htmx_is_answered_at_once(http):
    answer = http.get(sent([("do", "add.0.1")]), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.headers["hx-push-url"] == "/lab/kappa?t=3,48;53,897&labels=violation,safe"
    assert "hx-replace-url" not in answer.headers
    assert Read(answer.text).figures["n"] == "1001"
    further = http.get(sent(), headers={"HX-Request": "true", "X-Further-Key": "true"})
    assert "hx-push-url" not in further.headers
    assert further.headers["hx-replace-url"] == "/lab/kappa?t=3,47;53,897&labels=violation,safe"
    # A state's own address is not a form.
    plain = http.get("/lab/kappa?t=1,2;3,4", headers={"HX-Request": "true"})
    assert "hx-push-url" not in plain.headers


def test_the_step_before_is_told(http, server):
    came = f"{server}/lab/kappa?t=3,47;53,897&labels=violation,safe"
    answer = http.get(
        sent([("do", "double")]), headers={"HX-Request": "true", "HX-Current-URL": came}
    )
    assert "Doubled every cell." in answer.text
    # A browser without scripts sends where it was.
    answer = http.get("/lab/kappa?t=6,94;106,1794&labels=violation,safe", headers={"Referer": came})
    assert "Doubled every cell." in answer.text


@pytest.mark.parametrize(
    "came",
    ["http://[", "http://[::1", "http://evil.example/lab/kappa?t=1,1;1,1", "x" * 9000, "/lab/kappa",
     "http://127.0.0.1/lab/bio", "SELF/lab/kappa?t=1", "SELF/lab/kappa?form=1&do=x",
     "SELF/lab/kappa?t=%FF"],
)  # fmt: skip
def test_any_step_before_is_harmless(http, server, came):
    for name in ("Referer", "HX-Current-URL"):
        answer = http.get("/lab/kappa?t=1,2;3,4", headers={name: came.replace("SELF", server)})
        assert answer.status_code == 200
        assert "Before: Po" not in answer.text


def test_a_bad_cell_keeps_the_figures(http, server):
    bad = [pair for pair in FORM if pair != ("c", "47")]
    bad.insert(6, ("c", "4x"))
    path = f"/lab/kappa?{urlencode(bad)}"
    came = f"{server}/lab/kappa?t=3,47;53,897&labels=violation,safe"
    answer = http.get(path, headers={"HX-Request": "true", "HX-Current-URL": came})
    assert answer.status_code == 422
    assert "Row 1, column 2" in problem(answer)
    assert "“4x”" in problem(answer)
    page = Read(answer.text)
    assert float(page.figures["kappa"]) == 4 / 1004
    assert page.by_id("c-0-1")["aria-invalid"] == "true"
    assert "aria-invalid" not in page.by_id("c-0-0")
    assert "hx-push-url" not in answer.headers
    # Without scripts it is the same page, and without a page before it the first example.
    plain = http.get(path, headers={"Referer": came})
    assert plain.status_code == 422
    assert problem(plain) == problem(answer)
    assert problem(http.get(path)) == problem(answer)


def test_paste(http):
    answer = http.get(f"/lab/kappa?{urlencode({'paste': chr(9) + 'a' + chr(9) + 'b' + chr(10)})}")
    assert answer.status_code == 422
    assert ">\ta\tb\n</textarea>" in answer.text
    table = "\ta\tb\r\na\t1\t2\r\nb\t3\t4\r\n"
    answer = http.get(f"/lab/kappa?{urlencode({'paste': table, 'lang': 'vi'})}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/lab/kappa?t=1,2;3,4&labels=a,b&lang=vi"


# What cannot be answered


@pytest.mark.parametrize(
    ("query", "words"),
    [("t=3,x;1,2", "“x”"), ("t=1", "1 × 1 table"), ("labels=a", "2 names"), ("guess=9", "“9”"),
     ("t=%FF", "UTF-8"), ("&".join(["a"] * 2000), "1,000 parameters")],
)  # fmt: skip
def test_a_bad_address_has_a_clear_page(http, query, words):
    answer = http.get(f"/lab/kappa?{query}")
    assert answer.status_code == 400
    assert words in problem(answer)
    kept_plain(answer.text)
    assert "Begin with the first example" in answer.text


@pytest.mark.parametrize("nasty", NASTY)
def test_what_is_typed_is_only_text(http, nasty):
    for path in (
        f"/lab/kappa?{urlencode({'labels': nasty + ',b', 'raters': 'A,' + nasty})}",
        f"/lab/kappa?{urlencode({'t': nasty + ';1,1'})}",
        f"/lab/kappa?{urlencode({'t': '1,' + nasty + ';1,1'})}",
        f"/lab/kappa?{urlencode({'weights': nasty})}",
        f"/lab/kappa?{urlencode({'guess': nasty})}",
        sent([("do", nasty)]),
        f"/lab/kappa?{urlencode({'paste': nasty})}",
        f"/{urlencode({'': nasty})}",
        f"/lab/kappa?{urlencode({'lang': nasty})}",
    ):
        answer = http.get(path, headers={"Accept-Language": "en", "Referer": nasty})
        assert answer.status_code in (200, 400, 404, 422), path
        kept_plain(answer.text)
        assert nasty not in answer.text
        assert "<script>alert" not in answer.text
        assert "<img" not in answer.text
    page = Read(http.get(f"/lab/kappa?{urlencode({'labels': nasty + ',b'})}").text)
    assert page.by_id("l-0")["value"] == nasty


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("size", [31_000, 40_000, 1_000_000])
def test_huge_addresses(server, name, size):
    host, port = urlsplit(server).netloc.split(":")
    request = f"GET /lab/{name}?t={'1,' * (size // 2)} HTTP/1.1\r\nHost: {host}:{port}\r\n"
    status, body = raw(server, f"{request}Connection: close\r\n\r\n".encode())
    assert status == 400 or (status == 200 and size < MAX_ADDRESS)
    assert "<h1>" in body
    if size > MAX_ADDRESS:
        assert "32,000 are read" in body


def raw(server, request):
    """(status, body) of bytes that no client would send."""
    host, port = urlsplit(server).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(request)
        got = b""
        while True:
            part = line.recv(65536)
            if not part:
                break
            got += part
    head, _, body = got.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode("utf-8", "replace")


@pytest.mark.parametrize("target", [b"/lab/kappa?\xff\xfe", b"/\xff"])
def test_what_is_no_http_is_refused(server, target):
    status, body = raw(
        server, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert status == 400
    assert "Traceback" not in body


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("GET", "/lab/nothing", 404), ("GET", "/lab/", 404),
     ("GET", "/open/gone", 404), ("GET", "/static/nothing.css", 404),
     ("GET", "/static/", 404), ("GET", "/static/%2e%2e/app.py", 404), ("GET", "/lab/%00", 404),
     ("POST", "/lab/kappa", 405), ("DELETE", "/", 405), ("PUT", "/open/kappa", 405),
     ("POST", "/open/nothing", 404), ("GET", "//evil.example/lab/kappa", 404)],
)  # fmt: skip
def test_statuses(http, server, method, path, status):
    answer = http.request(method, f"{server}{path}")
    assert answer.status_code == status
    assert len(problem(answer)) > 20
    kept_plain(answer.text)
    assert 'href="/"' in answer.text


def test_a_stroke_too_much_is_forgiven(http):
    answer = http.get("/lab/kappa/?t=1,2;3,4")
    assert answer.status_code == 307
    assert urlsplit(answer.headers["location"]).netloc == http.base_url.netloc.decode()
    assert answer.headers["location"].endswith("/lab/kappa?t=1,2;3,4")


def test_head_is_get_without_a_body(http):
    answer = http.head("/lab/kappa")
    assert (answer.status_code, answer.text) == (200, "")


TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
KEYS = ["t", "labels", "form", "do", "paste", "lang", "tokens", "gold", "pred", "scheme", "rows",
        "c", "l", "r", "i", "guess", "puzzle", "weights", "w", "scale", "q1", "n"]  # fmt: skip
PIECE = st.one_of(TEXT, st.text(st.sampled_from("0123456789,;.-% BIO-"), max_size=30))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([*LABS, "x"]),
    st.lists(st.tuples(st.one_of(st.sampled_from(KEYS), TEXT), PIECE), max_size=8),
    st.booleans(),
)
def test_any_address_is_answered(http, name, pairs, by_htmx):
    headers = {"HX-Request": "true"} if by_htmx else {}
    answer = http.get(f"/lab/{name}?{urlencode(pairs)}", headers=headers)
    assert answer.status_code in (200, 303, 400, 404, 422)
    assert "Traceback" not in answer.text


# Files


def test_a_file_of_ratings(http):
    answer = http.post("/open/kappa", files={"file": ("votes.csv", RATINGS)})
    assert answer.status_code == 303
    path = answer.headers["location"]
    listing = http.get(path)
    assert listing.status_code == 200
    page = kept_plain(listing.text)
    assert "votes.csv" in listing.text
    links = [a["href"] for a in page.attributes("a") if a["href"].startswith("/lab/kappa?t=")]
    assert len(links) == 3
    ratings = {"ana": "xyyx", "bo": "xxyx", "cy": "yyyx"}
    for link in links:
        given = dict(parse_qsl(urlsplit(link).query))
        a, b = given["raters"].split(",")
        labels = given["labels"].split(",")
        table = [
            [sum(x == i and y == j for x, y in zip(ratings[a], ratings[b], strict=True))
             for j in labels]
            for i in labels
        ]  # fmt: skip
        assert given["t"] == ";".join(",".join(map(str, row)) for row in table)
        shown = Read(http.get(link).text).figures["kappa"]
        assert float(shown) == assay.cohen_kappa(table=table).value


def test_the_language_comes_along_with_a_file(http):
    answer = http.post("/open/kappa", files={"file": ("v.csv", RATINGS)}, data={"lang": "vi"})
    assert answer.headers["location"].endswith("?lang=vi")
    page = Read(http.get(answer.headers["location"]).text)
    links = [a["href"] for a in page.attributes("a") if a["href"].startswith("/lab/kappa?t=")]
    assert all(link.endswith("&lang=vi") for link in links)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("votes.csv", b"item,ana\n", "votes.csv"),
        ("votes.csv", b"\x00\x01\x02\xff" * 50, "votes.csv"),
        ("votes.xlsx", b"no workbook", "votes.xlsx"),
        ("votes.json", b"{", "votes.json"),
        ("votes.parquet", b"PAR1", "votes.parquet"),
        ("votes.csv", b"", "missing, or empty"),
        ("../../<script>alert(1)</script>.csv", b"x", ""),
    ],
)
def test_a_file_that_cannot_be_read(http, name, data, words):
    answer = http.post("/open/kappa", files={"file": (name, data)})
    assert answer.status_code == 400
    assert words in problem(answer)
    kept_plain(answer.text)
    assert "<script>alert" not in answer.text
    assert "Traceback" not in answer.text
    # Where it was written down is nobody's business.
    assert "/tmp" not in answer.text


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"data": {"file": "text"}},
        {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
        {"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=b"}},
        {"content": b"{}", "headers": {"Content-Type": "application/json"}},
        {"files": [("file", (f"{i}.csv", b"x")) for i in range(60)]},
        {"files": {"file": ("a.csv", b"x")}, "data": {f"f{i}": "x" for i in range(30)}},
    ],
)
def test_what_is_no_upload(http, options):
    answer = http.post("/open/kappa", **options)
    assert answer.status_code == 400
    assert len(problem(answer)) > 20
    kept_plain(answer.text)


@pytest.mark.parametrize("told", [True, False])
def test_too_large_a_file(http, told):
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    body = [part, *([b"x" * 1_000_000] * 22), b"\r\n--b--\r\n"]
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    content = b"".join(body) if told else iter(body)
    answer = http.post("/open/kappa", content=content, headers=headers)
    assert ("transfer-encoding" in answer.request.headers) != told
    assert answer.status_code == 413
    assert "20 MB" in problem(answer)


def test_just_too_large_a_file(http):
    answer = http.post("/open/kappa", files={"file": ("a.csv", b"x" * 20_000_001)})
    assert answer.status_code == 400
    assert "20 MB in all" in problem(answer)


def test_what_is_gone_says_so(http):
    answer = http.post("/open/kappa", files={"file": ("votes.csv", RATINGS)})
    first = answer.headers["location"]
    for _ in range(8):
        http.post("/open/kappa", files={"file": ("votes.csv", RATINGS)})
    gone = http.get(first)
    assert gone.status_code == 404
    assert "not kept any more" in problem(gone)


# Languages


def lang_of(answer):
    (html,) = Read(answer.text).attributes("html")
    assert html["lang"] == answer.headers["content-language"]
    return next(one.code for one in LANGUAGES.values() if one.tag == html["lang"])


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/lab/kappa?t=x"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_address_decides_first(within, path, code):
    joined = f"{path}{'&' if '?' in path else '?'}lang={code}"
    headers = {"Cookie": "assay-language=zh", "Accept-Language": "vi"}
    answer = within(make_app(), joined, headers=headers)
    assert lang_of(answer) == code
    cookie = answer.headers.get("set-cookie", "")
    if code == "zh":
        assert cookie == ""
    else:
        assert cookie.startswith(f"assay-language={code};")
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
    # Links go on in the language that was asked for.
    links = [a["href"] for a in Read(answer.text).attributes("a") if "hreflang" not in a]
    links = [link for link in links if not link.startswith("#")]
    assert links
    assert all(f"lang={code}" in link for link in links), links


def test_then_the_cookie_then_the_browser(within):
    app = make_app()
    both = {"Cookie": "assay-language=zh", "Accept-Language": "vi"}
    assert lang_of(within(app, "/", headers=both)) == "zh"
    assert lang_of(within(app, "/?lang=xx", headers=both)) == "zh"
    assert lang_of(within(app, "/", headers={"Accept-Language": "fr, vi;q=0.5"})) == "vi"
    assert lang_of(within(app, "/", headers={"Accept-Language": "fr"})) == "en"
    plain = within(app, "/", headers={"Accept-Language": "vi"})
    assert "set-cookie" not in plain.headers
    assert "Accept-Language" in plain.headers["vary"]
    assert "Cookie" in plain.headers["vary"]


@pytest.mark.parametrize("name", LABS)
def test_numbers_follow_the_language_and_values_do_not(within, name):
    app, path = make_app(), LABS[name].path
    pages = {code: Read(within(app, f"{path}?lang={code}").text) for code in LANGUAGES}
    assert pages["en"].figures == pages["vi"].figures == pages["zh"].figures
    assert pages["en"].figures
    for value in pages["vi"].figures.values():
        assert "," not in value
    assert re.search(r"\d,\d", "".join(pages["vi"].text))


def test_a_comma_in_vietnamese(within):
    text = within(make_app(), "/lab/kappa?lang=vi").text
    assert re.search(r'data-figure="po" data-value="0\.9">0,9000<', text)
    assert re.search(r'data-figure="n" data-value="1000">1\.000<', text)
    # What a form sends back is canonical.
    assert Read(text).by_id("c-1-1")["value"] == "897"


def test_links_to_other_languages_keep_the_state(http):
    path = "/lab/kappa?t=1,2;3,4&labels=a%2Bb,c%2526&scale=fleiss"
    page = Read(http.get(path).text)
    links = {a["hreflang"]: a["href"] for a in page.attributes("a") if "hreflang" in a}
    assert set(links) == {"en", "vi", "zh-Hans"}
    for link in links.values():
        other = Read(http.get(link).text)
        assert other.figures == page.figures
        assert other.by_id("l-0")["value"] == "a+b"
        assert other.by_id("l-1")["value"] == "c&"
