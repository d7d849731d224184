"""One target of a check whose user code raises: its result becomes an ERROR, and the other targets are still checked."""

from mcassay.checks.base import Context
from mcassay.engine.failures import in_words
from mcassay.errors import InputError, users_line
from mcassay.results import CheckResult, Verdict
from mcassay.rng import written_seed


def error_result(check: str, target: str, error: Exception, context: Context) -> CheckResult:
    """Turn an exception of the user's code into an ERROR that says where it happened; one of ours is raised again."""
    place = users_line(error)
    if place is None and not isinstance(error, InputError):
        raise error
    where = f" ({place})" if place else ""
    seed = written_seed(context.seed)
    message = f'{in_words(error)}{where}; repeat it with seed="{seed}"'
    details = {"place": place, "error": in_words(error), "seed": seed}
    return CheckResult(check, target, Verdict.ERROR, message, details=details)
