"""The command line: what ``mcassay`` and ``python -m mcassay`` run."""

import sys
from collections.abc import Sequence

_EXTRAS = {"typer", "rich", "shellingham", "click"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        import rich  # noqa: F401  (what a command needs later is missed now)

        from mcassay.cli.app import run_app
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        sys.stderr.write(f"mcassay: the command line needs {error.name}: pip install 'mcassay[cli]'\n")
        return 2
    return run_app(list(sys.argv[1:] if arguments is None else arguments))
