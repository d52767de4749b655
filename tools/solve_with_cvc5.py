"""cvc5's Python package as an SMT-LIB command line.

usage: solve_with_cvc5.py [--OPTION[=VALUE]...] FILE      options are cvc5's own
"""

import os
import sys

import cvc5


def main():
    solver = cvc5.Solver()
    for argument in sys.argv[1:-1]:
        name, _, value = argument.removeprefix("--").partition("=")
        solver.setOption(name, value or "true")
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[-1])
    try:
        while True:
            command = parser.nextCommand()
            if command.isNull():
                break
            sys.stdout.write(str(command.invoke(solver, symbols)))
    except RuntimeError as error:
        text = str(error).replace('"', "'")
        print(f'(error "{text}")')
    sys.stdout.flush()
    # The interpreter's own shutdown takes longer than most formulas.
    os._exit(0)


main()
