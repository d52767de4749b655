"""Campaigns divided into shards: :func:`fuzz`, :func:`stress` and :func:`explore`.

A shard is a run of the command line with a seed of its own, in a process of its own, and one task of Ray. Its folder comes back
as an archive and takes its place in one step, so a folder that is there is whole, and ``resume=True`` runs the others only. The
findings of all shards are merged by the command line too, which knows when two of them are the same.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ray

import sundry

from .driver import Driver, Window
from .limits import Limits, parse_memory
from .process import runner
from .progress import Progress
from .sampling import MOST_DEATHS
from .session import connect
from .shards import describe, locked

#: Exit statuses of the command line: done, something found, and ended by a limit.
_GOOD = (0, 1, 3)
#: A shard whose worker was lost this often is given up.
MOST_LOSSES = 5
_SECONDS_BETWEEN_MERGES = 30.0


@dataclass(frozen=True)
class Shard:
    """A part of a campaign."""

    #: The name of the folder of the shard.
    name: str
    #: The command line, without the folder for its output.
    command: list[str]
    #: How often the worker of the shard was lost.
    losses: int = 0


@dataclass(frozen=True)
class ShardResult:
    """The end of a shard."""

    #: The folder of the shard as a tar archive; empty if the shard failed.
    archive: bytes
    #: Why the shard failed.
    error: str | None


@dataclass
class Campaign:
    """The results of a campaign in figures."""

    #: The folder of the campaign, with the shards in ``shards`` and the findings of all in ``merged``.
    folder: Path
    #: Shards that are done, those of earlier runs included.
    shards: int = 0
    #: Shards that earlier runs have done.
    resumed: int = 0
    #: Shards that failed, with their errors.
    failed: dict[str, str] = field(default_factory=dict)
    #: Tasks that were lost together with their worker or node, and ran again.
    lost: int = 0
    #: Seconds of this run.
    seconds: float = 0.0

    @property
    def merged(self) -> Path:
        """The folder of the findings of all shards."""
        return self.folder / "merged"


def run_shard(shard: Shard, limits: Limits, directory: str) -> ShardResult:
    """Runs a shard in a process of its own, once more if the process dies, and packs its folder."""
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        place = Path(name)
        # Reports name files relative to the folder.
        output = place / shard.name
        command = [*shard.command, "--output", str(output), *limits.arguments()]
        for _ in range(MOST_DEATHS):
            shutil.rmtree(output, ignore_errors=True)
            outcome = runner().run([command], place, limits, 0.0, directory)
            if outcome.done:
                break
        else:
            return ShardResult(b"", f"killed its process twice (signal {outcome.signal})")
        [done] = outcome.done
        if done.status not in _GOOD or not output.is_dir():
            error = (place / "0.err").read_text(errors="replace").strip()
            return ShardResult(b"", error or f"exit status {done.status}")
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            for path in sorted(output.rglob("*")):
                if not path.name.startswith(".sundry-lock"):
                    tar.add(path, path.relative_to(output), recursive=False)
        return ShardResult(archive.getvalue(), None)


def run_campaign(
    folder: Path,
    shards: list[Shard],
    merge: Callable[[Path, list[Path]], None],
    *,
    limits: Limits,
    description: dict,
    resume: bool,
    processors: float,
    tasks: int | None,
    progress: bool,
) -> Campaign:
    """Runs the shards of a campaign that are not done, and merges what all of them have found, now and then and at the end."""
    connect()
    (folder / "shards").mkdir(parents=True, exist_ok=True)
    with locked(folder):
        describe(folder, description, resume)
        return _Run(folder, shards, merge, limits, progress).run(Window(processors, tasks), processors)


class _Run:
    """A campaign in progress."""

    def __init__(self, folder: Path, shards: list[Shard], merge, limits: Limits, progress: bool) -> None:
        self._shards, self._merge, self._limits = shards, merge, limits
        self._campaign = Campaign(folder)
        self._begun = self._merged_at = time.monotonic()
        self._merged = 0
        self._progress = Progress(self._line, progress)

    def run(self, window: Window, processors: float) -> Campaign:
        task = ray.remote(num_cpus=processors, max_retries=0)(run_shard)
        start = lambda shard: task.remote(shard, self._limits, os.getcwd())  # noqa: E731
        driver = Driver(start, self._take, self._lost, window)
        try:
            driver.run(self._open(), self._tick)
        finally:
            # What was found before Ctrl-C or an error is merged all the same.
            self._merge_done()
            self._campaign.seconds = time.monotonic() - self._begun
            self._progress.finish()
        return self._campaign

    def _place(self, shard: Shard) -> Path:
        return self._campaign.folder / "shards" / shard.name

    def _open(self) -> Iterator[Shard]:
        for shard in self._shards:
            if self._place(shard).exists():
                self._campaign.shards += 1
                self._campaign.resumed += 1
            else:
                yield shard

    def _take(self, shard: Shard, result: ShardResult) -> list[Shard]:
        if result.error is not None:
            self._campaign.failed[shard.name] = result.error
            return []
        place = self._place(shard)
        new = place.with_name(f".{shard.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(result.archive)) as tar:
            tar.extractall(new, filter="data")
        os.sync()
        os.rename(new, place)
        self._campaign.shards += 1
        return []

    def _lost(self, shard: Shard) -> list[Shard]:
        self._campaign.lost += 1
        if shard.losses + 1 < MOST_LOSSES:
            return [Shard(shard.name, shard.command, shard.losses + 1)]
        self._campaign.failed[shard.name] = "lost each time together with its worker"
        return []

    def _tick(self) -> bool:
        self._progress.look()
        if time.monotonic() - self._merged_at >= _SECONDS_BETWEEN_MERGES:
            self._merge_done()
        return True

    def _merge_done(self) -> None:
        done = [place for place in map(self._place, self._shards) if place.exists()]
        if len(done) > self._merged:
            self._merge(self._campaign.merged, done)
            self._merged = len(done)
        self._merged_at = time.monotonic()

    def _line(self) -> str:
        done, all_shards = self._campaign.shards, len(self._shards)
        lost = f", {self._campaign.lost} lost and run again" if self._campaign.lost else ""
        failed = f", {len(self._campaign.failed)} failed" if self._campaign.failed else ""
        return f"{done} of {all_shards} shards{failed}{lost}, in {time.monotonic() - self._begun:.0f} s"


def _run_here(arguments: list[str], directory: Path) -> None:
    """Runs a command of Sundry on the machine of the driver, in a folder. Raises ``RuntimeError`` with its messages if it fails."""
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        outcome = runner().run([arguments], Path(name), Limits(), 0.0, str(directory.absolute()))
        if not outcome.done or outcome.done[0].status not in _GOOD:
            messages = (Path(name) / "0.err").read_text(errors="replace").strip()
            raise RuntimeError(f"sundry {arguments[0]} failed: {messages or f'signal {outcome.signal}'}")


def _merge_findings(merged: Path, shards: list[Path]) -> None:
    folder = merged.parent
    names = [str(shard.relative_to(folder)) for shard in shards]
    _run_here(["merge", *names, "--output", merged.name, "--quiet"], folder)


def _numbered(command: list[str], seed: int, shards: int) -> list[Shard]:
    width = max(4, len(str(shards - 1)))
    return [Shard(f"{number:0{width}}", [*command, "--seed", str(seed + number)]) for number in range(shards)]


def _paths(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> list[str]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return [os.fspath(path) for path in paths]


def _repeated(option: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (option, value)]


def fuzz(
    seeds: str | os.PathLike | Iterable[str | os.PathLike],
    folder: str | os.PathLike,
    *,
    solvers: Iterable[str],
    references: Iterable[str] = (),
    shards: int,
    timeout: float | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    options: Iterable[str] = (),
    resume: bool = False,
    processors: float = 1.0,
    tasks: int | None = None,
    progress: bool = True,
) -> Campaign:
    """Tests solvers as ``sundry fuzz`` does, in ``shards`` campaigns with the seeds ``seed``, ``seed + 1``, …, each with other mutants
    of the same formulas. ``merged`` in the folder has each bug once, by the key of a single campaign, with ``index.json``
    and ``index.html``.

    ``solvers`` and ``references`` are commands, which every node must have. ``timeout`` (seconds) and ``memory`` limit each shard; ``options``
    takes further options of the command line, such as ``["--mutants", "1000"]``. ``resume``, ``processors``, ``tasks`` and
    ``progress`` are those of :func:`sundry.cluster.sample`.

    Raises ``ValueError`` if the folder belongs to another campaign, and ``FileExistsError`` if it has results and ``resume`` is
    false. Shards that fail are in :attr:`Campaign.failed`.
    """
    named = [*_repeated("--solver", solvers), *_repeated("--reference", references)]
    command = ["fuzz", *_paths(seeds), *named, "--threads", "1", "--quiet", *options]
    parts = _numbered(command, seed, shards)
    return _start(parts, folder, _merge_findings, timeout, memory, resume, processors, tasks, progress)


def stress(
    folder: str | os.PathLike,
    *,
    targets: Iterable[str],
    references: Iterable[str],
    seeds: str | os.PathLike | Iterable[str | os.PathLike] = (),
    shards: int,
    timeout: float | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    options: Iterable[str] = (),
    resume: bool = False,
    processors: float = 1.0,
    tasks: int | None = None,
    progress: bool = True,
) -> Campaign:
    """Breeds inputs on which solvers are slow, as ``sundry stress`` does, in ``shards`` campaigns with the seeds ``seed``,
    ``seed + 1``, …. ``merged`` in the folder has each slow input once, by the key of a single campaign, with ``slow.json``,
    and wrong answers in ``defects``. All else is as for :func:`fuzz`.
    """
    named = [*_repeated("--target", targets), *_repeated("--reference", references)]
    command = ["stress", *_paths(seeds), *named, "--threads", "1", "--quiet", *options]
    parts = _numbered(command, seed, shards)
    return _start(parts, folder, _merge_findings, timeout, memory, resume, processors, tasks, progress)


def explore(
    program: str | os.PathLike | Iterable[str | os.PathLike],
    folder: str | os.PathLike,
    *,
    strategies: Iterable[str] = ("coverage", "rss", "rcn", "bfs"),
    shards: int = 4,
    timeout: float | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    options: Iterable[str] = (),
    resume: bool = False,
    processors: float = 1.0,
    tasks: int | None = None,
    progress: bool = True,
) -> Campaign:
    """Explores programs as ``sundry explore`` does.

    Of one program, ``shards`` explorations run with the seeds ``seed``, ``seed + 1``, … and the ``strategies`` in turn.
    ``merged`` in the folder is an exploration that runs the tests of all shards and keeps those that take new directions, so
    its tests, errors and coverage are those of all together. Of several programs, each is a shard, and nothing is merged.

    ``options`` takes options of the command line, such as ``["--stdin", "16"]``. All else is as for :func:`fuzz`.
    """
    options = [str(option) for option in options]
    programs = _paths(program)
    common = ["--quiet", *options]
    if len(programs) > 1:
        parts = [
            Shard(f"{number:04}-{Path(path).stem}", ["explore", path, "--seed", str(seed), *common])
            for number, path in enumerate(programs)
        ]
        return _start(parts, folder, lambda *_: None, timeout, memory, resume, processors, tasks, progress)
    names = list(strategies)
    parts = [
        Shard(part.name, [*part.command, "--strategy", names[number % len(names)]])
        for number, part in enumerate(_numbered(["explore", *programs, *common], seed, shards))
    ]

    def merge(merged: Path, done: list[Path]) -> None:
        _merge_explorations(["explore", *programs, *options], merged, done)

    return _start(parts, folder, merge, timeout, memory, resume, processors, tasks, progress)


def _merge_explorations(command: list[str], merged: Path, shards: list[Path]) -> None:
    """Runs the program with the tests of all shards, and the inputs of their errors."""
    shutil.rmtree(merged, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        tests = [test for shard in shards for kind in ("tests", "errors") for test in sorted((shard / kind).glob("*"))]
        for test in filter(Path.is_dir, tests):
            shutil.copytree(test, Path(name) / "-".join(test.relative_to(merged.parent / "shards").parts))
        limits = ["--seeds", name, "--max-paths", str(max(1, len(tests))), "--mutants", "0", "--quiet"]
        _run_here([*command, *limits, "--output", str(merged.absolute())], Path.cwd())


def _start(parts, folder, merge, timeout, memory, resume, processors, tasks, progress) -> Campaign:
    limits = Limits(timeout, parse_memory(memory))
    description = {
        "job": parts[0].command[0] if parts else None,
        "version": sundry.__version__,
        "shards": [[part.name, *part.command, *limits.arguments()] for part in parts],
    }
    return run_campaign(
        Path(folder),
        parts,
        merge,
        limits=limits,
        description=description,
        resume=resume,
        processors=processors,
        tasks=tasks,
        progress=progress,
    )
