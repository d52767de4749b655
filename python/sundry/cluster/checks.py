"""Arguments are checked before Ray starts, which takes seconds, and in this process, where an error is not wrapped in reports of others.

The options of the command line are checked by the command line itself: it reads all of them before it opens its input, so an input that
does not exist anywhere costs a tenth of a second, and tells wrong options from right ones.
"""

from __future__ import annotations

import json
import operator
import os
import subprocess
import sys
from typing import Any, SupportsIndex

from sundry.errors import InputError

#: The path of an input that exists on no machine, since it leads through a file.
NOWHERE = os.path.join(os.devnull, "input")


def whole(name: str, value: SupportsIndex, least: int = 1) -> int:
    """The value of an argument that is a whole number. Raises :class:`sundry.InputError` if it is none, or less than ``least``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise InputError(f"{name} cannot be {value!r}", help=f"{name} is a whole number from {least} on")
    return number


def positive(name: str, value: float) -> float:
    """The value of an argument that is a number. Raises :class:`sundry.InputError` if it is none, or not positive."""
    if isinstance(value, (str, bytes)) or not _is_positive(value):
        raise InputError(f"{name} cannot be {value!r}", help=f"{name} is a number greater than 0")
    return float(value)


def _is_positive(value: Any) -> bool:
    try:
        return 0.0 < float(value) < float("inf")
    except (TypeError, ValueError, OverflowError):
        return False


def check_options(command: list[str]) -> None:
    """Checks the options of a command whose input is :data:`NOWHERE`. Raises :class:`sundry.InputError` with the message of the
    command line if they are wrong."""
    words = [sys.executable, "-m", "sundry", *command]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    error = first_error(run.stderr.decode(errors="replace"))
    if error is not None and error["kind"] == "usage":
        raise InputError(error["message"], help=error.get("help", f"`sundry {command[0]} --help` explains all options"))


def first_error(messages: str) -> dict[str, Any] | None:
    """The first error among the messages of a command with ``--message-format json``."""
    for line in messages.splitlines():
        try:
            error = json.loads(line)["error"]
        except (ValueError, KeyError, TypeError):
            continue
        return dict(error)
    return None
