"""The coverage of models of any origin, and decisions."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from typing import Any

import pytest

import sundry
from formulas import DOOR, EXAMPLES, PICT


def test_solutions_texts_and_mappings_measure_the_same() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    result = formula.sample_all()
    of_solutions = formula.coverage(result)
    of_texts = formula.coverage(str(solution) for solution in result)
    of_mappings = formula.coverage(solution.to_dict() for solution in result)
    assert of_solutions.covered == of_texts.covered == of_mappings.covered == result.covered == 16
    assert of_solutions.gains == [record.gain for record in result.records]
    assert formula.coverage(result[0]).covered == 10 and formula.coverage([]).covered == 0


def test_decisions_make_shares_exact() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    coverage = formula.coverage(formula.sample_all(), decide=True)
    assert coverage.share == 1.0 and coverage.complete and coverage.decision is not None and coverage.decision.complete
    few = formula.coverage([], decide=True)
    # Everything is decided, and nothing covered.
    assert few.decision is not None and few.decision.complete and not few.complete and not formula.coverage(formula.sample_all()).complete
    decision = formula.decide()
    assert decision[:3] == (16, 4, 0) and decision.complete and len(decision.impossible_numbers) == 4
    assert formula.describe(decision.impossible_numbers)[0] == ("(=> locked (not open))", 0, False, 5, 9)
    assert "100 %" in repr(coverage) and 0 < formula.coverage([]).share + 1 <= 1


def test_what_is_no_solution_says_why() -> None:
    formula = sundry.Formula.from_smtlib(DOOR, name="door.smt2")
    coverage = formula.coverage([{"locked": True, "open": True, "latches": 3}])
    assert coverage.covered == 0 and coverage.faults == {0: "the assertion at door.smt2:5:1 is false"}
    for model, message in (({"window": True}, "no constant 'window'"), ({"latches": 4}, "4 is no value"), ("(", "not closed")):
        with pytest.raises(sundry.InputError, match=message):
            formula.coverage(model)
    other = sundry.Formula.from_smtlib("(declare-const p Bool)").solve()
    with pytest.raises(sundry.InputError, match="another formula"):
        formula.coverage([other])


def test_mappings_have_values_of_every_sort() -> None:
    text = """
    (declare-sort U 0) (declare-const u U) (declare-const v U)
    (declare-const n Int) (declare-const r Real) (declare-const d (_ FloatingPoint 11 53)) (declare-fun f (Int) Bool)
    (declare-const a (Array (_ BitVec 4) Bool)) (declare-const |odd name| Bool)
    (assert (and (distinct u v) (< n 0) (= r (/ 1.0 3.0)) (fp.isNaN d) (f 3) (not (f 4)) (select a #x1) |odd name|))
    """
    formula = sundry.Formula.from_smtlib(text)
    solution = formula.solve()
    assert formula.coverage(solution.to_dict()).faults == {}
    changed: dict[str, Any] = {**solution.to_dict(), "n": -7, "a": sundry.Array({2: False}, True)}
    assert formula.coverage(changed).faults == {}
    changed["r"] = Fraction(1, 4)
    assert formula.coverage(changed).faults != {}


def test_what_is_no_model_or_no_number_is_refused() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    for models in (5, [1, 2], None):
        with pytest.raises(TypeError, match="a mapping from names to values|models are solutions"):
            formula.coverage(models)  # type: ignore[arg-type]
    for number in (-1, 20, 10**6, 10**30):
        with pytest.raises(sundry.InputError, match="AST-bit|number is") as caught:
            formula.describe([number])
        assert "0 to 19" in str(caught.value.help)
    with pytest.raises(TypeError, match="number is an integer"):
        formula.describe(["first"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="timeout is a number"):
        formula.decide(timeout="5")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress is a function"):
        formula.decide(progress=3)  # type: ignore[arg-type]


def test_classes_are_counted() -> None:
    predicates = "(define-fun small () Bool (bvult x #x10)) (define-fun even () Bool (= ((_ extract 0 0) x) #b0))"
    formula = sundry.Formula.from_smtlib("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))", predicates=predicates)
    assert formula.predicates == ("small", "even")
    coverage = formula.coverage([{"x": 2}, {"x": 4}, {"x": 3}, {"x": 0x21}], decide=True)
    assert list(coverage.classes.items()) == [(("small", "even"), 2), (("small",), 1), ((), 1)]
    assert coverage.decision is not None and coverage.decision.predicates["small"] == (True, True)


def test_configurable_systems_take_names_of_values() -> None:
    formula = sundry.Formula.from_smtlib(PICT, format="pict")
    assert formula.coverage({"Disk": "NTFS", "Size": "9"}).faults == {}
    assert formula.coverage({"Disk": "FAT", "Size": "9"}).faults != {}
    with pytest.raises(sundry.InputError, match="no value 'ext4'"):
        formula.coverage({"Disk": "ext4"})
    # Names of digits come back from tables as numbers, and are names still.
    assert formula.solution({"Disk": "NTFS", "Size": 9})["Size"] == "9"
    with pytest.raises(sundry.InputError, match="no value '0'"):
        formula.solution({"Disk": "NTFS", "Size": 0})


def test_a_decision_can_run_out_of_time() -> None:
    decision = sundry.Formula.from_file(EXAMPLES / "power-of-two.smt2").decide(timeout=0)
    assert decision.unknown > 0 and not decision.complete


def test_decisions_and_measurements_report_progress() -> None:
    seen: list[sundry.Progress] = []
    formula = sundry.Formula.from_smtlib(DOOR)
    decision = formula.decide(progress=seen.append)
    assert seen and (seen[-1].covered, seen[-1].bound) == (decision.possible, None)
    seen.clear()
    coverage = formula.coverage(formula.sample_all(), progress=seen.append)
    assert (seen[-1].solutions, seen[-1].covered, seen[-1].possible) == (2, coverage.covered, coverage.total)


def test_data_frames_are_models() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    result = formula.sample_all()
    assert formula.coverage(result.to_pandas()).covered == result.covered


def test_models_of_any_origin_become_solutions() -> None:
    text = """
        (declare-fun f (Int (_ BitVec 4)) Int) (declare-const |a b| Bool) (declare-const x (_ BitVec 8))
        (assert (> (f 3 #x1) 5)) (assert (= |a b| (bvult x #x10)))
    """
    formula = sundry.Formula.from_smtlib(text)
    function = "(lambda ((x!0 Int) (x!1 (_ BitVec 4))) (ite (and (= x!0 3) (= x!1 #x1)) 6 0))"
    values = {"f": sundry.Function("f", {(3, 1): 6}, 0), "a b": True, "x": 0}
    texts = {"f": function, "a b": "true", "x": "#x00"}
    solution = formula.solution(texts)
    assert solution == formula.solution(values) == formula.solution(str(solution)) == formula.solution(solution)
    assert solution["f"](3, 1) == 6 and solution["a b"] is True
    with pytest.raises(sundry.InputError, match="no solution"):
        formula.solution({**texts, "x": "#xff"})
    with pytest.raises(sundry.InputError, match="no function") as caught:
        formula.solution({**texts, "f": "6"})
    assert caught.value.help is not None


def test_solutions_that_rest_on_a_division_by_zero_are_solutions_again() -> None:
    text = "(declare-const a Int) (declare-const b Int) (assert (> (div a b) 2)) (assert (<= 0 b 1)) (assert (<= 0 a 3))"
    formula = sundry.Formula.from_smtlib(text)
    result = formula.sample_all("all")
    assert len(result) == 5 and any(solution["b"] == 0 for solution in result)
    for solution in result:
        for again in (pickle.loads(pickle.dumps(solution)), formula.solution(solution.to_dict()), formula.solution(str(solution))):
            assert again == solution
    assert formula.coverage([solution.to_dict() for solution in result]).faults == {}


def test_values_that_no_sort_has_are_named() -> None:
    formula = sundry.Formula.from_smtlib("(declare-const r Real) (declare-const x (_ BitVec 8)) (declare-sort U 0) (declare-const u U)")
    for name, value in (("r", math.nan), ("r", math.inf), ("x", math.nan), ("x", 256), ("u", sundry.Element("V", 1))):
        with pytest.raises(sundry.InputError, match=f"^{name}: .* is no value of the sort"):
            formula.solution({name: value})
        with pytest.raises(sundry.InputError, match=f"^model 1: {name}: "):
            formula.coverage([{"x": 1}, {name: value}])
    assert formula.solution({"u": sundry.Element("U", 1)})["u"] == sundry.Element("U", 1)
    reserved = sundry.Formula.from_smtlib("(declare-const |let| Bool) (declare-const |_| Int) (assert |let|)")
    assert reserved.solution({"let": True, "_": 3})["_"] == 3


def test_a_text_without_a_model_and_the_end_of_time_are_errors() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    model = str(formula.solve())
    for texts, position in ((["unsat", model], 0), ([model, "timeout"], 1), ([f"{model} {model}", "unsat"], 1)):
        with pytest.raises(sundry.InputError, match=f"text {position} has no model"):
            formula.coverage(texts)
    with pytest.raises(sundry.LimitError, match="before all models were measured"):
        formula.coverage(itertools.repeat(model, 1_000_000), timeout=0.1)
    with pytest.raises(sundry.InputError, match="half of a character"):
        formula.coverage(["\ud800"])
