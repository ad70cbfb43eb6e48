"""Items in clusters: reading them, and drawing them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from agreement.reference import jackknife
from assay.errors import ReadingError, UsageError

Triples = list[tuple[str, str, str, str]]


def triples(seed: int, clusters: int = 30) -> Triples:
    """(item, document, rater, label): the documents differ in how hard they are."""
    random = np.random.default_rng(seed)
    out = []
    for c in range(clusters):
        ease = random.random()
        for i in range(int(random.integers(1, 6))):
            truth = "xyz"[int(random.integers(0, 3))]
            for rater in ("ana", "bo", "cy"):
                said = truth if random.random() < ease else "xyz"[int(random.integers(0, 3))]
                out.append((f"d{c}-{i}", f"d{c}", rater, said))
    return out


def long_file(path: Path, rows: Triples) -> Path:
    lines = ["item,document,rater,label", *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def wide_file(path: Path, rows: Triples) -> Path:
    items: dict[str, list[str]] = {}
    for item, document, _, label in rows:
        items.setdefault(item, [item, document]).append(label)
    lines = ["item,document,ana,bo,cy", *(",".join(cells) for cells in items.values())]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def rows() -> Triples:
    return triples(1)


def test_clusters_are_read_from_long_and_wide(tmp_path: Path, rows: Triples) -> None:
    for made in (long_file, wide_file):
        path = made(tmp_path / "a.csv", rows)
        found = assay.read(path, cluster="document")
        assert found.cluster_column == "document"
        assert found.clusters is not None
        names = [found.cluster_names[int(k)] for k in found.clusters]
        assert dict(zip(found.items, names, strict=True)) == {r[0]: r[1] for r in rows}
        assert found.raters == ("ana", "bo", "cy")
    plain = assay.read(path, raters=["ana", "bo", "cy"])
    assert plain.clusters is None


def test_clusters_of_frames_and_counts() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"item": ["a", "b", "c"], "doc": [1, 1, 2], "yes": [2, 1, 0], "no": [1, 2, 3]}
    )
    found = assay.read(frame, layout="counts", cluster="doc")
    assert found.clusters is not None
    assert [found.cluster_names[int(k)] for k in found.clusters] == ["1", "1", "2"]


def test_a_group_keeps_its_clusters(tmp_path: Path, rows: Triples) -> None:
    text = ["item,document,kind,rater,label"]
    text += [f"{i},{d},{'ab'[int(d[1:]) % 2]},{r},{x}" for i, d, r, x in rows]
    path = tmp_path / "g.csv"
    path.write_text("\n".join(text))
    report = assay.agree(path, by="kind", cluster="document", interval="jackknife")
    even = [row for row in rows if int(row[1][1:]) % 2 == 0]
    alone = assay.agree(long_file(tmp_path / "e.csv", even), cluster="document",
                        interval="jackknife")  # fmt: skip
    one, other = report.groups["a"]["fleiss_kappa"], alone["fleiss_kappa"]
    assert one.interval() == other.interval()
    assert "15 clusters (document)" in one.interval().method


def test_an_item_in_two_clusters_is_refused(tmp_path: Path, rows: Triples) -> None:
    item = rows[0][0]
    wrong = [*rows, (item, "d9", "dan", "x")]
    with pytest.raises(ReadingError, match=f"item '{item}' is in two clusters, 'd0' and 'd9'") as e:
        assay.read(long_file(tmp_path / "a.csv", wrong), cluster="document")
    assert e.value.code == "cluster_varies"


def test_an_item_without_a_cluster_is_refused(tmp_path: Path, rows: Triples) -> None:
    wrong = [(rows[0][0], "", *rows[0][2:]), *rows[1:]]
    with pytest.raises(ReadingError, match=f"no cluster in 1 of {len(rows)} rows") as e:
        assay.read(long_file(tmp_path / "a.csv", wrong), cluster="document")
    assert e.value.code == "empty_cluster"


def test_sources_without_a_column_refuse(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cluster"):
        assay.read(assay.Table([[1, 2], [3, 4]]), cluster="x")
    with pytest.raises(UsageError, match="cluster"):
        assay.read([("a", "r", "x"), ("b", "r", "y")], cluster="document")
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("item,label\n1,x\n2,y\n")
    with pytest.raises(UsageError, match="folder"):
        assay.read(tmp_path, cluster="document")


def test_analytic_errors_do_not_take_clusters(tmp_path: Path, rows: Triples) -> None:
    path = long_file(tmp_path / "a.csv", rows)
    with pytest.raises(UsageError, match="independent"):
        assay.agree(path, cluster="document")
    report = assay.agree(assay.read(path, cluster="document"))
    assert "clusters_not_used" in {w["code"] for w in report.summary["warnings"]}


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac"])
def test_jackknife_over_clusters(tmp_path: Path, rows: Triples, name: str) -> None:
    data = assay.read(wide_file(tmp_path / "a.csv", rows), cluster="document")
    by_cluster: dict[str, list[list[str]]] = {}
    items: dict[str, list[str]] = {}
    for item, document, _, label in rows:
        if item not in items:
            items[item] = []
            by_cluster.setdefault(document, []).append(items[item])
        items[item].append(label)

    def value(part: list[Any]) -> float:
        labels = [row for cluster in part for row in cluster]
        columns = dict(zip(("ana", "bo", "cy"), map(list, zip(*labels, strict=True)), strict=True))
        return float(assay.agree(columns, categories=["x", "y", "z"])[name])

    found = assay.resample(name, data, interval="jackknife")
    error = jackknife(value, list(by_cluster.values()))
    assert found.standard_error == pytest.approx(error, rel=1e-9)


def test_clusters_of_one_item_are_items(tmp_path: Path, rows: Triples) -> None:
    alone = [(item, item, rater, label) for item, _, rater, label in rows]
    path = long_file(tmp_path / "a.csv", alone)
    clustered = assay.read(path, cluster="document")
    plain = assay.read(long_file(tmp_path / "b.csv", rows), item="item", rater="rater",
                       label="label")  # fmt: skip
    for name in ("fleiss_kappa", "krippendorff_alpha", "light_kappa"):
        one, other = (
            assay.resample(name, data, interval="jackknife").standard_error
            for data in (clustered, plain)
        )
        assert one == pytest.approx(other, rel=1e-10)
        drawn = [
            assay.resample(name, data, resamples=4000).standard_error for data in (clustered, plain)
        ]
        assert drawn[0] == pytest.approx(drawn[1], rel=0.06)


def test_alike_items_widen_the_interval() -> None:
    rows = triples(2, clusters=60)
    # Every item three times: as many clusters, more items, and nothing more is known.
    more = [(f"{i}.{k}", d, r, x) for i, d, r, x in rows for k in range(3)]
    found = [
        assay.resample("gwet_ac", _read(part, cluster), interval="jackknife").standard_error
        for part, cluster in ((rows, "document"), (more, "document"), (more, None))
    ]
    assert found[0] is not None
    assert found[1] == pytest.approx(found[0], rel=1e-9)
    assert found[2] is not None
    assert found[2] < 0.7 * found[0]


def _read(rows: Triples, cluster: str | None) -> assay.Ratings:
    records = [dict(zip(("item", "document", "rater", "label"), r, strict=True)) for r in rows]
    return assay.read(records, item="item", rater="rater", label="label", cluster=cluster)


@pytest.mark.parametrize("interval", ["bootstrap", "bca", "jackknife"])
def test_the_order_of_rows_does_not_matter(rows: Triples, interval: str) -> None:
    random = np.random.default_rng(5)
    shuffled = [rows[int(k)] for k in random.permutation(len(rows))]
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        one, other = (
            assay.resample(name, _read(part, "document"), interval=interval, resamples=300)
            for part in (rows, shuffled)
        )
        a, b = one.interval(), other.interval()
        assert a is not None
        assert b is not None
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-12)


def test_one_cluster_has_no_error() -> None:
    rows = [(f"i{k}", "d", r, x) for k in range(9) for r, x in (("a", "xy"[k % 2]), ("b", "x"))]
    found = assay.resample("gwet_ac", _read(rows, "document"), interval="bootstrap")
    why = found.why_no_interval()
    assert why is not None
    assert why.code == "single_cluster"


def test_few_clusters_are_said(rows: Triples) -> None:
    few = [row for row in rows if int(row[1][1:]) < 8]
    report = assay.agree(_read(few, "document"), interval="bootstrap", resamples=200)
    assert "few_clusters" in {w["code"] for w in report.summary["warnings"]}
    report = assay.agree(_read(rows, "document"), interval="bootstrap", resamples=200)
    assert "few_clusters" not in {w["code"] for w in report.summary["warnings"]}


def test_items_and_raters_are_not_drawn_by_cluster(rows: Triples) -> None:
    with pytest.raises(UsageError, match="clusters"):
        assay.agree(_read(rows, "document"), interval="bootstrap", resample="items-raters")
