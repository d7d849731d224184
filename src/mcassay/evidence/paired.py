"""Bounded differences with mean zero, from the end, the start and fresh forward draws of each replicate.

Write e, s and f for the directions at the end, at the start and averaged over forward draws. When the kernel is right,
``e - f`` and ``s - f`` have mean zero, so ``d = (e - f) - sum_k b_k (s_k - f_k)`` has mean zero for any coefficients b
that are chosen from the past. They are chosen to predict the end from the start, which takes away the noise that both share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcassay.vocabulary import FloatArray

_PRIOR_RHO = 0.5
_PRIOR_WEIGHT = 1.0
_THREADED = 2**17


@dataclass(frozen=True)
class Pairing:
    """How the start is subtracted from the end: coefficients learned from completed blocks alone.

    Every direction is paired with itself at the start (coefficient rho) and, if ``controls`` names directions, with
    these as well.
    Leading axes of the moments, if any, are independent runs.

    Examples
    --------
    >>> pairing = Pairing.begin(directions=1)
    >>> end, start, forward = np.full((3, 4, 1), 0.5)
    >>> pairing.rho
    array([0.5])
    >>> pairing.differences(end + 0.25, start, forward)[0]
    array([0.25])
    >>> pairing.learn(end, start, forward).moments["own"].shape
    (1,)
    """

    controls: tuple[int, ...]
    moments: dict[str, FloatArray]
    ridge: float = 50.0

    @classmethod
    def begin(cls, directions: int, *, controls: Sequence[int] = (), runs: tuple[int, ...] = ()) -> "Pairing":
        """Know nothing yet."""
        shapes: dict[str, tuple[int, ...]] = {"own": (directions,), "own_end": (directions,)}
        if controls:
            count = len(controls)
            shapes |= {"gram": (count, count), "cross_own": (count, directions), "cross_end": (count, directions)}
        return cls(tuple(controls), {name: np.zeros((*runs, *shape)) for name, shape in shapes.items()})

    @property
    def rho(self) -> FloatArray:
        """The coefficient of each direction's own start."""
        return self.coefficients()[0]

    def coefficients(self) -> tuple[FloatArray, FloatArray | None]:
        """Return rho and the coefficients of the controls, shape ``(..., controls, J)``.

        Least squares with a ridge that pulls rho to 1/2 and the controls to nothing while there are few replicates.
        """
        own, own_end = self.moments["own"], self.moments["own_end"]
        if not self.controls:
            return np.clip(_shrunk(own_end, own), 0.0, 1.0), None
        gram = self.moments["gram"] + self.ridge * np.eye(len(self.controls))
        cross_own, cross_end = self.moments["cross_own"], self.moments["cross_end"]
        solved_own, solved_end = np.linalg.solve(gram, cross_own), np.linalg.solve(gram, cross_end)
        left = own - (cross_own * solved_own).sum(axis=-2)
        left_end = own_end - (cross_own * solved_end).sum(axis=-2)
        rho = _shrunk(left_end, left)
        beta = solved_end - rho[..., None, :] * solved_own
        rows, columns = np.arange(len(self.controls)), np.array(self.controls)
        rho[..., columns] += beta[..., rows, columns]
        beta[..., rows, columns] = 0.0
        return np.clip(rho, 0.0, 1.0), np.asarray(beta)

    def differences(self, end: FloatArray, start: FloatArray, forward: FloatArray | None = None) -> FloatArray:
        """Differences of a block, shape ``(..., n, J)``, in [-1, 1].

        ``forward`` is the mean over the forward draws of each replicate; without any, d is ``end - start``.
        """
        if forward is None:
            return np.asarray(end - start)
        rho, beta = self.coefficients()
        d = end - forward - rho[..., None, :] * (start - forward)
        if beta is None:
            return np.asarray(d)
        d -= _matmul((start - forward)[..., list(self.controls)], beta)
        # With rho in [0, 1] and every direction in [0, 1], |d| can reach this and no more.
        return np.asarray(d / (1 + np.abs(beta).sum(axis=-2))[..., None, :])

    def learn(self, end: FloatArray, start: FloatArray, forward: FloatArray | None = None) -> "Pairing":
        """Add a completed block."""
        if forward is None:
            return self
        after, before = end - forward, start - forward
        added = {"own": (before * before).sum(axis=-2), "own_end": (before * after).sum(axis=-2)}
        if self.controls:
            chosen = np.swapaxes(before[..., list(self.controls)], -1, -2)
            added["gram"] = _matmul(chosen, np.swapaxes(chosen, -1, -2))
            added |= {"cross_own": _matmul(chosen, before), "cross_end": _matmul(chosen, after)}
        return replace(self, moments={name: self.moments[name] + value for name, value in added.items()})


def _shrunk(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    return np.asarray((numerator + _PRIOR_RHO * _PRIOR_WEIGHT) / (np.maximum(denominator, 0.0) + _PRIOR_WEIGHT))


def _matmul(a: FloatArray, b: FloatArray) -> FloatArray:
    """Multiply in slices too small for BLAS to start threads, which would wait for cores that workers hold."""
    width = max(1, _THREADED // (a.shape[-2] * a.shape[-1]))
    slices = np.split(b, range(width, b.shape[-1], width), axis=-1)
    return np.concatenate([a @ part for part in slices], axis=-1)
