"""Builds HTML and SVG in which everything that is not markup is escaped, so that no name can become a part of the page."""

import html
import re
from collections.abc import Iterable
from typing import Any

_VOID = frozenset({"br", "hr", "link", "meta"})
# What no HTML document may hold: control characters, and halves of surrogate pairs, which UTF-8 can not write.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class Markup(str):
    """Text that is HTML already; every other text is escaped before it enters a page."""


def escaped(text: object) -> Markup:
    """Write any text as HTML that shows it.

    Examples
    --------
    >>> escaped("<script>")
    '&lt;script&gt;'
    """
    return text if isinstance(text, Markup) else Markup(html.escape(_UNPRINTABLE.sub("\ufffd", str(text))))


def joined(parts: Iterable[object]) -> Markup:
    """Write parts one after the other; None is left out."""
    return Markup("".join(escaped(part) for part in parts if part is not None))


def element(tag: str, *children: object, **attributes: Any) -> Markup:
    """Write an element. None and False leave an attribute out, True writes its name alone; ``class_`` is ``class``.

    Examples
    --------
    >>> element("p", "1 < 2", class_="note", hidden=None)
    '<p class="note">1 &lt; 2</p>'
    """
    opened = f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}>"
    return Markup(opened if tag in _VOID else f"{opened}{joined(children)}</{tag}>")


def _attribute(name: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{escaped(value)}"'


def name_of(name: str) -> Markup:
    """Write a name that a user gave: set apart from the text around it, and visible where it is empty."""
    return element("code", name if name.strip() else "(no name)", class_="name")


def table(caption: object, head: Iterable[object], rows: Iterable[Iterable[object]]) -> Markup:
    """Write a table of which the first cell of every row is its heading."""
    top = element("tr", *(element("th", cell, scope="col") for cell in head))
    body = [element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest)) for first, *rest in rows]
    inner = (element("caption", caption), element("thead", top), element("tbody", *body))
    # A table that is too wide scrolls by itself, by keyboard as well, and not the page.
    return element("div", element("table", *inner), class_="scroll", tabindex="0", role="region", aria_label=caption)


def unfolded(summary: object, *children: object, **attributes: Any) -> Markup:
    """Write what opens on request."""
    return element("details", element("summary", summary), *children, **attributes)
