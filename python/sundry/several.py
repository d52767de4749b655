"""Arguments of which there may be several. A text is one of them, not a list of its characters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Union

from sundry.errors import InputError

__all__ = ["Texts", "each", "options", "texts"]

#: Texts or paths, or a single one.
Texts = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def each(values: Texts) -> Iterator[str]:
    """The texts or paths one by one, of which there may be a single one, or a generator of millions."""
    if isinstance(values, (str, os.PathLike)):
        values = [values]
    return (os.fspath(value) for value in values)


def texts(values: Texts) -> list[str]:
    """The texts or paths as a list, of which there may be a single one."""
    return list(each(values))


def options(values: Iterable[str]) -> list[str]:
    """Options of the command line as a list.

    :raises sundry.InputError: if they are one text, which only a shell could divide.
    """
    if isinstance(values, str):
        raise InputError(f"options is the text {values!r}, and not a list", help=f"write {values.split()!r}")
    return [str(value) for value in values]
