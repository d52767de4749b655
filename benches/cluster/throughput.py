#!/usr/bin/env python3
"""Compares the throughput of sundry.cluster.sample, after ray.init, with `sundry sample FOLDER -j 2` on the same formulas: runs of both
in turn, as often as asked for, so that other work on the machine disturbs both alike. Checks that the solutions are the same.

usage: throughput.py [--formulas 2000] [--repetitions 3]        (in an environment with the wheel and its extra 'ray')
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ray
from small_formulas import write_formulas

from sundry import cluster

def timed(work) -> tuple[float, float]:
    """Seconds that work takes, and seconds of processor time of the children of this process that have ended by then."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    work()
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
        rates: dict[str, list[float]] = {"sundry sample -j 2": [], "cluster.sample": []}
        for repetition in range(arguments.repetitions):
            one, other = place / f"one-{repetition}", place / f"other-{repetition}"
            command = [sys.executable, "-m", "sundry", "sample", str(place / "formulas"), "-j", "2", "--quiet"]
            command += ["--format", "jsonl", "-o", str(one), "--record", str(place / f"{repetition}.jsonl")]
            seconds, _ = timed(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=False))
            rates["sundry sample -j 2"].append(arguments.formulas / seconds)
            seconds, _ = timed(lambda: cluster.sample(place / "formulas", other, progress=False))
            rates["cluster.sample"].append(arguments.formulas / seconds)
            check(one, other)
    print(f"{arguments.formulas} formulas, load {os.getloadavg()[0]:.1f}\n")
    print("| run | formulas per second, median | all |\n| --- | --- | --- |")
    for run, all_rates in rates.items():
        listed = ", ".join(f"{rate:.0f}" for rate in all_rates)
        print(f"| {run} | {statistics.median(all_rates):.0f} | {listed} |")
    ratios = [there / here for here, there in zip(*rates.values())]
    print(f"\nratio of the runs in turn: median {statistics.median(ratios):.2f}, all {[round(it, 2) for it in ratios]}")


def check(one: Path, other: Path) -> None:
    """Checks that both runs have the same solutions."""
    theirs = {path.stem: path.read_text().splitlines() for path in one.glob("*.jsonl")}
    ours: dict[str, list[str]] = {}
    for row in cluster.read(other).to_table().to_pylist():
        ours.setdefault(Path(row["formula"]).stem, []).append(row["solution"])
    assert ours == theirs, "the solutions differ"


main()
