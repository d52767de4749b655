#!/usr/bin/env python3
"""Measures how much one processor does per hour in each job: runs with one thread, each with another seed, until they have taken at least
half a minute of processor time, with that of all their processes, so that other work on the machine matters little.

usage: hourly.py [--sundry COMMAND] [--seconds 30] [JOB…]        for example: hourly.py --sundry target/release/sundry merge
"""

import argparse
import json
import random
import re
import resource
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from small_formulas import write_formulas

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SUNDRY: list[str] = []

#: A solver whose defects show in mutants with these operators, each of which is another bug.
DEFECTIVE = """\
for operator in bvlshr bvor bvand bvxor bvshl bvnot bvsub bvmul; do
    if grep -q "$operator" "$1"; then echo "Fatal failure in $operator" >&2; kill -ABRT $$; fi
done
echo sat
"""
SEED = """\
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvule x y))
(assert (bvule y (bvadd x #x1)))
(assert (or (bvule x #x3) (bvule #xc y)))
(check-sat)
"""


def run(place: Path, *arguments: object) -> tuple[float, str]:
    """Seconds of processor time of a run and its processes, and what it prints to standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*SUNDRY, *map(str, arguments)]
    result = subprocess.run(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1, 3), result.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result.stderr


def itself() -> str:
    """Sundry as the solver of a campaign."""
    return f"{shlex.join(SUNDRY)} solve"


def small_formulas(place: Path, count: int) -> Path:
    """A folder of small formulas."""
    folder = place / "formulas"
    folder.mkdir()
    write_formulas(folder, count)
    return folder


# A job returns how much it has done in one run, and the seconds of processor time.


def sample(place: Path, seed: int):
    """small formulas, covered completely"""
    folder = small_formulas(place, 1000)
    return 1000, run(place, "sample", folder, "-j", 1, "-s", seed, "-o", "out", "--quiet")[0]


def pan(place: Path, seed: int):
    """small formulas, with the strategy of PanSampler"""
    folder = small_formulas(place, 1000)
    return 1000, run(place, "sample", folder, "--strategy", "pan", "-j", 1, "-s", seed, "-o", "out", "--quiet")[0]


def enumerate_all(place: Path, seed: int):
    """solutions of an enumeration (multiples of 3 in 24 bits)"""
    count = 200_000
    text = "(declare-const x (_ BitVec 24)) (declare-const y (_ BitVec 24)) (assert (= y (bvmul x #x000003)))"
    (place / "multiples.smt2").write_text(text)
    arguments = ["--strategy", "all", "-n", count, "--format", "csv", "-o", "all.csv", "--quiet", "-j", 1, "-s", seed]
    return count, run(place, "sample", "multiples.smt2", *arguments)[0]


def volume(place: Path, seed: int):
    """solutions at volume (memory.smt2, smtsampler)"""
    count = 2_000_000
    arguments = ["--strategy", "smtsampler", "-n", count, "--format", "csv", "-o", "many.csv", "--quiet", "-j", 1, "-s", seed]
    return count, run(place, "sample", EXAMPLES / "memory.smt2", *arguments)[0]


def uniform(place: Path, seed: int):
    """uniform draws (options.smt2)"""
    count = 20_000
    arguments = ["--strategy", "uniform", "-n", count, "--format", "csv", "-o", "drawn.csv", "--quiet", "-j", 1, "-s", seed]
    return count, run(place, "sample", EXAMPLES / "options.smt2", *arguments)[0]


def t_wise(place: Path, seed: int):
    """covering arrays of 236 triples (backup.pict)"""
    arguments = ["--strength", 3, "--format", "csv", "-o", "array.csv", "--quiet", "-j", 1, "-s", seed]
    return 1, run(place, "sample", EXAMPLES / "backup.pict", *arguments)[0]


def t_wise_large(place: Path, seed: int):
    """covering arrays of all pairs of 30 parameters with 4 values"""
    (place / "large.pict").write_text("".join(f"P{number}: 1, 2, 3, 4\n" for number in range(30)))
    arguments = ["--strength", 2, "--format", "csv", "-o", "array.csv", "--quiet", "-j", 1, "-s", seed]
    return 1, run(place, "sample", "large.pict", *arguments)[0]


def coverage(place: Path, seed: int):
    """models (memory.smt2)"""
    count = 500_000
    arguments = ["--strategy", "smtsampler", "-n", count, "--format", "csv", "-o", "models.csv", "--quiet", "-j", 1, "-s", seed]
    run(place, "sample", EXAMPLES / "memory.smt2", *arguments)
    return count, run(place, "coverage", EXAMPLES / "memory.smt2", "models.csv")[0]


def decide(place: Path, seed: int):
    """formulas whose AST-bits are decided (memory.smt2)"""
    memory = EXAMPLES / "memory.smt2"
    run(place, "sample", memory, "--strategy", "smtsampler", "-n", 1, "--format", "csv", "-o", "one.csv", "--quiet", "-s", seed)
    times = [run(place, "coverage", memory, "one.csv", "--decide")[0] for _ in range(20)]
    return len(times), sum(times)


def convert(place: Path, seed: int):
    """parameters with 4 values converted (PICT, 10,000 in one model)"""
    (place / "large.pict").write_text("".join(f"P{number}: 1, 2, 3, 4\n" for number in range(10_000)))
    return 10_000, run(place, "convert", "large.pict", "-o", "large.smt2")[0]


def cc(place: Path, seed: int):
    """small programs compiled (labels.c)"""
    times = [run(place, "cc", EXAMPLES / "explore/labels.c", "-o", f"{time}.wasm")[0] for time in range(20)]
    return len(times), sum(times)


def solve(place: Path, seed: int):
    """small scripts, 20,000 in one process"""
    script = place / "all.smt2"
    bodies = [path.read_text() for path in sorted(small_formulas(place, 20_000).iterdir())]
    script.write_text("".join(body + "(reset)\n" for body in bodies))
    return len(bodies), run(place, "solve", script)[0]


def fuzz(place: Path, seed: int):
    """mutants (seeds of examples/, `sundry solve`)"""
    seconds, _ = run(place, "fuzz", "--solver", itself(), "--mutants", 40, "-j", 1, "-s", seed, "--quiet", "-o", "out", EXAMPLES)
    return json.loads((place / "out/summary.json").read_text())["mutants"], seconds


def stress(place: Path, seed: int):
    """runs of solvers (QF_BV, `sundry solve`)"""
    arguments = ["--target", itself(), "--reference", "built-in", "--logic", "QF_BV", "--confirm", 0, "-s", seed]
    arguments += ["--population", 20, "--generations", 5, "--limit", 1]
    seconds, _ = run(place, "stress", *arguments, "-j", 1, "--quiet", "-o", "out")
    return json.loads((place / "out/record.json").read_text())["solver_runs"], seconds


def merge(place: Path, seed: int):
    """campaigns merged, of 64 with the same bugs"""
    (place / "seed.smt2").write_text(SEED)
    (place / "solver.sh").write_text(DEFECTIVE)
    for number in range(2):
        options = ["--mutants", 40, "--strategy", "pst", "--form", "plain", "--vary-options", 0, "-j", 1, "-s", 2 * seed + number]
        solvers = ["--solver", f"sh {place}/solver.sh", "--reference", "built-in", "--reduction-timeout", 2]
        run(place, "fuzz", *solvers, *options, "--quiet", "-o", f"{number:04}", "seed.smt2")
    for number in range(2, 64):
        subprocess.run(["cp", "-r", f"{number % 2:04}", f"{number:04}"], cwd=place, check=True)
    campaigns = [f"{number:04}" for number in range(64)]
    times = [run(place, "merge", *campaigns, "--quiet", "-o", f"merged-{time}")[0] for time in range(20)]
    return 20 * len(campaigns), sum(times)


def reduce(place: Path, seed: int):
    """scripts tried (400 assertions, `grep` as the check)"""
    draw = random.Random(seed)
    names = [f"c{number}" for number in range(100)]
    lines = [f"(declare-const {name} (_ BitVec 8))" for name in names]
    for _ in range(400):
        one, other, third = draw.sample(names, 3)
        operator = draw.choice(["bvadd", "bvmul", "bvor"])
        lines.append(f"(assert (bvule ({operator} {one} {other}) {third}))")
    (place / "large.smt2").write_text("\n".join([*lines, "(check-sat)", ""]))
    check = f"sh {place}/check.sh"
    (place / "check.sh").write_text("grep -q bvadd \"$1\" && grep -q bvmul \"$1\" && grep -q 'c7\\b' \"$1\"\n")
    seconds, messages = run(place, "reduce", "large.smt2", "--check", check, "-o", "small.smt2", "-j", 1)
    [tried] = re.findall(r"([\d,]+) scripts tried", messages)
    return int(tried.replace(",", "")), seconds


def explore(place: Path, seed: int):
    """paths (labels.wasm)"""
    seconds, _ = run(place, "explore", EXAMPLES / "explore/labels.wasm", "--stdin", 8, "-o", "out", "--quiet", "-s", seed)
    return json.loads((place / "out/record.json").read_text())["paths"], seconds


JOBS: list[Callable] = [
    sample, pan, enumerate_all, volume, uniform, t_wise, t_wise_large, coverage, decide, convert, cc, solve, fuzz, stress, merge, reduce, explore,
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sundry", default="sundry", help="the command of Sundry")
    parser.add_argument("--seconds", type=float, default=30.0, help="the least processor time of each job")
    parser.add_argument("jobs", nargs="*", metavar="JOB")
    arguments = parser.parse_args()
    SUNDRY.extend(shlex.split(arguments.sundry))
    if Path(SUNDRY[0]).exists():
        SUNDRY[0] = str(Path(SUNDRY[0]).absolute())
    print("| job | unit | runs | done | processor seconds | per hour |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for job in (job for job in JOBS if job.__name__ in (arguments.jobs or [job.__name__ for job in JOBS])):
        runs, done, seconds = 0, 0, 0.0
        while seconds < arguments.seconds:
            with tempfile.TemporaryDirectory() as name:
                count, taken = job(Path(name), runs)
            runs, done, seconds = runs + 1, done + count, seconds + taken
        print(f"| `{job.__name__}` | {job.__doc__} | {runs} | {done:,} | {seconds:.1f} | {done / seconds * 3600:,.0f} |", flush=True)


main()
