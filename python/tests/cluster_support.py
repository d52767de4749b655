"""Things that the tests of ``sundry.cluster`` share: formulas, some of which wait; processes and their parents; the bytes of results."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEMPLATE = """\
(set-logic QF_BV)
(declare-const a (_ BitVec {width}))
(declare-const b (_ BitVec {width}))
(declare-const flag Bool)
(assert (= flag (bvult a b)))
(assert (bvule (bvadd a (_ bv{first} {width})) (bvor b (_ bv{second} {width}))))
(check-sat)
"""

#: A formula whose mutants have operators on which a solver has two defects, a wrong answer and a crash.
DEFECTIVE_SEED = """\
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvule x y))
(assert (bvule y (bvadd x #x1)))
(assert (or (bvule x #x3) (bvule #xc y)))
(check-sat)
"""
DEFECTIVE_SOLVER = """\
if grep -q bvlshr "$1"; then echo unsat; elif grep -q bvor "$1"; then echo 'Fatal failure in bvor' >&2; kill -ABRT $$; else echo sat; fi
"""
#: Options of ``sundry fuzz`` by which each campaign finds both, and makes them as small as can be, however busy the machine is.
DEFECTIVE_OPTIONS = ["--mutants", "30", "--strategy", "pst", "--form", "plain", "--vary-options", "0", "--reduction-timeout", "60"]


def write_formulas(folder: Path, count: int) -> list[Path]:
    """Small formulas that are all different."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(count):
        width = 6 + number % 5
        path = folder / f"{number:05}.smt2"
        path.write_text(TEMPLATE.format(width=width, first=number % 61, second=(7 * number) % 53))
        paths.append(path)
    return paths


def solutions(folder: Path) -> dict[str, bytes]:
    """The bytes of the files of solutions."""
    return {path.name: path.read_bytes() for path in sorted((folder / "solutions").glob("*"))}


def without_times(record: Any) -> Any:
    """A record without its measured times."""
    if isinstance(record, dict):
        return {key: without_times(value) for key, value in record.items() if "seconds" not in key}
    if isinstance(record, list):
        return [without_times(value) for value in record]
    return record


def finished(folder: Path) -> int:
    """The number of formulas of a run that are done, by what is on the disk."""
    from sundry import cluster

    # Before a run has begun, its folder is none of a run.
    return sum(1 for _ in cluster.records(folder)) if (folder / "run.json").exists() else 0


def wait_for(what: str, condition: Callable[[], bool], seconds: float = 120.0) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what} does not happen"
        time.sleep(0.01)


class Held:
    """A formula whose readers wait until it is released: a pipe stands in the place of its file. So a test knows that a task is at
    work, and by which process, however fast or slow the machine is."""

    def __init__(self, path: Path) -> None:
        self.path, self._aside = path, path.with_name(f"{path.name}.aside")
        os.rename(path, self._aside)
        os.mkfifo(path)
        # As long as one process has the end for writing, readers wait.
        self._pipe = os.open(path, os.O_RDWR)

    def readers(self) -> list[int]:
        """The processes that wait for the formula."""
        return readers(self.path)

    def release(self) -> None:
        """Puts the file back in its place, and gives its text to those that wait."""
        text, waiting = self._aside.read_bytes(), self.readers()
        os.replace(self._aside, self.path)
        if waiting:
            os.write(self._pipe, text)
        os.close(self._pipe)


def readers(path: Path) -> list[int]:
    """The processes but this one that have a file open."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            if any(os.readlink(handle) == str(path) for handle in (process / "fd").iterdir()):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def worker_above(process: int) -> int:
    """The worker of Ray for which a process works."""
    while process > 1:
        # The name in parentheses may have spaces.
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::"):
            return process
    raise AssertionError("no worker of Ray is above the process")


def is_alive(process: int) -> bool:
    """Whether a process is running."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False
