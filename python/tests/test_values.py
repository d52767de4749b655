"""Values of every sort: what Python shows is what the formula says, and z3 agrees."""

from __future__ import annotations

import copy
import math
import pickle
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import sundry
import sundry.values
from sundry.smtlib import bits_of_float, parse_sort, sort_text, value_text
from sundry.z3_models import value_of


def only(sort: str, text: str) -> Any:
    """The value of a constant that is equal to a term."""
    return sundry.Formula.from_smtlib(f"(declare-const x {sort}) (assert (= x {text}))").solve()["x"]


def test_each_sort_has_its_type() -> None:
    assert only("Bool", "true") is True
    assert only("(_ BitVec 8)", "#xff") == 255
    wide = only("(_ BitVec 130)", f"(_ bv{2**129 + 5} 130)")
    assert wide == 2**129 + 5
    assert only("Int", "(- 5)") == -5
    assert only("Int", str(10**50)) == 10**50
    real = only("Real", "(/ 1.0 3.0)")
    assert real == Fraction(1, 3) and isinstance(real, Fraction)
    assert only("RoundingMode", "RTZ") is sundry.RoundingMode.TOWARD_ZERO
    assert only("(_ FloatingPoint 8 24)", "((_ to_fp 8 24) RNE 0.1)") == struct.unpack("f", struct.pack("f", 0.1))[0]


def test_floats_keep_zeros_infinities_and_subnormal_numbers() -> None:
    assert math.copysign(1, only("(_ FloatingPoint 11 53)", "(_ -zero 11 53)")) == -1
    assert math.copysign(1, only("(_ FloatingPoint 11 53)", "(_ +zero 11 53)")) == 1
    assert math.isnan(only("(_ FloatingPoint 5 11)", "(_ NaN 5 11)"))
    assert only("(_ FloatingPoint 5 11)", "(_ -oo 5 11)") == -math.inf
    assert only("(_ FloatingPoint 11 53)", "(fp #b0 #b00000000000 #x0000000000001)") == 5e-324
    assert only("(_ FloatingPoint 5 11)", "(fp #b0 #b00000 #b0000000001)") == 2.0**-24


def test_wide_floats_are_objects() -> None:
    third = only("(_ FloatingPoint 15 113)", "((_ to_fp 15 113) RNE (/ 1.0 3.0))")
    assert isinstance(third, sundry.Float) and abs(third.to_fraction() - Fraction(1, 3)) < Fraction(1, 2**113)
    assert float(third) == 1 / 3 and not third.is_negative
    large = only("(_ FloatingPoint 15 113)", "((_ to_fp 15 113) RNE (- 1e400))".replace("1e400", "1" + "0" * 400 + ".0"))
    assert float(large) == -math.inf and large.is_negative and not large.is_infinite
    # The type is that of the format, also where the value is one of 64 bits.
    for format in ("15 113", "12 53", "11 54"):
        one = only(f"(_ FloatingPoint {format})", f"((_ to_fp {format}) RNE 1.0)")
        assert isinstance(one, sundry.Float) and float(one) == 1.0
    assert isinstance(only("(_ FloatingPoint 11 53)", "((_ to_fp 11 53) RNE 1.0)"), float)


def test_arrays_and_functions_have_defaults() -> None:
    array = only("(Array Int Bool)", "(store ((as const (Array Int Bool)) false) 3 true)")
    assert array[3] is True and array[4] is False and array.default is False
    assert dict(array.entries) == {3: True} and list(array) == [3]
    text = "(declare-fun f (Int Int) Int) (assert (= (f 1 2) 7)) (assert (= (f 2 1) 8)) (assert (= (f 0 0) 8))"
    function = sundry.Formula.from_smtlib(text).solve()["f"]
    assert (function(1, 2), function(2, 1), function(0, 0)) == (7, 8, 8) and function.name == "f"
    nested = only("(Array Int (Array Int Int))", "((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 4))")
    assert nested[1][2] == 4


