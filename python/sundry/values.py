"""Values that have no counterpart among the types of Python: arrays, functions, wide floats, elements of declared sorts.

Truth values are ``bool``, bit-vectors (unsigned) and integers are ``int``, reals are ``fractions.Fraction``, and floating-point
values are ``float`` where their format is not wider than 64 bits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from math import isfinite
from numbers import Integral, Number, Rational
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Array", "Element", "Float", "Function", "RoundingMode"]


class RoundingMode(Enum):
    """A rounding mode of IEEE 754, by its short name in SMT-LIB."""

    NEAREST_TIES_TO_EVEN = "RNE"
    NEAREST_TIES_TO_AWAY = "RNA"
    TOWARD_POSITIVE = "RTP"
    TOWARD_NEGATIVE = "RTN"
    TOWARD_ZERO = "RTZ"


class _Plain:
    """A value that never changes, equal to values of its class with the same parts."""

    __slots__: tuple[str, ...] = ()

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._parts())


class Element(_Plain):
    """An element of a declared sort. Elements with different numbers are different; nothing else is known of them."""

    __slots__ = ("sort", "index")

    def __init__(self, sort: str, index: int) -> None:
        #: The sort in SMT-LIB.
        self.sort = sort
        #: The number of the element.
        self.index = index


class Float(_Plain):
    """A floating-point value of a format that is wider than ``float``, such as binary128."""

    __slots__ = ("exponent_bits", "significand_bits", "bits")

    def __init__(self, exponent_bits: int, significand_bits: int, bits: int) -> None:
        #: The number of bits of the exponent.
        self.exponent_bits = exponent_bits
        #: The number of bits of the significand, with the hidden one.
        self.significand_bits = significand_bits
        #: All bits: sign, exponent, significand without its hidden bit. NaN has one pattern.
        self.bits = bits

    @property
    def is_negative(self) -> bool:
        """Whether the sign bit is set."""
        return bool(self.bits >> (self.exponent_bits + self.significand_bits - 1))

    @property
    def is_nan(self) -> bool:
        """Whether the value is no number."""
        return self._is_special and self._fraction != 0

    @property
    def is_infinite(self) -> bool:
        """Whether the value is an infinity."""
        return self._is_special and self._fraction == 0

    @property
    def _fraction(self) -> int:
        return self.bits & ((1 << (self.significand_bits - 1)) - 1)

    @property
    def _exponent(self) -> int:
        return self.bits >> (self.significand_bits - 1) & ((1 << self.exponent_bits) - 1)

    @property
    def _is_special(self) -> bool:
        return self._exponent == (1 << self.exponent_bits) - 1

    def to_fraction(self) -> Fraction:
        """The exact value.

        :raises ValueError: if the value is an infinity or no number.
        """
        from fractions import Fraction

        if self._is_special:
            raise ValueError("infinities and NaN are not fractions")
        bias = (1 << (self.exponent_bits - 1)) - 1
        trailing = self.significand_bits - 1
        hidden = 0 if self._exponent == 0 else 1 << trailing
        exponent = max(self._exponent, 1) - bias - trailing
        magnitude = Fraction(self._fraction | hidden) * Fraction(2) ** exponent
        return -magnitude if self.is_negative else magnitude

    def __float__(self) -> float:
        """The nearest value of 64 bits, infinite where the value is too large for one."""
        if self.is_nan:
            return float("nan")
        sign = -1.0 if self.is_negative else 1.0
        if self.is_infinite:
            return sign * float("inf")
        try:
            nearest = float(self.to_fraction())
        except OverflowError:
            return sign * float("inf")
        return sign * 0.0 if nearest == 0 else nearest


def identity(value: Any) -> Any:
    """A key that is equal for equal values in the sense of SMT-LIB: NaN is itself there, and the zeros are different."""
    if isinstance(value, float):
        return ("float", value.hex())
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, tuple):
        return tuple(map(identity, value))
    return value


def _exact(number: Any) -> int | Fraction | float:
    """A number as one of Python, with the same value."""
    from fractions import Fraction

    if isinstance(number, Integral):
        return int(number)
    return Fraction(number) if isinstance(number, (Rational, Decimal)) else float(number)


def _number_like(number: Any, known: Any) -> Any:
    """A number in the type of another one, with the same value."""
    from fractions import Fraction

    exact: Any = _exact(number)
    if isinstance(known, float):
        if isinstance(exact, float) or abs(exact) <= sys.float_info.max and float(exact) == exact:
            return float(exact)
    elif not isinstance(exact, float) or isfinite(exact):
        exact = Fraction(exact)
        if isinstance(known, Fraction):
            return exact
        if exact.denominator == 1:
            return exact.numerator
    raise ValueError(f"{number} is no index: no {type(known).__name__} has its value")


def _is_truth(value: Any) -> bool:
    # The truth values of numpy are no numbers, and no instances of those of Python.
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def _converted(index: Any, known: Any) -> Any:
    """An index in the type of another one, with the same value."""
    from fractions import Fraction

    if isinstance(known, tuple):
        return tuple(map(_converted, index, known))
    if type(index) is type(known):
        return index
    if _is_truth(known) or _is_truth(index):
        if _is_truth(known) and _is_truth(index):
            return bool(index)
    elif isinstance(known, (int, float, Fraction)) and isinstance(index, Number):
        return _number_like(index, known)
    elif isinstance(known, RoundingMode) and isinstance(index, str):
        return RoundingMode(index)
    raise TypeError(f"the indices are of type {type(known).__name__}, not {type(index).__name__}")


@lru_cache(maxsize=256)
def _parsed(sort: str) -> tuple[Any, ...]:
    """The name and the parameters of a sort in SMT-LIB, and a value of it, for its type."""
    from fractions import Fraction

    from sundry.smtlib import parse_sort

    parsed = parse_sort(sort)
    name, parameters = (parsed, ()) if isinstance(parsed, str) else (parsed[0], parsed[1:])
    known = {"Bool": False, "BitVec": 0, "Int": 0, "Real": Fraction(0), "RoundingMode": RoundingMode.TOWARD_ZERO}
    return name, parameters, known.get(name)


def _of_sort(index: Any, sort: str) -> Any:
    """An index in the type that values of a sort have."""
    name, parameters, known = _parsed(sort)
    if name == "FloatingPoint":
        return _float_of(index, *parameters)
    if known is None:
        kind = Array if name == "Array" else Element
        if not isinstance(index, kind) or isinstance(index, Element) and index.sort != sort:
            raise TypeError(f"the indices are of the sort {sort}, of which {index!r} is no value")
        return index
    converted = _converted(index, known)
    if name == "BitVec" and (converted < 0 or converted >> parameters[0]):
        raise ValueError(f"{index} is no index: those of {parameters[0]} bits are from 0 to 2^{parameters[0]} - 1")
    return converted


def _float_of(index: Any, exponent_bits: int, significand_bits: int) -> Any:
    """An index as a value of a format of floats."""
    from sundry.smtlib import bits_of_float

    is_wide = exponent_bits > 11 or significand_bits > sys.float_info.mant_dig
    if isinstance(index, Float) and is_wide:
        bits = index.bits if (index.exponent_bits, index.significand_bits) == (exponent_bits, significand_bits) else None
    else:
        index = _converted(index, 0.0)
        bits = bits_of_float(exponent_bits, significand_bits, index)
    if bits is None:
        raise ValueError(f"{index} is no index: the format with {exponent_bits} and {significand_bits} bits does not have it")
    return Float(exponent_bits, significand_bits, bits) if is_wide else index


class Entries(Mapping[Any, Any]):
    """Finitely many values by index, where indices are equal if SMT-LIB says so."""

    __slots__ = ("_pairs", "_sort")

    def __init__(self, pairs: Iterable[tuple[Any, Any]], sort: str | tuple[str, ...] | None = None) -> None:
        """:param sort: the sort of indices in SMT-LIB, or those of their parts, where they are known."""
        self._pairs = {identity(index): (index, value) for index, value in pairs}
        self._sort = sort

    def __getitem__(self, index: Any) -> Any:
        try:
            return self._pairs[identity(index)][1]
        except KeyError:
            raise KeyError(index) from None

    def __iter__(self) -> Iterator[Any]:
        return (index for index, _ in self._pairs.values())

    def __len__(self) -> int:
        return len(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Entries):
            return self._comparable() == other._comparable()
        return dict(self) == other

    def __hash__(self) -> int:
        return hash(frozenset(self._comparable().items()))

    def __repr__(self) -> str:
        return repr(dict(self._pairs.values()))

    def converted(self, index: Any) -> Any:
        """An index as the indices of the entries are, so that equal numbers of other types are found.

        :raises TypeError: if the indices are of another type, so that it would not be found whatever it is.
        :raises ValueError: if it is a number that the type of the indices does not have.
        """
        if isinstance(self._sort, str):
            return _of_sort(index, self._sort)
        if self._sort is not None:
            return tuple(map(_of_sort, index, self._sort))
        for known, _ in self._pairs.values():
            return _converted(index, known)
        return index

    def _comparable(self) -> dict[Any, Any]:
        return {key: identity(value) for key, (_, value) in self._pairs.items()}


class Array:
    """An array: a total map that has one default value except at finitely many indices.

    ``array[index]`` is the value at an index. ``entries`` has the indices whose values are not the default.
    """

    __slots__ = ("entries", "default", "index_sort")

    def __init__(
        self,
        entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]],
        default: Any,
        index_sort: str | None = None,
    ) -> None:
        #: The values that are not the default, by index.
        self.entries: Entries = _entries(entries, index_sort)
        #: The value everywhere else.
        self.default = default
        #: The sort of the indices in SMT-LIB, by which they are checked; arrays in solutions have it.
        self.index_sort = index_sort

    def __getitem__(self, index: Any) -> Any:
        """The value at an index.

        :raises TypeError: if the indices are of another type.
        :raises ValueError: if the index is a number that their type does not have.
        """
        return self.entries.get(self.entries.converted(index), self.default)

    def __iter__(self) -> Iterator[Any]:
        """The indices whose values are not the default."""
        return iter(self.entries)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Array({self.entries!r}, default={self.default!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Array, (list(self.entries.items()), self.default, self.index_sort))

    def _parts(self) -> tuple[Any, ...]:
        return (self.entries, identity(self.default))


class Function:
    """The meaning of a declared function: ``function(*arguments)`` is its result."""

    __slots__ = ("name", "entries", "default", "argument_sorts")

    def __init__(
        self,
        name: str,
        entries: Mapping[tuple[Any, ...], Any] | Iterable[tuple[tuple[Any, ...], Any]],
        default: Any,
        argument_sorts: tuple[str, ...] | None = None,
    ) -> None:
        #: The name of the function.
        self.name = name
        #: The results that are not the default, by tuples of arguments.
        self.entries: Entries = _entries(entries, argument_sorts)
        #: The result for all other arguments.
        self.default = default
        #: The sorts of the arguments in SMT-LIB, by which they are checked; functions in solutions have them.
        self.argument_sorts = argument_sorts

    def __call__(self, *arguments: Any) -> Any:
        """The result for arguments.

        :raises TypeError: if the number or the types of arguments are wrong, as far as the sorts or the entries show what they are.
        :raises ValueError: if an argument is a number that its type does not have.
        """
        known = next(iter(self.entries), arguments) if self.argument_sorts is None else self.argument_sorts
        if len(known) != len(arguments):
            raise TypeError(f"the function {self.name} has {len(known)} arguments, not {len(arguments)}")
        return self.entries.get(self.entries.converted(arguments), self.default)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Function({self.name!r}, {self.entries!r}, default={self.default!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Function, (self.name, list(self.entries.items()), self.default, self.argument_sorts))

    def _parts(self) -> tuple[Any, ...]:
        return (self.name, self.entries, identity(self.default))


def _entries(entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]], sort: str | tuple[str, ...] | None) -> Entries:
    return Entries(entries.items() if isinstance(entries, Mapping) else entries, sort)
