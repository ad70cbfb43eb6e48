"""What other libraries print for the same ratings, each asked in its own way.

A function gives a number, or the word that stands for none: "nan", or the error it stops with.
A quantity that a library does not offer is simply not asked.
"""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations
from typing import Any

import numpy as np

PEERS = {
    "scikit-learn": ("sklearn.metrics", 1e-9),
    "statsmodels": ("statsmodels.stats.inter_rater", 1e-9),
    "krippendorff": ("krippendorff", 1e-9),
    "irrCAC": ("irrCAC.raw", 5.5e-6),
    "pingouin": ("pingouin", 1e-9),
    "scipy": ("scipy.stats", 1e-9),
    "seqeval": ("seqeval.metrics", 1e-9),
    "nervaluate": ("nervaluate.evaluator", 1e-9),
}
"""Library → its module, and how far from the same number it may be (irrCAC prints five digits)."""

Said = float | str
Rows = list[list[Any]]


def missing() -> list[str]:
    """The libraries that are not installed."""
    out = []
    for name in PEERS:
        try:
            version(name)
        except PackageNotFoundError:
            out.append(name)
    return out


@cache
def module(name: str) -> Any:
    """A peer's module, or another one of the same library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(PEERS[name][0] if name in PEERS else name)


def asked(function: Callable[[], Any]) -> Said:
    """What a library answers, its warnings apart."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            got = np.asarray(function(), dtype=float).ravel()
    except Exception as error:  # noqa: BLE001 (that it stops is the answer)
        return type(error).__name__
    value = float(got[0])
    return "nan" if math.isnan(value) else value


def sequences(table: Any) -> tuple[list[int], list[int]]:
    """Two raters' labels from a table of whole numbers."""
    a, b = [], []
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            a += [i] * int(count)
            b += [j] * int(count)
    return a, b


def cohen(table: Any, weights: str | None = None) -> dict[str, Said]:
    """Kappa of a table."""
    a, b = sequences(table)
    wt = {None: None, "linear": "linear", "quadratic": "fc"}[weights]
    out = {
        "scikit-learn": asked(
            lambda: module("scikit-learn").cohen_kappa_score(a, b, weights=weights)
        ),
        "statsmodels": asked(
            lambda: module("statsmodels").cohens_kappa(np.array(table), wt=wt).kappa
        ),
    }
    return out | irrcac_table(table, "cohen", "coefficient_value", weights or "identity")


def cohen_error(table: Any, name: str, weights: Any = None) -> dict[str, Said]:
    """What statsmodels, and where it has it irrCAC, say of a kappa beside its value."""

    def said() -> Any:
        w = None if weights is None else 1.0 - np.array(weights)  # theirs are disagreements
        return getattr(module("statsmodels").cohens_kappa(np.array(table), weights=w), name)

    out = {"statsmodels": asked(said)}
    if name == "std_kappa" and weights is None:
        out |= irrcac_table(table, "cohen", "se")
    return out


def irrcac_table(table: Any, name: str, what: str, weights: str = "identity") -> dict[str, Said]:
    """A coefficient of a two-rater table by irrCAC."""

    def said() -> Any:
        frame = module("pandas").DataFrame(table)
        cac = module("irrCAC.table").CAC(frame, weights=weights)
        return getattr(cac, name)()["est"][what]

    return {"irrCAC": asked(said)}


def irrcac(rows: Rows, name: str, what: str, weights: str = "identity") -> dict[str, Said]:
    """A coefficient of items × raters by irrCAC."""

    def said() -> Any:
        labels = sorted({float(x) for row in rows for x in row if x is not None})
        frame = module("pandas").DataFrame(
            [[np.nan if x is None else float(x) for x in row] for row in rows]
        )
        cac = module("irrCAC").CAC(frame, weights=weights, categories=labels)
        place = {"low": 0, "high": 1}.get(what)
        got = getattr(cac, name)()["est"]
        return got["confidence_interval"][place] if place is not None else got[what]

    return {"irrCAC": asked(said)}


def counts_of(rows: Rows) -> Any:
    """Items × labels."""
    labels = sorted({x for row in rows for x in row if x is not None})
    return np.array([[row.count(label) for label in labels] for row in rows])


def fleiss(rows: Rows, method: str = "fleiss") -> dict[str, Said]:
    """Fleiss' kappa, or Randolph's, of items × raters by statsmodels."""

    def said() -> Any:
        return module("statsmodels").fleiss_kappa(counts_of(rows), method=method)

    return {"statsmodels": asked(said)}


def alpha(rows: Rows, metric: str = "nominal") -> dict[str, Said]:
    """Alpha by krippendorff."""

    def said() -> Any:
        data = np.array([[np.nan if x is None else float(x) for x in row] for row in rows]).T
        return module("krippendorff").alpha(data, level_of_measurement=metric)

    return {"krippendorff": asked(said)}


def light(rows: Rows) -> dict[str, Said]:
    """The mean of scikit-learn's kappas of all pairs."""

    def said() -> Any:
        score = module("scikit-learn").cohen_kappa_score
        return np.mean([score(a, b) for a, b in combinations(list(zip(*rows, strict=True)), 2)])

    return {"scikit-learn": asked(said)}


def correlation(rows: Rows, name: str) -> dict[str, Said]:
    """The mean of scipy's correlations of all pairs."""

    def said() -> Any:
        function = getattr(module("scipy"), name)
        columns = list(zip(*rows, strict=True))
        return np.mean([function(a, b).statistic for a, b in combinations(columns, 2)])

    return {"scipy": asked(said)}


def concordance(rows: Rows) -> dict[str, Said]:
    """Kendall's W from scipy's Friedman statistic."""

    def said() -> Any:
        n, m = len(rows), len(rows[0])
        return module("scipy").friedmanchisquare(*np.array(rows)).statistic / (n - 1) / m

    return {"scipy": asked(said)}


FORMS = ("icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k")


def icc(rows: Rows, form: str, what: str = "ICC") -> dict[str, Said]:
    """One of pingouin's six forms: a column, or an end of the interval."""

    def said() -> Any:
        long = [(i, g, x) for i, row in enumerate(rows) for g, x in enumerate(row)]
        frame = module("pandas").DataFrame(long, columns=["item", "rater", "score"])
        found = module("pingouin").intraclass_corr(
            frame, targets="item", raters="rater", ratings="score"
        )
        row = found.iloc[FORMS.index(form)]
        if what in ("low", "high"):
            column = next(c for c in found.columns if c.startswith("CI95"))
            return row[column][int(what == "high")]
        return row[next(c for c in found.columns if c.replace("_", "-") == what)]

    return {"pingouin": asked(said)}


def spans(gold: list[str], pred: list[str], *, strict: Any = None) -> dict[str, Said]:
    """F1 of whole spans: seqeval in one of its modes, and nervaluate's "strict"."""

    def said() -> Any:
        if strict is None:
            return module("seqeval").f1_score([gold], [pred])
        scheme = getattr(module("seqeval.scheme"), strict)
        return module("seqeval").f1_score([gold], [pred], mode="strict", scheme=scheme)

    def evaluated() -> Any:
        types = sorted({tag[2:] for tag in (*gold, *pred) if tag != "O"})
        evaluator = module("nervaluate").Evaluator([gold], [pred], tags=types, loader="list")
        return evaluator.evaluate()["overall"]["strict"].f1

    out = {"seqeval": asked(said)}
    return out if strict is not None else out | {"nervaluate": asked(evaluated)}
