"""The kernels of NumPyro that take a potential: small and large steps, short and long runs, ensembles of some sizes."""

import jax
import jax.numpy as jnp
from numpyro import infer

from mcassay import Grid
from mcassay.adapters.numpyro_targets import on_target

jax.config.update("jax_enable_x64", True)
PACKAGE = "numpyro"


def hmc(target, step, length, dense):
    metric = jnp.eye(target.size) * 0.8 + 0.2 if dense else jnp.linspace(0.5, 1.5, target.size)
    options = {"step_size": step, "num_steps": length, "trajectory_length": None, "dense_mass": dense}
    return on_target(target, lambda f: infer.HMC(potential_fn=f, inverse_mass_matrix=metric, **options))


def nuts(target, step, dense):
    metric = jnp.eye(target.size) * 0.8 + 0.2 if dense else jnp.linspace(0.5, 1.5, target.size)
    options = {"step_size": step, "dense_mass": dense, "max_tree_depth": 6}
    return on_target(target, lambda f: infer.NUTS(potential_fn=f, inverse_mass_matrix=metric, **options))


def barker(target, step):
    return on_target(target, lambda f: infer.BarkerMH(potential_fn=f, step_size=step))


def aies(target, members):
    return on_target(target, lambda f: infer.AIES(potential_fn=f), members=max(members, 2 * target.size + 2))


def ess(target, members):
    return on_target(target, lambda f: infer.ESS(potential_fn=f), members=max(members, 2 * target.size + 2))


def kernels():
    """Return a grid for every kernel."""
    return {
        "HMC": Grid(hmc, {"step": [0.1, 0.5], "length": [1, 10], "dense": [False, True]}),
        "NUTS": Grid(nuts, {"step": [0.1, 0.8], "dense": [False, True]}),
        "BarkerMH": Grid(barker, {"step": [0.2, 1.0]}),
        "AIES": Grid(aies, {"members": [4, 20]}),
        "ESS": Grid(ess, {"members": [4, 20]}),
    }
