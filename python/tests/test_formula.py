"""Reading formulas, errors with their places, and single questions."""

from __future__ import annotations

import bz2
import copy
import gzip
import lzma
import os
import pickle
from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import sundry
from formulas import DOOR, EXAMPLES, PICT


def test_a_formula_knows_its_parts() -> None:
    formula = sundry.Formula.from_smtlib(DOOR, name="door.smt2")
    assert formula.name == "door.smt2"
    assert formula.constants == ("locked", "open", "latches")
    assert formula.declarations[2] == ("latches", "(_ BitVec 2)", (), ())
    assert (formula.assertions, formula.ast_bits) == (2, 20)
    assert "door.smt2" in repr(formula)


def test_files_are_read_compressed_or_not(tmp_path: Path) -> None:
    plain = sundry.Formula.from_file(EXAMPLES / "options.smt2")
    text = (EXAMPLES / "options.smt2").read_bytes()
    for suffix, module in (("gz", gzip), ("bz2", bz2), ("xz", lzma)):
        path = tmp_path / f"options.smt2.{suffix}"
        path.write_bytes(module.compress(text))
        assert sundry.Formula.from_file(path).constants == plain.constants
        path.write_bytes(module.compress(text)[:40])
        with pytest.raises(sundry.InputError, match="this .* data ends too early|is corrupt") as caught:
            sundry.Formula.from_file(path)
        assert f"-t {path}" in (caught.value.help or "")
    zstandard = tmp_path / "door.smt2.zst"
    # A frame with one block as it is.
    header = bytes([0x28, 0xB5, 0x2F, 0xFD, 0x20, len(DOOR), 1 + 8 * len(DOOR) & 0xFF, 8 * len(DOOR) >> 8, 0])
    zstandard.write_bytes(header + DOOR.encode())
    assert sundry.Formula.from_file(zstandard).constants == ("locked", "open", "latches")
    with pytest.raises(FileNotFoundError) as missing:
        sundry.Formula.from_file(tmp_path / "missing.smt2")
    assert str(missing.value).endswith(f"No such file or directory: '{tmp_path / 'missing.smt2'}'")
    with pytest.raises(sundry.InputError, match="'door.smt2' is no script") as no_script:
        sundry.Formula.from_smtlib("door.smt2")
    assert "Formula.from_file('door.smt2')" in str(no_script.value.help)


def test_configurable_systems_show_their_own_values(tmp_path: Path) -> None:
    path = tmp_path / "disk.pict"
    path.write_text(PICT)
    formula = sundry.Formula.from_file(path)
    assert formula.declarations[0].levels == ("FAT", "NTFS")
    found = {(solution["Disk"], solution["Size"]) for solution in formula.enumerate()}
    assert found == {("FAT", "1"), ("NTFS", "1"), ("NTFS", "9")}
    assert formula.solve().texts()["Disk"] in ("FAT", "NTFS")


def test_an_error_has_its_place_and_a_remedy() -> None:
    text = "(declare-const x (_ BitVec 8))\n(assert (bvult x #x1ff))\n"
    with pytest.raises(sundry.InputError) as caught:
        sundry.Formula.from_smtlib(text, name="wrong.smt2")
    error = caught.value
    assert (error.file, error.line, error.column) == ("wrong.smt2", 2, 18)
    assert error.message == "argument 2 of 'bvult' has sort (_ BitVec 12), expected (_ BitVec 8)"
    assert str(error).startswith("wrong.smt2:2:18: error: argument 2") and "^^^^^" in str(error)
    assert isinstance(error, ValueError) and isinstance(error, sundry.Error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == (str(error), 2)


def test_the_kind_of_an_error_is_its_class() -> None:
    with pytest.raises(sundry.EmptyError) as empty:
        sundry.Formula.from_smtlib("")
    assert empty.value.help is not None
    with pytest.raises(sundry.UnsupportedError):
        sundry.Formula.from_smtlib("(declare-const s String) (assert (= s \"a\"))")
    for text in ("(declare-const s String)", "(declare-datatypes ((d 0)) (((c))))"):
        with pytest.raises(sundry.UnsupportedError) as unsupported:
            sundry.Formula.from_smtlib(text)
        assert "integers, reals" in str(unsupported.value.help) and "help:" in str(unsupported.value)
    with pytest.raises(sundry.InputError, match="no format 'yaml'"):
        sundry.Formula.from_smtlib("a", format="yaml")
    with pytest.raises(sundry.InputError, match="time limit"):
        sundry.Formula.from_smtlib(DOOR, timeout=-1)


def test_one_solution_or_the_reason_why_there_is_none() -> None:
    solution = sundry.Formula.from_smtlib(DOOR).solve()
    assert solution["locked"] == (solution["latches"] == 3)
    text = "(declare-const x Int)\n(assert (> x 5))\n(assert (< x 9))\n(assert (< x 3))"
    with pytest.raises(sundry.UnsatisfiableError) as unsatisfiable:
        sundry.Formula.from_smtlib(text).solve(core=True)
    assert unsatisfiable.value.core == [("(> x 5)", 2, 1), ("(< x 3)", 4, 1)]
    assert "lines 2 and 4" in str(unsatisfiable.value)
    with pytest.raises(sundry.UnsatisfiableError) as plain:
        sundry.Formula.from_smtlib(text).solve()
    assert "solve(core=True)" in str(plain.value.help)
    with pytest.raises(sundry.UnknownError) as unknown:
        sundry.Formula.from_smtlib(DOOR).solve(timeout=0)
    assert unknown.value.help is not None


def test_a_number_is_no_text() -> None:
    with pytest.raises(TypeError, match="not int"):
        sundry.Formula.from_smtlib(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="read by Formula.from_smtlib"):
        sundry.Formula("(assert true)")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="timeout is a number, of seconds"):
        sundry.Formula.from_smtlib(DOOR, timeout="5")  # type: ignore[arg-type]
    with pytest.raises(sundry.InputError, match="integer_bits is -1"):
        sundry.Formula.from_smtlib(DOOR, integer_bits=-1)


