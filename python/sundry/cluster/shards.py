"""The folder of a run of :func:`sundry.cluster.sample`: results that a kill at any moment neither loses nor doubles.

====================================  ==================================================================================
``run.json``                          what decides on the results: options, sizes, version
``shards.jsonl``                      a line for each shard that was begun: digests of the names and of the state of its formulas
``journal/part-000007.jsonl``         results of a shard that is not done, a line for each task
``records/part-000007.jsonl``         the records of a shard that is done, as ``sundry sample --record`` writes them
``solutions/part-000007.parquet``     its solutions
====================================  ==================================================================================

A shard is a fixed number of consecutive formulas. Its files appear under their names when it is done, and the journal goes
after them: whatever moment a kill falls on, each result is in the journal, in the files, or in both, where the files count. The
rows of the files are in the order of the formulas, so their bytes depend neither on the order in which tasks end nor on kills.

A shard for each task was rejected: a thousand processors would make a thousand files a second.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from sundry.errors import InputError

from .errors import BusyFolderError, OtherRunError, ResultsExistError
from .process import read_lines
from .sampling import Json, Returned
from .tables import count_solutions, write_solutions

RUN, SHARDS, JOURNAL, RECORDS, SOLUTIONS = "run.json", "shards.jsonl", "journal", "records", "solutions"


@dataclass
class Shard:
    """Consecutive formulas whose results go to one file."""

    number: int
    formulas: list[str]
    #: The lines of the journal: the first number of each, with its offset and length.
    lines: list[tuple[int, int, int]] = field(default_factory=list)
    #: The numbers of the formulas that are done.
    done: set[int] = field(default_factory=set)
    #: Solutions that earlier runs have found, and formulas on which they failed.
    solutions: int = 0
    failed: int = 0

    @property
    def name(self) -> str:
        """The name of the files of the shard, without an ending."""
        return f"part-{self.number:06d}"

    def is_done(self) -> bool:
        """Whether all formulas are done."""
        return len(self.done) == len(self.formulas)

    def open_runs(self) -> Iterator[list[tuple[int, str]]]:
        """The formulas that are not done, in runs of consecutive numbers."""
        run: list[tuple[int, str]] = []
        for number, path in enumerate(self.formulas):
            if number not in self.done:
                run.append((number, path))
            elif run:
                yield run
                run = []
        if run:
            yield run

    def digests(self) -> Json:
        """The identity of the shard: the names of its formulas, and the sizes and times of their files."""
        states = [[path, *_state(path)] for path in self.formulas]
        return {"shard": self.number, "formulas": _digest(self.formulas), "files": _digest(states)}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def _state(path: str) -> list[int]:
    try:
        state = os.stat(path)
    except OSError:
        return []
    return [state.st_size, state.st_mtime_ns]


class Folder:
    """The files of a run, of which one driver at a time may write."""

    def __init__(self, path: Path, description: Json, resume: bool) -> None:
        """Opens the folder, and creates it if need be.

        Raises ``InputError`` if the path is a file, ``OtherRunError`` if the folder has results that this run cannot continue,
        ``ResultsExistError`` if it has results and ``resume`` was not asked for, and ``BusyFolderError`` if another driver is at work there.
        """
        self._path = path
        create(path, JOURNAL, RECORDS, SOLUTIONS)
        self._lock = locked(path)
        self._description = description
        try:
            compare(path, description, resume)
        except BaseException:
            self._lock.close()
            raise
        self._begun = {line["shard"]: line for line in read_lines(path / SHARDS)}
        self._shards_file = _open_to_append(path / SHARDS)
        self._journals: dict[int, io.FileIO] = {}

    def describe(self) -> None:
        """Makes the folder that of this run. Until then, a run that could not start leaves room for another one."""
        describe(self._path, self._description)

    def begin(self, shard: Shard) -> None:
        """Fills in what earlier runs have done of a shard. A shard whose formulas have changed begins anew.

        Raises ``OtherRunError`` if the formulas are others than those of the earlier run.
        """
        digests = shard.digests()
        earlier = self._begun.get(shard.number)
        if earlier is not None and earlier["formulas"] != digests["formulas"]:
            first = shard.formulas[0]
            raise OtherRunError(
                f"{self._path} has results of other formulas from {first} on", help="choose another folder"
            )
        journal = self._file(JOURNAL, shard)
        if earlier != digests:
            for name in (SOLUTIONS, RECORDS, JOURNAL):
                self._file(name, shard).unlink(missing_ok=True)
            _append(self._shards_file, json.dumps(digests).encode() + b"\n")
            self._begun[shard.number] = digests
        elif self._file(SOLUTIONS, shard).exists():
            journal.unlink(missing_ok=True)
            shard.done = set(range(len(shard.formulas)))
            shard.solutions = count_solutions(self._file(SOLUTIONS, shard))
            shard.failed = _failures(self._file(RECORDS, shard))
        elif journal.exists():
            self._read_journal(shard, journal)

    def check_end(self, shards: int) -> None:
        """Compares the number of shards of a run that has ended with that of the earlier run.

        Raises ``OtherRunError`` if the earlier run had more formulas.
        """
        more = len(self._begun) - shards
        if more > 0:
            raise OtherRunError(
                f"{self._path} has results of further formulas, in {more} shard{'s' if more > 1 else ''}",
                help="name the same formulas as before, or choose another folder",
            )

    def _read_journal(self, shard: Shard, journal: Path) -> None:
        offset = 0
        with open(journal, "rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                results = json.loads(line)
                self._note(shard, [result["number"] for result in results], offset, len(line))
                shard.solutions += sum(len(result["solutions"]) for result in results)
                shard.failed += sum("error" in result["record"] for result in results)
                offset += len(line)
        # A kill may have cut the last line.
        os.truncate(journal, offset)
        if shard.is_done():
            self._finish(shard)

    @staticmethod
    def _note(shard: Shard, numbers: list[int], offset: int, length: int) -> None:
        shard.lines.append((numbers[0], offset, length))
        shard.done.update(numbers)

    def add(self, shard: Shard, returned: Returned) -> None:
        """Adds results of formulas that were not done; writes the files of the shard if they are the last."""
        if not returned.numbers:
            return
        journal = self._journals.get(shard.number)
        if journal is None:
            journal = self._journals[shard.number] = _open_to_append(self._file(JOURNAL, shard))
        offset = _append(journal, returned.line)
        self._note(shard, returned.numbers, offset, len(returned.line))
        if shard.is_done():
            self._journals.pop(shard.number).close()
            self._finish(shard)

    def _finish(self, shard: Shard) -> None:
        journal = self._file(JOURNAL, shard)
        with replacing(self._file(RECORDS, shard)) as records:
            for result in _results(shard, journal):
                line = json.dumps(result["record"], ensure_ascii=False, separators=(",", ":"))
                records.write(line.encode() + b"\n")
        with replacing(self._file(SOLUTIONS, shard)) as solutions:
            write_solutions(solutions, _results(shard, journal))
        journal.unlink()
        shard.lines.clear()

    def _file(self, folder: str, shard: Shard) -> Path:
        return self._path / folder / (shard.name + (".parquet" if folder == SOLUTIONS else ".jsonl"))

    def close(self) -> None:
        """Closes all files and lets another run begin."""
        for journal in self._journals.values():
            journal.close()
        self._journals.clear()
        self._shards_file.close()
        self._lock.close()


def create(folder: Path, *names: str) -> None:
    """Creates a folder with folders in it, as far as they do not exist. Raises ``InputError`` if a file is in the way."""
    try:
        for name in names:
            (folder / name).mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{folder} cannot be a folder: {error}", help="name a new folder for the results") from None


def locked(folder: Path) -> IO[str]:
    """A file that is open and locked while this driver writes to the folder. Raises ``BusyFolderError`` if another one does."""
    lock = open(folder / "lock", "w", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise BusyFolderError(
            f"another run is writing to {folder}", help="wait for its end, or choose another folder"
        ) from None
    return lock


def describe(folder: Path, description: Json) -> None:
    """Writes down what decides on the results in a folder, unless an earlier run has."""
    if not (folder / RUN).exists():
        replace(folder / RUN, json.dumps(description, indent=2).encode() + b"\n")


def compare(folder: Path, description: Json, resume: bool) -> None:
    """Compares what decides on the results in a folder with an earlier run, if there was one.

    Raises ``ResultsExistError`` if there are results and ``resume`` is false, and ``OtherRunError`` if they are those of another run.
    """
    path = folder / RUN
    if not path.exists():
        return
    if not resume:
        raise ResultsExistError(
            f"{folder} has results", help="pass resume=True to continue, or choose another folder"
        )
    earlier = json.loads(path.read_text(encoding="utf-8"))
    others = [key for key in description if earlier.get(key) != description[key]]
    if others:
        raise OtherRunError(
            f"{folder} has results of a run with other {' and '.join(others)}", help="choose another folder"
        )


def _failures(records: Path) -> int:
    """The number of formulas without a run, according to the records of a shard."""
    with open(records, "rb") as lines:
        # Few lines have the word, so that few are read as JSON.
        return sum("error" in json.loads(line) for line in lines if b'"error"' in line)


def _results(shard: Shard, journal: Path) -> Iterator[Json]:
    """The results of a shard in the order of its formulas, of which one line at a time is in memory."""
    with open(journal, "rb") as lines:
        for _, offset, length in sorted(shard.lines):
            lines.seek(offset)
            yield from json.loads(lines.read(length))


def _open_to_append(path: Path) -> io.FileIO:
    return io.FileIO(path, "ab")


def _append(file: io.FileIO, line: bytes) -> int:
    """Writes a line in one piece, and returns its offset. A full disk raises ``OSError``, and leaves no part of the line."""
    offset = file.seek(0, os.SEEK_END)
    written = 0
    try:
        while written < len(line):
            written += file.write(line[written:]) or 0
    except OSError:
        os.ftruncate(file.fileno(), offset)
        raise
    return offset


def replace(path: Path, content: bytes) -> None:
    """Replaces a file in one step."""
    with replacing(path) as file:
        file.write(content)


class replacing:
    """A file that takes the place of another in one step, when it is on the disk."""

    def __init__(self, path: Path) -> None:
        self._path, self._new = path, path.with_name(f".{path.name}.new")

    def __enter__(self) -> BinaryIO:
        self._file = open(self._new, "wb")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._file:
            if kind is None:
                self._file.flush()
                os.fsync(self._file.fileno())
        if kind is not None:
            self._new.unlink()
            return
        os.replace(self._new, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
