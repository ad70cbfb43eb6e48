"""Summaries written by hand, in the shape that ``AgreementReport.to_dict()`` gives."""

from __future__ import annotations

from typing import Any

from assay.report.names import NAMES

NOT_HERE = {"code": "not_applicable", "reason": "labels are not numbers"}


def coefficient(
    name: str,
    value: float | None,
    po: float | None = None,
    pe: float | None = None,
    se: float | None = None,
    **more: Any,
) -> dict[str, Any]:
    interval = None
    if value is not None and se is not None:
        low, high = max(-1.0, value - 1.98 * se), min(1.0, value + 1.98 * se)
        interval = {"level": 0.95, "low": low, "high": high, "method": "Gwet's linearisation, t"}
    out: dict[str, Any] = {
        "name": name,
        "full_name": NAMES[name].title,
        "value": value,
        "undefined": None,
        "observed": po,
        "expected": pe,
        "standard_error": se,
        "interval": interval,
        "p_value": None if se is None else 0.00001234567891,
        "tests": [],
        "maximum": None,
        "items": 120,
        "raters": 3,
        "ratings": 351,
        "convention": "",
        "reference": "",
        "notes": [],
        "no_interval": None,
    }
    if se is not None and value is not None:
        out["tests"] = [
            {
                "method": "Gwet's linearisation, t",
                "null": 0.0,
                "standard_error": se,
                "statistic": value / se,
                "df": 119,
                "p_value": out["p_value"],
                "undefined": None,
            }
        ]
    return out | more