def test_formulas_go_to_other_processes() -> None:
    formula = sundry.Formula.from_smtlib(PICT, format="pict", predicates="(define-fun first () Bool (= Disk #b0))")
    again = pickle.loads(pickle.dumps(formula))
    assert again.declarations == formula.declarations and again.predicates == ("first",)


def test_solutions_go_to_other_processes() -> None:
    formula = sundry.Formula.from_smtlib(
        "(declare-sort S 0) (declare-const s S) (declare-fun f (Int) S) (declare-const a (Array Int Bool)) (declare-const x Float32)\n"
        "(assert (and (not (= s (f 3))) (select a 5) (not (select a 6)) (fp.lt x ((_ to_fp 8 24) RNE 0.5))))"
    )
    solutions = formula.sample_all(limit=5).solutions
    again = pickle.loads(pickle.dumps(solutions))
    assert again == solutions and again[0].to_dict() == solutions[0].to_dict()
    # The formula of all of them is one, in the text and afterwards.
    assert len(pickle.dumps(solutions * 40)) < len(pickle.dumps(solutions)) + 1000
    assert formula.coverage(again).covered == formula.coverage(solutions).covered > 0
    model = sundry.Formula.from_smtlib(PICT, format="pict").solve()
    assert pickle.loads(pickle.dumps(model)) == model and copy.deepcopy(model).texts() == model.texts()
    with pytest.raises(sundry.InputError, match="another formula"):
        formula.coverage([model])


def test_solutions_are_mappings() -> None:
    solution = sundry.Formula.from_smtlib("(declare-const p Bool) (declare-const n Int) (assert (and p (= n 7)))").solve()
    assert dict(solution) == {"p": True, "n": 7} == solution.to_dict()
    assert list(solution) == ["p", "n"] == list(solution.keys()) and len(solution) == 2
    assert list(solution.items()) == [("p", True), ("n", 7)] and list(solution.values()) == [True, 7]
    assert "p" in solution and "q" not in solution and 3 not in list(solution.values())[:1]
    assert solution.get("q") is None and solution.get("q", 5) == 5 and solution.get("n") == 7
    with pytest.raises(KeyError):
        solution["q"]
    assert repr(solution) == "Solution({'p': True, 'n': 7})"
    assert "define-fun p () Bool true" in str(solution)
    assert solution == {"p": True, "n": 7} and solution != {"p": False, "n": 7}
    assert len({solution, solution}) == 1


def test_solutions_have_all_that_mappings_have() -> None:
    solution = sundry.Formula.from_smtlib("(declare-const p Bool) (declare-const n Int) (assert (and p (= n 7)))").solve()
    assert isinstance(solution, Mapping) and issubclass(sundry.Solution, Mapping)
    methods = {name for name in dir(Mapping) if getattr(Mapping, name) is not None} - set(dir(type(Mapping)))
    assert {"get", "items", "keys", "values"} <= {name for name in methods if not name.startswith("_")} <= set(dir(solution))
    assert {"__contains__", "__eq__", "__getitem__", "__iter__", "__len__"} <= set(dir(solution))
    # Keys of other types are missing, as they are in every mapping of texts.
    number: Any = 3
    assert solution.get(number) is None and solution.get(number, 5) == 5 and number not in solution
    with pytest.raises(KeyError):
        solution[number]
    others: list[Mapping[str, Any]] = [MappingProxyType({"n": 7, "p": True}), ChainMap({"n": 7}, {"p": True})]
    for other in others:
        assert solution == other and other == solution
    items: Any = [("p", True), ("n", 7)]
    assert solution != MappingProxyType({"n": 7}) and solution != items and dict(items) == solution
    assert {**solution} == dict(solution) and {**solution, "p": False}["n"] == 7


def test_reduction_asks_a_function() -> None:
    script = "(declare-const x (_ BitVec 8)) (declare-const p Bool) (assert (or p (bvult (bvmul x x) #x10))) (check-sat)"
    reduction = sundry.reduce(script, lambda candidate: "bvmul" in candidate)
    assert reduction.script == "(assert (bvult (bvmul #b0 #b0) #b0))\n" and reduction.checks > 5

    def fails(candidate: str) -> bool:
        raise RuntimeError(f"seen {len(candidate) > 0}")

    first = sundry.reduce(script, lambda candidate: "bvmul" in candidate, timeout=0)
    assert not first.finished and "bvmul" in first.script
    with pytest.raises(RuntimeError, match="seen True"):
        sundry.reduce(script, fails)
    with pytest.raises(sundry.InputError) as never:
        sundry.reduce(script, lambda candidate: None)
    assert "return a true value" in str(never.value.help)
    with pytest.raises(TypeError, match="a function of a script"):
        sundry.reduce(script, "bvmul")  # type: ignore[arg-type]
    with pytest.raises(sundry.InputError) as caught:
        sundry.reduce("(assert", lambda candidate: True)
    assert caught.value.line == 1


def test_half_of_a_character_is_an_error(tmp_path: Path) -> None:
    for read in (sundry.Formula.from_smtlib, lambda text: sundry.reduce(text, bool)):
        with pytest.raises(sundry.InputError, match="half of a character at position 1"):
            read(";\ud800")
    path = tmp_path / os.fsdecode(b"\xff.smt2")
    path.write_text("(declare-const p Bool) (assert p)")
    assert sundry.Formula.from_file(path).solve()["p"] is True
