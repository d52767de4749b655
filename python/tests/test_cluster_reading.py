"""Results of a run on a cluster can be read at any time: while it goes on, half-written, and at the end."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster_support import Held, wait_for, without_times, write_formulas

from sundry import cluster

COUNT = 40
#: Shards of two batches of four formulas.
SIZES: dict[str, Any] = {"shard_size": 8, "batch_size": 4, "task_seconds": 60, "progress": False}


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def rows(folder: Path) -> list[tuple[str, int, str]]:
    """The rows of the solutions in a folder."""
    return [(row["formula"], row["number"], row["solution"]) for row in cluster.read(folder).to_table().to_pylist()]


def records(folder: Path) -> list[Any]:
    return [without_times(record) for record in cluster.records(folder)]


def assert_consistent(folder: Path, paths: list[Path], expected: list[tuple[str, int, str]], expected_records: list[Any]) -> None:
    """Asserts that a folder has the results of some formulas, each once, by all ways of reading."""
    names = {str(path) for path in paths}
    found = rows(folder)
    assert len(set(found)) == len(found)
    assert sorted(found) == sorted(row for row in expected if row[0] in names)
    by_name = sorted(records(folder), key=lambda record: str(record["formula"]))
    assert by_name == [record for record in expected_records if record["formula"] in names]
    judged = [(path, solution.texts()) for path, solution in cluster.solutions(folder)]
    assert judged == [(path, json.loads(solution)) for path, _, solution in found]


def test_a_folder_is_read_while_a_run_is_writing_to_it(tmp_path: Path) -> None:
    formulas = write_formulas(tmp_path / "formulas", COUNT)
    whole, folder = tmp_path / "whole", tmp_path / "results"
    assert cluster.sample(formulas, whole, **SIZES).complete
    expected, expected_records = rows(whole), records(whole)
    assert len(expected_records) == COUNT
    # The fourth shard waits for its second batch, so its first one is in the journal, and all other shards are done.
    held = Held(formulas[28])
    done = [path for number, path in enumerate(formulas) if not 28 <= number < 32]
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(cluster.sample, formulas, folder, **SIZES)
        try:
            wait_for("all but one batch", lambda: (folder / "run.json").exists() and len(records(folder)) == len(done))
            # The journal of a shard goes a moment after its files have come.
            wait_for("end of the shards", lambda: [path.stem for path in (folder / "journal").glob("part-*")] == ["part-000003"])
            assert sorted(path.stem for path in (folder / "solutions").glob("part-*")) == [f"part-{number:06}" for number in (0, 1, 2, 4)]
            assert_consistent(folder, done, expected, expected_records)
            # A line that is on its way does not count.
            half = tmp_path / "half-written"
            shutil.copytree(folder, half)
            journal = half / "journal" / "part-000003.jsonl"
            line = journal.read_bytes()
            journal.write_bytes(line + line[: len(line) // 2])
            assert_consistent(half, done, expected, expected_records)
            # Nor do files of a shard that are not in their place, or are not complete.
            (half / "solutions" / ".part-000003.parquet.new").write_bytes(b"PAR1")
            record = json.dumps(expected_records[24]).encode() + b"\n"
            (half / "records" / "part-000003.jsonl").write_bytes(record)
            assert_consistent(half, done, expected, expected_records)
        finally:
            held.release()
        assert run.result().complete
    assert_consistent(folder, formulas, expected, expected_records)
    assert rows(folder) == expected


def test_each_look_at_a_running_folder_has_each_result_at_most_once(tmp_path: Path) -> None:
    """Shards begin, and move from the journal to their files, between any two steps of a reader."""
    formulas = write_formulas(tmp_path / "formulas", COUNT)
    folder = tmp_path / "results"
    end = threading.Event()
    looks: list[list[tuple[str, int, str]]] = []
    counts: list[int] = []

    def look() -> None:
        while not end.is_set():
            if (folder / "run.json").exists():
                looks.append(rows(folder))
                counts.append(len({record["formula"] for record in records(folder)}))

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            summary = cluster.sample(formulas, folder, **{**SIZES, "shard_size": 2, "batch_size": 1})
        finally:
            end.set()
        looking.result()
    everything = rows(folder)
    assert summary.complete and len(everything) == summary.solutions
    assert len(looks) > 1 and counts == sorted(counts)
    for earlier, later in zip(looks, [*looks[1:], everything]):
        assert len(set(earlier)) == len(earlier) and set(earlier) <= set(later)
