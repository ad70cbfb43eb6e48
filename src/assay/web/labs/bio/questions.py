"""The self-check: three questions, each with what is right and why."""

from __future__ import annotations

from assay.web.quiz import Question
from assay.web.speech import lazy

QUESTIONS = (
    Question(
        lazy("How many spans are B-PER I-PER B-PER?"),
        (
            lazy("One: it is all PER."),
            lazy("Two."),
            lazy("Three: one a tag."),
        ),
        "b",
        lazy(
            "A B always opens a span, even right behind one of its own type: PER [0,1] and PER "
            "[2,2]. That is what B is there for. In a scheme of only I and O the two would be one."
        ),
    ),
    Question(
        lazy(
            "A sentence of 20 tokens has one entity, six tokens long. The prediction leaves out "
            "its last token. What do token accuracy and exact F1 say?"
        ),
        (
            lazy("Token accuracy is 95 %, exact F1 is 0."),
            lazy("Both are 95 %: one token of twenty is wrong."),
            lazy("Token accuracy is 95 %, exact F1 is 83 %: five of six."),
        ),
        "a",
        lazy(
            "Of the tags 19 in 20 agree. But the span of five tokens is another span than the one "
            "of six: it is a false positive, the gold one is a false negative, and nothing is left "
            "that is right. Partial matching would count it as found."
        ),
    ),
    Question(
        lazy("An organisation is missed altogether. Why does precision stay at 100 %?"),
        (
            lazy("Because most of the tokens are right."),
            lazy("Because the organisation was partly found."),
            lazy("Because everything that was predicted is right."),
        ),
        "c",
        lazy(
            "Precision asks only of the predicted spans how many are right, and a span that was "
            "never predicted is not among them. What is missed shows in recall: 2 of 3 here, so F1 "
            "is 80 %."
        ),
    ),
)
