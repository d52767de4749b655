"""Campaigns divided into shards: :func:`fuzz`, :func:`stress` and :func:`explore`.

Each shard has a seed of its own, so the results of a shard depend neither on the number of nodes nor on what happens to them.
The command line merges the findings of all shards, for it knows when two of them are the same.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import sundry
from sundry.errors import InputError
from sundry.options import integer, truth
from sundry.several import Texts, texts
from sundry.several import options as listed

from .checks import NOWHERE, check_options, most_tasks, positive
from .errors import TaskError
from .items import Paths
from .limits import Limits, parse_memory, parse_seconds
from .process import runner
from .shard_tasks import GOOD, Campaign, Merge, Settings, Shard, run_campaign


def _run_here(arguments: list[str], directory: Path) -> None:
    """Runs a command of Sundry on the machine of the driver, in a folder. Raises :class:`TaskError` with its messages if it fails."""
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        outcome = runner().run([arguments], Path(name), Limits(), 0.0, str(directory.absolute()))
        if not outcome.done or outcome.done[0].status not in GOOD:
            messages = (Path(name) / "0.err").read_text(errors="replace").strip()
            raise TaskError(f"sundry {arguments[0]} failed: {messages or f'signal {outcome.signal}'}")


def _merge_findings(merged: Path, shards: list[Path]) -> None:
    folder = merged.parent
    # A shard whose time was up before its solvers were probed has no findings, and no index of them.
    begun = [shard for shard in shards if any((shard / part / "index.json").exists() for part in ("", "defects"))]
    names = [str(shard.relative_to(folder)) for shard in begun]
    if names:
        _run_here(["merge", *names, "--output", merged.name, "--quiet"], folder)


def _settings(
    timeout: float | None,
    memory: int | str | None,
    resume: bool,
    processors: float,
    tasks: int | None,
    progress: bool,
) -> Settings:
    limits = Limits(parse_seconds(timeout), parse_memory(memory))
    share, most = positive("processors", processors), most_tasks(tasks)
    return Settings(limits, truth("resume", resume), share, most, truth("progress", progress))


def _check(command: list[str], settings: Settings) -> None:
    """Checks the options of a shard, whose input is :data:`NOWHERE`."""
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        output = ["--output", os.path.join(name, "out"), "--message-format", "json"]
        check_options([*command, *output, *settings.limits.arguments()])


def _numbered(command: list[str], seed: int, shards: int) -> list[Shard]:
    seed = integer("seed", seed, 0, "the seed of the first shard, less than 2^64")
    shards = integer("shards", shards, 1, "the number of parts of the campaign")
    width = max(4, len(str(shards - 1)))
    return [Shard(f"{number:0{width}}", [*command, "--seed", str(seed + number)]) for number in range(shards)]


def _repeated(option: str, values: Texts) -> list[str]:
    return [word for value in texts(values) for word in (option, value)]


def fuzz(
    seeds: Paths,
    folder: str | os.PathLike[str],
    *,
    solvers: Texts,
    references: Texts = (),
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

    Raises ``TypeError`` if an argument has a wrong type, :class:`sundry.InputError` if options are wrong, :class:`OtherRunError` if the
    folder belongs to another campaign, and :class:`ResultsExistError` if it has results and ``resume`` is false, all before Ray starts. Shards that fail are in :attr:`Campaign.failed`.
    """
    solvers_named = [*_repeated("--solver", solvers), *_repeated("--reference", references)]
    settings = _settings(timeout, memory, resume, processors, tasks, progress)
    inputs = texts(seeds)
    if not inputs:
        raise InputError("there is no formula to begin with", help="name formulas, folders of them, or patterns")
    return _test_solvers("fuzz", inputs, [*solvers_named, *listed(options)], seed, shards, folder, settings)


def stress(
    folder: str | os.PathLike[str],
    *,
    targets: Texts,
    references: Texts,
    seeds: Paths = (),
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
    solvers_named = [*_repeated("--target", targets), *_repeated("--reference", references)]
    settings = _settings(timeout, memory, resume, processors, tasks, progress)
    return _test_solvers("stress", texts(seeds), [*solvers_named, *listed(options)], seed, shards, folder, settings)


def _test_solvers(
    job: str,
    inputs: list[str],
    options: list[str],
    seed: int,
    shards: int,
    folder: str | os.PathLike[str],
    settings: Settings,
) -> Campaign:
    common = ["--threads", "1", "--quiet", *options]
    parts = _numbered([job, *inputs, *common], seed, shards)
    _check([job, NOWHERE, *common], settings)
    return _start(parts, folder, _merge_findings, settings)


def explore(
    program: Paths,
    folder: str | os.PathLike[str],
    *,
    strategies: Texts = ("coverage", "rss", "rcn", "bfs"),
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
    options = listed(options)
    settings = _settings(timeout, memory, resume, processors, tasks, progress)
    programs, names = texts(program), texts(strategies)
    if not programs or not names:
        raise InputError("there is no program, or no strategy", help="name a program, or several, and a strategy, or several")
    common = ["--quiet", *options]
    chosen = [["--strategy", name] for name in dict.fromkeys(names)] if len(programs) == 1 else [[]]
    for strategy in chosen:
        _check(["explore", NOWHERE, "--seed", str(seed), *common, *strategy], settings)
    if len(programs) > 1:
        parts = [
            Shard(f"{number:04}-{Path(path).stem}", ["explore", path, "--seed", str(seed), *common])
            for number, path in enumerate(programs)
        ]
        return _start(parts, folder, lambda *_: None, settings)
    parts = [
        Shard(part.name, [*part.command, "--strategy", names[number % len(names)]])
        for number, part in enumerate(_numbered(["explore", *programs, *common], seed, shards))
    ]

    def merge(merged: Path, done: list[Path]) -> None:
        _merge_explorations(["explore", *programs, *options], merged, done)

    return _start(parts, folder, merge, settings)


def _merge_explorations(command: list[str], merged: Path, shards: list[Path]) -> None:
    """Runs the program with the tests of all shards, and the inputs of their errors."""
    shutil.rmtree(merged, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        tests = [test for shard in shards for kind in ("tests", "errors") for test in sorted((shard / kind).glob("*"))]
        for test in filter(Path.is_dir, tests):
            shutil.copytree(test, Path(name) / "-".join(test.relative_to(merged.parent / "shards").parts))
        limits = ["--seeds", name, "--max-paths", str(max(1, len(tests))), "--mutants", "0", "--quiet"]
        _run_here([*command, *limits, "--output", str(merged.absolute())], Path.cwd())


def _start(
    shards: list[Shard],
    folder: str | os.PathLike[str],
    merge: Merge,
    settings: Settings,
) -> Campaign:
    described = [[shard.name, *shard.command, *settings.limits.arguments()] for shard in shards]
    return run_campaign(Path(folder), shards, merge, {"version": sundry.__version__, "shards": described}, settings)
