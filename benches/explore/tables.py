"""Tables of finished runs: tests, new instructions, coverage, partial solutions, and the time to equal coverage.

What counts are the WebAssembly instructions of the tested function and of all functions that it can call, without those of the
C library: its printf alone has more instructions than most of the tested functions.
"""

import json
import statistics

# Names that clang gives to a `main` without arguments.
MAIN = {"main", "__original_main", "__main_void"}
# Parts of the paths of the C library's sources.
LIBRARY = ("libc-top-half", "libc-bottom-half", "dlmalloc", "compiler-rt", "wasi-libc")
# Variants with and without partial solutions, whose times are compared.
PAIRS = [("bfs-plain", "bfs+p"), ("bfs-plain", "coverage+p"), ("bfs-plain", "coverage+p+m"), ("coverage+p", "coverage+p+m"), ("bfs", "bfs+p"), ("dfs-plain", "dfs+p"), ("dfs", "dfs+p"),
         ("rcn", "rcn+p"), ("rss", "rss+p"), ("coverage", "coverage+p"), ("bfs-plain-circuit", "bfs+p-circuit"), ("bfs-circuit", "bfs+p-circuit"),
         ("bfs-plain-soft", "bfs+p-soft"), ("bfs-soft", "bfs+p-soft"), ("bfs+p-circuit", "bfs+p-soft"),
         ("bfs-plain-circuit", "coverage+p")]


def reachable(functions, tested):
    """Positions of the functions that count."""
    names = MAIN if tested == "main" else {tested}
    waiting = [position for position, function in enumerate(functions) if function["name"] in names]
    found = set(waiting)
    while waiting:
        more = set(functions[waiting.pop()]["calls"]) - found
        found |= more
        waiting += more
    return {position for position in found if is_counted(functions[position]["file"])}


def is_counted(file):
    return bool(file) and not any(part in file for part in LIBRARY)


def measure(folder, program):
    """The figures of a run; its failure as text, if it has none, and nothing if it was not run."""
    if not (folder / "result.json").exists():
        return None
    failure = json.loads((folder / "result.json").read_text())["failure"]
    if failure:
        return failure
    record = json.loads((folder / "record.json").read_text())
    curve = json.loads((folder / "curve.json").read_text())
    counted = reachable(curve["functions"], program.tested)
    if not counted:
        return f"no function {program.tested}"
    covered, steps = 0, []
    for point in curve["points"]:
        covered += sum(count for position, count in point["new"] if position in counted)
        steps.append((point["seconds"], covered))
    first = steps[0][1] if steps else 0
    return {
        "tests": record["tests"],
        "first": first,
        "covered": covered,
        "new": covered - first,
        "all": sum(curve["functions"][position]["instructions"] for position in counted),
        "steps": steps,
        "questions": record["questions"],
        "partials": record["partial_solutions"] / max(record["questions"], 1),
        "unknown": record["unknown"],
        "errors": len(record["errors"]),
        "fixed": record["fixed_values"],
        "end": record["end"],
        "seconds": record["seconds"],
    }


def time_to(run, covered):
    """The seconds until a run has covered so many instructions, or none."""
    return next((seconds for seconds, reached in run["steps"] if reached >= covered), None)


