"""Mixtures with full covariances in the style of the paper's listing: plain NumPy, with loops over clusters and rows.

Draws use numpy's global generator, as the listing does, and ``scipy.stats`` where the paper's listing had no distribution.
"""
# ruff: noqa: NPY002

from typing import Any

import numpy as np
import scipy.stats


class PaperFull:
    """The Gibbs sampler of a model of ours, written again."""

    def __init__(self, model: Any) -> None:
        self.K, self.alpha = model.clusters, model.alpha
        prior = model.covariance_prior.parameters
        self.nu, self.psi = float(prior["degrees_of_freedom"]), prior["scale"]
        self.tied = model.title == "full covariance"
        mu_prior = model.sigma_sq_mu_prior.parameters
        self.a, self.b = float(mu_prior["shape"]), float(mu_prior["scale"])

    def sweep(self, state: dict[str, Any], X: Any, rng: Any) -> dict[str, Any]:
        pi = np.random.dirichlet(self.alpha + np.bincount(state["z"], minlength=self.K))
        z = self.draw_z(state, pi, X)
        mu = self.draw_mu(state, z, X)
        sigma_sq_mu = 1 / np.random.gamma(self.a + 0.5 * mu.size, 1 / (self.b + 0.5 * np.sum(mu**2)))
        covariance = self.draw_covariance(z, mu, X)
        return {"pi": pi, "z": z, "mu": mu, "sigma_sq_mu": sigma_sq_mu, "covariance": covariance}

    def covariance_of(self, covariance: Any, k: int) -> Any:
        return covariance if self.tied else covariance[k]

    def draw_z(self, state: dict[str, Any], pi: Any, X: Any) -> Any:
        log_odds = np.empty((len(X), self.K))
        for k in range(self.K):
            law = scipy.stats.multivariate_normal(state["mu"][k], self.covariance_of(state["covariance"], k))
            log_odds[:, k] = np.log(pi[k]) + law.logpdf(X)
        p = np.exp(log_odds - np.logaddexp.reduce(log_odds, axis=1)[:, np.newaxis])
        p /= p.sum(1)[:, np.newaxis]
        return np.array([np.random.multinomial(1, row) for row in p]).argmax(1)

    def draw_mu(self, state: dict[str, Any], z: Any, X: Any) -> Any:
        mu = np.empty_like(state["mu"])
        for k in range(self.K):
            members, inverse = X[z == k], np.linalg.inv(self.covariance_of(state["covariance"], k))
            precision = len(members) * inverse + np.eye(X.shape[1]) / state["sigma_sq_mu"]
            mean = np.linalg.solve(precision, inverse @ members.sum(axis=0))
            mu[k] = np.random.multivariate_normal(mean, np.linalg.inv(precision))
        return mu

    def draw_covariance(self, z: Any, mu: Any, X: Any) -> Any:
        residuals = X - mu[z]
        if self.tied:
            return scipy.stats.invwishart(self.nu + len(X), self.psi + residuals.T @ residuals).rvs()
        own = [residuals[z == k] for k in range(self.K)]
        return np.stack([scipy.stats.invwishart(self.nu + len(r), self.psi + r.T @ r).rvs() for r in own])
