"""Conformance suites: the kernels of this package pass, broken ones are caught, and what is skipped or expected is said."""

import json

import numpy as np
import pytest

from mcassay import Grid, InputError, Skip, Slice, Target, Verdict, assay_with_targets, conformance
from mcassay.suite.house import elliptical, hamiltonian, house_kernels, metropolis, slices
from mcassay.suite.protocols import on_vectors
from mcassay.targets import Space, standard

# Right kernels fail in any of these suites with a probability of at most 1e-6 each, for that is their alpha.
SEED = 1


def walk(x, log_density, rng, *, scale=1.0):
    new = x + scale * rng.normal(size=x.shape)
    return new if np.log(rng.random()) < log_density(new) - log_density(x) else x


def walk_upwards(x, log_density, rng):
    new = x + rng.normal(0.5, 1.0, size=x.shape)
    return new if np.log(rng.random()) < log_density(new) - log_density(x) else x


def langevin(factor):
    """Langevin moves; the factor of the drift in the ratio is right at 1."""

    def step(x, log_density, gradient, rng):
        there = x + 0.1 * gradient(x)
        new = there + np.sqrt(0.2) * rng.normal(size=x.shape)
        back = new + 0.1 * gradient(new)
        ratio = log_density(new) - log_density(x)
        ratio += factor * (np.sum((new - there) ** 2) - np.sum((x - back) ** 2)) / 0.4
        return new if np.log(rng.random()) < ratio else x

    return step


def test_right_kernels_do_not_fail_and_the_others_do():
    suite = conformance(
        {
            "walk": Grid(on_vectors(walk), {"scale": [0.1, 2.0]}),
            "walk upwards": on_vectors(walk_upwards),
            "langevin": on_vectors(langevin(1.0), gradient=True),
            "langevin without its ratio": on_vectors(langevin(0.0), gradient=True),
        },
        targets=["normal in 2", "ising"],
        checks=["invariance"],
        budget=2500,
        seed=SEED,
    )
    verdicts = {one.name: one.verdict for one in suite.combinations}
    assert {name for name, verdict in verdicts.items() if verdict is Verdict.FAIL} == {
        "walk upwards/normal in 2",
        "langevin without its ratio/normal in 2",
    }
    assert [one.name for one in suite.failures] == [name for name in verdicts if verdicts[name] is Verdict.FAIL]
    assert all(verdict is Verdict.SKIPPED for name, verdict in verdicts.items() if name.endswith("ising"))
    assert suite.verdict is Verdict.FAIL


HOUSE = {"slice": slices, "hamiltonian": hamiltonian, "metropolis": metropolis, "elliptical slice": elliptical}


def test_the_house_conforms():
    suite = conformance(HOUSE, budget=60, checks=["invariance", "proposals", "gradients"], seed=SEED)
    assert suite.failures == ()
    ran = [one for one in suite.combinations if one.report is not None]
    assert len(ran) > 50
    assert {one.target for one in ran} == {target.name for target in standard()} - {"simplex"}


def test_the_grids_of_the_house_make_what_they_say():
    made = {name: list(grid) for name, grid in house_kernels().items()}
    assert {name: len(each) for name, each in made.items()} == {
        "slice": 6, "hamiltonian": 6, "metropolis": 6, "elliptical slice": 1,
    }  # fmt: skip


def half_a_level(x, log_density, rng):
    """Slice sampling at a level that is drawn from too narrow a law."""
    x = x.copy()
    for i in range(len(x)):
        here, level = x[i], log_density(x) - 0.5 * rng.exponential()
        low, high = here - 10.0, here + 10.0
        x[i] = rng.uniform(low, high)
        while log_density(x) < level:
            low, high = (x[i], high) if x[i] < here else (low, x[i])
            x[i] = rng.uniform(low, high)
    return x


def test_a_broken_slice_sampler_is_caught():
    suite = conformance({"slice": on_vectors(half_a_level)}, targets=["normal in 1"], budget=4000, checks=["invariance"], seed=1)
    assert suite.verdict is Verdict.FAIL


def small(**options):
    kernels = {"walk": on_vectors(walk), "up": on_vectors(walk_upwards)}
    given = {"targets": ["normal in 1", "simplex"], "budget": 2500, "checks": ["invariance"], "seed": SEED, **options}
    return conformance(kernels, **given)


