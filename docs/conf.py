"""The docs site: ``make docs`` builds it, and every warning is an error."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import from_code

from_code.write_all()

project = "mcassay"
author = "The mcassay developers"
copyright = author
version = release = installed("mcassay")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = True
# Names of other projects are not linked, so that the site is built without a network.
nitpick_ignore_regex = [("py:class", r"(?!mcassay\.).*")]

# Docstrings say what arguments are; the types of signatures are aliases that only obscure them.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_attr_annotations = False
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# The name of an attribute in a docstring is looked up among all classes, and several have one of that name.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "mcassay"
html_show_sphinx = False
