"""Other libraries on random ratings; where they differ, the difference is a test too.

Known differences, beside those asserted below:

- scikit-learn: "linear" and "quadratic" use positions among the labels seen or listed, ours the
  values of labels that are numbers; on a complete scale of whole numbers both are the same.
- krippendorff: fails on one label, where ours is undefined with a reason.
- irrCAC: rounds to five digits, and its errors of alpha with missing ratings differ (see below).
- pingouin: averages duplicate rows without a word, where ours refuses them.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import wide

LABELS = [1, 2, 3, 4]
SEEDS = range(12)


def matrix(seed: int, raters: int, *, missing: float = 0.0, items: int = 40) -> list[list[Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(1, 5, items)
    kept = random.random((items, raters)) < 0.6
    labels = np.where(kept, truth[:, None], random.integers(1, 5, (items, raters)))
    gone = random.random((items, raters)) < missing
    labels[:4, :] = np.arange(1, 5)[:, None]
    gone[:4] = False
    return [
        [None if g else int(x) for x, g in zip(row, out, strict=True)]
        for row, out in zip(labels, gone, strict=True)
    ]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_scikit_learn(seed: int, weights: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = zip(*matrix(seed, 2), strict=True)
    peer = metrics.cohen_kappa_score(a, b, weights=None if weights == "identity" else weights)
    assert assay.cohen_kappa(a, b, weights=weights).value == pytest.approx(peer, abs=1e-12)
    for label, f1 in assay.f1(a, b).items():
        scores = metrics.f1_score(a, b, labels=LABELS, average=None)
        assert f1.value == pytest.approx(scores[int(label) - 1], abs=1e-12)


def test_scikit_learn_takes_positions_among_the_labels_seen() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = [1, 2, 4, 5, 1, 2, 4, 5], [1, 2, 4, 5, 2, 1, 5, 4]
    ours = assay.cohen_kappa(a, b, weights="quadratic").value
    assert ours == pytest.approx(0.9)
    assert metrics.cohen_kappa_score(a, b, weights="quadratic") == pytest.approx(0.8)
    listed = metrics.cohen_kappa_score(a, b, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert listed == pytest.approx(ours)


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels(seed: int) -> None:
    inter = pytest.importorskip("statsmodels.stats.inter_rater")
    random = np.random.default_rng(seed)
    table = random.integers(1, 30, (3, 3))
    for peer_weights, weights in ((None, "identity"), ("linear", "linear"), ("fc", "quadratic")):
        peer = inter.cohens_kappa(table, wt=peer_weights)
        ours = assay.cohen_kappa(table=table, weights=weights)
        assert ours.value == pytest.approx(float(peer.kappa), abs=1e-12)
        assert ours.standard_error == pytest.approx(float(peer.std_kappa), rel=1e-9)
        assert ours.test().standard_error == pytest.approx(float(peer.std_kappa0), rel=1e-9)
        assert ours.p_value == pytest.approx(float(peer.pvalue_two_sided), rel=1e-6, abs=1e-15)
        if weights == "identity":
            assert ours.maximum == pytest.approx(float(peer.kappa_max))
    rows = matrix(seed, 5)
    counts = [[row.count(k) for k in LABELS] for row in rows]
    assert assay.fleiss_kappa(counts=counts).value == pytest.approx(inter.fleiss_kappa(counts))
    randolph = inter.fleiss_kappa(counts, method="randolph")
    assert assay.brennan_prediger(counts=counts).value == pytest.approx(randolph)


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels_marginal_tests(seed: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    from assay.agreement.cells import Cells
    from assay.agreement.marginals import bhapkar, bowker, mcnemar, mcnemar_exact, stuart_maxwell
    from assay.ratings.reductions import Reduced

    random = np.random.default_rng(seed)
    table = random.integers(1, 30, (4, 4))
    cells = Cells.of_two(Reduced.of(assay.read(assay.Table(table))), "test")
    square = tables.SquareTable(table, shift_zeros=False)
    for ours, peer in (
        (bowker(cells), square.symmetry()),
        (stuart_maxwell(cells), square.homogeneity()),
        (bhapkar(cells), square.homogeneity(method="bhapkar")),
    ):
        assert ours.statistic == pytest.approx(peer.statistic, rel=1e-9)
        assert ours.df == peer.df
        assert ours.p_value == pytest.approx(peer.pvalue, rel=1e-7)
    two = table[:2, :2]
    cells = Cells.of_two(Reduced.of(assay.read(assay.Table(two))), "test")
    peer = tables.mcnemar(two, exact=False, correction=False)
    assert mcnemar(cells).statistic == pytest.approx(peer.statistic)
    assert mcnemar(cells).p_value == pytest.approx(peer.pvalue)
    assert mcnemar_exact(cells).p_value == pytest.approx(tables.mcnemar(two, exact=True).pvalue)


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels_cochran(seed: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    random = np.random.default_rng(seed)
    hits = random.integers(0, 2, (30, 4))
    peer = tables.cochrans_q(hits)
    (ours,) = assay.agree(wide(hits.tolist())).summary["marginal_tests"]
    assert ours["statistic"] == pytest.approx(peer.statistic)
    assert ours["p_value"] == pytest.approx(peer.pvalue)


METRICS = ["nominal", "ordinal", "interval", "ratio"]


@pytest.mark.parametrize("seed", SEEDS)
def test_krippendorff(seed: int) -> None:
    peer = pytest.importorskip("krippendorff")
    rows = matrix(seed, 4, missing=0.3)
    data = np.array([[np.nan if x is None else x for x in row] for row in rows]).T
    for metric in METRICS:
        theirs = peer.alpha(reliability_data=data, level_of_measurement=metric)
        ours = assay.krippendorff_alpha(wide(rows), metric=metric).value
        assert ours == pytest.approx(theirs, abs=1e-9), metric


@pytest.mark.parametrize("seed", SEEDS)
def test_scipy(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = zip(*matrix(seed, 2), strict=True)
    for ours, peer in (
        (assay.spearman(a, b), stats.spearmanr(a, b)),
        (assay.pearson(a, b), stats.pearsonr(a, b)),
        (assay.kendall_tau(a, b), stats.kendalltau(a, b, method="asymptotic")),
    ):
        assert ours.value == pytest.approx(float(peer.statistic), abs=1e-12)
        assert ours.p_value == pytest.approx(float(peer.pvalue), rel=1e-7)
    interval = stats.pearsonr(a, b).confidence_interval(0.95)
    got = assay.pearson(a, b).interval()
    assert (got.low, got.high) == pytest.approx((interval.low, interval.high))
    rows = matrix(seed, 4)
    friedman = stats.friedmanchisquare(*rows).statistic
    m, n = 4, len(rows)
    assert assay.kendall_w(rows).value == pytest.approx(friedman / (m * (n - 1)))


@pytest.mark.parametrize("seed", SEEDS)
def test_rank_correlations_of_many_values(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(seed)
    x = random.integers(0, 3000, 1800)
    y = x + random.integers(0, 2000, 1800)
    assert len(assay.from_lists(x, y).categories) > 1500
    assert assay.kendall_tau(x, y).value == pytest.approx(stats.kendalltau(x, y).statistic)
    assert assay.spearman(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic)


@pytest.mark.parametrize("seed", range(6))
def test_pingouin(seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = pytest.importorskip("pingouin")
    pandas = pytest.importorskip("pandas")
    rows = matrix(seed, 3, items=15)
    long = [(i, g, x) for i, row in enumerate(rows) for g, x in enumerate(row)]
    frame = pandas.DataFrame(long, columns=["item", "rater", "score"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer.intraclass_corr(frame, targets="item", raters="rater", ratings="score")
    found = theirs.set_index("Type")
    interval_name = next(c for c in found.columns if c.startswith("CI95"))
    names = dict(zip(found.index, ("icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k"),
                     strict=True))  # fmt: skip
    for title, form in names.items():
        ours, row = assay.icc(rows, form=form), found.loc[title]
        assert ours.value == pytest.approx(row["ICC"], abs=1e-9)
        test = ours.test()
        assert test.statistic == pytest.approx(row["F"], rel=1e-9)
        assert test.df == (row["df1"], row["df2"])
        interval = ours.interval()
        # Printed with two or three digits.
        assert (interval.low, interval.high) == pytest.approx(tuple(row[interval_name]), abs=6e-3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weights", ["identity", "quadratic", "linear", "radical", "bipolar"])
def test_irrcac(seed: int, missing: float, weights: str) -> None:
    """Values and errors, to the five digits that it prints."""
    raw = pytest.importorskip("irrCAC.raw")
    pandas = pytest.importorskip("pandas")
    rows = matrix(seed, 4, missing=missing)
    frame = pandas.DataFrame([[np.nan if x is None else float(x) for x in row] for row in rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cac = raw.CAC(frame, weights=weights, categories=[1.0, 2.0, 3.0, 4.0])
        data = wide(rows, categories=LABELS)
        for name, ours in (
            ("gwet", assay.gwet_ac(data, weights=weights)),
            ("fleiss", assay.fleiss_kappa(data, weights=weights)),
            ("conger", assay.conger_kappa(data, weights=weights)),
            ("bp", assay.brennan_prediger(data, weights=weights)),
            ("krippendorff", assay.krippendorff_alpha(data, weights=weights)),
        ):
            peer = getattr(cac, name)()["est"]
            assert ours.value == pytest.approx(peer["coefficient_value"], abs=1.1e-5), name
            if name == "krippendorff" and missing:
                # Theirs linearises with the small-sample term, ours without.
                continue
            assert ours.standard_error == pytest.approx(peer["se"], abs=1.1e-5), name