def table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("| " + " | ".join(["---"] + ["---:"] * (len(heads) - 1)) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def mean_of(runs, key):
    return statistics.mean(run[key] for run in runs)


def cell(runs):
    """Tests, new instructions, coverage and partial solutions of the runs with all seeds."""
    good = [run for run in runs if isinstance(run, dict)]
    if not good:
        return "failed" if runs else "-"
    share = 100 * mean_of(good, "covered") / mean_of(good, "all")
    end = "".join("\\*" for _ in range(all(run["end"] in ("complete", "exhausted") for run in good)))
    tests, new, partials = (mean_of(good, key) for key in ("tests", "new", "partials"))
    return f"{tests:.0f}{end} / {new:.0f} / {share:.1f} / {partials:.1f}"


def show(options, result_folder):
    """Prints the tables of each group of programs."""
    groups = dict.fromkeys(program.group for program in options.programs)
    for group in groups:
        programs = [program for program in options.programs if program.group == group]
        runs = {}
        for program in programs:
            for variant in options.variants:
                found = (measure(result_folder(options, program, variant, seed), program) for seed in options.seeds.split(","))
                runs[program.name, variant] = [run for run in found if run]
        print(f"**{group}**, {options.seconds} s: #T / #NI / COV / #PS for each question; \\* ended before its time\n")
        show_cells(options, programs, runs)
        show_times(options, programs, runs)
        show_rest(options, programs, runs)


def show_cells(options, programs, runs):
    rows = []
    for program in programs:
        good = [run for variant in options.variants for run in runs[program.name, variant] if isinstance(run, dict)]
        size = f"{good[0]['all']}" if good else "?"
        rows.append([program.name, size, *(cell(runs[program.name, variant]) for variant in options.variants)])
    # Means only over the programs that every variant has run.
    whole = [program.name for program in programs
             if all(runs[program.name, variant] and all(isinstance(run, dict) for run in runs[program.name, variant])
                    for variant in options.variants)]
    if whole:
        row = [f"mean of {len(whole)}", ""]
        for variant in options.variants:
            each = [runs[name, variant] for name in whole]
            tests = statistics.mean(mean_of(one, "tests") for one in each)
            new = statistics.mean(mean_of(one, "new") for one in each)
            share = statistics.mean(100 * mean_of(one, "covered") / mean_of(one, "all") for one in each)
            partials = statistics.mean(mean_of(one, "partials") for one in each)
            row.append(f"{tests:.0f} / {new:.0f} / {share:.1f} / {partials:.1f}")
        rows.append(row)
    table(["program", "instructions", *options.variants], rows)


def show_times(options, programs, runs):
    """Seconds to the final coverage of a baseline, of the baseline and of the variant."""
    pairs = [pair for pair in PAIRS if set(pair) <= set(options.variants)]
    if not pairs:
        return
    rows, ratios = [], {pair: [] for pair in pairs}
    for program in programs:
        row = [program.name]
        for pair in pairs:
            base, other = ([run for run in runs[program.name, variant] if isinstance(run, dict)] for variant in pair)
            if not base or not other:
                row.append("-")
                continue
            base, other = base[0], other[0]
            own, its = time_to(base, base["covered"]), time_to(other, base["covered"])
            if base["new"] == 0:
                row.append("nothing new")
            elif its is None:
                row.append(f"{own:.2f} / never")
                ratios[pair].append(None)
            else:
                row.append(f"{own:.2f} / {its:.2f}")
                ratios[pair].append(its / max(own, 1e-3))
        rows.append(row)
    last = ["median ratio; never"]
    for pair in pairs:
        known = [ratio for ratio in ratios[pair] if ratio is not None]
        never = len(ratios[pair]) - len(known)
        last.append(f"{statistics.median(known):.2f}; {never}" if known else "-")
    print("Seconds until the final coverage of the first of a pair is reached, by the first and the second:\n")
    table(["program", *(f"{base}, {other}" for base, other in pairs)], [*rows, last])


def show_rest(options, programs, runs):
    """What the tables above do not show: questions without an answer, fixed values, errors, failures."""
    rows = []
    for program in programs:
        for variant in options.variants:
            for run in runs[program.name, variant]:
                if isinstance(run, str):
                    rows.append([program.name, variant, run])
                elif run["unknown"] or run["fixed"] or run["errors"]:
                    text = f"{run['questions']} questions, {run['unknown']} unknown; {run['fixed']} fixed; {run['errors']} errors"
                    rows.append([program.name, variant, text])
    if rows:
        table(["program", "variant", "besides"], rows)
