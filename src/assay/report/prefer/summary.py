"""The summary of a report on comparisons: one plain dictionary, unrounded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from assay.corrections import benjamini_hochberg, holm
from assay.estimate import Interval, Undefined
from assay.preference.bradley_terry import MODELS, REFERENCES, BradleyTerry
from assay.preference.counts import PairCounts
from assay.preference.model import Comparisons
from assay.preference.others import Rated
from assay.preference.position import TEST, BothOrders, PositionBias
from assay.preference.ranks import Ranking
from assay.preference.raters import UNIT, Repeats
from assay.preference.resample import Resampled
from assay.preference.shares import CONVENTIONS, Result, Share, wilson
from assay.preference.sign import SIGN_TEST, binomial_p, by_item
from assay.report.prefer.also import also_rows
from assay.report.prefer.words import headline, warnings
from assay.report.summary import coefficient_dict, note_dict

SHOWN_PAIRS = 5000
"""Of more pairs of systems, those with most comparisons are listed."""
AGREEMENT = (
    "headline",
    "source",
    "scale",
    "chosen",
    "coefficients",
    "labels",
    "raters",
    "pairs",
    "pairs_left_out",
    "marginal_tests",
    "warnings",
)
"""What is taken from the report of agreement."""


@dataclass(frozen=True, slots=True)
class Found:
    """All results on one set of comparisons."""

    comparisons: Comparisons
    counts: PairCounts
    fit: BradleyTerry
    drawn: Resampled | None
    not_drawn: Undefined | None
    ranking: Ranking
    bias: PositionBias
    orders: BothOrders
    repeats: Repeats
    left_out: int
    agreement: dict[str, Any] | None
    no_agreement: Undefined | None
    also: list[Rated]


def summarise(found: Found, level: float) -> dict[str, Any]:
    """Everything a report shows, as plain values."""
    import assay

    comparisons, counts, fit = found.comparisons, found.counts, found.fit
    order = _order(found)
    strengths = [_strength(found, s, level) for s in order]
    systems = [_system(counts, s, level) for s in order]
    pairs, sign_test = _pairs(found, order, level)
    document: dict[str, Any] = {
        "assay": assay.__version__,
        "kind": "preference",
        "level": level,
        "model": fit.model,
        "model_name": MODELS[fit.model],
        "reference": REFERENCES[fit.model],
        "headline": [],
        "source": {
            "name": comparisons.source,
            "comparisons": counts.n,
            "decided": counts.n - int(counts.table[:, 1].sum()),
            "ties": int(counts.table[:, 1].sum()),
            "systems": counts.k,
            "raters": None if comparisons.rater is None else comparisons.rater.size,
            "items": None if comparisons.item is None else comparisons.item.size,
            "repeats": found.left_out,
            "notes": [note_dict(n) for n in comparisons.notes],
        },
        "strengths": strengths,
        "also": also_rows(found.also, fit.systems, strengths, one_part=len(fit.parts.members) == 1)
        or None,
        "components": [sorted(part, key=_place(order, counts)) for part in fit.components],
        "component_order": [{"above": x, "below": y} for x, y in fit.parts.above],
        "linked": fit.parts.linked,
        "clusters": None
        if found.ranking.clusters is None
        else [[counts.systems[s] for s in run] for run in found.ranking.clusters],
        "tie_parameter": _tie(fit),
        "fit": {
            "log_likelihood": fit.log_likelihood,
            "gradient": fit.gradient,
            "steps": fit.steps,
        },
        "bootstrap": _bootstrap(found.drawn),
        "no_bootstrap": why(found.not_drawn),
        "systems": systems,
        "pairs": pairs,
        "pairs_left_out": len(counts.a) - len(pairs),
        "sign_test": sign_test,
        "win_matrix": {
            "systems": [counts.systems[s] for s in order],
            "wins": counts.wins[np.ix_(order, order)].tolist(),
            "ties": counts.ties[np.ix_(order, order)].tolist(),
        },
        "position_bias": _position(found, level),
        "agreement": _agreement(found),
        "intra_rater": _intra(found.repeats, level),
        "warnings": [],
    }
    document["warnings"] = warnings(document)
    document["headline"] = headline(document)
    return document


def grouped(
    comparisons: Comparisons, summaries: Mapping[str, dict[str, Any]], level: float
) -> dict[str, Any]:
    """One document for several groups."""
    import assay

    notes = [note_dict(n) for n in comparisons.notes]
    return {
        "assay": assay.__version__,
        "kind": "preference",
        "level": level,
        "source": {"name": comparisons.source, "comparisons": comparisons.n, "notes": notes},
        "groups": [{"group": name, **one} for name, one in summaries.items()],
    }


def _order(found: Found) -> list[int]:
    """Systems by part, then by strength, then by name."""
    of, ranks = found.fit.parts.of, found.ranking.ranks
    return sorted(range(found.counts.k), key=lambda s: (int(of[s]), ranks[s] or 0, s))


def _place(order: list[int], counts: PairCounts) -> Any:
    at = {counts.systems[s]: n for n, s in enumerate(order)}
    return at.__getitem__


def why(reason: Undefined | None) -> dict[str, str] | None:
    """A reason as plain values."""
    return None if reason is None else {"code": reason.code, "reason": reason.reason}


def interval_dict(interval: Interval | None) -> dict[str, Any] | None:
    """An interval as plain values."""
    if interval is None:
        return None
    out: dict[str, Any] = {
        "level": interval.level,
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
    }
    if interval.resamples is not None:
        out |= {"resamples": interval.resamples, "undefined": interval.undefined}
    return out


def _strength(found: Found, s: int, level: float) -> dict[str, Any]:
    fit, ranking = found.fit, found.ranking
    drawn = None if found.drawn is None else found.drawn.interval(s, level)
    places = ranking.intervals[s]
    return {
        "system": fit.systems[s],
        "strength": fit.strengths[s],
        "log_strength": fit.log_strengths[s],
        "undefined": why(fit.undefined[s]),
        "interval": interval_dict(drawn),
        "rank": ranking.ranks[s],
        "rank_interval": None if places is None else {"low": places[0], "high": places[1]},
        "component": int(fit.parts.of[s]),
    }


def _tie(fit: BradleyTerry) -> dict[str, Any] | None:
    names = {"davidson": "nu", "rao-kupper": "theta"}
    if fit.model not in names:
        return None
    return {"name": names[fit.model], "value": fit.tie_parameter}


def _bootstrap(drawn: Resampled | None) -> dict[str, Any] | None:
    if drawn is None:
        return None
    return {
        "unit": drawn.unit,
        "units": drawn.clusters,
        "resamples": drawn.resamples,
        "undefined": drawn.undefined,
        "seed": drawn.seed,
        "method": drawn.method,
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _share(share: Share) -> dict[str, Any]:
    return {
        "value": _number(share.value),
        "interval": interval_dict(share.interval),
        "undefined": why(share.undefined),
    }


def result_dict(result: Result, level: float) -> dict[str, Any]:
    """Wins, ties and losses with the shares under each convention."""
    return {
        "comparisons": result.n,
        "wins": result.wins,
        "ties": result.ties,
        "losses": result.losses,
        "win_share": _number(result.of_all(result.wins)),
        "tie_share": _number(result.of_all(result.ties)),
        "loss_share": _number(result.of_all(result.losses)),
        "net_win_rate": _number(result.net),
        **{name: _share(result.share(name, level)) for name in CONVENTIONS},
    }


def _system(counts: PairCounts, s: int, level: float) -> dict[str, Any]:
    result = Result(*counts.results[s].tolist())
    return {
        "system": counts.systems[s],
        **result_dict(result, level),
        "on_left": int(counts.on_left[s]),
    }


def _pairs(
    found: Found, order: list[int], level: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every two systems that met, the one listed first above, and the tests' common part."""
    counts = found.counts
    items = by_item(found.comparisons, counts.a, counts.b)
    tested = counts.table if items is None else items
    p = binomial_p(tested[:, 0], tested[:, 0] + tested[:, 2])
    stepped, expected = holm(p), benjamini_hochberg(p)
    unit = "comparisons" if items is None else "items"
    method = SIGN_TEST + ("" if items is None else ", one sign an item by its net outcome")
    place = {s: n for n, s in enumerate(order)}
    rows = []
    most = np.argsort(-counts.table.sum(1), kind="stable")[:SHOWN_PAIRS].tolist()
    ends = {row: sorted((place[int(counts.a[row])], place[int(counts.b[row])])) for row in most}
    for row in sorted(most, key=ends.__getitem__):
        a, b = int(counts.a[row]), int(counts.b[row])
        turned = place[a] > place[b]
        step = -1 if turned else 1
        first, second = (b, a) if turned else (a, b)
        wins, ties, losses = tested[row].tolist()[::step]
        gap = found.ranking.differences.get((first, second))
        one = Result(*counts.table[row].tolist()[::step])
        rows.append(
            {
                "systems": [counts.systems[first], counts.systems[second]],
                **result_dict(one, level),
                "sign_test": {
                    "wins": wins,
                    "ties": ties,
                    "losses": losses,
                    "p_value": _real(p[row]),
                    "holm": _real(stepped[row]),
                    "benjamini_hochberg": _real(expected[row]),
                },
                "difference": _difference(found, first, second, gap),
            }
        )
    tests = int(np.count_nonzero(~np.isnan(p)))
    return rows, {"method": method, "unit": unit, "tests": tests}


