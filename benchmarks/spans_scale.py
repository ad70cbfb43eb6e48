"""Span scoring as the corpus grows: time, peak memory and growth, each run in a process of its own.

    python benchmarks/spans_scale.py                       up to 2,000,000 sentences
    python benchmarks/spans_scale.py --sizes 100000        quick
    python benchmarks/spans_scale.py --ways conll parquet  the named ways only

Sentences of 5 to 29 tokens with four types. "scan" reads the two columns of the same Parquet file
and does nothing with them. PySpark runs on local[2], with its start left out. Needs
``pip install '.[bench,spark,dask]'``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TYPES = ("PER", "ORG", "LOC", "MISC")
POOL = 100_000
WAYS = ("scan", "conll", "jsonl", "parquet", "pyarrow", "polars", "duckdb", "dask", "spark")
CHUNK = 100_000

RUN = """
import json, os, sys, time, warnings
warnings.simplefilter("ignore")
import assay
from assay.report.spans.streamed import stream_spans
way, folder = sys.argv[1], sys.argv[2]
path = folder + "/both.parquet"
def source():
    if way in ("conll", "jsonl"):
        return f"{folder}/gold.{way}", f"{folder}/pred.{way}"
    if way == "parquet":
        return (path,)
    if way == "pyarrow":
        import pyarrow.dataset
        return (pyarrow.dataset.dataset(path),)
    if way == "polars":
        import polars
        return (polars.scan_parquet(path),)
    if way == "duckdb":
        import duckdb
        return (duckdb.connect().sql(f"SELECT * FROM '{path}'"),)
    if way == "dask":
        import dask.dataframe
        return (dask.dataframe.read_parquet(path, split_row_groups=True),)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    build = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = build.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    frame = session.read.parquet(path)
    stream_spans(frame.limit(1000), bootstrap=0)
    return (frame,)
def scan():
    import pyarrow.parquet
    for batch in pyarrow.parquet.ParquetFile(path).iter_batches(1 << 14, columns=["gold", "pred"]):
        batch.num_rows
if way != "scan":
    given = source()
start = time.perf_counter()
found = scan() if way == "scan" else stream_spans(*given).summary["matches"][0]
seconds = time.perf_counter() - start
status = open("/proc/self/status").read()
memory = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(json.dumps({"seconds": seconds, "memory": memory, "found": found}))
"""


def sentences() -> list[tuple[list[str], list[str]]]:
    """Gold and predicted tags."""
    rng = random.Random(3)
    out = []
    for _ in range(POOL):
        gold = ["O"] * rng.randrange(5, 30)
        for _ in range(rng.randrange(4)):
            start, kind = rng.randrange(len(gold)), rng.choice(TYPES)
            for k in range(start, min(len(gold), start + rng.randrange(1, 4))):
                gold[k] = f"{'B' if k == start else 'I'}-{kind}"
        pred = list(gold)
        if rng.random() < 0.25:
            pred[rng.randrange(len(pred))] = rng.choice(("O", "B-PER", "I-ORG", "B-LOC"))
        out.append((gold, pred))
    return out


def write(folder: Path, size: int, ways: set[str]) -> None:
    """The same sentences in each format that is asked for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pool = sentences()
    with pq.ParquetWriter(
        folder / "both.parquet",
        pa.schema([("gold", pa.list_(pa.string())), ("pred", pa.list_(pa.string()))]),
    ) as writer:
        for start in range(0, size, CHUNK):
            some = [pool[k % POOL] for k in range(start, min(size, start + CHUNK))]
            gold, pred = zip(*some, strict=True)
            writer.write_table(pa.table({"gold": list(gold), "pred": list(pred)}))
    for side, name in enumerate(("gold", "pred")):
        texts = {
            "conll": ["".join(f"word {t}\n" for t in pair[side]) + "\n" for pair in pool],
            "jsonl": [json.dumps({"tags": pair[side]}) + "\n" for pair in pool],
        }
        for way in ways & set(texts):
            with (folder / f"{name}.{way}").open("w") as file:
                for k in range(size):
                    file.write(texts[way][k % POOL])


def measured(sizes: list[int], ways: list[str]) -> Iterator[str]:
    """A line for each way and size, and how time grows from the size before."""
    last: dict[str, tuple[int, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write(folder, size, set(ways))
            results = set()
            for way in ways:
                command = [sys.executable, "-c", RUN, way, name]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    yield f"{way:<10} {size:>12,} failed: {done.stderr.strip().splitlines()[-1]}"
                    continue
                found = json.loads(done.stdout.strip().splitlines()[-1])
                if way != "scan":
                    results.add(json.dumps(found["found"]))
                seconds = found["seconds"]
                growth = ""
                if way in last:
                    n, before = last[way]
                    growth = f"{math.log(seconds / before) / math.log(size / n):.2f}"
                last[way] = size, seconds
                yield (
                    f"{way:<10} {size:>12,} {seconds:9.2f} {size / seconds:>12,.0f} "
                    f"{found['memory']:>8.0f} {growth:>7}"
                )
            assert len(results) < 2, "the ways do not agree"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 200_000, 2_000_000])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    chosen = parser.parse_args()
    print(f"{'way':<10} {'sentences':>12} {'seconds':>9} {'a second':>12} {'peak MB':>8} growth")
    for line in measured(sorted(chosen.sizes), chosen.ways):
        print(line, flush=True)


if __name__ == "__main__":
    main()
