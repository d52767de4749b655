"""Values of Python as SMT-LIB writes them."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sundry.errors import InputError
from sundry.values import Array, Element, Float, Function, RoundingMode

if TYPE_CHECKING:
    from sundry.formula import Declaration

__all__ = ["Sort", "model_text", "parse_sort", "quoted", "value_text"]

#: A sort: a name, or a name with sorts and numbers, such as ``("Array", "Int", ("BitVec", 8))``.
Sort = Any


def parse_sort(text: str) -> Sort:
    """The sort that a text says, with ``(_ BitVec 8)`` as ``("BitVec", 8)``."""
    stack: list[list[Sort]] = [[]]
    for token in re.findall(r"[()]|\|[^|]*\||[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            parts = [part for part in stack.pop() if part != "_"]
            stack[-1].append(tuple(parts))
        else:
            stack[-1].append(int(token) if token.isdecimal() else token)
    (sort,) = stack[0]
    return sort


def sort_text(sort: Sort) -> str:
    """A sort in SMT-LIB."""
    if isinstance(sort, str):
        return sort
    name, *parts = sort
    mark = "_ " if name in ("BitVec", "FloatingPoint") else ""
    return f"({mark}{name} {' '.join(str(p) if isinstance(p, int) else sort_text(p) for p in parts)})"


def value_text(sort: Sort, value: Any) -> str:
    """A value of a sort in SMT-LIB.

    :raises sundry.InputError: if the value is none of the sort.
    """
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        # Columns of solutions have such values.
        value = value.item()
    if sort == "Bool" and isinstance(value, (bool, int)) and value in (0, 1):
        return "true" if value else "false"
    if sort == "Int" and is_integer(value):
        return str(value) if value >= 0 else f"(- {-value})"
    if sort == "Real" and (is_integer(value) or isinstance(value, (float, Fraction))) and abs(value) < float("inf"):
        return _real_text(Fraction(value))
    if sort == "RoundingMode" and isinstance(value, RoundingMode):
        return value.value
    if isinstance(sort, str) and isinstance(value, Element) and value.sort == sort:
        return f"(as @{value.sort}!{value.index} {sort})"
    if isinstance(sort, tuple):
        text = _text_of_compound(sort, value)
        if text is not None:
            return text
    raise InputError(f"{value!r} is no value of the sort {sort_text(sort)}", help=_help(sort))


def is_integer(value: Any) -> bool:
    """Whether a value is an integer, of Python or of numpy, and no truth value."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _text_of_compound(sort: tuple[Any, ...], value: Any) -> str | None:
    name, *parts = sort
    if name == "BitVec" and is_integer(value) and 0 <= value < 1 << parts[0]:
        return f"(_ bv{int(value)} {parts[0]})"
    if name == "FloatingPoint" and isinstance(value, (float, Float)):
        return _float_text(parts[0], parts[1], value)
    if name == "Array" and isinstance(value, Array):
        index, element = parts
        text = f"((as const {sort_text(sort)}) {value_text(element, value.default)})"
        for key, entry in value.entries.items():
            text = f"(store {text} {value_text(index, key)} {value_text(element, entry)})"
        return text
    return None


def _real_text(value: Fraction) -> str:
    magnitude = abs(value)
    text = f"{magnitude.numerator}.0"
    if magnitude.denominator != 1:
        text = f"(/ {text} {magnitude.denominator}.0)"
    return text if value >= 0 else f"(- {text})"


def _float_text(exponent_bits: int, significand_bits: int, value: float | Float) -> str | None:
    """The value as ``(fp sign exponent significand)``; ``None`` where the format has no such value."""
    if isinstance(value, Float):
        if (value.exponent_bits, value.significand_bits) != (exponent_bits, significand_bits):
            return None
        bits: int | None = value.bits
    else:
        bits = bits_of_float(exponent_bits, significand_bits, value)
    if bits is None:
        return None
    text = f"{bits:0{exponent_bits + significand_bits}b}"
    return f"(fp #b{text[0]} #b{text[1 : exponent_bits + 1]} #b{text[exponent_bits + 1 :]})"


def bits_of_float(exponent_bits: int, significand_bits: int, value: float) -> int | None:
    """The bits of a value in a format; ``None`` where the format does not have exactly this value."""
    bias = (1 << (exponent_bits - 1)) - 1
    trailing = significand_bits - 1
    highest = ((1 << exponent_bits) - 1) << trailing
    sign = struct.pack(">d", value)[0] >> 7 << (exponent_bits + trailing)
    if value != value:
        return highest | 1 << (trailing - 1)
    if value in (float("inf"), float("-inf")):
        return sign | highest
    magnitude = abs(Fraction(value))
    if magnitude == 0:
        return sign
    # The exponent of the leading bit, not below that of the least normal value.
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    significand = magnitude / Fraction(2) ** (exponent - trailing)
    if significand.denominator != 1 or exponent > bias:
        return None
    if significand < 1 << trailing:
        return sign | int(significand)
    return sign | (exponent + bias) << trailing | int(significand) - (1 << trailing)


