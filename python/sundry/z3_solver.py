"""The stand-in for ``z3.Solver``, with which loops for one model after another stay as they are."""

from __future__ import annotations

from threading import Timer
from typing import TYPE_CHECKING, Any

from sundry import options as checks
from sundry.errors import InputError, LimitError, UnknownError, UnsatisfiableError
from sundry.z3_scripts import script_of_terms, untracked, z3_package

if TYPE_CHECKING:
    from sundry._native import Solution
    from sundry.formula import Formula
    from sundry.sampling import Sampling

__all__ = ["Solver", "Statistics"]

#: The time limit in milliseconds by which z3 says that there is none.
NO_LIMIT = (1 << 32) - 1

#: Parameters of z3 that ask for what is always there.
GRANTED = ("model", "produce_models", "produce_unsat_cores", "unsat_core")

#: Parameters of z3 that are the seed.
SEEDS = ("random_seed", "sat.random_seed", "seed", "smt.random_seed")


class Statistics(dict[str, Any]):
    """The figures of a search by name, with the method of z3's statistics."""

    def get_key_value(self, key: str) -> Any:
        """The figure with a name."""
        return self[key]


class Solver:
    """Stands in for ``z3.Solver`` in loops that ask for one model after another.

    Its methods are those of z3, and ``model`` is a model of z3. Each ``check`` moves on to another solution: nobody has to add a
    clause that excludes the last model, and the solutions are chosen to differ. (A loop that adds such clauses works, too, but the
    search begins anew with each of them.) The loop

    >>> import z3
    >>> from sundry.z3_models import Solver
    >>> x = z3.BitVec("x", 8)
    >>> solver = Solver(limit=100)
    >>> solver.add(z3.ULT(x, 200))
    >>> models = []
    >>> while solver.check() == z3.sat and len(models) < 100:
    ...     models.append(solver.model()[x].as_long())
    >>> len(set(models))
    100

    has 100 different values of ``x`` at its end.
    """

    def __init__(self, strategy: str = "smtsampler", **options: Any) -> None:
        """The options are those of :meth:`sundry.Formula.sample`.

        :raises sundry.InputError: if an option has a wrong value, or no effect with the strategy.
        :raises TypeError: if an option is unknown, or has a wrong type.
        """
        self._z3 = z3_package()
        self._solver = self._z3.Solver()
        self._strategy = strategy
        self._options = options
        checks.sampling_options(strategy, options)
        #: The trackers of assertions, by scope.
        self._trackers: list[list[Any]] = [[]]
        #: The limit on the time of each check in seconds.
        self._patience: float | None = None
        self._checks = 0
        self._begin()
        self._reason = ""

    def add(self, *assertions: Any) -> None:
        """Asserts terms; the search begins anew with the next ``check``."""
        self._solver.add(*assertions)
        self._begin()

    append = insert = assert_exprs = add

    def assert_and_track(self, assertion: Any, tracker: Any) -> None:
        """Asserts a term that ``unsat_core`` can name by a truth value, or by the name of one."""
        if isinstance(tracker, str):
            tracker = self._z3.Bool(tracker)
        self._solver.assert_and_track(assertion, tracker)
        self._trackers[-1].append(tracker)
        self._begin()

    def __iadd__(self, assertions: Any) -> Solver:
        self.add(assertions)
        return self

    def set(self, *arguments: Any, **named: Any) -> None:
        """Sets parameters by their names in z3: ``set("timeout", 500)`` or ``set(timeout=500)``.

        ``timeout`` is the limit on the time of each ``check`` in milliseconds. A check that it has ended is unknown, and the next one
        begins the search anew, so models may come again. ``random_seed`` is the seed. ``model`` and ``unsat_core`` are always on.

        :raises sundry.InputError: if there is no such parameter here, or its value is wrong.
        """
        if len(arguments) % 2:
            raise InputError(f"the parameter {arguments[-1]!r} has no value", help='write set("timeout", 500) or set(timeout=500)')
        for name, value in [*zip(arguments[::2], arguments[1::2]), *named.items()]:
            key = str(name).lstrip(":").replace("-", "_").lower()
            if key == "timeout":
                limit = checks.integer("timeout", value, 0, "the limit on a check in milliseconds")
                self._patience = None if limit >= NO_LIMIT else limit / 1000
            elif key in SEEDS:
                self._options["seed"] = checks.integer(str(name), value, 0, "the seed of all randomness")
                self._begin()
            elif key not in GRANTED:
                known = ", ".join(sorted(["timeout", *SEEDS, *GRANTED]))
                raise InputError(f"the solver has no parameter '{name}'", help=f"parameters are {known}; others belong to z3's own search")

    def __enter__(self) -> Solver:
        self.push()
        return self

    def __exit__(self, *_: object) -> None:
        self.pop()

    def reset(self) -> None:
        """Removes all assertions and scopes."""
        self._solver.reset()
        self._trackers = [[]]
        self._begin()

    def push(self) -> None:
        """Begins a scope of assertions."""
        self._solver.push()
        self._trackers.append([])
        self._begin()

    def pop(self, count: int = 1) -> None:
        """Ends scopes of assertions."""
        self._solver.pop(count)
        del self._trackers[len(self._trackers) - count :]
        self._begin()

    def _begin(self) -> None:
        """The next check begins a search."""
        self._search: Sampling | None = None
        self._formula: Formula | None = None
        self._solution: Solution | None = None
        self._assumed: list[Any] = []
        #: The solutions of this search, and what excludes them where the strategy finds no others.
        self._given: list[Solution] = []
        self._exclusions: list[Any] = []
        #: A term for each assertion of the script, and the tracker or assumption by which a core names it.
        self._labelled: list[tuple[Any, Any]] = []

    def num_scopes(self) -> int:
        """The number of scopes that have begun and not ended."""
        return int(self._solver.num_scopes())

    def assertions(self) -> Any:
        """The asserted terms."""
        return self._solver.assertions()

    def sexpr(self) -> str:
        """The asserted terms as z3 prints them, where a tracked assertion is an implication."""
        return str(self._solver.sexpr())

    def to_smt2(self) -> str:
        """The script that is solved: the assertions, tracked ones and their trackers among them."""
        return script_of_terms([term for term, _ in self._asserted()])

    def _asserted(self) -> list[tuple[Any, Any]]:
        """The asserted terms without their trackers, and those trackers, each with the tracker by which a core names it."""
        trackers = [tracker for scope in self._trackers for tracker in scope]
        terms = [untracked(self._z3, term, trackers) for term in self._solver.assertions()]
        return [*terms, *((tracker, tracker) for tracker in trackers)]

    def __repr__(self) -> str:
        return repr(self._solver)

    def check(self, *assumptions: Any) -> Any:
        """``z3.sat`` where there is another solution, ``z3.unsat`` where there is none, ``z3.unknown`` where a limit was reached, or where
        only functions and elements of declared sorts could still differ.

        With assumptions, the solutions are those in which the assumptions hold; the search goes on as long as they stay the same.
        """
        from sundry.formula import Formula

        self._checks += 1
        given = assumptions[0] if len(assumptions) == 1 and not self._z3.is_expr(assumptions[0]) else assumptions
        assumed = [self._z3.BoolVal(each) if isinstance(each, bool) else each for each in given]
        is_same = len(assumed) == len(self._assumed) and all(map(self._z3.eq, assumed, self._assumed))
        if self._search is None or not is_same:
            self._begin()
            self._labelled = [*self._asserted(), *((each, each) for each in assumed)]
            self._assumed = assumed
            try:
                self._formula = Formula.from_z3([term for term, _ in self._labelled], timeout=self._patience)
            except LimitError:
                return self._unknown("timeout")
            self._search = self._formula.sample(self._strategy, **self._options)
        if not self._exclusions:
            self._solution = self._next(self._search)
            if self._solution is not None:
                self._given.append(self._solution)
                return self._z3.sat
        result = self._search.result
        self._reason = "" if result is None else result.stopped_by
        if self._reason == "complete" and self._strategy in checks.SETS and self._given:
            # The set covers all that can be covered, and other solutions exist.
            return self._unknown("covered")
        if self._reason in ("complete", "unsatisfiable"):
            return self._z3.unsat
        if self._reason == "nothing-new":
            return self._check_excluding()
        return self._unknown("timeout" if self._reason == "interrupted" else self._reason)

    def _check_excluding(self) -> Any:
        """Asks for a solution unlike all so far, by a clause for each, where the strategy finds no others."""
        from sundry.formula import Formula
        from sundry.z3_models import exclusion, z3_model

        self._solution = None
        for solution in self._given[len(self._exclusions) :]:
            self._exclusions.append(exclusion(self._z3, z3_model(solution)))
        terms = [*(term for term, _ in self._labelled), *(clause for clause, _ in self._exclusions)]
        try:
            solution = Formula.from_z3(terms, timeout=self._patience).solve(self._patience)
        except UnsatisfiableError:
            if all(is_exact for _, is_exact in self._exclusions):
                self._reason = "complete"
                return self._z3.unsat
            return self._unknown("nothing-new")
        except (LimitError, UnknownError):
            return self._unknown("timeout")
        self._given.append(solution)
        self._solution = solution
        return self._z3.sat

    def _next(self, search: Sampling) -> Solution | None:
        """The next solution, if there is one within the time of a check."""
        if self._patience is None:
            return next(search, None)
        timer = Timer(self._patience, search.stop)
        timer.daemon = True
        timer.start()
        try:
            return next(search, None)
        finally:
            timer.cancel()

    def _unknown(self, reason: str) -> Any:
        self._reason = reason
        if reason == "timeout":
            self._begin()
        return self._z3.unknown

    def reason_unknown(self) -> str:
        """Why the last ``check`` found no further solution: ``"max-solutions"`` where it was the limit on solutions,
        ``"covered"`` where the set of a strategy such as ``"cover"`` needs no further one, ``"timeout"`` where
        it was time, ``"nothing-new"`` where only functions, beyond the arguments that matter, or elements of declared sorts could differ."""
        return self._reason

    def model(self) -> Any:
        """The solution that the last ``check`` has found, as a model of z3.

        :raises z3.Z3Exception: if the last ``check`` has found none, as z3 does.
        """
        from sundry.z3_models import z3_model

        if self._solution is None:
            raise self._z3.Z3Exception("model is not available: call check() first; it has to return sat")
        return z3_model(self._solution)

    @property
    def solution(self) -> Solution:
        """The solution that the last ``check`` has found.

        :raises sundry.InputError: if it has found none.
        """
        if self._solution is None:
            raise InputError("there is no model", help="call check() first; it has to return sat")
        return self._solution

    def unsat_core(self) -> list[Any]:
        """Trackers and assumptions of the last ``check`` whose assertions have no solution together, with those that are not tracked.

        :raises sundry.InputError: if the last ``check`` was not unsat, or only said that there is no further solution.
        :raises sundry.UnknownError: if no core is found within the time of a check.
        """
        if self._formula is None or self._reason not in ("complete", "unsatisfiable") or self._solution is not None:
            raise InputError("there is no core", help="call check() first; it has to return unsat")
        try:
            self._formula.solve(self._patience, core=True)
        except UnsatisfiableError as error:
            lines = {assertion.line for assertion in error.core or ()}
        else:
            raise InputError(
                "there are solutions, but no further one, so there is no core",
                help="a core exists where the first check after the last assertion returns unsat",
            )
        # Each assertion of the script begins a line.
        text = script_of_terms([term for term, _ in self._labelled]).split("\n")
        begins = [number for number, line in enumerate(text, 1) if line.startswith("(assert")]
        named = {label.get_id(): label for line, (_, label) in zip(begins, self._labelled) if label is not None and line in lines}
        return list(named.values())

    def statistics(self) -> Statistics:
        """Figures of the present search by name: ``checks`` of this object, and ``solutions``, ``seconds`` and all figures of the search once
        it has ended."""
        figures: dict[str, Any] = {"checks": self._checks}
        if self._search is not None:
            figures["solutions"] = self._search.yielded
            result = self._search.result
            figures.update({} if result is None else result.figures)
        return Statistics(figures)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(self._z3.Solver, name):
            remedy = "use a z3.Solver for it, to which you add assertions()"
            raise AttributeError(f"sundry.z3_models.Solver has no '{name}', which z3.Solver has: {remedy}")
        raise AttributeError(f"'Solver' object has no attribute '{name}'")
