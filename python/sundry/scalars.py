"""Single values that have no counterpart among the types of Python: rounding modes, elements of declared sorts, wide floats."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Element", "Float", "RoundingMode"]


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
