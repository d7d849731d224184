"""The paper's mixture of Gaussians in JAX: the model and the Gibbs sampler of ``IsotropicMixture``, for one replicate."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

from mcassay import Subject
from mcassay.adapters.jax import subject
from mcassay.models.mixture import IsotropicMixture


@dataclass(frozen=True)
class JaxMixture:
    """The same numbers of clusters, dimensions and points, and the same priors, as a model of the package."""

    model: IsotropicMixture

    def prior(self, key):
        keys = jax.random.split(key, 5)
        m = self.model
        pi = jax.random.dirichlet(keys[0], jnp.full(m.clusters, m.alpha))
        between = self.inverse_gamma(keys[1], m.sigma_sq_mu_prior, 0.0, 0.0)
        return {
            "pi": pi,
            "z": jax.random.categorical(keys[2], jnp.log(pi), shape=(m.points,)),
            "mu": jnp.sqrt(between) * jax.random.normal(keys[3], (m.clusters, m.dimensions)),
            "sigma_sq_mu": between,
            "sigma_sq_n": self.inverse_gamma(keys[4], m.sigma_sq_n_prior, 0.0, 0.0),
        }

    def simulate(self, state, key):
        means = state["mu"][state["z"]]
        return means + jnp.sqrt(state["sigma_sq_n"]) * jax.random.normal(key, means.shape)

    def draw_pi(self, state, data, key):
        return {**state, "pi": jax.random.dirichlet(key, self.model.alpha + self.members(state).sum(axis=0))}

    def draw_z(self, state, data, key):
        squares = jnp.sum((data[:, None] - state["mu"]) ** 2, axis=2)
        return {**state, "z": jax.random.categorical(key, jnp.log(state["pi"]) - 0.5 * squares / state["sigma_sq_n"])}

    def draw_mu(self, state, data, key):
        members = self.members(state)
        precision = members.sum(axis=0)[:, None] / state["sigma_sq_n"] + 1 / state["sigma_sq_mu"]
        mean = members.T @ data / state["sigma_sq_n"] / precision
        return {**state, "mu": mean + jax.random.normal(key, mean.shape) / jnp.sqrt(precision)}

    def draw_between(self, state, data, key):
        mu = state["mu"]
        return {**state, "sigma_sq_mu": self.inverse_gamma(key, self.model.sigma_sq_mu_prior, mu.size / 2, jnp.sum(mu**2) / 2)}

    def draw_within(self, state, data, key, factor=0.5):
        squares = jnp.sum((data - state["mu"][state["z"]]) ** 2)
        new = self.inverse_gamma(key, self.model.sigma_sq_n_prior, data.size / 2, factor * squares)
        return {**state, "sigma_sq_n": new}

    def members(self, state):
        return jax.nn.one_hot(state["z"], self.model.clusters, dtype=state["mu"].dtype)

    def inverse_gamma(self, key, prior, shape, scale):
        own = {name: float(value) for name, value in prior.parameters.items()}
        return (own["scale"] + scale) / jax.random.gamma(key, own["shape"] + shape)

    def log_joint(self, state, data):
        m = self.model

        def inverse_gamma(x, prior):
            own = {name: float(value) for name, value in prior.parameters.items()}
            return -(own["shape"] + 1) * jnp.log(x) - own["scale"] / x

        def normal(x, mean, variance):
            return jnp.sum(-0.5 * (x - mean) ** 2 / variance - 0.5 * jnp.log(variance))

        priors = inverse_gamma(state["sigma_sq_mu"], m.sigma_sq_mu_prior) + inverse_gamma(state["sigma_sq_n"], m.sigma_sq_n_prior)
        labels = jnp.sum((m.alpha - 1) * jnp.log(state["pi"])) + jnp.sum(jnp.log(state["pi"])[state["z"]])
        means = normal(state["mu"], 0.0, state["sigma_sq_mu"])
        return priors + labels + means + normal(data, state["mu"][state["z"]], state["sigma_sq_n"])

    def subject(self, factor: float = 0.5) -> Subject:
        """Return the model and its Gibbs sampler; a factor other than one half is the paper's bug."""
        steps = {
            "pi": self.draw_pi,
            "z": self.draw_z,
            "mu": self.draw_mu,
            "sigma_sq_mu": self.draw_between,
            "sigma_sq_n": partial(self.draw_within, factor=factor),
        }
        return subject(self.prior, self.simulate, steps, log_joint=self.log_joint, name="mixture in JAX")
