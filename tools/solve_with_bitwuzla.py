"""Bitwuzla's Python package as an SMT-LIB command line.

usage: solve_with_bitwuzla.py [-m] [--OPTION[=VALUE]]... FILE      -m: produce models; options are Bitwuzla's own
       solve_with_bitwuzla.py --version
       solve_with_bitwuzla.py --help      lists the options, as Bitwuzla's own program does
"""

import importlib.metadata
import os
import sys

import bitwuzla


def print_options():
    options = bitwuzla.Options()
    for name in dir(bitwuzla.Option):
        if not name.isupper():
            continue
        about = bitwuzla.OptionInfo(options, getattr(bitwuzla.Option, name))
        kind = about.kind().name
        default = str(about.dflt()).lower() if kind == "BOOL" else about.dflt()
        value = {"MODE": " <M>", "NUMERIC": " <n>", "STRING": " <s>"}.get(kind, "")
        modes = " {" + ", ".join(about.modes()) + "}" if kind == "MODE" else ""
        print(f"  --{about.lng()}{value}  [{default}]  {about.description()}{modes}")


def main():
    if sys.argv[1:] == ["--version"]:
        print(importlib.metadata.version("bitwuzla"))
        return
    if sys.argv[1:] == ["--help"]:
        print_options()
        return
    options = bitwuzla.Options()
    for argument in sys.argv[1:-1]:
        try:
            options.set_args("--produce-models" if argument == "-m" else argument)
        except bitwuzla.BitwuzlaException as error:
            sys.exit(f"error: {error}")
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
