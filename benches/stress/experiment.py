#!/usr/bin/env python3
"""Table I of the paper on MulStringFuzz: campaigns of `sundry stress` in all variants, and what they bred.

Each pair of a variant and a seed has a folder of its own among the results. An experiment that was stopped or
killed continues there: campaigns from their last generation, with what is left of their budget, and reruns from
the last one. The figures of a run are in its result.json; the tables are printed, in Markdown, of all results there.

The members of the last population run again, `--rerun-jobs` at a time, with a limit of their own (60 s of processor time; the
paper: 2,400); members with the same text run once, and count as often as they occur. Those that reach it are grouped by the operators in them, and the smallest member of each of the
largest groups runs once more with a long limit. Reruns write no counters.

usage: experiment.py --results DIR --target COMMAND --reference COMMAND [OPTION...]      (--help lists the options)
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from campaigns import run_all, run_campaign, spread, table

# Table I of the paper: campaigns of 24 hours, 50 times each, with reruns of 2,400 s.
COLUMNS = ["tot_lines", "avg_lines", "avg_tscore", "num_timeout", "avg_complexity"]
PAPER = {
    "stringfuzz": [15332.1, 13011.8, 4.33, 4, 44.07],
    "stringfuzz-difference": [18268.5, 13048.7, 4.78, 5, 48.87],
    "default": [21188.5, 13593.5, 7.85, 13, 22.88],
    "only-time": [20093.2, 13496.6, 4.25, 6, 21.26],
    "no-coverage": [18326.2, 13127.5, 5.93, 5, 20.5],
    "no-complexity": [22161.1, 16434.2, 8.98, 12, 95.5],
    "default-crowding": [21570.6, 13246.0, 7.56, 10, 26.03],
}
# Only one thread at a time adds to the kept reruns.
KEEPING = threading.Lock()
# What the experiment is to show: a column, two variants, and the ratio of their means.
CLAIMS = [("num_timeout", "default", "stringfuzz", 3.0), ("tot_lines", "default", "stringfuzz-difference", 1.15)]


def arguments():
    parser = argparse.ArgumentParser(description="Runs campaigns of `sundry stress` and prints tables of them.")
    parser.add_argument("--results", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--target", required=True, metavar="COMMAND")
    parser.add_argument("--reference", required=True, metavar="COMMAND")
    parser.add_argument("--counters", default="none", metavar="KIND[=PATH]")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--variants", default=",".join(PAPER), metavar="NAMES")
    parser.add_argument("--seeds", default="1,2,3", metavar="NUMBERS")
    parser.add_argument("--seconds", type=float, default=3600, help="of processor time of solvers, for each campaign")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, each with one thread")
    parser.add_argument("--rerun-target", metavar="COMMAND", help="for reruns, such as a build without counters")
    parser.add_argument("--rerun-jobs", type=int, default=1, metavar="N", help="reruns at a time of each run")
    parser.add_argument("--rerun-limit", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--group-limit", type=int, default=300, metavar="SECONDS")
    parser.add_argument("--groups", type=int, default=5, metavar="N", help="groups of a run that get the long limit")
    parser.add_argument("--memory", type=int, default=8192, metavar="MIB", help="of each run of a solver")
    parser.add_argument("further", nargs="*", metavar="-- ARGUMENT", help="further arguments of sundry stress")
    return parser.parse_args()


# Files of a campaign: nothing below knows their formats -------------------------------------------------------------


def first_objective(member, variant, limit):
    """The first objective of a member with efforts up to the first limit, which are on the paper's scale though the limit rises."""
    amounts = [0.0 if "failed" in effort["outcome"] else effort["amount"] for effort in member["targets"]]
    target = min(limit, *amounts)
    decided = [effort["amount"] for effort in member["references"] if "decided" in effort["outcome"]]
    if variant in ("only-time", "stringfuzz") or not decided:
        return target
    return target + max(0.0, target - min(limit, *decided))


def figures_of_record(folder, variant):
    """What the record of a campaign says about it and its last population."""
    record = json.loads((folder / "record.json").read_text())
    if not record["generations"]:
        raise RuntimeError("the time was too short for a first generation")
    last = record["generations"][-1]
    population, limit = record["population"], record["options"]["limit_seconds"]
    return {
        "effective_variant": record["effective_variant"],
        "generations": last["number"],
        "runs": last["runs"],
        "seconds": last["seconds"],
        "share_in_solvers": record["share_in_solvers"],
        "tot_lines": last["total_lines"],
        "avg_lines": last["mean_lines"],
        "avg_tscore": statistics.mean(first_objective(member, variant, limit) for member in population),
        "solver_seconds": last["solver_seconds"],
        "avg_complexity": last["mean_complexity"],
        "population": [member["file"] for member in population],
    }


