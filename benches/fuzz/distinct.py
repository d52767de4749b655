#!/usr/bin/env python3
"""How many mutants are still distinct and open after a solver has simplified them.

Reads transcripts of campaigns (`sundry fuzz --transcript FILE`), simplifies each script of them once with z3's
simplifier, and prints a line for each transcript: its scripts, the share that simplification decides, and the number
and the share of those that stay open and are equal to no earlier one. Scripts count if all solvers under test got them,
which are the ones that a campaign asks most often: neither seeds that one of them alone gets nor reductions.

usage: distinct.py SOLVERS FILE...        (the number of solvers under test; needs the Python package z3-solver)
"""

import collections
import json
import pathlib
import sys

import z3


def scripts(path, solvers):
    """The different scripts that this many solvers under test got, in order."""
    askings, counts = {}, collections.Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            asking = json.loads(line)
            askings.setdefault(asking["script"], set()).add(asking["respondent"])
            counts[asking["respondent"]] += 1
    tested = {name for name, _ in counts.most_common(solvers)}
    return [script for script, names in askings.items() if tested <= names]


def simplified(script):
    """The text of the simplified conjunction of all assertions; None if z3 cannot read it."""
    context = z3.Context()
    try:
        assertions = z3.parse_smt2_string(script, ctx=context)
    except z3.Z3Exception:
        return None
    if len(assertions) == 0:
        return "true"
    return z3.simplify(z3.And(*assertions, context) if len(assertions) > 1 else assertions[0]).sexpr()


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        sys.exit(__doc__.strip().splitlines()[-1])
    print("| transcript | scripts | unread | decided | distinct and open | share |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for path in sys.argv[2:]:
        forms = [simplified(script) for script in scripts(path, int(sys.argv[1]))]
        read = [form for form in forms if form is not None]
        undecided = [form for form in read if form not in ("true", "false")]
        share = lambda count: f"{100 * count / max(len(read), 1):.1f} %"
        decided, distinct = len(read) - len(undecided), len(set(undecided))
        figures = [len(forms), len(forms) - len(read), share(decided), distinct, share(distinct)]
        print(f"| {pathlib.Path(path).stem} | {' | '.join(map(str, figures))} |", flush=True)


if __name__ == "__main__":
    main()
