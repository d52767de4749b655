#!/usr/bin/env python3
"""Hunts in current releases: campaigns of `sundry stress`, each on one solver and one logic, and a table of what they found.

Each campaign has a folder of its own among the results, and continues there if it was stopped. An input counts if its
reduced form is smaller than the limit on bytes, and the reference takes less than a second for it; equal shapes are grouped by `sundry stress` within a campaign.

usage: releases.py --results DIR --z3 COMMAND --cvc5 COMMAND --bitwuzla COMMAND [OPTION...]      (--help lists the options)
"""

import argparse
import json
import pathlib
import sys

from campaigns import run_all, run_campaign, table

# Logic, solver under test, reference.
CAMPAIGNS = [
    ("QF_SLIA", "z3", "cvc5"),
    ("QF_SLIA", "cvc5", "z3"),
    ("QF_BV", "z3", "bitwuzla"),
    ("QF_BV", "cvc5", "bitwuzla"),
    ("QF_BV", "bitwuzla", "z3"),
    ("QF_NIA", "z3", "cvc5"),
    ("QF_NIA", "cvc5", "z3"),
    ("QF_FP", "z3", "bitwuzla"),
    ("QF_FP", "cvc5", "bitwuzla"),
]

def arguments():
    parser = argparse.ArgumentParser(description="Looks for slow inputs of current solvers, and prints a table of them.")
    parser.add_argument("--results", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--z3", required=True, metavar="COMMAND")
    parser.add_argument("--cvc5", required=True, metavar="COMMAND")
    parser.add_argument("--bitwuzla", required=True, metavar="COMMAND")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--seconds", type=int, default=1200, help="for each campaign")
    parser.add_argument("--confirm", type=int, default=66, metavar="SECONDS", help="processor time of the solver under test")
    parser.add_argument("--bytes", type=int, default=300, help="of the largest input that counts")
    parser.add_argument("--jobs", type=int, default=1, help="campaigns at a time, each with one thread")
    parser.add_argument("--only", default="", metavar="TEXT", help="campaigns with this text in their name, such as QF_FP")
    parser.add_argument("further", nargs="*", metavar="-- ARGUMENT", help="further arguments of sundry stress")
    return parser.parse_args()


def campaign(options, name, logic, target, reference):
    """Runs a campaign, or what is left of it."""
    command = [options.sundry, "stress", "--target", vars(options)[target], "--reference", vars(options)[reference]]
    command += ["--logic", logic, "-t", str(options.seconds), "--confirm", str(options.confirm)]
    command += ["-j", "1", "--quiet", *options.further]
    run_campaign(command, options.results / name)
    print(f"{name}: complete", file=sys.stderr)


def is_clear(case, confirm):
    """Whether the solver under test was stopped by the long limit, and the reference takes less than a second."""
    [target], [reference] = case["targets"], case["references"]
    return target["amount"] >= confirm and "decided" in reference["outcome"] and reference["amount"] < 1


def row(options, name):
    """What a campaign has found so far."""
    folder = options.results / name / "campaign"
    record = json.loads((folder / "record.json").read_text())
    confirmed = [case for case in record["cases"] if case["status"] == "confirmed"]
    findings = [case for case in confirmed if is_clear(case, options.confirm)]
    sizes = sorted(case["smallest_bytes"] for case in findings)
    small = [size for size in sizes if size < options.bytes]
    runs = record["generations"][-1]["runs"] if record["generations"] else 0
    cells = [name, f"{record['seconds']:,.0f}", f"{runs:,}", f"{record['share_in_solvers']:.2f}", str(len(record["cases"])), str(len(findings)),
             str(len(small)), ", ".join(map(str, sizes)) or "—"]
    return len(small), cells


def main():
    options = arguments()
    tasks = {"-".join(task): task for task in CAMPAIGNS if options.only in "-".join(task)}
    all_well = run_all(options.jobs, campaign, {name: (options, name, *task) for name, task in tasks.items()})
    rows = [row(options, name) for name in tasks if (options.results / name / "campaign" / "record.json").exists()]
    heading = ["campaign", "seconds", "inputs run", "share in solvers", "cases", "confirmed", f"below {options.bytes} bytes", "bytes"]
    print(table(heading, [cells for _, cells in rows]))
    print(f"confirmed and below {options.bytes} bytes: {sum(small for small, _ in rows)}")
    sys.exit(0 if all_well else 1)


main()
