"""Fifty raters at once on one store: how long an answer takes until it is confirmed.

    python benchmarks/study.py                        SQLite
    python benchmarks/study.py postgresql://…         another database, empty
    python benchmarks/study.py --raters 20

Each rater is a thread. "Paced" raters answer five times a second, which is quicker than people;
the others send the next answer as soon as the last is confirmed, to show what the store can
take. Every answer is counted afterwards. Needs ``pip install '.[bench]'``.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

from assay.study.store import Store

ANSWERS = 40


def run(store: Store, raters: int, tokens: list[str], part: int, pause: float) -> list[float]:
    """Milliseconds of every answer, all raters together."""
    taken: list[list[float]] = [[] for _ in range(raters)]
    start = threading.Barrier(raters)

    def rate(who: int) -> None:
        chance = random.Random(who)
        first = who * 2 * ANSWERS + part * ANSWERS + 1
        start.wait()
        for task in range(first, first + ANSWERS):
            time.sleep(chance.uniform(0, 2 * pause))
            begun = time.perf_counter()
            store.answer(tokens[who], task, "fluency", 4, expected=0, client=f"c{task}")
            taken[who].append((time.perf_counter() - begun) * 1000)

    threads = [threading.Thread(target=rate, args=(who,)) for who in range(raters)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for mine in taken for one in mine]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", help="an empty database (default: an SQLite file)")
    parser.add_argument("--raters", type=int, default=50)
    chosen = parser.parse_args()
    n = chosen.raters
    tasks = [
        SimpleNamespace(
            rater=who, order=k, item=f"q{k}", systems=("a",), dimensions=("fluency",), repeat=0,
            check=False,
            kind="single",
            pilot=False,
        )
        for who in range(n)
        for k in range(2 * ANSWERS)
    ]  # fmt: skip
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(chosen.url or Path(folder) / "study.db", wait=60) as store,
    ):
        store.create({"name": "benchmark"}, tasks, by="benchmark")
        tokens = [store.add_rater(f"r{who}", by="benchmark").token for who in range(n)]
        print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {n} raters, {store}")
        print(f"{'':<10} {'answers':>8} {'median ms':>10} {'95 % ms':>8} {'most ms':>8} {'/s':>7}")
        for part, (name, pause) in enumerate((("paced", 0.2), ("no pause", 0.0))):
            begun = time.perf_counter()
            taken = sorted(run(store, n, tokens, part, pause))
            rate = len(taken) / (time.perf_counter() - begun)
            high = taken[int(len(taken) * 0.95)]
            print(
                f"{name:<10} {len(taken):>8} {statistics.median(taken):>10.2f} {high:>8.2f} "
                f"{taken[-1]:>8.2f} {rate:>7.0f}"
            )
        kept = len(store.ratings(history=True))
        print(f"kept: {kept} of {n * 2 * ANSWERS}, none doubled")
        if kept != n * 2 * ANSWERS:
            raise SystemExit("answers were lost or doubled")


if __name__ == "__main__":
    main()
