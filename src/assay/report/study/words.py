"""What was asked, and how, in the sentences of a methods section and of a datasheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assay.report.evaluate.words import listing, themselves
from assay.report.numbers import count, counted, percent
from assay.report.render import Summary

LANGUAGES = {"en": "English", "vi": "Vietnamese", "zh": "Chinese"}
GROUPS = {"expert": ("expert", "experts"), "crowd": ("crowd worker", "crowd workers"),
          "user": ("user", "users"), "": ("of no named group", "of no named group")}  # fmt: skip
ENDS = tuple(f"{sign}”" for sign in ".?!。？！")
"""How a sentence ends that ends in a quotation which does."""
MANY = 12
"""Labels and points that a sentence lists; of more it says the number."""


def methods(summary: Summary) -> str:
    """How the answers were collected, each question, then how each part was computed."""
    from assay.report.evaluate.words import methods as of_ratings
    from assay.report.methods import paragraphs as of_labels
    from assay.report.prefer.methods import paragraphs as of_comparisons

    out = [collection(summary), "\n".join(questions(summary))]
    if summary["evaluate"] is not None:
        out.append(of_ratings(summary["evaluate"]))
    for key, found in summary["prefer"].items():
        out += [f"{key}: {text}" for text in of_comparisons(found)]
    for key, found in summary["agree"].items():
        out += [f"{key}: {text}" for text in of_labels(found)]
    out += [f"{key}, each label: {of_ratings(found)}" for key, found in summary["labels"].items()]
    if summary["intra_rater"]:
        out.append(" ".join(themselves(summary)))
    return "\n\n".join(out)


def collection(summary: Summary) -> str:
    """How the answers were collected, as one paragraph."""
    return " ".join(_collection(summary))


def _collection(summary: Summary) -> Iterator[str]:
    design, came = summary["design"], summary["collected"]
    yield f"{raters(summary)} judged {things(design)}."
    yield f"{tool(summary)}{_when(came)}."
    read = {"instructions": "read the instructions", "consent": "gave their consent"}
    before = [text for what, text in read.items() if design[what]]
    if before:
        yield f"Before the first task they {listing(before)}."
    yield from assignment(design)
    yield from quality(summary)


def raters(summary: Summary) -> str:
    """How many answered, of which groups, and how many were meant to.

    >>> came = {"raters": 3, "groups": {"expert": 2, "": 1}}
    >>> raters({"collected": came, "design": {"raters": 4}})
    '3 raters (2 experts and 1 of no named group; the design has 4 raters)'
    """
    came = summary["collected"]
    said = [
        f"{n} {GROUPS[name][n > 1]}" for name, n in sorted(came["groups"].items(), reverse=True)
    ]
    more = [listing(sorted(said, key=lambda text: "no named" in text))] if said else []
    if summary["design"]["raters"] != came["raters"]:
        more.append(f"the design has {counted(summary['design']['raters'], 'rater')}")
    return counted(came["raters"], "rater") + (f" ({'; '.join(more)})" if more else "")


def things(design: Mapping[str, Any]) -> str:
    """What there was to judge, with strata."""
    strata = ", ".join(f"{name or 'no stratum'} {n}" for name, n in design["strata"].items())
    items = counted(design["items"], "item") + (f" ({strata})" if strata else "")
    if not design["systems"]:
        return items
    return f"the outputs of {counted(len(design['systems']), 'system')} for {items}"


def tool(summary: Summary) -> str:
    """With what answers were collected."""
    language = LANGUAGES[summary["design"]["language"]]
    return (
        f"They answered in the browser, one task at a time, on a page in {language} "
        f"(assay {summary['assay']})"
    )


def _when(came: Mapping[str, Any]) -> str:
    if came["first_at"] is None:
        return ""
    first, last = came["first_at"][:10], came["last_at"][:10]
    return f", on {first}" if first == last else f", from {first} to {last}"


def assignment(design: Mapping[str, Any]) -> Iterator[str]:
    """Who judged what, in which order, and what they could not know."""
    kinds = {one["kind"] for one in design["dimensions"]}
    per = design["per_item"]
    each = {
        "single": "each output",
        "pair": "each comparison",
        "all": "each set of an item's outputs",
    }
    what = listing([text for kind, text in each.items() if kind in kinds])
    what = what if design["systems"] else "each item"
    yield f"{what[0].upper()}{what[1:]} was given to {counted(per, 'rater')}."
    if "pair" in kinds:
        asked = design["pairs_per_item"]
        pairs = len(design["pairs"]) or len(design["systems"]) * (len(design["systems"]) - 1) // 2
        which = f"{asked} of {pairs}" if asked and asked < pairs else "All"
        both = "The two systems" if pairs == 1 else f"{which} pairs of systems"
        yield f"{both} were compared on each item."
    if design["batch"]:
        yield (
            f"Items came in batches of at most {design['batch']}, and the raters of a batch judged "
            "all of it."
        )
    elif design["same_raters"]:
        yield "The raters of an item judged all of its outputs."
    blind = " Systems were not named." if design["systems"] else ""
    sides = ", and sides were balanced" if "pair" in kinds else ""
    yield (
        "Tasks were balanced over raters"
        f"{' and systems' if design['systems'] else ''} and shuffled for each rater{sides} "
        f"(seed {design['seed']}).{blind}"
    )
    if design["repeats"]:
        yield f"{percent(design['repeats'])} of a rater's tasks were shown a second time."
    else:
        yield "No task was shown twice."
    if design["pilot"]:
        by_all = ", by all raters" if design["pilot_all"] else ""
        yield f"{counted(design['pilot'], 'item')}, drawn at random, came first as a pilot{by_all}."


def quality(summary: Summary) -> Iterator[str]:
    """The test, attention checks, right answers, and what was left out."""
    design, came = summary["design"], summary["collected"]
    if design["qualification"]:
        yield _tested(design["qualification"], summary["qualification"])
    if design["checks"]:
        right = _right(summary["checks"])
        many = design["checks"] > 1
        yield (
            f"{counted(design['checks'], 'attention check')} {'were' if many else 'was'} shown to "
            f"every rater and {'are' if many else 'is'} not among the data{right}."
        )
    if summary["gold"]:
        yield f"Where the right answer is known{_right(summary['gold']).replace(';', ',')}."
    skips = [one["title"] for one in design["dimensions"] if one["can_skip"]]
    if skips:
        left = counted(came["cannot_judge"], "such answer")
        yield f"Raters could say that they cannot judge ({left}, left out)."


def _tested(test: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> str:
    """The test before everything else, and how many of those who finished it reached its bar."""
    said: dict[str, tuple[int, int]] = {}
    for one in found:
        answers, right = said.get(one["rater"], (0, 0))
        said[one["rater"]] = answers + one["answers"], right + one["right"]
    over = [right for answers, right in said.values() if answers == test["questions"]]
    reached = sum(right >= test["needed"] for right in over)
    near = f", numbers up to {test['tolerance']:g} away" if test["tolerance"] else ""
    came = f"; {count(reached)} of {counted(len(over), 'rater')} did" if over else ""
    return (
        f"Before everything else each rater took a qualification test of "
        f"{counted(test['items'], 'item')}, which are not among the data: {count(test['needed'])} "
        f"of its {counted(test['questions'], 'question')} had to be answered right{near}{came}."
    )


def _right(found: Sequence[Mapping[str, Any]]) -> str:
    answers = sum(one["answers"] for one in found)
    right = sum(one["right"] for one in found)
    return f"; {count(right)} of {count(answers)} answers were right" if answers else ""


def questions(summary: Summary) -> list[str]:
    """Each dimension: how it was answered, the question word for word, what it was said to mean."""
    out = []
    for one in summary["design"]["dimensions"]:
        meant = f", explained as “{one['definition'].strip()}”" if one["definition"].strip() else ""
        text = f"{one['key']}, by {mechanism(one)}: “{one['question'].strip()}”{meant}"
        if one["mechanism"] == "labels":
            text += (
                "; each label is analysed as a dimension of its own (yes or no), and "
                f"{one['key']} itself takes the whole set as one value, equal only where all "
                "labels are"
            )
        out.append(text if text.endswith(ENDS) else f"{text}.")
    return out


def mechanism(one: Mapping[str, Any]) -> str:
    """How a dimension is answered, with the wording of its points."""
    return MECHANISMS[one["mechanism"]](one)


def _points(one: Mapping[str, Any]) -> str:
    said = [f"{p['value']} {p['wording']}".strip() for p in one["points"]]
    if one["mechanism"] in ("label", "labels"):
        said = [str(p["wording"] or p["value"]) for p in one["points"]]
    return ", ".join(said) if len(said) <= MANY else f"{said[0]} to {said[-1]}, {len(said)} in all"


def _range(one: Mapping[str, Any]) -> str:
    low, high = one["low"], one["high"]
    if low is None and high is None:
        return "a number"
    if high is None:
        return f"a number of {low:g} or more"
    return f"a number from {low:g} to {high:g}" if low is not None else f"a number up to {high:g}"


def _interval(one: Mapping[str, Any]) -> str:
    step = f" in steps of {one['step']:g}" if one["step"] else ""
    return f"{_range(one)}{step}" + (", with a slider" if one["slider"] else "")


def _magnitude(one: Mapping[str, Any]) -> str:
    return f"magnitude estimation{_reference(one)}"


def _rankme(one: Mapping[str, Any]) -> str:
    return f"RankME, all outputs for an item together, {_range(one)} each{_reference(one)}"


def _reference(one: Mapping[str, Any]) -> str:
    if one["reference"] is None:
        return ""
    what = "a fixed text" if one["reference_text"] else "a reference"
    if one["reference_system"]:
        what = f"the output of {one['reference_system']}"
    return f" beside {what}, which counts as {one['reference']:g}"


def _compared(one: Mapping[str, Any]) -> str:
    tie = "left, tie or right" if one["allow_tie"] else "left or right, without ties"
    return f"comparison of two outputs side by side ({tie})"


MECHANISMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "likert": lambda one: f"a Likert scale ({_points(one)})",
    "interval": _interval,
    "magnitude": _magnitude,
    "rankme": _rankme,
    "ab": _compared,
    "label": lambda one: f"one label of {_points(one)}",
    "labels": lambda one: f"any number of the labels {_points(one)}",
}
