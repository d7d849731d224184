"""``mcassay new``: writes a test file to start from."""

from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from mcassay.errors import InputError

# What each starter is for, in the order in which they are offered; a starter for a library has its name.
STYLES = {
    "gibbs": "a Gibbs sampler written by hand: conditionals as distributions",
    "kernel": "any step(state, data, rng): Metropolis-Hastings, slice, a sampler of your own",
    "blackjax": "a kernel of BlackJAX on a model of your own",
    "numpyro": "a kernel of NumPyro on a model of your own",
    "pymc": "a step method of PyMC on a model of your own",
    "emcee": "an ensemble move of emcee",
}


def starter(style: str) -> str:
    """Return the text of a starter."""
    if style not in STYLES:
        raise InputError(f'there is no starter "{style}"; the styles are:\n{styles()}')
    return (resources.files("mcassay.cli") / "starters" / f"{style}.txt").read_text(encoding="utf-8")


def styles() -> str:
    """Write the styles, one a line."""
    return "\n".join(f"  {style:<10}{what}" for style, what in STYLES.items())


def write_starter(style: str, path: Path, *, force: bool) -> str:
    """Write a starter and say what to do next."""
    text = starter(style)
    if path.suffix != ".py":
        raise InputError(f"--output: {path} must be a Python file; its name must end in .py")
    if path.exists() and not force:
        raise InputError(f"{path} exists; write to another file with --output, or over it with --force")
    if not path.parent.is_dir():
        raise InputError(f"--output: there is no folder {path.parent} to write {path.name} to")
    path.write_text(text, encoding="utf-8")
    told = f"{path} is written: put your model and sampler where it says so, then run"
    return f"{told}\n  pytest {path}\n  mcassay run {path}:subject\n{_missing(style)}"


def _missing(style: str) -> str:
    """Say what has to be installed first."""
    if style in ("gibbs", "kernel") or find_spec(style) is not None:
        return ""
    return f"{style} is not installed here: pip install {style}\n"
