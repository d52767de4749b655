"""The whole command line of Sundry, as ``python -m sundry`` and as the console script ``sundry``."""

from __future__ import annotations

import signal
import sys

from sundry._native import run_command_line


def main() -> None:
    """Runs the command line with the arguments of the process, and ends the process with its exit code."""
    # The program handles these signals itself: the first one asks for the results so far, the second one ends it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    sys.exit(run_command_line(["sundry", *sys.argv[1:]], [sys.executable, "-m", "sundry"]))


if __name__ == "__main__":
    main()
