"""Solutions by columns: arrays of numpy, and data frames of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundry.errors import missing_package
from sundry.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy
    import pandas

    from sundry import _native
    from sundry.formula import Formula
    from sundry.progress import ProgressOption, Reporter

    Columns = dict[str, numpy.ndarray[Any, Any]]

__all__ = ["batches", "collect", "frame", "of_solutions"]


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise missing_package("numpy", "columns of solutions") from None
    return numpy


def batches(
    formula: Formula, options: dict[str, Any], timeout: float | None, rows: int, progress: ProgressOption
) -> Iterator[Columns]:
    """Starts a search, and returns its tables as columns by name."""
    _numpy()
    reader = reporter(progress, formula, is_set=False, limit=options["limit"])
    count = 0

    def report(solutions: int) -> None:
        nonlocal count
        if reader is not None:
            reader.found(solutions - count)
        count = solutions

    run = formula._native.columns(options, timeout, rows, None if reader is None else report)
    return _tables(run, formula, reader)


def _tables(run: _native.ColumnRun, formula: Formula, reader: Reporter | None) -> Iterator[Columns]:
    try:
        yield from _columns(run, formula)
    finally:
        if reader is not None:
            reader.close()


def _columns(run: _native.ColumnRun, formula: Formula) -> Iterator[Columns]:
    numpy = _numpy()
    levels = {declaration.name: declaration.levels for declaration in formula.declarations}
    for _, columns in run:
        table: Columns = {}
        for name, (kind, data) in zip(run.names, columns):
            if kind == "object":
                array = _objects(numpy, data)
            else:
                array = numpy.frombuffer(data, dtype=kind)
            table[name] = _objects(numpy, levels[name])[array] if levels[name] else array
        yield table


def _objects(numpy: Any, items: Sequence[Any]) -> Any:
    """An array of objects. Numpy would make arrays of more dimensions from sequences of sequences."""
    array = numpy.empty(len(items), dtype=object)
    for position, item in enumerate(items):
        array[position] = item
    return array


def collect(tables: Iterable[Columns], formula: Formula) -> Columns:
    """All tables as one."""
    numpy = _numpy()
    parts: dict[str, list[Any]] = {
        declaration.name: [] for declaration in formula.declarations if not declaration.arguments
    }
    for table in tables:
        for name, column in table.items():
            parts[name].append(column)
    if not any(parts.values()):
        return of_solutions(formula, [])
    return {name: _joined(numpy, columns) for name, columns in parts.items()}


def _joined(numpy: Any, columns: list[Any]) -> Any:
    if len(columns) == 1:
        return columns[0]
    if len({column.dtype for column in columns}) > 1:
        # Integers that fit 64 bits in some tables only.
        columns = [column.astype(object) for column in columns]
    return numpy.concatenate(columns)


def of_solutions(formula: Formula, solutions: Sequence[_native.Solution]) -> Columns:
    """The constants of some solutions by columns."""
    numpy = _numpy()
    table: Columns = {}
    for declaration in formula.declarations:
        if declaration.arguments:
            continue
        values = [solution[declaration.name] for solution in solutions]
        table[declaration.name] = _objects(numpy, values) if declaration.levels else _column(numpy, declaration.sort, values)
    return table


def _column(numpy: Any, sort: str, values: list[Any]) -> Any:
    """Values of a sort with the same types as :func:`batches` gives them."""
    kinds = {"Bool": "bool", "Int": "int64", "(_ FloatingPoint 11 53)": "float64", "(_ FloatingPoint 8 24)": "float32"}
    kind = kinds.get(sort)
    if sort.startswith("(_ BitVec ") and int(sort[10:-1]) <= 64:
        kind = "uint64"
    if kind == "int64" and not all(-(1 << 63) <= value < 1 << 63 for value in values):
        kind = None
    return _objects(numpy, values) if kind is None else numpy.array(values, dtype=kind)


def frame(columns: Columns) -> pandas.DataFrame:
    """Columns as a data frame."""
    try:
        import pandas
    except ImportError:
        raise missing_package("pandas", "a data frame") from None
    made: pandas.DataFrame = pandas.DataFrame(columns)
    return made
