"""From a key press to new figures on the screen, in a browser.

    python benchmarks/labs.py                   the median of 30 key presses, for each table
    python benchmarks/labs.py --presses 100

A cell of the kappa lab is raised by the key +; the time ends two frames after the value of kappa
has changed on the page, so drawing is part of it. The goal is a median below 100 ms. Needs
``pip install '.[test]'`` and Chromium.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
GOAL = 100
EIGHT = ";".join(",".join(str(90 if i == j else 3 + i) for j in range(8)) for i in range(8))
TABLES = {
    "2 x 2, the first table": "",
    "3 x 3": "?t=70,7,1;5,8,0;2,3,4",
    "8 x 8": f"?t={EIGHT}",
}

# The observer sees the change; two frames later it has been drawn.
PRESS = """() => new Promise((done) => {
  const value = () => document.querySelector("[data-figure=kappa]").dataset.value;
  const cell = document.querySelector("#c-0-1"), old = value(), start = performance.now();
  const watch = new MutationObserver(() => {
    if (value() === old) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  });
  watch.observe(document.body,
    {subtree: true, attributes: true, childList: true, characterData: true});
  cell.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true, cancelable: true}));
})"""


@contextmanager
def server() -> Iterator[str]:
    """The address of a server of its own."""
    child = subprocess.Popen(
        [sys.executable, "-m", "assay", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        yield child.stdout.readline().split()[1].rstrip("/")
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(timeout=20)


def presses(page: Page, times: int) -> list[float]:
    """Milliseconds of each key press, after five that do not count."""
    page.focus("#c-0-1")
    taken = [float(page.evaluate(PRESS)) for _ in range(times + 5)]
    return taken[5:]


def main() -> None:
    """Print a line a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=30, help="after five that do not count (30)")
    times = parser.parse_args().presses
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is absent")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; {times} key presses each")
    print(f"{'table':<24} {'median ms':>9} {'90 % ms':>9} {'goal':>7}")
    with server() as at, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        for name, query in TABLES.items():
            page = browser.new_page()
            page.goto(f"{at}/lab/kappa{query}")
            taken = presses(page, times)
            middle, high = statistics.median(taken), statistics.quantiles(taken, n=10)[-1]
            print(f"{name:<24} {middle:>9.1f} {high:>9.1f} {f'< {GOAL}':>7}", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
