#!/usr/bin/env python3
"""Explorations of the parsers beside AFL++ and angr: branches of one native build that the inputs of each reach.

AFL++ (of Debian) and angr (of PyPI, where --angr names a Python that has it) start from the same seed file and get the same
time on one core. All inputs are run by the same
build with counters (gcov); what counts is the number of branches taken at least once in the sources of the parser. Explorations
have to be there: experiment.py makes them in the same --work. Runs of the others that are there are not run again.

usage: fuzzers.py --work DIR [OPTION...]      (--help lists the options)
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

import experiment
import sources
import tables


def native(options, program, folder, compiler):
    """A native build of a program in a folder of its own, compiled if it is not there; none if that is not possible."""
    binary = folder / program.name
    if binary.exists():
        return binary
    folder.mkdir(parents=True, exist_ok=True)
    files, flags = experiment.inputs_of(options.work / "sources", program)
    if not files:
        return None
    command = [*compiler, "-w", *flags, *map(str, files), "-lm", "-o", str(binary)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        print(f"{program.name}: no native build: {done.stderr.strip()[-400:]}", file=sys.stderr)
        return None
    return binary


def begin(options, tool, program, compiler):
    """The build and the output folder of a run of a tool, without what an earlier run left unfinished; none if the run is there or there is no build."""
    place = options.work / tool / program.name
    output = place / f"{options.seconds}s"
    if (output / "done").exists():
        return None
    binary = native(options, program, place / "build", compiler)
    if not binary:
        return None
    shutil.rmtree(output, ignore_errors=True)
    return binary, output


def fuzz(options, program):
    """A campaign of AFL++, unless it is there."""
    begun = begin(options, "afl", program, ["afl-clang-fast", "-g", "-O1"])
    if not begun:
        return
    binary, output = begun
    seeds = output.parent / "seeds"
    seeds.mkdir(exist_ok=True)
    shutil.copy(options.work / "seeds" / program.seed, seeds)
    environment = {**os.environ, "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1",
                   "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}
    command = ["afl-fuzz", "-i", seeds, "-o", output, "-s", "1", "-V", str(options.seconds), "--", binary]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        print(f"{program.name}: AFL++: {done.stdout.strip()[-400:]}", file=sys.stderr)
    else:
        (output / "done").touch()


def follow(options, program):
    """A concolic execution by angr, unless it is there."""
    begun = begin(options, "angr", program, ["cc", "-O1"])
    if not begun:
        return
    binary, output = begun
    output.mkdir(parents=True)
    command = [options.angr, experiment.HERE / "angr_inputs.py", binary, options.work / "seeds" / program.seed, output, str(options.seconds)]
    # A single step may take long.
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds + 60)
    except subprocess.TimeoutExpired:
        pass
    else:
        if done.returncode:
            print(f"{program.name}: angr: {done.stderr.strip()[-400:]}", file=sys.stderr)
            return
    (output / "done").touch()


def followed(options, program, seconds):
    """The inputs of angr until a time."""
    for file in (options.work / "angr" / program.name / f"{options.seconds}s").glob("*.*"):
        if int(file.name.split(".")[0]) <= 1000 * seconds:
            yield file


def fuzzed(options, program, seconds):
    """The inputs of AFL++ until a time, crashes and hangs among them."""
    for kind in ("queue", "crashes", "hangs"):
        for file in (options.work / "afl" / program.name / f"{options.seconds}s/default" / kind).glob("id:*"):
            found = re.search(r"time:(\d+)", file.name)
            if not found or int(found[1]) <= 1000 * seconds:
                yield file


def explored(options, program, variant, seconds):
    """The inputs of an exploration until a time: tests that took a new direction."""
    folder = experiment.result_folder(options, program, variant, "0")
    for point in json.loads((folder / "curve.json").read_text())["points"]:
        if point["seconds"] <= seconds:
            yield folder / f"tests/{point['test']:06}/stdin"


def branches(options, program, inputs):
    """The branches that a native build takes with these inputs, and all branches."""
    folder = options.work / "gcov" / program.name
    binary = native(options, program, folder, ["gcc", "--coverage", "-O0"])
    if not binary:
        return None
    for counters in folder.glob("*.gcda"):
        counters.unlink()
    for file in inputs:
        with open(file, "rb") as stream:
            try:
                subprocess.run([binary], stdin=stream, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=5)
            except subprocess.TimeoutExpired:
                pass
    counters = [file.name for file in folder.glob("*.gcda")]
    text = subprocess.run(["gcov", "-b", "-c", "-n", *counters], cwd=folder, capture_output=True, text=True).stdout
    taken = total = 0
    for part in re.split(r"^(?=File )", text, flags=re.MULTILINE):
        name = re.search(r"File '(.*)'", part)
        share = re.search(r"Taken at least once:([\d.]+)% of (\d+)", part)
        if name and share and str(options.work / "sources") in name[1]:
            total += int(share[2])
            taken += round(float(share[1]) * int(share[2]) / 100)
    return taken, total


def main():
    options = experiment.arguments(lambda parser: parser.add_argument(
        "--angr", metavar="PYTHON", help="a Python that has angr; without one, the table has no angr"))
    programs = [program for program in options.programs if program.group == "parsers"]
    sources.fetch(options.work / "sources")
    if not options.table:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda program: fuzz(options, program), programs))
            if options.angr:
                list(pool.map(lambda program: follow(options, program), programs))
    times = sorted({min(options.seconds, 60), options.seconds})
    heads, rows = ["program", "branches", "seed"], []
    others = {"AFL++": fuzzed, **({"angr": followed} if options.angr else {})}
    heads += [f"{name}, {seconds} s" for seconds in times for name in (*others, *options.variants)]
    for program in programs:
        seed = branches(options, program, [options.work / "seeds" / program.seed])
        if not seed:
            continue
        row = [program.name, str(seed[1]), str(seed[0])]
        for seconds in times:
            row += [str(branches(options, program, inputs(options, program, seconds))[0]) for inputs in others.values()]
            for variant in options.variants:
                there = (experiment.result_folder(options, program, variant, "0") / "curve.json").exists()
                row.append(str(branches(options, program, explored(options, program, variant, seconds))[0]) if there else "-")
        rows.append(row)
    tables.table(heads, rows)


if __name__ == "__main__":
    main()
