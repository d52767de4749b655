"""Sampling on a cluster: the same results as on one machine, whatever happens to nodes, workers, and the driver."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster_support import Held, finished, is_alive, readers, solutions, wait_for, without_times, worker_above, write_formulas
from ray.cluster_utils import Cluster

import sundry
from sundry import cluster

COUNT = 150
SIZES: dict[str, Any] = {"shard_size": 64, "batch_size": 8, "task_seconds": 0.2, "progress": False}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    """A cluster with a head and two more nodes, each with room for one task."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_formulas(tmp_path_factory.mktemp("formulas"), COUNT)


@pytest.fixture(scope="module")
def undisturbed(nodes: Cluster, formulas: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run to which nothing happens."""
    folder = tmp_path_factory.mktemp("undisturbed")
    summary = cluster.sample(formulas, folder, **SIZES)
    assert (summary.formulas, summary.failed, summary.complete) == (COUNT, 0, True)
    return folder


def records(folder: Path) -> list[dict[str, Any]]:
    return [without_times(record) for record in cluster.records(folder)]


def test_results_are_those_of_one_machine(undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sundry", "sample", *map(str, formulas), "--quiet", "--threads", "2"]
    command += ["--format", "jsonl", "-o", str(tmp_path), "--record", str(tmp_path / "records.jsonl")]
    status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    assert status in (0, 1)
    rows = cluster.read(undisturbed).to_table().to_pylist()
    for path in formulas:
        file = tmp_path / f"{path.stem}.jsonl"
        expected = file.read_text().splitlines() if file.exists() else []
        assert [row["solution"] for row in rows if row["formula"] == str(path)] == expected
    lines = (tmp_path / "records.jsonl").read_text().splitlines()
    assert records(undisturbed) == [without_times(json.loads(line)) for line in lines]


def test_a_node_that_is_removed_costs_its_running_tasks_only(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    slots = 2
    node = nodes.add_node(num_cpus=slots)
    # The first formulas of as many batches as there are places in the cluster: so each place is at work when the node goes.
    held = [Held(formulas[number * SIZES["batch_size"]]) for number in range(3 + slots)]

    def remove() -> None:
        wait_for("work on all nodes", lambda: all(formula.readers() for formula in held))
        nodes.remove_node(node, allow_graceful=False)
        wait_for("end of the node", lambda: sum(bool(formula.readers()) for formula in held) == 3)

    summary = sample_disturbed(formulas, tmp_path, held, remove)
    assert (summary.formulas, summary.failed, summary.complete) == (COUNT, 0, True)
    assert 0 < summary.lost <= slots
    assert solutions(tmp_path) == solutions(undisturbed)
    assert records(tmp_path) == records(undisturbed)


def test_a_worker_that_is_killed_costs_its_running_task_only(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    held = Held(formulas[3 * SIZES["batch_size"] + 2])

    def kill() -> None:
        wait_for("work on the formula", lambda: bool(held.readers()))
        [process] = held.readers()
        os.kill(worker_above(process), signal.SIGKILL)
        # Nothing goes on for a worker that is gone.
        wait_for("end of the process", lambda: not is_alive(process))

    summary = sample_disturbed(formulas, tmp_path, [held], kill)
    assert (summary.formulas, summary.failed, summary.complete, summary.lost) == (COUNT, 0, True, 1)
    assert solutions(tmp_path) == solutions(undisturbed)
    assert records(tmp_path) == records(undisturbed)


def sample_disturbed(formulas: list[Path], folder: Path, held: list[Held], disturb: Callable[[], None]) -> cluster.Summary:
    """Samples formulas, some of which wait until something else has happened."""

    def disturb_and_release() -> None:
        try:
            disturb()
        finally:
            for formula in held:
                formula.release()

    with ThreadPoolExecutor(1) as pool:
        disturbance = pool.submit(disturb_and_release)
        summary = cluster.sample(formulas, folder, **SIZES)
        disturbance.result()
    return summary


DRIVER = """
import sys
import ray
from sundry import cluster

ray.init(address=sys.argv[1], log_to_driver=False)
paths = sys.argv[3:]
cluster.sample(paths, sys.argv[2], shard_size=64, batch_size=8, task_seconds=0.2, progress=False)
"""


def test_a_driver_that_is_killed_is_resumed(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    command = [sys.executable, "-c", DRIVER, nodes.address, str(tmp_path), *map(str, formulas)]
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for("progress", lambda: finished(tmp_path) >= 20)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    before = finished(tmp_path)
    assert 20 <= before < COUNT
    # A kill may cut a line.
    for journal in (tmp_path / "journal").glob("*"):
        with open(journal, "ab") as file:
            file.write(b'[{"number":')
    with pytest.raises(cluster.ResultsExistError, match="resume=True"):
        cluster.sample(formulas, tmp_path, **SIZES)
    summary = cluster.sample(formulas, tmp_path, resume=True, **SIZES)
    assert (summary.resumed, summary.formulas, summary.complete) == (before, COUNT, True)
    assert summary.solutions == cluster.read(tmp_path).count_rows()
    assert solutions(tmp_path) == solutions(undisturbed)
    assert records(tmp_path) == records(undisturbed)
    # All is done: once more, nothing is run.
    again = cluster.sample(formulas, tmp_path, resume=True, **SIZES)
    assert (again.resumed, again.solutions, again.most_out) == (COUNT, summary.solutions, 0)


def test_formulas_are_taken_as_there_is_room(nodes: Cluster, formulas: list[Path], tmp_path: Path) -> None:
    taken, furthest = 0, 0

    def paths() -> Iterator[Path]:
        nonlocal taken, furthest
        for path in formulas:
            taken += 1
            furthest = max(furthest, taken - finished(tmp_path))
            yield path

    sizes = {**SIZES, "shard_size": 16}
    summary = cluster.sample(paths(), tmp_path, tasks=2, **sizes)
    assert (taken, summary.formulas, summary.most_out) == (COUNT, COUNT, 2)
    # Two tasks of eight formulas, in two shards at most, and the shard that comes next.
    assert furthest <= 3 * 16


def test_a_formula_that_kills_its_process_is_recorded(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    poison = tmp_path / "poison.smt2"
    os.mkfifo(poison)
    deaths: list[int] = []

    def kill_readers() -> None:
        while len(deaths) < 2:
            # Returns when the formula is opened for reading.
            with open(poison, "wb"):
                for reader in readers(poison):
                    deaths.append(reader)
                    os.kill(reader, signal.SIGKILL)
                    wait_for("death", lambda: not Path(f"/proc/{reader}/fd/0").exists())

    killer = threading.Thread(target=kill_readers, daemon=True)
    killer.start()
    folder = tmp_path / "results"
    mixed = [*formulas[:10], poison, *formulas[10:20]]
    summary = cluster.sample(mixed, folder, **SIZES)
    killer.join(timeout=10)
    assert (summary.formulas, summary.failed, len(deaths)) == (21, 1, 2)
    [killed] = [record for record in cluster.records(folder) if record["formula"] == str(poison)]
    assert (killed["status"], killed["error"]) == ("killed", "killed its process twice (SIGKILL)")
    others = [record for record in records(folder) if record["formula"] != str(poison)]
    assert others == records(undisturbed)[:20]


def test_a_formula_that_takes_too_much_memory_costs_itself_only(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    hungry = tmp_path / "hungry.smt2"
    declarations = "".join(f"(declare-const x{number} (_ BitVec 512))" for number in range(12))
    product = "(bvmul " * 11 + "x0" + "".join(f" x{number})" for number in range(1, 12))
    hungry.write_text(f"{declarations}\n(assert (= {product} (_ bv12345 512)))\n(check-sat)\n")
    folder = tmp_path / "results"
    summary = cluster.sample([*formulas[:4], hungry, *formulas[4:8]], folder, memory="256M", timeout=20, **SIZES)
    assert summary.formulas == 9
    [record] = [record for record in cluster.records(folder) if record["formula"] == str(hungry)]
    text = str(record.get("error", record.get("stopped_by")))
    assert "memory" in text or "killed" in text, record
    rows = cluster.read(folder).to_table().to_pylist()
    wanted = {str(path) for path in formulas[:8]}
    expected = [row for row in cluster.read(undisturbed).to_table().to_pylist() if row["formula"] in wanted]
    assert [row for row in rows if row["formula"] in wanted] == expected


def test_input_that_is_at_fault_is_recorded_and_options_that_are_wrong_are_refused(nodes: Cluster, tmp_path: Path) -> None:
    good, bad = write_formulas(tmp_path / "formulas", 2)
    bad.write_text("(assert (bvult")
    folder = tmp_path / "results"
    missing = tmp_path / "missing.smt2"
    summary = cluster.sample([good, bad, missing], folder, **SIZES)
    assert (summary.formulas, summary.failed, summary.complete) == (3, 2, True)
    errors = [record.get("error") for record in cluster.records(folder)]
    assert errors[0] is None and f"{bad}:1:" in str(errors[1]) and str(missing) in str(errors[2])
    with pytest.raises(sundry.InputError, match="strategy"):
        cluster.sample([good], tmp_path / "wrong", strategy="nonsense", **SIZES)
    with pytest.raises(sundry.InputError, match="amount of memory"):
        cluster.sample([good], tmp_path / "wrong", memory="much", **SIZES)
    with pytest.raises(cluster.OtherRunError, match="other options"):
        cluster.sample([good, bad, missing], folder, seed=7, resume=True, **SIZES)
    with pytest.raises(cluster.OtherRunError, match="other formulas"):
        cluster.sample([good, missing], folder, resume=True, **SIZES)


def test_nothing_to_sample_and_options_as_one_text_are_refused(nodes: Cluster, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(sundry.InputError, match="no formula to sample"):
        cluster.sample(tmp_path / "empty", tmp_path / "results")
    with pytest.raises(sundry.InputError, match="does not exist"):
        cluster.sample(tmp_path / "missing", tmp_path / "results")
    for reader in (cluster.read, cluster.records, cluster.solutions):
        with pytest.raises(sundry.InputError, match="no results"):
            reader(tmp_path / "empty")
    with pytest.raises(sundry.InputError, match="not a list") as error:
        cluster.sample("x.smt2", tmp_path / "results", options="--effort low")
    assert error.value.help == "write ['--effort', 'low']" and not (tmp_path / "results").exists()


def test_a_shard_whose_formulas_have_changed_is_sampled_again(nodes: Cluster, tmp_path: Path) -> None:
    paths = write_formulas(tmp_path / "formulas", 4)
    folder = tmp_path / "results"
    sizes = {**SIZES, "shard_size": 2}
    cluster.sample(tmp_path / "formulas", folder, **sizes)
    paths[3].write_text("(declare-const p Bool)\n(assert p)\n(check-sat)\n")
    summary = cluster.sample(tmp_path / "formulas", folder, resume=True, **sizes)
    assert (summary.resumed, summary.formulas) == (2, 4)
    rows = cluster.read(folder).to_table().to_pylist()
    assert [row["solution"] for row in rows if row["formula"] == str(paths[3])] == ['{"p":"true"}']
    with pytest.raises(cluster.OtherRunError, match="results of further formulas, in 1 shard"):
        cluster.sample(paths[:2], folder, resume=True, **sizes)


def test_rows_become_solutions(undisturbed: Path) -> None:
    found = list(cluster.solutions(undisturbed))
    rows = cluster.read(undisturbed).to_table().to_pylist()
    assert [path for path, _ in found] == [row["formula"] for row in rows]
    assert [solution.texts() for _, solution in found] == [json.loads(row["solution"]) for row in rows]


def test_errors_are_those_that_python_knows_too() -> None:
    error = pickle.loads(pickle.dumps(cluster.ResultsExistError("there are results", help="choose another folder")))
    assert isinstance(error, FileExistsError) and isinstance(error, sundry.InputError)
    assert "choose another folder" in str(error)


def test_a_run_that_is_out_of_time_continues(nodes: Cluster, undisturbed: Path, formulas: list[Path], tmp_path: Path) -> None:
    summary = cluster.sample(formulas, tmp_path, total_timeout=0.0, **SIZES)
    assert not summary.complete
    summary = cluster.sample(formulas, tmp_path, resume=True, **SIZES)
    assert summary.complete
    assert solutions(tmp_path) == solutions(undisturbed)
