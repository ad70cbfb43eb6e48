"""Agreement as the table grows: time, peak memory and growth, each run in a process of its own.

    python benchmarks/scale.py                       10^5 to 10^8 rows, about half an hour
    python benchmarks/scale.py --sizes 100000 1000000
    python benchmarks/scale.py --ways scan sorted shuffled --raters 5

A long table in Parquet: items, raters and labels as texts, about five ratings an item, five
labels, ``--raters`` raters (100). "scan" reads the same three columns with PyArrow and does nothing
with them; ratios are to it, for the same file. Reports have every coefficient of interchangeable
raters with its interval, and 1,000 bootstrap resamples of them. A way that takes over
``--limit`` seconds at one size is not run at larger ones. Needs ``pip install '.[bench,scale]'``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

LABELS = ("neutral", "joy", "anger", "fear", "sadness")

WAYS = {
    "scan": "the three columns, read with PyArrow",
    "sorted": "assay, rows in order of items",
    "shuffled": "assay, rows in any order, --memory 1GB",
    "sorted+pairs": "the same with all pairs of raters",
    "shuffled+pairs": "the same with all pairs of raters",
    "at once": "assay, read at once",
    "duckdb": "DuckDB, patterns by two GROUP BY, no intervals",
    "polars": "Polars, patterns by two group_by, streaming, no intervals",
    "krippendorff": "pandas and krippendorff, alpha only",
    "statsmodels": "pandas and statsmodels, Fleiss' kappa only",
}

RUN = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
way, path, folder = sys.argv[1:4]
kind = "shuffled" if way.startswith("shuffled") else "sorted"

def peak():
    # The high water mark of this program alone: rusage begins at its parent's.
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024

def scan():
    import pyarrow.parquet as pq
    with pq.ParquetFile(path) as file:
        rows = sum(len(batch) for batch in file.iter_batches(1 << 17))
    return rows

def ours():
    import assay
    import pyarrow.parquet as pq
    from assay.ratings.large import open as opening
    if way == "at once":
        opening.MANY_ROWS = 1 << 62
        ratings = assay.read(path)
    else:
        opening.MANY_ROWS = 0
        opening.MANY_BYTES = 0
        # Small tables are dealt to files, too, so that one way is measured throughout.
        rows = pq.ParquetFile(path).metadata.num_rows
        memory = {"memory": min(10**9, 40 * rows)} if kind == "shuffled" else {}
        ratings = assay.read(path, pairs="+pairs" in way, **memory)
    report = assay.agree(ratings)
    assay.agree(ratings, interval="bootstrap")
    return report["krippendorff_alpha"].value

def key():
    labels = ("neutral", "joy", "anger", "fear", "sadness")
    whens = " ".join(f"WHEN '{label}' THEN {1 << (10 * k)}" for k, label in enumerate(labels))
    return f"CASE label {whens} END"

def duckdb():
    import duckdb
    con = duckdb.connect()
    con.execute(f"SET temp_directory = '{folder}/duck'; SET memory_limit = '1GB'")
    con.execute("SET preserve_insertion_order = false")
    found = con.execute(f"SELECT k, count(*) FROM (SELECT item, sum({key()}::DOUBLE) AS k "
                        f"FROM '{path}' GROUP BY item) GROUP BY k").fetchall()
    return len(found)

def polars():
    import polars as pl
    labels = ("neutral", "joy", "anger", "fear", "sadness")
    counts = [(pl.col("label") == label).sum().alias(label) for label in labels]
    return len(pl.scan_parquet(path).group_by("item").agg(counts)
               .group_by(*labels).len().collect(engine="streaming"))

def matrix():
    import pandas as pd
    return pd.read_parquet(path)

def krippendorff():
    import krippendorff
    import pandas as pd
    frame = matrix()
    items, raters = (pd.factorize(frame[c])[0] for c in ("item", "rater"))
    import numpy as np
    codes = pd.factorize(frame["label"])[0]
    counts = np.zeros((items.max() + 1, 5), dtype=int)
    np.add.at(counts, (items, codes), 1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))

def statsmodels():
    import numpy as np
    import pandas as pd
    from statsmodels.stats.inter_rater import fleiss_kappa
    frame = matrix()
    counts = pd.crosstab(frame["item"], frame["label"]).to_numpy()
    return float(fleiss_kappa(counts[counts.sum(axis=1) == 5]))

start = time.perf_counter()
run = {"scan": scan, "duckdb": duckdb, "polars": polars, "krippendorff": krippendorff,
       "statsmodels": statsmodels}.get(way, ours)
value = run()
print(json.dumps({"seconds": time.perf_counter() - start, "value": value,
                  "memory": peak()}))
"""