# Runs ---------------------------------------------------------------------------------------------------------------


def write_json(path, value):
    """Writes a file that is there as a whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(value, indent=1) + "\n")
    draft.replace(path)


def campaign(options, variant, seed, folder):
    """Runs a campaign, or what is left of it."""
    command = [options.sundry, "stress", "--target", options.target, "--reference", options.reference]
    command += ["--counters", options.counters, "--variant", variant, "--seed", str(seed), "--confirm", "0"]
    command += ["--solver-memory", str(options.memory), "-j", "1", "--quiet"]
    # Processor time of solvers, so that campaigns compare whatever else the machine does. A campaign that was stopped
    # knows what it has used.
    command += ["--solver-budget", str(options.seconds), *options.further]
    print(f"{folder.name}: breeding", file=sys.stderr)
    run_campaign(command, folder)


def seconds_of(process):
    """The processor seconds of a process so far; none once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_seconds(command, file, limit, memory):
    """The processor seconds that a solver takes for a file, and whether it ended by itself before the limit."""
    # The kernel ends a process by the ticks in which it ran, on a busy machine at a sixth of its processor time. So the time itself
    # is looked at, and the limit of the kernel is a net for the case that nobody looks.
    limited = f'ulimit -t {math.ceil(20 * limit)} && ulimit -v {memory * 1024} && exec "$@"'
    # No counters: a folder for them cannot be created below a file.
    environment = {**os.environ, "GCOV_PREFIX": os.devnull, "LLVM_PROFILE_FILE": os.devnull}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["sh", "-c", limited, "sh", *shlex.split(command), str(file)],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, env=environment,
            # Ctrl-C must not look like an early end.
            start_new_session=True,
        )
        # A solver that sleeps uses no processor time.
        last = time.monotonic() + 20 * limit
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            if seconds_of(process.pid) >= limit or time.monotonic() >= last:
                # Not by `kill`, which takes the status of a process that has just ended, and with it its times.
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(0.1)
        _, status, usage = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        answer = output.read(64).decode(errors="replace").split("\n")[0]
    seconds = usage.ru_utime + usage.ru_stime
    return {"seconds": seconds, "is_timeout": seconds >= limit, "answer": answer}


def rerun(options, folder, file, limit):
    """The result of a rerun: the kept one, or a new one, which is kept."""
    kept = folder / "reruns.jsonl"
    if kept.exists():
        for line in kept.read_text().splitlines():
            # The last line may be cut.
            if line.endswith("}"):
                entry = json.loads(line)
                if (entry["file"], entry["limit"]) == (file, limit):
                    return entry
    command = options.rerun_target or options.target
    result = processor_seconds(command, folder / "campaign" / file, limit, options.memory)
    entry = {"file": file, "limit": limit, **result}
    with KEEPING, open(kept, "a") as lines:
        lines.write("\n" + json.dumps(entry))
    return entry


def rerun_all(options, folder, files, limit):
    """The results of reruns of files, some at a time. Those that occur several times run once."""
    distinct = list(dict.fromkeys(files))
    with concurrent.futures.ThreadPoolExecutor(options.rerun_jobs) as pool:
        entries = dict(zip(distinct, pool.map(lambda file: rerun(options, folder, file, limit), distinct)))
    return [entries[file] for file in files]


def operators(text):
    """The operators of a script, which tell groups of slow inputs apart."""
    literals = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*')
    asserted = [line for line in literals.sub(" ", text).splitlines() if not line.startswith("(declare")]
    heads = set(re.findall(r"\(\s*([^\s()]+)", "\n".join(asserted)))
    return frozenset(heads - {"assert", "check-sat", "set-logic", "_"})


def groups_of(folder, files):
    """Members with the same operators, the largest groups first, and the smallest member of each first."""
    groups = {}
    for file in files:
        text = (folder / "campaign" / file).read_text()
        groups.setdefault(operators(text), []).append((len(text), file))
    return sorted((sorted(group) for group in groups.values()), key=lambda group: (-len(group), group))


