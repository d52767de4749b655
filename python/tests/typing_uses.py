"""Typical uses of the package, for the check of types alone: nothing here runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sundry

if TYPE_CHECKING:
    import numpy
    import pandas


def sample(path: Path) -> list[dict[str, Any]]:
    formula = sundry.Formula.from_file(path, predicates="(define-fun p () Bool true)", timeout=1.5)
    found: Iterator[sundry.Solution] = formula.sample(strategy="cover", target=0.9, timeout=60, seed=7)
    return [solution.to_dict() for solution in found]


def figures(formula: sundry.Formula) -> tuple[float | None, int | None, bool, list[int]]:
    result: sundry.Result = formula.sample_all(progress=lambda progress: print(progress.coverage))
    solution: Mapping[str, Any] = result[0]
    first: sundry.Solution = result.solutions[0]
    assert dict(solution) == dict(first)
    return result.coverage, result.bound, result.proved, [record.gain for record in result.records]


def measure(formula: sundry.Formula) -> float:
    coverage: sundry.Coverage = formula.coverage([{"x": 1}, "((define-fun x () Bool true))"], decide=True)
    decision: sundry.Decision = formula.decide(timeout=3)
    return coverage.share + decision.possible


def tables(formula: sundry.Formula) -> tuple[numpy.ndarray[Any, Any], pandas.DataFrame]:
    return formula.sample_columns(100)["x"], formula.sample_all().to_pandas()


def shrink(script: str) -> str:
    return sundry.reduce(script, lambda candidate: "bvmul" in candidate).script


def campaigns() -> list[str]:
    fuzz = sundry.Fuzz(["z3"], seeds=["seeds"], mutants=10)
    return [finding.title for finding in fuzz.events(timeout=10)] + [str(fuzz.run().status)]


def place(error: sundry.Error) -> tuple[str | None, int | None]:
    return error.file, error.line
