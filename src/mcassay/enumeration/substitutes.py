"""While a kernel is enumerated: what code draws from without being handed a generator, and functions that want a number.

``np.random`` and ``random`` lead to the enumerating generator, as far as their functions have counterparts in it; a generator
made on the spot can not be followed. ``math.log`` and its like take levels. Names that the code imported one by one are
beyond reach; whether global generators were drawn from after all is looked at in the end.
"""

import functools
import math
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from mcassay.engine.legacy import global_state
from mcassay.enumeration.generator import EnumeratingGenerator
from mcassay.enumeration.levels import Level
from mcassay.enumeration.paths import NotEnumerable, users_place

# Functions of math, and what a level calls the same.
_OF_MATH = ("log", "log1p", "exp", "expm1", "sqrt", "log2", "log10")
_SAME = (
    "binomial choice exponential geometric gumbel hypergeometric laplace logistic logseries multinomial negative_binomial "
    "normal permutation poisson shuffle standard_cauchy standard_exponential standard_normal uniform"
)
_NOT_FOLLOWED = "get_state set_state seed bytes beta gamma dirichlet standard_gamma standard_t chisquare lognormal"
_RANDOM_REFUSED = "gauss normalvariate betavariate gammavariate lognormvariate vonmisesvariate triangular getrandbits randbytes"


@contextmanager
def substituted(rng: EnumeratingGenerator) -> Iterator[None]:
    """Have everything that draws without a generator draw from this one, and refuse what can not be followed."""
    before, at_work = global_state(), [True]
    with ExitStack() as stack:
        stack.callback(at_work.clear)
        for home, functions in ((np.random, _of_numpy(rng)), (random, _of_python(rng)), (math, _of_math())):
            own = {name: getattr(home, name) for name in functions}
            stack.callback(vars(home).update, own)
            lasting = home is math  # what takes numbers and levels alike may be kept by whoever got hold of it
            vars(home).update(
                {name: function if lasting else _in_turn(at_work, function, own[name]) for name, function in functions.items()}
            )
        yield
    if rng.was_sampled:
        raise NotEnumerable("the code draws from rng past its methods, in a way that can not be followed")
    after = global_state()
    if not np.array_equal(before.numpy[1], after.numpy[1]) or before.numpy[2:] != after.numpy[2:]:
        raise NotEnumerable("the code draws from numpy's global generator in a way that can not be followed")
    if before.python != after.python:
        raise NotEnumerable("the code draws from Python's global generator in a way that can not be followed")


def _in_turn(at_work: list[bool], substitute: Callable[..., Any], own: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is its own self again afterwards: a module that is imported meanwhile may keep it."""
    return functools.wraps(own)(lambda *args, **kwargs: (substitute if at_work else own)(*args, **kwargs))


def _of_math() -> dict[str, Callable[..., Any]]:
    return {name: _taking_levels(name) for name in _OF_MATH}


def _taking_levels(name: str) -> Callable[..., Any]:
    function = getattr(math, name)

    @functools.wraps(function)
    def taking_levels(x: Any, *others: Any) -> Any:
        return getattr(x, name)(*others) if isinstance(x, Level) else function(x, *others)

    return taking_levels


def _of_numpy(rng: EnumeratingGenerator) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {name: getattr(rng, name) for name in _SAME.split()}
    found |= dict.fromkeys(("random", "random_sample", "ranf", "sample"), rng.random)
    found |= {
        "rand": lambda *shape: rng.random(shape or None),
        "randn": lambda *shape: rng.standard_normal(shape or None),
        "randint": lambda low, high=None, size=None, dtype=int: rng.integers(low, high, size, dtype),
        "default_rng": lambda seed=None: seed if seed is rng else _refuse(rng, "np.random.default_rng()"),
    }
    return found | {name: functools.partial(_refuse, rng, f"np.random.{name}") for name in _NOT_FOLLOWED.split()}


def _of_python(rng: EnumeratingGenerator) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {
        "random": rng.random,
        "uniform": rng.uniform,
        "expovariate": lambda lambd=1.0: rng.exponential(1 / lambd),
        "randint": lambda a, b: int(rng.integers(a, b, endpoint=True)),
        "randrange": lambda *of: range(*of)[int(rng.integers(len(range(*of))))],
        "choice": lambda members: members[int(rng.integers(len(members)))],
        "shuffle": rng.shuffle,
        "sample": lambda members, k: [members[i] for i in rng.choice(len(members), k, replace=False)],
        "choices": functools.partial(_choices, rng),
    }
    return found | {name: functools.partial(_refuse, rng, f"random.{name}") for name in _RANDOM_REFUSED.split()}


def _choices(rng: EnumeratingGenerator, members: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> list[Any]:
    heights = np.diff(cum_weights, prepend=0) if weights is None and cum_weights is not None else weights
    chances = None if heights is None else np.asarray(heights) / np.sum(heights)
    return [members[i] for i in rng.choice(len(members), k, p=chances)]


def _refuse(rng: EnumeratingGenerator, what: str, *_: Any, **__: Any) -> Any:
    rng.path.refuse(f"{what} is used, which can not be followed", users_place())
