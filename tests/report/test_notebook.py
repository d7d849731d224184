"""Reports, results and progress in a notebook: as markup that shares its page with others, and in a real kernel."""

import subprocess
import sys

import nbformat
import pytest

from mcassay import Verdict
from mcassay.report.html import notebook, notebook_of_result
from mcassay.report.progress import Progress
from mcassay.results import Diagnosis
from tests.report.made_reports import NASTY, chain, drawn, nasty_report, plain, report
from tests.report.test_html_page import Read

CELLS = [
    "import numpy as np\nfrom mcassay import Gibbs, Normal, Subject, assay",
    "subject = Subject(lambda rng: {'mu': rng.normal()}, lambda state, rng: rng.normal(state['mu'], 1.0),\n"
    "    Gibbs({'mu': lambda state, data: Normal(data / 2, variance=1 / 3)}), name='one observation')\n"
    "report = assay(subject, seed=1, budget=4_000, checks=['invariance'], progress=True)",
    "report",
    "report.results[0]",
]


def has_neither_anchors_nor_script(text):
    found = Read(text)
    assert not found.open
    assert found.ids == found.targets == []
    return not [tag for tag, _ in found.tags if tag in ("script", "a", "link", "meta")]


@pytest.mark.parametrize("name", NASTY)
def test_a_report_leaves_the_page_of_the_notebook_alone(name):
    assert has_neither_anchors_nor_script(nasty_report(name)._repr_html_())


def test_a_report_says_in_a_notebook_what_the_page_says():
    one = report(results=[drawn(chain=chain(["mu"])), plain()])
    text = Read(one._repr_html_()).text
    assert one._repr_html_() == notebook(one)
    for fact in ("sigma_sq_n", "scale is 1.019 times too large here", "mcassay run samplers.py:mixture", "Traces", "Evidence"):
        assert fact in text


def test_where_nothing_failed_a_notebook_begins_with_the_report():
    assert '<article class="finding' not in report(results=[plain()], diagnosis=Diagnosis())._repr_html_()


def test_a_result_without_reports_at_hand_shows_its_plain_form():
    code = (
        "import sys; from mcassay.results import CheckResult, Verdict; r = CheckResult('x', 'sweep', Verdict.PASS, '');"
        "assert 'mcassay.report' not in sys.modules; print(r._repr_html_())"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "None\n"


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_result_shows_itself(verdict):
    result = drawn(verdict=verdict)
    text = result._repr_html_()
    assert has_neither_anchors_nor_script(text)
    assert text == notebook_of_result(result)
    assert result.message in Read(text).text
    assert verdict.value in Read(text).text


# In a process of its own, since the client leaves its sockets open.
EXECUTE = (
    "import sys, nbclient, nbformat as f; b = f.read(sys.argv[1], 4); nbclient.execute(b, timeout=120); f.write(b, sys.argv[1])"
)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What the cells of a notebook leave, in a real kernel."""
    file = tmp_path_factory.mktemp("notebook") / "book.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS]), file)
    subprocess.run([sys.executable, "-c", EXECUTE, str(file)], check=True, timeout=150)
    return [cell.outputs for cell in nbformat.read(file, 4).cells]


def test_progress_shows_in_a_notebook_and_makes_room(outputs):
    (shown,) = outputs[1]
    assert shown.output_type == "display_data"
    assert shown.data["text/html"] == ""


def test_reports_and_results_show_themselves_in_a_notebook(outputs):
    for number in (2, 3):
        (shown,) = outputs[number]
        assert shown.output_type == "execute_result"
        assert shown.data["text/html"].startswith('<div class="mcassay">')
        assert "against" in shown.data["text/html"]


class Console:
    """A console of a notebook."""

    is_jupyter, is_terminal = True, False


def test_the_table_is_rewritten_a_few_times_a_second(monkeypatch):
    from mcassay.engine.budget import Budget
    from mcassay.engine.events import CheckEnded, Progressed

    seen = []

    class Place:
        def update(self, shown):
            seen.append(shown)

    monkeypatch.setattr("IPython.display.display", lambda table, display_id: Place())
    times = iter([i / 10 for i in range(1000)])
    with Progress(Console(), "one", Budget(5_000), clock=lambda: next(times)) as progress:
        for block in range(20):
            progress(Progressed("invariance", "sweep", 100 * block, 0.5, 6.3))
        progress(CheckEnded("invariance", "sweep", "PASS"))
    assert 2 <= len(seen) <= 12
    assert seen[0].title.plain.startswith("one")
    assert seen[-1].data == ""
