"""The results of searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    import numpy
    import pandas

    from sundry._native import Solution
    from sundry.formula import Formula
    from sundry.plots import Axes

__all__ = ["CurvePoint", "Record", "Result"]


class CurvePoint(NamedTuple):
    """The coverage of a search at some time."""

    #: Seconds since the start.
    seconds: float
    #: The number of solutions.
    solutions: int
    #: AST-bits, or combinations of values, that the solutions cover.
    covered: int


class Record(NamedTuple):
    """The contribution of one solution of a set."""

    #: The place of the solution in the result, from 0 on.
    position: int
    #: AST-bits, or combinations of values, that the solution covers and none before it does.
    gain: int
    #: Seconds from the start of the search until the solution was found.
    seconds: float


class Result(Sequence["Solution"]):
    """The solutions of a search, a sequence, with all figures of the search.

    The solutions of a set are in the order in which they add most, so that the first ones are the best choice of a
    smaller set. Other strategies yield solutions in the order in which they were found, and measure no coverage: the figures
    of coverage are ``None`` there, and :meth:`sundry.Formula.coverage` measures it.
    """

    def __init__(
        self,
        formula: Formula,
        solutions: list[Solution],
        figures: dict[str, Any],
        options: dict[str, Any],
        yielded: int,
    ) -> None:
        """For :class:`sundry.Sampling`, and nobody else."""
        #: The formula.
        self.formula = formula
        #: The solutions.
        self.solutions = solutions
        #: All figures of the search by name.
        self.figures = figures
        #: The options of the search by name.
        self.options = options
        #: The number of solutions that the iterator of the search has yielded; the result of :attr:`sundry.Sampling.result` has
        #: them only where they are the final set.
        self.yielded = yielded

    @overload
    def __getitem__(self, index: int) -> Solution: ...

    @overload
    def __getitem__(self, index: slice) -> list[Solution]: ...

    def __getitem__(self, index: int | slice) -> Solution | list[Solution]:
        return self.solutions[index]

    def __len__(self) -> int:
        return len(self.solutions)

    @property
    def coverage(self) -> float | None:
        """The share that the set covers of all that is not proved impossible, from 0 to 1. ``None`` where it is unknown: the strategy
        measures no coverage, or the search has ended before it knew what there is to cover."""
        return self.figures.get("coverage")

    @property
    def covered(self) -> int | None:
        """AST-bits, or combinations of values, that the set covers."""
        return self.figures.get("covered")

    @property
    def possible(self) -> int | None:
        """AST-bits, or combinations of values, that some solution is known to cover."""
        return self.figures.get("possible")

    @property
    def impossible(self) -> int | None:
        """AST-bits, or combinations of values, that no solution covers, proved."""
        return self.figures.get("impossible")

    @property
    def unknown(self) -> int | None:
        """AST-bits, or combinations of values, of which neither is known."""
        return self.figures.get("unknown")

    @property
    def complete(self) -> bool:
        """Whether everything that can be covered is covered, and the rest is proved impossible; for ``"all"``, whether these are all
        solutions."""
        return bool(self.figures.get("complete", self.stopped_by == "complete"))

    @property
    def bound(self) -> int | None:
        """The proved lower bound on the size of sets that cover as much; 0 where nothing is known."""
        return self.figures.get("bound")

    @property
    def proved(self) -> bool:
        """Whether the set is complete, and proved to be as small as complete sets can be."""
        return bool(self.figures.get("minimal", False))

    @property
    def stopped_by(self) -> str:
        """The reason for the end: ``"complete"``, ``"target"``, ``"max-solutions"``, ``"timeout"``, ``"interrupted"``, ``"unsatisfiable"``,
        ``"effort"``, ``"nothing-new"`` or ``"memory"``."""
        return str(self.figures["stopped_by"])

    @property
    def seconds(self) -> float:
        """The time that the search took."""
        return float(self.figures["seconds"])

    @property
    def curve(self) -> list[CurvePoint]:
        """The coverage over time, a point for each time that more was covered than ever before; empty where none is measured."""
        return [CurvePoint(*point) for point in self.figures.get("curve", ())]

    @property
    def records(self) -> list[Record]:
        """The contribution of each solution of a set; empty for other strategies."""
        return [Record(position, *rated) for position, rated in enumerate(self.figures.get("rated", ()))]

    def to_numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """The values of the constants as arrays of numpy by name, an item for each solution. :meth:`sundry.Formula.sample_columns`
        does the same for millions of solutions without an object for each."""
        from sundry.columns import of_solutions

        return of_solutions(self.formula, self.solutions)

    def to_pandas(self) -> pandas.DataFrame:
        """The values of the constants as a data frame: a row for each solution, a column for each constant."""
        from sundry.columns import frame

        return frame(self.to_numpy())

    def plot_curve(self, axes: Axes | None = None) -> Axes:
        """Draws the coverage over time. :raises sundry.MissingPackageError: if matplotlib is not installed."""
        from sundry.plots import coverage_curve

        return coverage_curve(self, axes)

    def plot_classes(self, axes: Axes | None = None) -> Axes:
        """Draws the number of solutions in each class of the predicates of the formula."""
        from sundry.plots import class_histogram

        return class_histogram(self, axes)

    def plot_t_wise(self, axes: Axes | None = None) -> Axes:
        """Draws the matrix of the pairs of values that solutions have."""
        from sundry.plots import pair_matrix

        return pair_matrix(self, axes)

    def __repr__(self) -> str:
        return f"<Result {self.formula.name!r}: {self.line()}>"

    def line(self) -> str:
        """The result in a line."""
        number = len(self) or self.yielded
        count = f"{number:,} solution{'' if number == 1 else 's'}{'' if len(self) == number else ' yielded'}"
        if self.stopped_by == "unsatisfiable":
            return "unsatisfiable: there is no solution"
        if self.coverage is None:
            return f"{count}, stopped by {self.stopped_by}"
        proof = "proved minimal" if self.proved else f"at least {self.bound} needed"
        share = "complete" if self.complete else f"coverage {share_text(self.coverage)}"
        return f"{count}, {share}, {proof}"

    def _repr_html_(self) -> str:
        from sundry.html import result_page

        return result_page(self)


def share_text(share: float) -> str:
    """A share as a percentage with two digits, never rounded up to 100 %."""
    return "100 %" if share >= 1 else f"{int(share * 10_000) / 100:.2f} %"
