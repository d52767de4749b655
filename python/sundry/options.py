"""The options of a search: their types, the strategies that use each, and the values that they can have.

Types and ranges are checked here, before a search begins, so that every way to a search (iterators, columns, the stand-in for a
solver of z3) refuses the same options with the same words. A wrong type is a ``TypeError``, a wrong value an ``InputError``.
"""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, TypedDict

from sundry.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sundry.progress import ProgressOption

__all__ = [
    "ColumnOptions", "SampleOptions", "STRATEGIES", "WORDS", "integer", "known_options", "native_options", "sampling_options", "seconds", "text", "truth",
]  # fmt: skip

#: The strategies that improve a set of solutions, and measure what it covers.
SETS = ("cover", "pan", "t-wise")

#: The strategies that find many solutions, one after another.
VOLUMES = ("smtsampler", "guided", "classes-hard", "classes-soft")

#: The strategies that draw solutions independently, and so never end by themselves.
DRAWS = ("uniform", "quick")

STRATEGIES = (*SETS, "all", *VOLUMES, *DRAWS)

#: The strategies that use an option. All strategies use the other options.
OWNERS: dict[str, tuple[str, ...]] = {
    "target": ("cover", "pan"),
    "effort": ("cover",),
    "project": ("all",),
    "strength": ("t-wise",),
    "over": ("t-wise",),
    "fill": ("t-wise",),
    "granularity": ("smtsampler",),
    "guidance": ("guided",),
    "tolerance": ("uniform",),
    "remembered": VOLUMES,
    "run_number": VOLUMES,
}

#: The words of the options that are words.
WORDS = {
    "strategy": STRATEGIES,
    "effort": ("low", "normal", "high", "max"),
    "over": ("values", "bits", "predicates"),
    "granularity": ("bit", "value", "gate"),
    "guidance": ("neighbours", "classes", "bases"),
}

#: The least value of each integer, and its meaning.
INTEGERS = {
    "limit": (1, "the number of solutions that is enough"),
    "seed": (0, "the seed of all randomness, less than 2^64"),
    "threads": (1, "the maximal number of threads"),
    "strength": (0, "the number of values in a combination, from 1 to 3"),
    "remembered": (0, "the memory for solutions found before, in bytes"),
    "run_number": (0, "the number of the run among those with one seed"),
}

#: The meaning of each real number.
NUMBERS = {
    "target": "the share that is enough, such as 0.95",
    "tolerance": "the factor minus one by which probabilities may differ, such as 0.3",
}

_NAMES = {"limit", "seed", "threads", *OWNERS}

#: The options that are no part of the strategy.
_AROUND = ("timeout", "eager", "progress")


class ColumnOptions(TypedDict, total=False):
    """Options of a search whose solutions come as columns; :meth:`sundry.Formula.sample` explains them."""

    target: float | None
    timeout: float | None
    seed: int
    effort: str | None
    threads: int | None
    progress: ProgressOption
    project: Iterable[str] | None
    strength: int | None
    over: str | None
    fill: bool | None
    granularity: str | None
    guidance: str | None
    tolerance: float | None
    remembered: int | None
    run_number: int | None


class SampleOptions(ColumnOptions, total=False):
    """Options of a search apart from the strategy; :meth:`sundry.Formula.sample` explains them."""

    limit: int | None
    eager: bool


