"""How a subject reaches a block: pickled, so that every block works on a copy of its own, here or in another process.

Code that can be imported travels by name; closures, lambdas, notebooks and scripts travel by value, which needs cloudpickle.
"""

import functools
import io
import pickle
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from mcassay.engine.legacy import global_generator, global_generators
from mcassay.errors import without_addresses
from mcassay.subject import Subject

_FUNCTIONS = ("prior", "simulate", "step", "log_joint", "init", "position", "refresh")


@dataclass(frozen=True)
class Parcel:
    """A pickled subject.

    Attributes
    ----------
    content
        What was pickled.
    keep
        Whether a process may load it once for all blocks: functions that are compiled for whole blocks would be compiled
        again for each.
    """

    content: bytes
    keep: bool

    @property
    def checksum(self) -> int:
        """What tells one parcel from another."""
        return zlib.crc32(self.content)

    def load(self) -> Subject:
        """Return the subject: one of the caller's own, unless it is to be kept."""
        return _kept(self.content) if self.keep else pickle.loads(self.content)


@functools.lru_cache(maxsize=4)
def _kept(content: bytes) -> Subject:
    return pickle.loads(content)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class NotLoaded:
    """A parcel, known by its checksum, that a process could not load, for it can not import the code."""

    checksum: int
    reason: str
    module: str | None


def load(parcel: Parcel) -> Subject | NotLoaded:
    """Load a parcel in another process."""
    try:
        return parcel.load()
    except Exception as error:  # whatever the code raises when it is imported there
        return NotLoaded(parcel.checksum, f"{type(error).__name__}: {error}", getattr(error, "name", None))


def pack(subject: Subject, missing: NotLoaded | None = None) -> Parcel | str:
    """Pickle a subject, or say why that can not be done; ``missing`` says what another process could not import."""
    try:
        return Parcel(_dumps(subject, missing), subject.compiled)
    except Exception as error:  # an object's own reduction may raise anything
        return without_addresses(f"{type(error).__name__}: {error}")


def _dumps(subject: Subject, missing: NotLoaded | None) -> bytes:
    if not has_cloudpickle():
        return _dumped(subject, pickle.Pickler)
    import cloudpickle

    modules = [] if missing is None else list(_modules(subject, missing))
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return _dumped(subject, cloudpickle.Pickler)
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _dumped(subject: Subject, pickler: Any) -> bytes:
    """Pickle a subject; global generators, as in ``from random import gauss``, stay those of the process that loads it."""

    class Pickler(pickler):  # type: ignore[misc]
        def reducer_override(self, value: Any) -> Any:
            for name, generator in global_generators().items():
                if value is generator:
                    return global_generator, (name,)
            return super().reducer_override(value) if hasattr(pickler, "reducer_override") else NotImplemented

    content = io.BytesIO()
    Pickler(content).dump(subject)
    return content.getvalue()


def has_cloudpickle() -> bool:
    """Say whether cloudpickle is installed."""
    return find_spec("cloudpickle") is not None


def _modules(subject: Subject, missing: NotLoaded) -> Iterable[ModuleType]:
    """Return the modules to pickle by value: the one that could not be imported, and those of the subject's functions."""
    functions = [getattr(subject, name) for name in _FUNCTIONS] + [*subject.updates.values(), *subject.statistics.values()]
    names = {missing.module, *(getattr(function, "__module__", None) for function in functions)}
    found = {name: sys.modules.get(name) for name in sorted(filter(None, names)) if not _is_installed(name)}
    return [module for module in found.values() if module is not None]


def _is_installed(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names or top in ("mcassay", "numpy", "scipy") or name == "__main__"
