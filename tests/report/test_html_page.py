"""The page as text: what stands in it, where, and that nothing a user names or a file holds can break it."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcassay import CheckResult, Gibbs, InputError, Normal, Report, Subject, Verdict, assay
from mcassay.report.html import notebook, notebook_of_result, page, save_html
from mcassay.results import Diagnosis, StatisticResult
from tests.report.made_reports import NASTY, chain, details, drawn, nasty_report, plain, report


class Read(HTMLParser):
    """The elements of a page: tags with attributes, ids, links, and the text."""

    VOID = ("meta", "link", "br", "hr")

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.open = [], "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data

    @property
    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def targets(self):
        return [a["href"][1:] for tag, a in self.tags if tag == "a" and a["href"].startswith("#")]


def read(*reports):
    found = Read(page(reports))
    assert not found.open
    return found


def test_what_failed_stands_first_with_culprit_cause_and_how_to_reproduce():
    text = read(report("right", [plain()], Diagnosis()), report()).text
    facts = ["What failed", "sigma_sq_n", "scale is 1.019 times too large here", "1 data point, 2 sweeps"]
    facts += ["mcassay run samplers.py:mixture --seed 7", "3e7 : 1 against", "every input stays as it is"]
    places = [text.index(fact, text.index("What failed")) for fact in facts]
    assert places == sorted(places)


def test_results_are_in_order_of_importance():
    verdicts = [Verdict.SKIPPED, Verdict.PASS, Verdict.UNCLEAR, Verdict.ERROR, Verdict.FAIL]
    names = [
        attributes["id"]
        for tag, attributes in read(report(results=[plain(v.lower(), verdict=v) for v in verdicts])).tags
        if tag == "details"
    ]
    assert names == ["mixture-fail", "mixture-error", "mixture-unclear", "mixture-pass", "mixture-skipped"]


def test_what_failed_is_open_and_the_rest_is_not():
    opened = {a["id"]: "open" in a for tag, a in read(report()).tags if tag == "details" and "id" in a}
    assert opened == {"mixture-invariance": True, "mixture-purity": False, "mixture-proposals": False}


def test_where_nothing_failed_it_says_so():
    text = read(report(results=[plain()], diagnosis=Diagnosis())).text
    assert "Nothing failed" in text
    assert "What failed" not in text


def test_nothing_at_all_is_a_page_too():
    assert "Nothing failed" in read(report(results=[], diagnosis=Diagnosis())).text
    assert "Nothing failed" in read().text


def test_every_link_leads_somewhere_and_anchors_are_unique():
    same = [
        drawn(target=t, verdict=v)
        for t in ("sweep", "update:mu", "update:MU", "update:m u")
        for v in (Verdict.FAIL, Verdict.UNCLEAR)
    ]
    found = read(
        *[report(name, same) for name in ("mixture", "mixture", "Mixture", "mixture-invariance", "findings", "", "模型")]
    )
    assert len(found.ids) == len(set(found.ids))
    assert found.targets
    assert set(found.targets) <= set(found.ids)
    assert "mixture-invariance" in found.ids


def test_the_page_needs_no_network_and_allows_none():
    written = page([report()])
    links = [
        a.get(name) for _, a in Read(written).tags for name in ("src", "href", "xlink:href", "action", "data") if a.get(name)
    ]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "url(" not in written
    assert "@import" not in written
    assert Read(written).tags[3][1]["content"].startswith("default-src 'none'; style-src 'sha256-")


@pytest.mark.parametrize("name", NASTY)
def test_names_are_text_wherever_they_stand(name):
    allowed = {
        tag for tag, _ in read(report(results=[drawn(chain=chain(["mu"])), plain(verdict=Verdict.ERROR)], notes=("x",))).tags
    }
    found = read(nasty_report(name))
    assert {tag for tag, _ in found.tags} <= allowed | {"ul", "li"}
    assert sum(tag == "script" for tag, _ in found.tags) == 1
    assert not [key for _, attributes in found.tags for key in attributes if key.startswith("on")]
    assert len(found.ids) == len(set(found.ids))
    assert set(found.targets) <= set(found.ids)
    if name.isascii() and name.isprintable() and name.strip():
        assert name in found.text
    page([nasty_report(name)]).encode("utf-8")


def test_an_empty_name_can_be_seen():
    assert "(no name)" in read(nasty_report("")).text


def subject():
    return Subject(
        lambda rng: {"mu": rng.normal()},
        lambda state, rng: rng.normal(state["mu"], 1.0),
        Gibbs({"mu": lambda state, data: Normal(data / 2, variance=1 / 3)}),
        name="one observation",
    )


def test_a_report_read_back_from_json_gives_the_same_page_and_the_same_notebook():
    first = assay(subject(), seed=1, budget=2_000, checks=["invariance", "conditional draws", "forgetting"])
    again = Report.from_json(first.to_json())
    assert again.results != ()
    assert page([again]) == page([first])
    assert notebook(again) == notebook(first)
    assert page([first]).count('<svg viewBox="0 0 560 300"') >= 2


def test_the_plots_show_the_figures_of_the_report():
    text = page([report(results=[drawn()])])
    worst = details()["pp"]["statistics"]["mu"]
    assert f"at 0.5: {worst['mean'][4]:+.3g} ({worst['lower'][4]:+.2g} to {worst['upper'][4]:+.2g})" in text
    assert "limit 2e6 : 1" in text
    assert "6,000 sweeps: 7e7 : 1" in text
    assert text.count("<figure") == text.count("The values as a table") == 2


def test_of_many_statistics_those_with_the_most_evidence_are_drawn():
    names = [f"s{i}" for i in range(30)]
    shuffled = CheckResult(
        "invariance",
        "sweep",
        Verdict.PASS,
        "x",
        statistics=tuple(StatisticResult(n, 0.0, 0.1, float(i)) for i, n in enumerate(names)),
        details=details(names),
    )
    legend = re.search(r'<ul class="legend">.*?</ul>', page([report(results=[shuffled])]))[0]
    assert re.findall(r"<code[^>]*>(\w+)</code>", legend) == ["s29", "s28", "s27"]
    assert "and 27 more with less evidence" in legend


def test_a_chain_is_drawn_with_its_traces():
    text = page(
        [report(results=[plain(), CheckResult("geweke", "sweep", Verdict.SKIPPED, "x", details={"chain": chain(["mu", "pi"])})])]
    )
    assert "One chain against forward draws" in text
    assert "about 310 independent draws" in text
    assert text.count("Trace of ") == 2
    assert f"{KEPT['trace']['statistics']['mu']['chain'][-1]:.4g} after 3,980 sweeps" in text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["inf", "nan"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["mu", "mean", "lower", "curve", "chain"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEPT = chain(["mu"])


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_details_are_left_out_and_the_page_is_written(data):
    kept = details(chain=dict(KEPT))
    kept[data.draw(st.sampled_from(sorted(kept)))] = data.draw(JSON)
    part = data.draw(st.sampled_from(["pp", "chain"]))
    if isinstance(kept[part], dict) and kept[part]:
        kept[part] = {**kept[part], data.draw(st.sampled_from(sorted(kept[part]))): data.draw(JSON)}
    damaged = CheckResult("invariance", "sweep", Verdict.FAIL, "x", float("inf"), statistics=statistics_of(data), details=kept)
    assert "invariance" in read(report(results=[damaged])).text
    assert "nan," not in page([report(results=[damaged])])


def statistics_of(data):
    number = st.none() | st.floats()
    return (StatisticResult("mu", data.draw(number), data.draw(number), data.draw(number)),)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-12, 1.0, 1e200])
def test_curves_of_every_size_can_be_drawn(size):
    names = ["mu"]
    curve = {"mean": [size] * 9, "lower": [-size] * 9, "upper": [size] * 9}
    kept = details(names) | {
        "pp": {"deciles": [i / 10 for i in range(1, 10)], "statistics": {"mu": curve}},
        "history": [[0, size], [0, size]],
    }
    result = CheckResult("invariance", "sweep", Verdict.FAIL, "x", details=kept)
    text = page([report(results=[result])])
    assert "<figure" in text
    assert not re.search(r'd="[^"]*(nan|inf)', text)


def test_the_page_is_written_to_a_path(tmp_path):
    report().save_html(tmp_path / "one.html")
    save_html([report(), report()], str(tmp_path / "two.html"))
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == page([report()])
    assert (tmp_path / "two.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_path_that_can_not_be_written_is_the_callers_error(tmp_path):
    for path, reason in ((tmp_path / "missing" / "report.html", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError, match=rf"^save_html: .* can not be written: {reason}$"):
            report().save_html(path)


@pytest.mark.parametrize("path", [None, 3, ["report.html"]])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(InputError, match=r"^save_html: path must be a path, but found"):
        report().save_html(path)


def test_figures_of_numpy_are_drawn_like_any_others():
    kept = details()
    kept["history"] = [(np.int64(a), np.float64(b)) for a, b in kept["history"]]
    result = CheckResult("invariance", "sweep", Verdict.FAIL, "x", details=kept)
    assert "Evidence" in notebook_of_result(result)
