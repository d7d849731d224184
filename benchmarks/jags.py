"""JAGS (https://mcmc-jags.sourceforge.io), the yardstick among general samplers: run from its command line, if it is installed.

On Debian and Ubuntu, ``apt-get install jags``.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ABSENT = "JAGS is not installed (Debian: apt-get install jags), so that nothing is compared with it"

ISOTROPIC = """
model {
  pi ~ ddirch(alpha)
  tau_mu ~ dgamma(3, 3)
  tau ~ dgamma(3, 3)
  for (k in 1:K) { for (d in 1:D) { mu[k, d] ~ dnorm(0, tau_mu) } }
  for (i in 1:N) {
    z[i] ~ dcat(pi)
    for (d in 1:D) { x[i, d] ~ dnorm(mu[z[i], d], tau) }
  }
}
"""
FULL = """
model {
  pi ~ ddirch(alpha)
  tau_mu ~ dgamma(3, 3)
  omega ~ dwish(R, D + 2)
  for (k in 1:K) { mu[k, 1:D] ~ dmnorm(zero, tau_mu * eye) }
  for (i in 1:N) {
    z[i] ~ dcat(pi)
    x[i, 1:D] ~ dmnorm(mu[z[i], 1:D], omega)
  }
}
"""
UNTIED_FULL = FULL.replace(
    "  omega ~ dwish(R, D + 2)\n  for (k in 1:K) { ", "  for (k in 1:K) { omega[k, 1:D, 1:D] ~ dwish(R, D + 2)\n    "
).replace("omega)", "omega[z[i], 1:D, 1:D])")


def is_installed() -> bool:
    return shutil.which("jags") is not None


def seconds_a_sweep(model: str, data: Mapping[str, Any], starts: Mapping[str, Any], sweeps: int) -> float:
    """Time sweeps alone, by the processor's time: what a run of a tenth of them takes, start included, is taken off."""
    with TemporaryDirectory() as folder:
        few = max(1, sweeps // 10)
        times = [_seconds(Path(folder), model, data, starts, count) for count in (few, few + sweeps)]
    return (times[1] - times[0]) / sweeps


def _seconds(folder: Path, model: str, data: Mapping[str, Any], starts: Mapping[str, Any], sweeps: int) -> float:
    began = os.times()
    run(folder, model, data, starts, f"update {sweeps}\n")
    ended = os.times()
    return ended.children_user + ended.children_system - began.children_user - began.children_system


def draws(model: str, data: Mapping[str, Any], starts: Mapping[str, Any], name: str, warmup: int, sweeps: int) -> Any:
    """Return the draws of one number."""
    with TemporaryDirectory() as folder:
        commands = f"update {warmup}\nmonitor {name}\nupdate {sweeps}\ncoda *, stem('out')\n"
        run(Path(folder), model, data, starts, commands)
        return np.loadtxt(Path(folder) / "outchain1.txt")[:, 1]


def run(folder: Path, model: str, data: Mapping[str, Any], starts: Mapping[str, Any], commands: str) -> None:
    (folder / "model.bug").write_text(model)
    (folder / "data.R").write_text(dumped(data))
    (folder / "starts.R").write_text(dumped({**starts, ".RNG.name": "base::Mersenne-Twister", ".RNG.seed": 1}))
    head = "model in 'model.bug'\ndata in 'data.R'\ncompile\nparameters in 'starts.R'\ninitialize\n"
    script = folder / "script.cmd"
    script.write_text(head + commands + "exit\n")
    done = subprocess.run(["jags", script.name], cwd=folder, capture_output=True, text=True)
    if done.returncode or "error" in (done.stdout + done.stderr).lower():
        raise RuntimeError(f"JAGS failed:\n{done.stdout}{done.stderr}")


def dumped(values: Mapping[str, Any]) -> str:
    """Write values the way R does, columns first."""
    return "".join(f"`{name}` <- {_written(value)}\n" for name, value in values.items())


def _written(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    array = np.asarray(value)
    if array.ndim == 0:
        return repr(array.item())
    entries = "c(" + ", ".join(repr(entry) for entry in array.ravel(order="F").tolist()) + ")"
    return entries if array.ndim == 1 else f"structure({entries}, .Dim = c({', '.join(map(str, array.shape))}))"
