"""Solutions by columns: arrays of numpy and data frames."""

from __future__ import annotations

from fractions import Fraction

import numpy
import pytest

import sundry
from formulas import DOOR, PICT, WIDE


def test_columns_have_the_values_of_the_solutions() -> None:
    formula = sundry.Formula.from_smtlib(WIDE)
    columns = formula.sample_columns(500, seed=5)
    solutions = formula.sample_all("smtsampler", limit=500, seed=5)
    assert list(columns) == ["x", "y"] and columns["x"].dtype == numpy.uint64 and len(columns["x"]) == 500
    assert columns["x"].tolist() == [solution["x"] for solution in solutions]
    assert columns["y"].tolist() == solutions.to_numpy()["y"].tolist()
    columns["x"][0] = 3
    assert columns["x"][0] == 3, "the array belongs to the caller"


def test_batches_bound_the_memory() -> None:
    batches = list(sundry.Formula.from_smtlib(WIDE).column_batches(1000, rows=200))
    sizes = [len(batch["x"]) for batch in batches]
    assert sum(sizes) == 1000 and len(sizes) >= 4 and max(sizes) < 264


def test_every_sort_has_its_type() -> None:
    text = """
    (declare-const p Bool) (declare-const b (_ BitVec 71)) (declare-const n Int) (declare-const big Int) (declare-const r Real)
    (declare-const d (_ FloatingPoint 11 53)) (declare-const s (_ FloatingPoint 8 24)) (declare-const a (Array Int Bool))
    (declare-fun f (Int) Int)
    (assert (and p (= b (_ bv1180591620717411303424 71)) (= n (- 3)) (= big 100000000000000000000) (= r 0.5)))
    (assert (and (= d ((_ to_fp 11 53) RNE 1.5)) (= s ((_ to_fp 8 24) RNE 0.25)) (select a 1) (= (f 1) 2)))
    """
    formula = sundry.Formula.from_smtlib(text)
    for columns in (formula.sample_columns(1, "cover"), formula.sample_all().to_numpy()):
        types = {name: str(column.dtype) for name, column in columns.items()}
        assert types == {
            "p": "bool", "b": "object", "n": "int64", "big": "object", "r": "object", "d": "float64", "s": "float32", "a": "object"
        }  # fmt: skip
        values = {name: column[0] for name, column in columns.items()}
        assert values["p"] and values["b"] == 1 << 70 and values["n"] == -3 and values["big"] == 10**20
        assert values["r"] == Fraction(1, 2) and values["d"] == 1.5 and values["s"] == 0.25 and values["a"][1] is True


def test_frames_have_a_row_for_each_solution() -> None:
    frame = sundry.Formula.from_smtlib(WIDE).to_pandas(50)
    assert frame.shape == (50, 2) and frame["x"].nunique() > 1
    frame = sundry.Formula.from_smtlib(DOOR).sample_all().to_pandas()
    assert list(frame.columns) == ["locked", "open", "latches"] and frame["locked"].tolist() == [False, True]


def test_configurable_systems_have_columns_of_names() -> None:
    formula = sundry.Formula.from_smtlib(PICT, format="pict")
    columns = formula.sample_columns(10, "all")
    assert sorted(zip(columns["Disk"], columns["Size"])) == [("FAT", "1"), ("NTFS", "1"), ("NTFS", "9")]
    assert formula.t_wise().to_pandas()["Disk"].isin(["FAT", "NTFS"]).all()


def test_rows_of_columns_are_models() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    columns = formula.sample_columns(5)
    rows = [{name: column[row] for name, column in columns.items()} for row in range(len(columns["locked"]))]
    assert rows and formula.coverage(rows).faults == {}
    assert formula.coverage(columns).covered == formula.coverage(rows).covered
    with pytest.raises(sundry.InputError, match="different lengths"):
        formula.coverage(dict(columns, locked=columns["locked"][:1]))


def test_errors_come_from_columns_too() -> None:
    with pytest.raises(sundry.InputError):
        sundry.Formula.from_smtlib(DOOR).sample_columns(10, "guided")
    empty = sundry.Formula.from_smtlib("(declare-const p Bool) (assert (and p (not p)))").sample_columns(10)
    assert [len(column) for column in empty.values()] == [0]


def test_columns_without_rows_have_their_types() -> None:
    text = "(declare-const p Bool) (declare-const x (_ BitVec 8)) (declare-const d Float64) (declare-const n Int) (declare-const r Real)"
    empty = sundry.Formula.from_smtlib(f"{text} (assert (and p (not p)))").sample_columns(10)
    assert [column.dtype.name for column in empty.values()] == ["bool", "uint64", "float64", "int64", "object"]
    assert all(len(column) == 0 for column in empty.values())


def test_columns_report_the_number_of_rows() -> None:
    seen: list[sundry.Progress] = []
    columns = sundry.Formula.from_smtlib(WIDE).sample_columns(3000, progress=seen.append)
    assert all(len(column) == 3000 for column in columns.values())
    assert seen[-1].solutions == 3000 and seen[-1].coverage is None
    sundry.Formula.from_smtlib(DOOR).sample_columns(10, "cover", progress=seen.append)
    assert seen[-1].solutions == 2
    with pytest.raises(sundry.InputError, match="rows is 0"):
        sundry.Formula.from_smtlib(WIDE).column_batches(10, rows=0)