def test_indices_are_of_the_sort_of_the_array() -> None:
    text = "(declare-const a (Array (_ BitVec 8) (Array Int Int))) (declare-fun f ((_ BitVec 4) Bool) Int)"
    solution = sundry.Formula.from_smtlib(f"{text} (assert (= (f #x1 true) 0))").solve()
    array, function = solution["a"], solution["f"]
    assert array.index_sort == "(_ BitVec 8)" and function.argument_sorts == ("(_ BitVec 4)", "Bool")
    for value in (array, pickle.loads(pickle.dumps(array))):
        assert value[255] == value[numpy.uint8(255)] == value.default
        for index in (256, -1, 0.5):
            with pytest.raises(ValueError, match="is no index"):
                value[index]
        with pytest.raises(TypeError, match="of type int"):
            value["1"]
        with pytest.raises(ValueError, match="is no index"):
            value[0][0.5]
    floats = "(declare-const w (Array Float128 Int)) (declare-const h (Array Float16 Int)) (declare-sort U 0) (declare-const e (Array U Int))"
    wide = "(assert (= (select w ((_ to_fp 15 113) RNE 2.0)) 5)) (declare-const n (Array (Array Int Int) Int))"
    solution = sundry.Formula.from_smtlib(f"{floats} {wide}").solve()
    assert solution["w"][2.0] == solution["w"][2] == 5 and solution["h"][0.5] == solution["h"].default
    for value, wrong in ((solution["h"], 0.1), (solution["h"], 1e300), (solution["w"], Fraction(1, 3))):
        with pytest.raises(ValueError, match="is no index"):
            value[wrong]
    for name, other in (("e", 3), ("e", "x"), ("e", sundry.Element("V", 0)), ("n", 3)):
        with pytest.raises(TypeError, match="is no value"):
            solution[name][other]
    assert solution["e"][sundry.Element("U", 7)] == solution["e"].default
    assert pickle.loads(pickle.dumps(function))(15, True) == function(15, numpy.bool_(True)) == function.default
    with pytest.raises(ValueError, match="is no index: those of 4 bits"):
        function(16, True)
    with pytest.raises(TypeError, match="of type bool"):
        function(1, 1)
    with pytest.raises(TypeError, match="has 2 arguments"):
        function(1)


def test_zeros_are_different_indices() -> None:
    sort = "(Array (_ FloatingPoint 5 11) Int)"
    zeros = f"(store (store ((as const {sort}) 0) (_ +zero 5 11) 1) (_ -zero 5 11) 2)"
    array = only(sort, f"(store {zeros} (_ NaN 5 11) 3)")
    assert (array[0.0], array[-0.0], array[math.nan], array[1.0]) == (1, 2, 3, 0)
    assert array == pickle.loads(pickle.dumps(array)) and hash(array) == hash(copy.deepcopy(array))


def test_elements_of_declared_sorts_are_different() -> None:
    text = "(declare-sort U 0) (declare-const a U) (declare-const b U) (declare-const c U) (assert (and (distinct a b) (= b c)))"
    solution = sundry.Formula.from_smtlib(text).solve()
    assert solution["a"] != solution["b"] == solution["c"] and solution["a"].sort == "U"
    assert pickle.loads(pickle.dumps(solution["a"])) == solution["a"]


floats = st.floats(allow_nan=True) | st.sampled_from([0.0, -0.0, math.inf, -math.inf, 5e-324, 2.2250738585072014e-308])


@settings(max_examples=150, deadline=None)
@given(floats)
def test_doubles_survive_the_way_there_and_back(value: float) -> None:
    sort = parse_sort("(_ FloatingPoint 11 53)")
    found = only(sort_text(sort), value_text(sort, value))
    assert found == value and math.copysign(1, found) == math.copysign(1, value) or math.isnan(found) and math.isnan(value)
    if not math.isnan(value):
        assert bits_of_float(11, 53, value) == struct.unpack(">Q", struct.pack(">d", value))[0]
    assert z3.is_true(z3.simplify(value_of(sort, value) == z3.FPVal(value, z3.Float64())))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 200).flatmap(lambda width: st.tuples(st.just(width), st.integers(0, 2**width - 1))))
def test_bit_vectors_survive_the_way_there_and_back(case: tuple[int, int]) -> None:
    width, value = case
    assert only(f"(_ BitVec {width})", f"(_ bv{value} {width})") == value


@settings(max_examples=60, deadline=None)
@given(st.fractions() | st.integers().map(Fraction))
def test_rationals_survive_the_way_there_and_back(value: Fraction) -> None:
    assert only("Real", value_text("Real", value)) == value
    if value.denominator == 1:
        assert only("Int", value_text("Int", value.numerator)) == value


