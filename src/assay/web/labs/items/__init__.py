"""How many items: how wide kappa's interval is at every size of a design of two raters."""

from assay.web.labs.items.state import State, edit, parse
from assay.web.labs.items.view import View, view

__all__ = ["State", "View", "edit", "parse", "view"]
