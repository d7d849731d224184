"""What all tests share: pytester for the plugin, and snapshots of messages as plain files that are reviewed like code.

``pytest tests/snapshots --update-snapshots`` writes them anew; ``git diff tests/snapshots`` shows what changed.
"""

import difflib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TEXTS = Path(__file__).parent / "snapshots" / "texts"


def pytest_addoption(parser):
    parser.addoption("--update-snapshots", action="store_true", help="write the snapshots of messages anew")


@pytest.fixture
def snapshot(request):
    """Return ``snapshot(name, text)``, which fails where the text is not that of the file, word for word."""

    def compare(name, text):
        path = TEXTS / f"{name}.txt"
        if request.config.getoption("--update-snapshots"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        recorded = path.read_text(encoding="utf-8") if path.exists() else ""
        if text != recorded:
            lines = difflib.unified_diff(recorded.splitlines(), text.splitlines(), "recorded", "now", lineterm="")
            pytest.fail("\n".join([f"{path.name} (--update-snapshots writes it anew):", *lines]), pytrace=False)

    return compare
