#!/usr/bin/env python3
"""Compares the throughput of sundry.cluster.sample, after ray.init, with `sundry sample FOLDER -j 2` on the same formulas: runs of both
in turn, as often as asked for, so that other work on the machine disturbs both alike. Checks that the solutions are the same.

usage: throughput.py [--formulas 2000] [--repetitions 3]        (in an environment with the wheel and its extra 'ray')
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import ray
from small_formulas import write_formulas

from sundry import cluster

def processor_seconds() -> float:
    """Seconds of processor time of this process, all below it that live, and all below it that have ended."""
    times: dict[int, tuple[int, int]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # The name in parentheses may have spaces.
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        times[int(process.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    tree = {os.getpid()}
    while further := {process for process, (parent, _) in times.items() if parent in tree} - tree:
        tree |= further
    return sum(times[process][1] for process in tree) / os.sysconf("SC_CLK_TCK")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that work takes, and seconds of processor time."""
    before, start = processor_seconds(), time.monotonic()
    work()
    return time.monotonic() - start, processor_seconds() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--formulas", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "formulas").mkdir()
        write_formulas(place / "formulas", arguments.formulas)
        runs: dict[str, list[tuple[float, float]]] = {"sundry sample -j 2": [], "cluster.sample": []}
        for repetition in range(arguments.repetitions):
            one, other = place / f"one-{repetition}", place / f"other-{repetition}"
            command = [sys.executable, "-m", "sundry", "sample", str(place / "formulas"), "-j", "2", "--quiet"]
            command += ["--format", "jsonl", "-o", str(one), "--record", str(place / f"{repetition}.jsonl")]
            run = timed(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=False))
            runs["sundry sample -j 2"].append(run)
            run = timed(lambda: cluster.sample(place / "formulas", other, progress=False))
            runs["cluster.sample"].append(run)
            check(one, other)
    print(f"{arguments.formulas} formulas, load {os.getloadavg()[0]:.1f}\n")
    print("| run | seconds | processor seconds | formulas per second, median |\n| --- | --- | --- | --- |")
    for name, all_runs in runs.items():
        seconds, processor = zip(*all_runs)
        rate = arguments.formulas / statistics.median(seconds)
        print(f"| {name} | {listed(seconds)} | {listed(processor)} | {rate:.0f} |")
    pairs = list(zip(*runs.values()))
    print(f"\nthroughput of the runs in turn, as a ratio: {listed(here[0] / there[0] for here, there in pairs)}")
    print(f"the same by processor time: {listed(here[1] / there[1] for here, there in pairs)}")


def listed(figures: Iterable[float]) -> str:
    """Figures with two digits."""
    return ", ".join(f"{figure:.2f}" for figure in figures)


def check(one: Path, other: Path) -> None:
    """Checks that both runs have the same solutions."""
    theirs = {path.stem: path.read_text().splitlines() for path in one.glob("*.jsonl")}
    ours: dict[str, list[str]] = {}
    for row in cluster.read(other).to_table().to_pylist():
        ours.setdefault(Path(row["formula"]).stem, []).append(row["solution"])
    assert ours == theirs, "the solutions differ"


main()
