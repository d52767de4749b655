"""Formulas, and everything that can be asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundry import options as checks
from sundry.errors import Assertion, InputError, UnknownError, UnsatisfiableError
from sundry.reading import Declaration, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy
    import pandas
    from typing_extensions import Unpack

    from sundry._native import Solution
    from sundry.coverage import AstBit, Coverage, Decision, Model
    from sundry.options import ColumnOptions, SampleOptions
    from sundry.progress import ProgressOption
    from sundry.result import Result
    from sundry.sampling import Sampling

__all__ = ["Declaration", "Formula"]


class Formula(Reading):
    """A formula: declared constants and functions, and assertions about them.

    Formulas are read by :meth:`from_smtlib`, :meth:`from_file`, :meth:`from_z3` and :meth:`from_pysmt`, and never change.
    """

    # Parts of the formula

    @property
    def name(self) -> str:
        """The name of the text in messages."""
        return self._native.name

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The constants and functions that solutions show, in order of declaration."""
        return self._declarations

    @property
    def constants(self) -> tuple[str, ...]:
        """The names of the constants and functions, in order of declaration."""
        return tuple(declaration.name for declaration in self.declarations)

    @property
    def predicates(self) -> tuple[str, ...]:
        """The names of the predicates, in order of definition."""
        return tuple(self._native.predicates)

    @property
    def assertions(self) -> int:
        """The number of assertions."""
        return self._native.assertions

    @property
    def ast_bits(self) -> int:
        """The number of AST-bits: each bit of each operation, with each of its two values."""
        return self._native.ast_bits

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the text that are no errors."""
        return tuple(self._native.notes)

    # Questions

    def solve(self, timeout: float | None = None, *, core: bool = False, seed: int = 0) -> Solution:
        """One solution.

        :param timeout: the limit on the time, in seconds.
        :param seed: the seed of the search; another one may lead to another solution.
        :param core: whether the error of a formula without a solution says which assertions have no solution together.
        :raises sundry.UnsatisfiableError: if the formula has no solution.
        :raises sundry.UnknownError: if nothing is known when time is up, or the formula is too hard.
        """
        answer, solution, reason, assertions = self._native.solve(
            checks.seconds(timeout), checks.truth("core", core), checks.integer("seed", seed, 0, "the seed of all randomness", 32)
        )
        if solution is not None:
            return solution
        if answer == "unsat":
            places = None if assertions is None else [Assertion(text, *(place or (None, None))) for text, place in assertions]
            raise UnsatisfiableError(f"{self.name} has no solution", core=places)
        why, remedy = reason or ("", None)
        raise UnknownError(f"{self.name}: it is unknown whether there is a solution: {why}", help=remedy)

    def sample(
        self,
        strategy: str = "cover",
        *,
        limit: int | None = None,
        target: float | None = None,
        timeout: float | None = None,
        seed: int = 0,
        effort: str | None = None,
        threads: int | None = None,
        eager: bool = False,
        progress: ProgressOption = None,
        project: Iterable[str] | None = None,
        strength: int | None = None,
        over: str | None = None,
        fill: bool | None = None,
        granularity: str | None = None,
        guidance: str | None = None,
        tolerance: float | None = None,
        remembered: int | None = None,
        run_number: int | None = None,
    ) -> Sampling:
        """Starts a search and returns the iterator of its solutions, which come as soon as they stand.

        :param strategy: the way to choose solutions. ``"cover"``: a small set that covers all AST-bits, with proofs;
            ``"pan"``: the published PanSampler; ``"t-wise"``: a small set with all combinations of ``strength`` values;
            ``"all"``: every solution, once; ``"smtsampler"``: many different ones, fast; ``"guided"``, ``"classes-hard"``,
            ``"classes-soft"``: many classes of predicates; ``"uniform"``: independent draws, equally likely up to ``tolerance``;
            ``"quick"``: independent draws without that promise.
        :param limit: the number of solutions that is enough.
        :param target: the share of the AST-bits, from 0 to 1, that is enough for ``"cover"`` and ``"pan"``.
        :param timeout: the limit on the time of the search, in seconds. What was found by then is yielded.
        :param seed: the seed of all randomness. The same seed gives the same solutions, unless a clock or a person stopped the search.
        :param effort: ``"low"``, ``"normal"``, ``"high"`` or ``"max"``: how long ``"cover"`` looks for a smaller set.
        :param threads: the maximal number of threads of the search; two are used at most, and the solutions do not depend on it.
        :param eager: the solutions of a set stand when the set is final. With ``eager=True`` they come as soon as they
            are found, so also those that better ones replace later.
        :param progress: a function that is called with a :class:`sundry.Progress` whenever there is any; ``True`` for a bar by
            tqdm, ``False`` for none. By default there is a bar in notebooks where tqdm is installed.
        :param project: the constants that distinguish solutions for ``"all"``.
        :param strength: the number of values in a combination of ``"t-wise"``: 1, 2 (the default) or 3.
        :param over: the parts that ``"t-wise"`` combines: ``"values"`` (the default), ``"bits"`` or ``"predicates"``.
        :param fill: whether ``"t-wise"`` goes on to ``limit`` solutions once all combinations are covered.
        :param granularity: the parts of models that ``"smtsampler"`` combines: ``"bit"`` (the default), ``"value"`` or ``"gate"``.
        :param guidance: the places where ``"guided"`` looks for classes: ``"neighbours"``, ``"classes"`` or ``"bases"`` (the default).
        :param tolerance: the factor minus one by which probabilities of ``"uniform"`` may differ from equal ones; 0.3 by default.
        :param remembered: the memory in bytes for solutions found before, of ``"smtsampler"``, ``"guided"`` and the strategies of classes.
        :param run_number: the number of the run among those with one seed, of the same strategies: another run takes other solutions first.
        :raises sundry.InputError: if an option has a wrong value, or no effect with the strategy or the formula. Errors of the search
            itself come from the iterator.

        Dropping the iterator ends the search. Ctrl-C ends it too, and the iterator raises ``KeyboardInterrupt``; its
        ``present`` is the best set so far.
        """
        from sundry.sampling import Sampling

        # fmt: off
        chosen = checks.native_options(strategy, {
            "limit": limit, "target": target, "seed": seed, "effort": effort, "threads": threads, "project": project,
            "strength": strength, "over": over, "fill": fill, "granularity": granularity, "guidance": guidance,
            "tolerance": tolerance, "remembered": remembered, "run_number": run_number,
        })
        # fmt: on
        return Sampling(self, chosen, checks.seconds(timeout), checks.truth("eager", eager), progress)

    def sample_all(self, strategy: str = "cover", **options: Unpack[SampleOptions]) -> Result:
        """Searches to the end: a :class:`sundry.Result` with the solutions, the coverage, the bound, the curve and records.

        The parameters are those of :meth:`sample`. At Ctrl-C the search ends, and ``KeyboardInterrupt`` is raised; its attribute
        ``result`` has what was found by then.
        """
        checks.known_options(options)
        if strategy in checks.DRAWS and options.get("limit") is None and options.get("timeout") is None:
            raise InputError(f"the strategy {strategy} draws without end", help="say how many solutions are enough: limit=NUMBER")
        return self.sample(strategy, **options).collect()

    def enumerate(
        self,
        *,
        project: Iterable[str] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: ProgressOption = None,
    ) -> Sampling:
        """Every solution once, or a solution for every combination of values of the constants in ``project``.

        The parameters are those of :meth:`sample`.
        """
        return self.sample(
            "all", project=project, limit=limit, timeout=timeout, seed=seed, threads=threads, progress=progress
        )

    def uniform(
        self,
        count: int,
        *,
        tolerance: float = 0.3,
        timeout: float | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: ProgressOption = None,
    ) -> Result:
        """Independent draws of ``count`` solutions that are all equally likely, up to a tolerance.

        With the tolerance 0.3, the probability of each solution is between 1/1.3 and 1.3 times the exactly uniform one. The other
        parameters are those of :meth:`sample`.
        """
        search = self.sample(
            "uniform", limit=count, tolerance=tolerance, timeout=timeout, seed=seed, threads=threads, progress=progress
        )
        return search.collect()

    def t_wise(
        self,
        strength: int = 2,
        *,
        over: str | None = None,
        fill: bool | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: ProgressOption = None,
    ) -> Result:
        """A small set of solutions that shows all combinations of ``strength`` values (1, 2 or 3) that are possible.

        The parameters are those of :meth:`sample`.
        """
        search = self.sample(
            "t-wise", strength=strength, over=over, fill=fill,
            limit=limit, timeout=timeout, seed=seed, threads=threads, progress=progress,
        )  # fmt: skip
        return search.collect()

    def sample_columns(
        self, limit: int, strategy: str = "smtsampler", **options: Unpack[ColumnOptions]
    ) -> dict[str, numpy.ndarray[Any, Any]]:
        """Solutions by the million as arrays of numpy, one for each constant, without an object for each value.

        Truth values have the type ``bool``, bit-vectors of up to 64 bits ``uint64``, integers that fit ``int64``, floats of 64 and 32 bits
        ``float64`` and ``float32``; other values are objects. The parameters are those of :meth:`sample`.

        :raises sundry.MissingPackageError: if numpy is not installed.
        """
        from sundry.columns import collect

        return collect(self.column_batches(limit, strategy, **options), self)

    def column_batches(
        self,
        limit: int | None = None,
        strategy: str = "smtsampler",
        *,
        rows: int = 1 << 16,
        **options: Unpack[ColumnOptions],
    ) -> Iterator[dict[str, numpy.ndarray[Any, Any]]]:
        """The columns of :meth:`sample_columns` in batches of about ``rows`` rows, so that memory stays bounded.

        Dropping the iterator ends the search.
        """
        from sundry.columns import batches

        rows = checks.integer("rows", rows, 1, "the number of rows in a batch")
        timeout, progress = checks.seconds(options.pop("timeout", None)), options.pop("progress", None)
        chosen = checks.native_options(strategy, {"limit": limit, **options})
        return batches(self, chosen, timeout, rows, progress)

    def to_pandas(
        self, limit: int, strategy: str = "smtsampler", **options: Unpack[ColumnOptions]
    ) -> pandas.DataFrame:
        """The columns of :meth:`sample_columns` as a data frame, a row for each solution."""
        from sundry.columns import frame

        return frame(self.sample_columns(limit, strategy, **options))

    def solution(self, model: Model) -> Solution:
        """The solution that a model is: a mapping from names to values, a model of z3, or the text of a model as solvers print it.

        Values of a mapping are those of solutions, or texts in SMT-LIB as files of solutions have them. A constant that the model
        leaves out is false or zero.

        :raises sundry.InputError: if the model is no solution, or does not fit the formula; the message says why.
        """
        from sundry.coverage import native_model

        given = native_model(self, model)
        return self._native.solution(given if isinstance(given, str) else str(given))

    def coverage(
        self,
        models: Model | Iterable[Model] | pandas.DataFrame,
        *,
        decide: bool = False,
        seed: int = 0,
        timeout: float | None = None,
        progress: ProgressOption = None,
    ) -> Coverage:
        """The coverage of the formula by models of any origin.

        :param models: solutions of this formula, mappings from names to values, texts with models as solvers print them,
            models of z3, an iterable of these, or a data frame or columns with a model in each row. A constant that a model leaves out counts as false or zero.
        :param decide: whether to decide, too, which AST-bits can be covered at all, so that the share is exact.
        :param timeout: the limit on the time, in seconds.
        :param progress: as for :meth:`sample`: with the number of models so far, and then with what is decided.
        :raises sundry.InputError: if a text has something else than models, or a mapping does not fit the formula.
        """
        from sundry.coverage import measure

        return measure(self, models, decide, seed, timeout, progress)

    def decide(
        self, *, seed: int = 0, timeout: float | None = None, progress: ProgressOption = None
    ) -> Decision:
        """Decides by solving which AST-bits can be covered, and which values predicates can have.

        :param timeout: the limit on the time, in seconds; what is not decided by then counts as unknown.
        :param progress: as for :meth:`sample`: ``covered`` are the AST-bits that are known to be possible.
        """
        from sundry.coverage import decide

        return decide(self, seed, timeout, progress)

    def describe(self, numbers: Iterable[int]) -> list[AstBit]:
        """Descriptions of AST-bits, which :meth:`decide` gives by number: the term, the bit, its value, and the place of the term.

        :raises sundry.InputError: if the formula has no AST-bit with a number.
        """
        from sundry.coverage import describe

        return describe(self, numbers)

    def __repr__(self) -> str:
        return f"<Formula {self.name!r}: {self.assertions} assertions, {len(self.constants)} constants>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Formula, (self._native,))

    def _repr_html_(self) -> str:
        from sundry.html import formula_page

        return formula_page(self)
