#!/usr/bin/env python3
"""Counts the partial solutions that checks of path conditions pass, and the paths that they stand for.

usage: benches/partial.py FOLDER... [--sundry PROGRAM] [--seconds 10] [--least 20] [--most 1000]

A path condition is a script with one check and at least so many conjuncts; conjunctions at the top are split, so that each conjunct is an
assertion. A path is the set of assertions that a partial solution satisfies; a branch is the first assertion that it does not, which is where
an execution leaves the path. Files of a group are those whose logic is in it.
"""

import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

GROUPS = {
    "LIA": re.compile(r"QF_A?(UF)?(LIA|IDL)$"),
    "ABV": re.compile(r"QF_A(UF)?BV$"),
    "BV": re.compile(r"QF_(UF)?BV$"),
    "FP": re.compile(r"QF_\w*FP(LRA)?$"),
    "UF": re.compile(r"QF_UF$"),
    "reals": re.compile(r"QF_(UF)?(LRA|RDL|NRA|NIA|ANIA)$"),
}
TOKEN = re.compile(r'\(|\)|"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|[^\s()"|;]+')
ORIGINS = ["pivot", "refuted", "congruence", "restart"]


def commands(text):
    """The commands of a script, as nested lists of tokens."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def printed(term):
    """The text of a term."""
    parts, stack = [], [term]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            parts.append(top)
        else:
            parts.append("(")
            stack.append(")")
            stack.extend(reversed(top))
    return " ".join(parts)


def conjuncts(term):
    """The conjuncts of an assertion."""
    found, stack = [], [term]
    while stack:
        top = stack.pop()
        if isinstance(top, list) and top and top[0] == "and":
            stack.extend(reversed(top[1:]))
        elif isinstance(top, list) and top and top[0] == "!":
            stack.append(top[1])
        else:
            found.append(top)
    return found


def path_condition(text):
    """The logic of a script, its conjuncts, and the script with an assertion for each; None for scripts with several checks."""
    logic, count, lines = "", 0, []
    for command in commands(text):
        if command[0] == "set-logic":
            logic = command[1]
        if command[0] in ("check-sat-assuming", "push", "pop"):
            return None
        if command[0] == "assert":
            for conjunct in conjuncts(command[1]):
                count += 1
                lines.append(f"(assert {printed(conjunct)})")
        elif command[0] in ("set-logic",) or command[0].startswith(("declare", "define")):
            lines.append(printed(command))
    return logic, count, "\n".join(lines + ["(check-sat)", ""])


def ask(program, script, seconds, most):
    """The answer to a script, and its partial solutions."""
    with tempfile.TemporaryDirectory() as folder:
        formula, partial = pathlib.Path(folder, "f.smt2"), pathlib.Path(folder, "partial.jsonl")
        formula.write_text(script)
        command = [program, "solve", formula, "-t", str(seconds), "--partial", partial, "--partial-limit", str(most)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = partial.read_text().splitlines() if partial.exists() else []
        return (done.stdout.split() or ["none"])[0], [json.loads(line) for line in lines]


def first_missing(path):
    """The number of the first assertion that a path, a sorted tuple, does not satisfy."""
    return next((place for place, number in enumerate(path) if place != number), len(path))


def row(group, results):
    """A row of the table."""
    answers = collections.Counter(answer for answer, *_ in results)
    counts, paths, branches = ([result[place] for result in results] for place in (1, 2, 3))
    origins = collections.Counter()
    for *_, found in results:
        origins.update(found)
    summary = lambda numbers: f"{statistics.mean(numbers):.1f} ({statistics.median(numbers):g})"
    cells = [group, len(results), *(answers[word] for word in ("sat", "unsat", "unknown"))]
    cells += [summary(counts), summary(paths), summary(branches), sum(count > 0 for count in counts)]
    cells += [origins[origin] for origin in ORIGINS]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--sundry", default="target/release/sundry")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--least", type=int, default=20)
    parser.add_argument("--most", type=int, default=1000)
    options = parser.parse_args()
    results = collections.defaultdict(list)
    for file in sorted(file for folder in options.folders for file in folder.rglob("*.smt2")):
        condition = path_condition(file.read_text(errors="replace"))
        if condition is None or condition[1] < options.least:
            continue
        logic, count, script = condition
        group = next((name for name, pattern in GROUPS.items() if pattern.match(logic)), None)
        if group is None:
            continue
        answer, partials = ask(options.sundry, script, options.seconds, options.most)
        if answer not in ("sat", "unsat", "unknown"):
            continue
        paths = {tuple(partial["satisfied"]) for partial in partials}
        branches = {first_missing(path) for path in paths}
        origins = collections.Counter(partial["origin"] for partial in partials)
        results[group].append((answer, len(partials), len(paths), len(branches), origins))
        print(f"{file}: {count} conjuncts, {answer}, {len(partials)} partial solutions, {len(paths)} paths, {dict(origins)}", flush=True)
    print("\n| logics | calls | sat | unsat | unknown | partial solutions | paths | branches | calls with some | " + " | ".join(ORIGINS) + " |")
    print("| --- " * (9 + len(ORIGINS)) + "|")
    for group in GROUPS:
        if results[group]:
            print(row(group, results[group]))


if __name__ == "__main__":
    main()
