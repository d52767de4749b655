#!/usr/bin/env python3
"""Measures what the loss of a node costs: all of sundry.cluster.sample with tasks that sleep, on three nodes, one of which is killed halfway.

A run on the nodes that stay would take longer too, so the cost is the time beyond that of a run whose node leaves without losing anything:
halfway with all nodes, and the rest without one, both as runs to which nothing happens take it.

usage: loss.py [--places 8] [--seconds 1,5] [--repetitions 3]        places: tasks at a time on each node
"""

import argparse
import functools
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ray
from dummy import numbers, run, sleeper
from ray.cluster_utils import Cluster

NODES = 3
#: Tasks for each place of the whole cluster.
ROUNDS = 10


def timed(places: int, seconds: float, folder: Path, halfway: Callable[[], object] = lambda: None) -> tuple[float, int]:
    """The seconds of a run and its lost tasks. After half the time of a run on all nodes, something happens."""

    def wait() -> None:
        # In the middle of a round, where all places are at work.
        time.sleep((ROUNDS / 2 + 0.5) * seconds)
        halfway()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait)
        summary = run(ROUNDS * NODES * places, sleeper(seconds), folder)
        waiting.result()
    return summary.seconds, summary.lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--places", type=int, default=8)
    parser.add_argument("--seconds", type=numbers(float), default=[1.0, 5.0])
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    places = arguments.places
    print("| seconds per task | all nodes | a node lost halfway | a node less | tasks lost | seconds beyond those of fewer nodes | load |")
    print("| ---: " * 7 + "|")
    for seconds in arguments.seconds:
        for _ in range(arguments.repetitions):
            nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": places})
            victim = [nodes.add_node(num_cpus=places) for _ in range(NODES - 1)][-1]
            ray.init(address=nodes.address, log_to_driver=False)
            with tempfile.TemporaryDirectory() as name:
                # All processes of workers exist before anything is measured.
                run(4 * NODES * places, sleeper(0.5), Path(name) / "warm")
                all_nodes, _ = timed(places, seconds, Path(name) / "all")
                remove = functools.partial(nodes.remove_node, victim, allow_graceful=False)
                disturbed, lost = timed(places, seconds, Path(name) / "lost", remove)
                fewer, _ = timed(places, seconds, Path(name) / "fewer")
            assert lost, "no task was lost with the node"
            done = (ROUNDS / 2 + 0.5) * seconds / all_nodes
            beyond = disturbed - done * all_nodes - (1 - done) * fewer
            row = [seconds, f"{all_nodes:.1f}", f"{disturbed:.1f}", f"{fewer:.1f}", lost, f"{beyond:.1f}", f"{os.getloadavg()[0]:.1f}"]
            print(f"| {' | '.join(map(str, row))} |", flush=True)
            ray.shutdown()
            nodes.shutdown()


if __name__ == "__main__":
    main()
