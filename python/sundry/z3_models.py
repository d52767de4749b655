"""Solutions in the types of z3's Python package: values and models. :mod:`sundry.z3_scripts` goes the other way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundry.errors import InputError
from sundry.smtlib import bits_of_float, parse_sort, plain, sort_text, unquoted
from sundry.values import Array, Element, Float, RoundingMode
from sundry.z3_scripts import z3_package
from sundry.z3_solver import Solver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sundry._native import Solution

__all__ = ["Solver", "model_of", "value_of", "z3_model"]


_IN_SOLUTION = "read values from the solution itself, which is a mapping: solution[NAME]"


def model_of(solution: Solution, context: Any = None) -> dict[str, Any]:
    """The values of the constants of a solution as values of z3, by name. Functions are left out."""
    return {
        name: value_of(parse_sort(sort), plain(solution[name], levels), context)
        for name, sort, arguments, levels in solution.formula_declarations()
        if not arguments
    }


def value_of(sort: Any, value: Any, context: Any = None) -> Any:
    """A value of a sort as a value of z3."""
    z3 = z3_package()
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
    name = f"{unquoted(value.sort)}!val!{value.index}"
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
    z3 = z3_package()
    model = z3.Model(context)
    for name, sort_name, argument_names, levels in solution.formula_declarations():
        sort, arguments = parse_sort(sort_name), [parse_sort(argument) for argument in argument_names]
        if not arguments:
            model.update_value(z3.Const(name, sort_of(sort, context)), value_of(sort, plain(solution[name], levels), context))
            continue
        declared = z3.Function(name, *(sort_of(argument, context) for argument in arguments), sort_of(sort, context))
        function = solution[name]
        _add_function(z3, model, declared, (arguments, sort), function.entries, function.default)
    for operator, results in _divisions_by_zero(solution).items():
        number = "Real" if operator == "/" else "Int"
        # Older releases have functions of the dividend alone.
        declared = _functions_of_zero(z3, model.ctx)[operator]
        points = {arguments[: declared.arity()]: result for arguments, result in results.items()}
        _add_function(z3, model, declared, ([number] * declared.arity(), number), points, 0)
    return model


def _add_function(
    z3: Any, model: Any, declared: Any, sorts: tuple[list[Any], Any], entries: Mapping[tuple[Any, ...], Any], default: Any
) -> None:
    """Gives a model the results of a function that has arguments and results of the sorts."""
    arguments, sort = sorts
    rest = value_of(sort, default, model.ctx)
    added = z3.Z3_add_func_interp(model.ctx.ref(), model.model, declared.ast, rest.ast)
    # This object holds what is added.
    interpretation = z3.FuncInterp(added, model.ctx)
    for key, result in entries.items():
        point = z3.AstVector(ctx=model.ctx)
        for argument, part in zip(arguments, key):
            point.push(value_of(argument, part, model.ctx))
        entry = value_of(sort, result, model.ctx)
        z3.Z3_func_interp_add_entry(model.ctx.ref(), interpretation.f, point.vector, entry.ast)


def _divisions_by_zero(solution: Solution) -> dict[str, dict[tuple[Any, ...], Any]]:
    """The results of divisions by zero that a solution rests on, by operator and arguments; all others are zero."""
    found: dict[str, dict[tuple[Any, ...], Any]] = {}
    for operator, arguments, result in solution.divisions_by_zero():
        found.setdefault(operator, {})[tuple(arguments)] = result
    return found


def _functions_of_zero(z3: Any, context: Any) -> dict[str, Any]:
    """The functions of z3 for divisions by zero, which only its own models show, by the operator in SMT-LIB."""
    kept: dict[str, Any] = context.__dict__.setdefault("_sundry_functions_of_zero", {})
    if not kept:
        n, m = z3.Ints("n m", context)
        r, s = z3.Reals("r s", context)
        solver = z3.Solver(ctx=context)
        solver.add(n / m == 3, n % m == 7, m == 0, r / s == 5, s == 0)
        solver.check()
        kept.update({str(function.name()).rstrip("0"): function for function in solver.model().decls() if function.arity() > 0})
    return kept


def sort_of(sort: Any, context: Any = None) -> Any:
    """A sort as a sort of z3."""
    z3 = z3_package()
    named = {"Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort, "RoundingMode": lambda owner: z3.RNE(owner).sort()}
    if isinstance(sort, str):
        return named[sort](context) if sort in named else z3.DeclareSort(unquoted(sort), context)
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
    return z3.simplify(z3.fpBVToFP(fields, z3.FPSort(exponent_bits, significand_bits, context), context))


def exclusion(z3: Any, model: Any) -> tuple[Any, bool]:
    """A term that says that some constant, or some function where the model lists its results, has another value than in a model; and whether
    all other models have that, which nobody can say of functions and elements of declared sorts without quantifiers."""
    differences, is_exact = [], True
    for declaration in model.decls():
        meaning = model[declaration]
        if declaration.kind() != z3.Z3_OP_UNINTERPRETED:
            # The result of a division by zero, which makes no other solution.
            continue
        if declaration.arity() > 0:
            is_exact = False
            for entry in meaning.as_list()[:-1]:
                differences.append(z3.Distinct(declaration(*entry[:-1]), entry[-1]))
        elif declaration.range().kind() == z3.Z3_UNINTERPRETED_SORT:
            is_exact = False
        else:
            # The inequality of floats is another relation: NaN is unequal to itself.
            differences.append(z3.Distinct(declaration(), meaning))
    return z3.Or(differences), is_exact
