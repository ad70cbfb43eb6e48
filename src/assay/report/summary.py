"""The summary of a report: one plain dictionary, unrounded, that every renderer reads."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from assay.agreement.bland_altman import limits_of_agreement
from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.correlation_values import pair_value
from assay.agreement.diagnosis import Finding, findings, swapped
from assay.agreement.diagnosis_labels import confused_cells
from assay.agreement.labels import f1_scores, jaccard_scores, label_rows
from assay.agreement.light import pair_kappas
from assay.agreement.marginals import as_dict, cochran_q, marginal_tests
from assay.agreement.pool import count_of
from assay.agreement.registry import NUMERIC, RANKED, Context, chosen
from assay.agreement.skew import skew_of
from assay.estimate import Estimate, Undefined
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced
from assay.report.diagnosis import diagnose
from assay.report.guidance import guidance
from assay.report.headline import headline, spanning
from assay.report.interval_notes import about_intervals, how_made
from assay.report.lab_pairs import pair_in_lab
from assay.report.plain import interval_dict

SHOWN_LABELS = 1000
"""Labels beyond this are counted but not listed."""
CONFUSION_LABELS = 30
SHOWN_PAIRS = 5000
"""Of more pairs of raters, those with the lowest kappa are listed."""
TESTED_PAIRS = 1000
"""Beyond this many pairs of raters, marginal tests and correlations a pair are left out."""


DRAWN_CELLS = 200_000
"""Beyond this many cells of so many pairs, their tables are left out, too."""


def summarise(
    ratings: Ratings, context: Context, estimates: dict[str, Estimate], settings: dict[str, Any]
) -> dict[str, Any]:
    """Everything a report shows, as plain values."""
    import assay

    level = settings["level"]
    made = context.made
    incomplete = len({r for r in made.sizes if r}) > 1
    suited = chosen(context, incomplete)
    names = [n for n in suited if estimates[n].undefined is None]
    main = estimates[suited[0]]
    swaps = swapped(context)
    found = findings(context, estimates, main, level, swaps)
    wide = spanning(main, level)
    if wide is not None:
        found.append(wide)
    found += about_intervals(ratings, estimates, names, settings)
    warnings = [
        {"code": n.code, "message": n.message}
        for n in ratings.reading.notes
        if n.level == "warning"
    ]
    categories = ratings.categories
    few = len(categories) <= SHOWN_LABELS
    return {
        "assay": assay.__version__,
        "level": level,
        "intervals": how_made(ratings, settings),
        "weights": context.weights.name,
        "estimator": settings["estimator"],
        "metric": context.disagreement.name,
        "headline": headline(context, estimates, suited, level),
        "source": _source(ratings, made),
        "scale": {
            "kind": context.scale,
            "declared_kind": ratings.scale is not None,
            "categories": list(categories.texts if few else categories[:SHOWN_LABELS]),
            "declared": categories.declared,
            "ordered": categories.ordered,
            "count": len(categories),
        },
        "chosen": names,
        "guidance": guidance(context, estimates, suited),
        "coefficients": [coefficient_dict(e, level) for e in estimates.values()],
        "labels": _labels(context) if few else [],
        "raters": _raters(made) if few else _raters(made, distribution=False),
        "pairs": _pairs(context, level),
        "pairs_left_out": _pairs_left_out(made),
        "marginal_tests": _overall_tests(context),
        "interpretation": _interpretation(estimates, names, settings["interpret"]),
        "diagnosis": diagnose(context, estimates, main, swaps, level),
        "warnings": [*warnings, *(finding_dict(f) for f in found)],
    }


def note_dict(note: Any) -> dict[str, str]:
    """A note as plain values."""
    return {"code": note.code, "level": note.level, "message": note.message}


def finding_dict(finding: Finding) -> dict[str, str]:
    """A finding as plain values."""
    return {"code": finding.code, "message": finding.message}


def _why(reason: Undefined | None) -> dict[str, str] | None:
    return None if reason is None else {"code": reason.code, "reason": reason.reason}


def _count(value: Fraction) -> int | float:
    return count_of(value)


def _source(ratings: Ratings, made: Reduced) -> dict[str, Any]:
    sizes = {r: Fraction(n, made.denominator) for r, n in ratings.sizes.items()}
    items = sum((n for r, n in sizes.items() if r), Fraction(0))
    known = len(made.raters)
    missing = known * (items + sizes.get(0, Fraction(0))) - made.n_ratings if known else None
    return {
        "name": ratings.reading.source,
        "layout": ratings.reading.layout,
        "items": _count(items),
        "raters": known or ratings.n_raters,
        "ratings": _count(made.n_ratings),
        "items_with_one_rating": _count(sizes.get(1, Fraction(0))),
        "items_without_ratings": _count(sizes.get(0, Fraction(0))),
        "missing": None if missing is None else _count(missing),
        "notes": [note_dict(n) for n in ratings.reading.notes],
    }


def coefficient_dict(estimate: Estimate, level: float) -> dict[str, Any]:
    """One estimate as plain values, unrounded."""
    interval = estimate.interval(level)
    return {
        "name": estimate.name,
        "full_name": estimate.full_name,
        "value": estimate.value,
        "undefined": _why(estimate.undefined),
        "observed": estimate.observed,
        "expected": estimate.expected,
        "standard_error": estimate.standard_error,
        "interval": interval_dict(interval),
        "no_interval": None
        if interval is not None or estimate.undefined is not None
        else _why(estimate.why_no_interval()),
        "p_value": estimate.p_value,
        "tests": [as_dict(t) for t in estimate.tests],
        "maximum": estimate.maximum,
        "items": estimate.items,
        "raters": estimate.raters,
        "ratings": estimate.ratings,
        "convention": estimate.convention,
        "reference": estimate.reference,
        "notes": list(estimate.notes),
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _labels(context: Context) -> list[dict[str, Any]]:
    cells = context.cells if context.raters == 2 else None
    out = []
    for row in label_rows(context.unweighted, cells):
        test = row.test
        out.append(
            {
                "label": row.label,
                "count": _count(row.count),
                "specific_agreement": _number(row.specific),
                "conditional_kappa": _number(row.conditional),
                "category_kappa": _number(row.category),
                "standard_error": None if test is None else test.standard_error,
                "z": None if test is None else test.statistic,
                "p_value": None if test is None else test.p_value,
            }
        )
    return out


def _raters(made: Reduced, *, distribution: bool = True) -> list[dict[str, Any]]:
    if not made.raters:
        return []
    texts = made.categories.texts if distribution else ()
    out = []
    for name, row in zip(made.raters, made.rater_counts, strict=True):
        counts = [_count(Fraction(n, made.denominator)) for n in row.tolist()] if texts else []
        out.append(
            {
                "rater": name,
                "ratings": _count(Fraction(int(row.sum()), made.denominator)),
                "distribution": dict(zip(texts, counts, strict=True)),
            }
        )
    return out


def _pairs(context: Context, level: float) -> list[dict[str, Any]]:
    made = context.made
    if len(made.raters) < 2 or made.too_many_pairs:
        return []
    few = len(made.pairs) <= TESTED_PAIRS and made.q <= SHOWN_LABELS
    listed: Sequence[int] = range(len(made.pairs))
    if len(listed) > SHOWN_PAIRS:
        kappas = [1.0 if k.kappa is None else float(k.kappa) for k in pair_kappas(made)]
        # A kappa of a handful of shared items is noise.
        few_items = made.pairs.totals < 10 * made.denominator
        worst = sorted(listed, key=lambda i: (bool(few_items[i]), kappas[i]))
        listed = sorted(worst[:SHOWN_PAIRS])
    drawn = few or len(listed) * made.q**2 <= DRAWN_CELLS
    return [_pair(Cells.of_pair(made.pairs, i, made), context, level, few, drawn) for i in listed]


def _pairs_left_out(made: Reduced) -> int:
    if len(made.raters) < 2:
        return 0
    return made.too_many_pairs or max(0, len(made.pairs) - SHOWN_PAIRS)


def _pair(
    cells: Cells, context: Context, level: float, tested: bool, drawn: bool
) -> dict[str, Any]:
    kappa = cohen(cells, context.weights)
    plain = kappa if context.weights.identity else cohen(cells, context.plain)
    found = skew_of(cells)
    texts = cells.categories.texts if tested else ()
    used = np.flatnonzero(cells.rows + cells.columns).tolist() if tested or drawn else []
    f1, overlap = (f1_scores(cells), jaccard_scores(cells)) if tested else ([], [])
    limits = limits_of_agreement(cells) if tested and context.scale in NUMERIC else None
    return {
        "raters": list(cells.raters),
        "items": _count(cells.items),
        "cohen_kappa": kappa.value,
        "undefined": _why(kappa.undefined),
        "standard_error": kappa.standard_error,
        "interval": interval_dict(kappa.interval(level)),
        "observed": kappa.observed,
        "expected": kappa.expected,
        "maximum": plain.maximum,
        "pabak": _number(found.pabak),
        "prevalence_index": _number(found.prevalence_index),
        "bias_index": _number(found.bias_index),
        "labels": [
            {"label": texts[k], "f1": _number(f1[k]), "jaccard": _number(overlap[k])}
            for k in (used if tested else ())
        ],
        "marginal_tests": [as_dict(t) for t in marginal_tests(cells)] if tested else [],
        "confusion": _confusion(cells, used) if drawn and len(used) <= CONFUSION_LABELS else None,
        "confused": _confused(cells) if drawn and context.scale == "nominal" else [],
        "correlations": _correlations(cells, context.scale) if tested else {},
        "bland_altman": None
        if limits is None
        else {"mean": limits.mean, "sd": limits.sd, "low": limits.low, "high": limits.high},
        "lab": pair_in_lab(cells)[0],
    }


def _confusion(cells: Cells, used: list[int]) -> dict[str, Any]:
    table = cells.dense()[np.ix_(used, used)]
    counts = [[_count(Fraction(n, cells.denominator)) for n in row] for row in table.tolist()]
    return {"labels": [cells.categories.texts[k] for k in used], "counts": counts}


def _confused(cells: Cells) -> list[dict[str, Any]]:
    texts = cells.categories.texts
    return [
        {
            "labels": [texts[k] for k in one.labels],
            "items": _count(one.items),
            "by_chance": one.by_chance,
            "stands_out": one.stands_out,
        }
        for one in confused_cells(cells)
    ]


def _correlations(cells: Cells, scale: str) -> dict[str, float | None]:
    suits = {
        "spearman": RANKED, "kendall_tau": RANKED, "pearson": NUMERIC, "lin_ccc": NUMERIC,
    }  # fmt: skip
    out: dict[str, float | None] = {}
    for name, scales in suits.items():
        if scale not in scales or (scales is NUMERIC and not cells.categories.numeric):
            out[name] = None
            continue
        got = pair_value(cells, name)
        out[name] = None if isinstance(got, Undefined) else float(got)
    return out


def _overall_tests(context: Context) -> list[dict[str, Any]]:
    """Cochran's Q where raters gave one of two labels."""
    made = context.made
    if len(made.raters) < 2 or made.q > 2:
        return []
    used = np.flatnonzero(made.rater_counts.sum(axis=0))
    if (
        used.size != 2
        or made.crowd is not None
        or made.matrix.weights.sum() == 0
        or made.denominator != 1
    ):
        return []
    return [as_dict(cochran_q(made.matrix, int(used[1])))]


def _interpretation(
    estimates: dict[str, Estimate], names: list[str], scale: str | None
) -> list[dict[str, Any]] | None:
    if scale is None:
        return None
    from assay.report.bands import interpretation

    out = []
    for name in names:
        estimate = estimates[name]
        if estimate.value is None or name == "percent_agreement":
            continue
        value = estimate.exact if estimate.exact is not None else estimate.value
        got = interpretation(name, value, estimate.standard_error, scale)
        out.append(got)
    return out
