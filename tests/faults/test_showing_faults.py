"""The page, the JSON form and the command line."""

import json
from html.parser import HTMLParser
from importlib import resources

import jsonschema
import pytest

from mcassay.cli import main
from mcassay.faults import Effect, Fault, FaultReport, Outcome, Status
from tests.faults.test_injection import SAMPLER, SOURCE

VOID = {"meta", "link", "br", "hr"}
FAULT = Fault("a/<b>.py", "f", "signs/plus-minus", 0, 5, "a + b", "a - b", 1)
DIFF = "-return a + b\n+return a - b <script>"


def outcomes():
    small = Effect("mu", 0.03, 0.2, 3_210_000, 2000)
    large = Effect("sd", 0.2, None, 470, 2000)
    yield Outcome(
        FAULT, Status.CAUGHT, check="invariance", kind="statistical", reason="<b>", culprits=("mu",), changed=("update:mu",)
    )
    yield Outcome(FAULT, Status.SURVIVED, bound=0.02, effect=small, diff=DIFF)
    yield Outcome(FAULT, Status.SURVIVED, bound=0.02, effect=large, diff=DIFF)
    yield Outcome(FAULT, Status.BROKEN, reason="hangs: over 60 s")
    yield Outcome(FAULT, Status.EQUIVALENT, reason="the same output to the bit on 64 draws, in every context")


REPORT = FaultReport("<m>", "m.py:m", tuple(outcomes()), seed=7, budget="quick", alpha=1e-6, planned=5, seconds=3.0)


def schema():
    return json.loads((resources.files("mcassay.faults") / "schema.json").read_text())


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_sound_needs_no_network_and_escapes_what_the_user_wrote(tmp_path):
    REPORT.save_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "b" not in parser.seen
    assert "http://" not in text
    assert "https://" not in text
    assert text.index("Survivors") < text.index("Caught: 1")


def test_survivors_come_with_their_diff_their_size_and_the_budget_that_they_need():
    text = str(REPORT)
    assert text.index("gap of 0.2,") < text.index("gap of 0.03,")
    assert "about 3,300,000 sweeps" in text
    assert "gaps of up to 0.02 through" in text
    assert "+return a - b" in text


def test_the_json_form_is_what_the_schema_says():
    jsonschema.Draft202012Validator.check_schema(schema())
    form = json.loads(REPORT.to_json())
    jsonschema.validate(form, schema())
    assert [one["status"] for one in form["outcomes"]] == ["survived", "survived", "broken", "caught", "equivalent"]
    assert [Outcome.from_dict(one).to_dict() for one in form["outcomes"]] == form["outcomes"]
    form["outcomes"][0]["status"] = "lost"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(form, schema())


def test_the_command_line_writes_every_form_and_leaves_with_what_survived(tmp_path, capfd):
    written = tmp_path / "faults.json"
    asked = ["faults", SOURCE, "--check", "conditionals", "--workers", "1", "--seed", "1"]
    assert main([*asked, "--operators", "spreads/other-name,rates/other-name", "--most", "4", "--json", str(written)]) in (0, 1)
    said = capfd.readouterr().out
    assert said.startswith("faults of normal: 4 mutants")
    form = json.loads(written.read_text())
    jsonschema.validate(form, schema())
    assert ("SURVIVED" in said) == (form["counts"]["survived"] > 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--operators", "sings"], "operators must name operators or families"),
        (["--check", "everything"], "checks must name checks of the catalogue"),
        (["--most", "0"], "most must be a whole number"),
        (["--budget", "little"], "--budget"),
    ],
)
def test_bad_options_are_told_in_words(arguments, said, capfd):
    assert main(["faults", f"{SAMPLER}:subject", *arguments]) == 2
    assert said in capfd.readouterr().err


def test_the_schema_of_faults_can_be_printed(capfd):
    assert main(["schema", "faults"]) == 0
    assert json.loads(capfd.readouterr().out) == schema()
    assert main(["schema", "nothing"]) == 2
