"""The command line and Python have other words for the same: options become arguments, and reported errors become exceptions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sundry.errors import Error, InputError, InternalError, LimitError, UnsupportedError

__all__ = ["arguments", "in_python", "reported"]


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options by name as arguments of the command line."""
    made: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            made.append(flag)
        elif isinstance(value, (list, tuple)):
            made += [f"{flag}={item}" for item in value]
        elif value is not None and value is not False:
            made.append(f"{flag}={value}")
    return made


def in_python(message: str, names: str = "[a-z][a-z-]*") -> str:
    """A message of the command line in which options have the names of arguments in Python: ``mutants`` for ``--mutants <N>``.

    :param names: the options that are arguments, as a regular expression.
    """
    return re.sub(rf"--({names})\b( <[^>]*>)?", lambda match: match[1].replace("-", "_"), message)


def reported(line: str, job: str) -> Error | None:
    """The error that a line of messages of a job reports; one about the command is in the words of Python."""
    try:
        fields = json.loads(line)["error"]
    except (ValueError, KeyError, TypeError):
        return None
    classes = {"unsupported": UnsupportedError, "limit": LimitError, "internal": InternalError}
    kind: type[Error] = classes.get(fields["kind"], InputError)
    if kind is InputError and "file" not in fields:
        return _about_options(fields["message"], fields.get("help"), job)
    return kind(
        fields["message"],
        file=fields.get("file"),
        line=fields.get("line"),
        column=fields.get("column"),
        help=fields.get("help"),
    )


def _about_options(message: str, help: str | None, job: str) -> InputError:
    """An error about a command, with the names that options have in Python."""
    unknown = re.fullmatch(r"unexpected argument '--(.*)' found", message)
    if unknown is None:
        return InputError(in_python(message), help=help and in_python(help))
    similar = re.search(r"a similar argument exists: '(.*)'", help or "")
    remedy = f"did you mean {in_python(similar[1])}?" if similar else f"sundry {job} --help lists the options"
    return InputError(f"there is no option '{unknown[1].replace('-', '_')}'", help=remedy)
