#!/usr/bin/env python3
"""Checks the programs in errors/ natively: each shows its error on the input of the index, and its repaired twin does not.

usage: benches/explore/check_errors.py
Needs gcc with its sanitizers. Exit status: 0 all are as the index says; 1 some are not, each named on standard error.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent / "errors"
OPTIONS = "-g -O1 -Wall -Wextra -Wno-cast-function-type -fsanitize=address,undefined -fno-sanitize-recover=undefined"
SECONDS = 5


def compiled(name, folder):
    """The program of a source, built with sanitizers."""
    program = pathlib.Path(folder) / name
    subprocess.run(["gcc", *OPTIONS.split(), str(FOLDER / f"{name}.c"), "-o", str(program)], check=True)
    return program


def outcome(program, data):
    """What a run shows, in the words of the index."""
    try:
        run = subprocess.run([program], input=data, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "hang"
    if b"Sanitizer" in run.stderr or b"runtime error" in run.stderr:
        return "sanitizer"
    return "signal" if run.returncode < 0 else f"exit {run.returncode}"


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder, open(FOLDER / "index.csv", newline="") as index:
        for row in csv.DictReader(index):
            data = bytes.fromhex(row["input"])
            seeded = outcome(compiled(row["name"], folder), data)
            repaired = outcome(compiled(f"{row['name']}-repaired", folder), data)
            # Some errors exist in WebAssembly only.
            if row["native"] != "none" and seeded != row["native"]:
                wrong.append(f"{row['name']}: {seeded} instead of {row['native']}")
            if not repaired.startswith("exit") or repaired == seeded and row["native"] != "none":
                wrong.append(f"{row['name']}-repaired: {repaired}")
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
