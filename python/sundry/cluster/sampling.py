"""The work of one task of :func:`sundry.cluster.sample`: a few formulas, one after the other, each with limits of its own.

The process of a formula that dies costs that formula only. The task runs it once more, alone, and if its process dies again, the
record says so instead of having figures.
"""

from __future__ import annotations

import json
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .checks import first_error
from .limits import Limits
from .process import Done, runner
from .scratch import scratch

#: An object of JSON.
Json = dict[str, Any]

#: A formula whose process has died this often is not tried again.
MOST_DEATHS = 2
_LIMIT = 3


@dataclass(frozen=True)
class Sampling:
    """The settings of a run that tasks need; sent to each node once."""

    #: Options of ``sundry sample``, apart from the limits.
    arguments: list[str]
    #: Limits of each formula.
    limits: Limits
    #: Seconds after which a task returns, as soon as the formula at hand is done.
    seconds: float
    #: The version of Sundry, as records have it.
    version: str
    #: The working directory of the driver, in which names of formulas are meant.
    directory: str


@dataclass(frozen=True)
class Batch:
    """Formulas that one task may take, with their numbers in the shard."""

    #: The number of the shard.
    shard: int
    #: Number in the shard and path of each formula.
    formulas: list[tuple[int, str]]
    #: The number of times that a task with these formulas has been lost.
    losses: int = 0


@dataclass(frozen=True)
class Returned:
    """The results of a task: a line for the journal, and what the driver needs to know of it."""

    #: The results as a line of JSON.
    line: bytes
    #: The numbers of the formulas that are done; they are the first of the batch.
    numbers: list[int]
    #: The number of solutions.
    solutions: int
    #: Formulas without a run, because the input or the process failed.
    failed: int
    #: An error of the options, which all formulas share.
    usage: str | None = None


def sample_batch(batch: Batch, sampling: Sampling) -> Returned:
    """Samples formulas in the order of the batch until all are done or the task has taken its time.

    Raises :class:`TaskError` if Sundry cannot be run here.
    """
    with scratch() as name:
        return _sample(batch, sampling, Path(name))


def _sample(batch: Batch, sampling: Sampling, folder: Path) -> Returned:
    start = time.monotonic()
    results: list[Json] = []
    waiting = list(batch.formulas)
    deaths, is_alone = 0, False
    while waiting:
        left = sampling.seconds - (time.monotonic() - start)
        if results and left <= 0 and not is_alone:
            break
        _empty(folder)
        taken = waiting[:1] if is_alone else waiting
        commands = [command(sampling, path, folder, place) for place, (_, path) in enumerate(taken)]
        outcome = runner().run(commands, folder, sampling.limits, left, sampling.directory)
        is_alone = False
        for done in outcome.done:
            number, path = waiting[0]
            result = _result(sampling, number, path, folder, done)
            if done.number > 0 and _has_run_full(result):
                # Formulas before it have taken their share of the memory of the process.
                is_alone = True
                break
            results.append(result)
            waiting.pop(0)
            deaths = 0
        else:
            if outcome.signal is not None:
                deaths, is_alone = deaths + 1, True
                if deaths == MOST_DEATHS:
                    number, path = waiting.pop(0)
                    results.append(killed(sampling.version, number, path, outcome.signal))
                    deaths, is_alone = 0, False
    return _returned(results)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def command(sampling: Sampling, path: str, folder: Path, place: int) -> list[str]:
    """The command that samples a formula; its files in the folder have the number ``place``."""
    files = ["--output", str(folder / f"{place}.jsonl"), "--record", str(folder / f"{place}.json")]
    return ["sample", path, "--quiet", "--threads", "1", "--format", "jsonl", "--message-format", "json",
            *files, *sampling.limits.arguments(), *sampling.arguments]  # fmt: skip


def _result(sampling: Sampling, number: int, path: str, folder: Path, done: Done) -> Json:
    """The record of a formula that its command has written, or the error if there is none, and the solutions."""
    record = folder / f"{done.number}.json"
    if record.exists():
        solutions = folder / f"{done.number}.jsonl"
        # Names may have characters that end lines for Python, but not in JSON.
        lines = solutions.read_bytes().decode().split("\n")[:-1] if solutions.exists() else []
        return {"number": number, "record": json.loads(record.read_bytes()), "solutions": lines}
    errors = (folder / f"{done.number}.err").read_text(encoding="utf-8", errors="replace")
    error, kind = _first_error(errors)
    failure = {"formula": path, "error": error, "status": done.status, "version": sampling.version}
    return {"number": number, "record": failure, "solutions": [], "kind": kind}


def _first_error(text: str) -> tuple[str, str]:
    """The message of the first error and its kind, from what a command has written to standard error."""
    error = first_error(text)
    if error is None:
        return text.strip() or "there is neither a record nor an error", "internal"
    place = [str(error[key]) for key in ("file", "line", "column") if key in error]
    return ": ".join([":".join(place), error["message"]] if place else [error["message"]]), error["kind"]


def _has_run_full(result: Json) -> bool:
    """Whether a formula has ended for lack of memory."""
    record = result["record"]
    return record.get("stopped_by") == "memory" or result.get("kind") == "limit" and record["status"] == _LIMIT


def killed(version: str, number: int, path: str, by: int | None) -> Json:
    """The result of a formula whose process was killed each time, by a signal or together with its worker."""
    if by == signal.SIGALRM:
        reason = "did not end in time, and was killed"
    elif by is None:
        reason = "was lost each time together with its worker"
    else:
        reason = f"killed its process twice ({signal.Signals(by).name})"
    record = {"formula": path, "error": reason, "status": "killed", "version": version}
    return {"number": number, "record": record, "solutions": []}


def _returned(results: list[Json]) -> Returned:
    usage = next((result["record"]["error"] for result in results if result.get("kind") == "usage"), None)
    for result in results:
        result.pop("kind", None)
    return returned(results, usage)


def returned(results: list[Json], usage: str | None = None) -> Returned:
    """Results as a task returns them."""
    return Returned(
        line=json.dumps(results, ensure_ascii=False, separators=(",", ":")).encode() + b"\n",
        numbers=[result["number"] for result in results],
        solutions=sum(len(result["solutions"]) for result in results),
        failed=sum("error" in result["record"] for result in results),
        usage=usage,
    )
