"""The human evaluation datasheet (HEDS 3.0): its questions, and a sheet of what is known of them.

The sections are those of HEDS 3.0 (Belz and Thomson 2024, arXiv 2412.07940); the questions are
put in our own words and name the range of the datasheet's numbers, not each of its boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.report.markdown import escape
from assay.report.numbers import coefficient, counted, interval

TODO = "**TO DO**"
INTRODUCTION = (
    "Filled in from {source} as far as they tell; what they do not tell is marked TO DO. The "
    "sections follow HEDS 3.0 (Belz and Thomson 2024); the questions are abridged in other words, "
    "so transfer the answers to the form itself."
)
Answers = Mapping[str, str]
"""Answers in Markdown by the key of their question; what has none is to do."""

Section = tuple[str, tuple[tuple[str, str], ...]]
RESOURCES: Section = (
    "## 1. Main reference and resources (1.1.1 to 1.3.2.3)",
    (
        ("paper", "Which paper reports the experiment, and which of its experiments is this?"),
        ("resources", "Where are the outputs, the interface and the ratings?"),
        ("contact", "Who fills in this sheet, and who answers questions?"),
    ),
)
SYSTEMS: Section = (
    "## 2. Evaluated systems (2.1 to 2.5)",
    (
        ("input", "What goes into the systems, and what comes out?"),
        ("task", "Which task do they perform?"),
        ("languages", "In which languages are inputs and outputs?"),
        ("systems", "Which systems were evaluated?"),
    ),
)
DESIGN: Section = (
    "## 3. Outputs, evaluators, design (3.1.1 to 3.3.8)",
    (
        ("outputs", "How many outputs were evaluated?"),
        ("chosen", "How were the items chosen, and from where?"),
        ("power", "Was a power analysis made, or another reason given for this size?"),
        ("raters", "How many evaluators took part?"),
        ("load", "How much did each of them rate?"),
        ("groups", "Experts or not, paid or not, known to the authors or not?"),
        ("trained", "How were they found, trained and instructed?"),
        ("per_output", "How many ratings did each output get?"),
        ("repeats", "Did evaluators meet an output again?"),
        ("registered", "Was the experiment registered before it was run?"),
        ("tool", "Which tool collected the answers, and under which conditions?"),
        ("quality", "How was quality assured: qualification, checks, exclusions?"),
        ("stop", "Could evaluators ask, stop, or go back?"),
    ),
)
CRITERIA = "## 4. Quality criteria (4.1.1 to 4.3.12.2, once for each criterion)"
CRITERION = (
    ("property", "Correctness, goodness, or another property; of form, content or both?"),
    ("against", "Judged on its own, against the input, or against something outside?"),
    ("defined", "What is the criterion called in the paper, and how is it defined?"),
    ("relative", "Objective or subjective; absolute or relative; intrinsic or extrinsic?"),
    ("scale", "Which scale or list of answers?"),
    ("question", "The question and the instructions, word for word?"),
    ("results", "How are answers turned into results?"),
    ("tests", "Which tests of significance?"),
    ("agreement", "Agreement between evaluators?"),
    ("own", "Agreement of evaluators with themselves?"),
)
ETHICS: Section = (
    "## 5. Ethics (5.1 to 5.4)",
    (
        ("approved", "Did an ethics committee approve the experiment?"),
        ("personal", "Do outputs or ratings hold personal data, and how are they protected?"),
        ("special", "Do they hold data of special categories?"),
        ("impact", "Was the impact on evaluators and others assessed?"),
    ),
)


def sheet(
    known: Answers, criteria: Iterable[tuple[str, Answers]], computed: str, source: str
) -> str:
    """The draft as Markdown.

    Parameters
    ----------
    known
        Answers to the questions of all sections but the fourth.
    criteria
        Each criterion's name with the answers on it.
    computed
        How the results were computed.
    source
        What the sheet is filled in from, as a plural.
    """
    lines = ["# Human evaluation datasheet: a draft", "", INTRODUCTION.format(source=source), ""]
    for section in (RESOURCES, SYSTEMS, DESIGN):
        lines += _block(section, known)
    lines += [CRITERIA, ""]
    for name, answers in criteria:
        lines += _block((f"### {escape(name)}", CRITERION), answers)
    lines += ["How the results were computed:", "", computed, ""]
    return "\n".join([*lines, *_block(ETHICS, known)]).rstrip() + "\n"


def _block(section: Section, known: Answers) -> list[str]:
    title, questions = section
    lines = [title, ""]
    for key, question in questions:
        lines += [f"- {question}", f"  {known.get(key, TODO)}"]
    return [*lines, ""]


def systems(names: Sequence[str]) -> str:
    """How many systems, and which."""
    return f"{counted(len(names), 'system')}: {', '.join(map(escape, names))}"


def agreed(got: Mapping[str, Any]) -> str:
    """Krippendorff's alpha with its interval, or why there is none."""
    if got["value"] is None:
        said = f"Krippendorff's alpha is not defined, because {got['undefined']['reason']}"
    else:
        said = f"Krippendorff's alpha {coefficient(got['value'])} {interval(got['interval'])}"
    return f"{said}; {got['full_name']}"


def alphas(found: Mapping[str, Any]) -> str:
    """Krippendorff's alpha, where there is a report on agreement."""
    said = [c for c in found.get("coefficients") or () if c["name"] == "krippendorff_alpha"]
    return agreed(said[0]) if said else "not measured"
