#!/usr/bin/env python3
"""Measures how much one processor does per hour in each job: a short run of each with one thread, divided by the processor time of all
its processes, so that other work on the machine matters little.

usage: hourly.py [COMMAND [JOB…]]        for example: hourly.py target/release/sundry        (default: sundry, all jobs)
"""

import json
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from small_formulas import write_formulas

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SUNDRY = shlex.split(sys.argv[1] if len(sys.argv) > 1 else "sundry")
if Path(SUNDRY[0]).exists():
    SUNDRY[0] = str(Path(SUNDRY[0]).absolute())
COMMAND = shlex.join(SUNDRY)


def run(place: Path, *arguments: object) -> tuple[float, str]:
    """Seconds of processor time of a run and its processes, and what it prints to standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*SUNDRY, *map(str, arguments)]
    result = subprocess.run(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1, 3), result.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result.stderr


def small_formulas(place: Path, count: int) -> Path:
    """A folder of small formulas."""
    folder = place / "formulas"
    folder.mkdir()
    write_formulas(folder, count)
    return folder


def sample(place: Path):
    folder = small_formulas(place, 400)
    seconds, _ = run(place, "sample", folder, "-j", 1, "-o", "out", "--quiet")
    return "sample", "small formulas, covered completely", 400, seconds


def volume(place: Path):
    arguments = ["--strategy", "smtsampler", "-n", 1_000_000, "--format", "csv", "-o", "many.csv", "--quiet", "-j", 1]
    seconds, _ = run(place, "sample", EXAMPLES / "memory.smt2", *arguments)
    return "sample", "solutions at volume (memory.smt2, smtsampler)", 1_000_000, seconds


def coverage(place: Path):
    count = 50_000
    arguments = ["--strategy", "smtsampler", "-n", count, "--format", "csv", "-o", "models.csv", "--quiet", "-j", 1]
    run(place, "sample", EXAMPLES / "memory.smt2", *arguments)
    seconds, _ = run(place, "coverage", EXAMPLES / "memory.smt2", "models.csv")
    return "coverage", "models (memory.smt2)", count, seconds


def solve(place: Path):
    script = place / "all.smt2"
    bodies = [path.read_text() for path in sorted(small_formulas(place, 400).iterdir())]
    script.write_text("".join(body + "(reset)\n" for body in bodies))
    seconds, _ = run(place, "solve", script)
    return "solve", "small scripts, in one process", 400, seconds


def fuzz(place: Path):
    seconds, _ = run(place, "fuzz", "--solver", f"{COMMAND} solve", "--mutants", 40, "-j", 1, "--quiet", "-o", "out", EXAMPLES)
    return "fuzz", "mutants (seeds of examples/, `sundry solve`)", json.loads((place / "out/summary.json").read_text())["mutants"], seconds


def stress(place: Path):
    solver = f"{COMMAND} solve"
    arguments = ["--target", solver, "--reference", "built-in", "--logic", "QF_BV", "--confirm", 0]
    arguments += ["--population", 10, "--generations", 2, "--limit", 1]
    seconds, _ = run(place, "stress", *arguments, "-j", 1, "--quiet", "-o", "out")
    return "stress", "runs of solvers (QF_BV, `sundry solve`)", json.loads((place / "out/record.json").read_text())["solver_runs"], seconds


def reduce(place: Path):
    seconds, messages = run(place, "reduce", EXAMPLES / "scheduler.smt2", "--check", "grep -q bvule", "-o", "small.smt2", "-j", 1)
    [tried] = re.findall(r"([\d,]+) scripts tried", messages)
    return "reduce", "scripts tried (`grep` as the check)", int(tried.replace(",", "")), seconds


def explore(place: Path):
    seconds, _ = run(place, "explore", EXAMPLES / "explore/labels.wasm", "--stdin", 8, "-o", "out", "--quiet", "-t", 30)
    record = json.loads((place / "out/record.json").read_text())
    return "explore", f"paths (labels.wasm, {record['questions']} questions, {record['mutants']} mutants)", record["paths"], seconds


def main() -> None:
    jobs = (sample, volume, coverage, solve, fuzz, stress, reduce, explore)
    wanted = sys.argv[2:] or [job.__name__ for job in jobs]
    print("| job | unit | done | processor seconds | per hour |\n| --- | --- | --- | --- | --- |")
    for job in (job for job in jobs if job.__name__ in wanted):
        with tempfile.TemporaryDirectory() as name:
            name, unit, count, seconds = job(Path(name))
        print(f"| `{name}` | {unit} | {count:,} | {seconds:.1f} | {count / seconds * 3600:,.0f} |", flush=True)


main()
