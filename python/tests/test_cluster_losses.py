"""Campaigns on a cluster that lose a worker, a node, or their driver: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster_support import DEFECTIVE_OPTIONS, DEFECTIVE_SEED, DEFECTIVE_SOLVER, Held, is_alive, wait_for, worker_above
from formulas import EXAMPLES
from ray.cluster_utils import Cluster

from sundry import cluster

SHARDS = 4

#: A solver that waits as long as the file ``hold`` exists, and says so.
WAIT = """\
if [ -e {place}/hold ]; then touch {place}/held/$$; fi
while [ -e {place}/hold ]; do sleep 0.05; done
"""


class Solver:
    """A solver with defects that waits when it is told to, and the formula to begin with."""

    def __init__(self, place: Path) -> None:
        self.seed, self._script, self._hold, self._held = place / "seed.smt2", place / "solver.sh", place / "hold", place / "held"
        self._held.mkdir(parents=True)
        self.seed.write_text(DEFECTIVE_SEED)
        self._script.write_text(WAIT.format(place=place) + DEFECTIVE_SOLVER)
        self.command = f"sh {self._script}"

    def hold(self) -> None:
        """Has the solver wait from now on."""
        self._hold.touch()

    def release(self) -> None:
        """Has the solver go on."""
        self._hold.unlink()

    def waiting(self) -> list[int]:
        """The processes of the solver that have waited and are running."""
        return [int(path.name) for path in self._held.iterdir() if is_alive(int(path.name))]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    """A cluster with a head and another node, each with room for one task."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def address(nodes: Cluster) -> str:
    """The address of the cluster, to which another process can connect."""
    return str(nodes.address)


@pytest.fixture(scope="module")
def solver(tmp_path_factory: pytest.TempPathFactory) -> Solver:
    return Solver(tmp_path_factory.mktemp("solver"))


def fuzz_arguments(solver: Solver) -> dict[str, Any]:
    options = [*DEFECTIVE_OPTIONS, "--solver-timeout", "60", "--solver-wall-time", "600"]
    shared = {"references": "built-in", "shards": SHARDS, "options": options, "progress": False}
    return {"seeds": str(solver.seed), "solvers": solver.command, **shared}


def bugs(folder: Path) -> dict[str, int]:
    """The findings of each bug by its folder."""
    return {bug["folder"]: bug["count"] for bug in json.loads((folder / "index.json").read_text())["bugs"]}


def bugs_of_shards(folder: Path) -> dict[str, dict[str, int]]:
    """The bugs of each shard. Nothing but whole shards is in their folder."""
    return {shard.name: bugs(shard) for shard in sorted((folder / "shards").iterdir())}


