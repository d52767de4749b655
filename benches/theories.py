#!/usr/bin/env python3
"""Compares solvers on formulas over integers, reals and floating point, one run after another.

The folder has one subfolder per logic, and INDEX.csv with the status of each formula. Each solver is a command to which the file is added. Times are
processor seconds of the whole process, start-up included. Results are kept in a JSON file after each run; a further start
continues it.

  benches/theories.py --output theories.json --logics QF_LIA,QF_LRA,QF_IDL,QF_RDL --limit 60 \\
      --solver 'sundry=target/release/sundry solve' --solver 'z3=.venv/bin/z3' --solver 'cvc5=.venv/bin/cvc5 --fp-exp'
"""

import argparse
import csv
import json
import math
import os
import resource
import shlex
import signal
import subprocess
import threading
from pathlib import Path

LEAST_SECONDS = 0.01
"""Times below this one are counted as this one, since they measure the start of a process."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("../shared/benchmarks/theories"))
    parser.add_argument("--logics", help="only these, separated by commas")
    parser.add_argument("--limit", type=float, default=60, help="processor seconds of each run")
    parser.add_argument("--memory", type=int, default=8192, help="MiB of each run")
    parser.add_argument("--solver", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args()


def run(command, formula, limit, memory):
    """The answer of a solver to a formula, and its processor seconds."""

    def limits():
        os.setsid()
        seconds = math.ceil(limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    process = subprocess.Popen(
        [*shlex.split(command), str(formula)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        preexec_fn=limits,
    )
    # A solver that waits uses no processor time.
    killer = threading.Timer(4 * limit + 10, lambda: os.killpg(process.pid, signal.SIGKILL))
    killer.start()
    output = process.stdout.read().decode(errors="replace")
    _, _, usage = os.wait4(process.pid, 0)
    killer.cancel()
    seconds = usage.ru_utime + usage.ru_stime
    answers = [line for line in output.split("\n") if line in ("sat", "unsat")]
    answer = answers[0] if answers and seconds <= limit else "unknown"
    return {"answer": answer, "seconds": round(seconds, 3)}


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def table(results, formulas, solvers):
    """How many formulas each solver decides, wrong answers, and geometric means of times on formulas that two solvers decide."""
    seconds = lambda solver, name: max(results[f"{solver} {name}"]["seconds"], LEAST_SECONDS)
    decided = {
        solver: [name for name in formulas if results[f"{solver} {name}"]["answer"] != "unknown"] for solver in solvers
    }
    first = solvers[0]
    print("| solver | decided | wrong | both decide | geometric mean, seconds | that of", first, "there |")
    print("| --- | --- | --- | --- | --- | --- |")
    for solver in solvers:
        answer = lambda name: results[f"{solver} {name}"]["answer"]
        wrong = [n for n in decided[solver] if formulas[n] in ("sat", "unsat") and answer(n) != formulas[n]]
        both = [name for name in decided[solver] if name in decided[first]]
        own, ours = mean([seconds(solver, n) for n in both]), mean([seconds(first, n) for n in both])
        print(f"| {solver} | {len(decided[solver])} of {len(formulas)} | {wrong or 0} | {len(both)} | {own:.3f} | {ours:.3f} |")
    for name in formulas:
        others = [solver for solver in solvers[1:] if name in decided[solver]]
        if name not in decided[first] and others:
            times = ", ".join(f"{solver} {seconds(solver, name):.2f} s" for solver in others)
            print(f"{first} does not decide {name}: {times}")


def main():
    options = arguments()
    solvers = dict(solver.split("=", 1) for solver in options.solver)
    logics = options.logics and options.logics.split(",")
    with open(options.folder / "INDEX.csv") as index:
        rows = [row for row in csv.DictReader(index) if not logics or row["logic"] in logics]
    formulas = {row["path"]: row["status"] for row in rows}
    results = json.loads(options.output.read_text()) if options.output.exists() else {}
    for name in formulas:
        for solver, command in solvers.items():
            key = f"{solver} {name}"
            if key not in results:
                results[key] = run(command, options.folder / name, options.limit, options.memory)
                partial = options.output.with_suffix(".part")
                partial.write_text(json.dumps(results, indent=1))
                partial.replace(options.output)
    table(results, formulas, list(solvers))


if __name__ == "__main__":
    main()
