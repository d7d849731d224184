"""``fit(X)``: sample a mixture for data of your own."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mcassay.errors import InputError, reject
from mcassay.models.choices import Chosen, choose_model, start
from mcassay.models.compiled import compiled, is_available
from mcassay.models.draws import Record, to_tree
from mcassay.models.points import Scale, read_points
from mcassay.rng import generator, root_seed
from mcassay.vocabulary import FloatArray

if TYPE_CHECKING:
    import xarray

# Labels are kept where there are at most so many of them in all.
_MOST_LABELS = 10_000_000

Advance = Callable[[], Any]


def fit(
    X: Any,
    *,
    model: Any = "crp+split-merge",
    clusters: int | None = None,
    sweeps: int = 1000,
    warmup: int | None = None,
    thin: int = 1,
    chains: int = 2,
    seed: int | str | None = None,
    coclustering: int = 200,
    keep_labels: bool | None = None,
    progress: Any = None,
) -> "xarray.DataTree":
    """Sample the posterior of a mixture of Gaussians.

    Parameters
    ----------
    X
        The points, one a row: an array or a table of numbers. A vector is a column of points.
    model
        "isotropic", "untied", "full", "untied-full", "collapsed-isotropic", "collapsed", "crp" or "crp+split-merge", whose
        priors suit points on a standard scale, to which every column is brought; or a model with priors of your own, such as
        ``RestaurantMixture(...)``, for which the points stay as they are.
    clusters
        How many clusters a finite mixture has, empty ones included; None for 10. A restaurant mixture ("crp") finds out.
    sweeps
        How many sweeps of every chain are kept, after ``warmup`` others; None warms up for half as many as are kept.
    thin
        Keep every so many-th sweep of them.
    chains
        How many chains are run, one after another, each from a start of its own.
    seed
        A whole number, or its hexadecimal form; None takes a fresh one. The same seed gives the same draws.
    coclustering
        For how many of the points, evenly spread over the rows, it is counted how often two of them share a cluster.
    keep_labels
        Whether the labels of all points are kept; None keeps them unless there are more than ten million in all.
    progress
        True shows a bar on a terminal; or a function ``progress(done, total)``; or None.

    Returns
    -------
    xarray.DataTree
        The groups "posterior" (``log_joint``, ``cluster_count``, ``entropy`` of the shares of the clusters, ``share`` of the
        largest clusters, and the parameters that are one number), "coclustering", "observed_data", and "labels" if kept. The log
        joint is that of the points on the scale on which they were sampled, which the attributes tell.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay.models import fit
    >>> rng = np.random.default_rng(1)
    >>> points = np.concatenate([rng.normal(-3, 1, 30), rng.normal(3, 1, 30)])
    >>> draws = fit(points, model="collapsed", clusters=2, sweeps=50, seed=1)
    >>> float(draws["posterior"]["cluster_count"].mean())
    2.0
    """
    points, root = read_points(X), root_seed(seed)
    for name, count in (("sweeps", sweeps), ("thin", thin), ("chains", chains), ("coclustering", coclustering)):
        _require_count(name, count, 1)
    warmup = sweeps // 2 if warmup is None else warmup
    _require_count("warmup", warmup, 0)
    if thin > sweeps:
        reject("fit", "thin", f"be at most sweeps, {sweeps}", thin)
    _require_xarray()
    scale = Scale.of(points) if isinstance(model, str) else Scale.none(points.shape[1])
    chosen, note = _quickest(choose_model(model, clusters, *points.shape))
    kept = chains * (sweeps // thin) * len(points) <= _MOST_LABELS if keep_labels is None else keep_labels
    data = scale.applied(points)
    with _shown(progress, chains * (warmup + sweeps)) as advance:
        records = []
        for chain in range(chains):
            record = Record(np.unique(np.linspace(0, len(points) - 1, coclustering).astype(int)), kept)
            _run_chain(chosen, data, record, (warmup, sweeps, thin), generator(root, "fit", chain), advance)
            records.append(record)
    name = model if isinstance(model, str) else type(model).__name__
    attributes = {"creation_library": "mcassay", "model": name, "seed": f"{root:x}", "note": note}
    return to_tree(records, points, {**attributes, "location": scale.location, "unit": scale.unit})


def _run_chain(
    chosen: Chosen, data: FloatArray, record: Record, length: tuple[int, int, int], rng: np.random.Generator, advance: Advance
) -> None:
    """Run one chain, and keep what is wanted of it."""
    (warmup, sweeps, thin), sweep = length, chosen.sweep
    state = start(chosen, data, rng)
    for done in range(1, warmup + sweeps + 1):
        state = sweep(state, data, rng)
        if done > warmup and (done - warmup) % thin == 0:
            record(state, chosen.model.log_joint(state, data))
        advance()


def _quickest(chosen: Chosen) -> tuple[Chosen, str]:
    """Return the compiled form where it can be had, and say which it is."""
    if is_available():
        try:
            return replace(chosen, model=compiled(chosen.model)), "compiled by numba"
        except InputError:
            return chosen, "not compiled: a class of your own runs as it is"
    note = "numba is not installed, so that the loops run in plain NumPy and Python: the same draws, more slowly (mcassay[fast])"
    warnings.warn(f"fit: {note}", stacklevel=3)
    return chosen, note


def _require_count(name: str, count: Any, least: int) -> None:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        reject("fit", name, f"be a whole number from {least} on", count)


def _require_xarray() -> None:
    try:
        import xarray  # noqa: F401
    except ImportError:
        raise InputError("fit: needs xarray, which is not installed: pip install 'mcassay[arviz]'") from None


@contextmanager
def _shown(progress: Any, total: int) -> Iterator[Advance]:
    """Yield what is told of every sweep: nobody, a bar on a terminal, or a function of the user's."""
    if progress is None or progress is False:
        yield lambda: None
    elif progress is True:
        with _bar(total) as advance:
            yield advance
    elif callable(progress):
        yield _Counting(progress, total)
    else:
        reject("fit", "progress", "be True, a function progress(done, total), or None", progress)


class _Counting:
    """Tells a function of the user's how many sweeps were done."""

    def __init__(self, tell: Callable[[int, int], Any], total: int) -> None:
        self.tell, self.total, self.done = tell, total, 0

    def __call__(self) -> None:
        self.done += 1
        self.tell(self.done, self.total)


@contextmanager
def _bar(total: int) -> Iterator[Advance]:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        raise InputError("fit: progress=True needs rich, which is not installed: pip install 'mcassay[cli]'") from None
    console = Console(stderr=True)
    columns = (TextColumn("{task.completed:,} of {task.total:,} sweeps"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("fit", total=total)
        yield lambda: bar.advance(task)
