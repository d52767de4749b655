"""Formulas of z3 that need more than what z3 prints, and the stand-in for its solver."""

from __future__ import annotations

import itertools
import time
from typing import Any, Callable

import pytest
import z3

import sundry
from formulas import HARD
from sundry import z3_models, z3_scripts


def values(source: Any, name: str = "x", **options: Any) -> set[Any]:
    """The values of a constant in all solutions."""
    return {solution[name] for solution in sundry.Formula.from_z3(source, **options).enumerate()}


SOLVERS: dict[str, Callable[[], Any]] = {
    "default": z3.Solver,
    "simple": z3.SimpleSolver,
    "logic": lambda: z3.SolverFor("QF_BV"),
    "tactics": lambda: z3.Then("simplify", "solve-eqs", "smt").solver(),
    "optimizer": z3.Optimize,
    "context": lambda: z3.Solver(ctx=z3.Context()),
}


@pytest.mark.parametrize("kind", SOLVERS)
def test_tracked_assertions_hold_and_implications_are_none(kind: str) -> None:
    solver = SOLVERS[kind]()
    x, q, r = z3.BitVec("x", 8, solver.ctx), z3.Bool("q", solver.ctx), z3.Bool("r", solver.ctx)
    # Of the two implications, at most one has a premise that holds.
    solver.add(z3.Implies(q, x == 1), z3.Implies(r, x == 2))
    assert len(values(solver)) == 256
    solver.assert_and_track(z3.ULT(x, 3), z3.Bool("first", solver.ctx))
    found = [(solution["x"], solution["first"]) for solution in sundry.Formula.from_z3(solver).enumerate()]
    # The premises are free where their implications allow it.
    assert sorted(found) == [(0, True), (1, True), (1, True), (2, True), (2, True)]
    solver.push()
    solver.assert_and_track(z3.UGT(x, 0), z3.Bool("second", solver.ctx))
    assert values(solver) == {1, 2}
    solver.pop()
    assert solver.check() == z3.sat and values(solver) == {0, 1, 2}
    solver.assert_and_track(z3.BoolVal(False, solver.ctx), z3.Bool("never", solver.ctx))
    assert values(solver) == set()


def test_a_solver_keeps_its_model() -> None:
    x = z3.BitVec("x", 8)
    solver = z3.Solver()
    solver.assert_and_track(x == 3, "three")
    assert solver.check() == z3.sat and values(solver) == {3} and solver.model()[x].as_long() == 3


def test_tracked_assertions_may_contradict_each_other() -> None:
    x = z3.BitVec("x", 8)
    solver = z3.Solver()
    solver.assert_and_track(x == 1, "one")
    solver.assert_and_track(x == 2, "two")
    solver.add(z3.Implies(z3.Bool("q"), x == 3))
    assert values(solver) == set()


def test_assumptions_hold_besides() -> None:
    x, p = z3.BitVec("x", 8), z3.Bool("p")
    solver = z3.Solver()
    solver.add(z3.Implies(p, z3.ULT(x, 3)))
    assert values(solver, assumptions=[p, x != 0]) == {1, 2} and len(values(solver)) == 256


def test_sums_of_truth_values_are_those_of_z3() -> None:
    names = z3.Bools("a b c")

    def sums(bound: int) -> list[Any]:
        made = [z3.PbLe([(name, weight) for weight, name in enumerate(names, -1)], bound)]
        if bound >= 0:
            made += [z3.AtMost(*names, bound), z3.AtLeast(*names, bound), z3.Not(z3.AtMost(z3.AtLeast(*names, 2), names[0], bound))]
            made += [z3.PbEq([(name, weight) for weight, name in enumerate(names)], bound)]
            made += [z3.PbGe([(name, 3 - weight) for weight, name in enumerate(names)], bound)]
        return made

    for term in itertools.chain.from_iterable(sums(bound) for bound in range(-2, 6)):
        expected = set()
        for point in itertools.product((False, True), repeat=3):
            fixed = z3.substitute(term, *((name, z3.BoolVal(value)) for name, value in zip(names, point)))
            if z3.is_true(z3.simplify(fixed)):
                expected.add(point)
        # Terms that are always true, so that no constant goes missing.
        everything = [z3.Or(name, z3.Not(name)) for name in names]
        found = sundry.Formula.from_z3([term, *everything]).enumerate()
        assert {tuple(solution[str(name)] for name in names) for solution in found} == expected, term


def test_powers_are_products() -> None:
    x, y, r, p = z3.Int("x"), z3.Int("y"), z3.Real("r"), z3.Bool("p")
    assert sundry.Formula.from_z3([x**2 == 9, x < 0]).solve()["x"] == -3
    nested = sundry.Formula.from_z3([(x**2 + 1) ** 3 == 125, z3.AtMost(p, x**3 < 0, 1), p]).solve()
    assert nested["x"] == 2
    assert "(* r r r)" in z3_scripts.script_of(r**3 == r)
    for power in (x**y, 2**x, x**-1, x**0, x**65, r ** z3.Q(1, 2)):
        with pytest.raises(sundry.UnsupportedError, match="has no form in SMT-LIB"):
            sundry.Formula.from_z3(power == 1)


