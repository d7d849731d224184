"""Every block of code in the docs runs, and prints what the page shows."""

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _load(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


pages = _load("pages")


# These assay for half a minute and more; make docs runs them as well, and compares figures too.
LONG = {"README", "tutorial", "testing-mcmc-code"}
QUICK = [page for page in pages.pages() if page.stem not in LONG]


@pytest.mark.parametrize("page", QUICK, ids=lambda page: page.stem)
def test_code_prints_what_the_page_shows(page):
    reason = pages.missing(page)
    if reason is not None:
        pytest.skip(reason)
    pages.check_page(page, figures=False)


def test_a_page_that_needs_a_library_says_so(tmp_path):
    page = _page(tmp_path, "<!-- needs a_library_that_is_absent -->\n\n```python\n1 / 0\n```\n")
    assert pages.missing(page) == "a_library_that_is_absent is not installed"
    assert pages.missing(_page(tmp_path, "<!-- needs numpy -->\n")) is None


def test_long_pages_exist():
    assert {page.stem for page in pages.pages()} >= LONG


def test_every_page_is_on_the_site():
    listed = set()
    for page in DOCS.rglob("*.md"):
        for block in pages.blocks(page.read_text(encoding="utf-8")):
            if block.info == "{toctree}":
                names = [line for line in block.body.splitlines() if line and not line.startswith(":")]
                listed |= {(page.parent / f"{name}.md").resolve() for name in names}
    written = {page.resolve() for page in DOCS.rglob("*.md") if "_build" not in page.parts}
    assert written - listed == {DOCS / "index.md"}


def _page(folder, text):
    page = folder / "page.md"
    page.write_text(text)
    return page


def test_an_output_that_is_not_printed_is_found(tmp_path):
    page = _page(tmp_path, "```python\nprint(1 + 1)\n```\n\n```output\n3\n```\n")
    with pytest.raises(pages.Mismatch, match=r"(?s)-3.*\+2"):
        pages.check_page(page)
    pages.write_page(page)
    pages.check_page(page)
    assert "```output\n2\n```" in page.read_text()


def test_what_is_printed_has_to_be_shown(tmp_path):
    with pytest.raises(pages.Mismatch, match="does not show"):
        pages.check_page(_page(tmp_path, "```python\nprint(1)\n```\n\n```output\n1\n```\n\n```python\nprint(2)\n```\n"))


def test_code_that_raises_is_found(tmp_path):
    with pytest.raises(ZeroDivisionError):
        pages.check_page(_page(tmp_path, "```python\n1 / 0\n```\n"))


def test_files_and_commands(tmp_path):
    file = "```{code-block} python\n:caption: hello.py\n\nprint('hello', 3)\n```\n"
    pages.check_page(_page(tmp_path, f"{file}\n```console\n$ python hello.py\nhello ...\n```\n"))
    with pytest.raises(pages.Mismatch, match="goodbye"):
        pages.check_page(_page(tmp_path, f"{file}\n```console\n$ python hello.py\ngoodbye\n```\n"))


def test_seconds_are_not_compared(tmp_path):
    pages.check_page(_page(tmp_path, "```python\nprint('7 sweeps, 0.84 s')\n```\n\n```output\n7 sweeps, 12 s\n```\n"))


def test_figures_are_compared_if_asked_for(tmp_path):
    page = _page(tmp_path, "```python\nprint('PASS 7e3, -0.5')\n```\n\n```output\nPASS 8, 12,345\n```\n")
    pages.check_page(page, figures=False)
    with pytest.raises(pages.Mismatch):
        pages.check_page(page)
    with pytest.raises(pages.Mismatch):
        pages.check_page(_page(tmp_path, page.read_text().replace("PASS 8", "FAIL 8")), figures=False)
