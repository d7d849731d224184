"""Run the code of the pages: every python block in order, every console block, and compare what they print.

``python docs/pages.py [PAGE...]`` compares; with ``--write`` it writes what the code prints into the pages. Conventions:

- ```` ```python ```` runs, all blocks of a page in one namespace; ```` ```output ```` right after it is what it prints.
- ```` ```{code-block} LANGUAGE ```` with a ``:caption:`` is a file of that name, written to the folder in which the page runs.
- ```` ```console ````: the lines that begin with ``$`` are run in the shell, the others are what they print.
- ``<!-- needs LIBRARY -->``: a page that is left out, and said so, where the library is not installed.
- A page without any output block need not show what it prints.
- ``...`` in an output stands for anything. How many seconds something took is not compared.
"""

import contextlib
import difflib
import doctest
import importlib.util
import io
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_NEEDS = re.compile(r"^<!-- needs (?P<library>\w+) -->$", re.MULTILINE)
_SECONDS = re.compile(r"\d[\d.e+]* ?s\b")
_FIGURES = re.compile(r"[-+]?\d(?:[\d.,]*\d)?(?:e[-+]?\d+)?")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Mismatch(AssertionError):
    """A page shows what its code does not print."""


@dataclass(frozen=True)
class Block:
    """A fenced block: what it is, what is in it, and where its content begins and ends in the page."""

    info: str
    body: str
    begin: int
    end: int


def pages() -> list[Path]:
    """Return every page that has code to run."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if any(is_run(block) for block in blocks(page.read_text(encoding="utf-8")))]


def missing(page: Path) -> str | None:
    """Say which library a page needs that is not installed."""
    needed = [match["library"] for match in _NEEDS.finditer(page.read_text(encoding="utf-8"))]
    return next((f"{library} is not installed" for library in needed if importlib.util.find_spec(library) is None), None)


def blocks(text: str) -> list[Block]:
    """Take the fenced blocks out of a page."""
    return [Block(m["info"].strip(), m["body"], m.start("body"), m.end("body")) for m in _FENCE.finditer(text)]


def is_run(block: Block) -> bool:
    """Say whether a block is code."""
    return block.info in ("python", "console")


def run_page(page: Path) -> str:
    """Run a page in a folder of its own, and return it with the outputs that its code printed."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        printed = list(_printed(page.name, text))
    for block, output in reversed(printed):
        text = text[: block.begin] + output + text[block.end :]
    return text


def _printed(name: str, text: str) -> Iterator[tuple[Block, str]]:
    """Run the blocks in order; yield every one that shows an output, with what was printed."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    found = blocks(text)
    shows = any(block.info == "output" for block in found)
    for number, block in enumerate(found):
        if block.info == "python":
            output = _run_python(block.body, f"{name}, block {number}", namespace)
            following = found[number + 1] if number + 1 < len(found) else None
            if following is not None and following.info == "output":
                yield following, output
            elif output and shows:
                raise Mismatch(f"{name}: a block prints what the page does not show:\n{block.body}\nprints\n{output}")
        elif block.info == "console":
            yield block, "".join(_run_console(block.body))
        elif block.info.startswith("{code-block}") and ":caption:" in block.body:
            _write_file(block.body)


def _run_python(code: str, name: str, namespace: dict[str, object]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, name, "exec"), namespace)
    return printed.getvalue()


def _run_console(body: str) -> Iterator[str]:
    for line in body.splitlines():
        if line.startswith("$ "):
            yield line + "\n" + _run_command(line[2:])


def _run_command(command: str) -> str:
    scripts = sysconfig.get_path("scripts")
    plain = {
        "COLUMNS": "112",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
    }
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ, **plain}, timeout=300)
    return run.stdout + run.stderr


def _write_file(body: str) -> None:
    options, _, content = body.partition("\n\n")
    caption = re.search(r":caption: (.+)", options)
    assert caption is not None
    path = Path(caption[1].strip())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def differences(shown: str, printed: str, *, figures: bool = True) -> str:
    """Return how a page differs from what its code prints; nothing where it does not. Figures are compared if asked for."""
    pattern = _SECONDS if figures else _FIGURES
    if doctest.OutputChecker().check_output(pattern.sub("0 s", shown), pattern.sub("0 s", printed), _FLAGS):
        return ""
    return "\n".join(difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm=""))


def check_page(page: Path, *, figures: bool = True) -> None:
    """Raise an error where a page shows what its code does not print."""
    shown, printed = page.read_text(encoding="utf-8"), run_page(page)
    for before, after in zip(blocks(shown), blocks(printed), strict=True):
        if said := differences(before.body, after.body, figures=figures):
            raise Mismatch(f"{page.name}: python docs/pages.py --write {page.name} writes what is printed\n{said}")


def write_page(page: Path) -> None:
    """Write what the code prints into a page; an output that was shortened by hand stays, if it still holds."""
    shown, text = page.read_text(encoding="utf-8"), run_page(page)
    for before, after in reversed(list(zip(blocks(shown), blocks(text), strict=True))):
        if "..." in before.body and not differences(before.body, after.body):
            text = text[: after.begin] + before.body + text[after.end :]
    page.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Compare the pages that are named, or all of them, with what they print; or write them."""
    write = "--write" in arguments
    chosen = [Path(name).resolve() for name in arguments if name != "--write"] or pages()
    for page in chosen:
        reason = missing(page)
        sys.stderr.write(f"{page.relative_to(ROOT)}{f': left out, {reason}' if reason else ''}\n")
        if reason is None:
            (write_page if write else check_page)(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
