r"""Comparisons as papers print them: per cent of wins, ties and losses, agreement below."""

from __future__ import annotations

from typing import Any

from assay.report.latex import DASH, MINUS, NEEDS, escape
from assay.report.layout import brief
from assay.report.numbers import coefficient, count, fixed, interval, level, p_value
from assay.report.prefer.also import scored, short
from assay.report.prefer.methods import paragraphs
from assay.report.render import Summary, View, parts

MARK = 0.05


def latex(summary: Summary, view: View) -> str:
    """Two systems: a row a group. More: a row a system, or with ``view.full`` a row a pair."""
    found = parts(summary)
    two = all(len(part["systems"]) == 2 for _, part in found)
    lines = [*NEEDS]
    if two:
        lines += _two(found)
    elif view.full:
        lines += _pairs(found)
    else:
        lines += _systems(found, str(summary["level"]))
    lines += _also(found)
    # The blank line ends the table's paragraph; the sentences are text for the methods section.
    text = [line for one in paragraphs(summary) for line in ("", escape(one))]
    return "\n".join([*lines, *text, "", *_comments(found, tested=two or view.full)])


def _percent(share: float | None) -> str:
    return DASH if share is None else fixed(100.0 * share, 1, MINUS)


def _shares(one: Any) -> list[str]:
    return [_percent(one[f"{key}_share"]) for key in ("win", "tie", "loss")]


def _mark(p: float | None) -> str:
    return "$^{*}$" if p is not None and p < MARK else ""


def _agreement(part: Summary) -> dict[str, Any]:
    return {c["name"]: c for c in part["agreement"]["coefficients"] if c["value"] is not None}


def _kappa(part: Summary) -> tuple[str, str]:
    """The kappa that suits the raters, and alpha."""
    found = _agreement(part)
    kappa = found.get("cohen_kappa") or found.get("fleiss_kappa")
    alpha = found.get("krippendorff_alpha")
    return tuple(  # type: ignore[return-value]
        coefficient(None if c is None else c["value"], MINUS, DASH) for c in (kappa, alpha)
    )


def _two(found: list[tuple[str | None, Summary]]) -> list[str]:
    lines = [
        "\\begin{tabular}{lrrrrrrr}",
        "\\toprule",
        " & Win & Tie & Lose & $n$ & $p$ & $\\kappa$ & $\\alpha$ \\\\",
        "\\midrule",
    ]
    first = found[0][1]["pairs"][0]["systems"][0]
    for group, part in found:
        pair = _seen_from(part["pairs"][0], first)
        name = " vs. ".join(brief(s) for s in pair["systems"])
        name = name if group is None else f"{brief(group)}: {name}"
        p = pair["sign_test"]["p_value"]
        win, tie, lose = _shares(pair)
        shown = p_value(p, DASH).replace("< ", "$<$ ")
        cells = [escape(name), win + _mark(p), tie, lose, _count(pair["comparisons"]), shown]
        lines.append(" & ".join([*cells, *_kappa(part)]) + " \\\\")
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _seen_from(pair: Any, system: str) -> dict[str, Any]:
    """The pair with ``system`` first if it is one of the two, so that rows can be compared."""
    if pair["systems"][1] != system:
        return dict(pair)
    turned = {"systems": pair["systems"][::-1]}
    turned |= {"win_share": pair["loss_share"], "loss_share": pair["win_share"]}
    return {**pair, **turned}


def _count(n: int) -> str:
    return count(n).replace(",", "\\,")


