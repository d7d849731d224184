"""The benchmarks are scripts beside one another; their tests import them as such."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
