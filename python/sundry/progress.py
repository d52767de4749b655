"""Progress for people: a function of theirs, or a bar by tqdm, in notebooks without being asked."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from sundry.errors import missing_package

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sundry.formula import Formula
    from sundry.sampling import Progress, ProgressOption

__all__ = ["Reporter", "is_notebook", "reporter"]


class Reporter(Protocol):
    """A reader of the progress of a search."""

    def report(self, progress: Progress) -> None:
        """The set of solutions is another one, or more is known about it."""

    def found(self, count: int) -> None:
        """Further solutions were yielded."""

    def close(self) -> None:
        """The search has ended."""


class Callback:
    """A function of the user."""

    def __init__(self, function: Callable[[Progress], object]) -> None:
        self._function = function

    def report(self, progress: Progress) -> None:
        self._function(progress)

    def found(self, count: int) -> None:
        pass

    def close(self) -> None:
        pass


class Bar:
    """A bar by tqdm: of the coverage for strategies that improve a set, of the number of solutions for the others."""

    def __init__(self, name: str, *, is_set: bool, limit: int | None) -> None:
        from tqdm.auto import tqdm

        self._is_set = is_set
        if is_set:
            form = "{l_bar}{bar}| {n:.2f} % covered [{elapsed}{postfix}]"
            self._bar: Any = tqdm(desc=name, total=100.0, bar_format=form)
        else:
            self._bar = tqdm(desc=name, total=limit, unit=" solutions")

    def report(self, progress: Progress) -> None:
        self._bar.n = min(100.0 * progress.coverage, 100.0)
        self._bar.set_postfix(solutions=progress.solutions, bound=progress.bound)

    def found(self, count: int) -> None:
        if not self._is_set:
            self._bar.update(count)

    def close(self) -> None:
        self._bar.close()


def is_notebook() -> bool:
    """Whether this program runs in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def reporter(option: ProgressOption, options: Mapping[str, Any], formula: Formula) -> Reporter | None:
    """The reporter for the option ``progress`` of a search; ``None`` where nobody wants to know.

    :raises sundry.MissingPackageError: if a bar is asked for and tqdm is not installed.
    """
    if callable(option):
        return Callback(option)
    if option is False or option is None and not is_notebook():
        return None
    if find_spec("tqdm") is None:
        if option is None:
            return None
        raise missing_package("tqdm", "a bar of progress")
    is_set = options["strategy"] in ("cover", "pan", "t-wise")
    return Bar(formula.name, is_set=is_set, limit=options["limit"])
