"""Verdicts as badges: an icon and the word, so that nothing hangs on colour."""

from mcassay.report.html_markup import Markup, element
from mcassay.results import Verdict

# Strokes on a square of 16 pixels.
_STROKES = {
    Verdict.PASS: "M3,8.5L6.5,12L13,4.5",
    Verdict.FAIL: "M4,4L12,12M12,4L4,12",
    Verdict.ERROR: "M8,2.5V9.5M8,12.5V13",
    Verdict.UNCLEAR: "M5,5.5C5,2 11,2 11,5.5C11,8 8,7.5 8,10M8,12.7V13.2",
    Verdict.SKIPPED: "M4,8H12",
}


def badge(verdict: Verdict, count: int | None = None) -> Markup:
    """Write a verdict, with how often it was found where that is asked."""
    icon = element("svg", element("path", d=_STROKES[verdict]), viewBox="0 0 16 16", width="14", height="14", aria_hidden="true")
    said = verdict.value if count is None else f"{count} {verdict.value}"
    return element("span", icon, said, class_=f"badge {verdict.value.lower()}")
