#!/usr/bin/env python3
"""Measures what the driver of sundry.cluster does by itself: all of sundry.cluster.sample, with tasks that sleep instead of sampling, and
with made-up solutions.

usage: dummy.py memory [--tasks 100000] [--workers 8]       memory of the driver over many tasks
       dummy.py saturation [--workers 8,16,32,64] [--seconds 0,0.1,1]
                                                            the share of the time in which workers work, by their number and
                                                            the length of tasks; tasks per second of the driver
       dummy.py files [--results 100000] [--shard 1024]     results per second that the files of a run take, without Ray
"""

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

import sundry
from sundry.cluster import sampled, sampling
from sundry.cluster.items import shards
from sundry.cluster.shards import Folder

SOLUTION = '{"a":"#x00","b":"#xff","flag":"true"}'
SOLUTIONS = 3


def made_up(batch: sampling.Batch) -> sampling.Returned:
    """Results as of small formulas."""
    results = []
    for number, path in batch.formulas:
        record = {"formula": path, "solutions": SOLUTIONS, "stopped_by": "complete", "status": 0}
        results.append({"number": number, "record": record, "solutions": [SOLUTION] * SOLUTIONS})
    return sampling.returned(results)


def sleeper(seconds: float):
    """The work of a task that takes so long and uses no processor."""

    def work(batch, settings):
        if seconds:
            time.sleep(seconds)
        return made_up(batch)

    return work


def resident() -> float:
    """MiB of memory that this process uses."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def run(tasks: int, work, folder: Path, formulas: int = 1, out: "int | None" = None) -> sampled.Summary:
    """Runs tasks of so many formulas each through all of the driver, of which so many are out at once."""
    sampled.sample_batch = work
    paths = (f"formulas/{number:07}.smt2" for number in range(tasks * formulas))
    # Shards hold whole batches, so that no task is smaller.
    summary = sampled.sample(paths, folder, batch_size=formulas, shard_size=formulas * 1024, progress=False, tasks=out)
    assert summary.complete and summary.formulas == tasks * formulas and summary.failed == 0, summary
    return summary


def memory(arguments) -> None:
    ray.init(num_cpus=arguments.workers, include_dashboard=False, log_to_driver=False)
    seen: list[tuple[float, float]] = []
    stop = threading.Event()
    start = time.monotonic()

    def watch() -> None:
        while not stop.wait(1.0):
            seen.append((time.monotonic() - start, resident()))

    with tempfile.TemporaryDirectory() as name:
        before = resident()
        processor = time.process_time()
        watcher = threading.Thread(target=watch)
        watcher.start()
        summary = run(arguments.tasks, sleeper(0.0), Path(name))
        processor = time.process_time() - processor
        stop.set()
        watcher.join()
    print(f"{arguments.tasks} tasks in {summary.seconds:.1f} s: {arguments.tasks / summary.seconds:.0f} per second")
    print(f"processor time of the driver: {1000 * processor / arguments.tasks:.2f} ms per task")
    print(f"driver: {before:.0f} MiB before, {max(it for _, it in seen):.0f} MiB at most, {resident():.0f} MiB after")
    tenth = max(1, len(seen) // 10)
    print("MiB over time:", ", ".join(f"{mebibytes:.0f}" for _, mebibytes in seen[::tenth]))


def saturation(arguments) -> None:
    print("| workers | seconds per task | tasks | seconds | tasks per second | share of the time at work |")
    print("| --- | --- | --- | --- | --- | --- |")
    for workers in arguments.workers:
        # Two nodes and the head, as processes of their own on this machine.
        parts = [workers - 2 * (workers // 3), workers // 3, workers // 3]
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": parts[0]})
        for part in parts[1:]:
            nodes.add_node(num_cpus=part)
        ray.init(address=nodes.address, log_to_driver=False)
        with tempfile.TemporaryDirectory() as name:
            # All processes of workers exist before anything is measured.
            run(4 * workers, sleeper(1.0), Path(name) / "warm")
            for seconds in arguments.seconds:
                tasks = max(4 * workers, min(2000, int(20 * workers / max(seconds, 0.05))))
                summary = run(tasks, sleeper(seconds), Path(name) / f"{seconds}")
                share = tasks * seconds / (summary.seconds * workers)
                rate = tasks / summary.seconds
                row = [workers, seconds, tasks, f"{summary.seconds:.1f}", f"{rate:.0f}", f"{share:.0%}"]
                print(f"| {' | '.join(map(str, row))} |", flush=True)
        ray.shutdown()
        nodes.shutdown()


def files(arguments) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(Path(name), {"version": sundry.__version__}, resume=False)
        paths = (f"formulas/{number:07}.smt2" for number in range(arguments.results))
        start = time.process_time()
        for shard in shards(paths, arguments.shard):
            folder.begin(shard)
            for formula in enumerate(shard.formulas):
                folder.add(shard, made_up(sampling.Batch(shard.number, [formula])))
        seconds = time.process_time() - start
        folder.close()
    rate = arguments.results / seconds
    print(f"{arguments.results} results, shards of {arguments.shard}: {seconds:.1f} s of processor time, {rate:.0f} results per second")


def numbers(kind):
    return lambda text: [kind(word) for word in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_subparsers(required=True)
    command = what.add_parser("memory")
    command.add_argument("--tasks", type=int, default=100_000)
    command.add_argument("--workers", type=int, default=8)
    command.set_defaults(run=memory)
    command = what.add_parser("saturation")
    command.add_argument("--workers", type=numbers(int), default=[8, 16, 32, 64])
    command.add_argument("--seconds", type=numbers(float), default=[0.0, 0.1, 1.0])
    command.set_defaults(run=saturation)
    command = what.add_parser("files")
    command.add_argument("--results", type=int, default=100_000)
    command.add_argument("--shard", type=int, default=1024)
    command.set_defaults(run=files)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