def make(folder: Path, rows: int, raters: int) -> dict[str, Path]:
    """The table in order of items, and in any order."""
    import duckdb

    paths = {kind: folder / f"{kind}-{rows}.parquet" for kind in ("sorted", "shuffled")}
    if all(path.exists() for path in paths.values()):
        return paths
    connection = duckdb.connect()
    connection.execute(f"SET memory_limit = '6GB'; SET temp_directory = '{folder}/made'")
    listed = ", ".join(f"'{label}'" for label in LABELS)
    sizes = "5" if raters < 8 else "(3 + hash(i + 3) % 5)::BIGINT"
    # Each item has a label that two of three ratings hold to.
    connection.execute(
        f"""COPY (
          SELECT 'item' || lpad(i::VARCHAR, 9, '0') AS item,
            'rater' || lpad(((hash(i) % {raters} + s * 7 + hash(i + 7) % 3 * s) % {raters})
              ::VARCHAR, 3, '0') AS rater,
            [{listed}][1 + (CASE WHEN hash(i * 31 + s) % 100 < 65 THEN hash(i + 5) % 5
              ELSE hash(i * 17 + s * 3) % 5 END)::INT] AS label
          FROM (SELECT i, unnest(range(0, {sizes})) AS s FROM range({rows // 5}) t(i))
        ) TO '{paths["sorted"]}' (FORMAT parquet)"""
    )
    connection.execute("SET preserve_insertion_order = false")
    connection.execute(
        f"COPY (SELECT * FROM '{paths['sorted']}' ORDER BY hash(item || rater)) "
        f"TO '{paths['shuffled']}' (FORMAT parquet)"
    )
    return paths


def kinds_of(way: str) -> tuple[str, ...]:
    """On which of the two tables a way is run."""
    if way.partition("+")[0] in ("sorted", "shuffled"):
        return (way.partition("+")[0],)
    return ("sorted", "shuffled") if way in ("scan", "duckdb", "polars") else ("sorted",)


def run(way: str, path: Path, folder: Path, limit: float) -> dict[str, float] | None:
    """Seconds and MB of one way; None where it fails or takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", RUN, way, str(path), str(folder)],
            capture_output=True, text=True, check=True, timeout=limit,
        )  # fmt: skip
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = getattr(error, "stderr", None) or ""
        said = said if isinstance(said, str) else said.decode()
        print(f"  {way}: {'; '.join(said.strip().splitlines()[-1:]) or error}", file=sys.stderr)
        return None
    last = done.stdout.splitlines()[-1]  # DuckDB writes a bar before it
    found: dict[str, float] = json.loads(last[last.index("{") :])
    return found


def main() -> None:
    """Run the ways at the sizes, and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="*", type=int, default=[10**k for k in range(5, 9)])
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=list(WAYS))
    parser.add_argument("--raters", type=int, default=100)
    parser.add_argument("--limit", type=float, default=180.0, metavar="SECONDS")
    parser.add_argument("--folder", type=Path, help="where the tables are kept; a temporary one")
    chosen = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {chosen.raters} raters")
    print(f"| {'way':<15} | {'rows':>11} | seconds | million rows/s | x scan | MB | growth |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    before: dict[str, tuple[int, float]] = {}
    gone: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="assay-") as made:
        folder = chosen.folder or Path(made)
        for rows in chosen.sizes:
            paths = make(folder, rows, chosen.raters)
            floor: dict[str, float] = {}
            for way in chosen.ways:
                for kind in kinds_of(way):
                    if way in gone:
                        continue
                    found = run(way, paths[kind], folder, chosen.limit)
                    if found is None:
                        gone.add(way)
                        continue
                    if way == "scan":
                        floor[kind] = found["seconds"]
                    name = way if way.startswith(kind) else f"{way}, {kind}"
                    growth = None
                    if name in before:
                        n, seconds = before[name]
                        growth = math.log(found["seconds"] / seconds) / math.log(rows / n)
                    before[name] = rows, found["seconds"]
                    ratio = found["seconds"] / floor[kind] if kind in floor else None
                    print(
                        f"| {name:<15} | {rows:>11,} | {found['seconds']:.2f} "
                        f"| {rows / found['seconds'] / 1e6:.1f} "
                        f"| {'' if ratio is None else f'{ratio:.1f}'} | {found['memory']:.0f} "
                        f"| {'' if growth is None else f'{growth:.2f}'} |",
                        flush=True,
                    )
                    if found["seconds"] > chosen.limit / 4:
                        gone.add(way)


if __name__ == "__main__":
    main()
