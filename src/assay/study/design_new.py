"""A first design file for each mechanism, commented, that works as it is."""

from __future__ import annotations

import textwrap

from assay.study.design import KINDS, LANGUAGES, MECHANISMS

INSTRUCTIONS = {
    "en": "Read the question, then the answer. Judge each aspect by itself.\n\n"
    'There are no trick questions. If you cannot judge something, say so with "can\'t judge".',
    "vi": "Hãy đọc câu hỏi, rồi đọc câu trả lời. Đánh giá riêng từng khía cạnh.\n\n"
    "Không có câu hỏi đánh lừa nào. Nếu không thể đánh giá, hãy chọn “không đánh giá được”.",
    "zh": "请先读问题，再读回答，并分别评价每个方面。\n\n"
    "没有陷阱题。如果无法判断，请选择“无法判断”。",
}

CONSENT = {
    "en": "Your ratings are used for research. No personal data are kept. You may stop any time.",
    "vi": "Các đánh giá của bạn được dùng cho nghiên cứu. Không lưu dữ liệu cá nhân; bạn có thể "
    "dừng bất cứ lúc nào.",
    "zh": "您的评分将用于研究。我们不保存个人数据；您可以随时停止。",
}

LABELS = {
    "en": ("Sentiment", "What feeling does the text express?", ("positive", "neutral", "negative")),
    "vi": ("Cảm xúc", "Văn bản thể hiện cảm xúc gì?", ("tích cực", "trung tính", "tiêu cực")),
    "zh": ("情感", "这段文本表达了什么情感？", ("积极", "中性", "消极")),
}

TOPICS = {
    "en": ("Topics", "What is it about? Choose all that fit.", ("price", "quality", "service")),
    "vi": ("Chủ đề", "Văn bản nói về điều gì? Hãy chọn mọi mục phù hợp.",
           ("giá cả", "chất lượng", "phục vụ")),
    "zh": ("主题", "这段文本谈到了什么？可多选。", ("价格", "质量", "服务")),
}  # fmt: skip

SYSTEM_ITEMS = """\
id,question,ours,baseline
q1,How do I keep bread fresh?,"Wrapped in a cloth, in a box, not in the fridge.",In the fridge.
q2,Why is the sky blue?,Air scatters blue light more than red light.,Because it reflects the sea.
q3,How many legs has a spider?,A spider has eight legs.,"Eight, and an insect has six."
q4,What is yeast?,A fungus that turns sugar into gas and alcohol.,Something that bakers use.
q5,How do I remove a wine stain?,"Dab it, put salt on it, then rinse it with cold water.",Wash it.
q6,When do swallows leave?,"In early autumn, when insects become rare.",They leave in winter.
"""

TEXT_ITEMS = """\
id,text
t1,"The room was clean, and the staff helped us at once."
t2,Two hours of waiting for a cold soup.
t3,"It is what it is: a bed, a shower, a fair price."
t4,I would come back for the breakfast alone.
t5,"The price is too high for such thin walls."
t6,Delivered on Tuesday as ordered.
"""

HEAD = '''\
# A study for `assay study`. Look at what it will do:  assay study check {file}
# Lines that begin with # are comments; where one shows a setting, it is what may be set.

name = "{name}"              # names the study's files: letters, digits, - and _
title = "{name}"             # the heading of the rating page
language = "{language}"            # of the rating page: en, vi, zh
seed = 1                   # all chance in the assignment comes from it

raters = 3                 # how many, or their names: ["mai", "jonas"]
per_item = 2               # how many of them rate each thing
repeats = 0.2              # the share of a rater's tasks shown again, for intra-rater agreement
pilot = 2                  # so many items, taken at random, come first
# pilot_all = true         # all raters rate the pilot
# same_raters = true       # the raters of an item rate all of its outputs
# batch = 15               # items come in batches of at most so many, with a break in between
# safe_html = true         # items may hold simple HTML; else it is shown as text
# comments = false         # raters may not leave comments

instructions = """
{instructions}
"""
consent = """
{consent}
"""

'''

SYSTEMS = """\
[items]
file = "{items}"           # CSV, TSV, JSONL, Parquet, Excel; beside this file
key = "id"
context = "question"       # one column, or several: ["title", "question"]
systems = ["ours", "baseline"]     # one column of outputs a system; raters never see the names
# Or one row for each item and system:   system = "model"   output = "answer"
# stratum = "source"       # a column of groups, in which loads are balanced as well
# gold.{key} = "expected"  # a column of right answers, where they are known

# Or a file for each system, instead of systems = […] above:
# [systems.ours]
# file = "ours.jsonl"
# key = "id"
# output = "answer"
"""