terms = st.recursive(
    st.sampled_from(["x", "y", "#x03", "#x80"]),
    lambda inner: st.tuples(st.sampled_from(["bvadd", "bvmul", "bvand", "bvxor", "bvudiv", "bvshl"]), inner, inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(terms, terms, st.sampled_from(["bvult", "bvsle", "=", "distinct"]))
def test_z3_finds_every_solution_true(left: str, right: str, predicate: str) -> None:
    text = f"(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (assert ({predicate} {left} {right}))"
    assertions = z3.parse_smt2_string(text)
    solver = z3.Solver()
    solver.add(assertions)
    result = sundry.Formula.from_smtlib(text).sample_all(timeout=10, effort="low")
    assert (len(result) > 0) == (solver.check() == z3.sat)
    for solution in result:
        values = solution.to_z3()
        pairs = [(z3.BitVec(name, 8), value) for name, value in values.items()]
        assert all(z3.is_true(z3.simplify(z3.substitute(assertion, *pairs))) for assertion in assertions)


def test_values_that_do_not_fit_are_refused() -> None:
    for sort, value in (("(_ BitVec 8)", 256), ("(_ BitVec 8)", -1), ("Int", 1.5), ("(_ FloatingPoint 5 11)", 0.1), ("Bool", 3)):
        with pytest.raises(sundry.InputError) as caught:
            value_text(parse_sort(sort), value)
        assert caught.value.help is not None


def test_functions_refuse_a_wrong_number_of_arguments() -> None:
    function = sundry.Function("f", {(3, 1): 6}, 0)
    assert (function(3, 1), function(0, 0)) == (6, 0)
    with pytest.raises(TypeError, match="f has 2 arguments, not 1"):
        function(3)


def test_equal_indices_of_other_types_are_found() -> None:
    half = Fraction(1, 2)
    reals = sundry.values.Array([(half, 7)], 0)
    assert [reals[index] for index in (half, 0.5, Decimal("0.5"), 1, 0.25)] == [7, 7, 7, 0, 0]
    floats = sundry.values.Array([(2.0, 7), (0.0, 8)], 0)
    assert [floats[index] for index in (2.0, 2, Fraction(2), 0, -0.0, float("nan"))] == [7, 7, 7, 8, 0, 0]
    truths = sundry.values.Array([(True, 7)], 0)
    assert (truths[True], truths[False]) == (7, 0)
    integers = sundry.values.Array([(255, 7)], 0)
    assert (integers[255.0], integers[Fraction(255)], integers[3]) == (7, 7, 0)
    function = sundry.values.Function("f", [((half, True), 7)], 0)
    assert (function(0.5, True), function(0.5, False)) == (7, 0)
    modes = sundry.values.Array([(sundry.values.RoundingMode.TOWARD_ZERO, 7)], 0)
    assert (modes["RTZ"], modes[sundry.values.RoundingMode.NEAREST_TIES_TO_EVEN]) == (7, 0)


@pytest.mark.parametrize(
    ("known", "index", "error"),
    [
        (True, 1, TypeError),
        (1, True, TypeError),
        (255, "255", TypeError),
        (Fraction(1, 2), "1/2", TypeError),
        (sundry.values.RoundingMode.TOWARD_ZERO, "RTX", ValueError),
        (2, 0.5, ValueError),
        (2, float("inf"), ValueError),
        (2.0, Fraction(1, 3), ValueError),
        (2.0, 10**400, ValueError),
    ],
)
def test_what_can_be_no_index_is_an_error(known: Any, index: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        sundry.values.Array([(known, 7)], 0)[index]


def test_numbers_of_numpy_are_indices() -> None:
    numpy = pytest.importorskip("numpy")
    assert sundry.values.Array([(2.0, 7)], 0)[numpy.float32(2)] == 7
    assert sundry.values.Array([(Fraction(1, 2), 7)], 0)[numpy.float64(0.5)] == 7
    assert sundry.values.Array([(3, 7)], 0)[numpy.uint8(3)] == 7
    assert sundry.values.Array([(True, 7)], 0)[numpy.bool_(True)] == 7
    with pytest.raises(TypeError):
        sundry.values.Array([(True, 7)], 0)[numpy.int64(1)]
