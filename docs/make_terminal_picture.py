"""Makes the picture of the terminal that the README shows: ``mcassay run`` on the paper's mixture with its bug.

Run it with ``python docs/make_terminal_picture.py``. It runs the command in a folder of its own and draws what was printed.
"""

import io
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).parent / "figures" / "terminal.svg"
WIDTH = 114
SAMPLERS = """
import numpy as np
from mcassay import InverseGamma
from mcassay.models.mixture import IsotropicMixture

MODEL = IsotropicMixture(clusters=3, dimensions=2, points=20)


def cond_sigma_sq_n(state, data):
    squares = ((data - state["mu"][state["z"]]) ** 2).sum()
    return InverseGamma(3 + 0.5 * data.size, scale=3 + 0.51 * squares)  # 0.5 was meant


mixture = MODEL.subject(sigma_sq_n=cond_sigma_sq_n)
"""
COMMAND = ["mcassay", "run", "samplers.py:mixture", "--check", "conditionals", "--check", "invariance", "--seed", "1"]
# Fonts that would be fetched from elsewhere when the picture is shown.
WEB_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def run() -> tuple[int, str]:
    """Run the command in a folder with the sampler; return its exit status and what it printed, colours included."""
    scripts = sysconfig.get_path("scripts")
    coloured = {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "samplers.py").write_text(SAMPLERS, encoding="utf-8")
        environment = {**os.environ, **coloured}
        done = subprocess.run(COMMAND, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout


def drawn(printed: str) -> str:
    """Draw a terminal with the command and what it printed."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ ", style="bold green") + Text(" ".join(COMMAND)))
    console.print(Text.from_ansi(printed))
    return WEB_FONTS.sub("", console.export_svg(title="mcassay", unique_id="terminal"))


def main() -> int:
    """Make the picture; the exit status says whether the bug was found."""
    status, printed = run()
    PICTURE.write_text(drawn(printed), encoding="utf-8")
    return 0 if status == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
