"""Bootstrap intervals against a loop over another library, in one run.

    python benchmarks/resampling.py                    all of it, about four minutes
    python benchmarks/resampling.py items --times 1    the named parts, quick and rough

Values are checked to be equal before anything is timed. Needs ``pip install '.[bench]'`` and, for
its line, ``pip install interrater``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import assay
from assay.agreement.registry import COEFFICIENTS
from timing import Row, main, median

RESAMPLES = 1000
PART = 50
"""Resamples of a slow loop that are timed; the rest is scaled from them."""


def ratings(items: int, raters: int, seed: int = 1) -> np.ndarray:
    """Shape (items, raters): a true label of five, kept by seven raters in ten."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, items)
    kept = rng.random((items, raters)) < 0.7
    return np.where(kept, truth[:, None], rng.integers(1, 6, (items, raters)))


def _near(a: float, b: float, most: float) -> None:
    if not abs(a - b) <= most:
        raise SystemExit(f"results differ: {a} and {b}")


def items(times: int) -> Iterator[Row]:
    """Alpha, 1,000 resamples of 10,000 items x 5 raters, from the array to the interval."""
    import krippendorff

    codes = ratings(10_000, 5)
    by_rater = np.ascontiguousarray(codes.T)
    rng = np.random.default_rng(0)

    def ours() -> Any:
        return assay.resample("krippendorff_alpha", codes, scale="nominal").interval()

    def loop(resamples: int) -> np.ndarray:
        found = []
        for _ in range(resamples):
            chosen = by_rater[:, rng.integers(0, 10_000, 10_000)]
            found.append(krippendorff.alpha(chosen, level_of_measurement="nominal"))
        return np.array(found)

    _near(
        assay.krippendorff_alpha(codes, metric="nominal").value or 0.0,
        krippendorff.alpha(by_rater, level_of_measurement="nominal"),
        1e-12,
    )
    peer = loop(400)
    _near(float(peer.std()), assay.resample("krippendorff_alpha", codes).standard_error or 0, 5e-4)
    taken = median(ours, times)
    theirs = median(lambda: loop(PART), times) * RESAMPLES / PART
    note = f"{PART} resamples timed, scaled to {RESAMPLES:,}"
    yield Row(
        "alpha, 1,000 x (10,000 items x 5)", "numpy int64", taken, "a loop over krippendorff",
        theirs, ">= 200", note,
    )  # fmt: skip
    yield from _interrater(codes, taken, times)


def _interrater(codes: np.ndarray, ours: float, times: int) -> Iterator[Row]:
    try:
        import interrater
    except ImportError:
        print("interrater is not installed; its line is left out")
        return
    semantics = interrater.RatingsSemantics(
        raters=5, categories=interrater.UnorderedCategories(names=tuple("12345"), labels={})
    )
    data = interrater.Ratings((codes - 1).astype(np.int8), semantics)

    def run(resamples: int) -> Any:
        config = interrater.KrippendorffAlphaConfig(
            n_resamples=resamples, random_state=1, ci_method="percentile"
        )
        return interrater.KrippendorffAlphaAnalyzer(data, config).estimate()

    alpha = assay.resample("krippendorff_alpha", codes, scale="nominal")
    found = run(RESAMPLES)
    _near(alpha.value or 0.0, found.point, 1e-9)
    interval = alpha.interval()
    if interval is not None:
        _near(interval.low, found.confidence_interval[0], 2e-3)
        _near(interval.high, found.confidence_interval[1], 2e-3)
    yield Row(
        "alpha, 1,000 x (10,000 items x 5)", "numpy int8, checked before", ours, "interrater",
        median(lambda: run(RESAMPLES), times), ">= 40", "all its 1,000 resamples timed",
    )  # fmt: skip


def every(times: int) -> Iterator[Row]:
    """All coefficients of a report, by every way to an interval, against analytic ones."""
    for count, raters, scale in ((10_000, 5, "nominal"), (1_000_000, 5, "nominal"),
                                 (2_000, 3, "interval")):  # fmt: skip
        data = assay.read(ratings(count, raters), scale=scale)
        base = median(lambda data=data: assay.agree(data), times)
        for interval in ("bootstrap", "bca", "jackknife"):
            taken = median(lambda d=data, i=interval: assay.agree(d, interval=i), times)
            defined = sum(e.defined for e in assay.agree(data).coefficients.values())
            yield Row(
                f"report, {count:,} x {raters}, {scale}, {interval}", f"{defined} coefficients",
                taken, "the report with analytic intervals", base, "-",
            )  # fmt: skip


def pairs(times: int) -> Iterator[Row]:
    """A comparison of two judges with gold, all coefficients, against a plain loop over one."""
    codes = ratings(5_000, 3, seed=4)
    data = {"gold": codes[:, 0], "a": codes[:, 1], "b": codes[:, 2]}
    from sklearn.metrics import cohen_kappa_score

    def ours() -> Any:
        return assay.compare(data, reference="gold", scale="nominal")

    rng = np.random.default_rng(0)

    def loop(resamples: int) -> np.ndarray:
        out = []
        for _ in range(resamples):
            x = codes[rng.integers(0, 5_000, 5_000)]
            out.append(cohen_kappa_score(x[:, 1], x[:, 0]) - cohen_kappa_score(x[:, 2], x[:, 0]))
        return np.array(out)

    found = ours().pairs["a", "b"]["cohen_kappa"]
    a, b = (cohen_kappa_score(codes[:, k], codes[:, 0]) for k in (1, 2))
    _near(found.value, a - b, 1e-12)
    ends = np.quantile(loop(400), [0.025, 0.975])
    _near(found.interval.low, float(ends[0]), 0.01)
    _near(found.interval.high, float(ends[1]), 0.01)
    theirs = median(lambda: loop(PART), times) * RESAMPLES / PART
    yield Row(
        "two judges, 5,000 items, 1,000 + 1,000", f"{len(COEFFICIENTS)} coefficients",
        median(ours, times), "kappa alone, a loop over scikit-learn", theirs, "-",
        f"{PART} resamples timed, scaled; bootstrap alone",
    )  # fmt: skip


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {"items": items, "every": every, "pairs": pairs}


if __name__ == "__main__":
    main(PARTS, __doc__)
