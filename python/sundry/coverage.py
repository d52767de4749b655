"""The coverage of formulas by models of any origin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Union

from sundry._native import Solution
from sundry.errors import InputError, LimitError
from sundry.options import encoded, integer, seconds
from sundry.progress import Progress, reporter
from sundry.result import share_text
from sundry.smtlib import model_text

if TYPE_CHECKING:
    import pandas
    from typing_extensions import TypeIs

    from sundry.formula import Declaration, Formula
    from sundry.progress import ProgressOption

__all__ = ["AstBit", "Coverage", "Decision", "MeasuredModel", "Model", "decide", "describe", "measure"]

class ModelOfZ3(Protocol):
    """The part of a ``z3.ModelRef``, a model of z3, that is needed here."""

    def sexpr(self) -> str:
        """The definitions of the model in SMT-LIB."""

    def decls(self) -> list[Any]:
        """The constants and functions that have a value."""


Model = Union[Solution, Mapping[str, Any], str, ModelOfZ3]


class MeasuredModel(NamedTuple):
    """The coverage of a formula by one of several models."""

    #: AST-bits that this model covers and none before it does; 0 for a model that is no solution.
    gain: int
    #: The predicates of the formula that hold; ``None`` for a model that is no solution.
    predicates: tuple[str, ...] | None
    #: The reason why the model is no solution, if it is none.
    fault: str | None


class Possibility(NamedTuple):
    """The values that a predicate can have in solutions; ``None`` where that was not decided."""

    #: Whether the predicate can hold.
    holds: bool | None
    #: Whether the predicate can fail.
    fails: bool | None


class AstBit(NamedTuple):
    """A bit of an operation of a formula, with one of its two values."""

    #: The operation, a term in SMT-LIB.
    term: str
    #: The bit, from 0 on, the least significant first; 0 for truth values.
    bit: int
    #: The value of the bit.
    value: bool
    #: The line of the term in the text of the formula, from 1 on.
    line: int | None
    #: The column of the term, from 1 on.
    column: int | None


class Decision(NamedTuple):
    """The decision what can be covered of a formula."""

    #: AST-bits that some solution covers.
    possible: int
    #: AST-bits that no solution covers, proved.
    impossible: int
    #: AST-bits that were not decided.
    unknown: int
    #: Whether everything is decided: each AST-bit, and both values of each predicate.
    complete: bool
    #: The possible values of each predicate by name.
    predicates: dict[str, Possibility]
    #: The AST-bits that no solution covers, by number; :meth:`sundry.Formula.describe` says what they are.
    impossible_numbers: list[int]

    def _repr_html_(self) -> str:
        from sundry.html import decision_page

        return decision_page(self)


class Coverage:
    """The coverage of a formula by some models."""

    def __init__(
        self, formula: Formula, models: list[MeasuredModel], covered: int, decision: Decision | None
    ) -> None:
        #: The formula.
        self.formula = formula
        #: The figures of each model, in order.
        self.models = models
        #: AST-bits that all models together cover.
        self.covered = covered
        #: The decision what can be covered at all, where somebody asked for it.
        self.decision = decision

    @property
    def total(self) -> int:
        """The number of AST-bits of the formula."""
        return self.formula.ast_bits

    @property
    def share(self) -> float:
        """The covered share of the AST-bits that are not known to be impossible, from 0 to 1."""
        base = self.total - (self.decision.impossible if self.decision else 0)
        return self.covered / base if base else 1.0

    @property
    def complete(self) -> bool:
        """Whether the models cover everything that can be covered, and the rest is proved impossible. Only with a decision can that be
        known."""
        return self.decision is not None and not self.decision.unknown and self.covered == self.decision.possible

    @property
    def gains(self) -> list[int]:
        """AST-bits that each model covers and none before it does."""
        return [model.gain for model in self.models]

    @property
    def faults(self) -> dict[int, str]:
        """The reasons why models are no solutions, by their positions."""
        return {position: model.fault for position, model in enumerate(self.models) if model.fault is not None}

    @property
    def classes(self) -> Counter[tuple[str, ...]]:
        """The number of models in each class, that is the predicates of the formula that hold, the most frequent class first."""
        counts = Counter(model.predicates for model in self.models if model.predicates is not None)
        return Counter(dict(counts.most_common()))

    def __repr__(self) -> str:
        known = "that can be covered" if self.decision and not self.decision.unknown else "not known to be impossible"
        models = f"{len(self.models)} model{'' if len(self.models) == 1 else 's'}"
        return f"<Coverage of {models}: {self.covered} AST-bits, {share_text(self.share)} of those {known}>"

    def _repr_html_(self) -> str:
        from sundry.html import coverage_page

        return coverage_page(self)


def measure(
    formula: Formula,
    models: Model | Iterable[Model] | pandas.DataFrame,
    decide: bool,
    seed: int,
    timeout: float | None,
    progress: ProgressOption,
) -> Coverage:
    """Measures models, and decides what can be covered if that is wanted."""
    given = _each(models)
    declarations = _by_name(formula)
    limit = seconds(timeout)
    end = None if limit is None else monotonic() + limit
    native = []
    for position, model in enumerate(given):
        if end is not None and monotonic() > end:
            raise LimitError("time was up before all models were measured", help="allow more time, or measure fewer models at once")
        try:
            native.append(_native_model(declarations, model))
        except InputError as error:
            raise InputError(f"model {position}: {error.message}", help=error.help) from None
    left = None if end is None else max(end - monotonic(), 0.0)
    figures, covered, decided = _measured(formula, native, decide, seed, left, progress)
    names = formula.predicates
    measured = [
        MeasuredModel(gain, None if holding is None else tuple(names[number] for number in holding), fault)
        for gain, holding, fault in figures
    ]
    decision = None if decided is None else _decision(formula, *decided)
    return Coverage(formula, measured, covered, decision)


def _each(models: Model | Iterable[Model] | pandas.DataFrame) -> Iterable[Model]:
    """Models one by one."""
    if isinstance(models, Mapping) and not isinstance(models, Solution) and any(map(_is_column, models.values())):
        return _rows(models)
    if isinstance(models, (Solution, Mapping, str)) or _is_model_of_z3(models):
        return [models]
    rows = getattr(models, "to_dict", None)
    if rows is not None and hasattr(models, "columns"):
        # A data frame. Iterating over it would give the names of its columns.
        made: list[Model] = rows("records")
        return made
    if not isinstance(models, Iterable) or isinstance(models, bytes):
        raise TypeError(f"models are solutions, mappings or texts, or a list of these, not {models!r}")
    return models  # type: ignore[return-value]


def _is_column(values: Any) -> bool:
    """Whether a value of a mapping is an array of numpy, with the values of one constant in several models."""
    return type(values).__module__ == "numpy" and getattr(values, "ndim", 0) > 0


def _rows(columns: Mapping[str, Any]) -> Iterator[Model]:
    """The models of columns, as :meth:`sundry.Formula.sample_columns` returns them."""
    sizes = {name: len(column) if _is_column(column) else None for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(f"the columns have different lengths: {sizes}", help="each column has a value for each model")
    return (dict(zip(columns, values)) for values in zip(*columns.values()))


def _is_model_of_z3(model: object) -> TypeIs[ModelOfZ3]:
    return type(model).__name__ == "ModelRef" and type(model).__module__.split(".")[0] == "z3"


#: The beginning of definitions without parentheses around them: comments, and a declaration of an element or a definition.
_BARE = re.compile(r"(\s|;[^\n]*\n)*\((declare-fun|declare-datatypes|define-fun)\b")


def native_model(formula: Formula, model: Model) -> Solution | str:
    """A model as the native part takes it."""
    return _native_model(_by_name(formula), model)


def _native_model(declarations: Mapping[str, Declaration], model: Model) -> Solution | str:
    if _is_model_of_z3(model):
        model = model.sexpr()
    if isinstance(model, str) and _BARE.match(model):
        # z3's Python package prints the definitions of a model without parentheses around them.
        return f"({model}\n)"
    if isinstance(model, str):
        encoded(model)
    if isinstance(model, (Solution, str)):
        return model
    if not isinstance(model, Mapping):
        raise TypeError(f"a model is a solution, a mapping from names to values, or a text in SMT-LIB, not {model!r}")
    return model_text(declarations, model)


def _by_name(formula: Formula) -> dict[str, Declaration]:
    return {declaration.name: declaration for declaration in formula.declarations}


def _measured(
    formula: Formula,
    models: Sequence[Solution | str],
    decide: bool,
    seed: int,
    timeout: float | None,
    progress: ProgressOption,
) -> Any:
    seed, timeout = integer("seed", seed, 0, "the seed of all randomness"), seconds(timeout)
    reader = reporter(progress, formula, is_set=True)
    if reader is None:
        return formula._native.measure(models, decide, seed, timeout, None)

    def report(count: int, covered: int, possible: int, seconds: float) -> None:
        reader.report(Progress(count, covered, possible, None, seconds))

    try:
        return formula._native.measure(models, decide, seed, timeout, report)
    finally:
        reader.close()


def decide(formula: Formula, seed: int, timeout: float | None, progress: ProgressOption) -> Decision:
    """Decides what can be covered of a formula."""
    _, _, decided = _measured(formula, [], True, seed, timeout, progress)
    if decided is None:
        raise RuntimeError("internal error: there is no decision")
    return _decision(formula, *decided)


def _decision(
    formula: Formula,
    possible: int,
    impossible: int,
    unknown: int,
    possibilities: list[tuple[bool | None, bool | None]],
    numbers: list[int],
) -> Decision:
    predicates = {name: Possibility(*values) for name, values in zip(formula.predicates, possibilities)}
    complete = not unknown and not any(None in possibility for possibility in predicates.values())
    return Decision(possible, impossible, unknown, complete, predicates, numbers)


def describe(formula: Formula, numbers: Iterable[int]) -> list[AstBit]:
    """Descriptions of AST-bits by number.

    :raises sundry.InputError: if the formula has no AST-bit with a number.
    """
    if not isinstance(numbers, Iterable):
        raise TypeError(f"numbers of AST-bits are a list, not {numbers!r}")
    total = formula.ast_bits
    asked = [integer("number", number, 0, f"that of an AST-bit, from 0 to {total - 1}") for number in numbers]
    for number in asked:
        if number >= total:
            raise InputError(f"there is no AST-bit {number}", help=f"the formula has the AST-bits 0 to {total - 1}")
    described = formula._native.describe(asked)
    return [AstBit(term, bit, value, *(place or (None, None))) for term, bit, value, place in described]
