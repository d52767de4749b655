"""Solutions as Parquet: written in blocks of fixed size, so that memory is bounded and bytes depend on the rows only; read while a
run goes on, or later."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.dataset
import pyarrow.parquet

from sundry import Formula, Solution
from sundry.errors import InputError

from .sampling import Json

#: Rows of a block.
BLOCK = 65_536

#: The columns: the path of the formula, the number of the solution among those of the formula, and the values of its constants as
#: an object of JSON.
SCHEMA = pyarrow.schema(
    [("formula", pyarrow.string()), ("number", pyarrow.int32()), ("solution", pyarrow.string())]
)


def _rows(results: Iterable[Json]) -> Iterator[tuple[str, int, str]]:
    for result in results:
        for number, solution in enumerate(result["solutions"]):
            yield result["record"]["formula"], number, solution


def _tables(rows: Iterator[tuple[str, int, str]]) -> Iterator[pyarrow.Table]:
    while block := list(itertools.islice(rows, BLOCK)):
        yield pyarrow.table(dict(zip(SCHEMA.names, zip(*block))), schema=SCHEMA)


def write_solutions(file: Any, results: Iterable[Json]) -> None:
    """Writes the solutions of results, which come in the order of the formulas, to a file."""
    with pyarrow.parquet.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
        for table in _tables(_rows(results)):
            writer.write_table(table)


def count_solutions(path: Path) -> int:
    """The number of solutions in a file."""
    return int(pyarrow.parquet.read_metadata(path).num_rows)


def _run_in(folder: str | Path) -> Path:
    """The folder of a run. Raises :class:`sundry.InputError` if there is none."""
    folder = Path(folder)
    if not (folder / "run.json").exists():
        raise InputError(f"{folder} has no results of sundry.cluster.sample", help="name the folder that the run was given")
    return folder


def read(folder: str | Path) -> pyarrow.dataset.Dataset:
    """The solutions in the folder of a run, as a dataset of pyarrow with the columns ``formula``, ``number`` and ``solution``;
    ``read(folder).to_table().to_pandas()`` makes a data frame of all. While a run goes on, the dataset has all shards that are done, and
    what the journal has of the others at the moment of the call.

    Raises :class:`sundry.InputError` if the folder has no run.
    """
    folder = _run_in(folder)
    # A shard may be done between the two looks: in this order it is in one of them, and in both it counts once.
    journals = {path.stem: _journal(path) for path in sorted((folder / "journal").glob("part-*.jsonl"))}
    parts = sorted((folder / "solutions").glob("part-*.parquet"))
    done = {path.stem for path in parts}
    finished = pyarrow.dataset.dataset([str(path) for path in parts], schema=SCHEMA, format="parquet")
    results = [line for stem, lines in journals.items() if stem not in done for line in lines]
    if not results:
        return finished
    open_ones = pyarrow.dataset.dataset(list(_tables(_rows(results))) or [SCHEMA.empty_table()])
    return pyarrow.dataset.UnionDataset(SCHEMA, [finished, open_ones])


def records(folder: str | Path) -> Iterator[Json]:
    """The records in the folder of a run, as ``sundry sample --record`` writes them; those of shards that are not done follow.

    Raises :class:`sundry.InputError` if the folder has no run.
    """
    return _records(_run_in(folder))


def solutions(folder: str | Path, formulas: Callable[[str], Formula] | None = None) -> Iterator[tuple[str, Solution]]:
    """The solutions in the folder of a run as objects, each with the path of its formula.

    Formulas are read by :meth:`sundry.Formula.from_file`, or by the function ``formulas``, which gets the path, and the evaluator judges
    each solution again. :func:`read` is faster where texts are enough.

    Raises :class:`sundry.InputError` if the folder has no run, or a formula is not the one that was sampled.
    """
    return _solutions(read(folder), formulas or Formula.from_file)


def _solutions(rows: pyarrow.dataset.Dataset, formulas: Callable[[str], Formula]) -> Iterator[tuple[str, Solution]]:
    path, formula = None, None
    for batch in rows.to_batches(columns=["formula", "solution"]):
        for name, text in zip(*(column.to_pylist() for column in batch.columns)):
            if formula is None or name != path:
                path, formula = name, formulas(name)
            yield name, formula.solution(json.loads(text))


def _records(folder: Path) -> Iterator[Json]:
    journals = {path.stem: _journal(path) for path in sorted((folder / "journal").glob("part-*.jsonl"))}
    done = set()
    for path in sorted((folder / "records").glob("part-*.jsonl")):
        if path.stem in journals and not (folder / "solutions" / f"{path.stem}.parquet").exists():
            continue
        done.add(path.stem)
        with open(path, encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    for stem, results in journals.items():
        if stem not in done:
            yield from (result["record"] for result in results)


def _journal(path: Path) -> list[Json]:
    """The results in a journal, in the order of the formulas. A line may be on its way."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    results = [result for line in lines for result in json.loads(line)]
    return sorted(results, key=lambda result: result["number"])
