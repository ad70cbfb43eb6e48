"""Our numbers beside those of other libraries, oracle by oracle, and who is right.

    python docs/conformance.py            write docs/conformance.md
    python docs/conformance.py --check    fail where the page is not current

The oracles are the tables of the tests. Wherever a library prints another number, a reason must
be given in ``conformance_reasons.py``; one that is missing, and one that no longer applies, make
the script fail.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import conformance_peers as peers  # noqa: E402
from conformance_oracles import SECTIONS, Row  # noqa: E402
from conformance_reasons import NOT_COMPARED, REASONS  # noqa: E402

PAGE = ROOT / "docs" / "conformance.md"
BEGIN, END = "<!-- conformance: begin -->\n", "<!-- conformance: end -->\n"


def shown(value: peers.Said | None, digits: int = 6) -> str:
    """A number with as many digits as its source has."""
    if value is None:
        return "not defined"
    if isinstance(value, str):
        return value if value == "nan" else f"*{value}*"
    return f"{value:.{digits - 3}e}" if 0 < abs(value) < 1e-3 else f"{value:.{digits}f}"


class Page:
    """The sections, and the reasons in the order in which they come up."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.order: list[str] = []
        self.used: set[tuple[str, str, str]] = set()
        self.faults: list[str] = []
        self.counts = {"numbers": 0, "due": 0, "compared": 0, "differ": 0}

    def reason(self, row: Row, peer: str) -> str:
        """The mark of the reason for a difference."""
        for pattern, why in REASONS.items():
            oracle, quantity, library = pattern
            if (
                library == peer
                and fnmatchcase(row.oracle, oracle)
                and fnmatchcase(row.quantity, quantity)
            ):
                self.used.add(pattern)
                if why not in self.order:
                    self.order.append(why)
                return f" [{self.order.index(why) + 1}](#reasons)"
        ours = shown(row.ours)
        self.faults.append(
            f"{row.oracle}, {row.quantity}: {peer} says {shown(row.said[peer])}, ours is {ours}, "
            "and no reason is given"
        )
        return ""

    def section(self, title: str, rows: list[Row]) -> None:
        libraries = [p for p in peers.PEERS if any(p in row.said for row in rows)]
        heads = ["", "what", "to reach", "assay", *libraries]
        self.lines += [
            f"## {title}",
            "",
            "| " + " | ".join(heads) + " |",
            "|---|---|" + "--:|" * (len(heads) - 2),
        ]
        last = ""
        for row in rows:
            cells = [
                row.oracle if row.oracle != last else "",
                row.quantity,
                row.due or "",
                shown(row.ours),
            ]
            last = row.oracle
            self.counts["numbers"] += 1
            self.counts["due"] += row.due is not None
            if not row.reached:
                self.faults.append(
                    f"{row.oracle}, {row.quantity}: {row.due} is due, ours is {row.ours}"
                )
            for peer in libraries:
                if peer not in row.said:
                    cells.append("")
                    continue
                self.counts["compared"] += 1
                text = shown(row.said[peer], row.digits(peer))
                if row.differs(peer):
                    self.counts["differ"] += 1
                    text = f"**{text}**{self.reason(row, peer)}"
                cells.append(text)
            self.lines.append("| " + " | ".join(cells) + " |")
        self.lines.append("")


def measured() -> tuple[str, list[str]]:
    """The generated part of the page, and what is wrong."""
    page = Page()
    for title, rows in SECTIONS.items():
        page.section(title, list(rows()))
    page.faults += [
        f"the reason for {', '.join(pattern)} applies to nothing any more"
        for pattern in REASONS
        if pattern not in page.used
    ]
    c = page.counts
    about = (
        f"{c['numbers']} numbers. For {c['due']} of them the tests hold the one to reach; it is "
        f"reached to its last digit. Of {c['compared']} answers of other libraries, "
        f"{c['compared'] - c['differ']} are the same and {c['differ']} are not; those are in bold, "
        "with the reason."
    )
    head = [
        about,
        "",
        "Compared: " + ", ".join(f"{name} {version(name)}" for name in peers.PEERS) + ".",
        "",
        "(reasons)=",
        "## Who is right where they differ",
        "",
        *(f"{k}. {why}" for k, why in enumerate(page.order, 1)),
        "",
        NOT_COMPARED,
        "",
    ]
    return "\n".join([*head, *page.lines]), page.faults


def main(arguments: list[str]) -> int:
    gone = peers.missing()
    if gone:
        print(f"not installed: {', '.join(gone)}", file=sys.stderr)
        return 2
    text, faults = measured()
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    old = PAGE.read_text("utf-8")
    new = put(old, text)
    if new == old:
        return 0
    if "--check" in arguments:
        print("docs/conformance.md: not current", file=sys.stderr)
        return 1
    PAGE.write_text(new, "utf-8")
    print("docs/conformance.md: rewritten")
    return 0


def put(page: str, text: str) -> str:
    """The page with the generated part between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{text}{END}{after}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
