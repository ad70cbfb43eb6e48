"""A running server and a browser, for tests of the pages as people use them."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=5_000)

CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# What the content policy forbids is an error of the page, whatever the console says.
WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI));
"""


@pytest.fixture(scope="session")
def server():
    """The address of a server in a process of its own, as ``assay serve`` runs it."""
    child = subprocess.Popen(
        [sys.executable, "-m", "assay", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    try:
        line = child.stdout.readline()
        assert line.startswith("assay: http://127.0.0.1:"), line
        yield line.split()[1].rstrip("/")
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(timeout=20)
        child.stdout.close()


@pytest.fixture(scope="session")
def http(server):
    """A client of the server that follows nothing by itself, and remembers nothing."""
    with httpx.Client(base_url=server, timeout=30, trust_env=False) as client:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield client


@pytest.fixture(scope="session")
def chromium():
    """The browser's path. Its absence skips, but not where everything has to be checked."""
    found = CHROMIUM if Path(CHROMIUM).exists() else shutil.which("chromium")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is absent; the tests in a browser need it (apt install chromium)")
        pytest.skip("chromium is absent; the tests in a browser need it (apt install chromium)")
    return found


@pytest.fixture(scope="session")
def browser(chromium):
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=ARGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def opened(browser, server):
    """``with opened(width=…, …) as (page, errors)``: a page in a profile of its own.

    ``errors`` fills with whatever goes wrong on it: errors of the console and of scripts, what
    the content policy forbids, and requests to any other host.
    """
    ours = urlsplit(server).netloc

    @contextmanager
    def make(**options):
        width, height = options.pop("width", 1280), options.pop("height", 900)
        given = {"base_url": server, "viewport": {"width": width, "height": height}} | options
        context = browser.new_context(**given)
        context.set_default_timeout(5_000)
        # Scripts that are off need no watching, and cannot watch.
        if given.get("java_script_enabled", True):
            context.add_init_script(WATCH)
        page, errors = context.new_page(), []

        def said(message):
            if message.type == "error":
                errors.append(message.text)

        def asked(request):
            if urlsplit(request.url).netloc not in (ours, ""):
                errors.append(request.url)

        page.on("console", said)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", asked)
        try:
            yield page, errors
        finally:
            context.close()

    return make


@pytest.fixture
def page_and_errors(opened):
    with opened(permissions=["clipboard-read", "clipboard-write"]) as both:
        yield both
        assert both[1] == []


@pytest.fixture
def page(page_and_errors):
    """A page on which nothing may go wrong."""
    return page_and_errors[0]


@pytest.fixture
def errors(page_and_errors):
    """What went wrong on the page; a test that expects something takes it out."""
    return page_and_errors[1]


@pytest.fixture
def plain_and_errors(opened):
    with opened(java_script_enabled=False) as both:
        yield both
        assert both[1] == []


@pytest.fixture
def plain(plain_and_errors):
    """A page without scripts."""
    return plain_and_errors[0]


@pytest.fixture
def plain_errors(plain_and_errors):
    return plain_and_errors[1]


@pytest.fixture(scope="session")
def within():
    """``within(app, path, …)`` asks an application without a server in between.

    In a thread: a browser that is open has an event loop in this one.
    """

    async def answered(app, method, path, options):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **options)

    with ThreadPoolExecutor(1) as pool:

        def ask(app, path, method="GET", **options):
            return pool.submit(asyncio.run, answered(app, method, path, options)).result()

        yield ask
