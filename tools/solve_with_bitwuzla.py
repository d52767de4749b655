"""Bitwuzla's Python package as an SMT-LIB command line.

usage: solve_with_bitwuzla.py [-m] FILE      -m: produce models
       solve_with_bitwuzla.py --version
"""

import importlib.metadata
import os
import sys

import bitwuzla


def main():
    if sys.argv[1:] == ["--version"]:
        print(importlib.metadata.version("bitwuzla"))
        return
    options = bitwuzla.Options()
    for argument in sys.argv[1:-1]:
        if argument == "-m":
            options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        else:
            sys.exit(f"unknown option {argument}")
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    try:
        error = parser.parse(sys.argv[-1], False, True)
        if error:
            print(f'(error "{error}")')
    except bitwuzla.BitwuzlaException as error:
        text = str(error).replace('"', "'")
        print(f'(error "{text}")')
    sys.stdout.flush()
    # The interpreter's own shutdown takes longer than most formulas.
    os._exit(0)


main()
