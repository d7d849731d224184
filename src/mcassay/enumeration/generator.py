"""A stand-in for numpy's Generator that makes every random choice in turn, in the place of one at random.

Whatever method the code calls, each of its outcomes is an option of the path that is followed. Draws from continuous laws
become levels, which can be compared with numbers and nothing else. What is not to be enumerated raises; nothing is sampled.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from mcassay.enumeration import laws
from mcassay.enumeration.levels import Level, LevelArray, Monotone, drawn
from mcassay.enumeration.paths import Path, users_place
from mcassay.vocabulary import IntArray

Size = int | Sequence[int] | None


def _refused(law: str, why: str = "has a continuous law that can not be enumerated") -> Callable[..., NoReturn]:
    def method(self: "EnumeratingGenerator", *_: Any, **__: Any) -> NoReturn:
        self.path.refuse(f"rng.{law}() {why}", users_place())

    return method


# Every method takes whatever numpy's does; to repeat its overloaded signatures would say no more.
_Generator: Any = np.random.Generator


class EnumeratingGenerator(_Generator):  # type: ignore[misc]
    """A generator whose draws are choices of a path; it takes a new path for every run.

    Examples
    --------
    >>> from mcassay.enumeration.paths import every_path
    >>> rng = EnumeratingGenerator()
    >>> [(p, int(n)) for p, n in every_path(rng.followed(lambda rng: rng.integers(2) + (rng.random() < 0.25)))]
    [(0.125, 1), (0.375, 0), (0.125, 2), (0.375, 1)]
    """

    def __init__(self) -> None:
        self._bits = np.random.PCG64(0)
        super().__init__(self._bits)
        self._untouched = self._bits.state
        self.path = Path([])

    @property
    def was_sampled(self) -> bool:
        """Whether something drew from the generator past its methods, as ``np.random.Generator.random(rng)`` does."""
        return bool(self._bits.state != self._untouched)

    def followed(self, run: Callable[[np.random.Generator], Any]) -> Callable[[Path], Any]:
        """Return a function of a path: what is run with the choices of that path."""

        def along(path: Path) -> Any:
            self.path = path
            return run(self)

        return along

    # Shapes.

    def _each(self, size: Size, parameters: Sequence[Any], draw: Callable[..., Any], dtype: Any) -> Any:
        """Draw once for every element, with the parameters that belong to it."""
        if size is None and all(isinstance(parameter, (int, float)) for parameter in parameters):
            return draw(*parameters)  # by far the most frequent case
        arrays = [np.asarray(parameter) for parameter in parameters]
        given = np.broadcast_shapes(*(array.shape for array in arrays))
        if size is None and given == ():
            return draw(*(array[()] for array in arrays))
        shape = given if size is None else (int(size),) if np.ndim(size) == 0 else tuple(size)  # type: ignore[arg-type]
        rows = [np.broadcast_to(array, shape) for array in arrays]
        result = np.empty(shape, dtype)
        for index in np.ndindex(shape):
            result[index] = draw(*(row[index] for row in rows))
        return result

    def _levels(self, law: str, steps: tuple[Monotone, ...], size: Size, location: Any = 0.0, scale: Any = 1.0) -> Any:
        def draw(location: float, scale: float) -> Level | float:
            if scale == 0:
                return float(location)
            standard = location == 0 and scale == 1
            return drawn(self.path, law, steps if standard else (*steps, *laws.moved(float(location), float(scale))))

        found = self._each(size, (location, scale), draw, object)
        return found.view(LevelArray) if isinstance(found, np.ndarray) else found

    def _counts(self, size: Size, parameters: Sequence[Any], probabilities: Callable[..., Any], law: str) -> Any:
        def draw(*parameters: Any) -> np.int64:
            found = probabilities(*parameters)
            if found is None:
                self.path.refuse(f"rng.{law}() has too many outcomes to be listed", users_place())
            return np.int64(self.path.choose(found))

        return self._each(size, parameters, draw, np.int64)

    # Continuous laws that can be compared.

    def random(self, size: Size = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw levels between 0 and 1."""
        self._without(out, "random")
        return self._levels("random", (), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Size = None) -> Any:
        """Draw levels between two numbers."""
        return self._levels("uniform", (), size, low, high - low if isinstance(high, (int, float)) else np.subtract(high, low))

    def standard_exponential(self, size: Size = None, dtype: Any = np.float64, method: str = "zig", out: Any = None) -> Any:
        """Draw levels of the exponential law."""
        self._without(out, "standard_exponential")
        return self._levels("standard_exponential", laws.EXPONENTIAL, size)

    def exponential(self, scale: Any = 1.0, size: Size = None) -> Any:
        """Draw levels of the exponential law."""
        return self._levels("exponential", laws.EXPONENTIAL, size, 0.0, scale)

    def standard_normal(self, size: Size = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw levels of the normal law."""
        self._without(out, "standard_normal")
        return self._levels("standard_normal", laws.NORMAL, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Any:
        """Draw levels of the normal law."""
        return self._levels("normal", laws.NORMAL, size, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Any:
        """Draw levels of the logistic law."""
        return self._levels("logistic", laws.LOGISTIC, size, loc, scale)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Any:
        """Draw levels of the Gumbel law."""
        return self._levels("gumbel", laws.GUMBEL, size, loc, scale)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Any:
        """Draw levels of the Laplace law."""
        return self._levels("laplace", laws.LAPLACE, size, loc, scale)

    def standard_cauchy(self, size: Size = None) -> Any:
        """Draw levels of the Cauchy law."""
        return self._levels("standard_cauchy", laws.CAUCHY, size)

    def _without(self, out: Any, law: str) -> None:
        if out is not None:
            self.path.refuse(f"rng.{law}(out=...) fills an array with draws from a continuous law", users_place())

    # Laws over whole numbers.

    def integers(self, low: Any, high: Any = None, size: Size = None, dtype: Any = np.int64, endpoint: bool = False) -> Any:
        """Draw whole numbers of a range."""
        low, high = (0, low) if high is None else (low, high)

        def draw(low: Any, high: Any) -> Any:
            options = int(high) - int(low) + bool(endpoint)
            if options < 1:
                raise ValueError("low >= high")
            return np.dtype(dtype).type(int(low) + self.path.evenly(options))

        return self._each(size, (low, high), draw, dtype)

    def binomial(self, n: Any, p: Any, size: Size = None) -> Any:
        """Draw numbers of successes."""
        return self._counts(size, (n, p), lambda n, p: laws.binomial(int(n), float(p)), "binomial")

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Size = None) -> Any:
        """Draw numbers of good ones in a sample without replacement."""
        return self._counts(size, (ngood, nbad, nsample), _hypergeometric, "hypergeometric")

    def poisson(self, lam: Any = 1.0, size: Size = None) -> Any:
        """Draw counts, but for those so large that rounding hides them."""
        return self._counts(size, (lam,), lambda mean: laws.cut_off(laws.poisson(float(mean))), "poisson")

    def geometric(self, p: Any, size: Size = None) -> Any:
        """Draw numbers of trials, but for those so large that rounding hides them."""
        return self._counts(size, (p,), lambda p: laws.cut_off(laws.geometric(float(p))), "geometric")

    def negative_binomial(self, n: Any, p: Any, size: Size = None) -> Any:
        """Draw numbers of failures, but for those so large that rounding hides them."""
        return self._counts(size, (n, p), _negative_binomial, "negative_binomial")

    def logseries(self, p: Any, size: Size = None) -> Any:
        """Draw from the logarithmic series, but for numbers so large that rounding hides them."""
        return self._counts(size, (p,), lambda p: laws.cut_off(laws.logseries(float(p))), "logseries")

    def multinomial(self, n: Any, pvals: Any, size: Size = None) -> Any:
        """Draw how many of n fall into each category."""
        chances = np.asarray(pvals, float)
        if chances.ndim != 1 or np.ndim(n) != 0:
            self.path.refuse("rng.multinomial() of several rows of parameters is not enumerated", users_place())
        if chances[:-1].sum() > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0")
        return self._rows(size, lambda: self._spread(int(n), chances))

    def _spread(self, left: int, chances: Any) -> list[int]:
        found, rest = [], 1.0
        for chance in chances[:-1]:
            share = min(1.0, chance / rest) if rest > 0 else 0.0
            found.append(self.path.choose(laws.binomial(left, share)))
            left, rest = left - found[-1], rest - chance
        return [*found, left]

    def multivariate_hypergeometric(self, colors: Any, nsample: int, size: Size = None, method: str = "marginals") -> Any:
        """Draw how many of each colour are in a sample without replacement."""
        return self._rows(size, lambda: self._sampled([int(colour) for colour in colors], int(nsample)))

    def _sampled(self, colours: list[int], left: int) -> list[int]:
        found, others = [], sum(colours)
        if left > others:
            raise ValueError("nsample > sum(colors)")
        for colour in colours[:-1]:
            others -= colour
            found.append(self.path.choose(laws.hypergeometric(colour, others, left)))
            left -= found[-1]
        return [*found, left]

    def _rows(self, size: Size, draw: Callable[[], list[int]]) -> IntArray:
        if size is None:
            return np.array(draw(), np.int64)
        shape = (int(size),) if np.ndim(size) == 0 else tuple(size)  # type: ignore[arg-type]
        rows = [draw() for _ in range(int(np.prod(shape)))]
        return np.array(rows, np.int64).reshape(*shape, -1)

    # Orders and selections.

    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True) -> Any:
        """Choose among the members of an array, or the numbers below one."""
        members = None if np.ndim(a) == 0 else np.asarray(a)
        options = int(a) if members is None else members.shape[axis]
        if options < 1:
            raise ValueError("a must be a positive integer unless no samples are taken")
        chances = None if p is None else _probabilities(p, options)
        if replace or size is None:
            places = self._each(size, (0,), lambda _: np.int64(self._one_of(options, chances)), np.int64)
        else:
            shape = (int(size),) if np.ndim(size) == 0 else tuple(size)  # type: ignore[arg-type]
            places = np.array(self._several(options, int(np.prod(shape)), chances, shuffle), np.int64).reshape(shape)
        return places if members is None else np.take(members, places, axis=axis)

    def _one_of(self, options: int, chances: list[float] | None) -> int:
        return self.path.evenly(options) if chances is None else self.path.choose(chances)

    def _several(self, options: int, count: int, chances: list[float] | None, shuffle: bool) -> list[int]:
        """Choose different places, one after another."""
        if count > options:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if chances is None:
            return self._order(options, count) if shuffle else self._floyd(options, count)
        if count > sum(chance > 0 for chance in chances):
            raise ValueError("Fewer non-zero entries in p than size")
        chosen: list[int] = []
        for _ in range(count):
            left = [0.0 if place in chosen else chance for place, chance in enumerate(chances)]
            total = sum(left)
            chosen.append(self.path.choose([chance / total for chance in left]))
        return chosen

    def _order(self, options: int, count: int | None = None) -> list[int]:
        """Choose places in a random order, all of them or the first few."""
        left = list(range(options))
        return [left.pop(self.path.evenly(len(left))) for _ in range(options if count is None else count)]

    def _floyd(self, options: int, count: int) -> list[int]:
        """Choose places as numpy does where their order does not matter: it is not quite random then."""
        chosen: list[int] = []
        for last in range(options - count, options):
            place = self.path.evenly(last + 1)
            chosen.append(last if place in chosen else place)
        return chosen

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return the members of an array, or the numbers below one, in every order."""
        members = np.arange(int(x)) if np.ndim(x) == 0 else np.asarray(x)
        return np.take(members, self._order(members.shape[axis]), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Bring the members of an array or a list into every order, in place."""
        if isinstance(x, np.ndarray):
            x[...] = np.take(x, self._order(x.shape[axis]), axis=axis)
        else:
            x[:] = [x[place] for place in self._order(len(x))]

    def permuted(self, x: Any, *, axis: int | None = None, out: Any = None) -> Any:
        """Return an array with the members of every slice in every order, independently."""
        source = np.arange(int(x)) if np.ndim(x) == 0 else np.asarray(x)
        result = np.array(source) if out is None else out
        if axis is None:
            result[...] = source.ravel()[self._order(source.size)].reshape(source.shape)
            return result
        slices, ordered = np.moveaxis(source, axis, -1), np.moveaxis(result, axis, -1)
        for index in np.ndindex(slices.shape[:-1]):
            ordered[index] = slices[index][self._order(slices.shape[-1])]
        return result

    # Everything else raises.

    beta = _refused("beta")
    chisquare = _refused("chisquare")
    dirichlet = _refused("dirichlet")
    f = _refused("f")
    gamma = _refused("gamma")
    lognormal = _refused("lognormal")
    multivariate_normal = _refused("multivariate_normal")
    noncentral_chisquare = _refused("noncentral_chisquare")
    noncentral_f = _refused("noncentral_f")
    pareto = _refused("pareto")
    power = _refused("power")
    rayleigh = _refused("rayleigh")
    standard_gamma = _refused("standard_gamma")
    standard_t = _refused("standard_t")
    triangular = _refused("triangular")
    vonmises = _refused("vonmises")
    wald = _refused("wald")
    weibull = _refused("weibull")
    zipf = _refused("zipf", "has outcomes of every size, too many to be listed")
    bytes = _refused("bytes", "has too many outcomes to be listed")
    spawn = _refused("spawn", "makes generators that would be sampled from")
    __reduce__ = _refused("__reduce__", "copies the generator, and the copy would be sampled from")
    __getstate__ = __reduce_ex__ = __copy__ = __deepcopy__ = __reduce__
    __setstate__ = _refused("__setstate__", "sets the state of a generator that has none")

    @property
    def bit_generator(self) -> NoReturn:
        """Refuse: what draws from the bit generator would sample."""
        self.path.refuse("rng.bit_generator is used, which is compiled or foreign code that samples by itself", users_place())

    _bit_generator = bit_generator


def _probabilities(p: Any, options: int) -> list[float]:
    """Read the probabilities of a choice as numpy does."""
    chances = np.asarray(p, float)
    if chances.shape != (options,):
        raise ValueError("a and p must have same size")
    if np.isnan(chances).any():
        raise ValueError("Probabilities contain NaN")
    if (chances < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(chances.sum() - 1) > np.sqrt(np.finfo(float).eps):
        raise ValueError("Probabilities do not sum to 1.")
    return [float(chance) for chance in chances / chances.sum()]


def _hypergeometric(good: Any, bad: Any, count: Any) -> list[float]:
    if count > good + bad:
        raise ValueError("ngood + nbad < nsample")
    return laws.hypergeometric(int(good), int(bad), int(count))


def _negative_binomial(successes: Any, probability: Any) -> list[float] | None:
    return laws.cut_off(laws.negative_binomial(float(successes), float(probability)))
