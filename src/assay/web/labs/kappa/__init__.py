"""The kappa lab: one pair of raters, one table, every figure."""

from assay.web.labs.kappa.state import State, edit, parse
from assay.web.labs.kappa.view import View, view

__all__ = ["State", "View", "edit", "parse", "view"]
