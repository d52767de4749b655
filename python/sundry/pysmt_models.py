"""The way to pySMT and back: scripts of its formulas, its constants for solutions, and a solver for its portfolio."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from sundry.errors import InputError, UnsatisfiableError, missing_package
from sundry.smtlib import parse_sort, sort_text
from sundry.values import Array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sundry._native import Solution
    from sundry.sampling import Sampling

__all__ = ["Solver", "model_of", "models", "script_of"]


def _shortcuts() -> Any:
    try:
        import pysmt.shortcuts
    except ImportError:
        raise missing_package("pysmt", "an exchange with pySMT") from None
    return pysmt.shortcuts


def script_of(formula: Any) -> str:
    """The script that asserts a formula of pySMT, or each of an iterable of formulas."""
    shortcuts = _shortcuts()
    from pysmt.smtlib.script import smtlibscript_from_formula

    if not hasattr(formula, "node_type"):
        formula = shortcuts.And(list(formula))
    text = StringIO()
    smtlibscript_from_formula(formula).serialize(text, daggify=True)
    return text.getvalue()


def model_of(solution: Solution, environment: Any = None) -> dict[Any, Any]:
    """The values of the constants of a solution as constants of pySMT, by its symbols. Functions are left out."""
    _shortcuts()
    from pysmt.environment import get_env

    manager = (environment or get_env()).formula_manager
    values = {}
    for name, sort, arguments, _ in solution.formula_declarations():
        if not arguments:
            parsed = parse_sort(sort)
            symbol = manager.get_or_create_symbol(name, _type_of(parsed))
            values[symbol] = _value_of(manager, parsed, solution[name])
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
    raise InputError(f"the sort {sort_text(sort)} has no type of pySMT")


def _value_of(manager: Any, sort: Any, value: Any) -> Any:
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
            _value_of(manager, sort[1], index): _value_of(manager, sort[2], entry)
            for index, entry in value.entries.items()
        }
        return manager.Array(_type_of(sort[1]), _value_of(manager, sort[2], value.default), entries)
    raise InputError(f"{value!r} of the sort {sort_text(sort)} has no constant of pySMT")


def models(formula: Any, limit: int | None = None, strategy: str = "cover", **options: Any) -> Iterator[dict[Any, Any]]:
    """Different models of a formula of pySMT, as constants of pySMT by its symbols.

    The options are those of :meth:`sundry.Formula.sample`.
    """
    from sundry.formula import Formula

    search: Sampling = Formula.from_pysmt(formula).sample(strategy, limit=limit, **options)
    for solution in search:
        yield solution.to_pysmt()


class Solver:
    """A solver with the methods that programs use of pySMT's: assertions in scopes, and one model at a time.

    >>> from pysmt.shortcuts import BV, BVULT, Symbol
    >>> from pysmt.typing import BV8
    >>> from sundry.pysmt_models import Solver
    >>> x = Symbol("x", BV8)
    >>> with Solver() as solver:
    ...     solver.add_assertion(BVULT(x, BV(1, 8)))
    ...     solver.solve(), solver.get_value(x)
    (True, 0_8)
    """

    def __init__(self, timeout: float | None = None) -> None:
        """:param timeout: the limit on the time of each question, in seconds."""
        _shortcuts()
        self._timeout = timeout
        self._scopes: list[list[Any]] = [[]]
        self._solution: Solution | None = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self._scopes = [[]]

    def add_assertion(self, formula: Any) -> None:
        """Asserts a formula in the present scope."""
        self._solution = None
        self._scopes[-1].append(formula)

    def push(self, levels: int = 1) -> None:
        """Begins scopes."""
        self._scopes.extend([] for _ in range(levels))

    def pop(self, levels: int = 1) -> None:
        """Ends scopes."""
        self._solution = None
        del self._scopes[len(self._scopes) - levels :]

    @property
    def assertions(self) -> list[Any]:
        """The asserted formulas."""
        return [formula for scope in self._scopes for formula in scope]

    def solve(self, assumptions: Iterable[Any] = ()) -> bool:
        """Whether the assertions have a solution together with the assumptions.

        :raises sundry.UnknownError: if that is unknown when time is up.
        """
        from sundry.formula import Formula

        self._solution = None
        try:
            self._solution = Formula.from_pysmt([*self.assertions, *assumptions]).solve(self._timeout)
        except UnsatisfiableError:
            return False
        return True

    def get_model(self) -> dict[Any, Any]:
        """The last solution as constants of pySMT, by its symbols."""
        return self._last().to_pysmt()

    def get_value(self, formula: Any) -> Any:
        """The value of a formula in the last solution."""
        return formula.substitute(self._last().to_pysmt()).simplify()

    def _last(self) -> Solution:
        if self._solution is None:
            raise InputError("there is no model", help="call solve() first; it has to return True")
        return self._solution
