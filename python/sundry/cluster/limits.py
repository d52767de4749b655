"""Limits of one item: time and memory that a hostile formula may cost, and nobody else.

Sundry itself keeps both limits and writes what it has found by then. Behind each stands one that needs no cooperation:
an alarm that ends the process, and a limit on its address space, for allocations that come in one piece.
"""

from __future__ import annotations

import math
import re
import resource
import signal
from dataclasses import dataclass
from typing import SupportsFloat

from sundry.errors import InputError
from sundry.options import seconds

_AMOUNTS = "memory is a number of bytes, or a text such as '512M' or '2G'"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
#: Addresses that a process needs besides the memory it uses: code, stacks of threads, room that was never touched.
_ROOM = 1 << 30
#: The longest time, in seconds, that an alarm is set for: a year.
_LONGEST = 366 * 24 * 3600.0


def parse_seconds(amount: SupportsFloat | None, name: str = "timeout") -> float | None:
    """A limit of time in seconds; ``None``, and infinity, for no limit.

    Raises the errors of :meth:`sundry.Formula.sample`: ``TypeError`` if the amount is no number, and :class:`sundry.InputError` if it is
    negative.
    """
    limit = seconds(amount, name)
    return None if limit is None or math.isinf(limit) else limit


def parse_memory(amount: int | str | None) -> int | None:
    """Bytes of an amount such as ``"512M"`` or ``"2G"``; a number stands for bytes, and ``None`` for no limit.

    Raises :class:`sundry.InputError` if the text is no amount.
    """
    if amount is None:
        return None
    if isinstance(amount, (int, float)) and not isinstance(amount, bool):
        if not 1 <= amount < math.inf:
            raise InputError(f"a limit of memory is positive, not {amount}", help=_AMOUNTS)
        return int(amount)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*", str(amount).upper())
    if match is None or float(match[1]) == 0:
        raise InputError(f"{amount!r} is no amount of memory", help=_AMOUNTS)
    return int(float(match[1]) * _UNITS[match[2]])


@dataclass(frozen=True)
class Limits:
    """Limits of one item; ``None`` is no limit."""

    #: Seconds of time.
    seconds: float | None = None
    #: Bytes of memory.
    memory: int | None = None

    def arguments(self) -> list[str]:
        """The options of the command line that keep these limits."""
        arguments = []
        if self.seconds is not None:
            arguments += ["--timeout", repr(float(self.seconds))]
        if self.memory is not None:
            # The command line wants a unit.
            arguments += ["--memory", f"{self.memory / 1024:.3f}K"]
        return arguments

    def impose(self) -> None:
        """Limits the address space of this process. Sundry uses half of the addresses that a limit leaves, and that half is
        the memory of the item."""
        if self.memory is not None:
            with open("/proc/self/statm", encoding="ascii") as usage:
                pages = int(usage.read().split()[0])
            addresses = pages * resource.getpagesize() + 2 * self.memory + _ROOM
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    def set_alarm(self) -> None:
        """Has the system end this process if the item takes twice its time, and half a minute more."""
        if self.seconds is not None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, min(2 * self.seconds + 30, _LONGEST))

    @staticmethod
    def clear_alarm() -> None:
        """Calls the alarm off."""
        signal.setitimer(signal.ITIMER_REAL, 0)
