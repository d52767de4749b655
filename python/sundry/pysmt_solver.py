"""Sundry among the solvers of pySMT: ``pysmt.shortcuts.Solver(name="sundry")`` and everything that takes the name of a solver.

pySMT can also run ``python -m sundry solve`` as a generic solver. That was rejected as the way to take: a process and text for each
question cost more than most questions, and pySMT 0.9.6 loses track of the answers after a ``get-value``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pysmt.decorators import clear_pending_pop
from pysmt.environment import get_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.logics import PYSMT_QF_LOGICS
from pysmt.solvers.eager import EagerModel
from pysmt.solvers.options import SolverOptions
from pysmt.solvers.solver import IncrementalTrackingSolver
from pysmt.walkers import IdentityDagWalker

from sundry.errors import InputError, UnknownError, UnsatisfiableError
from sundry.formula import Formula
from sundry.options import seconds
from sundry.pysmt_models import constant_of, model_of
from sundry.smtlib import parse_sort

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sundry._native import Solution

__all__ = ["SundrySolver", "register"]


class Options(SolverOptions):  # type: ignore[misc]
    """The options of pySMT, and among ``solver_options`` the ``timeout`` of each question in seconds."""

    def __call__(self, solver: SundrySolver) -> None:
        """Checks the options of a solver.

        :raises sundry.InputError: if there is an option of another name.
        """
        unknown = sorted(set(self.solver_options) - {"timeout"})
        if unknown:
            raise InputError(f"the solver has no option '{unknown[0]}'", help="solver_options may have: timeout")
        seconds(self.solver_options.get("timeout"))
        if self.unsat_cores_mode is not None:
            raise InputError("the solver has no cores for pySMT", help="Formula.from_pysmt(formulas).solve(core=True) finds one")


class _Model(EagerModel):  # type: ignore[misc]
    """A model whose environment need not be the global one, in which that of pySMT evaluates formulas."""

    def get_value(self, formula: Any, model_completion: bool = True) -> Any:
        """The value of a formula, a constant.

        :raises sundry.InputError: if the formula has no constant as its value.
        """
        if model_completion:
            self._complete_model(self.environment.fvo.get_free_variables(formula))
        values = self.completed_assignment if model_completion else self.assignment
        value = self.environment.simplifier.simplify(self.environment.substituter.substitute(formula, values))
        if not value.is_constant():
            raise InputError(f"{formula} has no constant of pySMT as its value", help="read it from SundrySolver.solution")
        return value


class _Applications(IdentityDagWalker):  # type: ignore[misc]
    """Replaces the applications of functions in a formula by their values in a solution."""

    def __init__(self, environment: Any, model: Any, solution: Solution) -> None:
        super().__init__(environment)
        self._model, self._solution = model, solution
        self._sorts = {name: parse_sort(sort) for name, sort, arguments, _ in solution.formula_declarations() if arguments}

    def walk_function(self, formula: Any, args: Any, **_: Any) -> Any:
        name = formula.function_name().symbol_name()
        if name not in self._sorts:
            raise InputError(f"the function {name} was not in the question", help="assert something about it first")
        point = [self._argument(argument) for argument in args]
        return constant_of(self.mgr, self._sorts[name], self._solution[name](*point))

    def _argument(self, argument: Any) -> Any:
        value = self._model.get_value(argument)
        if not value.is_constant() or value.is_array_value():
            raise InputError(
                f"the argument {value} of a function is no number",
                help="read the function from the solution itself: SundrySolver.solution",
            )
        constant = value.constant_value()
        return int(constant) if value.is_int_constant() else constant


class SundrySolver(IncrementalTrackingSolver):  # type: ignore[misc]
    """A solver of pySMT. The assertions are kept here, and each question is a formula of its own."""

    LOGICS = [logic for logic in PYSMT_QF_LOGICS if not logic.theory.strings]
    OptionsClass = Options

    def __init__(self, environment: Any, logic: Any, **options: Any) -> None:
        super().__init__(environment, logic, **options)
        self.options(self)
        self._solution: Solution | None = None

    @clear_pending_pop  # type: ignore[untyped-decorator]
    def _add_assertion(self, formula: Any, named: str | None = None) -> Any:
        self._assert_is_boolean(formula)
        self._solution = None
        return formula

    @clear_pending_pop  # type: ignore[untyped-decorator]
    def _solve(self, assumptions: Iterable[Any] | None = None) -> bool:
        self._solution = None
        asked = [*self.assertions, *(assumptions or ())] or [self.environment.formula_manager.TRUE()]
        try:
            self._solution = Formula.from_pysmt(asked).solve(self.options.solver_options.get("timeout"), seed=self.options.random_seed or 0)
        except UnsatisfiableError:
            return False
        except UnknownError as error:
            raise SolverReturnedUnknownResultError(str(error)) from error
        return True

    @clear_pending_pop  # type: ignore[untyped-decorator]
    def _push(self, levels: int = 1) -> None:
        pass

    @clear_pending_pop  # type: ignore[untyped-decorator]
    def _pop(self, levels: int = 1) -> None:
        self._solution = None

    @clear_pending_pop  # type: ignore[untyped-decorator]
    def _reset_assertions(self) -> None:
        self._solution = None

    def _exit(self) -> None:
        self._solution = None

    def get_model(self) -> Any:
        """The last solution as a model of pySMT, without functions.

        :raises sundry.InputError: if the last question was not answered by a solution.
        """
        return _Model(model_of(self.solution, self.environment), self.environment)

    @property
    def solution(self) -> Solution:
        """The last solution as a mapping, with functions.

        :raises sundry.InputError: if the last question was not answered by a solution.
        """
        if self._solution is None:
            raise InputError("there is no model", help="call solve() first; it has to return True")
        return self._solution

    def get_value(self, formula: Any) -> Any:
        """The value of a formula in the last solution, a constant of pySMT. The formula may apply functions.

        :raises sundry.InputError: if the last question was not answered by a solution, or the formula has a function that was not in
            the question.
        """
        model = self.get_model()
        return model.get_value(_Applications(self.environment, model, self.solution).walk(formula))

    def print_model(self, name_filter: Any = None) -> None:
        """Prints the last solution, the symbols for whose names the filter is true."""
        for symbol, value in self.get_model():
            if name_filter is None or name_filter(symbol):
                print(f"{symbol} = {value}")


def register(name: str = "sundry", environment: Any = None) -> None:
    """Adds the solver to those of an environment of pySMT, the present one by default. Doing so again changes nothing."""
    factory = (environment or get_env()).factory
    if name not in factory.all_solvers():
        factory._all_solvers[name] = SundrySolver
        factory.solver_preference_list.append(name)
