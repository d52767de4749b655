#!/usr/bin/env python3
"""How many mutants are still distinct and open after a solver has simplified them.

Reads transcripts of campaigns (`sundry fuzz --transcript FILE`), simplifies each script of them once with z3's
simplifier, and prints a line for each transcript: its scripts, the share that simplification decides, and the share
that stays open and is equal to no earlier one.

usage: distinct.py FILE...        (needs the Python package z3-solver)
"""

import json
import pathlib
import sys

import z3


def scripts(path):
    """The different scripts of a transcript, in order."""
    seen = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            seen.setdefault(json.loads(line)["script"])
    return list(seen)


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
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip().splitlines()[-1])
    print("| transcript | scripts | unread | decided | distinct and open |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path in sys.argv[1:]:
        forms = [simplified(script) for script in scripts(path)]
        read = [form for form in forms if form is not None]
        undecided = [form for form in read if form not in ("true", "false")]
        share = lambda count: f"{100 * count / max(len(read), 1):.1f} %"
        decided, distinct = share(len(read) - len(undecided)), share(len(set(undecided)))
        print(f"| {pathlib.Path(path).stem} | {len(forms)} | {len(forms) - len(read)} | {decided} | {distinct} |")


if __name__ == "__main__":
    main()