def native_options(strategy: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a search as the native part takes them. An option that is ``None`` has its default.

    :raises sundry.InputError: if an option has a wrong value, or no effect with the strategy.
    :raises TypeError: if an option is unknown, or has a wrong type.
    """
    _word("strategy", strategy)
    _known(options, _NAMES)
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in given.items():
        if strategy not in OWNERS.get(name, STRATEGIES):
            raise _without_effect(name, strategy)
        given[name] = _checked(name, value)
    threads = given.get("threads") or os.cpu_count() or 1
    return {"limit": None, **given, "strategy": strategy, "threads": threads}


def sampling_options(strategy: str, options: Mapping[str, Any]) -> None:
    """Checks the options of :meth:`sundry.Formula.sample` before there is a formula.

    :raises sundry.InputError: if an option has a wrong value, or no effect with the strategy.
    :raises TypeError: if an option is unknown, or has a wrong type.
    """
    from sundry.progress import check

    others = {name: value for name, value in options.items() if name not in _AROUND}
    native_options(strategy, others)
    seconds(options.get("timeout"))
    truth("eager", options.get("eager", False))
    check(options.get("progress"))


def known_options(options: Iterable[str]) -> None:
    """Checks the names of options of :meth:`sundry.Formula.sample`.

    :raises TypeError: if there is no option with a name.
    """
    _known(options, {*_NAMES, *_AROUND})


def _known(options: Iterable[str], names: set[str]) -> None:
    for name in options:
        if name not in names:
            raise TypeError(f"there is no option '{name}': options are {', '.join(sorted(names))}")


def _checked(name: str, value: Any) -> Any:
    """The value of an option in the type that the native part takes."""
    if name in WORDS:
        return _word(name, value)
    if name in INTEGERS:
        least, meaning = INTEGERS[name]
        return integer(name, value, least, meaning)
    if name in NUMBERS:
        return _number(name, value, NUMBERS[name])
    if name == "project":
        return _names(name, value)
    return truth(name, value)


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is one of {', '.join(WORDS[name])}, not {value!r}")
    if value not in WORDS[name]:
        raise InputError(f"there is no {name} '{value}'", help=f"{name} is one of {', '.join(WORDS[name])}")
    return value


def integer(name: str, value: Any, least: int, meaning: str, bits: int = 64) -> int:
    """An integer, also of numpy, that is at least ``least`` and less than 2 to the power of ``bits``.

    :raises TypeError: if the value is no integer; truth values are none.
    :raises sundry.InputError: if the integer is too small or too large.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an integer, {meaning}, not {value!r}")
    number = operator.index(value)
    if number < least:
        raise InputError(f"{name} is {number}, and has to be at least {least}", help=f"{name} is {meaning}")
    if number >> bits:
        raise InputError(f"{name} is {number}, and has to be less than 2^{bits}", help=f"{name} is {meaning}")
    return number


def _number(name: str, value: Any, meaning: str) -> float:
    if isinstance(value, bool) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"{name} is a number, {meaning}, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"{name} is too large", help=f"{name} is {meaning}") from None


def seconds(value: Any, name: str = "timeout") -> float | None:
    """A limit on time in seconds, or ``None`` for no limit.

    :raises TypeError: if the value is no number.
    :raises sundry.InputError: if the number is negative, or NaN.
    """
    if value is None:
        return None
    limit = _number(name, value, "of seconds such as 60 or 0.5")
    if not limit >= 0:
        raise InputError(f"the time limit {value} is not a number of seconds", help=f"{name} is a number of seconds such as 60 or 0.5")
    return limit


def text(name: str, value: Any) -> str | None:
    """A text, or ``None`` for none.

    :raises TypeError: if the value is neither.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {value!r}")
    return value


def encoded(text: str) -> bytes:
    """The bytes of a text.

    :raises sundry.InputError: if the text has half of a pair of surrogates, which is no character.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"the text has half of a character at position {error.start}", help="read it from bytes, or in another encoding"
        ) from None


def truth(name: str, value: Any) -> bool:
    """A truth value, also of numpy.

    :raises TypeError: if the value is none.
    """
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)


def _names(name: str, value: Any) -> list[str]:
    names = [value] if isinstance(value, str) else value
    try:
        names = list(names)
    except TypeError:
        names = [None]
    if not all(isinstance(each, str) for each in names):
        raise TypeError(f"{name} is a list of names of constants, not {value!r}")
    return names


def _without_effect(name: str, strategy: str) -> InputError:
    owners = OWNERS[name]
    several = "strategies" if len(owners) > 1 else "strategy"
    return InputError(
        f"the option {name} has no effect with the strategy {strategy}",
        help=f"leave {name} out, or use the {several} {', '.join(owners)}",
    )
