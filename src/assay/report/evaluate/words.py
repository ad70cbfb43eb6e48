"""An evaluation in words: the two lines that open a report, and the paragraph for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.report.evaluate.figures import decimals, mean, span
from assay.report.numbers import coefficient, counted, level

Summary = Mapping[str, Any]
TESTS = {
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "permutation": "permutation test",
    "t": "paired t-test",
}
CORRECTIONS = {
    "holm": "Holm",
    "benjamini_hochberg": "Benjamini-Hochberg",
    "bonferroni": "Bonferroni",
    "none": "no correction",
}
ZEROS = {
    "wilcox": "items with equal means left out",
    "pratt": "items with equal means ranked, then left out (Pratt)",
    "zsplit": "items with equal means split between the two sides",
}


def listing(names: Sequence[str], most: int = 5) -> str:
    """Names as a sentence has them.

    >>> listing(["A"]), listing(["A", "B"]), listing(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def of(summary: Summary, key: str, dimension: str) -> list[Any]:
    """The rows of a list that belong to one dimension."""
    return [row for row in summary[key] if row["dimension"] == dimension]


def alpha(summary: Summary, dimension: str) -> Mapping[str, Any]:
    """Krippendorff's alpha of a dimension."""
    found: Mapping[str, Any] = next(
        c
        for part in of(summary, "agreement", dimension)
        for c in part["coefficients"]
        if c["name"] == "krippendorff_alpha"
    )
    return found


def said(remarks: Sequence[Mapping[str, Any]], dimensions: int) -> list[str]:
    """Remarks as sentences, each once, with the dimensions that it is about in front.

    >>> one = {"dimension": "fluency", "message": "rows left out: 2"}
    >>> said([one, one | {"dimension": "style"}], 2), said([one], 1)
    (['fluency and style: rows left out: 2'], ['rows left out: 2'])
    """
    about: dict[str, list[str]] = {}
    for one in remarks:
        names = about.setdefault(one["message"], [])
        if one["dimension"] is not None and one["dimension"] not in names:
            names.append(one["dimension"])
    return [
        f"{listing(names)}: {text}" if names and dimensions > 1 else text
        for text, names in about.items()
    ]


def headline(summary: Summary) -> list[str]:
    """The best systems, then what it was measured on and how far the raters agree."""
    names = [d["dimension"] for d in summary["dimensions"]]
    first = _one(summary, names[0]) if len(names) == 1 else _several(summary, names)
    source = summary["source"]
    bits = [counted(source["systems"], "system")] if source["system_names"] else []
    bits.append(counted(source["items"], "item"))
    if source["raters"] is not None:
        bits.append(counted(source["raters"], "rater"))
    bits.append(counted(source["ratings"], "rating"))
    values = {n: alpha(summary, n)["value"] for n in names}
    known = {n: v for n, v in values.items() if v is not None}
    if not known:
        said = "agreement is not defined"
    elif len(names) == 1:
        said = f"Krippendorff's alpha {coefficient(known[names[0]])}"
    else:
        ends = dict.fromkeys((min(known, key=known.__getitem__), max(known, key=known.__getitem__)))
        shown = " to ".join(f"{coefficient(known[n])} ({n})" for n in ends)
        rest = [n for n in names if n not in known]
        lacking = f", not defined for {listing(rest)}" if rest else ""
        said = f"Krippendorff's alpha {shown}{lacking}"
    return [first, f"{', '.join(bits)}; {said}."]


def best(summary: Summary, dimension: str) -> list[str]:
    """The systems with the best mean."""
    return [r["system"] for r in of(summary, "systems", dimension) if r["rank"] == 1]


def _one(summary: Summary, name: str) -> str:
    rows = of(summary, "systems", name)
    top = best(summary, name)
    if not top:
        reason = (rows[0]["undefined"] or {}).get("reason", "there are no ratings")
        return f"Means of {name} are not defined, because {reason}."
    row = next(r for r in rows if r["system"] == top[0])
    digits = decimals(summary)[name]
    value, sure = mean(row["mean_macro"], digits), ""
    # Systems with equal means have intervals of their own.
    if row["interval"] is not None and len(top) == 1:
        sure = f" ({level(summary['level'])} interval {span(row['interval'], digits)})"
    if len(rows) == 1:
        return f"Mean {name} of {top[0]}: {value}{sure}."
    word = "lowest" if name in lower(summary) else "highest"
    has = "have" if len(top) > 1 else "has"
    found = [f"{listing(top)} {has} the {word} mean {name}: {value}{sure}"]
    return f"{'; '.join(found + _against(summary, name, top))}."


def lower(summary: Summary) -> list[str]:
    """The dimensions on which a lower mean is better."""
    return [d["dimension"] for d in summary["dimensions"] if d["better"] == "lower"]


def _against(summary: Summary, name: str, tops: Sequence[str]) -> list[str]:
    """From which others the best systems were shown to differ, and from which not."""
    met = {frozenset((c["a"], c["b"])): c for c in of(summary, "comparisons", name)}
    differ, unsure, apart = [], [], []
    for row in of(summary, "systems", name):
        if row["rank"] is None or row["system"] in tops:
            continue
        found = [met[frozenset((top, row["system"]))] for top in tops]
        if not any(c["items"] for c in found):
            apart.append(row["system"])
        elif all(c["significant"] for c in found):
            differ.append(row["system"])
        else:
            unsure.append(row["system"])
    out = []
    if unsure:
        out.append(f"not shown to differ from {listing(unsure)} ({_how(summary)})")
    elif differ:
        every = len(differ) > 1 and not apart
        others = f"all {len(differ)} others" if every else listing(differ)
        verb = "they differ" if len(tops) > 1 else "it differs"
        out.append(f"{verb} from {others} ({_how(summary)})")
    if apart:
        out.append(f"not compared with {listing(apart)}, for want of a shared item")
    return out


def _how(summary: Summary) -> str:
    settings = summary["settings"]
    test = TESTS[settings["test"]].removesuffix(" test").removesuffix("-test")
    return f"{test}, {CORRECTIONS[settings['correction']]}, {settings['alpha']:g}"


def _several(summary: Summary, names: list[str]) -> str:
    """Which system is best on which dimensions."""
    won: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        if top := best(summary, name):
            won.setdefault(tuple(top), []).append(name)
    if not won:
        return "No dimension has means: the values are names without an order."
    if len({r["system"] for r in summary["systems"]}) == 1:
        places = decimals(summary)
        parts = [
            f"{r['dimension']} {mean(r['mean_macro'], places[r['dimension']])}"
            for r in summary["systems"]
            if r["mean_macro"] is not None
        ]
        return f"Means: {listing(parts)}."
    if len(won) == 1 and len(names) == sum(map(len, won.values())):
        (tops,) = won
        has = "have" if len(tops) > 1 else "has"
        every = "both" if len(names) == 2 else f"all {len(names)}"
        return f"{listing(tops)} {has} the best mean on {every} dimensions."
    shown = [f"{listing(tops)} ({listing(where)})" for tops, where in won.items()]
    return f"Best means: {', '.join(shown)}."


def methods(summary: Summary) -> str:
    """A paragraph for a paper: what was rated, how the numbers were made, how far raters agree."""
    source, settings = summary["source"], summary["settings"]
    names = [d["dimension"] for d in summary["dimensions"]]
    out = [_sample(summary, names)]
    numeric = [
        n for n in names if any(r["mean_macro"] is not None for r in of(summary, "systems", n))
    ]
    if source["repeats"]:
        out.append(
            f"Where a rater rated an output more than once, the {settings['repeats']} rating "
            f"counts; the others ({counted(source['repeats'], 'rating')}) say how far raters "
            "agree with themselves."
        )
    if source["cut"]:
        out.append(
            f"Of each output the first {settings['first']} ratings are used "
            f"({counted(source['cut'], 'rating')} left out)."
        )
    if numeric:
        out.append(
            "Means are over items of the mean rating of each item (macro), with "
            f"{level(summary['level'])} intervals from Student's t over items."
        )
        if low := [n for n in lower(summary) if n in numeric]:
            out.append(f"On {listing(low)}, lower is better.")
        if source["raters"] is not None:
            divisor = "n − 1" if settings["ddof"] == 1 else "n"
            out.append(
                "z-scores subtract each rater's mean on the dimension and divide by the rater's "
                f"standard deviation (divisor {divisor})."
            )
    if summary["comparisons"]:
        out.append(_tested(summary))
    if any(one["variances"] for one in summary["mixed"] or ()):
        out.append(_mixed(summary))
    out.append(_agreement(summary, names))
    out += themselves(summary)
    return " ".join(out)


def _sample(summary: Summary, names: list[str]) -> str:
    source = summary["source"]
    per = [d["ratings_per_output"] for d in summary["dimensions"]]
    least, most = min(p["least"] for p in per), max(p["most"] for p in per)
    each = counted(least, "rating") if least == most else f"{least} to {most} ratings"
    scales = {
        d["dimension"]: f"{d['lowest']:g} to {d['highest']:g}"
        for d in summary["dimensions"]
        if d["lowest"] is not None
    }
    one_range = len(set(scales.values())) == 1 and len(scales) == len(names)
    if one_range:
        what = f"{listing(names, 20)} (values from {next(iter(scales.values()))})"
    else:
        shown = [f"{n} ({scales[n]})" if n in scales else n for n in names]
        what = listing(shown, 20)
    who = counted(source["raters"], "rater") if source["raters"] is not None else "raters"
    systems = counted(source["systems"], "system") if source["system_names"] else "outputs"
    of_items = f"{systems} on {counted(source['items'], 'item')}"
    return (
        f"{who[0].upper()}{who[1:]} rated {of_items} for {what}, with {each} of each output and "
        f"dimension ({counted(source['ratings'], 'rating')} in all)."
    )


def _tested(summary: Summary) -> str:
    settings = summary["settings"]
    test = TESTS[settings["test"]]
    extra = f" ({ZEROS[settings['zeros']]})" if settings["test"] == "wilcoxon" else ""
    pairs = len(of(summary, "comparisons", summary["comparisons"][0]["dimension"]))
    correction = settings["correction"]
    how = "without correction for the number of pairs"
    if correction != "none" and pairs > 1:
        how = (
            f"corrected by {CORRECTIONS[correction]}'s method over the pairs of systems of each "
            "dimension"
        )
    elif pairs == 1:
        how = "one pair a dimension"
    return (
        f"Systems are compared on the items that both have by a two-sided {test}{extra} of the "
        f"items' mean ratings, {how}; differences with p < {settings['alpha']:g} are called "
        "significant."
    )


def _mixed(summary: Summary) -> str:
    """What the mixed models are and take for granted."""
    fitted = [one for one in summary["mixed"] if one["variances"]]
    apart: dict[str, list[str]] = {}
    for one in fitted:
        names = [name for name in ("item", "rater") if name in one["random"]]
        crossed = "crossed " if len(names) > 1 else ""
        random = f"{crossed}random intercepts of {'s and '.join(names)}s"
        apart.setdefault(random if names else "no random effect", []).append(one["dimension"])
    several = len(apart) > 1 or len(fitted) < len(summary["mixed"])
    effects = "; ".join(
        f"{random} ({listing(where, 20)})" if several else random for random, where in apart.items()
    )
    fit = (
        "A linear mixed model of each rating, with the system as a fixed effect and "
        f"{effects}, was fitted by restricted maximum likelihood."
    )
    out = [fit]
    pairs = max(len(one["differences"]) for one in fitted)
    if pairs:
        same = ", corrected in the same way" if pairs > 1 else ""
        out.append(
            f"The tests and intervals of its differences are Wald's (normal quantiles){same}."
        )
    common = [
        text
        for name, text in (("item", "an item"), ("rater", "a rater"))
        if any(name in one["random"] for one in fitted)
    ]
    taken = "The model takes the points as equally far apart"
    if common:
        taken += (
            f", the effects as normal, and what {' or '.join(common)} adds as the same for every "
            "system"
        )
    out.append(f"{taken}.")
    return " ".join(out)


def _agreement(summary: Summary, names: list[str]) -> str:
    parts = []
    for name in names:
        got = alpha(summary, name)
        if got["value"] is None:
            parts.append(f"not defined for {name}, because {got['undefined']['reason']}")
            continue
        limits = got["interval"]
        sure = ""
        if limits is not None:
            said = level(limits["level"])
            sure = (
                f" ({said} interval {coefficient(limits['low'])} to {coefficient(limits['high'])})"
            )
        where = f" for {name}" if len(names) > 1 else ""
        metric = got["full_name"].split(", ", 1)[-1]
        parts.append(f"{coefficient(got['value'])}{sure}{where} ({metric})")
    return f"Krippendorff's alpha over outputs is {'; '.join(parts)}."


def themselves(summary: Summary) -> list[str]:
    """How far raters agree with themselves, a sentence a dimension."""
    out = []
    for one in summary["intra_rater"]:
        found = {c["name"]: c for c in one["coefficients"]}
        share = found["percent_agreement"]["value"]
        value = found["krippendorff_alpha"]["value"]
        if share is not None:
            where = counted(one["pairs"], "repeated output")
            out.append(
                f"On {where} raters gave the same {one['dimension']} again in "
                f"{100 * share:.1f} % (alpha {coefficient(value)})."
            )
    return out
