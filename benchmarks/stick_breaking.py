"""An independent sampler of the restaurant mixture in one dimension, to compare posteriors with; plain NumPy.

It shares no code, no algorithm and no parametrisation with the package: no partition and nothing integrated out, but weights by
stick breaking (Ishwaran and James 2001), means and variances, all drawn in blocks. ``JAGS`` is the same for JAGS.

Sticks are broken off ``STICKS`` times. What is left then has expectation E[(alpha / (1 + alpha)) ** STICKS], which for the prior
Gamma(2, rate 4) of the concentration is below 1e-13: nothing beside the errors of Monte Carlo.
"""

import numpy as np

STICKS = 60

JAGS = """
model {
  alpha ~ dgamma(a, b)
  for (k in 1:(S - 1)) { v[k] ~ dbeta(1, alpha) T(1.0E-9, 0.999999999) }
  v[S] <- 1
  w[1] <- v[1]
  for (k in 2:S) { w[k] <- v[k] * (1 - v[k - 1]) * w[k - 1] / v[k - 1] }
  for (k in 1:S) {
    tau[k] ~ dgamma(degrees / 2, scale / 2)
    mu[k] ~ dnorm(0, count * tau[k])
    for (i in 1:N) { hit[i, k] <- equals(z[i], k) }
    taken[k] <- step(sum(hit[1:N, k]) - 1)
  }
  for (i in 1:N) {
    z[i] ~ dcat(w)
    x[i] ~ dnorm(mu[z[i]], tau[z[i]])
  }
  clusters <- sum(taken[1:S])
}
"""


def cluster_counts(x, *, count, degrees, scale, shape, rate, sweeps, warmup, seed):
    """Return the number of clusters with points after every sweep; the prior of means is centred at 0."""
    rng, labels, alpha = np.random.default_rng(seed), np.zeros(len(x), int), 1.0
    found = np.empty(sweeps)
    for sweep in range(-warmup, sweeps):
        sizes = np.bincount(labels, minlength=STICKS)
        after = len(x) - np.cumsum(sizes)
        sticks = rng.beta(1 + sizes[:-1], alpha + after[:-1])
        log_left = np.log1p(-np.minimum(sticks, 1 - 1e-16))
        log_weights = np.append(np.log(sticks), 0.0) + np.append(0.0, np.cumsum(log_left))
        alpha = rng.gamma(shape + STICKS - 1, 1 / (rate - log_left.sum()))
        sums, squares = np.bincount(labels, x, STICKS), np.bincount(labels, x**2, STICKS)
        mean = sums / (count + sizes)
        half_scale = 0.5 * (scale + squares - (count + sizes) * mean**2)
        variance = half_scale / rng.gamma(0.5 * (degrees + sizes))
        mu = rng.normal(mean, np.sqrt(variance / (count + sizes)))
        log_p = log_weights - 0.5 * np.log(variance) - 0.5 * (x[:, None] - mu) ** 2 / variance
        heights = np.cumsum(np.exp(log_p - log_p.max(axis=1, keepdims=True)), axis=1)
        labels = (heights < rng.random((len(x), 1)) * heights[:, -1:]).sum(axis=1)
        if sweep >= 0:
            found[sweep] = np.count_nonzero(np.bincount(labels, minlength=STICKS))
    return found
