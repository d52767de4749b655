"""Things that the tests of ``sundry.cluster`` share: formulas, a cluster of three nodes on this machine, and the bytes of results."""

from __future__ import annotations

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
