"""The pages of the reference are made from the code, and leave nothing out."""

import importlib.util
import json
import re
from importlib import resources
from pathlib import Path

import pytest

import mcassay
import mcassay.faults
from mcassay.checks.catalogue import CATALOGUE
from mcassay.faults.catalogue import FAMILIES, OPERATORS


@pytest.fixture(scope="module")
def pages():
    path = Path(__file__).parents[2] / "docs" / "from_code.py"
    spec = importlib.util.spec_from_file_location("docs_from_code", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_is_in_the_api_once(pages):
    listed = re.findall(r"auto(?:class|function):: mcassay\.(\w+)$", pages.api(), re.MULTILINE)
    assert sorted(listed) == sorted(mcassay.__all__)


def test_functions_and_classes_are_told_apart(pages):
    for kind, name in re.findall(r"auto(class|function):: mcassay\.(\w+)$", pages.api(), re.MULTILINE):
        assert (kind == "class") == isinstance(getattr(mcassay, name), type), name


def test_every_check_is_listed_with_what_it_requires_and_means(pages):
    page = pages.checks()
    for check in CATALOGUE:
        section = page.partition(f"\n## {check.name}\n")[2].partition("\n## ")[0]
        for said in (check.title, check.requires, check.failure):
            assert said.replace("{", "\\{").replace("|", "\\|") in section


def test_every_command_and_option_is_listed(pages):
    page = pages.command_line()
    for command in ("run", "replay", "report", "new", "faults", "checks", "schema", "demo"):
        assert f"\n## {command}\n" in page
    for option in ("--budget", "--alpha", "--tolerance", "--seed", "--check", "--skip", "--workers", "--json", "--html"):
        assert option in page


def test_every_option_of_the_plugin_is_listed(pages):
    page = pages.plugin()
    for name in ("budget", "seed", "alpha", "report", "strict"):
        assert f"| `--mcassay-{name}` | `mcassay_{name}` |" in page


def test_the_json_form_is_the_published_schema(pages):
    shown = json.loads(pages.json_form().partition("```json\n")[2].partition("```")[0])
    assert shown == json.loads((resources.files("mcassay.report") / "schema.json").read_text(encoding="utf-8"))


def test_every_operator_is_listed_with_its_examples(pages):
    page = pages.faults()
    for operator in OPERATORS:
        assert f"| `{operator.name}` | {operator.title} |" in page
    assert page.count("\n| ") == sum(len(operator.examples) for operator in OPERATORS) + len(FAMILIES)
    assert set(re.findall(r"auto(?:class|function):: mcassay\.faults\.(\w+)$", page, re.MULTILINE)) <= set(mcassay.faults.__all__)
