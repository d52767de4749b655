"""The native part of the package, for this package alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, final, overload

__all__ = ["ColumnRun", "Formula", "Run", "Solution", "__version__", "reduce", "run_command_line"]

__version__: str

@final
class Solution(Mapping[str, Any]):
    """A solution: a mapping from the names of constants and functions to their values.

    Truth values are ``bool``, bit-vectors (unsigned) and integers ``int``, reals ``fractions.Fraction``, floating-point values ``float``
    (:class:`sundry.Float` in wider formats), arrays :class:`sundry.Array`, functions :class:`sundry.Function`. Values become objects
    when somebody asks for one. The evaluator has accepted the solution on the formula as written. Solutions can be pickled: their
    formula goes along, once for all solutions of a list, and the evaluator judges them again.
    """

    def __getitem__(self, key: str, /) -> Any: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    @overload
    def get(self, key: str, default: None = None, /) -> Any | None: ...
    @overload
    def get(self, key: str, default: Any, /) -> Any: ...
    def to_dict(self) -> dict[str, Any]:
        """All values by name."""

    def texts(self) -> dict[str, str]:
        """The values of constants as SMT-LIB, or the model that the formula comes from, spells them."""

    def to_smtlib(self) -> str:
        """The solution as a model in SMT-LIB: a list of definitions."""

    def divisions_by_zero(self) -> list[tuple[str, list[Any], Any]]: ...
    def formula_declarations(self) -> list[tuple[str, str, list[str], list[str]]]:
        """The declarations of the formula: name, sort, sorts of arguments, and names of values."""

    def _repr_html_(self) -> str:
        """The values as a table for notebooks."""

    def to_z3(self, context: Any = None) -> dict[str, Any]:
        """The values of constants as values of z3, by name. :raises sundry.MissingPackageError: if z3 is not installed."""

    def to_pysmt(self, environment: Any = None) -> dict[Any, Any]:
        """The values of constants as constants of pySMT, by its symbols. :raises sundry.MissingPackageError: if pySMT is not installed."""

@final
class Run:
    def __iter__(self) -> Run: ...
    def __next__(self) -> Solution: ...
    def stop(self) -> None: ...
    def present(self) -> list[Solution]: ...
    def final_set(self) -> list[Solution]: ...
    def figures(self) -> dict[str, Any] | None: ...

@final
class ColumnRun:
    names: list[str]
    def __iter__(self) -> ColumnRun: ...
    def __next__(self) -> tuple[int, list[tuple[str, Any]]]: ...
    def figures(self) -> dict[str, Any] | None: ...

@final
class Formula:
    name: str
    declarations: list[tuple[str, str, list[str], list[str]]]
    predicates: list[str]
    assertions: int
    ast_bits: int
    notes: list[str]

    @classmethod
    def read(
        cls,
        text: bytes,
        name: str,
        format: str | None,
        predicates: str | None,
        integer_bits: int | None,
        timeout: float | None,
    ) -> Formula: ...
    @staticmethod
    def text_of_file(path: str, timeout: float | None) -> bytes: ...
    @staticmethod
    def format_of_name(name: str | PathLike[str]) -> str | None: ...
    def solution(self, text: str) -> Solution: ...
    def solve(
        self, timeout: float | None, core: bool, seed: int
    ) -> tuple[str, Solution | None, tuple[str, str] | None, list[tuple[str, tuple[int, int] | None]] | None]: ...
    def describe(self, numbers: Sequence[int]) -> list[tuple[str, int, bool, tuple[int, int] | None]]: ...
    def run(
        self,
        options: dict[str, Any],
        timeout: float | None,
        eager: bool,
        progress: Callable[[int, int, int, int, float], object] | None,
    ) -> Run: ...
    def columns(
        self,
        options: dict[str, Any],
        timeout: float | None,
        rows: int,
        progress: Callable[[int], object] | None,
    ) -> ColumnRun: ...
    def measure(
        self,
        models: Sequence[Solution | str],
        decide: bool,
        seed: int,
        timeout: float | None,
        progress: Callable[[int, int, int, float], object] | None,
    ) -> tuple[
        list[tuple[int, list[int] | None, str | None]],
        int,
        tuple[int, int, int, list[tuple[bool | None, bool | None]], list[int]] | None,
    ]: ...

def reduce(script: str, predicate: Callable[[str], object], timeout: float | None) -> tuple[str, int, bool]: ...
def run_command_line(arguments: Sequence[str], own: Sequence[str]) -> int: ...