def _all(given: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [given.get(name) or coefficient(name, None, undefined=dict(NOT_HERE)) for name in NAMES]


def three() -> dict[str, Any]:
    """Three raters, three labels, some gaps."""
    alpha = coefficient(
        "krippendorff_alpha",
        0.44123456789,
        0.7828,
        0.6113,
        0.0652,
        full_name="Krippendorff's alpha (nominal)",
        reference="Krippendorff 2018, Content Analysis, 4th ed.",
    )
    fleiss = coefficient(
        "fleiss_kappa",
        0.4402,
        0.7828,
        0.6120,
        0.0651,
        full_name="Fleiss' kappa (estimator: gwet)",
        reference="Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed.",
        maximum=0.88,
    )
    given = [
        alpha,
        fleiss,
        coefficient("percent_agreement", 0.7828, 0.7828, None, 0.026, p_value=None, tests=[]),
        coefficient("unanimous_agreement", 0.683, 0.683, None, 0.042, p_value=None, tests=[]),
        coefficient("light_kappa", 0.436, 0.783, 0.611, 0.0663),
        coefficient("conger_kappa", 0.443, 0.783, 0.610, 0.0648),
        coefficient("brennan_prediger", 0.674, 0.783, 1 / 3, 0.0388),
        coefficient("gwet_ac", 0.7346, 0.783, 0.182, 0.0340),
        coefficient(
            "cohen_kappa",
            None,
            undefined={"code": "not_applicable", "reason": "it is for two raters, there are 3"},
        ),
    ]
    return {
        "assay": "0.1.0",
        "level": 0.95,
        "weights": "identity",
        "estimator": "gwet",
        "headline": [
            "Two raters agree on an item in 78.3 % of cases; chance alone would give 61.1 %.",
            "Krippendorff's alpha is 0.441 (95 % interval 0.312 to 0.570).",
        ],
        "source": {
            "name": "answers.csv",
            "items": 120,
            "raters": 3,
            "ratings": 351,
            "layout": "wide",
            "items_with_one_rating": 2,
            "items_without_ratings": 0,
            "missing": 9,
            "notes": [
                {
                    "code": "layout_found",
                    "level": "info",
                    "message": "wide layout: one column a rater (mai, jonas, priya), items "
                    "in 'item'",
                },
            ],
        },
        "scale": {
            "kind": "nominal",
            "declared_kind": False,
            "categories": ["minor", "ok", "violation"],
            "declared": False,
            "ordered": False,
            "count": 3,
        },
        "chosen": ["krippendorff_alpha", "fleiss_kappa", "gwet_ac", "percent_agreement"],
        "coefficients": _all({c["name"]: c for c in given}),
        "labels": [
            _label("minor", 58, 0.52, 0.38),
            _label("ok", 281, 0.88, 0.49),
            _label("violation", 12, 0.41, -0.0204),
        ],
        "raters": [
            _rater("mai", {"minor": 20, "ok": 96, "violation": 2}),
            _rater("jonas", {"minor": 14, "ok": 100, "violation": 2}),
            _rater("priya", {"minor": 24, "ok": 85, "violation": 8}),
        ],
        "pairs": [
            _pair("mai", "jonas", 0.512, 0.86, 0.71),
            _pair("mai", "priya", 0.431, 0.76, 0.58),
            _pair("jonas", "priya", 0.365, 0.73, 0.57),
        ],
        "warnings": [
            {
                "code": "few_items_disputed",
                "message": "only 12 of 351 ratings are 'violation': its figures rest on few items.",
            }
        ],
        "interpretation": None,
    }


def two() -> dict[str, Any]:
    """The default table of the kappa lab: high agreement, kappa near zero."""
    out = three()
    kappa = coefficient(
        "cohen_kappa",
        0.003984,
        0.9,
        0.8996,
        0.0312,
        maximum=0.940239,
        full_name="Cohen's kappa",
        reference="Cohen 1960, Educational and Psychological Measurement 20",
        p_value=0.8991,
    )
    given = [
        kappa,
        coefficient("percent_agreement", 0.9, 0.9, None, 0.0095),
        coefficient("unanimous_agreement", 0.9, 0.9, None, 0.0095),
        coefficient("scott_pi", 0.0038, 0.9, 0.89962, 0.031),
        coefficient("fleiss_kappa", 0.0038, 0.9, 0.89962, 0.031),
        coefficient("conger_kappa", 0.003984, 0.9, 0.8996, 0.031),
        coefficient("brennan_prediger", 0.8, 0.9, 0.5, 0.019),
        coefficient("gwet_ac", 0.8885, 0.9, 0.1004, 0.0117),
        coefficient("krippendorff_alpha", 0.0043, 0.90005, 0.8996, 0.031),
        coefficient("bangdiwala_b", 0.8929, None, None, None),
    ]
    pair = _pair("human", "judge", 0.003984, 0.9, 0.8996)
    pair |= {
        "items": 1000,
        "maximum": 0.940239,
        "pabak": 0.8,
        "prevalence_index": 0.894,
        "bias_index": 0.006,
        "confusion": {"labels": ["safe", "violation"], "counts": [[897, 53], [47, 3]]},
        "marginal_tests": [
            {
                "method": "McNemar",
                "null": None,
                "standard_error": None,
                "statistic": 0.36,
                "df": 1,
                "p_value": 0.5485,
                "undefined": None,
            }
        ],
        "labels": [
            {"label": "safe", "f1": 0.947, "jaccard": 0.9},
            {"label": "violation", "f1": 0.0566, "jaccard": 0.029},
        ],
    }
    return out | {
        "headline": [
            "human and judge agree on 900 of 1,000 items (90.0 %); chance would give 90.0 %.",
            "Cohen's kappa is 0.004 (95 % interval −0.057 to 0.065).",
        ],
        "source": out["source"]
        | {
            "name": "safety.csv",
            "items": 1000,
            "raters": 2,
            "ratings": 2000,
            "missing": 0,
            "items_with_one_rating": 0,
            "layout": "table",
            "notes": [],
        },
        "scale": out["scale"] | {"categories": ["safe", "violation"], "count": 2},
        "chosen": ["cohen_kappa", "gwet_ac", "percent_agreement"],
        "coefficients": _all({c["name"]: c for c in given}),
        "labels": [_label("safe", 1894, 0.947, 0.0038), _label("violation", 106, 0.0566, 0.0038)],
        "raters": [
            _rater("human", {"safe": 950, "violation": 50}),
            _rater("judge", {"safe": 944, "violation": 56}),
        ],
        "pairs": [pair],
        "warnings": [
            {
                "code": "skewed_labels",
                "message": "'safe' is 94.7 % of the ratings: chance alone gives 90.0 %, so "
                "percent agreement says little; read the figures per label.",
            }
        ],
    }


def many(raters: int = 20) -> dict[str, Any]:
    """Many raters with long names and wide characters."""
    out = three()
    names = [f"annotator-{i:02d}-第{i}组" for i in range(1, raters + 1)]
    out["raters"] = [
        _rater(n, {"minor": 20 + i, "ok": 90 - 2 * i, "violation": i})
        for i, n in enumerate(names, 1)
    ]
    out["pairs"] = [
        _pair(a, b, ((i * 7 + j * 13) % 90) / 100 - 0.1, 0.8, 0.6)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    ]
    out["source"] = out["source"] | {"raters": raters}
    return out


def undefined() -> dict[str, Any]:
    """Both raters used one label."""
    out = two()
    why = {
        "code": "one_label_used",
        "reason": "all 240 ratings are 'safe': expected agreement is 1",
    }
    for c in out["coefficients"]:
        if c["name"] in ("cohen_kappa", "scott_pi", "fleiss_kappa", "krippendorff_alpha"):
            c.update(value=None, undefined=why, interval=None, standard_error=None, p_value=None)
    return out


def groups() -> dict[str, Any]:
    """Two dimensions side by side."""
    first, second = three(), undefined()
    for group, name in ((first, "fluency"), (second, "relevance")):
        group["group"] = name
    return {
        "assay": "0.1.0",
        "level": 0.95,
        "groups": [first, second],
        "warnings": [
            {
                "code": "different_ceilings",
                "message": "the groups' label distributions differ: do not compare their kappas.",
            }
        ],
    }


def _label(label: str, count: int, specific: float, kappa: float) -> dict[str, Any]:
    return {
        "label": label,
        "count": count,
        "specific_agreement": specific,
        "conditional_kappa": None,
        "category_kappa": kappa,
        "standard_error": 0.0527,
        "z": kappa / 0.0527,
        "p_value": 0.00003,
    }


def _rater(name: str, distribution: dict[str, int]) -> dict[str, Any]:
    return {
        "rater": name,
        "ratings": sum(distribution.values()),
        "distribution": distribution,
    }


def _pair(a: str, b: str, kappa: float, po: float, pe: float) -> dict[str, Any]:
    return {
        "raters": [a, b],
        "items": 116,
        "cohen_kappa": kappa,
        "observed": po,
        "expected": pe,
        "maximum": 0.81,
        "pabak": None,
        "prevalence_index": None,
        "bias_index": None,
        "labels": [],
        "marginal_tests": [],
        "confusion": None,
        "correlations": None,
        "bland_altman": None,
        "undefined": None,
    }
