"""How the documentation is built: `python -m sphinx -W -n docs docs/_build/html`."""

from __future__ import annotations

import sys
from pathlib import Path

import assay

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "assay"
author = "The assay authors"
copyright = author
version = release = assay.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "assay_docs",
]
exclude_patterns = ["_build", "tables"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist", "smartquotes"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = False

nitpicky = True
# Other projects' names cannot be looked up without a network.
nitpick_ignore_regex = [
    (r"py:.*", r"(collections|fractions|numpy|np|npt|typing|pathlib|click|os)\..*"),
    (r"py:.*", r"(assay\.ratings\.model\.)?(Codes|Floats|Ints|Label|LabelMap)"),
    (r"py:attr", r"Ratings\.\w+"),
    (r"py:class", r"(optional|default.*|shape.*|array_like|float or None)"),
]

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"assay {version}"
html_static_path = ["_static"]
html_css_files = ["assay.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6e6e",
        "color-brand-content": "#0b6e6e",
        "color-api-name": "#0b6e6e",
        "color-api-pre-name": "#5a6464",
        "color-background-primary": "#fdfdfc",
        "color-background-secondary": "#f7f7f5",
        "font-stack": "system-ui, 'Noto Sans', sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc4bf",
        "color-brand-content": "#5cc4bf",
        "color-api-name": "#5cc4bf",
        "color-api-pre-name": "#9aa5a5",
        "color-background-primary": "#121414",
        "color-background-secondary": "#181b1b",
        "font-stack": "system-ui, 'Noto Sans', sans-serif",
    },
}
