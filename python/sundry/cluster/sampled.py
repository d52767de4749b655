"""Formulas sampled on a cluster: :func:`sample`."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import ray

import sundry
from sundry.errors import InputError
from sundry.options import integer, truth
from sundry.several import options as listed

from .checks import NOWHERE, check_options, most_tasks, positive
from .connection import connect
from .driver import Driver, Window
from .items import ENDINGS, Paths, formulas, shards
from .limits import Limits, parse_memory, parse_seconds
from .progress import Progress
from .sampling import Batch, Returned, Sampling, command, killed, returned, sample_batch
from .shards import Folder, Shard

#: A batch that was lost this often is divided, and a formula that was lost this often is recorded as killed.
MOST_LOSSES = 3


@dataclass
class Summary:
    """The results of a run in figures."""

    #: The folder of the results, for :func:`sundry.cluster.read` and :func:`sundry.cluster.records`.
    folder: Path
    #: Formulas that are done, those of earlier runs included.
    formulas: int = 0
    #: Formulas that earlier runs have done.
    resumed: int = 0
    #: Solutions that were found, those of earlier runs included.
    solutions: int = 0
    #: Formulas without results, those of earlier runs included: the input is at fault, or the process was killed. Records say why.
    failed: int = 0
    #: Tasks that were lost together with their worker or node, and ran again.
    lost: int = 0
    #: The greatest number of tasks that were out at once.
    most_out: int = 0
    #: Seconds of this run.
    seconds: float = 0.0
    #: Whether all formulas are done; otherwise ``total_timeout`` has ended the run, and ``resume=True`` continues.
    complete: bool = False


def sample(
    paths: Paths,
    folder: str | os.PathLike[str],
    *,
    strategy: str | None = None,
    target: float | str | None = None,
    max_solutions: int | None = None,
    seed: int = 0,
    timeout: float | None = None,
    memory: int | str | None = None,
    options: Iterable[str] = (),
    resume: bool = False,
    total_timeout: float | None = None,
    shard_size: int = 1024,
    batch_size: int = 64,
    task_seconds: float = 1.0,
    processors: float = 1.0,
    tasks: int | None = None,
    progress: bool = True,
) -> Summary:
    """Samples formulas on Ray, and writes the solutions to a folder as Parquet, with the records of the runs.

    ``paths`` names formulas and folders of them, or yields such names; it may be a generator of millions. Workers have to see the files
    under the same names. Every formula is sampled as ``sundry sample`` does it on one machine, with the same ``seed``, so
    the solutions depend neither on the number of nodes nor on what happens to them.

    - ``strategy``, ``target``, ``max_solutions`` and ``options`` are options of ``sundry sample``; ``options`` takes further ones as on the
      command line, such as ``["--effort", "low"]``.
    - ``timeout`` (seconds) and ``memory`` (bytes, or a text such as ``"2G"``) limit each formula, not the run. ``total_timeout``
      limits the run.
    - ``resume=True`` continues a folder whose run was stopped or killed.
    - ``shard_size`` formulas share a file of results, ``batch_size`` formulas at most are in a task, and a task returns after
      ``task_seconds``, when the formula at hand is done.
    - ``processors`` is the share of a processor that a task takes, and ``tasks`` the number of tasks that may be out at once, by
      default two for each processor of the cluster.

    Raises, before Ray starts, ``TypeError`` if an argument has a wrong type, :class:`sundry.InputError` if there is no formula or the options
    are wrong, and its subclasses :class:`OtherRunError` if the folder belongs to another run, :class:`ResultsExistError` if the folder has
    results and ``resume`` is false, and :class:`BusyFolderError` if another run writes to it; later :class:`TaskError` if Sundry cannot be run; and ``KeyboardInterrupt`` on Ctrl-C: results so far are in the
    folder then.
    """
    shard_size = integer("shard_size", shard_size, 1, "the number of formulas that share a file")
    batch_size = integer("batch_size", batch_size, 1, "the greatest number of formulas in a task")
    window = Window(positive("processors", processors), most_tasks(tasks))
    resume, progress = truth("resume", resume), truth("progress", progress)
    total_timeout = parse_seconds(total_timeout, "total_timeout")
    arguments = _arguments(strategy, target, max_solutions, seed, options)
    limits = Limits(parse_seconds(timeout), parse_memory(memory))
    sampling = Sampling(arguments, limits, _task_seconds(task_seconds), sundry.__version__, os.getcwd())
    description = {
        "job": "sample",
        "version": sundry.__version__,
        "options": arguments + limits.arguments(),
        "shard_size": shard_size,
    }
    if isinstance(paths, (str, os.PathLike)) and not os.path.exists(paths):
        raise InputError(f"{os.fspath(paths)} does not exist", help="name a formula, a folder, or several of them")
    found = formulas(paths)
    first = next(found, None)
    if first is None:
        raise InputError("there is no formula to sample", help=f"in folders, Sundry looks for {', '.join(ENDINGS)}")
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        check_options(command(sampling, NOWHERE, Path(name), 0))
    results = Folder(Path(folder), description, resume)
    try:
        connect()
        results.describe()
        run = _Run(results, Summary(Path(folder)), batch_size, total_timeout, progress)
        return run.run(shards(itertools.chain([first], found), shard_size), sampling, window, processors)
    finally:
        results.close()


def _task_seconds(seconds: float) -> float:
    """The time of a task. One without an end runs all formulas of its batch."""
    parsed = parse_seconds(seconds, "task_seconds")
    return float("inf") if parsed is None else parsed


def _arguments(
    strategy: str | None,
    target: float | str | None,
    max_solutions: int | None,
    seed: int,
    options: Iterable[str],
) -> list[str]:
    seed = integer("seed", seed, 0, "the seed of all randomness, less than 2^64")
    if max_solutions is not None:
        max_solutions = integer("max_solutions", max_solutions, 1, "the greatest number of solutions of a formula")
    named = {"--strategy": strategy, "--target": target, "--max-solutions": max_solutions, "--seed": seed}
    arguments = [word for name, value in named.items() if value is not None for word in (name, str(value))]
    return arguments + listed(options)


class _Run:
    """A run in progress."""

    def __init__(
        self, folder: Folder, summary: Summary, batch_size: int, total_timeout: float | None, progress: bool
    ) -> None:
        self._folder, self._summary, self._batch_size = folder, summary, batch_size
        self._start = time.monotonic()
        self._end = None if total_timeout is None else self._start + total_timeout
        self._open: dict[int, Shard] = {}
        self._shards = 0
        self._progress = Progress(self._line, progress)

    def run(self, parts: Iterator[Shard], sampling: Sampling, window: Window, processors: float) -> Summary:
        """Samples all shards."""
        task = ray.remote(num_cpus=processors, max_retries=0)(sample_batch)
        settings = ray.put(sampling)
        self._version = sampling.version
        driver = Driver(lambda batch: task.remote(batch, settings), self._take, self._lost, window)
        try:
            self._summary.complete = driver.run(self._batches(parts), self._tick)
        finally:
            self._summary.most_out = driver.most_out
            self._summary.seconds = time.monotonic() - self._start
            self._progress.finish()
        if self._summary.complete:
            self._folder.check_end(self._shards)
        return self._summary

    def _batches(self, parts: Iterator[Shard]) -> Iterator[Batch]:
        for shard in parts:
            self._shards += 1
            self._folder.begin(shard)
            self._summary.formulas += len(shard.done)
            self._summary.resumed += len(shard.done)
            self._summary.solutions += shard.solutions
            self._summary.failed += shard.failed
            if shard.is_done():
                continue
            self._open[shard.number] = shard
            for run in list(shard.open_runs()):
                for start in range(0, len(run), self._batch_size):
                    yield Batch(shard.number, run[start : start + self._batch_size])

    def _take(self, batch: Batch, result: Returned) -> list[Batch]:
        if result.usage is not None:
            raise InputError(result.usage, help="`sundry sample --help` explains all options")
        shard = self._open[batch.shard]
        self._folder.add(shard, result)
        self._summary.formulas += len(result.numbers)
        self._summary.solutions += result.solutions
        self._summary.failed += result.failed
        if shard.is_done():
            del self._open[batch.shard]
        rest = batch.formulas[len(result.numbers) :]
        return [Batch(batch.shard, rest)] if rest else []

    def _lost(self, batch: Batch) -> list[Batch]:
        self._summary.lost += 1
        losses = batch.losses + 1
        if losses < MOST_LOSSES:
            return [Batch(batch.shard, batch.formulas, losses)]
        if len(batch.formulas) > 1:
            # One of them may be to blame.
            return [Batch(batch.shard, [formula], 1) for formula in batch.formulas]
        [(number, path)] = batch.formulas
        return self._take(batch, returned([killed(self._version, number, path, None)]))

    def _tick(self) -> bool:
        self._progress.look()
        return self._end is None or time.monotonic() < self._end

    def _line(self) -> str:
        done = self._summary
        seconds = time.monotonic() - self._start
        parts = [f"{done.formulas:,} formulas", f"{done.solutions:,} solutions", f"{done.failed:,} failed"]
        if done.lost:
            parts.append(f"{done.lost:,} tasks lost and run again")
        return f"{', '.join(parts)}, in {seconds:.0f} s"
