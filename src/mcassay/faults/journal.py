"""The journal: every outcome as soon as it is known, one a line, so that a run that was broken off goes on where it was."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcassay.errors import InputError
from mcassay.faults.fault import Fault
from mcassay.faults.outcome import Outcome


@dataclass
class Journal:
    """Outcomes that were found so far, in a file or in memory alone.

    Attributes
    ----------
    run
        What tells one run from another: sources, seed, budget and checks.
    passing
        Whether the file goes when the run is over.
    """

    path: Path | None
    run: str
    passing: bool = False
    found: dict[str, Outcome] = field(default_factory=dict)

    @classmethod
    def begin(cls, path: Path | None, settings: object, texts: Mapping[str, str]) -> "Journal":
        """Open a journal; one of another run is refused."""
        run = hashlib.sha256(repr((settings, sorted(texts.items()))).encode()).hexdigest()[:16]
        passing = path is not None and path.is_dir()
        path = path / f"mcassay-faults-{run}.jsonl" if path is not None and passing else path
        journal = cls(path, run, passing=passing)
        if path is not None and path.exists():
            journal._read(path)
        elif path is not None:
            _append(path, {"mcassay faults": 1, "run": run})
        return journal

    def _read(self, path: Path) -> None:
        try:
            head, *lines = path.read_text(encoding="utf-8").splitlines()
            run = json.loads(head)["run"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: is no journal of mcassay faults") from error
        if run != self.run:
            raise InputError(f"{path}: is the journal of other code, or of other options; remove it or name another file")
        for outcome in _outcomes(lines):
            self.found[key_of(outcome.fault)] = outcome

    def write(self, outcome: Outcome) -> None:
        """Add an outcome."""
        self.found[key_of(outcome.fault)] = outcome
        if self.path is not None:
            _append(self.path, outcome.to_dict())

    def end(self) -> None:
        """Remove a file that is not kept."""
        if self.passing and self.path is not None:
            self.path.unlink(missing_ok=True)


def key_of(fault: Fault) -> str:
    """Return what tells one fault from another."""
    return f"{fault.path}:{fault.begin}:{fault.end}:{fault.replacement}"


def _outcomes(lines: Iterable[str]) -> Iterable[Outcome]:
    for line in lines:
        try:
            yield Outcome.from_dict(json.loads(line))
        except ValueError:  # the last line of a run that was killed while it wrote
            return


def _append(path: Path, form: object) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(form, ensure_ascii=False) + "\n")
    except OSError as error:
        raise InputError(f"{path} can not be written: {error.strerror}") from None
