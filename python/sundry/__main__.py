"""The whole command line of Sundry, as ``python -m sundry`` and as the console script ``sundry``."""

from __future__ import annotations

import os
import signal
import sys
import threading

from sundry._native import run_command_line

#: The environment variable with the number of a pipe that is closed when the caller of this process ends.
CALLER = "SUNDRY_CALLER"


def main() -> None:
    """Runs the command line with the arguments of the process, and ends the process with its exit code."""
    # The program handles these signals itself: the first one asks for the results so far, the second one ends it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    caller = os.environ.pop(CALLER, None)
    if caller is not None:
        threading.Thread(target=_end_with, args=[int(caller)], daemon=True).start()
    sys.exit(run_command_line(["sundry", *sys.argv[1:]], [sys.executable, "-m", "sundry"]))


def _end_with(caller: int) -> None:
    """Waits for the end of the caller, and asks this process for its results so far."""
    os.set_inheritable(caller, False)
    os.read(caller, 1)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
