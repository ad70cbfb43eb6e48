"""Every oracle of the tests as a row: the number to reach, ours, and what other libraries say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tests")]

import assay  # noqa: E402
import conformance_peers as peers  # noqa: E402
from agreement import datasets as d  # noqa: E402
from agreement import test_oracles_many as many  # noqa: E402
from agreement import test_oracles_numeric as numeric  # noqa: E402
from agreement import test_oracles_two as two  # noqa: E402
from spans import test_cases as span_cases  # noqa: E402


@dataclass(frozen=True)
class Row:
    """One number: the one to reach as the tests have it, ours, and what each library says."""

    oracle: str
    quantity: str
    due: str | None
    ours: float | None
    said: dict[str, peers.Said] = field(default_factory=dict)

    def differs(self, peer: str) -> bool:
        """Whether a library says another number than ours."""
        theirs = self.said[peer]
        if isinstance(theirs, str) or self.ours is None:
            return True
        return abs(theirs - self.ours) > self.tolerance(peer)

    def tolerance(self, peer: str) -> float:
        # Its intervals have two digits.
        if peer == "pingouin" and "limit" in self.quantity:
            return 5.1e-3
        return peers.PEERS[peer][1]

    def digits(self, peer: str) -> int:
        """How many decimals a library prints."""
        if peer == "pingouin" and "limit" in self.quantity:
            return 2
        return 5 if peer == "irrCAC" else 6

    @property
    def reached(self) -> bool:
        """Whether ours is the number to reach, to its last digit."""
        if self.due is None:
            return True
        return self.ours is not None and self.ours == d.printed(self.due)


def rows_of(data: Any) -> peers.Rows:
    """Items × raters as numbers; labels of counts in order, since nobody knows whose they are."""
    if isinstance(data, assay.Counts):
        expanded = [
            [k + 1 for k, n in enumerate(row) for _ in range(n)] for row in data.counts.tolist()
        ]
        width = max(map(len, expanded))
        return [row + [None] * (width - len(row)) for row in expanded]
    from assay.agreement.additive_units import Source
    from assay.ratings.reductions import Reduced

    numbers = data.categories.numbers
    codes = Source(Reduced(data), "items").rows.tolist()
    return [
        [None if k < 0 else k + 1 if numbers is None else numbers[k] for k in row] for row in codes
    ]


def parameters(test: Any) -> list[Any]:
    """The table that a test runs over."""
    return list(test.pytestmark[0].args[1])


def two_raters() -> Iterator[Row]:
    """Kappa of a table with its errors and ceiling, and the other coefficients."""
    for name, kappa, error, null, top, linear, quadratic in two.KAPPAS:
        table = d.TWO_RATERS[name]
        ours = assay.cohen_kappa(table=table)
        yield Row(name, "Cohen's kappa", kappa, ours.value, peers.cohen(table))
        said = peers.cohen_error(table, "std_kappa")
        yield Row(name, "its error", error, ours.standard_error, said)
        said = peers.cohen_error(table, "std_kappa0")
        yield Row(name, "its error under no agreement", null, ours.test(0.0).standard_error, said)
        yield Row(name, "its ceiling", top, ours.maximum, peers.cohen_error(table, "kappa_max"))
        for weights, value in (("linear", linear), ("quadratic", quadratic)):
            if value is not None:
                ours_too = assay.cohen_kappa(table=table, weights=weights).value
                said = peers.cohen(table, weights)
                yield Row(name, f"weighted kappa, {weights}", value, ours_too, said)
    yield from _papers_weights()
    yield from _other_coefficients()


def _papers_weights() -> Iterator[Row]:
    for name, weights, kappa, error, null in two.WEIGHTED:
        table = d.TWO_RATERS[name]
        ours = assay.cohen_kappa(table=table, weights=weights)
        rest = (
            (kappa, ours.value, "kappa", "weighted kappa, by the paper's weights"),
            (error, ours.standard_error, "std_kappa", "its error"),
            (null, ours.test(0.0).standard_error, "std_kappa0", "its error under no agreement"),
        )
        for value, mine, attribute, quantity in rest:
            said = peers.cohen_error(table, attribute, weights)
            yield Row(f"{name}, weighted", quantity, value, mine, said)


def _other_coefficients() -> Iterator[Row]:
    for name, coefficient, value, error in two.OTHERS:
        table = two.TABLES[name]
        ours = getattr(assay, coefficient)(table=table)
        title, theirs = OTHERS[coefficient]
        said = peers.irrcac_table(table, theirs, "coefficient_value") if theirs else {}
        if coefficient == "cohen_kappa":
            said |= peers.cohen(table)
        pairs = [list(pair) for pair in zip(*peers.sequences(table), strict=True)]
        if coefficient == "krippendorff_alpha":
            said |= peers.alpha(pairs)
        if coefficient in ("scott_pi", "brennan_prediger"):
            method = "fleiss" if coefficient == "scott_pi" else "randolph"
            said |= peers.fleiss(pairs, method)
        yield Row(name, title, value, ours.value, said)
        if error is not None:
            said = peers.irrcac_table(table, theirs, "se") if theirs else {}
            yield Row(name, f"error of {title}", error, ours.standard_error, said)


OTHERS = {
    "cohen_kappa": ("Cohen's kappa", "cohen"), "scott_pi": ("Scott's pi", "scott"),
    "gwet_ac": ("AC1", "gwet"), "brennan_prediger": ("Brennan-Prediger", "bp"),
    "percent_agreement": ("percent agreement", "pa2"), "bangdiwala_b": ("Bangdiwala's B", ""),
    "krippendorff_alpha": ("alpha", "krippendorff"),
}  # fmt: skip

MANY = {
    "fleiss": ("Fleiss' kappa", "fleiss"), "conger": ("Conger's kappa", "conger"),
    "light": ("Light's kappa", ""), "ac": ("AC1", "gwet"), "bp": ("Brennan-Prediger", "bp"),
    "alpha": ("alpha", "krippendorff"), "percent": ("percent agreement", "fleiss"),
}  # fmt: skip


def several_raters() -> Iterator[Row]:
    """Values and errors, intervals, p-values, weights, metrics, tests of 0, labels, estimators."""
    rows = {name: rows_of(data) for name, data in many.DATA.items()}
    for name, key, value, po, pe, error in many.ESTIMATES:
        ours = many.FUNCTIONS[key](many.DATA[name])
        title, theirs = MANY[key]
        what = "pa" if key == "percent" else "coefficient_value"
        said: dict[str, peers.Said] = peers.light(rows[name]) if key == "light" else {}
        if key in ("fleiss", "bp"):
            said |= peers.fleiss(rows[name], "fleiss" if key == "fleiss" else "randolph")
        if key == "alpha":
            said |= peers.alpha(rows[name])
        if theirs:
            said |= peers.irrcac(rows[name], theirs, what)
        yield Row(name, title, value, ours.value, said)
        for given, mine, sign in ((po, ours.observed, "pa"), (pe, ours.expected, "pe")):
            if given is not None and key not in ("light", "percent"):
                quantity = f"{'observed' if sign == 'pa' else 'expected'} agreement, {title}"
                yield Row(name, quantity, given, mine, peers.irrcac(rows[name], theirs, sign))
        if error is not None:
            said = {} if key == "percent" else peers.irrcac(rows[name], theirs, "se")
            yield Row(name, f"error of {title}", error, ours.standard_error, said)
    for name, key, low, high, _ in many.INTERVALS:
        interval = many.FUNCTIONS[key](many.DATA[name]).interval()
        title, theirs = MANY[key]
        for end, value in (("low", low), ("high", high)):
            said = {} if key == "percent" else peers.irrcac(rows[name], theirs, end)
            quantity = f"{'lower' if end == 'low' else 'upper'} limit, {title}"
            yield Row(name, quantity, value, getattr(interval, end), said)
    name = "Gwet, raw 4 raters"
    for key, p in many.P_VALUES:
        title, theirs = MANY[key]
        ours = many.FUNCTIONS[key](many.DATA[name])
        yield Row(
            name,
            f"p-value of {title}",
            p,
            ours.p_value,
            peers.irrcac(rows[name], theirs, "p_value"),
        )
    for weights, ac2, error, alpha in many.WEIGHTED:
        data = many.DATA[name]
        ours = assay.gwet_ac(data, weights=weights)
        for value, mine, what in (
            (ac2, ours.value, "coefficient_value"),
            (error, ours.standard_error, "se"),
        ):
            title = f"{'error of ' if what == 'se' else ''}AC2, {weights} weights"
            yield Row(name, title, value, mine, peers.irrcac(rows[name], "gwet", what, weights))
        found = assay.krippendorff_alpha(data, weights=weights).value
        said = peers.irrcac(rows[name], "krippendorff", "coefficient_value", weights)
        yield Row(name, f"alpha, {weights} weights", alpha, found, said)
    for name, metric, value in many.METRICS:
        found = assay.krippendorff_alpha(many.DATA[name], metric=metric).value
        weights = {"nominal": "identity", "interval": "quadratic"}.get(metric, metric)
        said = peers.alpha(rows[name], metric)
        said |= peers.irrcac(rows[name], "krippendorff", "coefficient_value", weights)
        yield Row(name, f"alpha, {metric}", value, found, said)
    yield from _tests_and_estimators(rows)


def _tests_and_estimators(rows: dict[str, peers.Rows]) -> Iterator[Row]:
    for name, error, z in many.NULL_ERRORS:
        test = assay.fleiss_kappa(many.DATA[name]).tests[1]
        yield Row(name, "error of Fleiss' kappa under no agreement", error, test.standard_error)
        yield Row(name, "z of Fleiss' kappa", z, test.statistic)
    for name, kappas, error, _ in many.CATEGORIES:
        found = assay.category_kappa(many.DATA[name])
        for (label, mine), value in zip(found.items(), kappas.split(), strict=True):
            yield Row(name, f"kappa of label {label}", value, mine.value)
        first = next(iter(found.values()))
        yield Row(name, "its error under no agreement", error, first.tests[0].standard_error)
    name = "Stata, varying raters"
    for estimator, value in many.ESTIMATORS:
        mine = assay.fleiss_kappa(many.DATA[name], estimator=estimator).value
        said = {}
        if estimator == "gwet":
            said = peers.fleiss(rows[name]) | peers.irrcac(
                rows[name], "fleiss", "coefficient_value"
            )
        yield Row(name, f"Fleiss' kappa, estimator {estimator}", value, mine, said)


def numbers() -> Iterator[Row]:
    """ICC with its intervals and test, W, correlations, limits of agreement."""
    forms = [("Shrout-Fleiss", *row) for row in numeric.SHROUT_FLEISS_FORMS]
    forms += [("anxiety", *row) for row in parameters(numeric.test_anxiety)]
    for name, form, value in forms:
        data: Any = numeric.NUMERIC[name]
        ours = assay.icc(data, form=form)
        yield Row(name, TITLES[form], value, ours.value, peers.icc(data, form))
        test, title = ours.test(), TITLES[form]
        yield Row(name, f"F of {title}", None, test.statistic, peers.icc(data, form, "F"))
        yield Row(name, f"p-value of {title}", None, test.p_value, peers.icc(data, form, "pval"))
    for name, form, low, high in numeric.INTERVALS:
        data = numeric.NUMERIC[name]
        interval = assay.icc(data, form=form).interval()
        for end, value in (("low", low), ("high", high)):
            quantity = f"{'lower' if end == 'low' else 'upper'} limit, {TITLES[form]}"
            mine = getattr(interval, end)
            yield Row(name, quantity, value, mine, peers.icc(data, form, end))
    yield Row(
        "anxiety",
        "Kendall's W",
        None,
        assay.kendall_w(d.ANXIETY).value,
        peers.concordance(d.ANXIETY),
    )
    for title, function, theirs in (
        ("Spearman, mean of pairs", assay.spearman, "spearmanr"),
        ("Pearson, mean of pairs", assay.pearson, "pearsonr"),
        ("Kendall's tau-b, mean of pairs", assay.kendall_tau, "kendalltau"),
    ):
        yield Row(
            "anxiety", title, None, function(d.ANXIETY).value, peers.correlation(d.ANXIETY, theirs)
        )


TITLES = {
    "icc_1": "ICC(1,1)", "icc_a_1": "ICC(A,1)", "icc_c_1": "ICC(C,1)",
    "icc_1_k": "ICC(1,k)", "icc_a_k": "ICC(A,k)", "icc_c_k": "ICC(C,k)",
}  # fmt: skip


def no_answer() -> Iterator[Row]:
    """Five items that both raters call the same, with no other label declared."""
    table, rows = [[5]], [[1, 1]] * 5
    a = [1] * 5
    for title, function, said in (
        ("Cohen's kappa", assay.cohen_kappa, peers.cohen(table)),
        (
            "Fleiss' kappa",
            assay.fleiss_kappa,
            peers.fleiss(rows) | peers.irrcac(rows, "fleiss", "coefficient_value"),
        ),
        (
            "alpha",
            assay.krippendorff_alpha,
            peers.alpha(rows) | peers.irrcac(rows, "krippendorff", "coefficient_value"),
        ),
    ):
        yield Row("5 × the same label", title, None, function(a, a).value, said)


SCHEMES = {"BIO": "IOB2", "BIOES": "IOBES", "BILOU": "BILOU"}


def spans() -> Iterator[Row]:
    """F1 of whole spans: illegal tags opened as by most scorers, and discarded."""
    from assay.spans.corpus import TagRows
    from assay.spans.decode import detect_scheme

    for case in span_cases.parsed():
        gold, pred, _ = case.values
        for illegal in ("open", "discard"):
            scores = span_cases.scored(gold, pred, illegal)
            mine = span_cases.f1(scores, "exact", "1") / 100
            scheme = detect_scheme(TagRows.of([gold]), TagRows.of([pred]))
            name = None if illegal == "open" else SCHEMES[scheme]
            said = peers.spans(gold, pred, strict=name)
            yield Row(
                f"{case.id}: {written(case.id, gold, pred)}", f"F1, {illegal}", None, mine, said
            )


def written(name: str, gold: list[str], pred: list[str]) -> str:
    """The two rows, or what was changed in the sentence of 17 tokens."""
    if name.startswith("A"):
        swaps = [f"{i} {b}" for i, (a, b) in enumerate(zip(gold, pred, strict=True)) if a != b]
        return f"17 tokens, {', '.join(swaps) or 'nothing'} changed"
    return f"`{' '.join(gold)}` → `{' '.join(pred)}`"


SECTIONS = {
    "Two raters": two_raters, "Several raters": several_raters, "Numbers": numbers,
    "No answer": no_answer, "Spans": spans,
}  # fmt: skip
