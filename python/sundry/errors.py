"""The exceptions of the package. Each says whose fault it is, where the fault is, and what to do."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "Assertion",
    "EmptyError",
    "Error",
    "InputError",
    "InternalError",
    "LimitError",
    "MissingPackageError",
    "UnknownError",
    "UnsatisfiableError",
    "UnsupportedError",
]


class Error(Exception):
    """The reason why a call has no result: the base of all exceptions of this package.

    ``str()`` of an error is what the command line prints: the place, the message, the line of the text with a caret below
    the fault, and the remedy, as far as each is known.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        expected: str | None = None,
        help: str | None = None,
        excerpt: str | None = None,
        rendered: str | None = None,
    ) -> None:
        super().__init__(message)
        #: The description of the error, without its place.
        self.message = message
        #: The name of the text that has the fault, a path where the text is from a file.
        self.file = file
        #: The line of the fault, from 1 on.
        self.line = line
        #: The column of the fault, from 1 on, in characters.
        self.column = column
        #: The input that was expected at the place.
        self.expected = expected
        #: Advice on how to correct the error.
        self.help = help
        #: The line of the text that has the fault, and a caret below it.
        self.excerpt = excerpt
        self._rendered = rendered

    def __str__(self) -> str:
        if self._rendered is not None:
            return self._rendered.rstrip("\n")
        return self.message if self.help is None else f"{self.message}\n  = help: {self.help}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (type(self), self.message, self.__dict__))


class InputError(Error, ValueError):
    """The text, or another argument, is wrong."""


class EmptyError(InputError):
    """The text has nothing in it; it may be written in another language than SMT-LIB."""


class UnsupportedError(Error):
    """The text is right, but uses a feature that Sundry does not support."""


class LimitError(Error):
    """A limit of time, memory or size was reached before there was anything to return."""


class UnknownError(LimitError):
    """The solver does not know whether the formula has a solution, since a limit was reached."""


class Assertion(NamedTuple):
    """An assertion of a formula."""

    #: The asserted term in SMT-LIB.
    text: str
    #: The line of the assertion in the text of the formula, from 1 on.
    line: int | None
    #: The column of the assertion, from 1 on.
    column: int | None


class UnsatisfiableError(Error):
    """The formula has no solution, by proof."""

    def __init__(self, message: str, *, core: list[Assertion] | None = None) -> None:
        super().__init__(message, help=_advice(core))
        #: Assertions that have no solution together, where somebody asked for them.
        self.core = core


def _advice(core: list[Assertion] | None) -> str:
    """The remedy for a formula without a solution: the assertions to look at, or the way to them."""
    if core is None:
        return "solve(core=True) finds assertions that have no solution together: error.core"
    places = [str(assertion.line) for assertion in core if assertion.line is not None]
    if not places:
        return "error.core has assertions that have no solution together; change one of them"
    lines = f"line {places[0]}" if len(places) == 1 else f"lines {', '.join(places[:-1])} and {places[-1]}"
    return f"change one of the assertions in {lines}, which have no solution together: error.core"


class InternalError(Error):
    """Sundry has a defect."""


class MissingPackageError(Error, ImportError):
    """A package that is needed for a call is not installed."""


_CLASSES: dict[str, type[Error]] = {
    "input": InputError,
    "empty": EmptyError,
    "unsupported": UnsupportedError,
    "limit": LimitError,
    "internal": InternalError,
}


def of_native(
    kind: str,
    message: str,
    file: str | None,
    line: int | None,
    column: int | None,
    expected: str | None,
    help: str | None,
    excerpt: str | None,
    rendered: str,
) -> Error:
    """The exception for an error of the library in Rust."""
    return _CLASSES[kind](
        message,
        file=file,
        line=line,
        column=column,
        expected=expected,
        help=help,
        excerpt=excerpt,
        rendered=rendered,
    )


def wrong_option(message: str, help: str) -> InputError:
    """The exception for an option with a wrong value."""
    return InputError(message, help=help)


def limit(message: str, help: str) -> LimitError:
    """The exception for work that a limit has stopped."""
    return LimitError(message, help=help)


def missing_package(package: str, purpose: str) -> MissingPackageError:
    """The exception for a package that ``purpose`` needs and that is not installed."""
    return MissingPackageError(
        f"{purpose} needs the package '{package}', which is not installed", help=f"pip install {package}"
    )


def _restored(kind: type[Error], message: str, state: dict[str, object]) -> Error:
    """An exception as it was before it went to another process."""
    error = kind(message)
    error.__dict__.update(state)
    return error