@pytest.fixture(scope="module")
def undisturbed(address: str, solver: Solver, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign to which nothing happens."""
    campaign = cluster.fuzz(folder=tmp_path_factory.mktemp("undisturbed") / "out", **fuzz_arguments(solver))
    assert (campaign.shards, campaign.failed, campaign.lost) == (SHARDS, {}, 0)
    merged = bugs(campaign.merged)
    # Each shard shows both bugs, and the merged folder has each once.
    assert len(merged) == 2 and all(shard.keys() == merged.keys() for shard in bugs_of_shards(campaign.folder).values())
    return campaign.folder


def assert_same(campaign: cluster.Campaign, undisturbed: Path) -> None:
    """Asserts that a campaign has what an undisturbed one has, once."""
    assert (campaign.shards, campaign.failed) == (SHARDS, {})
    assert bugs_of_shards(campaign.folder) == bugs_of_shards(undisturbed)
    assert bugs(campaign.merged) == bugs(undisturbed / "merged")


def test_a_worker_that_is_killed_costs_its_running_shard_only(undisturbed: Path, solver: Solver, tmp_path: Path) -> None:
    solver.hold()

    def kill() -> None:
        try:
            wait_for("work on two shards", lambda: len(solver.waiting()) == 2)
            victim, other = solver.waiting()
            os.kill(worker_above(victim), signal.SIGKILL)
            # Nothing goes on for a worker that is gone, not even its solvers.
            wait_for("end of the solver", lambda: not is_alive(victim))
            assert is_alive(other)
        finally:
            solver.release()

    with ThreadPoolExecutor(1) as pool:
        killing = pool.submit(kill)
        campaign = cluster.fuzz(folder=tmp_path / "out", **fuzz_arguments(solver))
        killing.result()
    assert campaign.lost == 1
    assert_same(campaign, undisturbed)


def test_a_node_that_is_removed_costs_its_running_shard_only(
    nodes: Cluster, undisturbed: Path, solver: Solver, tmp_path: Path
) -> None:
    victim = nodes.add_node(num_cpus=1)
    solver.hold()

    def remove() -> None:
        try:
            wait_for("work on three shards", lambda: len(solver.waiting()) == 3)
            nodes.remove_node(victim, allow_graceful=False)
            wait_for("end of the solver on that node", lambda: len(solver.waiting()) < 3)
        finally:
            solver.release()

    with ThreadPoolExecutor(1) as pool:
        removing = pool.submit(remove)
        campaign = cluster.fuzz(folder=tmp_path / "out", **fuzz_arguments(solver))
        removing.result()
    assert campaign.lost == 1
    assert_same(campaign, undisturbed)


DRIVER = """
import json
import sys
import ray
from sundry import cluster

ray.init(address=sys.argv[1], log_to_driver=False)
getattr(cluster, sys.argv[2])(**json.loads(sys.argv[3]))
"""


def run_and_kill(address: str, job: str, arguments: dict[str, Any], until: Callable[[], None]) -> None:
    """Runs a job in a process of its own, which is killed when ``until`` returns."""
    command = [sys.executable, "-c", DRIVER, address, job, json.dumps(arguments)]
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until()
        assert driver.poll() is None
    finally:
        driver.kill()
        driver.wait()


def hold_second_shard(solver: Solver, folder: Path) -> Callable[[], None]:
    """Waits until one shard is done and another one, the last, is at work."""

    def until() -> None:
        wait_for("a shard", lambda: len(list((folder / "shards").glob("[0-9]*"))) >= 1)
        solver.hold()
        wait_for("work on the next shard", lambda: len(solver.waiting()) == 1)

    return until


def test_a_driver_of_fuzz_that_is_killed_is_resumed(address: str, undisturbed: Path, solver: Solver, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    arguments = {**fuzz_arguments(solver), "folder": str(folder), "tasks": 1}
    try:
        run_and_kill(address, "fuzz", arguments, hold_second_shard(solver, folder))
        wait_for("end of the solver", lambda: not solver.waiting())
    finally:
        solver.release()
    before = bugs_of_shards(folder)
    assert 1 <= len(before) < SHARDS
    # A kill may fall between the first and the last file of a shard.
    shutil.copytree(folder / "shards" / "0000", folder / "shards" / f".{SHARDS - 1:04}.new")
    times = {name: (folder / "shards" / name / "index.json").stat().st_mtime_ns for name in before}
    with pytest.raises(cluster.ResultsExistError, match="resume=True"):
        cluster.fuzz(**arguments)
    campaign = cluster.fuzz(**arguments, resume=True)
    assert campaign.resumed == len(before)
    assert_same(campaign, undisturbed)
    assert all((folder / "shards" / name / "index.json").stat().st_mtime_ns == times[name] for name in before)
    again = cluster.fuzz(**arguments, resume=True)
    assert (again.resumed, again.shards) == (SHARDS, SHARDS)
    assert_same(again, undisturbed)


def test_a_driver_of_stress_that_is_killed_is_resumed(address: str, solver: Solver, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    options = ["--mix", "seeds=100", "--population", "4", "--generations", "1", "--confirm", "0", "--limit", "60"]
    arguments: dict[str, Any] = {"targets": solver.command, "references": "built-in", "seeds": str(solver.seed), "options": options}
    arguments |= {"shards": SHARDS, "folder": str(folder), "tasks": 1, "progress": False}
    try:
        run_and_kill(address, "stress", arguments, hold_second_shard(solver, folder))
        wait_for("end of the solver", lambda: not solver.waiting())
    finally:
        solver.release()
    before = sorted(path.name for path in (folder / "shards").glob("[0-9]*"))
    assert 1 <= len(before) < SHARDS
    campaign = cluster.stress(**arguments, resume=True)
    assert (campaign.resumed, campaign.shards, campaign.failed) == (len(before), SHARDS, {})
    assert sorted(path.name for path in (folder / "shards").iterdir()) == [f"{number:04}" for number in range(SHARDS)]
    assert (campaign.merged / "slow.json").exists()


def test_a_driver_of_explore_that_is_killed_is_resumed(address: str, tmp_path: Path) -> None:
    programs = [tmp_path / f"{name}.wasm" for name in "abc"]
    for program in programs:
        shutil.copy(EXAMPLES / "explore" / "labels.wasm", program)
    folder = tmp_path / "out"
    arguments: dict[str, Any] = {"program": [str(program) for program in programs], "folder": str(folder), "options": ["--stdin", "5"]}
    arguments |= {"tasks": 1, "progress": False}
    held = Held(programs[1])

    def until() -> None:
        wait_for("work on the second program", lambda: bool(held.readers()))

    try:
        run_and_kill(address, "explore", arguments, until)
        wait_for("end of the exploration", lambda: not held.readers())
    finally:
        held.release()
    assert [path.name for path in (folder / "shards").glob("[0-9]*")] == ["0000-a"]
    campaign = cluster.explore(**arguments, resume=True)
    assert (campaign.resumed, campaign.shards, campaign.failed) == (1, 3, {})
    tests = {shard.name: len(list((shard / "tests").iterdir())) for shard in sorted((folder / "shards").iterdir())}
    assert tests.keys() == {"0000-a", "0001-b", "0002-c"} and len(set(tests.values())) == 1 and tests["0000-a"] > 0
