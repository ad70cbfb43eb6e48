"""Agreement at scale, against the usual libraries, in one run.

    python benchmarks/agreement.py              all of it, about fifteen minutes
    python benchmarks/agreement.py alpha csv    the named parts
    python benchmarks/agreement.py --times 1    quick and rough

Every result is checked to be equal before it is timed. Needs ``pip install '.[bench]'``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import assay
from assay.agreement.light import pair_kappas
from assay.ratings.reductions import Reduced
from timing import Row, main, median, peak

LABELS = np.array(["alpha", "beta", "gamma", "delta", "epsilon"])


def _pair(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 5, n)
    return a, np.where(rng.random(n) < 0.7, a, rng.integers(0, 5, n))


def _same(ours: float | None, theirs: float) -> None:
    if ours is None or abs(ours - theirs) > 1e-9:
        raise SystemExit(f"results differ: {ours} and {theirs}")


def kappa_integers(times: int) -> Iterator[Row]:
    """Cohen's kappa of 10 million pairs of integers."""
    from sklearn.metrics import cohen_kappa_score

    a, b = _pair(10_000_000)
    _same(assay.cohen_kappa(a, b).value, cohen_kappa_score(a, b))
    ours = median(lambda: assay.cohen_kappa(a, b), times)
    theirs = median(lambda: cohen_kappa_score(a, b), times)
    yield Row("Cohen's kappa, 10 M pairs", "numpy int64", ours, "scikit-learn", theirs, ">= 30")


def kappa_strings(times: int) -> Iterator[Row]:
    """Cohen's kappa of 10 million pairs of strings."""
    import polars as pl
    from sklearn.metrics import cohen_kappa_score

    a, b = _pair(10_000_000)
    left, right = pl.Series("a", LABELS[a]), pl.Series("b", LABELS[b])
    arrow = left.to_arrow(), right.to_arrow()
    objects = LABELS.astype(object)[a], LABELS.astype(object)[b]
    _same(assay.cohen_kappa(left, right).value, cohen_kappa_score(a, b))
    theirs = median(lambda: cohen_kappa_score(*objects), times)
    for kind, pair in (("Polars String", (left, right)), (f"Arrow {arrow[0].type}", arrow)):
        ours = median(lambda pair=pair: assay.cohen_kappa(*pair), times)
        types = f"{kind} (peer: numpy object)"
        yield Row("Cohen's kappa, 10 M pairs", types, ours, "scikit-learn", theirs, ">= 50")


def alpha(times: int) -> Iterator[Row]:
    """Alpha of 1 million items × 5 raters."""
    import krippendorff

    codes = np.random.default_rng(2).integers(1, 6, (1_000_000, 5))
    by_rater = np.ascontiguousarray(codes.T)
    for metric in ("nominal", "ordinal"):

        def run(metric: str = metric) -> float | None:
            return assay.krippendorff_alpha(codes, metric=metric).value

        def other(metric: str = metric) -> float:
            return float(krippendorff.alpha(by_rater, level_of_measurement=metric))

        _same(run(), other())
        memory = peak(run), peak(other)
        note = f"extra memory {memory[0]:.0f} against {memory[1]:.0f} MB"
        yield Row(
            f"{metric} alpha, 1 M items x 5 raters", "numpy int64", median(run, times),
            "krippendorff", median(other, times), ">= 20", note,
        )  # fmt: skip


def many_values(times: int) -> Iterator[Row]:
    """Interval alpha where nearly every value is different."""
    rng = np.random.default_rng(3)
    for items, said in ((3_334, "10,000"), (1_000_000, "3 million")):
        values = rng.normal(size=(items, 1)) + rng.normal(size=(items, 3))
        ours = median(
            lambda values=values: assay.krippendorff_alpha(values, metric="interval"), times
        )
        note = f"its table of {said} x {said} values takes {(items * 3) ** 2 * 8 / 1e9:,.0f} GB"
        yield Row(
            f"interval alpha, {said} distinct values", "numpy float64", ours, "krippendorff", None,
            "possible", note,
        )  # fmt: skip


def pairs(times: int) -> Iterator[Row]:
    """All pairwise kappas of 50 raters."""
    from sklearn.metrics import cohen_kappa_score

    codes = np.random.default_rng(4).integers(0, 5, (100_000, 50))
    columns = [np.ascontiguousarray(codes[:, g]) for g in range(50)]

    def run() -> list[float]:
        return [float(k.kappa or 0) for k in pair_kappas(Reduced.of(assay.read(codes)))]

    def other() -> list[float]:
        return [
            cohen_kappa_score(columns[g], columns[h]) for g in range(50) for h in range(g + 1, 50)
        ]

    for x, y in zip(run(), other(), strict=True):
        _same(x, y)
    yield Row(
        "1,225 pairwise kappas, 50 raters x 100,000", "numpy int64", median(run, times),
        "scikit-learn in a loop", median(other, times), ">= 100",
    )  # fmt: skip


def csv(times: int) -> Iterator[Row]:
    """A 1-million-row CSV from file to full report."""
    import duckdb

    rng = np.random.default_rng(5)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        with path.open("w") as file:
            file.write("item,rater,label\n")
            for i in range(200_000):
                main = rng.integers(5)
                given = np.where(rng.random(5) < 0.7, main, rng.integers(0, 5, 5))
                file.writelines(f"item{i},r{g},{LABELS[k]}\n" for g, k in enumerate(given))
        connection = duckdb.connect()

        def load() -> None:
            connection.sql(f"CREATE OR REPLACE TABLE t AS SELECT * FROM '{path}'")

        def run() -> None:
            assay.agree(path).to_dict()

        base, ours = median(load, times), median(run, times)
        yield Row(
            "1 M rows of long CSV, file to report", "text", ours, "DuckDB CREATE TABLE AS", base,
            "<= 4 x", f"{ours / base:.1f} times the load",
        )  # fmt: skip


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "integers": kappa_integers,
    "strings": kappa_strings,
    "alpha": alpha,
    "values": many_values,
    "pairs": pairs,
    "csv": csv,
}


if __name__ == "__main__":
    main(PARTS, __doc__)
