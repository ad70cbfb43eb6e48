"""assay: how far labels and human evaluations can be trusted."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Where each public name lives. Imported on first use, so that `import assay` stays light.
_HOME = {
    "AgreementReport": "assay.report.agreement",
    "agree": "assay.report.agreement",
    "plan": "assay.report.plan.report",
    "PlanReport": "assay.report.plan.report",
    "explain": "assay.report.explain",
    "Explanation": "assay.report.explain",
    "evaluate": "assay.report.evaluate.report",
    "EvaluationReport": "assay.report.evaluate.report",
    "prefer": "assay.report.prefer.report",
    "PreferenceReport": "assay.report.prefer.report",
    "bradley_terry": "assay.preference.bradley_terry",
    "read": "assay.ratings.read",
    "from_lists": "assay.ratings.read",
    "SpanReport": "assay.report.spans.report",
    "score_spans": "assay.report.spans.report",
    "annotator_agreement": "assay.report.annotators.report",
    "AnnotatorReport": "assay.report.annotators.report",
    "stream_spans": "assay.report.spans.streamed",
    "read_spans": "assay.spans.read",
    "TagRows": "assay.spans.corpus",
    "SpanSet": "assay.spans.corpus",
    "decode": "assay.spans.decode",
    "encode": "assay.spans.encode",
    "Categories": "assay.ratings.categories",
    "Counts": "assay.ratings.tables",
    "Ratings": "assay.ratings.model",
    "Table": "assay.ratings.tables",
    "Estimate": "assay.estimate",
    "HypothesisTest": "assay.estimate",
    "Interval": "assay.estimate",
    "Undefined": "assay.estimate",
    "ReadingWarning": "assay.errors",
    "percent_agreement": "assay.agreement.percent",
    "unanimous_agreement": "assay.agreement.percent",
    "cohen_kappa": "assay.agreement.cohen",
    "light_kappa": "assay.agreement.light",
    "conger_kappa": "assay.agreement.conger",
    "scott_pi": "assay.agreement.scott",
    "fleiss_kappa": "assay.agreement.fleiss",
    "brennan_prediger": "assay.agreement.brennan_prediger",
    "gwet_ac": "assay.agreement.gwet",
    "krippendorff_alpha": "assay.agreement.krippendorff",
    "bangdiwala_b": "assay.agreement.bangdiwala",
    "icc": "assay.agreement.icc",
    "kendall_w": "assay.agreement.kendall",
    "spearman": "assay.agreement.correlation",
    "pearson": "assay.agreement.correlation",
    "kendall_tau": "assay.agreement.correlation",
    "lin_ccc": "assay.agreement.correlation",
    "bland_altman": "assay.agreement.bland_altman",
    "specific_agreement": "assay.agreement.labels",
    "category_kappa": "assay.agreement.labels",
    "conditional_kappa": "assay.agreement.labels",
    "f1": "assay.agreement.labels",
    "jaccard": "assay.agreement.labels",
    "skew": "assay.agreement.skew",
    "pairwise": "assay.agreement.pairs",
    "marginal_homogeneity": "assay.agreement.marginals",
    "cochran": "assay.agreement.marginals",
    "make_weights": "assay.agreement.weights",
    "resample": "assay.agreement.resampled",
    "ComparisonReport": "assay.report.compare.report",
    "compare": "assay.report.compare.report",
}

__all__ = [*_HOME, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
