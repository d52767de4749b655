#!/usr/bin/env python3
"""Writes satisfiable floating-point formulas that are hard for circuits.

Each formula is built around an assignment that satisfies it, with the arithmetic of Python for doubles and of rounding by `struct` for singles. A
formula is kept if a solver that works with circuits takes longer than the least time. The folder gets INDEX.csv, so that
`theories.py` compares solvers on it. A further start continues.

  benches/hard_floats.py --output results/hard-floats --solver .venv/bin/bitwuzla --least 5
  benches/theories.py --folder results/hard-floats --output results/hard-floats.json --limit 60 \\
      --solver 'both=target/release/sundry solve' --solver 'circuit=target/release/sundry solve --floats circuit' \\
      --solver 'search=target/release/sundry solve --floats search' --solver 'bitwuzla=.venv/bin/bitwuzla'
"""

import argparse
import csv
import json
import math
import random
import struct
from pathlib import Path

from theories import run


class Formula:
    """Declarations and assertions over values of one format, with a value for each term."""

    def __init__(self, bits, generator):
        self.bits = bits
        self.random = generator
        self.sort = {32: "Float32", 64: "Float64"}[bits]
        self.lines = []
        self.names = 0

    def rounded(self, value):
        """The value of the format that is nearest. Doubles are exact enough for one operation on singles (Figueroa, 1995)."""
        return value if self.bits == 64 else struct.unpack("f", struct.pack("f", value))[0]

    def literal(self, value):
        code = "d" if self.bits == 64 else "f"
        number = int.from_bytes(struct.pack(">" + code, value), "big")
        digits = f"{number:0{self.bits}b}"
        exponent = 11 if self.bits == 64 else 8
        return f"(fp #b{digits[0]} #b{digits[1:1 + exponent]} #b{digits[1 + exponent:]})"

    def constant(self, value):
        value = self.rounded(value)
        return self.literal(value), value

    def variable(self, least, greatest):
        """A variable between two bounds, and its planted value."""
        name = f"x{self.names}"
        self.names += 1
        value = self.rounded(self.random.uniform(least, greatest))
        self.lines.append(f"(declare-const {name} {self.sort})")
        low, high = self.constant(least)[0], self.constant(greatest)[0]
        self.lines.append(f"(assert (and (fp.leq {low} {name}) (fp.leq {name} {high})))")
        return name, value

    def named(self, text, value):
        """A definition, so that terms stay short."""
        name = f"t{self.names}"
        self.names += 1
        self.lines.append(f"(define-fun {name} () {self.sort} {text})")
        return name, value

    def apply(self, operator, left, right):
        operations = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
        }
        value = self.rounded(operations[operator](left[1], right[1]))
        return self.named(f"(fp.{operator} RNE {left[0]} {right[0]})", value)

    def fma(self, factor, other, summand):
        exact = math.fma(factor[1], other[1], summand[1]) if hasattr(math, "fma") else exact_fma(factor[1], other[1], summand[1])
        return self.named(f"(fp.fma RNE {factor[0]} {other[0]} {summand[0]})", self.rounded(exact))

    def sqrt(self, operand):
        return self.named(f"(fp.sqrt RNE {operand[0]})", self.rounded(math.sqrt(operand[1])))

    def sum(self, terms):
        total = terms[0]
        for term in terms[1:]:
            total = self.apply("add", total, term)
        return total

    def less(self, left, right):
        self.lines.append(f"(assert (fp.lt {left[0]} {right[0]}))")

    def near(self, term, width):
        """The term is within this part of its planted value."""
        slack = abs(term[1]) * width
        low, high = self.constant(term[1] - slack), self.constant(term[1] + slack)
        assert low[1] <= term[1] <= high[1]
        self.lines.append(f"(assert (and (fp.leq {low[0]} {term[0]}) (fp.leq {term[0]} {high[0]})))")

    def text(self):
        return "\n".join(["(set-logic QF_FP)", "(set-info :status sat)", *self.lines, "(check-sat)", ""])


def exact_fma(factor, other, summand):
    """A product plus a summand, rounded once, by fractions."""
    from fractions import Fraction

    return float(Fraction(factor) * Fraction(other) + Fraction(summand))


def polynomials(formula, size):
    """Values of random polynomials in some variables are near given ones."""
    variables = [formula.variable(-8, 8) for _ in range(size)]
    for _ in range(size - 1):
        monomials = []
        for _ in range(size + 1):
            monomial = formula.constant(formula.random.uniform(-4, 4))
            for _ in range(3):
                monomial = formula.apply("mul", monomial, formula.random.choice(variables))
            monomials.append(monomial)
        formula.near(formula.sum(monomials), 1e-3)


