"""Fifty raters at once: how long an answer takes until it is confirmed and the next task is there.

    python benchmarks/study.py                        SQLite
    python benchmarks/study.py postgresql://…         another database, empty
    python benchmarks/study.py --raters 20
    python benchmarks/study.py --store                without pages: the store alone

``assay study serve`` runs as people start it, in a process of its own; each rater is a thread
with a connection that sends the page's form as its script does and gets the next task. "Paced"
raters answer every 0.4 seconds (without pages: 0.2), which is quicker than people; the others
send the next answer as soon as the last page is there, to show what the server can take (the
clients need a good part of the machine, too). Every answer is counted afterwards. Needs
``pip install '.[bench]'``.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode, urlsplit

from assay.study.store import Store

ANSWERS = 20
"""Of each rater in each part: with their pages, fewer requests than a link may send at once."""
PARTS = ("paced", "no pause")
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')

DESIGN = """
name = "benchmark"
raters = {names}
per_item = {raters}
consent = "It is kept."
[items]
file = "items.csv"
systems = ["one", "two"]
[[dimensions]]
use = "fluency"
"""


def run(raters: int, pause: float, answer: Callable[[int], object]) -> list[float]:
    """Milliseconds of every answer, all raters together; each is a thread."""
    taken: list[list[float]] = [[] for _ in range(raters)]
    start = threading.Barrier(raters)

    def rate(who: int) -> None:
        chance = random.Random(who)
        start.wait()
        for _ in range(ANSWERS):
            time.sleep(chance.uniform(0, 2 * pause))
            begun = time.perf_counter()
            answer(who)
            taken[who].append((time.perf_counter() - begun) * 1000)

    threads = [threading.Thread(target=rate, args=(who,)) for who in range(raters)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for mine in taken for one in mine]


class Rater:
    """A rater at a page: a connection that stays, and the page's form."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self.path = parts.path
        self.server = http.client.HTTPConnection(parts.netloc)
        self.server.connect()
        self._shown(self._ask("GET", self.path))
        self._ask("POST", f"{self.path}/consent", {"csrf": self.form["csrf"]})
        self._shown(self._ask("GET", self.path))

    def answer(self) -> None:
        """Choose the first point and save; the next task is the answer."""
        self._shown(self._ask("POST", self.path, self.form | {"v0": "p0"}))

    def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> str:
        kind = {"Content-Type": "application/x-www-form-urlencoded", "X-Next-Page": "true"}
        self.server.request(method, path, urlencode(form) if form else None, kind)
        response = self.server.getresponse()
        text = response.read().decode()
        if response.status not in (200, 303):
            raise SystemExit(f"{method} {path}: {response.status}")
        return text

    def _shown(self, page: str) -> None:
        self.form = dict(HIDDEN.findall(page))


@contextmanager
def served(folder: Path, database: str, raters: int) -> Iterator[list[str]]:
    """A server in a process of its own; gives the links of its raters."""
    names = [f"r{who}" for who in range(raters)]
    items = "".join(f"q{k},say {k},tell {k}\n" for k in range(ANSWERS * len(PARTS)))
    (folder / "items.csv").write_text(f"id,one,two\n{items}")
    design = DESIGN.format(names=json.dumps(names), raters=raters)
    (folder / "benchmark.toml").write_text(design)
    child = subprocess.Popen(
        [
            *(sys.executable, "-m", "assay", "study", "serve", str(folder / "benchmark.toml")),
            *("--database", database, "--port", "0"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    links: list[str] = []
    try:
        for line in child.stdout:
            if "/rate/" in line:
                links.append(line.split()[-1])
            if len(links) == raters:
                break
        yield links
    finally:
        child.terminate()
        child.wait()
        child.stdout.close()


@contextmanager
def alone(_: Path, database: str, raters: int) -> Iterator[list[Callable[[], object]]]:
    """The store without pages; gives what answers the next task of each rater."""
    count = ANSWERS * len(PARTS)
    tasks = [
        SimpleNamespace(
            rater=who, order=k, item=f"q{k}", systems=("a",), dimensions=("fluency",), repeat=0,
            check=False, kind="single", pilot=False,
        )
        for who in range(raters)
        for k in range(count)
    ]  # fmt: skip
    with Store(database, wait=60) as store:
        store.create({"name": "benchmark"}, tasks, by="benchmark")

        def answering(who: int) -> Callable[[], object]:
            token = store.add_rater(f"r{who}", by="benchmark").token
            numbers = iter(range(who * count + 1, (who + 1) * count + 1))
            return lambda: store.answer(
                token, next(numbers), "fluency", 4, expected=0, client="benchmark"
            )

        yield [answering(who) for who in range(raters)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", help="an empty database (default: an SQLite file)")
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--store", action="store_true", help="the store alone, without pages")
    chosen = parser.parse_args()
    n = chosen.raters
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = chosen.url or str(folder / "study.db")
        what = "the store alone" if chosen.store else "over HTTP"
        print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {n} raters, {what}")
        print(f"{'':<10} {'answers':>8} {'median ms':>10} {'95 % ms':>8} {'most ms':>8} {'/s':>7}")
        with (alone if chosen.store else served)(folder, database, n) as found:
            answers = found if chosen.store else [Rater(link).answer for link in found]
            for part in PARTS:
                pause = 0.0 if part != "paced" else 0.2 if chosen.store else 0.4
                begun = time.perf_counter()
                taken = sorted(run(n, pause, lambda who: answers[who]()))
                rate = len(taken) / (time.perf_counter() - begun)
                print(
                    f"{part:<10} {len(taken):>8} {statistics.median(taken):>10.2f} "
                    f"{taken[int(len(taken) * 0.95)]:>8.2f} {taken[-1]:>8.2f} {rate:>7.0f}"
                )
        with Store(database, existing=True) as store:
            kept, want = len(store.ratings(history=True)), n * ANSWERS * len(PARTS)
        print(f"kept: {kept} of {want}")
        if kept != want:
            raise SystemExit("answers were lost or doubled")


if __name__ == "__main__":
    main()
