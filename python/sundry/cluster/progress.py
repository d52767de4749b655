"""Progress for people: a line on standard error that is written again where it is a terminal, and now and then where it is not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_SECONDS_ON_A_TERMINAL, _SECONDS_IN_A_LOG = 0.5, 30.0


class Progress:
    """Shows what ``line`` says, if ``enabled``."""

    def __init__(self, line: Callable[[], str], enabled: bool) -> None:
        self._line, self._enabled = line, enabled
        self._is_terminal = sys.stderr.isatty()
        self._seconds = _SECONDS_ON_A_TERMINAL if self._is_terminal else _SECONDS_IN_A_LOG
        self._last = time.monotonic()

    def look(self) -> None:
        """Shows the line if the last one is old."""
        if self._enabled and time.monotonic() - self._last >= self._seconds:
            self._last = time.monotonic()
            start, end = ("\r\x1b[K", "") if self._is_terminal else ("", "\n")
            print(f"{start}{self._line()}", end=end, file=sys.stderr, flush=True)

    def finish(self) -> None:
        """Shows the last line, which stays."""
        if self._enabled:
            start = "\r\x1b[K" if self._is_terminal else ""
            print(f"{start}{self._line()}", file=sys.stderr, flush=True)
