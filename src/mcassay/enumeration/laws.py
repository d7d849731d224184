"""The probabilities of laws over whole numbers, and continuous laws as functions of a uniform number."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from mcassay.enumeration.levels import LOG, Monotone, plus, times
from mcassay.enumeration.paths import MOST_OUTCOMES
from mcassay.vocabulary import FloatArray, IntArray

# A law over infinitely many numbers is cut off where less than this is left of it.
_LEFT = 1e-16


def normalised(log_weights: ArrayLike) -> list[float]:
    """Return the probabilities that belong to log weights."""
    with np.errstate(under="ignore"):
        weights = np.exp(np.asarray(log_weights, float))
    return [float(weight) for weight in weights / weights.sum()]


def binomial(trials: int, probability: float) -> list[float]:
    """Return the probabilities of 0 to ``trials`` successes."""
    k = np.arange(trials + 1)
    return normalised(_log_choose(trials, k) + special.xlogy(k, probability) + special.xlog1py(trials - k, -probability))


def hypergeometric(good: int, bad: int, drawn: int) -> list[float]:
    """Return the probabilities of 0 to ``drawn`` good ones among those that are drawn."""
    k = np.arange(drawn + 1)
    possible = (k <= good) & (drawn - k <= bad)
    return normalised(np.where(possible, _log_choose(good, k) + _log_choose(bad, drawn - k), -np.inf))


def _log_choose(n: int, k: IntArray) -> FloatArray:
    few = np.clip(k, 0, n)
    ways: FloatArray = special.gammaln(n + 1.0) - special.gammaln(few + 1.0) - special.gammaln(n - few + 1.0)
    return ways


def cut_off(terms: Iterator[float]) -> list[float] | None:
    """Return the probabilities of a law over 0, 1, ... as far as they matter; None where that is too far."""
    found, total = [], 0.0
    for term in terms:
        found.append(term)
        total += term
        if len(found) > MOST_OUTCOMES:
            return None
        if total > 0.5 and term * len(found) < _LEFT:
            return [term / total for term in found]
    return found


def poisson(mean: float) -> Iterator[float]:
    """Yield the probabilities of a Poisson law."""
    for k in range(MOST_OUTCOMES + 1):
        yield math.exp(float(special.xlogy(k, mean)) - mean - math.lgamma(k + 1))


def geometric(probability: float) -> Iterator[float]:
    """Yield the probabilities of the number of trials up to the first success; that of 0 is 0."""
    yield 0.0
    for k in range(MOST_OUTCOMES):
        yield probability * (1 - probability) ** k


def negative_binomial(successes: float, probability: float) -> Iterator[float]:
    """Yield the probabilities of the number of failures before so many successes."""
    for k in range(MOST_OUTCOMES + 1):
        ways = math.lgamma(k + successes) - math.lgamma(k + 1) - math.lgamma(successes)
        yield math.exp(ways + successes * math.log(probability) + float(special.xlog1py(k, -probability)))


def logseries(probability: float) -> Iterator[float]:
    """Yield the probabilities of the logarithmic series; that of 0 is 0."""
    yield 0.0
    for k in range(1, MOST_OUTCOMES + 1):
        yield -(probability**k) / (k * math.log1p(-probability))


def _of(quantile: Callable[[float], float], cumulative: Callable[[float], float]) -> tuple[Monotone, ...]:
    return (Monotone(lambda u: float(quantile(u)), lambda x: float(cumulative(x))),)


# Each as a function of a uniform number, at location 0 and scale 1.
EXPONENTIAL = (LOG, times(-1.0))
NORMAL = _of(special.ndtri, special.ndtr)
LOGISTIC = _of(special.logit, special.expit)
GUMBEL = (LOG, times(-1.0), LOG, times(-1.0))
CAUCHY = _of(lambda u: math.tan(math.pi * (u - 0.5)), lambda x: 0.5 + math.atan(x) / math.pi)
LAPLACE = _of(
    lambda u: float(special.xlogy(1, 2 * u)) if u < 0.5 else -float(special.xlogy(1, 2 - 2 * u)),
    lambda x: 0.5 * math.exp(x) if x < 0 else 1 - 0.5 * math.exp(-x),
)


def moved(location: float, scale: float) -> tuple[Monotone, ...]:
    """Return what moves a law to another location and scale."""
    return (times(scale), plus(location))
