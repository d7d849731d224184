"""The package as a whole: what importing it costs and loads, its public names, and that its rooms build on each other."""

import ast
import subprocess
import sys
import time
from importlib import metadata, resources
from pathlib import Path
from statistics import median

import mcassay

SOURCE = Path(mcassay.__file__).parent
REPOSITORY = Path(__file__).parents[1]
OPTIONAL = ("matplotlib", "cloudpickle", "numba", "jax", "blackjax", "numpyro", "pymc", "emcee", "pytest", "dask")


def seconds(code):
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def test_importing_is_cheap():
    # numpy is imported by whoever uses mcassay; what counts is what comes on top, measured side by side.
    times = [(seconds("import numpy"), seconds("import numpy, mcassay")) for _ in range(5)]
    assert median(after - before for before, after in times) < 0.3


def loaded_by(code):
    listing = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], check=True, capture_output=True, text=True
    )
    return set(listing.stdout.split())


def test_importing_loads_nothing_optional():
    assert not loaded_by("import mcassay") & {"scipy.stats", "scipy", *OPTIONAL}


def test_every_name_together_loads_nothing_optional():
    assert not loaded_by("from mcassay import *") & {"scipy.stats", *OPTIONAL}


def test_every_public_name_resolves():
    assert mcassay.__all__ == sorted(set(mcassay.__all__))
    for name in mcassay.__all__:
        assert getattr(mcassay, name).__name__ == name
        assert name in dir(mcassay)


def test_type_checkers_see_the_same_names():
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    seen = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names} - {None}
    assert seen == set(mcassay.__all__)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(mcassay, "Gobbs")


def test_it_is_typed_and_licensed():
    assert resources.files("mcassay").joinpath("py.typed").is_file()
    assert metadata.version("mcassay")
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"):
        assert (REPOSITORY / name).is_file()


def runtime_nodes(tree):
    """Every node but those that only type checkers see."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        only_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        waiting.extend(node.orelse if only_types else ast.iter_child_nodes(node))


def imported_rooms(path):
    for node in runtime_nodes(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "mcassay" and rest:
                yield rest.split(".")[0]


def rooms():
    """Which rooms each room imports."""
    imports = {}
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room != "__init__":
            imports.setdefault(room, set()).update(set(imported_rooms(path)) - {room})
    return imports


def test_rooms_build_on_each_other_without_a_cycle():
    imports = rooms()
    standing = set()
    while ready := {room for room in imports if room not in standing and imports[room] & imports.keys() <= standing}:
        standing |= ready
    left = {room: sorted(imports[room] - standing) for room in imports.keys() - standing}
    assert not left, f"these rooms import each other: {left}"


def test_no_file_is_longer_than_400_lines():
    lengths = {path.name: len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
