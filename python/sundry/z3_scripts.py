"""Scripts of the terms of z3's Python package.

z3 prints its own terms; three things need more than that. A tracked assertion ``t`` of a solver is printed as ``(=> p t)``, without the
information that ``p`` holds: the trackers of a solver are found, and asserted. Sums of truth values (``AtMost``, ``PbLe`` and their like) are
operators of z3 alone: they become sums of bit-vectors, and powers become products. Rejected for sums: z3's tactic ``card2bv``, which leaves some of them, and adds constants
that would be seen in solutions. Names that SMT-LIB cannot write are refused.
"""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

from sundry.errors import InputError, missing_package
from sundry.powers import factors
from sundry.smtlib import RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["asserted", "script_of", "script_of_terms", "untracked", "z3_package"]


def z3_package() -> Any:
    """The package of z3.

    :raises sundry.MissingPackageError: if it is not installed.
    """
    try:
        import z3
    except ImportError:
        raise missing_package("z3-solver", "an exchange with z3") from None
    return z3


def script_of(assertions: Any, assumptions: Iterable[Any] = ()) -> str:
    """The script that asserts what a solver, a goal, a term or an iterable of terms of z3 asserts, and the assumptions.

    :raises sundry.InputError: if a term is not Boolean, or has no form in SMT-LIB.
    """
    return script_of_terms([*asserted(assertions), *_terms(z3_package(), assumptions)])


def asserted(assertions: Any) -> list[Any]:
    """The terms that hold where a solver, a goal, a term or an iterable of terms of z3 holds."""
    z3 = z3_package()
    if isinstance(assertions, (z3.Solver, z3.Optimize)):
        terms = list(assertions.assertions())
        trackers = _trackers(z3, assertions, terms)
        return [untracked(z3, term, trackers)[0] for term in terms] + trackers
    if isinstance(assertions, z3.Goal):
        return list(assertions)
    return _terms(z3, [assertions] if isinstance(assertions, z3.BoolRef) else assertions)


def script_of_terms(terms: list[Any]) -> str:
    """The script that asserts terms, a line that begins with ``(assert`` for each, in their order."""
    z3 = z3_package()
    text = _printed(z3, terms)
    if any(f"({name} " in text for name in _OWN):
        text = _printed(z3, _translated(z3, terms))
    for name in re.findall(r"\(declare-fun (\S+) ", text):
        if name in RESERVED:
            raise InputError(f"the name {name!r} is a word of SMT-LIB itself", help="rename it: z3 writes the name as if it were that word")
    return _TOKENS.sub(_written, text)


#: Texts, names between bars, comments, and tokens that are names with characters that only bars allow, or names that begin with a digit.
_TOKENS = re.compile(
    r'''"(?:[^"]|"")*"|\|(?:\\.|[^|\\])*\||;[^\n]*|(?<![^\s()])(?:'''
    r'''(?=[^\s()"|;]*[^\s()"|;0-9A-Za-z~!@$%^&*_+=<>.?/:#-])|(?=[0-9][0-9.]*[^\s()0-9.])|(?=[^\s()"|;#]+#)'''
    r''')[^\s()"|;]+'''
)


def _written(token: re.Match[str]) -> str:
    """A token as SMT-LIB has it: z3 leaves the bars out of some names that need them."""
    name = token.group()
    if name[0] == "|" and "\\" in name:
        shown = re.sub(r"\\(.)", r"\1", name[1:-1])
        raise InputError(f"SMT-LIB has no way to write the name {shown!r}", help="rename it: names have neither | nor \\ in them")
    return name if name[0] in '"|;' else f"|{name}|"


def _printed(z3: Any, terms: list[Any]) -> str:
    # As `to_smt2` of a solver does. To make a solver takes longer than all else here.
    context = terms[0].ctx if terms else z3.main_ctx()
    *most, last = terms or [z3.BoolVal(True, context)]
    asts = (z3.Ast * len(most))(*(term.as_ast() for term in most))
    made = z3.Z3_benchmark_to_smtlib_string(context.ref(), "assertions of z3", "", "unknown", "", len(most), asts, last.as_ast())
    return str(made)


