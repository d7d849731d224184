"""From statistics to bounded directions: every g has values in [0, 1], whatever the statistic does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mcassay.errors import InputError, reject
from mcassay.evidence.atoms import intervals
from mcassay.evidence.rest import Rest, normal_scores, squeezed
from mcassay.vocabulary import FloatArray, IntArray

KIND_SHARES = {
    "location": 0.2,
    "lower": 0.05,
    "upper": 0.05,
    "spread": 0.05,
    "periodic": 0.03,
    "product": 0.07,
    "given": 0.15,
    "rest": 0.3,
    "rest_spread": 0.1,
}
"""How much of the wealth each kind of direction starts with."""

_RIDGE = 1e-6
_PREFIXES = {"lower": "lower tail of ", "upper": "upper tail of ", "spread": "spread of ", "periodic": "periodic of "}
_REST, _REST_SPREAD = "{} given the rest", "spread of {} given the rest"
_WORDS = {
    "location": ("ends too high", "ends too low"),
    "lower": ("ends too often in its lower tail", "ends too seldom in its lower tail"),
    "upper": ("ends too often in its upper tail", "ends too seldom in its upper tail"),
    "spread": ("ends too spread out", "ends too concentrated"),
    "periodic": ("ends with the wrong shape", "ends with the wrong shape"),
    "product": ("rise together too often", "rise together too seldom"),
    "given": ("ends too high", "ends too low"),
    "rest": ("ends too high", "ends too low"),
    "rest_spread": ("ends too spread out", "ends too concentrated"),
}
_TAIL = 1e-4


@dataclass(frozen=True)
class Reference:
    """The empirical distribution of a reference batch of forward draws, one column a statistic.

    It maps values to u in [0, 1] by the mid-distribution function, (share below + share at or below) / 2: infinite,
    discrete, tied and constant statistics do no harm, and u is 1/2 on average over the batch itself. Values that differ by
    rounding alone count as one (see ``mcassay.evidence.atoms``).

    Examples
    --------
    >>> reference = Reference.from_draws([[0.0, 1.0], [0.0, 2.0], [5.0, np.inf], [7.0, np.inf]], names=["a", "b"])
    >>> reference.uniform([[0.0, 1.5], [6.0, np.inf]])
    array([[0.25, 0.25],
           [0.75, 0.75]])
    """

    names: tuple[str, ...]
    low: tuple[FloatArray, ...]
    high: tuple[FloatArray, ...]
    below: tuple[FloatArray, ...]
    size: int

    @classmethod
    def from_draws(cls, draws: ArrayLike, names: Sequence[str] | None = None) -> "Reference":
        """Freeze a batch of draws, an ``n_ref x S`` array."""
        batch = np.asarray(draws, dtype=float)
        if batch.ndim != 2 or not len(batch):
            reject("Reference", "draws", "be an array of draws by statistics", batch.shape)
        labels = tuple(f"statistic {j}" for j in range(batch.shape[1])) if names is None else tuple(names)
        if len(labels) != batch.shape[1]:
            reject("Reference", "names", f"be {batch.shape[1]} names, one a statistic", labels)
        _no_nan("Reference", batch, labels)
        low, high, counts = zip(*map(intervals, batch.T), strict=True) if labels else ((), (), ())
        below = tuple(np.concatenate([[0.0], np.cumsum(count)]) / len(batch) for count in counts)
        return cls(labels, low, high, below, len(batch))

    @property
    def constant(self) -> tuple[bool, ...]:
        """Which statistics had one value only."""
        return tuple(len(low) == 1 for low in self.low)

    def uniform(self, values: ArrayLike) -> FloatArray:
        """Map values of shape ``(..., S)`` to u in [0, 1]; NaN is an error that names the statistic."""
        array = np.asarray(values, dtype=float)
        if array.ndim == 0 or array.shape[-1] != len(self.names):
            reject("Reference", "values", f"have {len(self.names)} statistics on the last axis", array.shape)
        _no_nan("Reference", array, self.names)
        u = np.empty(array.shape)
        for j in range(len(self.names)):
            u[..., j] = self._column(j, array[..., j])
        return u

    def _column(self, j: int, values: FloatArray) -> FloatArray:
        low, high, below = self.low[j], self.high[j], self.below[j]
        place = high.searchsorted(values)
        tied = low[np.minimum(place, len(low) - 1)] <= values
        tied &= place < len(low)
        return np.asarray(0.5 * (below[place] + below[place + tied]))


@dataclass(frozen=True)
class Directions:
    """The transforms that are bet on, fitted to a reference batch and frozen.

    For each statistic its *location* u, its *lower* and *upper* tail ``log u / log 1e-4`` (and of 1 - u), its *spread*
    ``|2u - 1|`` and a *periodic* ``(1 + sin 2 pi u) / 2``. For each pair of statistics at one time point their *product*
    ``(1 + (2u_a - 1)(2u_b - 1)) / 2`` and, both ways round, one *given* the other: the normal score of a less what a
    quadratic in the normal score of b predicts in the reference batch, squeezed into [0, 1]. A wrong conditional
    distribution shows in what it leaves of a block given another. For statistics that are taken *together*, each given the
    rest: what a quadratic in all the others leaves of it, and the spread of that.

    Examples
    --------
    >>> draws = np.random.default_rng(1).normal(size=(1000, 2))
    >>> reference = Reference.from_draws(draws, names=["height", "weight"])
    >>> directions = Directions.fit(reference.uniform(draws), pairs=[(0, 1)], names=reference.names)
    >>> directions(reference.uniform(draws[:5])).shape
    (5, 13)
    >>> directions.names[2], directions.names[-1]
    ('lower tail of height', 'weight given height')
    """

    statistics: tuple[str, ...]
    pairs: IntArray
    coefficients: FloatArray
    rest: Rest
    names: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def fit(
        cls,
        u: ArrayLike,
        *,
        pairs: Sequence[tuple[int, int]] | IntArray = (),
        together: Sequence[int] = (),
        names: Sequence[str] | None = None,
    ) -> "Directions":
        """Fit to the u of the reference batch, an ``n_ref x S`` array."""
        batch = np.asarray(u, dtype=float)
        labels = tuple(f"statistic {j}" for j in range(batch.shape[-1])) if names is None else tuple(names)
        chosen = _checked_pairs(pairs, batch.shape[-1])
        scores = normal_scores(batch)
        ordered = np.concatenate([chosen, chosen[:, ::-1]])
        coefficients = [_regression(scores[:, a], scores[:, b]) for a, b in ordered]
        rest = Rest.fit(scores, together)
        named, kinds = _labels(labels, chosen, ordered, rest.chosen)
        return cls(labels, chosen, np.array(coefficients).reshape(-1, 4).T, rest, named, kinds)

    @property
    def weights(self) -> FloatArray:
        """The share of the wealth that each direction starts with; they sum to 1."""
        kinds = np.array(self.kinds)
        weights = np.array([KIND_SHARES[kind] / (kinds == kind).sum() for kind in self.kinds])
        return np.asarray(weights / weights.sum())

    @property
    def locations(self) -> tuple[int, ...]:
        """The places of the location directions, one a statistic."""
        return tuple(range(len(self.statistics)))

    def wording(self, direction: int, drift: int) -> str:
        """Say what it means that a direction ends too high (drift 1) or too low (-1).

        Examples
        --------
        >>> directions = Directions.fit(np.random.default_rng(1).random((9, 1)), names=["height"])
        >>> directions.wording(0, -1), directions.wording(1, 1)
        ('height ends too low', 'height ends too often in its lower tail')
        """
        kind = self.kinds[direction]
        high, low = _WORDS[kind]
        return f"{self.names[direction].removeprefix(_PREFIXES.get(kind, ''))} {high if drift > 0 else low}"

    def __call__(self, u: FloatArray) -> FloatArray:
        """Evaluate all directions on u of shape ``(..., S)``: shape ``(..., J)``, values in [0, 1]."""
        rows = np.ascontiguousarray(u.reshape(-1, len(self.statistics)).T)
        g = np.empty((len(self.names), rows.shape[1]))
        cuts = np.cumsum([self.kinds.count(kind) for kind in KIND_SHARES])[:-1]
        places = dict(zip(KIND_SHARES, np.split(g, cuts), strict=True))
        for kind in ("location", "lower", "upper", "spread", "periodic", "product"):
            getattr(self, f"_{kind}")(rows, places[kind])
        if len(self.pairs) or self.rest.chosen:
            scores = normal_scores(rows)
            self._given(scores, places["given"])
            self._rest(scores, places["rest"], places["rest_spread"])
        # The first axis in memory is the direction: what follows runs along replicates.
        return np.moveaxis(g.reshape(-1, *u.shape[:-1]), 0, -1)

    def _location(self, u: FloatArray, out: FloatArray) -> None:
        out[:] = u

    def _lower(self, u: FloatArray, out: FloatArray) -> None:
        np.log(np.maximum(u, _TAIL), out=out)
        out /= np.log(_TAIL)

    def _upper(self, u: FloatArray, out: FloatArray) -> None:
        self._lower(1 - u, out)

    def _spread(self, u: FloatArray, out: FloatArray) -> None:
        np.abs(2 * u - 1, out=out)

    def _periodic(self, u: FloatArray, out: FloatArray) -> None:
        np.multiply(0.5, np.sin(2 * np.pi * u), out=out)
        out += 0.5

    def _product(self, u: FloatArray, out: FloatArray) -> None:
        centred = 2 * u - 1
        np.multiply(centred[self.pairs[:, 0]], centred[self.pairs[:, 1]], out=out)
        out *= 0.5
        out += 0.5

    def _rest(self, scores: FloatArray, out: FloatArray, spread: FloatArray) -> None:
        residual = self.rest.residuals(scores)
        squeezed(residual, out)
        squeezed(np.abs(residual) - 1, spread)

    def _given(self, scores: FloatArray, out: FloatArray) -> None:
        ordered = np.concatenate([self.pairs, self.pairs[:, ::-1]])
        constant, slope, curve, precision = self.coefficients[:, :, None]
        other = scores[ordered[:, 1]]
        residual = scores[ordered[:, 0]] - constant - other * (slope + curve * other)
        residual *= precision
        squeezed(residual, out)


def _checked_pairs(pairs: Sequence[tuple[int, int]] | IntArray, size: int) -> IntArray:
    chosen = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    if chosen.size and (chosen.min() < 0 or chosen.max() >= size or (chosen[:, 0] == chosen[:, 1]).any()):
        reject("Directions", "pairs", f"be pairs of different statistics below {size}", chosen)
    return chosen


def _labels(
    names: tuple[str, ...], pairs: IntArray, ordered: IntArray, together: Sequence[int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    groups = {
        "location": list(names),
        **{kind: [prefix + name for name in names] for kind, prefix in _PREFIXES.items()},
        "product": [f"{names[a]} with {names[b]}" for a, b in pairs],
        "given": [f"{names[a]} given {names[b]}" for a, b in ordered],
        "rest": [_REST.format(names[a]) for a in together],
        "rest_spread": [_REST_SPREAD.format(names[a]) for a in together],
    }
    kinds = [kind for kind, labels in groups.items() for _ in labels]
    return tuple(name for labels in groups.values() for name in labels), tuple(kinds)


def _regression(target: FloatArray, other: FloatArray) -> FloatArray:
    """Constant, slope and curvature of the regression, and the reciprocal of what is left."""
    design = np.stack([np.ones_like(other), other, other * other], axis=1)
    gram = design.T @ design / len(other) + _RIDGE * np.eye(3)
    coefficients = np.linalg.solve(gram, design.T @ target / len(other))
    residual = target - design @ coefficients
    return np.append(coefficients, 1 / max(float(residual.std()), 1e-3))


def _no_nan(where: str, array: FloatArray, names: tuple[str, ...]) -> None:
    if np.isnan(array).any():
        axes = tuple(range(array.ndim - 1))
        column = int(np.argmax(np.isnan(array).any(axis=axes)))
        raise InputError(f"{where}: no statistic may be NaN, but statistic {column} ({names[column]}) is NaN")
