"""What every report can do with its summary: be printed, exported, and shown."""

from __future__ import annotations

from typing import Any

from assay.report.render import render


class Rendered:
    """A report whose ``summary`` renderers turn into text."""

    summary: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The summary: plain values only, unrounded."""
        return self.summary

    def to_json(self) -> str:
        """The summary as JSON."""
        return render(self.summary, "json")

    def to_markdown(self) -> str:
        """Tables for a README or an issue tracker."""
        return render(self.summary, "markdown")

    def to_text(self, *, width: int | None = None, full: bool = False) -> str:
        """The terminal report without colour."""
        return render(self.summary, "terminal", width=width, color=False, full=full)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()


class Tabular(Rendered):
    """A report that also has a table for a paper and rows for a program."""

    def to_latex(self) -> str:
        """A booktabs table for a paper."""
        return render(self.summary, "latex")

    def to_csv(self) -> str:
        """One row a figure, unrounded."""
        return render(self.summary, "csv")
