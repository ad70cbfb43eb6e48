"""Words and patterns that readers recognise. Data only."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+\-−]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A number as a file writes it, without leading zeros."""

NUMBER_COMMA = re.compile(r"[+\-−]?(?:0|[1-9][0-9]*),[0-9]+")
"""A number with a decimal comma."""

GROUPS = re.compile(r"[+\-−]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
"""A number with points between thousands, as written beside decimal commas."""

LEADING_ZERO = re.compile(r"0[0-9]+")

SPREADSHEET_DATE = re.compile(
    r"(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?)?)",
    re.IGNORECASE,
)
"""What spreadsheets make of labels such as 1-2."""

LOOKS_MISSING = frozenset(
    {
        *("na", "n/a", "n.a.", "#n/a", "<na>", "none", "null", "nil", "nan", "nat", "missing"),
        *("-", "--", ".", "(null)", "\\n", "(blank)", "(missing)", "#value!"),
    }
)
"""Texts, lower case, that often stand for a missing rating. They are labels all the same."""

ORDERED_WORDS: tuple[tuple[str, ...], ...] = (
    ("none", "very low", "low", "moderate", "medium", "high", "very high"),
    ("none", "slight", "mild", "moderate", "severe", "very severe", "extreme"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("terrible", "very bad", "bad", "poor", "ok", "okay", "good", "very good", "great"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    (
        *("strongly disagree", "disagree", "somewhat disagree"),
        *("neither agree nor disagree", "neutral", "undecided", "somewhat agree"),
        *("agree", "strongly agree"),
    ),
    ("very negative", "negative", "neutral", "positive", "very positive"),
    ("very unlikely", "unlikely", "possible", "likely", "very likely"),
    ("very small", "small", "medium", "large", "very large"),
    ("not at all", "slightly", "somewhat", "moderately", "very", "extremely"),
    ("irrelevant", "somewhat relevant", "relevant", "highly relevant"),
    ("minor", "moderate", "major", "critical"),
    ("worse", "same", "better"),
)
"""Families of words that have an order, lowest first."""

ITEM_NAMES = frozenset(
    {
        *("item", "items", "item_id", "id", "text_id", "doc", "doc_id", "document", "document_id"),
        *("task", "task_id", "unit", "unit_id", "subject", "subject_id", "sentence", "question"),
        *("sentence_id", "question_id", "case", "case_id", "example", "example_id", "sample"),
        *("sample_id", "instance", "instance_id", "record", "record_id", "object", "target"),
        *("target_id", "stimulus", "image", "image_id", "comment_id", "post_id", "tweet_id"),
        *("prompt_id", "segment", "segment_id", "seg_id", "hitid", "hit_id", "uid", "key"),
        *("passage", "passage_id", "response_id", "utterance_id", "dialog_id", "dialogue_id"),
        *("query_id", "pair_id", "index", "idx", "row", "no", "nr", "#", "item_no", "item_number"),
        *("patient", "patient_id", "participant", "participant_id", "ratee", "specimen"),
    }
)
"""Usual names of a column of items, lower case with _ for spaces and hyphens."""

RATER_NAMES = frozenset(
    {
        *("rater", "raters", "rater_id", "annotator", "annotator_id", "coder", "coder_id"),
        *("worker", "worker_id", "workerid", "judge_id", "user_id", "username", "user"),
        *("reviewer", "reviewer_id", "labeler", "labeller", "labeler_id", "assessor"),
        *("assessor_id", "evaluator", "evaluator_id", "observer", "observer_id", "expert_id"),
        *("annotated_by", "created_by", "completed_by", "grader", "grader_id", "crowdworker"),
        *("scorer", "reader_id", "marker", "examiner", "judge", "rater_name", "_worker_id"),
        *("annotator_name", "source_rater", "who", "participant_rater"),
    }
)
"""Usual names of a column of raters."""

WEAK_RATER_NAMES = frozenset({"judge", "user", "marker", "reviewer", "who", "scorer"})
"""Names of RATER_NAMES that may also be one rater's own column in a wide table."""

LABEL_NAMES = frozenset(
    {
        *("label", "labels", "rating", "ratings", "score", "value", "category", "answer", "class"),
        *("code", "judgment", "judgement", "annotation", "response", "grade", "choice", "tag"),
        *("decision", "rank", "verdict", "rated", "mark", "winner", "preference", "severity"),
        *("label_name", "label_id", "sentiment", "diagnosis", "quality", "stars", "vote", "coding"),
    }
)
"""Usual names of a column of labels."""

ASIDE_NAMES = frozenset(
    {
        *("text", "comment", "comments", "note", "notes", "timestamp", "time", "date", "duration"),
        *("created_at", "updated_at", "lead_time", "url", "link", "title", "content", "body"),
        *("description", "remarks", "sentence_text", "email", "language", "lang", "start_time"),
        *("end_time", "metadata", "tweet", "abstract", "context"),
    }
)
"""Usual names of columns that are neither raters nor categories."""

RATER_COLUMN = re.compile(
    r"(?:(?:rater|annotator|annot|ann|coder|judge|worker|reviewer|expert|evaluator|assessor"
    r"|observer|grader|human|user|person|labell?er)(?:[ _.#-]?(?:no|id)?[ _.#-]?[0-9a-z]{0,3})"
    r"|r[ _.#-]?[0-9]{1,3})",
    re.IGNORECASE,
)
"""A column name that says that the column is one rater."""

ITEM_COLUMN = re.compile(
    r"(?:item|id|q|s|question|text|doc|document|sentence|task|unit|subject|case|example|sample"
    r"|patient|image)[ _.#-]?[0-9]+",
    re.IGNORECASE,
)
"""A column name that says that the column is one item (a transposed table)."""

TOTAL_NAMES = frozenset({"total", "totals", "sum", "all", "margin", "margins", "n", "overall"})
"""Names of a row or column of totals beside a contingency table."""


REFERENCE_NAMES = frozenset(
    {
        *("majority", "majority_label", "majority_vote", "majority_voting", "majority_class"),
        *("gold", "gold_label", "gold_standard", "goldstandard", "gold_truth", "ground_truth"),
        *("groundtruth", "truth", "true_label", "consensus", "consensus_label", "adjudicated"),
        *("adjudicated_label", "adjudication", "adjudicator", "final", "final_label"),
        *("final_decision", "aggregated", "aggregate", "aggregated_label", "reference"),
        *("reference_label", "curated", "curation", "curation_user", "mv", "correct_label"),
    }
)
"""Usual names of a column that was made from the raters' labels, or stands above them."""

ERROR_CELLS = frozenset(
    {
        *("#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "#getting_data"),
        *("#spill!", "#calc!"),
    }
)
"""What a spreadsheet shows where a formula failed, lower case."""

BOOLEANS: tuple[tuple[str, str], ...] = (
    ("true", "false"),
    ("yes", "no"),
    ("y", "n"),
    ("t", "f"),
    ("1", "0"),
)
"""Families of words for true and false, lower case."""


def squash(name: object) -> str:
    """A column name as the lists above write it.

    >>> squash(" Text-ID ")
    'text_id'
    """
    return re.sub(r"[\s\-]+", "_", str(name).strip().lower())
