"""Making scripts smaller while they still show something."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sundry import _native
from sundry.options import encoded, seconds

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reduction", "reduce"]


class Reduction(NamedTuple):
    """A script that was made smaller."""

    #: The script.
    script: str
    #: The number of scripts tried.
    checks: int
    #: Whether no change was left to try; otherwise time was up.
    finished: bool


def reduce(text: str, predicate: Callable[[str], object], *, timeout: float | None = None) -> Reduction:
    """Makes a script in SMT-LIB smaller as long as ``predicate(script)`` is true.

    Commands are removed, and terms are replaced by simpler terms of the same sort, until no change is left that makes the
    script smaller. Scripts of all theories are read, also of those that Sundry does not solve. An exception of the predicate ends
    the reduction and is raised here.

    :param timeout: the limit on the time, in seconds. The smallest script so far is returned when time is up.
    :raises sundry.InputError: if the text is no script, or the predicate is false of the script as it is printed anew.

    >>> import sundry
    >>> script = "(declare-const x (_ BitVec 8)) (assert (bvult (bvmul x x) #x10)) (check-sat)"
    >>> sundry.reduce(script, lambda candidate: "bvmul" in candidate).script
    '(assert (bvult (bvmul #b0 #b0) #b0))\\n'
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a script is a str, not {type(text).__name__}")
    if not callable(predicate):
        raise TypeError(f"the predicate is a function of a script, not {predicate!r}")
    encoded(text)
    return Reduction(*_native.reduce(text, predicate, seconds(timeout)))
