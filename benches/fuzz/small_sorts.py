#!/usr/bin/env python3
"""Writes formulas about constant arrays whose indices are of a sort with a handful of values, as seeds with their status.

A constant array whose elements are overwritten at some different indices is compared with the array that has the other element everywhere: both are equal
exactly where the indices are all values of the sort. Indices are values or, for sorts of at most five values, symbols.

  benches/fuzz/small_sorts.py results/small-sorts
  target/release/sundry fuzz --solver .venv/bin/z3 --no-mutation --output results/small-sorts-found results/small-sorts
"""

import argparse
from pathlib import Path

ELEMENTS = {"Bool": ("false", "true"), "(_ BitVec 3)": ("#b000", "#b111"), "Int": ("0", "1"), "RoundingMode": ("RNE", "RTZ")}


def index_sorts():
    """All values of each sort."""
    words = lambda width: [format(number, f"0{width}b") for number in range(1 << width)]
    floats = [f"(fp #b{bits[0]} #b{bits[1:3]} #b{bits[3]})" for bits in words(4) if bits[1:] != "111"]
    return {
        "Bool": ["false", "true"],
        "(_ BitVec 1)": ["#b0", "#b1"],
        "(_ BitVec 2)": [f"#b{bits}" for bits in words(2)],
        "RoundingMode": ["RNE", "RNA", "RTP", "RTN", "RTZ"],
        "(_ FloatingPoint 2 2)": [*floats, "(_ NaN 2 2)"],
    }


def script(sort, element, indices, declarations, is_equal, status):
    array, (old, new) = f"(Array {sort} {element})", ELEMENTS[element]
    written = f"((as const {array}) {old})"
    for index in indices:
        written = f"(store {written} {index} {new})"
    comparison = f"(= {written} ((as const {array}) {new}))"
    comparison = comparison if is_equal else f"(not {comparison})"
    return f"(set-logic ALL)\n{declarations}(assert {comparison})\n(set-info :status {status})\n(check-sat)\n"


def scripts():
    for sort, values in index_sorts().items():
        for element in ELEMENTS:
            for count in (len(values) - 1, len(values)):
                names = [f"i{number}" for number in range(count)]
                declarations = "".join(f"(declare-const {name} {sort})\n" for name in names)
                declarations += f"(assert (distinct {' '.join(names)}))\n" if count > 1 else ""
                for is_equal in (True, False):
                    status = "sat" if (count == len(values)) == is_equal else "unsat"
                    yield script(sort, element, values[:count], "", is_equal, status)
                    if len(values) <= 5:
                        yield script(sort, element, names, declarations, is_equal, status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(scripts()):
        (folder / f"{number:03}.smt2").write_text(text)


if __name__ == "__main__":
    main()
