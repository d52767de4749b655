#!/usr/bin/env python3
"""Measures what the Python package costs: import, a formula, a solution, columns beside the command line, size of the wheel.

usage: target/python-venv/bin/python benches/python/measure.py [WHEEL]
The package, numpy and the command line come from the environment of this interpreter (`tools/test-python` makes one). Each time is the
least of several runs, since other work on the machine only adds to it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sundry

RUNS = 5
SOLUTIONS = 1_000_000
#: Small formulas, and solutions one by one, for the overhead beside the command line.
FILES, ROWS = 1000, 300_000
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = "(declare-const p Bool) (declare-const q Bool) (assert (or p q))"
FORMULAS = {
    "one word of 32 bits": "(declare-const x (_ BitVec 32)) (assert (bvugt x #x00001000))",
    "8 words of 16 bits, 8 truth values": "\n".join(
        [f"(declare-const w{i} (_ BitVec 16)) (declare-const p{i} Bool) (assert (= p{i} (bvult w{i} #x4000)))" for i in range(8)]
    ),
    "examples/memory.smt2 (arrays)": (EXAMPLES / "memory.smt2").read_text(encoding="utf-8"),
}


def least(call, runs: int = RUNS) -> float:
    """The least number of seconds of several runs."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def import_seconds() -> float:
    """Seconds that the import takes in a new process, without the start of the interpreter."""
    program = "import time; begin = time.perf_counter(); import sundry; print(time.perf_counter() - begin)"
    return min(float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(4 * RUNS))


def command_line_seconds(path: Path, output: Path) -> float:
    """Seconds of the command line for a table of as many solutions, in a process that writes a file."""
    command = [sys.executable, "-m", "sundry", "sample", str(path), "--strategy", "smtsampler", "-n", str(SOLUTIONS)]
    return least(lambda: subprocess.run([*command, "--format", "csv", "--quiet", "-o", str(output)], check=True), 3)


def overheads(folder: Path) -> None:
    """Processor time per small formula and per solution, in Python and by the command line, which does the same work in one process."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "cluster"))
    from small_formulas import write_formulas

    formulas, many = folder / "small", folder / "many.smt2"
    formulas.mkdir()
    write_formulas(formulas, FILES)
    many.write_text(FORMULAS["8 words of 16 bits, 8 truth values"], encoding="utf-8")

    def each_formula() -> None:
        for path in formulas.iterdir():
            sundry.Formula.from_file(path).sample_all(threads=1)

    def each_solution() -> None:
        for solution in sundry.Formula.from_file(many).sample("smtsampler", limit=ROWS, threads=1):
            solution.to_dict()

    def by_command_line(*arguments: str) -> None:
        # A new folder for each run, since a run goes on where an earlier one in its folder stopped.
        output = Path(tempfile.mkdtemp(dir=folder), "out")
        command = [sys.executable, "-m", "sundry", "sample", "-j", "1", "--quiet", "-o", str(output), *arguments]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    volume = [str(many), "--strategy", "smtsampler", "-n", str(ROWS), "--format", "csv"]
    print("\n| processor time | Python | command line | overhead |\n| --- | ---: | ---: | ---: |")
    for name, call, count, arguments in [
        ("a small formula, covered completely", each_formula, FILES, [str(formulas)]),
        ("a solution with 16 values, as a dictionary or a row of CSV", each_solution, ROWS, volume),
    ]:
        here = least_processor_time(call) / count * 1e6
        there = least_processor_time(lambda arguments=arguments: by_command_line(*arguments)) / count * 1e6
        print(f"| {name} | {here:.1f} µs | {there:.1f} µs | {here - there:+.1f} µs |", flush=True)


def least_processor_time(call) -> float:
    """The least processor time of several runs in seconds, with that of processes that have ended."""
    times = []
    for _ in range(3):
        begin = os.times()
        call()
        times.append(sum(os.times()[:4]) - sum(begin[:4]))
    return min(times)


def row(name: str, value: str) -> None:
    """A line of the table."""
    print(f"| {name} | {value} |", flush=True)


def main() -> None:
    print("| measured | value |\n| --- | ---: |")
    if len(sys.argv) > 1:
        row("size of the wheel", f"{os.path.getsize(sys.argv[1]) / 2**20:.1f} MiB")
    row("`import sundry`", f"{1000 * import_seconds():.1f} ms")
    row("read a formula of two constants", f"{1e6 * least(lambda: sundry.Formula.from_smtlib(SMALL), 200):.0f} µs")
    small = sundry.Formula.from_smtlib(SMALL)
    row("`solve` of this formula", f"{1e6 * least(small.solve, 200):.0f} µs")
    row("`sample_all` of this formula", f"{1e6 * least(small.sample_all, 50):.0f} µs")
    wide = sundry.Formula.from_smtlib(FORMULAS["8 words of 16 bits, 8 truth values"])
    solutions = wide.sample_all("smtsampler", limit=20_000).solutions
    row("a value of a solution, `solution[name]`", f"{1e9 * least(lambda: [s['w3'] for s in solutions]) / 20_000:.0f} ns")
    row("`solution.to_dict()`, 16 values", f"{1e9 * least(lambda: [s.to_dict() for s in solutions]) / 20_000:.0f} ns")
    row("a solution of the iterator, 16 values unread", f"{1e6 * least(lambda: wide.sample_all('smtsampler', limit=100_000), 3) / 100_000:.2f} µs")
    print(f"\n| {SOLUTIONS:,} solutions, `smtsampler` | numpy | CSV by the command line | speed of numpy |\n| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FORMULAS.items():
            path = Path(folder, "formula.smt2")
            path.write_text(text, encoding="utf-8")
            formula = sundry.Formula.from_file(path)
            columns = least(lambda formula=formula: formula.sample_columns(SOLUTIONS), 3)
            table = command_line_seconds(path, Path(folder, "out.csv"))
            print(f"| {name} | {columns:.2f} s | {table:.2f} s | {table / columns:.0%} |", flush=True)
        overheads(Path(folder))


main()