TEXTS = """\
[items]
file = "{items}"           # CSV, TSV, JSONL, Parquet, Excel; beside this file
key = "id"
context = "text"           # one column, or several: ["title", "text"]
# stratum = "source"       # a column of groups, in which loads are balanced as well
# gold.{key} = "expected"  # a column of right answers, where they are known
"""

CHECKS = """
# Attention checks: a table like that of the items, shown to every rater, left out of the data.
# [checks]
# file = "checks.csv"
# key = "id"
# context = "question"
# systems = ["ours", "baseline"]
# gold.{key} = "expected"

# A test that every rater takes before everything else: a table like that of the items, with right
# answers. Who gives too few of them does not go on.
# [qualification]
# file = "test.csv"
# key = "id"
# context = "question"
# systems = ["ours", "baseline"]
# gold.{key} = "expected"
# pass = 0.8               # the least share of right answers
# tolerance = 0            # how far a number may be from the right one

"""

READY = """\
# What is asked. Ready-made, in the language above: fluency, coverage, correctness, hallucination,
# relevance, informativeness, attractiveness, empathy, coherence, consistency, creativity, tone,
# attribute_control, quality, usability, overall.
"""

ASKS = {
    "likert": """\
[[dimensions]]
use = "usability"
mechanism = "likert"       # five worded points, unless points says others:
# points = [{value = 0, wording = "useless"}, {value = 1, wording = "useful"}]
# definition = "…"         # replaces the ready-made words; so do title and question
# can_skip = false         # no "can't judge"

[[dimensions]]
use = "correctness"
mechanism = "likert"
""",
    "interval": """\
[[dimensions]]
use = "usability"
mechanism = "interval"
low = 0
high = 100
step = 1
slider = true              # false: a field for a number
""",
    "magnitude": """\
[[dimensions]]
use = "usability"
mechanism = "magnitude"    # twice as good as the reference is twice its number
reference = 100            # what the reference counts as
reference_system = "baseline"      # its output is shown as the reference, and is not rated
# reference_text = "…"     # or a fixed text
""",
    "rankme": """\
[[dimensions]]
use = "usability"
mechanism = "rankme"       # all outputs of an item together, a number each
low = 0
high = 100
""",
    "ab": """\
[[dimensions]]
use = "usability"
mechanism = "ab"           # two outputs side by side; sides are balanced and stored
allow_tie = true
""",
}

PAIRS = """\
# With many systems (these two lines go to the top, above [items]):
# pairs = [["ours", "baseline"]]     # only these comparisons
# pairs_per_item = 3                 # or so many of them for each item
"""


def new_design(
    name: str, mechanism: str = "likert", language: str = "en", *, file: str = "", items: str = ""
) -> tuple[str, str]:
    """A design file and its table of items.

    >>> design, items = new_design("trial", "ab")
    >>> 'mechanism = "ab"' in design, items.splitlines()[0]
    (True, 'id,question,ours,baseline')
    """
    if mechanism not in MECHANISMS or language not in LANGUAGES:
        raise ValueError("mechanism and language have to be known ones")
    texts = mechanism in ("label", "labels")
    key = {"label": "sentiment", "labels": "topics"}.get(mechanism, "usability")
    items = items or f"{name}-items.csv"
    head = HEAD.format(
        name=name,
        file=file or f"{name}.toml",
        language=language,
        instructions=_lines(INSTRUCTIONS[language]),
        consent=_lines(CONSENT[language]),
    )
    table = (TEXTS if texts else SYSTEMS).format(items=items, key=key)
    asks = _labels(mechanism, key, language) if texts else READY + ASKS[mechanism]
    more = f"\n{PAIRS}" if KINDS[mechanism] == "pair" else ""
    checks = CHECKS.format(key=key)
    return head + table + checks + asks + more, TEXT_ITEMS if texts else SYSTEM_ITEMS


def _lines(text: str) -> str:
    """The text in short lines; those that follow each other are one paragraph."""
    return "\n\n".join(textwrap.fill(part, 90) for part in text.split("\n\n"))


def _labels(mechanism: str, key: str, language: str) -> str:
    title, question, labels = (LABELS if mechanism == "label" else TOPICS)[language]
    listed = ", ".join(f'"{label}"' for label in labels)
    what = "one label" if mechanism == "label" else "any number of labels"
    return (
        f'[[dimensions]]\nkey = "{key}"\ntitle = "{title}"\n'
        '# definition = "…"         # what it means, as raters should read it\n'
        f'question = "{question}"\nmechanism = "{mechanism}"        # {what}\n'
        f"points = [{listed}]\n"
        '# Or with a name to store and one to show: [{value = "pos", wording = "positive"}, …]\n'
    )