def _difference(
    found: Found, first: int, second: int, gap: tuple[float, float] | None
) -> dict[str, Any] | None:
    """The difference of log strengths, where both are on one scale."""
    x, y = found.fit.log_strengths[first], found.fit.log_strengths[second]
    if x is None or y is None or found.fit.parts.of[first] != found.fit.parts.of[second]:
        return None
    low, high = (None, None) if gap is None else gap
    return {"value": x - y, "low": low, "high": high}


def _real(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _position(found: Found, level: float) -> dict[str, Any]:
    bias, orders, counts = found.bias, found.orders, found.counts
    names = counts.systems
    return {
        "left_wins": bias.left.wins,
        "right_wins": bias.left.losses,
        "ties": bias.left.ties,
        **_share(bias.share(level)),
        "p_value": bias.p_value,
        "method": TEST,
        "balanced_share": bias.balanced,
        "pairs_in_both_orders": bias.pairs_in_both_orders,
        "both_orders": {
            "questions": orders.both,
            "one_order_only": orders.one,
            "consistent": orders.consistent,
            "inconsistent": orders.both - orders.consistent,
            "full_flips": orders.flips_to_left + orders.flips_to_right,
            "flips_to_left": orders.flips_to_left,
            "flips_to_right": orders.flips_to_right,
            "tie_in_one_order": orders.to_tie,
            "consistency": _number(orders.consistency),
            "left_share": orders.left / orders.decided if orders.decided else None,
            "pairs": [
                {"systems": [names[a], names[b]], **result_dict(result, level)}
                for (a, b), result in orders.pairs.items()
            ],
            "undefined": why(orders.undefined),
        },
    }


def _agreement(found: Found) -> dict[str, Any]:
    reason = why(found.no_agreement)
    if found.agreement is None:
        return {"unit": UNIT, "undefined": reason, "coefficients": [], "chosen": []}
    taken = {name: found.agreement[name] for name in AGREEMENT}
    return {"unit": UNIT, "undefined": reason, **taken}


def _intra(repeats: Repeats, level: float) -> dict[str, Any]:
    share = repeats.share
    method = "Wilson score, repeats with equal answers"
    limits = wilson(repeats.equal, repeats.questions, level, method) if repeats.questions else None
    return {
        "questions": repeats.questions,
        "equal": repeats.equal,
        "swapped": repeats.swapped,
        "value": _number(share),
        "interval": interval_dict(limits),
        "alpha": None if repeats.alpha is None else coefficient_dict(repeats.alpha, level),
        "undefined": why(repeats.undefined),
    }
