"""Log densities of large parameters: Stirling's formula without the terms that would cancel.

Written with log gamma functions, the log density of a gamma variable of shape 10^12 is the sum of terms of size 10^13, and has
three digits. What is left after they cancel is the sum of a small remainder and of ``a log(t / a) - (t - a)``, which is never
positive and is computed as it stands (Loader, "Fast and accurate computation of binomial probabilities", 2000).
"""

import math

import numpy as np
from scipy.special import gammaln

from mcassay.vocabulary import FloatArray

# From here on the series of the remainder is good to the last digit; below, nothing cancels that matters.
LARGE = 100.0
_HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)


def log_tilt(a: FloatArray, t: FloatArray) -> FloatArray:
    """Return ``a log(t / a) - (t - a)``, which keeps its digits where t is near a.

    Examples
    --------
    >>> import numpy as np
    >>> float(log_tilt(np.float64(1e16), np.float64(1e16 + 1e8)).round(6))
    -0.5
    """
    with np.errstate(all="ignore"):
        v = (t - a) / a
        tilt: FloatArray = np.where(np.abs(v) < 0.5, a * (np.log1p(v) - v), a * (np.log(t) - np.log(a)) - (t - a))
    return tilt


def remainder(a: FloatArray) -> FloatArray:
    """Return what Stirling's formula leaves of ``gammaln(a)``: ``gammaln(a) - (a - 1/2) log(a) + a - log(2 pi) / 2``."""
    with np.errstate(all="ignore"):
        series = (1 / 12 - (1 / 360 - 1 / (1260 * a * a)) / (a * a)) / a
        small = gammaln(a) - (a - 0.5) * np.log(a) + a - _HALF_LOG_2_PI
    found: FloatArray = np.where(a > LARGE, series, small)
    return found


def gamma_log_p(shape: FloatArray, t: FloatArray, log_unit: FloatArray, usual: FloatArray) -> FloatArray:
    """Return ``shape log(t) - t - gammaln(shape) - log_unit``: another sum than the usual one where the terms of that cancel.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.float64(1e15)
    >>> float(gamma_log_p(a, a, np.float64(0), a * np.log(a) - a - gammaln(a))), float(0.5 * np.log(a / (2 * np.pi)))
    (16.3504..., 16.3504...)
    """
    large = shape > LARGE
    if not large.any():
        return usual
    near = large & (np.abs(t - shape) < 0.5 * shape)
    with np.errstate(all="ignore"):
        refined = log_tilt(shape, t) + 0.5 * np.log(shape) - _HALF_LOG_2_PI - remainder(shape) - log_unit
    found: FloatArray = np.where(near, refined, usual)
    return found


def beta_log_p(concentration: FloatArray, x: FloatArray, excess: FloatArray | float, usual: FloatArray) -> FloatArray:
    """Return the log density of probabilities x, one row each: another sum than the usual one where the terms of that cancel.

    The excess is by how much the probabilities add up to more than one: rounding that the usual sum does not know of.
    """
    total = concentration.sum(axis=-1)
    large = total > LARGE
    if not large.any():
        return usual
    large = large & (x > 0).all(axis=-1)
    with np.errstate(all="ignore"):
        tilts = log_tilt(concentration, total[..., np.newaxis] * x) - remainder(concentration)
        each = tilts + 0.5 * np.log(concentration) - np.log(x)
        rest = remainder(total) - 0.5 * np.log(total) - (x.shape[-1] - 1) * _HALF_LOG_2_PI
        refined = each.sum(axis=-1) + total * excess + rest
    found: FloatArray = np.where(large & np.isfinite(refined), refined, usual)
    return found


def binomial_log_p(trials: FloatArray, probability: FloatArray, x: FloatArray, usual: FloatArray) -> FloatArray:
    """Return the log probability of x successes: another sum than the usual one where the terms of that cancel."""
    failures = trials - x
    large = (trials > LARGE) & (x > 0) & (failures > 0)
    if not large.any():
        return usual
    with np.errstate(all="ignore"):
        tilts = log_tilt(x, trials * probability) + log_tilt(failures, trials * (1 - probability))
        rest = remainder(trials) - remainder(x) - remainder(failures)
        refined = tilts + rest + 0.5 * (np.log(trials) - np.log(x) - np.log(failures)) - _HALF_LOG_2_PI
    found: FloatArray = np.where(large & np.isfinite(refined), refined, usual)
    return found
