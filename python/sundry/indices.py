"""Indices of arrays and arguments of functions: numbers of other types that have the same value are found, and what can be none is an error."""

from __future__ import annotations

import sys
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from numbers import Integral, Number, Rational
from typing import TYPE_CHECKING, Any

from sundry.scalars import Element, Float, RoundingMode

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["converted", "identity", "of_sort"]


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


def converted(index: Any, known: Any) -> Any:
    """An index in the type of another one, with the same value."""
    from fractions import Fraction

    if isinstance(known, tuple):
        return tuple(map(converted, index, known))
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


def of_sort(index: Any, sort: str) -> Any:
    """An index in the type that values of a sort have."""
    name, parameters, known = _parsed(sort)
    if name == "FloatingPoint":
        return _float_of(index, *parameters)
    if known is None:
        from sundry.values import Array

        kind = Array if name == "Array" else Element
        if not isinstance(index, kind) or isinstance(index, Element) and index.sort != sort:
            raise TypeError(f"the indices are of the sort {sort}, of which {index!r} is no value")
        return index
    found = converted(index, known)
    if name == "BitVec" and (found < 0 or found >> parameters[0]):
        raise ValueError(f"{index} is no index: those of {parameters[0]} bits are from 0 to 2^{parameters[0]} - 1")
    return found


def _float_of(index: Any, exponent_bits: int, significand_bits: int) -> Any:
    """An index as a value of a format of floats."""
    from sundry.smtlib import bits_of_float

    is_wide = exponent_bits > 11 or significand_bits > sys.float_info.mant_dig
    if isinstance(index, Float) and is_wide:
        bits = index.bits if (index.exponent_bits, index.significand_bits) == (exponent_bits, significand_bits) else None
    else:
        index = converted(index, 0.0)
        bits = bits_of_float(exponent_bits, significand_bits, index)
    if bits is None:
        raise ValueError(f"{index} is no index: the format with {exponent_bits} and {significand_bits} bits does not have it")
    return Float(exponent_bits, significand_bits, bits) if is_wide else index
