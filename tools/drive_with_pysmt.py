#!/usr/bin/env python3
"""Drives a solver through pySMT's generic SMT-LIB solver, as programs that use pySMT do: models, levels,
arrays, functions, declared sorts, assumptions by levels, unsatisfiable cores, assignments, errors.

usage: drive_with_pysmt.py COMMAND [ARGUMENT...]     for example: drive_with_pysmt.py sundry solve
A check that fails raises an exception, with exit status 1; the script prints the names of the checks that pass.
"""

import sys

from pysmt.exceptions import UnknownSolverAnswerError
from pysmt.logics import QF_AUFBV, QF_BV, QF_UF
from pysmt.shortcuts import (
    BOOL, BV, BVAdd, BVConcat, BVExtract, BVMul, BVRol, BVSExt, BVSRem, BVUDiv, BVULT, BVZExt, And,
    Equals, FreshSymbol, Function, Iff, Implies, Ite, Not, NotEquals, Or, Select, Solver, Store, Symbol, Type,
    get_env, reset_env,
)
from pysmt.smtlib.commands import GET_ASSIGNMENT, GET_UNSAT_CORE
from pysmt.smtlib.script import SmtLibCommand
from pysmt.typing import BV8, BV32, ArrayType, BVType, FunctionType


def solver(logic, **options):
    return Solver(name="solver", logic=logic, **options)


def value(s, term):
    """The value of a term. pySMT 0.9.6 leaves the line break after the answer in the pipe, and would take it for
    the answer to the next command, whatever the solver."""
    found = s.get_value(term)
    rest = s.solver_stdout.readline()
    assert rest == "\n", rest
    return found


def models():
    x, y, p = Symbol("x", BV8), Symbol("y y", BV8), Symbol("p")
    formula = And(Equals(BVMul(x, y), BV(221, 8)), BVULT(x, y), BVULT(BV(1, 8), x), Iff(p, Equals(x, BV(13, 8))))
    with solver(QF_BV) as s:
        s.add_assertion(formula)
        assert s.solve()
        model = s.get_model()
        assert model.get_value(formula).is_true(), model
        assert s.get_value(BVAdd(x, y)).constant_value() == (
            model.get_value(x).constant_value() + model.get_value(y).constant_value()) % 256
        assert s.get_value(p).is_bool_constant()


def operators():
    x, y = Symbol("x", BV32), Symbol("y", BV32)
    with solver(QF_BV, solver_options={":verbosity": 0, ":random-seed": 7}) as s:
        terms = [BVRol(x, 3), BVUDiv(x, y), BVSRem(x, y), BVSExt(x, 5), BVZExt(y, 3), BVExtract(x, 4, 17),
                 BVConcat(x, y), Ite(BVULT(x, y), x, y)]
        for term in terms:
            result = FreshSymbol(term.get_type() if hasattr(term, "get_type") else get_env().stc.get_type(term))
            s.add_assertion(Equals(result, term))
        s.add_assertion(BVULT(x, y))
        assert s.solve()
        model = s.get_model()
        for term in terms:
            assert s.get_value(term) == model.get_value(term), term


def levels_and_several_checks():
    p, q = Symbol("p"), Symbol("q")
    with solver(QF_UF) as s:
        s.add_assertion(Or(p, q))
        assert s.solve()
        s.push()
        s.add_assertion(Not(p))
        assert s.solve() and value(s, q).is_true()
        s.push(2)
        s.add_assertion(Not(q))
        assert not s.solve()
        s.pop(2)
        assert s.solve()
        s.pop()
        s.add_assertion(p)
        assert s.solve() and value(s, p).is_true()
        # What pySMT asks by itself with levels, too.
        assert s.is_sat(q) and not s.is_sat(Not(p)) and s.is_valid(Implies(Not(q), p))
        s.reset_assertions()
        assert s.solve()


