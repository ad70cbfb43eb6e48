"""A draft of the human evaluation datasheet (HEDS 3.0): what the data tell, and what is to do.

The sections are those of HEDS 3.0 (Belz and Thomson 2024, arXiv 2412.07940); the questions are
put in our own words and name the range of the datasheet's numbers, not each of its boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from assay.report.evaluate.words import Summary, alpha, listing, methods, of
from assay.report.markdown import escape
from assay.report.numbers import coefficient, count, counted, interval

TODO = "**TO DO**"
INTRODUCTION = (
    "Filled in from the ratings as far as they tell; what they do not tell is marked TO DO. The "
    "sections follow HEDS 3.0 (Belz and Thomson 2024); the questions are abridged in other words, "
    "so transfer the answers to the form itself."
)


def datasheet(summary: Summary) -> str:
    """The draft as Markdown."""
    lines = [
        "# Human evaluation datasheet: a draft",
        "",
        INTRODUCTION,
        "",
    ]
    for section in (_resources, _systems, _sample, _criteria, _ethics):
        lines += section(summary)
    return "\n".join(lines).rstrip() + "\n"


def _ask(question: str, answer: str = TODO) -> Iterator[str]:
    yield f"- {question}"
    yield f"  {answer}"


def _block(title: str, asked: list[tuple[str, str]]) -> list[str]:
    lines = [title, ""]
    for question, answer in asked:
        lines += _ask(question, answer)
    return [*lines, ""]


def _resources(summary: Summary) -> list[str]:
    file = escape(PurePath(summary["source"]["name"]).name)
    return _block(
        "## 1. Main reference and resources (1.1.1 to 1.3.2.3)",
        [
            ("Which paper reports the experiment, and which of its experiments is this?", TODO),
            (
                "Where are the outputs, the interface and the ratings?",
                (
                    f"{TODO} (the ratings of each rater: `assay evaluate … --raw ratings.csv`; "
                    f"they were read from {file})"
                ),
            ),
            ("Who fills in this sheet, and who answers questions?", TODO),
        ],
    )


def _systems(summary: Summary) -> list[str]:
    names = [escape(n) for n in summary["source"]["system_names"]]
    said = f"{counted(len(names), 'system')}: {', '.join(names)}" if names else TODO
    return _block(
        "## 2. Evaluated systems (2.1 to 2.5)",
        [
            ("What goes into the systems, and what comes out?", TODO),
            ("Which task do they perform?", TODO),
            ("In which languages are inputs and outputs?", TODO),
            ("Which systems were evaluated?", said),
        ],
    )


def _sample(summary: Summary) -> list[str]:
    source = summary["source"]
    outputs = max(d["outputs"] for d in summary["dimensions"])
    per = [d["ratings_per_output"] for d in summary["dimensions"]]
    least, most = min(p["least"] for p in per), max(p["most"] for p in per)
    each = str(least) if least == most else f"{least} to {most}"
    raters = TODO if source["raters"] is None else counted(source["raters"], "rater")
    loads = [r["ratings"] for r in summary["raters"]]
    load = TODO
    if loads:
        load = f"{count(min(loads))} to {count(max(loads))} ratings a rater and dimension"
    again = "no rater met an output again"
    if source["raters"] is None:
        again = TODO
    elif source["repeats"]:
        again = f"{counted(source['repeats'], 'rating')} repeat an earlier one of the same rater"
    return _block(
        "## 3. Outputs, evaluators, design (3.1.1 to 3.3.8)",
        [
            (
                "How many outputs were evaluated?",
                f"{counted(outputs, 'output')}: {counted(source['items'], 'item')} of "
                f"{counted(source['systems'], 'system')}"
                if source["system_names"]
                else counted(outputs, "output"),
            ),
            ("How were the items chosen, and from where?", TODO),
            ("Was a power analysis made, or another reason given for this size?", TODO),
            ("How many evaluators took part?", raters),
            ("How much did each of them rate?", load),
            ("Experts or not, paid or not, known to the authors or not?", TODO),
            ("How were they found, trained and instructed?", TODO),
            ("How many ratings did each output get?", f"{each} on each criterion"),
            ("Did evaluators meet an output again?", again),
            ("Was the experiment registered before it was run?", TODO),
            ("Which tool collected the answers, and under which conditions?", TODO),
            ("How was quality assured: qualification, checks, exclusions?", TODO),
            ("Could evaluators ask, stop, or go back?", TODO),
        ],
    )


def _criteria(summary: Summary) -> list[str]:
    lines = [
        "## 4. Quality criteria (4.1.1 to 4.3.12.2, once for each criterion)",
        "",
    ]
    for one in summary["dimensions"]:
        name = one["dimension"]
        got = alpha(summary, name)
        said = f"Krippendorff's alpha {coefficient(got['value'])} {interval(got['interval'])}"
        if got["value"] is None:
            said = f"Krippendorff's alpha is not defined, because {got['undefined']['reason']}"
        scale = f"{one['scale']} scale"
        if one["lowest"] is not None:
            scale += f"; values from {one['lowest']:g} to {one['highest']:g} were used"
        if one["labels"] and len(one["labels"]) <= 11:
            scale += f" ({', '.join(escape(x) for x in one['labels'])})"
        own = [
            f"{r['pairs']} repeated outputs, alpha "
            + coefficient(next(c["value"] for c in r["coefficients"]
                               if c["name"] == "krippendorff_alpha"))
            for r in of(summary, "intra_rater", name)
        ]  # fmt: skip
        lines += _block(
            f"### {escape(name)}",
            [
                ("Correctness, goodness, or another property; of form, content or both?", TODO),
                ("Judged on its own, against the input, or against something outside?", TODO),
                ("What is the criterion called in the paper, and how is it defined?", TODO),
                ("Objective or subjective; absolute or relative; intrinsic or extrinsic?", TODO),
                ("Which scale or list of answers?", f"{scale} {TODO}: the points as worded"),
                ("The question and the instructions, word for word?", TODO),
                ("How are answers turned into results?", "means over items; see below"),
                (
                    "Which tests of significance?",
                    "see below" if of(summary, "comparisons", name) else "none",
                ),
                ("Agreement between evaluators?", f"{said}; {got['full_name']}"),
                ("Agreement of evaluators with themselves?", listing(own) or "not measured"),
            ],
        )
    return [*lines, "How the results were computed:", "", methods(summary), ""]


def _ethics(_summary: Summary) -> list[str]:
    return _block(
        "## 5. Ethics (5.1 to 5.4)",
        [
            ("Did an ethics committee approve the experiment?", TODO),
            ("Do outputs or ratings hold personal data, and how are they protected?", TODO),
            ("Do they hold data of special categories?", TODO),
            ("Was the impact on evaluators and others assessed?", TODO),
        ],
    )
