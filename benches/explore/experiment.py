#!/usr/bin/env python3
"""The tables of the paper on MuSE: explorations of numerical functions and of parsers, in all variants.

Sources are fetched below --work, outside of the repository, and modules are built there. Each finished run is a folder of its own
there with its record; what is there is not run again, so that an experiment that was stopped continues. The tables are
printed, in Markdown, of all runs of the programs and variants that are asked for.

usage: experiment.py --work DIR [OPTION...]      (--help lists the options)
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

import seeds
import sources
import tables
from programs import PROGRAMS

HERE = pathlib.Path(__file__).resolve().parent
# The number of bytes by which files may grow.
ROOM = 64
VARIANTS = {
    **{f"{strategy}{suffix}": ["--strategy", strategy, *options]
       for strategy in ("bfs", "dfs", "rcn", "rss", "coverage")
       for suffix, options in (("", ["--partial", "0", "--mutants", "0"]), ("+p", ["--mutants", "0"]), ("+p+m", []))},
    **{f"{strategy}-plain": ["--strategy", strategy, "--plain"] for strategy in ("bfs", "dfs", "rcn", "rss")},
    # Floats are bits for the solver.
    "bfs-plain-circuit": ["--strategy", "bfs", "--plain", "--floats", "circuit"],
    "bfs-circuit": ["--strategy", "bfs", "--partial", "0", "--mutants", "0", "--floats", "circuit"],
    "bfs+p-circuit": ["--strategy", "bfs", "--mutants", "0", "--floats", "circuit"],
    "coverage+p-circuit": ["--strategy", "coverage", "--mutants", "0", "--floats", "circuit"],
    # As in the second experiment of the paper, a library computes with floats, and its branches are decisions.
    "bfs-plain-soft": ["--strategy", "bfs", "--plain", "--floats", "soft"],
    "bfs-soft": ["--strategy", "bfs", "--partial", "0", "--mutants", "0", "--floats", "soft"],
    "bfs+p-soft": ["--strategy", "bfs", "--mutants", "0", "--floats", "soft"],
    "coverage+p-soft": ["--strategy", "coverage", "--mutants", "0", "--floats", "soft"],
    # As a fuzzer does, explorations may make the seed file longer.
    "coverage+p+m+room": ["--strategy", "coverage"],
}


def arguments(add_own=lambda parser: None):
    """The options of the command line; `add_own` adds those of another driver."""
    parser = argparse.ArgumentParser(description="Explores programs in all variants, and prints tables.")
    parser.add_argument("--work", type=pathlib.Path, required=True, metavar="DIR", help="sources, modules and results")
    parser.add_argument("--sundry", default="target/release/sundry", metavar="FILE")
    parser.add_argument("--programs", default="gsl,parsers,floats", metavar="NAMES", help="names and groups")
    parser.add_argument("--variants", default="bfs-plain,bfs,bfs+p,bfs+p+m,coverage+p,coverage+p+m", metavar="NAMES",
                        help=f"of {', '.join(VARIANTS)}")
    parser.add_argument("--seeds", default="0", metavar="NUMBERS", help="of random choices")
    parser.add_argument("--seconds", type=int, default=300, help="for each run")
    parser.add_argument("--idle", type=int, default=60, metavar="SECONDS", help="a run that brings nothing new for so long ends early")
    parser.add_argument("--memory", default="2G", help="for each run")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, each with one thread")
    parser.add_argument("--table", action="store_true", help="print tables of the runs there are, and run nothing")
    add_own(parser)
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.sundry = str(pathlib.Path(options.sundry).resolve())
    options.variants = options.variants.split(",")
    if unknown := set(options.variants) - VARIANTS.keys():
        parser.error(f"no variant {', '.join(sorted(unknown))}")
    wanted = options.programs.split(",")
    if unknown := set(wanted) - {name for program in PROGRAMS for name in (program.name, program.group)}:
        parser.error(f"no program {', '.join(sorted(unknown))}")
    options.programs = [program for program in PROGRAMS if {program.name, program.group} & set(wanted)]
    return options


def inputs_of(folder, program):
    """The sources of a program and the options of the compiler; no sources if a package is missing."""
    places = {package: sources.place(folder, package) for package in sources.PACKAGES}
    used = {text[1:].partition("}")[0] for text in (*program.sources, *program.includes) if text.startswith("{")}
    if missing := sorted(package for package in used - {"here"} if not places[package]):
        print(f"{program.name}: no sources of {', '.join(missing)}", file=sys.stderr)
        return [], []
    files = [str(HERE / program.driver), *(file for pattern in program.sources for file in sources.expand(pattern, folder))]
    flags = [f"-I{HERE}", *(f"-I{text}" for text in program.includes), *program.options]
    return files, [flag.format(here=HERE, **places) for flag in flags]


def build(options, program):
    """The module of a program, compiled if it is not there; none if that is not possible."""
    module = options.work / "modules" / f"{program.name}.wasm"
    if module.exists():
        return module
    files, flags = inputs_of(options.work / "sources", program)
    if not files:
        return None
    module.parent.mkdir(parents=True, exist_ok=True)
    draft = module.with_suffix(".draft.wasm")
    done = subprocess.run([options.sundry, "cc", *files, "-o", str(draft), "--", "-w", *flags], capture_output=True, text=True)
    (module.with_suffix(".log")).write_text(done.stdout + done.stderr)
    if done.returncode:
        print(f"{program.name}: cannot be compiled, see {module.with_suffix('.log')}", file=sys.stderr)
        return None
    draft.replace(module)
    return module


def result_folder(options, program, variant, seed):
    return options.work / "results" / f"{options.seconds}s" / program.name / f"{variant}-{seed}"


def run(options, module, program, variant, seed):
    """One exploration."""
    folder = result_folder(options, program, variant, seed)
    command = [options.sundry, "explore", str(module), "-o", str(folder), "-t", str(options.seconds), "--idle", str(options.idle)]
    command += ["--seed", seed, "--memory", options.memory, "--quiet", *VARIANTS[variant]]
    if program.seed:
        room = f"+{ROOM}" if variant.endswith("+room") else ""
        command += ["--stdin", str(options.work / "seeds" / program.seed) + room]
    # A program that asks for more than is sensible must not hold up the others.
    limit = options.seconds * 2 + 60
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        failure = None if (folder / "record.json").exists() else f"status {done.returncode}: {done.stderr.strip()[-400:]}"
    except subprocess.TimeoutExpired:
        failure = f"no end within {limit} s"
    folder.mkdir(parents=True, exist_ok=True)
    result = {"program": program.name, "variant": variant, "seed": seed, "seconds": options.seconds, "failure": failure}
    (folder / "result.json").write_text(json.dumps(result) + "\n")
    print(f"{program.name} {variant} {seed}: {failure or 'done'}", file=sys.stderr, flush=True)


def main():
    options = arguments()
    if not options.table:
        folder = options.work / "sources"
        folder.mkdir(parents=True, exist_ok=True)
        sources.fetch(folder)
        seeds.write(options.work / "seeds")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            modules = dict(zip((p.name for p in options.programs), pool.map(lambda p: build(options, p), options.programs)))
            waiting = [
                pool.submit(run, options, modules[program.name], program, variant, seed)
                for variant in options.variants
                for program in options.programs
                for seed in options.seeds.split(",")
                if modules[program.name] and not (result_folder(options, program, variant, seed) / "result.json").exists()
            ]
            for one in waiting:
                one.result()
    tables.show(options, result_folder)


if __name__ == "__main__":
    main()
