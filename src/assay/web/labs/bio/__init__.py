"""The BIO lab: one sentence, two rows of tags; per-token and per-span scoring side by side."""

from __future__ import annotations

from assay.web.labs.bio.reading import edit, parse, state_of
from assay.web.labs.bio.state import State
from assay.web.labs.bio.view import view

__all__ = ["State", "edit", "parse", "state_of", "view"]
