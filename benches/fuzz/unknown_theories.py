#!/usr/bin/env python3
"""Reduces scripts with theories that Sundry does not know, with `sundry reduce` and with ddSMT, in turn and with the same check.

A script is taken if the solver decides it. The check holds while the solver gives the same answer and the script has all of the rare
operators that it began with: those whose names have a dot, which are of sets, bags, sequences, finite fields and the like. ddSMT compares exit codes,
so that the check prints nothing.

usage: unknown_theories.py --solver COMMAND --ddsmt FILE [--sundry FILE] [--limit N] SCRIPT...
"""

import argparse
import math
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

CHECK = """#!/bin/sh
[ "$(timeout 5 {solver} "$1" 2>/dev/null | head -n 1)" = "{answer}" ] || exit 1
for operator in {operators}; do grep -qF -e "($operator " "$1" || exit 1; done
"""


def arguments():
    parser = argparse.ArgumentParser(description="Compares sundry reduce and ddSMT on scripts with unknown theories.")
    parser.add_argument("--solver", required=True, metavar="COMMAND")
    parser.add_argument("--ddsmt", required=True, metavar="FILE")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--limit", type=int, default=10, help="the number of scripts that are reduced, at most")
    parser.add_argument("scripts", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def answer_of(solver, script):
    """The first line that a solver prints for a script, if it decides it within ten seconds."""
    try:
        run = subprocess.run([*shlex.split(solver), script], capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return None
    answer = run.stdout.split("\n")[0]
    return answer if answer in ("sat", "unsat") else None


def timed(command):
    """The processor seconds of a command and everything that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def without_comments(text):
    """A script without its comments and empty lines, so that both tools begin with what matters."""
    lines = (line.split(";")[0].rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def operators_of(text):
    """The rare operators of a script."""
    return sorted(set(re.findall(r"\(([a-z_]+\.[A-Za-z_.]+) ", text)))


def compare(options, path, answer, folder):
    """The sizes before and after, and the seconds, of both tools."""
    script, check = folder / path.name, folder / "check.sh"
    script.write_text(without_comments(path.read_text()))
    operators = operators_of(script.read_text())
    check.write_text(CHECK.format(solver=options.solver, answer=answer, operators=" ".join(operators)))
    check.chmod(0o755)
    ours, theirs = folder / "sundry.smt2", folder / "ddsmt.smt2"
    own = timed([options.sundry, "reduce", script, "--check", str(check), "-o", ours, "--quiet", "--jobs", "1"])
    other = timed([options.ddsmt, "--jobs", "1", script, theirs, check])
    sizes = [len(file.read_bytes()) for file in (script, ours, theirs)]
    for file in (ours, theirs):
        subprocess.run([check, file], check=True)
    return sizes, own, other


def absolute(command):
    """A command whose program is found from every folder."""
    program, *rest = shlex.split(command)
    return shlex.join([str(pathlib.Path(program).absolute()) if "/" in program else program, *rest])


def main():
    options = arguments()
    options.solver = absolute(options.solver)
    rows, ratios, sizes_ratio = [], [], []
    for path in options.scripts:
        answer = answer_of(options.solver, path)
        # Without a rare operator, nothing would have to stay.
        if answer is None or not operators_of(path.read_text()) or len(rows) == options.limit:
            continue
        with tempfile.TemporaryDirectory() as name:
            (before, ours, theirs), own, other = compare(options, path, answer, pathlib.Path(name))
        rows.append(f"| {path.stem} | {before} | {ours} | {theirs} | {own:.2f} | {other:.2f} | {own / other:.3f} |")
        ratios.append(own / other)
        sizes_ratio.append(ours / theirs)
        print(rows[-1], file=sys.stderr)
    print("| script | bytes | sundry | ddSMT | seconds | ddSMT | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    print("\n".join(rows))
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nThe geometric mean of the ratios of time is {mean:.3f}; the largest ratio of sizes is {max(sizes_ratio):.2f}.")


main()
