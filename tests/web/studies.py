"""Studies for the tests of their pages: one of every mechanism, in an application at hand."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from html.parser import HTMLParser

import httpx

from assay.study.begin import begin
from assay.study.design import Design, Dimension, Item, Point, RaterSpec
from assay.study.store import Store
from assay.web.app import make_app
from assay.web.study.site import site_of

# Names that are in no word of a page, so that each can be looked for in every response.
SYSTEMS = ("zebrafinch", "quokkamodel", "axolotlnet")

TONE = Dimension(
    "tone", "Tone", "How it sounds.", "How polite is it?", "likert",
    (Point(1, "rude"), Point(2, "neutral"), Point(3, "polite")),
)  # fmt: skip
LENGTH = Dimension(
    "length", "Length", "", "How long is it?", "interval", low=0.0, high=10.0, step=0.5, slider=True
)
QUALITY = Dimension(
    "quality", "Quality", "", "How good, beside the reference?", "magnitude", low=0.0,
    reference=100.0, reference_text="A plain answer.",
)  # fmt: skip
TOGETHER = Dimension("together", "Together", "", "How good is each?", "rankme", low=0.0, high=100.0)
BETTER = Dimension("better", "Better", "", "Which is better?", "ab")
TOPIC = Dimension(
    "topic", "Topic", "", "What is it about?", "label", (Point("cats"), Point("dogs"))
)
FLAWS = Dimension(
    "flaws", "Flaws", "", "What is wrong with it?", "labels",
    (Point("long"), Point("wrong"), Point("rude")),
)  # fmt: skip
ALL = (TONE, LENGTH, QUALITY, TOPIC, FLAWS, BETTER, TOGETHER)


def design(*dimensions, items=4, raters=3, systems=SYSTEMS[:2], **more):
    """A study that asks these dimensions."""
    per = more.pop("per_item", raters)
    texts = more.pop("texts", None)
    made = tuple(
        Item(f"q{k}", f"question {k}", {
            s: texts or f"answer {'xyz'[place]} to question {k}" for place, s in enumerate(systems)
        })
        for k in range(items)
    )  # fmt: skip
    more = {
        "instructions": "Read first.\n\nThen judge.", "consent": "It is kept.",
    } | more  # fmt: skip
    return Design(
        "trial", more.pop("title", "A trial"), more.pop("language", "en"), 7,
        tuple(RaterSpec(f"person {k}") for k in range(raters)), per, dimensions or (TONE,),
        made, tuple(systems), **more,
    )  # fmt: skip


class Client:
    """Asks an application without a server in between, in a thread of its own."""

    def __init__(self, app):
        self.app, self.pool = app, ThreadPoolExecutor(1)

    async def _answered(self, method, path, options):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **options)

    def request(self, method, path, **options):
        return self.pool.submit(asyncio.run, self._answered(method, path, options)).result()

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def close(self):
        self.pool.shutdown()


class Study:
    """A study that was begun, its links, and a client that remembers every response."""

    def __init__(self, path, made):
        self.store = Store(path)
        self.design = made
        links = begin(self.store, made, by="test").links
        self.manager = links.manager
        self.links = list(links.raters.values())
        self.clock = [1_000_000.0]
        self.site = site_of(self.store, now=lambda: self.clock[0])
        self.app = make_app(study=self.site)
        self.client = Client(self.app)
        self.responses = []

    def get(self, path, **more):
        return self._kept(self.client.get(path, **more))

    def post(self, path, data, **more):
        return self._kept(self.client.post(path, data=data, **more))

    def _kept(self, response):
        self.responses.append(response)
        return response

    def token(self, k=0):
        return self.links[k].rpartition("/")[2]

    def agree(self, k=0):
        """Give consent as a rater does."""
        form = Form(self.get(self.links[k]).text)
        assert self.post(form.action, form.fields).status_code == 303
        return self.links[k]

    def save(self, k=0, **fields):
        """Answer what is on the page; returns the response and the form that was sent."""
        form = Form(self.get(self.links[k]).text)
        sent = form.fields | fields
        return self.post(form.action, sent), sent

    def close(self):
        self.client.close()
        self.store.close_connections()


class Form(HTMLParser):
    """The first form of a page: where it goes, and the fields a browser would send."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.action, self.fields, self.names, self._in, self._area = "", {}, [], False, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form" and not self.action:
            self.action, self._in = given["action"], True
        if not self._in or "name" not in given:
            return
        self.names.append(given["name"])
        if tag == "textarea":
            self._area = given["name"]
            self.fields[self._area] = ""
        elif given.get("type") in ("radio", "checkbox"):
            if "checked" in given:
                self.fields.setdefault(given["name"], []).append(given["value"])
        elif tag == "input":
            self.fields[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self._in = False
        if tag == "textarea":
            self._area = None

    def handle_data(self, data):
        if self._area:
            self.fields[self._area] += data


def words(response):
    """The text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())
