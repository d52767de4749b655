"""Sundry turns logical constraints into tests.

A :class:`Formula` is read from SMT-LIB, from z3 or pySMT, or from a model of a configurable system (DIMACS, UVL, PICT).
:meth:`Formula.sample` yields a small, diverse set of solutions that together exercise everything the formula leaves open;
:meth:`Formula.sample_all` returns them with the coverage, and the proof of how much that is.

>>> import sundry
>>> formula = sundry.Formula.from_smtlib("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")
>>> result = formula.sample_all()
>>> result.coverage, len(result), result.proved
(1.0, 2, True)

Packages of others (numpy, pandas, matplotlib, z3, pySMT, tqdm) are imported when they are needed, and none of them has to be
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sundry._native import Solution, __version__
from sundry.errors import (
    EmptyError,
    Error,
    InputError,
    InternalError,
    LimitError,
    MissingPackageError,
    UnknownError,
    UnsatisfiableError,
    UnsupportedError,
)
from sundry.formula import Declaration, Formula
from sundry.reduction import Reduction, reduce
from sundry.values import Array, Element, Float, Function, RoundingMode

if TYPE_CHECKING:
    from sundry.campaigns import Explore, Fuzz, Stress
    from sundry.coverage import Coverage, Decision
    from sundry.result import Result
    from sundry.progress import Progress
    from sundry.sampling import Sampling

__all__ = [
    "Array",
    "Coverage",
    "Decision",
    "Declaration",
    "Element",
    "EmptyError",
    "Error",
    "Explore",
    "Float",
    "Formula",
    "Function",
    "Fuzz",
    "InputError",
    "InternalError",
    "LimitError",
    "MissingPackageError",
    "Progress",
    "Reduction",
    "Result",
    "RoundingMode",
    "Sampling",
    "Solution",
    "Stress",
    "UnknownError",
    "UnsatisfiableError",
    "UnsupportedError",
    "__version__",
    "reduce",
]

# Classes that many programs never use are imported with their first use.
_LATER = {
    "Coverage": "coverage",
    "Decision": "coverage",
    "Explore": "campaigns",
    "Fuzz": "campaigns",
    "Progress": "progress",
    "Result": "result",
    "Sampling": "sampling",
    "Stress": "campaigns",
}

# Modules for packages of others are imported with their first use, too, which needs Ray for `cluster`.
_MODULES = ("cluster", "pysmt_models", "z3_models")

# Solutions are mappings for everybody who asks.
Mapping.register(Solution)


if not TYPE_CHECKING:
    # For type checkers, names that do not exist are errors.
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _LATER:
            return getattr(import_module(f"sundry.{_LATER[name]}"), name)
        if name in _MODULES:
            return import_module(f"sundry.{name}")
        raise AttributeError(f"module 'sundry' has no attribute '{name}'")


def __dir__() -> list[str]:
    # Without `cluster`, whose import fails where Ray is missing: help() and others read everything that is listed.
    special = [name for name in globals() if name.startswith("__")]
    return sorted({*special, *__all__, *(name for name in _MODULES if name != "cluster")})
