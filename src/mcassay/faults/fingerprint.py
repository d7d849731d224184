"""Fingerprints: what a subject gives in every context on the same inputs and random numbers, to the bit."""

import hashlib
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.engine.legacy import global_randomness
from mcassay.faults.contexts import Input, contexts
from mcassay.state import fields_of
from mcassay.subject import Subject

_RAISED = "raised "


@dataclass(frozen=True)
class Fingerprint:
    """For each context one digest an input, or the name of the exception that was raised."""

    digests: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, subject: Subject, inputs: Sequence[Input]) -> "Fingerprint":
        """Ask a subject everything, of every input."""
        asked = contexts(subject).items()
        return cls({name: tuple(_digest_of(ask, given) for given in inputs) for name, ask in asked})

    def changed(self, other: "Fingerprint") -> tuple[str, ...]:
        """Return the contexts in which another subject gives anything else."""
        names = dict.fromkeys([*self.digests, *other.digests])
        return tuple(name for name in names if self.digests.get(name) != other.digests.get(name))

    def newly_raised(self, other: "Fingerprint") -> str | None:
        """Say what another subject raises where this one does not."""
        for name, digests in other.digests.items():
            own = self.digests.get(name, digests)
            raised = [now for before, now in zip(own, digests, strict=True) if _is_raised(now) and not _is_raised(before)]
            if raised:
                return f"{name} {raised[0]} for {len(raised)} of {len(digests)} draws"
        return None


def _is_raised(digest: str) -> bool:
    return digest.startswith(_RAISED)


def _digest_of(ask: Any, given: Input) -> str:
    with global_randomness(given.seed), np.errstate(all="ignore"):
        try:
            return hashlib.blake2b(b"\0".join(_bits(ask(given))), digest_size=16).hexdigest()
        except Exception as error:
            said = " ".join(re.sub(r" at 0x[0-9a-f]+", "", str(error)).split())
            return f"{_RAISED}{type(error).__name__}: {said[:200]}".rstrip(": ")


def _bits(value: Any) -> Iterator[bytes]:
    """Write a value so that two are written alike only if they are equal to the bit."""
    yield type(value).__name__.encode()
    fields = fields_of(value)
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _bits(part)
    elif fields is not None:
        for name, part in fields.items():
            yield name.encode()
            yield from _bits(part)
    elif isinstance(value, (np.ndarray, np.generic, float, int, complex)) and np.asarray(value).dtype != object:
        array = np.asarray(value)
        yield f"{array.dtype.str} {array.shape}".encode()
        yield array.tobytes()
    else:
        yield _pickled(value)


def _pickled(value: Any) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception:  # an object's own reduction may raise anything
        return re.sub(r" at 0x[0-9a-f]+", "", repr(value)).encode()
