"""Strengths of systems from many comparisons, against the usual libraries, in one run.

    python benchmarks/preference.py              all of it, about five minutes
    python benchmarks/preference.py fit          the named parts
    python benchmarks/preference.py --times 1    quick and rough

Every result is checked to be equal before it is timed. Needs ``pip install '.[bench]'``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import assay
from assay.preference.bradley_terry import MODELS
from assay.preference.model import Comparisons
from timing import Row, main, median

N, K = 1_000_000, 100
WORK = "1 M comparisons of 100 systems"


def games(n: int = N, k: int = K, ties: float = 0.2) -> Comparisons:
    rng = np.random.default_rng(1)
    strength = rng.normal(size=k)
    left = rng.integers(0, k, n)
    right = (left + rng.integers(1, k, n)) % k
    won = rng.random(n) < 1.0 / (1.0 + np.exp(strength[right] - strength[left]))
    outcome = np.where(rng.random(n) < ties, 0, np.where(won, 1, -1)).astype(np.int8)
    return Comparisons(tuple(f"s{i:02}" for i in range(k)), left, right, outcome)


def _same(ours: object, theirs: object, within: float) -> None:
    a, b = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    if np.abs(a - b).max() > within:
        raise SystemExit(f"results differ by {np.abs(a - b).max()}")


def fit(times: int) -> Iterator[Row]:
    """Counting and fitting, ties as half; the peers at their own, looser tolerance."""
    import evalica
    import pandas as pd

    data = games()
    ours = median(lambda: assay.bradley_terry(data), times)
    strengths = np.array(assay.bradley_terry(data).strengths)
    names = np.array(data.systems, dtype=object)
    xs, ys = pd.Series(names[data.left]), pd.Series(names[data.right])
    kinds = np.array([evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X], dtype=object)
    winners = pd.Series(kinds[data.outcome + 1])

    def peer(tolerance: float = 1e-6, limit: int = 100) -> np.ndarray:
        made = evalica.bradley_terry(xs, ys, winners, tolerance=tolerance, limit=limit)
        scores = made.scores / made.scores.sum()
        return scores.loc[list(data.systems)].to_numpy()

    _same(strengths, peer(1e-13, 100_000), 1e-9)
    yield Row(WORK, "coded arrays (peer: objects)", ours, "evalica", median(peer, times), "<= 1 s")

    import choix

    pairs = [
        pair
        for i, j, o in zip(data.left.tolist(), data.right.tolist(), data.outcome, strict=True)
        for pair in {1: [(i, j)] * 2, -1: [(j, i)] * 2, 0: [(i, j), (j, i)]}[int(o)]
    ]
    logs = choix.ilsr_pairwise(K, pairs, alpha=0.0, tol=1e-12)
    _same(np.array(assay.bradley_terry(data).log_strengths), logs - logs.mean(), 1e-9)
    theirs = median(lambda: choix.ilsr_pairwise(K, pairs, alpha=0.0), min(times, 2))
    yield Row(WORK, "coded arrays (peer: list of pairs)", ours, "choix ILSR", theirs, "<= 1 s")


def models(times: int) -> Iterator[Row]:
    """The four models, which no peer has all of."""
    data = games()
    for name, words in MODELS.items():
        ours = median(lambda name=name: assay.bradley_terry(data, model=name), times)
        yield Row(words, "coded arrays", ours, "-", None, "<= 1 s")


def bootstrap(times: int) -> Iterator[Row]:
    """A thousand resamples with a report of all pairs; then drawing whole items."""
    data = games()
    one = median(lambda: assay.prefer(data, resample="comparisons"), min(times, 3))
    yield Row(f"report, 1,000 resamples, {WORK}", "coded arrays", one, "-", None, "<= 10 s")
    smaller = games(100_000, 20)
    items = np.arange(100_000) // 5
    from assay.preference.model import Named

    with_items = Comparisons(
        smaller.systems, smaller.left, smaller.right, smaller.outcome,
        item=Named(items, 20_000, lambda: [str(i) for i in range(20_000)]),
    )  # fmt: skip
    two = median(lambda: assay.prefer(with_items), min(times, 3))
    yield Row("the same over 20,000 items, 20 systems", "coded arrays", two, "-", None, "<= 10 s")


def csv(times: int) -> Iterator[Row]:
    """From a CSV file to strengths."""
    data = games()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        words = np.array(["right", "tie", "left"])[data.outcome + 1]
        names = np.array(data.systems)
        rows = zip(names[data.left], names[data.right], words, strict=True)
        path.write_text("left,right,winner\n" + "\n".join(map(",".join, rows)) + "\n", "utf-8")
        ours = median(lambda: assay.prefer(path, bootstrap=None), min(times, 3))
    yield Row(f"file to report, {WORK}", "CSV", ours, "-", None, "<= 5 s")


if __name__ == "__main__":
    main(
        {"fit": fit, "models": models, "bootstrap": bootstrap, "csv": csv},
        __doc__ or "",
    )