def _terms(z3: Any, terms: Iterable[Any]) -> list[Any]:
    remedy = "give a solver, a goal, or Boolean terms"
    if isinstance(terms, z3.BoolRef):
        terms = [terms]
    elif isinstance(terms, z3.ApplyResult):
        terms = [terms.as_expr()]
    elif isinstance(terms, z3.AstVector):
        # It has no method by which Python iterates.
        terms = [terms[number] for number in range(len(terms))]
    if isinstance(terms, (str, bytes)) or not hasattr(terms, "__iter__"):
        smtlib = "; Formula.from_smtlib reads a text" if isinstance(terms, (str, bytes)) else ""
        raise TypeError(f"{terms!r} is nothing that z3 asserts: {remedy}{smtlib}")
    made = [z3.BoolVal(term) if isinstance(term, bool) else term for term in terms]
    for term in made:
        if not isinstance(term, z3.BoolRef):
            raise InputError(f"{term!r} is no Boolean term of z3", help=remedy)
    return made


def untracked(z3: Any, term: Any, trackers: Iterable[Any]) -> tuple[Any, Any]:
    """An assertion without the tracker that it was made with, and the tracker; ``None`` for an assertion without."""
    if z3.is_implies(term):
        for tracker in trackers:
            if z3.eq(term.arg(0), tracker):
                return term.arg(1), tracker
    return term, None


def _trackers(z3: Any, solver: Any, terms: list[Any]) -> list[Any]:
    """The constants with which assertions of a solver are tracked.

    z3 names trackers only in unsatisfiable cores. So the solver gets a conflict in which every constant that may be a tracker has a part,
    and which propagation alone finds: ``all`` makes each of them true, and ``conflict`` says that one is false. A tracker holds before
    that, so it is in the core itself.
    """
    candidates = _candidates(z3, terms)
    if not candidates:
        return []
    if isinstance(solver, z3.Solver):
        try:
            _keep_model(z3, solver)
            copied = _copy(solver)
            found = _in_core(z3, copied, candidates)
            if found or _copies_track(z3, copied):
                return found
        except z3.Z3Exception:
            # Some solvers of logics make copies that cannot solve.
            pass
        # Solvers of tactics have no cores by default.
        solver.set("unsat_core", True)
    try:
        return _in_core(z3, solver, candidates)
    except z3.Z3Exception as error:
        raise InputError(
            f"z3 does not say which assertions of the solver are tracked: {error}",
            help="give the assertions as a list of terms, with the trackers that hold",
        ) from None


def _keep_model(z3: Any, solver: Any) -> None:
    """Asks a solver for the model of its last check, which it would not have any more after it was copied."""
    try:
        solver.model()
    except z3.Z3Exception:
        # There is none.
        pass


def _copy(solver: Any) -> Any:
    """A copy of a solver without its limits."""
    made = copy.copy(solver)
    made.set("timeout", (1 << 32) - 1)
    made.set("rlimit", 0)
    return made


def _copies_track(z3: Any, solver: Any) -> bool:
    """Whether copies of such a solver, which is changed, have its trackers; those of solvers of tactics have none."""
    solver.reset()
    tracker = z3.FreshBool("tracker", solver.ctx)
    solver.assert_and_track(z3.BoolVal(True, solver.ctx), tracker)
    return bool(_copy(solver).check(z3.Not(tracker)) == z3.unsat)


def _candidates(z3: Any, terms: list[Any]) -> list[Any]:
    """The constants that imply a whole assertion, also where z3 has made it a clause, which may be empty otherwise."""
    found = {}
    for term in terms:
        parts = []
        if z3.is_implies(term):
            parts = [term.arg(0)]
        elif z3.is_not(term):
            parts = [term.arg(0)]
        elif z3.is_or(term):
            parts = [part.arg(0) for part in term.children() if z3.is_not(part)]
        for part in parts:
            if z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                found[part.get_id()] = part
    return list(found.values())


