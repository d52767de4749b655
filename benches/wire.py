#!/usr/bin/env python3
"""Samples formulas and measures the solutions in the units of other samplers (`sundry coverage --measure wire`).

usage: benches/wire.py FORMULA... [--sundry PROGRAM] [--seconds 60]

Prints a row for each formula: solutions, seconds, the share of AST-bits, and the share of all points of wires. Points of literals and of
assertions never change, so the last share has a ceiling below 100 %.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formulas", nargs="+", type=pathlib.Path)
    parser.add_argument("--sundry", default="target/release/sundry")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("| formula | solutions | seconds | ended by | AST-bits % | unknown | points | of all % |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    for formula in options.formulas:
        with tempfile.TemporaryDirectory() as folder:
            models, record = pathlib.Path(folder, "models"), pathlib.Path(folder, "record")
            sample = [options.sundry, "sample", formula, "-j", "1", "-t", str(options.seconds), "-q"]
            subprocess.run([*sample, "-o", models, "--record", record], check=False)
            run = json.loads(record.read_text())
            if not models.exists():
                print(f"| {formula.name} | 0 | {run['seconds']:.1f} | {run['stopped_by']} | | | | |", flush=True)
                continue
            measure = [options.sundry, "coverage", formula, models, "--measure", "wire", "--json"]
            wires = json.loads(subprocess.run(measure, stdout=subprocess.PIPE, check=True).stdout)
        cells = [formula.name, run["solutions"], f"{run['seconds']:.1f}", run["stopped_by"]]
        cells += [f"{100 * run['coverage']:.2f}", run["unknown"], wires["total"], f"{100 * wires['coverage']:.2f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
