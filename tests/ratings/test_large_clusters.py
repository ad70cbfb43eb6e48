"""Clusters in files read in batches: the numbers are those of the same file read at once."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.agreement.additive_units import Source
from assay.errors import AssayError, ReadingError, UsageError
from assay.ratings.large import clusters as counted
from assay.ratings.large import keyed, sources, spill, sums
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced

pa = pytest.importorskip("pyarrow", reason="files are read in batches with PyArrow")
pq = pytest.importorskip("pyarrow.parquet")

Row = tuple[Any, Any, Any, Any]
NAMES = ("item", "rater", "label", "doc")
ROLES: dict[str, Any] = {"item": "item", "rater": "rater", "label": "label", "cluster": "doc"}
WITH_RATERS = {"conger_kappa"}
"""Coefficients whose error needs to know who gave which rating, which is not kept of a crowd."""


def rated(
    items: int, raters: int, most: int, labels: list, seed: int, doc: Callable[[int], Any]
) -> list[Row]:
    """Ratings of items that stand in documents; some raters leave an item's label empty."""
    rng = random.Random(seed)
    rows: list[Row] = []
    for k in range(items):
        truth = rng.choice(labels)
        for r in rng.sample(range(raters), rng.randint(1, min(most, raters))):
            label = truth if rng.random() < 0.6 else rng.choice(labels)
            rows.append((f"i{k:04d}", f"r{r:02d}", label if rng.random() > 0.05 else None, doc(k)))
    return rows


