"""The way to z3's Python package and back: scripts of its terms, and its values for solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundry.errors import InputError, missing_package
from sundry.smtlib import bits_of_float, parse_sort, sort_text
from sundry.values import Array, Element, Float, RoundingMode

if TYPE_CHECKING:
    from sundry._native import Solution

__all__ = ["Solver", "model_of", "script_of", "value_of", "z3_model"]


_IN_SOLUTION = "read values from the solution itself, which is a mapping: solution[NAME]"


def _z3() -> Any:
    try:
        import z3
    except ImportError:
        raise missing_package("z3-solver", "an exchange with z3") from None
    return z3


def script_of(assertions: Any) -> str:
    """The script that asserts what a solver, a goal, a term or an iterable of terms of z3 asserts."""
    z3 = _z3()
    if isinstance(assertions, z3.Solver):
        solver = assertions
    else:
        terms = list(_terms(z3, assertions))
        solver = z3.Solver(ctx=terms[0].ctx if terms else None)
        solver.add(terms)
    return str(solver.to_smt2())


def _terms(z3: Any, assertions: Any) -> Any:
    if isinstance(assertions, z3.BoolRef):
        return [assertions]
    if isinstance(assertions, (z3.Goal, z3.Optimize)):
        return list(assertions) if isinstance(assertions, z3.Goal) else list(assertions.assertions())
    terms = [z3.BoolVal(term) if isinstance(term, bool) else term for term in assertions]
    for term in terms:
        if not isinstance(term, z3.BoolRef):
            raise InputError(f"{term!r} is no Boolean term of z3", help="give a solver, a goal, or Boolean terms")
    return terms


def model_of(solution: Solution, context: Any = None) -> dict[str, Any]:
    """The values of the constants of a solution as values of z3, by name. Functions are left out."""
    formula = solution.formula_declarations()
    return {
        name: value_of(parse_sort(sort), solution[name], context)
        for name, sort, arguments, _ in formula
        if not arguments
    }


def value_of(sort: Any, value: Any, context: Any = None) -> Any:
    """A value of a sort as a value of z3."""
    z3 = _z3()
    if sort == "Bool":
        return z3.BoolVal(value, context)
    if sort == "Int":
        return z3.IntVal(value, context)
    if sort == "Real":
        return z3.RealVal(str(value), context)
    if sort == "RoundingMode":
        return _rounding_mode(z3, value, context)
    if isinstance(value, Element):
        return _element(z3, value, sort_of(sort, context), context)
    name, *parts = sort
    if name == "BitVec":
        return z3.BitVecVal(value, parts[0], context)
    if name == "FloatingPoint":
        return _float(z3, parts[0], parts[1], value, context)
    if name == "Array" and isinstance(value, Array):
        index, element = parts
        array = z3.K(sort_of(index, context), value_of(element, value.default, context))
        for key, entry in value.entries.items():
            array = z3.Store(array, value_of(index, key, context), value_of(element, entry, context))
        return array
    raise InputError(f"{value!r} of the sort {sort_text(sort)} has no value of z3", help=_IN_SOLUTION)


def _element(z3: Any, value: Element, sort: Any, context: Any) -> Any:
    """An element of a declared sort. Only models of z3 have elements that are known to differ, and call them by their numbers."""
    owner = z3.main_ctx() if context is None else context
    # Kept with the context, of which they are parts.
    universes = owner.__dict__.setdefault("_sundry_universes", {})
    elements = universes.get(value.sort, {})
    name = f"{value.sort}!val!{value.index}"
    if name not in elements:
        solver = z3.Solver(ctx=context)
        # Twice as many as before, so that few questions suffice for all elements of a sort.
        count = max(value.index + 2, 2 * len(elements))
        solver.add(z3.Distinct([z3.FreshConst(sort) for _ in range(count)]))
        solver.check()
        elements = {str(element): element for element in solver.model().get_universe(sort)}
        universes[value.sort] = elements
    return elements[name]


def z3_model(solution: Solution, context: Any = None) -> Any:
    """A solution as a model of z3, a ``z3.ModelRef``, with functions.

    :raises sundry.MissingPackageError: if z3 is not installed.
    """
    z3 = _z3()
    model = z3.Model(context)
    for name, sort_name, argument_names, _ in solution.formula_declarations():
        sort, arguments = parse_sort(sort_name), [parse_sort(argument) for argument in argument_names]
        if not arguments:
            model.update_value(z3.Const(name, sort_of(sort, context)), value_of(sort, solution[name], context))
            continue
        sorts = [sort_of(argument, context) for argument in arguments]
        declared = z3.Function(name, *sorts, sort_of(sort, context))
        function = solution[name]
        default = value_of(sort, function.default, context)
        added = z3.Z3_add_func_interp(model.ctx.ref(), model.model, declared.ast, default.ast)
        # This object holds what is added.
        interpretation = z3.FuncInterp(added, model.ctx)
        for key, result in function.entries.items():
            point = z3.AstVector(ctx=model.ctx)
            for argument, part in zip(arguments, key):
                point.push(value_of(argument, part, context))
            entry = value_of(sort, result, context)
            z3.Z3_func_interp_add_entry(model.ctx.ref(), interpretation.f, point.vector, entry.ast)
    return model


def sort_of(sort: Any, context: Any = None) -> Any:
    """A sort as a sort of z3."""
    z3 = _z3()
    plain = {"Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort}
    if isinstance(sort, str):
        return plain[sort](context) if sort in plain else z3.DeclareSort(sort, context)
    name, *parts = sort
    if name == "BitVec":
        return z3.BitVecSort(parts[0], context)
    if name == "FloatingPoint":
        return z3.FPSort(parts[0], parts[1], context)
    if name == "Array":
        return z3.ArraySort(sort_of(parts[0], context), sort_of(parts[1], context))
    raise InputError(f"the sort {sort_text(sort)} has no sort of z3", help=_IN_SOLUTION)


def _rounding_mode(z3: Any, value: RoundingMode, context: Any) -> Any:
    modes = {
        RoundingMode.NEAREST_TIES_TO_EVEN: z3.RNE,
        RoundingMode.NEAREST_TIES_TO_AWAY: z3.RNA,
        RoundingMode.TOWARD_POSITIVE: z3.RTP,
        RoundingMode.TOWARD_NEGATIVE: z3.RTN,
        RoundingMode.TOWARD_ZERO: z3.RTZ,
    }
    return modes[value](context)


def _float(z3: Any, exponent_bits: int, significand_bits: int, value: float | Float, context: Any) -> Any:
    if isinstance(value, Float):
        bits: int | None = value.bits
    else:
        bits = bits_of_float(exponent_bits, significand_bits, value)
    if bits is None:
        raise InputError(
            f"the format with {exponent_bits} and {significand_bits} bits does not have {value!r}",
            help="give a float that the format has exactly, or sundry.Float",
        )
    fields = z3.BitVecVal(bits, exponent_bits + significand_bits, context)
    return z3.simplify(z3.fpBVToFP(fields, z3.FPSort(exponent_bits, significand_bits, context)))


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
        """The options are those of :meth:`sundry.Formula.sample`."""
        self._z3 = _z3()
        self._solver = self._z3.Solver()
        self._strategy = strategy
        self._options = options
        self._search: Any = None
        self._assumed: list[str] = []
        self._reason = ""
        self._solution: Solution | None = None

    def add(self, *assertions: Any) -> None:
        """Asserts terms; the search begins anew with the next ``check``."""
        self._solver.add(*assertions)
        self._begin()

    append = insert = assert_exprs = add

    def __iadd__(self, assertions: Any) -> Solver:
        self.add(assertions)
        return self

    def reset(self) -> None:
        """Removes all assertions and scopes."""
        self._solver.reset()
        self._begin()

    def push(self) -> None:
        """Begins a scope of assertions."""
        self._solver.push()
        self._begin()

    def pop(self, count: int = 1) -> None:
        """Ends scopes of assertions."""
        self._solver.pop(count)
        self._begin()

    def _begin(self) -> None:
        self._search = self._solution = None

    def num_scopes(self) -> int:
        """The number of scopes that have begun and not ended."""
        return int(self._solver.num_scopes())

    def assertions(self) -> Any:
        """The asserted terms."""
        return self._solver.assertions()

    def sexpr(self) -> str:
        """The asserted terms in SMT-LIB."""
        return str(self._solver.sexpr())

    def __repr__(self) -> str:
        return repr(self._solver)

    def check(self, *assumptions: Any) -> Any:
        """``z3.sat`` where there is another solution, ``z3.unsat`` where there is none, ``z3.unknown`` where a limit was reached.

        With assumptions, the solutions are those in which the assumptions hold; the search goes on as long as they stay the same.
        """
        from sundry.formula import Formula

        assumed = [str(assumption) for assumption in assumptions]
        if self._search is None or assumed != self._assumed:
            self._assumed = assumed
            terms = [*self._solver.assertions(), *assumptions]
            self._search = Formula.from_z3(terms or self._solver).sample(self._strategy, **self._options)
        self._solution = next(self._search, None)
        if self._solution is not None:
            return self._z3.sat
        result = self._search.result
        self._reason = "" if result is None else result.stopped_by
        return self._z3.unsat if self._reason in ("complete", "unsatisfiable") else self._z3.unknown

    def reason_unknown(self) -> str:
        """Why the last ``check`` found no further solution: ``"max-solutions"`` where it was the limit on solutions."""
        return self._reason

    def model(self) -> Any:
        """The solution that the last ``check`` has found, as a model of z3."""
        return z3_model(self.solution)

    @property
    def solution(self) -> Solution:
        """The solution that the last ``check`` has found."""
        if self._solution is None:
            raise InputError("there is no model", help="call check() first; it has to return sat")
        return self._solution
