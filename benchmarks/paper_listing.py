"""The mixture of Gaussians in the style of the listing of Grosse & Duvenaud, "Testing MCMC code" (arXiv 1412.5218).

The yardstick for speed. It was transcribed from published code that credits the paper, not from the paper's own pages: a
State, a Model whose methods ``cond_*`` return distributions, distributions with ``log_p`` and ``sample``, numpy's global
generator. As there, the cluster means loop over the clusters, and the assignments are scored at once in an array of shape
(N, K, D). How the listing draws the assignments was not among what was found; here it is one call of
``numpy.random.multinomial`` a row, which took one row of probabilities when the paper was written. Nothing is slower than
that style requires, and ``bench_mixture.py`` also times ``ModelDrawingAtOnce``, which draws all rows by array operations.
"""
# ruff: noqa: NPY002

import numpy as np
from scipy.special import gammaln

nax = np.newaxis


class GaussianDistribution:
    def __init__(self, mu, sigma_sq):
        self.mu = mu
        self.sigma_sq = sigma_sq

    def log_p(self, x):
        return -0.5 * np.log(2 * np.pi) - 0.5 * np.log(self.sigma_sq) - 0.5 * (x - self.mu) ** 2 / self.sigma_sq

    def sample(self):
        return np.random.normal(self.mu, np.sqrt(self.sigma_sq))


class InverseGammaDistribution:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def log_p(self, x):
        return self.a * np.log(self.b) - gammaln(self.a) - (self.a + 1.0) * np.log(x) - self.b / x

    def sample(self):
        return 1.0 / np.random.gamma(self.a, 1.0 / self.b)


class DirichletDistribution:
    def __init__(self, alpha):
        self.alpha = alpha

    def log_p(self, x):
        return gammaln(self.alpha.sum()) - gammaln(self.alpha).sum() + ((self.alpha - 1.0) * np.log(x)).sum()

    def sample(self):
        return np.random.dirichlet(self.alpha)


class MultinomialDistribution:
    def __init__(self, log_probabilities):
        self.log_probabilities = log_probabilities

    @classmethod
    def from_probabilities(cls, probabilities):
        return cls(np.log(probabilities))

    @classmethod
    def from_log_odds(cls, log_odds):
        return cls(log_odds - np.logaddexp.reduce(log_odds, axis=-1)[..., nax])

    def log_p(self, x):
        if self.log_probabilities.ndim == 1:
            return self.log_probabilities[x]
        return self.log_probabilities[np.arange(x.size), x]

    def sample(self):
        p = np.exp(self.log_probabilities)
        p /= p.sum(1)[:, nax]
        return np.array([np.random.multinomial(1, row) for row in p]).argmax(1)


class State:
    def __init__(self, z, mu, sigma_sq_mu, sigma_sq_n, pi):
        self.z = z
        self.mu = mu
        self.sigma_sq_mu = sigma_sq_mu
        self.sigma_sq_n = sigma_sq_n
        self.pi = pi


class Model:
    def __init__(self, alpha, K, sigma_sq_mu_prior, sigma_sq_n_prior):
        self.alpha = alpha
        self.K = K
        self.sigma_sq_mu_prior = sigma_sq_mu_prior
        self.sigma_sq_n_prior = sigma_sq_n_prior

    def cond_pi(self, state):
        counts = np.bincount(state.z, minlength=self.K)
        return DirichletDistribution(self.alpha + counts)

    def cond_z(self, state, X):
        prior = np.log(state.pi)
        evidence = GaussianDistribution(state.mu[nax, :, :], state.sigma_sq_n).log_p(X[:, nax, :]).sum(2)
        return MultinomialDistribution.from_log_odds(prior[nax, :] + evidence)

    def cond_mu(self, state, X):
        ndim = X.shape[1]
        h = np.zeros((self.K, ndim))
        lam = np.zeros((self.K, ndim))
        for k in range(self.K):
            idxs = np.where(state.z == k)[0]
            if idxs.size > 0:
                h[k, :] = X[idxs, :].sum(0) / state.sigma_sq_n
                lam[k, :] = idxs.size / state.sigma_sq_n + 1.0 / state.sigma_sq_mu
            else:
                h[k, :] = 0.0
                lam[k, :] = 1.0 / state.sigma_sq_mu
        return GaussianDistribution(h / lam, 1.0 / lam)

    def cond_sigma_sq_mu(self, state):
        ndim = state.mu.shape[1]
        a = self.sigma_sq_mu_prior.a + 0.5 * self.K * ndim
        b = self.sigma_sq_mu_prior.b + 0.5 * np.sum(state.mu**2)
        return InverseGammaDistribution(a, b)

    def cond_sigma_sq_n(self, state, X):
        ndata, ndim = X.shape
        a = self.sigma_sq_n_prior.a + 0.5 * ndata * ndim
        b = self.sigma_sq_n_prior.b + 0.5 * np.sum((X - state.mu[state.z, :]) ** 2)
        return InverseGammaDistribution(a, b)

    def joint_log_p(self, state, X):
        return (
            DirichletDistribution(self.alpha * np.ones(self.K)).log_p(state.pi)
            + MultinomialDistribution.from_probabilities(state.pi).log_p(state.z).sum()
            + self.sigma_sq_mu_prior.log_p(state.sigma_sq_mu)
            + self.sigma_sq_n_prior.log_p(state.sigma_sq_n)
            + GaussianDistribution(0.0, state.sigma_sq_mu).log_p(state.mu).sum()
            + GaussianDistribution(state.mu[state.z, :], state.sigma_sq_n).log_p(X).sum()
        )

    def gibbs_step(self, state, X):
        state.pi = self.cond_pi(state).sample()
        state.z = self.cond_z(state, X).sample()
        state.mu = self.cond_mu(state, X).sample()
        state.sigma_sq_mu = self.cond_sigma_sq_mu(state).sample()
        state.sigma_sq_n = self.cond_sigma_sq_n(state, X).sample()


class MultinomialDrawnAtOnce(MultinomialDistribution):
    def sample(self):
        cumulative = np.exp(self.log_probabilities).cumsum(1)
        level = np.random.uniform(size=len(cumulative)) * cumulative[:, -1]
        return (cumulative > level[:, nax]).argmax(1)


class ModelDrawingAtOnce(Model):
    def cond_z(self, state, X):
        return MultinomialDrawnAtOnce(super().cond_z(state, X).log_probabilities)