def write(path: Path, rows: list[Row], group: int = 7) -> Path:
    columns = dict(zip(NAMES, (list(c) for c in zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), path, row_group_size=group)
    return path


def intervals(path: Any, *, crowd: bool = False, **options: Any) -> list[Any]:
    """Every coefficient's interval, or the reason why there is none.

    Analytic errors, of which p-values are, are sums in the order of the table.
    """
    report = assay.agree(path, **ROLES, **options).to_dict()
    return [
        {k: c[k] for k in ("name", "interval", "no_interval")}
        for c in json.loads(json.dumps(report["coefficients"]))
        if not (crowd and c["name"] in WITH_RATERS)
    ]


def small_parts(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Parts of the input of a few rows, dealt to few files."""
    monkeypatch.setattr(sources, "RUN", rows)
    monkeypatch.setattr(sources, "TASK", rows)
    monkeypatch.setattr(spill, "MOST", 16)


DESIGNS: dict[str, tuple[list[Row], dict[str, Any], bool]] = {
    "few raters, texts": (
        rated(90, 3, 3, ["a", "b", "c"], 1, lambda k: f"{' ' * (k % 2)}d{k * k % 31:03d}"),
        {}, False,
    ),
    "few raters, numbers": (rated(90, 4, 4, [1, 2, 3], 2, lambda k: k // 4), {}, False),
    "decimals": (rated(60, 3, 3, ["a", "b"], 3, lambda k: (k // 3) / 2), {}, False),
    "crowd": (rated(150, 40, 6, ["a", "b", "c", "d"], 4, lambda k: f"döc {k // 5}"), {}, True),
    "many labels": (
        rated(90, 30, 4, [f"l{k}" for k in range(45)], 5, lambda k: f"d{k // 3}"), {}, True,
    ),
    "an interval scale": (
        rated(90, 30, 4, [0.5, 1.25, 7.0], 6, lambda k: k // 3), {"scale": "interval"}, True,
    ),
    "labels that are missing": (
        rated(90, 3, 3, ["a", "b", "NA"], 7, lambda k: k // 3), {"missing": ["NA"]}, False,
    ),
    "chosen raters": (
        rated(90, 5, 5, ["a", "b"], 8, lambda k: k // 3), {"raters": ["r00", "r01", "r04"]}, False,
    ),
    "each item alone": (rated(60, 3, 3, ["a", "b"], 9, lambda k: f"d{k:04d}"), {}, False),
}  # fmt: skip


# BCa rests on resamples and on leaving out each cluster.
@pytest.mark.parametrize(("order", "interval"), [("sorted", "jackknife"), ("shuffled", "bca")])
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_are_those_of_reading_at_once(tmp_path, monkeypatch, name, order, interval):
    rows, options, crowd = DESIGNS[name]
    rows = list(rows) if order == "sorted" else random.Random(1).sample(rows, len(rows))
    path = write(tmp_path / "a.parquet", rows)
    small_parts(monkeypatch, 13)
    drawn = {"resamples": 100} if interval != "jackknife" else {}
    made = [
        intervals(path, crowd=crowd, interval=interval, **options, **drawn, **memory)
        for memory in ({}, {"memory": 1})
    ]
    # To the last digit: the same units in the same order, whichever way they were counted.
    assert made[0] == made[1]
    assert sum(c["interval"] is not None for c in made[1]) > 5


@pytest.mark.parametrize("raters", [3, 40])
def test_pairs_of_clusters_and_ways_are_those_of_counting_by_hand(tmp_path, raters):
    rows = rated(200, raters, 5, ["a", "b", "c"], 11, lambda k: k % 17)
    found = assay.read(write(tmp_path / "a.parquet", rows, 50), memory=1, **ROLES)
    by_hand: Counter = Counter()
    items: dict = {}
    for item, _, label, doc in rows:
        items.setdefault((item, doc), []).extend([] if label is None else [label])
    for (_, doc), labels in items.items():
        by_hand[str(doc), tuple(sorted(labels))] += bool(labels)
    assert by_cluster(found) == +by_hand


def by_cluster(ratings: Ratings) -> Counter:
    """How many items of each cluster were given which labels."""
    held = {}
    before = 0
    for block in ratings.blocks:
        numbers = range(before, before + block.n) if block.items is None else block.items
        before += block.n
        for number, column in zip(numbers, block.labels.T, strict=True):
            texts = sorted(ratings.categories.texts[int(code)] for code in column if code >= 0)
            held[int(number)] = tuple(texts)
    out: Counter = Counter()
    members = Reduced.of(ratings).members
    assert members is not None
    for cluster, column, times in zip(
        members.clusters.tolist(), members.columns.tolist(), members.times.tolist(), strict=True
    ):
        out[ratings.cluster_names[cluster], held[column]] += times
    return out


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    ratings=st.dictionaries(
        st.tuples(st.integers(0, 12), st.integers(0, 13)), st.sampled_from("abcde"),
        min_size=2, max_size=60,
    ),
    docs=st.lists(st.integers(0, 4), min_size=13, max_size=13),
    order=st.randoms(use_true_random=False),
    group=st.integers(1, 9),
    ordered=st.booleans(),
)  # fmt: skip
def test_any_small_table(tmp_path, ratings, docs, order, group, ordered):
    rows = [(f"i{i:02d}", f"r{r:02d}", x, f"d{docs[i]}") for (i, r), x in sorted(ratings.items())]
    if not ordered:
        order.shuffle(rows)
    path = write(tmp_path / "any.parquet", rows, group)
    with pytest.MonkeyPatch.context() as patch:
        small_parts(patch, group)
        one, other = assay.read(path, **ROLES), assay.read(path, memory=1, **ROLES)
    assert by_cluster(one) == by_cluster(other)
    made = [assay.resample("gwet_ac", data, interval="jackknife") for data in (one, other)]
    assert made[0].interval() == made[1].interval()


@pytest.mark.parametrize("crowd", [False, True])
@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_each_group_has_its_own_clusters(tmp_path, monkeypatch, order, crowd):
    rows = [
        (*row, kind)
        for kind in ("x", "y")
        # The same items in both, in other documents.
        for row in rated(60, 40 if crowd else 3, 3, ["a", "b"], ord(kind), three(kind))
    ]
    random.Random(2).shuffle(rows)
    if order == "sorted":
        rows.sort(key=lambda row: row[0])
    columns = dict(zip((*NAMES, "kind"), (list(c) for c in zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "g.parquet", row_group_size=9)
    small_parts(monkeypatch, 11)
    one, other = (
        assay.agree(tmp_path / "g.parquet", by="kind", interval="jackknife", **ROLES, **memory)
        for memory in ({}, {"memory": 1})
    )
    for kind in ("x", "y"):
        for name in ("fleiss_kappa", "gwet_ac", "krippendorff_alpha"):
            assert one.groups[kind][name].interval() == other.groups[kind][name].interval()
        assert "20 clusters (doc)" in other.groups[kind]["fleiss_kappa"].interval().method
    # Neither has fewer than 20, and what there is in other groups does not count.
    for report in (one, other):
        for part in report.groups.values():
            assert "few_clusters" not in {w["code"] for w in part.summary["warnings"]}


def three(prefix: str) -> Callable[[int], str]:
    """Documents of three items."""
    return lambda k: f"{prefix}{k // 3}"


def test_few_clusters_of_a_group_are_said_in_both_ways(tmp_path):
    rows = [
        (*row, kind)
        for kind, size in (("x", 1), ("y", 3))
        for row in rated(30, 3, 3, ["a", "b"], size, three("d") if size == 3 else str)
    ]
    columns = dict(zip((*NAMES, "kind"), (list(c) for c in zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "g.parquet")
    for memory in ({}, {"memory": 1}):
        report = assay.agree(
            tmp_path / "g.parquet", by="kind", interval="jackknife", **ROLES, **memory
        )
        few = {
            name: "few_clusters" in {w["code"] for w in part.summary["warnings"]}
            for name, part in report.groups.items()
        }
        assert few == {"x": False, "y": True}


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_text_and_json_lines(tmp_path, ending):
    rows = rated(80, 3, 3, ["a", "b"], 12, lambda k: k // 3)
    path = tmp_path / f"a.{ending}"
    if ending == "csv":
        lines = [",".join(NAMES), *(",".join("" if v is None else str(v) for v in r) for r in rows)]
        path.write_text("\n".join(lines) + "\n")
    else:
        path.write_text(
            "\n".join(json.dumps(dict(zip(NAMES, r, strict=True))) for r in rows) + "\n"
        )
    one, other = (intervals(path, interval="jackknife", memory=memory) for memory in (None, 1))
    assert one == other


@pytest.mark.parametrize("layout", ["wide", "counts"])
def test_other_layouts_are_grouped_by_duckdb(tmp_path, layout):
    rng = random.Random(13)
    names = ("item", "ana", "bo", "cy", "doc")
    cells = ["a", "b", None] if layout == "wide" else [0, 1, 2]
    rows = [(f"i{k:03d}", *(rng.choice(cells) for _ in "abc"), f"d{k // 4}") for k in range(120)]
    columns = dict(zip(names, (list(c) for c in zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "w.parquet")
    made = [
        assay.agree(tmp_path / "w.parquet", layout=layout, cluster="doc", interval="bootstrap",
                    resamples=100, **memory).summary["coefficients"]
        for memory in ({}, {"memory": 1})
    ]  # fmt: skip
    assert [c["interval"] for c in made[0]] == [c["interval"] for c in made[1]]
    assert made[0][0]["interval"] is not None


def test_rows_that_become_too_many_on_the_way(tmp_path, monkeypatch):
    # Rows of raters are kept until there are too many, and multisets from there on.
    rows = rated(150, 12, 4, ["a", "b", "c"], 14, lambda k: f"d{k // 4}")
    path = write(tmp_path / "a.parquet", rows)
    one = intervals(path, crowd=True, interval="bootstrap", resamples=100)
    small_parts(monkeypatch, 11)
    for most in (5, 30):
        monkeypatch.setattr(sums, "UNITS", most)
        assert assay.read(path, memory=1, **ROLES).crowd is not None
        other = intervals(path, crowd=True, interval="bootstrap", resamples=100, memory=1)
        assert one == other


def test_keys_that_do_not_fit_change_nothing(tmp_path, monkeypatch):
    rows = rated(90, 40, 6, ["a", "b", "c"], 15, lambda k: f"d{k // 4}")
    path = write(tmp_path / "a.parquet", rows)
    one = intervals(path, interval="jackknife", memory=1)
    monkeypatch.setattr(counted, "MOST_BITS", 5)
    monkeypatch.setattr(counted, "DENSE_BITS", 3)
    monkeypatch.setattr(keyed, "PENDING", 4)
    assert intervals(path, interval="jackknife", memory=1) == one


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_an_item_in_two_clusters_is_refused_in_the_same_words(tmp_path, monkeypatch, order):
    rows = rated(60, 3, 3, ["a", "b"], 16, three("d"))
    item, _, _, doc = rows[29]
    rows.insert(30, (item, "other", None, "d99"))
    if order == "shuffled":
        random.Random(4).shuffle(rows)
    path = write(tmp_path / "a.parquet", rows)
    small_parts(monkeypatch, 10)
    said = []
    for memory in (None, 1):
        with pytest.raises(ReadingError) as error:
            assay.read(path, memory=memory, **ROLES)
        assert error.value.code == "cluster_varies"
        said.append(str(error.value))
    assert said[0] == said[1]
    polars = pytest.importorskip("polars")
    with pytest.raises(ReadingError) as error:
        assay.read(polars.scan_parquet(path), **ROLES)
    assert error.value.code == "cluster_varies"
    # An engine has no order of rows, so there the names come in their own.
    one, other = sorted([doc, "d99"])
    words = f"column doc: item {item!r} is in two clusters, {one!r} and {other!r}"
    assert words in str(error.value)


def test_a_row_without_a_cluster_is_refused(tmp_path):
    rows = rated(60, 3, 3, ["a", "b"], 17, lambda k: f"d{k // 4}")
    item, rater, label, _ = rows[20]
    rows[20] = (item, rater, label, None)
    path = write(tmp_path / "a.parquet", rows)
    with pytest.raises(ReadingError, match=r"column doc: no cluster in at least 1 row\.") as error:
        assay.read(path, memory=1, **ROLES)
    assert error.value.code == "empty_cluster"
    others = {"raters": sorted({r[1] for r in rows} - {rater})}
    read = assay.read(path, memory=1, **ROLES, **others)  # the row is not among those read
    assert read.has_clusters
    polars = pytest.importorskip("polars")
    with pytest.raises(ReadingError, match=rf"column doc: no cluster in 1 of {len(rows)} rows"):
        assay.read(polars.scan_parquet(path), **ROLES)
    assert assay.read(polars.scan_parquet(path), **ROLES, **others).has_clusters


def test_an_item_in_two_groups_may_be_in_two_clusters(tmp_path):
    columns = {"item": ["1", "1", "2", "2"], "rater": ["a", "b"] * 2, "label": ["x", "y", "y", "y"],
               "doc": ["p", "p", "q", "q"], "kind": ["k", "k", "l", "l"]}  # fmt: skip
    columns = {name: [*v, *v] for name, v in columns.items()}
    columns["doc"][4:] = ["r", "r", "s", "s"]
    columns["kind"][4:] = ["l", "l", "k", "k"]
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    for memory in ({}, {"memory": 1}):
        read = assay.read(tmp_path / "a.parquet", by="kind", **ROLES, **memory)
        assert by_cluster(read.group("k")) == {("p", ("x", "y")): 1, ("s", ("y", "y")): 1}


def test_pairs_that_have_no_room_are_refused(tmp_path, monkeypatch):
    rows = rated(120, 3, 3, ["a", "b"], 18, lambda k: f"d{k}")
    path = write(tmp_path / "a.parquet", rows)
    monkeypatch.setattr(counted, "LEAST_PAIRS", 10)
    with pytest.raises(ReadingError, match=r"--memory.*fewer clusters") as error:
        assay.read(path, memory=1, **ROLES)
    assert error.value.code == "too_many_clusters"
    monkeypatch.setattr(counted, "LEAST_PAIRS", 1000)
    assert assay.read(path, memory=1, **ROLES).has_clusters


def test_engines_bring_back_so_many_pairs_at_most(tmp_path, monkeypatch):
    from assay.ratings.large import engine_items

    polars = pytest.importorskip("polars")
    rows = rated(120, 3, 3, ["a", "b"], 19, lambda k: f"d{k}")
    frame = polars.scan_parquet(write(tmp_path / "a.parquet", rows))
    assert assay.read(frame, **ROLES).crowd is None
    monkeypatch.setattr(engine_items, "MOST_CELLS", 100)
    with pytest.raises(ReadingError, match="100 different clusters and ways to rate an item"):
        assay.read(frame, **ROLES)


@pytest.mark.parametrize("crowd", [False, True])
def test_repeats_are_settled_within_clusters(tmp_path, monkeypatch, crowd):
    rows = rated(60, 40 if crowd else 3, 3, ["a", "b"], 20, lambda k: f"d{k // 4}")
    small_parts(monkeypatch, 50)
    rows += [(item, rater, "b", doc) for item, rater, _, doc in rows[10:14]]
    path = write(tmp_path / "a.parquet", rows)
    for keep in ("first", "last"):
        one, other = (
            intervals(path, crowd=crowd, interval="jackknife", duplicates=keep, **memory)
            for memory in ({}, {"memory": 1})
        )
        assert one == other
    with pytest.raises(AssayError, match="more than once"):
        assay.read(path, memory=1, **ROLES)


def test_threads_and_files_change_nothing(tmp_path, monkeypatch):
    rows = rated(200, 40, 4, ["a", "b", "c"], 21, lambda k: f"d{k * 7 % 50}")
    one = intervals(write(tmp_path / "a.parquet", rows), interval="bootstrap", resamples=100,
                    memory=1)  # fmt: skip
    random.Random(5).shuffle(rows)
    for k in range(4):
        write(tmp_path / f"part-{k}.parquet", rows[k::4])
    monkeypatch.setattr(spill, "FEWEST", 32)
    small_parts(monkeypatch, 9)
    other = intervals(str(tmp_path / "part-*.parquet"), interval="bootstrap", resamples=100)
    assert one == other


def test_what_does_not_go_with_clusters_says_so(tmp_path):
    rows = rated(60, 3, 3, ["a", "b"], 22, lambda k: f"d{k // 3}")
    path = write(tmp_path / "a.parquet", rows)
    with pytest.raises(UsageError, match="clusters are drawn with"):
        assay.agree(path, memory=1, **ROLES)
    read = assay.read(path, memory=1, **ROLES)
    with pytest.raises(UsageError, match="does not go with clusters"):
        assay.agree(read, interval="bootstrap", resample="items-raters")
    codes = {w["code"] for w in assay.agree(read).summary["warnings"]}
    assert "clusters_not_used" in codes


def test_units_of_columns_are_the_units():
    # The way from an item to its unit, against looking up what the item was given.
    rng = np.random.default_rng(6)
    rows = [(f"i{k}", f"r{r}", "abc"[int(rng.integers(3))], f"d{k % 5}")
            for k in range(80) for r in range(3) if rng.random() < 0.8]  # fmt: skip
    data = assay.read([dict(zip(NAMES, row, strict=True)) for row in rows], **ROLES)
    made = Reduced(data)
    for kind in ("rows", "multisets"):
        units, items = Source(made, kind), Source(made, "items")
        own, whole = items.rows[np.arange(items.times.size)], units.patterns.dense()
        if kind == "rows":
            assert (units.rows[units.of_columns] == own).all()
        assert (whole[units.of_columns] == items.patterns.dense()).all()
        assert (np.bincount(units.of_columns) == units.times).all()


def test_a_wide_table_without_a_cluster_is_refused_with_its_rows(tmp_path):
    columns = {"item": [f"i{k}" for k in range(9)], "ana": list("xyxyxyxyx"),
               "bo": list("xxyyxxyyx"), "doc": ["d1"] * 6 + [None, " ", "d2"]}  # fmt: skip
    pq.write_table(pa.table(columns), tmp_path / "w.parquet")
    polars = pytest.importorskip("polars")
    said = []
    for source, memory in (
        (tmp_path / "w.parquet", None),
        (tmp_path / "w.parquet", 1),
        (polars.scan_parquet(tmp_path / "w.parquet"), None),
    ):
        with pytest.raises(ReadingError, match="column doc: no cluster in 2 of 9 rows") as error:
            assay.read(source, layout="wide", cluster="doc", memory=memory)
        said.append(error.value.code)
    assert said == ["empty_cluster"] * 3
