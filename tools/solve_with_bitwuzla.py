"""Bitwuzla's Python package as an SMT-LIB command line.

usage: solve_with_bitwuzla.py [-m] [--OPTION[=VALUE]]... [FILE]    -m: produce models; options are Bitwuzla's own
                                                                   without a file, commands come from the standard input
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


def commands():
    """Yields the commands of the standard input as they arrive, each text as many of them as there are."""
    waiting, depth, within = "", 0, ""
    for piece in iter(lambda: os.read(0, 1 << 16).decode("utf-8", "replace"), ""):
        begin = len(waiting)
        waiting += piece
        end = 0
        for place in range(begin, len(waiting)):
            character = waiting[place]
            if within:
                # A comment ends with its line, a string or a quoted symbol with the character that has begun it.
                if character == within:
                    within = ""
            elif character in '"|':
                within = character
            elif character == ";":
                within = "\n"
            else:
                depth += (character == "(") - (character == ")")
                if character == ")" and depth <= 0:
                    end = place + 1
        if end:
            yield waiting[:end]
            waiting = waiting[end:]
    yield waiting


def parse(parser, text, is_file):
    try:
        error = parser.parse(text, False, is_file)
    except bitwuzla.BitwuzlaException as exception:
        error = str(exception)
    if error:
        text = str(error).replace('"', "'")
        print(f'(error "{text}")')
    sys.stdout.flush()
    return not error


def main():
    if sys.argv[1:] == ["--version"]:
        print(importlib.metadata.version("bitwuzla"))
        return
    if sys.argv[1:] == ["--help"]:
        print_options()
        return
    options = bitwuzla.Options()
    arguments, file = sys.argv[1:], None
    if arguments and not arguments[-1].startswith("-"):
        file = arguments.pop()
    for argument in arguments:
        try:
            options.set_args("--produce-models" if argument == "-m" else argument)
        except bitwuzla.BitwuzlaException as error:
            sys.exit(f"error: {error}")
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    if file:
        parse(parser, file, True)
    else:
        for text in commands():
            if not parse(parser, text, False):
                break
            if text.endswith("(reset)"):
                # A parser that was reset prints no models.
                parser = bitwuzla.Parser(manager, options)
    # The interpreter's own shutdown takes longer than most formulas.
    os._exit(0)


main()
