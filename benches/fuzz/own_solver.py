#!/usr/bin/env python3
"""Tests `sundry solve` on mutants of each logic, with z3, cvc5 and Bitwuzla as references, and prints a table.

Seeds of a logic are the scripts with its `set-logic` in the given folders that are not too large. A campaign stands in a folder of its own below
--results and continues there; a logic whose campaign made all of its mutants, or had its time, is not tested again. Bitwuzla is asked where it knows the logic.

usage: own_solver.py --results DIR --seeds DIR [DIR...] [--logics L,...] [--mutants N] [--seconds N] [--sundry FILE] [--oracles DIR]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

LOGICS = (
    "QF_LIA QF_LRA QF_LIRA QF_IDL QF_RDL QF_UFLIA QF_UFLRA QF_UFIDL QF_ALIA QF_AUFLIA QF_AUFLIRA QF_NIA QF_ANIA QF_NRA QF_UFNRA "
    "QF_FP QF_BVFP QF_ABVFP QF_AUFBVFP QF_UFFP QF_FPLRA QF_BVFPLRA"
).split()
# The codes with which `sundry fuzz` ends when all is well: no defect, a defect, a limit was reached.
EXPECTED = (0, 1, 3)


def arguments():
    parser = argparse.ArgumentParser(description="Tests sundry solve on mutants of each logic.")
    parser.add_argument("--results", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--seeds", required=True, nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--logics", type=lambda text: text.split(","), default=LOGICS, metavar="L,...")
    parser.add_argument("--mutants", type=int, default=20_000, metavar="N", help="mutants of each logic (20000)")
    parser.add_argument("--seconds", type=int, default=3600, help="of each logic, after which it has as many mutants as there are (3600)")
    parser.add_argument("--largest", type=int, default=20_000, metavar="BYTES", help="the largest seed (20000)")
    parser.add_argument("--limit", type=float, default=2.0, metavar="SECONDS", help="time of a solver on a mutant (2)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--oracles", default=".venv/bin", metavar="DIR", help="the folder of z3, cvc5 and bitwuzla (.venv/bin)")
    return parser.parse_args()


def logics_of_seeds(options):
    """The seeds of each logic."""
    seeds = {}
    for folder in options.seeds:
        for path in sorted(folder.rglob("*.smt2")):
            if path.stat().st_size <= options.largest:
                found = re.search(r"\(\s*set-logic\s+(\w+)", path.read_text(errors="replace"))
                seeds.setdefault(found and found[1], []).append(path)
    return seeds


def run(options, logic, seeds):
    """Runs the campaign of a logic, or what is left of it, and returns its summary."""
    folder = options.results / logic
    folder.mkdir(parents=True, exist_ok=True)
    summary, mark = folder / "campaign" / "summary.json", folder / "campaign-complete"
    if not mark.exists():
        done = json.loads(summary.read_text())["mutants"] if summary.exists() else 0
        command = [options.sundry, "fuzz", "--solver", f"{options.sundry} solve", "--budget", options.mutants - done]
        # Twice as many for each seed as needed: some seeds are decided by simplification, or by nobody.
        command += ["--mutants", 2 * options.mutants // len(seeds) + 1, "--solver-timeout", options.limit, "--seed", options.seed]
        command += ["-j", options.jobs, "-t", options.seconds]
        for name in ["z3", "cvc5"] + ["bitwuzla"] * ("FP" in logic and "LRA" not in logic):
            command += ["--reference", f"{options.oracles}/{name}"]
        with open(folder / "campaign.log", "a") as log:
            whole = [str(word) for word in [*command, "-o", folder / "campaign", *seeds]]
            code = subprocess.run(whole, stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode
        if code not in EXPECTED:
            raise RuntimeError(f"sundry fuzz ended with {code}: see {log.name}")
        if json.loads(summary.read_text())["stopped_by"] == "interrupt":
            raise RuntimeError("interrupted; the same command continues")
        mark.touch()
    return json.loads(summary.read_text())


def row(logic, summary):
    """A line of the table: what the campaign of a logic made, and what it found."""
    defects = ", ".join(f"{count} {kind}" for kind, count in summary["confirmed"].items() if count) or "none"
    return f"| {logic} | {summary['seeds']} | {summary['mutants']:,} | {summary['missing']:,} | {summary['doubtful']} | {defects} | {summary['seconds']:,.0f} |"


def main():
    options = arguments()
    all_seeds = logics_of_seeds(options)
    print("| logic | seeds | mutants | without an answer | doubtful | defects | seconds |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |")
    well = True
    for logic in options.logics:
        seeds = all_seeds.get(logic, [])
        if not seeds:
            print(f"{logic}: no seed", file=sys.stderr)
            continue
        try:
            print(row(logic, run(options, logic, seeds)), flush=True)
        except RuntimeError as error:
            well = False
            print(f"{logic}: {error}", file=sys.stderr, flush=True)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