def division_chain(formula, size):
    """Quotients fall below each divisor only at the end."""
    quotient = formula.variable(1e6, 1e12)
    divisors = [formula.variable(1.01, 1.5) for _ in range(size)]
    for divisor in divisors:
        formula.less(divisor, quotient)
        quotient = formula.apply("div", quotient, divisor)
    formula.near(quotient, 1e-5)


def fma_chain(formula, size):
    """Horner's scheme with fused operations, at two points with a given distance."""
    coefficients = [formula.variable(-2, 2) for _ in range(size)]
    for _ in range(2):
        point = formula.constant(formula.random.uniform(0.5, 1.5))
        value = coefficients[0]
        for coefficient in coefficients[1:]:
            value = formula.fma(value, point, coefficient)
        formula.near(value, 1e-5)


def sums(formula, size):
    """Growing numbers with a given sum, and a given sum of squares."""
    variables = [formula.variable(i, i + 1) for i in range(size)]
    for left, right in zip(variables, variables[1:]):
        formula.less(left, right)
    formula.near(formula.sum(variables), 1e-9 if formula.bits == 64 else 1e-5)
    squares = [formula.apply("mul", x, x) for x in variables]
    formula.near(formula.sum(squares), 1e-6)


def points(formula, size):
    """Points in a square, of which no two are near each other."""
    places = [(formula.variable(0, 10), formula.variable(0, 10)) for _ in range(size)]
    for i, (x, y) in enumerate(places):
        for u, v in places[:i]:
            across, up = formula.apply("sub", x, u), formula.apply("sub", y, v)
            distance = formula.apply("add", formula.apply("mul", across, across), formula.apply("mul", up, up))
            # The planted places are random, and some of them near.
            formula.less(formula.constant(min(distance[1] * 0.9, 6.0)), distance)
    formula.near(formula.sum([x for x, _ in places]), 1e-3)


def roots(formula, size):
    """Nested square roots of sums."""
    variables = [formula.variable(1, 100) for _ in range(size)]
    value = variables[0]
    for variable in variables[1:]:
        value = formula.sqrt(formula.apply("add", formula.apply("mul", value, variable), variable))
    formula.near(value, 1e-7 if formula.bits == 64 else 1e-5)
    formula.near(formula.sum(variables), 1e-4)


def circles(formula, size):
    """Each number is on a circle with the next."""
    variables = [formula.variable(1, 50) for _ in range(size)]
    for left, right in zip(variables, variables[1:]):
        squares = [formula.apply("mul", x, x) for x in (left, right)]
        formula.near(formula.sum(squares), 1e-4)


FAMILIES = {
    polynomials: [(64, 2), (64, 3), (32, 3), (32, 4)],
    division_chain: [(32, 8), (32, 16), (64, 6), (64, 12)],
    fma_chain: [(32, 8), (64, 6), (64, 12), (32, 16)],
    sums: [(32, 10), (64, 8), (64, 16), (32, 24)],
    points: [(32, 4), (64, 4), (64, 6), (32, 8)],
    roots: [(32, 4), (64, 3), (64, 6), (32, 8)],
    circles: [(32, 6), (64, 4), (64, 8), (32, 12)],
}


def candidates():
    """Formulas of all families, sizes and seeds: the first seed of each, then the second."""
    for seed in range(100):
        for family, sizes in FAMILIES.items():
            for bits, size in sizes:
                name = f"{family.__name__.replace('_', '-')}-{bits}-{size}-{seed}.smt2"
                formula = Formula(bits, random.Random(name))
                family(formula, size)
                yield name, formula.text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--solver", required=True, metavar="COMMAND")
    parser.add_argument("--least", type=float, default=5, help="processor seconds that the solver takes at least")
    parser.add_argument("--count", type=int, default=24, help="formulas to keep")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of each run")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    known = options.output / "tried.json"
    tried = json.loads(known.read_text()) if known.exists() else {}
    kept = []
    for name, text in candidates():
        path = options.output / name
        if name not in tried:
            path.write_text(text)
            # The limit ends the run, and what ends by the limit took longer than the least time.
            tried[name] = run(options.solver, path, options.least, options.memory)
            known.write_text(json.dumps(tried, indent=1))
        assert tried[name]["answer"] != "unsat", f"{name} has a planted solution"
        # A solver that ends early has met another limit.
        if tried[name]["answer"] == "unknown" and tried[name]["seconds"] >= options.least:
            kept.append(name)
        else:
            path.unlink(missing_ok=True)
        if len(kept) == options.count:
            break
    with open(options.output / "INDEX.csv", "w", newline="") as index:
        rows = csv.writer(index)
        rows.writerow(["path", "logic", "status"])
        rows.writerows([name, "QF_FP", "sat"] for name in kept)
    print(f"{len(kept)} of {len(tried)} formulas take {options.solver} longer than {options.least} s")


if __name__ == "__main__":
    main()
