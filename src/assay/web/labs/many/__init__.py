"""Many raters: how far do more than two people agree, and which coefficient says so how."""

from assay.web.labs.many.state import State, edit, parse
from assay.web.labs.many.view import View, view

__all__ = ["State", "View", "edit", "parse", "view"]