def _systems(found: list[tuple[str | None, Summary]], at: str) -> list[str]:
    name = escape(level(float(at))).replace(" ", "~")
    drawn = any(part["bootstrap"] for _, part in found)
    head = ["System", "Strength", *([f"{name} interval", "Ranks"] if drawn else ["Rank"])]
    head += ["Win", "Tie", "Lose", "$n$"]
    align = "lr" + ("cc" if drawn else "r") + "rrrr"
    lines = [f"\\begin{{tabular}}{{{align}}}", "\\toprule", " & ".join(head) + " \\\\"]
    for group, part in found:
        lines.append("\\midrule")
        if group is not None:
            lines.append(
                f"\\multicolumn{{{len(head)}}}{{l}}{{\\emph{{{escape(brief(group))}}}}} \\\\"
            )
        results = {one["system"]: one for one in part["systems"]}
        for one in part["strengths"]:
            result = results[one["system"]]
            cells = [escape(brief(one["system"])), coefficient(one["strength"], MINUS, DASH)]
            if drawn:
                places = one["rank_interval"]
                ranks = DASH if places is None else f"{places['low']}--{places['high']}"
                cells += ["{" + interval(one["interval"], MINUS, DASH) + "}", ranks]
            else:
                cells += [DASH if one["rank"] is None else str(one["rank"])]
            cells += [*_shares(result), _count(result["comparisons"])]
            lines.append(" & ".join(cells) + " \\\\")
        lines += _below(part, len(head))
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _pairs(found: list[tuple[str | None, Summary]]) -> list[str]:
    head = ["Pair", "Win", "Tie", "Lose", "$n$", "$p$ (Holm)"]
    lines = ["\\begin{tabular}{lrrrrr}", "\\toprule", " & ".join(head) + " \\\\"]
    for group, part in found:
        lines.append("\\midrule")
        if group is not None:
            lines.append(f"\\multicolumn{{6}}{{l}}{{\\emph{{{escape(brief(group))}}}}} \\\\")
        for pair in part["pairs"]:
            p = pair["sign_test"]["holm"]
            win, tie, lose = _shares(pair)
            name = escape(" vs. ".join(brief(s) for s in pair["systems"]))
            shown = p_value(p, DASH).replace("< ", "$<$ ")
            cells = [name, win + _mark(p), tie, lose, _count(pair["comparisons"]), shown]
            lines.append(" & ".join(cells) + " \\\\")
        lines += _below(part, len(head))
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _also(found: list[tuple[str | None, Summary]]) -> list[str]:
    """Other ratings as a table of their own: score and rank, beside the rank by strength."""
    names = {
        one["method"]: short(one)
        for _, part in found
        for one in part["also"] or ()
        if one["scores"]
    }
    if not names:
        return []
    head = ["System", "Bradley-Terry", *(escape(name) for name in names.values())]
    align = "lr" + "r" * len(names)
    lines = ["", f"\\begin{{tabular}}{{{align}}}", "\\toprule", " & ".join(head) + " \\\\"]
    for group, part in found:
        lines.append("\\midrule")
        if group is not None:
            text = f"\\emph{{{escape(brief(group))}}}"
            lines.append(f"\\multicolumn{{{len(head)}}}{{l}}{{{text}}} \\\\")
        scores = {
            (one["method"], got["system"]): got
            for one in part["also"] or ()
            for got in one["scores"]
        }
        for row in part["strengths"]:
            found_of = [scores.get((name, row["system"])) for name in names]
            shown = [scored(n, got, MINUS, DASH) for n, got in zip(names, found_of, strict=True)]
            name = escape(brief(row["system"]))
            lines.append(" & ".join([name, count(row["rank"], DASH), *shown]) + " \\\\")
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _below(part: Summary, columns: int) -> list[str]:
    """The raters' agreement, in a line of its own."""
    kappa, alpha = _kappa(part)
    if DASH == kappa == alpha:
        return []
    text = f"Agreement: $\\kappa$ {kappa}, $\\alpha$ {alpha}"
    return ["\\midrule", f"\\multicolumn{{{columns}}}{{l}}{{{text}}} \\\\"]


def _comments(found: list[tuple[str | None, Summary]], *, tested: bool) -> list[str]:
    """What the numbers are, as comments; of p only where the table has it."""
    lines: dict[str, None] = {}
    for _, part in found:
        agreed, also = _agreement(part), part["also"] or ()
        kappa = agreed.get("cohen_kappa") or agreed.get("fleiss_kappa")
        named = [c["full_name"] for c in (kappa, agreed.get("krippendorff_alpha")) if c]
        texts = [
            "win, tie and lose in per cent of all comparisons",
            f"p: {part['sign_test']['method']}; * below {MARK:g}" if tested else "",
            f"strengths: {part['model_name']} ({part['reference']})",
            part["bootstrap"]["method"] if part["bootstrap"] else "",
            f"agreement: {'; '.join(named)}" if named else "",
            "other ratings: score (rank); of Bradley-Terry the rank" if also else "",
            *(
                f"{one['full_name']}: not defined, because {one['undefined']['reason']}"
                for one in also
                if one["undefined"]
            ),
        ]
        lines |= dict.fromkeys(f"% {' '.join(text.split())}" for text in texts if text)
    return list(lines)
