"""The way to pySMT and back: scripts of its formulas, its constants for solutions, and Sundry among its solvers."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING, Any

from sundry.errors import InputError, missing_package
from sundry.powers import factors
from sundry.smtlib import parse_sort, plain, sort_text
from sundry.values import Array, Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sundry._native import Solution
    from sundry.sampling import Sampling

__all__ = ["constant_of", "model_of", "models", "register", "script_of"]


def _shortcuts() -> Any:
    try:
        import pysmt.shortcuts
    except ImportError:
        raise missing_package("pysmt", "an exchange with pySMT") from None
    return pysmt.shortcuts


def script_of(formula: Any) -> str:
    """The script that asserts a formula of pySMT, or each of an iterable of formulas. Symbols are declared in the order of their
    names, so that the same formulas always make the same script."""
    shortcuts = _shortcuts()
    formulas = _formulas(formula)
    text = _printed(shortcuts, formulas)
    return _printed(shortcuts, _without_powers(formulas)) if "(pow " in text else text


def _printed(shortcuts: Any, formulas: list[Any]) -> str:
    from pysmt.environment import get_env
    from pysmt.smtlib import commands
    from pysmt.smtlib.script import SmtLibScript

    together = shortcuts.And(formulas)
    script = SmtLibScript()
    for sort in get_env().typeso.get_types(together, custom_only=True):
        script.add(commands.DECLARE_SORT, [sort.decl])
    for symbol in sorted(together.get_free_variables(), key=lambda symbol: str(symbol.symbol_name())):
        if re.search(r"[|\\]", symbol.symbol_name()):
            raise InputError(
                f"SMT-LIB has no way to write the name {symbol.symbol_name()!r}", help="rename it: names have neither | nor \\ in them"
            )
        script.add(commands.DECLARE_FUN, [symbol])
    for each in formulas:
        script.add(commands.ASSERT, [each])
    text = StringIO()
    script.serialize(text, daggify=True)
    return text.getvalue()


def _without_powers(formulas: list[Any]) -> list[Any]:
    """Formulas with products in place of powers."""
    from pysmt.walkers import IdentityDagWalker

    class Products(IdentityDagWalker):  # type: ignore[misc]
        def walk_pow(self, formula: Any, args: list[Any], **_: Any) -> Any:
            base, exponent = args
            value = exponent.constant_value()
            return self.mgr.Times([base] * factors(int(value) if value == int(value) else None, str(formula)))

    walker = Products()
    return [walker.walk(each) for each in formulas]


def _formulas(given: Any) -> list[Any]:
    """A formula of pySMT, or several."""
    if hasattr(given, "node_type"):
        return [given]
    remedy = "give a formula of pySMT, or a list of formulas"
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        smtlib = "; Formula.from_smtlib reads a text" if isinstance(given, (str, bytes)) else ""
        raise TypeError(f"{given!r} is no formula of pySMT: {remedy}{smtlib}")
    formulas = list(given)
    for formula in formulas:
        if not hasattr(formula, "node_type"):
            raise TypeError(f"{formula!r} is no formula of pySMT: {remedy}")
    return formulas


def model_of(solution: Solution, environment: Any = None) -> dict[Any, Any]:
    """The values of the constants of a solution as constants of pySMT, by its symbols. Functions are left out, and so are constants of
    declared sorts, which have no values in pySMT."""
    _shortcuts()
    from pysmt.environment import get_env

    manager = (environment or get_env()).formula_manager
    values = {}
    for name, sort, arguments, levels in solution.formula_declarations():
        value = None if arguments else plain(solution[name], levels)
        if value is not None and not isinstance(value, Element):
            parsed = parse_sort(sort)
            symbol = manager.get_or_create_symbol(name, _type_of(parsed))
            values[symbol] = constant_of(manager, parsed, value)
    return values


def _type_of(sort: Any) -> Any:
    """A sort as a type of pySMT."""
    from pysmt import typing

    plain = {"Bool": typing.BOOL, "Int": typing.INT, "Real": typing.REAL}
    if isinstance(sort, str) and sort in plain:
        return plain[sort]
    if isinstance(sort, tuple) and sort[0] == "BitVec":
        return typing.BVType(sort[1])
    if isinstance(sort, tuple) and sort[0] == "Array":
        return typing.ArrayType(_type_of(sort[1]), _type_of(sort[2]))
    raise InputError(
        f"the sort {sort_text(sort)} has no type of pySMT",
        help="read values from the solution itself, which is a mapping: solution[NAME]",
    )


def constant_of(manager: Any, sort: Any, value: Any) -> Any:
    """A value of a sort as a constant of pySMT."""
    if sort == "Bool":
        return manager.Bool(value)
    if sort == "Int":
        return manager.Int(value)
    if sort == "Real":
        return manager.Real(value)
    if sort[0] == "BitVec":
        return manager.BV(value, sort[1])
    if isinstance(value, Array):
        entries = {
            constant_of(manager, sort[1], index): constant_of(manager, sort[2], entry)
            for index, entry in value.entries.items()
        }
        return manager.Array(_type_of(sort[1]), constant_of(manager, sort[2], value.default), entries)
    raise InputError(
        f"{value!r} of the sort {sort_text(sort)} has no constant of pySMT",
        help="read values from the solution itself, which is a mapping: solution[NAME]",
    )


def models(formula: Any, limit: int | None = None, strategy: str = "cover", **options: Any) -> Iterator[dict[Any, Any]]:
    """Different models of a formula of pySMT, as constants of pySMT by its symbols.

    The options are those of :meth:`sundry.Formula.sample`. By default these are a small set that covers the formula; other strategies, such as
    ``"smtsampler"`` and ``"all"``, find more.
    """
    from sundry.formula import Formula

    search: Sampling = Formula.from_pysmt(formula).sample(strategy, limit=limit, **options)
    return (solution.to_pysmt() for solution in search)


def register(name: str = "sundry", environment: Any = None) -> None:
    """Adds Sundry to the solvers of pySMT, under a name that everything takes which takes the name of a solver.

    >>> from pysmt.shortcuts import BV, BVULT, Solver, Symbol
    >>> from pysmt.typing import BV8
    >>> from sundry import pysmt_models
    >>> pysmt_models.register()
    >>> x = Symbol("x", BV8)
    >>> with Solver(name="sundry") as solver:
    ...     solver.add_assertion(BVULT(x, BV(1, 8)))
    ...     solver.solve(), solver.get_value(x)
    (True, 0_8)

    :raises sundry.MissingPackageError: if pySMT is not installed.
    """
    _shortcuts()
    from sundry import pysmt_solver

    pysmt_solver.register(name, environment)
