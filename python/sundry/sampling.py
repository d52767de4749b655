"""Searches as iterators of solutions."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from sundry.options import SETS
from sundry.progress import Progress, reporter

if TYPE_CHECKING:
    from sundry._native import Solution
    from sundry.formula import Formula
    from sundry.progress import ProgressOption
    from sundry.result import Result

__all__ = ["Sampling"]


class Sampling:
    """The iterator of the solutions of a search, which goes on in a thread of its own.

    Several threads may read from one iterator; each solution goes to one of them. As a context manager, the iterator stops
    the search at the end of the block.
    """

    def __init__(
        self,
        formula: Formula,
        options: dict[str, Any],
        timeout: float | None,
        eager: bool,
        progress: ProgressOption,
    ) -> None:
        """For :meth:`sundry.Formula.sample`, and nobody else."""
        self.formula = formula
        self._options = options
        #: The number of solutions that the iterator has yielded so far.
        self.yielded = 0
        self._is_ended = False
        # Several threads count.
        self._lock = Lock()
        is_set = options["strategy"] in SETS
        self._reporter = reporter(progress, formula, is_set=is_set, limit=options["limit"])
        report = None if self._reporter is None else self._report
        self._run = formula._native.run(options, timeout, eager, report)

    def _report(self, *figures: Any) -> None:
        if self._reporter is not None:
            self._reporter.report(Progress(*figures))

    def __iter__(self) -> Sampling:
        return self

    def __next__(self) -> Solution:
        try:
            solution = self._run.__next__()
            with self._lock:
                self.yielded += 1
            if self._reporter is not None:
                self._reporter.found(1)
            return solution
        except BaseException as end:
            self._is_ended = self._is_ended or isinstance(end, StopIteration)
            # The search has ended, unless an interruption came before the native part looked for one.
            self._run.stop()
            if self._reporter is not None:
                self._reporter.close()
            raise

    def __enter__(self) -> Sampling:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Asks the search to stop. The iterator yields what there is, and ends."""
        self._run.stop()

    @property
    def present(self) -> list[Solution]:
        """The best set so far, of the strategies that improve one: ``"cover"``, ``"pan"`` and ``"t-wise"``."""
        return self._run.final_set() or self._run.present()

    @property
    def result(self) -> Result | None:
        """The result, once the iterator has ended; ``None`` before.

        Solutions that the iterator has yielded are not kept: the result of a strategy that improves a set has the final set, the result
        of another strategy has the figures alone, among them the number ``yielded``.
        """
        return self._result([]) if self._is_ended else None

    def collect(self) -> Result:
        """Reads all solutions: the result of the search.

        At Ctrl-C the search ends and ``KeyboardInterrupt`` is raised; its attribute ``result`` has what was found by then.
        """
        solutions: list[Solution] = []
        try:
            for solution in self:
                solutions.append(solution)
        except KeyboardInterrupt as interrupt:
            # It may have come between two solutions.
            self.stop()
            for solution in self._run:
                solutions.append(solution)
            interrupt.result = self._result(solutions)  # type: ignore[attr-defined]
            raise
        result = self._result(solutions)
        if result is None:
            raise RuntimeError("internal error: a search has ended without a result")
        return result

    def _result(self, solutions: list[Solution]) -> Result | None:
        figures = self._run.figures()
        if figures is None:
            return None
        from sundry.result import Result

        # A set has an order and a size of its own, also where all solutions were yielded as they were found.
        chosen = self._run.final_set() if figures["kind"] in ("set", "tuples") else solutions
        return Result(self.formula, chosen, figures, self._options, self.yielded)

    def __repr__(self) -> str:
        name, result = self.formula.name, self.result
        if result is not None:
            return f"<Sampling {name!r}: ended, {result.line()}>"
        count = f"{self.yielded:,} solution{'' if self.yielded == 1 else 's'}"
        return f"<Sampling {name!r}: {count} so far, strategy {self._options['strategy']}>"

    def _repr_html_(self) -> str:
        from sundry.html import sampling_page

        return sampling_page(self)