def test_models_of_z3_are_measured() -> None:
    x, f = z3.BitVec("x", 8), z3.Function("f", z3.BitVecSort(8), z3.BoolSort())
    solver = z3.Solver()
    solver.add(z3.ULT(x, 4), f(x))
    assert solver.check() == z3.sat
    formula, model = sundry.Formula.from_z3(solver), solver.model()
    whole = formula.coverage([formula.solution(model)])
    assert whole.faults == {} and whole.covered > 0
    for models in (model, [model], model.sexpr(), [model.sexpr()]):
        assert formula.coverage(models).covered == whole.covered


def test_what_z3_does_not_assert_is_refused() -> None:
    for name in ("a|b", "a\\b"):
        with pytest.raises(sundry.InputError, match="no way to write the name") as caught:
            sundry.Formula.from_z3(z3.Bool(name))
        assert "rename it" in str(caught.value.help)
    assert sundry.Formula.from_z3(z3.Bool('a "quoted" name')).constants == ('a "quoted" name',)
    wrong: list[Any] = [5, "x", None]
    for source in wrong:
        with pytest.raises(TypeError, match="nothing that z3 asserts"):
            sundry.Formula.from_z3(source)
    for source in (*wrong, [5], ["x"]):
        with pytest.raises(TypeError, match="no formula of pySMT"):
            sundry.Formula.from_pysmt(source)


def test_the_stand_in_names_a_core() -> None:
    x = z3.BitVec("x", 8)
    solver = z3_models.Solver()
    solver.assert_and_track(z3.ULT(x, 3), "small")
    solver.push()
    solver.assert_and_track(z3.UGT(x, 5), z3.Bool("large"))
    solver.assert_and_track(x != 9, "other")
    assert solver.check() == z3.unsat and {str(part) for part in solver.unsat_core()} == {"small", "large"}
    solver.pop()
    assert solver.check() == z3.sat and solver.model()[x].as_long() < 3
    with pytest.raises(sundry.InputError, match="no core"):
        solver.unsat_core()
    assert solver.check([x == 7, x != 1]) == z3.unsat
    assert {str(part) for part in solver.unsat_core()} == {"small", "x == 7"}
    while solver.check() == z3.sat:
        pass
    with pytest.raises(sundry.InputError, match="no further one"):
        solver.unsat_core()
    assert "bvult" in solver.to_smt2() and "=>" not in solver.to_smt2() and "=>" in solver.sexpr()


def test_the_stand_in_has_the_parameters_and_figures_of_a_loop() -> None:
    hard = z3_models.Solver()
    hard.add(z3.parse_smt2_string(HARD))
    hard.set("timeout", 300)
    begin = time.monotonic()
    assert hard.check() == z3.unknown and hard.reason_unknown() == "timeout" and hard.check() == z3.unknown
    assert time.monotonic() - begin < 10
    x = z3.BitVec("x", 16)

    def first(**parameters: Any) -> list[int]:
        solver = z3_models.Solver()
        solver.add(x != 0)
        solver.set(timeout=60_000, unsat_core=True, **parameters)
        found = []
        for _ in range(20):
            assert solver.check() == z3.sat
            found.append(solver.model()[x].as_long())
        assert solver.statistics()["checks"] == 20 == solver.statistics().get_key_value("solutions")
        return found

    assert first(random_seed=3) == first(random_seed=3) != first(random_seed=4)


def test_the_stand_in_refuses_what_it_does_not_have() -> None:
    wrong: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: z3_models.Solver(limt=5), TypeError, "no option 'limt'"),
        (lambda: z3_models.Solver("best"), sundry.InputError, "no strategy 'best'"),
        (lambda: z3_models.Solver(effort="low"), sundry.InputError, "effort has no effect"),
        (lambda: z3_models.Solver(limit="5"), TypeError, "limit is an integer"),
        (lambda: z3_models.Solver(progress=3), TypeError, "progress is a function"),
        (lambda: z3_models.Solver().set("speed", 3), sundry.InputError, "no parameter 'speed'"),
        (lambda: z3_models.Solver().set("timeout"), sundry.InputError, "has no value"),
        (lambda: z3_models.Solver().set("timeout", "long"), TypeError, "timeout is an integer"),
        (lambda: z3_models.Solver().cube(), AttributeError, "no 'cube', which z3.Solver has"),
    ]
    for call, kind, message in wrong:
        with pytest.raises(kind, match=message):
            call()


def different_models(terms: list[Any], values: Any, most: int) -> tuple[set[str], Any, str]:
    """What a loop finds, what its last check says, and why."""
    solver = z3_models.Solver()
    solver.add(*terms)
    found: set[str] = set()
    count = 0
    answer = solver.check()
    while answer == z3.sat and count < most:
        found.add(str(values(solver.model())))
        count += 1
        answer = solver.check()
    assert len(found) == count
    return found, answer, solver.reason_unknown()


