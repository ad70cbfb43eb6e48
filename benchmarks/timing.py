"""Timing side by side: medians of five runs after a warm-up, in one process."""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Row:
    """One line of a benchmark: what was done, on what types, by whom, and the goal."""

    work: str
    types: str
    ours: float
    peer: str
    theirs: float | None
    goal: str
    note: str = ""

    def line(self) -> str:
        theirs = "cannot" if self.theirs is None else f"{self.theirs:9.4f}"
        ratio = "-" if self.theirs is None else f"{self.theirs / self.ours:7.1f} x"
        return (
            f"{self.work:<44} {self.types:<34} {self.ours:9.4f} {theirs:>9} {ratio:>9} "
            f"{self.goal:>9}  {self.peer}{'; ' + self.note if self.note else ''}"
        )


HEADER = f"{'work':<44} {'types':<34} {'assay s':>9} {'peer s':>9} {'ratio':>9} {'goal':>9}  peer"


def median(run: Callable[[], Any], times: int = 5) -> float:
    """Seconds, the median of ``times`` runs after one that does not count."""
    run()
    taken = []
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def peak(run: Callable[[], Any]) -> float:
    """The most memory (MB) that a run allocates above what was there before."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    run()
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (top - before) / 1e6


def main(parts: dict[str, Callable[[int], Iterator[Row]]], about: str) -> None:
    """Run the parts named on the command line, or all of them, and print a line a result."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(parts))
    parser.add_argument("--times", type=int, default=5, help="runs after the warm-up (5)")
    chosen = parser.parse_args()
    unknown = set(chosen.parts) - set(parts)
    if unknown:
        sys.exit(f"unknown part {', '.join(sorted(unknown))}; one of {', '.join(parts)}")
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"{os.cpu_count()} cores; medians of {chosen.times} after a warm-up"
    )
    print(HEADER)
    for name in chosen.parts or parts:
        for row in parts[name](chosen.times):
            print(row.line(), flush=True)
