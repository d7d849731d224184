"""``python -m mcassay``: the command line."""

import sys

from mcassay.cli import main

if __name__ == "__main__":
    sys.exit(main())
