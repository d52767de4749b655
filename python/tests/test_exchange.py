"""The way to z3 and pySMT and back."""

from __future__ import annotations

from typing import Any

import pytest
import z3
from pysmt.environment import Environment
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.shortcuts import (
    GT, BV, BVULT, And, Equals, Function, Int, Not, Plus, Pow, Real, Select, Solver, Symbol, Type, get_env,
    get_model, is_sat, reset_env,
)  # fmt: skip
from pysmt.typing import ARRAY_INT_INT, BV8, INT, REAL, FunctionType

import sundry
from sundry import pysmt_models, z3_models


@pytest.fixture(autouse=True)
def new_environment() -> None:
    """An environment of pySMT without the symbols of other tests."""
    reset_env()


def test_solvers_terms_and_goals_of_z3_are_read() -> None:
    x, p = z3.BitVec("x", 8), z3.Bool("p")
    solver = z3.Solver()
    solver.add(z3.ULT(x, 3), p)
    goal = z3.Goal()
    goal.add(z3.ULT(x, 3), p)
    for source in (solver, goal, [z3.ULT(x, 3), p], z3.And(z3.ULT(x, 3), p)):
        found = {(solution["x"], solution["p"]) for solution in sundry.Formula.from_z3(source).enumerate()}
        assert found == {(0, True), (1, True), (2, True)}
    with pytest.raises(sundry.InputError, match="no Boolean term"):
        sundry.Formula.from_z3([x])


def test_solutions_are_values_of_z3() -> None:
    a = z3.Array("a", z3.IntSort(), z3.RealSort())
    n, f, mode, strange = z3.Int("n"), z3.FP("f", z3.Float32()), z3.Const("m", z3.RNE().sort()), z3.Bool("a b")
    terms = [a[n] == z3.Q(1, 3), n == -5, z3.fpGT(f, z3.FPVal(0.5, z3.Float32())), strange, mode == z3.RTZ()]
    formula = sundry.Formula.from_z3(terms)
    values = formula.solve().to_z3()
    pairs = [(a, values["a"]), (n, values["n"]), (f, values["f"]), (strange, values["a b"]), (mode, values["m"])]
    for term in terms:
        assert z3.is_true(z3.simplify(z3.substitute(term, *pairs))), term


def test_loops_for_different_models_of_z3_stay_as_they_are() -> None:
    x, y = z3.BitVecs("x y", 16)
    solver = z3_models.Solver(limit=100)
    solver.add(z3.ULT(x, y))
    models = []
    while solver.check() == z3.sat:
        model = solver.model()
        assert z3.is_true(model.eval(z3.ULT(x, y)))
        models.append((model[x].as_long(), model[y].as_long()))
    assert len(set(models)) == len(models) == 100
    solver.push()
    solver.add(x == y)
    assert solver.check() == z3.unsat
    with pytest.raises(z3.Z3Exception, match="model is not available"):
        solver.model()
    with pytest.raises(sundry.InputError, match="no model"):
        solver.solution  # noqa: B018
    solver.pop()
    assert solver.check() == z3.sat and len(solver.assertions()) == 1


def test_models_are_those_of_z3() -> None:
    sort = z3.DeclareSort("S")
    p, q = z3.Consts("p q", sort)
    f, n = z3.Function("f", z3.IntSort(), sort, z3.IntSort()), z3.Int("n")
    solver = z3_models.Solver()
    solver += [p != q, f(n, p) == n + 1, f(n, q) == 7, n > 3]
    assert solver.check() == z3.sat
    model = solver.model()
    assert {str(declaration) for declaration in model} == {"p", "q", "f", "n"}
    for term in solver.assertions():
        assert z3.is_true(model.eval(term, model_completion=True)), term
    fresh = z3.Int("fresh")
    assert model.eval(fresh + n, model_completion=True).as_long() == model[n].as_long()


def test_models_may_be_excluded_as_in_z3() -> None:
    x, y = z3.BitVecs("x y", 2)
    solver = z3_models.Solver()
    solver.add(z3.ULT(x, y))
    models = set()
    while solver.check() == z3.sat:
        model = solver.model()
        models.add((model[x].as_long(), model[y].as_long()))
        solver.add(z3.Or([declaration() != model[declaration] for declaration in model]))
    assert models == {(a, b) for b in range(4) for a in range(b)}
    solver.reset()
    solver.add(z3.ULT(x, y))
    assert solver.check(x == 1) == z3.sat and solver.model()[x].as_long() == 1
    assert solver.check(x == 3) == z3.unsat and solver.check() == z3.sat
    limited = z3_models.Solver(limit=1)
    limited.add(z3.ULT(x, y))
    assert [limited.check(), limited.check()] == [z3.sat, z3.unknown]
    assert limited.reason_unknown() == "max-solutions"


def test_formulas_of_pysmt_are_read_and_solutions_are_constants() -> None:
    x, n, r, a = Symbol("x", BV8), Symbol("n", INT), Symbol("r", REAL), Symbol("a", ARRAY_INT_INT)
    formula = And(BVULT(x, BV(3, 8)), GT(n, Int(4)), Equals(r, Real((1, 3))), Equals(Select(a, n), Int(7)))
    for source in (formula, formula.args()):
        values = sundry.Formula.from_pysmt(source).solve().to_pysmt(get_env())
        assert formula.substitute(values).simplify().is_true()
    models = list(pysmt_models.models(BVULT(x, BV(3, 8)), strategy="all"))
    assert sorted(model[x].constant_value() for model in models) == [0, 1, 2]