def test_expected_failures_do_not_count_and_unexpected_passes_are_said():
    suite = small(expected_failures={"up/*": "it is known to drift"})
    assert suite.failures == ()
    assert suite.verdict is Verdict.UNCLEAR
    assert suite["up/normal in 1"].verdict is Verdict.FAIL
    assert "expected (it is known to drift)" in str(suite)
    again = small(expected_failures={"walk/normal in 1": "no reason"}, tolerance=1.0)
    assert again["walk/normal in 1"].unexpected in (None, "passed, and was expected to fail")


def test_the_same_seed_gives_the_same_suite_and_any_part_of_it_alone():
    suite, again = small(), small()
    assert [one.to_dict() for one in suite.combinations] == [one.to_dict() for one in again.combinations]
    alone = conformance({"walk": on_vectors(walk)}, targets=["normal in 1"], budget=2500, checks=["invariance"], seed=SEED)
    assert alone["walk/normal in 1"].report.seed == suite["walk/normal in 1"].report.seed


def test_table_json_and_page(tmp_path):
    suite = small()
    shown = str(suite)
    assert shown.startswith("FAIL    4 combinations: 1 FAIL, 1 UNCLEAR, 2 SKIPPED")
    assert "[2] up" in shown
    assert "SKIPPED 2 (walk/simplex, up/simplex): the kernel moves in every dimension" in shown
    form = json.loads(suite.to_json())
    assert [one["verdict"] for one in form["combinations"]] == ["UNCLEAR", "SKIPPED", "FAIL", "SKIPPED"]
    assert form["combinations"][2]["log10_evidence"] > 6
    suite.save_html(tmp_path / "page.html")
    assert "up/normal in 1" in (tmp_path / "page.html").read_text()


def test_all_combinations_share_the_error_probability():
    suite = small()
    assert {one.report.alpha for one in suite.combinations if one.report} == {1e-6 / 2}


def test_progress_is_told_and_a_target_of_ones_own_is_taken():
    told = []
    own = Target(
        "mine", {"x": Space("real")}, prior=lambda rng: {"x": rng.normal()}, log_density=lambda s, d, xp: -0.5 * s["x"] ** 2
    )
    conformance({"slice": lambda target: target.subject(Slice("x"))}, targets=[own], budget=100, progress=told.append, seed=1)
    assert [one.name for one in told] == ["slice/mine"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kernels": {}}, "kernels must be a dict"),
        ({"kernels": {"walk": 3}}, "walk"),
        ({"kernels": {"walk": lambda target: None}}, "Subject, or a Skip"),
        ({"targets": "all"}, "targets"),
        ({"expected_failures": {"wlak/laplace": "why"}}, "no such combination"),
        ({"expected_failures": {"walk/laplace": ""}}, "the reason"),
        ({"progress": 3}, "progress"),
    ],
)
def test_bad_input(options, said):
    given = {"kernels": {"walk": on_vectors(walk)}, "targets": ["laplace"], **options}
    with pytest.raises(InputError, match=said):
        conformance(given.pop("kernels"), **given)


@pytest.mark.parametrize(("parameters", "said"), [({"scale": []}, "at least one"), ({"scale": "ab"}, "list"), (3, "dict")])
def test_a_grid_that_is_none(parameters, said):
    with pytest.raises(InputError, match=said):
        Grid(slices, parameters)


def test_a_skip_needs_a_reason():
    with pytest.raises(InputError, match="reason"):
        Skip(" ")


@pytest.mark.mcassay(budget=600)
@assay_with_targets({"walk": on_vectors(walk)}, targets=["laplace"])
def test_pytest_form(subject, check):
    check(subject)


def test_pytest_form_names_skips_and_expects():
    marked = assay_with_targets(
        {"walk": on_vectors(walk)}, targets=["laplace", "ising"], expected_failures={"walk/laplace/invariance": "slow"}
    )
    cases = marked.args[1]
    assert [case.id for case in cases] == ["walk/laplace/invariance", "walk/ising"]
    assert cases[0].values[1].expected == "slow"
    assert cases[0].marks[0].kwargs == {"alpha": 1e-6}
    assert "whole" in cases[1].marks[0].kwargs["reason"]
    with pytest.raises(InputError, match="no such test"):
        assay_with_targets({"walk": on_vectors(walk)}, targets=["laplace"], expected_failures={"walk/laplace": "slow"})
