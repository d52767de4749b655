"""Arguments are checked before Ray starts, which takes seconds, and in this process, where an error is not wrapped in reports of others.

The options of the command line are checked by the command line itself: it reads all of them before it opens its input, so an input that
does not exist anywhere costs a tenth of a second, and tells wrong options from right ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from sundry.command_words import in_python
from sundry.errors import InputError
from sundry.options import integer

#: The options of the command line that are arguments by name in Python; those in ``options`` have their names on the command line.
NAMED = "strategy|target|max-solutions|seed|timeout|memory"

#: The path of an input that exists on no machine, since it leads through a file.
NOWHERE = os.path.join(os.devnull, "input")


def most_tasks(number: int | None) -> int | None:
    """The number of tasks that may be out at once. Raises ``TypeError`` if it is no whole number, and :class:`sundry.InputError` if it is
    less than 1."""
    return None if number is None else integer("tasks", number, 1, "the number of tasks that may be out at once")


def positive(name: str, value: float) -> float:
    """The value of an argument that is a number. Raises ``TypeError`` if it is none, and :class:`sundry.InputError` if it is not positive."""
    if isinstance(value, (str, bytes, bool)):
        raise TypeError(f"{name} is a number greater than 0, not {value!r}")
    if not 0.0 < float(value) < float("inf"):
        raise InputError(f"{name} cannot be {value!r}", help=f"{name} is a number greater than 0")
    return float(value)


def check_options(command: list[str]) -> None:
    """Checks the options of a command whose input is :data:`NOWHERE`. Raises :class:`sundry.InputError` with the message of the
    command line if they are wrong."""
    words = [sys.executable, "-m", "sundry", *command]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    error = first_error(run.stderr.decode(errors="replace"))
    if error is not None and error["kind"] == "usage":
        help = error.get("help", f"`sundry {command[0]} --help` explains all options")
        raise InputError(in_python(error["message"], NAMED), help=in_python(help, NAMED))


def first_error(messages: str) -> dict[str, Any] | None:
    """The first error among the messages of a command with ``--message-format json``."""
    for line in messages.splitlines():
        try:
            error = json.loads(line)["error"]
        except (ValueError, KeyError, TypeError):
            continue
        return dict(error)
    return None