def _in_core(z3: Any, solver: Any, candidates: list[Any]) -> list[Any]:
    """Those of the candidates that are trackers of a solver, which is changed."""
    context = candidates[0].ctx
    everything, conflict = z3.FreshBool("all", context), z3.FreshBool("conflict", context)
    solver.push()
    solver.add([z3.Implies(everything, candidate) for candidate in candidates])
    solver.add(z3.Or([z3.Not(conflict), *(z3.Not(candidate) for candidate in candidates)]))
    try:
        answer = solver.check(everything, conflict)
        core = {part.get_id() for part in solver.unsat_core()}
    finally:
        solver.pop()
    if answer != z3.unsat:
        raise z3.Z3Exception(f"a contradiction is {answer}")
    trackers = [candidate for candidate in candidates if candidate.get_id() in core]
    if conflict.get_id() in core or everything.get_id() not in core or len(candidates) == 1:
        # Without `everything`, the assertions contradict each other, as those of the script do then.
        return trackers
    # Some candidates exclude each other, so they are no trackers all together.
    middle = len(candidates) // 2
    return _in_core(z3, solver, candidates[:middle]) + _in_core(z3, solver, candidates[middle:])


#: The names of the operations that are z3's own, as it prints them: sums of truth values, and powers.
_OWN = ("_ at-most", "_ at-least", "_ pble", "_ pbge", "_ pbeq", "^", "**")


def _translated(z3: Any, terms: list[Any]) -> list[Any]:
    """Terms with operations of SMT-LIB in place of those that are z3's own."""
    kinds = (z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST, z3.Z3_OP_PB_LE, z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ)
    pairs: list[tuple[Any, Any]] = []
    done: set[int] = set()
    stack = [(term, False) for term in terms]
    while stack:
        term, is_left = stack.pop()
        if is_left:
            # The arguments come before, so that operations within operations are replaced.
            arguments = [z3.substitute(argument, *pairs) for argument in term.children()]
            is_power = term.decl().kind() == z3.Z3_OP_POWER
            pairs.append((term, _power(z3, *arguments) if is_power else _sum(z3, term, arguments, kinds)))
        elif term.get_id() not in done:
            done.add(term.get_id())
            if z3.is_app(term) and term.decl().kind() in (*kinds, z3.Z3_OP_POWER):
                stack.append((term, True))
            stack += [(argument, False) for argument in term.children()]
    return [z3.substitute(term, *pairs) for term in terms]


def _power(z3: Any, base: Any, exponent: Any) -> Any:
    """A power as a product."""
    if z3.is_rational_value(exponent) and exponent.denominator_as_long() == 1:
        exponent = z3.IntVal(exponent.numerator_as_long(), exponent.ctx)
    number = exponent.as_long() if z3.is_int_value(exponent) else None
    return z3.Product([base] * factors(number, f"{base} ** {exponent}"))


def _sum(z3: Any, term: Any, arguments: list[Any], kinds: tuple[Any, ...]) -> Any:
    """A comparison of a sum of truth values as a comparison of bit-vectors, wide enough for all sums."""
    bound, *weights = (int(parameter) for parameter in term.decl().params())
    weights = weights or [1] * len(arguments)
    # A negative weight -w of x is the weight w of its negation, and -w in any case.
    bound -= sum(weight for weight in weights if weight < 0)
    most = sum(abs(weight) for weight in weights)
    at_most, at_least, le, ge, _ = kinds
    kind = term.decl().kind()
    if kind in (at_most, le) and bound >= most or kind in (at_least, ge) and bound <= 0:
        return z3.BoolVal(True, term.ctx)
    if bound < 0 or bound > most:
        return z3.BoolVal(False, term.ctx)
    width = max(most.bit_length(), 1)

    def number(value: int) -> Any:
        return z3.BitVecVal(value, width, term.ctx)

    total = None
    for argument, weight in zip(arguments, weights):
        holds = number(max(weight, 0)), number(max(-weight, 0))
        part = z3.If(argument, *holds, term.ctx)
        total = part if total is None else total + part
    total = number(0) if total is None else total
    if kind in (at_most, le):
        return z3.ULE(total, number(bound))
    return z3.UGE(total, number(bound)) if kind in (at_least, ge) else total == number(bound)
