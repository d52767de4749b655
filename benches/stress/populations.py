#!/usr/bin/env python3
"""The size of the population (RQ4 of the paper on MulStringFuzz): when campaigns of `sundry stress` converge, and how many timeouts they breed.

All campaigns get the same processor time of solvers. Effort is counted in the solvers' own units (`--measure
resource`), so the same command breeds the same inputs on any machine. A campaign has converged at the first
generation from which on the mean first objective of the population stays within a share of its last value.

Each pair of a size and a seed has a folder of its own among the results; campaigns that were stopped continue there.
The tables are printed, in Markdown, of all campaigns that are complete.

usage: populations.py --results DIR --target COMMAND --reference COMMAND [OPTION...]      (--help lists the options)
"""

import argparse
import json
import pathlib
import re
import sys

from campaigns import run_all, run_campaign, spread, table


def arguments():
    parser = argparse.ArgumentParser(description="Runs campaigns with populations of several sizes, and prints a table.")
    parser.add_argument("--results", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--target", required=True, metavar="COMMAND")
    parser.add_argument("--reference", required=True, metavar="COMMAND")
    parser.add_argument("--counters", default="none", metavar="KIND[=PATH]")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--sizes", default="20,40,60,80", metavar="NUMBERS")
    parser.add_argument("--seeds", default="1", metavar="NUMBERS")
    parser.add_argument("--seconds", type=float, default=1800, help="of processor time of solvers, for each campaign")
    parser.add_argument("--within", type=float, default=0.05, metavar="SHARE", help="of the last value, for convergence")
    parser.add_argument("--jobs", type=int, default=1, help="campaigns at a time, each with one thread")
    parser.add_argument("further", nargs="*", metavar="-- ARGUMENT", help="further arguments of sundry stress")
    return parser.parse_args()


def campaign(options, size, seed):
    """Runs a campaign, or what is left of it."""
    command = [options.sundry, "stress", "--target", options.target, "--reference", options.reference]
    command += ["--counters", options.counters, "--population", str(size), "--seed", str(seed), "--measure", "resource"]
    command += ["--confirm", "0", "-j", "1", "--quiet", "--solver-budget", str(options.seconds), *options.further]
    run_campaign(command, options.results / f"{size}-{seed}")
    print(f"{size}-{seed}: complete", file=sys.stderr)


def figures(folder, within):
    """When the campaign in a folder converged, and its state then and at its end."""
    record = json.loads((folder / "campaign" / "record.json").read_text())
    generations = record["generations"]
    last = generations[-1]
    converged = last
    for generation in reversed(generations):
        if abs(generation["mean_score"] - last["mean_score"]) > within * abs(last["mean_score"]):
            break
        converged = generation
    return {
        "generations": last["number"],
        "inputs": last["runs"],
        "generation of convergence": converged["number"],
        "seconds to convergence": converged["solver_seconds"],
        "mean score": last["mean_score"],
        "timeouts": last["stopped"],
        "timeouts of 100 members": 100 * last["stopped"] / len(record["population"]),
        "lines": last["total_lines"],
    }


def print_table(options):
    """Prints a row for each size of which a campaign is complete."""
    of_size = {}
    for mark in options.results.glob("*/campaign-complete"):
        size = re.fullmatch(r"(\d+)-\d+", mark.parent.name)
        if size:
            of_size.setdefault(int(size[1]), []).append(figures(mark.parent, options.within))
    if not of_size:
        return
    names = list(next(iter(of_size.values()))[0])
    rows = [
        [str(size), str(len(runs)), *(spread([run[name] for run in runs], 1) for name in names)]
        for size, runs in sorted(of_size.items())
    ]
    print(table(["population", "campaigns", *names], rows))


def main():
    options = arguments()
    # Rounds over all sizes: an experiment that is stopped has as many campaigns of each as possible.
    tasks = {f"{size}-{seed}": (options, size, seed) for seed in options.seeds.split(",") for size in options.sizes.split(",")}
    all_well = run_all(options.jobs, campaign, tasks)
    print_table(options)
    sys.exit(0 if all_well else 1)


main()
