#!/usr/bin/env python3
"""Counts how many satisfiable formulas over integers, reals and floating point `sundry sample` covers completely, one run after another.

The folder has one subfolder per logic, and INDEX.csv with the status of each formula. A formula is complete when each of its AST-bits is covered or proved
impossible. The record of each run is kept; a further start continues with the formulas that have none.

  benches/cover_theories.py --output results/cover-theories --limit 60 --effort max
"""

import argparse
import csv
import json
import subprocess
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("../shared/benchmarks/theories"))
    parser.add_argument("--sundry", default="target/release/sundry", help="the program")
    parser.add_argument("--logics", help="only these, separated by commas")
    parser.add_argument("--limit", type=int, default=60, help="seconds of each run")
    parser.add_argument("--effort", default="normal", help="how long a run looks for smaller sets")
    parser.add_argument("--threads", default="1", help="threads of each run")
    parser.add_argument("--output", type=Path, required=True, help="folder of the records")
    return parser.parse_args()


def run(options, name):
    """The record of a run; one that says why, where the run has left none."""
    kept = options.output / (name.replace("/", "__") + ".json")
    if not kept.exists():
        command = [options.sundry, "sample", str(options.folder / name), "--quiet"]
        command += ["--timeout", str(options.limit), "--effort", options.effort, "--threads", options.threads]
        partial = kept.with_suffix(".part")
        done = subprocess.run([*command, "--record", str(partial)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if not partial.exists():
            partial.write_text(json.dumps({"solutions": 0, "complete": False, "proved_minimal": False, "error": done.stderr}))
        partial.rename(kept)
    return json.loads(kept.read_text())


def table(records):
    print("| formulas over | | with a solution | complete | proved minimal | solutions of the complete ones, median |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    kinds = {"floating point": True, "integers and reals": False}
    for kind, is_float in kinds.items():
        of_kind = [record for name, record in records.items() if ("FP" in name.split("/")[0]) == is_float]
        complete = [record for record in of_kind if record["complete"]]
        sizes = sorted(record["solutions"] for record in complete)
        median = sizes[len(sizes) // 2] if sizes else ""
        found, minimal = sum(record["solutions"] > 0 for record in of_kind), sum(record["proved_minimal"] for record in of_kind)
        print(f"| {kind} | {len(of_kind)} | {found} | {len(complete)} | {minimal} | {median} |")
    for name, record in records.items():
        if not record["complete"]:
            state = f"{record['unknown']:,} of {record['total']:,} AST-bits open" if record["solutions"] else "no solution"
            print(f"{name}: {record['solutions']} solutions, {state}")


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    logics = options.logics and options.logics.split(",")
    with open(options.folder / "INDEX.csv") as index:
        rows = [row for row in csv.DictReader(index) if row["status"] == "sat" and (not logics or row["logic"] in logics)]
    table({row["path"]: run(options, row["path"]) for row in rows})


if __name__ == "__main__":
    main()