def arrays():
    a, b = (Symbol(name, ArrayType(BV8, BV8)) for name in "ab")
    i, j = Symbol("i", BV8), Symbol("j", BV8)
    formula = And(Equals(Store(a, i, BV(3, 8)), b), NotEquals(Select(a, i), Select(b, i)), NotEquals(i, j),
                  Equals(Select(b, j), BV(9, 8)))
    with solver(QF_AUFBV) as s:
        s.add_assertion(formula)
        assert s.solve()
        assert s.get_value(Select(b, i)).constant_value() == 3
        assert s.get_value(Select(a, j)).constant_value() == 9
        model = s.get_model()
        assert s.solver_stdout.readline() == "\n"
        assert model.get_value(formula).is_true(), model
        s.add_assertion(Equals(a, b))
        assert not s.solve()


def functions_and_sorts():
    sort = Type("Colour", 0)
    f = Symbol("f", FunctionType(BV8, [BV8, BOOL]))
    g = Symbol("g", FunctionType(sort, [sort]))
    x, y, t, c, d = Symbol("x", BV8), Symbol("y", BV8), Symbol("t"), Symbol("c", sort), Symbol("d", sort)
    with solver(QF_AUFBV) as s:
        s.add_assertion(Equals(Function(f, [x, Equals(x, BV(1, 8))]), BV(7, 8)))
        s.add_assertion(Equals(y, Function(f, [BV(1, 8), t])))
        s.add_assertion(Not(Equals(y, BV(7, 8))))
        s.add_assertion(And(Equals(Function(g, [c]), d), Not(Equals(c, d))))
        assert s.solve()
        # pySMT cannot read back what it asks about applications of functions, so their values are asked by name.
        assert value(s, y).constant_value() != 7
        assert value(s, Equals(c, d)).is_false()
        if value(s, x).constant_value() == 1:
            assert value(s, t).is_false()
        s.push()
        s.add_assertion(And(Equals(Function(g, [Function(g, [c])]), c), Equals(Function(g, [d]), d)))
        assert not s.solve()
        s.pop()
        assert s.solve()


def raw(s, text):
    """Sends a command that pySMT's solver has no method for."""
    s.solver_stdin.write(text + "\n")
    s.solver_stdin.flush()
    return s._get_answer()


def whole_answer(s):
    """An answer that may have several lines."""
    answer = s._get_answer()
    while answer.count("(") > answer.count(")"):
        answer += " " + s._get_answer()
    return answer


def cores_and_assignments():
    options = {":produce-unsat-cores": "true", ":produce-assignments": "true"}
    with solver(QF_UF, solver_options=options) as s:
        for name in ("p", "q"):
            s._declare_variable(Symbol(name))
        for text in ("(assert (! p :named left))", "(assert (! (or p q) :named idle))",
                     "(assert (or (! q :named inner) (! (not q) :named other)))"):
            assert raw(s, text) == "success", text
        assert s.solve()
        s._send_command(SmtLibCommand(GET_ASSIGNMENT, []))
        answer = whole_answer(s)
        assert "(left true)" in answer and "(idle true)" in answer, answer
        assert ("(inner true)" in answer) != ("(other true)" in answer), answer
        assert raw(s, "(assert (! (not p) :named right))") == "success"
        assert not s.solve()
        s._send_command(SmtLibCommand(GET_UNSAT_CORE, []))
        names = whole_answer(s)
        assert sorted(names.strip("()").split()) == ["left", "right"], names


def errors():
    with solver(QF_BV) as s:
        try:
            s.set_option(":random-seed", "many")
        except UnknownSolverAnswerError as error:
            assert "(error " in str(error), error
        else:
            raise AssertionError("a wrong value was accepted")
        assert raw(s, "(assert (= undeclared true))").startswith("(error ")
        assert raw(s, "(get-model)").startswith("(error ")
        # The conversation goes on.
        x = Symbol("x", BVType(3))
        s.add_assertion(Equals(x, BV(5, 3)))
        assert s.solve() and s.get_value(x).constant_value() == 5


def main():
    command = sys.argv[1:]
    checks = [models, operators, levels_and_several_checks, arrays, functions_and_sorts, cores_and_assignments, errors]
    for check in checks:
        reset_env()
        get_env().factory.add_generic_solver("solver", command, [QF_BV, QF_UF, QF_AUFBV])
        check()
        print(check.__name__, flush=True)


main()
