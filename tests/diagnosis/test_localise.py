"""What results of checks say together: for each kind of diagnosis results that call for it, and others that do not."""

from mcassay.diagnosis import diagnose
from mcassay.results import SWEEP, CheckResult, Verdict, update_target

FAIL, PASS, UNCLEAR, SKIPPED = Verdict.FAIL, Verdict.PASS, Verdict.UNCLEAR, Verdict.SKIPPED


def found(check, target, verdict, evidence=None, cause=None, **details):
    where = target if target == SWEEP else update_target(target)
    return CheckResult(check, where, verdict, f"{check} of {target}", log10_evidence=evidence, cause=cause, details=details)


def sweep(verdict=FAIL, **details):
    return found("invariance", SWEEP, verdict, 9.0, **details)


def alone(name, verdict, evidence=None, **details):
    return found("invariance", name, verdict, evidence if evidence is not None else (9.0 if verdict is FAIL else 0.1), **details)


def model(verdict=PASS, **details):
    return found(
        "model", SWEEP, verdict, 9.0 if verdict is FAIL else 0.1, "the models differ" if verdict is FAIL else None, **details
    )


def told(*results):
    diagnosis = diagnose(results)
    return diagnosis.kind, diagnosis.culprits


def test_nothing_is_said_where_nothing_failed():
    assert told(sweep(PASS), alone("a", UNCLEAR, 9.0), model()) == ("none", ())


def test_an_exact_check_names_the_update():
    exact = found("conditionals", "a", FAIL, cause="a is wrong")
    assert told(exact, sweep(), alone("a", FAIL), alone("b", PASS), model()) == ("update", ("a",))
    assert diagnose([exact]).cause == "a is wrong"


def test_every_culprit_has_its_cause():
    both = [found("conditionals", name, FAIL, cause=f"{name} is wrong") for name in "ab"]
    assert diagnose(both).cause == "a is wrong; b is wrong"


def test_log_joint_is_wrong_about_an_update_that_contradicts_it_alone():
    exact = found("conditionals", "a", FAIL)
    assert told(exact, sweep(PASS), alone("a", PASS), model(FAIL)) == ("model", ())
    assert told(exact, sweep(), alone("a", FAIL), model(FAIL)) == ("update", ("a",))


def test_draws_settle_a_dispute_of_a_conditional_with_log_joint():
    exact = found("conditionals", "a", FAIL)
    for wrong, expected in (("log_joint", ("model", ())), ("conditional", ("update", ("a",))), (None, ("update", ("a",)))):
        assert told(exact, sweep(PASS), alone("a", PASS), model(disputed={"a": {"wrong": wrong}})) == expected


def test_a_purity_failure_is_no_matter_of_log_joint():
    impure = found("purity", "a", FAIL)
    assert told(impure, sweep(PASS), alone("a", PASS), model(FAIL)) == ("update", ("a",))


def test_updates_that_fail_alone_are_named():
    assert told(sweep(), alone("a", PASS), alone("b", FAIL), model()) == ("update", ("b",))
    assert told(sweep(), alone("a", PASS), alone("b", FAIL), model(SKIPPED)) == ("update", ("b",))


def test_the_model_comes_before_updates_that_fail_alone():
    assert told(sweep(), alone("a", PASS), alone("b", FAIL), model(FAIL)) == ("model", ())


def test_a_conditional_that_agrees_with_log_joint_exactly_speaks_for_the_model():
    vouched = [found("conditionals", "a", PASS), found("distributions", "a", PASS)]
    assert told(*vouched, sweep(), alone("a", FAIL), alone("b", PASS), model()) == ("model", ())
    assert told(vouched[0], sweep(), alone("a", FAIL), alone("b", PASS), model()) == ("update", ("a",))


def test_without_log_joint_it_may_be_the_model_if_every_update_is_suspect():
    assert told(sweep(), alone("a", FAIL), alone("b", PASS, 2.0), model(SKIPPED)) == ("kernel or model", ())
    assert told(sweep(), alone("a", FAIL), alone("b", PASS, 2.0), model(PASS)) == ("update", ("a",))


def test_without_log_joint_and_without_a_named_update_it_may_be_the_model():
    assert told(sweep(), model(SKIPPED)) == ("kernel or model", ())
    assert told(sweep(), alone("a", PASS), alone("b", PASS), model(SKIPPED)) == ("kernel or model", ())
    assert told(sweep(), model(PASS)) == ("not localised", ())
    assert "it is the step that is wrong" in diagnose([sweep(), model(PASS)]).cause


def anew(holds, again=()):
    return {"anew": {"updates": ["a", "b"], "log10_evidence": 0.1, "replicates": 800, "holds": holds}, "wrong again": list(again)}


def test_composition_has_to_be_shown():
    updates = alone("a", PASS), alone("b", PASS)
    assert told(sweep(**anew(holds=True)), *updates, model()) == ("composition", ())
    assert told(sweep(**anew(holds=False)), *updates, model()) == ("not localised", ())
    assert told(sweep(), *updates, model()) == ("not localised", ())


def test_an_update_that_is_wrong_after_itself_is_named():
    assert told(sweep(**anew(True, ["b"])), alone("a", PASS), alone("b", PASS), model()) == ("update", ("b",))


def test_a_stale_cache_is_a_matter_of_composition_unless_its_update_uses_it_itself():
    stale = found("caches", "a", FAIL, cause="a leaves it stale")
    updates = alone("a", PASS), alone("b", PASS)
    assert told(stale, sweep(**anew(True)), *updates, model()) == ("composition", ())
    assert told(stale, sweep(**anew(True, ["a"])), *updates, model()) == ("update", ("a",))
    assert told(stale, sweep(), alone("a", FAIL), model()) == ("update", ("a",))
    assert diagnose([stale, sweep(**anew(True)), *updates]).cause == "a leaves it stale"


def test_the_order_is_blamed_where_another_order_holds():
    turned = {"updates": ["b", "a"], "log10_evidence": 0.1, "replicates": 800}
    held = alone("b", FAIL, turned={**turned, "holds": True})
    not_held = alone("b", FAIL, turned={**turned, "holds": False})
    assert told(sweep(), alone("a", PASS), held, model()) == ("composition", ())
    assert 'in the order "b", "a" the sweep holds' in diagnose([sweep(), alone("a", PASS), held]).cause
    assert told(sweep(), alone("a", PASS), not_held, model()) == ("update", ("b",))


def test_init_is_blamed_before_the_kernel():
    for blame, kind in (("init", "init"), (None, "not localised")):
        carry = found("carry", SWEEP, FAIL, 9.0, "init is wrong", blame=blame)
        assert told(carry, sweep(), alone("a", FAIL), alone("b", PASS), model()) == (kind, ())


def test_the_kernel_is_blamed_where_init_is_not():
    carry = found("carry", SWEEP, UNCLEAR, 9.0, blame="kernel")
    assert told(carry, sweep(), alone("a", FAIL), alone("b", PASS), model()) == ("update", ("a",))


def test_what_is_stuck_is_not_localised():
    assert told(sweep(PASS), alone("a", PASS), model(), found("forgetting", SWEEP, FAIL)) == ("not localised", ())