def test_loops_go_on_where_the_strategy_finds_nothing_new() -> None:
    x = z3.Int("x")
    function = z3.Function("f", z3.IntSort(), z3.IntSort())
    array = z3.Array("a", z3.BitVecSort(8), z3.BitVecSort(8))
    found, answer, reason = different_models([x > 0, x * x < 1000], lambda model: model[x], 100)
    assert (len(found), answer, reason) == (31, z3.unsat, "complete")
    assert different_models([x == 3], lambda model: model[x], 100)[1:] == (z3.unsat, "complete")
    found, _, _ = different_models([array[0] == 1], lambda model: model[array], 30)
    assert len(found) == 30
    found, answer, reason = different_models(
        [function(x) == 3, x > 0, x < 30], lambda model: (model[x], model[function]), 100
    )
    assert len(found) >= 29
    # Other functions may differ elsewhere, which no clause says.
    assert answer == z3.sat or (answer, reason) == (z3.unknown, "nothing-new")


def test_loops_about_floats_end() -> None:
    tiny = z3.FP("tiny", z3.FPSort(3, 3))
    found, answer, _ = different_models([z3.Not(z3.fpIsNormal(tiny))], lambda model: model[tiny].sexpr(), 100)
    # Two zeros, two infinities, six subnormal numbers, and NaN.
    assert (len(found), answer) == (11, z3.unsat)


def test_a_solver_is_a_context_of_its_own_scope() -> None:
    x = z3.BitVec("x", 8)
    solver = z3_models.Solver()
    with solver as same:
        same.add(x != x)
        assert solver.check() == z3.unsat
    assert (solver.num_scopes(), solver.check()) == (0, z3.sat)


def test_names_that_smtlib_has_between_bars_only() -> None:
    names = ["x'", "1x", "8.5y", "x#1", "#q", "a:b", "a b", "é"]
    formula = sundry.Formula.from_z3([z3.Real(name) > z3.Q(1, 3) for name in names])
    assert sorted(formula.solve()) == sorted(names)
    for name, message in (("let", "a word of SMT-LIB"), ("as", "a word of SMT-LIB"), ("and", "cannot be declared")):
        with pytest.raises(sundry.InputError, match=message) as caught:
            sundry.Formula.from_z3(z3.Int(name) > 3)
        assert caught.value.help is not None


def test_vectors_and_results_of_tactics_are_read() -> None:
    x, y = z3.BitVecs("x y", 4)
    solver = z3.Solver()
    solver.add(x == 3)
    assert sundry.Formula.from_z3(solver.assertions()).solve()["x"] == 3
    assert sundry.Formula.from_z3(z3.Tactic("simplify")(x == y + 1), assumptions=x == 4).solve()["y"] == 3


def test_all_sorts_of_models_are_those_of_z3() -> None:
    solver = z3_models.Solver()
    named, other = z3.Consts("p r", z3.DeclareSort("my sort"))
    mode = z3.Const("m", z3.RTZ().sort())
    solver.add(named != other, mode != z3.RNE())
    assert solver.check() == z3.sat
    model = solver.model()
    assert model[named] is not None and z3.is_true(model.eval(named != other)) and z3.is_true(model.eval(mode != z3.RNE()))
    measured = z3.Solver()
    measured.add(named != other)
    assert measured.check() == z3.sat
    assert sundry.Formula.from_z3(measured).coverage([measured.model(), measured.model().sexpr()]).faults == {}
    context = z3.Context()
    half = sundry.Formula.from_smtlib("(declare-const h Float16) (declare-const a (Array Float16 Float16))").solve()
    assert all(value.ctx == context for value in half.to_z3(context).values())
    system = sundry.Formula.from_smtlib("B: 1, 2, 3\nC: 10, 20\n", format="pict")
    for solution in system.t_wise():
        assert solution.to_z3()["B"].as_long() == ["1", "2", "3"].index(solution["B"])


def test_a_set_that_covers_a_formula_is_not_all_there_is() -> None:
    x, y = z3.BitVecs("x y", 4)
    for strategy in ("cover", "pan"):
        solver = z3_models.Solver(strategy)
        solver.add(z3.ULT(x, y))
        while (answer := solver.check()) == z3.sat:
            pass
        assert answer == z3.unknown and solver.reason_unknown() == "covered"
        solver.add(x == y)
        assert solver.check() == z3.unsat


def test_models_of_z3_have_the_results_of_divisions_by_zero() -> None:
    a, b, r = z3.Int("a"), z3.Int("b"), z3.Real("r")
    constraints = [a / b == 3, a % b == 7, r / 0 == 5, a >= 0, a <= 2, b >= 0, b <= 1]
    solver = z3_models.Solver()
    solver.add(constraints)
    models: list[z3.ModelRef] = []
    while len(models) < 4 and solver.check() == z3.sat:
        models.append(solver.model())
    assert models and all(z3.is_true(model.eval(each, True)) for model in models for each in constraints)
    # A loop that excludes models with clauses does not see them.
    excluded, is_exact = z3_models.exclusion(z3, models[0])
    assert len(excluded.children()) == 3 and is_exact