def evaluate(options, variant, seed):
    """Runs a campaign and reruns its population; the figures, kept in result.json."""
    folder = options.results / f"{variant}-{seed}"
    path = folder / "result.json"
    if path.exists():
        return
    campaign(options, variant, seed, folder)
    result = {"variant": variant, "seed": seed, **figures_of_record(folder / "campaign", variant)}
    # Members with the same text count each, and run once.
    first = {}
    population = result.pop("population")
    runs = [first.setdefault((folder / "campaign" / file).read_text(), file) for file in population]
    reruns = rerun_all(options, folder, runs, options.rerun_limit)
    slow = [entry["file"] for entry in reruns if entry["is_timeout"]]
    groups = groups_of(folder, slow)
    smallest = [group[0][1] for group in groups[: options.groups]]
    longer = rerun_all(options, folder, smallest, options.group_limit)
    result |= {
        "num_timeout": len(slow),
        "distinct": len(first),
        "distinct_timeout": len(set(slow)),
        "groups": len(groups),
        "groups_rerun": len(longer),
        "groups_over_group_limit": sum(entry["is_timeout"] for entry in longer),
        "rerun_limit": options.rerun_limit,
        "group_limit": options.group_limit,
        "times": sorted(entry["seconds"] for entry in reruns),
    }
    write_json(path, result)
    print(f"{folder.name}: {len(slow)} of {len(reruns)} members over {options.rerun_limit} s", file=sys.stderr)


# Tables -------------------------------------------------------------------------------------------------------------


def print_tables(results):
    """Prints means with spread beside the paper's figures, the cost of runs, and what may be claimed."""
    digits = dict(zip(COLUMNS, [0, 0, 2, 1, 1]))
    of_variant = {name: [result for result in results if result["variant"] == name] for name in PAPER}
    rows, costs = [], []
    for name, runs in of_variant.items():
        if not runs:
            continue

        def cell(key, digits):
            return spread([run[key] for run in runs], digits)

        own = [cell(column, digits[column]) for column in COLUMNS]
        published = [f"{value:,.{digits[column]}f}" for column, value in zip(COLUMNS, PAPER[name])]
        rows.append([name, str(len(runs)), *(part for pair in zip(own, published) for part in pair)])
        costs.append([name, cell("seconds", 0), cell("solver_seconds", 0), cell("generations", 0), cell("runs", 0), cell("share_in_solvers", 2),
                      cell("distinct", 1), cell("distinct_timeout", 1), cell("groups", 1), f"{sum(run['groups_over_group_limit'] for run in runs)} of "
                      f"{sum(run['groups_rerun'] for run in runs)}"])
    names = ["Tot_lines", "Avg_lines", "Avg_tScore", "Num_timeout", "Avg_complexity"]
    print(table(["variant", "runs", *(part for name in names for part in (name, "paper"))], rows))
    print(table(["variant", "seconds", "solver seconds", "generations", "inputs run", "share in solvers", "distinct members",
                 "distinct timeouts", "groups of timeouts", "groups over the long limit"], costs))
    for column, left, right, ratio in CLAIMS:
        ours, others = ([run[column] for run in of_variant[name]] for name in (left, right))
        if not ours or not others:
            continue
        mean = statistics.mean(others)
        found = f"{statistics.mean(ours) / mean:.2f}" if mean else "no ratio to none"
        if min(len(ours), len(others)) < 2:
            apart = "a single run has no spread, so nothing is claimed"
        else:
            apart = "ranges are apart" if min(ours) > max(others) else "ranges overlap, so nothing is claimed"
        print(f"- {column}, {left} / {right}: {found}, wanted {ratio}; {apart}")


def main():
    options = arguments()
    variants = options.variants.split(",")
    unknown = set(variants) - set(PAPER)
    if unknown:
        sys.exit(f"no such variant: {', '.join(sorted(unknown))}")
    # Rounds over all variants: an experiment that is stopped has as many runs of each as possible.
    tasks = {f"{variant}-{seed}": (options, variant, seed) for seed in options.seeds.split(",") for variant in variants}
    all_well = run_all(options.jobs, evaluate, tasks)
    print_tables([json.loads(path.read_text()) for path in sorted(options.results.glob("*/result.json"))])
    sys.exit(0 if all_well else 1)


main()
