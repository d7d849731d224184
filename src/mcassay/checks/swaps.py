"""Whether draws follow a log density, by ratios alone: in any dimension, normalised or not.

For an invertible map f with Jacobian J and X drawn from p, ``E min(1, p(f(X)) J(X) / p(X))`` is the overlap of p with its image
under the inverse of f, and that of the inverse map is the same number. So their difference, which is never larger than one, is
zero on average if and only if the draws have the density that is claimed, as far as the map can tell.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.charts import Atlas
from mcassay.checks.masses import require_no_repeats
from mcassay.checks.sources import NotCheckable, Parts, Source
from mcassay.checks.tilts import Differences
from mcassay.vocabulary import FloatArray, Generator

_SHIFT = 0.7
_STRETCH = 0.5
_SHEAR = 0.5
_WIDER = 1.15
_SINGULAR = 1e-9
PILOT = 200
_STEPS = 3
_MOST_DIMENSIONS = 60


@dataclass
class Swaps:
    """Evidence from all maps, by what they move, and from the comparison with a normal density of known mass."""

    maps: dict[str, Differences] = field(default_factory=dict)
    reference: Differences = field(default_factory=Differences)
    masses: list[float] = field(default_factory=list)
    draws: int = 0

    def add(self, name: str, differences: FloatArray) -> None:
        """Add the differences that one map gave."""
        self.maps.setdefault(name, Differences()).add(differences)


@dataclass(frozen=True)
class Frame:
    """Coordinates in which a distribution is centred and round: one a component, from draws that are not used again."""

    mean: FloatArray
    root: FloatArray

    @classmethod
    def of(cls, pilot: FloatArray) -> "Frame":
        """Fit draws of shape (draws, components, dimensions)."""
        if not np.isfinite(pilot).all():
            raise NotCheckable("some draws lie at the edge of the support, as far as floating numbers can tell")
        mean = pilot.mean(axis=0)
        centred = np.moveaxis(pilot - mean, 0, 1)
        covariance = np.swapaxes(centred, -1, -2) @ centred / len(pilot)
        scale = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
        if (scale <= 1e-12 * np.abs(mean)).any():
            raise NotCheckable("some coordinates never vary, so its values lie on a surface that is not known")
        correlation = covariance / (scale[:, :, np.newaxis] * scale[:, np.newaxis, :])
        if (np.linalg.eigvalsh(correlation)[:, 0] < _SINGULAR).any():
            raise NotCheckable("its values lie on a surface that is not known")
        return cls(mean, scale[:, :, np.newaxis] * np.linalg.cholesky(correlation))

    def inwards(self, y: FloatArray) -> FloatArray:
        """Return centred and round coordinates."""
        solved: Any = np.linalg.solve(self.root, np.moveaxis(y - self.mean, 0, -1))
        found: FloatArray = np.moveaxis(solved, -1, 0)
        return found

    def outwards(self, w: FloatArray) -> FloatArray:
        """Return the coordinates that are centred and round as given."""
        return self.mean + (w[..., np.newaxis, :] @ np.swapaxes(self.root, -1, -2))[..., 0, :]

    @property
    def log_volume(self) -> FloatArray:
        """The log of the volume of coordinates per volume of round ones, of every component."""
        volume: FloatArray = np.log(np.diagonal(self.root, axis1=-2, axis2=-1)).sum(axis=-1)
        return volume


@dataclass(frozen=True)
class Map:
    """An invertible affine map of round coordinates: a matrix, a shift, and the inverse."""

    name: str
    matrix: FloatArray
    shift: FloatArray
    log_jacobian: float

    def forward(self, w: FloatArray) -> FloatArray:
        """Apply the map."""
        moved: FloatArray = w @ self.matrix.T + self.shift
        return moved

    def backward(self, w: FloatArray) -> FloatArray:
        """Apply its inverse."""
        moved: FloatArray = (w - self.shift) @ np.linalg.inv(self.matrix).T
        return moved


def maps(dimension: int, rng: Generator) -> Iterator[Map]:
    """Yield shifts, stretches and shears along random directions, and stretches of everything at once."""
    one, none = np.eye(dimension), np.zeros(dimension)
    for length in (_SHIFT, 3 * _SHIFT):
        yield Map("location", one, length * _direction(dimension, rng), 0.0)
    along = _direction(dimension, rng)
    factor = math.exp(_STRETCH)
    yield Map("spread", one + (factor - 1) * np.outer(along, along), none, _STRETCH)
    if dimension == 1:
        return
    whole = _STRETCH / math.sqrt(dimension)
    yield Map("spread of everything", math.exp(whole) * one, none, dimension * whole)
    axis = one[rng.integers(dimension)]
    yield Map("spread of one coordinate", one + (factor - 1) * np.outer(axis, axis), none, _STRETCH)
    across = _direction(dimension, rng)
    across -= (across @ along) * along
    across /= np.linalg.norm(across)
    yield Map("dependence", one + _SHEAR * np.outer(along, across), none, 0.0)


def _direction(dimension: int, rng: Generator) -> FloatArray:
    v: FloatArray = rng.standard_normal(dimension)
    return v / np.linalg.norm(v)


def compare_by_swaps(source: Source, pilot: Parts, draws: Parts, log_p: FloatArray, rng: Generator, swaps: Swaps) -> None:
    """Add the evidence of draws from a distribution of continuous values."""
    lead = 1 + len(source.batch_shape)
    atlas = Atlas.of(pilot, lead)
    if atlas is None:
        raise NotCheckable("its values lie on a surface that is not known")
    if sum(atlas.dimensions) > _MOST_DIMENSIONS:
        raise NotCheckable(f"it has {sum(atlas.dimensions)} dimensions; at most {_MOST_DIMENSIONS} are examined")
    field_of = _Field(source, atlas)
    frame = Frame.of(field_of.coordinates(pilot))
    y = field_of.coordinates(draws)
    require_no_repeats(y.reshape(len(y), -1))
    inside = np.asarray(np.isfinite(y).all(axis=-1))
    w = np.where(inside[..., np.newaxis], frame.inwards(np.where(inside[..., np.newaxis], y, frame.mean)), 0.0)
    with np.errstate(invalid="ignore"):
        here = np.where(inside, log_p.reshape(inside.shape) + field_of.log_volume(y), np.inf)
    for one in maps(w.shape[-1], rng):
        there = _log_overlap(field_of, frame, one.forward(w), here, one.log_jacobian)
        back = _log_overlap(field_of, frame, one.backward(w), here, -one.log_jacobian)
        swaps.add(one.name, np.where(inside, np.exp(there) - np.exp(back), 0.0))
    swaps.draws += len(y)
    if inside.all():
        _compare_with_normal(field_of, frame, w, here, rng, swaps)


def _log_overlap(field_of: "_Field", frame: Frame, w: FloatArray, here: FloatArray, log_jacobian: float) -> FloatArray:
    with np.errstate(invalid="ignore"):
        ratio = field_of.log_density(frame.outwards(w)) - here + log_jacobian
    return np.minimum(0.0, np.nan_to_num(ratio, nan=-np.inf, posinf=np.inf, neginf=-np.inf))


def _compare_with_normal(field_of: "_Field", frame: Frame, w: FloatArray, here: FloatArray, rng: Generator, swaps: Swaps) -> None:
    """Compare the density with a normal one, whose mass is known: their overlap must be the same seen from either side."""
    other = _WIDER * rng.standard_normal(w.shape)
    theirs = np.exp(np.minimum(0.0, field_of.log_density(frame.outwards(other)) - _log_normal(other, frame)))
    ours = np.exp(np.minimum(0.0, _log_normal(w, frame) - here))
    swaps.reference.add(ours - theirs)
    if ours.mean() > 0 and theirs.mean() > 0:
        swaps.masses.append(float(theirs.mean() / ours.mean()))


def _log_normal(w: FloatArray, frame: Frame) -> FloatArray:
    dimension = w.shape[-1]
    log_p = -0.5 * (w**2).sum(axis=-1) / _WIDER**2 - dimension * (math.log(_WIDER) + 0.5 * math.log(2 * math.pi))
    found: FloatArray = log_p - frame.log_volume
    return found


@dataclass(frozen=True)
class _Field:
    """The log density of a distribution in coordinates: shapes (draws, components, dimensions)."""

    source: Source
    atlas: Atlas

    def coordinates(self, draws: Parts) -> FloatArray:
        try:
            y = self.atlas.coordinates(draws)
        except np.linalg.LinAlgError:
            raise NotCheckable("some draws are not positive definite, as far as floating numbers can tell") from None
        return y.reshape(len(y), -1, y.shape[-1])

    def log_volume(self, y: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return self.atlas.values(y)[1]

    def log_density(self, y: FloatArray) -> FloatArray:
        shaped = y.reshape((len(y), *self.source.batch_shape, y.shape[-1]))
        values, log_volume = self.atlas.values(shaped)
        with np.errstate(invalid="ignore"):
            log_p = self.source.elsewhere(values) + log_volume
        return np.nan_to_num(log_p, nan=-np.inf, posinf=np.inf, neginf=-np.inf).reshape(y.shape[:-1])


def compare_by_steps(source: Source, pilot: Parts, draws: Parts, log_p: FloatArray, swaps: Swaps) -> None:
    """Add the evidence of draws of whole numbers in several dimensions: the maps are steps from one draw to another."""
    values, lead = draws[0], 1 + len(source.batch_shape)
    steps = np.diff(pilot[0].astype(np.int64), axis=0)
    steps = steps[steps.reshape(len(steps), -1).any(axis=1)]
    if not len(steps):
        raise NotCheckable("its draws hardly ever differ")
    for step in steps[:_STEPS]:
        sides = [source.elsewhere(((values.astype(np.int64) + sign * step),)) for sign in (1, -1)]
        with np.errstate(invalid="ignore"):
            there, back = (np.exp(np.minimum(0.0, side - log_p)) for side in sides)
        moved = step.reshape((*step.shape[: lead - 1], -1)).any(axis=-1)
        swaps.add("location", np.where(moved, there - back, 0.0).reshape(len(values), -1))
    swaps.draws += len(values)
