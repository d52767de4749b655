#!/usr/bin/env python3
"""Plays a cluster of a thousand processors on one machine: all of sundry.cluster.sample, with tasks that sleep instead of sampling, on
nodes that claim more processors than there are.

A worker of Ray is a process with some 70 MB, so a thousand of them fit into no small machine. Here a node has one process, which sleeps in
as many tasks at a time as the node claims processors. The driver sends, awaits and writes as many tasks as it would on the real cluster;
absent are the leases of a thousand workers, whose cost dummy.py measures as far as memory allows.

usage: thousand.py [--workers 100,1000] [--nodes 10] [--seconds 0,1,5] [--formulas 1]
"""

import argparse
import asyncio
import itertools
import os
import tempfile
import time
from pathlib import Path

import ray
from dummy import made_up, numbers, run, sleeper
from ray.cluster_utils import Cluster

from sundry.cluster import driver, sampled


@ray.remote(num_cpus=0)
class Node:
    """The process of a node."""

    async def work(self, batch, seconds):
        """A task that takes so long and uses no processor."""
        if seconds:
            await asyncio.sleep(seconds)
        return made_up(batch)

    def name(self):
        """An answer that shows that the process is there."""
        return os.getpid()


def use(nodes, seconds: float) -> None:
    """Has tasks of sundry.cluster go to the processes of nodes in turn."""
    turn = itertools.cycle(nodes)

    class ToNodes(driver.Driver):
        def __init__(self, start, take, lost, window) -> None:
            super().__init__(lambda batch: next(turn).work.remote(batch, seconds), take, lost, window)

    sampled.Driver = ToNodes


def measure(workers: int, count: int, seconds: float, formulas: int) -> None:
    each = workers // count
    # The tasks that wait beside those at work are at the nodes, too.
    options = {"max_concurrency": each, "resources": {"place": 1}}
    nodes = [Node.options(**options).remote() for _ in range(count)]
    ray.get([node.name.remote() for node in nodes])
    use(nodes, seconds)
    tasks = min(10_000, max(4 * workers, int(20 * workers / max(seconds, 0.05)))) if seconds < 2 else 5 * workers
    with tempfile.TemporaryDirectory() as name:
        window = driver.TASKS_PER_PROCESSOR * workers
        # Once before, so that all connections exist.
        run(window, sleeper(0.0), Path(name) / "warm", out=window)
        processor = time.process_time()
        summary = run(tasks, sleeper(0.0), Path(name) / "results", formulas=formulas, out=window)
        processor = time.process_time() - processor
    rate = tasks / summary.seconds
    share = f"{tasks * seconds / (summary.seconds * workers):.0%}" if seconds else "–"
    row = [workers, seconds, formulas, tasks, f"{summary.seconds:.1f}", f"{rate:.0f}", share, f"{1000 * processor / tasks:.2f}",
           f"{processor / summary.seconds:.0%}", f"{os.getloadavg()[0]:.1f}"]  # fmt: skip
    print(f"| {' | '.join(map(str, row))} |", flush=True)
    for node in nodes:
        ray.kill(node)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=numbers(int), default=[100, 250, 500, 1000])
    parser.add_argument("--nodes", type=int, default=10)
    parser.add_argument("--seconds", type=numbers(float), default=[0.0, 1.0, 2.0, 5.0])
    parser.add_argument("--formulas", type=numbers(int), default=[1], help="formulas of a task")
    arguments = parser.parse_args()
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(arguments.nodes):
        nodes.add_node(num_cpus=max(arguments.workers) // arguments.nodes, resources={"place": 1})
    ray.init(address=nodes.address, log_to_driver=False)
    print("| workers | seconds per task | formulas per task | tasks | seconds | tasks per second | share of the time at work |"
          " ms of the driver per task | load of the driver | load of the machine |")  # fmt: skip
    print("| ---: " * 10 + "|")
    for workers, formulas, seconds in itertools.product(arguments.workers, arguments.formulas, arguments.seconds):
        measure(workers, arguments.nodes, seconds, formulas)
    ray.shutdown()
    nodes.shutdown()


if __name__ == "__main__":
    main()