def _help(sort: Sort) -> str:
    if isinstance(sort, tuple) and sort[0] == "BitVec":
        return f"values are integers from 0 to 2^{sort[1]} - 1"
    if isinstance(sort, tuple) and sort[0] == "Array":
        return "values are sundry.Array(entries, default)"
    if isinstance(sort, tuple) and sort[0] == "FloatingPoint":
        return "values are floats that the format has exactly, or sundry.Float"
    types = {"Bool": "bool", "Int": "int", "Real": "int, finite float or fractions.Fraction", "RoundingMode": "sundry.RoundingMode"}
    return f"values are {types.get(sort) or f'sundry.Element({sort!r}, NUMBER)'}"


#: Words of SMT-LIB that are symbols between bars alone.
RESERVED = frozenset("! _ as BINARY DECIMAL exists HEXADECIMAL forall let match NUMERAL par STRING lambda".split())


def quoted(name: str) -> str:
    """A name as a symbol."""
    return name if name not in RESERVED and re.fullmatch(r"[A-Za-z~!@$%^&*_+=<>.?/-][0-9A-Za-z~!@$%^&*_+=<>.?/-]*", name) else f"|{name}|"


def unquoted(symbol: str) -> str:
    """The name that a symbol has."""
    return symbol[1:-1] if symbol.startswith("|") else symbol


def plain(value: Any, levels: Sequence[str]) -> Any:
    """A value of a constant as its sort has it: the number of a level instead of its name."""
    return levels.index(value) if levels else value


def model_text(declarations: Mapping[str, Declaration], model: Mapping[str, Any]) -> str:
    """A mapping from names to values as a model in SMT-LIB. Values may also be texts: names of values of a configurable system, and
    values in SMT-LIB as lines of JSON have them.

    :raises sundry.InputError: if a name is not declared, or a value is none of its sort.
    """
    lines = []
    for name, value in model.items():
        if name not in declarations:
            known = ", ".join(list(declarations)[:20])
            raise InputError(f"the formula has no constant '{name}'", help=f"its constants are {known}")
        try:
            lines.append(_definition(declarations[name], value))
        except InputError as error:
            raise InputError(f"{name}: {error.message}", help=error.help) from None
    return f"({' '.join(lines)})"


def _lambda(text: str) -> tuple[str, str]:
    """The parameters and the body of a function in the form ``(lambda (PARAMETERS) BODY)``."""
    start = "(lambda ("
    if text.startswith(start) and text.endswith(")"):
        depth = 0
        for token in re.finditer(r"[()]|\|[^|]*\|", text[len(start) - 1 : -1]):
            depth += {"(": 1, ")": -1}.get(token.group(), 0)
            if depth == 0:
                end = len(start) - 1 + token.end()
                return text[len(start) - 1 : end], text[end:-1].strip()
    raise InputError(f"{text!r} is no function", help="texts of functions are (lambda ((x SORT) …) VALUE)")


def _definition(declaration: Declaration, value: Any) -> str:
    name, sort = quoted(declaration.name), parse_sort(declaration.sort)
    if isinstance(value, str) and not declaration.levels:
        parameters, body = _lambda(value) if declaration.arguments else ("()", value)
        return f"(define-fun {name} {parameters} {declaration.sort} {body})"
    if declaration.levels:
        # A name of digits comes back from a table as a number.
        if str(value) not in declaration.levels:
            raise InputError(f"there is no value '{value}'", help=f"values are {', '.join(declaration.levels)}")
        value = declaration.levels.index(str(value))
    if not declaration.arguments:
        return f"(define-fun {name} () {declaration.sort} {value_text(sort, value)})"
    if not isinstance(value, Function):
        raise InputError(f"{value!r} is no function", help="values of functions are sundry.Function(name, entries, default)")
    arguments = [parse_sort(argument) for argument in declaration.arguments]
    body = value_text(sort, value.default)
    for point, result in value.entries.items():
        tests = [f"(= x!{i} {value_text(arguments[i], argument)})" for i, argument in enumerate(point)]
        test = tests[0] if len(tests) == 1 else f"(and {' '.join(tests)})"
        body = f"(ite {test} {value_text(sort, result)} {body})"
    parameters = " ".join(f"(x!{i} {argument})" for i, argument in enumerate(declaration.arguments))
    return f"(define-fun {name} ({parameters}) {declaration.sort} {body})"
