"""What the report on several annotators says, for every renderer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.report.numbers import coefficient, counted, fixed, interval, level, percent
from assay.report.render import Summary

WHAT = {
    ("tags", None): "tags",
    ("types", None): "types and O",
    ("without_o", "any"): "types, any marked",
    ("without_o", "all"): "types, all marked",
}
"""The rows of agreement position by position."""

UNITIZING = {
    "u_alpha": "u-alpha (spans and gaps)",
    "u_alpha_binary": "|u-alpha (marked or not)",
    "cu_alpha": "cu-alpha (types only)",
    "ku_alpha": "ku-alpha",
    "alpha_u_2004": "alpha_U 2004 (boundaries)",
}


def type_name(name: object) -> str:
    """A type, or what stands for tags without one."""
    return str(name) if name not in ("", None) else "(no type)"


def share(value: float | None, missing: str = "–") -> str:
    """A share in per cent, without the sign.

    >>> share(4 / 7), share(None)
    ('57.1', '–')
    """
    return missing if value is None else fixed(100.0 * value, 1)


def limits(got: Mapping[str, Any] | None, missing: str = "–") -> str:
    """An interval of shares in per cent.

    >>> limits({"low": 0.41, "high": 0.7})
    '[41.0, 70.0]'
    """
    if got is None:
        return missing
    return f"[{share(got['low'])}, {share(got['high'])}]"


def f1_of(summary: Summary, mode: str, kind: str = "micro") -> Mapping[str, Any] | None:
    """One entry of ``f1``."""
    return next(
        (e for e in summary.get("f1") or () if e["mode"] == mode and e["type"] == kind), None
    )


def token_of(summary: Summary, what: str, rule: str | None, alpha: bool) -> Mapping[str, Any]:
    """One entry of ``tokens``: alpha, or the kappa."""
    for entry in summary.get("tokens") or ():
        is_alpha = entry["name"] == "krippendorff_alpha"
        if (entry["what"], entry["rule"]) == (what, rule) and is_alpha == alpha:
            return dict(entry)
    return {}


def unitizing_of(summary: Summary, name: str) -> Mapping[str, Any]:
    """The entry of ``unitizing`` for all types."""
    for entry in summary.get("unitizing") or ():
        if entry["name"] == name and entry["category"] is None:
            return dict(entry)
    return {}


def kappa_name(summary: Summary) -> str:
    """Which kappa it is: Cohen's for two annotators, Fleiss' for more."""
    found: Mapping[str, Any] = next(iter(summary.get("tokens") or ()), {})
    return "Cohen's kappa" if found.get("name") == "cohen_kappa" else "Fleiss' kappa"


def headline(summary: Summary) -> list[str]:
    """Two lines: agreement on whole spans, then position by position."""
    who = counted(len(summary["annotators"]), "annotator")
    where = counted(summary["source"]["sentences"], "sentence")
    exact, partial = f1_of(summary, "exact") or {}, f1_of(summary, "partial") or {}
    many = len(exact.get("pairs") or ()) > 1
    name = "mean F1 of the pairs" if many else "F1"
    if exact.get("mean") is None:
        first = f"{who}, {where}: F1 is not defined, because nobody marked a span."
    else:
        sure = ""
        if exact.get("interval"):
            low, high = (share(exact["interval"][k]) for k in ("low", "high"))
            sure = f" ({level(exact['interval']['level'])} interval {low} to {high})"
        first = f"{who}, {where}: {name} on whole spans is {percent(exact['mean'])}{sure}"
        if partial.get("mean") is not None:
            first += f", {percent(partial['mean'])} counting overlaps of the same type"
        first += "."
    return [first, _second(summary)]


def _second(summary: Summary) -> str:
    unit = summary["source"]["unit"]
    bits = []
    u_alpha = unitizing_of(summary, "u_alpha")
    if u_alpha.get("value") is not None:
        bits.append(f"u-alpha on where and what is {coefficient(u_alpha['value'])}")
    kappa = token_of(summary, "types", None, alpha=False)
    if kappa.get("value") is not None:
        bits.append(
            f"{kappa_name(summary)} over the types of the {unit}s is {coefficient(kappa['value'])}"
        )
    if not bits:
        why = u_alpha.get("undefined") or {}
        return f"Beyond chance: not defined, because {why.get('reason', 'nobody marked a span')}."
    return f"Beyond chance, {', '.join(bits)}."


def source_bits(summary: Summary) -> list[str]:
    """What the figures rest on, as short pieces."""
    found = summary.get("source") or {}
    bits = [counted(len(summary.get("annotators") or ()), "annotator")]
    if (found.get("documents") or 0) > 1:
        bits.append(counted(found["documents"], "document"))
    for key, noun in (
        ("sentences", "sentence"),
        ("tokens", found.get("unit", "token")),
        ("spans", "span"),
    ):
        if found.get(key) is not None:
            bits.append(counted(found[key], noun))
    return bits


def unitizing_rows(summary: Summary) -> list[tuple[str, ...]]:
    """Cells: name, value, interval, D_o, D_e, coverage, of what is defined."""
    out: list[tuple[str, ...]] = []
    for entry in summary.get("unitizing") or ():
        if entry["value"] is None:
            continue
        coverage = entry.get("coverage")
        # Squared distances over the squared length of all texts are tiny; JSON has them.
        shown = entry["name"] != "alpha_u_2004"
        out.append(
            (
                unitizing_name(entry),
                coefficient(entry["value"]),
                interval(entry.get("interval")),
                coefficient(entry.get("observed")) if shown else "",
                coefficient(entry.get("expected")) if shown else "",
                "" if coverage is None else percent(coverage),
            )
        )
    return out


def unitizing_name(entry: Mapping[str, Any]) -> str:
    """A coefficient of unitizing with its type.

    >>> unitizing_name({"name": "ku_alpha", "category": "PER"})
    'ku-alpha, PER'
    """
    name = UNITIZING.get(str(entry["name"]), str(entry["name"]))
    if entry.get("category") is None:
        return name
    return f"{name.partition(' (')[0]}, {type_name(entry['category'])}"


def gaps(summary: Summary) -> list[str]:
    """Why figures are missing: names that share a reason, then the reason."""
    reasons: dict[str, list[str]] = {}
    for entry in summary.get("unitizing") or ():
        if entry.get("undefined"):
            reasons.setdefault(entry["undefined"]["reason"], []).append(unitizing_name(entry))
    for entry in summary.get("tokens") or ():
        if entry.get("undefined"):
            alpha = entry["name"] == "krippendorff_alpha"
            title = "Krippendorff's alpha" if alpha else kappa_name(summary)
            name = f"{title} over {WHAT[entry['what'], entry['rule']]}"
            reasons.setdefault(entry["undefined"]["reason"], []).append(name)
    got = summary.get("gamma") or {}
    if got.get("undefined"):
        reasons.setdefault(got["undefined"]["reason"], []).append("gamma")
    return [f"{', '.join(names)}: not defined, because {why}" for why, names in reasons.items()]


def gamma_line(summary: Summary) -> str:
    """Gamma in one line, or nothing."""
    got = summary.get("gamma")
    if not got or got.get("value") is None:
        return ""
    types: Sequence[str] = [
        f"{type_name(k)} {coefficient(v)}" for k, v in got["types"].items() if v is not None
    ]
    parts = f"; by type {', '.join(types)}" if types else ""
    text = f"gamma {coefficient(got['value'])}, gamma-cat {coefficient(got['categorial'])}{parts}"
    way = "aligned window by window, " if got.get("fast") else ""
    return f"{text} ({way}{counted(got['samples'], 'random sample')}, {got['software']})"


def how(summary: Summary) -> list[str]:
    """How the figures were made: intervals, rules, definitions."""
    rows = [*(summary.get("f1") or ()), *(summary.get("tokens") or ())]
    found = [row["interval"] for row in rows if row.get("interval")]
    out = [f"Intervals: {level(i['level'])}, {i['method']}." for i in found[:1]]
    out.append(
        "Any or all marked: positions that at least one annotator, or every one, marked. "
        "Unitizing: sentences laid end to end; cu-alpha and ku-alpha look where two annotators "
        "marked, and coverage is the share of positions (by type: of its own) that this is."
    )
    cited = dict.fromkeys(e["reference"] for e in summary.get("unitizing") or ())
    return [*out, f"References: {'; '.join(cited)}."] if cited else out
