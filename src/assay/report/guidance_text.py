"""Which coefficient, as a paragraph of the full report."""

from __future__ import annotations

from rich.text import Text

from assay.report.layout import GAP, heading, paragraph, told
from assay.report.names import title
from assay.report.render import Summary


def guidance(summary: Summary, width: int, full: bool) -> list[Text]:
    """The recommendation with its reasons, the alternatives, and what does not suit."""
    found = summary.get("guidance")
    if not full or not found:
        return []
    lines = heading("Which coefficient", width, "`assay explain NAME` says more of each")
    lines += paragraph(told(" ".join(found["reasons"])), width, GAP, GAP)
    others = [f"{title(one, summary)}, {one['reason']}" for one in found["alternatives"]]
    wrong = [f"{title(one, summary)} ({one['reason']})" for one in found["unsuited"]]
    for word, pieces in (("Or", others), ("Not", wrong)):
        if pieces:
            lines += paragraph(f"{word}: {told('; '.join(pieces))}.", width, GAP, GAP * 2)
    return lines
