"""Progress for people: a function of theirs, or a bar by tqdm, in notebooks without being asked."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Protocol, Union

from sundry.errors import missing_package

if TYPE_CHECKING:
    from sundry.formula import Formula

__all__ = ["Progress", "ProgressOption", "Reporter", "check", "is_notebook", "reporter"]

#: The least number of seconds between two calls of a function, for searches that yield one solution after another.
PAUSE = 0.1


class Progress(NamedTuple):
    """The state of a search.

    Searches that yield one solution after another measure no coverage: the figures of coverage are ``None`` there.
    """

    #: The number of solutions: in the present set, or found so far.
    solutions: int
    #: AST-bits, or combinations of values, that the set covers.
    covered: int | None
    #: AST-bits or combinations that are not proved impossible.
    possible: int | None
    #: The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
    bound: int | None
    #: Seconds since the start.
    seconds: float

    @property
    def coverage(self) -> float | None:
        """The share of what is not proved impossible that the set covers, from 0 to 1; ``None`` while it is unknown what there is to
        cover."""
        if self.covered is None or self.possible is None:
            return None
        if not self.possible:
            return 1.0 if self.solutions else None
        return self.covered / self.possible


ProgressOption = Union[None, bool, Callable[[Progress], object]]


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

    def __init__(self, function: Callable[[Progress], object], *, is_set: bool) -> None:
        self._function = function
        self._is_set = is_set
        self._begin = self._last = time.monotonic()
        self._count = 0
        self._is_closed = False

    def report(self, progress: Progress) -> None:
        try:
            self._function(progress)
        except BaseException:
            # The search ends, and nothing more is reported.
            self._is_closed = True
            raise

    def found(self, count: int) -> None:
        self._count += count
        if not self._is_set and time.monotonic() - self._last >= PAUSE:
            self._call()

    def close(self) -> None:
        if not self._is_set and not self._is_closed:
            self._is_closed = True
            self._call()

    def _call(self) -> None:
        self._last = time.monotonic()
        self.report(Progress(self._count, None, None, None, self._last - self._begin))


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
        self._bar.n = min(100.0 * (progress.coverage or 0.0), 100.0)
        known = {"solutions": progress.solutions, "bound": progress.bound}
        self._bar.set_postfix({name: figure for name, figure in known.items() if figure is not None})

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


def check(option: object) -> None:
    """Checks the type of the option ``progress``.

    :raises TypeError: if the option is no function and no truth value.
    """
    if option is not None and not isinstance(option, bool) and not callable(option):
        raise TypeError(f"progress is a function, True for a bar or False for none, not {option!r}")


def reporter(option: ProgressOption, formula: Formula, *, is_set: bool, limit: int | None = None) -> Reporter | None:
    """The reporter for the option ``progress``; ``None`` where nobody wants to know.

    :param is_set: whether figures of coverage come, instead of the number of solutions alone.
    :param limit: the number of solutions that is enough.
    :raises sundry.MissingPackageError: if a bar is asked for and tqdm is not installed.
    :raises TypeError: if the option is no function and no truth value.
    """
    check(option)
    if callable(option):
        return Callback(option, is_set=is_set)
    if option is False or option is None and not is_notebook():
        return None
    if find_spec("tqdm") is None:
        if option is None:
            return None
        raise missing_package("tqdm", "a bar of progress")
    return Bar(formula.name, is_set=is_set, limit=limit)