def test_powers_of_pysmt_are_products() -> None:
    r = Symbol("r", REAL)
    cube = And(Equals(Pow(r, Real(3)), Real(8)), GT(Pow(r, Real(1)), Real(1)))
    assert "(* r r r)" in pysmt_models.script_of(cube)
    for exponent in (-2, 0, 65, (1, 2)):
        with pytest.raises(sundry.UnsupportedError, match="has no form in SMT-LIB"):
            sundry.Formula.from_pysmt(Equals(Pow(r, Real(exponent)), Real(1)))


def test_sundry_is_a_solver_of_pysmt() -> None:
    pysmt_models.register()
    pysmt_models.register()
    x = Symbol("x", BV8)
    with Solver(name="sundry", logic="QF_BV") as solver:
        solver.add_assertion(BVULT(x, BV(2, 8)))
        assert solver.solve() and solver.get_model()[x].constant_value() < 2
        solver.push()
        solver.add_assertion(Not(Equals(x, BV(1, 8))))
        assert solver.solve() and solver.get_value(x) == BV(0, 8)
        assert not solver.solve([Equals(x, BV(1, 8))])
        with pytest.raises(sundry.InputError, match="no model"):
            solver.get_value(x)
        solver.pop()
        assert solver.solve([Equals(x, BV(1, 8))]) and len(solver.assertions) == 1
        assert solver.is_sat(Equals(x, BV(0, 8))) and solver.is_valid(BVULT(x, BV(3, 8)))
    formula = And(GT(Symbol("n", INT), Int(4)), Not(GT(Symbol("n", INT), Int(5))))
    model = get_model(formula, solver_name="sundry")
    assert model[Symbol("n", INT)].constant_value() == 5
    assert is_sat(formula, solver_name="sundry") and not is_sat(And(formula, Not(formula)), solver_name="sundry")
    with Solver(name="sundry", logic="QF_BV", solver_options={"timeout": 0}) as solver:
        solver.add_assertion(BVULT(x, BV(2, 8)))
        with pytest.raises(SolverReturnedUnknownResultError):
            solver.solve()
    with pytest.raises(sundry.InputError, match="no option 'speed'"):
        Solver(name="sundry", logic="QF_BV", solver_options={"speed": 3})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    calls: dict[str, Any] = {
        "z3": lambda: sundry.Formula.from_z3([]),
        "pysmt": lambda: sundry.Formula.from_pysmt([]),
        "numpy": lambda: sundry.Formula.from_smtlib("(declare-const p Bool)").sample_columns(1),
    }
    for package, call in calls.items():
        for name in [package, *(name for name in sys.modules if name.startswith(f"{package}."))]:
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(sundry.MissingPackageError, match="not installed") as caught:
            call()
        assert str(caught.value.help).startswith("pip install") and isinstance(caught.value, ImportError)
        monkeypatch.undo()


def test_values_of_functions_in_pysmt() -> None:
    pysmt_models.register()
    f, g = (Symbol(name, FunctionType(INT, [INT])) for name in ("f", "g"))
    x = Symbol("x", INT)
    with Solver(name="sundry") as solver:
        solver.add_assertion(GT(Function(f, [x]), Int(5)))
        solver.add_assertion(Equals(Function(f, [Plus(x, Int(1))]), Function(f, [Function(f, [x])])))
        assert solver.solve()
        assert solver.get_value(Function(f, [x])).constant_value() > 5
        assert solver.get_value(Equals(Function(f, [Plus(x, Int(1))]), Function(f, [Function(f, [x])]))).is_true()
        assert solver.solution["f"](int(solver.get_value(x).constant_value())) > 5
        with pytest.raises(sundry.InputError, match="function g was not in the question"):
            solver.get_value(Function(g, [x]))


def test_declared_sorts_have_no_values_in_pysmt() -> None:
    u, v, p = Symbol("u", Type("U")), Symbol("v", Type("U")), Symbol("truth")
    pysmt_models.register()
    with Solver(name="sundry", random_seed=3) as solver:
        solver.add_assertion(And(p, Not(Equals(u, v))))
        assert solver.solve() and solver.get_value(p).is_true()
    for options in ({"solver_options": {"timeout": "a"}}, {"unsat_cores_mode": "all"}):
        with pytest.raises((TypeError, sundry.InputError)):
            Solver(name="sundry", **options)
    with pytest.raises(TypeError, match="no option 'bogus'|unexpected keyword"):
        pysmt_models.models(p, bogus=1)


def test_other_environments_of_pysmt_have_the_solver_too() -> None:
    environment = Environment()
    pysmt_models.register(environment=environment)
    manager = environment.formula_manager
    z = manager.Symbol("z", INT)
    solver = environment.factory.Solver(name="sundry")
    solver.add_assertion(manager.GT(z, manager.Int(4)))
    assert solver.solve() and solver.get_value(manager.Plus(z, manager.Int(1))).constant_value() > 5
