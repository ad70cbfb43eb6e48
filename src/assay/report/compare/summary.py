"""The summary of a comparison: one plain dictionary, unrounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.agreement.compare import Difference, McNemar
from assay.agreement.compare_match import Against, Rounds
from assay.agreement.compare_sides import Fixed, Pairing
from assay.agreement.diagnosis import FEW_ITEMS, Finding, groups_differ
from assay.agreement.marginals import as_dict
from assay.agreement.registry import Context, chosen
from assay.agreement.strata import POOLED, REFERENCE, Strata
from assay.corrections import corrected
from assay.estimate import Estimate, Interval, Symmetric, Undefined
from assay.ratings.model import Ratings
from assay.report.compare.words import grouped_headline, paired_headline
from assay.report.plain import interval_dict
from assay.report.summary import finding_dict, note_dict

SHOWN_ITEMS = 20
"""Items of one side alone that are named."""
SHARES = 50
"""Label shares are compared for up to this many labels."""

Part = tuple[Against | Rounds, list[Difference], McNemar | None]


def paired_summary(
    one: Ratings,
    other: Ratings | None,
    context: Context,
    settings: dict[str, Any],
    parts: Sequence[Part],
    reference: str | None,
    called: tuple[str, str] = ("first", "second"),
) -> dict[str, Any]:
    """Of raters (``other`` None) or rounds."""
    kind = "raters" if other is None else "rounds"
    comparisons = []
    warnings = [w for r in (one, other) if r is not None for w in _reading(r)]
    if reference is not None:
        # That it counts as a rater is what was asked for here.
        warnings = [w for w in warnings if w["code"] != "reference_column"]
    for what, made, right in parts:
        names = called if isinstance(what, Rounds) else (what.first, what.second)
        comparisons.append(_comparison(names, what, made, right))
        warnings += _warnings(names, what, made, one)
    warnings += _ties([what.ties for what, _, _ in parts if isinstance(what, Against)])
    _adjust(comparisons)
    rounds = parts[0][0]
    side = rounds.pairing.left
    sized = len({r for r in side.made.sizes if r}) > 1
    suited = chosen(context.on(side.made), sized)
    found = [n for n in suited if any(_value(c, n) is not None for c in comparisons)]
    document = {
        **_head(kind, context, settings),
        "headline": [],
        "source": {
            "name": one.reading.source,
            "other": None if other is None else other.reading.source,
            "layout": one.reading.layout,
            "notes": [
                note_dict(n)
                for r in (one, other)
                if r is not None
                for n in r.reading.notes
                if reference is None or n.code != "reference_column"
            ],
        },
        "reference": reference if reference is not None or kind == "rounds" else None,
        "majority": kind == "raters" and reference is None,
        "scale": _scale(one, context),
        "chosen": found,
        "comparisons": comparisons,
        "warnings": _once(warnings),
    }
    document["headline"] = paired_headline(document)
    return document


def grouped_summary(
    report: Any, found: dict[str, Strata], settings: dict[str, Any], *, declared: bool
) -> dict[str, Any]:
    """Of groups; ``declared`` is whether the user declared the labels."""
    first = next(iter(report.groups.values()))
    names = list(dict.fromkeys(n for g in report.groups.values() for n in g.summary["chosen"]))
    level = settings["level"]
    made_by = first.summary["intervals"]
    warnings = list(report.summary["warnings"])
    for group in report.groups.values():
        warnings += [w for w in group.summary["warnings"] if w["code"] == "few_clusters"]
    shared = _shared_items(report.ratings)
    if shared:
        message = (
            f"{shared:,} items are in more than one group: the groups' errors are not independent "
            "of each other, which the test and the pooled interval take them to be. Compare two of "
            "them as two sources with the same items."
        )
        warnings.append(finding_dict(Finding("groups_share_items", message)))
    document = {
        **_head("groups", None, settings, first.summary),
        "headline": [],
        "source": report.summary["source"],
        "scale": {**first.summary["scale"], "declared": declared},
        "intervals": made_by,
        "chosen": [n for n in names if n in found],
        "groups_compared": [
            {"group": name, **{k: g.summary["source"][k] for k in ("items", "raters", "ratings")}}
            for name, g in report.groups.items()
        ],
        "strata": [_stratum(s, level) for s in found.values()],
        "warnings": _once(warnings),
    }
    document["headline"] = grouped_headline(document)
    return document


def _head(
    kind: str, context: Context | None, settings: dict[str, Any], like: Any = None
) -> dict[str, Any]:
    import assay

    return {
        "assay": assay.__version__,
        "kind": "comparison",
        "of": kind,
        "level": settings["level"],
        "weights": context.weights.name if context is not None else like["weights"],
        "estimator": settings["estimator"],
        "margin": settings["margin"],
        "resamples": settings["resamples"],
        "seed": settings["seed"],
    }


def _reading(ratings: Ratings) -> list[dict[str, str]]:
    return [
        {"code": n.code, "message": n.message}
        for n in ratings.reading.notes
        if n.level == "warning"
    ]


def _once(warnings: list[dict[str, str]]) -> list[dict[str, str]]:
    return list({w["message"]: w for w in warnings}.values())


def _scale(ratings: Ratings, context: Context) -> dict[str, Any]:
    categories = ratings.categories
    return {
        "kind": context.scale,
        "declared_kind": ratings.scale is not None,
        "categories": list(categories.texts[:1000]),
        "declared": categories.declared,
        "ordered": categories.ordered,
        "count": len(categories),
    }


def _comparison(
    names: tuple[str, str], what: Against | Rounds, made: list[Difference], right: McNemar | None
) -> dict[str, Any]:
    pairing = what.pairing
    out: dict[str, Any] = {
        "first": names[0],
        "second": names[1],
        "items": pairing.items,
        "cluster": pairing.column or None,
        "clusters": None if pairing.members is None else pairing.units,
    }
    if isinstance(what, Rounds):
        for key, alone in (("first_only", what.first_only), ("second_only", what.second_only)):
            out[key] = {"count": len(alone), "items": alone[:SHOWN_ITEMS]}
    else:
        out["left_out"], out["ties"] = what.left_out, what.ties
    out["accuracy"] = None if right is None else _accuracy(right)
    out["differences"] = [_difference(d) for d in made]
    return out


def _accuracy(right: McNemar) -> dict[str, Any]:
    return {
        "first": right.first_right / right.items,
        "second": right.second_right / right.items,
        "difference": (right.first_right - right.second_right) / right.items,
        "first_only": right.first_only,
        "second_only": right.second_only,
        "p_value": right.p_value,
        "p_method": "exact McNemar (binomial)",
    }


def _difference(d: Difference) -> dict[str, Any]:
    limit = d.non_inferiority
    return {
        "name": d.name,
        "full_name": d.first.full_name,
        "first": _side(d.first),
        "second": _side(d.second),
        "difference": d.value,
        "undefined": _why(d.undefined),
        "interval": interval_dict(d.interval),
        "no_interval": _why(d.no_interval),
        "p_value": d.p_value,
        "p_method": d.p_method,
        "p_bootstrap": d.p_bootstrap,
        "p_swap": d.p_swap,
        "p_adjusted": None,
        "non_inferiority": None
        if limit is None
        else {
            "margin": limit.margin,
            "level": limit.level,
            "lower": limit.lower,
            "holds": limit.holds,
            "p_value": limit.p_value,
        },
    }


def _side(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "undefined": _why(estimate.undefined),
        "items": estimate.items,
        "raters": estimate.raters,
        "ratings": estimate.ratings,
    }


def _why(reason: Undefined | None) -> dict[str, str] | None:
    return None if reason is None else {"code": reason.code, "reason": reason.reason}


def _value(comparison: dict[str, Any], name: str) -> float | None:
    for one in comparison["differences"]:
        if one["name"] == name:
            found: float | None = one["difference"]
            return found
    return None


def _adjust(comparisons: list[dict[str, Any]]) -> None:
    """Holm over the pairs, one coefficient at a time."""
    if len(comparisons) < 2:
        return
    by_name: dict[str, list[dict[str, Any]]] = {}
    for one in comparisons:
        for d in one["differences"]:
            by_name.setdefault(d["name"], []).append(d)
    for found in by_name.values():
        for d, p in zip(found, corrected([d["p_value"] for d in found]), strict=True):
            d["p_adjusted"] = p
    right = [c["accuracy"] for c in comparisons if c["accuracy"]]
    for one, p in zip(right, corrected([r["p_value"] for r in right]), strict=True):
        one["p_adjusted"] = p


def _warnings(
    names: tuple[str, str],
    what: Against | Rounds,
    made: list[Difference],
    ratings: Ratings,
) -> list[dict[str, str]]:
    pairing = what.pairing
    out = []
    where = f"'{names[0]}' and '{names[1]}'"
    if pairing.items < FEW_ITEMS:
        message = f"{where} share {pairing.items} items: tests on fewer than {FEW_ITEMS} are rough."
        out.append(finding_dict(Finding("few_items", message)))
    if isinstance(what, Rounds):
        alone = len(what.first_only) + len(what.second_only)
        if alone:
            counts = f"{len(what.first_only):,} in '{names[0]}', {len(what.second_only):,} in"
            message = f"items on one side only, left out: {counts} '{names[1]}'."
            out.append(finding_dict(Finding("items_of_one_side", message)))
        if _numbered(ratings):
            message = (
                "items have no names and are matched by row: right only if both sources have the "
                "same items in the same order."
            )
            out.append(finding_dict(Finding("matched_by_row", message)))
        differ = _shares_differ(names, pairing, ratings)
        out += [differ] if differ else []
    lost = [
        f"{d.name} {100 * d.interval.undefined / d.interval.resamples:.1f} %"
        for d in made
        if d.interval is not None and d.interval.undefined and d.interval.resamples
    ]
    if lost:
        message = f"resamples without a difference, left out of its interval: {'; '.join(lost)}."
        out.append(finding_dict(Finding("undefined_resamples", message)))
    return out


def _numbered(ratings: Ratings) -> bool:
    """Whether items have no names but the numbers of their rows."""
    if ratings.reading.layout == "long":
        return False
    said = [n.message for n in ratings.reading.notes if n.code == "columns"]
    if any("items: rows" not in text for text in said):
        return False
    return all(name == str(k) for k, name in enumerate(ratings.items, 1))


def _ties(ties: list[int]) -> list[dict[str, str]]:
    if not any(ties):
        return []
    few, many = min(ties), max(ties)
    count = f"{few:,}" if few == many else f"{few:,} to {many:,} for each two raters"
    message = f"items without a majority of the other raters, left out: {count}."
    return [finding_dict(Finding("no_majority", message))]


def _shares_differ(
    names: tuple[str, str], pairing: Pairing, ratings: Ratings
) -> dict[str, str] | None:
    if len(ratings.categories) > SHARES:
        return None
    found = groups_differ(
        {
            name: _shares(side)
            for name, side in zip(names, (pairing.left, pairing.right), strict=True)
        }
    )
    return None if found is None else finding_dict(found)


def _shares(side: Fixed) -> dict[str, float]:
    counts = side.patterns.multiplicity @ side.patterns.dense()
    return {str(k): float(c) / float(counts.sum()) for k, c in enumerate(counts)}


def _shared_items(ratings: Ratings) -> int:
    """How many names of items are in several groups."""
    seen: dict[str, int] = {}
    for name in ratings.items:
        seen[name] = seen.get(name, 0) + 1
    return sum(1 for times in seen.values() if times > 1)


def _stratum(s: Strata, level: float) -> dict[str, Any]:
    pooled: dict[str, Any] = {"value": None, "standard_error": None, "interval": None}
    if isinstance(s.pooled, Symmetric):
        interval = s.pooled.interval(level)
        pooled = {
            "value": s.pooled.value,
            "standard_error": s.pooled.standard_error,
            "interval": interval_dict(interval if isinstance(interval, Interval) else None),
        }
    why = s.pooled if isinstance(s.pooled, Undefined) else None
    return {
        "name": s.name,
        "full_name": next(iter(s.estimates.values())).full_name,
        "values": [
            {
                "group": group,
                "value": e.value,
                "standard_error": e.standard_error,
                "interval": interval_dict(e.interval(level)),
                "left_out": _why(s.left_out.get(group)),
            }
            for group, e in s.estimates.items()
        ],
        "homogeneity": as_dict(s.homogeneity),
        "pooled": {**pooled, "undefined": _why(why), "method": POOLED},
        "reference": REFERENCE,
    }
