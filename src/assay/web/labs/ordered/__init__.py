"""Ordered labels: what a near miss and a far miss cost, under every set of weights."""

from assay.web.labs.ordered.state import State, edit, parse
from assay.web.labs.ordered.view import View, view

__all__ = ["State", "View", "edit", "parse", "view"]
